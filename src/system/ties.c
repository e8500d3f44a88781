// SPDX-License-Identifier: MIT
#include "system/ties.h"

#include <math.h>

#include "law/scale_scene.h"

typedef PW_LIST(pw_node) node_list;
typedef PW_LIST(pw_tie) tie_list;
typedef PW_LIST(int) int_list;

typedef struct used { /* modes below a node */
  const pw_switches *s;
  int_list surface;
} used;

static bool note_mode(void *payload, int var) {
  used *u = payload;
  if (pw_var_kind(var) == PW_VAR_MODE) {
    int k = pw_var_index(var);
    bool known = false;
    for (int i = 0; i < u->surface.n; i++) {
      known = known || u->surface.items[i] == k;
    }
    if (!known) {
      PW_PUSH(u->s->model->arena, &u->surface, k);
    }
  }
  return false;
}

void pw_ties_build(const pw_model *model, pw_switches *s, pw_ties *ties, pw_node **out,
                   int *n_out) {
  node_list list = {0};
  tie_list found = {0};
  for (int i = 0; i < model->touches.n; i++) {
    const pw_touch *t = &model->touches.items[i];
    if (t->n_beside == 0) {
      continue;
    }
    pw_tie tie = {
        .out = list.n, .n_beside = t->n_beside, .dim = t->dim, .size = t->size, .touch = i};
    used u = {.s = s};
    pw_node smooth;
    s->place = model->rows.items[t->row].span;

    /* the gap, its rate, and the neighbouring functions */
    for (int k = -2; k < t->n_beside; k++) {
      pw_node value = k < 0 ? model->rows.items[t->row].value : t->beside[k];
      pw_switches_apply(s, &value, 1, &smooth);
      if (k == -1) {
        pw_time_derivative(model, &smooth, 1, &smooth);
      }
      (void)pw_depends(model->dag, smooth, note_mode, &u);
      PW_PUSH(model->arena, &list, smooth);
    }

    /* the point of contact, then the surfaces at which any of these switch */
    for (int k = 0; k < t->dim; k++) {
      pw_switches_apply(s, &t->point[k], 1, &smooth);
      PW_PUSH(model->arena, &list, smooth);
    }
    for (int k = 0; k < u.surface.n; k++) {
      PW_PUSH(model->arena, &list, s->c.items[u.surface.items[k]]);
    }
    tie.surface = u.surface.items;
    tie.n_surface = u.surface.n;
    PW_PUSH(model->arena, &found, tie);
  }
  *ties = (pw_ties){.n = found.n, .item = found.items};
  *out = list.items;
  *n_out = list.n;
}

static double size_of(const pw_tie *tie, const double *out) {
  const double *place = out + tie->out + 2 + tie->n_beside;
  double size = tie->size;
  for (int k = 0; k < tie->dim; k++) {
    size = fmax(size, fabs(place[k]));
  }
  return size;
}

/* Threshold for zero: the rounding of positions. */
static double zero_of(const pw_tie *tie, const double *out) {
  return PW_SCALE(FACE_TIE) * size_of(tie, out);
}

/* One of the neighbours of the corner is lower over the face: it cannot have the contact. */
static bool is_void(const pw_tie *tie, const double *out) {
  bool lower = false;
  for (int k = 0; k < tie->n_beside; k++) {
    lower = lower || out[tie->out + 2 + k] < -PW_SCALE(SAME_SIDE) * size_of(tie, out);
  }
  return lower;
}

static bool touches(const pw_tie *tie, const double *out) {
  return fabs(out[tie->out]) <= zero_of(tie, out);
}

/* A face that cannot have the contact gives way to one that can, or that is left at once; one that
 * can to another that is approached more slowly. Tries the other face of each surface that the
 * corner lies on. True: a side has changed. */
static bool change_face(const pw_system *sys, const pw_tie *tie, double *in, double *reg,
                        double *out) {
  double *mode = in + sys->offset[PW_VAR_MODE];
  for (int k = 0; k < tie->n_surface; k++) {
    double *side = &mode[tie->surface[k]], rate = out[tie->out + 1];
    double c = out[tie->out + 2 + tie->n_beside + tie->dim + k];
    bool was_void = is_void(tie, out);
    if (fabs(c) <= zero_of(tie, out)) {
      *side = -*side;
      pw_tape_run(sys->tape.ties, in, reg, out);
      double now = out[tie->out + 1];
      bool better = is_void(tie, out) ? was_void && now > 0 : was_void || now > rate;
      if (touches(tie, out) && better) {
        return true;
      }
      *side = -*side;
      pw_tape_run(sys->tape.ties, in, reg, out);
    }
  }
  return false;
}

bool pw_ties_settle(const pw_system *sys, double *in, double *reg, double *out) {
  bool changed = false;
  if (sys->tie.n == 0) {
    return false;
  }
  pw_tape_run(sys->tape.ties, in, reg, out);
  for (int i = 0; i < sys->tie.n; i++) {
    const pw_tie *tie = &sys->tie.item[i];
    bool stays = !touches(tie, out) || out[tie->out + 1] > 0 ||
                 (!is_void(tie, out) && out[tie->out + 1] == 0);
    changed = (!stays && change_face(sys, tie, in, reg, out)) || changed;
  }
  return changed;
}

/* ---- shapes that cross each other ---- */

typedef struct outline { /* corners of one shape of a pair: consecutive ties */
  const pw_tie *tie;
  int n;
} outline;

static const double *corner(const outline *x, int i, const double *out) {
  const pw_tie *tie = &x->tie[i % x->n];
  return out + tie->out + 2 + tie->n_beside;
}

/* The largest height of all of b over a side of a, from outside, in the plane. */
static double apart(const outline *a, const outline *b, const double *out) {
  double most = -INFINITY, area = 0;
  const double *o = corner(a, 0, out);
  for (int i = 1; i + 1 < a->n; i++) {
    const double *p = corner(a, i, out), *q = corner(a, i + 1, out);
    area += (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0]);
  }
  for (int i = 0; i < a->n; i++) { /* a segment has both of its sides this way */
    const double *p = corner(a, i, out), *q = corner(a, i + 1, out);
    double dx = q[0] - p[0], dy = q[1] - p[1], sign = area < 0 ? -1 : 1, least = INFINITY;
    for (int k = 0; k < b->n; k++) {
      const double *x = corner(b, k, out);
      least = fmin(least, sign * (dy * (x[0] - p[0]) - dx * (x[1] - p[1])) / hypot(dx, dy));
    }
    most = fmax(most, least);
  }
  return most;
}

static outline corners_from(const pw_system *sys, int first) {
  const pw_touch *touch = sys->model->touches.items, *t = &touch[sys->tie.item[first].touch];
  outline x = {.tie = &sys->tie.item[first]};
  while (first + x.n < sys->tie.n) {
    const pw_touch *u = &touch[x.tie[x.n].touch];
    if (u->pair != t->pair || u->contact != t->contact || u->of_second != t->of_second) {
      break;
    }
    x.n++;
  }
  return x;
}

int pw_ties_crossed(const pw_system *sys, const double *out, double *depth) {
  int worst = -1;
  *depth = 0;
  for (int i = 0; i < sys->tie.n;) {
    outline a = corners_from(sys, i), b = {0};
    i += a.n;
    if (i < sys->tie.n) {
      b = corners_from(sys, i);
      i += b.n;
    }
    double far = b.n > 0 && a.tie->dim == 2 ? fmax(apart(&a, &b, out), apart(&b, &a, out)) : 0;
    if (-far > fmax(*depth, PW_SCALE(SAME_SIDE) * size_of(a.tie, out))) {
      *depth = -far;
      worst = a.tie->touch;
    }
  }
  return worst;
}
