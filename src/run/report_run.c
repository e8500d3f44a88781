// SPDX-License-Identifier: MIT
/* The report of a run that has ended, and of a results folder. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "lang/text_model.h"
#include "pawl/report.h"
#include "report/report.h"
#include "run/folder_look.h"
#include "run/head.h"

enum { MOST_TEXT = 64 << 20 }; /* bytes of a file that is read whole */

typedef struct texts { /* of the files of a folder */
  const char *folder;
  pw_buf model, summary, certificate;
} texts;

static void drop_texts(texts *x) {
  pw_buf_free(&x->model);
  pw_buf_free(&x->summary);
  pw_buf_free(&x->certificate);
}

/* summary.json has one key on a line. Wall time and scales go, so that reports of equal runs are
 * equal. */
static void trim_summary(pw_buf *summary) {
  static const char *const keys[] = {",\n  \"scales\":", ",\n  \"wall_s\":"};
  for (size_t i = 0; summary->text != NULL && i < sizeof keys / sizeof *keys; i++) {
    char *from = strstr(summary->text, keys[i]);
    char *to = from == NULL ? NULL : strchr(from + 2, '\n');
    if (to != NULL) {
      to -= to[-1] == ',';
      memmove(from, to, strlen(to) + 1);
      summary->len = strlen(summary->text);
    }
  }
}

static const char *text_of(const pw_buf *buf) {
  return buf->text == NULL ? "" : buf->text;
}

static pawl_status write_page(pw_motion *motion, int64_t end, int64_t rows, int64_t events,
                              texts *x, pw_writer *out) {
  trim_summary(&x->summary);
  const pw_report_source source = {.motion = motion,
                                   .end = end,
                                   .rows = rows,
                                   .events = events,
                                   .folder = x->folder,
                                   .model = text_of(&x->model),
                                   .model_len = x->model.len,
                                   .summary = text_of(&x->summary),
                                   .certificate = text_of(&x->certificate)};
  return pw_report_write(&source, out);
}

static pawl_status tell(pawl_run *run, pawl_status (*what)(pawl_run *, pw_writer *), pw_buf *out) {
  pw_writer to = {.sink = pw_buf_sink, .payload = out};
  pawl_status status = what(run, &to);
  status = status == PAWL_OK ? pw_buf_flush(&to.buf, to.sink, to.payload) : status;
  bool failed = to.buf.failed || out->failed;
  pw_buf_free(&to.buf);
  return failed ? PAWL_E_MEMORY : status;
}

pawl_status pw_write_report(pawl_run *run, pw_writer *out) {
  texts x = {.folder = run->dir};
  pawl_status status = tell(run, pw_write_model, &x.model);
  status = status == PAWL_OK ? tell(run, pw_write_summary, &x.summary) : status;
  status = status == PAWL_OK ? tell(run, pw_write_certificate, &x.certificate) : status;
  if (status == PAWL_OK) {
    status = write_page(&run->partial.motion, run->partial.end, run->result.rows,
                        run->result.events, &x, out);
  }
  drop_texts(&x);
  return status;
}

/* ---- a folder ---- */

typedef struct folder {
  const char *dir;
  bool killed; /* only .partial/motion.pwt is there */
  pw_motion motion;
  int64_t end;
  int64_t rows, events;
  texts text;
} folder;

static pawl_status no_folder(const char *dir, const char *why, pawl_diags *diags) {
  pw_diag_ref ref =
      pw_error(diags, "E0618", PW_NO_SPAN, "there is nothing to report in `%s`: %s", dir, why);
  pw_help(ref, "`pawl run M.pawl -o DIR` makes a results folder");
  return PAWL_E_FILE;
}

static pawl_status read_text(const folder *x, const char *name, bool needed, pw_buf *out,
                             pawl_diags *diags) {
  char *path = pw_folder_path(x->dir, false, name);
  int reason = path == NULL ? PW_FILE_MEMORY : pw_file_read_all(path, MOST_TEXT, out);
  bool fine = reason == 0 || (!needed && reason != PW_FILE_MEMORY);
  pawl_status status = fine ? PAWL_OK : pw_folder_fail(diags, "read", path, reason);
  if (status == PAWL_OK && out->text != NULL && strlen(out->text) != out->len) {
    status = no_folder(x->dir, "its files are damaged", diags); /* a NUL in a text */
  }
  free(path);
  return status;
}

static pawl_status open_motion(folder *x, pawl_diags *diags) {
  pw_motion_fault fault = PW_MOTION_FINE;
  int reason = 0;
  for (int i = 0; i < 2; i++) {
    x->killed = i == 1;
    char *path = pw_folder_path(x->dir, x->killed, PW_MOTION_NAME);
    if (path == NULL) {
      return PAWL_E_MEMORY;
    }
    fault = pw_motion_open(&x->motion, path, &reason);
    free(path);
    if (fault != PW_MOTION_UNREADABLE || !pw_file_is_missing(reason)) {
      break;
    }
  }
  switch (fault) {
  case PW_MOTION_FINE: return PAWL_OK;
  case PW_MOTION_NO_MEMORY: return PAWL_E_MEMORY;
  case PW_MOTION_UNREADABLE:
    return no_folder(
        x->dir, pw_file_is_missing(reason) ? "it has no " PW_MOTION_NAME : pw_file_reason(reason),
        diags);
  case PW_MOTION_FOREIGN: break;
  }
  return no_folder(x->dir, "its " PW_MOTION_NAME " is damaged or of another version", diags);
}

/* The whole chunks; what a killed run has begun to write behind them does not count. */
static pawl_status count_chunks(folder *x, pawl_diags *diags) {
  pw_chunk_view view;
  int64_t size = 0;
  x->end = x->motion.first;
  while (pw_motion_next(&x->motion, &x->end, &view)) {
    x->rows += view.n_row;
    x->events += view.n_event;
  }
  if (x->motion.block.failed) {
    return PAWL_E_MEMORY;
  }
  bool whole = pw_file_size(&x->motion.file, &size) == 0 && x->end == size;
  return whole || x->killed ? PAWL_OK
                            : no_folder(x->dir, "its " PW_MOTION_NAME " is damaged", diags);
}

/* Of a killed run the model stands in the head of its motion.pwt. */
static pawl_status read_head(folder *x, pawl_diags *diags) {
  pw_head head;
  pawl_model *model = NULL;
  pawl_system *system = NULL;
  pawl_status status = pw_head_get(x->motion.own, x->motion.own_size, x->dir, &head);
  if (status != PAWL_OK) {
    return status == PAWL_E_FILE ? no_folder(x->dir, "it is of another version", diags) : status;
  }
  status = pawl_model_parse(head.text, head.text_len,
                            &(pawl_model_opts){.name = head.file, .folder = x->dir}, diags, &model);
  const pawl_system_opts opts = {
      .overrides = head.opts.overrides, .n_override = head.opts.n_override, .no_start = 1};
  status = status == PAWL_OK ? pawl_system_new(model, &opts, diags, &system) : status;
  status = status == PAWL_OK ? pawl_system_text(system, pw_buf_sink, &x->text.model) : status;
  pw_buf_puts(&x->text.summary, "{\"model\": ");
  pw_buf_json(&x->text.summary, head.file);
  pw_buf_puts(&x->text.summary, ", \"ending\": \"killed\", \"folder\": ");
  pw_buf_json(&x->text.summary, x->dir);
  pw_buf_puts(&x->text.summary, "}");
  pawl_system_free(system);
  pawl_model_free(model);
  pw_head_free(&head);
  return x->text.summary.failed ? PAWL_E_MEMORY : status;
}

static pawl_status read_folder(folder *x, pawl_diags *diags) {
  pawl_status status = open_motion(x, diags);
  status = status == PAWL_OK ? count_chunks(x, diags) : status;
  if (status != PAWL_OK || x->killed) {
    return status == PAWL_OK ? read_head(x, diags) : status;
  }
  status = read_text(x, "model.pawl", true, &x->text.model, diags);
  if (status == PAWL_OK) {
    status = read_text(x, "summary.json", false, &x->text.summary, diags);
  }
  return status == PAWL_OK ? read_text(x, "certificate.json", false, &x->text.certificate, diags)
                           : status;
}

static int to_file(void *payload, const char *bytes, unsigned long count) {
  return fwrite(bytes, 1, count, payload) != count;
}

static pawl_status write_file(folder *x, const char *path, pawl_diags *diags) {
  FILE *file = NULL;
  int reason = pw_file_stream_out(path, &file);
  if (reason != 0) {
    return pw_folder_fail(diags, "write", path, reason);
  }
  pw_writer out = {.sink = to_file, .payload = file};
  x->text.folder = x->dir;
  pawl_status status = write_page(&x->motion, x->end, x->rows, x->events, &x->text, &out);
  status = status == PAWL_OK ? pw_buf_flush(&out.buf, out.sink, out.payload) : status;
  reason = status == PAWL_E_FILE ? pw_file_last_error() : 0;
  pw_buf_free(&out.buf);
  int closed = pw_file_stream_close(file, true);
  reason = reason == 0 && status == PAWL_OK ? closed : reason;
  return reason != 0 ? pw_folder_fail(diags, "write", path, reason) : status;
}

typedef struct target { /* where a report is to be written */
  const char *dir, *path;
  bool partial; /* looking at the names in .partial */
  bool taken, memory;
} target;

static bool is_free(void *payload, const char *name) {
  target *x = payload;
  bool ours = x->partial ? pw_partial_owns(name)
                         : (pw_folder_has_file(name) && strcmp(name, "report.html") != 0) ||
                               pw_is_attached_name(name);
  char *own = ours ? pw_folder_path(x->dir, x->partial, name) : NULL;
  x->memory = x->memory && (own != NULL || !ours);
  x->taken = own != NULL && pw_file_same(own, x->path);
  free(own);
  return x->memory && !x->taken;
}

/* No other file of the results is replaced by their report. */
static pawl_status refuse_results(const char *dir, const char *path, pawl_diags *diags) {
  target x = {.dir = dir, .path = path, .memory = true};
  char *partial = pw_folder_path(dir, false, ".partial");
  int reason = partial == NULL ? PW_FILE_MEMORY : pw_dir_each(dir, is_free, &x);
  if (reason == 0 && x.memory && !x.taken) {
    x.partial = true;
    reason = pw_path_look(partial) == PW_PATH_FOLDER ? pw_dir_each(partial, is_free, &x) : 0;
  }
  free(partial);
  if (x.taken) {
    pw_error(diags, "E0610", PW_NO_SPAN, "cannot write `%s`: the report is made from this folder",
             path);
    return PAWL_E_FILE;
  }
  return !x.memory     ? PAWL_E_MEMORY
         : reason == 0 ? PAWL_OK
                       : pw_folder_fail(diags, "look into", dir, reason);
}

pawl_status pawl_report_write(const char *dir, const char *path, pawl_diags *diags) {
  if (dir == NULL) {
    return PAWL_E_ARGUMENT;
  }
  folder x = {.dir = dir, .motion = {.file = PW_FILE_CLOSED}};
  pawl_status status = read_folder(&x, diags);
  char *own = path == NULL ? pw_folder_path(dir, false, "report.html") : NULL;
  if (status == PAWL_OK && path == NULL && own == NULL) {
    status = PAWL_E_MEMORY;
  }
  if (status == PAWL_OK && path != NULL) {
    status = refuse_results(dir, path, diags);
  }
  if (status == PAWL_OK) {
    status = write_file(&x, path == NULL ? own : path, diags);
  }
  free(own);
  pw_motion_close(&x.motion);
  drop_texts(&x.text);
  return status;
}
