// SPDX-License-Identifier: MIT
/* Stages of a step as machine code against the same stages one by one: every number is the same. */
#include "mech/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_wrap.h"
#include "check.h"
#include "mech/handle.h"
#include "sim/rk.h"

enum { MOST_N = 32, MOST_STAGES = 16 };

typedef struct fixture {
  pawl_model *model;
  pawl_system *system;
  pw_mech *mech;
  double side[4];
  pw_rk rk;
} fixture;

static pawl_status slopes(void *ctx, double t, const double *y, double *dy) {
  fixture *f = ctx;
  bool done = pw_mech_slopes(f->mech, t, y, y + f->mech->sys->nq, f->side, dy);
  return done ? PAWL_OK : PAWL_E_NAN;
}

static void make(fixture *f, const char *text, const pw_rk_method *method) {
  pawl_diags *diags = NULL;
  *f = (fixture){.side = {1, -1, 1, -1}};
  CHECK(pawl_diags_new(&diags) == PAWL_OK);
  CHECK(pawl_model_parse(text, strlen(text), NULL, diags, &f->model) == PAWL_OK);
  CHECK(pawl_system_new(f->model, NULL, diags, &f->system) == PAWL_OK);
  CHECK(pw_mech_new(f->system->sys, &f->mech) == PAWL_OK);
  pawl_diags_free(diags);
  const pw_system *s = f->system->sys;
  int n = s->nq + s->nv + s->nz;
  double *memory = calloc(pw_rk_size(method, n), sizeof *memory);
  CHECK(memory != NULL && n <= MOST_N && s->n_switch <= 4);
  pw_rk_init(&f->rk, method, n, memory, slopes, f);
  f->rk.reads = s->nq + s->nv;
}

static void unmake(fixture *f) {
  free(f->rk.y0);
  pw_mech_free(f->mech);
  pawl_system_free(f->system);
  pawl_model_free(f->model);
}

static pw_stage_table table_of(const pw_rk_method *m) {
  return (pw_stage_table){.count = m->stages - 1, .end = true, .c = m->c, .a = m->a};
}

static double draw(unsigned *seed) { /* in (-1, 1) */
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) * 0x1p-23 - 1;
}

static void start_anywhere(fixture *f, unsigned *seed) {
  pw_rk *rk = &f->rk;
  for (int i = 0; i < rk->n; i++) {
    rk->y0[i] = 1 + draw(seed);
  }
  for (int i = 0; i < 4; i++) {
    f->side[i] = draw(seed) > 0 ? 1 : -1;
  }
  rk->t = draw(seed);
  rk->h = 0.1 * (1 + draw(seed));
  CHECK(slopes(f, rk->t, rk->y0, rk->k) == PAWL_OK);
}

static const char *const models[] = {
    /* M of the state */
    "parameter N = 2 in 1..6\ncoordinates th[1..N]\n"
    "let px(n) = sum(i in 1..n: sin(th[i]))\nlet py(n) = -sum(i in 1..n: cos(th[i]))\n"
    "kinetic T = sum(n in 1..N: 1/2*(px(n)'^2 + py(n)'^2))\n"
    "potential V = sum(n in 1..N: 9.81*py(n))\nstart th = 0.1\nrun 0..1\n",
    "parameter N = 6 in 1..6\ncoordinates th[1..N]\n"
    "let px(n) = sum(i in 1..n: sin(th[i]))\nlet py(n) = -sum(i in 1..n: cos(th[i]))\n"
    "kinetic T = sum(n in 1..N: 1/2*(px(n)'^2 + py(n)'^2))\n"
    "potential V = sum(n in 1..N: 9.81*py(n))\nstart th = 0.1\nrun 0..1\n",
    /* a rotation */
    "rotation R\nkinetic T = 1/2*(2*R.W[1]^2 + 3*R.W[2]^2 + 5*R.W[3]^2)\n"
    "potential V = 2*(R*(0, 0, 0.3))[3]\nstart R = axis(1, 0, 0, 0.4), R.w = (0, 0, 3)\nrun 0..1\n",
    /* the time, dampers, a constant M with zeros, a force that switches, a stop */
    "coordinates x, y, z\nkinetic T = 1/2*(2*x'^2 + x'*y' + y'^2 + 3*z'^2)\n"
    "potential V = 1/2*x^2*y^2 + x*sin(3*t) + if(x > 0.5, (x - 0.5)^2, 0)\n"
    "dissipation F = 0.1*x'^2 + 0.2*z'^2\nconstraint stop: y >= -10, restitution 0\n"
    "start x = 1, y = 1, z = 1\nrun 0..1\n",
    /* accelerations without change */
    "coordinates y\nkinetic T = 1/2*y'^2\npotential V = 9.81*y\nconstraint floor: y >= -9, "
    "restitution 0\n"
    "start y = 1\nrun 0..1\n",
    /* functions by calls */
    "coordinates x, y\nkinetic T = exp(x)*x'^2 + (2 + sqrt(y))*y'^2\n"
    "potential V = atan2(x + 1, y + 2) + (x + 3)^2.5 + log(y + 2)\nstart x = 1, y = 1\nrun 0..1\n"};

static void code_and_stages_agree(void) {
  static const pw_rk_method *const methods[2] = {&pw_dp5, &pw_dop853};
  unsigned seed = 5;
  for (size_t at = 0; at < 2 * sizeof models / sizeof *models; at++) {
    fixture f;
    const pw_rk_method *method = methods[at % 2];
    make(&f, models[at / 2], method);
    pw_rk *rk = &f.rk;
    int count = method->stages - 1;
    CHECK(pw_stages_fit(f.mech));
    pw_stages *code = pw_stages_new(f.mech, table_of(method));
    CHECK(code != NULL || f.system->native == NULL);
    for (int run = 0; code != NULL && run < 30; run++) {
      double k[MOST_N * MOST_STAGES], end[MOST_N];
      start_anywhere(&f, &seed);
      memcpy(k, rk->k, (size_t)rk->n * sizeof *k);
      int64_t before = f.mech->evaluations;
      CHECK(pw_stages_run(code, f.mech, rk->t, rk->h, rk->y0, f.side, k, end));
      CHECK(f.mech->evaluations == before + count);
      CHECK(pw_rk_advance(rk, rk->t, rk->h) == PAWL_OK);
      for (int i = 0; i < (count + 1) * rk->n; i++) {
        CHECK(k[i] == rk->k[i]);
      }
      for (int i = 0; i < rk->n; i++) {
        CHECK(end[i] == rk->y1[i]);
      }
    }
    pw_stages_free(code);
    unmake(&f);
  }
}

/* Where the code must not be used it says so, and the rates stay as they are. */
static void code_refuses(void) {
  fixture f;
  make(&f,
       "coordinates x, y\nkinetic T = 1/2*x'^2 + 1/2*(1 - x)*y'^2\npotential V = sqrt(y)*x\n"
       "constraint wall: x >= -5, restitution 0\nstart x = 0, y = 1\nrun 0..1\n",
       &pw_dp5);
  pw_stages *code = pw_stages_new(f.mech, table_of(&pw_dp5));
  double k[MOST_N * MOST_STAGES] = {0}, end[MOST_N];
  for (int kind = 0; code != NULL && kind < 4; kind++) {
    const double start[4][MOST_N] = {{0.5, 1}, {0.5, -1}, {1.5, 1}, {0.5, 1}};
    double *first = k + f.rk.n; /* of k_1: the rate of x */
    *first = end[0] = -7;
    const unsigned char closed = PW_AT_KINK;
    pw_mech_close(f.mech, kind == 3 ? &closed : NULL);
    bool done = pw_stages_run(code, f.mech, 0, 0.01, start[kind], f.side, k, end);
    CHECK(done == (kind == 0)); /* then: no number, M not positive, a row is imposed */
    CHECK((*first == -7) == !done && (end[0] == -7) == !done);
  }
  pw_stages_free(code);
  unmake(&f);

  /* forces beside a kink, and equalities, have other code */
  make(&f,
       "coordinates x\nkinetic T = 1/2*x'^2\nfriction belt: slip x' - 1, bound 1\n"
       "start x = 0\nrun 0..1\n",
       &pw_dp5);
  CHECK(!pw_stages_fit(f.mech));
  unmake(&f);
  make(&f,
       "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\nconstraint rod: x^2 + y^2 = 1\n"
       "start x = 1, y = 0\nrun 0..1\n",
       &pw_dp5);
  CHECK(!pw_stages_fit(f.mech));
  unmake(&f);
}

static void attempt(void *payload) {
  const fixture *f = payload;
  pw_stages_free(pw_stages_new(f->mech, table_of(&pw_dp5)));
}

static void refused_memory_is_no_code(void) {
  fixture f;
  make(&f, models[0], &pw_dp5);
  CHECK(alloc_sweep(attempt, &f) > 1);
  unmake(&f);
}

CHECK_MAIN({"same numbers", code_and_stages_agree}, {"refuses", code_refuses},
           {"no memory", refused_memory_is_no_code})
