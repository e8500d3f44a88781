// SPDX-License-Identifier: MIT
/* The motions found: their contacts and held laws, whether they are isolated; without
 * duplicates. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "bvp/bvp.h"
#include "law/scale_bvp.h"
#include "linalg/dense.h"

static int by_bounces(const void *a, const void *b) {
  const pw_solution *x = a, *y = b;
  int order = x->show.bounces - y->show.bounces;
  return order != 0                         ? order
         : x->show.action != y->show.action ? (x->show.action < y->show.action ? -1 : 1)
                                            : 0;
}

void pw_solutions_sort(pawl_bvp *b) {
  if (b->n > 1) {
    qsort(b->items, (size_t)b->n, sizeof *b->items, by_bounces);
  }
}

/* ---- each once ---- */

static double apart(const double *x, const double *y, int n, double *size) {
  double far = 0;
  for (int k = 0; k < n; k++) {
    far = fmax(far, fabs(x[k] - y[k]));
    *size = fmax(*size, fabs(x[k]));
  }
  return far;
}

/* Speeds that are small compared with the problem count as zero. */
static bool is_same(const pawl_bvp *b, const pawl_bvp_solution *x, const pawl_bvp_solution *y) {
  const pw_system *s = b->shoot.sys;
  double same = PW_SCALE(BVP_SAME_SPEED), pull = 0;
  double speed = PW_SCALE(BVP_SLOW) * b->shoot.length[0] / (b->shoot.to - b->shoot.from);
  double far = apart(x->u_start, y->u_start, s->nv, &speed);
  double other = apart(x->q_start + s->model->nq, y->q_start + s->model->nq, s->n_state, &pull);
  bool together = fabs(x->to - y->to) <= same * (x->to - b->shoot.from);
  return together && far <= same * speed + DBL_MIN && other <= same * pull + DBL_MIN;
}

/* Of one family: the same things happen in the same order. */
static bool is_alike(const pawl_bvp_solution *x, const pawl_bvp_solution *y) {
  bool alike = x->family == y->family && x->bounces == y->bounces && x->n_segment == y->n_segment;
  for (int i = 0; alike && i < x->bounces; i++) {
    alike = strcmp(x->labels[i], y->labels[i]) == 0;
  }
  for (int i = 0; alike && i < x->n_segment; i++) {
    alike = strcmp(x->segments[i].law, y->segments[i].law) == 0;
  }
  return alike;
}

static double speed_of(const pawl_bvp *b, const pw_solution *x) {
  return pw_norm2(x->show.u_start, b->shoot.sys->nv);
}

/* ---- one ---- */

void pw_solution_free(pw_solution *s) {
  free(s->numbers);
  free(s->text);
  free(s->labels);
  free(s->segments);
  free(s->levels);
  free(s->certificate);
}

static bool reserve(pawl_bvp *b, pw_solution *out) {
  const pw_system *s = b->shoot.sys;
  size_t states = 2 * ((size_t)s->nq + (size_t)s->nv);
  size_t count = states + PW_MAX_BOUNCES + (size_t)s->nv;
  *out = (pw_solution){.numbers = calloc(count, sizeof(double)),
                       .text = calloc(PW_MAX_BOUNCES, sizeof *out->text),
                       .labels = calloc(PW_MAX_BOUNCES, sizeof *out->labels),
                       .segments = calloc(PW_MAX_SEGMENTS, sizeof *out->segments),
                       .levels = calloc(PW_LEVELS, sizeof *out->levels)};
  out->show.levels = out->levels;
  if (b->n == b->cap) {
    int cap = 2 * b->cap + 8;
    pw_solution *more = realloc(b->items, (size_t)cap * sizeof *more);
    b->items = more == NULL ? b->items : more;
    b->cap = more == NULL ? b->cap : cap;
  }
  return b->n < b->cap && out->numbers != NULL && out->text != NULL && out->labels != NULL &&
         out->segments != NULL && out->levels != NULL;
}

static void copy_states(const pw_shoot *x, pw_solution *out) {
  size_t nq = (size_t)x->sys->nq, nv = (size_t)x->sys->nv, own = (size_t)x->sys->model->nq;
  double *q0 = out->numbers, *q1 = q0 + nq, *u0 = q1 + nq, *u1 = u0 + nv;
  memcpy(q0, pawl_start_positions(x->system), own * sizeof *q0);
  memcpy(q0 + own, x->lambda, (nq - own) * sizeof *q0);
  memcpy(q1, x->q, nq * sizeof *q1);
  memcpy(u0, x->u, nv * sizeof *u0);
  memcpy(u1, x->u_end, nv * sizeof *u1);
  out->show.q_start = q0;
  out->show.q_end = q1;
  out->show.u_start = u0;
  out->show.u_end = u1;
  out->show.times = u1 + nv;
  out->show.labels = out->labels;
  out->show.segments = out->segments;
}

static pw_flight record(pw_shoot *x, const double *s, pw_solution *sol) {
  pw_flight_log log = {.room = PW_MAX_BOUNCES,
                       .times = sol->numbers + 2 * (x->sys->nq + x->sys->nv),
                       .labels = sol->text,
                       .segments = sol->segments,
                       .most = PW_MAX_SEGMENTS};
  pw_flight f = pw_shoot_record(x, s, &log);
  copy_states(x, sol);
  sol->show.to = x->to;
  sol->show.bounces = f.bounces;
  sol->show.action = f.action;
  sol->show.miss = f.miss * x->length[0];
  sol->show.n_segment = log.n_segment;
  for (int k = 0; k < f.bounces; k++) {
    sol->labels[k] = sol->text[k];
  }
  return f;
}

/* Its place in the list: a new one, that of a faster member of its family, or -1. */
static int place_of(const pawl_bvp *b, const pw_solution *sol) {
  for (int i = 0; i < b->n; i++) {
    const pw_solution *other = &b->items[i];
    if (is_same(b, &sol->show, &other->show)) {
      bool better = sol->show.n_segment > other->show.n_segment && speed_of(b, sol) == 0;
      return better ? i : -1; /* it rests on a contact that the other motion leaves imperceptibly */
    }
    if (sol->show.family > 0 && is_alike(&sol->show, &other->show)) {
      return speed_of(b, sol) < speed_of(b, other) * (1 - PW_SCALE(BVP_SAME_SPEED)) ? i : -1;
    }
  }
  return b->n;
}

static bool is_wanted(const pawl_bvp *b, const pw_flight *f) {
  bool asked = f->bounces >= b->opts.least && f->bounces <= b->opts.most;
  return f->ok && f->miss <= PW_SCALE(BVP_LISTED) && asked;
}

/* Whether it reaches the contact that holds it from free flight. Slow impacts are ignored here; but
 * a short enough flight ends slowly at any wall, which is not a landing. */
static bool lands(const pw_shoot *x, const pw_solution *sol) {
  double shortest = PW_SCALE(BVP_LANDING_TIME) * (x->to - x->from);
  for (int k = 0; k < sol->show.n_segment; k++) {
    double from = sol->segments[k].from, before = x->from;
    for (int i = 0; i < sol->show.bounces && sol->show.times[i] <= from; i++) {
      before = sol->show.times[i];
    }
    if (from - before > shortest && sol->segments[k].to >= x->to - shortest) {
      return true;
    }
  }
  return false;
}

/* ---- the last digits ---- */

/* How large velocities are along the motion: from the direct method if it succeeded, or at its
 * ends; and their uncertainty. */
static void note_sizes(const pw_shoot *x, const double *found, pw_solution *sol) {
  double *size = sol->numbers + 2 * (x->sys->nq + x->sys->nv) + PW_MAX_BOUNCES;
  for (int i = 0; i < x->sys->nv; i++) {
    double ends = fmax(fabs(sol->show.u_start[i]), fabs(sol->show.u_end[i]));
    size[i] = sol->show.direct.solved ? fmax(found[i], ends) : ends;
  }
  sol->show.u_size = size;
  double error =
      sol->show.direct.solved ? fmax(sol->show.direct.defect, sol->show.direct.error) : 0;
  sol->show.known = fmax(error, PW_SCALE(BVP_FINE));
}

/* Time at which it reached the contact that holds it, from the direct solution, which is more
 * accurate. NAN: it did not. */
static void note_landing(const pw_shoot *x, double t, pw_solution *sol) {
  double near = PW_SCALE(BVP_LANDING_TIME) * (x->to - x->from);
  for (int k = 0; k < sol->show.n_segment; k++) {
    double *from = &sol->segments[k].from;
    *from = fabs(*from - t) <= near ? t : *from;
  }
}

/* The motion from another start, if it is the same one and arrives as well. */
static bool take_start(pw_shoot *x, const double *s, pw_flight *f, pw_solution *sol) {
  int segments = sol->show.n_segment;
  pw_flight now = record(x, s, sol);
  bool alike = now.trace == f->trace && now.bounces == f->bounces;
  bool arrives = now.ok && now.miss <= fmax(PW_SCALE(BVP_FINE), 2 * f->miss);
  bool same = alike && arrives && sol->show.n_segment == segments;
  *f = same ? now : *f;
  return same;
}

/* Components of the start that are rounding become zero; whether there were any. */
static bool drop_noise(const pw_shoot *x, double *s) {
  bool any = false;
  for (int k = 0; k < x->d; k++) {
    bool noise = s[k] != 0 && fabs(s[k]) <= PW_SCALE(BVP_NO_SPEED) * x->reach;
    s[k] = noise ? 0 : s[k];
    any = any || noise;
  }
  return any;
}

/* The start that the direct method came to, if both agree. */
static pawl_status sharpen(pw_shoot *x, const double *s, pw_flight *f, pw_solution *sol) {
  size_t d = (size_t)x->d, nv = (size_t)x->sys->nv;
  double *answer = calloc(2 * d + nv + 2, sizeof *answer);
  if (answer == NULL) {
    return PAWL_E_MEMORY;
  }
  double *best = answer + d + nv + 1;
  pawl_status status = pw_direct(x, s, PW_REFINE, &sol->show.direct, answer);

  /* the better start of the two */
  memcpy(best, s, d * sizeof *best);
  bool isolated = sol->show.direct.agrees && sol->show.family == 0;
  if (isolated && take_start(x, answer, f, sol)) {
    memcpy(best, answer, d * sizeof *best);
  }

  /* the same without rounding, if that arrives, too */
  memcpy(answer, best, d * sizeof *best);
  bool clean = drop_noise(x, answer) && take_start(x, answer, f, sol);
  (void)(clean || take_start(x, best, f, sol));

  note_sizes(x, answer + d, sol);
  if (sol->show.direct.agrees) {
    note_landing(x, answer[d + nv], sol);
  }
  free(answer);
  return status;
}

static pawl_status put(pawl_bvp *b, pw_shoot *x, const double *s, pw_flight *f, pw_solution *sol,
                       int place) {
  PW_ASSERT(place >= 0 && place <= b->n && b->n < b->cap);
  pawl_status status = sharpen(x, s, f, sol);
  sol->show.defect = sol->show.direct.defect;
  if (status == PAWL_OK) {
    status = pw_direct_levels(x, s, sol->levels, &sol->show.n_level);
  }
  if (status == PAWL_OK) {
    status = pw_solution_certify(b, sol);
  }
  if (place < b->n) {
    pw_solution_free(&b->items[place]);
  } else {
    b->n++;
  }
  b->items[place] = *sol;
  return status;
}

pawl_status pw_solutions_add(pawl_bvp *b, pw_shoot *x, const double *s) {
  pw_solution sol;
  if (!reserve(b, &sol)) {
    pw_solution_free(&sol);
    return PAWL_E_MEMORY;
  }
  sol.still = x->still;
  pw_flight f = record(x, s, &sol);
  int place = -1;
  bool slow = x->still != b->shoot.still; /* it must land, then */
  bool lasts = !x->free.time || sol.show.to - x->from > PW_SCALE(BVP_LASTS) * x->free.span;
  if (lasts && is_wanted(b, &f) && (!slow || lands(x, &sol))) {
    sol.show.family = pw_family_of(x, s);
    place = place_of(b, &sol);
    b->isolated = b->isolated && sol.show.family == 0;
    b->overflow = b->overflow || place == PW_MAX_SOLUTIONS;
  }
  if (place < 0 || place == PW_MAX_SOLUTIONS) {
    pw_solution_free(&sol);
    return PAWL_OK;
  }
  pw_shoot timed = pw_shoot_timed(x, s);
  return put(b, &timed, s, &f, &sol, place);
}
