set(PW_SOURCES_LINALG chol.c lu.c parts.c qr.c qr_solve.c)
