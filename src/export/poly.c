// SPDX-License-Identifier: MIT
#include "export/poly.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "law/scale_export.h"

enum { MOST_TERMS = 150 }; /* of a product; beyond it the longer factor is named */

/* ---- terms ---- */

static int compare_factors(const pw_term *a, const pw_term *b) {
  for (int i = 0; i < a->n && i < b->n; i++) {
    if (a->factor[i].atom != b->factor[i].atom) {
      return a->factor[i].atom < b->factor[i].atom ? -1 : 1;
    }
    if (a->factor[i].power != b->factor[i].power) {
      return a->factor[i].power > b->factor[i].power ? -1 : 1;
    }
  }
  return a->n == b->n ? 0 : a->n > b->n ? -1 : 1;
}

static pw_term multiply_terms(pw_polys *p, const pw_term *a, const pw_term *b) {
  pw_term out = {.coefficient = a->coefficient * b->coefficient,
                 .factor = PW_TAKE(p->arena, a->n + b->n + 1, pw_factor)};
  for (int i = 0, j = 0; i < a->n || j < b->n;) {
    bool first = j == b->n || (i < a->n && a->factor[i].atom <= b->factor[j].atom);
    bool second = i == a->n || (j < b->n && b->factor[j].atom <= a->factor[i].atom);
    pw_factor f = first ? a->factor[i] : b->factor[j];
    if (first && second) {
      f.power += b->factor[j].power;
    }
    i += first;
    j += second;
    if (f.power != 0) {
      out.factor[out.n++] = f;
    }
  }
  return out;
}

/* Adds a term to a form with room for it; terms stay in order. */
static void put_term(pw_poly *out, pw_term t) {
  int low = 0, high = out->n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (compare_factors(&out->term[middle], &t) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low < out->n && compare_factors(&out->term[low], &t) == 0) {
    double sum = out->term[low].coefficient + t.coefficient;
    double size = fmax(fabs(out->term[low].coefficient), fabs(t.coefficient));
    out->term[low].coefficient = sum;
    if (fabs(sum) <= PW_SCALE(CANCELLED) * size) { /* rounding of coefficients that cancel */
      out->n--;
      memmove(out->term + low, out->term + low + 1, (size_t)(out->n - low) * sizeof t);
    }
  } else if (t.coefficient != 0) {
    memmove(out->term + low + 1, out->term + low, (size_t)(out->n - low) * sizeof t);
    out->term[low] = t;
    out->n++;
  }
}

static pw_poly with_room(pw_polys *p, int n) {
  return (pw_poly){.term = PW_TAKE(p->arena, n + 1, pw_term)};
}

pw_poly pw_poly_sum(pw_polys *p, const pw_poly *a, const pw_poly *b, double factor) {
  pw_poly out = with_room(p, a->n + b->n);
  for (int i = 0; i < a->n; i++) {
    put_term(&out, a->term[i]);
  }
  for (int i = 0; i < b->n; i++) {
    pw_term t = b->term[i];
    t.coefficient *= factor;
    put_term(&out, t);
  }
  return out;
}

static pw_poly product(pw_polys *p, const pw_poly *a, const pw_poly *b) {
  pw_poly out = with_room(p, a->n * b->n);
  for (int i = 0; i < a->n; i++) {
    for (int j = 0; j < b->n; j++) {
      put_term(&out, multiply_terms(p, &a->term[i], &b->term[j]));
    }
  }
  return out;
}

/* ---- atoms and names ---- */

static pw_poly atom(pw_polys *p, pw_node node, int power) {
  pw_poly out = with_room(p, 1);
  out.term[0] = (pw_term){.coefficient = 1, .factor = PW_TAKE(p->arena, 1, pw_factor), .n = 1};
  out.term[0].factor[0] = (pw_factor){node, power};
  out.n = 1;
  return out;
}

static pw_poly number(pw_polys *p, double value) {
  pw_poly out = with_room(p, 1);
  out.term[0] = (pw_term){.coefficient = value};
  out.n = value != 0;
  return out;
}

int pw_poly_name(const pw_polys *p, pw_node node) {
  for (int i = 0; i < p->named.n; i++) {
    if (p->named.items[i] == node) {
      return i;
    }
  }
  return -1;
}

static pw_poly name(pw_polys *p, pw_node node, int power) {
  if (pw_poly_name(p, node) < 0) {
    PW_PUSH(p->arena, &p->named, node);
  }
  return atom(p, node, power);
}

static bool is_sum(const pw_poly *a) {
  return a->n > 1;
}

/* ---- nodes ---- */

static pw_poly times(pw_polys *p, pw_node a, pw_node b) {
  const pw_poly *x = pw_poly_of(p, a), *y = pw_poly_of(p, b);
  if ((int64_t)x->n * y->n > MOST_TERMS && is_sum(x) && is_sum(y)) {
    pw_poly short_one = name(p, x->n >= y->n ? a : b, 1);
    return product(p, &short_one, x->n >= y->n ? y : x);
  }
  return product(p, x, y);
}

static pw_poly whole_power(pw_polys *p, pw_node a, int power);

static pw_poly inverse(pw_polys *p, pw_node a, int power) {
  const pw_poly *x = pw_poly_of(p, a);
  if (x->n != 1) {
    return x->n == 0 ? atom(p, a, -power) : atom(p, a, -power); /* a sum below a fraction */
  }
  pw_poly out = with_room(p, 1);
  pw_term t = {.coefficient = pow(x->term[0].coefficient, -power),
               .factor = PW_TAKE(p->arena, x->term[0].n + 1, pw_factor),
               .n = x->term[0].n};
  for (int i = 0; i < t.n; i++) {
    t.factor[i] = (pw_factor){x->term[0].factor[i].atom, -power * x->term[0].factor[i].power};
  }
  put_term(&out, t);
  return out;
}

static pw_poly whole_power(pw_polys *p, pw_node a, int power) {
  const pw_poly *x = pw_poly_of(p, a);
  if (power < 0) {
    return inverse(p, a, -power);
  }
  if (pow(fmax(x->n, 1), power) > MOST_TERMS) {
    return name(p, a, power);
  }
  pw_poly out = number(p, 1);
  for (int i = 0; i < power; i++) {
    out = product(p, &out, x);
  }
  return out;
}

static pw_poly convert(pw_polys *p, pw_node node) {
  const pw_dag *dag = p->dag;
  pw_op op = pw_node_op(dag, node);
  pw_node a = op == PW_OP_CONST || op == PW_OP_VAR ? -1 : pw_node_arg(dag, node, 0);
  pw_node b = op == PW_OP_ADD || op == PW_OP_SUB || op == PW_OP_MUL || op == PW_OP_DIV
                  ? pw_node_arg(dag, node, 1)
                  : -1;
  switch (op) {
  case PW_OP_CONST: return number(p, pw_node_value(dag, node));
  case PW_OP_ADD:
  case PW_OP_SUB: {
    const pw_poly *x = pw_poly_of(p, a), *y = pw_poly_of(p, b);
    return pw_poly_sum(p, x, y, op == PW_OP_SUB ? -1 : 1);
  }
  case PW_OP_NEG: {
    pw_poly none = {0};
    return pw_poly_sum(p, &none, pw_poly_of(p, a), -1);
  }
  case PW_OP_MUL: return times(p, a, b);
  case PW_OP_DIV: {
    pw_poly below = inverse(p, b, 1);
    return product(p, pw_poly_of(p, a), &below);
  }
  case PW_OP_POWI: return whole_power(p, a, pw_node_int(dag, node));
  default: return atom(p, node, 1);
  }
}

static void make_memo(pw_polys *p, pw_node node) {
  if (node < p->room) {
    return;
  }
  int room = 2 * (node + 64);
  const pw_poly **wider = PW_TAKE(p->arena, room, const pw_poly *);
  for (int i = 0; i < p->room; i++) {
    wider[i] = p->memo[i];
  }
  p->memo = wider;
  p->room = room;
}

const pw_poly *pw_poly_of(pw_polys *p, pw_node node) {
  make_memo(p, node);
  if (p->memo[node] == NULL) {
    pw_poly *form = PW_NEW(p->arena, pw_poly);
    pw_poly plain = convert(p, node);
    *form = pw_poly_trig(p, &plain);
    make_memo(p, node);
    p->memo[node] = form;
  }
  return p->memo[node];
}

const pw_poly *pw_poly_inside(pw_polys *p, pw_node named) {
  return pw_poly_of(p, named);
}

/* ---- common factors ---- */

static bool is_whole(double x) {
  return fabs(x - round(x)) <= PW_SCALE(WHOLE_POWER) * fmax(1, fabs(x)) && fabs(x) < 1e6;
}

/* The least coefficient if all others are multiples of it, else 1. */
static double common_coefficient(const pw_poly *a) {
  double least = INFINITY;
  for (int i = 0; i < a->n; i++) {
    least = fmin(least, fabs(a->term[i].coefficient));
  }
  bool divides = isfinite(least);
  for (int i = 0; i < a->n; i++) {
    divides = divides && is_whole(a->term[i].coefficient / least);
  }
  return divides ? least : 1;
}

pw_term pw_poly_common(pw_polys *p, const pw_poly *a) {
  pw_term out = {.coefficient = common_coefficient(a)};
  if (a->n == 0) {
    return (pw_term){.coefficient = 1};
  }
  const pw_term *first = &a->term[0];
  out.factor = PW_TAKE(p->arena, first->n + 1, pw_factor);
  for (int k = 0; k < first->n; k++) {
    pw_factor f = first->factor[k];
    for (int i = 1; i < a->n && f.power != 0; i++) {
      int power = 0;
      for (int j = 0; j < a->term[i].n; j++) {
        power = a->term[i].factor[j].atom == f.atom ? a->term[i].factor[j].power : power;
      }
      bool same_sign = (power > 0) == (f.power > 0) && power != 0;
      f.power = !same_sign    ? 0
                : f.power > 0 ? (power < f.power ? power : f.power)
                              : (power > f.power ? power : f.power);
    }
    if (f.power != 0) {
      out.factor[out.n++] = f;
    }
  }
  return out;
}

pw_poly pw_poly_divide(pw_polys *p, const pw_poly *a, const pw_term *by) {
  pw_poly out = with_room(p, a->n);
  pw_term inverse_of = {.coefficient = 1 / by->coefficient,
                        .factor = PW_TAKE(p->arena, by->n + 1, pw_factor),
                        .n = by->n};
  for (int i = 0; i < by->n; i++) {
    inverse_of.factor[i] = (pw_factor){by->factor[i].atom, -by->factor[i].power};
  }
  for (int i = 0; i < a->n; i++) {
    put_term(&out, multiply_terms(p, &a->term[i], &inverse_of));
  }
  return out;
}
