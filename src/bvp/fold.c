// SPDX-License-Identifier: MIT
/* An end on a contact is reached, not passed: the gap there has a minimum, zero, where an impact
 * comes to lie on the end time. Reflected at the contact, theory (95), the end of the motion
 * continues on the other side, and a solution is an ordinary change of sign. */
#include <string.h>

#include "bvp/shoot.h"
#include "linalg/dense.h"

bool pw_fold_add(pw_shoot *x, const pw_frame *f, int row) {
  if (x->n_fold == PW_MAX_FOLD || x->mirror == NULL || !(f->length[row] > 0)) {
    return false;
  }
  int n = f->n;
  const double *a = f->A + (size_t)row * (size_t)n;
  double *kick = x->mirror + 2 * (size_t)x->n_fold * (size_t)n, *normal = kick + n;
  memcpy(kick, a, (size_t)n * sizeof *kick);
  pw_frame_back(f, kick);
  for (int j = 0; j < n; j++) { /* normal = L a, so that normal . u = a . L^T u */
    normal[j] = 0;
    for (int i = 0; i <= j; i++) {
      normal[j] += f->L[(size_t)i * (size_t)n + (size_t)j] * a[i];
    }
  }
  x->fold[x->n_fold++] = &x->sys->model->rows.items[x->sys->row_of[row]];
  return true;
}

/* With one free direction an impact reverses all velocities. With several it reverses those along
 * the normal, which are residuals where every coordinate has one. */
void pw_fold_residuals(const pw_shoot *x, unsigned parity, double *r) {
  int n = x->sys->nv;
  for (int k = 0; k < x->n_fold; k++) {
    const double *kick = x->mirror + 2 * (size_t)k * (size_t)n, *normal = kick + n;
    if ((parity >> k & 1) == 0) {
      continue;
    }
    if (x->d == 1) {
      for (int i = 0; i < x->m; i++) {
        r[i] = -r[i];
      }
    } else if (x->m == n && x->sys->model->nq == n) {
      pw_axpy(-2 * pw_dot(normal, r, n), kick, r, n);
    }
  }
}
