// SPDX-License-Identifier: MIT
/* `pawl export`: a model for others: mathematics in print, C, units for co-simulation. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

static const char help[] =
    "usage: pawl export M.pawl [NAME=VALUE ...] --latex|--typst|--c|--fmu3|--fmu2 [-o F]\n\n"
    "Writes the mathematics of a model as a document (energies, equations of motion with the\n"
    "names of the parameters, constraints, laws and impact laws), its right-hand side as C that\n"
    "compiles on its own, or a unit for co-simulation with other tools, which contains the model,\n"
    "the sources that run it and a binary for this machine.\n\n"
    "  --latex          a LaTeX document\n"
    "  --typst          a Typst document\n"
    "  --c              the right-hand side as C; with -o a folder with the file and a Makefile\n"
    "  --fmu3           a unit of the FMI standard, version 3.0\n"
    "  --fmu2           the same, version 2.0\n"
    "  -o, --output F   write a file; else standard output, and M.fmu for a unit\n";

enum { LATEX, TYPST, C, FMU3, FMU2, OUTPUT, N_OPTIONS };
static const cli_option options[N_OPTIONS] = {{"latex", 0, false}, {"typst", 0, false},
                                              {"c", 0, false},     {"fmu3", 0, false},
                                              {"fmu2", 0, false},  {"output", 'o', true}};

typedef struct job {
  int format; /* LATEX, ... */
  const cli_changes *changes;
  const pawl_model *model;
  pawl_diags *diags;
  char kit[4096], output[4096];
} job;

/* ---- where the parts of units are ---- */

/* Beside the program in a build folder, else where they were installed, as seen from it. */
static void find_kit(job *x) {
  const char *given = getenv("PAWL_FMU_KIT");
  const char *const places[] = {"fmu/files.txt", PAWL_FMU_KIT};
  char self[2048];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  self[n < 0 ? 0 : n] = '\0';
  char *slash = strrchr(self, '/');
  if (given != NULL) {
    snprintf(x->kit, sizeof x->kit, "%s", given);
    return;
  }
  for (int i = 0; i < 2; i++) {
    snprintf(x->kit, sizeof x->kit, "%.*s%s", slash == NULL ? 0 : (int)(slash + 1 - self), self,
             places[i]);
    if (access(x->kit, R_OK) == 0) {
      return;
    }
  }
}

/* "models/ball.pawl" is written to "ball.fmu". */
static void name_file(job *x, const char *path) {
  const char *name = cli_model_name(path), *slash = strrchr(name, '/');
  name = slash == NULL ? name : slash + 1;
  size_t len = strlen(name);
  len -= len > 5 && strcmp(name + len - 5, ".pawl") == 0 ? 5 : 0;
  snprintf(x->output, sizeof x->output, "%.*s.fmu", (int)len, name);
}

/* ---- writing ---- */

static pawl_status write_to(job *x, FILE *stream) {
  if (x->format <= C) {
    static const pawl_export_format formats[] = {PAWL_LATEX, PAWL_TYPST, PAWL_C};
    pawl_export_opts opts = {
        .format = formats[x->format], .overrides = x->changes->items, .n_override = x->changes->n};
    return pawl_model_export(x->model, &opts, x->diags, cli_to_stream, stream);
  }
  pawl_fmu_opts opts = {.version = x->format == FMU3 ? 3 : 2,
                        .kit = x->kit,
                        .overrides = x->changes->items,
                        .n_override = x->changes->n};
  return pawl_fmu_write(x->model, &opts, x->diags, cli_to_stream, stream);
}

/* -1, or an exit code: the file is one of the model's, or cannot be written. */
static int begin(const job *x, cli_file *file, const char *path) {
  return cli_is_input("export", x->model, path) ? CLI_USAGE
         : cli_file_begin(file, path)           ? -1
                                                : CLI_FILE;
}

static pawl_status write_out(job *x, const char *path, int *code) {
  if (path == NULL) {
    return write_to(x, stdout);
  }
  cli_file file;
  *code = begin(x, &file, path);
  if (*code >= 0) {
    return PAWL_E_FILE;
  }
  pawl_status status = write_to(x, file.stream);
  if (status != PAWL_OK && (status != PAWL_E_FILE || pawl_diags_errors(x->diags) > 0)) {
    cli_file_drop(&file);
  } else if (!cli_file_end(&file, status)) {
    *code = CLI_FILE;
  }
  return status;
}

/* ---- a folder with C ---- */

static const char author[] = "written by `pawl export --c`"; /* in the first line of both files */

static const char makefile[] = "# %s.c: %s; its program reads lines with t, q, u\n"
                               "# and prints accelerations.\n"
                               "CFLAGS = -std=c11 -O2 -Wall -Wextra\n\n"
                               "%s: %s.c\n"
                               "\t$(CC) $(CFLAGS) -DPAWL_MAIN -o $@ $< -lm\n\n"
                               "%s.o: %s.c\n"
                               "\t$(CC) $(CFLAGS) -c $<\n";

static int write_makefile(const job *x, const char *path, const char *name) {
  cli_file file;
  int code = begin(x, &file, path);
  if (code >= 0) {
    return code;
  }
  fprintf(file.stream, makefile, name, author, name, name, name, name);
  return cli_file_end(&file, PAWL_OK) ? -1 : CLI_FILE;
}

/* Whether a file may be written: it is not there, or an earlier export wrote it. Says so else. */
static bool may_replace(const char *path) {
  char line[1024] = "";
  FILE *file = cli_is_special(path) ? NULL : fopen(path, "r");
  bool is_ours =
      file == NULL || (fgets(line, sizeof line, file) != NULL && strstr(line, author) != NULL);
  if (file != NULL) {
    fclose(file);
  }
  if (!is_ours) {
    fprintf(stderr,
            "error: `%s` is there already and was not %s\n"
            "  = help: choose another folder with `-o DIR`\n",
            path, author);
  }
  return is_ours;
}

/* Its files have the name of the functions: make takes no spaces. */
static pawl_status write_folder(job *x, const char *dir, int *code) {
  char name[64], path[8400], make[8400];
  snprintf(path, sizeof path, "%s/%s.c", dir, pawl_export_name(x->model, name, sizeof name));
  snprintf(make, sizeof make, "%s/Makefile", dir);
  if (!may_replace(path) || !may_replace(make)) {
    *code = CLI_FILE;
    return PAWL_E_FILE;
  }
  bool is_new = mkdir(dir, 0777) == 0;
  if (!is_new && errno != EEXIST) {
    fprintf(stderr, "error: cannot make the folder `%s`: %s\n", dir, strerror(errno));
    *code = CLI_FILE;
    return PAWL_E_FILE;
  }
  pawl_status status = write_out(x, path, code);
  if (status == PAWL_OK && *code < 0) {
    *code = write_makefile(x, make, name);
  }
  if (is_new && (status != PAWL_OK || *code >= 0)) {
    rmdir(dir); /* unless there is something in it */
  }
  return status;
}

/* The format that was chosen, or -1: none, or several. */
static int chosen(const cli_args *args) {
  int found = -1;
  for (int i = LATEX; i <= FMU2; i++) {
    if (args->value[i] != NULL) {
      found = found == -1 ? i : -2;
    }
  }
  return found;
}

static int export_model(const cli_args *args, const cli_changes *changes) {
  job x = {.format = chosen(args), .changes = changes};
  if (x.format < 0) {
    return cli_usage_error("export", "choose one of --latex, --typst, --c, --fmu3, --fmu2");
  }
  const char *output = args->value[OUTPUT];
  if (x.format == FMU3 || x.format == FMU2) {
    find_kit(&x);
    name_file(&x, args->words[0]);
    output = output == NULL ? x.output : output;
  }
  pawl_model *model = NULL;
  int shown = 0, code = -1;
  x.diags = cli_diags();
  pawl_status status = cli_load(args->words[0], x.diags, &model);
  x.model = model;
  if (model != NULL) {
    status = x.format == C && output != NULL ? write_folder(&x, output, &code)
                                             : write_out(&x, output, &code);
  }
  cli_show(x.diags, args, &shown);
  if (code < 0) {
    code = status == PAWL_OK ? CLI_DONE : cli_fail(status, x.diags);
  }
  pawl_model_free(model);
  pawl_diags_free(x.diags);
  return code;
}

int cmd_export(int argc, char **argv) {
  const cli_spec spec = {"export", help, options, N_OPTIONS, 1, -1, "the MODEL file", NULL};
  return cli_on_model(&spec, argc, argv, export_model);
}
