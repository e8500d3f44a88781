// SPDX-License-Identifier: MIT
/* floor, ceil, round and mod: numbers where their arguments are known before the run, else stairs,
 * whose jumps are surfaces like the points of a table. */
#include <math.h>
#include <string.h>

#include "base/pi.h"
#include "model/check.h"

/* The stairs of this kind, one table for all their uses. */
static int stairs(pw_check *ck, pw_lut_kind kind) {
  for (int i = 0; i < pw_dag_tables(ck->dag); i++) {
    if (pw_dag_table(ck->dag, i)->kind == kind) {
      return i;
    }
  }
  pw_lut *t = PW_NEW(ck->arena, pw_lut);
  *t = pw_lut_stairs(kind);
  return pw_dag_add_table(ck->dag, t);
}

pw_node pw_saw_of_tangent(pw_check *ck, pw_node tangent) {
  pw_node x = pw_node_arg(ck->dag, tangent, 0), pi = pw_const(ck->dag, PW_PI);
  pw_node turns = pw_div(ck->dag, x, pi);
  pw_node whole = pw_lut_node(ck->dag, stairs(ck, PW_LUT_ROUND), 0, turns);
  whole = pw_mul(ck->dag, pi, whole);
  return pw_sub(ck->dag, x, whole);
}

/* Arguments that are known before the run become numbers. */
static void settle(pw_check *ck, const pw_ex *ex, pw_node *arg) {
  bool known = true;
  for (int i = 0; i < ex->n_arg - 1; i++) {
    known = known && pw_is_known_now(ck, arg[i]);
  }
  for (int i = 0; known && i < ex->n_arg - 1; i++) {
    pw_note_use_by_value(ck, arg[i], ex->arg[i + 1]->span);
    arg[i] = pw_const(ck->dag, pw_value_now(ck, arg[i]));
  }
}

pw_node pw_whole_number(pw_check *ck, const pw_ex *ex, pw_node *arg) {
  const char *name = ex->arg[0]->name;
  bool mod = strcmp(name, "mod") == 0;
  pw_lut_kind kind = mod || strcmp(name, "floor") == 0 ? PW_LUT_FLOOR
                     : strcmp(name, "ceil") == 0       ? PW_LUT_CEIL
                                                       : PW_LUT_ROUND;
  settle(ck, ex, arg);
  if (mod && pw_is_const(ck->dag, arg[1]) && pw_node_value(ck->dag, arg[1]) == 0) {
    return pw_const(ck->dag, (double)NAN); /* x/0 has no whole part */
  }
  pw_node turns = mod ? pw_div(ck->dag, arg[0], arg[1]) : arg[0];
  pw_node whole = pw_lut_node(ck->dag, stairs(ck, kind), 0, turns);
  if (!mod) {
    return whole;
  }
  whole = pw_mul(ck->dag, arg[1], whole);
  return pw_sub(ck->dag, arg[0], whole);
}
