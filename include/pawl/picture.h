// SPDX-License-Identifier: MIT
/* The `plot` and `draw` lines of a model as data. Their expressions are evaluated by pawl_eval_at
 * (`plot` and `draw` of pawl_eval_out). Nothing is rendered here. */
#ifndef PAWL_PICTURE_H
#define PAWL_PICTURE_H

#include "pawl/system.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pawl_plot_info { /* one curve */
  const char *y;                /* its expression as written */
  const char *x;                /* that of the horizontal axis; NULL: the time */
  int statement; /* number of its `plot` line, from 1; the curves of one line share it */
  int line;
  const char *y_unit, *x_unit; /* SI, "1" for a pure number; NULL: not stated */
} pawl_plot_info;
PAWL_API int pawl_system_plots(const pawl_system *system); /* curves */
PAWL_API pawl_plot_info pawl_plot_get(const pawl_system *system, int i);

typedef struct pawl_draw_info { /* one shape */
  const char *shape;            /* "line", "circle", "box", "polygon", "point", "spring", "arrow",
                                   "text", "sphere", "cylinder", "plane" */
  int arguments;                /* in the order of the line */
  int line;
} pawl_draw_info;
PAWL_API int pawl_system_draws(const pawl_system *system); /* shapes */
PAWL_API pawl_draw_info pawl_draw_get(const pawl_system *system, int i);

typedef struct pawl_draw_argument {
  const char *word; /* "radius", "size", "angle"; "": a point, a body or a text */
  const char *text; /* of a text; else NULL */
  const char *body; /* name of a body, whose numbers are position and quaternion; else NULL */
  int n;            /* numbers: 2 or 3 of a point, 7 of a body, 0 of a text */
  int first;        /* place of the first of them among all numbers of all shapes */
} pawl_draw_argument;
PAWL_API pawl_draw_argument pawl_draw_argument_get(const pawl_system *system, int i, int argument);
/* Numbers of all shapes together: the size of `draw` of pawl_eval_out for one state. */
PAWL_API int pawl_draw_numbers(const pawl_system *system);

/* ---- contacts of shapes ---- */

typedef struct pawl_touch_info { /* a point at which two shapes may meet */
  const char *contact;           /* name of the `contact` line */
  const char *pair;              /* "d[1]-floor" */
  int point;                     /* its number, from 1; 0: there is one */
  int law;                       /* its law; the laws of its slip follow */
  int slips;                     /* 0, 1 or 2 */
  int dimension;                 /* 2 or 3 */
} pawl_touch_info;
PAWL_API int pawl_system_touches(const pawl_system *system);
PAWL_API pawl_touch_info pawl_touch_get(const pawl_system *system, int i);
/* Numbers of one of them in `touch` of pawl_eval_out: place, normal from the second shape to the
 * first, and two tangents, with three components each, 0 where the plane has none. */
enum { PAWL_TOUCH_NUMBERS = 12 };

typedef struct pawl_pile_info { /* a contact whose pairs steps find on their way */
  const char *contact;
  int shapes;
  double restitution, mu; /* mu below 0: no friction */
} pawl_pile_info;
PAWL_API int pawl_system_piles(const pawl_system *system);
PAWL_API pawl_pile_info pawl_pile_get(const pawl_system *system, int i);

#ifdef __cplusplus
}
#endif

#endif
