// SPDX-License-Identifier: MIT
/* Common parts of both studies: motions as samples at equal times, their differences, series of
 * them and the orders fitted to these. All of it through the public functions. */
#ifndef PW_STUDY_STUDY_H
#define PW_STUDY_STUDY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/diag.h"
#include "pawl/study.h"

enum {
  PW_STUDY_SAMPLES = 401,
  PW_STUDY_MOST_ROWS = 12,
  PW_STUDY_MOST_SERIES = 16,
  PW_STUDY_TEXT = 240
};

/* Positions and velocities along the motion, both at its end. */
enum { PW_STUDY_POSITIONS, PW_STUDY_VELOCITIES, PW_STUDY_END, PW_STUDY_ERRORS };

typedef struct pw_course {
  int nq, nv, n; /* n: samples available, all unless the motion ended early */
  double *q, *u; /* by samples */
  double force;  /* largest force of the studied law, in size */
  double energy; /* largest kinetic one */
  bool struck;   /* its first impact: rates of the gap before and after, impulse */
  double before, after, impulse;
  int64_t steps, events;
} pw_course;

typedef struct pw_study_line {
  char name[PW_STUDY_TEXT], refused[PW_STUDY_TEXT];
  const char *by;
  int n;
  struct {
    double value, h; /* h: what the order is fitted against */
    int64_t steps, events;
    double error[PW_STUDY_ERRORS];
    char why[PW_STUDY_TEXT];
  } row[PW_STUDY_MOST_ROWS];
  double order[PW_STUDY_ERRORS];
} pw_study_line;

struct pawl_study {
  char *file;
  char law[PW_STUDY_TEXT]; /* "": a study of methods */
  const char *against;
  pw_course limit;
  double floor[PW_STUDY_ERRORS];
  int n;
  pw_study_line line[PW_STUDY_MOST_SERIES];
};

/* A compiled model with the overrides of the options and one more, which may be NULL. */
PAWL_NODISCARD pawl_status pw_study_system(const pawl_model *model, const pawl_study_opts *opts,
                                           const pawl_override *more, pawl_diags *diags,
                                           pawl_system **out);
/* The whole motion. law: whose force is recorded, a name without index; NULL: none. A motion that
 * ends early is PAWL_OK with fewer samples and `why`, unless memory or time ran out. */
PAWL_NODISCARD pawl_status pw_study_sample(const pawl_system *system, const pawl_study_opts *opts,
                                           const pawl_sim_opts *how, const char *law,
                                           pw_course *out, char why[PW_STUDY_TEXT]);
void pw_course_free(pw_course *s);
/* Differences from the limit. */
void pw_study_errors(const pw_course *limit, const pw_course *s, double error[PW_STUDY_ERRORS]);
/* The first error among the diagnostics as a text. */
void pw_study_reason(const pawl_diags *diags, char why[PW_STUDY_TEXT]);

/* The limit at the smallest tolerance that can be reached, and how exact it is. */
PAWL_NODISCARD pawl_status pw_study_limit(pawl_study *s, const pawl_system *system,
                                          const pawl_study_opts *opts, const char *law,
                                          pawl_diags *diags);

/* A new line, NULL: there are too many. */
pw_study_line *pw_study_begin(pawl_study *s, const char *name, const char *by);
/* Adds a row; h: the variable against which the order is fitted, 0: the mean step. */
PAWL_NODISCARD pawl_status pw_study_add(pawl_study *s, pw_study_line *line,
                                        const pawl_system *system, const pawl_study_opts *opts,
                                        const pawl_sim_opts *how, double value, double h);
void pw_study_fit(const pawl_study *s, pw_study_line *line);

PAWL_NODISCARD pawl_status pw_study_make(const char *file, pawl_study **out);

#endif
