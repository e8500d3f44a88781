// SPDX-License-Identifier: MIT
/* Expressions as the model states them, with its definitions and sums. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "export/write.h"
#include "lang/spine.h"
#include "model/units.h"

/* Binding strength: a + b, a b, -a, a^b, f(a). */
enum { SUM = 1, PRODUCT, SIGNED, POWER, ATOM };

static void write(pw_export *x, const pw_ex *ex, int need);

static int binding(const pw_ex *ex) {
  switch (ex->kind) {
  case PW_EX_ADD:
  case PW_EX_SUB: return SUM;
  case PW_EX_MUL: return PRODUCT;
  case PW_EX_NEG: return SIGNED;
  case PW_EX_POW: return POWER;
  case PW_EX_EACH: return SUM;
  default: return ATOM;
  }
}

static void write_list(pw_export *x, const pw_ex *ex, int from) {
  for (int i = from; i < ex->n_arg; i++) {
    pw_buf_puts(x->to.out, i > from ? ", " : "");
    write(x, ex->arg[i], 0);
  }
}

/* The name below primes, indices and fields as it stands in tables: "x[i]", "ball.p[1]". */
static bool name_text(const pw_ex *ex, pw_buf *out, int *primes) {
  switch (ex->kind) {
  case PW_EX_NAME: pw_buf_puts(out, ex->name); return true;
  case PW_EX_PRIME: *primes += 1; return name_text(ex->arg[0], out, primes);
  case PW_EX_FIELD:
    if (!name_text(ex->arg[0], out, primes)) {
      return false;
    }
    pw_buf_printf(out, ".%s", ex->name);
    return true;
  case PW_EX_INDEX: {
    const pw_ex *at = ex->arg[1];
    if (!name_text(ex->arg[0], out, primes)) {
      return false;
    }

    /* [2], [i] or [i+1] */
    if (at->kind == PW_EX_NUM) {
      pw_buf_printf(out, "[%g]", at->value);
      return true;
    }
    if (at->kind == PW_EX_NAME) {
      pw_buf_printf(out, "[%s]", at->name);
      return true;
    }
    bool shifted = (at->kind == PW_EX_ADD || at->kind == PW_EX_SUB) &&
                   at->arg[0]->kind == PW_EX_NAME && at->arg[1]->kind == PW_EX_NUM;
    if (shifted) {
      pw_buf_printf(out, "[%s%s%g]", at->arg[0]->name, at->kind == PW_EX_ADD ? "+" : "-",
                    at->arg[1]->value);
    }
    return shifted;
  }
  default: return false;
  }
}

/* False: it is not a name. */
static bool write_reference(pw_export *x, const pw_ex *ex) {
  pw_buf name = {0};
  int primes = 0;
  bool known = name_text(ex, &name, &primes) && !name.failed && primes <= 2;
  x->to.out->failed = x->to.out->failed || name.failed;
  if (known && strcmp(name.text, "inf") == 0) {
    pw_math(&x->to, "\\infty", "infinity");
  } else if (known) {
    pw_math_name(&x->to, name.text, primes);
  }
  pw_buf_free(&name);
  return known;
}

static void write_prime(pw_export *x, const pw_ex *ex) {
  pw_math(&x->to, "\\frac{d}{dt}", "frac(dif, dif t) ");
  write(x, ex->arg[0], ATOM);
}

static bool is_number(const pw_ex *ex) {
  return ex->kind == PW_EX_NUM && ex->unit == NULL;
}

static bool is_angle_function(const char *name) {
  return strcmp(name, "sin") == 0 || strcmp(name, "cos") == 0 || strcmp(name, "tan") == 0;
}

/* A function that the model defines: a `let` with arguments, or a table. */
static bool is_defined(const pw_export *x, const char *name) {
  for (int i = 0; i < x->model->ast->n; i++) {
    const pw_stmt *s = x->model->ast->items[i];
    if ((s->kind == PW_ST_LET && s->u.let.is_function &&
         strcmp(s->u.let.label.name.text, name) == 0) ||
        (s->kind == PW_ST_TABLE && strcmp(s->u.table.name.text, name) == 0)) {
      return true;
    }
  }
  return false;
}

/* x(t - T), or [...] at t - T; the letter of a noise. */
static bool write_signal(pw_export *x, const pw_ex *ex, const char *name) {
  if (strcmp(name, "delay") == 0 && ex->n_arg == 3) {
    const pw_ex *what = ex->arg[1];
    pw_buf letter = {0};
    int primes = 0;
    bool one = name_text(what, &letter, &primes);
    pw_buf_free(&letter);
    pw_math(&x->to, one ? "" : "\\left[", one ? "" : "lr([");
    write(x, what, 0);
    pw_math(&x->to, one ? "\\left(t - " : "\\right]_{t - ", one ? "(t - " : "])_(t - ");
    write(x, ex->arg[2], PRODUCT);
    pw_math(&x->to, one ? "\\right)" : "}", ")");
    return true;
  }
  if (strcmp(name, "noise") == 0 && ex->n_arg == 3) {
    pw_math(&x->to, "\\xi_{", "xi_(");
    write(x, ex->arg[1], 0);
    pw_math(&x->to, "}\\left(t\\right)", ")(t)");
    return true;
  }
  return false;
}

/* dot, cross, norm, sum and the functions of the language. */
static void write_call(pw_export *x, const pw_ex *ex) {
  const char *name = ex->arg[0]->kind == PW_EX_NAME ? ex->arg[0]->name : "";
  int n = ex->n_arg - 1;
  if (write_signal(x, ex, name)) {
    return;
  }
  if (strcmp(name, "if") == 0 && n == 3) {
    pw_math(&x->to, "\\begin{cases} ", "cases(");
    write(x, ex->arg[2], 0);
    pw_math(&x->to, " & ", " & quad \"if\" ");
    write(x, ex->arg[1], 0);
    pw_math(&x->to, " \\\\ ", ", ");
    write(x, ex->arg[3], 0);
    pw_math(&x->to, " & \\text{else} \\end{cases}", " & quad \"else\")");
    return;
  }

  /* functions with special notation */
  if (strcmp(name, "sum") == 0 && n == 1 && ex->arg[1]->kind == PW_EX_EACH) {
    write(x, ex->arg[1], 0);
  } else if ((strcmp(name, "dot") == 0 || strcmp(name, "cross") == 0) && n == 2) {
    write(x, ex->arg[1], PRODUCT);
    pw_math(&x->to, name[0] == 'd' ? " \\cdot " : " \\times ",
            name[0] == 'd' ? " dot.op " : " times ");
    write(x, ex->arg[2], SIGNED);
  } else if ((strcmp(name, "norm") == 0 || strcmp(name, "abs") == 0) && n == 1) {
    bool norm = name[0] == 'n';
    pw_math(&x->to, norm ? "\\left\\|" : "\\left|", norm ? "norm(" : "abs(");
    write(x, ex->arg[1], 0);
    pw_math(&x->to, norm ? "\\right\\|" : "\\right|", ")");
  } else if (strcmp(name, "sqrt") == 0 && n == 1) {
    pw_math(&x->to, "\\sqrt{", "sqrt(");
    write(x, ex->arg[1], 0);
    pw_math(&x->to, "}", ")");
  } else if (strcmp(name, "force") == 0 && n == 1) {
    pw_math(&x->to, "\\lambda_{", "lambda_(");
    write(x, ex->arg[1], 0);
    pw_math(&x->to, "}", ")");
  } else if (is_defined(x, name)) {
    pw_math_name(&x->to, name, 0);
    pw_math(&x->to, "\\left(", "(");
    write_list(x, ex, 1);
    pw_math(&x->to, "\\right)", ")");
  } else {
    pw_math_function(&x->to, name);
    if (pw_is_latex(&x->to) && n == 1 && ex->arg[1]->kind == PW_EX_NAME &&
        is_angle_function(name)) {
      pw_buf_puts(x->to.out, " ");
      write(x, ex->arg[1], 0);
      return;
    }
    pw_math(&x->to, "\\left(", "(");
    write_list(x, ex, 1);
    pw_math(&x->to, "\\right)", ")");
  }
}

/* sin^2 theta: the power of a function is attached to its name. */
static bool write_function_power(pw_export *x, const pw_ex *ex) {
  const pw_ex *call = ex->arg[0];
  bool fits = call->kind == PW_EX_CALL && call->n_arg == 2 && call->arg[0]->kind == PW_EX_NAME &&
              is_angle_function(call->arg[0]->name) && is_number(ex->arg[1]) &&
              ex->arg[1]->value > 0;
  if (!fits) {
    return false;
  }
  bool letter = pw_is_latex(&x->to) && call->arg[1]->kind == PW_EX_NAME;
  pw_math_function(&x->to, call->arg[0]->name);
  pw_math(&x->to, "^{", "^(");
  write(x, ex->arg[1], 0);
  pw_math(&x->to, letter ? "} " : "}\\left(", ")(");
  write(x, call->arg[1], 0);
  pw_math(&x->to, letter ? "" : "\\right)", ")");
  return true;
}

static void write_each(pw_export *x, const pw_ex *ex) {
  pw_math(&x->to, "\\sum_{", "sum_(");
  pw_math_name(&x->to, ex->name, 0);
  pw_buf_puts(x->to.out, " = ");
  write(x, ex->arg[0], 0);
  pw_math(&x->to, "}^{", ")^(");
  write(x, ex->arg[1], 0);
  pw_math(&x->to, "} ", ") ");
  write(x, ex->arg[2], PRODUCT);
}

/* The text between the operands of a binary node, and around a fraction. */
static void write_operator(pw_export *x, const pw_ex *ex) {
  const pw_ex *right = ex->arg[1];
  bool digits = is_number(right) || (right->kind == PW_EX_POW && is_number(right->arg[0]));
  switch (ex->kind) {
  case PW_EX_ADD: pw_buf_puts(x->to.out, " + "); break;
  case PW_EX_SUB: pw_buf_puts(x->to.out, " - "); break;
  case PW_EX_DIV: pw_math(&x->to, "}{", ", "); break;
  case PW_EX_AND: pw_math(&x->to, " \\wedge ", " and "); break;
  case PW_EX_OR: pw_math(&x->to, " \\vee ", " or "); break;
  default: pw_math(&x->to, digits ? " \\cdot " : " ", digits ? " dot.op " : " "); /* 2*3 */
  }
}

/* Binding that the right operand needs; the left one needs that of the node itself. */
static int need_right(const pw_ex *ex) {
  return ex->kind == PW_EX_ADD || ex->kind == PW_EX_SUB ? PRODUCT
         : ex->kind == PW_EX_MUL                        ? SIGNED
                                                        : 0;
}

static int need_left(const pw_ex *ex) {
  return ex->kind == PW_EX_DIV ? 0 : binding(ex) == ATOM ? 0 : binding(ex);
}

static void write_spine(pw_export *x, const pw_ex *ex) {
  pw_spine spine;
  if (!pw_spine_init(&spine, ex)) {
    x->to.out->failed = true;
    return;
  }
  for (int i = 0; i < spine.n; i++) {
    bool bracket = i > 0 && binding(spine.items[i]) < need_left(spine.items[i - 1]);
    pw_math(&x->to, bracket ? "\\left(" : "", bracket ? "(" : "");
    if (spine.items[i]->kind == PW_EX_DIV) {
      pw_math(&x->to, "\\frac{", "frac(");
    }
  }
  const pw_ex *last = spine.items[spine.n - 1];
  write(x, last->arg[0], need_left(last));
  for (int i = spine.n - 1; i >= 0; i--) {
    const pw_ex *e = spine.items[i];
    bool bracket = i > 0 && binding(e) < need_left(spine.items[i - 1]);
    write_operator(x, e);
    write(x, e->arg[1], need_right(e));
    if (e->kind == PW_EX_DIV) {
      pw_math(&x->to, "}", ")");
    }
    pw_math(&x->to, bracket ? "\\right)" : "", bracket ? ")" : "");
  }
  pw_spine_free(&spine);
}

static void write_condition(pw_export *x, const pw_ex *ex) {
  static const char *const latex[] = {" > ", " \\ge ", " < ", " \\le "};
  static const char *const typst[] = {" > ", " >= ", " < ", " <= "};
  int k = (int)ex->kind - (int)PW_EX_GT;
  write(x, ex->arg[0], SUM);
  pw_math(&x->to, latex[k], typst[k]);
  write(x, ex->arg[1], SUM);
}

/* A number in SI, as the model has it after its unit is read. */
static void write_number(pw_export *x, const pw_ex *ex) {
  double factor = 1;
  pw_dim dim;
  if (ex->unit != NULL && !pw_unit_resolve(ex->unit, NULL, &factor, &dim)) {
    factor = 1;
  }
  pw_math_number(&x->to, ex->value * factor);
}

/* The base of a power: a fraction gets brackets. */
static void write_base(pw_export *x, const pw_ex *ex) {
  bool bracket = ex->kind == PW_EX_DIV;
  pw_math(&x->to, bracket ? "\\left(" : "", bracket ? "(" : "");
  write(x, ex, ATOM);
  pw_math(&x->to, bracket ? "\\right)" : "", bracket ? ")" : "");
}

static void write_inner(pw_export *x, const pw_ex *ex) {
  switch (ex->kind) {
  case PW_EX_NUM: write_number(x, ex); break;
  case PW_EX_NEG:
    pw_buf_puts(x->to.out, "-");
    write(x, ex->arg[0], PRODUCT);
    break;
  case PW_EX_POS: write(x, ex->arg[0], PRODUCT); break;
  case PW_EX_POW:
    if (write_function_power(x, ex)) {
      break;
    }
    write_base(x, ex->arg[0]);
    pw_math(&x->to, "^{", "^(");
    write(x, ex->arg[1], 0);
    pw_math(&x->to, "}", ")");
    break;
  case PW_EX_PRIME: write_prime(x, ex); break;
  case PW_EX_INDEX:
    write(x, ex->arg[0], ATOM);
    pw_math(&x->to, "_{", "_(");
    write(x, ex->arg[1], 0);
    pw_math(&x->to, "}", ")");
    break;
  case PW_EX_FIELD:
    write(x, ex->arg[0], ATOM);
    pw_math(&x->to, ".", ".");
    pw_math_name(&x->to, ex->name, 0);
    break;
  case PW_EX_CALL: write_call(x, ex); break;
  case PW_EX_VECTOR:
    pw_math(&x->to, "\\left(", "(");
    write_list(x, ex, 0);
    pw_math(&x->to, "\\right)", ")");
    break;
  case PW_EX_EACH: write_each(x, ex); break;
  case PW_EX_NAME: break; /* a reference */
  default: write_condition(x, ex);
  }
}

static void write(pw_export *x, const pw_ex *ex, int need) {
  if (write_reference(x, ex)) {
    return;
  }
  bool bracket = binding(ex) < need;
  pw_math(&x->to, bracket ? "\\left(" : "", bracket ? "(" : "");
  if (pw_ex_is_binary(ex)) {
    write_spine(x, ex);
  } else {
    write_inner(x, ex);
  }
  pw_math(&x->to, bracket ? "\\right)" : "", bracket ? ")" : "");
}

void pw_write_ex(pw_export *x, const pw_ex *ex) {
  write(x, ex, 0);
}

void pw_write_relation(pw_export *x, const pw_rel *rel) {
  static const char *const latex[] = {" = ", " \\ge ", " \\le "};
  static const char *const typst[] = {" = ", " >= ", " <= "};
  write(x, rel->left, SUM);
  pw_math(&x->to, latex[rel->op], typst[rel->op]);
  write(x, rel->right, SUM);
}

/* ---- left sides of definitions ---- */

void pw_write_defined(pw_export *x, const pw_st_let *let) {
  char name[200];
  bool family = let->label.index.text != NULL;
  snprintf(name, sizeof name, "%.90s[%.90s]", let->label.name.text,
           family ? let->label.index.text : "");
  pw_math_name(&x->to, family ? name : let->label.name.text, 0);
  for (int k = 0; k < let->n_arg; k++) {
    pw_buf_puts(x->to.out, k == 0 ? "(" : ", ");
    pw_math_name(&x->to, let->args[k].text, 0);
    pw_buf_puts(x->to.out, k == let->n_arg - 1 ? ")" : "");
  }
}

void pw_write_indices(pw_export *x, const pw_heading *label) {
  if (label->index.text == NULL) {
    return;
  }
  pw_math(&x->to, ", \\quad ", ", quad ");
  pw_math_name(&x->to, label->index.text, 0);
  pw_buf_puts(x->to.out, " = ");
  pw_write_ex(x, label->from);
  pw_math(&x->to, ", \\dots, ", ", dots, ");
  pw_write_ex(x, label->to);
}
