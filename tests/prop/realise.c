// SPDX-License-Identifier: MIT
/* Random systems with servos, vakonomic laws, laws of inertia and viscous ones, judged by code of
 * its own:  realise A..B .  Seeds below HELD_SEEDS: integrable constraints, moving ones too, in
 * four ways, must give one motion. From there on: each law by itself, run twice, permuted, scaled.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "held.h"
#include "subject.h"

enum { POINTS = 20, TEXT = 300, HELD_SEEDS = 3000001 };

typedef struct track {
  double t[POINTS], x[POINTS][3 * POLY_VARS]; /* q, u, a */
  double force[POINTS][HELD_LAWS];            /* of the function as drawn */
  int n;
  pawl_status status;
  int refused;
  char why[TEXT];
  double off; /* largest fault seen, over its limit */
  char fault[TEXT];
  double control; /* least so far, see controllability */
  double growth;  /* of the kinetic energy at the last state */
} track;

static const double tol = 1e-11;

/* ---- judging a point ---- */

static void note(track *k, double value, double limit, const char *what, double t) {
  double off = value / limit;
  if (!(off <= k->off)) {
    k->off = isnan(off) ? INFINITY : off;
    snprintf(k->fault, TEXT, "%s %.3g at t = %.6g", what, value, t);
  }
}

static void by_velocity(const poly *f, int n, place at, double *w) {
  for (int i = 0; i < n; i++) {
    w[i] = poly_slope(f, VAR_U, i, at);
  }
}

static void law_gradient_of(const held *l, int n, place at, double *w) {
  for (int i = 0; i < n; i++) {
    w[i] = poly_slope(&l->f, l->positional ? VAR_Q : VAR_U, i, at);
  }
}

static double inner(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += a[i] * b[i];
  }
  return sum;
}

static int is_state(const held *l) {
  return l->way == VAKONOMIC || l->way == INERTIA;
}

/* lambda*(d/dt dphi/du - dphi/dq) without lambda's own rate. */
static double bracket(const poly *phi, int k, int n, place at) {
  poly d;
  poly_diff(phi, VAR_U, k, &d);
  return poly_rate(&d, n, at) - poly_slope(phi, VAR_Q, k, at);
}

/* Takes out of r what unknown rates of multipliers can balance. */
static void leave_out(double *r, double w[HELD_LAWS][POLY_VARS], int m, int n) {
  for (int a = 0; a < m; a++) {
    for (int b = 0; b < a; b++) {
      double c = inner(w[a], w[b], n) / inner(w[b], w[b], n);
      for (int i = 0; i < n; i++) {
        w[a][i] -= c * w[b][i];
      }
    }
    double c = inner(r, w[a], n) / inner(w[a], w[a], n);
    for (int i = 0; i < n; i++) {
      r[i] -= c * w[a][i];
    }
  }
}

static void judge_motion(const hold *h, const pawl_point *p, const double *force, track *k) {
  int n = h->s.n, states = 0;
  place at = {p->t, p->q, p->u};
  double r[POLY_VARS], w[HELD_LAWS][POLY_VARS], size = 1;
  for (int i = 0; i < n; i++) {
    double terms;
    r[i] = scene_balance(&h->s, i, at, p->a, &terms);
    size += terms;
  }
  for (int j = 0; j < h->m; j++) {
    const held *l = &h->law[j];
    double g[POLY_VARS];
    law_gradient_of(l, n, at, g);
    for (int i = 0; i < n; i++) {
      double part = l->way == SERVO ? -force[j] * l->by[i]
                    : is_state(l)   ? force[j] * bracket(&l->phi, i, n, at)
                                    : -force[j] * g[i];
      r[i] += part;
      size += fabs(part);
    }
    if (is_state(l) && !(l->one_sided && poly_at(&l->f, at) > 1e-6)) {
      by_velocity(&l->phi, n, at, w[states++]);
    }
  }
  leave_out(r, w, states, n);
  note(k, sqrt(inner(r, r, n)) / size, 1e-7, "motion", p->t);
}

/* y = M^-1 x */
static void solve_mass(const hold *h, place at, const double *x, double *y) {
  double mass[POLY_VARS][POLY_VARS], c[POLY_VARS];
  int n = h->s.n;
  scene_mass(&h->s, at, mass);
  memcpy(c, x, sizeof c);
  for (int i = 0; i < n; i++) { /* diagonally dominant: no pivots */
    for (int j = i + 1; j < n; j++) {
      double f = mass[j][i] / mass[i][i];
      for (int l = i; l < n; l++) {
        mass[j][l] -= f * mass[i][l];
      }
      c[j] -= f * c[i];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    y[i] = c[i];
    for (int j = i + 1; j < n; j++) {
      y[i] -= mass[i][j] * y[j];
    }
    y[i] /= mass[i][i];
  }
}

static void covector_of(const held *l, int n, place at, double *w) {
  if (l->way == SERVO) {
    memcpy(w, l->by, sizeof l->by);
  } else if (is_state(l)) {
    by_velocity(&l->phi, n, at, w);
  } else {
    law_gradient_of(l, n, at, w);
  }
}

/* (M^-1 Phi_b, grad f_a) */
static double control_of(const hold *h, int a, int b, place at) {
  double w[POLY_VARS], phi[POLY_VARS] = {0}, y[POLY_VARS];
  law_gradient_of(&h->law[a], h->s.n, at, w);
  covector_of(&h->law[b], h->s.n, at, phi);
  solve_mass(h, at, phi, y);
  return inner(w, y, h->s.n);
}

/* How far the laws are from uncontrollable: the determinant over the sizes of its entries; for one
 * law alone over those of gradient and force. */
static double controllability(const hold *h, place at) {
  double least = INFINITY, c[HELD_LAWS][HELD_LAWS];
  for (int a = 0; a < h->m; a++) {
    double w[POLY_VARS], phi[POLY_VARS] = {0}, x[POLY_VARS], y[POLY_VARS];
    law_gradient_of(&h->law[a], h->s.n, at, w);
    covector_of(&h->law[a], h->s.n, at, phi);
    solve_mass(h, at, phi, y);
    solve_mass(h, at, w, x);
    c[a][a] = inner(w, y, h->s.n);
    least = fmin(least, fabs(c[a][a]) / sqrt(inner(w, x, h->s.n) * inner(phi, y, h->s.n)));
  }
  if (h->m == 2) {
    c[0][1] = control_of(h, 0, 1, at);
    c[1][0] = control_of(h, 1, 0, at);
    double det = c[0][0] * c[1][1] - c[0][1] * c[1][0];
    least = fmin(least, fabs(det) / (fabs(c[0][0] * c[1][1]) + fabs(c[0][1] * c[1][0])));
  }
  return least;
}

static void judge_one(const hold *h, int j, const pawl_point *p, double force, track *k) {
  const held *l = &h->law[j];
  int n = h->s.n;
  place at = {p->t, p->q, p->u};
  double value = poly_at(&l->f, at), size = 1 + sqrt(inner(p->u, p->u, n));
  double load = 1 + fabs(force);
  if (l->way == VISCOUS) {
    double want = l->one_sided ? fmax(0, -l->N * value) : -l->N * value;
    note(k, fabs(force - want) / load, 1e-7, "viscous force", p->t);
    return;
  }
  if (l->one_way) {
    note(k, -force / load, 1e-8, "pushes back", p->t);
    note(k, force > 1e-6 ? fabs(value) / size : 0, 1e-7, "constraint", p->t);
    return;
  }
  note(k, l->one_sided ? -value / size : fabs(value) / size, 1e-7, "constraint", p->t);
  if (l->positional) {
    note(k, fabs(poly_rate(&l->f, n, at)) / size, 1e-7, "rate", p->t);
  }
  if (l->one_sided && l->way == SERVO) {
    double sign = control_of(h, j, j, at) < 0 ? -1 : 1;
    note(k, -sign * force / load, 1e-7, "sign of the servo", p->t);
    note(k, fabs(force) * fmax(value, 0) / (load * size), 1e-6, "force off the servo", p->t);
  } else if (l->one_sided) {
    note(k, -force / load, 1e-8, "sign of the multiplier", p->t);
    if (l->complementary) {
      note(k, fabs(force) * fmax(value, 0) / (load * size), 1e-6, "complementarity", p->t);
    }
  }
}

static void judge_energy(const hold *h, pawl_sim *sim, const pawl_system *system, track *k) {
  pawl_energy e;
  pawl_point p;
  double works[16], moved = 0;
  int n = pawl_system_works(system);
  if (n > 16 || pawl_sim_energy(sim, &e, works) != PAWL_OK ||
      pawl_sim_point(sim, PAWL_AFTER, &p) != PAWL_OK) {
    note(k, NAN, 1, "energy", 0);
    return;
  }
  place at = {p.t, p.q, p.u};
  for (int i = 0; i < n; i++) {
    moved += fabs(works[i]);
  }
  double off = fabs(poly_at(&h->s.T, at) - e.kinetic) + fabs(poly_at(&h->s.V, at) - e.potential) +
               fabs(e.unexplained);
  note(k, off / (1 + e.scale + moved), 1e-7 / fmin(1, k->control), "ledger", p.t);
}

/* ---- runs ---- */

static void note_state(const hold *h, pawl_sim *sim, track *k) {
  pawl_point p;
  place start = {0, h->s.q0, h->s.u0};
  if (pawl_sim_point(sim, PAWL_AFTER, &p) == PAWL_OK) {
    place at = {p.t, p.q, p.u};
    k->control = fmin(k->control, controllability(h, at));
    k->growth = poly_at(&h->s.T, at) / (1 + poly_at(&h->s.T, start));
  }
}

static void judge_all(const hold *h, writing v, pawl_sim *sim, const pawl_system *system,
                      int record, track *k) {
  pawl_point p;
  double force[HELD_LAWS] = {0};
  if (pawl_sim_point(sim, PAWL_AFTER, &p) != PAWL_OK) {
    note(k, NAN, 1, "point", 0);
    return;
  }
  for (int j = 0; j < h->m; j++) { /* a law times 10 has a tenth of the multiplier */
    int own = h->law[j].way == SERVO || h->law[j].way == INERTIA;
    force[j] = p.force[v.turned ? h->m - 1 - j : j] * (v.scaled == j && !own ? 10 : 1);
    judge_one(h, j, &p, force[j], k);
  }
  judge_motion(h, &p, force, k);
  judge_energy(h, sim, system, k);
  if (record) {
    size_t size = (size_t)h->s.n * sizeof(double);
    memcpy(k->x[k->n], p.q, size);
    memcpy(k->x[k->n] + h->s.n, p.u, size);
    memcpy(k->x[k->n] + 2 * h->s.n, p.a, size);
    memcpy(k->force[k->n], force, sizeof force);
    k->t[k->n++] = p.t;
  }
}

static pawl_status follow(const hold *h, writing v, pawl_sim *sim, const pawl_system *system,
                          pawl_diags *diags, track *k) {
  for (int i = 1; i <= POINTS; i++) {
    pawl_stop why = PAWL_AT_EVENT;
    while (why == PAWL_AT_EVENT) {
      pawl_status status = pawl_sim_advance(sim, h->s.span * i / POINTS, diags, &why);
      note_state(h, sim, k);
      if (status != PAWL_OK) {
        return status;
      }
      judge_all(h, v, sim, system, why != PAWL_AT_EVENT, k);
    }
  }
  return PAWL_OK;
}

static void run(const hold *h, writing v, double within, track *k) {
  subject is;
  char *text = hold_text(h, v);
  pawl_sim_opts opts = {.tol = within, .max_events = 2000, .max_steps = 100000};
  memset(k, 0, sizeof *k);
  k->control = controllability(h, (place){0, h->s.q0, h->s.u0});
  k->status = subject_open(&is, text, &opts);
  k->refused = k->status != PAWL_OK;
  if (!k->refused) {
    k->status = follow(h, v, is.sim, is.system, is.diags, k);
  }
  if (k->status != PAWL_OK) {
    subject_why(&is, k->why, TEXT);
  }
  subject_close(&is);
  free(text);
}

/* ---- verdicts ---- */

static int fail(const hold *h, writing v, const char *what, const track *k) {
  printf("FAILED seed %llu: %s %s %s\n", (unsigned long long)h->s.seed, what,
         k->off > 1 ? k->fault : "", k->why);
  char *text = hold_text(h, v);
  printf("%s", text);
  free(text);
  return 0;
}

static double distance(const track *a, const track *b, int i, int width) {
  double most = 0;
  for (int c = 0; c < width; c++) {
    double d = fabs(a->x[i][c] - b->x[i][c]) / (1 + fabs(a->x[i][c]));
    most = isnan(d) || d > most ? d : most;
  }
  return most;
}

/* 1: the two runs are one motion, as far as a run with another tolerance can tell. */
static int same(const track *a, const track *b, const track *fine, int width) {
  double spread = 0;
  for (int i = 0; i < a->n && i < b->n; i++) {
    spread = fmax(spread, i < fine->n ? distance(a, fine, i, width) : INFINITY);
    if (!(distance(a, b, i, width) <= 1e3 * (spread + tol))) {
      return 0;
    }
  }
  return a->n == b->n || fabs((double)a->n - b->n) <= 1;
}

/* Servos lose their grip or drive the motion to infinity, multipliers with a sign are used up; an
 * ideal, vakonomic or viscous law has no reason to stop. */
static int may_stop(const hold *h, const track *k) {
  int sided = 0, plain = 1;
  for (int j = 0; j < h->m; j++) {
    const held *l = &h->law[j];
    sided = sided || (l->one_sided && l->way == INERTIA) || (h->m > 1 && l->way == SERVO);
    plain = plain && (l->way != SERVO && l->way != INERTIA);
  }
  int lost = k->control < 0.01 || k->growth > 1e4;
  int endless = strncmp(k->why, "E0510", 5) == 0 || strncmp(k->why, "E0511", 5) == 0;
  return k->why[0] == 'E' && !plain && (lost || (sided && !endless));
}

static int lawful(const hold *h) {
  static track first, other, fine;
  writing plain = {0, -1};
  run(h, plain, tol, &first);
  run(h, plain, tol, &other);
  if (memcmp(&first, &other, sizeof first) != 0) {
    return fail(h, plain, "not the same twice", &first);
  }
  if (first.off > 1) {
    return fail(h, plain, "judged", &first);
  }
  if (first.status != PAWL_OK) {
    printf("seed %llu %s after %d points, control %.3g: %s\n", (unsigned long long)h->s.seed,
           first.refused ? "refused" : "stopped", first.n, first.control, first.why);
    if (!may_stop(h, &first)) {
      return fail(h, plain, "needless stop", &first);
    }
  }
  run(h, plain, tol / 10, &fine);
  for (int k = 0; k <= h->m; k++) {
    writing v = {k == h->m, k == h->m ? -1 : k};
    run(h, v, tol, &other);
    if (other.off > 1) {
      return fail(h, v, "judged", &other);
    }
    if (other.status != first.status || !same(&first, &other, &fine, 2 * h->s.n)) {
      return fail(h, v, "another motion", &other);
    }
  }
  return 1;
}

/* ---- integrable constraints ---- */

/* f = d/dt g: g = const, f = 0 and the vakonomic law with any start of its multiplier are one
 * motion; the force of the first two is minus the rate of the third's multiplier, whose difference
 * between two starts therefore stays. */
static int one_motion(uint64_t seed) {
  static hold h;
  static track ways[4], fine;
  poly g[HELD_LAWS];
  dice d = {seed}, moving = {~seed};
  writing plain = {0, -1};
  hold_energies(&h, seed, &d);
  h.m = h.s.n > 2 && dice_chance(&d, 0.5) ? 2 : 1;
  for (int k = 0; k < h.m; k++) {
    hold_function(&h, &g[k], &d);
    if (dice_chance(&moving, 0.4)) {
      hold_moving(&h, &g[k], &moving);
    }
    hold_rate(&g[k], h.s.n, &h.law[k].f);
  }
  hold_project(&h);
  double first[HELD_LAWS], second[HELD_LAWS];
  for (int k = 0; k < h.m; k++) {
    first[k] = dice_range(&d, -3, 3, 1);
    second[k] = dice_range(&d, -3, 3, 1);
  }
  for (int how = 0; how < 4; how++) {
    for (int k = 0; k < h.m; k++) {
      held *l = &h.law[k];
      l->way = how < 2 ? IDEAL : VAKONOMIC;
      l->positional = how == 1;
      if (how == 1) {
        l->f = g[k];
        poly_add(&l->f, -poly_at(&g[k], (place){0, h.s.q0, h.s.u0}));
      } else {
        hold_rate(&g[k], h.s.n, &l->f);
      }
      l->phi = l->f;
      l->lambda = how == 2 ? first[k] : second[k];
    }
    run(&h, plain, tol, &ways[how]);
    if (how == 0) {
      run(&h, plain, tol / 10, &fine);
    }
    if (ways[how].status != PAWL_OK || ways[how].off > 1) {
      return fail(&h, plain, "integrable", &ways[how]);
    }
    if (!same(&ways[0], &ways[how], &fine, 3 * h.s.n)) {
      return fail(&h, plain, "integrable: another motion", &ways[how]);
    }
  }
  for (int i = 0; i < POINTS; i++) {
    for (int k = 0; k < h.m; k++) {
      double apart = ways[2].force[i][k] - ways[3].force[i][k] - (first[k] - second[k]);
      double ideal = ways[0].force[i][k] - ways[1].force[i][k];
      double limit = 1e-8 / ways[0].control; /* nearly parallel ones share their force freely */
      if (!(fabs(apart) <= limit && fabs(ideal) <= limit * (1 + fabs(ways[0].force[i][k])))) {
        return fail(&h, plain, "integrable: other multipliers", &ways[3]);
      }
    }
  }
  return 1;
}

int main(int argc, char **argv) {
  static hold h;
  unsigned long long from, to;
  long passed = 0, failed = 0;
  if (argc < 2 || sscanf(argv[1], "%llu..%llu", &from, &to) != 2) {
    fprintf(stderr, "usage: %s A..B\n", argv[0]);
    return 2;
  }
  for (uint64_t seed = from; seed <= to; seed++) {
    int good;
    if (seed < HELD_SEEDS) {
      good = one_motion(seed);
    } else {
      hold_draw(&h, seed);
      good = lawful(&h);
    }
    passed += good;
    failed += !good;
    fflush(stdout);
  }
  printf("%ld passed, %ld failed\n", passed, failed);
  return failed > 0;
}
