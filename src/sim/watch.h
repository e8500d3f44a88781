// SPDX-License-Identifier: MIT
/* Functions of the state that are watched for roots along the steps of a motion, and the polishing
 * of these roots to the full order of the method. */
#ifndef PW_SIM_WATCH_H
#define PW_SIM_WATCH_H

#include "base/layout.h"
#include "mech/sight.h"
#include "sim/scan.h"
#include "sim/step.h"

typedef pawl_status (*pw_watch_at)(void *owner, pw_stepper *s, double t, const double *y,
                                   double *w);

/* Which functions may have roots that are not seen, over a piece of the step whose enclosures are
 * in pw_mech_sight. wild: tapes that are not tame there. */
typedef void (*pw_watch_hides)(void *owner, pw_stepper *s, unsigned wild, unsigned char *hides);

/* Raises noise to what rounding alone can do to the functions at (t, y). */
typedef void (*pw_watch_noisy)(void *owner, pw_stepper *s, double t, const double *y,
                               double *noise);

/* The functions are now those of a tape, but for signs. */
typedef bool (*pw_watch_plain)(const void *owner, const pw_stepper *s);

typedef struct pw_watch {
  pw_scan scan;
  pw_stepper *s;
  pw_watch_at at;
  void *owner;    /* given to `at` and `hides` */
  unsigned tapes; /* PW_OF_...: that the functions come from */
  pw_watch_hides hides;
  pw_watch_noisy noisy; /* NULL: nothing better than the noise of the step is known */
  unsigned from; /* tape that the first `count` functions are the outputs of, if plain says so */
  int count;
  pw_watch_plain plain;
  unsigned char *reads; /* n_in: this tape reads the input */
  pw_unseen_kind kind;
  double *y;      /* n: scratch */
  double *values; /* m: scratch */
  double *v;      /* nv + nq: scratch */
} pw_watch;

/* For m functions. */
void pw_watch_lay_out(pw_watch *w, const pw_system *sys, int m, pw_layout *l);
/* kind: of what is left undecided. */
void pw_watch_init(pw_watch *w, pw_stepper *s, pw_watch_at at, void *owner, pw_unseen_kind kind);
/* Enclosures of these tapes tell what samples hide. */
void pw_watch_see(pw_watch *w, unsigned tapes, pw_watch_hides hides);
/* Steps in which enclosures of this tape keep away from zero are not searched. Functions behind the
 * first `count` have no roots where `plain` is true. */
void pw_watch_clear(pw_watch *w, unsigned tape, int count, pw_watch_plain plain);
/* An enclosure leaves room for roots that are not seen. */
bool pw_watch_is_open(const pw_form *f);

/* Time h after the start of the step, and state y there, of a root of function i: found by steps of
 * their own, so that both have the order of the method. */
PAWL_NODISCARD pawl_status pw_watch_polish(pw_watch *w, int i, const pw_root *root, double *h,
                                           double *y);

/* The first root of all functions in the step, polished: which function has it (-1: none does) and
 * how long after the start. Between the stages of an implicit step the dense output keeps no stiff
 * law. A root there counts only if steps of their own change sign, too, or the step ends beyond it.
 */
PAWL_NODISCARD pawl_status pw_watch_first(pw_watch *w, int *which, double *h);

/* What rounding of the state alone can do to each function at (t, y). */
PAWL_NODISCARD pawl_status pw_watch_noise(pw_watch *w, double t, const double *y, double *noise);

#endif
