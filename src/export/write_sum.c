// SPDX-License-Identifier: MIT
/* Sums of products. Terms that differ in parameters alone are collected: (m_1 + m_2) l sin a. */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>

#include "export/write_signal.h"
#include "system/lagrange.h"

static void write_product(pw_export *x, const pw_term *t);

/* ---- atoms ---- */

static bool is_parameter(const pw_export *x, pw_node atom) {
  const pw_dag *dag = x->polys.dag;
  return pw_node_op(dag, atom) == PW_OP_VAR &&
         pw_var_kind(pw_node_var(dag, atom)) == PW_VAR_PARAMETER &&
         pw_var_index(pw_node_var(dag, atom)) < PW_SPELLED;
}

static void write_brackets(pw_export *x, pw_node inside) {
  pw_math(&x->to, "\\left(", "(");
  pw_write_node(x, inside);
  pw_math(&x->to, "\\right)", ")");
}

/* A variable: x with its dots; the velocity of a rotation has its own letter. */
static void write_variable(pw_export *x, int var) {
  const pw_model *m = x->model;
  int i = pw_var_index(var);
  switch (pw_var_kind(var)) {
  case PW_VAR_U:
  case PW_VAR_A: {
    bool acceleration = pw_var_kind(var) == PW_VAR_A;
    for (int c = 0; c < m->coords.n; c++) {
      const pw_coord *k = &m->coords.items[c];
      if (!k->is_rotation && k->u == i) {
        pw_math_name(&x->to, k->name, acceleration ? 2 : 1);
        return;
      }
    }
    pw_math_name(&x->to, pw_model_var_name(m, pw_var_of(PW_VAR_U, i)), acceleration);
    return;
  }
  case PW_VAR_Q:
    if (i >= m->nq) {
      /* positions after the last are multipliers that are states */
      int row = pw_next_state(m, -1);
      for (int k = m->nq; k < i; k++) {
        row = pw_next_state(m, row);
      }
      pw_math(&x->to, "\\lambda_{\\mathrm{", "lambda_(upright(\"");
      pw_math_text(&x->to, m->rows.items[row].name);
      pw_math(&x->to, "}}", "\"))");
      return;
    }
    pw_math_name(&x->to, m->q_name[i], 0);
    return;
  case PW_VAR_PARAMETER:
    if (i >= PW_SPELLED) {
      pw_write_spelled(x, &m->spelled.items[i - PW_SPELLED]);
      return;
    }
    pw_math_name(&x->to, pw_model_var_name(m, var), 0);
    return;
  default: pw_math_name(&x->to, pw_model_var_name(m, var), 0);
  }
}

static bool is_spelled(const pw_export *x, pw_node atom) {
  const pw_dag *dag = x->polys.dag;
  return pw_node_op(dag, atom) == PW_OP_VAR &&
         pw_var_kind(pw_node_var(dag, atom)) == PW_VAR_PARAMETER && !is_parameter(x, atom);
}

/* M(w), its derivatives M'(w), M''(w). */
static void write_table(pw_export *x, pw_node atom) {
  const pw_dag *dag = x->polys.dag;
  int order, table = pw_node_table(dag, atom, &order);
  const char *name = pw_dag_table(dag, table)->name;
  pw_math_name(&x->to, name == NULL ? "f" : name, 0);
  for (int k = 0; k < order; k++) {
    pw_buf_puts(x->to.out, "'");
  }
  write_brackets(x, pw_node_arg(dag, atom, 0));
}

static void write_cases(pw_export *x, pw_node atom) {
  const pw_dag *dag = x->polys.dag;
  pw_node condition = pw_node_arg(dag, atom, 0);
  bool mode = pw_node_op(dag, condition) == PW_OP_VAR &&
              pw_var_kind(pw_node_var(dag, condition)) == PW_VAR_MODE;
  if (mode) {
    condition = x->switches->c.items[pw_var_index(pw_node_var(dag, condition))];
  }
  pw_math(&x->to, "\\begin{cases} ", "cases(");
  pw_write_node(x, pw_node_arg(dag, atom, 1));
  pw_math(&x->to, " & ", " quad \"if\" ");
  pw_write_node(x, condition);
  pw_math(&x->to, " \\ge 0 \\\\ ", " >= 0, ");
  pw_write_node(x, pw_node_arg(dag, atom, 2));
  pw_math(&x->to, " & \\text{else} \\end{cases}", " quad \"else\")");
}

static bool is_letter(const pw_export *x, pw_node node) {
  return pw_node_op(x->polys.dag, node) == PW_OP_VAR;
}

static const char *function_of(pw_op op) {
  static const char *const table[] = {
#define TEXT(name, n, text) text,
      PW_OP_LIST(TEXT)
#undef TEXT
  };
  return table[op];
}

/* A function with its power between name and argument: sin^2 theta. */
static void write_function(pw_export *x, pw_node atom, int power) {
  const pw_dag *dag = x->polys.dag;
  pw_op op = pw_node_op(dag, atom);
  pw_math_function(&x->to, function_of(op));
  if (power != 1) {
    pw_buf_printf(x->to.out, pw_is_latex(&x->to) ? "^{%d}" : "^(%d)", power);
  }
  if ((op == PW_OP_SIN || op == PW_OP_COS) && is_letter(x, pw_node_arg(dag, atom, 0)) &&
      pw_is_latex(&x->to)) {
    pw_buf_puts(x->to.out, " ");
    pw_write_node(x, pw_node_arg(dag, atom, 0));
    return;
  }
  bool two = op == PW_OP_ATAN2 || op == PW_OP_MIN || op == PW_OP_MAX;
  pw_math(&x->to, "\\left(", "(");
  pw_write_node(x, pw_node_arg(dag, atom, 0));
  if (two) {
    pw_buf_puts(x->to.out, ", ");
    pw_write_node(x, pw_node_arg(dag, atom, 1));
  }
  pw_math(&x->to, "\\right)", ")");
}

static void write_power(pw_export *x, int power) {
  if (power != 1) {
    pw_buf_printf(x->to.out, pw_is_latex(&x->to) ? "^{%d}" : "^(%d)", power);
  }
}

static void write_real_power(pw_export *x, pw_node atom) {
  const pw_dag *dag = x->polys.dag;
  write_brackets(x, pw_node_arg(dag, atom, 0));
  pw_math(&x->to, "^{", "^(");
  pw_write_node(x, pw_node_arg(dag, atom, 1));
  pw_math(&x->to, "}", ")");
}

static void write_square(pw_export *x, pw_node a) {
  if (is_letter(x, a)) {
    pw_write_node(x, a);
  } else {
    write_brackets(x, a);
  }
  write_power(x, 2);
}

static void write_atom(pw_export *x, pw_node atom, int power) {
  const pw_dag *dag = x->polys.dag;
  pw_op op = pw_node_op(dag, atom);
  int name = pw_poly_name(&x->polys, atom);
  if (name >= 0) {
    pw_buf_printf(x->to.out, pw_is_latex(&x->to) ? "E_{%d}" : "E_(%d)", name + 1);
    write_power(x, power);
    return;
  }
  if (power != 1 && (op == PW_OP_TABLE || is_spelled(x, atom))) {
    write_brackets(x, atom);
    write_power(x, power);
    return;
  }

  switch (op) {
  case PW_OP_VAR: write_variable(x, pw_node_var(dag, atom)); break;
  case PW_OP_TABLE: write_table(x, atom); break;
  case PW_OP_SQRT:
    pw_math(&x->to, "\\sqrt{", "sqrt(");
    pw_write_node(x, pw_node_arg(dag, atom, 0));
    pw_math(&x->to, "}", ")");
    break;
  case PW_OP_HYPOT:
    pw_math(&x->to, "\\sqrt{", "sqrt(");
    write_square(x, pw_node_arg(dag, atom, 0));
    pw_buf_puts(x->to.out, " + ");
    write_square(x, pw_node_arg(dag, atom, 1));
    pw_math(&x->to, "}", ")");
    break;
  case PW_OP_ABS:
    pw_math(&x->to, "\\left|", "abs(");
    pw_write_node(x, pw_node_arg(dag, atom, 0));
    pw_math(&x->to, "\\right|", ")");
    break;
  case PW_OP_POW: write_real_power(x, atom); break;
  case PW_OP_SELECT: write_cases(x, atom); break;
  case PW_OP_ADD:
  case PW_OP_SUB:
  case PW_OP_NEG:
  case PW_OP_MUL:
  case PW_OP_DIV:
  case PW_OP_POWI:
  case PW_OP_CONST: write_brackets(x, atom); break;
  default: write_function(x, atom, power); return;
  }
  write_power(x, power);
}

/* ---- products ---- */

/* Parameters, then coordinates and functions, velocities last. */
static int rank(const pw_export *x, pw_node atom) {
  const pw_dag *dag = x->polys.dag;
  if (pw_node_op(dag, atom) != PW_OP_VAR) {
    return pw_poly_name(&x->polys, atom) >= 0 ? 5 : 2;
  }
  switch (pw_var_kind(pw_node_var(dag, atom))) {
  case PW_VAR_PARAMETER: return 0;
  case PW_VAR_U: return 3;
  case PW_VAR_A: return 4;
  default: return 1;
  }
}

static void write_factors(pw_export *x, const pw_term *t, int sign, bool begun) {
  for (int r = 0; r <= 5; r++) {
    for (int i = 0; i < t->n; i++) {
      int power = sign * t->factor[i].power;
      if (power > 0 && rank(x, t->factor[i].atom) == r) {
        pw_buf_puts(x->to.out, begun ? " " : "");
        write_atom(x, t->factor[i].atom, power);
        begun = true;
      }
    }
  }
  if (!begun) {
    pw_buf_puts(x->to.out, "1");
  }
}

/* |coefficient| and factors; factors with a negative power are below the fraction line. */
static void write_product(pw_export *x, const pw_term *t) {
  int64_t above = 1, below = 1;
  double size = fabs(t->coefficient);
  bool under = false, over = false;
  for (int i = 0; i < t->n; i++) {
    under = under || t->factor[i].power < 0;
    over = over || t->factor[i].power > 0;
  }
  bool fraction = pw_is_fraction(size, &above, &below);
  if (!fraction) {
    above = below = 1;
  }

  if (!under) {
    bool shown = size != 1 || !over;
    if (fraction) {
      pw_buf_printf(x->to.out,
                    pw_is_latex(&x->to) ? "\\frac{%" PRId64 "}{%" PRId64 "}"
                                        : "frac(%" PRId64 ", %" PRId64 ")",
                    above, below);
    } else if (shown) {
      pw_math_number(&x->to, size);
    }
    if (over) {
      write_factors(x, t, 1, shown);
    }
    return;
  }

  /* factors with negative powers are below the line */
  pw_math(&x->to, "\\frac{", "frac(");
  bool number = fraction ? above != 1 : size != 1;
  if (number) {
    pw_math_number(&x->to, fraction ? (double)above : size);
  }
  if (over || !number) {
    write_factors(x, t, 1, number);
  }
  pw_math(&x->to, "}{", ", ");
  if (below != 1) {
    pw_math_number(&x->to, (double)below);
  }
  write_factors(x, t, -1, below != 1);
  pw_math(&x->to, "}", ")");
}

static void write_sign(pw_export *x, double coefficient, bool more) {
  if (coefficient < 0) {
    pw_buf_puts(x->to.out, more ? " - " : "-");
  } else if (more) {
    pw_buf_puts(x->to.out, " + ");
  }
}

/* ---- sums ---- */

/* The part of a term that moves, and the part made of parameters and numbers. */
static void split(pw_export *x, const pw_term *t, pw_term *moving, pw_term *fixed) {
  *moving = (pw_term){.coefficient = 1, .factor = PW_TAKE(x->polys.arena, t->n + 1, pw_factor)};
  *fixed = (pw_term){.coefficient = t->coefficient,
                     .factor = PW_TAKE(x->polys.arena, t->n + 1, pw_factor)};
  for (int i = 0; i < t->n; i++) {
    pw_term *to = is_parameter(x, t->factor[i].atom) ? fixed : moving;
    to->factor[to->n++] = t->factor[i];
  }
}

static bool same_factors(const pw_term *a, const pw_term *b) {
  bool same = a->n == b->n;
  for (int i = 0; same && i < a->n; i++) {
    same = a->factor[i].atom == b->factor[i].atom && a->factor[i].power == b->factor[i].power;
  }
  return same;
}

/* Sign of a sum: that of its first term. */
static double sign_of(const pw_poly *a) {
  return a->n > 0 && a->term[0].coefficient < 0 ? -1 : 1;
}

/* common (rest): both without a sign, which is that of the rest. */
static void write_grouped(pw_export *x, const pw_poly *fixed, const pw_term *moving, bool more) {
  pw_term common = pw_poly_common(&x->polys, fixed);
  common.coefficient *= sign_of(fixed);
  pw_poly rest = pw_poly_divide(&x->polys, fixed, &common);
  write_sign(x, common.coefficient, more);
  bool number = fabs(common.coefficient) != 1 || common.n > 0;
  if (number) {
    write_product(x, &common);
    pw_buf_puts(x->to.out, " ");
  }
  pw_math(&x->to, "\\left(", "(");
  pw_write_sum(x, &rest, false);
  pw_math(&x->to, "\\right)", ")");
  if (moving->n > 0) {
    pw_buf_puts(x->to.out, " ");
    write_product(x, moving);
  }
}

static pw_term joined(pw_export *x, const pw_term *fixed, const pw_term *moving) {
  pw_poly one = {.term = PW_TAKE(x->polys.arena, 1, pw_term), .n = 1};
  pw_term inverse = {.coefficient = 1,
                     .factor = PW_TAKE(x->polys.arena, moving->n + 1, pw_factor),
                     .n = moving->n};
  one.term[0] = *fixed;
  for (int i = 0; i < moving->n; i++) {
    inverse.factor[i] = (pw_factor){moving->factor[i].atom, -moving->factor[i].power};
  }
  pw_poly out = pw_poly_divide(&x->polys, &one, &inverse);
  return out.term[0];
}

static void before_term(pw_export *x) {
  if (x->before_term != NULL && x->depth == 1) {
    x->before_term(x->payload);
  }
}

int pw_write_sum(pw_export *x, const pw_poly *a, bool more) {
  bool *done = PW_TAKE(x->polys.arena, a->n + 1, bool);
  int written = 0;
  x->depth++;
  for (int i = 0; i < a->n; i++) {
    if (done[i]) {
      continue;
    }
    pw_term moving, fixed, other_moving, other_fixed;
    split(x, &a->term[i], &moving, &fixed);

    /* terms with the same moving factors are one group: their constant factors are its
     * coefficient */
    pw_poly group = {.term = PW_TAKE(x->polys.arena, a->n, pw_term)};
    group.term[group.n++] = fixed;
    for (int j = i + 1; j < a->n; j++) {
      split(x, &a->term[j], &other_moving, &other_fixed);
      if (!done[j] && same_factors(&moving, &other_moving)) {
        group.term[group.n++] = other_fixed;
        done[j] = true;
      }
    }

    bool shared = group.n > 1 && (moving.n > 0 || pw_poly_common(&x->polys, &group).n > 0);
    if (!shared) {
      for (int k = 0; k < group.n; k++) {
        pw_term whole = joined(x, &group.term[k], &moving);
        before_term(x);
        write_sign(x, whole.coefficient, more || written > 0);
        write_product(x, &whole);
        written++;
      }
    } else {
      before_term(x);
      write_grouped(x, &group, &moving, more || written > 0);
      written++;
    }
  }
  if (a->n == 0) {
    pw_buf_puts(x->to.out, more ? " + 0" : "0");
    written = 1;
  }
  x->depth--;
  return written;
}

void pw_write_factor(pw_export *x, const pw_poly *a, bool more) {
  pw_term one = {.coefficient = 1};
  if (a->n == 1) {
    pw_term t = a->term[0];
    write_sign(x, t.coefficient, more);
    if (t.n > 0 || fabs(t.coefficient) != 1) {
      write_product(x, &t);
      pw_buf_puts(x->to.out, " ");
    }
    return;
  }
  write_grouped(x, a, &one, more);
  pw_buf_puts(x->to.out, " ");
}

void pw_write_node(pw_export *x, pw_node node) {
  pw_write_sum(x, pw_poly_of(&x->polys, node), false);
}
