// SPDX-License-Identifier: MIT
/* Whether the tables of a results folder are the ones that its motion.pwt gives: they are made
 * again and compared byte by byte, in one pass. */
#include <stdlib.h>
#include <string.h>

#include "pawl/traj.h"
#include "traj/motion_file.h"
#include "write/formats.h"

/* A sink that compares the written bytes with a file. */
static int read_back(void *payload, const char *bytes, unsigned long count) {
  FILE *file = payload;
  char found[4096];
  while (count > 0) {
    size_t part = count < sizeof found ? count : sizeof found;
    if (fread(found, 1, part, file) != part || memcmp(found, bytes, part) != 0) {
      return 1;
    }
    bytes += part;
    count -= part;
  }
  return 0;
}

typedef struct twin { /* a table and its expected text */
  pw_sheet sheet;
  FILE *file;
  bool same;
} twin;

static pawl_status begin(twin *x, const char *dir, const char *name, const pw_format *format,
                         const pw_write_record *record) {
  size_t size = strlen(dir) + strlen(name) + 2;
  char *path = malloc(size);
  if (path == NULL) {
    return PAWL_E_MEMORY;
  }
  snprintf(path, size, "%s/%s", dir, name);
  pawl_status status = pw_file_status(pw_file_stream(path, &x->file));
  free(path);
  x->same = status == PAWL_OK;
  x->sheet = (pw_sheet){.format = format, .record = record, .out = {.sink = read_back}};
  x->sheet.out.payload = x->file;
  return x->same ? format->begin(&x->sheet) : status == PAWL_E_MEMORY ? status : PAWL_OK;
}

/* A difference ends the comparison of this table; only missing memory is a failure. */
static pawl_status take(twin *x, const pw_chunk_view *view) {
  pawl_status status = x->same ? x->sheet.format->take(&x->sheet, *view) : PAWL_OK;
  x->same = x->same && status == PAWL_OK;
  return status == PAWL_E_MEMORY ? status : PAWL_OK;
}

static pawl_status end(twin *x) {
  pawl_status status = PAWL_OK;
  if (x->same) {
    status = pw_buf_flush(&x->sheet.out.buf, x->sheet.out.sink, x->sheet.out.payload);
    x->same = status == PAWL_OK && fgetc(x->file) == EOF;
  }
  pw_buf_free(&x->sheet.out.buf);
  if (x->file != NULL) {
    fclose(x->file);
  }
  return status == PAWL_E_MEMORY ? status : PAWL_OK;
}

static pawl_status take_both(void *payload, const pw_chunk_view *view) {
  twin *pair = payload;
  pawl_status status = take(&pair[0], view);
  return status == PAWL_OK ? take(&pair[1], view) : status;
}

static pawl_status compare(pw_motion *m, const char *dir, pawl_traj_match *out) {
  pw_write_record record = {.shape = m->shape};
  twin pair[2] = {0};
  int64_t size = 0;
  pawl_status status = begin(&pair[0], dir, "trajectory.csv", &pw_format_csv, &record);
  if (status == PAWL_OK) {
    status = begin(&pair[1], dir, "events.csv", &pw_format_events_csv, &record);
  }
  if (status == PAWL_OK) {
    status = pw_file_status(pw_file_size(&m->file, &size));
  }
  if (status == PAWL_OK) {
    status = pw_motion_visit(m, size, take_both, pair);
  }
  pawl_status ended[2] = {end(&pair[0]), end(&pair[1])};
  for (int i = 0; i < 2; i++) {
    status = status == PAWL_OK ? ended[i] : status;
  }
  if (status == PAWL_OK) {
    *out = (pawl_traj_match){.known = 1, .trajectory = pair[0].same, .events = pair[1].same};
  }
  out->damaged = status == PAWL_E_FILE;
  return status == PAWL_E_MEMORY ? status : PAWL_OK;
}

pawl_status pawl_traj_compare(const char *dir, pawl_traj_match *out) {
  if (dir == NULL || out == NULL) {
    return PAWL_E_ARGUMENT;
  }
  *out = (pawl_traj_match){0};
  size_t size = strlen(dir) + sizeof "/" PW_MOTION_NAME;
  char *path = malloc(size);
  if (path == NULL) {
    return PAWL_E_MEMORY;
  }
  snprintf(path, size, "%s/%s", dir, PW_MOTION_NAME);
  pw_motion motion;
  int reason;
  pw_motion_fault fault = pw_motion_open(&motion, path, &reason);
  free(path);
  if (fault != PW_MOTION_FINE) {
    out->damaged = !(fault == PW_MOTION_UNREADABLE && pw_file_is_missing(reason));
    return fault == PW_MOTION_NO_MEMORY ? PAWL_E_MEMORY : PAWL_OK;
  }
  pawl_status status = compare(&motion, dir, out);
  pw_motion_close(&motion);
  return status;
}
