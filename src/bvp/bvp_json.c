// SPDX-License-Identifier: MIT
/* The result of `pawl bvp --json`. */
#include <inttypes.h>
#include <math.h>

#include "base/buf.h"
#include "bvp/bvp.h"

static void state(pw_buf *out, const pawl_bvp *bvp, const double *q, const double *u) {
  const pawl_system *sys = bvp->system;
  pw_buf_puts(out, "{");
  for (int i = 0; i < pawl_system_positions(sys); i++) {
    pw_buf_puts(out, i == 0 ? "" : ",");
    pw_buf_json(out, pawl_position_name(sys, i));
    pw_buf_puts(out, ":");
    pw_buf_json_real(out, q[i] == 0 ? 0 : q[i]);
  }
  for (int i = 0; i < pawl_system_velocities(sys); i++) {
    pw_buf_puts(out, ",");
    pw_buf_json(out, pawl_velocity_name(sys, i));
    pw_buf_puts(out, ":");
    pw_buf_json_real(out, u[i] == 0 ? 0 : u[i]);
  }
  for (int k = 0; k < pawl_bvp_multipliers(bvp); k++) {
    pw_buf_printf(out, ",\"force(%s)\":", pawl_bvp_multiplier(bvp, k));
    pw_buf_json_real(out, q[pawl_system_positions(sys) + k]);
  }
  pw_buf_puts(out, "}");
}

static void names(pw_buf *out, const char *key, const char *const *name, int n) {
  pw_buf_printf(out, ",\"%s\":[", key);
  for (int i = 0; i < n; i++) {
    pw_buf_puts(out, i == 0 ? "" : ",");
    pw_buf_json(out, name[i]);
  }
  pw_buf_puts(out, "]");
}

static void segments(pw_buf *out, const pawl_bvp_solution *s) {
  pw_buf_puts(out, ",\"segments\":[");
  for (int i = 0; i < s->n_segment; i++) {
    pw_buf_puts(out, i == 0 ? "{\"law\":" : ",{\"law\":");
    pw_buf_json(out, s->segments[i].law);
    pw_buf_puts(out, ",\"from\":");
    pw_buf_json_real(out, s->segments[i].from);
    pw_buf_puts(out, ",\"to\":");
    pw_buf_json_real(out, s->segments[i].to);
    pw_buf_puts(out, "}");
  }
  pw_buf_printf(out, "],\"family\":%d", s->family);
}

static void number(pw_buf *out, const char *key, double x) {
  pw_buf_printf(out, ",\"%s\":", key);
  if (isnan(x)) {
    pw_buf_puts(out, "null");
  } else {
    pw_buf_json_real(out, x);
  }
}

static void direct(pw_buf *out, const pawl_bvp_direct *d) {
  number(out, "defect", d->defect);
  pw_buf_printf(out, ",\"direct\":{\"solved\":%s,\"agrees\":%s", d->solved ? "true" : "false",
                !d->solved  ? "null"
                : d->agrees ? "true"
                            : "false");
  number(out, "defect", d->defect);
  number(out, "error", d->error);
  number(out, "action", d->action);
  pw_buf_printf(out, ",\"order\":%d,\"elements\":%d,\"why\":", d->order, d->elements);
  pw_buf_json(out, d->why);
  pw_buf_puts(out, "}");
}

static void levels(pw_buf *out, const pawl_bvp_solution *s) {
  pw_buf_puts(out, ",\"convergence\":[");
  for (int i = 0; i < s->n_level; i++) {
    const pawl_bvp_level *l = &s->levels[i];
    pw_buf_printf(out, "%s{\"elements\":%d,\"degree\":%d", i == 0 ? "" : ",", l->elements,
                  l->degree);
    number(out, "error", l->error);
    number(out, "order", l->order);
    number(out, "action", l->action);
    pw_buf_puts(out, ",\"why\":");
    pw_buf_json(out, l->why);
    pw_buf_puts(out, "}");
  }
  pw_buf_puts(out, "]");
}

static void solution(pw_buf *out, const pawl_bvp *bvp, const pw_solution *x) {
  const pawl_bvp_solution *s = &x->show;
  pw_buf_printf(out, "{\"bounces\":%d", s->bounces);
  if (bvp->opts.free_time) {
    number(out, "to", s->to);
  }

  /* The impacts in order, and the flights between them. */
  names(out, "labels", s->labels, s->bounces);
  pw_buf_puts(out, ",\"times\":[");
  for (int i = 0; i < s->bounces; i++) {
    pw_buf_puts(out, i == 0 ? "" : ",");
    pw_buf_json_real(out, s->times[i]);
  }
  pw_buf_puts(out, "]");
  segments(out, s);

  /* Both ends, the action between them, and by how much the end is missed. */
  pw_buf_puts(out, ",\"start\":");
  state(out, bvp, s->q_start, s->u_start);
  pw_buf_puts(out, ",\"end\":");
  state(out, bvp, s->q_end, s->u_end);
  pw_buf_puts(out, ",\"action\":");
  pw_buf_json_real(out, s->action);
  pw_buf_puts(out, ",\"miss\":");
  pw_buf_json_real(out, s->miss);

  /* The direct solution of the same path, and the convergence of its meshes. */
  direct(out, &s->direct);
  if (s->n_level > 0) {
    levels(out, s);
  }

  /* A solution without a certificate is marked. */
  pw_buf_puts(out, ",\"certificate\":");
  if (x->certificate != NULL) {
    pw_buf_puts(out, x->certificate);
  } else {
    pw_buf_puts(out, "{\"ok\":null,\"verdict\":\"NOT CHECKED\",\"subclass\":\"\"}");
  }
  pw_buf_puts(out, "}");
}

pawl_status pawl_bvp_json(const pawl_bvp *bvp, pawl_sink sink, void *payload) {
  if (bvp == NULL || sink == NULL) {
    return PAWL_E_ARGUMENT;
  }
  pw_buf out = {0};
  pw_buf_puts(&out, "{\"solutions\":[");
  for (int i = 0; i < bvp->n; i++) {
    pw_buf_puts(&out, i == 0 ? "" : ",");
    solution(&out, bvp, &bvp->items[i]);
  }
  pw_buf_printf(&out, "],\"complete\":%s,\"freedom\":%d,\"trials\":%" PRId64 "}\n",
                pawl_bvp_complete(bvp) ? "true" : "false", bvp->freedom, pawl_bvp_trials(bvp));
  pawl_status status = pw_buf_flush(&out, sink, payload);
  pw_buf_free(&out);
  return status;
}
