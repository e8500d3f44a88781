// SPDX-License-Identifier: MIT
/* Dormand and Prince 5(4): seven stages, the last one shared with the next step. The dense output
 * is the continuous extension of order 4 of Hairer, Norsett and Wanner (II.6). */
#include "sim/rk.h"

static const double c[7] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};

/* clang-format off */
static const double a[21] = {
    1.0 / 5,
    3.0 / 40, 9.0 / 40,
    44.0 / 45, -56.0 / 15, 32.0 / 9,
    19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729,
    9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656,
    35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84,
};
/* clang-format on */

/* Weights of order 5 minus those of order 4. */
static const double e[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                            -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

static const double d[7] = {-12715105075.0 / 11282082432,  0,
                            87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                            701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                            69997945.0 / 29380423};

const pw_rk_method pw_dp5 = {
    .order = 5,
    .stages = 6,
    .all = 7,
    .terms = 5,
    .error_uses_end = true,
    .c = c,
    .a = a,
    .n_error = 1,
    .error_terms = 7,
    .e = {e, NULL},
    .d = d,
    .error_order = 5,
    .beta = 0.04,
    .stable = 3.25,
    .shrink = 0.2,
    .grow = 10,
};
