// SPDX-License-Identifier: MIT
/* Islands of a step: what percussions do not join bounces or locks by itself. */
#include "base/real.h"
#include "verify/scenes.h"

static int root_of(int *root, int p) {
  while (root[p] != p) {
    root[p] = root[root[p]];
    p = root[p];
  }
  return p;
}

void pw_scenes_begin_islands(pw_scenes *x) {
  for (int p = 0; p < x->scene->n_part; p++) {
    x->part.root[p] = p;
    x->part.kicks[p] = 0;
    x->part.bouncing[p] = x->part.dead[p] = 0;
  }
}

void pw_scenes_join(pw_scenes *x, const int shape[2]) {
  int a = x->scene->shape[shape[0]].part, b = x->scene->shape[shape[1]].part;
  if (a >= 0 && b >= 0) {
    a = root_of(x->part.root, a);
    b = root_of(x->part.root, b);
    x->part.root[a > b ? a : b] = a > b ? b : a;
  }
}

void pw_scenes_miss(pw_scenes *x, const int shape[2], double bouncing, double dead) {
  int a = x->scene->shape[shape[0]].part, b = x->scene->shape[shape[1]].part;
  if (a >= 0 || b >= 0) {
    int root = root_of(x->part.root, a >= 0 ? a : b);
    x->part.kicks[root]++;
    x->part.bouncing[root] = pw_max(x->part.bouncing[root], bouncing);
    x->part.dead[root] = pw_max(x->part.dead[root], dead);
  }
}

pw_scenes_misses pw_scenes_judge_islands(const pw_scenes *x, double most) {
  pw_scenes_misses m = {.locked = -1};
  for (int p = 0; p < x->scene->n_part; p++) {
    double bouncing = x->part.bouncing[p], dead = x->part.dead[p];
    if (x->part.kicks[p] > 1 && bouncing > most && dead <= most) {
      m.locked = pw_max(m.locked, dead);
      m.hidden = pw_max(m.hidden, bouncing);
    } else {
      m.bouncing = pw_max(m.bouncing, bouncing);
    }
  }
  return m;
}
