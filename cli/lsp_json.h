// SPDX-License-Identifier: MIT
/* JSON for the language server: a reader of values in place, and a writer of growing text. */
#ifndef CLI_LSP_JSON_H
#define CLI_LSP_JSON_H

#include "cli.h"

/* A value of a JSON text: where it begins; NULL: there is none. Every function takes NULL. */
typedef const char *lsp_value;

/* The text is one JSON value, of at most 64 levels, with nothing behind it. */
bool lsp_is_json(const char *text);
lsp_value lsp_member(lsp_value object, const char *key);
lsp_value lsp_item(lsp_value array, int i);
/* What is no number is `other`. */
long lsp_number(lsp_value value, long other);
/* The text of a string, to be freed; NULL: it is no string. */
char *lsp_string(lsp_value value);
/* The value as it stands in the text; false: there is none. */
bool lsp_raw(lsp_value value, const char **begin, size_t *count);

/* Ends the program if memory runs out. */
void lsp_put(cli_text *out, const char *text);
void lsp_printf(cli_text *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void lsp_put_string(cli_text *out, const char *text);

#endif
