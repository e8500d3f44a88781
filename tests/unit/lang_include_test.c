// SPDX-License-Identifier: MIT
/* Included files: in place, relative to the includer, without circles, within limits. */
#include "alloc_wrap.h"
#include "lang/text_model.h"
#include "lang_support.h"

typedef struct shelf { /* files in memory */
  const char *const (*files)[2];
  int n, loads;
} shelf;

static char *copy_of(const char *text) {
  char *copy = malloc(strlen(text) + 1);
  if (copy != NULL) {
    strcpy(copy, text);
  }
  return copy;
}

/* "d/a" that includes "b" means "d/b". */
static const char *load(void *payload, const char *from, const char *path, char **text, size_t *len,
                        char **shown) {
  shelf *s = payload;
  char full[300];
  const char *slash = strrchr(from, '/');
  int folder = slash == NULL ? 0 : (int)(slash - from) + 1;
  snprintf(full, sizeof full, "%.*s%s", folder, from, path);
  s->loads++;
  for (int i = 0; i < s->n; i++) {
    if (strcmp(s->files[i][0], full) == 0) {
      *text = copy_of(s->files[i][1]);
      *len = strlen(s->files[i][1]);
      *shown = copy_of(full);
      return NULL;
    }
  }
  return "no such file";
}

static void release(void *payload, char *memory) {
  (void)payload;
  free(memory);
}

static world *parse_shelf(shelf *s, const char *name) {
  world *w = world_new();
  pw_loader loader = {.load = load, .release = release, .payload = s};
  pw_parse env = world_env(w, &loader);
  const char *text = "";
  for (int i = 0; i < s->n; i++) {
    text = strcmp(s->files[i][0], name) == 0 ? s->files[i][1] : text;
  }
  int file = pw_sources_add(&w->arena, &w->sources, name, text, (int)strlen(text));
  w->errors = pw_parse_file(&env, file, &w->ast);
  return w;
}

static void puts_files_in_place(void) {
  static const char *const files[][2] = {
      {"m", "let a = 1\ninclude \"d/b\"\nlet d = 4\ninclude \"e\"\n"},
      {"d/b", "let b = 2\ninclude \"c\"\n"},
      {"d/c", "let c = 3\n"},
      {"e", "let e = 5"}};
  shelf s = {files, 4, 0};
  world *w = parse_shelf(&s, "m");
  CHECK_INT(w->errors, 0);
  CHECK_INT(w->ast.n, 5);
  for (int i = 0; i < w->ast.n; i++) {
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    static const char *const in[] = {"m", "d/b", "d/c", "m", "e"};
    CHECK_STR(w->ast.items[i]->u.let.label.name.text, names[i]);
    CHECK_STR(w->sources.items[w->ast.items[i]->span.file].name, in[i]);
    CHECK_NEAR(w->ast.items[i]->u.let.ex->value, i + 1, 0);
  }
  pw_buf text = {0};
  pw_write_text(&text, &w->ast, NULL, 0);
  CHECK_STR(text.text, "let a = 1\nlet b = 2\nlet c = 3\nlet d = 4\nlet e = 5\n");
  pw_buf_free(&text);
  world_free(w);
}

static void knows_what_broken_statements_name(void) {
  static const char *const files[][2] = {{"m", "let a = (b\nlet c = 1\ninclude \"b\"\n"},
                                         {"b", "kinetic T = x'^2 +\n"}};
  shelf s = {files, 2, 0};
  world *w = parse_shelf(&s, "m");
  CHECK_INT(w->ast.n, 1);
  CHECK(w->ast.broken && !w->ast.broken_names);
  CHECK_INT((int)w->ast.broken_kinds, 1 << PW_ST_LET | 1 << PW_ST_KINETIC);
  static const char *const names[] = {"let", "a", "b", "kinetic", "T", "x"};
  CHECK_INT(w->ast.excused.n, 6);
  for (int i = 0; i < w->ast.excused.n && i < 6; i++) {
    CHECK_STR(w->ast.excused.items[i], names[i]);
  }
  world_free(w);
}

static void finds_circles(void) {
  static const char *const files[][2] = {{"m", "let a = 1\ninclude \"b\"\n"},
                                         {"b", "include \"c\"\n"},
                                         {"c", "let c = 3\ninclude \"b\"\nlet d = 4\n"},
                                         {"s", "include \"s\"\n"}};
  shelf s = {files, 4, 0};
  world *w = parse_shelf(&s, "m");
  CHECK_INT(w->errors, 1);
  CHECK_INT(w->ast.n, 3);
  const pawl_diag *d = pawl_diags_get(w->diags, 0);
  CHECK_STR(d->code, "E0027");
  CHECK_STR(d->at.file, "c");
  CHECK_INT(d->at.line, 2);
  CHECK_STR(d->note[0], "`m` includes `b` includes `c` includes `b`");
  world_free(w);
  w = parse_shelf(&s, "s");
  CHECK_INT(w->errors, 1);
  CHECK_STR(pawl_diags_get(w->diags, 0)->note[0], "`s` includes `s`");
  world_free(w);
}

static void allows_one_file_twice(void) {
  static const char *const files[][2] = {{"m", "include \"b\"\ninclude \"b\"\n"},
                                         {"b", "let b = 1\n"}};
  shelf s = {files, 2, 0};
  world *w = parse_shelf(&s, "m");
  CHECK_INT(w->errors, 0);
  CHECK_INT(w->ast.n, 2);
  world_free(w);
}

static void reports_missing_files_and_errors_inside(void) {
  static const char *const files[][2] = {{"m", "include \"x\"\ninclude \"b\"\nlet c = )"},
                                         {"b", "let b = 1 +\n"}};
  shelf s = {files, 2, 0};
  world *w = parse_shelf(&s, "m");
  CHECK_INT(w->errors, 3);
  CHECK_STR(pawl_diags_get(w->diags, 0)->code, "E0028");
  CHECK_INT(pawl_diags_get(w->diags, 0)->at.column, 9);
  CHECK_STR(pawl_diags_get(w->diags, 1)->at.file, "b");
  CHECK_STR(pawl_diags_get(w->diags, 2)->at.file, "m");
  world_free(w);
}

static void needs_a_loader(void) {
  world *w = parse_string("include \"a\"\nlet b = 1");
  CHECK_INT(w->errors, 1);
  CHECK_STR(pawl_diags_get(w->diags, 0)->code, "E0028");
  CHECK_INT(w->ast.n, 1);
  world_free(w);
}

/* Every file includes the next one twice: 2^k files without the limits. */
static const char *load_next(void *payload, const char *from, const char *path, char **text,
                             size_t *len, char **shown) {
  (void)from;
  (void)path;
  int *count = payload;
  char name[40];
  snprintf(name, sizeof name, "f%d", ++*count);
  *text = copy_of("include \"n\"\ninclude \"n\"\n");
  *len = strlen(*text);
  *shown = copy_of(name);
  return NULL;
}

static void limits_files(void) {
  int count = 0;
  world *w = world_new();
  pw_loader loader = {.load = load_next, .release = release, .payload = &count};
  pw_parse env = world_env(w, &loader);
  int file = pw_sources_add(&w->arena, &w->sources, "m", "include \"n\"", 11);
  w->errors = pw_parse_file(&env, file, &w->ast);
  CHECK(count <= 100 && count >= 20);
  CHECK(w->errors > 0);
  CHECK_STR(pawl_diags_get(w->diags, 0)->code, "E0029");
  world_free(w);
}

/* Memory that the loader gave is freed when the arena gives up, wherever that happens. */
static void frees_loaded_text(void) {
  static const char *const files[][2] = {
      {"m", "let a = 1\ninclude \"b\"\n"},
      {"b", "let b = 2\ninclude \"c\"\nlet d = x + y*z\n"},
      {"c", "parameter q = 1, r = 2, s = 3, t1 = 4, u = 5, v = 6, w = 7, x = 8, y = 9\n"}};
  volatile int jumps = 0, whole = 0; /* they live across a jump */
  for (volatile size_t limit = 1; whole == 0 && limit < 100000; limit += 16) {
    long live = alloc_live();
    shelf s = {files, 3, 0};
    world *w = world_new();
    w->arena.limit = limit;
    pw_loader loader = {.load = load, .release = release, .payload = &s};
    pw_parse env = world_env(w, &loader);
    if (setjmp(w->failed) == 0) {
      pw_sources_add(&w->arena, &w->sources, "m", files[0][1], (int)strlen(files[0][1]));
      pw_parse_file(&env, 0, &w->ast);
      whole = 1;
    } else {
      jumps++;
    }
    world_free(w);
    CHECK_INT(alloc_live(), live);
  }
  CHECK(whole && jumps > 10);
}

CHECK_MAIN({"puts files in place", puts_files_in_place}, {"finds circles", finds_circles},
           {"knows what broken statements name", knows_what_broken_statements_name},
           {"allows one file twice", allows_one_file_twice},
           {"reports missing files and errors inside", reports_missing_files_and_errors_inside},
           {"needs a loader", needs_a_loader}, {"limits files", limits_files},
           {"frees loaded text", frees_loaded_text})
