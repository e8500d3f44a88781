// SPDX-License-Identifier: MIT
/* Figures through the library: numbers of curves, misuse, memory that runs out, axes, PNG. */
#include <pawl/pawl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "alloc_wrap.h"
#include "check.h"
#include "plot/axis.h"
#include "plot/font.h"

/* y = 5/4 - 5 t^2 until t = 1/2, then 5/2 s - 5 s^2 with s = t - 1/2. */
static const char ball[] = "parameter m = 2 [kg], g = 10 [m/s^2]\ncoordinates y\n"
                           "kinetic T = 1/2*m*y'^2\npotential V = m*g*y\n"
                           "constraint floor: y >= 0 [m], restitution 0.5\n"
                           "start y = 1.25 [m]\nrun 0..0.8, every 0.1\nplot y vs y'\n";

static void make(char *dir) {
  pawl_model *model = NULL;
  pawl_run *run = NULL;
  CHECK(mkdtemp(dir) != NULL && rmdir(dir) == 0);
  CHECK_INT(pawl_model_parse(ball, strlen(ball), NULL, NULL, &model), PAWL_OK);
  CHECK_INT(pawl_run_new(model, &(pawl_run_opts){.dir = dir}, NULL, &run), PAWL_OK);
  CHECK_INT(pawl_run_go(run, NULL), PAWL_OK);
  pawl_run_free(run);
  pawl_model_free(model);
}

static void unmake(const char *dir) {
  char command[100];
  snprintf(command, sizeof command, "rm -rf '%s'", dir);
  CHECK_INT(system(command), 0);
}

static int swallow(void *payload, const char *bytes, unsigned long count) {
  (void)bytes;
  *(unsigned long *)payload += count;
  return 0;
}

static double height(double t) {
  return t <= 0.5 ? 1.25 - 5 * t * t : 2.5 * (t - 0.5) - 5 * (t - 0.5) * (t - 0.5);
}

static void curves_are_exact(void) {
  char dir[] = "/tmp/pawl-figure-XXXXXX";
  const char *const plots[] = {"y, 2*y'", "y' vs y"};
  make(dir);
  pawl_figure *f = NULL;
  CHECK_INT(pawl_figure_new(dir, &(pawl_figure_opts){.plots = plots, .n_plot = 2}, NULL, &f),
            PAWL_OK);
  CHECK_INT(pawl_figure_curves(f), 3);
  pawl_curve y = pawl_figure_curve(f, 0), v = pawl_figure_curve(f, 1), p = pawl_figure_curve(f, 2);
  CHECK_STR(v.y, "2*y'");
  CHECK_STR(v.y_unit, "m/s");
  CHECK_STR(p.x_unit, "m");
  CHECK(y.x == NULL && y.panel == 0 && p.panel == 1);
  int sides = 0;
  for (long i = 0; i < y.n; i++) {
    double t = y.ts[i];
    bool before = i + 1 < y.n && y.ts[i + 1] == t, after = i > 0 && y.ts[i - 1] == t;
    bool falls = t < 0.5 + 1e-12 && !after; /* the impact is at 0.5 but for rounding */
    double speed = falls || before ? -10 * t : 2.5 - 10 * (t - 0.5);
    sides += before;
    CHECK_NEAR(y.xs[i], t, 0);
    CHECK_NEAR(y.ys[i], height(t), 1e-8);
    CHECK_NEAR(v.ys[i], 2 * speed, 1e-7);
    CHECK_NEAR(p.ys[i], speed, 1e-7);
    CHECK_NEAR(p.xs[i], y.ys[i], 0);
  }
  CHECK_INT(sides, 1);
  CHECK(y.n > 900); /* nine rows alone would be a polygon */
  pawl_figure_free(f);
  CHECK_INT(pawl_figure_new(dir, NULL, NULL, &f), PAWL_OK);
  CHECK_STR(pawl_figure_curve(f, 0).x, "y'");
  pawl_figure_free(f);
  unmake(dir);
}

static void attempt(void *payload) {
  pawl_figure *f = NULL;
  unsigned long n = 0;
  pawl_status status = pawl_figure_new(payload, NULL, NULL, &f);
  status = status == PAWL_OK ? pawl_figure_svg(f, swallow, &n) : status;
  status = status == PAWL_OK ? pawl_figure_text(f, 80, 1, swallow, &n) : status;
  CHECK(status == PAWL_OK || alloc_failed());
  pawl_figure_free(f);
}

static void memory_runs_out(void) {
  char dir[] = "/tmp/pawl-figure-XXXXXX";
  make(dir);
  CHECK(alloc_sweep(attempt, dir) > 50);
  unmake(dir);
}

static void ticks_are_round(void) {
  char text[64];
  pw_axis a = pw_axis_of(-0.5, 10.3, 1e-9, 6);
  CHECK_NEAR(a.step, 2, 0);
  CHECK_NEAR(pw_axis_tick(&a, 0), 0, 0);
  CHECK_INT(a.ticks, 6);
  pw_axis_label(&a, 1, text, sizeof text);
  CHECK_STR(text, "2");
  a = pw_axis_of(-2e-7, 3e-7, 1e-9, 5);
  CHECK_INT(a.power, -9);
  pw_axis_power(&a, text, sizeof text);
  CHECK_STR(text, " \u00d710\u207b\u2079");
  pw_axis_label(&a, 0, text, sizeof text);
  CHECK_STR(text, "\u2212200");
  a = pw_axis_of(3, 3 + 1e-12, 1e-9, 5); /* noise of a constant */
  CHECK(a.low < 2 && a.high > 4);
  a = pw_axis_span(0, 0.3, 3); /* 3 steps of 0.1 end at 0.30000000000000004 */
  CHECK_INT(a.ticks, 4);
  a = pw_axis_of(0, 0, 0, 4);
  CHECK(a.low < 0 && a.high > 0 && a.ticks > 1);
  for (double size = 1e-140; size < 1e140; size *= 97) {
    a = pw_axis_of(-size, 2 * size, 1e-9, 7);
    CHECK(a.ticks >= 2 && a.ticks <= 8);
    CHECK(a.places >= 0 && a.places < 6);
  }
}

static void count_lines(void *payload, double x1, double y1, double x2, double y2) {
  double *box = payload;
  box[0] = fmin(box[0], fmin(x1, x2));
  box[1] = fmax(box[1], fmax(x1, x2));
  box[2] = fmin(box[2], fmin(y1, y2));
  box[3] = fmax(box[3], fmax(y1, y2));
  box[4] += 1;
}

/* Each letter stays within its width and its line; all of them have strokes. */
static void letters_fit(void) {
  for (unsigned code = '!'; code <= '~'; code++) {
    char text[] = {(char)code, '\0'};
    double box[] = {1e9, -1e9, 1e9, -1e9, 0}, width = pw_font_width(text, 20);
    pw_font_draw(text, 0, 0, 20, count_lines, box);
    CHECK(box[4] > 0);
    CHECK(box[0] >= -0.1 && box[1] <= width + 0.1 && box[2] >= -15.5 && box[3] <= 4.8);
  }
  CHECK_NEAR(pw_font_width("ab", 10), pw_font_width("a", 10) + pw_font_width("b", 10), 1e-12);
  CHECK(pw_font_width("\u00b2", 10) < pw_font_width("2", 10));
  CHECK_NEAR(pw_font_width("\xff", 10), pw_font_width("\u4e00", 10), 0); /* unknown: a box */
}

CHECK_MAIN({"curves_are_exact", curves_are_exact}, {"memory_runs_out", memory_runs_out},
           {"ticks_are_round", ticks_are_round}, {"letters_fit", letters_fit})
