// SPDX-License-Identifier: MIT
/* Making the sums of varied curves, and what they vary. */
#include <math.h>
#include <stdlib.h>

#include "law/scale_verify.h"
#include "verify/checker.h"
#include "verify/vary.h"

static void lay_out(pawl_vary *v, pw_layout *l) {
  const pw_system *s = v->sys;
  size_t nv = (size_t)s->nv, nq = (size_t)s->nq;
  pw_probe_lay(&v->probe, s, l);
  pw_probe_tape_lay(&v->energy, s->tape.energy, l);
  pw_probe_tape_lay(&v->momentum, s->tape.momentum, l);
  pw_reach_lay(&v->reach, s->nv + 1, s->nr, l);
  v->window.q = PW_LAY(l, nq * PW_VARY_WINDOW, double);
  v->window.dq = PW_LAY(l, nq * PW_VARY_WINDOW, double);

  double **by_q[] = {&v->at.q, &v->at.dq, &v->at.ddq, &v->work.varied_q};
  double **by_u[] = {&v->at.u,          &v->at.a,       &v->work.varied_u, &v->work.reaction,
                     &v->work.covector, &v->work.kinks, &v->work.normal,   &v->work.momentum_before,
                     &v->work.own,      &v->work.bare,  &v->work.along};
  for (size_t i = 0; i < sizeof by_q / sizeof *by_q; i++) {
    *by_q[i] = PW_LAY(l, nq, double);
  }
  for (size_t i = 0; i < sizeof by_u / sizeof *by_u; i++) {
    *by_u[i] = PW_LAY(l, nv, double);
  }
  double **by_more[] = {&v->work.w, &v->work.rate, &v->work.target};
  for (size_t i = 0; i < sizeof by_more / sizeof *by_more; i++) {
    *by_more[i] = PW_LAY(l, nv + 1, double);
  }
  v->work.push = PW_LAY(l, (size_t)s->nr, double);
  v->work.shift = PW_LAY(l, 2 * (nv + 1), double);
  v->work.carried = PW_LAY(l, 2 * nv, double);
}

/* Else the principle has the forces of the laws in it, and no sign. */
static bool is_ideal(const pw_system *s) {
  bool ideal = true;
  for (int i = 0; i < s->nr; i++) {
    bool wall = i < s->nc || (pw_law_is_wall(&s->row[i]));
    ideal = ideal && (pw_row_state(s, i) >= 0 || (wall && s->row[i].by < 0));
  }
  return ideal;
}

pawl_status pawl_vary_new(const pawl_system *system, double near, pawl_vary **out) {
  if (out != NULL) {
    *out = NULL;
  }
  bool fits = system != NULL && system->sys != NULL && system->sys->n_state == 0;
  return fits && out != NULL && near >= 0 ? pw_vary_new(system, near, out) : PAWL_E_ARGUMENT;
}

pawl_status pw_vary_new(const pawl_system *system, double near, pawl_vary **out) {
  pawl_vary *v = calloc(1, sizeof *v);
  *out = NULL;
  if (v == NULL) {
    return PAWL_E_MEMORY;
  }
  v->system = pw_system_keep(system);
  v->sys = system->sys;
  v->near = near;
  v->step = PW_SCALE(CERT_VARY_STEP);
  v->window.first = true;
  v->ideal = is_ideal(v->sys);
  v->known = true;
  pw_layout counts = {0};
  lay_out(v, &counts);
  v->memory = calloc(1, counts.size);
  if (v->memory == NULL) {
    pawl_vary_free(v);
    return PAWL_E_MEMORY;
  }
  pw_layout l = pw_layout_in(v->memory);
  lay_out(v, &l);
  *out = v;
  return PAWL_OK;
}

void pawl_vary_free(pawl_vary *v) {
  for (int i = 0; v != NULL && i < v->n; i++) {
    free(v->item[i].w);
    free(v->item[i].peak);
  }
  if (v != NULL) {
    free(v->memory);
    free(v->item);
    pw_system_drop(v->system);
    free(v);
  }
}

pawl_status pawl_vary_add(pawl_vary *v, pawl_vary_kind kind, pawl_vary_fn fn, void *payload) {
  if (v == NULL || fn == NULL || v->rows > 0 || (int)kind < PAWL_VARY_WEAK ||
      (int)kind > PAWL_VARY_GENERAL) {
    return PAWL_E_ARGUMENT;
  }
  if (v->n == v->cap) {
    int cap = 2 * v->cap + 8;
    pw_variation *more = realloc(v->item, (size_t)cap * sizeof *more);
    if (more == NULL) {
      return PAWL_E_MEMORY;
    }
    v->item = more;
    v->cap = cap;
  }
  pw_variation *x = &v->item[v->n];
  *x = (pw_variation){.kind = kind, .fn = fn, .payload = payload, .at = {NAN, NAN}};
  size_t n = (size_t)v->sys->nv + 1;
  bool fine = true;
  if (kind == PAWL_VARY_PROJECTED) {
    x->w = calloc(n * PW_VARY_WINDOW, sizeof *x->w);
    fine = x->w != NULL;
  }
  if (v->given) {
    x->peak = calloc(2 * n, sizeof *x->peak);
    fine = fine && x->peak != NULL;
  }
  v->n++; /* what it has is freed with the others */
  return fine ? PAWL_OK : PAWL_E_MEMORY;
}
