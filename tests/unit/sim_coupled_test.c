// SPDX-License-Identifier: MIT
/* Several slips in the plane at once: random contacts against the definition of the law, with and
 * without rows that depend on each other, and what is held or let go at the border of sticking. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg_random.h"
#include "sim_local_support.h"

enum { MOST = 4, N = 9 };

typedef struct contacts_bench {
  workbench on;
  pw_law_form form[3 * MOST];
  double A[N * 3 * MOST], length[3 * MOST], normal_rate[MOST];
} contacts_bench;

/* Contacts with rows (normal, tangents) = 3 i + (0, 1, 2). */
static void set_up_contacts(contacts_bench *b, int n, int contacts) {
  int rows = 3 * contacts;
  for (int i = 0; i < rows; i++) {
    b->form[i].group = i % 3 == 0 ? -1 : i - (i % 3 == 2);
    b->form[i].width = i % 3 == 0 ? 1 : 2;
    double *a = b->A + (size_t)i * (size_t)n, sum = 0;
    for (int k = 0; k < n; k++) {
      sum += a[k] * a[k];
    }
    b->length[i] = sqrt(sum);
    for (int k = 0; k < n; k++) {
      a[k] /= b->length[i];
    }
  }
  const pw_system sys = {
      .nv = n, .nr = rows, .ni = rows, .row = b->form, .law = b->form, .trait.oblique = true};
  set_up(&b->on, &sys, b->A, b->length);
}

static bool solve(contacts_bench *b, pw_disk *disk, int contacts) {
  const double zero[N] = {0};
  pw_local_begin(&b->on.part.local, &b->on.frame, zero, (pw_local_way){0});
  for (int i = 0; i < contacts; i++) {
    pw_local_take(&b->on.part.local, 3 * i, b->normal_rate[i], 0, INFINITY);
  }
  return pw_coupled_solve(&b->on.part, disk, contacts, 1e-9, false);
}

/* The rate of a row under the forces, from the columns alone. */
static double rate_of(const contacts_bench *b, const double *force, int row, double drive) {
  double y = drive;
  int n = b->on.sys.nv;
  for (int j = 0; j < b->on.sys.nr; j++) {
    double dot = 0;
    for (int k = 0; k < n; k++) {
      dot += b->A[row * n + k] * b->A[j * n + k];
    }
    y += b->length[row] * b->length[j] * dot * force[j];
  }
  return y;
}

static void check_law(const contacts_bench *b, const pw_disk *disk, int contacts, double tol) {
  double force[3 * MOST];
  pw_local_forces(&b->on.part.local, force);
  for (int i = 0; i < contacts; i++) {
    const double *r = force + 3 * i;
    double u = rate_of(b, force, 3 * i, b->normal_rate[i]);
    double s[2] = {rate_of(b, force, 3 * i + 1, disk[i].drive[0]),
                   rate_of(b, force, 3 * i + 2, disk[i].drive[1])};
    double size = hypot(s[0], s[1]), bound = disk[i].radius * r[0];
    CHECK(r[0] >= -tol && u >= -tol && fabs(r[0] * u) <= tol * (1 + r[0]));
    CHECK(hypot(r[1], r[2]) <= bound + tol * (1 + bound));
    CHECK(disk[i].slides == (size > 1e-8) || size < 1e-6);
    for (int k = 0; k < 2 && size > 1e-6; k++) {
      CHECK_NEAR(r[1 + k], -bound * s[k] / size, tol * (1 + bound) / fmin(size, 1));
      CHECK_NEAR(disk[i].d[k], s[k] / size, 1e-6);
    }
  }
}

static void random_contacts(int n, int contacts, double mu, int tries, int least) {
  uint64_t s = 7 + (uint64_t)n + (uint64_t)contacts;
  int solved = 0;
  for (int t = 0; t < tries; t++) {
    contacts_bench b;
    pw_disk disk[MOST];
    double drive[3 * MOST];
    random_fill(b.A, n * 3 * contacts, &s);
    random_fill(drive, 3 * contacts, &s);
    set_up_contacts(&b, n, contacts);
    for (int i = 0; i < contacts; i++) {
      b.normal_rate[i] = -fabs(drive[3 * i]);
      disk[i] = (pw_disk){.row = 3 * i + 1,
                          .width = 2,
                          .normal = 3 * i,
                          .radius = mu,
                          .hold = mu,
                          .drive = {drive[3 * i + 1], drive[3 * i + 2]}};
    }
    if (solve(&b, disk, contacts)) {
      solved++;
      check_law(&b, disk, contacts, 1e-8);
    }
    tear_down(&b.on);
  }
  CHECK(solved >= least);
}

/* A plate with three degrees of freedom in its plane, feet at (+-1, +-1), loads of 1: sticking is
 * redundant. */
static void plate(contacts_bench *b, pw_disk *disk, double push, bool released) {
  static const double at[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  memset(b->A, 0, sizeof b->A);
  for (int i = 0; i < 4; i++) {
    double *a = b->A + (size_t)(3 * i) * 7;
    a[3 + i] = 1; /* its own normal direction */
    a[7] = 1;
    a[7 + 2] = -at[i][1];
    a[14 + 1] = 1;
    a[14 + 2] = at[i][0];
    b->normal_rate[i] = -1;
    disk[i] = (pw_disk){.row = 3 * i + 1,
                        .width = 2,
                        .normal = 3 * i,
                        .radius = 0.5,
                        .hold = 0.5,
                        .drive = {push, 0},
                        .released = released};
  }
  set_up_contacts(b, 7, 4);
}

static void feet_share(void) {
  contacts_bench b;
  pw_disk disk[4];
  plate(&b, disk, 1.9, true);
  CHECK(solve(&b, disk, 4));
  check_law(&b, disk, 4, 1e-9);
  for (int i = 0; i < 4; i++) {
    CHECK(!disk[i].slides);
  }
  tear_down(&b.on);
  plate(&b, disk, 2, true); /* 4 feet hold 4 * 0.5 */
  CHECK(solve(&b, disk, 4));
  for (int i = 0; i < 4; i++) {
    CHECK(disk[i].slides);
    CHECK_NEAR(disk[i].d[0], 1, 1e-5);
  }
  tear_down(&b.on);
}

static void feet_hold_inside(void) {
  contacts_bench b;
  pw_disk disk[4];
  const double zero[7] = {0};
  double force[12];
  plate(&b, disk, 0.8, false);
  pw_local_begin(&b.on.part.local, &b.on.frame, zero, (pw_local_way){0});
  for (int i = 0; i < 4; i++) {
    pw_local_take(&b.on.part.local, 3 * i, -1, 0, INFINITY);
  }
  CHECK_NEAR(pw_coupled_hold(&b.on.part, disk, 4, 1e-9), 0.5, 0);
  pw_local_forces(&b.on.part.local, force);
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    sum += force[3 * i + 1];
    CHECK(hypot(force[3 * i + 1], force[3 * i + 2]) <= 0.25 + 1e-9);
  }
  CHECK_NEAR(sum, -0.8, 1e-9);
  tear_down(&b.on);
}

static void independent_rows(void) {
  random_contacts(6, 2, 0.3, 60, 60);
  random_contacts(9, 3, 0.3, 60, 60);
}

static void dependent_rows(void) {
  random_contacts(6, 3, 0.3, 60, 55); /* nine rows for six freedoms */
  random_contacts(6, 4, 0.2, 40, 34);
}

CHECK_MAIN({"independent rows", independent_rows}, {"dependent rows", dependent_rows},
           {"feet share a load", feet_share}, {"feet hold inside their disks", feet_hold_inside})
