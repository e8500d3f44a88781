pw_unit_test(export_poly)
