// SPDX-License-Identifier: MIT
/* The functions of FMI 3.0 for co-simulation. An event ends a step early where the importer allows
 * it; until fmi3UpdateDiscreteStates the values are those before it. */
#include "fmi3.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit_part.h"

enum { ALL = FMI_MADE | FMI_INIT | FMI_EVENT | FMI_STEP | FMI_ENDED | FMI_FAILED };

typedef struct host {
  fmi_unit *unit;
  fmi3InstanceEnvironment environment;
  fmi3LogMessageCallback log;
  fmi3IntermediateUpdateCallback intermediate;
  bool event_mode, early;
} host;

static void say(fmi_unit *unit, int severity, const char *text) {
  const host *h = unit->host;
  if (h->log != NULL && unit->logging) {
    h->log(h->environment, severity == 1 ? fmi3Warning : fmi3Error,
           severity == 1 ? "logStatusWarning" : "logStatusError", text);
  }
}

/* The unit if the call is allowed in its mode, else NULL. */
static fmi_unit *enter(fmi3Instance instance, int modes, const char *call) {
  host *h = instance;
  return h != NULL && fmi_unit_allows(h->unit, modes, call) ? h->unit : NULL;
}

/* ---- making and ending ---- */

const char *FMI3_NAME(fmi3GetVersion)(void) {
  return "3.0";
}

fmi3Status FMI3_NAME(fmi3SetDebugLogging)(fmi3Instance instance, fmi3Boolean loggingOn,
                                          size_t nCategories, const fmi3String categories[]) {
  fmi_unit *unit = enter(instance, ALL, "fmi3SetDebugLogging");
  (void)nCategories;
  (void)categories;
  if (unit == NULL) {
    return fmi3Error;
  }
  unit->logging = loggingOn;
  return fmi3OK;
}

static fmi3Instance other_kind(fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
  if (log != NULL) {
    log(environment, fmi3Error, "logStatusError", "this unit is for co-simulation only");
  }
  return NULL;
}

fmi3Instance FMI3_NAME(fmi3InstantiateModelExchange)(fmi3String name, fmi3String token,
                                                     fmi3String resourcePath, fmi3Boolean visible,
                                                     fmi3Boolean loggingOn,
                                                     fmi3InstanceEnvironment environment,
                                                     fmi3LogMessageCallback logMessage) {
  (void)name;
  (void)token;
  (void)resourcePath;
  (void)visible;
  (void)loggingOn;
  return other_kind(environment, logMessage);
}

fmi3Instance FMI3_NAME(fmi3InstantiateScheduledExecution)(
    fmi3String name, fmi3String token, fmi3String resourcePath, fmi3Boolean visible,
    fmi3Boolean loggingOn, fmi3InstanceEnvironment environment, fmi3LogMessageCallback logMessage,
    fmi3ClockUpdateCallback clockUpdate, fmi3LockPreemptionCallback lock,
    fmi3UnlockPreemptionCallback unlock) {
  (void)name;
  (void)token;
  (void)resourcePath;
  (void)visible;
  (void)loggingOn;
  (void)clockUpdate;
  (void)lock;
  (void)unlock;
  return other_kind(environment, logMessage);
}

/* The variables that an importer wants between communication points; all may be read there. */
static bool are_known(fmi_unit *unit, const fmi3ValueReference *references, size_t n) {
  if (n > 0 && references == NULL) {
    fmi_unit_tell(unit, 3, "%zu required intermediate variables need their references", n);
    return false;
  }
  for (size_t i = 0; i < n; i++) {
    if (fmi_unit_find(unit, references[i]).kind == PAWL_FMU_NONE) {
      fmi_unit_tell(unit, 3, "there is no value reference %u for an intermediate variable",
                    references[i]);
      return false;
    }
  }
  return true;
}

fmi3Instance FMI3_NAME(fmi3InstantiateCoSimulation)(
    fmi3String name, fmi3String token, fmi3String resourcePath, fmi3Boolean visible,
    fmi3Boolean loggingOn, fmi3Boolean eventModeUsed, fmi3Boolean earlyReturnAllowed,
    const fmi3ValueReference intermediate[], size_t nIntermediate,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback logMessage,
    fmi3IntermediateUpdateCallback intermediateUpdate) {
  char path[4096];
  host *h = calloc(1, sizeof *h);
  fmi_unit unready = {.say = say, .host = h, .logging = true};
  (void)name;
  (void)visible;
  if (h == NULL) {
    return NULL;
  }
  *h = (host){NULL, environment, logMessage, intermediateUpdate, eventModeUsed, earlyReturnAllowed};
  size_t len = resourcePath == NULL ? 0 : strlen(resourcePath);
  if (len == 0 || len > sizeof path - 16 || token == NULL) {
    fmi_unit_tell(&unready, 3, "the path of the resources and the token are needed");
  } else {
    const char *slash = resourcePath[len - 1] == '/' || resourcePath[len - 1] == '\\' ? "" : "/";
    snprintf(path, sizeof path, "%s%smodel.pawl", resourcePath, slash);
    h->unit = fmi_unit_new(path, token, say, h, true); /* why it fails is always told */
  }
  if (h->unit == NULL || !are_known(h->unit, intermediate, nIntermediate)) {
    FMI3_NAME(fmi3FreeInstance)(h);
    return NULL;
  }
  h->unit->logging = loggingOn;
  return h;
}

void FMI3_NAME(fmi3FreeInstance)(fmi3Instance instance) {
  host *h = instance;
  if (h != NULL) {
    fmi_unit_free(h->unit);
    free(h);
  }
}

/* A place for each result. */
static bool all_given(fmi_unit *unit, const void *const *places, size_t n, const char *call) {
  for (size_t i = 0; i < n; i++) {
    if (!fmi_unit_given(unit, places[i], call, "a place for each of its results")) {
      return false;
    }
  }
  return true;
}

/* ---- modes ---- */

fmi3Status FMI3_NAME(fmi3EnterInitializationMode)(fmi3Instance instance,
                                                  fmi3Boolean toleranceDefined,
                                                  fmi3Float64 tolerance, fmi3Float64 startTime,
                                                  fmi3Boolean stopTimeDefined,
                                                  fmi3Float64 stopTime) {
  fmi_unit *unit = enter(instance, FMI_MADE, "fmi3EnterInitializationMode");
  if (unit == NULL) {
    return fmi3Error;
  }
  if (!fmi_unit_experiment(unit, toleranceDefined, tolerance, startTime, stopTimeDefined,
                           stopTime)) {
    return fmi3Error;
  }
  unit->mode = FMI_INIT;
  return fmi3OK;
}

fmi3Status FMI3_NAME(fmi3ExitInitializationMode)(fmi3Instance instance) {
  fmi_unit *unit = enter(instance, FMI_INIT, "fmi3ExitInitializationMode");
  if (unit == NULL || !fmi_unit_ready(unit)) {
    return fmi3Error;
  }
  unit->mode = ((host *)instance)->event_mode ? FMI_EVENT : FMI_STEP;
  return fmi3OK;
}

fmi3Status FMI3_NAME(fmi3EnterEventMode)(fmi3Instance instance) {
  host *h = instance;
  fmi_unit *unit = enter(instance, h != NULL && h->event_mode ? FMI_STEP : 0, "fmi3EnterEventMode");
  if (unit == NULL) {
    return fmi3Error;
  }
  unit->mode = FMI_EVENT;
  return fmi3OK;
}

fmi3Status FMI3_NAME(fmi3EnterStepMode)(fmi3Instance instance) {
  fmi_unit *unit = enter(instance, FMI_EVENT, "fmi3EnterStepMode");
  if (unit == NULL) {
    return fmi3Error;
  }
  unit->pending = false;
  unit->mode = FMI_STEP;
  return fmi3OK;
}

fmi3Status FMI3_NAME(fmi3UpdateDiscreteStates)(fmi3Instance instance, fmi3Boolean *needUpdate,
                                               fmi3Boolean *terminate, fmi3Boolean *nominalsChanged,
                                               fmi3Boolean *valuesChanged,
                                               fmi3Boolean *nextEventTimeDefined,
                                               fmi3Float64 *nextEventTime) {
  static const char call[] = "fmi3UpdateDiscreteStates";
  const void *const places[] = {needUpdate, terminate, nominalsChanged, valuesChanged,
                                nextEventTimeDefined};
  fmi_unit *unit = enter(instance, FMI_EVENT, call);
  if (unit == NULL || !all_given(unit, places, sizeof places / sizeof *places, call)) {
    return fmi3Error;
  }
  *valuesChanged = unit->pending;
  *needUpdate = *terminate = *nominalsChanged = *nextEventTimeDefined = false;
  if (nextEventTime != NULL) {
    *nextEventTime = 0;
  }
  unit->pending = false;
  return fmi3OK;
}

fmi3Status FMI3_NAME(fmi3Terminate)(fmi3Instance instance) {
  fmi_unit *unit = enter(instance, FMI_EVENT | FMI_STEP, "fmi3Terminate");
  if (unit == NULL) {
    return fmi3Error;
  }
  unit->mode = FMI_ENDED;
  return fmi3OK;
}

fmi3Status FMI3_NAME(fmi3Reset)(fmi3Instance instance) {
  fmi_unit *unit = enter(instance, ALL, "fmi3Reset");
  if (unit == NULL) {
    return fmi3Error;
  }
  fmi_unit_reset(unit);
  return fmi3OK;
}

/* ---- values ---- */

static bool fits(fmi_unit *unit, size_t n, const void *references, const void *values,
                 size_t n_values, const char *call) {
  if (n != n_values) {
    fmi_unit_tell(unit, 3, "%zu value references need as many values, not %zu", n, n_values);
    return false;
  }
  return fmi_unit_arrays(unit, n, references, values, call);
}

fmi3Status FMI3_NAME(fmi3GetFloat64)(fmi3Instance instance, FMI3_REFERENCES, fmi3Float64 values[],
                                     size_t nValues) {
  static const char call[] = "fmi3GetFloat64";
  fmi_unit *unit = enter(instance, FMI_INIT | FMI_EVENT | FMI_STEP | FMI_ENDED | FMI_BETWEEN, call);
  bool ok = unit != NULL && fits(unit, nReferences, references, values, nValues, call);
  for (size_t i = 0; ok && i < nReferences; i++) {
    ok = fmi_unit_get(unit, references[i], &values[i]);
  }
  return ok ? fmi3OK : fmi3Error;
}

fmi3Status FMI3_NAME(fmi3SetFloat64)(fmi3Instance instance, FMI3_REFERENCES,
                                     const fmi3Float64 values[], size_t nValues) {
  static const char call[] = "fmi3SetFloat64";
  fmi_unit *unit = enter(instance, FMI_MADE | FMI_INIT | FMI_EVENT | FMI_STEP | FMI_BETWEEN, call);
  bool ok = unit != NULL && fits(unit, nReferences, references, values, nValues, call);
  for (size_t i = 0; ok && i < nReferences; i++) {
    ok = fmi_unit_set(unit, references[i], values[i]);
  }
  return ok ? fmi3OK : fmi3Error;
}

fmi3Status FMI3_NAME(fmi3GetDirectionalDerivative) FMI3_DERIVATIVE {
  static const char call[] = "fmi3GetDirectionalDerivative";
  fmi_unit *unit = enter(instance, FMI_INIT | FMI_EVENT | FMI_STEP, call);
  bool ok = unit != NULL && fits(unit, nUnknowns, unknowns, sensitivity, nSensitivity, call) &&
            fits(unit, nKnowns, knowns, seed, nSeed, call) &&
            fmi_unit_slope(unit, unknowns, nUnknowns, knowns, seed, nKnowns, sensitivity);
  return ok ? fmi3OK : fmi3Error;
}

/* ---- steps ---- */

typedef struct step {
  double target;
  bool event, ended, early; /* why it is over */
} step;

/* Shows intermediate values; the importer may set inputs and ask to return early. */
static void show(host *h, step *s) {
  bool wanted = false;
  double until = h->unit->t;
  h->unit->mode = FMI_BETWEEN;
  h->intermediate(h->environment, h->unit->t, h->unit->n_input > 0, true, true, h->early, &wanted,
                  &until);
  h->unit->mode = FMI_STEP;
  if (wanted && h->early && until < s->target) {
    s->target = fmax(until, h->unit->t);
    s->early = true;
  }
}

/* The importer sees this many values between two communication points, besides events. */
enum { INTERMEDIATE = 8 };

static double next_target(const host *h, const step *s, double size) {
  double next = h->unit->t + size / INTERMEDIATE;
  bool last = h->intermediate == NULL || next >= s->target - size / (2 * INTERMEDIATE);
  return last ? s->target : next;
}

static bool do_step(host *h, step *s, double size) {
  fmi_unit *unit = h->unit;
  while (unit->t < s->target && !s->event && !s->ended) {
    pawl_stop why;
    if (!fmi_unit_advance(unit, next_target(h, s, size), &why)) {
      return false;
    }
    s->ended = why == PAWL_AT_END && unit->t < s->target;
    /* without the right to return early an event before the end is treated at once */
    s->event = why == PAWL_AT_EVENT && h->event_mode && (h->early || unit->t >= s->target);
    unit->pending = s->event;
    if (h->intermediate != NULL && !s->event) {
      show(h, s);
    }
  }
  return true;
}

fmi3Status FMI3_NAME(fmi3DoStep)(fmi3Instance instance, fmi3Float64 point, fmi3Float64 size,
                                 fmi3Boolean noSetBefore, fmi3Boolean *eventHandlingNeeded,
                                 fmi3Boolean *terminate, fmi3Boolean *earlyReturn,
                                 fmi3Float64 *lastSuccessfulTime) {
  host *h = instance;
  fmi_unit *unit = enter(instance, FMI_STEP, "fmi3DoStep");
  (void)noSetBefore;
  const void *const places[] = {eventHandlingNeeded, terminate, earlyReturn, lastSuccessfulTime};
  if (unit == NULL || !all_given(unit, places, sizeof places / sizeof *places, "fmi3DoStep")) {
    return fmi3Error;
  }
  if (unit->pending) {
    fmi_unit_tell(unit, 3, "fmi3DoStep is not allowed before the event is treated in event mode");
    return fmi3Error;
  }
  step s = {0};
  if (!fmi_unit_target(unit, point, size, &s.target)) {
    return fmi3Error;
  }
  double end = s.target;
  bool ok = do_step(h, &s, size);
  *eventHandlingNeeded = s.event;
  *terminate = s.ended;
  *earlyReturn = ok && unit->t < end;
  *lastSuccessfulTime = unit->t;
  return ok ? fmi3OK : fmi3Error;
}

/* ---- states ---- */

fmi3Status FMI3_NAME(fmi3GetFMUState)(fmi3Instance instance, fmi3FMUState *state) {
  static const char call[] = "fmi3GetFMUState";
  fmi_unit *unit = enter(instance, FMI_MADE | FMI_INIT | FMI_EVENT | FMI_STEP | FMI_ENDED, call);
  bool ok = unit != NULL && fmi_unit_given(unit, state, call, "a place for the state");
  fmi_saved *saved = ok ? fmi_unit_save(unit) : NULL;
  if (saved == NULL) {
    return fmi3Error;
  }
  free(*state); /* NULL, or one of this unit that is taken again */
  *state = saved;
  return fmi3OK;
}

fmi3Status FMI3_NAME(fmi3SetFMUState)(fmi3Instance instance, fmi3FMUState state) {
  static const char call[] = "fmi3SetFMUState";
  fmi_unit *unit = enter(instance, ALL, call);
  const fmi_saved *saved = state;
  bool ok = unit != NULL && fmi_unit_given(unit, saved, call, "a state") &&
            fmi_unit_restore(unit, saved, saved->size);
  return ok ? fmi3OK : fmi3Error;
}

fmi3Status FMI3_NAME(fmi3FreeFMUState)(fmi3Instance instance, fmi3FMUState *state) {
  if (enter(instance, ALL, "fmi3FreeFMUState") == NULL) {
    return fmi3Error;
  }
  if (state != NULL) {
    free(*state);
    *state = NULL;
  }
  return fmi3OK;
}

fmi3Status FMI3_NAME(fmi3SerializedFMUStateSize)(fmi3Instance instance, fmi3FMUState state,
                                                 size_t *size) {
  static const char call[] = "fmi3SerializedFMUStateSize";
  const fmi_saved *saved = state;
  fmi_unit *unit = enter(instance, ALL, call);
  if (unit == NULL || !fmi_unit_given(unit, saved, call, "a state") ||
      !fmi_unit_given(unit, size, call, "a place for the size")) {
    return fmi3Error;
  }
  *size = saved->size;
  return fmi3OK;
}

fmi3Status FMI3_NAME(fmi3SerializeFMUState)(fmi3Instance instance, fmi3FMUState state,
                                            fmi3Byte bytes[], size_t size) {
  static const char call[] = "fmi3SerializeFMUState";
  fmi_unit *unit = enter(instance, ALL, call);
  bool ok = unit != NULL && fmi_unit_given(unit, state, call, "a state") &&
            fmi_unit_given(unit, bytes, call, "a buffer") &&
            fmi_unit_pack(unit, state, bytes, size);
  return ok ? fmi3OK : fmi3Error;
}

fmi3Status FMI3_NAME(fmi3DeserializeFMUState)(fmi3Instance instance, const fmi3Byte bytes[],
                                              size_t size, fmi3FMUState *state) {
  static const char call[] = "fmi3DeserializeFMUState";
  fmi_unit *unit = enter(instance, ALL, call);
  bool ok = unit != NULL && fmi_unit_given(unit, bytes, call, "the bytes of a state") &&
            fmi_unit_given(unit, state, call, "a place for the state");
  fmi_saved *saved = ok ? fmi_unit_unpack(unit, bytes, size) : NULL;
  if (saved == NULL) {
    return fmi3Error;
  }
  *state = saved;
  return fmi3OK;
}

/* ---- what there is not ---- */

static fmi3Status absent(fmi3Instance instance, const char *call) {
  const host *h = instance;
  if (h != NULL) {
    fmi_unit_tell(h->unit, 3, "%s is not provided by this unit", call);
  }
  return fmi3Error;
}

/* Arguments that are not used raise no warning in a function without names for them, which C17 does
 * not have: these functions are told apart by their types alone. */
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
#define NO_SUCH_TYPE(result, name, arguments)                                \
  result FMI3_NAME(name) arguments {                                         \
    const host *h = instance;                                                \
    return h != NULL && nReferences == 0 ? fmi3OK : absent(instance, #name); \
  }
#define NOT_PROVIDED(result, name, arguments) \
  result FMI3_NAME(name) arguments {          \
    return absent(instance, #name);           \
  }
FMI3_OTHER_TYPES(NO_SUCH_TYPE)
FMI3_ABSENT(NOT_PROVIDED)
