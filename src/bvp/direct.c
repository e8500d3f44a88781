// SPDX-License-Identifier: MIT
#include "bvp/direct.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/real.h"
#include "bvp/collocate.h"
#include "law/scale_bvp.h"
#include "linalg/dense.h"

enum {
  FIRST = 4,         /* elements of the coarsest division, about */
  MOST_HALVINGS = 6, /* of them */
  OF_LINE = 2,       /* halvings for motions from a straight line */
  PATIENCE = 6       /* iterations from there that need not contract */
};

typedef struct plan { /* how time is divided, and the degree of the polynomials */
  int mesh, halvings, degree;
} plan;

/* ---- memory ---- */

/* Elements by the lengths of the flights, a few in all, which are then halved. */
static void divide(pw_whole *w, const plan *by) {
  double span = w->x->to - w->x->from;
  w->first[0] = 0;
  for (int f = 0; f <= w->path->joints; f++) {
    double share = (w->edge[f + 1] - w->edge[f]) / span - PW_SCALE(BVP_NO_TIME);
    int part = (int)ceil(by->mesh * share);
    w->first[f + 1] = w->first[f] + ((part > 1 ? part : 1) << by->halvings);
  }
  w->elements = w->first[w->path->joints + 1];
}

static void lay_out(pw_whole *w, pw_layout *l) {
  const pw_system *s = w->x->sys;
  size_t n = (size_t)w->n, columns = (size_t)w->p + 1, e = (size_t)w->elements;
  size_t conds = (size_t)(3 * s->nr + s->n_switch + w->x->m) + 1;
  w->y = PW_LAY(l, e * n, double);
  w->rate = PW_LAY(l, e * (size_t)w->ritz.points * n, double);
  w->Z = PW_LAY(l, e * n * columns, double);
  w->now = PW_LAY(l, n * columns, double);
  w->next = PW_LAY(l, n * columns, double);
  w->unit = PW_LAY(l, columns, double);
  w->scale = PW_LAY(l, n, double);
  w->r = PW_LAY(l, w->rows, double);
  w->step = PW_LAY(l, columns, double);
  w->end = PW_LAY(l, n, double);
  w->by = PW_LAY(l, n * (n + 2), double);
  w->trial = PW_LAY(l, n, double);
  w->up = PW_LAY(l, n, double);
  w->down = PW_LAY(l, n, double);
  w->cond = PW_LAY(l, 2 * conds, double);
  pw_joiner_lay_out(&w->join, s, w->path->joints + 1, l);
  pw_ritz_lay_out(&w->ritz, w->n, l);
  double *real = PW_LAY(l, pw_qr_doubles(w->rows, w->p), double);
  int *whole = PW_LAY(l, pw_qr_ints(w->rows, w->p), int);
  if (l->memory != NULL) {
    pw_qr_init(&w->qr, w->rows, w->p, real, whole);
  }
}

static const char no_memory[] = "there is not enough memory";

/* ---- one division ---- */

/* Takes start velocity and instants, in parts of their scales, from nv + joints numbers. Where a
 * contact is reached without impact the trial gives the instant only to the third root of its
 * error, which is too inaccurate. */
static void subtract_answer(const pw_whole *w, double *out) {
  const pw_system *s = w->x->sys;
  for (int i = 0; i < s->nv; i++) {
    out[i] -= w->y[s->nq + i] / w->scale[s->nq + i];
  }
  for (int k = 0; k < w->path->joints; k++) {
    out[s->nv + k] -= pw_joiner_lands(&w->join, k) ? 0 : w->edge[k + 1] / w->join.time;
  }
}

/* The start of the solution as unknowns, how large velocities are, when it lands. */
static bool give_answer(const pw_whole *w, double *answer) {
  const pw_shoot *x = w->x;
  const pw_system *s = x->sys;
  bool ok = pw_shoot_unknowns(x, w->y + s->nq, answer);
  for (int k = x->n_u; k < x->d; k++) {
    int state = x->state[k - x->n_u];
    answer[k] = w->y[s->model->nq + state] / x->unit[state];
  }
  pw_copy(answer + x->d, w->scale + s->nq, s->nv);
  answer[x->d + s->nv] = NAN;
  for (int k = 0; k < w->path->joints; k++) {
    if (pw_joiner_lands(&w->join, k)) {
      answer[x->d + s->nv] = w->edge[k + 1];
    }
  }
  return ok;
}

/* off: by how much the trial differs from the solution. NULL, or why there is none. */
static const char *solve(pw_whole *w, const double *s, double *off, double *answer) {
  memcpy(w->edge + 1, w->path->times, (size_t)w->path->joints * sizeof *w->edge);
  if (!pw_whole_guess(w, s)) {
    return "it could not be followed";
  }
  pw_zero(off, w->x->sys->nv + w->path->joints);
  subtract_answer(w, off);
  for (int i = 0; i < w->x->sys->nv + w->path->joints; i++) {
    off[i] = -off[i];
  }
  if (!pw_whole_jumps(w)) {
    return "an impact that is not Newton's law of the contacts that are hit";
  }
  if (!pw_whole_solve(w, 0)) {
    return "the equations could not be solved";
  }
  subtract_answer(w, off);
  return answer == NULL || give_answer(w, answer) ? NULL : no_memory;
}

/* From the straight line: at once, or for longer and longer times, for the shortest of which it is
 * nearly a motion. */
static const char *solve_line(pw_whole *w, const double *s, double *off, double *answer) {
  static const int steps[] = {1, 6};
  double from = w->edge[0], time = w->edge[1] - from;
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    for (int k = 0; k < w->x->d; k++) {
      off[k] = steps[i] * s[k];
    }
    w->edge[1] = from + time / steps[i];
    bool ok = pw_whole_line(w, off);
    for (int k = 1; ok && k <= steps[i]; k++) {
      pw_whole_stretch(w, from + time * k / steps[i]);
      ok = pw_whole_solve(w, k == 1 ? PATIENCE : 1);
    }
    if (ok) {
      return give_answer(w, answer) ? NULL : no_memory;
    }
  }
  return "the equations could not be solved";
}

typedef const char *(*solver)(pw_whole *w, const double *s, double *off, double *answer);

static const char *with_memory(pw_whole *w, solver by, const double *s, double *off,
                               double *answer) {
  pw_layout l = {0};
  lay_out(w, &l);
  void *memory = calloc(1, l.size);
  if (memory == NULL) {
    return no_memory;
  }
  l = pw_layout_in(memory);
  lay_out(w, &l);
  w->ritz.rate = pw_whole_rate;
  w->ritz.owner = w;
  w->ritz.scale = w->scale;
  w->ritz.time_scale = w->join.time = w->x->to - w->x->from;
  w->join.path = w->path;
  w->join.from = w->edge;
  const char *why = by(w, s, off, answer);
  free(memory);
  return why;
}

static const char *with_elements(pw_shoot *x, solver by, const double *s, const pw_path *path,
                                 const plan *how, double *off, double *answer,
                                 pawl_bvp_direct *to) {
  int first[PW_MAX_JOINTS + 2];
  double edge[PW_MAX_JOINTS + 2];
  pw_whole w = {.x = x, .path = path, .n = x->sys->nq + x->sys->nv, .first = first, .edge = edge};

  /* Flights lie between neighbouring edges: the start, the instants, the end. */
  memcpy(edge + 1, path->times, (size_t)path->joints * sizeof *edge);
  edge[0] = x->from;
  edge[path->joints + 1] = x->to;
  w.ritz.points = how->degree;
  divide(&w, how);

  /* Unknowns outside the elements: velocities and multipliers at the start, times of instants. */
  w.p = x->sys->nv + x->d - x->n_u + path->joints;
  w.join.sys = x->sys;
  w.join.path = path;

  /* Equations outside the elements: at the start, at the end, and at each instant between. */
  w.rows = x->sys->nr + x->m;
  for (int k = 0; k < path->joints; k++) {
    w.rows += pw_joiner_count(&w.join, k);
  }

  /* Each element costs a dense factorisation of size degree n. */
  if (w.elements * pow(how->degree * w.n, 3) > PW_SCALE(BVP_DIRECT_WORK)) {
    return "it is too large";
  }
  if (pw_mech_new(x->sys, &w.join.mech) != PAWL_OK) {
    x->tally->no_memory = true;
    return no_memory;
  }

  /* The answer, with data about the discretisation. */
  const char *why = with_memory(&w, by, s, off, answer);
  x->tally->no_memory = x->tally->no_memory || why == no_memory;
  to->action = w.action;
  to->elements = w.elements;
  pw_mech_free(w.join.mech);
  return why;
}

/* ---- refinement ---- */

static double apart(const double *a, const double *b, int n) {
  double far = 0;
  for (int i = 0; i < n; i++) {
    far = pw_max(far, fabs(a[i] - b[i]));
  }
  return far;
}

/* Halves the elements until the answer stays, to rounding or as well as it ever will. */
static void refine(pw_shoot *x, const double *s, const pw_path *path, int degree, double *work,
                   pawl_bvp_direct *out, double *answer) {
  int n = x->sys->nv + path->joints;
  double *none = work, *now = none + n, *last = now + n, before = INFINITY;
  bool again = true, any = false;
  for (int k = 0; again && k <= MOST_HALVINGS && !x->tally->stopped; k++) {
    pawl_bvp_direct try = *out;
    plan how = {FIRST, k, degree};
    try.why = with_elements(x, solve, s, path, &how, now, answer, &try);
    if (try.why != NULL) {
      out->why = any ? out->why : try.why;
      continue;
    }
    try.error = any ? apart(now, last, n) : INFINITY;
    try.defect = apart(now, none, n);
    bool slow = try.error > PW_SCALE(BVP_DIRECT_GAIN) * before;
    bool rounding = try.error < PW_SCALE(BVP_DIRECT_SMALL) && slow;
    again = try.error > PW_SCALE(BVP_DIRECT_STAYS) && !rounding;
    before = try.error;
    any = true;
    *out = try;
    memcpy(last, now, (size_t)n * sizeof *last);
  }
  out->solved = any && out->error <= PW_SCALE(BVP_AGREEMENT);
  out->why = out->solved ? "" : any ? "the elements cannot be made small enough" : out->why;
  out->agrees = out->solved && out->defect <= PW_SCALE(BVP_AGREEMENT);
}

static void solve_fixed(pw_shoot *x, const double *s, const pw_path *path, int halvings,
                        double *work, pawl_bvp_direct *out) {
  int n = x->sys->nv + path->joints;
  plan how = {FIRST, halvings, PW_RITZ_POINTS};
  out->why = with_elements(x, solve, s, path, &how, work + n, NULL, out);
  out->solved = out->why == NULL;
  out->why = out->solved ? "" : out->why;
  out->error = NAN;
  out->defect = out->solved ? apart(work, work + n, n) : NAN;
}

pawl_status pw_direct(pw_shoot *x, const double *s, int halvings, pawl_bvp_direct *out,
                      double *answer) {
  pw_path path;
  *out = (pawl_bvp_direct){.order = 2 * PW_RITZ_POINTS, .error = NAN, .defect = NAN, .action = NAN};
  if (!pw_path_record(x, s, &path)) {
    return PAWL_E_MEMORY;
  }
  double *work = calloc(3 * ((size_t)x->sys->nv + PW_MAX_JOINTS), sizeof *work);
  out->why = path.why;
  if (work != NULL && path.why == NULL && halvings >= 0) {
    solve_fixed(x, s, &path, halvings, work, out);
  } else if (work != NULL && path.why == NULL) {
    refine(x, s, &path, PW_RITZ_POINTS, work, out, answer);
  }
  if (!out->solved) {
    out->elements = 0;
    out->error = out->defect = out->action = NAN;
  }
  free(work);
  pw_path_free(&path);
  return work == NULL ? PAWL_E_MEMORY : PAWL_OK;
}

/* ---- steered ---- */

/* One level of a table: elements of the mesh, halved k times. work: as that of refine, with the
 * solution that counts as exact in its last part. */
static void solve_level(pw_shoot *x, const double *s, const pw_path *path, const plan *how,
                        double *work, pawl_bvp_level *out) {
  int n = x->sys->nv + path->joints;
  pawl_bvp_direct d = {.elements = 0};
  const char *why = with_elements(x, solve, s, path, how, work + n, NULL, &d);
  *out = (pawl_bvp_level){.solved = why == NULL,
                          .why = why == NULL ? "" : why,
                          .elements = d.elements,
                          .degree = how->degree,
                          .action = why == NULL ? d.action : NAN,
                          .error = why == NULL ? apart(work + n, work + 2 * n, n) : NAN,
                          .order = NAN};
}

/* Levels of a table, theory (87) with other s and h: at most PW_LEVELS, until errors are rounding.
 */
static int solve_levels(pw_shoot *x, const double *s, const pw_path *path, double *work,
                        pawl_bvp_level *out) {
  const pawl_bvp_opts *o = x->opts;
  plan how = {o->mesh > 0 ? o->mesh : 1, 0, o->degree > 0 ? o->degree : PW_RITZ_POINTS};
  int most = o->converge ? PW_LEVELS : 1, n = 0;
  for (bool again = true; again && n < most && !x->tally->stopped; n++) {
    how.halvings = n;
    solve_level(x, s, path, &how, work, &out[n]);
    if (n > 0 && out[n - 1].error > 0 && out[n].error > 0) {
      out[n].order =
          log(out[n - 1].error / out[n].error) / log((double)out[n].elements / out[n - 1].elements);
    }
    again = !(out[n].error <= PW_SCALE(BVP_DIRECT_STAYS));
  }
  return n;
}

pawl_status pw_direct_levels(pw_shoot *x, const double *s, pawl_bvp_level *out, int *n) {
  const pawl_bvp_opts *o = x->opts;
  pw_path path;
  *n = 0;
  if (o->mesh == 0 && o->degree == 0 && !o->converge) {
    return PAWL_OK;
  }
  if (!pw_path_record(x, s, &path)) {
    return PAWL_E_MEMORY;
  }
  double *work = calloc(3 * ((size_t)x->sys->nv + PW_MAX_JOINTS), sizeof *work);
  if (work != NULL && path.why == NULL) {
    pawl_bvp_direct exact = {.order = 2 * PW_RITZ_POINTS};
    refine(x, s, &path, PW_RITZ_POINTS, work, &exact, NULL);
    *n = exact.solved ? solve_levels(x, s, &path, work, out) : 0;
  }
  free(work);
  pw_path_free(&path);
  return work == NULL ? PAWL_E_MEMORY : PAWL_OK;
}

bool pw_direct_line(pw_shoot *x, const double *s, double *answer, bool *solved) {
  pw_path path;
  pawl_bvp_direct unused;
  *solved = false;
  if (!pw_path_begin(x, s, &path)) {
    return false;
  }
  double *off = calloc((size_t)x->d + 1, sizeof *off);
  if (off != NULL && path.why == NULL) {
    plan how = {FIRST, OF_LINE, PW_RITZ_POINTS};
    *solved = with_elements(x, solve_line, s, &path, &how, off, answer, &unused) == NULL;
  }
  free(off);
  pw_path_free(&path);
  return off != NULL;
}
