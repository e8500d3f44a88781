pw_unit_test(api_misuse)
