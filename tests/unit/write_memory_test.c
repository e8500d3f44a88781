// SPDX-License-Identifier: MIT
/* Every allocation of a run fails once: an error comes back, nothing leaks, nothing crashes. */
#include <stdlib.h>
#include <unistd.h>

#include "alloc_wrap.h"
#include "check.h"
#include "pawl/write.h"

static const char text[] = "coordinates x\n"
                           "kinetic T = 1/2*x'^2\n"
                           "start x = 0, x' = 1\n"
                           "event half: x = 0.5\n"
                           "run 0..1, every 0.25\n"
                           "expect x = 1 +- 1e-6\n";

typedef struct attempt {
  const char *dir; /* NULL: in memory */
  int completed;
} attempt;

static int swallow(void *payload, const char *bytes, unsigned long count) {
  (void)payload;
  (void)bytes;
  (void)count;
  return 0;
}

static int use_run(pawl_run *run, pawl_diags *diags) {
  return pawl_run_go(run, diags) == PAWL_OK &&
         pawl_run_json(run, diags, swallow, NULL) == PAWL_OK &&
         pawl_check_json(pawl_run_system(run), "m", diags, swallow, NULL) == PAWL_OK;
}

static void once(void *payload) {
  attempt *a = payload;
  pawl_diags *diags = NULL;
  pawl_model *model = NULL;
  pawl_run *run = NULL;
  pawl_run_opts opts = {.dir = a->dir,
                        .save = a->dir == NULL ? 0 : PAWL_SAVE_NPZ,
                        .keep_events = 1,
                        .force = 1, /* over what an attempt that failed has left */
                        .overrides = &(pawl_override){"x", "0.25"},
                        .n_override = 1};
  a->completed = pawl_diags_new(&diags) == PAWL_OK &&
                 pawl_model_parse(text, sizeof text - 1, NULL, diags, &model) == PAWL_OK &&
                 pawl_run_new(model, &opts, diags, &run) == PAWL_OK && use_run(run, diags);
  pawl_run_free(run);
  pawl_model_free(model);
  pawl_diags_free(diags);
}

static void in_memory(void) {
  attempt a = {0};
  CHECK(alloc_sweep(once, &a) > 10);
  CHECK(a.completed);
}

static void into_a_folder(void) {
  char place[] = "/tmp/pawl-memory-XXXXXX";
  if (!CHECK(mkdtemp(place) != NULL)) {
    return;
  }
  char dir[64], command[96];
  snprintf(dir, sizeof dir, "%s/out", place);
  attempt a = {.dir = dir};
  CHECK(alloc_sweep(once, &a) > 20);
  CHECK(a.completed);
  snprintf(command, sizeof command, "rm -r %s", place);
  CHECK(system(command) == 0);
}

CHECK_MAIN({"in memory", in_memory}, {"into a folder", into_a_folder})
