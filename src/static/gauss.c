// SPDX-License-Identifier: MIT
#include "static/gauss.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_static.h"
#include "law/scale_verify.h"
#include "linalg/dense.h"
#include "mech/handle.h"
#include "mech/start_check.h"

static const size_t max_memory = (size_t)4 << 30;
enum { DEFAULT_VARIATIONS = 200, MAX_LOAD_PASSES = 60 };

/* ---- the state ---- */

void pw_static_turn(const pawl_gauss *g, int direction, double *v) {
  const pw_model *m = g->sys->model;
  for (int k = 0; k < m->coords.n; k++) {
    const pw_coord *x = &m->coords.items[k];
    if (x->is_rotation) {
      const double *q = g->q + x->q;
      double p[4] = {q[0], -direction * q[1], -direction * q[2], -direction * q[3]}, w[3];
      memcpy(w, v + x->u, sizeof w);
      pw_mech_into_body(p, w, v + x->u);
    }
  }
}

static pawl_status load(pawl_gauss *g, const pawl_gauss_opts *opts) {
  const pw_system *s = g->sys;
  const pw_start *start = &g->system->start;
  bool given = opts->use_state != 0;
  const double *q = given ? opts->q : start->q, *shown = given ? opts->u : g->system->u_shown;
  g->t = given ? opts->t : start->t;
  g->q = PW_TAKE(&g->arena, s->nq + 1, double);
  g->u = PW_TAKE(&g->arena, s->nv + 1, double);
  g->u_shown = PW_TAKE(&g->arena, s->nv + 1, double);
  g->side = PW_TAKE(&g->arena, s->n_switch + 1, double);
  memcpy(g->q, start->q, (size_t)s->nq * sizeof *q); /* multipliers as stated */
  memcpy(g->q, q, (size_t)s->model->nq * sizeof *q);
  for (int k = 0; given && opts->force != NULL && k < s->n_state; k++) {
    g->q[s->model->nq + k] = opts->force[s->row_of[s->state_row[k]]];
  }
  memcpy(g->u_shown, shown, (size_t)s->nv * sizeof *shown);
  memcpy(g->u, given ? shown : start->u, (size_t)s->nv * sizeof *shown);
  if (given) {
    pw_static_turn(g, -1, g->u);
  }
  double run = s->model->run.given ? s->model->run.to - s->model->run.from : 1;
  g->span = opts->span > 0 ? opts->span : run;
  double *scratch = PW_TAKE(&g->arena, 3 * s->n_sides + 1, double);
  pawl_status status = pw_start_sides(g->mech, g->t, g->q, g->u, g->side, scratch);
  for (int i = 0; i < s->n_switch && g->forced != NULL; i++) {
    g->side[i] = g->forced[i] != 0 ? g->forced[i] : g->side[i];
  }
  return status;
}

/* Least gap of the contacts that are no faces. */
static double deepest_gap(const pawl_gauss *g, double *gap) {
  const pw_system *s = g->sys;
  double least = INFINITY;
  pw_mech_gaps(g->mech, g->t, g->q, g->u, g->side, gap);
  for (int i = 0; i < s->ni; i++) {
    bool contact = pw_law_is_wall(&s->law[i]) && !s->law[i].on_velocity && s->law[i].face < 0;
    least = contact ? fmin(least, gap[i]) : least;
  }
  return least;
}

/* A body at a face lies on its surface up to rounding: it is in the piece where no gap is negative,
 * engineering (E8). */
static void choose_faces(pawl_gauss *g) {
  const pw_system *s = g->sys;
  double *gap = PW_TAKE(&g->arena, s->ni + 1, double);
  double *sides = PW_TAKE(&g->arena, s->n_sides + 1, double);
  for (int i = 0; i < s->ni; i++) {
    int k = s->law[i].face;
    double here = k < 0 ? 0 : deepest_gap(g, gap);
    if (here >= 0) {
      continue;
    }
    pw_mech_all_sides(g->mech, g->t, g->q, g->u, g->side, sides);
    double now = g->side[k], jump, there;
    g->side[k] = pw_surface_next(s, k, sides, now);
    there = deepest_gap(g, gap);
    jump = fabs(there - here);
    bool near = fabs(sides[k]) <= PW_SCALE(CERT_FACE);
    bool other = near && here < -PW_SCALE(CERT_FACE) * jump && there >= -PW_SCALE(CERT_FACE) * jump;
    g->side[k] = other ? g->side[k] : now;
  }
}

static pawl_status look(pawl_gauss *g, const pawl_gauss_opts *opts) {
  double *memory = PW_TAKE(&g->arena, pw_frame_doubles(g->sys), double);
  pw_mech_close(g->mech, NULL);
  g->mech->lenient = true;
  pawl_status status = load(g, opts);
  if (status == PAWL_OK) {
    choose_faces(g);
    g->corner = pw_static_corners(g);
    status = pw_mech_rates_decide(g->mech, g->t, g->q, g->u, g->side);
  }
  if (status == PAWL_OK) {
    status = pw_mech_frame(g->mech, g->t, g->q, g->u, g->side, memory, &g->f);
  }
  if (status == PAWL_OK) {
    g->speed = fmax(opts->speed, pw_norm2(g->f.c_velocity, g->f.n));
    g->scale = g->speed / g->span; /* less than a part of it changes nothing in the motion */
  }
  return status;
}

/* ---- making ---- */

/* The solution that the motion continues with: only its history decides, for example, whether a
 * body that may stick does stick. */
static void prefer(pawl_gauss *g, const double *force) {
  pw_static_side *right = &g->when[PAWL_RIGHT];
  int best = 0;
  double least = INFINITY;
  for (int k = 0; k < right->count && force != NULL; k++) {
    double far = 0;
    for (int i = 0; i < g->sys->model->rows.n; i++) {
      far += fabs(pawl_gauss_force_get(g, PAWL_RIGHT, k, i).force - force[i]);
    }
    best = far < least ? k : best;
    least = fmin(far, least);
  }
  pw_static_solution first = right->item[best];
  for (; best > 0; best--) {
    right->item[best] = right->item[best - 1];
  }
  right->item[0] = first;
}

/* Motions that begin here. Forces that bound frictions belong to the first of them: found again
 * until they do. */
static pawl_status list_right(pawl_gauss *g, pawl_diags *diags) {
  pw_static_side *right = &g->when[PAWL_RIGHT];
  int pass = 0;
  do {
    if (!pw_static_rows(g, diags)) {
      return PAWL_E_START;
    }
    *right = (pw_static_side){.row = -1};
    g->when[PAWL_LEFT] = (pw_static_side){.why = PAWL_GAUSS_NOT_WANTED, .row = -1};
    pw_static_list(g, PAWL_RIGHT);
  } while (right->count > 0 && pw_mech_take_loads(g->mech, right->item[0].lambda, 1) &&
           ++pass < MAX_LOAD_PASSES);
  return PAWL_OK;
}

static pawl_status make(pawl_gauss *g, const pawl_gauss_opts *opts, pawl_diags *diags) {
  g->c0 = PW_TAKE(&g->arena, g->sys->nv + 1, double);
  g->row = PW_TAKE(&g->arena, g->sys->nr + 1, pw_static_row);
  pawl_status status = g->mech == NULL ? pw_mech_new(g->sys, &g->mech) : PAWL_OK;
  if (status != PAWL_OK) {
    return status;
  }

  /* The frame at this state: metric, rows, and the sides of surfaces. */
  status = look(g, opts);
  if (status != PAWL_OK) {
    pw_mech_report(g->mech, &g->mech->fault, g->t, !opts->use_state, diags);
    return status;
  }

  /* Accelerations to the right; where pieces of a maximum meet, another may be on top. */
  status =
      opts->use_state ? PAWL_OK : pw_start_multipliers(g->mech, g->t, g->q, g->u, g->side, diags);
  if (status == PAWL_OK) {
    status = list_right(g, diags);
  }
  if (status != PAWL_OK) {
    return status;
  }
  if (pw_static_turn_top(g)) {
    return make(g, opts, diags);
  }

  /* The solution that history prefers comes first; then accelerations before the instant, if
   * requested. */
  prefer(g, opts->force);
  if (opts->past) {
    pw_static_list(g, PAWL_LEFT);
  }

  /* The sets of each row and their ranks, the cones that forces leave, dissipation and V. */
  pw_static_sets(g);
  pw_static_sizes(g, g->size);
  g->along = pw_static_along(g);
  pw_static_cones(g);
  g->dissipation = pw_static_dissipations(g);
  g->V = pw_static_potential(g);

  /* A trial against the principles, then the worst of random variations of the solutions. */
  if (opts->trial != NULL) {
    pw_static_try(g, opts->trial);
  }
  pw_static_principles(g, opts->variations > 0 ? opts->variations : DEFAULT_VARIATIONS, opts->seed,
                       g->principle);
  return PAWL_OK;
}

static bool finite_or_none(const double *x, int n) {
  return x == NULL || pw_all_finite(x, n);
}

static bool well_given(const pawl_system *system, const pawl_gauss_opts *opts) {
  bool own = finite_or_none(opts->trial, system->sys->nv) &&
             (opts->u_before == NULL ||
              (opts->use_state && pw_all_finite(opts->u_before, system->sys->nv)));
  return own && (!opts->use_state || (opts->q != NULL && opts->u != NULL && isfinite(opts->t) &&
                                      pw_all_finite(opts->q, system->model->nq) &&
                                      pw_all_finite(opts->u, system->sys->nv)));
}

/* The past of an impact at this instant is that of the velocities before it. */
static pawl_status look_back(pawl_gauss *g, const pawl_gauss_opts *opts, pawl_diags *diags) {
  if (opts->u_before == NULL) {
    return PAWL_OK;
  }
  pawl_gauss_opts before = *opts;
  before.u = opts->u_before;
  before.past = 1;
  before.u_before = before.trial = before.force = NULL;
  pawl_status status = pawl_gauss_new(g->system, &before, diags, &g->left);
  if (status == PAWL_OK && opts->past) {
    g->when[PAWL_LEFT] = g->left->when[PAWL_LEFT];
  }
  return status;
}

/* Allocations that fail jump here. */
static pawl_status guard(pawl_gauss *g, const pawl_gauss_opts *opts, pawl_diags *diags) {
  jmp_buf failed;
  g->arena.on_fail = &failed;
  pawl_status status;
  if (setjmp(failed) == 0) {
    status = make(g, opts, diags);
  } else {
    status = g->arena.failure;
  }
  g->arena.on_fail = NULL;
  pw_mech_free(g->mech);
  g->mech = NULL;
  return status;
}

pawl_status pawl_gauss_new(const pawl_system *system, const pawl_gauss_opts *opts,
                           pawl_diags *diags, pawl_gauss **out) {
  if (out != NULL) {
    *out = NULL;
  }

  /* Refuse a state that is not finite or not whole, and pairs of shapes found in steps only. */
  if (system == NULL || out == NULL) {
    return PAWL_E_ARGUMENT;
  }
  if (system->sys == NULL) {
    return PAWL_E_UNSUPPORTED;
  }
  const pawl_gauss_opts none = {0};
  const pawl_gauss_opts *use = opts == NULL ? &none : opts;
  if (!well_given(system, use) || pw_system_needs_start(system, diags) != PAWL_OK ||
      pw_system_needs_pairs(system, "`gauss`", diags) != PAWL_OK) {
    return PAWL_E_ARGUMENT;
  }

  /* Both sides of the instant; an impact has the past of the velocities before it. */
  pawl_gauss *g = calloc(1, sizeof *g);
  if (g == NULL) {
    return PAWL_E_MEMORY;
  }
  g->system = pw_system_keep(system);
  g->sys = system->sys;
  pw_arena_init(&g->arena, max_memory);
  pw_diags_use_sources(diags, &system->sources);
  pawl_status status = guard(g, use, diags);
  status = status == PAWL_OK ? look_back(g, use, diags) : status;
  pw_diags_use_sources(diags, NULL);

  /* After a failure the caller has no object. */
  if (status != PAWL_OK) {
    pawl_gauss_free(g);
    return status;
  }
  *out = g;
  return PAWL_OK;
}

void pawl_gauss_free(pawl_gauss *g) {
  if (g != NULL) {
    pawl_gauss_free(g->left);
    pw_mech_free(g->mech);
    pw_arena_free(&g->arena);
    pw_system_drop(g->system);
    free(g);
  }
}

/* ---- results ---- */

static const pw_static_solution *item(const pawl_gauss *g, pawl_when when, int solution) {
  if (g == NULL) {
    return NULL;
  }
  const pw_static_side *side = &g->when[when == PAWL_LEFT ? PAWL_LEFT : PAWL_RIGHT];
  return solution >= 0 && solution < side->count ? &side->item[solution] : NULL;
}

pawl_gauss_info pawl_gauss_get(const pawl_gauss *g, pawl_when when) {
  if (g == NULL) {
    return (pawl_gauss_info){.why = PAWL_GAUSS_NOT_WANTED, .law = -1};
  }
  const pw_static_side *side = &g->when[when == PAWL_LEFT ? PAWL_LEFT : PAWL_RIGHT];
  return (pawl_gauss_info){.count = side->count,
                           .complete = side->complete,
                           .why = side->why,
                           .law =
                               side->count == 0 && side->row >= 0 ? g->sys->row_of[side->row] : -1};
}

const double *pawl_gauss_accelerations(const pawl_gauss *g, pawl_when when, int solution) {
  const pw_static_solution *x = item(g, when, solution);
  return x == NULL ? NULL : x->a;
}

double pawl_gauss_measure(const pawl_gauss *g, pawl_when when, int solution) {
  const pw_static_solution *x = item(g, when, solution);
  return x == NULL ? NAN : x->measure;
}

pawl_gauss_force pawl_gauss_force_get(const pawl_gauss *g, pawl_when when, int solution, int law) {
  const pw_static_solution *x = item(g, when, solution);
  pawl_gauss_force sum = {.unique = 1};
  if (x == NULL || law < 0 || law >= g->sys->model->rows.n) {
    return (pawl_gauss_force){NAN, NAN, NAN, 0, 0};
  }
  for (int k = 0; k < g->sys->n_state; k++) {
    if (g->sys->row_of[g->sys->state_row[k]] == law) { /* part of the state, whatever the motion */
      double lambda = g->q[g->sys->model->nq + k];
      return (pawl_gauss_force){lambda, lambda, lambda, 1, 0};
    }
  }
  for (int i = 0; i < g->sys->nr; i++) {
    if (g->sys->row_of[i] == law) {
      const pw_law_form *form = &g->sys->row[i];
      double sense = g->row[i].sense;
      bool turned = sense * form->unit < 0;
      double width = (x->largest[i] - x->least[i]) * g->f.length[i];
      sum.force += sense * pw_law_force(form, x->lambda[i]);
      sum.least += sense * pw_law_force(form, turned ? x->largest[i] : x->least[i]);
      sum.largest += sense * pw_law_force(form, turned ? x->least[i] : x->largest[i]);
      sum.unique = sum.unique && width <= PW_SCALE(SAME_MOTION) * g->scale;
    }
  }
  sum.outer = x->outer && !sum.unique;
  if (sum.unique) {
    sum.least = sum.largest = sum.force;
  }
  sum.force = sum.force == 0 ? 0 : sum.force; /* no -0 */
  return sum;
}

double pawl_gauss_principle(const pawl_gauss *g, pawl_level level) {
  return g == NULL || (int)level < 0 || (int)level >= PW_LEVELS ? NAN : g->principle[level];
}

const double *pawl_gauss_before(const pawl_gauss *g) {
  return g == NULL || g->left == NULL ? NULL : g->left->u_shown;
}

double pawl_gauss_time(const pawl_gauss *g) {
  return g == NULL ? NAN : g->t;
}

const double *pawl_gauss_positions(const pawl_gauss *g) {
  return g == NULL ? NULL : g->q;
}

const double *pawl_gauss_velocities(const pawl_gauss *g) {
  return g == NULL ? NULL : g->u_shown;
}
