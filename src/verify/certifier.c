// SPDX-License-Identifier: MIT
/* Making a certificate, and its public interface. Memory is taken once. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/module.h"
#include "base/option_table.h"
#include "base/real.h"
#include "law/scale_verify.h"
#include "verify/hold.h"
#include "verify/jump.h"
#include "verify/momentum.h"
#include "verify/multiplier.h"
#include "verify/strike.h"

/* ---- making ---- */

static void lay_room(pw_room *r, const pw_system *s, pw_layout *l) {
  size_t nv = (size_t)s->nv, nq = (size_t)s->nq, ni = (size_t)s->ni;
  pw_reach_lay_more(&r->reach, s->nv, pw_set_maxima(s), pw_set_columns(s), l);
  r->work = PW_LAY(l, 3 * PW_FIT_WIDTHS * nv, double);
  r->scratch = PW_LAY(l, 3 * nq + 2 * nv + (size_t)pw_set_maxima(s), double);
  r->u_body = PW_LAY(l, nv, double);
  r->residual = PW_LAY(l, nv, double);
  r->moved = PW_LAY(l, 3 * nv + nq, double);
  r->beside = PW_LAY(l, 2 * ni, double);
  r->stays = PW_LAY(l, ni, signed char);
  r->strike = pw_strike_lay(s, l);
  pw_jump_lay(&r->jump, s, l);
  pw_replay_lay(&r->replay, s, l);
  pw_hold_lay(&r->hold, s, l);
  pw_stretch_lay(&r->stretch, s, l);
}

static void lay_out(pawl_certifier *c, pw_layout *l) {
  const pw_system *s = c->sys;
  size_t rows = (size_t)s->model->rows.n, columns = 2 * (size_t)s->model->nq + rows;
  pw_probe_lay(&c->probe, s, l);
  pw_stream_lay(c, l);
  pw_own_lay(&c->own, s, l);
  pw_steps_lay(&c->steps, s, l);
  pw_scenes_lay(&c->scenes, s, l);
  pw_signal_watch_lay(&c->signals, s, l);

  c->scale.first_q = PW_LAY(l, s->nq, double);
  c->scale.mass = PW_LAY(l, s->nv, double);
  c->scale.size_of = PW_LAY(l, s->ni, double);
  c->data.digit = PW_LAY(l, columns, double);
  c->data.still_digit = PW_LAY(l, columns, double);
  c->data.force_error = PW_LAY(l, rows, double);
  c->data.force_noise = PW_LAY(l, rows, double);
  c->past.last_bend = PW_LAY(l, s->nv, double);
  c->against.way = PW_LAY(l, s->nv, double);
  c->jumps.corner = PW_LAY(l, PW_CORNERS_KEPT, pw_verify_jump_record);
  pw_multiplier_lay(&c->lambda, s, l);
  pw_energy_lay(&c->energy, s, l);
}

/* A run is held to the accuracy that it was asked for, as far as errors of CERT_SEEN show. */
static double usual_tolerance(double noise) {
  double margin = PW_SCALE(CERT_MARGIN), most = PW_SCALE(CERT_SEEN) / margin;
  return pw_max(PW_SCALE(CERT_TOL_RUN), pw_min(margin * noise, most));
}

static pawl_certify_opts complete(const pw_model *m, const pawl_certify_opts *given) {
  pawl_certify_opts o = given == NULL ? (pawl_certify_opts){0} : *given;
  o.noise = o.noise > 0 ? o.noise : PW_SCALE(CERT_NOISE);
  o.tol = o.tol > 0 ? o.tol : usual_tolerance(o.noise);
  o.instants = o.instants > 0 ? o.instants : 1;
  if (!(o.to > o.from)) {
    o.from = m->run.from;
    o.to = m->run.to;
  }
  pawl_run_opts stated = {0};
  for (int i = 0; i < m->run.n_option; i++) {
    const struct pw_run_option *x = &m->run.options[i];
    pw_option_state(&stated, x->word, x->choice, x->value);
  }
  o.sequential = o.sequential || stated.sim.impacts == PAWL_IMPACTS_SEQUENTIAL;
  return o;
}

static void begin(pawl_certifier *c) {
  const pawl_certify_opts *o = &c->opts;
  c->scale.whole = o->to > o->from ? o->to - o->from : 1;
  c->scale.span = c->scale.whole;
  if (o->every > 0) {
    c->scale.span = pw_min(c->scale.span, PW_USUAL_ROWS * o->every);
  }
  c->data.noise = o->noise;
  c->count.counts = o->instants;
  c->steps.scheme = pw_steps_scheme(o->method);
  c->record = pw_record_new(o->tol);
  c->result.subclass = "";
  c->against.t = NAN;
  c->jumps.unjudged = NAN;
  c->stream.no_numbers = NAN;
}

/* Zero stands for the default; a NaN is nothing. */
static bool is_sensible(const pawl_certify_opts *o) {
  bool span = (o->from == 0 && o->to == 0) || o->from < o->to;
  return o->tol >= 0 && o->tol < 1 && o->noise >= 0 && o->noise < 1 && span && isfinite(o->from) &&
         isfinite(o->to) && o->every >= 0 && isfinite(o->every) && o->steps >= 0 &&
         isfinite(o->steps) && o->instants >= 0;
}

pawl_status pawl_certify_new(const pawl_system *system, const pawl_certify_opts *opts,
                             pawl_certifier **out) {
  if (out != NULL) {
    *out = NULL;
  }
  if (system == NULL || out == NULL || (opts != NULL && !is_sensible(opts))) {
    return PAWL_E_ARGUMENT;
  }
  pawl_certifier *c = calloc(1, sizeof *c);
  if (c == NULL) {
    return PAWL_E_MEMORY;
  }
  c->system = pw_system_keep(system);
  c->sys = system->sys;
  c->opts = complete(system->model, opts);
  begin(c);
  if (c->sys == NULL) { /* a model that has no motions */
    c->over = true;
    *out = c;
    return PAWL_OK;
  }

  pw_layout counts = {0}, room_counts = {0};
  lay_out(c, &counts);
  lay_room(&c->room, c->sys, &room_counts);
  c->memory = pw_pages_new(counts.size);
  c->room_memory = pw_pages_new(room_counts.size);
  if (c->memory == NULL || c->room_memory == NULL) {
    pawl_certify_free(c);
    return PAWL_E_MEMORY;
  }
  pw_layout l = pw_layout_in(c->memory), room = pw_layout_in(c->room_memory);
  lay_out(c, &l);
  lay_room(&c->room, c->sys, &room);
  pw_hand_begin(c);
  *out = c;
  return PAWL_OK;
}

void pawl_certify_free(pawl_certifier *c) {
  if (c != NULL) {
    pw_pages_free(c->memory);
    pw_pages_free(c->room_memory);
    pawl_vary_free(c->vary);
    pw_family_free(&c->family);
    pw_system_drop(c->system);
    free(c);
  }
}

pawl_status pawl_certify_row(pawl_certifier *c, double t, const double *q, const double *u,
                             const double *force) {
  if (c == NULL || q == NULL || u == NULL || !isfinite(t) ||
      (c->stream.any_row && !(t >= c->stream.last_time))) {
    return PAWL_E_ARGUMENT;
  }
  bool rows = !c->over && !c->hand.steps;
  if (rows && (!pw_all_finite(q, c->sys->model->nq) || !pw_all_finite(u, c->sys->nv))) {
    c->stream.no_numbers = isnan(c->stream.no_numbers) ? t : c->stream.no_numbers;
    return PAWL_E_ARGUMENT;
  }
  if (rows) {
    memcpy(c->room.u_body, u, (size_t)c->sys->nv * sizeof *u);
    pw_motion_into_body(c->sys->model, q, c->room.u_body);
    pw_stream_put(c, t, q, c->room.u_body, force, 0, 0);
  }
  return PAWL_OK;
}

void pawl_certify_steps(pawl_certifier *c, double per_row) {
  if (c != NULL) {
    c->opts.steps = per_row;
  }
}

/* A step of a pile. */
void pw_certify_pile(pawl_certifier *c, const pw_segment *g, int stride) {
  const pw_system *s = c->sys;
  double h = g->to - g->from;
  const double *last = g->value + (ptrdiff_t)(g->nodes - 1) * stride,
               *works = last + s->nq + s->nv + 1;
  c->steps.scheme = PW_SCHEME_MOREAU;
  c->steps.any = true;
  c->jumps.gained_law = c->hand.both ? c->jumps.gained_law : -1;
  if (c->own.any && g->from > c->own.to) {
    c->count.gap_time += g->from - c->own.to;
  }
  if (h > 0) {
    pw_scenes_view view = {&c->scenes, s, &c->probe, &c->record, c->scale.mass};
    pw_scenes_outcome out = pw_scenes_step(&view, g, stride);
    pw_coverage_add(&c->count, out.seen, h);
    c->count.n_instant++;
    c->own.number++;
    c->steps.longest = pw_max(c->steps.longest, h);
    c->steps.changes = c->steps.changes || out.changes;
    pw_jumps_lose(&c->jumps, out.lost);
    c->jumps.gained = pw_max(c->jumps.gained, out.gained);
    pw_record_rubs(&c->record, out.rubs);
    c->scale.V0 = pw_max(c->scale.V0, out.fastest);
  }
  for (int k = 0; k < s->n_work; k++) {
    c->own.works[k] = pw_max(c->own.works[k], fabs(works[k]));
  }
  memcpy(c->own.end, last, (size_t)(s->nq + s->nv) * sizeof *last);
  c->own.any = true;
  c->own.to = g->to;
}

void pw_certify_leave(pawl_certifier *c) {
  c->over = true;
  snprintf(c->result.sentence, sizeof c->result.sentence,
           "rows do not show the contacts that steps find on their way");
}

void pawl_certify_finish(pawl_certifier *c) {
  if (c == NULL || c->over) {
    return;
  }
  if (c->hand.steps && c->own.number == 0) {
    pw_certify_leave(c);
    return;
  }
  pw_stream_end(c);
  pw_steps_finish(c);
  pw_scenes_finish(&c->scenes, &c->record);
  c->over = true;
  pw_energy_cut(c);
  pawl_vary_finish(c->vary);
  pw_verify_verdict(c);
  pw_pages_free(
      c->room_memory); /* it is by far the most, and the report is made with the certifier there */
  c->room_memory = NULL;
}
