// SPDX-License-Identifier: MIT
#include "traj/motion_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

/* Increased with every change of the format. */
static const char format[] = "pawl motion 3";

void pw_motion_put_head(pw_buf *out, const pw_shape *shape, const void *own, size_t own_size) {
  pw_put_text(out, format);
  pw_shape_put(out, shape);
  pw_put_blob(out, own, own_size);
}

static pw_motion_fault read_head(pw_motion *m) {
  if (!pw_block_read(&m->file, &m->first, &m->head)) {
    return m->head.failed ? PW_MOTION_NO_MEMORY : PW_MOTION_FOREIGN;
  }
  pw_reader in = {.at = m->head.text, .end = m->head.text + m->head.len};
  const char *made_as = pw_get_text(&in);
  if (made_as == NULL || strcmp(made_as, format) != 0) {
    return PW_MOTION_FOREIGN;
  }
  bool memory;
  m->shape = pw_shape_get(&in, &memory);
  if (m->shape == NULL) {
    return memory ? PW_MOTION_FOREIGN : PW_MOTION_NO_MEMORY;
  }
  m->own = pw_get_blob(&in, &m->own_size);
  m->end = m->first;
  return in.bad ? PW_MOTION_FOREIGN : PW_MOTION_FINE;
}

pw_motion_fault pw_motion_begin(pw_motion *m, pw_file file) {
  *m = (pw_motion){.file = file};
  pw_motion_fault fault = read_head(m);
  if (fault != PW_MOTION_FINE) {
    pw_motion_forget(m);
  }
  return fault;
}

pw_motion_fault pw_motion_open(pw_motion *m, const char *path, int *reason) {
  pw_file file;
  *m = (pw_motion){.file = PW_FILE_CLOSED};
  *reason = pw_file_open(path, PW_FILE_READ, &file);
  if (*reason != 0) {
    return *reason == PW_FILE_MEMORY ? PW_MOTION_NO_MEMORY : PW_MOTION_UNREADABLE;
  }
  pw_motion_fault fault = pw_motion_begin(m, file);
  if (fault != PW_MOTION_FINE) {
    pw_file_close(&file);
    m->file = PW_FILE_CLOSED;
  }
  return fault;
}

void pw_motion_forget(pw_motion *m) {
  free(m->shape);
  m->shape = NULL;
  pw_buf_free(&m->head);
  pw_buf_free(&m->block);
}

void pw_motion_close(pw_motion *m) {
  pw_motion_forget(m);
  pw_file_close(&m->file);
}

bool pw_motion_next(pw_motion *m, int64_t *offset, pw_chunk_view *out) {
  int64_t behind = *offset;
  if (!pw_block_read(&m->file, &behind, &m->block)) {
    return false;
  }
  pw_reader in = {.at = m->block.text, .end = m->block.text + m->block.len};
  if (!pw_chunk_get(&in, m->shape, out)) {
    return false;
  }
  *offset = behind;
  return true;
}

pawl_status pw_motion_visit(pw_motion *m, int64_t end, pw_each_chunk each, void *payload) {
  pawl_status status = PAWL_OK;
  int64_t offset = m->first;
  while (status == PAWL_OK && offset < end) {
    pw_chunk_view view;
    if (pw_motion_next(m, &offset, &view)) {
      status = each(payload, &view);
    } else {
      status = m->block.failed ? PAWL_E_MEMORY : PAWL_E_FILE;
    }
  }
  return status;
}

pawl_status pw_motion_refuse(const char *path, pw_motion_fault fault, int reason,
                             pawl_diags *diags) {
  if (fault == PW_MOTION_FINE || fault == PW_MOTION_NO_MEMORY) {
    return fault == PW_MOTION_FINE ? PAWL_OK : PAWL_E_MEMORY;
  }
  if (fault == PW_MOTION_UNREADABLE) {
    pw_error(diags, "E0614", PW_NO_SPAN, "cannot read `%s`: %s", path, pw_file_reason(reason));
  } else {
    pw_error(diags, "E0615", PW_NO_SPAN, "`%s` is damaged or of another version", path);
  }
  return PAWL_E_FILE;
}
