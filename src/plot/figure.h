// SPDX-License-Identifier: MIT
/* A figure: panels of curves, sampled along a stored motion. */
#ifndef PW_PLOT_FIGURE_H
#define PW_PLOT_FIGURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "pawl/eval.h"
#include "pawl/figure.h"
#include "pawl/picture.h"
#include "pawl/traj.h"

typedef struct pw_plot_point {
  double t;
  pawl_side side;
  const double *state; /* positions, velocities, forces; NULL: those of the polynomial */
} pw_plot_point;

typedef struct pw_sampling { /* of a motion, in order of time */
  pw_plot_point *items;
  int64_t n, cap;
  double *numbers; /* of the states, `width` each */
  int64_t n_state, state_cap;
  int width;
} pw_sampling;

typedef struct pw_plot_mark { /* one instant with events */
  double t;
  int events;
} pw_plot_mark;

typedef struct pw_tally { /* events of one kind at one law */
  char kind[16], at[64];
  int64_t count;
} pw_tally;

typedef struct pw_plot_jump { /* the impulse of a law at an event */
  double t;
  int law;
  double impulse;
} pw_plot_jump;

enum { PW_MOST_TALLIES = 64 };

struct pawl_figure {
  pawl_system *system;
  double noise; /* relative error of the motion: its tolerance */
  int curves;   /* the last ones of the system's */
  int panels;
  int64_t n;     /* points of each curve */
  double *t;     /* n */
  double *x, *y; /* curves x n */
  pw_plot_mark *marks;
  int64_t n_mark, mark_cap;
  pw_plot_jump *jumps;
  int64_t n_jump, jump_cap;
  pw_tally tally[PW_MOST_TALLIES];
  int n_tally;
  int64_t events, others; /* in all; not included in a tally */
};

/* The model of the folder, followed by the plots, compiled. */
PAWL_NODISCARD pawl_status pw_figure_load(pawl_figure *f, const char *dir,
                                          const pawl_figure_opts *opts, pawl_diags *diags);

/* The rows of a stored motion or of a table, thinned out to the resolution of a figure. */
PAWL_NODISCARD pawl_status pw_sampling_read(pawl_figure *f, pawl_traj *traj,
                                            const pawl_figure_opts *opts, pw_sampling *out);
PAWL_NODISCARD pawl_status pw_sampling_table(pawl_figure *f, const char *dir,
                                             const pawl_figure_opts *opts, pawl_diags *diags,
                                             pw_sampling *out);
bool pw_sampling_add(pw_sampling *s, double t, pawl_side side, const double *state);
void pw_sampling_free(pw_sampling *s);
/* False: the span does not contain t. */
bool pw_span_has(const pawl_figure_opts *opts, double t);

/* "[m/s]" after a name, or "". */
void pw_unit_text(const char *unit, char *text, size_t room);
/* As written, with signs of print: ′ and ·. */
void pw_label_text(const char *expression, char *text, size_t room);
/* "31 events: impact at floor 30×, rest at floor" */
void pw_tally_text(const pawl_figure *f, char *text, size_t room);

#endif
