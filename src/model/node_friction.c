// SPDX-License-Identifier: MIT
/* Dry friction on a coordinate n without inertia. With the slip s = a n' + b, the force f of
 * everything else on n and that of the friction, lambda, the balance is f + a lambda = 0 and
 * lambda in -F Sgn(s).
 *
 * A damper acts on n too, f = f0 - c n' (Bingham), engineering (E6): the friction holds as long as
 * it can, lambda = -(f0 + c b/a)/a cut off at -F and F, and n' = (f0 + a lambda)/c.
 *
 * Springs alone, f(q, t) (Jenkins), engineering (E7): the force p = -f/a of the friction that holds
 * changes with n' = -b/a. At the bound, where this would carry it on, the friction slides such that
 * p stays there. The share p/F is a state that goes on by a very small part, so that rounding does
 * not decide whether the friction slides. */
#include <math.h>

#include "law/scale_model.h"
#include "model/massless.h"
#include "model/signal.h"

typedef struct node_laws {
  pw_check *ck;
  const pw_massless *x;
  pw_row *row;
  pw_node a, b, F; /* slip a n' + b; bound */
} node_laws;

static pw_node replace(void *payload, pw_dag *dag, pw_node node, const pw_node *arg) {
  const pw_node *pair = payload;
  (void)dag;
  (void)arg;
  return node == pair[0] ? pair[1] : -1;
}

/* f with the rate of the node replaced. */
static pw_node with_rate(const node_laws *k, pw_node f, pw_node rate) {
  pw_node pair[2] = {pw_var(k->ck->dag, k->x->u), rate}, out;
  pw_rewrite(k->ck->dag, &f, 1, replace, pair, &out);
  return out;
}

static bool is_rate(void *payload, int var) {
  return var == *(const int *)payload;
}

static bool has_rate(const node_laws *k, pw_node f) {
  int u = k->x->u;
  return pw_depends(k->ck->dag, f, is_rate, &u);
}

/* slip = s: an equality whose force acts along the gradient of the slip alone. */
static bool impose(const node_laws *k, pw_node s) {
  pw_check *ck = k->ck;
  pw_row *row = k->row;
  int *var = PW_TAKE(ck->arena, ck->m->nv, int);
  row->clause.by = PW_TAKE(ck->arena, ck->m->nv, pw_node);
  for (int i = 0; i < ck->m->nv; i++) {
    var[i] = pw_var_of(PW_VAR_U, i);
  }
  pw_gradient(ck->dag, row->value, var, ck->m->nv, row->clause.by);
  row->value = pw_sub(ck->dag, row->value, s);
  row->kind = PW_KIND_SERIES;
  row->clause.bound = -1;
  row->is_balance = true;
  return pw_weigh_massless(ck, k->x, row->value);
}

/* engineering (E6) */
static bool with_damper(const node_laws *k, pw_node f, pw_node c) {
  pw_dag *dag = k->ck->dag;
  pw_node f0 = with_rate(k, f, pw_const(dag, 0));
  pw_node held = pw_div(dag, pw_mul(dag, c, k->b), k->a);
  held = pw_add(dag, f0, held);
  held = pw_neg(dag, pw_div(dag, held, k->a));

  pw_node force = pw_apply2(dag, PW_OP_MIN, k->F, held);
  force = pw_apply2(dag, PW_OP_MAX, pw_neg(dag, k->F), force);
  pw_node rate = pw_add(dag, f0, pw_mul(dag, k->a, force));
  rate = pw_div(dag, rate, c);
  return impose(k, pw_add(dag, pw_mul(dag, k->a, rate), k->b));
}

/* ---- springs alone ---- */

/* a where the share is at the bound of this side and would go beyond, else b */
static pw_node at_bound(const node_laws *k, pw_node share, double side, pw_node beyond, pw_node a,
                        pw_node b) {
  pw_dag *dag = k->ck->dag;
  pw_node past = pw_mul(dag, pw_const(dag, side), share);
  past = pw_sub(dag, past, pw_const(dag, 1));
  pw_node slides = pw_select(dag, pw_neg(dag, beyond), b, a);
  return pw_select(dag, past, slides, b);
}

static double start_of(void *payload, int var) {
  const pw_model *m = payload;
  int i = pw_var_index(var);
  switch (pw_var_kind(var)) {
  case PW_VAR_Q: return m->q_start[i].value;
  case PW_VAR_TIME: return m->run.from;
  case PW_VAR_PARAMETER: return m->parameters.items[i].value;
  default: return (double)NAN;
  }
}

static bool is_guess(void *payload, int var) {
  const pw_model *m = payload;
  return pw_var_kind(var) == PW_VAR_Q && m->q_start[pw_var_index(var)].mode == PW_GUESS;
}

/* What the springs ask of the friction at the start has to be within its bound. */
static void check_start(const node_laws *k, double force, double bound) {
  if (bound > 0 && fabs(force) <= bound) {
    return;
  }
  pw_diag_ref d = pw_error(k->ck->diags, "E0302", k->row->span,
                           "the friction `%s` cannot hold at the start", k->row->name);
  pw_label(d, "the other forces ask for %s, its bound is %s", pw_format_real(k->ck, -force),
           pw_format_real(k->ck, bound));
  pw_help(d, "a coordinate without inertia cannot be out of balance: start it where the springs "
             "pull less");
}

/* The share of the bound as a state that starts with what the springs ask for. */
static int add_share(const node_laws *k, pw_node held) {
  pw_check *ck = k->ck;
  pw_model *m = ck->m;
  double force = pw_eval(ck->dag, held, start_of, m);
  double bound = pw_eval(ck->dag, k->F, start_of, m);
  check_start(k, force, bound);
  const char *name = pw_intern_format(ck->names, "%s.share", k->row->name);
  int signal = pw_add_signal(ck, (pw_name){name, k->row->span}, PW_SIGNAL_STATE, 1);
  pw_start_signal(ck, signal, force / bound, k->row->span);
  m->signals.items[signal].stmt = k->row->stmt;
  m->signals.items[signal].known = true;
  pw_adopt_names(ck);
  return signal;
}

/* engineering (E7) */
static bool with_springs(const node_laws *k, pw_node f) {
  pw_check *ck = k->ck;
  pw_dag *dag = ck->dag;
  unsigned has = pw_has(ck, f) | pw_has(ck, k->F) | pw_has(ck, k->a);
  pw_node held = pw_neg(dag, pw_div(dag, f, k->a)), stiff = pw_slope(ck, held, k->x->q);
  stiff = pw_mul(dag, k->a, stiff);
  bool weak = pw_is_const(dag, stiff) && !(pw_node_value(dag, stiff) > 0);
  if ((has & (PW_HAS_U | PW_HAS_HELD)) != 0 || weak || pw_depends(dag, held, is_guess, ck->m)) {
    return false;
  }
  int signal = add_share(k, held);
  pw_node share = pw_signal_slot(ck, signal, 0);

  /* rates while it holds, n' = -b/a, and how far they go beyond those of the bounds */
  pw_node rates[2], of[2] = {held, k->F}, still = pw_neg(dag, pw_div(dag, k->b, k->a));
  pw_time_derivative(ck->m, of, 2, rates);
  pw_node rise = with_rate(k, rates[0], still), widen = with_rate(k, rates[1], still);
  pw_node above = pw_sub(dag, rise, widen), below = pw_add(dag, rise, widen);
  pw_node under = pw_neg(dag, below);

  /* the slip that takes this back: a^2 over the stiffness of the node, which has to be positive */
  pw_node root = pw_apply1(dag, PW_OP_SQRT, stiff), give = pw_div(dag, k->a, root);
  give = pw_neg(dag, pw_mul(dag, give, give));
  pw_node zero = pw_const(dag, 0);
  pw_node up = pw_mul(dag, give, above), down = pw_mul(dag, give, below);
  pw_node slip = at_bound(k, share, -1, under, down, zero);
  slip = at_bound(k, share, 1, above, up, slip);

  /* F share' = p' - share F' */
  pw_node part = pw_const(dag, PW_SCALE(NODE_SLIDES));
  pw_node holds = pw_sub(dag, rise, pw_mul(dag, share, widen));
  pw_node to_top = pw_mul(dag, part, above), to_bottom = pw_mul(dag, part, below);
  pw_node rate = at_bound(k, share, -1, under, to_bottom, holds);
  rate = at_bound(k, share, 1, above, to_top, rate);
  ck->m->signals.items[signal].value = pw_div(dag, rate, k->F);
  return impose(k, slip);
}

bool pw_node_friction(pw_check *ck, const pw_massless *x, pw_node balance) {
  pw_dag *dag = ck->dag;
  node_laws k = {ck, x, &ck->m->rows.items[x->friction], -1, -1, -1};
  const pw_clauses *clause = &k.row->clause;
  bool plain = k.row->kind == PW_KIND_FRICTION && k.row->count == 1 && clause->bound >= 0 &&
               clause->on < 0 && clause->n_load == 0 && clause->static_bound < 0;
  if (!plain) {
    return false;
  }
  k.a = pw_slope(ck, k.row->value, x->u);
  k.b = with_rate(&k, k.row->value, pw_const(dag, 0));
  k.F = clause->bound;
  pw_node f = pw_neg(dag, balance), c = pw_slope(ck, balance, x->u);
  bool linear = !has_rate(&k, k.a) && !has_rate(&k, k.F) && !has_rate(&k, c);
  if (pw_is_value(dag, k.a, 0) || !linear) {
    return false;
  }
  return pw_is_value(dag, c, 0) ? with_springs(&k, f) : with_damper(&k, f, c);
}
