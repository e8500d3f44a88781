// SPDX-License-Identifier: MIT
/* The pasts of an instant: accelerations before it that the laws admit, of pawl_gauss, and impacts.
 * Each acceleration determines which laws were held, open or sliding before; with these the motion
 * is followed back to the previous instant. */
#include "past/tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

enum { DEPTH = 2, MOST = 1000, MOST_DEPTH = 1000 };

/* ---- nodes ---- */

pw_past_node *pw_past_add(pawl_past *p, int parent) {
  if (p->n >= p->most) {
    pw_past_lack(p, "", "there are more pasts than asked for");
    return NULL;
  }
  if (p->n == p->cap) {
    int cap = 2 * p->cap + 16;
    pw_past_node *more = realloc(p->node, (size_t)cap * sizeof *more);
    if (more == NULL) {
      return NULL;
    }
    p->node = more;
    p->cap = cap;
  }
  size_t size = 3 * (size_t)p->sys->nv + (size_t)p->sys->nq + (size_t)p->sys->ni + 1;
  double *numbers = calloc(size, sizeof *numbers);
  if (numbers == NULL) {
    return NULL;
  }
  pw_past_node *node = &p->node[p->n++];
  *node = (pw_past_node){.numbers = numbers, .info = {.parent = parent, .how = ""}};
  return node;
}

void pw_past_lack(pawl_past *p, const char *law, const char *why) {
  if (p->complete) {
    p->complete = false;
    snprintf(p->why, sizeof p->why, "%s%s%s", law, law[0] == '\0' ? "" : ": ", why);
  }
}

const char *pw_past_law_name(const pawl_past *p, int law) {
  return p->sys->model->rows.items[p->sys->row_of[p->sys->nc + law]].name;
}

/* ---- one instant ---- */

/* Change of the laws at the instant, from their modes before to their modes after. */
static void tell_change(pawl_past *p, pw_past_node *node, const double *before,
                        const double *after) {
  for (int i = 0; i < p->sys->ni && after != NULL; i++) {
    unsigned char was = pw_back_mode(&p->back, i, before, -1);
    unsigned char is = pw_back_mode(&p->back, i, after, 1);
    size_t used = strlen(node->law);
    if (was == is) {
      continue;
    }
    node->info.how = node->info.how[0] != '\0' ? node->info.how
                     : is == PW_AT_KINK        ? "joins"
                     : was == PW_AT_KINK       ? "leaves"
                                               : "turns";
    snprintf(node->law + used, sizeof node->law - used, "%s%s", used == 0 ? "" : ", ",
             pw_past_law_name(p, i));
  }
}

static pawl_status follow(pawl_past *p, int at, int depth, pawl_diags *diags) {
  pw_back *b = &p->back;
  pw_past_node *node = &p->node[at];
  int nv = p->sys->nv, nq = p->sys->nq;
  bool happens = false;
  for (int i = 0; i < p->sys->ni; i++) {
    b->mode[i] = pw_back_mode(b, i, node->numbers, -1);
  }
  pawl_status status = pw_back_go(b, p->least, &happens);
  node->info.since = b->t;
  if (status != PAWL_OK) {
    pw_past_lack(p, "", "a past could not be followed to its beginning");
    return status == PAWL_E_MEMORY ? status : PAWL_OK;
  }
  node->info.followed = 1;
  node->info.ends = happens;
  memcpy(node->numbers + 2 * nv, b->q, (size_t)nq * sizeof *b->q);
  memcpy(node->numbers + 2 * nv + nq, b->u, (size_t)nv * sizeof *b->u);
  if (!happens) {
    return PAWL_OK;
  }
  const double *q = node->numbers + 2 * nv;
  return pw_past_grow(p, at, depth, b->t, q, q + nq, diags);
}

/* Left accelerations; the first of them is not the only one along a law that holds: it may have
 * been joined at any instant before. */
static pawl_status take_left(pawl_past *p, const pawl_gauss *g, int parent, int *first) {
  pawl_gauss_info left = pawl_gauss_get(g, PAWL_LEFT);
  const double *after = pawl_gauss_accelerations(g, PAWL_RIGHT, 0);
  int nv = p->sys->nv;
  *first = p->n;
  for (int k = 0; k < left.count; k++) {
    pw_past_node *node = pw_past_add(p, parent);
    if (node == NULL) {
      return p->complete ? PAWL_E_MEMORY : PAWL_OK;
    }
    memcpy(node->numbers, pawl_gauss_accelerations(g, PAWL_LEFT, k),
           (size_t)nv * sizeof *node->numbers);
    memcpy(node->numbers + nv, p->back.u, (size_t)nv * sizeof *node->numbers);
    node->info.t = node->info.since = p->back.t;
    tell_change(p, node, node->numbers, after);
  }
  if (left.count > 1) {
    pw_past_lack(p, "", "a law that holds may have been joined at any instant before");
  }
  if (!left.complete && left.why != PAWL_GAUSS_IMPACT) {
    pw_past_lack(p, "", "the search for accelerations before an instant was too large");
  }
  return PAWL_OK;
}

/* Multipliers that are states, by their laws; of all others NAN. */
static void take_multipliers(const pw_system *s, const double *q, double *force) {
  for (int i = 0; i < s->model->rows.n; i++) {
    force[i] = NAN;
  }
  for (int k = 0; k < s->n_state; k++) {
    force[s->row_of[s->state_row[k]]] = q[s->model->nq + k];
  }
}

pawl_status pw_past_grow(pawl_past *p, int parent, int depth, double t, const double *q,
                         const double *u, pawl_diags *diags) {
  pawl_gauss *g = NULL;
  pw_back *b = &p->back;
  pw_back_place(b, t, q, u);
  pawl_gauss_opts opts = {.use_state = 1, .t = t, .q = b->q, .u = b->u, .past = 1};
  opts.span = p->span;
  if (p->sys->n_state > 0) {
    take_multipliers(p->sys, b->q, p->force);
    opts.force = p->force;
  }
  bool must = false;
  int first = p->n;
  if (depth == 0) {
    return PAWL_OK;
  }
  pawl_status status = pw_back_look(b);
  if (status == PAWL_OK) {
    status = pw_past_impacts(p, parent, &must);
  }
  int impacts = p->n;
  if (status == PAWL_OK && !must) {
    status = pawl_gauss_new(p->system, &opts, diags, &g);
    if (status == PAWL_OK) {
      status = take_left(p, g, parent, &impacts);
    }
  }
  pawl_gauss_free(g);
  int last = p->n;
  for (int i = first; i < last && status == PAWL_OK; i++) {
    const double *v = p->node[i].numbers + p->sys->nv;
    if (p->node[i].info.impact) { /* the velocities before it are another state of the instant */
      int nv = p->sys->nv;
      status = pw_past_grow(p, i, depth - 1, t, v + nv, v, diags);
      p->node[i].info.followed = p->node[i].info.ends = 1;
    } else if (depth > 1) {
      int nv = p->sys->nv, nq = p->sys->nq; /* the state of the instant, which b has left */
      double *keep = p->node[i].numbers + 2 * nv;
      memcpy(keep, q, (size_t)nq * sizeof *keep);
      memcpy(keep + nq, u, (size_t)nv * sizeof *keep);
      pw_back_place(b, t, keep, keep + nq);
      status = pw_back_look(b);
      status = status == PAWL_OK ? follow(p, i, depth - 1, diags) : status;
    }
  }
  return status;
}

/* ---- the whole ---- */

static pawl_status refuse(const pawl_system *s, pawl_diags *diags) {
  bool rotates = false, one_sided = false;
  for (int k = 0; k < s->sys->n_state; k++) {
    one_sided = one_sided || s->sys->state_row[k] >= s->sys->nc;
  }
  for (int i = 0; i < s->model->coords.n; i++) {
    rotates = rotates || s->model->coords.items[i].is_rotation;
  }
  if (pw_system_refuses_signals(s, "`pawl past`", diags)) {
    return PAWL_E_MODEL;
  }
  if (rotates || one_sided) {
    pw_error(diags, "E0666", PW_NO_SPAN, "pasts of models with %s are not computed",
             rotates ? "rotations" : "one-sided laws whose multipliers are states");
    return PAWL_E_MODEL;
  }
  return PAWL_OK;
}

static pawl_status make(const pawl_system *system, const pawl_past_opts *opts, double from,
                        pawl_diags *diags, pawl_past *p) {
  double a = 0, b = 0;
  bool run = pawl_run_span(system, &a, &b) != 0;
  p->span = opts->back > 0 ? opts->back : run ? b - a : 1;
  p->least = from - p->span;
  p->depth = opts->depth > 0 ? opts->depth : DEPTH;
  p->depth = p->depth > MOST_DEPTH ? MOST_DEPTH : p->depth;
  p->most = opts->most > 0 ? opts->most : MOST;
  p->complete = true;
  pawl_status status = pw_back_new(system, p->span, &p->back);
  p->force = calloc((size_t)p->sys->model->rows.n + 1, sizeof *p->force);
  status = p->force == NULL ? PAWL_E_MEMORY : status;
  if (status == PAWL_OK) {
    status = pw_past_grow(p, -1, p->depth, from, system->start.q, system->start.u, diags);
  }
  return status;
}

static pawl_status find(const pawl_system *system, const pawl_past_opts *opts, double from,
                        pawl_diags *diags, pawl_past **out) {
  pawl_status status = pw_system_needs_start(system, diags);
  if (status == PAWL_OK) {
    status = refuse(system, diags);
  }
  pawl_past *p = status == PAWL_OK ? calloc(1, sizeof *p) : NULL;
  if (p == NULL) {
    return status == PAWL_OK ? PAWL_E_MEMORY : status;
  }
  p->system = pw_system_keep(system);
  p->sys = system->sys;
  status = make(system, opts, from, diags, p);
  if (status != PAWL_OK) {
    pawl_past_free(p);
    return status;
  }
  *out = p;
  return PAWL_OK;
}

pawl_status pawl_past_new(const pawl_system *system, const pawl_past_opts *opts, pawl_diags *diags,
                          pawl_past **out) {
  if (out != NULL) {
    *out = NULL;
  }
  if (system == NULL || system->sys == NULL || out == NULL) {
    return PAWL_E_ARGUMENT;
  }
  pawl_past_opts use = opts == NULL ? (pawl_past_opts){0} : *opts;
  return find(system, &use, pawl_start_time(system), diags, out);
}

void pawl_past_free(pawl_past *p) {
  for (int i = 0; p != NULL && i < p->n; i++) {
    free(p->node[i].numbers);
  }
  if (p != NULL) {
    pw_back_free(&p->back);
    free(p->force);
    free(p->node);
    pw_system_drop(p->system);
    free(p);
  }
}

/* ---- the only past ---- */

static pawl_status refuse_several(double t, const char *why, pawl_diags *diags) {
  pw_diag_ref d =
      pw_error(diags, "E0667", PW_NO_SPAN, "at t = %.9g the past is not unique: %s", t, why);
  pw_help(d, "`pawl past` lists the pasts");
  return PAWL_E_NO_MOTION;
}

pawl_status pawl_past_state(const pawl_system *system, double from, double to, pawl_diags *diags,
                            double *q, double *u, double *force) {
  if (system == NULL || system->sys == NULL || q == NULL || u == NULL || !(to < from)) {
    return PAWL_E_ARGUMENT;
  }
  pawl_past *p = NULL;
  pawl_past_opts opts = {.depth = MOST_DEPTH, .back = from - to};
  pawl_status status = find(system, &opts, from, diags, &p);
  if (status != PAWL_OK) {
    return status;
  }
  int at = -1, nv = p->sys->nv, nq = p->sys->nq;
  for (int i = 0; i < p->n && p->complete && p->node[i].info.parent == at; i++) {
    at = i; /* each has one past, which follows it in the list */
  }
  double since = at < 0 ? from : p->node[at].info.since;
  if (!p->complete || at != p->n - 1) {
    double t = from;
    for (int i = 0; i < p->n; i++) {
      t = fmin(t, p->node[i].info.t);
    }
    status = refuse_several(t, p->complete ? "several impacts may have led here" : p->why, diags);
  } else if (at < 0 || p->node[at].info.impact || p->node[at].info.ends || since > to) {
    status = refuse_several(since, "no motion leads here", diags);
  } else {
    const double *state = p->node[at].numbers + 2 * nv;
    memcpy(q, state, (size_t)p->sys->model->nq * sizeof *q);
    memcpy(u, state + nq, (size_t)nv * sizeof *u);
    if (force != NULL) {
      take_multipliers(p->sys, state, force);
    }
  }
  pawl_past_free(p);
  return status;
}
