// SPDX-License-Identifier: MIT
/* Pieces of text for changed models. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "lang/print.h"
#include "model/edits.h"
#include "model/units.h"

void pw_text_add(pw_check *ck, pw_text_list *out, const char *text) {
  for (; *text != '\0'; text++) {
    PW_PUSH(ck->arena, out, *text);
  }
}

const char *pw_text_end(pw_check *ck, pw_text_list *out) {
  PW_PUSH(ck->arena, out, '\0');
  return out->items;
}

const char *pw_exact_text(pw_check *ck, double x) {
  char text[48] = "0";
  pw_buf buf = {0};
  pw_buf_real(&buf, x);
  bool failed = buf.failed;
  if (!failed) {
    snprintf(text, sizeof text, "%s", buf.text);
  }
  pw_buf_free(&buf);
  if (failed) {
    pw_arena_fail(ck->arena, PAWL_E_MEMORY);
  }
  return pw_format_text(ck, "%s", text);
}

/* Printed twice: the buffer must be free while the arena gives memory, which may jump away. */
const char *pw_buffered_text(pw_check *ck, pw_print_fn print, const void *payload) {
  size_t len = 0;
  char *text = NULL;
  for (int pass = 0; pass < 2; pass++) {
    pw_buf buf = {0};
    print(&buf, payload);
    bool failed = buf.failed;
    if (pass == 1 && !failed && len > 0) {
      memcpy(text, buf.text, len);
    }
    len = buf.len;
    pw_buf_free(&buf);
    if (failed) {
      pw_arena_fail(ck->arena, PAWL_E_MEMORY);
    }
    text = pass == 0 ? PW_TAKE(ck->arena, len + 1, char) : text;
  }
  return text;
}

static void print_expression(pw_buf *out, const void *payload) {
  pw_print_ex(out, payload);
}

const char *pw_print_text(pw_check *ck, const pw_ex *ex) {
  return pw_buffered_text(ck, print_expression, ex);
}

/* The whole text it was read from: the span of an expression leaves out parentheses around it. */
const char *pw_given_text(pw_check *ck, const pw_ex *ex) {
  pw_span all = {ex->span.file, 0, ck->sources->items[ex->span.file].len};
  const char *text = pw_text_of(ck, all);
  int len = (int)strlen(text);
  while (len > 0 && text[len - 1] == ' ') {
    len--;
  }
  return pw_format_text(ck, "%.*s", len, text);
}

static int skip_comment(const char *text, int at) {
  while (text[at] == '#' && text[at + 1] != '\0' && text[at + 1] != '\n') {
    at++;
    while (text[at + 1] != '\0' && text[at + 1] != '\n') {
      at++;
    }
  }
  return at;
}

pw_span pw_value_extent(pw_check *ck, int from, const pw_ex *value) {
  const pw_source *s = &ck->sources->items[value->span.file];
  int begin = from, open = 0;
  for (bool sign = false; begin < s->len; begin++) {
    if (s->text[begin] == '#') {
      begin = skip_comment(s->text, begin);
    } else if (sign && strchr(" \t\r\n", s->text[begin]) == NULL) {
      break;
    }
    sign = sign || s->text[begin] == '=' || s->text[begin] == '~';
  }
  int end = begin;
  for (int i = begin; i < s->len && (i < value->span.end || open > 0); i++) {
    if (s->text[i] == '#') {
      i = skip_comment(s->text, i);
      continue;
    }
    open += (s->text[i] == '(') - (s->text[i] == ')');
    end = i + 1;
  }
  return (pw_span){value->span.file, begin, end};
}

static const pw_ex *bare_number(const pw_ex *ex) {
  while (ex->kind == PW_EX_NEG || ex->kind == PW_EX_POS) {
    ex = ex->arg[0];
  }
  return ex->kind == PW_EX_NUM ? ex : NULL;
}

const char *pw_unit_kept(pw_check *ck, const pw_ex *before, const pw_ex *now) {
  const pw_ex *a = bare_number(before), *b = bare_number(now);
  double factor;
  pw_dim dim;
  if (a == NULL || b == NULL || a->unit == NULL || b->unit != NULL ||
      !pw_unit_resolve(a->unit, NULL, &factor, &dim)) {
    return "";
  }
  char text[160];
  pw_dim_print(&dim, text, sizeof text);
  return pw_format_text(ck, " [%s]", text);
}

const char *pw_component_text(pw_check *ck, const char *vector, int k) {
  pw_text_list out = {0};
  int depth = 0;
  for (const char *at = vector + 1; *at != '\0'; at++) {
    bool end = depth == 0 && (*at == ',' || *at == ')');
    if (end && k-- == 0) {
      break;
    }
    depth += (*at == '(') - (*at == ')');
    if (!end && k == 0 && (*at != ' ' || out.n > 0)) {
      PW_PUSH(ck->arena, &out, *at);
    }
  }
  return pw_text_end(ck, &out);
}
