// SPDX-License-Identifier: MIT
/* Making a figure: its system, its samples, and the numbers of the curves. */
#include "plot/figure.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/file.h"
#include "traj/motion_file.h"

typedef struct work { /* of the evaluation of samples */
  pawl_figure *figure;
  pawl_traj *traj; /* NULL: there is only a table */
  pawl_eval *eval;
  unsigned char *closed; /* laws */
  double *impulse;       /* laws */
  double *plot;          /* 2 x all curves of the system */
  int64_t jump;          /* the first that lies ahead */
} work;

static void free_work(work *w) {
  pawl_eval_free(w->eval);
  free(w->closed);
  free(w->impulse);
  free(w->plot);
}

static pawl_status make_work(work *w) {
  const pawl_system *s = w->figure->system;
  size_t laws = (size_t)pawl_system_laws(s) + 1;
  w->closed = calloc(laws, 1);
  w->impulse = calloc(laws, sizeof *w->impulse);
  w->plot = calloc(2 * (size_t)pawl_system_plots(s) + 1, sizeof *w->plot);
  bool room = w->closed != NULL && w->impulse != NULL && w->plot != NULL;
  return room ? pawl_eval_new(s, &w->eval) : PAWL_E_MEMORY;
}

/* Impulses of the jumps up to a sample. */
static void pass_jumps(work *w, const pw_plot_point *x) {
  const pawl_figure *f = w->figure;
  for (; w->jump < f->n_jump; w->jump++) {
    const pw_plot_jump *j = &f->jumps[w->jump];
    if (j->t > x->t || (j->t == x->t && x->side == PAWL_BEFORE)) {
      return;
    }
    w->impulse[j->law] = j->impulse;
  }
}

static void put_point(work *w, int64_t i) {
  pawl_figure *f = w->figure;
  int first = pawl_system_plots(f->system) - f->curves;
  for (int c = 0; c < f->curves; c++) {
    f->y[c * f->n + i] = w->plot[2 * (first + c)];
    f->x[c * f->n + i] = w->plot[2 * (first + c) + 1];
  }
}

/* The state is that of the row; modes, integrals and multipliers are those of the polynomial. A
 * table does not contain them: expressions that depend on them are NaN there. */
static pawl_status evaluate(work *w, const pw_plot_point *x, int64_t i) {
  const pawl_system *s = w->figure->system;
  int nq = pawl_system_positions(s), nv = pawl_system_velocities(s), laws = pawl_system_laws(s);
  double integrals[2] = {NAN, NAN};
  pawl_traj_point p = {0};
  for (int k = 0; w->traj == NULL && k < laws; k++) {
    w->impulse[k] = NAN;
  }
  if (w->traj != NULL) {
    pawl_status status = pawl_traj_at(w->traj, x->t, x->side, &p);
    if (status != PAWL_OK) {
      return status;
    }
    integrals[0] = p.action;
    integrals[1] = 0;
    for (int k = 0; k < pawl_system_works(s); k++) {
      integrals[1] += pawl_work_get(s, k).lost ? p.works[k] : 0;
    }
    for (int k = 0; k < laws; k++) {
      w->closed[k] = p.mode[k] == PAWL_LAW_HELD;
    }
  }
  const double *q = x->state == NULL ? p.q : x->state;
  pass_jumps(w, x);
  pawl_eval_in in = {.k = 1,
                     .t = &x->t,
                     .q = q,
                     .u = x->state == NULL ? p.u : q + nq,
                     .multipliers = p.multiplier,
                     .closed = w->closed,
                     .force = x->state == NULL ? p.force : q + nq + nv,
                     .integrals = integrals,
                     .impulse = w->impulse,
                     .no_accelerations = w->traj == NULL};
  pawl_status status = pawl_eval_at(w->eval, &in, &(pawl_eval_out){.plot = w->plot});
  put_point(w, i); /* NaN where there is no motion */
  return status == PAWL_E_MEMORY || status == PAWL_E_ARGUMENT ? status : PAWL_OK;
}

static pawl_status evaluate_all(pawl_figure *f, pawl_traj *traj, const pw_sampling *samples) {
  work w = {.figure = f, .traj = traj};
  f->n = samples->n;
  size_t n = (size_t)f->n + 1;
  f->t = calloc(n, sizeof *f->t);
  f->x = calloc(n * (size_t)f->curves + 1, sizeof *f->x);
  f->y = calloc(n * (size_t)f->curves + 1, sizeof *f->y);
  pawl_status status = f->t == NULL || f->x == NULL || f->y == NULL ? PAWL_E_MEMORY : make_work(&w);
  for (int64_t i = 0; status == PAWL_OK && i < f->n; i++) {
    f->t[i] = samples->items[i].t;
    status = evaluate(&w, &samples->items[i], i);
  }
  free_work(&w);
  return status;
}

/* Whether some curve has a point that a panel can show. */
static bool has_points(const pawl_figure *f) {
  for (int i = 0; i < f->curves; i++) {
    pawl_curve c = pawl_figure_curve(f, i);
    for (int64_t k = 0; k < c.n; k++) {
      if (isfinite(c.xs[k]) && isfinite(c.ys[k])) {
        return true;
      }
    }
  }
  return false;
}

/* A motion belongs to the model if it has the same positions, velocities, laws and ledger. */
static bool belongs(const pawl_system *s, const pawl_traj *traj) {
  pawl_traj_info info = pawl_traj_info_get(traj);
  int nq = pawl_system_positions(s), nv = pawl_system_velocities(s);
  bool same = info.positions == nq && info.velocities == nv && info.laws == pawl_system_laws(s) &&
              info.works == pawl_system_works(s);
  for (int i = 0; same && i < nq + nv; i++) {
    const char *name = i < nq ? pawl_position_name(s, i) : pawl_velocity_name(s, i - nq);
    same = strcmp(pawl_traj_column(traj, 1 + i), name) == 0;
  }
  for (int i = 0; same && i < info.laws; i++) {
    same = strcmp(pawl_traj_law(traj, i), pawl_law_get(s, i).name) == 0;
  }
  return same;
}

static pawl_status look_for_motion(const char *dir, bool *found) {
  pw_buf path = {0};
  pw_buf_printf(&path, "%s/" PW_MOTION_NAME, dir);
  pawl_status status = path.failed ? PAWL_E_MEMORY : PAWL_OK;
  *found = status == PAWL_OK && pw_path_target(path.text, NULL) == PW_PATH_FILE;
  pw_buf_free(&path);
  return status;
}

static pawl_status sample(pawl_figure *f, const char *dir, const pawl_figure_opts *opts,
                          pawl_diags *diags) {
  pawl_traj *traj = NULL;
  pw_sampling samples = {0};
  bool stored;
  pawl_status status = look_for_motion(dir, &stored);
  f->noise = DBL_EPSILON;
  if (status != PAWL_OK) {
    return status;
  }

  /* the instants: from rows alone where an older version stored no motion */
  if (!stored) {
    status = pw_sampling_table(f, dir, opts, diags, &samples);
  } else {
    status = pawl_traj_open(dir, diags, &traj);
    if (status == PAWL_OK && !belongs(f->system, traj)) {
      pw_error(diags, "E0632", PW_NO_SPAN, "the motion in `%s` is not one of its model.pawl", dir);
      status = PAWL_E_FILE;
    }
    if (status == PAWL_OK) {
      f->noise = pawl_traj_info_get(traj).tol;
      status = pw_sampling_read(f, traj, opts, &samples);
    }
  }

  if (status == PAWL_OK && samples.n == 0) {
    pw_error(diags, "E0632", PW_NO_SPAN, "there is nothing of the motion in this span");
    status = PAWL_E_ARGUMENT;
  }
  if (status == PAWL_OK) {
    status = evaluate_all(f, traj, &samples);
  }
  if (status == PAWL_OK && !has_points(f)) {
    pw_error(diags, "E0633", PW_NO_SPAN, "nothing to plot: no expression has a finite value here");
    status = PAWL_E_ARGUMENT;
  }
  pw_sampling_free(&samples);
  pawl_traj_free(traj);
  return status;
}

static bool is_complete(const pawl_figure_opts *o) {
  bool given = o->n_plot >= 0 && (o->n_plot == 0 || o->plots != NULL);
  for (int i = 0; given && i < o->n_plot; i++) {
    given = o->plots[i] != NULL;
  }
  return given && (!o->use_span || o->from < o->to);
}

pawl_status pawl_figure_new(const char *dir, const pawl_figure_opts *opts, pawl_diags *diags,
                            pawl_figure **out) {
  const pawl_figure_opts none = {0}, *use = opts == NULL ? &none : opts;
  if (out != NULL) {
    *out = NULL;
  }
  if (dir == NULL || out == NULL || !is_complete(use)) {
    return PAWL_E_ARGUMENT;
  }
  pawl_figure *f = calloc(1, sizeof *f);
  pawl_status status = f == NULL ? PAWL_E_MEMORY : pw_figure_load(f, dir, use, diags);
  if (status == PAWL_OK) {
    status = sample(f, dir, use, diags);
  }
  if (status != PAWL_OK) {
    pawl_figure_free(f);
    return status;
  }
  *out = f;
  return PAWL_OK;
}

void pawl_figure_free(pawl_figure *f) {
  if (f == NULL) {
    return;
  }
  pawl_system_free(f->system);
  free(f->t);
  free(f->x);
  free(f->y);
  free(f->marks);
  free(f->jumps);
  free(f);
}

int pawl_figure_curves(const pawl_figure *f) {
  return f == NULL ? 0 : f->curves;
}

pawl_curve pawl_figure_curve(const pawl_figure *f, int i) {
  if (f == NULL || i < 0 || i >= f->curves) {
    return (pawl_curve){0};
  }
  int n = pawl_system_plots(f->system);
  pawl_plot_info plot = pawl_plot_get(f->system, n - f->curves + i);
  int first = pawl_plot_get(f->system, n - f->curves).statement;
  return (pawl_curve){.y = plot.y,
                      .x = plot.x,
                      .y_unit = plot.y_unit,
                      .x_unit = plot.x_unit,
                      .panel = plot.statement - first,
                      .n = f->n,
                      .ts = f->t,
                      .xs = f->x + i * f->n,
                      .ys = f->y + i * f->n};
}
