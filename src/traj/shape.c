// SPDX-License-Identifier: MIT
#include "traj/shape.h"

#include <stdlib.h>
#include <string.h>

#include "base/layout.h"

enum { MOST = 1 << 20 }; /* of anything in a model */

int pw_shape_columns(const pw_shape *s) {
  return 1 + s->nq + s->nv + s->n_law + s->n_out;
}

int pw_shape_state(const pw_shape *s) {
  return s->nq + s->n_more + s->nv + 1 + s->n_work;
}

int pw_shape_values(const pw_shape *s) {
  return pw_shape_state(s) + PW_ENERGIES;
}

static void put_texts(pw_buf *out, const char *const *text, int n) {
  for (int i = 0; i < n; i++) {
    pw_put_text(out, text[i]);
  }
}

void pw_shape_put(pw_buf *out, const pw_shape *s) {
  const int sizes[] = {s->nq,    s->nv,     s->n_more,     s->n_law,
                       s->n_out, s->n_work, s->n_rotation, s->bare};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    pw_put_int(out, sizes[i]);
  }
  for (int i = 0; i < 2 * s->n_rotation; i++) {
    pw_put_int(out, s->rotation[i]);
  }
  put_texts(out, s->column, pw_shape_columns(s));
  put_texts(out, s->law, s->n_law);
  put_texts(out, s->work, s->n_work);
  for (int i = 0; i < s->n_work; i++) {
    pw_put_int(out, s->lost[i]);
    pw_put_int(out, s->time[i]);
  }
  pw_put_text(out, s->method);
  pw_put_real(out, s->from);
  pw_put_real(out, s->to);
  pw_put_real(out, s->tol);
}

typedef struct parts {
  pw_shape *shape;
  int *rotation;
  const char **column, **law, **work;
  unsigned char *lost, *time;
} parts;

static parts lay_out(const pw_shape *s, pw_layout *l) {
  parts p;
  p.shape = PW_LAY(l, 1, pw_shape);
  p.rotation = PW_LAY(l, 2 * s->n_rotation + 1, int);
  p.column = PW_LAY(l, pw_shape_columns(s), const char *);
  p.law = PW_LAY(l, s->n_law + 1, const char *);
  p.work = PW_LAY(l, s->n_work + 1, const char *);
  p.lost = PW_LAY(l, s->n_work + 1, unsigned char);
  p.time = PW_LAY(l, s->n_work + 1, unsigned char);
  return p;
}

static void get_texts(pw_reader *in, const char **text, int n) {
  for (int i = 0; i < n && !in->bad; i++) {
    text[i] = pw_get_text(in);
    in->bad = in->bad || text[i] == NULL;
  }
}

static void get_rest(pw_reader *in, const parts *p) {
  pw_shape *s = p->shape;
  for (int i = 0; i < 2 * s->n_rotation; i++) {
    p->rotation[i] = pw_get_count(in, i % 2 == 0 ? s->nq - 4 : s->nv - 3);
  }
  get_texts(in, p->column, pw_shape_columns(s));
  get_texts(in, p->law, s->n_law);
  get_texts(in, p->work, s->n_work);
  for (int i = 0; i < s->n_work; i++) {
    p->lost[i] = (unsigned char)pw_get_count(in, 1);
    p->time[i] = (unsigned char)pw_get_count(in, 1);
  }
  s->method = pw_get_text(in);
  s->method = s->method == NULL ? "" : s->method;
  s->from = pw_get_real(in);
  s->to = pw_get_real(in);
  s->tol = pw_get_real(in);
}

pw_shape *pw_shape_get(pw_reader *in, bool *memory) {
  pw_shape sizes = {0};
  int *const size[] = {&sizes.nq,    &sizes.nv,     &sizes.n_more,     &sizes.n_law,
                       &sizes.n_out, &sizes.n_work, &sizes.n_rotation, &sizes.bare};
  for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
    *size[i] = pw_get_count(in, MOST);
  }
  *memory = true;
  if (in->bad) {
    return NULL;
  }

  pw_layout l = {0};
  (void)lay_out(&sizes, &l);
  void *block = calloc(1, l.size);
  if (block == NULL) {
    *memory = false;
    return NULL;
  }
  l = pw_layout_in(block);
  parts p = lay_out(&sizes, &l);
  *p.shape = sizes;
  p.shape->rotation = p.rotation;
  p.shape->column = p.column;
  p.shape->law = p.law;
  p.shape->work = p.work;
  p.shape->lost = p.lost;
  p.shape->time = p.time;
  get_rest(in, &p);
  if (in->bad) {
    free(block);
    return NULL;
  }
  return p.shape;
}
