// SPDX-License-Identifier: MIT
/* Whether a problem of contacts with friction has a solution, by a search over the modes of its
 * rows: a contact is open or closed, a slip sticks or slides to one side. A node of the tree has
 * decided some rows; what all its solutions satisfy is linear, and the undecided rows contribute
 * what holds in each of their modes. The point of least norm of these conditions is found, or
 * multipliers that refute them (Lawson and Hanson's least distance problem); both are judged apart
 * (mode_proof.h). */
#ifndef PW_SOLVE_MODE_TREE_H
#define PW_SOLVE_MODE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solve/outcome.h"
#include "solve/stick_pairs.h"

/* Rows of the largest problem that is looked at, and nodes of the largest search. */
enum { PW_MODE_ROWS = 60, PW_MODE_NODES = 20000 };

typedef struct pw_mode_info {
  int64_t nodes;
  int doubtful; /* nodes that neither a point nor a proof was found for */
} pw_mode_info;

/* For problems of up to k rows. */
size_t pw_mode_tree_doubles(int k);
size_t pw_mode_tree_ints(int k);

/* SOLVED: x (k) is a solution. INFEASIBLE: none exists with forces up to a million times the rates,
 * each branch of the search was refuted by multipliers that were checked. MAX_ITER: none was found,
 * which proves nothing: the problem is too large, the search too long, or a branch in doubt. */
pw_outcome pw_mode_tree(const pw_stick_rows *p, double *x, double *real, int *whole,
                        pw_mode_info *info);

#endif
