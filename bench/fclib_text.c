// SPDX-License-Identifier: MIT
/* Siconos' text files: [dimension, contacts,] storage, rows, columns, matrix, q [, mu]. Storage 0
 * is dense by rows, 1 square blocks by rows (each block by columns), 2 a printed CSparse matrix. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fclib_read.h"

enum { MOST = 1 << 20 };

static bool read_int(FILE *file, int *value) {
  return fscanf(file, "%d", value) == 1 && *value >= 0 && *value <= MOST;
}

static double *read_vector(FILE *file, int n) {
  double *x = calloc((size_t)n + 1, sizeof *x);
  for (int i = 0; x != NULL && i < n; i++) {
    if (fscanf(file, "%lf", &x[i]) != 1) {
      free(x);
      return NULL;
    }
  }
  return x;
}

static bool read_dense(FILE *file, fclib_matrix *m) {
  int rows, cols;
  if (!read_int(file, &rows) || !read_int(file, &cols) || rows != m->rows || cols != m->cols) {
    return false;
  }
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < cols; j++) {
      double x;
      if (fscanf(file, "%lf", &x) != 1) {
        return false;
      }
      if (x != 0) {
        fclib_add(m, i, j, x);
      }
    }
  }
  return true;
}

/* sizes[k] is where block row (or column) k ends. */
static bool read_ends(FILE *file, int count, int *ends) {
  for (int i = 0; i < count; i++) {
    if (!read_int(file, &ends[i]) || (i > 0 && ends[i] < ends[i - 1])) {
      return false;
    }
  }
  return true;
}

static bool read_block(FILE *file, fclib_matrix *m, const int *ends, int i, int j) {
  int i0 = i > 0 ? ends[i - 1] : 0, j0 = j > 0 ? ends[j - 1] : 0;
  for (int b = j0; b < ends[j]; b++) {
    for (int a = i0; a < ends[i]; a++) {
      double x;
      if (fscanf(file, "%lf", &x) != 1) {
        return false;
      }
      fclib_add(m, a, b, x);
    }
  }
  return true;
}

/* blocks, rows, columns, ends of rows, ends of columns, two lengths, row starts, columns, then
 * each block after its number */
static bool read_blocks(FILE *file, fclib_matrix *m) {
  int blocks, n, n2, filled1, filled2, number;
  if (!read_int(file, &blocks) || !read_int(file, &n) || !read_int(file, &n2) || n != n2) {
    return false;
  }
  int *ends = calloc((size_t)n + 1, sizeof *ends), *start = calloc((size_t)n + 2, sizeof *start);
  int *col = calloc((size_t)blocks + 1, sizeof *col);
  bool fine = ends != NULL && start != NULL && col != NULL && read_ends(file, n, ends) &&
              read_ends(file, n, ends) && read_int(file, &filled1) && read_int(file, &filled2) &&
              filled1 == n + 1 && filled2 == blocks && read_ends(file, n + 1, start) &&
              start[n] == blocks;
  for (int k = 0; k < blocks && fine; k++) {
    fine = read_int(file, &col[k]) && col[k] < n;
  }
  for (int i = 0; i < n && fine; i++) {
    for (int k = start[i]; k < start[i + 1] && fine; k++) {
      fine = read_int(file, &number) && read_block(file, m, ends, i, col[k]);
    }
  }
  free(ends);
  free(start);
  free(col);
  return fine;
}

static bool read_columns(FILE *file, fclib_matrix *m) {
  char line[512];
  int origin, column = 0, row;
  long left = -1, found = 0;
  double x;
  if (!read_int(file, &origin) || fgets(line, sizeof line, file) == NULL) {
    return false;
  }
  while (left != found && fgets(line, sizeof line, file) != NULL) {
    char *nnz = strstr(line, "nnz:");
    if (nnz != NULL) {
      left = strtol(nnz + 4, NULL, 10);
    } else if (sscanf(line, " col %d :", &column) == 1) {
      continue;
    } else if (sscanf(line, " %d : %lf", &row, &x) == 2) {
      fclib_add(m, row, column, x);
      found++;
    }
  }
  return left == found;
}

static bool read_matrix(FILE *file, fclib_matrix *m) {
  int storage;
  if (!read_int(file, &storage) || !read_int(file, &m->rows) || !read_int(file, &m->cols)) {
    return false;
  }
  return storage == 0   ? read_dense(file, m)
         : storage == 1 ? read_blocks(file, m)
                        : storage == 2 && read_columns(file, m);
}

bool fclib_read_text(const char *path, fclib_problem *p, const char **reason) {
  FILE *file = fopen(path, "r");
  fclib_matrix W = {0};
  double *q = NULL, *mu = NULL;
  int dim, nc;
  bool fine = false;
  *reason = "not a friction problem in text form";
  if (file == NULL) {
    *reason = "cannot be opened";
    return false;
  }
  if (read_int(file, &dim) && read_int(file, &nc) && read_matrix(file, &W)) {
    q = read_vector(file, W.rows);
    mu = q == NULL ? NULL : read_vector(file, nc);
    fine = mu != NULL && fclib_local(p, dim, nc, &W, q, mu, NULL);
  }
  fclib_matrix_free(&W);
  free(q);
  free(mu);
  fclose(file);
  return fine;
}

bool fclib_read_lcp(const char *path, fclib_lcp *p, const char **reason) {
  FILE *file = fopen(path, "r");
  fclib_matrix M = {0};
  int n;
  bool fine = false;
  *reason = "not a linear complementarity problem in text form";
  *p = (fclib_lcp){0};
  if (file == NULL) {
    *reason = "cannot be opened";
    return false;
  }
  if (read_int(file, &n) && n <= 2000 && read_matrix(file, &M) && M.rows == n && M.cols == n) {
    p->n = n;
    p->q = read_vector(file, n);
    p->M = calloc((size_t)n * (size_t)n + 1, sizeof *p->M);
    fine = p->q != NULL && p->M != NULL;
    for (size_t k = 0; k < M.count && fine; k++) {
      p->M[M.entry[k].i + n * M.entry[k].j] += M.entry[k].x;
    }
  }
  fclib_matrix_free(&M);
  fclose(file);
  return fine;
}
