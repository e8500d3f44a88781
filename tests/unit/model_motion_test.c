// SPDX-License-Identifier: MIT
/* Primes, rotations, bodies and forces against independent formulas: quaternions as products,
 * derivatives as differences along a motion. */
#include "unit/model_support.h"

typedef struct quat {
  double s, x, y, z;
} quat;

static quat product(quat a, quat b) {
  return (quat){
      a.s * b.s - a.x * b.x - a.y * b.y - a.z * b.z, a.s * b.x + a.x * b.s + a.y * b.z - a.z * b.y,
      a.s * b.y - a.x * b.z + a.y * b.s + a.z * b.x, a.s * b.z + a.x * b.y - a.y * b.x + a.z * b.s};
}

/* q v q* */
static void turn(quat q, const double v[3], double out[3]) {
  quat r = product(product(q, (quat){0, v[0], v[1], v[2]}), (quat){q.s, -q.x, -q.y, -q.z});
  out[0] = r.x;
  out[1] = r.y;
  out[2] = r.z;
}

static void turn_back(quat q, const double v[3], double out[3]) {
  turn((quat){q.s, -q.x, -q.y, -q.z}, v, out);
}

static quat at(const double *q) {
  return (quat){q[0], q[1], q[2], q[3]};
}

/* ---- primes ---- */

/* Along q(t) = q0 + u0 t + a0 t^2/2 for plain coordinates: moves the state by dt. */
static void move(bench *b, double dt) {
  for (int i = 0; i < b->m->nv; i++) {
    b->q[i] += b->u[i] * dt + b->a[i] * dt * dt / 2;
    b->u[i] += b->a[i] * dt;
  }
  b->t += dt;
}

static double difference(bench *b, const char *name, double h) {
  bench before = *b, after = *b;
  move(&before, -h);
  move(&after, h);
  return (bench_output(&after, name) - bench_output(&before, name)) / (2 * h);
}

static void primes_are_rates(void) {
  bench b;
  bench_open(&b, "coordinates x, th\nkinetic T = x'^2 + th'^2\n"
                 "let P = (x*cos(th), x*sin(th)*exp(-t))\nlet w = x'*th\n"
                 "output p1 = P[1], dp1 = P'[1], p2 = P[2], dp2 = P[2]', v = (x^2*t)', dv = v',\n"
                 "  w1 = w, dw = w', ddp = P'', d1 = P[2]'\n");
  for (uint64_t seed = 1; seed <= 20; seed++) {
    bench_shake(&b, seed);
    CHECK_NEAR(bench_output(&b, "dp1"), difference(&b, "p1", 1e-4), 1e-7);
    CHECK_NEAR(bench_output(&b, "dp2"), difference(&b, "p2", 1e-4), 1e-7);
    CHECK_NEAR(bench_output(&b, "dv"), difference(&b, "v", 1e-4), 1e-7);
    CHECK_NEAR(bench_output(&b, "dw"), difference(&b, "w1", 1e-4), 1e-7);
    CHECK_NEAR(bench_output(&b, "ddp[2]"), difference(&b, "d1", 1e-4), 1e-7);
  }
  bench_close(&b);
}

/* ---- rotations ---- */

static void rotations_turn_vectors(void) {
  bench b;
  bench_open(&b, "rotation R\ncoordinates x\nkinetic T = dot(R.W, R.W) + x'^2\n"
                 "output v = R*(1, 2, x), w = R.w, q = R.q, dv = (R*(1, 2, 3))', dw = R.w'\n");
  for (uint64_t seed = 1; seed <= 20; seed++) {
    bench_shake(&b, seed);
    double v[3], w[3], body[3] = {1, 2, b.q[4]}, fixed[3] = {1, 2, 3};
    turn(at(b.q), body, v);
    CHECK_NEAR(bench_output(&b, "v[1]"), v[0], 1e-14);
    CHECK_NEAR(bench_output(&b, "v[2]"), v[1], 1e-14);
    CHECK_NEAR(bench_output(&b, "v[3]"), v[2], 1e-14);
    turn(at(b.q), b.u, w);
    CHECK_NEAR(bench_output(&b, "w[1]"), w[0], 1e-14);
    CHECK_NEAR(bench_output(&b, "w[3]"), w[2], 1e-14);
    CHECK_NEAR(bench_eval(&b, b.m->u_shown[1]), w[1], 1e-14);
    CHECK_NEAR(bench_output(&b, "q[4]"), b.q[3], 0);
    /* (R c)' = w x R c,  w' = R W' */
    turn(at(b.q), fixed, v);
    CHECK_NEAR(bench_output(&b, "dv[1]"), w[1] * v[2] - w[2] * v[1], 1e-14);
    CHECK_NEAR(bench_output(&b, "dv[2]"), w[2] * v[0] - w[0] * v[2], 1e-14);
    CHECK_NEAR(bench_output(&b, "dv[3]"), w[0] * v[1] - w[1] * v[0], 1e-14);
    turn(at(b.q), b.a, w);
    CHECK_NEAR(bench_output(&b, "dw[1]"), w[0], 1e-14);
    CHECK_NEAR(bench_output(&b, "dw[2]"), w[1], 1e-14);
  }
  bench_close(&b);
}

static void quaternion_rates(void) {
  bench b;
  bench_open(&b, "coordinates x\nrotation R, S\n"
                 "kinetic T = dot(R.W, R.W) + x'^2 + dot(S.W, S.W)\n");
  bench_shake(&b, 11);
  CHECK_NEAR(bench_eval(&b, pw_position_rate(b.m, 0)), b.u[0], 0);
  for (int r = 0; r < 2; r++) {
    const double *W = &b.u[1 + 3 * r];
    quat d = product(at(&b.q[1 + 4 * r]), (quat){0, W[0], W[1], W[2]});
    CHECK_NEAR(bench_eval(&b, pw_position_rate(b.m, 1 + 4 * r)), d.s / 2, 1e-15);
    CHECK_NEAR(bench_eval(&b, pw_position_rate(b.m, 2 + 4 * r)), d.x / 2, 1e-15);
    CHECK_NEAR(bench_eval(&b, pw_position_rate(b.m, 3 + 4 * r)), d.y / 2, 1e-15);
    CHECK_NEAR(bench_eval(&b, pw_position_rate(b.m, 4 + 4 * r)), d.z / 2, 1e-15);
  }
  CHECK_STR(b.m->q_name[6], "S.q[2]");
  CHECK_STR(b.m->u_name[4], "S.w[1]");
  CHECK_STR(pw_model_var_name(b.m, pw_var_of(PW_VAR_U, 5)), "S.W[2]");
  CHECK_STR(pw_model_var_name(b.m, pw_var_of(PW_VAR_U, 0)), "x'");
  bench_close(&b);
}

static void body_energies(void) {
  bench b;
  bench_open(&b, "parameter m = 2\n"
                 "body a: mass m, inertia 3\nbody c: mass 5, inertia (1, 2, 3)\n"
                 "body d[i in 1..2]: mass i, inertia (4, 5, 6, 0.1*i, 0.2, 0.3)\n");
  CHECK_INT(b.m->nq, 28);
  CHECK_INT(b.m->energies.n, 4);
  CHECK_STR(b.m->energies.items[3].name, "d[2]");
  CHECK_STR(b.m->q_name[21], "d[2].p[1]");
  CHECK_STR(b.m->u_name[23], "d[2].w[3]");
  bench_shake(&b, 3);
  const double *u = b.u;
  double T = 0.5 * 2 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) +
             0.5 * 3 * (u[3] * u[3] + u[4] * u[4] + u[5] * u[5]);
  CHECK_NEAR(bench_eval(&b, b.m->energies.items[0].value), T, 1e-14);
  u = b.u + 6;
  T = 0.5 * 5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) +
      0.5 * (u[3] * u[3] + 2 * u[4] * u[4] + 3 * u[5] * u[5]);
  CHECK_NEAR(bench_eval(&b, b.m->energies.items[1].value), T, 1e-14);
  u = b.u + 18;
  double J[3][3] = {{4, 0.2, 0.2}, {0.2, 5, 0.3}, {0.2, 0.3, 6}};
  T = 0.5 * 2 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      T += 0.5 * u[3 + i] * J[i][k] * u[3 + k];
    }
  }
  CHECK_NEAR(bench_eval(&b, b.m->energies.items[3].value), T, 1e-14);
  bench_close(&b);
}

/* The start gives w in space; the state holds W = R^T w. */
static void start_of_rotations(void) {
  bench b;
  bench_open(&b, "rotation R, S\nbody c: mass 1, inertia 1\n"
                 "kinetic T = dot(R.W, R.W) + dot(S.W, S.W)\n"
                 "start R.w = (1, 2, 3), R = axis(0, 3, 4, 0.7), S.W = (4, 5, 6)\n"
                 "start c.p = (7, 8, 9), c.p'[2] = 3, c.R ~ axis(1, 0, 0, pi), c.w[3] = 2\n");
  double half = 0.35, w[3] = {1, 2, 3}, W[3];
  quat q = {cos(half), 0, 0.6 * sin(half), 0.8 * sin(half)};
  CHECK_NEAR(b.m->q_start[0].value, q.s, 1e-16);
  CHECK_NEAR(b.m->q_start[3].value, q.z, 1e-16);
  turn_back(q, w, W);
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(b.m->u_start[i].value, W[i], 1e-15);
    CHECK_NEAR(b.m->u_start[3 + i].value, 4 + i, 0);
  }
  CHECK_INT(b.m->q_start[4].mode, PW_UNSET);
  CHECK_NEAR(b.m->q_start[4].value, 1, 0);
  CHECK_NEAR(b.m->q_start[10].value, 9, 0);
  CHECK_NEAR(b.m->u_start[7].value, 3, 0);
  CHECK_INT(b.m->q_start[11].mode, PW_GUESS);
  CHECK_NEAR(b.m->u_start[11].value, -2, 1e-15); /* half a turn about the first axis */
  bench_close(&b);
}

/* ---- forces ---- */

/* The power of a force is Q u: compare with F times the velocity of the point. */
static double power(bench *b, int force) {
  double sum = 0;
  for (int i = 0; i < b->m->nv; i++) {
    sum += bench_eval(b, b->m->forces.items[force].Q[i]) * b->u[i];
  }
  return sum;
}

static void forces_do_work(void) {
  bench b;
  bench_open(&b, "body c: mass 1, inertia 1\ncoordinates x, th\nkinetic T = x'^2 + th'^2\n"
                 "let P = c.p + c.R*(0.1, 0.2, 0.3)\n"
                 "force at P: (1, x', 3)\nforce c.w: (1, 2, 3)\nforce c.W: (1, 2, 3)\n"
                 "force c.p: (4, 5, 6)\nforce c.w[2]: 7\nforce x: sin(t)\n"
                 "force at (x + cos(th), sin(th)): (2, -3*th')\n"
                 "output dP = P', w = c.w\n");
  for (uint64_t seed = 1; seed <= 10; seed++) {
    bench_shake(&b, seed);
    const double *u = b.u;
    double w[3] = {bench_output(&b, "w[1]"), bench_output(&b, "w[2]"), bench_output(&b, "w[3]")};
    CHECK_NEAR(power(&b, 0),
               bench_output(&b, "dP[1]") + u[6] * bench_output(&b, "dP[2]") +
                   3 * bench_output(&b, "dP[3]"),
               1e-13);
    CHECK_NEAR(power(&b, 1), w[0] + 2 * w[1] + 3 * w[2], 1e-13);
    CHECK_NEAR(power(&b, 2), u[3] + 2 * u[4] + 3 * u[5], 1e-13);
    CHECK_NEAR(power(&b, 3), 4 * u[0] + 5 * u[1] + 6 * u[2], 1e-13);
    CHECK_NEAR(power(&b, 4), 7 * w[1], 1e-13);
    CHECK_NEAR(power(&b, 5), sin(b.t) * u[6], 1e-14);
    double th = b.q[8], v[2] = {u[6] - sin(th) * u[7], cos(th) * u[7]};
    CHECK_NEAR(power(&b, 6), 2 * v[0] - 3 * u[7] * v[1], 1e-13);
  }
  CHECK_STR(b.m->forces.items[0].name, "force at P");
  CHECK_STR(b.m->forces.items[1].name, "c.w");
  CHECK_STR(b.m->forces.items[5].name, "x");
  CHECK_STR(b.m->forces.items[6].name, "force at line 11");
  bench_close(&b);
}

CHECK_MAIN({"primes_are_rates", primes_are_rates},
           {"rotations_turn_vectors", rotations_turn_vectors},
           {"quaternion_rates", quaternion_rates}, {"body_energies", body_energies},
           {"start_of_rotations", start_of_rotations}, {"forces_do_work", forces_do_work})
