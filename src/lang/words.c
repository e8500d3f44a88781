// SPDX-License-Identifier: MIT
/* The fixed words of the language: statement keywords and names nobody may redefine. */
#include <string.h>

#include "lang/token.h"

const char *const pw_keywords[] = {"model", "include",    "parameter", "coordinates", "rotation",
                                   "body",  "let",        "kinetic",   "potential",   "dissipation",
                                   "force", "constraint", "friction",  "spring",      "law",
                                   "servo", "start",      "end",       "event",       "output",
                                   "plot",  "draw",       "run",       "expect",      NULL};

int pw_keyword_find(const char *text, int len) {
  for (int i = 0; pw_keywords[i] != NULL; i++) {
    if ((int)strlen(pw_keywords[i]) == len && memcmp(pw_keywords[i], text, (size_t)len) == 0) {
      return i;
    }
  }
  return -1;
}

const char *pw_reserved_as(const char *name) {
  static const char *const functions[] = {"sin",   "cos",   "tan",  "asin", "acos", "atan",
                                          "atan2", "sinh",  "cosh", "tanh", "exp",  "log",
                                          "sqrt",  "abs",   "sign", "min",  "max",  "hypot",
                                          "dot",   "cross", "norm", "sum",  "axis", "if"};
  static const struct {
    const char *name, *what;
  } words[] = {{"t", "the time"},
               {"pi", "the number 3.14159..."},
               {"inf", "infinity"},
               {"in", "the word before a range"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp(words[i].name, name) == 0) {
      return words[i].what;
    }
  }
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    if (strcmp(functions[i], name) == 0) {
      return "a function";
    }
  }
  return NULL;
}
