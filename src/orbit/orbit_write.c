// SPDX-License-Identifier: MIT
/* Orbits as JSON, as a table, and as a picture. */
#include <math.h>

#include "orbit/orbit.h"

static void put_key(pw_buf *out, bool first, const char *name) {
  pw_buf_puts(out, first ? "" : ",");
  pw_buf_json(out, name);
  pw_buf_puts(out, ":");
}

static void put_multipliers(pw_buf *out, const pawl_orbit_point *p) {
  pw_buf_puts(out, "\"multipliers\":[");
  for (int i = 0; i < p->n_multiplier; i++) {
    pw_buf_puts(out, i == 0 ? "[" : ",[");
    pw_buf_json_real(out, p->multipliers[2 * i]);
    pw_buf_puts(out, ",");
    pw_buf_json_real(out, p->multipliers[2 * i + 1]);
    pw_buf_puts(out, "]");
  }
  pw_buf_puts(out, "]");
}

/* A neutral orbit is not stable: motions beside it do not come back to it. */
static void put_stable(pw_buf *out, const pawl_orbit_point *p) {
  pw_buf_printf(out, ",\"stable\":%s,\"neutral\":%s", p->stable ? "true" : "false",
                p->neutral ? "true" : "false");
}

static void put_state(pw_buf *out, const pawl_system *sys, const double *state) {
  int nq = pawl_system_positions(sys), nv = pawl_system_velocities(sys);
  pw_buf_puts(out, "{");
  for (int i = 0; i < nq + nv; i++) {
    put_key(out, i == 0, i < nq ? pawl_position_name(sys, i) : pawl_velocity_name(sys, i - nq));
    pw_buf_json_real(out, state[i]);
  }
  pw_buf_puts(out, "}");
}

/* What positions gain in a period; nothing if none does. */
static void put_drift(pw_buf *out, const pawl_system *sys, const pawl_orbit_point *p) {
  bool first = true;
  for (int i = 0; i < pawl_system_positions(sys); i++) {
    if (p->drift[i] != 0) {
      pw_buf_puts(out, first ? ",\"drift\":{" : "");
      put_key(out, first, pawl_position_name(sys, i));
      pw_buf_json_real(out, p->drift[i]);
      first = false;
    }
  }
  pw_buf_puts(out, first ? "" : "}");
}

static void put_orbit(pw_buf *out, const pawl_orbit *o, int i) {
  const pawl_system *sys = pawl_orbit_system(o);
  pawl_orbit_point p = pawl_orbit_get(o, i);
  pawl_certificate c = pawl_orbit_certificate(o);

  /* the motion: period, state at the section, drift per return */
  pw_buf_puts(out, "{\"period\":");
  pw_buf_json_real(out, p.period);
  pw_buf_puts(out, ",\"t\":");
  pw_buf_json_real(out, p.t);
  pw_buf_puts(out, ",\"state\":");
  put_state(out, sys, p.state);
  put_drift(out, sys, &p);

  /* its stability, and by how much it fails to close */
  pw_buf_puts(out, ",");
  put_multipliers(out, &p);
  put_stable(out, &p);
  pw_buf_puts(out, ",\"closes\":");
  pw_buf_json_real(out, p.closes);

  /* what happens within one period */
  pw_buf_puts(out, ",\"events\":[");
  for (int k = 0; k < p.n_event; k++) {
    pw_buf_puts(out, k == 0 ? "{\"t\":" : ",{\"t\":");
    pw_buf_json_real(out, p.events[k].t);
    pw_buf_puts(out, ",\"kind\":");
    pw_buf_json(out, p.events[k].kind);
    pw_buf_puts(out, ",\"at\":");
    pw_buf_json(out, p.events[k].at);
    pw_buf_puts(out, "}");
  }

  /* the verdict on it */
  pw_buf_puts(out, "],\"certificate\":{\"verdict\":");
  pw_buf_json(out, pawl_verdict_text(c.verdict));
  pw_buf_puts(out, ",\"subclass\":");
  pw_buf_json(out, c.subclass);
  pw_buf_puts(out, "}}");
}

static void put_point(pw_buf *out, const pawl_orbit *o, const pawl_orbit_point *p) {
  pw_buf_puts(out, "{");
  put_key(out, true, o->along);
  pw_buf_json_real(out, p->value);
  pw_buf_puts(out, ",\"period\":");
  pw_buf_json_real(out, p->period);
  pw_buf_puts(out, ",\"state\":");
  put_state(out, pawl_orbit_system(o), p->state);
  pw_buf_puts(out, ",");
  put_multipliers(out, p);
  put_stable(out, p);
  pw_buf_puts(out, ",\"kind\":");
  pw_buf_json(out, p->kind);
  pw_buf_puts(out, "}");
}

static void put_branch(pw_buf *out, const pawl_orbit *o) {
  for (int i = 0; o->along != NULL && i < o->n_point; i++) {
    pawl_orbit_point p = pawl_orbit_get(o, i);
    pw_buf_puts(out, i == 0 ? "" : ",\n");
    put_point(out, o, &p);
  }
}

static void put_bifurcations(pw_buf *out, const pawl_orbit *o) {
  bool first = true;
  for (int i = 0; i < o->n_point; i++) {
    pawl_orbit_point p = pawl_orbit_get(o, i);
    if (p.kind[0] != '\0' && o->along != NULL) {
      pw_buf_puts(out, first ? "{" : ",{");
      put_key(out, true, o->along);
      pw_buf_json_real(out, p.value);
      pw_buf_puts(out, ",\"kind\":");
      pw_buf_json(out, p.kind);
      pw_buf_puts(out, "}");
      first = false;
    }
  }
}

static pawl_status send(pw_buf *out, pawl_sink sink, void *payload) {
  pawl_status status = pw_buf_flush(out, sink, payload);
  pw_buf_free(out);
  return status;
}

pawl_status pawl_orbit_json(const pawl_orbit *o, pawl_sink sink, void *payload) {
  pw_buf out = {0};
  if (o == NULL || sink == NULL) {
    return PAWL_E_ARGUMENT;
  }
  pw_buf_puts(&out, "{\"orbits\":[");
  if (o->n_point > 0) {
    put_orbit(&out, o, 0);
  }
  pw_buf_puts(&out, "],\"branch\":[");
  put_branch(&out, o);
  pw_buf_puts(&out, "],\"bifurcations\":[");
  put_bifurcations(&out, o);
  pw_buf_puts(&out, "]");
  if (o->n_exponent > 0) {
    pw_buf_puts(&out, ",\"exponents\":[");
    for (int i = 0; i < o->n_exponent; i++) {
      pw_buf_puts(&out, i == 0 ? "" : ",");
      pw_buf_json_real(&out, o->exponent[i]);
    }
    pw_buf_puts(&out, "],\"time\":");
    pw_buf_json_real(&out, o->exponent_time);
  }
  pw_buf_puts(&out, "}\n");
  return send(&out, sink, payload);
}

/* ---- table ---- */

static void put_head(pw_buf *out, const pawl_orbit *o) {
  const pawl_system *sys = pawl_orbit_system(o);
  pw_buf_printf(out, "%s,period", o->along);
  for (int i = 0; i < pawl_system_positions(sys); i++) {
    pw_buf_printf(out, ",%s", pawl_position_name(sys, i));
  }
  for (int i = 0; i < pawl_system_velocities(sys); i++) {
    pw_buf_printf(out, ",%s", pawl_velocity_name(sys, i));
  }
  for (int i = 0; i < o->point[0].public.n_multiplier; i++) {
    pw_buf_printf(out, ",multiplier%d.re,multiplier%d.im", i + 1, i + 1);
  }
  pw_buf_puts(out, ",stable,kind\n");
}

pawl_status pawl_orbit_csv(const pawl_orbit *o, pawl_sink sink, void *payload) {
  pw_buf out = {0};
  if (o == NULL || sink == NULL || o->along == NULL || o->n_point == 0) {
    return PAWL_E_ARGUMENT;
  }
  int n = pawl_system_positions(o->system) + pawl_system_velocities(o->system);
  put_head(&out, o);
  for (int i = 0; i < o->n_point; i++) {
    pawl_orbit_point p = pawl_orbit_get(o, i);
    pw_buf_printf(&out, "%.17g,%.17g", p.value, p.period);
    for (int k = 0; k < n; k++) {
      pw_buf_printf(&out, ",%.17g", p.state[k]);
    }
    for (int k = 0; k < 2 * p.n_multiplier; k++) {
      pw_buf_printf(&out, ",%.17g", p.multipliers[k]);
    }
    pw_buf_printf(&out, ",%d,%s\n", p.stable, p.kind);
  }
  return send(&out, sink, payload);
}

/* ---- picture ---- */

typedef struct frame { /* of one of the two diagrams */
  double x0, x1, y0, y1, left, top, width, height;
} frame;

static double across(const frame *f, double x) {
  return f->left + (f->x1 > f->x0 ? (x - f->x0) / (f->x1 - f->x0) : 0.5) * f->width;
}

static double down(const frame *f, double y) {
  return f->top + (f->y1 > f->y0 ? (f->y1 - y) / (f->y1 - f->y0) : 0.5) * f->height;
}

static void put_frame(pw_buf *out, const frame *f, const char *x, const char *y) {
  pw_buf_printf(out,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" "
                "stroke=\"#888\"/>\n",
                f->left, f->top, f->width, f->height);
  for (int i = 0; i <= 4; i++) {
    double vx = f->x0 + (f->x1 - f->x0) * i / 4, vy = f->y0 + (f->y1 - f->y0) * i / 4;
    pw_buf_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.4g</text>\n",
                  across(f, vx), f->top + f->height + 16, vx);
    pw_buf_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%.4g</text>\n", f->left - 6,
                  down(f, vy) + 4, vy);
  }
  pw_buf_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
                f->left + f->width / 2, f->top + f->height + 32, x);
  pw_buf_printf(out, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", f->left, f->top - 6, y);
}

static void widen(double *lo, double *hi, double v) {
  *lo = fmin(*lo, v);
  *hi = fmax(*hi, v);
}

/* Value k of a point: the state, or the modulus of a multiplier. */
static double value_of(const pawl_orbit_point *p, bool state, int k) {
  return state ? p->state[k] : hypot(p->multipliers[2 * k], p->multipliers[2 * k + 1]);
}

/* Pieces of the branch, solid where it is stable, and marks where something happens. */
static void put_curve(pw_buf *out, const pawl_orbit *o, const frame *f, bool state, int k) {
  for (int i = 0; i + 1 < o->n_point; i++) {
    pawl_orbit_point a = pawl_orbit_get(o, i), b = pawl_orbit_get(o, i + 1);
    pw_buf_printf(out, "<path d=\"M%.2f %.2fL%.2f %.2f\" stroke=\"%s\"%s/>\n", across(f, a.value),
                  down(f, value_of(&a, state, k)), across(f, b.value),
                  down(f, value_of(&b, state, k)), state ? "#1f6feb" : "#b35900",
                  a.stable && b.stable ? "" : " stroke-dasharray=\"3 3\"");
  }
  for (int i = 0; i < o->n_point; i++) {
    pawl_orbit_point p = pawl_orbit_get(o, i);
    if (p.kind[0] != '\0') {
      double x = across(f, p.value), y = down(f, value_of(&p, state, k));
      pw_buf_printf(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3.5\" fill=\"#c00\"/>\n", x, y);
      if (k == 0 || state) {
        pw_buf_printf(out, "<text x=\"%.2f\" y=\"%.2f\">%s</text>\n", x + 6, y - 6, p.kind);
      }
    }
  }
}

static void put_name(pw_buf *out, const char *name) {
  for (const char *c = name; *c != '\0'; c++) {
    pw_buf_puts(out, *c == '<' ? "&lt;" : *c == '&' ? "&amp;" : (char[]){*c, '\0'});
  }
}

pawl_status pawl_orbit_svg(const pawl_orbit *o, pawl_sink sink, void *payload) {
  pw_buf out = {0}, x = {0}, y = {0};
  if (o == NULL || sink == NULL || o->along == NULL || o->n_point == 0) {
    return PAWL_E_ARGUMENT;
  }
  int k = pawl_system_positions(o->system); /* the first velocity */
  frame f = {INFINITY, -INFINITY, INFINITY, -INFINITY, 70, 30, 560, 240}, g = f;
  for (int i = 0; i < o->n_point; i++) {
    pawl_orbit_point p = pawl_orbit_get(o, i);
    widen(&f.x0, &f.x1, p.value);
    widen(&f.y0, &f.y1, p.state[k]);
    widen(&g.y0, &g.y1, p.n_multiplier > 0 ? value_of(&p, false, 0) : 0);
  }
  g.x0 = f.x0;
  g.x1 = f.x1;
  g.top = 350;
  g.y0 = 0;
  g.y1 = fmax(1.1, g.y1);
  put_name(&x, o->along);
  put_name(&y, pawl_velocity_name(o->system, 0));
  pw_buf_puts(&out,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 660 650\" width=\"660\" "
              "height=\"650\" font-family=\"sans-serif\" font-size=\"12\">\n"
              "<rect width=\"660\" height=\"650\" fill=\"#fff\"/>\n<g fill=\"none\">\n");
  put_frame(&out, &f, x.text, y.text);
  put_frame(&out, &g, x.text, "moduli of the multipliers");
  pw_buf_printf(&out, "<path d=\"M%.2f %.2fH%.2f\" stroke=\"#bbb\"/>\n", g.left, down(&g, 1),
                g.left + g.width);
  put_curve(&out, o, &f, true, k);
  for (int i = 0; i < o->point[0].public.n_multiplier; i++) {
    put_curve(&out, o, &g, false, i);
  }
  pw_buf_puts(&out, "</g>\n<style>text{fill:#222;stroke:none}</style>\n</svg>\n");
  pw_buf_free(&x);
  pw_buf_free(&y);
  return send(&out, sink, payload);
}
