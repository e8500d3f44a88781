// SPDX-License-Identifier: MIT
#include "system/kinks.h"
#include "law/scale_model.h"

#include <math.h>

/* x: the row's slip or stretch at the kink, where it is a number. */
static void add_at(const pw_model *m, pw_kink_list *out, int row, double x, pw_node value,
                   pw_node left, pw_node right) {
  bool flipped = left >= 0 && right < 0;
  pw_kink k = {.row = row, .value = value, .left = left, .right = right, .shift = x, .unit = 1};
  if (flipped) {
    k.unit = -1;
    k.value = pw_neg(m->dag, value);
    k.left = -1;
    k.right = pw_neg(m->dag, left);
  }
  PW_PUSH(m->arena, out, k);
}

static void add(const pw_model *m, pw_kink_list *out, int row, pw_node value, pw_node left,
                pw_node right) {
  add_at(m, out, row, 0, value, left, right);
}

/* The kinks from number `first` on have no steps. */
static void bend(const pw_kink_list *out, int first) {
  for (int i = first; i < out->n; i++) {
    pw_kink *k = &out->items[i];
    k->shape = k->left == k->right ? PW_KINK_STRAIGHT : PW_KINK_BEND;
  }
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

/* theory (96), (97): the measure of the second slip of an elliptic cone is m2/m1 times the slip,
 * which makes the ellipse a disk of radius m1. */
static double unit_of(const pw_model *m, int row) {
  const pw_row *r = &m->rows.items[row];
  return row == r->first ? 1 : r->clause.mu_ratio;
}

static pw_node measure(const pw_model *m, int row) {
  return pw_mul(m->dag, pw_const(m->dag, unit_of(m, row)), m->rows.items[row].value);
}

/* A slip of several components: -force = F s/|s|. Its rows are never below their kinks; the graph
 * holds minus the radius of the disk or ball there, -F. */
static void ball(const pw_model *m, int row, pw_node bound, pw_kink_list *out) {
  const pw_row *r = &m->rows.items[row];
  pw_node sum = pw_const(m->dag, 0);
  for (int k = 0; k < r->count; k++) {
    pw_node part = measure(m, r->first + k);
    sum = pw_add(m->dag, sum, pw_mul(m->dag, part, part));
  }
  pw_node length = pw_apply1(m->dag, PW_OP_SQRT, sum);
  pw_node s = measure(m, row);
  pw_node d = pw_div(m->dag, s, length);
  pw_node radius = pw_neg(m->dag, bound);
  add(m, out, row, s, radius, pw_mul(m->dag, bound, d));
  out->items[out->n - 1].unit = unit_of(m, row);
}

static void friction(const pw_model *m, int row, pw_kink_list *out) {
  const pw_row *r = &m->rows.items[row];
  pw_node bound = r->clause.on >= 0 ? r->clause.mu : r->clause.bound;
  if (r->count > 1) {
    ball(m, row, bound, out);
    return;
  }
  pw_node below = bound_on(m, bound, r->value, -1);
  pw_node above = bound_on(m, bound, r->value, 1);
  add(m, out, row, r->value, pw_neg(m->dag, below), above);
}

/* ---- springs: F0 + k (s - b) above the play, -F0 + k (s - a) below it ---- */

static pw_node or_zero(const pw_model *m, pw_node a) {
  return a >= 0 ? a : pw_const(m->dag, 0);
}

static bool is_finite(const pw_model *m, pw_node constant) {
  return isfinite(pw_node_value(m->dag, constant));
}

/* A force plus that of a parallel dashpot. */
static pw_node with_dashpot(const pw_model *m, const pw_row *r, pw_node force) {
  if (r->clause.damping < 0) {
    return force;
  }
  pw_node rate;
  pw_time_derivative(m, &r->value, 1, &rate);
  return pw_add(m->dag, force, pw_mul(m->dag, r->clause.damping, rate));
}

/* A force beyond the play with its damping, engineering (E3): it does not turn round, unless the
 * spring may pull. */
static pw_node damped(const pw_model *m, const pw_row *r, pw_node force, bool above) {
  pw_node zero = pw_const(m->dag, 0), sum = with_dashpot(m, r, force);
  return r->clause.damping < 0 || r->clause.pulls
             ? sum
             : pw_apply2(m->dag, above ? PW_OP_MAX : PW_OP_MIN, zero, sum);
}

static void spring(const pw_model *m, int row, pw_kink_list *out) {
  const pw_row *r = &m->rows.items[row];
  pw_node zero = pw_const(m->dag, 0);
  pw_node k = or_zero(m, r->clause.stiffness), F0 = or_zero(m, r->clause.preload);
  pw_node lo = or_zero(m, r->clause.play_lo), hi = or_zero(m, r->clause.play_hi);
  pw_node from_lo = pw_sub(m->dag, r->value, lo), from_hi = pw_sub(m->dag, r->value, hi);
  pw_node stretch_lo = pw_mul(m->dag, k, from_lo), stretch_hi = pw_mul(m->dag, k, from_hi);
  pw_node below = damped(m, r, pw_sub(m->dag, stretch_lo, F0), false);
  pw_node above = damped(m, r, pw_add(m->dag, stretch_hi, F0), true);
  bool has_lo = is_finite(m, lo), has_hi = is_finite(m, hi);
  int first = out->n;
  if (lo == hi && has_lo) {
    add(m, out, row, from_lo, below, above);
  } else if (has_lo) {
    add(m, out, row, from_lo, below, zero);
  }
  if (lo != hi && has_hi) {
    add(m, out, row, from_hi, zero, above);
  }
  if (!has_lo && !has_hi) { /* play without end: no force, but the law has a row */
    add(m, out, row, r->value, zero, zero);
  }
  if (pw_is_value(m->dag, F0, 0)) {
    bend(out, first);
  }
}

/* ---- graphs through points ---- */

typedef struct corner { /* the graph at x: -force in [low, high], slopes on both sides */
  double x, low, high, before, after;
} corner;

/* f + slope (s - x) */
static pw_node line(const pw_model *m, pw_node value, double x, double f, double slope) {
  pw_node from = pw_sub(m->dag, value, pw_const(m->dag, x));
  pw_node rise = pw_mul(m->dag, pw_const(m->dag, slope), from);
  return pw_add(m->dag, rise, pw_const(m->dag, f));
}

/* Slope of the first piece from point i in direction step that is not vertical; a piece to an
 * infinite argument is level. False: there is none. */
static bool slope_from(const pw_row *r, int i, int step, double *slope) {
  const struct pw_graph_point *p = r->clause.graph;
  for (int j = i + step; j >= 0 && j < r->clause.n_graph; j += step) {
    if (p[j].x != p[i].x) {
      *slope = isinf(p[j].x) ? 0 : (p[j].f - p[j - step].f) / (p[j].x - p[j - step].x);
      return true;
    }
  }
  return false;
}

/* Points first .. last share one x. Beyond its ends the graph continues with the slope inside. */
static corner corner_of(const pw_row *r, int first, int last) {
  const struct pw_graph_point *p = r->clause.graph;
  corner c = {.x = p[first].x, .low = p[first].f, .high = p[last].f};
  bool is_before = slope_from(r, first, -1, &c.before);
  bool is_after = slope_from(r, last, 1, &c.after);
  c.before = is_before ? c.before : c.after;
  c.after = is_after ? c.after : c.before;
  return c;
}

/* One kink has the whole graph on its sides, the others only the changes there: theory (72). */
static void add_corner(const pw_model *m, int row, corner c, bool is_first, pw_kink_list *out) {
  pw_node s = m->rows.items[row].value, left = pw_const(m->dag, 0), right;
  pw_node from = pw_sub(m->dag, s, pw_const(m->dag, c.x));
  if (is_first) {
    left = with_dashpot(m, &m->rows.items[row], line(m, s, c.x, c.low, c.before));
    right = with_dashpot(m, &m->rows.items[row], line(m, s, c.x, c.high, c.after));
  } else {
    right = line(m, s, c.x, c.high - c.low, c.after - c.before);
  }
  add_at(m, out, row, c.x, from, left, right);
  if (c.low == c.high) {
    bend(out, out->n - 1);
  }
}

/* Walls push or do nothing; the finite part belongs to the other kinks: theory (73). */
static void add_walls(const pw_model *m, int row, corner c, pw_kink_list *out) {
  pw_node zero = pw_const(m->dag, 0);
  pw_node from = pw_sub(m->dag, m->rows.items[row].value, pw_const(m->dag, c.x));
  if (isinf(c.low)) {
    add_at(m, out, row, c.x, from, -1, zero);
  }
  if (isinf(c.high)) {
    add_at(m, out, row, c.x, from, zero, -1);
  }
}

/* A straight graph, perhaps between walls, has no kink: that of its row may be anywhere. */
static void add_straight(const pw_model *m, int row, corner c, pw_kink_list *out) {
  pw_node s = m->rows.items[row].value;
  bool wall_left = isinf(c.low), wall_right = isinf(c.high);
  double f = wall_left ? c.high : c.low, slope = wall_left ? c.after : c.before;
  bool idle = f == 0 && slope == 0 && m->rows.items[row].clause.damping < 0;
  if (isfinite(f) && !(idle && (wall_left || wall_right))) {
    pw_node from = pw_sub(m->dag, s, pw_const(m->dag, c.x));
    pw_node force = with_dashpot(m, &m->rows.items[row], line(m, s, c.x, f, slope));
    add_at(m, out, row, c.x, from, force, force);
    bend(out, out->n - 1);
  }
}

static bool is_straight(corner c) {
  return c.low == c.high && c.before == c.after;
}

static void graph(const pw_model *m, int row, pw_kink_list *out) {
  const pw_row *r = &m->rows.items[row];
  const struct pw_graph_point *p = r->clause.graph;
  corner outer = {0, 0, 0, 0, 0};
  bool is_first = true, is_outer = true;
  for (int i = 0, last; i < r->clause.n_graph; i = last + 1) {
    for (last = i; last + 1 < r->clause.n_graph && p[last + 1].x == p[i].x;) {
      last++;
    }
    if (isinf(p[i].x)) {
      continue;
    }

    /* points with the same x are one corner: a bend, a jump of the force, or a wall */
    corner c = corner_of(r, i, last);
    bool wall = isinf(c.low) || isinf(c.high);
    if (wall) {
      add_walls(m, row, c, out);
    } else if (!is_straight(c)) {
      add_corner(m, row, c, is_first, out);
      is_first = false;
    }

    /* where a straight graph is attached: at its first point, or at a wall */
    if (is_outer || (wall && !isinf(outer.low))) {
      outer = c;
      is_outer = false;
    }
  }
  if (is_first) {
    add_straight(m, row, outer, out);
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
  bend(out, out->n - 1);
}

/* ---- servos: one-sided ones have a wall, one-way ones let go to both sides ---- */

static void servo(const pw_model *m, int row, pw_kink_list *out) {
  const pw_row *r = &m->rows.items[row];
  bool wall = r->stmt->u.law.rel.op != PW_REL_EQ;
  add(m, out, row, r->value, wall ? -1 : pw_const(m->dag, 0), pw_const(m->dag, 0));
}

/* ---- walls ---- */

/* sqrt(s) as sqrt(s + 1e-300), hypot alike: the same numbers, and at s = 0, the middle of a rope or
 * the tip of a cone, the gradient 0 instead of 0/0. */
static pw_node blunt(void *payload, pw_dag *dag, pw_node node, const pw_node *arg) {
  (void)payload;
  pw_op op = pw_node_op(dag, node);
  if (op != PW_OP_SQRT && op != PW_OP_HYPOT) {
    return -1;
  }
  pw_node square = arg[0];
  if (op == PW_OP_HYPOT) {
    pw_node a = pw_mul(dag, arg[0], arg[0]);
    square = pw_add(dag, a, pw_mul(dag, arg[1], arg[1]));
  }
  return pw_apply1(dag, PW_OP_SQRT, pw_add(dag, square, pw_const(dag, PW_SCALE(CONE_TIP))));
}

static void unilateral(const pw_model *m, int row, pw_kink_list *out) {
  pw_node value;
  pw_rewrite(m->dag, &m->rows.items[row].value, 1, blunt, NULL, &value);
  add(m, out, row, value, -1, pw_const(m->dag, 0));
}

/* ---- kinks of energies: potentials (P2), (P11) ---- */

static void kink(const pw_model *m, int row, pw_kink_list *out) {
  const pw_row *r = &m->rows.items[row];
  if (r->count > 1) {
    ball(m, row, r->clause.bound, out);
  } else {
    add(m, out, row, r->value, r->clause.below, r->clause.above);
  }
}

/* ---- coordinates without inertia: a force that is a function, engineering (E6), (E7) ---- */

/* The left side holds the value that the certificate compares with: -F of a friction, 0 of a
 * contact. */
static void given(const pw_model *m, int row, pw_kink_list *out) {
  const pw_row *r = &m->rows.items[row];
  add(m, out, row, r->value, r->clause.below, r->clause.above);
  out->items[out->n - 1].shape = PW_KINK_STRAIGHT;
}

void pw_kinks_of_row(const pw_model *m, int row, pw_kink_list *out) {
  const pw_row *r = &m->rows.items[row];
  switch (r->kind) {
  case PW_KIND_FRICTION: friction(m, row, out); break;
  case PW_KIND_SPRING: spring(m, row, out); break;
  case PW_KIND_LAW: graph(m, row, out); break;
  case PW_KIND_VISCOUS: viscous(m, row, out); break;
  case PW_KIND_SERVO:
  case PW_KIND_VAKONOMIC:
  case PW_KIND_INERTIA: servo(m, row, out); break;
  case PW_KIND_UNILATERAL: unilateral(m, row, out); break;
  case PW_KIND_SERIES:
  case PW_KIND_TOUCH: given(m, row, out); break;
  case PW_KIND_KINK: kink(m, row, out); break;
  case PW_KIND_ROUGH: add(m, out, row, r->value, -1, -1); break;
  default: add(m, out, row, r->value, -1, pw_const(m->dag, 0)); break;
  }
}
