// SPDX-License-Identifier: MIT
/* Tasks are begun in their order, end in any order and are written in their order. Results of later
 * tasks wait in slots; so that memory stays bounded, no task is begun too far ahead of the first
 * that is not complete. That one has always been begun, so the work goes on. */
#include "sweep/pool.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double seconds_per_tell = 0.1;

void pw_pool_fail(pw_pool *p, pawl_status status) {
  p->status = p->status == PAWL_OK ? status : p->status;
  atomic_store(&p->sweep->stops, true);
  pw_lock_wake(p->lock);
}

void pw_pool_tell(pw_pool *p) {
  const pawl_sweep_opts *opts = &p->sweep->opts;
  double wall = pw_clock_seconds() - p->began;
  if (opts->progress == NULL || wall - p->told < seconds_per_tell) {
    return;
  }
  p->told = wall;
  pw_lock_take(p->lock);
  pawl_sweep_progress now = {.members = (p->sweep->end - p->sweep->first) * p->sweep->design.chain,
                             .done = (int64_t)p->done,
                             .failed = (int64_t)p->failed,
                             .wall = wall};
  pw_lock_release(p->lock);
  now.rate = wall > 0 ? (double)(now.done - p->before) / wall : 0;
  now.remaining = now.rate > 0 ? (double)(now.members - now.done) / now.rate : NAN;
  if (opts->progress(opts->payload, &now) != 0) {
    p->sweep->interrupted = true;
    pw_lock_take(p->lock);
    pw_pool_fail(p, PAWL_OK);
    pw_lock_release(p->lock);
  }
}

/* ---- results ---- */

static void add_tally(pw_sweep_tally *sum, const pw_sweep_tally *t) {
  sum->members += t->members;
  sum->rows += t->rows;
  sum->failed += t->failed;
  sum->not_a_motion += t->not_a_motion;
}

/* The slot of the first open task goes to the table; if that completes it, so does the next. */
static void write_slots(pw_pool *p) {
  pawl_sweep *s = p->sweep;
  for (;;) {
    pw_slot *slot = &p->slot[p->open % PW_POOL_WINDOW];
    if (slot->tally.members == 0) {
      return;
    }

    /* the sweep is now behind these members; inside a task it keeps the state to go on from */
    bool complete = slot->complete;
    add_tally(&s->at.tally, &slot->tally);
    s->at.step = complete ? 0 : s->at.step + slot->steps;
    s->at.task = p->open + complete;
    if (complete) {
      s->at.state.known = false;
    } else if (slot->state.known &&
               !pw_state_set(&s->at.state, slot->state.nq, slot->state.nv, slot->state.value,
                             slot->state.value + slot->state.nq)) {
      pw_pool_fail(p, PAWL_E_MEMORY);
      return;
    }

    /* the rows go to the table, and the slot is free */
    pawl_status status = slot->rows.failed ? PAWL_E_MEMORY : pw_store_put(s, &slot->rows, p->diags);
    p->waiting -= slot->rows.len;
    slot->rows.len = 0;
    slot->tally = (pw_sweep_tally){0};
    slot->steps = 0;
    slot->complete = false;
    slot->state.known = false;
    if (status != PAWL_OK) {
      pw_pool_fail(p, status);
      return;
    }

    /* the next task may be complete already, and a thread may wait for the room */
    if (!complete) {
      return;
    }
    p->open++;
    pw_lock_wake(p->lock);
  }
}

void pw_pool_take(pw_pool *p, const pw_piece *piece) {
  pw_slot *slot = &p->slot[piece->task % PW_POOL_WINDOW];
  pw_buf_add(&slot->rows, piece->rows, piece->n_rows);
  p->waiting += piece->n_rows;
  add_tally(&slot->tally, &piece->tally);
  slot->steps++;
  slot->complete = piece->last;
  p->done += piece->tally.members;
  p->failed += piece->tally.failed;
  if (piece->state.known &&
      !pw_state_set(&slot->state, piece->state.nq, piece->state.nv, piece->state.value,
                    piece->state.value + piece->state.nq)) {
    pw_pool_fail(p, PAWL_E_MEMORY);
  } else if (piece->task == p->open) {
    write_slots(p);
  }
}

static void deliver(pw_pool *p, const pw_piece *piece) {
  pw_lock_take(p->lock);
  if (p->slot != NULL) {
    pw_pool_take(p, piece);
  } else {
    pw_team_put(p, piece);
  }
  pw_lock_release(p->lock);
  if (p->alone) {
    pw_pool_tell(p);
  }
}

/* ---- tasks ---- */

static bool may_begin(const pw_pool *p, int64_t task) {
  return task == p->open || (task < p->open + PW_POOL_WINDOW && p->waiting < PW_POOL_BYTES);
}

/* The next task, or -1: there are no more. */
static int64_t next_task(pw_pool *p) {
  int64_t task = -1;
  pw_lock_take(p->lock);
  while (!atomic_load(&p->sweep->stops) && task < 0 && (p->n_claim > 0 || !p->all_claimed)) {
    pw_range *r = &p->claim[p->first_claim];
    if (p->n_claim == 0 || !may_begin(p, r->first)) {
      pw_lock_wait(p->lock);
      continue;
    }
    task = r->first++;
    p->running++;
    if (r->first == r->end) {
      p->first_claim = (p->first_claim + 1) % PW_POOL_CLAIMS;
      p->n_claim--;
      pw_lock_wake(p->lock); /* the one who claims more */
    }
  }
  pw_lock_release(p->lock);
  return task;
}

static void end_task(pw_pool *p, pawl_status status) {
  pw_lock_take(p->lock);
  p->running--;
  if (status != PAWL_OK && status != PAWL_E_TIME) {
    pw_pool_fail(p, status);
  }
  pw_lock_wake(p->lock);
  pw_lock_release(p->lock);
}

static pawl_status run_task(pw_pool *p, pw_worker *w, int64_t task, pw_state *state) {
  pawl_sweep *s = p->sweep;
  int64_t chain = s->design.chain, step = 0;
  state->known = false;
  if (p->resumed_task == task) {
    step = p->resumed_step;
    if (p->resumed.known && !pw_state_set(state, p->resumed.nq, p->resumed.nv, p->resumed.value,
                                          p->resumed.value + p->resumed.nq)) {
      return PAWL_E_MEMORY;
    }
  }
  for (; step < chain; step++) {
    pw_piece piece = {.task = task, .last = step == chain - 1};
    pawl_status status = pw_member_run(w, task * chain + step, state, &piece.tally);
    if (status != PAWL_OK) {
      return status;
    }
    piece.rows = w->rows.len > 0 ? w->rows.text : "";
    piece.n_rows = w->rows.len;
    piece.state = *state;
    deliver(p, &piece);
  }
  return PAWL_OK;
}

static void work(void *payload, int i) {
  pw_pool *p = payload;
  pw_state state = {0};
  for (int64_t task; (task = next_task(p)) >= 0;) {
    end_task(p, run_task(p, &p->worker[i], task, &state));
  }
  pw_state_free(&state);
}

/* ---- all ---- */

/* The calling thread tells how far it is while the others work. */
static void watch(void *payload) {
  pw_pool *p = payload;
  pw_lock_take(p->lock);
  while (!atomic_load(&p->sweep->stops) && p->open < p->sweep->end) {
    pw_lock_wait_for(p->lock, seconds_per_tell);
    pw_lock_release(p->lock);
    pw_pool_tell(p);
    pw_lock_take(p->lock);
  }
  pw_lock_release(p->lock);
}

static void serve(void *payload) {
  pw_team_serve(payload);
}

static pawl_status prepare(pw_pool *p) {
  pawl_sweep *s = p->sweep;
  const pawl_team *team = s->opts.team;
  p->lock = pw_lock_new();
  p->worker = calloc((size_t)p->n_worker, sizeof *p->worker);
  if (team == NULL || team->rank == 0) {
    p->slot = calloc(PW_POOL_WINDOW, sizeof *p->slot);
  }
  if (p->lock == NULL || p->worker == NULL ||
      (p->slot == NULL && (team == NULL || team->rank == 0))) {
    return PAWL_E_MEMORY;
  }
  for (int i = 0; i < p->n_worker; i++) {
    if (!pw_worker_init(&p->worker[i], s)) {
      return PAWL_E_MEMORY;
    }
  }
  return PAWL_OK;
}

static void release(pw_pool *p) {
  for (int i = 0; p->worker != NULL && i < p->n_worker; i++) {
    pw_worker_free(&p->worker[i]);
  }
  for (int i = 0; p->slot != NULL && i < PW_POOL_WINDOW; i++) {
    pw_buf_free(&p->slot[i].rows);
    pw_state_free(&p->slot[i].state);
  }
  free(p->worker);
  free(p->slot);
  pw_buf_free(&p->outbox);
  pw_state_free(&p->resumed);
  pw_lock_free(p->lock);
}

/* All tasks, or of a team the one that goes on in the middle. */
static void claim_own(pw_pool *p) {
  const pawl_sweep *s = p->sweep;
  p->all_claimed = s->opts.team == NULL;
  int64_t end = p->all_claimed ? s->end : p->resumed_task + 1;
  if (p->open < end) {
    p->claim[p->n_claim++] = (pw_range){p->open, end};
  }
}

pawl_status pw_pool_run(pawl_sweep *s, pawl_diags *diags) {
  const pawl_team *team = s->opts.team;
  pw_pool p = {.sweep = s,
               .diags = diags,
               .n_worker = s->opts.threads > 1 ? s->opts.threads : 1,
               .open = s->at.task,
               .resumed_task = s->at.step > 0 ? s->at.task : -1,
               .resumed_step = s->at.step,
               .done = s->at.tally.members,
               .failed = s->at.tally.failed,
               .before = s->at.tally.members,
               .began = pw_clock_seconds()};
  p.alone = p.n_worker == 1 && team == NULL;
  p.status = prepare(&p);
  if (p.status == PAWL_OK && s->at.state.known &&
      !pw_state_set(&p.resumed, s->at.state.nq, s->at.state.nv, s->at.state.value,
                    s->at.state.value + s->at.state.nq)) {
    p.status = PAWL_E_MEMORY;
  }
  claim_own(&p);
  if (p.status == PAWL_OK && !p.alone &&
      !pw_threads_run(p.n_worker, work, team == NULL ? watch : serve, &p)) {
    p.alone = true; /* no threads in this build, or none to be had */
    p.status = team == NULL ? PAWL_OK : PAWL_E_UNSUPPORTED;
  }
  if (p.status == PAWL_OK && p.alone) {
    s->alone = &p;
    work(&p, 0);
    s->alone = NULL;
  }
  pawl_status status = p.status;
  release(&p);
  return status;
}
