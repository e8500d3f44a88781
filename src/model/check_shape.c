// SPDX-License-Identifier: MIT
/* Shapes: where they are, how large, and what they look like. */
#include <math.h>
#include <string.h>

#include "model/check.h"
#include "model/shape_draw.h"

typedef struct form { /* one kind of shape */
  const char *name;
  pw_shape_kind kind;
  int dim;    /* 0: of its first point */
  int points; /* without a word in front */
  bool body;  /* the first may be a body */
  bool radius, angle;
  int size;    /* numbers of `size` */
  int corners; /* at least so many */
  const char *text;
} form;

static const form forms[] = {
    {"disk", PW_SHAPE_DISK, 2, 1, false, true, true, 0, 0, "disk P, radius r, angle a"},
    {"polygon", PW_SHAPE_POLYGON, 2, 1, false, false, true, 0, 3,
     "polygon P, angle a, (..)(..)(..)"},
    {"segment", PW_SHAPE_SEGMENT, 2, 2, false, false, false, 0, 0, "segment P, Q"},
    {"plane", PW_SHAPE_PLANE, 0, 2, false, false, false, 0, 0, "plane P, N"},
    {"sphere", PW_SHAPE_SPHERE, 3, 1, true, true, false, 0, 0, "sphere b, radius r"},
    {"capsule", PW_SHAPE_CAPSULE, 3, 1, true, true, false, 1, 0, "capsule b, radius r, size l"},
    {"box", PW_SHAPE_BOX, 3, 1, true, false, false, 3, 0, "box b, size (a, b, c)"},
    {"cylinder", PW_SHAPE_CYLINDER, 3, 1, true, false, false, 2, 0, "cylinder b, size (r, h)"},
    {"hull", PW_SHAPE_HULL, 3, 1, true, false, false, 0, 4, "hull b, (..)(..)(..)(..)"}};

static bool bad_shape(pw_check *ck, const form *f, pw_span span, const char *why) {
  pw_diag_ref d = pw_error(ck->diags, "E0250", span, "this is no `%s`", f->name);
  pw_label(d, "%s", why);
  pw_help(d, "write `shape %s: %s`", ck->stmt->u.shape.label.name.text, f->text);
  return false;
}

static const form *find_form(pw_check *ck) {
  pw_name kind = ck->stmt->u.shape.kind;
  pw_suggest s = pw_suggest_begin(kind.text);
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    if (strcmp(forms[i].name, kind.text) == 0) {
      return &forms[i];
    }
    pw_suggest_try(&s, forms[i].name);
  }
  pw_diag_ref d = pw_error(ck->diags, "E0250", kind.span, "unknown shape `%s`", kind.text);
  pw_label(d, "not a shape that can touch others");
  if (s.best != NULL) {
    pw_help(d, "did you mean `%s`?", s.best);
  } else {
    pw_help(d, "shapes are disk, polygon, segment, plane, sphere, capsule, box, cylinder, hull");
  }
  return NULL;
}

/* ---- arguments ---- */

static void place_on_body(pw_check *ck, pw_shape_def *s, int coord) {
  s->dim = 3;
  s->body = coord;
  for (int i = 0; i < 3; i++) {
    s->p[i] = pw_var(ck->dag, pw_var_of(PW_VAR_Q, ck->m->coords.items[coord + i].q));
  }
}

static bool take_point(pw_check *ck, const form *f, const pw_darg *arg, int which,
                       pw_shape_def *s) {
  pw_val val = pw_elab(ck, arg->ex);
  if (val.kind == PW_V_BODY && which == 0 && f->body) {
    place_on_body(ck, s, val.coord);
    return true;
  }
  if (val.kind != PW_V_VECTOR) {
    pw_bad_kind(ck, arg->ex, val, f->body ? "a body or a point" : "a point `(x, y)`");
    return false;
  }
  int dim = s->dim != 0 ? s->dim : f->dim;
  if ((dim != 0 && val.n != dim) || val.n < 2 || val.n > 3) {
    return bad_shape(
        ck, f, arg->span,
        pw_format_text(ck, "a point has %d components here, not %d", dim == 0 ? 2 : dim, val.n));
  }
  s->dim = val.n;
  memcpy(which == 0 ? s->p : s->q, val.v, (size_t)val.n * sizeof *val.v);
  return true;
}

static bool take_length(pw_check *ck, const form *f, const pw_ex *ex, pw_node x) {
  double value = pw_is_known_now(ck, x) ? pw_value_now(ck, x) : (double)NAN;
  if (ck->symbols || (value > 0 && isfinite(value))) { /* symbols were checked as numbers */
    return true;
  }
  pw_diag_ref d = pw_error(ck->diags, "E0251", ex->span, "a `%s` needs a size above zero", f->name);
  pw_label(d, isnan(value) ? "this is not known before the run" : "this is %s",
           pw_format_real(ck, value));
  pw_help(d, "a shape is rigid; a point that must stay out of something is a `constraint`");
  return false;
}

static bool take_word(pw_check *ck, const form *f, const pw_darg *arg, pw_shape_def *s) {
  bool radius = strcmp(arg->word, "radius") == 0, angle = strcmp(arg->word, "angle") == 0;
  int n = radius || angle ? 1 : f->size;
  bool known = radius ? f->radius : angle ? f->angle : f->size > 0;
  pw_val val;
  if (!known) {
    return bad_shape(ck, f, arg->span, pw_format_text(ck, "`%s` does not belong to it", arg->word));
  }
  if (!pw_elab_list(ck, arg->ex, n, pw_format_text(ck, "`%s`", arg->word), &val)) {
    return false;
  }
  if (angle) {
    s->angle = val.v[0];
    return true;
  }
  bool ok = true;
  for (int i = 0; i < n && ok; i++) {
    ok = take_length(ck, f, arg->ex, val.v[i]);
    *(radius ? &s->radius : &s->size[i]) = val.v[i];
  }
  return ok;
}

static bool take_corners(pw_check *ck, const form *f, pw_shape_def *s) {
  int n = ck->stmt->u.shape.corners.n;
  if (n < f->corners) {
    return bad_shape(ck, f, ck->stmt->u.shape.kind.span,
                     pw_format_text(ck, "it needs at least %d corners, not %d", f->corners, n));
  }
  s->n_corner = n;
  s->corner = pw_arena_take(ck->arena, (size_t)n + 1, sizeof *s->corner);
  for (int i = 0; i < n; i++) {
    pw_val val;
    const pw_ex *ex = ck->stmt->u.shape.corners.items[i];
    if (!pw_elab_list(ck, ex, s->dim, "a corner", &val)) {
      return false;
    }
    for (int k = 0; k < 3; k++) {
      s->corner[i][k] = k < val.n ? val.v[k] : pw_const(ck->dag, 0);
    }
  }
  return true;
}

/* The eight corners of a box. */
static void make_corners(pw_check *ck, pw_shape_def *s) {
  s->n_corner = 8;
  s->corner = pw_arena_take(ck->arena, 8, sizeof *s->corner);
  for (int i = 0; i < 8; i++) {
    for (int k = 0; k < 3; k++) {
      double half = (i >> k & 1) != 0 ? 0.5 : -0.5;
      s->corner[i][k] = pw_mul(ck->dag, pw_const(ck->dag, half), s->size[k]);
    }
  }
}

static bool make_unit(pw_check *ck, const form *f, pw_shape_def *s) {
  pw_node square = pw_dot_nodes(ck->dag, s->q, s->q, s->dim);
  if (pw_is_value(ck->dag, square, 0)) {
    return bad_shape(ck, f, ck->stmt->u.shape.kind.span, "its normal is zero");
  }
  pw_node length = pw_apply1(ck->dag, PW_OP_SQRT, square);
  for (int i = 0; i < s->dim; i++) {
    s->q[i] = pw_div(ck->dag, s->q[i], length);
  }
  return true;
}

static bool is_complete(pw_check *ck, const form *f, const pw_shape_def *s, int points) {
  pw_span span = ck->stmt->u.shape.kind.span;
  if (points != f->points) {
    return bad_shape(ck, f, span,
                     pw_format_text(ck, "it needs %d point%s, not %d", f->points,
                                    f->points == 1 ? "" : "s", points));
  }
  if (f->radius && s->radius < 0) {
    return bad_shape(ck, f, span, "it needs `radius r`");
  }
  if (f->size > 0 && s->size[0] < 0) {
    return bad_shape(ck, f, span, "it needs `size`");
  }
  return true;
}

/* ---- the statement ---- */

static bool shape_member(pw_check *ck, const form *f, const char *name) {
  const pw_stmt *t = ck->stmt;
  pw_shape_def s = {.name = name,
                    .kind = f->kind,
                    .span = t->u.shape.label.name.span,
                    .angle = -1,
                    .body = -1,
                    .radius = -1,
                    .size = {-1, -1, -1}};
  int points = 0;
  bool ok = true;

  /* Points come in a fixed order; words such as `radius` may come in any. */
  for (int i = 0; i < t->u.shape.n && ok; i++) {
    const pw_darg *arg = &t->u.shape.items[i];
    if (arg->ex == NULL || (arg->word == NULL && points >= f->points)) {
      ok = bad_shape(ck, f, arg->span, "this does not belong to it");
    } else if (arg->word == NULL) {
      ok = take_point(ck, f, arg, points++, &s);
    } else {
      ok = take_word(ck, f, arg, &s);
    }
  }

  /* All parts must be there; then come the corners, and the unit normal of a plane. */
  ok = ok && is_complete(ck, f, &s, points);
  ok = ok && (f->corners == 0 || take_corners(ck, f, &s));
  ok = ok && (f->kind != PW_SHAPE_PLANE || make_unit(ck, f, &s));
  if (ok && f->kind == PW_SHAPE_BOX) {
    make_corners(ck, &s);
  }

  /* A shape takes part in contacts and is drawn. */
  if (ok) {
    PW_PUSH(ck->arena, &ck->m->shapes, s);
    pw_draw_shape(ck, &s);
  }
  return ok;
}

void pw_check_shape(pw_check *ck) {
  const pw_heading *label = &ck->stmt->u.shape.label;
  const form *f = find_form(ck);
  pw_val val = {.kind = PW_V_SHAPE, .row = ck->m->shapes.n, .is_family = label->index.text != NULL};
  int lo = 0, hi = 0;
  bool ok =
      f != NULL && (!val.is_family || pw_elab_range(ck, label->from, label->to, true, &lo, &hi));
  for (int i = lo; ok && i <= hi; i++) {
    const char *name = label->name.text;
    if (val.is_family) {
      pw_env_push(&ck->env, label->index, pw_scalar_val(pw_const(ck->dag, i)));
      name = pw_intern_format(ck->names, "%s[%d]", name, i);
    }
    ok = pw_spend(ck, 1) && shape_member(ck, f, name);
    pw_env_clear(&ck->env);
  }
  val.lo = lo;
  val.n = hi - lo + 1;
  pw_symbol *sym = pw_define_name(ck, label->name);
  if (sym != NULL) {
    val.sym = sym;
    sym->val = ok ? val : PW_BAD_VAL;
  }
}
