// SPDX-License-Identifier: MIT
#include "system/scene_frames.h"

#include "system/lagrange.h"

size_t pw_scene_corners(const pw_scene *s) {
  size_t n = 0;
  for (int i = 0; i < s->n_shape; i++) {
    n += (size_t)s->shape[i].solid->n_corner;
  }
  return n;
}

size_t pw_scene_masses(const pw_scene *s) {
  size_t n = 0;
  for (int p = 0; p < s->n_part; p++) {
    n += (size_t)pw_scene_count(s, p) * (size_t)pw_scene_count(s, p);
  }
  return n;
}

typedef PW_LIST(pw_node) node_list;
typedef PW_LIST(int) int_list;

typedef struct collector {
  const pw_model *m;
  int_list u;
} collector;

static bool note_velocity(void *payload, int var) {
  collector *c = payload;
  if (pw_var_kind(var) != PW_VAR_U) {
    return false;
  }
  for (int i = 0; i < c->u.n; i++) {
    if (c->u.items[i] == pw_var_index(var)) {
      return false;
    }
  }
  PW_PUSH(c->m->arena, &c->u, pw_var_index(var));
  return false;
}

static void sort_ints(int_list *list) {
  for (int i = 1; i < list->n; i++) {
    int x = list->items[i], k = i;
    for (; k > 0 && list->items[k - 1] > x; k--) {
      list->items[k] = list->items[k - 1];
    }
    list->items[k] = x;
  }
}

/* Values, rates without velocities, derivatives: in this order. */
static void add_frame(const pw_model *m, const pw_shape_def *def, pw_scene_shape *s,
                      node_list *out) {
  pw_node zero = pw_const(m->dag, 0), value[PW_FRAME_CHANNELS], rate[PW_FRAME_CHANNELS],
          drift[PW_FRAME_CHANNELS];
  bool has_q = def->kind == PW_SHAPE_PLANE || def->kind == PW_SHAPE_SEGMENT;

  /* the channels: two points and an angle */
  for (int i = 0; i < 3; i++) {
    value[PW_FRAME_P + i] = i < def->dim ? def->p[i] : zero;
    value[PW_FRAME_Q + i] = has_q && i < def->dim ? def->q[i] : zero;
  }
  value[PW_FRAME_ANGLE] = def->angle >= 0 ? def->angle : zero;

  /* their rates, and the part of the rates that time alone causes */
  pw_time_derivative(m, value, PW_FRAME_CHANNELS, rate);
  pw_by_time(m, value, PW_FRAME_CHANNELS, drift);
  collector c = {.m = m};
  for (int i = 0; i < PW_FRAME_CHANNELS; i++) {
    (void)pw_depends(m->dag, rate[i], note_velocity, &c);
    s->drives = s->drives || !pw_is_value(m->dag, drift[i], 0);
  }
  sort_ints(&c.u);
  s->n_dof = c.u.n;
  s->dof = c.u.items;
  s->out = out->n;

  /* values and rates without velocities */
  for (int i = 0; i < PW_FRAME_CHANNELS; i++) {
    PW_PUSH(m->arena, out, value[i]);
  }
  for (int i = 0; i < PW_FRAME_CHANNELS; i++) {
    PW_PUSH(m->arena, out, drift[i]);
  }

  /* derivatives of the rates by the velocities they contain */
  int *var = PW_TAKE(m->arena, s->n_dof + 1, int);
  pw_node *by = PW_TAKE(m->arena, s->n_dof + 1, pw_node);
  for (int k = 0; k < s->n_dof; k++) {
    var[k] = pw_var_of(PW_VAR_U, s->dof[k]);
  }
  for (int i = 0; i < PW_FRAME_CHANNELS; i++) {
    pw_gradient(m->dag, rate[i], var, s->n_dof, by);
    for (int k = 0; k < s->n_dof; k++) {
      PW_PUSH(m->arena, out, by[k]);
    }
  }
}

/* ---- parts ---- */

static int root_of(int *parent, int i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

static void tie(int *parent, int i, int k) {
  int a = root_of(parent, i), b = root_of(parent, k);
  parent[a > b ? a : b] = a > b ? b : a;
}

static void tie_all(const pw_system *sys, const pw_equations *eq, const pw_scene *s, int *parent) {
  for (int i = 0; i < sys->nv; i++) {
    parent[i] = i;
  }
  for (int j = 0; j < sys->nv; j++) {
    for (int e = eq->mass.start[j]; e < eq->mass.start[j + 1]; e++) {
      if (!pw_is_value(sys->model->dag, eq->M[e], 0)) {
        tie(parent, j, eq->mass.index[e]);
      }
    }
  }
  for (int i = 0; i < s->n_shape; i++) {
    const pw_scene_shape *x = &s->shape[i];
    for (int k = 1; k < x->n_dof; k++) {
      tie(parent, x->dof[0], x->dof[k]);
    }
    for (int k = 0; x->quaternion >= 0 && k < 3; k++) {
      tie(parent, x->n_dof > 0 ? x->dof[0] : x->spin, x->spin + k);
    }
  }
}

static void find_parts(const pw_system *sys, const pw_equations *eq, pw_scene *s) {
  pw_arena *arena = sys->model->arena;
  int nv = sys->nv, *parent = PW_TAKE(arena, nv + 1, int), *count = PW_TAKE(arena, nv + 1, int);
  s->part_of = PW_TAKE(arena, nv + 1, int);
  s->place_of = PW_TAKE(arena, nv + 1, int);
  s->part_dof = PW_TAKE(arena, nv + 1, int);
  tie_all(sys, eq, s, parent);
  for (int i = 0; i < nv; i++) {
    int root = root_of(parent, i);
    s->part_of[i] = root == i ? s->n_part++ : s->part_of[root];
    s->place_of[i] = count[s->part_of[i]]++;
  }
  s->part_start = PW_TAKE(arena, s->n_part + 1, int);
  for (int p = 0; p < s->n_part; p++) {
    s->part_start[p + 1] = s->part_start[p] + count[p];
    s->largest = count[p] > s->largest ? count[p] : s->largest;
  }
  for (int i = 0; i < nv; i++) {
    s->part_dof[s->part_start[s->part_of[i]] + s->place_of[i]] = i;
  }
  for (int i = 0; i < s->n_shape; i++) {
    pw_scene_shape *x = &s->shape[i];
    x->part = x->n_dof > 0 ? s->part_of[x->dof[0]] : x->quaternion >= 0 ? s->part_of[x->spin] : -1;
  }
}

pw_scene *pw_scene_build(const pw_system *sys, const pw_equations *eq, pw_node **out, int *n_out) {
  const pw_model *m = sys->model;
  if (m->piles.n == 0) {
    return NULL;
  }
  pw_scene *s = PW_NEW(m->arena, pw_scene);

  /* each shape once, whatever the number of its piles */
  int *at = PW_TAKE(m->arena, m->shapes.n + 1, int);
  node_list list = {0};
  s->shape = PW_TAKE(m->arena, m->shapes.n + 1, pw_scene_shape);
  for (int p = 0; p < m->piles.n; p++) {
    for (int k = 0; k < m->piles.items[p].n; k++) {
      int i = m->piles.items[p].shape[k];
      const pw_shape_def *def = &m->shapes.items[i];
      if (at[i] == 0) {
        at[i] = ++s->n_shape;
        pw_scene_shape *x = &s->shape[at[i] - 1];
        *x = (pw_scene_shape){
            .name = def->name, .solid = def->solid, .turns = def->angle >= 0, .quaternion = -1};
        if (def->body >= 0) {
          x->quaternion = m->coords.items[def->body + 3].q;
          x->spin = m->coords.items[def->body + 3].u;
        }
        add_frame(m, def, x, &list);
      }
      s->shape[at[i] - 1].piles |= (uint64_t)1 << p;
    }
  }

  /* velocities that masses or shapes tie together */
  find_parts(sys, eq, s);
  *out = list.items;
  *n_out = list.n;
  return s;
}
