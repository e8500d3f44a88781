// SPDX-License-Identifier: MIT
/* Gaps between shapes as expressions: the points at which two of them may meet, with normals,
 * tangents and slips, shapes (G1)-(G4). */
#ifndef PW_MODEL_SHAPE_TOUCH_H
#define PW_MODEL_SHAPE_TOUCH_H

#include "model/check.h"

typedef struct pw_touch_draft {
  pw_touch touch;
  pw_node gap;
  pw_node slip[2]; /* dim - 1: along the tangents, first shape against second */
} pw_touch_draft;

typedef PW_LIST(pw_touch_draft) pw_touch_list;

/* A point of the shape's own axes in space. */
void pw_shape_point(pw_check *ck, const pw_shape_def *s, const pw_node own[3], pw_node out[3]);

/* The points at which the two may meet, added to the list. False: no such pair is known. */
bool pw_shapes_meet(pw_check *ck, const pw_shape_def *a, const pw_shape_def *b, pw_touch_list *out);

#endif
