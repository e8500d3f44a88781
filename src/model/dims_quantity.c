// SPDX-License-Identifier: MIT
/* Arithmetic of dimensions and the comparison of two of them, with its messages. */
#include <math.h>
#include <stdio.h>

#include "model/dims_walk.h"

enum { PRINTED = 96 };

pw_quantity pw_known(double m, double kg, double s) {
  return (pw_quantity){.kind = PW_QT_KNOWN, .dim = {{m, kg, s}}};
}

pw_quantity pw_pure(unsigned flags) {
  return (pw_quantity){.kind = PW_QT_KNOWN, .flags = flags};
}

bool pw_is_pure(const pw_quantity *q) {
  static const pw_dim one;
  return q->kind == PW_QT_KNOWN && pw_dim_equal(&q->dim, &one);
}

pw_quantity pw_vector_of(pw_dims *w, pw_quantity component, int n) {
  pw_quantity q = {.kind = PW_QT_VECTOR, .n = n, .v = PW_TAKE(w->arena, n, pw_quantity)};
  w->steps += n;
  for (int i = 0; i < n; i++) {
    q.v[i] = component;
  }
  return q;
}

static bool is_scalar(const pw_quantity *q) {
  return q->kind <= PW_QT_ANY;
}

/* Bare if all is bare; a clock as long as it only meets bare numbers. */
static unsigned merge_flags(const pw_quantity *a, const pw_quantity *b) {
  unsigned f = (a->flags | b->flags) & (PW_QT_MOVES | PW_QT_RATE);
  unsigned a_plain = a->flags & (PW_QT_BARE | PW_QT_CLOCK);
  unsigned b_plain = b->flags & (PW_QT_BARE | PW_QT_CLOCK);
  if (a_plain != 0 && b_plain != 0) {
    f |= ((a_plain | b_plain) & PW_QT_CLOCK) != 0 ? PW_QT_CLOCK : PW_QT_BARE;
  }
  return f;
}

pw_quantity pw_scale(pw_quantity a, pw_quantity b, double power) {
  pw_quantity q = {.flags = merge_flags(&a, &b)};
  if (!is_scalar(&a) || !is_scalar(&b)) {
    return (pw_quantity){0};
  }
  if (a.kind == PW_QT_ANY || b.kind == PW_QT_ANY) {
    q.kind = PW_QT_ANY;
  } else if (a.kind == PW_QT_UNKNOWN || b.kind == PW_QT_UNKNOWN) {
    q.names = a.names | b.names;
  } else {
    q.kind = PW_QT_KNOWN;
    for (int k = 0; k < PW_DIM_BASE; k++) {
      q.dim.power[k] = a.dim.power[k] + power * b.dim.power[k];
    }
  }
  return q;
}

pw_quantity pw_common(const pw_quantity *a, const pw_quantity *b) {
  pw_quantity q = {.flags = merge_flags(a, b)};
  if (!is_scalar(a) || !is_scalar(b)) {
    return (pw_quantity){0};
  }
  if (a->kind == PW_QT_UNKNOWN || b->kind == PW_QT_UNKNOWN) {
    q.names = a->names | b->names;
    return q;
  }
  const pw_quantity *known = a->kind == PW_QT_ANY ? b : a;
  known = b->kind == PW_QT_KNOWN && (b->flags & PW_QT_CLOCK) != 0 ? b : known;
  q.kind = known->kind;
  q.dim = known->dim;
  return q;
}

pw_quantity pw_rate_of(pw_dims *w, const pw_quantity *q) {
  if (q->kind == PW_QT_VECTOR) {
    pw_quantity r = pw_vector_of(w, *q, q->n);
    for (int i = 0; i < q->n; i++) {
      r.v[i] = pw_rate_of(w, &q->v[i]);
    }
    r.flags = q->flags & PW_QT_FAMILY;
    return r;
  }
  if ((q->flags & PW_QT_BARE) != 0) {
    return (pw_quantity){.kind = PW_QT_ANY, .flags = PW_QT_BARE | (q->flags & PW_QT_FAMILY)};
  }
  pw_quantity r = pw_scale(*q, pw_known(0, 0, 1), -1);
  r.flags = q->flags & PW_QT_MOVES;
  r.flags |= r.flags != 0 ? PW_QT_RATE : 0;
  r.flags |= q->flags & PW_QT_FAMILY;
  return r;
}

static bool same_or_clock(const pw_quantity *a, const pw_quantity *b) {
  return pw_dim_equal(&a->dim, &b->dim) || ((a->flags & PW_QT_CLOCK) != 0 && pw_is_pure(b)) ||
         ((b->flags & PW_QT_CLOCK) != 0 && pw_is_pure(a));
}

bool pw_agree(pw_dims *w, const pw_quantity *a, const pw_quantity *b) {
  if (!is_scalar(a) || !is_scalar(b) || a->kind == PW_QT_ANY || b->kind == PW_QT_ANY) {
    return true;
  }
  if (a->kind == PW_QT_KNOWN && b->kind == PW_QT_KNOWN) {
    return same_or_clock(a, b);
  }
  /* A bare number is the usual way to write a pure one: nothing is missed there. */
  if (!pw_is_pure(a) && !pw_is_pure(b)) {
    w->missed |= a->names | b->names;
  }
  return true;
}

/* "m/s^2" or "1 (a pure number)" */
static const char *print(const pw_quantity *q, char *text) {
  if (pw_is_pure(q)) {
    snprintf(text, PRINTED, "1 (a pure number)");
  } else {
    pw_dim_print(&q->dim, text, PRINTED);
  }
  return text;
}

static bool is_bare(const pw_quantity *q) {
  return (q->flags & PW_QT_BARE) != 0;
}

/* A mistake inside a user's function is shown with the call that makes it one. */
static void tell_call(const pw_dims *w, pw_diag_ref d) {
  if (w->call.file >= 0) {
    pw_second(d, w->call, "in this call");
  }
}

static void report_pair(pw_dims *w, const char *code, const char *what, const pw_ex *left,
                        const pw_quantity *a, const pw_ex *right, const pw_quantity *b) {
  char ta[PRINTED], tb[PRINTED];
  bool blame_left = is_bare(a) && !is_bare(b);
  const pw_ex *at = blame_left ? left : right, *other = blame_left ? right : left;
  const pw_quantity *bad = blame_left ? a : b, *good = blame_left ? b : a;
  pw_diag_ref d = pw_error(w->diags, code, at->span, "%s differ in dimension: %s and %s", what,
                           print(a, ta), print(b, tb));
  if (is_bare(bad)) {
    pw_label(d, "a bare number, of dimension 1");
  } else {
    pw_label(d, "this is %s", print(bad, ta));
  }
  if (w->call.file >= 0) {
    tell_call(w, d);
  } else if (other != at) {
    pw_second(d, other->span, "this is %s", print(good, tb));
  }
  pw_dim_print(&good->dim, ta, sizeof ta);
  if (is_bare(bad)) {
    pw_help(d, "write the unit behind the number: `[%s]`", ta);
  } else if (pw_is_pure(bad)) {
    pw_help(d, "give one of its numbers the unit `[%s]`", ta);
  } else {
    pw_help(d, "only quantities of the same dimension can be added or compared");
  }
  w->failed = true;
}

/* The part of a written vector, or the whole expression. */
static const pw_ex *part_of(const pw_ex *ex, const pw_quantity *q, int i) {
  return ex->kind == PW_EX_VECTOR && ex->n_arg == q->n ? ex->arg[i] : ex;
}

bool pw_alike(pw_dims *w, const char *code, const char *what, const pw_ex *left,
              const pw_quantity *a, const pw_ex *right, const pw_quantity *b) {
  if (a->kind == PW_QT_VECTOR && b->kind == PW_QT_VECTOR && a->n == b->n) {
    bool ok = true;
    for (int i = 0; i < a->n; i++) {
      ok = pw_alike(w, code, what, part_of(left, a, i), &a->v[i], part_of(right, b, i), &b->v[i]) &&
           ok;
    }
    return ok;
  }
  if (pw_agree(w, a, b)) {
    return true;
  }
  if (!w->silent) {
    report_pair(w, code, what, left, a, right, b);
  }
  return false;
}

static void report_demand(pw_dims *w, const pw_ex *ex, const pw_quantity *got,
                          const pw_quantity *want, const pw_demand *demand) {
  char tg[PRINTED], tw[PRINTED];
  const char *quote = demand->name == NULL ? "" : "`";

  /* What the dimension is, and what it must be. */
  pw_diag_ref d =
      pw_error(w->diags, demand->code, ex->span, "%s%s%s%s%s has dimension %s, must be %s",
               demand->what, demand->name == NULL ? "" : " ", quote,
               demand->name == NULL ? "" : demand->name, quote, print(got, tg), print(want, tw));
  if (is_bare(got)) {
    pw_label(d, "a bare number, of dimension 1");
  } else {
    pw_label(d, "this is %s", tg);
  }
  tell_call(w, d);

  /* Advice, from the most special case to the most general. */
  pw_dim_print(&want->dim, tw, sizeof tw);
  if (demand->help != NULL) {
    pw_help(d, "%s", demand->help);
  } else if (is_bare(got)) {
    pw_help(d, "write the unit behind the number: `[%s]`", tw);
  } else if (pw_is_pure(got)) {
    pw_help(d, "give one of its numbers the unit `[%s]`", tw);
  } else if (ex->kind == PW_EX_NUM) {
    if (pw_is_pure(want)) {
      pw_help(d, "write the number without a unit");
    } else {
      pw_help(d, "write a unit such as `[%s]`", tw);
    }
  } else {
    pw_help(d, "look for a missing or extra factor in this expression");
  }
  w->failed = true;
}

bool pw_require(pw_dims *w, const pw_ex *ex, const pw_quantity *got, const pw_quantity *want,
                const pw_demand *demand) {
  if (got->kind == PW_QT_VECTOR) {
    bool ok = true, many = want->kind == PW_QT_VECTOR;
    for (int i = 0; i < got->n && (!many || got->n == want->n); i++) {
      ok = pw_require(w, part_of(ex, got, i), &got->v[i], many ? &want->v[i] : want, demand) && ok;
    }
    return ok;
  }
  if ((demand->bare_is_si && is_bare(got)) || pw_agree(w, got, want)) {
    return true;
  }
  if (!w->silent) {
    report_demand(w, ex, got, want, demand);
  }
  return false;
}
