// SPDX-License-Identifier: MIT
/* Mathematics in two notations: the differences between LaTeX and Typst. */
#ifndef PW_EXPORT_NOTATION_H
#define PW_EXPORT_NOTATION_H

#include <stdint.h>

#include "base/buf.h"
#include "pawl/export.h"

typedef struct pw_notation {
  pw_buf *out;
  pawl_export_format format;
  const char *const *plain; /* names that are printed as words, see plain_names.h */
  int n_plain;
} pw_notation;

bool pw_is_latex(const pw_notation *n);
/* Text for LaTeX, text for Typst. */
void pw_math(const pw_notation *n, const char *latex, const char *typst);
/* "th1" as a letter with an index, "grip" as a word; with `primes` dots above it. */
void pw_math_name(const pw_notation *n, const char *name, int primes);
/* A function name: sin, or an upright word. */
void pw_math_function(const pw_notation *n, const char *name);
/* 1/2 as a fraction, 0.3, 10^-9; the size of x, without its sign. */
void pw_math_number(const pw_notation *n, double x);
/* True: it is written as a fraction of two whole numbers: halves and thirds are, tenths not. */
bool pw_is_fraction(double x, int64_t *above, int64_t *below);
/* Words of a sentence, with special characters of the notation escaped. */
void pw_math_words(const pw_notation *n, const char *text);
/* The same inside a formula: after \\mathrm{ or \\text{, or between quotes of Typst. */
void pw_math_text(const pw_notation *n, const char *text);

/* How wide a text is in print, in letters: commands count once, brackets and indices not. */
size_t pw_math_width(const char *text, size_t len);

#endif
