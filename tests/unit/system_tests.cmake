pw_unit_test(system_kinks)
