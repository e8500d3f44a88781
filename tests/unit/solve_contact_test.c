// SPDX-License-Identifier: MIT
/* One contact alone: every solution, against scans over the slip direction and against modes. */
#include "check.h"

#include <stdlib.h>

#include "solve/contact_exact.h"
#include "unit/solve_support.h"

static const double pi = 3.14159265358979323846;

/* A = J J^T, positive definite. */
static void random_block(uint64_t *s, int dim, double *A) {
  double J[9];
  random_fill(J, 9, s);
  memset(A, 0, 9 * sizeof *A);
  for (int i = 0; i < dim; i++) {
    for (int j = 0; j < dim; j++) {
      A[3 * i + j] = pw_dot(J + 3 * i, J + 3 * j, 3) + (i == j ? 0.05 : 0);
    }
  }
}

static void apply(const double *A, const double *b, const double *r, double *u) {
  for (int i = 0; i < 3; i++) {
    u[i] = b[i] + A[3 * i] * r[0] + A[3 * i + 1] * r[1] + A[3 * i + 2] * r[2];
  }
}

/* How far r is from the law, by its cases and not by projections. */
static double law_error(double mu, const double *A, const double *b, const double *r) {
  double u[3], force = hypot(r[1], r[2]);
  apply(A, b, r, u);
  double slip = hypot(u[1], u[2]);
  double error = fmax(fmax(-r[0], force - mu * r[0]), fmax(-u[0], fabs(r[0] * u[0])));
  /* maximal dissipation: r_T.u_T = -mu r_N |u_T| */
  return fmax(error, fabs(r[1] * u[1] + r[2] * u[2] + mu * r[0] * slip));
}

/* Scans slip directions: sign changes of cross(u_T, d) where the slip is admissible. Also the least
 * margin by which a candidate was kept or dropped, to leave out undecided ones. */
static int count_by_scan(double mu, const double *A, const double *b, double *margin) {
  enum { STEPS = 20000 };
  int count = b[0] > 0;
  double last = 0, r[3], u[3];
  *margin = fabs(b[0]);
  for (int k = 0; k <= STEPS; k++) {
    double t = 2 * pi * k / STEPS, c = cos(t), s = sin(t), v = A[0] + mu * (A[1] * c + A[2] * s);
    r[0] = -b[0] / v;
    r[1] = mu * r[0] * c;
    r[2] = mu * r[0] * s;
    apply(A, b, r, u);
    double cross = (u[1] * s - u[2] * c) * v, along = u[1] * c + u[2] * s;
    if (k > 0 && (cross > 0) != (last > 0)) {
      *margin = fmin(*margin, fmin(fabs(v), fabs(along)));
      count += r[0] > 0 && along < 0;
    }
    *margin = fmin(*margin, k > 0 && (cross > 0) == (last > 0) ? 1e3 * fabs(cross) : 1);
    last = cross;
  }
  return count;
}

/* Stick by Cramer's rule; margin as above. */
static bool sticks(double mu, const double *A, const double *b, double *margin) {
  double r[3], det = 0;
  for (int j = 0; j < 3; j++) {
    int k = (j + 1) % 3, l = (j + 2) % 3;
    det += A[j] * (A[3 + k] * A[6 + l] - A[3 + l] * A[6 + k]);
  }
  for (int c = 0; c < 3; c++) {
    double B[9], d = 0;
    memcpy(B, A, sizeof B);
    for (int i = 0; i < 3; i++) {
      B[3 * i + c] = -b[i];
    }
    for (int j = 0; j < 3; j++) {
      int k = (j + 1) % 3, l = (j + 2) % 3;
      d += B[j] * (B[3 + k] * B[6 + l] - B[3 + l] * B[6 + k]);
    }
    r[c] = d / det;
  }
  double room = mu * r[0] - hypot(r[1], r[2]);
  *margin = fmin(*margin, fabs(room));
  return room > 0;
}

static void finds_all_solutions_in_space(void) {
  int three[2] = {0, 0}, tried = 0;
  for (uint64_t seed = 1; seed <= 1500; seed++) {
    uint64_t s = seed;
    double A[9], b[3], mu = 0.05 + 1.95 * fabs(random_real(&s)), margin, margin2 = 1;
    pw_contact_solution all[PW_EXACT_MOST];
    random_block(&s, 3, A);
    random_fill(b, 3, &s);
    pw_contact c = {PW_CONTACT, 3, mu};
    int found = pw_contact_exact(&c, A, b, all);
    for (int k = 0; k < found; k++) {
      CHECK_SEED(all[k].residual <= 1e-11, seed);
      CHECK_SEED(law_error(mu, A, b, all[k].r) <= 1e-9 * (1 + pow(pw_norm2(all[k].r, 3), 2)), seed);
    }
    CHECK_SEED(found == 1 || found == 3, seed);
    int expected = count_by_scan(mu, A, b, &margin) + sticks(mu, A, b, &margin2);
    if (margin > 1e-4 && margin2 > 1e-4) {
      tried++;
      CHECK_SEED(found == expected, seed);
    }
    three[b[0] > 0] += found == 3;
  }
  CHECK(tried > 500);
  CHECK(three[0] > 0 && three[1] > 0); /* both signs of the free normal velocity */
}

static void units_do_not_matter(void) {
  for (uint64_t seed = 1; seed <= 300; seed++) {
    uint64_t s = seed;
    double A[9], b[3], B[9], d[3];
    pw_contact_solution x[PW_EXACT_MOST], y[PW_EXACT_MOST];
    pw_contact c = {PW_CONTACT, 3, 1.3};
    random_block(&s, 3, A);
    random_fill(b, 3, &s);
    for (int i = 0; i < 9; i++) {
      B[i] = A[i] * 1e-9;
    }
    for (int i = 0; i < 3; i++) {
      d[i] = b[i] * 1e5;
    }
    int n = pw_contact_exact(&c, A, b, x), m = pw_contact_exact(&c, B, d, y);
    CHECK_SEED(n == m, seed);
    for (int k = 0; k < n && n == m; k++) {
      CHECK_SEED(x[k].mode == y[k].mode, seed);
      for (int i = 0; i < 3; i++) {
        CHECK_NEAR(y[k].r[i] * 1e-14, x[k].r[i], 1e-9 * (1 + pw_norm2(x[k].r, 3)));
      }
    }
  }
}

/* Open, stick and two slips, each written out. */
static int planar_modes(double mu, const double *A, const double *b, double *margin) {
  double det = A[0] * A[4] - A[1] * A[3];
  double n = (-b[0] * A[4] + b[1] * A[1]) / det, t = (-b[1] * A[0] + b[0] * A[3]) / det;
  int count = (b[0] > 0) + (fabs(t) < mu * n);
  *margin = fmin(fabs(b[0]), fabs(fabs(t) - mu * n));
  for (int d = -1; d <= 1; d += 2) {
    double r = -b[0] / (A[0] + mu * d * A[1]), u = b[1] + (A[3] + mu * d * A[4]) * r;
    count += r > 0 && u * d < 0;
    *margin = fmin(*margin, fmin(fabs(u), fabs(r)));
  }
  return count;
}

static void finds_all_solutions_in_the_plane(void) {
  int counts[5] = {0};
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    uint64_t s = seed;
    double A[9], b[3] = {0}, mu = 3 * fabs(random_real(&s)), margin;
    pw_contact_solution all[PW_EXACT_MOST];
    pw_contact c = {PW_CONTACT, 2, mu};
    random_block(&s, 2, A);
    random_fill(b, 2, &s);
    int found = pw_contact_exact(&c, A, b, all), expected = planar_modes(mu, A, b, &margin);
    CHECK_SEED(margin < 1e-8 || found == expected, seed);
    CHECK_SEED(b[0] > 0 || found == 1, seed); /* approaching: always one */
    for (int k = 0; k < found; k++) {
      CHECK_SEED(law_error(mu, A, b, all[k].r) <= 1e-9 * (1 + pow(pw_norm2(all[k].r, 3), 2)), seed);
    }
    counts[found]++;
  }
  CHECK(counts[1] > 0 && counts[3] > 0);
}

/* With a positive definite A the force of a disk is the minimiser of r.A r / 2 + b.r. */
static void disk_minimises(void) {
  int inside = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    uint64_t s = seed;
    double A[9], b[3] = {0}, a = 2 * fabs(random_real(&s)), best = INFINITY;
    pw_contact_solution all[PW_EXACT_MOST];
    pw_contact c = {PW_BALL, 2, a};
    random_block(&s, 2, A);
    random_fill(b, 2, &s);
    CHECK_SEED(pw_contact_exact(&c, A, b, all) == 1, seed);
    const double *r = all[0].r;
    double value = 0.5 * (A[0] * r[0] * r[0] + 2 * A[1] * r[0] * r[1] + A[4] * r[1] * r[1]) +
                   b[0] * r[0] + b[1] * r[1];
    for (int k = 0; k < 2000; k++) {
      double t = 2 * pi * (k % 200) / 200, f = a * (k / 200 + 1) / 10, x = f * cos(t),
             y = f * sin(t);
      best =
          fmin(best, 0.5 * (A[0] * x * x + 2 * A[1] * x * y + A[4] * y * y) + b[0] * x + b[1] * y);
    }
    CHECK_SEED(value <= best + 1e-12 && hypot(r[0], r[1]) <= a * (1 + 1e-12), seed);
    CHECK_SEED(all[0].residual <= 1e-11, seed);
    inside += all[0].mode == PW_CONTACT_STICK;
  }
  CHECK(inside > 30 && inside < 270);
}

static void roots_on_the_circle(void) {
  for (uint64_t seed = 1; seed <= 500; seed++) {
    /* a product of two lines: roots where either vanishes */
    uint64_t s = seed;
    double t1 = 3 * random_real(&s), t2 = 3 * random_real(&s), h = random_real(&s), angle[32];
    double k[5]; /* (n1.d) (n2.d - h) */
    double n1[2] = {-sin(t1), cos(t1)}, n2[2] = {cos(t2), sin(t2)};
    k[0] = -h * n1[0];
    k[1] = -h * n1[1];
    k[2] = n1[0] * n2[0];
    k[3] = n1[0] * n2[1] + n1[1] * n2[0];
    k[4] = n1[1] * n2[1];
    double root[4] = {t1, t1 + pi, t2 + acos(h), t2 - acos(h)};
    int count = pw_circle_roots(k, angle);
    for (int i = 0; i < 4; i++) {
      double nearest = 1;
      for (int j = 0; j < count; j++) {
        nearest = fmin(nearest, fabs(sin(0.5 * (angle[j] - root[i]))));
      }
      CHECK_SEED(nearest <= 1e-7, seed); /* two roots may be close to each other */
    }
    for (int j = 0; j < count; j++) {
      CHECK_SEED(fabs(pw_circle_value(k, cos(angle[j]), sin(angle[j]))) <= 1e-13, seed);
    }
  }
}

static void double_roots_are_listed(void) {
  for (int i = 0; i < 32; i++) { /* 1 - n.d, as c c + s s - n.d, touches zero */
    double t = i * pi / 16, k[5] = {-cos(t), -sin(t), 1, 0, 1}, angle[32], nearest = 1;
    int count = pw_circle_roots(k, angle);
    for (int j = 0; j < count; j++) {
      nearest = fmin(nearest, fabs(sin(0.5 * (angle[j] - t))));
    }
    CHECK(nearest < 1e-6);
  }
  double angle[32], none[5] = {0.1, 0, 1, 0, 1}, zero[5] = {0};
  CHECK_INT(pw_circle_roots(none, angle), 0);
  CHECK_INT(pw_circle_roots(zero, angle), 0);
}

static void special_contacts(void) {
  pw_contact_solution all[PW_EXACT_MOST];
  double A[9] = {2, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-4, 1, 0};
  pw_contact smooth = {PW_CONTACT, 3, 0}, one = {PW_CONTACT, 1, 5}, tie = {PW_BALL, 3, INFINITY};
  CHECK_INT(pw_contact_exact(&smooth, A, b, all), 1);
  CHECK_NEAR(all[0].r[0], 2, 1e-15);
  CHECK_NEAR(all[0].r[1], 0, 0);
  CHECK_NEAR(all[0].u[1], 1, 1e-15);
  CHECK_INT(pw_contact_exact(&tie, A, b, all), 1);
  CHECK_NEAR(all[0].r[1], -1, 1e-15);
  double A1[9] = {2}, b1[3] = {-1};
  CHECK_INT(pw_contact_exact(&one, A1, b1, all), 1);
  CHECK_NEAR(all[0].r[0], 0.5, 1e-15);
  b1[0] = 1;
  CHECK_INT(pw_contact_exact(&one, A1, b1, all), 1);
  CHECK(all[0].mode == PW_CONTACT_OPEN);
  double nothing[3] = {0, 0, 0};
  pw_contact rough = {PW_CONTACT, 3, 0.5};
  CHECK_INT(pw_contact_exact(&rough, A, nothing, all), 1);
  CHECK_NEAR(all[0].r[0], 0, 0);
  b[1] = (double)NAN;
  CHECK_INT(pw_contact_exact(&rough, A, b, all), 0);
}

static void nothing_moves_the_contact(void) {
  pw_contact_solution all[PW_EXACT_MOST];
  double A[9] = {0}, b[3] = {-1, 0, 0};
  pw_contact c = {PW_CONTACT, 3, 0.5};
  CHECK_INT(pw_contact_exact(&c, A, b, all), 0);  /* approaching, and no force changes it */
  double flat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0};   /* no mobility along the second tangent */
  CHECK(pw_contact_exact(&c, flat, b, all) >= 1); /* any force along it within the cone */
  CHECK_NEAR(all[0].r[0], 1, 1e-14);
  b[2] = 0.1; /* slides along it, whatever the force */
  int found = pw_contact_exact(&c, flat, b, all);
  CHECK(found >= 1 && fabs(all[0].r[2] + 0.5 * all[0].r[0]) < 1e-12);
}

/* Following one solution while b turns: the closest root never leaves it. */
static void closest_follows(void) {
  uint64_t s = 5;
  double A[9], b[3], r[3] = {0, 0, 0}, last[3], largest = 0;
  random_block(&s, 3, A);
  pw_contact c = {PW_CONTACT, 3, 0.4};
  for (int k = 0; k <= 4000; k++) {
    double t = 2 * pi * k / 4000;
    b[0] = -1;
    b[1] = 2 * cos(t);
    b[2] = 2 * sin(t);
    memcpy(last, r, sizeof r);
    CHECK(pw_contact_closest(&c, A, b, r));
    CHECK(law_error(0.4, A, b, r) <= 1e-11);
    double d[3] = {r[0] - last[0], r[1] - last[1], r[2] - last[2]};
    largest = k > 0 ? fmax(largest, pw_norm2(d, 3)) : 0;
  }
  CHECK(largest < 0.05);
}

CHECK_MAIN({"finds all solutions in space", finds_all_solutions_in_space},
           {"units do not matter", units_do_not_matter},
           {"finds all solutions in the plane", finds_all_solutions_in_the_plane},
           {"disk minimises", disk_minimises}, {"roots on the circle", roots_on_the_circle},
           {"double roots are listed", double_roots_are_listed},
           {"special contacts", special_contacts},
           {"nothing moves the contact", nothing_moves_the_contact},
           {"closest follows", closest_follows})
