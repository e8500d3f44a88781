// SPDX-License-Identifier: MIT
#include "summary.h"

#include <math.h>
#include <string.h>

void summary_add(summary_events *events, const pawl_run_event *e) {
  long i = events->count++;
  summary_event *kept = i < SUMMARY_HEAD ? &events->head[i] : &events->tail[i % SUMMARY_TAIL];
  *kept = (summary_event){.t = e->event.t, .dE = e->event.dE, .n_impulse = e->event.n_impulse};
  snprintf(kept->kind, sizeof kept->kind, "%s", e->event.kind);
  snprintf(kept->at, sizeof kept->at, "%s", e->event.at);
  snprintf(kept->flag, sizeof kept->flag, "%s", e->event.flag == NULL ? "" : e->event.flag);
  if (e->event.n_impulse > 0) {
    kept->impulse = e->event.impulse[0];
    events->jumps = true;
  }
  for (int k = 0; k < events->n_state; k++) {
    kept->state[k] = k < events->nq ? e->q_after[k] : e->u_after[k - events->nq];
  }
}

static void print_event(const summary_events *events, const summary_event *e) {
  printf("  %-12.9f %-8s %-8s", e->t, e->kind, e->at);
  for (int k = 0; k < events->n_state; k++) {
    printf(" %11.6g", e->state[k]);
  }
  if (events->jumps && e->n_impulse > 0) {
    printf(" %11.6g %11.6g", e->impulse, e->dE);
  }
  printf("%s%s\n", e->flag[0] == '\0' ? "" : "  ", e->flag);
}

static void print_events(const pawl_system *sys, const summary_events *events) {
  if (events->count == 0) {
    return;
  }
  printf("  %-12s %-8s %-8s", "t", "event", "at");
  for (int k = 0; k < events->n_state; k++) {
    printf(" %11s",
           k < events->nq ? pawl_position_name(sys, k) : pawl_velocity_name(sys, k - events->nq));
  }
  printf("%s\n", events->jumps ? "     impulse      energy" : "");
  for (long i = 0; i < events->count && i < SUMMARY_HEAD; i++) {
    print_event(events, &events->head[i]);
  }
  long left = events->count - SUMMARY_HEAD - SUMMARY_TAIL;
  if (left > 0) {
    printf("  %-12s %ld more\n", "...", left);
  }
  for (long i = left > 0 ? SUMMARY_HEAD + left : SUMMARY_HEAD; i < events->count; i++) {
    print_event(events, &events->tail[i % SUMMARY_TAIL]);
  }
}

/* To six places, and never "-0.000000". */
static double rounded(double x) {
  return fabs(x) < 5e-7 ? 0 : x;
}

/* start = end + lost - work, entry by entry; what is 0 to the digits shown is left out. */
static void print_energy(const pawl_run *run, const pawl_run_result *r) {
  const pawl_system *sys = pawl_run_system(run);
  const pawl_energy *e = &r->energy;
  double small = 5e-7 * fabs(e->scale);
  printf("energy       %.6f = %.6f at end", rounded(e->start), rounded(e->kinetic + e->potential));
  for (int i = 0; i < pawl_system_works(sys); i++) {
    pawl_work_info work = pawl_work_get(sys, i);
    double shown = work.lost ? r->works[i] : -r->works[i];
    if (!(fabs(shown) <= small)) {
      printf(" %c %.6f %s %s", shown < 0 ? '-' : '+', fabs(shown),
             work.lost ? "lost at" : "work of", work.name);
    }
  }
  printf("   (unexplained %.1g)\n", e->unexplained);
}

static void print_ending(const pawl_run_result *r) {
  if (r->ending == PAWL_ENDED_BY_EVENT) {
    printf("stopped      at t = %.9g by an event\n", r->t);
  } else if (r->ending == PAWL_STOPPED_EARLY) {
    printf("stopped      early at t = %.9g: %s\n", r->t, pawl_status_text(r->status));
  } else if (r->ending == PAWL_INTERRUPTED) {
    printf("stopped      at t = %.9g: interrupted\n", r->t);
  }
}

static void print_end_state(pawl_run *run) {
  const pawl_system *sys = pawl_run_system(run);
  pawl_sim *sim = pawl_run_sim(run);
  pawl_point p;
  if (pawl_sim_point(sim, PAWL_AFTER, &p) != PAWL_OK) {
    return;
  }
  printf("at the end   t = %.9g\n", p.t);
  for (int i = 0; i < pawl_system_positions(sys); i++) {
    printf("  %-16s %.12g\n", pawl_position_name(sys, i), p.q[i]);
  }
  for (int i = 0; i < pawl_system_velocities(sys); i++) {
    printf("  %-16s %.12g\n", pawl_velocity_name(sys, i), p.u[i]);
  }
  for (int i = 0; i < pawl_system_laws(sys); i++) {
    printf("  force(%s)%*s %.12g%s\n", pawl_law_get(sys, i).name,
           9 - (int)strlen(pawl_law_get(sys, i).name), "", p.force[i],
           pawl_sim_force_unique(sim, i) ? "" : " *");
  }
  for (int i = 0; i < pawl_system_outputs(sys); i++) {
    printf("  %-16s %.12g\n", pawl_output_name(sys, i), p.output[i]);
  }
}

static void print_numbers(const pawl_run_result *r) {
  printf("integration  %s, %ld steps, %ld rejected, %ld evaluations\n",
         r->stats.method == PAWL_METHOD_DOP853 ? "dop853" : "dp5", r->stats.steps,
         r->stats.rejected, r->stats.evaluations);
}

void summary_expectations(const pawl_run *run, FILE *out, const char *indent) {
  const pawl_system *sys = pawl_run_system(run);
  for (int i = 0; i < pawl_system_expectations(sys); i++) {
    pawl_outcome o = pawl_run_outcome(run, i);
    if (!o.ok) {
      pawl_expectation_info info = pawl_expectation_get(sys, i);
      fprintf(out, "%s%s:%d: expect %s: %s\n", indent, pawl_system_file(sys), info.line, info.text,
              o.reason);
    }
  }
}

void summary_print(pawl_run *run, const summary_events *events, bool verbose) {
  const pawl_system *sys = pawl_run_system(run);
  pawl_run_result r = pawl_run_result_get(run);
  printf("%s: ", pawl_system_file(sys));
  cli_print_kinds(stdout, sys);
  printf("; %.9g..%.9g s, tol %.0e, ", r.from, r.to, r.stats.tol);
  cli_print_time(stdout, r.wall);
  putchar('\n');
  print_events(sys, events);
  print_ending(&r);
  if (verbose) {
    print_end_state(run);
    print_numbers(&r);
  }
  print_energy(run, &r);
  puts("certificate  not yet checked");
  int n = pawl_system_expectations(sys);
  if (n > 0 && (r.ending == PAWL_ENDED || r.ending == PAWL_ENDED_BY_EVENT)) {
    printf("expected     %d of %d hold\n", n - r.failed, n);
  }
  if (r.saved) {
    const char *dir = pawl_run_dir(run);
    size_t len = strlen(dir);
    printf("wrote        %s%s  (trajectory.csv %ld rows, events.csv %ld rows, certificate.json)\n",
           dir, len > 0 && dir[len - 1] == '/' ? "" : "/", r.rows, r.events);
  }
}
