// SPDX-License-Identifier: MIT
/* What is known about a name of a model, in words. */
#ifndef CLI_LSP_HOVER_H
#define CLI_LSP_HOVER_H

#include "cli.h"
#include "lsp_text.h"

/* Markdown; false: nothing is known. The system may be NULL: the model has errors. */
bool lsp_tell(const pawl_system *system, const char *text, lsp_word word, cli_text *out);

#endif
