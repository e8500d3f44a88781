// SPDX-License-Identifier: MIT
/* Contacts of shapes that steps find on their way, judged step by step by stepping (T1), (T6), (T7)
 * with the percussions that the run has stored: certificates section 13. Gaps are measured by the
 * definition of shapes (scene/solid.h); which pairs are near is found here. Owners: check_scene.c;
 * of places: scene_place.c. */
#ifndef PW_VERIFY_SCENES_H
#define PW_VERIFY_SCENES_H

#include <stdint.h>

#include "base/layout.h"
#include "scene/solid.h"
#include "system/scene_frames.h"
#include "traj/segment.h"
#include "verify/findings.h"
#include "verify/probe.h"

typedef struct pw_scenes_part { /* n_part each: sizes in the metric of the part */
  double *load;                 /* forces of the model */
  double *put;                  /* by how much its positions were put back */
  size_t *mass_at;              /* its factor in `mass` */
  unsigned char *touched;       /* it has a percussion, or touches something at the end */
  unsigned char *moved;         /* it has moved in the step */
  int *root;                    /* a part of the same island: joined by percussions of the step */
  int *kicks;                   /* of the island with this root, as all below */
  double *bouncing, *dead;      /* largest misses: by the law, and with e = 0 everywhere */
} pw_scenes_part;

enum { PW_SCENES_LATE = 256 };

typedef struct pw_scenes_late { /* pairs that came too close in a step, without percussions */
  int n, pair[PW_SCENES_LATE][2];
} pw_scenes_late;

typedef struct pw_scenes_lever { /* how a point of a shape moves: rates drift + sum u_k column_k */
  const pw_scene_shape *of;
  double drift[3];
  double (*column)[3]; /* by the velocities of the shape, then by its spin if it has one */
} pw_scenes_lever;

typedef struct pw_scenes_last { /* the step before, to see whether this one repeats it */
  double *state;                /* nq + nv: where it stayed */
  double *h;                    /* nv: forces at its start, in the middle of its time */
  double length;
  uint64_t kicks; /* check sum of its percussions */
  bool known;     /* h is that of the last state */
} pw_scenes_last;

typedef struct pw_scenes_locks { /* steps with an island in which nothing bounces, stepping (T5) */
  int64_t count, strikes;        /* of them; of all steps with impacts */
  double worst, t;               /* largest miss of Newton's law among them, and when */
} pw_scenes_locks;

typedef struct pw_scenes {
  const pw_scene *scene; /* NULL: the model has none */
  pw_probe_tape frame;
  double *in;
  pw_placed *shape;           /* n_shape: where they are */
  double (*corners)[3];       /* of all of them */
  int *order;                 /* n_shape: by the left ends of their boxes */
  double *mass;               /* factors of the parts */
  bool have_mass;             /* and they are constant */
  double *q, *v, *a, *dq;     /* nq, nv, nv, nq: the middle of the free step; scratch */
  double *arrive;             /* nq: where the mean velocity leads */
  double *residual, *scratch; /* nv each */
  double *slope;              /* nv: of one contact */
  pw_scenes_lever lever[2];   /* of the two shapes there */
  pw_scenes_part part;
  double from, to, longest; /* the step; the longest one */
  double fastest;           /* largest speed so far, in the metric */
  int64_t steps;            /* that were judged */
  int kicks;                /* in the step before */
  pw_scenes_last last;
  pw_scenes_locks locks;
  pw_scenes_late late[2]; /* of the step before, and of this one */
} pw_scenes;

typedef struct pw_scenes_view { /* what the judge reads, and where findings go */
  pw_scenes *scenes;
  const pw_system *sys;
  pw_probe *probe;
  pw_record *record;
  double *mass; /* nv: roots of the diagonal of M */
} pw_scenes_view;

typedef struct pw_scenes_outcome { /* of a step */
  bool seen;                       /* else masses or forces are no numbers */
  bool changes;                    /* other contacts act than in the step before */
  bool rubs;                       /* some friction acts */
  double lost, gained;             /* parts of the works of impacts */
  double fastest;                  /* largest speed so far */
} pw_scenes_outcome;

/* What comes next does not follow the last step. */
void pw_scenes_forget(pw_scenes *x);
/* The next step; the end. */
pw_scenes_outcome pw_scenes_step(const pw_scenes_view *c, const pw_segment *g, int stride);
void pw_scenes_finish(const pw_scenes *scenes, pw_record *record);

/* ---- islands: parts that percussions of the step join (scene_islands.c) ---- */

typedef struct pw_scenes_misses { /* largest ones */
  double bouncing;                /* of islands that bounce by the law */
  double locked;                  /* of those that friction locks, with e = 0; negative: none are */
  double hidden;                  /* by which these miss the law */
} pw_scenes_misses;

void pw_scenes_begin_islands(pw_scenes *x);
void pw_scenes_join(pw_scenes *x, const int shape[2]);
/* A percussion misses its law by so much, and the law with e = 0. */
void pw_scenes_miss(pw_scenes *x, const int shape[2], double bouncing, double dead);
/* An island of several contacts that misses its law by more than `most`, but not with e = 0, is
 * locked, stepping (T5). */
pw_scenes_misses pw_scenes_judge_islands(const pw_scenes *x, double most);

/* ---- scene_place.c ---- */

void pw_scenes_lay(pw_scenes *x, const pw_system *s, pw_layout *l);
/* Frames of the shapes, for levers; with their corners and boxes, for gaps. */
void pw_scenes_place(pw_scenes *x, const pw_system *s, double t, const double *q);
void pw_scenes_place_whole(pw_scenes *x, const pw_system *s, double t, const double *q);
/* x->lever of the points of two shapes that are at `at`. */
void pw_scenes_hold(pw_scenes *x, int first, int second, const double *at);
/* Velocity of the first point against the second, with the velocities u. */
void pw_scenes_rate(const pw_scenes *x, const double *u, double *v);
/* to (nv) += the covector of a force on the first point, and of its opposite on the second. */
void pw_scenes_press(const pw_scenes *x, const double *force, double *to);
/* Shapes of one pile of which at least one can move. */
bool pw_scenes_may_touch(const pw_scenes *x, int i, int k);
/* Calls `pair` for all of them whose boxes come closer than `reach` times their sizes. */
void pw_scenes_pairs(pw_scenes *x, double reach, void (*pair)(void *payload, int i, int k),
                     void *payload);
/* Size of the smaller shape; a plane has none. */
double pw_scenes_size(const pw_scenes *x, int i, int k);

#endif
