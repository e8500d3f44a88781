set(PW_SOURCES_SOLVE active_qr.c box_lcp.c box_min.c box_qp.c box_range.c branches.c contact_exact.c
  contact_exact_circle.c enumerate.c friction.c friction_factor.c friction_order.c friction_prox.c
  friction_residual.c friction_solve.c lcp_polish.c leaf.c lemke.c mlcp.c mode_proof.c mode_tree.c mode_walk.c nsgs.c
  polytope.c prox_newton.c cone_point.c stick_pairs.c)
