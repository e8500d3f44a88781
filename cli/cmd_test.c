// SPDX-License-Identifier: MIT
/* `pawl test`: runs models in memory and counts those whose expectations hold. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "progress.h"
#include "summary.h"

static const char help[] =
    "usage: pawl test PATH...\n\n"
    "Runs every model in the files and folders given, without writing anything, and checks the\n"
    "`expect` statements. A model without expectations passes if it runs to its end.\n";

typedef struct tally {
  cli_args args;
  cli_progress progress;
  int passed, failed;
  int file_error; /* something could not be read */
} tally;

static int on_progress(void *payload, const pawl_progress *now) {
  tally *t = payload;
  return progress_step(&t->progress, now);
}

static void print_line(const char *path, bool ok, const pawl_run *run) {
  printf("%s  %s", ok ? "ok    " : "FAILED", path);
  if (run != NULL) {
    int n = pawl_system_expectations(pawl_run_system(run));
    printf("  %d expectation%s, ", n, n == 1 ? "" : "s");
    cli_print_time(stdout, pawl_run_result_get(run).wall);
  }
  putchar('\n');
}

static void test_model(tally *t, const char *path) {
  pawl_diags *diags = cli_diags();
  pawl_model *model = NULL;
  pawl_run *run = NULL;
  pawl_run_opts opts = {.progress = on_progress, .payload = t};
  pawl_status status = cli_load(path, diags, &model);
  status = model != NULL ? pawl_run_new(model, &opts, diags, &run) : status;
  status = status == PAWL_OK ? pawl_run_go(run, diags) : status;
  progress_wipe(&t->progress);

  pawl_run_result r = run == NULL ? (pawl_run_result){0} : pawl_run_result_get(run);
  bool ok = status == PAWL_OK && r.failed == 0 && !r.not_a_motion && r.ending != PAWL_INTERRUPTED;
  if (!t->args.quiet || !ok) {
    print_line(path, ok, run);
  }
  fflush(stdout);

  /* warnings only with -v: a model that passes is one line */
  int shown = 0;
  cli_args errors_only = t->args;
  errors_only.quiet = !t->args.verbose;
  cli_show(diags, &errors_only, &shown);
  if (status != PAWL_OK) {
    cli_fail(status, diags);
  } else if (!ok && r.ending != PAWL_INTERRUPTED) {
    summary_expectations(run, stdout, "        ");
  }
  t->passed += ok;
  t->failed += !ok;
  pawl_run_free(run);
  pawl_model_free(model);
  pawl_diags_free(diags);
}

static char *join(const char *dir, const char *name) {
  size_t len = strlen(dir);
  const char *between = len > 0 && dir[len - 1] == '/' ? "" : "/";
  size_t size = len + strlen(name) + 2;
  char *path = malloc(size);
  if (path == NULL) {
    exit(cli_fail(PAWL_E_MEMORY, NULL));
  }
  snprintf(path, size, "%s%s%s", dir, between, name);
  return path;
}

static bool holds(const char *dir, const char *name) {
  struct stat info;
  char *path = join(dir, name);
  bool found = stat(path, &info) == 0;
  free(path);
  return found;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

typedef struct listing {
  char **names;
  size_t n, cap;
} listing;

static void push(listing *list, const char *name) {
  if (list->n == list->cap) {
    list->cap = list->cap == 0 ? 32 : 2 * list->cap;
    char **names = realloc(list->names, list->cap * sizeof *names);
    if (names == NULL) {
      exit(cli_fail(PAWL_E_MEMORY, NULL));
    }
    list->names = names;
  }
  list->names[list->n++] = join(name, "");
  list->names[list->n - 1][strlen(name)] = '\0';
}

static void test_path(tally *t, const char *path, bool named, int depth);

/* In order of names; results folders hold copies of models and are passed over. */
static void test_folder(tally *t, const char *path, int depth) {
  if (depth > 32 || holds(path, "summary.json") || holds(path, ".partial")) {
    return;
  }
  DIR *dir = opendir(path);
  if (dir == NULL) {
    fprintf(stderr, "error: cannot read `%s`: %s\n", path, strerror(errno));
    t->file_error = 1;
    return;
  }
  listing list = {0};
  for (struct dirent *d; (d = readdir(dir)) != NULL;) {
    if (d->d_name[0] != '.') {
      push(&list, d->d_name);
    }
  }
  closedir(dir);
  if (list.n > 0) {
    qsort(list.names, list.n, sizeof *list.names, by_name);
  }
  for (size_t i = 0; i < list.n; i++) {
    char *inside = join(path, list.names[i]);
    test_path(t, inside, false, depth + 1);
    free(inside);
    free(list.names[i]);
  }
  free(list.names);
}

static void test_path(tally *t, const char *path, bool named, int depth) {
  struct stat info;
  size_t len = strlen(path);
  if (progress_interrupted()) {
    return;
  }
  if (strcmp(path, "-") != 0 && stat(path, &info) != 0) {
    fprintf(stderr, "error: cannot read `%s`: %s\n", path, strerror(errno));
    t->file_error = 1;
  } else if (strcmp(path, "-") != 0 && S_ISDIR(info.st_mode)) {
    test_folder(t, path, depth);
  } else if (named || (len > 5 && strcmp(path + len - 5, ".pawl") == 0)) {
    test_model(t, path);
  }
}

int cmd_test(int argc, char **argv) {
  const cli_spec spec = {"test", help, NULL, 0, 1, -1, "the MODEL file or folder", NULL};
  tally t = {0};
  int code = cli_parse(&spec, argc, argv, &t.args);
  if (code >= 0) {
    return code;
  }
  progress_begin(&t.progress, t.args.quiet);
  for (int i = 0; i < t.args.n_word; i++) {
    test_path(&t, t.args.words[i], true, 0);
  }
  if (t.passed + t.failed == 0 && !t.file_error && !progress_interrupted()) {
    fputs("error: there is no model in what was given\n", stderr);
    t.file_error = 1;
  }
  printf("%d passed, %d failed\n", t.passed, t.failed);
  return progress_interrupted() ? CLI_INTERRUPT
         : t.file_error         ? CLI_FILE
         : t.failed > 0         ? CLI_EXPECT
                                : CLI_DONE;
}
