// SPDX-License-Identifier: MIT
/* Steps as they are accepted, for the one who stores the trajectory. */
#ifndef PW_SIM_RECORDER_H
#define PW_SIM_RECORDER_H

#include "pawl/sim.h"
#include "traj/bytes.h"
#include "traj/segment.h"
#include "traj/strokes.h"

typedef struct pw_recorder {
  void (*take)(void *payload, const pw_segment *segment);
  void *payload;
  double *value;              /* PW_MOST_NODES times pw_shape_values */
  double *force;              /* 2 n_law */
  unsigned char *mode;        /* n_law */
  double *kick;               /* pw_sim_most_kicks times PW_KICK_REALS */
  int nodes;                  /* of the last segment; */
  double node[PW_MOST_NODES]; /* and where they are, in parts of it */
} pw_recorder;

/* Sizes of the states, rotations and the ledger; names are the caller's. The memory is part of the
 * simulation. */
void pw_sim_shape(const pawl_sim *sim, pw_shape *out);
/* Every step from now on goes to the recorder, which is borrowed; NULL: to nobody. */
void pw_sim_record(pawl_sim *sim, pw_recorder *recorder);
/* The impulses of each instant from now on are listed, for the certificate; NULL: no more. */
void pw_sim_tell_strokes(pawl_sim *sim, pw_strokes *strokes);
/* Percussions that a step can have at most; 0 without piles. */
int pw_sim_most_kicks(const pawl_sim *sim);
/* Contacts of piles make no rows of their own. */
bool pw_sim_is_heap(const pawl_sim *sim);
/* Time, positions and velocities of the current point; no force is computed. */
pawl_point pw_sim_state(pawl_sim *sim);
/* The current point as a segment of one instant, on this side of the events there. */
void pw_sim_record_point(pawl_sim *sim, pawl_side side);
/* The whole state as bytes, zeros left out, for checkpoints: pawl_sim_save in less memory. The
 * state ends with the reader. False: it is not one of this simulation. */
void pw_sim_pack(const pawl_sim *sim, pw_buf *out);
PAWL_NODISCARD bool pw_sim_unpack(pawl_sim *sim, pw_reader *in);

#endif
