// SPDX-License-Identifier: MIT
/* The events of a run that writes no folder. */
#include "event_memory.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *state_name(const pawl_system *sys, int i) {
  int nq = pawl_system_positions(sys);
  return i < nq ? pawl_position_name(sys, i) : pawl_velocity_name(sys, i - nq);
}

void event_memory_begin(event_memory *m, const pawl_system *sys) {
  *m = (event_memory){0};
  m->n_state = pawl_system_positions(sys) + pawl_system_velocities(sys);
  m->nq = pawl_system_positions(sys);
  m->n_shown = m->n_state < EVENT_STATES ? m->n_state : EVENT_STATES;
  for (int i = 0; i < m->n_shown; i++) {
    snprintf(m->name[i], sizeof m->name[i], "%s", state_name(sys, i));
  }
}

void event_memory_row(event_memory *m, const double *values) {
  for (int i = 0; i < m->n_shown; i++) {
    m->scale[i] = fmax(m->scale[i], fabs(values[1 + i]));
  }
}

static double length(int n, const double *v) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += v[i] * v[i];
  }
  return n == 0 ? NAN : n == 1 ? v[0] : sqrt(sum);
}

/* Contacts that steps find on their way have names that last as long as the event. */
static char *copied(const char *text) {
  size_t size = strlen(text) + 1;
  return memcpy(cli_enough(malloc(size)), text, size);
}

void event_memory_add(event_memory *m, const pawl_run_event *event) {
  const pawl_event *e = &event->event;
  if (m->n == m->cap) {
    m->cap = 2 * m->cap + 64;
    m->rows = cli_enough(realloc(m->rows, (size_t)m->cap * sizeof *m->rows));
  }
  event_row *row = &m->rows[m->n++];
  *row = (event_row){.t = e->t,
                     .kind = e->kind,
                     .at = copied(e->at),
                     .flag = e->flag == NULL ? "" : e->flag,
                     .cluster = e->cluster,
                     .impulse = length(e->n_impulse, e->impulse),
                     .dE = e->dE,
                     .before = e->rate_before,
                     .after = e->rate_after,
                     .force = e->force};
  for (int i = 0; i < m->n_shown && event->q_after != NULL; i++) {
    row->state[i] = i < m->nq ? event->q_after[i] : event->u_after[i - m->nq];
  }
}

void event_memory_free(event_memory *m) {
  for (int64_t i = 0; i < m->n; i++) {
    free((void *)(uintptr_t)m->rows[i].at);
  }
  free(m->rows);
  *m = (event_memory){0};
}
