pw_unit_test(solve_box_qp)
