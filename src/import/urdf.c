// SPDX-License-Identifier: MIT
/* The Unified Robot Description Format: links with frames and inertias, joints between them. */
#include <math.h>
#include <string.h>

#include "import/robot.h"

static bool origin(pw_robot *r, const pw_xml *x, double p[3], double R[9]) {
  const pw_xml *o = pw_xml_child(x, "origin");
  double rpy[3] = {0, 0, 0};
  memset(p, 0, 3 * sizeof *p);
  bool ok = pw_xml_vector(o, "xyz", p, 3, r->diags) && pw_xml_vector(o, "rpy", rpy, 3, r->diags);
  pw_robot_rpy(rpy, R);
  return ok;
}

static bool name_of(pw_robot *r, const pw_xml *x, const char **name) {
  *name = pw_xml_text(x, "name");
  if (*name == NULL || (*name)[0] == '\0') {
    pw_diag_ref d = pw_error(r->diags, "E0626", x->span, "a `%s` without a name", x->name);
    pw_label(d, "others refer to it by `name`");
    return false;
  }
  return true;
}

static bool inertial(pw_robot *r, const pw_xml *x, pw_robot_link *link) {
  static const char *const entries[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  const pw_xml *i = pw_xml_child(x, "inertial");
  if (i == NULL) {
    return true;
  }
  double R[9], J[6] = {0};
  const pw_xml *mass = pw_xml_child(i, "mass"), *inertia = pw_xml_child(i, "inertia");
  bool ok = origin(r, i, link->c, R);
  ok = (mass == NULL || pw_xml_vector(mass, "value", &link->mass, 1, r->diags)) && ok;
  for (int k = 0; k < 6 && inertia != NULL; k++) {
    ok = pw_xml_vector(inertia, entries[k], &J[k], 1, r->diags) && ok;
  }
  pw_robot_turn_inertia(R, J, link->J);
  return ok;
}

/* Shapes belong to collisions and pictures. */
static void shapes(pw_robot *r, const pw_xml *x) {
  for (const pw_xml *c = x->first; c != NULL; c = c->next) {
    bool seen = pw_xml_is(c, "visual"), hit = pw_xml_is(c, "collision");
    const pw_xml *geometry = pw_xml_child(c, "geometry");
    const pw_xml *mesh = pw_xml_child(geometry, "mesh");
    if (mesh != NULL) {
      pw_robot_leave_out(r, mesh->span, "mesh", pw_xml_text(mesh, "filename"));
    } else if (seen || hit) {
      pw_robot_leave_out(r, c->span, c->name, "write `draw`, or `shape` and `contact`");
    } else if (!pw_xml_is(c, "inertial")) {
      pw_robot_leave_out(r, c->span, c->name, "it has no meaning here");
    }
  }
}

static bool take_link(pw_robot *r, const pw_xml *x) {
  pw_robot_link link = {.span = x->span, .joint = -1};
  if (!pw_robot_has_room(r, x->span) || !name_of(r, x, &link.name) || !inertial(r, x, &link)) {
    return false;
  }
  if (pw_robot_find_link(r, link.name) >= 0) {
    pw_diag_ref d = pw_error(r->diags, "E0626", x->span, "link `%s` is given twice", link.name);
    pw_second(d, r->links.items[pw_robot_find_link(r, link.name)].span, "here first");
    return false;
  }
  shapes(r, x);
  PW_PUSH(r->arena, &r->links, link);
  return true;
}

/* ---- joints ---- */

static bool kind_of(pw_robot *r, const pw_xml *x, pw_robot_joint *joint) {
  static const struct {
    const char *word;
    pw_robot_kind kind;
  } kinds[] = {{"fixed", PW_ROBOT_FIXED},         {"revolute", PW_ROBOT_REVOLUTE},
               {"continuous", PW_ROBOT_REVOLUTE}, {"prismatic", PW_ROBOT_PRISMATIC},
               {"planar", PW_ROBOT_PLANAR},       {"floating", PW_ROBOT_FREE}};
  const pw_xml_attr *type = pw_xml_find(x, "type");
  for (size_t i = 0; type != NULL && i < sizeof kinds / sizeof *kinds; i++) {
    if (strcmp(kinds[i].word, type->value) == 0) {
      joint->kind = kinds[i].kind;
      return true;
    }
  }
  pw_diag_ref d = pw_error(r->diags, "E0626", type == NULL ? x->span : type->span,
                           "joint `%s` has no known type", joint->name);
  pw_label(d, "fixed, revolute, continuous, prismatic, planar or floating");
  return false;
}

static bool end_of(pw_robot *r, const pw_xml *x, const char *which, int *link) {
  const pw_xml *end = pw_xml_child(x, which);
  const char *name = pw_xml_text(end, "link");
  *link = name == NULL ? -1 : pw_robot_find_link(r, name);
  if (*link < 0) {
    pw_diag_ref d = pw_error(r->diags, "E0626", end == NULL ? x->span : end->span,
                             "the %s of a joint is no link of the robot", which);
    pw_label(d, "%s", name == NULL ? "none is named" : "no link has this name");
    return false;
  }
  return true;
}

static bool limits(pw_robot *r, const pw_xml *x, pw_robot_joint *joint) {
  const pw_xml *limit = pw_xml_child(x, "limit"), *dynamics = pw_xml_child(x, "dynamics");
  const char *type = pw_xml_text(x, "type");
  joint->limited = limit != NULL && strcmp(type, "continuous") != 0 &&
                   (pw_xml_find(limit, "lower") != NULL || pw_xml_find(limit, "upper") != NULL);
  if (limit != NULL && (pw_xml_find(limit, "effort") != NULL)) {
    pw_robot_leave_out(r, limit->span, "effort and velocity limits", "bound the motor's force");
  }
  return pw_xml_vector(limit, "lower", &joint->lower, 1, r->diags) &&
         pw_xml_vector(limit, "upper", &joint->upper, 1, r->diags) &&
         pw_xml_vector(dynamics, "damping", &joint->damping, 1, r->diags) &&
         pw_xml_vector(dynamics, "friction", &joint->friction, 1, r->diags) &&
         (limit == NULL || pw_robot_has_range(r, joint, limit->span));
}

static bool take_joint(pw_robot *r, const pw_xml *x) {
  pw_robot_joint joint = {.span = x->span, .axis = {1, 0, 0}, .mimic = -1, .factor = 1};
  bool ok = pw_robot_has_room(r, x->span) && name_of(r, x, &joint.name) && kind_of(r, x, &joint) &&
            end_of(r, x, "parent", &joint.parent) && end_of(r, x, "child", &joint.child) &&
            origin(r, x, joint.p, joint.R) &&
            pw_xml_vector(pw_xml_child(x, "axis"), "xyz", joint.axis, 3, r->diags) &&
            limits(r, x, &joint);
  bool turns = joint.kind != PW_ROBOT_FIXED && joint.kind != PW_ROBOT_FREE;
  if (ok && turns && !(hypot(hypot(joint.axis[0], joint.axis[1]), joint.axis[2]) > 0)) {
    pw_diag_ref d = pw_error(r->diags, "E0626", pw_xml_child(x, "axis")->span,
                             "the axis of joint `%s` is zero", joint.name);
    pw_label(d, "it needs a direction");
    ok = false;
  }
  if (ok) {
    PW_PUSH(r->arena, &r->joints, joint);
  }
  return ok;
}

/* After all joints are read. */
static bool take_mimic(pw_robot *r, const pw_xml *x, int number) {
  const pw_xml *mimic = pw_xml_child(x, "mimic");
  pw_robot_joint *joint = &r->joints.items[number];
  const char *other = pw_xml_text(mimic, "joint");
  for (int i = 0; mimic != NULL && other != NULL && i < r->joints.n; i++) {
    joint->mimic = strcmp(r->joints.items[i].name, other) == 0 ? i : joint->mimic;
  }
  if (mimic != NULL && joint->mimic < 0) {
    pw_error(r->diags, "E0626", mimic->span, "joint `%s` follows one that is not there",
             joint->name);
    return false;
  }
  return mimic == NULL || (pw_xml_vector(mimic, "multiplier", &joint->factor, 1, r->diags) &&
                           pw_xml_vector(mimic, "offset", &joint->offset, 1, r->diags));
}

bool pw_robot_from_urdf(pw_robot *r, const pw_xml *root) {
  bool ok = true;
  r->format = "URDF";
  r->title = pw_xml_text(root, "name");
  r->gravity[2] = -9.81;
  for (const pw_xml *x = root->first; x != NULL; x = x->next) {
    ok = ok && (!pw_xml_is(x, "link") || take_link(r, x));
  }
  for (const pw_xml *x = root->first; x != NULL && ok; x = x->next) {
    if (pw_xml_is(x, "joint")) {
      ok = take_joint(r, x);
    } else if (!pw_xml_is(x, "link") && !pw_xml_is(x, "material")) {
      pw_robot_leave_out(r, x->span, x->name, "it has no meaning here");
    }
  }
  int number = 0;
  for (const pw_xml *x = root->first; x != NULL && ok; x = x->next) {
    ok = !pw_xml_is(x, "joint") || take_mimic(r, x, number++);
  }
  return ok;
}
