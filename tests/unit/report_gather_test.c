// SPDX-License-Identifier: MIT
/* What a report takes from a trajectory, compared with pawl_traj_at and the rows themselves. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pawl/pawl.h"
#include "report/gather.h"

static const char ball[] =
    "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 9.81*y\n"
    "constraint floor: y >= 0, restitution 0.5\nfriction rub: slip x', mu 0.3 on floor\n"
    "start y = 1, x' = 2\nrun 0..3, every 0.01\nplot impulse(floor), energy.lost, y\n"
    "draw point (x, y)\n";

typedef struct made {
  char dir[64];
  pawl_model *model;
  pawl_system *system;
  pw_motion motion;
  pw_report_source source;
} made;

static void count_rows(made *m) {
  pw_chunk_view view;
  int64_t at = m->motion.first;
  m->source = (pw_report_source){.motion = &m->motion};
  while (pw_motion_next(&m->motion, &at, &view)) {
    m->source.rows += view.n_row;
    m->source.events += view.n_event;
  }
  m->source.end = at;
}

static void make(made *m, const char *text, double every) {
  char path[96], folder[] = "/tmp/pawl-report-XXXXXX";
  pawl_run *run = NULL;
  int reason;
  CHECK(mkdtemp(folder) != NULL);
  snprintf(m->dir, sizeof m->dir, "%s", folder);
  snprintf(path, sizeof path, "%s/out", m->dir);
  CHECK_INT(pawl_model_parse(text, strlen(text), NULL, NULL, &m->model), PAWL_OK);
  CHECK_INT(pawl_system_new(m->model, NULL, NULL, &m->system), PAWL_OK);
  CHECK_INT(pawl_run_new(m->model, &(pawl_run_opts){.dir = path, .every = every}, NULL, &run),
            PAWL_OK);
  CHECK_INT(pawl_run_go(run, NULL), PAWL_OK);
  pawl_run_free(run);
  snprintf(path, sizeof path, "%s/out/motion.pwt", m->dir);
  CHECK_INT(pw_motion_open(&m->motion, path, &reason), PW_MOTION_FINE);
  count_rows(m);
}

static void unmake(made *m) {
  char command[128];
  pw_motion_close(&m->motion);
  pawl_system_free(m->system);
  pawl_model_free(m->model);
  snprintf(command, sizeof command, "rm -rf %s", m->dir);
  CHECK_INT(system(command), 0);
}

/* Energies, ledger and modes on the side that each row shows. */
static void check_row(const pw_gathered *g, long i, const pawl_traj_point *p, int works, int laws) {
  CHECK_NEAR(pw_report_column(&g->rows, g->energy)[i], p->kinetic, 1e-12);
  CHECK_NEAR(pw_report_column(&g->rows, g->energy + 1)[i], p->potential, 1e-12);
  for (int k = 0; k < works; k++) {
    CHECK_NEAR(pw_report_column(&g->rows, g->work + k)[i], p->works[k], 1e-12);
  }
  for (int k = 0; k < laws; k++) {
    CHECK_NEAR(pw_report_column(&g->rows, g->mode + k)[i], p->mode[k], 0);
  }
}

static void follows_the_trajectory(void) {
  made m = {0};
  pw_gathered g;
  pawl_traj *traj = NULL;
  char path[96];
  make(&m, ball, 0);
  CHECK_INT(pw_gather(&m.source, m.system, &g), PAWL_OK);
  CHECK_INT(g.rows.n, m.source.rows);
  CHECK_INT(g.events.n, m.source.events);
  CHECK(g.has_segments && g.row_stride == 1);
  snprintf(path, sizeof path, "%s/out", m.dir);
  CHECK_INT(pawl_traj_open(path, NULL, &traj), PAWL_OK);
  pawl_traj_info info = pawl_traj_info_get(traj);
  const double *t = pw_report_column(&g.rows, 0);
  for (long i = 0; i < g.rows.n; i++) {
    bool before = i + 1 < g.rows.n && t[i + 1] == t[i];
    pawl_traj_point p;
    CHECK_INT(pawl_traj_at(traj, t[i], before ? PAWL_BEFORE : PAWL_AFTER, &p), PAWL_OK);
    check_row(&g, i, &p, info.works, info.laws);
  }
  pawl_traj_free(traj);
  pw_gathered_free(&g);
  unmake(&m);
}

/* impulse(floor) is that of the last impact, energy.lost the sum of the ledger; the first row of an
 * instant does not know its impulse yet. */
static void knows_the_past(void) {
  made m = {0};
  pw_gathered g;
  make(&m, ball, 0);
  CHECK_INT(pw_gather(&m.source, m.system, &g), PAWL_OK);
  const double *t = pw_report_column(&g.rows, 0), *impulse = pw_report_column(&g.rows, g.plot);
  const double *lost = pw_report_column(&g.rows, g.plot + 2),
               *y = pw_report_column(&g.rows, g.plot + 4);
  double first = sqrt(2 * 9.81), hit = sqrt(2 / 9.81);
  int instants = 0;
  for (long i = 0; i < g.rows.n; i++) {
    CHECK_NEAR(y[i], pw_report_column(&g.rows, 2)[i], 0);
    CHECK_NEAR(y[i], pw_report_column(&g.rows, g.draw + 1)[i], 0);
    if (t[i] < hit - 1e-9) {
      CHECK_NEAR(impulse[i], 0, 0);
      CHECK_NEAR(lost[i], 0, 1e-12);
    }
    if (i > 0 && t[i] == t[i - 1] && fabs(t[i] - hit) < 1e-9) {
      CHECK_NEAR(impulse[i - 1], 0, 0);
      CHECK_NEAR(impulse[i], 1.5 * first, 1e-9);
      instants++;
    }
  }
  CHECK_INT(instants, 1);
  double sum = 0;
  for (int k = 0; k < m.motion.shape->n_work; k++) {
    sum += pw_report_column(&g.rows, g.work + k)[g.rows.n - 1];
  }
  CHECK_NEAR(lost[g.rows.n - 1], sum, 1e-12);
  pw_gathered_free(&g);
  unmake(&m);
}

/* More rows than a page holds: every n-th, both rows of an instant or none, first and last. */
static void thins(void) {
  made m = {0};
  pw_gathered g;
  make(&m, ball, 1e-5);
  CHECK(m.source.rows > 300000);
  CHECK_INT(pw_gather(&m.source, m.system, &g), PAWL_OK);
  CHECK(g.row_stride > 1 && g.rows.n < m.source.rows / 2);
  CHECK((double)g.rows.n * g.columns < 600000);
  const double *t = pw_report_column(&g.rows, 0), *v = pw_report_column(&g.rows, 4);
  CHECK_NEAR(t[0], 0, 0);
  CHECK_NEAR(t[g.rows.n - 1], 3, 0);
  for (long i = 1; i < g.rows.n; i++) {
    CHECK(t[i] >= t[i - 1]);
    CHECK(t[i] == t[i - 1] || fabs(v[i] - v[i - 1]) < 0.1); /* no instant was left out */
  }
  CHECK(g.jumps > 0 && g.jump_stride == 1 && g.breaks.len == 0);
  CHECK_INT(g.events.n, m.source.events);
  pw_gathered_free(&g);
  unmake(&m);
}

/* A puck strikes two walls, by turns, every 1/500 s. */
static const char puck[] =
    "coordinates x, y[1..20]\nkinetic T = 1/2*(x'^2 + sum(i in 1..20: y[i]'^2))\n"
    "constraint left: x >= 0, restitution 1\nconstraint right: 0.002 - x >= 0, restitution 1\n"
    "start x = 0.001, x' = 1\nrun 0..16, every 0.01\n";

/* More jumps than a page holds: both rows of some, and no step without a mark. */
static void breaks_at_jumps_left_out(void) {
  made m = {0};
  pw_gathered g;
  make(&m, puck, 0);
  CHECK_INT(pw_gather(&m.source, m.system, &g), PAWL_OK);
  CHECK_INT(g.jumps, 8000);
  CHECK(g.jump_stride > 1 && g.breaks.len > 0);
  CHECK((double)g.rows.n * g.columns < 825000);
  const double *t = pw_report_column(&g.rows, 0), *v = pw_report_column(&g.rows, 22);
  char *at = g.breaks.text;
  long next = strtol(at, &at, 10), pairs = 0, marks = 0;
  for (long i = 1; i < g.rows.n; i++) {
    bool twin = t[i] == t[i - 1], marked = i == next;
    CHECK(fabs(v[i] - v[i - 1]) < 1e-6 || twin || marked);
    CHECK(!(twin && marked));
    pairs += twin;
    marks += marked;
    next += marked && *at == ',' ? strtol(at + 1, &at, 10) : 0;
  }
  CHECK_INT(pairs, (g.jumps + g.jump_stride - 1) / g.jump_stride);
  CHECK(marks > 0 && *at == '\0');
  pw_gathered_free(&g);
  unmake(&m);
}

/* A block slides on two corners for 1/(mu g) and then sticks. Steps find its pairs on the way. */
static const char block[] =
    "coordinates x, y, a\nkinetic T = x'^2 + y'^2 + 0.005*a'^2\npotential V = 2*9.81*y\n"
    "shape block: polygon (x, y), angle a, (-0.2, -0.05)(0.2, -0.05)(0.2, 0.05)(-0.2, 0.05)\n"
    "shape post[i in 1..12]: disk (9, i), radius 0.1\nshape ground: plane (0, 0), (0, 1)\n"
    "contact table: block, post, ground, restitution 0, mu 0.3\nstart y = 0.05, x' = 1\n"
    "run 0..0.6, method moreau, step 1e-3, every 0.01\ndraw point (x, y)\n";

static void shows_where_shapes_press(void) {
  made m = {0};
  pw_gathered g;
  make(&m, block, 0);
  CHECK_INT(pw_gather(&m.source, m.system, &g), PAWL_OK);
  const pw_report_table *met = &g.meetings.table;
  CHECK_INT(met->n, 2 * (g.rows.n - 1)); /* nothing is known of forces before the first step */
  CHECK_INT(g.meetings.all, met->n);
  for (long i = 0; i < met->n; i++) {
    long row = (long)pw_report_column(met, PW_MEETING_ROW)[i];
    double t = pw_report_column(&g.rows, 0)[row], x = pw_report_column(&g.rows, 1)[row];
    double side = i % 2 == 0 ? -1 : 1, push = 0, lift = 0;
    const char *name = g.places.text[(int)pw_report_column(met, PW_MEETING_PLACE)[i]];
    CHECK_STR(name, i % 2 == 0 ? "table:block-ground#1" : "table:block-ground#2");
    CHECK_NEAR(pw_report_column(met, PW_MEETING_X)[i], x + 0.2 * side, 1e-3);
    CHECK_NEAR(pw_report_column(met, PW_MEETING_Y)[i], 0, 1e-9);
    for (long k = i - i % 2; k < i - i % 2 + 2; k++) {
      push += pw_report_column(met, PW_MEETING_FX)[k];
      lift += pw_report_column(met, PW_MEETING_FY)[k];
    }
    double stops = 1 / (0.3 * 9.81);
    bool slides = t < stops;
    CHECK_NEAR(lift, 2 * 9.81, 1e-4);
    if (fabs(t - stops) > 1e-3) { /* a step */
      CHECK_NEAR(push, slides ? -0.3 * 2 * 9.81 : 0, 1e-4);
    }
    CHECK_NEAR(pw_report_column(met, PW_MEETING_MODE)[i],
               slides ? PAWL_MEETS_SLIDES : PAWL_MEETS_STICKS, 0);
  }
  pw_gathered_free(&g);
  unmake(&m);
}

/* Points of every n-th row, and all of such a row. */
static void thins_meetings(void) {
  const double numbers[PW_TOUCH_REALS] = {1, 2, 3, 0, 0, 1, 5, 0.5, 0, 0};
  enum { ROWS = 5000, EACH = 40 };
  pw_meetings m = {0};
  for (long row = 0; row < ROWS; row++) {
    for (int k = 0; k < EACH; k++) {
      pw_touch_row touch = {.contact = "c",
                            .first = "a",
                            .second = "b",
                            .point = k + 1,
                            .mode = PAWL_MEETS_STICKS,
                            .numbers = numbers};
      CHECK_INT(pw_meetings_add(&m, row, k, &touch), PAWL_OK);
    }
  }
  CHECK_STR(pw_meeting_name(&m, &(pw_touch_row){.contact = "c", .first = "a", .second = "b"}),
            "c:a-b");
  CHECK(m.stride > 1);
  CHECK_INT(m.table.n, EACH * ((ROWS - 1) / m.stride + 1));
  for (long i = 0; i < m.table.n; i++) {
    CHECK_INT((long)pw_report_column(&m.table, PW_MEETING_ROW)[i], i / EACH * m.stride);
    CHECK_INT((long)pw_report_column(&m.table, PW_MEETING_PLACE)[i], i % EACH);
    CHECK_NEAR(pw_report_column(&m.table, PW_MEETING_FX)[i], 0.5, 0);
    CHECK_NEAR(pw_report_column(&m.table, PW_MEETING_FZ)[i], 5, 0);
  }
  pw_meetings_free(&m);
}

CHECK_MAIN({"follows_the_trajectory", follows_the_trajectory}, {"knows_the_past", knows_the_past},
           {"thins", thins}, {"breaks_at_jumps_left_out", breaks_at_jumps_left_out},
           {"shows_where_shapes_press", shows_where_shapes_press},
           {"thins_meetings", thins_meetings})
