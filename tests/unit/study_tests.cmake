pw_unit_test(study_orders)
