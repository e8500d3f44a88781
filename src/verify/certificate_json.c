// SPDX-License-Identifier: MIT
#include <math.h>

#include "base/buf.h"
#include "verify/checker.h"

static void put_number(pw_buf *out, const char *before, double x) {
  pw_buf_puts(out, before);
  if (isnan(x)) {
    pw_buf_puts(out, "null");
  } else {
    pw_buf_json_real(out, x);
  }
}

static void put_finding(pw_buf *out, const pawl_finding *f) {
  pw_buf_puts(out, "{\"principle\":");
  pw_buf_json(out, f->principle);
  pw_buf_puts(out, ",\"law\":");
  pw_buf_json(out, f->law);
  put_number(out, ",\"t\":", f->t);
  put_number(out, ",\"value\":", f->value);
  put_number(out, ",\"tolerance\":", f->tolerance);
  pw_buf_puts(out, "}");
}

static void put_findings(pw_buf *out, const pawl_certifier *c) {
  bool first = true;
  pw_buf_puts(out, ",\"residuals\":{");
  for (int i = 0; i < PW_FINDINGS; i++) {
    pawl_finding f = pawl_certify_finding(c, i);
    if (!isnan(f.t)) {
      pw_buf_puts(out, first ? "" : ",");
      pw_buf_json(out, f.principle);
      put_number(out, ":", f.value);
      first = false;
    }
  }
  pw_buf_puts(out, "}");
}

static void put_corners(pw_buf *out, const pawl_certifier *c) {
  long n = c->n_corner < PW_CORNERS_KEPT ? c->n_corner : PW_CORNERS_KEPT;
  pw_buf_printf(out, ",\"corner_count\":%ld,\"corners\":[", c->n_corner);
  for (long i = 0; i < n; i++) {
    const pw_corner *k = &c->corner[i];
    put_number(out, i == 0 ? "{\"t\":" : ",{\"t\":", k->t);
    pw_buf_puts(out, ",\"law\":");
    pw_buf_json(out, k->law < 0 ? "" : c->sys->model->rows.items[k->law].name);
    put_number(out, ",\"impulse\":", k->impulse);
    put_number(out, ",\"restitution\":", k->restitution);
    put_number(out, ",\"loss\":", k->loss);
    pw_buf_puts(out, "}");
  }
  pw_buf_puts(out, "]");
}

pawl_status pawl_certify_json(const pawl_certifier *c, int brief, pawl_sink sink, void *payload) {
  if (c == NULL || sink == NULL) {
    return PAWL_E_ARGUMENT;
  }
  pw_buf out = {0};
  pawl_certificate k = pawl_certify_get(c);
  bool holds = k.verdict == PAWL_STRONG || k.verdict == PAWL_WEAK;
  pw_buf_printf(&out, "{\"ok\":%s,\"verdict\":\"%s\",\"subclass\":\"%s\",\"sentence\":",
                holds                            ? "true"
                : k.verdict == PAWL_NOT_A_MOTION ? "false"
                                                 : "null",
                pawl_verdict_text(k.verdict), k.subclass);
  pw_buf_json(&out, k.sentence);
  if (k.verdict != PAWL_NOT_CHECKED) {
    pw_buf_puts(&out, ",\"worst\":");
    put_finding(&out, &k.worst);
  }
  put_findings(&out, c);
  pw_buf_printf(&out, ",\"rows\":%ld,\"instants\":%ld,\"undecided\":%ld", k.rows, k.instants,
                k.undecided);
  if (!brief && k.verdict != PAWL_NOT_CHECKED) {
    put_corners(&out, c);
  }
  pw_buf_puts(&out, "}");
  pawl_status status = pw_buf_flush(&out, sink, payload);
  pw_buf_free(&out);
  return status;
}
