// SPDX-License-Identifier: MIT
/* The stream of rows, cut into smooth pieces: at instants with two rows, and where a law or a
 * switching surface changes its side. A long piece passes through the memory. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "verify/energy.h"
#include "verify/hold.h"
#include "verify/jump.h"
#include "verify/momentum.h"
#include "verify/multiplier.h"

enum { CAPACITY = 2048 };
enum { REACH = 2 << (PW_FIT_WIDTHS - 1) }; /* rows a window extends to a side */

/* ---- rows ---- */

void pw_stream_lay(pawl_certifier *c, pw_layout *l) {
  const pw_system *s = c->sys;
  size_t sides = (size_t)s->ni + (size_t)s->n_switch;
  c->stream.width = 2 * (size_t)s->nq + (size_t)s->nv + (size_t)s->model->rows.n + 2;
  c->stream.cap = CAPACITY;
  c->stream.times = PW_LAY(l, CAPACITY, double);
  c->stream.rows = PW_LAY(l, CAPACITY * c->stream.width, double);
  c->stream.trail = PW_LAY(l, 3 * c->stream.width, double);
  c->stream.sign = PW_LAY(l, sides, signed char);
  c->stream.sign_now = PW_LAY(l, sides, signed char);
}

static pw_row_view view(const pawl_certifier *c, double t, const double *x) {
  const double *u = x + 2 * c->sys->nq;
  const double *force = c->stream.has_force ? u + c->sys->nv : NULL;
  return (pw_row_view){
      t, x, x + c->sys->nq, u, force, x[c->stream.width - 2], x[c->stream.width - 1]};
}

bool pw_probe_row(pawl_certifier *c, const pw_row_view *row, double ahead) {
  if (c->sys->load.n > 0 && row->force != NULL) {
    pw_probe_loads(&c->probe, row->force);
  }
  return pw_probe_beside(&c->probe, row->t, row->q, row->u, ahead);
}

pw_row_view pw_row_at(const pawl_certifier *c, int i) {
  return view(c, c->stream.times[i], c->stream.rows + (size_t)i * c->stream.width);
}

/* Second differences of the multipliers that are states; of two rows, their difference. */
static void follow_states(pawl_certifier *c) {
  const pw_system *s = c->sys;
  int j = c->stream.n_row - 1;
  for (int k = 0; k < s->n_state; k++) {
    const double *x = c->stream.rows + (size_t)j * c->stream.width + s->model->nq + k;
    const double *y = j > 0 ? x - c->stream.width : x, *z = j > 1 ? y - c->stream.width : y;
    double dt = j > 0 ? c->stream.times[j] - c->stream.times[j - 1] : 0;
    double before = j > 1 ? c->stream.times[j - 1] - c->stream.times[j - 2] : 0;
    double slope = before > 0 ? (*y - *z) / before : 0;
    c->lambda.bend[k] = fabs(*x - *y - slope * dt);
    c->lambda.size[k] = pw_max(c->lambda.size[k], fabs(*x));
  }
}

static void put_row(pawl_certifier *c, double t, const double *q, const double *u,
                    const double *force, double doubt, double place) {
  const pw_system *s = c->sys;
  double *x = c->stream.rows + (size_t)c->stream.n_row * c->stream.width, *own = x + 2 * s->nq;
  c->stream.times[c->stream.n_row] = t;
  memcpy(x, q, (size_t)s->model->nq * sizeof *x);
  for (int k = 0; k < s->n_state; k++) {
    x[s->model->nq + k] = force == NULL ? 0 : force[s->row_of[s->state_row[k]]];
  }
  memcpy(own, u, (size_t)s->nv * sizeof *x);
  pw_motion_rate(s->model, x, own, x + s->nq);
  c->stream.has_force = force != NULL;
  c->stream.has_state = s->n_state > 0 && force != NULL;
  if (force != NULL) {
    memcpy(own + s->nv, force, (size_t)s->model->rows.n * sizeof *x);
  }
  x[c->stream.width - 2] = doubt;
  x[c->stream.width - 1] = place;
  c->stream.n_row++;
  follow_states(c);
  c->count.n_rows++;
  c->count.n_kept++;
}

/* Sides of kinks and surfaces at the newest row. */
static void find_signs(pawl_certifier *c) {
  const pw_system *s = c->sys;
  pw_row_view row = pw_row_at(c, c->stream.n_row - 1);
  if (s->ni + s->n_switch == 0) {
    return;
  }
  (void)pw_probe_gaps(&c->probe, row.t, row.q, row.u);
  pw_set_scale zero = pw_zero_scale(c, 0, 0);
  for (int i = 0; i < s->ni; i++) {
    bool velocity = s->row[s->nc + i].on_velocity;
    double tiny = c->scale.size_of[i] * (velocity ? zero.velocity : zero.position);
    double x = c->probe.value_of_gap[i];
    c->stream.sign_now[i] = x > tiny ? 1 : x < -tiny ? -1 : 0;
  }
  for (int k = 0; k < s->n_switch; k++) {
    bool table = s->surface[k].table >= 0; /* neighbours among the pieces have other marks */
    double side = c->probe.side[k], mark = table ? 2 + side - 64 * floor(side / 64) : side;
    c->stream.sign_now[s->ni + k] = (signed char)(mark > 0 ? mark : -1);
  }
}

/* ---- pieces ---- */

/* Every n-th row is used; n is larger where the rows were thinned out. */
static int64_t one_in(const pawl_certifier *c, int64_t rows) {
  return 1 + (int64_t)((double)(rows - 1) * (double)c->count.n_kept / (double)c->count.n_rows);
}

/* Looks at rows done .. to-1 of the piece. */
static void look(pawl_certifier *c, int to) {
  bool any = false;
  if (c->sys->n_state > 0 && !c->stream.has_state) {
    pw_multiplier_find(c, c->stream.done);
  }
  int64_t every = one_in(c, c->opts.instants), counts = one_in(c, c->count.counts);
  for (int j = c->stream.done; j < to; j++) {
    int64_t number = c->count.n_kept - c->stream.n_row + j;
    bool last = !any && j == to - 1 && c->stream.done == 0, counted = number % counts == 0 || last;
    if ((number % every == 0 || last) && c->stream.n_row > 1) {
      pw_verify_instant(c, j, counted);
      any = any || counted;
    }
  }
  c->stream.done = to > c->stream.done ? to : c->stream.done;
}

/* A row between two changes of side has no neighbours. */
static void end_piece(pawl_certifier *c) {
  if (c->stream.n_row == 1 && !c->stream.after_pair) {
    pw_verify_alone(c);
  } else {
    look(c, c->stream.n_row);
  }
}

/* The piece goes on, or begins anew, with row `first`. */
static void drop_rows(pawl_certifier *c, int first) {
  int left = c->stream.n_row - first;
  memmove(c->stream.rows, c->stream.rows + (size_t)first * c->stream.width,
          (size_t)left * c->stream.width * sizeof *c->stream.rows);
  memmove(c->stream.times, c->stream.times + first, (size_t)left * sizeof *c->stream.times);
  c->stream.n_row = left;
  c->stream.done = 0;
}

/* Of rows so close that errors of the samples are more than a hundred thousandth of the force in
 * the widest window, which is REACH / 2 of them wide, the newest makes room for the next one. */
static void thin_out(pawl_certifier *c) {
  if (c->stream.n_row < 3 || c->stream.pending || !(c->scale.L0 > 0)) {
    return;
  }
  double since = c->stream.times[c->stream.n_row - 1] - c->stream.times[c->stream.n_row - 2];
  if (!(since < c->scale.whole / (2 * PW_USUAL_ROWS)) || c->stream.done >= c->stream.n_row - 1) {
    return;
  }
  double rate =
      hypot(sqrt(pw_max(c->scale.F0, c->scale.pull) / c->scale.L0), c->scale.V0 / c->scale.L0);
  if (since * rate < sqrt(PW_SCALE(CERT_THIN) * c->data.noise) / (REACH / 2)) {
    pw_row_view row = pw_row_at(c, c->stream.n_row - 1);
    if (c->data.table && pw_probe_row(c, &row, 0)) {
      pw_verify_admissible(c, &row);
    }
    c->stream.n_row--;
    c->count.n_kept--;
  }
}

/* Makes room: drops rows that later windows do not need. */
static void make_room(pawl_certifier *c) {
  if (c->stream.n_row < c->stream.cap) {
    return;
  }
  look(c, c->stream.n_row - REACH);
  drop_rows(c, c->stream.done - REACH);
  c->stream.done = REACH;
}

/* At a kink (0) a row belongs to either side; of tables by others it is not known whether a law
 * sets in there. */
static bool same_sides(const pawl_certifier *c) {
  for (int i = 0; i < c->sys->ni + c->sys->n_switch; i++) {
    bool differ = c->data.find_noise ? c->stream.sign[i] != c->stream.sign_now[i]
                                     : c->stream.sign[i] * c->stream.sign_now[i] < 0;
    if (differ) {
      return false;
    }
  }
  return true;
}

/* The last side that is one. */
static void keep_sides(pawl_certifier *c, bool anew) {
  for (int i = 0; i < c->sys->ni + c->sys->n_switch; i++) {
    if (anew || c->data.find_noise || c->stream.sign_now[i] != 0) {
      c->stream.sign[i] = c->stream.sign_now[i];
    }
  }
}

/* The newest row is on another side than the piece before it: it begins another one. */
static void cut_piece(pawl_certifier *c, int last) {
  int rows = c->stream.n_row;
  c->stream.n_row = last;
  end_piece(c);
  c->stream.n_row = rows;
  drop_rows(c, last);
  c->stream.after_pair = false;
}

static void first_row(pawl_certifier *c) {
  pw_row_view row = pw_row_at(c, 0);
  memcpy(c->scale.first_q, row.q, (size_t)c->sys->nq * sizeof *row.q);
  if (pw_probe_row(c, &row, 0)) {
    pw_scale_row(c, &row);
    pw_verify_admissible(c, &row);
  }
}

/* A row on another side belongs to the piece all the same if the next one is its other side in
 * time, as does the row after an instant. */
static void next_row(pawl_certifier *c) {
  if (c->count.n_rows == 1) {
    first_row(c);
  }
  find_signs(c);
  if (c->stream.pending) {
    c->stream.pending = false;
    cut_piece(c, c->stream.n_row - 2);
  }
  if (c->stream.n_row > 1) {
    pw_verify_step(c);
    pw_verify_hold(c);
  }
  if (c->stream.cut && c->stream.n_row > 1) {
    cut_piece(c, c->stream.n_row - 1);
  }
  c->stream.cut = false;
  if (c->stream.n_row > 1) {
    bool fresh = c->stream.n_row == 2 && c->stream.after_pair;
    c->stream.pending = !fresh && !same_sides(c);
  }
}

/* Of three rows whose positions are compared none is much nearer to one neighbour than to the
 * other: the next row makes up for it. */
static bool trail_is_even(pawl_certifier *c) {
  double p = c->stream.trail_t[1] - c->stream.trail_t[0],
         r = c->stream.trail_t[2] - c->stream.trail_t[1];
  if (p < PW_SCALE(CERT_UNEVEN) * r) {
    memcpy(c->stream.trail + c->stream.width, c->stream.trail + 2 * c->stream.width,
           c->stream.width * sizeof *c->stream.trail);
    c->stream.trail_t[1] = c->stream.trail_t[2];
  }
  bool even = p >= PW_SCALE(CERT_UNEVEN) * r && r >= PW_SCALE(CERT_UNEVEN) * p;
  c->stream.n_trail = even ? 3 : 2;
  return even;
}

static bool has_walls(const pw_system *s) {
  bool any = false;
  for (int k = 0; k < s->ni; k++) {
    any = any || (s->law[k].wall && !s->row[s->nc + k].on_velocity);
  }
  return any;
}

/* The newest row duplicates the previous one: programs write the row of an event beside one of
 * their grid. Over so short a time the change of the momentum is rounding. */
static bool is_told_twice(const pawl_certifier *c) {
  const pw_system *s = c->sys;
  if (c->stream.n_trail == 0 || c->data.derived) {
    return false;
  }
  int last = c->stream.n_trail - 1;
  const double *u =
      view(c, c->stream.trail_t[last], c->stream.trail + (size_t)last * c->stream.width).u;
  pw_row_view now = pw_row_at(c, c->stream.n_row - 1);
  double sum = 0;
  for (int i = 0; i < s->nv; i++) {
    sum += pow(c->scale.mass[i] * (now.u[i] - u[i]), 2);
  }
  return now.t - c->stream.trail_t[last] < PW_SCALE(CERT_TWIN_ROWS) * c->opts.every &&
         sqrt(sum) < c->opts.tol * c->scale.V0;
}

/* The stretch that ends with the newest row; after a pair another one begins. */
static pw_between balance(pawl_certifier *c, bool pair) {
  c->stream.n_trail = pair ? 0 : c->stream.n_trail;
  if (is_told_twice(c)) {
    return PW_SMOOTH;
  }
  if (c->stream.n_trail == 3) {
    memmove(c->stream.trail, c->stream.trail + c->stream.width,
            2 * c->stream.width * sizeof *c->stream.trail);
    memmove(c->stream.trail_t, c->stream.trail_t + 1, 2 * sizeof *c->stream.trail_t);
    c->stream.n_trail = 2;
  }
  memcpy(c->stream.trail + (size_t)c->stream.n_trail * c->stream.width,
         c->stream.rows + (size_t)(c->stream.n_row - 1) * c->stream.width,
         c->stream.width * sizeof *c->stream.trail);
  c->stream.trail_t[c->stream.n_trail++] = c->stream.times[c->stream.n_row - 1];
  pw_row_view row[3];
  for (int k = 0; k < c->stream.n_trail; k++) {
    row[k] = view(c, c->stream.trail_t[k], c->stream.trail + (size_t)k * c->stream.width);
  }
  int n = c->stream.n_trail;
  pw_between unknown = has_walls(c->sys) ? PW_MAY_STRIKE : PW_SMOOTH;
  if (c->data.derived) {
    bool known = n == 3 && trail_is_even(c);
    return known ? pw_verify_balance(c, &row[0], &row[1], &row[2]) : unknown;
  }
  return n < 2 ? PW_SMOOTH : pw_verify_balance(c, &row[n - 2], NULL, &row[n - 1]);
}

/* Where nothing can do work, the energy of every n-th row is enough. Work needs some of the rows in
 * between as well. */
static void weigh_energy(pawl_certifier *c, bool smooth) {
  pw_row_view row = pw_row_at(c, c->stream.n_row - 1);
  if (!smooth) {
    pw_energy_cut(c);
  }
  int64_t every = c->energy.idle ? c->opts.instants : (c->opts.instants + 1) / 2;
  if (!smooth || c->count.n_rows % every == 0) {
    pw_energy_put(c, &row);
  }
}

void pw_stream_put(pawl_certifier *c, double t, const double *q, const double *u,
                   const double *force, double doubt, double place) {
  bool pair = c->stream.any_row && t == c->stream.last_time, smooth = !c->stream.cut;
  pw_owed_settle(c, t);
  c->stream.any_row = true;
  c->stream.last_time = t;

  /* two rows at one time are a jump, others go on with the piece */
  if (pair) {
    end_piece(c);
    drop_rows(c, c->stream.n_row - 1);
    put_row(c, t, q, u, force, doubt, place);
    pw_row_view before = pw_row_at(c, 0), after = pw_row_at(c, 1);
    pw_verify_corner(c, &before, &after);
    drop_rows(c, 1);
    c->stream.pending = false;
    c->stream.after_pair = true;
    find_signs(c);
  } else {
    thin_out(c);
    make_room(c);
    put_row(c, t, q, u, force, doubt, place);
    next_row(c);
  }

  /* balances over the time since the last row */
  keep_sides(c, pair);
  if (c->data.table) {
    pw_between way = balance(c, pair);
    smooth = smooth && way == PW_SMOOTH;
    if (way == PW_STRIKES && !c->data.derived && c->data.find_noise && c->stream.n_row > 1) {
      c->stream.pending = false;
      cut_piece(c, c->stream.n_row - 1); /* no fit is made across it */
    }
  }
  weigh_energy(c, smooth && !pair);

  /* varied curves take the row as well */
  if (c->vary != NULL) {
    c->vary->near = pw_zero_scale(c, 0, 0).position;
    if (pw_vary_put(c->vary, t, pw_row_at(c, c->stream.n_row - 1).q, u) != PAWL_OK) {
      pawl_vary_free(c->vary);
      c->vary = NULL;
    }
  }
}

void pw_stream_cut(pawl_certifier *c) {
  c->stream.cut = true;
}

void pw_stream_end(pawl_certifier *c) {
  if (c->stream.pending) {
    cut_piece(c, c->stream.n_row - 1);
  }
  if (c->stream.n_row > 0) {
    end_piece(c);
  }
}
