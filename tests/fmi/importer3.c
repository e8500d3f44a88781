// SPDX-License-Identifier: MIT
/* importer3 BALL.so OTHER.so RESOURCES TOKEN: an importer of our own for FMI 3.0, on a bouncing
 * ball with value references 4 (e), 5 (y), 6 (y'), 7 (force), 9, 10, 11 (energies). The second
 * object is a copy of the first under another name. */
#include "../../fmi/fmi3.h"

#include "importer.h"

#define POINTER(result, name, arguments) result(*name) arguments;
typedef struct unit {
  FMI3_FUNCTIONS(POINTER)
} unit;

enum { E = 4, Y = 5, SPEED = 6, FORCE = 7, KINETIC = 9, POTENTIAL = 10, LOST = 11 };

static const char *resources, *token;

static unit load(const char *path) {
  unit u;
  void *library = open_unit(path);
#define LOAD(result, name, arguments) *(void **)(&u.name) = symbol(library, #name);
  FMI3_FUNCTIONS(LOAD)
  return u;
}

static void on_log(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                   fmi3String text) {
  (void)environment;
  CHECK(status == fmi3Error && strcmp(category, "logStatusError") == 0 && text[0] != '\0');
  messages++;
  snprintf(last_message, sizeof last_message, "%s", text);
}

static fmi3Instance make(const unit *u, bool events, bool early,
                         fmi3IntermediateUpdateCallback between, void *environment) {
  fmi3Instance i = u->fmi3InstantiateCoSimulation("ball", token, resources, false, true, events,
                                                  early, NULL, 0, environment, on_log, between);
  CHECK(i != NULL);
  return i;
}

static double get(const unit *u, fmi3Instance i, fmi3ValueReference r) {
  double x = NAN;
  CHECK(u->fmi3GetFloat64(i, &r, 1, &x, 1) == fmi3OK);
  return x;
}

static fmi3Status set(const unit *u, fmi3Instance i, fmi3ValueReference r, double x) {
  return u->fmi3SetFloat64(i, &r, 1, &x, 1);
}

static fmi3Instance start(const unit *u, bool events, bool early, double e) {
  fmi3Instance i = make(u, events, early, NULL, NULL);
  CHECK(set(u, i, E, e) == fmi3OK);
  CHECK(u->fmi3EnterInitializationMode(i, true, 1e-10, 0, true, 5) == fmi3OK);
  NEAR(get(u, i, Y), 1, 0);
  CHECK(u->fmi3ExitInitializationMode(i) == fmi3OK);
  return i;
}

typedef struct told {
  bool event, terminate, early;
  double t;
} told;

static fmi3Status step(const unit *u, fmi3Instance i, double from, double to, told *x) {
  return u->fmi3DoStep(i, from, to - from, true, &x->event, &x->terminate, &x->early, &x->t);
}

static void update(const unit *u, fmi3Instance i, bool *changed) {
  bool more, over, nominals, next;
  double when;
  CHECK(u->fmi3UpdateDiscreteStates(i, &more, &over, &nominals, changed, &next, &when) == fmi3OK);
  CHECK(!more && !over && !nominals && !next);
}

/* ---- a ball with event mode ---- */

static void hits(const unit *u) {
  static const double exact[] = {0.451523640985731, 0.903047281971462, 1.128809102464327};
  fmi3Instance i = start(u, true, true, 0.5);
  told x = {0};
  bool changed;
  update(u, i, &changed);
  CHECK(!changed);
  CHECK(u->fmi3EnterStepMode(i) == fmi3OK);
  int n = 0;
  for (double t = 0; t < 5 && !x.terminate && n < 200;) {
    double to = fmin(t + 0.25, 5);
    CHECK(step(u, i, t, to, &x) == fmi3OK);
    t = x.t;
    CHECK(x.early == (x.t < to));
    if (!x.event) {
      continue;
    }
    double before = get(u, i, SPEED);
    CHECK(before == get(u, i, SPEED));
    if (n < 3) {
      NEAR(x.t, exact[n], 1e-9);
      NEAR(before, -9.81 * 0.451523640985731 * pow(0.5, n), 1e-8);
    }
    CHECK(u->fmi3EnterEventMode(i) == fmi3OK);
    CHECK(get(u, i, SPEED) == before); /* until the states are updated */
    update(u, i, &changed);
    CHECK(changed);
    if (n < 3) {
      NEAR(get(u, i, SPEED), -0.5 * before, 1e-12);
    }
    CHECK(u->fmi3EnterStepMode(i) == fmi3OK);
    n++;
  }
  CHECK(n > 10);
  NEAR(get(u, i, Y), 0, 1e-12);
  NEAR(get(u, i, FORCE), 9.81, 1e-9);
  NEAR(get(u, i, LOST), 9.81, 1e-6);
  CHECK(u->fmi3Terminate(i) == fmi3OK);
  CHECK(get(u, i, SPEED) == 0);
  u->fmi3FreeInstance(i);
}

/* The same end without event mode, with other steps, and without the right to return early. */
static void without_event_mode(const unit *u) {
  for (int early = 0; early < 2; early++) {
    fmi3Instance i = start(u, early == 1, early == 1 ? false : true, 0.8);
    told x = {0};
    if (early == 1) {
      CHECK(u->fmi3EnterStepMode(i) == fmi3OK);
    }
    double t = 0;
    for (int k = 1; k <= 50; k++) {
      CHECK(step(u, i, t, t + 0.1, &x) == fmi3OK);
      CHECK(!x.early && (early == 1 || !x.event));
      t += 0.1; /* rounds: the stop time is met all the same */
    }
    NEAR(get(u, i, LOST), 9.81, 1e-6);
    NEAR(get(u, i, FORCE), 9.81, 1e-9);
    u->fmi3FreeInstance(i);
  }
}

/* ---- states ---- */

/* No bit of a state can be flipped unnoticed (every 7th here: all positions in a byte). */
static void damaged_states(const unit *u) {
  fmi3Instance i = start(u, false, true, 0.8);
  fmi3FMUState saved = NULL, none = NULL;
  told x;
  size_t size = 0;
  CHECK(step(u, i, 0, 1, &x) == fmi3OK);
  CHECK(u->fmi3GetFMUState(i, &saved) == fmi3OK);
  CHECK(u->fmi3SerializedFMUStateSize(i, saved, &size) == fmi3OK);
  fmi3Byte *bytes = malloc(size);
  CHECK(u->fmi3SerializeFMUState(i, saved, bytes, size) == fmi3OK);
  int accepted = 0;
  for (size_t bit = 0; bit < 8 * size; bit += bit < 4096 ? 1 : 7) {
    fmi3Byte mask = (fmi3Byte)(1u << bit % 8);
    bytes[bit / 8] ^= mask;
    accepted += u->fmi3DeserializeFMUState(i, bytes, size, &none) != fmi3Error;
    bytes[bit / 8] ^= mask;
  }
  CHECK(accepted == 0 && none == NULL);
  double y = get(u, i, Y), speed = get(u, i, SPEED);
  ((fmi3Byte *)saved)[size / 2] ^= 4; /* also in memory: nothing changes */
  messages = 0;
  CHECK(u->fmi3SetFMUState(i, saved) == fmi3Error && messages == 1);
  CHECK(get(u, i, Y) == y && get(u, i, SPEED) == speed);
  CHECK(step(u, i, 1, 2, &x) == fmi3OK);
  CHECK(u->fmi3FreeFMUState(i, &saved) == fmi3OK);
  free(bytes);
  u->fmi3FreeInstance(i);
}

static void states(const unit *u) {
  fmi3Instance i = start(u, false, true, 0.8), other = start(u, false, true, 0.3);
  fmi3FMUState saved = NULL, again = NULL;
  told x;
  size_t size = 0;
  CHECK(step(u, i, 0, 1, &x) == fmi3OK);
  CHECK(u->fmi3GetFMUState(i, &saved) == fmi3OK);
  CHECK(step(u, i, 1, 2, &x) == fmi3OK);
  double end = get(u, i, Y);
  CHECK(u->fmi3SetFMUState(i, saved) == fmi3OK);
  CHECK(step(u, i, 1, 2, &x) == fmi3OK);
  CHECK(get(u, i, Y) == end);
  CHECK(u->fmi3SerializedFMUStateSize(i, saved, &size) == fmi3OK && size > 0);
  fmi3Byte *bytes = malloc(size);
  CHECK(u->fmi3SerializeFMUState(i, saved, bytes, size) == fmi3OK);
  messages = 0;
  CHECK(u->fmi3SerializeFMUState(i, saved, bytes, size - 1) == fmi3Error && messages == 1);
  CHECK(u->fmi3DeserializeFMUState(other, bytes, size, &again) == fmi3OK);
  CHECK(u->fmi3SetFMUState(other, again) == fmi3OK); /* with its parameters */
  CHECK(get(u, other, E) == 0.8);
  CHECK(step(u, other, 1, 2, &x) == fmi3OK);
  CHECK(get(u, other, Y) == end);
  messages = 0;
  fmi3FMUState none = NULL;
  CHECK(u->fmi3DeserializeFMUState(other, bytes, size - 8, &none) == fmi3Error);
  memset(bytes, 7, size);
  CHECK(u->fmi3DeserializeFMUState(other, bytes, size, &none) == fmi3Error);
  CHECK(messages == 2 && none == NULL);
  CHECK(u->fmi3FreeFMUState(i, &saved) == fmi3OK && saved == NULL);
  CHECK(u->fmi3FreeFMUState(other, &again) == fmi3OK);
  free(bytes);
  CHECK(u->fmi3Reset(i) == fmi3OK);
  CHECK(u->fmi3EnterInitializationMode(i, false, 0, 0, false, 0) == fmi3OK);
  CHECK(get(u, i, E) == 0.5);
  u->fmi3FreeInstance(i);
  u->fmi3FreeInstance(other);
}

/* ---- intermediate values ---- */

typedef struct seen {
  const unit *u;
  fmi3Instance instance;
  int n;
  double least; /* y */
  double leave; /* ask to return early from then on */
} seen;

static void between(fmi3InstanceEnvironment environment, double t, bool can_set, bool can_get,
                    bool done, bool can_return, bool *early, double *until) {
  seen *s = environment;
  double y = get(s->u, s->instance, Y);
  CHECK(!can_set && can_get && done && can_return);
  s->least = fmin(s->least, y);
  s->n++;
  *early = t >= s->leave;
  *until = t;
}

static void intermediate(const unit *u) {
  seen s = {.u = u, .least = 9, .leave = 9};
  fmi3Instance i = s.instance = make(u, false, true, between, &s);
  told x;
  CHECK(u->fmi3EnterInitializationMode(i, false, 0, 0, true, 5) == fmi3OK);
  CHECK(u->fmi3ExitInitializationMode(i) == fmi3OK);
  CHECK(step(u, i, 0, 0.4, &x) == fmi3OK);
  CHECK(s.n == 8 && !x.early);
  NEAR(s.least, 1 - 9.81 * 0.16 / 2, 1e-9);
  s.leave = 0.44;
  CHECK(step(u, i, 0.4, 0.48, &x) == fmi3OK);
  CHECK(x.early && x.t >= 0.44 && x.t < 0.46);
  NEAR(get(u, i, 0), x.t, 0);
  u->fmi3FreeInstance(i);
}

/* ---- wrong calls ---- */

/* Arguments that are NULL: each call tells of the one that is missing. */
static void no_arguments(const unit *u, fmi3Instance i) {
  fmi3FMUState saved = NULL;
  fmi3ValueReference one = 1;
  fmi3Byte byte = 0;
  double x = 0;
  size_t size;
  messages = 0;
  CHECK(u->fmi3DoStep(i, 0, 1, true, NULL, NULL, NULL, NULL) == fmi3Error && messages == 1);
  CHECK(u->fmi3GetFloat64(i, NULL, 1, &x, 1) == fmi3Error && messages == 2);
  CHECK(strcmp(last_message, "fmi3GetFloat64 needs an array of value references, not NULL") == 0);
  CHECK(u->fmi3GetFloat64(i, &one, 1, NULL, 1) == fmi3Error && messages == 3);
  CHECK(strcmp(last_message, "fmi3GetFloat64 needs an array of values, not NULL") == 0);
  CHECK(u->fmi3GetFloat64(i, &one, 1, &x, 2) == fmi3Error && messages == 4);
  CHECK(u->fmi3SetFloat64(i, &one, 1, NULL, 1) == fmi3Error && messages == 5);
  CHECK(u->fmi3GetDirectionalDerivative(i, &one, 1, &one, 1, NULL, 1, &x, 1) == fmi3Error);
  CHECK(u->fmi3SetFMUState(i, NULL) == fmi3Error && messages == 7);
  CHECK(strcmp(last_message, "fmi3SetFMUState needs a state, not NULL") == 0);
  CHECK(u->fmi3GetFMUState(i, NULL) == fmi3Error && messages == 8);
  CHECK(u->fmi3SerializedFMUStateSize(i, NULL, &size) == fmi3Error && messages == 9);
  CHECK(u->fmi3SerializeFMUState(i, NULL, &byte, 1) == fmi3Error && messages == 10);
  CHECK(u->fmi3DeserializeFMUState(i, NULL, 1000, &saved) == fmi3Error && messages == 11);
  CHECK(u->fmi3GetFMUState(i, &saved) == fmi3OK && messages == 11);
  CHECK(u->fmi3SerializedFMUStateSize(i, saved, NULL) == fmi3Error && messages == 12);
  CHECK(u->fmi3SerializeFMUState(i, saved, NULL, 1) == fmi3Error && messages == 13);
  CHECK(u->fmi3FreeFMUState(i, &saved) == fmi3OK && messages == 13);
}

static void wrong(const unit *u) {
  messages = 0;
  CHECK(u->fmi3InstantiateCoSimulation("x", "{other}", resources, false, true, false, false, NULL,
                                       0, NULL, on_log, NULL) == NULL);
  CHECK(u->fmi3InstantiateCoSimulation("x", token, "/nowhere/", false, false, false, false, NULL, 0,
                                       NULL, on_log, NULL) == NULL);
  CHECK(u->fmi3InstantiateCoSimulation(NULL, NULL, NULL, false, false, false, false, NULL, 0, NULL,
                                       NULL, NULL) == NULL);
  CHECK(u->fmi3InstantiateModelExchange("x", token, resources, false, false, NULL, on_log) == NULL);
  CHECK(messages >= 3);
  const fmi3ValueReference wanted[] = {Y, 99};
  messages = 0;
  CHECK(u->fmi3InstantiateCoSimulation("x", token, resources, false, true, false, false, wanted, 2,
                                       NULL, on_log, NULL) == NULL);
  CHECK(messages == 1);
  u->fmi3FreeInstance(u->fmi3InstantiateCoSimulation("x", token, resources, false, true, false,
                                                     false, wanted, 1, NULL, on_log, NULL));
  CHECK(messages == 1);
  fmi3Instance i = make(u, false, false, NULL, NULL);
  told x;
  bool b;
  double t;
  CHECK(step(u, i, 0, 1, &x) == fmi3Error);
  CHECK(u->fmi3ExitInitializationMode(i) == fmi3Error);
  CHECK(u->fmi3EnterEventMode(i) == fmi3Error);
  CHECK(u->fmi3Terminate(i) == fmi3Error);
  CHECK(u->fmi3UpdateDiscreteStates(i, &b, &b, &b, &b, &b, &t) == fmi3Error);
  CHECK(u->fmi3EnterInitializationMode(i, true, 7, 0, false, 0) == fmi3Error);
  CHECK(u->fmi3EnterInitializationMode(i, false, 0, 0, true, -1) == fmi3Error);
  CHECK(set(u, i, Y, 3) == fmi3Error && set(u, i, 99, 3) == fmi3Error);
  CHECK(set(u, i, E, NAN) == fmi3Error);
  CHECK(u->fmi3EnterInitializationMode(i, false, 0, 0, true, 5) == fmi3OK);
  CHECK(u->fmi3EnterInitializationMode(i, false, 0, 0, true, 5) == fmi3Error);
  CHECK(set(u, i, E, 7) == fmi3OK); /* above its range */
  CHECK(u->fmi3ExitInitializationMode(i) == fmi3Error);
  CHECK(set(u, i, E, 0.5) == fmi3OK);
  CHECK(u->fmi3ExitInitializationMode(i) == fmi3OK);
  CHECK(set(u, i, E, 0.6) == fmi3Error);
  CHECK(step(u, i, 0.5, 1, &x) == fmi3Error);
  CHECK(step(u, i, 0, 0, &x) == fmi3Error && step(u, i, 0, -1, &x) == fmi3Error);
  no_arguments(u, i);
  int32_t whole;
  fmi3ValueReference one = 1;
  CHECK(u->fmi3GetInt32(i, &one, 1, &whole, 1) == fmi3Error);
  CHECK(u->fmi3GetInt32(i, NULL, 0, NULL, 0) == fmi3OK);
  CHECK(u->fmi3SetTime(i, 1) == fmi3Error);
  CHECK(step(u, i, 0, 4.9, &x) == fmi3OK);
  CHECK(step(u, i, 4.9, 6, &x) == fmi3OK && x.terminate && x.early && fabs(x.t - 5) < 1e-12);
  CHECK(u->fmi3Terminate(i) == fmi3OK);
  CHECK(step(u, i, 5, 6, &x) == fmi3Error);
  u->fmi3FreeInstance(i);
  u->fmi3FreeInstance(NULL);
  CHECK(u->fmi3Reset(NULL) == fmi3Error);
  CHECK(step(u, NULL, 0, 1, &x) == fmi3Error);
}

/* Two units, and two instances of each, side by side: none disturbs another. */
static void side_by_side(const unit *a, const unit *b) {
  const unit *u[4] = {a, b, a, b};
  fmi3Instance i[4];
  double together[4], alone[4];
  told x;
  for (int k = 0; k < 4; k++) {
    i[k] = start(u[k], false, true, 0.5 + 0.1 * k);
  }
  for (int s = 0; s < 20; s++) {
    for (int k = 0; k < 4; k++) {
      CHECK(step(u[k], i[k], 0.1 * s, 0.1 * (s + 1), &x) == fmi3OK);
    }
  }
  for (int k = 0; k < 4; k++) {
    together[k] = get(u[k], i[k], Y);
    u[k]->fmi3FreeInstance(i[k]);
    i[k] = start(a, false, true, 0.5 + 0.1 * k);
    for (int s = 0; s < 20; s++) {
      CHECK(step(a, i[k], 0.1 * s, 0.1 * (s + 1), &x) == fmi3OK);
    }
    alone[k] = get(a, i[k], Y);
    a->fmi3FreeInstance(i[k]);
    CHECK(together[k] == alone[k]);
  }
}

int main(int argc, char **argv) {
  if (argc != 5) {
    return 2;
  }
  unit a = load(argv[1]), b = load(argv[2]);
  resources = argv[3];
  token = argv[4];
  CHECK(strcmp(a.fmi3GetVersion(), "3.0") == 0);
  hits(&a);
  without_event_mode(&a);
  states(&a);
  damaged_states(&a);
  intermediate(&a);
  wrong(&a);
  side_by_side(&a, &b);
  printf("%d passed, %d failed\n", passed, failed);
  return failed > 0;
}
