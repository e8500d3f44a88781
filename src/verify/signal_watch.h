// SPDX-License-Identifier: MIT
/* What the checker keeps of signals. Owner: check_signals.c. */
#ifndef PW_VERIFY_SIGNAL_WATCH_H
#define PW_VERIFY_SIGNAL_WATCH_H

#include <stdint.h>

#include "base/layout.h"
#include "pawl/verify.h"
#include "system/system.h"

enum { PW_SIGNAL_PAST = 4096 }; /* instants of the past that are kept for delays */

typedef struct pw_signal_watch {
  double *size, *rate; /* signals: largest sizes and rates so far */
  double *reg, *value; /* of the tape `signal`; n_tick */
  double *past_t;      /* PW_SIGNAL_PAST, a ring */
  double *past;        /* PW_SIGNAL_PAST x n_tick */
  int64_t count;       /* instants so far */
} pw_signal_watch;

struct pw_row_view;

typedef struct pw_signal_point { /* of a curve */
  double t;
  const double *value, *rate; /* nq */
  const double *term;         /* its last coefficients, `stride` apart */
  int stride;
  double steep; /* what a rate makes of an error of the last coefficient */
} pw_signal_point;

void pw_signal_watch_lay(pw_signal_watch *w, const pw_system *s, pw_layout *l);
/* pw_probe_row. A motion may follow a surface, on either side of it by rounding: which side is
 * meant is then seen by the rates of the states, a moment before or after. */
bool pw_signal_probe(pawl_certifier *c, const struct pw_row_view *row, double ahead, double moment);
/* At an end of a segment, with the sides that surfaces have in its middle: where laws on
 * coordinates without inertia change, rates and forces jump. The state of the row is that in
 * c->own. */
struct pw_curve;
bool pw_signal_probe_end(pawl_certifier *c, const struct pw_curve *x,
                         const struct pw_row_view *row);
/* At an instant inside of a segment; after pw_probe_beside there. */
void pw_signal_look(pawl_certifier *c, const pw_signal_point *p);
/* Where one segment ends and the next begins: states nq + nv on both sides. */
void pw_signal_join(pawl_certifier *c, double t, const double *before, const double *after);

#endif
