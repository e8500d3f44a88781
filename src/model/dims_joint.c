// SPDX-License-Identifier: MIT
/* Dimensions of joints: points are lengths, axes any directions; the multipliers are forces for the
 * rows on places and moments for those on turns. */
#include "model/dims_walk.h"

static void check_point(pw_dims *w, const pw_joint_end *end) {
  static const pw_demand demand = {
      .code = "E0157", .what = "the point of a joint", .bare_is_si = true};
  if (end->at != NULL) {
    pw_quantity length = pw_vector_of(w, pw_known(1, 0, 0), 3);
    pw_quantity got = pw_dims_of(w, end->at);
    pw_require(w, end->at, &got, &length, &demand);
  }
}

void pw_dims_joint(pw_dims *w, const pw_stmt *stmt) {
  const pw_heading *label = &stmt->u.law.label;
  const pw_joint *joint = stmt->u.law.joint;
  int base = w->locals.n;
  if (label->index.text != NULL) {
    (void)pw_dims_of(w, label->from);
    (void)pw_dims_of(w, label->to);
    pw_dims_push(w, label->index.text, pw_pure(PW_QT_BARE));
  }
  for (int i = 0; i < 2; i++) {
    check_point(w, &joint->end[i]);
    if (joint->axis[i] != NULL) {
      (void)pw_dims_of(w, joint->axis[i]);
    }
  }
  w->locals.n = base;
  pw_quantity length = pw_vector_of(w, pw_known(1, 0, 0), 3);
  pw_dims_define(w, label->name, PW_MN_LAW, stmt, length);
  pw_dims_find(w, label->name.text)->force = pw_vector_of(w, pw_known(1, 1, -2), 3);
}
