// SPDX-License-Identifier: MIT
/* The derivative of a jump, piece by piece. A piece solves M (u+ - u-) = sum_r Phi_r L_r with one
 * condition per row that takes part (sim/jump_log.h); the same conditions hold beside the motion,
 * so that along a direction d of (t, q, p)                                     gradients (D4), (D5)
 *   M du+ - sum Phi_r dL_r = M du- - dM (u+ - u-) + sum dPhi_r L_r
 *   J_r du+ = -d(rate_r+) - d(shift rate_r-)         of rows whose rates are fixed,
 *   dL_r + mu h dL_N = -d(mu) h L_N - mu L_N dh      of what slides, h = s/|s| in a plane,
 *   dL_r = d(e) L_r' + e dL_r'                       of what expands as it was compressed. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "base/strip.h"
#include "law/phase.h"
#include "law/scale_tangent.h"
#include "linalg/dense.h"
#include "linalg/qr.h"
#include "system/view.h"
#include "tangent/tangent_part.h"

typedef struct jump { /* work space: everything has room for all rows */
  pw_tangent *x;
  const pw_system *s;
  double t;
  const double *q, *side;
  const double *u0;          /* nv: velocity at which restitutions are taken */
  pw_jump_piece piece;       /* the present piece */
  const double *ref;         /* nv: velocity that rate- belongs to */
  int n;                     /* unknowns: nv, then impulses of rows that take part */
  int *place;                /* nr: unknown of the impulse of a row, or -1 */
  double *A, *b, *z;         /* n x n, n, n */
  double *M;                 /* nv x nv */
  double *Phi, *J;           /* nr x nv each */
  double *rate, *rate_ref;   /* nr: at the velocity after, and at ref */
  double *e, *mu;            /* ni */
  double *last;              /* nr: impulses of the piece before */
  double *d_M;               /* nv: dM (u+ - u-) */
  double *d_force;           /* nv: sum dPhi L */
  double *d_rate, *d_ref;    /* nr */
  double *d_e, *d_mu;        /* ni */
  double *d_last;            /* nr: of the column */
  double *du, *du_ref, *du0; /* nv: of the column */
  double *flow;              /* nq + nv: a direction as a column */
  double *dL;                /* nr x k: changes of impulses by column */
  double *d;                 /* nr x nv or nv x nv: scratch */
  double *real;              /* memory of the solver */
  int *whole;
} jump;

static void lay_out(jump *j, const pw_system *s, int k, pw_strip *to) {
  size_t nv = (size_t)s->nv, nr = (size_t)s->nr, ni = (size_t)s->ni, n = nv + nr;

  /* the linear system in du+ and the changes of the impulses */
  j->place = pw_strip_whole(to, nr);
  j->A = pw_strip_real(to, n * n);
  j->b = pw_strip_real(to, n);
  j->z = pw_strip_real(to, n);

  /* masses, directions of the impulses and gradients, rates, coefficients, impulses before */
  j->M = pw_strip_real(to, nv * nv);
  j->Phi = pw_strip_real(to, nr * nv);
  j->J = pw_strip_real(to, nr * nv);
  j->rate = pw_strip_real(to, nr);
  j->rate_ref = pw_strip_real(to, nr);
  j->e = pw_strip_real(to, ni);
  j->mu = pw_strip_real(to, ni);
  j->last = pw_strip_real(to, nr);

  /* their derivatives along a direction */
  j->d_M = pw_strip_real(to, nv);
  j->d_force = pw_strip_real(to, nv);
  j->d_rate = pw_strip_real(to, nr);
  j->d_ref = pw_strip_real(to, nr);
  j->d_e = pw_strip_real(to, ni);
  j->d_mu = pw_strip_real(to, ni);
  j->d_last = pw_strip_real(to, nr);

  /* derivatives of velocities and impulses, by column */
  j->du = pw_strip_real(to, nv);
  j->du_ref = pw_strip_real(to, nv * (size_t)k);
  j->du0 = pw_strip_real(to, nv * (size_t)k);
  j->flow = pw_strip_real(to, (size_t)s->nq + nv);
  j->dL = pw_strip_real(to, nr * (size_t)k);

  /* scratch, and memory of the solver */
  j->d = pw_strip_real(to, (nr > nv ? nr : nv) * nv);
  j->real = pw_strip_real(to, pw_qr_doubles((int)n, (int)n));
  j->whole = pw_strip_whole(to, pw_qr_ints((int)n, (int)n));
}

size_t pw_jump_tangent_doubles(const pw_system *sys, int columns) {
  jump j;
  pw_strip count = {0};
  lay_out(&j, sys, columns, &count);
  return count.n_real;
}

size_t pw_jump_tangent_ints(const pw_system *sys) {
  jump j;
  pw_strip count = {0};
  lay_out(&j, sys, 1, &count);
  return count.n_whole;
}

/* ---- tapes at a velocity, along (dt, dq, du, dp) of a column ---- */

static void stand(jump *j, const double *u) {
  pw_mech_stand(j->x->mech, j->t, j->q, u, j->side);
}

/* du NULL: velocities do not move. */
static const double *along(jump *j, int k, const double *moved, const double *du) {
  const pw_system *s = j->s;
  pw_copy(j->flow, moved, s->nq);
  if (du != NULL) {
    pw_copy(j->flow + s->nq, du, s->nv);
  } else {
    pw_zero(j->flow + s->nq, s->nv);
  }
  return pw_tangent_direction(j->x, j->x->delay[k], j->flow, k);
}

static const double *jet(jump *j, const pw_tape *tape) {
  return pw_mech_vary_tape(j->x->mech, &j->x->series, tape, j->x->direction);
}

/* Value (part 0) or derivative (part 1) of the rate of each row, at the velocity that stands. */
static void rates(jump *j, int part, double *out) {
  const pw_system *s = j->s;
  const double *of = jet(j, s->tape.velocity);
  for (int i = 0; i < s->nc; i++) {
    out[i] = of[2 * i + part];
  }
  of = jet(j, s->tape.contact);
  for (int i = 0; i < s->ni; i++) {
    int number = s->law[i].on_velocity ? PW_VIEW_VALUE : PW_VIEW_RATE;
    out[s->nc + i] = of[2 * pw_view_law_at(s, i, number) + part];
  }
}

/* Entry of the gradient of a row; of the jets of the tapes `velocity` and `contact`. */
static double slope(const jump *j, const double *velocity, const double *contact, int row, int i,
                    int part) {
  const pw_system *s = j->s;
  if (row >= s->nc) {
    return contact[2 * pw_view_law_at(s, row - s->nc, PW_VIEW_HEAD + i) + part];
  }
  int at = pw_view_slope_at(s, row, i);
  return at < 0 ? 0 : velocity[2 * (s->nc + at) + part];
}

/* Gradients, or their derivatives, by rows. */
static void gradients(jump *j, int part, double *J) {
  const pw_system *s = j->s;
  const double *of = jet(j, s->tape.velocity);
  for (int r = 0; r < s->nc; r++) {
    for (int i = 0; i < s->nv; i++) {
      J[(size_t)r * (size_t)s->nv + (size_t)i] = slope(j, of, NULL, r, i, part);
    }
  }
  of = jet(j, s->tape.contact);
  for (int r = s->nc; r < s->nr; r++) {
    for (int i = 0; i < s->nv; i++) {
      J[(size_t)r * (size_t)s->nv + (size_t)i] = slope(j, NULL, of, r, i, part);
    }
  }
}

/* Directions of forces are gradients, but for servos. */
static void aim_servos(jump *j, int part, double *Phi) {
  const pw_system *s = j->s;
  const double *of = s->n_by > 0 ? jet(j, s->tape.by) : NULL;
  for (int r = 0; r < s->nr; r++) {
    double *to = Phi + (size_t)r * (size_t)s->nv;
    for (int i = 0; i < s->nv && s->row[r].by >= 0; i++) {
      to[i] = j->x->mech->sense[r] * of[2 * (s->row[r].by * s->nv + i) + part];
    }
  }
}

static void masses(jump *j, int part, double *M) {
  const pw_system *s = j->s;
  const double *of = jet(j, s->tape.motion);
  for (int c = 0; c < s->nv; c++) {
    for (int i = 0; i < s->nv; i++) {
      int at = pw_view_mass_at(s, i, c);
      M[(size_t)c * (size_t)s->nv + (size_t)i] =
          at < 0 ? 0 : of[2 * (pw_view_places(s).M + at) + part];
    }
  }
}

/* Restitutions, and coefficients of friction at the slips of the velocity that stands. */
static void restitutions(jump *j, int part, double *e) {
  const double *of = jet(j, j->s->tape.clause);
  for (int i = 0; i < j->s->ni; i++) {
    e[i] = of[2 * pw_view_restitution_at(i) + part];
  }
}

static void frictions(jump *j, int part, double *mu) {
  const pw_system *s = j->s;
  const double *of = jet(j, s->tape.graph);
  for (int i = 0; i < s->ni; i++) {
    bool below = j->rate_ref[s->nc + i] < 0 || s->law[i].group >= 0;
    double value = of[2 * pw_view_graph_at(i, !below) + part];
    mu[i] = s->law[i].on < 0 ? 0 : below ? -value : value;
  }
}

/* ---- the equations of a piece ---- */

/* What of the rate before is added to that after, by row. */
static double shift_of(const jump *j, int row, const double *e) {
  const pw_system *s = j->s;
  if (j->piece.holds || row < s->nc) {
    return 0;
  }
  pw_phase_rule rule = pw_phase_rule_of(j->piece.phase);
  bool slip = s->law[row - s->nc].contact >= 0;
  double factor = slip ? rule.slip_shift : rule.rate_shift;
  return factor == 0 ? 0 : factor * e[row - s->nc];
}

static double *entry(const jump *j, int i, int k) {
  return j->A + (size_t)k * (size_t)j->n + (size_t)i;
}

static void put_gradient(const jump *j, int equation, int row, double factor) {
  for (int i = 0; i < j->s->nv; i++) {
    *entry(j, equation, i) += factor * j->J[(size_t)row * (size_t)j->s->nv + (size_t)i];
  }
}

/* The slip of several components that row belongs to: its size and its unit vector. */
static double slip_of(const jump *j, int first, double *h) {
  int n = j->s->row[first].width;
  for (int k = 0; k < n; k++) {
    h[k] = j->rate[first + k] + shift_of(j, first + k, j->e) * j->rate_ref[first + k];
  }
  double size = pw_length(h, n);
  for (int k = 0; k < n; k++) {
    h[k] /= size;
  }
  return size;
}

/* The direction turns with the slip: mu L_N (I - h h^T) ds/|s|. */
static bool turns(const jump *j, int row) {
  return !j->piece.holds && j->s->law[row - j->s->nc].group >= 0;
}

static void slide_equation(const jump *j, int row) {
  const pw_system *s = j->s;
  int law = row - s->nc, normal = s->nc + s->law[law].on, at = j->place[row];
  double mu = j->mu[law], h[PW_LAW_MOST];
  *entry(j, at, at) = 1;
  if (j->place[normal] >= 0) {
    *entry(j, at, j->place[normal]) += mu * j->piece.heading[row];
  }
  if (turns(j, row)) {
    int first = s->nc + s->law[law].group, own = row - first;
    double factor = mu * j->piece.impulse[normal] / slip_of(j, first, h);
    for (int k = 0; k < s->law[law].width; k++) {
      put_gradient(j, at, first + k, factor * ((own == k) - h[own] * h[k]));
    }
  }
}

static void pose(jump *j) {
  const pw_system *s = j->s;
  j->n = s->nv;
  for (int r = 0; r < s->nr; r++) {
    j->place[r] = j->piece.rule[r] != PW_JUMP_NONE ? j->n++ : -1;
  }
  memset(j->A, 0, (size_t)j->n * (size_t)j->n * sizeof *j->A);
  for (int c = 0; c < s->nv; c++) {
    for (int i = 0; i < s->nv; i++) {
      *entry(j, i, c) = j->M[(size_t)c * (size_t)s->nv + (size_t)i];
    }
  }
  for (int r = 0; r < s->nr; r++) {
    int at = j->place[r];
    for (int i = 0; i < s->nv && at >= 0; i++) {
      *entry(j, i, at) = -j->Phi[(size_t)r * (size_t)s->nv + (size_t)i];
    }
    switch ((pw_jump_rule)j->piece.rule[r]) {
    case PW_JUMP_NONE: break;
    case PW_JUMP_RATE: put_gradient(j, at, r, 1); break;
    case PW_JUMP_SLIDE: slide_equation(j, r); break;
    case PW_JUMP_LEAST: *entry(j, at, at) = 1; break;
    }
  }
}

/* d(rate+) at a velocity that stays, and d(shift rate-). */
static double d_slip(const jump *j, int row) {
  double d_e = shift_of(j, row, j->d_e), e = shift_of(j, row, j->e);
  return j->d_rate[row] + d_e * j->rate_ref[row] + e * j->d_ref[row];
}

static double right_side(const jump *j, int row) {
  const pw_system *s = j->s;
  int law = row - s->nc;
  switch ((pw_jump_rule)j->piece.rule[row]) {
  case PW_JUMP_RATE: return -d_slip(j, row);
  case PW_JUMP_LEAST: return j->d_e[law] * j->last[row] + j->e[law] * j->d_last[row];
  case PW_JUMP_NONE: return 0;
  case PW_JUMP_SLIDE: break;
  }
  double h[PW_LAW_MOST], L = j->piece.impulse[s->nc + s->law[law].on];
  double sum = -j->d_mu[law] * j->piece.heading[row] * L;
  if (turns(j, row)) {
    int first = s->nc + s->law[law].group, own = row - first;
    double factor = j->mu[law] * L / slip_of(j, first, h);
    for (int k = 0; k < s->law[law].width; k++) {
      sum -= factor * ((own == k) - h[own] * h[k]) * d_slip(j, first + k);
    }
  }
  return sum;
}

/* ---- one piece ---- */

/* Numbers of the piece that do not depend on the column. */
static void look(jump *j) {
  const pw_system *s = j->s;
  memset(j->x->direction, 0, (size_t)s->n_in * sizeof *j->x->direction);
  stand(j, j->u0);
  restitutions(j, 0, j->e);
  stand(j, j->ref);
  rates(j, 0, j->rate_ref);
  frictions(j, 0, j->mu);
  stand(j, j->piece.after);
  rates(j, 0, j->rate);
  gradients(j, 0, j->J);
  memcpy(j->Phi, j->J, (size_t)s->nr * (size_t)s->nv * sizeof *j->J);
  aim_servos(j, 0, j->Phi);
  masses(j, 0, j->M);
}

/* Their changes with column k. */
static void look_along(jump *j, int k, const double *moved) {
  const pw_system *s = j->s;
  size_t nv = (size_t)s->nv;
  const double *u = moved + s->nq;
  stand(j, j->u0);
  (void)along(j, k, moved, j->du0 + (size_t)k * nv);
  restitutions(j, 1, j->d_e);
  stand(j, j->ref);
  (void)along(j, k, moved, j->du_ref + (size_t)k * nv);
  rates(j, 1, j->d_ref);
  frictions(j, 1, j->d_mu);
  stand(j, j->piece.after);
  (void)along(j, k, moved, NULL);
  rates(j, 1, j->d_rate);

  double *d = j->d;
  pw_zero(j->d_force, s->nv);
  gradients(j, 1, d);
  aim_servos(j, 1, d);
  for (int r = 0; r < s->nr; r++) {
    pw_axpy(j->piece.impulse[r], d + (size_t)r * nv, j->d_force, s->nv);
  }
  masses(j, 1, d);
  for (int i = 0; i < s->nv; i++) {
    j->du[i] = j->piece.after[i] - j->piece.before[i];
  }
  pw_gemv(d, s->nv, s->nv, j->du, j->d_M);
  pw_gemv(j->M, s->nv, s->nv, u, j->du);
  for (int i = 0; i < s->nv; i++) {
    j->b[i] = j->du[i] - j->d_M[i] + j->d_force[i];
  }
  for (int r = 0; r < s->nr; r++) {
    if (j->place[r] >= 0) {
      j->b[j->place[r]] = right_side(j, r);
    }
  }
}

static bool one_piece(jump *j, double *moved) {
  const pw_system *s = j->s;
  size_t nr = (size_t)s->nr, n = (size_t)(s->nq + s->nv);
  pw_qr solver;
  look(j);
  pose(j);
  pw_qr_init(&solver, j->n, j->n, j->real, j->whole);
  memcpy(solver.A, j->A, (size_t)j->n * (size_t)j->n * sizeof *j->A);
  bool ok = pw_qr_decompose(&solver, PW_SCALE(JUMP_RANK)) > 0;
  for (int k = 0; k < j->x->k && ok; k++) {
    double *column = moved + (size_t)k * n;
    pw_copy(j->d_last, j->dL + (size_t)k * nr, s->nr);
    look_along(j, k, column);
    pw_qr_least_squares(&solver, j->b, j->z);
    pw_copy(column + s->nq, j->z, s->nv);
    for (int r = 0; r < s->nr; r++) {
      j->dL[(size_t)k * nr + (size_t)r] = j->place[r] >= 0 ? j->z[j->place[r]] : 0;
    }
  }
  return ok;
}

static void keep_velocities(const jump *j, const double *moved, double *to) {
  size_t n = (size_t)(j->s->nq + j->s->nv);
  for (int k = 0; k < j->x->k; k++) {
    pw_copy(to + (size_t)k * (size_t)j->s->nv, moved + (size_t)k * n + j->s->nq, j->s->nv);
  }
}

const char *pw_jump_tangent(pw_tangent *x, double t, const double *before, const double *side,
                            double *moved) {
  const pw_system *s = x->sys;
  jump j = {0};
  lay_out(&j, s, x->k, &(pw_strip){.real = x->work, .whole = x->whole});
  j.x = x;
  j.s = s;
  j.t = t;
  j.q = before;
  j.side = side;
  j.u0 = before + s->nq;
  if (x->log.blurred) {
    return "an impact without collision";
  }

  /* piece by piece; rates before are those of the last piece that begins anew */
  keep_velocities(&j, moved, j.du0);
  for (int i = 0; i < x->log.kept; i++) {
    j.piece = pw_jump_log_get(&x->log, i);
    if (j.piece.anew || j.ref == NULL) {
      j.ref = j.piece.before;
      keep_velocities(&j, moved, j.du_ref);
    }
    if (!one_piece(&j, moved)) {
      return "the equations of an impact have no derivative";
    }
    pw_copy(j.last, j.piece.impulse, s->nr);
  }
  return NULL;
}
