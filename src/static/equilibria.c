// SPDX-License-Identifier: MIT
#include "static/equilibria.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/pi.h"
#include "law/scale_static.h"
#include "mech/handle.h"

static const size_t max_memory = (size_t)2 << 30;
enum { MOST_STARTS = 160, FEWEST = 2, DESCENT = 60 };
static const double enough = 1e9; /* operations */

/* ---- the list ---- */

static pw_rest blank(pawl_equilibria *e) {
  const pw_system *s = e->sys;
  return (pw_rest){.q = PW_TAKE(&e->arena, s->nq + 1, double),
                   .u = PW_TAKE(&e->arena, s->nv + 1, double),
                   .lambda = PW_TAKE(&e->arena, s->nr + 1, double),
                   .range = PW_TAKE(&e->arena, s->nq + 1, pawl_interval)};
}

/* Angles that come round in -pi .. pi, rounding of zeros removed. */
static void tidy(pawl_equilibria *e, pw_rest *x) {
  const pw_model *m = e->sys->model;
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    if (k->is_rotation) {
      continue;
    }
    double *q = &x->q[k->q];
    if (e->periodic[k->u]) {
      *q = remainder(*q, 2 * PW_PI);
      *q = *q <= -PW_PI + PW_SCALE(ANGLE_END) ? *q + 2 * PW_PI : *q;
    }
    *q = fabs(*q) < PW_SCALE(SHOWN_ZERO) * e->scale[k->u] ? 0 : *q;
  }
}

static bool moves(const pawl_equilibria *e, const double *u) {
  for (int k = 0; k < e->n_cyclic; k++) {
    int j = e->cyclics[k];
    if (fabs(u[j]) * e->rest.L[(size_t)j * (size_t)(e->sys->nv + 1)] >
        PW_SCALE(STEADY) * e->rest.speed) {
      return true;
    }
  }
  return false;
}

/* Of an angle that comes round but for its walls, the turn nearest to the start that balances. */
static void unwind(pawl_equilibria *e, pw_balance *b, pw_spot found) {
  const pw_system *s = e->sys;
  for (int j = 0; j < s->nv; j++) {
    int at = pw_still_position(s, j);
    double turns = e->winds[j] ? rint((e->still->q[at] - e->system->start.q[at]) / (2 * PW_PI)) : 0;
    for (bool tried = false; turns != 0 && !tried; turns -= copysign(1, turns)) {
      pw_spot_copy(s, found, pw_balance_spot(b));
      e->still->q[at] -= 2 * PW_PI * turns;
      tried = pw_balance_solve(b, (pw_balance_task){.stay = true});
      if (!tried) {
        pw_spot_copy(s, pw_balance_spot(b), found);
      }
    }
  }
}

static void add(pawl_equilibria *e, pw_balance *b) {
  pw_rest x = blank(e);
  x.steady = moves(e, e->still->u); /* with the masses where the search began */
  unwind(e, b, (pw_spot){x.q, x.u, x.lambda});
  pw_spot_copy(e->sys, (pw_spot){x.q, x.u, x.lambda}, pw_balance_spot(b));
  tidy(e, &x);
  for (int k = 0; k < e->count; k++) {
    if (pw_rest_joined(e, b, &e->item[k], &x)) {
      return;
    }
  }
  if (e->count == PW_MOST_RESTS) {
    e->overflow = true;
    return;
  }
  pw_rest_ranges(e, b, &x);
  for (int k = 0; k < e->count; k++) { /* an older one may lie in this set */
    if (x.is_set && pw_rest_joined(e, b, &x, &e->item[k])) {
      return;
    }
  }
  x.stable = pw_rest_stability(e, b, &x);
  e->item[e->count++] = x;
}

/* ---- the search ---- */

/* Initial forces: none, or values for which some contacts appear closed. */
static void guess(pawl_equilibria *e, int k) {
  const pw_system *s = e->sys;
  for (int i = 0; i < s->nr; i++) {
    bool closed = pw_law_is_wall(&s->row[i]) && (k >> 1 >> (i - s->nc) % 8 & 1);
    e->rest.lambda[i] = closed ? 4 * e->rest.force / fmax(e->rest.len[i], DBL_MIN) : 0;
  }
}

/* Start number k, without velocities and forces. */
static void begin(pawl_equilibria *e, pw_balance *b, int k) {
  pw_rest_start(e, k, e->still->q);
  memset(e->still->u, 0, (size_t)e->sys->nv * sizeof(double));
  memset(b->lambda, 0, (size_t)e->sys->nr * sizeof(double));
}

/* With contacts the flow leads to them; without friction first, so that a set shows the point where
 * it needs none. */
static void try_start(pawl_equilibria *e, int k, int variant) {
  pw_balance *b = &e->rest;
  begin(e, b, k);
  if (!pw_balance_metric(b)) {
    return;
  }
  if (variant < 2) {
    guess(e, k);
  } else {
    pw_balance_descend(b, &e->arena, DESCENT);
  }
  if (pw_balance_solve(b, (pw_balance_task){.smooth = variant % 2 == 0})) {
    add(e, b);
  }
}

/* Rates as at the start of the model; `free`: they may change. */
static bool try_steady(pawl_equilibria *e, int k, bool free, bool closed) {
  pw_balance *b = free ? &e->steady : &e->rest;
  int before = e->count;
  begin(e, b, k);
  for (int i = 0; i < e->n_cyclic; i++) {
    e->still->u[e->cyclics[i]] = e->system->start.u[e->cyclics[i]];
  }
  if (!pw_balance_metric(b)) {
    return false;
  }
  if (closed) {
    guess(e, k);
  }
  if (pw_balance_solve(b, (pw_balance_task){0}) && moves(e, e->still->u)) {
    if (free) {
      memcpy(e->rest.lambda, b->lambda, (size_t)e->sys->nr * sizeof(double));
    }
    add(e, &e->rest);
  }
  return e->count > before;
}

/* Does a steady motion belong to a family with other rates? */
static bool is_family(pawl_equilibria *e, const pw_rest *x) {
  pw_balance *b = &e->steady;
  int nv = e->sys->nv;
  pw_spot_copy(e->sys, pw_balance_spot(b), (pw_spot){x->q, x->u, x->lambda});
  double unit = PW_SCALE(FAMILY) * e->rest.speed;
  for (int i = 0; i < e->n_cyclic; i++) {
    int j = e->cyclics[i];
    e->still->u[j] += unit / e->rest.L[(size_t)j * (size_t)(nv + 1)];
  }
  if (!pw_balance_solve(b, (pw_balance_task){0})) {
    return false;
  }
  for (int j = 0; j < nv; j++) {
    double change = fabs(e->still->u[j] - x->u[j]) * e->rest.L[(size_t)j * (size_t)(nv + 1)];
    if (change > PW_SCALE(FAMILY) * unit) {
      return true;
    }
  }
  return false;
}

/* With the rates of the start if that can be; else with all rates, of a family only one. */
static void search_steady(pawl_equilibria *e, int starts) {
  bool found = false;
  begin(e, &e->rest, 0); /* whether the start moves is seen with the masses that it has there */
  bool given = pw_balance_metric(&e->rest) && moves(e, e->system->start.u);
  for (int k = 0; given && k < starts; k++) {
    found = try_steady(e, k, false, false) || found;
    found = (e->sys->ni > 0 && try_steady(e, k, false, true)) || found;
  }
  for (int k = 0; !found && k < starts; k++) {
    if (try_steady(e, k, true, false)) {
      found = is_family(e, &e->item[e->count - 1]);
    }
  }
}

static int starts_for(const pw_system *s, int wanted) {
  if (wanted > 0) {
    return wanted;
  }
  double n = s->nv + s->nr, work = n * n * n;
  int many = 16 + 16 * s->nv, room = (int)fmax(4, 1e6 / work);
  many = many < MOST_STARTS ? many : MOST_STARTS;
  return many < room ? many : room;
}

/* If the system can stay at its start, that position represents its set. */
static void try_staying(pawl_equilibria *e) {
  begin(e, &e->rest, 0);
  if (pw_balance_solve(&e->rest, (pw_balance_task){.stay = true})) {
    add(e, &e->rest);
  }
}

static void search(pawl_equilibria *e, int starts) {
  const pw_system *s = e->sys;
  bool laws = s->ni > 0;
  try_staying(e);
  for (int k = 0; k < starts && (k < FEWEST || e->rest.work < enough); k++) {
    for (int variant = 0; variant < (laws ? 4 : 1); variant++) {
      try_start(e, k, variant);
    }
  }
  e->steady.length = e->rest.length;
  e->steady.force = e->rest.force;
  e->steady.speed = e->rest.speed;
  if (e->n_cyclic > 0) {
    search_steady(e, starts);
  }
}

/* By the first coordinate that differs. */
static int order(const void *a, const void *b, int nq) {
  const pw_rest *x = a, *y = b;
  if (x->steady != y->steady) {
    return x->steady ? 1 : -1;
  }
  for (int i = 0; i < nq; i++) {
    if (x->q[i] != y->q[i]) {
      return x->q[i] < y->q[i] ? -1 : 1;
    }
  }
  return 0;
}

static void sort(pawl_equilibria *e) {
  for (int i = 1; i < e->count; i++) {
    pw_rest x = e->item[i];
    int at = i;
    for (; at > 0 && order(&e->item[at - 1], &x, e->sys->nq) > 0; at--) {
      e->item[at] = e->item[at - 1];
    }
    e->item[at] = x;
  }
}

/* ---- making ---- */

/* The scales are not available yet: all starts lie near the start of the model. */
static bool check_time(pawl_equilibria *e, pawl_diags *diags) {
  int row = -1;
  for (int k = 0; k < 4; k++) {
    static const double later[] = {0, 0.3734, 1.2341, 7.7381}; /* zeros of a rate are no proof */
    pw_rest_start(e, k, e->still->q);
    e->still->t = e->t + later[k];
    bool changes = pw_still_in_time(e->still, &row);
    e->still->t = e->t;
    if (!changes) {
      continue;
    }
    const pw_model *m = e->sys->model;
    pw_span span = row >= 0 ? m->rows.items[e->sys->row_of[row]].rel_span : PW_NO_SPAN;
    pw_diag_ref ref =
        pw_error(diags, "E0703", span,
                 row >= 0 ? "`%s` changes with time, so that nothing stays at rest"
                          : "forces change with time, so that nothing stays at rest%s",
                 row >= 0 ? m->rows.items[e->sys->row_of[row]].name : "");
    pw_help(ref, "set what drives it to zero (NAME=0), or look at one instant: --at T");
    return false;
  }
  return true;
}

static bool check_known(const pawl_equilibria *e, pawl_diags *diags) {
  const pw_model *m = e->sys->model;
  for (int i = 0; i < m->rows.n; i++) {
    const pw_row *row = &m->rows.items[i];
    if (row->kind == PW_KIND_VAKONOMIC || row->kind == PW_KIND_INERTIA) {
      pw_error(diags, "E0901", row->span,
               "equilibria with `%s` cannot be found by this version yet", row->name);
      return false;
    }
  }
  return true;
}

static pawl_status make(pawl_equilibria *e, const pawl_equilibria_opts *opts, pawl_diags *diags) {
  const pw_system *s = e->sys;
  pawl_status status = pw_mech_new(s, &e->mech);
  if (status != PAWL_OK) {
    return status;
  }
  e->t = opts->freeze ? opts->t : e->system->start.t;
  e->mech->lenient = true;
  e->still = pw_still_new(&e->arena, s, e->mech, e->t);
  e->scale = PW_TAKE(&e->arena, s->nv + 1, double);
  e->periodic = PW_TAKE(&e->arena, s->nv + 1, bool);
  e->cyclic = PW_TAKE(&e->arena, s->nv + 1, bool);
  e->winds = PW_TAKE(&e->arena, s->nv + 1, bool);
  e->cyclics = PW_TAKE(&e->arena, s->nv + 1, int);
  pw_balance_init(&e->rest, &e->arena, e->still, e->cyclics, 0);
  if (!check_known(e, diags) || !(opts->freeze || check_time(e, diags))) {
    return PAWL_E_MODEL;
  }
  if (!pw_rest_scales(e)) {
    return PAWL_E_NAN;
  }
  pw_balance_init(&e->steady, &e->arena, e->still, e->cyclics, e->n_cyclic);
  search(e, starts_for(s, opts->starts));
  sort(e);
  return PAWL_OK;
}

static pawl_status guard(pawl_equilibria *e, const pawl_equilibria_opts *opts, pawl_diags *diags) {
  jmp_buf failed;
  e->arena.on_fail = &failed;
  pawl_status status;
  if (setjmp(failed) == 0) {
    status = make(e, opts, diags);
  } else {
    status = e->arena.failure;
  }
  e->arena.on_fail = NULL;
  pw_mech_free(e->mech);
  e->mech = NULL;
  return status;
}

pawl_status pawl_equilibria_new(const pawl_system *system, const pawl_equilibria_opts *opts,
                                pawl_diags *diags, pawl_equilibria **out) {
  if (out != NULL) {
    *out = NULL;
  }

  /* Refuse unsupported models: no start, pairs of shapes found only in time stepping, signals. */
  if (system == NULL || out == NULL) {
    return PAWL_E_ARGUMENT;
  }
  if (system->sys == NULL) {
    return PAWL_E_UNSUPPORTED;
  }
  const pawl_equilibria_opts none = {0}, *use = opts == NULL ? &none : opts;
  if ((use->freeze && !isfinite(use->t)) || pw_system_needs_start(system, diags) != PAWL_OK ||
      pw_system_needs_pairs(system, "`equilibria`", diags) != PAWL_OK) {
    return PAWL_E_ARGUMENT;
  }
  if (pw_system_refuses_signals(system, "the search for equilibria", diags)) {
    return PAWL_E_MODEL;
  }

  /* The object keeps the system; allocations that fail end in guard. */
  pawl_equilibria *e = calloc(1, sizeof *e);
  if (e == NULL) {
    return PAWL_E_MEMORY;
  }
  e->system = pw_system_keep(system);
  e->sys = system->sys;
  pw_arena_init(&e->arena, max_memory);
  pw_diags_use_sources(diags, &system->sources);
  pawl_status status = guard(e, use, diags);
  pw_diags_use_sources(diags, NULL);

  /* After a failure the caller has no object. */
  if (status != PAWL_OK) {
    pawl_equilibria_free(e);
    return status;
  }
  *out = e;
  return PAWL_OK;
}

void pawl_equilibria_free(pawl_equilibria *e) {
  if (e != NULL) {
    pw_mech_free(e->mech);
    pw_arena_free(&e->arena);
    pw_system_drop(e->system);
    free(e);
  }
}

/* ---- results ---- */

static const pw_rest *item(const pawl_equilibria *e, int i) {
  return e != NULL && i >= 0 && i < e->count ? &e->item[i] : NULL;
}

int pawl_equilibria_count(const pawl_equilibria *e) {
  return e == NULL ? 0 : e->count;
}

pawl_equilibrium pawl_equilibrium_get(const pawl_equilibria *e, int i) {
  const pw_rest *x = item(e, i);
  return x == NULL ? (pawl_equilibrium){0}
                   : (pawl_equilibrium){.stable = x->stable,
                                        .steady = x->steady,
                                        .is_set = x->is_set,
                                        .q = x->q,
                                        .u = x->u};
}

double pawl_equilibrium_force(const pawl_equilibria *e, int i, int law) {
  const pw_rest *x = item(e, i);
  if (x == NULL || law < 0 || law >= e->sys->model->rows.n) {
    return NAN;
  }
  double sum = 0;
  for (int k = 0; k < e->sys->nr; k++) {
    if (e->sys->row_of[k] == law) {
      sum += pw_law_force(&e->sys->row[k], x->lambda[k]);
    }
  }
  return fabs(sum) < PW_SCALE(SHOWN_ZERO) * e->rest.force ? 0 : sum;
}

pawl_interval pawl_equilibrium_range(const pawl_equilibria *e, int i, int position) {
  const pw_rest *x = item(e, i);
  bool known = x != NULL && position >= 0 && position < e->sys->model->nq;
  return known ? x->range[position] : (pawl_interval){NAN, NAN};
}
