// SPDX-License-Identifier: MIT
/* Directions of slips of three components, certificates (C10): triangles on the sphere, each of
 * which is cut into four by the middles of its sides. */
#include <math.h>
#include <string.h>

#include "base/pi.h"
#include "base/real.h"
#include "linalg/dense.h"
#include "verify/strike.h"

enum { N = PW_LAW_MOST };

static void unit(double *x) {
  double size = pw_length(x, N);
  for (int k = 0; k < N && size > 0; k++) {
    x[k] /= size;
  }
}

/* Three unit vectors at right angles whose sum points along a. */
static void frame_around(const double *a, double e[N][N]) {
  int least = 0;
  for (int k = 1; k < N; k++) {
    least = fabs(a[k]) < fabs(a[least]) ? k : least;
  }
  double b[N] = {0}, c[N];
  b[least] = 1;
  pw_axpy(-a[least], a, b, N);
  unit(b);
  for (int k = 0; k < N; k++) {
    int i = (k + 1) % N, j = (k + 2) % N;
    c[k] = a[i] * b[j] - a[j] * b[i];
  }
  const double third = 2 * PW_PI / 3;
  for (int k = 0; k < N; k++) {
    for (int i = 0; i < N; i++) {
      e[k][i] = a[i] / sqrt(3) + sqrt(2.0 / 3) * (cos(third * k) * b[i] + sin(third * k) * c[i]);
    }
  }
}

void pw_patch_whole(const double *way, pw_patch out[PW_PATCHES]) {
  double a[N] = {1, 0, 0}, e[N][N];
  if (pw_length(way, N) > 0) {
    memcpy(a, way, sizeof a);
    unit(a);
  }
  frame_around(a, e);
  for (int p = 0; p < PW_PATCHES; p++) { /* octants */
    for (int k = 0; k < N; k++) {
      for (int i = 0; i < N; i++) {
        out[p].corner[k][i] = (p >> k & 1) != 0 ? -e[k][i] : e[k][i];
      }
    }
  }
}

static double nearness(const pw_patch *x, const double *way) {
  double sum = 0;
  for (int k = 0; k < N; k++) {
    sum += pw_dot(x->corner[k], way, N);
  }
  return sum;
}

void pw_patch_split(const pw_patch *x, const double *way, pw_patch out[PW_PATCH_PARTS]) {
  double middle[N][N]; /* of the side opposite to each corner */
  for (int k = 0; k < N; k++) {
    for (int i = 0; i < N; i++) {
      middle[k][i] = x->corner[(k + 1) % N][i] + x->corner[(k + 2) % N][i];
    }
    unit(middle[k]);
  }
  for (int k = 0; k < N; k++) {
    memcpy(out[k].corner[0], x->corner[k], sizeof middle[0]);
    memcpy(out[k].corner[1], middle[(k + 1) % N], sizeof middle[0]);
    memcpy(out[k].corner[2], middle[(k + 2) % N], sizeof middle[0]);
  }
  memcpy(out[N].corner, middle, sizeof middle);
  for (int i = 1; i < PW_PATCH_PARTS; i++) {
    for (int k = i; k > 0 && nearness(&out[k], way) > nearness(&out[k - 1], way); k--) {
      pw_patch keep = out[k];
      out[k] = out[k - 1];
      out[k - 1] = keep;
    }
  }
}

double pw_patch_size(const pw_patch *x) {
  double most = 0;
  for (int k = 0; k < N; k++) {
    double side[N];
    for (int i = 0; i < N; i++) {
      side[i] = x->corner[k][i] - x->corner[(k + 1) % N][i];
    }
    most = fmax(most, pw_length(side, N));
  }
  return most;
}

/* All corners are as far along the normal of their plane, which the sum of them points along up to
 * the shape of the triangle; the least of them along the sum bounds it. */
double pw_patch_depth(const pw_patch *x) {
  double sum[N] = {0}, least = 1;
  for (int k = 0; k < N; k++) {
    pw_axpy(1, x->corner[k], sum, N);
  }
  unit(sum);
  for (int k = 0; k < N; k++) {
    least = fmin(least, pw_dot(x->corner[k], sum, N));
  }
  return least;
}
