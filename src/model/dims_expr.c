// SPDX-License-Identifier: MIT
/* The dimension of an expression, with an error wherever a sum or a comparison joins different
 * ones (language rule 6: bare numbers are pure, t is in seconds, a prime divides by seconds). */
#include <math.h>
#include <string.h>

#include "model/dims_walk.h"

enum { DEEPEST = 1200 };
static const int64_t most_steps = 1000000; /* of one pass; beyond that nothing more is checked */

static pw_quantity of_number(pw_dims *w, const pw_ex *ex) {
  double factor;
  pw_quantity q = pw_pure(PW_QT_BARE);
  if (ex->unit == NULL) {
    q.kind = ex->value == 0 ? PW_QT_ANY : PW_QT_KNOWN;
    return q;
  }
  q.flags = 0;
  if (!pw_unit_resolve(ex->unit, NULL, &factor, &q.dim)) {
    return (pw_quantity){0};
  }
  w->uses_units = w->uses_units || !pw_is_pure(&q);
  return q;
}

static pw_quantity of_meaning(pw_dims *w, pw_meaning *m) {
  pw_quantity q = m->value;
  switch (m->kind) {
  case PW_MN_COORDINATE:
    if (!m->has_unit) {
      q = pw_doubt(w, m);
    }
    q.flags = PW_QT_MOVES;
    return q;
  case PW_MN_BODY: return (pw_quantity){.kind = PW_QT_BODY, .sym = m};
  case PW_MN_ROTATION: return (pw_quantity){.kind = PW_QT_ROTATION, .sym = m};
  case PW_MN_FUNCTION: return (pw_quantity){.kind = PW_QT_FUNCTION, .sym = m};
  case PW_MN_LAW: return (pw_quantity){.kind = PW_QT_LAW, .sym = m};
  case PW_MN_PARAMETER:
  case PW_MN_VALUE: return q;
  case PW_MN_EVENT:
  case PW_MN_PART: break;
  }
  return (pw_quantity){0};
}

static pw_quantity of_name(pw_dims *w, const char *name) {
  const pw_quantity *local = pw_dims_local(w, name);
  if (local != NULL) {
    return *local;
  }
  if (strcmp(name, "t") == 0) {
    pw_quantity t = pw_known(0, 0, 1);
    t.flags = PW_QT_CLOCK;
    return t;
  }
  if (strcmp(name, "pi") == 0) {
    return pw_pure(PW_QT_BARE);
  }
  if (strcmp(name, "inf") == 0) {
    return (pw_quantity){.kind = PW_QT_ANY, .flags = PW_QT_BARE};
  }
  pw_meaning *m = pw_dims_find(w, name);
  if (m != NULL) {
    return of_meaning(w, m);
  }
  return strcmp(name, "action") == 0 ? pw_known(2, 1, -1) : (pw_quantity){0};
}

static pw_quantity sum_of(pw_dims *w, const pw_ex *ex, pw_quantity a, pw_quantity b) {
  const char *what = ex->kind == PW_EX_ADD ? "the operands of `+`" : "the operands of `-`";
  if (!pw_alike(w, "E0151", what, ex->arg[0], &a, ex->arg[1], &b)) {
    return (pw_quantity){0};
  }
  if (a.kind != PW_QT_VECTOR || b.kind != PW_QT_VECTOR || a.n != b.n) {
    return pw_common(&a, &b);
  }
  pw_quantity q = pw_vector_of(w, a, a.n);
  for (int i = 0; i < a.n; i++) {
    q.v[i] = pw_common(&a.v[i], &b.v[i]);
  }
  return q;
}

/* R*v: each component of the result mixes all of v. */
static pw_quantity rotated(pw_dims *w, const pw_ex *ex, const pw_quantity *v) {
  if (v->kind != PW_QT_VECTOR || v->n == 0) {
    return (pw_quantity){0};
  }
  pw_quantity all = v->v[0];
  bool ok = true;
  for (int i = 1; i < v->n; i++) {
    bool parts = ex->kind == PW_EX_VECTOR && ex->n_arg == v->n;
    ok = pw_alike(w, "E0151", "the components of a rotated vector", parts ? ex->arg[0] : ex, &all,
                  parts ? ex->arg[i] : ex, &v->v[i]) &&
         ok;
    all = pw_common(&all, &v->v[i]);
  }
  all.flags = (all.flags & PW_QT_RATE) | PW_QT_MOVES;
  return ok ? pw_vector_of(w, all, v->n) : (pw_quantity){0};
}

static pw_quantity product_of(pw_dims *w, const pw_ex *ex, pw_quantity a, pw_quantity b) {
  double power = ex->kind == PW_EX_DIV ? -1 : 1;
  if (a.kind == PW_QT_ROTATION) {
    return rotated(w, ex->arg[1], &b);
  }
  if (a.kind == PW_QT_VECTOR) {
    pw_quantity q = pw_vector_of(w, a, a.n);
    for (int i = 0; i < a.n; i++) {
      q.v[i] = pw_scale(a.v[i], b, power);
    }
    return q;
  }
  if (b.kind == PW_QT_VECTOR && power > 0) {
    pw_quantity q = pw_vector_of(w, b, b.n);
    for (int i = 0; i < b.n; i++) {
      q.v[i] = pw_scale(a, b.v[i], 1);
    }
    return q;
  }
  return pw_scale(a, b, power);
}

static bool is_arithmetic(const pw_ex *ex) {
  return ex->kind >= PW_EX_ADD && ex->kind <= PW_EX_DIV;
}

/* A sum or product of many terms leans to the left: its nodes are visited in a loop. */
static pw_quantity arithmetic(pw_dims *w, const pw_ex *ex) {
  int n = 0;
  const pw_ex *left = ex;
  for (; is_arithmetic(left); left = left->arg[0]) {
    n++;
  }
  const pw_ex *single[1], **spine = n == 1 ? single : PW_TAKE(w->arena, n, const pw_ex *);
  left = ex;
  for (int i = 0; i < n; i++) {
    spine[i] = left;
    left = left->arg[0];
  }
  pw_quantity q = pw_dims_of(w, left);
  for (int i = n - 1; i >= 0; i--) {
    pw_quantity b = pw_dims_of(w, spine[i]->arg[1]);
    bool sum = spine[i]->kind == PW_EX_ADD || spine[i]->kind == PW_EX_SUB;
    q = sum ? sum_of(w, spine[i], q, b) : product_of(w, spine[i], q, b);
  }
  return q;
}

/* Exponents that are numbers as written: 2, -1, 1/2, (3 + 1)/2. */
static bool literal(const pw_ex *ex, int depth, double *x) {
  double a, b;
  if (depth > 16) {
    return false;
  }
  switch (ex->kind) {
  case PW_EX_NUM: *x = ex->value; return ex->unit == NULL;
  case PW_EX_POS: return literal(ex->arg[0], depth + 1, x);
  case PW_EX_NEG:
    if (!literal(ex->arg[0], depth + 1, x)) {
      return false;
    }
    *x = -*x;
    return true;
  case PW_EX_ADD:
  case PW_EX_SUB:
  case PW_EX_MUL:
  case PW_EX_DIV: break;
  default: return false;
  }
  if (!literal(ex->arg[0], depth + 1, &a) || !literal(ex->arg[1], depth + 1, &b)) {
    return false;
  }
  *x = ex->kind == PW_EX_ADD   ? a + b
       : ex->kind == PW_EX_SUB ? a - b
       : ex->kind == PW_EX_MUL ? a * b
                               : a / b;
  return isfinite(*x);
}

static pw_quantity power_of(pw_dims *w, const pw_ex *ex) {
  static const pw_demand demand = {.code = "E0153",
                                   .what = "the exponent",
                                   .help = "divide it by a quantity of the same dimension"};
  pw_quantity base = pw_dims_of(w, ex->arg[0]);
  pw_quantity exponent = pw_dims_of(w, ex->arg[1]);
  pw_quantity one = pw_pure(PW_QT_BARE);
  double p;
  if (!pw_require(w, ex->arg[1], &exponent, &one, &demand)) {
    return (pw_quantity){0};
  }
  if (literal(ex->arg[1], 0, &p)) {
    return pw_scale(one, base, p);
  }
  if (pw_is_pure(&base) || base.kind == PW_QT_ANY) {
    pw_quantity q = pw_scale(base, exponent, 0);
    q.kind = base.kind;
    q.dim = base.dim;
    q.names = 0;
    return q;
  }
  pw_quantity q = pw_scale(base, exponent, 1);
  return (pw_quantity){.flags = q.flags, .names = base.names | exponent.names};
}

pw_quantity pw_dims_component(const pw_quantity *whole, const pw_ex *index) {
  pw_quantity a = *whole;
  double at;
  if ((a.flags & PW_QT_FAMILY) != 0 || a.kind != PW_QT_VECTOR) {
    a.flags &= ~(unsigned)PW_QT_FAMILY;
    return a; /* a member of a family */
  }
  if (literal(index, 0, &at) && at >= 1 && at <= a.n) {
    return a.v[(int)at - 1];
  }
  pw_quantity all = a.n > 0 ? a.v[0] : (pw_quantity){0};
  for (int i = 1; i < a.n; i++) {
    bool same = all.kind == a.v[i].kind && pw_dim_equal(&all.dim, &a.v[i].dim);
    all = same ? pw_common(&all, &a.v[i]) : (pw_quantity){.flags = all.flags};
  }
  return all;
}

static pw_quantity index_of(pw_dims *w, const pw_ex *ex) {
  pw_quantity a = pw_dims_of(w, ex->arg[0]);
  (void)pw_dims_of(w, ex->arg[1]);
  return pw_dims_component(&a, ex->arg[1]);
}

static pw_quantity spin(pw_dims *w) {
  pw_quantity rate = pw_known(0, 0, -1);
  rate.flags = PW_QT_MOVES | PW_QT_RATE;
  return pw_vector_of(w, rate, 3);
}

static pw_quantity body_field(pw_dims *w, pw_meaning *body, const char *field) {
  if (strcmp(field, "R") == 0) {
    return (pw_quantity){.kind = PW_QT_ROTATION, .sym = body};
  }
  bool place = strcmp(field, "p") == 0;
  if (!place && strcmp(field, "w") != 0 && strcmp(field, "W") != 0) {
    return (pw_quantity){0};
  }
  if (!body->has_unit) {
    pw_quantity q = pw_doubt(w, body);
    q.flags = place ? PW_QT_MOVES : PW_QT_MOVES | PW_QT_RATE;
    return pw_vector_of(w, q, 3);
  }
  if (!place) {
    return spin(w);
  }
  pw_quantity metre = pw_known(1, 0, 0);
  metre.flags = PW_QT_MOVES;
  return pw_vector_of(w, metre, 3);
}

static pw_quantity field_of(pw_dims *w, const pw_ex *ex) {
  const pw_ex *of = ex->arg[0];
  const pw_meaning *member = pw_dims_member(w, ex);
  if (member != NULL) {
    return pw_dims_of(w, &(pw_ex){.kind = PW_EX_NAME, .span = ex->span, .name = member->name});
  }
  if (of->kind == PW_EX_NAME && strcmp(of->name, "energy") == 0 &&
      pw_dims_find(w, "energy") == NULL) {
    return pw_known(2, 1, -2);
  }
  pw_quantity a = pw_dims_of(w, of);
  if (a.kind == PW_QT_BODY) {
    return body_field(w, a.sym, ex->name);
  }
  if (a.kind != PW_QT_ROTATION) {
    return (pw_quantity){0};
  }
  if (a.sym != NULL && a.sym->kind == PW_MN_BODY && strcmp(ex->name, "q") != 0) {
    return body_field(w, a.sym, ex->name);
  }
  return strcmp(ex->name, "q") == 0 ? pw_vector_of(w, pw_pure(PW_QT_MOVES), 4) : spin(w);
}

static pw_quantity vector_of(pw_dims *w, const pw_ex *ex) {
  pw_quantity q = pw_vector_of(w, (pw_quantity){0}, ex->n_arg);
  for (int i = 0; i < ex->n_arg; i++) {
    q.v[i] = pw_dims_of(w, ex->arg[i]);
  }
  return q;
}

static pw_quantity comparison(pw_dims *w, const pw_ex *ex) {
  pw_quantity a = pw_dims_of(w, ex->arg[0]);
  pw_quantity b = pw_dims_of(w, ex->arg[1]);
  pw_alike(w, "E0151", "the sides of the comparison", ex->arg[0], &a, ex->arg[1], &b);
  return (pw_quantity){0};
}

static pw_quantity of_kind(pw_dims *w, const pw_ex *ex) {
  switch (ex->kind) {
  case PW_EX_NUM: return of_number(w, ex);
  case PW_EX_NAME: return of_name(w, ex->name);
  case PW_EX_NEG:
  case PW_EX_POS: return pw_dims_of(w, ex->arg[0]);
  case PW_EX_ADD:
  case PW_EX_SUB:
  case PW_EX_MUL:
  case PW_EX_DIV: return arithmetic(w, ex);
  case PW_EX_POW: return power_of(w, ex);
  case PW_EX_PRIME: {
    pw_quantity q = pw_dims_of(w, ex->arg[0]);
    return pw_rate_of(w, &q);
  }
  case PW_EX_INDEX: return index_of(w, ex);
  case PW_EX_FIELD: return field_of(w, ex);
  case PW_EX_CALL: return pw_dims_call(w, ex);
  case PW_EX_VECTOR: return vector_of(w, ex);
  case PW_EX_GT:
  case PW_EX_GE:
  case PW_EX_LT:
  case PW_EX_LE: return comparison(w, ex);
  case PW_EX_AND:
  case PW_EX_OR: (void)pw_dims_of(w, ex->arg[0]); return pw_dims_of(w, ex->arg[1]);
  case PW_EX_EACH: break;
  }
  return (pw_quantity){0};
}

pw_quantity pw_dims_of(pw_dims *w, const pw_ex *ex) {
  if (ex == NULL || w->depth >= DEEPEST || w->steps >= most_steps) {
    return (pw_quantity){0};
  }
  w->depth++;
  w->steps++;
  pw_quantity q = of_kind(w, ex);
  w->depth--;
  return q;
}
