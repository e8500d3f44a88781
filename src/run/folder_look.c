// SPDX-License-Identifier: MIT
#include "run/folder_look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/run.h"

/* ---- one file ---- */

/* What the first bytes of a file say. */
typedef enum signature { SIGNED, EMPTY, FOREIGN, NO_FILE } signature;

/* SIGNED: the file begins with these bytes. A link is no file: it is never followed. */
static int look_at(const char *dir, bool partial, const char *name, const char *bytes,
                   signature *out) {
  char found[32];
  size_t n = strlen(bytes);
  char *path = pw_folder_path(dir, partial, name);
  pw_file file;
  int64_t size = 0;
  *out = NO_FILE;
  if (path != NULL && pw_path_look(path) == PW_PATH_FILE) {
    *out = FOREIGN;
    if (pw_file_open(path, PW_FILE_READ, &file) == 0) {
      bool same = pw_file_read_at(&file, found, n, 0) == 0 && memcmp(found, bytes, n) == 0;
      bool empty = pw_file_size(&file, &size) == 0 && size == 0;
      *out = same ? SIGNED : empty ? EMPTY : FOREIGN;
      pw_file_close(&file);
    }
  }
  int reason = path == NULL ? PW_FILE_MEMORY : 0;
  free(path);
  return reason;
}

static const char block_magic[] = "PAWLBLK"; /* and a digit, of this version or an older one */

/* Files of blocks in .partial; the last three are of older versions. */
static const struct {
  const char *name;
  bool is_head;
} block_files[] = {{PW_MOTION_NAME, true}, {"checkpoint-0", false}, {"checkpoint-1", false},
                   {"head", true},         {"head.new", false},     {"blocks", false}};
enum { N_BLOCK_FILES = sizeof block_files / sizeof *block_files };

/* The place of a name in this list, or -1. */
static int block_file(const char *name) {
  int found = -1;
  for (int i = 0; i < N_BLOCK_FILES; i++) {
    found = strcmp(name, block_files[i].name) == 0 ? i : found;
  }
  return found;
}

bool pw_partial_owns(const char *name) {
  return block_file(name) >= 0 || pw_folder_has_file(name);
}

/* ---- .partial ---- */

typedef struct search { /* of .partial */
  const char *dir;
  int reason;
  bool by_kind; /* look at names and kinds alone */
  bool blocks;  /* files of blocks, signed, are in it */
  bool head;    /* of a run */
  bool by_name; /* files of ours by their names alone */
  char *foreign;
} search;

static void note_foreign(char foreign[PW_ENTRY_NAME], bool partial, const char *name) {
  snprintf(foreign, PW_ENTRY_NAME, "%s%s", partial ? ".partial/" : "", name);
}

static pw_path_kind kind_of(const char *dir, bool partial, const char *name, int *reason) {
  char *path = pw_folder_path(dir, partial, name);
  pw_path_kind kind = path == NULL ? PW_PATH_NONE : pw_path_look(path);
  *reason = path == NULL ? PW_FILE_MEMORY : 0;
  free(path);
  return kind;
}

static bool look_into(void *payload, const char *name) {
  search *s = payload;
  pw_path_kind kind = kind_of(s->dir, true, name, &s->reason);
  bool ours = pw_partial_owns(name) && kind != PW_PATH_FOLDER && kind != PW_PATH_OTHER;
  int at = block_file(name);
  if (ours && at >= 0 && !s->by_kind) {
    signature sign;
    s->reason = look_at(s->dir, true, name, block_magic, &sign);
    s->blocks = s->blocks || sign == SIGNED;
    s->head = s->head || (block_files[at].is_head && sign == SIGNED);
    ours = sign != FOREIGN;
  }
  s->by_name = s->by_name || at < 0;
  if (!ours && s->reason == 0) {
    note_foreign(s->foreign, true, name);
  }
  return s->reason == 0 && ours;
}

static int search_partial(search *s, pw_path_kind *kind) {
  int reason;
  *kind = kind_of(s->dir, false, ".partial", &reason);
  if (reason != 0 || *kind != PW_PATH_FOLDER) {
    return reason;
  }
  char *path = pw_folder_path(s->dir, false, ".partial");
  reason = path == NULL ? PW_FILE_MEMORY : pw_dir_each(path, look_into, s);
  free(path);
  return reason == 0 ? s->reason : reason;
}

/* ---- the folder ---- */

typedef struct entries { /* of the folder itself */
  const char *dir;
  int reason;
  bool empty;
  char *foreign;
} entries;

/* A folder, pipe or device under a name of ours could be neither replaced nor removed. */
static bool look_beside(void *payload, const char *name) {
  entries *e = payload;
  e->empty = false;
  if (pw_folder_has_file(name)) {
    pw_path_kind kind = kind_of(e->dir, false, name, &e->reason);
    if (kind == PW_PATH_FOLDER || kind == PW_PATH_OTHER) {
      note_foreign(e->foreign, false, name);
    }
  }
  return e->reason == 0 && e->foreign[0] == '\0';
}

static int look_at_entries(const char *dir, bool *empty, char foreign[PW_ENTRY_NAME]) {
  entries e = {.dir = dir, .empty = true, .foreign = foreign};
  int reason = pw_dir_each(dir, look_beside, &e);
  *empty = e.empty;
  return reason == 0 ? e.reason : reason;
}

/* Files that are named as ours stand beside blocks: of .partial, or of the folder once motion.pwt
 * was moved there. */
int pw_folder_look(const char *dir, pw_folder_contents *out) {
  *out = (pw_folder_contents){0};
  search inside = {.dir = dir, .foreign = out->foreign};
  signature summary = NO_FILE, motion = NO_FILE;
  int reason = look_at_entries(dir, &out->empty, out->foreign);
  if (reason == 0) {
    reason = search_partial(&inside, &out->partial);
  }
  if (reason == 0) {
    reason = look_at(dir, false, "summary.json", "{\n  \"pawl\": \"", &summary);
  }
  if (reason == 0) {
    reason = look_at(dir, false, PW_MOTION_NAME, block_magic, &motion);
  }

  bool known = !inside.by_name || inside.blocks || motion == SIGNED;
  out->complete = summary == SIGNED;
  out->ours = out->partial == PW_PATH_FOLDER && out->foreign[0] == '\0' && known;
  out->killed = out->ours && inside.head;
  return reason;
}

int pw_folder_find_foreign(const char *dir, char foreign[PW_ENTRY_NAME]) {
  bool empty;
  pw_path_kind partial;
  search inside = {.dir = dir, .by_kind = true, .foreign = foreign};
  foreign[0] = '\0';
  int reason = look_at_entries(dir, &empty, foreign);
  return reason == 0 ? search_partial(&inside, &partial) : reason;
}
