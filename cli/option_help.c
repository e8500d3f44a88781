// SPDX-License-Identifier: MIT
#include "option_help.h"

#include <pawl/options.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { COLUMN = 25, WIDTH = 98 };

/* "--impacts simultaneous|sequential", "-o, --output DIR". */
static int print_name(const pawl_option *o) {
  int n = printf("  ");
  n += o->letter != 0 ? printf("-%c, ", o->letter) : 0;
  n += printf("--%s", o->word);
  n += o->value != NULL ? printf(" %s", o->value) : 0;
  for (int i = 0; o->choices != NULL && o->choices[i] != NULL; i++) {
    n += printf("%s%s", i == 0 ? " " : "|", o->choices[i]);
  }
  return n;
}

/* Words in lines from COLUMN on; `at` is where the cursor stands. */
static void print_words(const char *text, int *at) {
  while (*text != '\0') {
    int len = (int)strcspn(text, " ");
    if (*at + 1 + len > WIDTH) {
      printf("\n%*s", COLUMN, "");
      *at = COLUMN;
    }
    *at += printf("%s%.*s", *at > COLUMN ? " " : "", len, text);
    text += len + (text[len] == ' ');
  }
}

void print_options(bool (*wanted)(const pawl_option *option)) {
  const pawl_option *o;
  for (int i = 0; (o = pawl_option_get(i)) != NULL; i++) {
    if (wanted != NULL && !wanted(o)) {
      continue;
    }
    int at = print_name(o);
    bool fits = at < COLUMN - 1;
    printf(fits ? "%*s" : "\n%*s", fits ? COLUMN - at : COLUMN, "");
    at = COLUMN;
    print_words(o->help, &at);
    bool choice = o->choices != NULL && o->choices[1] != NULL;
    const char *preset = choice ? o->choices[0] : o->preset;
    if (preset != NULL) {
      char text[100];
      snprintf(text, sizeof text, "(default: %s)", preset);
      print_words(text, &at);
    }
    putchar('\n');
  }
}

void print_run_options(void) {
  print_options(NULL);
}
