// SPDX-License-Identifier: MIT
/* `method auto`, stepping (T12)-(T14): the motion goes from event to event until impacts of several
 * contacts come faster than steps would, then by steps of a pile, and back to events when nothing
 * has closed or opened for some steps. Both have the same contacts: as rows, and as a pile. */
#ifndef PW_SIM_RELAY_H
#define PW_SIM_RELAY_H

#include <stdbool.h>

#include "base/layout.h"
#include "pawl/sim.h"
#include "system/system.h"

enum { PW_RELAY_IMPACTS = 24 };

typedef struct pw_relay_part { /* of the motion, by one method */
  double from;
  bool steps;
} pw_relay_part;

/* Without pointers: it is saved with the simulation. */
typedef struct pw_relay {
  bool on;     /* the model has rows and piles, and nobody asked for one method */
  bool steps;  /* steps are taken now; else events are followed */
  int quiet;   /* steps since something closed or opened */
  double wait; /* quiet steps that are asked for before events are followed again */

  /* the last instants with impacts: times, and the contact that was struck; -1: several were */
  int impacts; /* how many are kept */
  int next;    /* place of the oldest */
  double when[PW_RELAY_IMPACTS];
  int where[PW_RELAY_IMPACTS];

  /* parts so far: the first PAWL_PARTS_KEPT of them */
  int parts;
  double since; /* when the present one began */
  pw_relay_part part[PAWL_PARTS_KEPT];

  /* the first time that events found no way on, and why; PAWL_OK: they always did */
  pawl_status lost;
  double lost_at;
  bool told;
} pw_relay;

/* A new motion begins with events. */
void pw_relay_begin(pawl_sim *sim, double t);
/* After an instant: its impacts are counted. */
void pw_relay_note(pawl_sim *sim);
/* Before a step: the other method takes over if it is time. */
PAWL_NODISCARD pawl_status pw_relay_look(pawl_sim *sim);
/* After an instant or a step of events that has failed with `status`: steps take over from the
 * state before it. Else status. */
PAWL_NODISCARD pawl_status pw_relay_rescue(pawl_sim *sim, pawl_status status);
/* W0551, once, where they did. */
void pw_relay_announce(pawl_sim *sim, pawl_diags *diags);
/* After data was restored: the stepper makes steps of the present kind. */
void pw_relay_resume(pawl_sim *sim);

#endif
