// SPDX-License-Identifier: MIT
/* Connected parts of random sparse matrices, against a search over the graph of shared rows. */
#include <stdbool.h>

#include "check.h"
#include "linalg/parts.h"
#include "linalg_random.h"

enum { N = 12, K = 10 };

/* Parts by repeated search: columns reach each other through common coordinates or joins. */
static void search(const double *A, const int *joined, int *label) {
  int next = 0;
  for (int j = 0; j < K; j++) {
    label[j] = -1;
  }
  for (int first = 0; first < K; first++) {
    if (label[first] >= 0) {
      continue;
    }
    label[first] = next;
    for (int round = 0; round < K; round++) {
      for (int i = 0; i < K; i++) {
        for (int j = 0; j < K && label[i] == next; j++) {
          bool together = joined[i] == j || joined[j] == i;
          for (int c = 0; c < N; c++) {
            together = together || (A[i * N + c] != 0 && A[j * N + c] != 0);
          }
          label[j] = together ? next : label[j];
        }
      }
    }
    next++;
  }
}

static void random_matrices(void) {
  uint64_t s = 5;
  int memory[200], seen[N + 1] = {0};
  CHECK(pw_parts_ints(N, K) <= sizeof memory / sizeof *memory);
  for (int t = 0; t < 500; t++) {
    double A[N * K], pick[2 * K];
    int joined[K], label[K];
    random_fill(A, N * K, &s);
    random_fill(pick, 2 * K, &s);
    for (int i = 0; i < N * K; i++) {
      A[i] = A[i] > 0.6 ? A[i] : 0;
    }
    pw_parts p;
    pw_parts_begin(&p, N, K, memory);
    for (int j = 0; j < K; j++) {
      joined[j] = pick[j] > 0.8 ? (j + 3) % K : j;
      pw_parts_add(&p, j, A + j * N);
      pw_parts_join(&p, j, joined[j]);
    }
    search(A, joined, label);
    int count = pw_parts_end(&p);
    seen[count < N ? count : N]++;
    for (int part = 0, last = -1; part < count; part++) {
      int from = p.col_start[part];
      CHECK(p.col[from] > last); /* by first columns */
      last = p.col[from];
      for (int i = from; i < p.col_start[part + 1]; i++) {
        CHECK(label[p.col[i]] == part);
        CHECK(i == from || p.col[i] > p.col[i - 1]);
      }
      for (int i = p.coord_start[part]; i < p.coord_start[part + 1]; i++) {
        bool used = false;
        for (int j = 0; j < K; j++) {
          used = used || (A[j * N + p.coord[i]] != 0 && label[j] == part);
        }
        CHECK(used);
      }
    }
    CHECK(p.col_start[count] == K);
  }
  CHECK(seen[1] > 0 && seen[2] > 0 && seen[4] > 0);
}

static void no_columns(void) {
  int memory[20];
  pw_parts p;
  pw_parts_begin(&p, 4, 0, memory);
  CHECK(pw_parts_end(&p) == 0);
}

CHECK_MAIN({"random matrices", random_matrices}, {"no columns", no_columns})
