// SPDX-License-Identifier: MIT
/* The stream of rows, cut into smooth pieces: at instants with two rows, and where a law or a
 * switching surface changes its side. Memory is taken once; a long piece passes through it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/real.h"
#include "verify/energy.h"
#include "verify/hold.h"
#include "verify/jump.h"
#include "verify/momentum.h"
#include "verify/multiplier.h"
#include "verify/strike.h"

enum { CAPACITY = 2048, USUAL_ROWS = 2000 };
enum { REACH = 2 << (PW_FIT_WIDTHS - 1) }; /* rows a window extends to a side */

/* ---- making ---- */

typedef struct sizes {
  size_t probe, reach, work, replay, real, whole, bytes;
} sizes;

static sizes measure(const pw_system *s, int most) {
  size_t nv = (size_t)s->nv, nq = (size_t)s->nq, nr = (size_t)s->nr;
  pw_probe probe;
  sizes z = {.probe = pw_probe_init(&probe, s, NULL), .reach = pw_reach_doubles(s->nv, most)};
  z.work = 3 * PW_FIT_WIDTHS * nv + 2 * nr + 4 * nv + 8;
  size_t scratch = 3 * nq + 2 * nv + 8;
  size_t width = 2 * nq + nv + (size_t)s->model->rows.n + 2;
  z.replay = pw_replay_doubles(s);
  z.real = z.probe + z.reach + z.work + z.replay + scratch + (CAPACITY + 3) * (width + 1) +
           pw_balance_doubles(s) + pw_energy_doubles(s) + pw_hold_doubles(s) + 3 * (size_t)s->ni +
           2 * nq + 10 * nv + 3 * (size_t)s->n_state + pw_multiplier_doubles(s) +
           4 * (nq + (size_t)s->model->rows.n) + 8;
  z.whole = pw_reach_ints(s->nv, most) + pw_replay_ints(s) + pw_hold_ints(s);
  z.bytes =
      pw_reach_bytes(most) + pw_replay_bytes(s) + 3 * ((size_t)s->ni + (size_t)s->n_switch + 1);
  return z;
}

static void lay_out(pawl_certifier *c, const sizes *z, int most, double *real) {
  const pw_system *s = c->sys;
  int *whole = (int *)(real + z->real);
  signed char *bytes = (signed char *)(whole + z->whole);
  pw_probe_init(&c->probe, s, real);
  real += z->probe;
  pw_reach_init(&c->reach, s->nv, most, real, whole, bytes);
  real += z->reach;
  bytes += pw_reach_bytes(most);
  c->work = real;
  real += z->work;
  pw_replay_init(c, real, whole + pw_reach_ints(s->nv, most), bytes);
  bytes += pw_replay_bytes(s);
  real += z->replay;
  c->sign = bytes;
  c->sign_now = bytes + s->ni + s->n_switch + 1;
  c->stays = c->sign_now + s->ni + s->n_switch + 1;
  c->scratch = real;
  real += 3 * s->nq + 2 * s->nv + 8;
  c->width = 2 * (size_t)s->nq + (size_t)s->nv + (size_t)s->model->rows.n + 2;
  c->times = real;
  real += CAPACITY;
  c->rows = real;
  real += CAPACITY * c->width;
  c->trail = real;
  real += 3 * c->width;
  c->balance = real;
  real += pw_balance_doubles(s);
  c->hold = pw_hold_doubles(s) > 0 ? real : NULL;
  c->hold_row = whole + z->whole - pw_hold_ints(s);
  real += pw_hold_doubles(s);
  c->force_error = real;
  c->force_noise = c->force_error + s->model->rows.n;
  c->digit = c->force_noise + s->model->rows.n;
  c->still_digit = c->digit + 2 * s->model->nq + s->model->rows.n;
  real = c->still_digit + 2 * s->model->nq + s->model->rows.n;
  pw_energy_init(&c->energy, s, real);
  real += pw_energy_doubles(s);
  c->size_of = real;
  real += s->ni;
  c->first_q = real;
  c->mass = real + s->nq;
  c->u_body = c->mass + s->nv;
  c->against = c->u_body + s->nv;
  c->state_rate = c->against + s->nv;
  c->state_bend = c->state_rate + s->n_state;
  c->state_size = c->state_bend + s->n_state;
  c->shaken = c->state_size + s->n_state;
  c->last_bend = c->shaken + s->nq + 5 * s->nv + 2 * s->ni;
  pw_multiplier_init(c, c->last_bend + s->nv);
  c->cap = CAPACITY;
}

static pawl_certify_opts complete(const pw_model *m, const pawl_certify_opts *given) {
  pawl_certify_opts o = given == NULL ? (pawl_certify_opts){0} : *given;
  o.tol = o.tol > 0 ? o.tol : 1e-6;
  o.noise = o.noise > 0 ? o.noise : 1e-9;
  o.instants = o.instants > 0 ? o.instants : 1;
  if (!(o.to > o.from)) {
    o.from = m->run.from;
    o.to = m->run.to;
  }
  for (int i = 0; i < m->run.n_option; i++) {
    const struct pw_run_option *x = &m->run.options[i];
    bool given_here = x->choice != NULL && strcmp(x->word, "impacts") == 0;
    o.sequential = o.sequential || (given_here && strcmp(x->choice, "sequential") == 0);
  }
  return o;
}

pawl_status pawl_certify_new(const pawl_system *system, const pawl_certify_opts *opts,
                             pawl_certifier **out) {
  if (out != NULL) {
    *out = NULL;
  }
  if (system == NULL || out == NULL) {
    return PAWL_E_ARGUMENT;
  }
  pawl_certifier *c = calloc(1, sizeof *c);
  if (c == NULL) {
    return PAWL_E_MEMORY;
  }
  c->system = pw_system_keep(system);
  c->sys = system->sys;
  c->opts = complete(system->model, opts);
  c->span = c->opts.to > c->opts.from ? c->opts.to - c->opts.from : 1;
  c->whole = c->span;
  if (c->opts.every > 0) {
    c->span = pw_min(c->span, USUAL_ROWS * c->opts.every);
  }
  c->counts = c->opts.instants;
  c->subclass = "";
  c->against_t = NAN;
  c->unjudged = NAN;
  c->no_numbers = NAN;
  for (int i = 0; i < PW_FINDINGS; i++) {
    c->found[i] = (pw_verify_found){.t = NAN, .law = -1, .tolerance = 1};
  }
  if (c->sys == NULL) { /* a model that has no motions */
    c->over = true;
    *out = c;
    return PAWL_OK;
  }
  int most = pw_set_columns(c->sys);
  sizes z = measure(c->sys, most);
  double *memory = calloc(1, z.real * sizeof(double) + z.whole * sizeof(int) + z.bytes);
  c->corner = calloc(PW_CORNERS_KEPT, sizeof *c->corner);
  c->strike = pw_strike_room_new(c->sys);
  if (memory == NULL || c->corner == NULL || c->strike == NULL) {
    free(memory);
    pawl_certify_free(c);
    return PAWL_E_MEMORY;
  }
  c->memory = memory;
  lay_out(c, &z, most, memory);
  *out = c;
  return PAWL_OK;
}

void pawl_certify_free(pawl_certifier *c) {
  if (c != NULL) {
    free(c->memory);
    free(c->strike);
    free(c->corner);
    pawl_vary_free(c->vary);
    pw_family_free(&c->family);
    pw_system_drop(c->system);
    free(c);
  }
}

void pw_found_note(pawl_certifier *c, pw_finding_kind kind, double value, double tolerance,
                   double t, int law) {
  pw_verify_found *f = &c->found[kind];
  if (isnan(f->t) || isnan(value) || value * f->tolerance > f->value * tolerance) {
    *f = (pw_verify_found){isnan(value) ? INFINITY : value, tolerance, t, law};
  }
}

void pw_found_judge(pawl_certifier *c, pw_finding_kind kind, double value, double floor, double t,
                    int law) {
  double tolerance = c->opts.tol + 10 * floor;
  if (!(floor <= PW_BLIND)) {
    return;
  }
  if (!(value <= tolerance) || 10 * floor <= PW_SEEN) {
    pw_found_note(c, kind, value, tolerance, t, law);
  }
}

/* ---- rows ---- */

static pw_row_view view(const pawl_certifier *c, double t, const double *x) {
  const double *u = x + 2 * c->sys->nq;
  const double *force = c->has_force ? u + c->sys->nv : NULL;
  return (pw_row_view){t, x, x + c->sys->nq, u, force, x[c->width - 2], x[c->width - 1]};
}

pw_row_view pw_row_at(const pawl_certifier *c, int i) {
  return view(c, c->times[i], c->rows + (size_t)i * c->width);
}

/* Second differences of the multipliers that are states; of two rows, their difference. */
static void follow_states(pawl_certifier *c) {
  const pw_system *s = c->sys;
  int j = c->n_row - 1;
  for (int k = 0; k < s->n_state; k++) {
    const double *x = c->rows + (size_t)j * c->width + s->model->nq + k;
    const double *y = j > 0 ? x - c->width : x, *z = j > 1 ? y - c->width : y;
    double dt = j > 0 ? c->times[j] - c->times[j - 1] : 0;
    double before = j > 1 ? c->times[j - 1] - c->times[j - 2] : 0;
    double slope = before > 0 ? (*y - *z) / before : 0;
    c->state_bend[k] = fabs(*x - *y - slope * dt);
    c->state_size[k] = pw_max(c->state_size[k], fabs(*x));
  }
}

static void put_row(pawl_certifier *c, double t, const double *q, const double *u,
                    const double *force) {
  const pw_system *s = c->sys;
  double *x = c->rows + (size_t)c->n_row * c->width, *own = x + 2 * s->nq;
  c->times[c->n_row] = t;
  memcpy(x, q, (size_t)s->model->nq * sizeof *x);
  for (int k = 0; k < s->n_state; k++) {
    x[s->model->nq + k] = force == NULL ? 0 : force[s->row_of[s->state_row[k]]];
  }
  memcpy(own, u, (size_t)s->nv * sizeof *x);
  pw_motion_rate(s->model, x, own, x + s->nq);
  c->has_force = force != NULL;
  c->has_state = s->n_state > 0 && force != NULL;
  if (force != NULL) {
    memcpy(own + s->nv, force, (size_t)s->model->rows.n * sizeof *x);
  }
  x[c->width - 2] = c->slack;
  x[c->width - 1] = c->slack_place;
  c->n_row++;
  follow_states(c);
  c->n_rows++;
  c->n_kept++;
}

/* Sides of kinks and surfaces at the newest row. */
static void find_signs(pawl_certifier *c) {
  const pw_system *s = c->sys;
  pw_row_view row = pw_row_at(c, c->n_row - 1);
  if (s->ni + s->n_switch == 0) {
    return;
  }
  (void)pw_probe_gaps(&c->probe, row.t, row.q, row.u);
  pw_set_scale zero = pw_zero_scale(c, 0, 0);
  for (int i = 0; i < s->ni; i++) {
    bool velocity = pw_row_on_velocity(s, s->nc + i);
    double tiny = c->size_of[i] * (velocity ? zero.velocity : zero.position);
    double x = c->probe.value_of_gap[i];
    c->sign_now[i] = x > tiny ? 1 : x < -tiny ? -1 : 0;
  }
  for (int k = 0; k < s->n_switch; k++) {
    c->sign_now[s->ni + k] = c->probe.side[k] > 0 ? 1 : -1;
  }
}

/* ---- pieces ---- */

/* One row in so many; of rows that were thinned out, more. */
static long one_in(const pawl_certifier *c, long rows) {
  return 1 + (long)((double)(rows - 1) * (double)c->n_kept / (double)c->n_rows);
}

/* Looks at rows done .. to-1 of the piece. */
static void look(pawl_certifier *c, int to) {
  bool any = false;
  if (c->sys->n_state > 0 && !c->has_state) {
    pw_multiplier_find(c, c->done);
  }
  long every = one_in(c, c->opts.instants), counts = one_in(c, c->counts);
  for (int j = c->done; j < to; j++) {
    long number = c->n_kept - c->n_row + j;
    bool last = !any && j == to - 1 && c->done == 0, counted = number % counts == 0 || last;
    c->uncounted = !counted;
    if ((number % every == 0 || last) && c->n_row > 1) {
      pw_verify_instant(c, j);
      any = any || counted;
    }
  }
  c->done = to > c->done ? to : c->done;
}

/* A row between two changes of side has no neighbours to be compared with. */
static void end_piece(pawl_certifier *c) {
  if (c->n_row == 1 && !c->after_pair) {
    pw_verify_alone(c);
  } else {
    look(c, c->n_row);
  }
}

/* The piece goes on, or begins anew, with row `first`. */
static void drop_rows(pawl_certifier *c, int first) {
  int left = c->n_row - first;
  memmove(c->rows, c->rows + (size_t)first * c->width, (size_t)left * c->width * sizeof *c->rows);
  memmove(c->times, c->times + first, (size_t)left * sizeof *c->times);
  c->n_row = left;
  c->done = 0;
}

/* Of rows so close that errors of the samples are more than a hundred thousandth of the force in
 * the widest window, which is REACH / 2 of them wide, the newest makes room for the next one. */
static void thin_out(pawl_certifier *c) {
  if (c->n_row < 3 || c->pending || !(c->L0 > 0)) {
    return;
  }
  double since = c->times[c->n_row - 1] - c->times[c->n_row - 2];
  if (!(since < c->whole / (2 * USUAL_ROWS)) || c->done >= c->n_row - 1) {
    return;
  }
  double rate = hypot(sqrt(pw_max(c->F0, c->pull) / c->L0), c->V0 / c->L0);
  if (since * rate < sqrt(1e5 * c->opts.noise) / (REACH / 2)) {
    pw_row_view row = pw_row_at(c, c->n_row - 1);
    if (c->table && pw_probe_at(&c->probe, row.t, row.q, row.u)) {
      pw_verify_admissible(c, &row);
    }
    c->n_row--;
    c->n_kept--;
  }
}

/* Room for more: what later windows do not need goes. */
static void make_room(pawl_certifier *c) {
  if (c->n_row < c->cap) {
    return;
  }
  look(c, c->n_row - REACH);
  drop_rows(c, c->done - REACH);
  c->done = REACH;
}

/* At a kink (0) a row belongs to either side; of tables by others it is not known whether a law
 * sets in there. */
static bool same_sides(const pawl_certifier *c) {
  for (int i = 0; i < c->sys->ni + c->sys->n_switch; i++) {
    bool differ = c->find_noise ? c->sign[i] != c->sign_now[i] : c->sign[i] * c->sign_now[i] < 0;
    if (differ) {
      return false;
    }
  }
  return true;
}

/* The last side that is one. */
static void keep_sides(pawl_certifier *c, bool anew) {
  for (int i = 0; i < c->sys->ni + c->sys->n_switch; i++) {
    if (anew || c->find_noise || c->sign_now[i] != 0) {
      c->sign[i] = c->sign_now[i];
    }
  }
}

/* The newest row is on another side than the piece before it: it begins another one. */
static void cut_piece(pawl_certifier *c, int last) {
  int rows = c->n_row;
  c->n_row = last;
  end_piece(c);
  c->n_row = rows;
  drop_rows(c, last);
  c->after_pair = false;
}

static void first_row(pawl_certifier *c) {
  pw_row_view row = pw_row_at(c, 0);
  memcpy(c->first_q, row.q, (size_t)c->sys->nq * sizeof *row.q);
  if (pw_probe_at(&c->probe, row.t, row.q, row.u)) {
    pw_verify_scales(c, &row);
    pw_verify_admissible(c, &row);
  }
}

/* A row on another side belongs to the piece all the same if the next one is its other side in
 * time, as does the row after an instant. */
static void next_row(pawl_certifier *c) {
  if (c->n_rows == 1) {
    first_row(c);
  }
  find_signs(c);
  if (c->pending) {
    c->pending = false;
    cut_piece(c, c->n_row - 2);
  }
  if (c->n_row > 1) {
    pw_verify_step(c);
    pw_verify_hold(c);
  }
  if (c->cut && c->n_row > 1) {
    cut_piece(c, c->n_row - 1);
  }
  c->cut = false;
  if (c->n_row > 1) {
    bool fresh = c->n_row == 2 && c->after_pair;
    c->pending = !fresh && !same_sides(c);
  }
}

/* Of three rows whose positions are compared none is much nearer to one neighbour than to the
 * other: the next row makes up for it. */
static bool trail_is_even(pawl_certifier *c) {
  double p = c->trail_t[1] - c->trail_t[0], r = c->trail_t[2] - c->trail_t[1];
  if (p < 0.1 * r) {
    memcpy(c->trail + c->width, c->trail + 2 * c->width, c->width * sizeof *c->trail);
    c->trail_t[1] = c->trail_t[2];
  }
  bool even = p >= 0.1 * r && r >= 0.1 * p;
  c->n_trail = even ? 3 : 2;
  return even;
}

static bool has_walls(const pw_system *s) {
  bool any = false;
  for (int k = 0; k < s->ni; k++) {
    any = any || (s->law[k].wall && !pw_row_on_velocity(s, s->nc + k));
  }
  return any;
}

/* The newest row tells nothing that the last of the trail does not: programs write the row of an
 * event beside one of their grid. Over so short a time the change of the momentum is rounding. */
static bool is_told_twice(const pawl_certifier *c) {
  const pw_system *s = c->sys;
  if (c->n_trail == 0 || c->derived) {
    return false;
  }
  int last = c->n_trail - 1;
  const double *u = view(c, c->trail_t[last], c->trail + (size_t)last * c->width).u;
  pw_row_view now = pw_row_at(c, c->n_row - 1);
  double sum = 0;
  for (int i = 0; i < s->nv; i++) {
    sum += pow(c->mass[i] * (now.u[i] - u[i]), 2);
  }
  return now.t - c->trail_t[last] < 1e-4 * c->opts.every && sqrt(sum) < c->opts.tol * c->V0;
}

/* The stretch that ends with the newest row; after a pair another one begins. */
static pw_between balance(pawl_certifier *c, bool pair) {
  c->n_trail = pair ? 0 : c->n_trail;
  if (is_told_twice(c)) {
    return PW_SMOOTH;
  }
  if (c->n_trail == 3) {
    memmove(c->trail, c->trail + c->width, 2 * c->width * sizeof *c->trail);
    memmove(c->trail_t, c->trail_t + 1, 2 * sizeof *c->trail_t);
    c->n_trail = 2;
  }
  memcpy(c->trail + (size_t)c->n_trail * c->width, c->rows + (size_t)(c->n_row - 1) * c->width,
         c->width * sizeof *c->trail);
  c->trail_t[c->n_trail++] = c->times[c->n_row - 1];
  pw_row_view row[3];
  for (int k = 0; k < c->n_trail; k++) {
    row[k] = view(c, c->trail_t[k], c->trail + (size_t)k * c->width);
  }
  int n = c->n_trail;
  pw_between unknown = has_walls(c->sys) ? PW_MAY_STRIKE : PW_SMOOTH;
  if (c->derived) {
    bool known = n == 3 && trail_is_even(c);
    return known ? pw_verify_balance(c, &row[0], &row[1], &row[2]) : unknown;
  }
  return n < 2 ? PW_SMOOTH : pw_verify_balance(c, &row[n - 2], NULL, &row[n - 1]);
}

/* Where nothing can do work the energy of one row in so many is enough; of those that are looked at
 * closely between, work needs some more. */
static void weigh_energy(pawl_certifier *c, bool smooth) {
  pw_row_view row = pw_row_at(c, c->n_row - 1);
  if (!smooth) {
    pw_energy_cut(c);
  }
  long every = c->energy.idle ? c->opts.instants : (c->opts.instants + 1) / 2;
  if (!smooth || c->n_rows % every == 0) {
    pw_energy_put(c, &row);
  }
}

void pw_certify_put(pawl_certifier *c, double t, const double *q, const double *u,
                    const double *force) {
  bool pair = c->any_row && t == c->last_time, smooth = !c->cut;
  pw_owed_settle(c, t);
  c->any_row = true;
  c->last_time = t;
  if (pair) {
    end_piece(c);
    drop_rows(c, c->n_row - 1);
    put_row(c, t, q, u, force);
    pw_row_view before = pw_row_at(c, 0), after = pw_row_at(c, 1);
    pw_verify_corner(c, &before, &after);
    drop_rows(c, 1);
    c->pending = false;
    c->after_pair = true;
    find_signs(c);
  } else {
    thin_out(c);
    make_room(c);
    put_row(c, t, q, u, force);
    next_row(c);
  }
  keep_sides(c, pair);
  if (c->table) {
    pw_between way = balance(c, pair);
    smooth = smooth && way == PW_SMOOTH;
    if (way == PW_STRIKES && !c->derived && c->find_noise && c->n_row > 1) {
      c->pending = false;
      cut_piece(c, c->n_row - 1); /* no fit is made across it */
    }
  }
  weigh_energy(c, smooth && !pair);
  if (c->vary != NULL) {
    c->vary->near = pw_zero_scale(c, 0, 0).position;
    if (pw_vary_put(c->vary, t, pw_row_at(c, c->n_row - 1).q, u) != PAWL_OK) {
      pawl_vary_free(c->vary);
      c->vary = NULL;
    }
  }
}

pawl_status pawl_certify_row(pawl_certifier *c, double t, const double *q, const double *u,
                             const double *force) {
  if (c == NULL || q == NULL || u == NULL || !isfinite(t) || (c->any_row && !(t >= c->last_time))) {
    return PAWL_E_ARGUMENT;
  }
  if (!c->over && (!pw_all_finite(q, c->sys->model->nq) || !pw_all_finite(u, c->sys->nv))) {
    c->no_numbers = isnan(c->no_numbers) ? t : c->no_numbers;
    return PAWL_E_ARGUMENT;
  }
  if (!c->over) {
    memcpy(c->u_body, u, (size_t)c->sys->nv * sizeof *u);
    pw_motion_into_body(c->sys->model, q, c->u_body);
    pw_certify_put(c, t, q, c->u_body, force);
  }
  return PAWL_OK;
}

void pawl_certify_steps(pawl_certifier *c, double per_row) {
  if (c != NULL) {
    c->opts.steps = per_row;
  }
}

/* The range of the positions in the metric of the masses at the middle of it. */
void pw_certify_extent(pawl_certifier *c, const double *low, const double *high) {
  const pw_system *s = c->sys;
  double *u = c->u_body, sum = 0;
  memset(u, 0, (size_t)s->nv * sizeof *u);
  memset(c->first_q, 0, (size_t)s->nq * sizeof *c->first_q);
  memcpy(c->first_q, low, (size_t)s->model->nq * sizeof *low);
  bool known = pw_probe_at(&c->probe, c->opts.from, c->first_q, u);
  for (int k = 0; k < s->model->coords.n; k++) {
    const pw_coord *x = &s->model->coords.items[k];
    double mass = known ? c->probe.L[(size_t)x->u * (size_t)s->nv + (size_t)x->u] : 1;
    for (int i = 0; i < (x->is_rotation ? 3 : 1); i++) {
      c->mass[x->u + i] = mass;
    }
    for (int i = 0; i < (x->is_rotation ? 4 : 1); i++) {
      double d = mass * (high[x->q + i] - low[x->q + i]);
      sum += d * d;
    }
  }
  c->extent = sqrt(sum);
  if (c->find_noise) { /* rows of a run are judged as they were when it was made: by those so far */
    c->L0 = c->extent;
    c->V0 = c->L0 / c->whole;
  }
}

void pawl_certify_finish(pawl_certifier *c) {
  if (c == NULL || c->over) {
    return;
  }
  if (c->pending) {
    cut_piece(c, c->n_row - 1);
  }
  if (c->n_row > 0) {
    end_piece(c);
  }
  c->over = true;
  pw_energy_cut(c);
  pawl_vary_finish(c->vary);
  pw_verify_verdict(c);
}
