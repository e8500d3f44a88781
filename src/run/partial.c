// SPDX-License-Identifier: MIT
/* DIR/.partial while a run goes on. motion.pwt grows by blocks of rows, events and segments; what
 * they hold decides where one ends, never the clock, so that the same run gives the same bytes. Two
 * checkpoints take turns by the clock. Each has the driver's own state, a saved simulation, the
 * length of motion.pwt that they belong to, and the block that is not full yet. */
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "run/head.h"

static const char *const checkpoint_name[2] = {"checkpoint-0", "checkpoint-1"};

/* ---- what is stored ---- */

static void take_segment(void *payload, const pw_segment *segment) {
  pawl_run *run = payload;
  if (run->dir != NULL) {
    double last_row = run->result.rows > 0 ? run->last_row : NAN;
    pw_keep_segment(&run->keep, &run->chunk, segment, last_row);
  }
  pw_certify_segment(run, segment);
  if (run->watcher.see != NULL) {
    run->watcher.see(run->watcher.payload, segment);
  }
}

bool pw_partial_shape(pawl_run *run) {
  pw_shape *s = &run->shape;
  pw_sim_shape(run->sim, s);
  int n_work = pawl_system_works(run->sys), n = 0;
  run->name = calloc((size_t)(run->n_col + run->n_law + n_work) + 1, sizeof *run->name);
  run->recorder.value = calloc(PW_MOST_NODES * (size_t)pw_shape_values(s), sizeof(double));
  run->recorder.mode = calloc((size_t)run->n_law + 1, 1);
  run->recorder.force = calloc(2 * (size_t)run->n_law + 1, sizeof(double));
  size_t most = (size_t)pw_sim_most_kicks(run->sim) * PW_KICK_REALS;
  run->recorder.kick = most > 0 ? calloc(most, sizeof(double)) : NULL;
  if ((most > 0 && run->recorder.kick == NULL) || run->name == NULL ||
      run->recorder.value == NULL || run->recorder.mode == NULL || run->recorder.force == NULL) {
    return false;
  }

  /* the names: columns, then laws, then works */
  s->column = run->name;
  for (int i = 0; i < run->n_col; i++) {
    run->name[n++] = run->column[i];
  }
  s->law = run->name + n;
  for (int i = 0; i < run->n_law; i++) {
    run->name[n++] = pawl_law_get(run->sys, i).name;
  }
  s->work = run->name + n;
  for (int i = 0; i < n_work; i++) {
    run->name[n++] = pawl_work_get(run->sys, i).name;
  }

  s->method = pw_method_text(run->opts.sim.method);
  s->from = run->opts.sim.from;
  s->to = run->opts.sim.to;
  s->tol = run->opts.sim.tol;
  run->keep.limit = run->opts.motion_bytes;
  run->chunk.shape = s;

  /* from now on every segment arrives here */
  run->recorder.take = take_segment;
  run->recorder.payload = run;
  pw_sim_record(run->sim, &run->recorder);
  return true;
}

bool pw_run_watch(pawl_run *run, void (*watch)(void *payload, const pw_segment *segment),
                  void *payload) {
  run->watcher.see = watch;
  run->watcher.payload = payload;
  return run->recorder.take != NULL || pw_partial_shape(run);
}

/* ---- the driver's state ---- */

static void put_driver(pw_buf *out, const pawl_run *run) {
  pw_put_int(out, run->next);
  pw_put_int(out, run->result.rows);
  pw_put_int(out, run->result.events);
  pw_put_real(out, run->last_row);
  pw_put_real(out, run->result.t);
  pw_put_real(out, pw_run_wall(run));
  pw_keep_put(out, &run->keep);
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
  e.seen = (int64_t)pw_get_int(in);
  e.t = pw_get_real(in);
  e.value = pw_get_real(in);
  e.wanted = pw_get_real(in);
  const char *reason = pw_get_text(in);
  snprintf(e.reason, sizeof e.reason, "%s", reason == NULL ? "" : reason);
  return e;
}

static void get_driver(pw_reader *in, pawl_run *run) {
  run->next = (int64_t)pw_get_int(in);
  run->result.rows = (int64_t)pw_get_int(in);
  run->result.events = (int64_t)pw_get_int(in);
  run->last_row = pw_get_real(in);
  run->result.t = pw_get_real(in);
  run->wall_before = pw_get_real(in);
  pw_keep_get(in, &run->keep);
  in->bad = in->bad || pw_get_count(in, INT_MAX) != run->n_expect;
  for (int i = 0; i < run->n_expect && !in->bad; i++) {
    run->expect[i] = get_expect(in);
  }
}

/* ---- writing ---- */

static pawl_status cannot(const pawl_run *run, const char *what, const char *name, int reason,
                          pawl_diags *diags) {
  char *path = pw_folder_path(run->dir, true, name);
  pawl_status status = pw_folder_fail(diags, what, path, reason);
  free(path);
  return status;
}

pawl_status pw_partial_lock(pawl_run *run, pawl_diags *diags) {
  pw_partial *p = &run->partial;
  char *path = pw_folder_path(run->dir, true, PW_MOTION_NAME);
  if (path == NULL) {
    return PAWL_E_MEMORY;
  }
  int reason = pw_file_open(path, PW_FILE_KEEP, &p->motion.file);
  free(path);
  if (reason != 0) {
    return cannot(run, "write to", PW_MOTION_NAME, reason, diags);
  }
  if (pw_file_lock(&p->motion.file) == PW_FILE_LOCKED) {
    return pw_folder_locked(run->dir, diags);
  }
  p->synced = pw_clock();
  return PAWL_OK;
}

pawl_status pw_partial_begin(pawl_run *run, pawl_diags *diags) {
  pw_partial *p = &run->partial;
  pawl_status status = pw_partial_lock(run, diags);
  if (status == PAWL_OK) {
    p->scratch.len = 0;
    status = pw_head_put(run, &p->scratch);
  }
  if (status != PAWL_OK) {
    return status;
  }

  int reason = pw_file_cut(&p->motion.file, 0);
  p->end = 0;
  if (reason == 0) { /* on the disk together with the first checkpoint */
    reason = pw_block_append(&p->motion.file, &p->end, &p->scratch);
  }
  if (reason != 0) {
    return cannot(run, "write to", PW_MOTION_NAME, reason, diags);
  }
  return pw_motion_begin(&p->motion, p->motion.file) == PW_MOTION_FINE ? PAWL_OK : PAWL_E_MEMORY;
}

pawl_status pw_partial_append(pawl_run *run, pawl_diags *diags) {
  pw_partial *p = &run->partial;
  p->scratch.len = 0;
  pw_chunk_put(&p->scratch, &run->chunk);
  int reason = pw_block_append(&p->motion.file, &p->end, &p->scratch);
  if (reason != 0) {
    return cannot(run, "write to", PW_MOTION_NAME, reason, diags);
  }
  pw_chunk_clear(&run->chunk);
  return PAWL_OK;
}

pawl_status pw_partial_flush(const pawl_run *run, pawl_diags *diags) {
  int reason = pw_run_is_lasting(run) ? pw_file_sync(&run->partial.motion.file) : 0;
  return reason == 0 ? PAWL_OK : cannot(run, "write to", PW_MOTION_NAME, reason, diags);
}

static int write_checkpoint(pawl_run *run, const char *path) {
  pw_partial *p = &run->partial;
  p->scratch.len = 0;
  pw_put_int(&p->scratch, ++p->serial);
  pw_put_int(&p->scratch, p->end);
  put_driver(&p->scratch, run);
  pw_chunk_put(&p->scratch, &run->chunk);
  pw_sim_pack(run->sim, &p->scratch);
  pw_file file;
  int64_t offset = 0;
  int reason = pw_file_open(path, PW_FILE_EMPTY, &file);
  if (reason != 0) {
    return reason;
  }
  reason = pw_block_append(&file, &offset, &p->scratch);
  if (reason == 0 && pw_run_is_lasting(run)) {
    reason = pw_file_sync(&file);
  }
  pw_file_close(&file);
  return reason;
}

pawl_status pw_partial_sync(pawl_run *run, pawl_diags *diags) {
  pw_partial *p = &run->partial;
  pawl_status status = pw_partial_flush(run, diags);
  if (status != PAWL_OK) {
    return status;
  }
  const char *name = checkpoint_name[p->turn];
  char *path = pw_folder_path(run->dir, true, name);
  int reason = path == NULL ? PW_FILE_MEMORY : write_checkpoint(run, path);
  free(path);
  if (reason != 0) {
    return cannot(run, "write to", name, reason, diags);
  }
  p->turn = 1 - p->turn;
  p->synced = pw_clock();
  return PAWL_OK;
}

void pw_partial_spare(pawl_run *run) {
  pw_buf_free(&run->partial.scratch);
  pw_chunk_free(&run->chunk);
}

void pw_partial_close(pawl_run *run) {
  pw_motion_close(&run->partial.motion);
  pw_file_close(&run->partial.folder);
  pw_partial_spare(run);
}

/* ---- reading ---- */

/* The number of a checkpoint, which grows from one to the next, or -1: there is no whole one. Its
 * bytes stay in `block`. */
static int64_t read_checkpoint(const pawl_run *run, int which, pw_buf *block) {
  char *path = pw_folder_path(run->dir, true, checkpoint_name[which]);
  pw_file file;
  int reason = path == NULL ? PW_FILE_MEMORY : pw_file_open(path, PW_FILE_READ, &file);
  free(path);
  if (reason != 0) {
    block->failed = reason == PW_FILE_MEMORY;
    return -1;
  }
  int64_t offset = 0;
  bool whole = pw_block_read(&file, &offset, block);
  pw_file_close(&file);
  pw_reader in = {.at = block->text, .end = block->text + block->len};
  long long serial = whole ? pw_get_int(&in) : -1;
  return whole && !in.bad ? (int64_t)serial : -1;
}

/* Blocks up to `end` are all whole. */
static bool reaches(pw_motion *m, int64_t end) {
  int64_t offset = m->first;
  pw_chunk_view view;
  while (offset < end && pw_motion_next(m, &offset, &view)) {
  }
  return offset == end;
}

static bool load_checkpoint(pawl_run *run, const pw_buf *block) {
  pw_partial *p = &run->partial;
  pw_reader in = {.at = block->text, .end = block->text + block->len};
  p->serial = (int64_t)pw_get_int(&in);
  p->end = (int64_t)pw_get_int(&in);
  get_driver(&in, run);
  pw_chunk_view open;
  if (!pw_chunk_get(&in, &run->shape, &open) || !pw_chunk_take(&run->chunk, &open)) {
    return false;
  }
  return !in.bad && reaches(&p->motion, p->end) && pw_sim_unpack(run->sim, &in);
}

pawl_status pw_partial_restore(pawl_run *run, pawl_diags *diags) {
  pw_partial *p = &run->partial;
  pw_buf block[2] = {{0}, {0}};
  int64_t serial[2] = {read_checkpoint(run, 0, &block[0]), read_checkpoint(run, 1, &block[1])};
  int last = serial[1] > serial[0];
  bool found = serial[last] >= 0, fits = !found || load_checkpoint(run, &block[last]);
  if (!fits &&
      serial[1 - last] >= 0) { /* the end of the file is damaged: the checkpoint before it */
    last = 1 - last;
    fits = load_checkpoint(run, &block[last]);
  }
  p->turn = found ? 1 - last : 0;
  p->end = found ? p->end : p->motion.first; /* killed in its first second: it starts anew */
  bool memory = !block[0].failed && !block[1].failed && !p->motion.block.failed &&
                !pw_chunk_failed(&run->chunk);
  pw_buf_free(&block[0]);
  pw_buf_free(&block[1]);
  if (!memory) {
    return PAWL_E_MEMORY;
  }
  if (!fits) {
    pw_error(diags, "E0612", PW_NO_SPAN,
             "the run in `%s` cannot be resumed: its data does not belong to its model", run->dir);
    return PAWL_E_FILE;
  }
  int reason = pw_file_cut(&p->motion.file, p->end);
  return reason == 0 ? PAWL_OK : cannot(run, "write to", PW_MOTION_NAME, reason, diags);
}
