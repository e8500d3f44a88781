// SPDX-License-Identifier: MIT
/* A small test harness: one program per file, a table of named cases, an optional name filter.
 *   static void adds(void) { CHECK_NEAR(1 + 2, 3, 0); }
 *   CHECK_MAIN({"adds", adds})
 * A case fails if any of its checks fails; the other cases still run. */
#ifndef PW_TESTS_CHECK_H
#define PW_TESTS_CHECK_H

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct check_case {
  const char *name;
  void (*run)(void);
} check_case;

static int check_failures; /* in the case now running */

static inline int check_report(int ok, const char *file, int line, const char *what) {
  if (!ok) {
    check_failures++;
    printf("%s:%d: failed: %s\n", file, line, what);
  }
  return ok;
}

static inline int check_near(double a, double b, double tol, const char *file, int line,
                             const char *what) {
  int ok = a == b || fabs(a - b) <= tol; /* false when either is NaN */
  if (!check_report(ok, file, line, what)) {
    printf("  left  %.17g\n  right %.17g\n  difference %.17g, allowed %.17g\n", a, b, a - b, tol);
  }
  return ok;
}

static inline int check_int(long long a, long long b, const char *file, int line,
                            const char *what) {
  if (!check_report(a == b, file, line, what)) {
    printf("  left  %lld\n  right %lld\n", a, b);
  }
  return a == b;
}

static inline int check_str(const char *a, const char *b, const char *file, int line,
                            const char *what) {
  int ok = a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
  if (!check_report(ok, file, line, what)) {
    printf("  left  \"%s\"\n  right \"%s\"\n", a ? a : "(null)", b ? b : "(null)");
  }
  return ok;
}

/* All of them are expressions that are true if the check passed. */
#define CHECK(cond) check_report((cond) ? 1 : 0, __FILE__, __LINE__, #cond)
#define CHECK_NEAR(a, b, tol) check_near((a), (b), (tol), __FILE__, __LINE__, #a " near " #b)
#define CHECK_INT(a, b) check_int((a), (b), __FILE__, __LINE__, #a " == " #b)
#define CHECK_STR(a, b) check_str((a), (b), __FILE__, __LINE__, #a " equals " #b)
/* For seeded sweeps: says which seed fails. */
#define CHECK_SEED(cond, seed) \
  (CHECK(cond) ? 1 : (printf("  seed %llu\n", (unsigned long long)(seed)), 0))

/* The table of cases becomes main(). Arguments select the cases whose name contains one of them. */
#define CHECK_MAIN(...)                                                \
  int main(int argc, char **argv) {                                    \
    static const check_case cases[] = {__VA_ARGS__};                   \
    return check_run(cases, sizeof cases / sizeof *cases, argc, argv); \
  }

static inline int check_selected(const char *name, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (strstr(name, argv[i]) != NULL) {
      return 1;
    }
  }
  return argc <= 1;
}

static inline int check_run(const check_case *cases, size_t n, int argc, char **argv) {
  int passed = 0, failed = 0;
  for (size_t i = 0; i < n; i++) {
    if (check_selected(cases[i].name, argc, argv)) {
      check_failures = 0;
      cases[i].run();
      passed += check_failures == 0;
      failed += check_failures != 0;
      printf("%s %s\n", check_failures == 0 ? "ok    " : "FAILED", cases[i].name);
      fflush(stdout);
    }
  }
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0 || passed == 0;
}

#endif
