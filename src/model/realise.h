// SPDX-License-Identifier: MIT
/* Changes of the model by the command line that are changes of its text: a constraint realised in
 * another way (`--realise blade=vakonomic`), and the start of a multiplier (`force(blade)=0.5`). */
#ifndef PW_MODEL_REALISE_H
#define PW_MODEL_REALISE_H

#include "model/model.h"

#define PW_REALISE "realise " /* an override of this name and a law's */

typedef struct pw_values { /* the other overrides */
  const pw_override *items;
  int n;
} pw_values;

/* True for an override that is applied here. */
bool pw_changes_text(const pw_override *o);
/* Writes the model anew and reads it again: sources and tree become those of the changed text.
 * False after an error. A tree with syntax errors is left alone. */
bool pw_change_text(pw_arena *arena, pw_interner *names, pw_sources *sources, pw_ast *ast,
                    const pw_override *o, pw_values given, pawl_diags *diags);

#endif
