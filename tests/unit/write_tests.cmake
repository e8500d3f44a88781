pw_unit_test(write_balance)
pw_unit_test(write_memory)
pw_unit_test(write_run)
