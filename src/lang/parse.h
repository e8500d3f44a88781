// SPDX-License-Identifier: MIT
/* Text to AST. The parser resynchronises at column 1 and reports every error of a file. */
#ifndef PW_LANG_PARSE_H
#define PW_LANG_PARSE_H

#include "base/diag.h"
#include "base/intern.h"
#include "lang/ast.h"

/* Reads an included file. `load` sets *text (freed by `release`) and returns NULL, or returns a
 * constant text with the reason why it cannot. `from` is the shown name of the including file;
 * `*shown` becomes the name of the included one. */
typedef struct pw_loader {
  const char *(*load)(void *payload, const char *from, const char *path, char **text, size_t *len,
                      char **shown);
  void (*release)(void *payload, char *memory);
  void *payload;
  /* Whether two shown names mean one file; NULL: if they are equal. */
  bool (*same)(void *payload, const char *a, const char *b);
} pw_loader;

typedef struct pw_parse {
  pw_arena *arena;
  pw_interner *names;
  pw_sources *sources;
  pawl_diags *diags;
  const pw_loader *loader; /* NULL: include is an error */
} pw_parse;

/* Parses file `file` of the sources (and what it includes) and appends to `ast`. Statements with
 * errors are omitted, and the names they may define are recorded; returns the number of errors,
 * also when diags is NULL. */
int pw_parse_file(pw_parse *p, int file, pw_ast *ast);

/* Parses one expression from a file that holds nothing else (values on the command line);
 * NULL after an error. */
pw_ex *pw_parse_expression(pw_parse *p, int file);

#endif
