// SPDX-License-Identifier: MIT
/* "did you mean": the nearest of a set of names by edit distance. */
#ifndef PW_BASE_SUGGEST_H
#define PW_BASE_SUGGEST_H

typedef struct pw_suggest {
  const char *wanted;
  const char *best; /* NULL: nothing near enough */
  int distance;
} pw_suggest;

pw_suggest pw_suggest_begin(const char *wanted);
void pw_suggest_try(pw_suggest *s, const char *candidate);

#endif
