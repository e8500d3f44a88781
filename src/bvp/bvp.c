// SPDX-License-Identifier: MIT
#include "bvp/bvp.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/dense.h"
#include "mech/start.h"

static const double coarse = 1e-8, tight = 1e-12; /* tolerances of trials and of solutions */
static const double arrived = 1e-8;               /* residual that a solution may have */

/* ---- what is asked ---- */

static bool has_end(const pw_model *m, pawl_diags *diags) {
  for (int i = 0; i < m->nq; i++) {
    if (m->q_end[i].mode != PW_UNSET) {
      return true;
    }
  }
  pw_diag_ref d = pw_error(diags, "E0710", PW_NO_SPAN, "the model does not say where to end");
  pw_help(d, "write the positions that are to be reached, as in `end x = 1 [m]`");
  return false;
}

/* An end beyond a wall cannot be reached. */
static bool end_is_allowed(pawl_bvp *b, pawl_diags *diags) {
  const pw_system *s = b->shoot.sys;
  pw_mech *mech = NULL;
  double *q = malloc(((size_t)s->nq + (size_t)s->nv + (size_t)s->ni + 1) * sizeof *q);
  bool ok = q != NULL && pw_mech_new(s, &mech) == PAWL_OK;
  if (ok) {
    double *u = q + s->nq, *gap = u + s->nv;
    memset(u, 0, (size_t)s->nv * sizeof *u);
    for (int i = 0; i < s->nq; i++) {
      q[i] = s->model->q_end[i].value;
    }
    pw_mech_gaps(mech, b->shoot.to, q, u, b->system->start.side, gap);
    for (int i = 0; i < s->ni; i++) {
      const pw_row *row = &s->model->rows.items[s->row_of[s->nc + i]];
      if (row->kind == PW_KIND_UNILATERAL && gap[i] < -1e-9) {
        pw_diag_ref d =
            pw_error(diags, "E0711", row->span, "the end violates `%s`: its value there is %.6g",
                     row->name, gap[i]);
        pw_help(d, "give an `end` on the allowed side");
        ok = false;
      }
    }
  }
  pw_mech_free(mech);
  free(q);
  return ok;
}

static int residuals(const pw_model *m) {
  int n = 0;
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    n += k->is_rotation ? 3 : m->q_end[k->q].mode != PW_GUESS;
  }
  return n;
}

/* ---- set-up ---- */

static pawl_status new_sims(pawl_bvp *b, pawl_diags *diags) {
  pawl_sim_opts o = {.use_span = b->opts.use_span,
                     .from = b->opts.from,
                     .to = b->opts.to,
                     .tol = coarse,
                     .max_steps = 200000,
                     .max_events = 200 + 20L * b->opts.most,
                     .start_impact = 1};
  pawl_status status = pawl_sim_new(b->system, &o, diags, &b->shoot.sim);
  o.tol = tight;
  if (status == PAWL_OK) {
    status = pawl_sim_new(b->system, &o, diags, &b->shoot.fine);
  }
  if (status == PAWL_OK) {
    pawl_sim_stats stats = pawl_sim_statistics(b->shoot.sim);
    b->shoot.from = stats.from;
    b->shoot.to = stats.to;
  }
  return status;
}

static bool take_memory(pawl_bvp *b) {
  pw_shoot *x = &b->shoot;
  size_t nv = (size_t)x->sys->nv, nq = (size_t)x->sys->nq, m = (size_t)x->m;
  size_t ni = (size_t)x->sys->ni;
  b->memory = calloc(nv * nv + 3 * nv + nq + 2 * m + ni + 1, sizeof *b->memory);
  if (b->memory == NULL) {
    return false;
  }
  x->U = b->memory;
  x->u0 = x->U + nv * nv;
  x->u = x->u0 + nv;
  x->u_end = x->u + nv;
  x->q = x->u_end + nv;
  x->length = x->q + nq;
  x->r = x->length + m;
  x->gap = x->r + m;
  return true;
}

/* Coordinates are measured by what a motion with the reach of the problem moves them. */
static void set_lengths(pw_shoot *x) {
  double size = 0;
  for (int k = 0; k < x->d; k++) {
    const double *b = x->U + (size_t)k * (size_t)x->sys->nv;
    for (int i = 0; i < x->sys->nv; i++) {
      size = fmax(size, fabs(b[i]));
    }
  }
  size *= x->reach * (x->to - x->from);
  for (int k = 0; k < x->m; k++) {
    x->length[k] = size > 0 ? size : 1;
  }
}

/* ---- solutions ---- */

static int by_bounces(const void *a, const void *b) {
  const pw_solution *x = a, *y = b;
  int order = x->show.bounces - y->show.bounces;
  return order != 0                         ? order
         : x->show.action != y->show.action ? (x->show.action < y->show.action ? -1 : 1)
                                            : 0;
}

static bool is_known(const pawl_bvp *b, const double *u) {
  int nv = b->shoot.sys->nv;
  for (int i = 0; i < b->n; i++) {
    double far = 0, size = 0;
    for (int k = 0; k < nv; k++) {
      far = fmax(far, fabs(b->items[i].show.u_start[k] - u[k]));
      size = fmax(size, fabs(u[k]));
    }
    if (far <= 1e-6 * size + DBL_MIN) {
      return true;
    }
  }
  return false;
}

static void free_solution(pw_solution *s) {
  free(s->numbers);
  free(s->text);
  free(s->labels);
}

static bool reserve(pawl_bvp *b, pw_solution *out) {
  const pw_system *s = b->shoot.sys;
  size_t states = 2 * ((size_t)s->nq + (size_t)s->nv), rows = (size_t)s->model->rows.n;
  *out = (pw_solution){.numbers = calloc(states + PW_MAX_BOUNCES, sizeof(double)),
                       .text = calloc(PW_MAX_BOUNCES, sizeof *out->text),
                       .labels = calloc(PW_MAX_BOUNCES + rows + 1, sizeof *out->labels)};
  if (b->n == b->cap) {
    int cap = 2 * b->cap + 8;
    pw_solution *more = realloc(b->items, (size_t)cap * sizeof *more);
    b->items = more == NULL ? b->items : more;
    b->cap = more == NULL ? b->cap : cap;
  }
  return b->n < b->cap && out->numbers != NULL && out->text != NULL && out->labels != NULL;
}

static void copy_states(const pw_shoot *x, pw_solution *out) {
  size_t nq = (size_t)x->sys->nq, nv = (size_t)x->sys->nv;
  double *q0 = out->numbers, *q1 = q0 + nq, *u0 = q1 + nq, *u1 = u0 + nv;
  memcpy(q0, pawl_start_positions(x->system), nq * sizeof *q0);
  memcpy(q1, x->q, nq * sizeof *q1);
  memcpy(u0, x->u, nv * sizeof *u0);
  memcpy(u1, x->u_end, nv * sizeof *u1);
  out->show.q_start = q0;
  out->show.q_end = q1;
  out->show.u_start = u0;
  out->show.u_end = u1;
  out->show.times = u1 + nv;
  out->show.labels = out->labels;
  out->show.contacts = out->labels + PW_MAX_BOUNCES;
}

/* The law row with this name, or -1. */
static int row_named(const pw_system *s, const char *name) {
  for (int i = s->nc; i < s->nr; i++) {
    if (strcmp(s->model->rows.items[s->row_of[i]].name, name) == 0) {
      return i;
    }
  }
  return -1;
}

static double defect_of(pawl_bvp *b, const double *s, const pw_solution *sol) {
  int law[PW_MAX_BOUNCES];
  bool fits = pw_collocate_fits(b->shoot.sys) && sol->show.n_contact == 0;
  for (int k = 0; fits && k < sol->show.bounces; k++) {
    law[k] = row_named(b->shoot.sys, sol->show.labels[k]);
    fits = law[k] >= 0;
  }
  pw_path path = {sol->show.bounces, sol->show.times, law};
  return fits ? pw_collocate(&b->shoot, s, &path) : NAN;
}

static pawl_status add(pawl_bvp *b, const double *s) {
  pw_shoot *x = &b->shoot;
  pw_solution sol;
  int rows = x->sys->model->rows.n;
  unsigned char *kept = calloc((size_t)rows + 1, 1);
  if (!reserve(b, &sol) || kept == NULL) {
    free_solution(&sol);
    free(kept);
    return PAWL_E_MEMORY;
  }
  copy_states(x, &sol);
  pw_flight_log log = {.room = PW_MAX_BOUNCES,
                       .times = sol.numbers + 2 * (x->sys->nq + x->sys->nv),
                       .labels = sol.text,
                       .kept = kept};
  pw_flight f = pw_shoot_record(x, s, &log);
  copy_states(x, &sol);
  sol.show.bounces = f.bounces;
  sol.show.action = f.action;
  sol.show.miss = f.miss * x->length[0];
  for (int k = 0; k < f.bounces; k++) {
    sol.labels[k] = sol.text[k];
  }
  for (int i = 0; i < rows; i++) {
    if (kept[i]) {
      sol.labels[PW_MAX_BOUNCES + sol.show.n_contact++] = x->sys->model->rows.items[i].name;
    }
  }
  free(kept);
  bool wanted = f.ok && !f.struck && f.miss <= arrived && f.bounces >= b->opts.least &&
                f.bounces <= b->opts.most && !is_known(b, sol.show.u_start);
  if (!wanted) {
    free_solution(&sol);
    return PAWL_OK;
  }
  sol.show.defect = defect_of(b, s, &sol);
  pawl_certificate judged = pw_shoot_certify(x, s);
  sol.show.verdict = judged.verdict;
  sol.show.subclass = judged.subclass;
  b->items[b->n++] = sol;
  return PAWL_OK;
}

/* ---- branches: contacts that touch at the start may open or stay closed ---- */

static pawl_status search(pawl_bvp *b, bool *complete) {
  pw_shoot *x = &b->shoot;
  double none = 0;
  pw_found found = {.d = x->d};
  *complete = x->d == 0;
  set_lengths(x);
  pawl_status status = PAWL_OK;
  if (x->d == 0) {
    status = pw_shoot_fly(x, &none, true).miss <= arrived ? add(b, &none) : PAWL_OK;
  } else {
    status = x->d == 1 ? pw_sweep(x, b->opts.most, &found, complete) : pw_scatter(x, &found);
  }
  for (int i = 0; status == PAWL_OK && i < found.n; i++) {
    status = add(b, found.s + (size_t)i * (size_t)found.d);
  }
  free(found.s);
  return x->stopped ? PAWL_E_TIME : status;
}

static pawl_status search_on(pawl_bvp *b, const unsigned char *on, bool *complete) {
  pawl_status status = pw_shoot_directions(&b->shoot, on);
  if (on == NULL) {
    b->freedom = b->shoot.d;
  }
  return status == PAWL_OK ? search(b, complete) : status;
}

static pawl_status branches(pawl_bvp *b) {
  const pw_system *s = b->shoot.sys;
  bool whole;
  pawl_status status = search_on(b, NULL, &b->complete);
  unsigned char *on = calloc((size_t)s->ni + 1, 1);
  if (on == NULL) {
    return PAWL_E_MEMORY;
  }
  for (int i = 0; status == PAWL_OK && i < s->ni; i++) {
    bool contact = s->model->rows.items[s->row_of[s->nc + i]].kind == PW_KIND_UNILATERAL;
    if (contact && fabs(b->shoot.gap[i]) <= 1e-9) {
      memset(on, 0, (size_t)s->ni);
      on[i] = PW_AT_KINK;
      status = search_on(b, on, &whole);
      b->complete = b->complete && whole;
    }
  }
  free(on);
  return status;
}

/* ---- the object ---- */

static pawl_status solve(pawl_bvp *b, pawl_diags *diags) {
  const pw_model *m = b->system->model;
  if (!has_end(m, diags)) {
    return PAWL_E_MODEL;
  }
  pawl_status status = new_sims(b, diags);
  if (status != PAWL_OK) {
    return status;
  }
  pw_diags_use_sources(diags, &b->system->sources);
  if (!end_is_allowed(b, diags)) {
    return PAWL_E_MODEL;
  }
  b->shoot.m = residuals(m);
  if (!take_memory(b)) {
    return PAWL_E_MEMORY;
  }
  status = branches(b);
  if (b->n > 1) {
    qsort(b->items, (size_t)b->n, sizeof *b->items, by_bounces);
  }
  return status;
}

pawl_status pawl_bvp_new(const pawl_system *system, const pawl_bvp_opts *opts, pawl_diags *diags,
                         pawl_bvp **out) {
  if (system == NULL || out == NULL || system->sys == NULL) {
    return PAWL_E_ARGUMENT;
  }
  *out = NULL;
  pawl_bvp *b = calloc(1, sizeof *b);
  if (b == NULL) {
    return PAWL_E_MEMORY;
  }
  b->system = system;
  b->opts = opts == NULL ? (pawl_bvp_opts){0} : *opts;
  if (!b->opts.use_bounces) {
    b->opts.least = 0;
    b->opts.most = b->opts.all ? 20 : 5;
  }
  b->opts.most = b->opts.most < PW_MAX_BOUNCES ? b->opts.most : PW_MAX_BOUNCES - 1;
  b->shoot = (pw_shoot){.system = system, .sys = system->sys, .opts = &b->opts};
  pw_diags_use_sources(diags, &system->sources);
  pawl_status status = solve(b, diags);
  pw_diags_use_sources(diags, NULL);
  if (status != PAWL_OK) {
    pawl_bvp_free(b);
    return status;
  }
  *out = b;
  return PAWL_OK;
}

void pawl_bvp_free(pawl_bvp *bvp) {
  if (bvp != NULL) {
    for (int i = 0; i < bvp->n; i++) {
      free_solution(&bvp->items[i]);
    }
    free(bvp->items);
    free(bvp->memory);
    pawl_sim_free(bvp->shoot.sim);
    pawl_sim_free(bvp->shoot.fine);
    free(bvp);
  }
}

int pawl_bvp_count(const pawl_bvp *bvp) {
  return bvp == NULL ? 0 : bvp->n;
}

int pawl_bvp_complete(const pawl_bvp *bvp) {
  return bvp != NULL && bvp->complete;
}

int pawl_bvp_freedom(const pawl_bvp *bvp) {
  return bvp == NULL ? 0 : bvp->freedom;
}

long pawl_bvp_trials(const pawl_bvp *bvp) {
  return bvp == NULL ? 0 : bvp->shoot.trials;
}

pawl_bvp_solution pawl_bvp_get(const pawl_bvp *bvp, int i) {
  return i < 0 || i >= pawl_bvp_count(bvp) ? (pawl_bvp_solution){0} : bvp->items[i].show;
}
