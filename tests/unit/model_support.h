// SPDX-License-Identifier: MIT
/* Shared by the tests of src/model: a text becomes a checked model with values for its variables.
 */
#ifndef PW_TESTS_MODEL_SUPPORT_H
#define PW_TESTS_MODEL_SUPPORT_H

#include <stdint.h>
#include <stdlib.h>

#include "check.h"
#include "lang/parse.h"
#include "model/model.h"

typedef struct bench {
  pw_arena arena;
  jmp_buf jump;
  pw_interner names;
  pw_sources sources;
  pw_ast ast;
  pawl_diags *diags;
  pw_model *m;
  bool ok;
  double t, q[64], u[64], a[64]; /* values of the variables */
} bench;

/* Parses and checks; the caller looks at b->ok. */
static inline void bench_open_with(bench *b, const char *text, const pw_override *o, int n) {
  *b = (bench){.ok = false};
  pw_arena_init(&b->arena, (size_t)1 << 30);
  b->arena.on_fail = &b->jump;
  if (pawl_diags_new(&b->diags) != PAWL_OK || setjmp(b->jump) != 0) {
    CHECK(b->diags == NULL);
    return;
  }
  pw_interner_init(&b->names, &b->arena);
  int file = pw_sources_add(&b->arena, &b->sources, "test.pawl", text, (int)strlen(text));
  pw_diags_use_sources(b->diags, &b->sources);
  b->ast.sources = &b->sources;
  pw_parse p = {.arena = &b->arena, .names = &b->names, .sources = &b->sources, .diags = b->diags};
  pw_parse_file(&p, file, &b->ast);
  CHECK_INT(pawl_diags_errors(b->diags), 0);
  b->ok = pw_model_check(&b->arena, &b->names, &b->ast, &b->sources, o, n, b->diags, &b->m);
}

static inline int bench_show(void *payload, const char *bytes, unsigned long count) {
  (void)payload;
  return fwrite(bytes, 1, count, stdout) == count ? 0 : 1;
}

static inline void bench_open(bench *b, const char *text) {
  bench_open_with(b, text, NULL, 0);
  if (!CHECK(b->ok)) {
    for (int i = 0; i < pawl_diags_count(b->diags); i++) {
      (void)!pawl_diag_write(pawl_diags_get(b->diags, i), 0, bench_show, NULL);
    }
    exit(1);
  }
}

static inline void bench_close(bench *b) {
  pawl_diags_free(b->diags);
  pw_arena_free(&b->arena);
}

static inline double bench_value(void *payload, int var) {
  const bench *b = payload;
  int i = pw_var_index(var);
  switch (pw_var_kind(var)) {
  case PW_VAR_TIME: return b->t;
  case PW_VAR_Q: return b->q[i];
  case PW_VAR_U: return b->u[i];
  case PW_VAR_A: return b->a[i];
  default: return 1000 * (double)pw_var_kind(var) + i;
  }
}

static inline double bench_eval(bench *b, pw_node node) {
  return pw_eval(b->m->dag, node, bench_value, b);
}

/* splitmix64, as a number in -1..1 */
static inline double bench_random(uint64_t *seed) {
  uint64_t z = (*seed += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  z ^= z >> 31;
  return 2 * (double)(z >> 11) * 0x1p-53 - 1;
}

/* A random state; quaternions have length 1. */
static inline void bench_shake(bench *b, uint64_t seed) {
  b->t = bench_random(&seed);
  for (int i = 0; i < 64; i++) {
    b->q[i] = bench_random(&seed);
    b->u[i] = bench_random(&seed);
    b->a[i] = bench_random(&seed);
  }
  for (int c = 0; c < b->m->coords.n; c++) {
    double *q = &b->q[b->m->coords.items[c].q];
    if (b->m->coords.items[c].is_rotation) {
      double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
      for (int i = 0; i < 4; i++) {
        q[i] /= n;
      }
    }
  }
}

static inline double bench_energy(bench *b, pw_stmt_kind kind) {
  double sum = 0;
  for (int i = 0; i < b->m->energies.n; i++) {
    if (b->m->energies.items[i].kind == kind) {
      sum += bench_eval(b, b->m->energies.items[i].value);
    }
  }
  return sum;
}

static inline double bench_output(bench *b, const char *name) {
  for (int i = 0; i < b->m->outputs.n; i++) {
    if (strcmp(b->m->outputs.items[i].name, name) == 0) {
      return bench_eval(b, b->m->outputs.items[i].value);
    }
  }
  CHECK_STR(name, "an output of the model");
  return (double)NAN;
}

static inline const pw_row *bench_row(const bench *b, const char *name) {
  for (int i = 0; i < b->m->rows.n; i++) {
    if (strcmp(b->m->rows.items[i].name, name) == 0) {
      return &b->m->rows.items[i];
    }
  }
  return NULL;
}

#endif
