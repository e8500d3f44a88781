// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <math.h>
#include <stdint.h>

#include "base/buf.h"
#include "verify/checker.h"
#include "verify/which_principle.h"

static void put_finding(pw_buf *out, const pawl_finding *f, pw_rule rule) {
  pw_buf_puts(out, "{\"principle\":");
  pw_buf_json(out, f->principle);
  pw_buf_puts(out, ",\"law\":");
  pw_buf_json(out, f->law);
  pw_buf_json_or_null(out, ",\"t\":", f->t);
  pw_buf_json_or_null(out, ",\"value\":", f->value);
  pw_buf_json_or_null(out, ",\"tolerance\":", f->tolerance);
  pw_buf_printf(out, ",\"rule\":\"%s\"}", pw_rule_name(rule));
}

static void put_findings(pw_buf *out, const pawl_certifier *c) {
  bool first = true;
  pw_buf_puts(out, ",\"residuals\":{");
  for (int i = 0; i < PW_FINDINGS; i++) {
    pawl_finding f = pawl_certify_finding(c, i);
    if (!isnan(f.t)) {
      pw_buf_puts(out, first ? "" : ",");
      pw_buf_json(out, f.principle);
      pw_buf_json_or_null(out, ":", f.value);
      first = false;
    }
  }
  pw_buf_puts(out, "}");
}

/* How often each rule decided, when first, and the largest value. */
static void put_reasons(pw_buf *out, const pw_record *r) {
  bool first = true;
  pw_buf_puts(out, ",\"reasons\":[");
  for (int i = 0; i < PW_RULES; i++) {
    const pw_reason *reason = &r->reason[i];
    if (reason->count > 0) {
      pw_buf_printf(out, "%s{\"rule\":\"%s\",\"count\":%" PRId64, first ? "" : ",",
                    pw_rule_name((pw_rule)i), reason->count);
      pw_buf_json_or_null(out, ",\"t\":", reason->t);
      pw_buf_json_or_null(out, ",\"value\":", reason->value);
      pw_buf_puts(out, "}");
      first = false;
    }
  }
  pw_buf_puts(out, "]");
}

/* Part of the time in which an error would have shown. */
static double coverage(const pw_coverage *k) {
  double all = k->seen_time + k->blind_time + k->gap_time;
  return all > 0 ? k->seen_time / all : NAN;
}

static void put_corners(pw_buf *out, const pawl_certifier *c) {
  int64_t n = c->jumps.n_corner < PW_CORNERS_KEPT ? c->jumps.n_corner : PW_CORNERS_KEPT;
  pw_buf_printf(out, ",\"corner_count\":%" PRId64 ",\"corners\":[", c->jumps.n_corner);
  for (int64_t i = 0; i < n; i++) {
    const pw_verify_jump_record *k = &c->jumps.corner[i];
    pw_buf_json_or_null(out, i == 0 ? "{\"t\":" : ",{\"t\":", k->t);
    pw_buf_puts(out, ",\"law\":");
    pw_buf_json(out, k->law < 0 ? "" : c->sys->model->rows.items[k->law].name);
    pw_buf_json_or_null(out, ",\"impulse\":", k->impulse);
    pw_buf_json_or_null(out, ",\"restitution\":", k->restitution);
    pw_buf_json_or_null(out, ",\"loss\":", k->loss);
    pw_buf_puts(out, "}");
  }
  pw_buf_puts(out, "]");
}

static void put_variation(pw_buf *out, const pawl_certifier *c, int i) {
  pawl_variation x = pawl_vary_get(c->vary, i);
  const pw_bump *b = &c->family.bump[i];
  char along[400];
  pawl_certify_along(c, i, along, sizeof along);
  pw_buf_printf(out, "{\"kind\":\"%s\",\"along\":", x.kind == PAWL_VARY_STRONG ? "strong" : "weak");
  pw_buf_json(out, along);
  pw_buf_json_or_null(out, ",\"from\":", b->from);
  pw_buf_json_or_null(out, ",\"to\":", b->from + 4 * b->step);
  pw_buf_json_or_null(out, ",\"slope\":", x.slope);
  pw_buf_json_or_null(out, ",\"formula\":", x.formula);
  pw_buf_json_or_null(out, ",\"weak\":", x.weak);
  if (c->sys->n_state > 0) {
    pw_buf_json_or_null(out, ",\"held\":", x.held);
  }
  pw_buf_json_or_null(out, ",\"parts\":", x.parts);
  pw_buf_json_or_null(out, ",\"size\":", x.size);
  pw_buf_printf(out, ",\"plus\":%s,\"minus\":%s}", (x.admissible & 1) != 0 ? "true" : "false",
                (x.admissible & 2) != 0 ? "true" : "false");
}

static void put_worst(pw_buf *out, const pawl_certifier *c, const char *key, int strong) {
  pawl_worst w = pawl_vary_worst(c->vary, strong);
  pw_buf_printf(out, ",\"%s\":", key);
  if (w.which < 0) {
    pw_buf_puts(out, "null");
    return;
  }
  char along[400];
  pawl_certify_along(c, w.which, along, sizeof along);
  pw_buf_puts(out, "{\"along\":");
  pw_buf_json(out, along);
  pw_buf_printf(out, ",\"sign\":%d", w.sign);
  pw_buf_json_or_null(out, ",\"from\":", c->family.bump[w.which].from);
  pw_buf_json_or_null(out,
                      ",\"to\":", c->family.bump[w.which].from + 4 * c->family.bump[w.which].step);
  pw_buf_json_or_null(out, ",\"t\":", w.t);
  pw_buf_json_or_null(out, ",\"value\":", w.value);
  pw_buf_puts(out, "}");
}

static void put_direction(pw_buf *out, const pawl_certifier *c) {
  double t;
  const double *way = pawl_certify_direction(c, &t);
  if (way != NULL) {
    char name[200];
    pw_buf_json_or_null(out, ",\"direction\":{\"t\":", t);
    for (int i = 0; i < c->sys->nv; i++) {
      pw_certify_name(c->sys->model, i, name, sizeof name);
      pw_buf_puts(out, i == 0 ? ",\"w\":{" : ",");
      pw_buf_json(out, name);
      pw_buf_json_or_null(out, ":", way[i]);
    }
    pw_buf_puts(out, "}}");
  }
}

static void put_variations(pw_buf *out, const pawl_certifier *c) {
  pw_buf_json_or_null(out, ",\"action\":", pawl_vary_action(c->vary));
  pw_buf_json_or_null(out, ",\"least_variation\":", pawl_vary_worst(c->vary, 0).value);
  put_worst(out, c, "worst_variation", 0);
  put_worst(out, c, "worst_time_shift", 1);
  pw_buf_puts(out, ",\"variations\":[");
  for (int i = 0; i < pawl_vary_count(c->vary); i++) {
    pw_buf_puts(out, i == 0 ? "" : ",");
    put_variation(out, c, i);
  }
  pw_buf_puts(out, "]");
}

pawl_status pawl_certify_json(const pawl_certifier *c, int brief, pawl_sink sink, void *payload) {
  if (c == NULL || sink == NULL) {
    return PAWL_E_ARGUMENT;
  }
  pw_buf out = {0};
  pawl_certificate k = pawl_certify_get(c);

  /* The verdict in one word and in one sentence. */
  bool holds = k.verdict == PAWL_STRONG || k.verdict == PAWL_WEAK;
  pw_buf_printf(&out, "{\"ok\":%s,\"verdict\":\"%s\",\"subclass\":\"%s\",\"sentence\":",
                holds                            ? "true"
                : k.verdict == PAWL_NOT_A_MOTION ? "false"
                                                 : "null",
                pawl_verdict_text(k.verdict), k.subclass);
  pw_buf_json(&out, k.sentence);

  /* What was worst, and whether a motion keeps, loses or gains energy. */
  if (k.verdict != PAWL_NOT_CHECKED) {
    pw_buf_puts(&out, ",\"worst\":");
    put_finding(&out, &k.worst, pw_worst_rule(c));
    put_direction(&out, c);
  }
  if (holds) {
    pw_buf_puts(&out, ",\"balance\":");
    pw_buf_json(&out, k.balance);
  }

  /* Findings by kind, how much was seen, what fixed steps may miss, and advice. */
  put_findings(&out, c);
  pw_buf_printf(&out, ",\"rows\":%" PRId64 ",\"instants\":%" PRId64 ",\"undecided\":%" PRId64,
                k.rows, k.instants, k.undecided);
  pw_buf_json_or_null(&out, ",\"coverage\":", coverage(&c->count));
  if (k.order > 0) {
    pw_buf_printf(&out, ",\"order\":%d", k.order);
    pw_buf_json_or_null(&out, ",\"step\":", k.step);
    pw_buf_json_or_null(&out, ",\"step_tolerance\":", k.slack);
  }
  if (c->opts.tables != NULL) {
    pw_buf_puts(&out, ",\"tables\":");
    pw_buf_json(&out, c->opts.tables);
  }
  if (k.verdict == PAWL_UNDECIDED) {
    pw_buf_puts(&out, ",\"advice\":");
    pw_buf_json(&out, c->result.advice);
  }

  /* The long form: which rules decided, the principles, the corners, the variations. */
  if (!brief && k.verdict != PAWL_NOT_CHECKED) {
    put_reasons(&out, &c->record);
    pw_principles_json(&out, c);
    put_corners(&out, c);
    if (c->vary != NULL) {
      put_variations(&out, c);
    }
  }
  pw_buf_puts(&out, "}");
  pawl_status status = pw_buf_flush(&out, sink, payload);
  pw_buf_free(&out);
  return status;
}
