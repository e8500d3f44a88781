// SPDX-License-Identifier: MIT
/* One accepted step at a time along y = (q, u, z): trial, error norm without the constrained
 * directions, projection on the constraints, dense output that ends in the projected state. */
#ifndef PW_SIM_STEP_H
#define PW_SIM_STEP_H

#include <stdint.h>

#include "mech/mech.h"
#include "mech/stages.h"
#include "sim/choice.h"
#include "sim/control.h"
#include "sim/pass.h"
#include "sim/rk.h"
#include "sim/unseen.h"

/* How far ahead the functions of time alone are known to hide nothing (pw_mech_clear). */
typedef struct pw_step_ahead {
  double clear, pace; /* until when, and for steps of which length */
  int patience;       /* of the search for it */
} pw_step_ahead;

/* What enclosures say of the last step (tube.h). */
typedef struct pw_step_sight {
  bool watches;     /* they show what stages do not see */
  bool known;       /* the next is that of the step as it is */
  unsigned wild;    /* tapes that are not tame along the whole step */
  pw_unseen unseen; /* what they leave undecided */
} pw_step_sight;

/* How firmly the constraints hold. */
typedef struct pw_step_hold {
  int rank, rank_q;  /* at the start of the step */
  double weakest[2]; /* at both ends of the step, see pw_mech_weakest */
  double fall;       /* how fast it fell in the last step; 0 if not known */
  bool redundant;    /* some constraint force was not unique */
} pw_step_hold;

typedef struct pw_step_work {                 /* scratch of one step */
  double *error, *x0, *x1, *e_x, *e_u, *flow; /* n, nv, nv, nv, nv, 4 nv */
} pw_step_work;

typedef struct pw_step_range { /* what steps may be long */
  double max, span;            /* the longest one; the whole motion */
  double fixed;                /* they end at start + k fixed; 0: their size is chosen */
  double start;
} pw_step_range;

typedef struct pw_step_code { /* stages of one of the methods as machine code */
  pw_stages *stages;          /* NULL: there are none */
  const pw_rk_method *method;
} pw_step_code;

typedef struct pw_step_count {
  int64_t taken, rejected;
} pw_step_count;

typedef struct pw_stepper {
  pw_mech *mech;
  const pw_rk_method *method;
  int nq, nv, n; /* n = nq + nv + nz */
  bool projects; /* there are constraints or rotations */
  pw_step_range range;
  const int *q_of; /* nv: position of each velocity, -1 in a rotation */
  pw_control control;
  pw_choice choice; /* of the method, where it is open */

  pw_rk rk;               /* the step last taken, from (rk.t, rk.y0), before projection */
  pw_rk probe;            /* shorter steps from the same start */
  double t, *y, *f;       /* end of the step: time, projected state, derivative */
  double *delta;          /* n: y - rk.y1 */
  double *side;           /* n_switch */
  double *largest;        /* signals: largest sizes so far */
  struct pw_radau *radau; /* of implicit steps; NULL: there are none */
  pw_step_code code;
  double *metric; /* at the end of the step, pw_mech_keep_metric */
  double *force;  /* 2 n_law: of the laws at the start and at the end of the step */
  pw_step_hold hold;
  pw_pass pass;
  bool smooth;      /* nothing has changed since the end of the step */
  double energy[3]; /* at the end: T, V, 2T - p.u */
  double h, h_next;
  pw_step_ahead ahead;
  pw_step_sight sight;
  int noisy; /* steps left that allow for round-off of the energies */
  pw_step_count count;

  pw_fault fault; /* why the last trial failed; status PAWL_OK: its error was too large */
  int worst;      /* component with the largest error, see pw_control_norm */
  pw_step_work work;
} pw_stepper;

size_t pw_stepper_size(const pw_system *sys, const pw_rk_method *method);
/* mech, max_step, span and q_of are the caller's; the memory is zeroed. */
void pw_stepper_init(pw_stepper *s, const pw_rk_method *method, double tol, double *memory);

/* Steps are this map instead of the stages of the method; NULL: they are not. */
void pw_stepper_map(pw_stepper *s, pw_rk_map map, void *ctx);
/* The next step is about as long as this. */
void pw_stepper_propose(pw_stepper *s, double h);
/* A trial failed for this reason; returns its status. */
pawl_status pw_stepper_fail(pw_stepper *s, pw_fault fault);

/* The state at the end of the step becomes another one: positions, velocities, sides of the
 * switches (NULL: they stay); one component; the side of one switch. Nothing else changes: a start
 * or a restart follows. */
void pw_stepper_place(pw_stepper *s, const double *q, const double *u, const double *side);
void pw_stepper_set(pw_stepper *s, int i, double value);
void pw_stepper_turn(pw_stepper *s, int k, double side);

/* Starts at (t, s->y) with s->side; the state is consistent. */
PAWL_NODISCARD pawl_status pw_stepper_begin(pw_stepper *s, double t);
/* Writes the stages of the present method as machine code, if so many steps of the present size are
 * ahead that it pays. After pw_stepper_begin. */
void pw_stepper_write_code(pw_stepper *s);
/* After a change of s->side at the end of a step. */
PAWL_NODISCARD pawl_status pw_stepper_restart(pw_stepper *s);

/* Steps are those of this table, which is not larger than that at the start. The last dense output
 * is gone. */
void pw_stepper_make(pw_stepper *s, const pw_rk_method *method);
/* Takes up one of the methods, if that is open. The last dense output is gone. */
void pw_stepper_use(pw_stepper *s, pw_pair pair);

/* The one for the next step: what is chosen, unless the state needs short steps. */
pw_pair pw_stepper_pair(const pw_stepper *s);

/* Long steps are not safe from here: a slip in a plane begins or ends, or constraints that are
 * nearly dependent begin to act and it is not yet known how they change. */
bool pw_stepper_is_delicate(const pw_stepper *s);

/* One accepted step, not beyond `end`; PAWL_E_STEP if none can be found. */
PAWL_NODISCARD pawl_status pw_stepper_next(pw_stepper *s, double end);
/* A step so short that nothing which the time itself does is over between two places where the
 * method looks: its error would not tell. */
double pw_stepper_within_sight(pw_stepper *s, double h, double end);
/* Shorter steps are lost in the rounding of the time. */
double pw_stepper_least(const pw_stepper *s);
/* Goes back to the start of the last step. */
void pw_stepper_undo(pw_stepper *s);
/* Takes the end of the step into the ranges of the step control. */
void pw_stepper_note(pw_stepper *s);

/* y(t0 + theta h) on the dense output, not projected; exact at the ends. */
PAWL_NODISCARD pawl_status pw_stepper_at(pw_stepper *s, double theta, double *y);
/* y(t0 + h) by a step of its own from the start of the last one, projected. */
PAWL_NODISCARD pawl_status pw_stepper_restep(pw_stepper *s, double h, double *y);
/* Replaces the last step by a shorter one. */
PAWL_NODISCARD pawl_status pw_stepper_cut(pw_stepper *s, double h);
/* After a jump of s->y or a change of the closed laws at s->t: puts the state on the constraints
 * and goes on from there. */
PAWL_NODISCARD pawl_status pw_stepper_settle(pw_stepper *s);
/* Puts a state inside the last step, near the constraints, on them, in the metric of the end of the
 * step: the correction is as small as the error of the interpolation, so that another metric
 * changes it by a part of it that is as small as the step. Evaluates no right-hand side. */
PAWL_NODISCARD pawl_status pw_stepper_project(pw_stepper *s, double t, double *y);

/* For steps of another kind: derivative of y; projection in all directions, whatever their
 * strength; weights of errors for a step of size h from rk.y0 to rk.y1. */
PAWL_NODISCARD pawl_status pw_stepper_rates(pw_stepper *s, double t, const double *y, double *dy);
PAWL_NODISCARD pawl_status pw_stepper_project_fully(pw_stepper *s, double t, double *y);
void pw_stepper_weigh(pw_stepper *s, double h, bool rounding);
/* The same of the signals. */
void pw_stepper_note_signals(pw_stepper *s);
/* The state without inertia whose error is larger than that of every coordinate, or NULL. */
const pw_signal *pw_stepper_worst_signal(const pw_stepper *s);
/* Size of the error in s->work.error, in tolerances, of a step h; tangent: of its part along the
 * constraints. Leaves it as (x, u) in e_x and e_u. */
double pw_stepper_size_of_error(pw_stepper *s, double h, bool tangent);
/* Error of the trial in rk, in tolerances; rounding: as pw_trial. */
double pw_stepper_error(pw_stepper *s, double h, bool rounding);
/* h |df/dy| in parts of what is stable for an explicit step; 0 where nobody asks. */
double pw_stepper_stiffness(pw_stepper *s);
/* Largest error in s->error of works and multipliers, in tolerances, of a step h. */
double pw_stepper_other_error(const pw_stepper *s, double h);

/* For steps of given size, inside which the motion is a straight line: both slopes are the mean;
 * and a point of the last step, as steps of their own would have other percussions. */
void pw_chord_draw(pw_rk *rk);
PAWL_NODISCARD pawl_status pw_chord_between(const pw_stepper *s, pw_rk *rk);

/* Action and energy lost, as the user sees them. */
void pw_stepper_quad(const pw_stepper *s, const double *y, double quad[PW_QUAD_NAMED]);

#endif
