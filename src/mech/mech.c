// SPDX-License-Identifier: MIT
/* Work space: counted first, taken from one block, filled. */
#include "mech/mech.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/layout.h"
#include "base/module.h"
#include "linalg/dense.h"
#include "mech/work.h"

/* ---- one block for all arrays ---- */

static double *take(pw_layout *l, size_t n) {
  return PW_LAY(l, n, double);
}

static void lay_program(pw_layout *l, pw_program *p, const pw_tape *tape) {
  p->tape = tape;
  p->reg = take(l, (size_t)pw_tape_registers(tape));
  p->out = take(l, (size_t)pw_tape_outputs(tape));
}

static void lay_qr(pw_layout *l, pw_qr *qr, int n, int m) {
  double *real = take(l, pw_qr_doubles(n, m));
  int *whole = PW_LAY(l, pw_qr_ints(n, m), int);
  if (real != NULL) {
    pw_qr_init(qr, n, m, real, whole);
  }
}

/* Work space of pw_program_terms, for the programs it is called with. */
static size_t terms_size(const pw_system *s) {
  const pw_tape *tapes[] = {s->tape.motion, s->tape.position, s->tape.velocity, s->tape.gap,
                            s->tape.contact};
  size_t most = 0;
  for (size_t i = 0; i < sizeof tapes / sizeof *tapes; i++) {
    size_t size = 2 * (size_t)pw_tape_registers(tapes[i]) + (size_t)pw_tape_outputs(tapes[i]);
    most = size > most ? size : most;
  }
  return most;
}

/* Of pw_mech_clear; nothing if the time occurs nowhere. */
static void lay_clock(pw_layout *l, pw_mech *m) {
  const pw_system *s = m->sys;
  pw_clock *c = &m->w->clock;
  const pw_program *all[] = {&m->w->tape.motion, &m->w->tape.contact, &m->w->tape.clause,
                             &m->w->tape.graph};
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
    c->in = take(l, (size_t)s->n_in);
    c->sample = take(l, 5 * outputs);
    c->low = take(l, outputs);
    c->high = take(l, outputs);
    c->least = take(l, outputs);
    c->range = take(l, outputs);
    c->slack = take(l, outputs);
    c->most = take(l, outputs);
    c->work = take(l, 2 * registers);
  }
}

static bool reads_fixed(const pw_system *s, const pw_tape *tape) {
  const struct {
    int from, n;
  } fixed[] = {{s->offset[PW_VAR_PARAMETER], s->model->parameters.n},
               {s->offset[PW_VAR_IMPULSE], s->model->rows.n},
               {s->offset[PW_VAR_FORCE], s->model->rows.n}};
  bool any = false;
  for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++) {
    for (int i = 0; !any && i < fixed[k].n; i++) {
      any = pw_tape_reads(tape, fixed[k].from + i);
    }
  }
  return any;
}

/* Of enclosures along steps; nothing if no step can hide anything. */
static void lay_sight(pw_layout *l, pw_mech *m) {
  const pw_system *s = m->sys;
  const pw_tape *tapes[] = {s->tape.guards.tape, s->tape.motion, s->tape.contact, s->tape.graph,
                            s->tape.gap,         s->tape.sides,  s->tape.roots};
  int registers = 0, outputs = 0;
  bool used = s->tape.guards.n > 0 || s->ni > 0 || s->root.n > 0;
  for (size_t i = s->tape.guards.n > 0 ? 0 : 1; used && i < sizeof tapes / sizeof *tapes; i++) {
    int r = pw_tape_registers(tapes[i]), n = pw_tape_outputs(tapes[i]);
    registers = r > registers ? r : registers;
    outputs = n > outputs ? n : outputs;
    m->w->sight.reads_fixed = m->w->sight.reads_fixed || reads_fixed(s, tapes[i]);
  }
  m->w->sight.in = PW_LAY(l, used ? s->n_in : 0, pw_form);
  m->w->sight.reg = PW_LAY(l, registers, pw_form);
  m->w->sight.out = PW_LAY(l, outputs, pw_form);
}

static void lay_programs(pw_layout *l, pw_programs *p, const pw_system *s) {
  lay_program(l, &p->motion, s->tape.motion);
  lay_program(l, &p->position, s->tape.position);
  lay_program(l, &p->velocity, s->tape.velocity);
  lay_program(l, &p->gap, s->tape.gap);
  lay_program(l, &p->contact, s->tape.contact);
  lay_program(l, &p->clause, s->tape.clause);
  lay_program(l, &p->graph, s->tape.graph);
  lay_program(l, &p->by, s->tape.by);
  lay_program(l, &p->carried, s->tape.carried);
  lay_program(l, &p->momentum, s->tape.momentum);
  lay_program(l, &p->energy, s->tape.energy);
  lay_program(l, &p->sides, s->tape.sides);
  lay_program(l, &p->ties, s->tape.ties);
  lay_program(l, &p->signal, s->tape.signal);
  lay_program(l, &p->roots, s->tape.roots);
  lay_program(l, &p->output, s->tape.output);
  p->expect = PW_LAY(l, s->n_expect_group, pw_program);
  for (int k = 0; k < s->n_expect_group; k++) {
    pw_program counted;
    lay_program(l, p->expect == NULL ? &counted : &p->expect[k], s->tape.expect[k]);
  }
}

static void lay_results(pw_layout *l, pw_mech *m) {
  const pw_system *s = m->sys;
  size_t nv = (size_t)s->nv, nr = (size_t)s->nr, ni = (size_t)s->ni;
  m->a = take(l, nv);
  m->lambda = take(l, nr);
  m->q_rate = take(l, (size_t)s->nq);
  m->z_rate = take(l, (size_t)s->nz);
  m->mass = take(l, nv);
  m->load = take(l, nv);
  m->carries = take(l, (size_t)s->n_state);
  m->heading = take(l, ni);
  m->blur = take(l, ni);
  m->sense = take(l, nr);
  m->dependent = PW_LAY(l, nr, bool);
}

static void lay_work(pw_layout *l, pw_mech *m) {
  const pw_system *s = m->sys;
  struct pw_mech_work *w = m->w;
  size_t nv = (size_t)s->nv, nr = (size_t)s->nr, ni = (size_t)s->ni;
  w->in = take(l, (size_t)s->n_in);
  lay_programs(l, &w->tape, s);
  w->state = PW_LAY(l, ni, unsigned char);
  w->act = PW_LAY(l, nr, int);

  /* factors */
  bool dense = s->pattern.sparse == NULL;
  w->L = take(l, dense ? nv * nv : (size_t)s->pattern.sparse->factor->numbers);
  w->columns = take(l, dense ? nv * nr : 0);
  w->length = take(l, nr);
  if (dense) {
    lay_qr(l, &w->rows, s->nv, s->nr);
    lay_qr(l, &w->project, s->nv, s->nr);
    w->rows.lists = w->project.lists = s->pattern.moved == NULL ? NULL : &s->pattern.moved->rows;
    w->rows.list_of = w->project.list_of = w->act;
    if (s->pattern.moved != NULL) {
      w->kept.slope = take(l, (size_t)s->pattern.moved->rows.start[s->nr]);
    }
  }
  pw_firm_lay(l, &w->firm, s);
  if (s->trait.oblique) {
    w->oblique.phi = take(l, nv * nr);
    w->oblique.length = take(l, nr);
    w->oblique.D = take(l, nr * nr);
    w->oblique.pivot = PW_LAY(l, nr, int);
    w->oblique.place = PW_LAY(l, nr, int);
    w->oblique.slides = PW_LAY(l, ni, int);
    lay_qr(l, &w->oblique.slant, s->nr, s->nr);
  }
  w->turn = take(l, ni);
  double *loads = take(l, pw_broyden_doubles(s->load.n));
  if (loads != NULL) {
    pw_broyden_lay(&w->loads, s->load.n, loads);
  }
  lay_clock(l, m);
  lay_sight(l, m);

  /* scratch */
  w->c = take(l, nv);
  w->r = take(l, nr);
  w->lam = take(l, nr);
  w->given = take(l, nr);
  w->shares.force = take(l, nr);
  w->shares.scaled = take(l, nr);
  w->shares.rest = take(l, nr);
  w->shares.push = take(l, s->nv);
  w->y = take(l, nv);
  w->v = take(l, nv);
  w->dq = take(l, (size_t)s->nq);
  w->terms = take(l, terms_size(s));
  if (s->n_switch > 0) {
    w->jet_in = take(l, 3 * (size_t)s->n_in);
    w->jet_work = take(l, 3 * (size_t)pw_tape_registers(s->tape.sides) + 9);
  }
}

typedef struct head {
  pw_mech mech;
  struct pw_mech_work work;
} head;

static head *lay_out(pw_layout *l, head *probe) {
  head *h = PW_LAY(l, 1, head);
  pw_mech *m = h == NULL ? &probe->mech : &h->mech;
  m->sys = probe->mech.sys;
  m->w = h == NULL ? &probe->work : &h->work;
  lay_results(l, m);
  lay_work(l, m);
  return h;
}

static void prepare_program(pw_program *p) {
  pw_tape_prepare(p->tape, p->reg);
  pw_tape_prepare_out(p->tape, p->out);
}

static void prepare(pw_mech *m) {
  struct pw_mech_work *w = m->w;
  pw_program *all[] = {&w->tape.motion,  &w->tape.position, &w->tape.velocity, &w->tape.gap,
                       &w->tape.contact, &w->tape.clause,   &w->tape.graph,    &w->tape.by,
                       &w->tape.energy,  &w->tape.carried,  &w->tape.sides,    &w->tape.roots,
                       &w->tape.output,  &w->tape.momentum, &w->tape.signal,   &w->tape.ties};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    prepare_program(all[i]);
  }
  for (int k = 0; k < m->sys->n_expect_group; k++) {
    prepare_program(&w->tape.expect[k]);
  }
  w->tape.motion.steady = !m->sys->trait.bends;
  w->tape.position.steady = w->tape.velocity.steady = true;
  w->tape.gap.steady = w->tape.contact.steady = true;
}

pawl_status pw_mech_new(const pw_system *sys, pw_mech **out) {
  *out = NULL;

  /* the layout is counted, then handed out in one block */
  head probe = {.mech.sys = sys};
  pw_layout l = {0};
  (void)lay_out(&l, &probe);
  void *memory = pw_pages_new(l.size);
  if (memory == NULL) {
    return PAWL_E_MEMORY;
  }
  size_t counted = l.size;
  l = pw_layout_in(memory);
  head *h = lay_out(&l, &probe);
  PW_ASSERT(l.size == counted);

  /* input of the laws, and default values */
  for (int i = 0; i < sys->ni; i++) {
    h->work.has_segments = h->work.has_segments || !sys->law[i].wall;
    h->work.has_planes = h->work.has_planes || sys->law[i].group >= 0;
  }
  for (int i = 0; i < sys->nr; i++) {
    h->mech.sense[i] = 1;
  }
  h->mech.margin = 1;
  for (int i = 0; i < sys->model->parameters.n; i++) {
    h->work.in[sys->offset[PW_VAR_PARAMETER] + i] = sys->model->parameters.items[i].value;
  }

  /* the programs are ready, and only the equalities are imposed */
  prepare(&h->mech);
  h->work.bare.view = pw_view_motion(sys, h->work.tape.motion.out);
  pw_mech_close(&h->mech, NULL);
  *out = &h->mech;
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
  m->w->kept.n = -1;
  append_rows(m, false);
  m->imposed_q = m->w->n_act_q = m->w->n_act;
  append_rows(m, true);
  m->imposed = m->w->n_act;
  m->w->bare.on = pw_bare_fits(m);
  pw_mech_list_slides(m);
  PW_ASSERT(m->imposed_q <= m->imposed && m->imposed >= s->nc && m->imposed <= s->nr);
  m->first_look = true;
  m->rank = m->imposed < s->nv ? m->imposed : s->nv;
  m->rank_q = m->imposed_q < s->nv ? m->imposed_q : s->nv;
}

bool pw_mech_is_implied(const pw_mech *m, int law) {
  return m->w->state[law] == PW_IMPLIED;
}

bool pw_mech_is_closed(const pw_mech *m, int law) {
  return m->w->state[law] == PW_AT_KINK;
}

/* Dense room for rows that are not clearly independent: taken when it is needed first, and kept. */
bool pw_firm_make_dense(pw_mech *m) {
  struct pw_mech_work *w = m->w;
  const pw_system *s = m->sys;
  if (s->pattern.sparse == NULL || w->firm.dense != NULL) {
    return true;
  }
  size_t nv = (size_t)s->nv, nr = (size_t)s->nr, one = pw_qr_doubles(s->nv, s->nr);
  size_t ints = pw_qr_ints(s->nv, s->nr);
  w->firm.dense = calloc(nv * nr + 2 * one + 1, sizeof(double));
  w->firm.dense_ints = calloc(2 * ints + 1, sizeof(int));
  if (w->firm.dense == NULL || w->firm.dense_ints == NULL) {
    pw_firm_free(m);
    return false;
  }
  w->columns = w->firm.dense;
  pw_qr_init(&w->rows, s->nv, s->nr, w->firm.dense + nv * nr, w->firm.dense_ints);
  pw_qr_init(&w->project, s->nv, s->nr, w->firm.dense + nv * nr + one, w->firm.dense_ints + ints);
  return true;
}

void pw_firm_free(pw_mech *m) {
  free(m->w->firm.dense);
  free(m->w->firm.dense_ints);
  m->w->firm.dense = NULL;
  m->w->firm.dense_ints = NULL;
}

void pw_mech_free(pw_mech *m) {
  if (m != NULL) {
    pw_firm_free(m);
  }
  pw_pages_free(m);
}

/* ---- shared by the other files ---- */

void pw_program_run(pw_mech *m, const pw_program *p) {
  if (pw_tape_outputs(p->tape) > 0 && p->steady) {
    pw_tape_update(p->tape, m->w->in, p->reg, p->out);
  } else if (pw_tape_outputs(p->tape) > 0) {
    pw_tape_run(p->tape, m->w->in, p->reg, p->out);
  }
}

const double *pw_program_terms(pw_mech *m, const pw_program *p) {
  double *out = m->w->terms + 2 * (size_t)pw_tape_registers(p->tape);
  pw_tape_terms(p->tape, m->w->in, m->w->terms, out);
  return out;
}

const double *pw_mech_law(const pw_mech *m, int row) {
  return m->w->tape.contact.out + pw_view_law_at(m->sys, row - m->sys->nc, PW_VIEW_VALUE);
}

const double *pw_mech_row(const pw_mech *m, const double *eq_J, int row) {
  return row < m->sys->nc ? pw_view_slope_whole(m->sys, eq_J, row, m->w->firm.room)
                          : pw_mech_law(m, row) + PW_VIEW_HEAD;
}

pawl_status pw_mech_fail(pw_mech *m, pawl_status status, int coord, int row, double value) {
  m->fault = (pw_fault){status, coord, row, value};
  return status;
}
