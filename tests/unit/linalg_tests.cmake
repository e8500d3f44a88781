pw_unit_test(linalg_chol)
pw_unit_test(linalg_lu)
pw_unit_test(linalg_parts)
pw_unit_test(linalg_qr)
