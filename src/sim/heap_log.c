// SPDX-License-Identifier: MIT
/* The end of a step of a pile: the ledger, events, and what the next step should know. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law/scale_scene.h"
#include "scene/vec3.h"
#include "sim/contact.h"
#include "sim/heap.h"

static const pw_model *model_of(const pw_heap *x) {
  return x->s->mech->sys->model;
}

/* ---- names ---- */

const char *pw_heap_name(const pw_heap *x, int slot, int pile, const int shape[2], int point) {
  const char *of = model_of(x)->piles.items[pile].name, *a = x->scene->shape[shape[0]].name,
             *b = x->scene->shape[shape[1]].name;
  size_t width = x->room.width;
  char *to = x->room.name + (size_t)slot * width;
  if (point > 0) {
    snprintf(to, width, "%s:%s-%s#%d", of, a, b, point);
  } else {
    snprintf(to, width, "%s:%s-%s", of, a, b);
  }
  return to;
}

pawl_status pw_heap_make_names(pw_heap *x) {
  size_t longest = 0, pile = 0;
  for (int i = 0; i < x->scene->n_shape; i++) {
    size_t n = strlen(x->scene->shape[i].name);
    longest = n > longest ? n : longest;
  }
  for (int i = 0; i < model_of(x)->piles.n; i++) {
    size_t n = strlen(model_of(x)->piles.items[i].name);
    pile = n > pile ? n : pile;
  }
  x->room.width = 2 * longest + pile + 16;
  x->room.name = calloc((size_t)x->most + 1, x->room.width);
  return x->room.name == NULL ? PAWL_E_MEMORY : PAWL_OK;
}

/* ---- the ledger: the work of a row is its percussions times the mean rate ---- */

void pw_heap_book(const pw_heap *x, const double *v, double *z) {
  const pw_system *sys = x->s->mech->sys;
  for (int i = 0; i < x->room.n_row; i++) {
    const pw_heap_row *row = &x->room.row[i];
    double along = 0, drift = 0;
    for (int k = 0; k < 3 && row->active; k++) {
      along += row->kick[k] * pw_heap_rate(x, row, k, v);
      drift += row->kick[k] * row->drift[k];
    }
    for (int k = 0; k < sys->n_work; k++) {
      if (sys->work[k].pile == row->pile + 1) {
        z[1 + k] += sys->work[k].lost ? -(along + drift) : -drift;
      }
    }
  }
}

/* ---- events ---- */

/* Of the kinetic energy, by its percussions. */
static double gain_of(const pw_heap_row *row) {
  double gain = 0;
  for (int k = 0; k < 3 && row->active; k++) {
    gain += row->kick[k] * (row->before[k] + row->after[k]) / 2;
  }
  return gain;
}

static void log_event(pw_heap *x, pw_heap_event event) {
  if (*x->n_log < x->most) {
    x->log[(*x->n_log)++] = event;
  }
}

/* Mode after the step, and its event. */
static bool judge(pw_heap *x, const pw_heap_row *row, bool grows) {
  double slow = row->slow;
  bool pressed = row->active && row->kick[0] > 0;
  bool struck = pressed && !row->closed && row->before[0] < -slow;
  bool leaves = row->after[0] > slow;
  bool closed = pressed ? !leaves : row->closed && !leaves && row->active;
  pw_heap_event event = {.shape = {row->shape[0], row->shape[1]},
                         .point = row->point,
                         .pile = row->pile,
                         .unsure = row->unsure,
                         .before = NAN,
                         .after = NAN};
  if (struck) {
    event.kind = PW_IMPACT;
    event.impulse = row->kick[0];
    event.before = row->before[0];
    event.after = row->after[0];
    event.dE = gain_of(row);
    event.gains = grows && event.dE > 0;
    log_event(x, event);
  } else if (closed != row->closed) {
    event.kind = closed ? PW_CLOSE : PW_LIFTOFF;
    event.gains =
        pressed && grows && gain_of(row) > 0; /* it was leaving, and others push it back */
    event.dE = event.gains ? gain_of(row) : 0;
    log_event(x, event);
  }
  return closed;
}

static int by_point(const pw_heap_known *a, const pw_heap_row *b) {
  return a->shape[0] != b->shape[0]   ? a->shape[0] - b->shape[0]
         : a->shape[1] != b->shape[1] ? a->shape[1] - b->shape[1]
                                      : a->point - b->point;
}

/* Friction at its bound, and a speed that is not the error of the percussions. */
static bool slides(const pw_heap *x, const pw_heap_row *row) {
  double mu = model_of(x)->piles.items[row->pile].mu;
  double most = (1 - PW_SCALE(HEAP_FAIR)) * mu * row->kick[0];
  return mu > 0 && row->active && hypot(row->kick[1], row->kick[2]) >= most &&
         hypot(row->after[1], row->after[2]) > PW_SCALE(HEAP_FAIR) * row->slow;
}

/* A bounce slower than the load leaves the contact closed, but it rises through half of the step.
 */
static bool was_leaving(const pw_heap_row *row) {
  return row->active && row->kick[0] > 0 && row->before[0] > PW_SCALE(HEAP_FAIR) * row->slow;
}

static void remember(pw_heap *x, const pw_heap_row *row, bool closed, double h) {
  int k = *x->n_known;
  if (k >= x->most) {
    return;
  }
  for (; k > 0 && by_point(&x->known[k - 1], row) > 0; k--) {
    x->known[k] = x->known[k - 1];
  }
  pw_heap_known *to = &x->known[k];
  *to = (pw_heap_known){.shape = {row->shape[0], row->shape[1]},
                        .point = row->point,
                        .pile = row->pile,
                        .closed = closed,
                        .fresh = closed && (!row->closed || was_leaving(row)),
                        .slides = closed && slides(x, row)};
  for (int i = 0; i < 3; i++) {
    to->force[i] = row->active && h > 0 ? row->kick[i] / h : 0;
  }
  memcpy(to->normal, row->normal, sizeof to->normal);
  memcpy(to->x, row->x, sizeof to->x);
  memcpy(to->tangent, row->tangent, sizeof to->tangent);
  (*x->n_known)++;
}

void pw_heap_conclude(pw_heap *x, const pw_rk *rk) {
  double gained = 0, size = 0;
  for (int i = 0; i < x->room.n_row; i++) {
    pw_heap_row *row = &x->room.row[i];
    for (int k = 0; k < 3; k++) {
      row->after[k] = row->drift[k] + pw_heap_rate(x, row, k, x->u1);
      size += row->active ? fabs(row->kick[k] * (fabs(row->before[k]) + fabs(row->after[k]))) : 0;
    }
    gained += gain_of(row);
  }
  bool grows = gained > PW_SCALE(HEAP_FAIR) * size;
  *x->n_known = *x->n_log = 0;
  for (int i = 0; i < x->room.n_row; i++) {
    const pw_heap_row *row = &x->room.row[i];
    bool closed = judge(x, row, grows);
    if (closed || (row->active && row->kick[0] > 0)) {
      remember(x, row, closed, rk->h);
    }
  }
}

/* ---- the start ---- */

static void report_overlap(pw_heap *x, const pw_heap_row *row, int more, pawl_diags *diags) {
  const pw_pile *pile = &model_of(x)->piles.items[row->pile];
  pw_diag_ref d =
      pw_error(diags, "E0271", pile->span, "`%s` and `%s` overlap at the start",
               x->scene->shape[row->shape[0]].name, x->scene->shape[row->shape[1]].name);
  pw_label(d, "by %.6g", -row->gap);
  pw_help(d,
          "move one of them by more than that along (%.4g, %.4g, %.4g), or start them apart and "
          "let them fall",
          row->normal[0], row->normal[1], row->normal[2]);
  if (more > 0) {
    pw_note(d, "%d more pair%s overlap%s", more, more == 1 ? "" : "s", more == 1 ? "s" : "");
  }
}

pawl_status pw_heap_begin(pw_heap *x, double t, const double *q, pawl_diags *diags) {
  pw_heap_place(x, t, q);
  pw_heap_find_rigid(x);
  *x->n_known = *x->n_log = 0;
  *x->length = 0;
  *x->calm = false;
  *x->doubt = (pw_heap_doubt){0};
  for (int i = 0; i < x->scene->n_shape; i++) {
    x->margin[i] = 0;
  }
  pawl_status status = pw_heap_find_rows(x);
  const pw_heap_row *worst = NULL;
  int count = 0;
  for (int i = 0; status == PAWL_OK && i < x->room.n_row; i++) {
    const pw_heap_row *row = &x->room.row[i];
    double size = fmax(x->shape[row->shape[0]].solid->size, x->shape[row->shape[1]].solid->size);
    if (row->gap < -PW_SCALE(HEAP_OVERLAP) * size) {
      worst = worst == NULL || row->gap < worst->gap ? row : worst;
      count++;
    }
  }
  if (worst != NULL) {
    report_overlap(x, worst, count - 1, diags);
    return PAWL_E_START;
  }
  return status;
}

pawl_status pw_heap_take_up(pw_heap *x, double t, const double *q, const double *u, double h) {
  *x->n_known = *x->n_log = 0;
  *x->length = 0;
  *x->calm = false;
  pawl_status status = pw_heap_factor(x);
  pw_heap_place(x, t, q);
  pw_heap_widen(x, 0, u, u);
  if (status == PAWL_OK) {
    status = pw_heap_find_rows(x);
  }
  if (status != PAWL_OK) {
    return status;
  }
  pw_heap_columns(x);
  for (int i = 0; i < x->room.n_row; i++) {
    pw_heap_row *row = &x->room.row[i];
    double rate = row->drift[0] + pw_heap_rate(x, row, 0, u);
    row->active = false;
    row->closed = fabs(rate) <= pw_heap_slow(x, row, h);
    if (row->closed) {
      remember(x, row, true, h);
    }
  }
  return PAWL_OK;
}

void pw_heap_announce(pw_heap *x, pawl_diags *diags) {
  pw_heap_doubt *d = x->doubt;
  if (d->count == 0 || d->told) {
    return;
  }
  const pw_pile *pile = &model_of(x)->piles.items[d->pile];
  pw_diag_ref ref = pw_warning(
      diags, "W0550", pile->span,
      "the forces of a step miss their laws by %.2g of the speeds at t = %.9g", d->residual, d->t);
  pw_label(ref, "the largest is between `%s` and `%s`", x->scene->shape[d->shape[0]].name,
           x->scene->shape[d->shape[1]].name);
  pw_help(ref, "forces at this time are approximate; a smaller step may help");
  d->told = true;
}
