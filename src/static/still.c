// SPDX-License-Identifier: MIT
#include "static/still.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "mech/start.h"
#include "system/view.h"

static size_t largest(size_t a, int b) {
  return a > (size_t)b ? a : (size_t)b;
}

static void describe_rows(pw_still *x) {
  const pw_system *s = x->sys;
  for (int i = 0; i < s->nr; i++) {
    const pw_law_form *form = &s->row[i];
    x->row[i] = (pw_still_row){.law = {.form = form, .limit = -1},
                               .on = form->contact < 0 ? -1 : s->nc + form->contact,
                               .plane = form->group < 0 ? -1 : s->nc + form->group};
  }
}

pw_still *pw_still_new(pw_arena *arena, const pw_system *s, pw_mech *mech, double t) {
  pw_still *x = PW_NEW(arena, pw_still);
  size_t nv = (size_t)s->nv, nr = (size_t)s->nr;
  const pw_tape *all[] = {s->tape.motion, s->tape.position, s->tape.velocity, s->tape.contact,
                          s->tape.graph,  s->tape.clause,   s->tape.by};
  size_t work = 0, out = 0;
  for (int k = 0; k < (int)(sizeof all / sizeof *all); k++) {
    work = largest(work, pw_tape_registers(all[k]));
    out += 2 * (size_t)pw_tape_outputs(all[k]) + 2;
  }

  x->sys = s;
  x->mech = mech;
  x->t = t;
  x->q = PW_TAKE(arena, s->nq + 1, double);
  x->u = PW_TAKE(arena, nv + 1, double);
  x->side = PW_TAKE(arena, s->n_switch + 1, double);
  x->h = PW_TAKE(arena, nv + 1, double);
  x->M = PW_TAKE(arena, nv * nv + 1, double);
  x->row = PW_TAKE(arena, nr + 1, pw_still_row);
  x->J = PW_TAKE(arena, nv * nr + 1, double);
  x->phi = PW_TAKE(arena, nv * nr + 1, double);

  /* derivatives */
  x->dh = PW_TAKE(arena, 2 * nv * nv + 1, double);
  x->dphi = PW_TAKE(arena, 2 * nv * nv * nr + 1, double);
  x->dvalue = PW_TAKE(arena, 2 * nv * nr + 1, double);
  x->dlo = PW_TAKE(arena, 2 * nv * nr + 1, double);
  x->dhi = PW_TAKE(arena, 2 * nv * nr + 1, double);

  /* tapes and scratch */
  x->v = PW_TAKE(arena, nv + 1, double);
  x->in = PW_TAKE(arena, 2 * s->n_in + 2, double);
  x->work = PW_TAKE(arena, 2 * work + 16, double);
  x->out = PW_TAKE(arena, out, double);
  x->scratch = PW_TAKE(arena, 3 * s->n_sides + 3, double);
  x->dq = PW_TAKE(arena, s->nq + 1, double);
  describe_rows(x);
  return x;
}

/* ---- one run of the tapes, with a direction or without ---- */

typedef struct found { /* outputs as pairs: value, derivative */
  const double *motion, *position, *velocity, *contact, *graph, *clause, *by;
} found;

static const double *run(pw_still *x, const pw_tape *tape, double **at) {
  double *out = *at;
  pw_tape_jet(tape, 1, x->in, x->work, out);
  *at += 2 * pw_tape_outputs(tape) + 2;
  return out;
}

static void set_inputs(pw_still *x) {
  const pw_system *s = x->sys;
  memset(x->in, 0, 2 * (size_t)s->n_in * sizeof *x->in);
  x->in[2 * s->offset[PW_VAR_TIME]] = x->t;
  for (int i = 0; i < s->nq; i++) {
    x->in[2 * (s->offset[PW_VAR_Q] + i)] = x->q[i];
  }
  for (int i = 0; i < s->nv; i++) {
    x->in[2 * (s->offset[PW_VAR_U] + i)] = x->u[i];
  }
  for (int i = 0; i < s->n_switch; i++) {
    x->in[2 * (s->offset[PW_VAR_MODE] + i)] = x->side[i];
  }
  for (int k = 0; k < s->load.n && x->lambda != NULL; k++) {
    int row = s->load.row[k];
    x->in[2 * (s->offset[PW_VAR_FORCE] + s->row_of[row])] =
        pw_law_force(&s->row[row], x->lambda[row]);
  }
}

/* k < nv: positions, else velocities; -1: none, -2: time. */
static void set_direction(pw_still *x, int k) {
  const pw_system *s = x->sys;
  for (int i = 0; i < s->n_in; i++) {
    x->in[2 * i + 1] = 0;
  }
  if (k == -2) {
    x->in[2 * s->offset[PW_VAR_TIME] + 1] = 1;
  } else if (k >= s->nv) {
    x->in[2 * (s->offset[PW_VAR_U] + k - s->nv) + 1] = 1;
  } else if (k >= 0) {
    memset(x->v, 0, (size_t)s->nv * sizeof *x->v);
    x->v[k] = 1;
    pw_mech_to_q(x->mech, x->q, x->v, x->dq);
    for (int i = 0; i < s->nq; i++) {
      x->in[2 * (s->offset[PW_VAR_Q] + i) + 1] = x->dq[i];
    }
  }
}

static found run_all(pw_still *x, int direction) {
  const pw_system *s = x->sys;
  double *at = x->out;
  set_direction(x, direction);
  found f;
  f.motion = run(x, s->tape.motion, &at);
  f.position = run(x, s->tape.position, &at);
  f.velocity = run(x, s->tape.velocity, &at);
  f.contact = run(x, s->tape.contact, &at);
  f.graph = run(x, s->tape.graph, &at);
  f.clause = run(x, s->tape.clause, &at);
  f.by = run(x, s->tape.by, &at);
  return f;
}

/* Gradient of a row, or the direction of its force; part 0 or 1 of the pairs. */
static double entry(const pw_still *x, const found *f, int row, int k, bool force, int part) {
  const pw_system *s = x->sys;
  if (force && s->row[row].by >= 0) {
    return f->by[2 * (s->row[row].by * s->nv + k) + part];
  }
  if (row < s->nc) {
    int at = pw_view_slope_at(s, row, k);
    return at < 0 ? 0 : f->motion[2 * (pw_view_places(s).J + at) + part];
  }
  return f->contact[2 * pw_view_law_at(s, row - s->nc, PW_VIEW_HEAD + k) + part];
}

/* Numbers of a row, or their derivatives. */
static pw_law_row law_of(const pw_still *x, const found *f, int row, int part) {
  const pw_system *s = x->sys;
  if (row >= s->nc) {
    pw_law_view view = {f->contact, f->graph, f->clause};
    return pw_view_law_series(s, view, row - s->nc, 1, part);
  }
  const double *value = row < s->np ? f->position : f->velocity;
  return pw_law_row_of_equality(&s->row[row], value[2 * row + part], f->velocity[2 * row + part]);
}

/* Derivatives of the ends of a set that has this derivative of its law. */
static void ends_slope(const pw_law_row *d, double *lo, double *hi) {
  const pw_law_form *form = d->form;
  bool open = form->equality || pw_law_is_rough(form);
  *hi = open || form->wall ? 0 : pw_law_force_beside(d, -1);
  *lo = open ? 0 : form->group >= 0 ? -pw_law_radius(d, false) : pw_law_force_beside(d, 1);
}

/* Far from a kink its graph may run backwards: then the force of the nearer side is the only one.
 */
static void keep_side(pw_law_row *law, int only) {
  law->left = only > 0 ? law->right : law->left;
  law->right = only < 0 ? law->left : law->right;
}

/* Friction whose bound is negative here has no force. */
static void take_row(pw_still_row *r, pw_law_row law) {
  law.left = law.form->group >= 0 && law.left > 0 ? 0 : law.left;
  bool graph = !law.form->wall && !law.form->equality && law.form->group < 0;
  r->only = graph && law.right < law.left ? (law.value > 0 ? 1 : -1) : 0;
  keep_side(&law, r->only);
  pw_law_keep_larger_limit(&law);
  r->law = law;
  r->set = pw_law_set_at_kink(&law, (pw_law_hold){.sticks = false});
}

static void take_values(pw_still *x, const found *f) {
  const pw_system *s = x->sys;
  size_t nv = (size_t)s->nv;
  pw_motion_places at = pw_view_places(s);

  for (int j = 0; j < s->nv; j++) {
    for (int i = j; i < s->nv; i++) {
      int mass = pw_view_mass_at(s, i, j);
      x->M[(size_t)j * nv + (size_t)i] = mass < 0 ? 0 : f->motion[2 * (at.M + mass)];
    }
    x->h[j] = f->motion[2 * (at.h + j)];
  }
  for (int i = 0; i < s->nr; i++) {
    take_row(&x->row[i], law_of(x, f, i, 0));
    for (int k = 0; k < s->nv; k++) {
      x->J[(size_t)i * nv + (size_t)k] = entry(x, f, i, k, false, 0);
      x->phi[(size_t)i * nv + (size_t)k] = entry(x, f, i, k, true, 0);
    }
  }
}

static void take_derivatives(pw_still *x, const found *f, int direction) {
  const pw_system *s = x->sys;
  size_t nv = (size_t)s->nv, nr = (size_t)s->nr, d = (size_t)direction;
  int h = pw_view_places(s).h;

  for (int j = 0; j < s->nv; j++) {
    x->dh[d * nv + (size_t)j] = f->motion[2 * (h + j) + 1];
  }
  for (int i = 0; i < s->nr; i++) {
    size_t at = d * nr + (size_t)i;
    pw_law_row law = law_of(x, f, i, 1);
    x->dvalue[at] = law.value;
    keep_side(&law, x->row[i].only);
    ends_slope(&law, &x->dlo[at], &x->dhi[at]);
    for (int k = 0; k < s->nv; k++) {
      x->dphi[at * nv + (size_t)k] = entry(x, f, i, k, true, 1);
    }
  }
}

pw_law_set pw_still_forces(const pw_still *x, int i, const double *lambda, bool sticks) {
  const pw_still_row *r = &x->row[i];
  pw_law_set set = pw_law_set_at_kink(&r->law, (pw_law_hold){.sticks = sticks});
  bool coulomb = r->law.form->on >= 0;
  return coulomb ? pw_law_set_scaled(set, fmax(lambda[r->on], 0)) : set;
}

double pw_still_largest(const pw_still *x, int i) {
  pw_law_set ends = pw_law_set_extent(&x->row[i].set, 0);
  return fmax(isfinite(ends.lo) ? fabs(ends.lo) : 0, isfinite(ends.hi) ? fabs(ends.hi) : 0);
}

static bool finite_rows(const pw_still *x) {
  for (int i = 0; i < x->sys->nr; i++) {
    const pw_still_row *r = &x->row[i];
    if (!isfinite(r->law.value) || !pw_law_set_is_number(&r->set)) {
      return false;
    }
  }
  size_t n = (size_t)x->sys->nv;
  return pw_all_finite(x->h, x->sys->nv) && pw_all_finite(x->J, (int)n * x->sys->nr);
}

bool pw_still_look(pw_still *x, bool derivatives) {
  if (pw_start_sides(x->mech, x->t, x->q, x->u, x->side, x->scratch) != PAWL_OK) {
    return false;
  }
  set_inputs(x);
  found f = run_all(x, -1);
  take_values(x, &f);
  if (!finite_rows(x)) {
    return false;
  }
  for (int k = 0; derivatives && k < 2 * x->sys->nv; k++) {
    f = run_all(x, k);
    take_derivatives(x, &f, k);
  }
  return true;
}

bool pw_still_in_time(pw_still *x, int *row) {
  const pw_system *s = x->sys;
  if (!pw_still_look(x, false)) {
    return false;
  }
  found f = run_all(x, -2);
  for (int i = 0; i < s->nr; i++) {
    double lo, hi;
    pw_law_row law = law_of(x, &f, i, 1);
    ends_slope(&law, &lo, &hi);
    *row = i;
    if (law.value != 0 || (lo != 0 && !isnan(lo)) || (hi != 0 && !isnan(hi))) {
      return true;
    }
  }
  *row = -1;
  for (int j = 0; j < s->nv; j++) {
    if (f.motion[2 * (pw_view_places(s).h + j) + 1] != 0) {
      return true;
    }
  }
  return false;
}

void pw_still_move(pw_still *x, const double *v) {
  const pw_system *s = x->sys;
  pw_mech_to_q(x->mech, x->q, v, x->dq);
  for (int i = 0; i < s->nq; i++) {
    x->q[i] += x->dq[i];
  }
  pw_mech_normalise(x->mech, x->q);
}

int pw_still_position(const pw_system *s, int velocity) {
  for (int c = 0; c < s->model->coords.n; c++) {
    const pw_coord *k = &s->model->coords.items[c];
    if (!k->is_rotation && k->u == velocity) {
      return k->q;
    }
  }
  return -1;
}
