// SPDX-License-Identifier: MIT
/* Dimensions of function calls: the built-in functions by a table, the user's by walking through
 * their definition with the dimensions of the arguments. */
#include <stdio.h>
#include <string.h>

#include "model/dims_walk.h"
#include "model/hertz.h"

typedef pw_quantity (*call_rule)(pw_dims *w, const pw_ex *ex);

static pw_quantity argument(pw_dims *w, const pw_ex *ex, int i) {
  return i < ex->n_arg ? pw_dims_of(w, ex->arg[i]) : (pw_quantity){0};
}

/* sin, exp, ...: a pure number of a pure number. */
static pw_quantity pure_of_pure(pw_dims *w, const pw_ex *ex) {
  pw_quantity a = argument(w, ex, 1), one = pw_pure(PW_QT_BARE);
  char what[64];
  snprintf(what, sizeof what, "the argument of `%s`", ex->arg[0]->name);
  pw_demand demand = {.code = "E0152",
                      .what = what,
                      .help = "divide it by a quantity of the same dimension; an angle in [rad] or "
                              "[deg] is a pure number"};
  if (ex->n_arg > 1) {
    pw_require(w, ex->arg[1], &a, &one, &demand);
  }
  return pw_pure(a.flags & ~(unsigned)PW_QT_CLOCK);
}

static const pw_ex *parameter_value(void *ctx, const char *name) {
  const pw_meaning *m = pw_dims_local(ctx, name) == NULL ? pw_dims_find(ctx, name) : NULL;
  bool known = m != NULL && m->kind == PW_MN_PARAMETER && m->stmt->kind == PW_ST_PARAMETER;
  for (int i = 0; known && i < m->stmt->u.parameter.n; i++) {
    const pw_par *par = &m->stmt->u.parameter.items[i];
    if (strcmp(par->label.name.text, name) == 0) {
      return par->value;
    }
  }
  return NULL;
}

/* sin, cos, tan: of an angle in radians, which a frequency in hertz does not make of a time. */
static pw_quantity pure_of_angle(pw_dims *w, const pw_ex *ex) {
  const pw_ex *hertz =
      ex->n_arg == 2 && !w->silent ? pw_hertz_in_angle(ex->arg[1], parameter_value, w) : NULL;
  if (hertz != NULL) {
    pw_diag_ref d = pw_warning(w->diags, "W0260", ex->arg[1]->span,
                               "a frequency in hertz is used as an angular velocity");
    pw_label(d, "`%s` takes radians", ex->arg[0]->name);
    pw_second(d, hertz->span, "in hertz");
    pw_help(d, "multiply it by `2*pi`, or give it in [rev/s]");
  }
  return pure_of_pure(w, ex);
}

static pw_quantity same_as_argument(pw_dims *w, const pw_ex *ex) {
  return argument(w, ex, 1);
}

static pw_quantity root(pw_dims *w, const pw_ex *ex) {
  return pw_scale(pw_pure(PW_QT_BARE), argument(w, ex, 1), 0.5);
}

static pw_quantity sign_of(pw_dims *w, const pw_ex *ex) {
  pw_quantity a = argument(w, ex, 1);
  return pw_pure(a.flags & (PW_QT_BARE | PW_QT_MOVES | PW_QT_RATE));
}

/* Arguments from `first` on must agree; gives their common dimension. */
static pw_quantity alike_from(pw_dims *w, const pw_ex *ex, int first) {
  char what[64];
  snprintf(what, sizeof what, "the arguments of `%s`", ex->arg[0]->name);
  pw_quantity all = argument(w, ex, first);
  for (int i = first + 1; i < ex->n_arg; i++) {
    pw_quantity b = pw_dims_of(w, ex->arg[i]);
    bool ok = pw_alike(w, "E0151", what, ex->arg[first], &all, ex->arg[i], &b);
    if (all.kind != PW_QT_VECTOR || !ok) {
      all = ok ? pw_common(&all, &b) : (pw_quantity){0};
    }
  }
  return all;
}

static pw_quantity alike(pw_dims *w, const pw_ex *ex) {
  return alike_from(w, ex, 1);
}

static pw_quantity angle_of(pw_dims *w, const pw_ex *ex) {
  pw_quantity q = alike_from(w, ex, 1);
  return pw_pure(q.flags & ~(unsigned)PW_QT_CLOCK);
}

static pw_quantity choice(pw_dims *w, const pw_ex *ex) {
  (void)argument(w, ex, 1);
  return alike_from(w, ex, 2);
}

/* Sum of products a_i b_i, whose terms must agree. */
static pw_quantity sum_of_products(pw_dims *w, const pw_ex *ex, const pw_quantity *a,
                                   const pw_quantity *b) {
  if (a->kind != PW_QT_VECTOR || b->kind != PW_QT_VECTOR || a->n != b->n || a->n == 0) {
    return (pw_quantity){0};
  }
  char what[64];
  snprintf(what, sizeof what, "the terms of `%s`", ex->arg[0]->name);
  const pw_ex *at = ex->arg[ex->n_arg - 1];
  pw_quantity all = pw_scale(a->v[0], b->v[0], 1);
  for (int i = 1; i < a->n; i++) {
    pw_quantity term = pw_scale(a->v[i], b->v[i], 1);
    bool parts = at->kind == PW_EX_VECTOR && at->n_arg == b->n;
    if (!pw_alike(w, "E0151", what, parts ? at->arg[0] : at, &all, parts ? at->arg[i] : at,
                  &term)) {
      return (pw_quantity){0};
    }
    all = pw_common(&all, &term);
  }
  return all;
}

static pw_quantity dot(pw_dims *w, const pw_ex *ex) {
  pw_quantity a = argument(w, ex, 1), b = argument(w, ex, 2);
  return sum_of_products(w, ex, &a, &b);
}

static pw_quantity norm(pw_dims *w, const pw_ex *ex) {
  pw_quantity a = argument(w, ex, 1);
  return pw_scale(pw_pure(PW_QT_BARE), sum_of_products(w, ex, &a, &a), 0.5);
}

static pw_quantity cross(pw_dims *w, const pw_ex *ex) {
  pw_quantity a = argument(w, ex, 1), b = argument(w, ex, 2);
  if (a.kind != PW_QT_VECTOR || b.kind != PW_QT_VECTOR || a.n != b.n || (a.n != 3 && a.n != 2)) {
    return (pw_quantity){0};
  }
  int n = a.n == 2 ? 1 : 3;
  pw_quantity q = pw_vector_of(w, (pw_quantity){0}, n);
  for (int k = 0; k < n; k++) { /* c_k = a_i b_j - a_j b_i; in the plane k is the third axis */
    int i = n == 1 ? 0 : (k + 1) % 3, j = n == 1 ? 1 : (k + 2) % 3;
    pw_quantity plus = pw_scale(a.v[i], b.v[j], 1), minus = pw_scale(a.v[j], b.v[i], 1);
    if (pw_alike(w, "E0151", "the terms of `cross`", ex->arg[1], &plus, ex->arg[2], &minus)) {
      q.v[k] = pw_common(&plus, &minus);
    }
  }
  return n == 1 ? q.v[0] : q;
}

static pw_quantity sum(pw_dims *w, const pw_ex *ex) {
  const pw_ex *each = ex->n_arg == 2 ? ex->arg[1] : NULL;
  if (each == NULL || each->kind != PW_EX_EACH) {
    return (pw_quantity){0};
  }
  (void)pw_dims_of(w, each->arg[0]);
  (void)pw_dims_of(w, each->arg[1]);
  pw_dims_push(w, each->name, pw_pure(PW_QT_BARE));
  pw_quantity q = pw_dims_of(w, each->arg[2]);
  w->locals.n--;
  return q;
}

static pw_quantity axis(pw_dims *w, const pw_ex *ex) {
  static const pw_demand demand = {.code = "E0152",
                                   .what = "the angle of `axis`",
                                   .help = "an angle in [rad] or [deg] is a pure number"};
  pw_quantity one = pw_pure(PW_QT_BARE);
  for (int i = 1; i + 1 < ex->n_arg; i++) {
    (void)pw_dims_of(w, ex->arg[i]);
  }
  if (ex->n_arg > 1) {
    pw_quantity angle = pw_dims_of(w, ex->arg[ex->n_arg - 1]);
    pw_require(w, ex->arg[ex->n_arg - 1], &angle, &one, &demand);
  }
  return (pw_quantity){.kind = PW_QT_ROTATION};
}

static pw_quantity force_of(pw_dims *w, const pw_ex *ex) {
  pw_quantity law = argument(w, ex, 1);
  return law.kind == PW_QT_LAW ? law.sym->force : (pw_quantity){0};
}

/* A call that asks a joint: its force and moment are vectors in space. */
static pw_quantity moment_of(pw_dims *w, const pw_ex *ex) {
  (void)argument(w, ex, 1);
  return pw_vector_of(w, pw_known(2, 1, -2), 3);
}

static pw_quantity joint_angle(pw_dims *w, const pw_ex *ex) {
  (void)argument(w, ex, 1);
  return pw_pure(PW_QT_MOVES);
}

static pw_quantity joint_shift(pw_dims *w, const pw_ex *ex) {
  pw_quantity law = argument(w, ex, 1);
  pw_quantity length = pw_known(1, 0, 0);
  length.flags |= PW_QT_MOVES;
  bool plane = law.kind == PW_QT_LAW && law.sym->stmt->kind == PW_ST_JOINT &&
               law.sym->stmt->u.law.joint->kind == PW_JOINT_PLANAR;
  return plane ? pw_vector_of(w, length, 2) : length;
}

static pw_quantity impulse_of(pw_dims *w, const pw_ex *ex) {
  pw_quantity f = force_of(w, ex);
  pw_quantity second = pw_known(0, 0, 1);
  if (f.kind != PW_QT_VECTOR) {
    return pw_scale(f, second, 1);
  }
  pw_quantity q = pw_vector_of(w, f, f.n);
  for (int i = 0; i < f.n; i++) {
    q.v[i] = pw_scale(f.v[i], second, 1);
  }
  return q;
}

static const struct {
  const char *name;
  call_rule rule;
} builtins[] = {
    {"sin", pure_of_angle},
    {"cos", pure_of_angle},
    {"tan", pure_of_angle},
    {"asin", pure_of_pure},
    {"acos", pure_of_pure},
    {"atan", pure_of_pure},
    {"sinh", pure_of_pure},
    {"cosh", pure_of_pure},
    {"tanh", pure_of_pure},
    {"exp", pure_of_pure},
    {"log", pure_of_pure},
    {"abs", same_as_argument},
    {"sqrt", root},
    {"sign", sign_of},
    {"min", alike},
    {"max", alike},
    {"hypot", alike},
    {"atan2", angle_of},
    {"if", choice},
    {"dot", dot},
    {"norm", norm},
    {"cross", cross},
    {"sum", sum},
    {"axis", axis},
    {"force", force_of},
    {"impulse", impulse_of},
    {"moment", moment_of},
    {"angle", joint_angle},
    {"shift", joint_shift},
    {"mod", alike},
    {"floor", same_as_argument},
    {"ceil", same_as_argument},
    {"round", same_as_argument},
};

static pw_quantity user_function(pw_dims *w, const pw_ex *ex, const pw_meaning *f) {
  int n = f->stmt->u.let.n_arg, base = w->locals.n, floor = w->floor;
  pw_span call = w->call;
  if (n != ex->n_arg - 1) {
    return (pw_quantity){0};
  }
  for (int i = 0; i < n; i++) { /* all evaluated before the first is visible: see `floor` */
    pw_quantity q = pw_dims_of(w, ex->arg[i + 1]);
    pw_dims_push(w, "", q);
  }
  for (int i = 0; i < n; i++) {
    w->locals.items[base + i].name = f->stmt->u.let.args[i].text;
  }
  w->floor = base;
  w->call = call.file >= 0 ? call : ex->span;
  pw_quantity q = pw_dims_of(w, f->stmt->u.let.ex);
  w->call = call;
  w->floor = floor;
  w->locals.n = base;
  return q;
}

pw_quantity pw_dims_call(pw_dims *w, const pw_ex *ex) {
  if (ex->n_arg < 1 || ex->arg[0]->kind != PW_EX_NAME) {
    return (pw_quantity){0};
  }
  const char *name = ex->arg[0]->name;
  const pw_meaning *f = pw_dims_find(w, name);
  if (f != NULL && f->stmt != NULL && f->stmt->kind == PW_ST_TABLE) {
    return pw_dims_table_call(w, ex, f);
  }
  if (f != NULL) { /* a function of the model hides one of the language that is not reserved */
    return f->kind == PW_MN_FUNCTION ? user_function(w, ex, f) : (pw_quantity){0};
  }
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
    if (strcmp(builtins[i].name, name) == 0) {
      return builtins[i].rule(w, ex);
    }
  }
  return pw_dims_free_call(w, ex);
}
