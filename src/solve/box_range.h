// SPDX-License-Identifier: MIT
/* How far redundancy leaves each force open: the range of x_i over all solutions of a box QP. */
#ifndef PW_SOLVE_BOX_RANGE_H
#define PW_SOLVE_BOX_RANGE_H

#include "solve/box_qp.h"

size_t pw_box_range_doubles(int n, int m);
size_t pw_box_range_ints(int m);

/* x, y: a solution. Rows with |y_i| > y_tol stay at their bound. least, largest (m): the exact
 * ends, infinite where no bound stops x_i; NaN (and MAX_ITER) where they could not be found. */
pw_outcome pw_box_range(const pw_box_qp *p, const double *x, const double *y, double y_tol,
                        double *least, double *largest, double *real, int *whole);

#endif
