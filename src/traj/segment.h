// SPDX-License-Identifier: MIT
/* A segment: the dense output of one step, a polynomial in time. It is kept as its values at the
 * Chebyshev points of the second kind, as many as the polynomial has coefficients: nothing is lost,
 * and both ends are the states that the motion has there. */
#ifndef PW_TRAJ_SEGMENT_H
#define PW_TRAJ_SEGMENT_H

#include "traj/shape.h"

enum { PW_MOST_NODES = 16 };

/* A percussion of a step of a pile (pw_bare of the head of the file): shape, shape,
 * point, pile; the place; the normal, from the second shape to the first; the percussion along it,
 * and across it as a vector. It acts on the first shape. */
enum {
  PW_KICK_SHAPES = 0,
  PW_KICK_POINT = 2,
  PW_KICK_PILE = 3,
  PW_KICK_PLACE = 4,
  PW_KICK_NORMAL = 7,
  PW_KICK_ALONG = 10,
  PW_KICK_ACROSS = 11,
  PW_KICK_REALS = 14
};

typedef struct pw_segment {
  double from, to;
  int nodes;                 /* 2 or more; to == from: 1, a single state */
  const unsigned char *mode; /* n_law: pawl_law_mode in this segment */
  const double *force;       /* 2 n_law: forces at the start, forces at the end */
  const double *value;       /* nodes x pw_shape_values: y and energies at each node */
  bool by_steps;             /* a step of a pile; else the laws are those of the modes */
  int n_kick;                /* percussions in the step; of piles only */
  const double *kick;        /* n_kick x PW_KICK_REALS */
} pw_segment;

/* Node j of n as a part of the segment, 0 to 1: (1 - cos(j pi / (n - 1))) / 2. */
double pw_segment_node(int j, int n);

void pw_segment_put(pw_buf *out, const pw_shape *shape, const pw_segment *s);
bool pw_segment_get(pw_reader *in, const pw_shape *shape, pw_segment *out);

/* All values at t by the barycentric formula (Berrut and Trefethen 2004, (5.4)), exact at nodes. */
void pw_segment_sample(const pw_segment *s, int n_value, double t, double *out);

#endif
