// SPDX-License-Identifier: MIT
#include "event_series.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 3, LEAST_HIDDEN = 2 };

static series_law *find(const series *s, const char *name) {
  for (int i = 0; i < s->n_law; i++) {
    if (strcmp(s->law[i].name, name) == 0) {
      return &s->law[i];
    }
  }
  return NULL;
}

static series_law *law_of(series *s, const char *name) {
  series_law *law = find(s, name);
  if (law != NULL) {
    return law;
  }
  s->law = cli_enough(realloc(s->law, ((size_t)s->n_law + 1) * sizeof *s->law));
  char *copy = cli_enough(malloc(strlen(name) + 1));
  strcpy(copy, name);
  s->law[s->n_law] = (series_law){.name = copy, .first = -1, .last = -1, .now = -1};
  return &s->law[s->n_law++];
}

static void note_impact(series_law *law, const event_row *e, int64_t number) {
  double interval = e->t - law->t;
  if (law->n >= 2 && !(interval < law->interval)) {
    law->n = 1; /* a new series, of which the last impact was the first */
  }
  law->n++;
  if (law->n >= 3) {
    law->ratio = interval / law->interval;
    law->low = law->n == 3 ? law->ratio : fmin(law->low, law->ratio);
    law->high = law->n == 3 ? law->ratio : fmax(law->high, law->ratio);
  }
  if (law->n == SHOWN + 1) {
    law->from = number;
    law->energy = 0;
  }
  law->energy += e->dE;
  law->to = number;
  law->t = e->t;
  law->interval = interval;
}

/* Those that rest at one instant are told together, by the first. */
static void join(series *s, int64_t i) {
  series_span *span = &s->span[i];
  for (int64_t k = i - 1; k >= 0 && s->span[k].cluster == span->cluster; k--) {
    if (s->span[k].leads) {
      s->span[k].energy += span->energy;
      s->span[k].hidden += span->hidden;
      span->leads = false;
    }
  }
}

static void note_rest(series *s, series_law *law, const event_row *e, int64_t number) {
  if (s->n_span == s->cap_span) {
    int64_t cap = s->cap_span == 0 ? 16 : 2 * s->cap_span;
    s->span = cli_enough(realloc(s->span, (size_t)cap * sizeof *s->span));
    s->cap_span = cap;
  }
  int64_t i = s->n_span++;
  s->span[i] = (series_span){.from = law->from,
                             .to = law->to,
                             .rest = number,
                             .next = -1,
                             .cluster = e->cluster,
                             .hidden = law->n - SHOWN,
                             .energy = law->energy + e->dE,
                             .ratio = law->ratio,
                             .steady = law->high - law->low < 0.001,
                             .leads = true};
  if (law->last >= 0) {
    s->span[law->last].next = i;
  } else {
    law->first = i;
  }
  law->last = i;
  join(s, i);
}

void series_note(series *s, const event_row *e, int64_t number) {
  if (isnan(e->force)) {
    return;
  }
  series_law *law = law_of(s, e->at);
  if (strcmp(e->kind, "impact") == 0) {
    note_impact(law, e, number);
    return;
  }
  if (strcmp(e->kind, "rest") == 0 && law->n >= SHOWN + LEAST_HIDDEN) {
    note_rest(s, law, e, number);
  }
  law->n = 0;
}

void series_rewind(series *s) {
  for (int i = 0; i < s->n_law; i++) {
    s->law[i].now = s->law[i].first;
  }
}

/* The span of the law whose rest is at this event or the next one to come. */
static const series_span *span_at(series *s, const event_row *e, int64_t number) {
  series_law *law = s->n_span == 0 ? NULL : find(s, e->at);
  if (law == NULL) {
    return NULL;
  }
  while (law->now >= 0 && s->span[law->now].rest < number) {
    law->now = s->span[law->now].next;
  }
  return law->now < 0 ? NULL : &s->span[law->now];
}

bool series_hides(series *s, const event_row *e, int64_t number) {
  const series_span *span = span_at(s, e, number);
  return span != NULL && span->from <= number && number <= span->to;
}

const series_span *series_told(series *s, const event_row *e, int64_t number) {
  const series_span *span = span_at(s, e, number);
  return span != NULL && span->rest == number && span->leads ? span : NULL;
}

int64_t series_saved(const series *s) {
  int64_t saved = 0;
  for (int64_t i = 0; i < s->n_span; i++) {
    saved += s->span[i].leads ? s->span[i].hidden - 1 : 0;
  }
  return saved;
}

void series_free(series *s) {
  for (int i = 0; i < s->n_law; i++) {
    free(s->law[i].name);
  }
  free(s->law);
  free(s->span);
  *s = (series){0};
}
