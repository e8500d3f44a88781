// SPDX-License-Identifier: MIT
/* importer2 BALL.so LOCATION GUID PUSHED GUID: an importer of our own for FMI 2.0, on the same
 * ball, and on the pushed one (location and guid). */
#include "../../fmi/fmi2.h"

#include <stdarg.h>

#include "importer.h"

#define POINTER(result, name, arguments) result(*name) arguments;
typedef struct unit {
  FMI2_FUNCTIONS(POINTER)
} unit;

enum { E = 4, Y = 5, FORCE = 7, LOST = 11 };

static void on_log(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                   fmi2String category, fmi2String text, ...) {
  (void)environment;
  (void)name;
  CHECK(status == fmi2Error && category[0] != '\0' && text[0] != '\0');
  va_list more;
  messages++;
  va_start(more, text);
  vsnprintf(last_message, sizeof last_message, text, more);
  va_end(more);
}

static double get(const unit *u, fmi2Component c, fmi2ValueReference r) {
  double x = NAN;
  CHECK(u->fmi2GetReal(c, &r, 1, &x) == fmi2OK);
  return x;
}

/* Arguments that are NULL: each call tells of the one that is missing. */
static void no_arguments(const unit *u, fmi2Component c) {
  fmi2FMUstate saved = NULL;
  fmi2ValueReference y = Y;
  double x = 0;
  char byte = 0;
  size_t size;
  messages = 0;
  CHECK(u->fmi2GetReal(c, NULL, 1, &x) == fmi2Error && messages == 1);
  CHECK(strcmp(last_message, "fmi2GetReal needs an array of value references, not NULL") == 0);
  CHECK(u->fmi2GetReal(c, &y, 1, NULL) == fmi2Error && messages == 2);
  CHECK(u->fmi2SetReal(c, &y, 1, NULL) == fmi2Error && messages == 3);
  CHECK(u->fmi2GetDirectionalDerivative(c, &y, 1, NULL, 1, &x, &x) == fmi2Error && messages == 4);
  CHECK(u->fmi2SetFMUstate(c, NULL) == fmi2Error && messages == 5);
  CHECK(strcmp(last_message, "fmi2SetFMUstate needs a state, not NULL") == 0);
  CHECK(u->fmi2GetFMUstate(c, NULL) == fmi2Error && messages == 6);
  CHECK(u->fmi2SerializedFMUstateSize(c, NULL, &size) == fmi2Error && messages == 7);
  CHECK(u->fmi2SerializeFMUstate(c, NULL, &byte, 1) == fmi2Error && messages == 8);
  CHECK(u->fmi2DeSerializeFMUstate(c, NULL, 1000, &saved) == fmi2Error && messages == 9);
  CHECK(u->fmi2GetRealStatus(c, fmi2LastSuccessfulTime, NULL) == fmi2Discard && messages == 10);
}

static void motion(const unit *u, fmi2Component c) {
  fmi2ValueReference e = E;
  const double value = 0.8;
  CHECK(u->fmi2DoStep(c, 0, 1, 1) == fmi2Error);
  CHECK(u->fmi2SetupExperiment(c, 1, 1e-10, 0, 1, 5) == fmi2OK);
  CHECK(u->fmi2SetReal(c, &e, 1, &value) == fmi2OK);
  CHECK(u->fmi2EnterInitializationMode(c) == fmi2OK);
  CHECK(get(u, c, Y) == 1);
  CHECK(u->fmi2ExitInitializationMode(c) == fmi2OK);
  CHECK(u->fmi2SetReal(c, &e, 1, &value) == fmi2Error);
  double t = 0;
  for (int k = 0; k < 10; k++, t += 0.1) {
    CHECK(u->fmi2DoStep(c, t, 0.1, 1) == fmi2OK);
  }
  fmi2FMUstate saved = NULL;
  size_t size;
  CHECK(u->fmi2GetFMUstate(c, &saved) == fmi2OK);
  CHECK(u->fmi2SerializedFMUstateSize(c, saved, &size) == fmi2OK);
  char *bytes = malloc(size);
  CHECK(u->fmi2SerializeFMUstate(c, saved, bytes, size) == fmi2OK);
  messages = 0;
  CHECK(u->fmi2SerializeFMUstate(c, saved, bytes, size - 1) == fmi2Error && messages == 1);
  fmi2FMUstate none = NULL;
  int accepted = 0;
  for (size_t k = 0; k < size; k++) {
    bytes[k] ^= 4;
    accepted += u->fmi2DeSerializeFMUstate(c, bytes, size, &none) != fmi2Error;
    bytes[k] ^= 4;
  }
  CHECK(accepted == 0 && none == NULL);
  CHECK(u->fmi2DoStep(c, t, 4, 1) == fmi2OK);
  NEAR(get(u, c, LOST), 9.81, 1e-6);
  NEAR(get(u, c, FORCE), 9.81, 1e-9);
  CHECK(u->fmi2FreeFMUstate(c, &saved) == fmi2OK);
  CHECK(u->fmi2DeSerializeFMUstate(c, bytes, size, &saved) == fmi2OK);
  CHECK(u->fmi2SetFMUstate(c, saved) == fmi2OK);
  CHECK(u->fmi2DoStep(c, t, 9, 1) == fmi2Discard); /* beyond the stop time */
  no_arguments(u, c);
  fmi2Boolean over = 0;
  double last = 0;
  CHECK(u->fmi2GetBooleanStatus(c, fmi2Terminated, &over) == fmi2OK && over == fmi2True);
  CHECK(u->fmi2GetRealStatus(c, fmi2LastSuccessfulTime, &last) == fmi2OK && fabs(last - 5) < 1e-12);
  CHECK(u->fmi2FreeFMUstate(c, &saved) == fmi2OK);
  free(bytes);
  CHECK(u->fmi2Terminate(c) == fmi2OK);
  CHECK(u->fmi2Reset(c) == fmi2OK);
}

/* The pushed ball: references 1 (m), 2 (g), 5 (F), 6 (y), 10 (y''). */
static void inputs(const unit *u, fmi2Component c) {
  fmi2ValueReference force = 5, y = 6, lift = 10, gravity = 2;
  const double g = 9.81, one = 1;
  double x = NAN;
  CHECK(u->fmi2SetupExperiment(c, 1, 1e-10, 0, 1, 2) == fmi2OK);
  CHECK(u->fmi2EnterInitializationMode(c) == fmi2OK);
  CHECK(u->fmi2ExitInitializationMode(c) == fmi2OK);
  CHECK(u->fmi2DoStep(c, 0, 0.2, 1) == fmi2OK);
  CHECK(u->fmi2GetDirectionalDerivative(c, &y, 1, &gravity, 1, &one, &x) == fmi2OK);
  NEAR(x, -0.02, 1e-9);
  CHECK(u->fmi2SetReal(c, &force, 1, &g) == fmi2OK);
  NEAR(get(u, c, lift), 0, 1e-12);
  CHECK(u->fmi2GetDirectionalDerivative(c, &lift, 1, &force, 1, &one, &x) == fmi2OK);
  NEAR(x, 1, 1e-12);
  CHECK(u->fmi2DoStep(c, 0.2, 0.1, 1) == fmi2OK);
  NEAR(get(u, c, y), 1 - 0.04 * g, 1e-10);
  messages = 0;
  CHECK(u->fmi2GetDirectionalDerivative(c, &y, 1, &gravity, 1, &one, &x) == fmi2Error);
  CHECK(u->fmi2SetReal(c, &y, 1, &one) == fmi2Error && messages == 2);
}

int main(int argc, char **argv) {
  if (argc != 6) {
    return 2;
  }
  unit u;
  void *library = open_unit(argv[1]);
#define LOAD(result, name, arguments) *(void **)(&u.name) = symbol(library, #name);
  FMI2_FUNCTIONS(LOAD)
  fmi2CallbackFunctions functions = {on_log, calloc, free, NULL, NULL};
  CHECK(strcmp(u.fmi2GetVersion(), "2.0") == 0);
  CHECK(u.fmi2Instantiate("x", fmi2CoSimulation, "{other}", argv[2], &functions, 0, 1) == NULL);
  CHECK(u.fmi2Instantiate("x", fmi2CoSimulation, argv[3], "http://x", &functions, 0, 1) == NULL);
  CHECK(u.fmi2Instantiate("x", fmi2ModelExchange, argv[3], argv[2], &functions, 0, 1) == NULL);
  fmi2Component c = u.fmi2Instantiate("ball", fmi2CoSimulation, argv[3], argv[2], &functions, 0, 1);
  CHECK(c != NULL);
  motion(&u, c);
  u.fmi2FreeInstance(c);
  c = u.fmi2Instantiate("pushed", fmi2CoSimulation, argv[5], argv[4], &functions, 0, 1);
  CHECK(c != NULL);
  inputs(&u, c);
  u.fmi2FreeInstance(c);
  printf("%d passed, %d failed\n", passed, failed);
  return failed > 0;
}
