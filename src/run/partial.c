// SPDX-License-Identifier: MIT
/* DIR/.partial while a run goes on: `blocks` grows by one block per second, each with the rows and
 * events since the last one, the driver's own state and a checkpoint of the simulation. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "run/run.h"
#include "traj/block.h"

bool pw_partial_lock(int fd) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(fd, F_SETLK, &lock) == 0 || (errno != EACCES && errno != EAGAIN);
}

static pawl_status cannot_write(const pawl_run *run, pawl_diags *diags, int reason) {
  pw_error(diags, "E0610", PW_NO_SPAN, "cannot write to `%s/.partial/blocks`: %s", run->dir,
           strerror(reason));
  return PAWL_E_FILE;
}

pawl_status pw_partial_create(pawl_run *run, pawl_diags *diags) {
  pw_partial *p = &run->partial;
  p->checkpoint_size = pawl_sim_save_size(run->sim);
  p->checkpoint = malloc(p->checkpoint_size + 1);
  char *path = pw_folder_path(run->dir, true, "blocks");
  if (p->checkpoint == NULL || path == NULL) {
    free(path);
    return PAWL_E_MEMORY;
  }
  p->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  free(path);
  if (p->fd < 0) {
    return cannot_write(run, diags, errno);
  }
  if (!pw_partial_lock(p->fd)) {
    pw_error(diags, "E0613", PW_NO_SPAN, "another run is writing to `%s`", run->dir);
    return PAWL_E_FILE;
  }
  p->synced = pw_clock();
  return PAWL_OK;
}

void pw_partial_close(pawl_run *run) {
  if (run->partial.fd >= 0) {
    close(run->partial.fd);
  }
  run->partial.fd = -1;
  free(run->partial.checkpoint);
  run->partial.checkpoint = NULL;
  pw_buf_free(&run->partial.scratch);
}

static void put_driver(pw_buf *out, const pawl_run *run) {
  pw_put_int(out, run->next);
  pw_put_int(out, run->result.rows);
  pw_put_int(out, run->result.events);
  pw_put_real(out, run->last_row);
  pw_put_real(out, run->result.t);
  pw_put_real(out, pw_run_wall(run));
  pw_put_int(out, run->n_expect);
  for (int i = 0; i < run->n_expect; i++) {
    const pw_expect *e = &run->expect[i];
    pw_put_int(out, e->done);
    pw_put_int(out, e->ok);
    pw_put_int(out, e->seen);
    pw_put_real(out, e->t);
    pw_put_real(out, e->value);
    pw_put_real(out, e->wanted);
    pw_put_text(out, e->done ? e->reason : "");
  }
}

static pw_expect get_expect(pw_reader *in) {
  pw_expect e = {0};
  e.done = pw_get_int(in) != 0;
  e.ok = pw_get_int(in) != 0;
  e.seen = (long)pw_get_int(in);
  e.t = pw_get_real(in);
  e.value = pw_get_real(in);
  e.wanted = pw_get_real(in);
  const char *reason = pw_get_text(in);
  snprintf(e.reason, sizeof e.reason, "%s", reason == NULL ? "" : reason);
  return e;
}

static bool get_driver(pw_reader *in, pawl_run *run, bool into_run) {
  long next = (long)pw_get_int(in);
  long rows = (long)pw_get_int(in);
  long events = (long)pw_get_int(in);
  double last_row = pw_get_real(in);
  double t = pw_get_real(in);
  double wall = pw_get_real(in);
  if (pw_get_count(in, INT_MAX) != run->n_expect || in->bad) {
    return false;
  }
  for (int i = 0; i < run->n_expect; i++) {
    pw_expect e = get_expect(in);
    if (into_run) {
      run->expect[i] = e;
    }
  }
  if (into_run) {
    run->next = next;
    run->result.rows = rows;
    run->result.events = events;
    run->last_row = last_row;
    run->result.t = t;
    run->wall_before = wall;
  }
  return !in->bad;
}

pawl_status pw_partial_sync(pawl_run *run, pawl_diags *diags) {
  pw_partial *p = &run->partial;
  pw_buf *block = &p->scratch;
  pawl_status status = pawl_sim_save(run->sim, p->checkpoint, p->checkpoint_size);
  if (status != PAWL_OK) {
    return status;
  }
  block->len = 0;
  put_driver(block, run);
  pw_segment_put(block, &run->segment);
  pw_put_blob(block, p->checkpoint, p->checkpoint_size);
  status = pw_block_append(p->fd, &p->end, block);
  if (status == PAWL_E_FILE) {
    return cannot_write(run, diags, errno);
  }
  pw_segment_clear(&run->segment);
  p->synced = pw_clock();
  return status;
}

bool pw_partial_decode(pawl_run *run, const pw_buf *block, pw_segment_view *view,
                       const void **checkpoint, size_t *size, bool into_run) {
  pw_reader in = {.at = block->text, .end = block->text + block->len};
  if (!get_driver(&in, run, into_run) || !pw_segment_get(&in, run->n_col, run->n_state, view)) {
    return false;
  }
  *checkpoint = pw_get_blob(&in, size);
  return !in.bad;
}

pawl_status pw_partial_each(const pawl_run *run, pw_each_segment each, void *payload) {
  pw_buf block = {0};
  pawl_status status = PAWL_OK;
  long long offset = 0;
  while (status == PAWL_OK && offset < run->partial.end) {
    pw_segment_view view;
    const void *checkpoint;
    size_t size;
    pawl_run shape = *run; /* its driver state stays untouched */
    if (!pw_block_read(run->partial.fd, &offset, &block) ||
        !pw_partial_decode(&shape, &block, &view, &checkpoint, &size, false)) {
      status = block.failed ? PAWL_E_MEMORY : PAWL_E_FILE;
    } else {
      status = each(payload, &view);
    }
  }
  pw_buf_free(&block);
  return status;
}

static pawl_status visit(const void *source, pw_each_segment each, void *payload) {
  return pw_partial_each(source, each, payload);
}

pw_record pw_run_record(const pawl_run *run) {
  return (pw_record){.sys = run->sys,
                     .n_state = run->n_state,
                     .n_col = run->n_col,
                     .column = run->column,
                     .rows = run->result.rows,
                     .events = run->result.events,
                     .source = run,
                     .visit = visit};
}
