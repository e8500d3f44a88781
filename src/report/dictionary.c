// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "report/gather.h"

static int slot_of(const pw_words *w, const char *text) {
  unsigned mask = (unsigned)w->n_slot - 1;
  unsigned at = (unsigned)pw_fnv1a(PW_FNV_START, text, strlen(text)) & mask;
  while (w->slot[at] != 0 && strcmp(w->text[w->slot[at] - 1], text) != 0) {
    at = (at + 1) & mask;
  }
  return (int)at;
}

static bool grow(pw_words *w) {
  int room = w->room == 0 ? 16 : 2 * w->room;
  char **text = realloc(w->text, (size_t)room * sizeof *text);
  w->text = text == NULL ? w->text : text;
  int *slot = text == NULL ? NULL : calloc((size_t)room * 2, sizeof *slot);
  if (slot == NULL) {
    return false;
  }
  free(w->slot);
  w->slot = slot;
  w->room = room;
  w->n_slot = 2 * room;
  for (int i = 0; i < w->n; i++) {
    w->slot[slot_of(w, w->text[i])] = i + 1;
  }
  return true;
}

int pw_words_find(pw_words *w, const char *text) {
  if (w->n == w->room && !grow(w)) {
    return -1;
  }
  int at = slot_of(w, text);
  if (w->slot[at] == 0) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy == NULL) {
      return -1;
    }
    memcpy(copy, text, size);
    w->text[w->n] = copy;
    w->slot[at] = ++w->n;
  }
  return w->slot[at] - 1;
}

void pw_words_free(pw_words *w) {
  for (int i = 0; i < w->n; i++) {
    free(w->text[i]);
  }
  free(w->text);
  free(w->slot);
  *w = (pw_words){0};
}
