// SPDX-License-Identifier: MIT
#include "sim/contact.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/dense.h"

enum { MAX_REPEATS = 100 };

const char *pw_contact_kind_name(pw_contact_kind kind) {
  static const char *const names[] = {"impact", "close", "liftoff", "engage", "release", "rest"};
  return names[kind];
}

static const pw_row *row_of(const pw_contacts *c, int law) {
  const pw_system *s = c->watch.s->mech->sys;
  return &s->model->rows.items[s->row_of[s->nc + law]];
}

/* ---- memory ---- */

static size_t align16(size_t bytes) {
  return (bytes + 15) / 16 * 16;
}

typedef struct parts {
  size_t watch, real, whole, impact, modes, log, flags;
} parts;

static parts sizes(const pw_system *sys) {
  size_t ni = (size_t)sys->ni;
  size_t real = pw_impact_doubles(sys) + pw_modes_doubles(sys) + pw_frame_doubles(sys) + 4 * ni +
                2 * (size_t)sys->nv + (size_t)sys->nr + (size_t)sys->model->rows.n;
  return (parts){.watch = align16(pw_watch_bytes(sys, sys->ni)),
                 .real = align16(real * sizeof(double)),
                 .whole = align16((pw_impact_ints(sys) + pw_modes_ints(sys)) * sizeof(int)),
                 .impact = align16(pw_impact_bytes(sys)),
                 .modes = align16(pw_modes_bytes(sys)),
                 .log = align16(2 * ni * sizeof(pw_contact_event)),
                 .flags = align16(4 * ni)};
}

size_t pw_contacts_bytes(const pw_system *sys) {
  parts p = sizes(sys);
  return p.watch + p.real + p.whole + p.impact + p.modes + p.log + p.flags;
}

static pawl_status functions(pw_stepper *s, double t, const double *y, double *w);

static void lay_real(pw_contacts *c, const pw_system *sys, double *real) {
  c->left = real;
  c->largest = c->left + sys->ni;
  c->value = c->largest + sys->ni;
  c->e = c->value + sys->ni;
  c->moved = c->e + sys->ni;
  c->kick = c->moved + 2 * sys->nv;
  c->impulse = c->kick + sys->nr;
  c->frame_memory = c->impulse + sys->model->rows.n;
}

void pw_contacts_init(pw_contacts *c, pw_stepper *s, double tol, bool sequential, void *memory) {
  const pw_system *sys = s->mech->sys;
  parts p = sizes(sys);
  unsigned char *at = memory;
  pw_watch_init(&c->watch, s, sys->ni, functions, at);
  double *real = (double *)(at += p.watch);
  int *whole = (int *)(at += p.real);
  unsigned char *impact = (at += p.whole), *modes = (at += p.impact);
  c->log = (pw_contact_event *)(at += p.modes);
  c->mode = (at += p.log);
  c->fired = c->mode + sys->ni;
  c->was = c->fired + sys->ni;
  c->rests = c->was + sys->ni;
  lay_real(c, sys, real);
  real = c->frame_memory + pw_frame_doubles(sys);
  pw_impact_init(&c->impact, sys, real, whole, impact);
  pw_modes_init(&c->modes, s->mech, real + pw_impact_doubles(sys), whole + pw_impact_ints(sys),
                modes);
  c->impact.sequential = sequential;
  c->tol = tol;
}

/* ---- what is watched ---- */

/* Value of an open law, force of a closed one; both are positive until it acts. */
static pawl_status functions(pw_stepper *s, double t, const double *y, double *w) {
  pw_mech *m = s->mech;
  pw_mech_gaps(m, t, y, y + s->nq, s->side, w);
  if (m->imposed == m->sys->nc) {
    return PAWL_OK;
  }
  pawl_status status = pw_mech_rates(m, t, y, y + s->nq, s->side);
  for (int i = 0; status == PAWL_OK && i < m->sys->ni; i++) {
    if (pw_mech_is_closed(m, i)) {
      w[i] = m->lambda[m->sys->nc + i];
    }
  }
  return status;
}

/* A rough row is not watched: it follows its contact. */
static bool is_watched(const pw_contacts *c, int law) {
  return row_of(c, law)->kind != PW_KIND_ROUGH;
}

void pw_contacts_impose(pw_contacts *c) {
  const pw_system *sys = c->watch.s->mech->sys;
  for (int i = 0; i < sys->ni; i++) {
    c->modes.closed[i] = c->mode[i] == PW_CLOSED;
  }
  pw_mech_close(c->watch.s->mech, c->modes.closed);
  pw_mech_impulses(c->watch.s->mech, c->impulse);
}

static void note_sizes(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  pw_mech_gaps(s->mech, s->t, s->y, s->y + s->nq, s->side, c->value);
  for (int i = 0; i < s->mech->sys->ni; i++) {
    c->largest[i] = fmax(c->largest[i], fabs(c->value[i]));
  }
  c->speed = fmax(c->speed, sqrt(2 * fmax(s->energy[0], 0)));
}

pawl_status pw_contacts_after(pw_contacts *c, bool *again) {
  pw_scan *scan = &c->watch.scan;
  pw_stepper *s = c->watch.s;
  *again = false;
  if (scan->m == 0) {
    return PAWL_OK;
  }
  for (int i = 0; i < scan->m; i++) {
    scan->want[i] = is_watched(c, i) ? PW_WANT_FALLING : 0;
    /* what is watched was zero there: the value, or a force that only begins */
    scan->known[i] = c->left[i] == s->rk.t && (c->mode[i] == PW_OPEN || c->modes.faint[i]);
  }
  int which = -1;
  double h;
  pawl_status status = pw_scan_step(scan, false);
  if (status == PAWL_OK) {
    status = pw_scan_peek(scan, &which);
  }
  if (status == PAWL_OK && which >= 0) {
    status = pw_watch_polish(&c->watch, which, pw_scan_root(scan, which), &h, c->watch.y);
    if (status == PAWL_OK) {
      c->fired[which] = 1;
      c->pending = true;
      *again = s->rk.t + h <= s->rk.t;
      status = *again || h == s->rk.h ? PAWL_OK : pw_stepper_cut(s, h);
    }
  }
  if (*again) {
    pw_stepper_undo(s);
  }
  if (status == PAWL_OK) {
    note_sizes(c);
    c->repeats = s->t - s->rk.t > 1e3 * DBL_EPSILON * fabs(s->t) ? 0 : c->repeats;
  }
  return status;
}

/* ---- an instant ---- */

/* A value this small is zero: what round-off of its terms and of the motion leave. */
static bool is_zero(const pw_contacts *c, int law) {
  const pw_system *s = c->watch.s->mech->sys;
  double size = 1e-10 * c->largest[law] + 64 * DBL_EPSILON * c->frame.terms[s->nc + law];
  return c->fired[law] || fabs(c->frame.value[s->nc + law]) <= size;
}

static void describe_laws(pw_contacts *c) {
  const pw_system *s = c->watch.s->mech->sys;
  for (int i = 0; i < s->ni; i++) {
    const pw_row *row = row_of(c, i);
    bool rough = row->kind == PW_KIND_ROUGH;
    c->impact.law[i] =
        (pw_impact_law){.touches = row->kind == PW_KIND_UNILATERAL &&
                                   (c->mode[i] != PW_OPEN || is_zero(c, i)),
                        .poisson = row->clause.poisson,
                        .e = c->e[i],
                        .is_rough = rough,
                        .on = rough ? s->index_of[row->clause.on] - s->nc : -1,
                        .one_sided = row->kind == PW_KIND_ONE_SIDED_VELOCITY};
  }
}

static pawl_status look(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  pawl_status status = pw_mech_frame(s->mech, s->t, s->y, s->y + s->nq, s->side, c->frame_memory,
                                     &c->frame);
  c->speed = fmax(c->speed, pw_norm2(c->frame.c_velocity, c->frame.n));
  c->impact.speed = 1e-10 * c->speed;
  return status;
}

static void log_event(pw_contacts *c, pw_contact_event event) {
  c->log[c->n_log++] = event;
  c->left[event.law] = c->watch.s->t;
}

/* Energy given to the law by its impulse: impulse * (rate- + rate+) / 2, exact for any number of
 * contacts; the rest of J(u- + u+)/2 is the work of a moving wall. */
static double share(const pw_contacts *c, int row) {
  return c->impact.impulse[row] * (c->impact.rate[row] + c->frame.rate[row]) / 2;
}

static void book(pw_contacts *c, int row, double lost, double work) {
  pw_stepper *s = c->watch.s;
  const pw_system *sys = s->mech->sys;
  double *z = s->y + s->nq + s->nv;
  for (int k = 0; k < sys->n_work; k++) {
    if (sys->work[k].row == row) {
      z[1 + k] += sys->work[k].jumps ? lost : work;
    }
  }
}

static void book_impulses(pw_contacts *c) {
  const pw_system *sys = c->watch.s->mech->sys;
  const pw_frame *f = &c->frame;
  for (int i = 0; i < sys->nr; i++) {
    double impulse = c->impact.impulse[i];
    if (impulse != 0) {
      const double *a = f->A + (size_t)i * (size_t)f->n;
      double moving = f->rate[i] - f->length[i] * pw_dot(a, f->c_velocity, f->n);
      book(c, i, -share(c, i), -impulse * moving);
    }
  }
}

/* In a cascade at one instant each contact has one entry: sums, first rate before, last after. */
static void log_impact(pw_contacts *c, int law) {
  int row = c->watch.s->mech->sys->nc + law, k = 0;
  while (k < c->n_log && c->log[k].law != law) {
    k++;
  }
  if (k == c->n_log) {
    log_event(c, (pw_contact_event){.kind = PW_IMPACT,
                                    .law = law,
                                    .t = c->watch.s->t,
                                    .rate_before = c->frame.rate[row]});
  }
  pw_contact_event *e = &c->log[k];
  e->impulse = c->kick[row];
  e->dE += share(c, row);
  e->gains = e->dE > 1e-10 * c->speed * c->speed;
  e->rate_after = c->impact.rate[row];
}

static pawl_status one_impact(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  const pw_system *sys = s->mech->sys;
  if (pw_impact_solve(&c->impact, &c->frame) != PW_SOLVED) {
    c->culprit = sys->nc;
    return PAWL_E_CONTRADICTION;
  }
  book_impulses(c);
  pw_axpy(1, c->impact.impulse, c->kick, sys->nr);
  for (int i = 0; i < sys->ni; i++) {
    if (c->impact.impulse[sys->nc + i] != 0 && row_of(c, i)->kind != PW_KIND_ROUGH) {
      log_impact(c, i);
    }
  }
  memcpy(s->y + s->nq, c->impact.velocity, (size_t)s->nv * sizeof *s->y);
  pw_frame_back(&c->frame, s->y + s->nq);
  return look(c);
}

static pawl_status impacts(pw_contacts *c) {
  pawl_status status = PAWL_OK;
  for (int hits = 0; status == PAWL_OK && hits < 50; hits++) {
    describe_laws(c);
    if (!pw_impact_needed(&c->impact, &c->frame, c->frame.rate)) {
      return PAWL_OK;
    }
    status = one_impact(c);
  }
  return status == PAWL_OK ? PAWL_E_EVENTS : status;
}

/* ---- accumulation ---- */

static uint64_t key_of_log(const pw_contacts *c) {
  uint64_t key = 14695981039346656037u;
  for (int i = 0; i < c->n_log; i++) {
    key = (key ^ (uint64_t)(c->log[i].law + 1)) * 1099511628211u;
  }
  return key;
}

/* Laws that were hit in the last `period` instants of the pattern: by their last times. */
static bool in_pattern(const pw_contacts *c, int law, int period) {
  return c->left[law] >= c->zeno.t[c->zeno.n - period];
}

/* Small enough for the third-order completion (numerics D.6): bounce height and state error below
 * the tolerance, for every contact of the pattern. */
static bool is_small(const pw_contacts *c, int period) {
  const pw_frame *f = &c->frame;
  const pw_system *s = c->watch.s->mech->sys;
  for (int i = 0; i < s->ni; i++) {
    if (c->impact.law[i].touches && in_pattern(c, i, period)) {
      int row = s->nc + i;
      const double *a = f->A + (size_t)row * (size_t)f->n;
      double speed = fabs(f->rate[row]);
      double pull = -(f->zeta[row] + f->length[row] * pw_dot(a, f->c_force, f->n));
      double height = speed * speed / (2 * pull);
      double room = fmax(c->largest[i], f->terms[row]);
      if (!(pull > 0 && height <= c->tol * room && height * speed <= c->tol * room * pull)) {
        return false;
      }
    }
  }
  return true;
}

/* Stops all contacts of the pattern at once: velocities are projected bilaterally. */
static pawl_status complete(pw_contacts *c, int period, double limit) {
  pw_stepper *s = c->watch.s;
  const pw_system *sys = s->mech->sys;
  for (int i = 0; i < sys->ni; i++) {
    c->fired[i] = c->impact.law[i].touches && in_pattern(c, i, period);
    c->rests[i] = c->fired[i];
  }
  double before[3], after[3];
  pw_mech_energy(s->mech, s->t, s->y, s->y + s->nq, s->side, before);
  pw_mech_close(s->mech, c->fired);
  pawl_status status = pw_mech_project_u(s->mech, s->t, s->y, s->y + s->nq, s->side, c->moved);
  pw_mech_energy(s->mech, s->t, s->y, s->y + s->nq, s->side, after);
  int n = 0;
  for (int i = 0; i < sys->ni; i++) {
    n += c->fired[i];
  }
  c->rest_lost = n == 0 ? 0 : (before[0] - after[0]) / n;
  for (int i = 0; i < sys->ni; i++) {
    if (c->fired[i]) {
      book(c, sys->nc + i, c->rest_lost, 0);
    }
  }
  c->rest_time = limit;
  pw_zeno_reset(&c->zeno);
  return status == PAWL_OK ? look(c) : status;
}

static pawl_status accumulate(pw_contacts *c) {
  int period;
  double ratio, limit;
  bool hit = c->n_log > 0;
  if (hit) {
    pw_zeno_hit(&c->zeno, c->watch.s->t, key_of_log(c));
  }
  if (hit && pw_zeno_accumulates(&c->zeno, &period, &ratio, &limit) && is_small(c, period)) {
    return complete(c, period, limit);
  }
  return PAWL_OK;
}

/* ---- modes ---- */

static void name_candidates(pw_contacts *c) {
  const pw_system *s = c->watch.s->mech->sys;
  for (int i = 0; i < s->ni; i++) {
    const pw_impact_law *law = &c->impact.law[i];
    int row = s->nc + i;
    double rate = c->frame.length[row] > 0 ? c->frame.rate[row] / c->frame.length[row] : 0;
    bool still = fabs(rate) <= c->impact.speed;
    c->modes.candidate[i] =
        (pw_candidate){.may_close = (law->touches && still) ||
                                    (law->one_sided && (still || is_zero(c, i))),
                       .follows = law->is_rough,
                       .on = law->on};
  }
}

static void log_changes(pw_contacts *c) {
  const pw_system *s = c->watch.s->mech->sys;
  for (int i = 0; i < s->ni; i++) {
    bool before = c->was[i] != PW_OPEN, now = c->mode[i] != PW_OPEN;
    bool one_sided = c->impact.law[i].one_sided;
    bool struck = c->kick[s->nc + i] != 0;
    if (before != now && !c->impact.law[i].is_rough && !(now && struck)) {
      pw_contact_kind kind =
          one_sided ? (now ? PW_ENGAGE : PW_RELEASE) : (now ? PW_CLOSE : PW_LIFTOFF);
      log_event(c, (pw_contact_event){.kind = kind, .law = i, .t = c->watch.s->t});
    }
    if (before != now || struck || c->fired[i]) {
      c->left[i] = c->watch.s->t;
    }
  }
}

/* impulse(c) is that of the last jump of c, whether it was hit or hit along with others. */
static void keep_impulses(pw_contacts *c) {
  const pw_system *s = c->watch.s->mech->sys;
  bool jumped = false;
  for (int i = 0; i < s->nr; i++) {
    if (c->kick[i] != 0) {
      c->impulse[s->row_of[i]] = c->kick[i];
      jumped = true;
    }
  }
  if (jumped) {
    pw_mech_impulses(c->watch.s->mech, c->impulse);
  }
}

static pawl_status choose_modes(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  describe_laws(c);
  name_candidates(c);
  pawl_status status =
      pw_modes_select(&c->modes, &c->frame, s->t, s->y, s->y + s->nq, s->side);
  if (status != PAWL_OK) {
    c->culprit = c->modes.failed;
    return status;
  }
  memcpy(c->mode, c->modes.mode, (size_t)s->mech->sys->ni);
  return PAWL_OK;
}

static pawl_status instant(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  const pw_system *sys = s->mech->sys;
  c->n_log = 0;
  c->culprit = -1;
  memcpy(c->was, c->mode, (size_t)sys->ni);
  memset(c->kick, 0, (size_t)sys->nr * sizeof *c->kick);
  pawl_status status = look(c);
  if (status == PAWL_OK) {
    pw_mech_restitution(s->mech, s->t, s->y, s->y + s->nq, s->side, c->e);
    status = impacts(c);
    keep_impulses(c);
  }
  if (status == PAWL_OK) {
    status = accumulate(c);
  }
  if (status == PAWL_OK) {
    status = choose_modes(c);
  }
  if (status == PAWL_OK) {
    status = pw_stepper_settle(s);
  }
  return status;
}

pawl_status pw_contacts_begin(pw_contacts *c, const unsigned char *touching) {
  pw_stepper *s = c->watch.s;
  int ni = s->mech->sys->ni;
  pw_scan_reset(&c->watch.scan);
  pw_zeno_reset(&c->zeno);
  memcpy(c->fired, touching, (size_t)ni);
  memset(c->mode, 0, (size_t)ni);
  memset(c->rests, 0, (size_t)ni);
  c->pending = false;
  c->rest_time = INFINITY;
  c->repeats = 0;
  c->speed = 0;
  c->modes.scale = 0;
  c->modes.span = s->span;
  memset(c->impulse, 0, (size_t)s->mech->sys->model->rows.n * sizeof *c->impulse);
  pw_mech_impulses(s->mech, c->impulse);
  for (int i = 0; i < ni; i++) {
    c->left[i] = NAN;
    c->largest[i] = 0;
  }
  if (ni == 0) {
    return PAWL_OK;
  }
  pawl_status status = instant(c);
  for (int i = 0; i < ni; i++) {
    bool zero = c->mode[i] != PW_OPEN || is_zero(c, i);
    c->left[i] = zero ? s->t : NAN;
  }
  pw_contacts_forget(c);
  return status;
}

pawl_status pw_contacts_handle(pw_contacts *c) {
  pawl_status status = ++c->repeats > MAX_REPEATS ? PAWL_E_EVENTS : instant(c);
  if (status == PAWL_OK) {
    log_changes(c);
  }
  pw_contacts_forget(c);
  return status;
}

void pw_contacts_forget(pw_contacts *c) {
  c->pending = false;
  memset(c->fired, 0, (size_t)c->watch.s->mech->sys->ni);
}

void pw_contacts_rest(pw_contacts *c) {
  c->n_log = 0;
  for (int i = 0; i < c->watch.s->mech->sys->ni; i++) {
    if (c->rests[i]) {
      c->log[c->n_log++] = (pw_contact_event){
          .kind = PW_REST, .law = i, .t = c->rest_time, .dE = -c->rest_lost};
      c->rests[i] = 0;
    }
  }
  c->rest_time = INFINITY;
}
