// SPDX-License-Identifier: MIT
#include "bvp/bvp.h"
#include "bvp/ritz.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/layout.h"
#include "law/scale_bvp.h"
#include "linalg/dense.h"
#include "mech/frame.h"
#include "mech/start.h"
#include "sim/trial.h"

enum {
  MOST_SETS = 4,         /* laws of which all sets are tried */
  MOST_STEPS = 200000,   /* of one trial */
  OTHER_EVENTS = 200,    /* of one trial: those that are no impacts, and */
  PER_BOUNCE = 20,       /* for each impact that is allowed */
  BOUNCES = 5,           /* impacts allowed by default, */
  BOUNCES_THOROUGH = 20, /* or with opts->all */
  MOST_ELEMENTS = 10000, /* of a requested mesh */
  LONGEST = 64           /* spans that a motion with a free time may last */
};

/* ---- the problem ---- */

static bool has_end(const pw_model *m, bool natural, pawl_diags *diags) {
  for (int i = 0; i < m->nq; i++) {
    if (m->q_end[i].mode == PW_FIXED || (natural && m->q_end[i].mode == PW_GUESS)) {
      return true;
    }
  }
  pw_diag_ref d = pw_error(diags, "E0710", PW_NO_SPAN, "the model does not say where to end");
  pw_help(d, "write the positions that are to be reached, as in `end x = 1 [m]`");
  return false;
}

/* Coordinates that `end` does not mention. */
static void tell_unset(const pw_system *s, pawl_diags *diags) {
  const pw_model *m = s->model;
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    if (m->q_end[k->q].mode == PW_UNSET && pw_end_is_fixed(s, k)) {
      pw_diag_ref d =
          pw_warning(diags, "W0710", k->span, "`end` does not say where `%s` is to be: %s was used",
                     k->name, k->is_rotation ? "no turn" : "0");
      if (!k->is_rotation) {
        pw_help(d, "say what is meant: `end %s = 0`, or `end %s ~ 0` to leave it free", k->name,
                k->name);
      }
    }
  }
}

/* Velocities that are given as fixed, although they are the unknowns. */
static void tell_unused(const pw_model *m, pawl_diags *diags) {
  for (int i = 0; i < m->nv; i++) {
    if (m->u_start[i].mode == PW_FIXED) {
      pw_diag_ref d = pw_warning(diags, "W0711", m->u_start[i].span,
                                 "start velocities are looked for, `%s` is not used", m->u_name[i]);
      pw_label(d, "motions between two positions have their own velocities");
      pw_help(d, "delete it, or write `~` instead of `=` if it is for `pawl run`");
      return;
    }
  }
}

/* The end must satisfy equalities on positions and be on the allowed side of the others. */
static bool check_row(const pw_system *s, const pw_frame *f, int i, pawl_diags *diags) {
  const pw_row *row = &s->model->rows.items[s->row_of[i]];
  double value = f->value[i], small = PW_SCALE(BVP_END_ON) * fmax(f->terms[i], 1);
  if (i < s->np && fabs(value) > small) {
    pw_diag_ref d = pw_error(diags, "E0712", row->span,
                             "the end does not satisfy `%s` (residual %.6g)", row->name, value);
    pw_help(d, "make one of its positions a guess, as in `end x ~ 1`, which leaves it free");
    return false;
  }
  if (s->row[i].kind == PW_KIND_UNILATERAL && value < -small) {
    pw_diag_ref d = pw_error(diags, "E0711", row->span,
                             "the end violates `%s`: its value there is %.6g", row->name, value);
    pw_help(d, "give an `end` on the allowed side");
    return false;
  }
  return true;
}

/* The end touches this contact. */
static bool is_boundary(const pw_system *s, const pw_frame *f, int i) {
  double small = PW_SCALE(BVP_END_ON) * fmax(f->terms[i], 1);
  return s->row[i].kind == PW_KIND_UNILATERAL && fabs(f->value[i]) <= small;
}

static bool all_fixed(const pw_system *s) {
  for (int c = 0; c < s->model->coords.n; c++) {
    if (!pw_end_is_fixed(s, &s->model->coords.items[c])) {
      return false;
    }
  }
  return true;
}

/* All rows at the end, whose frame this is; notes the contacts that it touches. */
static bool check_rows(pawl_bvp *b, const pw_frame *frame, pawl_diags *diags) {
  const pw_system *s = b->shoot.sys;
  bool ok = true;
  for (int i = 0; i < s->nr; i++) {
    ok = check_row(s, frame, i, diags) && ok;
    if (is_boundary(s, frame, i)) {
      b->ends_on = !pw_fold_add(&b->shoot, frame, i) || b->ends_on;
    }
  }
  return ok;
}

static pawl_status check_end(pawl_bvp *b, pawl_diags *diags) {
  const pw_system *s = b->shoot.sys;
  pw_mech *mech = NULL;
  pw_frame frame;
  size_t nq = (size_t)s->nq, nv = (size_t)s->nv;
  double *q = calloc(nq + nv + pw_frame_doubles(s) + 1, sizeof *q);
  pawl_status status = q == NULL ? PAWL_E_MEMORY : pw_mech_new(s, &mech);
  for (int i = 0; status == PAWL_OK && i < s->model->nq; i++) {
    q[i] = s->model->q_end[i].value;
  }
  if (status == PAWL_OK && pw_mech_frame(mech, b->shoot.to, q, q + nq, b->system->start.side,
                                         q + nq + nv, &frame) == PAWL_OK) {
    bool ok = check_rows(b, &frame, diags);
    bool made = pw_chart_make(&b->shoot, &frame);
    status = !made ? PAWL_E_MEMORY : ok ? PAWL_OK : PAWL_E_MODEL;
  }
  pw_mech_free(mech);
  free(q);
  return status;
}

/* Components of the end: 3 of a rotation. */
static int residuals(const pw_system *s) {
  int n = 0;
  for (int c = 0; c < s->model->coords.n; c++) {
    const pw_coord *k = &s->model->coords.items[c];
    n += !pw_end_is_fixed(s, k) ? 0 : k->is_rotation ? 3 : 1;
  }
  return n;
}

/* ---- set-up ---- */

static pawl_status new_sims(pawl_bvp *b, pawl_diags *diags) {
  pawl_sim_opts o = {.use_span = b->opts.use_span,
                     .from = b->opts.from,
                     .to = b->opts.to,
                     .tol = PW_SCALE(BVP_COARSE),
                     .method = PAWL_METHOD_DOP853,
                     .max_steps = MOST_STEPS,
                     .max_events = OTHER_EVENTS + (int64_t)PER_BOUNCE * b->opts.most,
                     .start_impact = 1};
  pawl_status status = pawl_sim_new(b->system, &o, diags, &b->shoot.sim);
  if (status == PAWL_OK) {
    pawl_sim_stats stats = pawl_sim_statistics(b->shoot.sim);
    b->shoot.from = stats.from;
    b->shoot.to = stats.to;
  }
  if (status == PAWL_OK && b->opts.free_time) { /* trials may last longer */
    o.use_span = 1;
    o.from = b->shoot.from;
    o.to = o.from + LONGEST * (b->shoot.to - b->shoot.from);
    pawl_sim_free(b->shoot.sim);
    b->shoot.sim = NULL;
    status = pawl_sim_new(b->system, &o, diags, &b->shoot.sim);
  }
  o.tol = PW_SCALE(BVP_FINE);
  return status == PAWL_OK ? pawl_sim_new(b->system, &o, diags, &b->shoot.fine) : status;
}

static void lay_out(pw_shoot *x, pw_layout *l) {
  const pw_system *s = x->sys;
  size_t nv = (size_t)s->nv, m = (size_t)x->m + 1; /* one more for the speed of a landing */
  x->U = PW_LAY(l, nv * nv, double);
  x->chart = PW_LAY(l, nv * nv, double);
  x->mirror = PW_LAY(l, 2 * PW_MAX_FOLD * nv, double);
  x->u0 = PW_LAY(l, nv, double);
  x->u = PW_LAY(l, nv, double);
  x->u_end = PW_LAY(l, nv, double);
  x->free.p = PW_LAY(l, nv, double);
  x->q = PW_LAY(l, s->nq, double);
  x->length = PW_LAY(l, m, double);
  x->r = PW_LAY(l, m, double);
  x->gap = PW_LAY(l, s->ni, double);
  x->unit = PW_LAY(l, s->n_state, double);
  x->lambda = PW_LAY(l, s->n_state, double);
  x->state = PW_LAY(l, s->n_state, int);
}

static bool take_memory(pawl_bvp *b) {
  pw_layout l = {0};
  lay_out(&b->shoot, &l);
  b->memory = calloc(1, l.size);
  if (b->memory != NULL) {
    l = pw_layout_in(b->memory);
    lay_out(&b->shoot, &l);
  }
  return b->memory != NULL;
}

/* Coordinates are scaled by their displacement in a motion with the reach of the problem. */
static void set_lengths(pw_shoot *x) {
  double size = 0;
  for (int k = 0; k < x->n_u; k++) {
    const double *b = x->U + (size_t)k * (size_t)x->sys->nv;
    for (int i = 0; i < x->sys->nv; i++) {
      size = fmax(size, fabs(b[i]));
    }
  }
  size *= x->reach * (x->to - x->from);
  for (int k = 0; k < x->m; k++) {
    x->length[k] = size > 0 ? size : 1;
  }
  if (x->opts->natural || x->opts->free_time) {
    pw_natural_lengths(x, x->length + x->m - pw_natural_count(x));
  }
}

/* ---- branches: laws that hold with equality at the start may be left or kept ---- */

static pawl_status add_all(pawl_bvp *b, pw_shoot *x, const pw_bvp_found *found) {
  pawl_status status = PAWL_OK;
  for (int i = 0; status == PAWL_OK && i < found->n; i++) {
    status = pw_solutions_add(b, x, found->s + (size_t)i * (size_t)found->d);
  }
  return status;
}

static pawl_status search_landings(pawl_bvp *b) {
  pw_bvp_found found = {.d = b->shoot.d};
  pw_shoot slow = pw_shoot_slow(&b->shoot);
  bool ok = pw_glides(&b->shoot, &found);
  pawl_status status = ok ? add_all(b, &slow, &found) : PAWL_E_MEMORY;
  free(found.s);
  return status;
}

static pawl_status search_speeds(pawl_bvp *b, bool *complete) {
  pw_bvp_found found = {.d = b->shoot.d};
  pawl_status status = pw_sweep(&b->shoot, &found, complete);
  status = status == PAWL_OK ? add_all(b, &b->shoot, &found) : status;
  free(found.s);
  return status;
}

static pawl_status search_directions(pawl_bvp *b, bool thorough) {
  pw_bvp_found found = {.d = b->shoot.d};
  pawl_status status = pw_scatter(&b->shoot, thorough, &found);
  status = status == PAWL_OK ? add_all(b, &b->shoot, &found) : status;
  free(found.s);
  return status;
}

/* Starts in many directions may all have missed simple solutions: if the two methods agree on none,
 * more starts are tried. */
static bool is_any_sure(const pawl_bvp *b) {
  for (int i = 0; i < b->n; i++) {
    if (b->items[i].show.direct.agrees) {
      return true;
    }
  }
  return false;
}

static pawl_status search(pawl_bvp *b, bool *complete) {
  pw_shoot *x = &b->shoot;
  bool all = b->opts.all != 0;
  double none = 0;
  pawl_status status;
  *complete = x->d == 0;
  set_lengths(x);

  /* motions that do not land, by the number of unknowns */
  if (x->d == 0) {
    status = pw_solutions_add(b, x, &none);
  } else if (x->d == 1) {
    status = search_speeds(b, complete);
  } else {
    status = search_directions(b, all);
    if (status == PAWL_OK && x->d > 2 && !all && !is_any_sure(b)) {
      status = search_directions(b, true);
    }
  }

  if (x->d > 0 && !x->free.time && status == PAWL_OK) {
    status = search_landings(b);
  }
  return x->tally->stopped ? PAWL_E_TIME : status;
}

static pawl_status search_on(pawl_bvp *b, const unsigned char *on, bool *complete) {
  pawl_status status = pw_shoot_directions(&b->shoot, on);
  if (on == NULL) {
    b->freedom = b->shoot.d;
  }
  return status == PAWL_OK ? search(b, complete) : status;
}

/* Contacts that touch, and constraints on velocities, which any start may satisfy with equality. */
static int starts_on(const pawl_bvp *b, int *row) {
  const pw_system *s = b->shoot.sys;
  int n = 0;
  for (int i = 0; i < s->ni; i++) {
    pw_kind kind = s->law[i].kind;
    bool touches = kind == PW_KIND_UNILATERAL && fabs(b->shoot.gap[i]) <= PW_SCALE(BVP_START_ON);
    if (touches || kind == PW_KIND_VAKONOMIC || kind == PW_KIND_ONE_SIDED_VELOCITY) {
      row[n++] = i;
    }
  }
  return n;
}

/* All sets of them if there are few, else each by itself and all together. */
static pawl_status branches(pawl_bvp *b) {
  const pw_system *s = b->shoot.sys;
  pawl_status status = search_on(b, NULL, &b->complete);
  unsigned char *on = calloc((size_t)s->ni + 1, 1);
  int *row = calloc((size_t)s->ni + 1, sizeof *row);
  int n = on != NULL && row != NULL ? starts_on(b, row) : 0;
  bool few = n <= MOST_SETS;
  int sets = few ? (1 << n) - 1 : n + 1;
  for (int k = 1; status == PAWL_OK && k <= sets; k++) {
    bool whole;
    memset(on, 0, (size_t)s->ni);
    for (int i = 0; i < n; i++) {
      bool held = few ? (k >> i & 1) != 0 : k == i + 1 || k == n + 1;
      on[row[i]] = (unsigned char)(held ? PW_AT_KINK : 0);
    }
    status = search_on(b, on, &whole);
    b->complete = b->complete && whole && few;
  }
  status = on == NULL || row == NULL ? PAWL_E_MEMORY : status;
  free(on);
  free(row);
  return status;
}

/* ---- the object ---- */

static pawl_status solve(pawl_bvp *b, pawl_diags *diags) {
  const pw_model *m = b->system->model;
  if (!has_end(m, b->opts.natural != 0, diags)) {
    return PAWL_E_MODEL;
  }

  /* A coarse and a fine simulation for the shots; warnings point into the model. */
  pawl_status status = new_sims(b, diags);
  if (status != PAWL_OK) {
    return status;
  }
  pw_diags_use_sources(diags, &b->system->sources);
  tell_unset(b->shoot.sys, diags);
  tell_unused(m, diags);
  if (pw_natural_refuses(&b->shoot, diags)) {
    return PAWL_E_MODEL;
  }

  /* Equations: the positions given at the end, and the natural conditions of free coordinates and
   * times. */
  b->shoot.m = residuals(b->shoot.sys) + pw_natural_count(&b->shoot);
  b->shoot.free.time = b->opts.free_time != 0;
  b->shoot.free.span = b->shoot.to - b->shoot.from;
  b->shoot.limit = b->opts.most < PW_MAX_BOUNCES - 1 ? b->opts.most + 1 : PW_MAX_BOUNCES;
  if (!take_memory(b)) {
    return PAWL_E_MEMORY;
  }

  /* An end that is wholly fixed must itself obey the laws; then each branch is searched. */
  status = pw_mech_new(b->shoot.sys, &b->shoot.free.mech);
  if (status == PAWL_OK && all_fixed(b->shoot.sys)) {
    status = check_end(b, diags);
  }
  if (status == PAWL_OK) {
    status = branches(b);
  }
  pw_solutions_sort(b);
  return status;
}

static bool is_division(const pawl_bvp_opts *o) {
  return o == NULL ||
         (o->mesh >= 0 && o->mesh <= MOST_ELEMENTS && o->degree >= 0 && o->degree <= PW_RITZ_MOST);
}

pawl_status pawl_bvp_new(const pawl_system *system, const pawl_bvp_opts *opts, pawl_diags *diags,
                         pawl_bvp **out) {
  if (out != NULL) {
    *out = NULL;
  }
  if (system == NULL || out == NULL || system->sys == NULL) {
    return PAWL_E_ARGUMENT;
  }

  /* unsupported problems */
  bool bounces =
      opts == NULL || !opts->use_bounces || (opts->least >= 0 && opts->least <= opts->most);
  if (!bounces || !is_division(opts) || pw_system_needs_start(system, diags) != PAWL_OK ||
      pw_system_needs_pairs(system, "`bvp`", diags) != PAWL_OK) {
    return PAWL_E_ARGUMENT;
  }
  if (pw_system_refuses_signals(system, "a boundary value problem", diags)) {
    return PAWL_E_MODEL;
  }

  pawl_bvp *b = calloc(1, sizeof *b);
  if (b == NULL) {
    return PAWL_E_MEMORY;
  }
  b->system = pw_system_keep(system);
  b->isolated = true;
  b->opts = opts == NULL ? (pawl_bvp_opts){0} : *opts;
  if (!b->opts.use_bounces) {
    b->opts.least = 0;
    b->opts.most = b->opts.all ? BOUNCES_THOROUGH : BOUNCES;
  }
  b->opts.most = b->opts.most < PW_MAX_BOUNCES ? b->opts.most : PW_MAX_BOUNCES - 1;
  b->shoot = (pw_shoot){.system = system,
                        .sys = system->sys,
                        .opts = &b->opts,
                        .tally = &b->tally,
                        .still = pw_conditions_plain().still};

  /* motions that were found before the time was over are kept */
  pw_diags_use_sources(diags, &system->sources);
  pawl_status status = solve(b, diags);
  pw_diags_use_sources(diags, NULL);
  status = b->tally.no_memory ? PAWL_E_MEMORY : status;
  if (status != PAWL_OK && status != PAWL_E_TIME) {
    pawl_bvp_free(b);
    return status;
  }
  b->complete = b->complete && status == PAWL_OK;
  *out = b;
  return status;
}

void pawl_bvp_free(pawl_bvp *bvp) {
  if (bvp != NULL) {
    for (int i = 0; i < bvp->n; i++) {
      pw_solution_free(&bvp->items[i]);
    }
    free(bvp->items);
    free(bvp->memory);
    pawl_sim_free(bvp->shoot.sim);
    pawl_sim_free(bvp->shoot.fine);
    pw_mech_free(bvp->shoot.free.mech);
    pw_system_drop(bvp->system);
    free(bvp);
  }
}

int pawl_bvp_count(const pawl_bvp *bvp) {
  return bvp == NULL ? 0 : bvp->n;
}

int pawl_bvp_complete(const pawl_bvp *bvp) {
  return bvp != NULL && bvp->complete && bvp->isolated && !bvp->overflow && !bvp->ends_on;
}

int pawl_bvp_freedom(const pawl_bvp *bvp) {
  return bvp == NULL ? 0 : bvp->freedom;
}

int pawl_bvp_multipliers(const pawl_bvp *bvp) {
  return bvp == NULL ? 0 : bvp->shoot.sys->n_state;
}

const char *pawl_bvp_multiplier(const pawl_bvp *bvp, int i) {
  const pw_system *s = bvp == NULL ? NULL : bvp->shoot.sys;
  bool there = s != NULL && i >= 0 && i < s->n_state;
  return there ? s->model->rows.items[s->row_of[s->state_row[i]]].name : "";
}

int64_t pawl_bvp_trials(const pawl_bvp *bvp) {
  return bvp == NULL ? 0 : (int64_t)bvp->tally.trials;
}

pawl_bvp_solution pawl_bvp_get(const pawl_bvp *bvp, int i) {
  return i < 0 || i >= pawl_bvp_count(bvp) ? (pawl_bvp_solution){.subclass = ""}
                                           : bvp->items[i].show;
}
