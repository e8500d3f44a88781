// SPDX-License-Identifier: MIT
/* Calls: the functions of the language, functions made by `let`, force(c) and impulse(c). */
#include <math.h>
#include <string.h>

#include "model/joint_form.h"
#include "model/tangent.h"

typedef pw_val (*call_fn)(pw_check *ck, const pw_ex *ex);

typedef struct builtin {
  const char *name;
  int least, most; /* arguments; most 0: any number */
  pw_op op;        /* of scalar functions */
  call_fn call;
} builtin;

/* ---- scalar functions ---- */

/* Constant results are checked where they arise, so that log(-1) is an error here. */
static pw_val checked(pw_check *ck, const pw_ex *ex, pw_node node) {
  if (!ck->symbols && pw_has(ck, node) == 0 && !pw_is_known_now(ck, node)) {
    pw_diag_ref d = pw_elab_error(ck, "E0110", ex->span, "this value is not a finite number");
    pw_label(d, "outside the domain of `%s`", ex->arg[0]->name);
    return PW_BAD_VAL;
  }
  return pw_scalar_val(node);
}

static void report_nonsmooth(pw_check *ck, const pw_ex *ex);

static bool scalar_args(pw_check *ck, const pw_ex *ex, pw_node *out) {
  bool ok = true;
  for (int i = 1; i < ex->n_arg; i++) {
    pw_val val = pw_elab(ck, ex->arg[i]);
    out[i - 1] = val.node;
    if (val.kind != PW_V_SCALAR) {
      pw_bad_kind(ck, ex->arg[i], val,
                  pw_format_text(ck, "a number as argument of `%s`", ex->arg[0]->name));
      ok = false;
    }
  }
  return ok;
}

static bool is_kink(pw_op op) {
  return op == PW_OP_ABS || op == PW_OP_MIN || op == PW_OP_MAX || op == PW_OP_SIGN;
}

static pw_val call_scalar(pw_check *ck, const pw_ex *ex, const builtin *b) {
  int n = ex->n_arg - 1;
  pw_node few[2];
  pw_node *arg = n <= 2 ? few : PW_TAKE(ck->arena, n, pw_node);
  if (!scalar_args(ck, ex, arg)) {
    return PW_BAD_VAL;
  }
  unsigned has = 0;
  for (int i = 0; i < n; i++) {
    has |= pw_has(ck, arg[i]);
  }
  bool forbidden = (b->op == PW_OP_SIGN && (ck->site & PW_NO_SIGN) != 0) ||
                   (is_kink(b->op) && (ck->site & PW_NO_KINK) != 0);
  if (forbidden && (has & PW_HAS_U) != 0) {
    report_nonsmooth(ck, ex);
    return PW_BAD_VAL;
  }
  if (b->op == PW_OP_ATAN && pw_node_op(ck->dag, arg[0]) == PW_OP_TAN) {
    return checked(ck, ex, pw_saw_of_tangent(ck, arg[0]));
  }
  if (b->least == 1) {
    return checked(ck, ex, pw_apply1(ck->dag, b->op, arg[0]));
  }
  pw_node r = arg[0];
  for (int i = 1; i < n; i++) {
    r = pw_apply2(ck->dag, b->op, r, arg[i]);
  }
  return checked(ck, ex, r);
}

/* ---- dry friction written as sign(v) ---- */

static bool is_sign_call(const pw_ex *ex) {
  return ex->kind == PW_EX_CALL && ex->arg[0]->kind == PW_EX_NAME &&
         strcmp(ex->arg[0]->name, "sign") == 0 && ex->n_arg == 2;
}

/* The factors of a product c1*c2*...*sign(v), sign removed, as text: the bound of the friction.
 * NULL if the force has another form. */
static const char *bound_of(pw_check *ck, const pw_ex *force, const pw_ex *sign) {
  const char *bound = "";
  const pw_ex *e = force;
  bool found = false;
  while (e->kind == PW_EX_NEG || e->kind == PW_EX_POS) {
    e = e->arg[0];
  }
  for (int guard = 0; guard < 20; guard++) {
    bool product = e->kind == PW_EX_MUL;
    const pw_ex *factor = product ? e->arg[1] : e;
    if (factor->kind == PW_EX_NEG && !product) {
      factor = factor->arg[0];
    }
    if (factor == sign) {
      found = true;
    } else if (is_sign_call(factor) || factor->kind == PW_EX_ADD || factor->kind == PW_EX_SUB ||
               factor->kind == PW_EX_DIV) {
      return NULL;
    } else {
      bound = pw_format_text(ck, "%s%s%s", pw_text_of(ck, factor->span),
                             bound[0] == '\0' ? "" : "*", bound);
    }
    if (!product) {
      return found ? (bound[0] == '\0' ? "1" : bound) : NULL;
    }
    e = e->arg[0];
  }
  return NULL;
}

const char *pw_friction_name(pw_check *ck) {
  const char *name = pw_intern_format(ck->names, "rub");
  for (int i = 2; pw_env_find(&ck->env, name) != NULL; i++) {
    name = pw_intern_format(ck->names, "rub%d", i);
  }
  return name;
}

static void report_sign(pw_check *ck, const pw_ex *ex) {
  const char *v = pw_text_of(ck, ex->arg[1]->span);
  pw_diag_ref d = pw_elab_error(ck, "E0210", ex->span, "`sign` of a velocity in a force");
  pw_label(d, "this is dry friction; at %s = 0 the force is not a number but a range", v);
  const char *bound = ck->stmt->kind == PW_ST_FORCE ? bound_of(ck, ck->stmt->u.force.ex, ex) : NULL;
  if (bound != NULL) {
    pw_help(d, "replace the line by   friction %s: slip %s, bound %s", pw_friction_name(ck), v,
            bound);
  } else {
    pw_help(d, "write it as   friction %s: slip %s, bound ...", pw_friction_name(ck), v);
  }
}

static void report_nonsmooth(pw_check *ck, const pw_ex *ex) {
  const char *name = ex->arg[0]->name;
  if (strcmp(name, "sign") == 0 && (ck->site & PW_NO_SIGN) != 0) {
    report_sign(ck, ex);
    return;
  }
  pw_diag_ref d =
      pw_elab_error(ck, "E0211", ex->span, "`%s` of a velocity in a kinetic energy", name);
  pw_label(d, "the inertia would jump with the velocity");
  pw_help(d, "a force that jumps with a velocity is a `friction` or a `law ... slip`; a kinetic "
             "energy must be smooth in the velocities");
}

/* ---- vectors ---- */

static bool vector_args(pw_check *ck, const pw_ex *ex, pw_val *out) {
  bool ok = true;
  for (int i = 1; i < ex->n_arg; i++) {
    out[i - 1] = pw_elab(ck, ex->arg[i]);
    if (out[i - 1].kind != PW_V_VECTOR) {
      pw_bad_kind(ck, ex->arg[i], out[i - 1], "a vector");
      ok = false;
    }
  }
  if (ok && ex->n_arg == 3 && out[0].n != out[1].n) {
    pw_diag_ref d =
        pw_elab_error(ck, "E0106", ex->span, "vectors of %d and %d components cannot be combined",
                      out[0].n, out[1].n);
    pw_label(d, "`%s` needs two of the same length", ex->arg[0]->name);
    ok = false;
  }
  return ok;
}

pw_node pw_dot_nodes(pw_dag *dag, const pw_node *a, const pw_node *b, int n) {
  pw_node sum = pw_const(dag, 0);
  for (int i = 0; i < n; i++) {
    pw_node product = pw_mul(dag, a[i], b[i]);
    sum = pw_add(dag, sum, product);
  }
  return sum;
}

static pw_val call_dot(pw_check *ck, const pw_ex *ex) {
  pw_val a[2];
  return vector_args(ck, ex, a) ? pw_scalar_val(pw_dot_nodes(ck->dag, a[0].v, a[1].v, a[0].n))
                                : PW_BAD_VAL;
}

static pw_val call_norm(pw_check *ck, const pw_ex *ex) {
  pw_val a[1];
  if (!vector_args(ck, ex, a)) {
    return PW_BAD_VAL;
  }
  pw_node square = pw_dot_nodes(ck->dag, a[0].v, a[0].v, a[0].n);
  return pw_scalar_val(pw_apply1(ck->dag, PW_OP_SQRT, square));
}

/* a_i b_j - a_j b_i */
static pw_node minor(pw_dag *dag, const pw_node *a, const pw_node *b, int i, int j) {
  pw_node first = pw_mul(dag, a[i], b[j]);
  pw_node second = pw_mul(dag, a[j], b[i]);
  return pw_sub(dag, first, second);
}

/* In the plane the cross product is the number a1 b2 - a2 b1. */
static pw_val call_cross(pw_check *ck, const pw_ex *ex) {
  pw_val a[2];
  if (!vector_args(ck, ex, a)) {
    return PW_BAD_VAL;
  }
  if (a[0].n == 2) {
    return pw_scalar_val(minor(ck->dag, a[0].v, a[1].v, 0, 1));
  }
  if (a[0].n != 3) {
    pw_diag_ref d =
        pw_elab_error(ck, "E0106", ex->span, "`cross` needs vectors of 2 or 3 components");
    pw_label(d, "these have %d", a[0].n);
    return PW_BAD_VAL;
  }
  pw_node out[3];
  for (int i = 0; i < 3; i++) {
    out[i] = minor(ck->dag, a[0].v, a[1].v, (i + 1) % 3, (i + 2) % 3);
  }
  return pw_vector_val(ck, out, 3);
}

/* ---- sum ---- */

static bool add_term(pw_check *ck, const pw_ex *ex, pw_val term, pw_val *total) {
  if (term.kind != PW_V_SCALAR && term.kind != PW_V_VECTOR) {
    pw_bad_kind(ck, ex, term, "a number or a vector to add up");
    return false;
  }
  if (total->kind == PW_V_BAD) {
    *total = term;
    return true;
  }
  if (total->kind != term.kind || (term.kind == PW_V_VECTOR && total->n != term.n)) {
    pw_elab_error(ck, "E0106", ex->span, "the terms of the sum have different lengths");
    return false;
  }
  if (term.kind == PW_V_SCALAR) {
    total->node = pw_add(ck->dag, total->node, term.node);
    return true;
  }
  pw_node *out = PW_TAKE(ck->arena, term.n, pw_node);
  for (int i = 0; i < term.n; i++) {
    out[i] = pw_add(ck->dag, total->v[i], term.v[i]);
  }
  total->v = out;
  return true;
}

static pw_val sum_each(pw_check *ck, const pw_ex *each) {
  int lo, hi;
  if (!pw_elab_range(ck, each->arg[0], each->arg[1], true, &lo, &hi)) {
    return PW_BAD_VAL;
  }
  pw_val total = PW_BAD_VAL;
  pw_name index = {each->name, each->mark};
  for (int i = lo; i <= hi; i++) {
    pw_env_push(&ck->env, index, pw_scalar_val(pw_const(ck->dag, i)));
    pw_val term = pw_elab(ck, each->arg[2]);
    pw_env_drop(&ck->env, 1);
    if (!add_term(ck, each->arg[2], term, &total)) {
      return PW_BAD_VAL;
    }
  }
  return hi < lo ? pw_scalar_val(pw_const(ck->dag, 0)) : total;
}

static pw_val call_sum(pw_check *ck, const pw_ex *ex) {
  if (ex->arg[1]->kind == PW_EX_EACH) {
    return sum_each(ck, ex->arg[1]);
  }
  pw_val a = pw_elab(ck, ex->arg[1]);
  if (a.kind != PW_V_VECTOR) {
    return pw_bad_kind(ck, ex->arg[1], a, "a vector, or `i in 1..N: ...`,");
  }
  pw_node sum = pw_const(ck->dag, 0);
  for (int i = 0; i < a.n; i++) {
    sum = pw_add(ck->dag, sum, a.v[i]);
  }
  return pw_scalar_val(sum);
}

/* ---- if ---- */

static bool vectors_alike(pw_val a, pw_val b) {
  return a.kind == b.kind && (a.kind == PW_V_SCALAR || (a.kind == PW_V_VECTOR && a.n == b.n));
}

static pw_val choose(pw_check *ck, pw_node c, pw_val a, pw_val b) {
  if (a.kind == PW_V_SCALAR) {
    return pw_scalar_val(pw_select(ck->dag, c, a.node, b.node));
  }
  pw_node *out = PW_TAKE(ck->arena, a.n, pw_node);
  for (int i = 0; i < a.n; i++) {
    out[i] = pw_select(ck->dag, c, a.v[i], b.v[i]);
  }
  return (pw_val){.kind = PW_V_VECTOR, .n = a.n, .v = out};
}

/* One relation. select(c, x, y) is x where c >= 0, so `left >= right` has c = left - right. `left >
 * right` is the contrary of `right >= left`: the pieces change places, and equality is outside. */
static pw_val lower_relation(pw_check *ck, const pw_ex *cond, pw_val a, pw_val b) {
  pw_node left, right;
  bool ok = pw_elab_scalar(ck, cond->arg[0], "a comparison", &left);
  ok = pw_elab_scalar(ck, cond->arg[1], "a comparison", &right) && ok;
  if (!ok) {
    return PW_BAD_VAL;
  }
  bool strict = cond->kind == PW_EX_GT || cond->kind == PW_EX_LT;
  bool left_first = cond->kind == PW_EX_GE || cond->kind == PW_EX_LT;
  pw_node c = left_first ? pw_sub(ck->dag, left, right) : pw_sub(ck->dag, right, left);
  if ((ck->site & PW_NO_KINK) != 0 && (pw_has(ck, c) & PW_HAS_U) != 0) {
    pw_diag_ref d =
        pw_elab_error(ck, "E0211", cond->span, "`if` of a velocity in a kinetic energy");
    pw_label(d, "the inertia would jump with the velocity");
    pw_help(d, "a force that jumps with a velocity is a `friction` or a `law ... slip`");
    return PW_BAD_VAL;
  }
  return strict ? choose(ck, c, b, a) : choose(ck, c, a, b);
}

/* if(X and Y, a, b) = if(X, if(Y, a, b), b);  if(X or Y, a, b) = if(X, a, if(Y, a, b)). */
static pw_val lower(pw_check *ck, const pw_ex *cond, pw_val a, pw_val b) {
  if (ck->spent.depth >= PW_MAX_DEPTH || !pw_spend(ck, 1)) {
    return pw_elab(ck, cond);
  }
  pw_deeper(&ck->spent, 1);
  while (cond->kind == PW_EX_AND || cond->kind == PW_EX_OR) {
    pw_val inner = lower(ck, cond->arg[1], a, b);
    if (inner.kind == PW_V_BAD) {
      pw_deeper(&ck->spent, -1);
      return inner;
    }
    if (cond->kind == PW_EX_AND) {
      a = inner;
    } else {
      b = inner;
    }
    cond = cond->arg[0];
  }
  pw_deeper(&ck->spent, -1);
  if (cond->kind < PW_EX_GT || cond->kind > PW_EX_LE) {
    pw_diag_ref d = pw_elab_error(ck, "E0105", cond->span, "expected a condition");
    pw_label(d, "compare two numbers: `a > b`");
    return PW_BAD_VAL;
  }
  return lower_relation(ck, cond, a, b);
}

pw_val pw_elab_if(pw_check *ck, const pw_ex *ex) {
  pw_val a = pw_elab(ck, ex->arg[2]);
  pw_val b = pw_elab(ck, ex->arg[3]);
  if (a.kind == PW_V_BAD || b.kind == PW_V_BAD) {
    return PW_BAD_VAL;
  }
  if (!vectors_alike(a, b)) {
    pw_diag_ref d = pw_elab_error(ck, "E0106", ex->span, "the two pieces of `if` differ in kind");
    pw_label(d, "%s and %s", pw_val_kind_name(ck, a), pw_val_kind_name(ck, b));
    return PW_BAD_VAL;
  }
  return lower(ck, ex->arg[1], a, b);
}

/* ---- functions made by let ---- */

static pw_val call_user(pw_check *ck, const pw_ex *ex, pw_symbol *sym) {
  const pw_stmt *s = sym->stmt;
  int n = s->u.let.n_arg;

  /* A call has as many arguments as the definition. */
  if (ex->n_arg - 1 != n) {
    pw_diag_ref d = pw_elab_error(ck, "E0108", ex->span, "`%s` takes %d argument%s, not %d",
                                  sym->name, n, n == 1 ? "" : "s", ex->n_arg - 1);
    const char *form = sym->name;
    for (int i = 0; i < n; i++) {
      form = pw_format_text(ck, "%s%s%s", form, i == 0 ? "(" : ", ", s->u.let.args[i].text);
    }
    pw_label(d, "%d given", ex->n_arg - 1);
    pw_second(d, sym->span, "defined here");
    pw_help(d, "call it as `%s)`", form);
    return PW_BAD_VAL;
  }

  /* Arguments are evaluated where the call stands. */
  pw_val *arg = PW_TAKE(ck->arena, n, pw_val);
  for (int i = 0; i < n; i++) {
    arg[i] = pw_elab(ck, ex->arg[i + 1]);
    if (arg[i].kind == PW_V_BAD) {
      return PW_BAD_VAL;
    }
  }

  /* The body sees its own arguments and the names of the model, not the locals of the caller. */
  int locals_before = ck->env.locals.n, errors = pw_check_errors(ck);
  pw_stand before = pw_stand_in_call(ck, ex->span);
  for (int i = 0; i < n; i++) {
    pw_env_push(&ck->env, s->u.let.args[i], arg[i]);
  }
  pw_val val = pw_elab(ck, s->u.let.ex);
  pw_env_drop(&ck->env, ck->env.locals.n - locals_before);
  pw_stand_back(ck, &before);

  /* A fault in the body is reported at one call, not at each. */
  if (pw_check_errors(ck) > errors) {
    sym->val.kind = PW_V_BAD;
  }
  return val;
}

/* ---- force(c), impulse(c) ---- */

pw_val pw_report_force_use(pw_check *ck, const pw_ex *ex) {
  const char *name = ex->arg[0]->name;
  pw_diag_ref d = pw_elab_error(ck, "E0112", ex->span, "`%s(...)` cannot be used here", name);
  pw_label(d, "known only in `output`, `plot`, `draw`, `expect` and `event`");
  if (strcmp(name, "force") == 0) {
    pw_help(d,
            "friction that depends on a force is `friction ...: slip v, mu m on %s`; on several "
            "equalities `on (a, b)`, bounded by the norm of their forces",
            ex->n_arg == 2 ? pw_text_of(ck, ex->arg[1]->span) : "floor");
  }
  return PW_BAD_VAL;
}

static pw_val call_multiplier(pw_check *ck, const pw_ex *ex) {
  if ((ck->site & PW_MAY_FORCE) == 0) {
    return pw_report_force_use(ck, ex);
  }
  if (ex->n_arg != 2) {
    pw_diag_ref d =
        pw_elab_error(ck, "E0108", ex->span, "`%s` takes the name of one law", ex->arg[0]->name);
    pw_label(d, "%d arguments given", ex->n_arg - 1);
    return PW_BAD_VAL;
  }
  int row, n;
  if (!pw_law_rows(ck, ex->arg[1], &row, &n)) {
    return PW_BAD_VAL;
  }
  bool force = strcmp(ex->arg[0]->name, "force") == 0;
  pw_var_class class = force ? PW_VAR_FORCE : PW_VAR_IMPULSE;
  const pw_joint_form *joint = pw_joint_of(ck, row);
  bool whole = joint != NULL && n == joint->n_place + joint->n_turn;
  return whole ? pw_joint_force(ck, joint, class) : pw_law_val(ck, ex, class, row, n);
}

/* ---- whole numbers ---- */

static pw_val call_whole(pw_check *ck, const pw_ex *ex) {
  pw_node arg[2];
  if (!scalar_args(ck, ex, arg)) {
    return PW_BAD_VAL;
  }
  unsigned has = pw_has(ck, arg[0]) | (ex->n_arg > 2 ? pw_has(ck, arg[1]) : 0);
  if ((ck->site & PW_NO_KINK) != 0 && (has & PW_HAS_U) != 0) {
    report_nonsmooth(ck, ex);
    return PW_BAD_VAL;
  }
  return checked(ck, ex, pw_whole_number(ck, ex, arg));
}

/* ---- dispatch ---- */

static const builtin builtins[] = {{"sin", 1, 1, PW_OP_SIN, NULL},
                                   {"cos", 1, 1, PW_OP_COS, NULL},
                                   {"tan", 1, 1, PW_OP_TAN, NULL},
                                   {"asin", 1, 1, PW_OP_ASIN, NULL},
                                   {"acos", 1, 1, PW_OP_ACOS, NULL},
                                   {"atan", 1, 1, PW_OP_ATAN, NULL},
                                   {"atan2", 2, 2, PW_OP_ATAN2, NULL},
                                   {"sinh", 1, 1, PW_OP_SINH, NULL},
                                   {"cosh", 1, 1, PW_OP_COSH, NULL},
                                   {"tanh", 1, 1, PW_OP_TANH, NULL},
                                   {"exp", 1, 1, PW_OP_EXP, NULL},
                                   {"log", 1, 1, PW_OP_LOG, NULL},
                                   {"sqrt", 1, 1, PW_OP_SQRT, NULL},
                                   {"abs", 1, 1, PW_OP_ABS, NULL},
                                   {"sign", 1, 1, PW_OP_SIGN, NULL},
                                   {"min", 2, 0, PW_OP_MIN, NULL},
                                   {"max", 2, 0, PW_OP_MAX, NULL},
                                   {"hypot", 2, 2, PW_OP_HYPOT, NULL},
                                   {"dot", 2, 2, PW_OP_CONST, call_dot},
                                   {"cross", 2, 2, PW_OP_CONST, call_cross},
                                   {"norm", 1, 1, PW_OP_CONST, call_norm},
                                   {"sum", 1, 1, PW_OP_CONST, call_sum},
                                   {"axis", 4, 4, PW_OP_CONST, pw_elab_axis},
                                   {"if", 3, 3, PW_OP_CONST, pw_elab_if}};

/* Not reserved: a model may define such a name. */
static const builtin contextual[] = {
    {"mod", 2, 2, PW_OP_CONST, call_whole},      {"floor", 1, 1, PW_OP_CONST, call_whole},
    {"ceil", 1, 1, PW_OP_CONST, call_whole},     {"round", 1, 1, PW_OP_CONST, call_whole},
    {"delay", 2, 2, PW_OP_CONST, pw_call_delay}, {"noise", 2, 2, PW_OP_CONST, pw_call_noise}};

static const builtin *find_contextual(const char *name) {
  for (size_t i = 0; i < sizeof contextual / sizeof *contextual; i++) {
    if (strcmp(contextual[i].name, name) == 0) {
      return &contextual[i];
    }
  }
  return NULL;
}

static const builtin *find_builtin(const char *name) {
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
    if (strcmp(builtins[i].name, name) == 0) {
      return &builtins[i];
    }
  }
  return NULL;
}

bool pw_is_builtin(const char *name) {
  return find_builtin(name) != NULL;
}

static pw_val call_builtin(pw_check *ck, const pw_ex *ex, const builtin *b) {
  int n = ex->n_arg - 1;
  if (n < b->least || (b->most > 0 && n > b->most)) {
    pw_diag_ref d =
        pw_elab_error(ck, "E0108", ex->span, "`%s` takes %s%d argument%s, not %d", b->name,
                      b->most == 0 ? "at least " : "", b->least, b->least == 1 ? "" : "s", n);
    pw_label(d, "%d given", n);
    return PW_BAD_VAL;
  }
  return b->call != NULL ? b->call(ck, ex) : call_scalar(ck, ex, b);
}

static pw_val unknown_function(pw_check *ck, const pw_ex *name) {
  if (pw_env_excuses(&ck->env, name->name)) {
    return PW_BAD_VAL;
  }
  pw_diag_ref d = pw_elab_error(ck, "E0101", name->span, "unknown function `%s`", name->name);
  pw_label(d, "not a function of the language, and not defined with `let %s(x) = ...`", name->name);
  pw_suggest s = pw_suggest_begin(name->name);
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
    pw_suggest_try(&s, builtins[i].name);
  }
  if (pawl_diags_dropped(ck->diags) == 0) {
    pw_env_suggest(&ck->env, &s);
  }
  if (s.best != NULL) {
    pw_help(d, "did you mean `%s`?", s.best);
  }
  return PW_BAD_VAL;
}

pw_val pw_elab_call(pw_check *ck, const pw_ex *ex) {
  const pw_ex *callee = ex->arg[0];

  /* Built-in names come first. Those known from the context give way to names of the model. */
  if (callee->kind == PW_EX_NAME) {
    const pw_symbol *known = pw_env_find(&ck->env, callee->name);
    const builtin *b = find_builtin(callee->name);
    if (b != NULL) {
      return call_builtin(ck, ex, b);
    }
    if (known == NULL &&
        (strcmp(callee->name, "force") == 0 || strcmp(callee->name, "impulse") == 0)) {
      return call_multiplier(ck, ex);
    }
    if (known == NULL && pw_is_joint_call(callee->name)) {
      return pw_elab_joint_call(ck, ex);
    }
    if (known == NULL && find_contextual(callee->name) != NULL) {
      return call_builtin(ck, ex, find_contextual(callee->name));
    }
    if (known == NULL) {
      return unknown_function(ck, callee);
    }
  }

  /* What is left is a function made by `let`, or a table. */
  pw_val f = pw_elab(ck, callee);
  if (f.kind == PW_V_FUNCTION) {
    return call_user(ck, ex, f.sym);
  }
  if (f.kind == PW_V_TABLE) {
    return pw_call_table(ck, ex, f);
  }

  /* Any other value before `(` is most likely a product without its sign. */
  if (f.kind != PW_V_BAD) {
    pw_diag_ref d = pw_elab_error(ck, "E0108", callee->span, "`%s` is not a function",
                                  pw_text_of(ck, callee->span));
    pw_label(d, "this is %s", pw_val_kind_name(ck, f));
    pw_help(d, "a product needs its sign: `%s*(...)`", pw_text_of(ck, callee->span));
  }
  return PW_BAD_VAL;
}
