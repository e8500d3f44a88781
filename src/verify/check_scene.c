// SPDX-License-Identifier: MIT
/* A step of a pile. The impulse balance (T1) part by part with the percussions of the run, each
 * percussion against its law (T6), positions where the mean velocity leads or put back (T7), and
 * nothing that overlaps or was missed. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "scene/vec3.h"
#include "system/view.h"
#include "traj/bytes.h"
#include "verify/checker.h"
#include "verify/scenes.h"

/* Overlaps last: where nothing is put back, pairs are measured in one of so many steps. */
enum { PAIRS_EVERY = 3 };

/* ---- masses and forces ---- */

/* The numbers of one part, in their order there; and back. */
static void gather(const pw_scene *s, int part, const double *from, double *to) {
  for (int e = s->part_start[part]; e < s->part_start[part + 1]; e++) {
    *to++ = from[s->part_dof[e]];
  }
}

static double *factor_of(const pw_scenes *x, int part) {
  return x->mass + x->part.mass_at[part];
}

/* mass (nv): roots of the diagonal. */
static bool factor(pw_scenes *x, const pw_system *s, const double *M, double *mass) {
  const pw_scene *sc = x->scene;
  bool fine = true;
  if (x->have_mass) {
    return true;
  }
  for (int p = 0; p < sc->n_part; p++) {
    const int *dof = sc->part_dof + sc->part_start[p];
    int n = pw_scene_count(sc, p);
    double *L = factor_of(x, p);
    for (int j = 0; j < n; j++) {
      for (int i = j; i < n; i++) {
        int at = pw_view_mass_at(s, dof[i], dof[j]);
        L[j * n + i] = at < 0 ? 0 : M[at];
      }
    }
    for (int j = 0; j < n; j++) {
      mass[dof[j]] = sqrt(pw_max(L[j * n + j], 0));
    }
    fine = fine && pw_chol(L, n) == 0;
  }
  x->have_mass = fine && s->trait.constant_mass;
  return fine;
}

/* Forces and masses at a state: x->residual holds the forces, x->a the accelerations if asked for.
 */
static bool evaluate(const pw_scenes_view *c, double t, const double *q, const double *u,
                     bool moves) {
  pw_scenes *x = c->scenes;
  const pw_scene *sc = x->scene;
  pw_probe_state(c->probe, t, q, u);
  pw_motion_view m = pw_view_motion(c->sys, pw_probe_motion(c->probe));
  memcpy(x->residual, m.h, (size_t)c->sys->nv * sizeof *m.h);
  if (!pw_all_finite(m.h, c->sys->nv) || !factor(x, c->sys, m.M, c->mass)) {
    return false;
  }
  for (int p = 0; p < sc->n_part; p++) {
    int n = pw_scene_count(sc, p);
    gather(sc, p, m.h, x->scratch);
    pw_chol_forward(factor_of(x, p), n, x->scratch);
    x->part.load[p] = pw_norm2(x->scratch, n);
    if (!moves) {
      continue;
    }
    pw_chol_backward(factor_of(x, p), n, x->scratch);
    for (int k = 0; k < n; k++) {
      x->a[sc->part_dof[sc->part_start[p] + k]] = x->scratch[k];
    }
  }
  return true;
}

/* The middle of the step without percussions, two looks at its forces, stepping (T6). */
static bool find_middle(const pw_scenes_view *c, const double *q0, const double *u0) {
  enum { LOOKS = 2 };
  pw_scenes *x = c->scenes;
  int nq = c->sys->nq, nv = c->sys->nv;
  double h = x->to - x->from;
  memcpy(x->q, q0, (size_t)nq * sizeof *q0);
  memcpy(x->v, u0, (size_t)nv * sizeof *u0);
  for (int look = 0; look < LOOKS; look++) {
    pw_motion_rate(c->sys->model, x->q, x->v, x->dq);
    for (int i = 0; i < nq; i++) {
      x->q[i] = q0[i] + h / 2 * x->dq[i];
    }
    if (!evaluate(c, x->from + h / 2, x->q, x->v, look + 1 < LOOKS)) {
      return false;
    }
    for (int i = 0; i < nv && look + 1 < LOOKS; i++) {
      x->v[i] = u0[i] + h / 2 * x->a[i];
    }
  }
  return true;
}

/* ---- percussions ---- */

static bool is_kick(const pw_scenes *x, const pw_model *m, const double *k) {
  bool fine = pw_all_finite(k, PW_KICK_REALS);
  for (int i = 0; i < 2 && fine; i++) {
    fine = k[i] >= 0 && k[i] < x->scene->n_shape && k[i] == floor(k[i]);
  }
  return fine && k[PW_KICK_PILE] >= 0 && k[PW_KICK_PILE] < m->piles.n &&
         pw_dot3(k + PW_KICK_ACROSS, k + PW_KICK_NORMAL) <=
             PW_SCALE(CERT_STEP) * pw_length3(k + PW_KICK_ACROSS);
}

typedef struct touch { /* a contact point of the step */
  int shape[2];
  double normal, across; /* sizes of its percussion */
  double before, after;  /* rates along the normal */
  double slip[3];        /* after */
  double whole[2];       /* speeds of the points against each other, before and after */
  double ease;           /* J M^-1 J^T along the normal */
  double slow;           /* twice what the load makes of its rate in the step */
  double e, mu;
  double work; /* of the percussion */
} touch;

/* |L^-1 slope| of a part; the slope there becomes zero again. */
static double take_slope(pw_scenes *x, int part) {
  const pw_scene *sc = x->scene;
  if (part < 0) {
    return 0;
  }
  int n = pw_scene_count(sc, part);
  gather(sc, part, x->slope, x->scratch);
  for (int e = sc->part_start[part]; e < sc->part_start[part + 1]; e++) {
    x->slope[sc->part_dof[e]] = 0;
  }
  pw_chol_forward(factor_of(x, part), n, x->scratch);
  return pw_norm2(x->scratch, n);
}

static touch look_at(const pw_scenes_view *c, const double *k, const double *u0, const double *u1) {
  pw_scenes *x = c->scenes;
  const pw_pile *pile = &c->sys->model->piles.items[(int)k[PW_KICK_PILE]];
  const double *at = k + PW_KICK_PLACE, *n = k + PW_KICK_NORMAL, *u[2] = {u0, u1};
  double h = x->to - x->from, rate[2][3];
  pw_scenes_hold(x, (int)k[0], (int)k[1], at);
  touch t = {.shape = {(int)k[0], (int)k[1]},
             .normal = k[PW_KICK_ALONG],
             .across = pw_length3(k + PW_KICK_ACROSS),
             .e = pile->restitution,
             .mu = pw_max(pile->mu, 0)};
  for (int side = 0; side < 2; side++) {
    pw_scenes_rate(x, u[side], rate[side]);
    t.whole[side] = pw_length3(rate[side]);
  }
  t.before = pw_dot3(rate[0], n);
  t.after = pw_dot3(rate[1], n);
  pw_add3(t.slip, rate[1], -t.after, n);
  for (int i = 0; i < 3; i++) {
    t.work += (k[PW_KICK_ALONG] * n[i] + k[PW_KICK_ACROSS + i]) * (rate[0][i] + rate[1][i]) / 2;
  }

  /* how easily it moves, and what the load does */
  pw_scenes_press(x, n, x->slope);
  for (int side = 0; side < 2; side++) {
    int part = x->scene->shape[t.shape[side]].part;
    double size = take_slope(x, part);
    t.ease += size * size;
    t.slow += part < 0 ? 0 : 2 * h * size * x->part.load[part];
  }
  return t;
}

/* Speeds by which the percussion misses its law, certificates (C32). `bounces`: with restitution.
 */
static double miss(const touch *t, const double *across, bool bounces) {
  double want = bounces && t->before < 0 ? -t->e * t->before : 0;
  double along = fabs(t->normal * t->ease - pw_max(t->normal * t->ease - (t->after - want), 0));
  double push[3], most = t->mu * pw_max(t->normal, 0) * t->ease, off = 0;
  for (int i = 0; i < 3; i++) {
    push[i] = across[i] * t->ease - t->slip[i];
  }
  double size = pw_length3(push), part = size > most ? most / size : 1;
  for (int i = 0; i < 3; i++) {
    double d = across[i] * t->ease - part * push[i];
    off += d * d;
  }
  return pw_max(along, sqrt(off));
}

typedef struct tally { /* of the touches of a step */
  double speed;        /* largest of their speeds */
  double work, size;
  bool strikes, rubs, wrong;
} tally;

static void add_touch(pw_scenes *x, tally *s, const touch *t, const double *across) {
  double dead = miss(t, across, false);
  bool strikes = t->before < -t->slow, may = t->before < -t->slow / 2 && t->before > -2 * t->slow;
  double bouncing = strikes || may ? miss(t, across, true) : dead;
  pw_scenes_miss(x, t->shape, may ? pw_min(bouncing, dead) : bouncing, dead);
  s->speed = pw_max(s->speed, pw_max(t->whole[0], t->whole[1]) + t->slow);
  s->work += t->work;
  s->size += (fabs(t->normal) + t->across) * (t->whole[0] + t->whole[1]) / 2;
  s->strikes = s->strikes || strikes;
  s->rubs = s->rubs || t->across > 0;
}

static void mark(pw_scenes *x, int shape) {
  int part = x->scene->shape[shape].part;
  if (part >= 0) {
    x->part.touched[part] = 1;
  }
}

/* The percussions of the step: laws, and their sum in x->residual, which becomes h f + J^T P. */
static tally sum_kicks(const pw_scenes_view *c, const pw_segment *g, const double *u0,
                       const double *u1) {
  pw_scenes *x = c->scenes;
  double h = x->to - x->from;
  tally s = {0};
  pw_scenes_begin_islands(x);
  for (int i = 0; i < g->n_kick; i++) {
    const double *k = g->kick + (ptrdiff_t)i * PW_KICK_REALS;
    if (is_kick(x, c->sys->model, k)) {
      pw_scenes_join(x, (const int[2]){(int)k[0], (int)k[1]});
    }
  }
  for (int i = 0; i < c->sys->nv; i++) {
    x->residual[i] *= h;
  }
  for (int i = 0; i < g->n_kick; i++) {
    const double *k = g->kick + (ptrdiff_t)i * PW_KICK_REALS;
    double force[3];
    if (!is_kick(x, c->sys->model, k)) {
      s.wrong = true;
      continue;
    }
    touch t = look_at(c, k, u0, u1);
    add_touch(x, &s, &t, k + PW_KICK_ACROSS);
    pw_add3(force, k + PW_KICK_ACROSS, k[PW_KICK_ALONG], k + PW_KICK_NORMAL);
    pw_scenes_press(x, force, x->residual);
    mark(x, t.shape[0]);
    mark(x, t.shape[1]);
  }
  return s;
}

static void judge_laws(const pw_scenes_view *c, const tally *s, pw_scenes_outcome *out) {
  const pw_scenes *x = c->scenes;
  double tol = PW_SCALE(CERT_STEP), speed = s->speed > 0 ? s->speed : 1;
  pw_scenes_misses m = pw_scenes_judge_islands(x, tol * speed);
  pw_scenes_locks *locks = &c->scenes->locks;
  bool locked = m.locked >= 0;
  pw_rule rule = locked ? PW_RULE_STEP_LOCKED : PW_RULE_STEP;
  locks->strikes += s->strikes;
  if (locked) {
    locks->count++;
    locks->t = m.hidden / speed > locks->worst ? x->to : locks->t;
    locks->worst = pw_max(locks->worst, m.hidden / speed);
  }
  double value = s->wrong ? INFINITY : pw_max(m.locked, m.bouncing) / speed;
  pw_found_note(c->record, PW_FINDING_IMPACT, pw_found(value, tol, x->to, -1, rule));
  pw_reason_note(c->record, rule, x->to, value);
  if (s->strikes && s->size > 0) { /* of what only rests, works are of the order of the step */
    double part = s->work / s->size;
    out->lost = pw_max(-part, 0);
    out->gained = part > tol ? part : 0;
  }
  out->rubs = s->rubs;
}

/* |L^T du - L^-1 (h f + J^T P)| of each part. */
static void judge_balance(const pw_scenes_view *c, const double *u0, const double *u1) {
  pw_scenes *x = c->scenes;
  const pw_scene *sc = x->scene;
  double h = x->to - x->from;
  for (int p = 0; p < sc->n_part; p++) {
    int n = pw_scene_count(sc, p);
    const double *L = factor_of(x, p);
    const int *dof = sc->part_dof + sc->part_start[p];
    double moved = 0, speed = 0, rest = 0, *push = x->scratch;
    gather(sc, p, x->residual, push);
    pw_chol_forward(L, n, push);
    for (int j = 0; j < n; j++) {
      double z = 0, v = 0;
      for (int i = j; i < n; i++) {
        z += L[j * n + i] * (u1[dof[i]] - u0[dof[i]]);
        v += L[j * n + i] * pw_max(fabs(u1[dof[i]]), fabs(u0[dof[i]]));
      }
      moved += z * z;
      speed += v * v;
      rest += (z - push[j]) * (z - push[j]);
    }
    x->fastest = pw_max(x->fastest, sqrt(speed));
    double scale = sqrt(moved) + h * x->part.load[p] + pw_norm2(push, n);
    double rounding = scale > 0 ? PW_SCALE(CERT_TERMS) * sqrt(speed) / scale : 0;
    pw_verify_found f = pw_found(scale > 0 ? sqrt(rest) / scale : 0, PW_SCALE(CERT_STEP) + rounding,
                                 x->to, -1, PW_RULE_STEP);
    pw_found_note(c->record, PW_FINDING_MOMENTUM, f);
  }
}

/* ---- positions ---- */

typedef struct gaps { /* while pairs are looked at */
  const pw_scenes_view *c;
  const pw_segment *g;
  const double *mean; /* nv: velocity; NULL: at the end of the step */
} gaps;

static bool has_kick(const pw_segment *g, int i, int k) {
  bool any = false;
  for (int j = 0; j < g->n_kick && !any; j++) {
    const double *at = g->kick + (ptrdiff_t)j * PW_KICK_REALS;
    any = (at[0] == i && at[1] == k) || (at[0] == k && at[1] == i);
  }
  return any;
}

static double spin_of(const pw_scenes *x, int shape, const double *u) {
  const pw_scene_shape *s = &x->scene->shape[shape];
  const double *by = x->frame.out + s->out + 2 * PW_FRAME_CHANNELS;
  double spin = 0;
  for (int k = 0; s->turns && k < s->n_dof; k++) {
    spin += by[PW_FRAME_ANGLE * s->n_dof + k] * u[s->dof[k]];
  }
  return s->quaternion >= 0 ? pw_length3(u + s->spin) : fabs(spin);
}

/* Notes a pair that came too close without percussions; true if it did in the step before, too. */
static bool is_again(pw_scenes *s, int i, int k) {
  bool again = false;
  for (int j = 0; j < s->late[0].n; j++) {
    again = again || (s->late[0].pair[j][0] == i && s->late[0].pair[j][1] == k);
  }
  pw_scenes_late *now = &s->late[1];
  if (now->n < PW_SCENES_LATE) {
    now->pair[now->n][0] = i;
    now->pair[now->n++][1] = k;
  }
  return again;
}

/* Where the mean velocity leads, a pair without percussions may not overlap, up to what the step
 * does not see: a tenth of the way, what the load does in it, and the turn of the normal. What only
 * the percussions of the step have sent against each other is met in the next one. */
static void judge_missed(gaps *x, int i, int k, const pw_meet *m) {
  pw_scenes *s = x->c->scenes;
  const pw_scene_shape *a = &s->scene->shape[i], *b = &s->scene->shape[k];
  double va[3], h = s->to - s->from, size = pw_scenes_size(s, i, k);
  pw_scenes_hold(s, i, k, m->x);
  pw_scenes_rate(s, x->mean, va);
  double way = h * pw_length3(va), turn = h * (spin_of(s, i, x->mean) + spin_of(s, k, x->mean)),
         pull = 0;
  pw_scenes_press(s, m->normal, s->slope);
  for (int side = 0; side < 2; side++) {
    int part = (side == 0 ? a : b)->part;
    pull += part < 0 ? 0 : 2 * h * h * take_slope(s, part) * s->part.load[part];
  }
  double room = PW_SCALE(CERT_SCENE_WAY) * way + pull + size * turn * turn +
                (size > 0 ? way * way / size : 0) + PW_SCALE(CERT_STEP) * size;
  if (m->gap >= -room || is_again(s, i, k)) {
    pw_found_note(x->c->record, PW_FINDING_HOLD,
                  pw_found(-m->gap / room, 1, s->to, -1, PW_RULE_STEP));
  }
}

static bool has_moved(const pw_scenes *s, int shape) {
  const pw_scene_shape *x = &s->scene->shape[shape];
  return x->drives || (x->part >= 0 && s->part.moved[x->part]);
}

/* A pair that stays as it was has been looked at; one with percussions was not missed. */
static void look_at_pair(void *payload, int i, int k) {
  gaps *x = payload;
  pw_scenes *s = x->c->scenes;
  if ((!has_moved(s, i) && !has_moved(s, k)) || (x->mean != NULL && has_kick(x->g, i, k))) {
    return;
  }
  pw_meet meet[PW_MOST_MEETS];
  double size = pw_scenes_size(s, i, k);
  int n = pw_meet_pair(&s->shape[i], &s->shape[k], PW_SCALE(CERT_SCENE_NEAR) * size, meet);
  if (x->mean != NULL) {
    for (int j = 0; j < n; j++) {
      if (meet[j].gap < -PW_SCALE(CERT_STEP) * size) {
        judge_missed(x, i, k, &meet[j]);
      }
    }
    return;
  }
  for (int j = 0; j < n; j++) {
    mark(s, i);
    mark(s, k);
    pw_found_note(x->c->record, PW_FINDING_GAP,
                  pw_found(pw_max(-meet[j].gap, 0) / size, PW_SCALE(CERT_SCENE_OVERLAP), s->to, -1,
                           PW_RULE_STEP));
  }
}

/* By how much positions were put back from where the mean velocity leads. */
static double measure_put(const pw_scenes_view *c, const double *q0, const double *q1) {
  pw_scenes *x = c->scenes;
  const pw_scene *sc = x->scene;
  const pw_model *m = c->sys->model;
  double h = x->to - x->from, most = 0;

  /* Where the mean velocity leads: q0 + h q'(v), with rotations of unit length. */
  pw_motion_rate(m, x->q, x->v, x->dq);
  for (int i = 0; i < c->sys->nq; i++) {
    x->arrive[i] = q0[i] + h * x->dq[i];
  }
  (void)pw_motion_unit(m, x->arrive);

  /* The rest of the way, as a displacement a. */
  for (int i = 0; i < c->sys->nq; i++) {
    x->dq[i] = q1[i] - x->arrive[i];
  }
  pw_motion_error(m, q1, x->dq, x->a);

  /* |L^T a| for each part: the displacement in the metric of its mass. */
  for (int p = 0; p < sc->n_part; p++) {
    const double *L = factor_of(x, p);
    int n = pw_scene_count(sc, p);
    const int *dof = sc->part_dof + sc->part_start[p];
    double sum = 0;
    for (int j = 0; j < n; j++) {
      double z = 0;
      for (int i = j; i < n; i++) {
        z += L[j * n + i] * x->a[dof[i]];
      }
      sum += z * z;
    }
    x->part.put[p] = sqrt(sum);
    most = pw_max(most, x->part.put[p]);

    /* A part has moved if it was put back, or has any velocity. */
    x->part.moved[p] = x->longest == 0 || sum > 0;
    for (int i = 0; i < n; i++) {
      x->part.moved[p] = x->part.moved[p] || x->v[dof[i]] != 0;
    }
  }
  return most;
}

static void judge_places(const pw_scenes_view *c, const double *q1) {
  pw_scenes *x = c->scenes;
  double whole = (x->to - x->from) * x->fastest;
  double far = pw_verify_distance(c->sys->model, c->mass, q1, NULL);
  double rounding = whole > 0 ? PW_SCALE(CERT_TERMS) * far / whole : 0;
  for (int p = 0; p < x->scene->n_part && whole > 0; p++) {
    bool touched = x->part.touched[p] != 0;
    double most = touched ? 2 : PW_SCALE(CERT_STEP);
    pw_found_note(c->record, touched ? PW_FINDING_CONTINUITY : PW_FINDING_KINEMATIC,
                  pw_found(x->part.put[p] / whole, most + rounding, x->to, -1, PW_RULE_STEP));
  }
}

/* ---- the step ---- */

static pw_scenes_outcome judge(const pw_scenes_view *c, const pw_segment *g, const double *last) {
  pw_scenes *x = c->scenes;
  pw_scenes_outcome out = {0};
  const double *q0 = g->value, *u0 = q0 + c->sys->nq, *u1 = last + c->sys->nq;
  if (!find_middle(c, q0, u0)) {
    pw_reason_note(c->record, PW_RULE_NO_FIT, x->to, NAN);
    return out;
  }
  memset(x->part.touched, 0, (size_t)x->scene->n_part);
  pw_scenes_place(x, c->sys, x->from + (x->to - x->from) / 2, x->q);
  tally sum = sum_kicks(c, g, u0, u1);
  judge_laws(c, &sum, &out);
  judge_balance(c, u0, u1);

  /* where it has led */
  for (int i = 0; i < c->sys->nv; i++) {
    x->v[i] = (u0[i] + u1[i]) / 2;
  }
  gaps end = {.c = c, .g = g}, way = {.c = c, .g = g, .mean = x->v};
  double put = measure_put(c, q0, last);
  x->late[0] = x->late[1];
  x->late[1].n = 0;
  bool put_back = put > PW_SCALE(CERT_STEP) * (x->to - x->from) * x->fastest;
  if (put_back) {
    pw_scenes_place_whole(x, c->sys, x->to, x->arrive);
    pw_scenes_pairs(x, PW_SCALE(CERT_SCENE_NEAR), look_at_pair, &way);
  }
  if (put_back || x->steps++ % PAIRS_EVERY == 0) {
    pw_scenes_place_whole(x, c->sys, x->to, last);
    pw_scenes_pairs(x, PW_SCALE(CERT_SCENE_NEAR), look_at_pair, &end);
  }
  judge_places(c, last);
  out.seen = true;
  out.fastest = x->fastest;
  return out;
}

/* ---- steps that repeat the last one ---- */

static bool is_driven(const pw_scene *s) {
  bool any = false;
  for (int i = 0; i < s->n_shape; i++) {
    any = any || s->shape[i].drives;
  }
  return any;
}

/* A step that leaves everything where it was, as the one before did by the same percussions and
 * forces, has been judged. */
static bool repeats(const pw_scenes_view *c, const pw_segment *g, const double *end) {
  pw_scenes *x = c->scenes;
  pw_scenes_last *last = &x->last;
  size_t state = (size_t)(c->sys->nq + c->sys->nv) * sizeof *end;
  if (memcmp(g->value, end, state) != 0 || is_driven(x->scene)) {
    last->known = false;
    return false;
  }
  pw_probe_state(c->probe, x->from + (x->to - x->from) / 2, end, end + c->sys->nq);
  pw_motion_view m = pw_view_motion(c->sys, pw_probe_motion(c->probe));
  size_t bytes = (size_t)c->sys->nv * sizeof *m.h;
  uint64_t kicks = pw_sum64(0, g->kick, (size_t)(g->n_kick * PW_KICK_REALS) * sizeof *g->kick);
  bool judged = last->known && last->length == x->to - x->from && last->kicks == kicks &&
                memcmp(last->state, end, state) == 0 && memcmp(last->h, m.h, bytes) == 0;
  memcpy(last->state, end, state);
  memcpy(last->h, m.h, bytes);
  last->length = x->to - x->from;
  last->kicks = kicks;
  last->known = true;
  return judged;
}

pw_scenes_outcome pw_scenes_step(const pw_scenes_view *c, const pw_segment *g, int stride) {
  pw_scenes *x = c->scenes;
  bool first = x->longest == 0;
  x->from = g->from;
  x->to = g->to;
  const double *end = g->value + (ptrdiff_t)(g->nodes - 1) * stride;
  if (repeats(c, g, end)) {
    return (pw_scenes_outcome){.seen = true, .fastest = x->fastest};
  }
  pw_scenes_outcome out = judge(c, g, end);
  x->longest = pw_max(x->longest, g->to - g->from);
  out.changes = !first && g->n_kick != x->kicks;
  x->kicks = g->n_kick;
  return out;
}

void pw_scenes_forget(pw_scenes *x) {
  x->last.known = false;
  x->late[0].n = x->late[1].n = 0;
}

void pw_scenes_finish(const pw_scenes *scenes, pw_record *record) {
  const pw_scenes_locks *x = &scenes->locks;
  if ((double)x->count > PW_SCALE(CERT_SCENE_LOCKED) * (double)x->strikes) {
    pw_found_note(record, PW_FINDING_IMPACT,
                  pw_found(x->worst, PW_SCALE(CERT_STEP), x->t, -1, PW_RULE_STEP));
  }
}
