// SPDX-License-Identifier: MIT
/* Parts: a file's model in a name space. `include "wheel.pawl" as left` writes the statements of
 * the file once more with every name of theirs behind "left."; a family writes them once for each
 * member, behind "link[2].". From then on they are statements like others. */
#ifndef PW_MODEL_PART_H
#define PW_MODEL_PART_H

#include "model/check.h"

/* Writes out the part of the current statement and checks its statements. */
void pw_check_part(pw_check *ck);

/* A reference into a part, `left.x` or `link[2].hub.x`, as the one name that it is; any other
 * expression as it stands. */
const pw_ex *pw_part_member(pw_check *ck, const pw_ex *ex);

/* Copies a statement of a part into the name space `scope` ("left."). `own` knows the names that
 * the part defines. */
pw_stmt *pw_part_copy(pw_check *ck, const pw_stmt *stmt, const pw_env *own, const char *scope);
/* Copies an expression with the number `value` in place of the name `index` (NULL: of none). */
pw_ex *pw_part_setting(pw_check *ck, const pw_ex *ex, const char *index, double value);

/* Whether a statement may set anew what one in the name space `before` has set. */
bool pw_scope_outranks(const char *now, const char *before);

#endif
