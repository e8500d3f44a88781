// SPDX-License-Identifier: MIT
/* Dimensions of signals and tables. A state learns its unit from its start, as coordinates do. */
#include <string.h>

#include "model/dims_walk.h"

pw_quantity pw_dims_of_unit(const pw_unit *unit) {
  double factor;
  pw_dim dim;
  pw_quantity q = {0};
  if (unit != NULL && pw_unit_resolve(unit, NULL, &factor, &dim)) {
    q = (pw_quantity){.kind = PW_QT_KNOWN, .dim = dim};
  }
  return q;
}

static void walk_inputs(pw_dims *w, const pw_stmt *stmt) {
  for (int i = 0; i < stmt->u.input.n; i++) {
    const pw_input *in = &stmt->u.input.items[i];
    pw_quantity q = pw_dims_of(w, in->value);
    pw_dims_define(w, in->name, PW_MN_PARAMETER, stmt, q);
    pw_meaning *m = pw_dims_find(w, in->name.text);
    if ((m->value.flags & PW_QT_BARE) != 0) {
      m->value = pw_doubt(w, m);
    }
  }
}

static void walk_states(pw_dims *w, const pw_stmt *stmt) {
  for (int i = 0; i < stmt->u.output.n; i++) {
    const pw_def *def = &stmt->u.output.items[i];
    pw_demand demand = {.code = "E0239", .what = "the rate of", .name = def->name.text};
    if (pw_dims_find(w, def->name.text) == NULL) {
      pw_dims_define(w, def->name, PW_MN_COORDINATE, stmt, (pw_quantity){0});
    }
    pw_ex name = {.kind = PW_EX_NAME, .name = def->name.text, .span = def->name.span};
    pw_quantity z = pw_dims_of(w, &name), want = pw_rate_of(w, &z);
    pw_quantity got = pw_dims_of(w, def->ex);
    pw_require(w, def->ex, &got, &want, &demand);
  }
}

static void walk_table(pw_dims *w, const pw_stmt *stmt) {
  pw_dims_define(w, stmt->u.table.name, PW_MN_VALUE, stmt, pw_dims_of_unit(stmt->u.table.unit));
}

static bool mentions(const pw_ex *ex, const char *name) {
  bool any = ex->kind == PW_EX_NAME && strcmp(ex->name, name) == 0;
  for (int i = 0; i < ex->n_arg && !any; i++) {
    any = ex->arg[i] != NULL && mentions(ex->arg[i], name);
  }
  return any;
}

/* A sample that names itself learns its unit from its start, as a state does. */
static void walk_recurrence(pw_dims *w, const pw_stmt *stmt) {
  const pw_name *own = &stmt->u.sample.name;
  pw_demand demand = {.code = "E0239", .what = "the value of", .name = own->text};
  if (pw_dims_find(w, own->text) == NULL) {
    pw_dims_define(w, *own, PW_MN_COORDINATE, stmt, (pw_quantity){0});
  }
  pw_ex name = {.kind = PW_EX_NAME, .name = own->text, .span = own->span};
  pw_quantity want = pw_dims_of(w, &name), got = pw_dims_of(w, stmt->u.sample.ex);
  pw_require(w, stmt->u.sample.ex, &got, &want, &demand);
}

static void walk_sample(pw_dims *w, const pw_stmt *stmt) {
  pw_demand demand = {.code = "E0239",
                      .what = "the period of",
                      .name = stmt->u.sample.name.text,
                      .bare_is_si = true};
  pw_quantity second = pw_known(0, 0, 1), every = pw_dims_of(w, stmt->u.sample.every);
  pw_require(w, stmt->u.sample.every, &every, &second, &demand);
  if (mentions(stmt->u.sample.ex, stmt->u.sample.name.text)) {
    walk_recurrence(w, stmt);
    return;
  }
  pw_dims_define(w, stmt->u.sample.name, PW_MN_VALUE, stmt, pw_dims_of(w, stmt->u.sample.ex));
}

void pw_dims_signal(pw_dims *w, const pw_stmt *stmt) {
  switch (stmt->kind) {
  case PW_ST_INPUT: walk_inputs(w, stmt); break;
  case PW_ST_STATE: walk_states(w, stmt); break;
  case PW_ST_TABLE: walk_table(w, stmt); break;
  default: walk_sample(w, stmt); break;
  }
}

pw_quantity pw_dims_table_call(pw_dims *w, const pw_ex *ex, const pw_meaning *table) {
  pw_demand demand = {.code = "E0152", .what = "the argument of", .name = table->name};
  pw_quantity want = pw_dims_of_unit(table->stmt->u.table.arg_unit);
  if (ex->n_arg == 2) {
    pw_quantity got = pw_dims_of(w, ex->arg[1]);
    pw_require(w, ex->arg[1], &got, &want, &demand);
  }
  return table->value;
}

pw_quantity pw_dims_free_call(pw_dims *w, const pw_ex *ex) {
  static const pw_demand T = {.code = "E0239", .what = "the time of a delay", .bare_is_si = true};
  static const pw_demand B = {.code = "E0239",
                              .what = "the bandwidth of a noise",
                              .help = "give it in [Hz] or [1/s]",
                              .bare_is_si = true};
  const char *name = ex->arg[0]->name;
  bool delay = strcmp(name, "delay") == 0;
  if (ex->n_arg != 3 || !(delay || strcmp(name, "noise") == 0)) {
    return (pw_quantity){0};
  }
  pw_quantity first = pw_dims_of(w, ex->arg[1]), second = pw_dims_of(w, ex->arg[2]);
  pw_quantity want = pw_known(0, 0, delay ? 1 : -1);
  pw_require(w, ex->arg[2], &second, &want, delay ? &T : &B);
  return delay ? first : pw_pure(0);
}
