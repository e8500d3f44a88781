// SPDX-License-Identifier: MIT
/* The left spine of an expression: a binary node, its left operand if that is binary too, and so
 * on. A sum of n terms is a spine of n - 1 nodes, so passes walk it in a loop and recurse only into
 * right operands, whose depth the parser limits. */
#ifndef PW_LANG_SPINE_H
#define PW_LANG_SPINE_H

#include "lang/ast.h"

typedef struct pw_spine {
  const pw_ex **items; /* items[0] is the whole, items[n - 1] the innermost binary node */
  int n;
  const pw_ex *few[8];
} pw_spine;

/* + - * / and or */
bool pw_ex_is_binary(const pw_ex *ex);

/* The spine of a binary node, to be filled at a fixed address; false if there is no memory. */
bool pw_spine_init(pw_spine *spine, const pw_ex *ex);
void pw_spine_free(pw_spine *spine);

#endif
