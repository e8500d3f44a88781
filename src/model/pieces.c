// SPDX-License-Identifier: MIT
/* Corners of one-sided constraints, potentials (P15). Where g falls with a node n = max(a, b), or
 * rises with n = min(a, b), in all states,
 *   g(n) = min(g(a), g(b)),
 * so that g >= 0 demands g(a) >= 0 and g(b) >= 0. Each piece is a row of its own, smooth where the
 * others meet it, and the normal cone of the admissible set in a corner is the cone of the
 * gradients of the pieces that vanish there (Glocker 1998, (2.3)). */
#include "model/pieces.h"

#include <math.h>

#include "model/choice_kinks.h"
#include "model/everywhere.h"
#include "model/meet.h"

enum { MOST_PIECES = 64, LINES = 100 };

typedef PW_LIST(pw_node) node_list;

typedef struct splitting {
  pw_check *ck;
  unsigned has;    /* PW_HAS_Q or PW_HAS_U: what a corner must depend on */
  node_list all;   /* pieces */
  node_list kinks; /* of the piece that is looked at, inner ones first */
} splitting;

static bool depends(const splitting *x, pw_node a) {
  return (pw_has(x->ck, a) & x->has) != 0;
}

/* The two values of |s|, max(a, b) or min(a, b). */
static void values_of(pw_dag *dag, pw_node kink, pw_node value[2]) {
  value[0] = pw_node_arg(dag, kink, 0);
  value[1] = pw_node_op(dag, kink) == PW_OP_ABS ? pw_neg(dag, value[0]) : pw_node_arg(dag, kink, 1);
}

static void collect(void *payload, pw_node node) {
  splitting *x = payload;
  pw_op op = pw_node_op(x->ck->dag, node);
  if (op != PW_OP_ABS && op != PW_OP_MIN && op != PW_OP_MAX) {
    return;
  }
  pw_node value[2];
  values_of(x->ck->dag, node, value);
  if (depends(x, pw_sub(x->ck->dag, value[0], value[1]))) {
    PW_PUSH(x->ck->arena, &x->kinks, node);
  }
}

/* dg/dn for a value of the kink n, which may be the kink itself. */
static pw_node slope_by(const splitting *x, pw_node g, pw_node kink, pw_node value) {
  pw_dag *dag = x->ck->dag;
  int var = pw_var_of(PW_VAR_KINK, x->ck->m->kinks.n);
  pw_node free = pw_var(dag, var), slope;
  pw_gradient(dag, pw_replaced(dag, g, kink, free), &var, 1, &slope);
  return pw_replaced(dag, slope, free, value);
}

/* The sign of dg/dn in all states; 0: it is not known, or changes. |s| is not negative. */
static int slope_everywhere(const splitting *x, pw_node g, pw_node kink) {
  pw_dag *dag = x->ck->dag;
  pw_node free = pw_var(dag, pw_var_of(PW_VAR_KINK, x->ck->m->kinks.n));
  bool size = pw_node_op(dag, kink) == PW_OP_ABS;
  pw_node slope = slope_by(x, g, kink, size ? pw_apply1(dag, PW_OP_ABS, free) : free);
  double lo, hi;
  pw_enclose_everywhere(x->ck, slope, &lo, &hi);
  return lo >= 0 ? 1 : hi <= 0 ? -1 : 0;
}

/* abs(x) <= 1 has its kink inside: no corner of the admissible set. */
static bool meets_boundary(const splitting *x, pw_node g, pw_node kink) {
  if (pw_node_op(x->ck->dag, kink) != PW_OP_ABS) {
    return true;
  }
  double lo, hi;
  pw_node zero = pw_const(x->ck->dag, 0);
  pw_enclose_everywhere(x->ck, pw_replaced(x->ck->dag, g, kink, zero), &lo, &hi);
  return !(lo > 0) && !(hi < 0);
}

/* Whether g is the smaller of two others, one for each value of the kink. */
static bool opens(const splitting *x, pw_node g, pw_node kink, pw_node part[2]) {
  pw_dag *dag = x->ck->dag;
  int wanted = pw_node_op(dag, kink) == PW_OP_MIN ? 1 : -1;
  if (slope_everywhere(x, g, kink) != wanted || !meets_boundary(x, g, kink)) {
    return false;
  }
  pw_node value[2];
  values_of(dag, kink, value);
  for (int i = 0; i < 2; i++) {
    part[i] = pw_replaced(dag, g, kink, value[i]);
  }
  return depends(x, part[0]) && depends(x, part[1]);
}

static bool is_known(const splitting *x, pw_node piece) {
  for (int i = 0; i < x->all.n; i++) {
    if (x->all.items[i] == piece) {
      return true;
    }
  }
  return false;
}

/* Piece i as two, the second one behind it. */
static void replace(splitting *x, int i, const pw_node part[2]) {
  x->all.items[i] = part[0];
  if (is_known(x, part[1])) {
    return;
  }
  PW_PUSH(x->ck->arena, &x->all, part[1]);
  for (int k = x->all.n - 1; k > i + 1; k--) {
    x->all.items[k] = x->all.items[k - 1];
  }
  x->all.items[i + 1] = part[1];
}

/* False: piece i has no corner that opens. */
static bool split_piece(splitting *x, int i) {
  pw_node g = x->all.items[i], part[2];
  x->kinks.n = 0;
  pw_dag_walk(x->ck->dag, &g, 1, collect, x);
  for (int k = x->kinks.n - 1; k >= 0; k--) {
    if (opens(x, g, x->kinks.items[k], part)) {
      replace(x, i, part);
      return true;
    }
  }
  return false;
}

/* The sign of dg/dn where lines meet the kink; 0: it changes, or they do not meet it. */
static int slope_at_kink(const splitting *x, pw_node g, pw_node kink) {
  pw_dag *dag = x->ck->dag;
  pw_node value[2];
  values_of(dag, kink, value);
  pw_node s = pw_in_numbers(x->ck, pw_sub(dag, value[0], value[1]));
  pw_node slope = pw_in_numbers(x->ck, slope_by(x, g, kink, kink));
  int rises = 0, falls = 0;
  for (uint64_t seed = 1; seed <= LINES; seed++) {
    double at = pw_line_crossing(dag, s, seed);
    double by = isnan(at) ? 0 : pw_line_at(dag, slope, seed, at);
    rises += by > 0;
    falls += by < 0;
  }
  return rises > 0 && falls > 0 ? 0 : (rises > 0) - (falls > 0);
}

const char *pw_reentrant_kink(pw_check *ck, pw_node g, unsigned has) {
  splitting x = {.ck = ck, .has = has};
  pw_dag_walk(ck->dag, &g, 1, collect, &x);
  for (int k = 0; k < x.kinks.n; k++) {
    pw_node kink = x.kinks.items[k];
    pw_op op = pw_node_op(ck->dag, kink);
    if (slope_everywhere(&x, g, kink) == 0 && meets_boundary(&x, g, kink) &&
        slope_at_kink(&x, g, kink) == (op == PW_OP_MIN ? -1 : 1)) {
      return op == PW_OP_MIN ? "min" : op == PW_OP_MAX ? "max" : "abs";
    }
  }
  return NULL;
}

static bool refuse(pw_check *ck, const char *what, const char *label, const char *help) {
  pw_diag_ref d = pw_error(ck->diags, "E0219", ck->stmt->u.law.rel.span, "%s", what);
  pw_label(d, "%s", label);
  pw_help(d, "%s", help);
  return false;
}

bool pw_constraint_pieces(pw_check *ck, const char *name, pw_val *value) {
  for (int c = 0; c < value->n; c++) {
    unsigned has = (pw_has(ck, value->v[c]) & PW_HAS_U) != 0 ? PW_HAS_U : PW_HAS_Q;
    splitting x = {.ck = ck, .has = has};
    pw_choices choices = {.ck = ck, .has = has};
    PW_PUSH(ck->arena, &x.all, pw_choices_open(&choices, value->v[c]));
    for (int i = 0; i < x.all.n; i++) {
      while (x.all.n <= MOST_PIECES && split_piece(&x, i)) {
      }
    }
    if (x.all.n > MOST_PIECES || !pw_spend(ck, x.all.n)) {
      return refuse(ck, pw_format_text(ck, "`%s` has too many corners", name),
                    "it is the meeting of more than 64 smooth ones",
                    "write the faces that can be reached as constraints of their own");
    }
    if (x.all.n > 1 && value->n > 1) {
      return refuse(ck, pw_format_text(ck, "a component of `%s` has corners", name),
                    "its pieces would be numbered as components",
                    "write it as a constraint of its own");
    }
    if (x.all.n > 1) {
      *value = (pw_val){.kind = PW_V_VECTOR, .n = x.all.n, .v = x.all.items};
      return true;
    }
  }
  return true;
}
