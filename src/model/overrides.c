// SPDX-License-Identifier: MIT
/* NAME=VALUE from the command line: parsed like model text, so that units and expressions work and
 * mistakes have a place. d.y stands for y'. */
#include <string.h>

#include "base/file.h"
#include "lang/parse.h"
#include "model/check.h"

static pw_ex *parse_text(pw_check *ck, const char *text) {
  int file = pw_sources_add(ck->arena, ck->sources, "command line", text, (int)strlen(text));
  pw_parse p = {.arena = ck->arena, .names = ck->names, .sources = ck->sources, .diags = ck->diags};
  return pw_parse_expression(&p, file);
}

/* "d.ball.p[1]" -> "ball.p[1]'", unless d is a body or a rotation of the model. */
static const char *spell_out(pw_check *ck, const char *name) {
  const pw_symbol *d = pw_env_find(&ck->env, pw_intern(ck->names, "d", 1));
  bool has_fields = d != NULL && (d->kind == PW_SYM_BODY || d->kind == PW_SYM_ROTATION);
  if (strncmp(name, "d.", 2) != 0 || has_fields) {
    return name;
  }
  return pw_format_text(ck, "%s'", name + 2);
}

/* Copies the text into the arena; where that has no room the text, which is on the heap, goes. */
static void keep_text(pw_check *ck, const char *path, pw_buf *text) {
  jmp_buf here, *outer = ck->arena->on_fail;
  if (setjmp(here) != 0) {
    ck->arena->on_fail = outer;
    pw_buf_free(text);
    pw_arena_fail(ck->arena, ck->arena->failure);
  }
  ck->arena->on_fail = &here;
  ck->input.file = pw_sources_add(ck->arena, ck->sources, path, text->text, (int)text->len);
  ck->arena->on_fail = outer;
  ck->sources->items[ck->input.file].is_data = true;
  ck->input.outside = true;
  ck->m->input_file = ck->input.file;
}

/* `--input FILE`: numbers for the inputs that the file names. */
static void read_input_file(pw_check *ck, const char *path) {
  enum { MOST = 64 * 1024 * 1024 };
  pw_buf text = {0};
  int reason = pw_file_read_all(path, MOST, &text);
  if (reason == 0) {
    keep_text(ck, path, &text);
  } else {
    pw_diag_ref d =
        pw_error(ck->diags, "E0650", PW_NO_SPAN, "cannot read the numbers in `%s`", path);
    pw_note(d, "%s",
            reason == PW_FILE_TOO_LARGE ? "it is larger than 64 MB" : pw_file_reason(reason));
  }
  pw_buf_free(&text);
}

bool pw_input_file_fails(const pw_override *overrides, int n) {
  for (int i = 0; i < n; i++) {
    pw_file file;
    if (strcmp(overrides[i].name, PW_INPUT_FILE) == 0) {
      if (pw_file_open(overrides[i].value, PW_FILE_READ, &file) != 0) {
        return true;
      }
      pw_file_close(&file);
    }
  }
  return false;
}

/* "left.k[2]" of a reference whose indices are numbers; NULL: it has another form. */
static const char *path_of(pw_check *ck, const pw_ex *ex) {
  if (ex == NULL || ex->kind == PW_EX_NAME) {
    return ex == NULL ? NULL : ex->name;
  }
  bool field = ex->kind == PW_EX_FIELD;
  bool index = ex->kind == PW_EX_INDEX && ex->arg[1]->kind == PW_EX_NUM &&
               ex->arg[1]->unit == NULL && ex->arg[1]->value <= PW_MAX_MEMBERS &&
               ex->arg[1]->value == (int)ex->arg[1]->value;
  const char *head = field || index ? path_of(ck, ex->arg[0]) : NULL;
  return head == NULL ? NULL
         : field      ? pw_format_text(ck, "%s.%s", head, ex->name)
                      : pw_format_text(ck, "%s[%d]", head, (int)ex->arg[1]->value);
}

void pw_read_overrides(pw_check *ck, const pw_override *overrides, int n) {
  enum { LONGEST = 100000 };
  ck->given = PW_TAKE(ck->arena, n, pw_given);
  for (int i = 0; i < n; i++) {
    if (strlen(overrides[i].name) > LONGEST || strlen(overrides[i].value) > LONGEST) {
      pw_error(ck->diags, "E0117", PW_NO_SPAN, "an override on the command line is too long");
      continue;
    }
    if (strcmp(overrides[i].name, PW_INPUT_FILE) == 0) {
      read_input_file(ck, overrides[i].value);
      continue;
    }
    if (strcmp(overrides[i].name, PW_IMPACT_LAWS) == 0) {
      ck->outside.laws_open = strcmp(overrides[i].value, "open") == 0;
      continue;
    }
    if (strcmp(overrides[i].name, PW_METHOD) == 0) {
      ck->outside.method = pw_format_text(ck, "%s", overrides[i].value);
      continue;
    }
    pw_given *g = &ck->given[ck->n_given++];
    g->name = spell_out(ck, overrides[i].name);
    g->target = parse_text(ck, g->name);
    g->value = parse_text(ck, overrides[i].value);
    g->path = path_of(ck, g->target);
    g->used = g->target == NULL || g->value == NULL;
  }
}

const pw_given *pw_override_above(pw_check *ck, const char *name, const char **rest) {
  const pw_given *most = NULL;
  for (int i = 0; i < ck->n_given; i++) {
    pw_given *g = &ck->given[i];
    size_t len = g->path != NULL ? strlen(g->path) : 0;
    bool above =
        len > 0 && strncmp(g->path, name, len) == 0 && (name[len] == '\0' || name[len] == '[');
    g->used = g->used || above;
    if (above && g->value != NULL && (most == NULL || len >= strlen(most->path))) {
      most = g;
      *rest = name + len;
    }
  }
  return most;
}

const pw_ex *pw_override_of(pw_check *ck, const char *name) {
  const char *rest;
  const pw_given *g = pw_override_above(ck, name, &rest);
  return g != NULL && rest[0] == '\0' ? g->value : NULL;
}

/* The parameters in an expression, at most three of them: "`m`, `g`". */
static const char *parameters_in(pw_check *ck, const pw_ex *ex, const char *before, int *n) {
  while (ex != NULL && *n < 3) {
    const pw_symbol *sym = ex->kind == PW_EX_NAME ? pw_env_find(&ck->env, ex->name) : NULL;
    const char *quoted = pw_format_text(ck, "`%s`", ex->kind == PW_EX_NAME ? ex->name : "");
    if (sym != NULL && sym->kind == PW_SYM_PARAMETER && strstr(before, quoted) == NULL) {
      before = pw_format_text(ck, "%s%s%s", before, *n == 0 ? "" : ", ", quoted);
      ++*n;
    }
    for (int i = 1; i < ex->n_arg; i++) {
      before = parameters_in(ck, ex->arg[i], before, n);
    }
    ex = ex->n_arg > 0 ? ex->arg[0] : NULL;
  }
  return before;
}

static void not_overridable(pw_check *ck, const pw_given *g, const pw_symbol *sym) {
  const pw_stmt *s = sym->stmt;
  const pw_ex *ex = sym->kind == PW_SYM_LET      ? s->u.let.ex
                    : sym->kind == PW_SYM_ENERGY ? s->u.energy.ex
                                                 : NULL;
  int n = 0;
  const char *made_of = parameters_in(ck, ex, "", &n);
  pw_diag_ref d = pw_error(ck->diags, "E0117", g->target->span,
                           "`%s` is not a parameter or start value", g->name);
  pw_label(d, "`%s` is a %s, line %d", sym->name, pw_symbol_kind_name(sym),
           pw_line_of(ck, sym->span));
  if (n > 0) {
    pw_help(d, "change what it is made of: %s", made_of);
  } else {
    pw_help(d, "make a parameter of what shall vary, and use it in line %d",
            pw_line_of(ck, sym->span));
  }
}

static const char *list_names(pw_check *ck) {
  const char *text = "";
  int n = 0;
  for (int i = 0; i < ck->m->parameters.n && n < 6; i++, n++) {
    text =
        pw_format_text(ck, "%s%s`%s`", text, n == 0 ? "" : ", ", ck->m->parameters.items[i].name);
  }
  for (int i = 0; i < ck->draft.q_names.n && n < 9; i++, n++) {
    text = pw_format_text(ck, "%s%s`%s`", text, n == 0 ? "" : ", ", ck->draft.q_names.items[i]);
  }
  return text;
}

static void unknown_override(pw_check *ck, const pw_given *g) {
  pw_diag_ref d = pw_error(ck->diags, "E0117", g->target->span,
                           "`%s` is not a parameter or start value", g->name);
  pw_label(d, "no such name in the model");
  pw_suggest s = pw_suggest_begin(g->name);
  for (int i = 0; i < ck->m->parameters.n; i++) {
    pw_suggest_try(&s, ck->m->parameters.items[i].name);
  }
  for (int i = 0; i < ck->draft.q_names.n; i++) {
    pw_suggest_try(&s, ck->draft.q_names.items[i]);
  }
  for (int i = 0; i < ck->draft.u_names.n; i++) {
    pw_suggest_try(&s, ck->draft.u_names.items[i]);
  }
  if (s.best != NULL) {
    pw_help(d, "did you mean `%s`?", s.best);
  } else {
    pw_help(d, "the model has for example %s", list_names(ck));
  }
}

/* The name at the root of a reference such as b.p[1]'; NULL if it has another form. */
static const char *root_of(const pw_ex *ref) {
  while (ref->kind == PW_EX_PRIME || ref->kind == PW_EX_INDEX || ref->kind == PW_EX_FIELD) {
    ref = ref->arg[0];
  }
  return ref->kind == PW_EX_NAME ? ref->name : NULL;
}

/* An index out of range, or one that is no plain number. */
static void unknown_member(pw_check *ck, const pw_given *g) {
  int errors = pw_check_errors(ck);
  (void)pw_elab(ck, g->target);
  if (pw_check_errors(ck) == errors) {
    pw_diag_ref d = pw_error(ck->diags, "E0117", g->target->span,
                             "`%s` is not a parameter or start value", g->name);
    pw_label(d, "the index of a member is a whole number here");
  }
}

static void apply_to_start(pw_check *ck, const pw_given *g) {
  const char *root = root_of(g->target);
  const pw_symbol *sym = root == NULL ? NULL : pw_env_find(&ck->env, root);
  bool movable = sym != NULL && (sym->kind == PW_SYM_COORDINATE || sym->kind == PW_SYM_ROTATION ||
                                 sym->kind == PW_SYM_BODY || sym->kind == PW_SYM_PART ||
                                 sym->kind == PW_SYM_STATE || sym->kind == PW_SYM_SAMPLE);
  if (!movable) {
    if (root != NULL && pw_env_excuses(&ck->env, root)) {
      return;
    }
    if (sym != NULL && sym->kind != PW_SYM_PARAMETER) {
      not_overridable(ck, g, sym);
    } else if (sym != NULL && g->target->kind == PW_EX_INDEX) {
      unknown_member(ck, g);
    } else {
      unknown_override(ck, g);
    }
    return;
  }
  pw_target t = pw_resolve(ck, g->target, "only parameters and start values can be overridden");
  pw_start_value v = {.ex = g->value, .span = g->target->span, .replace = true};
  pw_start_set(ck, &t, &v);
}

void pw_apply_start_overrides(pw_check *ck) {
  for (int i = 0; i < ck->n_given; i++) {
    if (!ck->given[i].used) {
      apply_to_start(ck, &ck->given[i]);
    }
  }
}
