// SPDX-License-Identifier: MIT
/* Closed convex sets of forces of one law: all of the line, an interval, a disk, an ellipse, a ball
 * or an ellipsoid about zero, the cone over one of them. The solvers and the certificate share
 * these definitions and no algorithm. */
#ifndef PW_LAW_SET_H
#define PW_LAW_SET_H

#include <stdbool.h>

typedef enum pw_law_shape {
  PW_LAW_INTERVAL, /* lo..hi, either end may be infinite; empty if lo > hi */
  PW_LAW_ELLIPSE,  /* (x/axis[0])^2 + (y/axis[1])^2 <= 1; a disk if the axes are equal */
  PW_LAW_ELLIPSOID /* the same in space; a ball if the axes are equal */
} pw_law_shape;

enum { PW_LAW_MOST = 3 }; /* components of a force */

typedef struct pw_law_set {
  pw_law_shape shape;
  double lo, hi;            /* of an interval */
  double axis[PW_LAW_MOST]; /* of an ellipse or ellipsoid: its half axes; zero: flat that way */
} pw_law_set;

pw_law_set pw_law_interval(double lo, double hi);
pw_law_set pw_law_disk(double radius);
pw_law_set pw_law_ellipse(double a, double b);
/* |x| <= radius for forces of n components: an interval, a disk or a ball. */
pw_law_set pw_law_ball(double radius, int n);

pw_law_set pw_law_point(double x);
pw_law_set pw_law_line(void);   /* any force, either way */
pw_law_set pw_law_pushes(void); /* any force >= 0 */

/* Components of a force: 1, 2 or 3. */
int pw_law_set_dimension(const pw_law_set *set);
/* The interval over which component k of a force ranges. */
pw_law_set pw_law_set_extent(const pw_law_set *set, int k);
/* The set times a factor >= 0: a cone cut at a normal force. 0 times infinity is 0. */
pw_law_set pw_law_set_scaled(pw_law_set set, double factor);

/* Component k times factor[k] >= 0: other units. */
pw_law_set pw_law_set_stretched(pw_law_set set, const double *factor);
/* The least interval around two of them; ends that are no number add nothing. */
pw_law_set pw_law_set_hull(pw_law_set a, pw_law_set b);
/* With all parts of its forces, down to none: a cone cut anywhere below its base. */
pw_law_set pw_law_set_with_zero(pw_law_set set);

bool pw_law_set_is_empty(const pw_law_set *set);
/* Its ends are numbers or infinite. */
bool pw_law_set_is_number(const pw_law_set *set);
/* Of two sets of one shape: a reaches further, along its first axis or upwards. */
bool pw_law_set_is_larger(const pw_law_set *a, const pw_law_set *b);
/* x is inside, or at most `room` outside. */
bool pw_law_set_contains(const pw_law_set *set, const double *x, double room);
/* Nearest point of the set, which is not empty; out may be x. */
void pw_law_set_project(const pw_law_set *set, const double *x, double *out);
/* P = d project / d x by columns, n x n; one-sided where x lies on the boundary. */
void pw_law_set_project_slope(const pw_law_set *set, const double *x, double *P);
double pw_law_set_distance(const pw_law_set *set, const double *x);
/* Largest d . x over the set, and where (out, or NULL): by maximal dissipation -force is the
 * largest against the slip d. Infinite where the set is unbounded along d. */
double pw_law_set_support(const pw_law_set *set, const double *d, double *out);
/* Corners whose hull contains the set: the finite ends of an interval, the n > 2 corners of a
 * polygon around an ellipse, the first along its first axis, or the 8 of a box around an ellipsoid.
 * Returns how many were written, with 1, 2 or 3 components each. */
int pw_law_set_edges(const pw_law_set *set, int n, double *out);

#endif
