pw_unit_test(bvp_motion)
