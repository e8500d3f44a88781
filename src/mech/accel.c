// SPDX-License-Identifier: MIT
/* Accelerations and forces: M a = h + J^T lambda, J a + zeta = 0, in the metric of M = L L^T.
 * With A = L^-1 J^T and c = L^-1 h:  A^T A lambda = -(zeta + A^T c),  a = L^-T (c + A lambda).
 * Columns of A are scaled to length sqrt(D_ii) = 1, so that redundant rows get the forces with the
 * least sum of D_ii lambda_i^2, whatever the scaling of the constraints: theory (14)-(18). */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/real.h"
#include "law/scale_mech.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "mech/work.h"

static int coord_of_velocity(const pw_mech *m, int u) {
  const pw_model *model = m->sys->model;
  for (int c = 0; c < model->coords.n; c++) {
    const pw_coord *k = &model->coords.items[c];
    if (u >= k->u && u < k->u + (k->is_rotation ? 3 : 1)) {
      return c;
    }
  }
  return -1;
}

static double zeta_of(const pw_mech *m, const pw_motion_view *x, int row) {
  return row < m->sys->nc ? x->zeta[row] : pw_mech_law(m, row)[PW_VIEW_ZETA];
}

/* Entries of column j of M. */
static int mass_column(const pw_system *s, int j) {
  const pw_sparsity *sparse = s->pattern.sparse;
  return sparse == NULL ? s->nv - j : sparse->mass.start[j + 1] - sparse->mass.start[j];
}

/* Entries of a gradient that can be other than zero are numbers. */
static bool is_finite(const pw_mech *m, const pw_motion_view *x, int row) {
  const pw_system *s = m->sys;
  if (row < s->nc) {
    pw_slope_view J = pw_view_slope(s, x->J, row);
    return pw_all_finite(J.value, J.n);
  }
  const double *J = pw_mech_row(m, x->J, row);
  pw_moved_list list = pw_moved_by(s, row);
  bool finite = list.at != NULL || pw_all_finite(J, list.n);
  for (int e = 0; list.at != NULL && e < list.n; e++) {
    finite = finite && isfinite(J[list.at[e]]);
  }
  return finite;
}

static pawl_status not_a_number(pw_mech *m, const pw_motion_view *x) {
  const pw_system *s = m->sys;
  const double *column = x->M;
  for (int j = 0; j < s->nv; column += mass_column(s, j), j++) {
    bool fine = m->w->have_mass || pw_all_finite(column, mass_column(s, j));
    if (!fine || !isfinite(x->h[j])) {
      return pw_mech_fail(m, PAWL_E_NAN, coord_of_velocity(m, j), -1, x->h[j]);
    }
  }
  for (int k = 0; k < m->w->n_act; k++) {
    int row = m->w->act[k];
    if (!is_finite(m, x, row) || !isfinite(zeta_of(m, x, row))) {
      return pw_mech_fail(m, PAWL_E_NAN, -1, row, zeta_of(m, x, row));
    }
  }
  return PAWL_OK;
}

static void load_sparse_mass(pw_mech *m, const pw_motion_view *x) {
  const pw_sparsity *sparse = m->sys->pattern.sparse;
  pw_zero(m->w->L, sparse->factor->numbers);
  for (int e = 0; e < sparse->factor->given; e++) {
    m->w->L[sparse->factor->place[e]] = x->M[e];
  }
  pw_copy(m->mass, m->w->L, m->sys->nv);
}

static void load_mass(pw_mech *m, const pw_motion_view *x) {
  const pw_system *s = m->sys;
  if (s->pattern.sparse != NULL) {
    load_sparse_mass(m, x);
    return;
  }
  const double *column = x->M;
  for (int j = 0; j < s->nv; column += s->nv - j, j++) {
    memcpy(m->w->L + (size_t)j * (size_t)s->nv + j, column, (size_t)(s->nv - j) * sizeof *column);
    m->mass[j] = column[0];
  }
}

/* theory (81): where M + lambda phi_uu is not positive, its sum with kappa J^T J of the vakonomic
 * rows may be. Along J u' + zeta = 0 it is the same motion if kappa J^T zeta is taken from h. */
static double stiffness(const pw_mech *m, const double *J, int row, double kappa) {
  const pw_system *s = m->sys;
  double most = 0, size = pw_dot(J, J, s->nv);
  for (int j = 0; j < s->nv; j++) {
    most = fmax(most, fabs(m->mass[j]));
  }
  return size > 0 && s->row[row].by < 0 ? kappa * most / size : 0;
}

static int factor_stiffened(pw_mech *m, const pw_motion_view *x, double kappa) {
  const pw_system *s = m->sys;
  int n = s->nv;
  load_mass(m, x);
  for (int k = 0; k < s->n_state; k++) {
    const double *J = x->J + (size_t)s->state_row[k] * (size_t)n;
    double part = stiffness(m, J, s->state_row[k], kappa);
    for (int j = 0; j < n; j++) {
      pw_axpy(part * J[j], J + j, m->w->L + (size_t)j * (size_t)n + j, n - j);
    }
  }
  int bad = pw_chol(m->w->L, n);
  double *h = m->w->tape.motion.out + pw_view_places(s).h;
  for (int k = 0; bad == 0 && k < s->n_state; k++) {
    int row = s->state_row[k];
    const double *J = x->J + (size_t)row * (size_t)n;
    pw_axpy(-stiffness(m, J, row, kappa) * x->zeta[row], J, h, n);
  }
  return bad;
}

static pawl_status factor_mass(pw_mech *m, const pw_motion_view *x) {
  const pw_system *s = m->sys;
  if (m->w->have_mass) {
    return PAWL_OK;
  }
  load_mass(m, x);
  int bad = pw_mech_factor(m);
  double first = bad != 0 ? m->mass[bad - 1] : 0;
  double kappa = 1;
  for (; bad != 0 && s->trait.bends && kappa <= PW_SCALE(STIFFEST_STATE);
       kappa *= PW_SCALE(STIFFER_STATE)) {
    bad = factor_stiffened(m, x, kappa);
  }
  if (bad != 0) {
    return pw_mech_fail(m, PAWL_E_INERTIA, coord_of_velocity(m, bad - 1), -1, first);
  }
  PW_ASSERT(s->pattern.sparse != NULL || pw_chol_is_factor(m->w->L, s->nv));
  m->w->have_mass = s->trait.constant_mass;
  return PAWL_OK;
}

/* The sizes of the terms that cancel in the zeta of the rows, in the units of their right-hand
 * sides. If all accelerations vanish, residuals are compared with this: rounding and drift are
 * fractions of it. */
static double size_of_drives(pw_mech *m) {
  struct pw_mech_work *w = m->w;
  double most = 0;
  int nc = m->sys->nc;
  const double *terms = pw_program_terms(m, &w->tape.motion) + pw_view_places(m->sys).zeta;
  for (int k = 0; k < w->n_act; k++) {
    bool known = w->act[k] < nc && w->length[k] > 0;
    most = known ? pw_max(most, terms[w->act[k]] / w->length[k]) : most;
  }
  if (w->n_act == 0 || w->act[w->n_act - 1] < nc) {
    return most;
  }
  terms = pw_program_terms(m, &w->tape.contact);
  for (int k = 0; k < w->n_act; k++) {
    if (w->act[k] >= nc && w->length[k] > 0) {
      const double *zeta = pw_mech_law(m, w->act[k]) + PW_VIEW_ZETA;
      most = pw_max(most, terms[zeta - w->tape.contact.out] / w->length[k]);
    }
  }
  return most;
}

/* The row that the common solution misses most. */
static pawl_status contradictory(pw_mech *m, double miss) {
  const pw_system *s = m->sys;
  struct pw_mech_work *w = m->w;
  int worst = 0;
  double most = -1;
  for (int k = 0; k < w->n_act; k++) {
    double e = fabs(pw_dot(w->columns + (size_t)k * (size_t)s->nv, w->y, s->nv) - w->r[k]);
    if (e > most) {
      most = e;
      worst = w->act[k];
    }
  }
  return pw_mech_fail(m, PAWL_E_CONTRADICTION, -1, worst, miss);
}

/* Rank of the first `count` columns, decided or kept. It is decided with hysteresis: rows once
 * found dependent stay so until clearly independent, and rows found independent stay so: a motion
 * may pass through a position where they are not, and must not be set free there. Between decisions
 * the rank may not rise. */
static int factor_rows(pw_mech *m, pw_qr *qr, int count, int known, bool decide) {
  int most = count < m->sys->nv ? count : m->sys->nv;
  qr->m = count;
  qr->limit = decide ? most : known;
  qr->given = m->w->columns;
  bool full = known == most;
  int rank = pw_qr_decompose(qr, !decide         ? PW_SCALE(RANK_KNOWN)
                                 : !full         ? PW_SCALE(RANK_ADMIT)
                                 : m->first_look ? PW_SCALE(RANK_DROP)
                                                 : PW_SCALE(RANK_KNOWN));
  qr->given = NULL;
  return rank;
}

static int state_of_row(const pw_system *s, int row) {
  int k = s->n_state - 1;
  while (k >= 0 && s->state_row[k] != row) {
    k--;
  }
  return k;
}

/* Right-hand side of the rows for the reactions, for unit columns: w->r. Returns its size. */
static double ask_rows(pw_mech *m, const pw_motion_view *x) {
  struct pw_mech_work *w = m->w;
  double scale = pw_norm2(w->c, m->sys->nv);
  for (int k = 0; k < w->n_act; k++) {
    double drive = w->length[k] > 0 ? zeta_of(m, x, w->act[k]) / w->length[k] : 0;
    w->r[k] = -(drive + pw_mech_column_dot(m, k, w->c));
    scale = pw_max(scale, fabs(drive));
  }
  return scale;
}

/* Rows of a sparse system. False: they are not clearly independent, and a dense decomposition is to
 * decide. */
static bool solve_firm(pw_mech *m, const pw_motion_view *x, bool decide) {
  struct pw_mech_work *w = m->w;
  w->firm.holds = m->sys->pattern.sparse != NULL && (decide || m->rank == w->n_act) &&
                  pw_firm_factor(m, &w->firm.rows, x->J, decide);
  if (!w->firm.holds) {
    return false;
  }
  m->rank = w->n_act;
  m->rank_q = w->n_act_q;
  pw_copy(w->length, w->firm.rows.length, w->n_act);
  (void)ask_rows(m, x);
  pw_sparse_rows_solve(&w->firm.rows, w->r, w->lam, w->y);
  return true;
}

/* Whether the imposed rows equal those of the last call, whose factor can then be reused: bodies on
 * even ground have gradients that do not change. Stores them for the next call. */
static bool repeats(pw_mech *m, const pw_motion_view *x) {
  struct pw_mech_work *w = m->w;
  bool same = w->have_mass && w->kept.n == w->n_act && w->rows.rank == w->n_act;
  double *kept = w->kept.slope;
  for (int k = 0; kept != NULL && k < w->n_act; k++) {
    pw_moved_list list = pw_moved_by(m->sys, w->act[k]);
    const double *J = pw_mech_row(m, x->J, w->act[k]);
    for (int e = 0; e < list.n; e++, kept++) {
      same = same && *kept == J[list.at[e]];
      *kept = J[list.at[e]];
    }
  }
  w->kept.n = kept == NULL ? -1 : w->n_act;
  return kept != NULL && same;
}

static pawl_status solve_dense(pw_mech *m, const pw_motion_view *x, bool decide) {
  const pw_system *s = m->sys;
  struct pw_mech_work *w = m->w;
  if (!pw_firm_make_dense(m)) {
    return pw_mech_fail(m, PAWL_E_MEMORY, -1, -1, NAN);
  }
  bool again = repeats(m, x) && !decide;
  if (!again) {
    pw_mech_columns(m, x->J, w->n_act, w->columns, w->length);
  }
  double scale = ask_rows(m, x);

  /* factors */
  if (decide) {
    m->rank_q = w->n_act_q == 0 ? 0 : factor_rows(m, &w->project, w->n_act_q, m->rank_q, true);
  }
  int rank = again ? m->rank : factor_rows(m, &w->rows, w->n_act, m->rank, decide);
  pawl_status status = pw_mech_factor_oblique(m);
  if (status != PAWL_OK) {
    return status;
  }

  /* scaled forces */
  double miss = pw_mech_solve_forces(m, w->r, w->lam, w->y);
  if (rank < 0 || isnan(miss)) {
    return pw_mech_fail(m, PAWL_E_NAN, -1, w->act[0], miss);
  }
  PW_ASSERT(rank <= w->n_act && rank <= s->nv);
  m->rank = decide ? rank : m->rank;
  bool holds = (m->rank == w->n_act && !w->oblique.open) ||
               miss <= PW_SCALE(CONTRADICTION) * scale ||
               miss <= PW_SCALE(CONTRADICTION) * size_of_drives(m);
  return holds ? PAWL_OK : w->oblique.open ? pw_mech_no_hold(m) : contradictory(m, miss);
}

static pawl_status solve_forces(pw_mech *m, const pw_motion_view *x, bool decide) {
  const pw_system *s = m->sys;
  struct pw_mech_work *w = m->w;
  pawl_status status = solve_firm(m, x, decide) ? PAWL_OK : solve_dense(m, x, decide);
  if (status != PAWL_OK) {
    return status;
  }

  /* forces, and the momentum carried by multipliers that are states */
  for (int k = 0; k < w->n_act; k++) {
    double length = w->oblique.any ? w->oblique.length[k] : w->length[k];
    int state = state_of_row(s, w->act[k]);
    m->lambda[w->act[k]] = length > 0 ? w->lam[k] / length : 0;
    if (state >= 0) {
      m->carries[state] = length;
    }
  }
  pw_mech_sliding_forces(m);
  return PAWL_OK;
}

/* Phi_i u */
static double speed_along(const pw_mech *m, const pw_motion_view *x, int i, const double *u) {
  const pw_system *s = m->sys;
  bool equality = i < s->nc && s->row[i].by < 0;
  return equality ? pw_view_slope_dot(pw_view_slope(s, x->J, i), u)
                  : pw_moved_dot(s, i, pw_mech_direction(m, x->J, i), u);
}

/* Power of one row: lambda_i Phi_i u. Of a law on a slip, the part -lambda_i slip is lost. */
static double row_power(const pw_mech *m, const pw_work *w, int i, double along) {
  const pw_system *s = m->sys;
  double power = m->lambda[i] * along;
  if (!w->slips) {
    return power;
  }
  double slip = pw_law_measure(&s->row[i], pw_mech_law(m, i)[PW_VIEW_RATE]);
  double loss = -pw_law_force(&s->row[i], m->lambda[i]) * slip;
  return w->lost ? loss : power + loss;
}

/* theory (79), (82): minus the forces of their rows are the rates of multipliers that are states.
 * The ledger does not include the energy they carry. */
static void state_rates(pw_mech *m) {
  const pw_system *s = m->sys;
  struct pw_mech_work *w = m->w;
  if (s->n_state == 0) {
    return;
  }
  pw_program_run(m, &w->tape.carried);
  for (int k = 0; k < s->n_state; k++) {
    const double *own = w->tape.carried.out + (size_t)k * (size_t)(s->nv + 1);
    int row = s->state_row[k];
    m->q_rate[s->nq - s->n_state + k] = -m->sense[row] * m->lambda[row];
    for (int i = 0; i < s->n_work; i++) {
      if (s->work[i].row == s->state_row[k]) {
        m->z_rate[1 + i] -= own[0] + pw_dot(own + 1, m->a, s->nv);
      }
    }
  }
}

void pw_mech_row_powers(const pw_mech *m, const pw_motion_view *x, const double *u, double *works) {
  const pw_system *s = m->sys;
  int last = -1; /* works of one row follow each other */
  double along = 0;
  for (int k = 0; k < s->n_work; k++) {
    const pw_work *w = &s->work[k];
    for (int i = w->row; i >= 0 && !w->jumps && i < w->row + w->rows; i++) {
      if (m->lambda[i] == 0) {
        continue;
      }
      along = i == last ? along : speed_along(m, x, i, u);
      last = i;
      works[1 + k] += row_power(m, w, i, along);
    }
  }
}

/* A velocity that is held completely does not change: the rounding of balanced forces would
 * otherwise add up over long steps like a constant acceleration. */
static void settle(pw_mech *m) {
  int n = m->sys->nv;
  if (pw_norm2(m->a, n) <= PW_SCALE(ROUNDED_SUM) * fmax(m->pull, m->reaction)) {
    memset(m->a, 0, (size_t)n * sizeof *m->a);
  }
}

static pawl_status accelerations(pw_mech *m, const pw_motion_view *x, bool decide) {
  const pw_system *s = m->sys;
  struct pw_mech_work *w = m->w;
  pw_copy(w->c, x->h, s->nv);
  pw_zero(m->lambda, s->nr);
  pawl_status status = w->has_segments ? pw_mech_add_segments(m, w->c) : PAWL_OK;
  if (status != PAWL_OK) {
    return status;
  }

  /* sizes that accelerations are differences of */
  pw_mech_forward(m, w->c);
  m->pull = pw_norm2(w->c, s->nv);
  if (w->has_segments) {
    pw_copy(m->load, x->h, s->nv);
    pw_mech_forward(m, m->load);
    m->pull = fmax(m->pull, pw_norm2(m->load, s->nv));
  }

  /* reactions */
  m->margin = 1;
  pw_copy(m->load, x->h, s->nv);
  m->reaction = 0;
  pw_copy(m->a, w->c, s->nv);
  if (w->n_act > 0) {
    status = solve_forces(m, x, decide);
    if (status != PAWL_OK) {
      return status;
    }
    m->reaction = pw_norm2(w->y, s->nv);
    pw_axpy(1, w->y, m->a, s->nv);
    settle(m);
  }
  pw_mech_backward(m, m->a);
  return PAWL_OK;
}

/* Accelerations with the directions of slips in a plane that belong to them. */
static pawl_status turned_accelerations(pw_mech *m, const pw_motion_view *x, bool decide) {
  if (m->w->has_planes) {
    pw_zero(m->w->turn, m->sys->ni);
  }
  pawl_status status = accelerations(m, x, decide);
  for (int pass = 0; status == PAWL_OK && m->w->has_planes && pw_mech_turn(m, pass); pass++) {
    status = accelerations(m, x, decide);
  }
  return status;
}

static pawl_status rates(pw_mech *m, double t, const double *q, const double *u, const double *side,
                         bool decide, bool lenient) {
  const pw_system *s = m->sys;
  struct pw_mech_work *w = m->w;

  /* M, h and the rows at this state */
  pw_mech_input(m, t, q, u, side);
  if (w->bare.on && pw_bare_rates(m, u)) {
    w->have_mass = s->trait.constant_mass;
    return PAWL_OK;
  }
  m->evaluations += !w->bare.on;
  pw_program_run(m, &w->tape.motion);
  if (w->n_act > s->nc || w->has_segments) {
    pw_program_run(m, &w->tape.contact);
  }
  pw_motion_view x = pw_view_motion(s, w->tape.motion.out);
  pawl_status status = not_a_number(m, &x);
  if (status == PAWL_OK) {
    status = factor_mass(m, &x);
  }
  if (status != PAWL_OK) {
    return status;
  }

  /* accelerations, again while forces that bound frictions change */
  if (s->load.n > 0) {
    pw_mech_forget_loads(m);
  }
  status = turned_accelerations(m, &x, decide);
  for (int k = 0; status == PAWL_OK && s->load.n > 0 && pw_mech_guess_loads(m, k, lenient, &status);
       k++) {
    status = turned_accelerations(m, &x, decide);
  }
  if (status == PAWL_OK && decide) {
    status = pw_mech_check_loads(m);
  }
  if (status != PAWL_OK) {
    return status;
  }

  /* the other rates */
  pw_copy(m->q_rate, x.q_rate, s->nq);
  pw_copy(m->z_rate, x.z_rate, s->nz);
  pw_mech_row_powers(m, &x, u, m->z_rate);
  state_rates(m);
  return PAWL_OK;
}

pawl_status pw_mech_rates(pw_mech *m, double t, const double *q, const double *u,
                          const double *side) {
  return rates(m, t, q, u, side, false, m->lenient);
}

pawl_status pw_mech_rates_tentative(pw_mech *m, double t, const double *q, const double *u,
                                    const double *side) {
  return rates(m, t, q, u, side, false, true);
}

pawl_status pw_mech_rates_decide(pw_mech *m, double t, const double *q, const double *u,
                                 const double *side) {
  pawl_status status = rates(m, t, q, u, side, true, m->lenient);
  m->first_look = m->first_look && status != PAWL_OK;
  return status;
}

double pw_mech_weakest(const pw_mech *m) {
  struct pw_mech_work *w = m->w;
  return w->n_act == 0   ? 1
         : w->firm.holds ? pw_sparse_rows_smallest(&w->firm.rows)
                         : pw_qr_smallest(&w->rows);
}

/* Force i is unique iff e_i is orthogonal to the null space of A: the least x with A x = a_i then
 * has x_i = 1. */
void pw_mech_find_dependent(pw_mech *m) {
  const pw_system *s = m->sys;
  struct pw_mech_work *w = m->w;
  memset(m->dependent, 0, (size_t)s->nr * sizeof *m->dependent);
  if (m->rank < w->n_act) {
    pw_qr_own(&w->rows, w->columns, w->lam);
  }
  for (int k = 0; m->rank < w->n_act && k < w->n_act; k++) {
    m->dependent[w->act[k]] = !(w->lam[k] > 1 - PW_SCALE(NOT_UNIQUE));
  }
}
