// SPDX-License-Identifier: MIT
/* Last digits of an LCP solution: with degenerate or redundant rows a basis may be a bad one to
 * compute z from, although z itself is well determined. */
#ifndef PW_SOLVE_LCP_POLISH_H
#define PW_SOLVE_LCP_POLISH_H

#include <stddef.h>

#include "solve/lemke.h"

size_t pw_lcp_polish_doubles(int n); /* at most n (n + 5) */

/* Corrects the positive z_i so that all w_i that are zero up to 1e-8 become so in the sense of
 * least squares. s (n): units of box_lcp.h. z is kept if the residual does not fall; returns the
 * residual. whole: 3 n */
double pw_lcp_polish(const pw_lcp *p, const double *s, double *z, double residual, double *real,
                     int *whole);

#endif
