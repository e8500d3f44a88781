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
  pw_node roll[2]; /* angular velocity of the first shape against the second: in the plane, or */
  pw_node spin;    /* along the tangents, and along the normal, shapes (G9) */
} pw_touch_draft;

typedef PW_LIST(pw_touch_draft) pw_touch_list;

/* A point of the shape's own axes in space. */
void pw_shape_point(pw_check *ck, const pw_shape_def *s, const pw_node own[3], pw_node out[3]);

/* The same the other way: a point, or a direction, of space in the shape's own axes. */
void pw_shape_own(pw_check *ck, const pw_shape_def *s, const pw_node x[3], pw_node own[3]);
void pw_shape_turn(pw_check *ck, const pw_shape_def *s, const pw_node own[3], bool back,
                   pw_node out[3]);
/* The ends of a segment, or of the axis of a capsule. */
void pw_shape_ends(pw_check *ck, const pw_shape_def *s, pw_node end[2][3]);

/* Tangents and slips of a point whose place, normal and gap are set; added to the list. */
bool pw_touch_finish(pw_check *ck, const pw_shape_def *a, const pw_shape_def *b, pw_touch_draft *d,
                     pw_touch_list *out);

/* The point of the segment from p to q that is nearest to c, shapes (G2). */
void pw_nearest_node(pw_check *ck, const pw_node *p, const pw_node *q, const pw_node *c, int n,
                     pw_node *out);

/* Polygons and disks in the plane, spheres and boxes, shapes (G11)-(G14).
 * False after an error. */
bool pw_is_cornered(const pw_shape_def *s);
bool pw_cornered_meet(pw_check *ck, const pw_shape_def *a, const pw_shape_def *b,
                      pw_touch_list *out);
bool pw_sphere_on_box(pw_check *ck, const pw_shape_def *ball, const pw_shape_def *b,
                      pw_touch_list *out);
bool pw_ball_on_corners(pw_check *ck, const pw_shape_def *ball, const pw_shape_def *b,
                        pw_touch_list *out);

/* Neither can move against the other. */
bool pw_shapes_move_alike(pw_check *ck, const pw_shape_def *a, const pw_shape_def *b);

/* The points at which the two may meet, added to the list. False: no such pair is known. */
bool pw_shapes_meet(pw_check *ck, const pw_shape_def *a, const pw_shape_def *b, pw_touch_list *out);

#endif
