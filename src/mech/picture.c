// SPDX-License-Identifier: MIT
/* The plot and draw lines of a model, as its users see them. */
#include "pawl/picture.h"

#include "mech/handle.h"

static int line_of(const pawl_system *s, pw_span span) {
  int line = 0, column = 0;
  if (span.file >= 0) {
    pw_source_locate(&s->sources.items[span.file], span.begin, &line, &column);
  }
  return line;
}

int pawl_system_plots(const pawl_system *s) {
  return s == NULL ? 0 : s->model->plots.n;
}

pawl_plot_info pawl_plot_get(const pawl_system *s, int i) {
  if (i < 0 || i >= pawl_system_plots(s)) {
    return (pawl_plot_info){0};
  }
  const pw_plot *p = &s->model->plots.items[i];
  return (pawl_plot_info){p->y_text,
                          p->x_text,
                          p->statement,
                          line_of(s, p->span),
                          p->y_shown != NULL ? p->y_shown : p->y_unit,
                          p->x_shown != NULL ? p->x_shown : p->x_unit};
}

int pawl_system_draws(const pawl_system *s) {
  return s == NULL ? 0 : s->model->draws.n;
}

pawl_draw_info pawl_draw_get(const pawl_system *s, int i) {
  if (i < 0 || i >= pawl_system_draws(s)) {
    return (pawl_draw_info){0};
  }
  const pw_draw *d = &s->model->draws.items[i];
  return (pawl_draw_info){d->shape, d->n_arg, line_of(s, d->span)};
}

/* Numbers of the shapes before shape i, and of its arguments before `argument`. */
static int numbers_before(const pawl_system *s, int i, int argument) {
  int n = 0;
  for (int k = 0; k <= i && k < s->model->draws.n; k++) {
    const pw_draw *d = &s->model->draws.items[k];
    for (int j = 0; j < (k < i ? d->n_arg : argument); j++) {
      n += d->args[j].n;
    }
  }
  return n;
}

pawl_draw_argument pawl_draw_argument_get(const pawl_system *s, int i, int argument) {
  if (argument < 0 || argument >= pawl_draw_get(s, i).arguments) {
    return (pawl_draw_argument){0};
  }
  const pw_draw *d = &s->model->draws.items[i];
  const char *word = d->args[argument].word;
  return (pawl_draw_argument){.word = word == NULL ? "" : word,
                              .text = d->args[argument].text,
                              .body = d->args[argument].body,
                              .n = d->args[argument].n,
                              .first = numbers_before(s, i, argument)};
}

int pawl_draw_numbers(const pawl_system *s) {
  return s == NULL ? 0 : numbers_before(s, s->model->draws.n, 0);
}

/* ---- contacts of shapes ---- */

int pawl_system_touches(const pawl_system *s) {
  return s == NULL ? 0 : s->model->touches.n;
}

pawl_touch_info pawl_touch_get(const pawl_system *s, int i) {
  if (i < 0 || i >= pawl_system_touches(s)) {
    return (pawl_touch_info){0};
  }
  const pw_touch *t = &s->model->touches.items[i];
  return (pawl_touch_info){t->contact, t->pair, t->number, t->row, t->n_slip, t->dim};
}

int pawl_system_piles(const pawl_system *s) {
  return s == NULL ? 0 : s->model->piles.n;
}

pawl_pile_info pawl_pile_get(const pawl_system *s, int i) {
  if (i < 0 || i >= pawl_system_piles(s)) {
    return (pawl_pile_info){0};
  }
  const pw_pile *p = &s->model->piles.items[i];
  return (pawl_pile_info){p->name, p->n, p->restitution, p->mu};
}
