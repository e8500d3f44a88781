// SPDX-License-Identifier: MIT
/* potentials (P5): where the pieces of if(s >= 0, p, q) meet on s = 0, their gradients differ along
 * that of s, grad p - grad q = r grad s, and
 *   if(s >= 0, p, q) = (p + q)/2 + if(s >= 0, d, -d) + r |s|/2,     d = (p - q - r s)/2.
 * The gradient of the choice that is left vanishes on s = 0, so that |s| is its only kink. */
#include "model/choice_kinks.h"

#include <math.h>

#include "law/scale_model.h"
#include "model/meet.h"

enum { LINES = 100, CROSSINGS = 12 };

static pw_node number_of(void *payload, pw_dag *dag, pw_node node, const pw_node *arg) {
  const pw_model *m = payload;
  (void)arg;
  bool parameter =
      pw_node_op(dag, node) == PW_OP_VAR && pw_var_kind(pw_node_var(dag, node)) == PW_VAR_PARAMETER;
  int i = parameter ? pw_var_index(pw_node_var(dag, node)) : 0;
  return parameter && i < m->parameters.n ? pw_const(dag, m->parameters.items[i].value) : -1;
}

pw_node pw_in_numbers(pw_check *ck, pw_node a) {
  pw_node out = a;
  if (ck->symbols) {
    pw_rewrite(ck->dag, &a, 1, number_of, ck->m, &out);
  }
  return out;
}

bool pw_line_vanishes(pw_dag *dag, pw_node a, uint64_t seed, double x) {
  pw_line_values v = pw_line_around(dag, a, seed, x);
  return !(fabs(v.here) > PW_SCALE(LINE_VANISHES) * fmax(fabs(v.left), fabs(v.right)));
}

int pw_vanish_on(pw_dag *dag, pw_node s, const pw_node *a, int n, bool *vanishes) {
  int crossings = 0;
  for (int i = 0; i < n; i++) {
    vanishes[i] = true;
  }
  for (uint64_t seed = 1; seed <= LINES && crossings < CROSSINGS; seed++) {
    double at = pw_line_crossing(dag, s, seed);
    if (isnan(at)) {
      continue;
    }
    crossings++;
    for (int i = 0; i < n; i++) {
      vanishes[i] = vanishes[i] && pw_line_vanishes(dag, a[i], seed, at);
    }
  }
  return crossings;
}

static void collect(void *payload, pw_node node) {
  pw_var_list *list = payload;
  pw_dag *dag = list->ck->dag;
  if (pw_node_op(dag, node) == PW_OP_VAR && pw_var_kind(pw_node_var(dag, node)) == list->class) {
    PW_PUSH(list->ck->arena, &list->var, pw_node_var(dag, node));
  }
}

pw_var_list pw_vars_in(pw_check *ck, pw_node f, pw_var_class class) {
  pw_var_list list = {.ck = ck, .class = class};
  pw_dag_walk(ck->dag, &f, 1, collect, &list);
  return list;
}

typedef struct swap {
  pw_node old, new;
} swap;

static pw_node put(void *payload, pw_dag *dag, pw_node node, const pw_node *arg) {
  const swap *s = payload;
  (void)dag, (void)arg;
  return node == s->old ? s->new : -1;
}

pw_node pw_replaced(pw_dag *dag, pw_node a, pw_node old, pw_node new) {
  swap s = {old, new};
  pw_node out;
  pw_rewrite(dag, &a, 1, put, &s, &out);
  return out;
}

/* ---- one choice ---- */

/* r = (grad p - grad q).grad s / |grad s|^2 */
static pw_node rise_of(const pw_choices *x, pw_node s, pw_node more) {
  pw_dag *dag = x->ck->dag;
  pw_var_list list = pw_vars_in(x->ck, s, x->has == PW_HAS_Q ? PW_VAR_Q : PW_VAR_U);
  int n = list.var.n;
  pw_node *by_s = PW_TAKE(x->ck->arena, n + 1, pw_node);
  pw_node *by_more = PW_TAKE(x->ck->arena, n + 1, pw_node);
  pw_gradient(dag, s, list.var.items, n, by_s);
  pw_gradient(dag, more, list.var.items, n, by_more);
  pw_node along = pw_dot_nodes(dag, by_more, by_s, n);
  pw_node square = pw_dot_nodes(dag, by_s, by_s, n);
  return pw_div(dag, along, square);
}

/* A choice whose pieces do not meet is a jump, and one with a rise that vanishes is smooth: both
 * are left to the switching surfaces. */
static bool has_kink(const pw_choices *x, pw_node cond, pw_node difference, pw_node slope) {
  pw_dag *dag = x->ck->dag;
  pw_node s = pw_in_numbers(x->ck, cond), more = pw_in_numbers(x->ck, difference);
  pw_node rise = pw_in_numbers(x->ck, slope);
  bool vanishes[2];
  int crossings = pw_vanish_on(dag, s, (pw_node[]){rise, more}, 2, vanishes);
  bool flat = vanishes[0], meets = vanishes[1];
  return crossings > 0 && !flat && meets;
}

/* The difference of two expressions is rounding on all lines. */
static bool is_same(const pw_choices *x, pw_node a, pw_node b) {
  pw_dag *dag = x->ck->dag;
  pw_node one = pw_in_numbers(x->ck, a), other = pw_in_numbers(x->ck, b);
  bool same = true;
  for (uint64_t seed = 1; seed <= CROSSINGS && same; seed++) {
    double u = pw_line_at(dag, one, seed, 0), v = pw_line_at(dag, other, seed, 0);
    same = fabs(u - v) <= PW_SCALE(LINE_SAME) * (fabs(u) + fabs(v));
  }
  return same;
}

/* if(s >= 0, p, q) with |s| for its kink; -1: it has none. */
static pw_node open_choice(pw_choices *x, pw_node s, pw_node p, pw_node q) {
  pw_dag *dag = x->ck->dag;
  pw_node more = pw_sub(dag, p, q);
  if ((pw_has(x->ck, s) & x->has) == 0) {
    return -1;
  }
  pw_node rise = rise_of(x, s, more);
  if (!has_kink(x, s, more, rise)) {
    return -1;
  }
  pw_node half = pw_const(dag, 0.5), along = pw_mul(dag, rise, s),
          size = pw_apply1(dag, PW_OP_ABS, s);
  pw_node d = pw_mul(dag, half, pw_sub(dag, more, along)),
          mean = pw_mul(dag, half, pw_add(dag, p, q));
  pw_node kink = pw_mul(dag, pw_mul(dag, half, rise), size), out = pw_add(dag, mean, kink);
  PW_PUSH(x->ck->arena, &x->kinks, size);
  return is_same(x, more, along) ? out : pw_add(dag, out, pw_select(dag, s, d, pw_neg(dag, d)));
}

/* ---- factors that jump ---- */

typedef struct jumps {
  const pw_choices *x;
  PW_LIST(pw_node) all;
} jumps;

static void collect_jump(void *payload, pw_node node) {
  jumps *list = payload;
  pw_dag *dag = list->x->ck->dag;
  pw_op op = pw_node_op(dag, node);
  bool chooses = op == PW_OP_SIGN || op == PW_OP_SELECT;
  if (chooses && (pw_has(list->x->ck, pw_node_arg(dag, node, 0)) & list->x->has) != 0) {
    PW_PUSH(list->x->ck->arena, &list->all, node);
  }
}

/* A product is continuous where its other factors vanish with the jump: f if(s >= 0, a, b) =
 * if(s >= 0, f a, f b), and sign(s) is if(s >= 0, 1, -1) but on s = 0, where f vanishes. */
static pw_node open_product(pw_choices *x, pw_node product) {
  pw_dag *dag = x->ck->dag;
  jumps list = {.x = x};
  pw_dag_walk(dag, &product, 1, collect_jump, &list);
  for (int i = 0; i < list.all.n; i++) {
    pw_node jump = list.all.items[i];
    bool sign = pw_node_op(dag, jump) == PW_OP_SIGN;
    pw_node one = pw_const(dag, 1);
    pw_node a = sign ? one : pw_node_arg(dag, jump, 1);
    pw_node b = sign ? pw_neg(dag, one) : pw_node_arg(dag, jump, 2);
    pw_node out = open_choice(x, pw_node_arg(dag, jump, 0), pw_replaced(dag, product, jump, a),
                              pw_replaced(dag, product, jump, b));
    if (out >= 0) {
      return out;
    }
  }
  return -1;
}

static pw_node open(void *payload, pw_dag *dag, pw_node node, const pw_node *arg) {
  pw_choices *x = payload;
  pw_op op = pw_node_op(dag, node);
  if (op == PW_OP_MUL || op == PW_OP_DIV) {
    return open_product(x, pw_apply2(dag, op, arg[0], arg[1]));
  }
  if (op != PW_OP_SELECT) {
    return -1;
  }
  /* The condition stays as it is: other choices may have the same. */
  pw_node s = pw_node_arg(dag, node, 0), opened = open_choice(x, s, arg[1], arg[2]);
  return opened >= 0 ? opened : pw_select(dag, s, arg[1], arg[2]);
}

pw_node pw_choices_open(pw_choices *x, pw_node energy) {
  pw_node out;
  pw_rewrite(x->ck->dag, &energy, 1, open, x, &out);
  return out;
}

bool pw_choices_made(const pw_choices *x, pw_node node) {
  for (int i = 0; i < x->kinks.n; i++) {
    if (x->kinks.items[i] == node) {
      return true;
    }
  }
  return false;
}
