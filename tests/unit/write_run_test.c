// SPDX-License-Identifier: MIT
/* Runs through the public API, against motions known in closed form. */
#include "pawl/write.h"

#include <stdlib.h>
#include <unistd.h>

#include "check.h"

/* x = t, y = 1 - t/2: crosses x = 1 at t = 1 and y = 0 at t = 2. */
static const char line_model[] = "coordinates x, y\n"
                                 "kinetic T = 1/2*(x'^2 + y'^2)\n"
                                 "start x = 0, y = 1, x' = 1, y' = -0.5\n"
                                 "event one: x = 1\n"
                                 "event tick: every 0.75\n"
                                 "output s = x + y\n"
                                 "run 0..3, every 0.5\n";

typedef struct seen {
  int rows, events, steps;
  double t[64], s[64];
  double event_t[16], x_after[16];
  const pawl_run *run;
  int interrupt_at; /* calls of progress; 0: never */
} seen;

static void on_row(void *payload, const double *values) {
  seen *s = payload;
  if (s->rows < 64) {
    s->t[s->rows] = values[0];
    s->s[s->rows] = values[5];
  }
  s->rows++;
}

static void on_event(void *payload, const pawl_run_event *event) {
  seen *s = payload;
  if (s->events < 16) {
    s->event_t[s->events] = event->event.t;
    s->x_after[s->events] = event->q_after[0];
  }
  s->events++;
}

static int on_progress(void *payload, const pawl_progress *now) {
  seen *s = payload;
  CHECK(now->t >= now->from && now->t <= now->to);
  s->steps++;
  return s->interrupt_at > 0 && s->steps >= s->interrupt_at;
}

typedef struct fixture {
  pawl_diags *diags;
  pawl_model *model;
  pawl_run *run;
  seen seen;
} fixture;

static pawl_status set_up(fixture *f, const char *text, pawl_run_opts opts) {
  CHECK(pawl_diags_new(&f->diags) == PAWL_OK);
  if (!CHECK(pawl_model_parse(text, strlen(text), NULL, f->diags, &f->model) == PAWL_OK)) {
    return PAWL_E_MODEL;
  }
  opts.row = on_row;
  opts.event = on_event;
  opts.progress = on_progress;
  opts.payload = &f->seen;
  return pawl_run_new(f->model, &opts, f->diags, &f->run);
}

static void tear_down(fixture *f) {
  pawl_run_free(f->run);
  pawl_model_free(f->model);
  pawl_diags_free(f->diags);
}

static void rows_and_events(void) {
  fixture f = {0};
  if (CHECK(set_up(&f, line_model, (pawl_run_opts){0}) == PAWL_OK) &&
      CHECK(pawl_run_go(f.run, f.diags) == PAWL_OK)) {
    pawl_run_result r = pawl_run_result_get(f.run);
    CHECK(r.ending == PAWL_ENDED && r.t == 3 && !r.saved);
    CHECK_INT(pawl_run_columns(f.run), 6);
    CHECK_STR(pawl_run_column(f.run, 3), "x'");
    CHECK_STR(pawl_run_column(f.run, 5), "s");
    CHECK_INT(f.seen.events, r.events);
    CHECK_NEAR(f.seen.event_t[0], 0.75, 1e-12);
    CHECK_NEAR(f.seen.event_t[1], 1, 1e-9);
    CHECK_NEAR(f.seen.x_after[1], 1, 1e-9);
    for (int i = 0; i < f.seen.rows && i < 64; i++) {
      CHECK_NEAR(f.seen.s[i], 1 + 0.5 * f.seen.t[i], 1e-8);
      CHECK(i == 0 || f.seen.t[i] >= f.seen.t[i - 1]);
    }
    CHECK(pawl_run_go(f.run, f.diags) == PAWL_E_ARGUMENT); /* once is enough */
  }
  tear_down(&f);
}

static void expectations_say_why(void) {
  char text[1024];
  snprintf(text, sizeof text, "%s%s", line_model,
           "expect x = 3 +- 1e-8\n"
           "expect x = 2 +- 1e-8 at t = 1.3\n"
           "expect t = 1 +- 1e-9 at user 1 of one\n"
           "expect t = 1 +- 1e-9 at user 2 of one\n"
           "expect x = 2 +- 1e-9 at t = 4\n"
           "expect t = 1.5 +- 1e-9 at event 2 of tick\n"
           "expect log(0 - x) = 0 +- 1\n");
  static const int ok[] = {1, 0, 1, 0, 0, 1, 0};
  static const int reached[] = {1, 1, 1, 0, 0, 1, 1};
  fixture f = {0};
  if (CHECK(set_up(&f, text, (pawl_run_opts){0}) == PAWL_OK) &&
      CHECK(pawl_run_go(f.run, f.diags) == PAWL_OK)) {
    for (int i = 0; i < 7; i++) {
      pawl_outcome o = pawl_run_outcome(f.run, i);
      CHECK_INT(o.ok, ok[i]);
      CHECK_INT(o.reached, reached[i]);
      CHECK((o.reason[0] == '\0') == (ok[i] == 1));
    }
    CHECK_NEAR(pawl_run_outcome(f.run, 1).value, 1.3, 1e-8);
    CHECK_INT(pawl_run_result_get(f.run).failed, 4);
  }
  tear_down(&f);
}

static void options_are_checked(void) {
  static const pawl_run_opts bad[] = {{.sim = {.use_span = 1, .from = 5, .to = 1}},
                                      {.sim = {.use_span = 1, .from = 0, .to = (double)INFINITY}},
                                      {.sim = {.tol = -1}},
                                      {.sim = {.tol = (double)NAN}},
                                      {.every = -1},
                                      {.every = 1e-300},
                                      {.sim = {.max_steps = -5}}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    fixture f = {0};
    CHECK_SEED(set_up(&f, line_model, bad[i]) != PAWL_OK, i);
    CHECK(pawl_diags_errors(f.diags) == 1 && f.run == NULL);
    tear_down(&f);
  }
}

static void interruption_keeps_the_rows(void) {
  fixture f = {.seen.interrupt_at = 4};
  if (CHECK(set_up(&f, line_model, (pawl_run_opts){0}) == PAWL_OK)) {
    CHECK(pawl_run_go(f.run, f.diags) == PAWL_OK);
    pawl_run_result r = pawl_run_result_get(f.run);
    CHECK(r.ending == PAWL_INTERRUPTED && r.t < 3 && r.t > 0);
    CHECK_INT(r.rows, f.seen.rows);
  }
  tear_down(&f);
}

typedef struct text {
  char bytes[16384];
  unsigned long count;
} text;

static int into_text(void *payload, const char *bytes, unsigned long count) {
  text *t = payload;
  if (t->count + count >= sizeof t->bytes) {
    return 1;
  }
  memcpy(t->bytes + t->count, bytes, count);
  t->count += count;
  t->bytes[t->count] = '\0';
  return 0;
}

static void json_lists_kept_events(void) {
  fixture f = {0};
  static text t;
  if (CHECK(set_up(&f, line_model, (pawl_run_opts){.keep_events = 1}) == PAWL_OK)) {
    CHECK(pawl_run_json(f.run, f.diags, into_text, &t) == PAWL_E_ARGUMENT); /* too early */
    CHECK(pawl_run_go(f.run, f.diags) == PAWL_OK);
    CHECK(pawl_run_json(f.run, f.diags, into_text, &t) == PAWL_OK);
    int listed = 0;
    for (const char *at = t.bytes; (at = strstr(at, "\"cluster\":")) != NULL; at++) {
      listed++;
    }
    CHECK_INT(listed, f.seen.events);
    CHECK(strstr(t.bytes, "\"verdict\":\"STRONG\"") != NULL);
  }
  tear_down(&f);
}

static void folder_is_written_and_not_resumed(void) {
  char place[] = "/tmp/pawl-run-XXXXXX";
  if (!CHECK(mkdtemp(place) != NULL)) {
    return;
  }
  char dir[64], path[128], command[160];
  snprintf(dir, sizeof dir, "%s/out", place);
  fixture f = {0};
  if (CHECK(set_up(&f, line_model, (pawl_run_opts){.dir = dir, .save = PAWL_SAVE_NPZ}) ==
            PAWL_OK)) {
    CHECK(access(dir, F_OK) != 0); /* nothing is touched before it goes */
    CHECK(pawl_run_go(f.run, f.diags) == PAWL_OK);
    CHECK(pawl_run_result_get(f.run).saved);
    static const char *const names[] = {"trajectory.csv", "trajectory.npz", "events.csv",
                                        "events.jsonl",   "summary.json",   "certificate.json",
                                        "model.pawl"};
    for (int i = 0; i < 7; i++) {
      snprintf(path, sizeof path, "%s/%s", dir, names[i]);
      CHECK_SEED(access(path, R_OK) == 0, i);
    }
    snprintf(path, sizeof path, "%s/.partial", dir);
    CHECK(access(path, F_OK) != 0);
    pawl_run *resumed;
    CHECK(pawl_run_resume(dir, NULL, f.diags, &resumed) == PAWL_E_FILE);
    CHECK(resumed == NULL);
  }
  tear_down(&f);
  snprintf(command, sizeof command, "rm -r %s", place);
  CHECK(system(command) == 0);
}

CHECK_MAIN({"rows and events", rows_and_events}, {"expectations say why", expectations_say_why},
           {"options are checked", options_are_checked},
           {"an interruption keeps the rows", interruption_keeps_the_rows},
           {"json lists kept events", json_lists_kept_events},
           {"a folder is written", folder_is_written_and_not_resumed})
