set(PW_SOURCES_SOLVE active_qr.c box_lcp.c box_min.c box_qp.c box_range.c branches.c enumerate.c
  lcp_polish.c leaf.c lemke.c mlcp.c pmatrix.c polytope.c)
