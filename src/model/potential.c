// SPDX-License-Identifier: MIT
/* Kinks of potentials and of velocity potentials, potentials (P1)-(P6). An energy E with a node
 * n = |s|, max(a, b), min(a, b) or |(s1, s2)| below it has the generalised gradient
 * (Glocker 1998, (2.4)-(2.9), (4.2), (10.1)) dE = dE at constant n  +  [below, above] ds     where
 * s = 0, if its slope by n does not fall there. So every kink is a law with the measure s whose
 * -force is `below` on one side and `above` on the other; what is left of E is smooth. Choices are
 * kinks |s| and smooth ones before, see choice_kinks.c. */
#include <math.h>

#include "law/scale_model.h"
#include "model/choice_kinks.h"
#include "model/everywhere.h"
#include "model/hidden.h"
#include "model/law_rows.h"
#include "model/meet.h"
#include "model/several.h"
#include "model/tip.h"

typedef struct kink {
  pw_node node;
  pw_op op;
  pw_node a, b;         /* its two pieces; of abs: s and -s */
  pw_node s;            /* measure: a is taken where s >= 0; of `min`, where s <= 0 */
  pw_node arg[3];       /* operands of the node with the kinks below them as variables */
  pw_node slope;        /* dE/dn */
  pw_node base;         /* smooth part of the node that stays in the energy */
  pw_node below, above; /* slopes of the energy by s */
  bool is_law;
  const pw_maximum *several; /* of three and more pieces; s is then one of many measures */
  bool is_tip;               /* a norm; its measures: */
  pw_tip tip;
} kink;

typedef struct kinks {
  pw_check *ck;
  unsigned has; /* PW_HAS_Q or PW_HAS_U: what a measure must depend on */
  int first;    /* PW_VAR_KINK of the first one */
  PW_LIST(kink) all;
  pw_maxima severals;
  pw_choices choices;
} kinks;

static pw_node kink_var(const kinks *x, int i) {
  return pw_var(x->ck->dag, pw_var_of(PW_VAR_KINK, x->first + i));
}

/* ---- finding ---- */

static bool is_kink_op(pw_op op) {
  return op == PW_OP_ABS || op == PW_OP_MIN || op == PW_OP_MAX;
}

static kink describe(pw_dag *dag, pw_node node) {
  kink k = {.node = node, .op = pw_node_op(dag, node), .slope = -1, .base = -1};
  k.a = pw_node_arg(dag, node, 0);
  k.b = k.op == PW_OP_ABS ? pw_neg(dag, k.a) : pw_node_arg(dag, node, 1);
  k.s = k.op == PW_OP_ABS ? k.a : pw_sub(dag, k.a, k.b);
  return k;
}

static pw_node note(kinks *x, const kink *k) {
  PW_PUSH(x->ck->arena, &x->all, *k);
  return kink_var(x, x->all.n - 1);
}

static pw_node find_tip(kinks *x, pw_node node, const pw_node *arg) {
  kink k = {.node = node, .op = pw_node_op(x->ck->dag, node), .slope = -1, .is_tip = true};
  if (!pw_tip_of(x->ck, x->has, node, &k.tip)) {
    return -1;
  }
  k.base = pw_const(x->ck->dag, 0);
  for (int i = 0; i < (k.op == PW_OP_HYPOT ? 2 : 1); i++) {
    k.arg[i] = arg[i];
  }
  return note(x, &k);
}

/* A maximum of several pieces, which is a choice by pairs of them. */
static pw_node find_several(kinks *x, const pw_maximum *several, pw_node node, const pw_node *arg) {
  kink k = {.node = node, .op = PW_OP_SELECT, .slope = -1, .base = -1, .several = several};
  for (int i = 0; i < 3; i++) {
    k.arg[i] = arg[i];
  }
  return note(x, &k);
}

/* Replaces every kink by its variable. Choices keep their conditions, which may be measures. */
static pw_node find_kink(void *payload, pw_dag *dag, pw_node node, const pw_node *arg) {
  kinks *x = payload;
  pw_op op = pw_node_op(dag, node);
  if (op == PW_OP_SQRT || op == PW_OP_HYPOT) {
    return find_tip(x, node, arg);
  }
  if (op == PW_OP_SELECT) {
    const pw_maximum *several = pw_maximum_of(&x->severals, node);
    return several != NULL ? find_several(x, several, node, arg)
           : pw_maximum_has_choice(&x->severals, node)
               ? -1
               : pw_select(dag, pw_node_arg(dag, node, 0), arg[1], arg[2]);
  }
  if (!is_kink_op(op)) {
    return -1;
  }
  kink k = describe(dag, node);
  if ((pw_has(x->ck, k.s) & x->has) == 0) {
    return -1;
  }
  for (int i = 0; i < (op == PW_OP_ABS ? 1 : 2); i++) {
    k.arg[i] = arg[i];
  }
  return note(x, &k);
}

static pw_node restore(void *payload, pw_dag *dag, pw_node node, const pw_node *arg) {
  const kinks *x = payload;
  (void)arg;
  if (pw_node_op(dag, node) != PW_OP_VAR) {
    return -1;
  }
  int var = pw_node_var(dag, node);
  return pw_var_kind(var) == PW_VAR_KINK ? x->all.items[pw_var_index(var) - x->first].node : -1;
}

/* ---- what energies rise by with their kinks ---- */

/* Adds weight * df/dn to the slopes of the kinks n in f. */
static void spread(kinks *x, pw_node f, pw_node weight) {
  pw_dag *dag = x->ck->dag;
  pw_var_list list = pw_vars_in(x->ck, f, PW_VAR_KINK);
  pw_node *slope = PW_TAKE(x->ck->arena, list.var.n + 1, pw_node);
  pw_gradient(dag, f, list.var.items, list.var.n, slope);
  for (int i = 0; i < list.var.n; i++) {
    kink *k = &x->all.items[pw_var_index(list.var.items[i]) - x->first];
    pw_node part = pw_mul(dag, weight, slope[i]);
    k->slope = pw_add(dag, k->slope, part);
  }
}

static bool is_still(const kinks *x, pw_node piece) {
  return (pw_has(x->ck, piece) & x->has) == 0;
}

/* The force of a law is along the whole gradient of its measure, with that of all kinks below it;
 * beside it the energy has the base alone. */
static void spread_base(kinks *x, const kink *k) {
  pw_dag *dag = x->ck->dag;
  bool mean =
      (k->op == PW_OP_MAX || k->op == PW_OP_MIN) && !is_still(x, k->a) && !is_still(x, k->b);
  if (mean && !k->is_tip) {
    pw_node half = pw_mul(dag, pw_const(dag, 0.5), k->slope);
    spread(x, k->arg[0], half);
    spread(x, k->arg[1], half);
  }
}

static void spread_pieces(kinks *x, const kink *k) {
  pw_dag *dag = x->ck->dag;
  pw_node zero = pw_const(dag, 0);
  if (k->several != NULL) {
    pw_node held = pw_select(dag, k->arg[0], k->arg[1], k->arg[2]);
    spread(x, held, k->slope);
    return;
  }
  if (k->is_tip) {
    pw_node norm = k->op == PW_OP_HYPOT ? pw_apply2(dag, k->op, k->arg[0], k->arg[1])
                                        : pw_apply1(dag, k->op, k->arg[0]);
    spread(x, norm, k->slope);
    return;
  }
  if (k->op == PW_OP_ABS) {
    pw_node sign = pw_apply1(dag, PW_OP_SIGN, k->s);
    spread(x, k->arg[0], pw_mul(dag, k->slope, sign));
    return;
  }
  bool turned = k->op == PW_OP_MIN;
  for (int i = 0; i < 2; i++) {
    bool above = (i == 0) != turned;
    pw_node weight = pw_select(dag, k->s, above ? k->slope : zero, above ? zero : k->slope);
    spread(x, k->arg[i], weight);
  }
}

/* ---- the two sides ---- */

typedef struct side {
  const kink *k;
  bool above;
} side;

/* What a node is on one side of the kink, as a function that goes on beyond it. Other choices keep
 * their conditions, which may be the measures of laws. */
static pw_node on_side(void *payload, pw_dag *dag, pw_node node, const pw_node *arg) {
  const side *x = payload;
  pw_op op = pw_node_op(dag, node);
  if (node == x->k->node) {
    return x->above != (op == PW_OP_MIN) ? x->k->a : x->k->b;
  }
  if (op == PW_OP_SIGN && arg[0] == x->k->s) {
    return pw_const(dag, x->above ? 1 : -1);
  }
  if (op != PW_OP_SELECT) {
    return -1;
  }
  return arg[0] == x->k->s ? arg[x->above ? 1 : 2]
                           : pw_select(dag, pw_node_arg(dag, node, 0), arg[1], arg[2]);
}

static pw_node slope_on(const kinks *x, const kink *k, bool above) {
  side which = {k, above};
  pw_node out;
  pw_rewrite(x->ck->dag, &k->slope, 1, on_side, &which, &out);
  return out;
}

/* ---- what a kink is as a law ---- */

/* potentials (P2)-(P4). One piece of `max` and `min` that does not move is the base, so that the
 * force is zero beside it; else the base is the mean of both. */
static void choose_sides(const kinks *x, kink *k) {
  pw_dag *dag = x->ck->dag;
  pw_node zero = pw_const(dag, 0), half = pw_const(dag, 0.5);
  pw_node below = slope_on(x, k, false), above = slope_on(x, k, true);

  /* A base that is smooth, plus a kink that vanishes at s = 0. */
  bool falls = k->op == PW_OP_MIN;
  if (k->op == PW_OP_ABS) {
    k->base = zero;
    k->below = pw_neg(dag, below);
    k->above = above;
  } else if (is_still(x, k->b) || is_still(x, k->a)) {
    /* With b at rest: max(a, b) = b + max(a - b, 0). */
    bool turned = !is_still(x, k->b);
    k->base = turned ? k->a : k->b;
    k->s = turned ? pw_neg(dag, k->s) : k->s;
    k->below = falls ? (turned ? above : below) : zero;
    k->above = falls ? zero : (turned ? below : above);
  } else {
    /* max(a, b) = (a + b)/2 + |a - b|/2 */
    pw_node sum = pw_add(dag, k->a, k->b);
    k->base = pw_mul(dag, half, sum);
    below = pw_mul(dag, half, below);
    above = pw_mul(dag, half, above);
    k->below = falls ? below : pw_neg(dag, below);
    k->above = falls ? pw_neg(dag, above) : above;
  }
}

/* ---- whether there is a kink at all ---- */

/* By how much the slope rises across s = 0. */
static pw_node rise_of(const kinks *x, const kink *k) {
  return pw_sub(x->ck->dag, k->above, k->below);
}

/* |x|^3 and max(x, 0)^2 have a smooth slope, which is left to the switching surfaces. */
static bool is_law(const kinks *x, const kink *k) {
  pw_dag *dag = x->ck->dag;
  pw_node rise = pw_in_numbers(x->ck, rise_of(x, k)), s = pw_in_numbers(x->ck, k->s);
  bool flat;
  int crossings = pw_vanish_on(dag, s, &rise, 1, &flat);
  return crossings == 0 ? !pw_is_value(dag, rise, 0) : !flat;
}

/* potentials (P6): where the slope falls across the kink no force is determined. */
static bool is_regular(kinks *x, const kink *k) {
  double lo, hi;
  pw_enclose_everywhere(x->ck, rise_of(x, k), &lo, &hi);
  if (!(hi < 0)) {
    return true;
  }
  const pw_stmt *s = x->ck->stmt;
  static const char *const word[PW_OP_COUNT] = {
      [PW_OP_ABS] = "abs", [PW_OP_MIN] = "min", [PW_OP_MAX] = "max"};
  const char *written = pw_choices_made(&x->choices, k->node) ? "if" : word[k->op];
  pw_diag_ref d = pw_error(x->ck->diags, "E0223", s->u.energy.ex->span,
                           "`%s` has a re-entrant kink", s->u.energy.name.text);
  pw_label(
      d,
      "its slope falls by %.6g or more where `%s` changes its piece: no force is determined there",
      -hi, written);
  pw_help(d, "a ridge is no force law: round it, or state what happens on it as a `law`");
  return false;
}

/* ---- slopes: one reverse sweep over the kinks, the outer ones first ---- */

static bool is_tip_law(const kinks *x, const kink *k) {
  pw_tip tip = k->tip;
  for (int i = 0; i < tip.n; i++) {
    tip.s[i] = pw_in_numbers(x->ck, tip.s[i]);
  }
  return pw_tip_rises(x->ck, x->has, pw_in_numbers(x->ck, k->node), &tip,
                      pw_in_numbers(x->ck, k->slope));
}

/* Its slope is known. Those of several pieces are laws by pairs. */
static void decide(const kinks *x, kink *k) {
  if (k->is_tip) {
    k->is_law = is_tip_law(x, k);
  } else if (k->several == NULL) {
    choose_sides(x, k);
    k->is_law = pw_can_vanish(x->ck, k->s) && is_law(x, k);
  }
}

static void find_slopes(kinks *x, pw_node energy) {
  for (int i = 0; i < x->all.n; i++) {
    x->all.items[i].slope = pw_const(x->ck->dag, 0);
  }
  spread(x, energy, pw_const(x->ck->dag, 1));
  for (int i = x->all.n - 1; i >= 0; i--) {
    kink by_vars = x->all.items[i], *k = &x->all.items[i];
    pw_rewrite(x->ck->dag, &k->slope, 1, restore, x, &k->slope);
    decide(x, k);
    if (k->is_law && k->base >= 0) {
      spread_base(x, &by_vars);
    } else {
      spread_pieces(x, &by_vars);
    }
  }
}

/* ---- rows ---- */

/* The energy with base + variable in the place of every kink that is a law. Choices keep their
 * conditions, which are the measures of laws. */
static pw_node hold(void *payload, pw_dag *dag, pw_node node, const pw_node *arg) {
  const kinks *x = payload;
  int number = x->ck->m->kinks.n;
  for (int i = 0, held = x->first; held < number; i++) {
    const kink *k = &x->all.items[i];
    bool is_held = k->is_law && k->base >= 0;
    if (is_held && k->node == node) {
      pw_node base;
      pw_rewrite(dag, &k->base, 1, hold, payload, &base);
      return pw_add(dag, base, pw_var(dag, pw_var_of(PW_VAR_KINK, held)));
    }
    held += is_held;
  }
  bool choice = pw_node_op(dag, node) == PW_OP_SELECT;
  return choice ? pw_select(dag, pw_node_arg(dag, node, 0), arg[1], arg[2]) : -1;
}

static pw_row row_of(const kinks *x, const pw_symbol *sym, const char *name, int count) {
  return (pw_row){.name = name,
                  .law = name,
                  .column = name,
                  .kind = PW_KIND_KINK,
                  .stmt = x->ck->stmt,
                  .span = sym->span,
                  .rel_span = x->ck->stmt->u.energy.ex->span,
                  .on_velocity = x->has == PW_HAS_U,
                  .first = x->ck->m->rows.n,
                  .count = count,
                  .clause = PW_NO_CLAUSES,
                  .start_force = (double)NAN};
}

static void add_row(kinks *x, pw_symbol *sym, const kink *k) {
  pw_model *m = x->ck->m;
  const char *name = pw_intern_format(x->ck->names, "%s[%d]", sym->name, ++sym->n_kink);
  pw_row row = row_of(x, sym, name, 1);
  row.value = k->s;
  row.clause.below = k->below;
  row.clause.above = k->above;
  if (k->base >= 0) {
    PW_PUSH(x->ck->arena, &m->kinks, pw_sub(x->ck->dag, k->node, k->base));
  }
  PW_PUSH(x->ck->arena, &m->rows, row);
}

/* potentials (P9): where pieces i and j meet on top, one of them gives way to the other. */
static bool add_pairs(kinks *x, pw_symbol *sym, const kink *k) {
  pw_dag *dag = x->ck->dag;
  const pw_maximum *s = k->several;
  pw_node *top = PW_TAKE(x->ck->arena, s->n, pw_node);
  int first = x->ck->m->rows.n;

  /* The slope of the whole where piece i is on top, else zero. */
  for (int i = 0; i < s->n; i++) {
    pw_node is_top = pw_maximum_is_top(x->ck, s, i);
    top[i] = pw_mul(dag, k->slope, is_top);
  }

  /* Each pair that can meet is a kink of max(a_i, a_j). */
  for (int i = 0; i < s->n; i++) {
    for (int j = i + 1; j < s->n; j++) {
      kink pair = {
          .node = k->node, .op = PW_OP_MAX, .a = s->piece[i], .b = s->piece[j], .base = -1};
      pair.s = pw_sub(dag, pair.a, pair.b);
      pair.slope = pair.above = k->slope;
      pair.below = pw_const(dag, 0);
      if ((pw_has(x->ck, pair.s) & x->has) == 0 || !pw_can_vanish(x->ck, pair.s) ||
          !is_law(x, &pair)) {
        continue;
      }
      if (!is_regular(x, &pair)) {
        return false;
      }

      /* Each side has the slope only where a piece of the pair is on top of all others. */
      pair.below = pw_neg(dag, top[i]);
      pair.above = top[j];
      add_row(x, sym, &pair);

      /* The rows of one maximum know its first row and the pieces they join. */
      pw_clauses *c = &x->ck->m->rows.items[x->ck->m->rows.n - 1].clause;
      c->several = first;
      c->piece[0] = i;
      c->piece[1] = j;
    }
  }
  return true;
}

/* potentials (P11): -force = c s/|s| beside the tip, in the disk or ball of radius c in it. */
static void add_ball(kinks *x, pw_symbol *sym, const kink *k) {
  pw_model *m = x->ck->m;
  const char *name = pw_intern_format(x->ck->names, "%s[%d]", sym->name, ++sym->n_kink);
  pw_row row = row_of(x, sym, name, k->tip.n);
  row.clause.bound = k->slope;
  for (int i = 0; i < k->tip.n; i++) {
    row.name = pw_intern_format(x->ck->names, "%s[%d]", name, i + 1);
    row.value = k->tip.s[i];
    PW_PUSH(x->ck->arena, &m->rows, row);
  }
  PW_PUSH(x->ck->arena, &m->kinks, k->node);
}

static bool add_laws(kinks *x, pw_symbol *sym, const kink *k) {
  if (k->is_tip) {
    if (k->is_law) {
      add_ball(x, sym, k);
    }
    return true;
  }
  if (k->several != NULL) {
    return add_pairs(x, sym, k);
  }
  bool ok = !k->is_law || is_regular(x, k);
  if (ok && k->is_law) {
    add_row(x, sym, k);
  }
  return ok;
}

/* potentials (P16): a kink that no operator shows would be taken for a smooth force. */
static bool refuse_hidden(pw_check *ck, const pw_energy *e, unsigned has) {
  const pw_stmt *s = ck->stmt;
  pw_hidden_kink hidden = pw_find_hidden_kink(ck, e->value, has);
  if (hidden.rise == 0) {
    return false;
  }
  pw_diag_ref d = pw_error(ck->diags, "E0223", s->u.energy.ex->span, "`%s` has a %s kink",
                           s->u.energy.name.text, hidden.rise > 0 ? "hidden" : "re-entrant");
  pw_label(d, "the operand of `%s` touches the edge of its domain, and the slope jumps there",
           hidden.word);
  pw_help(d, hidden.rise > 0
                 ? "write the kink with `abs` or `max`: `abs(sin(x))` for `sqrt(1 - cos(x)^2)`"
                 : "a ridge is no force law: round it, or state what happens on it as a `law`");
  return true;
}

void pw_energy_kinks(pw_check *ck, pw_symbol *sym, pw_energy *e) {
  unsigned has = e->kind == PW_ST_POTENTIAL ? PW_HAS_Q : PW_HAS_U;
  if (refuse_hidden(ck, e, has)) {
    return;
  }
  kinks x = {.ck = ck, .has = has, .first = ck->m->kinks.n, .choices = {.ck = ck, .has = has}};
  pw_node opened = pw_choices_open(&x.choices, e->value);
  pw_node whole = pw_maxima_unfold(ck, has, opened, &x.severals), energy;
  pw_rewrite(ck->dag, &whole, 1, find_kink, &x, &energy);
  if (x.all.n == 0 || !pw_spend(ck, x.all.n)) {
    return;
  }
  find_slopes(&x, energy);
  sym->kink_row = ck->m->rows.n;
  bool ok = true;
  for (int i = 0; i < x.all.n && ok; i++) {
    ok = add_laws(&x, sym, &x.all.items[i]);
  }
  if (ok && sym->n_kink > 0) {
    pw_rewrite(ck->dag, &whole, 1, hold, &x, &e->held);
  }
}
