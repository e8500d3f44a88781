// SPDX-License-Identifier: MIT
/* Studies: how fast motions converge to a limit, as steps become shorter (pawl_converge_new) or as
 * the realisation of a constraint becomes stiffer (pawl_realise_new). One table for each method or
 * realisation, with errors and fitted orders. */
#ifndef PAWL_STUDY_H
#define PAWL_STUDY_H

#include <stdint.h>

#include "pawl/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pawl_study pawl_study;

typedef enum pawl_study_by {
  PAWL_BY_AUTO, /* STEP for methods with steps of one size, else TOL */
  PAWL_BY_TOL,  /* tolerances 1e-3 .. 1e-10 */
  PAWL_BY_STEP  /* fixed steps, halved from row to row */
} pawl_study_by;

typedef struct pawl_study_opts { /* zero selects the default */
  const pawl_override *overrides;
  int n_override;
  int use_span; /* 1: use from and to below, else the span of the run statement */
  double from, to;
  int one_method; /* 1: only `method`; else all that take the model */
  pawl_method method;
  pawl_study_by by;
  int (*ask)(void *payload); /* as in pawl_sim_opts; non-zero: end with PAWL_E_TIME */
  void *payload;
} pawl_study_opts;

/* Motions of a model by its methods, against one at the smallest tolerance that can be reached.
 * PAWL_E_STEP with a diagnostic if that cannot be computed to the end. A method that refuses the
 * model has a series with a reason instead of rows. */
PAWL_API PAWL_NODISCARD pawl_status pawl_converge_new(const pawl_model *model,
                                                      const pawl_study_opts *opts,
                                                      pawl_diags *diags, pawl_study **out);
/* Motions with the constraint `law` realised in other ways, against that with the ideal one. Of the
 * options `one_method`, `method` and `by` have no meaning. */
PAWL_API PAWL_NODISCARD pawl_status pawl_realise_new(const pawl_model *model, const char *law,
                                                     const pawl_study_opts *opts, pawl_diags *diags,
                                                     pawl_study **out);
PAWL_API void pawl_study_free(pawl_study *study);

typedef struct pawl_study_series {
  const char *name;    /* "dop853", "viscous", ... */
  const char *by;      /* parameter of the rows: "step", "tol", "N", "K", "bound"; "": none */
  const char *refused; /* why there are no rows; "": there are */
  int rows;
  /* p in error ~ h^p, where h is the step, the mean step (by tol), or 1/value; NAN: fewer than
   * three rows whose errors are above those of the reference */
  double order_positions, order_velocities, order_end;
} pawl_study_series;

PAWL_API int pawl_study_count(const pawl_study *study);
PAWL_API pawl_study_series pawl_study_get(const pawl_study *study, int i);

typedef struct pawl_study_row {
  double value; /* value of this parameter; NAN: none */
  int64_t steps, events;
  double positions;  /* largest difference at 400 equal times, in parts of the range of each */
  double velocities; /* mean difference there, in parts of the largest of each */
  double end;        /* largest difference of both at the end of the run */
  const char *why;   /* "" or why the motion ended early; the errors are NAN then */
} pawl_study_row;

PAWL_API pawl_study_row pawl_study_row_get(const pawl_study *study, int i, int row);
/* Error of the positions of the reference: rows below ten times this are not significant. */
PAWL_API double pawl_study_floor(const pawl_study *study);
/* Description of the reference. */
PAWL_API const char *pawl_study_against(const pawl_study *study);

PAWL_API PAWL_NODISCARD pawl_status pawl_study_json(const pawl_study *study, pawl_sink sink,
                                                    void *payload);

#ifdef __cplusplus
}
#endif

#endif
