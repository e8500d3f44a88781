pw_unit_test(plot_figure)
