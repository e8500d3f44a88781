pw_unit_test(past_tree)
