// SPDX-License-Identifier: MIT
/* Steps of piles: Moreau and Jean's scheme, stepping (T1), (T2), for bodies that touch by their
 * shapes. Only pairs that are near cost anything: they are found by boxes (scene/near.h), measured
 * (scene/solid.h), and what may close in the step is one sparse friction problem, stepping (T6). */
#ifndef PW_SIM_HEAP_H
#define PW_SIM_HEAP_H

#include <stdint.h>

#include "base/layout.h"
#include "base/thread.h"
#include "scene/near.h"
#include "sim/events.h"
#include "sim/rk.h"
#include "sim/step.h"
#include "solve/friction.h"
#include "system/scene_frames.h"

typedef struct pw_heap_row { /* a point at which two shapes may meet in the step */
  int shape[2], point, pile;
  double gap, normal[3], x[3], tangent[2][3];
  bool unsure;
  int part[2];      /* -1: none; both shapes in one part: the second is -1 */
  size_t at[2];     /* in `slope`: 3 rows of the part's velocities; in `column`: L^-1 of them */
  double drift[3];  /* rates without velocities */
  double before[3]; /* rates at the start of the step */
  double free[3];   /* at its end without percussions */
  double after[3];  /* and with them */
  double slow;      /* twice the speed that the load can give it in the step */
  double bounce;    /* part of `free` by its restitution */
  double kick[3];   /* percussions: along the normal and both tangents */
  bool active;
  bool closed;  /* before the step */
  bool pulled;  /* of positions: held from both sides */
  double start; /* gap at the start of the step, to first order */
} pw_heap_row;

/* What one step leaves to the next, by pair and point: kept in the block of the simulation. */
typedef struct pw_heap_known {
  int shape[2], point, pile;
  double force[3];
  double normal[3], x[3], tangent[2][3];
  unsigned char closed;
  unsigned char fresh; /* it has closed in the last step: positions are put on it */
  unsigned char slides;
} pw_heap_known;

typedef struct pw_heap_event {
  int kind; /* pw_contact_kind */
  int shape[2], point, pile;
  double impulse, dE, before, after;
  bool unsure, gains;
} pw_heap_event;

typedef struct pw_heap_doubt { /* percussions that were accepted although they miss their laws */
  int64_t count;
  double residual, t; /* of the worst, and when */
  bool told;
  int shape[2], pile;
} pw_heap_doubt;

typedef struct pw_heap_island { /* active rows that feel each other */
  int from, to;                 /* places in `active` */
  int block;                    /* its first one */
  double speed;                 /* largest of its rates without percussions, in common units */
  double residual;              /* of its percussions, in parts of the speeds of the step */
  pawl_status status;
} pw_heap_island;

typedef struct pw_heap_work { /* memory in which one island is solved */
  pw_contact *copies;
  double *real;
  int *whole;
  size_t most_copies, most_real, most_whole;
} pw_heap_work;

typedef struct pw_heap_room { /* scratch that grows with what touches; not part of what is saved */
  pw_heap_row *row;
  int n_row, most_row;
  double *slope, *column;
  size_t n_slope, most_slope;
  int *list, *first; /* rows of each part: places in list; n_part + 1 */
  int *active;       /* rows of the problem, island by island */
  int n_active;
  pw_heap_island *island;
  int n_island;
  int *root;    /* n_part: a part of the same island */
  bool same;    /* the rows of the problem are those of the last one: so are its blocks */
  bool solved;  /* the last percussions met HEAP_SOLVED */
  double finer; /* of positions: the largest overlap in parts of the largest distance */
  size_t most_list;
  int *where, *start, *col; /* rows and columns are counted from the first of the island, and each
                               island has one start more than rows */
  size_t most_col;
  double *W, *q, *r;
  pw_contact *contact;
  size_t most_block;
  pw_heap_work *work; /* n_work: one for each thread */
  int n_work;
  pw_lock *lock; /* of threads that take islands; NULL: there is one */
  char *name;    /* of events: most times width */
  size_t width;
} pw_heap_room;

typedef struct pw_heap {
  pw_stepper *s;
  const pw_scene *scene;
  pw_placed *shape;     /* n_shape */
  double (*corners)[3]; /* of all of them */
  double *margin;       /* n_shape */
  int *rigid;           /* n_shape: shapes with the same number cannot move against each other */
  pw_near near;
  double *in, *reg, *out;                              /* of the tape */
  double *mass;                                        /* factors of the parts: k x k each */
  size_t *mass_at;                                     /* n_part */
  double *u1, *v, *q1, *q_mid, *dq, *free, *du, *mean; /* velocities and positions */
  double *put;                                         /* nv: by how much positions were put back */
  double *z_rate, *side;                               /* nz; n_sides: of switching surfaces */
  pw_heap_known *known;                                /* most: by shapes and points */
  int *n_known;                                        /* 1 */
  pw_heap_event *log;                                  /* most */
  int *n_log;                                          /* 1 */
  int most;
  pw_heap_doubt *doubt; /* 1 */
  double *length;       /* 1: of the last step */
  double *last; /* nq + 2 nv: where the last step began, and its velocities without percussions */
  int *calm;    /* 1: the last step left everything as it was */
  pw_heap_room room;
} pw_heap;

void pw_heap_lay_out(pw_heap *x, const pw_system *sys, pw_layout *l);
PAWL_NODISCARD pawl_status pw_heap_init(pw_heap *x, pw_stepper *s, int64_t threads);
void pw_heap_free(pw_heap *x);

/* ---- where everything is (heap_places.c) ---- */

void pw_heap_place(pw_heap *x, double t, const double *q);
/* Velocity of the point of a shape at `at` along d: derivatives by the velocities of its part
 * added, times `sign`, to slope; returns the rate without velocities. */
double pw_heap_slope(const pw_heap *x, int shape, const double *at, const double *d, double sign,
                     double *slope);
/* Shapes that cannot move against each other. At a start. */
void pw_heap_find_rigid(pw_heap *x);
/* Margins of the boxes for a step of length h with the larger of both velocities (nv). */
void pw_heap_widen(pw_heap *x, double h, const double *u, const double *w);
/* Rows of all pairs that are near. */
PAWL_NODISCARD pawl_status pw_heap_find_rows(pw_heap *x);

/* ---- percussions (heap_solve.c) ---- */

/* Factors of the mass matrix of the last rates. */
PAWL_NODISCARD pawl_status pw_heap_factor(pw_heap *x);
/* Columns in the metric of all rows. */
void pw_heap_columns(pw_heap *x);
double pw_heap_rate(const pw_heap *x, const pw_heap_row *row, int which, const double *u);
typedef enum pw_heap_aim {
  PW_HEAP_LOOK,  /* some sweeps, to see which rows take part */
  PW_HEAP_KICKS, /* percussions */
  PW_HEAP_PLACES /* positions: normals only */
} pw_heap_aim;

/* Percussions of the active rows for their rates `free`. They are left in kick. Where an island has
 * none while some of its contacts bounce back, these do not. PAWL_E_STEP: nothing came near. */
PAWL_NODISCARD pawl_status pw_heap_solve(pw_heap *x, pw_heap_aim aim, double t);
/* Memory that grows; false: there is none. */
bool pw_heap_grow(void **array, size_t *most, size_t need, size_t item);

/* ---- islands (heap_islands.c) ---- */

/* Sorts the active rows. */
void pw_heap_sort_islands(pw_heap *x);
/* Solves the problem of all islands; each one's status and residual are written. */
PAWL_NODISCARD pawl_status pw_heap_solve_islands(pw_heap *x, pw_heap_aim aim);
/* u += M^-1 J^T kick */
void pw_heap_push(const pw_heap *x, bool positions, double *u);

/* ---- the step (heap.c), its end (heap_log.c) ---- */

PAWL_NODISCARD pawl_status pw_heap_step(void *heap, pw_rk *rk);
/* Events, forces and what the next step should know. */
void pw_heap_conclude(pw_heap *x, const pw_rk *rk);
/* Entries of the ledger for these percussions, at the mean velocity v. */
void pw_heap_book(const pw_heap *x, const double *v, double *z);
/* Begins in the middle of a motion: what touches at (t, q) and neither nears nor leaves is closed.
 * h: length of the steps. After pw_mech_rates there. */
PAWL_NODISCARD pawl_status pw_heap_take_up(pw_heap *x, double t, const double *q, const double *u,
                                           double h);
/* Twice the speed that the load can give the contact in a step. After pw_heap_columns. */
double pw_heap_slow(const pw_heap *x, const pw_heap_row *row, double h);
/* Room for names, once. */
PAWL_NODISCARD pawl_status pw_heap_make_names(pw_heap *x);
/* Name of a contact point: "pile:a-b#3". */
const char *pw_heap_name(const pw_heap *x, int slot, int pile, const int shape[2], int point);

/* W0550, once, where percussions were accepted that miss their laws. */
void pw_heap_announce(pw_heap *x, pawl_diags *diags);
/* E0271 where shapes overlap at the start. */
PAWL_NODISCARD pawl_status pw_heap_begin(pw_heap *x, double t, const double *q, pawl_diags *diags);

#endif
