pw_unit_test(sweep_design)
pw_unit_test(sweep_table)
set_tests_properties(sweep_table PROPERTIES LABELS "unit;threads")
