// SPDX-License-Identifier: MIT
/* MuJoCo's format, as far as it has a meaning here: nested bodies with one joint each, inertias
 * given or made from simple geoms, defaults by classes. */
#include <math.h>
#include <string.h>

#include "base/pi.h"
#include "import/robot.h"

enum { MOST_NESTED = 200 };
static const double density = 1000; /* of geoms without one: the default of the format */

typedef struct reading {
  pw_robot *r;
  const pw_xml *defaults; /* the element `default`, or NULL */
  bool degrees;
} reading;

/* ---- attributes with defaults ---- */

static const pw_xml *class_of(const pw_xml *x, const char *name) {
  for (const pw_xml *c = x == NULL ? NULL : x->first; c != NULL; c = c->next) {
    const char *own = pw_xml_is(c, "default") ? pw_xml_text(c, "class") : NULL;
    const pw_xml *below = pw_xml_is(c, "default") ? class_of(c, name) : NULL;
    if (own != NULL && strcmp(own, name) == 0) {
      return c;
    }
    if (below != NULL) {
      return below;
    }
  }
  return NULL;
}

/* The element that holds the attribute: x itself, or the default of its class or of a class
 * around that. */
static const pw_xml *holder(const reading *m, const pw_xml *x, const char *name) {
  if (pw_xml_find(x, name) != NULL) {
    return x;
  }
  const char *class = pw_xml_text(x, "class");
  for (const pw_xml *b = x->parent; class == NULL && b != NULL; b = b->parent) {
    class = pw_xml_text(b, "childclass");
  }
  const pw_xml *from = class == NULL ? m->defaults : class_of(m->defaults, class);
  for (; from != NULL && pw_xml_is(from, "default"); from = from->parent) {
    const pw_xml *kind = pw_xml_child(from, x->name);
    if (pw_xml_find(kind, name) != NULL) {
      return kind;
    }
  }
  return x;
}

static const char *text_of(const reading *m, const pw_xml *x, const char *name, const char *none) {
  const char *text = pw_xml_text(holder(m, x, name), name);
  return text == NULL ? none : text;
}

static bool vector_of(const reading *m, const pw_xml *x, const char *name, double *out, int n) {
  return pw_xml_vector(holder(m, x, name), name, out, n, m->r->diags);
}

static double radians(const reading *m, double x) {
  return m->degrees ? x * PW_PI / 180 : x;
}

/* quat, axisangle or euler (turns about x, then the new y, then the new z). */
static bool orientation(const reading *m, const pw_xml *x, double R[9]) {
  double q[4] = {1, 0, 0, 0}, e[3] = {0, 0, 0}, a[4] = {0, 0, 1, 0};
  bool ok = vector_of(m, x, "quat", q, 4) && vector_of(m, x, "euler", e, 3) &&
            vector_of(m, x, "axisangle", a, 4);

  /* Other ways to write an orientation are refused, never ignored. */
  static const char *const others[] = {"xyaxes", "zaxis"};
  for (size_t i = 0; i < 2; i++) {
    if (pw_xml_find(x, others[i]) != NULL) {
      pw_error(m->r->diags, "E0626", pw_xml_find(x, others[i])->span,
               "orientations by `%s` are not read: use `quat`, `euler` or `axisangle`", others[i]);
      ok = false;
    }
  }

  /* euler: R = Rx Ry Rz, because each turn is about an axis that the last one moved. */
  if (pw_xml_find(x, "euler") != NULL) {
    double X[9], Y[9], Z[9];
    const double ex[3] = {radians(m, e[0]), 0, 0}, ey[3] = {0, radians(m, e[1]), 0},
                 ez[3] = {0, 0, radians(m, e[2])};
    pw_robot_rpy(ex, X);
    pw_robot_rpy(ey, Y);
    pw_robot_rpy(ez, Z);
    pw_robot_product(X, Y, R);
    pw_robot_product(R, Z, R);
    return ok;
  }

  /* axisangle: q = (cos(angle/2), sin(angle/2) a/|a|) */
  if (pw_xml_find(x, "axisangle") != NULL) {
    double half = radians(m, a[3]) / 2, n = hypot(hypot(a[0], a[1]), a[2]);
    q[0] = cos(half);
    for (int i = 0; i < 3; i++) {
      q[1 + i] = n > 0 ? a[i] / n * sin(half) : 0;
    }
  }

  /* A quaternion may have any length but zero. */
  if (!(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0)) {
    pw_error(m->r->diags, "E0625", x->span, "an orientation of length zero");
    return false;
  }
  pw_robot_quat(q, R);
  return ok;
}

/* ---- inertias ---- */

typedef struct solid { /* of density 1: volume, moments about x, y, z */
  double volume, J[3];
} solid;

static solid ball(double r) {
  double v = 4 * PW_PI / 3 * r * r * r, J = 2 * v * r * r / 5;
  return (solid){v, {J, J, J}};
}

static solid rod(double r, double h) { /* along z, half length h */
  double v = 2 * PW_PI * r * r * h, across = v * (r * r / 4 + h * h / 3);
  return (solid){v, {across, across, v * r * r / 2}};
}

static solid capsule(double r, double h) {
  solid a = rod(r, h), b = ball(r);
  double across = b.J[0] + b.volume * (h * h + 3 * r * h / 4); /* both halves at their places */
  return (solid){a.volume + b.volume, {a.J[0] + across, a.J[1] + across, a.J[2] + b.J[2]}};
}

static bool solid_of(const reading *m, const pw_xml *x, double *size, int n, solid *out) {
  const char *type = text_of(m, x, "type", "sphere");
  if (strcmp(type, "sphere") == 0 && n >= 1) {
    *out = ball(size[0]);
  } else if (strcmp(type, "capsule") == 0 && n >= 2) {
    *out = capsule(size[0], size[1]);
  } else if (strcmp(type, "cylinder") == 0 && n >= 2) {
    *out = rod(size[0], size[1]);
  } else if (strcmp(type, "box") == 0 && n >= 3) {
    double v = 8 * size[0] * size[1] * size[2], s[3];
    for (int i = 0; i < 3; i++) {
      s[i] = size[i] * size[i] / 3 * v;
    }
    *out = (solid){v, {s[1] + s[2], s[0] + s[2], s[0] + s[1]}};
  } else {
    return false;
  }
  return true;
}

/* A rod between two points: its place, direction and half length. */
static bool from_to(const reading *m, const pw_xml *x, double p[3], double R[9], double *size) {
  double ends[6], d[3], length = 0;
  if (!vector_of(m, x, "fromto", ends, 6)) {
    return false;
  }
  for (int i = 0; i < 3; i++) {
    p[i] = (ends[i] + ends[3 + i]) / 2;
    d[i] = ends[3 + i] - ends[i];
    length = hypot(length, d[i]);
  }
  size[1] = length / 2;
  if (!(length > 0)) {
    return true;
  }
  /* the turn that takes z there: about z x d */
  double q[4] = {1 + d[2] / length, -d[1] / length, d[0] / length, 0};
  if (!(q[0] > 0)) {
    q[0] = 0;
    q[1] = 1;
  }
  pw_robot_quat(q, R);
  return true;
}

static void add_solid(pw_robot_link *link, double mass, const double c[3], const double J[6]) {
  double total = link->mass + mass, at[3], d[3];
  for (int i = 0; i < 3; i++) {
    at[i] = (link->mass * link->c[i] + mass * c[i]) / total;
    d[i] = link->c[i] - at[i];
  }
  pw_robot_shift_inertia(link->mass, d, link->J);
  for (int i = 0; i < 3; i++) {
    d[i] = c[i] - at[i];
  }
  pw_robot_shift_inertia(mass, d, link->J);
  for (int i = 0; i < 6; i++) {
    link->J[i] += J[i];
  }
  link->mass = total;
  memcpy(link->c, at, sizeof at);
}

static bool take_geom(const reading *m, const pw_xml *x, pw_robot_link *link) {
  double p[3] = {0, 0, 0}, R[9], size[3] = {0, 0, 0}, rho = density, mass = -1;
  bool ok = vector_of(m, x, "pos", p, 3) && orientation(m, x, R) &&
            vector_of(m, x, "density", &rho, 1) && vector_of(m, x, "mass", &mass, 1);

  /* Sizes may come from the defaults. */
  const pw_xml *sized = holder(m, x, "size");
  int n = pw_xml_reals(sized, "size", size, 3, m->r->diags);
  if (!ok || n < 0) {
    return false;
  }

  /* `fromto` gives the place, the direction and the length. */
  if (pw_xml_find(holder(m, x, "fromto"), "fromto") != NULL) {
    if (!from_to(m, x, p, R, size)) {
      return false;
    }
    n = n < 2 ? 2 : n;
  }

  /* Without a volume no inertia follows. */
  solid s;
  if (!solid_of(m, x, size, n, &s) || !(s.volume > 0)) {
    pw_robot_leave_out(m->r, x->span, "geom",
                       "no inertia follows from its shape; give the body `inertial`");
    return true;
  }

  /* A mass that is given counts before a density. The moments grow in proportion to the mass. */
  mass = mass >= 0 ? mass : rho * s.volume;
  double J[6] = {0};
  for (int i = 0; i < 3; i++) {
    J[i] = s.J[i] * mass / s.volume;
  }
  pw_robot_turn_inertia(R, J, J);
  if (mass > 0) {
    add_solid(link, mass, p, J);
  }
  return true;
}

static bool take_inertial(const reading *m, const pw_xml *x, pw_robot_link *link) {
  double R[9], J[6] = {0};
  bool ok = vector_of(m, x, "pos", link->c, 3) && vector_of(m, x, "mass", &link->mass, 1) &&
            orientation(m, x, R) && vector_of(m, x, "diaginertia", J, 3) &&
            vector_of(m, x, "fullinertia", J, 6);
  pw_robot_turn_inertia(R, J, link->J);
  return ok;
}

/* ---- joints ---- */

/* The numbers of a joint count from `ref` at the configuration of the file, angles here from 0. */
static bool take_range(const reading *m, const pw_xml *x, pw_robot_joint *joint) {
  double range[2] = {0, 0}, ref = 0;
  const char *limited = text_of(m, x, "limited", "auto");
  bool given = pw_xml_find(holder(m, x, "range"), "range") != NULL;
  bool turns = joint->kind == PW_ROBOT_REVOLUTE;
  joint->limited = given && strcmp(limited, "false") != 0;
  bool ok = vector_of(m, x, "range", range, 2) && vector_of(m, x, "damping", &joint->damping, 1) &&
            vector_of(m, x, "frictionloss", &joint->friction, 1) &&
            vector_of(m, x, "stiffness", &joint->stiffness, 1) &&
            vector_of(m, x, "springref", &joint->rest, 1) && vector_of(m, x, "ref", &ref, 1);
  joint->lower = turns ? radians(m, range[0] - ref) : range[0] - ref;
  joint->upper = turns ? radians(m, range[1] - ref) : range[1] - ref;
  joint->rest = turns ? radians(m, joint->rest - ref) : joint->rest - ref;
  double armature = 0;
  ok = vector_of(m, x, "armature", &armature, 1) && ok;
  if (armature != 0) {
    pw_robot_leave_out(m->r, x->span, "armature", "inertia of a motor that turns faster");
  }
  return ok && pw_robot_has_range(m->r, joint, x->span);
}

static bool take_joint(const reading *m, const pw_xml *x, pw_robot_joint *joint) {
  static const struct {
    const char *word;
    pw_robot_kind kind;
  } kinds[] = {{"hinge", PW_ROBOT_REVOLUTE},
               {"slide", PW_ROBOT_PRISMATIC},
               {"ball", PW_ROBOT_SPHERICAL},
               {"free", PW_ROBOT_FREE}};
  const char *type = pw_xml_is(x, "freejoint") ? "free" : text_of(m, x, "type", "hinge");
  size_t k = 0;
  while (k < 4 && strcmp(kinds[k].word, type) != 0) {
    k++;
  }
  if (k == 4) {
    pw_error(m->r->diags, "E0626", x->span, "no joint has the type `%s`", type);
    return false;
  }
  joint->kind = kinds[k].kind;
  joint->span = x->span;
  joint->name = pw_xml_text(x, "name") == NULL ? joint->name : pw_xml_text(x, "name");
  joint->axis[2] = 1;
  bool ok = vector_of(m, x, "axis", joint->axis, 3) && vector_of(m, x, "pos", joint->point, 3) &&
            take_range(m, x, joint);
  if (ok && !(hypot(hypot(joint->axis[0], joint->axis[1]), joint->axis[2]) > 0)) {
    pw_error(m->r->diags, "E0626", x->span, "the axis of joint `%s` is zero", joint->name);
    ok = false;
  }
  return ok;
}

/* ---- bodies ---- */

static bool is_joint(const pw_xml *x) {
  return pw_xml_is(x, "joint") || pw_xml_is(x, "freejoint");
}

static bool take_parts(const reading *m, const pw_xml *x, pw_robot_link *link,
                       pw_robot_joint *joint) {
  int joints = 0;
  const pw_xml *given = pw_xml_child(x, "inertial");
  bool ok = given == NULL || take_inertial(m, given, link);
  for (const pw_xml *c = x->first; c != NULL && ok; c = c->next) {
    if (is_joint(c) && ++joints > 1) {
      pw_diag_ref d =
          pw_error(m->r->diags, "E0626", c->span, "body `%s` has more than one joint", link->name);
      pw_label(d, "the second");
      pw_help(d, "put a body with an inertia of its own between the joints, or use one joint of "
                 "type `ball`");
      ok = false;
    } else if (is_joint(c)) {
      ok = take_joint(m, c, joint);
    } else if (pw_xml_is(c, "geom")) {
      ok = given != NULL || take_geom(m, c, link);
      pw_robot_leave_out(m->r, c->span, "contacts and pictures of geoms",
                         "write `shape`, `contact`, `draw`");
    } else if (!pw_xml_is(c, "body") && !pw_xml_is(c, "inertial")) {
      pw_robot_leave_out(m->r, c->span, c->name, "it has no meaning here");
    }
  }
  return ok;
}

static bool take_body(const reading *m, const pw_xml *x, int parent) {
  pw_robot *r = m->r;
  const char *name = pw_xml_text(x, "name");
  name = name == NULL ? pw_intern_format(r->names, "body%d", r->links.n + 1) : name;
  pw_robot_link link = {.name = name, .span = x->span, .joint = -1};
  pw_robot_joint joint = {.name = pw_intern_format(r->names, "%s_joint", name),
                          .span = x->span,
                          .kind = PW_ROBOT_FIXED,
                          .parent = parent,
                          .child = r->links.n,
                          .mimic = -1,
                          .factor = 1};
  bool ok = pw_robot_has_room(r, x->span) && vector_of(m, x, "pos", joint.p, 3) &&
            orientation(m, x, joint.R) && take_parts(m, x, &link, &joint);
  PW_PUSH(r->arena, &r->links, link);
  PW_PUSH(r->arena, &r->joints, joint);
  return ok;
}

/* Bodies in the order of the file; the depth of XML is bounded. */
static bool take_bodies(const reading *m, const pw_xml *x, int parent, int depth) {
  bool ok = depth < MOST_NESTED;
  for (const pw_xml *c = x->first; c != NULL && ok; c = c->next) {
    if (pw_xml_is(c, "body")) {
      int own = m->r->links.n;
      ok = take_body(m, c, parent) && take_bodies(m, c, own, depth + 1);
    } else if (parent < 0) {
      pw_robot_leave_out(m->r, c->span, pw_xml_is(c, "geom") ? "geoms of the world" : c->name,
                         "write `shape` and `contact`, or `draw`");
    }
  }
  return ok;
}

bool pw_robot_from_mjcf(pw_robot *r, const pw_xml *root) {
  static const char *const known[] = {"worldbody", "option", "compiler", "default",
                                      "asset",     "visual", "size",     "statistic"};
  const pw_xml *compiler = pw_xml_child(root, "compiler"), *option = pw_xml_child(root, "option");
  const char *angle = pw_xml_text(compiler, "angle"), *order = pw_xml_text(compiler, "eulerseq");

  /* Angles are in degrees and gravity is 9.81 downwards unless the file states otherwise. */
  reading m = {.r = r,
               .defaults = pw_xml_child(root, "default"),
               .degrees = angle == NULL || strcmp(angle, "radian") != 0};
  r->format = "MJCF";
  r->title = pw_xml_text(root, "model");
  r->gravity[2] = -9.81;

  /* Turns do not commute: another order is another orientation. */
  if (order != NULL && strcmp(order, "xyz") != 0) {
    pw_error(r->diags, "E0626", compiler->span, "angles in the order `%s` are not read", order);
    return false;
  }

  /* Elements that are not read are named in a warning. */
  for (const pw_xml *x = root->first; x != NULL; x = x->next) {
    bool expected = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
      expected = expected || pw_xml_is(x, known[i]);
    }
    if (!expected) {
      pw_robot_leave_out(r, x->span, x->name, "write it in the model");
    }
  }

  /* All bodies hang from `worldbody`. */
  const pw_xml *world = pw_xml_child(root, "worldbody");
  if (world == NULL) {
    pw_error(r->diags, "E0626", root->span, "the file has no `worldbody`");
    return false;
  }
  return pw_xml_vector(option, "gravity", r->gravity, 3, r->diags) && take_bodies(&m, world, -1, 0);
}
