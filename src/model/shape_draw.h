// SPDX-License-Identifier: MIT
/* What a shape looks like, for models that draw nothing themselves. */
#ifndef PW_MODEL_SHAPE_DRAW_H
#define PW_MODEL_SHAPE_DRAW_H

#include "model/check.h"

/* Adds the drawings of the shape. */
void pw_draw_shape(pw_check *ck, const pw_shape_def *s);

#endif
