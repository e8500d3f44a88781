// SPDX-License-Identifier: MIT
/* Overrides as changes of the text: what `model.pawl` of a results folder is made of. */
#ifndef PW_MODEL_EDITS_H
#define PW_MODEL_EDITS_H

#include "model/check.h"

/* ---- edit_text.c ---- */

typedef PW_LIST(char) pw_text_list;

void pw_text_add(pw_check *ck, pw_text_list *out, const char *text);
const char *pw_text_end(pw_check *ck, pw_text_list *out);
const char *pw_exact_text(pw_check *ck, double x); /* reads back as the same number */
/* What `print` writes, in the arena. */
typedef void (*pw_print_fn)(pw_buf *out, const void *payload);
const char *pw_buffered_text(pw_check *ck, pw_print_fn print, const void *payload);
const char *pw_print_text(pw_check *ck, const pw_ex *ex);
/* The text of an override, of which `ex` is the expression. */
const char *pw_given_text(pw_check *ck, const pw_ex *ex);
/* The value behind the first sign `=` or `~` at or after offset `from`, parentheses included. */
pw_span pw_value_extent(pw_check *ck, int from, const pw_ex *value);
/* " [kg]" if a number with a unit is replaced by one without, which is in SI; else "". */
const char *pw_unit_kept(pw_check *ck, const pw_ex *before, const pw_ex *now);
/* Component k (from 0) of "(a, b, c)". */
const char *pw_component_text(pw_check *ck, const char *vector, int k);

/* ---- start_part.c ---- */

typedef struct pw_setting { /* an entry of a start statement, or an override of start values */
  pw_target target;         /* of a range x[i in a..b]: the members a..b as a family */
  const char *left, *value; /* texts; left without the range */
  const char *index;        /* of a range, or NULL */
  const pw_ex *ex;
  bool guess;
  int stmt, init; /* place in the tree; stmt -1: an override */
  bool placed;    /* override: its text stands in place of another */
} pw_setting;

typedef struct pw_settings {
  PW_LIST(pw_setting) list;
  int *q_owner, *u_owner; /* which setting has the last word; -1: none */
} pw_settings;

/* All settings of a model without errors, in the order in which they apply. */
void pw_collect_settings(pw_check *ck, pw_settings *all);
/* How many of its values a setting keeps. */
int pw_setting_kept(pw_check *ck, const pw_settings *all, int s);
int pw_setting_size(const pw_setting *s);
/* What is left of a setting as entries of a start statement; "" if nothing. */
const char *pw_setting_text(pw_check *ck, const pw_settings *all, int s);

/* ---- edits.c ---- */

/* `component`: of the value, which is a vector, this one; 0: the value itself. */
void pw_edit_parameter(pw_check *ck, const pw_par *par, const pw_ex *value, pw_span extent,
                       int component);
/* Sets a member or component, "k[2]", behind the entry that sets the whole. */
void pw_edit_member(pw_check *ck, const pw_par *par, const char *path, const pw_ex *value);
/* The same for a parameter of a part: it becomes a setting of the `include` statement. */
void pw_edit_setting(pw_check *ck, const pw_par *par, const pw_ex *value);
void pw_edit_starts(pw_check *ck);

#endif
