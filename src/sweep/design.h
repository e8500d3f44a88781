// SPDX-License-Identifier: MIT
/* The design of a sweep: which values each member has. Everything is a function of the number of
 * the member, so that any process can compute any member. */
#ifndef PW_SWEEP_DESIGN_H
#define PW_SWEEP_DESIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "pawl/sweep.h"

typedef enum pw_varied_kind { PW_VARIED_GRID, PW_VARIED_LIST, PW_VARIED_SAMPLED } pw_varied_kind;

typedef struct pw_varied { /* one name that varies */
  char *name;              /* as given */
  pw_varied_kind kind;
  double from, to; /* of a grid or of samples */
  int64_t n;       /* values; samples are counted by the design */
  double *list;    /* n, of a list */
  int dimension;   /* of the sampled point, from 0 */
} pw_varied;

typedef struct pw_design {
  pw_varied *axis;
  int n_axis;
  int n_sampled; /* names that are sampled */
  int first_sampled;
  int64_t samples;
  pawl_design kind;
  uint64_t seed;
  bool follow;
  int64_t members; /* product of all factors */
  int64_t chain;   /* members of a task: those of a chain, else 1 */
} pw_design;

/* Reads opts->vary. `system` is the model with no name varied, or NULL: it could not be compiled;
 * ranges are taken from it. */
PAWL_NODISCARD pawl_status pw_design_read(pw_design *d, const pawl_sweep_opts *opts,
                                          const pawl_system *system, pawl_diags *diags);
void pw_design_free(pw_design *d);

/* The values of a member, n_axis numbers. */
void pw_design_values(const pw_design *d, int64_t member, double *value);

enum { PW_SOBOL_MOST = 20 }; /* dimensions */
/* Coordinate `dimension` of point `index` of Sobol's sequence, scrambled, in [0, 1). */
double pw_sobol(uint32_t index, int dimension, uint64_t seed);
/* Uniform in [0, 1) and independent for different arguments. */
double pw_random(uint64_t index, int dimension, uint64_t seed);

#endif
