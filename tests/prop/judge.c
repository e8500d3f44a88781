// SPDX-License-Identifier: MIT
#include "judge.h"

#include <math.h>
#include <string.h>

#include "feasible.h"

const char *const check_names[CHECK_KINDS] = {"gap",    "equality", "sign",     "idle",
                                              "bounds", "motion",   "momentum", "impact law",
                                              "jump",   "energy",   "passive"};
const double check_limits[CHECK_KINDS] = {1e-8, 1e-8, 1e-7, 1e-6, 1e-6, 1e-8,
                                          1e-8, 1e-8, 1e-8, 1e-6, 1e-7};

/* A value that is not a number is worse than any other. */
static void note(judge *j, check_kind kind, double value, double t, int whom) {
  if (!j->wild && !(value <= j->worst[kind])) {
    j->worst[kind] = isnan(value) ? INFINITY : value;
    j->when[kind] = t;
    j->whom[kind] = whom;
  }
}

check_kind judge_failure(const judge *j) {
  for (int k = 0; k < CHECK_KINDS; k++) {
    if (j->worst[k] > check_limits[k]) {
      return (check_kind)k;
    }
  }
  return CHECK_KINDS;
}

static int law_called(const scene *s, const char *name) {
  int i = name[0] == 'c' ? name[1] - '1' : -1;
  return i >= 0 && i < s->m ? i : -1;
}

void judge_begin(judge *j, const scene *s, const pawl_system *system, const variant *v) {
  *j = (judge){.s = s, .system = system, .energy = INFINITY, .tie = INFINITY};
  for (int i = 0; i < pawl_system_laws(system); i++) {
    int k = law_called(s, pawl_law_get(system, i).name);
    if (k >= 0) {
      j->at[k] = i;
      j->scale[k] = k == v->scaled ? 10 : 1;
    }
  }
}

/* ---- a point ---- */

static double length_of(const double *w, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += w[i] * w[i];
  }
  return sqrt(sum);
}

/* Values of f within `near` count as the kink: slips and stretches have errors. */
static void judge_rub(judge *j, int i, const pawl_point *p, double force, double force_size) {
  const law *l = &j->s->law[i];
  const double near = 1e-7;
  place at = {p->t, p->q, p->u};
  double normal = l->on < 0 ? 1 : fmax(p->force[j->at[l->on]] * j->scale[l->on], 0), lo, hi;
  law_forces(l, poly_at(&l->f, at), normal, near, &lo, &hi);
  note(j, CHECK_BOUNDS, fmax(lo - force, force - hi) / force_size, p->t, i);
}

static void judge_law(judge *j, int i, const pawl_point *p, double force, double force_size) {
  const law *l = &j->s->law[i];
  place at = {p->t, p->q, p->u};
  int n = j->s->n;
  double value = poly_at(&l->f, at), rate = law_rate(l, n, at);
  int positional = law_is_positional(l);
  if (law_is_rub(l)) {
    judge_rub(j, i, p, force, force_size);
    return;
  }
  if (law_is_equality(l)) {
    note(j, CHECK_EQUALITY, fmax(fabs(value), fabs(rate)), p->t, i);
    return;
  }
  note(j, CHECK_GAP, -value, p->t, i);
  double w[POLY_VARS];
  law_gradient(l, n, at, w);
  double push = force * length_of(w, n) / force_size;
  note(j, CHECK_SIGN, -push, p->t, i);
  if (push > 1e-7) {
    note(j, CHECK_IDLE, fmax(fabs(value), fabs(rate)), p->t, i);
    if (!positional) {
      note(j, CHECK_IDLE, fabs(poly_rate_u(&l->f, n, at, p->a)) / (1 + force_size), p->t, i);
    }
  }
}

/* sum of the forces times gradients = balance; *size: terms of it all. */
static double motion_residual(judge *j, const pawl_point *p, double *size) {
  place at = {p->t, p->q, p->u};
  double w[SCENE_LAWS][POLY_VARS], worst = 0;
  *size = 1e-3;
  for (int i = 0; i < j->s->m; i++) {
    law_gradient(&j->s->law[i], j->s->n, at, w[i]);
  }
  for (int k = 0; k < j->s->n; k++) {
    double terms, rest = scene_balance(j->s, k, at, p->a, &terms);
    for (int i = 0; i < j->s->m; i++) {
      double part = p->force[j->at[i]] * j->scale[i] * w[i][k];
      rest -= part;
      terms += fabs(part);
    }
    worst = fmax(worst, fabs(rest));
    *size = fmax(*size, terms);
  }
  return worst;
}

void judge_point(judge *j, const pawl_point *p) {
  double size, rest = motion_residual(j, p, &size);
  note(j, CHECK_MOTION, isnan(rest) ? rest : rest / size, p->t, -1);
  for (int i = 0; i < j->s->m; i++) {
    judge_law(j, i, p, p->force[j->at[i]] * j->scale[i], size);
  }
}

/* ---- an instant ---- */

/* Impulses of contacts that stay closed are told with those that are struck. */
static void collect_tied(judge *j, const pawl_event *e, jump *k) {
  for (int i = 0; i < j->s->m; i++) {
    for (int n = 0; n < e->n_tied && j->s->law[i].kind == UNILATERAL; n++) {
      k->impulse[i] += e->tied[n].law == j->at[i] ? e->tied[n].impulse * j->scale[i] : 0;
    }
  }
}

static void collect(judge *j, pawl_sim *sim, const pawl_point *after, jump *k) {
  k->any = 0;
  for (int i = 0; i < pawl_sim_events(sim); i++) {
    pawl_event e = pawl_sim_event(sim, i);
    int hit = law_called(j->s, e.at);
    j->events++;
    int rest = strcmp(e.kind, "rest") == 0;
    if (e.n_impulse > 0 && !rest && hit >= 0 && !law_is_rub(&j->s->law[hit])) {
      k->struck[hit] = k->any = 1;
      k->impulse[hit] = e.impulse[0] * j->scale[hit];
      j->impacts++;
      collect_tied(j, &e, k);
    }
  }
  for (int i = 0; k->any && i < j->s->m; i++) {
    const law *l = &j->s->law[i];
    int fresh = after->output[i] != j->seen[i]; /* else: of an older jump */
    int rubs = l->kind == FRICTION && l->on >= 0 && (k->struck[l->on] || fresh);
    j->seen[i] = after->output[i];
    if (law_is_equality(l) || rubs) {
      k->impulse[i] = after->output[i] * j->scale[i];
    }
  }
}

/* Of the jump without its impulses, in parts of the momenta so far; 0 where gradients depend on the
 * velocities. */
static double momentum_left(judge *j, jump *k) {
  place at = {k->t, k->q, k->before};
  double mass[POLY_VARS][POLY_VARS], rest[POLY_VARS] = {0}, worst = 0;
  scene_mass(j->s, at, mass);
  k->size = 0.1 * j->momentum;
  for (int a = 0; a < j->s->n; a++) {
    for (int b = 0; b < j->s->n; b++) {
      rest[a] += mass[a][b] * (k->after[b] - k->before[b]);
      k->size = fmax(k->size, fabs(mass[a][b]) * fmax(fabs(k->after[b]), fabs(k->before[b])));
    }
  }
  j->momentum = fmax(j->momentum, k->size);
  int linear = 1;
  for (int i = 0; i < j->s->m; i++) {
    double w[POLY_VARS];
    law_gradient(&j->s->law[i], j->s->n, at, w);
    for (int a = 0; a < j->s->n; a++) {
      rest[a] -= k->impulse[i] * w[a];
    }
    linear = linear && (j->s->law[i].linear || k->impulse[i] == 0);
  }
  for (int a = 0; a < j->s->n; a++) {
    worst = fmax(worst, fabs(rest[a]));
  }
  return linear ? worst / k->size : 0;
}

void judge_end(judge *j) {
  if (j->open.any) {
    note(j, CHECK_MOMENTUM, momentum_left(j, &j->open), j->open.t, -1);
    j->open.any = 0;
  }
}

/* What the forces have given since the jump: those before an event have acted since the last one.
 */
static void carry(judge *j, const pawl_point *p) {
  for (int i = 0; i < j->s->m && j->open.any; i++) {
    j->open.carried[i] += p->force[j->at[i]] * (p->t - j->open.since);
  }
  j->open.since = p->t;
}

/* A jump before the rest that explains the last one: one rest explains both. */
static void join(judge *j, jump *k) {
  for (int a = 0; a < j->s->n; a++) {
    k->before[a] -= j->open.after[a] - j->open.before[a];
  }
  for (int i = 0; i < j->s->m; i++) {
    k->impulse[i] += j->open.impulse[i];
    k->carried[i] = j->open.carried[i];
  }
}

/* The end of an accumulation makes the jump of its last impact, and has its impulses in rest events
 * that follow, together with what the forces give until then. */
static void momentum(judge *j, jump *k) {
  double left = momentum_left(j, k);
  if (left <= check_limits[CHECK_MOMENTUM]) {
    note(j, CHECK_MOMENTUM, left, k->t, -1);
    return;
  }
  jump now = *k;
  if (j->open.any) {
    join(j, &now);
  }
  j->open = now;
  j->open.since = k->t;
}

static void rest(judge *j, pawl_sim *sim) {
  int any = 0;
  for (int i = 0; i < pawl_sim_events(sim); i++) {
    pawl_event e = pawl_sim_event(sim, i);
    int at = law_called(j->s, e.at);
    if (strcmp(e.kind, "rest") == 0 && at >= 0) {
      double left = e.impulse[0] - j->open.carried[at];
      j->open.impulse[at] += e.n_impulse > 0 ? left * j->scale[at] : 0;
      any = 1;
    }
  }
  if (any) {
    judge_end(j);
  }
}

/* M x = sum of the impulses along the gradients: the jump without the rest of an accumulation. */
static int jump_of_impulses(const judge *j, const jump *k, double *x) {
  place at = {k->t, k->q, k->before};
  double mass[POLY_VARS][POLY_VARS];
  row rows[POLY_VARS] = {0};
  int n = j->s->n;
  scene_mass(j->s, at, mass);
  for (int a = 0; a < n; a++) {
    rows[a].equality = 1;
    memcpy(rows[a].w, mass[a], (size_t)n * sizeof(double));
  }
  for (int i = 0; i < j->s->m; i++) {
    double w[POLY_VARS];
    law_gradient(&j->s->law[i], n, at, w);
    for (int a = 0; a < n; a++) {
      rows[a].c -= k->impulse[i] * w[a];
    }
  }
  return feasible(rows, n, n, 1e5, 1e-9, x);
}

/* The impact of others has thrown the contact off, slowly. */
static int is_thrown(const judge *j, const jump *k, const law *l) {
  double x[POLY_VARS], w[POLY_VARS], rate = law_rate(l, j->s->n, (place){k->t, k->q, k->before});
  if (!jump_of_impulses(j, k, x)) {
    return 0;
  }
  law_gradient(l, j->s->n, (place){k->t, k->q, k->before}, w);
  for (int a = 0; a < j->s->n; a++) {
    rate += w[a] * x[a];
  }
  return rate > 1e-12 && rate < 0.01;
}

/* A contact that is closed afterwards though neither it nor its law stopped it: the rest of an
 * accumulation is left out here, which jumps a little more than the impact itself. */
static int comes_to_rest(const judge *j, pawl_sim *sim, const jump *k) {
  place before = {k->t, k->q, k->before};
  for (int i = 0; i < j->s->m; i++) {
    const law *l = &j->s->law[i];
    if (l->kind == UNILATERAL && pawl_sim_closed(sim, j->at[i])) {
      double in = fabs(law_rate(l, j->s->n, before));
      double slow = in * l->e;
      if (in > 1e-12 && (!k->struck[i] || (slow > 0 && slow < 0.01))) {
        return 1;
      }
      if (!k->struck[i] && is_thrown(j, k, l)) {
        return 1;
      }
    }
  }
  return 0;
}

/* 1: Newton's law in Moreau's form must hold. One-sided velocity laws change the rates once more; a
 * contact that separates already may be hit again in the same instant; Poisson's law and sequential
 * treatment agree with Newton's for a contact that is alone. */
static int newton_holds(const judge *j, const jump *k) {
  place at = {k->t, k->q, k->before};
  int touching = 0, special = j->s->sequential;
  for (int i = 0; i < j->s->m; i++) {
    const law *l = &j->s->law[i];
    if (l->kind == ONE_SIDED && k->struck[i]) {
      return 0;
    }
    if (l->kind == UNILATERAL && poly_at(&l->f, at) < 1e-7) {
      touching++;
      if (law_rate(l, j->s->n, at) > 1e-9) {
        return 0;
      }
    }
    special = special || l->poisson;
  }
  return !special || touching <= 1;
}

static void impact_law(judge *j, const jump *k) {
  place before = {k->t, k->q, k->before}, after = {k->t, k->q, k->after};
  int newton = newton_holds(j, k);
  for (int i = 0; i < j->s->m; i++) {
    const law *l = &j->s->law[i];
    if (l->kind == FRICTION && l->on >= 0) { /* Coulomb's cone */
      double w[POLY_VARS], most = l->mu * k->impulse[l->on];
      law_gradient(l, j->s->n, after, w);
      double over = (fabs(k->impulse[i]) - most) * length_of(w, j->s->n);
      note(j, CHECK_IMPACT_LAW, over / k->size, k->t, i);
    }
    if (!k->struck[i]) {
      continue;
    }
    double w[POLY_VARS];
    law_gradient(l, j->s->n, after, w);
    double in = law_rate(l, j->s->n, before), out = law_rate(l, j->s->n, after);
    note(j, CHECK_IMPACT_LAW, -k->impulse[i] * length_of(w, j->s->n) / k->size, k->t, i);
    note(j, CHECK_IMPACT_LAW, -out, k->t, i);
    if (l->kind == UNILATERAL && newton) {
      double extra = out + l->e * in;
      note(j, CHECK_IMPACT_LAW, fabs(extra * k->impulse[i]) / k->size, k->t, i);
      note(j, CHECK_IMPACT_LAW, -extra, k->t, i);
    }
  }
}

static void note_energy(judge *j, double T) {
  j->wild = j->wild || T > 1e4 * (j->first + 1);
}

static double kinetic(const judge *j, const jump *k, const double *u) {
  return poly_at(&j->s->T, (place){k->t, k->q, u});
}

/* Newton's law with different restitutions may gain energy when a contact that separates already is
 * hit by another one, and with Coulomb friction also at a single one; then the event says so. */
static int is_flagged_gain(const judge *j, pawl_sim *sim, const jump *k) {
  place at = {k->t, k->q, k->before};
  int separates = 0, flagged = 0;
  for (int i = 0; i < j->s->m; i++) {
    const law *l = &j->s->law[i];
    separates = separates || (l->kind == UNILATERAL && k->struck[i] && l->e > 0 &&
                              law_rate(l, j->s->n, at) > 1e-9);
    separates = separates || (l->kind == FRICTION && l->on >= 0 && k->impulse[i] != 0);
  }
  for (int i = 0; i < pawl_sim_events(sim); i++) {
    const char *flag = pawl_sim_event(sim, i).flag;
    flagged = flagged || (flag != NULL && strstr(flag, "ENERGY_INCREASE") != NULL);
  }
  return separates && flagged;
}

static void impact_energy(judge *j, pawl_sim *sim, const jump *k) {
  double before = kinetic(j, k, k->before), after = kinetic(j, k, k->after), fed = 0;
  place at = {k->t, k->q, k->before};
  int ideal = 1;
  for (int i = 0; i < j->s->m; i++) {
    const law *l = &j->s->law[i];
    int positional = law_is_positional(l);
    fed -= positional ? poly_slope(&l->f, VAR_T, 0, at) * k->impulse[i] : 0;
    ideal = ideal && (positional || l->ideal);
  }
  if (is_flagged_gain(j, sim, k)) {
    j->energy = INFINITY; /* said and done: what follows is measured from there */
  } else if (ideal) {
    note(j, CHECK_PASSIVE, (after - before - fed) / (before + after + 1e-3), k->t, -1);
  }
}

/* One contact after the other: which is first is open when two of them close equally fast. */
static int is_tie(const judge *j, const jump *k) {
  double speed[SCENE_LAWS];
  int n = 0;
  place at = {k->t, k->q, k->before};
  for (int i = 0; j->s->sequential && i < j->s->m; i++) {
    const law *l = &j->s->law[i];
    double w[POLY_VARS];
    law_gradient(l, j->s->n, at, w);
    double rate = law_rate(l, j->s->n, at) / length_of(w, j->s->n);
    if (l->kind == UNILATERAL && poly_at(&l->f, at) < 1e-7 && rate < -1e-9) {
      speed[n++] = rate;
    }
  }
  for (int a = 0; a < n; a++) {
    for (int b = 0; b < a; b++) {
      if (fabs(speed[a] - speed[b]) < 1e-3 * fabs(speed[a])) {
        return 1;
      }
    }
  }
  return 0;
}

void judge_event(judge *j, pawl_sim *sim) {
  jump k = {0};
  pawl_point p;
  int n = j->s->n;
  double apart = 0, kick = 0;
  if (pawl_sim_point(sim, PAWL_BEFORE, &p) != PAWL_OK) {
    note(j, CHECK_JUMP, NAN, p.t, -1);
    return;
  }
  judge_point(j, &p);
  carry(j, &p);
  memcpy(k.q, p.q, (size_t)n * sizeof *k.q);
  memcpy(k.before, p.u, (size_t)n * sizeof *k.before);
  if (pawl_sim_point(sim, PAWL_AFTER, &p) != PAWL_OK) {
    note(j, CHECK_JUMP, NAN, p.t, -1);
    return;
  }
  judge_point(j, &p);
  k.t = p.t;
  memcpy(k.after, p.u, (size_t)n * sizeof *k.after);
  for (int i = 0; i < n; i++) {
    apart = fmax(apart, fabs(p.q[i] - k.q[i]));
    kick = fmax(kick, fabs(k.after[i] - k.before[i]));
  }
  collect(j, sim, &p, &k);
  note_energy(j, kinetic(j, &k, k.after));
  j->tie = k.any && is_tie(j, &k) ? fmin(j->tie, p.t) : j->tie;
  note(j, CHECK_JUMP, apart, p.t, -1);
  note(j, CHECK_JUMP, k.any ? 0 : kick, p.t, -1);
  rest(j, sim);
  if (k.any) {
    momentum(j, &k);
  }
  if (k.any && !comes_to_rest(j, sim, &k)) {
    impact_law(j, &k);
    impact_energy(j, sim, &k);
  }
}

/* ---- energy ---- */

void judge_energy(judge *j, pawl_sim *sim) {
  pawl_energy e;
  pawl_point p;
  double works[4 * SCENE_LAWS], moved = 0;
  int n = pawl_system_works(j->system);
  if (n > 4 * SCENE_LAWS || pawl_sim_energy(sim, &e, works) != PAWL_OK ||
      pawl_sim_point(sim, PAWL_AFTER, &p) != PAWL_OK) {
    note(j, CHECK_ENERGY, NAN, 0, -1);
    return;
  }
  place at = {p.t, p.q, p.u};
  double T = poly_at(&j->s->T, at), V = poly_at(&j->s->V, at);
  j->largest = fmax(j->largest, fmax(fabs(T), fabs(V)) + 1e-3);
  j->first = j->first == 0 ? j->largest : j->first;
  note_energy(j, T);
  for (int i = 0; i < n; i++) {
    moved += fabs(works[i]);
  }
  double off = fabs(T - e.kinetic) + fabs(V - e.potential) + fabs(e.unexplained);
  note(j, CHECK_ENERGY, off / (j->largest + moved), p.t, -1);
  if (scene_is_passive(j->s)) {
    double total = T + V + scene_stored(j->s, at);
    if (!(total <= j->energy)) { /* since the lowest so far */
      note(j, CHECK_PASSIVE, (total - j->energy) / j->largest, p.t, -1);
    }
    j->energy = fmin(j->energy, total);
  }
}

/* ---- after a stop ---- */

/* d2f/dt2 of a position law, df/dt of a velocity law: w.a + c. */
static row acceleration_row(const law *l, int n, place at) {
  row r = {.equality = law_is_equality(l)};
  double none[POLY_VARS] = {0};
  law_gradient(l, n, at, r.w);
  if (l->kind == UNILATERAL || l->kind == HOLONOMIC) {
    poly d;
    poly_diff(&l->f, VAR_T, 0, &d);
    r.c = poly_rate(&d, n, at);
    for (int i = 0; i < n; i++) {
      poly_diff(&l->f, VAR_Q, i, &d);
      r.c += poly_rate(&d, n, at) * at.u[i];
    }
  } else {
    r.c = poly_rate_u(&l->f, n, at, none);
  }
  return r;
}

/* What must hold after a jump, w.u + c: rates of equalities and contacts that touch, velocity laws;
 * `law`: the least rate that Newton's law gives instead of 0, and no velocity laws. */
static int velocity_rows(const judge *j, place at, int newton, row *rows) {
  int m = 0, n = j->s->n;
  double rest[POLY_VARS] = {0};
  for (int i = 0; i < j->s->m; i++) {
    const law *l = &j->s->law[i];
    int touches = l->kind == UNILATERAL && poly_at(&l->f, at) < 1e-7;
    if (law_is_equality(l) || touches || (l->kind == ONE_SIDED && !newton)) {
      row *r = &rows[m++];
      *r = (row){.equality = law_is_equality(l)};
      law_gradient(l, n, at, r->w);
      r->c = law_rate(l, n, (place){at.t, at.q, rest});
      r->c += newton && touches ? l->e * law_rate(l, n, at) : 0;
    }
  }
  return m;
}

static int could_jump(const judge *j, place at) {
  row rows[SCENE_LAWS];
  double x[POLY_VARS];
  int linear = 1;
  for (int i = 0; i < j->s->m; i++) {
    linear = linear && j->s->law[i].linear;
  }
  return linear && feasible(rows, velocity_rows(j, at, 0, rows), j->s->n, 1e5, 1e-9, x) &&
         feasible(rows, velocity_rows(j, at, 1, rows), j->s->n, 1e5, 1e-9, x);
}

int judge_is_crushed(const judge *j, pawl_sim *sim) {
  row rows[SCENE_LAWS];
  double x[POLY_VARS];
  pawl_point p;
  if (pawl_sim_point(sim, PAWL_AFTER, &p) != PAWL_OK) {
    return 0;
  }
  place at = {p.t, p.q, p.u};
  return !feasible(rows, velocity_rows(j, at, 0, rows), j->s->n, 1e5, 1e-9, x);
}

static int could_accelerate(const judge *j, place at) {
  row rows[SCENE_LAWS];
  double x[POLY_VARS];
  int m = 0, n = j->s->n;
  for (int i = 0; i < j->s->m; i++) {
    const law *l = &j->s->law[i];
    double value = poly_at(&l->f, at), rate = law_rate(l, n, at);
    if (law_is_equality(l) || (l->kind == UNILATERAL && value < 1e-7 && rate < 1e-7) ||
        (l->kind == ONE_SIDED && value < 1e-7)) {
      rows[m++] = acceleration_row(l, n, at);
    }
  }
  return feasible(rows, m, n, 1e5, 1e-9, x);
}

int judge_could_go_on(const judge *j, pawl_sim *sim, int jumps) {
  pawl_point p;
  if (pawl_sim_point(sim, PAWL_AFTER, &p) != PAWL_OK) {
    return 1;
  }
  place at = {p.t, p.q, p.u};
  for (int i = 0; i < j->s->m; i++) {
    const law *l = &j->s->law[i];
    if (l->kind == UNILATERAL && poly_at(&l->f, at) < 1e-7 && law_rate(l, j->s->n, at) < -1e-9) {
      return jumps && could_jump(j, at);
    }
  }
  return !jumps && could_accelerate(j, at);
}
