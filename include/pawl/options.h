// SPDX-License-Identifier: MIT
/* The options of a run: one table for the command line (`pawl run --tol 1e-9`), the run statement
 * (`run 0..1, tol 1e-9`), pawl_run_opts and pawl_sim_opts, the help text and the man page. */
#ifndef PAWL_OPTIONS_H
#define PAWL_OPTIONS_H

#include <stddef.h>

#include "pawl/write.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PAWL_DEFAULT_ROWS = 2000 }; /* of a span: `every` and the fixed step without an option */

typedef enum pawl_option_type {
  PAWL_OPTION_FLAG,   /* no value */
  PAWL_OPTION_NUMBER, /* above 0, and from `least` to `most` where that is not 0 */
  PAWL_OPTION_COUNT,  /* a whole number from 1 on */
  PAWL_OPTION_CHOICE, /* one of `choices` */
  PAWL_OPTION_TEXT    /* a span, a folder, a list, ... */
} pawl_option_type;

typedef struct pawl_option {
  const char *word; /* without dashes */
  char letter;      /* of the short form, or 0 */
  pawl_option_type type;
  int statement;              /* 1: also allowed in a run statement */
  const char *value;          /* name of the value in help texts; NULL: of a flag or choice */
  const char *const *choices; /* up to NULL; the first is the default. NULL: no choice */
  const char *preset;         /* the default in words, or NULL */
  double least, most;         /* of numbers; 0: not limited */
  const char *help;           /* one sentence without a capital letter and full stop */
} pawl_option;

/* In the order of the help text; NULL out of range. */
PAWL_API const pawl_option *pawl_option_get(int i);
/* By its word; NULL: there is none. */
PAWL_API const pawl_option *pawl_option_find(const char *word);
/* The values that are legal, in words: "a number above 0", "`strict`, `iwc` or `enumerate`"; at
 * most `room` bytes with the end. */
PAWL_API void pawl_option_legal(const pawl_option *option, char *text, size_t room);
/* Sets the field of a number, count or choice from a text. PAWL_E_ARGUMENT: it is not legal, or the
 * option has no such field. */
PAWL_API PAWL_NODISCARD pawl_status pawl_option_set(const pawl_option *option, const char *text,
                                                    pawl_run_opts *opts);

#ifdef __cplusplus
}
#endif

#endif
