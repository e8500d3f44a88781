// SPDX-License-Identifier: MIT
/* Validation of a step: enclosures of the right-hand side along its dense output show what its
 * stages cannot have seen. They are bisected in time until nothing can hide, or something real is
 * found and the step is taken anew, shorter (theory (110), (111)). */
#ifndef PW_SIM_UNSEEN_H
#define PW_SIM_UNSEEN_H

#include <stdint.h>

#include "pawl/status.h"

struct pw_stepper;

enum { PW_MOST_UNSEEN = 32 };

typedef enum pw_unseen_kind {
  PW_UNSEEN_COORD,   /* acceleration of a coordinate of the model */
  PW_UNSEEN_ROW,     /* equality or law */
  PW_UNSEEN_SURFACE, /* switching function */
  PW_UNSEEN_EVENT    /* event function */
} pw_unseen_kind;

typedef struct pw_unseen_place { /* an interval of time where something may have been missed */
  pw_unseen_kind kind;
  int index;
  double from, to;
} pw_unseen_place;

typedef struct pw_unseen {
  pw_unseen_place place[PW_MOST_UNSEEN]; /* the first ones */
  int n;
  int64_t count; /* all of them */
  int told;      /* those of which the user was warned */
} pw_unseen;

/* Notes one; it joins the last of its kind that it touches. */
void pw_unseen_note(struct pw_stepper *s, pw_unseen_kind kind, int index, double from, double to);

typedef struct pw_hidden {
  double h;    /* length of the step to try instead; 0: nothing is hidden */
  double then; /* and of the one after it */
} pw_hidden;

/* Of the trial step in s, which is about to be accepted. */
pw_hidden pw_unseen_look(struct pw_stepper *s);

/* Pieces of a step shorter than this part of it are not told apart in time. */
double pw_unseen_finest(const struct pw_stepper *s);

#endif
