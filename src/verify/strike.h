// SPDX-License-Identifier: MIT
/* Which velocities an impact law admits, certificates (C8)-(C10): phases of impulses, in each of
 * which every row has one of a few modes (open or closed; sticks or slides along a direction). With
 * the modes chosen all conditions are linear. The modes are searched by branch and bound. */
#ifndef PW_VERIFY_STRIKE_H
#define PW_VERIFY_STRIKE_H

#include "law/phase.h"
#include "verify/jump.h"

/* Whether a contact has a part; "maybe": its gap may also be closed a moment later. */
typedef enum pw_take { PW_TAKE_NOT, PW_TAKE_MAYBE, PW_TAKE_IS } pw_take;

typedef enum pw_cell_kind {
  PW_CELL_EQUAL,
  PW_CELL_NORMAL,
  PW_CELL_ROUGH,
  PW_CELL_LINE, /* friction of a slip along a line, */
  PW_CELL_DISK, /* in the plane, */
  PW_CELL_BALL  /* of three components */
} pw_cell_kind;

typedef enum pw_verify_mode {
  PW_MODE_ANY,    /* not decided: the hull of what follows */
  PW_MODE_OPEN,   /* no impulse; expansion: no more than e times that of compression */
  PW_MODE_CLOSED, /* the rate is that of the law; rough: and so is the slip */
  PW_MODE_STICK,
  PW_MODE_PLUS, /* slides along a line, */
  PW_MODE_MINUS,
  PW_MODE_SLIDE,   /* in the plane, along a direction from..to; from = to: the slip is
                      not asked for */
  PW_MODE_STICK_IN /* sticks by an impulse whose direction is from..to */
} pw_verify_mode;

/* Directions of a slip of three components: the triangle on the sphere between three of them. */
typedef struct pw_patch {
  double corner[PW_LAW_MOST][PW_LAW_MOST];
} pw_patch;

typedef struct pw_verify_cell { /* a row in a phase; a slip of several components is one */
  pw_cell_kind kind;
  int row, step;     /* step: number of the phase */
  int contact;       /* cell of the contact that it acts on, or -1 */
  bool maybe, rough; /* of a contact: see pw_take; it has rough rows */
  pw_verify_mode mode;
  double from, to;          /* of a direction, */
  pw_patch patch;           /* of three components */
  double lo, hi;            /* of a coefficient of friction */
  double e, shift;          /* restitution; how much of the rate before is added to that after */
  double unit;              /* |L^-1 J^T|: makes rates speeds */
  int eq, couple;           /* first condition on its rates; expansion: on its impulse; -1: none */
  double base[PW_LAW_MOST]; /* rates before all impulses, with shift */
  /* of the last solution */
  double push, more; /* impulse; expansion: beyond e times that of compression */
  double side[PW_LAW_MOST], rate[PW_LAW_MOST]; /* of friction; with shift */
} pw_verify_cell;

static inline int pw_cell_width(const pw_verify_cell *c) {
  return c->kind == PW_CELL_BALL ? 3 : c->kind == PW_CELL_DISK ? 2 : 1;
}
static inline bool pw_cell_is_plane(const pw_verify_cell *c) {
  return pw_cell_width(c) > 1;
}

enum { PW_PATCHES = 8, PW_PATCH_PARTS = 4 };

/* The whole sphere as patches; `way` is in the middle of the first. */
void pw_patch_whole(const double *way, pw_patch out[PW_PATCHES]);
/* A patch as parts, those nearest to `way` first. */
void pw_patch_split(const pw_patch *x, const double *way, pw_patch out[PW_PATCH_PARTS]);
/* The longest of its sides; how far from the origin its plane is. */
double pw_patch_size(const pw_patch *x);
double pw_patch_depth(const pw_patch *x);

enum { PW_STRIKE_SIDES = 4, PW_STRIKE_DISKS = 40 };

typedef struct pw_strike { /* a question and its answer */
  pw_jump *x;
  int n_phase;
  pw_phase phase[PW_IMPACT_PHASES];
  const double *from, *to;                       /* nv: L^T u; to NULL: all that follow `from` */
  bool (*found)(void *payload, const double *w); /* one of these; true: that is enough */
  void *payload;
  const signed char *takes; /* nr, pw_take: contacts */
  bool sticky;              /* rough contacts may pull */
  double limit;             /* speeds up to this are none */
  bool gave_up;             /* out: the search did not end */
  double least;             /* out: least distance of what was cut off */
} pw_strike;

/* True: `to` is admitted, or `found` has had enough. False and not gave_up: there is no way, which
 * is proved as each part of the search ended in a distance above the limit. */
bool pw_strike_solve(pw_strike *s);

typedef struct pw_strike_room { /* scratch */
  pw_reach lp;
  int most_cells, most_rows;
  int n_cell;
  pw_verify_cell *cell;
  int *owner;         /* per column: cell whose impulse it is, or -1 */
  double *vector;     /* nv per column: momentum */
  double *sides;      /* PW_STRIKE_SIDES per column: friction per normal impulse */
  double *wanted;     /* right-hand sides */
  double *after;      /* nv per phase: velocities */
  double *gradient;   /* nv */
  signed char *takes; /* nr: for questions */
  bool fits;
  int budget; /* choices left in this search */
  int open;   /* searches so far that ended without an answer */
} pw_strike_room;

pw_strike_room *pw_strike_lay(const pw_system *s, pw_layout *l);

/* For the search: lists the cells (false: too many); poses and solves with their modes as they are,
 * and reads the solution. */
bool pw_strike_list(pw_strike *s);
void pw_strike_pose(pw_strike *s);

#endif
