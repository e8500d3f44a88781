pw_unit_test(report_autodraw)
pw_unit_test(report_encode)
pw_unit_test(report_gather)
