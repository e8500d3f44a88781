// SPDX-License-Identifier: MIT
/* How far two stored motions are from each other: both norms of Leine and Aeberhard (10) of the
 * difference y of their curves, variations (V2),
 *   |y|_0 = sum_i max |y_i|,   |y|_1 = |y|_0 + sum_i ess sup |y_i'|.
 * Between the ends of the steps of both motions y is a polynomial. It is sampled there, on the
 * sides of jumps at the ends; the largest sample of each quantity is refined by a search. Instants
 * of both motions that are no farther apart than the runs are exact count as one. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/real.h"
#include "pawl/traj.h"

enum { SAMPLES = 12, SEARCH = 60 }; /* of a piece; halvings by the golden section gain 12 digits */

typedef struct quantity {
  pawl_apart apart;
  double low, high; /* around the largest sample, inside of its piece; equal: an end of it */
} quantity;

struct pawl_distance {
  pawl_traj *of[2];
  double from, to;
  int nq, nv;
  quantity *all; /* nq + nv */
  double *first; /* nq + nv: of the first motion */
  double *ends;  /* of the steps of both */
  int64_t n_end, room;
  bool full; /* no memory for more of them */
};

/* ---- pieces ---- */

static void add_end(pawl_distance *d, double t) {
  if (d->n_end == d->room) {
    int64_t room = 2 * d->room + 64;
    double *more = realloc(d->ends, (size_t)room * sizeof *more);
    if (more == NULL) {
      d->full = true;
      return;
    }
    d->ends = more;
    d->room = room;
  }
  d->ends[d->n_end++] = t;
}

static int take_segment(void *payload, const pawl_traj_segment *s) {
  pawl_distance *d = payload;
  if (s->to > d->from && s->to < d->to) {
    add_end(d, s->to);
  }
  return d->full;
}

static int by_time(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static pawl_status find_pieces(pawl_distance *d) {
  pawl_traj_visitor visitor = {.segment = take_segment, .payload = d};
  pawl_status status = PAWL_OK;
  add_end(d, d->from);
  add_end(d, d->to);
  for (int k = 0; status == PAWL_OK && !d->full && k < 2; k++) {
    status = pawl_traj_visit(d->of[k], &visitor);
  }
  if (d->full) {
    return PAWL_E_MEMORY;
  }
  qsort(d->ends, (size_t)d->n_end, sizeof *d->ends, by_time);
  return status;
}

/* ---- differences ---- */

/* Both motions at a time; the first one's numbers are kept in d->first. */
static pawl_status look(pawl_distance *d, double t, pawl_side side, pawl_traj_point *second) {
  pawl_traj_point p;
  pawl_status status = pawl_traj_at(d->of[0], t, side, &p);
  if (status == PAWL_OK) {
    memcpy(d->first, p.q, (size_t)d->nq * sizeof *p.q);
    memcpy(d->first + d->nq, p.u, (size_t)d->nv * sizeof *p.u);
    status = pawl_traj_at(d->of[1], t, side, second);
  }
  return status;
}

static double difference(const pawl_distance *d, const pawl_traj_point *second, int i) {
  double other = i < d->nq ? second->q[i] : second->u[i - d->nq];
  return fabs(d->first[i] - other);
}

static pawl_status sample(pawl_distance *d, double t, pawl_side side, double low, double high) {
  pawl_traj_point second;
  pawl_status status = look(d, t, side, &second);
  for (int i = 0; status == PAWL_OK && i < d->nq + d->nv; i++) {
    quantity *q = &d->all[i];
    double y = difference(d, &second, i);
    if (!(y <= q->apart.most)) { /* not a number: it stays */
      q->apart.most = y;
      q->apart.t = t;
      q->low = low;
      q->high = high;
    }
  }
  return status;
}

static pawl_status sample_piece(pawl_distance *d, double a, double b) {
  double w = (b - a) / SAMPLES;
  pawl_status status = sample(d, a, PAWL_AFTER, a, a);
  for (int k = 1; status == PAWL_OK && k < SAMPLES; k++) {
    double t = a + k * w;
    status = sample(d, t, PAWL_AFTER, pw_max(a, t - w), pw_min(b, t + w));
  }
  return status == PAWL_OK ? sample(d, b, PAWL_BEFORE, b, b) : status;
}

/* Golden section between the neighbours of the largest sample; the ends themselves were sampled. */
static pawl_status refine(pawl_distance *d, int i) {
  quantity *q = &d->all[i];
  const double part = (sqrt(5) - 1) / 2;
  double low = q->low, high = q->high, t[2], y[2];
  for (int k = 0; k < SEARCH && high > low; k++) {
    t[0] = high - part * (high - low);
    t[1] = low + part * (high - low);
    for (int j = 0; j < 2; j++) {
      pawl_traj_point second;
      pawl_status status = look(d, t[j], PAWL_AFTER, &second);
      if (status != PAWL_OK) {
        return status;
      }
      y[j] = difference(d, &second, i);
      if (y[j] > q->apart.most) {
        q->apart.most = y[j];
        q->apart.t = t[j];
      }
    }
    low = y[0] < y[1] ? t[0] : low;
    high = y[0] < y[1] ? high : t[1];
  }
  return PAWL_OK;
}

static pawl_status measure(pawl_distance *d) {
  pawl_status status = find_pieces(d);
  double tol = pw_max(pawl_traj_info_get(d->of[0]).tol, pawl_traj_info_get(d->of[1]).tol);
  for (int64_t k = 0; status == PAWL_OK && k + 1 < d->n_end; k++) {
    if (d->ends[k + 1] - d->ends[k] > tol * (d->to - d->from)) {
      status = sample_piece(d, d->ends[k], d->ends[k + 1]);
    }
  }
  for (int i = 0; status == PAWL_OK && i < d->nq + d->nv; i++) {
    status = refine(d, i);
  }
  return status;
}

/* ---- the compared motions ---- */

static bool have_same_names(const pawl_distance *d, pawl_diags *diags) {
  pawl_traj_info a = pawl_traj_info_get(d->of[0]), b = pawl_traj_info_get(d->of[1]);
  bool same = a.positions == b.positions && a.velocities == b.velocities;
  for (int i = 1; same && i <= a.positions + a.velocities; i++) {
    same = strcmp(pawl_traj_column(d->of[0], i), pawl_traj_column(d->of[1], i)) == 0;
  }
  if (!same) {
    pw_diag_ref ref =
        pw_error(diags, "E0668", PW_NO_SPAN, "the two motions have other coordinates");
    pw_help(ref, "compare runs of one model, or of models with the same coordinates");
  }
  return same;
}

static bool find_span(pawl_distance *d, pawl_diags *diags) {
  pawl_traj_info a = pawl_traj_info_get(d->of[0]), b = pawl_traj_info_get(d->of[1]);
  double from = pw_max(a.from, b.from), to = pw_min(a.to, b.to);
  bool all = isnan(d->from), inside = all ? to > from : d->from >= from && d->to <= to;
  if (!inside) {
    pw_diag_ref ref = pw_error(diags, "E0669", PW_NO_SPAN, "the two motions have no such time");
    pw_help(ref, "they are both known from t = %.9g to %.9g", from, to);
    return false;
  }
  d->from = all ? from : d->from;
  d->to = all ? to : d->to;
  return true;
}

static bool make_room(pawl_distance *d) {
  pawl_traj_info a = pawl_traj_info_get(d->of[0]);
  d->nq = a.positions;
  d->nv = a.velocities;
  size_t n = (size_t)(d->nq + d->nv) + 1;
  d->all = calloc(n, sizeof *d->all);
  d->first = calloc(n, sizeof *d->first);
  for (int i = 0; d->all != NULL && i < d->nq + d->nv; i++) {
    d->all[i].apart = (pawl_apart){pawl_traj_column(d->of[0], i + 1), i >= d->nq, -1, d->from};
  }
  return d->all != NULL && d->first != NULL;
}

pawl_status pawl_distance_new(pawl_traj *a, pawl_traj *b, double from, double to, pawl_diags *diags,
                              pawl_distance **out) {
  if (out != NULL) {
    *out = NULL;
  }
  bool span = (isnan(from) && isnan(to)) || from < to;
  if (a == NULL || b == NULL || a == b || out == NULL || !span) {
    return PAWL_E_ARGUMENT;
  }
  pawl_distance *d = calloc(1, sizeof *d);
  pawl_status status = d == NULL ? PAWL_E_MEMORY : PAWL_OK;
  if (status == PAWL_OK) {
    *d = (pawl_distance){.of = {a, b}, .from = from, .to = to};
    status = !have_same_names(d, diags) || !find_span(d, diags) ? PAWL_E_MODEL
             : make_room(d)                                     ? measure(d)
                                                                : PAWL_E_MEMORY;
  }
  if (status != PAWL_OK) {
    pawl_distance_free(d);
    d = NULL;
  }
  *out = d;
  return status;
}

void pawl_distance_free(pawl_distance *d) {
  if (d != NULL) {
    free(d->all);
    free(d->first);
    free(d->ends);
    free(d);
  }
}

/* ---- results ---- */

int pawl_distance_count(const pawl_distance *d) {
  return d == NULL ? 0 : d->nq + d->nv;
}

pawl_apart pawl_distance_get(const pawl_distance *d, int i) {
  return i >= 0 && i < pawl_distance_count(d) ? d->all[i].apart : (pawl_apart){"", 0, NAN, NAN};
}

double pawl_distance_norm(const pawl_distance *d, int weak) {
  double sum = d == NULL ? NAN : 0;
  for (int i = 0; d != NULL && i < (weak ? d->nq + d->nv : d->nq); i++) {
    sum += d->all[i].apart.most;
  }
  return sum;
}

pawl_status pawl_distance_json(const pawl_distance *d, pawl_sink sink, void *payload) {
  if (d == NULL || sink == NULL) {
    return PAWL_E_ARGUMENT;
  }
  pw_buf out = {0};
  pw_buf_json_or_null(&out, "{\"from\":", d->from);
  pw_buf_json_or_null(&out, ",\"to\":", d->to);
  pw_buf_json_or_null(&out, ",\"strong\":", pawl_distance_norm(d, 0));
  pw_buf_json_or_null(&out, ",\"weak\":", pawl_distance_norm(d, 1));
  pw_buf_puts(&out, ",\"parts\":[");
  for (int i = 0; i < d->nq + d->nv; i++) {
    const pawl_apart *x = &d->all[i].apart;
    pw_buf_puts(&out, i == 0 ? "{\"name\":" : ",{\"name\":");
    pw_buf_json(&out, x->name);
    pw_buf_json_or_null(&out, ",\"most\":", x->most);
    pw_buf_json_or_null(&out, ",\"t\":", x->t);
    pw_buf_puts(&out, "}");
  }
  pw_buf_puts(&out, "]}\n");
  pawl_status status = pw_buf_flush(&out, sink, payload);
  pw_buf_free(&out);
  return status;
}
