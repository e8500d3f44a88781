// SPDX-License-Identifier: MIT
#include "static/balance.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/real.h"
#include "law/scale_mech.h"
#include "law/scale_static.h"
#include "linalg/chol.h"
#include "linalg/dense.h"

enum { MOST_STEPS = 80 };

void pw_balance_init(pw_balance *b, pw_arena *arena, pw_still *x, const int *which, int cyclic) {
  size_t nv = (size_t)x->sys->nv, nr = (size_t)x->sys->nr, n = nv + nr + (size_t)cyclic;
  size_t rows = nv + nr + 1, tall = rows + n;
  *b = (pw_balance){.x = x, .cyclic = cyclic, .n = (int)n, .rows = (int)rows};
  b->which = PW_TAKE(arena, cyclic + 1, int);
  memcpy(b->which, which, (size_t)cyclic * sizeof *which);
  b->length = b->force = b->speed = 1;
  b->lambda = PW_TAKE(arena, nr + 1, double);
  b->L = PW_TAKE(arena, nv * nv + 1, double);
  b->a = PW_TAKE(arena, nv * nr + 1, double);
  b->len = PW_TAKE(arena, nr + 1, double);
  b->g = PW_TAKE(arena, nv * nr + 1, double);
  b->g_len = PW_TAKE(arena, nr + 1, double);
  b->R = PW_TAKE(arena, rows + 1, double);
  b->D = PW_TAKE(arena, rows * n + 1, double);
  b->R_try = PW_TAKE(arena, rows + 1, double);
  b->D_try = PW_TAKE(arena, rows * n + 1, double);
  b->moved = PW_TAKE(arena, nv + 1, double);
  b->step = PW_TAKE(arena, n + 1, double);
  b->stack = PW_TAKE(arena, tall + 1, double);
  b->old = pw_spot_new(arena, x->sys);
  b->way = PW_TAKE(arena, nv * nv + 1, double);
  b->real = PW_TAKE(arena, pw_qr_doubles((int)tall, (int)n) + 1, double);
  b->whole = PW_TAKE(arena, pw_qr_ints((int)tall, (int)n) + 1, int);
}

/* ---- places ---- */

pw_spot pw_spot_new(pw_arena *arena, const pw_system *sys) {
  return (pw_spot){PW_TAKE(arena, sys->nq + 1, double), PW_TAKE(arena, sys->nv + 1, double),
                   PW_TAKE(arena, sys->nr + 1, double)};
}

void pw_spot_copy(const pw_system *sys, pw_spot to, pw_spot from) {
  memcpy(to.q, from.q, (size_t)sys->nq * sizeof *to.q);
  memcpy(to.u, from.u, (size_t)sys->nv * sizeof *to.u);
  memcpy(to.lambda, from.lambda, (size_t)sys->nr * sizeof *to.lambda);
}

pw_spot pw_balance_spot(const pw_balance *b) {
  return (pw_spot){b->x->q, b->x->u, b->lambda};
}

/* ---- units ---- */

static void columns(pw_balance *b, const double *J, double *unit, double *len) {
  int nv = b->x->sys->nv;
  for (int i = 0; i < b->x->sys->nr; i++) {
    double *col = unit + (size_t)i * (size_t)nv;
    memcpy(col, J + (size_t)i * (size_t)nv, (size_t)nv * sizeof *col);
    len[i] = pw_chol_unit(b->L, nv, col);
  }
}

/* Where M is singular a diagonal does as well: it only is a metric. */
static bool factor(pw_balance *b) {
  size_t nv = (size_t)b->x->sys->nv;
  memcpy(b->L, b->x->M, nv * nv * sizeof *b->L);
  if (!pw_all_finite(b->L, (int)(nv * nv))) {
    return false;
  }
  if (pw_chol(b->L, (int)nv) == 0) {
    return true;
  }
  double most = 0;
  for (size_t i = 0; i < nv; i++) {
    most = fmax(most, b->x->M[i * nv + i]);
  }
  memset(b->L, 0, nv * nv * sizeof *b->L);
  for (size_t i = 0; i < nv; i++) {
    b->L[i * nv + i] = sqrt(fmax(b->x->M[i * nv + i], PW_SCALE(MASS_FLOOR) * most));
  }
  return most > 0;
}

bool pw_balance_metric(pw_balance *b) {
  return pw_still_look(b->x, false) && factor(b);
}

/* ---- the natural maps ---- */

typedef struct row_unit {
  double x, s; /* scaled force and value per force and value */
} row_unit;

static row_unit unit_of(const pw_balance *b, int i) {
  double way = b->x->sys->row[i].on_velocity ? b->speed : b->length;
  return (row_unit){b->len[i] / b->force, 1 / (b->g_len[i] * way)};
}

static double *entry(pw_balance *b, int row, int col) {
  return &b->D[(size_t)col * (size_t)b->rows + (size_t)row];
}

static bool at_rest(const pw_balance *b, int i) {
  return fabs(b->x->row[i].law.value) * unit_of(b, i).s <= PW_SCALE(AT_REST);
}

/* Column of a position or velocity direction in the units: d/dz of f is sum_k df_k T_kj. */
static double along(const pw_balance *b, const double *df, int stride, int offset, int j) {
  int nv = b->x->sys->nv;
  if (j < nv) { /* L^-T e_j length, upper triangular */
    double sum = 0;
    for (int k = 0; k < nv; k++) {
      sum += df[(size_t)k * (size_t)stride + (size_t)offset] *
             b->way[(size_t)j * (size_t)nv + (size_t)k];
    }
    return sum;
  }
  int k = nv + b->which[j - nv];
  return df[(size_t)k * (size_t)stride + (size_t)offset] * b->speed /
         b->L[(size_t)(k - nv) * (size_t)nv + (size_t)(k - nv)];
}

/* Unknown number of direction j: positions, then the forces, then velocities. */
static int unknown(const pw_balance *b, int j) {
  return j < b->x->sys->nv ? j : b->x->sys->nr + j;
}

/* Row R = x - bound; the bound per unit of the normal force, if the row acts with a contact. */
static void at_bound(pw_balance *b, int i, double per, bool upper, bool sticks) {
  const pw_still_row *r = &b->x->row[i];
  int nv = b->x->sys->nv, nr = b->x->sys->nr, row = nv + i;
  double normal = r->on < 0 ? 1 : fmax(b->lambda[r->on], 0);
  row_unit unit = unit_of(b, i);

  b->R[row] = (b->lambda[i] - per * normal) * unit.x;
  *entry(b, row, nv + i) = 1;
  if (r->on >= 0 && b->lambda[r->on] > 0) {
    *entry(b, row, nv + r->on) = -per * unit.x / unit_of(b, r->on).x;
  }
  for (int j = 0; !sticks && j < nv + b->cyclic; j++) {
    const double *d = upper ? b->x->dhi : b->x->dlo;
    *entry(b, row, unknown(b, j)) -= along(b, d, nr, i, j) * normal * unit.x;
  }
}

/* Row R += weight s; only its derivative if the value was added already. */
static void at_value(pw_balance *b, int i, double weight, int row, bool value) {
  int nv = b->x->sys->nv, nr = b->x->sys->nr;
  double unit = unit_of(b, i).s;
  b->R[row] += value ? weight * b->x->row[i].law.value * unit : 0;
  for (int j = 0; j < nv + b->cyclic; j++) {
    *entry(b, row, unknown(b, j)) += weight * along(b, b->x->dvalue, nr, i, j) * unit;
  }
}

/* A slip of several components: R = x - proj(x - s). */
static void disk(pw_balance *b, const pw_balance_task *task, int i) {
  const pw_still_row *r = &b->x->row[i];
  int nv = b->x->sys->nv, n = r->law.form->width;
  row_unit unit = unit_of(b, i);
  bool rests = true;
  for (int k = 0; k < n; k++) {
    rests = rests && at_rest(b, i + k);
  }
  bool none = task->smooth && rests;
  double z[PW_LAW_MOST], x[PW_LAW_MOST], P[PW_LAW_MOST * PW_LAW_MOST];

  /* the projection and its derivative */
  pw_law_set set = pw_still_forces(b->x, i, b->lambda, rests);
  set = pw_law_set_scaled(set, none ? 0 : unit.x);
  for (int k = 0; k < n; k++) {
    z[k] = b->lambda[i + k] * unit.x - b->x->row[i + k].law.value * unit.s;
  }
  pw_law_set_project(&set, z, x);
  pw_law_set_project_slope(&set, z, P);

  /* sets grow with the normal force: d proj / d normal = (x - P z) / normal */
  bool grows = r->on >= 0 && b->lambda[r->on] > 0;
  double per = grows ? 1 / (b->lambda[r->on] * unit_of(b, r->on).x) : 0;
  for (int k = 0; k < n; k++) {
    int row = nv + i + k;
    b->R[row] = b->lambda[i + k] * unit.x - x[k];
    *entry(b, row, nv + i + k) += 1;
    double moved = x[k];
    for (int l = 0; l < n; l++) {
      double slope = P[n * l + k];
      *entry(b, row, nv + i + l) -= slope;
      at_value(b, i + l, slope, row, false);
      moved -= slope * z[l];
    }
    if (grows) {
      *entry(b, row, nv + r->on) -= moved * per;
    }
  }
}

/* Row R = x: no force. */
static void no_force(pw_balance *b, int i, double unit) {
  int nv = b->x->sys->nv;
  b->R[nv + i] = b->lambda[i] * unit;
  *entry(b, nv + i, nv + i) = 1;
}

static void map_row(pw_balance *b, const pw_balance_task *task, int i) {
  const pw_still_row *r = &b->x->row[i];
  const pw_law_form *form = r->law.form;
  int row = b->x->sys->nv + i;
  row_unit unit = unit_of(b, i);
  if (!(b->len[i] > 0) || !(b->g_len[i] > 0)) {
    no_force(b, i, 1); /* none can act along it */
    return;
  }
  if (r->plane >= 0) {
    if (r->plane == i) {
      disk(b, task, i);
    }
    return;
  }

  bool rough = pw_law_is_rough(form), rests = at_rest(b, i);
  if (form->equality || (rough && b->lambda[r->on] > 0)) {
    at_value(b, i, 1, row, true);
    return;
  }
  if (rough || (task->smooth && pw_law_is_slip(form) && rests)) {
    no_force(b, i, unit.x);
    return;
  }

  /* the natural map of an interval, or the end that the force is fixed to */
  pw_law_set per = pw_law_set_at_kink(&r->law, (pw_law_hold){.sticks = rests});
  pw_law_set set = pw_still_forces(b->x, i, b->lambda, rests);
  bool sticks = rests && r->law.limit > 0;
  double p = b->lambda[i] * unit.x - r->law.value * unit.s;
  signed char fixed = task->fixed == NULL ? 0 : task->fixed[i];
  if (fixed != 0 ? fixed < 0 : p < set.lo * unit.x) {
    at_bound(b, i, per.lo, false, sticks);
  } else if (fixed != 0 || p > set.hi * unit.x) {
    at_bound(b, i, per.hi, true, sticks);
  } else {
    at_value(b, i, 1, row, true);
  }
}

/* ---- the equations ---- */

static void directions(pw_balance *b) {
  int nv = b->x->sys->nv;
  for (int j = 0; j < nv; j++) {
    double *col = b->way + (size_t)j * (size_t)nv;
    memset(col, 0, (size_t)nv * sizeof *col);
    col[j] = b->length;
    pw_chol_backward(b->L, nv, col);
  }
}

static void force_rows(pw_balance *b) {
  pw_still *x = b->x;
  int nv = x->sys->nv, nr = x->sys->nr;
  memcpy(b->R, x->h, (size_t)nv * sizeof *b->R);
  for (int i = 0; i < nr; i++) {
    pw_axpy(b->lambda[i], x->phi + (size_t)i * (size_t)nv, b->R, nv);
    memcpy(entry(b, 0, nv + i), b->a + (size_t)i * (size_t)nv, (size_t)nv * sizeof *b->D);
  }
  pw_chol_forward(b->L, nv, b->R);
  for (int k = 0; k < nv; k++) {
    b->R[k] /= b->force;
  }
  for (int j = 0; j < nv + b->cyclic; j++) {
    double *col = entry(b, 0, unknown(b, j));
    for (int k = 0; k < nv; k++) {
      col[k] = along(b, x->dh, nv, k, j);
      for (int i = 0; i < nr; i++) {
        col[k] += b->lambda[i] * along(b, x->dphi, nr * nv, i * nv + k, j);
      }
    }
    pw_chol_forward(b->L, nv, col);
    for (int k = 0; k < nv; k++) {
      col[k] /= b->force;
    }
  }
}

static double worst(const pw_balance *b) {
  return pw_norm_inf(b->R, b->rows);
}

/* R and its derivative D at the position; the largest residual, NaN if it is none. */
static double evaluate(pw_balance *b, const pw_balance_task *task, bool derivatives) {
  pw_still *x = b->x;
  int nv = x->sys->nv, nr = x->sys->nr;
  const pw_system *sys = x->sys;
  double tapes = pw_tape_length(sys->tape.motion) + pw_tape_length(sys->tape.contact);
  b->work += tapes * (derivatives ? 4 * nv + 1 : 1) + (derivatives ? pow(b->n, 3) : 0);
  if (!pw_still_look(x, derivatives)) {
    return NAN;
  }
  memset(b->D, 0, (size_t)b->rows * (size_t)b->n * sizeof *b->D);
  memset(b->R, 0, (size_t)b->rows * sizeof *b->R);
  columns(b, x->phi, b->a, b->len);
  columns(b, x->J, b->g, b->g_len);
  directions(b);
  force_rows(b);
  for (int i = 0; i < nr; i++) {
    map_row(b, task, i);
  }
  if (task->pinned) {
    double unit = b->L[(size_t)task->pin * (size_t)(nv + 1)] / b->length;
    b->R[nv + nr] = (x->q[pw_still_position(x->sys, task->pin)] - task->goal) * unit;
    for (int j = 0; j < nv; j++) {
      *entry(b, nv + nr, j) = b->way[(size_t)j * (size_t)nv + (size_t)task->pin] * unit;
    }
  }
  return worst(b);
}

/* ---- Levenberg and Marquardt ---- */

static void newton_step(pw_balance *b, bool stay, double damping) {
  int tall = b->rows + b->n;
  pw_qr qr;
  pw_qr_init(&qr, tall, b->n, b->real, b->whole);
  memset(qr.A, 0, (size_t)tall * (size_t)b->n * sizeof *qr.A);
  memset(b->stack, 0, (size_t)tall * sizeof *b->stack);
  for (int j = 0; j < b->n; j++) {
    double *col = qr.A + (size_t)j * (size_t)tall;
    if (j >= b->x->sys->nv || !stay) {
      memcpy(col, b->D + (size_t)j * (size_t)b->rows, (size_t)b->rows * sizeof *col);
    }
    col[b->rows + j] = damping;
  }
  for (int i = 0; i < b->rows; i++) {
    b->stack[i] = -b->R[i];
  }
  (void)pw_qr_decompose(&qr, PW_SCALE(RANK_ROUNDING));
  pw_qr_least_squares(&qr, b->stack, b->step);
}

static void take_step(pw_balance *b) {
  pw_still *x = b->x;
  int nv = x->sys->nv, nr = x->sys->nr;
  pw_gemv(b->way, nv, nv, b->step, b->moved);
  pw_still_move(x, b->moved);
  for (int i = 0; i < nr; i++) {
    b->lambda[i] += b->len[i] > 0 ? b->step[nv + i] * b->force / b->len[i] : 0;
  }
  for (int k = 0; k < b->cyclic; k++) {
    int j = b->which[k];
    x->u[j] += b->step[nv + nr + k] * b->speed / b->L[(size_t)j * (size_t)(nv + 1)];
  }
}

static double merit(const pw_balance *b) {
  return pw_norm2(b->R, b->rows);
}

static void swap(pw_balance *b) {
  double *R = b->R, *D = b->D;
  b->R = b->R_try;
  b->D = b->D_try;
  b->R_try = R;
  b->D_try = D;
}

/* The residual after a step with this damping; if it is not smaller all is as before. */
static bool improves(pw_balance *b, const pw_balance_task *task, double damping, double *size) {
  pw_spot_copy(b->x->sys, b->old, pw_balance_spot(b));
  newton_step(b, task->stay, damping);
  take_step(b);
  swap(b);
  double bad = evaluate(b, task, false), next = merit(b);
  swap(b);
  if (!isnan(bad) && next < *size) {
    *size = next;
    b->residual = bad;
    return true;
  }
  pw_spot_copy(b->x->sys, pw_balance_spot(b), b->old);
  if (pw_still_look(b->x, false)) {
    columns(b, b->x->phi, b->a, b->len);
    columns(b, b->x->J, b->g, b->g_len);
  }
  return false;
}

bool pw_balance_solve(pw_balance *b, pw_balance_task task) {
  double damping = PW_SCALE(DAMPING_FIRST), solved = PW_SCALE(BALANCED);
  b->x->lambda = b->lambda;
  if (!pw_balance_metric(b) || isnan(evaluate(b, &task, true))) {
    return false;
  }
  double size = merit(b);
  b->residual = worst(b);
  for (int k = 0; k < MOST_STEPS && !(b->residual <= PW_SCALE(BALANCE_ROUNDING)) &&
                  damping < PW_SCALE(DAMPING_MOST);
       k++) {
    double last = size;
    if (improves(b, &task, damping, &size)) {
      damping = fmax(damping / 10, PW_SCALE(DAMPING_LEAST));
      if ((size > PW_SCALE(BALANCE_STALLS) * last && b->residual > solved) ||
          isnan(evaluate(b, &task, true))) {
        break;
      }
    } else if (b->residual <= solved && damping < PW_SCALE(DAMPING_SMALL)) {
      break; /* rounding */
    } else {
      damping *= 4;
    }
  }
  PW_ASSERT(!isnan(b->residual));
  return b->residual <= solved;
}
