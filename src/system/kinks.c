// SPDX-License-Identifier: MIT
#include "system/kinks.h"

#include <math.h>

static void add(const pw_model *m, pw_kink_list *out, int row, pw_node value, pw_node left,
                pw_node right) {
  bool flipped = left >= 0 && right < 0;
  pw_kink k = {.row = row, .value = value, .left = left, .right = right, .flipped = flipped};
  if (flipped) {
    k.value = pw_neg(m->dag, value);
    k.left = -1;
    k.right = pw_neg(m->dag, left);
  }
  PW_PUSH(m->arena, out, k);
}

/* ---- friction: -force = F on one side, -F on the other; with `mu`, per normal force ---- */

typedef struct side {
  pw_node value;
  int sign;
} side;

static pw_node on_side(void *payload, pw_dag *dag, pw_node node, const pw_node *arg) {
  const side *s = payload;
  pw_op op = pw_node_op(dag, node);
  if ((op != PW_OP_ABS && op != PW_OP_SIGN) || arg[0] != s->value) {
    return -1;
  }
  if (op == PW_OP_SIGN) {
    return pw_const(dag, s->sign);
  }
  return s->sign > 0 ? s->value : pw_neg(dag, s->value);
}

/* The bound as a smooth function beyond the kink too: |slip| is slip, or -slip. */
static pw_node bound_on(const pw_model *m, pw_node bound, pw_node value, int sign) {
  side s = {value, sign};
  pw_node out;
  pw_rewrite(m->dag, &bound, 1, on_side, &s, &out);
  return out;
}

static void friction(const pw_model *m, int row, pw_kink_list *out) {
  const pw_row *r = &m->rows.items[row];
  pw_node bound = r->clause.on >= 0 ? r->clause.mu : r->clause.bound;
  pw_node below = bound_on(m, bound, r->value, -1);
  pw_node above = bound_on(m, bound, r->value, 1);
  add(m, out, row, r->value, pw_neg(m->dag, below), above);
}

/* ---- springs: F0 + k (s - b) above the play, -F0 + k (s - a) below it ---- */

static pw_node or_zero(const pw_model *m, pw_node a) {
  return a >= 0 ? a : pw_const(m->dag, 0);
}

static void spring(const pw_model *m, int row, pw_kink_list *out) {
  const pw_row *r = &m->rows.items[row];
  pw_node zero = pw_const(m->dag, 0);
  pw_node k = or_zero(m, r->clause.stiffness), F0 = or_zero(m, r->clause.preload);
  pw_node lo = or_zero(m, r->clause.play_lo), hi = or_zero(m, r->clause.play_hi);
  pw_node from_lo = pw_sub(m->dag, r->value, lo), from_hi = pw_sub(m->dag, r->value, hi);
  pw_node stretch_lo = pw_mul(m->dag, k, from_lo), stretch_hi = pw_mul(m->dag, k, from_hi);
  pw_node below = pw_sub(m->dag, stretch_lo, F0), above = pw_add(m->dag, stretch_hi, F0);
  if (lo == hi) {
    add(m, out, row, from_lo, below, above);
  } else {
    add(m, out, row, from_lo, below, zero);
    add(m, out, row, from_hi, zero, above);
  }
}

/* ---- graphs through points ---- */

typedef struct line { /* f + slope (s - x) */
  double x, f, slope;
} line;

static pw_node line_node(const pw_model *m, pw_node value, line l) {
  pw_node from = pw_sub(m->dag, value, pw_const(m->dag, l.x));
  pw_node rise = pw_mul(m->dag, pw_const(m->dag, l.slope), from);
  return pw_add(m->dag, rise, pw_const(m->dag, l.f));
}

static double slope_between(const struct pw_graph_point *a, const struct pw_graph_point *b) {
  return (b->f - a->f) / (b->x - a->x);
}

/* Slope of the first piece from point i in direction step that is not vertical; 0 if there is none
 * (the graph goes on flat, or ends in a wall). */
static double slope_from(const pw_row *r, int i, int step) {
  const struct pw_graph_point *p = r->clause.graph;
  for (int j = i; j + step >= 0 && j + step < r->clause.n_graph; j += step) {
    if (p[j].x != p[j + step].x) {
      return slope_between(&p[j], &p[j + step]);
    }
  }
  return 0;
}

/* Points first .. last share one x: the kink there. Left and right of it are lines; all kinks but
 * the first give only what changes. */
static void graph_kink(const pw_model *m, int row, int first, int last, pw_kink_list *out) {
  const pw_row *r = &m->rows.items[row];
  const struct pw_graph_point *p = r->clause.graph;
  bool at_start = first == 0, at_end = last == r->clause.n_graph - 1;
  double before = at_start ? slope_from(r, last, 1) : slope_from(r, first, -1);
  double after = at_end ? slope_from(r, first, -1) : slope_from(r, last, 1);
  double x = p[first].x;
  pw_node value = pw_sub(m->dag, r->value, pw_const(m->dag, x));
  line left = {x, p[first].f, before}, right = {x, p[last].f, after};
  bool wall_left = isinf(p[first].f), wall_right = isinf(p[last].f);
  if (!at_start) { /* subtract the line that the kinks before this one have left off with */
    right = (line){x, p[last].f - p[first].f, after - before};
    left = (line){x, 0, 0};
  } else if (wall_left && first != last && !wall_right) {
    left = right;
  }
  pw_node low = wall_left ? -1 : line_node(m, r->value, left);
  pw_node high = wall_right ? -1 : line_node(m, r->value, right);
  add(m, out, row, value, low, high);
}

static void graph(const pw_model *m, int row, pw_kink_list *out) {
  const pw_row *r = &m->rows.items[row];
  const struct pw_graph_point *p = r->clause.graph;
  for (int i = 0; i < r->clause.n_graph;) {
    int last = i;
    while (last + 1 < r->clause.n_graph && p[last + 1].x == p[i].x) {
      last++;
    }
    graph_kink(m, row, i, last, out);
    i = last + 1;
  }
}

/* ---- viscous: N f, and K g + N g' for positions, on the forbidden side or on both ---- */

static void viscous(const pw_model *m, int row, pw_kink_list *out) {
  const pw_row *r = &m->rows.items[row];
  pw_node force;
  if (r->on_velocity) {
    force = pw_mul(m->dag, r->clause.viscous, r->value);
  } else {
    pw_node rate;
    pw_time_derivative(m, &r->value, 1, &rate);
    pw_node damping = pw_mul(m->dag, r->clause.viscous, rate);
    pw_node elastic = pw_mul(m->dag, or_zero(m, r->clause.stiffness), r->value);
    force = pw_add(m->dag, elastic, damping);
  }
  bool both = r->stmt->u.law.rel.op == PW_REL_EQ;
  add(m, out, row, r->value, force, both ? force : pw_const(m->dag, 0));
}

void pw_kinks_of_row(const pw_model *m, int row, pw_kink_list *out) {
  const pw_row *r = &m->rows.items[row];
  switch (r->kind) {
  case PW_KIND_FRICTION: friction(m, row, out); break;
  case PW_KIND_SPRING: spring(m, row, out); break;
  case PW_KIND_LAW: graph(m, row, out); break;
  case PW_KIND_VISCOUS: viscous(m, row, out); break;
  case PW_KIND_ROUGH: add(m, out, row, r->value, -1, -1); break;
  default: add(m, out, row, r->value, -1, pw_const(m->dag, 0)); break;
  }
}
