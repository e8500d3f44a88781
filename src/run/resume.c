// SPDX-License-Identifier: MIT
/* Taking up a killed run: model and options from its head, all whole blocks shown again, and the
 * simulation set to the checkpoint of the last one. A torn block at the end is cut off. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "run/head.h"
#include "traj/block.h"

static pawl_status damaged(const char *dir, pawl_diags *diags) {
  pw_error(diags, "E0612", PW_NO_SPAN,
           "the run in `%s` cannot be resumed: its data does not belong to its model", dir);
  return PAWL_E_FILE;
}

static pawl_status show_again(void *payload, pw_segment_view *view) {
  pawl_run *run = payload;
  for (long i = 0; i < view->n_row; i++) {
    const double *row = view->rows + i * run->n_col;
    if (run->opts.row != NULL) {
      run->opts.row(run->opts.payload, row);
    }
    pw_certify_row(run, row);
  }
  pw_traj_event event;
  while (pw_segment_next(view, &event)) {
    pw_run_show_event(run, &event);
  }
  return PAWL_OK;
}

pawl_status pw_run_show_again(pawl_run *run) {
  return pw_partial_each(run, show_again, run);
}

static pawl_status read_blocks(pawl_run *run, pawl_diags *diags) {
  pw_partial *p = &run->partial;
  pawl_status status = PAWL_OK;
  while (status == PAWL_OK && pw_block_read(p->fd, &p->end, &p->scratch)) {
    pw_segment_view view;
    const void *checkpoint;
    size_t size;
    if (!pw_partial_decode(run, &p->scratch, &view, &checkpoint, &size, true) ||
        size != p->checkpoint_size) {
      return damaged(run->dir, diags);
    }
    memcpy(p->checkpoint, checkpoint, size);
  }
  if (p->scratch.failed) {
    return pw_no_memory(diags);
  }
  if (run->result.rows > 0) {
    status = pawl_sim_restore(run->sim, p->checkpoint, p->checkpoint_size);
    if (status != PAWL_OK) {
      return damaged(run->dir, diags);
    }
  }
  if (ftruncate(p->fd, (off_t)p->end) != 0) {
    pw_error(diags, "E0610", PW_NO_SPAN, "cannot write to `%s`: %s", run->dir, strerror(errno));
    return PAWL_E_FILE;
  }
  return PAWL_OK;
}

static pawl_status compile(const char *dir, const pawl_run_opts *given, pw_head *head,
                           pawl_diags *diags, pawl_run **out) {
  pawl_model *model = NULL;
  pawl_status status = pawl_model_parse(head->text, head->text_len,
                                        &(pawl_model_opts){.name = head->file}, diags, &model);
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

pawl_status pawl_run_resume(const char *dir, const pawl_run_opts *opts, pawl_diags *diags,
                            pawl_run **out) {
  if (out != NULL) {
    *out = NULL;
  }
  if (dir == NULL || out == NULL) {
    return PAWL_E_ARGUMENT;
  }
  pw_head head;
  pawl_status status = pw_head_read(dir, diags, &head);
  if (status != PAWL_OK) {
    return status;
  }
  pawl_run *run = NULL;
  status = compile(dir, opts == NULL ? &(pawl_run_opts){0} : opts, &head, diags, &run);
  pw_head_free(&head);
  if (status == PAWL_OK) {
    status = pw_partial_create(run, diags);
  }
  if (status == PAWL_OK) {
    status = read_blocks(run, diags);
  }
  if (status != PAWL_OK) {
    pawl_run_free(run);
    return status;
  }
  *out = run;
  return PAWL_OK;
}
