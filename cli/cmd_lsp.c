// SPDX-License-Identifier: MIT
/* `pawl lsp`: a language server over standard input and output (Language Server Protocol 3.17):
 * messages, hover, completion, go to definition, format. Documents are sent whole; places are
 * lines and units of UTF-16. */
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "lsp_hover.h"
#include "lsp_json.h"
#include "lsp_text.h"

static const char help[] =
    "usage: pawl lsp\n\n"
    "Serves an editor by the Language Server Protocol, over standard input and output.\n";

enum { MOST_DOCUMENTS = 256, MOST_BYTES = 64 << 20 };
enum { PARSE_ERROR = -32700, INVALID_REQUEST = -32600, NO_METHOD = -32601, BAD_PARAMS = -32602 };
enum { NOT_STARTED = -32002 };

typedef struct document {
  char *uri, *text;
  char *right; /* the last text without errors, or NULL */
} document;

typedef struct server {
  document documents[MOST_DOCUMENTS];
  int n;
  bool started, stopping;
} server;

typedef struct request {
  lsp_value id, params; /* id NULL: nobody waits for an answer */
  document *doc;        /* that the parameters name, or NULL */
} request;

/* ---- messages out ---- */

static void send(cli_text *body) {
  printf("Content-Length: %lu\r\n\r\n%s", body->count, body->bytes);
  fflush(stdout);
  free(body->bytes);
}

static cli_text begin_answer(lsp_value id) {
  const char *begin;
  size_t count;
  cli_text out = {NULL, 0};
  lsp_put(&out, "{\"jsonrpc\":\"2.0\",\"id\":");
  if (lsp_raw(id, &begin, &count) && count < 200) {
    lsp_printf(&out, "%.*s", (int)count, begin);
  } else {
    lsp_put(&out, "null");
  }
  return out;
}

static void refuse(lsp_value id, int code, const char *why) {
  cli_text out = begin_answer(id);
  lsp_printf(&out, ",\"error\":{\"code\":%d,\"message\":", code);
  lsp_put_string(&out, why);
  lsp_put(&out, "}}");
  send(&out);
}

static void put_place(cli_text *out, const char *key, lsp_position at) {
  lsp_printf(out, "\"%s\":{\"line\":%" PRId64 ",\"character\":%" PRId64 "}", key, at.line, at.unit);
}

static void put_range(cli_text *out, lsp_position from, lsp_position to) {
  lsp_put(out, "\"range\":{");
  put_place(out, "start", from);
  lsp_put(out, ",");
  put_place(out, "end", to);
  lsp_put(out, "}");
}

/* ---- documents ---- */

static document *find(server *s, const char *uri) {
  for (int i = 0; uri != NULL && i < s->n; i++) {
    if (strcmp(s->documents[i].uri, uri) == 0) {
      return &s->documents[i];
    }
  }
  return NULL;
}

/* The path of "file:///home/a%20b.pawl", to find included files; to be freed. */
static char *path_of(const char *uri) {
  char *path = cli_enough(malloc(strlen(uri) + 1)), *to = path;
  const char *at = strncmp(uri, "file://", 7) == 0 ? uri + 7 : uri;
  for (; *at != '\0'; at++) {
    char pair[3] = {at[0] == '%' ? at[1] : '\0', at[0] == '%' && at[1] != '\0' ? at[2] : '\0', 0};
    char *end;
    int64_t byte = strtol(pair, &end, 16);
    bool coded = *at == '%' && end == pair + 2 && byte > 0;
    *to++ = coded ? (char)byte : *at;
    at += coded ? 2 : 0;
  }
  *to = '\0';
  return path;
}

/* *out is NULL if the model has errors. */
static void compile(const document *doc, const char *text, pawl_diags *diags, pawl_system **out) {
  char *path = path_of(doc->uri);
  pawl_model *model = NULL;
  *out = NULL;
  pawl_status status =
      pawl_model_parse(text, strlen(text), &(pawl_model_opts){.name = path}, diags, &model);
  if (model != NULL && pawl_system_new(model, NULL, diags, out) != PAWL_OK) {
    status = PAWL_E_MODEL;
  }
  if (status != PAWL_OK) {
    pawl_system_free(*out);
    *out = NULL;
  }
  pawl_model_free(model);
  free(path);
}

static void put_message(cli_text *out, const pawl_diag *d) {
  cli_text text = {NULL, 0};
  lsp_put(&text, d->message);
  if (d->at.label != NULL && d->at.label[0] != '\0') {
    lsp_put(&text, "\n");
    lsp_put(&text, d->at.label);
  }
  for (int i = 0; i < d->n_help; i++) {
    lsp_put(&text, "\nhelp: ");
    lsp_put(&text, d->help[i]);
  }
  for (int i = 0; i < d->n_note; i++) {
    lsp_put(&text, "\nnote: ");
    lsp_put(&text, d->note[i]);
  }
  lsp_put_string(out, text.bytes);
  free(text.bytes);
}

/* What is wrong in an included file is told at the first line, with its name. */
static void put_diagnostic(cli_text *out, const document *doc, const char *path,
                           const pawl_diag *d) {
  bool here = d->at.line > 0 && strcmp(d->at.file, path) == 0;
  const char *line = here ? lsp_line(doc->text, d->at.line - 1) : NULL;
  lsp_position from = {0, 0}, to = {0, 0};
  if (line != NULL) {
    from = (lsp_position){d->at.line - 1, lsp_units_of_characters(line, d->at.column - 1)};
    to = (lsp_position){from.line, lsp_units_of_characters(line, d->at.column - 1 + d->at.length)};
  }
  lsp_put(out, "{");
  put_range(out, from, to);
  lsp_printf(out, ",\"severity\":%d,\"code\":\"%s\",\"source\":\"pawl\",\"message\":",
             d->severity == PAWL_ERROR ? 1 : 2, d->code);
  put_message(out, d);
  lsp_put(out, "}");
}

static void publish(document *doc, bool open) {
  pawl_diags *diags = cli_diags();
  pawl_system *system = NULL;
  char *path = path_of(doc->uri);
  cli_text out = {NULL, 0};
  if (open) {
    compile(doc, doc->text, diags, &system);
  }
  if (system != NULL) {
    free(doc->right);
    doc->right = strcpy(cli_enough(malloc(strlen(doc->text) + 1)), doc->text);
  }
  lsp_put(
      &out,
      "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/publishDiagnostics\",\"params\":{\"uri\":");
  lsp_put_string(&out, doc->uri);
  lsp_put(&out, ",\"diagnostics\":[");
  for (int i = 0; i < pawl_diags_count(diags); i++) {
    lsp_put(&out, i == 0 ? "" : ",");
    put_diagnostic(&out, doc, path, pawl_diags_get(diags, i));
  }
  lsp_put(&out, "]}}");
  send(&out);
  pawl_system_free(system);
  pawl_diags_free(diags);
  free(path);
}

/* ---- what editors ask ---- */

static lsp_position position_of(lsp_value params) {
  lsp_value at = lsp_member(params, "position");
  return (lsp_position){lsp_number(lsp_member(at, "line"), -1),
                        lsp_number(lsp_member(at, "character"), -1)};
}

static void initialize(server *s, const request *r) {
  cli_text out = begin_answer(r->id);
  s->started = true;
  lsp_put(&out, ",\"result\":{\"capabilities\":{\"positionEncoding\":\"utf-16\","
                "\"textDocumentSync\":{\"openClose\":true,\"change\":1},\"hoverProvider\":true,"
                "\"completionProvider\":{},\"definitionProvider\":true,"
                "\"documentFormattingProvider\":true},\"serverInfo\":{\"name\":\"pawl\","
                "\"version\":\"" PAWL_VERSION "\"}}}");
  send(&out);
}

static void did_open(server *s, const request *r) {
  lsp_value item = lsp_member(r->params, "textDocument");
  char *uri = lsp_string(lsp_member(item, "uri")), *text = lsp_string(lsp_member(item, "text"));
  document *doc = find(s, uri);
  if (uri == NULL || text == NULL || (doc == NULL && s->n == MOST_DOCUMENTS)) {
    free(uri);
    free(text);
    return;
  }
  if (doc == NULL) {
    doc = &s->documents[s->n++];
    *doc = (document){uri, text, NULL};
  } else {
    free(uri);
    free(doc->text);
    doc->text = text;
  }
  publish(doc, true);
}

static void did_change(server *s, const request *r) {
  (void)s;
  lsp_value changes = lsp_member(r->params, "contentChanges"), last = lsp_item(changes, 0);
  for (int i = 1; lsp_item(changes, i) != NULL; i++) {
    last = lsp_item(changes, i);
  }
  char *text = lsp_string(lsp_member(last, "text"));
  if (text != NULL) {
    free(r->doc->text);
    r->doc->text = text;
    publish(r->doc, true);
  }
}

static void did_close(server *s, const request *r) {
  publish(r->doc, false);
  free(r->doc->uri);
  free(r->doc->text);
  free(r->doc->right);
  *r->doc = s->documents[--s->n];
}

/* Where the text has errors, the last one that had none tells kinds and units. NULL: there is
 * none. */
static pawl_system *system_of(const document *doc, const char **text) {
  pawl_diags *diags = cli_diags();
  pawl_system *system;
  *text = doc->text;
  compile(doc, *text, diags, &system);
  if (system == NULL && doc->right != NULL) {
    *text = doc->right;
    compile(doc, *text, diags, &system);
  }
  pawl_diags_free(diags);
  return system;
}

/* The text with an output more, of the name's value: its unit is inferred with all others. */
static pawl_system *with_value(const document *doc, const char *text, lsp_word word) {
  static const char output[] = "\noutput value_under_the_cursor = ";
  char *value = lsp_value_of(text, word);
  pawl_system *system = NULL;
  if (value != NULL) {
    pawl_diags *diags = cli_diags();
    size_t room = strlen(text) + sizeof output + strlen(value) + 1;
    char *longer = cli_enough(malloc(room));
    snprintf(longer, room, "%s%s%s\n", text, output, value);
    compile(doc, longer, diags, &system);
    free(longer);
    pawl_diags_free(diags);
  }
  free(value);
  return system;
}

static void hover(server *s, const request *r) {
  (void)s;
  const char *right;
  cli_text out = begin_answer(r->id), text = {NULL, 0};
  lsp_word word = lsp_word_at(r->doc->text, position_of(r->params));
  pawl_system *system = system_of(r->doc, &right);
  pawl_system *probe = system == NULL ? NULL : with_value(r->doc, right, word);
  int last = probe == NULL ? 0 : pawl_system_outputs(probe) - 1;
  const char *unit = probe == NULL ? NULL : pawl_output_unit(probe, last);
  if (lsp_tell(system, r->doc->text, word, unit, &text)) {
    if (right != r->doc->text) {
      lsp_put(&text, "\n\n(as of the last text without errors)");
    }
    lsp_put(&out, ",\"result\":{\"contents\":{\"kind\":\"markdown\",\"value\":");
    lsp_put_string(&out, text.bytes);
    lsp_put(&out, "}}}");
  } else {
    lsp_put(&out, ",\"result\":null}");
  }
  send(&out);
  free(text.bytes);
  pawl_system_free(probe);
  pawl_system_free(system);
}

static void put_completion(cli_text *out, const char *name, size_t len, int kind) {
  lsp_printf(out, "%s{\"label\":\"%.*s\",\"kind\":%d}",
             out->bytes[out->count - 1] == '[' ? "" : ",", (int)len, name, kind);
}

static int by_name(const void *a, const void *b) {
  const lsp_word *x = a, *y = b;
  int order = memcmp(x->text, y->text, x->len < y->len ? x->len : y->len);
  return order != 0 ? order : (x->len > y->len) - (x->len < y->len);
}

/* What the text declares, sorted by name; to be freed. */
static lsp_word *declared(const char *text, size_t *n) {
  size_t room = 0;
  lsp_word *words = NULL, word;
  const char *from = NULL;
  for (*n = 0; lsp_next_declared(text, &from, &word);) {
    if (*n == room) {
      room = 2 * room + 64;
      words = cli_enough(realloc(words, room * sizeof *words));
    }
    words[*n] = word;
    *n += word.len < 200;
  }
  if (*n > 0) {
    qsort(words, *n, sizeof *words, by_name);
  }
  return words;
}

/* Names of the model once each, and functions that it does not hide. */
static void complete_expression(const char *text, cli_text *out) {
  enum { FUNCTION = 3, VARIABLE = 6 };
  size_t n;
  lsp_word *words = declared(text, &n);
  for (int i = 0; pawl_function(i) != NULL; i++) {
    lsp_word f = {pawl_function(i), strlen(pawl_function(i))};
    if (n == 0 || bsearch(&f, words, n, sizeof *words, by_name) == NULL) {
      put_completion(out, f.text, f.len, FUNCTION);
    }
  }
  for (size_t i = 0; i < n; i++) {
    if (i == 0 || by_name(&words[i - 1], &words[i]) != 0) {
      put_completion(out, words[i].text, words[i].len, VARIABLE);
    }
  }
  free(words);
}

/* At the beginning of a line the statements; behind it functions and what the model declares. */
static void completion(server *s, const request *r) {
  (void)s;
  enum { KEYWORD = 14 };
  lsp_position at = position_of(r->params);
  const char *line = lsp_line(r->doc->text, at.line);
  lsp_word word = lsp_word_at(r->doc->text, at);
  bool first = line == NULL || line + strspn(line, " \t") >= word.text || word.text[0] == '\0';
  cli_text out = begin_answer(r->id);
  lsp_put(&out, ",\"result\":[");
  for (int i = 0; first && pawl_keyword(i) != NULL; i++) {
    put_completion(&out, pawl_keyword(i), strlen(pawl_keyword(i)), KEYWORD);
  }
  if (!first) {
    complete_expression(r->doc->text, &out);
  }
  lsp_put(&out, "]}");
  send(&out);
}

static void definition(server *s, const request *r) {
  (void)s;
  lsp_position at;
  lsp_word word = lsp_word_at(r->doc->text, position_of(r->params));
  cli_text out = begin_answer(r->id);
  if (lsp_declaration(r->doc->text, word, &at)) {
    lsp_put(&out, ",\"result\":{\"uri\":");
    lsp_put_string(&out, r->doc->uri);
    lsp_put(&out, ",");
    put_range(&out, at, (lsp_position){at.line, at.unit + lsp_units_of_bytes(word.text, word.len)});
    lsp_put(&out, "}}");
  } else {
    lsp_put(&out, ",\"result\":null}");
  }
  send(&out);
}

static int append(void *payload, const char *bytes, unsigned long count) {
  cli_text *out = payload;
  out->bytes = cli_enough(realloc(out->bytes, out->count + count + 1));
  memcpy(out->bytes + out->count, bytes, count);
  out->count += count;
  out->bytes[out->count] = '\0';
  return 0;
}

/* One edit of the whole text; a text with errors is left as it is. */
static void formatting(server *s, const request *r) {
  (void)s;
  pawl_diags *diags = cli_diags();
  cli_text out = begin_answer(r->id), text = {NULL, 0};
  pawl_status status =
      pawl_format(r->doc->text, strlen(r->doc->text), "model.pawl", diags, append, &text);
  if (status == PAWL_OK && text.bytes != NULL && strcmp(text.bytes, r->doc->text) != 0) {
    lsp_put(&out, ",\"result\":[{");
    put_range(&out, (lsp_position){0, 0}, lsp_end(r->doc->text));
    lsp_put(&out, ",\"newText\":");
    lsp_put_string(&out, text.bytes);
    lsp_put(&out, "}]}");
  } else {
    lsp_put(&out, ",\"result\":[]}");
  }
  send(&out);
  free(text.bytes);
  pawl_diags_free(diags);
}

static void shut_down(server *s, const request *r) {
  cli_text out = begin_answer(r->id);
  s->stopping = true;
  lsp_put(&out, ",\"result\":null}");
  send(&out);
}

/* ---- messages in ---- */

typedef struct method {
  const char *name;
  void (*act)(server *s, const request *r);
  bool needs_document;
} method;

static const method methods[] = {{"initialize", initialize, false},
                                 {"shutdown", shut_down, false},
                                 {"textDocument/didOpen", did_open, false},
                                 {"textDocument/didChange", did_change, true},
                                 {"textDocument/didClose", did_close, true},
                                 {"textDocument/hover", hover, true},
                                 {"textDocument/completion", completion, true},
                                 {"textDocument/definition", definition, true},
                                 {"textDocument/formatting", formatting, true}};

static const method *find_method(const char *name) {
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    if (strcmp(methods[i].name, name) == 0) {
      return &methods[i];
    }
  }
  return NULL;
}

/* Notifications that are not known are ignored, as the protocol asks. */
static void answer(server *s, const char *text) {
  if (!lsp_is_json(text)) {
    refuse(NULL, PARSE_ERROR, "the message is not JSON");
    return;
  }
  request r = {.id = lsp_member(text, "id"), .params = lsp_member(text, "params")};
  char *name = lsp_string(lsp_member(text, "method"));
  char *uri = lsp_string(lsp_member(lsp_member(r.params, "textDocument"), "uri"));
  const method *m = name == NULL ? NULL : find_method(name);
  r.doc = find(s, uri);
  int code = name == NULL                          ? INVALID_REQUEST
             : m == NULL                           ? NO_METHOD
             : !s->started && m->act != initialize ? NOT_STARTED
             : s->stopping                         ? INVALID_REQUEST
             : m->needs_document && r.doc == NULL  ? BAD_PARAMS
                                                   : 0;
  if (code == 0) {
    m->act(s, &r);
  } else if (r.id != NULL) {
    refuse(r.id, code,
           code == NO_METHOD    ? "this method is not known"
           : code == BAD_PARAMS ? "this document is not open"
                                : "not now");
  }
  free(name);
  free(uri);
}

/* The number of bytes of the next message; -1: the input has ended, -2: a head that is none. */
static int64_t read_head(void) {
  char line[256];
  int64_t length = -2;
  while (fgets(line, sizeof line, stdin) != NULL) {
    if (line[0] == '\r' || line[0] == '\n') {
      return length;
    }
    if (strncmp(line, "Content-Length:", 15) == 0) {
      char *end;
      length = strtol(line + 15, &end, 10);
      length = end == line + 15 || length < 0 || length > MOST_BYTES ? -2 : length;
    }
  }
  return -1;
}

static bool is_exit(const char *text) {
  char *name = lsp_is_json(text) ? lsp_string(lsp_member(text, "method")) : NULL;
  bool leaves = name != NULL && strcmp(name, "exit") == 0;
  free(name);
  return leaves;
}

static int serve(server *s) {
  bool leaves = false;
  while (!leaves) {
    int64_t length = read_head();
    if (length < 0) {
      return length == -1 ? (s->stopping ? CLI_DONE : CLI_MODEL)
                          : cli_usage_error("lsp", "a message has no head `Content-Length: N`");
    }
    char *text = cli_enough(malloc((size_t)length + 1));
    size_t there = fread(text, 1, (size_t)length, stdin);
    text[there] = '\0';
    leaves = there < (size_t)length || is_exit(text);
    if (!leaves) {
      answer(s, text);
    }
    free(text);
  }
  return s->stopping ? CLI_DONE : CLI_MODEL;
}

int cmd_lsp(int argc, char **argv) {
  static server s; /* 256 documents are too many for the stack of some systems */
  const cli_spec spec = {"lsp", help, NULL, 0, 0, 0, "", NULL};
  cli_args args;
  int code = cli_parse(&spec, argc, argv, &args);
  if (code < 0) {
    code = serve(&s);
    for (int i = 0; i < s.n; i++) {
      free(s.documents[i].uri);
      free(s.documents[i].text);
      free(s.documents[i].right);
    }
  }
  return code;
}
