// SPDX-License-Identifier: MIT
/* input3 BALL.so RESOURCES TOKEN: inputs and derivatives of a unit, on the pushed ball with value
 * references 2 (g), 3 (h), 4 (e), 5 (F), 6 (y), 7 (y'), 8 (force), 10 (y''), 11 (energy). */
#include "unit3.h"

enum { M = 1, G = 2, H = 3, E = 4, F = 5, Y = 6, SPEED = 7, FLOOR = 8, LIFT = 10, KINETIC = 11 };
static const double g = 9.81, hit = 0.451523640985731; /* sqrt(2 h/g) */
static char **words;

/* ---- values from outside ---- */

/* Free of weight from 0.2 on, at once and between steps; pushed up at the impact. */
static void pushed(void) {
  unit u = load(words, NULL, NULL);
  bool event;
  enter(&u, 2);
  leave(&u);
  CHECK(step(&u, 0, 0.2, &event) == 0.2 && !event);
  NEAR(get(&u, LIFT), -g, 1e-12);
  set(&u, F, g);
  NEAR(get(&u, LIFT), 0, 1e-12);
  NEAR(get(&u, F), g, 0);
  CHECK(step(&u, 0.2, 0.3, &event) == 0.3 && !event);
  NEAR(get(&u, Y), 1 - g * 0.04 / 2 - 0.2 * g * 0.1, 1e-10);
  NEAR(get(&u, SPEED), -0.2 * g, 1e-10);
  set(&u, F, 0);
  double t = step(&u, 0.3, 1, &event), fall = get(&u, SPEED);
  CHECK(event && t < 0.55);
  CHECK(u.fmi3EnterEventMode(u.instance) == fmi3OK);
  set(&u, F, g); /* counts from the event on: until then the values are those before it */
  CHECK(get(&u, SPEED) == fall);
  update(&u);
  NEAR(get(&u, SPEED), -fall / 2, 1e-12);
  NEAR(get(&u, LIFT), 0, 1e-12);
  CHECK(step(&u, t, t + 0.5, &event) == t + 0.5 && !event);
  NEAR(get(&u, Y), -fall / 4, 1e-10);
  CHECK(messages == 0);
  end(&u);
}

/* The start of an input, and states that hold inputs. */
static void states(void) {
  unit u = load(words, NULL, NULL), other = load(words, NULL, NULL);
  bool event;
  size_t size = 0;
  set(&u, F, 5);
  enter(&u, 2);
  NEAR(get(&u, LIFT), 5 - g, 1e-12);
  set(&u, F, 3);
  NEAR(get(&u, LIFT), 3 - g, 1e-12);
  leave(&u);
  enter(&other, 2);
  leave(&other);
  CHECK(step(&u, 0, 0.1, &event) == 0.1);
  set(&u, F, 8);
  CHECK(u.fmi3GetFMUState(u.instance, &u.saved) == fmi3OK); /* before the motion knows of it */
  CHECK(step(&u, 0.1, 0.2, &event) == 0.2);
  double y = get(&u, Y);
  NEAR(y, 1 - (g - 3) * 0.005 - (g - 3) * 0.01 - (g - 8) * 0.005, 1e-10);
  CHECK(u.fmi3SerializedFMUStateSize(u.instance, u.saved, &size) == fmi3OK);
  fmi3Byte *bytes = malloc(size);
  CHECK(u.fmi3SerializeFMUState(u.instance, u.saved, bytes, size) == fmi3OK);
  CHECK(other.fmi3DeserializeFMUState(other.instance, bytes, size, &other.saved) == fmi3OK);
  CHECK(other.fmi3SetFMUState(other.instance, other.saved) == fmi3OK);
  CHECK(get(&other, F) == 8);
  CHECK(step(&other, 0.1, 0.2, &event) == 0.2 && get(&other, Y) == y);
  CHECK(u.fmi3SetFMUState(u.instance, u.saved) == fmi3OK);
  CHECK(step(&u, 0.1, 0.2, &event) == 0.2 && get(&u, Y) == y);
  free(bytes);
  CHECK(u.fmi3Reset(u.instance) == fmi3OK);
  enter(&u, 2);
  CHECK(get(&u, F) == 0);
  leave(&u);
  CHECK(messages == 0);
  end(&u);
  end(&other);
}

/* A force that grows inside of a step, set at its intermediate points. */
static void between(fmi3InstanceEnvironment environment, double t, bool can_set, bool can_get,
                    bool done, bool can_return, bool *early, double *until) {
  const unit *u = environment;
  CHECK(can_set && can_get && done && can_return);
  set(u, F, 16 * t);
  *early = false;
  *until = t;
}

static void inside_of_steps(void) {
  unit u = {0};
  bool event;
  u = load(words, between, &u);
  enter(&u, 2);
  leave(&u);
  CHECK(step(&u, 0, 0.4, &event) == 0.4 && !event);
  double speed = -0.4 * g;
  for (int k = 0; k < 8; k++) {
    speed += 16 * 0.05 * k * 0.05;
  }
  NEAR(get(&u, SPEED), speed, 1e-10);
  CHECK(messages == 0);
  end(&u);
}

/* ---- derivatives ---- */

static void derivatives(void) {
  unit u = load(words, NULL, NULL);
  bool event;
  enter(&u, 2);
  NEAR(slope(&u, Y, H), 1, 1e-9);
  NEAR(slope(&u, LIFT, G), -1, 1e-9);
  NEAR(slope(&u, LIFT, F), 1, 1e-12);
  NEAR(slope(&u, Y, F), 0, 0);
  leave(&u);
  CHECK(step(&u, 0, 0.3, &event) == 0.3);
  NEAR(slope(&u, Y, G), -0.045, 1e-9);
  NEAR(slope(&u, SPEED, G), -0.3, 1e-9);
  double t = step(&u, 0.3, 0.6, &event);
  fmi3ValueReference of = Y, by = E;
  double one = 1, x;
  CHECK(event && messages == 0);
  CHECK(u.fmi3GetDirectionalDerivative(u.instance, &of, 1, &by, 1, &one, 1, &x, 1) == fmi3Error);
  CHECK(messages == 1); /* not before the event is treated */
  messages = 0;
  CHECK(u.fmi3EnterEventMode(u.instance) == fmi3OK);
  update(&u);
  CHECK(step(&u, t, 0.6, &event) == 0.6 && !event);
  NEAR(slope(&u, Y, E), g * hit * (0.6 - hit), 1e-8);
  fmi3ValueReference unknown[2] = {SPEED, LIFT}, known[3] = {E, F, G};
  double seed[3] = {2, 3, 1}, out[2];
  CHECK(u.fmi3GetDirectionalDerivative(u.instance, unknown, 2, known, 3, seed, 3, out, 2) ==
        fmi3OK);
  /* y' = e g t1 - g (t - t1), t1 = sqrt(2 h/g): by g it is (e + 1) t1/2 - t */
  NEAR(out[0], 2 * g * hit + 1.5 * hit / 2 - 0.6, 1e-8);
  NEAR(out[1], 3 - 1, 1e-8);
  for (t = 0.6; t < 2; t = step(&u, t, 2, &event)) {
    if (event) {
      CHECK(u.fmi3EnterEventMode(u.instance) == fmi3OK);
      update(&u);
    }
  }
  NEAR(slope(&u, FLOOR, F), -1, 1e-9); /* at rest */
  NEAR(slope(&u, LIFT, F), 0, 1e-9);
  CHECK(messages == 0);
  end(&u);
}

/* The floor cannot pull: a force that lifts the ball opens the contact before the motion goes on.
 */
static void lifted(void) {
  unit u = load(words, NULL, NULL);
  bool event = false;
  enter(&u, 2);
  leave(&u);
  for (double t = 0; t < 1.8; t = step(&u, t, 1.8, &event)) {
    if (event) {
      CHECK(u.fmi3EnterEventMode(u.instance) == fmi3OK);
      update(&u);
    }
  }
  NEAR(get(&u, FLOOR), g, 1e-9);
  set(&u, F, 20);
  CHECK(get(&u, FLOOR) == 0);
  NEAR(get(&u, LIFT), 20 - g, 1e-12);
  set(&u, F, 5);
  NEAR(get(&u, FLOOR), g - 5, 1e-12);
  set(&u, F, 20);
  double t = step(&u, 1.8, 1.9, &event);
  CHECK(event && t == 1.8 && get(&u, FLOOR) == 0);
  CHECK(u.fmi3EnterEventMode(u.instance) == fmi3OK);
  update(&u);
  CHECK(step(&u, t, 1.9, &event) == 1.9 && !event);
  NEAR(get(&u, Y), (20 - g) * 0.01 / 2, 1e-10);
  CHECK(messages == 0);
  end(&u);
}

static void wrong(void) {
  unit u = load(words, NULL, NULL);
  fmi3ValueReference f = F, y = Y, energy = KINETIC, none = 99, gravity = G;
  double one = 1, nan = NAN, x;
  bool event;
  CHECK(u.fmi3GetDirectionalDerivative(u.instance, &y, 1, &f, 1, &one, 1, &x, 1) == fmi3Error);
  CHECK(u.fmi3SetFloat64(u.instance, &f, 1, &nan, 1) == fmi3Error);
  enter(&u, 2);
  leave(&u);
  CHECK(step(&u, 0, 0.1, &event) == 0.1);
  messages = 0;
  CHECK(u.fmi3SetFloat64(u.instance, &f, 1, &nan, 1) == fmi3Error);
  CHECK(u.fmi3SetFloat64(u.instance, &y, 1, &one, 1) == fmi3Error);
  CHECK(u.fmi3SetFloat64(u.instance, &gravity, 1, &one, 1) == fmi3Error);
  CHECK(u.fmi3GetDirectionalDerivative(u.instance, &energy, 1, &f, 1, &one, 1, &x, 1) == fmi3Error);
  CHECK(u.fmi3GetDirectionalDerivative(u.instance, &none, 1, &f, 1, &one, 1, &x, 1) == fmi3Error);
  CHECK(u.fmi3GetDirectionalDerivative(u.instance, &y, 1, &y, 1, &one, 1, &x, 1) == fmi3Error);
  CHECK(u.fmi3GetDirectionalDerivative(u.instance, &y, 1, &f, 1, &nan, 1, &x, 1) == fmi3Error);
  CHECK(u.fmi3GetDirectionalDerivative(u.instance, &y, 1, &f, 1, &one, 2, &x, 1) == fmi3Error);
  CHECK(u.fmi3GetDirectionalDerivative(u.instance, NULL, 1, &f, 1, &one, 1, &x, 1) == fmi3Error);
  set(&u, F, 2);
  CHECK(step(&u, 0.1, 0.2, &event) == 0.2);
  CHECK(u.fmi3GetDirectionalDerivative(u.instance, &y, 1, &gravity, 1, &one, 1, &x, 1) ==
        fmi3Error);
  CHECK(messages == 10);
  NEAR(get(&u, Y), 1 - g * 0.02 + 2 * 0.005, 1e-10); /* nothing is lost */
  end(&u);
}

int main(int argc, char **argv) {
  if (argc != 4) {
    return 2;
  }
  words = argv + 1;
  pushed();
  states();
  inside_of_steps();
  derivatives();
  lifted();
  wrong();
  printf("%d passed, %d failed\n", passed, failed);
  return failed > 0;
}
