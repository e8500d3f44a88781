// SPDX-License-Identifier: MIT
/* The variations that every certificate of a file is tried with: cubic B-splines that vanish at
 * both ends, along each coordinate in both senses, along mixtures of all coordinates, all of them
 * projected on what the constraints allow, and of the time. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/dense.h"
#include "verify/checker.h"

/* By its symmetry about 2. */
void pw_spline(double x, double *value, double *slope) {
  double y = x < 2 ? x : 4 - x, side = x < 2 ? 1 : -1;
  if (!(y > 0)) {
    *value = *slope = 0;
  } else if (y < 1) {
    *value = y * y * y / 6;
    *slope = side * y * y / 2;
  } else {
    double z = y - 1;
    *value = (1 + 3 * z + 3 * z * z - 3 * z * z * z) / 6;
    *slope = side * (1 + 2 * z - 3 * z * z) / 2;
  }
}

/* Fixed for each seed: the same file has the same certificate. */
int pw_family_sign(unsigned mixture, int k) {
  uint64_t x = ((uint64_t)mixture << 32) + (uint64_t)k + 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return ((x ^ (x >> 31)) & 1) != 0 ? -1 : 1;
}

static void shift_of_time(double t, void *payload, double *w, double *rate) {
  const pw_bump *b = payload;
  pw_spline((t - b->from) / b->step, w, rate);
  *w *= b->step;
}

void pw_bump_at(double t, void *payload, double *w, double *rate) {
  const pw_bump *b = payload;
  double value, slope;
  pw_spline((t - b->from) / b->step, &value, &slope);
  for (int i = 0; i < b->n; i++) {
    bool all = b->along == PW_ALONG_ALL;
    double size = all             ? b->height[i] * pw_family_sign(b->mixture, i)
                  : i == b->along ? b->height[i] * b->sign
                                  : 0;
    w[i] = size * value;
    rate[i] = size * slope / b->step;
  }
}

/* Of each velocity: how far its coordinate goes, turns up to one; at least a thousandth of all. */
static void find_heights(double *height, const pw_model *m, const double *extent) {
  double largest = pw_norm2(extent, m->nq);
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    double turn = k->is_rotation ? pw_min(2 * pw_norm2(extent + k->q, 4), 1) : extent[k->q];
    for (int i = 0; i < (k->is_rotation ? 3 : 1); i++) {
      height[k->u + i] = largest > 0 ? pw_max(turn, PW_SCALE(CERT_VARY_HEIGHT) * largest) : 1;
    }
  }
}

static pawl_status add_bumps(pw_family *f, pawl_vary *v, pw_bump like) {
  pawl_status status = PAWL_OK;
  double from = like.from;
  bool time = like.along == PW_ALONG_TIME;
  int out = f->free_ends ? 1 : 0; /* -2 and BUMPS + 1 have their middles at the ends */
  for (int k = -out; k < PW_FAMILY_BUMPS + out && status == PAWL_OK; k++) {
    int i = k < 0 ? -2 : k == PW_FAMILY_BUMPS ? PW_FAMILY_BUMPS + 1 : k;
    pw_bump *b = &f->bump[f->n++];
    *b = like;
    b->from = from + i * like.step;
    b->mixture = like.mixture + (unsigned)k;
    status = pawl_vary_add(v, time ? PAWL_VARY_STRONG : PAWL_VARY_PROJECTED,
                           time ? shift_of_time : pw_bump_at, b);
  }
  return status;
}

/* A shift of the time displaces by -u tau, which constraints with J u != 0 do not allow. */
bool pw_family_has_work(const pw_system *s) {
  bool works = false;
  for (int k = 0; k < s->n_work; k++) {
    int row = s->work[k].row;
    bool wall = row >= 0 && (row < s->nc || s->row[row].wall) && pw_row_state(s, row) < 0;
    works = works || (wall && !s->work[k].jumps);
  }
  for (int k = 0; k < s->n_state; k++) {
    works = works || s->row[s->state_row[k]].kind == PW_KIND_INERTIA;
  }
  return works;
}

/* Without one-sided constraints the projection is linear, and one sense says all. */
pawl_status pw_family_add(pw_family *f, pawl_vary *v, double from, double to,
                          const double *extent) {
  int n = v->sys->nv, along = n < PW_FAMILY_MOST ? n : PW_FAMILY_MOST;
  f->height = calloc((size_t)n + 1, sizeof *f->height);
  if (f->height == NULL) {
    return PAWL_E_MEMORY;
  }
  find_heights(f->height, v->sys->model, extent);
  pw_bump b = {.from = from,
               .step = (to - from) / (PW_FAMILY_BUMPS + 3),
               .height = f->height,
               .n = n,
               .along = PW_ALONG_TIME,
               .sign = 1};
  pawl_status status = pw_family_has_work(v->sys) ? PAWL_OK : add_bumps(f, v, b);
  for (b.along = 0; b.along < along && status == PAWL_OK; b.along++) {
    for (b.sign = 1; b.sign >= (v->sys->ni > 0 ? -1 : 1) && status == PAWL_OK; b.sign -= 2) {
      status = add_bumps(f, v, b);
    }
  }
  b.along = PW_ALONG_ALL;
  b.sign = 1;
  for (int k = 0; n > 1 && k < PW_FAMILY_MIXED && status == PAWL_OK; k++) {
    b.mixture = (unsigned)(k * PW_FAMILY_BUMPS);
    status = add_bumps(f, v, b);
  }
  return status;
}

/* ---- names ---- */

void pw_certify_name(const pw_model *m, int i, char *text, size_t room) {
  text[0] = '\0';
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    if (k->is_rotation && i >= k->u && i < k->u + 3) {
      (void)snprintf(text, room, "%s.W[%d]", k->name, i - k->u + 1);
    } else if (!k->is_rotation && i == k->u) {
      (void)snprintf(text, room, "%s", m->q_name[k->q]);
    }
  }
}

void pw_bump_name(const pw_model *m, const pw_bump *b, char *text, size_t room) {
  text[0] = '\0';
  for (int k = 0; b->along == PW_ALONG_ALL && k < b->n; k++) {
    char name[200];
    size_t used = strlen(text);
    pw_certify_name(m, k, name, sizeof name);
    (void)snprintf(text + used, room - used, "%s%c%s", k == 0 ? "" : " ",
                   pw_family_sign(b->mixture, k) < 0 ? '-' : '+', name);
  }
  if (b->along == PW_ALONG_TIME) {
    (void)snprintf(text, room, "t");
  } else if (b->along >= 0) {
    char name[200];
    pw_certify_name(m, b->along, name, sizeof name);
    (void)snprintf(text, room, "%s%s", b->sign < 0 ? "-" : "", name);
  }
}

void pawl_certify_along(const pawl_certifier *c, int i, char *text, size_t room) {
  if (text == NULL || room == 0) {
    return;
  }
  text[0] = '\0';
  if (c != NULL && i >= 0 && i < c->family.n) {
    pw_bump_name(c->sys->model, &c->family.bump[i], text, room);
  }
}

void pw_family_free(pw_family *f) {
  free(f->height);
}
