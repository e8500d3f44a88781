// SPDX-License-Identifier: MIT
/* Shared by the files that measure pairs: where they put what they find. */
#ifndef PW_SCENE_MEET_LIST_H
#define PW_SCENE_MEET_LIST_H

#include "scene/solid.h"

typedef struct pw_meets {
  pw_meet *item; /* PW_MOST_MEETS */
  int n;
  double reach;
} pw_meets;

/* Takes it unless it is too far or there is no room. */
void pw_meets_add(pw_meets *m, pw_meet x);
/* A ball of radius r about c against one of radius s about d; `beside`: the normal where both
 * centres are one. */
void pw_meets_balls(pw_meets *m, const double *c, double r, const double *d, double s, int point,
                    const double *beside);

/* ---- by kinds ---- */

void pw_meet_plane(const pw_placed *a, const pw_placed *plane, pw_meets *m);
void pw_meet_rods(const pw_placed *a, const pw_placed *b, pw_meets *m);
void pw_meet_ball_rod(const pw_placed *ball, const pw_placed *rod, pw_meets *m);
void pw_meet_ball_polygon(const pw_placed *ball, const pw_placed *b, pw_meets *m);
void pw_meet_ball_cylinder(const pw_placed *ball, const pw_placed *b, pw_meets *m);
/* Polygons, and segments as polygons without width. */
void pw_meet_polygons(const pw_placed *a, const pw_placed *b, pw_meets *m);
void pw_meet_ball_hull(const pw_placed *ball, const pw_placed *b, pw_meets *m);
void pw_meet_rod_hull(const pw_placed *rod, const pw_placed *b, pw_meets *m);
void pw_meet_hulls(const pw_placed *a, const pw_placed *b, pw_meets *m);

/* The nearest points of two segments p + s d, q + t e with s, t in 0..1. */
void pw_nearest_segments(const double *p, const double *d, const double *q, const double *e,
                         double *s, double *t);

#endif
