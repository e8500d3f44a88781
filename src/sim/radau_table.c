// SPDX-License-Identifier: MIT
/* Radau IIA with three stages as a table: c = ((4 - sqrt 6)/10, (4 + sqrt 6)/10, 1). The k of a
 * step are f at the start, the slopes of the collocation polynomial at c_1 and c_2, f at the end,
 * the slope there and the error estimate divided by h. The dense output is that polynomial: in
 * stiff directions f itself magnifies errors. The tests check all numbers by the conditions of
 * order. */
#include "sim/rk.h"

/* clang-format off */
#define C1 0.15505102572168219018
#define C2 0.64494897427831780982

static const double c[6] = {0, C1, C2, 1, 1, 1};
static const double e[6] = {0, 0, 0, 0, 0, 1};

/* The quadratic through the slopes at c_1, c_2 and 1, at 0 and at 1. */
static const double slope[2 * 6] = {
    0, C2 / ((C1 - C2) * (C1 - 1)), C1 / ((C2 - C1) * (C2 - 1)), 0, C1 * C2 / ((1 - C1) * (1 - C2)), 0,
    0, 0, 0, 0, 1, 0,
};
/* clang-format on */

const pw_rk_method pw_radau_table = {
    .order = 5,
    .stages = 3,
    .all = 6,
    .terms = 4,
    .c = c,
    .n_error = 1,
    .e = {e, NULL},
    .error_terms = 6,
    .slope = slope,
    .error_order = 4,
    .shrink = 0.125,
    .grow = 8,
};
