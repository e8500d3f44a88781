pw_unit_test(solve_box_min)
pw_unit_test(solve_box_qp)
pw_unit_test(solve_lemke)
