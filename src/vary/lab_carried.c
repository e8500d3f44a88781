// SPDX-License-Identifier: MIT
/* Kozlov (7.1), (7.2): curves with delta phi = phi_u.w' + phi_q.w = rho >= 0 for laws whose
 * multipliers are states. With a sum b of bumps the curve is
 *   w' = b' - G (phi_u b' + phi_q w - rho), G = D phi_u^T (phi_u D phi_u^T)^-1,
 * D the squares of the heights of the bumps: it needs no coordinate along which phi_u never
 * vanishes. The curve is linear in the bumps and in rho. n sets of bumps are mixed so that all n
 * components are zero again at the end, with rho >= 0 or, for laws that hold both ways, one more
 * set of bumps. Then
 *   -(delta int T dt + int F.w dt) = int lambda rho dt
 * has the sign of lambda. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pi.h"
#include "law/scale_verify.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "linalg/qr.h"
#include "vary/lab.h"
#include "verify/checker.h"

enum { CURVES = 8, BUMPS = 3, SETS = 3 /* of bumps, per velocity */ };

typedef struct carried {
  pawl_lab *lab;
  pawl_vary *sums; /* whose tapes are used */
  int n, m;        /* velocities; multipliers */
  int sets;        /* of bumps that are mixed with rho or with one more set */
  int with_rho;    /* the multiplier whose phi rises; -1: none */
  unsigned curve;
  double from, to;
  double *phi;    /* rows x m x 2 n: phi_u, phi_q of each multiplier */
  double *gain;   /* rows x m x m: the factor of phi_u D phi_u^T */
  double *both;   /* rows x 2 n: the curve and its rate */
  double *mix;    /* sets + 1: of the sets of bumps, the last one that of rho where it rises */
  double *end;    /* n x (sets + 1): where each of them ends */
  double *drive;  /* n: b' */
  double *excess; /* m */
  double *qr;     /* memory of the decomposition of `end` */
  int *perm;
  double *t;  /* rows */
  int64_t at; /* time of the last evaluation */
} carried;

/* Cubic Hermite interpolation between rows, which are as near as the steps. */
static void curve_at(double t, void *payload, double *w, double *rate) {
  carried *c = payload;
  int64_t rows = c->lab->n, k = c->at;
  while (k > 0 && c->t[k] > t) {
    k--;
  }
  while (k + 2 < rows && c->t[k + 1] < t) {
    k++;
  }
  c->at = k;
  double h = c->t[k + 1] - c->t[k], x = h > 0 ? (t - c->t[k]) / h : 0;
  const double *a = c->both + (ptrdiff_t)k * 2 * c->n, *b = a + 2 * c->n;
  for (int i = 0; i < c->n; i++) {
    double p = a[i], q = b[i], dp = h * a[c->n + i], dq = h * b[c->n + i];
    double u = 3 * (q - p) - 2 * dp - dq, v = 2 * (p - q) + dp + dq;
    w[i] = p + x * (dp + x * (u + x * v));
    rate[i] = h > 0 ? (dp + x * (2 * u + 3 * x * v)) / h : a[c->n + i];
  }
}

/* delta W = w' + W x w for a rotation, so that phi_u.(W x w) = (phi_u x W).w joins phi_q. */
static void add_turns(const pw_model *model, const double *u, double *phi, int n) {
  for (int c = 0; c < model->coords.n; c++) {
    const pw_coord *k = &model->coords.items[c];
    const double *a = phi + k->u, *b = u + k->u;
    double *out = phi + n + k->u;
    if (k->is_rotation) {
      out[0] += a[1] * b[2] - a[2] * b[1];
      out[1] += a[2] * b[0] - a[0] * b[2];
      out[2] += a[0] * b[1] - a[1] * b[0];
    }
  }
}

/* The factor of phi_u D phi_u^T; false where phi depends on no velocity. */
static bool factor(const carried *c, const double *phi, double *gain) {
  const double *height = c->lab->family.height;
  for (int j = 0; j < c->m; j++) {
    for (int i = j; i < c->m; i++) {
      const double *a = phi + (ptrdiff_t)i * 2 * c->n, *b = phi + (ptrdiff_t)j * 2 * c->n;
      double sum = 0;
      for (int k = 0; k < c->n; k++) {
        sum += a[k] * b[k] * height[k] * height[k];
      }
      gain[i + (ptrdiff_t)j * c->m] = sum;
    }
  }
  return pw_chol(gain, c->m) == 0;
}

/* Each phi at a row: momenta and forces with its multiplier 1, less those with all at 0. q: of the
 * row, its multipliers are overwritten. */
static void phi_at(carried *c, const double *row, double *q, double *out) {
  const pw_system *s = c->lab->sys;
  const double *u = row + 1 + s->nq;
  int n = c->n;
  for (int one = -1; one < c->m; one++) {
    for (int k = 0; k < c->m; k++) {
      q[s->model->nq + k] = k == one;
    }
    pw_probe_state(&c->sums->probe, row[0], q, u);
    const double *p = pw_probe_momenta(&c->sums->probe);
    for (int i = 0; i < 2 * n * c->m; i++) {
      int of = i / (2 * n);
      out[i] = one < 0 ? -p[i % (2 * n)] : of == one ? out[i] + p[i % (2 * n)] : out[i];
    }
  }
  for (int k = 0; k < c->m; k++) {
    add_turns(s->model, u, out + (ptrdiff_t)k * 2 * n, n);
  }
}

static pawl_status find_phi(carried *c, bool *regular) {
  const pw_system *s = c->lab->sys;
  double *q = calloc((size_t)s->nq + 1, sizeof *q);
  *regular = true;
  for (int64_t k = 0; q != NULL && k < c->lab->n; k++) {
    const double *row = c->lab->rows + (ptrdiff_t)k * c->lab->stride;
    double *phi = c->phi + (ptrdiff_t)k * c->m * 2 * c->n;
    memcpy(q, row + 1, (size_t)s->nq * sizeof *q);
    phi_at(c, row, q, phi);
    *regular = *regular && factor(c, phi, c->gain + (ptrdiff_t)k * c->m * c->m);
    c->t[k] = row[0];
  }
  free(q);
  return q != NULL ? PAWL_OK : PAWL_E_MEMORY;
}

/* ---- one curve ---- */

/* b': sums of sines, with signs that depend on the set and the component. */
static void drive_at(const carried *c, double t) {
  double span = c->to - c->from, x = (t - c->from) / span, wave[BUMPS];
  int sets = c->with_rho >= 0 ? c->sets : c->sets + 1;
  memset(c->drive, 0, (size_t)c->n * sizeof *c->drive);
  for (int j = 0; j < BUMPS; j++) {
    wave[j] = PW_PI / span * cos((j + 1) * PW_PI * x);
  }
  for (int set = 0; set < sets; set++) {
    unsigned from = c->curve * (unsigned)(c->sets + 1) + (unsigned)set;
    for (int i = 0; i < c->n && c->mix[set] != 0; i++) {
      for (int j = 0; j < BUMPS; j++) {
        double size = c->lab->family.height[i] * pw_family_sign(from, 16 * i + j);
        c->drive[i] += c->mix[set] * size * wave[j];
      }
    }
  }
}

static double rho_at(const carried *c, double t) {
  return c->mix[c->sets] * (1 - cos(2 * PW_PI * (t - c->from) / (c->to - c->from)));
}

/* w' of the curve at row k where it is w; after drive_at. */
static void slope(const carried *c, int64_t k, const double *w, double *rate) {
  const double *phi = c->phi + (ptrdiff_t)k * c->m * 2 * c->n;
  const double *gain = c->gain + (ptrdiff_t)k * c->m * c->m;
  for (int j = 0; j < c->m; j++) {
    const double *of = phi + (ptrdiff_t)j * 2 * c->n;
    c->excess[j] = pw_dot(of, c->drive, c->n) + pw_dot(of + c->n, w, c->n);
    c->excess[j] -= j == c->with_rho ? rho_at(c, c->t[k]) : 0;
  }
  pw_chol_forward(gain, c->m, c->excess);
  pw_chol_backward(gain, c->m, c->excess);
  for (int i = 0; i < c->n; i++) {
    double sum = 0, height = c->lab->family.height[i];
    for (int j = 0; j < c->m; j++) {
      sum += phi[(ptrdiff_t)j * 2 * c->n + i] * c->excess[j];
    }
    rate[i] = c->drive[i] - height * height * sum;
  }
}

/* The trapezoidal rule over all rows; delta phi = rho holds exactly at each of them. */
static void solve(carried *c) {
  int n = c->n;
  memset(c->both, 0, (size_t)n * sizeof *c->both);
  for (int64_t k = 0; k < c->lab->n; k++) {
    double *w = c->both + (ptrdiff_t)k * 2 * n, *rate = w + n, *last = w - 2 * n;
    drive_at(c, c->t[k]);
    if (k == 0) {
      slope(c, k, w, rate);
      continue;
    }
    double h = c->t[k] - c->t[k - 1];
    memcpy(rate, last + n, (size_t)n * sizeof *rate);
    for (int again = 0; again < 4; again++) {
      for (int i = 0; i < n; i++) {
        w[i] = last[i] + h / 2 * (last[n + i] + rate[i]);
      }
      slope(c, k, w, rate);
    }
  }
}

/* Where each set of bumps ends, in heights of the bumps; returns the largest but for the last. */
static double find_ends(carried *c) {
  int n = c->n;
  double most = 0;
  for (int set = 0; set <= c->sets; set++) {
    double *end = c->end + (ptrdiff_t)set * n;
    for (int i = 0; i <= c->sets; i++) {
      c->mix[i] = i == set;
    }
    solve(c);
    for (int i = 0; i < n; i++) {
      end[i] = c->both[(ptrdiff_t)(c->lab->n - 1) * 2 * n + i] / c->lab->family.height[i];
      most = fmax(most, set < c->sets ? fabs(end[i]) : 0);
    }
  }
  return most;
}

/* The least mixture that ends at zero; false: there is none but that of no curve at all. */
static bool mix(carried *c) {
  int n = c->n, sets = c->sets;
  double most = find_ends(c), left = 0, tiny = PW_SCALE(CERT_VARY_CURVE);
  pw_qr f;
  const double *last = c->end + (ptrdiff_t)sets * n;
  pw_qr_init(&f, n, sets, c->qr, c->perm);
  memcpy(f.A, c->end, (size_t)n * (size_t)sets * sizeof *f.A);
  if (!(most > tiny) || pw_qr_decompose(&f, tiny / most) < 0) {
    return false;
  }
  pw_qr_least_squares(&f, last, c->mix);
  for (int i = 0; i < n; i++) {
    double sum = last[i];
    for (int set = 0; set < sets; set++) {
      sum -= c->mix[set] * c->end[i + (ptrdiff_t)set * n];
    }
    left += sum * sum;
  }
  for (int set = 0; set < sets; set++) {
    c->mix[set] = -c->mix[set];
  }
  c->mix[sets] = 1;
  return sqrt(left) <= tiny * pw_norm2(last, n);
}

static pawl_status try_curve(carried *c, int curve) {
  pawl_vary *v = NULL;
  bool one_sided = c->with_rho >= 0;
  c->curve = (unsigned)curve;
  if (!mix(c)) {
    return PAWL_OK;
  }
  solve(c);
  c->at = 0;
  pawl_status status = pw_lab_sums(c->lab, &v);
  if (status == PAWL_OK) {
    status = pawl_vary_add(v, PAWL_VARY_WEAK, curve_at, c);
  }
  if (status == PAWL_OK) {
    status = pw_lab_pass(c->lab, v);
  }
  if (status == PAWL_OK) {
    pw_lab_entry x = {.family = {.kind = "weak", .from = c->from, .to = c->to}};
    const pw_variation *w = &v->item[0];
    pw_lab_judge(c->lab, v, 0, &x);
    pawl_lab_family *f = &x.family;
    /* the sums contain T + lambda phi; (7.2) is without lambda phi */
    f->value += w->held;
    f->by_formula += w->held;
    f->tolerance += PW_SCALE(CERT_VARY_CURVE) * (w->parts + fabs(w->held));
    f->equality = !one_sided;
    f->at_end = 0;
    double least = fmin(f->value, f->by_formula), most = fmax(f->value, f->by_formula);
    f->holds = least >= -f->tolerance && (one_sided || most <= f->tolerance);
    f->principle = one_sided ? "delta phi >= 0, Kozlov (7.2)" : "delta phi = 0, Kozlov sec. 7";
    snprintf(x.along, sizeof x.along, "curve %d with delta phi %s 0", curve + 1,
             one_sided ? ">=" : "=");
    status = pw_lab_keep(c->lab, &x);
  }
  pawl_vary_free(v);
  return status;
}

/* An inequality has a multiplier that is not negative: its phi may rise. */
static pawl_status try_laws(carried *c) {
  const pw_system *s = c->lab->sys;
  bool regular = false;
  int one_sided = 0;
  pawl_status status = find_phi(c, &regular);
  for (int k = 0; k < c->m; k++) {
    one_sided += s->state_row[k] >= s->nc;
  }
  for (int k = 0; status == PAWL_OK && regular && k < CURVES; k++) {
    c->with_rho = -1;
    for (int skip = one_sided > 0 ? k % one_sided : -1, j = 0; j < c->m && skip >= 0; j++) {
      if (s->state_row[j] >= s->nc && skip-- == 0) {
        c->with_rho = j;
      }
    }
    status = try_curve(c, k);
  }
  return status;
}

static void free_all(carried *c) {
  double *each[] = {c->phi, c->gain, c->both, c->mix, c->end, c->drive, c->excess, c->qr, c->t};
  for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
    free(each[i]);
  }
  free(c->perm);
  pawl_vary_free(c->sums);
}

static bool make_room(carried *c) {
  size_t n = (size_t)c->n, m = (size_t)c->m, rows = (size_t)c->lab->n + 1;
  c->phi = calloc(rows * m * 2 * n, sizeof *c->phi);
  c->gain = calloc(rows * m * m, sizeof *c->gain);
  c->both = calloc(rows * 2 * n, sizeof *c->both);
  c->mix = calloc((size_t)c->sets + 1, sizeof *c->mix);
  c->end = calloc(n * ((size_t)c->sets + 1), sizeof *c->end);
  c->drive = calloc(n, sizeof *c->drive);
  c->excess = calloc(m, sizeof *c->excess);
  c->qr = calloc(pw_qr_doubles(c->n, c->sets), sizeof *c->qr);
  c->perm = calloc(pw_qr_ints(c->n, c->sets), sizeof *c->perm);
  c->t = calloc(rows, sizeof *c->t);
  return c->phi != NULL && c->gain != NULL && c->both != NULL && c->mix != NULL && c->end != NULL &&
         c->drive != NULL && c->excess != NULL && c->qr != NULL && c->perm != NULL && c->t != NULL;
}

pawl_status pw_lab_carried(pawl_lab *l) {
  const pw_system *s = l->sys;
  if (s->n_state == 0 || s->nr > s->n_state) { /* other constraints would have to hold as well */
    return PAWL_OK;
  }
  carried c = {.lab = l, .n = s->nv, .m = s->n_state, .sets = SETS * s->nv, .from = l->rows[0]};
  c.to = l->rows[(ptrdiff_t)(l->n - 1) * l->stride];
  pawl_status status = make_room(&c) ? pw_lab_sums(l, &c.sums) : PAWL_E_MEMORY;
  if (status == PAWL_OK) {
    status = try_laws(&c);
  }
  free_all(&c);
  return status;
}
