// SPDX-License-Identifier: MIT
#include "event_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "event_memory.h"

/* The fields that are shown, by the names that the first line gives the columns. */
enum { T, KIND, AT, CLUSTER, IMPULSE, ENERGY, FLAG, BEFORE, AFTER, FORCE, N_FIELDS };
static const char *const field_name[N_FIELDS] = {
    "t", "kind", "at", "cluster", "impulse", "dE", "flag", "rate_before", "rate_after", "force"};

static FILE *open_in(const char *dir, const char *name) {
  size_t size = strlen(dir) + strlen(name) + 2;
  char *path = cli_enough(malloc(size));
  snprintf(path, size, "%s/%s", dir, name);
  bool special = cli_is_special(path);
  FILE *file = special ? NULL : fopen(path, "r");
  errno = special ? ENOTSUP : errno;
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

static bool begins(const char *text, const char *front) {
  return strncmp(text, front, strlen(front)) == 0;
}

/* "after(x)" names x. */
static void name_state(char *name, size_t room, const char *field) {
  const char *open = strchr(field, '(') + 1, *close = strrchr(field, ')');
  int len = close == NULL ? (int)strlen(open) : (int)(close - open);
  snprintf(name, room, "%.*s", len, open);
}

/* Which field each column is; false: some field is missing. */
static bool read_names(event_file *f, char *at) {
  int n = 0;
  f->n_col = 1;
  for (const char *c = at; *c != '\0'; c++) {
    f->n_col += *c == ',';
  }
  f->of = cli_enough(calloc((size_t)f->n_col, sizeof *f->of));
  for (int i = 0; i < f->n_col; i++) {
    const char *field = take(&at);
    f->of[i] = -1;
    for (int k = 0; k < N_FIELDS; k++) {
      f->of[i] = strcmp(field, field_name[k]) == 0 ? k : f->of[i];
    }
    n += f->of[i] >= 0;
    if (begins(field, "after(")) {
      if (f->n_shown < EVENT_STATES) {
        f->of[i] = N_FIELDS + f->n_shown;
        name_state(f->name[f->n_shown++], sizeof f->name[0], field);
      }
      f->n_state++;
    }
  }
  return n == N_FIELDS;
}

static void open_memory(event_file *f, const event_memory *m) {
  *f = (event_file){.memory = m, .n_state = m->n_state, .n_shown = m->n_shown};
  memcpy(f->name, m->name, sizeof f->name);
}

bool event_file_open(event_file *f, const event_source *from) {
  const char *dir = from->dir;
  if (dir == NULL) {
    open_memory(f, from->memory);
    return true;
  }
  *f = (event_file){.in = open_in(dir, "events.csv")};
  if (f->in == NULL) {
    fprintf(stderr, "error: cannot read `%s/events.csv`: %s\n", dir, strerror(errno));
    cli_help_unfinished(dir);
    return false;
  }
  if (!read_line(&f->line, &f->room, f->in) || !read_names(f, f->line)) {
    fprintf(stderr, "error: `%s/events.csv` is not a list of events\n", dir);
    event_file_close(f);
    return false;
  }
  f->first = ftell(f->in);
  return true;
}

void event_file_rewind(event_file *f) {
  f->next = 0;
  if (f->memory != NULL) {
    return;
  }
  fseek(f->in, f->first, SEEK_SET);
}

bool event_file_next(event_file *f, event_row *e) {
  if (f->memory != NULL) {
    bool there = f->next < f->memory->n;
    if (there) {
      *e = f->memory->rows[f->next++];
    }
    return there;
  }

  if (!read_line(&f->line, &f->room, f->in)) {
    return false;
  }
  char *at = f->line;
  const char *field[N_FIELDS];
  for (int k = 0; k < N_FIELDS; k++) {
    field[k] = "";
  }
  for (int i = 0; i < f->n_col; i++) {
    const char *text = take(&at);
    int of = f->of[i];
    if (of >= N_FIELDS) {
      e->state[of - N_FIELDS] = number(text);
    } else if (of >= 0) {
      field[of] = text;
    }
  }

  e->t = number(field[T]);
  e->kind = field[KIND];
  e->at = field[AT];
  e->cluster = strtoll(field[CLUSTER], NULL, 10);
  e->impulse = length(field[IMPULSE]);
  e->dE = number(field[ENERGY]);
  e->flag = field[FLAG];
  e->before = number(field[BEFORE]);
  e->after = number(field[AFTER]);
  e->force = number(field[FORCE]);
  return true;
}

bool event_file_skip(event_file *f) {
  if (f->memory == NULL) {
    return read_line(&f->line, &f->room, f->in);
  }
  bool there = f->next < f->memory->n;
  f->next += there;
  return there;
}

void event_file_close(event_file *f) {
  if (f->in != NULL) {
    fclose(f->in);
  }
  free(f->line);
  free(f->of);
  *f = (event_file){0};
}

void event_file_scales(const event_source *from, int n, double *scale) {
  memset(scale, 0, (size_t)n * sizeof *scale);
  if (from->memory != NULL) {
    memcpy(scale, from->memory->scale, (size_t)n * sizeof *scale);
    return;
  }
  FILE *in = open_in(from->dir, "trajectory.csv");
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
