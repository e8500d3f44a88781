// SPDX-License-Identifier: MIT
/* The model card as one JSON object, with errors and warnings as data. */
#include <math.h>

#include "pawl/variations.h"
#include "pawl/write.h"
#include "write/formats.h"

static void put_named(pw_buf *out, const char *before, const char *name, double value) {
  pw_buf_puts(out, before);
  pw_buf_json(out, name);
  pw_buf_puts(out, ":");
  pw_buf_json_real(out, value);
}

/* `sim` at the start provides which laws are closed; NULL: the model cannot be run. */
static void put_laws(pw_buf *out, const pawl_system *sys, const pawl_sim *sim) {
  pw_buf_puts(out, ",\"laws\":["); /* a vector slip is one */
  for (int i = 0; i < pawl_system_laws(sys); i++) {
    pawl_law_info law = pawl_law_get(sys, i);
    if (law.component > 1) {
      continue;
    }
    pw_buf_puts(out, i == 0 ? "{\"name\":" : ",{\"name\":");
    pw_buf_json(out, law.law);
    pw_buf_puts(out, ",\"kind\":");
    pw_buf_json(out, law.kind);
    pw_buf_printf(out, ",\"line\":%d,\"redundant\":%s", law.line, law.redundant ? "true" : "false");
    pw_buf_puts(out, ",\"cost\":");
    pw_buf_json(out, law.cost);
    if (law.nature[0] != '\0') {
      pw_buf_puts(out, ",\"nature\":");
      pw_buf_json(out, law.nature);
    }
    if (sim != NULL) {
      pw_buf_printf(out, ",\"closed\":%s", pawl_sim_closed(sim, i) ? "true" : "false");
      pw_buf_puts(out, pawl_sim_indifferent(sim, i) ? ",\"flag\":\"INDIFFERENT\"" : "");
    }
    pw_buf_puts(out, "}");
  }
  pw_buf_puts(out, "]");
}

static void put_start(pw_buf *out, const pawl_system *sys) {
  const double *q = pawl_start_positions(sys), *u = pawl_start_velocities(sys);
  int nq = q == NULL ? 0 : pawl_system_positions(sys);
  int nv = u == NULL ? 0 : pawl_system_velocities(sys);
  pw_buf_puts(out, ",\"start\":{");
  for (int i = 0; i < nq; i++) {
    put_named(out, i == 0 ? "" : ",", pawl_position_name(sys, i), q[i]);
  }
  for (int i = 0; i < nv; i++) {
    put_named(out, nq + i == 0 ? "" : ",", pawl_velocity_name(sys, i), u[i]);
  }
  for (int i = 0; nq > 0 && i < pawl_system_laws(sys); i++) {
    pawl_law_info law = pawl_law_get(sys, i);
    if (!isnan(law.start)) {
      pw_buf name = {0};
      pw_buf_printf(&name, "force(%s)", law.name);
      put_named(out, ",", name.text == NULL ? "" : name.text, law.start);
      pw_buf_free(&name);
    }
  }
  pw_buf_puts(out, "}");
}

static void put_parameters(pw_buf *out, const pawl_system *sys) {
  pw_buf_puts(out, ",\"parameters\":[");
  for (int i = 0; i < pawl_system_parameters(sys); i++) {
    pawl_parameter_info p = pawl_parameter_get(sys, i);
    pw_buf_puts(out, i == 0 ? "{\"name\":" : ",{\"name\":");
    pw_buf_json(out, p.name);
    put_named(out, ",", "value", p.value);
    if (p.lo <= p.hi) {
      put_named(out, ",", "lo", p.lo);
      put_named(out, ",", "hi", p.hi);
    }
    if (p.unit != NULL) {
      pw_buf_puts(out, ",\"unit\":");
      pw_buf_json(out, p.unit);
    }
    pw_buf_puts(out, "}");
  }
  pw_buf_puts(out, "]");
}

static void put_names(pw_buf *out, const char *key, const pawl_system *sys, int n,
                      const char *(*name)(const pawl_system *, int)) {
  pw_buf_printf(out, ",\"%s\":[", key);
  for (int i = 0; i < n; i++) {
    pw_buf_puts(out, i == 0 ? "" : ",");
    pw_buf_json(out, name(sys, i));
  }
  pw_buf_puts(out, "]");
}

static void put_freedom(pw_buf *out, const pawl_system *sys, const pawl_sim *sim) {
  int dof = sim == NULL ? pawl_system_dof(sys) : pawl_sim_dof(sim);
  pw_buf_printf(out, ",\"dof\":%d,\"rank\":%d", dof, pawl_system_velocities(sys) - dof);
}

/* By Noether's theorem, with their values at the start. */
static void put_conserved(pw_buf *out, const pawl_system *sys) {
  pawl_symmetries *s = NULL;
  if (pawl_start_positions(sys) == NULL || pawl_symmetries_new(sys, &s) == PAWL_E_MEMORY) {
    out->failed = out->failed || pawl_start_positions(sys) != NULL;
    return;
  }
  pw_buf_puts(out, ",\"conserved\":[");
  for (int i = 0; i < pawl_symmetries_count(s); i++) {
    pw_buf_puts(out, i == 0 ? "{\"quantity\":" : ",{\"quantity\":");
    pw_buf_json(out, pawl_symmetry_text(s, i));
    put_named(out, ",", "start",
              pawl_symmetry_value(s, i, pawl_start_time(sys), pawl_start_positions(sys),
                                  pawl_start_velocities(sys)));
    pw_buf_puts(out, "}");
  }
  pw_buf_puts(out, "]");
  pawl_symmetries_free(s);
}

static void put_system(pw_buf *out, const pawl_system *sys, const pawl_sim *sim) {
  if (pawl_system_title(sys) != NULL) {
    pw_buf_puts(out, ",\"title\":");
    pw_buf_json(out, pawl_system_title(sys));
  }
  put_names(out, "coordinates", sys, pawl_system_positions(sys), pawl_position_name);
  put_names(out, "velocities", sys, pawl_system_velocities(sys), pawl_velocity_name);
  put_laws(out, sys, sim);
  put_freedom(out, sys, sim);
  put_start(out, sys);
  put_conserved(out, sys);
  put_parameters(out, sys);
  put_names(out, "outputs", sys, pawl_system_outputs(sys), pawl_output_name);
  put_names(out, "events", sys, pawl_system_events(sys), pawl_event_name);
  pw_buf_printf(out, ",\"expectations\":%d", pawl_system_expectations(sys));
  double from, to;
  if (pawl_run_span(sys, &from, &to)) {
    put_named(out, ",\"run\":{", "from", from);
    put_named(out, ",", "to", to);
    pw_buf_puts(out, "}");
  }
}

/* A motion that goes nowhere; NULL if the system cannot be run. */
static pawl_status at_start(const pawl_system *system, pawl_sim **sim) {
  double from = pawl_start_time(system);
  pawl_sim_opts opts = {.use_span = 1, .from = from, .to = from + 1 + fabs(from)};
  *sim = NULL;
  return pawl_sim_new(system, &opts, NULL, sim);
}

pawl_status pawl_check_json(const pawl_system *system, const char *file, const pawl_diags *diags,
                            pawl_sink sink, void *payload) {
  if (sink == NULL) {
    return PAWL_E_ARGUMENT;
  }
  pw_buf buf = {0};
  pw_buf_puts(&buf, "{\"model\":");
  pw_buf_json(&buf, file == NULL ? "" : file);
  if (system != NULL) {
    pawl_sim *sim;
    buf.failed = at_start(system, &sim) == PAWL_E_MEMORY || buf.failed;
    put_system(&buf, system, sim);
    pawl_sim_free(sim);
  } else {
    pw_buf_puts(&buf, ",\"coordinates\":[],\"laws\":[],\"dof\":null,\"start\":{}");
  }
  pw_buf_puts(&buf, ",\"warnings\":");
  pw_diags_json(&buf, diags, PAWL_WARNING);
  pw_buf_puts(&buf, ",\"errors\":");
  pw_diags_json(&buf, diags, PAWL_ERROR);
  pw_buf_puts(&buf, "}\n");
  pawl_status status = pw_buf_flush(&buf, sink, payload);
  pw_buf_free(&buf);
  return status;
}
