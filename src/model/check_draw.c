// SPDX-License-Identifier: MIT
/* Pictures: each shape with the arguments it needs. A body stands for its position and quaternion
 * (seven components). */
#include <string.h>

#include "model/check.h"

enum { MANY = 1000 };

typedef struct shape {
  const char *name;
  int least, most; /* points or bodies */
  bool body;       /* may be or must be a body */
  bool radius, size, angle, text;
  const char *form;
} shape;

static const shape shapes[] = {
    {"line", 2, MANY, false, false, false, false, false, "P, Q"},
    {"circle", 1, 1, false, true, false, false, false, "C, radius r"},
    {"box", 1, 1, true, false, true, true, false, "C, size (w, h)"},
    {"polygon", 3, MANY, false, false, false, false, false, "P, Q, R"},
    {"point", 1, 1, false, false, false, false, false, "P"},
    {"spring", 2, 2, false, false, false, false, false, "P, Q"},
    {"arrow", 2, 2, false, false, false, false, false, "P, V"},
    {"text", 1, 1, false, false, false, false, true, "P, \"...\""},
    {"sphere", 1, 1, true, true, false, false, false, "b, radius r"},
    {"cylinder", 1, 1, true, false, true, false, false, "b, size (r, h)"},
    {"plane", 2, 2, false, false, false, false, false, "P, N"}};

static const shape *find_shape(pw_check *ck, pw_name name) {
  pw_suggest s = pw_suggest_begin(name.text);
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    if (strcmp(shapes[i].name, name.text) == 0) {
      return &shapes[i];
    }
    pw_suggest_try(&s, shapes[i].name);
  }
  pw_diag_ref d = pw_error(ck->diags, "E0402", name.span, "unknown shape `%s`", name.text);
  pw_label(d, "not something to draw");
  if (s.best != NULL) {
    pw_help(d, "did you mean `%s`?", s.best);
  } else {
    pw_help(d, "shapes are line, circle, box, polygon, point, spring, arrow, text, sphere, "
               "cylinder, plane");
  }
  return NULL;
}

typedef struct drawing { /* what was found so far */
  const shape *shape;
  pw_draw *draw;
  int points, dimension;
  bool is_body, radius, size, angle, text;
} drawing;

static bool bad_argument(pw_check *ck, const drawing *dr, pw_span span, const char *why) {
  pw_diag_ref d = pw_error(ck->diags, "E0402", span, "cannot draw this `%s`", dr->shape->name);
  pw_label(d, "%s", why);
  pw_help(d, "write `draw %s %s`", dr->shape->name, dr->shape->form);
  return false;
}

static void push_arg(pw_check *ck, drawing *dr, const pw_darg *arg, int n, const pw_node *v,
                     const char *body) {
  (void)ck;
  int i = dr->draw->n_arg++;
  dr->draw->args[i].word = arg->word;
  dr->draw->args[i].text = arg->text;
  dr->draw->args[i].n = n;
  dr->draw->args[i].body = body;
  dr->draw->args[i].v = PW_TAKE(ck->arena, n, pw_node);
  for (int k = 0; k < n; k++) {
    dr->draw->args[i].v[k] = v[k];
  }
}

static bool check_body_arg(pw_check *ck, drawing *dr, const pw_darg *arg, pw_val val) {
  pw_node v[7];
  if (!dr->shape->body) {
    return bad_argument(ck, dr, arg->span, "a point is needed here, not a body; take its `.p`");
  }
  for (int i = 0; i < 3; i++) {
    v[i] = pw_var(ck->dag, pw_var_of(PW_VAR_Q, ck->m->coords.items[val.coord + i].q));
  }
  for (int i = 0; i < 4; i++) {
    v[3 + i] = pw_var(ck->dag, pw_var_of(PW_VAR_Q, ck->m->coords.items[val.coord + 3].q + i));
  }
  dr->is_body = true;
  dr->points++;
  /* the coordinate is called "ball.R" */
  const char *rotation = ck->m->coords.items[val.coord + 3].name;
  const char *name = pw_intern(ck->names, rotation, (int)strlen(rotation) - 2);
  push_arg(ck, dr, arg, 7, v, name);
  return true;
}

static bool check_point(pw_check *ck, drawing *dr, const pw_darg *arg) {
  pw_val val = pw_elab(ck, arg->ex);
  if (val.kind == PW_V_BODY) {
    return check_body_arg(ck, dr, arg, val);
  }
  if (val.kind != PW_V_VECTOR) {
    pw_bad_kind(ck, arg->ex, val, "a point `(x, y)` or `(x, y, z)`");
    return false;
  }
  bool body_only = dr->shape->body && strcmp(dr->shape->name, "box") != 0;
  if (body_only) {
    return bad_argument(ck, dr, arg->span, "the name of a body is needed here");
  }
  if (val.n != 3 && val.n != 2) {
    return bad_argument(ck, dr, arg->span, "2 or 3 components are needed");
  }
  if (dr->dimension != 0 && dr->dimension != val.n) {
    return bad_argument(ck, dr, arg->span, "points of the plane and of space are mixed");
  }
  dr->dimension = val.n;
  dr->points++;
  push_arg(ck, dr, arg, val.n, val.v, NULL);
  return true;
}

static bool check_word(pw_check *ck, drawing *dr, const pw_darg *arg) {
  bool radius = strcmp(arg->word, "radius") == 0, size = strcmp(arg->word, "size") == 0;
  bool *seen = radius ? &dr->radius : size ? &dr->size : &dr->angle;
  bool allowed = radius ? dr->shape->radius : size ? dr->shape->size : dr->shape->angle;
  pw_val val;
  if (!allowed || *seen) {
    return bad_argument(ck, dr, arg->span,
                        pw_format_text(ck, "`%s` %s", arg->word,
                                       *seen ? "is given twice" : "does not belong to it"));
  }
  *seen = true;
  bool box = strcmp(dr->shape->name, "box") == 0;
  int n = !size ? 1 : box && dr->is_body ? 3 : 2;
  if (!pw_elab_list(ck, arg->ex, n, pw_format_text(ck, "`%s`", arg->word), &val)) {
    return false;
  }
  push_arg(ck, dr, arg, val.n, val.v, NULL);
  return true;
}

static bool check_arg(pw_check *ck, drawing *dr, const pw_darg *arg) {
  if (arg->ex == NULL) {
    if (!dr->shape->text || dr->text) {
      return bad_argument(ck, dr, arg->span, "a text does not belong here");
    }
    dr->text = true;
    push_arg(ck, dr, arg, 0, NULL, NULL);
    return true;
  }
  return arg->word != NULL ? check_word(ck, dr, arg) : check_point(ck, dr, arg);
}

static bool check_complete(pw_check *ck, const drawing *dr) {
  const shape *s = dr->shape;
  pw_span span = ck->stmt->u.draw.shape.span;
  if (dr->points < s->least || dr->points > s->most) {
    return bad_argument(ck, dr, span,
                        s->most == MANY
                            ? pw_format_text(ck, "it needs at least %d points", s->least)
                            : pw_format_text(ck, "it needs %d %s, not %d", s->least,
                                             s->body         ? "body or point"
                                             : s->least == 1 ? "point"
                                                             : "points",
                                             dr->points));
  }
  if (s->radius && !dr->radius) {
    return bad_argument(ck, dr, span, "it needs `radius r`");
  }
  if (s->size && !dr->size) {
    return bad_argument(ck, dr, span, "it needs `size (...)`");
  }
  if (s->text && !dr->text) {
    return bad_argument(ck, dr, span, "it needs a text in quotes");
  }
  return true;
}

void pw_check_draw(pw_check *ck) {
  const pw_stmt *s = ck->stmt;
  pw_draw draw = {.shape = s->u.draw.shape.text, .span = s->u.draw.shape.span};
  drawing dr = {.shape = find_shape(ck, s->u.draw.shape), .draw = &draw};
  if (dr.shape == NULL) {
    return;
  }
  draw.args = pw_arena_take(ck->arena, (size_t)s->u.draw.n, sizeof *draw.args);
  bool ok = true;
  for (int i = 0; i < s->u.draw.n; i++) {
    ok = check_arg(ck, &dr, &s->u.draw.items[i]) && ok;
  }
  if (ok && check_complete(ck, &dr)) {
    PW_PUSH(ck->arena, &ck->m->draws, draw);
  }
}
