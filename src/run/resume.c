// SPDX-License-Identifier: MIT
/* Taking up a killed run: model and options from the head of its motion.pwt, all whole blocks shown
 * again, and the simulation set to the last checkpoint. What comes after that is cut off. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "run/folder_look.h"
#include "run/head.h"

static pawl_status show_again(void *payload, const pw_chunk_view *chunk) {
  pawl_run *run = payload;
  pw_chunk_view view = *chunk;
  for (int64_t i = 0; i < view.n_row; i++) {
    const double *row = view.rows + i * run->n_col;
    if (run->opts.row != NULL) {
      run->opts.row(run->opts.payload, row);
    }
  }
  pw_certify_chunk(run, chunk);
  pawl_run_event event;
  while (pw_chunk_next_event(&view, &event)) {
    pw_run_show_event(run, &event);
  }
  return PAWL_OK;
}

/* The blocks, and the one that was not full yet. */
pawl_status pw_run_show_again(pawl_run *run) {
  pw_partial *p = &run->partial;
  pawl_status status = pw_motion_visit(&p->motion, p->end, show_again, run);
  if (status != PAWL_OK) {
    return status;
  }
  p->scratch.len = 0;
  pw_chunk_put(&p->scratch, &run->chunk);
  if (p->scratch.failed) {
    return PAWL_E_MEMORY;
  }
  pw_reader in = {.at = p->scratch.text, .end = p->scratch.text + p->scratch.len};
  pw_chunk_view open;
  return pw_chunk_get(&in, &run->shape, &open) ? show_again(run, &open) : PAWL_E_FILE;
}

static pawl_status compile(const char *dir, const pawl_run_opts *given, pw_head *head,
                           pawl_diags *diags, pawl_run **out) {
  pawl_model *model = NULL;
  pawl_status status =
      pawl_model_parse(head->text, head->text_len,
                       &(pawl_model_opts){.name = head->file, .folder = dir}, diags, &model);
  if (status != PAWL_OK) {
    pawl_model_free(model);
    return status;
  }
  head->opts.dir = dir;
  head->opts.row = given->row;
  head->opts.event = given->event;
  head->opts.progress = given->progress;
  head->opts.payload = given->payload;
  status = pw_run_create(model, &head->opts, diags, out);
  pawl_model_free(model); /* the run keeps it */
  if (status == PAWL_OK) {
    (*out)->resumed = true;
  }
  return status;
}

static pawl_status nothing_to_resume(const char *dir, int reason, pawl_diags *diags) {
  pw_diag_ref ref = pw_error(
      diags, "E0612", PW_NO_SPAN, "there is no run to resume in `%s`: %s", dir,
      pw_file_is_missing(reason) ? "it has no .partial/" PW_MOTION_NAME : pw_file_reason(reason));
  pw_help(ref, "only a run that was killed can be resumed; all others have written their files");
  return PAWL_E_FILE;
}

static pawl_status damaged(const char *dir, pawl_diags *diags) {
  pw_error(diags, "E0612", PW_NO_SPAN,
           "the run in `%s` cannot be resumed: its head is damaged or of another version", dir);
  return PAWL_E_FILE;
}

/* The model and options of the run in a folder, compiled. */
static pawl_status revive(const char *dir, const pawl_run_opts *opts, pawl_diags *diags,
                          pawl_run **out) {
  char *path = pw_folder_path(dir, true, PW_MOTION_NAME);
  if (path == NULL) {
    return PAWL_E_MEMORY;
  }
  pw_motion motion;
  int reason;
  pw_motion_fault fault = pw_motion_open(&motion, path, &reason);
  free(path);
  if (fault != PW_MOTION_FINE) {
    return fault == PW_MOTION_NO_MEMORY    ? PAWL_E_MEMORY
           : fault == PW_MOTION_UNREADABLE ? nothing_to_resume(dir, reason, diags)
                                           : damaged(dir, diags);
  }
  pw_head head;
  pawl_status status = pw_head_get(motion.own, motion.own_size, dir, &head);
  if (status == PAWL_OK) {
    status = compile(dir, opts, &head, diags, out);
    pw_head_free(&head);
  } else if (status == PAWL_E_FILE) {
    status = damaged(dir, diags);
  }
  pw_motion_close(&motion);
  return status;
}

/* A `.partial` that is a link leads elsewhere: it is never followed. */
static pawl_status refuse_link(const char *dir, pawl_diags *diags) {
  char *path = pw_folder_path(dir, false, ".partial");
  if (path == NULL) {
    return PAWL_E_MEMORY;
  }
  bool link = pw_path_look(path) == PW_PATH_LINK;
  free(path);
  if (link) {
    pw_diag_ref ref = pw_error(diags, "E0612", PW_NO_SPAN,
                               "there is no run to resume in `%s`: its .partial is a link", dir);
    pw_help(ref, "a link is not followed; give the folder that the run was writing to");
  }
  return link ? PAWL_E_FILE : PAWL_OK;
}

/* At its end a run removes .partial and replaces files: only what a run wrote may stand there. */
static pawl_status refuse_foreign(const char *dir, pawl_diags *diags) {
  char foreign[PW_ENTRY_NAME];
  int reason = pw_folder_find_foreign(dir, foreign);
  if (reason != 0) {
    return pw_folder_fail(diags, "look into", dir, reason);
  }
  if (foreign[0] != '\0') {
    pw_diag_ref ref =
        pw_error(diags, "E0612", PW_NO_SPAN,
                 "the run in `%s` cannot be resumed: no run wrote `%s/%s`", dir, dir, foreign);
    pw_help(ref, "move it away; then the run can be resumed");
  }
  return foreign[0] == '\0' ? PAWL_OK : PAWL_E_FILE;
}

pawl_status pawl_run_resume(const char *dir, const pawl_run_opts *opts, pawl_diags *diags,
                            pawl_run **out) {
  if (out != NULL) {
    *out = NULL;
  }
  if (dir == NULL || out == NULL) {
    return PAWL_E_ARGUMENT;
  }

  pawl_run *run = NULL;
  pawl_status status = refuse_link(dir, diags);
  if (status == PAWL_OK) {
    status = revive(dir, opts == NULL ? &(pawl_run_opts){0} : opts, diags, &run);
  }
  if (status == PAWL_OK) {
    status = pw_folder_lock(run, diags);
  }
  if (status == PAWL_OK) {
    status = refuse_foreign(dir, diags);
  }
  if (status == PAWL_OK) {
    status = pw_partial_lock(run, diags);
  }
  if (status == PAWL_OK) {
    pw_motion_fault fault = pw_motion_begin(&run->partial.motion, run->partial.motion.file);
    status = fault == PW_MOTION_FINE        ? pw_partial_restore(run, diags)
             : fault == PW_MOTION_NO_MEMORY ? PAWL_E_MEMORY
                                            : damaged(dir, diags);
  }

  if (status != PAWL_OK) {
    pawl_run_free(run);
    return status == PAWL_E_MEMORY ? pw_no_memory(diags) : status;
  }
  *out = run;
  return PAWL_OK;
}
