// SPDX-License-Identifier: MIT
/* The run statement and its options. */
#include <math.h>
#include <string.h>

#include "model/check.h"
#include "pawl/sim.h"

typedef enum option_kind { OPT_POSITIVE, OPT_FRACTION, OPT_COUNT, OPT_CHOICE } option_kind;

typedef struct run_option {
  const char *word;
  option_kind kind;
  const char *choices[6]; /* of OPT_CHOICE, up to NULL */
} run_option;

static const run_option known_options[] = {
    {"tol", OPT_FRACTION, {NULL}},
    {"every", OPT_POSITIVE, {NULL}},
    {"max-seconds", OPT_POSITIVE, {NULL}},
    {"step", OPT_POSITIVE, {NULL}},
    {"method", OPT_CHOICE, {"event", "dp5", "dop853", "moreau", "variational"}},
    {"impacts", OPT_CHOICE, {"simultaneous", "sequential"}},
    {"energy-gain", OPT_CHOICE, {"allow", "stop"}},
    {"paradox", OPT_CHOICE, {"strict", "iwc", "enumerate"}},
    {"start-impact", OPT_CHOICE, {"allow"}},
    {"restitution-above-one", OPT_CHOICE, {"allow"}},
    {"max-steps", OPT_COUNT, {NULL}},
    {"max-events", OPT_COUNT, {NULL}}};

static const run_option *find_option(pw_check *ck, pw_name word) {
  pw_suggest s = pw_suggest_begin(word.text);
  for (size_t i = 0; i < sizeof known_options / sizeof *known_options; i++) {
    if (strcmp(known_options[i].word, word.text) == 0) {
      return &known_options[i];
    }
    pw_suggest_try(&s, known_options[i].word);
  }
  pw_diag_ref d = pw_error(ck->diags, "E0404", word.span, "unknown run option `%s`", word.text);
  pw_label(d, "not an option of `run`");
  if (s.best != NULL) {
    pw_help(d, "did you mean `%s`?", s.best);
  } else {
    pw_help(d, "the options are tol, every, step, method, impacts, energy-gain, paradox, "
               "start-impact, restitution-above-one, max-steps, max-events, max-seconds");
  }
  return NULL;
}

static const char *list_choices(pw_check *ck, const run_option *option) {
  const char *text = pw_format_text(ck, "`%s`", option->choices[0]);
  for (int i = 1; option->choices[i] != NULL; i++) {
    text = pw_format_text(ck, "%s, `%s`", text, option->choices[i]);
  }
  return text;
}

static bool check_choice(pw_check *ck, const pw_runopt *given, const run_option *option) {
  if (given->choice.text == NULL) {
    pw_diag_ref d =
        pw_error(ck->diags, "E0404", given->ex->span, "`%s` needs a word", option->word);
    pw_label(d, "this is a number");
    return false;
  }
  pw_suggest s = pw_suggest_begin(given->choice.text);
  for (int i = 0; option->choices[i] != NULL; i++) {
    if (strcmp(option->choices[i], given->choice.text) == 0) {
      return true;
    }
    pw_suggest_try(&s, option->choices[i]);
  }
  pw_diag_ref d = pw_error(ck->diags, "E0404", given->choice.span, "`%s` is not a choice for `%s`",
                           given->choice.text, option->word);
  pw_label(d, "choose %s", list_choices(ck, option));
  if (s.best != NULL) {
    pw_help(d, "did you mean `%s`?", s.best);
  }
  return false;
}

/* A parameter may be given as a bare name, which the parser takes for a word. */
static bool check_number(pw_check *ck, const pw_runopt *given, const run_option *option,
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
  bool ok = *out > 0;
  ok = ok && (option->kind != OPT_FRACTION || (*out >= PAWL_TOL_LEAST && *out <= PAWL_TOL_MOST));
  ok = ok && (option->kind != OPT_COUNT || (*out == floor(*out) && *out <= 1e15));
  if (!ok) {
    pw_diag_ref d = pw_error(ck->diags, "E0404", ex->span, "`%s` must be %s", option->word,
                             option->kind == OPT_COUNT      ? "a positive integer"
                             : option->kind == OPT_FRACTION ? "between 1e-14 and 1e-2"
                                                            : "positive");
    pw_label(d, "this is %s", pw_format_real(ck, *out));
  }
  return ok;
}

static void check_option(pw_check *ck, const pw_runopt *given, struct pw_run_option *out) {
  pw_run *run = &ck->m->run;
  const run_option *option = find_option(ck, given->word);
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
  bool word = option->kind == OPT_CHOICE;
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
