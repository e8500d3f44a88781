// SPDX-License-Identifier: MIT
/* A tape in complex arithmetic, for complex-step checks of derivatives. */
#ifndef PW_TESTS_TAPE_COMPLEX_H
#define PW_TESTS_TAPE_COMPLEX_H

#include <complex.h>

#include "expr/tape.h"

/* abs, sign, min, max and select branch on the real part. work: registers complex numbers. */
void run_complex(const pw_tape *tape, const double complex *in, double complex *work,
                 double complex *out);

#endif
