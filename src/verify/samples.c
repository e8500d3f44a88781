// SPDX-License-Identifier: MIT
#include "verify/samples_known.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/real.h"
#include "law/scale_verify.h"
#include "verify/newton_fit.h"
#include "verify/stretch.h"

enum { ROOM = 1024, KEEP = 16 }; /* rows; rows kept for the next ones */

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
  pw_data *data = &c->data;
  data->table = true;
  data->derived = !has_velocity;
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

/* q and -q are one orientation: the one nearer to that of the row before is meant. */
static void turn_sign(pw_samples *s, int i) {
  const pw_model *m = s->c->sys->model;
  for (int c = 0; c < m->coords.n && i > 0; c++) {
    const pw_coord *k = &m->coords.items[c];
    double *q = pw_samples_q(s, i) + k->q, sum = 0;
    const double *before = pw_samples_q(s, i - 1) + k->q;
    for (int j = 0; k->is_rotation && j < 4; j++) {
      sum += q[j] * before[j];
    }
    for (int j = 0; sum < 0 && j < 4; j++) {
      q[j] = -q[j];
    }
  }
}

/* ---- instants between rows ---- */

/* Change of both sides with `less` rows fewer, of velocities; positions: place_doubt. */
static double less_says(pw_samples *s, int i, int less, double t) {
  int n = pw_samples_used(s) - less;
  pw_samples_carry(s, i - n + 1, n, t, s->fewer[PW_LEFT_Q], s->fewer[PW_LEFT_V]);
  pw_samples_carry(s, i + 1, n, t, s->fewer[PW_RIGHT_Q], s->fewer[PW_RIGHT_V]);
  double places = pw_samples_apart(s, s->side[PW_LEFT_Q], s->fewer[PW_LEFT_Q]) +
                  pw_samples_apart(s, s->side[PW_RIGHT_Q], s->fewer[PW_RIGHT_Q]);
  s->place_doubt = pw_max(s->place_doubt, places);
  return pw_samples_apart(s, s->side[PW_LEFT_V], s->fewer[PW_LEFT_V]) +
         pw_samples_apart(s, s->side[PW_RIGHT_V], s->fewer[PW_RIGHT_V]);
}

/* Both sides carried on to a time between rows i and i + 1, and how well that is known. One row
 * less may agree by chance. */
static double meet(pw_samples *s, int i, double t) {
  int n = pw_samples_used(s);
  pw_samples_carry(s, i - n + 1, n, t, s->side[PW_LEFT_Q], s->side[PW_LEFT_V]);
  pw_samples_carry(s, i + 1, n, t, s->side[PW_RIGHT_Q], s->side[PW_RIGHT_V]);
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
      double dv = s->side[PW_LEFT_V][k] - s->side[PW_RIGHT_V][k];
      up += (s->side[PW_LEFT_Q][k] - s->side[PW_RIGHT_Q][k]) * dv;
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
  int n = pw_samples_used(s);
  pw_samples_carry(s, i - n + 1, n, t - dt, s->fewer[PW_LEFT_Q], s->fewer[PW_LEFT_V]);
  pw_samples_carry(s, i + 1, n, t + dt, s->fewer[PW_RIGHT_Q], s->fewer[PW_RIGHT_V]);
  return pw_samples_apart(s, s->side[PW_LEFT_V], s->fewer[PW_LEFT_V]) +
         pw_samples_apart(s, s->side[PW_RIGHT_V], s->fewer[PW_RIGHT_V]);
}

/* Whether a law may strike where both sides meet, known up to what the jump goes in the time
 * between the rows. Else a jump must be beyond doubt; the balance of momentum tells what is. */
static bool may_strike(pw_samples *s, double t, double far_off) {
  const pw_system *sys = s->c->sys;
  double *q = s->fewer[PW_LEFT_Q];
  bool any = false;
  memcpy(q, s->side[PW_LEFT_Q], (size_t)s->nq * sizeof *q);
  pw_motion_error(sys->model, q, s->side[PW_LEFT_V], s->u);
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
  pw_row_view a = {.t = s->times[i]},
              b = {.t = s->times[i + 1], .q = pw_samples_q(s, i + 1), .u = s->u};
  pw_motion_error(s->c->sys->model, b.q, s->side[PW_RIGHT_V], s->u);
  return jump <= PW_SCALE(CERT_MARGIN) * pw_stretch_pulse(s->c, &a, &b);
}

/* One jump: both sides meet. Two within one interval make none. */
static bool jumps(pw_samples *s, int i, double *t) {
  double doubt;
  *t = meeting_time(s, i, &doubt);
  double apart = pw_samples_apart(s, s->side[PW_LEFT_Q], s->side[PW_RIGHT_Q]);
  double jump = pw_samples_apart(s, s->side[PW_LEFT_V], s->side[PW_RIGHT_V]),
         bend = bends(s, i, *t);
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
      x[j] = pw_samples_q(s, row[j])[k];
    }
    pw_newton_fit(t, x, NULL, n, s->times[i], &value, &v[k], NULL);
    pw_newton_fit(t, x, NULL, n > 4 ? n - 2 : n - 1, s->times[i], &value, &s->fewer[PW_LEFT_V][k],
                  NULL);
    pw_newton_fit(t, x, NULL, n - 1, s->times[i], &value, &s->fewer[PW_LEFT_Q][k], NULL);
  }
  int uneven = 0; /* one-sided formulas magnify errors more */
  for (int j = 1; j < n; j++) {
    uneven += row[j] > i ? 1 : -1;
  }
  double noise = ldexp(4, abs(uneven) / 2) * s->c->data.place_error / fabs(t[1] - t[0]);
  return pw_max(pw_samples_apart(s, v, s->fewer[PW_LEFT_V]),
                pw_samples_apart(s, v, s->fewer[PW_LEFT_Q])) +
         noise;
}

/* Beside a kink of the motion both may agree by chance at one row, not at its neighbours too. */
static double find_velocity(pw_samples *s, int first, int last, int i) {
  double doubt = velocity_by(s, first, last, i, pw_samples_v(s, i));
  for (int k = i - 1; k <= i + 1; k += 2) {
    if (k >= first && k <= last) {
      doubt = pw_max(doubt, velocity_by(s, first, last, k, s->fewer[PW_RIGHT_V]));
    }
  }
  return doubt;
}

/* A break between rows i and i + side may be on the wrong side of row i, if row i is off by too
 * little to be strange. Say a derivative of order m jumps at the time d from row i, which is h from
 * its neighbour across the break: then that neighbour is off by D = J (d + h)^m/m! from the rows on
 * this side of row i, and the velocity of row i by J d^(m-1)/(m-1)!. That is at most D/h for every
 * d and m. */
static double misplaced_break(pw_samples *s, int i, int side) {
  int n = pw_samples_used(s), from = side > 0 ? i - n : i + 1;
  if (s->has_velocity || from < 0 || from + n > s->n || pw_samples_have_pair(s, from, n)) {
    return 0;
  }
  pw_samples_carry(s, from, n, s->times[i + side], s->fewer[PW_LEFT_Q], s->fewer[PW_LEFT_V]);
  double off = pw_samples_apart(s, s->fewer[PW_LEFT_Q], pw_samples_q(s, i + side));
  return off / fabs(s->times[i + side] - s->times[i]);
}

/* Rows up to `to`, of the piece that ends with `last`; breaks: something happens behind `to`. */
static void show(pw_samples *s, int to, int last, bool breaks) {
  while (last > to && pw_samples_have_pair(s, to, last - to + 1)) { /* the piece ends before them */
    last--;
  }
  for (int i = s->shown; i <= to; i++) {
    if (!s->has_velocity && last - s->first < 2) {
      continue; /* of one or two rows nothing is known */
    }
    double doubt = s->has_velocity ? 0 : find_velocity(s, s->first, last, i);
    doubt += breaks && i == to ? misplaced_break(s, i, 1) : 0;
    doubt += s->broken && i == s->first ? misplaced_break(s, i, -1) : 0;
    put(s, s->times[i], pw_samples_q(s, i), pw_samples_v(s, i), pw_samples_force(s, i), doubt, 0);
  }
  s->shown = to + 1 > s->shown ? to + 1 : s->shown;
}

/* How well the place of a jump is known: both sides by themselves, and as they move while its time
 * is off by what they are apart over the jump of the velocities. */
static double place_known(const pw_samples *s, double dt) {
  double sides = s->place_doubt + pw_samples_apart(s, s->side[PW_LEFT_Q], s->side[PW_RIGHT_Q]);
  double jump = pw_samples_apart(s, s->side[PW_LEFT_V], s->side[PW_RIGHT_V]);
  double speed = pw_max(pw_samples_apart(s, s->side[PW_LEFT_V], NULL),
                        pw_samples_apart(s, s->side[PW_RIGHT_V], NULL));
  return sides * (1 + speed / jump) + s->doubt * dt + PW_SCALE(CERT_DIGIT) * s->c->scale.L0;
}

static void show_jump(pw_samples *s, int i, double t) {
  show(s, i, i, false);
  double place = place_known(s, s->times[i + 1] - s->times[i]);
  if (t > s->times[i]) {
    put(s, t, s->side[PW_LEFT_Q], s->side[PW_LEFT_V], pw_samples_force(s, i), s->doubt, place);
  } else {
    t = s->times[i];
  }
  put(s, t, s->side[PW_RIGHT_Q], s->side[PW_RIGHT_V], pw_samples_force(s, i + 1), s->doubt, place);
  s->first = i + 1;
  s->broken = false;
  s->shown = t < s->times[i + 1] ? i + 1 : i + 2;
}

/* Something else happens between rows i and i + 1, after which the motion is smooth again: another
 * piece begins. */
static void show_break(pw_samples *s, int i) {
  show(s, i, i, true);
  pw_stream_cut(s->c);
  s->first = i + 1;
  s->broken = true;
}

/* Drops rows that nothing needs any more. */
static void move_up(pw_samples *s) {
  int drop = s->shown - KEEP < 0 ? 0 : s->shown - KEEP;
  memmove(s->times, s->times + drop, (size_t)(s->n - drop) * sizeof *s->times);
  memmove(s->rows, pw_samples_q(s, drop), (size_t)(s->n - drop) * s->width * sizeof *s->rows);
  s->n -= drop;
  s->shown -= drop;
  s->first = s->first - drop < 0 ? 0 : s->first - drop;
}

/* Rows behind which enough others stand, or all at the end. */
static void pass_on(pw_samples *s, bool all) {
  int n = pw_samples_used(s), last = s->n - 1;
  pw_samples_measure(s);
  int to = all ? last : last - KEEP, end = all ? last : last - n;
  for (int i = s->shown > 0 ? s->shown - 1 : 0; i < end; i++) {
    double t;
    bool pair = s->times[i + 1] == s->times[i];
    if (pair) {
      show(s, i, i, false);
      s->first = i + 1;
      s->broken = false;
      continue;
    }
    bool strange = pw_samples_is_strange(s, i + 1);
    bool room =
        i - n + 1 >= s->first && i + n <= last && !pw_samples_have_pair(s, i - n + 1, 2 * n);
    if (strange && room && jumps(s, i, &t)) {
      show_jump(s, i, t);
    } else if (strange && room && s->c->data.find_noise && i + 1 + n <= last &&
               !pw_samples_is_strange(s, i + 1 + n)) {
      show_break(s, i);
    }
  }
  if (to >= s->shown) {
    show(s, to, all ? last : to + 4, false);
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
  memcpy(pw_samples_q(s, s->n), q, (size_t)s->nq * sizeof *q);
  turn_sign(s, s->n);
  if (u != NULL) {
    memcpy(s->u, u, (size_t)m->nv * sizeof *u);
    pw_motion_into_body(m, q, s->u);
    pw_motion_rate(m, pw_samples_q(s, s->n), s->u, pw_samples_v(s, s->n));
  }
  if (force != NULL) {
    memcpy(pw_samples_force(s, s->n), force, (size_t)s->n_law * sizeof *force);
  }
  s->n++;
}

void pw_samples_end(pw_samples *s) {
  if (s->n > 0) {
    pass_on(s, true);
  }
}
