// SPDX-License-Identifier: MIT
/* Where the shapes of piles are, and how they move with the velocities, as a tape; and the parts of
 * the system: velocities that the mass matrix or a shape ties together. */
#ifndef PW_SYSTEM_SCENE_FRAMES_H
#define PW_SYSTEM_SCENE_FRAMES_H

#include <stdint.h>

#include "scene/solid.h"
#include "system/system.h"

/* Of each shape: its place p, its angle, and q of a plane or segment; their rates at rest; then the
 * derivatives of each by the velocities dof. */
enum { PW_FRAME_P = 0, PW_FRAME_ANGLE = 3, PW_FRAME_Q = 4, PW_FRAME_CHANNELS = 7 };

typedef struct pw_scene_shape {
  const char *name;
  const pw_solid *solid;
  uint64_t piles; /* bit k: the k-th pile lists it */
  bool turns;     /* by its angle */
  bool drives;    /* it moves by itself: the time is in its place */
  int quaternion; /* of a body: first position of its rotation, -1: none, */
  int spin;       /* and its first angular velocity */
  int n_dof, *dof;
  int part; /* -1: it is fixed, or moves by itself */
  int out;  /* first output */
} pw_scene_shape;

typedef struct pw_scene {
  int n_shape;
  pw_scene_shape *shape;
  int n_part;
  int *part_start, *part_dof; /* n_part + 1; nv: velocities, part by part */
  int *part_of, *place_of;    /* nv: part of a velocity, and its place there */
  int largest;                /* velocities of the largest part */
  const pw_tape *tape;
} pw_scene;

/* Velocities of a part. */
static inline int pw_scene_count(const pw_scene *s, int part) {
  return s->part_start[part + 1] - s->part_start[part];
}
size_t pw_scene_corners(const pw_scene *s); /* of all shapes */
size_t pw_scene_masses(const pw_scene *s);  /* entries of the mass matrix, a block for each part */

enum { PW_MOST_PILES = 64 };

struct pw_equations;
/* Outputs of the tape, into nodes; NULL: the model has no piles. The tape is compiled by the
 * caller. */
pw_scene *pw_scene_build(const pw_system *sys, const struct pw_equations *eq, pw_node **out,
                         int *n_out);

#endif
