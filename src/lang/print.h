// SPDX-License-Identifier: MIT
/* AST back to text: expressions for messages, trees for dumps, models in normal form. */
#ifndef PW_LANG_PRINT_H
#define PW_LANG_PRINT_H

#include "base/buf.h"
#include "base/diag.h"
#include "base/intern.h"
#include "lang/ast.h"

/* Source form with the fewest parentheses; parsing it gives the same tree. */
void pw_print_ex(pw_buf *out, const pw_ex *ex);

/* " [m/s^2]" */
void pw_print_unit(pw_buf *out, const pw_unit *unit);

/* Indented trees for `pawl dump`. */
void pw_dump_tokens(pw_buf *out, const pw_source *source);
void pw_dump_ast(pw_buf *out, const pw_ast *ast);

/* `pawl fmt`: normal spacing and indentation; line breaks inside statements and all comments are
 * kept; at most one blank line in a row. Formatting twice changes nothing. Lexical errors are
 * reported and false is returned. */
bool pw_format(pw_buf *out, const pw_sources *sources, int file, pawl_diags *diags);

#endif
