// SPDX-License-Identifier: MIT
/* Parameters: numbers, vectors, families of either. Each number is a parameter of the model, named
 * "m", "a[2]", "k[3]", "P[2][1]"; a later entry may give one member or component another value, and
 * so may the command line. */
#include <string.h>

#include "model/edits.h"
#include "model/hertz.h"

/* ---- what an entry sets ---- */

typedef struct entry { /* one parameter statement entry, and which numbers it sets */
  const pw_par *par;
  pw_symbol *sym;
  const char *path; /* "k", "k[2]", "P[2][1]" */
  int first, n;     /* among the numbers of the parameter */
  int component;    /* of a vector, from 0; -1: whole members */
} entry;

/* Numbers of one member: the components of a vector, or one. */
static int width_of(const pw_symbol *sym) {
  return sym->each > 0 ? sym->each : 1;
}

/* "P[2][1]": the name of number k. */
static const char *name_of(pw_check *ck, const pw_symbol *sym, int k) {
  const char *name = sym->name;
  if (sym->family) {
    name = pw_intern_format(ck->names, "%s[%d]", name, sym->lo + k / width_of(sym));
  }
  return sym->each > 0 ? pw_intern_format(ck->names, "%s[%d]", name, k % sym->each + 1) : name;
}

/* ---- values ---- */

/* Numbers known before the run; n = 0: as many as there are. */
static bool elab_numbers(pw_check *ck, const pw_ex *ex, unsigned site, int n, pw_val *out) {
  bool ok = pw_elab_list_at(ck, ex, site, n, "a parameter", out);
  double x;
  for (int i = 0; ok && i < out->n; i++) {
    ok = pw_node_is_known(ck, ex, out->v[i], 0, "a parameter", &x);
  }
  return ok;
}

typedef struct given_value { /* of an override that was used last: its message is told once */
  const pw_given *of;
  pw_val val;
  bool ok;
} given_value;

/* What the command line says about number k: of itself, else of its member, else of the whole. */
static bool value_from_outside(pw_check *ck, const entry *e, int k, given_value *g, pw_node *out) {
  const char *rest;
  const pw_given *of = pw_override_above(ck, name_of(ck, e->sym, k), &rest);
  if (of == NULL) {
    return false;
  }
  bool family = e->sym->family && strlen(of->path) == strlen(e->sym->name);
  bool whole = e->sym->each > 0 && (rest[0] != '\0') && (!family || strchr(rest + 1, '[') != NULL);
  if (of != g->of) {
    g->ok = elab_numbers(ck, of->value, PW_OVERRIDES, whole ? e->sym->each : 1, &g->val);
    g->of = of;
  }
  if (g->ok) {
    *out = g->val.v[whole ? k % e->sym->each : 0];
  }
  return true;
}

/* The range of `in lo..hi`, and whether the value lies in it. */
static bool check_range(pw_check *ck, const pw_par *par, const pw_ex *value, pw_parameter *p) {
  bool ok = pw_elab_const(ck, par->lo, PW_MAY_INF, "the lower end of the range", &p->lo);
  ok = pw_elab_const(ck, par->hi, PW_MAY_INF, "the upper end of the range", &p->hi) && ok;
  if (!ok) {
    return false;
  }
  if (p->lo > p->hi) {
    pw_diag_ref d = pw_error(ck->diags, "E0115", pw_span_join(par->lo->span, par->hi->span),
                             "the range of `%s` is reversed", p->name);
    pw_label(d, "%s is larger than %s", pw_format_real(ck, p->lo), pw_format_real(ck, p->hi));
    pw_help(d, "write the smaller limit first: `in %s..%s`", pw_format_real(ck, p->hi),
            pw_format_real(ck, p->lo));
    return false;
  }
  if (p->value < p->lo || p->value > p->hi) {
    pw_diag_ref d = pw_error(ck->diags, "E0115", value->span, "`%s` is outside its range", p->name);
    pw_label(d, "%s is not in %s..%s", pw_format_real(ck, p->value), pw_format_real(ck, p->lo),
             pw_format_real(ck, p->hi));
    pw_second(d, pw_span_join(par->lo->span, par->hi->span), "the range");
    return false;
  }
  return true;
}

void pw_warn_hertz(pw_check *ck, const pw_par *par, const pw_ex *given) {
  double value;
  if (!pw_is_hertz_for_turns(par->value, given) ||
      !pw_elab_const(ck, given, PW_OVERRIDES, "a parameter", &value)) {
    return;
  }
  pw_diag_ref d =
      pw_warning(ck->diags, "W0260", given->span,
                 "`%s` is an angular velocity, and is given in hertz", par->label.name.text);
  pw_label(d, "taken as %s rad/s", pw_format_real(ck, value));
  pw_help(d, "for turns in a second write `%s [rev/s]`", pw_format_real(ck, value));
}

/* ---- numbers of the model ---- */

static bool is_varied(const pw_check *ck, const char *name) {
  bool varied = false;
  for (int i = 0; ck->vary != NULL && i < ck->vary->n; i++) {
    varied = varied || strcmp(ck->vary->names[i], name) == 0;
  }
  return varied;
}

/* A parameter that is computed from varied ones follows them; else it is a number. */
static void set_number(pw_check *ck, pw_symbol *sym, int k, pw_node node) {
  int i = sym->first + k;
  pw_parameter *p = &ck->m->parameters.items[i];
  bool follows = ck->vary != NULL && pw_contains_parameter(ck, node);
  p->value = pw_value_now(ck, node);
  sym->nodes[k] = ck->symbols || p->varied ? pw_var(ck->dag, pw_var_of(PW_VAR_PARAMETER, i))
                  : follows                ? node
                                           : pw_const(ck->dag, p->value);
  if (sym->each == 0 && sym->family) {
    sym->val.members[k].node = sym->nodes[k];
  }
}

/* Numbers k.. of one member, from its text or the command line, into the model. */
static bool set_member(pw_check *ck, const entry *e, int k, const pw_val *own, given_value *g) {
  bool ok = true;
  for (int c = 0; ok && c < own->n; c++) {
    pw_node node = own->v[c];
    bool outside = value_from_outside(ck, e, k + c, g, &node);
    ok = !outside || g->ok;
    pw_parameter *p = &ck->m->parameters.items[e->sym->first + k + c];
    p->overridden = outside;
    if (ok) {
      set_number(ck, e->sym, k + c, node);
    }
    if (ok && outside && e->sym->each == 0 && e->par->at.n == 0) {
      pw_warn_hertz(ck, e->par, g->of->value);
    }
    if (ok && e->par->lo != NULL) {
      ok = check_range(ck, e->par, outside ? g->of->value : e->par->value, p);
    } else if (ok && p->lo <= p->hi && (p->value < p->lo || p->value > p->hi)) {
      pw_diag_ref d =
          pw_error(ck->diags, "E0115", e->par->value->span, "`%s` is outside its range", p->name);
      pw_label(d, "%s is not in %s..%s", pw_format_real(ck, p->value), pw_format_real(ck, p->lo),
               pw_format_real(ck, p->hi));
      ok = false;
    }
  }
  return ok;
}

/* ---- the command line in the text ---- */

/* Behind the entry: what the command line says about parts of what it sets, the wider ones first.
 */
static void edit_inside(pw_check *ck, const entry *e) {
  size_t len = strlen(e->path);
  for (int deep = 0; deep < 2; deep++) {
    for (int i = 0; i < ck->n_given; i++) {
      const pw_given *g = &ck->given[i];
      bool inside = g->path != NULL && g->used && g->value != NULL &&
                    strncmp(g->path, e->path, len) == 0 && g->path[len] == '[';
      if (inside && deep == (strchr(g->path + len + 1, '[') != NULL)) {
        pw_edit_member(ck, e->par, g->path, g->value);
      }
    }
  }
}

static void edit_text(pw_check *ck, const entry *e) {
  const char *rest;
  const pw_given *g = pw_override_above(ck, e->path, &rest);
  bool in_part = ck->stmt->scope != NULL;
  if (in_part && e->par->at.n > 0) {
    return; /* settings of the part come behind it */
  }
  if (g != NULL && in_part) {
    pw_edit_setting(ck, e->par, g->value);
  } else if (g != NULL) {
    pw_span extent = pw_value_extent(ck, e->par->label.name.span.end, e->par->value);
    bool picks = e->component >= 0 && rest[0] != '\0';
    pw_edit_parameter(ck, e->par, g->value, extent, picks ? e->component + 1 : 0);
  }
  edit_inside(ck, e);
}

/* ---- new parameters ---- */

static void push_numbers(pw_check *ck, const pw_par *par, pw_symbol *sym, int n) {
  sym->first = ck->m->parameters.n;
  sym->nodes = PW_TAKE(ck->arena, n, pw_node);
  for (int k = 0; k < n; k++) {
    pw_parameter p = {.name = name_of(ck, sym, k),
                      .of = sym->name,
                      .component = sym->each > 0 ? k % sym->each : 0,
                      .span = par->label.name.span,
                      .lo = 1,
                      .hi = 0,
                      .fixed = PW_NO_SPAN};
    p.varied = is_varied(ck, p.name);
    PW_PUSH(ck->arena, &ck->m->parameters, p);
  }
}

/* The value that the name stands for, over the numbers of the parameter. */
static pw_val value_of(pw_check *ck, pw_symbol *sym, int members) {
  if (!sym->family) {
    return sym->each > 0 ? (pw_val){.kind = PW_V_VECTOR, .n = sym->each, .v = sym->nodes}
                         : pw_scalar_val(sym->nodes[0]);
  }
  pw_val val = {.kind = PW_V_MEMBERS, .lo = sym->lo, .n = members, .sym = sym};
  val.members = PW_TAKE(ck->arena, members, pw_val);
  for (int i = 0; i < members; i++) {
    val.members[i] =
        sym->each > 0
            ? (pw_val){.kind = PW_V_VECTOR, .n = sym->each, .v = sym->nodes + i * sym->each}
            : pw_scalar_val(sym->nodes[i]);
  }
  return val;
}

/* The text of every member; all have the size of the first. */
static bool elab_members(pw_check *ck, const pw_par *par, int lo, int n, pw_val *own) {
  bool ok = true, family = par->label.index.text != NULL;
  for (int i = 0; ok && i < n; i++) {
    if (family) {
      pw_env_push(&ck->env, par->label.index, pw_scalar_val(pw_const(ck->dag, lo + i)));
    }
    ok = elab_numbers(ck, par->value, 0, i == 0 ? 0 : own[0].n, &own[i]);
    pw_env_drop(&ck->env, family);
  }
  return ok;
}

static void define(pw_check *ck, const pw_par *par) {
  /* The range of a family, and the value that the text gives each member. */
  bool family = par->label.index.text != NULL;
  int lo = 0, hi = 0;
  bool ok = !family || pw_elab_range(ck, par->label.from, par->label.to, false, &lo, &hi);
  int n = hi - lo + 1;
  ok = ok && (!family || pw_take_members(ck, par->label.name.span, n));
  pw_val *own = ok ? PW_TAKE(ck->arena, n, pw_val) : NULL;
  ok = ok && elab_members(ck, par, lo, n, own);

  /* The name, with its range and the width of its vectors. */
  pw_symbol *sym = pw_define_name(ck, par->label.name);
  if (!ok || sym == NULL) {
    return;
  }
  sym->family = family;
  sym->lo = lo;
  sym->each = own[0].kind == PW_V_VECTOR ? own[0].n : 0;
  if (sym->each > 0 && !pw_take_members(ck, par->label.name.span, n * (sym->each - 1))) {
    return;
  }

  /* Each component of each member is a number of the model. */
  push_numbers(ck, par, sym, n * own[0].n);
  sym->val = value_of(ck, sym, n);

  /* A value from the command line replaces that of the text. Members see the family index. */
  entry e = {.par = par, .sym = sym, .path = sym->name, .n = n * own[0].n, .component = -1};
  given_value g = {0};
  for (int i = 0; ok && i < n; i++) {
    if (family) {
      pw_env_push(&ck->env, par->label.index, pw_scalar_val(pw_const(ck->dag, lo + i)));
    }
    ok = set_member(ck, &e, i * own[0].n, &own[i], &g);
    pw_env_drop(&ck->env, family);
  }
  if (!ok) {
    sym->val = PW_BAD_VAL;
    return;
  }

  /* A single number stands for itself, not for a list of one. */
  sym->val = family || sym->each > 0 ? sym->val : pw_scalar_val(sym->nodes[0]);
  edit_text(ck, &e);
}

/* ---- members and components of parameters above ---- */

static pw_symbol *parameter_above(pw_check *ck, const pw_par *par) {
  pw_symbol *sym = pw_env_find(&ck->env, par->label.name.text);
  if (sym == NULL || sym->kind != PW_SYM_PARAMETER || !sym->defined) {
    if (!pw_env_excuses(&ck->env, par->label.name.text)) {
      pw_diag_ref d = pw_error(ck->diags, "E0119", par->label.name.span,
                               "there is no parameter `%s` above", par->label.name.text);
      pw_label(d, "this sets one of its members");
      pw_help(d, "write all of them first: `parameter %s[i in 1..N] = ...`, or `%s = (a, b)`",
              par->label.name.text, par->label.name.text);
    }
    return NULL;
  }
  if (sym->used != NULL) {
    pw_diag_ref d = pw_error(ck->diags, "E0119", par->span, "a member of `%s` is set after its use",
                             par->label.name.text);
    pw_label(d, "this comes too late");
    pw_second(d, sym->used->span, "used here");
    pw_help(d, "move it directly behind the definition of `%s`", par->label.name.text);
    return NULL;
  }
  return sym->val.kind == PW_V_BAD ? NULL : sym;
}

/* Which numbers the indices name. */
static bool find_entry(pw_check *ck, const pw_par *par, entry *e) {
  const pw_symbol *sym = e->sym;
  const pw_ex owner = {.kind = PW_EX_NAME, .name = sym->name, .span = par->label.name.span};
  int level = 0, i;
  e->n = width_of(sym) * (sym->family ? sym->val.n : 1);

  /* Of a family, the first index names a member. */
  if (sym->family) {
    if (!pw_elab_index(ck, par->at.items[level++], sym->lo, sym->val.n, &owner, &i)) {
      return false;
    }
    e->path = pw_intern_format(ck->names, "%s[%d]", e->path, i);
    e->n = width_of(sym);
    e->first = (i - sym->lo) * e->n;
  }

  /* Of a vector, the next index names a component. */
  if (level < par->at.n && sym->each > 0) {
    if (!pw_elab_index(ck, par->at.items[level++], 1, sym->each, &owner, &i)) {
      return false;
    }
    e->path = pw_intern_format(ck->names, "%s[%d]", e->path, i);
    e->component = i - 1;
    e->first += i - 1;
    e->n = 1;
  }

  /* What is left is a number and takes no index. */
  if (level < par->at.n) {
    pw_diag_ref d =
        pw_error(ck->diags, "E0107", par->at.items[level]->span, "a number has no components");
    pw_label(d, "`%s` is a single number", e->path);
    return false;
  }
  return true;
}

static void set_again(pw_check *ck, const pw_par *par) {
  entry e = {.par = par, .sym = parameter_above(ck, par), .component = -1};
  given_value g = {0};
  pw_val own;
  if (e.sym == NULL) {
    return;
  }
  e.path = e.sym->name;
  if (!find_entry(ck, par, &e) || !elab_numbers(ck, par->value, 0, e.n, &own) ||
      !set_member(ck, &e, e.first, &own, &g)) {
    e.sym->val = PW_BAD_VAL;
    return;
  }
  edit_text(ck, &e);
}

void pw_check_parameter(pw_check *ck) {
  for (int i = 0; i < ck->stmt->u.parameter.n; i++) {
    const pw_par *par = &ck->stmt->u.parameter.items[i];
    if (par->at.n > 0) {
      set_again(ck, par);
    } else {
      define(ck, par);
    }
  }
}
