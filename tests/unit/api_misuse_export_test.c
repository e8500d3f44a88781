// SPDX-License-Identifier: MIT
/* Misuse of the export of equations, and memory that runs out; see api_misuse_test.c. */
#include <pawl/pawl.h>

#include "alloc_wrap.h"
#include "check.h"

static const char pendulum[] =
    "parameter m = 1, l = 2\ncoordinates a, b\nlet P = l*sin(a) + sin(b)\n"
    "kinetic T = 1/2*m*P'^2 + 1/2*(a'^2 + b'^2)\npotential V = m*cos(a - b)\n"
    "constraint stop: a >= 0, restitution 0.5\n"
    "friction rub: slip b', mu 0.3 on stop\n";

static int swallow(void *payload, const char *bytes, unsigned long count) {
  (void)bytes;
  *(unsigned long *)payload += count;
  return 0;
}

static pawl_model *make(void) {
  pawl_model *model = NULL;
  CHECK_INT(pawl_model_parse(pendulum, strlen(pendulum), NULL, NULL, &model), PAWL_OK);
  return model;
}

static void misuse(void) {
  pawl_model *model = make();
  unsigned long n = 0;
  const pawl_override nothing = {NULL, "1"}, unknown = {"k", "1"};
  CHECK_INT(pawl_model_export(NULL, NULL, NULL, swallow, &n), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_model_export(model, NULL, NULL, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_model_export(model, &(pawl_export_opts){.format = (pawl_export_format)7}, NULL,
                              swallow, &n),
            PAWL_E_ARGUMENT);
  CHECK_INT(pawl_model_export(model, &(pawl_export_opts){.n_override = 1}, NULL, swallow, &n),
            PAWL_E_ARGUMENT);
  CHECK_INT(pawl_model_export(model, &(pawl_export_opts){.overrides = &nothing, .n_override = 1},
                              NULL, swallow, &n),
            PAWL_E_ARGUMENT);
  CHECK_INT(n, 0);
  CHECK_INT(pawl_model_export(model, &(pawl_export_opts){.overrides = &unknown, .n_override = 1},
                              NULL, swallow, &n),
            PAWL_E_MODEL);
  CHECK_INT(pawl_model_export(model, NULL, NULL, swallow, &n), PAWL_OK);
  CHECK(n > 500);
  char name[8] = "x";
  CHECK_STR(pawl_export_name(NULL, name, sizeof name), "");
  CHECK_STR(pawl_export_name(model, NULL, 8), "");
  CHECK_STR(pawl_export_name(model, name, 0), "");
  CHECK_STR(pawl_export_name(model, name, 3), "mo");
  CHECK_STR(pawl_export_name(model, name, sizeof name), "model");
  pawl_model_free(model);
}

static const char robot[] =
    "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/>"
    "<inertia ixx='1' iyy='1' izz='1'/></inertial></link><joint name='j' type='continuous'>"
    "<parent link='a'/><child link='b'/></joint></robot>";

static void misuse_of_import(void) {
  unsigned long n = 0;
  CHECK_INT(pawl_import(NULL, NULL, swallow, &n), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_import("robot.urdf", NULL, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_import("no/such/robot.urdf", NULL, swallow, &n), PAWL_E_FILE);
  CHECK_INT(pawl_import_text(NULL, robot, strlen(robot), NULL, swallow, &n), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_import_text("r", NULL, 1, NULL, swallow, &n), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_import_text("r", robot, strlen(robot), NULL, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_import_text("r", "", 0, NULL, swallow, &n), PAWL_E_MODEL);
  CHECK_INT(pawl_import_text("r", robot, 40, NULL, swallow, &n), PAWL_E_MODEL);
  CHECK_INT(n, 0);
  CHECK_INT(pawl_import_text("r", robot, strlen(robot), NULL, swallow, &n), PAWL_OK);
  CHECK(n > 200);
}

static void attempt_import(void *payload) {
  unsigned long n = 0;
  pawl_status status = pawl_import_text("r", robot, strlen(robot), NULL, swallow, &n);
  (void)payload;
  CHECK(status == PAWL_OK || alloc_failed());
}

static void memory_runs_out_of_import(void) {
  CHECK(alloc_sweep(attempt_import, NULL) > 2);
}

static void attempt(void *payload) {
  unsigned long n = 0;
  pawl_status status = pawl_model_export(payload, NULL, NULL, swallow, &n);
  CHECK(status == PAWL_OK || alloc_failed());
}

static void memory_runs_out(void) {
  pawl_model *model = make();
  CHECK(alloc_sweep(attempt, model) > 5);
  pawl_model_free(model);
}

/* ---- units ---- */

static void no_unit(void) {
  pawl_model *model = make();
  unsigned long n = 0;
  pawl_fmu_opts opts = {.version = 3, .kit = "/nowhere/files.txt"}, old = opts, none = opts,
                many = opts;
  old.version = 1;
  none.kit = NULL;
  many.n_override = 1;
  CHECK_INT(pawl_fmu_write(NULL, &opts, NULL, swallow, &n), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_fmu_write(model, NULL, NULL, swallow, &n), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_fmu_write(model, &opts, NULL, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_fmu_write(model, &old, NULL, swallow, &n), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_fmu_write(model, &none, NULL, swallow, &n), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_fmu_write(model, &many, NULL, swallow, &n), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_fmu_write(model, &opts, NULL, swallow, &n), PAWL_E_FILE);
  CHECK_INT(n, 0);
  CHECK_INT(pawl_fmu_variables(NULL), 0);
  CHECK_INT(pawl_fmu_variable_get(NULL, 0).kind, PAWL_FMU_NONE);
  CHECK(pawl_fmu_token(NULL, 7) == pawl_fmu_token("", 0));
  CHECK(pawl_fmu_token("a", 1) != pawl_fmu_token("b", 1));
  pawl_model_free(model);
}

static void references(void) {
  pawl_model *model = make();
  pawl_system *system = NULL;
  CHECK_INT(pawl_system_new(model, &(pawl_system_opts){.no_start = 1}, NULL, &system), PAWL_OK);
  int n = pawl_fmu_variables(system);
  CHECK_INT(pawl_fmu_variable_get(system, -1).kind, PAWL_FMU_NONE);
  CHECK_INT(pawl_fmu_variable_get(system, n).kind, PAWL_FMU_NONE);
  CHECK_INT(pawl_fmu_variable_get(system, 0).kind, PAWL_FMU_TIME);
  CHECK_INT(pawl_fmu_variable_get(system, n - 1).kind, PAWL_FMU_LOST);
  pawl_system_free(system);
  pawl_model_free(model);
}

CHECK_MAIN({"misuse", misuse}, {"memory_runs_out", memory_runs_out}, {"no_unit", no_unit},
           {"misuse_of_import", misuse_of_import},
           {"memory_runs_out_of_import", memory_runs_out_of_import}, {"references", references})
