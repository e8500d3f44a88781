// SPDX-License-Identifier: MIT
/* FCLIB's HDF5 files. A matrix has m, n, nz, p, i, x: nz >= 0 entries (row i, column p), -1
 * compressed columns, -2 compressed rows. */
#include "fclib_read.h"

#ifdef PW_HAVE_HDF5

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1 << 26 };

/* Reads a whole data set into new memory; NULL if it is not there or not of that type. */
static void *read_set(hid_t file, const char *group, const char *name, hid_t type, size_t size,
                      size_t *count) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", group, name);
  hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
  if (set < 0) {
    return NULL;
  }
  hid_t space = H5Dget_space(set);
  hssize_t n = H5Sget_simple_extent_npoints(space);
  void *data = n >= 0 && n < MOST ? calloc((size_t)n + 1, size) : NULL;
  if (data != NULL && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) {
    free(data);
    data = NULL;
  }
  *count = data == NULL ? 0 : (size_t)n;
  H5Sclose(space);
  H5Dclose(set);
  return data;
}

static int *read_ints(hid_t file, const char *group, const char *name, size_t *count) {
  return read_set(file, group, name, H5T_NATIVE_INT, sizeof(int), count);
}

static double *read_reals(hid_t file, const char *group, const char *name, size_t *count) {
  return read_set(file, group, name, H5T_NATIVE_DOUBLE, sizeof(double), count);
}

static int read_one(hid_t file, const char *group, const char *name, int otherwise) {
  size_t count;
  int *x = read_ints(file, group, name, &count), value = count > 0 ? x[0] : otherwise;
  free(x);
  return value;
}

static bool fill(fclib_matrix *m, int nz, const int *p, size_t np, const int *i, size_t ni,
                 const double *x, size_t nx) {
  size_t lines = (size_t)(nz == -2 ? m->rows : m->cols);
  if (nz >= 0) {
    bool fine = np >= (size_t)nz && ni >= (size_t)nz && nx >= (size_t)nz;
    for (int k = 0; k < nz && fine; k++) {
      fclib_add(m, i[k], p[k], x[k]);
    }
    return fine;
  }
  if (np < lines + 1) {
    return false;
  }
  for (size_t c = 0; c < lines; c++) {
    for (int k = p[c]; k < p[c + 1]; k++) {
      if (k < 0 || (size_t)k >= ni || (size_t)k >= nx) {
        return false;
      }
      fclib_add(m, nz == -2 ? (int)c : i[k], nz == -2 ? i[k] : (int)c, x[k]);
    }
  }
  return true;
}

static bool read_matrix(hid_t file, const char *group, fclib_matrix *m) {
  size_t np, ni, nx;
  int *p = read_ints(file, group, "p", &np), *i = read_ints(file, group, "i", &ni);
  double *x = read_reals(file, group, "x", &nx);
  m->rows = read_one(file, group, "m", -1);
  m->cols = read_one(file, group, "n", -1);
  bool fine = p != NULL && i != NULL && x != NULL && m->rows >= 0 && m->cols >= 0 &&
              fill(m, read_one(file, group, "nz", -3), p, np, i, ni, x, nx);
  free(p);
  free(i);
  free(x);
  return fine;
}

static bool read_local(hid_t file, fclib_problem *p) {
  fclib_matrix W = {0};
  size_t nq, nc;
  double *q = read_reals(file, "fclib_local/vectors", "q", &nq);
  double *mu = read_reals(file, "fclib_local/vectors", "mu", &nc);
  int dim = read_one(file, "fclib_local", "spacedim", 0);
  bool fine = q != NULL && mu != NULL && read_matrix(file, "fclib_local/W", &W) &&
              nq == (size_t)dim * nc && fclib_local(p, dim, (int)nc, &W, q, mu, NULL);
  fclib_matrix_free(&W);
  free(q);
  free(mu);
  return fine;
}

/* group: with or without rolling */
static bool read_global(hid_t file, const char *group, bool rolls, fclib_problem *p) {
  fclib_matrix M = {0}, H = {0};
  char at[3][64];
  static const char *const parts[] = {"vectors", "M", "H"};
  size_t nf, nw, nc, arms = 0;
  for (int k = 0; k < 3; k++) {
    snprintf(at[k], sizeof at[k], "%s/%s", group, parts[k]);
  }
  double *f = read_reals(file, at[0], "f", &nf), *w = read_reals(file, at[0], "w", &nw);
  double *mu = read_reals(file, at[0], "mu", &nc);
  double *arm = rolls ? read_reals(file, at[0], "mu_r", &arms) : NULL;
  int dim = read_one(file, group, "spacedim", 0);
  bool fine = f != NULL && w != NULL && mu != NULL && read_matrix(file, at[1], &M) &&
              read_matrix(file, at[2], &H) && nw == (size_t)dim * nc && nf == (size_t)M.rows &&
              (!rolls || (arm != NULL && arms == nc)) &&
              fclib_global(p, dim, (int)nc, &M, &H, f, w, mu, arm);
  fclib_matrix_free(&M);
  fclib_matrix_free(&H);
  free(f);
  free(w);
  free(mu);
  free(arm);
  return fine;
}

bool fclib_read_hdf5(const char *path, fclib_problem *p, const char **reason) {
  bool fine = false;
  *reason = "not a friction problem of FCLIB";
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) {
    *reason = "cannot be opened";
    return false;
  }
  if (H5Lexists(file, "fclib_local", H5P_DEFAULT) > 0) {
    fine = read_local(file, p);
  } else if (H5Lexists(file, "fclib_global", H5P_DEFAULT) > 0) {
    fine = read_global(file, "fclib_global", false, p);
  } else if (H5Lexists(file, "fclib_global_rolling", H5P_DEFAULT) > 0) {
    fine = read_global(file, "fclib_global_rolling", true, p);
  }
  H5Fclose(file);
  return fine;
}

#else

bool fclib_read_hdf5(const char *path, fclib_problem *p, const char **reason) {
  (void)path;
  (void)p;
  *reason = "this build has no HDF5";
  return false;
}

#endif
