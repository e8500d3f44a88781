// SPDX-License-Identifier: MIT
/* Kinks that no abs, max or if shows: sqrt(h), h^p, log(h), and asin or acos of c with h = 1 - c^2,
 * where h touches zero and does not pass it, as in sqrt(1 - cos(x)^2) = |sin(x)|. Along a line
 * through a kink of f the second differences shrink with the step d, elsewhere with its square:
 *   f(x + d) - 2 f(x) + f(x - d) = r d + O(d^2). */
#include "model/hidden.h"

#include <math.h>
#include <stdint.h>

#include "law/scale_model.h"
#include "model/choice_kinks.h"
#include "model/meet.h"
#include "model/tip.h"

enum { LINES = 40, FIRST = 12, SCANNED = 64, NARROWED = 80, ENOUGH = 3 };

typedef struct suspects {
  pw_check *ck;
  unsigned has;
  PW_LIST(pw_hidden_kink) all;
  PW_LIST(pw_node) edge; /* h of each */
} suspects;

static void collect(void *payload, pw_node node) {
  suspects *x = payload;
  pw_dag *dag = x->ck->dag;
  pw_op op = pw_node_op(dag, node);
  bool edge = op == PW_OP_SQRT || op == PW_OP_POW || op == PW_OP_LOG;
  bool arc = op == PW_OP_ASIN || op == PW_OP_ACOS;
  pw_tip tip;
  if ((!edge && !arc) || (pw_has(x->ck, node) & x->has) == 0 ||
      pw_tip_of(x->ck, x->has, node, &tip)) {
    return;
  }
  pw_node h = pw_node_arg(dag, node, 0);
  if (arc) {
    h = pw_sub(dag, pw_const(dag, 1), pw_mul(dag, h, h));
  }
  static const char *const word[PW_OP_COUNT] = {[PW_OP_SQRT] = "sqrt",
                                                [PW_OP_POW] = "^",
                                                [PW_OP_LOG] = "log",
                                                [PW_OP_ASIN] = "asin",
                                                [PW_OP_ACOS] = "acos"};
  pw_hidden_kink kink = {.word = word[op]};
  PW_PUSH(x->ck->arena, &x->all, kink);
  PW_PUSH(x->ck->arena, &x->edge, pw_in_numbers(x->ck, h));
}

/* Where h has a least value between two others on a line; NAN: nowhere, or it is negative. A square
 * that touches zero is below (2/SCANNED)^2 of its curvature at one of the points. */
static double valley(pw_dag *dag, pw_node h, uint64_t seed) {
  int least = -1;
  double value[SCANNED + 1], most = 0;
  for (int i = 0; i <= SCANNED; i++) {
    value[i] = pw_line_at(dag, h, seed, (double)i / SCANNED);
    if (!(value[i] >= 0)) {
      return NAN;
    }
    most = fmax(most, value[i]);
    least = i == 0 || i == SCANNED || (least > 0 && value[least] <= value[i]) ? least : i;
  }
  if (least < 1 || value[least] > value[least - 1] || value[least] > value[least + 1] ||
      value[least] * SCANNED > most) {
    return NAN;
  }
  double lo = (least - 1.0) / SCANNED, hi = (least + 1.0) / SCANNED;
  for (int k = 0; k < NARROWED; k++) { /* in three parts */
    double a = lo + (hi - lo) / 3, b = hi - (hi - lo) / 3;
    bool left = pw_line_at(dag, h, seed, a) < pw_line_at(dag, h, seed, b);
    *(left ? &hi : &lo) = left ? b : a;
  }
  return (lo + hi) / 2;
}

static double second_difference(pw_dag *dag, pw_node f, uint64_t seed, double x, double d) {
  return pw_line_at(dag, f, seed, x + d) + pw_line_at(dag, f, seed, x - d) -
         2 * pw_line_at(dag, f, seed, x);
}

/* By how much the slope of f rises at x, as a sign; 0: no kink. */
static int rise_at(pw_dag *dag, pw_node f, uint64_t seed, double x) {
  double d = PW_SCALE(LINE_BESIDE) * fmin(x, 1 - x);
  double near = second_difference(dag, f, seed, x, d);
  double far = second_difference(dag, f, seed, x, 2 * d);
  double size = fabs(pw_line_at(dag, f, seed, x)) + fabs(pw_line_at(dag, f, seed, x + d));
  bool seen = fabs(near) > PW_SCALE(LINE_SAME) * size;
  double order = log2(fabs(far) / fabs(near));
  return !seen || !(fabs(order - 1) < PW_SCALE(KINK_ORDER)) ? 0 : near > 0 ? 1 : -1;
}

static int hidden_rise(pw_dag *dag, pw_node f, pw_node h) {
  int rises = 0, falls = 0;
  for (uint64_t seed = 1; seed <= (rises + falls > 0 ? LINES : FIRST); seed++) {
    double x = valley(dag, h, seed);
    if (!isnan(x) && pw_line_vanishes(dag, h, seed, x)) {
      int rise = rise_at(dag, f, seed, x);
      rises += rise > 0;
      falls += rise < 0;
    }
  }
  return rises + falls < ENOUGH ? 0 : rises >= falls ? 1 : -1;
}

pw_hidden_kink pw_find_hidden_kink(pw_check *ck, pw_node f, unsigned has) {
  suspects x = {.ck = ck, .has = has};
  pw_dag_walk(ck->dag, &f, 1, collect, &x);
  pw_node whole = pw_in_numbers(ck, f);
  for (int i = 0; i < x.all.n; i++) {
    pw_hidden_kink found = x.all.items[i];
    found.rise = hidden_rise(ck->dag, whole, x.edge.items[i]);
    if (found.rise != 0) {
      return found;
    }
  }
  return (pw_hidden_kink){0};
}
