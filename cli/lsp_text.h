// SPDX-License-Identifier: MIT
/* Places in the text of a model as editors count them: lines from 0, units of UTF-16 from 0. */
#ifndef CLI_LSP_TEXT_H
#define CLI_LSP_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lsp_position {
  int64_t line, unit;
} lsp_position;

typedef struct lsp_word { /* a name, without quotes and primes */
  const char *text;
  size_t len;
} lsp_word;

/* The line, counted from 0; NULL: there is none. */
const char *lsp_line(const char *text, int64_t line);
/* Units of UTF-16 in the first bytes, and in the first characters, of a line. */
int64_t lsp_units_of_bytes(const char *line, size_t bytes);
int64_t lsp_units_of_characters(const char *line, int64_t characters);
/* Bytes before a unit of a line. */
size_t lsp_bytes(const char *line, int64_t unit);
/* The end of the text. */
lsp_position lsp_end(const char *text);
/* The name at a place; its length is 0 if there is none. */
lsp_word lsp_word_at(const char *text, lsp_position at);
/* Where a name is declared: the name in its statement. */
bool lsp_declaration(const char *text, lsp_word name, lsp_position *at);
/* The keyword of the statement that declares a name. */
bool lsp_kind(const char *text, lsp_word name, lsp_word *keyword);
/* The names that the text declares, one after the other: *from is NULL at first. */
bool lsp_next_declared(const char *text, const char **from, lsp_word *out);

#endif
