// SPDX-License-Identifier: MIT
/* Steps of a discrete Lagrangian, theory (69), (70): with m the midpoint, v = (q1 - q0)/h,
 *   p(m, v) - h/2 p'(m, v) - p0   and   p1 - p(m, v) - h/2 p'(m, v)
 * are impulses of the rows that hold at the start, and at the end. Of other laws, stepping
 * (T8)-(T10), the first has h/2 times the forces beside kinks at the midpoint, and those at kinks
 * come from their sets at the start; the second has the same with the end. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "system/view.h"
#include "verify/checker.h"

/* ---- which scheme ---- */

pw_scheme pw_steps_scheme(const char *method) {
  const char *name = method == NULL ? "" : method;
  return strcmp(name, "moreau") == 0        ? PW_SCHEME_MOREAU
         : strcmp(name, "variational") == 0 ? PW_SCHEME_VARIATIONAL
                                            : PW_SCHEME_EVENTS;
}

int pw_steps_order(const pw_steps *x) {
  bool second = x->scheme == PW_SCHEME_VARIATIONAL || !x->changes;
  return x->scheme == PW_SCHEME_EVENTS && !x->any ? 0 : second ? 2 : 1;
}

/* ---- rotations, stepping (T11) ---- */

/* a = h v/4 of a rotation between two quaternions, which may have opposite signs: it leads from
 * their midpoint m to the second, conj(m) o q1 = (1, a)/|(1, a)|. */
static void quarter_turn(const double *q0, const double *q1, double *m, double *a) {
  double sign = pw_dot(q0, q1, 4) < 0 ? -1 : 1, scalar;
  for (int i = 0; i < 4; i++) {
    m[i] = q0[i] + sign * q1[i];
  }
  double length = pw_norm2(m, 4);
  for (int i = 0; i < 4; i++) {
    m[i] /= length;
  }
  scalar = sign * pw_dot(m, q1, 4);
  for (int i = 0; i < 3; i++) {
    int j = 1 + (i + 1) % 3, k = 1 + (i + 2) % 3;
    a[i] = m[0] * q1[1 + i] - m[1 + i] * q1[0] - (m[j] * q1[k] - m[k] * q1[j]);
    a[i] *= sign / scalar;
  }
}

/* out = b + f a x b */
static void lean(const double *a, double f, const double *b, double *out) {
  double sum[3];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    sum[i] = b[i] + f * (a[j] * b[k] - a[k] * b[j]);
  }
  memcpy(out, sum, sizeof sum);
}

/* A force of the midpoint, as it counts in a half of the step; sign 1: the first. */
static void carry_force(const pawl_certifier *c, int sign, double *f) {
  const pw_steps *x = &c->steps;
  for (int i = 0; i < c->sys->model->coords.n; i++) {
    const pw_coord *k = &c->sys->model->coords.items[i];
    double m[4], a[3];
    if (k->is_rotation) {
      quarter_turn(x->start + k->q, x->after + k->q, m, a);
      lean(a, sign, f + k->u, f + k->u);
    }
  }
}

/* Momenta of the midpoint: A(a) p = (1 + a x)(p + a x p + (a.p) a) in the first half. */
static void carry_momenta(const pawl_certifier *c, int sign, double *p) {
  const pw_steps *x = &c->steps;
  for (int i = 0; i < c->sys->model->coords.n; i++) {
    const pw_coord *k = &c->sys->model->coords.items[i];
    double m[4], a[3];
    if (k->is_rotation) {
      quarter_turn(x->start + k->q, x->after + k->q, m, a);
      double along = pw_dot(a, p + k->u, 3);
      lean(a, sign, p + k->u, p + k->u);
      pw_axpy(along, a, p + k->u, 3);
      lean(a, sign, p + k->u, p + k->u);
    }
  }
}

/* What the turn of the axes takes from momenta in half of the step: 2 a x p. */
static void find_turn(const pawl_certifier *c, const double *p, double *turn) {
  const pw_steps *x = &c->steps;
  memset(turn, 0, (size_t)c->sys->nv * sizeof *turn);
  for (int i = 0; i < c->sys->model->coords.n; i++) {
    const pw_coord *k = &c->sys->model->coords.items[i];
    double m[4], a[3];
    if (k->is_rotation) {
      quarter_turn(x->start + k->q, x->after + k->q, m, a);
      lean(a, 2, p + k->u, turn + k->u);
      pw_axpy(-1, p + k->u, turn + k->u, 3);
    }
  }
}

/* Midpoint and mean velocity. */
static void lay_middle(pawl_certifier *c) {
  pw_steps *x = &c->steps;
  const pw_system *s = c->sys;
  double h = x->to - x->from, *v = x->middle + s->nq;
  for (int i = 0; i < s->nq; i++) {
    x->middle[i] = (x->start[i] + x->after[i]) / 2;
  }
  for (int i = 0; i < s->model->coords.n; i++) {
    const pw_coord *k = &s->model->coords.items[i];
    if (!k->is_rotation) {
      v[k->u] = (x->after[k->q] - x->start[k->q]) / h;
      continue;
    }
    quarter_turn(x->start + k->q, x->after + k->q, x->middle + k->q, v + k->u);
    for (int j = 0; j < 3; j++) {
      v[k->u + j] *= 4 / h;
    }
  }
}

/* ---- the midpoint ---- */

typedef struct middle { /* power of all forces at the midpoint, and of those without potential */
  double power, driven;
  bool fine; /* laws have numbers there, if they are asked for */
} middle;

/* Midpoint, mean velocity, and momenta there with their rate without reactions: h p'/2 in `push`.
 */
static middle find_middle(pawl_certifier *c, double *p, double *push) {
  pw_steps *x = &c->steps;
  const pw_system *s = c->sys;
  double h = x->to - x->from, t = x->from + h / 2;
  lay_middle(c);
  bool fine = true;
  if (x->others) {
    fine = pw_probe_at(&c->probe, t, x->middle, x->middle + s->nq);
  } else {
    pw_probe_state(&c->probe, t, x->middle, x->middle + s->nq);
  }
  const double *out = pw_probe_momenta(&c->probe);
  for (int i = 0; i < s->nv; i++) {
    p[i] = out[i];
    push[i] = h / 2 * out[s->nv + i];
  }
  pw_motion_view m = pw_view_motion(s, pw_probe_motion(&c->probe));
  return (middle){.power = pw_dot(x->middle + s->nq, m.h, s->nv),
                  .driven = pw_probe_power(&c->probe),
                  .fine = fine};
}

/* Contacts that hold push; where they are about to open, by less than the step resolves. */
static void add_rows(pawl_certifier *c) {
  const pw_system *s = c->sys;
  const pw_probe *p = &c->probe;
  double h = c->steps.to - c->steps.from, force = p->pull;
  double coarse = c->scale.L0 > 0 ? pw_min(h * c->scale.V0 / c->scale.L0, 1) : 1;
  pw_reach_begin(&c->room.reach);
  for (int i = 0; i < s->nr; i++) {
    double near = PW_SCALE(CERT_NOISE_MARGIN) * c->data.noise * c->scale.L0 * p->length[i];
    bool held = i >= s->nc && pw_law_is_wall(&s->row[i]) && p->value[i] <= near;
    double *col =
        i < s->nc || held
            ? pw_reach_add(&c->room.reach,
                           i < s->nc ? -INFINITY : -coarse * h * force / p->reach[i], INFINITY)
            : NULL;
    if (col != NULL) {
      memcpy(col, p->A + (size_t)i * (size_t)s->nv, (size_t)s->nv * sizeof *col);
    }
  }
}

/* ---- other laws ---- */

static pw_set_scale zero_of(const pawl_certifier *c) {
  pw_set_scale zero = pw_zero_scale(c, 0, 0);
  zero.mode = c->own.side;
  return zero;
}

/* A slip is zero at the midpoint, or on the side that its mode says. */
static void check_mode(pawl_certifier *c, int row) {
  const pw_system *s = c->sys;
  const pw_probe *p = &c->probe;
  signed char side = c->own.side[row - s->nc];
  bool judged = s->row[row].on_velocity && !pw_law_is_rough(&s->row[row]) && c->scale.V0 > 0 &&
                side != PW_SIDE_UNKNOWN && p->length[row] > 0;
  if (judged) {
    double value = p->value[row] / p->length[row], off = side == 0 ? fabs(value)
                                                         : s->row[row].group >= 0
                                                             ? 0
                                                             : pw_max(-side * value, 0);
    pw_verify_found f =
        pw_found(off / c->scale.V0, PW_SCALE(CERT_STEP), c->steps.to, s->row_of[row], PW_RULE_STEP);
    pw_found_note(&c->record, PW_FINDING_VELOCITY, f);
  }
}

/* Sets and covectors of the laws at the midpoint, where the probe is. */
static void look_at_laws(pawl_certifier *c) {
  pw_steps *x = &c->steps;
  const pw_system *s = c->sys;
  pw_own_sides(&c->own, s, x->mode);
  pw_set_scale zero = zero_of(c);
  for (int k = 0; k < s->ni; k++) {
    int row = s->nc + k;
    pw_law_set set = pw_set_of_row(&c->probe, row, PW_SET_VELOCITY, &zero, NULL);
    x->set.lo[k] = set.lo;
    x->set.hi[k] = set.hi;
    check_mode(c, row);
    if (c->own.side[k] == PW_SIDE_UNKNOWN && !s->law[k].wall) { /* one kink of several */
      c->own.side[k] = (signed char)(set.lo < set.hi ? 0 : c->probe.value[row] < 0 ? -1 : 1);
    }
  }
  pw_verify_rubs(c, &zero);
  for (int k = 0; k < s->ni; k++) {
    memcpy(x->stops + (size_t)k * (size_t)s->nv, pw_probe_covector(&c->probe, s->nc + k),
           (size_t)s->nv * sizeof *x->stops);
  }
}

/* A law that is beside its kink at the node and at the midpoint has the force of the midpoint.
 * Takes it from f and marks the law. Slips of several components are asked for together: there f
 * gets the force that their set has at the node. True: no other forces are left. */
static bool take_known(pawl_certifier *c, const pw_set_scale *zero, int sign, double *f) {
  const pw_steps *x = &c->steps;
  const pw_system *s = c->sys;
  int n = s->nv;
  double *way = c->room.scratch;
  bool all = s->nc == 0;
  for (int k = 0; k < s->ni; k++) {
    int row = s->nc + k;
    x->taken[k] = 0;
    if (s->law[k].wall || pw_row_contact(s, row) >= 0 || x->set.lo[k] != x->set.hi[k]) {
      all = false;
      continue;
    }
    pw_law_set here = pw_set_of_row(&c->probe, row, PW_SET_VELOCITY, zero, NULL);
    if (here.lo == here.hi) {
      x->taken[k] = s->law[k].group < 0;
      memcpy(way, x->stops + (size_t)k * (size_t)n, (size_t)n * sizeof *way);
      carry_force(c, sign, way);
      pw_probe_forward(&c->probe, way);
      pw_axpy(-x->set.lo[k], way, f, n);
      if (!x->taken[k]) {
        pw_axpy(here.lo, c->probe.A + (size_t)row * (size_t)n, f, n);
      }
    }
    all = all && x->taken[k];
  }
  return all;
}

/* Forces at the ends of their sets are known by nodes, to the order of the step. */
static void widen(pw_reach *r, double slack) {
  for (int k = 0; k < r->k; k++) {
    double size = pw_norm2(r->A + (size_t)k * (size_t)r->n, r->n);
    if (size > 0 && r->lo[k] < r->hi[k]) {
      r->lo[k] -= slack / size;
      r->hi[k] += slack / size;
    }
  }
}

/* Distance of the impulse r from what all laws can do in half of the step; what is left is in the
 * reach, as a force. */
static double fit_laws(pawl_certifier *c, int sign, const double *r, double enough) {
  pw_reach *reach = &c->room.reach;
  int n = c->sys->nv;
  double h = c->steps.to - c->steps.from, *f = c->room.work, force = c->probe.pull;
  double coarse = c->scale.L0 > 0 ? pw_min(h * c->scale.V0 / c->scale.L0, 1) : 1;
  pw_set_scale zero = zero_of(c);
  for (int i = 0; i < n; i++) {
    f[i] = 2 / h * r[i];
  }
  if (take_known(c, &zero, sign, f)) {
    pw_reach_begin(reach);
    pw_reach_solve(reach, f);
    return reach->distance * h / 2;
  }
  zero.taken = c->steps.taken;
  pw_set_fit(&c->probe, &zero, f, NULL, 0, reach, c->room.scratch);
  if (reach->distance * h / 2 > enough) {
    widen(reach, coarse * (force + pw_norm2(f, n)));
    pw_reach_solve(reach, c->room.scratch); /* f without the forces that are known */
  }
  return reach->distance * h / 2;
}

/* Impulse r without what is left, times the mean velocity; kinks of a potential have their energy
 * in it. */
static double work_of_laws(pawl_certifier *c, const double *r) {
  const pw_steps *x = &c->steps;
  const pw_system *s = c->sys;
  int n = s->nv;
  double h = x->to - x->from, work = 0;
  const double *v = x->middle + s->nq;
  for (int i = 0; i < n; i++) {
    double along = pw_dot(c->probe.L + (size_t)i * (size_t)n + i, v + i, n - i);
    work += (r[i] - h / 2 * c->room.reach.rest[i]) * along;
  }
  for (int k = 0; k < s->ni; k++) {
    bool own = s->law[k].kind == PW_KIND_KINK && !s->law[k].on_velocity;
    if (own && x->set.lo[k] == x->set.hi[k]) {
      work -= h / 2 * x->set.lo[k] * pw_dot(x->stops + (size_t)k * (size_t)n, v, n);
    }
  }
  return work;
}

/* ---- a half ---- */

typedef struct sizes { /* of a step, in the metric of the masses */
  double far;          /* of its places */
  double push; /* of what given forces and the turn of the axes do to momenta in half of it */
} sizes;

/* One half of the step, sign 1: the first. The probe is at its end of the step. Returns the work of
 * its rows. */
static double judge_half(pawl_certifier *c, double t, int sign, const sizes *size, const double *p,
                         const double *push) {
  const pw_steps *x = &c->steps;
  const pw_system *s = c->sys;
  int n = s->nv;
  double *r = c->room.residual, h = x->to - x->from;
  const double *own = pw_probe_momenta(&c->probe);
  double *given = c->room.work; /* the impulse of given forces */
  memcpy(r, p, (size_t)n * sizeof *r);
  memcpy(given, push, (size_t)n * sizeof *given);
  carry_momenta(c, sign, r);
  carry_force(c, sign, given);
  for (int i = 0; i < n; i++) {
    r[i] = sign * (r[i] - own[i]) - given[i];
  }
  pw_probe_forward(&c->probe, r);
  double scale = pw_norm2(r, n) + size->push + PW_SCALE(CERT_ZERO) * c->scale.V0;
  double late = fabs(x->to) * c->scale.V0; /* short steps have few digits */
  double rounding = PW_SCALE(CERT_TERMS) * ((size->far + late) / h + c->scale.V0);
  double tolerance = PW_SCALE(CERT_STEP) + rounding / scale, off;
  if (x->others) {
    off = fit_laws(c, sign, r, tolerance * scale);
  } else {
    add_rows(c);
    pw_reach_solve(&c->room.reach, r);
    off = c->room.reach.distance;
  }
  pw_verify_found f = pw_found(off / scale, tolerance, t, -1, PW_RULE_STEP);
  pw_found_note(&c->record, PW_FINDING_MOMENTUM, f);
  if (x->others) {
    return work_of_laws(c, r);
  }
  double work = 0;
  for (int k = 0; k < c->room.reach.k; k++) {
    for (int i = 0; i < n; i++) {
      work += c->room.reach.x[k] * c->room.reach.A[(size_t)k * (size_t)n + (size_t)i] *
              pw_dot(c->probe.L + (size_t)i * (size_t)n + i, x->middle + s->nq + i, n - i);
    }
  }
  return work;
}

static bool look(pawl_certifier *c, double t, const double *state, pw_energy_row *out) {
  const pw_system *s = c->sys;
  pw_row_view row = {t, state, NULL, state + s->nq, NULL, 0, 0};
  if (!pw_probe_at(&c->probe, t, state, state + s->nq)) {
    return false;
  }
  pw_scale_row(c, &row);
  pw_verify_admissible(c, &row);
  *out = (pw_energy_row){.t = t};
  out->power = pw_dot(c->probe.speed, c->probe.h, s->nv);
  return pw_energy_find(c, out);
}

/* H changes by ((u0 + u1)/2).(p1 - p0); works are counted with v. The difference is known for
 * rotations, whose u is not v even if nothing acts: (1 + |a|^2) v. Its part of the end at which the
 * probe is. */
static double uncounted(pawl_certifier *c) {
  const pw_steps *x = &c->steps;
  const pw_system *s = c->sys;
  const double *p = pw_probe_momenta(&c->probe), *u0 = x->start + s->nq, *u1 = x->after + s->nq;
  double sum = 0;
  for (int i = 0; i < s->model->coords.n; i++) {
    const pw_coord *k = &s->model->coords.items[i];
    for (int j = k->u; k->is_rotation && j < k->u + 3; j++) {
      sum += ((u0[j] + u1[j]) / 2 - x->middle[s->nq + j]) * p[j];
    }
  }
  return sum;
}

/* H changes by the work of forces, up to what their power bends in the step. */
static void judge_energy(pawl_certifier *c, const pw_energy_row *a, const pw_energy_row *b,
                         const middle *m, double work, double bend) {
  double h = c->steps.to - c->steps.from;
  bend += h * fabs(a->power + b->power - 2 * m->power) / 2;
  if (c->energy.n == 0) {
    pw_energy_add(c, a, a, 0, 0);
    c->energy.n = 1;
  }
  pw_energy_add(c, a, b, work + h * m->driven, bend);
}

/* The start is the end of the step before, unless something has happened there; surfaces may have
 * another side. */
static bool is_known(const pawl_certifier *c) {
  const pw_steps *x = &c->steps;
  return c->sys->n_switch == 0 &&
         pw_probe_is_at(&c->probe, x->seen, x->from, x->start, x->start + c->sys->nq);
}

/* The midpoint first where laws are looked at there, else the start first; the probe ends at the
 * start. As the end of the step before it was judged there. */
static bool look_before(pawl_certifier *c, pw_energy_row *out, double *p, double *push, middle *m) {
  const pw_steps *x = &c->steps;
  const double *u = x->start + c->sys->nq;
  bool known = is_known(c), fine = true;
  *out = c->energy.row[0];
  if (!x->others) {
    fine = known || look(c, x->from, x->start, out);
    *m = find_middle(c, p, push);
    pw_probe_state(&c->probe, x->from, x->start, u);
    return fine;
  }
  *m = find_middle(c, p, push);
  if (!m->fine) {
    return false;
  }
  look_at_laws(c);
  return known ? pw_probe_at(&c->probe, x->from, x->start, u) : look(c, x->from, x->start, out);
}

void pw_steps_judge_discrete(pawl_certifier *c) {
  pw_steps *x = &c->steps;
  int nv = c->sys->nv;
  pw_energy_row a, b;
  middle m;
  double *p = x->move, *push = p + nv, work = 0, bend = 0, more;
  bool fine = look_before(c, &a, p, push, &m) && pw_all_finite(p, 2 * nv);
  sizes size = {.far = pw_verify_distance(c->sys->model, c->scale.mass, x->after, NULL),
                .push = pw_probe_size(&c->probe, push)};
  double *turn = c->room.scratch;
  find_turn(c, p, turn);
  size.push += pw_probe_size(&c->probe, turn);

  /* p(m, v) - h/2 p'(m, v) - p0 is an impulse of rows that hold at the start. */
  if (fine) {
    bend = -uncounted(c);
    work = judge_half(c, x->from, 1, &size, p, push);
    fine = look(c, x->to, x->after, &b);
  }

  /* A state without numbers leaves the step unseen. */
  if (!fine) {
    pw_coverage_add(&c->count, false, x->to - x->from);
    return;
  }

  /* p1 - p(m, v) - h/2 p'(m, v) is one of rows that hold at the end; H changes by both works. */
  bend += uncounted(c);
  more = judge_half(c, x->to, -1, &size, p, push);
  if (isfinite(m.power)) {
    judge_energy(c, &a, &b, &m, work + more, fabs(more - work) + fabs(bend));
  }

  /* The end is the start of the next step. */
  x->seen = c->probe.n_loaded;
  c->energy.row[0] = b;
  pw_reason_note(&c->record, PW_RULE_STEP, x->to, 0);
  pw_coverage_add(&c->count, true, x->to - x->from);
}
