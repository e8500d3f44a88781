// SPDX-License-Identifier: MIT
#include "linalg/broyden.h"

#include <math.h>
#include <string.h>

size_t pw_broyden_doubles(int n) {
  return (size_t)n * (size_t)(n + 6);
}

void pw_broyden_lay(pw_broyden *b, int n, double *memory) {
  size_t k = (size_t)n;
  *b = (pw_broyden){.n = n,
                    .x = memory,
                    .F = memory + k,
                    .old_x = memory + 2 * k,
                    .old_F = memory + 3 * k,
                    .scratch = memory + 4 * k,
                    .G = memory + 6 * k};
}

void pw_broyden_begin(pw_broyden *b) {
  size_t n = (size_t)b->n;
  memset(b->G, 0, n * n * sizeof *b->G);
  for (size_t i = 0; i < n; i++) {
    b->G[i * n + i] = -1;
  }
}

void pw_broyden_improve(pw_broyden *b) {
  double *Gy = b->scratch, *sG = Gy + b->n, down = 0;
  int n = b->n;
  for (int i = 0; i < n; i++) {
    Gy[i] = sG[i] = 0;
    for (int j = 0; j < n; j++) {
      Gy[i] += b->G[(size_t)i * (size_t)n + (size_t)j] * (b->F[j] - b->old_F[j]);
      sG[i] += (b->x[j] - b->old_x[j]) * b->G[(size_t)j * (size_t)n + (size_t)i];
    }
    down += (b->x[i] - b->old_x[i]) * Gy[i];
  }
  for (int i = 0; i < n && fabs(down) > 0; i++) {
    for (int j = 0; j < n; j++) {
      b->G[(size_t)i * (size_t)n + (size_t)j] += (b->x[i] - b->old_x[i] - Gy[i]) * sG[j] / down;
    }
  }
}

void pw_broyden_step(pw_broyden *b, double most) {
  for (int i = 0; i < b->n; i++) {
    double step = 0;
    for (int j = 0; j < b->n; j++) {
      step -= b->G[(size_t)i * (size_t)b->n + (size_t)j] * b->F[j];
    }
    b->old_x[i] = b->x[i];
    b->old_F[i] = b->F[i];
    b->x[i] += isfinite(step) ? fmin(fmax(step, -most), most) : b->F[i];
  }
}

double pw_broyden_worst(const double *F, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs(F[i]));
  }
  return most;
}
