pw_unit_test(system_kinks)
pw_unit_test(system_view)
