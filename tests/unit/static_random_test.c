// SPDX-License-Identifier: MIT
/* Random instants: the equations hold, the chain of the sets holds, and every other admissible
 * acceleration costs more (S2.2, S2.8, L.17 of the oracles). */
#include <stdint.h>

#include "static_support.h"

enum { N = 3, CONTACTS = 3, RUBS = 2, ROWS = CONTACTS + RUBS };

typedef struct scene {
  double M[N][N], h[N], J[ROWS][N], bound[RUBS], u[N];
} scene;

static double draw(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-52 - 1;
}

/* Contacts at zero; velocities of some of them, none, or such that nothing strikes. */
static scene draw_scene(uint64_t seed) {
  scene s = {0};
  uint64_t state = seed * 77777 + 1;
  double L[N][N] = {{0}};
  for (int i = 0; i < N; i++) {
    for (int j = 0; j <= i; j++) {
      L[i][j] = draw(&state) + (i == j ? 2 : 0);
    }
    s.h[i] = 5 * draw(&state);
  }
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      for (int k = 0; k < N; k++) {
        s.M[i][j] += L[i][k] * L[j][k];
      }
    }
  }
  for (int r = 0; r < ROWS; r++) {
    for (int i = 0; i < N; i++) {
      s.J[r][i] = seed % 7 == 3 && r == 1 ? 2 * s.J[0][i] : draw(&state); /* some depend */
    }
  }
  for (int r = 0; r < RUBS; r++) {
    s.bound[r] = 1 + draw(&state);
  }
  for (int i = 0; i < N && seed % 3 == 0; i++) {
    s.u[i] = draw(&state);
  }
  return s;
}

static double along(const scene *s, int row, const double *x) {
  return s->J[row][0] * x[0] + s->J[row][1] * x[1] + s->J[row][2] * x[2];
}

static bool strikes(const scene *s) {
  for (int r = 0; r < CONTACTS; r++) {
    if (along(s, r, s->u) < 0) {
      return true;
    }
  }
  return false;
}

static void write_text(const scene *s, char *text, size_t room) {
  static const char names[] = "xyz";
  int n = snprintf(text, room, "coordinates x, y, z\nkinetic T = ");
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      n += snprintf(text + n, room - (size_t)n, "%s0.5*(%.17g)*%c'*%c'", i + j == 0 ? "" : " + ",
                    s->M[i][j], names[i], names[j]);
    }
  }
  n += snprintf(text + n, room - (size_t)n, "\n");
  for (int i = 0; i < N; i++) {
    n += snprintf(text + n, room - (size_t)n, "force %c: %.17g\n", names[i], s->h[i]);
  }
  for (int r = 0; r < ROWS; r++) {
    const char *prime = r < CONTACTS ? "" : "'";
    n += snprintf(text + n, room - (size_t)n,
                  r < CONTACTS ? "constraint c%d: " : "friction f%d: slip ", r);
    for (int i = 0; i < N; i++) {
      n += snprintf(text + n, room - (size_t)n, "%s(%.17g)*%c%s", i == 0 ? "" : " + ", s->J[r][i],
                    names[i], prime);
    }
    n += r < CONTACTS
             ? snprintf(text + n, room - (size_t)n, " >= 0, restitution 0\n")
             : snprintf(text + n, room - (size_t)n, ", bound %.17g\n", s->bound[r - CONTACTS]);
  }
  snprintf(text + n, room - (size_t)n,
           "start x = 0, y = 0, z = 0, x' = %.17g, y' = %.17g, z' = %.17g\n", s->u[0], s->u[1],
           s->u[2]);
}

/* Gauss' function without its constant: 1/2 (a, M a) - (h, a) + Psi(a); infinite if forbidden. */
static double cost(const scene *s, const double *a) {
  double sum = 0;
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      sum += 0.5 * s->M[i][j] * a[i] * a[j];
    }
    sum -= s->h[i] * a[i];
  }
  for (int r = 0; r < CONTACTS; r++) {
    if (fabs(along(s, r, s->u)) < 1e-12 && along(s, r, a) < -1e-12) {
      return INFINITY;
    }
  }
  for (int r = CONTACTS; r < ROWS; r++) {
    double slip = along(s, r, s->u), y = along(s, r, a);
    sum += s->bound[r - CONTACTS] * (fabs(slip) < 1e-12 ? fabs(y) : slip > 0 ? y : -y);
  }
  return sum;
}

static void check_equations(const scene *s, const instant *x, uint64_t seed) {
  for (int i = 0; i < N; i++) {
    double rest = -s->h[i];
    for (int j = 0; j < N; j++) {
      rest += s->M[i][j] * accel(x, PAWL_RIGHT, 0, j);
    }
    for (int r = 0; r < ROWS; r++) {
      rest -= s->J[r][i] * force(x, 0, r);
    }
    CHECK_SEED(fabs(rest) <= 1e-9, seed);
  }
}

/* S2.2: every other admissible acceleration costs more. */
static void check_least(const scene *s, const instant *x, uint64_t seed) {
  uint64_t state = seed + 99;
  const double *best = pawl_gauss_accelerations(x->gauss, PAWL_RIGHT, 0);
  double least = cost(s, best), tried = 0;
  CHECK_SEED(isfinite(least), seed);
  for (int k = 0; k < 4000 && tried < 1000; k++) {
    double a[N], size = pow(10, -2 * fabs(draw(&state)));
    for (int i = 0; i < N; i++) {
      a[i] = best[i] + size * draw(&state);
    }
    double c = cost(s, a);
    tried += isfinite(c);
    CHECK_SEED(c > least, seed);
  }
}

static void least_of_all(void) {
  int looked = 0;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    scene s = draw_scene(seed);
    if (strikes(&s)) {
      continue;
    }
    char text[4000];
    write_text(&s, text, sizeof text);
    instant x = look_at(text, NULL, 0);
    if (CHECK_SEED(x.status == PAWL_OK && count(&x, PAWL_RIGHT) == 1, seed)) {
      check_equations(&s, &x, seed);
      check_least(&s, &x, seed);
      check_chain(&x);
      check_principles(&x);
      CHECK_SEED(count(&x, PAWL_LEFT) >= 0 && pawl_gauss_get(x.gauss, PAWL_LEFT).complete, seed);
    }
    looked++;
    forget(&x);
  }
  CHECK(looked > 100);
}

CHECK_MAIN({"least of all", least_of_all})
