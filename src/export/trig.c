// SPDX-License-Identifier: MIT
/* Rules for sines and cosines in sums. Each application leaves fewer terms, so it ends. */
#include <math.h>

#include "export/poly.h"
#include "law/scale_export.h"

typedef struct pair { /* the term without two factors, and what these are of */
  pw_term rest;
  pw_op op[2];
  pw_node angle[2];
} pair;

static bool is_trig(const pw_polys *p, pw_node atom) {
  pw_op op = pw_node_op(p->dag, atom);
  return op == PW_OP_SIN || op == PW_OP_COS;
}

/* The term with one less of factor i and of factor j (i == j: two less). */
static pair take_out(pw_polys *p, const pw_term *t, int i, int j) {
  pair out = {
      .rest = {.coefficient = t->coefficient, .factor = PW_TAKE(p->arena, t->n + 1, pw_factor)}};
  const int which[] = {i, j};
  for (int k = 0; k < 2; k++) {
    pw_node atom = t->factor[which[k]].atom;
    out.op[k] = pw_node_op(p->dag, atom);
    out.angle[k] = pw_node_arg(p->dag, atom, 0);
  }
  for (int k = 0; k < t->n; k++) {
    pw_factor f = t->factor[k];
    f.power -= (k == i) + (k == j);
    if (f.power != 0) {
      out.rest.factor[out.rest.n++] = f;
    }
  }
  return out;
}

static bool same_rest(const pw_term *a, const pw_term *b) {
  bool same = a->n == b->n;
  for (int i = 0; same && i < a->n; i++) {
    same = a->factor[i].atom == b->factor[i].atom && a->factor[i].power == b->factor[i].power;
  }
  return same;
}

static pw_poly one_term(pw_polys *p, const pw_term *t) {
  pw_poly out = {.term = PW_TAKE(p->arena, 1, pw_term), .n = t->coefficient != 0};
  out.term[0] = *t;
  return out;
}

/* The form without terms i and j, and with `term` times the function of an angle (or alone). */
static pw_poly replace(pw_polys *p, const pw_poly *a, int i, int j, pw_term term, pw_node atom) {
  pw_poly kept = {.term = PW_TAKE(p->arena, a->n, pw_term)};
  for (int k = 0; k < a->n; k++) {
    if (k != i && k != j) {
      kept.term[kept.n++] = a->term[k];
    }
  }
  pw_poly new = one_term(p, &term);
  if (atom >= 0) { /* multiplied by dividing by its inverse */
    pw_factor f = {atom, -1};
    pw_term inverse = {.coefficient = 1, .factor = &f, .n = 1};
    new = pw_poly_divide(p, &new, &inverse);
  }
  return pw_poly_sum(p, &kept, &new, 1);
}

/* An angle that is a difference stands with its first variable first: cos(b - a) is cos(a - b). */
static pw_node difference(pw_polys *p, pw_node a, pw_node b, double *sign) {
  *sign = a <= b ? 1 : -1;
  return a <= b ? pw_sub(p->dag, a, b) : pw_sub(p->dag, b, a);
}

/* cos a cos b +- sin a sin b, and sin a cos b +- cos a sin b; sin^2 a + cos^2 a. True: found. */
static bool join(pw_polys *p, const pw_poly *a, int i, int j, const pair *x, const pair *y,
                 pw_poly *out) {
  double ratio = y->rest.coefficient / x->rest.coefficient;
  bool plus = fabs(ratio - 1) < PW_SCALE(SAME_COEFFICIENT),
       minus = fabs(ratio + 1) < PW_SCALE(SAME_COEFFICIENT);
  if (!same_rest(&x->rest, &y->rest) || (!plus && !minus) || x->angle[0] != y->angle[0] ||
      x->angle[1] != y->angle[1]) {
    return false;
  }
  bool x_cc = x->op[0] == PW_OP_COS && x->op[1] == PW_OP_COS;
  bool y_ss = y->op[0] == PW_OP_SIN && y->op[1] == PW_OP_SIN;
  bool x_sc = x->op[0] == PW_OP_SIN && x->op[1] == PW_OP_COS;
  bool y_cs = y->op[0] == PW_OP_COS && y->op[1] == PW_OP_SIN;
  pw_node first = x->angle[0], second = x->angle[1];
  pw_term rest = x->rest;
  double sign = 1;
  if (x_cc && y_ss && first == second) {
    if (!plus) {
      return false;
    }
    *out = replace(p, a, i, j, rest, -1);
    return true;
  }
  if (first == second || !((x_cc && y_ss) || (x_sc && y_cs))) {
    return false;
  }
  bool differs = (x_cc && plus) || (x_sc && minus); /* of the angles, not their sum */
  pw_node angle = differs ? difference(p, first, second, &sign) : pw_add(p->dag, first, second);
  rest.coefficient *= x_sc ? sign : 1;
  *out = replace(p, a, i, j, rest, pw_apply1(p->dag, x_cc ? PW_OP_COS : PW_OP_SIN, angle));
  return true;
}

/* Factors k and l of a term as functions of two angles; false: they are none. */
static bool functions(const pw_polys *p, const pw_term *t, int k, int l, pair *out) {
  const int which[] = {k, l};
  for (int i = 0; i < 2; i++) {
    pw_node atom = t->factor[which[i]].atom;
    if (!is_trig(p, atom) || t->factor[which[i]].power < (k == l ? 2 : 1)) {
      return false;
    }
    out->op[i] = pw_node_op(p->dag, atom);
    out->angle[i] = pw_node_arg(p->dag, atom, 0);
  }
  return true;
}

/* One of the left sides: cos cos with sin sin, or sin cos with cos sin, of the same angles. */
static bool matches(const pair *x, const pair *y) {
  bool turned = x->op[0] != y->op[0] && x->op[1] != y->op[1] && x->op[1] == PW_OP_COS;
  return turned && x->angle[0] == y->angle[0] && x->angle[1] == y->angle[1];
}

/* All ways to take two functions out of term i, against all of term j. */
static bool join_terms(pw_polys *p, const pw_poly *a, int i, int j, pw_poly *out) {
  const pw_term *x = &a->term[i], *y = &a->term[j];
  pair of_x, of_y;
  if (fabs(fabs(x->coefficient) - fabs(y->coefficient)) >
      PW_SCALE(SAME_COEFFICIENT) * fabs(x->coefficient)) {
    return false;
  }
  for (int k = 0; k < x->n * x->n; k++) {
    if (!functions(p, x, k / x->n, k % x->n, &of_x)) {
      continue;
    }
    for (int l = 0; l < y->n * y->n; l++) {
      if (!functions(p, y, l / y->n, l % y->n, &of_y) || !matches(&of_x, &of_y)) {
        continue;
      }
      of_x = take_out(p, x, k / x->n, k % x->n);
      of_y = take_out(p, y, l / y->n, l % y->n);
      if (join(p, a, i, j, &of_x, &of_y, out)) {
        return true;
      }
    }
  }
  return false;
}

pw_poly pw_poly_trig(pw_polys *p, const pw_poly *a) {
  pw_poly now = *a;
  for (bool again = true; again;) {
    again = false;
    for (int i = 0; i < now.n && !again; i++) {
      for (int j = 0; j < now.n && !again; j++) {
        pw_poly next;
        if (i != j && join_terms(p, &now, i, j, &next)) {
          now = next;
          again = true;
        }
      }
    }
  }
  return now;
}
