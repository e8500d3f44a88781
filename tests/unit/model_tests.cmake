pw_unit_test(model_dims)
pw_unit_test(model_units)
