pw_unit_test(write_run)
