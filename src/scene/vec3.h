// SPDX-License-Identifier: MIT
/* Vectors of three numbers; in the plane the third is zero. */
#ifndef PW_SCENE_VEC3_H
#define PW_SCENE_VEC3_H

#include <math.h>

static inline double pw_dot3(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double pw_length3(const double *a) {
  return sqrt(pw_dot3(a, a));
}

static inline void pw_set3(double *out, const double *a) {
  out[0] = a[0];
  out[1] = a[1];
  out[2] = a[2];
}

/* a + f b; out may be one of them */
static inline void pw_add3(double *out, const double *a, double f, const double *b) {
  for (int i = 0; i < 3; i++) {
    out[i] = a[i] + f * b[i];
  }
}

static inline void pw_cross3(double *out, const double *a, const double *b) {
  double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
}

static inline void pw_scale3(double *a, double f) {
  for (int i = 0; i < 3; i++) {
    a[i] *= f;
  }
}

/* To length 1; returns the length, and leaves a vector of length 0 as it is. */
static inline double pw_unit3(double *a) {
  double length = pw_length3(a);
  if (length > 0) {
    pw_scale3(a, 1 / length);
  }
  return length;
}

/* R v with R by rows */
static inline void pw_turn3(double *out, const double *R, const double *v) {
  double x = pw_dot3(R, v), y = pw_dot3(R + 3, v), z = pw_dot3(R + 6, v);
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

/* R^T v */
static inline void pw_turn_back3(double *out, const double *R, const double *v) {
  double x = R[0] * v[0] + R[3] * v[1] + R[6] * v[2];
  double y = R[1] * v[0] + R[4] * v[1] + R[7] * v[2];
  out[2] = R[2] * v[0] + R[5] * v[1] + R[8] * v[2];
  out[0] = x;
  out[1] = y;
}

#endif
