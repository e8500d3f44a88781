// SPDX-License-Identifier: MIT
/* The results folder: made or cleared at the first step. At the end its files are written in
 * .partial and then renamed into place, summary.json last. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "lang/text_model.h"
#include "pawl/picture.h"
#include "report/contacts_csv.h"
#include "run/folder_look.h"
#include "run/run.h"
#include "sim/places.h"

typedef pawl_status (*run_writer)(pawl_run *run, pw_writer *out);

enum { REPORT = 1 << 30, CONTACTS = 1 << 29 };
static const struct named_file {
  const char *name;
  const pw_format *format; /* of the trajectory: made in one pass over the blocks */
  run_writer tell;         /* about the run; both NULL: motion.pwt */
  unsigned save;           /* 0: always written; REPORT: unless it is not wanted; CONTACTS: if
                              shapes may touch */
} files[] = {{"trajectory.csv", &pw_format_csv, NULL, 0},
             {"trajectory.npz", &pw_format_npz, NULL, PAWL_SAVE_NPZ},
             {"trajectory.h5", &pw_format_h5, NULL, PAWL_SAVE_H5},
             {"events.csv", &pw_format_events_csv, NULL, 0},
             {"events.jsonl", &pw_format_events_jsonl, NULL, 0},
             {"contacts.csv", &pw_format_contacts_csv, NULL, CONTACTS},
             {"certificate.json", NULL, pw_write_certificate, 0},
             {"model.pawl", NULL, pw_write_model, 0},
             {PW_MOTION_NAME, NULL, NULL, 0},
             {"report.html", NULL, pw_write_report, REPORT},
             {"summary.json", NULL, pw_write_summary, 0}};
enum { N_FILES = sizeof files / sizeof *files };

bool pw_folder_has_file(const char *name) {
  bool has = false;
  for (int i = 0; i < N_FILES; i++) {
    has = has || strcmp(name, files[i].name) == 0;
  }
  return has;
}

static bool is_wanted(const pawl_run *run, int i) {
  if (files[i].save == CONTACTS) {
    return pawl_system_touches(run->sys) > 0 || pw_sim_is_heap(run->sim);
  }
  return files[i].save == 0 || (files[i].save == REPORT ? run->opts.no_report == 0
                                                        : (run->opts.save & files[i].save) != 0);
}

char *pw_folder_path(const char *dir, bool partial, const char *name) {
  size_t size = strlen(dir) + strlen(name) + sizeof "/.partial/";
  char *path = malloc(size);
  if (path != NULL) {
    snprintf(path, size, "%s/%s%s", dir, partial ? ".partial/" : "", name);
  }
  return path;
}

pawl_status pw_folder_fail(pawl_diags *diags, const char *what, const char *path, int reason) {
  if (path == NULL || reason == PW_FILE_MEMORY) {
    return PAWL_E_MEMORY;
  }
  pw_error(diags, "E0610", PW_NO_SPAN, "cannot %s `%s`: %s", what, path, pw_file_reason(reason));
  return pw_file_status(reason);
}

pawl_status pw_folder_locked(const char *dir, pawl_diags *diags) {
  pw_error(diags, "E0613", PW_NO_SPAN, "another run is writing to `%s`", dir);
  return PAWL_E_FILE;
}

/* ---- before a run ---- */

/* Cuts the last part off a path; false: nothing is left. */
static bool to_parent(char *path) {
  size_t len = strlen(path);
  while (len > 0 && path[len - 1] == '/') {
    len--;
  }
  while (len > 0 && path[len - 1] != '/') {
    len--;
  }
  path[len] = '\0';
  return len > 0;
}

/* The nearest folder above that exists must be writable; the missing ones are made later. */
static pawl_status check_parent(const char *dir, pawl_diags *diags) {
  char *path = pw_folder_path(dir, false, "");
  if (path == NULL) {
    return PAWL_E_MEMORY;
  }
  pawl_status status = PAWL_OK;
  for (bool over = false; !over;) {
    over = !to_parent(path);
    const char *parent = over ? "." : path;
    int reason = 0;
    pw_path_kind kind = pw_path_target(parent, &reason);
    if (kind == PW_PATH_NONE && !over && pw_file_is_missing(reason)) {
      continue;
    }
    reason = kind == PW_PATH_FOLDER ? pw_dir_check_writable(parent) : reason;
    if (kind != PW_PATH_FOLDER && kind != PW_PATH_NONE) {
      pw_error(diags, "E0610", PW_NO_SPAN, "cannot make a folder in `%s`: it is no folder", parent);
      status = PAWL_E_FILE;
    } else if (reason != 0) {
      status = pw_folder_fail(diags, "make a folder in", parent, reason);
    }
    over = true;
  }
  free(path);
  return status;
}

/* Another process that still writes there holds a lock. */
static pawl_status check_lock(const char *dir, pawl_diags *diags) {
  char *path = pw_folder_path(dir, true, PW_MOTION_NAME);
  if (path == NULL) {
    return PAWL_E_MEMORY;
  }
  pw_file file;
  bool locked = false;
  if (pw_file_open(path, PW_FILE_CHANGE, &file) == 0) {
    locked = pw_file_lock(&file) == PW_FILE_LOCKED;
    pw_file_close(&file);
  }
  free(path);
  return locked ? pw_folder_locked(dir, diags) : PAWL_OK;
}

static pawl_status refuse(const char *dir, const pw_folder_contents *c, pawl_diags *diags) {
  if (c->partial == PW_PATH_LINK) {
    pw_diag_ref link =
        pw_error(diags, "E0611", PW_NO_SPAN, "`%s/.partial` is a link, which is not followed", dir);
    pw_help(link, "remove the link, or choose another folder with `-o DIR`");
    return PAWL_E_FILE;
  }
  pw_diag_ref ref =
      pw_error(diags, "E0611", PW_NO_SPAN, "`%s` is there already and is no results folder", dir);
  if (c->foreign[0] != '\0') {
    pw_note(ref, "no run wrote `%s/%s`", dir, c->foreign);
  }
  pw_help(ref, "choose another folder with `-o DIR`");
  return PAWL_E_FILE;
}

/* The files that the model was read from stay as they are. Its own copy may be one of them: the run
 * writes the same text again. */
static pawl_status spare_sources(const pawl_run *run, pawl_diags *diags) {
  const char *source;
  bool taken = false, memory = true;
  for (int i = 0; !taken && memory && (source = pw_place_source(run->sys, i)) != NULL; i++) {
    for (int k = 0; !taken && memory && k < N_FILES; k++) {
      bool copy = files[k].tell == pw_write_model && run->opts.n_override == 0;
      char *path = pw_folder_path(run->dir, false, files[k].name);
      memory = path != NULL;
      taken = memory && !copy && pw_file_same(path, source);
      if (taken) {
        pw_diag_ref ref =
            pw_error(diags, "E0611", PW_NO_SPAN, "the run reads `%s` and would replace it", source);
        pw_help(ref, "choose another folder with `-o DIR`");
      }
      free(path);
    }
  }
  return !memory ? PAWL_E_MEMORY : taken ? PAWL_E_FILE : PAWL_OK;
}

static pawl_status check_folder(const pawl_run *run, const pw_folder_contents *c,
                                pawl_diags *diags) {
  if (!(c->ours || c->empty || (c->complete && c->partial == PW_PATH_NONE)) ||
      c->foreign[0] != '\0') {
    return refuse(run->dir, c, diags);
  }
  int reason = pw_dir_check_writable(run->dir);
  if (reason != 0) {
    return pw_folder_fail(diags, "write to", run->dir, reason);
  }
  pawl_status status = spare_sources(run, diags);
  status = status == PAWL_OK ? check_lock(run->dir, diags) : status;
  if (status == PAWL_OK && c->killed && run->opts.force == 0) {
    pw_diag_ref ref =
        pw_error(diags, "E0616", PW_NO_SPAN, "`%s` holds a run that was killed", run->dir);
    pw_help(ref, "`pawl run --resume %s` takes it up; `--force` throws it away", run->dir);
    return PAWL_E_FILE;
  }
  return status;
}

pawl_status pw_folder_check(const pawl_run *run, pawl_diags *diags) {
  int reason = 0;
  pw_path_kind kind = pw_path_target(run->dir, &reason);
  if (kind == PW_PATH_NONE) {
    return pw_file_is_missing(reason) ? check_parent(run->dir, diags)
                                      : pw_folder_fail(diags, "write to", run->dir, reason);
  }
  pw_folder_contents contents = {0};
  reason = kind == PW_PATH_FOLDER ? pw_folder_look(run->dir, &contents) : 0;
  return reason != 0 ? pw_folder_fail(diags, "look into", run->dir, reason)
                     : check_folder(run, &contents, diags);
}

/* ---- making and clearing ---- */

static int make_path(char *path) {
  for (char *at = path + 1; *at != '\0'; at++) {
    if (*at == '/' && at[1] != '\0') {
      *at = '\0';
      int made = pw_dir_make(path);
      *at = '/';
      if (made != 0 && !pw_file_exists_already(made)) {
        return made;
      }
    }
  }
  int made = pw_dir_make(path);
  return made != 0 && !pw_file_exists_already(made) ? made : 0;
}

/* 0 also if it is not there. */
static int remove_in(const char *dir, bool partial, const char *name) {
  char *path = pw_folder_path(dir, partial, name);
  int reason = path == NULL ? PW_FILE_MEMORY : pw_path_remove(path);
  free(path);
  return pw_file_is_missing(reason) ? 0 : reason;
}

typedef struct removal {
  const char *dir;
  int reason;
} removal;

static bool remove_partial_file(void *payload, const char *name) {
  removal *r = payload;
  r->reason = pw_partial_owns(name) ? remove_in(r->dir, true, name) : 0;
  return r->reason == 0;
}

/* Only a folder of that name is cleared, never what a link leads to; what somebody else has put
 * into it stays. */
static int clear_partial(const char *dir) {
  char *path = pw_folder_path(dir, false, ".partial");
  removal r = {.dir = dir, .reason = path == NULL ? PW_FILE_MEMORY : 0};
  if (path != NULL && pw_path_look(path) == PW_PATH_FOLDER) {
    int listed = pw_dir_each(path, remove_partial_file, &r);
    r.reason = r.reason == 0 ? listed : r.reason;
  }
  free(path);
  return r.reason;
}

static bool remove_attached(void *payload, const char *name) {
  removal *r = payload;
  r->reason = pw_is_attached_name(name) ? remove_in(r->dir, false, name) : 0;
  return r->reason == 0;
}

/* Files of an earlier run go; anything else in the folder is not ours. */
static int clear_folder(const char *dir) {
  int reason = clear_partial(dir);
  for (int i = 0; i < N_FILES && reason == 0; i++) {
    reason = remove_in(dir, false, files[i].name);
  }
  removal r = {.dir = dir, .reason = reason};
  int listed = reason == 0 ? pw_dir_each(dir, remove_attached, &r) : 0;
  return r.reason == 0 ? listed : r.reason;
}

static int to_file(void *payload, const char *bytes, unsigned long count) {
  return fwrite(bytes, 1, count, payload) != count;
}

/* Parts of the model are there from the first step on: a run that is taken up needs them. */
static pawl_status write_attached(const pawl_run *run, int i, pawl_diags *diags) {
  char name[PAWL_FILE_NAME] = "";
  pw_buf text = {0};
  pawl_status status = pawl_system_attached(run->sys, i, name, pw_buf_sink, &text);
  if (text.failed) {
    status = pw_no_memory(diags);
  }
  char *path = status == PAWL_OK ? pw_folder_path(run->dir, false, name) : NULL;
  FILE *file = NULL;
  if (status == PAWL_OK) {
    int reason = path == NULL ? PW_FILE_MEMORY : pw_file_stream_out(path, &file);
    if (reason == 0) {
      reason = to_file(file, text.text, text.len) != 0 ? pw_file_last_error() : 0;
      int closed = pw_file_stream_close(file, true);
      reason = reason == 0 ? closed : reason;
    }
    status = reason == 0 ? PAWL_OK : pw_folder_fail(diags, "write", path, reason);
  }
  free(path);
  pw_buf_free(&text);
  return status;
}

static pawl_status write_all_attached(const pawl_run *run, pawl_diags *diags) {
  pawl_status status = PAWL_OK;
  for (int i = 0; status == PAWL_OK; i++) {
    status = write_attached(run, i, diags);
  }
  return status == PAWL_E_ARGUMENT ? PAWL_OK : status; /* beyond the last */
}

pawl_status pw_folder_lock(pawl_run *run, pawl_diags *diags) {
  int reason = pw_dir_lock(run->dir, &run->partial.folder);
  return reason == PW_FILE_LOCKED ? pw_folder_locked(run->dir, diags)
         : reason != 0            ? pw_folder_fail(diags, "write to", run->dir, reason)
                                  : PAWL_OK;
}

static pawl_status make_folder(char *path, pawl_diags *diags) {
  int reason = path == NULL ? PW_FILE_MEMORY : make_path(path);
  if (reason != 0) {
    return pw_folder_fail(diags, "make the folder", path, reason);
  }
  return pw_path_look(path) == PW_PATH_FOLDER /* of "DIR/" it is what a link leads to */
             ? PAWL_OK
             : pw_folder_fail(diags, "write to", path, PW_FILE_LINK);
}

/* Under the lock the folder is looked at again: other runs may have been there since. .partial is
 * made before anything is removed: at every instant this is a results folder. */
pawl_status pw_folder_open(pawl_run *run, pawl_diags *diags) {
  char *path = pw_folder_path(run->dir, false, "");
  char *partial = pw_folder_path(run->dir, false, ".partial");
  pawl_status status = make_folder(path, diags);
  if (status == PAWL_OK) {
    status = pw_folder_lock(run, diags);
  }
  if (status == PAWL_OK) {
    status = pw_folder_check(run, diags);
  }
  if (status == PAWL_OK) {
    status = make_folder(partial, diags);
  }
  free(path);
  free(partial);
  if (status == PAWL_OK) {
    int reason = clear_folder(run->dir);
    status = reason == 0 ? PAWL_OK : pw_folder_fail(diags, "clear", run->dir, reason);
  }
  status = status == PAWL_OK ? write_all_attached(run, diags) : status;
  return status == PAWL_OK ? pw_partial_begin(run, diags) : status;
}

/* ---- the files ---- */

static pawl_status cannot_write(const char *path, pawl_status status, int reason,
                                pawl_diags *diags) {
  pw_error(diags, "E0610", PW_NO_SPAN, "cannot write `%s`: %s", path,
           status == PAWL_E_FILE ? pw_file_reason(reason) : pawl_status_text(status));
  return status;
}

static pawl_status write_text(pawl_run *run, int i, pawl_diags *diags) {
  char *path = pw_folder_path(run->dir, true, files[i].name);
  FILE *file = NULL;
  int reason = path == NULL ? PW_FILE_MEMORY : pw_file_stream_out(path, &file);
  pawl_status status = pw_file_status(reason);
  if (status == PAWL_OK) {
    pw_writer out = {.sink = to_file, .payload = file};
    status = files[i].tell(run, &out);
    status = status == PAWL_OK ? pw_buf_flush(&out.buf, out.sink, out.payload) : status;
    reason = status == PAWL_OK ? 0 : pw_file_last_error();
    pw_buf_free(&out.buf);
    int closed = pw_file_stream_close(file, pw_run_is_lasting(run));
    reason = reason == 0 ? closed : reason;
    status = status == PAWL_OK ? pw_file_status(closed) : status;
  }
  if (status != PAWL_OK && path != NULL) {
    status = cannot_write(path, status, reason, diags);
  }
  free(path);
  return status;
}

/* ---- the formats of the trajectory, in one pass over the blocks ---- */

typedef struct sheets {
  pw_sheet of[N_FILES];
  char *path[N_FILES];
  int failed; /* which one, or -1 */
} sheets;

static pawl_status take_chunk(void *payload, const pw_chunk_view *view) {
  sheets *x = payload;
  for (int i = 0; i < N_FILES; i++) {
    pawl_status status = x->path[i] == NULL ? PAWL_OK : pw_sheet_take(&x->of[i], view);
    if (status != PAWL_OK) {
      x->failed = i;
      return status;
    }
  }
  return PAWL_OK;
}

static pawl_status begin_sheets(const pawl_run *run, const pw_write_record *record, sheets *x) {
  pawl_status status = PAWL_OK;
  for (int i = 0; i < N_FILES && status == PAWL_OK; i++) {
    if (files[i].format == NULL || !is_wanted(run, i)) {
      continue;
    }
    x->path[i] = pw_folder_path(run->dir, true, files[i].name);
    x->failed = i;
    status = x->path[i] == NULL ? PAWL_E_MEMORY
                                : pw_sheet_begin(&x->of[i], files[i].format, record, x->path[i]);
  }
  x->failed = status == PAWL_OK ? -1 : x->failed;
  return status;
}

static pawl_status end_sheets(sheets *x, pawl_status status) {
  for (int i = 0; i < N_FILES; i++) {
    if (x->path[i] != NULL) {
      pawl_status ended = pw_sheet_end(&x->of[i], status == PAWL_OK);
      x->failed = status == PAWL_OK && ended != PAWL_OK ? i : x->failed;
      status = status == PAWL_OK ? ended : status;
    }
  }
  return status;
}

static pawl_status write_formats(pawl_run *run, pawl_diags *diags) {
  sheets *x = calloc(1, sizeof *x);
  if (x == NULL) {
    return PAWL_E_MEMORY;
  }
  pw_write_record record = {.shape = &run->shape,
                            .rows = run->result.rows,
                            .events = run->result.events,
                            .system = run->sys,
                            .lasting = pw_run_is_lasting(run)};
  pawl_status status = begin_sheets(run, &record, x);
  if (status == PAWL_OK) {
    status = pw_motion_visit(&run->partial.motion, run->partial.end, take_chunk, x);
  }
  status = end_sheets(x, status);
  if (status != PAWL_OK && x->failed >= 0 && x->path[x->failed] != NULL) {
    status = cannot_write(x->path[x->failed], status, x->of[x->failed].reason, diags);
  } else if (status == PAWL_E_FILE) {
    pw_error(diags, "E0610", PW_NO_SPAN, "cannot read back `%s/.partial/%s`: it is damaged",
             run->dir, PW_MOTION_NAME);
  }
  for (int i = 0; i < N_FILES; i++) {
    free(x->path[i]);
  }
  free(x);
  return status;
}

static pawl_status put_in_place(const pawl_run *run, int i, pawl_diags *diags) {
  char *from = pw_folder_path(run->dir, true, files[i].name);
  char *to = pw_folder_path(run->dir, false, files[i].name);
  int reason = from == NULL || to == NULL ? PW_FILE_MEMORY : pw_path_rename(from, to);
  pawl_status status = reason == 0 ? PAWL_OK : pw_folder_fail(diags, "write", to, reason);
  free(from);
  free(to);
  return status;
}

static pawl_status remove_partial(const pawl_run *run, pawl_diags *diags) {
  char *path = pw_folder_path(run->dir, false, ".partial");
  int reason = clear_partial(run->dir);
  if (reason == 0) {
    reason = path == NULL ? PW_FILE_MEMORY : pw_dir_remove(path);
  }
  if (pw_file_is_not_empty(reason)) { /* somebody else wrote there while the run went on */
    pw_warning(diags, "W0607", PW_NO_SPAN, "`%s` stays: it holds what no run wrote", path);
    reason = 0;
  }
  pawl_status status = reason == 0 ? PAWL_OK : pw_folder_fail(diags, "remove", path, reason);
  free(path);
  return status;
}

pawl_status pw_folder_finish(pawl_run *run, pawl_diags *diags) {
  pawl_status status = pw_partial_append(run, diags);
  if (status == PAWL_OK) {
    status = pw_partial_flush(run, diags);
  }
  if (status == PAWL_OK) {
    pw_partial_spare(run);
    status = write_formats(run, diags);
  }
  for (int i = 0; i < N_FILES && status == PAWL_OK; i++) {
    bool wanted = files[i].tell != NULL && is_wanted(run, i);
    status = wanted ? write_text(run, i, diags) : PAWL_OK;
  }
  for (int i = 0; i < N_FILES && status == PAWL_OK; i++) {
    status = is_wanted(run, i) ? put_in_place(run, i, diags) : PAWL_OK;
  }
  if (status == PAWL_OK) {
    status = remove_partial(run, diags);
    pw_partial_close(run);
  }
  return status;
}
