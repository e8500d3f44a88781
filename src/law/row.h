// SPDX-License-Identifier: MIT
/* One row of a law. Its form is the same at every state and belongs to the compiled system. Its
 * numbers at a state are read from the tapes in one place (system/view.h); every question about the
 * force a law may have is answered here.
 *
 * A law gives -force as a maximal monotone graph of its measure s. Each row is one kink of that
 * graph (theory (40); Glocker 1998, sec. 4, 8, 10):
 *   -force = left(s) for s < 0,   in [left(0), right(0)] for s = 0,   right(s) for s > 0. */
#ifndef PW_LAW_ROW_H
#define PW_LAW_ROW_H

#include "law/kind.h"
#include "law/phase.h"
#include "law/set.h"

typedef struct pw_law_form {
  pw_kind kind;
  int on;       /* Coulomb friction: law row of the contact whose normal force bounds it; else -1 */
  int contact;  /* Coulomb friction and rough rows: law row of the contact they act with; else -1 */
  int group;    /* slip in a plane or in space: the first law row of its two or three; else -1 */
  int width;    /* rows of its group; else 1 */
  int face;     /* of a contact where the gap of another jumps: the surface; else -1 */
  int by;       /* place of its covector in the `by` tape; -1: its force acts along its gradient */
  double shift; /* slip or stretch at the kink */
  double unit;  /* force of the law per multiplier of the row: -1 where the row is written the other
                   way round; for slips in a plane, the factor that makes their set a disk */
  bool equality;
  bool on_velocity;      /* the measure contains velocities */
  bool loaded;           /* its bound contains forces of equalities */
  bool wall;             /* the side s < 0 is forbidden; others have forces on both sides */
  bool bend;             /* the force does not jump at the kink */
  pw_impact_kind impact; /* meaning of its restitution */
  bool one_way;          /* a servo that pushes along its covector only */
  bool complementary;    /* its multiplier is a state that is complementary to the law */
} pw_law_form;

/* A row at a state. Forces of Coulomb friction are per unit of the normal force. */
typedef struct pw_law_row {
  const pw_law_form *form;
  double value, rate, zeta; /* s, its rate, the rate of its rate at u' = 0 */
  const double *J;          /* nv: gradient; NULL if not requested */
  double left, right;       /* -force next to the kink */
  double limit;             /* larger bound while it sticks; negative: none */
  double restitution;       /* of a contact; of the slip of friction and rough rows */
} pw_law_row;

/* Decisions about a law that depend on the rest of the motion. */
typedef struct pw_law_hold {
  bool sticks;  /* it was at its kink before: the larger bound counts */
  bool pushes;  /* servo: the covector raises the measure */
  bool carries; /* complementary multiplier: it is not zero, so the law holds both ways */
} pw_law_hold;

/* The force of a law that belongs to a multiplier of its row, and back. The measure of the row is
 * unit * (s - shift), where s is the measure of the law, so that both have the same power. */
static inline double pw_law_force(const pw_law_form *form, double multiplier) {
  return form->unit * multiplier;
}
static inline double pw_law_multiplier(const pw_law_form *form, double force) {
  return force / form->unit;
}
static inline double pw_law_measure(const pw_law_form *form, double value) {
  return value / form->unit + form->shift;
}

static inline bool pw_law_is_rough(const pw_law_form *f) {
  return f->kind == PW_KIND_ROUGH;
}

/* On coordinates without inertia: its force is a function of the state, its phase one of the sides
 * of surfaces. */
static inline bool pw_law_has_phase(const pw_law_form *f) {
  return f->kind == PW_KIND_SERIES || f->kind == PW_KIND_TOUCH;
}

/* Forces push only. A rough row has no side either, but holds both ways. */
static inline bool pw_law_is_wall(const pw_law_form *f) {
  return f->wall && !pw_law_is_rough(f);
}

/* On velocities, with forces on both sides of its kink: friction, damping with a step. */
static inline bool pw_law_is_slip(const pw_law_form *f) {
  return f->on_velocity && !f->equality && !f->wall;
}

/* A row for which only the forces are needed: -force below and above the kink, and the bound of
 * sticking or a negative number. */
pw_law_row pw_law_row_of_forces(const pw_law_form *form, const double graph[2], double limit);
pw_law_row pw_law_row_of_equality(const pw_law_form *form, double value, double rate);

/* Radius of the disk of a slip in a plane, of the ball of one in space. Its rows are never below
 * their kinks; the graph holds minus the radius there. */
double pw_law_radius(const pw_law_row *row, bool sticks);

/* Size of the force of a slip along a line: against it, or the largest that holds it. */
double pw_law_bound(const pw_law_row *row, bool sticks, double slip);

/* Forces the row may have at its kink, theory (41): an interval, or the disk or ball of a slip of
 * several components at the first of its rows. Left and right cross if rounding has moved the state
 * off a kink without a step; then there is a single force. Friction whose bound is negative has no
 * set: its interval stays empty (lo > hi). */
pw_law_set pw_law_set_at_kink(const pw_law_row *row, pw_law_hold hold);

/* The same if the numbers were evaluated away from the kink. There a side of the graph is a
 * meaningless continuation: F/(1 + |v|) for v > 0 is negative for v < -1, and the lower side of a
 * spring with play rises above the upper one. If the sides have crossed, the side of the measure is
 * used; for a slip also its mirror image. */
pw_law_set pw_law_set_near(const pw_law_row *row, pw_law_hold hold, double measure);

/* A row as measured, with errors. */
typedef struct pw_law_sight {
  int side;      /* of its kink: 1, 0 (at it), -1 */
  bool unsure;   /* it may be on the other side as well */
  bool is_state; /* its multiplier is a state, whose negative rate acts: theory (84), (85) */
} pw_law_sight;

/* Forces that the row may have according to a measurement; used by the certificate. A wall holds
 * any load that presses against it, however exact the signs; for a slip of several components this
 * is one of them. Forces of servos are measured along their covectors. */
pw_law_set pw_law_set_seen(const pw_law_row *row, pw_law_sight seen, pw_law_hold hold);

/* The force falls across the kink, potentials (P6): no law, but the ridge of a potential. */
bool pw_law_is_reentrant(const pw_law_row *row);

/* Forgets a bound of sticking that is not larger than the bounds of the graph. */
void pw_law_keep_larger_limit(pw_law_row *row);

/* Force next to the kink: above it for side > 0, below it for side < 0. */
double pw_law_force_beside(const pw_law_row *row, int side);
pw_law_set pw_law_set_beside(const pw_law_row *row, int side);

#endif
