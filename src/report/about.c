// SPDX-License-Identifier: MIT
#include "report/about.h"

#include <string.h>

#include "pawl/version.h"

static void put_key(pw_buf *out, const char *key, const char *text) {
  pw_buf_puts(out, key);
  if (text == NULL) {
    pw_buf_puts(out, "null");
  } else {
    pw_buf_json(out, text);
  }
}

static void put_real(pw_buf *out, const char *key, double value) {
  pw_buf_puts(out, key);
  pw_buf_json_real(out, value);
}

/* ---- columns ---- */

typedef struct heading {
  const char *kind, *name, *unit;
} heading;

static heading state_heading(const pw_about *a, int i) {
  const pw_shape *s = a->source->motion->shape;
  const char *name = s->column[i];
  int at = i - 1;
  if (i == 0) {
    return (heading){"t", name, "s"};
  }
  if (at < s->nq) {
    return (heading){"q", name, pawl_position_unit(a->system, at)};
  }
  at -= s->nq;
  if (at < s->nv) {
    return (heading){"u", name, pawl_velocity_unit(a->system, at)};
  }
  at -= s->nv;
  if (at < s->n_law) {
    return (heading){"force", name, a->system == NULL ? NULL : pawl_law_get(a->system, at).unit};
  }
  return (heading){"output", name, pawl_output_unit(a->system, at - s->n_law)};
}

static heading plot_heading(const pw_about *a, int i) {
  pawl_plot_info p = pawl_plot_get(a->system, i / 2);
  bool x = i % 2 == 1;
  return (heading){x ? "plotx" : "ploty",
                   x && p.x == NULL ? "t"
                   : x              ? p.x
                                    : p.y,
                   x ? p.x_unit : p.y_unit};
}

static heading heading_of(const pw_about *a, int i) {
  const pw_gathered *g = a->data;
  const pw_shape *s = a->source->motion->shape;
  if (i < g->energy) {
    return state_heading(a, i);
  }
  if (i < g->work) {
    return (heading){"energy", i == g->energy ? "kinetic" : "potential", "J"};
  }
  if (i < g->mode) {
    return (heading){"work", s->work[i - g->work], "J"};
  }
  if (i < g->plot) {
    return (heading){"mode", s->law[i - g->mode], NULL};
  }
  return i < g->draw ? plot_heading(a, i - g->plot) : (heading){"draw", NULL, NULL};
}

static void put_stored(pw_buf *out, const pw_stored *s) {
  if (s->same >= 0) {
    pw_buf_printf(out, "\"same\":%d", s->same);
  } else {
    pw_buf_printf(out, "\"bytes\":%d,\"order\":%d", s->bytes, s->order);
  }
}

static void put_columns(pw_buf *out, const pw_about *a) {
  const pw_gathered *g = a->data;
  pw_buf_printf(out,
                ",\"rows\":{\"all\":%ld,\"kept\":%ld,\"stride\":%ld,\"segments\":%s,\"columns\":[",
                a->source->rows, g->rows.n, g->row_stride, g->has_segments ? "true" : "false");
  for (int i = 0; i < g->columns; i++) {
    heading h = heading_of(a, i);
    pw_buf_puts(out, i == 0 ? "{" : ",{");
    put_stored(out, &a->rows[i]);
    put_key(out, ",\"kind\":", h.kind);
    if (h.name != NULL) {
      put_key(out, ",\"name\":", h.name);
    }
    if (h.unit != NULL) {
      put_key(out, ",\"unit\":", h.unit);
    }
    pw_buf_puts(out, "}");
  }
  pw_buf_puts(out, "]}");
}

/* ---- events ---- */

static void put_words(pw_buf *out, const char *key, const pw_words *w) {
  pw_buf_puts(out, key);
  for (int i = 0; i < w->n; i++) {
    pw_buf_puts(out, i == 0 ? "" : ",");
    pw_buf_json(out, w->text[i]);
  }
  pw_buf_puts(out, "]");
}

static void put_events(pw_buf *out, const pw_about *a) {
  static const char *const names[PW_EVENT_COLUMNS] = {"t",  "kind",   "at",    "cluster", "impulse",
                                                      "dE", "before", "after", "force",   "flag"};
  const pw_gathered *g = a->data;
  pw_buf_printf(out, ",\"events\":{\"all\":%ld,\"kept\":%ld,\"stride\":%ld,\"columns\":[",
                a->source->events, g->events.n, g->event_stride);
  for (int i = 0; i < PW_EVENT_COLUMNS; i++) {
    pw_buf_puts(out, i == 0 ? "{" : ",{");
    put_stored(out, &a->events[i]);
    put_key(out, ",\"name\":", names[i]);
    pw_buf_puts(out, "}");
  }
  put_words(out, "],\"kinds\":[", &g->kinds);
  put_words(out, ",\"places\":[", &g->places);
  put_words(out, ",\"flags\":[", &g->flags);
  pw_buf_puts(out, ",\"count\":[");
  for (int i = 0; i < g->places.n; i++) {
    pw_buf_puts(out, i == 0 ? "[" : ",[");
    for (int k = 0; k < g->kinds.n && k < PW_MOST_KINDS; k++) {
      pw_buf_printf(out, "%s%ld", k == 0 ? "" : ",", g->count[i][k]);
    }
    pw_buf_puts(out, "]");
  }
  pw_buf_puts(out, "]}");
}

/* ---- model ---- */

static void put_laws(pw_buf *out, const pawl_system *sys) {
  pw_buf_puts(out, ",\"laws\":[");
  for (int i = 0; i < pawl_system_laws(sys); i++) {
    pawl_law_info law = pawl_law_get(sys, i);
    put_key(out, i == 0 ? "{\"name\":" : ",{\"name\":", law.name);
    put_key(out, ",\"kind\":", law.kind);
    put_key(out, ",\"about\":", law.about);
    put_key(out, ",\"cost\":", law.cost);
    put_key(out, ",\"law\":", law.law);
    pw_buf_printf(out, ",\"line\":%d,\"component\":%d,\"components\":%d}", law.line, law.component,
                  law.components);
  }
  pw_buf_puts(out, "]");
}

static void put_parameters(pw_buf *out, const pawl_system *sys) {
  pw_buf_puts(out, ",\"parameters\":[");
  for (int i = 0; i < pawl_system_parameters(sys); i++) {
    pawl_parameter_info p = pawl_parameter_get(sys, i);
    put_key(out, i == 0 ? "{\"name\":" : ",{\"name\":", p.name);
    put_real(out, ",\"value\":", p.value);
    put_key(out, ",\"unit\":", p.unit);
    if (p.lo <= p.hi) {
      put_real(out, ",\"lo\":", p.lo);
      put_real(out, ",\"hi\":", p.hi);
    }
    pw_buf_puts(out, "}");
  }
  pw_buf_puts(out, "]");
}

static void put_run(pw_buf *out, const pawl_system *sys) {
  double from, to;
  if (!pawl_run_span(sys, &from, &to)) {
    return;
  }
  put_real(out, ",\"run\":{\"from\":", from);
  put_real(out, ",\"to\":", to);
  for (int i = 0; i < pawl_run_options(sys); i++) {
    pawl_run_option o = pawl_run_option_get(sys, i);
    put_key(out, ",", o.word);
    if (o.choice != NULL) {
      put_key(out, ":", o.choice);
    } else {
      put_real(out, ":", o.value);
    }
  }
  pw_buf_puts(out, "}");
}

/* ---- pictures ---- */

static void put_plots(pw_buf *out, const pawl_system *sys) {
  pw_buf_puts(out, ",\"plots\":[");
  for (int i = 0; i < pawl_system_plots(sys); i++) {
    pawl_plot_info p = pawl_plot_get(sys, i);
    put_key(out, i == 0 ? "{\"y\":" : ",{\"y\":", p.y);
    put_key(out, ",\"x\":", p.x);
    pw_buf_printf(out, ",\"statement\":%d}", p.statement);
  }
  pw_buf_puts(out, "]");
}

static void put_draw(pw_buf *out, const pawl_system *sys, int i) {
  pawl_draw_info d = pawl_draw_get(sys, i);
  put_key(out, "{\"shape\":", d.shape);
  pw_buf_puts(out, ",\"args\":[");
  for (int k = 0; k < d.arguments; k++) {
    pawl_draw_argument a = pawl_draw_argument_get(sys, i, k);
    put_key(out, k == 0 ? "{\"word\":" : ",{\"word\":", a.word);
    if (a.text != NULL) {
      put_key(out, ",\"text\":", a.text);
    }
    if (a.body != NULL) {
      put_key(out, ",\"body\":", a.body);
    }
    pw_buf_printf(out, ",\"n\":%d,\"first\":%d}", a.n, a.first);
  }
  pw_buf_puts(out, "]}");
}

static void put_draws(pw_buf *out, const pw_about *a) {
  pw_buf_puts(out, ",\"draws\":[");
  for (int i = 0; i < pawl_system_draws(a->system); i++) {
    pw_buf_puts(out, i == 0 ? "" : ",");
    put_draw(out, a->system, i);
  }
  pw_buf_printf(out, "],\"auto\":%d,\"forces\":%d", a->first_auto, a->first_force);
  put_key(out, ",\"autoLines\":", a->auto_lines);
}

static void put_ledger(pw_buf *out, const pw_shape *s) {
  pw_buf_puts(out, ",\"works\":[");
  for (int i = 0; i < s->n_work; i++) {
    put_key(out, i == 0 ? "{\"name\":" : ",{\"name\":", s->work[i]);
    pw_buf_printf(out, ",\"lost\":%s}", s->lost[i] ? "true" : "false");
  }
  pw_buf_puts(out, "]");
}

static void put_text(pw_buf *out, const char *key, const char *text) {
  pw_buf_puts(out, key);
  pw_buf_json(out, text);
}

void pw_about_json(pw_buf *out, const pw_about *a) {
  const pw_shape *s = a->source->motion->shape;
  put_text(out, "{\"pawl\":", PAWL_VERSION);
  put_key(out, ",\"title\":", pawl_system_title(a->system));
  put_key(out, ",\"trouble\":", a->trouble);
  put_text(out, ",\"method\":", s->method);
  put_real(out, ",\"tol\":", s->tol);
  put_real(out, ",\"from\":", s->from);
  put_real(out, ",\"to\":", s->to);
  pw_buf_printf(out, ",\"nq\":%d,\"nv\":%d,\"nlaw\":%d,\"nout\":%d", s->nq, s->nv, s->n_law,
                s->n_out);
  put_columns(out, a);
  put_events(out, a);
  put_ledger(out, s);
  put_laws(out, a->system);
  put_parameters(out, a->system);
  put_run(out, a->system);
  put_plots(out, a->system);
  put_draws(out, a);
  put_text(out, ",\"text\":", a->source->model);
  put_text(out, ",\"summary\":", a->source->summary);
  put_text(out, ",\"certificate\":", a->source->certificate);
  pw_buf_puts(out, "}");
}
