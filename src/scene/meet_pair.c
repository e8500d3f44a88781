// SPDX-License-Identifier: MIT
/* Which function measures which pair. */
#include "scene/meet_list.h"
#include "scene/vec3.h"

typedef void (*measure)(const pw_placed *a, const pw_placed *b, pw_meets *m);

static void meet_balls(const pw_placed *a, const pw_placed *b, pw_meets *m) {
  static const double up[3] = {0, 1, 0};
  pw_meets_balls(m, a->p, a->solid->radius, b->p, b->solid->radius, 0, up);
}

/* *turned: the function takes the second shape first. NULL: no such pair is known. */
static measure find(const pw_solid *a, const pw_solid *b, bool *turned) {
  static const struct {
    pw_solid_kind a, b;
    int dim; /* 0: both */
    measure run;
  } pairs[] = {{PW_SOLID_BALL, PW_SOLID_PLANE, 0, pw_meet_plane},
               {PW_SOLID_ROD, PW_SOLID_PLANE, 0, pw_meet_plane},
               {PW_SOLID_POLYGON, PW_SOLID_PLANE, 2, pw_meet_plane},
               {PW_SOLID_HULL, PW_SOLID_PLANE, 3, pw_meet_plane},
               {PW_SOLID_CYLINDER, PW_SOLID_PLANE, 3, pw_meet_plane},
               {PW_SOLID_BALL, PW_SOLID_BALL, 0, meet_balls},
               {PW_SOLID_BALL, PW_SOLID_ROD, 0, pw_meet_ball_rod},
               {PW_SOLID_BALL, PW_SOLID_POLYGON, 2, pw_meet_ball_polygon},
               {PW_SOLID_BALL, PW_SOLID_HULL, 3, pw_meet_ball_hull},
               {PW_SOLID_BALL, PW_SOLID_CYLINDER, 3, pw_meet_ball_cylinder},
               {PW_SOLID_ROD, PW_SOLID_ROD, 2, pw_meet_polygons},
               {PW_SOLID_ROD, PW_SOLID_ROD, 3, pw_meet_rods},
               {PW_SOLID_ROD, PW_SOLID_POLYGON, 2, pw_meet_polygons},
               {PW_SOLID_ROD, PW_SOLID_HULL, 3, pw_meet_rod_hull},
               {PW_SOLID_POLYGON, PW_SOLID_POLYGON, 2, pw_meet_polygons},
               {PW_SOLID_HULL, PW_SOLID_HULL, 3, pw_meet_hulls}};
  for (unsigned i = 0; i < sizeof pairs / sizeof *pairs && a->dim == b->dim; i++) {
    bool fits = pairs[i].dim == 0 || pairs[i].dim == a->dim;
    if (fits && pairs[i].a == a->kind && pairs[i].b == b->kind) {
      *turned = false;
      return pairs[i].run;
    }
    if (fits && pairs[i].a == b->kind && pairs[i].b == a->kind) {
      *turned = true;
      return pairs[i].run;
    }
  }
  return NULL;
}

bool pw_meets_known(const pw_solid *a, const pw_solid *b) {
  bool turned;
  return find(a, b, &turned) != NULL;
}

int pw_meet_pair(const pw_placed *a, const pw_placed *b, double reach, pw_meet *out) {
  bool turned = false;
  pw_meets m = {.item = out, .reach = reach};
  measure run = find(a->solid, b->solid, &turned);
  if (run == NULL) {
    return 0;
  }
  run(turned ? b : a, turned ? a : b, &m);
  for (int i = 0; i < m.n && turned; i++) {
    pw_add3(out[i].x, out[i].x, out[i].gap, out[i].normal);
    pw_scale3(out[i].normal, -1);
  }
  return m.n;
}
