// SPDX-License-Identifier: MIT
#include "verify/reach.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_mech.h"
#include "law/scale_verify.h"
#include "linalg/dense.h"

enum { AT_LOW = -1, FREE = 0, AT_HIGH = 1 };
enum { FEW = 8 };   /* columns that are not worth taking apart */
enum { MANY = 16 }; /* columns from which lists of entries are worth making */

/* What a part has of its own; the rest it borrows. */
static void lay_columns(pw_reach *r, int n, int most, pw_layout *l) {
  size_t N = (size_t)n, K = (size_t)most;
  *r = (pw_reach){.n = n, .most = most};
  r->A = PW_LAY(l, N * K, double);
  r->lo = PW_LAY(l, K, double);
  r->hi = PW_LAY(l, K, double);
  r->x = PW_LAY(l, K, double);
  r->radius = PW_LAY(l, K, double);
  r->width = PW_LAY(l, K, int);
  r->size = PW_LAY(l, K, double);
  r->rest = PW_LAY(l, N, double);
  r->state = PW_LAY(l, K, signed char);
}

void pw_reach_lay_more(pw_reach *r, int usual, int more, int most, pw_layout *l) {
  size_t K = (size_t)most;
  int n = usual + more;
  pw_reach part;
  lay_columns(r, n, most, l);
  lay_columns(&part, n, most, l);
  r->trial = PW_LAY(l, K, double);
  r->answer = PW_LAY(l, K, double);
  r->qr_real = PW_LAY(l, pw_qr_doubles(n, most), double);
  r->qr_int = PW_LAY(l, pw_qr_ints(n, most), int);
  r->free_of = PW_LAY(l, K, int);
  r->gram = PW_LAY(l, 1, pw_gram);
  r->part = PW_LAY(l, 1, pw_reach);
  r->part_c = PW_LAY(l, n, double);
  r->member = PW_LAY(l, pw_parts_ints(n, most), int);
  pw_gram gram;
  pw_gram_lay(&gram, n, most, l);
  if (r->part != NULL) {
    *r->gram = gram;
    part.trial = r->trial;
    part.answer = r->answer;
    part.qr_real = r->qr_real;
    part.qr_int = r->qr_int;
    part.free_of = r->free_of;
    part.gram = r->gram;
    *r->part = part;
  }
  r->n = r->usual = usual;
}

void pw_reach_lay(pw_reach *r, int n, int most, pw_layout *l) {
  pw_reach_lay_more(r, n, 0, most, l);
}

void pw_reach_begin_with(pw_reach *r, int n) {
  r->n = n;
  r->k = 0;
}

void pw_reach_begin(pw_reach *r) {
  pw_reach_begin_with(r, r->usual);
}

double *pw_reach_add(pw_reach *r, double lo, double hi) {
  if (r->k == r->most) {
    return NULL;
  }
  r->lo[r->k] = lo;
  r->hi[r->k] = hi;
  r->radius[r->k] = 0;
  return r->A + (size_t)r->k++ * (size_t)r->n;
}

void pw_reach_join(pw_reach *r, int columns) {
  int first = r->k - columns;
  r->radius[first] = r->hi[first];
  r->width[first] = columns;
}

static const double *column(const pw_reach *r, int j) {
  return r->A + (size_t)j * (size_t)r->n;
}

static void find_rest(pw_reach *r, const double *c) {
  memcpy(r->rest, c, (size_t)r->n * sizeof *c);
  for (int j = 0; j < r->k; j++) {
    if (r->x[j] != 0) {
      pw_axpy(-r->x[j], column(r, j), r->rest, r->n);
    }
  }
}

/* The m free columns are many, have few entries and clearly do not depend on each other: their
 * least squares for `rest` are in `answer`. */
static bool solve_firm(pw_reach *r, int m) {
  pw_gram *g = r->gram;
  bool sparse = m > MANY && m <= r->n;
  pw_gram_begin(g, r->n);
  for (int i = 0; sparse && i < m; i++) {
    sparse = pw_gram_add(g, column(r, r->free_of[i]), r->size[r->free_of[i]]);
  }
  if (!sparse || !(pw_gram_factor(g) > PW_SCALE(SPARSE_FIRM))) {
    return false;
  }
  pw_gram_least_squares(g, r->rest, r->answer);
  return true;
}

/* The same by a decomposition that finds out which columns depend on others. */
static bool solve_any(pw_reach *r, int m) {
  pw_qr qr;
  pw_qr_init(&qr, r->n, m, r->qr_real, r->qr_int);
  for (int i = 0; i < m; i++) {
    const double *a = column(r, r->free_of[i]);
    for (int k = 0; k < r->n; k++) {
      qr.A[(size_t)i * (size_t)r->n + (size_t)k] = a[k] / r->size[r->free_of[i]];
    }
  }
  if (pw_qr_decompose(&qr, PW_SCALE(CERT_RANK)) < 0) {
    return false;
  }
  pw_qr_least_squares(&qr, r->rest, r->answer);
  return true;
}

/* Least squares over the free columns; columns at a bound stay there. */
static bool solve_free(pw_reach *r, const double *c) {
  int m = 0;

  /* Columns that may change, and what those at their bounds leave of c. */
  for (int j = 0; j < r->k; j++) {
    if (r->state[j] == FREE && r->size[j] > 0) {
      r->free_of[m++] = j;
    }
  }
  memcpy(r->rest, c, (size_t)r->n * sizeof *c);
  for (int j = 0; j < r->k; j++) {
    if (r->state[j] != FREE && r->x[j] != 0) {
      pw_axpy(-r->x[j], column(r, j), r->rest, r->n);
    }
  }

  /* x = A_free^+ rest, of columns of unit length, so that the rank does not depend on units; then
   * in the units of the columns. */
  memcpy(r->trial, r->x, (size_t)r->k * sizeof *r->x);
  if (m == 0) {
    return true;
  }
  if (!solve_firm(r, m) && !solve_any(r, m)) {
    return false;
  }
  for (int i = 0; i < m; i++) {
    r->trial[r->free_of[i]] = r->answer[i] / r->size[r->free_of[i]];
  }
  return true;
}

/* From x towards the trial point, as far as the bounds allow; true: all the way. */
static bool step_inside(pw_reach *r) {
  double far = 1;
  int stop = -1;
  for (int j = 0; j < r->k; j++) {
    double d = r->trial[j] - r->x[j];
    double room = d < 0 ? r->lo[j] - r->x[j] : r->hi[j] - r->x[j];
    if (r->state[j] == FREE && fabs(d) > fabs(room) && room / d < far) {
      far = pw_max(room / d, 0);
      stop = j;
    }
  }
  for (int j = 0; j < r->k; j++) {
    r->x[j] += far * (r->trial[j] - r->x[j]);
  }
  if (stop >= 0) {
    bool low = r->trial[stop] < r->x[stop] || r->x[stop] <= r->lo[stop];
    r->state[stop] = low ? AT_LOW : AT_HIGH;
    r->x[stop] = low ? r->lo[stop] : r->hi[stop];
  }
  return stop < 0;
}

/* The bound variable that would shorten the rest most if it were let go, or -1. */
static int most_wrong(const pw_reach *r, double tiny) {
  int best = -1;
  double most = tiny;
  for (int j = 0; j < r->k; j++) {
    if (r->state[j] == FREE || r->lo[j] == r->hi[j] || r->size[j] == 0) {
      continue;
    }
    double w = pw_dot(column(r, j), r->rest, r->n) / r->size[j];
    w = r->state[j] == AT_LOW ? w : -w;
    if (w > most) {
      most = w;
      best = j;
    }
  }
  return best;
}

/* Optimal iff the rest is normal to free columns and points outward at those that are bound. */
static double optimality(const pw_reach *r, double whole) {
  double worst = 0;
  for (int j = 0; j < r->k; j++) {
    if (r->size[j] == 0) {
      continue;
    }
    double w = pw_dot(column(r, j), r->rest, r->n) / r->size[j];
    bool can_rise = r->x[j]<r->hi[j], can_fall = r->x[j]> r->lo[j];
    double bad = can_rise && w > 0 ? w : can_fall && w < 0 ? -w : 0;
    worst = pw_max(worst, bad);
  }
  return whole > 0 ? worst / whole : worst;
}

static void start(pw_reach *r, int first) {
  for (int j = first; j < r->k; j++) {
    r->size[j] = pw_norm2(column(r, j), r->n);
    bool low = isfinite(r->lo[j]), high = isfinite(r->hi[j]);
    r->state[j] = low ? AT_LOW : high ? AT_HIGH : FREE;
    r->x[j] = low ? r->lo[j] : high ? r->hi[j] : 0;
    if (low && high && r->lo[j] < 0 && r->hi[j] > 0) { /* from inside: both bounds are far */
      r->state[j] = FREE;
      r->x[j] = 0;
    }
  }
}

/* From x, down to the least distance, with the optimality relative to `whole`. */
static void descend(pw_reach *r, const double *c, double whole) {
  bool fine = true;
  for (int turn = 0; fine && turn < 3 * r->k + 10; turn++) {
    for (int j = 0; fine && j <= r->k; j++) {
      fine = solve_free(r, c);
      if (!fine || step_inside(r)) {
        break;
      }
    }
    find_rest(r, c);
    int next = most_wrong(r, PW_SCALE(CERT_SUM) * whole);
    if (next < 0) {
      break;
    }
    r->state[next] = FREE;
  }
  find_rest(r, c);
  r->distance = fine ? pw_norm2(r->rest, r->n) : NAN;
  r->kkt = optimality(r, whole);
}

/* ---- parts ---- */

static bool falls_apart(pw_reach *r) {
  if (r->k <= FEW) {
    return false;
  }
  pw_parts_begin(&r->parts, r->n, r->k, r->member);
  for (int j = 0; j < r->k; j++) {
    pw_parts_add(&r->parts, j, column(r, j));
  }
  return pw_parts_end(&r->parts) > 1;
}

static void load_part(pw_reach *r, int part, const double *c, int known) {
  pw_reach *own = r->part;
  const int *row = r->parts.coord + r->parts.coord_start[part];
  const int *col = r->parts.col + r->parts.col_start[part];
  own->n = r->parts.coord_start[part + 1] - r->parts.coord_start[part];
  own->k = r->parts.col_start[part + 1] - r->parts.col_start[part];
  for (int i = 0; i < own->n; i++) {
    r->part_c[i] = c[row[i]];
  }
  int before = 0; /* columns ascend: the known ones are the first */
  for (int j = 0; j < own->k; j++) {
    const double *from = column(r, col[j]);
    double *to = own->A + (size_t)j * (size_t)own->n;
    for (int i = 0; i < own->n; i++) {
      to[i] = from[row[i]];
    }
    own->lo[j] = r->lo[col[j]];
    own->hi[j] = r->hi[col[j]];
    own->x[j] = r->x[col[j]];
    own->size[j] = r->size[col[j]];
    own->state[j] = r->state[col[j]];
    before += col[j] < known;
  }
  start(own, before);
}

static void store_part(pw_reach *r, int part) {
  const pw_reach *own = r->part;
  const int *row = r->parts.coord + r->parts.coord_start[part];
  const int *col = r->parts.col + r->parts.col_start[part];
  for (int i = 0; i < own->n; i++) {
    r->rest[row[i]] = own->rest[i];
  }
  for (int j = 0; j < own->k; j++) {
    r->x[col[j]] = own->x[j];
    r->size[col[j]] = own->size[j];
    r->state[col[j]] = own->state[j];
  }
}

static void descend_apart(pw_reach *r, const double *c, double whole, int known) {
  bool fine = true;
  memcpy(r->rest, c, (size_t)r->n * sizeof *c); /* rows of no column stay as they are */
  r->kkt = 0;
  for (int part = 0; part < r->parts.count; part++) {
    load_part(r, part, c, known);
    descend(r->part, r->part_c, whole);
    store_part(r, part);
    fine = fine && !isnan(r->part->distance);
    r->kkt = pw_max(r->kkt, r->part->kkt);
  }
  r->distance = fine ? pw_norm2(r->rest, r->n) : NAN;
}

/* ---- disks and balls ---- */

enum { TURNS = 8, MOST_AXES = 3 };

/* The axes reflected at the plane between the first one and the force (Householder): the first lies
 * along the force then. */
static bool turn_square(pw_reach *r, int j) {
  if (!(r->radius[j] > 0)) {
    return false;
  }
  int n = r->n, m = r->width[j];
  double *A = r->A + (size_t)j * (size_t)n, w[MOST_AXES], size = pw_length(r->x + j, m);
  if (!(size > r->radius[j] * (1 + PW_SCALE(CERT_DUAL)))) {
    return false;
  }
  for (int k = 0; k < m; k++) {
    w[k] = (k == 0) - r->x[j + k] / size;
  }
  double square = pw_along(w, w, m);
  for (int i = 0; i < n && square > 0; i++) {
    double along = 0;
    for (int k = 0; k < m; k++) {
      along += A[(size_t)k * (size_t)n + (size_t)i] * w[k];
    }
    for (int k = 0; k < m; k++) {
      A[(size_t)k * (size_t)n + (size_t)i] -= 2 * along / square * w[k];
    }
  }
  return square > 0;
}

static bool turn_squares(pw_reach *r) {
  bool turned = false;
  for (int j = 0; j < r->k; j++) {
    turned = turn_square(r, j) || turned;
  }
  return turned;
}

void pw_reach_solve(pw_reach *r, const double *c) {
  pw_reach_resume(r, c, 0);
  for (int k = 0; k < TURNS && turn_squares(r); k++) {
    pw_reach_resume(r, c, 0);
  }
}

void pw_reach_resume(pw_reach *r, const double *c, int known) {
  double whole = pw_norm2(c, r->n);
  if (r->k == 0) {
    memcpy(r->rest, c, (size_t)r->n * sizeof *c);
    r->distance = whole;
    r->kkt = 0;
  } else if (falls_apart(r)) {
    descend_apart(r, c, whole, known);
  } else {
    start(r, known);
    descend(r, c, whole);
  }
}
