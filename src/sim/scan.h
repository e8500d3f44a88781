// SPDX-License-Identifier: MIT
/* The roots of several functions along one step, in order. The step is cut into dyadic pieces as
 * fine as the functions need; each piece is sampled and searched as a whole. */
#ifndef PW_SIM_SCAN_H
#define PW_SIM_SCAN_H

#include <stddef.h>
#include <stdint.h>

#include "base/layout.h"
#include "pawl/status.h"
#include "sim/roots.h"

typedef struct pw_scan_source {
  void *ctx;
  /* All functions at theta of the step, 0 .. 1. */
  pawl_status (*value)(void *ctx, double theta, double *w);
  /* How far each of them is uncertain at the end of the step, by the error of the motion. */
  pawl_status (*doubt)(void *ctx, double *delta);
  /* Noise of each between these thetas, where it may be far below that of the step: at most `noise`
   * as it is. NULL: it is not. */
  void (*noise)(void *ctx, double from, double to, double *noise);
  /* hides[i] = 1: function i may have roots between these thetas that samples do not show. */
  void (*look)(void *ctx, double from, double to, unsigned char *hides);
  /* Whether enclosures show that no function that is looked for has a root in the step; NULL: not
   * known. Asked only where all of them are far from zero at both ends. */
  bool (*clear)(void *ctx);
  /* Between them it has to stay like this: they cannot be told apart, or too much was looked at. */
  void (*give_up)(void *ctx, int i, double from, double to);
} pw_scan_source;

enum { PW_WANT_RISING = 1, PW_WANT_FALLING = 2, PW_WANT_GRAZING = 4 };

typedef struct pw_scan {
  int m; /* functions */
  pw_scan_source source;
  bool fresh; /* no step before this one: values at its start are not known */
  bool done;
  int level; /* the piece: [index, index + 1] / 2^level */
  int64_t index;
  int base;             /* level of the last piece that was divided because it hid something */
  int pieces, budget;   /* sampled since then, and how many may be */
  int looked;           /* pieces looked at since the last root */
  double finest;        /* shortest piece that is looked at, as a part of the step */
  double *w;            /* 9 x m: samples of the piece */
  double *left;         /* m: at the start of the piece */
  double *end;          /* m: at the end of the step */
  double *delta;        /* m: see doubt */
  double *noise;        /* m: of the values, by rounding; 0: not known */
  double *near;         /* m: the same of the piece, */
  bool near_known;      /* if this is set */
  pw_root *root;        /* m x PW_ROOT_MAX: wanted roots of the piece, x counted along the step */
  int *count, *next;    /* m: how many, and the first one not used */
  int *first_sign;      /* m: sign of the function right after the start of the step */
  double *low;          /* m: least sample of the step before the first that is clearly positive */
  unsigned char *want;  /* m: PW_WANT_... */
  unsigned char *known; /* m: 1: the start of the next step is a root that was dealt with */
  unsigned char *rises; /* m: 1: it is positive right after the start; if it does not seem so, the
                           piece is too long */
  unsigned char *hides; /* m: 1: samples of the piece may not show all roots */
  unsigned char *live;  /* m: 0 as long as the function is zero within its doubt: no roots */
} pw_scan;

/* For m functions. The owner sets the source and resets it. */
void pw_scan_lay_out(pw_scan *s, int m, pw_layout *l);
/* A new motion. */
void pw_scan_reset(pw_scan *s);

/* A new step: samples it and finds the roots of the first piece. joined: the functions at its start
 * are those at the end of the step before. finest: shortest piece that can be told apart, as a part
 * of the step. */
PAWL_NODISCARD pawl_status pw_scan_step(pw_scan *s, bool joined, double finest);
/* *which: function with the earliest root not used, -1: none left in the step. */
PAWL_NODISCARD pawl_status pw_scan_peek(pw_scan *s, int *which);
/* First root of function i that is not used, NULL: none left in the piece. */
const pw_root *pw_scan_root(const pw_scan *s, int i);
void pw_scan_use(pw_scan *s, int i);

#endif
