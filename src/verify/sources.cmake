set(PW_SOURCES_VERIFY explain_verify.c certificate_json.c certifier.c stream.c findings.c motion_scale.c certify_file.c certify_motion.c check_corner.c check_events.c check_forces.c
  check_discrete.c check_impact.c check_owed.c check_strokes.c check_instant.c check_scene.c scene_islands.c scene_place.c check_segment.c check_signals.c check_step_laws.c check_steps.c curve.c digits.c energy.c energy_segment.c estimate.c fit.c give_back.c glance.c hold.c motion_rate.c newton_fit.c own_chunk.c probe.c reach.c replay.c residual.c resolve.c
  rests.c rows_tell.c
  samples.c samples_known.c sets.c shaken.c table.c vary.c vary_curve.c vary_family.c vary_make.c vary_project.c verdict.c
  momentum.c multiplier.c stretch.c stretch_cone.c stretch_floor.c strike.c strike_patch.c strike_pose.c symmetry.c hand_over.c turns.c weak_form.c which_principle.c)
