// SPDX-License-Identifier: MIT
/* Random problems in one and two coordinates between elastic walls, with gravity or a spring. A
 * dense scan of the start velocities with an event-driven integrator of its own, whose flights are
 * closed forms, finds motions that must be in the list, and repeats those that are there.
 * PAWL_CAMPAIGN: many more problems and a denser scan. BVP_SEEDS=N: so many problems, BVP_SHOW=1:
 * each of them is printed. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bvp_problem.h"

enum { MOST = 4, WALLS = 4, ROOTS = 500, BEYOND = MOST + 2 };

typedef struct scene {
  int n, walls;
  int samples;                          /* of the scan, along each direction */
  double normal[WALLS][2], wall[WALLS]; /* normal.q >= wall */
  double force[2], k;                   /* q'' = force - k q */
  double a[2], b[2], T;                 /* from a to b */
  double range;                         /* of the start velocities that are scanned */
} scene;

typedef struct result {
  int bounces;
  unsigned long labels; /* which walls, in order */
  double q[2], v[2], action;
  double times[BEYOND + 1];
} result;

typedef struct list {
  int n;
  double s[ROOTS][2];
  int bounces[ROOTS];
} list;

/* ---- one motion ---- */

static double dot(const double *a, const double *b, int n) {
  return a[0] * b[0] + (n > 1 ? a[1] * b[1] : 0);
}

static void glide(const scene *z, double t, const double *q, const double *v, double *q1,
                  double *v1) {
  double w = sqrt(z->k);
  for (int i = 0; i < z->n; i++) {
    double f = z->force[i], c = cos(w * t), s = sin(w * t), centre = z->k > 0 ? f / z->k : 0;
    double x =
        z->k > 0 ? centre + (q[i] - centre) * c + v[i] / w * s : q[i] + t * (v[i] + t * f / 2);
    v1[i] = z->k > 0 ? -(q[i] - centre) * w * s + v[i] * c : v[i] + t * f;
    q1[i] = x;
  }
}

/* When d = normal.q - wall comes down to zero: of both roots the one with d' < 0. */
static double hit_after(const scene *z, int i, const double *q, const double *v) {
  const double two_pi = 2 * acos(-1);
  double d = dot(z->normal[i], q, z->n) - z->wall[i], u = dot(z->normal[i], v, z->n);
  double f = dot(z->normal[i], z->force, z->n);
  if (z->k > 0) {
    double w = sqrt(z->k), centre = f / z->k - z->wall[i], R = hypot(d - centre, u / w);
    double phase = R > fabs(centre) ? atan2(u / w, d - centre) + acos(-centre / R) : NAN;
    phase = phase < 1e-13 ? phase + two_pi : phase;
    return isnan(phase) ? INFINITY : fmod(phase, two_pi) / w;
  }
  double root = u * u - 2 * f * d;
  if (root < 0 || (f >= 0 && u >= 0)) {
    return INFINITY;
  }
  return f < 0 && u > 0 ? (u + sqrt(root)) / -f : 2 * d / (sqrt(root) - u);
}

/* Gauss's rule with six points twice is exact to the last digits on flights this short. */
static double action_of(const scene *z, double t, const double *q, const double *v) {
  static const double x[] = {0.2386191860831969, 0.6612093864662645, 0.9324695142031521};
  static const double weight[] = {0.4679139345726910, 0.3607615730481386, 0.1713244923791704};
  double sum = 0;
  for (int part = 0; part < 16; part++) {
    for (int i = 0; i < 6; i++) {
      double q1[2], v1[2], at = (1 + (i < 3 ? x[i] : -x[i - 3])) / 2;
      glide(z, t * (part + at) / 16, q, v, q1, v1);
      double V = z->k * dot(q1, q1, z->n) / 2 - dot(z->force, q1, z->n);
      sum += weight[i % 3] / 2 * (dot(v1, v1, z->n) / 2 - V);
    }
  }
  return sum * t / 16;
}

static result fly(const scene *z, const double *s, bool with_action) {
  result r = {.v = {s[0], s[1]}, .q = {z->a[0], z->a[1]}};
  double t = 0;
  while (r.bounces < BEYOND) {
    int wall = -1;
    double next = z->T - t;
    for (int i = 0; i < z->walls; i++) {
      double hit = hit_after(z, i, r.q, r.v);
      wall = hit < next ? i : wall;
      next = fmin(next, hit);
    }
    r.action += with_action ? action_of(z, next, r.q, r.v) : 0;
    glide(z, next, r.q, r.v, r.q, r.v);
    t += next;
    if (wall < 0) {
      break;
    }
    double u = dot(z->normal[wall], r.v, z->n);
    for (int i = 0; i < z->n; i++) {
      r.v[i] -= 2 * u * z->normal[wall][i];
    }
    r.times[r.bounces++] = t;
    r.labels = r.labels * (WALLS + 1) + (unsigned long)wall + 1;
  }
  return r;
}

static double miss_of(const scene *z, const result *r) {
  return r->bounces == BEYOND ? INFINITY
                              : hypot(r->q[0] - z->b[0], z->n > 1 ? r->q[1] - z->b[1] : 0);
}

/* ---- a dense scan ---- */

static void add(list *l, const double *s, int bounces, double same) {
  for (int i = 0; i < l->n; i++) {
    if (hypot(l->s[i][0] - s[0], l->s[i][1] - s[1]) < same) {
      return;
    }
  }
  if (bounces <= MOST && l->n < ROOTS) {
    l->bounces[l->n] = bounces;
    memcpy(l->s[l->n++], s, sizeof l->s[0]);
  }
}

/* Between neighbours: a change of sign with the same impacts; or, where an impact comes or goes,
 * the instant of it is the end time and the position there is the end. */
static void scan_line(const scene *z, list *out) {
  double before = 0;
  result last = {.bounces = BEYOND};
  for (int i = 0; i <= z->samples; i++) {
    double s[2] = {z->range * (2.0 * i / z->samples - 1) + 1e-7, 0};
    result now = fly(z, s, false);
    bool crossed = (now.q[0] > z->b[0]) != (last.q[0] > z->b[0]);
    if (i > 0 && ((now.bounces == last.bounces && crossed) || now.bounces != last.bounces)) {
      double lo[2] = {before, 0}, hi[2] = {s[0], 0}, mid[2] = {0};
      for (int k = 0; k < 60; k++) {
        mid[0] = (lo[0] + hi[0]) / 2;
        result m = fly(z, mid, false);
        bool as_lo = now.bounces != last.bounces ? m.bounces == last.bounces
                                                 : (m.q[0] > z->b[0]) == (last.q[0] > z->b[0]);
        *(as_lo ? lo : hi) = mid[0];
      }
      result m = fly(z, lo, false), other = fly(z, hi, false);
      m = m.bounces < other.bounces ? m : other;
      if (miss_of(z, &m) < 1e-7) {
        add(out, lo, m.bounces, 1e-6 * z->range);
      }
    }
    last = now;
    before = s[0];
  }
}

/* Newton's method with the impacts of the start. */
static bool refine(const scene *z, double *s, unsigned long labels) {
  for (int k = 0; k < 20; k++) {
    result r = fly(z, s, false);
    if (r.labels != labels || r.bounces == BEYOND) {
      return false;
    }
    double J[2][2], h = 1e-7 * z->range;
    for (int j = 0; j < 2; j++) {
      double x[2] = {s[0], s[1]};
      x[j] += h;
      result p = fly(z, x, false);
      J[0][j] = (p.q[0] - r.q[0]) / h;
      J[1][j] = (p.q[1] - r.q[1]) / h;
    }
    double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    double e0 = r.q[0] - z->b[0], e1 = r.q[1] - z->b[1];
    if (hypot(e0, e1) < 1e-10) {
      return true;
    }
    s[0] -= (J[1][1] * e0 - J[0][1] * e1) / det;
    s[1] -= (J[0][0] * e1 - J[1][0] * e0) / det;
  }
  return false;
}

/* The linear map that agrees with the motions at three starts has the end inside. */
static bool covers(const scene *z, const result *p[3]) {
  double area[3];
  for (int i = 0; i < 3; i++) {
    const double *a = p[i]->q, *b = p[(i + 1) % 3]->q;
    area[i] = (a[0] - z->b[0]) * (b[1] - z->b[1]) - (a[1] - z->b[1]) * (b[0] - z->b[0]);
  }
  return (area[0] >= 0 && area[1] >= 0 && area[2] >= 0) ||
         (area[0] <= 0 && area[1] <= 0 && area[2] <= 0);
}

static void scan_plane(const scene *z, list *out) {
  const int grid = z->samples;
  const size_t side = (size_t)grid + 1;
  size_t count = side * side;
  result *all = calloc(count, sizeof *all);
  for (size_t i = 0; i < count; i++) {
    double s[2] = {z->range * (2.0 * (double)(i % side) / grid - 1) + 1e-7,
                   z->range * (2.0 * (double)(i / side) / grid - 1) + 2e-7};
    all[i] = fly(z, s, false);
  }
  for (int i = 0; i < 2 * grid * grid; i++) {
    int x = i / 2 % grid, y = i / 2 / grid, up = i % 2;
    int at[3][2] = {{x, y + up}, {x + 1, y}, {x + up, y + 1}};
    const result *p[3];
    for (int k = 0; k < 3; k++) {
      p[k] = &all[at[k][1] * (grid + 1) + at[k][0]];
    }
    if (p[0]->bounces < BEYOND && p[0]->labels == p[1]->labels && p[0]->labels == p[2]->labels &&
        covers(z, p)) {
      double s[2] = {z->range * (2 * (x + 0.5) / grid - 1), z->range * (2 * (y + 0.5) / grid - 1)};
      if (refine(z, s, p[0]->labels)) {
        add(out, s, p[0]->bounces, 1e-6 * z->range);
      }
    }
  }
  free(all);
}

/* ---- problems ---- */

static bool in_full(void) {
  return getenv("PAWL_CAMPAIGN") != NULL;
}

static unsigned long long state;

static double uniform(double a, double b) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return a + (b - a) * (double)(state >> 11) / 9007199254740992.0;
}

/* Walls around the unit square, turned and shifted; both ends inside, or on the first wall. */
static scene draw(unsigned seed, int n) {
  state = seed * 2654435761ULL + 12345;
  (void)uniform(0, 1);
  scene z = {.n = n, .T = uniform(0.5, 1.6)};
  z.samples = n == 1 ? (in_full() ? 100000 : 20000) : (in_full() ? 420 : 240);
  z.walls = (int)uniform(0, n == 1 ? 2.99 : 4.99);
  z.k = uniform(0, 1) < 0.4 ? uniform(0.5, 12) : 0;
  double turn = uniform(0, 6.28);
  for (int i = 0; i < z.walls; i++) {
    double angle = turn + i * acos(-1) / 2 + uniform(-0.3, 0.3);
    z.normal[i][0] = n == 1 ? (i == 0 ? 1 : -1) : cos(angle);
    z.normal[i][1] = n == 1 ? 0 : sin(angle);
    z.wall[i] = -uniform(0.4, 1);
  }
  for (int i = 0; i < n; i++) {
    z.force[i] = uniform(0, 1) < 0.3 ? 0 : uniform(-6, 6);
    z.a[i] = uniform(-0.28, 0.28);
    z.b[i] = uniform(-0.28, 0.28);
  }
  if (n == 1 && z.walls > 0) {
    z.a[0] = uniform(0, 1) < 0.15 ? z.wall[0] : z.a[0];
    z.b[0] = uniform(0, 1) < 0.15 ? z.wall[0] : z.b[0];
  }
  z.range = (n == 1 ? 8 : 3) / z.T + hypot(z.force[0], z.force[1]) * z.T;
  return z;
}

static void write_model(const scene *z, char *text, size_t room) {
  size_t used = 0;
#define PUT(...) used += (size_t)snprintf(text + used, room - used, __VA_ARGS__)
  const char *names = z->n == 1 ? "x" : "x, y";
  PUT("coordinates %s\nkinetic T = 1/2*(x'^2%s)\n", names, z->n == 1 ? "" : " + y'^2");
  PUT("potential V = %.17g*x^2 - (%.17g)*x\n", z->k / 2, z->force[0]);
  if (z->n == 2) {
    PUT("potential W = %.17g*y^2 - (%.17g)*y\n", z->k / 2, z->force[1]);
  }
  for (int i = 0; i < z->walls; i++) {
    PUT("constraint w%d: %.17g*x + %.17g*%s >= %.17g, restitution 1\n", i + 1, z->normal[i][0],
        z->normal[i][1], z->n == 1 ? "0" : "y", z->wall[i]);
  }
  PUT("start x = %.17g", z->a[0]);
  if (z->n == 2) {
    PUT(", y = %.17g", z->a[1]);
  }
  PUT("\nend x = %.17g", z->b[0]);
  if (z->n == 2) {
    PUT(", y = %.17g", z->b[1]);
  }
  PUT("\nrun 0..%.17g\n", z->T);
#undef PUT
}

typedef struct tally {
  int there, found, claimed, listed;
} tally;

/* Every motion of the list, repeated. */
static void repeat(const scene *z, const problem *x, unsigned seed) {
  for (int i = 0; i < pawl_bvp_count(x->bvp); i++) {
    pawl_bvp_solution s = pawl_bvp_get(x->bvp, i);
    double u[2] = {s.u_start[0], z->n > 1 ? s.u_start[1] : 0};
    bool rest = z->a[0] == z->wall[0];
    if (rest && fabs(u[0]) < 1e-9) {
      continue; /* the closed forms do not rest */
    }
    result r = fly(z, u, true);
    bool late = r.bounces == s.bounces + 1 && r.times[s.bounces] > z->T * (1 - 1e-8);
    CHECK_SEED(r.bounces == s.bounces || late, seed);
    CHECK_SEED(miss_of(z, &r) < 1e-7, seed);
    CHECK_SEED(fabs(r.action - s.action) <= 1e-7 * (1 + fabs(r.action)), seed);
    CHECK_SEED(s.verdict == PAWL_STRONG, seed);
    for (int k = s.bounces - 1, rest_of = (int)late; k >= 0; k--) {
      unsigned long labels = r.labels;
      for (int j = 0; j < s.bounces - 1 - k + rest_of; j++) {
        labels /= WALLS + 1;
      }
      CHECK_SEED(s.labels[k][1] == '0' + (char)(labels % (WALLS + 1)), seed);
      CHECK_SEED(fabs(s.times[k] - r.times[k]) < 1e-6 * z->T, seed);
    }
  }
}

static void compare(const scene *z, unsigned seed, tally *sum) {
  char text[2000];
  list *l = calloc(1, sizeof *l);
  write_model(z, text, sizeof text);
  (z->n == 1 ? scan_line : scan_plane)(z, l);
  problem x = solve(text, &(pawl_bvp_opts){.use_bounces = 1, .most = MOST});
  CHECK_SEED(x.status == PAWL_OK, seed);
  bool complete = pawl_bvp_complete(x.bvp) != 0;
  sum->claimed += complete;
  sum->listed += pawl_bvp_count(x.bvp);
  for (int i = 0; i < l->n; i++) {
    bool has = false;
    for (int k = 0; k < pawl_bvp_count(x.bvp); k++) {
      const double *u = pawl_bvp_get(x.bvp, k).u_start;
      double far = hypot(u[0] - l->s[i][0], z->n > 1 ? u[1] - l->s[i][1] : 0);
      has = has || far < 2e-6 * z->range;
    }
    bool start_on = z->n == 1 && z->walls > 0 && z->a[0] == z->wall[0] && l->s[i][0] <= 0;
    if (start_on) {
      continue; /* the impact at the start time */
    }
    sum->there++;
    sum->found += has;
    CHECK_SEED(has || !complete, seed);
    if (!has && getenv("BVP_SHOW") != NULL) {
      printf("seed %u: not found: %.12g %.12g, %d bounces%s\n", seed, l->s[i][0], l->s[i][1],
             l->bounces[i], complete ? ", said complete" : "");
    }
  }
  repeat(z, &x, seed);
  if (getenv("BVP_SHOW") != NULL) {
    printf("seed %u: %d walls k %.3g there %d listed %d complete %d trials %ld\n", seed, z->walls,
           z->k, l->n, pawl_bvp_count(x.bvp), complete, pawl_bvp_trials(x.bvp));
  }
  forget(&x);
  free(l);
}

static void campaign(int n, int first, int last, double share) {
  tally sum = {0};
  for (int seed = first; seed <= last; seed++) {
    scene z = draw((unsigned)seed, n);
    compare(&z, (unsigned)seed, &sum);
  }
  printf("%d coordinate(s): %d of %d motions found, %d listed, %d of %d lists complete\n", n,
         sum.found, sum.there, sum.listed, sum.claimed, last - first + 1);
  CHECK(sum.found >= share * sum.there);
}

static int seeds(int few, int many) {
  const char *to = getenv("BVP_SEEDS");
  return to != NULL ? atoi(to) : in_full() ? many : few;
}

static void one_coordinate(void) {
  campaign(1, 1, seeds(40, 400), 1);
}

static void two_coordinates(void) {
  campaign(2, 1, seeds(4, 40), 0.95);
}

CHECK_MAIN({"one_coordinate", one_coordinate}, {"two_coordinates", two_coordinates})
