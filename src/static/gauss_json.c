// SPDX-License-Identifier: MIT
/* The result of `pawl gauss --json`. */
#include <math.h>

#include "law/law_name.h"
#include "static/gauss.h"

static void named(pw_buf *out, bool first, const char *name, double value) {
  pw_buf_puts(out, first ? "" : ",");
  pw_buf_json(out, name);
  pw_buf_puts(out, ":");
  pw_buf_json_real(out, value == 0 ? 0 : value); /* no -0 */
}

static void put_state(pw_buf *out, const pawl_gauss *g) {
  int nq = pawl_system_positions(g->system), nv = pawl_system_velocities(g->system);
  pw_buf_puts(out, ",\"state\":{");
  for (int i = 0; i < nq; i++) {
    named(out, i == 0, pawl_position_name(g->system, i), g->q[i]);
  }
  for (int i = 0; i < nv; i++) {
    named(out, nq + i == 0, pawl_velocity_name(g->system, i), g->u_shown[i]);
  }
  pw_buf_puts(out, "}");
}

/* Velocity names with one prime more. */
static void put_accelerations(pw_buf *out, const pawl_gauss *g, pawl_when when, int solution) {
  const double *a = pawl_gauss_accelerations(g, when, solution);
  pw_buf_puts(out, "{");
  for (int i = 0; a != NULL && i < pawl_system_velocities(g->system); i++) {
    pw_buf name = {0};
    pw_buf_printf(&name, "%s'", pawl_velocity_name(g->system, i));
    named(out, i == 0, name.text == NULL ? "" : name.text, a[i]);
    out->failed = out->failed || name.failed;
    pw_buf_free(&name);
  }
  pw_buf_puts(out, "}");
}

static const char *law_name(const pawl_gauss *g, int law) {
  return pawl_law_get(g->system, law).law;
}

static void put_forces(pw_buf *out, const pawl_gauss *g, int solution) {
  pw_buf_puts(out, "{");
  bool known = solution < g->when[PAWL_RIGHT].count;
  for (int i = 0; known && i < pawl_system_laws(g->system); i++) {
    pawl_law_info law = pawl_law_get(g->system, i);
    double force = pawl_gauss_force_get(g, PAWL_RIGHT, solution, i).force;
    pw_force_json(out, i == 0, &law, force + 0.0); /* no -0 */
  }
  pw_buf_puts(out, "}");
}

static void put_pair(pw_buf *out, double lo, double hi) {
  pw_buf_puts(out, "[");
  pw_buf_json_real(out, lo == 0 ? 0 : lo);
  pw_buf_puts(out, ",");
  pw_buf_json_real(out, hi == 0 ? 0 : hi);
  pw_buf_puts(out, "]");
}

/* Of the law, of a vector slip of some component. */
static bool is_open(const pawl_gauss *g, int law) {
  pawl_law_info info = pawl_law_get(g->system, law);
  bool open = false;
  for (int k = 1; k <= info.components; k++) {
    open = open || !pawl_gauss_force_get(g, PAWL_RIGHT, 0, law - info.component + k).unique;
  }
  return g->when[PAWL_RIGHT].count > 0 && open;
}

/* Forces that are not unique: the values above are the smallest, and these are the ranges. With
 * slips in the plane they are neither exact nor smallest, because bounds depend on other forces. */
static void put_ranges(pw_buf *out, const pawl_gauss *g) {
  bool all = g->when[PAWL_RIGHT].count == 1;
  bool first = true, coupled = false;
  pw_buf text = {0};
  for (int i = 0; i < pawl_system_laws(g->system); i++) {
    pawl_gauss_force x = pawl_gauss_force_get(g, PAWL_RIGHT, 0, i);
    if (is_open(g, i)) {
      pawl_law_info law = pawl_law_get(g->system, i);
      pw_law_json_open(&text, first, &law);
      put_pair(&text, x.least, x.largest);
      pw_law_json_close(&text, &law);
      all = first = false;
      coupled = coupled || x.outer;
    }
  }
  pw_buf_printf(out, ",\"unique\":%s,\"smallest\":%s,\"ranges\":{%s},\"exact\":%s",
                all ? "true" : "false", first || coupled ? "false" : "true",
                text.text == NULL ? "" : text.text, coupled ? "false" : "true");
  out->failed = out->failed || text.failed;
  pw_buf_free(&text);
}

static void put_why(pw_buf *out, const pawl_gauss *g, pawl_when when) {
  static const char *const words[] = {"solved", "impact", "none", "undecided", "not wanted"};
  pawl_gauss_info info = pawl_gauss_get(g, when);
  pw_buf_printf(out, "\"count\":%d,\"complete\":%s,\"reason\":\"%s\",\"law\":", info.count,
                info.complete ? "true" : "false", words[info.why]);
  if (info.law >= 0) {
    pw_buf_json(out, law_name(g, info.law));
  } else {
    pw_buf_puts(out, "null");
  }
}

/* All right accelerations, where there is not exactly one. */
static void put_right(pw_buf *out, const pawl_gauss *g) {
  pw_buf_puts(out, ",\"right\":{");
  put_why(out, g, PAWL_RIGHT);
  pw_buf_puts(out, ",\"solutions\":[");
  for (int k = 0; k < g->when[PAWL_RIGHT].count; k++) {
    pw_buf_puts(out, k == 0 ? "{\"accelerations\":" : ",{\"accelerations\":");
    put_accelerations(out, g, PAWL_RIGHT, k);
    pw_buf_puts(out, ",\"force\":");
    put_forces(out, g, k);
    pw_buf_puts(out, ",");
    named(out, true, "constraint_measure", pawl_gauss_measure(g, PAWL_RIGHT, k));
    pw_buf_puts(out, "}");
  }
  pw_buf_puts(out, "]}");
}

static void put_past(pw_buf *out, const pawl_gauss *g) {
  if (g->when[PAWL_LEFT].why == PAWL_GAUSS_NOT_WANTED) {
    return;
  }
  pw_buf_puts(out, ",\"past\":{\"solutions\":[");
  for (int k = 0; k < g->when[PAWL_LEFT].count; k++) {
    pw_buf_puts(out, k == 0 ? "" : ",");
    put_accelerations(out, g, PAWL_LEFT, k);
  }
  pw_buf_puts(out, "],");
  put_why(out, g, PAWL_LEFT);
  pw_buf_puts(out, "}");
}

static const char *const level_names[] = {"displacement", "velocity", "acceleration"};

static void put_list(pw_buf *out, const double *x, int n) {
  pw_buf_puts(out, "[");
  for (int k = 0; k < n; k++) {
    pw_buf_puts(out, k == 0 ? "" : ",");
    pw_buf_json_real(out, x[k] == 0 ? 0 : x[k]);
  }
  pw_buf_puts(out, "]");
}

/* Components of the law: of a slip in a plane 2, in space 3. */
static void put_disk(pw_buf *out, const pawl_disk *disk, int n) {
  bool round = disk->axis[0] == disk->axis[1] && (n < 3 || disk->axis[0] == disk->axis[2]);
  pw_buf_puts(out, "{");
  if (round) {
    named(out, true, n < 3 ? "disk" : "ball", disk->axis[0]);
  } else {
    pw_buf_puts(out, n < 3 ? "\"ellipse\":" : "\"ellipsoid\":");
    put_list(out, disk->axis, n);
  }
  pw_buf_puts(out, ",\"centre\":");
  put_list(out, disk->centre, n);
  pw_buf_puts(out, "}");
}

static void put_set(pw_buf *out, const pawl_gauss *g, int law, pawl_level level) {
  pawl_interval set = pawl_gauss_set(g, 0, law, level);
  pawl_disk disk = pawl_gauss_disk(g, 0, law, level);
  if (isnan(set.lo)) {
    pw_buf_puts(out, "null");
  } else if (isnan(disk.axis[0])) {
    put_pair(out, set.lo, set.hi);
  } else {
    put_disk(out, &disk, g->sys->model->rows.items[law].count);
  }
}

/* A slip in a plane is one law, with the name without index. */
static void put_sets(pw_buf *out, const pawl_gauss *g) {
  const pw_model *m = g->sys->model;
  bool first = true;
  pw_buf_puts(out, ",\"sets\":{");
  for (int i = 0; i < pawl_system_laws(g->system); i++) {
    bool plane = !isnan(pawl_gauss_disk(g, 0, i, PAWL_DISPLACEMENT).axis[0]);
    if (plane && m->rows.items[i].first != i) {
      continue;
    }
    pw_buf_puts(out, first ? "" : ",");
    pw_buf_json(out, plane ? m->rows.items[i].law : law_name(g, i));
    pw_buf_puts(out, ":{");
    first = false;
    for (int k = 0; k < PW_LEVELS; k++) {
      pw_buf_printf(out, "%s\"%s\":", k == 0 ? "" : ",", level_names[k]);
      put_set(out, g, i, (pawl_level)k);
    }
    pw_buf_puts(out, "}");
  }
  pw_buf_puts(out, "},\"sizes\":{");
  for (int k = 0; k < PW_LEVELS; k++) {
    pw_buf_printf(out, "%s\"%s\":%d", k == 0 ? "" : ",", level_names[k],
                  pawl_gauss_size(g, 0, (pawl_level)k));
  }
  pw_buf_puts(out, "}");
}

/* Numbers by the names of the velocities. */
static void put_directions(pw_buf *out, const pawl_gauss *g, const double *x) {
  pw_buf_puts(out, "{");
  for (int i = 0; i < pawl_system_velocities(g->system); i++) {
    named(out, i == 0, pawl_velocity_name(g->system, i), x[i]);
  }
  pw_buf_puts(out, "}");
}

static void put_before(pw_buf *out, const pawl_gauss *g) {
  if (pawl_gauss_before(g) != NULL) {
    pw_buf_puts(out, ",\"before\":");
    put_directions(out, g, pawl_gauss_before(g));
  }
}

static void put_rays(pw_buf *out, const pawl_gauss *g, pawl_level level, int from, int to) {
  pw_buf_puts(out, "[");
  for (int i = from; i < to; i++) {
    pw_buf_puts(out, i == from ? "" : ",");
    put_directions(out, g, pawl_gauss_cone_ray(g, level, i));
  }
  pw_buf_puts(out, "]");
}

/* Covectors of the laws, and the tangent cones that they leave. */
static void put_cones(pw_buf *out, const pawl_gauss *g) {
  pw_buf_puts(out, ",\"generators\":{");
  for (int i = 0; i < pawl_system_laws(g->system); i++) {
    pw_buf_puts(out, i == 0 ? "" : ",");
    pw_buf_json(out, pawl_law_get(g->system, i).name);
    pw_buf_puts(out, ":");
    put_directions(out, g, pawl_gauss_along(g, i));
  }
  pw_buf_puts(out, "},\"cones\":{");
  for (int k = 0; k < PW_LEVELS; k++) {
    int lines, all = pawl_gauss_cone(g, (pawl_level)k, &lines);
    pw_buf_printf(out, "%s\"%s\":", k == 0 ? "" : ",", level_names[k]);
    if (all < 0) {
      pw_buf_puts(out, "null");
      continue;
    }
    pw_buf_puts(out, "{\"lines\":");
    put_rays(out, g, (pawl_level)k, 0, lines);
    pw_buf_puts(out, ",\"rays\":");
    put_rays(out, g, (pawl_level)k, lines, all);
    pw_buf_puts(out, "}");
  }
  pw_buf_puts(out, "}");
}

static void put_number(pw_buf *out, bool first, const char *name, double value) {
  if (isnan(value)) {
    pw_buf_printf(out, "%s\"%s\":null", first ? "" : ",", name);
  } else {
    named(out, first, name, value);
  }
}

static void put_potentials(pw_buf *out, const pawl_gauss *g) {
  pawl_gauss_potentials p = pawl_gauss_potentials_get(g, 0);
  pw_buf_puts(out, ",\"potentials\":{");
  put_number(out, true, "V", p.V);
  put_number(out, false, "Phi", p.Phi);
  put_number(out, false, "Psi", p.Psi);
  put_number(out, false, "cost", p.cost);
  pw_buf_puts(out, "}");
}

static const char *const principle_names[] = {"dalembert", "jourdain", "gauss"};

static void put_trial(pw_buf *out, const pawl_gauss *g) {
  pawl_gauss_trial x = pawl_gauss_trial_get(g);
  if (!x.given) {
    return;
  }
  pw_buf_printf(out, ",\"trial\":{\"allowed\":%s,\"law\":", x.allowed ? "true" : "false");
  if (x.law >= 0) {
    pw_buf_json(out, law_name(g, x.law));
  } else {
    pw_buf_puts(out, "null");
  }
  for (int k = 0; k < PW_LEVELS; k++) {
    pw_buf_printf(out, ",\"%s\":{", principle_names[k]);
    put_number(out, true, "far", x.far[k]);
    pw_buf_printf(out, ",\"holds\":%s}", x.holds[k] ? "true" : "false");
  }
  put_number(out, false, "constraint_measure", x.measure);
  put_number(out, false, "Psi", x.Psi);
  put_number(out, false, "cost", x.cost);
  pw_buf_puts(out, "}");
}

static void put_principles(pw_buf *out, const pawl_gauss *g) {
  pw_buf_puts(out, ",\"principles\":{");
  for (int k = 0; k < PW_LEVELS; k++) {
    put_number(out, k == 0, principle_names[k], g->principle[k]);
  }
  pw_buf_puts(out, "}");
}

pawl_status pawl_gauss_json(const pawl_gauss *g, pawl_sink sink, void *payload) {
  if (g == NULL || sink == NULL) {
    return PAWL_E_ARGUMENT;
  }
  pw_buf out = {0};
  pw_buf_puts(&out, "{\"model\":");
  pw_buf_json(&out, pawl_system_file(g->system));
  named(&out, false, "t", g->t);
  put_state(&out, g);
  put_before(&out, g);
  pw_buf_puts(&out, ",\"accelerations\":");
  put_accelerations(&out, g, PAWL_RIGHT, 0);
  pw_buf_puts(&out, ",\"force\":");
  put_forces(&out, g, 0);
  put_ranges(&out, g);
  put_right(&out, g);
  put_past(&out, g);
  put_sets(&out, g);
  put_cones(&out, g);
  put_potentials(&out, g);
  put_trial(&out, g);
  put_principles(&out, g);
  put_number(&out, false, "constraint_measure", pawl_gauss_measure(g, PAWL_RIGHT, 0));
  pw_buf_puts(&out, "}\n");
  pawl_status status = pw_buf_flush(&out, sink, payload);
  pw_buf_free(&out);
  return status;
}
