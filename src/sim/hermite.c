// SPDX-License-Identifier: MIT
/* Table for steps that are not those of a Runge-Kutta method: the dense output is the cubic with
 * the values and slopes of both ends; the size of the steps is given, so there is no estimate. */
#include "sim/rk.h"

static const double c[2] = {0, 1}, a[1] = {1}, e[2] = {0, 0};

const pw_rk_method pw_hermite = {
    .order = 2,
    .stages = 1,
    .all = 2,
    .terms = 4,
    .c = c,
    .a = a,
    .n_error = 1,
    .error_terms = 1,
    .e = {e, NULL},
    .error_order = 3,
    .shrink = 0.2,
    .grow = 1,
};
