// SPDX-License-Identifier: MIT
/* Expressions to values: names, operators, vectors, indices. Chains of binary operators are folded
 * along their left spine without recursion, since a sum may have any number of terms. */
#include <math.h>
#include <string.h>

#include "base/pi.h"
#include "law/scale_model.h"
#include "model/check.h"
#include "model/units.h"

/* ---- kinds of values ---- */

const char *pw_val_kind_name(pw_check *ck, pw_val val) {
  switch (val.kind) {
  case PW_V_SCALAR: return "a number";
  case PW_V_VECTOR: return pw_format_text(ck, "a vector of %d", val.n);
  case PW_V_MEMBERS:
  case PW_V_FAMILY: return pw_format_text(ck, "the family `%s`", val.sym->name);
  case PW_V_ROTATION: return "a rotation";
  case PW_V_BODY: return "a body";
  case PW_V_TURN: return "an orientation";
  case PW_V_TABLE: return pw_format_text(ck, "the table `%s`", val.sym->name);
  case PW_V_FUNCTION: return pw_format_text(ck, "the function `%s`", val.sym->name);
  case PW_V_LAW: return pw_format_text(ck, "the law `%s`", val.sym->name);
  case PW_V_SHAPE: return "a shape";
  case PW_V_EVENT: return pw_format_text(ck, "the event `%s`", val.sym->name);
  case PW_V_PART: return pw_format_text(ck, "the part `%s`", val.sym->name);
  case PW_V_BAD: break;
  }
  return "an error";
}

pw_val pw_bad_kind(pw_check *ck, const pw_ex *ex, pw_val val, const char *wanted) {
  if (val.kind == PW_V_BAD) {
    return val;
  }
  pw_diag_ref d = pw_elab_error(ck, "E0105", ex->span, "expected %s, found %s", wanted,
                                pw_val_kind_name(ck, val));
  pw_label(d, "this is %s", pw_val_kind_name(ck, val));
  switch (val.kind) {
  case PW_V_MEMBERS:
  case PW_V_FAMILY: pw_help(d, "name a member: `%s[%d]`", val.sym->name, val.lo); break;
  case PW_V_LAW: pw_help(d, "its multiplier is `force(%s)`", val.sym->name); break;
  case PW_V_VECTOR:
    pw_help(d, "take a component with `[1]`, or `norm(...)`, `dot(..., ...)`");
    break;
  case PW_V_BODY:
    pw_help(d, "a body has the position `.p`, the rotation `.R`, and the angular velocities "
               "`.w` (space) and `.W` (body)");
    break;
  case PW_V_ROTATION:
    pw_help(d, "rotate a vector with `R*(a, b, c)`; the angular velocity is `.w` (space) or "
               "`.W` (body)");
    break;
  case PW_V_PART: pw_help(d, "name something in it: `%s.x`", pw_text_of(ck, ex->span)); break;
  case PW_V_TABLE:
  case PW_V_FUNCTION: pw_help(d, "call it: `%s(...)`", val.sym->name); break;
  default: break;
  }
  return PW_BAD_VAL;
}

pw_val pw_vector_val(pw_check *ck, const pw_node *v, int n) {
  pw_node *copy = PW_TAKE(ck->arena, n, pw_node);
  memcpy(copy, v, (size_t)n * sizeof *copy);
  return (pw_val){.kind = PW_V_VECTOR, .n = n, .v = copy};
}

/* ---- names ---- */

/* Statements that consist of expressions, so that an unknown name should have been defined. */
static bool defines_or_restricts(const pw_stmt *s) {
  return s->kind == PW_ST_PARAMETER || s->kind == PW_ST_LET || s->kind == PW_ST_KINETIC ||
         s->kind == PW_ST_POTENTIAL || s->kind == PW_ST_DISSIPATION || s->kind == PW_ST_CONSTRAINT;
}

static pw_val unknown_name(pw_check *ck, const pw_ex *ex) {
  if (pw_env_excuses(&ck->env, ex->name)) {
    return PW_BAD_VAL;
  }
  pw_diag_ref d = pw_elab_error(ck, "E0101", ex->span, "unknown name `%s`", ex->name);
  pw_label(d, "not a coordinate, parameter or definition");
  if (pawl_diags_dropped(ck->diags) > 0) {
    return PW_BAD_VAL;
  }
  pw_suggest s = pw_suggest_begin(ex->name);
  pw_env_suggest(&ck->env, &s);
  if (s.best != NULL) {
    const pw_symbol *sym = pw_env_find(&ck->env, s.best);
    pw_help(d, "did you mean `%s` (%s,%s)?", s.best, pw_symbol_kind_name(sym),
            pw_where(ck, sym->span));
  } else if (strcmp(ex->name, "energy") == 0 || strcmp(ex->name, "action") == 0) {
    pw_help(d, "`%s` is known only in `output`, `plot`, `expect` and `event`", ex->name);
  } else if (strcmp(ex->name, "slip") == 0 || strcmp(ex->name, "stretch") == 0) {
    pw_help(d, "`%s` stands for the law's own argument, inside `friction` and `law` only",
            ex->name);
  } else if ((ck->site & PW_OVERRIDES) != 0) {
    pw_help(d, "a value is a number, or an expression of parameters: `2.5`, `m/2`, `30 [deg]`");
  } else if (ck->stmt != NULL && defines_or_restricts(ck->stmt) && strchr(ex->name, '.') == NULL) {
    pw_help(d, "define it above this line: `parameter %s = ...` or `let %s = ...`", ex->name,
            ex->name);
  }
  return PW_BAD_VAL;
}

static pw_val used_too_early(pw_check *ck, const pw_ex *ex, const pw_symbol *sym) {
  if (pw_env_excuses(&ck->env, ex->name)) {
    return PW_BAD_VAL;
  }
  pw_diag_ref d =
      pw_elab_error(ck, "E0102", ex->span, "`%s` is used before its definition", ex->name);
  if (sym->stmt == ck->stmt && sym->span.begin < ex->span.begin) {
    pw_label(d, "a definition cannot use the name it defines");
    return PW_BAD_VAL;
  }
  if ((ck->site & PW_OVERRIDES) != 0) {
    pw_label(d, "an override is made of numbers and of parameters defined before");
    return PW_BAD_VAL;
  }
  pw_label(d, "not known yet in this line");
  pw_second(d, sym->span, "defined here");
  if (sym->stmt == ck->stmt) {
    pw_help(d, "write the definition of `%s` first", ex->name);
  } else {
    pw_help(d, "move the definition (%s,%s) above this line", pw_symbol_kind_name(sym),
            pw_where(ck, sym->span));
  }
  return PW_BAD_VAL;
}

static pw_val result_only(pw_check *ck, const pw_ex *ex, const char *what) {
  pw_diag_ref d =
      pw_elab_error(ck, "E0116", ex->span, "%s `%s` cannot be used here", what, ex->name);
  pw_label(d, "known only in `output`, `plot`, `expect` and `event`");
  pw_help(d, "define the expression with `let` and use that name in both places");
  return PW_BAD_VAL;
}

static pw_val quad_val(pw_check *ck, pw_quad which) {
  return pw_scalar_val(pw_var(ck->dag, pw_var_of(PW_VAR_QUAD, (int)which)));
}

static pw_val elab_constant_name(pw_check *ck, const pw_ex *ex, bool *known) {
  *known = true;
  if (strcmp(ex->name, "t") == 0) {
    return pw_scalar_val(pw_var(ck->dag, pw_var_of(PW_VAR_TIME, 0)));
  }
  if (strcmp(ex->name, "pi") == 0) {
    return pw_scalar_val(pw_const(ck->dag, PW_PI));
  }
  if (strcmp(ex->name, "inf") == 0) {
    if ((ck->site & PW_MAY_INF) == 0) {
      pw_diag_ref d = pw_elab_error(ck, "E0110", ex->span, "`inf` cannot be used here");
      pw_label(d, "allowed only in `graph` points and in the ranges of `in` and `play`");
      return PW_BAD_VAL;
    }
    return pw_scalar_val(pw_const(ck->dag, (double)INFINITY));
  }
  *known = false;
  return PW_BAD_VAL;
}

static pw_val elab_name(pw_check *ck, const pw_ex *ex) {
  pw_symbol *sym = pw_env_find(&ck->env, ex->name);
  if (sym == NULL) {
    bool known;
    pw_val val = elab_constant_name(ck, ex, &known);
    if (known) {
      return val;
    }
    if (strcmp(ex->name, "action") == 0 && (ck->site & PW_MAY_RESULT) != 0) {
      return quad_val(ck, PW_QUAD_ACTION);
    }
    if (pw_is_builtin(ex->name)) {
      pw_diag_ref d = pw_elab_error(ck, "E0105", ex->span, "`%s` is a function", ex->name);
      pw_label(d, "needs its arguments: `%s(...)`", ex->name);
      return PW_BAD_VAL;
    }
    return unknown_name(ck, ex);
  }
  if (!sym->defined) {
    return used_too_early(ck, ex, sym);
  }
  if (sym->val.kind != PW_V_BAD && (ck->site & PW_MAY_RESULT) == 0 &&
      (sym->kind == PW_SYM_ENERGY || sym->kind == PW_SYM_OUTPUT)) {
    return result_only(ck, ex, pw_symbol_kind_name(sym));
  }
  sym->used = sym->used == NULL ? ex : sym->used;
  return sym->val;
}

/* ---- arithmetic ---- */

static pw_node apply(pw_dag *dag, pw_ex_kind op, pw_node a, pw_node b) {
  switch (op) {
  case PW_EX_ADD: return pw_add(dag, a, b);
  case PW_EX_SUB: return pw_sub(dag, a, b);
  case PW_EX_MUL: return pw_mul(dag, a, b);
  case PW_EX_DIV: return pw_div(dag, a, b);
  default: return pw_pow(dag, a, b);
  }
}

/* A constant that is not a number is reported where it arises: 1/0, log(-1), (-8)^0.5. */
static pw_val finite_scalar(pw_check *ck, const pw_ex *ex, pw_node node) {
  if (pw_has(ck, node) == 0 && (ck->site & PW_MAY_INF) == 0) {
    double x = pw_value_now(ck, node);
    if (!isfinite(x)) {
      pw_diag_ref d = pw_elab_error(ck, "E0110", ex->span, "this value is not a finite number");
      pw_label(d, "%s",
               isinf(x)                ? "infinite"
               : ex->kind == PW_EX_POW ? "a negative number to a fractional power"
                                       : "not a number");
      return PW_BAD_VAL;
    }
    bool stays = ck->symbols || pw_contains_parameter(ck, node);
    return pw_scalar_val(stays ? node : pw_const(ck->dag, x));
  }
  return pw_scalar_val(node);
}

static const char *op_text(pw_ex_kind op) {
  switch (op) {
  case PW_EX_ADD: return "+";
  case PW_EX_SUB: return "-";
  case PW_EX_MUL: return "*";
  case PW_EX_DIV: return "/";
  default: return "^";
  }
}

static bool is_family(pw_val val) {
  return val.kind == PW_V_FAMILY || val.kind == PW_V_MEMBERS;
}

static pw_val bad_operands(pw_check *ck, const pw_ex *ex, pw_val a, pw_val b) {
  bool two_vectors = a.kind == PW_V_VECTOR && b.kind == PW_V_VECTOR;
  bool sum = ex->kind == PW_EX_ADD || ex->kind == PW_EX_SUB;
  if (two_vectors && sum) {
    pw_diag_ref d = pw_elab_error(ck, "E0106", ex->span,
                                  "vectors of %d and %d components cannot be combined", a.n, b.n);
    pw_label(d, "%d on the left, %d on the right", a.n, b.n);
    return PW_BAD_VAL;
  }
  pw_diag_ref d =
      pw_elab_error(ck, "E0105", ex->span, "`%s` does not apply to %s and %s", op_text(ex->kind),
                    pw_val_kind_name(ck, a), pw_val_kind_name(ck, b));
  pw_label(d, "%s %s %s", pw_val_kind_name(ck, a), op_text(ex->kind), pw_val_kind_name(ck, b));
  if (two_vectors && ex->kind == PW_EX_MUL) {
    pw_help(d, "write `dot(a, b)` or `cross(a, b)`");
  } else if (is_family(a) || is_family(b)) {
    const char *name = is_family(a) ? a.sym->name : b.sym->name;
    pw_help(d, "name a member: `%s[1]`, or add them up: `sum(i in 1..N: %s[i])`", name, name);
  } else if (a.kind == PW_V_ROTATION && ex->kind == PW_EX_MUL) {
    pw_help(d, "a rotation applies to a vector of 3: `R*(a, b, c)`");
  } else if (a.kind == PW_V_VECTOR && ex->kind == PW_EX_POW) {
    pw_help(d, "the square of a vector is `dot(a, a)`");
  }
  return PW_BAD_VAL;
}

static pw_val componentwise(pw_check *ck, const pw_ex *ex, pw_val a, pw_val b) {
  int n = a.kind == PW_V_VECTOR ? a.n : b.n;
  pw_node *out = PW_TAKE(ck->arena, n, pw_node);
  for (int i = 0; i < n; i++) {
    pw_node x = a.kind == PW_V_VECTOR ? a.v[i] : a.node;
    pw_node y = b.kind == PW_V_VECTOR ? b.v[i] : b.node;
    pw_val r = finite_scalar(ck, ex, apply(ck->dag, ex->kind, x, y));
    if (r.kind == PW_V_BAD) {
      return r;
    }
    out[i] = r.node;
  }
  return (pw_val){.kind = PW_V_VECTOR, .n = n, .v = out};
}

static pw_val combine(pw_check *ck, const pw_ex *ex, pw_val a, pw_val b) {
  if (a.kind == PW_V_BAD || b.kind == PW_V_BAD || !pw_spend(ck, 1)) {
    return PW_BAD_VAL;
  }
  if (a.kind == PW_V_SCALAR && b.kind == PW_V_SCALAR) {
    return finite_scalar(ck, ex, apply(ck->dag, ex->kind, a.node, b.node));
  }
  bool sum = ex->kind == PW_EX_ADD || ex->kind == PW_EX_SUB;
  if (sum && a.kind == PW_V_VECTOR && b.kind == PW_V_VECTOR && a.n == b.n) {
    return componentwise(ck, ex, a, b);
  }
  if (ex->kind == PW_EX_MUL && a.kind == PW_V_ROTATION && b.kind == PW_V_VECTOR && b.n == 3) {
    pw_node out[3];
    pw_rotate(ck, a.coord, b.v, false, out);
    return pw_vector_val(ck, out, 3);
  }
  bool scaled = (a.kind == PW_V_VECTOR && b.kind == PW_V_SCALAR &&
                 (ex->kind == PW_EX_MUL || ex->kind == PW_EX_DIV)) ||
                (a.kind == PW_V_SCALAR && b.kind == PW_V_VECTOR && ex->kind == PW_EX_MUL);
  return scaled ? componentwise(ck, ex, a, b) : bad_operands(ck, ex, a, b);
}

static bool is_chain(const pw_ex *ex) {
  return ex->kind == PW_EX_ADD || ex->kind == PW_EX_SUB || ex->kind == PW_EX_MUL ||
         ex->kind == PW_EX_DIV;
}

enum { FEW = 8 }; /* chains up to this length need no memory of their own */

static pw_val elab_chain(pw_check *ck, const pw_ex *ex) {
  int n = 0;
  for (const pw_ex *e = ex; is_chain(e); e = e->arg[0]) {
    n++;
  }
  const pw_ex *few[FEW];
  const pw_ex **spine = n <= FEW ? few : PW_TAKE(ck->arena, n, const pw_ex *);
  for (const pw_ex *e = ex; is_chain(e); e = e->arg[0]) {
    spine[--n] = e;
  }
  pw_val val = pw_elab(ck, spine[0]->arg[0]);
  for (;; n++) {
    pw_val right = pw_elab(ck, spine[n]->arg[1]);
    val = combine(ck, spine[n], val, right);
    if (spine[n] == ex) {
      return val;
    }
  }
}

static pw_val elab_neg(pw_check *ck, const pw_ex *ex) {
  pw_val a = pw_elab(ck, ex->arg[0]);
  if (a.kind == PW_V_SCALAR) {
    return ex->kind == PW_EX_POS ? a : pw_scalar_val(pw_neg(ck->dag, a.node));
  }
  if (a.kind != PW_V_VECTOR) {
    return pw_bad_kind(ck, ex->arg[0], a, "a number or a vector");
  }
  if (ex->kind == PW_EX_POS) {
    return a;
  }
  pw_node *out = PW_TAKE(ck->arena, a.n, pw_node);
  for (int i = 0; i < a.n; i++) {
    out[i] = pw_neg(ck->dag, a.v[i]);
  }
  return (pw_val){.kind = PW_V_VECTOR, .n = a.n, .v = out};
}

static pw_val elab_vector(pw_check *ck, const pw_ex *ex) {
  pw_node *out = PW_TAKE(ck->arena, ex->n_arg, pw_node);
  bool ok = true;
  if (ex->n_arg > PW_MAX_COMPONENTS) {
    pw_elab_error(ck, "E0114", ex->span, "a vector has at most %d components", PW_MAX_COMPONENTS);
    return PW_BAD_VAL;
  }
  for (int i = 0; i < ex->n_arg; i++) {
    ok = pw_elab_scalar(ck, ex->arg[i], "a component", &out[i]) && ok;
  }
  return ok ? (pw_val){.kind = PW_V_VECTOR, .n = ex->n_arg, .v = out} : PW_BAD_VAL;
}

static pw_val elab_number(pw_check *ck, const pw_ex *ex) {
  double factor = 1;
  if (ex->unit != NULL) {
    pw_dim dim;
    if (!pw_unit_resolve(ex->unit, ck->diags, &factor, &dim)) {
      return PW_BAD_VAL;
    }
  }
  return finite_scalar(ck, ex, pw_const(ck->dag, ex->value * factor));
}

/* ---- indices ---- */

bool pw_elab_index(pw_check *ck, const pw_ex *ex, int lo, int n, const pw_ex *owner, int *out) {
  double x;
  if (!pw_elab_const(ck, ex, 0, "an index", &x)) {
    return false;
  }
  double whole = round(x);
  if (!(fabs(x - whole) <= PW_SCALE(WHOLE_NUMBER))) {
    pw_diag_ref d = pw_elab_error(ck, "E0107", ex->span, "an index must be an integer");
    pw_label(d, "this is %s", pw_format_real(ck, x));
    return false;
  }
  if (whole < lo || whole > (double)lo + n - 1) {
    pw_diag_ref d =
        pw_elab_error(ck, "E0107", ex->span, "index %s is out of range", pw_format_real(ck, whole));
    const char *name = pw_text_of(ck, owner->span);
    if (n == 0) {
      pw_label(d, "`%s` has no members", name);
    } else {
      pw_label(d, "`%s` has the range %d..%d", name, lo, lo + n - 1);
    }
    return false;
  }
  *out = (int)whole;
  return true;
}

static pw_node position_of(pw_check *ck, int coord) {
  return pw_var(ck->dag, pw_var_of(PW_VAR_Q, ck->m->coords.items[coord].q));
}

pw_val pw_member(pw_check *ck, pw_val family, int index) {
  if (family.kind == PW_V_MEMBERS) {
    return family.members[index - family.lo];
  }
  int coord = family.coord + (index - family.lo) * family.each;
  if (family.each == 1) {
    return pw_scalar_val(position_of(ck, coord));
  }
  return (pw_val){.kind = PW_V_BODY, .coord = coord, .sym = family.sym};
}

static pw_val elab_index(pw_check *ck, const pw_ex *ex) {
  pw_val base = pw_elab(ck, ex->arg[0]);
  int i;
  if (is_family(base)) {
    if (!pw_elab_index(ck, ex->arg[1], base.lo, base.n, ex->arg[0], &i)) {
      return PW_BAD_VAL;
    }
    pw_val member = pw_member(ck, base, i);
    for (int k = 0; k < base.primes; k++) {
      member = pw_elab_prime(ck, ex, member);
    }
    return member;
  }
  if (base.kind == PW_V_VECTOR) {
    return pw_elab_index(ck, ex->arg[1], 1, base.n, ex->arg[0], &i) ? pw_scalar_val(base.v[i - 1])
                                                                    : PW_BAD_VAL;
  }
  if (base.kind == PW_V_SCALAR) {
    pw_diag_ref d = pw_elab_error(ck, "E0107", ex->span, "a number has no components");
    pw_label(d, "`%s` is a single number", pw_text_of(ck, ex->arg[0]->span));
    return PW_BAD_VAL;
  }
  return pw_bad_kind(ck, ex->arg[0], base, "a vector or a family");
}

/* ---- entry ---- */

static pw_val elab_kind(pw_check *ck, const pw_ex *ex) {
  switch (ex->kind) {
  /* Numbers, names and signs. */
  case PW_EX_NUM: return elab_number(ck, ex);
  case PW_EX_NAME: return elab_name(ck, ex);
  case PW_EX_NEG:
  case PW_EX_POS: return elab_neg(ck, ex);

  /* Sums and products nest to the left and may be long: they are walked in a loop. */
  case PW_EX_ADD:
  case PW_EX_SUB:
  case PW_EX_MUL:
  case PW_EX_DIV: return elab_chain(ck, ex);

  /* Operands first, then the operation. */
  case PW_EX_POW: {
    pw_val base = pw_elab(ck, ex->arg[0]);
    pw_val exponent = pw_elab(ck, ex->arg[1]);
    return combine(ck, ex, base, exponent);
  }
  case PW_EX_PRIME: {
    pw_val base = pw_elab(ck, ex->arg[0]);
    return pw_elab_prime(ck, ex, base);
  }

  /* Parts of a whole, calls and vectors. */
  case PW_EX_INDEX: return elab_index(ck, ex);
  case PW_EX_FIELD: return pw_elab_field(ck, ex);
  case PW_EX_CALL: return pw_elab_call(ck, ex);
  case PW_EX_VECTOR: return elab_vector(ck, ex);
  default: break;
  }

  /* Ranges and conditions stand only inside `sum` and `if`. */
  pw_diag_ref d = pw_elab_error(ck, "E0105", ex->span, "this cannot stand here");
  pw_label(d, ex->kind == PW_EX_EACH ? "only as the argument of `sum`"
                                     : "a condition belongs into `if(condition, a, b)`");
  return PW_BAD_VAL;
}

pw_val pw_elab(pw_check *ck, const pw_ex *ex) {
  if (!pw_spend(ck, 1)) {
    return PW_BAD_VAL;
  }
  if (ck->spent.depth >= PW_MAX_DEPTH) {
    pw_diag_ref d = pw_elab_error(ck, "E0114", ex->span, "expression nested too deeply");
    pw_label(d, "more than %d levels, counting the functions it calls", PW_MAX_DEPTH);
    pw_becomes_too_large(&ck->spent);
    return PW_BAD_VAL;
  }
  pw_deeper(&ck->spent, 1);
  pw_val val = elab_kind(ck, ex);
  pw_deeper(&ck->spent, -1);
  return val;
}

static bool as_scalar(pw_check *ck, const pw_ex *ex, pw_val val, const char *what, pw_node *out) {
  if (val.kind != PW_V_SCALAR) {
    pw_bad_kind(ck, ex, val, pw_format_text(ck, "a number for %s", what));
    return false;
  }
  *out = val.node;
  return true;
}

static bool as_list(pw_check *ck, const pw_ex *ex, pw_val val, int n, const char *what,
                    pw_val *out) {
  if (val.kind == PW_V_SCALAR) {
    val.v = pw_vector_val(ck, &val.node, 1).v;
    val.n = 1;
  } else if (val.kind != PW_V_VECTOR) {
    pw_bad_kind(ck, ex, val, pw_format_text(ck, "a number or a vector for %s", what));
    return false;
  }
  if (n != 0 && val.n != n) {
    pw_diag_ref d =
        pw_elab_error(ck, "E0106", ex->span, "%s needs %d component%s", what, n, n == 1 ? "" : "s");
    pw_label(d, "this is %s", pw_val_kind_name(ck, val));
    return false;
  }
  *out = val;
  return true;
}

bool pw_elab_scalar(pw_check *ck, const pw_ex *ex, const char *what, pw_node *out) {
  return as_scalar(ck, ex, pw_elab(ck, ex), what, out);
}

bool pw_elab_list(pw_check *ck, const pw_ex *ex, int n, const char *what, pw_val *out) {
  return as_list(ck, ex, pw_elab(ck, ex), n, what, out);
}

pw_val pw_elab_at(pw_check *ck, const pw_ex *ex, unsigned site) {
  unsigned before = ck->site;
  ck->site = site | (before & PW_OVERRIDES);
  pw_val val = pw_elab(ck, ex);
  ck->site = before;
  return val;
}

bool pw_elab_scalar_at(pw_check *ck, const pw_ex *ex, unsigned site, const char *what,
                       pw_node *out) {
  return as_scalar(ck, ex, pw_elab_at(ck, ex, site), what, out);
}

bool pw_elab_list_at(pw_check *ck, const pw_ex *ex, unsigned site, int n, const char *what,
                     pw_val *out) {
  return as_list(ck, ex, pw_elab_at(ck, ex, site), n, what, out);
}
