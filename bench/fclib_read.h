// SPDX-License-Identifier: MIT
/* Readers of published friction problems: Siconos' text files (friction in plane and space, LCP)
 * and FCLIB's HDF5 files, local (W, q) or global (M, H, f, w), which are reduced to local form.
 * With rolling friction (five components) a contact is followed by a ball: the two moments against
 * rolling, at most the arm times the normal force. */
#ifndef PW_BENCH_FCLIB_READ_H
#define PW_BENCH_FCLIB_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "solve/friction.h"

typedef struct fclib_entry {
  int i, j;
  double x;
} fclib_entry;

typedef struct fclib_matrix {
  int rows, cols;
  size_t count, room;
  fclib_entry *entry; /* repeated ones add up */
} fclib_matrix;

/* All functions end the program if memory runs out. */
void fclib_add(fclib_matrix *m, int i, int j, double x);
void fclib_matrix_free(fclib_matrix *m);

typedef struct fclib_problem {
  int dim, nc; /* dim: 2, 3; 5 with rolling, then nc counts balls too */
  pw_contact *contact;
  int *start, *col;
  double *W, *q; /* as in pw_friction */
  double *arm;   /* nc: of balls; NULL without rolling */
} fclib_problem;

/* From W (dim nc square), q (dim nc), mu and, with five components, arms (nc). False if the sizes
 * do not fit. */
bool fclib_local(fclib_problem *p, int dim, int nc, fclib_matrix *W, const double *q,
                 const double *mu, const double *arm);
/* M v = H r + f,  u = H^T v + w:  W = H^T M^-1 H,  q = w + H^T M^-1 f. */
bool fclib_global(fclib_problem *p, int dim, int nc, fclib_matrix *M, fclib_matrix *H,
                  const double *f, const double *w, const double *mu, const double *arm);
/* Bounds of balls by the normal forces of r. */
void fclib_bounds(fclib_problem *p, const double *r);
void fclib_free(fclib_problem *p);
pw_friction fclib_view(const fclib_problem *p);

typedef struct fclib_lcp {
  int n;
  double *M, *q; /* column-major */
} fclib_lcp;

/* False with a reason if the file is not such a problem. */
bool fclib_read_text(const char *path, fclib_problem *p, const char **reason);
bool fclib_read_lcp(const char *path, fclib_lcp *p, const char **reason);
bool fclib_read_hdf5(const char *path, fclib_problem *p, const char **reason);

#endif
