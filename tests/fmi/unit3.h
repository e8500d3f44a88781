// SPDX-License-Identifier: MIT
/* A unit of FMI 3.0 as an importer holds it: functions, an instance, and short names for calls that
 * must succeed. */
#ifndef FMI_UNIT3_H
#define FMI_UNIT3_H

#include "../../fmi/fmi3.h"

#include "importer.h"

#define POINTER(result, name, arguments) result(*name) arguments;
typedef struct unit {
  FMI3_FUNCTIONS(POINTER)
  fmi3Instance instance;
  fmi3FMUState saved;
} unit;

static void on_log(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                   fmi3String text) {
  (void)environment;
  CHECK(status == fmi3Error && strcmp(category, "logStatusError") == 0 && text[0] != '\0');
  messages++;
  snprintf(last_message, sizeof last_message, "%s", text);
}

/* words: shared object, resources, token */
static unit load(char **words, fmi3IntermediateUpdateCallback between, void *environment) {
  unit u = {0};
  void *library = open_unit(words[0]);
#define LOAD(result, name, arguments) *(void **)(&u.name) = symbol(library, #name);
  FMI3_FUNCTIONS(LOAD)
  u.instance = u.fmi3InstantiateCoSimulation("unit", words[2], words[1], false, true, true, true,
                                             NULL, 0, environment, on_log, between);
  CHECK(u.instance != NULL);
  return u;
}

static double get(const unit *u, fmi3ValueReference r) {
  double x = NAN;
  CHECK(u->fmi3GetFloat64(u->instance, &r, 1, &x, 1) == fmi3OK);
  return x;
}

static void set(const unit *u, fmi3ValueReference r, double x) {
  CHECK(u->fmi3SetFloat64(u->instance, &r, 1, &x, 1) == fmi3OK);
}

static double slope(const unit *u, fmi3ValueReference of, fmi3ValueReference by) {
  double one = 1, x = NAN;
  CHECK(u->fmi3GetDirectionalDerivative(u->instance, &of, 1, &by, 1, &one, 1, &x, 1) == fmi3OK);
  return x;
}

static void enter(const unit *u, double stop) {
  CHECK(u->fmi3EnterInitializationMode(u->instance, true, 1e-11, 0, true, stop) == fmi3OK);
}

/* Treats what happened, and goes on in step mode. */
static void update(const unit *u) {
  bool more, over, nominals, changed, next;
  double when;
  CHECK(u->fmi3UpdateDiscreteStates(u->instance, &more, &over, &nominals, &changed, &next, &when) ==
        fmi3OK);
  CHECK(u->fmi3EnterStepMode(u->instance) == fmi3OK);
}

static void leave(const unit *u) {
  CHECK(u->fmi3ExitInitializationMode(u->instance) == fmi3OK);
  update(u);
}

static double step(const unit *u, double from, double to, bool *event) {
  bool over, early;
  double t = NAN;
  CHECK(u->fmi3DoStep(u->instance, from, to - from, false, event, &over, &early, &t) == fmi3OK);
  return t;
}

static void end(unit *u) {
  CHECK(u->fmi3FreeFMUState(u->instance, &u->saved) == fmi3OK);
  CHECK(u->fmi3Terminate(u->instance) == fmi3OK);
  u->fmi3FreeInstance(u->instance);
}

static inline fmi3ValueReference number(const char *text) {
  return (fmi3ValueReference)strtoul(text, NULL, 10);
}

#endif
