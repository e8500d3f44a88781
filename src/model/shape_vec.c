// SPDX-License-Identifier: MIT
#include "model/shape_vec.h"

void pw_vec_sub(pw_check *ck, const pw_node *a, const pw_node *b, int n, pw_node *out) {
  for (int i = 0; i < n; i++) {
    out[i] = pw_sub(ck->dag, a[i], b[i]);
  }
}

void pw_vec_add(pw_check *ck, const pw_node *a, pw_node f, const pw_node *b, int n, pw_node *out) {
  for (int i = 0; i < n; i++) {
    pw_node part = pw_mul(ck->dag, f, b[i]);
    out[i] = pw_add(ck->dag, a[i], part);
  }
}

void pw_vec_cross(pw_check *ck, const pw_node *a, const pw_node *b, pw_node *out) {
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    pw_node first = pw_mul(ck->dag, a[j], b[k]);
    pw_node second = pw_mul(ck->dag, a[k], b[j]);
    out[i] = pw_sub(ck->dag, first, second);
  }
}

pw_node pw_vec_norm(pw_check *ck, const pw_node *a, int n) {
  return pw_apply1(ck->dag, PW_OP_SQRT, pw_dot_nodes(ck->dag, a, a, n));
}

void pw_vec_divide(pw_check *ck, pw_node *a, pw_node f, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = pw_div(ck->dag, a[i], f);
  }
}

void pw_vec_choose(pw_check *ck, pw_node c, const pw_node *a, const pw_node *b, int n,
                   pw_node *out) {
  for (int i = 0; i < n; i++) {
    out[i] = pw_select(ck->dag, c, a[i], b[i]);
  }
}

pw_node pw_number(pw_check *ck, double x) {
  return pw_const(ck->dag, x);
}
