// SPDX-License-Identifier: MIT
/* `pawl import`: robots in other formats as models. */
#include "pawl/import.h"

#include <limits.h>
#include <string.h>

#include "base/file.h"
#include "import/robot.h"

static const size_t max_memory = (size_t)1 << 29, longest_file = (size_t)1 << 24;

typedef struct job {
  pw_arena arena;
  pw_interner names;
  pw_sources sources;
  pw_buf out;
  const char *name, *text;
  size_t len;
  pawl_diags *diags;
} job;

static bool read_robot(pw_robot *r, const pw_xml *root) {
  if (pw_xml_is(root, "robot")) {
    return pw_robot_from_urdf(r, root);
  }
  if (pw_xml_is(root, "mujoco")) {
    return pw_robot_from_mjcf(r, root);
  }
  pw_diag_ref d = pw_error(r->diags, "E0629", root->span, "`<%s>` is no robot", root->name);
  pw_label(d, "URDF begins with `<robot>`, MJCF with `<mujoco>`");
  return false;
}

static pawl_status convert(job *x) {
  pw_interner_init(&x->names, &x->arena);
  int file = pw_sources_add(&x->arena, &x->sources, x->name, x->text, (int)x->len);
  pw_diags_use_sources(x->diags, &x->sources);
  pw_robot robot = {.arena = &x->arena, .names = &x->names, .diags = x->diags};
  const pw_xml *root = pw_xml_parse(&x->arena, &x->sources.items[file], file, x->diags);
  if (root == NULL || !read_robot(&robot, root) || !pw_robot_assemble(&robot)) {
    return PAWL_E_MODEL;
  }
  pw_robot_write(&robot, &x->out);
  return x->out.failed ? PAWL_E_MEMORY : PAWL_OK;
}

/* Allocations that fail jump here. */
static pawl_status guard(job *x) {
  jmp_buf failed;
  pw_arena_init(&x->arena, max_memory);
  x->arena.on_fail = &failed;
  pawl_status status;
  if (setjmp(failed) == 0) {
    status = convert(x);
  } else {
    status = x->arena.failure;
  }
  pw_diags_use_sources(x->diags, NULL);
  pw_arena_free(&x->arena);
  return status;
}

pawl_status pawl_import_text(const char *name, const char *text, size_t len, pawl_diags *diags,
                             pawl_sink sink, void *payload) {
  if (name == NULL || text == NULL || sink == NULL) {
    return PAWL_E_ARGUMENT;
  }
  if (len > longest_file) {
    pw_error(diags, "E0629", PW_NO_SPAN, "`%s` is longer than 16 MiB", name);
    return PAWL_E_LIMIT;
  }
  job x = {.name = name, .text = text, .len = len, .diags = diags};
  pawl_status status = guard(&x);
  if (status == PAWL_OK) {
    status = pw_buf_flush(&x.out, sink, payload);
  }
  pw_buf_free(&x.out);
  return status == PAWL_E_MEMORY ? pw_no_memory(diags) : status;
}

pawl_status pawl_import(const char *path, pawl_diags *diags, pawl_sink sink, void *payload) {
  if (path == NULL || sink == NULL) {
    return PAWL_E_ARGUMENT;
  }
  pw_buf text = {0};
  int reason = pw_file_read_all(path, longest_file, &text);
  if (reason != 0) {
    pw_error(diags, "E0629", PW_NO_SPAN, "cannot read `%s`: %s", path, pw_file_reason(reason));
    pw_buf_free(&text);
    return pw_file_status(reason);
  }
  pawl_status status =
      pawl_import_text(path, text.text == NULL ? "" : text.text, text.len, diags, sink, payload);
  pw_buf_free(&text);
  return status;
}
