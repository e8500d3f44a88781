// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "verify/check_events.h"
#include "verify/jump.h"

enum { T, KIND, AT, CLUSTER, IMPULSE, STATES };
static const char *const names[STATES] = {"t", "kind", "at", "cluster", "impulse"};

/* ---- faults ---- */

/* Only the first fault is reported: later ones may follow from it. */
static void wrong(pw_verify_events *x, double t, int law, double value, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
static void wrong(pw_verify_events *x, double t, int law, double value, const char *format, ...) {
  pawl_certifier *c = x->c;
  va_list args;
  if (!x->failed) {
    va_start(args, format);
    vsnprintf(c->result.event_note, sizeof c->result.event_note, format, args);
    va_end(args);
    pw_verify_found f = pw_found(value, c->opts.tol, t, law, PW_RULE_DIRECT);
    pw_found_note(&c->record, PW_FINDING_EVENT, f);
  }
  x->failed = true;
}

static void keep_name(pw_verify_events *x) {
  snprintf(x->here, sizeof x->here, "line %" PRId64 " of the events, `%.20s` at `%.80s`",
           x->table.number, x->e.kind, x->e.at);
}

static void wrong_event(pw_verify_events *x, const char *why) {
  keep_name(x);
  wrong(x, x->e.t, x->e.law, 1, "%s: %s", x->here, why);
}

/* ---- reading ---- */

static const char *state_name(const pw_model *m, int i) {
  return i < m->nq ? m->q_name[i] : m->u_name[i - m->nq];
}

static pawl_status find_column(pw_verify_events *x, int which, const char *name) {
  x->column[which] = pw_table_column(&x->table, name);
  if (x->column[which] >= 0) {
    return PAWL_OK;
  }
  pw_diag_ref ref =
      pw_error(x->diags, "E0621", PW_NO_SPAN, "`%s` has no column `%s`", x->table.path, name);
  pw_help(ref, "it must be the list of events as `pawl run` writes it");
  return PAWL_E_FILE;
}

static pawl_status find_columns(pw_verify_events *x) {
  const pw_model *m = x->c->sys->model;
  pawl_status status = PAWL_OK;
  for (int i = 0; i < STATES && status == PAWL_OK; i++) {
    status = find_column(x, i, names[i]);
  }
  for (int i = 0; i < 2 * x->n_state && status == PAWL_OK; i++) {
    char name[600];
    bool after = i >= x->n_state;
    snprintf(name, sizeof name, "%s(%.500s)", after ? "after" : "before",
             state_name(m, i - (after ? x->n_state : 0)));
    status = find_column(x, STATES + i, name);
  }
  return status;
}

static bool number(const char *text, double *out) {
  char *end;
  *out = strtod(text, &end);
  return end != text && *end == '\0' && isfinite(*out);
}

static int law_of(const pw_model *m, const char *name) {
  for (int i = 0; i < m->rows.n; i++) {
    if (strcmp(m->rows.items[i].law, name) == 0 || strcmp(m->rows.items[i].name, name) == 0) {
      return i;
    }
  }
  return -1;
}

/* A text that must come next in a line of JSON. */
static bool passes(const char **at, const char *text) {
  size_t len = strlen(text);
  bool same = strncmp(*at, text, len) == 0;
  *at += same ? len : 0;
  return same;
}

static bool passes_number(const char **at, double value) {
  char *end;
  double x = strtod(*at, &end);
  bool same = end != *at && x == value;
  *at = end;
  return same;
}

static bool passes_impulse(const char **at, const char *text) {
  if (*text == '\0') {
    return true;
  }
  bool same = passes(at, ",\"impulse\":"), vector = strchr(text, ' ') != NULL;
  same = same && (!vector || passes(at, "["));
  for (char *end; same; text = end) {
    double value = strtod(text, &end);
    if (end == text) {
      break;
    }
    same = passes_number(at, value);
    vector = same && vector && (passes(at, ",") || passes(at, "]"));
  }
  return same;
}

static bool passes_state(const char **at, const double *state, int n) {
  bool same = true;
  for (int i = 0; i < n && same; i++) {
    const char *value = strstr(*at, "\":");
    *at = value == NULL ? *at : value + 2;
    same = value != NULL && passes_number(at, state[i]);
  }
  return same && passes(at, "}");
}

/* Whether the line of JSON tells the same event. */
static bool same_line(const pw_verify_events *x) {
  const pw_event *e = &x->e;
  const char *at = x->lines.line;
  char text[64];
  snprintf(text, sizeof text, "\",\"cluster\":%" PRId64, e->cluster);
  return passes(&at, "{\"t\":") && passes_number(&at, e->t) && passes(&at, ",\"kind\":\"") &&
         passes(&at, e->kind) && passes(&at, "\",\"at\":\"") && passes(&at, e->at) &&
         passes(&at, text) && passes_impulse(&at, e->impulse) && passes(&at, ",\"before\":{") &&
         passes_state(&at, e->before, x->n_state) && passes(&at, ",\"after\":{") &&
         passes_state(&at, e->after, x->n_state);
}

static pawl_status read_lines(pw_verify_events *x) {
  bool line = false;
  pawl_status status = x->has_lines ? pw_table_line(&x->lines, &line, x->diags) : PAWL_OK;
  if (status == PAWL_OK && x->has_lines && line != x->more) {
    wrong(x, x->row_t, -1, 1, "`%s` has %s lines than `%s` has events", x->lines.path,
          line ? "more" : "fewer", x->table.path);
  } else if (status == PAWL_OK && line && !same_line(x)) {
    wrong_event(x, "the list in JSON tells something else");
  }
  return status;
}

static pawl_status next_event(pw_verify_events *x) {
  pawl_status status = pw_table_fields(&x->table, x->field, &x->more, x->diags);
  if (status != PAWL_OK) {
    return status;
  }
  if (x->more) {
    pw_event *e = &x->e;
    char **f = x->field;
    double cluster = 0;
    e->kind = f[x->column[KIND]];
    e->at = f[x->column[AT]];
    e->impulse = f[x->column[IMPULSE]];
    e->law = law_of(x->c->sys->model, e->at);
    bool fine = number(f[x->column[T]], &e->t) && number(f[x->column[CLUSTER]], &cluster);
    for (int i = 0; i < 2 * x->n_state; i++) {
      fine = number(f[x->column[STATES + i]], &e->before[i]) && fine;
    }
    if (!fine || fabs(cluster) > 1e15) {
      pw_error(x->diags, "E0622", PW_NO_SPAN, "line %" PRId64 " of `%s` is no event",
               x->table.number, x->table.path);
      return PAWL_E_FILE;
    }
    e->cluster = (int64_t)cluster;
  }
  return read_lines(x);
}

/* ---- where events can be ---- */

enum { NEAR, BEFORE, AFTER, TURNS }; /* which side has the measure zero */
typedef struct place {
  const char *kind;
  unsigned laws; /* kinds of laws, by bits */
  int where;
} place;

#define BIT(name) (1u << PW_KIND_##name)
static const unsigned engages = BIT(ONE_SIDED_VELOCITY) | BIT(SPRING) | BIT(LAW) | BIT(SERVO) |
                                BIT(VAKONOMIC) | BIT(INERTIA) | BIT(VISCOUS) | BIT(ROUGH) |
                                BIT(KINK);

static bool may_be(const char *kind, pw_kind law, int *where) {
  const unsigned rubs = BIT(FRICTION) | BIT(LAW) | BIT(ROUGH) | BIT(SERIES);
  const unsigned slips = rubs | BIT(KINK); /* of a dissipation */
  const place places[] = {{"impact", BIT(UNILATERAL) | BIT(ONE_SIDED_VELOCITY) | rubs, NEAR},
                          {"rest", BIT(UNILATERAL), NEAR},
                          {"close", BIT(UNILATERAL) | BIT(TOUCH), NEAR},
                          {"liftoff", BIT(UNILATERAL) | BIT(TOUCH), NEAR},
                          {"stick", slips, AFTER},
                          {"slip", slips, BEFORE},
                          {"reverse", slips, TURNS},
                          {"engage", engages, NEAR},
                          {"release", engages, NEAR}};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    if (strcmp(places[i].kind, kind) == 0) {
      *where = places[i].where;
      return (places[i].laws >> law & 1u) != 0;
    }
  }
  return false;
}

/* The least measure of a law, as a length or speed in the metric, at the last probe. */
static double least(const pw_verify_events *x, int law, bool *velocity) {
  const pw_system *s = x->c->sys;
  const pw_probe *p = &x->c->probe;
  double found = INFINITY;
  for (int i = 0; i < s->nr; i++) {
    if (s->row_of[i] == law && p->length[i] > 0) {
      *velocity = s->row[i].on_velocity;
      found = pw_min(found, fabs(pw_probe_measure(p, i)) / p->length[i]);
    }
  }
  return found;
}

/* when: switching surfaces on the side before the instant (-1), after it (1), or at it. */
static bool probe(pw_verify_events *x, double t, const double *state, int when) {
  pawl_certifier *c = x->c;
  const pw_model *m = c->sys->model;
  double *u = c->room.u_body;
  memcpy(u, state + m->nq, (size_t)m->nv * sizeof *state);
  pw_motion_into_body(m, state, u);
  double ahead = when * PW_SCALE(CERT_AHEAD) * c->scale.span;
  return pw_probe_beside(&c->probe, t, state, u, ahead);
}

/* The measure of the law at one side is zero, as well as such numbers can be. */
static bool is_zero(pw_verify_events *x, int when) {
  bool velocity = false;
  if (x->c->sys->n_state > 0 || !probe(x, x->e.t, when < 0 ? x->e.before : x->e.after, when)) {
    return true;
  }
  double value = least(x, x->e.law, &velocity);
  double whole = velocity ? x->speed : pw_max(x->c->scale.L0, x->c->scale.extent);
  double part = PW_SCALE(CERT_EVENT_ZERO) + PW_SCALE(CERT_QUICK_NOISE) * x->c->data.noise;
  double coarse = velocity ? pw_steps_slack(&x->c->steps) : pw_steps_way(&x->c->steps);
  return isinf(value) || value <= part * whole + coarse * x->speed;
}

/* The slip at one side, with its sign; 0: unknown. */
static double slip_at(pw_verify_events *x, int when) {
  const pw_system *s = x->c->sys;
  if (!probe(x, x->e.t, when < 0 ? x->e.before : x->e.after, when)) {
    return 0;
  }
  for (int i = 0; i < s->nr; i++) {
    if (s->row_of[i] == x->e.law) {
      return x->c->probe.value[i];
    }
  }
  return 0;
}

/* A slip that turns round is zero at one side, or passes zero in the jump. */
static bool turns(pw_verify_events *x) {
  return is_zero(x, -1) || is_zero(x, 1) || slip_at(x, -1) * slip_at(x, 1) < 0;
}

/* The rate of a contact after the event is zero. */
static bool stays(pw_verify_events *x) {
  const pw_system *s = x->c->sys;
  int i = s->index_of[x->e.law];
  if (i < 0 || s->n_state > 0 || !probe(x, x->e.t, x->e.after, 1)) {
    return true;
  }
  double part = PW_SCALE(CERT_EVENT_ZERO) + pw_steps_slack(&x->c->steps);
  return fabs(x->c->probe.rate[i]) <= part * x->speed * x->c->probe.length[i];
}

static bool is_user_event(const pw_model *m, const char *name) {
  for (int i = 0; i < m->events.n; i++) {
    if (strcmp(m->events.items[i].name, name) == 0) {
      return true;
    }
  }
  return false;
}

static bool is_kind(const pw_verify_events *x, const char *kind) {
  return strcmp(x->e.kind, kind) == 0;
}

static void check_place(pw_verify_events *x) {
  const pw_event *e = &x->e;
  const pw_model *m = x->c->sys->model;
  int where = NEAR;
  bool strikes = is_kind(x, "impact") || is_kind(x, "rest"), has = e->impulse[0] != '\0';
  if (has != strikes && !is_kind(x, "engage")) {
    wrong_event(x, has ? "events of this kind have no impulse" : "it lacks its impulse");
  } else if (is_kind(x, "user") || is_kind(x, "stop") || is_kind(x, "strobe")) {
    bool end = is_kind(x, "stop") && e->law >= 0 && e->t >= x->c->opts.to; /* it cannot go on */
    if (!is_user_event(m, e->at) && !end) {
      wrong_event(x, "the model has no event of this name");
    }
  } else if (e->law < 0) {
    wrong_event(x, "the model has no law of this name");
  } else if (!may_be(e->kind, m->rows.items[e->law].kind, &where)) {
    wrong_event(x, "this law has no events of this kind");
  } else if (m->rows.items[e->law].count > 1) {
    return; /* directions in the plane */
  } else if (where == TURNS) {
    if (!turns(x)) {
      wrong_event(x, "the slip does not turn there");
    }
  } else if (!is_zero(x, where == AFTER ? 1 : -1) && (where != NEAR || !is_zero(x, 1))) {
    wrong_event(x, "the law is not at its limit there");
  } else if ((is_kind(x, "rest") || is_kind(x, "close")) && !stays(x)) {
    wrong_event(x, "the contact does not stay closed");
  }
}

/* ---- impulses ---- */

/* NAN: this law has no impulse in the list. */
static void take_impulses(pw_verify_events *x) {
  const pw_model *m = x->c->sys->model;
  const char *at = x->e.impulse;
  int count = x->e.law < 0 ? 0 : m->rows.items[x->e.law].count;
  for (int i = 0; i < count && *at != '\0'; i++) {
    char *end;
    double value = strtod(at, &end);
    if (end == at) {
      break;
    }
    double *to = &x->given[x->e.law + i];
    if (!isnan(*to)) {
      wrong_event(x, "it stands twice in the list");
    }
    *to = value;
    at = end;
  }
}

/* What jumps: the momenta where the mass matrix depends on the velocities, else the speeds. */
static const double *impetus(pawl_certifier *c) {
  return c->sys->trait.curved ? pw_probe_momenta(&c->probe) : c->probe.speed;
}

/* L^-1 of the jump of the momentum less the impulses in the list, as near to zero as rows without
 * one there bring it: equalities, and what acts along contacts that are struck. At the end of a
 * series the rows have the whole of it, which the list has in two parts. */
static double imbalance(pw_verify_events *x, const double *slow, const double *after, bool ends,
                        double *size) {
  pawl_certifier *c = x->c;
  const pw_system *s = c->sys;
  const pw_probe *p = &c->probe;
  const double *fast = impetus(c);
  double *rest = x->speeds + s->nv;
  pw_jump here = {.c = c};

  /* The jump of the momentum, in the metric. Rates of coordinates without inertia need no impulse.
   */
  if (s->trait.balances) {
    pw_verify_jump_of(s, after + s->nq, x->row + s->nq, c->room.scratch);
    pw_motion_into_body(s->model, after, c->room.scratch);
    pw_probe_lift(p, c->room.scratch, rest);
  } else {
    for (int i = 0; i < s->nv; i++) {
      rest[i] = fast[i] - slow[i];
    }
  }
  if (s->trait.curved) {
    pw_probe_forward(p, rest);
  }
  *size = pw_norm2(rest, s->nv);

  /* Impulses in the list are taken off; struck rows without one may have any. */
  pw_reach_begin(&c->room.reach);
  for (int i = 0; i < s->nr; i++) {
    int law = s->row_of[i];
    const double *push = p->A + (size_t)i * (size_t)s->nv;
    if (!isnan(x->given[law]) && !ends) {
      pw_axpy(s->index_of[law] == i ? -pw_law_multiplier(&s->row[i], x->given[law]) : 0, push, rest,
              s->nv);
      continue;
    }
    bool contact = pw_law_is_wall(&s->row[i]) && !s->row[i].on_velocity;
    if (pw_jump_is_struck(&here, i) && (!contact || ends)) {
      double *to = pw_reach_add(&c->room.reach, -INFINITY, INFINITY);
      if (to != NULL) {
        memcpy(to, push, (size_t)s->nv * sizeof *to);
      }
    }
  }

  /* What no such row explains is the imbalance. */
  pw_reach_solve(&c->room.reach, rest);
  return c->room.reach.distance;
}

static void check_impulses(pw_verify_events *x, double t, int law, bool ends, const double *after) {
  pawl_certifier *c = x->c;
  double *slow = x->speeds, size = 0;
  bool by_steps = c->steps.scheme == PW_SCHEME_MOREAU; /* percussions were judged in their steps */
  if (x->failed || by_steps || c->sys->n_state > 0 || !probe(x, t, x->row, 0)) {
    return;
  }
  memcpy(slow, impetus(c), (size_t)c->sys->nv * sizeof *slow);
  if (!probe(x, t, after, 0)) {
    return;
  }
  double off = imbalance(x, slow, after, ends, &size),
         blur = PW_SCALE(CERT_NOISE_SUM) * c->data.noise * x->speed;
  blur += c->sys->trait.balances ? PW_SCALE(CERT_ZERO) * c->scale.V0 : 0; /* as at corners */
  double value = off / (size + blur);
  if (off > c->opts.tol * size + blur) {
    wrong(x, t, law, value, "%s: the impulses of this instant do not make the jump of the rows",
          x->here);
  } else {
    pw_verify_found f = pw_found(value, c->opts.tol + blur / (size + blur), t, -1, PW_RULE_DIRECT);
    pw_found_note(&c->record, PW_FINDING_EVENT, f);
  }
}

/* ---- rows ---- */

static bool same_state(const pw_verify_events *x, const double *a, const double *b) {
  for (int i = 0; i < x->n_state; i++) {
    if (!(fabs(a[i] - b[i]) <= PW_SCALE(CERT_EVENT_SAME) * x->most[i])) {
      return false;
    }
  }
  return true;
}

/* The cluster whose first event is the present one, between two rows. */
static pawl_status take_cluster(pw_verify_events *x, const double *after) {
  double t = x->e.t;
  int64_t cluster = x->e.cluster;
  pawl_status status = PAWL_OK;

  /* No law has an impulse yet. */
  for (int i = 0; i < x->c->sys->model->rows.n; i++) {
    x->given[i] = NAN;
  }
  bool last = false, ends = false;
  int law = -1;
  x->here[0] = '\0';

  /* Each event of the cluster has the states of the rows and a place where it can happen. */
  while (status == PAWL_OK && !last && !x->failed) {
    if (!same_state(x, x->e.before, x->row) || !same_state(x, x->e.after, after)) {
      wrong_event(x, "its states are not those of the rows");
    }
    check_place(x);
    take_impulses(x);
    ends = ends || is_kind(x, "rest");
    if (x->here[0] == '\0' || x->e.impulse[0] != '\0') {
      keep_name(x);
      law = x->e.law;
    }
    status = next_event(x);
    last = !x->more || x->e.t != t || x->e.cluster != cluster;
  }

  /* All impulses of the cluster together explain the jump of the momentum. */
  if (status == PAWL_OK) {
    ends = ends || (x->more && is_kind(x, "rest"));
    check_impulses(x, t, law, ends, after);
  }
  return status;
}

/* Two rows of one time. */
static pawl_status take_pair(pw_verify_events *x, const double *after) {
  bool here = x->more && x->e.t == x->row_t;
  bool fits = here && same_state(x, x->e.before, x->row) && same_state(x, x->e.after, after);
  if (fits) {
    x->told = true;
    return take_cluster(x, after);
  }
  if (same_state(x, x->row, after)) {
    x->alike = true; /* beside a jump, or there is an event missing */
  } else if (here) {
    wrong_event(x, "its states are not those of the rows");
  } else {
    wrong(x, x->row_t, -1, 1, "the velocities jump at t = %.9g, where the list has no event",
          x->row_t);
  }
  return PAWL_OK;
}

/* The time of the newest row is over, for all rows from now on are at t or later. */
static void leave_time(pw_verify_events *x, double t) {
  if (x->alike && x->more && x->e.t == x->row_t) {
    wrong_event(x, "its states are not those of the rows");
  } else if (x->alike && !x->told) {
    wrong(x, x->row_t, -1, 1, "there are two rows at t = %.9g, where the list has no event",
          x->row_t);
  }
  if (x->more && x->e.t < t) {
    wrong_event(x, "the rows have no two sides of an instant at its time");
  }
  x->alike = x->told = false;
}

pawl_status pw_events_row(pw_verify_events *x, double t, const double *state) {
  pawl_status status = PAWL_OK;
  if (x->failed) {
    return status;
  }
  if (x->any_row && t == x->row_t) {
    status = take_pair(x, state);
  } else {
    leave_time(x, t);
  }
  memcpy(x->row, state, (size_t)x->n_state * sizeof *state);
  x->row_t = t;
  x->any_row = true;
  return status;
}

void pw_events_end(pw_verify_events *x) {
  if (!x->failed) {
    leave_time(x, INFINITY);
  }
}

pawl_status pw_events_open(pw_verify_events *x, pawl_certifier *c, const char *path,
                           const char *lines, const double *most, pawl_diags *diags) {
  const pw_model *m = c->sys->model;
  size_t n = (size_t)m->nq + (size_t)m->nv, rows = (size_t)m->rows.n;
  *x = (pw_verify_events){.c = c, .diags = diags, .n_state = (int)n, .has_lines = lines != NULL};
  pawl_status status = pw_table_open(&x->table, path, diags);
  if (status == PAWL_OK && lines != NULL) {
    status = pw_table_begin(&x->lines, lines, diags);
  }
  if (status != PAWL_OK) {
    return status;
  }

  /* One block for states before and after, the row, sizes and impulses. */
  x->column = calloc(STATES + 2 * n, sizeof *x->column);
  x->field = calloc((size_t)x->table.n_col + 1, sizeof *x->field);
  x->real = calloc(4 * n + rows + 2 * (size_t)m->nv + 1, sizeof *x->real);
  if (x->column == NULL || x->field == NULL || x->real == NULL) {
    return PAWL_E_MEMORY;
  }
  x->e.before = x->real;
  x->e.after = x->e.before + n;
  x->row = x->e.after + n;
  x->most = x->row + n;
  x->given = x->most + n;
  x->speeds = x->given + rows;

  /* The largest speed in the metric of the masses, for what counts as zero. */
  memcpy(x->most, most, n * sizeof *most);
  for (int i = 0; i < m->nv; i++) {
    x->speed = hypot(x->speed, c->scale.mass[i] * most[m->nq + i]);
  }
  status = find_columns(x);
  return status == PAWL_OK ? next_event(x) : status;
}

void pw_events_close(pw_verify_events *x) {
  pw_table_close(&x->table);
  pw_table_close(&x->lines);
  free(x->column);
  free(x->field);
  free(x->real);
  *x = (pw_verify_events){0};
}
