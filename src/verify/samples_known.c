// SPDX-License-Identifier: MIT
/* What rows of a table tell about themselves: how far those before a row miss it, and how much of
 * that their own errors and missing digits explain. */
#include "verify/samples_known.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "verify/newton_fit.h"

/* Position and velocity at t from `count` rows beginning with row i. */
void pw_samples_carry(const pw_samples *s, int i, int count, double t, double *q, double *v) {
  double x[PW_NEWTON_MOST], slope[PW_NEWTON_MOST];
  for (int k = 0; k < s->nq; k++) {
    for (int j = 0; j < count; j++) {
      x[j] = pw_samples_q(s, i + j)[k];
      slope[j] = pw_samples_v(s, i + j)[k];
    }
    pw_newton_fit(s->times + i, x, s->has_velocity ? slope : NULL, count, t, &q[k], &v[k], NULL);
  }
}

int pw_samples_used(const pw_samples *s) {
  return s->has_velocity ? 3 : 6;
}

/* sqrt(sum m (x - y)^2) with the masses of the first row; y NULL: 0. */
double pw_samples_apart(const pw_samples *s, const double *x, const double *y) {
  return pw_verify_distance(s->c->sys->model, s->c->scale.mass, x, y);
}

/* Two rows at one time: nothing is carried across them. */
bool pw_samples_have_pair(const pw_samples *s, int first, int count) {
  for (int i = first; i + 1 < first + count; i++) {
    if (s->times[i] == s->times[i + 1]) {
      return true;
    }
  }
  return false;
}

/* Distance of row i from the extrapolation of the n rows before it; NAN: there are none. */
static double miss_of(pw_samples *s, int i, int n) {
  if (i - n < s->first || pw_samples_have_pair(s, i - n, n + 1)) {
    return NAN;
  }
  pw_samples_carry(s, i - n, n, s->times[i], s->side[PW_LEFT_Q], s->side[PW_LEFT_V]);
  return pw_samples_apart(s, s->side[PW_LEFT_Q], pw_samples_q(s, i));
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The columns that a miss is taken of. */
typedef enum series { TOGETHER, PLACES, SPEEDS, COLUMN } series;

/* The same for the values alone of positions, of velocities, or of one column. */
static double values_miss(pw_samples *s, int i, int n, series of, int column) {
  double x[PW_NEWTON_MOST], slope;
  int first = of == COLUMN ? column : of == SPEEDS ? s->nq : 0, count = of == COLUMN ? 1 : s->nq;
  if (i - n < s->first || pw_samples_have_pair(s, i - n, n + 1)) {
    return NAN;
  }
  for (int k = 0; k < count; k++) {
    for (int j = 0; j < n; j++) {
      x[j] = pw_samples_q(s, i - n + j)[first + k];
    }
    pw_newton_fit(s->times + i - n, x, NULL, n, s->times[i], &s->side[PW_LEFT_Q][k], &slope, NULL);
  }
  const double *now = pw_samples_q(s, i) + first;
  return of == COLUMN ? fabs(s->side[PW_LEFT_Q][0] - now[0])
                      : pw_samples_apart(s, s->side[PW_LEFT_Q], now);
}

typedef struct usual {
  double low, high; /* lower quartile; largest 60th percentile over windows of 32 rows */
} usual;

enum { COMMON = 32 };

/* The largest of what most of some rows in succession exceed: an impact shows in fewer, missing
 * digits in all that are not exact. */
static double common_miss(const double *miss, int count) {
  double some[COMMON], most = 0;
  for (int i = 0; i + COMMON <= count; i += COMMON / 2) {
    memcpy(some, miss + (count - COMMON - i), sizeof some);
    qsort(some, COMMON, sizeof *some, by_size);
    most = pw_max(most, some[COMMON * 6 / 10]);
  }
  return most;
}

/* By how much extrapolation from the n rows before row i magnifies errors of the samples, those of
 * the row itself included: from values sqrt(1 + sum l_k^2) with Lagrange's polynomials, with
 * velocities as certificates (C4) has it, whose errors are those of positions in the time `apart`.
 */
static double magnified(const pw_samples *s, int i, int n, double apart) {
  const double *t = s->times + i - n;
  double sum = 1;
  for (int k = 0; k < n; k++) {
    double l = 1, slope = 0, ahead = s->times[i] - t[k];
    for (int j = 0; j < n; j++) {
      l *= j == k ? 1 : (s->times[i] - t[j]) / (t[k] - t[j]);
      slope += j == k ? 0 : 1 / (t[k] - t[j]);
    }
    double place = apart > 0 ? (1 - 2 * slope * ahead) * l * l : l;
    sum += place * place + (apart > 0 ? pow(ahead * l * l / apart, 2) : 0);
  }
  return sqrt(sum);
}

/* What errors of the samples would make the misses. Numbers of a column that are met exactly, as
 * those of a law that does not act, tell nothing about the others. */
static usual usual_miss(pw_samples *s, int n, series of, int column, double apart) {
  double *sorted = s->sorted;
  usual out = {0};
  int count = 0, met = 0;
  for (int i = 0; i < s->n; i++) {
    double miss = of == TOGETHER ? miss_of(s, i, n) : values_miss(s, i, n, of, column);
    met += of == COLUMN && miss == 0;
    if (!isnan(miss) && (of != COLUMN || miss > 0)) {
      sorted[count++] = miss / magnified(s, i, n, apart);
    }
  }
  if (count > met / 10) { /* else they are the jumps of an exact column */
    double high = common_miss(sorted, count);
    qsort(sorted, (size_t)count, sizeof *sorted, by_size);
    out = (usual){sorted[count / 4], count < COMMON ? sorted[count * 9 / 10] : high};
  }
  return out;
}

static double mean_step(const pw_samples *s) {
  return s->n > 1 ? (s->times[s->n - 1] - s->times[0]) / (s->n - 1) : 0;
}

/* Errors of the samples, by extrapolation from few rows or from more, whichever says less: errors
 * of the extrapolation itself become smaller. */
static usual grain_of(pw_samples *s, series of, int column) {
  bool together = of == TOGETHER && s->has_velocity;
  double apart = together ? mean_step(s) : 0;
  usual a = usual_miss(s, together ? 3 : 6, of, column, apart);
  usual b = usual_miss(s, together ? 4 : 8, of, column, apart);
  bool both = b.high > 0;
  return (usual){.low = both ? pw_min(a.low, b.low) : a.low,
                 .high = both ? pw_min(a.high, b.high) : a.high};
}

/* A number that is not exact has no more digits than it shows. */
static double rounding_of(pw_samples *s, int column) {
  double digit = s->c->data.digit[column];
  double error =
      digit > 0 ? pw_min(digit, PW_SCALE(CERT_NOISE_MARGIN) * grain_of(s, COLUMN, column).high) : 0;
  s->rounded = s->rounded || error > PW_SCALE(CERT_ROUNDED) * digit;
  return error + (s->rounded ? s->c->data.still_digit[column] : 0);
}

/* The same of positions (first 0) or their rates (nq), in the metric. */
static double roundings(pw_samples *s, int first) {
  double *error = s->fewer[PW_RIGHT_V];
  for (int k = 0; k < s->nq; k++) {
    error[k] = rounding_of(s, first + k);
  }
  return pw_samples_apart(s, error, NULL);
}

static double error_of(double low, double rounding, double whole) {
  return pw_min(pw_max(PW_SCALE(CERT_QUARTILES) * low, rounding),
                PW_SCALE(CERT_LARGEST_ERROR) * whole);
}

/* A force jumps where laws change: between such instants it may be simple and they may be near, so
 * that fewer rows tell more. */
static void find_force_noise(pw_samples *s, pw_data *data) {
  for (int i = 0; i < s->n_law && s->has_force; i++) {
    int column = 2 * s->nq + i;
    double few = usual_miss(s, 3, COLUMN, column, 0).low;
    double low = pw_min(grain_of(s, COLUMN, column).low, few);
    data->force_noise[i] = pw_max(data->force_noise[i], PW_SCALE(CERT_QUARTILES) * low);
    data->force_error[i] = pw_max(data->force_error[i], rounding_of(s, column));
  }
}

/* Positions and velocities that do not fit together are no noise, nor are jumps, which may be many.
 * Together, errors of velocities count as those of the positions that they make in the time between
 * two rows. */
static void find_grain(pw_samples *s) {
  pw_data *data = &s->c->data;
  const pw_motion_scale *whole = &s->c->scale;
  double low = grain_of(s, PLACES, 0).low, speed = 0;
  if (s->has_velocity) {
    double v = grain_of(s, SPEEDS, 0).low, together = grain_of(s, TOGETHER, 0).low;
    double apart = mean_step(s);
    low = pw_min(low, together);
    v = apart > 0 ? pw_min(v, PW_SCALE(CERT_TOGETHER) * together / apart) : 0;
    speed = apart > 0 ? error_of(v, roundings(s, s->nq), whole->fastest) : 0;
  }
  double place = error_of(low, roundings(s, 0), whole->L0);
  data->place_error = pw_max(data->place_error, place);
  data->speed_error = pw_max(data->speed_error, speed);
  double grain = pw_max(place / whole->L0, whole->fastest > 0 ? speed / whole->fastest : 0);
  data->grain = pw_max(data->grain, pw_max(grain, PW_SCALE(CERT_DIGIT)));
  data->noise = pw_max(data->noise, data->grain);
  find_force_noise(s, data);
}

/* prod |t_i - t_k| over the n rows before row i, each twice with velocities: what the first
 * derivative that a polynomial through them lacks is multiplied with. */
static double reach_of(const pw_samples *s, int i, int n) {
  double reach = 1;
  for (int k = i - n; k < i; k++) {
    double ahead = s->times[i] - s->times[k];
    reach *= s->has_velocity ? ahead * ahead : ahead;
  }
  return reach;
}

/* Part of such a miss that errors of the samples explain. */
static double blur_of(const pw_samples *s, int i, int n) {
  double apart = s->has_velocity ? mean_step(s) : 0;
  return PW_SCALE(CERT_MISS) * magnified(s, i, n, apart) * s->c->data.place_error +
         PW_SCALE(CERT_MISS_PLACE) * s->c->scale.L0;
}

/* Half of the rows have a derivative that is no larger, as far as errors of the samples tell. */
static double usual_derivative(pw_samples *s) {
  double *sorted = s->sorted, out = 0;
  int count = 0, n = pw_samples_used(s);
  for (int i = 0; i < s->n; i++) {
    double miss = miss_of(s, i, n);
    if (!isnan(miss)) {
      sorted[count++] = pw_max(miss - blur_of(s, i, n), 0) / reach_of(s, i, n);
    }
  }
  if (count > 0) {
    qsort(sorted, (size_t)count, sizeof *sorted, by_size);
    out = sorted[count / 2];
  }
  return out;
}

/* The first rows may be at rest, and exact, when digits that are missing show in later ones. */
void pw_samples_measure(pw_samples *s) {
  pawl_certifier *c = s->c;
  if (c->scale.L0 > 0 && c->data.find_noise) {
    find_grain(s);
  }
  if (!s->knows_typical) {
    s->typical = usual_derivative(s);
  }
  s->knows_typical = true;
}

/* Whether row i is where the rows before it do not lead. */
bool pw_samples_is_strange(pw_samples *s, int i) {
  int n = pw_samples_used(s);
  double miss = miss_of(s, i, n);
  return !isnan(miss) &&
         miss > PW_SCALE(CERT_STRANGE) * s->typical * reach_of(s, i, n) + blur_of(s, i, n);
}
