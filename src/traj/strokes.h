// SPDX-License-Identifier: MIT
/* The impulses of an instant, problem by problem, as bytes. The certificate judges impacts of many
 * contacts by them: it checks that they obey the law, and has nothing to search. */
#ifndef PW_TRAJ_STROKES_H
#define PW_TRAJ_STROKES_H

#include "traj/bytes.h"

typedef struct pw_strokes {
  pw_buf bytes;
  size_t settled; /* bytes of the jumps that are settled */
  bool lost;      /* some impulse is not among them */
} pw_strokes;

/* All accept NULL for no list. In order: clears the list; drops unsettled entries; settles them. */
void pw_strokes_clear(pw_strokes *s);
void pw_strokes_retry(pw_strokes *s);
void pw_strokes_settle(pw_strokes *s);
/* The list of this instant is incomplete. */
void pw_strokes_lose(pw_strokes *s);

enum { PW_STROKE_STOP = 15 }; /* in place of a phase: the end of omitted bounces */

typedef struct pw_stroke_view {
  int phase;          /* pw_phase of law/phase.h */
  int only;           /* row of the contact that is struck alone, or -1: all that touch */
  int n;              /* impulses, */
  const double *part; /* each two numbers: row, impulse */
} pw_stroke_view;

/* The impulses (rows) of one problem. */
void pw_strokes_add(pw_strokes *s, int phase, int only, const double *impulse, int rows);
/* Whether they contain more than the jump of the velocities: several impulses or problems. */
bool pw_strokes_tell(const pw_strokes *s);
/* The next entry of a list for a system with this number of rows; false: none, or damaged. */
bool pw_strokes_next(pw_reader *in, int rows, pw_stroke_view *out);

#endif
