// SPDX-License-Identifier: MIT
#include "base/inertia.h"

#include <math.h>

/* Roots of the characteristic polynomial by the cosine of a third of an angle: J = m 1 + p B with
 * tr B = 0, tr B^2 = 6 has the eigenvalues m + 2 p cos((acos(det B / 2) + 2 pi k)/3). */
void pw_principal_moments(const double J[6], double out[3]) {
  static const double third = 2.0943951023931954923; /* of a turn */
  double m = (J[0] + J[1] + J[2]) / 3, d[3] = {J[0] - m, J[1] - m, J[2] - m};
  double sum =
      d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 2 * (J[3] * J[3] + J[4] * J[4] + J[5] * J[5]);
  double p = sqrt(sum / 6), angle = 0;
  if (p > 0) {
    double det = d[0] * (d[1] * d[2] - J[5] * J[5]) - J[3] * (J[3] * d[2] - J[5] * J[4]) +
                 J[4] * (J[3] * J[5] - d[1] * J[4]);
    angle = acos(fmin(fmax(det / (2 * p * p * p), -1), 1)) / 3;
  }
  out[0] = m + 2 * p * cos(angle);
  out[1] = m + 2 * p * cos(angle - third);
  out[2] = m + 2 * p * cos(angle + third);
}

double pw_inertia_excess(const double principal[3]) {
  return (principal[0] - principal[1] - principal[2]) / principal[0];
}
