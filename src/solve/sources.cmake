set(PW_SOURCES_SOLVE active_qr.c box_qp.c)
