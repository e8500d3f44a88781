// SPDX-License-Identifier: MIT
#include "report/place.h"

#include <setjmp.h>
#include <string.h>

enum { MOST_NAME = 200 };

static int find(const pw_model *m, const char *name) {
  for (int i = 0; i < m->coords.n; i++) {
    if (strcmp(m->coords.items[i].name, name) == 0) {
      return i;
    }
  }
  return -1;
}

/* The coordinate with another letter in place of the x of this name. */
static int partner(const pw_model *m, const char *name, size_t at, char letter) {
  char other[MOST_NAME];
  size_t n = strlen(name);
  if (n + 1 > sizeof other) {
    return -1;
  }
  memcpy(other, name, n + 1);
  other[at] = letter;
  return find(m, other);
}

static bool place_at(const pw_model *m, int i, pw_place *out) {
  const pw_coord *c = &m->coords.items[i];
  size_t last = strcspn(c->name, "[");
  const size_t tries[] = {0, last > 0 ? last - 1 : 0};
  if (c->is_rotation || strchr(c->name, '.') != NULL) {
    return false;
  }
  for (int k = 0; k < 2; k++) {
    size_t at = tries[k];
    char x = c->name[at];
    if (x != 'x' && x != 'X') {
      continue;
    }
    int y = partner(m, c->name, at, (char)(x + 1)), z = partner(m, c->name, at, (char)(x + 2));
    if (y >= 0) {
      *out = (pw_place){.n = z >= 0 ? 3 : 2, .coord = {i, y, z}};
      return true;
    }
  }
  return false;
}

bool pw_place_next(const pw_model *m, int *i, pw_place *out) {
  while (*i < m->coords.n) {
    if (place_at(m, (*i)++, out)) {
      return true;
    }
  }
  return false;
}

bool pw_place_has(const pw_model *m, int coord) {
  pw_place place;
  for (int i = 0; pw_place_next(m, &i, &place);) {
    for (int k = 0; k < place.n; k++) {
      if (place.coord[k] == coord) {
        return true;
      }
    }
  }
  return false;
}

static bool is_position(void *payload, int var) {
  return pw_var_kind(var) == PW_VAR_Q && pw_var_index(var) == *(const int *)payload;
}

bool pw_place_in(const pw_model *m, pw_node value, int q) {
  return pw_depends(m->dag, value, is_position, &q);
}

bool pw_place_ends(const pw_model *m, pw_node value, pw_place ends[2]) {
  pw_place place;
  int n = 0, used = 0, all = 0;
  for (int i = 0; i < m->nq; i++) {
    used += pw_place_in(m, value, i);
  }
  for (int i = 0; pw_place_next(m, &i, &place);) {
    int here = 0;
    for (int k = 0; k < place.n; k++) {
      here += pw_place_in(m, value, m->coords.items[place.coord[k]].q);
    }
    if (here == place.n && n < 2) {
      ends[n++] = place;
      all += here;
    }
  }
  return n == 2 && all == used;
}

pawl_status pw_place_guard(pawl_system *system, void (*work)(pawl_system *system, void *payload),
                           void *payload) {
  jmp_buf failed;
  pawl_status status = PAWL_OK;
  system->arena.on_fail = &failed;
  if (setjmp(failed) == 0) {
    work(system, payload);
  } else {
    status = system->arena.failure;
  }
  system->arena.on_fail = NULL;
  return status;
}
