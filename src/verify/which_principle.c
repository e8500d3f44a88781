// SPDX-License-Identifier: MIT
/* Which principle says what about this motion, certificates (C24)-(C26): every one is listed, with
 * its number, or with the reason why it says nothing. */
#include "verify/which_principle.h"

#include <math.h>

#include "verify/checker.h"

typedef struct entry {
  const char *name, *source;
  const char *reason; /* why it does not apply or was not checked; NULL: there is a number */
  bool applies;
  pawl_finding number;
} entry;

typedef struct census { /* what the model has */
  bool differential, servo, carried, inertia, own_forces;
} census;

static census count(const pw_system *s) {
  census n = {0};
  for (int i = 0; i < s->nr; i++) {
    pw_kind kind = s->row[i].kind;
    bool wall = i < s->nc || s->row[i].wall;
    n.differential =
        n.differential || kind == PW_KIND_NONHOLONOMIC || kind == PW_KIND_ONE_SIDED_VELOCITY;
    n.servo = n.servo || kind == PW_KIND_SERVO;
    n.carried = n.carried || pw_row_state(s, i) >= 0;
    n.inertia = n.inertia || kind == PW_KIND_INERTIA;
    n.own_forces = n.own_forces || !wall || kind == PW_KIND_ROUGH || kind == PW_KIND_SERVO;
  }
  return n;
}

static entry numbered(const char *name, const char *source, const pawl_certifier *c,
                      pw_finding_kind kind) {
  pawl_finding f = pawl_certify_finding(c, (int)kind);
  return (entry){name, source, isnan(f.t) ? "no instant showed it" : NULL, true, f};
}

static entry idle(const char *name, const char *source, const char *reason) {
  return (entry){name, source, reason, false, {"", "", NAN, NAN, NAN}};
}

/* -ds/|w| >= 0 over the family; a negative number is a violation. */
static entry hamilton_weak(const pawl_certifier *c, const census *n) {
  const char *name = "Hamilton, weak", *source = "Leine and Aeberhard, theorem 2";
  if (n->own_forces) {
    return idle(name, source,
                "friction, springs, rough contacts or servos have forces of their own, which "
                "belong into the inequality: d'Alembert, Jourdain and the weak form have them");
  }
  pawl_worst w = pawl_vary_worst(c->vary, 0);
  const char *untold = c->vary == NULL
                           ? "varied curves are tried by `pawl certify`, with multipliers that are "
                             "states given, on up to 20000 rows"
                           : "no variation is allowed";
  pawl_variation x = pawl_vary_get(c->vary, w.which);
  double tol = w.which < 0 ? NAN : c->opts.tol * x.parts / x.size;
  return (entry){name, source, w.which < 0 ? untold : NULL, true, {"", "", w.t, w.value, tol}};
}

/* The jump of the energy that moving walls do not explain, (C7). */
static entry hamilton_strong(const pawl_certifier *c, const census *n) {
  const char *name = "Hamilton, strong", *source = "Leine and Aeberhard, theorem 1";
  if (n->inertia || n->servo) {
    return idle(name, source, "a motor does work: the time is not free to be varied");
  }
  double most = fmax(c->jumps.gained, c->jumps.lost);
  return (entry){name, source, NULL, true, {"", "", NAN, most, c->opts.tol}};
}

/* Between jumps the balance of momenta, at a jump (2.10): the worse of the two. */
static entry weak_form(const pawl_certifier *c) {
  const char *name = "Lagrange and d'Alembert, weak form", *source = "weak solutions, (2.4)";
  entry e = numbered(name, source, c, PW_FINDING_MOMENTUM);
  entry jump = numbered(name, source, c, PW_FINDING_IMPULSE);
  double worst = e.reason == NULL ? e.number.value / e.number.tolerance : 0;
  if (jump.reason == NULL && !(jump.number.value / jump.number.tolerance <= worst)) {
    return jump;
  }
  if (e.reason != NULL) {
    e.reason = c->data.table
                   ? "multipliers that are states are not given, or there are too few rows"
                   : "every step was taken by the program itself; `pawl certify` balances the rows";
  }
  return e;
}

/* Kozlov (5.5), theory (51), sec. 6 and (7.2): one inequality, other variations. */
static int hoelder(const pawl_certifier *c, const census *n, entry *out) {
  const char *plain = "Hoelder, differential constraints", *servo = "Hoelder, servos of type I";
  const char *two = "Hoelder, servos of type II and vakonomic";
  out[0] = n->differential
               ? numbered(plain, "Kozlov (5.5)", c, PW_FINDING_JOURDAIN)
               : idle(plain, "Kozlov (5.5)", "no constraint on velocities acts along its gradient");
  out[1] = n->servo ? numbered(servo, "Kozlov sec. 6", c, PW_FINDING_JOURDAIN)
                    : idle(servo, "Kozlov sec. 6", "there is no servo");
  out[2] = n->carried ? numbered(two, "Kozlov (7.2)", c, PW_FINDING_FORCE)
                      : idle(two, "Kozlov (7.2)", "no multiplier is a state");
  out[3] = n->carried
               ? numbered("sign of the multipliers", "Kozlov sec. 7", c, PW_FINDING_SET)
               : idle("sign of the multipliers", "Kozlov sec. 7", "no multiplier is a state");
  return 4;
}

static void put_entry(pw_buf *out, const entry *e) {
  pw_buf_puts(out, "{\"name\":");
  pw_buf_json(out, e->name);
  pw_buf_puts(out, ",\"source\":");
  pw_buf_json(out, e->source);
  pw_buf_printf(out, ",\"applies\":%s", e->applies ? "true" : "false");
  if (e->reason != NULL) {
    pw_buf_puts(out, ",\"reason\":");
    pw_buf_json(out, e->reason);
  } else {
    pw_buf_json_or_null(out, ",\"value\":", e->number.value);
    pw_buf_json_or_null(out, ",\"tolerance\":", e->number.tolerance);
    pw_buf_json_or_null(out, ",\"t\":", e->number.t);
  }
  pw_buf_puts(out, "}");
}

void pw_principles_json(pw_buf *out, const pawl_certifier *c) {
  census n = count(c->sys);
  entry list[10];
  int k = 0;
  list[k++] = numbered("d'Alembert, displacements", "Glocker (4.2)", c, PW_FINDING_ALEMBERT);
  list[k++] = numbered("Jourdain, velocities", "Glocker (4.8)", c, PW_FINDING_JOURDAIN);
  list[k++] = numbered("Gauss, accelerations", "Glocker (4.11)", c, PW_FINDING_GAUSS);
  list[k++] = hamilton_weak(c, &n);
  list[k++] = hamilton_strong(c, &n);
  k += hoelder(c, &n, list + k);
  list[k++] = weak_form(c);
  pw_buf_puts(out, ",\"principles\":[");
  for (int i = 0; i < k; i++) {
    pw_buf_puts(out, i == 0 ? "" : ",");
    put_entry(out, &list[i]);
  }
  pw_buf_puts(out, "]");
}
