// SPDX-License-Identifier: MIT
/* include ... as NAME: the statements of a part in their name space, and references into it. */
#include <string.h>

#include "model/part.h"

/* ---- references ---- */

static const pw_symbol *part_named(const pw_check *ck, const char *name) {
  const pw_symbol *sym = pw_env_find(&ck->env, name);
  return sym != NULL && sym->defined && sym->val.kind == PW_V_PART ? sym : NULL;
}

/* The name space that a reference names, without its last point: "left", "link[2].hub"; NULL if it
 * names none. Families are named with an index. */
static const char *part_path(pw_check *ck, const pw_ex *ex) {
  if (ex->kind == PW_EX_NAME) {
    const pw_symbol *sym = part_named(ck, ex->name);
    return sym != NULL && !sym->val.is_family ? ex->name : NULL;
  }
  if (ex->kind == PW_EX_FIELD) {
    const pw_ex *member = pw_part_member(ck, ex);
    return member != ex ? part_path(ck, member) : NULL;
  }
  const pw_ex *family = ex->kind == PW_EX_INDEX ? pw_part_member(ck, ex->arg[0]) : ex;
  const pw_symbol *sym = family->kind == PW_EX_NAME ? part_named(ck, family->name) : NULL;
  int i;
  if (ex->kind != PW_EX_INDEX || sym == NULL || !sym->val.is_family ||
      !pw_elab_index(ck, ex->arg[1], sym->val.lo, sym->val.n, ex->arg[0], &i)) {
    return NULL;
  }
  return pw_intern_format(ck->names, "%s[%d]", sym->name, i);
}

const pw_ex *pw_part_member(pw_check *ck, const pw_ex *ex) {
  const char *path = ex->kind == PW_EX_FIELD ? part_path(ck, ex->arg[0]) : NULL;
  if (path == NULL) {
    return ex;
  }
  pw_ex *name = PW_NEW(ck->arena, pw_ex);
  *name = (pw_ex){.kind = PW_EX_NAME, .span = ex->span, .mark = ex->mark};
  name->name = pw_intern_format(ck->names, "%s.%s", path, ex->name);
  return name;
}

bool pw_scope_outranks(const char *now, const char *before) {
  size_t len = now == NULL ? 0 : strlen(now);
  return before != NULL && strlen(before) > len &&
         strncmp(before, now == NULL ? "" : now, len) == 0;
}

/* ---- the statement ---- */

static bool check_name(pw_check *ck, pw_name name) {
  const char *last = strrchr(name.text, '.');
  last = last == NULL ? name.text : last + 1;
  if (strcmp(last, "d") != 0 && strcmp(last, "energy") != 0) {
    return true;
  }
  pw_diag_ref d = pw_error(ck->diags, "E0265", name.span, "a part cannot be called `%s`", last);
  pw_label(d, strcmp(last, "d") == 0 ? "`d.x` is the rate of x on the command line"
                                     : "`energy.total` and its kin are energies");
  pw_help(d, "choose another name");
  return false;
}

/* A parameter or an input of the part. */
static bool can_be_set(const pw_ast *body, const pw_par *set) {
  const char *name = set->label.name.text;
  bool found = false;
  for (int i = 0; i < body->n; i++) {
    const pw_stmt *s = body->items[i];
    for (int k = 0; s->kind == PW_ST_PARAMETER && k < s->u.parameter.n; k++) {
      found = found || s->u.parameter.items[k].label.name.text == name;
    }
    for (int k = 0; s->kind == PW_ST_INPUT && k < s->u.input.n; k++) {
      found = found || (s->u.input.items[k].name.text == name && set->at.n == 0);
    }
  }
  return found;
}

static void suggest_parameters(const pw_ast *body, pw_suggest *s) {
  for (int i = 0; i < body->n; i++) {
    const pw_stmt *stmt = body->items[i];
    for (int k = 0; stmt->kind == PW_ST_PARAMETER && k < stmt->u.parameter.n; k++) {
      pw_suggest_try(s, stmt->u.parameter.items[k].label.name.text);
    }
  }
}

/* What can be set, by name and by the path of a part inside. */
static const pw_ast *body_of(const pw_ast *body, const pw_ex *of) {
  if (of == NULL || body == NULL) {
    return body;
  }
  const pw_ex *part = of->kind == PW_EX_INDEX ? of->arg[0] : of;
  body = part->kind == PW_EX_FIELD ? body_of(body, part->arg[0]) : body;
  for (int i = 0; body != NULL && i < body->n; i++) {
    const pw_stmt *s = body->items[i];
    const pw_lang_part *inner = s->kind == PW_ST_INCLUDE ? s->u.string.part : NULL;
    if (inner != NULL && inner->label.name.text == part->name &&
        (inner->label.index.text != NULL) == (of != part)) {
      return inner->body;
    }
  }
  return NULL;
}

/* The family that a path begins with stands for the part itself. */
static pw_ex *strip(pw_check *ck, const pw_ex *of, const pw_ex *own) {
  if (of == own) {
    return NULL;
  }
  pw_ex *out = PW_NEW(ck->arena, pw_ex);
  *out = *of;
  if (of->kind == PW_EX_FIELD && of->arg[0] == own) {
    *out = (pw_ex){.kind = PW_EX_NAME, .name = of->name, .span = of->mark, .mark = of->mark};
    return out;
  }
  out->arg = PW_TAKE(ck->arena, of->n_arg, pw_ex *);
  memcpy(out->arg, of->arg, (size_t)of->n_arg * sizeof *of->arg);
  out->arg[0] = strip(ck, of->arg[0], own);
  return out;
}

/* `link[2]` at the root of a path, in settings of the family `link`; else NULL. */
static const pw_ex *own_member(const pw_lang_part *part, const pw_ex *of) {
  const pw_ex *above = NULL;
  while (of != NULL && of->kind != PW_EX_NAME) {
    above = of;
    of = of->arg[0];
  }
  bool own = part->label.index.text != NULL && of != NULL && of->name == part->label.name.text;
  return own && above != NULL && above->kind == PW_EX_INDEX ? above : NULL;
}

static const pw_ex *path_inside(pw_check *ck, const pw_lang_part *part, const pw_ex *of) {
  const pw_ex *own = own_member(part, of);
  return own == NULL ? of : strip(ck, of, own);
}

static bool report_no_parameter(pw_check *ck, const pw_lang_part *part, const pw_par *set) {
  const pw_ast *body = body_of(part->body, path_inside(ck, part, set->of));
  pw_name name = set->label.name;
  if (body == NULL) {
    pw_diag_ref d = pw_error(ck->diags, "E0266", set->of->span, "the part has no part `%s`",
                             pw_text_of(ck, set->of->span));
    pw_label(d, "not a part inside of `%s`", ck->stmt->u.string.text);
    if (part->label.index.text != NULL) {
      pw_help(d, "one member of the family is set by `%s[2].r = ...`", part->label.name.text);
    }
    return false;
  }
  pw_diag_ref d =
      pw_error(ck->diags, "E0266", name.span, "the part has no parameter `%s`", name.text);
  pw_label(d, "not a parameter of `%s`", ck->stmt->u.string.text);
  pw_suggest near = pw_suggest_begin(name.text);
  suggest_parameters(body, &near);
  if (near.best != NULL) {
    pw_help(d, "did you mean `%s`?", near.best);
  }
  return false;
}

static bool check_settings(pw_check *ck, const pw_lang_part *part) {
  bool ok = true;
  for (int i = 0; i < part->settings.n; i++) {
    const pw_par *set = &part->settings.items[i];
    pw_name name = set->label.name;
    bool whole = set->at.n == 0 && set->of == NULL;
    for (int k = 0; k < i && whole; k++) {
      if (part->settings.items[k].label.name.text == name.text &&
          part->settings.items[k].at.n == 0 && part->settings.items[k].of == NULL) {
        pw_diag_ref d = pw_error(ck->diags, "E0266", name.span, "`%s` is set twice", name.text);
        pw_label(d, "the second time");
        pw_second(d, part->settings.items[k].label.name.span, "the first time");
        pw_help(d, "delete one of them");
        ok = false;
      }
    }
    const pw_ast *body = body_of(part->body, path_inside(ck, part, set->of));
    if (body == NULL || !can_be_set(body, set)) {
      ok = report_no_parameter(ck, part, set);
    }
  }
  return ok;
}

/* A setting as seen from the part, whose name it gets. */
static pw_par seen_inside(pw_check *ck, const pw_lang_part *part, const pw_par *set, pw_name name,
                          int member) {
  pw_par par = {.label.name = name, .span = set->span};
  par.value = pw_part_setting(ck, set->value, part->label.index.text, member);
  for (int i = 0; i < set->at.n; i++) {
    pw_ex *index = pw_part_setting(ck, set->at.items[i], part->label.index.text, member);
    PW_PUSH(ck->arena, &par.at, index);
  }
  return par;
}

static void set_inputs(pw_check *ck, const pw_lang_part *part, const pw_st_input *from,
                       pw_st_input *inputs, int member) {
  for (int i = 0; i < inputs->n; i++) {
    pw_input *in = &inputs->items[i];
    for (int k = 0; k < part->settings.n; k++) {
      const pw_par *set = &part->settings.items[k];
      if (set->label.name.text == from->items[i].name.text) {
        in->value = seen_inside(ck, part, set, in->name, member).value;
      }
    }
  }
}

/* Those of members stand behind each entry of the file that sets some. */
static void set_parameters(pw_check *ck, const pw_lang_part *part, const pw_st_parameter *from,
                           pw_st_parameter *parameters, int member) {
  pw_st_parameter out = {0};
  for (int i = 0; i < parameters->n; i++) {
    pw_par par = parameters->items[i];
    const char *name = from->items[i].label.name.text;
    bool replaced = false;
    for (int k = 0; k < part->settings.n; k++) {
      const pw_par *set = &part->settings.items[k];
      if (set->label.name.text == name && set->at.n == 0) {
        pw_warn_hertz(ck, &par, set->value);
        par.value = seen_inside(ck, part, set, par.label.name, member).value;
        replaced = true;
      }
    }
    if (!replaced || par.at.n == 0) {
      PW_PUSH(ck->arena, &out, par);
    }
    for (int k = 0; k < part->settings.n; k++) {
      const pw_par *set = &part->settings.items[k];
      if (set->label.name.text == name && set->at.n > 0) {
        pw_par one = seen_inside(ck, part, set, par.label.name, member);
        PW_PUSH(ck->arena, &out, one);
      }
    }
  }
  *parameters = out;
}

/* Settings replace the values that the file gives to its parameters and inputs; they are seen from
 * outside. */
static void apply_settings(pw_check *ck, const pw_lang_part *part, const pw_stmt *from, pw_stmt *s,
                           int member) {
  if (s->kind == PW_ST_INPUT) {
    set_inputs(ck, part, &from->u.input, &s->u.input, member);
  } else if (s->kind == PW_ST_PARAMETER) {
    set_parameters(ck, part, &from->u.parameter, &s->u.parameter, member);
  }
}

static bool is_left_out(const pw_stmt *s) {
  return s->kind == PW_ST_MODEL || s->kind == PW_ST_RUN || s->kind == PW_ST_EXPECT;
}

static void remark_left_out(pw_check *ck, const pw_lang_part *part) {
  int n = 0;
  for (int i = 0; i < part->body->n; i++) {
    n += is_left_out(part->body->items[i]);
  }
  if (n > 0) {
    pw_diag_ref d = pw_remark(ck->diags, "N0265", ck->stmt->u.string.span,
                              "%d line%s of the part `%s` %s left out", n, n == 1 ? "" : "s",
                              part->label.name.text, n == 1 ? "is" : "are");
    pw_label(d, "its `model`, `run` and `expect` lines belong to the file alone");
  }
}

/* Whether a setting concerns this member of the part; *inside: where in it. */
static bool concerns(pw_check *ck, const pw_lang_part *part, const pw_par *set, int member,
                     pw_ex **inside) {
  const pw_ex *own = own_member(part, set->of);
  *inside = set->of;
  if (own == NULL) {
    return true;
  }
  const pw_symbol *sym = pw_env_find(&ck->env, part->label.name.text);
  int i;
  *inside = strip(ck, set->of, own);
  return sym != NULL && pw_elab_index(ck, own->arg[1], sym->val.lo, sym->val.n, own->arg[0], &i) &&
         i == member;
}

/* The settings of one member: those of itself, and those of parts inside of it. */
static void sort_settings(pw_check *ck, const pw_lang_part *part, int member, pw_lang_part *own,
                          pw_lang_part *inner) {
  *own = *inner = *part;
  memset(&own->settings, 0, sizeof own->settings);
  memset(&inner->settings, 0, sizeof inner->settings);
  for (int i = 0; i < part->settings.n; i++) {
    pw_ex *inside;
    if (concerns(ck, part, &part->settings.items[i], member, &inside)) {
      pw_par set = part->settings.items[i];
      set.of = inside;
      pw_lang_part *to = inside == NULL ? own : inner;
      PW_PUSH(ck->arena, &to->settings, set);
    }
  }
}

/* What is set from outside takes the place of what the file sets. */
static void set_from_outside(pw_check *ck, pw_lang_part *part, const pw_par *par) {
  for (int i = 0; i < part->settings.n; i++) {
    pw_par *there = &part->settings.items[i];
    if (there->label.name.text == par->label.name.text && there->at.n == 0 && par->at.n == 0 &&
        there->of == NULL && par->of == NULL) {
      *there = *par;
      return;
    }
  }
  PW_PUSH(ck->arena, &part->settings, *par);
}

/* Hands settings of parts inside on to the statement that includes the part. `from` has the names
 * of the file, `s` those of the name space. */
static void hand_on(pw_check *ck, const pw_lang_part *inner, const pw_stmt *from, pw_stmt *s,
                    int member) {
  const pw_lang_part *named = from->kind == PW_ST_INCLUDE ? from->u.string.part : NULL;
  for (int i = 0; named != NULL && i < inner->settings.n; i++) {
    const pw_par *set = &inner->settings.items[i];
    pw_ex *of = pw_part_setting(ck, set->of, inner->label.index.text, member), *root = of;
    while (root->n_arg > 0) {
      root = root->arg[0];
    }
    if (root->name != named->label.name.text) {
      continue;
    }
    pw_par par = seen_inside(ck, inner, set, set->label.name, member);
    bool family = named->label.index.text != NULL;
    if (family) {
      root->name = s->u.string.part->label.name.text;
    }
    par.of = family ? of : strip(ck, of, root);
    set_from_outside(ck, s->u.string.part, &par);
  }
}

/* One name space: all its names are known before its first statement is checked. */
static void write_out(pw_check *ck, const pw_stmt *stmt, const pw_env *own, const char *scope,
                      int member) {
  const pw_lang_part *part = stmt->u.string.part;
  pw_lang_part settings, inner;
  int n = 0;
  sort_settings(ck, part, member, &settings, &inner);
  pw_stmt **list = PW_TAKE(ck->arena, part->body->n, pw_stmt *);
  for (int i = 0; i < part->body->n && pw_spend(ck, 1); i++) {
    if (!is_left_out(part->body->items[i])) {
      list[n] = pw_part_copy(ck, part->body->items[i], own, scope);
      apply_settings(ck, &settings, part->body->items[i], list[n], member);
      hand_on(ck, &inner, part->body->items[i], list[n], member);
      pw_env_announce(&ck->env, list[n++]);
    }
  }
  pw_check_brought(ck, stmt, list, n, scope);
}

static void write_members(pw_check *ck, const pw_stmt *stmt, int lo, int hi) {
  const pw_heading *label = &stmt->u.string.part->label;
  pw_env own;
  int errors = pw_check_errors(ck);
  pw_env_init(&own, ck->arena, stmt->u.string.part->body);
  for (int i = lo; i <= hi && pw_check_errors(ck) == errors && !ck->spent.too_large; i++) {
    const char *scope = label->index.text != NULL
                            ? pw_intern_format(ck->names, "%s[%d].", label->name.text, i)
                            : pw_intern_format(ck->names, "%s.", label->name.text);
    write_out(ck, stmt, &own, scope, i);
    pw_check_size(ck);
  }
}

void pw_check_part(pw_check *ck) {
  const pw_stmt *stmt = ck->stmt;
  const pw_lang_part *part = stmt->u.string.part;
  bool family = part->label.index.text != NULL;
  int lo = 0, hi = 0;
  bool ok = check_name(ck, part->label.name);
  ok = (!family || pw_elab_range(ck, part->label.from, part->label.to, true, &lo, &hi)) && ok;
  pw_symbol *sym = pw_define_name(ck, part->label.name);
  if (!ok || sym == NULL || part->body == NULL || !check_settings(ck, part)) {
    return;
  }
  sym->val =
      (pw_val){.kind = PW_V_PART, .is_family = family, .lo = lo, .n = hi - lo + 1, .sym = sym};
  remark_left_out(ck, part);
  int errors = pw_check_errors(ck);
  write_members(ck, stmt, lo, hi);
  if (pw_check_errors(ck) > errors) { /* uses of what is missing raise no second message */
    sym->val = PW_BAD_VAL;
  }
}
