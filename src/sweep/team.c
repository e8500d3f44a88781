// SPDX-License-Identifier: MIT
/* Processes that share a sweep. A counter that all of them can advance gives out tasks in ranges;
 * results go to process 0 as messages, which are pieces one after the other; process 0 publishes
 * the first task that is not complete, and nobody begins one too far beyond it. The last message of
 * a process is empty. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/pool.h"

typedef struct piece_head {
  int64_t task, bytes, last, known, nq, nv;
  pw_sweep_tally tally;
  int64_t status; /* not 0: the process cannot go on */
} piece_head;

enum { STOP = -1, MOST_RANGE = 64, RANGES_PER_THREAD = 16 };
static const double seconds_per_look = 0.001;

/* ---- messages ---- */

static void put_head(pw_buf *out, const piece_head *head) {
  pw_buf_add(out, (const char *)head, sizeof *head);
}

void pw_team_put(pw_pool *p, const pw_piece *piece) {
  piece_head head = {.task = piece->task,
                     .bytes = (int64_t)piece->n_rows,
                     .last = piece->last,
                     .known = piece->state.known,
                     .nq = piece->state.known ? piece->state.nq : 0,
                     .nv = piece->state.known ? piece->state.nv : 0,
                     .tally = piece->tally};
  size_t n = (size_t)(head.nq + head.nv);
  put_head(&p->outbox, &head);
  if (n > 0) {
    pw_buf_add(&p->outbox, (const char *)piece->state.value, n * sizeof(double));
  }
  pw_buf_add(&p->outbox, piece->rows, piece->n_rows);
  p->waiting = p->outbox.len;
  if (p->outbox.failed) {
    pw_pool_fail(p, PAWL_E_MEMORY);
  }
  pw_lock_wake(p->lock);
}

/* State and rows are copied where they are needed: the bytes of a message are not aligned. */
static bool take_piece(pw_pool *p, const char **at, const char *end) {
  piece_head head;
  if ((size_t)(end - *at) < sizeof head) {
    return false;
  }
  memcpy(&head, *at, sizeof head);
  *at += sizeof head;

  /* a process that cannot go on sends its status and nothing else */
  if (head.status != 0) {
    pw_pool_fail(p, (pawl_status)head.status);
    return true;
  }

  /* state and rows follow; a message that ends before them is broken */
  size_t n = (size_t)(head.nq + head.nv), bytes = n * sizeof(double);
  if ((size_t)(end - *at) < bytes + (size_t)head.bytes) {
    return false;
  }
  double *state = malloc(bytes + 1);
  if (state == NULL) {
    pw_pool_fail(p, PAWL_E_MEMORY);
    return true;
  }
  memcpy(state, *at, bytes);

  /* the piece is taken as if a thread of this process had made it */
  pw_piece piece = {
      .task = (int64_t)head.task,
      .rows = *at + bytes,
      .n_rows = (size_t)head.bytes,
      .tally = head.tally,
      .last = head.last != 0,
      .state = {.known = head.known != 0, .nq = (int)head.nq, .nv = (int)head.nv, .value = state}};
  pw_pool_take(p, &piece);
  *at += bytes + (size_t)head.bytes;
  free(state);
  return true;
}

static void team_broke(pw_pool *p) {
  pw_lock_take(p->lock);
  pw_pool_fail(p, PAWL_E_FILE);
  pw_lock_release(p->lock);
}

/* ---- process 0 ---- */

/* False: nothing was there. *ended counts the processes that are done. */
static bool receive(pw_pool *p, int *ended) {
  const pawl_team *team = p->sweep->opts.team;
  unsigned long count = 0;
  if (team->next(team->payload, &count) != 0) {
    team_broke(p);
    *ended = team->size; /* nobody can be waited for */
    return false;
  }
  if (count == 0) {
    return false;
  }
  char *message = malloc(count);
  if (message == NULL || team->receive(team->payload, message, count) != 0) {
    free(message);
    team_broke(p);
    *ended = team->size;
    return false;
  }
  pw_lock_take(p->lock);
  if (count == 1) {
    ++*ended;
  } else {
    bool whole = true;
    for (const char *at = message; whole && at < message + count;) {
      whole = take_piece(p, &at, message + count);
    }
    if (!whole) {
      pw_pool_fail(p, PAWL_E_STATE);
    }
  }
  pw_lock_release(p->lock);
  free(message);
  return true;
}

static void publish(pw_pool *p, int64_t *published) {
  const pawl_team *team = p->sweep->opts.team;
  pw_lock_take(p->lock);
  int64_t open = atomic_load(&p->sweep->stops) ? STOP : p->open;
  pw_lock_release(p->lock);
  if (open != *published && team->publish(team->payload, open) != 0) {
    team_broke(p);
  }
  *published = open;
}

/* ---- the others ---- */

static void send_all(pw_pool *p) {
  const pawl_team *team = p->sweep->opts.team;
  pw_buf out;
  pw_lock_take(p->lock);
  out = p->outbox;
  p->outbox = (pw_buf){0};
  p->waiting = 0;
  pw_lock_wake(p->lock);
  pw_lock_release(p->lock);
  if (out.len > 0 && !out.failed && team->send(team->payload, out.text, out.len) != 0) {
    team_broke(p);
  }
  pw_buf_free(&out);
}

static void look(pw_pool *p) {
  const pawl_team *team = p->sweep->opts.team;
  int64_t open = 0;
  int broken = team->look(team->payload, &open);
  pw_lock_take(p->lock);
  if (broken != 0 || open == STOP) {
    pw_pool_fail(p, broken != 0 ? PAWL_E_FILE : PAWL_OK);
  } else if (open > p->open) {
    p->open = open;
    pw_lock_wake(p->lock);
  }
  pw_lock_release(p->lock);
}

static void say_goodbye(pw_pool *p) {
  const pawl_team *team = p->sweep->opts.team;
  if (p->status != PAWL_OK) {
    piece_head head = {.status = p->status};
    if (team->send(team->payload, &head, sizeof head) != 0) {
      return;
    }
  }
  if (team->send(team->payload, "", 1) != 0) {
    team_broke(p);
  }
}

/* ---- both ---- */

/* Ranges are short enough to share the end fairly and long enough to be claimed rarely. */
static void claim(pw_pool *p) {
  const pawl_sweep *s = p->sweep;
  const pawl_team *team = s->opts.team;
  int64_t parts = (int64_t)team->size * p->n_worker * RANGES_PER_THREAD;
  int64_t count = (s->end - s->first) / parts, ready = 0, first = 0;
  count = count < 1 ? 1 : count > MOST_RANGE ? MOST_RANGE : count;
  pw_lock_take(p->lock);
  for (int i = 0; i < p->n_claim; i++) {
    const pw_range *r = &p->claim[(p->first_claim + i) % PW_POOL_CLAIMS];
    ready += r->end - r->first;
  }
  bool enough = p->all_claimed || ready >= 2L * p->n_worker || p->n_claim == PW_POOL_CLAIMS;
  pw_lock_release(p->lock);
  if (enough) {
    return;
  }
  if (team->claim(team->payload, count, &first) != 0) {
    team_broke(p);
    return;
  }
  pw_lock_take(p->lock);
  if (first < s->end) {
    int64_t end = first + count < s->end ? first + count : s->end;
    p->claim[(p->first_claim + p->n_claim++) % PW_POOL_CLAIMS] = (pw_range){first, end};
  }
  p->all_claimed = first >= s->end;
  pw_lock_wake(p->lock);
  pw_lock_release(p->lock);
}

static bool is_done(const pw_pool *p, int ended) {
  const pawl_sweep *s = p->sweep;
  bool stops = atomic_load(&s->stops);
  if (s->opts.team->rank == 0) {
    return ended >= s->opts.team->size - 1 && (stops || p->open >= s->end);
  }
  return stops || (p->all_claimed && p->n_claim == 0 && p->running == 0 && p->outbox.len == 0);
}

void pw_team_serve(pw_pool *p) {
  bool first = p->sweep->opts.team->rank == 0, done = false;
  int64_t published = 0;
  int ended = 0;
  while (!done) {
    if (!atomic_load(&p->sweep->stops)) {
      claim(p);
    }
    if (first) {
      while (receive(p, &ended)) {
      }
      publish(p, &published);
      pw_pool_tell(p);
    } else {
      send_all(p);
      look(p);
    }
    pw_lock_take(p->lock);
    done = is_done(p, ended);
    if (!done) {
      pw_lock_wait_for(p->lock, seconds_per_look);
    }
    pw_lock_release(p->lock);
  }
  if (!first) {
    say_goodbye(p);
  }
}
