// SPDX-License-Identifier: MIT
/* The journal beside the table, "F.csv.sweep": which sweep it is of, how many rows of it are whole,
 * and where an unfinished chain goes on. It is written anew and renamed into place, so that there
 * is always a whole one. */
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "pawl/version.h"
#include "sweep/sweep.h"

static const char head[] = "pawl sweep journal 1\n";

/* A polynomial in the bytes modulo 2^64, with an odd base. */
uint64_t pw_checksum(uint64_t sum, const char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    sum = sum * 0x9e3779b97f4a7c15u + (unsigned char)bytes[i] + 1;
  }
  return sum;
}

/* ---- signature ---- */

static int into_buf(void *payload, const char *bytes, unsigned long count) {
  pw_buf *buf = payload;
  pw_buf_add(buf, bytes, count);
  return buf->failed;
}

static void put_run(pw_buf *out, const pawl_run_opts *run) {
  const pawl_sim_opts *sim = &run->sim;
  pw_buf_printf(out, "%d %a %a %a %d %a %a %" PRId64 " %" PRId64 " %d %d %d %d %d %d %a %a %d\n",
                sim->use_span, sim->from, sim->to, sim->tol, (int)sim->method, sim->max_step,
                sim->step, sim->max_steps, sim->max_events, (int)sim->impacts,
                (int)sim->energy_gain, (int)sim->paradox, sim->start_impact,
                sim->restitution_above_one, run->use_method, run->every, run->max_seconds,
                run->no_certificate);
  for (int i = 0; i < run->n_override; i++) {
    pw_buf_printf(out, "%s=%s\n", run->overrides[i].name, run->overrides[i].value);
  }
}

static void put_design(pw_buf *out, const pw_design *d) {
  pw_buf_printf(out, "%d %" PRId64 " %" PRIu64 " %d %d\n", (int)d->kind, d->samples, d->seed,
                d->follow, d->n_axis);
  for (int i = 0; i < d->n_axis; i++) {
    const pw_varied *a = &d->axis[i];
    pw_buf_printf(out, "%s %d %a %a %" PRId64, a->name, (int)a->kind, a->from, a->to, a->n);
    for (int64_t k = 0; a->list != NULL && k < a->n; k++) {
      pw_buf_printf(out, " %a", a->list[k]);
    }
    pw_buf_puts(out, "\n");
  }
}

bool pw_sweep_signature(const pawl_sweep *s, uint64_t *out) {
  pw_buf text = {0};
  pw_buf_printf(&text, "%s\n%" PRId64 " %" PRId64 "\n", PAWL_VERSION, s->first, s->end);
  put_run(&text, &s->opts.run);
  put_design(&text, &s->design);
  pw_buf_printf(&text, "%s %d %a %" PRId64 "\n", s->opts.at == NULL ? "" : s->opts.at,
                s->opts.use_after, s->opts.after, s->opts.last);
  for (int i = 0; i < s->n_column; i++) {
    pw_buf_printf(&text, "%s\n", s->column[i]);
  }
  bool ok = pawl_model_text(s->model, into_buf, &text) == PAWL_OK && !text.failed;
  *out = ok ? pw_checksum(PW_CHECKSUM_BEGIN, text.text, text.len) : 0;
  pw_buf_free(&text);
  return ok;
}

/* ---- writing ---- */

static void put_state(pw_buf *out, const pw_state *state) {
  int n = state->known ? state->nq + state->nv : 0;
  pw_buf_printf(out, "state %d %d %d\n", state->known, state->known ? state->nq : 0,
                state->known ? state->nv : 0);
  for (int i = 0; i < n; i++) {
    pw_buf_printf(out, "%a\n", state->value[i]);
  }
}

static void put_journal(pw_buf *out, const pawl_sweep *s, bool complete) {
  const pw_position *at = &s->at;
  pw_buf_puts(out, head);
  pw_buf_printf(out, "signature %016" PRIx64 "\ncomplete %d\n", s->store.signature, complete);
  pw_buf_printf(out, "bytes %" PRId64 " sum %016" PRIx64 "\n", s->store.bytes, s->store.sum);
  pw_buf_printf(out, "task %" PRId64 " step %" PRId64 "\n", at->task, at->step);
  pw_buf_printf(
      out, "members %" PRId64 " rows %" PRId64 " failed %" PRId64 " not-a-motion %" PRId64 "\n",
      at->tally.members, at->tally.rows, at->tally.failed, at->tally.not_a_motion);
  put_state(out, &at->state);
  pw_buf_printf(out, "check %016" PRIx64 "\n",
                out->failed ? 0 : pw_checksum(PW_CHECKSUM_BEGIN, out->text, out->len));
}

static char *new_path(const char *journal) {
  size_t len = strlen(journal);
  char *path = malloc(len + 5);
  if (path != NULL) {
    memcpy(path, journal, len);
    memcpy(path + len, ".new", 5);
  }
  return path;
}

pawl_status pw_journal_write(const pawl_sweep *s, bool complete, pawl_diags *diags) {
  pw_buf text = {0};
  char *path = new_path(s->store.journal);
  put_journal(&text, s, complete);
  if (path == NULL || text.failed) {
    free(path);
    pw_buf_free(&text);
    return PAWL_E_MEMORY;
  }
  pw_file file = PW_FILE_CLOSED;
  int reason = pw_file_open(path, PW_FILE_EMPTY, &file);
  reason = reason == 0 ? pw_file_write_at(&file, text.text, text.len, 0) : reason;
  pw_file_close(&file);
  reason = reason == 0 ? pw_path_rename(path, s->store.journal) : reason;
  pawl_status status =
      reason == 0 ? PAWL_OK : pw_store_fail(diags, "write", s->store.journal, reason);
  free(path);
  pw_buf_free(&text);
  return status;
}

/* ---- reading ---- */

static bool read_state(const char **at, pw_state *state) {
  int known, nq, nv, used = 0;
  if (sscanf(*at, "state %d %d %d\n%n", &known, &nq, &nv, &used) != 3 || used == 0 || nq < 0 ||
      nv < 0 || (size_t)nq + (size_t)nv > strlen(*at)) {
    return false;
  }
  *at += used;
  double *value = calloc((size_t)(nq + nv) + 1, sizeof *value);
  bool ok = value != NULL;
  for (int i = 0; ok && i < nq + nv; i++) {
    char *end;
    value[i] = strtod(*at, &end);
    ok = end != *at && *end == '\n';
    *at = ok ? end + 1 : *at;
  }
  free(state->value);
  *state = (pw_state){.known = ok && known != 0, .nq = nq, .nv = nv, .value = value};
  return ok;
}

static bool read_text(pawl_sweep *s, const char *text, bool *same) {
  uint64_t signature, check;
  int complete, used = 0;
  pw_position *at = &s->at;
  pw_store *store = &s->store;
  if (strncmp(text, head, sizeof head - 1) != 0 ||
      sscanf(text + sizeof head - 1,
             "signature %" SCNx64 "\ncomplete %d\nbytes %" SCNd64 " sum %" SCNx64 "\ntask %" SCNd64
             " step %" SCNd64 "\nmembers %" SCNd64 " rows %" SCNd64 " failed %" SCNd64
             " not-a-motion %" SCNd64 "\n%n",
             &signature, &complete, &store->bytes, &store->sum, &at->task, &at->step,
             &at->tally.members, &at->tally.rows, &at->tally.failed, &at->tally.not_a_motion,
             &used) != 10 ||
      used == 0) {
    return false;
  }
  const char *rest = text + sizeof head - 1 + used;
  if (!read_state(&rest, &at->state) || sscanf(rest, "check %" SCNx64, &check) != 1) {
    return false;
  }
  *same = signature == store->signature;
  store->complete = complete != 0;
  return check == pw_checksum(PW_CHECKSUM_BEGIN, text, (size_t)(rest - text));
}

pawl_status pw_journal_read(pawl_sweep *s, bool *found, bool *same) {
  enum { MOST = 64 << 20 };
  pw_buf text = {0};
  int reason = pw_file_read_all(s->store.journal, MOST, &text);
  bool missing = pw_file_is_missing(reason);
  bool whole = reason == 0 && text.len > 0 && read_text(s, text.text, same);
  pw_buf_free(&text);
  *found = !missing;
  return missing || whole ? PAWL_OK : reason != 0 ? pw_file_status(reason) : PAWL_E_STATE;
}
