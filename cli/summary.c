// SPDX-License-Identifier: MIT
#include "summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "certificate_line.h"
#include "event_table.h"
#include "event_units.h"

enum { MOST_WORKS = 6, FIXED_BELOW = 1000000 };

/* Six places, or seven digits where those would not do; never "-0.000000". */
static void print_number(double x, double scale) {
  if (scale != 0 && (scale < 0.1 || scale >= FIXED_BELOW)) {
    printf("%.6e", fabs(x) < 5e-7 * scale ? 0 : x);
  } else {
    printf("%.6f", fabs(x) < 5e-7 ? 0 : x);
  }
}

static bool is_law(const pawl_system *sys, const char *name) {
  for (int i = 0; i < pawl_system_laws(sys); i++) {
    if (strcmp(pawl_law_get(sys, i).law, name) == 0) {
      return true;
    }
  }
  return false;
}

/* On the right side of start = end + lost - work. */
static double work_shown(const pawl_run *run, const pawl_run_result *r, int i) {
  return pawl_work_get(pawl_run_system(run), i).lost ? r->works[i] : -r->works[i];
}

static void print_work(double shown, double scale) {
  printf(" %c ", shown < 0 ? '-' : '+');
  print_number(fabs(shown), scale);
}

static void print_work_of(const pawl_system *sys, int i, double shown, double scale) {
  pawl_work_info work = pawl_work_get(sys, i);
  const char *what = !work.lost ? "work of" : shown < 0 ? "gained" : "lost";
  const char *where = !work.lost ? "" : is_law(sys, work.name) ? " at" : " in";
  print_work(shown, scale);
  printf(" %s%s %s", what, where, work.name);
}

/* Works above `least` one by one, the others (and equal ones that are too many) as a sum; what is 0
   to the digits shown is left out. */
static void print_works(const pawl_run *run, const pawl_run_result *r, double scale, double least) {
  const pawl_system *sys = pawl_run_system(run);
  double rest = 0;
  int named = 0, others = 0, last = 0;
  for (int i = 0; i < pawl_system_works(sys); i++) {
    double shown = work_shown(run, r, i);
    if (fabs(shown) <= 5e-7 * scale) {
      continue;
    }
    if (fabs(shown) < least || named == MOST_WORKS) {
      rest += shown;
      others++;
      last = i;
    } else {
      named++;
      print_work_of(sys, i, shown, scale);
    }
  }
  if (others == 1) {
    print_work_of(sys, last, rest, scale);
  } else if (others > 1) {
    print_work(rest, scale);
    printf(" at %d others", others);
  }
}

/* The size of the MOST_WORKS-th largest work. */
static double least_shown(const pawl_run *run, const pawl_run_result *r) {
  double bound = INFINITY;
  for (int k = 0; k < MOST_WORKS && bound > 0; k++) {
    double next = 0;
    for (int i = 0; i < pawl_system_works(pawl_run_system(run)); i++) {
      double size = fabs(work_shown(run, r, i));
      next = size < bound && size > next ? size : next;
    }
    bound = next;
  }
  return bound;
}

/* The scale of the numbers of the line. Near a pole kinetic and potential energy grow without bound
   while their sum does not; then the sum, not its parts, decides which digits are shown. */
static double shown_scale(const pawl_run *run, const pawl_run_result *r) {
  const pawl_energy *e = &r->energy;
  double line = fmax(fabs(e->start), fabs(e->kinetic + e->potential));
  for (int i = 0; i < pawl_system_works(pawl_run_system(run)); i++) {
    line = fmax(line, fabs(r->works[i]));
  }
  return e->scale < FIXED_BELOW ? e->scale : line;
}

static void print_energy(const pawl_run *run, const pawl_run_result *r) {
  const pawl_energy *e = &r->energy;
  double scale = shown_scale(run, r);
  printf("energy       ");
  print_number(e->start, scale);
  printf(" = ");
  print_number(e->kinetic + e->potential, scale);
  printf(" at end");
  print_works(run, r, scale, least_shown(run, r));
  printf("   (unexplained %.1g)\n", e->unexplained);
}

/* `method auto`: which method made which part; of many parts the first ones. */
static void print_parts(const pawl_sim *sim) {
  enum { SHOWN = 5 };
  int n = pawl_sim_parts(sim), shown = n <= SHOWN + 1 ? n : SHOWN;
  if (n < 2) {
    return;
  }
  printf("method       ");
  for (int i = 0; i < shown; i++) {
    pawl_part part = pawl_sim_part(sim, i);
    printf("%s%s %.6g..%.6g", i == 0 ? "" : ", ", pawl_method_name(part.method), part.from,
           part.to);
  }
  if (shown < n) {
    printf(", and %d more parts", n - shown);
  }
  putchar('\n');
}

static void print_warnings(const event_flags *flags) {
  for (int i = 0; i < flags->n; i++) {
    const char *name = flags->flag[i].name;
    int64_t count = flags->flag[i].count;
    printf("warning      %s at %" PRId64 " event%s, first at t = %.9g at %s: %s\n", name, count,
           count == 1 ? "" : "s", flags->flag[i].t, flags->flag[i].at, event_flag_text(name));
  }
}

/* Instants with several motions, and which of them went on. */
static void print_paradoxes(const pawl_sim *sim) {
  for (int i = 0; i < pawl_sim_paradoxes(sim); i++) {
    pawl_several p = pawl_sim_paradox(sim, i);
    printf("paradox      at t = %.9g friction `%s` allows %d motions%s", p.t, p.at, p.branches,
           p.complete ? "" : " or more (INCOMPLETE)");
    puts(p.chosen == PAWL_CHOSEN_IMPACT ? "; an impact without collision comes first"
         : p.chosen < 0                 ? ""
                        : "; the one of least force is followed (--json lists them)");
  }
}

static void print_ending(const pawl_run_result *r) {
  if (r->ending == PAWL_ENDED_BY_EVENT) {
    printf("stopped      at t = %.9g by an event\n", r->t);
  } else if (r->ending == PAWL_STOPPED_EARLY) {
    printf("stopped      early at t = %.9g: %s\n", r->t, r->reason);
  } else if (r->ending == PAWL_INTERRUPTED) {
    printf("stopped      at t = %.9g: interrupted\n", r->t);
  }
}

/* With + 0.0, which makes -0 a 0. */
static void print_value(const char *name, double value, const char *unit) {
  const char *text = event_unit_text(unit);
  printf("  %-16s %.12g%s%s\n", name, value + 0.0, *text ? " " : "", text);
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
    print_value(pawl_position_name(sys, i), p.q[i], pawl_position_unit(sys, i));
  }
  for (int i = 0; i < pawl_system_velocities(sys); i++) {
    print_value(pawl_velocity_name(sys, i), p.u[i], pawl_velocity_unit(sys, i));
  }

  for (int i = 0; i < pawl_system_laws(sys); i++) {
    pawl_law_info law = pawl_law_get(sys, i);
    int n = printf("  force(%s)", law.law);
    n += law.components > 1 ? printf("[%d]", law.component) : 0;
    printf("%*s %.12g%s%s%s\n", n < 18 ? 18 - n : 0, "", p.force[i] + 0.0,
           *event_unit_text(law.unit) ? " " : "", event_unit_text(law.unit),
           pawl_sim_force_unique(sim, i) ? "" : " *");
  }
  for (int i = 0; i < pawl_system_outputs(sys); i++) {
    print_value(pawl_output_name(sys, i), p.output[i], pawl_output_unit(sys, i));
  }
}

static void print_numbers(const pawl_run_result *r) {
  const pawl_sim_stats *s = &r->stats;
  printf("integration  %s", pawl_method_name(s->method));
  const struct {
    pawl_method method;
    int64_t steps;
  } all[] = {{PAWL_METHOD_DP5, s->steps_dp5},
             {PAWL_METHOD_DOP853, s->steps_dop853},
             {PAWL_METHOD_RADAU, s->steps_radau}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (all[i].steps > 0 && all[i].method != s->method) {
      printf(" and %" PRId64 " steps %s", all[i].steps, pawl_method_name(all[i].method));
    }
  }
  printf(", %" PRId64 " steps, %" PRId64 " rejected, %" PRId64 " evaluations\n", s->steps,
         s->rejected, s->evaluations);
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

static void print_written(const char *dir, const pawl_run_result *r) {
  static const char *const others[] = {"report.html", "trajectory.npz", "trajectory.h5"};
  char found[3][32] = {""};
  size_t len = strlen(dir);
  const char *slash = len > 0 && dir[len - 1] == '/' ? "" : "/";
  for (int i = 0; i < 3; i++) {
    char path[4200];
    int n = snprintf(path, sizeof path, "%s%s%s", dir, slash, others[i]);
    if (n > 0 && (size_t)n < sizeof path && access(path, F_OK) == 0) {
      snprintf(found[i], sizeof found[i], i == 0 ? "%s, " : ", %s", others[i]);
    }
  }
  printf("wrote        %s%s  (%strajectory.csv %" PRId64 " row%s, events.csv %" PRId64
         " row%s%s%s, "
         "certificate.json)\n",
         dir, slash, found[0], r->rows, r->rows == 1 ? "" : "s", r->events,
         r->events == 1 ? "" : "s", found[1], found[2]);
  if (r->left_out > 0) {
    printf(
        "             motion.pwt is whole until t = %.9g; of later steps it has those with rows or "
        "events (--motion-bytes)\n",
        r->whole_until);
  }
}

enum { GREEN = 32, YELLOW = 33, RED = 31 };

/* Words of verdicts, the first that occurs in a line is shown in its colour. */
static const struct {
  const char *word;
  int color;
} verdicts[] = {{"PASS", GREEN}, {"FAIL", RED}, {"UNDECIDED", YELLOW}, {"not checked", YELLOW}};

static void print_colored(const char *line, bool color) {
  for (size_t i = 0; color && i < sizeof verdicts / sizeof *verdicts; i++) {
    const char *at = strstr(line, verdicts[i].word);
    if (at != NULL) {
      printf("%.*s\033[1;%dm%s\033[0m%s", (int)(at - line), line, verdicts[i].color,
             verdicts[i].word, at + strlen(verdicts[i].word));
      return;
    }
  }
  fputs(line, stdout);
}

static void print_certificate(const pawl_run *run, bool color) {
  pawl_certificate certificate = pawl_run_certificate(run);
  char *line = NULL;
  size_t size = 0;
  FILE *text = open_memstream(&line, &size);
  if (text == NULL) {
    cli_enough(NULL);
  }
  certificate_line(&certificate, pawl_run_certifier(run), text);
  bool whole = fclose(text) == 0 && line != NULL;
  print_colored(cli_enough(whole ? line : NULL), color);
  free(line);
}

static void print_expected(const pawl_run *run, const pawl_run_result *r, bool color) {
  int n = pawl_system_expectations(pawl_run_system(run));
  if (n > 0 && (r->ending == PAWL_ENDED || r->ending == PAWL_ENDED_BY_EVENT)) {
    const char *on = !color ? "" : r->failed > 0 ? "\033[1;31m" : "\033[1;32m";
    printf("expected     %s%d of %d hold%s\n", on, n - r->failed, n, color ? "\033[0m" : "");
  }
}

void summary_line(const pawl_run *run, int64_t number, bool color) {
  pawl_run_result r = pawl_run_result_get(run);
  pawl_certificate k = pawl_run_certificate(run);
  bool bad = r.failed > 0 || r.not_a_motion || r.ending == PAWL_STOPPED_EARLY;
  const char *on = !color ? "" : bad ? "\033[1;31m" : "\033[1;32m";
  printf("run %" PRId64 "  t = %.9g, %" PRId64 " event%s, %s%s%s, ", number, r.t, r.events,
         r.events == 1 ? "" : "s", on, pawl_verdict_text(k.verdict), color ? "\033[0m" : "");
  if (r.failed > 0) {
    printf("%d expectation%s failed, ", r.failed, r.failed == 1 ? "" : "s");
  }
  if (r.ending == PAWL_STOPPED_EARLY) {
    printf("stopped early, ");
  }
  cli_print_time(stdout, r.wall);
  const char *dir = pawl_run_dir(run);
  char report[4200];
  int n = dir == NULL ? -1 : snprintf(report, sizeof report, "%s/report.html", dir);
  bool there = n > 0 && (size_t)n < sizeof report && access(report, F_OK) == 0;
  printf(", %s\n", dir == NULL ? "not saved" : there ? report : dir);
}

void summary_print(pawl_run *run, const summary_opts *opts) {
  const pawl_system *sys = pawl_run_system(run);
  pawl_run_result r = pawl_run_result_get(run);
  printf("%s: ", pawl_system_file(sys));
  cli_print_kinds(stdout, sys);
  printf("; %.9g..%.9g s, tol %.0e, ", r.from, r.to, r.stats.tol);
  cli_print_time(stdout, r.wall);
  putchar('\n');
  event_flags flags = {0};
  const event_source from = {.dir = pawl_run_dir(run), .memory = opts->memory, .system = sys};
  event_table_print(&from, &(event_filter){0}, true, &flags);
  print_ending(&r);
  if (opts->verbose) {
    print_end_state(run);
    print_numbers(&r);
  }
  print_paradoxes(pawl_run_sim(run));
  print_warnings(&flags);
  print_parts(pawl_run_sim(run));
  print_energy(run, &r);
  print_certificate(run, opts->color);
  print_expected(run, &r, opts->color);
  if (pawl_run_dir(run) != NULL) {
    print_written(pawl_run_dir(run), &r);
  }
}
