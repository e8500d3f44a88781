pw_unit_test(bvp_motion)
pw_unit_test(bvp_segments)
pw_unit_test(bvp_direct)
pw_unit_test(bvp_random)
