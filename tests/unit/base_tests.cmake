pw_unit_test(base_arena)
pw_unit_test(base_diag)
pw_unit_test(base_file)
pw_unit_test(base_text)
