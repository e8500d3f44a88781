// SPDX-License-Identifier: MIT
/* Tables: points written out or in a file, and how the curve goes between them. */
#include <math.h>
#include <string.h>

#include "law/scale_model.h"
#include "model/signal.h"
#include "model/units.h"

static bool report_point(pw_check *ck, const pw_points *p, int i) {
  double x = p->x[i], before = p->x[i - 1];
  pw_diag_ref d =
      pw_error(ck->diags, "E0234", p->at(p->ctx, i), "the points of %s do not rise", p->what);
  if (x == before) {
    pw_label(d, p->jumps ? "the third row at %s: two are a jump" : "a second point at %s",
             pw_format_real(ck, x));
  } else {
    pw_label(d, "%s comes after %s", pw_format_real(ck, x), pw_format_real(ck, before));
  }
  pw_second(d, p->at(p->ctx, i - 1), "the point before");
  pw_help(d, "sort the points by their first number%s", p->jumps ? "" : ", each once");
  return false;
}

bool pw_check_points(pw_check *ck, const pw_points *p, pw_span whole) {
  if (p->n < 2) {
    pw_diag_ref d = pw_error(ck->diags, "E0234", whole, "%s has too few points", p->what);
    pw_label(d, p->n == 0 ? "no point at all" : "a single point");
    pw_help(d, "a curve needs two points or more");
    return false;
  }
  for (int i = 1; i < p->n; i++) {
    bool pair = p->jumps && p->x[i] == p->x[i - 1] && (i < 2 || p->x[i - 2] < p->x[i - 1]);
    if (!(p->x[i] > p->x[i - 1]) && !pair) {
      return report_point(ck, p, i);
    }
  }
  return true;
}

/* Values so large, or points so close, that a curve through them has no slopes in numbers. */
static bool report_overflow(pw_check *ck, const pw_points *p, int piece) {
  pw_diag_ref d = pw_error(ck->diags, "E0234", p->at(p->ctx, piece + 1),
                           "%s is too steep to be computed", p->what);
  pw_label(d, "%s at %s", pw_format_real(ck, p->y[piece + 1]), pw_format_real(ck, p->x[piece + 1]));
  pw_second(d, p->at(p->ctx, piece), "the point before");
  pw_help(d, "look at the sizes of the numbers, or choose other units");
  return false;
}

bool pw_add_table(pw_check *ck, const pw_points *p, const pw_manner *how, int *out) {
  pw_lut *t = PW_NEW(ck->arena, pw_lut);
  *t = (pw_lut){.kind = how->kind,
                .name = p->name,
                .n = p->n,
                .x = p->x,
                .periodic = how->periodic,
                .extend = how->extend};
  t->jumps = p->jumps;
  pw_lut_fit(ck->arena, t, p->y);
  for (int k = 0; k < 4 * (p->n - 1); k++) {
    if (!isfinite(t->c[k])) {
      return report_overflow(ck, p, k / 4);
    }
  }
  *out = pw_dag_add_table(ck->dag, t);
  return true;
}

/* ---- the statement ---- */

static bool report_words(pw_check *ck, pw_name a, pw_name b) {
  pw_diag_ref d =
      pw_error(ck->diags, "E0235", b.span, "`%s` and `%s` exclude each other", a.text, b.text);
  pw_label(d, strcmp(a.text, b.text) == 0 ? "given twice" : "the second of them");
  pw_second(d, a.span, "the first");
  pw_help(d, "one of `linear`, `cubic`, `monotone`, and one of `periodic`, `extend` or neither");
  return false;
}

static bool find_manner(pw_check *ck, pw_manner *out) {
  const pw_stmt *s = ck->stmt;
  const pw_name *curve = NULL, *outside = NULL;
  for (int i = 0; i < s->u.table.words.n; i++) {
    const pw_name *w = &s->u.table.words.items[i];
    bool ends = strcmp(w->text, "periodic") == 0 || strcmp(w->text, "extend") == 0;
    const pw_name **which = ends ? &outside : &curve;
    if (*which != NULL) {
      return report_words(ck, **which, *w);
    }
    *which = w;
  }
  *out = (pw_manner){.kind = curve == NULL || strcmp(curve->text, "linear") == 0 ? PW_LUT_LINEAR
                             : strcmp(curve->text, "cubic") == 0                 ? PW_LUT_CUBIC
                                                                                 : PW_LUT_MONOTONE,
                     .periodic = outside != NULL && strcmp(outside->text, "periodic") == 0,
                     .extend = outside != NULL && strcmp(outside->text, "extend") == 0};
  return true;
}

static pw_span point_span(const void *ctx, int i) {
  const pw_stmt *s = ctx;
  return s->u.table.points.items[i]->span;
}

typedef struct row_places {
  const pw_check *ck;
  const pw_numbers *numbers;
} row_places;

static pw_span row_span(const void *ctx, int i) {
  const row_places *r = ctx;
  return pw_number_row(r->ck, r->numbers, i);
}

static bool factor_of(pw_check *ck, const pw_unit *unit, double *out) {
  pw_dim dim;
  *out = 1;
  return unit == NULL || pw_unit_resolve(unit, ck->diags, out, &dim);
}

static bool written_points(pw_check *ck, double *x, double *y) {
  const pw_stmt *s = ck->stmt;
  bool ok = true;
  for (int i = 0; i < s->u.table.points.n; i++) {
    const pw_ex *point = s->u.table.points.items[i];
    ok = pw_elab_const(ck, point->arg[0], 0, "the place of a point", &x[i]) && ok;
    ok = pw_elab_const(ck, point->arg[1], 0, "the value at a point", &y[i]) && ok;
  }
  return ok;
}

static bool filed_points(pw_check *ck, const pw_numbers *n, double *x, double *y) {
  if (n->columns != 2 && n->rows > 0) {
    pw_diag_ref d = pw_error(ck->diags, "E0653", ck->stmt->u.table.data.span,
                             "a table is read from two columns");
    pw_label(d, "this file has %d", n->columns);
    pw_help(d, "keep the column of the argument and that of the value");
    return false;
  }
  for (int i = 0; i < n->rows; i++) {
    x[i] = n->value[2 * i];
    y[i] = n->value[2 * i + 1];
  }
  return true;
}

static bool closes(pw_check *ck, const pw_points *p) {
  double size = 0, gap = fabs(p->y[p->n - 1] - p->y[0]);
  for (int i = 0; i < p->n; i++) {
    size = fmax(size, fabs(p->y[i]));
  }
  if (gap <= PW_SCALE(TABLE_CLOSES) * size) {
    return true;
  }
  pw_diag_ref d = pw_error(ck->diags, "E0235", p->at(p->ctx, p->n - 1),
                           "%s is periodic, but does not close", p->what);
  pw_label(d, "the last value is %s, the first %s", pw_format_real(ck, p->y[p->n - 1]),
           pw_format_real(ck, p->y[0]));
  pw_help(d, "give both ends of the period the same value");
  return false;
}

static bool read_table(pw_check *ck, const pw_manner *how, int *table) {
  const pw_stmt *s = ck->stmt;
  pw_numbers numbers = {0};
  double by_x, by_y;
  bool filed = s->u.table.data.path != NULL;

  /* Units of the two columns, and the numbers of a file. */
  if (!factor_of(ck, s->u.table.arg_unit, &by_x) || !factor_of(ck, s->u.table.unit, &by_y) ||
      (filed && (s->u.table.data.file < 0 ||
                 !pw_read_numbers(ck, s->u.table.data.file, s->u.table.data.span, &numbers)))) {
    return false;
  }

  /* The points in base units, from the file or from the text. */
  int n = filed ? numbers.rows : s->u.table.points.n;
  double *x = PW_TAKE(ck->arena, n + 1, double), *y = PW_TAKE(ck->arena, n + 1, double);
  if (!pw_spend(ck, n) || !(filed ? filed_points(ck, &numbers, x, y) : written_points(ck, x, y))) {
    return false;
  }
  for (int i = 0; i < n; i++) {
    x[i] *= by_x;
    y[i] *= by_y;
  }

  /* Arguments must increase. A periodic table ends with the value it begins with. */
  row_places places = {ck, &numbers};
  pw_points p = {.x = x,
                 .y = y,
                 .n = n,
                 .what = pw_format_text(ck, "table `%s`", s->u.table.name.text),
                 .name = s->u.table.name.text,
                 .at = filed ? row_span : point_span,
                 .ctx = filed ? (const void *)&places : s};
  if (!pw_check_points(ck, &p, filed ? s->u.table.data.span : s->span) ||
      (how->periodic && !closes(ck, &p))) {
    return false;
  }
  return pw_add_table(ck, &p, how, table);
}

void pw_check_table(pw_check *ck) {
  pw_manner how;
  int table = -1;
  bool ok = find_manner(ck, &how) && read_table(ck, &how, &table);
  pw_symbol *sym = pw_define_name(ck, ck->stmt->u.table.name);
  if (ok && sym != NULL) {
    sym->val = (pw_val){.kind = PW_V_TABLE, .row = table, .sym = sym};
  }
}

pw_val pw_call_table(pw_check *ck, const pw_ex *ex, pw_val table) {
  pw_node x;
  if (ex->n_arg != 2) {
    pw_diag_ref d = pw_elab_error(ck, "E0108", ex->span, "`%s` takes 1 argument, not %d",
                                  table.sym->name, ex->n_arg - 1);
    pw_label(d, "%d given", ex->n_arg - 1);
    pw_second(d, table.sym->span, "defined here");
    return PW_BAD_VAL;
  }
  if (!pw_elab_scalar(ck, ex->arg[1], "the argument of a table", &x)) {
    return PW_BAD_VAL;
  }
  return pw_scalar_val(pw_lut_node(ck->dag, table.row, 0, x));
}
