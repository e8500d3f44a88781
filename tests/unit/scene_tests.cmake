pw_unit_test(scene_meet)
