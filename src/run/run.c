// SPDX-License-Identifier: MIT
/* The driver: advances a simulation from sample to sample, expectation and event, in an order that
 * depends on the model and the options alone, so that a resumed run repeats it bit by bit. */
#include "run/run.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "law/scale_run.h"

enum { ROWS_PER_BLOCK = 4096, BYTES_PER_BLOCK = 1 << 18 };
static const double seconds_per_checkpoint = 1;

double pw_clock(void) {
  return pw_clock_seconds();
}

double pw_run_wall(const pawl_run *run) {
  return run->wall_before + pw_clock() - run->clock;
}

bool pw_run_is_lasting(const pawl_run *run) {
  return pw_run_wall(run) >= PW_SCALE(WORTH_THE_DISK);
}

/* t_k = from + k*every, and the end of the run instead of a sample right before it. */
double pw_run_sample(const pawl_run *run, int64_t k) {
  const pawl_sim_opts *sim = &run->opts.sim;
  double t = sim->from + (double)k * run->opts.every;
  return t < sim->to - PW_SCALE(ROW_AT_END) * run->opts.every ? t : sim->to;
}

static void keep_touches(pawl_run *run) {
  int n = pawl_sim_meetings(run->sim);
  for (int i = 0; i < n; i++) {
    pawl_meeting m = pawl_sim_meeting(run->sim, i);
    double numbers[PW_TOUCH_REALS];
    memcpy(numbers, m.x, sizeof m.x);
    memcpy(numbers + 3, m.normal, sizeof m.normal);
    numbers[6] = m.force;
    memcpy(numbers + 7, m.across, sizeof m.across);
    if (m.force != 0) {
      pw_chunk_touch(&run->chunk, &(pw_touch_row){.contact = m.contact,
                                                  .first = m.first,
                                                  .second = m.second,
                                                  .point = m.point,
                                                  .mode = m.mode,
                                                  .numbers = numbers});
    }
  }
}

static void keep_row(pawl_run *run, const pawl_point *p) {
  double *at = run->row;
  *at++ = p->t;
  const struct {
    const double *values;
    int n;
  } parts[] = {{p->q, run->nq}, {p->u, run->nv}, {p->force, run->n_law}, {p->output, run->n_out}};
  for (int i = 0; i < 4; i++) {
    if (parts[i].n > 0) {
      memcpy(at, parts[i].values, (size_t)parts[i].n * sizeof *at);
      at += parts[i].n;
    }
  }
  for (int i = 0; i < run->n_out; i++) {
    if (isnan(p->output[i]) && isnan(run->nan_from[i])) {
      run->nan_from[i] = p->t;
    }
  }
  run->last_row = p->t;
  run->result.rows++;
  if (run->dir != NULL) {
    pw_keep_row(&run->keep, &run->chunk);
    pw_chunk_row(&run->chunk, run->row);
    keep_touches(run);
  }
  if (run->opts.row != NULL) {
    run->opts.row(run->opts.payload, run->row);
  }
}

static void keep_state(const pawl_run *run, const pawl_point *p, double *state) {
  memcpy(state, p->q, (size_t)run->nq * sizeof *state);
  memcpy(state + run->nq, p->u, (size_t)run->nv * sizeof *state);
}

void pw_run_show_event(const pawl_run *run, const pawl_run_event *e) {
  if (run->opts.event != NULL) {
    run->opts.event(run->opts.payload, e);
  }
}

static pawl_status keep_event(pawl_run *run, int i) {
  pawl_run_event kept = {.event = pawl_sim_event(run->sim, i),
                         .q_before = run->before,
                         .u_before = run->before + run->nq,
                         .q_after = run->after,
                         .u_after = run->after + run->nq};
  run->result.events++;
  if (run->dir != NULL) {
    pw_chunk_event(&run->chunk, &kept);
  } else if (run->opts.keep_events) {
    pawl_run_event line = kept;
    bool bare = pw_sim_is_heap(run->sim) && pawl_sim_parts(run->sim) == 0;
    if (bare) { /* as in files: shapes says why */
      line.q_before = line.u_before = line.q_after = line.u_after = NULL;
    }
    pw_event_json(&run->event_lines, (const char *const *)run->column + 1, run->nq, run->nv, &line);
    pw_buf_puts(&run->event_lines, "\n");
  }
  pw_run_show_event(run, &kept);
  return pw_expect_event(run, &kept.event);
}

static pawl_status keep_events(pawl_run *run, const pawl_point *p) {
  pawl_status status = PAWL_OK;
  int n = pawl_sim_events(run->sim);
  for (int i = 0; i < n && status == PAWL_OK; i++) {
    status = keep_event(run, i);
  }
  run->result.t = p->t;
  return status;
}

/* A row for either side of the instant, then its events. Where hundreds of shapes touch, something
 * happens in each step: there the events alone. */
static pawl_status at_event(pawl_run *run) {
  if (pw_sim_is_heap(run->sim)) {
    pawl_point state = pw_sim_state(run->sim);
    keep_state(run, &state, run->before);
    keep_state(run, &state, run->after);
    return keep_events(run, &state);
  }
  pawl_point p;
  pawl_status status = pawl_sim_point(run->sim, PAWL_BEFORE, &p);
  if (status != PAWL_OK) {
    return status;
  }
  if (run->result.rows == 0) { /* no segment ends here */
    pw_sim_record_point(run->sim, PAWL_BEFORE);
  }
  keep_row(run, &p);
  pw_certify_side(run, PAWL_BEFORE, run->row);
  keep_state(run, &p, run->before);
  status = pawl_sim_point(run->sim, PAWL_AFTER, &p);
  if (status != PAWL_OK) {
    return status;
  }
  keep_row(run, &p);
  pw_strokes_retry(&run->strokes); /* problems that were only tried have no part in it */
  if (run->strokes.bytes.failed) { /* the certificate would miss impulses */
    return PAWL_E_MEMORY;
  }
  if (run->dir != NULL && pw_strokes_tell(&run->strokes)) {
    pw_chunk_strokes(&run->chunk, &run->strokes.bytes);
  }
  pw_certify_side(run, PAWL_AFTER, run->row);
  keep_state(run, &p, run->after);
  while (pw_run_sample(run, run->next) <= p.t && pw_run_sample(run, run->next) < run->opts.sim.to) {
    run->next++; /* the row after the event stands for the sample */
  }
  return keep_events(run, &p);
}

static pawl_status at_target(pawl_run *run, double target) {
  pawl_point p;
  pawl_status status = pawl_sim_point(run->sim, PAWL_AFTER, &p);
  if (status != PAWL_OK) {
    return status;
  }
  run->result.t = p.t;
  if (pw_run_sample(run, run->next) <= target) {
    run->next++;
    if (run->result.rows == 0 || p.t > run->last_row) {
      keep_row(run, &p);
      pw_certify_row(run, run->row);
    }
  }
  return pw_expect_time(run, target);
}

/* One way to the next instant of interest. */
static pawl_status advance(pawl_run *run, pawl_diags *diags) {
  double to = run->opts.sim.to;
  double target = pw_expect_next(run, pw_run_sample(run, run->next));
  pawl_stop why;
  pawl_status status = pawl_sim_advance(run->sim, target, diags, &why);
  if (status != PAWL_OK) {
    return status;
  }
  if (why == PAWL_AT_EVENT) {
    return at_event(run);
  }
  if (why == PAWL_AT_END && target < to) { /* after a stop event, whose rows are there */
    run->result.ending = PAWL_ENDED_BY_EVENT;
    return PAWL_OK;
  }
  status = at_target(run, target);
  if (status == PAWL_OK && target >= to) {
    run->result.ending = run->result.t < to ? PAWL_ENDED_BY_EVENT : PAWL_ENDED;
  }
  return status;
}

static bool interrupted(pawl_run *run) {
  if (run->opts.progress == NULL) {
    return false;
  }
  pawl_progress now = {.t = run->result.t,
                       .from = run->opts.sim.from,
                       .to = run->opts.sim.to,
                       .rows = run->result.rows,
                       .events = run->result.events,
                       .step = pawl_sim_statistics(run->sim).step,
                       .wall = pw_run_wall(run)};
  return run->opts.progress(run->opts.payload, &now) != 0;
}

static pawl_status not_saved(pawl_status status, pawl_diags *diags) {
  if (status == PAWL_E_MEMORY) {
    pw_no_memory(diags);
  }
  return status == PAWL_E_UNSUPPORTED ? status : PAWL_E_FILE; /* a build without folders */
}

static bool is_full(const pw_chunk *chunk) {
  return chunk->n_row + chunk->n_event >= ROWS_PER_BLOCK ||
         pw_chunk_bytes(chunk) >= BYTES_PER_BLOCK;
}

/* A block when there is enough for one, a checkpoint every second. PAWL_E_FILE is about the folder;
 * everything else about the motion. */
static pawl_status sync_folder(pawl_run *run, pawl_diags *diags) {
  if (run->dir == NULL) {
    return PAWL_OK;
  }
  if (!pw_file_is_open(&run->partial.motion.file)) {
    return pw_folder_open(run, diags);
  }
  pawl_status status = is_full(&run->chunk) ? pw_partial_append(run, diags) : PAWL_OK;
  bool due = pw_clock() - run->partial.synced >= seconds_per_checkpoint;
  return status == PAWL_OK && due ? pw_partial_sync(run, diags) : status;
}

static void stopped_early(pawl_run *run, pawl_status status, const pawl_diags *diags) {
  run->result.ending = PAWL_STOPPED_EARLY;
  run->result.status = status;
  const pawl_diag *error = NULL;
  for (int i = 0; i < pawl_diags_count(diags); i++) {
    const pawl_diag *d = pawl_diags_get(diags, i);
    error = d->severity == PAWL_ERROR ? d : error;
  }
  snprintf(run->reason, sizeof run->reason, "%s",
           error == NULL ? pawl_status_text(status) : error->message);
  if (error != NULL) {
    pw_diag_json(&run->error, error);
  }
  pawl_point p;
  if (pawl_sim_point(run->sim, PAWL_AFTER, &p) == PAWL_OK) {
    run->result.t = p.t;
    if (run->result.rows == 0 || p.t > run->last_row) {
      keep_row(run, &p);
      pw_certify_row(run, run->row);
    }
  }
}

/* What is wrong at the start is an error of the model: nothing has moved yet. */
static bool is_start_error(const pawl_run *run, pawl_status status) {
  return pawl_sim_statistics(run->sim).steps == 0 &&
         (status == PAWL_E_NAN || status == PAWL_E_INERTIA || status == PAWL_E_CONTRADICTION ||
          status == PAWL_E_START || status == PAWL_E_MEMORY);
}

static pawl_status drive(pawl_run *run, pawl_diags *diags) {
  pawl_status status = run->result.rows == 0 ? advance(run, diags) : PAWL_OK; /* the start */
  while (status == PAWL_OK && run->result.ending == PAWL_NOT_ENDED) {
    status = advance(run, diags);
    if (status == PAWL_OK) {
      pawl_status saved = sync_folder(run, diags);
      if (saved != PAWL_OK) {
        return not_saved(saved, diags);
      }
      if (run->result.ending == PAWL_NOT_ENDED && interrupted(run)) {
        run->result.ending = PAWL_INTERRUPTED;
      }
    }
  }
  return status;
}

static void warn_nan(const pawl_run *run, pawl_diags *diags) {
  for (int i = 0; i < run->n_out; i++) {
    if (!isnan(run->nan_from[i])) {
      pw_diag_ref ref =
          pw_warning(diags, "W0605", PW_NO_SPAN, "output `%s` is not a number at t = %.9g",
                     pawl_output_name(run->sys, i), run->nan_from[i]);
      pw_help(ref, "look for a root or logarithm of a negative number, or 0/0, in it");
    }
  }
}

static pawl_status settle(pawl_run *run) {
  run->result.not_a_motion = pw_certify_end(run);
  pw_sim_record_point(run->sim, PAWL_AFTER); /* no segment begins here */
  run->result.segments = run->keep.stored;
  run->result.left_out = run->keep.left_out;
  run->result.whole_until = run->keep.left_out > 0 ? run->keep.whole_until : run->result.t;
  run->result.wall = pw_run_wall(run);
  run->result.stats = pawl_sim_statistics(run->sim);
  pawl_status status = pawl_sim_energy(run->sim, &run->result.energy, run->works);
  return status == PAWL_OK ? pw_expect_finish(run, &run->result.failed) : status;
}

pawl_status pawl_run_go(pawl_run *run, pawl_diags *diags) {
  if (run == NULL || run->result.ending != PAWL_NOT_ENDED) {
    return PAWL_E_ARGUMENT;
  }
  run->clock = pw_clock();
  pawl_status status = run->dir != NULL && !run->resumed ? pw_folder_check(run, diags) : PAWL_OK;
  if (status == PAWL_OK && run->resumed) {
    status = pw_run_show_again(run);
  }
  if (status != PAWL_OK) {
    return not_saved(status, diags);
  }

  status = drive(run, diags);
  if (status == PAWL_E_FILE) {
    return status;
  }
  if (status != PAWL_OK) {
    bool at_start = is_start_error(run, status);
    stopped_early(run, status, diags);
    if (at_start) {
      return status;
    }
  }
  warn_nan(run, diags);
  pawl_status settled = settle(run);
  if (status == PAWL_OK && settled == PAWL_OK) {
    pw_run_balance(run, diags);
    settled = pw_run_differentiate(run, diags);
  }
  if (run->dir != NULL) {
    bool open = pw_file_is_open(&run->partial.motion.file);
    pawl_status saved = open ? PAWL_OK : pw_folder_open(run, diags);
    saved = saved == PAWL_OK ? pw_folder_finish(run, diags) : saved;
    if (saved != PAWL_OK) {
      return not_saved(saved, diags);
    }
    if (status != PAWL_OK) {
      pw_note(pw_last_error(diags), "state saved in %s/, exit 3", run->dir);
    }
    run->result.saved = 1;
  }
  return status == PAWL_OK ? settled : status;
}
