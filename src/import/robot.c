// SPDX-License-Identifier: MIT
#include "import/robot.h"

#include <math.h>
#include <string.h>

#include "base/inertia.h"
#include "lang/token.h"
#include "law/scale_export.h"
#include "law/scale_model.h"

/* ---- vectors ---- */

void pw_robot_product(const double *A, const double *B, double *out) {
  double C[9];
  for (int i = 0; i < 9; i++) {
    const double *row = A + i / 3 * 3, *column = B + i % 3;
    C[i] = row[0] * column[0] + row[1] * column[3] + row[2] * column[6];
  }
  memcpy(out, C, sizeof C);
}

void pw_robot_turn(const double *R, const double v[3], double out[3]) {
  double w[3];
  for (int i = 0; i < 3; i++) {
    w[i] = R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2];
  }
  memcpy(out, w, sizeof w);
}

void pw_robot_rpy(const double a[3], double R[9]) {
  double c[3], s[3];
  for (int i = 0; i < 3; i++) {
    c[i] = cos(a[i]);
    s[i] = sin(a[i]);
  }
  const double x[9] = {1, 0, 0, 0, c[0], -s[0], 0, s[0], c[0]};
  const double y[9] = {c[1], 0, s[1], 0, 1, 0, -s[1], 0, c[1]};
  const double z[9] = {c[2], -s[2], 0, s[2], c[2], 0, 0, 0, 1};
  pw_robot_product(y, x, R);
  pw_robot_product(z, R, R);
}

void pw_robot_quat(const double q[4], double R[9]) {
  double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], s = 2 / n;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    const double *v = q + 1;
    R[4 * i] = 1 - s * (v[j] * v[j] + v[k] * v[k]);
    R[3 * i + j] = s * (v[i] * v[j] - q[0] * v[k]);
    R[3 * i + k] = s * (v[i] * v[k] + q[0] * v[j]);
  }
}

void pw_robot_turn_inertia(const double *R, const double J[6], double out[6]) {
  const double full[9] = {J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2]};
  double back[9], turned[9];
  for (int i = 0; i < 9; i++) {
    back[i] = R[i % 3 * 3 + i / 3];
  }
  pw_robot_product(R, full, turned);
  pw_robot_product(turned, back, turned);
  const double all[6] = {turned[0], turned[4], turned[8], turned[1], turned[2], turned[5]};
  memcpy(out, all, sizeof all);
}

void pw_robot_shift_inertia(double m, const double d[3], double J[6]) {
  double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  for (int i = 0; i < 3; i++) {
    J[i] += m * (square - d[i] * d[i]);
  }
  J[3] -= m * d[0] * d[1];
  J[4] -= m * d[0] * d[2];
  J[5] -= m * d[1] * d[2];
}

/* ---- parts that cannot be converted ---- */

void pw_robot_leave_out(pw_robot *r, pw_span at, const char *what, const char *why) {
  const char *line = pw_intern_format(r->names, "%s (%s)", what, why == NULL ? "" : why);
  enum { MOST_LINES = 64 };
  bool again = r->left_out.n == MOST_LINES;
  for (int i = 0; i < r->left_out.n; i++) {
    again = again || r->left_out.items[i] == line;
  }
  if (!again) { /* each kind once */
    PW_PUSH(r->arena, &r->left_out, line);
    pw_diag_ref d = pw_warning(r->diags, "W0626", at, "not carried over: %s", what);
    if (why != NULL) {
      pw_label(d, "%s", why);
    }
  }
}

bool pw_robot_has_range(pw_robot *r, const pw_robot_joint *joint, pw_span at) {
  bool ok = !joint->limited || joint->lower <= joint->upper;
  if (!ok) {
    pw_diag_ref d =
        pw_error(r->diags, "E0626", at, "the limits of joint `%s` leave no position", joint->name);
    pw_label(d, "lower limit %g, upper limit %g", joint->lower, joint->upper);
  }
  return ok;
}

int pw_robot_find_link(const pw_robot *r, const char *name) {
  for (int i = 0; i < r->links.n; i++) {
    if (strcmp(r->links.items[i].name, name) == 0) {
      return i;
    }
  }
  return -1;
}

/* ---- the tree ---- */

static bool hang(pw_robot *r) {
  for (int k = 0; k < r->joints.n; k++) {
    pw_robot_joint *joint = &r->joints.items[k];
    pw_robot_link *child = &r->links.items[joint->child];
    if (child->joint >= 0) {
      pw_diag_ref d =
          pw_error(r->diags, "E0627", joint->span, "joints `%s` and `%s` carry the same link `%s`",
                   r->joints.items[child->joint].name, joint->name, child->name);
      pw_label(d, "a loop: the format describes trees");
      pw_second(d, child->span, "this link");
      pw_help(d, "cut the loop in the file, and add the joint that closes it to the model");
      return false;
    }
    child->joint = k;
  }
  return true;
}

static void identity(double R[9]) {
  for (int i = 0; i < 9; i++) {
    R[i] = i % 4 == 0;
  }
}

/* The pose of a link whose parent has one. */
static void place(pw_robot *r, pw_robot_link *link) {
  static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, zero[3] = {0, 0, 0};

  /* A link without a joint has its frame at the origin. */
  if (link->joint < 0) {
    identity(link->R);
    memset(link->p, 0, sizeof link->p);
  } else {
    pw_robot_joint *joint = &r->joints.items[link->joint];
    bool space = joint->parent < 0;
    const pw_robot_link *parent = space ? NULL : &r->links.items[joint->parent];

    /* R = R_parent R_joint, p = p_parent + R_parent p_joint */
    pw_robot_product(space ? one : parent->R, joint->R, link->R);
    pw_robot_turn(space ? one : parent->R, joint->p, link->p);
    for (int i = 0; i < 3; i++) {
      link->p[i] += space ? zero[i] : parent->p[i];
    }

    /* The point and the unit axis of the joint, in space. */
    double point[3], axis[3];
    pw_robot_turn(link->R, joint->point, point);
    pw_robot_turn(link->R, joint->axis, axis);
    double length = hypot(hypot(axis[0], axis[1]), axis[2]);
    for (int i = 0; i < 3; i++) {
      joint->point[i] = link->p[i] + point[i];
      joint->axis[i] = length > 0 ? axis[i] / length : 0;
    }
  }

  /* The centre of mass and the inertia, in space axes. */
  double c[3];
  pw_robot_turn(link->R, link->c, c);
  pw_robot_turn_inertia(link->R, link->J, link->J);
  for (int i = 0; i < 3; i++) {
    link->c[i] = link->p[i] + c[i];
  }
  link->placed = true;
}

/* Parents before children; a link that is its own ancestor is in a loop. */
static bool place_all(pw_robot *r, int *order) {
  int *path = PW_TAKE(r->arena, r->links.n + 1, int), done = 0;
  for (int i = 0; i < r->links.n; i++) {
    int n = 0, k = i;
    while (k >= 0 && !r->links.items[k].placed) {
      if (n == r->links.n) {
        pw_diag_ref d = pw_error(r->diags, "E0627", r->links.items[i].span,
                                 "link `%s` is part of a loop", r->links.items[i].name);
        pw_label(d, "it would carry itself");
        return false;
      }
      path[n++] = k;
      int joint = r->links.items[k].joint;
      k = joint < 0 ? -1 : r->joints.items[joint].parent;
    }
    while (n > 0) {
      place(r, &r->links.items[path[--n]]);
      order[done++] = path[n];
    }
  }
  return true;
}

/* ---- bodies: links that are fixed to each other ---- */

static int body_of(const pw_robot *r, int i) {
  const pw_robot_link *link = &r->links.items[i];
  if (link->joint < 0) {
    return link->mass > 0 && strcmp(link->name, "world") != 0 ? i : -1;
  }
  const pw_robot_joint *joint = &r->joints.items[link->joint];
  if (joint->kind != PW_ROBOT_FIXED) {
    return i;
  }
  return joint->parent < 0 ? -1 : r->links.items[joint->parent].body;
}

static void join(pw_robot_link *to, const pw_robot_link *more) {
  double mass = to->mass + more->mass, c[3], d[3];
  for (int i = 0; i < 3; i++) {
    c[i] = mass > 0 ? (to->mass * to->c[i] + more->mass * more->c[i]) / mass : to->c[i];
  }
  for (int i = 0; i < 3; i++) {
    d[i] = to->c[i] - c[i];
  }
  pw_robot_shift_inertia(to->mass, d, to->J);
  for (int i = 0; i < 3; i++) {
    d[i] = more->c[i] - c[i];
  }
  pw_robot_shift_inertia(more->mass, d, to->J);
  for (int i = 0; i < 6; i++) {
    to->J[i] += more->J[i];
  }
  to->mass = mass;
  memcpy(to->c, c, sizeof c);
}

static bool has_inertia(const pw_robot_link *b) {
  const double *J = b->J;
  double minor = J[0] * J[1] - J[3] * J[3];
  double det = J[2] * minor - J[0] * J[5] * J[5] - J[1] * J[4] * J[4] + 2 * J[3] * J[4] * J[5];
  return b->mass > 0 && J[0] > 0 && minor > 0 && det > 0;
}

/* Of each link that has some, joined or not: impossible ones may cancel in a sum. */
static bool check_inertia(pw_robot *r, const pw_robot_link *link) {
  double principal[3];
  pw_principal_moments(link->J, principal);
  bool none = link->mass == 0 && principal[0] == 0 && principal[2] == 0;
  double rounding = PW_SCALE(POSE_ROUNDING) * fabs(principal[0]);
  if (!none && (link->mass < 0 || principal[2] < -rounding)) {
    pw_diag_ref d = pw_error(r->diags, "E0628", link->span,
                             "the inertia of link `%s` is not positive", link->name);
    pw_label(d, "mass %g, principal moments %g, %g, %g", link->mass, principal[2], principal[1],
             principal[0]);
    return false;
  }
  if (principal[0] > 0 && pw_inertia_excess(principal) > PW_SCALE(INERTIA_DIGITS)) {
    pw_diag_ref d = pw_warning(r->diags, "W0205", link->span,
                               "no rigid body has the inertia of link `%s`", link->name);
    pw_label(d, "principal moments %g, %g, %g: the largest exceeds the sum of the others",
             principal[2], principal[1], principal[0]);
  }
  return true;
}

static bool make_bodies(pw_robot *r, const int *order) {
  bool ok = true;
  for (int i = 0; i < r->links.n; i++) {
    ok = check_inertia(r, &r->links.items[i]) && ok;
  }
  for (int k = 0; k < r->links.n; k++) {
    pw_robot_link *link = &r->links.items[order[k]];
    link->body = body_of(r, order[k]);
    if (link->body >= 0 && link->body != order[k]) {
      join(&r->links.items[link->body], link);
    }
  }
  for (int i = 0; ok && i < r->links.n; i++) {
    const pw_robot_link *link = &r->links.items[i];
    if (link->body == i && !has_inertia(link)) {
      pw_diag_ref d = pw_error(r->diags, "E0628", link->span,
                               "link `%s` moves, but has no inertia of its own", link->name);
      pw_label(d, "mass %g, moments %g, %g, %g", link->mass, link->J[0], link->J[1], link->J[2]);
      pw_help(d, "give it `inertial` with a mass and a positive definite inertia, or fix it to "
                 "another link");
      ok = false;
    }
  }
  return ok;
}

/* ---- names ---- */

static bool is_used(const pw_robot *r, const char *name) {
  static const char *const own[] = {"g", "V", "D", "d", "energy", "ground", "t", "pi", "inf", "in"};
  bool used = pw_reserved_as(name) != NULL;
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
    used = used || strcmp(own[i], name) == 0;
  }
  for (int i = 0; i < r->links.n; i++) {
    used = used || r->links.items[i].shown == name;
  }
  for (int i = 0; i < r->joints.n; i++) {
    used = used || r->joints.items[i].shown == name;
  }
  return used;
}

/* Letters, digits and `_`, not used before. Interned: equal names are equal pointers. */
static const char *plain(pw_robot *r, const char *name) {
  enum { MOST = 60 };
  char text[MOST + 16];
  size_t n = 0;
  for (const char *at = name; *at != '\0' && n < MOST; at++) {
    char c = *at;
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    bool digit = c >= '0' && c <= '9';
    if (n == 0 && digit) {
      text[n++] = 'n';
    }
    text[n++] = letter || digit ? c : '_';
  }
  text[n] = '\0';
  const char *shown = pw_intern_format(r->names, "%s", n == 0 ? "part" : text);
  for (int k = 2; is_used(r, shown); k++) {
    shown = pw_intern_format(r->names, "%s_%d", n == 0 ? "part" : text, k);
  }
  return shown;
}

bool pw_robot_has_room(pw_robot *r, pw_span at) {
  enum { MOST_LINKS = 2000 }; /* names are compared pairwise */
  if (r->links.n < MOST_LINKS && r->joints.n < MOST_LINKS) {
    return true;
  }
  pw_diag_ref d =
      pw_error(r->diags, "E0629", at, "the robot has more than %d links or joints", MOST_LINKS);
  pw_label(d, "this is one too many");
  return false;
}

/* Limits, springs, damping and friction need one angle or one shift. */
static void leave_out_laws(pw_robot *r) {
  for (int k = 0; k < r->joints.n; k++) {
    const pw_robot_joint *j = &r->joints.items[k];
    bool one = j->kind == PW_ROBOT_REVOLUTE || j->kind == PW_ROBOT_PRISMATIC;
    bool laws = j->limited || j->damping != 0 || j->stiffness != 0 || j->friction != 0;
    if (!one && laws && j->kind != PW_ROBOT_FIXED) {
      pw_robot_leave_out(r, j->span, "laws of a joint with several freedoms",
                         "limits, springs, damping, friction");
    }
  }
}

bool pw_robot_assemble(pw_robot *r) {
  int *order = PW_TAKE(r->arena, r->links.n + 1, int);
  if (!hang(r) || !place_all(r, order) || !make_bodies(r, order)) {
    return false;
  }
  int bodies = 0;
  for (int i = 0; i < r->links.n; i++) {
    if (r->links.items[i].body == i) {
      r->links.items[i].shown = plain(r, r->links.items[i].name);
      bodies++;
    }
  }
  for (int k = 0; k < r->joints.n; k++) {
    r->joints.items[k].shown = plain(r, r->joints.items[k].name);
  }
  leave_out_laws(r);
  if (bodies == 0) {
    pw_error(r->diags, "E0628", PW_NO_SPAN, "nothing of the robot can move");
  }
  return bodies > 0;
}
