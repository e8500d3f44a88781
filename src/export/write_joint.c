// SPDX-License-Identifier: MIT
/* A joint in print: which points coincide, and which directions stay together. */
#include "export/write.h"

/* "r_{arm} + R_{arm} (0, 0, l)", or the point itself in space. */
static void put_point(pw_export *x, const pw_joint_end *end, bool ground) {
  if (!ground) {
    pw_math(&x->to, "r_{", "r_(");
    pw_write_ex(x, end->body);
    pw_math(&x->to, "}", ")");
  }
  if (end->at == NULL) {
    return;
  }
  if (ground) {
    pw_write_ex(x, end->at);
    return;
  }
  bool brackets = end->at->kind != PW_EX_VECTOR && end->at->kind != PW_EX_NAME;
  pw_math(&x->to, " + R_{", " + R_(");
  pw_write_ex(x, end->body);
  pw_math(&x->to, brackets ? "} \\left(" : "} ", brackets ? ") (" : ") ");
  pw_write_ex(x, end->at);
  pw_math(&x->to, brackets ? "\\right)" : "", brackets ? ")" : "");
}

static void put_rotation(pw_export *x, const pw_joint_end *end, bool ground) {
  if (ground) {
    return;
  }
  pw_math(&x->to, "R_{", "R_(");
  pw_write_ex(x, end->body);
  pw_math(&x->to, "}", ")");
}

static void put_places(pw_export *x, const pw_joint *joint, const bool ground[2]) {
  bool in_space = pw_joint_places(joint->kind) == 3;
  bool along = joint->kind == PW_JOINT_PLANAR;
  bool origin = ground[0] && joint->end[0].at == NULL;
  put_point(x, &joint->end[1], ground[1]);
  if (in_space) {
    pw_math(&x->to, " = ", " = ");
    put_point(x, &joint->end[0], ground[0]);
    pw_math(&x->to, origin ? "0" : "", origin ? "0" : "");
    return;
  }
  bool several = joint->end[0].at != NULL && !ground[0];
  pw_math(&x->to,
          origin    ? ""
          : several ? " - \\left("
                    : " - ",
          origin    ? ""
          : several ? " - ("
                    : " - ");
  put_point(x, &joint->end[0], ground[0]);
  pw_math(&x->to, several ? "\\right)" : "", several ? ")" : "");
  pw_math(&x->to, along ? " \\perp " : " \\parallel ", along ? " perp " : " parallel ");
  put_rotation(x, &joint->end[0], ground[0]);
  pw_math(&x->to, "\\, ", " thin ");
  pw_write_ex(x, joint->axis[0]);
}

static void put_turns(pw_export *x, const pw_joint *joint, const bool ground[2]) {
  bool whole = joint->kind == PW_JOINT_FIXED || joint->kind == PW_JOINT_PRISMATIC;
  if (joint->kind == PW_JOINT_SPHERICAL) {
    return;
  }
  pw_math(&x->to, ", \\quad ", ", quad ");
  for (int i = 0; i < 2; i++) {
    const pw_ex *axis = joint->axis[i] != NULL ? joint->axis[i] : joint->axis[0];
    put_rotation(x, &joint->end[i], ground[i]);
    pw_math(&x->to, whole && ground[i] ? "1" : "", whole && ground[i] ? "1" : "");
    if (!whole) {
      pw_math(&x->to, "\\, ", " thin ");
      pw_write_ex(x, joint->kind == PW_JOINT_UNIVERSAL ? axis : joint->axis[0]);
    }
    bool perp = joint->kind == PW_JOINT_UNIVERSAL;
    pw_math(&x->to, i == 1 ? "" : perp ? " \\perp " : " = ", i == 1 ? "" : perp ? " perp " : " = ");
  }
}

void pw_write_joint(pw_export *x, const pw_joint *joint) {
  bool ground[2];
  for (int i = 0; i < 2; i++) {
    ground[i] = pw_joint_on_ground(&joint->end[i]);
  }
  put_places(x, joint, ground);
  put_turns(x, joint, ground);
}
