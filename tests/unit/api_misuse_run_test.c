// SPDX-License-Identifier: MIT
/* Misuse of runs, certificates, variations and boundary value problems; see api_misuse_test.c. */
#include <limits.h>
#include <pawl/pawl.h>
#include <stdlib.h>

#include "check.h"

static const int wrong[] = {-1, INT_MIN, 1000, INT_MAX};
enum { N_WRONG = sizeof wrong / sizeof *wrong };

static const char ball[] = "parameter g = 9.81\n"
                           "coordinates x, y\n"
                           "kinetic T = 1/2*(x'^2 + y'^2)\n"
                           "potential V = g*y\n"
                           "constraint floor: y >= 0, restitution 0.5\n"
                           "start y = 1, x' = 1\n"
                           "end x = 1, y = 1\n"
                           "run 0..0.6, every 0.05\n"
                           "expect x = 0.6 +- 1e-9\n"
                           "expect x = 7 +- 1 at t = 100\n";

static int swallow(void *payload, const char *bytes, unsigned long count) {
  (void)payload;
  (void)bytes;
  (void)count;
  return 0;
}

static pawl_model *parse(void) {
  pawl_model *m = NULL;
  CHECK_INT(pawl_model_parse(ball, sizeof ball - 1, NULL, NULL, &m), PAWL_OK);
  return m;
}

/* Only this one owns it. */
static pawl_system *compile(void) {
  pawl_model *m = parse();
  pawl_system *s = NULL;
  CHECK_INT(pawl_system_new(m, NULL, NULL, &s), PAWL_OK);
  pawl_model_free(m);
  return s;
}

/* ---- runs ---- */

static void no_run(void) {
  pawl_run_result r = pawl_run_result_get(NULL);
  CHECK(r.ending == PAWL_NOT_ENDED && isnan(r.t) && r.works == NULL);
  CHECK_STR(r.reason, "");
  CHECK_INT(pawl_run_go(NULL, NULL), PAWL_E_ARGUMENT);
  CHECK(!pawl_run_outcome(NULL, 0).reached);
  CHECK(pawl_run_system(NULL) == NULL && pawl_run_sim(NULL) == NULL);
  CHECK_INT(pawl_run_certificate(NULL).verdict, PAWL_NOT_CHECKED);
  CHECK(pawl_run_certifier(NULL) == NULL && pawl_run_dir(NULL) == NULL);
  CHECK_INT(pawl_run_columns(NULL), 0);
  CHECK(pawl_run_column(NULL, 0) == NULL);
  CHECK_INT(pawl_run_json(NULL, NULL, swallow, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_check_json(NULL, NULL, NULL, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_check_json(NULL, NULL, NULL, swallow, NULL), PAWL_OK);
  pawl_run_free(NULL);
}

static void run_is_not_made(void) {
  pawl_model *m = parse();
  pawl_run *run = (pawl_run *)m;
  const pawl_override no_name = {NULL, "1"}, no_value = {"g", NULL};
  const pawl_run_opts opts[] = {{.n_override = 2},
                                {.n_override = -7},
                                {.overrides = &no_name, .n_override = 1},
                                {.overrides = &no_value, .n_override = 1},
                                {.every = -1},
                                {.sim = {.tol = NAN}},
                                {.save = 255},
                                {.save = PAWL_SAVE_NPZ | 4},
                                {.motion_bytes = -1}};
  CHECK_INT(pawl_run_new(NULL, NULL, NULL, &run), PAWL_E_ARGUMENT);
  CHECK(run == NULL);
  CHECK_INT(pawl_run_new(m, NULL, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_run_new(m, &(pawl_run_opts){.dir = ""}, NULL, &run), PAWL_E_ARGUMENT);
  for (size_t i = 0; i < sizeof opts / sizeof *opts; i++) {
    run = (pawl_run *)m;
    CHECK_INT(pawl_run_new(m, &opts[i], NULL, &run), PAWL_E_ARGUMENT);
    CHECK(run == NULL);
  }
  CHECK_INT(pawl_run_resume(NULL, NULL, NULL, &run), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_run_resume("/no/such/folder", NULL, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_run_resume("/no/such/folder", NULL, NULL, &run), PAWL_E_FILE);
  pawl_model_free(m);
}

/* Everything may be asked before the run has gone, and says that it has not. */
static void before_go(void) {
  pawl_model *m = parse();
  pawl_run *run = NULL;
  CHECK_INT(pawl_run_new(m, NULL, NULL, &run), PAWL_OK);
  pawl_model_free(m); /* the run keeps it */
  pawl_outcome o = pawl_run_outcome(run, 0);
  CHECK(!o.reached && !o.ok && isnan(o.value) && isnan(o.t) && isnan(o.wanted));
  CHECK_STR(o.reason, "");
  CHECK_NEAR(o.tol, 1e-9, 0);
  CHECK_INT(pawl_run_json(run, NULL, swallow, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_run_result_get(run).ending, PAWL_NOT_ENDED);
  CHECK_INT(pawl_run_certificate(run).verdict, PAWL_NOT_CHECKED);
  for (int k = 0; k < N_WRONG; k++) {
    CHECK(isnan(pawl_run_outcome(run, wrong[k]).tol));
    CHECK(pawl_run_column(run, wrong[k]) == NULL);
  }
  CHECK(pawl_run_column(run, pawl_run_columns(run)) == NULL);
  CHECK_INT(pawl_run_go(run, NULL), PAWL_OK);
  CHECK_INT(pawl_run_go(run, NULL), PAWL_E_ARGUMENT); /* once */
  CHECK(pawl_run_outcome(run, 0).ok);
  CHECK_NEAR(pawl_run_outcome(run, 0).value, 0.6, 1e-9);
  CHECK(!pawl_run_outcome(run, 1).reached && isnan(pawl_run_outcome(run, 1).value));
  CHECK_INT(pawl_run_json(run, NULL, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_run_json(run, NULL, swallow, NULL), PAWL_OK);
  pawl_run_free(run);
}

/* ---- certificates ---- */

static void no_certifier(void) {
  const double x[2] = {0};
  double t = 5;
  char text[4] = "abc";
  CHECK_INT(pawl_certify_new(NULL, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_certify_row(NULL, 0, x, x, NULL), PAWL_E_ARGUMENT);
  pawl_certify_steps(NULL, 3);
  pawl_certify_finish(NULL);
  pawl_certify_free(NULL);
  CHECK_INT(pawl_certify_get(NULL).verdict, PAWL_NOT_CHECKED);
  CHECK_STR(pawl_certify_get(NULL).sentence, "");
  CHECK_INT(pawl_certify_findings(NULL), 0);
  CHECK_STR(pawl_certify_finding(NULL, 0).principle, "");
  CHECK_INT(pawl_certify_json(NULL, 0, swallow, NULL), PAWL_E_ARGUMENT);
  CHECK(pawl_certify_variations(NULL) == NULL);
  CHECK(pawl_certify_direction(NULL, &t) == NULL && isnan(t));
  pawl_certify_along(NULL, 0, text, sizeof text);
  CHECK_STR(text, "");
  pawl_certify_along(NULL, 0, NULL, 9);
}

static void certifier(void) {
  pawl_system *s = compile();
  pawl_certifier *c = (pawl_certifier *)s;
  const double q[] = {0, 1}, u[] = {0, 0}, bad[] = {NAN, INFINITY};
  CHECK_INT(pawl_certify_new(NULL, NULL, &c), PAWL_E_ARGUMENT);
  CHECK(c == NULL);
  CHECK_INT(pawl_certify_file(s, NULL, NULL, NULL, &c), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_certify_file(NULL, "x", NULL, NULL, &c), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_certify_file(s, "x", NULL, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_certify_file(s, "/no/such/file", NULL, NULL, &c), PAWL_E_FILE);
  CHECK_INT(pawl_certify_motion(s, NULL, NULL, NULL, &c), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_certify_motion(NULL, "x", NULL, NULL, &c), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_certify_motion(s, "x", NULL, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_certify_motion(s, "/no/such/folder", NULL, NULL, &c), PAWL_E_FILE);
  const pawl_certify_opts nonsense[] = {{.tol = NAN},
                                        {.tol = -1e-6},
                                        {.tol = 1},
                                        {.noise = NAN},
                                        {.noise = -1},
                                        {.noise = INFINITY},
                                        {.every = NAN},
                                        {.every = -1},
                                        {.steps = NAN},
                                        {.steps = -1},
                                        {.instants = -4},
                                        {.from = 1, .to = 0},
                                        {.from = 0.5, .to = NAN},
                                        {.to = INFINITY}};
  for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
    CHECK_INT(pawl_certify_new(s, &nonsense[i], &c), PAWL_E_ARGUMENT);
    CHECK(c == NULL);
  }
  CHECK_INT(pawl_certify_new(s, NULL, &c), PAWL_OK);
  pawl_system_free(s);
  CHECK_INT(pawl_certify_row(c, NAN, q, u, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_certify_row(c, INFINITY, q, u, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_certify_row(c, 0, NULL, u, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_certify_row(c, 0, q, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_certify_json(c, 0, swallow, NULL), PAWL_OK); /* before any row */
  CHECK_INT(pawl_certify_row(c, 0, q, u, NULL), PAWL_OK);
  CHECK_INT(pawl_certify_row(c, -1, q, u, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_certify_row(c, 0.1, bad, u, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_certify_row(c, 0.1, q, bad, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_certify_row(c, 0.2, q, u, NULL), PAWL_OK);
  for (int k = 0; k < N_WRONG; k++) {
    char text[8];
    CHECK(isnan(pawl_certify_finding(c, wrong[k]).value));
    pawl_certify_along(c, wrong[k], text, sizeof text);
    CHECK_STR(text, "");
  }
  pawl_certify_finish(c);
  CHECK_INT(pawl_certify_row(c, 0.3, q, u, NULL), PAWL_OK); /* ignored */
  pawl_certify_finish(c);
  CHECK_INT(pawl_certify_get(c).rows, 2);
  CHECK_INT(pawl_certify_json(c, 0, NULL, NULL), PAWL_E_ARGUMENT);
  pawl_certify_free(c);
}

/* A free fall with a row that has no numbers is not certified. */
static void row_without_numbers(void) {
  pawl_system *s = compile();
  pawl_certifier *c = NULL;
  CHECK_INT(pawl_certify_new(s, NULL, &c), PAWL_OK);
  for (int i = 0; i < 20; i++) {
    double t = 0.02 * i, q[] = {t, 1 - 0.5 * 9.81 * t * t}, u[] = {1, -9.81 * t};
    q[0] = i == 7 ? NAN : q[0];
    CHECK_INT(pawl_certify_row(c, t, q, u, NULL), i == 7 ? PAWL_E_ARGUMENT : PAWL_OK);
  }
  pawl_certify_finish(c);
  CHECK_INT(pawl_certify_get(c).verdict, PAWL_UNDECIDED);
  CHECK_STR(
      pawl_certify_get(c).sentence,
      "the row at t = 0.14 has values that are not finite numbers; remove the row, or correct "
      "its values");
  pawl_certify_free(c);
  pawl_system_free(s);
}

/* ---- variations ---- */

static void along_x(double t, void *payload, double *w, double *rate) {
  (void)payload;
  (void)t;
  w[0] = 1;
  w[1] = rate[0] = rate[1] = 0;
}

static void variations(void) {
  pawl_system *s = compile();
  pawl_vary *v = (pawl_vary *)s;
  const double q[] = {0, 1}, u[] = {0, 0};
  CHECK_INT(pawl_vary_new(NULL, 0, &v), PAWL_E_ARGUMENT);
  CHECK(v == NULL);
  CHECK_INT(pawl_vary_new(s, -1, &v), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_vary_new(s, NAN, &v), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_vary_new(s, 0, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_vary_new(s, 0, &v), PAWL_OK);
  pawl_system_free(s);
  CHECK_INT(pawl_vary_add(NULL, PAWL_VARY_WEAK, along_x, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_vary_add(v, PAWL_VARY_WEAK, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_vary_add(v, (pawl_vary_kind)8, along_x, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_vary_add(v, PAWL_VARY_WEAK, along_x, NULL), PAWL_OK);
  CHECK_INT(pawl_vary_row(NULL, 0, q, u), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_vary_row(v, NAN, q, u), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_vary_row(v, 0, NULL, u), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_vary_row(v, 0, q, u), PAWL_OK);
  CHECK_INT(pawl_vary_row(v, -1, q, u), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_vary_add(v, PAWL_VARY_WEAK, along_x, NULL), PAWL_E_ARGUMENT); /* too late */
  for (int k = 0; k < N_WRONG; k++) {
    CHECK(isnan(pawl_vary_get(v, wrong[k]).slope));
    CHECK(isnan(pawl_vary_get(NULL, wrong[k]).size));
  }
  pawl_vary_finish(v);
  pawl_vary_finish(v);
  CHECK_INT(pawl_vary_row(v, 1, q, u), PAWL_E_ARGUMENT); /* after the end */
  CHECK_INT(pawl_vary_count(NULL), 0);
  CHECK(isnan(pawl_vary_action(NULL)));
  CHECK_INT(pawl_vary_worst(NULL, 1).which, -1);
  pawl_vary_finish(NULL);
  pawl_vary_free(v);
  pawl_vary_free(NULL);
}

/* ---- boundary value problems ---- */

static void no_bvp(void) {
  CHECK_INT(pawl_bvp_new(NULL, NULL, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_bvp_count(NULL), 0);
  CHECK_INT(pawl_bvp_complete(NULL), 0);
  CHECK_INT(pawl_bvp_freedom(NULL), 0);
  CHECK_INT(pawl_bvp_multipliers(NULL), 0);
  CHECK_STR(pawl_bvp_multiplier(NULL, 0), "");
  CHECK_INT(pawl_bvp_trials(NULL), 0);
  CHECK(pawl_bvp_get(NULL, 0).labels == NULL);
  CHECK_INT(pawl_bvp_json(NULL, swallow, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_bvp_csv(NULL, 0, swallow, NULL), PAWL_E_ARGUMENT);
  pawl_bvp_free(NULL);
}

static void bvp(void) {
  pawl_system *s = compile();
  pawl_bvp *b = (pawl_bvp *)s;
  CHECK_INT(pawl_bvp_new(NULL, NULL, NULL, &b), PAWL_E_ARGUMENT);
  CHECK(b == NULL);
  CHECK_INT(pawl_bvp_new(s, &(pawl_bvp_opts){.use_span = 1, .from = NAN, .to = 1}, NULL, &b),
            PAWL_E_ARGUMENT);
  CHECK_INT(pawl_bvp_new(s, &(pawl_bvp_opts){.use_span = 1, .from = 2, .to = 1}, NULL, &b),
            PAWL_E_ARGUMENT);
  CHECK_INT(pawl_bvp_new(s, &(pawl_bvp_opts){.use_bounces = 1, .least = -3, .most = -1}, NULL, &b),
            PAWL_E_ARGUMENT);
  CHECK_INT(pawl_bvp_new(s, &(pawl_bvp_opts){.use_bounces = 1, .least = 5, .most = 1}, NULL, &b),
            PAWL_E_ARGUMENT);
  CHECK_INT(pawl_bvp_new(s, &(pawl_bvp_opts){.mesh = -1}, NULL, &b), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_bvp_new(s, &(pawl_bvp_opts){.degree = 11}, NULL, &b), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_bvp_new(s, &(pawl_bvp_opts){.use_bounces = 1}, NULL, &b), PAWL_OK);
  pawl_system_free(s);
  CHECK(pawl_bvp_count(b) >= 1);
  for (int k = 0; k < N_WRONG; k++) {
    CHECK(pawl_bvp_get(b, wrong[k]).q_start == NULL);
    CHECK_STR(pawl_bvp_multiplier(b, wrong[k]), "");
    CHECK_INT(pawl_bvp_csv(b, wrong[k], swallow, NULL), PAWL_E_ARGUMENT);
  }
  CHECK_INT(pawl_bvp_csv(b, 0, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_bvp_csv(b, 0, swallow, NULL), PAWL_OK);
  CHECK_INT(pawl_bvp_json(b, NULL, NULL), PAWL_E_ARGUMENT);
  pawl_bvp_free(b);
}

CHECK_MAIN({"no_run", no_run}, {"run_is_not_made", run_is_not_made}, {"before_go", before_go},
           {"no_certifier", no_certifier}, {"certifier", certifier},
           {"row_without_numbers", row_without_numbers}, {"variations", variations},
           {"no_bvp", no_bvp}, {"bvp", bvp})
