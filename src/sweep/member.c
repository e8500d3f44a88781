// SPDX-License-Identifier: MIT
/* One member: a run without a folder, and its rows of the table. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/pool.h"
#include "write/formats.h"

/* ---- memory of a thread ---- */

bool pw_worker_init(pw_worker *w, pawl_sweep *sweep) {
  int n = sweep->design.n_axis, fixed = sweep->opts.run.n_override;
  *w = (pw_worker){.sweep = sweep,
                   .value = malloc((size_t)n * sizeof *w->value),
                   .overrides = calloc((size_t)(n + fixed), sizeof *w->overrides),
                   .text = malloc((size_t)n * sizeof *w->text)};
  bool ok = pawl_diags_new(&w->diags) == PAWL_OK && w->value != NULL && w->overrides != NULL &&
            w->text != NULL;
  for (int i = 0; ok && i < fixed; i++) {
    w->overrides[i] = sweep->opts.run.overrides[i];
  }
  for (int i = 0; ok && i < n; i++) {
    w->overrides[fixed + i] = (pawl_override){sweep->design.axis[i].name, w->text[i]};
  }
  return ok;
}

void pw_worker_free(pw_worker *w) {
  pawl_diags_free(w->diags);
  pw_take_free(&w->take);
  free(w->value);
  free(w->overrides);
  free(w->text);
  free(w->kept);
  free(w->kept_at);
  pw_buf_free(&w->rows);
}

bool pw_state_set(pw_state *state, int nq, int nv, const double *q, const double *u) {
  if (!state->known || state->nq + state->nv < nq + nv) {
    double *value = realloc(state->value, (size_t)(nq + nv + 1) * sizeof *value);
    if (value == NULL) {
      return false;
    }
    state->value = value;
  }
  state->known = true;
  state->nq = nq;
  state->nv = nv;
  memcpy(state->value, q, (size_t)nq * sizeof *q);
  memcpy(state->value + nq, u, (size_t)nv * sizeof *u);
  return true;
}

void pw_state_free(pw_state *state) {
  free(state->value);
  *state = (pw_state){0};
}

/* ---- what a run tells ---- */

static void on_row(void *payload, const double *row) {
  pw_worker *w = payload;
  pw_take_row(&w->take, row);
}

static bool room_to_keep(pw_worker *w) {
  if (w->n_kept < w->room) {
    return true;
  }
  int64_t room = w->room == 0 ? 64 : 2 * w->room;
  double *kept = realloc(w->kept, (size_t)(room * w->sweep->records.n) * sizeof *kept);
  w->kept = kept != NULL ? kept : w->kept;
  int64_t *kept_at = realloc(w->kept_at, (size_t)room * sizeof *kept_at);
  w->kept_at = kept_at != NULL ? kept_at : w->kept_at;
  bool ok = kept != NULL && kept_at != NULL;
  w->room = ok ? room : w->room;
  return ok;
}

/* At an event, counted from 0, or at the end of the run, -1. */
static void keep_values(pw_worker *w, int64_t event) {
  if (!room_to_keep(w)) {
    w->failed = true;
    return;
  }
  w->kept_at[w->n_kept] = event;
  pw_take_values(&w->take, w->kept + w->n_kept++ * w->sweep->records.n);
}

static void on_event(void *payload, const pawl_run_event *e) {
  pw_worker *w = payload;
  const pawl_sweep_opts *opts = &w->sweep->opts;
  pw_take_event(&w->take, &e->event);
  if (opts->at != NULL && pw_event_is(&e->event, opts->at) &&
      (!opts->use_after || e->event.t > opts->after)) {
    keep_values(w, w->n_event);
  }
  w->n_event++;
}

static int is_stopped(void *payload) {
  const pw_worker *w = payload;
  if (w->sweep->alone != NULL) {
    pw_pool_tell(w->sweep->alone);
  }
  return atomic_load(&w->sweep->stops);
}

/* Rows between events serve the certificate and extremes alone; without these the step from row to
 * row is longer than any run. */
pawl_run_opts pw_member_opts(pw_worker *w, int64_t member) {
  static const double no_rows = 1e300;
  const pw_design *d = &w->sweep->design;
  pawl_run_opts opts = w->sweep->opts.run;
  pw_design_values(d, member, w->value);
  for (int i = 0; i < d->n_axis; i++) {
    pw_buf text = {0};
    pw_buf_real(&text, w->value[i]);
    w->failed = w->failed || text.failed || text.len >= sizeof w->text[i];
    memcpy(w->text[i], w->failed ? "" : text.text, w->failed ? 1 : text.len + 1);
    pw_buf_free(&text);
  }
  opts.overrides = w->overrides;
  opts.n_override += d->n_axis;
  opts.row = on_row;
  opts.event = on_event;
  opts.payload = w;
  opts.sim.ask = is_stopped;
  opts.sim.payload = w;
  if (opts.no_certificate && !w->sweep->records.extremes) {
    opts.every = no_rows;
  }
  return opts;
}

/* ---- rows ---- */

static void put_row(pw_worker *w, const char *verdict, const char *ending, const double *record) {
  pw_buf *out = &w->rows;
  for (int i = 0; i < w->sweep->design.n_axis; i++) {
    pw_buf_puts(out, w->text[i]);
    pw_buf_puts(out, ",");
  }
  pw_csv_field(out, verdict);
  pw_buf_puts(out, ",");
  pw_csv_field(out, ending);
  for (int i = 0; i < w->sweep->records.n; i++) {
    pw_buf_puts(out, ",");
    pw_buf_real_17(out, record == NULL ? NAN : record[i]);
  }
  pw_buf_puts(out, "\n");
}

static const char *first_error(const pawl_diags *diags, pawl_status status) {
  for (int i = 0; i < pawl_diags_count(diags); i++) {
    const pawl_diag *d = pawl_diags_get(diags, i);
    if (d->severity == PAWL_ERROR) {
      return d->message;
    }
  }
  return pawl_status_text(status);
}

/* A member that failed before it had an event still has a row. */
static void put_rows(pw_worker *w, const pawl_run *run, pawl_status status, pw_sweep_tally *tally) {
  pawl_run_result r = pawl_run_result_get(run);
  bool ended = r.ending == PAWL_ENDED || r.ending == PAWL_ENDED_BY_EVENT;
  bool at_events = w->sweep->opts.at != NULL;
  const char *verdict = pawl_verdict_text(pawl_run_certificate(run).verdict);
  const char *ending = !ended                   ? first_error(w->diags, status)
                       : r.ending == PAWL_ENDED ? "end"
                                                : "stop event";
  if (!at_events && run != NULL && r.rows > 0) {
    keep_values(w, -1);
  }
  int64_t last = w->sweep->opts.last, skipped = last > 0 && last < w->n_kept ? w->n_kept - last : 0;
  for (int64_t i = skipped; i < w->n_kept; i++) {
    double *value = w->kept + i * w->sweep->records.n;
    pw_slopes_fill(&w->sweep->records, pawl_run_gradient(run), w->kept_at[i], value);
    put_row(w, verdict, ending, value);
  }
  tally->rows = w->n_kept - skipped;
  if (w->n_kept == 0 && (!at_events || !ended)) {
    put_row(w, verdict, ending, NULL);
    tally->rows = 1;
  }
  tally->members = 1;
  tally->failed = !ended;
  tally->not_a_motion = r.not_a_motion != 0;
}

/* ---- the run ---- */

static pawl_status start_from(pawl_run *run, const pw_state *state, pawl_diags *diags) {
  const pawl_system *system = pawl_run_system(run);
  if (!state->known || state->nq != pawl_system_positions(system) ||
      state->nv != pawl_system_velocities(system)) {
    return PAWL_OK;
  }
  return pawl_sim_start(pawl_run_sim(run), pawl_run_result_get(run).from, state->value,
                        state->value + state->nq, diags);
}

static bool keep_end(pawl_run *run, pw_state *state) {
  const pawl_system *system = pawl_run_system(run);
  pawl_point p;
  return pawl_sim_point(pawl_run_sim(run), PAWL_AFTER, &p) != PAWL_OK ||
         pw_state_set(state, pawl_system_positions(system), pawl_system_velocities(system), p.q,
                      p.u);
}

pawl_status pw_member_run(pw_worker *w, int64_t member, pw_state *state, pw_sweep_tally *tally) {
  pawl_run *run = NULL;
  pawl_diags_clear(w->diags);
  w->rows.len = 0;
  w->n_kept = w->n_event = 0;
  pawl_run_opts opts = pw_member_opts(w, member);
  pawl_status status = pawl_run_new(w->sweep->model, &opts, w->diags, &run);
  if (status == PAWL_OK && !pw_take_begin(&w->take, &w->sweep->records, run)) {
    status = PAWL_E_MEMORY;
  }
  if (status == PAWL_OK && w->sweep->design.follow) {
    status = start_from(run, state, w->diags);
  }
  if (status == PAWL_OK) {
    status = pawl_run_go(run, w->diags);
  }
  if (status == PAWL_OK && w->sweep->design.follow) {
    w->failed = !keep_end(run, state) || w->failed;
  }
  put_rows(w, run, status, tally);
  pawl_run_free(run);
  bool no_memory = w->failed || w->rows.failed || status == PAWL_E_MEMORY;
  return no_memory ? PAWL_E_MEMORY : atomic_load(&w->sweep->stops) ? PAWL_E_TIME : PAWL_OK;
}
