// SPDX-License-Identifier: MIT
/* What the numbers of a stored trajectory mean: the head of motion.pwt. */
#ifndef PW_TRAJ_SHAPE_H
#define PW_TRAJ_SHAPE_H

#include "traj/bytes.h"

enum { PW_ENERGIES = 3 }; /* T, V, 2T - p.u */

typedef enum pw_bare {
  PW_BARE_NONE,   /* events are kept with their states */
  PW_BARE_EVENTS, /* steps of piles: events without states, segments with percussions */
  PW_BARE_TURNS   /* events and steps take turns: events with states, segments of both kinds */
} pw_bare;

typedef struct pw_shape {
  int nq, nv;                /* positions and velocities as rows show them */
  int n_more;                /* multipliers that are states, behind the positions in a segment */
  int n_law;                 /* forces in a row */
  int n_out;                 /* outputs in a row */
  int n_work;                /* entries of the ledger; a segment has the action before them */
  int bare;                  /* pw_bare */
  int n_rotation;            /* rotations: velocities in a segment are those in the body */
  const int *rotation;       /* for each: its first position, its first velocity */
  const char *const *column; /* pw_shape_columns names: t, positions, velocities, forces, outputs */
  const char *const *law;    /* n_law */
  const char *const *work;   /* n_work */
  const unsigned char *lost; /* n_work: the entry is a loss */
  const unsigned char *time; /* n_work: 2T - p.u since the start belongs to the entry */
  const char *method;        /* by which the motion was made, or "" */
  double from, to, tol;      /* of the run */
} pw_shape;

int pw_shape_columns(const pw_shape *s); /* numbers in a row */
int pw_shape_state(const pw_shape *s);   /* numbers of y in a segment: q, more, u, action, works */
int pw_shape_values(const pw_shape *s);  /* the same with the energies behind them */

void pw_shape_put(pw_buf *out, const pw_shape *s);
/* NULL: the bytes are no shape, or there is no memory (*memory false). Texts point into the bytes;
 * one free() for all. */
pw_shape *pw_shape_get(pw_reader *in, bool *memory);

#endif
