// SPDX-License-Identifier: MIT
/* One pawl_system used by several threads at once: each runs the motion, looks at an instant and
 * judges its own rows. All come to the same bytes. */
#include <pawl/pawl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { THREADS = 4, ROWS = 50, ROOM = 1 << 16 };

typedef struct job {
  const pawl_system *system;
  unsigned char bytes[ROOM]; /* every number that came out */
  size_t n;
  pawl_verdict verdict;
  int failed;
} job;

static void keep(job *j, const void *bytes, size_t size) {
  if (j->n + size > ROOM) {
    j->failed = 1;
    return;
  }
  memcpy(j->bytes + j->n, bytes, size);
  j->n += size;
}

static void keep_point(job *j, pawl_sim *sim, pawl_certifier *judge) {
  pawl_point p;
  if (pawl_sim_point(sim, PAWL_AFTER, &p) != PAWL_OK) {
    j->failed = 1;
    return;
  }
  keep(j, &p.t, sizeof p.t);
  keep(j, p.q, (size_t)pawl_system_positions(j->system) * sizeof *p.q);
  keep(j, p.u, (size_t)pawl_system_velocities(j->system) * sizeof *p.u);
  keep(j, p.force, (size_t)pawl_system_laws(j->system) * sizeof *p.force);
  j->failed |= pawl_certify_row(judge, p.t, p.q, p.u, p.force) != PAWL_OK;
}

static void follow(job *j, double to) {
  pawl_sim *sim = NULL;
  pawl_certifier *judge = NULL;
  pawl_diags *diags = NULL;
  pawl_sim_opts opts = {.use_span = 1, .from = 0, .to = to};
  pawl_certify_opts judged = {.from = 0, .to = to};
  j->failed |= pawl_diags_new(&diags) != PAWL_OK ||
               pawl_sim_new(j->system, &opts, diags, &sim) != PAWL_OK ||
               pawl_certify_new(j->system, &judged, &judge) != PAWL_OK;
  for (int k = 0; k <= ROWS && !j->failed; k++) {
    pawl_stop why = PAWL_AT_EVENT;
    while (!j->failed && why == PAWL_AT_EVENT) {
      j->failed |= pawl_sim_advance(sim, to * k / ROWS, diags, &why) != PAWL_OK;
    }
    keep_point(j, sim, judge);
  }
  if (!j->failed) {
    pawl_certify_finish(judge);
    j->verdict = pawl_certify_get(judge).verdict;
  }
  pawl_certify_free(judge);
  pawl_sim_free(sim);
  pawl_diags_free(diags);
}

static void look(job *j) {
  pawl_gauss *gauss = NULL;
  pawl_gauss_opts opts = {.past = 0};
  j->failed |= pawl_gauss_new(j->system, &opts, NULL, &gauss) != PAWL_OK;
  if (!j->failed) {
    keep(j, pawl_gauss_velocities(gauss),
         (size_t)pawl_system_velocities(j->system) * sizeof(double));
  }
  pawl_gauss_free(gauss);
}

static void *work(void *payload) {
  job *j = payload;
  look(j);
  follow(j, 1);
  return NULL;
}

/* The model is freed before the threads begin: the system stands alone. */
static void share(const char *path) {
  pawl_model *model = NULL;
  pawl_system *system = NULL;
  job *jobs = calloc(THREADS, sizeof *jobs);
  pthread_t thread[THREADS];
  CHECK_INT(pawl_model_load(path, NULL, &model), PAWL_OK);
  CHECK_INT(pawl_system_new(model, NULL, NULL, &system), PAWL_OK);
  pawl_model_free(model);
  for (int i = 0; i < THREADS && jobs != NULL; i++) {
    jobs[i].system = system;
    CHECK_INT(pthread_create(&thread[i], NULL, work, &jobs[i]), 0);
  }
  for (int i = 0; i < THREADS && jobs != NULL; i++) {
    CHECK_INT(pthread_join(thread[i], NULL), 0);
    CHECK_INT(jobs[i].failed, 0);
    CHECK(jobs[i].n > ROWS * sizeof(double) && jobs[i].n == jobs[0].n);
    CHECK(memcmp(jobs[i].bytes, jobs[0].bytes, jobs[0].n) == 0);
    CHECK_INT(jobs[i].verdict, jobs[0].verdict);
  }
  free(jobs);
  pawl_system_free(system);
}

static void a_ball_that_bounces(void) {
  share(PW_SOURCE_DIR "/examples/bouncing-ball.pawl");
}

static void contacts_with_friction(void) {
  share(PW_SOURCE_DIR "/examples/woodpecker.pawl");
}

static void a_rotation(void) {
  share(PW_SOURCE_DIR "/examples/tennis-racket.pawl");
}

CHECK_MAIN({"a_ball_that_bounces", a_ball_that_bounces},
           {"contacts_with_friction", contacts_with_friction}, {"a_rotation", a_rotation})
