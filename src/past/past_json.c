// SPDX-License-Identifier: MIT
/* Access to a tree of pasts, and the whole tree as JSON. */
#include <math.h>

#include "past/tree.h"

int pawl_past_count(const pawl_past *p) {
  return p == NULL ? 0 : p->n;
}

pawl_past_info pawl_past_get(const pawl_past *p, int i) {
  if (p == NULL || i < 0 || i >= p->n) {
    return (pawl_past_info){.parent = -1, .t = NAN, .since = NAN, .law = "", .how = ""};
  }
  const pw_past_node *node = &p->node[i];
  pawl_past_info out = node->info;
  int nv = p->sys->nv, nq = p->sys->nq;
  out.law = node->law;
  out.acceleration = out.impact ? NULL : node->numbers;
  out.u = node->numbers + nv;
  out.q_since = out.followed ? node->numbers + 2 * nv : NULL;
  out.u_since = out.followed ? node->numbers + 2 * nv + nq : NULL;
  return out;
}

int pawl_past_complete(const pawl_past *p) {
  return p != NULL && p->complete;
}

const char *pawl_past_why(const pawl_past *p) {
  return p == NULL ? "" : p->why;
}

static void put_numbers(pw_buf *out, const pawl_past *p, const double *x, const char *mark) {
  pw_buf_puts(out, "{");
  for (int i = 0; i < p->sys->nv; i++) {
    pw_buf name = {0};
    pw_buf_printf(&name, "%s%s", pawl_velocity_name(p->system, i), mark);
    pw_buf_puts(out, i == 0 ? "" : ",");
    pw_buf_json(out, name.failed ? "" : name.text);
    pw_buf_json_or_null(out, ":", x[i]);
    out->failed = out->failed || name.failed;
    pw_buf_free(&name);
  }
  pw_buf_puts(out, "}");
}

static void put_state(pw_buf *out, const pawl_past *p, const pawl_past_info *x) {
  pw_buf_puts(out, ",\"state\":{");
  for (int i = 0; i < p->system->model->nq; i++) {
    pw_buf_puts(out, i == 0 ? "" : ",");
    pw_buf_json(out, pawl_position_name(p->system, i));
    pw_buf_json_or_null(out, ":", x->q_since[i]);
  }
  for (int i = 0; i < p->sys->nv; i++) {
    pw_buf_puts(out, ",");
    pw_buf_json(out, pawl_velocity_name(p->system, i));
    pw_buf_json_or_null(out, ":", x->u_since[i]);
  }
  pw_buf_puts(out, "}");
}

static void put_pasts(pw_buf *out, const pawl_past *p, int parent);

static void put_past(pw_buf *out, const pawl_past *p, int i) {
  pawl_past_info x = pawl_past_get(p, i);
  const double *impulse = p->node[i].numbers + 3 * p->sys->nv + p->sys->nq;
  pw_buf_json_or_null(out, "{\"t\":", x.t);

  /* Before an impact: velocities and impulses; else the acceleration that led here. */
  if (x.impact) {
    pw_buf_puts(out, ",\"impact\":{\"before\":");
    put_numbers(out, p, x.u, "");
    pw_buf_puts(out, ",\"impulse\":{");
    for (int k = 0, any = 0; k < p->sys->ni; k++) {
      if (impulse[k] != 0) {
        pw_buf_puts(out, any++ == 0 ? "" : ",");
        pw_buf_json(out, pw_past_law_name(p, k));
        pw_buf_json_or_null(out, ":", impulse[k]);
      }
    }
    pw_buf_puts(out, "}}");
  } else {
    pw_buf_puts(out, ",\"acceleration\":");
    put_numbers(out, p, x.acceleration, "'");
  }

  /* The laws that change there, and how the first of them does. */
  pw_buf_puts(out, ",\"law\":");
  pw_buf_json(out, x.law);
  pw_buf_puts(out, ",\"how\":");
  pw_buf_json(out, x.how);

  /* A smooth past that was followed back: since when, whether it ends there, and its state. */
  if (x.followed && !x.impact) {
    pw_buf_json_or_null(out, ",\"since\":", x.since);
    pw_buf_printf(out, ",\"ends\":%s", x.ends ? "true" : "false");
    put_state(out, p, &x);
  }

  /* Possible pasts of that. */
  pw_buf_puts(out, ",\"pasts\":");
  put_pasts(out, p, i);
  pw_buf_puts(out, "}");
}

static void put_pasts(pw_buf *out, const pawl_past *p, int parent) {
  int any = 0;
  pw_buf_puts(out, "[");
  for (int i = parent + 1; i < p->n; i++) {
    if (p->node[i].info.parent == parent) {
      pw_buf_puts(out, any++ == 0 ? "" : ",");
      put_past(out, p, i);
    }
  }
  pw_buf_puts(out, "]");
}

pawl_status pawl_past_json(const pawl_past *p, pawl_sink sink, void *payload) {
  pw_buf out = {0};
  if (p == NULL || sink == NULL) {
    return PAWL_E_ARGUMENT;
  }
  pw_buf_puts(&out, "{\"pasts\":");
  put_pasts(&out, p, -1);
  pw_buf_printf(&out, ",\"complete\":%s,\"why\":", p->complete ? "true" : "false");
  pw_buf_json(&out, p->why);
  pw_buf_puts(&out, "}\n");
  pawl_status status = out.failed ? PAWL_E_MEMORY : PAWL_OK;
  if (status == PAWL_OK && sink(payload, out.text, out.len) != 0) {
    status = PAWL_E_FILE;
  }
  pw_buf_free(&out);
  return status;
}
