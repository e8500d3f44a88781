// SPDX-License-Identifier: MIT
/* Arrows for forces. For a law with the measure s its force is lambda ds/dq (ds/dq' for a slip). At
 * a point made of coordinates the components are lambda ds/dx and lambda ds/dy directly. At another
 * point P(q) the force is lambda f if dP/dq^T f is this gradient; constant f are searched for, at
 * three arbitrary states. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "law/kind.h"
#include "law/scale_model.h"
#include "report/autodraw.h"
#include "report/place.h"

enum {
  MOST_ARROWS = 60,
  MOST_TOUCHES = 200,
  MOST_SPOTS = 48,
  MOST_ENDS = 8,
  STATES = 3,
  MOST_SIZE = 400
};

typedef struct spot { /* a point that is drawn */
  int n;
  const pw_node *v;
} spot;

typedef struct finder {
  pw_model *m; /* of a system that is not shared */
  int arrows;
  spot spots[MOST_SPOTS];
  int n_spot;
  int *var_q, *var_u; /* variables of positions and velocities */
  int state;          /* which of the states pw_eval sees */
} finder;

typedef struct law { /* a unit: a row, or the components of a slip */
  const pw_row *row;
  int first, count;
  int n; /* positions or velocities */
  const int *var;
} law;

static double value_at(void *payload, int var) {
  const finder *f = payload;
  return 0.3 + 0.5 * sin(1.7 * (var + 1) + 2.3 * f->state); /* nothing is zero or equal */
}

static pw_node force_of(const finder *f, int row) {
  return pw_var(f->m->dag, pw_var_of(PW_VAR_FORCE, row));
}

static void add_arrow(finder *f, int n, const pw_node *at, const pw_node *force) {
  pw_arena *arena = f->m->arena;
  pw_draw arrow = {.shape = "arrow", .span = PW_NO_SPAN, .n_arg = 2};
  arrow.args = pw_arena_take(arena, 2, sizeof *arrow.args);
  for (int k = 0; k < 2; k++) {
    arrow.args[k].n = n;
    arrow.args[k].v = PW_TAKE(arena, n, pw_node);
    memcpy(arrow.args[k].v, k == 0 ? at : force, (size_t)n * sizeof *at);
  }
  PW_PUSH(arena, &f->m->draws, arrow);
  f->arrows++;
}

/* ---- places made of coordinates ---- */

/* The force of a law on every coordinate. */
static void pull(const finder *f, const law *l, pw_node *force) {
  pw_dag *dag = f->m->dag;
  pw_node *gradient = PW_TAKE(f->m->arena, l->n, pw_node);
  for (int k = 0; k < l->count; k++) {
    pw_gradient(dag, l->row[k].value, l->var, l->n, gradient);
    for (int i = 0; i < l->n; i++) {
      pw_node part = pw_mul(dag, force_of(f, l->first + k), gradient[i]);
      force[i] = k == 0 ? part : pw_add(dag, force[i], part);
    }
  }
}

/* Each place that the measure depends on gets its part, if all positions belong to places. */
static bool at_places(finder *f, const law *l) {
  pw_node *force = PW_TAKE(f->m->arena, l->n, pw_node);
  pw_place place, used[MOST_ENDS];
  int left = 0, n_used = 0;
  pull(f, l, force);
  for (int i = 0; i < l->n; i++) {
    left += !pw_is_value(f->m->dag, force[i], 0);
  }
  for (int i = 0; left > 0 && n_used < MOST_ENDS && pw_place_next(f->m, &i, &place);) {
    int here = 0;
    for (int k = 0; k < place.n; k++) {
      const pw_coord *c = &f->m->coords.items[place.coord[k]];
      here += !pw_is_value(f->m->dag, force[l->row->on_velocity ? c->u : c->q], 0);
    }
    left -= here;
    used[n_used] = place;
    n_used += here > 0;
  }
  for (int i = 0; left == 0 && i < n_used; i++) {
    pw_node at[3], along[3];
    for (int k = 0; k < used[i].n; k++) {
      const pw_coord *c = &f->m->coords.items[used[i].coord[k]];
      at[k] = pw_var(f->m->dag, pw_var_of(PW_VAR_Q, c->q));
      along[k] = force[l->row->on_velocity ? c->u : c->q];
    }
    add_arrow(f, used[i].n, at, along);
  }
  return left == 0 && n_used > 0;
}

/* ---- other points ---- */

/* Gradients of the coordinates of a point, or of their rates. */
static void gradients(const finder *f, const spot *s, const law *l, pw_node *out) {
  pw_node rate[3];
  if (l->row->on_velocity) {
    pw_time_derivative(f->m, s->v, s->n, rate);
  }
  for (int k = 0; k < s->n; k++) {
    pw_gradient(f->m->dag, l->row->on_velocity ? rate[k] : s->v[k], l->var, l->n,
                out + (size_t)k * (size_t)l->n);
  }
}

/* a with A a = b in the least-squares sense by the normal equations; A has `n` columns of `m`
 * numbers. Returns the residual relative to b. */
static double fit(double A[3][MOST_SIZE], int n, const double *b, int m, double *a) {
  double N[3][4] = {{0}}, size = 0, off = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < m; k++) {
        N[i][j] += A[i][k] * A[j][k];
      }
    }
    for (int k = 0; k < m; k++) {
      N[i][n] += A[i][k] * b[k];
    }
  }
  for (int i = 0; i < n; i++) { /* a component that does not move takes no force */
    for (int j = 0; j < n && N[i][i] > PW_SCALE(DRAWN_AGREES); j++) {
      double part = j == i ? 0 : N[j][i] / N[i][i];
      for (int k = i; k <= n && j != i; k++) {
        N[j][k] -= part * N[i][k];
      }
    }
  }
  for (int i = 0; i < n; i++) {
    a[i] = N[i][i] > PW_SCALE(DRAWN_AGREES) ? N[i][n] / N[i][i] : 0;
  }
  for (int k = 0; k < m; k++) {
    double rest = b[k];
    for (int i = 0; i < n; i++) {
      rest -= A[i][k] * a[i];
    }
    off = fmax(off, fabs(rest));
    size = fmax(size, fabs(b[k]));
  }
  return size > 0 ? off / size : INFINITY;
}

/* The same constant force of a component with this gradient at every state. */
static bool acts_at(finder *f, const law *l, const pw_node *gradient, const pw_node *of_spot,
                    int n_spot, double *force) {
  pw_dag *dag = f->m->dag;
  for (f->state = 0; f->state < STATES; f->state++) {
    double A[3][MOST_SIZE], b[MOST_SIZE], a[3];
    for (int k = 0; k < l->n; k++) {
      b[k] = pw_eval(dag, gradient[k], value_at, f);
      for (int i = 0; i < n_spot; i++) {
        A[i][k] = pw_eval(dag, of_spot[i * l->n + k], value_at, f);
      }
    }
    if (!(fit(A, n_spot, b, l->n, a) <= PW_SCALE(DRAWN_AGREES))) {
      return false;
    }
    for (int i = 0; i < n_spot; i++) {
      if (f->state > 0 && fabs(a[i] - force[i]) > PW_SCALE(DRAWN_AGREES) * (1 + fabs(a[i]))) {
        return false;
      }
      force[i] = f->state == 0 ? a[i] : force[i];
    }
  }
  return true;
}

static bool at_spot(finder *f, const law *l, const pw_node *of_law, const spot *s,
                    const pw_node *of_spot) {
  pw_dag *dag = f->m->dag;
  pw_node along[3];
  for (int k = 0; k < l->count; k++) {
    double force[3] = {0};
    if (!acts_at(f, l, of_law + (size_t)k * (size_t)l->n, of_spot, s->n, force)) {
      return false;
    }
    for (int i = 0; i < s->n; i++) {
      double part = fabs(force[i]) > PW_SCALE(DRAWN_AGREES) ? force[i] : 0;
      pw_node node = pw_mul(dag, pw_const(dag, part), force_of(f, l->first + k));
      along[i] = k == 0 ? node : pw_add(dag, along[i], node);
    }
  }
  add_arrow(f, s->n, s->v, along);
  return true;
}

static void at_spots(finder *f, const law *l) {
  pw_node *of_spot = PW_TAKE(f->m->arena, 3 * l->n, pw_node);
  pw_node *of_law = PW_TAKE(f->m->arena, l->count * l->n, pw_node);
  bool found = false;
  for (int k = 0; k < l->count; k++) {
    pw_gradient(f->m->dag, l->row[k].value, l->var, l->n, of_law + (size_t)k * (size_t)l->n);
  }
  for (int i = 0; i < f->n_spot && !found; i++) {
    gradients(f, &f->spots[i], l, of_spot);
    found = at_spot(f, l, of_law, &f->spots[i], of_spot);
  }
}

/* ---- contacts of shapes ---- */

/* The force on the first shape, at the point of contact: along the normal and across it. */
static void at_touches(finder *f) {
  pw_dag *dag = f->m->dag;
  for (int i = 0; i < f->m->touches.n && i < MOST_TOUCHES; i++) {
    const pw_touch *t = &f->m->touches.items[i];
    pw_node along[3];
    for (int k = 0; k < t->dim; k++) {
      along[k] = pw_mul(dag, force_of(f, t->row), t->normal[k]);
      for (int s = 0; s < t->n_slip; s++) {
        pw_node across = pw_mul(dag, force_of(f, t->row + 1 + s), t->tangent[s][k]);
        along[k] = pw_add(dag, along[k], across);
      }
    }
    add_arrow(f, t->dim, t->point, along);
  }
}

static bool is_touch(const pw_model *m, int row) {
  for (int i = 0; i < m->touches.n; i++) {
    int first = m->touches.items[i].row;
    if (row >= first && row <= first + m->touches.items[i].n_slip) {
      return true;
    }
  }
  return false;
}

/* ---- all of it ---- */

static void find_spots(finder *f) {
  for (int i = 0; i < f->m->draws.n; i++) {
    const pw_draw *d = &f->m->draws.items[i];
    bool vector = strcmp(d->shape, "arrow") == 0 || strcmp(d->shape, "plane") == 0;
    for (int k = 0; k < d->n_arg && f->n_spot < MOST_SPOTS; k++) {
      int n = d->args[k].n == 7 ? 3 : d->args[k].n;
      if (d->args[k].word == NULL && (n == 2 || n == 3) && !(vector && k > 0)) {
        f->spots[f->n_spot++] = (spot){n, d->args[k].v};
      }
    }
  }
}

static void look(pawl_system *system, void *payload) {
  finder *f = payload;
  const pw_model *m = f->m;
  f->var_q = PW_TAKE(m->arena, m->nq + 1, int);
  f->var_u = PW_TAKE(m->arena, m->nv + 1, int);
  for (int i = 0; i < m->nq; i++) {
    f->var_q[i] = pw_var_of(PW_VAR_Q, i);
  }
  for (int i = 0; i < m->nv; i++) {
    f->var_u[i] = pw_var_of(PW_VAR_U, i);
  }
  find_spots(f);
  for (int row = 0; row < m->rows.n && f->arrows < MOST_ARROWS;) {
    const pw_row *r = &m->rows.items[row];
    law l = {.row = r, .first = row, .count = pw_acts_as_one(r->kind) ? r->count : 1};
    l.n = r->on_velocity ? m->nv : m->nq;
    l.var = r->on_velocity ? f->var_u : f->var_q;
    bool acts =
        r->kind != PW_KIND_SERVO && r->kind != PW_KIND_INERTIA && r->kind != PW_KIND_VAKONOMIC;
    acts = acts && !is_touch(m, row);
    if (acts && !at_places(f, &l)) {
      at_spots(f, &l);
    }
    row += l.count;
  }
  at_touches(f);
  pw_system_picture((pw_system *)(uintptr_t)system->sys);
}

pawl_status pw_autodraw_forces(pawl_system *system) {
  if (system->model->nq > MOST_SIZE || system->model->nv > MOST_SIZE) {
    return PAWL_OK;
  }
  finder *f = calloc(1, sizeof *f);
  if (f == NULL) {
    return PAWL_E_MEMORY;
  }
  f->m = (pw_model *)(uintptr_t)system->model;
  pawl_status status = pw_place_guard(system, look, f);
  free(f);
  return status;
}
