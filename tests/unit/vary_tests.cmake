pw_unit_test(vary_lab)
