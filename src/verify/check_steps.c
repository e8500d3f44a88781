// SPDX-License-Identifier: MIT
/* Steps on their way through the checker, and those of Moreau's method: impulse balance (T1) with
 * the percussions that the run shows, positions where the mean velocity leads, the laws, and the
 * energy. */
#include "verify/steps.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/dense.h"
#include "verify/checker.h"

void pw_steps_lay(pw_steps *x, const pw_system *s, pw_layout *l) {
  size_t nq = (size_t)s->nq, nv = (size_t)s->nv, nr = (size_t)s->nr, ni = (size_t)s->ni;
  struct {
    double **array;
    size_t n;
  } parts[] = {{&x->start, nq + nv},  {&x->end, nq + nv},    {&x->after, nq + nv},
               {&x->middle, nq + nv}, {&x->arrive, nq},      {&x->move, 2 * nv},
               {&x->P, nr},           {&x->rate.before, nr}, {&x->rate.mean, nr},
               {&x->rate.behind, nr}, {&x->gap, nr},         {&x->rate.room, nr},
               {&x->e, ni},           {&x->set.lo, ni},      {&x->set.hi, ni},
               {&x->set.least, ni},   {&x->met, ni},         {&x->rate.turn, nr},
               {&x->set.kink_lo, ni}, {&x->set.kink_hi, ni}, {&x->stops, 2 * nr * nv},
               {&x->rate.bend, nr},   {&x->set.most, ni},    {&x->set.hold, ni}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    *parts[i].array = PW_LAY(l, parts[i].n, double);
  }
  x->force = PW_LAY(l, s->model->rows.n, double);
  x->mode = PW_LAY(l, s->model->rows.n, unsigned char);
  x->taken = PW_LAY(l, s->ni, unsigned char);
  x->graphs = x->others = false;
  for (int i = 0; i < s->ni; i++) {
    x->graphs = x->graphs || !s->law[i].wall;
    x->others = x->others || x->graphs || s->law[i].on_velocity;
  }
}

/* ---- positions ---- */

/* Mean velocity, midpoint, and where they lead: q' = F u at the midpoint. */
static void find_middle(pawl_certifier *c) {
  enum { ROUNDS = 4 }; /* each gains two orders of the step */
  pw_steps *x = &c->steps;
  int nq = c->sys->nq, n = c->sys->nv;
  double h = x->to - x->from, *v = x->middle + nq, *rate = c->room.scratch;
  for (int i = 0; i < n; i++) {
    v[i] = (x->start[nq + i] + x->after[nq + i]) / 2;
    x->move[i] = (x->after[nq + i] - x->start[nq + i]) / 2;
  }
  memcpy(x->middle, x->start, (size_t)nq * sizeof *v);
  for (int k = 0; k < ROUNDS; k++) {
    pw_motion_rate(c->sys->model, x->middle, v, rate);
    for (int i = 0; i < nq; i++) {
      x->middle[i] = x->start[i] + h / 2 * rate[i];
      x->arrive[i] = x->start[i] + h * rate[i];
    }
  }
}

static bool touches(const pawl_certifier *c, int row) {
  const pw_probe *p = &c->probe;
  double near = PW_SCALE(CERT_ZERO) * c->scale.L0 * p->length[row];
  return pw_law_is_wall(&c->sys->row[row]) && !c->sys->row[row].on_velocity &&
         c->steps.gap[row] <= near;
}

/* M^-1 J^T of equalities (but for an instant), and of what is met where the probe is (`arrived`:
 * where the step has led, else at its end) behind those in x->stops. */
static void find_stops(pawl_certifier *c, bool arrived, bool instant) {
  pw_steps *x = &c->steps;
  const pw_system *s = c->sys;
  const pw_probe *p = &c->probe;
  int n = s->nv;
  for (int i = 0; i < s->nr; i++) {
    bool wall = i >= s->nc && pw_law_is_wall(&s->row[i]) && !s->row[i].on_velocity;
    bool met = wall && (arrived ? x->met[i - s->nc] < 0 : touches(c, i));
    if ((i < s->nc && !instant) || met) {
      double *way = x->stops + (size_t)x->n_stop++ * (size_t)n;
      memcpy(way, p->J + (size_t)i * (size_t)n, (size_t)n * sizeof *way);
      pw_probe_forward(p, way);
      pw_probe_backward(p, way);
    }
  }
}

/* The same as columns in the metric of the probe. */
static void add_stops(pawl_certifier *c) {
  const pw_steps *x = &c->steps;
  const pw_probe *p = &c->probe;
  int n = c->sys->nv;
  for (int k = 0; k < x->n_stop; k++) {
    double *col = pw_reach_add(&c->room.reach, -INFINITY, INFINITY);
    for (int i = 0; col != NULL && i < n; i++) {
      const double *way = x->stops + (size_t)k * (size_t)n;
      col[i] = pw_dot(p->L + (size_t)i * (size_t)n + i, way + i, n - i);
    }
  }
}

/* Positions are where the mean velocity leads, or were put back along the gradients of what is met
 * there, and then at the end: in between these turn. The probe is at the end. */
static void judge_place(pawl_certifier *c) {
  pw_steps *x = &c->steps;
  const pw_system *s = c->sys;
  int n = s->nv;
  double h = x->to - x->from, whole = h * c->scale.V0, *d = x->move + n, *dq = c->room.scratch + n;
  for (int i = 0; i < s->nq; i++) {
    dq[i] = x->after[i] - x->arrive[i];
  }
  pw_motion_error(s->model, x->after, dq, c->room.scratch);
  for (int i = 0; i < n; i++) {
    d[i] = pw_dot(c->probe.L + (size_t)i * (size_t)n + i, c->room.scratch + i, n - i);
  }
  double rest = x->put = pw_norm2(d, n);
  if (!x->straight) {
    find_stops(c, false, false);
    pw_reach_begin(&c->room.reach);
    add_stops(c);
    pw_reach_solve(&c->room.reach, d);
    rest = c->room.reach.distance;
  }
  double far = pw_verify_distance(s->model, c->scale.mass, x->after, NULL);
  double put_back = x->put / whole, rounding = PW_SCALE(CERT_TERMS) * far / whole;
  pw_verify_found f = pw_found(
      rest / whole, PW_SCALE(CERT_STEP) + rounding + PW_SCALE(CERT_STEP_TURN) * pw_min(put_back, 1),
      x->to, -1, PW_RULE_STEP);
  pw_found_note(&c->record, PW_FINDING_KINEMATIC, f);
  f = pw_found(put_back, 2 + rounding, x->to, -1, PW_RULE_STEP);
  pw_found_note(&c->record, PW_FINDING_CONTINUITY, f);
}

/* Nothing was put back: a bound of what judge_place asks for, from below. */
static bool is_straight(const pawl_certifier *c) {
  const pw_steps *x = &c->steps;
  double far = pw_verify_distance(c->sys->model, c->scale.mass, x->after, x->arrive);
  double whole = (x->to - x->from) * c->scale.V0;
  return c->sys->nc == 0 && far <= PW_SCALE(CERT_STEP) / PW_SCALE(CERT_MARGIN) * whole;
}

/* ---- the three states of a step ---- */

typedef struct power { /* of the forces of the model, and energies, at a state */
  double work, energy, kinetic, speed, doubt;
  double jump; /* of the work at switching surfaces */
} power;

static power power_at(pawl_certifier *c) {
  const pw_probe *p = &c->probe;
  int n = c->sys->nv;
  power x = {.work = pw_dot(p->speed, p->h, n), .speed = p->fast};
  const double *e = pw_probe_energies(&c->probe);
  x.kinetic = e[0];
  x.energy = e[0] + e[1] - e[2];
  x.doubt = PW_SCALE(CERT_TERMS) * (fabs(e[0]) + fabs(e[1]));
  return x;
}

/* Rates at one end by the other side of the surfaces that it lies on, or has crossed; returns what
 * they change of the power. */
static double look_beside(pawl_certifier *c, double t, const double *state, double ahead,
                          const double *rates) {
  pw_steps *x = &c->steps;
  double work = pw_dot(c->probe.speed, c->probe.h, c->sys->nv);
  if (c->sys->n_switch > 0 && pw_probe_beside(&c->probe, t, state, state + c->sys->nq, ahead)) {
    for (int i = 0; i < c->sys->nr; i++) {
      x->rate.turn[i] += fabs(c->probe.rate[i] - rates[i]);
    }
    pw_step_laws_look(c);
  }
  return fabs(work - pw_dot(c->probe.speed, c->probe.h, c->sys->nv));
}

/* Surfaces, also of velocities, are on the sides of the start. */
static bool probe_kept(pawl_certifier *c, double t, const double *q, const double *u) {
  const pw_steps *x = &c->steps;
  pw_probe_state_beside(&c->probe, x->from, x->start, x->start + c->sys->nq,
                        PW_SCALE(CERT_AHEAD) * (x->to - x->from));
  return pw_probe_kept(&c->probe, t, q, u);
}

/* ahead NAN: as at the start. */
static bool look(pawl_certifier *c, double t, const double *state, double ahead, double *rates) {
  const pw_system *s = c->sys;
  const double *u = state + s->nq;
  pw_row_view row = {t, state, NULL, u, NULL, 0, 0};
  if (!(isnan(ahead) ? probe_kept(c, t, state, u)
                     : pw_probe_beside(&c->probe, t, state, u, ahead))) {
    return false;
  }
  pw_scale_row(c, &row);
  pw_step_laws_look(c);
  memcpy(rates, c->probe.rate, (size_t)s->nr * sizeof *rates);
  return true;
}

static bool look_at_start(pawl_certifier *c, power *out) {
  pw_steps *x = &c->steps;
  double ahead = PW_SCALE(CERT_AHEAD) * (x->to - x->from);
  pw_step_laws_begin(x, c->sys);
  memset(x->rate.turn, 0, (size_t)c->sys->nr * sizeof *x->rate.turn);
  if (!look(c, x->from, x->start, ahead, x->rate.before)) {
    return false;
  }
  for (int k = 0; k < c->sys->ni; k++) {
    x->e[k] = pw_probe_law(&c->probe, c->sys->nc + k).restitution;
  }
  *out = power_at(c);
  out->jump = look_beside(c, x->from, x->start, -ahead, x->rate.before);
  return true;
}

static bool look_at_end(pawl_certifier *c, power *out) {
  pw_steps *x = &c->steps;
  const pw_system *s = c->sys;
  double h = x->to - x->from, ahead = -h * (1 + PW_SCALE(CERT_AHEAD)); /* sides of the start */
  x->stretch = pw_motion_unit(s->model, x->arrive) + PW_SCALE(CERT_ZERO);
  bool seen = pw_step_laws_meet_face(c) /* not yet put back */
                  ? probe_kept(c, x->to, x->arrive, x->after + s->nq)
                  : pw_probe_at(&c->probe, x->to, x->arrive, x->after + s->nq);
  if (!seen) {
    return false;
  }
  memcpy(x->met, c->probe.value + s->nc, (size_t)s->ni * sizeof *x->met);
  x->n_stop = 0;
  x->straight = is_straight(c);
  if (!x->straight) {
    find_stops(c, true, false);
  }
  x->n_arrive = x->n_stop;
  *out = power_at(c);
  if (!look(c, x->to, x->after, ahead, x->rate.behind)) {
    return false;
  }
  memcpy(x->gap, c->probe.value, (size_t)s->nr * sizeof *x->gap);
  pw_row_view row = {x->to, x->after, NULL, x->after + s->nq, NULL, 0, 0};
  pw_verify_admissible(c, &row);
  if (c->scale.V0 > 0) {
    judge_place(c);
  }
  out->work = power_at(c).work;
  out->speed = c->probe.fast;
  out->jump = look_beside(c, x->to, x->after, h * PW_SCALE(CERT_AHEAD), x->rate.behind);
  return true;
}

/* What rates at the ends may miss: what the rows change from the midpoint on, and what forces move
 * in the step. */
static void find_room(pawl_certifier *c) {
  pw_steps *x = &c->steps;
  const pw_system *s = c->sys;
  const pw_probe *p = &c->probe;
  int n = s->nv;
  double h = x->to - x->from, force = p->pull;
  for (int i = 0; i < s->nr; i++) {
    double turn = pw_dot(p->J + (size_t)i * (size_t)n, x->move, n);
    double bend =
        fabs(p->rate[i] + turn - x->rate.behind[i]) + fabs(p->rate[i] - turn - x->rate.before[i]);
    double pull = fabs(p->zeta[i]) + 2 * p->length[i] * force;
    x->rate.bend[i] = bend;
    x->rate.room[i] =
        bend + x->rate.turn[i] + 2 * h * pull + PW_SCALE(CERT_STEP) * c->scale.V0 * p->length[i];
    if (x->P[i] != 0 && p->length[i] > 0) {
      x->slack = pw_max(x->slack, x->rate.room[i] / (p->length[i] * c->scale.V0));
    }
  }
}

/* ---- impulses ---- */

/* r = L^T (u1 - u0) - h L^-1 f - sum P L^-1 Phi; returns the size of the momentum that moves. */
static double balance(pawl_certifier *c, double *r) {
  const pw_steps *x = &c->steps;
  const pw_system *s = c->sys;
  const pw_probe *p = &c->probe;
  int n = s->nv;
  double h = x->to - x->from;
  for (int i = 0; i < n; i++) {
    r[i] = 2 * pw_dot(p->L + (size_t)i * (size_t)n + i, x->move + i, n - i);
  }
  double scale = pw_norm2(r, n) + h * p->pull;
  pw_axpy(-h, p->h, r, n);
  for (int i = s->nc; i < s->nr; i++) {
    pw_axpy(-x->P[i], p->A + (size_t)i * (size_t)n, r, n);
    scale += fabs(x->P[i]) * p->reach[i];
  }
  return scale + PW_SCALE(CERT_ZERO) * c->scale.V0;
}

/* What is left of the balance must be the impulse of equalities. */
static void add_equalities(pawl_certifier *c) {
  const pw_system *s = c->sys;
  pw_reach_begin(&c->room.reach);
  for (int i = 0; i < s->nc; i++) {
    double *col = pw_reach_add(&c->room.reach, -INFINITY, INFINITY);
    if (col != NULL) {
      memcpy(col, c->probe.A + (size_t)i * (size_t)s->nv, (size_t)s->nv * sizeof *col);
    }
  }
}

static void fit_equalities(pawl_certifier *c, const double *r) {
  add_equalities(c);
  pw_reach_solve(&c->room.reach, r);
}

/* The surfaces are on the sides of the start, which may lie on one. */
static bool look_at_middle(pawl_certifier *c) {
  pw_steps *x = &c->steps;
  double h = x->to - x->from, best = INFINITY;
  double before = -h / 2 * (1 + PW_SCALE(CERT_AHEAD)), behind = -h / 2 * (1 - PW_SCALE(CERT_AHEAD));
  double side[] = {behind, before, 0, (double)NAN}, chosen = behind;
  for (int k = 0; c->sys->n_switch > 0 && k < 4; k++) {
    if (look(c, x->from + h / 2, x->middle, side[k], x->rate.mean)) {
      (void)balance(c, c->room.residual);
      fit_equalities(c, c->room.residual);
      chosen = c->room.reach.distance < best ? side[k] : chosen;
      best = pw_min(best, c->room.reach.distance);
    }
  }
  return look(c, x->from + h / 2, x->middle, chosen, x->rate.mean);
}

/* What the balance of the step lacks along the stops is taken from the velocities at its end;
 * returns its size. */
static double take_part(pawl_certifier *c) {
  const pw_steps *x = &c->steps;
  const pw_system *s = c->sys;
  pw_probe *p = &c->probe;
  pw_reach *reach = &c->room.reach;
  int n = s->nv;
  double h = x->to - x->from, *stop = x->move + n;
  find_middle(c);
  if (!pw_probe_beside(p, x->from + h / 2, x->middle, x->middle + s->nq, -h / 2)) {
    return 0;
  }
  (void)balance(c, c->room.residual);
  add_equalities(c);
  add_stops(c);
  pw_reach_solve(reach, c->room.residual);
  memset(stop, 0, (size_t)n * sizeof *stop);
  for (int k = s->nc; k < reach->k; k++) {
    pw_axpy(reach->x[k], reach->A + (size_t)k * (size_t)n, stop, n);
  }
  double size = pw_norm2(stop, n);
  pw_probe_backward(p, stop);
  pw_axpy(-1, stop, x->after + s->nq, n);
  return size;
}

/* Velocities at the end of the step before contacts that close there are stopped; returns how much
 * that has changed them. They move the midpoint and its forces: each round gains an order of the
 * step. */
static double take_back(pawl_certifier *c) {
  enum { ROUNDS = 3 };
  pw_steps *x = &c->steps;
  double size = 0;
  x->n_stop = 0;
  if (!pw_probe_at(&c->probe, x->to, x->after, x->after + c->sys->nq)) {
    return 0;
  }
  memcpy(x->gap, c->probe.value, (size_t)c->sys->nr * sizeof *x->gap);
  find_stops(c, false, true);
  for (int round = 0; round < ROUNDS; round++) {
    size += take_part(c);
  }
  return size;
}

/* What is left where velocities were put back at the end, with the positions: by as much as the
 * equalities there turn on that way, and as quaternions were stretched. */
static double put_back_rest(pawl_certifier *c, const double *r) {
  pw_steps *x = &c->steps;
  const pw_probe *p = &c->probe;
  pw_reach *reach = &c->room.reach;
  int nc = c->sys->nc;
  double way = (x->to - x->from) * x->speed,
         put = way > 0 ? PW_SCALE(CERT_MARGIN) * x->put / way : 0;
  add_equalities(c);
  add_stops(c); /* those of the arrival, and of the end */
  for (int k = nc; k < reach->k; k++) {
    int at = k - nc < x->n_arrive ? k - nc : k - nc - x->n_arrive, row = at < nc ? at : -1;
    double most =
        row < 0 || p->length[row] == 0
            ? 0
            : (put * x->rate.bend[row] / p->length[row] + x->stretch * x->speed) / p->length[row];
    reach->lo[k] = -most;
    reach->hi[k] = most;
  }
  pw_reach_solve(reach, r);
  return reach->distance;
}

static void judge_balance(pawl_certifier *c, const double *r, double scale, double stopped) {
  const pw_steps *x = &c->steps;
  const pw_probe *p = &c->probe;
  double rounding = PW_SCALE(CERT_TERMS) * c->scale.V0 / scale, most = 0;
  for (int i = c->sys->nc; stopped > 0 && i < c->sys->nr; i++) {
    most += touches(c, i) && p->length[i] > 0 ? x->rate.room[i] / p->length[i] : 0;
  }
  fit_equalities(c, r);
  double rest = c->room.reach.distance;
  bool locked = pw_step_laws_lock(c);
  double tolerance = (locked ? PW_SCALE(CERT_STEP_LOCKED) : PW_SCALE(CERT_STEP)) + rounding;
  double round = x->graphs ? c->opts.tol : PW_SCALE(CERT_ZERO_RATE) * PW_SCALE(CERT_ZERO);
  tolerance += x->acts ? round * x->speed / scale : 0; /* rounds end by speeds */
  if (rest > tolerance * scale && c->sys->nc > 0) {
    rest = pw_min(rest, put_back_rest(c, r));
    fit_equalities(c, r);
  }
  double off = rest + pw_max(stopped - most, 0);
  pw_verify_found f = pw_found(off / scale, tolerance, x->to, -1, PW_RULE_STEP);
  pw_found_note(&c->record, PW_FINDING_MOMENTUM, f);
}

/* ---- energy ---- */

/* The work of everything with the mean velocity; equalities have theirs in the last reach. */
static double work_of(pawl_certifier *c, double *doubt) {
  const pw_steps *x = &c->steps;
  const pw_system *s = c->sys;
  const double *v = x->middle + s->nq;
  double sum = (x->to - x->from) * pw_probe_power(&c->probe);
  pw_probe_along(&c->probe);
  for (int i = s->nc; i < s->nr; i++) {
    sum += x->P[i] != 0 ? x->P[i] * pw_probe_work_rate(&c->probe, i, v) : 0;
    if (s->row[i].kind == PW_KIND_KINK && !s->row[i].on_velocity) { /* its energy is part of V */
      double step = pw_max(x->set.hi[i - s->nc], x->set.kink_hi[i - s->nc]) -
                    pw_min(x->set.lo[i - s->nc], x->set.kink_lo[i - s->nc]);
      *doubt += (x->to - x->from) * step * fabs(x->rate.mean[i]);
    }
  }
  for (int i = 0; i < s->nc; i++) {
    sum += c->room.reach.x[i] * pw_probe_work_rate(&c->probe, i, v);
  }
  return sum;
}

/* Energy changes by works alone, up to the order of the step: what the power bends in it, and with
 * percussions what the masses change. */
static void judge_energy(pawl_certifier *c, const power *a, const power *b, double scale) {
  const pw_steps *x = &c->steps;
  const pw_probe *p = &c->probe;
  int n = c->sys->nv;
  double h = x->to - x->from, middle = pw_dot(p->speed, p->h, n);
  double bend = h * (fabs(a->work + b->work - 2 * middle) / 2 + a->jump + b->jump) +
                c->room.reach.distance * x->speed;
  double *u = x->move + n;
  for (int sign = -1; sign <= 1; sign += 2) { /* kinetic energies with the masses of the middle */
    for (int i = 0; i < n; i++) {
      u[i] = x->middle[c->sys->nq + i] + sign * x->move[i];
    }
    double size = pw_verify_size(p, u);
    bend += pw_min(scale / (size + scale), 1) * fabs(size * size / 2 - (sign < 0 ? a : b)->kinetic);
  }
  pw_energy_row from = {.t = x->from, .energy = a->energy, .doubt = a->doubt};
  pw_energy_row to = {.t = x->to, .energy = b->energy, .doubt = b->doubt};
  double work = work_of(c, &bend);
  if (isfinite(a->energy + b->energy + work + bend)) {
    if (c->energy.n == 0) {
      pw_energy_add(c, &from, &from, 0, 0);
      c->energy.n = 1;
    }
    pw_energy_add(c, &from, &to, work, bend);
  }
}

/* ---- a step ---- */

static void nothing_seen(pawl_certifier *c) {
  const pw_steps *x = &c->steps;
  pw_reason_note(&c->record, PW_RULE_NO_FIT, x->to, NAN);
  pw_coverage_add(&c->count, false, x->to - x->from);
}

static void judge_moreau(pawl_certifier *c, bool instant) {
  pw_steps *x = &c->steps;
  double h = x->to - x->from, *r = c->room.residual;
  power a, b;
  pw_probe_loads(&c->probe, x->force); /* bounds by the forces of equalities are means, too */
  double stopped = instant ? take_back(c) : 0;
  find_middle(c);
  if (!look_at_start(c, &a) || !look_at_end(c, &b) || !look_at_middle(c)) {
    nothing_seen(c);
    return;
  }
  if (!(c->scale.V0 > 0 && c->scale.L0 > 0)) { /* no motion and no force */
    pw_coverage_add(&c->count, true, h);
    return;
  }
  find_room(c);
  x->speed = pw_max(a.speed, b.speed);
  double scale = balance(c, r);
  judge_balance(c, r, scale, stopped);
  judge_energy(c, &a, &b, scale);
  pw_step_laws_judge(c, scale);
  pw_step_laws_book(c);
  pw_coverage_add(&c->count, true, h);
}

/* The step that waits, with the state behind the instant at its end. */
static void settle(pawl_certifier *c, const double *state, bool instant) {
  pw_steps *x = &c->steps;
  const pw_system *s = c->sys;
  if (!x->open) {
    return;
  }
  x->open = false;
  memcpy(x->after, state, ((size_t)s->nq + (size_t)s->nv) * sizeof *state);
  c->count.n_instant++;
  if (x->scheme == PW_SCHEME_MOREAU) {
    judge_moreau(c, instant);
  } else {
    pw_steps_judge_discrete(c);
  }
}

/* Mean forces of the step, and the percussions that they are. */
static void take_forces(pw_steps *x, const pw_system *s, const pw_segment *g) {
  int laws = s->model->rows.n;
  double h = g->to - g->from;
  x->acts = s->nc > 0;
  for (int i = 0; i < s->nr; i++) {
    bool first = i >= s->nc && s->index_of[s->row_of[i]] == i;
    x->P[i] = first ? h * pw_law_multiplier(&s->row[i], g->force[laws + s->row_of[i]]) : 0;
    x->acts = x->acts || x->P[i] != 0;
  }
  memcpy(x->force, g->force + laws, (size_t)laws * sizeof *x->force);
}

static void take_step(pawl_certifier *c, const pw_segment *g, const double *last) {
  pw_steps *x = &c->steps;
  const pw_system *s = c->sys;
  size_t state = (size_t)s->nq + (size_t)s->nv;
  int laws = s->model->rows.n;
  memcpy(x->start, g->value, state * sizeof *last);
  memcpy(x->end, last, state * sizeof *last);
  if (x->scheme == PW_SCHEME_MOREAU) {
    take_forces(x, s, g);
  }
  x->changes = x->changes || (c->own.number > 0 && memcmp(x->mode, g->mode, (size_t)laws) != 0);
  memcpy(x->mode, g->mode, (size_t)laws);
  x->from = g->from;
  x->to = g->to;
  x->longest = pw_max(x->longest, g->to - g->from);
  x->open = true;
  c->own.number++;
}

void pw_steps_segment(pawl_certifier *c, const pw_segment *g, int stride) {
  const pw_system *s = c->sys;
  pw_own *o = &c->own;
  int n = s->nq + s->nv;
  const double *last = g->value + (ptrdiff_t)(g->nodes - 1) * stride;
  if (!c->scale.scaled) {
    memcpy(c->scale.first_q, g->value, (size_t)s->nq * sizeof(double));
  }
  settle(c, g->value, false);
  if (o->any && g->from > o->to) {
    c->count.gap_time += g->from - o->to;
  } else {
    pw_own_join(c, g->from, g->value);
  }
  if (g->to > g->from) {
    take_step(c, g, last);
  }
  memcpy(o->end, last, (size_t)n * sizeof *last);
  for (int k = 0; k < s->n_work; k++) {
    o->works[k] = pw_max(o->works[k], fabs(last[n + 1 + k]));
  }
  o->any = true;
  o->to = g->to;
}

/* Steps of a discrete Lagrangian end where a gap closes, and jumps are jumps of an instant. */
void pw_steps_side(pawl_certifier *c, const pw_row_view *before, const pw_row_view *after) {
  pw_own *o = &c->own;
  const pw_system *s = c->sys;
  c->count.n_rows += 2;
  if (o->any && after->t < o->to) {
    return; /* between the ends of a step: its straight line */
  }
  memcpy(o->end, after->q, (size_t)s->nq * sizeof *o->end);
  memcpy(o->end + s->nq, after->u, (size_t)s->nv * sizeof *o->end);
  o->to = pw_max(o->to, after->t);
  o->any = true;
  if (c->steps.scheme == PW_SCHEME_VARIATIONAL) {
    settle(c, c->steps.end, true);
    pw_verify_corner(c, before, after);
  } else {
    settle(c, o->end, true);
  }
}

void pw_steps_finish(pawl_certifier *c) {
  settle(c, c->own.end, false);
}
