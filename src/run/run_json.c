// SPDX-License-Identifier: MIT
/* The result of a run as one JSON object, and the parts of it that summary.json shares. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law/law_name.h"
#include "pawl/variations.h"
#include "run/run.h"
#include "tangent/gradient.h"

const char *pw_ending_text(pawl_ending ending) {
  switch (ending) {
  case PAWL_ENDED: return "end";
  case PAWL_ENDED_BY_EVENT: return "stop event";
  case PAWL_STOPPED_EARLY: return "stopped early";
  case PAWL_INTERRUPTED: return "interrupted";
  case PAWL_NOT_ENDED: break;
  }
  return "not ended";
}

const char *pw_method_text(pawl_method method) {
  return pawl_method_name(method);
}

/* `"name":value`, after a comma unless it is the first. */
static void put_member(pw_buf *out, bool first, const char *name, double value) {
  pw_buf_puts(out, first ? "" : ",");
  pw_buf_json(out, name);
  pw_buf_puts(out, ":");
  pw_buf_json_real(out, value);
}

static void put_works(pw_buf *out, const pawl_run *run, int lost) {
  bool first = true;
  pw_buf_puts(out, "{");
  for (int i = 0; i < pawl_system_works(run->sys); i++) {
    pawl_work_info work = pawl_work_get(run->sys, i);
    if (work.lost == lost) {
      put_member(out, first, work.name, run->works[i]);
      first = false;
    }
  }
  pw_buf_puts(out, "}");
}

void pw_energy_json(pw_buf *out, const pawl_run *run) {
  const pawl_energy *e = &run->result.energy;
  pw_buf_puts(out, "{");
  put_member(out, true, "start", e->start);
  put_member(out, false, "end", e->kinetic + e->potential);
  pw_buf_puts(out, ",\"lost\":");
  put_works(out, run, 1);
  pw_buf_puts(out, ",\"work\":");
  put_works(out, run, 0);
  put_member(out, false, "unexplained", e->unexplained);
  put_member(out, false, "scale", e->scale);
  put_member(out, false, "action", e->action);
  pw_buf_puts(out, "}");
}

/* Quantities that Noether's theorem keeps: at the start and now. */
void pw_conserved_json(pw_buf *out, const pawl_run *run) {
  pawl_symmetries *s = NULL;
  pawl_point p;
  const double *q = pawl_start_positions(run->sys), *u = pawl_start_velocities(run->sys);
  double t = pawl_start_time(run->sys);
  pw_buf_puts(out, "[");
  bool known = q != NULL && pawl_sim_point(run->sim, PAWL_AFTER, &p) == PAWL_OK;
  out->failed = out->failed || (known && pawl_symmetries_new(run->sys, &s) == PAWL_E_MEMORY);
  for (int i = 0; i < pawl_symmetries_count(s); i++) {
    pw_buf_puts(out, i == 0 ? "{\"quantity\":" : ",{\"quantity\":");
    pw_buf_json(out, pawl_symmetry_text(s, i));
    put_member(out, false, "start", pawl_symmetry_value(s, i, t, q, u));
    put_member(out, false, "end", pawl_symmetry_value(s, i, p.t, p.q, p.u));
    pw_buf_puts(out, "}");
  }
  pw_buf_puts(out, "]");
  pawl_symmetries_free(s);
}

void pw_expect_json(pw_buf *out, const pawl_run *run) {
  pw_buf_puts(out, "[");
  for (int i = 0; i < run->n_expect; i++) {
    pawl_expectation_info info = pawl_expectation_get(run->sys, i);
    pawl_outcome o = pawl_run_outcome(run, i);
    pw_buf_puts(out, i == 0 ? "{\"text\":" : ",{\"text\":");
    pw_buf_json(out, info.text);
    pw_buf_printf(out, ",\"line\":%d,\"ok\":%s", info.line, o.ok ? "true" : "false");
    if (o.reached) {
      put_member(out, false, "t", o.t);
      put_member(out, false, "value", o.value);
      put_member(out, false, "wanted", o.wanted);
    }
    put_member(out, false, "tol", o.tol);
    if (!o.ok) {
      pw_buf_puts(out, ",\"reason\":");
      pw_buf_json(out, o.reason);
    }
    pw_buf_puts(out, "}");
  }
  pw_buf_puts(out, "]");
}

static void put_point(pw_buf *out, const pawl_run *run, const pawl_point *p) {
  const pawl_system *sys = run->sys;
  pw_buf_puts(out, ",\"state\":{");
  for (int i = 0; i < run->nq; i++) {
    put_member(out, i == 0, pawl_position_name(sys, i), p->q[i]);
  }
  for (int i = 0; i < run->nv; i++) {
    put_member(out, run->nq + i == 0, pawl_velocity_name(sys, i), p->u[i]);
  }
  pw_buf_puts(out, "},\"force\":{");
  for (int i = 0; i < run->n_law; i++) {
    pawl_law_info law = pawl_law_get(sys, i);
    pw_force_json(out, i == 0, &law, p->force[i]);
  }
  pw_buf_puts(out, "},\"output\":{");
  for (int i = 0; i < run->n_out; i++) {
    put_member(out, i == 0, pawl_output_name(sys, i), p->output[i]);
  }
  pw_buf_puts(out, "}");
}

static void put_unit(pw_buf *out, bool *first, const char *name, const char *unit) {
  if (unit != NULL) {
    pw_buf_puts(out, *first ? "" : ",");
    pw_buf_json(out, name);
    pw_buf_puts(out, ":");
    pw_buf_json(out, unit);
    *first = false;
  }
}

/* SI units of the numbers of a point, where the model states them. */
static void put_units(pw_buf *out, const pawl_run *run) {
  const pawl_system *sys = run->sys;
  bool first = true;
  pw_buf_puts(out, ",\"units\":{");
  for (int i = 0; i < run->nq; i++) {
    put_unit(out, &first, pawl_position_name(sys, i), pawl_position_unit(sys, i));
  }
  for (int i = 0; i < run->nv; i++) {
    put_unit(out, &first, pawl_velocity_name(sys, i), pawl_velocity_unit(sys, i));
  }
  for (int i = 0; i < run->n_out; i++) {
    put_unit(out, &first, pawl_output_name(sys, i), pawl_output_unit(sys, i));
  }
  pw_buf_puts(out, "}");
}

/* Laws whose force is not unique at the end; the smallest one is given. */
static void put_ambiguous(pw_buf *out, const pawl_run *run) {
  bool first = true, told = false;
  for (int i = 0; i < run->n_law; i++) {
    pawl_law_info law = pawl_law_get(run->sys, i);
    told = law.component > 1 && told;
    if (!pawl_sim_force_unique(run->sim, i) && !told) {
      pw_buf_puts(out, first ? ",\"force_not_unique\":[" : ",");
      pw_buf_json(out, law.law);
      told = true;
      first = false;
    }
  }
  pw_buf_puts(out, first ? "" : "]");
}

typedef struct event_list { /* lines of JSON on their way to a list */
  const pawl_run *run;
  pw_writer *out;
  bool inside; /* of a line */
  int event;   /* number of the line */
} event_list;

/* The lines of a text with commas between; derivatives are put first in each. */
static void put_list(event_list *list, const char *bytes, size_t count) {
  pw_writer *out = list->out;
  for (size_t i = 0; i < count; i++) {
    if (bytes[i] == '\n') {
      pw_buf_add(&out->buf, ",\n", 2);
      list->inside = false;
    } else if (!list->inside) {
      pw_buf_add(&out->buf, bytes + i, 1);
      list->inside = true;
      if (list->event < pawl_gradient_events(list->run->gradient)) {
        pw_gradient_event_json(&out->buf, list->run->gradient, list->event);
        pw_buf_puts(&out->buf, ",");
      }
      list->event++;
    } else {
      const char *end = memchr(bytes + i, '\n', count - i);
      size_t n = end == NULL ? count - i : (size_t)(end - bytes) - i;
      pw_buf_add(&out->buf, bytes + i, n);
      i += n - 1;
    }
  }
}

/* Of a run with a folder the list is in events.jsonl; the last line end is no comma. */
static pawl_status put_event_list(const pawl_run *run, pw_writer *out) {
  const pw_buf *kept = &run->event_lines;
  event_list list = {.run = run, .out = out};
  if (!run->result.saved) {
    put_list(&list, kept->text, kept->len == 0 ? 0 : kept->len - 1);
    return kept->failed ? PAWL_E_MEMORY : PAWL_OK;
  }
  char *path = pw_folder_path(run->dir, false, "events.jsonl");
  FILE *file = path == NULL ? NULL : fopen(path, "rb");
  free(path);
  if (file == NULL) {
    return PAWL_E_FILE;
  }
  char chunk[1 << 14];
  size_t n, held = 0; /* a line end held back */
  pawl_status status = PAWL_OK;
  while (status == PAWL_OK && (n = fread(chunk, 1, sizeof chunk, file)) > 0) {
    put_list(&list, "\n", held);
    held = chunk[n - 1] == '\n';
    put_list(&list, chunk, n - held);
    status = pw_writer_check(out);
  }
  fclose(file);
  return status;
}

static void put_head(pw_buf *out, const pawl_run *run) {
  pw_buf_puts(out, "{\"model\":");
  pw_buf_json(out, pawl_system_file(run->sys));
  pw_buf_puts(out, ",\"ending\":");
  pw_buf_json(out, pw_ending_text(run->result.ending));
  if (run->result.ending == PAWL_STOPPED_EARLY) {
    pw_buf_puts(out, ",\"reason\":");
    pw_buf_json(out, run->reason);
  }
  put_member(out, false, "t", run->result.t);
}

void pw_parts_json(pw_buf *out, const pawl_sim *sim) {
  int n = pawl_sim_parts(sim);
  pw_buf_printf(out, "{\"count\":%d,\"list\":[", n);
  for (int i = 0; i < n && i < PAWL_PARTS_KEPT; i++) {
    pawl_part part = pawl_sim_part(sim, i);
    pw_buf_printf(out, "%s{\"method\":\"%s\"", i == 0 ? "" : ",", pw_method_text(part.method));
    put_member(out, false, "from", part.from);
    put_member(out, false, "to", part.to);
    pw_buf_puts(out, "}");
  }
  pw_buf_puts(out, "]}");
}

static void put_branch(pw_buf *out, const pawl_run *run, int i, int b) {
  pawl_branch branch = pawl_sim_branch(run->sim, i, b);
  const char *comma = "";
  pw_buf_puts(out, "{\"modes\":{");
  for (int k = 0; k < run->n_law; k++) {
    const char *mode = pawl_sim_branch_mode(run->sim, i, b, k);
    pawl_law_info law = pawl_law_get(run->sys, k);
    if (mode != NULL && law.component == 1) {
      pw_buf_puts(out, comma);
      pw_buf_json(out, law.law);
      pw_buf_printf(out, ":\"%s\"", mode);
      comma = ",";
    }
  }
  pw_buf_puts(out, "},\"accelerations\":{");
  for (int k = 0; k < run->nv; k++) {
    char name[256];
    snprintf(name, sizeof name, "%s'", pawl_velocity_name(run->sys, k));
    put_member(out, k == 0, name, branch.a[k]);
  }
  pw_buf_puts(out, "},\"force\":{");
  for (int k = 0; k < run->n_law; k++) {
    pawl_law_info law = pawl_law_get(run->sys, k);
    pw_force_json(out, k == 0, &law, branch.force[k]);
  }
  pw_buf_puts(out, "}}");
}

/* Instants with several motions; nothing without any. */
static void put_paradoxes(pw_buf *out, const pawl_run *run) {
  int n = pawl_sim_paradoxes(run->sim);
  for (int i = 0; i < n; i++) {
    pawl_several p = pawl_sim_paradox(run->sim, i);
    pw_buf_puts(out, i == 0 ? ",\"paradox\":[{\"t\":" : ",{\"t\":");
    pw_buf_json_real(out, p.t);
    pw_buf_puts(out, ",\"at\":");
    pw_buf_json(out, p.at);
    pw_buf_printf(out, ",\"complete\":%s,\"chosen\":", p.complete ? "true" : "false");
    pw_buf_printf(out,
                  p.chosen == PAWL_CHOSEN_IMPACT ? "\"impact\""
                  : p.chosen < 0                 ? "null"
                                                 : "%d",
                  p.chosen);
    pw_buf_puts(out, ",\"branches\":[");
    for (int b = 0; b < p.branches; b++) {
      pw_buf_puts(out, b == 0 ? "" : ",");
      put_branch(out, run, i, b);
    }
    pw_buf_puts(out, "]}");
  }
  pw_buf_puts(out, n > 0 ? "]" : "");
}

static pawl_status put_result(const pawl_run *run, const pawl_diags *diags, pw_writer *out) {
  pw_buf *buf = &out->buf;
  pawl_point p;
  pawl_status status = pawl_sim_point(run->sim, PAWL_AFTER, &p);
  if (status != PAWL_OK) {
    return status;
  }

  /* the state */
  put_head(buf, run);
  put_point(buf, run, &p);
  put_units(buf, run);
  put_ambiguous(buf, run);
  pw_buf_puts(buf, ",\"energy\":");
  pw_energy_json(buf, run);
  pw_buf_puts(buf, ",\"conserved\":");
  pw_conserved_json(buf, run);

  /* what happened on the way */
  pw_buf_printf(buf, ",\"events\":{\"count\":%" PRId64 ",\"list\":[", run->result.events);
  status = put_event_list(run, out);
  pw_buf_puts(buf, "]}");
  put_paradoxes(buf, run);
  if (run->gradient != NULL) {
    pw_buf_puts(buf, ",");
    pw_gradient_json(buf, run->gradient);
  }

  /* how it was judged, and what it cost */
  pw_buf_puts(buf, ",\"certificate\":");
  pw_certificate_json(buf, run, true);
  pw_buf_puts(buf, ",\"expect\":");
  pw_expect_json(buf, run);
  pw_buf_printf(buf, ",\"rows\":%" PRId64 ",\"steps\":%" PRId64 ",\"evaluations\":%" PRId64,
                run->result.rows, run->result.stats.steps, run->result.stats.evaluations);
  if (pawl_sim_parts(run->sim) > 1) {
    pw_buf_puts(buf, ",\"parts\":");
    pw_parts_json(buf, run->sim);
  }
  if (run->dir != NULL) {
    pw_buf_puts(buf, ",\"dir\":");
    pw_buf_json(buf, run->dir);
  }
  pw_buf_puts(buf, ",\"warnings\":");
  pw_diags_json(buf, diags, PAWL_WARNING);
  pw_buf_puts(buf, ",\"errors\":");
  pw_diags_json(buf, diags, PAWL_ERROR);
  put_member(buf, false, "wall_s", run->result.wall);
  pw_buf_puts(buf, "}\n");
  return status;
}

pawl_status pawl_run_json(const pawl_run *run, const pawl_diags *diags, pawl_sink sink,
                          void *payload) {
  if (run == NULL || run->result.ending == PAWL_NOT_ENDED || sink == NULL) {
    return PAWL_E_ARGUMENT;
  }
  pw_writer out = {.sink = sink, .payload = payload};
  pawl_status status = put_result(run, diags, &out);
  if (status == PAWL_OK) {
    status = pw_buf_flush(&out.buf, sink, payload);
  }
  pw_buf_free(&out.buf);
  return status;
}
