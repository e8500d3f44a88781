// SPDX-License-Identifier: MIT
/* Solutions as rows: for tables, and for the checker of src/verify, which has no information about
 * how they were found or computed. */
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "bvp/bvp.h"
#include "law/law_name.h"
#include "law/scale_bvp.h"
#include "sim/trial.h"

enum {
  ROWS = 1000,     /* rows of a table, in addition to rows at events */
  MOST_TURNS = 500 /* switches that have their own rows */
};

typedef pawl_status (*row_fn)(void *payload, const pawl_point *p);

static pawl_status give(pawl_sim *sim, pawl_side side, row_fn fn, void *payload) {
  pawl_point p;
  pawl_status status = pawl_sim_point(sim, side, &p);
  return status == PAWL_OK ? fn(payload, &p) : status;
}

static double row_time(const pw_shoot *x, int k) {
  return k == ROWS ? x->to : x->from + (x->to - x->from) * k / ROWS;
}

/* All rows on the way to time t: both sides of each event, and t. */
static pawl_status give_until(pawl_sim *sim, double t, row_fn fn, void *payload) {
  pawl_status status = PAWL_OK;
  pawl_stop why = PAWL_AT_EVENT;
  while (status == PAWL_OK && why == PAWL_AT_EVENT) {
    status = pawl_sim_advance(sim, t, NULL, &why);
    if (status == PAWL_OK && why == PAWL_AT_EVENT) {
      status = give(sim, PAWL_BEFORE, fn, payload);
    }
    if (status == PAWL_OK) {
      status = give(sim, PAWL_AFTER, fn, payload);
    }
  }
  return status;
}

/* ---- switches, where forces may jump: they have rows, too ---- */

typedef struct turns {
  const pawl_sim *sim;
  int n_switch;
  double last; /* time of the row before */
  double t[MOST_TURNS];
  int n;
} turns;

static pawl_status note_turns(void *payload, const pawl_point *p) {
  turns *s = payload;
  const double *flipped = pw_trial_at(s->sim).flipped;
  for (int i = 0; i < s->n_switch; i++) {
    double at = flipped[i];
    if (at > s->last && at < p->t && s->n < MOST_TURNS && (s->n == 0 || at > s->t[s->n - 1])) {
      s->t[s->n++] = at;
    }
  }
  s->last = p->t;
  return PAWL_OK;
}

static pawl_status find_turns(const pw_shoot *x, turns *out) {
  pawl_status status = PAWL_OK;
  *out = (turns){.sim = x->fine, .n_switch = x->sys->n_switch, .last = x->from};
  for (int k = 1; k <= ROWS && status == PAWL_OK && x->sys->n_switch > 0; k++) {
    status = give_until(x->fine, row_time(x, k), note_turns, out);
  }
  return status;
}

/* ---- rows ---- */

static pawl_status begin(const pw_shoot *x, const pw_solution *s) {
  pw_conditions trial = {.still = s->still};
  return pw_sim_start_trial(x->fine, &trial, x->from, s->show.q_start, s->show.u_start,
                            s->show.q_start + x->sys->model->nq, NULL);
}

/* Rows at equal times and at events, from the stored start: the same motion to the bit at every
 * call. */
static pawl_status replay(const pawl_bvp *b, const pw_solution *s, row_fn fn, void *payload) {
  pw_shoot own = b->shoot;
  const pw_shoot *x = &own;
  own.to = s->show.to;
  turns also;
  pawl_status status = begin(x, s);
  if (status == PAWL_OK) {
    status = find_turns(x, &also);
  }
  if (status == PAWL_OK) {
    status = begin(x, s);
  }
  if (status == PAWL_OK) {
    status = give(x->fine, PAWL_AFTER, fn, payload);
  }
  for (int k = 1, i = 0; k <= ROWS && status == PAWL_OK; k++) {
    for (; i < also.n && also.t[i] < row_time(x, k) && status == PAWL_OK; i++) {
      if (also.t[i] > pw_trial_at(x->fine).t) {
        status = give_until(x->fine, also.t[i], fn, payload);
      }
    }
    if (status == PAWL_OK) {
      status = give_until(x->fine, row_time(x, k), fn, payload);
    }
  }
  return status;
}

/* ---- the certificate ---- */

static pawl_status judge_row(void *payload, const pawl_point *p) {
  return pawl_certify_row(payload, p->t, p->q, p->u, p->force);
}

static int into_buf(void *payload, const char *bytes, unsigned long count) {
  pw_buf *buf = payload;
  pw_buf_add(buf, bytes, count);
  return buf->failed;
}

pawl_status pw_solution_certify(const pawl_bvp *b, pw_solution *sol) {
  const pw_shoot *x = &b->shoot;
  pawl_certifier *judge = NULL;
  pawl_certify_opts opts = {.noise = PW_SCALE(BVP_FINE), .from = x->from, .to = sol->show.to};
  pw_buf text = {0};
  pawl_status status = pawl_certify_new(x->system, &opts, &judge);
  if (status == PAWL_OK) {
    status = replay(b, sol, judge_row, judge);
  }
  sol->show.verdict = PAWL_NOT_CHECKED;
  sol->show.subclass = "";
  if (status == PAWL_OK) {
    pawl_certify_finish(judge);
    pawl_certificate k = pawl_certify_get(judge);
    sol->show.verdict = k.verdict;
    sol->show.subclass = k.subclass;
    status = pawl_certify_json(judge, 0, into_buf, &text);
  }
  status = text.failed ? PAWL_E_MEMORY : status;
  pawl_certify_free(judge);
  free(sol->certificate);
  sol->certificate = status == PAWL_OK ? text.text : NULL;
  if (sol->certificate == NULL) {
    pw_buf_free(&text);
  }
  return status == PAWL_E_MEMORY ? PAWL_E_MEMORY : PAWL_OK;
}

/* ---- a table ---- */

typedef struct table {
  const pawl_system *system;
  pw_buf buf;
  pawl_sink sink;
  void *payload;
} table;

static void put_numbers(pw_buf *out, const double *x, int n) {
  for (int i = 0; i < n; i++) {
    pw_buf_puts(out, ",");
    pw_buf_real_17(out, x[i]);
  }
}

static pawl_status put_row(void *payload, const pawl_point *p) {
  table *t = payload;
  pw_buf_real_17(&t->buf, p->t);
  put_numbers(&t->buf, p->q, pawl_system_positions(t->system));
  put_numbers(&t->buf, p->u, pawl_system_velocities(t->system));
  put_numbers(&t->buf, p->force, pawl_system_laws(t->system));
  pw_buf_puts(&t->buf, "\n");
  return pw_buf_flush(&t->buf, t->sink, t->payload);
}

static void put_head(table *t) {
  pw_buf_puts(&t->buf, "t");
  for (int i = 0; i < pawl_system_positions(t->system); i++) {
    pw_buf_printf(&t->buf, ",%s", pawl_position_name(t->system, i));
  }
  for (int i = 0; i < pawl_system_velocities(t->system); i++) {
    pw_buf_printf(&t->buf, ",%s", pawl_velocity_name(t->system, i));
  }
  for (int i = 0; i < pawl_system_laws(t->system); i++) {
    pawl_law_info law = pawl_law_get(t->system, i);
    pw_buf_puts(&t->buf, ",");
    pw_force_column(&t->buf, law.column, law.component, law.components);
  }
  pw_buf_puts(&t->buf, "\n");
}

pawl_status pawl_bvp_csv(pawl_bvp *bvp, int i, pawl_sink sink, void *payload) {
  if (bvp == NULL || sink == NULL || i < 0 || i >= bvp->n) {
    return PAWL_E_ARGUMENT;
  }
  table t = {.system = bvp->system, .sink = sink, .payload = payload};
  put_head(&t);
  pawl_status status = replay(bvp, &bvp->items[i], put_row, &t);
  pw_buf_free(&t.buf);
  return status;
}
