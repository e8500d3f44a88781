set(PW_SOURCES_MECH
  explain_mech.c
  accel.c bare.c clock.c discrete.c discrete_step.c eval.c frame.c handle.c handle_info.c heading.c kink_force.c loads.c law_cost.c law_report.c mech.c metric.c observe.c oblique.c picture.c project.c report.c
  series.c sight.c stages.c start.c start_check.c start_report.c start_solve.c stiff.c)
