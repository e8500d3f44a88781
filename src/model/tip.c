// SPDX-License-Identifier: MIT
/* A norm |(s1, s2)| has a tip where both vanish: its generalised gradient there is the unit disk,
 * and beside it the unit vector along (s1, s2). */
#include "model/tip.h"

#include <math.h>
#include <stdint.h>

#include "law/scale_model.h"
#include "model/law_rows.h"

/* a with a^2 = node; -1: it is no square. */
static pw_node root_of(pw_dag *dag, pw_node node) {
  if (pw_node_op(dag, node) != PW_OP_MUL) {
    return -1;
  }
  pw_node a = pw_node_arg(dag, node, 0), b = pw_node_arg(dag, node, 1);
  if (a == b) {
    return a;
  }
  bool first = pw_is_const(dag, a), second = pw_is_const(dag, b);
  double factor = first ? pw_node_value(dag, a) : second ? pw_node_value(dag, b) : 0;
  pw_node rest = factor > 0 ? root_of(dag, first ? b : a) : -1;
  return rest < 0 ? -1 : pw_mul(dag, pw_const(dag, sqrt(factor)), rest);
}

static bool parts_of(pw_dag *dag, pw_node node, pw_node s[2]) {
  if (pw_node_op(dag, node) == PW_OP_HYPOT) {
    s[0] = pw_node_arg(dag, node, 0);
    s[1] = pw_node_arg(dag, node, 1);
    return true;
  }
  pw_node sum = pw_node_op(dag, node) == PW_OP_SQRT ? pw_node_arg(dag, node, 0) : -1;
  if (sum < 0 || pw_node_op(dag, sum) != PW_OP_ADD) {
    return false;
  }
  s[0] = root_of(dag, pw_node_arg(dag, sum, 0));
  s[1] = root_of(dag, pw_node_arg(dag, sum, 1));
  return s[0] >= 0 && s[1] >= 0;
}

bool pw_tip_of(pw_check *ck, unsigned has, pw_node node, pw_node s[2]) {
  bool ok = parts_of(ck->dag, node, s);
  for (int i = 0; i < 2 && ok; i++) {
    ok = (pw_has(ck, s[i]) & has) != 0 && (has != PW_HAS_U || pw_slip_is_linear(ck, s[i]));
  }
  return ok;
}

/* ---- the slope at the tip ---- */

static pw_node zero_at(void *payload, pw_dag *dag, pw_node node, const pw_node *arg) {
  const pw_node *norm = payload;
  (void)arg;
  return node == *norm ? pw_const(dag, 0) : -1;
}

enum { POINTS = 12, STEPS = 60 };

typedef struct point { /* the state; all other variables have pseudo-random values */
  pw_var_class class;
  uint64_t seed;
  double *x;
} point;

static double sample(uint64_t v, uint64_t seed) {
  uint64_t x = (v + 1) * 0x9E3779B97F4A7C15u + seed * 0xD1B54A32D192ED03u;
  x ^= x >> 29;
  x *= 0xBF58476D1CE4E5B9u;
  x ^= x >> 32;
  return 4 * (double)(x >> 12) * 0x1p-52 - 2;
}

static double value_at(void *payload, int var) {
  const point *p = payload;
  return pw_var_kind(var) == p->class ? p->x[pw_var_index(var)] : sample((uint64_t)var, p->seed);
}

typedef struct search {
  pw_dag *dag;
  const pw_node *s;
  int n;
  pw_node *by[2]; /* n: gradients of the measures */
  double *J;      /* 2 x n */
  point at;
} search;

/* One step of Gauss and Newton's method to s = 0; returns |s| before it. */
static double approach(search *x) {
  double f[2], g[3] = {0, 0, 0}, *J = x->J; /* g: products of the gradients */
  int n = x->n;
  for (int k = 0; k < 2; k++) {
    f[k] = pw_eval(x->dag, x->s[k], value_at, &x->at);
    for (int i = 0; i < n; i++) {
      J[k * n + i] = pw_eval(x->dag, x->by[k][i], value_at, &x->at);
    }
  }
  for (int i = 0; i < n; i++) {
    g[0] += J[i] * J[i];
    g[1] += J[i] * J[n + i];
    g[2] += J[n + i] * J[n + i];
  }
  double more = PW_SCALE(TIP_DAMPED) * (g[0] + g[2]); /* for gradients that are parallel */
  double a = g[0] + more, b = g[1], c = g[2] + more, det = a * c - b * b;
  for (int i = 0; i < n; i++) {
    x->at.x[i] -= (J[i] * (c * f[0] - b * f[1]) + J[n + i] * (a * f[1] - b * f[0])) / det;
  }
  return hypot(f[0], f[1]);
}

/* Whether a search has come to the tip. */
static bool finds_tip(search *x) {
  double first = approach(x), last = first;
  for (int k = 0; k < STEPS && last > PW_SCALE(TIP_MET) * first; k++) {
    last = approach(x);
  }
  return last <= PW_SCALE(TIP_MET) * first;
}

bool pw_tip_rises(pw_check *ck, unsigned has, pw_node norm, const pw_node s[2], pw_node slope) {
  int n = has == PW_HAS_U ? ck->m->nv : ck->m->nq;
  search x = {.dag = ck->dag, .s = s, .n = n};
  x.at.class = has == PW_HAS_U ? PW_VAR_U : PW_VAR_Q;
  x.at.x = PW_TAKE(ck->arena, n + 1, double);
  x.J = PW_TAKE(ck->arena, 2 * n + 1, double);
  int *var = PW_TAKE(ck->arena, n + 1, int);
  for (int i = 0; i < n; i++) {
    var[i] = pw_var_of(x.at.class, i);
  }
  for (int k = 0; k < 2; k++) {
    x.by[k] = PW_TAKE(ck->arena, n + 1, pw_node);
    pw_gradient(ck->dag, s[k], var, n, x.by[k]);
  }
  pw_node at_tip;
  pw_rewrite(ck->dag, &slope, 1, zero_at, &norm, &at_tip);
  double least = INFINITY, most = 0;
  for (x.at.seed = 1; x.at.seed <= POINTS; x.at.seed++) {
    for (int i = 0; i < n; i++) {
      x.at.x[i] = sample((uint64_t)i, x.at.seed + POINTS);
    }
    if (finds_tip(&x)) {
      double c = pw_eval(ck->dag, at_tip, value_at, &x.at);
      least = fmin(least, c);
      most = fmax(most, c);
    }
  }
  return most > 0 && isfinite(most) && least >= -PW_SCALE(TIP_MET) * most;
}
