// SPDX-License-Identifier: MIT
/* Derivatives along the motion, and what a node contains. */
#include <string.h>

#include "base/pi.h"
#include "model/check.h"
#include "model/signal.h"

/* ---- derivative along the motion ---- */

/* The coordinate that owns position i: coordinates are sorted by their first position. */
static const pw_coord *owner_of(const pw_model *m, int i) {
  int lo = 0, hi = m->coords.n - 1;
  while (lo < hi) {
    int mid = (lo + hi + 1) / 2;
    if (m->coords.items[mid].q <= i) {
      lo = mid;
    } else {
      hi = mid - 1;
    }
  }
  return &m->coords.items[lo];
}

/* q' = q o (0, W)/2 for q = (s, v):  s' = -v.W/2,  v' = (s W + v x W)/2. theory (3) */
static pw_node quaternion_rate(const pw_model *m, const pw_coord *c, int i) {
  pw_dag *dag = m->dag;
  pw_node q[4], W[3], product[3], sum;
  for (int k = 0; k < 4; k++) {
    q[k] = pw_var(dag, pw_var_of(PW_VAR_Q, c->q + k));
  }
  for (int k = 0; k < 3; k++) {
    W[k] = pw_var(dag, pw_var_of(PW_VAR_U, c->u + k));
  }
  if (i == 0) {
    for (int k = 0; k < 3; k++) {
      product[k] = pw_mul(dag, q[1 + k], W[k]);
    }
    sum = pw_add(dag, product[0], product[1]);
    sum = pw_add(dag, sum, product[2]);
    sum = pw_neg(dag, sum);
  } else {
    int j = i % 3, k = (i + 1) % 3; /* the two axes after axis i - 1 */
    product[0] = pw_mul(dag, q[0], W[i - 1]);
    product[1] = pw_mul(dag, q[1 + j], W[k]);
    product[2] = pw_mul(dag, q[1 + k], W[j]);
    sum = pw_add(dag, product[0], product[1]);
    sum = pw_sub(dag, sum, product[2]);
  }
  pw_node half = pw_const(dag, 0.5);
  return pw_mul(dag, half, sum);
}

int pw_next_state(const pw_model *model, int row) {
  for (row++; row < model->rows.n; row++) {
    if (pw_kind_imposed(model->rows.items[row].kind) == PW_IMPOSED_STATE) {
      return row;
    }
  }
  return -1;
}

int pw_state_of(const pw_model *model, int row) {
  int k = 0;
  for (int r = pw_next_state(model, -1); r >= 0 && r < row; r = pw_next_state(model, r)) {
    k++;
  }
  return k;
}

int pw_signal_of(const pw_model *model, int i) {
  int lo = 0, hi = model->signals.n;
  while (hi - lo > 0) {
    int mid = lo + (hi - lo) / 2;
    const pw_signal *s = &model->signals.items[mid];
    if (i < s->q) {
      hi = mid;
    } else if (i >= s->q + s->slots) {
      lo = mid + 1;
    } else {
      return mid;
    }
  }
  return -1;
}

const pw_signal *pw_first_signal(const pw_model *model) {
  for (int i = 0; i < model->signals.n; i++) {
    if (model->signals.items[i].kind != PW_SIGNAL_TURNS) {
      return &model->signals.items[i];
    }
  }
  return NULL;
}

double pw_turns_next(double turns, double beyond) {
  return beyond > PW_PI ? turns + 1 : beyond < -PW_PI ? turns - 1 : turns;
}

pw_node pw_position_rate(const pw_model *model, int i) {
  int signal = pw_signal_of(model, i);
  bool moves = signal >= 0 && model->signals.items[signal].kind == PW_SIGNAL_STATE;
  if (moves) {
    return model->signals.items[signal].value;
  }
  if (i >= model->nq || signal >= 0) { /* held */
    return pw_const(model->dag, 0);
  }
  const pw_coord *c = owner_of(model, i);
  return c->is_rotation ? quaternion_rate(model, c, i - c->q)
                        : pw_var(model->dag, pw_var_of(PW_VAR_U, c->u));
}

typedef struct motion {
  const pw_model *m;
} motion;

static pw_node rate_of(void *payload, int var) {
  const pw_model *m = ((motion *)payload)->m;
  switch (pw_var_kind(var)) {
  case PW_VAR_TIME: return pw_const(m->dag, 1);
  case PW_VAR_Q: return pw_position_rate(m, pw_var_index(var));
  case PW_VAR_U: return pw_var(m->dag, pw_var_of(PW_VAR_A, pw_var_index(var)));
  default: return -1;
  }
}

void pw_time_derivative(const pw_model *model, const pw_node *f, int n, pw_node *out) {
  pw_derivative(model->dag, f, n, rate_of, &(motion){model}, out);
}

/* ---- contents of nodes ---- */

bool pw_is_spelled(void *number, int var) {
  bool spelled = pw_var_kind(var) == PW_VAR_PARAMETER && pw_var_index(var) >= PW_SPELLED;
  if (spelled) {
    *(int *)number = pw_var_index(var) - PW_SPELLED + 1;
  }
  return spelled;
}

static unsigned var_contents(const pw_check *ck, int var) {
  pw_var_class class = pw_var_kind(var);
  unsigned has = class == PW_VAR_PARAMETER ? 0 : 1u << class; /* it is a number to the checks */
  int i = pw_var_index(var);
  if (pw_is_spelled(&(int){0}, var)) {
    return (unsigned)PW_HAS_TIME | (ck->m->spelled.items[i - PW_SPELLED].noise ? 0u : PW_HAS_HELD);
  }
  int signal = class == PW_VAR_Q ? pw_signal_of(ck->m, i) : -1;
  if (signal >= 0) { /* like the time */
    bool state = ck->m->signals.items[signal].kind == PW_SIGNAL_STATE;
    if (ck->m->signals.items[signal].kind == PW_SIGNAL_TURNS) { /* the angle does not jump */
      return 0;
    }
    return (unsigned)PW_HAS_TIME | (state ? PW_HAS_STATE : PW_HAS_HELD);
  }
  bool rate = class == PW_VAR_U || class == PW_VAR_A;
  if (!rate && class != PW_VAR_Q) {
    return has;
  }
  const pw_coord *c =
      &ck->m->coords.items[rate ? ck->draft.of_u.items[i] : ck->draft.of_q.items[i]];
  has |= c->is_rotation ? PW_HAS_SPIN : 0u;
  return has | (c->is_rotation || c->of_body ? PW_HAS_BODY : 0u);
}

static int operands(pw_op op) {
  static const signed char arity[] = {
#define ARITY(name, n, text) n,
      PW_OP_LIST(ARITY)
#undef ARITY
  };
  return arity[op];
}

/* The course of an input. Stairs jump with their argument: whoever meets them sees it. */
static bool table_jumps(const pw_check *ck, pw_node node) {
  int order;
  const pw_lut *t = pw_dag_table(ck->dag, pw_node_table(ck->dag, node, &order));
  return t->jumps && !pw_lut_is_stairs(t);
}

static unsigned contents(const pw_check *ck, pw_node node) {
  pw_op op = pw_node_op(ck->dag, node);
  if (op == PW_OP_VAR) {
    return var_contents(ck, pw_node_var(ck->dag, node));
  }
  unsigned has = 0;
  for (int i = 0; i < operands(op); i++) {
    has |= ck->has.items[pw_node_arg(ck->dag, node, i)];
  }
  bool kink = op == PW_OP_ABS || op == PW_OP_MIN || op == PW_OP_MAX || op == PW_OP_SIGN ||
              op == PW_OP_TABLE;
  if (op == PW_OP_TABLE && table_jumps(ck, node)) {
    has |= PW_HAS_HELD;
  }
  unsigned decides = op == PW_OP_SELECT ? ck->has.items[pw_node_arg(ck->dag, node, 0)]
                     : kink             ? has
                                        : 0;
  if ((decides & PW_HAS_U) != 0) {
    has |= PW_HAS_KINK_U | (op == PW_OP_SIGN ? PW_HAS_SIGN_U : 0u);
  }
  return has;
}

/* Operands have smaller numbers, so one pass upwards keeps the table complete. */
unsigned pw_has(pw_check *ck, pw_node node) {
  while (ck->has.n <= node) {
    unsigned short has = (unsigned short)contents(ck, ck->has.n);
    PW_PUSH(ck->arena, &ck->has, has);
  }
  return ck->has.items[node];
}

/* ---- the prime ---- */

static void count_node(void *payload, pw_node node) {
  (void)node;
  ++*(int64_t *)payload;
}

typedef struct rates {
  pw_check *ck;
  bool ok;
} rates;

static void need_rate(void *payload, pw_node node) {
  rates *r = payload;
  pw_dag *dag = r->ck->dag;
  if (pw_node_op(dag, node) == PW_OP_VAR && pw_var_kind(pw_node_var(dag, node)) == PW_VAR_Q) {
    int k = pw_signal_of(r->ck->m, pw_var_index(pw_node_var(dag, node)));
    r->ok = k < 0 || (pw_signal_rate(r->ck, k) && r->ok);
  }
}

/* Derivatives cost as much as what they differentiate: that counts against the limit. */
static bool spend_derivative(pw_check *ck, const pw_node *f, int n) {
  int64_t cost = 0;
  for (int i = 0; i < n; i++) {
    if (pw_node_op(ck->dag, f[i]) != PW_OP_VAR) {
      pw_dag_walk(ck->dag, &f[i], 1, count_node, &cost);
    }
  }
  return pw_spend(ck, n + cost);
}

bool pw_elab_rate(pw_check *ck, const pw_node *f, int n, pw_node *out) {
  if (!spend_derivative(ck, f, n)) {
    return false;
  }
  rates r = {ck, true};
  for (int i = 0; i < n && r.ok; i++) {
    if ((pw_has(ck, f[i]) & PW_HAS_STATE) != 0) {
      pw_dag_walk(ck->dag, &f[i], 1, need_rate, &r);
    }
  }
  if (!r.ok) {
    return false;
  }
  for (int i = 0; i < n && ck->m->spelled.n > 0; i++) {
    (void)pw_depends(ck->dag, f[i], pw_is_spelled, &ck->m->rate_of_spelled);
  }
  pw_time_derivative(ck->m, f, n, out);
  return true;
}

static bool may_prime(pw_check *ck, const pw_ex *ex, unsigned has) {
  pw_diag_ref d;
  if ((has & PW_HAS_RESULT) != 0) {
    d = pw_elab_error(ck, "E0111", ex->span, "forces, impulses and integrals have no `'`");
    pw_label(d, "known only at each instant, not as a function that can be differentiated");
    return false;
  }
  if ((has & PW_HAS_A) != 0) {
    d = pw_elab_error(ck, "E0111", ex->span, "a third derivative cannot be used");
    pw_label(d, "this is the rate of an acceleration");
    pw_note(d, "the laws of motion give accelerations; their rates jump whenever a force jumps");
    return false;
  }
  if ((has & PW_HAS_U) != 0 && (ck->site & PW_MAY_ACCEL) == 0) {
    d = pw_elab_error(ck, "E0111", ex->span, "an acceleration cannot be used here");
    pw_label(d, "the rate of something that contains velocities");
    pw_help(d, "accelerations may occur only in `output`, `plot`, `expect` and `event`");
    return false;
  }
  return true;
}

pw_val pw_elab_prime(pw_check *ck, const pw_ex *ex, pw_val val) {
  if ((val.kind == PW_V_FAMILY && val.each == 1) || val.kind == PW_V_MEMBERS) {
    val.primes++;
    return val;
  }
  if (val.kind == PW_V_ROTATION) {
    pw_diag_ref d = pw_elab_error(ck, "E0105", ex->span, "a rotation has no `'`");
    pw_label(d, "its rate is the angular velocity `.w` (space axes) or `.W` (body axes)");
    return PW_BAD_VAL;
  }
  if (val.kind != PW_V_SCALAR && val.kind != PW_V_VECTOR) {
    return pw_bad_kind(ck, ex->arg[0], val, "a number or a vector");
  }
  int n = val.kind == PW_V_SCALAR ? 1 : val.n;
  const pw_node *f = val.kind == PW_V_SCALAR ? &val.node : val.v;
  unsigned has = 0;
  for (int i = 0; i < n; i++) {
    has |= pw_has(ck, f[i]);
  }
  pw_node single;
  pw_node *out = n == 1 ? &single : PW_TAKE(ck->arena, n, pw_node);
  if (!may_prime(ck, ex, has) || !pw_elab_rate(ck, f, n, out)) {
    return PW_BAD_VAL;
  }
  return val.kind == PW_V_SCALAR ? pw_scalar_val(out[0]) : pw_vector_val(ck, out, n);
}

/* ---- names of variables ---- */

/* The DAG holds the angular velocity in body axes, tables show it in space axes. */
static const char *velocity_name(const pw_model *m, int i, const char *suffix) {
  if (i >= m->nv) {
    return "u?";
  }
  const pw_coord *c = &m->coords.items[0];
  for (int step = m->coords.n; c->u + (c->is_rotation ? 3 : 1) <= i;) {
    step = (step + 1) / 2; /* coordinates are sorted by their first velocity */
    const pw_coord *ahead = c + step;
    if (ahead < m->coords.items + m->coords.n && ahead->u <= i) {
      c = ahead;
    }
  }
  return c->is_rotation ? pw_intern_format(m->names, "%s.W[%d]%s", c->name, i - c->u + 1, suffix)
                        : pw_intern_format(m->names, "%s%s", m->u_name[i], suffix);
}

static const char *row_name(const pw_model *m, const char *fmt_open, int i) {
  return i < m->rows.n ? pw_intern_format(m->names, "%s(%s)", fmt_open, m->rows.items[i].name)
                       : fmt_open;
}

static const char *state_name(const pw_model *m, int k) {
  int row = pw_next_state(m, -1);
  for (; k > 0 && row >= 0; k--) {
    row = pw_next_state(m, row);
  }
  return row < 0 ? "q?" : row_name(m, "force", row);
}

const char *pw_model_var_name(const pw_model *model, int var) {
  int i = pw_var_index(var);
  switch (pw_var_kind(var)) {
  case PW_VAR_TIME: return "t";
  case PW_VAR_Q: return i < model->nq ? model->q_name[i] : state_name(model, i - model->nq);
  case PW_VAR_U: return velocity_name(model, i, "");
  case PW_VAR_A: return velocity_name(model, i, "'");
  case PW_VAR_FORCE: return row_name(model, "force", i);
  case PW_VAR_IMPULSE: return row_name(model, "impulse", i);
  case PW_VAR_QUAD:
    return i == PW_QUAD_ACTION ? "action"
           : i == PW_QUAD_LOST ? "energy.lost"
                               : pw_intern_format(model->names, "integral%d", i);
  case PW_VAR_PARAMETER: return model->parameters.items[i].name;
  case PW_VAR_MODE: return pw_intern_format(model->names, "mode[%d]", i + 1);
  case PW_VAR_KINK: return pw_intern_format(model->names, "kink[%d]", i + 1);
  case PW_VAR_CLASSES: break;
  }
  return "?";
}
