// SPDX-License-Identifier: MIT
/* Figures: curves of a motion stored by a run, as drawn by `pawl plot`. Expressions are written as
 * in the model's `plot` lines, over its coordinates, velocities, accelerations, parameters,
 * outputs, forces and energies. */
#ifndef PAWL_FIGURE_H
#define PAWL_FIGURE_H

#include <stdint.h>

#include "pawl/diag.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pawl_figure pawl_figure;

typedef struct pawl_figure_opts { /* zero selects the default */
  const char *const *plots;       /* each a panel: "x'", "x, y", "x' vs x" */
  int n_plot;                     /* 0: the plot lines of the model, or its coordinates */
  int use_span;                   /* 1: plot only from `from` to `to` */
  double from, to;
} pawl_figure_opts;

/* Reads the model of a results folder and its motion (motion.pwt, or trajectory.csv where there is
 * none) and computes the curves. PAWL_E_MODEL: an expression is wrong, the diagnostics show where;
 * PAWL_E_FILE: the folder has no motion of its model. */
PAWL_API PAWL_NODISCARD pawl_status pawl_figure_new(const char *dir, const pawl_figure_opts *opts,
                                                    pawl_diags *diags, pawl_figure **out);
PAWL_API void pawl_figure_free(pawl_figure *figure);

typedef struct pawl_curve {
  const char *y, *x;           /* expressions as written; x NULL: the time */
  const char *y_unit, *x_unit; /* SI, "1" for a pure number; NULL: not stated */
  int panel;                   /* from 0 */
  int64_t n;
  const double *ts, *xs, *ys; /* n: the time, and the point. Two points of equal time are the two
                                 sides of an instant; numbers that do not exist are NaN */
} pawl_curve;
PAWL_API int pawl_figure_curves(const pawl_figure *figure);
PAWL_API pawl_curve pawl_figure_curve(const pawl_figure *figure, int i);

/* As a vector graphic, as an image of two pixels for each of its units, and as UTF-8 text of
 * braille dots for a terminal with the given number of columns (0: 80), with colours if
 * requested. */
PAWL_API PAWL_NODISCARD pawl_status pawl_figure_svg(const pawl_figure *figure, pawl_sink sink,
                                                    void *payload);
PAWL_API PAWL_NODISCARD pawl_status pawl_figure_png(const pawl_figure *figure, pawl_sink sink,
                                                    void *payload);
PAWL_API PAWL_NODISCARD pawl_status pawl_figure_text(const pawl_figure *figure, int columns,
                                                     int color, pawl_sink sink, void *payload);

#ifdef __cplusplus
}
#endif

#endif
