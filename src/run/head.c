// SPDX-License-Identifier: MIT
#include "run/head.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "pawl/version.h"
#include "traj/block.h"

enum { MOST_OVERRIDES = 1 << 20 };
static const char format[] = "pawl run " PAWL_VERSION;

static int into_buf(void *payload, const char *bytes, unsigned long count) {
  pw_buf *buf = payload;
  pw_buf_add(buf, bytes, count);
  return buf->failed;
}

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
  pw_put_int(out, o->sim.start_impact);
  pw_put_int(out, o->sim.restitution_above_one);
  pw_put_real(out, o->every);
  pw_put_int(out, o->save);
  pw_put_int(out, o->no_certificate);
}

static void get_options(pw_reader *in, pawl_run_opts *o) {
  o->sim.use_span = 1;
  o->use_method = 1;
  o->sim.from = pw_get_real(in);
  o->sim.to = pw_get_real(in);
  o->sim.tol = pw_get_real(in);
  o->sim.method = (pawl_method)pw_get_count(in, PAWL_METHOD_VARIATIONAL);
  o->sim.max_step = pw_get_real(in);
  o->sim.max_steps = (long)pw_get_int(in);
  o->sim.max_events = (long)pw_get_int(in);
  o->sim.impacts = (pawl_impacts)pw_get_count(in, PAWL_IMPACTS_SEQUENTIAL);
  o->sim.energy_gain = (pawl_gain)pw_get_count(in, PAWL_GAIN_STOP);
  o->sim.paradox = (pawl_paradox)pw_get_count(in, PAWL_PARADOX_ENUMERATE);
  o->sim.start_impact = pw_get_count(in, 1);
  o->sim.restitution_above_one = pw_get_count(in, 1);
  o->every = pw_get_real(in);
  o->save = (unsigned)pw_get_count(in, PAWL_SAVE_NPZ | PAWL_SAVE_H5);
  o->no_certificate = pw_get_count(in, 1);
}

static pawl_status encode(const pawl_run *run, pw_buf *out) {
  pw_buf text = {0};
  pawl_status status = pawl_model_text(run->model, into_buf, &text);
  status = text.failed ? PAWL_E_MEMORY : status;
  pw_put_text(out, format);
  pw_put_text(out, pawl_system_file(run->sys));
  pw_put_blob(out, text.text, text.len);
  pw_put_int(out, run->opts.n_override);
  for (int i = 0; i < run->opts.n_override; i++) {
    pw_put_text(out, run->opts.overrides[i].name);
    pw_put_text(out, run->opts.overrides[i].value);
  }
  put_options(out, &run->opts);
  pw_buf_free(&text);
  return status;
}

/* Under another name first, so that a head is there whole or not at all. */
static int write_head(const char *temporary, const char *path, const pw_buf *bytes) {
  int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) {
    return errno;
  }
  long long offset = 0;
  int reason = pw_block_append(fd, &offset, bytes) == PAWL_OK ? 0 : errno;
  close(fd);
  if (reason == 0 && rename(temporary, path) != 0) {
    reason = errno;
  }
  return reason;
}

pawl_status pw_head_write(const pawl_run *run, pawl_diags *diags) {
  pw_buf bytes = {0};
  char *temporary = pw_folder_path(run->dir, true, "head.new");
  char *path = pw_folder_path(run->dir, true, "head");
  pawl_status status = encode(run, &bytes);
  if (temporary == NULL || path == NULL || bytes.failed) {
    status = PAWL_E_MEMORY;
  }
  if (status == PAWL_OK) {
    int reason = write_head(temporary, path, &bytes);
    if (reason != 0) {
      pw_error(diags, "E0610", PW_NO_SPAN, "cannot write `%s`: %s", path, strerror(reason));
      status = PAWL_E_FILE;
    }
  }
  free(temporary);
  free(path);
  pw_buf_free(&bytes);
  return status;
}

static bool decode(pw_head *head) {
  pw_reader in = {.at = head->bytes.text, .end = head->bytes.text + head->bytes.len};
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

pawl_status pw_head_read(const char *dir, pawl_diags *diags, pw_head *out) {
  *out = (pw_head){0};
  char *path = pw_folder_path(dir, true, "head");
  if (path == NULL) {
    return pw_no_memory(diags);
  }
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  int reason = errno;
  free(path);
  if (fd < 0) {
    pw_diag_ref ref =
        pw_error(diags, "E0612", PW_NO_SPAN, "there is no run to resume in `%s`: %s", dir,
                 reason == ENOENT ? "it has no .partial/head" : strerror(reason));
    pw_help(ref, "only a run that was killed can be resumed; all others have written their files");
    return PAWL_E_FILE;
  }
  long long offset = 0;
  bool whole = pw_block_read(fd, &offset, &out->bytes);
  close(fd);
  bool known = whole && decode(out);
  if (out->bytes.failed || (whole && out->overrides == NULL && !known)) {
    pw_head_free(out);
    return pw_no_memory(diags);
  }
  if (!known) {
    pw_error(diags, "E0612", PW_NO_SPAN,
             "the run in `%s` cannot be resumed: its head is damaged or of another version", dir);
    pw_head_free(out);
    return PAWL_E_FILE;
  }
  return PAWL_OK;
}

void pw_head_free(pw_head *head) {
  free(head->overrides);
  pw_buf_free(&head->bytes);
  *head = (pw_head){0};
}
