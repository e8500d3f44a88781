pw_unit_test(mech_accel)
pw_unit_test(mech_singular)
pw_unit_test(mech_start)
pw_unit_test(mech_start_contact)
