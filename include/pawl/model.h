// SPDX-License-Identifier: MIT
/* A model: text, read and parsed. Immutable once made. */
#ifndef PAWL_MODEL_H
#define PAWL_MODEL_H

#include "pawl/diag.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pawl_model pawl_model;

typedef struct pawl_model_opts {
  const char *name; /* shown in messages and used to find included files; default "model.pawl" */
  /* Reads an included file for `path` written in file `from`: allocate *text and *shown with
   * malloc. NULL: read from disk, relative to the including file. */
  int (*include)(void *payload, const char *from, const char *path, char **text,
                 unsigned long *count, char **shown);
  void *payload;
  /* Or NULL. Files that `include` does not provide are read from this folder, under the names used
   * in results folders. */
  const char *folder;
} pawl_model_opts;

/* Parses text. On PAWL_E_MODEL the diagnostics give the reason; *out is then a broken model, to be
 * freed, of which pawl_system_new and pawl_run_new report the errors of the other statements and
 * fail with PAWL_E_MODEL. On every other failure *out is NULL. */
PAWL_API PAWL_NODISCARD pawl_status pawl_model_parse(const char *text, unsigned long count,
                                                     const pawl_model_opts *opts, pawl_diags *diags,
                                                     pawl_model **out);
/* Reads and parses a file. PAWL_E_FILE with a diagnostic if it cannot be read. */
PAWL_API PAWL_NODISCARD pawl_status pawl_model_load(const char *path, pawl_diags *diags,
                                                    pawl_model **out);
PAWL_API void pawl_model_free(pawl_model *model);

/* The i-th file that was read for it, the model's own first, then includes, parts and files of
 * numbers; NULL past the end. */
PAWL_API const char *pawl_model_file(const pawl_model *model, int i);

/* The text with its includes put in place, as one file. */
PAWL_API PAWL_NODISCARD pawl_status pawl_model_text(const pawl_model *model, pawl_sink sink,
                                                    void *payload);

/* The normal form of a text (`pawl fmt`). */
PAWL_API PAWL_NODISCARD pawl_status pawl_format(const char *text, unsigned long count,
                                                const char *name, pawl_diags *diags, pawl_sink sink,
                                                void *payload);

/* Words of the language: the i-th keyword of statements and an example of its statement, the i-th
 * function; NULL past the end. */
PAWL_API const char *pawl_keyword(int i);
PAWL_API const char *pawl_keyword_form(int i);
PAWL_API const char *pawl_function(int i);

typedef enum pawl_stage { PAWL_TOKENS, PAWL_AST, PAWL_DAG, PAWL_SYSTEM, PAWL_TAPE } pawl_stage;

/* Tokens and AST of a model, for people (`pawl dump`). */
PAWL_API PAWL_NODISCARD pawl_status pawl_model_dump(const pawl_model *model, pawl_stage stage,
                                                    pawl_sink sink, void *payload);

#ifdef __cplusplus
}
#endif

#endif
