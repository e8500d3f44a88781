// SPDX-License-Identifier: MIT
/* Units after numbers: unit = factor {("*"|"/") factor}; factor = (NAME | "1") ["^" ["-"] NUMBER].
 * A slash applies to the next factor only: m/s*kg is m kg / s. */
#include "lang/parser.h"

enum { LARGEST_POWER = 24 };

static void fail_unit(pw_parser *p, const char *label, const char *help) {
  char shown[PW_SHOWN + 8];
  pw_show(p, p->tok, shown, sizeof shown);
  pw_diag_ref ref =
      pw_fail(p, "E0025", pw_token_span(p, p->tok), "%s cannot stand here in a unit", shown);
  pw_label(ref, "%s", label);
  pw_help(ref, "%s", help);
}

/* ["-"] NUMBER: a small whole number */
static int rule_unit_power(pw_parser *p) {
  bool minus = pw_accept(p, PW_TOK_MINUS);
  int power = 0;
  for (int i = p->tok.begin; pw_at(p, PW_TOK_NUMBER) && i < p->tok.end; i++) {
    char c = p->source->text[i];
    power =
        c < '0' || c > '9' || power > LARGEST_POWER ? LARGEST_POWER + 1 : 10 * power + (c - '0');
  }
  if (!pw_at(p, PW_TOK_NUMBER) || power > LARGEST_POWER) {
    fail_unit(p, "a power of a unit is a small whole number", "write for example `m^2` or `s^-1`");
  }
  pw_accept(p, PW_TOK_NUMBER);
  return minus ? -power : power;
}

static pw_unit_factor rule_factor(pw_parser *p, bool divide) {
  pw_unit_factor factor = {.power = 1, .span = pw_token_span(p, p->tok)};
  bool one = pw_at(p, PW_TOK_NUMBER) && p->tok.end == p->tok.begin + 1 &&
             p->source->text[p->tok.begin] == '1';
  if (pw_at(p, PW_TOK_NAME) || one) {
    factor.name = pw_token_text(p, p->tok);
    pw_next(p);
  } else if (pw_at(p, PW_TOK_LPAREN)) {
    fail_unit(p, "no parentheses in units",
              "write `J/kg/K` for J/(kg*K): each `/` divides by the next name only");
  } else if (pw_at(p, PW_TOK_END)) {
    pw_unexpected(p, "the name of a unit", NULL);
  } else {
    fail_unit(p, "expected the name of a unit",
              "a unit is a product of names with powers: `[m/s^2]`, `[N*m/rad]`, `[1/s]`");
  }
  if (pw_accept(p, PW_TOK_CARET)) {
    factor.power = rule_unit_power(p);
  }
  factor.span.end = p->last.end;
  factor.power = divide ? -factor.power : factor.power;
  return factor;
}

const pw_unit *pw_rule_unit(pw_parser *p) {
  pw_unit *unit = PW_NEW(p->env->arena, pw_unit);
  pw_token open = p->tok;
  bool divide = false;
  do {
    divide = pw_at(p, PW_TOK_SLASH);
    pw_next(p);
    pw_unit_factor factor = rule_factor(p, divide);
    PW_PUSH(p->env->arena, unit, factor);
  } while (pw_at(p, PW_TOK_STAR) || pw_at(p, PW_TOK_SLASH));
  if (pw_at(p, PW_TOK_NAME) || pw_at(p, PW_TOK_NUMBER)) {
    fail_unit(p, "expected `*`, `/`, `^` or `]`", "write `*` between the factors: `[N*m]`");
  }
  pw_expect_close(p, open);
  unit->span = pw_span_from(p, open.begin);
  return unit;
}
