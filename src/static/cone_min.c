// SPDX-License-Identifier: MIT
#include "static/cone_min.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_mech.h"
#include "law/scale_static.h"
#include "linalg/dense.h"
#include "linalg/lu.h"
#include "linalg/qr.h"

static double *at(double *A, int n, int i, int j) {
  return &A[(size_t)j * (size_t)n + (size_t)i];
}

/* ---- Jacobi's rotations ---- */

static void rotate(double *A, double *V, int n, int p, int q) {
  double apq = *at(A, n, p, q);
  double theta = (*at(A, n, q, q) - *at(A, n, p, p)) / (2 * apq);
  double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
  double c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < n; k++) {
    double x = *at(A, n, k, p), y = *at(A, n, k, q);
    *at(A, n, k, p) = c * x - s * y;
    *at(A, n, k, q) = s * x + c * y;
  }
  for (int k = 0; k < n; k++) {
    double x = *at(A, n, p, k), y = *at(A, n, q, k);
    *at(A, n, p, k) = c * x - s * y;
    *at(A, n, q, k) = s * x + c * y;
    x = *at(V, n, k, p);
    y = *at(V, n, k, q);
    *at(V, n, k, p) = c * x - s * y;
    *at(V, n, k, q) = s * x + c * y;
  }
}

void pw_eigen(double *A, int n, double *value, double *V) {
  memset(V, 0, (size_t)n * (size_t)n * sizeof *V);
  for (int i = 0; i < n; i++) {
    *at(V, n, i, i) = 1;
  }
  double size = pw_norm2(A, n * n);
  for (int sweep = 0; sweep < 60; sweep++) {
    double off = 0;
    for (int p = 0; p < n; p++) {
      for (int q = p + 1; q < n; q++) {
        off = pw_max(off, fabs(*at(A, n, p, q)));
        if (fabs(*at(A, n, p, q)) > PW_SCALE(JACOBI_ROTATE) * size) {
          rotate(A, V, n, p, q);
        }
      }
    }
    if (!(off > PW_SCALE(JACOBI_DONE) * size)) {
      break;
    }
  }
  for (int i = 0; i < n; i++) {
    value[i] = *at(A, n, i, i);
  }
}

/* ---- cones ---- */

/* Orthonormal basis Y (n x result) of the vectors normal to the chosen columns of B. */
static int face_basis(pw_arena *arena, const double *B, int n, int k, unsigned chosen, double *Y) {
  double *A = PW_TAKE(arena, n * (k + 1) + 1, double), *tau = PW_TAKE(arena, n + 1, double);
  double *work = PW_TAKE(arena, 2 * k + 2, double);
  int *perm = PW_TAKE(arena, k + 1, int), m = 0;
  for (int i = 0; i < k; i++) {
    if (chosen >> i & 1u) {
      memcpy(A + (size_t)m++ * (size_t)n, B + (size_t)i * (size_t)n, (size_t)n * sizeof *A);
    }
  }
  int rank = m == 0 ? 0 : pw_qr_factor(A, n, m, tau, perm, work, PW_SCALE(RANK_ROWS));
  for (int j = rank; rank >= 0 && j < n; j++) {
    double *y = Y + (size_t)(j - rank) * (size_t)n;
    memset(y, 0, (size_t)n * sizeof *y);
    y[j] = 1;
    pw_qr_apply_q(A, n, rank, tau, y);
  }
  return rank < 0 ? 0 : n - rank;
}

static bool in_cone(const double *B, int n, int k, unsigned face, const double *v, double sign) {
  for (int i = 0; i < k; i++) {
    const double *b = B + (size_t)i * (size_t)n;
    if (!(face >> i & 1u) && sign * pw_dot(b, v, n) < -PW_SCALE(LINEAR_ZERO) * pw_norm2(b, n)) {
      return false;
    }
  }
  return true;
}

static pw_form_sign face_form(pw_arena *arena, const double *A, int n, const double *B, int k,
                              unsigned face, double size) {
  double *Y = PW_TAKE(arena, n * n + 1, double), *AY = PW_TAKE(arena, n * n + 1, double);
  int r = face_basis(arena, B, n, k, face, Y), low = 0;
  double *C = PW_TAKE(arena, r * r + 1, double), *V = PW_TAKE(arena, r * r + 1, double);
  double *value = PW_TAKE(arena, r + 1, double), *v = PW_TAKE(arena, n + 1, double);
  for (int j = 0; j < r; j++) {
    pw_gemv(A, n, n, Y + (size_t)j * (size_t)n, AY);
    for (int i = 0; i < r; i++) {
      *at(C, r, i, j) = pw_dot(Y + (size_t)i * (size_t)n, AY, n);
    }
  }
  pw_eigen(C, r, value, V);
  pw_form_sign form = PW_FORM_POSITIVE;
  for (int j = 0; j < r; j++) {
    if (value[j] > PW_SCALE(LINEAR_ZERO) * size) {
      continue;
    }
    low++;
    pw_gemv(Y, n, r, V + (size_t)j * (size_t)r, v);
    if (in_cone(B, n, k, face, v, 1) || in_cone(B, n, k, face, v, -1)) {
      if (value[j] < -PW_SCALE(LINEAR_ZERO) * size) {
        return PW_FORM_NEGATIVE;
      }
      form = PW_FORM_BORDER;
    }
  }
  return low > 1 ? PW_FORM_BORDER : form; /* combinations of them may lie inside */
}

pw_form_sign pw_cone_form(pw_arena *arena, const double *A, int n, const double *B, int k) {
  double size = pw_norm_inf(A, n * n);
  if (n == 0) {
    return PW_FORM_POSITIVE;
  }
  if (k > PW_CONE_LARGEST || !(size > 0)) {
    return PW_FORM_BORDER;
  }
  pw_form_sign form = PW_FORM_POSITIVE;
  for (unsigned face = 0; face < 1u << k; face++) {
    pw_form_sign here = face_form(arena, A, n, B, k, face, size);
    if (here == PW_FORM_NEGATIVE) {
      return here;
    }
    form = here == PW_FORM_BORDER ? here : form;
  }
  return form;
}

/* ---- spectra ---- */

pw_form_sign pw_linear_form(pw_arena *arena, const double *F, int n) {
  int m = n * n;
  if (n == 0 || n > 16) {
    return n == 0 ? PW_FORM_POSITIVE : PW_FORM_BORDER;
  }
  double *K = PW_TAKE(arena, (size_t)m * (size_t)m, double), *P = PW_TAKE(arena, m, double);
  double *V = PW_TAKE(arena, m, double), *value = PW_TAKE(arena, n, double);
  int *pivot = PW_TAKE(arena, m, int);

  /* Lyapunov's equation: entry (i, j) of F^T P + P F = -1 */
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < n; k++) {
        K[(size_t)(j * n + k) * (size_t)m + (size_t)(j * n + i)] += F[(size_t)(i * n + k)];
        K[(size_t)(k * n + i) * (size_t)m + (size_t)(j * n + i)] += F[(size_t)(j * n + k)];
      }
    }
    *at(P, n, i, i) = -1;
  }
  if (pw_lu(K, m, pivot) != 0) {
    return PW_FORM_BORDER;
  }

  /* the sign of the symmetric part */
  pw_lu_solve(K, m, pivot, P);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      *at(P, n, i, j) = *at(P, n, j, i) = (*at(P, n, i, j) + *at(P, n, j, i)) / 2;
    }
  }
  double size = pw_norm_inf(P, m);
  pw_eigen(P, n, value, V);
  pw_form_sign form = PW_FORM_POSITIVE;
  for (int i = 0; i < n; i++) {
    if (!(size < PW_SCALE(LYAPUNOV_LARGE)) || !(fabs(value[i]) > PW_SCALE(LYAPUNOV_ZERO) * size)) {
      return PW_FORM_BORDER;
    }
    form = value[i] < 0 ? PW_FORM_NEGATIVE : form;
  }
  return form;
}
