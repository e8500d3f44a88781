pw_unit_test(sim_rk)
