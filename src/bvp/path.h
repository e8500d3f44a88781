// SPDX-License-Identifier: MIT
/* The course of a trial motion: smooth flights, each with its modes of the laws and sides of the
 * switches, and the joints between them. */
#ifndef PW_BVP_PATH_H
#define PW_BVP_PATH_H

#include "bvp/shoot.h"
#include "sim/trial.h"

enum { PW_MAX_JOINTS = 2 * PW_MAX_BOUNCES };

typedef struct pw_path {
  void *memory;
  int joints;
  double times[PW_MAX_JOINTS];
  bool struck[PW_MAX_JOINTS]; /* some law carries an impulse there */
  unsigned char *mode;        /* (joints + 1) x ni: pw_trial_mode in each flight */
  unsigned char *state;       /* likewise: argument of pw_mech_close */
  unsigned char *hit;         /* joints x ni: this law carries an impulse */
  double *side;               /* (joints + 1) x n_switch */
  double *before, *after;     /* joints x (nq + nv): states at the joints */
  const char *why;            /* not NULL: why the direct method does not apply */
} pw_path;

/* Follows the fine motion with the start s. False: out of memory. */
bool pw_path_record(pw_shoot *x, const double *s, pw_path *path);
/* As if it went on as it starts. */
bool pw_path_begin(pw_shoot *x, const double *s, pw_path *path);
void pw_path_free(pw_path *path);

/* Of a flight. */
const unsigned char *pw_path_mode(const pw_path *path, const pw_system *sys, int flight);
const double *pw_path_side(const pw_path *path, const pw_system *sys, int flight);

#endif
