// SPDX-License-Identifier: MIT
/* The library with little memory: in every use below each allocation fails once. Then the call that
 * is hit says PAWL_E_MEMORY, or all of the output is as with enough memory. Nothing leaks, nothing
 * crashes. */
#include <pawl/pawl.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_wrap.h"
#include "check.h"

enum { ROOM = 1 << 18, STEPS = 20 };

static const char ball[] = "parameter e = 0.5\n"
                           "coordinates x, y\n"
                           "kinetic T = 1/2*(x'^2 + y'^2)\n"
                           "potential V = 10*y\n"
                           "constraint floor: y >= 0, restitution e\n"
                           "friction rub: slip x', mu 0.3 on floor\n"
                           "start y = 0.1, x' = 1\n"
                           "event high: y = 0.02, rising\n"
                           "output speed = sqrt(x'^2 + y'^2)\n"
                           "run 0..1, every 0.05\n"
                           "expect y = 0 +- 1e-9\n";
static const char well[] = "coordinates x\n"
                           "kinetic T = 1/2*x'^2\n"
                           "potential V = 1/4*x^4 - 1/2*x^2\n"
                           "friction rub: slip x', bound 0.1\n"
                           "start x = 0.2\n"
                           "run 0..1\n";
static const char thrown[] = "coordinates y\n"
                             "kinetic T = 1/2*y'^2\n"
                             "potential V = 10*y\n"
                             "constraint floor: y >= 0, restitution 1\n"
                             "start y = 0.8\n"
                             "end y = 0.8\n"
                             "run 0..0.8\n";

typedef struct use {
  const char *text;
  pawl_status (*body)(struct use *u);
  pawl_model *model;
  pawl_system *system;
  pawl_diags *diags;
  char *out, *wanted; /* ROOM bytes each */
  size_t n, n_wanted;
  int wrong;
} use;

static int collect(void *payload, const char *bytes, unsigned long count) {
  use *u = payload;
  if (u->n + count > ROOM) {
    return 1;
  }
  memcpy(u->out + u->n, bytes, count);
  u->n += count;
  return 0;
}

static pawl_status only_system(use *u) {
  return pawl_check_json(u->system, "m", u->diags, collect, u);
}

static pawl_status stages(use *u) {
  static const pawl_stage list[] = {PAWL_SYSTEM, PAWL_TAPE, PAWL_DAG};
  pawl_status status = pawl_model_text(u->model, collect, u);
  for (int i = 0; i < 3 && status == PAWL_OK; i++) {
    status = pawl_system_dump(u->system, list[i], collect, u);
  }
  return status == PAWL_OK ? pawl_format(u->text, strlen(u->text), "m", u->diags, collect, u)
                           : status;
}

static pawl_status motion(use *u) {
  pawl_sim *sim = NULL;
  pawl_certifier *judge = NULL;
  pawl_point p;
  pawl_stop why = PAWL_AT_EVENT;
  pawl_certify_opts opts = {.from = 0, .to = 1, .variations = 1};
  pawl_status status = pawl_sim_new(u->system, NULL, u->diags, &sim);
  status = status == PAWL_OK ? pawl_certify_new(u->system, &opts, &judge) : status;
  for (int k = 0; k <= STEPS && status == PAWL_OK;) {
    status = pawl_sim_advance(sim, (double)k / STEPS, u->diags, &why);
    for (int side = why == PAWL_AT_EVENT ? PAWL_BEFORE : PAWL_AFTER;
         status == PAWL_OK && side <= PAWL_AFTER; side++) {
      status = pawl_sim_point(sim, (pawl_side)side, &p);
      collect(u, (const char *)p.q, 2 * sizeof *p.q);
      status = status == PAWL_OK ? pawl_certify_row(judge, p.t, p.q, p.u, p.force) : status;
    }
    k += why != PAWL_AT_EVENT;
  }
  if (status == PAWL_OK) {
    pawl_certify_finish(judge);
    status = pawl_certify_json(judge, 0, collect, u);
  }
  pawl_certify_free(judge);
  pawl_sim_free(sim);
  return status;
}

static pawl_status instant(use *u) {
  pawl_gauss *gauss = NULL;
  pawl_gauss_opts opts = {.past = 1};
  pawl_status status = pawl_gauss_new(u->system, &opts, u->diags, &gauss);
  status = status == PAWL_OK ? pawl_gauss_json(gauss, collect, u) : status;
  pawl_gauss_free(gauss);
  return status;
}

static pawl_status rest(use *u) {
  pawl_equilibria *list = NULL;
  pawl_equilibria_opts opts = {.starts = 3};
  pawl_status status = pawl_equilibria_new(u->system, &opts, u->diags, &list);
  status = status == PAWL_OK ? pawl_equilibria_json(list, collect, u) : status;
  pawl_equilibria_free(list);
  return status;
}

static pawl_status between(use *u) {
  pawl_bvp *bvp = NULL;
  pawl_bvp_opts opts = {.use_bounces = 1, .least = 0, .most = 0};
  pawl_status status = pawl_bvp_new(u->system, &opts, u->diags, &bvp);
  status = status == PAWL_OK ? pawl_bvp_json(bvp, collect, u) : status;
  status = status == PAWL_OK ? pawl_bvp_csv(bvp, 0, collect, u) : status;
  pawl_bvp_free(bvp);
  return status;
}

static void once(void *payload) {
  use *u = payload;
  u->n = 0;
  pawl_status status = pawl_diags_new(&u->diags);
  if (status == PAWL_OK) {
    status = pawl_model_parse(u->text, strlen(u->text), NULL, u->diags, &u->model);
  }
  if (status == PAWL_OK) {
    status = pawl_system_new(u->model, NULL, u->diags, &u->system);
  }
  if (status == PAWL_OK) {
    status = u->body(u);
  }
  int same = u->n == u->n_wanted && memcmp(u->out, u->wanted, u->n) == 0;
  u->wrong += status == PAWL_OK ? u->wanted[0] != '\0' && !same : status != PAWL_E_MEMORY;
  pawl_system_free(u->system);
  pawl_model_free(u->model);
  pawl_diags_free(u->diags);
  u->system = NULL;
  u->model = NULL;
  u->diags = NULL;
}

static void sweep(const char *text, pawl_status (*body)(use *u)) {
  use u = {.text = text, .body = body, .out = calloc(1, ROOM), .wanted = calloc(1, ROOM)};
  if (CHECK(u.out != NULL && u.wanted != NULL)) {
    once(&u);
    CHECK_INT(u.wrong, 0);
    CHECK(u.n > 100);
    memcpy(u.wanted, u.out, u.n);
    u.n_wanted = u.n;
    CHECK(alloc_sweep(once, &u) > 5);
    CHECK_INT(u.wrong, 0);
  }
  free(u.out);
  free(u.wanted);
}

static void a_system(void) {
  sweep(ball, only_system);
}
static void stages_of_the_compiler(void) {
  sweep(ball, stages);
}
static void a_motion_and_its_certificate(void) {
  sweep(ball, motion);
}
static void an_instant(void) {
  sweep(ball, instant);
}
static void equilibria(void) {
  sweep(well, rest);
}
static void a_boundary_value_problem(void) {
  sweep(thrown, between);
}

CHECK_MAIN({"a_system", a_system}, {"stages_of_the_compiler", stages_of_the_compiler},
           {"a_motion_and_its_certificate", a_motion_and_its_certificate},
           {"an_instant", an_instant}, {"equilibria", equilibria},
           {"a_boundary_value_problem", a_boundary_value_problem})
