// SPDX-License-Identifier: MIT
/* Any bytes are parsed without harm; what parses prints, and the print parses to the same print;
 * formatting twice is formatting once. */
#include <string.h>

#include "fuzz.h"
#include "lang/parse.h"
#include "lang/print.h"
#include "print_stmt.h"

typedef struct world {
  pw_arena arena;
  jmp_buf out;
  pw_interner names;
  pw_sources sources;
  pawl_diags *diags;
} world;

static int add_file(world *w, const char *text, size_t len) {
  return pw_sources_add(&w->arena, &w->sources, "fuzz.pawl", text, (int)len);
}

/* The canonical print of a file, kept in the arena; NULL if it has errors. */
static const char *parse_and_print(world *w, int file) {
  pw_parse p = {&w->arena, &w->names, &w->sources, w->diags, NULL};
  pw_ast *ast = PW_NEW(&w->arena, pw_ast);
  pw_parse_file(&p, file, ast);
  if (pawl_diags_errors(w->diags) > 0) {
    return NULL;
  }
  pw_buf buf = {0};
  for (int i = 0; i < ast->n; i++) {
    print_stmt(&buf, ast->items[i]);
    pw_buf_puts(&buf, "\n");
  }
  pw_buf_puts(&buf, "");
  char *text = buf.len < 1u << 22 ? PW_TAKE(&w->arena, buf.len + 1, char) : NULL;
  if (text != NULL) {
    memcpy(text, buf.text, buf.len);
  }
  pw_buf_free(&buf);
  return text;
}

static void check_print(world *w, int file) {
  const char *first = parse_and_print(w, file);
  if (first != NULL) {
    const char *second = parse_and_print(w, add_file(w, first, strlen(first)));
    FUZZ_REQUIRE(second != NULL && strcmp(first, second) == 0);
  }
}

static void check_format(world *w, int file) {
  pw_buf once = {0}, twice = {0};
  pawl_diags_clear(w->diags);
  if (pw_format(&once, &w->sources, file, w->diags) && once.text != NULL) {
    int again = add_file(w, once.text, once.len);
    FUZZ_REQUIRE(pw_format(&twice, &w->sources, again, w->diags));
    FUZZ_REQUIRE(twice.text != NULL && strcmp(once.text, twice.text) == 0);
  }
  pw_buf_free(&once);
  pw_buf_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  world w = {0};
  if (pawl_diags_new(&w.diags) != PAWL_OK) {
    return 0;
  }
  pw_arena_init(&w.arena, 256u << 20);
  w.arena.on_fail = &w.out;
  pw_interner_init(&w.names, &w.arena);
  pw_diags_use_sources(w.diags, &w.sources);
  if (setjmp(w.out) == 0) {
    int file = add_file(&w, (const char *)data, size);
    check_print(&w, file);
    check_format(&w, file);
  }
  pw_arena_free(&w.arena);
  pawl_diags_free(w.diags);
  return 0;
}
