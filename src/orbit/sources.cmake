set(PW_SOURCES_ORBIT branch.c correct.c eigen.c explain_orbit.c exponents.c manifold.c orbit.c orbit_write.c return_map.c stability.c)
