// SPDX-License-Identifier: MIT
/* The public evaluator: one pw_mech, states in, numbers out. The value of a law that is not closed
 * decides whether it is above or below its kink. */
#include "pawl/eval.h"

#include <math.h>
#include <stdlib.h>

#include "base/real.h"
#include "linalg/dense.h"
#include "mech/handle.h"
#include "mech/work.h"
#include "pawl/picture.h"

struct pawl_eval {
  const pawl_system *system;
  const pw_system *sys;
  pw_mech *mech;
  double *q, *u, *side, *scratch; /* nq, nv, n_switch, 3 n_sides */
  double *value;                  /* ni: of the laws, for their sides */
  double *heading, *blur;         /* ni: of slips in a plane */
  double *force;                  /* laws */
  unsigned char *state;           /* ni */
  double *reg, *picture;          /* of the tape of plots and drawings */
  bool still;                     /* this tape reads no acceleration */
};

static void *reals(int n) {
  return calloc((size_t)n + 1, sizeof(double));
}

static bool make_room(pawl_eval *e) {
  const pw_system *s = e->sys;
  double **of[] = {&e->q,       &e->u,    &e->side,  &e->scratch, &e->value,
                   &e->heading, &e->blur, &e->force, &e->reg,     &e->picture};
  int size[] = {s->nq,
                s->nv,
                s->n_switch,
                3 * s->n_sides,
                s->ni,
                s->ni,
                s->ni,
                s->model->rows.n,
                pw_tape_registers(s->tape.picture),
                pw_tape_outputs(s->tape.picture)};
  bool ok = true;
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    *of[i] = reals(size[i]);
    ok = ok && *of[i] != NULL;
  }
  e->state = calloc((size_t)s->ni + 1, 1);
  if (ok) {
    pw_tape_prepare(s->tape.picture, e->reg);
  }
  return ok && e->state != NULL && pw_mech_new(s, &e->mech) == PAWL_OK;
}

static bool reads_no_acceleration(const pw_system *s) {
  bool none = true;
  for (int i = 0; i < s->nv && none; i++) {
    none = !pw_tape_reads(s->tape.picture, s->offset[PW_VAR_A] + i);
  }
  return none;
}

pawl_status pawl_eval_new(const pawl_system *system, pawl_eval **out) {
  if (out != NULL) {
    *out = NULL;
  }
  if (system == NULL || out == NULL || system->sys == NULL) {
    return PAWL_E_ARGUMENT;
  }
  pawl_eval *e = calloc(1, sizeof *e);
  if (e == NULL) {
    return PAWL_E_MEMORY;
  }
  e->system = pw_system_keep(system);
  e->sys = system->sys;
  if (!make_room(e)) {
    pawl_eval_free(e);
    return PAWL_E_MEMORY;
  }
  e->still = reads_no_acceleration(e->sys);
  *out = e;
  return PAWL_OK;
}

void pawl_eval_free(pawl_eval *e) {
  if (e == NULL) {
    return;
  }
  double *all[] = {e->q,       e->u,    e->side,  e->scratch, e->value,
                   e->heading, e->blur, e->force, e->reg,     e->picture};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    free(all[i]);
  }
  free(e->state);
  pw_mech_free(e->mech);
  pw_system_drop(e->system);
  free(e);
}

int pawl_eval_rows(const pawl_eval *e) {
  return e == NULL ? 0 : e->sys->nc;
}

int pawl_eval_row_law(const pawl_eval *e, int row) {
  return e != NULL && row >= 0 && row < e->sys->nc ? e->sys->row_of[row] : -1;
}

int pawl_eval_multipliers(const pawl_eval *e) {
  return e == NULL ? 0 : e->sys->n_state;
}

/* ---- one state ---- */

/* Multipliers that are states follow the positions; angular velocities are turned into body
 * axes. */
static void load(pawl_eval *e, const pawl_eval_in *in, int k) {
  const pw_model *m = e->sys->model;
  int nq = m->nq, nv = e->sys->nv, n_state = e->sys->n_state;
  pw_copy(e->q, in->q + (size_t)k * (size_t)nq, nq);
  pw_zero(e->q + nq, n_state);
  if (in->multipliers != NULL) {
    pw_copy(e->q + nq, in->multipliers + (size_t)k * (size_t)n_state, n_state);
  }
  pw_copy(e->u, in->u + (size_t)k * (size_t)nv, nv);
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *x = &m->coords.items[c];
    if (x->is_rotation) {
      double shown[3] = {e->u[x->u], e->u[x->u + 1], e->u[x->u + 2]};
      double length = pw_norm2(e->q + x->q, 4);
      for (int i = 0; i < 4; i++) {
        e->q[x->q + i] /= length;
      }
      pw_mech_into_body(e->q + x->q, shown, e->u + x->u);
    }
  }
}

/* A slip in a plane goes along itself; one that is zero has no direction, and no force. */
static void head(pawl_eval *e) {
  const pw_system *s = e->sys;
  for (int i = 0; i < s->ni; i++) {
    int first = s->law[i].group;
    double size = first < 0 ? 0 : pw_length(e->value + first, s->law[i].width);
    e->heading[i] = size > 0 ? e->value[i] / size : 0;
    e->blur[i] = 0;
  }
  pw_mech_head(e->mech, e->heading, e->blur);
}

static void choose_sides(pawl_eval *e, const unsigned char *closed, double t) {
  const pw_system *s = e->sys;
  pw_mech_gaps(e->mech, t, e->q, e->u, e->side, e->value);
  for (int i = 0; i < s->ni; i++) {
    bool held = closed != NULL && closed[s->row_of[s->nc + i]] != 0;
    bool below = !s->law[i].wall && s->law[i].group < 0 && e->value[i] < 0;
    e->state[i] = held ? PW_AT_KINK : below ? PW_BELOW_KINK : PW_ABOVE_KINK;
  }
  pw_mech_close(e->mech, e->state);
  head(e);
}

static pawl_status evaluate(pawl_eval *e, const pawl_eval_in *in, int k, bool picture) {
  double t = in->t[k];
  load(e, in, k);
  if (!isfinite(t) || !pw_all_finite(e->q, e->sys->nq) || !pw_all_finite(e->u, e->sys->nv)) {
    return PAWL_E_NAN;
  }
  pawl_status status = PAWL_OK;
  pw_mech_close(e->mech, NULL);
  if (e->sys->n_switch > 0) {
    status = pw_start_sides(e->mech, t, e->q, e->u, e->side, e->scratch);
  }
  if (status != PAWL_OK) {
    return status;
  }
  if (picture) {
    return PAWL_OK;
  }
  choose_sides(e, in->closed, t);
  return pw_mech_rates_decide(e->mech, t, e->q, e->u, e->side);
}

/* ---- results ---- */

static void put_matrices(const pawl_eval *e, const pawl_eval_out *out, int k) {
  const pw_system *s = e->sys;
  size_t nv = (size_t)s->nv, nc = (size_t)s->nc, at = (size_t)k;
  pw_motion_view x = pw_view_motion(s, e->mech->w->tape.motion.out);
  for (int i = 0; out->M != NULL && i < s->nv; i++) {
    for (int j = 0; j < s->nv; j++) {
      int place = pw_view_mass_at(s, i, j);
      out->M[(at * nv + (size_t)i) * nv + (size_t)j] = place < 0 ? 0 : x.M[place];
    }
  }
  if (out->h != NULL) {
    pw_copy(out->h + at * nv, x.h, s->nv);
  }
  for (int i = 0; out->J != NULL && i < s->nc; i++) {
    double *row = out->J + (at * nc + (size_t)i) * nv;
    const double *J = pw_view_slope_whole(s, x.J, i, row);
    if (J != row) {
      pw_copy(row, J, s->nv);
    }
  }
  if (out->zeta != NULL) {
    pw_copy(out->zeta + at * nc, x.zeta, s->nc);
  }
}

/* Values of the equalities and their rates: g of np rows, then g' of these and f of the others. */
static void put_rows(const pawl_eval *e, const pawl_eval_out *out, int k) {
  const pw_system *s = e->sys;
  size_t nc = (size_t)s->nc, at = (size_t)k * nc;
  pw_programs *tape = &e->mech->w->tape;
  pw_program_run(e->mech, &tape->position);
  pw_program_run(e->mech, &tape->velocity);
  for (int i = 0; i < s->nc; i++) {
    double rate = tape->velocity.out[i];
    if (out->g != NULL) {
      out->g[at + (size_t)i] = i < s->np ? tape->position.out[i] : rate;
    }
    if (out->g_rate != NULL) {
      out->g_rate[at + (size_t)i] = rate;
    }
  }
}

/* The measure of each law of the model; for a law of several rows, of the first. */
static void put_gaps(const pawl_eval *e, const pawl_eval_out *out, int k) {
  const pw_system *s = e->sys;
  size_t at = (size_t)k * (size_t)s->model->rows.n;
  pw_programs *tape = &e->mech->w->tape;
  pw_program_run(e->mech, &tape->contact);
  for (int i = 0; i < s->model->rows.n; i++) {
    int row = s->index_of[i];
    double value = NAN, rate = NAN;
    if (row >= s->nc) {
      pw_law_row law = pw_view_law(s, (pw_law_view){.contact = tape->contact.out}, row - s->nc);
      value = pw_law_measure(law.form, law.value);
      rate = law.form->on_velocity ? value : law.rate / law.form->unit;
    } else if (row >= 0) {
      rate = tape->velocity.out[row];
      value = row < s->np ? tape->position.out[row] : rate;
    }
    if (out->gap != NULL) {
      out->gap[at + (size_t)i] = value;
    }
    if (out->gap_rate != NULL) {
      out->gap_rate[at + (size_t)i] = rate;
    }
  }
}

static void put_motion(pawl_eval *e, const pawl_eval_out *out, int k, double t) {
  const pw_system *s = e->sys;
  size_t at = (size_t)k;
  double energy[3];
  pw_mech_forces(e->mech, e->force);
  if (out->a != NULL) {
    pw_copy(out->a + at * (size_t)s->nv, e->mech->a, s->nv);
  }
  if (out->force != NULL) {
    pw_copy(out->force + at * (size_t)s->model->rows.n, e->force, s->model->rows.n);
  }
  if (out->T != NULL || out->V != NULL) {
    pw_mech_energy(e->mech, t, e->q, e->u, e->side, energy);
  }
  if (out->T != NULL) {
    out->T[at] = energy[0];
  }
  if (out->V != NULL) {
    out->V[at] = energy[1];
  }
}

/* Outputs, plots and drawings see the accelerations, and the forces computed or given. */
static void put_expressions(pawl_eval *e, const pawl_eval_in *in, const pawl_eval_out *out, int k) {
  const pw_system *s = e->sys;
  size_t at = (size_t)k, laws = (size_t)s->model->rows.n;
  const struct pw_mech_work *w = e->mech->w;
  double *inputs = w->in;
  const double none[PW_QUAD_NAMED] = {0};
  const double *force = in->force == NULL ? e->force : in->force + at * laws;
  pw_mech_input(e->mech, in->t[k], e->q, e->u, e->side);
  for (int i = 0; i < s->nv; i++) {
    inputs[s->offset[PW_VAR_A] + i] = in->no_accelerations ? NAN : e->mech->a[i];
  }
  pw_copy(inputs + s->offset[PW_VAR_FORCE], force, s->model->rows.n);
  pw_copy(inputs + s->offset[PW_VAR_QUAD],
          in->integrals == NULL ? none : in->integrals + at * PW_QUAD_NAMED, PW_QUAD_NAMED);
  pw_zero(inputs + s->offset[PW_VAR_IMPULSE], s->model->rows.n);
  if (in->impulse != NULL) {
    pw_copy(inputs + s->offset[PW_VAR_IMPULSE], in->impulse + at * laws, s->model->rows.n);
  }

  if (out->output != NULL) {
    pw_program_run(e->mech, &w->tape.output);
    pw_copy(out->output + at * (size_t)s->n_out, w->tape.output.out + s->nv, s->n_out);
  }
  int numbers = pw_tape_outputs(s->tape.picture), curves = 2 * s->model->plots.n;
  int touches = PAWL_TOUCH_NUMBERS * s->model->touches.n, drawn = numbers - curves - touches;
  if (numbers > 0 && (out->plot != NULL || out->draw != NULL || out->touch != NULL)) {
    pw_tape_run(s->tape.picture, w->in, e->reg, e->picture);
    if (out->plot != NULL) {
      pw_copy(out->plot + at * (size_t)curves, e->picture, curves);
    }
    if (out->draw != NULL) {
      pw_copy(out->draw + at * (size_t)drawn, e->picture + curves, drawn);
    }
    if (out->touch != NULL) {
      pw_copy(out->touch + at * (size_t)touches, e->picture + curves + drawn, touches);
    }
  }
}

/* A state that cannot be evaluated has no numbers. */
static void put_nothing(const pawl_eval *e, const pawl_eval_out *out, int k) {
  const pw_system *s = e->sys;
  const struct {
    double *to;
    int n;
  } all[] = {{out->M, s->nv * s->nv},
             {out->h, s->nv},
             {out->J, s->nc * s->nv},
             {out->zeta, s->nc},
             {out->g, s->nc},
             {out->g_rate, s->nc},
             {out->a, s->nv},
             {out->force, s->model->rows.n},
             {out->T, 1},
             {out->V, 1},
             {out->gap, s->model->rows.n},
             {out->gap_rate, s->model->rows.n},
             {out->output, s->n_out},
             {out->plot, 2 * s->model->plots.n},
             {out->draw, pawl_draw_numbers(e->system)},
             {out->touch, PAWL_TOUCH_NUMBERS * s->model->touches.n}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    for (int j = 0; all[i].to != NULL && j < all[i].n; j++) {
      all[i].to[(size_t)k * (size_t)all[i].n + (size_t)j] = NAN;
    }
  }
}

static bool is_complete(const pawl_eval *e, const pawl_eval_in *in, const pawl_eval_out *out) {
  return e != NULL && in != NULL && out != NULL && in->k >= 0 &&
         (in->k == 0 || (in->t != NULL && in->q != NULL && in->u != NULL));
}

/* Plots and drawings of given forces need no accelerations, unless they show some. */
static bool is_picture(const pawl_eval *e, const pawl_eval_in *in, const pawl_eval_out *out) {
  const double *others[] = {out->M,        out->h,     out->J,     out->zeta, out->g,
                            out->g_rate,   out->a,     out->T,     out->V,    out->gap,
                            out->gap_rate, out->force, out->output};
  bool alone = e->still && in->force != NULL;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    alone = alone && others[i] == NULL;
  }
  return alone;
}

pawl_status pawl_eval_at(pawl_eval *e, const pawl_eval_in *in, const pawl_eval_out *out) {
  if (!is_complete(e, in, out)) {
    return PAWL_E_ARGUMENT;
  }
  pawl_status first = PAWL_OK;
  bool picture = is_picture(e, in, out);
  for (int k = 0; k < in->k; k++) {
    pawl_status status = evaluate(e, in, k, picture);
    if (status == PAWL_OK && picture) {
      put_expressions(e, in, out, k);
    } else if (status == PAWL_OK) {
      put_matrices(e, out, k);
      put_rows(e, out, k);
      put_gaps(e, out, k);
      put_motion(e, out, k, in->t[k]);
      put_expressions(e, in, out, k);
    } else {
      put_nothing(e, out, k);
    }
    if (out->status != NULL) {
      out->status[k] = status;
    }
    first = first == PAWL_OK ? status : first;
  }
  return first;
}
