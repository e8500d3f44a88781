// SPDX-License-Identifier: MIT
/* The stored trajectory of a run: samples against closed forms and against another integration,
 * both sides of jumps, modes, energies and works; damaged files. */
#include "pawl/traj.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

typedef struct stored {
  char dir[64];
  pawl_diags *diags;
  pawl_model *model;
  pawl_traj *traj;
} stored;

/* Runs the text into a new folder and opens what it left. */
static stored store(const char *text, pawl_run_opts opts) {
  stored x = {.dir = "/tmp/pawl-traj-XXXXXX"};
  pawl_run *run = NULL;
  CHECK(mkdtemp(x.dir) != NULL);
  CHECK(rmdir(x.dir) == 0);
  opts.dir = x.dir;
  CHECK(pawl_diags_new(&x.diags) == PAWL_OK);
  CHECK(pawl_model_parse(text, strlen(text), NULL, x.diags, &x.model) == PAWL_OK);
  CHECK(pawl_run_new(x.model, &opts, x.diags, &run) == PAWL_OK);
  for (int i = 0; run == NULL && i < pawl_diags_count(x.diags); i++) {
    printf("  %s\n", pawl_diags_get(x.diags, i)->message);
  }
  CHECK(pawl_run_go(run, x.diags) == PAWL_OK);
  pawl_run_free(run);
  if (!CHECK(pawl_traj_open(x.dir, x.diags, &x.traj) == PAWL_OK)) {
    exit(1);
  }
  return x;
}

static void forget(stored *x) {
  static const char *const names[] = {"trajectory.csv",   "events.csv",  "events.jsonl",
                                      "certificate.json", "model.pawl",  "motion.pwt",
                                      "report.html",      "summary.json"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", x->dir, names[i]);
    CHECK(unlink(path) == 0);
  }
  CHECK(rmdir(x->dir) == 0);
  pawl_traj_free(x->traj);
  pawl_model_free(x->model);
  pawl_diags_free(x->diags);
}

static pawl_traj_point at(stored *x, double t, pawl_side side) {
  pawl_traj_point p = {0};
  if (!CHECK(pawl_traj_at(x->traj, t, side, &p) == PAWL_OK)) {
    exit(1);
  }
  return p;
}

/* Falls from 1.25 with g = 10, hits the floor at t = 1/2 with the speed 5, rises with 5/2: the next
 * impact is at t = 1. Half of the rows would lie in the air without being asked for. */
static const char ball[] = "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
                           "potential V = 10*y\n"
                           "constraint floor: y >= 0, restitution 0.5\n"
                           "force x: -x'\n"
                           "start x = 0, y = 1.25, x' = 1\nrun 0..0.9, every 0.3\n";

static void flights_are_parabolas(void) {
  stored x = store(ball, (pawl_run_opts){0});
  for (int k = 0; k <= 90; k++) {
    double t = 0.01 * k + 1e-3, s = t - 0.5;
    if (t > 0.9) {
      break;
    }
    pawl_traj_point p = at(&x, t, PAWL_BEFORE);
    double y = t <= 0.5 ? 1.25 - 5 * t * t : 2.5 * s - 5 * s * s;
    double v = t <= 0.5 ? -10 * t : 2.5 - 10 * s, w = exp(-t);
    CHECK_NEAR(p.q[0], 1 - w, 1e-8);
    CHECK_NEAR(p.q[1], y, 1e-9);
    CHECK_NEAR(p.u[0], w, 1e-8);
    CHECK_NEAR(p.u[1], v, 1e-8);
    CHECK_NEAR(p.kinetic, (v * v + w * w) / 2, 1e-7);
    CHECK_NEAR(p.potential, 10 * y, 1e-8);
    CHECK_INT(p.mode[0], PAWL_LAW_OPEN);
  }
  forget(&x);
}

/* The ledger at any time: T + V = start - drag - impact. */
static void works_are_kept(void) {
  stored x = store(ball, (pawl_run_opts){0});
  pawl_traj_info info = pawl_traj_info_get(x.traj);
  for (int k = 0; k <= 30; k++) {
    double t = 0.03 * k, sum = 0;
    pawl_traj_point p = at(&x, t, PAWL_AFTER);
    for (int i = 0; i < info.works; i++) {
      bool lost = strcmp(pawl_traj_work(x.traj, i), "floor") == 0;
      sum += lost ? -p.works[i] : p.works[i];
    }
    double drag = (exp(-2 * t) - 1) / 2, hit = t >= 0.5 ? -(25 - 6.25) / 2 : 0;
    CHECK_NEAR(p.kinetic + p.potential, 13 + drag + hit, 1e-7);
    CHECK_NEAR(sum, drag + hit, 1e-7);
  }
  forget(&x);
}

static void jumps_have_two_sides(void) {
  stored x = store(ball, (pawl_run_opts){0});
  double hit = 0.5;
  bool found = false;
  for (int k = -60; k <= 60 && !found; k++) { /* the instant is known to rounding */
    double t = hit * (1 + k * 1e-16);
    double down = at(&x, t, PAWL_BEFORE).u[1];
    pawl_traj_point p = at(&x, t, PAWL_AFTER);
    found = down < 0 && p.u[1] > 0;
    if (found) {
      CHECK_NEAR(down, -5, 1e-8);
      CHECK_NEAR(p.u[1], 2.5, 1e-8);
      CHECK_NEAR(p.q[1], 0, 1e-12);
    }
  }
  CHECK(found);
  forget(&x);
}

/* An impact at the first and at the last instant of a run. */
static void jumps_at_the_ends(void) {
  stored x = store("coordinates y\nkinetic T = 1/2*y'^2\n"
                   "constraint low: y >= 0, restitution 1\n"
                   "constraint high: y <= 1, restitution 1\n"
                   "start y = 0, y' = -1\nevent end: y = 1, stop\nrun 0..1, start-impact allow\n",
                   (pawl_run_opts){0});
  CHECK_NEAR(at(&x, 0, PAWL_BEFORE).u[0], -1, 0);
  CHECK_NEAR(at(&x, 0, PAWL_AFTER).u[0], 1, 0);
  pawl_traj_info info = pawl_traj_info_get(x.traj);
  CHECK_NEAR(info.to, 1, 1e-12);
  CHECK_NEAR(at(&x, info.to, PAWL_BEFORE).q[0], 1, 1e-12);
  pawl_traj_point p;
  CHECK(pawl_traj_at(x.traj, 1.5, PAWL_AFTER, &p) == PAWL_E_ARGUMENT);
  CHECK(pawl_traj_at(x.traj, -0.5, PAWL_AFTER, &p) == PAWL_E_ARGUMENT);
  CHECK(pawl_traj_at(x.traj, NAN, PAWL_AFTER, &p) == PAWL_E_ARGUMENT);
  forget(&x);
}

/* A pendulum in x, y: rod^2 = 1, force = (10 y - |v|^2)/2 with the weight 10. */
static void forces_at_the_end_are_those_of_the_end(void) {
  stored x = store("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 10*y\n"
                   "constraint rod: x^2 + y^2 = 1\nstart x = 0.6, y ~ -0.8\nrun 0..1\n",
                   (pawl_run_opts){0});
  for (int side = 0; side < 2; side++) {
    pawl_traj_point p = at(&x, 1, side == 0 ? PAWL_BEFORE : PAWL_AFTER);
    double square = p.u[0] * p.u[0] + p.u[1] * p.u[1];
    CHECK_NEAR(p.force[0], (10 * p.q[1] - square) / 2, 1e-7);
  }
  forget(&x);
}

/* A block that slides, stops at v/(mu g) = 0.5 and sticks: friction 2 against the motion. */
static void modes_are_told(void) {
  stored x =
      store("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 10*y\n"
            "constraint floor: y >= 0, restitution 0\nfriction rub: slip x', mu 0.2 on floor\n"
            "start x = 0, y = 0, x' = 1\nrun 0..1\n",
            (pawl_run_opts){0});
  pawl_traj_point p = at(&x, 0.25, PAWL_AFTER);
  CHECK_STR(pawl_traj_law(x.traj, 0), "floor");
  CHECK_STR(pawl_traj_law(x.traj, 1), "rub");
  CHECK(pawl_traj_law(x.traj, 2) == NULL);
  CHECK_INT(p.mode[0], PAWL_LAW_HELD);
  CHECK(p.mode[1] != PAWL_LAW_HELD);
  CHECK_NEAR(p.force[0], 10, 1e-9);
  CHECK_NEAR(p.force[1], -2, 1e-9);
  p = at(&x, 0.75, PAWL_AFTER);
  CHECK_INT(p.mode[1], PAWL_LAW_HELD);
  CHECK_NEAR(p.force[1], 0, 1e-9);
  CHECK_NEAR(p.q[0], 0.25, 1e-9);
  forget(&x);
}

/* Samples between coarse rows agree with the rows of another run, by all methods. */
static void samples_agree_with_rows(void) {
  static const char text[] =
      "rotation R\ncoordinates x, y\n"
      "kinetic T = 1/2*(R.W[1]^2 + 2*R.W[2]^2 + 3*R.W[3]^2) + 1/2*(x'^2 + y'^2)\n"
      "potential V = 5*y\nconstraint rod: x^2 + y^2 = 1\n"
      "start R = axis(1, 0, 0, 0.3), R.w = (0.1, 2, 0.1), x = 0.6, y = -0.8\nrun 0..2, every "
      "0.01\n";
  static const pawl_method methods[] = {PAWL_METHOD_DP5, PAWL_METHOD_DOP853};
  for (int m = 0; m < 2; m++) {
    pawl_run_opts coarse = {.every = 1, .sim.method = methods[m], .sim.tol = 1e-10};
    pawl_run_opts fine = {.sim.method = PAWL_METHOD_DOP853, .sim.tol = 1e-13};
    stored x = store(text, coarse), y = store(text, fine);
    CHECK(pawl_traj_info_get(x.traj).rows < 10);
    CHECK_INT(pawl_traj_info_get(y.traj).rows, 201);
    for (int k = 0; k <= 200; k++) {
      pawl_traj_point p = at(&x, 0.01 * k, PAWL_AFTER), r = at(&y, 0.01 * k, PAWL_AFTER);
      for (int i = 0; i < 6; i++) {
        CHECK_NEAR(p.q[i], r.q[i], 1e-8);
      }
      for (int i = 0; i < 5; i++) {
        CHECK_NEAR(p.u[i], r.u[i], 1e-7);
      }
      CHECK_NEAR(p.action, r.action, 1e-8);
      CHECK_NEAR(p.kinetic, r.kinetic, 1e-7);
    }
    forget(&x);
    forget(&y);
  }
}

typedef struct tally {
  long segments, rows, events;
  double end, last_row;
  bool gap;
} tally;

static int on_segment(void *payload, const pawl_traj_segment *s) {
  tally *x = payload;
  x->gap = x->gap || (x->segments > 0 && s->from != x->end);
  x->segments++;
  x->end = s->to;
  return 0;
}

static int on_row(void *payload, const double *values) {
  tally *x = payload;
  x->rows++;
  x->last_row = values[0];
  return 0;
}

static int on_event(void *payload, const pawl_run_event *e) {
  tally *x = payload;
  x->events++;
  CHECK_STR(e->event.kind, "impact");
  CHECK_NEAR(e->event.t, 0.5, 1e-9);
  CHECK_NEAR(e->u_before[1], -5, 1e-8);
  CHECK_NEAR(e->u_after[1], 2.5, 1e-8);
  return 1; /* enough */
}

static void everything_in_one_pass(void) {
  stored x = store(ball, (pawl_run_opts){0});
  tally t = {0};
  pawl_traj_visitor v = {.segment = on_segment, .row = on_row, .event = on_event, .payload = &t};
  pawl_traj_info info = pawl_traj_info_get(x.traj);
  CHECK(pawl_traj_visit(x.traj, &v) == PAWL_OK);
  CHECK_INT(t.segments, info.segments);
  CHECK_INT(t.rows, info.rows);
  CHECK_INT(t.events, info.events);
  CHECK(!t.gap); /* each segment begins where the one before ends */
  CHECK_NEAR(t.end, 0.9, 0);
  CHECK_NEAR(t.last_row, 0.9, 0);
  CHECK_STR(pawl_traj_column(x.traj, 4), "y'");
  CHECK(pawl_traj_column(x.traj, 6) == NULL);
  CHECK_STR(info.method, "event");
  forget(&x);
}

/* A byte that was changed anywhere behind the head, or a file cut short, is refused. */
static void damage_is_seen(void) {
  stored x = store(ball, (pawl_run_opts){0});
  char path[128];
  snprintf(path, sizeof path, "%s/motion.pwt", x.dir);
  FILE *file = fopen(path, "r+b");
  CHECK(fseek(file, 0, SEEK_END) == 0);
  long size = ftell(file);
  for (long at_byte = 0; at_byte < size; at_byte += size / 50 + 1) {
    CHECK(fseek(file, at_byte, SEEK_SET) == 0);
    int old = fgetc(file);
    CHECK(fseek(file, at_byte, SEEK_SET) == 0 && fputc(old ^ 1, file) != EOF && fflush(file) == 0);
    pawl_traj *traj = NULL;
    CHECK(pawl_traj_open(x.dir, x.diags, &traj) == PAWL_E_FILE && traj == NULL);
    CHECK(fseek(file, at_byte, SEEK_SET) == 0 && fputc(old, file) != EOF && fflush(file) == 0);
  }
  CHECK(ftruncate(fileno(file), size - 8) == 0);
  pawl_traj *traj = NULL;
  CHECK(pawl_traj_open(x.dir, x.diags, &traj) == PAWL_E_FILE);
  CHECK(pawl_traj_open("/nonexistent", x.diags, &traj) == PAWL_E_FILE);
  CHECK(pawl_traj_open(NULL, x.diags, &traj) == PAWL_E_ARGUMENT);
  CHECK(pawl_traj_at(NULL, 0, PAWL_AFTER, NULL) == PAWL_E_ARGUMENT);
  fclose(file);
  forget(&x);
}

/* Fixed steps: what their scheme gives. */
static void fixed_steps_are_kept(void) {
  static const pawl_method methods[] = {PAWL_METHOD_MOREAU, PAWL_METHOD_VARIATIONAL};
  for (int m = 0; m < 2; m++) {
    stored x = store("coordinates y\nkinetic T = 1/2*y'^2\npotential V = 10*y\n"
                     "constraint floor: y >= 0, restitution 0.5\n"
                     "start y = 1.25\nrun 0..0.8, every 0.4\n",
                     (pawl_run_opts){.sim.method = methods[m], .sim.max_step = 1e-3});
    CHECK(pawl_traj_info_get(x.traj).segments >= 800);
    for (int k = 0; k <= 40; k++) {
      double t = 0.02 * k, s = t - 0.5;
      double y = t <= 0.5 ? 1.25 - 5 * t * t : 2.5 * s - 5 * s * s;
      CHECK_NEAR(at(&x, t, PAWL_AFTER).q[0], y, 1e-2);
    }
    forget(&x);
  }
}

typedef struct lookup {
  pawl_traj *traj;
  long rows, wrong;
  double last;
} lookup;

/* Each row is in the stored motion, on one side at least; the second of two is the side after. */
static int look_up_row(void *payload, const double *row) {
  lookup *x = payload;
  pawl_traj_point p;
  bool found =
      pawl_traj_at(x->traj, row[0], row[0] == x->last ? PAWL_AFTER : PAWL_BEFORE, &p) == PAWL_OK;
  x->wrong += !found || !(fabs(p.q[0] - row[1]) < 1e-9) || !(fabs(p.u[0] - row[2]) < 1e-8);
  x->last = row[0];
  x->rows++;
  return 0;
}

/* x'' = -x between walls at +-1/2 that reflect. */
static const char between_walls[] = "coordinates x\nkinetic T = 1/2*x'^2\npotential V = 1/2*x^2\n"
                                    "constraint low: x >= -0.5, restitution 1\n"
                                    "constraint high: x <= 0.5, restitution 1\n"
                                    "start x = 0, x' = 1\nrun 0..150, every 2\n";

static void long_runs_leave_steps_out(void) {
  stored whole = store(between_walls, (pawl_run_opts){0});
  stored x = store(between_walls, (pawl_run_opts){.motion_bytes = 60000});
  pawl_traj_info all = pawl_traj_info_get(whole.traj), info = pawl_traj_info_get(x.traj);
  CHECK_NEAR(all.whole_until, 150, 0);
  CHECK(info.whole_until > 1 && info.whole_until < 75);
  CHECK(info.segments < all.segments);
  CHECK_INT(info.rows, all.rows);
  CHECK_INT(info.events, all.events);

  long gaps = 0;
  pawl_traj_point p, q;
  for (int k = 0; k <= 15000; k++) {
    double t = 0.01 * k;
    pawl_status status = pawl_traj_at(x.traj, t, PAWL_AFTER, &p);
    gaps += status == PAWL_E_GAP;
    CHECK(status == PAWL_OK || (status == PAWL_E_GAP && t > info.whole_until));
    if (status == PAWL_OK) {
      CHECK(pawl_traj_at(whole.traj, t, PAWL_AFTER, &q) == PAWL_OK);
      CHECK_NEAR(p.q[0], q.q[0], 0);
      CHECK_NEAR(p.kinetic + p.potential, 0.5, 1e-6);
    }
  }
  CHECK(gaps > 1000);
  forget(&whole);

  /* A second reader of the same file: looking up ends a pass of the first one. */
  lookup rows = {.last = -1};
  pawl_traj *pass = NULL;
  CHECK(pawl_traj_open(x.dir, x.diags, &pass) == PAWL_OK);
  rows.traj = x.traj;
  CHECK(pawl_traj_visit(pass, &(pawl_traj_visitor){.row = look_up_row, .payload = &rows}) ==
        PAWL_OK);
  CHECK_INT(rows.rows, info.rows);
  CHECK_INT(rows.wrong, 0);
  pawl_traj_free(pass);
  forget(&x);
}

CHECK_MAIN({"flights_are_parabolas", flights_are_parabolas}, {"works_are_kept", works_are_kept},
           {"jumps_have_two_sides", jumps_have_two_sides}, {"jumps_at_the_ends", jumps_at_the_ends},
           {"forces_at_the_end_are_those_of_the_end", forces_at_the_end_are_those_of_the_end},
           {"modes_are_told", modes_are_told}, {"samples_agree_with_rows", samples_agree_with_rows},
           {"everything_in_one_pass", everything_in_one_pass}, {"damage_is_seen", damage_is_seen},
           {"fixed_steps_are_kept", fixed_steps_are_kept},
           {"long_runs_leave_steps_out", long_runs_leave_steps_out})
