// SPDX-License-Identifier: MIT
/* Checks of a motion against the laws of its scene, computed from the scene alone. */
#ifndef PW_TESTS_JUDGE_H
#define PW_TESTS_JUDGE_H

#include "pawl/pawl.h"
#include "scene.h"

typedef enum check_kind {
  CHECK_GAP,        /* one-sided laws hold */
  CHECK_EQUALITY,   /* equalities hold, and their rates */
  CHECK_SIGN,       /* forces of one-sided laws are not negative */
  CHECK_IDLE,       /* force only where the law holds with equality, to its next order */
  CHECK_BOUNDS,     /* forces of friction, springs and graphs lie in their sets */
  CHECK_MOTION,     /* equations of motion with the forces */
  CHECK_MOMENTUM,   /* jump of momentum = impulses along the gradients */
  CHECK_IMPACT_LAW, /* impulses >= 0; Newton in Moreau's form; no inward rate afterwards */
  CHECK_JUMP,       /* only impacts change velocities; positions never jump */
  CHECK_ENERGY,     /* energies as computed here; the ledger explains all of the change */
  CHECK_PASSIVE,    /* no gain without a source */
  CHECK_KINDS
} check_kind;

extern const char *const check_names[CHECK_KINDS];
extern const double check_limits[CHECK_KINDS];

typedef struct jump {
  double q[POLY_VARS], before[POLY_VARS], after[POLY_VARS], t;
  double impulse[SCENE_LAWS]; /* by the function of the scene */
  int struck[SCENE_LAWS];
  double carried[SCENE_LAWS]; /* by the forces of the laws since then, */
  double since;               /* until this time */
  double size;                /* momentum */
  int any;
} jump;

typedef struct judge {
  const scene *s;
  const pawl_system *system;
  double scale[SCENE_LAWS]; /* the law as written is this times that of the scene */
  double seen[SCENE_LAWS];  /* impulse of its last jump */
  int at[SCENE_LAWS];       /* its index in the system */
  double worst[CHECK_KINDS];
  double when[CHECK_KINDS];
  int whom[CHECK_KINDS]; /* law, or -1 */
  double energy;         /* smallest total energy so far, for CHECK_PASSIVE */
  double largest;        /* energies so far */
  double momentum;       /* largest so far */
  double tie;            /* first instant whose order of impacts is open */
  double first;          /* energy at the start */
  jump open;             /* its momentum is not explained yet: a rest must do that */
  int wild;              /* the energy has grown beyond all measure: nothing is judged any more */
  int shows;             /* events are printed */
  long events, impacts;
} judge;

void judge_begin(judge *j, const scene *s, const pawl_system *system, const variant *v);
/* The current point, one side. */
void judge_point(judge *j, const pawl_point *p);
/* An instant with events: both sides and what happened. */
void judge_event(judge *j, pawl_sim *sim);
/* Energies and ledger at the current point. */
void judge_energy(judge *j, pawl_sim *sim);
/* After a run to its end: no momentum may be left unexplained. */
void judge_end(judge *j);
/* After a stop: 1 if the motion could have gone on. jumps: at an impact, some velocities satisfy
 * all laws (asked if they are linear); else: some acceleration keeps all laws that hold with
 * equality. 0 also where that cannot be told, because the stop came after a jump that is not known.
 */
int judge_could_go_on(const judge *j, pawl_sim *sim, int jumps);
/* After a stop: 1 if no velocities keep the contacts that touch from closing: walls that move meet.
 */
int judge_is_crushed(const judge *j, pawl_sim *sim);
/* The first check that failed, CHECK_KINDS if none did. */
check_kind judge_failure(const judge *j);

#endif
