set(PW_SOURCES_LINALG
  broyden.c chol.c gram.c lu.c parts.c qr.c qr_solve.c
  sparse_chol.c sparse_order.c sparse_rows.c sparse_rows_plan.c)
