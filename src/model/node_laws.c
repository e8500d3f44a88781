// SPDX-License-Identifier: MIT
/* Forces of dry frictions and contacts along one direction of coordinates without inertia, with the
 * rate s of the direction. Friction i has the rate ratio_i (s - t_i) and, along the direction, a
 * force w_i at most; R(s) is the resistance of all else.
 *
 * Dampers, R = R0 + c s with c > 0, engineering (E6): friction i holds s = t_i as long as it can,
 *   push_i = R0 + c t_i + sum_j w_j sign(t_i - t_j)   cut off at -w_i and w_i,
 * a contact that is closed takes what is left against it, and s = (sum push - R0)/c.
 *
 * Springs alone, R(q, t), and friction (Jenkins), engineering (E7): the force R of the friction
 * that holds changes with s = 0. At the bound, where this would carry it on, the friction slides
 * such that R stays there. The share R/w is a state that goes on by a very small part, so that
 * rounding does not decide whether the friction slides.
 *
 * Springs alone and contacts, engineering (E7): R and the gap are complementary, min(gap, R) = 0.
 */
#include <math.h>

#include "law/scale_model.h"
#include "model/nodes.h"
#include "model/signal.h"

typedef struct way_laws {
  pw_nodes *N;
  int at;          /* the direction */
  pw_node_law *l;  /* its laws, */
  const int *list; /*   by numbers, */
  int n;           /*   how many */
  pw_node R0, c;   /* resistance: R0 + c s */
} way_laws;

static pw_node_law *law_at(const way_laws *k, int i) {
  return &k->l[k->list[i]];
}

static pw_row *row_of(const way_laws *k, int i) {
  return &k->N->ck->m->rows.items[law_at(k, i)->row];
}

static pw_dag *dag_of(const way_laws *k) {
  return k->N->ck->dag;
}

static bool fail(const way_laws *k, int i, const char *why) {
  k->N->by = row_of(k, i)->law;
  k->N->why = why;
  return false;
}

/* ---- what the laws become ---- */

/* top where force >= bound, bottom where force <= -bound, else inside */
static pw_node beyond(pw_dag *dag, pw_node force, pw_node bound, pw_node top, pw_node bottom,
                      pw_node inside) {
  pw_node below = pw_neg(dag, pw_add(dag, force, bound));
  inside = pw_select(dag, below, bottom, inside);
  return pw_select(dag, pw_sub(dag, force, bound), top, inside);
}

/* The row has a force that is a function of the state. */
static void give(const way_laws *k, int i) {
  const pw_node_law *l = law_at(k, i);
  pw_dag *dag = dag_of(k);
  pw_row *row = row_of(k, i);
  row->kind = l->contact ? PW_KIND_TOUCH : PW_KIND_SERIES;
  row->clause.above = pw_neg(dag, pw_div(dag, l->push, l->ratio));
  row->clause.below = l->contact ? row->value : pw_neg(dag, row->clause.bound);
  row->clause.phase = l->phase;
}

static pw_node sum_of_pushes(const way_laws *k) {
  pw_node sum = pw_const(dag_of(k), 0);
  for (int i = 0; i < k->n; i++) {
    sum = pw_add(dag_of(k), sum, law_at(k, i)->push);
  }
  return sum;
}

/* ---- (E6): dampers ---- */

static bool meets(const way_laws *k, const pw_node_law *a, const pw_node_law *b) {
  return pw_is_value(dag_of(k), pw_sub(dag_of(k), a->at, b->at), 0);
}

/* The forces of the frictions on the way of law i at its rate, but for those with the same rate,
 * whose bounds are added up. */
static pw_node frictions_at(const way_laws *k, const pw_node_law *l, pw_node *same) {
  pw_dag *dag = dag_of(k);
  pw_node sum = pw_const(dag, 0);
  *same = sum;
  for (int j = 0; j < k->n; j++) {
    const pw_node_law *o = law_at(k, j);
    if (!o->contact && meets(k, l, o)) {
      *same = pw_add(dag, *same, o->bound);
    } else if (!o->contact) {
      bool before = l < o; /* one surface for the two of them, on which they agree */
      pw_node ahead = before ? pw_sub(dag, l->at, o->at) : pw_sub(dag, o->at, l->at);
      pw_node less = pw_neg(dag, o->bound);
      pw_node force = pw_select(dag, ahead, before ? o->bound : less, before ? less : o->bound);
      sum = pw_add(dag, sum, force);
    }
  }
  return sum;
}

/* Frictions with the same rate share a force like their bounds. */
static pw_node share_of(const way_laws *k, const pw_node_law *l, pw_node force, pw_node all) {
  pw_dag *dag = dag_of(k);
  return all == l->bound ? force : pw_mul(dag, force, pw_div(dag, l->bound, all));
}

/* The sign of its slip, by that of the rate of the direction against its own. */
static pw_node slip_sign(const way_laws *k, const pw_node_law *l, pw_node sign) {
  pw_dag *dag = dag_of(k);
  return pw_mul(dag, pw_apply1(dag, PW_OP_SIGN, l->ratio), sign);
}

static void push_friction(const way_laws *k, pw_node_law *l) {
  pw_dag *dag = dag_of(k);
  pw_node all, others = frictions_at(k, l, &all);
  pw_node held = pw_add(dag, k->R0, pw_mul(dag, k->c, l->at));
  held = pw_add(dag, held, others);
  l->push = share_of(k, l, beyond(dag, held, all, all, pw_neg(dag, all), held), all);
  pw_node one = pw_const(dag, 1), zero = pw_const(dag, 0);
  l->phase = slip_sign(k, l, beyond(dag, held, all, pw_neg(dag, one), one, zero));
}

/* Frictions hold first. While the gap is zero the plate goes on by a very small part of its free
 * rate, so that rounding does not open it. */
static void push_contact(const way_laws *k, pw_node_law *l, pw_node gap) {
  pw_dag *dag = dag_of(k);
  pw_node zero = pw_const(dag, 0), hold = pw_const(dag, 1 - PW_SCALE(NODE_SLIDES));
  pw_node need = pw_add(dag, k->R0, pw_mul(dag, k->c, l->at));
  for (int j = 0; j < k->n; j++) {
    const pw_node_law *o = law_at(k, j);
    need = o->push < 0 ? need : pw_sub(dag, need, o->push); /* contacts one after the other */
  }
  pw_node pressed = pw_node_value(dag, l->ratio) > 0 ? need : pw_neg(dag, need);
  need = pw_select(dag, pressed, pw_mul(dag, hold, need), zero);
  l->push = pw_select(dag, pw_neg(dag, gap), need, zero);
  l->phase =
      pw_select(dag, pw_neg(dag, gap), pw_select(dag, pressed, pw_const(dag, 1), zero), zero);
}

/* A contact beside frictions that slip at other rates than its own. */
static bool is_mixed(const way_laws *k, int i) {
  bool mixed = false;
  for (int j = 0; j < k->n; j++) {
    const pw_node_law *o = law_at(k, j);
    mixed = mixed || (!o->contact && !meets(k, law_at(k, i), o));
  }
  return mixed;
}

/* Two frictions that slip on different bodies hold these together where both stick: a body with
 * inertia would be at rest or not by forces that no function of the state gives. */
static bool can_tie(const way_laws *k, int i) {
  pw_check *ck = k->N->ck;
  bool tie = false;
  for (int j = 0; j < k->n; j++) {
    pw_node apart = pw_sub(ck->dag, law_at(k, i)->at, law_at(k, j)->at);
    tie = tie || (!law_at(k, j)->contact && (pw_has(ck, apart) & PW_HAS_U) != 0);
  }
  return tie;
}

static bool with_dampers(const way_laws *k) {
  pw_dag *dag = dag_of(k);
  for (int i = 0; i < k->n; i++) {
    if (!law_at(k, i)->contact && can_tie(k, i)) {
      return fail(k, i,
                  "frictions on two bodies that move tie these together where both stick, through "
                  "a coordinate without inertia: give it a small mass");
    }
    if (!law_at(k, i)->contact) {
      push_friction(k, law_at(k, i));
    }
  }
  for (int i = 0; i < k->n; i++) {
    pw_node_law *l = law_at(k, i);
    if (l->contact && is_mixed(k, i)) {
      return fail(k, i,
                  "a contact and a friction on one coordinate need the same other side, "
                  "which they slip on and stop at: give the coordinate a small mass");
    }
    if (l->contact) {
      push_contact(k, l, row_of(k, i)->value);
    }
  }
  const pw_node_way *w = &k->N->way[k->at];
  pw_node rate = pw_div(dag, pw_sub(dag, sum_of_pushes(k), k->R0), k->c);
  pw_node value = pw_sub(dag, w->slip, rate);
  return pw_add_rate(k->N, k->at, PW_KIND_NONHOLONOMIC, value, value);
}

/* ---- (E7): springs alone, friction ---- */

/* a where the share is at the bound of this side and would go beyond, else b */
static pw_node at_bound(pw_dag *dag, pw_node share, double side, pw_node beyond, pw_node a,
                        pw_node b) {
  pw_node past = pw_mul(dag, pw_const(dag, side), share);
  past = pw_sub(dag, past, pw_const(dag, 1));
  pw_node slides = pw_select(dag, pw_neg(dag, beyond), b, a);
  return pw_select(dag, past, slides, b);
}

static double start_of(void *payload, int var) {
  const pw_model *m = payload;
  int i = pw_var_index(var);
  switch (pw_var_kind(var)) {
  case PW_VAR_Q: return m->q_start[i].value;
  case PW_VAR_TIME: return m->run.from;
  case PW_VAR_PARAMETER: return m->parameters.items[i].value;
  default: return (double)NAN;
  }
}

static bool is_guess(void *payload, int var) {
  const pw_model *m = payload;
  return pw_var_kind(var) == PW_VAR_Q && m->q_start[pw_var_index(var)].mode == PW_GUESS;
}

/* What the springs ask of the friction at the start has to be within its bound. */
static void check_start(const way_laws *k, double force, double bound) {
  pw_check *ck = k->N->ck;
  if (bound > 0 && fabs(force) <= bound) {
    return;
  }
  pw_diag_ref d = pw_error(ck->diags, "E0302", row_of(k, 0)->span,
                           "the friction `%s` cannot hold at the start", row_of(k, 0)->name);
  pw_label(d, "the other forces ask for %s, its bound is %s", pw_format_real(ck, -force),
           pw_format_real(ck, bound));
  pw_help(d, "a coordinate without inertia cannot be out of balance: start it where the springs "
             "pull less");
}

/* The share of the bound as a state that starts with what the springs ask for. */
static int add_share(const way_laws *k, pw_node F) {
  pw_check *ck = k->N->ck;
  pw_model *m = ck->m;
  pw_span span = row_of(k, 0)->span;
  double force = pw_eval(ck->dag, k->R0, start_of, m);
  double bound = pw_eval(ck->dag, F, start_of, m);
  check_start(k, force, bound);
  const char *name = pw_intern_format(ck->names, "%s.share", row_of(k, 0)->name);
  int signal = pw_add_signal(ck, (pw_name){name, span}, PW_SIGNAL_STATE, 1);
  pw_start_signal(ck, signal, force / bound, span);
  m->signals.items[signal].stmt = row_of(k, 0)->stmt;
  m->signals.items[signal].known = true;
  pw_adopt_names(ck);
  return signal;
}

/* Stiffness along the direction, which has to be positive. */
static bool is_stiff(const way_laws *k, pw_node *stiff) {
  pw_dag *dag = dag_of(k);
  *stiff = pw_along(k->N, &k->N->way[k->at], k->R0, false);
  return !pw_is_const(dag, *stiff) || pw_node_value(dag, *stiff) > 0;
}

static bool with_springs(const way_laws *k) {
  pw_check *ck = k->N->ck;
  pw_dag *dag = ck->dag;
  pw_node stiff, R = k->R0, F;
  (void)frictions_at(k, law_at(k, 0), &F);
  unsigned has = pw_has(ck, R) | pw_has(ck, F);
  if ((has & (PW_HAS_U | PW_HAS_HELD)) != 0 || !is_stiff(k, &stiff)) {
    return fail(k, 0,
                "springs or a damper of its own have to act on the coordinate; else give it a "
                "small mass");
  }
  if (pw_depends(dag, R, is_guess, ck->m)) {
    return fail(k, 0, "give the starts of what acts on the coordinate by `=`, not by `~`");
  }
  int signal = add_share(k, F);
  pw_node share = pw_signal_slot(ck, signal, 0);

  /* rates while it holds, and how far they go beyond those of the bounds */
  pw_node rates[2], of[2] = {R, F};
  pw_time_derivative(ck->m, of, 2, rates);
  pw_node rise = pw_with_way_held(k->N, k->at, rates[0]);
  pw_node widen = pw_with_way_held(k->N, k->at, rates[1]);
  pw_node above = pw_sub(dag, rise, widen), below = pw_add(dag, rise, widen);
  pw_node under = pw_neg(dag, below);

  /* the rate of the direction that takes this back; NaN where the stiffness is negative */
  pw_node give_way = pw_div(dag, pw_const(dag, -1), pw_apply1(dag, PW_OP_SQRT, stiff));
  give_way = pw_neg(dag, pw_mul(dag, give_way, give_way));
  pw_node zero = pw_const(dag, 0);
  pw_node up = pw_mul(dag, give_way, above), down = pw_mul(dag, give_way, below);
  pw_node rate = at_bound(dag, share, -1, under, down, zero);
  rate = at_bound(dag, share, 1, above, up, rate);

  /* w share' = R' - share w' */
  pw_node part = pw_const(dag, PW_SCALE(NODE_SLIDES));
  pw_node holds = pw_sub(dag, rise, pw_mul(dag, share, widen));
  pw_node to_top = pw_mul(dag, part, above), to_bottom = pw_mul(dag, part, below);
  pw_node change = at_bound(dag, share, -1, under, to_bottom, holds);
  change = at_bound(dag, share, 1, above, to_top, change);
  ck->m->signals.items[signal].value = pw_div(dag, change, F);

  /* its force: that of the springs, the bound where it slides */
  pw_node push = at_bound(dag, share, -1, under, pw_neg(dag, F), R);
  push = at_bound(dag, share, 1, above, F, push);
  pw_node sign = at_bound(dag, share, -1, under, pw_const(dag, 1), zero);
  sign = at_bound(dag, share, 1, above, pw_const(dag, -1), sign);
  for (int i = 0; i < k->n; i++) {
    law_at(k, i)->push = share_of(k, law_at(k, i), push, F);
    law_at(k, i)->phase = slip_sign(k, law_at(k, i), sign);
  }
  pw_node value = pw_sub(dag, k->N->way[k->at].slip, rate);
  return pw_add_rate(k->N, k->at, PW_KIND_NONHOLONOMIC, value, value);
}

/* ---- (E7): springs alone, contacts ---- */

static bool with_walls(const way_laws *k) {
  pw_check *ck = k->N->ck;
  pw_dag *dag = ck->dag;
  int walls[2] = {0, 0};
  pw_node stiff, zero = pw_const(dag, 0), rate;
  if ((pw_has(ck, k->R0) & (PW_HAS_U | PW_HAS_HELD)) != 0 || !is_stiff(k, &stiff)) {
    return fail(k, 0,
                "springs or a damper of its own have to act on the coordinate; else give it a "
                "small mass");
  }
  pw_node value = pw_div(dag, k->R0, stiff);
  for (int i = 0; i < k->n; i++) {
    pw_node_law *l = law_at(k, i);
    bool up = pw_node_value(dag, l->ratio) > 0;
    if (walls[up]++ > 0) {
      return fail(k, i,
                  "two walls on one side of it have no forces of their own: state the "
                  "smaller gap, `min(a, b) >= 0`, or give it a damper");
    }
    pw_node gap = pw_div(dag, row_of(k, i)->value, l->ratio);
    pw_node closed = up ? pw_sub(dag, value, gap) : pw_sub(dag, gap, value);
    value = pw_select(dag, closed, gap, value);
    l->push = pw_select(dag, closed, k->R0, zero);
    l->phase = pw_select(dag, closed, pw_const(dag, 1), zero);
  }
  bool moves = (pw_has(ck, value) & PW_HAS_TIME) != 0;
  return pw_elab_rate(ck, &value, 1, &rate) &&
         pw_add_rate(k->N, k->at, moves ? PW_KIND_RHEONOMIC : PW_KIND_HOLONOMIC, value, rate);
}

/* ---- all ---- */

static bool is_plain(const pw_clauses *c, const pw_row *row) {
  return row->count == 1 && c->bound >= 0 && c->on < 0 && c->n_load == 0 && c->static_bound < 0;
}

static bool fits(const way_laws *k, int i) {
  pw_dag *dag = dag_of(k);
  pw_node_law *l = law_at(k, i);
  const pw_row *row = row_of(k, i);
  if (!l->contact && (!is_plain(&row->clause, row) || pw_has_node_rate(k->N, row->clause.bound))) {
    return fail(k, i,
                "friction on a coordinate without inertia needs a `bound` that contains neither "
                "its own slip nor forces; else give the coordinate a small mass");
  }
  pw_node e = row->clause.restitution;
  if (l->contact && e >= 0 && !pw_is_value(dag, e, 0)) {
    return fail(k, i,
                "nothing strikes on a coordinate without inertia, so that no restitution can "
                "be kept: state `restitution 0`");
  }
  bool turns = l->contact && !pw_is_const(dag, l->ratio);
  if (turns || pw_has_node_rate(k->N, l->ratio) || pw_has_node_rate(k->N, k->c)) {
    return fail(k, i,
                "its force does not depend on the rate in a straight line: give the "
                "coordinate a small mass");
  }
  if (!l->contact) {
    l->bound = pw_mul(dag, pw_apply1(dag, PW_OP_ABS, l->ratio), row->clause.bound);
  }
  return true;
}

bool pw_node_laws(pw_nodes *N, int way) {
  int *list = PW_TAKE(N->ck->arena, N->way[way].laws, int);
  way_laws k = {.N = N, .at = way, .l = N->law, .list = list};
  int contacts = 0;
  for (int i = N->way[way].first; i < N->n_law && k.n < N->way[way].laws; i++) {
    if (N->law[i].way == way) {
      list[k.n++] = i;
      contacts += N->law[i].contact;
    }
  }
  pw_node R = pw_resistance(N, &N->way[way]);
  k.c = pw_along(N, &N->way[way], R, true);
  for (int i = 0; i < k.n; i++) {
    if (!fits(&k, i)) {
      return false;
    }
  }
  k.R0 = pw_with_way_held(N, way, R);
  bool damped = !pw_is_value(dag_of(&k), k.c, 0), alike = contacts == 0 || contacts == k.n;
  for (int i = 0; i < k.n; i++) {
    alike = alike && (contacts > 0 || meets(&k, law_at(&k, 0), law_at(&k, i)));
  }
  if (!damped && !alike) {
    return fail(&k, k.n - 1,
                "laws of different kinds, or with different other sides, need a damper on the "
                "coordinate, `dissipation D = 1/2*c*n'^2`");
  }
  bool done = damped ? with_dampers(&k) : contacts > 0 ? with_walls(&k) : with_springs(&k);
  for (int i = 0; i < k.n && done; i++) {
    give(&k, i);
  }
  return done;
}
