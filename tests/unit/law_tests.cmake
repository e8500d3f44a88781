pw_unit_test(law_set)
pw_unit_test(law_row)
pw_unit_test(law_phase)
pw_unit_test(law_scale)
