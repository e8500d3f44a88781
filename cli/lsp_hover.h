// SPDX-License-Identifier: MIT
/* What is known about a name of a model, in words. */
#ifndef CLI_LSP_HOVER_H
#define CLI_LSP_HOVER_H

#include "cli.h"
#include "lsp_text.h"

/* Markdown; false: nothing is known. The system may be NULL: the model has errors. The unit is that
 * of a name that stands for an expression; NULL: not known. */
bool lsp_tell(const pawl_system *system, const char *text, lsp_word word, const char *unit,
              cli_text *out);
/* An expression for the value of a name of `let`, an energy or a table, to be freed; NULL: it is
 * none of these. */
char *lsp_value_of(const char *text, lsp_word word);

#endif
