// SPDX-License-Identifier: MIT
/* Which laws stay closed: against enumeration for random problems, and where force and acceleration
 * vanish together up to some order. */
#include "linalg_random.h"
#include "sim/sim_state.h"
#include "sim_support.h"

enum { N = 3, MOST = 4 };

/* M a = h + sum of lambda_i J_i over the rows in `set`, J_i a = 0 there, by elimination. */
typedef struct gauss {
  double M[N][N], h[N], J[MOST][N];
  int rows;
} gauss;

static bool solve(int n, double A[][N + MOST + 1]) {
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++) {
      p = fabs(A[i][k]) > fabs(A[p][k]) ? i : p;
    }
    if (fabs(A[p][k]) < 1e-9) {
      return false;
    }
    for (int j = 0; j <= n; j++) {
      double swap = A[k][j];
      A[k][j] = A[p][j];
      A[p][j] = swap;
    }
    for (int i = 0; i < n; i++) {
      double f = i == k ? 0 : A[i][k] / A[k][k];
      for (int j = k; j <= n; j++) {
        A[i][j] -= f * A[k][j];
      }
    }
  }
  for (int k = 0; k < n; k++) {
    A[k][n] /= A[k][k];
  }
  return true;
}

/* True if the rows in `set` may be the closed ones; *margin: how clearly. */
static bool admissible(const gauss *g, int set, double *lambda, double *margin) {
  double A[N + MOST][N + MOST + 1] = {{0}};
  int row[MOST], k = 0;
  for (int i = 0; i < g->rows; i++) {
    if ((set >> i & 1) != 0) {
      row[k++] = i;
    }
  }
  for (int i = 0; i < N; i++) {
    memcpy(A[i], g->M[i], sizeof g->M[i]);
    for (int j = 0; j < k; j++) {
      A[i][N + j] = -g->J[row[j]][i];
      A[N + j][i] = g->J[row[j]][i];
    }
    A[i][N + k] = g->h[i];
  }
  if (!solve(N + k, A)) {
    return false;
  }
  *margin = 1;
  memset(lambda, 0, MOST * sizeof *lambda);
  for (int j = 0; j < k; j++) {
    lambda[row[j]] = A[N + j][N + k];
    *margin = fmin(*margin, A[N + j][N + k]);
  }
  for (int i = 0; i < g->rows; i++) {
    double y = 0;
    for (int j = 0; j < N; j++) {
      y += g->J[i][j] * A[j][N + k];
    }
    *margin = (set >> i & 1) == 0 ? fmin(*margin, y) : *margin;
  }
  return *margin > 0;
}

static void draw(gauss *g, uint64_t *seed) {
  double B[N][N];
  random_fill(&B[0][0], N * N, seed);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      g->M[i][j] = i == j ? 0.3 : 0;
      for (int k = 0; k < N; k++) {
        g->M[i][j] += B[k][i] * B[k][j];
      }
    }
    g->h[i] = 3 * random_real(seed);
  }
  random_fill(&g->J[0][0], MOST * N, seed);
}

/* kind[i] != 0: row i is a one-sided velocity, else a contact. */
static void write_model(const gauss *g, const int *kind, char *text, size_t size) {
  int at = snprintf(text, size, "coordinates q[1..3]\nkinetic T = 0");
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      at += snprintf(text + at, size - (size_t)at, " + 1/2*(%.17g)*q[%d]'*q[%d]'", g->M[i][j],
                     i + 1, j + 1);
    }
  }
  for (int i = 0; i < N; i++) {
    at += snprintf(text + at, size - (size_t)at, "\nforce q[%d]: %.17g", i + 1, g->h[i]);
  }
  for (int r = 0; r < g->rows; r++) {
    const char *prime = kind[r] != 0 ? "'" : "";
    at += snprintf(text + at, size - (size_t)at,
                   "\nconstraint c%d: (%.17g)*q[1]%s + (%.17g)*q[2]%s + (%.17g)*q[3]%s >= 0%s", r,
                   g->J[r][0], prime, g->J[r][1], prime, g->J[r][2], prime,
                   kind[r] != 0 ? "" : ", restitution 0");
  }
  snprintf(text + at, size - (size_t)at, "\nstart q = 0, q' = 0\nrun 0..1\n");
}

static void modes_agree_with_enumeration(void) {
  uint64_t seed = 5;
  int compared = 0;
  for (int trial = 0; trial < 400; trial++) {
    gauss g;
    int kind[MOST];
    char text[3000];
    draw(&g, &seed);
    g.rows = 1 + trial % MOST;
    for (int r = 0; r < MOST; r++) {
      kind[r] = random_real(&seed) > 0;
    }
    write_model(&g, kind, text, sizeof text);
    fixture f = make(text, 0);
    int found = 0, set = 0;
    double lambda[MOST], best[MOST] = {0}, margin;
    for (int s = 0; s < 1 << g.rows; s++) {
      if (admissible(&g, s, lambda, &margin) && margin > 1e-6) {
        found++;
        set = s;
        memcpy(best, lambda, sizeof best);
      }
    }
    if (found == 1) { /* unique, unless four rows in three dimensions press together */
      compared++;
      pawl_point p = point(&f);
      for (int r = 0; r < g.rows; r++) {
        CHECK_SEED((f.sim->contacts.mode[r] != PW_OPEN) == ((set >> r & 1) != 0), trial);
        CHECK_NEAR(p.force[r], best[r], 1e-9 * (1 + best[r]));
      }
    }
    unmake(&f);
  }
  CHECK(compared > 300);
}

/* L.3: lambda vanishes at the start with its first k - 1 derivatives. */
static void degenerate_zeros_are_decided_by_derivatives(void) {
  for (int k = 0; k <= 4; k++) {
    for (int sign = -1; sign <= 1; sign += 2) {
      for (int scale = 0; scale < 3; scale++) { /* units must not matter */
        double c = sign * pow(1e-3, scale);
        char text[400];
        snprintf(text, sizeof text,
                 "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\nforce y: 1 + (%.17g)*t^%d\n"
                 "constraint f: y' - x*x' >= 0\nstart x = 0.3, y = 0, x' = 1, y' = 0.3\nrun 0..1\n",
                 c, k);
        fixture f = make(text, 1e-10);
        CHECK_INT(f.sim->contacts.mode[0], sign > 0 ? PW_OPEN : PW_CLOSED);
        CHECK(!f.sim->contacts.modes.indifferent);
        CHECK(advance(&f, 0.5) == PAWL_AT_TARGET);
        pawl_point p = point(&f);
        double value = p.u[1] - p.q[0] * p.u[0];
        CHECK_NEAR(value, sign > 0 ? c * pow(0.5, k + 1) / (k + 1) : 0, 1e-9);
        unmake(&f);
      }
    }
  }
}

/* f = 0 along the free motion: nothing decides, the reaction is zero. */
static void indifferent_rows_open(void) {
  fixture f = make("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\nforce y: 1\n"
                   "constraint f: y' - x*x' >= 0\nstart x = 0.3, y = 0, x' = 1, y' = 0.3\n"
                   "run 0..1\n",
                   1e-10);
  CHECK_INT(f.sim->contacts.mode[0], PW_OPEN);
  CHECK(f.sim->contacts.modes.indifferent);
  finish(&f);
  CHECK_NEAR(point(&f).q[0], 1.3, 1e-12);
  unmake(&f);
}

/* Two contacts undecided at first: the derivative closes one and opens the other. */
static void derivatives_decide_together(void) {
  fixture f = make("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2) + 1/2*x'*y'\n"
                   "force x: -2*t\nforce y: t\n"
                   "constraint a: x >= 0, restitution 0\nconstraint b: y >= 0, restitution 0\n"
                   "start x = 0, y = 0, x' = 0, y' = 0\nrun 0..1\n",
                   1e-12);
  CHECK_INT(f.sim->contacts.mode[0], PW_CLOSED);
  CHECK_INT(f.sim->contacts.mode[1], PW_OPEN);
  CHECK_INT(finish(&f), 0);
  pawl_point p = point(&f);
  CHECK_NEAR(p.q[0], 0, 1e-14);
  CHECK_NEAR(p.q[1], 1.0 / 6, 1e-11); /* y'' = t with x held */
  CHECK_NEAR(p.force[0], 2 + 0.5, 1e-11);
  unmake(&f);
}

/* The load ends at t = 1 and the floor stays closed without a force; when something else happens at
 * t = 2 nothing says whether it is still there. */
static void indifferent_rows_are_flagged(void) {
  fixture f = make("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
                   "force y: if(t < 1, -1, 0)\nconstraint floor: y >= 0, restitution 0\n"
                   "constraint wall: x >= 0, restitution 1\n"
                   "start x = 2, x' = -1, y = 0, y' = 0\nrun 0..3\n",
                   1e-10);
  CHECK(pawl_sim_closed(f.sim, 0) == 1 && pawl_sim_indifferent(f.sim, 0) == 0);
  CHECK(advance(&f, 3) == PAWL_AT_EVENT && pawl_sim_events(f.sim) == 2);
  pawl_event hit = pawl_sim_event(f.sim, 0), off = pawl_sim_event(f.sim, 1);
  CHECK_STR(hit.kind, "impact");
  CHECK(hit.flag == NULL);
  CHECK_STR(off.kind, "liftoff");
  CHECK_STR(off.at, "floor");
  CHECK_STR(off.flag, "INDIFFERENT");
  CHECK(pawl_sim_closed(f.sim, 0) == 0 && pawl_sim_indifferent(f.sim, 0) == 1);
  CHECK(pawl_sim_indifferent(f.sim, 1) == 0 && pawl_sim_indifferent(f.sim, 7) == 0);
  unmake(&f);
}

CHECK_MAIN({"modes_agree_with_enumeration", modes_agree_with_enumeration},
           {"degenerate_zeros_are_decided_by_derivatives",
            degenerate_zeros_are_decided_by_derivatives},
           {"indifferent_rows_open", indifferent_rows_open},
           {"indifferent_rows_are_flagged", indifferent_rows_are_flagged},
           {"derivatives_decide_together", derivatives_decide_together})
