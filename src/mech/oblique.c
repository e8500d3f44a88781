// SPDX-License-Identifier: MIT
/* Forces that do not act along the gradient of their row. A servo pushes along the covector Phi of
 * its `by` (Kozlov 2019, sec. 6); a contact that slides with Coulomb friction along
 * Phi_N = J_N + c J_T with c = -mu sign(slip). Then
 *   A^T B x = -(zeta + A^T c_h),   B = L^-1 Phi,
 * is no longer symmetric. Its diagonal is the controllability of a servo, theory (76), (77); that
 * of a contact may vanish or turn negative (Painleve). */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/entries.h"
#include "base/real.h"
#include "law/scale_mech.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "linalg/lu.h"
#include "mech/work.h"
#include "system/moved.h"

/* contacts (K4): it rests on others, with a given part of its normal force. */
static bool has_share(const pw_mech *m, int law) {
  return m->w->state[law] == PW_IMPLIED && m->sys->law[law].group < 0 && m->heading[law] != 0;
}

bool pw_mech_slides(const pw_mech *m, int law) {
  int on = m->sys->law[law].on, state = m->w->state[law];
  if (on < 0 || m->w->state[on] != PW_AT_KINK) {
    return false;
  }
  return (state != PW_AT_KINK && state != PW_IMPLIED) || has_share(m, law);
}

void pw_mech_list_slides(pw_mech *m) {
  pw_oblique *x = &m->w->oblique;
  x->n_slides = 0;
  for (int i = 0; i < m->sys->ni && m->sys->trait.oblique; i++) {
    if (pw_mech_slides(m, i)) {
      x->slides[x->n_slides++] = i;
    }
  }
}

double pw_mech_ratio(const pw_mech *m, int law) {
  if (has_share(m, law)) {
    return m->heading[law];
  }
  return pw_view_force_beside(m->w->tape.graph.out, law, m->w->state[law] == PW_ABOVE_KINK);
}

const double *pw_mech_direction(const pw_mech *m, const double *eq_J, int row) {
  int by = m->sys->row[row].by;
  return by < 0 ? pw_mech_row(m, eq_J, row) : m->w->tape.by.out + (size_t)by * (size_t)m->sys->nv;
}

void pw_mech_aim_servos(pw_mech *m) {
  const pw_system *s = m->sys;
  if (s->n_by > 0) {
    pw_program_run(m, &m->w->tape.by);
  }
  for (int i = s->nc; i < s->nr; i++) {
    for (int k = 0; s->row[i].by >= 0 && m->sense[i] < 0 && k < s->nv; k++) {
      double *phi = m->w->tape.by.out + (size_t)s->row[i].by * (size_t)s->nv;
      phi[k] = -phi[k];
    }
  }
}

/* The sense is kept between instants: where the controllability vanishes the force grows without
 * bound, and does not turn. */
void pw_mech_orient_servos(pw_mech *m) {
  const pw_system *s = m->sys;
  struct pw_mech_work *w = m->w;
  for (int i = s->nc; i < s->nr; i++) {
    m->sense[i] = 1;
  }
  pw_mech_aim_servos(m);
  for (int i = s->nc; i < s->nr; i++) {
    if (s->row[i].by >= 0) { /* (M^-1 Phi, grad f) */
      memcpy(w->v, pw_mech_law(m, i) + PW_VIEW_HEAD, (size_t)s->nv * sizeof *w->v);
      pw_mech_forward(m, w->v);
      pw_mech_backward(m, w->v);
      m->sense[i] = pw_dot(pw_mech_direction(m, NULL, i), w->v, s->nv) < 0 ? -1 : 1;
    }
  }
  pw_mech_aim_servos(m);
}

/* Unit columns along the covectors of the servos. */
static void servo_columns(pw_mech *m) {
  struct pw_mech_work *w = m->w;
  int n = m->sys->nv;
  pw_mech_aim_servos(m);
  for (int k = 0; k < w->n_act; k++) {
    double *b = w->oblique.phi + (size_t)k * (size_t)n;
    w->oblique.length[k] = w->length[k];
    if (m->sys->row[w->act[k]].by >= 0) {
      memcpy(b, pw_mech_direction(m, NULL, w->act[k]), (size_t)n * sizeof *b);
      w->oblique.length[k] = pw_mech_unit(m, b);
    }
  }
}

/* phi += part L^-1 J_T^T of a slip. */
static void lean(pw_mech *m, int law, double part, double *phi) {
  const pw_system *s = m->sys;
  struct pw_mech_work *w = m->w;
  const double *head = pw_mech_law(m, s->nc + law) + PW_VIEW_HEAD;
  pw_moved_list list = pw_moved_by(s, s->nc + law);
  if (list.at != NULL && s->pattern.sparse == NULL && s->law[law].group < 0) {
    (void)pw_chol_forward_list(w->L, s->nv, list.at, list.n, head, w->v);
    pw_moved_axpy(s, s->nc + law, part, w->v, phi);
    return;
  }
  memcpy(w->v, head, (size_t)s->nv * sizeof *w->v);
  pw_mech_forward(m, w->v);
  pw_axpy(part, w->v, phi, s->nv);
}

static void place_rows(pw_mech *m) {
  struct pw_mech_work *w = m->w;
  for (int i = 0; i < m->sys->nr; i++) {
    w->oblique.place[i] = -1;
  }
  for (int k = 0; k < w->n_act; k++) {
    w->oblique.place[w->act[k]] = k;
  }
}

/* B = columns, directed along servos and tilted by the friction of sliding contacts. */
static void tilt(pw_mech *m) {
  const pw_system *s = m->sys;
  struct pw_mech_work *w = m->w;
  int n = s->nv;
  memcpy(w->oblique.phi, w->columns, (size_t)n * (size_t)w->n_act * sizeof *w->oblique.phi);
  place_rows(m);
  servo_columns(m);
  for (int e = 0; e < w->oblique.n_slides; e++) {
    int i = w->oblique.slides[e];
    int k = w->oblique.place[s->nc + s->law[i].on];
    PW_ASSERT(k >= 0);
    lean(m, i, pw_mech_ratio(m, i) / w->length[k], w->oblique.phi + (size_t)k * (size_t)n);
  }
}

/* Phi M^-1 grad f of one of the rows. */
static double own_effect(const struct pw_mech_work *w, int n, int j) {
  size_t at = (size_t)j * (size_t)n;
  return pw_dot(w->columns + at, w->oblique.phi + at, n);
}

/* Of a singular matrix: the row at fault, rather a servo than another, and rather one whose force
 * does not reach its own target. */
static int blamed(const pw_mech *m, int k) {
  int found = k;
  double least = INFINITY;
  for (int j = 0; j < m->w->n_act; j++) {
    double effect = fabs(own_effect(m->w, m->sys->nv, j));
    if (m->sys->row[m->w->act[j]].by >= 0 && effect < least) {
      found = j;
      least = effect;
    }
  }
  return found;
}

/* Rows that depend on each other leave their forces open; the least are taken, theory (18). */
static bool is_dependent(const pw_mech *m) {
  return m->w->rows.rank < m->w->n_act;
}

static bool is_open(const pw_mech *m) {
  return is_dependent(m) || m->w->oblique.open;
}

/* Factors D. Returns its rank, at most the limit. */
static int decompose_slant(struct pw_mech_work *w, int limit) {
  w->oblique.slant.n = w->oblique.slant.m = w->n_act;
  w->oblique.slant.limit = limit;
  memcpy(w->oblique.slant.A, w->oblique.D,
         (size_t)w->n_act * (size_t)w->n_act * sizeof *w->oblique.D);
  return pw_qr_decompose(&w->oblique.slant, PW_SCALE(RANK_ROUNDING));
}

/* Forces that the rows leave open must not move anything: no combination of columns of B that D
 * does not see may be there, so both have one rank. Sliding friction may leave the motion open;
 * a servo must not. */
static bool moves_freely(pw_mech *m) {
  struct pw_mech_work *w = m->w;
  size_t n = (size_t)m->sys->nv, k = (size_t)w->n_act;
  w->oblique.slant.n = w->oblique.slant.m = w->oblique.slant.limit = w->n_act;
  for (size_t j = 0; j < k; j++) {
    for (size_t i = 0; i < k; i++) {
      w->oblique.slant.A[j * k + i] =
          pw_dot(w->oblique.phi + i * n, w->oblique.phi + j * n, (int)n);
    }
  }
  return pw_qr_decompose(&w->oblique.slant, PW_SCALE(RANK_ROUNDING)) > w->rows.rank;
}

static int factor_dependent(pw_mech *m) {
  struct pw_mech_work *w = m->w;
  if (m->sys->n_by > 0 && moves_freely(m)) {
    return w->n_act;
  }
  return decompose_slant(w, w->rows.rank) == w->rows.rank ? 0 : 1;
}

/* theory (74): det(D) / det(A^T A), of the LU factor of D = A^T B and the QR factor of A. */
static double determinants(const struct pw_mech_work *w) {
  double ratio = 1;
  int k = w->n_act;
  pw_qr_pivots(&w->rows, w->lam);
  for (int j = 0; j < k; j++) {
    double u = w->oblique.D[(size_t)j * (size_t)k + (size_t)j];
    ratio *= (w->oblique.pivot[j] == j ? u : -u) / (w->lam[j] * w->lam[j]);
  }
  return ratio;
}

/* Adds column j of D where the rows that move the velocity c are known. */
static void add_movers(const pw_mech *m, int c, double b, double *to) {
  const struct pw_mech_work *w = m->w;
  pw_moved_list rows = pw_moved_movers(m->sys, c);
  for (int e = 0; e < rows.n; e++) {
    int i = w->oblique.place[rows.at[e]];
    if (i >= 0) {
      to[i] += w->columns[(size_t)i * (size_t)m->sys->nv + (size_t)c] * b;
    }
  }
}

/* D = A^T B. Most columns have few entries. */
static void multiply(pw_mech *m) {
  struct pw_mech_work *w = m->w;
  int k = w->n_act, n = m->sys->nv;
  bool known = m->sys->pattern.moved != NULL;
  for (int j = 0; j < k; j++) {
    const double *b = w->oblique.phi + (size_t)j * (size_t)n;
    double *to = w->oblique.D + (size_t)j * (size_t)k;
    pw_zero(to, k);
    for (int c = pw_next_entry(b, 0, n); c < n; c = pw_next_entry(b, c + 1, n)) {
      if (known) {
        add_movers(m, c, b[c], to);
        continue;
      }
      for (int i = 0; i < k; i++) {
        to[i] += w->columns[(size_t)i * (size_t)n + (size_t)c] * b[c];
      }
    }
  }
}

/* The first pivot of D that is no larger than the cosine, from 1 on; 0: none. Only servos need a
 * hold: rows of contacts that slide may lose theirs (Painleve). */
static int slipping(const pw_mech *m, double cosine) {
  const struct pw_mech_work *w = m->w;
  int k = m->sys->n_by > 0 && w->oblique.any && !is_dependent(m) ? w->n_act : 0;
  for (int j = 0; j < k; j++) {
    if (!(fabs(w->oblique.D[(size_t)j * (size_t)w->n_act + (size_t)j]) > cosine)) {
      return j + 1;
    }
  }
  return 0;
}

static pw_fault no_hold(const pw_mech *m, int pivot) {
  int at = blamed(m, pivot - 1);
  double effect = own_effect(m->w, m->sys->nv, at);
  return (pw_fault){PAWL_E_CONTRADICTION, -1, m->w->act[at], effect};
}

bool pw_mech_loses_hold(const pw_mech *m, double cosine, pw_fault *fault) {
  int pivot = slipping(m, cosine);
  if (pivot > 0) {
    *fault = no_hold(m, pivot);
  }
  return pivot > 0;
}

bool pw_mech_is_slack(const pw_mech *m) {
  return m->w->oblique.any && m->w->oblique.open;
}

pawl_status pw_mech_no_hold(pw_mech *m) {
  m->margin = 0;
  m->fault = no_hold(m, m->w->n_act);
  return m->fault.status;
}

/* Independent rows. Sliding friction may leave forces open where the rows do not: two equal disks
 * with mu = 1 that touch each other and slide side by side on a plane have D = 2 (1 - mu^2) = 0
 * for the force between them, which moves no row. Then the least forces are taken, contacts (K11),
 * if there are any. */
static int factor_independent(pw_mech *m) {
  struct pw_mech_work *w = m->w;
  int bad = pw_lu(w->oblique.D, w->n_act, w->oblique.pivot);
  w->oblique.open = bad != 0 && m->sys->n_by == 0;
  if (!w->oblique.open) {
    return bad;
  }
  multiply(m);
  decompose_slant(w, w->n_act);
  return 0;
}

pawl_status pw_mech_factor_oblique(pw_mech *m) {
  struct pw_mech_work *w = m->w;
  m->margin = 1;
  w->oblique.open = false;
  w->oblique.any = m->sys->n_by > 0 || w->oblique.n_slides > 0;
  if (!w->oblique.any) {
    return PAWL_OK;
  }
  tilt(m);
  multiply(m);
  int bad = is_dependent(m) ? factor_dependent(m) : factor_independent(m);
  bad = bad == 0 ? slipping(m, PW_SCALE(GRIP)) : bad;
  m->margin = m->sys->n_by > 0 || is_open(m) ? 1 : bad != 0 ? 0 : determinants(w);
  if (bad == 0) {
    return PAWL_OK;
  }
  m->fault = no_hold(m, bad);
  return m->fault.status;
}

/* The least x of all that miss the rows least. Returns by how much they do. */
static double solve_open(const struct pw_mech_work *w, int n, const double *r, double *x,
                         double *y) {
  double miss = 0;
  pw_qr_least_squares(&w->oblique.slant, r, x);
  pw_gemv(w->oblique.phi, n, w->n_act, x, y);
  for (int i = 0; i < w->n_act; i++) {
    miss = pw_max(miss, fabs(pw_dot(w->columns + (size_t)i * (size_t)n, y, n) - r[i]));
  }
  return miss;
}

double pw_mech_solve_rows(const pw_mech *m, const double *r, double *x, double *y) {
  const struct pw_mech_work *w = m->w;
  if (w->firm.holds) {
    pw_sparse_rows rows = w->firm.rows;
    pw_sparse_rows_solve(&rows, r, x, y);
    return 0;
  }
  if (!w->oblique.any) {
    return pw_qr_gram_solve(&w->rows, r, x, y);
  }
  if (is_open(m)) {
    return solve_open(w, m->sys->nv, r, x, y);
  }
  memcpy(x, r, (size_t)w->n_act * sizeof *x);
  pw_lu_solve(w->oblique.D, w->n_act, w->oblique.pivot, x);
  pw_gemv(w->oblique.phi, m->sys->nv, w->n_act, x, y);
  return 0;
}

void pw_mech_keep_shares(pw_mech *m, const double *force) {
  m->w->shares.kept = force != NULL;
  if (force != NULL) {
    memcpy(m->w->shares.force, force, (size_t)m->sys->nr * sizeof *force);
  }
}

double pw_mech_solve_forces(const pw_mech *m, const double *r, double *x, double *y) {
  const struct pw_mech_work *w = m->w;
  const pw_kept_shares *k = &w->shares;
  int n = m->sys->nv;
  if (!k->kept || w->firm.holds || !w->oblique.any || !is_open(m)) {
    return pw_mech_solve_rows(m, r, x, y);
  }
  for (int i = 0; i < w->n_act; i++) {
    k->scaled[i] = k->force[w->act[i]] * w->oblique.length[i];
  }
  pw_gemv(w->oblique.phi, n, w->n_act, k->scaled, k->push);
  for (int i = 0; i < w->n_act; i++) {
    k->rest[i] = r[i] - pw_dot(w->columns + (size_t)i * (size_t)n, k->push, n);
  }
  double miss = solve_open(w, n, k->rest, x, y);
  pw_axpy(1, k->scaled, x, w->n_act);
  pw_axpy(1, k->push, y, n);
  return miss;
}

void pw_mech_sliding_forces(pw_mech *m) {
  const pw_system *s = m->sys;
  for (int e = 0; e < m->w->oblique.n_slides; e++) {
    int i = m->w->oblique.slides[e];
    m->lambda[s->nc + i] = pw_mech_ratio(m, i) * m->lambda[s->nc + s->law[i].on];
  }
}

void pw_mech_anchor(pw_mech *m, const double *force) {
  const pw_system *s = m->sys;
  struct pw_mech_work *w = m->w;
  const double *B = w->oblique.any ? w->oblique.phi : w->columns;
  for (int k = 0; k < w->n_act; k++) {
    w->given[k] = force[w->act[k]] * (w->oblique.any ? w->oblique.length[k] : w->length[k]);
  }
  pw_gemv(B, s->nv, w->n_act, w->given, w->v);
  for (int k = 0; k < w->n_act; k++) {
    w->r[k] = pw_dot(w->columns + (size_t)k * (size_t)s->nv, w->v, s->nv);
  }
  (void)pw_mech_solve_rows(m, w->r, w->lam, w->y);
  for (int k = 0; k < w->n_act; k++) {
    double length = w->oblique.any ? w->oblique.length[k] : w->length[k];
    m->lambda[w->act[k]] += length > 0 ? (w->given[k] - w->lam[k]) / length : 0;
  }
  pw_mech_sliding_forces(m);
}
