// SPDX-License-Identifier: MIT
/* Runs random systems and judges their motions.
 *   campaign A..B [-v]     seeds; -v: the text of systems that stop, the events of a single one
 * Each system is run as drawn, once more (same bytes) with rows in between for its certificate,
 * with its laws in another order, and with one of them multiplied by 10 (same motion). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "certified.h"
#include "judge.h"
#include "subject.h"

enum { POINTS = 40, TEXT = 400, ROWS = 10 }; /* ROWS: from a point to the next */

typedef struct track { /* of one run */
  double t[POINTS], x[POINTS][2 * POLY_VARS];
  int n;              /* points reached */
  pawl_status status; /* of the run */
  int refused;        /* before the first step */
  int needless;       /* it stopped where it could have gone on */
  int paradox;        /* the start has no acceleration, or several */
  char why[TEXT];     /* first diagnostic */
  double tie;         /* see judge.h */
  long events, impacts;
  double force[SCENE_LAWS]; /* at the end, of the function of the scene */
} track;

typedef struct tally {
  long passed, failed, stopped, refused, events, impacts;
  double worst[CHECK_KINDS];
  uint64_t where[CHECK_KINDS];
  int verbose, one; /* one: a single seed */
} tally;

/* ---- one run ---- */

static void note_point(track *k, const scene *s, const pawl_point *p, const judge *j) {
  k->t[k->n] = p->t;
  memcpy(k->x[k->n], p->q, (size_t)s->n * sizeof(double));
  memcpy(k->x[k->n] + s->n, p->u, (size_t)s->n * sizeof(double));
  k->n++;
  for (int i = 0; i < s->m; i++) {
    k->force[i] = p->force[j->at[i]] * j->scale[i];
  }
}

static void show_events(const pawl_sim *sim) {
  for (int i = 0; i < pawl_sim_events(sim); i++) {
    pawl_event e = pawl_sim_event(sim, i);
    printf("  t = %.12g %s %s", e.t, e.kind, e.at);
    if (e.n_impulse > 0) {
      printf(", rate %.6g to %.6g, impulse %.6g, energy %.3g", e.rate_before, e.rate_after,
             e.impulse[0], e.dE);
    }
    printf("%s%s\n", e.flag == NULL ? "" : " ", e.flag == NULL ? "" : e.flag);
  }
}

static pawl_status go_to(pawl_sim *sim, double target, pawl_diags *diags, judge *j,
                         pawl_certifier *c) {
  pawl_stop why = PAWL_AT_EVENT;
  while (why == PAWL_AT_EVENT) {
    pawl_status status = pawl_sim_advance(sim, target, diags, &why);
    if (status != PAWL_OK) {
      return status;
    }
    if (why == PAWL_AT_EVENT) {
      judge_event(j, sim);
      if (j->shows) {
        show_events(sim);
      }
      judge_energy(j, sim);
      certified_row(c, sim, PAWL_BEFORE);
    }
    certified_row(c, sim, PAWL_AFTER);
  }
  return PAWL_OK;
}

/* c: or NULL. */
static pawl_status follow(pawl_sim *sim, const scene *s, pawl_diags *diags, judge *j, track *k,
                          pawl_certifier *c) {
  certified_row(c, sim, PAWL_AFTER);
  for (int i = 1; i <= POINTS; i++) {
    for (int row = c == NULL ? ROWS : 1; row <= ROWS; row++) {
      double part = i - 1 + (double)row / ROWS;
      pawl_status status = go_to(sim, s->span * part / POINTS, diags, j, c);
      if (status != PAWL_OK) {
        return status;
      }
    }
    pawl_point p;
    if (pawl_sim_point(sim, PAWL_AFTER, &p) != PAWL_OK) {
      return PAWL_E_NAN;
    }
    judge_point(j, &p);
    judge_energy(j, sim);
    note_point(k, s, &p, j);
  }
  judge_end(j);
  return PAWL_OK;
}

/* Stops that are faults: where the motion could have gone on, and endless events or steps without a
 * drive that would explain them. */
static int is_needless(const scene *s, const judge *j, pawl_sim *sim, const track *k) {
  for (int i = 0; i < s->m; i++) { /* Painleve's paradox: friction on a contact leaves no motion */
    if (s->law[i].kind == FRICTION && s->law[i].on >= 0 && k->status == PAWL_E_NO_MOTION) {
      return 0;
    }
  }
  if (strncmp(k->why, "E0503", 5) == 0) {
    return !j->wild && judge_could_go_on(j, sim, 1);
  }
  if (k->status == PAWL_E_CONTRADICTION || strncmp(k->why, "E0502", 5) == 0) {
    return judge_could_go_on(j, sim, 0);
  }
  return k->status == PAWL_E_EVENTS ? !j->wild && !judge_is_crushed(j, sim) : scene_is_passive(s);
}

/* All accelerations of the start, found without the simulation: none, or several (Painleve). */
static int is_paradox(const pawl_system *system) {
  pawl_gauss *gauss = NULL;
  int yes = 0;
  if (pawl_gauss_new(system, NULL, NULL, &gauss) == PAWL_OK) {
    pawl_gauss_info info = pawl_gauss_get(gauss, PAWL_RIGHT);
    yes = info.complete && info.count != 1;
  }
  pawl_gauss_free(gauss);
  return yes;
}

static int shows;           /* events of the runs */
static int certifies;       /* them */
static char rejected[TEXT]; /* what the certificate of the last one says against it, if anything */

static void run_scene(const scene *s, const variant *v, double tol, judge *j, track *k) {
  subject is;
  char *text = scene_text(s, v);
  pawl_sim_opts opts = {.tol = tol, .max_events = 20000, .max_steps = 100000};
  memset(k, 0, sizeof *k);
  k->status = subject_open(&is, text, &opts);
  k->refused = k->status != PAWL_OK;
  if (!k->refused) {
    judge_begin(j, s, is.system, v);
    j->shows = shows;
    judge_energy(j, is.sim);
    pawl_certifier *c = certifies ? certified_begin(is.system, s->span) : NULL;
    k->status = follow(is.sim, s, is.diags, j, k, c);
    certified_end(c, rejected, sizeof rejected);
    k->tie = j->tie;
    k->events = j->events;
    k->impacts = j->impacts;
  }
  if (k->status != PAWL_OK) {
    subject_why(&is, k->why, TEXT);
    k->paradox = k->refused && k->status == PAWL_E_NO_MOTION && is_paradox(is.system);
    k->needless = !k->refused && is_needless(s, j, is.sim, k);
  }
  subject_close(&is);
  free(text);
}

/* ---- comparisons ---- */

static double distance(const scene *s, const track *a, const track *b, int i) {
  double most = 0;
  for (int c = 0; c < 2 * s->n; c++) {
    double d = fabs(a->x[i][c] - b->x[i][c]) / (1 + fabs(a->x[i][c]));
    most = isnan(d) || d > most ? d : most;
  }
  return most;
}

/* First point where b leaves a by more than the motion's own sensitivity allows: that is how far a
 * run with a tenth of the tolerance is off. -1: none. */
static int departs(const scene *s, const variant *v, const track *a, const track *b) {
  static track fine;
  judge j;
  int have = 0;
  double spread = 0;
  for (int i = 0; i < a->n && i < b->n && a->t[i] < fmin(a->tie, b->tie); i++) {
    double d = distance(s, a, b, i);
    if (d <= 1e-7) {
      continue;
    }
    if (!have) {
      run_scene(s, v, 1e-10, &j, &fine);
      have = 1;
    }
    spread = i < fine.n ? fmax(spread, distance(s, a, &fine, i)) : INFINITY;
    if (!(d <= 1e3 * spread + 1e-6)) {
      return i;
    }
  }
  return -1;
}

/* ---- a system ---- */

static void identity(const scene *s, variant *v) {
  v->scaled = -1;
  for (int i = 0; i < s->m; i++) {
    v->order[i] = i;
  }
}

static void shuffle(const scene *s, variant *v, dice *d) {
  for (int i = s->m - 1; i > 0; i--) {
    int k = dice_below(d, i + 1), keep = v->order[i];
    v->order[i] = v->order[k];
    v->order[k] = keep;
  }
}

static void show(const scene *s, const variant *v) {
  char *text = scene_text(s, v);
  printf("%s", text);
  free(text);
}

/* The model alone, for other programs. */
static void print_model(const scene *s) {
  variant v;
  identity(s, &v);
  printf("# seed %llu\n", (unsigned long long)s->seed);
  show(s, &v);
}

static int fail(const scene *s, const variant *v, const char *format, const char *what, double t) {
  printf("FAILED seed %llu: ", (unsigned long long)s->seed);
  printf(format, what, t);
  putchar('\n');
  show(s, v);
  return 0;
}

static int judge_ok(const scene *s, const variant *v, const judge *j, tally *sum) {
  for (int k = 0; k < CHECK_KINDS; k++) {
    if (j->worst[k] > sum->worst[k]) {
      sum->worst[k] = j->worst[k];
      sum->where[k] = s->seed;
    }
  }
  check_kind k = judge_failure(j);
  if (k == CHECK_KINDS) {
    return 1;
  }
  printf("seed %llu: %s %.3g at c%d, t = %.9g\n", (unsigned long long)s->seed, check_names[k],
         j->worst[k], j->whom[k] + 1, j->when[k]);
  return fail(s, v, "%s at t = %.9g", check_names[k], j->when[k]);
}

/* Runs that stop must stop at the same place for the same reason. */
static int same_end(const track *a, const track *b) {
  if (isfinite(a->tie) || isfinite(b->tie)) {
    return 1;
  }
  return a->status == b->status && a->refused == b->refused && abs(a->n - b->n) <= 1;
}

static int other_writings(const scene *s, const variant *plain, const track *first, tally *sum) {
  static track other;
  dice d = {s->seed + 77};
  judge j;
  for (int k = 0; k < 2; k++) {
    variant v = *plain;
    if (k == 0) {
      shuffle(s, &v, &d);
    } else {
      v.scaled = dice_below(&d, s->m);
    }
    const char *what = k == 0 ? "permuted" : "scaled";
    run_scene(s, &v, 0, &j, &other);
    if (!other.refused && !judge_ok(s, &v, &j, sum)) {
      return 0;
    }
    int at = departs(s, plain, first, &other);
    if (at >= 0) {
      return fail(s, &v, "%s: another motion at t = %.9g", what, first->t[at]);
    }
    if (!same_end(first, &other)) {
      printf("%s | %s\n", first->why, other.why);
      return fail(s, &v, "%s: ends otherwise after t = %.9g", what, s->span * other.n / POINTS);
    }
  }
  return 1;
}

static int one_system(const scene *s, tally *sum) {
  static track first, second;
  judge j;
  variant v;
  identity(s, &v);
  run_scene(s, &v, 0, &j, &first);
  shows = sum->verbose && sum->one;
  certifies = 1;
  run_scene(s, &v, 0, &j, &second);
  shows = certifies = 0;
  sum->events += first.events;
  sum->impacts += first.impacts;
  if (memcmp(&first, &second, sizeof first) != 0) {
    return fail(s, &v, "%s are not the same twice, of %.0f points", "bytes", first.n);
  }
  if (first.status != PAWL_OK) {
    sum->stopped += !first.refused;
    sum->refused += first.refused;
    printf("seed %llu (%s) %s after %d points: %s\n", (unsigned long long)s->seed,
           scene_is_passive(s) ? "passive" : "driven", first.refused ? "refused" : "stopped",
           first.n, first.why);
    if (sum->verbose) {
      show(s, &v);
    }
  }
  if (strcmp(first.why, "no diagnosis") == 0 || strstr(first.why, " ok at ") != NULL) {
    return fail(s, &v, "no diagnosis: %s, status %.0f", first.why, first.status);
  }
  if (first.refused && !first.paradox &&
      (scene_is_passive(s) || first.status != PAWL_E_CONTRADICTION)) {
    return fail(s, &v, "refused: %s, status %.0f", first.why, first.status);
  }
  if (first.needless) {
    return fail(s, &v, "needless stop: %s after t = %.9g", first.why, s->span * first.n / POINTS);
  }
  if (!first.refused && !j.wild && rejected[0] != '\0') {
    return fail(s, &v, "not certified: %s (span %.9g)", rejected, s->span);
  }
  return (first.refused || judge_ok(s, &v, &j, sum)) && other_writings(s, &v, &first, sum);
}

int main(int argc, char **argv) {
  static scene s;
  static tally sum;
  unsigned long long from, to;
  if (argc < 2 || sscanf(argv[1], "%llu..%llu", &from, &to) != 2) {
    fprintf(stderr, "usage: %s A..B [-v | --models]\n", argv[0]);
    return 2;
  }
  sum.verbose = argc > 2 && strcmp(argv[2], "-v") == 0;
  sum.one = from == to;
  int models = argc > 2 && strcmp(argv[2], "--models") == 0;
  for (uint64_t seed = from; seed <= to; seed++) {
    scene_draw(&s, seed);
    if (s.m == 0) {
      continue;
    }
    if (models) {
      print_model(&s);
      continue;
    }
    if (one_system(&s, &sum)) {
      sum.passed++;
    } else {
      sum.failed++;
    }
    fflush(stdout);
  }
  if (models) {
    return 0;
  }
  printf("seeds %llu..%llu: %ld events, %ld impacts, %ld stopped, %ld refused\n", from, to,
         sum.events, sum.impacts, sum.stopped, sum.refused);
  for (int k = 0; k < CHECK_KINDS; k++) {
    printf("  largest %-10s %.2e (seed %llu), allowed %.0e\n", check_names[k], sum.worst[k],
           (unsigned long long)sum.where[k], check_limits[k]);
  }
  printf("%ld passed, %ld failed\n", sum.passed, sum.failed);
  return sum.failed > 0;
}
