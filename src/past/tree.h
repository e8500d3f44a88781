// SPDX-License-Identifier: MIT
/* The tree of pasts: nodes in the order in which they are found, each before its own pasts. */
#ifndef PW_PAST_TREE_H
#define PW_PAST_TREE_H

#include "base/buf.h"
#include "past/backward.h"
#include "pawl/past.h"

enum { PW_PAST_LAW = 200 };

typedef struct pw_past_node {
  pawl_past_info info;
  char law[PW_PAST_LAW];
  double *numbers; /* a, u, q_since, u_since; then impulses of all law rows */
} pw_past_node;

struct pawl_past {
  const pawl_system *system;
  const pw_system *sys;
  pw_back back;
  double span;   /* time to go back at most */
  double least;  /* the time itself */
  double *force; /* of the laws: multipliers that are states at an instant, else NAN */
  int depth, most;
  pw_past_node *node;
  int n, cap;
  bool complete;
  char why[400];
};

/* A new child node; NULL: no memory, or there are too many. */
pw_past_node *pw_past_add(pawl_past *p, int parent);
/* The list of pasts is incomplete: keeps the first reason. */
void pw_past_lack(pawl_past *p, const char *law, const char *why);
const char *pw_past_law_name(const pawl_past *p, int law);

/* Impacts that end with the present velocities of p->back: as nodes of `parent`. *must: some
 * contact opens, so that there was one. After pw_back_look. */
PAWL_NODISCARD pawl_status pw_past_impacts(pawl_past *p, int parent, bool *must);

/* The velocity (nv) before an impact by momenta at one contact, and its impulse; NAN in before[0]:
 * none was found. Of contacts with restitution, on walls that stand still. After pw_back_look. */
PAWL_NODISCARD pawl_status pw_past_by_momenta(pawl_past *p, int law, double *before,
                                              double *impulse);

/* All pasts of the state (t, q, u), to the depth. */
PAWL_NODISCARD pawl_status pw_past_grow(pawl_past *p, int parent, int depth, double t,
                                        const double *q, const double *u, pawl_diags *diags);

#endif
