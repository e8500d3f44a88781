// SPDX-License-Identifier: MIT
#include "verify/estimate.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "verify/newton_fit.h"

/* |L^T (x - y)| */
static double distance(const pw_probe *p, const double *x, const double *y) {
  int n = p->sys->nv;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double *col = p->L + (size_t)i * (size_t)n;
    double z = 0;
    for (int k = i; k < n; k++) {
      z += col[k] * (x[k] - (y == NULL ? 0 : y[k]));
    }
    sum += z * z;
  }
  return sqrt(sum);
}

typedef struct window { /* results of one window; nv each */
  double *a, *du, *dq;
  double unit;
  double noise, du_noise, dq_noise; /* their errors by errors of the samples */
  double most;                      /* largest error of `a` if all errors add up */
  bool inside;                      /* the row has as many samples before it as after it */
} window;

/* Error of the positions, including the effect of rounded times. */
static double place_noise(const pawl_certifier *c, double grain) {
  return pw_max(grain * c->scale.L0, c->data.place_error) + c->data.time_error * c->scale.V0;
}

/* Error of a formula by errors of the samples, of their estimated size. */
static double amplified(const pawl_certifier *c, double noise, int m, const double *q,
                        const double *v) {
  double places = 0, speeds = 0;
  for (int i = 0; i < m; i++) {
    places += q[i] * q[i];
    speeds += v[i] * v[i];
  }
  return pw_max(noise * c->scale.V0, c->data.speed_error) * sqrt(speeds) +
         place_noise(c, noise) * sqrt(places);
}

/* The same if all errors come together. */
static double worst(const pawl_certifier *c, const pw_fit_weights *w) {
  double places = 0, speeds = 0;
  for (int i = 0; i < w->m; i++) {
    places += fabs(w->q[i]);
    speeds += fabs(w->v[i]);
  }
  double noise = pw_max(c->data.grain, c->data.noise);
  return pw_max(noise * c->scale.V0, c->data.speed_error) * speeds + place_noise(c, noise) * places;
}

static void apply(const pawl_certifier *c, const pw_fit_weights *w, int j, window *out) {
  int nq = c->sys->nq;
  pw_row_view at = pw_row_at(c, j);
  double *second = c->room.scratch, *dv = second + nq, *dq = dv + nq, doubt = 0, du_doubt = 0;
  memset(second, 0, 3 * (size_t)nq * sizeof *second);
  for (int i = 0; i < w->m; i++) {
    pw_row_view r = pw_row_at(c, w->row[i]);
    doubt += fabs(w->v[i]) * r.doubt;
    du_doubt += (fabs(w->kv[i]) + fabs(w->kq[i]) * w->unit) * r.doubt;
    for (int k = 0; k < nq; k++) {
      double x = r.q[k] - at.q[k];
      second[k] += w->q[i] * x + w->v[i] * r.v[k];
      dv[k] += w->kq[i] * x + w->kv[i] * r.v[k];
      dq[k] += w->pq[i] * x + w->pv[i] * r.v[k];
    }
  }
  pw_motion_back(c->sys->model, at.q, at.v, at.u, second, out->a);
  pw_motion_error(c->sys->model, at.q, dv, out->du);
  pw_motion_error(c->sys->model, at.q, dq, out->dq);
  out->unit = w->unit;
  double said = c->data.noise * (c->scale.V0 / w->unit + c->scale.L0 / (w->unit * w->unit));
  out->noise = pw_max(said, amplified(c, c->data.grain, w->m, w->q, w->v)) + doubt;
  out->most = worst(c, w) + doubt;
  out->du_noise = amplified(c, pw_max(c->data.grain, c->data.noise), w->m, w->kq, w->kv) + du_doubt;
  out->dq_noise = amplified(c, c->data.grain, w->m, w->pq, w->pv);
  out->inside = 2 * w->at == w->m - 1;
}

/* Rows that are not evenly spaced, as those beside events, count as well. */
static double spacing(const pawl_certifier *c, int width) {
  double mean = (c->stream.times[c->stream.n_row - 1] - c->stream.times[0]) / (c->stream.n_row - 1);
  return width == 0 ? PW_SCALE(CERT_NEAR_ROWS) * mean : PW_SCALE(CERT_WINDOW) * mean * (1 << width);
}

static int fit(const pawl_certifier *c, int j, int width, int points, pw_fit_weights *w) {
  return pw_fit_window(c->stream.times, 0, c->stream.n_row - 1, j, spacing(c, width), points, w);
}

/* A short piece has one window: it is compared with one of a sample less, or, of two samples, with
 * the slope of the velocity. */
static pw_estimate from_one(pawl_certifier *c, int j, window *x) {
  pw_fit_weights w;
  double *at = c->room.work + 3 * (size_t)c->sys->nv;
  x[1] = (window){.a = at, .du = at + c->sys->nv, .dq = at + 2 * c->sys->nv};
  int m = fit(c, j, 0, PW_FIT_POINTS, &w);
  if (m > 2) {
    fit(c, j, 0, m - 1, &w);
  } else {
    double rise = 1 / (c->stream.times[w.row[1]] - c->stream.times[w.row[0]]);
    w.q[0] = w.q[1] = 0;
    w.v[0] = -rise;
    w.v[1] = rise;
  }
  apply(c, &w, j, &x[1]);
  const pw_probe *p = &c->probe;
  double floor = distance(p, x[0].a, x[1].a) + x[0].noise;
  floor += m > 2 ? 0
                 : PW_SCALE(CERT_ACCELERATION) *
                       distance(p, x[0].a, NULL); /* they may agree by chance */
  return (pw_estimate){.ok = true,
                       .few = true,
                       .a = x[0].a,
                       .du = x[0].du,
                       .floor = floor,
                       .du_floor = distance(p, x[0].du, m > 2 ? x[1].du : NULL) + x[0].du_noise,
                       .unit = x[0].unit,
                       .near = x[0].unit};
}

/* Velocities that are not quite the rates of the positions, as those between the steps of a method
 * are not, spoil accelerations that are found from both. Larger errors are told by themselves. */
static double mismatch(const pawl_certifier *c, const window *x) {
  return pw_min(distance(&c->probe, x->du, NULL), c->opts.tol * c->scale.V0) / x->unit;
}

/* The difference of two windows is more than errors of the samples make: the narrower one misses
 * the motion already. Wider ones can only agree with each other by chance, as those do whose
 * samples are a period apart. */
static bool is_too_wide(const pw_probe *p, const window *x) {
  return distance(p, x[1].a, x[0].a) > x[0].most + x[1].most;
}

/* Of windows 0 .. n-1 how many count; d: differences of the accelerations of neighbours. What
 * errors of the samples make of these becomes less as windows grow, as `most` does; less than that
 * is chance. Errors that were measured have their own part in the floor. */
static int compare(const pawl_certifier *c, const window *x, int n, double *d) {
  const pw_probe *p = &c->probe;
  bool measured = c->data.grain > 0;
  int used = 1;
  for (; used < n && (used == 1 || !is_too_wide(p, &x[used - 2])); used++) {
    d[used] = distance(p, x[used].a, x[used - 1].a);
    if (used > 1 && !measured) {
      d[used] = pw_max(d[used], d[used - 1] * x[used].most / x[used - 1].most);
    }
  }
  return used;
}

/* The error of the velocity, by the two windows that agree best about that. What a narrow pair
 * misses by more than errors of the samples a wider one misses, too, even if it agrees by chance.
 */
static void find_du(const pawl_certifier *c, const window *x, int n, pw_estimate *e) {
  double missed = 0;
  e->du_floor = INFINITY;
  for (int k = 1; k < n; k++) {
    double apart = distance(&c->probe, x[k].du, x[k - 1].du);
    double noise = x[k].du_noise + x[k - 1].du_noise;
    double floor = pw_max(apart, missed) + noise;
    missed = apart > noise ? pw_max(apart, missed) : missed;
    if (k == 1 || floor < e->du_floor) {
      e->du_floor = floor;
      e->du = x[k].du;
    }
  }
}

/* The pair of windows that agrees best decides. Where that is the narrowest and the next one is far
 * worse, the distance of the samples is the limit, and the narrowest is better than the
 * difference says by a power of two. */
static pw_estimate from_pairs(pawl_certifier *c, const window *x, int n) {
  const pw_probe *p = &c->probe;
  double best = INFINITY, d[PW_FIT_WIDTHS];
  int pair = 1, used = compare(c, x, n, d);
  for (int k = 1; k < used; k++) {
    if (d[k] + x[k].noise < best) {
      best = d[k] + x[k].noise;
      pair = k;
    }
  }
  bool coarse = pair == 1 && n > 2 && distance(p, x[2].a, x[1].a) > PW_SCALE(CERT_COARSE) * d[1];
  const window *use = &x[coarse ? 0 : pair];
  pw_estimate e = {.ok = true, .a = use->a, .unit = use->unit, .near = x[0].unit};
  e.width = (int)(use - x);
  e.floor = (coarse ? d[1] / 4 + use->noise : best) + mismatch(c, use);
  find_du(c, x, used, &e);
  e.inside = x[0].inside && x[1].inside;
  if (e.inside) {
    e.dq = distance(p, x[0].dq, NULL);
    e.dq_floor = distance(p, x[0].dq, x[1].dq) + c->data.noise * c->scale.L0 + x[0].dq_noise;
  }
  return e;
}

/* Rows are mostly at even distances, so that windows have the weights of those before: nodes that
 * are off by d make an error V0 d/unit of the acceleration, to be small beside noise V0/unit. */
static int fit_again(pawl_certifier *c, int j, int width) {
  return pw_fit_again(c->stream.times, 0, c->stream.n_row - 1, j, spacing(c, width), PW_FIT_POINTS,
                      PW_SCALE(CERT_SAME_NODES) * c->data.noise, &c->room.window[width]);
}

/* The last two windows agree to a hundredth of what is tolerated: a floor so low adds a tenth of it
 * to the tolerance, and wider windows would lower that only. */
static bool is_fine(const pawl_certifier *c, const window *x) {
  const pw_probe *p = &c->probe;
  double faint = PW_SCALE(CERT_FINE) * c->opts.tol;
  double force = p->pull + distance(p, x[1].a, NULL);
  double away = c->data.noise * c->scale.L0 / x[1].unit + x[1].du_noise + x[0].du_noise;
  return distance(p, x[1].a, x[0].a) + x[1].noise <= faint * force &&
         distance(p, x[1].du, x[0].du) + away <= faint * c->scale.V0;
}

/* What one row less in the narrowest window around row j changes, beyond errors of the samples. */
static pw_estimate one_row_less(pawl_certifier *c, int j) {
  int nv = c->sys->nv;
  const pw_probe *p = &c->probe;
  pw_fit_weights w;
  window x[2];
  int m = fit(c, j, 0, PW_FIT_POINTS, &w);
  if (m < 3) {
    return (pw_estimate){0};
  }
  for (int k = 0; k < 2; k++) {
    double *at = c->room.work + (size_t)(3 * k) * (size_t)nv;
    x[k] = (window){.a = at, .du = at + nv, .dq = at + 2 * nv};
    (void)fit(c, j, 0, m - k, &w);
    apply(c, &w, j, &x[k]);
  }
  double errors = PW_SCALE(CERT_MISS);
  double a = distance(p, x[0].a, x[1].a) - errors * (x[0].noise + x[1].noise);
  double du = distance(p, x[0].du, x[1].du) - errors * (x[0].du_noise + x[1].du_noise);
  double dq = distance(p, x[0].dq, x[1].dq) - errors * (x[0].dq_noise + x[1].dq_noise);
  return (pw_estimate){
      .ok = true, .floor = pw_max(a, 0), .du_floor = pw_max(du, 0), .dq_floor = pw_max(dq, 0)};
}

/* The change may vanish by chance at one row, where it changes its sign, but not at both of its
 * neighbours too. The probe stands at row j, whose metric is used for all three. */
pw_estimate pw_estimate_fewer(pawl_certifier *c, int j) {
  pw_estimate e = one_row_less(c, j);
  if (e.ok && j > 0 && j + 1 < c->stream.n_row) {
    pw_estimate left = one_row_less(c, j - 1), right = one_row_less(c, j + 1);
    e.floor = pw_max(e.floor, pw_min(left.floor, right.floor));
    e.du_floor = pw_max(e.du_floor, pw_min(left.du_floor, right.du_floor));
    e.dq_floor = pw_max(e.dq_floor, pw_min(left.dq_floor, right.dq_floor));
  }
  return e;
}

/* prod (x - x_i)^2 over the nodes of a window, without that at `but`; x in units from node `at`. */
static double nodes_squared(const pw_fit_weights *w, double x, int but) {
  double p = 1;
  for (int i = 0; i < w->m; i++) {
    p *= i == but ? 1 : (x - w->x[i]) * (x - w->x[i]);
  }
  return p;
}

/* Distance of a row from the polynomial of a window. */
static double off_curve(pawl_certifier *c, const pw_fit_weights *w, int j, int row) {
  int nq = c->sys->nq;
  double *dq = c->room.scratch, *out = dq + nq, slope, t[PW_FIT_POINTS];
  for (int k = 0; k < nq; k++) {
    double x[PW_FIT_POINTS], v[PW_FIT_POINTS];
    for (int i = 0; i < w->m; i++) {
      t[i] = c->stream.times[w->row[i]];
      x[i] = pw_row_at(c, w->row[i]).q[k];
      v[i] = pw_row_at(c, w->row[i]).v[k];
    }
    pw_newton_fit(t, x, v, w->m, c->stream.times[row], &dq[k], &slope, NULL);
    dq[k] -= pw_row_at(c, row).q[k];
  }
  pw_motion_error(c->sys->model, pw_row_at(c, j).q, dq, out);
  return distance(&c->probe, out, NULL);
}

/* Windows whose samples are far apart may agree by chance, but the rows between show the motion
 * that they miss. The error of a polynomial through values and slopes at the nodes x_i is C w^2
 * with w = prod (x - x_i), so that its second derivative at node c is 2 C w'(x_c)^2. */
double pw_estimate_skipped(pawl_certifier *c, int j, const pw_estimate *e) {
  pw_fit_weights w;
  double most = 0;
  int m = fit(c, j, e->width, PW_FIT_POINTS, &w);
  for (int i = 0; i + 1 < m; i++) {
    int best = -1;
    double largest = 0;
    for (int row = w.row[i] + 1; row < w.row[i + 1]; row++) {
      double size = nodes_squared(&w, (c->stream.times[row] - c->stream.times[j]) / w.unit, -1);
      best = size > largest ? row : best;
      largest = pw_max(size, largest);
    }
    if (best >= 0) {
      most = pw_max(most, off_curve(c, &w, j, best) / largest);
    }
  }
  return 2 * nodes_squared(&w, 0, w.at) * most / (w.unit * w.unit);
}

/* From the narrowest window on, until they are too wide, or know enough. */
pw_estimate pw_estimate_at(pawl_certifier *c, int j) {
  int nv = c->sys->nv, n = 0;
  window x[PW_FIT_WIDTHS];
  bool wide = false;
  for (int k = 0; k < PW_FIT_WIDTHS; k++) {
    wide = wide || (k > 1 && is_too_wide(&c->probe, &x[k - 2]));
    if (k > 2 && (wide || is_fine(c, &x[k - 2]))) {
      break;
    }
    int m = fit_again(c, j, k);
    if (m < 2 || (k > 0 && m < PW_FIT_POINTS)) {
      break;
    }
    double *at = c->room.work + (size_t)(3 * k) * (size_t)nv;
    x[k] = (window){.a = at, .du = at + nv, .dq = at + 2 * nv};
    apply(c, &c->room.window[k], j, &x[k]);
    n = k + 1;
  }
  PW_ASSERT(n < 2 || x[1].unit >= x[0].unit);
  return n == 0 ? (pw_estimate){0} : n == 1 ? from_one(c, j, x) : from_pairs(c, x, n);
}

/* ---- forces between the samples ---- */

bool pw_model_acceleration(pawl_certifier *c, const pw_row_view *row, double *a) {
  const pw_system *s = c->sys;
  const pw_probe *p = &c->probe;
  if (!pw_probe_row(c, row, 0)) {
    return false;
  }
  if (row->force == NULL) {
    pw_probe_given(p, a);
  } else {
    memcpy(a, p->h, (size_t)s->nv * sizeof *a);
  }
  for (int i = 0; i < s->nr && row->force != NULL; i++) {
    if (s->index_of[s->row_of[i]] == i) {
      pw_axpy(pw_law_multiplier(&s->row[i], row->force[s->row_of[i]]),
              p->A + (size_t)i * (size_t)s->nv, a, s->nv);
    }
  }
  pw_probe_backward(p, a);
  return true;
}

/* sum += factor * the value at the node of the polynomial through the other rows of a window. */
static bool add_prediction(pawl_certifier *c, const pw_fit_weights *w, double factor, double *sum) {
  double *a = sum + c->sys->nv;
  for (int i = 0; i < w->m; i++) {
    if (i != w->at) {
      pw_row_view row = pw_row_at(c, w->row[i]);
      if (!pw_model_acceleration(c, &row, a)) {
        return false;
      }
      pw_axpy(-factor * w->p[i], a, sum, c->sys->nv);
    }
  }
  return true;
}

/* sum += factor * the acceleration by forces that are functions of the state. */
static bool add_given(pawl_certifier *c, double t, const double *q, const double *u, double factor,
                      double *sum) {
  int nv = c->sys->nv;
  double *a = sum + nv;
  if (!pw_probe_at(&c->probe, t, q, u)) {
    return false;
  }
  pw_probe_given(&c->probe, a);
  pw_probe_backward(&c->probe, a);
  pw_axpy(factor, a, sum, nv);
  return true;
}

/* Half-way to the next row, on the cubic that both rows make: how far these forces are from their
 * mean at the rows. A spring that is hit and left between two rows is slack at both. */
static double between(pawl_certifier *c, int k) {
  int nv = c->sys->nv, nq = c->sys->nq;
  if (k < 0 || k + 1 >= c->stream.n_row) {
    return 0;
  }
  pw_row_view a = pw_row_at(c, k), b = pw_row_at(c, k + 1);
  double *sum = c->room.work, *q = c->room.scratch, *v = q + nq, *u = v + nq;
  memset(sum, 0, (size_t)nv * sizeof *sum);
  pw_motion_middle(c->sys, &a, &b, q, v, u);
  bool fine = add_given(c, a.t, a.q, a.u, -0.5, sum) && add_given(c, b.t, b.q, b.u, -0.5, sum) &&
              add_given(c, (a.t + b.t) / 2, q, u, 1, sum);
  return fine ? distance(&c->probe, sum, NULL) : INFINITY;
}

/* At an inner row: how far the values that windows of two widths predict are apart. At an end: how
 * far the row is from what the others predict, and what happens beside it. */
double pw_estimate_hidden(pawl_certifier *c, int j) {
  int nv = c->sys->nv;
  pw_fit_weights near, wide;
  bool inner = fit(c, j, 0, PW_FIT_POINTS, &near) == PW_FIT_POINTS && near.at > 0 &&
               near.at < near.m - 1 && fit(c, j, 1, PW_FIT_POINTS, &wide) == PW_FIT_POINTS;
  double *sum = c->room.work, *a = sum + nv;
  pw_row_view row = pw_row_at(c, j);
  memset(sum, 0, (size_t)nv * sizeof *sum);
  bool fine = add_prediction(c, &near, 1, sum);
  if (inner) {
    fine = fine && add_prediction(c, &wide, -1, sum);
  } else {
    fine = fine && pw_model_acceleration(c, &row, a);
    pw_axpy(-1, a, sum, nv);
  }
  fine = fine && pw_probe_row(c, &row, 0);
  double hidden = fine ? distance(&c->probe, sum, NULL) : INFINITY;
  if (!inner) {
    hidden += pw_max(between(c, j - 1), between(c, j));
    fine = fine && pw_probe_row(c, &row, 0);
  }
  return fine ? hidden : INFINITY;
}
