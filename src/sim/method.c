// SPDX-License-Identifier: MIT
#include "sim/method.h"

#include "base/option_table.h"
#include "mech/handle.h"

static const pw_method dp5 = {.name = "dp5", .rk = &pw_dp5};
static const pw_method dop853 = {.name = "dop853", .rk = &pw_dop853};
static const pw_method radau = {.name = "radau", .rk = &pw_radau_table};
static const pw_method event = {.name = "event", .rk = &pw_dop853}; /* the larger one, for memory */

const pw_method *pw_method_of(pawl_method method) {
  switch (method) {
  case PAWL_METHOD_DOP853: return &dop853;
  case PAWL_METHOD_MOREAU: return &pw_moreau_method;
  case PAWL_METHOD_VARIATIONAL: return &pw_variational_method;
  case PAWL_METHOD_DP5: return &dp5;
  case PAWL_METHOD_RADAU: return &radau;
  case PAWL_METHOD_BY_SIZE:
  case PAWL_METHOD_AUTO: break;
  }
  return &event;
}

const pw_method *pw_method_in(const pw_model *m, pawl_method method) {
  return method == PAWL_METHOD_MOREAU && m->piles.n > 0 ? &pw_heap_method : pw_method_of(method);
}

const char *pawl_method_name(pawl_method method) {
  const pawl_option *option = pawl_option_find("method");
  int n = 0;
  while (option->choices[n] != NULL) {
    n++;
  }
  return (int)method >= 0 && (int)method < n ? option->choices[method] : NULL;
}

int pawl_method_is_fixed(pawl_method method) {
  return pawl_method_name(method) != NULL && pw_method_of(method)->fixed;
}

bool pw_method_refuse_row(const pw_system *sys, const char *method, int row, const char *why,
                          pawl_diags *diags) {
  const pw_row *r = &sys->model->rows.items[sys->row_of[row]];
  pw_diag_ref ref =
      pw_error(diags, "E0421", r->span, "method `%s` cannot treat `%s`: %s", method, r->name, why);
  pw_label(ref, "this is %s", pw_kind_about(r->kind));
  pw_help(ref, "`method event` treats all laws");
  return true;
}

static bool refuse_signal(const pw_signal *s, const char *method, pawl_diags *diags) {
  pw_diag_ref ref =
      pw_error(diags, "E0421", s->span, "method `%s` cannot treat `%s`", method, s->name);
  pw_label(ref, "a signal: it has no inertia, and may change within a step");
  pw_help(ref, "`method event` treats all models");
  return true;
}

/* The first signal that changes by itself; inputs are held, and turns are counted after each step.
 * NULL: none does. */
static const pw_signal *changing_signal(const pw_model *m) {
  for (int i = 0; i < m->signals.n; i++) {
    pw_signal_kind kind = m->signals.items[i].kind;
    if (kind != PW_SIGNAL_INPUT && kind != PW_SIGNAL_TURNS) {
      return &m->signals.items[i];
    }
  }
  return NULL;
}

bool pw_method_refuse_changing(const pw_system *sys, const char *method, pawl_diags *diags) {
  const pw_signal *s = changing_signal(sys->model);
  return s != NULL && refuse_signal(s, method, diags);
}

bool pw_method_refuse_states(const pw_system *sys, const char *method, pawl_diags *diags) {
  const pw_signal *signal = pw_first_signal(sys->model);
  if (signal != NULL) {
    return refuse_signal(signal, method, diags);
  }
  if (sys->n_state > 0) {
    return pw_method_refuse_row(sys, method, sys->state_row[0], "its multiplier is a state", diags);
  }
  return false;
}

static bool has_balances(const pw_model *m) {
  bool any = false;
  for (int c = 0; c < m->coords.n; c++) {
    any = any || m->coords.items[c].balanced;
  }
  return any;
}

pawl_method pw_method_choose(const pw_model *m, pawl_method method) {
  enum { MANY = 60 }; /* contacts whose instants cost more than steps */
  int contacts = 0;
  for (int i = 0; i < m->rows.n; i++) {
    contacts += m->rows.items[i].kind == PW_KIND_UNILATERAL;
  }
  bool steps = contacts > MANY && changing_signal(m) == NULL && !has_balances(m);
  return method != PAWL_METHOD_BY_SIZE || pw_model_takes_turns(m) ? method
         : !pw_model_has_pairs(m) || steps                        ? PAWL_METHOD_MOREAU
                                                                  : PAWL_METHOD_AUTO;
}

pawl_method pawl_method_for(const pawl_system *system, pawl_method method) {
  return system == NULL ? method : pw_method_choose(system->model, method);
}
