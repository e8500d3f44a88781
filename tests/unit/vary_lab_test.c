// SPDX-License-Identifier: MIT
/* Variations of motions whose actions are known, of wrong ones, and misuse. */
#include <math.h>
#include <pawl/pawl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

static const double pi = 3.14159265358979323846;

static const char bounce[] = "parameter m = 2, g = 10, e = 1\ncoordinates x, y\n"
                             "kinetic T = 1/2*m*(x'^2 + y'^2)\npotential V = m*g*y\n"
                             "constraint floor: y >= 0, restitution e\n"
                             "start x = 0, y = 3.2, x' = 1\nrun 0..2\n";

static pawl_lab *lab_of(const char *text, const char *e, const pawl_lab_opts *opts) {
  pawl_model *model = NULL;
  pawl_lab *lab = NULL;
  pawl_override change = {"e", e};
  pawl_run_opts run = {.overrides = &change, .n_override = e != NULL};
  CHECK_INT(pawl_model_parse(text, strlen(text), NULL, NULL, &model), PAWL_OK);
  CHECK_INT(pawl_lab_run(model, &run, opts, NULL, &lab), PAWL_OK);
  pawl_model_free(model);
  return lab;
}

/* Impulses 2 m 8 = 32, or 24 and 12 with e = 1/2; energies 48 and 12 are lost then. */
static void bounce_by_hand(void) {
  pawl_lab_opts opts = {.by = "y: sin(pi*t/2)", .shift = "sin(pi*t/2)"};
  double first = sin(0.4 * pi), second = sin(0.8 * pi);
  pawl_lab *elastic = lab_of(bounce, NULL, &opts), *half = lab_of(bounce, "0.5", &opts);
  pawl_lab_family w = pawl_lab_family_get(elastic, 1), tau = pawl_lab_family_get(elastic, 2);
  CHECK_NEAR(w.value, 32 * first, 1e-6);
  CHECK_NEAR(w.by_formula, 32 * first, 1e-9);
  CHECK(w.holds == 1 && w.equality == 0);
  CHECK_NEAR(tau.by_formula, 0, 1e-9);
  CHECK(tau.holds == 1);
  w = pawl_lab_family_get(half, 1);
  tau = pawl_lab_family_get(half, 2);
  CHECK_NEAR(w.by_formula, 24 * first + 12 * second, 1e-9);
  CHECK_NEAR(tau.by_formula, 48 * first + 12 * second, 1e-9);
  CHECK_NEAR(tau.value, 48 * first + 12 * second, 1e-6);
  CHECK_INT(tau.holds, 0);
  pawl_lab_info all = pawl_lab_info_get(half), strong = pawl_lab_info_get(elastic);
  CHECK(all.weak_holds && !all.strong_holds && strong.weak_holds && strong.strong_holds);
  CHECK_INT(all.corners, 2);
  CHECK(isinf(all.weak_norm) && isfinite(all.strong_norm));
  /* L = m (1/2 + 100 t^2 - 32) until 0.8; then, with s = t - 0.8, m (1/2 + (8 - 10 s)^2 - 32) */
  CHECK_NEAR(strong.action, 2 * (-31.5 * 2 + 100 * 0.512 / 3 + (512 + 64) / 30.0), 1e-9);
  pawl_lab_free(elastic);
  pawl_lab_free(half);
}

static void norms_of_a_sine(void) {
  pawl_lab *lab = lab_of(bounce, NULL, &(pawl_lab_opts){.by = "x: sin(pi*t/2)"});
  pawl_lab_info info = pawl_lab_info_get(lab);
  CHECK_NEAR(info.strong_norm, 1, 1e-6);
  CHECK_NEAR(info.weak_norm, 1 + pi / 2, 1e-6);
  CHECK_INT(info.user_holds, 1);
  pawl_lab_free(lab);
}

/* p and H at the ends: the variation of a free end is p.w - H tau. */
static void free_ends(void) {
  pawl_lab_opts opts = {.by = "x: t/2", .free_ends = 1};
  pawl_lab *lab = lab_of(bounce, NULL, &opts);
  CHECK_NEAR(pawl_lab_momentum(lab, 0)[0], 2, 1e-9);
  CHECK_NEAR(pawl_lab_momentum(lab, 1)[1], 2 * (8 - 10 * 1.2), 1e-6);
  CHECK_NEAR(pawl_lab_energy(lab, 0), 65, 1e-9);
  CHECK_NEAR(pawl_lab_energy(lab, 1), 65, 1e-6);
  pawl_lab_family w = pawl_lab_family_get(lab, 0);
  CHECK(w.at_end && w.holds == 0);
  CHECK_NEAR(w.by_formula, -2, 1e-9);
  CHECK_NEAR(w.value, -2, 1e-6);
  CHECK(pawl_lab_info_get(lab).weak_holds); /* ends that are held */
  pawl_lab_free(lab);
}

/* The folder of one model judged as a motion of another: weight, mass, floor. */
static void wrong_motions(void) {
  static const char *const wrong[] = {"m = 2, g = 10.001", "m = 2, g = 9.9"};
  char dir[] = "/tmp/pawl_lab_XXXXXX", command[100];
  pawl_model *model = NULL;
  pawl_run *run = NULL;
  CHECK(mkdtemp(dir) != NULL && rmdir(dir) == 0);
  CHECK_INT(pawl_model_parse(bounce, strlen(bounce), NULL, NULL, &model), PAWL_OK);
  CHECK_INT(pawl_run_new(model, &(pawl_run_opts){.dir = dir, .no_report = 1}, NULL, &run), PAWL_OK);
  CHECK_INT(pawl_run_go(run, NULL), PAWL_OK);
  pawl_lab *lab = NULL;
  CHECK_INT(pawl_lab_new(pawl_run_system(run), dir, NULL, NULL, &lab), PAWL_OK);
  CHECK(pawl_lab_info_get(lab).weak_holds && pawl_lab_info_get(lab).strong_holds);
  CHECK_INT(pawl_lab_worst(lab).holds, 1);
  pawl_lab_free(lab);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char text[400];
    pawl_model *other = NULL;
    pawl_system *system = NULL;
    snprintf(text, sizeof text, "parameter %s, e = 1%s", wrong[i], strchr(bounce, '\n'));
    CHECK_INT(pawl_model_parse(text, strlen(text), NULL, NULL, &other), PAWL_OK);
    CHECK_INT(pawl_system_new(other, NULL, NULL, &system), PAWL_OK);
    CHECK_INT(pawl_lab_new(system, dir, NULL, NULL, &lab), PAWL_OK);
    CHECK(!pawl_lab_info_get(lab).weak_holds);
    CHECK_INT(pawl_lab_worst(lab).holds, 0);
    pawl_lab_free(lab);
    pawl_system_free(system);
    pawl_model_free(other);
  }
  pawl_run_free(run);
  pawl_model_free(model);
  snprintf(command, sizeof command, "rm -rf '%s'", dir);
  CHECK_INT(system(command), 0);
}

/* Noether: momentum of two bodies on a spring, and what turns about a centre. */
static void conserved(void) {
  static const char *const text[] = {
      "coordinates a, b\nkinetic T = 1/2*a'^2 + b'^2\npotential V = (a - b)^2\n"
      "start a = 1, b' = 2\nrun 0..1\n",
      "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = -1/sqrt(x^2 + y^2)\n"
      "start x = 1, y' = 1.1\nrun 0..1\n",
      "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 10*y\n"
      "constraint c: y - 0.1*x >= 0, restitution 1\nstart y = 1, x' = 1\nrun 0..1\n"};
  static const char *const want[] = {"p(a) + p(b)", "x*p(y) - y*p(x)", NULL};
  static const double value[] = {4, 1.1, 0};
  for (int i = 0; i < 3; i++) {
    pawl_lab *lab = lab_of(text[i], NULL, NULL);
    CHECK_INT(pawl_lab_conserved_count(lab), want[i] != NULL);
    if (want[i] != NULL) {
      pawl_lab_conserved c = pawl_lab_conserved_get(lab, 0);
      bool turned = strcmp(c.text, "-y*p(x) + x*p(y)") == 0 || strcmp(c.text, want[i]) == 0 ||
                    strcmp(c.text, "y*p(x) - x*p(y)") == 0;
      CHECK(turned);
      CHECK_NEAR(fabs(c.start), value[i], 1e-9);
      CHECK(c.drift < 1e-7);
    }
    pawl_lab_free(lab);
  }
}

static void refused(void) {
  static const char *const by[] = {"x",       "x:",   "q: t",        "x: y",     "x: 1, x: 2",
                                   "x: t\nt", "x: (", "x: t) vs (t", "x: \"t\"", "x: 1"};
  pawl_model *model = NULL;
  pawl_lab *lab = NULL;
  CHECK_INT(pawl_model_parse(bounce, strlen(bounce), NULL, NULL, &model), PAWL_OK);
  for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
    pawl_lab_opts opts = {.by = by[i]};
    pawl_status status = pawl_lab_run(model, NULL, &opts, NULL, &lab);
    CHECK(status != PAWL_OK && lab == NULL);
  }
  pawl_lab_opts opts = {.use_span = 1, .from = 5, .to = 6};
  CHECK_INT(pawl_lab_run(model, NULL, &opts, NULL, &lab), PAWL_E_FILE);
  pawl_model_free(model);
}

CHECK_MAIN({"bounce_by_hand", bounce_by_hand}, {"norms_of_a_sine", norms_of_a_sine},
           {"free_ends", free_ends}, {"wrong_motions", wrong_motions}, {"conserved", conserved},
           {"refused", refused})
