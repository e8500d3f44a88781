pw_unit_test(plot_axis)
pw_unit_test(plot_figure)
