// SPDX-License-Identifier: MIT
/* Impacts by residual: impulses that come with a jump are accepted if they obey the law of the
 * model, and only then. Chains of balls and blocks with friction are struck here, by formulas for
 * one contact; then impulses, their order or the velocities are spoiled. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "law/phase.h"
#include "verify/checker.h"
#include "verify/feed.h"
#include "verify_support.h"

enum { MOST = 40 };

static double draw(uint64_t *state) { /* 0..1 */
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 9007199254740992.0;
}

/* How often the residual decided, after one jump at t = 1. */
static long decided(judged *j, const double *q, const double *before, const double *after, int n,
                    const pw_strokes *strokes) {
  double row[1 + 8 * MOST] = {1};
  const char *at = strokes->bytes.text;
  memcpy(row + 1, q, (size_t)n * sizeof *q);
  memcpy(row + 1 + n, before, (size_t)n * sizeof *q);
  pw_own_side(j->c, PAWL_BEFORE, row);
  memcpy(row + 1 + n, after, (size_t)n * sizeof *q);
  pw_own_strokes(j->c, (pw_reader){at, at + strokes->bytes.len, false});
  pw_own_side(j->c, PAWL_AFTER, row);
  return j->c->record.reason[PW_RULE_IMPACT_RESIDUAL].count;
}

/* ---- balls in a row, one impact after the other ---- */

typedef struct chain {
  int n;
  double e, mass[MOST], place[MOST], before[MOST], u[MOST];
  pw_strokes strokes;
} chain;

typedef enum spoil {
  RIGHT,
  WRONG_RESTITUTION, /* of one hit, by a thousandth */
  WRONG_ORDER,       /* the slowest first, once */
  WRONG_VELOCITY,    /* not where the impulses lead */
  WRONG_CONTACT,     /* told of another contact */
  TOGETHER,          /* told as if all were struck at once */
  TORN               /* the list ends in the middle of a number */
} spoil;

/* The contact that closes fastest, or slowest; -1: none closes. Rates are divided by lengths of
 * gradients in the metric. */
static int next_of(const chain *c, bool slowest) {
  int best = -1;
  double most = 0;
  for (int i = 0; i + 1 < c->n; i++) {
    double length = sqrt(1 / c->mass[i] + 1 / c->mass[i + 1]);
    double speed = (c->u[i] - c->u[i + 1]) / length;
    bool better = best < 0 || (slowest ? speed < most : speed > most);
    if (speed > 1e-9 && better) {
      best = i;
      most = speed;
    }
  }
  return best;
}

static void hit(chain *c, int i, double e, spoil how, int rows) {
  double impulse[MOST] = {0};
  double reduced = 1 / (1 / c->mass[i] + 1 / c->mass[i + 1]);
  double P = (1 + e) * reduced * (c->u[i] - c->u[i + 1]);
  c->u[i] -= P / c->mass[i];
  c->u[i + 1] += P / c->mass[i + 1];
  impulse[how == WRONG_CONTACT ? (i + 1) % rows : i] = P;
  pw_strokes_add(&c->strokes, PW_PHASE_NEWTON, how == TOGETHER ? -1 : i, impulse, rows);
}

static chain make_chain(int n, uint64_t *random, spoil how) {
  chain c = {.n = n, .e = 0.3 + 0.6 * draw(random)};
  for (int i = 0; i < n; i++) {
    c.mass[i] = 0.5 + draw(random);
    c.place[i] = i;
    c.before[i] = c.u[i] = i < 2 ? 2 - i : 0.1 * draw(random) - 0.01 * i;
  }
  for (int k = 0, next; k < 400 && (next = next_of(&c, how == WRONG_ORDER && k == 0)) >= 0; k++) {
    hit(&c, next, how == WRONG_RESTITUTION && k == 1 ? 0.999 * c.e : c.e, how, n - 1);
  }
  c.u[n / 2] += how == WRONG_VELOCITY ? 1e-3 : 0;
  c.strokes.bytes.len -= how == TORN ? 8 : 0;
  return c;
}

static judged open_chain(const chain *c) {
  char text[8000];
  int at = snprintf(text, sizeof text, "coordinates x[1..%d]\nkinetic T = 0", c->n);
  for (int i = 0; i < c->n; i++) {
    at += snprintf(text + at, sizeof text - (size_t)at, " + 1/2*%.17g*x[%d]'^2", c->mass[i], i + 1);
  }
  at += snprintf(text + at, sizeof text - (size_t)at,
                 "\nconstraint c[i in 1..%d]: x[i+1] - x[i] - 1 >= 0, restitution %.17g\n",
                 c->n - 1, c->e);
  judged j = judged_open(text);
  j.c->opts.sequential = true;
  return j;
}

static void chains_are_judged(void) {
  uint64_t random = 7;
  for (int k = 0; k < 60; k++) {
    int n = 3 + (int)(draw(&random) * (MOST - 3));
    for (spoil how = RIGHT; how <= TORN; how++) {
      uint64_t same = random;
      chain c = make_chain(n, &same, how);
      judged j = open_chain(&c);
      long by_residual = decided(&j, c.place, c.before, c.u, n, &c.strokes);
      CHECK_INT(by_residual, how == RIGHT);
      judged_close(&j);
      pw_buf_free(&c.strokes.bytes);
    }
    (void)draw(&random);
  }
}

/* ---- blocks that land and slide, all at once ---- */

enum { BLOCKS = 3, ROWS = 2 * BLOCKS };

typedef struct landing {
  double mass[BLOCKS], mu[BLOCKS], e[BLOCKS];
  double before[2 * BLOCKS], after[2 * BLOCKS], impulse[ROWS];
} landing;

/* Normal impulse of Newton's law; friction stops the slip or slides. x, then y of each. */
static landing make_landing(uint64_t *random) {
  landing l = {0};
  for (int i = 0; i < BLOCKS; i++) {
    l.mass[i] = 0.5 + draw(random);
    l.mu[i] = draw(random);
    l.e[i] = draw(random);
    double vx = 2 * draw(random) - 1, vy = -draw(random) - 0.1;
    double P = -(1 + l.e[i]) * l.mass[i] * vy, hold = -l.mass[i] * vx, most = l.mu[i] * P;
    double F = fmin(fmax(hold, -most), most);
    l.before[2 * i] = vx;
    l.before[2 * i + 1] = vy;
    l.after[2 * i] = vx + F / l.mass[i];
    l.after[2 * i + 1] = -l.e[i] * vy;
    l.impulse[2 * i] = P;
    l.impulse[2 * i + 1] = F;
  }
  return l;
}

static judged open_landing(const landing *l) {
  char text[2000];
  int at = snprintf(text, sizeof text, "coordinates x1, y1, x2, y2, x3, y3\nkinetic T = 0");
  for (int i = 0; i < BLOCKS; i++) {
    at += snprintf(text + at, sizeof text - (size_t)at, " + 1/2*%.17g*(x%d'^2 + y%d'^2)",
                   l->mass[i], i + 1, i + 1);
  }
  for (int i = 0; i < BLOCKS; i++) {
    at += snprintf(
        text + at, sizeof text - (size_t)at,
        "\nconstraint c%d: y%d >= 0, restitution %.17g\nfriction f%d: slip x%d', mu %.17g on c%d",
        i + 1, i + 1, l->e[i], i + 1, i + 1, l->mu[i], i + 1);
  }
  return judged_open(text);
}

/* The row of the system that a law of the model has. */
static int row_of(const judged *j, const char *name) {
  const pw_system *s = j->c->sys;
  for (int i = 0; i < s->nr; i++) {
    if (strcmp(pawl_law_get(j->system, s->row_of[i]).name, name) == 0) {
      return i;
    }
  }
  return -1;
}

/* spoiled: the impulse (law) that is larger by a thousandth, with the velocity it makes; -1: none.
 */
static void judge_landing(landing l, int spoiled) {
  static const char *const names[] = {"c1", "f1", "c2", "f2", "c3", "f3"};
  static const double place[2 * BLOCKS] = {0};
  judged j = open_landing(&l);
  double impulse[ROWS] = {0};
  pw_strokes strokes = {0};
  if (spoiled >= 0) {
    double more = 1e-3 * l.impulse[spoiled];
    int block = spoiled / 2, along = spoiled % 2 == 0 ? 1 : 0;
    l.impulse[spoiled] += more;
    l.after[2 * block + along] += more / l.mass[block];
  }
  CHECK_INT(j.c->sys->nr, ROWS);
  for (int k = 0; k < ROWS; k++) {
    int row = row_of(&j, names[k]);
    if (CHECK(row >= 0 && row < ROWS)) {
      impulse[row] = l.impulse[k];
    }
  }
  pw_strokes_add(&strokes, PW_PHASE_NEWTON, -1, impulse, ROWS);
  CHECK_INT(decided(&j, place, l.before, l.after, 2 * BLOCKS, &strokes), spoiled < 0);
  judged_close(&j);
  pw_buf_free(&strokes.bytes);
}

static void landings_are_judged(void) {
  uint64_t random = 11;
  for (int k = 0; k < 40; k++) {
    landing l = make_landing(&random);
    judge_landing(l, -1);
    for (int i = 0; i < ROWS; i++) {
      if (fabs(l.impulse[i]) > 0.05) {
        judge_landing(l, i);
      }
    }
  }
}

/* ---- bytes ---- */

static void lists_come_back(void) {
  static const double impulse[] = {0, 2.5, 0, -1};
  pw_strokes s = {0};
  pw_stroke_view x;
  pw_strokes_add(&s, PW_PHASE_COMPRESSION, -1, impulse, 4);
  pw_strokes_settle(&s);
  CHECK(pw_strokes_tell(&s));
  pw_strokes_add(&s, PW_PHASE_EXPANSION, 3, impulse + 2, 2);
  pw_strokes_retry(&s);
  pw_strokes_add(&s, PW_STROKE_STOP, 2, impulse, 3);
  pw_reader in = {s.bytes.text, s.bytes.text + s.bytes.len, false};
  CHECK(pw_strokes_next(&in, 4, &x) && x.phase == PW_PHASE_COMPRESSION && x.only == -1);
  CHECK(x.n == 2 && x.part[0] == 1 && x.part[1] == 2.5 && x.part[2] == 3 && x.part[3] == -1);
  CHECK(pw_strokes_next(&in, 4, &x) && x.phase == PW_STROKE_STOP && x.only == 2 && x.n == 1);
  CHECK(!pw_strokes_next(&in, 4, &x) && !in.bad);
  in = (pw_reader){s.bytes.text, s.bytes.text + s.bytes.len, false};
  CHECK(!pw_strokes_next(&in, 3, &x) && in.bad); /* a row that the system does not have */
  pw_strokes_lose(&s);
  CHECK(!pw_strokes_tell(&s));
  pw_strokes_clear(NULL);
  pw_strokes_add(NULL, 0, -1, impulse, 4);
  pw_buf_free(&s.bytes);
}

CHECK_MAIN({"lists_come_back", lists_come_back}, {"chains_are_judged", chains_are_judged},
           {"landings_are_judged", landings_are_judged})
