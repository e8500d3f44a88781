// SPDX-License-Identifier: MIT
/* Overrides as changes of the text, so that the changed text alone gives the same model. A start
 * value stands in the place of the one it replaces if both set the same; where an override takes
 * a part of what an entry sets, the entry is split and the override added at the end. */
#include "model/edits.h"

#include <string.h>

/* ---- parameters ---- */

/* The number that `text` reads as, with the SI unit of what it replaces; a unit stands directly
 * behind a number, without parentheses. */
static const char *number_with_unit(pw_check *ck, const char *text, const pw_ex *before,
                                    const pw_ex *now) {
  const char *unit = pw_unit_kept(ck, before, now);
  bool closed = unit[0] != '\0' && strchr(text, '(') != NULL;
  return pw_format_text(ck, "%s%s", closed ? pw_print_text(ck, now) : text, unit);
}

/* An override in place of a value: numbers without a unit get the SI unit of what they replace. */
static const char *given_with_unit(pw_check *ck, const pw_ex *before, const pw_ex *now) {
  const char *all = pw_given_text(ck, now), *text = "(";
  if (before->kind != PW_EX_VECTOR || now->kind != PW_EX_VECTOR || all[0] != '(') {
    return number_with_unit(ck, all, before, now);
  }
  for (int k = 0; k < now->n_arg && k < before->n_arg; k++) {
    const char *one = pw_component_text(ck, all, k);
    text = pw_format_text(ck, "%s%s%s", text, k == 0 ? "" : ", ",
                          number_with_unit(ck, one, before->arg[k], now->arg[k]));
  }
  return pw_format_text(ck, "%s)", text);
}

void pw_edit_parameter(pw_check *ck, const pw_par *par, const pw_ex *value, pw_span extent,
                       int component) {
  const pw_source *s = &ck->sources->items[extent.file];
  char next = extent.end < s->len ? s->text[extent.end] : '\n';
  pw_edit edit = {.span = extent};
  const char *text = given_with_unit(ck, par->value, value);
  text = component > 0 ? pw_format_text(ck, "(%s)[%d]", text, component) : text;
  edit.text = pw_format_text(ck, "%s%s", text, strchr(" \t\r\n,#", next) != NULL ? "" : " ");
  PW_PUSH(ck->arena, &ck->m->edits, edit);
}

/* Text behind a span, behind what is there already. */
static void insert(pw_check *ck, pw_span behind, const char *text) {
  pw_edit edit = {.span = {behind.file, behind.end, behind.end}, .text = text};
  for (int i = ck->m->edits.n - 1; i >= 0; i--) {
    pw_edit *there = &ck->m->edits.items[i];
    if (there->span.file == edit.span.file && there->span.begin == edit.span.begin &&
        there->span.end == edit.span.end) {
      there->text = pw_format_text(ck, "%s%s", there->text, edit.text);
      return;
    }
  }
  PW_PUSH(ck->arena, &ck->m->edits, edit);
}

/* The part of the model's own text in which the current statement stands. */
static const pw_stmt *outermost(const pw_check *ck) {
  const char *scope = ck->stmt->scope;
  size_t len = strcspn(scope, ".[");
  for (int i = 0; i < ck->whole->n; i++) {
    const pw_stmt *s = ck->whole->items[i];
    const pw_lang_part *part = s->kind == PW_ST_INCLUDE ? s->u.string.part : NULL;
    const char *name = part != NULL ? part->label.name.text : "";
    if (strlen(name) == len && strncmp(name, scope, len) == 0) {
      return s;
    }
  }
  return ck->part;
}

/* A setting by its path behind the include statement of the model's own text: `link[2].m = 1` of a
 * member of a family, `foot.m = 1` of a part inside. */
static void insert_setting(pw_check *ck, const char *path, const char *value) {
  const pw_stmt *include = outermost(ck);
  bool family = include->u.string.part->label.index.text != NULL;
  const char *shown = family ? path : path + strlen(include->u.string.part->label.name.text) + 1;
  insert(ck, include->span, pw_format_text(ck, ", %s = %s", shown, value));
}

void pw_edit_setting(pw_check *ck, const pw_par *par, const pw_ex *value) {
  const pw_stmt *include = ck->part;
  const char *name = par->label.name.text + strlen(ck->stmt->scope);
  bool single = include->scope == NULL && include->u.string.part->label.index.text == NULL;
  for (int i = 0; single && i < include->u.string.part->settings.n; i++) {
    const pw_par *set = &include->u.string.part->settings.items[i];
    if (strcmp(set->label.name.text, name) == 0 && set->at.n == 0 && set->of == NULL) {
      pw_edit_parameter(ck, set, value, pw_value_extent(ck, set->label.name.span.end, set->value),
                        0);
      return;
    }
  }
  insert_setting(ck, par->label.name.text, given_with_unit(ck, par->value, value));
}

void pw_edit_member(pw_check *ck, const pw_par *par, const char *path, const pw_ex *value) {
  if (ck->stmt->scope == NULL) {
    insert(ck, par->span, pw_format_text(ck, ", %s = %s", path, pw_given_text(ck, value)));
  } else {
    insert_setting(ck, path, pw_given_text(ck, value));
  }
}

/* ---- start values ---- */

static bool same_target(const pw_target *a, const pw_target *b) {
  return a->kind == b->kind && a->coord == b->coord && a->n == b->n && a->first == b->first &&
         a->primes == b->primes && a->space == b->space;
}

/* Whether every name in the expression is defined above statement `stmt`. */
static bool known_above(pw_check *ck, const pw_ex *ex, int stmt) {
  bool ok = true;
  while (ex != NULL && ok) {
    const pw_symbol *sym = ex->kind == PW_EX_NAME ? pw_env_find(&ck->env, ex->name) : NULL;
    if (sym != NULL) {
      bool above = false;
      for (int i = 0; i < stmt && !above; i++) {
        above = ck->m->ast->items[i] == sym->stmt;
      }
      ok = above;
    }
    for (int i = 1; i < ex->n_arg; i++) {
      ok = ok && known_above(ck, ex->arg[i], stmt);
    }
    ex = ex->n_arg > 0 ? ex->arg[0] : NULL;
  }
  return ok;
}

/* The text of the override that can stand in place of setting s, which has lost all its values;
 * "" if there is none. */
static const char *replacement(pw_check *ck, pw_settings *all, const pw_setting *s) {
  for (int i = 0; i < all->list.n; i++) {
    pw_setting *o = &all->list.items[i];
    if (o->stmt < 0 && !o->placed && same_target(&o->target, &s->target) &&
        pw_setting_kept(ck, all, i) == pw_setting_size(o) && known_above(ck, o->ex, s->stmt)) {
      o->placed = true;
      return pw_format_text(ck, "%s = %s%s", s->left, o->value, pw_unit_kept(ck, s->ex, o->ex));
    }
  }
  return "";
}

static void push_edit(pw_check *ck, pw_span span, const char *text) {
  PW_PUSH(ck->arena, &ck->m->edits, ((pw_edit){span, text}));
}

/* Entries are changed one by one; if one vanishes, the statement is written anew. */
static void edit_statement(pw_check *ck, const pw_stmt *s, const char *const *now) {
  pw_text_list out = {0};
  bool vanishes = false;
  int kept = 0;
  for (int i = 0; i < s->u.start.n; i++) {
    vanishes |= now[i] != NULL && now[i][0] == '\0';
  }
  for (int i = 0; i < s->u.start.n; i++) {
    const pw_init *init = &s->u.start.items[i];
    const char *text = now[i] != NULL ? now[i] : pw_text_of(ck, init->span);
    if (!vanishes && now[i] != NULL) {
      push_edit(ck, init->span, text);
    } else if (vanishes && text[0] != '\0') {
      pw_text_add(ck, &out, kept++ == 0 ? "start " : ", ");
      pw_text_add(ck, &out, text);
    }
  }
  if (vanishes) {
    push_edit(ck, s->span, pw_text_end(ck, &out));
  }
}

static bool is_changed(pw_check *ck, const pw_settings *all, int index) {
  const pw_setting *s = &all->list.items[index];
  return pw_setting_kept(ck, all, index) < pw_setting_size(s) ||
         (s->guess && s->target.kind == PW_TG_SPIN &&
          ck->draft.spins.items[s->target.coord].overridden);
}

static void edit_inits(pw_check *ck, pw_settings *all) {
  for (int i = 0; i < all->list.n && all->list.items[i].stmt >= 0;) {
    int stmt = all->list.items[i].stmt;
    const pw_stmt *s = ck->m->ast->items[stmt];
    const char **now = PW_TAKE(ck->arena, s->u.start.n, const char *);
    for (; i < all->list.n && all->list.items[i].stmt == stmt; i++) {
      const pw_setting *setting = &all->list.items[i];
      if (s->scope == NULL && is_changed(ck, all, i)) {
        now[setting->init] = pw_setting_kept(ck, all, i) > 0 ? pw_setting_text(ck, all, i)
                                                             : replacement(ck, all, setting);
      }
    }
    if (s->scope == NULL) { /* the text of a part stays: what stands behind it counts */
      edit_statement(ck, s, now);
    }
  }
}

void pw_edit_starts(pw_check *ck) {
  pw_settings all = {0};
  pw_text_list added = {0};
  pw_span place;
  const char *input;
  pw_edit_input_file(ck, &place, &input);
  if (input != NULL && place.file >= 0) {
    push_edit(ck, place, input);
  } else if (input != NULL) {
    pw_text_add(ck, &added, input);
  }
  pw_collect_settings(ck, &all);
  edit_inits(ck, &all);
  for (int i = 0; i < all.list.n; i++) {
    const pw_setting *s = &all.list.items[i];
    if (s->stmt < 0 && !s->placed && pw_setting_kept(ck, &all, i) > 0) {
      pw_text_add(ck, &added, "start ");
      pw_text_add(ck, &added, pw_setting_text(ck, &all, i));
      pw_text_add(ck, &added, "\n");
    }
  }
  ck->m->added_text = added.n > 0 ? pw_text_end(ck, &added) : NULL;
}
