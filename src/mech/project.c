// SPDX-License-Identifier: MIT
/* Projection on the constraints in the metric of the mass matrix (Eich 1993; theory (20), (21)), by
 * the factor L of the last pw_mech_rates: correction v = L^-T y, y the shortest solution of
 * A^T y = -residual, A = L^-1 J^T with unit columns. */
#include <string.h>

#include "base/assert.h"
#include "base/real.h"
#include "law/scale_mech.h"
#include "linalg/dense.h"
#include "mech/work.h"

enum { MAX_NEWTON = 12 };

/* ---- rotations: q' = q o (0, W) / 2, theory (1), (3) ---- */

void pw_quaternion_rate(const double *q, const double *W, double *out) {
  out[0] = 0.5 * (-q[1] * W[0] - q[2] * W[1] - q[3] * W[2]);
  out[1] = 0.5 * (q[0] * W[0] + q[2] * W[2] - q[3] * W[1]);
  out[2] = 0.5 * (q[0] * W[1] + q[3] * W[0] - q[1] * W[2]);
  out[3] = 0.5 * (q[0] * W[2] + q[1] * W[1] - q[2] * W[0]);
}

/* theory (4): W = 2 E(q) dq, the inverse on tangent vectors of the unit sphere. */
static void quaternion_spin(const double *q, const double *dq, double *W) {
  W[0] = 2 * (-q[1] * dq[0] + q[0] * dq[1] + q[3] * dq[2] - q[2] * dq[3]);
  W[1] = 2 * (-q[2] * dq[0] - q[3] * dq[1] + q[0] * dq[2] + q[1] * dq[3]);
  W[2] = 2 * (-q[3] * dq[0] + q[2] * dq[1] - q[1] * dq[2] + q[0] * dq[3]);
}

/* conj(q) w q = w - 2 s (x × w) + 2 x × (x × w) for q = (s, x); q w conj(q) with -s. */
static void turn(double s, const double *x, const double *w, double *out) {
  double a[3], b[3];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    a[i] = x[j] * w[k] - x[k] * w[j];
  }
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    b[i] = x[j] * a[k] - x[k] * a[j];
  }
  for (int i = 0; i < 3; i++) {
    out[i] = w[i] - 2 * s * a[i] + 2 * b[i];
  }
}

void pw_mech_into_body(const double *q, const double *w, double *W) {
  turn(q[0], q + 1, w, W);
}

void pw_mech_into_space(const double *q, const double *W, double *w) {
  turn(-q[0], q + 1, W, w);
}

void pw_mech_to_q(const pw_mech *m, const double *q, const double *v, double *dq) {
  const pw_model *model = m->sys->model;
  for (int i = 0; i < model->signals.n; i++) { /* signals are not moved */
    pw_zero(dq + model->signals.items[i].q, model->signals.items[i].slots);
  }
  for (int c = 0; c < model->coords.n; c++) {
    const pw_coord *k = &model->coords.items[c];
    if (k->is_rotation) {
      pw_quaternion_rate(q + k->q, v + k->u, dq + k->q);
    } else {
      dq[k->q] = v[k->u];
    }
  }
  for (int i = model->nq; i < m->sys->nq; i++) {
    dq[i] = 0; /* a multiplier */
  }
}

void pw_mech_to_v(const pw_mech *m, const double *q, const double *dq, double *v) {
  const pw_model *model = m->sys->model;
  for (int c = 0; c < model->coords.n; c++) {
    const pw_coord *k = &model->coords.items[c];
    if (k->is_rotation) {
      quaternion_spin(q + k->q, dq + k->q, v + k->u);
    } else {
      v[k->u] = dq[k->q];
    }
  }
}

void pw_mech_normalise(const pw_mech *m, double *q) {
  const pw_model *model = m->sys->model;
  for (int c = 0; c < model->coords.n; c++) {
    const pw_coord *k = &model->coords.items[c];
    if (k->is_rotation) {
      double length = pw_norm2(q + k->q, 4);
      for (int i = 0; i < 4; i++) {
        q[k->q + i] /= length;
      }
    }
  }
}

void pw_mech_across_quaternions(const pw_mech *m, const double *q, double *dq) {
  const pw_model *model = m->sys->model;
  for (int c = 0; c < model->coords.n; c++) {
    const pw_coord *k = &model->coords.items[c];
    if (k->is_rotation) {
      pw_axpy(-pw_dot(q + k->q, dq + k->q, 4), q + k->q, dq + k->q, 4);
    }
  }
}

/* ---- Newton's method on residuals s with rows J ---- */

typedef struct newton {
  const pw_program *program; /* outputs: residuals of the equalities, then their rows J */
  int equalities;
  int head;                   /* which number of a law row is its residual */
  int count, k;               /* active rows; corrections made */
  int rank;                   /* independent rows among them */
  bool weak;                  /* the last correction left weak directions alone */
  double size, before, first; /* largest |s_i| / sqrt(D_ii): now, before, at the start */
  double whole;               /* sqrt(sum M_jj x_j^2): the scale for corrections */
} newton;

/* |x_j| of each velocity direction: the rounding of the terms J_ij x_j of a row limits the accuracy
 * of its residual. */
static void sizes(pw_mech *m, const newton *n, double *x) {
  const pw_system *s = m->sys;
  const double *q = m->w->in + s->offset[PW_VAR_Q], *u = m->w->in + s->offset[PW_VAR_U];
  for (int c = 0; c < s->model->coords.n; c++) {
    const pw_coord *k = &s->model->coords.items[c];
    for (int i = 0; i < (k->is_rotation ? 3 : 1); i++) {
      double position = k->is_rotation ? 1 : fabs(q[k->q]);
      x[k->u + i] = n->head == PW_VIEW_VALUE ? position : fabs(u[k->u + i]);
    }
  }
}

static bool is_rounding(const pw_mech *m, const double *eq_J, int row, const double *x,
                        double residual) {
  double terms = 0;
  if (row < m->sys->nc) {
    pw_slope_view J = pw_view_slope(m->sys, eq_J, row);
    for (int j = 0; j < J.n; j++) {
      terms += fabs(J.value[j]) * x[J.at == NULL ? j : J.at[j]];
    }
  } else {
    const double *J = pw_mech_row(m, eq_J, row);
    pw_moved_list list = pw_moved_by(m->sys, row);
    for (int e = 0; e < list.n; e++) {
      int j = list.at == NULL ? e : list.at[e];
      terms += fabs(J[j]) * x[j];
    }
  }
  return fabs(residual) <= PW_SCALE(ROUNDED_TERM) * terms;
}

/* The rows of a sparse system that projections factor; NULL: they are dense. */
static pw_sparse_rows *firm_rows(const pw_mech *m, const newton *n) {
  struct pw_mech_work *w = m->w;
  bool sparse = m->sys->pattern.sparse != NULL && n->count > 0 && n->rank == n->count;
  return !sparse ? NULL : n->head == PW_VIEW_VALUE ? &w->firm.project_q : &w->firm.project;
}

/* Runs the program at the current input; leaves unit columns and scaled residuals. Residuals at
 * round-off count as zero: near a singular position a correction would magnify them. */
static void measure(pw_mech *m, newton *n) {
  struct pw_mech_work *w = m->w;
  const double *eq_J = n->program->out + n->equalities;
  double *x = w->y, *length = w->lam, *scaled = w->v, *residual = w->r;

  /* values and gradients of the rows at this position or velocity */
  sizes(m, n, x);
  pw_program_run(m, n->program);
  if (w->n_act > m->sys->nc) {
    pw_program_run(m, &w->tape.contact);
  }

  /* columns L^-1 J^T of length 1, and their lengths before */
  if (firm_rows(m, n) != NULL) {
    pw_sparse_rows *rows = firm_rows(m, n);
    pw_sparse_rows_load(rows, w->L, eq_J);
    pw_copy(length, rows->length, n->count);
  } else {
    pw_mech_columns(m, eq_J, n->count, w->project.A, length);
  }

  /* size of the state in the metric, to which corrections are compared */
  n->before = n->size;
  n->size = 0;
  for (int j = 0; j < m->sys->nv; j++) {
    scaled[j] = sqrt(m->mass[j]) * x[j];
  }
  n->whole = pw_norm2(scaled, m->sys->nv);

  /* residuals as distances: the row over the length of its column */
  for (int k = 0; k < n->count; k++) {
    int row = w->act[k];
    double s = row < m->sys->nc ? n->program->out[row] : pw_mech_law(m, row)[n->head];
    bool zero = length[k] == 0 || is_rounding(m, eq_J, row, x, s);
    residual[k] = zero ? 0 : -s / length[k];
    n->size = pw_max(n->size, fabs(residual[k]));
  }
  if (n->k == 0) {
    n->first = n->size;
  }
}

static pawl_status lost(pw_mech *m, const newton *n) {
  int worst = 0;
  for (int i = 1; i < n->count; i++) {
    worst = fabs(m->w->r[i]) > fabs(m->w->r[worst]) ? i : worst;
  }
  return pw_mech_fail(m, isfinite(n->size) ? PAWL_E_DRIFT : PAWL_E_NAN, -1, m->w->act[worst],
                      n->size);
}

/* The largest residual of a row, in the measure of n->size, that is rounding of its terms, among
 * them constants that J x does not show: 1.21 - (q - 1.1)^2 near q = 0. After measure(). */
static double rounding_of_terms(pw_mech *m, const newton *n) {
  const struct pw_mech_work *w = m->w;
  const pw_system *s = m->sys;
  double most = 0;
  for (int laws = 0; laws < 2; laws++) {
    const double *terms = pw_program_terms(m, laws ? &w->tape.contact : n->program);
    for (int k = 0; k < n->count; k++) {
      int row = w->act[k], at = laws ? pw_view_law_at(s, row - s->nc, n->head) : row;
      if (laws == (row >= s->nc) && w->lam[k] > 0) {
        most = pw_max(most, PW_SCALE(ROUNDED_ROW) * terms[at] / w->lam[k]);
      }
    }
  }
  return most;
}

/* Residuals that do not fall are as good as they get. */
static bool is_enough(pw_mech *m, const newton *n) {
  return n->weak || n->size <= PW_SCALE(PROJECT_ENOUGH) * n->first ||
         n->size <= PW_SCALE(PROJECT_ROUNDING) * n->whole || n->size <= rounding_of_terms(m, n);
}

/* Sparse rows that stay clearly independent have no weak directions. */
static bool shortest_firm(pw_mech *m, pw_sparse_rows *rows, double weak) {
  if (!(pw_sparse_rows_factor(rows) > pw_max(PW_SCALE(SPARSE_PIVOT), weak))) {
    return false;
  }
  pw_sparse_rows_solve(rows, m->w->r, m->w->lam, m->w->v);
  return true;
}

/* v = y: the shortest solution of A^T y = -residual. */
static pawl_status shortest(pw_mech *m, newton *n, double weak) {
  struct pw_mech_work *w = m->w;
  pw_sparse_rows *firm = firm_rows(m, n);
  if (firm != NULL) {
    if (shortest_firm(m, firm, weak)) {
      return PAWL_OK;
    }
    if (!pw_firm_make_dense(m)) {
      return pw_mech_fail(m, PAWL_E_MEMORY, -1, -1, NAN);
    }
    pw_mech_columns(m, n->program->out + n->equalities, n->count, w->project.A, w->lam);
  }
  pw_qr qr = w->project;
  qr.m = n->count;
  qr.limit = n->rank;
  if (pw_qr_decompose(&qr, pw_max(PW_SCALE(RANK_KNOWN), weak)) < 0) {
    return lost(m, n);
  }
  PW_ASSERT(qr.rank <= n->rank && n->rank <= n->count);
  n->weak = qr.rank < n->rank;
  (void)pw_qr_min_norm(&qr, w->r, w->v);
  return PAWL_OK;
}

/* One correction v = L^-T y, or *done. Residuals fall quadratically, at once if the rows are
 * linear, until round-off stops them: one that is not below a quarter of the one before is at
 * round-off, or does not converge. */
static pawl_status correct(pw_mech *m, newton *n, double weak, bool *done) {
  struct pw_mech_work *w = m->w;
  measure(m, n);
  bool falls = n->k == 0 || n->size <= PW_SCALE(PROJECT_FALLS) * n->before;
  bool stalled = n->k == MAX_NEWTON || !falls;
  *done = n->size == 0 || (n->k > 0 && n->size <= PW_SCALE(PROJECT_DONE) * n->first) ||
          (stalled && is_enough(m, n));
  if (*done) {
    return PAWL_OK;
  }
  if (stalled || !isfinite(n->size)) {
    return lost(m, n);
  }
  pawl_status status = shortest(m, n, weak);
  pw_mech_backward(m, w->v);
  n->k++;
  return status;
}

/* ---- positions and velocities ---- */

static newton position_newton(const pw_mech *m) {
  return (newton){.program = &m->w->tape.position,
                  .equalities = m->sys->np,
                  .head = PW_VIEW_VALUE,
                  .count = m->w->n_act_q,
                  .rank = m->rank_q};
}

static newton velocity_newton(const pw_mech *m) {
  return (newton){.program = &m->w->tape.velocity,
                  .equalities = m->sys->nc,
                  .head = PW_VIEW_RATE,
                  .count = m->w->n_act,
                  .rank = m->rank};
}

/* sqrt(sum M_jj v_j^2) */
static double length_of(const pw_mech *m, const double *v) {
  double sum = 0;
  for (int j = 0; j < m->sys->nv; j++) {
    sum += m->mass[j] * v[j] * v[j];
  }
  return sqrt(sum);
}

bool pw_mech_is_rounding(pw_mech *m, double t, const double *q, const double *u, const double *side,
                         const double *moved_q, const double *moved_u) {
  newton p = position_newton(m), v = velocity_newton(m);
  pw_mech_input(m, t, q, u, side);
  measure(m, &p);
  bool fits = length_of(m, moved_q) <= p.count * rounding_of_terms(m, &p);
  measure(m, &v);
  return fits && length_of(m, moved_u) <= v.count * rounding_of_terms(m, &v);
}

int pw_mech_missed(pw_mech *m, double t, const double *q, const double *u, const double *side,
                   bool positions, double *size) {
  newton n = positions ? position_newton(m) : velocity_newton(m);
  int row = -1;
  *size = 0;
  pw_mech_input(m, t, q, u, side);
  measure(m, &n);
  for (int k = 0; k < n.count; k++) {
    if (m->w->act[k] < m->sys->nc && fabs(m->w->r[k]) > *size) {
      *size = fabs(m->w->r[k]);
      row = m->w->act[k];
    }
  }
  return row;
}

pawl_status pw_mech_project_q(pw_mech *m, double t, double *q, const double *side, double weak,
                              double *moved) {
  const pw_system *s = m->sys;
  struct pw_mech_work *w = m->w;
  newton n = position_newton(m);
  memset(moved, 0, (size_t)s->nv * sizeof *moved);
  pw_mech_normalise(m, q);
  for (bool done = n.count == 0; !done;) {
    pw_mech_input(m, t, q, w->in + s->offset[PW_VAR_U], side);
    pawl_status status = correct(m, &n, weak, &done);
    if (status != PAWL_OK) {
      return status;
    }
    if (!done) {
      pw_mech_to_q(m, q, w->v, w->dq);
      pw_axpy(1, w->dq, q, s->nq);
      pw_mech_normalise(m, q);
      pw_axpy(1, w->v, moved, s->nv);
    }
  }
  return PAWL_OK;
}

pawl_status pw_mech_project_u(pw_mech *m, double t, const double *q, double *u, const double *side,
                              double weak, double *moved) {
  const pw_system *s = m->sys;
  struct pw_mech_work *w = m->w;
  newton n = velocity_newton(m);
  memset(moved, 0, (size_t)s->nv * sizeof *moved);
  for (bool done = n.count == 0; !done;) {
    pw_mech_input(m, t, q, u, side);
    pawl_status status = correct(m, &n, weak, &done);
    if (status != PAWL_OK) {
      return status;
    }
    if (!done) {
      pw_axpy(1, w->v, u, s->nv);
      pw_axpy(1, w->v, moved, s->nv);
    }
  }
  return PAWL_OK;
}

/* y <- (I - Q1 Q1^T) y; false: the rows are not finite. */
static bool reject(pw_mech *m, int count, double *y) {
  struct pw_mech_work *w = m->w;
  if (w->firm.holds) {
    pw_sparse_rows *rows = count < w->n_act ? &w->firm.project_q : &w->firm.rows;
    pw_motion_view x = pw_view_motion(m->sys, w->tape.motion.out);
    bool firm = rows == &w->firm.rows || pw_firm_factor(m, rows, x.J, false);
    if (firm) {
      pw_sparse_rows_reject(rows, y, w->v);
    }
    return firm;
  }
  pw_qr qr = w->rows;
  if (count < w->n_act) {
    qr = w->project;
    qr.m = count;
    qr.limit = m->rank_q;
    qr.given = w->columns;
    (void)pw_qr_decompose(&qr, PW_SCALE(RANK_KNOWN));
  }
  if (qr.rank < 0) {
    return false;
  }
  pw_qr_reject(&qr, y);
  return true;
}

/* theory (22): v <- L^-T (I - Q1 Q1^T) L^T v. Rows that are not finite: the error norm of the step
 * is NaN and rejects it. */
void pw_mech_tangent(pw_mech *m, bool positions, double *v) {
  struct pw_mech_work *w = m->w;
  int count = positions ? w->n_act_q : w->n_act;
  if (count == 0) {
    return;
  }
  pw_mech_lift(m, v, w->y);
  if (reject(m, count, w->y)) {
    pw_mech_backward(m, w->y);
    pw_copy(v, w->y, m->sys->nv);
  }
}

/* ---- along the reactions ---- */

double pw_mech_rate_of(const pw_mech *m, int row) {
  return row < m->sys->nc ? m->w->tape.velocity.out[row] : pw_mech_law(m, row)[PW_VIEW_RATE];
}
