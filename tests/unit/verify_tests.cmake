pw_unit_test(verify_fit)
pw_unit_test(verify_reach)
pw_unit_test(verify_vary)
