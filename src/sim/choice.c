// SPDX-License-Identifier: MIT
/* A step of order 8 shows what order 5 would have cost: its two estimates, of orders 5 and 3, give
 * one of order 4, which is what order 5 is controlled by. A step of order 5 does not show what
 * order 8 would cost; the usual ratio of steps stands for it, and if that was wrong the steps of
 * order 8 say so. */
#include "sim/choice.h"

#include <math.h>

#include "law/scale_sim.h"

/* Evaluations of a step with its dense output, and the rest of it (looking for roots, weights,
 * projection, storing) in evaluations. */
static const double cost_high = 15, cost_low = 6, cost_step = 3;
static const int first_patience = 8, most_patience = 1 << 20;

void pw_choice_begin(pw_choice *c, double tol) {
  *c = (pw_choice){.open = c->open, .worth = c->worth, .tol = tol, .patience = first_patience};
  c->pair = tol <= PW_SCALE(ORDER_EIGHT_BEGINS) ? PW_PAIR_HIGH : PW_PAIR_LOW;
}

/* Steps of order 5 in the place of the last one. */
static double steps_of_low(const pw_choice *c) {
  return fmax(1, PW_SCALE(LOW_PER_HIGH) * pow(c->size[0] * c->size[1], 0.1));
}

/* The same from the tolerance alone. A step that is not as long as its error would
 * allow ends where something happens, for either pair. */
static double usual_steps(const pw_choice *c, double error) {
  bool limited = error >= PW_SCALE(LIMITED_BY_ERROR);
  return limited ? fmax(1, PW_SCALE(LOW_PER_HIGH_USUAL) * pow(c->tol, 1.0 / 8 - 1.0 / 5)) : 1;
}

static void change_to(pw_choice *c, pw_pair pair) {
  c->pair = pair;
  c->patience = c->patience < most_patience ? 2 * c->patience : most_patience;
}

/* Whether what was noted since the last decision is enough for the next. */
static bool decides(pw_choice *c) {
  if (++c->steps < c->patience) {
    return false;
  }
  c->often = 2 * c->stiff > c->steps;
  c->steps = c->stiff = 0;
  return true;
}

/* Implicit steps go on while one of them costs less than the explicit steps that it replaces. */
static double note_implicit(pw_choice *c, double stiff) {
  c->stiff += stiff > c->worth;
  if (!decides(c) || c->often) {
    return 1;
  }
  change_to(c, PW_PAIR_LOW);
  return stiff > 1 ? 1 / stiff : 1;
}

void pw_choice_leave(pw_choice *c) {
  change_to(c, PW_PAIR_LOW);
  c->here = c->there = 0;
  c->steps = c->stiff = 0;
}

double pw_choice_note(pw_choice *c, double error, double stiff) {
  c->made[c->now]++;
  if (!c->open || c->now != c->pair) { /* a single step of another kind tells nothing */
    return 1;
  }
  if (c->pair == PW_PAIR_IMPLICIT) {
    return note_implicit(c, stiff);
  }
  bool high = c->pair == PW_PAIR_HIGH;
  double ratio = high ? steps_of_low(c) : usual_steps(c, error);
  c->here += cost_step + (high ? cost_high : cost_low);
  c->there += high ? ratio * (cost_step + cost_low) : (cost_step + cost_high) / ratio;
  c->stiff += stiff > PW_SCALE(NEARLY_UNSTABLE);
  if (!decides(c)) {
    return 1;
  }

  /* both pairs are as fast where stability limits the steps, and order 5 is more exact within */
  bool cheaper = c->there < PW_SCALE(CHEAPER_PAIR) * c->here;
  c->here = c->there = 0;
  if (c->often && c->worth > 0) { /* to be left soon if it does not pay */
    change_to(c, PW_PAIR_IMPLICIT);
  } else if (c->often ? high : cheaper) {
    change_to(c, high ? PW_PAIR_LOW : PW_PAIR_HIGH);
    return high ? 1 / ratio : fmax(1, ratio / 2);
  }
  return 1;
}

void pw_choice_undo(pw_choice *c) {
  c->made[c->now]--;
}
