// SPDX-License-Identifier: MIT
/* Derivatives as records: `d(x)/d(e)` behind the records that have them. At the end these are
 * positions, velocities and outputs; at events it is the time, since GRADIENTS (D2) moves it. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "pawl/gradient.h"
#include "sweep/record.h"

/* The place of a record in pawl_gradient_end, or -1. */
static int place_at_end(const pawl_system *system, const char *name) {
  int nq = pawl_system_positions(system), nv = pawl_system_velocities(system);
  for (int i = 0; i < nq; i++) {
    if (strcmp(pawl_position_name(system, i), name) == 0) {
      return i;
    }
  }
  for (int i = 0; i < nv; i++) {
    if (strcmp(pawl_velocity_name(system, i), name) == 0) {
      return nq + i;
    }
  }
  for (int i = 0; i < pawl_system_outputs(system); i++) {
    if (strcmp(pawl_output_name(system, i), name) == 0) {
      return nq + nv + i;
    }
  }
  return -1;
}

/* -1: the record has no derivatives. */
static int place_of(const pw_sweep_record *r, const pawl_system *system, bool at_events) {
  return r->kind != PW_RECORD_VALUE ? -1
         : at_events                ? (strcmp(r->name, "t") == 0 ? 0 : -1)
                                    : place_at_end(system, r->name);
}

static pawl_status none_has_slopes(bool at_events, pawl_diags *diags) {
  pw_diag_ref ref = pw_error(diags, "E0812", PW_NO_SPAN, "no record has derivatives");
  pw_help(ref, at_events ? "at events the time has: record `t`"
                         : "at the end positions, velocities and outputs have");
  return PAWL_E_ARGUMENT;
}

/* "d(x)/d(e)" */
static char *slope_text(const char *of, const char *by) {
  static const char form[] = "d()/d()";
  size_t room = strlen(of) + strlen(by) + sizeof form;
  char *text = malloc(room);
  if (text != NULL) {
    snprintf(text, room, "d(%s)/d(%s)", of, by);
  }
  return text;
}

static pawl_status append(pw_sweep_records *r, int place, const char *of, int by,
                          const char *by_name) {
  char *name = slope_text(of, by_name);
  if (name == NULL) {
    return PAWL_E_MEMORY;
  }
  r->item[r->n++] =
      (pw_sweep_record){.kind = PW_RECORD_SLOPE, .name = name, .place = place, .by = by};
  return PAWL_OK;
}

pawl_status pw_records_add_slopes(pw_sweep_records *r, const pawl_sweep_opts *opts,
                                  const pawl_run *run, pawl_diags *diags) {
  int n_name = opts->run.n_gradient, n_value = r->n;
  bool at_events = opts->at != NULL;
  if (n_name == 0) {
    return PAWL_OK;
  }
  if (opts->follow) {
    pw_error(diags, "E0812", PW_NO_SPAN, "members that follow each other have no derivatives");
    return PAWL_E_ARGUMENT;
  }
  pw_sweep_record *item =
      realloc(r->item, (size_t)n_value * (size_t)(1 + n_name) * sizeof *item + sizeof *item);
  if (item == NULL) {
    return PAWL_E_MEMORY;
  }
  r->item = item;
  pawl_status status = PAWL_OK;
  for (int i = 0; i < n_value; i++) {
    int place = place_of(&r->item[i], pawl_run_system(run), at_events);
    for (int k = 0; k < n_name && place >= 0 && status == PAWL_OK; k++) {
      status = append(r, place, r->item[i].name, k, opts->run.gradient[k]);
    }
  }
  return status == PAWL_OK && r->n == n_value ? none_has_slopes(at_events, diags) : status;
}

void pw_slopes_fill(const pw_sweep_records *r, const pawl_gradient *g, int64_t event,
                    double *value) {
  for (int i = 0; i < r->n; i++) {
    const pw_sweep_record *s = &r->item[i];
    if (s->kind == PW_RECORD_SLOPE && event >= 0) {
      value[i] = pawl_gradient_event(g, (int)event, s->by);
    } else if (s->kind == PW_RECORD_SLOPE) {
      const double *end = pawl_gradient_end(g, s->by);
      value[i] = end == NULL ? (double)NAN : end[s->place];
    }
  }
}
