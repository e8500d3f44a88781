// SPDX-License-Identifier: MIT
/* The public model: its files, and the tree that parsing them gave. */
#ifndef PW_LANG_TEXT_MODEL_H
#define PW_LANG_TEXT_MODEL_H

#include <stdatomic.h>

#include "base/buf.h"
#include "lang/parse.h"
#include "pawl/model.h"

struct pawl_model {
  pw_arena arena;
  pw_interner names;
  pw_sources sources; /* 0 is the main file, included ones follow in the order of reading */
  pw_ast ast;
  atomic_int owners; /* the caller who made it, and every run of it */
};

/* A run keeps its model: pawl_model_free gives up one share, the last share frees. */
const pawl_model *pw_model_keep(const pawl_model *m);
void pw_model_drop(const pawl_model *m); /* NULL: nothing */

/* Parses the same files again, in memory of the caller's: names of one tree are interned in one
 * table, and a table serves one thread. Cannot fail but for memory. */
void pw_model_reparse(const pawl_model *model, pw_arena *arena, pw_interner *names,
                      pw_sources *sources, pw_ast *ast);

typedef struct pw_edit { /* text that replaces a span */
  pw_span span;
  const char *text;
} pw_edit;

/* Files that the text refers to and that results store with it, under names with a hash of their
 * contents: parts, and files of numbers; `more` is a file given with the run, by its number among
 * the sources (-1: none). Name and text of one of them, in the order of reading; false beyond the
 * last. */
enum { PW_ATTACHED_NAME = 40 };
bool pw_attached_text(const pw_ast *ast, int more, int index, char name[PW_ATTACHED_NAME],
                      pw_buf *out);
bool pw_is_attached_name(const char *name);
/* "data-0123456789abcdef.csv" of a file of numbers. */
void pw_data_name(const pw_source *s, char name[PW_ATTACHED_NAME]);

/* The main file with its includes in place, parts and files of numbers by the names above, and the
 * edits applied. */
void pw_write_text(pw_buf *out, const pw_ast *ast, const pw_edit *edits, int n_edit);

#endif
