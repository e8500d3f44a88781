// SPDX-License-Identifier: MIT
/* Choices in energies whose pieces meet, potentials (P5). */
#ifndef PW_MODEL_CHOICE_KINKS_H
#define PW_MODEL_CHOICE_KINKS_H

#include "model/check.h"

typedef struct pw_choices {
  pw_check *ck;
  unsigned has;           /* PW_HAS_Q or PW_HAS_U: what a measure must depend on */
  PW_LIST(pw_node) kinks; /* the nodes |s| that stand for choices */
} pw_choices;

/* The energy with a kink |s| in the place of every choice by s that has one. A factor that jumps,
 * as in sin(x)*sign(x), makes a choice of the product if that has a kink. */
pw_node pw_choices_open(pw_choices *x, pw_node energy);
/* Whether a node |s| stands for a choice. */
bool pw_choices_made(const pw_choices *x, pw_node node);

typedef struct pw_var_list {
  pw_check *ck;
  pw_var_class class;
  PW_LIST(int) var;
} pw_var_list;

/* The variables of one class in an expression. */
pw_var_list pw_vars_in(pw_check *ck, pw_node f, pw_var_class class);
/* The expression with one node in the place of another. */
pw_node pw_replaced(pw_dag *dag, pw_node a, pw_node old, pw_node new);
/* The expression with numbers for parameters: whether there is a kink depends on them. */
pw_node pw_in_numbers(pw_check *ck, pw_node a);
/* Small at x beside what it is near x: it is zero there. */
bool pw_line_vanishes(pw_dag *dag, pw_node a, uint64_t seed, double x);
/* Crosses the surface s = 0 along straight lines, and looks whether each of n expressions is zero
 * at all crossings. Returns the number of crossings that were found. */
int pw_vanish_on(pw_dag *dag, pw_node s, const pw_node *a, int n, bool *vanishes);

#endif
