// SPDX-License-Identifier: MIT
/* Signals: inputs, tables of measurements, states, controllers. */
#include "lang/parser.h"

/* [STRING] after a word; the file is read by the driver. */
static void rule_file(pw_parser *p, pw_data_file *data) {
  data->span = pw_token_span(p, p->tok);
  if (pw_at(p, PW_TOK_STRING)) {
    data->path = pw_take_string(p);
  } else {
    pw_unexpected(p, "the name of a file in quotes", NULL);
  }
}

/* point {point}, added to a list of vectors */
#define RULE_POINTS(p, list)                 \
  while (pw_at((p), PW_TOK_LPAREN)) {        \
    pw_ex *point = rule_point(p);            \
    PW_PUSH((p)->env->arena, (list), point); \
  }

static pw_ex *rule_point(pw_parser *p) {
  int begin = p->tok.begin;
  pw_token open = p->tok;
  pw_ex *point = pw_new_ex(p, PW_EX_VECTOR, begin, 2);
  pw_next(p);
  point->arg[0] = pw_rule_expr(p);
  pw_expect(p, PW_TOK_COMMA, "`,` and the value at this place");
  point->arg[1] = pw_rule_expr(p);
  pw_expect_close(p, open);
  point->span = pw_span_from(p, begin);
  return point;
}

/* "input" (NAME "=" expr ["from" STRING | "through" point {point}] {"," ...} | "from" STRING) */
void pw_rule_input(pw_parser *p, pw_st_input *input) {
  input->all.file = -1;
  if (pw_at_word(p, "from") && pw_peek(p, 1).kind == PW_TOK_STRING) {
    pw_next(p);
    rule_file(p, &input->all);
    return;
  }
  do {
    pw_input in = {.name = pw_define(p, "an input"), .data.file = -1};
    pw_expect(p, PW_TOK_EQ, "`=` and the value where nothing else is given");
    in.value = pw_rule_expr(p);
    int word = p->tok.begin;
    if (pw_accept_word(p, "from")) {
      rule_file(p, &in.data);
      in.data.span.begin = word;
    } else if (pw_accept_word(p, "through")) {
      RULE_POINTS(p, &in.points);
    }
    PW_PUSH(p->env->arena, input, in);
  } while (pw_accept(p, PW_TOK_COMMA));
}

/* "state" NAME "'" "=" expr {"," NAME "'" "=" expr} */
void pw_rule_state(pw_parser *p, pw_st_output *output) {
  do {
    pw_def def = {.name = pw_define(p, "a state")};
    pw_expect(p, PW_TOK_PRIME, "`'`: a state is given by its rate, `z' = ...`");
    pw_expect(p, PW_TOK_EQ, "`=` and the rate");
    def.ex = pw_rule_expr(p);
    PW_PUSH(p->env->arena, output, def);
  } while (pw_accept(p, PW_TOK_COMMA));
}

/* "sample" NAME ":" expr "," "every" expr */
void pw_rule_sample(pw_parser *p, pw_st_sample *sample) {
  sample->name = pw_define(p, "a sample");
  pw_expect(p, PW_TOK_COLON, "`:` and an expression");
  sample->ex = pw_rule_expr(p);
  pw_expect(p, PW_TOK_COMMA, "`, every` and the period");
  pw_expect_word(p, "every");
  sample->every = pw_rule_expr(p);
}

static void rule_table_word(pw_parser *p, pw_st_table *table) {
  static const char *const words[] = {"linear", "cubic", "monotone", "periodic", "extend", NULL};
  for (int i = 0; words[i] != NULL; i++) {
    if (pw_at_word(p, words[i])) {
      pw_name word = pw_take_name(p);
      PW_PUSH(p->env->arena, &table->words, word);
      return;
    }
  }
  pw_unexpected(p, "`linear`, `cubic`, `monotone`, `periodic` or `extend`", words);
}

/* "table" NAME "(" NAME [unit] ")" [unit] ":" (point {point} | STRING) {"," word} */
void pw_rule_table(pw_parser *p, pw_st_table *table) {
  table->data.file = -1;
  table->name = pw_define(p, "a table");
  pw_token open = p->tok;
  pw_expect(p, PW_TOK_LPAREN, "`(` and the argument");
  table->arg = pw_define(p, "an argument");
  table->arg_unit = pw_at(p, PW_TOK_LBRACKET) ? pw_rule_unit(p) : NULL;
  pw_expect_close(p, open);
  table->unit = pw_at(p, PW_TOK_LBRACKET) ? pw_rule_unit(p) : NULL;
  pw_expect(p, PW_TOK_COLON, "`:` and points, or a file");
  if (pw_at(p, PW_TOK_LPAREN)) {
    RULE_POINTS(p, &table->points);
  } else if (pw_at(p, PW_TOK_STRING)) {
    rule_file(p, &table->data);
  } else {
    pw_unexpected(p, "points `(x, y)(x, y)`, or the name of a file in quotes", NULL);
  }
  while (pw_accept(p, PW_TOK_COMMA)) {
    rule_table_word(p, table);
  }
}
