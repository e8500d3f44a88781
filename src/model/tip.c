// SPDX-License-Identifier: MIT
/* A norm |(s1, s2)| has a tip where both vanish: its generalised gradient there is the unit disk,
 * of three measures the unit ball, and beside it the unit vector along (s1, s2). */
#include "model/tip.h"

#include <math.h>
#include <stdint.h>

#include "base/real.h"
#include "expr/square.h"
#include "law/scale_model.h"
#include "model/law_rows.h"

static bool add_part(pw_tip *tip, pw_node s) {
  if (s < 0 || tip->n == PW_LAW_MOST) {
    return false;
  }
  tip->s[tip->n++] = s;
  return true;
}

/* Sums of squares, one in the other. */
static bool add_squares(pw_dag *dag, pw_node sum, pw_tip *tip) {
  if (pw_node_op(dag, sum) != PW_OP_ADD) {
    return add_part(tip, pw_root_of_square(dag, sum));
  }
  return add_squares(dag, pw_node_arg(dag, sum, 0), tip) &&
         add_squares(dag, pw_node_arg(dag, sum, 1), tip);
}

/* A norm of norms is the norm of all their measures. */
static bool add_parts(pw_dag *dag, pw_node node, pw_tip *tip) {
  if (pw_node_op(dag, node) == PW_OP_SQRT) {
    return add_squares(dag, pw_node_arg(dag, node, 0), tip);
  }
  for (int i = 0; i < 2; i++) {
    pw_node arg = pw_node_arg(dag, node, i);
    bool norm = pw_node_op(dag, arg) == PW_OP_HYPOT;
    if (!(norm ? add_parts(dag, arg, tip) : add_part(tip, arg))) {
      return false;
    }
  }
  return true;
}

bool pw_tip_of(pw_check *ck, unsigned has, pw_node node, pw_tip *tip) {
  pw_op op = pw_node_op(ck->dag, node);
  *tip = (pw_tip){0};
  bool ok = (op == PW_OP_SQRT || op == PW_OP_HYPOT) && add_parts(ck->dag, node, tip) && tip->n > 1;
  for (int i = 0; i < tip->n && ok; i++) {
    ok =
        (pw_has(ck, tip->s[i]) & has) != 0 && (has != PW_HAS_U || pw_slip_is_linear(ck, tip->s[i]));
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
  const pw_tip *tip;
  int n;
  pw_node *by[PW_LAW_MOST]; /* n: gradients of the measures */
  double *J;                /* a row of n for each measure */
  point at;
} search;

/* G x = f with a positive definite G, both overwritten. */
static void eliminate(double G[][PW_LAW_MOST], double *f, int m) {
  for (int k = 0; k < m; k++) {
    for (int i = k + 1; i < m; i++) {
      double part = G[i][k] / G[k][k];
      for (int j = k; j < m; j++) {
        G[i][j] -= part * G[k][j];
      }
      f[i] -= part * f[k];
    }
  }
  for (int k = m - 1; k >= 0; k--) {
    for (int j = k + 1; j < m; j++) {
      f[k] -= G[k][j] * f[j];
    }
    f[k] /= G[k][k];
  }
}

/* One step of Gauss and Newton's method to s = 0; returns |s| before it. */
static double approach(search *x) {
  double f[PW_LAW_MOST], G[PW_LAW_MOST][PW_LAW_MOST] = {{0}}, *J = x->J, trace = 0;
  int n = x->n, m = x->tip->n;
  for (int k = 0; k < m; k++) {
    f[k] = pw_eval(x->dag, x->tip->s[k], value_at, &x->at);
    for (int i = 0; i < n; i++) {
      J[k * n + i] = pw_eval(x->dag, x->by[k][i], value_at, &x->at);
    }
  }
  double size = pw_length(f, m);

  for (int k = 0; k < m; k++) { /* products of the gradients */
    for (int l = 0; l < m; l++) {
      for (int i = 0; i < n; i++) {
        G[k][l] += J[k * n + i] * J[l * n + i];
      }
    }
    trace += G[k][k];
  }
  for (int k = 0; k < m; k++) { /* for gradients that are parallel */
    G[k][k] += PW_SCALE(TIP_DAMPED) * trace;
  }
  eliminate(G, f, m);

  for (int k = 0; k < m; k++) {
    for (int i = 0; i < n; i++) {
      x->at.x[i] -= J[k * n + i] * f[k];
    }
  }
  return size;
}

/* Whether a search has come to the tip. */
static bool finds_tip(search *x) {
  double first = approach(x), last = first;
  for (int k = 0; k < STEPS && last > PW_SCALE(TIP_MET) * first; k++) {
    last = approach(x);
  }
  return last <= PW_SCALE(TIP_MET) * first;
}

bool pw_tip_rises(pw_check *ck, unsigned has, pw_node norm, const pw_tip *tip, pw_node slope) {
  int n = has == PW_HAS_U ? ck->m->nv : ck->m->nq;
  search x = {.dag = ck->dag, .tip = tip, .n = n};
  x.at.class = has == PW_HAS_U ? PW_VAR_U : PW_VAR_Q;
  x.at.x = PW_TAKE(ck->arena, n + 1, double);
  x.J = PW_TAKE(ck->arena, tip->n * n + 1, double);
  int *var = PW_TAKE(ck->arena, n + 1, int);
  for (int i = 0; i < n; i++) {
    var[i] = pw_var_of(x.at.class, i);
  }
  for (int k = 0; k < tip->n; k++) {
    x.by[k] = PW_TAKE(ck->arena, n + 1, pw_node);
    pw_gradient(ck->dag, tip->s[k], var, n, x.by[k]);
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
