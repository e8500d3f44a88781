// SPDX-License-Identifier: MIT
/* Which shapes are near each other: boxes sorted along one axis and swept, so that far pairs cost
 * nothing; shapes without bounds are near everything. */
#ifndef PW_SCENE_NEAR_H
#define PW_SCENE_NEAR_H

#include <stdbool.h>

#include "scene/solid.h"

typedef struct pw_near {
  int *order;     /* n: shapes by the lower end of their boxes; kept from call to call */
  int (*pair)[2]; /* most */
  int n_pair, most;
} pw_near;

/* Pairs i < j whose boxes, each larger by its margin, overlap and that `may` touch, in order of i
 * and j. False: there are more than `most`. */
bool pw_near_find(pw_near *x, const pw_placed *shape, const double *margin, int n,
                  bool (*may)(void *payload, int i, int j), void *payload);

#endif
