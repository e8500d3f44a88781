// SPDX-License-Identifier: MIT
/* Expressions back to text. Each kind has a level of binding; an operand that binds less tightly
 * than its place requires gets parentheses. */
#include "lang/print.h"

#include <math.h>

#include "lang/spine.h"

enum level { ANY, OR, AND, COMPARISON, SUM, PRODUCT, SIGN, POWER, NUMBER, POSTFIX };

static enum level level_of(const pw_ex *ex) {
  switch (ex->kind) {
  case PW_EX_EACH: return ANY;
  case PW_EX_OR: return OR;
  case PW_EX_AND: return AND;
  case PW_EX_GT:
  case PW_EX_GE:
  case PW_EX_LT:
  case PW_EX_LE: return COMPARISON;
  case PW_EX_ADD:
  case PW_EX_SUB: return SUM;
  case PW_EX_MUL:
  case PW_EX_DIV: return PRODUCT;
  case PW_EX_NEG:
  case PW_EX_POS: return SIGN;
  case PW_EX_POW: return POWER;
  case PW_EX_NUM: return signbit(ex->value) ? SIGN : NUMBER;
  default: return POSTFIX;
  }
}

static const char *sign_of(pw_ex_kind kind) {
  switch (kind) {
  case PW_EX_ADD: return " + ";
  case PW_EX_SUB: return " - ";
  case PW_EX_MUL: return "*";
  case PW_EX_DIV: return "/";
  case PW_EX_AND: return " and ";
  case PW_EX_OR: return " or ";
  case PW_EX_GT: return " > ";
  case PW_EX_GE: return " >= ";
  case PW_EX_LT: return " < ";
  case PW_EX_LE: return " <= ";
  default: return "^";
  }
}

static void print_at(pw_buf *out, const pw_ex *ex, enum level least) {
  bool parentheses = level_of(ex) < least;
  pw_buf_puts(out, parentheses ? "(" : "");
  pw_print_ex(out, ex);
  pw_buf_puts(out, parentheses ? ")" : "");
}

void pw_print_unit(pw_buf *out, const pw_unit *unit) {
  pw_buf_puts(out, " [");
  for (int i = 0; i < unit->n; i++) {
    const pw_unit_factor *f = &unit->items[i];
    bool divide = i > 0 && f->power < 0;
    int power = divide ? -f->power : f->power;
    pw_buf_puts(out, i == 0 ? "" : divide ? "/" : "*");
    pw_buf_puts(out, f->name);
    if (power != 1) {
      pw_buf_printf(out, "^%d", power);
    }
  }
  pw_buf_puts(out, "]");
}

/* (((a + b)*c + d)*e: opening parentheses on the way down, closing ones on the way up. */
static void print_binary(pw_buf *out, const pw_ex *ex) {
  pw_spine spine;
  if (!pw_spine_init(&spine, ex)) {
    out->failed = true;
    return;
  }
  for (int i = 1; i < spine.n; i++) {
    pw_buf_puts(out, level_of(spine.items[i]) < level_of(spine.items[i - 1]) ? "(" : "");
  }
  const pw_ex *last = spine.items[spine.n - 1];
  print_at(out, last->arg[0], level_of(last));
  for (int i = spine.n - 1; i >= 0; i--) {
    const pw_ex *e = spine.items[i];
    pw_buf_puts(out, sign_of(e->kind));
    print_at(out, e->arg[1], level_of(e) + 1);
    pw_buf_puts(out, i > 0 && level_of(e) < level_of(spine.items[i - 1]) ? ")" : "");
  }
  pw_spine_free(&spine);
}

static void print_list(pw_buf *out, const pw_ex *ex, int first) {
  pw_buf_puts(out, "(");
  for (int i = first; i < ex->n_arg; i++) {
    pw_buf_puts(out, i == first ? "" : ", ");
    pw_print_ex(out, ex->arg[i]);
  }
  pw_buf_puts(out, ")");
}

static void print_suffixed(pw_buf *out, const pw_ex *ex) {
  print_at(out, ex->arg[0], POSTFIX);
  if (ex->kind == PW_EX_PRIME) {
    pw_buf_puts(out, "'");
  } else if (ex->kind == PW_EX_FIELD) {
    pw_buf_printf(out, ".%s", ex->name);
  } else if (ex->kind == PW_EX_INDEX) {
    pw_buf_puts(out, "[");
    pw_print_ex(out, ex->arg[1]);
    pw_buf_puts(out, "]");
  } else {
    print_list(out, ex, 1);
  }
}

static void print_each(pw_buf *out, const pw_ex *ex) {
  pw_buf_printf(out, "%s in ", ex->name);
  pw_print_ex(out, ex->arg[0]);
  pw_buf_puts(out, "..");
  pw_print_ex(out, ex->arg[1]);
  pw_buf_puts(out, ": ");
  pw_print_ex(out, ex->arg[2]);
}

static void print_number(pw_buf *out, const pw_ex *ex) {
  pw_buf_real(out, ex->value);
  if (ex->unit != NULL) {
    pw_print_unit(out, ex->unit);
  }
}

void pw_print_ex(pw_buf *out, const pw_ex *ex) {
  switch (ex->kind) {
  case PW_EX_NUM: print_number(out, ex); break;
  case PW_EX_NAME: pw_buf_puts(out, ex->name); break;

  /* -a^2 is -(a^2): a power after a sign needs no parentheses. */
  case PW_EX_NEG:
  case PW_EX_POS:
    pw_buf_puts(out, ex->kind == PW_EX_NEG ? "-" : "+");
    print_at(out, ex->arg[0], POWER);
    break;

  /* a^b^c is a^(b^c): a power needs parentheses as a base, but not as an exponent. */
  case PW_EX_POW:
    print_at(out, ex->arg[0], NUMBER);
    pw_buf_puts(out, "^");
    print_at(out, ex->arg[1], SIGN);
    break;

  /* A condition compares two sums. */
  case PW_EX_GT:
  case PW_EX_GE:
  case PW_EX_LT:
  case PW_EX_LE:
    print_at(out, ex->arg[0], SUM);
    pw_buf_puts(out, sign_of(ex->kind));
    print_at(out, ex->arg[1], SUM);
    break;
  case PW_EX_VECTOR: print_list(out, ex, 0); break;
  case PW_EX_EACH: print_each(out, ex); break;

  /* `x'`, `x[i]`, `b.p` and `f(x)` bind most strongly. */
  case PW_EX_PRIME:
  case PW_EX_INDEX:
  case PW_EX_FIELD:
  case PW_EX_CALL: print_suffixed(out, ex); break;
  default: print_binary(out, ex); break;
  }
}
