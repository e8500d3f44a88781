// SPDX-License-Identifier: MIT
#include "mech/series.h"

#include <math.h>
#include <string.h>

#include "base/strip.h"
#include "law/scale_mech.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "mech/work.h"

enum { MAX_LOAD_PASSES = 100 };

/* ---- memory: inputs, outputs and registers of the tapes with order+1 coefficients each ---- */

typedef struct layout {
  double *known; /* n_in x (order+1): coefficients of the inputs found so far */
  double *in, *motion, *contact, *graph, *by, *reg, *rhs, *row, *out;
} layout;

static size_t larger(int a, int b) {
  return (size_t)(a > b ? a : b);
}

/* Order k needs k + 1 coefficients of each number. */
static void lay_out(const pw_system *s, int order, pw_strip *to, layout *l) {
  size_t k = (size_t)order + 1;
  const pw_tape *tapes[] = {s->tape.motion,   s->tape.contact, s->tape.by,    s->tape.graph,
                            s->tape.clause,   s->tape.sides,   s->tape.roots, s->tape.output,
                            s->tape.velocity, s->tape.position};
  size_t registers = 0, outputs = 0;
  for (size_t i = 0; i < sizeof tapes / sizeof *tapes; i++) {
    registers = larger((int)registers, pw_tape_registers(tapes[i]));
    outputs = larger((int)outputs, pw_tape_outputs(tapes[i]));
  }
  l->known = pw_strip_real(to, k * (size_t)s->n_in);
  l->in = pw_strip_real(to, k * (size_t)s->n_in);
  l->motion = pw_strip_real(to, k * (size_t)pw_tape_outputs(s->tape.motion));
  l->contact = pw_strip_real(to, k * (size_t)pw_tape_outputs(s->tape.contact));
  l->graph = pw_strip_real(to, k * (size_t)pw_tape_outputs(s->tape.graph));
  l->by = pw_strip_real(to, k * (size_t)pw_tape_outputs(s->tape.by));
  l->reg = pw_strip_real(to, k * (registers + 3));
  l->rhs = pw_strip_real(to, (size_t)s->nv);
  l->row = pw_strip_real(to, (size_t)s->nr);
  l->out = pw_strip_real(to, k * outputs);
}

static void lay_result(pw_series *s, const pw_system *sys, int order, pw_strip *to) {
  size_t k = (size_t)order + 1;
  layout l;
  s->a = pw_strip_real(to, k * (size_t)sys->nv);
  s->lambda = pw_strip_real(to, k * (size_t)sys->nr);
  s->law = pw_strip_real(to, k * (size_t)sys->ni);
  s->size = pw_strip_real(to, k * (size_t)sys->ni);
  s->work = pw_strip_real(to, 0); /* the rest */
  lay_out(sys, order, to, &l);
}

size_t pw_series_doubles(const pw_system *sys, int order) {
  pw_series s;
  pw_strip to = {0};
  lay_result(&s, sys, order, &to);
  return to.n_real;
}

void pw_series_init(pw_series *s, const pw_system *sys, int order, double *memory) {
  s->order = order;
  lay_result(s, sys, order, &(pw_strip){.real = memory});
}

/* ---- coefficients of the tapes ---- */

typedef struct expansion {
  pw_mech *m;
  pw_series *out;
  layout l;
  int k; /* order of the present pass; outputs of the tapes have stride k + 1 */
} expansion;

/* Coefficient j of output number i of a tape evaluated to order k. */
static double coefficient(const double *out, int k, int i, int j) {
  return out[(size_t)i * (size_t)(k + 1) + (size_t)j];
}

static double J_coefficient(const expansion *e, int row, int i, int j) {
  const pw_system *s = e->m->sys;
  if (row < s->nc) {
    int at = pw_view_slope_at(s, row, i);
    return at < 0 ? 0 : coefficient(e->l.motion, e->k, pw_view_places(s).J + at, j);
  }
  return coefficient(e->l.contact, e->k, pw_view_law_at(s, row - s->nc, PW_VIEW_HEAD + i), j);
}

static double zeta_coefficient(const expansion *e, int row) {
  const pw_system *s = e->m->sys;
  if (row < s->nc) {
    return coefficient(e->l.motion, e->k, pw_view_places(s).zeta + row, e->k);
  }
  return coefficient(e->l.contact, e->k, pw_view_law_at(s, row - s->nc, PW_VIEW_ZETA), e->k);
}

/* Forces of the laws away from their kinks, of the current order. */
static void segment_forces(expansion *e) {
  const pw_system *s = e->m->sys;
  double *lambda = e->out->lambda + (size_t)e->k * (size_t)s->nr;
  memset(lambda, 0, (size_t)s->nr * sizeof *lambda);
  for (int i = 0; i < s->ni; i++) {
    if (pw_mech_on_segment(e->m, i)) {
      int at = pw_view_graph_at(i, e->m->w->state[i] == PW_ABOVE_KINK);
      lambda[s->nc + i] = -coefficient(e->l.graph, e->k, at, e->k);
    }
  }
}

/* Direction of a row's force: of a servo, or its gradient. */
static double Phi_coefficient(const expansion *e, int row, int i, int j) {
  int by = e->m->sys->row[row].by;
  return by < 0 ? J_coefficient(e, row, i, j)
                : e->m->sense[row] * coefficient(e->l.by, e->k, by * e->m->sys->nv + i, j);
}

/* sum_{j>=from} Phi_j lambda_{k-j} of one row, component i. */
static double reaction(const expansion *e, int row, int i, int from) {
  double sum = 0;
  for (int j = from; j <= e->k; j++) {
    sum += Phi_coefficient(e, row, i, j) *
           e->out->lambda[(size_t)(e->k - j) * (size_t)e->m->sys->nr + (size_t)row];
  }
  return sum;
}

/* Coefficient j of force / normal force of a law that slides. */
static double ratio_coefficient(const expansion *e, int law, int j) {
  if (e->m->w->state[law] == PW_IMPLIED) { /* it keeps its share */
    return j == 0 ? pw_mech_ratio(e->m, law) : 0;
  }
  int at = pw_view_graph_at(law, e->m->w->state[law] == PW_ABOVE_KINK);
  return -coefficient(e->l.graph, e->k, at, j);
}

/* Sliding friction follows the normal force: lambda_T = c lambda_N, of order k without (from = 1)
 * or with the unknown lambda_N of that order. */
static double sliding_force(const expansion *e, int law, int order, int from) {
  const pw_system *s = e->m->sys;
  double sum = 0;
  for (int j = from; j <= order; j++) {
    sum += ratio_coefficient(e, law, j) *
           e->out->lambda[(size_t)(order - j) * (size_t)s->nr + (size_t)(s->nc + s->law[law].on)];
  }
  return sum;
}

/* sum_{j} J_j^T lambda_{k-j} of sliding friction, without the unknown part of order k. */
static double sliding_reaction(const expansion *e, int law, int i) {
  const pw_system *s = e->m->sys;
  double sum = J_coefficient(e, s->nc + law, i, 0) * sliding_force(e, law, e->k, 1);
  return sum + reaction(e, s->nc + law, i, 1);
}

/* rhs = h_k - sum_{j>=1} (M_j a_{k-j} - J_j^T lambda_{k-j}), with all forces computed so far. */
static void force_terms(expansion *e) {
  const pw_system *s = e->m->sys;
  pw_motion_places at = pw_view_places(s);
  for (int i = 0; i < s->nv; i++) {
    double sum = coefficient(e->l.motion, e->k, at.h + i, e->k);
    for (int j = 1; j <= e->k; j++) {
      const double *a = e->out->a + (size_t)(e->k - j) * (size_t)s->nv;
      for (int c = 0; c < s->nv; c++) {
        int mass = pw_view_mass_at(s, i, c);
        sum -= mass < 0 ? 0 : coefficient(e->l.motion, e->k, at.M + mass, j) * a[c];
      }
    }
    for (int r = 0; r < e->m->w->n_act; r++) {
      sum += reaction(e, e->m->w->act[r], i, 1);
    }
    for (int r = 0; r < s->ni; r++) {
      if (pw_mech_on_segment(e->m, r)) {
        sum += reaction(e, s->nc + r, i, 0);
      } else if (pw_mech_slides(e->m, r)) {
        sum += sliding_reaction(e, r, i);
      }
    }
    e->l.rhs[i] = sum;
  }
}

/* zeta_k + sum_{j>=from} J_j a_{k-j} */
static double row_terms(const expansion *e, int row, int from) {
  const pw_system *s = e->m->sys;
  double sum = zeta_coefficient(e, row);
  for (int j = from; j <= e->k; j++) {
    const double *a = e->out->a + (size_t)(e->k - j) * (size_t)s->nv;
    for (int i = 0; i < s->nv; i++) {
      sum += J_coefficient(e, row, i, j) * a[i];
    }
  }
  return sum;
}

/* |zeta_k| + sum_j |J_j||a_{k-j}|, term by term */
static double row_size(const expansion *e, int row) {
  const pw_system *s = e->m->sys;
  double sum = fabs(zeta_coefficient(e, row));
  for (int j = 0; j <= e->k; j++) {
    const double *a = e->out->a + (size_t)(e->k - j) * (size_t)s->nv;
    for (int i = 0; i < s->nv; i++) {
      sum += fabs(J_coefficient(e, row, i, j) * a[i]);
    }
  }
  return sum;
}

/* The same KKT factor as the accelerations, with the new right-hand side. */
static void solve_order(expansion *e) {
  const pw_system *s = e->m->sys;
  struct pw_mech_work *w = e->m->w;
  double *a = e->out->a + (size_t)e->k * (size_t)s->nv;
  double *lambda = e->out->lambda + (size_t)e->k * (size_t)s->nr;
  memcpy(a, e->l.rhs, (size_t)s->nv * sizeof *a);
  pw_mech_forward(e->m, a);

  /* reactions of the imposed rows */
  for (int r = 0; r < w->n_act; r++) {
    double drive = w->length[r] > 0 ? row_terms(e, w->act[r], 1) / w->length[r] : 0;
    e->l.row[r] = -(drive + pw_mech_column_dot(e->m, r, a));
  }
  if (w->n_act > 0) {
    (void)(e->k == 0 ? pw_mech_solve_forces(e->m, e->l.row, w->lam, w->y)
                     : pw_mech_solve_rows(e->m, e->l.row, w->lam, w->y));
    pw_axpy(1, w->y, a, s->nv);
    for (int r = 0; r < w->n_act; r++) {
      double length = w->oblique.any ? w->oblique.length[r] : w->length[r];
      lambda[w->act[r]] = length > 0 ? w->lam[r] / length : 0;
    }
  }
  pw_mech_backward(e->m, a);

  /* friction that follows them, and the resulting forces of all laws */
  for (int i = 0; i < s->ni; i++) {
    if (pw_mech_slides(e->m, i)) {
      lambda[s->nc + i] = sliding_force(e, i, e->k, 0);
    }
  }
  for (int i = 0; i < s->ni; i++) {
    size_t at = (size_t)e->k * (size_t)s->ni + (size_t)i;
    e->out->law[at] = row_terms(e, s->nc + i, 0);
    e->out->size[at] = row_size(e, s->nc + i);
  }
}

/* ---- passes ---- */

static double *known(const expansion *e, pw_var_class c, int i) {
  size_t stride = (size_t)e->out->order + 1;
  return e->l.known + (size_t)(e->m->sys->offset[c] + i) * stride;
}

static void load_state(expansion *e, double t, const double *q, const double *u,
                       const double *side) {
  const pw_system *s = e->m->sys;
  size_t size = ((size_t)e->out->order + 1) * (size_t)s->n_in;
  memset(e->l.known, 0, size * sizeof *e->l.known);
  known(e, PW_VAR_TIME, 0)[0] = t;
  if (e->out->order > 0) {
    known(e, PW_VAR_TIME, 0)[1] = 1;
  }
  for (int i = 0; i < s->nq; i++) {
    known(e, PW_VAR_Q, i)[0] = q[i];
  }
  for (int i = 0; i < s->nv; i++) {
    known(e, PW_VAR_U, i)[0] = u[i];
  }
  for (int i = 0; i < s->n_switch; i++) {
    known(e, PW_VAR_MODE, i)[0] = side[i];
  }
  for (int i = 0; i < s->load.n; i++) {
    int row = s->row_of[s->load.row[i]];
    known(e, PW_VAR_FORCE, row)[0] = e->m->w->in[s->offset[PW_VAR_FORCE] + row];
  }
  for (int i = 0; i < s->model->parameters.n; i++) {
    known(e, PW_VAR_PARAMETER, i)[0] = e->m->w->in[s->offset[PW_VAR_PARAMETER] + i];
  }
}

/* Inputs cut to order k, then both tapes. */
static void run_tapes(expansion *e) {
  const pw_system *s = e->m->sys;
  size_t wide = (size_t)e->out->order + 1, narrow = (size_t)e->k + 1;
  for (size_t i = 0; i < (size_t)s->n_in; i++) {
    memcpy(e->l.in + i * narrow, e->l.known + i * wide, narrow * sizeof *e->l.in);
  }
  pw_tape_jet(s->tape.motion, e->k, e->l.in, e->l.reg, e->l.motion);
  pw_tape_jet(s->tape.contact, e->k, e->l.in, e->l.reg, e->l.contact);
  pw_tape_jet(s->tape.graph, e->k, e->l.in, e->l.reg, e->l.graph);
  pw_mech_aim_series(e->m, e->k, e->l.graph);
  pw_tape_jet(s->tape.by, e->k, e->l.in, e->l.reg, e->l.by);
}

/* The coefficient of order k of the forces that bound frictions. True: it has changed. */
static bool take_loads(expansion *e) {
  const pw_system *s = e->m->sys;
  double far = 0, size = 0;
  for (int i = 0; i < s->load.n; i++) {
    int row = s->load.row[i];
    double *x = &known(e, PW_VAR_FORCE, s->row_of[row])[e->k];
    double force =
        pw_law_force(&s->row[row], e->out->lambda[(size_t)e->k * (size_t)s->nr + (size_t)row]);
    far = fmax(far, fabs(force - *x));
    size = fmax(size, fabs(force));
    *x = force;
  }
  return far > PW_SCALE(LOAD_SETTLED) * size;
}

/* Frictions bounded by forces contain their coefficients of the same order: repeated until these
 * are found. */
static void expand_order(expansion *e) {
  int pass = 0;
  do {
    run_tapes(e);
    segment_forces(e);
    force_terms(e);
    solve_order(e);
  } while (take_loads(e) && ++pass < MAX_LOAD_PASSES);
}

static void integrate_once(expansion *e) {
  const pw_system *s = e->m->sys;
  int next = e->k + 1;
  if (next > e->out->order) {
    return;
  }
  for (int i = 0; i < s->nv; i++) {
    known(e, PW_VAR_U, i)[next] = e->out->a[(size_t)e->k * (size_t)s->nv + (size_t)i] / next;
  }
  for (int i = 0; i < s->nq; i++) {
    double rate = coefficient(e->l.motion, e->k, pw_view_places(s).q_rate + i, e->k);
    known(e, PW_VAR_Q, i)[next] = rate / next;
  }
  for (int i = 0; i < s->n_state; i++) {
    int row = s->state_row[i];
    double rate = -e->m->sense[row] * e->out->lambda[(size_t)e->k * (size_t)s->nr + (size_t)row];
    known(e, PW_VAR_Q, s->nq - s->n_state + i)[next] = rate / next;
  }
}

pawl_status pw_mech_series(pw_mech *m, double t, const double *q, const double *u,
                           const double *side, pw_series *out) {
  expansion e = {.m = m, .out = out};
  lay_out(m->sys, out->order, &(pw_strip){.real = out->work}, &e.l);
  pawl_status status = pw_mech_rates(m, t, q, u, side);
  if (status != PAWL_OK) {
    return status;
  }
  load_state(&e, t, q, u, side);
  for (e.k = 0; e.k <= out->order; e.k++) {
    expand_order(&e);
    integrate_once(&e);
  }
  return PAWL_OK;
}

/* ---- derivatives along any direction ---- */

static void one_pass(expansion *e) {
  run_tapes(e);
  segment_forces(e);
  force_terms(e);
  solve_order(e);
}

pawl_status pw_mech_vary_at(pw_mech *m, double t, const double *q, const double *u,
                            const double *side, pw_series *s) {
  expansion e = {.m = m, .out = s};
  lay_out(m->sys, s->order, &(pw_strip){.real = s->work}, &e.l);
  pawl_status status = pw_mech_rates(m, t, q, u, side);
  if (status == PAWL_OK) {
    load_state(&e, t, q, u, side);
    one_pass(&e);
  }
  return status;
}

/* Change of q' (nq) after the pass of order 1. */
static void rates_along(const expansion *e, double *dq_rate) {
  const pw_system *sys = e->m->sys;
  for (int i = 0; i < sys->nq; i++) {
    dq_rate[i] = coefficient(e->l.motion, 1, pw_view_places(sys).q_rate + i, 1);
  }
  for (int i = 0; i < sys->n_state; i++) {
    int row = sys->state_row[i];
    dq_rate[sys->nq - sys->n_state + i] = -e->m->sense[row] * e->out->lambda[sys->nr + row];
  }
}

void pw_mech_vary(pw_mech *m, pw_series *s, const double *direction, double *dq_rate) {
  const pw_system *sys = m->sys;
  expansion e = {.m = m, .out = s, .k = 1};
  lay_out(sys, s->order, &(pw_strip){.real = s->work}, &e.l);
  for (int i = 0; i < sys->n_in; i++) {
    e.l.known[2 * i + 1] = direction[i];
  }
  one_pass(&e);
  rates_along(&e, dq_rate);
}

const double *pw_mech_vary_tape(pw_mech *m, pw_series *s, const pw_tape *tape,
                                const double *direction) {
  layout l;
  lay_out(m->sys, s->order, &(pw_strip){.real = s->work}, &l);
  for (int i = 0; i < m->sys->n_in; i++) {
    l.in[2 * i] = m->w->in[i];
    l.in[2 * i + 1] = direction[i];
  }
  pw_tape_jet(tape, 1, l.in, l.reg, l.out);
  return l.out;
}

/* The change of the residual of each imposed row along the direction, into `row`: of positions, the
 * first n_act_q, or of velocities. */
static void residuals_along(pw_mech *m, pw_series *s, const double *direction, bool positions,
                            double *row) {
  const pw_system *sys = m->sys;
  const struct pw_mech_work *w = m->w;
  int count = positions ? w->n_act_q : w->n_act;
  pw_zero(row, w->n_act);
  const double *of =
      pw_mech_vary_tape(m, s, positions ? sys->tape.position : sys->tape.velocity, direction);
  for (int r = 0; r < count; r++) {
    row[r] = w->act[r] < sys->nc ? of[2 * w->act[r] + 1] : 0;
  }
  of = pw_mech_vary_tape(m, s, sys->tape.contact, direction);
  for (int r = 0; r < count; r++) {
    int law = w->act[r] - sys->nc;
    if (law >= 0) {
      bool value = positions || sys->law[law].on_velocity;
      row[r] = of[2 * pw_view_law_at(sys, law, value ? PW_VIEW_VALUE : PW_VIEW_RATE) + 1];
    }
  }
}

/* w->y: the shortest change of the velocities that takes these residuals away. */
static void shortest_change(pw_mech *m, double *row) {
  struct pw_mech_work *w = m->w;
  for (int r = 0; r < w->n_act; r++) {
    row[r] = w->length[r] > 0 ? -row[r] / w->length[r] : 0;
  }
  (void)pw_mech_solve_rows(m, row, w->lam, w->y);
  pw_mech_backward(m, w->y);
}

void pw_mech_vary_settle(pw_mech *m, pw_series *s, double *direction) {
  const pw_system *sys = m->sys;
  struct pw_mech_work *w = m->w;
  layout l;
  double *dq = direction + sys->offset[PW_VAR_Q], *du = direction + sys->offset[PW_VAR_U];
  lay_out(sys, s->order, &(pw_strip){.real = s->work}, &l);
  if (w->n_act_q > 0) {
    residuals_along(m, s, direction, true, l.row);
    shortest_change(m, l.row);
    pw_mech_to_q(m, w->in + sys->offset[PW_VAR_Q], w->y, w->dq);
    pw_axpy(1, w->dq, dq, sys->nq);
  }
  if (w->n_act > 0) {
    residuals_along(m, s, direction, false, l.row);
    shortest_change(m, l.row);
    pw_axpy(1, w->y, du, sys->nv);
  }
}

void pw_mech_slope(pw_mech *m, int j, pw_series *s, double *column) {
  const pw_system *sys = m->sys;
  expansion e = {.m = m, .out = s, .k = 1};
  lay_out(sys, s->order, &(pw_strip){.real = s->work}, &e.l);
  for (int i = 0; i < sys->n_in; i++) {
    e.l.known[2 * i + 1] = 0;
  }
  known(&e, j < sys->nq ? PW_VAR_Q : PW_VAR_U, j < sys->nq ? j : j - sys->nq)[1] = 1;
  one_pass(&e);
  rates_along(&e, column);
  memcpy(column + sys->nq, s->a + sys->nv, (size_t)sys->nv * sizeof *column);
}
