pw_unit_test(mech_accel)
pw_unit_test(mech_start)
