// SPDX-License-Identifier: MIT
/* The equations of a joint (joints (J1)-(J4)): which rows a kind has, and their values. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "model/joint_form.h"

static void cross(const double a[3], const double b[3], double out[3]) {
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    out[i] = a[j] * b[k] - a[k] * b[j];
  }
}

/* e1, e2 with e1 x e2 = n: e1 is across n and the coordinate axis that is least along it. */
static void complete(pw_joint_form *joint) {
  int least = 0;
  for (int i = 1; i < 3; i++) {
    least = fabs(joint->n[i]) < fabs(joint->n[least]) ? i : least;
  }
  double unit[3] = {0}, across[3];
  unit[least] = 1;
  cross(unit, joint->n, across);
  double norm = sqrt(across[0] * across[0] + across[1] * across[1] + across[2] * across[2]);
  for (int i = 0; i < 3; i++) {
    joint->e[0][i] = across[i] / norm;
  }
  cross(joint->n, joint->e[0], joint->e[1]);
}

/* A row (R_A u).(R_B v) has the rate w.(v x u) with the relative velocity w: its multiplier is a
 * moment about v x u. */
static void add_turn(pw_joint_form *joint, const double u[3], const double v[3]) {
  pw_joint_turn *turn = &joint->turn[joint->n_turn++];
  memcpy(turn->u, u, sizeof turn->u);
  memcpy(turn->v, v, sizeof turn->v);
}

/* No turn about e1 and e2: the axis stays along itself. */
static void hold_axis(pw_joint_form *joint) {
  double minus[3] = {-joint->e[1][0], -joint->e[1][1], -joint->e[1][2]};
  add_turn(joint, minus, joint->n);
  add_turn(joint, joint->e[0], joint->n);
}

/* No turn at all: about each axis of the frame (a, b, c). */
static void hold_frame(pw_joint_form *joint, const double a[3], const double b[3],
                       const double c[3]) {
  add_turn(joint, c, b);
  add_turn(joint, a, c);
  add_turn(joint, b, a);
}

static void lay_out_places(pw_joint_form *joint) {
  joint->n_place = pw_joint_places(joint->kind);
  joint->in_space = joint->n_place == 3;
  for (int k = 0; k < joint->n_place && !joint->in_space; k++) {
    const double *u = joint->n_place == 1 ? joint->n : joint->e[k];
    memcpy(joint->place[k], u, sizeof joint->place[k]);
  }
}

void pw_joint_lay_out(pw_joint_form *joint, const double second[3]) {
  static const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
  bool has_axis = joint->n[0] != 0 || joint->n[1] != 0 || joint->n[2] != 0;
  if (has_axis) {
    complete(joint);
  }
  lay_out_places(joint);
  switch (joint->kind) {
  case PW_JOINT_FIXED: hold_frame(joint, x, y, z); break;
  case PW_JOINT_PRISMATIC: hold_frame(joint, joint->e[0], joint->e[1], joint->n); break;
  case PW_JOINT_REVOLUTE:
  case PW_JOINT_CYLINDRICAL:
  case PW_JOINT_PLANAR: hold_axis(joint); break;
  case PW_JOINT_UNIVERSAL: add_turn(joint, joint->n, second); break;
  case PW_JOINT_SPHERICAL: break;
  }
}

const pw_joint_form *pw_joint_of(const pw_check *ck, int row) {
  int lo = 0, hi = ck->joints.n; /* rows rise along the list */
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (ck->joints.items[mid].row < row) {
      lo = mid + 1;
    } else {
      hi = mid;
    }
  }
  bool found = lo < ck->joints.n && ck->joints.items[lo].row == row;
  return found ? &ck->joints.items[lo] : NULL;
}

/* ---- values ---- */

void pw_joint_direction(pw_check *ck, const pw_joint_form *joint, int end, const double v[3],
                        pw_node out[3]) {
  for (int i = 0; i < 3; i++) {
    out[i] = pw_const(ck->dag, v[i]);
  }
  if (joint->body[end] >= 0) {
    pw_node body[3] = {out[0], out[1], out[2]};
    pw_rotate(ck, joint->body[end] + 3, body, false, out);
  }
}

/* P = p + R at; in space the point itself. */
static void point(pw_check *ck, const pw_joint_form *joint, int end, pw_node out[3]) {
  memcpy(out, joint->at[end], 3 * sizeof *out);
  int body = joint->body[end];
  if (body >= 0) {
    pw_rotate(ck, body + 3, joint->at[end], false, out);
    for (int i = 0; i < 3; i++) {
      pw_node p = pw_var(ck->dag, pw_var_of(PW_VAR_Q, ck->m->coords.items[body + i].q));
      out[i] = pw_add(ck->dag, p, out[i]);
    }
  }
}

/* P_B - P_A */
static void distance(pw_check *ck, const pw_joint_form *joint, pw_node out[3]) {
  pw_node a[3], b[3];
  point(ck, joint, 0, a);
  point(ck, joint, 1, b);
  for (int i = 0; i < 3; i++) {
    out[i] = pw_sub(ck->dag, b[i], a[i]);
  }
}

pw_node pw_joint_along(pw_check *ck, const pw_joint_form *joint, const double u[3]) {
  pw_node d[3], v[3];
  distance(ck, joint, d);
  pw_joint_direction(ck, joint, 0, u, v);
  return pw_dot_nodes(ck->dag, v, d, 3);
}

void pw_joint_values(pw_check *ck, const pw_joint_form *joint, pw_node *out) {
  if (joint->in_space) {
    distance(ck, joint, out);
  }
  for (int k = 0; k < joint->n_place && !joint->in_space; k++) {
    out[k] = pw_joint_along(ck, joint, joint->place[k]);
  }
  for (int k = 0; k < joint->n_turn; k++) {
    pw_node u[3], v[3];
    pw_joint_direction(ck, joint, 0, joint->turn[k].u, u);
    pw_joint_direction(ck, joint, 1, joint->turn[k].v, v);
    out[joint->n_place + k] = pw_dot_nodes(ck->dag, u, v, 3);
  }
}
