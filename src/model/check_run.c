// SPDX-License-Identifier: MIT
/* The run statement and its options. */
#include <string.h>

#include "base/option_table.h"
#include "model/check.h"

static const pawl_option *find_option(pw_check *ck, pw_name word) {
  pw_suggest s = pw_suggest_begin(word.text);
  const char *all = NULL;
  const pawl_option *option;
  for (int i = 0; (option = pawl_option_get(i)) != NULL; i++) {
    if (!option->statement) {
      continue;
    }
    if (strcmp(option->word, word.text) == 0) {
      return option;
    }
    pw_suggest_try(&s, option->word);
    all = all == NULL ? option->word : pw_format_text(ck, "%s, %s", all, option->word);
  }
  pw_diag_ref d = pw_error(ck->diags, "E0404", word.span, "unknown run option `%s`", word.text);
  pw_label(d, "not an option of `run`");
  if (s.best != NULL) {
    pw_help(d, "did you mean `%s`?", s.best);
  } else {
    pw_help(d, "the options are %s", all);
  }
  return NULL;
}

static bool check_choice(pw_check *ck, const pw_runopt *given, const pawl_option *option) {
  if (given->choice.text == NULL) {
    pw_diag_ref d =
        pw_error(ck->diags, "E0404", given->ex->span, "`%s` needs a word", option->word);
    pw_label(d, "this is a number");
    return false;
  }
  if (pw_option_is_choice(option, given->choice.text)) {
    return true;
  }
  pw_suggest s = pw_suggest_begin(given->choice.text);
  for (int i = 0; option->choices[i] != NULL; i++) {
    pw_suggest_try(&s, option->choices[i]);
  }
  char legal[160];
  pawl_option_legal(option, legal, sizeof legal);
  pw_diag_ref d = pw_error(ck->diags, "E0404", given->choice.span, "`%s` is not a choice for `%s`",
                           given->choice.text, option->word);
  pw_label(d, "choose %s", legal);
  if (s.best != NULL) {
    pw_help(d, "did you mean `%s`?", s.best);
  }
  return false;
}

/* A parameter may be given as a bare name, which the parser takes for a word. */
static bool check_number(pw_check *ck, const pw_runopt *given, const pawl_option *option,
                         double *out) {
  pw_ex name = {.kind = PW_EX_NAME,
                .name = given->choice.text,
                .span = given->choice.span,
                .mark = given->choice.span};
  const pw_ex *ex = given->ex != NULL ? given->ex : &name;
  const char *what = pw_format_text(ck, "`%s`", option->word);
  if (!pw_elab_const(ck, ex, 0, what, out)) {
    return false;
  }
  bool ok = pw_option_fits(option, *out);
  if (!ok) {
    char legal[160];
    pawl_option_legal(option, legal, sizeof legal);
    pw_diag_ref d = pw_error(ck->diags, "E0404", ex->span, "`%s` must be %s", option->word, legal);
    pw_label(d, "this is %s", pw_format_real(ck, *out));
  }
  return ok;
}

static void check_option(pw_check *ck, const pw_runopt *given, struct pw_run_option *out) {
  pw_run *run = &ck->m->run;
  const pawl_option *option = find_option(ck, given->word);
  if (option == NULL) {
    return;
  }
  for (int i = 0; i < run->n_option; i++) {
    if (strcmp(run->options[i].word, option->word) == 0) {
      pw_diag_ref d =
          pw_error(ck->diags, "E0404", given->word.span, "`%s` is given twice", option->word);
      pw_label(d, "the second time");
      pw_second(d, run->options[i].span, "the first time");
      pw_help(d, "delete one of them");
      return;
    }
  }
  *out = (struct pw_run_option){.word = option->word, .span = given->word.span};
  bool word = option->type == PAWL_OPTION_CHOICE;
  bool ok = word ? check_choice(ck, given, option) : check_number(ck, given, option, &out->value);
  out->choice = word ? given->choice.text : NULL;
  run->n_option += ok;
}

void pw_check_run(pw_check *ck) {
  const pw_stmt *s = ck->stmt;
  pw_run *run = &ck->m->run;
  if (run->given) {
    pw_diag_ref d = pw_error(ck->diags, "E0406", s->keyword, "the model has two `run` lines");
    pw_label(d, "the second one");
    pw_second(d, run->span, "the first one");
    pw_help(d, "delete one of them");
    return;
  }
  run->given = true;
  run->span = s->keyword;
  bool ok = pw_elab_const(ck, s->u.run.from, 0, "the start time", &run->from);
  ok = pw_elab_const(ck, s->u.run.to, 0, "the end time", &run->to) && ok;
  if (ok && !(run->from < run->to)) {
    pw_diag_ref d =
        pw_error(ck->diags, "E0403", pw_span_join(s->u.run.from->span, s->u.run.to->span),
                 run->from > run->to ? "the run ends before it begins" : "the run has no length");
    pw_label(d, "%s is not before %s", pw_format_real(ck, run->from), pw_format_real(ck, run->to));
    pw_help(d, "a run goes forward in time: write the earlier time first");
  }
  run->options = PW_TAKE(ck->arena, s->u.run.n, struct pw_run_option);
  for (int i = 0; i < s->u.run.n; i++) {
    check_option(ck, &s->u.run.items[i], &run->options[run->n_option]);
  }
}
