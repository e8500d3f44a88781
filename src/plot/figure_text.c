// SPDX-License-Identifier: MIT
/* Texts of a figure. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "plot/figure.h"

void pw_unit_text(const char *unit, char *text, size_t room) {
  bool shown = unit != NULL && strcmp(unit, "1") != 0;
  char plain[64];
  text[0] = '\0';
  if (shown) {
    pw_label_text(unit, plain, sizeof plain);
    snprintf(text, room, " [%s]", plain);
  }
}

void pw_label_text(const char *expression, char *text, size_t room) {
  size_t n = 0;
  for (const char *at = expression; *at != '\0'; at++) {
    const char *sign = *at == '\'' ? "\u2032" : *at == '*' ? "\u00b7" : NULL;
    char plain[2] = {*at, '\0'};
    const char *add = sign == NULL ? plain : sign;
    if (n + strlen(add) + 1 > room) {
      break;
    }
    strcpy(text + n, add);
    n += strlen(add);
  }
  text[n] = '\0';
}

/* The kinds with the most events first. */
void pw_tally_text(const pawl_figure *f, char *text, size_t room) {
  bool told[PW_MOST_TALLIES] = {false};
  int shown = f->n_tally < 4 ? f->n_tally : 4;
  int64_t rest = f->events;
  text[0] = '\0';
  if (f->events == 0) {
    return;
  }
  int n = snprintf(text, room, "%" PRId64 " event%s: ", f->events, f->events == 1 ? "" : "s");
  for (int k = 0; k < shown && n > 0 && (size_t)n < room; k++) {
    int best = -1;
    for (int i = 0; i < f->n_tally; i++) {
      best = !told[i] && (best < 0 || f->tally[i].count > f->tally[best].count) ? i : best;
    }
    told[best] = true;
    rest -= f->tally[best].count;
    n += snprintf(text + n, room - (size_t)n, "%s%s at %s", k == 0 ? "" : ", ", f->tally[best].kind,
                  f->tally[best].at);
    if (f->tally[best].count > 1 && n > 0 && (size_t)n < room) {
      n += snprintf(text + n, room - (size_t)n, " %" PRId64 "\u00d7", f->tally[best].count);
    }
  }
  if (rest > 0 && n > 0 && (size_t)n < room) {
    snprintf(text + n, room - (size_t)n, ", %" PRId64 " others", rest);
  }
}
