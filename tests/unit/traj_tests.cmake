pw_unit_test(traj_block)
pw_unit_test(traj_bytes)
pw_unit_test(traj_chunk)
