// SPDX-License-Identifier: MIT
/* Misuse of stored trajectories; see api_misuse_test.c. */
#include <limits.h>
#include <math.h>
#include <pawl/pawl.h>
#include <pawl/traj.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

static const int wrong[] = {-1, INT_MIN, 1000, INT_MAX};
static const char ball[] = "coordinates y\nkinetic T = 1/2*y'^2\npotential V = 9.81*y\n"
                           "constraint floor: y >= 0, restitution 0.5\nstart y = 1\n"
                           "run 0..0.6, every 0.05\n";

static void no_traj(void) {
  pawl_traj *traj = (pawl_traj *)&traj;
  pawl_traj_point p;
  CHECK_INT(pawl_traj_open(NULL, NULL, &traj), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_traj_open("/no/such/folder", NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_traj_open("/no/such/folder", NULL, &traj), PAWL_E_FILE);
  CHECK(traj == NULL);
  pawl_traj_free(NULL);
  CHECK_INT(pawl_traj_info_get(NULL).rows, 0);
  CHECK(pawl_traj_column(NULL, 0) == NULL && pawl_traj_law(NULL, 0) == NULL);
  CHECK(pawl_traj_work(NULL, 0) == NULL);
  CHECK_INT(pawl_traj_at(NULL, 0, PAWL_AFTER, &p), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_traj_visit(NULL, &(pawl_traj_visitor){0}), PAWL_E_ARGUMENT);
  pawl_traj_match match = {.known = 1};
  CHECK_INT(pawl_traj_compare(NULL, &match), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_traj_compare("/no/such/folder", NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_traj_compare("/no/such/folder", &match), PAWL_OK);
  CHECK_INT(match.known, 0);
}

static void no_distance(void) {
  pawl_distance *d = (pawl_distance *)&d;
  CHECK_INT(pawl_distance_new(NULL, NULL, 0, 1, NULL, &d), PAWL_E_ARGUMENT);
  CHECK(d == NULL);
  CHECK_INT(pawl_distance_new(NULL, NULL, 0, 1, NULL, NULL), PAWL_E_ARGUMENT);
  pawl_distance_free(NULL);
  CHECK(isnan(pawl_distance_norm(NULL, 0)) && isnan(pawl_distance_norm(NULL, 1)));
  CHECK_INT(pawl_distance_count(NULL), 0);
  CHECK(isnan(pawl_distance_get(NULL, 0).most));
  CHECK_INT(pawl_distance_json(NULL, NULL, NULL), PAWL_E_ARGUMENT);
}

/* Of two openings of one motion. */
static void distance_out_of_range(const char *results, pawl_traj *traj) {
  pawl_traj *other = NULL;
  pawl_distance *d = NULL;
  pawl_diags *diags = NULL;
  CHECK_INT(pawl_diags_new(&diags), PAWL_OK);
  CHECK_INT(pawl_traj_open(results, NULL, &other), PAWL_OK);
  CHECK_INT(pawl_distance_new(traj, traj, NAN, NAN, diags, &d), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_distance_new(traj, other, 0.5, 0.1, diags, &d), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_distance_new(traj, other, NAN, 1, diags, &d), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_distance_new(traj, other, 0, 99, diags, &d), PAWL_E_MODEL);
  CHECK_STR(pawl_diags_get(diags, 0)->code, "E0669");
  CHECK_INT(pawl_distance_new(traj, other, NAN, NAN, diags, &d), PAWL_OK);
  CHECK(pawl_distance_norm(d, 1) == 0);
  for (int k = 0; k < 4; k++) {
    CHECK(isnan(pawl_distance_get(d, wrong[k]).most));
  }
  CHECK_INT(pawl_distance_json(d, NULL, NULL), PAWL_E_ARGUMENT);
  pawl_distance_free(d);
  pawl_traj_free(other);
  pawl_diags_free(diags);
}

static void no_report(void) {
  pawl_diags *diags = NULL;
  CHECK_INT(pawl_diags_new(&diags), PAWL_OK);
  CHECK_INT(pawl_report_write(NULL, NULL, diags), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_report_write("/no/such/folder", NULL, NULL), PAWL_E_FILE);
  CHECK_INT(pawl_report_write("/no/such/folder", "/no/such/file.html", diags), PAWL_E_FILE);
  CHECK_INT(pawl_diags_count(diags), 1);
  CHECK_STR(pawl_diags_get(diags, 0)->code, "E0618");
  pawl_diags_free(diags);
}

static void traj_out_of_range(void) {
  char dir[] = "/tmp/pawl-misuse-XXXXXX", results[64];
  pawl_model *model = NULL;
  pawl_run *run = NULL;
  pawl_traj *traj = NULL;
  pawl_traj_point p;
  CHECK(mkdtemp(dir) != NULL);
  snprintf(results, sizeof results, "%s/out", dir);
  CHECK_INT(pawl_model_parse(ball, sizeof ball - 1, NULL, NULL, &model), PAWL_OK);
  CHECK_INT(pawl_run_new(model, &(pawl_run_opts){.dir = results}, NULL, &run), PAWL_OK);
  CHECK_INT(pawl_run_go(run, NULL), PAWL_OK);
  pawl_run_free(run);
  pawl_model_free(model);
  CHECK_INT(pawl_traj_open(results, NULL, &traj), PAWL_OK);
  for (int k = 0; k < 4; k++) {
    CHECK(pawl_traj_column(traj, wrong[k]) == NULL);
    CHECK(pawl_traj_law(traj, wrong[k]) == NULL);
    CHECK(pawl_traj_work(traj, wrong[k]) == NULL);
  }
  CHECK_INT(pawl_traj_at(traj, NAN, PAWL_AFTER, &p), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_traj_at(traj, -1, PAWL_AFTER, &p), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_traj_at(traj, 99, PAWL_AFTER, &p), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_traj_at(traj, 0.1, (pawl_side)7, &p), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_traj_at(traj, 0.1, PAWL_AFTER, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_traj_at(traj, 0.1, PAWL_AFTER, &p), PAWL_OK);
  CHECK_NEAR(p.q[0], 1 - 0.5 * 9.81 * 0.01, 1e-9);
  CHECK_INT(pawl_traj_visit(traj, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_traj_visit(traj, &(pawl_traj_visitor){0}), PAWL_OK);
  distance_out_of_range(results, traj);
  pawl_traj_free(traj);
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", dir);
  CHECK_INT(system(command), 0);
}

CHECK_MAIN({"no_traj", no_traj}, {"no_distance", no_distance}, {"no_report", no_report},
           {"traj_out_of_range", traj_out_of_range})
