// SPDX-License-Identifier: MIT
/* Stationary action as equations, theory (87), (88): on each flight q is a polynomial of degree N
 * through Chebyshev nodes, with q'' = a(t, q, q') at the inner ones, contacts held or not; at an
 * impact q is continuous, the gap is zero, M (u+ - u-) = J^T Lambda and gap'+ = -e gap'-; a contact
 * is left where its force is zero. Unknown are the nodes, the instants and the impulses: Newton's
 * method on all of them, with differences for derivatives. */
#include "bvp/collocate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/real.h"
#include "linalg/dense.h"
#include "linalg/qr.h"
#include "mech/frame.h"

enum { FIRST = 16, MOST_NODES = 65, MAX_ITER = 12, MOST = 700 };

typedef struct scheme {
  pw_shoot *x;
  pw_mech *mech;
  const pw_path *path;
  pw_frame frame;
  double *memory;                   /* of the frame */
  int N;                            /* degree of the polynomials */
  double node[MOST_NODES];          /* in [0, 1] */
  double D[MOST_NODES][MOST_NODES]; /* derivative at node i of the polynomial through the nodes */
  double D2[MOST_NODES][MOST_NODES];
  int n, unknowns, equations;
  double *e;               /* restitutions, ni */
  double *q, *u, *scratch; /* nv each, scratch 3 nv */
  double speed, reach;     /* scales of velocities and positions */
} scheme;

bool pw_collocate_fits(const pw_system *sys) {
  bool fits = sys->nq == sys->nv && sys->n_switch == 0 && sys->n_state == 0 && !sys->oblique;
  for (int i = sys->nc; i < sys->nr; i++) {
    const pw_row *row = &sys->model->rows.items[sys->row_of[i]];
    fits = fits && row->kind == PW_KIND_UNILATERAL && !row->clause.poisson;
  }
  return fits;
}

/* ---- polynomials ---- */

/* Barycentric weights of Chebyshev points of the second kind: 1/2, -1, 1, ..., +-1/2. */
static void differentiation(scheme *z) {
  const double pi = acos(-1);
  for (int i = 0; i <= z->N; i++) {
    z->node[i] = (1 - cos(pi * i / z->N)) / 2;
  }
  for (int i = 0; i <= z->N; i++) {
    double sum = 0;
    for (int j = 0; j <= z->N; j++) {
      double wi = (i == 0 || i == z->N ? 0.5 : 1) * (i % 2 == 0 ? 1 : -1);
      double wj = (j == 0 || j == z->N ? 0.5 : 1) * (j % 2 == 0 ? 1 : -1);
      z->D[i][j] = i == j ? 0 : wj / wi / (z->node[i] - z->node[j]);
      sum += z->D[i][j];
    }
    z->D[i][i] = -sum;
  }
  for (int i = 0; i <= z->N; i++) {
    for (int j = 0; j <= z->N; j++) {
      double sum = 0;
      for (int k = 0; k <= z->N; k++) {
        sum += z->D[i][k] * z->D[k][j];
      }
      z->D2[i][j] = sum;
    }
  }
}

/* ---- the unknowns: nodes of all flights, then instants, then impulses ---- */

static const double *nodes_of(const scheme *z, const double *v, int flight) {
  return v + (size_t)flight * (size_t)(z->N + 1) * (size_t)z->n;
}

static double instant(const scheme *z, const double *v, int k) {
  const double *t = v + (size_t)(z->path->joints + 1) * (size_t)(z->N + 1) * (size_t)z->n;
  return k == 0 ? z->x->from : k > z->path->joints ? z->x->to : t[k - 1];
}

static double impulse(const scheme *z, const double *v, int k) {
  return v[(size_t)(z->path->joints + 1) * (size_t)(z->N + 1) * (size_t)z->n +
           (size_t)z->path->joints + (size_t)k];
}

static void apply(const scheme *z, const double *D, const double *nodes, double factor,
                  double *out) {
  for (int c = 0; c < z->n; c++) {
    double sum = 0;
    for (int j = 0; j <= z->N; j++) {
      sum += D[j] * nodes[(size_t)j * (size_t)z->n + (size_t)c];
    }
    out[c] = sum * factor;
  }
}

/* ---- the equations ---- */

static void hold(scheme *z, int flight) {
  pw_mech_close(z->mech, z->path->on + (size_t)flight * (size_t)z->x->sys->ni);
}

/* What is held from the start on has no rate there. */
static bool start_equations(scheme *z, const double *v, double *r) {
  const pw_system *s = z->x->sys;
  const double *q = nodes_of(z, v, 0);
  apply(z, z->D[0], q, 1 / (instant(z, v, 1) - z->x->from), z->u);
  hold(z, 0);
  bool ok = pw_mech_frame(z->mech, z->x->from, q, z->u, z->x->system->start.side, z->memory,
                          &z->frame) == PAWL_OK;
  for (int i = 0; ok && i < s->ni; i++) {
    double length = z->frame.length[s->nc + i] * z->speed;
    r[i] = z->path->on[i] && length > 0 ? z->frame.rate[s->nc + i] / length : 0;
  }
  return ok;
}

static bool flight_equations(scheme *z, const double *v, int flight, double *r) {
  const double *nodes = nodes_of(z, v, flight);
  double t0 = instant(z, v, flight), T = instant(z, v, flight + 1) - t0;
  const double *side = z->x->system->start.side;
  hold(z, flight);
  for (int i = 1; i < z->N; i++) {
    const double *q = nodes + (size_t)i * (size_t)z->n;
    apply(z, z->D[i], nodes, 1 / T, z->u);
    if (pw_mech_rates(z->mech, t0 + T * z->node[i], q, z->u, side) != PAWL_OK) {
      return false;
    }
    apply(z, z->D2[i], nodes, 1, r);
    for (int c = 0; c < z->n; c++) {
      r[c] = (r[c] - T * T * z->mech->a[c]) / z->reach;
    }
    r += z->n;
  }
  return true;
}

/* Continuity, momentum, gap, restitution or no force at joint k, from flight k to k + 1. */
static bool joint_equations(scheme *z, const double *v, int k, double *r) {
  int n = z->n, row = z->path->law[k];
  const double *a = nodes_of(z, v, k), *b = nodes_of(z, v, k + 1);
  double t = instant(z, v, k + 1), *before = z->scratch, *after = before + n;
  const double *end = a + (size_t)z->N * (size_t)n, *side = z->x->system->start.side;
  apply(z, z->D[z->N], a, 1 / (t - instant(z, v, k)), before);
  apply(z, z->D[0], b, 1 / (instant(z, v, k + 2) - t), after);
  hold(z, k);
  if (pw_mech_frame(z->mech, t, end, before, side, z->memory, &z->frame) != PAWL_OK) {
    return false;
  }
  double rate = z->frame.rate[row], gap = z->frame.value[row], length = z->frame.length[row];
  double force = z->mech->lambda[row];
  double *kick = z->scratch + 2 * n;
  memcpy(kick, z->frame.A + (size_t)row * (size_t)n, (size_t)n * sizeof *kick);
  pw_frame_back(&z->frame, kick); /* M^-1 J^T / length */
  pw_mech_restitution(z->mech, t, end, before, side, z->e);
  double e = z->e[row - z->x->sys->nc];
  if (pw_mech_frame(z->mech, t, end, after, side, z->memory, &z->frame) != PAWL_OK) {
    return false;
  }
  for (int c = 0; c < n; c++) {
    r[c] = (b[c] - end[c]) / z->reach;
    r[n + c] = (after[c] - before[c] - impulse(z, v, k) * kick[c]) / z->speed;
  }
  bool leaves = z->path->leaves[k];
  double time = z->x->to - z->x->from;
  r[2 * n] = gap / (length * z->reach);
  r[2 * n + 1] = leaves ? force * length * time / z->speed
                        : (z->frame.rate[row] + e * rate) / (length * z->speed);
  r[2 * n + 2] = leaves ? impulse(z, v, k) / z->speed : 0;
  return true;
}

/* Of flights first .. last and of what joins them to others; the rest of r is left as it is. */
static bool equations(scheme *z, const double *v, int from, int to, double *r) {
  int n = z->n, k = z->path->joints;
  const double *first = nodes_of(z, v, 0), *last = nodes_of(z, v, k) + (size_t)z->N * (size_t)n;
  const pw_model *model = z->x->sys->model;
  for (int c = 0; c < n; c++) {
    bool fixed = pw_end_is_fixed(z->x->sys, &model->coords.items[c]);
    r[c] = (first[c] - z->x->system->start.q[c]) / z->reach;
    r[n + c] = fixed ? (last[c] - model->q_end[c].value) / z->reach : 0;
  }
  r += 2 * n;
  for (int i = 0; i <= k; i++, r += (z->N - 1) * n) {
    if (i >= from && i <= to && !flight_equations(z, v, i, r)) {
      return false;
    }
  }
  for (int i = 0; i < k; i++, r += 2 * n + 3) {
    if (i + 1 >= from && i <= to && !joint_equations(z, v, i, r)) {
      return false;
    }
  }
  return from > 0 || start_equations(z, v, r);
}

/* ---- the first guess: the motion that shooting found ---- */

static bool guess_flight(scheme *z, double *v, int flight) {
  double t0 = instant(z, v, flight), T = instant(z, v, flight + 1) - t0;
  double *nodes = v + (size_t)flight * (size_t)(z->N + 1) * (size_t)z->n;
  pawl_sim *sim = z->x->fine;
  for (int i = 0; i <= z->N; i++) {
    double t = i == z->N ? t0 + T : t0 + T * z->node[i];
    pawl_stop why = PAWL_AT_EVENT;
    pawl_point p;
    while (i > 0 && why == PAWL_AT_EVENT) {
      if (pawl_sim_advance(sim, fmin(t, z->x->to), NULL, &why) != PAWL_OK) {
        return false;
      }
      if (i == z->N && why == PAWL_AT_EVENT) {
        break; /* the impact at the end of this flight */
      }
    }
    if (pawl_sim_point(sim, PAWL_AFTER, &p) != PAWL_OK) {
      return false;
    }
    memcpy(nodes + (size_t)i * (size_t)z->n, p.q, (size_t)z->n * sizeof *p.q);
  }
  return true;
}

static bool guess(scheme *z, const double *s, double *v) {
  int k = z->path->joints;
  double *t = v + (size_t)(k + 1) * (size_t)(z->N + 1) * (size_t)z->n;
  memcpy(t, z->path->times, (size_t)k * sizeof *t);
  memset(t + k, 0, (size_t)k * sizeof *t);
  pw_flight f = pw_shoot_fly(z->x, s, true);
  if (!f.ok || pw_shoot_begin(z->x, z->x->fine) != PAWL_OK) {
    return false;
  }
  for (int i = 0; i <= k; i++) {
    if (!guess_flight(z, v, i)) {
      return false;
    }
  }
  for (int i = 0; i < k; i++) { /* impulses from the jump of the rate of the gap */
    const double *a = nodes_of(z, v, i), *b = nodes_of(z, v, i + 1);
    double at = instant(z, v, i + 1), *before = z->scratch, *after = before + z->n;
    apply(z, z->D[z->N], a, 1 / (at - instant(z, v, i)), before);
    apply(z, z->D[0], b, 1 / (instant(z, v, i + 2) - at), after);
    if (pw_mech_frame(z->mech, at, b, before, z->x->system->start.side, z->memory, &z->frame) !=
        PAWL_OK) {
      return false;
    }
    const double *J = z->frame.A + (size_t)z->path->law[i] * (size_t)z->n;
    pw_frame_move(&z->frame, z->frame.c_velocity);
    double jump = 0;
    for (int c = 0; c < z->n; c++) { /* a . L^T (u+ - u-) */
      const double *L = z->frame.L + (size_t)c * (size_t)z->n;
      for (int j = c; j < z->n; j++) {
        jump += J[c] * L[j] * (after[j] - before[j]);
      }
    }
    t[k + i] = jump;
  }
  return true;
}

static void measure_scales(scheme *z, const double *v) {
  for (int f = 0; f <= z->path->joints; f++) {
    for (int i = 0; i <= z->N; i++) {
      double T = instant(z, v, f + 1) - instant(z, v, f);
      apply(z, z->D[i], nodes_of(z, v, f), 1 / T, z->u);
      for (int c = 0; c < z->n; c++) {
        z->speed = pw_max(z->speed, fabs(z->u[c]));
      }
    }
  }
  z->reach = z->speed * (z->x->to - z->x->from);
}

/* ---- Newton ---- */

static double size_of(const double *r, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) {
    most = pw_max(most, fabs(r[i]));
  }
  return most;
}

static double unit_of(const scheme *z, int j) {
  int nodes = (z->path->joints + 1) * (z->N + 1) * z->n;
  return j < nodes ? z->reach : j < nodes + z->path->joints ? z->x->to - z->x->from : z->speed;
}

/* The flights that unknown j belongs to or joins. */
static void flights_of(const scheme *z, int j, int *from, int *to) {
  int each = (z->N + 1) * z->n, k = z->path->joints, nodes = (k + 1) * each;
  *from = j < nodes ? j / each : (j - nodes) % k;
  *to = j < nodes ? *from : *from + 1;
}

static bool derivatives(scheme *z, double *A, double *v, const double *r, double *shifted) {
  const double h = 1e-7;
  size_t bytes = (size_t)z->equations * sizeof *r;
  for (int j = 0; j < z->unknowns; j++) {
    int from, to;
    double unit = unit_of(z, j), old = v[j], *column = A + (size_t)j * (size_t)z->equations;
    flights_of(z, j, &from, &to);
    memcpy(column, r, bytes);
    memcpy(shifted, r, bytes);
    v[j] = old + h * unit;
    bool ok = equations(z, v, from, to, column);
    v[j] = old - h * unit;
    ok = ok && equations(z, v, from, to, shifted);
    v[j] = old;
    if (!ok) {
      return false;
    }
    for (int i = 0; i < z->equations; i++) {
      column[i] = (column[i] - shifted[i]) / (2 * h);
    }
  }
  return true;
}

static bool newton_step(scheme *z, pw_qr *qr, double *v, double *r, double *shifted, double *dv) {
  if (!derivatives(z, qr->A, v, r, shifted)) {
    return false;
  }
  if (pw_qr_decompose(qr, 1e-12) <= 0) {
    return false;
  }
  pw_qr_least_squares(qr, r, dv);
  for (int j = 0; j < z->unknowns; j++) {
    v[j] -= unit_of(z, j) * dv[j];
  }
  return equations(z, v, 0, z->path->joints, r);
}

static bool solve(scheme *z, double *v, double *work, int *whole) {
  double *r = work, *shifted = r + z->equations, *dv = shifted + z->equations;
  pw_qr qr;
  pw_qr_init(&qr, z->equations, z->unknowns, dv + z->unknowns, whole);
  if (!equations(z, v, 0, z->path->joints, r)) {
    return false;
  }
  double size = size_of(r, z->equations);
  for (int k = 0; k < MAX_ITER && size > 1e-11; k++) {
    if (!newton_step(z, &qr, v, r, shifted, dv)) {
      return false;
    }
    double now = size_of(r, z->equations);
    if (!(now < 0.9 * size)) {
      return now <= 1e-8;
    }
    size = now;
  }
  return size <= 1e-8;
}

static double change_of_start(scheme *z, const double *s, const double *v) {
  apply(z, z->D[0], v, 1 / (instant(z, v, 1) - z->x->from), z->u);
  (void)pw_shoot_fly(z->x, s, true); /* x->u: the velocity that shooting found */
  double far = 0;
  for (int c = 0; c < z->n; c++) {
    far = pw_max(far, fabs(z->u[c] - z->x->u[c]));
  }
  return far / z->speed;
}

static double with_memory(scheme *z, const double *s, double *real, int *whole) {
  size_t n = (size_t)z->n;
  z->memory = real;
  z->e = z->memory + pw_frame_doubles(z->x->sys);
  z->q = z->e + z->x->sys->ni + 1;
  z->u = z->q + n;
  z->scratch = z->u + n;
  double *v = z->scratch + 3 * n, *work = v + z->unknowns;
  differentiation(z);
  bool ok = guess(z, s, v);
  measure_scales(z, v);
  ok = ok && z->speed > 0 && solve(z, v, work, whole);
  return ok ? change_of_start(z, s, v) : NAN;
}

static double with_degree(pw_shoot *x, const double *s, const pw_path *path, int degree) {
  int n = x->sys->nv, k = path->joints;
  scheme z = {.x = x,
              .path = path,
              .N = degree,
              .n = n,
              .unknowns = (k + 1) * (degree + 1) * n + 2 * k,
              .equations = 2 * n + (k + 1) * (degree - 1) * n + k * (2 * n + 3) + x->sys->ni};
  if (z.unknowns > MOST || pw_mech_new(x->sys, &z.mech) != PAWL_OK) {
    return NAN;
  }
  size_t count = pw_frame_doubles(x->sys) + (size_t)x->sys->ni + 1 + 5 * (size_t)n +
                 2 * (size_t)z.unknowns + 2 * (size_t)z.equations +
                 pw_qr_doubles(z.equations, z.unknowns);
  double *real = calloc(count, sizeof *real);
  int *whole = calloc(pw_qr_ints(z.equations, z.unknowns) + 1, sizeof *whole);
  double out = real != NULL && whole != NULL ? with_memory(&z, s, real, whole) : NAN;
  free(real);
  free(whole);
  pw_mech_free(z.mech);
  return out;
}

double pw_collocate(pw_shoot *x, const double *s, const pw_path *path) {
  double best = NAN;
  for (int degree = FIRST; degree < MOST_NODES && !(best < 1e-9); degree *= 2) {
    double defect = with_degree(x, s, path, degree);
    best = isnan(defect) || best < defect ? best : defect;
  }
  return best;
}
