// SPDX-License-Identifier: MIT
/* The laboratory: a motion as rows, and variations that are summed over them in passes. */
#ifndef PW_VARY_LAB_H
#define PW_VARY_LAB_H

#include <stdint.h>

#include "base/buf.h"
#include "pawl/variations.h"
#include "traj/segment.h"
#include "verify/vary.h"

/* Rows of a motion at least: for bumps, and for curves that are solved for along it. */
enum { PW_LAB_FINE = 1000, PW_LAB_SOLVED = 4000 };
enum { PW_LAB_PARTS = 3, PW_LAB_MOST_ROWS = 200000, PW_LAB_NAME = 240 };

typedef struct pw_lab_entry {
  pawl_lab_family family;
  char along[PW_LAB_NAME];
  bool torn; /* the displacement jumps */
  double norm[2];
} pw_lab_entry;

typedef struct pw_lab_user { /* the caller's w and tau, as a model of functions of the time */
  pawl_system *functions;    /* NULL: there are none */
  pw_probe probe;
  pw_probe_tape tape;
  void *memory;
  int n, n_function;
  int *velocity;  /* n_function: the coordinate displaced; n: the time */
  bool w, tau;    /* which of the two the next pass takes */
  double *q, *u;  /* of the small model, which has one coordinate */
  bool undefined; /* one of them, or its rate, is no finite number, */
  double at;      /* first at this time */
} pw_lab_user;

struct pawl_lab {
  const pawl_system *system;
  const pw_system *sys;
  pawl_lab_opts opts;
  double *rows; /* stride each: t, q with multipliers, u in the body */
  int64_t n, cap;
  int stride;
  double *sample; /* a segment at one time */
  double span;    /* of the motion examined */
  int64_t steps;
  bool failed, many, gap; /* no memory; too many rows; a step was not stored */
  double near;
  double *extent; /* nq: how far each position goes */
  double *ends;   /* 2 (nv + 1): momenta and the energy at both ends */
  int64_t corners;
  double action;
  pw_lab_user user;
  pw_family family;
  pw_lab_entry *entry;
  int n_entry, entry_cap;
  pw_lab_entry worst;
  pawl_symmetries *symmetries;
  double *kept;          /* of each symmetry: the value at the start, the drift */
  pw_lab_entry *of_user; /* whose norms are reported; NULL: of the worst */
};

/* The next step of the motion; `values` numbers at each of its nodes. */
void pw_lab_take(pawl_lab *lab, const pw_segment *segment, int values);
/* Sizes of the motion, once it is whole. */
PAWL_NODISCARD pawl_status pw_lab_measure(pawl_lab *lab);

/* A new set of sums; then its variations; then all rows. */
PAWL_NODISCARD pawl_status pw_lab_sums(const pawl_lab *lab, pawl_vary **out);
PAWL_NODISCARD pawl_status pw_lab_pass(const pawl_lab *lab, pawl_vary *sums);
/* Variation i of a pass as the principle sees it. */
void pw_lab_judge(const pawl_lab *lab, const pawl_vary *sums, int i, pw_lab_entry *out);
/* Which inequality a weak variation of this model belongs to. */
const char *pw_lab_weak_principle(const pw_system *sys);
PAWL_NODISCARD pawl_status pw_lab_keep(pawl_lab *lab, const pw_lab_entry *entry);

/* Compiles the caller's functions; adds them to a pass: pw_lab_user_at, with the lab's user. */
PAWL_NODISCARD pawl_status pw_lab_user_new(pawl_lab *lab, pawl_diags *diags);
/* Columns of a table of the caller as functions in the text of that small model. */
PAWL_NODISCARD pawl_status pw_lab_columns(const char *text, pawl_diags *diags, pw_buf *out);
void pw_lab_user_free(pw_lab_user *user);
void pw_lab_user_at(double t, void *user, double *w, double *rate);

/* Conserved quantities, watched along the motion. */
PAWL_NODISCARD pawl_status pw_lab_conserve(pawl_lab *lab);
/* The search for the worst weak variation: replaces `worst` where it finds a worse one. */
PAWL_NODISCARD pawl_status pw_lab_search(const pawl_lab *lab, pw_lab_entry *worst);
/* Curves with delta phi >= 0 for laws whose multipliers are states, Kozlov (7.1). */
PAWL_NODISCARD pawl_status pw_lab_carried(pawl_lab *lab);

#endif
