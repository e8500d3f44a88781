// SPDX-License-Identifier: MIT
/* Signals in print: tables with their points, states as equations of first order, samples that are
 * held, inputs, delays f(t - T) and noise. */
#include "export/write_signal.h"

#include <string.h>

#include "lang/print.h"

enum { MOST_POINTS = 12, FIRST_POINTS = 4, LAST_POINTS = 2, POINTS_IN_LINE = 6 };

/* ---- delays and noise, as letters of the equations ---- */

static bool is_one_letter(const pw_export *x, pw_node value) {
  const pw_dag *dag = x->polys.dag;
  return pw_node_op(dag, value) == PW_OP_VAR && pw_var_kind(pw_node_var(dag, value)) != PW_VAR_TIME;
}

static void put_ago(pw_export *x, pw_node lag) {
  const pw_poly *T = pw_poly_of(&x->polys, lag);
  pw_math(&x->to, "t - ", "t - ");
  pw_math(&x->to, T->n > 1 ? "\\left(" : "", T->n > 1 ? "(" : "");
  pw_write_node(x, lag);
  pw_math(&x->to, T->n > 1 ? "\\right)" : "", T->n > 1 ? ")" : "");
}

void pw_write_spelled(pw_export *x, const pw_spelled *s) {
  if (s->noise) {
    pw_buf_printf(x->to.out, pw_is_latex(&x->to) ? "\\xi_{%.0f}\\left(t\\right)" : "xi_(%.0f)(t)",
                  s->seed);
  } else if (is_one_letter(x, s->value)) {
    pw_write_node(x, s->value);
    pw_math(&x->to, "\\left(", "(");
    put_ago(x, s->lag);
    pw_math(&x->to, "\\right)", ")");
  } else {
    pw_math(&x->to, "\\left[", "lr([");
    pw_write_node(x, s->value);
    pw_math(&x->to, "\\right]_{", "])_(");
    put_ago(x, s->lag);
    pw_math(&x->to, "}", ")");
  }
}

/* ---- lines of the section ---- */

static void put_text(pw_export *x, const char *text) {
  pw_math(&x->to, "\\text{", "\"");
  pw_math_text(&x->to, text);
  pw_math(&x->to, "}", "\"");
}

static bool has_word(const pw_stmt *s, const char *word) {
  for (int i = 0; i < s->u.table.words.n; i++) {
    if (strcmp(s->u.table.words.items[i].text, word) == 0) {
      return true;
    }
  }
  return false;
}

/* Points as they are written; of many the first and the last. */
static void put_points(pw_export *x, pw_ex *const *points, int n) {
  int shown = 0;
  for (int i = 0; i < n; i++) {
    if (n > MOST_POINTS && i == FIRST_POINTS) {
      pw_math(&x->to, ", \\ldots", ", dots");
      i = n - LAST_POINTS;
    }
    pw_buf_puts(x->to.out, i == 0 ? "" : ", ");
    if (shown > 0 && shown % POINTS_IN_LINE == 0) {
      pw_math(&x->to, " \\\\\n & \\qquad ", " \\\n & quad quad ");
    }
    pw_write_ex(x, points[i]);
    shown++;
  }
}

static void put_file(pw_export *x, const char *path) {
  put_text(x, "the points of ");
  put_text(x, path);
}

static void put_units(pw_export *x, const pw_stmt *s) {
  const struct {
    const char *name;
    const pw_unit *unit;
  } both[2] = {{s->u.table.arg.text, s->u.table.arg_unit}, {s->u.table.name.text, s->u.table.unit}};
  for (int i = 0; i < 2; i++) {
    if (both[i].unit != NULL) {
      pw_buf_puts(x->to.out, ", ");
      pw_math_name(&x->to, both[i].name, 0);
      put_text(x, " in ");
      pw_buf unit = {0};
      pw_print_unit(&unit, both[i].unit);
      put_text(x, unit.failed ? "" : unit.text);
      x->to.out->failed = x->to.out->failed || unit.failed;
      pw_buf_free(&unit);
    }
  }
}

static void put_table(pw_export *x, const pw_stmt *s) {
  bool cubic = has_word(s, "cubic"), monotone = has_word(s, "monotone");
  pw_math_name(&x->to, s->u.table.name.text, 0);
  pw_math(&x->to, "\\left(", "(");
  pw_math_name(&x->to, s->u.table.arg.text, 0);
  pw_math(&x->to, "\\right): \\quad & ", "): quad & ");
  put_text(x, cubic      ? "the natural cubic spline through "
              : monotone ? "the monotone cubic through "
                         : "linear between ");
  if (s->u.table.data.path != NULL) {
    put_file(x, s->u.table.data.path);
  } else {
    put_points(x, s->u.table.points.items, s->u.table.points.n);
  }
  put_text(x, has_word(s, "periodic") ? ", periodic"
              : has_word(s, "extend") ? ", extended by its last pieces"
                                      : ", constant outside");
  put_units(x, s);
}

static void put_state(pw_export *x, const pw_def *def) {
  pw_math_name(&x->to, def->name.text, 1);
  pw_math(&x->to, " &= ", " &= ");
  pw_write_ex(x, def->ex);
}

/* u(t) = [...] at t_k for t_k < t <= t_k+1, signals (I7) */
static void put_sample(pw_export *x, const pw_stmt *s) {
  pw_math_name(&x->to, s->u.sample.name.text, 0);
  pw_math(&x->to, "\\left(t\\right) &= \\left[", "(t) &= lr([");
  pw_write_ex(x, s->u.sample.ex);
  pw_math(&x->to,
          "\\right]_{t_{\\nu}}, \\quad t_{\\nu} < t \\le t_{\\nu+1}, \\quad t_{\\nu} = t_{0} + "
          "\\nu \\cdot ",
          "])_(t_nu), quad t_nu < t <= t_(nu+1), quad t_nu = t_0 + nu dot.op ");
  pw_write_coefficient(x, s->u.sample.every);
}

static void put_input(pw_export *x, const pw_input *in) {
  pw_math_name(&x->to, in->name.text, 0);
  pw_math(&x->to, "\\left(t\\right): \\quad & ", "(t): quad & ");
  if (in->points.n > 0) {
    put_text(x, "linear between ");
    put_points(x, in->points.items, in->points.n);
  } else if (in->data.path != NULL) {
    put_text(x, "linear between ");
    put_file(x, in->data.path);
  } else {
    put_text(x, "from outside, ");
    pw_write_ex(x, in->value);
    put_text(x, " unless it is set");
  }
}

static void put_noise(pw_export *x, const pw_spelled *s) {
  pw_write_spelled(x, s);
  pw_math(
      &x->to,
      " &= \\frac{1}{4} \\sum_{k=1}^{32} \\cos\\left(2 \\pi f_{k} t + \\varphi_{k}\\right), \\quad "
      "f_{k} \\in \\left[\\frac{k-1}{32}, \\frac{k}{32}\\right] \\cdot ",
      " &= frac(1, 4) sum_(k=1)^(32) cos(2 pi f_k t + phi_k), quad f_k in [frac(k - 1, 32), "
      "frac(k, 32)] dot.op ");
  pw_write_node(x, s->value);
  pw_math(&x->to, "\\,\\mathrm{Hz}", " thin upright(\"Hz\")");
  put_text(x, ", frequencies and phases from the seed");
}

/* One line for each, preceded by the output of `begin`. */
void pw_write_signals(pw_export *x, void (*begin)(void *payload), void *payload) {
  const pw_model *m = x->model;
  bool delays = false;
  for (int i = 0; i < m->ast->n; i++) {
    const pw_stmt *s = m->ast->items[i];
    for (int k = 0; s->kind == PW_ST_STATE && k < s->u.output.n; k++) {
      begin(payload);
      put_state(x, &s->u.output.items[k]);
    }
    for (int k = 0; s->kind == PW_ST_INPUT && k < s->u.input.n; k++) {
      begin(payload);
      put_input(x, &s->u.input.items[k]);
    }
    if (s->kind == PW_ST_SAMPLE || s->kind == PW_ST_TABLE) {
      begin(payload);
      (s->kind == PW_ST_SAMPLE ? put_sample : put_table)(x, s);
    }
  }

  for (int i = 0; i < m->spelled.n; i++) {
    delays = delays || !m->spelled.items[i].noise;
    if (m->spelled.items[i].noise) {
      begin(payload);
      put_noise(x, &m->spelled.items[i]);
    }
  }

  if (delays) {
    begin(payload);
    pw_math(&x->to, "f\\left(t - T\\right) &= f\\left(t_{0}\\right)", "f(t - T) &= f(t_0)");
    put_text(x, " before the start, for every delay");
  }
}
