// SPDX-License-Identifier: MIT
/* summary.json: program, options and outcome of a run; the only file with the wall time in it. */
#include <inttypes.h>
#include <string.h>

#include "base/option_table.h"
#include "law/scale.h"
#include "pawl/version.h"
#include "run/run.h"
#include "sim/places.h"

static int into_hash(void *payload, const char *bytes, unsigned long count) {
  uint64_t *hash = payload;
  *hash = pw_fnv1a(*hash, bytes, count);
  return 0;
}

static void put_number(pw_buf *out, const char *before, double value) {
  pw_buf_puts(out, before);
  pw_buf_json_real(out, value);
}

static void put_overrides(pw_buf *out, const pawl_run *run) {
  const pawl_run_opts *o = &run->opts;
  char input[PAWL_FILE_NAME]; /* the copy beside this file */
  pw_system_input_name(run->sys, input);
  pw_buf_puts(out, ",\n  \"overrides\": {");
  for (int i = 0; i < o->n_override; i++) {
    pw_buf_puts(out, i == 0 ? "" : ", ");
    pw_buf_json(out, o->overrides[i].name);
    pw_buf_puts(out, ": ");
    pw_buf_json(out, pw_system_is_input(&o->overrides[i]) ? input : o->overrides[i].value);
  }
  pw_buf_puts(out, "}");
}

/* Choices by their words; permissions, and others that are hardly used, only if they differ. */
static void put_choices(pw_buf *out, const pawl_run_opts *o) {
  static const struct {
    const char *word;
    const char *unless;
  } put[] = {
      {"method", NULL},   {"impacts", NULL},    {"energy-gain", NULL},        {"paradox", "strict"},
      {"validate", "on"}, {"start-impact", ""}, {"restitution-above-one", ""}};
  for (size_t i = 0; i < sizeof put / sizeof *put; i++) {
    const char *chosen = pw_option_chosen(o, put[i].word);
    bool usual = put[i].unless != NULL && (*chosen == '\0' || strcmp(chosen, put[i].unless) == 0);
    if (!usual) {
      pw_buf_printf(out, ", \"%s\": \"%s\"", put[i].word, chosen);
    }
  }
}

/* All values in SI units, overrides and defaults alike. */
static void put_parameters(pw_buf *out, const pawl_system *sys) {
  pw_buf_puts(out, ",\n  \"parameters\": {");
  for (int i = 0; i < pawl_system_parameters(sys); i++) {
    pawl_parameter_info p = pawl_parameter_get(sys, i);
    pw_buf_puts(out, i == 0 ? "" : ", ");
    pw_buf_json(out, p.name);
    put_number(out, ": {\"value\": ", p.value);
    if (p.unit != NULL) {
      pw_buf_puts(out, ", \"unit\": ");
      pw_buf_json(out, p.unit);
    }
    pw_buf_puts(out, "}");
  }
  pw_buf_puts(out, "}");
}

/* The numbers by which something counted as zero, dependent or seen. */
static void put_scales(pw_buf *out) {
  pw_buf_puts(out, ",\n  \"scales\": {");
  for (int i = 0; i < pw_scale_count(); i++) {
    pw_scale_entry scale = pw_scale_at(i);
    pw_buf_puts(out, i == 0 ? "" : ", ");
    pw_buf_json(out, scale.name);
    put_number(out, ": ", scale.value);
  }
  pw_buf_puts(out, "}");
}

static void put_options(pw_buf *out, const pawl_run *run) {
  const pawl_run_opts *o = &run->opts;
  put_number(out, ",\n  \"options\": {\"from\": ", o->sim.from);
  put_number(out, ", \"to\": ", o->sim.to);
  put_number(out, ", \"tol\": ", o->sim.tol);
  put_number(out, ", \"every\": ", o->every);
  put_choices(out, o);
  if (o->sim.max_step > 0) {
    put_number(out, ", \"step\": ", o->sim.max_step);
  }
  if (o->sim.max_steps > 0) {
    pw_buf_printf(out, ", \"max-steps\": %" PRId64, o->sim.max_steps);
  }
  pw_buf_printf(out, ", \"max-events\": %" PRId64,
                o->sim.max_events > 0 ? o->sim.max_events : PAWL_DEFAULT_EVENTS);
  pw_buf_printf(out, ", \"save\": [\"csv\"%s%s]}", (o->save & PAWL_SAVE_NPZ) ? ", \"npz\"" : "",
                (o->save & PAWL_SAVE_H5) ? ", \"h5\"" : "");
}

/* Intervals of time in which something short may have been missed. */
static void put_unseen(pw_buf *out, const pawl_sim *sim) {
  int n = pawl_sim_unseen_count(sim);
  for (int i = 0; i < n; i++) {
    pawl_unseen u = pawl_sim_unseen(sim, i);
    put_number(out, i == 0 ? ",\n  \"unseen\": [{\"from\": " : ", {\"from\": ", u.from);
    put_number(out, ", \"to\": ", u.to);
    pw_buf_printf(out, ", \"kind\": \"%s\", \"at\": ", u.kind);
    pw_buf_json(out, u.at);
    pw_buf_puts(out, i == n - 1 ? "}]" : "}");
  }
}

static void put_outcome(pw_buf *out, const pawl_run *run) {
  pw_buf_puts(out, ",\n  \"ending\": ");
  pw_buf_json(out, pw_ending_text(run->result.ending));
  if (run->result.ending == PAWL_STOPPED_EARLY) {
    pw_buf_puts(out, ",\n  \"reason\": ");
    pw_buf_json(out, run->reason);
    if (run->error.len > 0) {
      pw_buf_puts(out, ",\n  \"error\": ");
      pw_buf_add(out, run->error.text, run->error.len);
    }
    out->failed = out->failed || run->error.failed;
  }
  put_number(out, ",\n  \"t\": ", run->result.t);
  put_unseen(out, run->sim);
  pw_buf_puts(out, ",\n  \"energy\": ");
  pw_energy_json(out, run);
  pw_buf_puts(out, ",\n  \"conserved\": ");
  pw_conserved_json(out, run);
  pw_buf_puts(out, ",\n  \"certificate\": ");
  pw_certificate_json(out, run, true);
  pw_buf_puts(out, ",\n  \"expect\": ");
  pw_expect_json(out, run);
}

pawl_status pw_write_summary(pawl_run *run, pw_writer *out) {
  uint64_t hash = PW_FNV_START;
  pawl_status status = pawl_system_text(run->sys, into_hash, &hash);
  pw_buf *buf = &out->buf;
  const pawl_sim_stats *stats = &run->result.stats;
  pw_buf_printf(buf, "{\n  \"pawl\": \"%s\",\n  \"model\": ", PAWL_VERSION);
  pw_buf_json(buf, pawl_system_file(run->sys));
  pw_buf_printf(buf, ",\n  \"model_hash\": \"fnv1a-64:%016" PRIx64 "\"", hash);
  put_overrides(buf, run);
  put_parameters(buf, run->sys);
  put_options(buf, run);
  put_outcome(buf, run);

  pw_buf_printf(
      buf,
      ",\n  \"counts\": {\"rows\": %" PRId64 ", \"events\": %" PRId64 ", \"steps\": %" PRId64 ", "
      "\"rejected\": %" PRId64 ", \"evaluations\": %" PRId64 ", \"row_evaluations\": %" PRId64 "}",
      run->result.rows, run->result.events, stats->steps, stats->rejected, stats->evaluations,
      stats->row_evaluations);
  pw_buf_printf(buf, ",\n  \"motion\": {\"segments\": %" PRId64 ", \"left_out\": %" PRId64,
                run->result.segments, run->result.left_out);
  put_number(buf, ", \"whole_until\": ", run->result.whole_until);

  pw_buf_printf(buf, "},\n  \"method\": \"%s\"", pw_method_text(stats->method));
  if (pawl_sim_parts(run->sim) > 1) {
    pw_buf_puts(buf, ",\n  \"parts\": ");
    pw_parts_json(buf, run->sim);
  }
  if (!pawl_method_is_fixed(stats->method)) {
    pw_buf_printf(buf,
                  ",\n  \"steps_with\": {\"dp5\": %" PRId64 ", \"dop853\": %" PRId64
                  ", \"radau\": %" PRId64 "}",
                  stats->steps_dp5, stats->steps_dop853, stats->steps_radau);
  }
  pw_buf_printf(buf, ",\n  \"integrator\": \"%s\"", pw_method_text(stats->method));

  put_scales(buf);
  put_number(buf, ",\n  \"wall_s\": ", run->result.wall);
  pw_buf_puts(buf, "\n}\n");
  return status;
}

pawl_status pw_write_certificate(pawl_run *run, pw_writer *out) {
  pw_certificate_json(&out->buf, run, false);
  pw_buf_puts(&out->buf, "\n");
  return PAWL_OK;
}

pawl_status pw_write_model(pawl_run *run, pw_writer *out) {
  return pawl_system_text(run->sys, out->sink, out->payload);
}
