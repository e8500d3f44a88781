// SPDX-License-Identifier: MIT
/* Diagnostics as data: a list that calls append to, and a text form for people. */
#ifndef PAWL_DIAG_H
#define PAWL_DIAG_H

#include "pawl/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pawl_severity { PAWL_ERROR, PAWL_WARNING, PAWL_NOTE } pawl_severity;

/* Part of one source line, with the text shown next to its underline. line 0: no position. Lines
 * and columns count from 1; columns and lengths count characters, not bytes. */
typedef struct pawl_place {
  const char *file;
  int line, column, length;
  const char *source; /* the whole line, without its end */
  const char *label;  /* may be empty, never NULL */
} pawl_place;

typedef struct pawl_diag {
  pawl_severity severity;
  const char *code; /* "E0101"; `pawl explain` has more on it */
  const char *message;
  pawl_place at;
  pawl_place second; /* line 0: none */
  int n_help, n_note;
  const char *const *help;
  const char *const *note;
} pawl_diag;

typedef struct pawl_diags pawl_diags;

PAWL_API PAWL_NODISCARD pawl_status pawl_diags_new(pawl_diags **out);
PAWL_API void pawl_diags_free(pawl_diags *diags);
PAWL_API void pawl_diags_clear(pawl_diags *diags);
PAWL_API int pawl_diags_count(const pawl_diags *diags);
PAWL_API int
pawl_diags_errors(const pawl_diags *diags); /* including diagnostics that were not kept */
/* Borrowed. If memory ran out for a message, the last one is the error E0192. */
PAWL_API const pawl_diag *pawl_diags_get(const pawl_diags *diags, int i);

/* Errors, and warnings, beyond the first 20 of a file are counted here, not kept. */
PAWL_API int pawl_diags_dropped(const pawl_diags *diags);

/* Writes one diagnostic as several lines of text, with terminal colours if requested. */
PAWL_API PAWL_NODISCARD pawl_status pawl_diag_write(const pawl_diag *diag, int color,
                                                    pawl_sink sink, void *payload);

/* The long explanation of a code ("E0101"), or NULL. */
PAWL_API const char *pawl_explain(const char *code);
/* The i-th code, in order; NULL past the end. */
PAWL_API const char *pawl_explain_code(int i);

#ifdef __cplusplus
}
#endif

#endif
