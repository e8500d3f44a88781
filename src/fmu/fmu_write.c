// SPDX-License-Identifier: MIT
/* A unit as a zip archive: descriptions, the model as text, and the files of the kit. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/file.h"
#include "fmu/describe.h"
#include "report/encode.h"
#include "traj/bytes.h"
#include "write/zip.h"

enum { MOST_FILE = 1 << 26, MOST_FILES = 4000, IDENTIFIER = 64 };

typedef struct kit_file {
  const char *name, *path; /* in the unit, and on disk */
} kit_file;

typedef struct archive {
  const pawl_fmu_opts *opts;
  pawl_diags *diags;
  pawl_sink sink;
  void *payload;
  pw_buf list; /* the text of the kit, cut into names */
  kit_file file[MOST_FILES];
  const char *source[MOST_FILES];
  int n_file, n_source;
  char identifier[IDENTIFIER];
  pw_buf text, packed, directory;
  uint64_t at;
  int entries;
  pawl_status status;
} archive;

/* ---- the kit ---- */

static pawl_status no_file(archive *a, const char *path, int reason) {
  pw_diag_ref ref =
      pw_error(a->diags, "E0670", PW_NO_SPAN, "cannot read `%s`: %s", path, pw_file_reason(reason));
  pw_help(ref, "it is part of what every unit holds; install Pawl, or build it");
  return pw_file_status(reason);
}

/* VERSIONS NAME PATH */
static void take_line(archive *a, char *line) {
  char *blank = strchr(line, ' '), *space = blank == NULL ? NULL : strchr(blank + 1, ' ');
  if (space == NULL || a->n_file == MOST_FILES) {
    return;
  }
  *blank = *space = '\0';
  if (strchr(line, '0' + a->opts->version) == NULL) {
    return; /* of the other version of the standard */
  }
  line = blank + 1;
  a->file[a->n_file++] = (kit_file){line, space + 1};
  size_t len = strlen(line);
  bool source = strncmp(line, "sources/", 8) == 0 && strcmp(line + len - 2, ".c") == 0;
  if (source) {
    a->source[a->n_source++] = line + 8;
  }
}

static pawl_status read_kit(archive *a) {
  int reason = pw_file_read_all(a->opts->kit, MOST_FILE, &a->list);
  if (reason != 0) {
    return no_file(a, a->opts->kit, reason);
  }
  for (char *line = a->list.text, *next; line != NULL; line = next) {
    next = strchr(line, '\n');
    if (next != NULL) {
      *next++ = '\0';
    }
    take_line(a, line);
  }
  return PAWL_OK;
}

/* ---- entries ---- */

static void flush(archive *a, const char *bytes, size_t count) {
  if (a->status == PAWL_OK && count > 0 && a->sink(a->payload, bytes, count) != 0) {
    a->status = PAWL_E_FILE;
  }
  a->at += count;
}

/* The bytes in a->text as a file of this name. */
static void put_entry(archive *a, const char *name) {
  pw_buf head = {0};
  a->packed.len = 0;
  bool packs = strcmp(pw_encode_packing(), "none") != 0 && a->text.len > 0;
  if (a->text.failed) {
    a->status = PAWL_E_MEMORY;
  }
  if (a->status == PAWL_OK && packs) {
    a->status = pw_encode_pack(&a->packed, &a->text, 1);
  }
  const pw_buf *body = packs ? &a->packed : &a->text;
  pw_zip_entry e = {.name = name,
                    .ending = "",
                    .deflated = packs,
                    .crc = a->text.len > 0 ? pw_crc32(0, a->text.text, a->text.len) : 0,
                    .packed = body->len,
                    .size = a->text.len,
                    .at = a->at};
  pw_zip_head(&head, &e);
  pw_zip_list(&a->directory, &e);
  if (head.failed || a->directory.failed) {
    a->status = PAWL_E_MEMORY;
  } else {
    flush(a, head.text, head.len);
    flush(a, body->text, body->len);
  }
  pw_buf_free(&head);
  a->entries++;
}

/* The name with the identifier of the model in it. */
static void put_file(archive *a, const kit_file *file) {
  pw_buf name = {0}, path = {0};
  const char *mark = strstr(file->name, "@ID@");
  size_t before = mark == NULL ? strlen(file->name) : (size_t)(mark - file->name);
  pw_buf_add(&name, file->name, before);
  pw_buf_puts(&name, mark == NULL ? "" : a->identifier);
  pw_buf_puts(&name, mark == NULL ? "" : mark + 4);
  const char *slash = strrchr(a->opts->kit, '/');
  if (file->path[0] != '/' && slash != NULL) {
    pw_buf_add(&path, a->opts->kit, (size_t)(slash + 1 - a->opts->kit));
  }
  pw_buf_puts(&path, file->path);
  a->text.len = 0;
  if (name.failed || path.failed) {
    a->status = PAWL_E_MEMORY;
  } else {
    int reason = pw_file_read_all(path.text, MOST_FILE, &a->text);
    if (reason != 0) {
      a->status = no_file(a, path.text, reason);
    } else {
      put_entry(a, name.text);
    }
  }
  pw_buf_free(&name);
  pw_buf_free(&path);
}

static int to_buffer(void *payload, const char *bytes, unsigned long count) {
  pw_buf *buf = payload;
  pw_buf_add(buf, bytes, count);
  return buf->failed;
}

/* ---- the whole ---- */

/* "models/bouncing-ball.pawl" is bouncing_ball. */
static void choose_identifier(archive *a, const pawl_system *system) {
  const char *name = a->opts->identifier, *file = pawl_system_file(system);
  const char *slash = strrchr(file, '/');
  if (name == NULL) {
    name = slash == NULL ? file : slash + 1;
  }
  size_t n = 0;
  if (!isalpha((unsigned char)name[0])) {
    a->identifier[n++] = 'm';
  }
  for (; *name != '\0' && strcmp(name, ".pawl") != 0 && n < IDENTIFIER - 1; name++) {
    a->identifier[n++] = (char)(isalnum((unsigned char)*name) ? *name : '_');
  }
  a->identifier[n] = '\0';
}

/* Parts and files of numbers, which the model names. */
static void put_attached(archive *a, const pawl_system *system) {
  for (int i = 0; a->status == PAWL_OK; i++) {
    char name[PAWL_FILE_NAME], path[PAWL_FILE_NAME + 16];
    a->text.len = 0;
    pawl_status status = pawl_system_attached(system, i, name, to_buffer, &a->text);
    if (status == PAWL_E_ARGUMENT) { /* beyond the last */
      break;
    }
    a->status = status;
    snprintf(path, sizeof path, "resources/%s", name);
    if (status == PAWL_OK) {
      put_entry(a, path);
    }
  }
}

static void put_all(archive *a, const pawl_system *system) {
  a->text.len = 0;
  a->status = pawl_system_text(system, to_buffer, &a->text);
  if (a->status != PAWL_OK) {
    return;
  }

  pw_fmu unit = {.system = system,
                 .version = a->opts->version,
                 .identifier = a->identifier,
                 .token = pawl_fmu_token(a->text.text, a->text.len),
                 .sources = a->source,
                 .n_source = a->n_source};
  put_entry(a, "resources/model.pawl");
  put_attached(a, system);

  a->text.len = 0;
  pw_fmu_describe(&a->text, &unit);
  put_entry(a, "modelDescription.xml");
  if (a->opts->version == 3) {
    a->text.len = 0;
    pw_fmu_describe_build(&a->text, &unit);
    put_entry(a, "sources/buildDescription.xml");
  }
  for (int i = 0; a->status == PAWL_OK && i < a->n_file; i++) {
    put_file(a, &a->file[i]);
  }

  /* the directory at the end */
  uint64_t listed = a->at;
  pw_zip_end(&a->directory, a->entries, listed);
  if (a->directory.failed && a->status == PAWL_OK) {
    a->status = PAWL_E_MEMORY;
  }
  if (a->status == PAWL_OK) {
    flush(a, a->directory.text, a->directory.len);
  }
}

pawl_status pawl_fmu_write(const pawl_model *model, const pawl_fmu_opts *opts, pawl_diags *diags,
                           pawl_sink sink, void *payload) {
  bool legal = model != NULL && opts != NULL && sink != NULL && opts->kit != NULL &&
               (opts->version == 2 || opts->version == 3) && opts->n_override >= 0 &&
               (opts->n_override == 0 || opts->overrides != NULL);
  if (!legal) {
    return PAWL_E_ARGUMENT;
  }

  pawl_system *system = NULL;
  pawl_system_opts with = {.overrides = opts->overrides, .n_override = opts->n_override};
  pawl_status status = pawl_system_new(model, &with, diags, &system);
  archive *a = status == PAWL_OK ? calloc(1, sizeof *a) : NULL;
  if (status == PAWL_OK && a == NULL) {
    status = PAWL_E_MEMORY;
  }
  if (status == PAWL_OK) {
    a->opts = opts;
    a->diags = diags;
    a->sink = sink;
    a->payload = payload;
    choose_identifier(a, system);
    status = read_kit(a);
    if (status == PAWL_OK) {
      put_all(a, system);
      status = a->status;
    }
    pw_buf_free(&a->list);
    pw_buf_free(&a->text);
    pw_buf_free(&a->packed);
    pw_buf_free(&a->directory);
  }

  free(a);
  pawl_system_free(system);
  return status;
}
