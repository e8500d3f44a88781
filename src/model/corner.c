// SPDX-License-Identifier: MIT
/* Re-entrant corners: where max(a, b) >= 0 is demanded, one of two conditions is enough, and the
 * admissible set has a corner that points into it. There the tangent cone is not convex, so that
 * neither impacts nor accelerations have a unique solution. min(a, b) >= 0 demands both. */
#include <math.h>
#include <stdint.h>

#include "law/scale_model.h"
#include "model/choice_kinks.h"
#include "model/hidden.h"
#include "model/law_rows.h"
#include "model/meet.h"
#include "model/pieces.h"

typedef struct walk {
  pw_check *ck;
  unsigned has; /* PW_HAS_Q or PW_HAS_U: what the corner must depend on */
  int depth;
  int64_t left; /* nodes still to be looked at; a graph has more paths than can be followed */
  const char *found;
} walk;

static bool depends(const walk *w, pw_node a) {
  return (pw_has(w->ck, a) & w->has) != 0;
}

/* +1 or -1 if the function rises or falls in its operand everywhere, else 0. */
static int slope(pw_op op) {
  switch (op) {
  case PW_OP_NEG: return -1;
  case PW_OP_SQRT:
  case PW_OP_EXP:
  case PW_OP_LOG:
  case PW_OP_ATAN:
  case PW_OP_SINH:
  case PW_OP_TANH:
  case PW_OP_ASIN: return 1;
  default: return 0;
  }
}

static int sign_of(double x) {
  return (x > 0) - (x < 0);
}

/* Operand i of a product or quotient with a constant. */
static int factor(const pw_dag *dag, pw_node a, int i) {
  pw_node other = pw_node_arg(dag, a, 1 - i);
  bool scales = pw_is_const(dag, other) && (pw_node_op(dag, a) == PW_OP_MUL || i == 0);
  return scales ? sign_of(pw_node_value(dag, other)) : 0;
}

/* ---- corners written with `if` ---- */

enum { LINES = 100, CROSSINGS = 12 };

/* The corner of if(c, a, b) where its pieces meet on c = 0: +1 if it takes the larger of them on
 * both sides, like max, -1 the smaller; 0: no corner here. */
static int corner_at(pw_dag *dag, pw_node c, pw_node more, uint64_t seed, double x) {
  pw_line_values m = pw_line_around(dag, more, seed, x), side = pw_line_around(dag, c, seed, x);
  int l = sign_of(m.left) * sign_of(side.left), r = sign_of(m.right) * sign_of(side.right);
  bool meets = fabs(m.here) < PW_SCALE(LINE_VANISHES) * fmin(fabs(m.left), fabs(m.right));
  return meets && l == r ? l : 0;
}

static bool has_corner(pw_dag *dag, pw_node c, pw_node a, pw_node b, int sign) {
  pw_node more = pw_sub(dag, a, b);
  int crossings = 0;
  for (uint64_t seed = 1; seed <= LINES && crossings < CROSSINGS; seed++) {
    double x = pw_line_crossing(dag, c, seed);
    crossings += !isnan(x);
    if (!isnan(x) && corner_at(dag, c, more, seed, x) == sign) {
      return true;
    }
  }
  return false;
}

/* `sign`: of the derivative of the whole by this part. `alone`: everything else in it is constant,
 * and then the edge of an absolute value does not lie on the boundary. */
static void look(walk *w, pw_node a, int sign, bool alone) {
  const pw_dag *dag = w->ck->dag;
  if (sign == 0 || w->found != NULL || !depends(w, a) || w->left-- <= 0 ||
      w->depth >= PW_MAX_DEPTH) {
    return;
  }
  w->depth++;

  /* The chain rule: an operand gets the sign of the whole times that of its own derivative. */
  pw_op op = pw_node_op(dag, a);
  pw_node x = op <= PW_OP_VAR ? -1 : pw_node_arg(dag, a, 0);
  switch (op) {
  case PW_OP_CONST:
  case PW_OP_VAR: break;
  /* A summand is alone if the other one is constant. */
  case PW_OP_ADD:
  case PW_OP_SUB: {
    pw_node y = pw_node_arg(dag, a, 1);
    look(w, x, sign, alone && !depends(w, y));
    look(w, y, op == PW_OP_SUB ? -sign : sign, alone && !depends(w, x));
    break;
  }
  /* Only a constant factor has a known sign. */
  case PW_OP_MUL:
  case PW_OP_DIV:
    look(w, x, sign * factor(dag, a, 0), alone);
    look(w, pw_node_arg(dag, a, 1), sign * factor(dag, a, 1), alone);
    break;
  /* max taken with + is re-entrant, and so is min taken with -. */
  case PW_OP_MIN:
  case PW_OP_MAX:
    if ((op == PW_OP_MAX) == (sign > 0)) {
      w->found = op == PW_OP_MAX ? "max" : "min";
    }
    look(w, x, sign, false);
    look(w, pw_node_arg(dag, a, 1), sign, false);
    break;
  /* `if` takes the larger or the smaller of two pieces that meet, like max or min. */
  case PW_OP_SELECT: {
    pw_node a_part = pw_node_arg(dag, a, 1);
    pw_node b_part = pw_node_arg(dag, a, 2);
    if (depends(w, x) && has_corner(w->ck->dag, x, a_part, b_part, sign)) {
      w->found = "if";
    }
    look(w, a_part, sign, false);
    look(w, b_part, sign, false);
    break;
  }
  /* |x| = max(x, -x). */
  case PW_OP_ABS:
    if (sign > 0 && !alone) {
      w->found = "abs";
    }
    break;
  default: look(w, x, sign * slope(op), alone); break;
  }
  w->depth--;
}

/* A kink that shows in no operator is no row, whether it points in or out. */
static bool refuse_hidden(pw_check *ck, const char *name, pw_hidden_kink kink) {
  pw_diag_ref d = pw_error(ck->diags, "E0219", ck->stmt->u.law.rel.span, "`%s` has a %s corner",
                           name, kink.rise > 0 ? "re-entrant" : "hidden");
  pw_label(d, "the operand of `%s` touches the edge of its domain, and the slope jumps there",
           kink.word);
  pw_help(d, kink.rise > 0
                 ? "if it is the edge of an obstacle, round it"
                 : "write the corner with `abs` or `max`: `abs(sin(x))` for `sqrt(1 - cos(x)^2)`");
  return false;
}

bool pw_check_corner(pw_check *ck, const char *name, pw_node value, bool on_velocity) {
  unsigned has = on_velocity ? PW_HAS_U : PW_HAS_Q;
  pw_choices choices = {.ck = ck, .has = has};
  walk w = {.ck = ck, .left = 100000, .has = has};
  look(&w, value, 1, true);
  if (w.found == NULL) {
    pw_node opened = pw_choices_open(&choices, value);
    look(&w, opened, 1, true);
    w.found = w.found != NULL ? w.found : pw_reentrant_kink(ck, opened, has);
  }
  if (w.found == NULL) {
    pw_hidden_kink hidden = pw_find_hidden_kink(ck, value, has);
    return hidden.rise == 0 || refuse_hidden(ck, name, hidden);
  }
  pw_diag_ref d =
      pw_error(ck->diags, "E0219", ck->stmt->u.law.rel.span, "`%s` has a re-entrant corner", name);
  pw_label(d, "`%s` makes one of two conditions enough; at its edge no force is determined",
           w.found);
  pw_help(d, "if both have to hold, write them as two constraints; if it is the edge of an "
             "obstacle, round it");
  return false;
}
