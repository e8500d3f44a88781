// SPDX-License-Identifier: MIT
/* How well the rows of a table are known (samples.h). */
#ifndef PW_VERIFY_SAMPLES_KNOWN_H
#define PW_VERIFY_SAMPLES_KNOWN_H

#include "verify/samples.h"

enum { PW_LEFT_Q, PW_LEFT_V, PW_RIGHT_Q, PW_RIGHT_V }; /* of `side` and `fewer` */

static inline double *pw_samples_q(const pw_samples *s, int i) {
  return s->rows + (size_t)i * s->width;
}

static inline double *pw_samples_v(const pw_samples *s, int i) {
  return pw_samples_q(s, i) + s->nq;
}

static inline double *pw_samples_force(const pw_samples *s, int i) {
  return pw_samples_v(s, i) + s->nq;
}

/* Rows that a polynomial is carried on from. */
int pw_samples_used(const pw_samples *s);
/* Position and velocity at t from `count` rows beginning with row i. */
void pw_samples_carry(const pw_samples *s, int i, int count, double t, double *q, double *v);
/* sqrt(sum m (x - y)^2) with the masses of the first row; y NULL: 0. */
double pw_samples_apart(const pw_samples *s, const double *x, const double *y);
/* Two rows at one time: nothing is carried across them. */
bool pw_samples_have_pair(const pw_samples *s, int first, int count);

/* Finds the errors of the rows at hand, and what they usually miss. */
void pw_samples_measure(pw_samples *s);
/* Whether row i is where the rows before it do not lead. */
bool pw_samples_is_strange(pw_samples *s, int i);

#endif
