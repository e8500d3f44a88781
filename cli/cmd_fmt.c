// SPDX-License-Identifier: MIT
/* `pawl fmt`: formats a model, to standard output or in place of the file. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

static const char help[] = "usage: pawl fmt M.pawl... [-w | --check]\n\n"
                           "Prints the model in its standard format; comments are kept.\n\n"
                           "  -w, --write   rewrite the file\n"
                           "  --check       write nothing; exit 1 if the file would change\n";

enum { WRITE, CHECK, N_OPTIONS };
static const cli_option options[N_OPTIONS] = {{"write", 'w', false}, {"check", 0, false}};

static int append(void *payload, const char *bytes, unsigned long count) {
  cli_text *out = payload;
  char *grown = cli_enough(realloc(out->bytes, out->count + count + 1));
  memcpy(grown + out->count, bytes, count);
  out->bytes = grown;
  out->count += count;
  grown[out->count] = '\0';
  return 0;
}

static int cannot_write(const char *path) {
  fprintf(stderr, "error: cannot write `%s`: %s\n", path, strerror(errno));
  return CLI_FILE;
}

/* A new file beside the old one takes its place only when all of it is on the disk. */
static int replace(const char *path, const cli_text *text) {
  char *target = realpath(path, NULL); /* a link stays a link */
  size_t size = target == NULL ? 0 : strlen(target) + sizeof ".XXXXXX";
  char *temporary = target == NULL ? NULL : malloc(size);
  struct stat info;
  if (temporary == NULL || stat(target, &info) != 0) {
    free(target);
    free(temporary);
    return cannot_write(path);
  }
  snprintf(temporary, size, "%s.XXXXXX", target);
  int fd = mkstemp(temporary);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
  bool ok = file != NULL && fwrite(text->bytes, 1, text->count, file) == text->count &&
            fflush(file) == 0 && fchmod(fd, info.st_mode & 07777) == 0 && fsync(fd) == 0;
  if (file != NULL) {
    ok = fclose(file) == 0 && ok;
  }
  ok = ok && rename(temporary, target) == 0;
  int code = ok ? CLI_DONE : cannot_write(path);
  if (!ok && fd >= 0) {
    unlink(temporary);
  }
  free(target);
  free(temporary);
  return code;
}

static int put(const cli_args *args, const char *path, const cli_text *old, const cli_text *new) {
  bool same = old->count == new->count &&memcmp(old->bytes, new->bytes, old->count) == 0;
  if (args->value[CHECK] != NULL) {
    if (!same) {
      fprintf(stderr, "%s: not formatted (`pawl fmt -w` rewrites it)\n", path);
    }
    return same ? CLI_DONE : CLI_DIFFERENT;
  }
  if (args->value[WRITE] != NULL) {
    return same ? CLI_DONE : replace(path, new);
  }
  fwrite(new->bytes, 1, new->count, stdout);
  return CLI_DONE;
}

static int format_one(const cli_args *args, const char *path) {
  cli_text old, new = {cli_enough(calloc(1, 1)), 0};
  if (!cli_read(path, &old)) {
    free(new.bytes);
    return CLI_FILE;
  }
  pawl_diags *diags = cli_diags();
  int shown = 0;
  pawl_status status = pawl_format(old.bytes, old.count, cli_model_name(path), diags, append, &new);
  cli_show(diags, args, &shown);
  int code = status == PAWL_OK ? put(args, path, &old, &new) : cli_fail(status, diags);
  pawl_diags_free(diags);
  free(old.bytes);
  free(new.bytes);
  return code;
}

int cmd_fmt(int argc, char **argv) {
  const cli_spec spec = {"fmt", help, options, N_OPTIONS, 1, -1, "the MODEL file", NULL};
  cli_args args;
  int code = cli_parse(&spec, argc, argv, &args);
  if (code >= 0) {
    return code;
  }
  code = CLI_DONE;
  for (int i = 0; i < args.n_word; i++) {
    if (args.value[WRITE] != NULL && strcmp(args.words[i], "-") == 0) {
      return cli_usage_error("fmt", "standard input cannot be rewritten");
    }
    int one = format_one(&args, args.words[i]);
    code = one > code ? one : code;
  }
  return code;
}
