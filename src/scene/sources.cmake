set(PW_SOURCES_SCENE meet_hull.c meet_pair.c meet_polygon.c meet_round.c near.c solid.c)
