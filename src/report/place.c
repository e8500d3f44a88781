// SPDX-License-Identifier: MIT
#include "report/place.h"

#include <math.h>
#include <setjmp.h>
#include <string.h>

#include "law/scale_model.h"

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

const char *pw_place_letters(const pw_coord *c) {
  const char *dot = strrchr(c->name, '.');
  return dot == NULL ? c->name : dot + 1;
}

static bool place_at(const pw_model *m, int i, pw_place *out) {
  const pw_coord *c = &m->coords.items[i];
  size_t first = (size_t)(pw_place_letters(c) - c->name);
  size_t last = first + strcspn(c->name + first, "[");
  const size_t tries[] = {first, last > first ? last - 1 : first};
  if (c->is_rotation || c->of_body) {
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

typedef struct loner {
  int q; /* -1: none seen yet */
  bool others;
} loner;

static bool sees_others(void *payload, int var) {
  loner *l = payload;
  bool position = pw_var_kind(var) == PW_VAR_Q;
  l->others = !position || (l->q >= 0 && l->q != pw_var_index(var));
  l->q = position ? pw_var_index(var) : l->q;
  return l->others;
}

int pw_place_alone(const pw_model *m, pw_node value) {
  loner l = {.q = -1};
  return pw_depends(m->dag, value, sees_others, &l) ? -1 : l.q;
}

enum { TRIALS = 3 };

typedef struct trial { /* a place and the gradient there, which points to or from the centre */
  const int *var;
  double x[2], g[2];
} trial;

static double trial_value(void *payload, int var) {
  const trial *s = payload;
  return var == s->var[0] ? s->x[0] : s->x[1];
}

/* Lines along the gradients meet at the centre: by the first two of them, and the third agrees. */
static bool find_centre(const trial s[TRIALS], double centre[2]) {
  double det = s[0].g[1] * s[1].g[0] - s[0].g[0] * s[1].g[1];
  double dx = s[1].x[0] - s[0].x[0], dy = s[1].x[1] - s[0].x[1];
  double along = (dy * s[1].g[0] - dx * s[1].g[1]) / det;
  for (int k = 0; k < 2; k++) {
    centre[k] = s[0].x[k] + along * s[0].g[k];
    centre[k] = fabs(centre[k]) > PW_SCALE(DRAWN_AGREES) ? centre[k] : 0;
  }
  double off = (centre[0] - s[2].x[0]) * s[2].g[1] - (centre[1] - s[2].x[1]) * s[2].g[0];
  return fabs(off) <= PW_SCALE(DRAWN_AGREES) * hypot(s[2].g[0], s[2].g[1]) &&
         fabs(det) > PW_SCALE(DRAWN_AGREES);
}

static bool is_elsewhere(void *payload, int var) {
  const int *of = payload;
  return var != of[0] && var != of[1];
}

bool pw_place_about(const pw_model *m, pw_node value, pw_place *place, double centre[2]) {
  for (int i = 0; pw_place_next(m, &i, place);) {
    int var[2];
    pw_node g[2];
    trial s[TRIALS];
    for (int k = 0; k < 2; k++) {
      var[k] = pw_var_of(PW_VAR_Q, m->coords.items[place->coord[k]].q);
    }
    if (place->n != 2 || pw_depends(m->dag, value, is_elsewhere, var)) {
      continue;
    }
    pw_gradient(m->dag, value, var, 2, g);
    for (int k = 0; k < TRIALS; k++) {
      s[k] = (trial){.var = var, .x = {0.7 - 0.5 * k, 0.4 + 0.3 * k * k}};
      s[k].g[0] = pw_eval(m->dag, g[0], trial_value, &s[k]);
      s[k].g[1] = pw_eval(m->dag, g[1], trial_value, &s[k]);
    }
    return find_centre(s, centre);
  }
  return false;
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
