// SPDX-License-Identifier: MIT
/* "joint" label ":" KIND "," end "," end {"," "axis" expr};  end = ref ["at" expr] */
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/suggest.h"
#include "lang/parser.h"

const char *pw_joint_word(pw_joint_kind kind) {
#define WORD(name, word) word,
  static const char *const words[] = {PW_JOINT_LIST(WORD)};
#undef WORD
  PW_ASSERT((int)kind >= 0 && (int)kind < PW_JOINTS);
  return words[kind];
}

int pw_joint_places(pw_joint_kind kind) {
  bool slides = kind == PW_JOINT_PRISMATIC || kind == PW_JOINT_CYLINDRICAL;
  return slides ? 2 : kind == PW_JOINT_PLANAR ? 1 : 3;
}

bool pw_joint_on_ground(const pw_joint_end *end) {
  return end->body->kind == PW_EX_NAME && strcmp(end->body->name, "ground") == 0;
}

static void fail_kind(pw_parser *p, pw_name word) {
  pw_suggest nearest = pw_suggest_begin(word.text);
  char list[160] = "";
  size_t used = 0;
  for (int k = 0; k < PW_JOINTS; k++) {
    const char *known = pw_joint_word((pw_joint_kind)k);
    pw_suggest_try(&nearest, known);
    used += (size_t)snprintf(list + used, sizeof list - used, "%s`%s`", k == 0 ? "" : ", ", known);
  }
  pw_diag_ref ref =
      pw_fail(p, "E0036", word.span, "`%.*s` is not a kind of joint", PW_SHOWN, word.text);
  pw_label(ref, "expected one of %s", list);
  if (nearest.best != NULL) {
    pw_help(ref, "did you mean `%s`?", nearest.best);
  } else {
    pw_help(ref,
            "a joint that is not in this list is a `constraint` between points and directions");
  }
}

static void rule_kind(pw_parser *p, pw_joint *joint) {
  joint->span = pw_token_span(p, p->tok);
  if (!pw_at(p, PW_TOK_NAME)) {
    pw_unexpected(p, "the kind of the joint, such as `revolute`", NULL);
    return;
  }
  pw_name word = pw_take_name(p);
  int kind = 0;
  while (kind < PW_JOINTS && strcmp(pw_joint_word((pw_joint_kind)kind), word.text) != 0) {
    kind++;
  }
  if (kind == PW_JOINTS) {
    fail_kind(p, word);
    return;
  }
  joint->kind = (pw_joint_kind)kind;
}

static void rule_end(pw_parser *p, pw_joint_end *end) {
  end->body = pw_rule_ref(p, "a body, or `ground`");
  if (pw_accept_word(p, "at")) {
    end->at = pw_rule_expr(p);
  }
}

static void rule_axes(pw_parser *p, pw_joint *joint) {
  static const char *const words[] = {"axis", NULL};
  for (int n = 0; !p->failed && pw_accept(p, PW_TOK_COMMA); n++) {
    pw_span at = pw_token_span(p, p->tok);
    if (!pw_accept_word(p, "axis")) {
      pw_unexpected(p, "`axis` and a direction", words);
      return;
    }
    if (n == 2) {
      pw_diag_ref ref = pw_fail(p, "E0035", at, "`axis` is given three times");
      pw_label(ref, "a joint has one axis, a universal one two");
      pw_help(ref, "delete one of them");
      return;
    }
    joint->axis[n] = pw_rule_expr(p);
  }
}

void pw_rule_joint(pw_parser *p, pw_st_law *law) {
  pw_joint *joint = PW_NEW(p->env->arena, pw_joint);
  law->joint = joint;
  rule_kind(p, joint);
  for (int i = 0; i < 2; i++) {
    pw_expect(p, PW_TOK_COMMA, i == 0 ? "`,` and the first body" : "`,` and the second body");
    rule_end(p, &joint->end[i]);
  }
  rule_axes(p, joint);
}
