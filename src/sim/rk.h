// SPDX-License-Identifier: MIT
/* Explicit Runge-Kutta steps with embedded error estimates and dense output, for any right-hand
 * side y' = f(t, y). Methods are tables; the kernel in rk.c runs them. Nothing allocates. */
#ifndef PW_SIM_RK_H
#define PW_SIM_RK_H

#include <stdbool.h>
#include <stddef.h>

#include "pawl/status.h"

typedef pawl_status (*pw_rk_rhs)(void *ctx, double t, const double *y, double *dy);

struct pw_rk;
/* A step of another kind: y1 from (t, h, y0, k_0). It may also fill k_stages and set has_end. */
typedef pawl_status (*pw_rk_map)(void *ctx, struct pw_rk *rk);

/* Inner stages at once: fills k_1 .. k_(s-1) from (t, h, y0, k_0) and returns s, the next stage;
 * one more than that of the end, if y1 is there too. */
typedef int (*pw_rk_stages)(void *ctx, const struct pw_rk *rk);

typedef struct pw_rk_method {
  int order;           /* of the solution carried on */
  int stages;          /* k_0 .. k_(stages-1) give the end point; k_stages is f there (FSAL) */
  int all;             /* with k_stages and the extra stages of the dense output */
  int terms;           /* coefficients of the dense output, see pw_rk_eval */
  bool error_uses_end; /* the error estimate contains k_stages */
  const double *c;     /* all */
  const double *a;    /* row i (i entries) begins at i(i-1)/2; row `stages` holds the weights; NULL:
                         the step is a map, which fills all of k but the end */
  int n_error;        /* 1, or 2: orders 5 and 3, combined by pw_rk_error_size */
  int error_terms;    /* of each estimate */
  const double *e[2]; /* error_terms each: error = h sum e_i k_i */
  const double *slope; /* 2 x all: slopes of the dense output at both ends; NULL: k_0, k_stages */
  const double *d;     /* (terms - 4) x all: upper coefficients of the dense output */
  int error_order;     /* error ~ h^error_order */
  double beta;         /* of the PI step control */
  double stable;       /* h |df/dy| at which the steps are no longer stable */
  double shrink, grow; /* limits of one change of the step size */
} pw_rk_method;

extern const pw_rk_method pw_dp5;    /* order 5, estimate of order 4, dense output of order 4 */
extern const pw_rk_method pw_dop853; /* order 8, estimates of 5 and 3, dense output of order 7 */
extern const pw_rk_method pw_radau_table; /* implicit, order 5: radau.h */
extern const pw_rk_method
    pw_hermite; /* for steps of another kind: cubic dense output, no estimate */

typedef struct pw_rk {
  const pw_rk_method *method;
  int n;
  int reads; /* f does not depend on components from here on: they are quadratures */
  pw_rk_rhs f;
  pw_rk_rhs inner;     /* f inside of the step, where nobody needs more than dy; may be f itself */
  pw_rk_stages stages; /* NULL: one by one, by `inner` */
  void *ctx;
  pw_rk_map map; /* NULL: the stages of the method */
  void *map_ctx;
  double t, h;
  bool has_end, has_dense; /* k_stages, or the coefficients, are those of this step */
  double *y0;              /* n: start of the step */
  double *y1;              /* n: end */
  double *k;               /* all x n; the caller fills k_0 = f(t, y0) */
  double *r;               /* terms x n: dense output */
  double *stage;           /* n */
} pw_rk;

/* Doubles of memory needed, and the handing out of it. */
size_t pw_rk_size(const pw_rk_method *method, int n);
void pw_rk_init(pw_rk *rk, const pw_rk_method *method, int n, double *memory, pw_rk_rhs f,
                void *ctx);

/* Takes up another method whose memory is not larger than that at the start; y0, y1 and k_0 stay,
 * the dense output of the last step is gone. */
void pw_rk_change(pw_rk *rk, const pw_rk_method *method);

/* One step from y0 at t, with k_0 given. Fails as f fails. */
PAWL_NODISCARD pawl_status pw_rk_step(pw_rk *rk, double t, double h);
/* The same without an error estimate. */
PAWL_NODISCARD pawl_status pw_rk_advance(pw_rk *rk, double t, double h);
/* Makes sure that k_stages = f(t + h, y1) is there. */
PAWL_NODISCARD pawl_status pw_rk_finish(pw_rk *rk);
/* Error estimate i (0 .. n_error - 1). */
void pw_rk_error(const pw_rk *rk, int i, double *error);
/* One number out of the norms of the estimates. */
double pw_rk_error_size(const pw_rk_method *method, const double *norm);

/* h |df/dy| along the step, in parts of what is stable, of components from .. from + count - 1 in
 * units of weight: by the last stage and the end, which are at one time. After pw_rk_finish; 0 if
 * rounding hides it. */
double pw_rk_stiffness(const pw_rk *rk, int from, int count, const double *weight);

/* Prepares the dense output (three more evaluations for DOP853); does nothing the second time. */
PAWL_NODISCARD pawl_status pw_rk_dense(pw_rk *rk);
/* y(t + theta h); exact at both ends. After pw_rk_dense. */
void pw_rk_eval(const pw_rk *rk, double theta, double *y);

#endif
