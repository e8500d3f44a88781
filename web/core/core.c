// SPDX-License-Identifier: MIT
/* What the playground calls: check a text, or run it into the folder /out of the files in memory.
 * A text comes with its size in bytes: a NUL in it is an error of the model, not its end.
 * Both return JSON, as `pawl check --json` and `pawl run --json` print it, until the next call. */
#include <emscripten.h>
#include <stdlib.h>
#include <string.h>

#include "pawl/pawl.h"

enum { MOTION_BYTES = 1 << 25 };
static const double most_seconds = 60; /* a run that does not end */
static const char folder[] = "/out";

static struct {
  char *text;
  size_t len, cap;
} answer;

static int into_answer(void *payload, const char *bytes, unsigned long count) {
  (void)payload;
  if (answer.len + count + 1 > answer.cap) {
    size_t cap = 2 * (answer.len + count) + 4096;
    char *text = realloc(answer.text, cap);
    if (text == NULL) {
      return 1;
    }
    answer.text = text;
    answer.cap = cap;
  }
  memcpy(answer.text + answer.len, bytes, count);
  answer.len += count;
  answer.text[answer.len] = '\0';
  return 0;
}

static const char no_memory[] =
    "{\"errors\":[{\"code\":\"E0192\",\"line\":0,\"column\":0,\"length\":0,\"message\":\"out of "
    "memory\"}],\"warnings\":[]}";

static const char *answered(pawl_status status) {
  return status == PAWL_OK && answer.text != NULL ? answer.text : no_memory;
}

const char *core_check(const char *text, size_t size);
const char *core_run(const char *text, size_t size, char *overrides);

static const pawl_model_opts model_opts = {.name = "model.pawl"};

EMSCRIPTEN_KEEPALIVE const char *core_check(const char *text, size_t size) {
  pawl_diags *diags = NULL;
  pawl_model *model = NULL;
  pawl_system *system = NULL;
  answer.len = 0;
  pawl_status status = pawl_diags_new(&diags);
  if (status == PAWL_OK) {
    status = pawl_model_parse(text, size, &model_opts, diags, &model);
    if (model != NULL) {
      pawl_status made = pawl_system_new(model, NULL, diags, &system);
      status = status == PAWL_OK ? made : status;
    }
    if (status != PAWL_E_MEMORY) {
      status = pawl_check_json(system, model_opts.name, diags, into_answer, NULL);
    }
  }
  pawl_system_free(system);
  pawl_model_free(model);
  pawl_diags_free(diags);
  return answered(status);
}

EM_JS(int, tell_progress, (double part, double rows, double events), {
  return Module.progress ? Module.progress(part, rows, events) : 0;
})

static int on_progress(void *payload, const pawl_progress *now) {
  (void)payload;
  double span = now->to - now->from;
  return tell_progress(span > 0 ? (now->t - now->from) / span : 0, (double)now->rows,
                       (double)now->events);
}

/* "e=0.8\nm=2\n": the text is cut at its separators. */
static int read_overrides(char *list, pawl_override *out) {
  int n = 0;
  for (char *line = strtok(list, "\n"); line != NULL; line = strtok(NULL, "\n")) {
    char *equal = strchr(line, '=');
    if (equal != NULL) {
      *equal = '\0';
      out[n++] = (pawl_override){line, equal + 1};
    }
  }
  return n;
}

static size_t count_lines(const char *list) {
  size_t n = 0;
  for (const char *at = strchr(list, '\n'); at != NULL; at = strchr(at + 1, '\n')) {
    n++;
  }
  return n;
}

static pawl_status run_with(const pawl_model *model, const pawl_override *overrides, int n,
                            pawl_diags *diags) {
  pawl_run_opts opts = {.overrides = overrides,
                        .n_override = n,
                        .dir = folder,
                        .force = 1,
                        .motion_bytes = MOTION_BYTES,
                        .max_seconds = most_seconds,
                        .progress = on_progress};
  pawl_run *run = NULL;
  pawl_status status = pawl_run_new(model, &opts, diags, &run);
  if (status == PAWL_OK) {
    pawl_status went = pawl_run_go(run, diags);
    pawl_run_result result = pawl_run_result_get(run);
    status = went != PAWL_OK && result.rows == 0
                 ? went
                 : pawl_run_json(run, diags, into_answer, NULL);
  }
  pawl_run_free(run);
  return status;
}

static pawl_status run_model(const pawl_model *model, char *list, pawl_diags *diags) {
  pawl_override *overrides = calloc(count_lines(list) + 1, sizeof *overrides);
  if (overrides == NULL) {
    return PAWL_E_MEMORY;
  }
  int n = read_overrides(list, overrides);
  pawl_status status = run_with(model, overrides, n, diags);
  free(overrides);
  return status;
}

EMSCRIPTEN_KEEPALIVE const char *core_run(const char *text, size_t size, char *overrides) {
  pawl_diags *diags = NULL;
  pawl_model *model = NULL;
  answer.len = 0;
  pawl_status status = pawl_diags_new(&diags);
  if (status == PAWL_OK) {
    status = pawl_model_parse(text, size, &model_opts, diags, &model);
    status = status == PAWL_OK ? run_model(model, overrides, diags) : status;
    if (status != PAWL_OK && status != PAWL_E_MEMORY) {
      status = pawl_check_json(NULL, model_opts.name, diags, into_answer, NULL);
    }
  }
  pawl_model_free(model);
  pawl_diags_free(diags);
  return answered(status);
}

int main(void) { return 0; }
