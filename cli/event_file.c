// SPDX-License-Identifier: MIT
#include "event_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char header[] = "t,kind,at,cluster,impulse,dE,flag,rate_before,rate_after,force";

static FILE *open_in(const char *dir, const char *name) {
  size_t size = strlen(dir) + strlen(name) + 2;
  char *path = cli_enough(malloc(size));
  snprintf(path, size, "%s/%s", dir, name);
  FILE *file = fopen(path, "r");
  free(path);
  if (file == NULL && errno == ENOMEM) {
    cli_enough(NULL);
  }
  return file;
}

static bool read_line(char **line, size_t *room, FILE *in) {
  errno = 0;
  bool there = getline(line, room, in) > 0;
  if (!there && errno == ENOMEM) {
    cli_enough(NULL);
  }
  return there;
}

/* Takes a field off the front of the line; a quoted one loses its quotes. */
static char *take(char **at) {
  char *field = *at, *end = field;
  if (*field == '"') {
    char *to = field;
    for (end = field + 1; *end != '\0' && (end[0] != '"' || end[1] == '"'); end++) {
      end += *end == '"';
      *to++ = *end;
    }
    char *behind = end + (*end == '"');
    *to = '\0';
    end = behind;
  }
  end += strcspn(end, ",\r\n");
  *at = *end == ',' ? end + 1 : end;
  *end = '\0';
  return field;
}

static double number(const char *field) {
  char *end;
  double x = strtod(field, &end);
  return end == field ? NAN : x;
}

/* "3" or, for a vector, "3 4": its length. */
static double length(const char *field) {
  double sum = 0, last = NAN;
  int n = 0;
  for (char *end;; field = end, n++) {
    double x = strtod(field, &end);
    if (end == field) {
      return n == 0 ? NAN : n == 1 ? last : sqrt(sum);
    }
    last = x;
    sum += x * x;
  }
}

/* "after(x)" names x. */
static void read_names(event_file *f, char *at) {
  int n = 0;
  for (const char *c = at; *c != '\0'; c++) {
    n += *c == ',';
  }
  f->n_state = (n + 1) / 2;
  f->n_shown = f->n_state < EVENT_STATES ? f->n_state : EVENT_STATES;
  for (int i = 0; i < f->n_state + f->n_shown; i++) {
    const char *field = take(&at);
    if (i >= f->n_state) {
      const char *open = strchr(field, '('), *close = strrchr(field, ')');
      open = open == NULL ? field : open + 1;
      int len = close == NULL ? (int)strlen(open) : (int)(close - open);
      snprintf(f->name[i - f->n_state], sizeof f->name[0], "%.*s", len, open);
    }
  }
}

bool event_file_open(event_file *f, const char *dir) {
  *f = (event_file){.in = open_in(dir, "events.csv")};
  if (f->in == NULL) {
    fprintf(stderr, "error: cannot read `%s/events.csv`: %s\n", dir, strerror(errno));
    return false;
  }
  size_t len = sizeof header - 1;
  if (!read_line(&f->line, &f->room, f->in) || strncmp(f->line, header, len) != 0) {
    fprintf(stderr, "error: `%s/events.csv` is not a list of events\n", dir);
    event_file_close(f);
    return false;
  }
  read_names(f, f->line + len + (f->line[len] == ','));
  f->first = ftell(f->in);
  return true;
}

void event_file_rewind(event_file *f) {
  fseek(f->in, f->first, SEEK_SET);
}

bool event_file_next(event_file *f, event_row *e) {
  if (!read_line(&f->line, &f->room, f->in)) {
    return false;
  }
  char *at = f->line;
  e->t = number(take(&at));
  e->kind = take(&at);
  e->at = take(&at);
  e->cluster = strtol(take(&at), NULL, 10);
  e->impulse = length(take(&at));
  e->dE = number(take(&at));
  e->flag = take(&at);
  e->before = number(take(&at));
  e->after = number(take(&at));
  e->force = number(take(&at));
  for (int i = 0; i < f->n_state + f->n_shown; i++) {
    const char *field = take(&at);
    if (i >= f->n_state) {
      e->state[i - f->n_state] = number(field);
    }
  }
  return true;
}

void event_file_close(event_file *f) {
  if (f->in != NULL) {
    fclose(f->in);
  }
  free(f->line);
  *f = (event_file){0};
}

void event_file_scales(const char *dir, int n, double *scale) {
  memset(scale, 0, (size_t)n * sizeof *scale);
  FILE *in = open_in(dir, "trajectory.csv");
  char *line = NULL;
  size_t room = 0;
  while (in != NULL && read_line(&line, &room, in)) {
    char *at = line;
    take(&at);
    for (int i = 0; i < n; i++) {
      scale[i] = fmax(scale[i], fabs(number(take(&at))));
    }
  }
  free(line);
  if (in != NULL) {
    fclose(in);
  }
}
