// SPDX-License-Identifier: MIT
#include "verify/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/real.h"
#include "law/scale_verify.h"
#include "verify/newton_fit.h"
#include "verify/stretch.h"

enum { ROOM = 1024, KEEP = 16 }; /* rows; rows kept for the next ones */
enum { LEFT_Q, LEFT_V, RIGHT_Q, RIGHT_V };

static void lay_out(pw_samples *s, pw_layout *l) {
  s->times = PW_LAY(l, ROOM, double);
  s->rows = PW_LAY(l, ROOM * s->width, double);
  for (int i = 0; i < 4; i++) {
    s->side[i] = PW_LAY(l, s->c->sys->nq, double); /* with multipliers that are states, 0 */
    s->fewer[i] = PW_LAY(l, s->c->sys->nq, double);
  }
  s->u = PW_LAY(l, s->c->sys->nv, double);
  s->sorted = PW_LAY(l, ROOM, double);
}

pawl_status pw_samples_begin(pw_samples *s, pawl_certifier *c, bool has_velocity, bool has_force) {
  *s = (pw_samples){.c = c, .has_velocity = has_velocity, .has_force = has_force};
  c->data.table = true;
  c->data.derived = !has_velocity;
  s->nq = c->sys->model->nq;
  s->n_law = c->sys->model->rows.n;
  s->width = 2 * (size_t)s->nq + (size_t)s->n_law + 1;
  pw_layout counts = {0};
  lay_out(s, &counts);
  s->memory = calloc(1, counts.size);
  if (s->memory == NULL) {
    return PAWL_E_MEMORY;
  }
  pw_layout l = pw_layout_in(s->memory);
  lay_out(s, &l);
  return PAWL_OK;
}

void pw_samples_free(pw_samples *s) {
  free(s->memory);
  s->memory = NULL;
}

static double *row_q(const pw_samples *s, int i) {
  return s->rows + (size_t)i * s->width;
}
static double *row_v(const pw_samples *s, int i) {
  return row_q(s, i) + s->nq;
}
static double *row_force(const pw_samples *s, int i) {
  return row_v(s, i) + s->nq;
}

/* q and -q are one orientation: the one nearer to that of the row before is meant. */
static void turn_sign(pw_samples *s, int i) {
  const pw_model *m = s->c->sys->model;
  for (int c = 0; c < m->coords.n && i > 0; c++) {
    const pw_coord *k = &m->coords.items[c];
    double *q = row_q(s, i) + k->q, sum = 0;
    const double *before = row_q(s, i - 1) + k->q;
    for (int j = 0; k->is_rotation && j < 4; j++) {
      sum += q[j] * before[j];
    }
    for (int j = 0; sum < 0 && j < 4; j++) {
      q[j] = -q[j];
    }
  }
}

/* ---- carrying on ---- */

/* Position and velocity at t from `count` rows beginning with row i. */
static void carry(const pw_samples *s, int i, int count, double t, double *q, double *v) {
  double x[PW_NEWTON_MOST], slope[PW_NEWTON_MOST];
  for (int k = 0; k < s->nq; k++) {
    for (int j = 0; j < count; j++) {
      x[j] = row_q(s, i + j)[k];
      slope[j] = row_v(s, i + j)[k];
    }
    pw_newton_fit(s->times + i, x, s->has_velocity ? slope : NULL, count, t, &q[k], &v[k], NULL);
  }
}

static int rows_used(const pw_samples *s) {
  return s->has_velocity ? 3 : 6;
}

/* sqrt(sum m (x - y)^2) with the masses of the first row; y NULL: 0. */
static double far(const pw_samples *s, const double *x, const double *y) {
  return pw_verify_distance(s->c->sys->model, s->c->scale.mass, x, y);
}

/* Two rows at one time: nothing is carried across them. */
static bool has_pair(const pw_samples *s, int first, int count) {
  for (int i = first; i + 1 < first + count; i++) {
    if (s->times[i] == s->times[i + 1]) {
      return true;
    }
  }
  return false;
}

/* Distance of row i from the extrapolation of the n rows before it; NAN: there are none. */
static double miss_of(pw_samples *s, int i, int n) {
  if (i - n < s->first || has_pair(s, i - n, n + 1)) {
    return NAN;
  }
  carry(s, i - n, n, s->times[i], s->side[LEFT_Q], s->side[LEFT_V]);
  return far(s, s->side[LEFT_Q], row_q(s, i));
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
  if (i - n < s->first || has_pair(s, i - n, n + 1)) {
    return NAN;
  }
  for (int k = 0; k < count; k++) {
    for (int j = 0; j < n; j++) {
      x[j] = row_q(s, i - n + j)[first + k];
    }
    pw_newton_fit(s->times + i - n, x, NULL, n, s->times[i], &s->side[LEFT_Q][k], &slope, NULL);
  }
  const double *now = row_q(s, i) + first;
  return of == COLUMN ? fabs(s->side[LEFT_Q][0] - now[0]) : far(s, s->side[LEFT_Q], now);
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
  double *error = s->fewer[RIGHT_V];
  for (int k = 0; k < s->nq; k++) {
    error[k] = rounding_of(s, first + k);
  }
  return far(s, error, NULL);
}

static double error_of(double low, double rounding, double whole) {
  return pw_min(pw_max(PW_SCALE(CERT_QUARTILES) * low, rounding),
                PW_SCALE(CERT_LARGEST_ERROR) * whole);
}

/* A force jumps where laws change: between such instants it may be simple and they may be near, so
 * that fewer rows tell more. */
static void find_force_noise(pw_samples *s) {
  pawl_certifier *c = s->c;
  for (int i = 0; i < s->n_law && s->has_force; i++) {
    int column = 2 * s->nq + i;
    double few = usual_miss(s, 3, COLUMN, column, 0).low;
    double low = pw_min(grain_of(s, COLUMN, column).low, few);
    c->data.force_noise[i] = pw_max(c->data.force_noise[i], PW_SCALE(CERT_QUARTILES) * low);
    c->data.force_error[i] = pw_max(c->data.force_error[i], rounding_of(s, column));
  }
}

/* Positions and velocities that do not fit together are no noise, nor are jumps, which may be many.
 * Together, errors of velocities count as those of the positions that they make in the time between
 * two rows. */
static void find_grain(pw_samples *s) {
  pawl_certifier *c = s->c;
  double low = grain_of(s, PLACES, 0).low, speed = 0;
  if (s->has_velocity) {
    double v = grain_of(s, SPEEDS, 0).low, together = grain_of(s, TOGETHER, 0).low;
    double apart = mean_step(s);
    low = pw_min(low, together);
    v = apart > 0 ? pw_min(v, PW_SCALE(CERT_TOGETHER) * together / apart) : 0;
    speed = apart > 0 ? error_of(v, roundings(s, s->nq), c->scale.fastest) : 0;
  }
  double place = error_of(low, roundings(s, 0), c->scale.L0);
  c->data.place_error = pw_max(c->data.place_error, place);
  c->data.speed_error = pw_max(c->data.speed_error, speed);
  double grain = pw_max(place / c->scale.L0, c->scale.fastest > 0 ? speed / c->scale.fastest : 0);
  c->data.grain = pw_max(c->data.grain, pw_max(grain, PW_SCALE(CERT_DIGIT)));
  c->data.noise = pw_max(c->data.noise, c->data.grain);
  find_force_noise(s);
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
  int count = 0, n = rows_used(s);
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
static void find_typical(pw_samples *s) {
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
static bool is_strange(pw_samples *s, int i) {
  int n = rows_used(s);
  double miss = miss_of(s, i, n);
  return !isnan(miss) &&
         miss > PW_SCALE(CERT_STRANGE) * s->typical * reach_of(s, i, n) + blur_of(s, i, n);
}

/* ---- instants between rows ---- */

/* Change of both sides with `less` rows fewer, of velocities; positions: place_doubt. */
static double less_says(pw_samples *s, int i, int less, double t) {
  int n = rows_used(s) - less;
  carry(s, i - n + 1, n, t, s->fewer[LEFT_Q], s->fewer[LEFT_V]);
  carry(s, i + 1, n, t, s->fewer[RIGHT_Q], s->fewer[RIGHT_V]);
  double places =
      far(s, s->side[LEFT_Q], s->fewer[LEFT_Q]) + far(s, s->side[RIGHT_Q], s->fewer[RIGHT_Q]);
  s->place_doubt = pw_max(s->place_doubt, places);
  return far(s, s->side[LEFT_V], s->fewer[LEFT_V]) + far(s, s->side[RIGHT_V], s->fewer[RIGHT_V]);
}

/* Both sides carried on to a time between rows i and i + 1, and how well that is known. One row
 * less may agree by chance. */
static double meet(pw_samples *s, int i, double t) {
  int n = rows_used(s);
  carry(s, i - n + 1, n, t, s->side[LEFT_Q], s->side[LEFT_V]);
  carry(s, i + 1, n, t, s->side[RIGHT_Q], s->side[RIGHT_V]);
  s->place_doubt = 0;
  double one = less_says(s, i, 1, t);
  return s->has_velocity ? one : pw_max(one, less_says(s, i, 2, t));
}

/* The time at which both sides are nearest to each other: Newton's steps for
 * (q_L - q_R) . (v_L - v_R) = 0 with the difference of velocities held. */
static double meeting_time(pw_samples *s, int i, double *doubt) {
  double t = (s->times[i] + s->times[i + 1]) / 2;
  for (int turn = 0; turn < 4; turn++) {
    *doubt = meet(s, i, t);
    double up = 0, down = 0;
    for (int k = 0; k < s->nq; k++) {
      double dv = s->side[LEFT_V][k] - s->side[RIGHT_V][k];
      up += (s->side[LEFT_Q][k] - s->side[RIGHT_Q][k]) * dv;
      down += dv * dv;
    }
    double next = down > 0 ? t - up / down : t;
    t = fmin(fmax(next, s->times[i]), s->times[i + 1]);
  }
  *doubt = meet(s, i, t);
  return t;
}

/* What accelerations on both sides do to the velocity in the time between the rows: a force that
 * sets in there makes no more of a difference. */
static double bends(pw_samples *s, int i, double t) {
  double dt = s->times[i + 1] - s->times[i];
  int n = rows_used(s);
  carry(s, i - n + 1, n, t - dt, s->fewer[LEFT_Q], s->fewer[LEFT_V]);
  carry(s, i + 1, n, t + dt, s->fewer[RIGHT_Q], s->fewer[RIGHT_V]);
  return far(s, s->side[LEFT_V], s->fewer[LEFT_V]) + far(s, s->side[RIGHT_V], s->fewer[RIGHT_V]);
}

/* Whether a law may strike where both sides meet, known up to what the jump goes in the time
 * between the rows. Else a jump must be beyond doubt; the balance of momentum tells what is. */
static bool may_strike(pw_samples *s, double t, double far_off) {
  const pw_system *sys = s->c->sys;
  double *q = s->fewer[LEFT_Q];
  bool any = false;
  memcpy(q, s->side[LEFT_Q], (size_t)s->nq * sizeof *q);
  pw_motion_error(sys->model, q, s->side[LEFT_V], s->u);
  if (!pw_probe_at(&s->c->probe, t, q, s->u)) {
    return true;
  }
  for (int i = sys->nc; i < sys->nr && !any; i++) {
    bool wall = sys->row[i].wall;
    any = wall &&
          (sys->row[i].on_velocity || s->c->probe.value[i] <= far_off * s->c->probe.length[i]);
  }
  return any;
}

/* A force that is a short pulse in time does the same, certificates (C29). */
static bool is_pulse(pw_samples *s, int i, double jump) {
  pw_row_view a = {.t = s->times[i]}, b = {.t = s->times[i + 1], .q = row_q(s, i + 1), .u = s->u};
  pw_motion_error(s->c->sys->model, b.q, s->side[RIGHT_V], s->u);
  return jump <= PW_SCALE(CERT_MARGIN) * pw_stretch_pulse(s->c, &a, &b);
}

/* One jump: both sides meet. Two within one interval make none. */
static bool jumps(pw_samples *s, int i, double *t) {
  double doubt;
  *t = meeting_time(s, i, &doubt);
  double apart = far(s, s->side[LEFT_Q], s->side[RIGHT_Q]);
  double jump = far(s, s->side[LEFT_V], s->side[RIGHT_V]), bend = bends(s, i, *t);
  (void)meet(s, i, *t);
  double dt = s->times[i + 1] - s->times[i];
  doubt += PW_SCALE(CERT_JUMP_ERRORS) * (s->c->data.place_error / dt + s->c->data.speed_error);
  s->doubt = doubt;
  double zero = PW_SCALE(CERT_ZERO) * s->c->scale.L0;
  if (apart > PW_SCALE(CERT_SMALL_PART) * jump * dt + doubt * dt + zero) {
    return false;
  }
  double least = PW_SCALE(CERT_JUMP_DOUBTS) * doubt + PW_SCALE(CERT_JUMP_BENDS) * bend;
  return jump > least && jump > PW_SCALE(CERT_NOISE_MARGIN) * s->c->data.noise * s->c->scale.V0 &&
         (jump > PW_SCALE(CERT_JUMP_CLEAR) * least || may_strike(s, *t, jump * dt + zero)) &&
         !is_pulse(s, i, jump);
}

/* ---- to the checker ---- */

static void put(pw_samples *s, double t, const double *q, const double *v, const double *force,
                double doubt, double place) {
  pw_motion_error(s->c->sys->model, q, v, s->u);
  pw_stream_put(s->c, t, q, s->u, s->has_force ? force : NULL, doubt, place);
}

/* Rows of the piece first .. last around i, three on a side or more where the other has fewer, none
 * much nearer to each other than rows are. */
static int around(const pw_samples *s, int first, int last, int i, int *row) {
  double apart = PW_SCALE(CERT_NEAR_ROWS) * (s->times[last] - s->times[first]) / (last - first);
  int n = 1, left = i, right = i;
  row[0] = i;
  for (int side = 0, idle = 0; n < 7 && idle < 2; side = !side) {
    int *end = side ? &right : &left, k = *end;
    do {
      k += side ? 1 : -1;
    } while (k >= first && k <= last && fabs(s->times[k] - s->times[*end]) < apart);
    bool found = k >= first && k <= last;
    if (found) {
      *end = row[n++] = k;
    }
    idle = found ? 0 : idle + 1;
  }
  return n;
}

/* The velocity of a row from the positions around it; returns how far it is from that of one row
 * less or two, for one of them may agree by chance. */
static double velocity_by(pw_samples *s, int first, int last, int i, double *v) {
  int row[7], n = around(s, first, last, i, row);
  PW_ASSERT(n >= 2); /* pieces of one row are not shown */
  double t[PW_NEWTON_MOST], x[PW_NEWTON_MOST], value;
  for (int k = 0; k < s->nq; k++) {
    for (int j = 0; j < n; j++) {
      t[j] = s->times[row[j]];
      x[j] = row_q(s, row[j])[k];
    }
    pw_newton_fit(t, x, NULL, n, s->times[i], &value, &v[k], NULL);
    pw_newton_fit(t, x, NULL, n > 4 ? n - 2 : n - 1, s->times[i], &value, &s->fewer[LEFT_V][k],
                  NULL);
    pw_newton_fit(t, x, NULL, n - 1, s->times[i], &value, &s->fewer[LEFT_Q][k], NULL);
  }
  int uneven = 0; /* one-sided formulas magnify errors more */
  for (int j = 1; j < n; j++) {
    uneven += row[j] > i ? 1 : -1;
  }
  double noise = ldexp(4, abs(uneven) / 2) * s->c->data.place_error / fabs(t[1] - t[0]);
  return pw_max(far(s, v, s->fewer[LEFT_V]), far(s, v, s->fewer[LEFT_Q])) + noise;
}

/* Beside a kink of the motion both may agree by chance at one row, not at its neighbours too. */
static double find_velocity(pw_samples *s, int first, int last, int i) {
  double doubt = velocity_by(s, first, last, i, row_v(s, i));
  for (int k = i - 1; k <= i + 1; k += 2) {
    if (k >= first && k <= last) {
      doubt = pw_max(doubt, velocity_by(s, first, last, k, s->fewer[RIGHT_V]));
    }
  }
  return doubt;
}

/* Rows up to `to`, of the piece that ends with `last`. */
static void show(pw_samples *s, int to, int last) {
  while (last > to && has_pair(s, to, last - to + 1)) { /* the piece ends before them */
    last--;
  }
  for (int i = s->shown; i <= to; i++) {
    if (!s->has_velocity && last - s->first < 2) {
      continue; /* of one or two rows nothing is known */
    }
    double doubt = s->has_velocity ? 0 : find_velocity(s, s->first, last, i);
    put(s, s->times[i], row_q(s, i), row_v(s, i), row_force(s, i), doubt, 0);
  }
  s->shown = to + 1 > s->shown ? to + 1 : s->shown;
}

/* How well the place of a jump is known: both sides by themselves, and as they move while its time
 * is off by what they are apart over the jump of the velocities. */
static double place_known(const pw_samples *s, double dt) {
  double sides = s->place_doubt + far(s, s->side[LEFT_Q], s->side[RIGHT_Q]);
  double jump = far(s, s->side[LEFT_V], s->side[RIGHT_V]);
  double speed = pw_max(far(s, s->side[LEFT_V], NULL), far(s, s->side[RIGHT_V], NULL));
  return sides * (1 + speed / jump) + s->doubt * dt + PW_SCALE(CERT_DIGIT) * s->c->scale.L0;
}

static void show_jump(pw_samples *s, int i, double t) {
  show(s, i, i);
  double place = place_known(s, s->times[i + 1] - s->times[i]);
  if (t > s->times[i]) {
    put(s, t, s->side[LEFT_Q], s->side[LEFT_V], row_force(s, i), s->doubt, place);
  } else {
    t = s->times[i];
  }
  put(s, t, s->side[RIGHT_Q], s->side[RIGHT_V], row_force(s, i + 1), s->doubt, place);
  s->first = i + 1;
  s->shown = t < s->times[i + 1] ? i + 1 : i + 2;
}

/* Something else happens between rows i and i + 1, after which the motion is smooth again: another
 * piece begins. */
static void show_break(pw_samples *s, int i) {
  show(s, i, i);
  pw_stream_cut(s->c);
  s->first = i + 1;
}

/* Drops rows that nothing needs any more. */
static void move_up(pw_samples *s) {
  int drop = s->shown - KEEP < 0 ? 0 : s->shown - KEEP;
  memmove(s->times, s->times + drop, (size_t)(s->n - drop) * sizeof *s->times);
  memmove(s->rows, row_q(s, drop), (size_t)(s->n - drop) * s->width * sizeof *s->rows);
  s->n -= drop;
  s->shown -= drop;
  s->first = s->first - drop < 0 ? 0 : s->first - drop;
}

/* Rows behind which enough others stand, or all at the end. */
static void pass_on(pw_samples *s, bool all) {
  int n = rows_used(s), last = s->n - 1;
  find_typical(s);
  int to = all ? last : last - KEEP, end = all ? last : last - n;
  for (int i = s->shown > 0 ? s->shown - 1 : 0; i < end; i++) {
    double t;
    bool pair = s->times[i + 1] == s->times[i];
    if (pair) {
      show(s, i, i);
      s->first = i + 1;
      continue;
    }
    bool strange = is_strange(s, i + 1);
    bool room = i - n + 1 >= s->first && i + n <= last && !has_pair(s, i - n + 1, 2 * n);
    if (strange && room && jumps(s, i, &t)) {
      show_jump(s, i, t);
    } else if (strange && room && s->c->data.find_noise && i + 1 + n <= last &&
               !is_strange(s, i + 1 + n)) {
      show_break(s, i);
    }
  }
  if (to >= s->shown) {
    show(s, to, all ? last : to + 4);
  }
  move_up(s);
}

void pw_samples_row(pw_samples *s, double t, const double *q, const double *u,
                    const double *force) {
  const pw_model *m = s->c->sys->model;
  if (s->n == ROOM) {
    pass_on(s, false);
  }
  s->times[s->n] = t;
  memcpy(row_q(s, s->n), q, (size_t)s->nq * sizeof *q);
  turn_sign(s, s->n);
  if (u != NULL) {
    memcpy(s->u, u, (size_t)m->nv * sizeof *u);
    pw_motion_into_body(m, q, s->u);
    pw_motion_rate(m, row_q(s, s->n), s->u, row_v(s, s->n));
  }
  if (force != NULL) {
    memcpy(row_force(s, s->n), force, (size_t)s->n_law * sizeof *force);
  }
  s->n++;
}

void pw_samples_end(pw_samples *s) {
  if (s->n > 0) {
    pass_on(s, true);
  }
}
