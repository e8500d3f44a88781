// SPDX-License-Identifier: MIT
/* The result of `pawl equilibria --json`. */
#include "law/law_name.h"
#include "static/equilibria.h"

static void named(pw_buf *out, bool first, const char *name, double value) {
  pw_buf_puts(out, first ? "" : ",");
  pw_buf_json(out, name);
  pw_buf_puts(out, ":");
  pw_buf_json_real(out, value == 0 ? 0 : value); /* no -0 */
}

static void put_item(pw_buf *out, const pawl_equilibria *e, int i) {
  static const char *const words[] = {"undecided", "yes", "no"};
  const pawl_system *sys = e->system;
  pawl_equilibrium x = pawl_equilibrium_get(e, i);
  int nq = pawl_system_positions(sys), nv = pawl_system_velocities(sys);
  bool first = true;
  pw_buf_puts(out, i == 0 ? "{\"state\":{" : ",{\"state\":{");
  for (int k = 0; k < nq; k++) {
    named(out, k == 0, pawl_position_name(sys, k), x.q[k]);
  }
  for (int k = 0; k < nv; k++) {
    named(out, nq + k == 0, pawl_velocity_name(sys, k), x.u[k]);
  }

  pw_buf_puts(out, "},\"force\":{");
  for (int k = 0; k < pawl_system_laws(sys); k++) {
    pawl_law_info law = pawl_law_get(sys, k);
    pw_force_json(out, k == 0, &law, pawl_equilibrium_force(e, i, k) + 0.0); /* no -0 */
  }

  /* the set only where it is more than a point */
  pw_buf_printf(out, "},\"stable\":\"%s\",\"steady\":%s,\"set\":{", words[x.stable],
                x.steady ? "true" : "false");
  for (int k = 0; k < nq; k++) {
    pawl_interval r = pawl_equilibrium_range(e, i, k);
    if (r.lo < r.hi) {
      pw_buf_puts(out, first ? "" : ",");
      pw_buf_json(out, pawl_position_name(sys, k));
      pw_buf_puts(out, ":[");
      pw_buf_json_real(out, r.lo == 0 ? 0 : r.lo);
      pw_buf_puts(out, ",");
      pw_buf_json_real(out, r.hi == 0 ? 0 : r.hi);
      pw_buf_puts(out, "]");
      first = false;
    }
  }
  pw_buf_puts(out, "}}");
}

pawl_status pawl_equilibria_json(const pawl_equilibria *e, pawl_sink sink, void *payload) {
  if (e == NULL || sink == NULL) {
    return PAWL_E_ARGUMENT;
  }
  pw_buf out = {0};
  pw_buf_puts(&out, "{\"model\":");
  pw_buf_json(&out, pawl_system_file(e->system));
  named(&out, false, "t", e->t);
  pw_buf_puts(&out, ",\"equilibria\":[");
  for (int i = 0; i < e->count; i++) {
    put_item(&out, e, i);
  }
  pw_buf_puts(&out, "],\"complete\":false}\n");
  pawl_status status = pw_buf_flush(&out, sink, payload);
  pw_buf_free(&out);
  return status;
}
