// SPDX-License-Identifier: MIT
#include "run/head.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pawl/version.h"
#include "sim/places.h"

enum { MOST_OVERRIDES = 1 << 20 };
static const char format[] = "pawl run " PAWL_VERSION;

static void put_options(pw_buf *out, const pawl_run_opts *o) {
  pw_put_real(out, o->sim.from);
  pw_put_real(out, o->sim.to);
  pw_put_real(out, o->sim.tol);
  pw_put_int(out, o->sim.method);
  pw_put_real(out, o->sim.max_step);
  pw_put_int(out, o->sim.max_steps);
  pw_put_int(out, o->sim.max_events);
  pw_put_int(out, o->sim.impacts);
  pw_put_int(out, o->sim.energy_gain);
  pw_put_int(out, o->sim.paradox);
  pw_put_int(out, o->sim.validate);
  pw_put_int(out, o->sim.start_impact);
  pw_put_int(out, o->sim.restitution_above_one);
  pw_put_real(out, o->every);
  pw_put_int(out, o->motion_bytes);
  pw_put_int(out, o->save);
  pw_put_int(out, o->no_certificate);
  pw_put_int(out, o->no_report);
}

static void get_options(pw_reader *in, pawl_run_opts *o) {
  o->sim.use_span = 1;
  o->use_method = 1;
  o->sim.from = pw_get_real(in);
  o->sim.to = pw_get_real(in);
  o->sim.tol = pw_get_real(in);
  o->sim.method = (pawl_method)pw_get_count(in, PAWL_METHOD_RADAU);
  o->sim.max_step = pw_get_real(in);
  o->sim.max_steps = (int64_t)pw_get_int(in);
  o->sim.max_events = (int64_t)pw_get_int(in);
  o->sim.impacts = (pawl_impacts)pw_get_count(in, PAWL_IMPACTS_SEQUENTIAL);
  o->sim.energy_gain = (pawl_gain)pw_get_count(in, PAWL_GAIN_STOP);
  o->sim.paradox = (pawl_paradox)pw_get_count(in, PAWL_PARADOX_ENUMERATE);
  o->sim.validate = (pawl_validate)pw_get_count(in, PAWL_VALIDATE_OFF);
  o->sim.start_impact = pw_get_count(in, 1);
  o->sim.restitution_above_one = pw_get_count(in, 1);
  o->every = pw_get_real(in);
  o->motion_bytes = (int64_t)pw_get_int(in);
  o->save = (unsigned)pw_get_count(in, PAWL_SAVE_NPZ | PAWL_SAVE_H5);
  o->no_certificate = pw_get_count(in, 1);
  o->no_report = pw_get_count(in, 1);
}

pawl_status pw_head_put(const pawl_run *run, pw_buf *out) {
  pw_buf text = {0}, own = {0};
  char input[PAWL_FILE_NAME];
  pw_system_input_name(run->sys, input); /* the copy in the folder, which nobody changes */
  pawl_status status = pawl_model_text(run->model, pw_buf_sink, &text);
  pw_put_text(&own, format);
  pw_put_text(&own, pawl_system_file(run->sys));
  pw_put_blob(&own, text.text, text.len);
  pw_put_int(&own, run->opts.n_override);
  for (int i = 0; i < run->opts.n_override; i++) {
    pw_put_text(&own, run->opts.overrides[i].name);
    pw_put_text(&own,
                pw_system_is_input(&run->opts.overrides[i]) ? input : run->opts.overrides[i].value);
  }
  put_options(&own, &run->opts);
  pw_motion_put_head(out, &run->shape, own.text, own.len);
  if (text.failed || own.failed || out->failed) {
    status = PAWL_E_MEMORY;
  }
  pw_buf_free(&text);
  pw_buf_free(&own);
  return status;
}

static bool decode(pw_reader in, pw_head *head) {
  const char *made_by = pw_get_text(&in);
  if (made_by == NULL || strcmp(made_by, format) != 0) {
    return false;
  }
  head->file = pw_get_text(&in);
  head->text = pw_get_blob(&in, &head->text_len);
  int n = pw_get_count(&in, MOST_OVERRIDES);
  head->overrides = calloc((size_t)n + 1, sizeof *head->overrides);
  for (int i = 0; i < n && head->overrides != NULL && !in.bad; i++) {
    head->overrides[i].name = pw_get_text(&in);
    head->overrides[i].value = pw_get_text(&in);
    in.bad = in.bad || head->overrides[i].name == NULL || head->overrides[i].value == NULL;
  }
  get_options(&in, &head->opts);
  head->opts.overrides = head->overrides;
  head->opts.n_override = n;
  return !in.bad && head->overrides != NULL && head->file != NULL && head->text != NULL;
}

/* The copy of a file that the run was given lies in its folder. False: out of memory. */
static bool place_input(const char *dir, pw_head *head) {
  bool there = true;
  for (int i = 0; i < head->opts.n_override && there; i++) {
    if (pw_system_is_input(&head->overrides[i])) {
      free(head->input);
      head->input = pw_folder_path(dir, false, head->overrides[i].value);
      head->overrides[i].value = head->input;
      there = head->input != NULL;
    }
  }
  return there;
}

pawl_status pw_head_get(const void *bytes, size_t count, const char *dir, pw_head *out) {
  const char *at = bytes;
  *out = (pw_head){0};
  if (at != NULL && decode((pw_reader){.at = at, .end = at + count}, out)) {
    bool placed = place_input(dir, out);
    if (!placed) {
      pw_head_free(out);
    }
    return placed ? PAWL_OK : PAWL_E_MEMORY;
  }
  bool memory = out->text == NULL || out->overrides != NULL;
  pw_head_free(out);
  return memory ? PAWL_E_FILE : PAWL_E_MEMORY;
}

void pw_head_free(pw_head *head) {
  free(head->overrides);
  free(head->input);
  *head = (pw_head){0};
}
