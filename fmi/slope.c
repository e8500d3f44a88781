// SPDX-License-Identifier: MIT
/* Directional derivatives of a unit: by inputs at the present state, by parameters along the motion
 * from its start. Columns of all results are added up, and those asked for are taken. */
#include <math.h>
#include <pawl/gradient.h>
#include <stdlib.h>

#include "unit_part.h"

typedef struct slope {
  fmi_unit *unit;
  int nq, nv, n_out, size; /* size: of a column */
  double *sum, *column;
  const char **name; /* parameters by which one differentiates, */
  double *weight;    /* and their parts */
  int n;
} slope;

/* The place of a variable in a column, or -1. */
static int place(const slope *s, unsigned reference) {
  pawl_fmu_variable v = fmi_unit_find(s->unit, reference);
  return v.kind == PAWL_FMU_POSITION   ? v.index
         : v.kind == PAWL_FMU_VELOCITY ? s->nq + v.index
         : v.kind == PAWL_FMU_OUTPUT   ? s->nq + s->nv + v.index
         : v.kind == PAWL_FMU_FORCE    ? s->nq + s->nv + s->n_out + v.index
                                       : -1;
}

static bool make_room(slope *s, size_t knowns) {
  const pawl_system *system = s->unit->initial;
  s->nq = pawl_system_positions(system);
  s->nv = pawl_system_velocities(system);
  s->n_out = pawl_system_outputs(system);
  s->size = s->nq + s->nv + s->n_out + pawl_system_laws(system);
  s->sum = calloc((size_t)s->size + 1, sizeof *s->sum);
  s->column = calloc((size_t)s->size + 1, sizeof *s->column);
  s->name = calloc(knowns + 1, sizeof *s->name);
  s->weight = calloc(knowns + 1, sizeof *s->weight);
  return s->sum != NULL && s->column != NULL && s->name != NULL && s->weight != NULL;
}

static void free_room(slope *s) {
  free(s->sum);
  free(s->column);
  free(s->name);
  free(s->weight);
}

static void add(slope *s, double weight, const double *column) {
  for (int i = 0; i < s->size; i++) {
    s->sum[i] += weight * column[i];
  }
}

static bool add_input(slope *s, int input, double weight) {
  pawl_status status = pawl_gradient_by_input(s->unit->sim, input, s->column);
  if (status != PAWL_OK) {
    fmi_unit_tell(s->unit, 3, "there are no derivatives by %s here: %s",
                  pawl_input_name(s->unit->initial, input),
                  status == PAWL_E_STATE ? "the model has something without them"
                                         : pawl_status_text(status));
    return false;
  }
  add(s, weight, s->column);
  return true;
}

/* One motion with the derivatives by all parameters asked for. */
static bool add_parameters(slope *s) {
  fmi_unit *unit = s->unit;
  pawl_gradient *g = NULL;
  if (s->n == 0) {
    return true;
  }
  if (unit->driven) {
    fmi_unit_tell(unit, 3, "after a change of inputs there are no derivatives by parameters");
    return false;
  }
  bool ok = fmi_unit_gradient(unit, s->name, s->n, &g);
  for (int i = 0; i < s->n && ok; i++) {
    const double *end = pawl_gradient_end(g, i);
    if (end == NULL) {
      fmi_unit_tell(unit, 3, "there is no derivative by %s: %s", s->name[i],
                    pawl_gradient_why(g, i));
    } else {
      add(s, s->weight[i], end);
    }
    ok = end != NULL;
  }
  pawl_gradient_free(g);
  return ok;
}

static bool add_known(slope *s, unsigned reference, double weight) {
  pawl_fmu_variable v = fmi_unit_find(s->unit, reference);
  if ((v.kind != PAWL_FMU_INPUT && v.kind != PAWL_FMU_PARAMETER) || !isfinite(weight)) {
    fmi_unit_tell(s->unit, 3, "derivatives are by inputs and parameters, not by reference %u",
                  reference);
    return false;
  }
  if (v.kind == PAWL_FMU_INPUT) {
    return weight == 0 || add_input(s, v.index, weight);
  }
  if (weight != 0) {
    s->name[s->n] = pawl_parameter_get(s->unit->initial, v.index).name;
    s->weight[s->n++] = weight;
  }
  return true;
}

static bool take_unknown(const slope *s, unsigned reference, double *out) {
  int i = place(s, reference);
  *out = i < 0 ? (double)NAN : s->sum[i];
  if (!isfinite(*out)) {
    fmi_unit_tell(s->unit, 3, "reference %u has no derivative", reference);
  }
  return isfinite(*out);
}

bool fmi_unit_slope(fmi_unit *unit, const unsigned *unknown, size_t n, const unsigned *known,
                    const double *seed, size_t m, double *out) {
  slope s = {.unit = unit};
  if (unit->pending) {
    fmi_unit_tell(unit, 3, "there are no derivatives before the event is treated");
    return false;
  }
  bool room = make_room(&s, m);
  if (!room) {
    fmi_unit_tell(unit, 3, "out of memory");
  }
  bool ok = room && fmi_unit_follow(unit);
  for (size_t k = 0; k < m && ok; k++) {
    ok = add_known(&s, known[k], seed[k]);
  }
  ok = ok && add_parameters(&s);
  for (size_t i = 0; i < n && ok; i++) {
    ok = take_unknown(&s, unknown[i], &out[i]);
  }
  free_room(&s);
  return ok;
}
