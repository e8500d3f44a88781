// SPDX-License-Identifier: MIT
#include "lang/text_model.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "lang/print.h"

enum { MAX_TEXT = 64 * 1024 * 1024 };
static const size_t max_memory = (size_t)4 << 30;

/* ---- files ---- */

/* The whole file in memory from malloc; NULL with a reason. */
static char *read_file(const char *path, size_t *len, int *reason) {
  pw_buf text = {0};
  *reason = pw_file_read_all(path, MAX_TEXT, &text);
  if (*reason != 0) {
    pw_buf_free(&text);
    return NULL;
  }
  *len = text.len;
  return text.text;
}

/* In words of a label. */
static const char *why_not(int reason) {
  return reason == PW_FILE_TOO_LARGE  ? "it is larger than 64 MB"
         : pw_file_is_missing(reason) ? "no such file"
                                      : pw_file_reason(reason);
}

/* Path of `path` as seen from the folder of `from`. */
static char *beside(const char *from, const char *path) {
  const char *slash = strrchr(from, '/');
  size_t folder = path[0] == '/' || slash == NULL ? 0 : (size_t)(slash - from) + 1;
  char *joined = malloc(folder + strlen(path) + 1);
  if (joined != NULL) {
    memcpy(joined, from, folder);
    strcpy(joined + folder, path);
  }
  return joined;
}

static bool same_on_disk(void *payload, const char *a, const char *b) {
  (void)payload;
  return pw_file_same(a, b);
}

/* Drops `./` and `a/../` from a path, in place. */
static void shorten(char *path) {
  size_t n = 0, root = path[0] == '/' ? 1 : 0;
  for (const char *part = path + root; *part != '\0';) {
    size_t len = strcspn(part, "/");
    size_t last = n;
    while (last > 0 && path[root + last - 1] != '/') {
      last--;
    }
    bool is_up = len == 2 && strncmp(part, "..", 2) == 0;
    bool can_drop = n > 0 && strncmp(path + root + last, "..", n - last) != 0;
    const char *next = part + len + (part[len] == '/');
    if (is_up && can_drop) {
      n = last > 0 ? last - 1 : 0;
    } else if (len > 0 && !(len == 1 && part[0] == '.')) {
      if (n > 0) {
        path[root + n++] = '/';
      }
      memmove(path + root + n, part, len);
      n += len;
    }
    part = next;
  }
  path[root + n] = '\0';
}

/* The shortest name that means the same file: `a/..` is another folder if a is a link. */
static void shorten_on_disk(char **path) {
  char *copy = malloc(strlen(*path) + 1);
  if (copy == NULL) {
    return;
  }
  strcpy(copy, *path);
  shorten(copy);
  bool same = same_on_disk(NULL, copy, *path);
  free(same ? *path : copy);
  *path = same ? copy : *path;
}

typedef struct library { /* where included files come from */
  pawl_model_opts opts;
  bool no_memory; /* for one of them */
} library;

static const char *load_from_disk(void *payload, const char *from, const char *path, char **text,
                                  size_t *len, char **shown) {
  library *all = payload;
  int reason = PW_FILE_MEMORY;
  *shown = beside(from, path);
  *text = *shown == NULL ? NULL : read_file(*shown, len, &reason);
  if (*text == NULL) {
    all->no_memory = all->no_memory || reason == PW_FILE_MEMORY;
    return why_not(reason);
  }
  shorten_on_disk(shown);
  return NULL;
}

static const char *load_from_folder(library *all, const char *path, char **text, size_t *len,
                                    char **shown) {
  size_t size = strlen(all->opts.folder) + sizeof "/";
  char *from = malloc(size);
  if (from == NULL) {
    all->no_memory = true;
    return why_not(PW_FILE_MEMORY);
  }
  snprintf(from, size, "%s/", all->opts.folder);
  const char *why = load_from_disk(all, from, path, text, len, shown);
  free(from);
  return why;
}

static const char *load_by_user(void *payload, const char *from, const char *path, char **text,
                                size_t *len, char **shown) {
  library *all = payload;
  const pawl_model_opts *opts = &all->opts;
  unsigned long count = 0;
  int status =
      opts->include == NULL ? 1 : opts->include(opts->payload, from, path, text, &count, shown);
  *len = count;
  if (status == 0 && *text != NULL && *shown != NULL) {
    return NULL;
  }
  return opts->folder != NULL ? load_from_folder(all, path, text, len, shown)
                              : "the program that reads this model does not give it";
}

static void release_memory(void *payload, char *memory) {
  (void)payload;
  free(memory);
}

/* ---- parsing ---- */

static bool parse_all(pawl_model *m, const char *text, size_t count, const pawl_model_opts *opts,
                      pawl_diags *diags, bool *no_memory) {
  library all = {.opts = opts == NULL ? (pawl_model_opts){0} : *opts};
  bool from_disk = all.opts.include == NULL && all.opts.folder == NULL;
  pw_loader loader = {.load = from_disk ? load_from_disk : load_by_user,
                      .release = release_memory,
                      .same = from_disk ? same_on_disk : NULL,
                      .payload = &all};
  pw_interner_init(&m->names, &m->arena);
  const char *name = all.opts.name == NULL ? "model.pawl" : all.opts.name;
  int file = pw_sources_add(&m->arena, &m->sources, name, text, (int)count);
  pw_parse p = {&m->arena, &m->names, &m->sources, diags, &loader};
  bool parsed = pw_parse_file(&p, file, &m->ast) == 0;
  *no_memory = all.no_memory;
  return parsed;
}

pawl_status pawl_model_parse(const char *text, unsigned long count, const pawl_model_opts *opts,
                             pawl_diags *diags, pawl_model **out) {
  /* The caller always finds a model or NULL. */
  if (out != NULL) {
    *out = NULL;
  }
  if (out == NULL || text == NULL) {
    return PAWL_E_ARGUMENT;
  }
  if (count > MAX_TEXT) {
    pw_error(diags, "E0040", PW_NO_SPAN, "the model text is larger than %d MB", MAX_TEXT >> 20);
    return PAWL_E_LIMIT;
  }

  /* The model owns all memory that parsing takes. */
  pawl_model *m = calloc(1, sizeof *m);
  if (m == NULL) {
    return PAWL_E_MEMORY;
  }
  atomic_init(&m->owners, 1);
  pw_arena_init(&m->arena, max_memory);

  /* Memory that runs out, at any depth, leads back here. */
  jmp_buf failed;
  m->arena.on_fail = &failed;
  if (setjmp(failed) != 0) {
    pawl_status why = m->arena.failure;
    pawl_model_free(m);
    pw_diags_use_sources(diags, NULL);
    return why;
  }

  /* Once the text is parsed, nothing may jump back. */
  bool no_memory = false, parsed = parse_all(m, text, count, opts, diags, &no_memory);
  m->arena.on_fail = NULL;
  pw_diags_use_sources(diags, NULL);
  if (no_memory) {
    pawl_model_free(m);
    return pw_no_memory(diags);
  }

  /* A text with errors is handed out as well. */
  *out = m;
  return parsed ? PAWL_OK : PAWL_E_MODEL;
}

static pawl_status cannot_read(const char *path, int reason, pawl_diags *diags) {
  if (reason == PW_FILE_MEMORY) {
    return PAWL_E_MEMORY;
  }
  bool too_large = reason == PW_FILE_TOO_LARGE;
  pw_diag_ref ref =
      pw_error(diags, too_large ? "E0040" : "E0041", PW_NO_SPAN, "cannot read `%s`: %s", path,
               too_large ? "it is larger than 64 MB" : pw_file_reason(reason));
  if (reason == PW_FILE_PIPE || reason == PW_FILE_DEVICE) {
    pw_help(ref, "`-` in place of the file name reads the model from standard input");
  }
  return too_large ? PAWL_E_LIMIT : PAWL_E_FILE;
}

pawl_status pawl_model_load(const char *path, pawl_diags *diags, pawl_model **out) {
  if (out != NULL) {
    *out = NULL;
  }
  if (path == NULL || out == NULL) {
    return PAWL_E_ARGUMENT;
  }
  size_t len = 0;
  int reason;
  char *text = read_file(path, &len, &reason);
  if (text == NULL) {
    return cannot_read(path, reason, diags);
  }
  pawl_status status = pawl_model_parse(text, len, &(pawl_model_opts){.name = path}, diags, out);
  free(text);
  return status;
}

static pawl_model *mutable_of(const pawl_model *m) {
  return (pawl_model *)(uintptr_t)m;
}

const pawl_model *pw_model_keep(const pawl_model *m) {
  atomic_fetch_add(&mutable_of(m)->owners, 1);
  return m;
}

void pw_model_drop(const pawl_model *m) {
  if (m != NULL && atomic_fetch_sub(&mutable_of(m)->owners, 1) == 1) {
    pawl_model *last = mutable_of(m);
    pw_arena_free(&last->arena);
    free(last);
  }
}

void pawl_model_free(pawl_model *model) {
  pw_model_drop(model);
}

/* ---- the same tree in other memory ---- */

typedef struct replay {
  const pawl_model *model;
  int next;
} replay;

/* The n-th load returns the same file as the n-th load before. */
static const char *load_again(void *payload, const char *from, const char *path, char **text,
                              size_t *len, char **shown) {
  (void)from;
  (void)path;
  replay *r = payload;
  int file = r->model->ast.includes.items[r->next++].file;
  if (file < 0) {
    return "it could not be read before";
  }
  const pw_source *s = &r->model->sources.items[file];
  union {
    const char *in;
    char *out;
  } t = {.in = s->text}, n = {.in = s->name}; /* lent: copied by the parser, never released */
  *text = t.out;
  *shown = n.out;
  *len = (size_t)s->len;
  return NULL;
}

static void keep_memory(void *payload, char *memory) {
  (void)payload;
  (void)memory;
}

void pw_model_reparse(const pawl_model *model, pw_arena *arena, pw_interner *names,
                      pw_sources *sources, pw_ast *ast) {
  replay r = {.model = model};
  pw_loader loader = {.load = load_again, .release = keep_memory, .payload = &r};
  const pw_source *main_file = &model->sources.items[0];
  int file = pw_sources_add(arena, sources, main_file->name, main_file->text, main_file->len);
  pw_parse p = {arena, names, sources, NULL, &loader};
  pw_parse_file(&p, file, ast);
}

/* ---- text with includes in place ---- */

static const pw_edit *edit_at(const pw_edit *edits, int n, int file, int offset) {
  for (int i = 0; i < n; i++) {
    if (edits[i].span.file == file && edits[i].span.begin == offset) {
      return &edits[i];
    }
  }
  return NULL;
}

static const pw_include *include_at(const pw_ast *ast, int file, int offset) {
  for (int i = 0; i < ast->includes.n; i++) {
    const pw_include *k = &ast->includes.items[i];
    if (k->file >= 0 && k->span.file == file && k->span.begin == offset) {
      return k;
    }
  }
  return NULL;
}

static void write_source(pw_buf *out, const pw_ast *ast, int file, const pw_edit *edits, int n);

static const struct attached_kind {
  const char *before, *after;
} attached_kinds[] = {{"part-", ".pawl"}, {"data-", ".csv"}};

/* "part-0123456789abcdef.pawl": the number is a hash of the text (FNV-1a). */
static void name_text(bool data, const char *text, size_t len, char name[PW_ATTACHED_NAME]) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < len; i++) {
    hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
  }
  snprintf(name, PW_ATTACHED_NAME, "%s%016" PRIx64 "%s", attached_kinds[data].before, hash,
           attached_kinds[data].after);
}

void pw_data_name(const pw_source *s, char name[PW_ATTACHED_NAME]) {
  name_text(true, s->text, (size_t)s->len, name);
}

/* A part has its own includes in place. False: out of memory. */
static bool attached_name(const pw_ast *ast, const pw_include *include,
                          char name[PW_ATTACHED_NAME]) {
  if (include->data) {
    pw_data_name(&ast->sources->items[include->file], name);
    return true;
  }
  pw_buf text = {0};
  write_source(&text, ast, include->file, NULL, 0);
  name_text(false, text.text, text.len, name);
  bool complete = !text.failed;
  pw_buf_free(&text);
  return complete;
}

bool pw_is_attached_name(const char *name) {
  bool is = false;
  for (size_t i = 0; i < sizeof attached_kinds / sizeof *attached_kinds; i++) {
    unsigned long long hash;
    char again[PW_ATTACHED_NAME];
    size_t len = strlen(attached_kinds[i].before);
    if (strncmp(name, attached_kinds[i].before, len) == 0 &&
        sscanf(name + len, "%16llx", &hash) == 1) {
      snprintf(again, sizeof again, "%s%016llx%s", attached_kinds[i].before, hash,
               attached_kinds[i].after);
      is = is || strcmp(again, name) == 0;
    }
  }
  return is;
}

/* At most as deep as includes nest, which the parser limits. */
static void write_source(pw_buf *out, const pw_ast *ast, int file, const pw_edit *edits, int n) {
  const pw_source *s = &ast->sources->items[file];
  int from = 0;
  for (int i = 0; i <= s->len; i++) {
    const pw_edit *edit = edit_at(edits, n, file, i);
    const pw_include *include = edit == NULL ? include_at(ast, file, i) : NULL;

    /* Text goes through as it is, up to the next edit or include. */
    if (edit == NULL && include == NULL) {
      continue;
    }
    pw_buf_add(out, s->text + from, (size_t)(i - from));
    if (edit != NULL) {
      /* An edit replaces the text it covers. */
      pw_buf_puts(out, edit->text);
      from = edit->span.end;
    } else if (include->part || include->data) {
      /* Parts and files of numbers are attached under new names. */
      char name[PW_ATTACHED_NAME];
      out->failed = !attached_name(ast, include, name) || out->failed;
      pw_buf_printf(out, "%s\"%s\"", include->column == NULL ? "" : "from ", name);
      from = include->span.end;
    } else {
      /* A plain include is replaced by its text, which may bring the end of the line. */
      write_source(out, ast, include->file, edits, n);
      from = include->span.end;
      if (from < s->len && s->text[from] == '\n' && out->len > 0 &&
          out->text[out->len - 1] == '\n') {
        from++;
      }
    }

    /* Continue after the replaced text. */
    i = from > i ? from - 1 : i;
  }
  pw_buf_add(out, s->text + from, (size_t)(s->len - from));
}

static bool is_same_file(const pw_ast *ast, const pw_include *a, const pw_include *b,
                         bool *failed) {
  if (a->data != b->data || a->part != b->part || b->file < 0) {
    return false;
  }
  if (a->data) {
    const pw_source *x = &ast->sources->items[a->file], *y = &ast->sources->items[b->file];
    return x->len == y->len && memcmp(x->text, y->text, (size_t)x->len) == 0;
  }
  char one[PW_ATTACHED_NAME], other[PW_ATTACHED_NAME];
  *failed = !attached_name(ast, a, one) || !attached_name(ast, b, other) || *failed;
  return strcmp(one, other) == 0;
}

/* Files that are named several times are stored once. The file given with the run is the last. */
static bool attached(const pw_ast *ast, int more, int index, pw_include *out, bool *failed) {
  const pw_include last = {.file = more, .data = true};
  for (int i = 0, n = 0; i <= ast->includes.n; i++) {
    const pw_include *k = i < ast->includes.n ? &ast->includes.items[i] : &last;
    bool is_new = (k->part || k->data) && k->file >= 0;
    for (int j = 0; j < i && is_new; j++) {
      is_new = !is_same_file(ast, k, &ast->includes.items[j], failed);
    }
    if (is_new && n++ == index) {
      *out = *k;
      return true;
    }
  }
  return false;
}

bool pw_attached_text(const pw_ast *ast, int more, int index, char name[PW_ATTACHED_NAME],
                      pw_buf *out) {
  bool failed = false;
  pw_include include;
  bool there = attached(ast, more, index, &include, &failed);
  failed = (there && !attached_name(ast, &include, name)) || failed;
  if (there && include.data) {
    const pw_source *s = &ast->sources->items[include.file];
    pw_buf_add(out, s->text, (size_t)s->len);
  } else if (there) {
    write_source(out, ast, include.file, NULL, 0);
  }
  out->failed = out->failed || failed;
  return there || failed;
}

void pw_write_text(pw_buf *out, const pw_ast *ast, const pw_edit *edits, int n_edit) {
  write_source(out, ast, 0, edits, n_edit);
}

const char *pawl_model_file(const pawl_model *model, int i) {
  return model == NULL || i < 0 || i >= model->sources.n ? NULL : model->sources.items[i].name;
}

pawl_status pawl_model_text(const pawl_model *model, pawl_sink sink, void *payload) {
  if (model == NULL || sink == NULL) {
    return PAWL_E_ARGUMENT;
  }
  pw_buf text = {0};
  pw_write_text(&text, &model->ast, NULL, 0);
  pawl_status status = pw_buf_flush(&text, sink, payload);
  pw_buf_free(&text);
  return status;
}

pawl_status pawl_model_dump(const pawl_model *model, pawl_stage stage, pawl_sink sink,
                            void *payload) {
  if (model == NULL || sink == NULL) {
    return PAWL_E_ARGUMENT;
  }
  pw_buf text = {0};
  if (stage == PAWL_TOKENS) {
    for (int i = 0; i < model->sources.n; i++) {
      if (!model->sources.items[i].is_data) {
        pw_dump_tokens(&text, &model->sources.items[i]);
      }
    }
  } else if (stage == PAWL_AST) {
    pw_dump_ast(&text, &model->ast);
  } else {
    return PAWL_E_ARGUMENT;
  }
  pawl_status status = pw_buf_flush(&text, sink, payload);
  pw_buf_free(&text);
  return status;
}

/* Included files are formatted on their own: here each is an empty one. */
static const char *load_nothing(void *payload, const char *from, const char *path, char **text,
                                size_t *len, char **shown) {
  (void)from;
  (void)path;
  *text = *shown = payload;
  *len = 0;
  return NULL;
}

static bool is_readable(pw_arena *arena, pw_sources *sources, int file, pawl_diags *diags) {
  char nothing[] = "";
  pw_interner names;
  pw_ast ast = {0};
  pw_loader loader = {.load = load_nothing, .release = keep_memory, .payload = nothing};
  pw_interner_init(&names, arena);
  pw_parse p = {arena, &names, sources, diags, &loader};
  return pw_parse_file(&p, file, &ast) == 0;
}

pawl_status pawl_format(const char *text, unsigned long count, const char *name, pawl_diags *diags,
                        pawl_sink sink, void *payload) {
  if (text == NULL || sink == NULL) {
    return PAWL_E_ARGUMENT;
  }
  if (count > MAX_TEXT) {
    return PAWL_E_LIMIT;
  }
  pw_arena arena;
  pw_sources sources = {0};
  pw_buf out = {0};
  pw_arena_init(&arena, max_memory);
  jmp_buf failed;
  arena.on_fail = &failed;
  if (setjmp(failed) != 0) {
    pawl_status why = arena.failure;
    pw_arena_free(&arena);
    return why;
  }
  int file = pw_sources_add(&arena, &sources, name == NULL ? "model.pawl" : name, text, (int)count);
  bool ok = is_readable(&arena, &sources, file, diags);
  pw_diags_use_sources(diags, &sources);
  ok = ok && pw_format(&out, &sources, file, diags);
  pw_diags_use_sources(diags, NULL);
  pawl_status status = ok ? pw_buf_flush(&out, sink, payload) : PAWL_E_MODEL;
  pw_buf_free(&out);
  pw_arena_free(&arena);
  return status;
}
