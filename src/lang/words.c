// SPDX-License-Identifier: MIT
/* The fixed words of the language: statement keywords and names that cannot be redefined. */
#include <string.h>

#include "lang/token.h"
#include "pawl/model.h"

const char *const pw_keywords[] = {
    "model",   "include",   "parameter",   "coordinates", "rotation",   "body",     "let",
    "kinetic", "potential", "dissipation", "force",       "constraint", "friction", "spring",
    "law",     "servo",     "joint",       "shape",       "contact",    "input",    "table",
    "state",   "sample",    "start",       "end",         "event",      "output",   "plot",
    "draw",    "run",       "expect",      NULL};

int pw_keyword_find(const char *text, int len) {
  for (int i = 0; pw_keywords[i] != NULL; i++) {
    if ((int)strlen(pw_keywords[i]) == len && memcmp(pw_keywords[i], text, (size_t)len) == 0) {
      return i;
    }
  }
  return -1;
}

const char *pw_statement_form(int keyword) {
  /* One example for each keyword, in the order of the keywords. */
  static const char *const forms[] = {"model \"A pendulum with a stop\"",
                                      "include \"parts/wheel.pawl\" as left, r = 0.2",
                                      "parameter m = 1 [kg], e = 0.5 in 0..1",
                                      "coordinates x, th, y[1..N]",
                                      "rotation R",
                                      "body ball: mass m, inertia 2/5*m*r^2",
                                      "let h = R*sin(th)",
                                      "kinetic T = 1/2*m*x'^2",
                                      "potential V = m*g*y",
                                      "dissipation D = 1/2*c*x'^2",
                                      "force x: F*cos(w*t)",
                                      "constraint floor: y >= 0, restitution 0.5",
                                      "friction rub: slip x', mu 0.3 on floor",
                                      "spring s: stretch x, stiffness k, play -b..b",
                                      "law clutch: slip w, graph (0, -inf)(0, 0)(1, 0)",
                                      "servo hold: th = 0.1*sin(t), by x",
                                      "joint hip: revolute, ground, leg at P, axis (0, 1, 0)",
                                      "shape d: disk (x, y), radius r, angle ph",
                                      "contact pile: d, wall, restitution 0.2, mu 0.4",
                                      "input F = 0 [N]",
                                      "table M(w): (0, 0)(100, 5)(300, 2), cubic",
                                      "state z' = (u - z)/tau",
                                      "sample u: kp*(r - th) - kd*th', every 1 [ms]",
                                      "start x = 0, x' = 1, th ~ 0.3, floor closed",
                                      "end x = 1",
                                      "event top: y' = 0, falling",
                                      "output h = R*sin(th)",
                                      "plot x, y vs t",
                                      "draw circle (x, y), radius r",
                                      "run 0..10, tol 1e-9",
                                      "expect x = 1.25 +- 1e-6 at t = 2"};

  /* A negative number is no keyword. */
  return keyword < 0 ? NULL : forms[keyword];
}

static const char *const functions[] = {
    "sin",  "cos", "tan",  "asin", "acos", "atan",  "atan2", "sinh",  "cosh", "tanh", "exp",  "log",
    "sqrt", "abs", "sign", "min",  "max",  "hypot", "dot",   "cross", "norm", "sum",  "axis", "if"};
enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

/* Functions where `(` follows and the model defines no such name. */
static const char *const free_functions[] = {"mod",   "floor", "ceil",  "round",  "delay",  "noise",
                                             "angle", "shift", "force", "moment", "impulse"};
enum { N_FREE = sizeof free_functions / sizeof *free_functions };

const char *pawl_keyword(int i) {
  for (int k = 0; k < i && pw_keywords[k] != NULL; k++) {
    if (pw_keywords[k + 1] == NULL) {
      return NULL;
    }
  }
  return i < 0 ? NULL : pw_keywords[i];
}

const char *pawl_keyword_form(int i) {
  return pawl_keyword(i) == NULL ? NULL : pw_statement_form(i);
}

const char *pawl_function(int i) {
  bool free = i >= N_FUNCTIONS && i < N_FUNCTIONS + N_FREE;
  return i >= 0 && i < N_FUNCTIONS ? functions[i] : free ? free_functions[i - N_FUNCTIONS] : NULL;
}

const char *pw_reserved_as(const char *name) {
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
  for (int i = 0; i < N_FUNCTIONS; i++) {
    if (strcmp(functions[i], name) == 0) {
      return "a function";
    }
  }
  return NULL;
}
