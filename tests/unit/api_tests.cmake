pw_unit_test(api_misuse)
pw_unit_test(api_misuse_run)
pw_unit_test(api_eval)
pw_unit_test(api_misuse_traj)
