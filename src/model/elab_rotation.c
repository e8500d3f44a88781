// SPDX-License-Identifier: MIT
/* Rotations and bodies: R*(a,b,c), R.q, R.w, R.W, b.p, b.R, b.w, b.W and axis(). A rotation is the
 * unit quaternion q = (s, x, y, z) with R v = q v q*; its velocities are W in body axes. */
#include <math.h>
#include <string.h>

#include "model/part.h"

static pw_node times2(pw_dag *dag, pw_node a, pw_node b) {
  pw_node product = pw_mul(dag, a, b);
  pw_node two = pw_const(dag, 2);
  return pw_mul(dag, two, product);
}

/* The matrix of theory (2):
 * R = [[1-2(yy+zz), 2(xy-sz),   2(xz+sy)  ],
 *      [2(xy+sz),   1-2(xx+zz), 2(yz-sx)  ],
 *      [2(xz-sy),   2(yz+sx),   1-2(xx+yy)]]. */
static void matrix_of(pw_dag *dag, const pw_node q[4], pw_node r[3][3]) {
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    pw_node jj = times2(dag, q[1 + j], q[1 + j]);
    pw_node kk = times2(dag, q[1 + k], q[1 + k]);
    pw_node sum = pw_add(dag, jj, kk);
    pw_node one = pw_const(dag, 1);
    r[i][i] = pw_sub(dag, one, sum);
    pw_node ij = times2(dag, q[1 + i], q[1 + j]);
    pw_node sk = times2(dag, q[0], q[1 + k]);
    r[i][j] = pw_sub(dag, ij, sk);
    r[j][i] = pw_add(dag, ij, sk);
  }
}

static void quaternion_of(pw_check *ck, int coord, pw_node q[4]) {
  for (int i = 0; i < 4; i++) {
    q[i] = pw_var(ck->dag, pw_var_of(PW_VAR_Q, ck->m->coords.items[coord].q + i));
  }
}

void pw_rotate(pw_check *ck, int coord, const pw_node v[3], bool inverse, pw_node out[3]) {
  pw_node q[4], r[3][3];
  quaternion_of(ck, coord, q);
  matrix_of(ck->dag, q, r);
  for (int i = 0; i < 3; i++) {
    pw_node row[3];
    for (int j = 0; j < 3; j++) {
      row[j] = inverse ? r[j][i] : r[i][j];
    }
    out[i] = pw_dot_nodes(ck->dag, row, v, 3);
  }
}

static pw_val body_velocity(pw_check *ck, int coord) {
  pw_node W[3];
  for (int i = 0; i < 3; i++) {
    W[i] = pw_var(ck->dag, pw_var_of(PW_VAR_U, ck->m->coords.items[coord].u + i));
  }
  return pw_vector_val(ck, W, 3);
}

static pw_val unknown_field(pw_check *ck, const pw_ex *ex, pw_val base) {
  pw_diag_ref d =
      pw_elab_error(ck, "E0109", ex->mark,
                    base.kind == PW_V_PART ? "%s has no member `%s`" : "%s has no part `%s`",
                    pw_val_kind_name(ck, base), ex->name);
  if (base.kind == PW_V_BODY) {
    pw_label(d, "a body has `p`, `R`, `w` and `W`");
  } else if (base.kind == PW_V_ROTATION) {
    pw_label(d, "a rotation has `q`, `w` and `W`");
  } else if (base.kind == PW_V_PART) {
    pw_label(d, "it is a family: name a member, `%s[%d].%s`", base.sym->name, base.lo, ex->name);
  } else {
    pw_label(d, "only bodies, rotations and `energy` have parts");
  }
  return PW_BAD_VAL;
}

static pw_val rotation_field(pw_check *ck, const pw_ex *ex, pw_val base, int coord) {
  if (strcmp(ex->name, "W") == 0) {
    return body_velocity(ck, coord);
  }
  if (strcmp(ex->name, "w") == 0) {
    pw_val W = body_velocity(ck, coord);
    pw_node w[3];
    pw_rotate(ck, coord, W.v, false, w);
    return pw_vector_val(ck, w, 3);
  }
  if (strcmp(ex->name, "q") == 0 && base.kind == PW_V_ROTATION) {
    pw_node q[4];
    quaternion_of(ck, coord, q);
    return pw_vector_val(ck, q, 4);
  }
  return unknown_field(ck, ex, base);
}

static pw_val body_field(pw_check *ck, const pw_ex *ex, pw_val base) {
  int rotation = base.coord + 3;
  if (strcmp(ex->name, "p") == 0) {
    pw_node p[3];
    for (int i = 0; i < 3; i++) {
      p[i] = pw_var(ck->dag, pw_var_of(PW_VAR_Q, ck->m->coords.items[base.coord + i].q));
    }
    return pw_vector_val(ck, p, 3);
  }
  if (strcmp(ex->name, "R") == 0) {
    return (pw_val){.kind = PW_V_ROTATION, .coord = rotation, .sym = base.sym};
  }
  return rotation_field(ck, ex, base, rotation);
}

/* energy.kinetic and the like: sums of what the model states. */
static pw_val energy_field(pw_check *ck, const pw_ex *ex) {
  static const char *const names[] = {"kinetic", "potential", "total", "lost"};

  /* The word behind the dot. */
  int which = 0;
  while (which < 4 && strcmp(names[which], ex->name) != 0) {
    which++;
  }
  if (which == 4) {
    pw_diag_ref d = pw_elab_error(ck, "E0109", ex->mark, "there is no `energy.%s`", ex->name);
    pw_label(d, "known are `energy.kinetic`, `energy.potential`, `energy.total`, `energy.lost`");
    return PW_BAD_VAL;
  }

  /* What is lost is an integral along the motion, not a function of the state. */
  if (which == 3) {
    return pw_scalar_val(pw_var(ck->dag, pw_var_of(PW_VAR_QUAD, PW_QUAD_LOST)));
  }

  /* The sum is complete only below the last energy of the model. */
  for (int k = 0; k < 2; k++) {
    const pw_stmt *last = ck->energy.last[k];
    bool needed = which == 2 || which == k;
    if (needed && last != NULL && last->span.file == ck->stmt->span.file &&
        last->span.begin > ck->stmt->span.begin) {
      pw_diag_ref d =
          pw_elab_error(ck, "E0102", ex->span, "`energy.%s` is used too early", ex->name);
      pw_label(d, "an energy is still to come");
      pw_second(d, last->keyword, "here");
      pw_help(d, "move this line below the last energy");
      return PW_BAD_VAL;
    }
  }

  /* T, V or T + V. A dissipation is no energy. */
  pw_node sum = pw_const(ck->dag, 0);
  for (int i = 0; i < ck->m->energies.n; i++) {
    const pw_energy *e = &ck->m->energies.items[i];
    bool kinetic = e->kind == PW_ST_KINETIC, potential = e->kind == PW_ST_POTENTIAL;
    if ((kinetic && which != 1) || (potential && which != 0)) {
      sum = pw_add(ck->dag, sum, e->value);
    }
  }
  return pw_scalar_val(sum);
}

pw_val pw_elab_field(pw_check *ck, const pw_ex *ex) {
  const pw_ex *owner = ex->arg[0];
  int errors = pw_check_errors(ck);
  const pw_ex *member = pw_part_member(ck, ex);
  if (member != ex || pw_check_errors(ck) > errors) {
    return member != ex ? pw_elab(ck, member) : PW_BAD_VAL;
  }
  if (owner->kind == PW_EX_NAME && strcmp(owner->name, "energy") == 0 &&
      (ck->site & PW_MAY_RESULT) != 0 && pw_env_find(&ck->env, owner->name) == NULL) {
    return energy_field(ck, ex);
  }
  pw_val base = pw_elab(ck, owner);
  switch (base.kind) {
  case PW_V_BAD: return base;
  case PW_V_BODY: return body_field(ck, ex, base);
  case PW_V_ROTATION: return rotation_field(ck, ex, base, base.coord);
  case PW_V_FAMILY: return pw_bad_kind(ck, owner, base, "a member of the family");
  default: return unknown_field(ck, ex, base);
  }
}

/* axis(u1, u2, u3, angle): right-handed, q = (cos(angle/2), sin(angle/2) u/|u|). */
pw_val pw_elab_axis(pw_check *ck, const pw_ex *ex) {
  static const char *const what[] = {"the axis", "the axis", "the axis", "the angle"};
  double a[4];

  /* An orientation is a start value; it stands nowhere else. */
  if ((ck->site & PW_MAY_AXIS) == 0) {
    pw_diag_ref d = pw_elab_error(ck, "E0105", ex->span, "`axis` cannot be used here");
    pw_label(d, "it gives an orientation: `start R = axis(u1, u2, u3, angle)`");
    return PW_BAD_VAL;
  }

  /* The axis and the angle are constants. */
  bool ok = true;
  for (int i = 0; i < 4; i++) {
    ok = pw_elab_const(ck, ex->arg[i + 1], 0, what[i], &a[i]) && ok;
  }
  if (!ok) {
    return PW_BAD_VAL;
  }

  /* Divide by the largest component first, so that no square overflows or vanishes. */
  double scale = fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2])));
  if (!(scale > 0)) {
    pw_diag_ref d = pw_elab_error(ck, "E0308", ex->span, "the axis of a rotation is zero");
    pw_label(d, "(0, 0, 0) is no direction");
    return PW_BAD_VAL;
  }
  double u[3] = {a[0] / scale, a[1] / scale, a[2] / scale};
  double norm = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);

  /* q = (cos(angle/2), sin(angle/2) u/|u|) */
  pw_node q[4];
  q[0] = pw_const(ck->dag, cos(a[3] / 2));
  for (int i = 0; i < 3; i++) {
    q[i + 1] = pw_const(ck->dag, sin(a[3] / 2) * u[i] / norm);
  }
  pw_val turn = pw_vector_val(ck, q, 4);
  turn.kind = PW_V_TURN;
  return turn;
}
