// SPDX-License-Identifier: MIT
/* Is an equilibrium stable? Directions that a law holds with a force strictly between its bounds
 * cannot move; of the others those remain that no first-order force resists (the critical cone).
 * There the stiffness decides if forces have a potential and velocity-dependent forces dissipate
 * energy (Lagrange and Dirichlet, Chetaev); otherwise the linearisation decides, or the result is
 * undecided. Steady motions are equilibria of the shape in the amended potential (Routh). */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_mech.h"
#include "law/scale_static.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "linalg/qr.h"
#include "static/cone_min.h"
#include "static/equilibria.h"

enum { MOST_KINKS = 6 };

typedef struct look {
  pawl_equilibria *e;
  pw_balance *b;
  const pw_rest *x;
  int nv, nr;
  double *hold; /* nv x n_hold: unit columns */
  int n_hold;
  double *half; /* nv x n_half: directions with half . v >= 0 */
  int n_half;
  int kink[MOST_KINKS], n_kink; /* rows where only the stiffness jumps */
  double *K, *D;                /* nv x nv: -dF/dq, -dF/du; in the metric later */
  double *K0, *D0;              /* without the slopes of these rows */
  bool undecidable;             /* servos, and velocities that are held without their positions */
  bool coupled;                 /* friction that holds changes the force it needs */
  bool steady;                  /* cyclic coordinates move; their momenta stay */
} look;

static const double *column(const double *A, int n, int i) {
  return A + (size_t)i * (size_t)n;
}

static void add_hold(look *l, int i) {
  memcpy(l->hold + (size_t)l->n_hold++ * (size_t)l->nv, column(l->b->g, l->nv, i),
         (size_t)l->nv * sizeof *l->hold);
}

static void add_half(look *l, int i, int sign) {
  double *col = l->half + (size_t)l->n_half++ * (size_t)l->nv;
  for (int k = 0; k < l->nv; k++) {
    col[k] = sign * column(l->b->g, l->nv, i)[k];
  }
}

/* K += slope of a law that is, or moves to, one side of its kink; D likewise. */
static void add_slope(look *l, int i, bool below) {
  const pw_still *x = l->b->x;
  const double *d = below ? x->dhi : x->dlo;
  int nv = l->nv;
  for (int k = 0; k < 2 * nv; k++) {
    double *M = k < nv ? l->K : l->D;
    double change = d[(size_t)k * (size_t)l->nr + (size_t)i];
    pw_axpy(-change, column(x->phi, nv, i), M + (size_t)(k % nv) * (size_t)nv, nv);
  }
}

/* ---- the rows ---- */

/* Forces in units: the interval of one row, and the force that it has. */
static pw_law_set set_of(const look *l, int i) {
  pw_law_set set = pw_still_forces(l->b->x, i, l->x->lambda, true);
  return pw_law_set_scaled(set, l->b->len[i] / l->b->force);
}

static double force_of(const look *l, int i) {
  return l->x->lambda[i] * l->b->len[i] / l->b->force;
}

static bool rests(const look *l, int i) {
  const pw_law_row *law = &l->b->x->row[i].law;
  double unit = law->form->on_velocity ? l->b->speed : l->b->length;
  return fabs(law->value) <= PW_SCALE(AT_REST) * unit * l->b->g_len[i];
}

static void take_disk(look *l, int i) {
  double strict = PW_SCALE(AT_BOUND), unit = l->b->len[i] / l->b->force;
  int n = l->b->x->row[i].law.form->width;
  double size = pw_length(l->x->lambda + i, n) * unit;
  pw_law_set set = set_of(l, i);
  double radius = pw_law_set_extent(&set, 0).hi;
  bool still = true;
  for (int k = 0; k < n; k++) {
    still = still && rests(l, i + k);
  }
  if (!still || size > radius - strict) {
    l->undecidable = l->undecidable || radius > strict;
    return;
  }
  for (int k = 0; k < n; k++) {
    add_hold(l, i + k);
  }
}

static void take_law(look *l, int i) {
  const pw_law_row *law = &l->b->x->row[i].law;
  pw_law_set set = set_of(l, i);
  double strict = PW_SCALE(AT_BOUND), force = force_of(l, i);
  bool position = !law->form->on_velocity;

  if (!rests(l, i)) {
    add_slope(l, i, law->value < 0);
  } else if (force > set.lo + strict && force < set.hi - strict) {
    add_hold(l, i);
  } else if (set.hi - set.lo > 2 * strict) {
    bool above = force <= set.lo + strict;
    add_half(l, i, above ? 1 : -1);
    if (position) {
      add_slope(l, i, !above);
    }
  } else if (position && l->n_kink < MOST_KINKS) {
    l->kink[l->n_kink++] = i;
  } else if (position) {
    l->undecidable = true;
  }
}

/* Friction that pushes on its contact: then the sticking force may change its own bound. */
static bool couples(const look *l, int friction) {
  for (int i = 0; i < l->nr; i++) {
    const pw_law_form *form = &l->e->sys->row[i];
    double cosine = pw_dot(column(l->b->g, l->nv, i), column(l->b->g, l->nv, friction), l->nv);
    bool contact = pw_law_is_wall(form) && !form->on_velocity && rests(l, i);
    if (contact && fabs(cosine) > PW_SCALE(LINEAR_ZERO)) {
      return true;
    }
  }
  return false;
}

static void take_row(look *l, int i) {
  const pw_still_row *r = &l->b->x->row[i];
  if (!(l->b->g_len[i] > 0)) {
    return;
  }
  const pw_law_form *form = r->law.form;
  l->undecidable = l->undecidable || form->by >= 0;
  if (form->equality || (pw_law_is_wall(form) && form->on_velocity)) {
    l->undecidable = l->undecidable || form->on_velocity;
    if (!form->on_velocity) {
      add_hold(l, i);
    }
    return;
  }
  if (r->on >= 0 && rests(l, i) && l->x->lambda[r->on] > 0) {
    l->coupled = l->coupled || couples(l, i);
  }
  if (pw_law_is_rough(form)) {
    if (force_of(l, r->on) > PW_SCALE(AT_BOUND)) {
      add_hold(l, i);
    }
  } else if (r->plane >= 0) {
    if (r->plane == i) {
      take_disk(l, i);
    }
  } else {
    take_law(l, i);
  }
}

/* ---- reduction ---- */

/* M <- L^-1 M L^-T */
static void to_metric(look *l, double *M) {
  int n = l->nv;
  double *row = PW_TAKE(&l->e->arena, n + 1, double);
  for (int j = 0; j < n; j++) {
    pw_chol_forward(l->b->L, n, M + (size_t)j * (size_t)n);
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      row[j] = M[(size_t)j * (size_t)n + (size_t)i];
    }
    pw_chol_forward(l->b->L, n, row);
    for (int j = 0; j < n; j++) {
      M[(size_t)j * (size_t)n + (size_t)i] = row[j];
    }
  }
}

static void fill(look *l) {
  const pw_still *x = l->b->x;
  int nv = l->nv;
  for (int k = 0; k < 2 * nv; k++) {
    double *M = (k < nv ? l->K : l->D) + (size_t)(k % nv) * (size_t)nv;
    pw_axpy(-1, column(x->dh, nv, k), M, nv);
    for (int i = 0; i < l->nr; i++) {
      pw_axpy(-l->x->lambda[i], x->dphi + ((size_t)k * (size_t)l->nr + (size_t)i) * (size_t)nv, M,
              nv);
    }
  }
  for (int i = 0; i < l->nr; i++) {
    take_row(l, i);
  }
}

/* ---- steady motions ---- */

static bool is_zero(double x, double size) {
  return fabs(x) <= PW_SCALE(LINEAR_ZERO) * size;
}

/* Only inertia acts along cyclic coordinates, so their momenta are constant: no force there changes
 * with shape or speed, no law that acts has a part there, and the coupling is that of a kinetic
 * energy, D_cs = -D_sc. */
static bool keeps_momenta(const look *l) {
  const pw_still *x = l->b->x;
  int n = l->nv;
  double size_K = pw_norm2(l->K, n * n), size_D = pw_norm2(l->D, n * n);
  for (int k = 0; k < l->e->n_cyclic; k++) {
    int c = l->e->cyclics[k];
    for (int j = 0; j < n; j++) {
      double there = l->D[(size_t)j * (size_t)n + (size_t)c];
      double back = l->D[(size_t)c * (size_t)n + (size_t)j];
      if (!is_zero(l->K[(size_t)j * (size_t)n + (size_t)c], size_K) ||
          !is_zero(l->e->cyclic[j] ? there : there + back, size_D)) {
        return false;
      }
    }
    for (int i = 0; i < l->nr; i++) {
      if (!is_zero(column(x->J, n, i)[c], l->b->g_len[i]) || column(x->phi, n, i)[c] != 0) {
        return false;
      }
    }
  }
  return true;
}

/* With the momenta p of the cyclic coordinates c the rest moves in V + 1/2 p.M_cc^-1 p (Routh). Its
 * stiffness is K + C^T M_cc^-1 C with C = D_cs = dp/ds at constant rates. False: M_cc is singular.
 */
static bool amend(look *l) {
  int n = l->nv, m = l->e->n_cyclic;
  const int *c = l->e->cyclics;
  double *L = PW_TAKE(&l->e->arena, m * m + 1, double);
  double *C = PW_TAKE(&l->e->arena, m * n + 1, double);
  for (int j = 0; j < m; j++) {
    for (int i = j; i < m; i++) {
      int a = c[i] > c[j] ? c[i] : c[j], b = c[i] > c[j] ? c[j] : c[i];
      L[(size_t)j * (size_t)m + (size_t)i] = l->b->x->M[(size_t)b * (size_t)n + (size_t)a];
    }
  }

  /* M_cc is regular */
  double most = 0;
  for (int i = 0; i < n; i++) {
    most = fmax(most, l->b->x->M[(size_t)i * (size_t)n + (size_t)i] * pow(l->e->scale[i], 2));
  }
  for (int k = 0; k < m; k++) {
    if (!(L[(size_t)k * (size_t)m + (size_t)k] * pow(l->e->scale[c[k]], 2) >
          PW_SCALE(NO_INERTIA) * most)) {
      return false;
    }
  }
  if (pw_chol(L, m) != 0) {
    return false;
  }

  /* K += C^T M_cc^-1 C */
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < m; i++) {
      C[j * m + i] = l->e->cyclic[j] ? 0 : l->D[(size_t)j * (size_t)n + (size_t)c[i]];
    }
    pw_chol_forward(L, m, C + (size_t)j * (size_t)m);
  }
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++) {
      l->K[(size_t)j * (size_t)n + (size_t)i] += pw_dot(C + i * m, C + j * m, m);
    }
  }

  /* only the shape remains */
  for (int k = 0; k < m; k++) {
    double *hold = l->hold + (size_t)l->n_hold++ * (size_t)n;
    hold[c[k]] = 1;
    (void)pw_chol_unit(l->b->L, n, hold);
  }
  return true;
}

typedef struct reduced {
  int n, half;
  double *K, *D, *B;
} reduced;

static double *project(look *l, const double *Z, int r, const double *M) {
  int n = l->nv;
  double *out = PW_TAKE(&l->e->arena, r * r + 1, double);
  double *v = PW_TAKE(&l->e->arena, n + 1, double);
  for (int j = 0; j < r; j++) {
    pw_gemv(M, n, n, column(Z, n, j), v);
    for (int i = 0; i < r; i++) {
      out[(size_t)j * (size_t)r + (size_t)i] = pw_dot(column(Z, n, i), v, n);
    }
  }
  return out;
}

static reduced reduce(look *l) {
  int n = l->nv, m = l->n_hold;
  pw_arena *arena = &l->e->arena;
  double *A = PW_TAKE(arena, n * (m + 1) + 1, double), *tau = PW_TAKE(arena, n + m + 1, double);
  double *work = PW_TAKE(arena, 2 * m + 2, double), *Z = PW_TAKE(arena, n * n + 1, double);
  int *perm = PW_TAKE(arena, m + 1, int);
  memcpy(A, l->hold, (size_t)n * (size_t)m * sizeof *A);
  int rank = m == 0 ? 0 : pw_qr_factor(A, n, m, tau, perm, work, PW_SCALE(RANK_ROWS));
  rank = rank < 0 ? 0 : rank;
  for (int j = rank; j < n; j++) {
    double *z = Z + (size_t)(j - rank) * (size_t)n;
    z[j] = 1;
    pw_qr_apply_q(A, n, rank, tau, z);
  }
  reduced r = {.n = n - rank, .half = l->n_half + l->n_kink};
  r.K = project(l, Z, r.n, l->K);
  r.D = project(l, Z, r.n, l->D);
  r.B = PW_TAKE(arena, r.n * r.half + 1, double);
  for (int i = 0; i < r.half; i++) {
    const double *col =
        i < l->n_half ? column(l->half, n, i) : column(l->b->g, n, l->kink[i - l->n_half]);
    pw_gemv_t(Z, n, r.n, col, r.B + (size_t)i * (size_t)r.n);
  }
  return r;
}

/* ---- verdicts ---- */

static double skew(const double *M, int n, double *size) {
  double worst = 0;
  *size = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      worst = fmax(
          worst, fabs(M[(size_t)j * (size_t)n + (size_t)i] - M[(size_t)i * (size_t)n + (size_t)j]));
      *size = fmax(*size, fabs(M[(size_t)j * (size_t)n + (size_t)i]));
    }
  }
  return worst;
}

/* Velocities take energy or leave it alone. */
static bool dissipates(pw_arena *arena, const double *D, int n) {
  double *S = PW_TAKE(arena, n * n + 1, double), *V = PW_TAKE(arena, n * n + 1, double);
  double *value = PW_TAKE(arena, n + 1, double), size;
  (void)skew(D, n, &size);
  for (int i = 0; i < n * n; i++) {
    int a = i % n, c = i / n;
    S[i] = (D[i] + D[(size_t)a * (size_t)n + (size_t)c]) / 2;
  }
  pw_eigen(S, n, value, V);
  for (int i = 0; i < n; i++) {
    if (value[i] < -PW_SCALE(LINEAR_ZERO) * size) {
      return false;
    }
  }
  return true;
}

static pw_form_sign linear(pw_arena *arena, const reduced *r) {
  int n = r->n, m = 2 * n;
  if (r->half > 0) {
    return PW_FORM_BORDER;
  }
  double *F = PW_TAKE(arena, m * m + 1, double);
  for (int j = 0; j < n; j++) {
    F[(size_t)(n + j) * (size_t)m + (size_t)j] = 1;
    for (int i = 0; i < n; i++) {
      F[(size_t)j * (size_t)m + (size_t)(n + i)] = -r->K[(size_t)j * (size_t)n + (size_t)i];
      F[(size_t)(n + j) * (size_t)m + (size_t)(n + i)] = -r->D[(size_t)j * (size_t)n + (size_t)i];
    }
  }
  double rate = 0; /* time in units of the fastest */
  for (int i = 0; i < n * n; i++) {
    rate = fmax(rate, fmax(sqrt(fabs(r->K[i])), fabs(r->D[i])));
  }
  for (int j = 0; rate > 0 && j < m; j++) {
    for (int i = 0; i < m; i++) {
      double unit = i < n && j >= n ? 1 : i >= n && j < n ? rate * rate : rate;
      F[(size_t)j * (size_t)m + (size_t)i] /= unit;
    }
  }
  return pw_linear_form(arena, F, m);
}

/* The form for one choice of sides of the kinks. */
static pw_form_sign on_sides(look *l, unsigned below, bool *conservative, bool *gyroscopic) {
  pw_arena *arena = &l->e->arena;
  size_t bytes = (size_t)l->nv * (size_t)l->nv * sizeof *l->K;
  double size;
  memcpy(l->K, l->K0, bytes);
  memcpy(l->D, l->D0, bytes);
  for (int k = 0; k < l->n_kink; k++) {
    add_slope(l, l->kink[k], below >> k & 1u);
  }
  to_metric(l, l->K);
  to_metric(l, l->D);
  reduced r = reduce(l);
  for (int k = 0; k < l->n_kink; k++) {
    for (int i = 0; below >> k & 1u && i < r.n; i++) {
      r.B[(size_t)(l->n_half + k) * (size_t)r.n + (size_t)i] *= -1;
    }
  }
  *conservative = skew(r.K, r.n, &size) <= PW_SCALE(SKEW) * size && dissipates(arena, r.D, r.n);
  *gyroscopic = skew(r.D, r.n, &size) > PW_SCALE(SKEW) * size;
  return *conservative ? pw_cone_form(arena, r.K, r.n, r.B, r.half) : linear(arena, &r);
}

static pawl_stability judge(look *l) {
  bool positive = true;
  for (unsigned below = 0; below < 1u << l->n_kink; below++) {
    bool conservative, gyroscopic;
    pw_form_sign form = on_sides(l, below, &conservative, &gyroscopic);
    if (l->steady && !conservative) {
      return PAWL_STABLE_UNDECIDED;
    }
    if (form == PW_FORM_NEGATIVE && !l->undecidable && !l->coupled &&
        !(conservative && gyroscopic)) {
      return PAWL_STABLE_NO;
    }
    positive = positive && form == PW_FORM_POSITIVE;
  }
  return positive && !l->coupled && !l->undecidable ? PAWL_STABLE_YES : PAWL_STABLE_UNDECIDED;
}

pawl_stability pw_rest_stability(pawl_equilibria *e, pw_balance *b, const pw_rest *x) {
  const pw_system *s = e->sys;
  pw_arena *arena = &e->arena;
  look l = {.e = e, .b = b, .x = x, .nv = s->nv, .nr = s->nr, .steady = x->steady};
  size_t nv = (size_t)s->nv, nr = (size_t)s->nr;
  pw_spot_copy(s, pw_balance_spot(b), (pw_spot){x->q, x->u, x->lambda});
  if (!pw_balance_solve(b, (pw_balance_task){0}) || !pw_still_look(b->x, true)) {
    return PAWL_STABLE_UNDECIDED;
  }
  l.hold = PW_TAKE(arena, nv * (nr + (size_t)e->n_cyclic) + 1, double);
  l.half = PW_TAKE(arena, nv * nr + 1, double);
  l.K = PW_TAKE(arena, nv * nv + 1, double);
  l.D = PW_TAKE(arena, nv * nv + 1, double);
  l.K0 = PW_TAKE(arena, nv * nv + 1, double);
  l.D0 = PW_TAKE(arena, nv * nv + 1, double);
  fill(&l);
  if (l.steady && !(keeps_momenta(&l) && amend(&l))) {
    return PAWL_STABLE_UNDECIDED;
  }
  memcpy(l.K0, l.K, nv * nv * sizeof *l.K);
  memcpy(l.D0, l.D, nv * nv * sizeof *l.D);
  return judge(&l);
}
