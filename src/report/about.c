// SPDX-License-Identifier: MIT
#include "report/about.h"

#include <inttypes.h>
#include <string.h>

#include "mech/handle.h"
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

/* ,"key":[item,item,...] */
typedef void (*put_item)(pw_buf *out, const pw_about *a, int i);
static void put_list(pw_buf *out, const pw_about *a, const char *key, int n, put_item put) {
  pw_buf_printf(out, ",\"%s\":[", key);
  for (int i = 0; i < n; i++) {
    pw_buf_puts(out, i == 0 ? "" : ",");
    put(out, a, i);
  }
  pw_buf_puts(out, "]");
}

/* ---- columns ---- */

typedef struct heading {
  const char *kind, *name, *unit;
} heading;

/* The positions include signals, which move nothing; the past of a delay and counts of turns are
 * not shown. */
static const char *position_kind(const pawl_system *sys, int i) {
  for (int k = 0; sys != NULL && k < sys->model->signals.n; k++) {
    const pw_signal *s = &sys->model->signals.items[k];
    if (i >= s->q && i < s->q + s->slots) {
      bool hidden = s->kind == PW_SIGNAL_DELAY || s->kind == PW_SIGNAL_TURNS;
      return hidden ? "delay" : "signal";
    }
  }
  return "q";
}

static heading state_heading(const pw_about *a, int i) {
  const pw_shape *s = a->source->motion->shape;
  const char *name = s->column[i];
  int at = i - 1;
  if (i == 0) {
    return (heading){"t", name, "s"};
  }
  if (at < s->nq) {
    return (heading){position_kind(a->system, at), name, pawl_position_unit(a->system, at)};
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

/* The unit that an output states, and SI numbers per number shown in it. */
static void put_shown_unit(pw_buf *out, const pw_about *a, int i) {
  const pw_shape *s = a->source->motion->shape;
  int at = i - (pw_shape_columns(s) - s->n_out);
  if (a->system == NULL || at < 0 || at >= s->n_out) {
    return;
  }
  const pw_output *o = &a->system->model->outputs.items[at];
  if (o->shown != NULL) {
    put_key(out, ",\"shown\":", o->shown);
    put_real(out, ",\"factor\":", o->factor);
  }
}

static void put_column(pw_buf *out, const pw_about *a, int i) {
  heading h = heading_of(a, i);
  pw_buf_puts(out, "{");
  put_stored(out, &a->rows[i]);
  put_key(out, ",\"kind\":", h.kind);
  if (h.name != NULL) {
    put_key(out, ",\"name\":", h.name);
  }
  if (h.unit != NULL) {
    put_key(out, ",\"unit\":", h.unit);
  }
  put_shown_unit(out, a, i);
  pw_buf_puts(out, "}");
}

static void put_columns(pw_buf *out, const pw_about *a) {
  const pw_gathered *g = a->data;
  pw_buf_printf(out,
                ",\"rows\":{\"all\":%" PRId64 ",\"kept\":%" PRId64 ",\"stride\":%" PRId64
                ",\"segments\":%s",
                a->source->rows, g->rows.n, g->row_stride, g->has_segments ? "true" : "false");
  pw_buf_printf(out, ",\"jumps\":%" PRId64 ",\"jumpStride\":%" PRId64 ",\"breaks\":[", g->jumps,
                g->jump_stride);
  pw_buf_add(out, g->breaks.text, g->breaks.len);
  pw_buf_puts(out, "]");
  put_list(out, a, "columns", g->columns, put_column);
  pw_buf_puts(out, "}");
}

/* ---- events ---- */

static void put_event_column(pw_buf *out, const pw_about *a, int i) {
  static const char *const names[PW_EVENT_COLUMNS] = {"t",  "kind",   "at",    "cluster", "impulse",
                                                      "dE", "before", "after", "force",   "flag"};
  pw_buf_puts(out, "{");
  put_stored(out, &a->events[i]);
  put_key(out, ",\"name\":", names[i]);
  pw_buf_puts(out, "}");
}

static void put_kind(pw_buf *out, const pw_about *a, int i) {
  pw_buf_json(out, a->data->kinds.text[i]);
}

static void put_place(pw_buf *out, const pw_about *a, int i) {
  pw_buf_json(out, a->data->places.text[i]);
}

static void put_flag(pw_buf *out, const pw_about *a, int i) {
  pw_buf_json(out, a->data->flags.text[i]);
}

/* Events of each kind at the i-th place. */
static void put_counts(pw_buf *out, const pw_about *a, int i) {
  const pw_gathered *g = a->data;
  for (int k = 0; k < g->kinds.n && k < PW_MOST_KINDS; k++) {
    pw_buf_printf(out, "%s%" PRId64, k == 0 ? "[" : ",", g->count[i][k]);
  }
  pw_buf_puts(out, g->kinds.n == 0 ? "[]" : "]");
}

static void put_events(pw_buf *out, const pw_about *a) {
  const pw_gathered *g = a->data;
  pw_buf_printf(out, ",\"events\":{\"all\":%" PRId64 ",\"kept\":%" PRId64 ",\"stride\":%" PRId64,
                a->source->events, g->events.n, g->event_stride);
  put_list(out, a, "columns", PW_EVENT_COLUMNS, put_event_column);
  put_list(out, a, "kinds", g->kinds.n, put_kind);
  put_list(out, a, "places", g->places.n, put_place);
  put_list(out, a, "flags", g->flags.n, put_flag);
  put_list(out, a, "count", g->places.n, put_counts);
  pw_buf_puts(out, "}");
}

/* ---- points at which shapes press ---- */

static void put_meeting_column(pw_buf *out, const pw_about *a, int i) {
  static const char *const names[PW_MEETING_COLUMNS] = {"row", "place", "mode", "x", "y",
                                                        "z",   "fx",    "fy",   "fz"};
  pw_buf_puts(out, "{");
  put_stored(out, &a->meetings[i]);
  put_key(out, ",\"name\":", names[i]);
  pw_buf_puts(out, "}");
}

static void put_meetings(pw_buf *out, const pw_about *a) {
  const pw_meetings *m = &a->data->meetings;
  pw_buf_printf(out, ",\"meetings\":{\"all\":%" PRId64 ",\"kept\":%" PRId64 ",\"stride\":%" PRId64,
                m->all, m->table.n, m->stride > 1 ? m->stride : 1);
  put_list(out, a, "columns", m->table.n > 0 ? PW_MEETING_COLUMNS : 0, put_meeting_column);
  pw_buf_puts(out, "}");
}

/* ---- model ---- */

static void put_law(pw_buf *out, const pw_about *a, int i) {
  pawl_law_info law = pawl_law_get(a->system, i);
  put_key(out, "{\"name\":", law.name);
  put_key(out, ",\"kind\":", law.kind);
  put_key(out, ",\"about\":", law.about);
  put_key(out, ",\"cost\":", law.cost);
  put_key(out, ",\"law\":", law.law);
  if (a->alone[i] >= 0) {
    put_key(out, ",\"alone\":", pawl_position_name(a->system, a->alone[i]));
  }
  pw_buf_printf(out, ",\"line\":%d,\"component\":%d,\"components\":%d}", law.line, law.component,
                law.components);
}

static void put_parameter(pw_buf *out, const pw_about *a, int i) {
  pawl_parameter_info p = pawl_parameter_get(a->system, i);
  put_key(out, "{\"name\":", p.name);
  put_real(out, ",\"value\":", p.value);
  put_key(out, ",\"unit\":", p.unit);
  if (p.lo <= p.hi) {
    put_real(out, ",\"lo\":", p.lo);
    put_real(out, ",\"hi\":", p.hi);
  }
  pw_buf_puts(out, "}");
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

static void put_plot(pw_buf *out, const pw_about *a, int i) {
  pawl_plot_info p = pawl_plot_get(a->system, i);
  put_key(out, "{\"y\":", p.y);
  put_key(out, ",\"x\":", p.x);
  pw_buf_printf(out, ",\"statement\":%d}", p.statement);
}

static void put_draw(pw_buf *out, const pw_about *about, int i) {
  pawl_draw_info d = pawl_draw_get(about->system, i);
  put_key(out, "{\"shape\":", d.shape);
  pw_buf_puts(out, ",\"args\":[");
  for (int k = 0; k < d.arguments; k++) {
    pawl_draw_argument a = pawl_draw_argument_get(about->system, i, k);
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
  put_list(out, a, "draws", pawl_system_draws(a->system), put_draw);
  pw_buf_printf(out, ",\"auto\":%d,\"forces\":%d", a->first_auto, a->first_force);
  put_key(out, ",\"autoLines\":", a->auto_lines);
}

/* Shapes whose pairs are found during time stepping, so that they have no law. */
static void put_shapes(pw_buf *out, const pawl_system *sys) {
  if (sys != NULL && sys->model->piles.n > 0 && sys->model->touches.n == 0) {
    pw_buf_printf(out, ",\"shapes\":%d", sys->model->shapes.n);
  }
}

static void put_work(pw_buf *out, const pw_about *a, int i) {
  const pw_shape *s = a->source->motion->shape;
  put_key(out, "{\"name\":", s->work[i]);
  pw_buf_printf(out, ",\"lost\":%s}", s->lost[i] ? "true" : "false");
}

void pw_about_json(pw_buf *out, const pw_about *a) {
  const pw_shape *s = a->source->motion->shape;
  put_key(out, "{\"pawl\":", PAWL_VERSION);
  put_key(out, ",\"title\":", pawl_system_title(a->system));
  put_key(out, ",\"trouble\":", a->trouble);
  put_key(out, ",\"method\":", s->method);
  put_real(out, ",\"tol\":", s->tol);
  put_real(out, ",\"from\":", s->from);
  put_real(out, ",\"to\":", s->to);
  pw_buf_printf(out, ",\"nq\":%d,\"nv\":%d,\"nlaw\":%d,\"nout\":%d", s->nq, s->nv, s->n_law,
                s->n_out);
  put_columns(out, a);
  put_events(out, a);
  put_meetings(out, a);
  put_list(out, a, "works", s->n_work, put_work);
  put_list(out, a, "laws", pawl_system_laws(a->system), put_law);
  put_list(out, a, "parameters", pawl_system_parameters(a->system), put_parameter);
  put_shapes(out, a->system);
  put_run(out, a->system);
  put_list(out, a, "plots", pawl_system_plots(a->system), put_plot);
  put_draws(out, a);
  put_key(out, ",\"text\":", a->source->model);
  put_key(out, ",\"summary\":", a->source->summary);
  put_key(out, ",\"certificate\":", a->source->certificate);
  pw_buf_puts(out, "}");
}
