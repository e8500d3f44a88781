// SPDX-License-Identifier: MIT
/* Shapes as numbers: what is known of a shape before the run, where it is at a state, and the
 * points at which two of them meet, shapes (G1)-(G8). Knows no model: it measures. */
#ifndef PW_SCENE_SOLID_H
#define PW_SCENE_SOLID_H

#include <stdbool.h>

#include "base/arena.h"

typedef enum pw_solid_kind {
  PW_SOLID_PLANE,   /* normal q to the free side, through p */
  PW_SOLID_BALL,    /* disk or sphere */
  PW_SOLID_ROD,     /* segment or capsule: two ends, and a radius that may be zero */
  PW_SOLID_POLYGON, /* convex, in the plane */
  PW_SOLID_HULL,    /* convex, in space: boxes, too */
  PW_SOLID_CYLINDER /* along its z axis */
} pw_solid_kind;

typedef struct pw_face {
  int n;
  int *corner;             /* n: counter-clockwise, seen from outside */
  double normal[3], level; /* own axes: inside is normal.x <= level */
} pw_face;

typedef struct pw_solid {
  pw_solid_kind kind;
  int dim;
  double radius;       /* of balls, rods and cylinders */
  double half;         /* of the length of a capsule or cylinder */
  double size;         /* a bound of the distance of its points from p; of a plane 0 */
  bool free_ends;      /* a rod from p to q */
  int n_corner;        /* of polygons (counter-clockwise) and hulls; ends of a rod */
  double (*corner)[3]; /* own axes; not of rods */
  int *number;         /* n_corner: the corner as the model counts them, from 1 */
  int n_face, n_edge;  /* of hulls */
  pw_face *face;
  int (*edge)[2];
} pw_solid;

/* Why corners are no polygon or hull; NULL: they are. */
const char *pw_solid_polygon(pw_arena *arena, const double (*corner)[3], int n, pw_solid *out);
const char *pw_solid_hull(pw_arena *arena, const double (*corner)[3], int n, pw_solid *out);

typedef struct pw_placed {
  const pw_solid *solid;
  double p[3], R[9], q[3]; /* place; axes by rows of space; normal of a plane, end of a segment */
  double (*corner)[3];     /* n_corner: in space; the caller's memory */
  double lo[3], hi[3];     /* a box around it */
} pw_placed;

/* Corners and box, from p, R and q. */
void pw_placed_set(pw_placed *x);

typedef struct pw_meet { /* a point at which two shapes meet, or may meet */
  double gap;            /* negative: they overlap */
  double normal[3];      /* from the second shape to the first */
  double x[3];           /* on the second */
  int point;             /* its number, stable in time; 0: the pair has one */
  bool unsure;           /* the normal is not unique: chosen by the rule of shapes (G8) */
} pw_meet;

enum { PW_MOST_MEETS = 64 };

/* Points with a gap of at most `reach`, at most PW_MOST_MEETS; their number. */
int pw_meet_pair(const pw_placed *a, const pw_placed *b, double reach, pw_meet *out);
/* The point of the segment from p to q nearest to c, as a part of it. */
double pw_nearest_part(const double *p, const double *q, const double *c);
/* The pair is known. */
bool pw_meets_known(const pw_solid *a, const pw_solid *b);

#endif
