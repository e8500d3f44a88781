// SPDX-License-Identifier: MIT
/* Impacts with Coulomb friction against their modes written out, and their energy (theory, section
 * 19); the return map of the woodpecker toy. */
#include <math.h>
#include <stdbool.h>

#include "linalg_random.h"
#include "sim_support.h"

enum { N = 3 };

typedef struct strike { /* one contact with normal n and slip t */
  double M[N][N], n[N], t[N], u[N];
  double mu, e, eT;
} strike;

static strike draw(uint64_t *seed) {
  strike s = {0};
  double L[N][N];
  random_fill(&L[0][0], N * N, seed);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      for (int k = 0; k < N; k++) {
        s.M[i][j] += L[i][k] * L[j][k] + (i == j ? 0.05 : 0);
      }
    }
  }
  random_fill(s.n, N, seed);
  random_fill(s.t, N, seed);
  random_fill(s.u, N, seed);
  s.mu = 1 + random_real(seed);
  s.e = (1 + random_real(seed)) / 2;
  return s;
}

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double kinetic(const strike *s, const double *u) {
  double Mu[N] = {dot(s->M[0], u), dot(s->M[1], u), dot(s->M[2], u)};
  return dot(u, Mu) / 2;
}

/* x = M^-1 b by Cramer's rule. */
static void divide(const strike *s, const double *b, double *x) {
  const double(*M)[N] = s->M;
  double C[N][N];
  for (int i = 0; i < N; i++) {
    int p = (i + 1) % N, q = (i + 2) % N;
    for (int j = 0; j < N; j++) {
      int r = (j + 1) % N, w = (j + 2) % N;
      C[i][j] = M[p][r] * M[q][w] - M[p][w] * M[q][r];
    }
  }
  double det = dot(M[0], C[0]);
  for (int i = 0; i < N; i++) {
    x[i] = (C[0][i] * b[0] + C[1][i] * b[1] + C[2][i] * b[2]) / det;
  }
}

typedef struct modes { /* what the law allows: impulses (normal, tangent) of each mode */
  int count;
  double impulse[3][2], margin;
} modes;

/* Sticks, or slides with one of two signs of xi_T = slip+ + eT slip-. */
static modes write_out(const strike *s, double D[3]) {
  double Mn[N], Mt[N];
  divide(s, s->n, Mn);
  divide(s, s->t, Mt);
  D[0] = dot(s->n, Mn);
  D[1] = dot(s->n, Mt);
  D[2] = dot(s->t, Mt);
  double bn = (1 + s->e) * dot(s->n, s->u), bt = (1 + s->eT) * dot(s->t, s->u);
  double det = D[0] * D[2] - D[1] * D[1];
  double n = (-bn * D[2] + bt * D[1]) / det, t = (-bt * D[0] + bn * D[1]) / det;
  modes m = {.margin = fabs(s->mu * n - fabs(t))};
  if (n >= 0 && fabs(t) <= s->mu * n) {
    m.impulse[m.count][0] = n;
    m.impulse[m.count++][1] = t;
  }
  for (int sign = -1; sign <= 1; sign += 2) {
    double slope = D[0] - sign * s->mu * D[1], p = -bn / slope;
    double xi = bt + (D[1] - sign * s->mu * D[2]) * p;
    m.margin = fmin(m.margin, fmin(fabs(slope), fabs(xi)));
    if (p >= 0 && xi * sign > 0) {
      m.impulse[m.count][0] = p;
      m.impulse[m.count++][1] = -sign * s->mu * p;
    }
  }
  return m;
}

static fixture strike_text(const strike *s) {
  char text[1500];
  int at = snprintf(text, sizeof text, "coordinates q[1..3]\nkinetic T = 0");
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      at += snprintf(text + at, sizeof text - (size_t)at, " + 0.5*(%.17g)*q[%d]'*q[%d]'",
                     s->M[i][j], i + 1, j + 1);
    }
  }
  snprintf(text + at, sizeof text - (size_t)at,
           "\nconstraint c: (%.17g)*q[1] + (%.17g)*q[2] + (%.17g)*q[3] >= 0, restitution %.17g\n"
           "friction f: slip (%.17g)*q[1]' + (%.17g)*q[2]' + (%.17g)*q[3]', mu %.17g on c, "
           "restitution %.17g\n"
           "start q = 0, q[1]' = %.17g, q[2]' = %.17g, q[3]' = %.17g\nrun 0..1e-3\n",
           s->n[0], s->n[1], s->n[2], s->e, s->t[0], s->t[1], s->t[2], s->mu, s->eT, s->u[0],
           s->u[1], s->u[2]);
  return make_with(text, &(pawl_sim_opts){.start_impact = 1});
}

/* Checks the first impact; returns the energy it gave, in parts of the energy before. */
static double look_at(const strike *s, const modes *m, uint64_t seed) {
  fixture f = strike_text(s);
  double after[N];
  CHECK(f.status == PAWL_OK && advance(&f, 1) == PAWL_AT_EVENT);
  pawl_event e = pawl_sim_event(f.sim, 0);
  pawl_point p = point(&f);
  double kick[N], size = sqrt(2 * kinetic(s, s->u));
  for (int i = 0; i < N; i++) {
    kick[i] = m->impulse[0][0] * s->n[i] + m->impulse[0][1] * s->t[i];
  }
  divide(s, kick, after);
  CHECK_NEAR(e.impulse[0], m->impulse[0][0], 1e-9 * (1 + m->impulse[0][0]));
  for (int i = 0; i < N; i++) {
    if (!CHECK_NEAR(p.u[i], s->u[i] + after[i], 1e-9 * (1 + size))) {
      printf("  seed %llu\n", (unsigned long long)seed);
    }
  }
  double gain = (kinetic(s, p.u) - kinetic(s, s->u)) / kinetic(s, s->u);
  bool flagged = e.flag != NULL && strcmp(e.flag, "ENERGY_INCREASE") == 0;
  CHECK(flagged == (gain > 1e-9) || fabs(gain) <= 1e-9);
  unmake(&f);
  return gain;
}

/* L.9: with eT = e no impact gains energy; without tangential restitution a few do. */
static void energy_of_impacts_with_friction(void) {
  int tried = 0, gained = 0;
  for (uint64_t k = 1; k <= 3000 && tried < 400; k++) {
    uint64_t seed = k;
    double D[3];
    strike s = draw(&seed);
    if (dot(s.n, s.u) > -0.05) {
      continue;
    }
    for (int equal = 0; equal < 2; equal++) {
      s.eT = equal ? s.e : 0;
      modes m = write_out(&s, D);
      if (m.count != 1 || m.margin < 1e-3) {
        continue;
      }
      double gain = look_at(&s, &m, k);
      CHECK(!equal || gain <= 1e-12);
      tried += !equal;
      gained += !equal && gain > 1e-9;
    }
  }
  CHECK(tried == 400);
  CHECK(gained > tried / 100 && gained < tried / 5); /* how many depends on what is drawn */
}

/* C5: from one impact of the beak to the next. The toy comes to its periodic orbit, each deviation
 * -0.83916 times the one before. */
static void woodpecker_returns(void) {
  fixture f =
      make("coordinates y, pM, pS\n"
           "let yS = y + 0.01*pM + 0.015*pS\n"
           "kinetic T = 1.5e-4*y'^2 + 2.5e-9*pM'^2 + 2.25e-3*yS'^2 + 3.5e-7*pS'^2\n"
           "potential V = 9.81*(3e-4*y + 4.5e-3*yS) + 2.8e-3*(pM - pS)^2\n"
           "constraint beak: 0.0024 - 0.02*pS >= 0, restitution 0.5\n"
           "constraint lower: 0.0006 + 0.0058*pM >= 0, restitution 0\n"
           "constraint upper: 0.0006 - 0.0058*pM >= 0, restitution 0\n"
           "friction fbeak: slip y' + 0.01*pM' - 0.0051*pS', mu 0.3 on beak\n"
           "friction flower: slip y' + 0.0031*pM', mu 0.3 on lower\n"
           "friction fupper: slip y' + 0.0031*pM', mu 0.3 on upper\n"
           "start y = 0, pM = -0.000107, pS = 0.00312, y' = -0.3505, pM' = 31.81, pS' = 14.44\n"
           "run 0..8\n",
           1e-12);
  double t[54], y[54];
  int n = 0;
  while (n < 54 && advance(&f, 8) == PAWL_AT_EVENT) {
    for (int i = 0; i < pawl_sim_events(f.sim); i++) {
      pawl_event e = pawl_sim_event(f.sim, i);
      if (strcmp(e.at, "beak") == 0 && strcmp(e.kind, "impact") == 0) {
        t[n] = e.t;
        y[n++] = point(&f).q[0];
      }
    }
  }
  if (CHECK(n == 54)) {
    double last = t[n - 1] - t[n - 2], before = t[n - 2] - t[n - 3], first = t[n - 3] - t[n - 4];
    double ratio = (last - before) / (before - first);
    CHECK_NEAR(ratio, -0.83916, 1e-5);
    CHECK_NEAR(last + (last - before) * ratio / (1 - ratio), 0.145976065144, 1e-11);
    CHECK_NEAR(y[n - 2] - y[n - 1], 0.019445379285, 1e-8);
  }
  unmake(&f);
}

CHECK_MAIN({"energy of impacts with friction", energy_of_impacts_with_friction},
           {"woodpecker returns", woodpecker_returns})
