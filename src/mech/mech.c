// SPDX-License-Identifier: MIT
/* Work space: counted first, taken from one block, filled. */
#include "mech/mech.h"

#include <stdlib.h>
#include <string.h>

#include "linalg/chol.h"
#include "linalg/dense.h"
#include "mech/work.h"

/* ---- one block for all arrays: a dry pass counts, a second one hands out ---- */

typedef struct block {
  double *real; /* NULL while counting */
  int *whole;
  size_t n_real, n_whole;
} block;

static double *take(block *b, size_t n) {
  double *p = b->real == NULL ? NULL : b->real + b->n_real;
  b->n_real += n + 1;
  return p;
}

static int *take_ints(block *b, size_t n) {
  int *p = b->whole == NULL ? NULL : b->whole + b->n_whole;
  b->n_whole += n + 1;
  return p;
}

static void lay_program(block *b, pw_program *p, const pw_tape *tape) {
  p->tape = tape;
  p->reg = take(b, (size_t)pw_tape_registers(tape));
  p->out = take(b, (size_t)pw_tape_outputs(tape));
}

static void lay_qr(block *b, pw_qr *qr, int n, int m) {
  double *real = take(b, pw_qr_doubles(n, m));
  int *whole = take_ints(b, pw_qr_ints(n, m));
  if (real != NULL) {
    pw_qr_init(qr, n, m, real, whole);
  }
}

/* Of pw_program_terms, for the programs of rows. */
static size_t terms_size(const pw_system *s) {
  const pw_tape *tapes[] = {s->position, s->velocity, s->gap, s->contact};
  size_t most = 0;
  for (size_t i = 0; i < sizeof tapes / sizeof *tapes; i++) {
    size_t size = 2 * (size_t)pw_tape_registers(tapes[i]) + (size_t)pw_tape_outputs(tapes[i]);
    most = size > most ? size : most;
  }
  return most;
}

/* Of pw_mech_clear; nothing if the time occurs nowhere. */
static void lay_clock(block *b, pw_mech *m) {
  const pw_system *s = m->sys;
  pw_clock *c = &m->w->clock;
  const pw_program *all[] = {&m->w->motion, &m->w->contact, &m->w->clause, &m->w->graph};
  size_t outputs = 0, registers = 0;
  c->n = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    size_t n = (size_t)pw_tape_outputs(all[i]->tape), r = (size_t)pw_tape_registers(all[i]->tape);
    if (pw_tape_reads(all[i]->tape, s->offset[PW_VAR_TIME])) {
      c->of[c->n++] = all[i];
      outputs = n > outputs ? n : outputs;
      registers = r > registers ? r : registers;
    }
  }
  if (c->n > 0) {
    c->in = take(b, (size_t)s->n_in);
    c->sample = take(b, 5 * outputs);
    c->low = take(b, outputs);
    c->high = take(b, outputs);
    c->least = take(b, outputs);
    c->most = take(b, outputs);
    c->work = take(b, 2 * registers);
  }
}

static void lay_out(block *b, pw_mech *m) {
  const pw_system *s = m->sys;
  struct pw_mech_work *w = m->w;
  size_t nv = (size_t)s->nv, nr = (size_t)s->nr, nq = (size_t)s->nq;
  m->a = take(b, nv);
  m->lambda = take(b, nr);
  m->q_rate = take(b, nq);
  m->z_rate = take(b, (size_t)s->nz);
  m->mass = take(b, nv);
  m->heading = take(b, (size_t)s->ni);
  m->blur = take(b, (size_t)s->ni);
  m->w->turn = take(b, (size_t)s->ni);
  m->load = take(b, nv);
  m->sense = take(b, nr);
  m->carries = take(b, (size_t)s->n_state);
  w->in = take(b, (size_t)s->n_in);
  lay_program(b, &w->motion, s->motion);
  lay_program(b, &w->position, s->position);
  lay_program(b, &w->velocity, s->velocity);
  lay_program(b, &w->gap, s->gap);
  lay_program(b, &w->contact, s->contact);
  lay_program(b, &w->clause, s->clause);
  lay_program(b, &w->graph, s->graph);
  lay_program(b, &w->by, s->by);
  lay_program(b, &w->carried, s->carried);
  lay_program(b, &w->momentum, s->momentum);
  lay_program(b, &w->energy, s->energy);
  lay_program(b, &w->sides, s->sides);
  lay_program(b, &w->roots, s->roots);
  lay_program(b, &w->output, s->output);
  lay_program(b, &w->expect, s->expect);
  w->L = take(b, nv * nv);
  w->c = take(b, nv);
  w->columns = take(b, nv * nr);
  w->length = take(b, nr);
  w->r = take(b, nr);
  w->lam = take(b, nr);
  w->given = take(b, nr);
  w->y = take(b, nv);
  w->v = take(b, nv);
  w->dq = take(b, nq);
  w->terms = take(b, terms_size(s));
  lay_clock(b, m);
  if (s->n_switch > 0) {
    w->jet_in = take(b, 3 * (size_t)s->n_in);
    w->jet_work = take(b, 3 * (size_t)pw_tape_registers(s->sides) + 9);
  }
  lay_qr(b, &w->rows, s->nv, s->nr);
  lay_qr(b, &w->project, s->nv, s->nr);
  w->act = take_ints(b, nr);
  if (s->oblique) {
    w->phi = take(b, nv * nr);
    w->phi_length = take(b, nr);
    w->D = take(b, nr * nr);
    w->pivot = take_ints(b, nr);
    lay_qr(b, &w->slant, s->nr, s->nr);
  }
}

static void prepare(pw_mech *m) {
  struct pw_mech_work *w = m->w;
  pw_program *all[] = {&w->motion, &w->position, &w->velocity, &w->gap,    &w->contact,
                       &w->clause, &w->graph,    &w->by,       &w->energy, &w->carried,
                       &w->sides,  &w->roots,    &w->output,   &w->expect, &w->momentum};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    pw_tape_prepare(all[i]->tape, all[i]->reg);
  }
}

pawl_status pw_mech_new(const pw_system *sys, pw_mech **out) {
  *out = NULL;
  struct head {
    pw_mech mech;
    struct pw_mech_work work;
  };
  struct head probe = {.mech.sys = sys};
  probe.mech.w = &probe.work;
  block count = {0};
  lay_out(&count, &probe.mech);
  size_t bytes = sizeof(struct head) + count.n_real * sizeof(double) + count.n_whole * sizeof(int) +
                 ((size_t)sys->nr + 1) * sizeof(bool) + (size_t)sys->ni + 1;
  struct head *head = calloc(1, bytes);
  if (head == NULL) {
    return PAWL_E_MEMORY;
  }
  block fill = {.real = (double *)(head + 1)};
  fill.whole = (int *)(fill.real + count.n_real);
  head->mech.sys = sys;
  head->mech.w = &head->work;
  lay_out(&fill, &head->mech);
  head->mech.dependent = (bool *)(fill.whole + count.n_whole);
  head->work.state = (unsigned char *)(head->mech.dependent + sys->nr + 1);
  for (int i = 0; i < sys->ni; i++) {
    head->work.has_segments = head->work.has_segments || !sys->law[i].wall;
    head->work.has_planes = head->work.has_planes || sys->law[i].group >= 0;
  }
  for (int i = 0; i < sys->nr; i++) {
    head->mech.sense[i] = 1;
  }
  head->mech.margin = 1;
  prepare(&head->mech);
  pw_mech_close(&head->mech, NULL);
  *out = &head->mech;
  return PAWL_OK;
}

/* ---- which rows are imposed ---- */

static bool on_velocity(const pw_system *s, int row) {
  return s->model->rows.items[s->row_of[row]].on_velocity;
}

static void append_rows(pw_mech *m, bool velocity) {
  const pw_system *s = m->sys;
  for (int i = 0; i < s->nr; i++) {
    bool imposed = i < s->nc || m->w->state[i - s->nc] == PW_AT_KINK;
    if (imposed && on_velocity(s, i) == velocity) {
      m->w->act[m->w->n_act++] = i;
    }
  }
}

void pw_mech_close(pw_mech *m, const unsigned char *state) {
  const pw_system *s = m->sys;
  for (int i = 0; i < s->ni; i++) {
    m->w->state[i] = state == NULL ? PW_ABOVE_KINK : state[i];
  }
  m->w->n_act = 0;
  append_rows(m, false);
  m->imposed_q = m->w->n_act_q = m->w->n_act;
  append_rows(m, true);
  m->imposed = m->w->n_act;
  m->first_look = true;
  m->rank = m->imposed < s->nv ? m->imposed : s->nv;
  m->rank_q = m->imposed_q < s->nv ? m->imposed_q : s->nv;
}

bool pw_mech_is_closed(const pw_mech *m, int law) {
  return m->w->state[law] == PW_AT_KINK;
}

void pw_mech_free(pw_mech *m) {
  free(m);
}

/* ---- shared by the other files ---- */

void pw_mech_input(pw_mech *m, double t, const double *q, const double *u, const double *side) {
  const pw_system *s = m->sys;
  double *in = m->w->in;
  in[s->offset[PW_VAR_TIME]] = t;
  pw_copy(in + s->offset[PW_VAR_Q], q, s->nq);
  pw_copy(in + s->offset[PW_VAR_U], u, s->nv);
  if (s->n_switch > 0 && side != NULL) {
    memcpy(in + s->offset[PW_VAR_MODE], side, (size_t)s->n_switch * sizeof *side);
  }
}

void pw_program_run(pw_mech *m, const pw_program *p) {
  if (pw_tape_outputs(p->tape) > 0) {
    pw_tape_run(p->tape, m->w->in, p->reg, p->out);
  }
}

const double *pw_program_terms(pw_mech *m, const pw_program *p) {
  double *out = m->w->terms + 2 * (size_t)pw_tape_registers(p->tape);
  pw_tape_terms(p->tape, m->w->in, m->w->terms, out);
  return out;
}

const double *pw_mech_law(const pw_mech *m, int row) {
  return m->w->contact.out + pw_view_law_at(m->sys, row - m->sys->nc, PW_VIEW_VALUE);
}

const double *pw_mech_row(const pw_mech *m, const double *eq_J, int row) {
  return row < m->sys->nc ? eq_J + (size_t)row * (size_t)m->sys->nv
                          : pw_mech_law(m, row) + PW_VIEW_HEAD;
}

void pw_mech_columns(const pw_mech *m, const double *eq_J, int count, double *columns,
                     double *length) {
  int n = m->sys->nv;
  for (int k = 0; k < count; k++) {
    double *col = columns + (size_t)k * (size_t)n;
    memcpy(col, pw_mech_row(m, eq_J, m->w->act[k]), (size_t)n * sizeof *col);
    pw_chol_forward(m->w->L, n, col);
    length[k] = pw_norm2(col, n);
    if (length[k] != 0) {
      for (int j = 0; j < n; j++) {
        col[j] /= length[k];
      }
    }
  }
}

pawl_status pw_mech_fail(pw_mech *m, pawl_status status, int coord, int row, double value) {
  m->fault = (pw_fault){status, coord, row, value};
  return status;
}
