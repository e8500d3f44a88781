// SPDX-License-Identifier: MIT
/* couple BALL.so RESOURCES TOKEN F Y LIFT FLOOR  RIDER.so RESOURCES TOKEN Y Z PULL  STEP: two units
 * with a spring between them, by FMI 3.0 with event mode. (Numbers are value references; both
 * objects may be the same.) In a step both inputs are held at the mean of its ends, found by
 * repeating the step from saved states; where the ball hits, the step ends for both. Prints a line
 * for each event, and the end. */
#include "unit3.h"

typedef struct pair {
  unit ball, rider;
  fmi3ValueReference force, y, lift, floor; /* of the ball */
  fmi3ValueReference foot, z, pull;         /* of the rider */
  double rise;                              /* of the force in the last step, per time */
} pair;

static const double stop = 2;

static void start(pair *p) {
  unit *both[2] = {&p->ball, &p->rider};
  for (int i = 0; i < 2; i++) {
    enter(both[i], stop);
  }
  set(&p->rider, p->foot, get(&p->ball, p->y));
  set(&p->ball, p->force, get(&p->rider, p->pull));
  NEAR(slope(&p->rider, p->pull, p->foot), -50, 1e-9); /* -k */
  NEAR(slope(&p->ball, p->lift, p->force), 1, 1e-12);  /* 1/m */
  for (int i = 0; i < 2; i++) {
    leave(both[i]);
  }
}

/* From t to at most `to`; the step is repeated until the force at its end stays. It is guessed at
 * first as if it rose as before, so that a ball that was just let go is not held again. */
static double go(pair *p, double t, double to, bool *event) {
  double first = get(&p->rider, p->pull), last = first + p->rise * (to - t), before = NAN;
  double y0 = get(&p->ball, p->y);
  bool none;
  CHECK(p->ball.fmi3GetFMUState(p->ball.instance, &p->ball.saved) == fmi3OK);
  CHECK(p->rider.fmi3GetFMUState(p->rider.instance, &p->rider.saved) == fmi3OK);
  double reached = to;
  for (int k = 0; k < 30 && !(fabs(last - before) <= 1e-11 * (1 + fabs(last))); k++) {
    if (k > 0) {
      CHECK(p->ball.fmi3SetFMUState(p->ball.instance, p->ball.saved) == fmi3OK);
      CHECK(p->rider.fmi3SetFMUState(p->rider.instance, p->rider.saved) == fmi3OK);
    }
    set(&p->ball, p->force, (first + last) / 2);
    reached = step(&p->ball, t, to, event);
    if (reached == t) {
      return t; /* the new force lets the ball go at once */
    }
    double y = get(&p->ball, p->y);
    set(&p->rider, p->foot, (y0 + y) / 2);
    CHECK(step(&p->rider, t, reached, &none) == reached && !none);
    set(&p->rider, p->foot, y);
    before = last;
    last = get(&p->rider, p->pull);
  }
  NEAR(last, before, 1e-10 * (1 + fabs(last)));
  p->rise = (last - first) / (reached - t);
  return reached;
}

static void run(pair *p, double size) {
  start(p);
  for (double t = 0, to = size; t < stop; to = fmin(to + size * (to <= t), stop)) {
    bool event = false;
    t = go(p, t, to, &event);
    if (event) {
      printf("event %.17g\n", t);
      CHECK(p->ball.fmi3EnterEventMode(p->ball.instance) == fmi3OK);
      update(&p->ball);
    }
  }
  double load = get(&p->ball, p->floor);
  CHECK(load >= 0);
  NEAR(slope(&p->ball, p->floor, p->force), load > 0 ? -1 : 0, 1e-9); /* it rests, or flies */
  printf("end %.17g %.17g\n", get(&p->ball, p->y), get(&p->rider, p->z));
  end(&p->ball);
  end(&p->rider);
}

int main(int argc, char **argv) {
  if (argc != 15) {
    return 2;
  }
  pair p = {.ball = load(argv + 1, NULL, NULL),
            .rider = load(argv + 8, NULL, NULL),
            .force = number(argv[4]),
            .y = number(argv[5]),
            .lift = number(argv[6]),
            .floor = number(argv[7]),
            .foot = number(argv[11]),
            .z = number(argv[12]),
            .pull = number(argv[13])};
  run(&p, strtod(argv[14], NULL));
  CHECK(messages == 0);
  printf("%d passed, %d failed\n", passed, failed);
  return failed > 0;
}
