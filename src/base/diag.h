// SPDX-License-Identifier: MIT
/* Building diagnostics. Each records its place as text, so the list outlives the sources. */
#ifndef PW_BASE_DIAG_H
#define PW_BASE_DIAG_H

#include <stdarg.h>

#include "base/source.h"
#include "pawl/diag.h"

typedef struct pw_diag_ref { /* the diagnostic just added; all zero if it was dropped */
  pawl_diags *list;
  pawl_diag *diag;
} pw_diag_ref;

#define PW_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* The files that spans of the following calls refer to; NULL: none. */
void pw_diags_use_sources(pawl_diags *list, const pw_sources *sources);

/* `list` may be NULL everywhere below: then nothing is recorded. */
pw_diag_ref pw_error(pawl_diags *list, const char *code, pw_span at, const char *fmt, ...)
    PW_PRINTF(4, 5);
pw_diag_ref pw_warning(pawl_diags *list, const char *code, pw_span at, const char *fmt, ...)
    PW_PRINTF(4, 5);
/* A diagnostic of severity PAWL_NOTE, standing alone. */
pw_diag_ref pw_remark(pawl_diags *list, const char *code, pw_span at, const char *fmt, ...)
    PW_PRINTF(4, 5);

/* A message was lost because memory ran out. */
bool pw_diags_lost(const pawl_diags *list);
/* Memory ran out: closes the list with E0192. Returns PAWL_E_MEMORY. */
pawl_status pw_no_memory(pawl_diags *list);

/* Puts the list in order of places, files in the order in which they first occur. */
void pw_diags_sort(pawl_diags *list);

/* The last error of the list, to add to it. */
pw_diag_ref pw_last_error(pawl_diags *list);
void pw_label(pw_diag_ref ref, const char *fmt, ...) PW_PRINTF(2, 3); /* next to the carets */
void pw_second(pw_diag_ref ref, pw_span at, const char *fmt, ...) PW_PRINTF(3, 4);
void pw_help(pw_diag_ref ref, const char *fmt, ...) PW_PRINTF(2, 3);
void pw_note(pw_diag_ref ref, const char *fmt, ...) PW_PRINTF(2, 3);

#endif
