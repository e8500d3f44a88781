// SPDX-License-Identifier: MIT
/* The inside of a tangent, shared by the files of this folder. */
#ifndef PW_TANGENT_TANGENT_PART_H
#define PW_TANGENT_TANGENT_PART_H

#include "mech/series.h"
#include "sim/recorder.h"
#include "sim/rk.h"
#include "sim/trial.h"
#include "tangent/tangent_motion.h"

/* A law that acts at the end of the last step. */
typedef struct pw_fired {
  int law;
  bool upper;    /* the upper bound of its force was reached */
  double recent; /* its largest value since it last took part in an instant */
} pw_fired;

struct pw_tangent {
  const pawl_system *system;
  const pw_system *sys;
  pawl_sim *sim;
  pw_mech *mech; /* stands as the motion did in the last step, until an instant is treated */
  pw_series series;
  int n, k, np; /* size of a column; columns; parameters of the model */
  bool started; /* a step was taken since the start */

  double *parameter; /* np x k: changes of parameters */
  double *column;    /* n x k: at the current point */
  double *end;       /* n x k: at the end of the last step, or after the instant there */
  double *y;         /* n: current point */

  struct { /* the last step */
    double from, to;
    double *y;      /* n: its start */
    double *column; /* n x k */
    pw_fired *fired;
    int n_fired;
    bool fades; /* a slip in a plane ends with it */
  } step;

  double *side;        /* n_switch: in the last step */
  double *time;        /* k x most events: of the events at the current point */
  double *delay;       /* k: derivative of the time of an instant */
  const char *untimed; /* why the instant has none although the motion goes on; NULL: it has */

  pw_rk rk; /* state and columns together */
  pw_recorder recorder;
  pw_jump_log log;

  double *direction; /* n_in */
  double *rate[2];   /* n: before and after an instant */
  double *moved;     /* n x k: state at a moved instant */
  double *work;      /* of jump_tangent.c */
  int *whole;

  double *memory;
  const char *why;
  double since;
};

/* No derivatives from here on. */
void pw_tangent_break(pw_tangent *x, double t, const char *why);

/* The direction of a column, as the inputs of tapes: dt of the time, column, its parameters; in
 * x->direction. */
const double *pw_tangent_direction(pw_tangent *x, double dt, const double *column, int parameters);
/* The rate of y at (t, y) with the present modes and these sides; prepares derivatives there. */
PAWL_NODISCARD pawl_status pw_tangent_rate_at(pw_tangent *x, double t, const double *y,
                                              const double *side, double *rate);
/* Of the last step, from its start to t: state (n) and columns (n x k). */
PAWL_NODISCARD pawl_status pw_tangent_flow(pw_tangent *x, double t, double *y, double *column);

/* Columns (n x k) at (t, y) as the imposed rows and the length of quaternions allow them, gradients
 * (D7): integration and instants leave errors across them that would grow. */
PAWL_NODISCARD pawl_status pw_tangent_settle(pw_tangent *x, double t, const double *y,
                                             double *column);

/* At the end of the last step, before the instant (saltation.c). */
void pw_saltation_of_surfaces(pw_tangent *x, double t, const double *y, const double *side);
void pw_saltation_of_laws(pw_tangent *x);
/* Times of the events of the model at the current point. */
void pw_saltation_of_events(pw_tangent *x);

/* Through the jumps of the log: `moved` (n x k) is the change of the state at the moved instant,
 * x->delay that of its time. Why not; NULL: done. */
size_t pw_jump_tangent_doubles(const pw_system *sys, int columns);
size_t pw_jump_tangent_ints(const pw_system *sys);
const char *pw_jump_tangent(pw_tangent *x, double t, const double *before, const double *side,
                            double *moved);

#endif
