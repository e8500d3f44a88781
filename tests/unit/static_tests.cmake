pw_unit_test(static_gauss)
pw_unit_test(static_past)
pw_unit_test(static_random)
pw_unit_test(static_rest)
