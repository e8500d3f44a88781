// SPDX-License-Identifier: MIT
/* The simulation behind pawl_sim: one block of memory, sized when it is made. */
#ifndef PW_SIM_SIM_STATE_H
#define PW_SIM_SIM_STATE_H

#include <stdint.h>

#include "mech/handle.h"
#include "mech/start_check.h"
#include "pawl/sim.h"
#include "sim/contact.h"
#include "sim/crossing.h"
#include "sim/events.h"
#include "sim/heap.h"
#include "sim/method.h"
#include "sim/moreau.h"
#include "sim/radau.h"
#include "sim/recorder.h"
#include "sim/relay.h"
#include "sim/step.h"
#include "sim/surface.h"
#include "sim/variational.h"

/* What the energy is compared with. Set by sim.c at the start of a motion. */
typedef struct pw_sim_energy {
  double total, potential, gyro;          /* T + V, V, 2T - p.u at the start */
  double scale;                           /* largest T + |V - V(start)| so far */
  unsigned char *lost_works, *time_works; /* n_work: copies of pw_work, for the recorder */
} pw_sim_energy;

/* Numbers of the current point. Computed by sim_point.c where they are asked for. */
typedef struct pw_sim_values {
  bool ready;  /* all but `expect` and `works` belong to the current point, */
  int expects; /* and so does `expect`, of this group of expectations; -1: of none */
  double *a, *force, *u_shown, *output, *expect, *works;
  double *before;        /* at a jump: y, a, force, u_shown, output before it */
  unsigned char *unique; /* rows of the model: the force is unique */
  bool decided;          /* these are of modes that the motion takes only when it goes on: */
  unsigned char *closed; /* rows of the model, */
  int dof;
} pw_sim_values;

/* How fast the run goes on: looked at every PW_PACE_STEPS steps. */
enum { PW_PACE_STEPS = 10000 };
typedef struct pw_pace {
  int64_t steps; /* at the last look, */
  double t;      /* and the time then */
  bool stuck;    /* it would not end */
} pw_pace;

struct pawl_sim {
  const pawl_system *system;
  const pw_system *sys;
  const pw_model *model;
  pw_mech *mech;
  pawl_sim_opts opts;   /* resolved */
  uint64_t hash;        /* of model and options: what saved data must agree with */
  unsigned char *block; /* all arrays below and in the parts; holds no pointers */
  size_t block_size;

  const pw_method *method; /* of the present part, if there are turns */
  pw_relay relay;
  pw_moreau moreau;           /* of the method of this name only */
  pw_heap heap;               /* of `moreau` with piles */
  pw_variational variational; /* likewise */
  pw_radau radau;             /* of implicit steps */
  pw_stepper stepper;
  pw_surfaces surfaces;
  pw_contacts contacts;
  pw_events events;

  double t, *y;        /* the current point, somewhere in the last step */
  bool at_event;       /* events.now happened here, or */
  bool at_contact;     /* contacts.log did */
  bool start_jump;     /* the start is an impact, not reported yet: contacts.log */
  bool jumped;         /* the motion is not smooth at the end of the last step */
  bool driven;         /* an input was set here, and the modes are not decided with it */
  bool must_seek;      /* the events after these are not known */
  bool stopped, ended; /* by a stop event; by the end of the run */
  pawl_status failed;
  pawl_status due; /* why the motion ends after the events just reported */
  int64_t clusters, n_event;
  pw_pace pace;
  int64_t row_evaluations; /* right-hand sides at the points asked for */

  pw_recorder *recorder; /* or NULL; not part of what is saved */
  int n_rotation;
  int *rotation;           /* for each: its first position, its first velocity */
  unsigned char *touching; /* laws: values that count as zero at the start */

  pw_sim_energy energy;
  pw_sim_values at;
};

/* A new motion from the consistent state s->stepper.y at t; sides are set. `as_stated`: it is the
 * start of the model. */
PAWL_NODISCARD pawl_status pw_sim_begin(pawl_sim *sim, double t, bool as_stated, pawl_diags *diags);
/* The same from positions and velocities as shown, made consistent first; `as_stated` also closes
 * the contacts that start closed. */
PAWL_NODISCARD pawl_status pw_sim_restart(pawl_sim *sim, double t, const double *q, const double *u,
                                          const double *multipliers, bool as_stated,
                                          pawl_diags *diags);
/* The start of the model, at the time at which the run begins. */
PAWL_NODISCARD pawl_status pw_sim_start_as_stated(pawl_sim *sim, pawl_diags *diags);

/* The next part of the motion is made by this method; its first step does not continue the last. */
void pw_sim_use(pawl_sim *sim, const pw_method *method);
void pw_sim_break(pawl_sim *sim);

/* Accelerations, forces and outputs of the current point. */
PAWL_NODISCARD pawl_status pw_sim_ready(pawl_sim *sim);

/* The same with the modes that the laws take from here on: after a change of an input those of the
 * last step may be wrong (a one-sided law would pull). */
PAWL_NODISCARD pawl_status pw_sim_show(pawl_sim *sim);
/* The instant at the end of the last step: jumps and modes. */
PAWL_NODISCARD pawl_status pw_sim_instant(pawl_sim *sim);

/* The step just taken goes to the recorder. */
PAWL_NODISCARD pawl_status pw_sim_record_step(pawl_sim *sim);

/* Ends the step, and the motion, where an equality on velocities has no gradient. */
PAWL_NODISCARD pawl_status pw_sim_look_for_flat(pawl_sim *sim);
/* An impact after which the motion may not go on: it gains energy, or its restitution is outside
 * 0..1. */
bool pw_sim_forbids(const pawl_sim *sim, const pw_contact_event *e);

/* Warnings W0502 of what was left undecided since the last call, one for each law. */
void pw_unseen_announce(pawl_sim *sim, pawl_diags *diags);

/* The warning that a paradox is near, once. */
void pw_paradox_announce(pawl_sim *sim, pawl_diags *diags);

/* How many entries the last instant has in the list of events. */
int pw_sim_logged(const pawl_sim *sim);

/* The law whose restitution is outside: that of the contact that is hit or of its slip, or -1. */
int pw_sim_misfit(const pawl_sim *sim, int law);

/* A start or an instant at which the laws cannot be satisfied. */
bool pw_contact_report(pawl_sim *sim, bool begins, pawl_diags *diags);

/* Diagnostics for what ended a motion early. */
void pw_sim_report(pawl_sim *sim, pawl_status status, pawl_diags *diags);

#endif
