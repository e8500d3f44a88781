// SPDX-License-Identifier: MIT
/* Joints: the rows of a joint between two bodies, or a body and space, and what can be asked of it.
 *
 * A and B are the first and the second body, with rotations R_A, R_B; P_A and P_B the points of the
 * joint. The axis n has the same components in both bodies, so that the frames coincide at angle 0;
 * (e1, e2, n) is right-handed. Every row is one of two forms (joints (J1), (J2)):
 *   a place  (R_A u).(P_B - P_A) = 0, or a component of P_B - P_A = 0 in space;
 *   a turn   (R_A u).(R_B v) = 0.
 */
#ifndef PW_MODEL_JOINT_FORM_H
#define PW_MODEL_JOINT_FORM_H

#include "model/check.h"

enum { PW_JOINT_ROWS = 6 };

typedef struct pw_joint_turn { /* (R_A u).(R_B v) = 0 */
  double u[3], v[3];
} pw_joint_turn;

typedef struct pw_joint_form { /* one joint of the model */
  int row;                     /* its first row */
  pw_joint_kind kind;
  int body[2];        /* first coordinate of each body; -1: space */
  pw_node at[2][3];   /* points in their frames */
  double n[3];        /* the axis; zero where the kind has none */
  double e[2][3];     /* across the axis */
  int n_place;        /* rows on places come first */
  bool in_space;      /* they are the components of P_B - P_A in space */
  double place[3][3]; /* else: directions u in the first body */
  int n_turn;
  pw_joint_turn turn[3];
} pw_joint_form;

/* Directions and rows of a joint whose kind, bodies, points and axes are known; `second` is the
 * second axis of a universal joint. */
void pw_joint_lay_out(pw_joint_form *joint, const double second[3]);

/* The joint whose first row is `row`, or NULL. */
const pw_joint_form *pw_joint_of(const pw_check *ck, int row);

/* The value of each row, n_place + n_turn of them. */
void pw_joint_values(pw_check *ck, const pw_joint_form *joint, pw_node *out);

/* R v for a direction v in the frame of an end. */
void pw_joint_direction(pw_check *ck, const pw_joint_form *joint, int end, const double v[3],
                        pw_node out[3]);
/* (R_A u).(P_B - P_A) */
pw_node pw_joint_along(pw_check *ck, const pw_joint_form *joint, const double u[3]);

/* force(j): on the second body, in space; from multipliers or, with PW_VAR_IMPULSE, impulses. */
pw_val pw_joint_force(pw_check *ck, const pw_joint_form *joint, pw_var_class class);

/* Rate of the one freedom of the joint at this row; false beyond the limits. */
bool pw_joint_rate(pw_check *ck, int row, pw_node *out);

/* angle(j), shift(j), moment(j); bad after an error. */
pw_val pw_elab_joint_call(pw_check *ck, const pw_ex *ex);
bool pw_is_joint_call(const char *name);

#endif
