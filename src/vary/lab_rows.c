// SPDX-License-Identifier: MIT
/* The motion as rows: each step of the integration at equal parts of it, both ends included, so
 * that every step is a separate piece and nothing is interpolated across an instant. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/dense.h"
#include "mech/handle.h"
#include "vary/lab.h"
#include "verify/checker.h"
#include "verify/symmetry.h"

static double *last_row(const pawl_lab *l) {
  return l->rows + (ptrdiff_t)(l->n - 1) * l->stride;
}

static bool grow(pawl_lab *l) {
  int64_t cap = 2 * l->cap + 1024;
  double *more = realloc(l->rows, (size_t)cap * (size_t)l->stride * sizeof *more);
  if (more != NULL) {
    l->rows = more;
    l->cap = cap;
  }
  return more != NULL;
}

static void put(pawl_lab *l, double t) {
  if (l->n == PW_LAB_MOST_ROWS) {
    l->many = true;
  } else if (l->n < l->cap || grow(l)) {
    double *row = l->rows + (ptrdiff_t)l->n++ * l->stride;
    row[0] = t;
    memcpy(row + 1, l->sample, (size_t)(l->stride - 1) * sizeof *row);
  } else {
    l->failed = true;
  }
}

/* A long step has more parts, so that bumps are resolved too. */
static int parts_of(const pawl_lab *l, double length) {
  int rows = l->sys->n_state > 0 ? PW_LAB_SOLVED : PW_LAB_FINE;
  double parts = ceil(length / l->span * rows);
  return parts > PW_LAB_PARTS ? (int)parts : PW_LAB_PARTS;
}

void pw_lab_take(pawl_lab *l, const pw_segment *s, int values) {
  double a = s->from, b = s->to;
  if (l->opts.use_span) {
    a = pw_max(a, l->opts.from);
    b = pw_min(b, l->opts.to);
  }
  bool point = s->from == s->to;
  if (l->failed || l->many || (point ? b < a : !(a < b))) {
    return;
  }
  l->gap = l->gap || (l->n > 0 && a > last_row(l)[0]);
  l->steps += !point;
  int parts = point ? 0 : parts_of(l, b - a);
  for (int k = 0; k <= parts; k++) {
    double t = k == parts ? b : a + (b - a) * k / parts;
    pw_segment_sample(s, values, t, l->sample);
    put(l, t);
  }
}

pawl_status pw_lab_conserve(pawl_lab *l) {
  pawl_status status =
      l->system->start.q == NULL ? PAWL_OK : pawl_symmetries_new(l->system, &l->symmetries);
  int n = pawl_symmetries_count(l->symmetries);
  l->kept = calloc(2 * (size_t)n + 1, sizeof *l->kept);
  status = l->kept == NULL ? PAWL_E_MEMORY : status;
  for (int i = 0; i < n && status == PAWL_OK; i++) {
    for (int64_t k = 0; k < l->n; k++) {
      const double *row = l->rows + (ptrdiff_t)k * l->stride, *u = row + 1 + l->sys->nq;
      double value = pw_symmetry_in_body(l->symmetries, i, row[0], row + 1, u);
      double *kept = l->kept + 2 * (ptrdiff_t)i;
      kept[0] = k == 0 ? value : kept[0];
      kept[1] = pw_max(kept[1], fabs(value - kept[0]));
    }
  }
  return status;
}

/* ---- sizes ---- */

static void find_extent(pawl_lab *l) {
  for (int i = 0; i < l->sys->nq; i++) {
    double low = INFINITY, high = -INFINITY;
    for (int64_t k = 0; k < l->n; k++) {
      double x = l->rows[(ptrdiff_t)k * l->stride + 1 + i];
      low = pw_min(low, x);
      high = pw_max(high, x);
    }
    l->extent[i] = high - low;
  }
}

/* Momenta and H = p.u - L at a row, after pw_probe_at there. */
static void find_end(pw_probe *p, const double *u, double *out) {
  int n = p->sys->nv;
  memcpy(out, pw_probe_momenta(p), (size_t)n * sizeof *out);
  const double *e = pw_probe_energies(p);
  out[n] = pw_dot(out, u, n) - e[0] + e[1] - e[3];
}

/* Distances and speeds below a part of the largest ones count as zero: both have the metric of M.
 * If nothing moves, the scale is the effect of the forces from row to row. */
pawl_status pw_lab_measure(pawl_lab *l) {
  pawl_vary *v = NULL;
  int nq = l->sys->nq, nv = l->sys->nv;
  find_extent(l);
  pawl_status status = pw_vary_new(l->system, 0, &v);
  double most = 0;

  /* The probe at each row: L of the metric, velocities and forces in it. */
  for (int64_t k = 0; status == PAWL_OK && k < l->n; k++) {
    const double *row = l->rows + (ptrdiff_t)k * l->stride, *u = row + 1 + nq;
    if (!pw_probe_at(&v->probe, row[0], row + 1, u)) {
      status = PAWL_E_NAN;
      break;
    }

    /* The largest speed, or the speed that forces would add in one fine part of the span. */
    double gained = pw_norm2(v->probe.h, nv) * l->span / PW_LAB_FINE;
    most = pw_max(most, pw_max(gained, pw_norm2(v->probe.speed, nv)));

    /* Momenta and H at both ends. */
    if (k == 0 || k == l->n - 1) {
      find_end(&v->probe, u, l->ends + (k == 0 ? 0 : nv + 1));
    }

    /* Two rows at one time are a corner if the velocities between them jump. */
    if (k > 0 && row[0] == row[-l->stride]) {
      double jump = 0, size = 0;
      for (int i = 0; i < nv; i++) {
        jump = pw_max(jump, fabs(u[i] - u[i - l->stride]));
        size = pw_max(size, fabs(u[i]));
      }
      l->corners += jump > PW_SCALE(CERT_VARY_ROUNDING) * size && jump > 0;
    }
  }

  /* Below this a distance or a speed counts as zero. */
  l->near = PW_SCALE(CERT_VARY_NEAR) * most;
  pawl_vary_free(v);
  return status;
}
