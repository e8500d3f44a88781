// SPDX-License-Identifier: MIT
/* Which definitions are part of the mathematics. */
#ifndef PW_EXPORT_USED_H
#define PW_EXPORT_USED_H

#include "lang/ast.h"

/* Of each statement: it is a definition that energies, forces or laws need. */
bool *pw_used_definitions(pw_arena *arena, const pw_ast *ast);

#endif
