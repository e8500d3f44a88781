// SPDX-License-Identifier: MIT
/* Names and tables of derivatives on the terminal. */
#ifndef CLI_GRADIENT_TABLE_H
#define CLI_GRADIENT_TABLE_H

#include <stdio.h>

#include "pawl/pawl.h"

enum { GRADIENT_MOST = 64, GRADIENT_TEXT = 4096 };

typedef struct gradient_names { /* of "a,b,x'": the text is cut in place */
  char text[GRADIENT_TEXT];
  const char *name[GRADIENT_MOST];
  int n;
} gradient_names;

/* 0: done; else the names are too many or too long, or one is empty. */
int gradient_names_read(gradient_names *names, const char *text);

void gradient_print(const pawl_gradient *gradient, FILE *to);

#endif
