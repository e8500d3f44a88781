// SPDX-License-Identifier: MIT
/* The energy ledger, theory (25), (26), (27).
 * With H = p.u - L the motion gives H' = -L_t + Q.u - D_u.u + lambda J u, and T + V = H + 2T - p.u.
 * So explicit time contributes -integral of L_t plus the change of 2T - p.u, which is zero for a
 * kinetic energy that is quadratic in the velocities. A constraint does work only if J u != 0 on
 * it: by g_t, or if f is not homogeneous in the velocities (Kozlov 2019, sec. 2). */
#include "system/ledger.h"

#include <math.h>
#include <stdint.h>

#include "expr/tape.h"
#include "law/scale_model.h"

/* ---- numerical test for identities that the DAG does not show ---- */

typedef struct sample {
  uint64_t seed;
} sample;

/* A fixed pseudo-random number in (0.2, 1.2) for each variable; -1 or 1 for modes. */
static double sample_value(void *payload, int v) {
  const sample *s = payload;
  uint64_t x = (uint64_t)v * 0x9E3779B97F4A7C15u + s->seed * 0xD1B54A32D192ED03u;
  x ^= x >> 29;
  x *= 0xBF58476D1CE4E5B9u;
  x ^= x >> 32;
  if (pw_var_kind(v) == PW_VAR_MODE) {
    return (x >> 20 & 1) != 0 ? 1 : -1;
  }
  return 0.2 + (double)(x >> 11) * 0x1p-53;
}

double pw_sample_at(int var, unsigned seed) {
  sample s = {seed};
  return sample_value(&s, var);
}

/* Of the variables, and of the pieces of an expression that has some. */
enum { SAMPLES = 4, PIECES = 64 };

static bool is_mode(void *payload, int var) {
  (void)payload;
  return pw_var_kind(var) == PW_VAR_MODE;
}

static uint64_t samples_of(const pw_model *m, pw_node a) {
  return pw_depends(m->dag, a, is_mode, NULL) ? PIECES : SAMPLES;
}

/* Differences of equal terms. An expression whose terms all vanish at the samples (a function that
 * underflows there) may be nonzero elsewhere. */
bool pw_vanishes(const pw_model *m, pw_node a) {
  if (pw_is_value(m->dag, a, 0)) {
    return true;
  }
  int n;
  pw_tape *tape = pw_tape_of_variables(m->arena, m->dag, a, &n);
  double *in = PW_TAKE(m->arena, n, double), terms, most = 0;
  double *work = PW_TAKE(m->arena, 2 * pw_tape_registers(tape) + 1, double);
  uint64_t count = samples_of(m, a);
  for (uint64_t k = 1; k <= count; k++) {
    sample s = {k};
    for (int i = 0; i < n; i++) {
      in[i] = sample_value(&s, i);
    }
    pw_tape_terms(tape, in, work, &terms);
    most = fmax(most, terms);
    if (!(fabs(pw_eval(m->dag, a, sample_value, &s)) <= PW_SCALE(TERMS_CANCEL) * terms)) {
      return false;
    }
  }
  return most > 0;
}

/* f_u.u = k f for one number k: f is homogeneous and its ideal reaction does no work (Euler). */
static bool is_homogeneous(const pw_model *m, const pw_equations *eq, int row) {
  pw_node Ju = pw_const(m->dag, 0), f = eq->value[row];
  for (int e = eq->rows.start[row]; e < eq->rows.start[row + 1]; e++) {
    pw_node u = pw_var(m->dag, pw_var_of(PW_VAR_U, eq->rows.index[e]));
    pw_node term = pw_mul(m->dag, eq->J[e], u);
    Ju = pw_add(m->dag, Ju, term);
  }
  double degree = 0;
  uint64_t count = samples_of(m, f);
  for (uint64_t k = 1; k <= count; k++) {
    sample s = {k};
    double ratio = pw_eval(m->dag, Ju, sample_value, &s) / pw_eval(m->dag, f, sample_value, &s);
    if (!isfinite(ratio) || (k > 1 && !(fabs(ratio - degree) < PW_SCALE(SAME_DEGREE)))) {
      return false;
    }
    degree = ratio;
  }
  return true;
}

/* ---- entries ---- */

/* Servos work; a vakonomic law only if it is not homogeneous or changes with time. */
static bool row_works(const pw_model *m, const pw_equations *eq, int i) {
  const pw_row *row = &m->rows.items[eq->row_of[i]];
  if (eq->by[i] != NULL) {
    return true;
  }
  if (row->kind == PW_KIND_VAKONOMIC) {
    pw_node f_t;
    pw_by_time(m, &eq->value[i], 1, &f_t);
    return !pw_vanishes(m, f_t) || !is_homogeneous(m, eq, i);
  }
  if (row->on_velocity) {
    return !is_homogeneous(m, eq, i);
  }
  pw_node g_t;
  pw_by_time(m, &eq->value[i], 1, &g_t);
  return !pw_vanishes(m, g_t);
}

static void add(pw_system *sys, pw_node *rate, pw_work work, pw_node power) {
  rate[sys->n_work] = power;
  sys->work[sys->n_work++] = work;
}

static void dissipation_entries(pw_system *sys, const pw_equations *eq, pw_node *rate) {
  const pw_model *m = sys->model;
  pw_node *by_u = PW_TAKE(m->arena, m->nv + 1, pw_node);
  const int *u = pw_var_list(m, PW_VAR_U, m->nv);
  for (int i = 0; i < m->energies.n; i++) {
    const pw_energy *e = &m->energies.items[i];
    if (e->kind == PW_ST_DISSIPATION) {
      pw_gradient(m->dag, eq->dissipation[i], u, m->nv, by_u);
      pw_let_go(m, by_u, m->nv);
      add(sys, rate, (pw_work){.name = e->name, .lost = true, .row = -1}, pw_power(m, by_u));
    }
  }
}

/* theory (82): the reaction -(d/dt X_u - X_q) of X = lambda phi has the power
 * -lambda' phi_u.u - lambda (phi_uu u).u' - lambda (d/dt phi_u at u' = 0, - phi_q).u */
pw_node pw_carried_power(const pw_model *m, const pw_equations *eq, int k, pw_node *bend) {
  pw_node lambda = pw_var(m->dag, pw_var_of(PW_VAR_Q, m->nq + k));
  pw_node *by_u = PW_TAKE(m->arena, m->nv + 1, pw_node);
  pw_node *by_q = PW_TAKE(m->arena, m->nq + 1, pw_node);
  pw_node *pulled = PW_TAKE(m->arena, m->nv + 1, pw_node);
  pw_node *rate = PW_TAKE(m->arena, m->nv + 1, pw_node);
  pw_gradient(m->dag, eq->phi[k], pw_var_list(m, PW_VAR_U, m->nv), m->nv, by_u);
  pw_gradient(m->dag, eq->phi[k], pw_var_list(m, PW_VAR_Q, m->nq), m->nq, by_q);
  pw_pull_back(m, by_q, pulled);
  pw_convective(m, by_u, m->nv, rate);
  for (int i = 0; i < m->nv; i++) {
    rate[i] = pw_sub(m->dag, rate[i], pulled[i]);
  }
  pw_node power = pw_power(m, rate);
  power = pw_mul(m->dag, lambda, power);
  pw_node degree = pw_power(m, by_u); /* its gradient is phi_u + phi_uu u */
  pw_gradient(m->dag, degree, pw_var_list(m, PW_VAR_U, m->nv), m->nv, bend);
  for (int i = 0; i < m->nv; i++) {
    bend[i] = pw_sub(m->dag, bend[i], by_u[i]);
    bend[i] = pw_mul(m->dag, lambda, bend[i]);
  }
  return power;
}

/* For the energies only: the contribution of multipliers is booked by their laws. */
pw_node pw_energy_excess(const pw_model *model, const pw_equations *eq) {
  pw_node *p = PW_TAKE(model->arena, model->nv + 1, pw_node);
  pw_gradient(model->dag, eq->L, pw_var_list(model, PW_VAR_U, model->nv), model->nv, p);
  pw_node pu = pw_power(model, p);
  pw_node twice = pw_mul(model->dag, pw_const(model->dag, 2), eq->T);
  return pw_sub(model->dag, twice, pu);
}

pw_node pw_free_power(const pw_model *model, const pw_equations *eq) {
  pw_node *drag = PW_TAKE(model->arena, model->nv + 1, pw_node);
  pw_node L_t;
  pw_by_time(model, &eq->held, 1, &L_t);
  pw_let_go(model, &L_t, 1);
  pw_gradient(model->dag, eq->D, pw_var_list(model, PW_VAR_U, model->nv), model->nv, drag);
  pw_let_go(model, drag, model->nv);
  pw_node sum = pw_add(model->dag, L_t, pw_power(model, drag));
  sum = pw_neg(model->dag, sum);
  for (int i = 0; i < model->forces.n; i++) {
    pw_node power = pw_power(model, eq->force + (size_t)i * (size_t)model->nv);
    sum = pw_add(model->dag, sum, power);
  }
  return sum;
}

static bool is_switched_by_time(void *payload, int var) {
  const pw_system *sys = payload;
  return pw_var_kind(var) == PW_VAR_MODE && sys->surface[pw_var_index(var)].of_time;
}

static void time_entry(pw_system *sys, const pw_equations *eq, pw_node *rate) {
  const pw_model *m = sys->model;
  pw_node L_t;
  pw_by_time(m, &eq->held, 1, &L_t);
  pw_let_go(m, &L_t, 1);
  bool switched = pw_depends(m->dag, eq->L, is_switched_by_time, sys);
  if (switched || !pw_vanishes(m, L_t) || !pw_vanishes(m, pw_energy_excess(m, eq))) {
    add(sys, rate, (pw_work){.name = "time", .row = -1, .is_time = true}, pw_neg(m->dag, L_t));
  }
}

/* The kinks of one law; the rows of a vector slip are one law. */
static int kinks_of(const pw_model *m, const pw_equations *eq, int i) {
  const pw_row *row = &m->rows.items[eq->row_of[i]];
  if (pw_acts_as_one(row->kind) && row->count > 1) {
    return row->count;
  }
  int n = 1;
  while (i >= eq->nc && i + n < eq->nr && eq->row_of[i + n] == eq->row_of[i]) {
    n++;
  }
  return n;
}

/* A law with forces on both sides of a kink works all the time; on a slip, it dissipates. */
static void row_entries(pw_system *sys, const pw_equations *eq, int i, pw_node *rate) {
  const pw_row *row = &sys->model->rows.items[eq->row_of[i]];
  int rows = kinks_of(sys->model, eq, i);
  bool driven = eq->by[i] != NULL, law = i >= eq->nc && !driven;
  bool acts = false, works = driven;
  for (int k = 0; k < rows; k++) {
    acts = acts || (law && eq->left[i + k] >= 0);
    works = works || row_works(sys->model, eq, i + k);
  }
  bool slips = acts && row->on_velocity;
  if (row->kind == PW_KIND_KINK && !slips) { /* its energy is in the potential, unless it moves */
    if (works) {
      add(sys, rate, (pw_work){.name = row->law, .row = i, .rows = rows, .slips = true}, -1);
    }
    return;
  }
  if (works || (acts && !slips)) {
    add(sys, rate, (pw_work){.name = row->law, .row = i, .rows = rows, .slips = slips}, -1);
  }
  bool strikes = false; /* a graph with forces that ends at a wall */
  for (int k = 0; k < rows; k++) {
    strikes = strikes || (law && !row->on_velocity && sys->row[i + k].wall);
  }
  if (law && (slips || !acts || strikes)) {
    pw_work lost = {.name = row->law, .lost = true, .row = i, .rows = rows};
    lost.jumps = !slips;
    lost.slips = slips;
    add(sys, rate, lost, -1);
  }
}

void pw_ledger(pw_system *sys, const pw_equations *eq, pw_node **rate) {
  const pw_model *m = sys->model;
  int most = m->energies.n + m->forces.n + 2 * eq->nr + 2 * m->piles.n + 1;
  sys->work = PW_TAKE(m->arena, most, pw_work);
  *rate = PW_TAKE(m->arena, most, pw_node);
  dissipation_entries(sys, eq, *rate);
  for (int i = 0; i < m->forces.n; i++) {
    pw_node power = pw_power(m, eq->force + (size_t)i * (size_t)m->nv);
    add(sys, *rate, (pw_work){.name = m->forces.items[i].name, .row = -1}, power);
  }
  for (int i = 0; i < eq->nr; i += kinks_of(m, eq, i)) {
    row_entries(sys, eq, i, *rate);
  }
  for (int i = 0; i < m->piles.n; i++) { /* steps book them */
    pw_node none = pw_const(m->dag, 0);
    add(sys, *rate, (pw_work){.name = m->piles.items[i].name, .row = -1, .pile = i + 1}, none);
    add(sys, *rate,
        (pw_work){.name = m->piles.items[i].name, .lost = true, .row = -1, .pile = i + 1}, none);
  }
  time_entry(sys, eq, *rate);
}
