pw_unit_test(run_traj)
