// SPDX-License-Identifier: MIT
/* The functions of FMI 2.0 for co-simulation. Events are treated inside of steps. */
#include "fmi2.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

enum { ALL = FMI_MADE | FMI_INIT | FMI_STEP | FMI_ENDED | FMI_FAILED };

typedef struct host {
  fmi_unit *unit;
  fmi2CallbackFunctions functions;
  char name[256];
  bool ended; /* the motion was over before the last step was */
} host;

static void say(fmi_unit *unit, int severity, const char *text) {
  const host *h = unit->host;
  if (h->functions.logger != NULL && unit->logging) {
    h->functions.logger(h->functions.componentEnvironment, h->name,
                        severity == 1 ? fmi2Warning : fmi2Error,
                        severity == 1 ? "logStatusWarning" : "logStatusError", "%s", text);
  }
}

static fmi_unit *enter(fmi2Component c, int modes, const char *call) {
  host *h = c;
  return h != NULL && fmi_unit_allows(h->unit, modes, call) ? h->unit : NULL;
}

/* ---- making and ending ---- */

const char *FMI2_NAME(fmi2GetTypesPlatform)(void) {
  return "default";
}

const char *FMI2_NAME(fmi2GetVersion)(void) {
  return "2.0";
}

fmi2Status FMI2_NAME(fmi2SetDebugLogging)(fmi2Component c, fmi2Boolean loggingOn, size_t n,
                                          const fmi2String categories[]) {
  fmi_unit *unit = enter(c, ALL, "fmi2SetDebugLogging");
  (void)n;
  (void)categories;
  if (unit == NULL) {
    return fmi2Error;
  }
  unit->logging = loggingOn != fmi2False;
  return fmi2OK;
}

static int hex(char c) {
  const char *digits = "0123456789abcdef", *at = c == '\0' ? NULL : strchr(digits, c | 32);
  return at == NULL ? -1 : (int)(at - digits);
}

/* "file:///tmp/a%20b" is /tmp/a b; false: it is not the location of a file, or too long. */
static bool to_path(const char *location, char *path, size_t room) {
  size_t n = 0;
  if (location == NULL || strncmp(location, "file:/", 6) != 0) {
    return false;
  }
  const char *at = location + 5;
  if (strncmp(at, "//localhost/", 12) == 0) {
    at += 11;
  } else if (strncmp(at, "///", 3) == 0) {
    at += 2;
  }
  for (; *at != '\0' && n + 16 < room; n++) {
    bool coded = at[0] == '%' && hex(at[1]) >= 0 && hex(at[2]) >= 0;
    path[n] = coded ? (char)(16 * hex(at[1]) + hex(at[2])) : *at;
    at += coded ? 3 : 1;
  }
  while (n > 1 && path[n - 1] == '/') {
    n--;
  }
  path[n] = '\0';
  return *at == '\0';
}

fmi2Component FMI2_NAME(fmi2Instantiate)(fmi2String name, fmi2Type type, fmi2String guid,
                                         fmi2String resources,
                                         const fmi2CallbackFunctions *functions,
                                         fmi2Boolean visible, fmi2Boolean loggingOn) {
  char path[4096];
  host *h = functions == NULL ? NULL : calloc(1, sizeof *h);
  (void)visible;
  if (h == NULL) {
    return NULL;
  }
  h->functions = *functions;
  snprintf(h->name, sizeof h->name, "%s", name == NULL ? "" : name);
  fmi_unit unready = {.say = say, .host = h, .logging = true};
  if (type != fmi2CoSimulation) {
    fmi_unit_tell(&unready, 3, "this unit is for co-simulation only");
  } else if (guid == NULL || !to_path(resources, path, sizeof path)) {
    fmi_unit_tell(&unready, 3, "the location of the resources and the guid are needed");
  } else {
    strcat(path, "/model.pawl"); /* to_path leaves room for it */
    h->unit = fmi_unit_new(path, guid, say, h, true);
  }
  if (h->unit == NULL) {
    free(h);
    return NULL;
  }
  h->unit->logging = loggingOn != fmi2False;
  return h;
}

void FMI2_NAME(fmi2FreeInstance)(fmi2Component c) {
  host *h = c;
  if (h != NULL) {
    fmi_unit_free(h->unit);
    free(h);
  }
}

/* ---- modes ---- */

fmi2Status FMI2_NAME(fmi2SetupExperiment)(fmi2Component c, fmi2Boolean toleranceDefined,
                                          fmi2Real tolerance, fmi2Real startTime,
                                          fmi2Boolean stopTimeDefined, fmi2Real stopTime) {
  fmi_unit *unit = enter(c, FMI_MADE, "fmi2SetupExperiment");
  if (unit == NULL) {
    return fmi2Error;
  }
  return fmi_unit_experiment(unit, toleranceDefined != fmi2False, tolerance, startTime,
                             stopTimeDefined != fmi2False, stopTime)
             ? fmi2OK
             : fmi2Error;
}

fmi2Status FMI2_NAME(fmi2EnterInitializationMode)(fmi2Component c) {
  fmi_unit *unit = enter(c, FMI_MADE, "fmi2EnterInitializationMode");
  if (unit == NULL) {
    return fmi2Error;
  }
  unit->stale = true;
  unit->mode = FMI_INIT;
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2ExitInitializationMode)(fmi2Component c) {
  fmi_unit *unit = enter(c, FMI_INIT, "fmi2ExitInitializationMode");
  if (unit == NULL || !fmi_unit_ready(unit)) {
    return fmi2Error;
  }
  unit->mode = FMI_STEP;
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2Terminate)(fmi2Component c) {
  fmi_unit *unit = enter(c, FMI_STEP, "fmi2Terminate");
  if (unit == NULL) {
    return fmi2Error;
  }
  unit->mode = FMI_ENDED;
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2Reset)(fmi2Component c) {
  fmi_unit *unit = enter(c, ALL, "fmi2Reset");
  if (unit == NULL) {
    return fmi2Error;
  }
  fmi_unit_reset(unit);
  return fmi2OK;
}

/* ---- values ---- */

fmi2Status FMI2_NAME(fmi2GetReal)(fmi2Component c, FMI2_REFERENCES, fmi2Real values[]) {
  static const char call[] = "fmi2GetReal";
  fmi_unit *unit = enter(c, FMI_INIT | FMI_STEP | FMI_ENDED, call);
  bool ok = unit != NULL && fmi_unit_arrays(unit, n, references, values, call);
  for (size_t i = 0; ok && i < n; i++) {
    ok = fmi_unit_get(unit, references[i], &values[i]);
  }
  return ok ? fmi2OK : fmi2Error;
}

fmi2Status FMI2_NAME(fmi2SetReal)(fmi2Component c, FMI2_REFERENCES, const fmi2Real values[]) {
  static const char call[] = "fmi2SetReal";
  fmi_unit *unit = enter(c, FMI_MADE | FMI_INIT | FMI_STEP, call);
  bool ok = unit != NULL && fmi_unit_arrays(unit, n, references, values, call);
  for (size_t i = 0; ok && i < n; i++) {
    ok = fmi_unit_set(unit, references[i], values[i]);
  }
  return ok ? fmi2OK : fmi2Error;
}

fmi2Status FMI2_NAME(fmi2GetDirectionalDerivative) FMI2_DERIVATIVE {
  static const char call[] = "fmi2GetDirectionalDerivative";
  fmi_unit *unit = enter(c, FMI_INIT | FMI_STEP, call);
  bool ok = unit != NULL && fmi_unit_arrays(unit, nUnknowns, unknowns, sensitivity, call) &&
            fmi_unit_arrays(unit, nKnowns, knowns, seed, call) &&
            fmi_unit_slope(unit, unknowns, nUnknowns, knowns, seed, nKnowns, sensitivity);
  return ok ? fmi2OK : fmi2Error;
}

/* ---- steps ---- */

fmi2Status FMI2_NAME(fmi2DoStep)(fmi2Component c, fmi2Real point, fmi2Real size,
                                 fmi2Boolean noSetBefore) {
  host *h = c;
  double target;
  fmi_unit *unit = enter(c, FMI_STEP, "fmi2DoStep");
  (void)noSetBefore;
  if (unit == NULL || !fmi_unit_target(unit, point, size, &target)) {
    return fmi2Error;
  }
  h->ended = false;
  while (unit->t < target && !h->ended) {
    pawl_stop why;
    if (!fmi_unit_advance(unit, target, &why)) {
      return fmi2Error;
    }
    h->ended = why == PAWL_AT_END && unit->t < target;
  }
  return h->ended ? fmi2Discard : fmi2OK;
}

fmi2Status FMI2_NAME(fmi2GetRealStatus)(fmi2Component c, const fmi2StatusKind kind,
                                        fmi2Real *value) {
  static const char call[] = "fmi2GetRealStatus";
  fmi_unit *unit = enter(c, FMI_STEP | FMI_ENDED | FMI_FAILED, call);
  if (unit == NULL || kind != fmi2LastSuccessfulTime ||
      !fmi_unit_given(unit, value, call, "a place for its result")) {
    return fmi2Discard;
  }
  *value = unit->t;
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2GetBooleanStatus)(fmi2Component c, const fmi2StatusKind kind,
                                           fmi2Boolean *value) {
  const host *h = c;
  static const char call[] = "fmi2GetBooleanStatus";
  fmi_unit *unit = enter(c, FMI_STEP | FMI_ENDED | FMI_FAILED, call);
  if (unit == NULL || kind != fmi2Terminated ||
      !fmi_unit_given(unit, value, call, "a place for its result")) {
    return fmi2Discard;
  }
  *value = h->ended;
  return fmi2OK;
}

/* ---- states ---- */

fmi2Status FMI2_NAME(fmi2GetFMUstate)(fmi2Component c, fmi2FMUstate *state) {
  static const char call[] = "fmi2GetFMUstate";
  fmi_unit *unit = enter(c, FMI_MADE | FMI_INIT | FMI_STEP | FMI_ENDED, call);
  bool ok = unit != NULL && fmi_unit_given(unit, state, call, "a place for the state");
  fmi_saved *saved = ok ? fmi_unit_save(unit) : NULL;
  if (saved == NULL) {
    return fmi2Error;
  }
  free(*state);
  *state = saved;
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2SetFMUstate)(fmi2Component c, fmi2FMUstate state) {
  static const char call[] = "fmi2SetFMUstate";
  fmi_unit *unit = enter(c, ALL, call);
  const fmi_saved *saved = state;
  bool ok = unit != NULL && fmi_unit_given(unit, saved, call, "a state") &&
            fmi_unit_restore(unit, saved, saved->size);
  return ok ? fmi2OK : fmi2Error;
}

fmi2Status FMI2_NAME(fmi2FreeFMUstate)(fmi2Component c, fmi2FMUstate *state) {
  if (enter(c, ALL, "fmi2FreeFMUstate") == NULL) {
    return fmi2Error;
  }
  if (state != NULL) {
    free(*state);
    *state = NULL;
  }
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2SerializedFMUstateSize)(fmi2Component c, fmi2FMUstate state,
                                                 size_t *size) {
  static const char call[] = "fmi2SerializedFMUstateSize";
  const fmi_saved *saved = state;
  fmi_unit *unit = enter(c, ALL, call);
  if (unit == NULL || !fmi_unit_given(unit, saved, call, "a state") ||
      !fmi_unit_given(unit, size, call, "a place for the size")) {
    return fmi2Error;
  }
  *size = saved->size;
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2SerializeFMUstate)(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[],
                                            size_t size) {
  static const char call[] = "fmi2SerializeFMUstate";
  fmi_unit *unit = enter(c, ALL, call);
  bool ok = unit != NULL && fmi_unit_given(unit, state, call, "a state") &&
            fmi_unit_given(unit, bytes, call, "a buffer") &&
            fmi_unit_pack(unit, state, bytes, size);
  return ok ? fmi2OK : fmi2Error;
}

fmi2Status FMI2_NAME(fmi2DeSerializeFMUstate)(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                              fmi2FMUstate *state) {
  static const char call[] = "fmi2DeSerializeFMUstate";
  fmi_unit *unit = enter(c, ALL, call);
  bool ok = unit != NULL && fmi_unit_given(unit, bytes, call, "the bytes of a state") &&
            fmi_unit_given(unit, state, call, "a place for the state");
  fmi_saved *saved = ok ? fmi_unit_unpack(unit, bytes, size) : NULL;
  if (saved == NULL) {
    return fmi2Error;
  }
  *state = saved;
  return fmi2OK;
}

/* ---- what there is not ---- */

static fmi2Status absent(fmi2Component c, const char *call) {
  const host *h = c;
  if (h != NULL) {
    fmi_unit_tell(h->unit, 3, "%s is not provided by this unit", call);
  }
  return fmi2Error;
}

#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
#define NO_SUCH_TYPE(result, name, arguments)               \
  result FMI2_NAME(name) arguments {                        \
    return c != NULL && n == 0 ? fmi2OK : absent(c, #name); \
  }
#define NOT_PROVIDED(result, name, arguments) \
  result FMI2_NAME(name) arguments {          \
    return absent(c, #name);                  \
  }
FMI2_OTHER_TYPES(NO_SUCH_TYPE)
FMI2_ABSENT(NOT_PROVIDED)
