// SPDX-License-Identifier: MIT
/* The table: rows go to a text file in their order, the journal says how much of it is whole. A
 * table in HDF5 is made from that text at the end. */
#include "sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "write/csv_table.h"
#include "write/formats.h"

enum { BYTES_PER_WRITE = 1 << 18 };
static const double seconds_per_write = 0.5;

pawl_status pw_store_fail(pawl_diags *diags, const char *what, const char *path, int reason) {
  if (reason == PW_FILE_MEMORY) {
    return pw_no_memory(diags);
  }
  pw_error(diags, "E0808", PW_NO_SPAN, "cannot %s `%s`: %s", what, path, pw_file_reason(reason));
  return pw_file_status(reason);
}

/* ---- opening ---- */

static char *with_ending(const char *path, const char *ending) {
  size_t len = strlen(path), more = strlen(ending);
  char *text = malloc(len + more + 1);
  if (text != NULL) {
    memcpy(text, path, len);
    memcpy(text + len, ending, more + 1);
  }
  return text;
}

static bool ends_with(const char *text, const char *ending) {
  size_t len = strlen(text), more = strlen(ending);
  return len > more && strcmp(text + len - more, ending) == 0;
}

static pawl_status name_files(pawl_sweep *s, pawl_diags *diags) {
  pw_store *store = &s->store;
  const char *path = s->opts.path;
  store->is_h5 = ends_with(path, ".h5") || ends_with(path, ".hdf5");
  if (store->is_h5 && !pw_can_write_h5()) {
    pw_diag_ref ref = pw_error(diags, "E0604", PW_NO_SPAN, "this build cannot write HDF5 files");
    pw_help(ref, "write a .csv instead, or build with the package libhdf5-dev installed");
    return PAWL_E_UNSUPPORTED;
  }
  store->path = with_ending(path, "");
  store->rows = with_ending(path, store->is_h5 ? ".part" : "");
  store->journal = with_ending(path, ".sweep");
  bool ok = store->path != NULL && store->rows != NULL && store->journal != NULL &&
            pw_sweep_signature(s, &store->signature);
  return ok ? PAWL_OK : PAWL_E_MEMORY;
}

static void put_header(pw_buf *out, const pawl_sweep *s) {
  for (int i = 0; i < s->n_column; i++) {
    pw_buf_puts(out, i == 0 ? "" : ",");
    pw_csv_field(out, s->column[i]);
  }
  pw_buf_puts(out, "\n");
}

static pawl_status lock_rows(const pw_store *store, pawl_diags *diags) {
  int reason = pw_file_lock(&store->file);
  if (reason == PW_FILE_LOCKED) {
    pw_diag_ref ref = pw_error(diags, "E0809", PW_NO_SPAN,
                               "another process is writing the sweep `%s`", store->path);
    pw_help(ref, "wait for it, or choose another file with `-o`");
    return PAWL_E_FILE;
  }
  return reason == 0 ? PAWL_OK : pw_store_fail(diags, "lock", store->rows, reason);
}

static pawl_status write_out(pawl_sweep *s, pawl_diags *diags) {
  pw_store *store = &s->store;
  if (store->buf.failed) {
    return PAWL_E_MEMORY;
  }
  if (store->spool != NULL &&
      fwrite(store->buf.text, 1, store->buf.len, store->spool) != store->buf.len) {
    return pw_store_fail(diags, "write", "the temporary file", pw_file_last_error());
  }
  if (store->path == NULL) {
    return pw_buf_flush(&store->buf, s->opts.sink, s->opts.payload);
  }
  int reason = pw_file_write_at(&store->file, store->buf.text, store->buf.len, store->bytes);
  if (reason != 0) {
    return pw_store_fail(diags, "write", store->rows, reason);
  }
  store->sum = pw_checksum(store->sum, store->buf.text, store->buf.len);
  store->bytes += (int64_t)store->buf.len;
  store->buf.len = 0;
  return PAWL_OK;
}

static pawl_status begin_table(pawl_sweep *s, pawl_diags *diags) {
  pw_store *store = &s->store;
  store->bytes = 0;
  store->sum = PW_CHECKSUM_BEGIN;
  store->complete = false;
  pw_state_free(&s->at.state);
  s->at = (pw_position){.task = s->first};
  int reason = store->path == NULL ? 0 : pw_file_cut(&store->file, 0);
  if (reason != 0) {
    return pw_store_fail(diags, "write", store->rows, reason);
  }
  put_header(&store->buf, s);
  pawl_status status = write_out(s, diags);
  return status == PAWL_OK && store->path != NULL ? pw_journal_write(s, false, diags) : status;
}

/* ---- resuming ---- */

static pawl_status not_ours(const pawl_sweep *s, const char *why, pawl_diags *diags) {
  pw_diag_ref ref =
      pw_error(diags, "E0806", PW_NO_SPAN, "`%s` cannot be resumed: %s", s->store.path, why);
  pw_help(ref, "without `--resume` it is replaced; `-o` names another file");
  return PAWL_E_FILE;
}

/* The bytes are those that were written. */
static bool rows_are_whole(const pw_store *store) {
  char part[1 << 14];
  uint64_t sum = PW_CHECKSUM_BEGIN;
  for (int64_t at = 0; at < store->bytes;) {
    int64_t left = store->bytes - at;
    size_t n = left < (int64_t)sizeof part ? (size_t)left : sizeof part;
    if (pw_file_read_at(&store->file, part, n, at) != 0) {
      return false;
    }
    sum = pw_checksum(sum, part, n);
    at += (int64_t)n;
  }
  return sum == store->sum;
}

static pawl_status take_up(pawl_sweep *s, pawl_diags *diags) {
  pw_store *store = &s->store;
  bool converted = store->is_h5 && store->complete;
  if (!converted && !rows_are_whole(store)) {
    return not_ours(s, "it was changed or damaged", diags);
  }
  if (store->complete) {
    return converted && pw_path_look(store->path) != PW_PATH_FILE
               ? not_ours(s, "the table that was complete is gone", diags)
               : PAWL_OK;
  }
  int reason = pw_file_cut(&store->file, store->bytes);
  return reason == 0 ? PAWL_OK : pw_store_fail(diags, "write", store->rows, reason);
}

static pawl_status unfinished(const pawl_sweep *s, pawl_diags *diags) {
  pw_diag_ref ref = pw_error(diags, "E0807", PW_NO_SPAN,
                             "`%s` is the table of a sweep that is not finished", s->store.path);
  pw_help(ref, "`--resume` goes on with it, `--force` throws it away");
  return PAWL_E_FILE;
}

/* What to do with what is there. A first start may say `--resume`, too: jobs are queued again. */
static pawl_status look_at_journal(pawl_sweep *s, bool *fresh, pawl_diags *diags) {
  pw_store *store = &s->store;
  int64_t size = 0;
  bool found = false, same = false;
  bool empty = pw_file_size(&store->file, &size) == 0 && size == 0;
  pawl_status status = pw_journal_read(s, &found, &same);
  if (status == PAWL_E_MEMORY) {
    return status;
  }
  bool whole = found && status == PAWL_OK;
  *fresh = !s->opts.resume || (!found && empty);
  if (!s->opts.resume) {
    bool lost = whole && !store->complete && s->at.tally.members > 0 && !empty;
    return lost && !s->opts.force ? unfinished(s, diags) : PAWL_OK;
  }
  return *fresh   ? PAWL_OK
         : !found ? not_ours(s, "there is no journal beside it", diags)
         : !whole ? not_ours(s, "its journal is damaged", diags)
         : !same  ? not_ours(s, "it is of another sweep: model, names or options differ", diags)
                  : take_up(s, diags);
}

pawl_status pw_store_open(pawl_sweep *s, pawl_diags *diags) {
  pw_store *store = &s->store;
  bool fresh = true;
  if (s->opts.path == NULL) {
    store->spool = s->opts.keep_rows ? tmpfile() : NULL;
    return s->opts.keep_rows && store->spool == NULL
               ? pw_store_fail(diags, "make", "a temporary file", pw_file_last_error())
               : begin_table(s, diags);
  }
  pawl_status status = name_files(s, diags);
  if (status != PAWL_OK) {
    return status;
  }
  int reason = pw_file_open(store->rows, PW_FILE_KEEP, &store->file);
  if (reason != 0) {
    return pw_store_fail(diags, "write", store->path, reason);
  }
  status = lock_rows(store, diags);
  if (status == PAWL_OK) {
    status = look_at_journal(s, &fresh, diags);
  }
  return status == PAWL_OK && fresh ? begin_table(s, diags) : status;
}

/* ---- writing ---- */

static pawl_status flush(pawl_sweep *s, pawl_diags *diags) {
  pawl_status status = s->store.buf.len > 0 || s->store.buf.failed ? write_out(s, diags) : PAWL_OK;
  s->store.flushed = pw_clock_seconds();
  return status == PAWL_OK && s->store.path != NULL ? pw_journal_write(s, false, diags) : status;
}

pawl_status pw_store_put(pawl_sweep *s, const pw_buf *rows, pawl_diags *diags) {
  pw_store *store = &s->store;
  if (rows->len > 0) {
    pw_buf_add(&store->buf, rows->text, rows->len);
  }
  bool due =
      store->buf.len >= BYTES_PER_WRITE || pw_clock_seconds() - store->flushed >= seconds_per_write;
  return store->buf.failed ? PAWL_E_MEMORY : due ? flush(s, diags) : PAWL_OK;
}

static pawl_status convert(pawl_sweep *s, pawl_diags *diags) {
  pw_store *store = &s->store;
  char *fresh = with_ending(store->path, ".new");
  int reason = 0;
  pawl_status status = fresh == NULL ? PAWL_E_MEMORY : PAWL_OK;
  if (status == PAWL_OK) {
    status = pw_table_to_h5(store->rows, fresh, &reason);
  }
  if (status == PAWL_OK) {
    reason = pw_path_rename(fresh, store->path);
    status = pw_file_status(reason);
  }
  if (status == PAWL_E_FILE) {
    (void)pw_store_fail(diags, "write", store->path, reason);
  }
  free(fresh);
  return status;
}

pawl_status pw_store_finish(pawl_sweep *s, bool complete, pawl_diags *diags) {
  pw_store *store = &s->store;
  if (!store->complete) { /* else it was before */
    pawl_status status = flush(s, diags);
    if (status != PAWL_OK || !complete || store->path == NULL) {
      return status;
    }
    status = store->is_h5 ? convert(s, diags) : PAWL_OK;
    status = status == PAWL_OK ? pw_journal_write(s, true, diags) : status;
    if (status != PAWL_OK) {
      return status;
    }
  }
  store->drop_rows = store->is_h5;
  return PAWL_OK;
}

void pw_store_close(pw_store *store) {
  pw_file_close(&store->file);
  if (store->drop_rows && pw_path_remove(store->rows) != 0) {
    store->drop_rows = false; /* it stays: a copy that nobody needs */
  }
  if (store->spool != NULL) {
    fclose(store->spool);
  }
  pw_buf_free(&store->buf);
  free(store->path);
  free(store->rows);
  free(store->journal);
}
