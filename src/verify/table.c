// SPDX-License-Identifier: MIT
#include "verify/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "law/scale_verify.h"

enum { LONGEST_LINE = 1 << 24, MOST_COLUMNS = 1 << 20 };

static pawl_status cannot_read(const pw_table *t, const char *why, pawl_diags *diags) {
  pw_error(diags, "E0620", PW_NO_SPAN, "cannot read `%s`: %s", t->path, why);
  return PAWL_E_FILE;
}

pawl_status pw_table_line(pw_table *t, bool *more, pawl_diags *diags) {
  for (;;) {
    size_t len = 0;
    *more = false;
    while (fgets(t->line + len, (int)(t->room - len), t->file) != NULL) {
      len += strlen(t->line + len);
      *more = true;
      if (len > 0 && t->line[len - 1] == '\n') {
        break;
      }
      if (len + 1 == t->room) {
        char *wider = t->room >= LONGEST_LINE ? NULL : realloc(t->line, 2 * t->room);
        if (wider == NULL) {
          return cannot_read(t, "a line is too long", diags);
        }
        t->line = wider;
        t->room *= 2;
      }
    }
    if (ferror(t->file)) {
      return cannot_read(t, pw_file_reason(pw_file_last_error()), diags);
    }
    while (len > 0 && strchr("\r\n \t", t->line[len - 1]) != NULL) {
      t->line[--len] = '\0';
    }
    if (t->number++ == 0 && len >= 3 && strncmp(t->line, "\xEF\xBB\xBF", 3) == 0) {
      memmove(t->line, t->line + 3, len - 2); /* a mark that some programs put first */
      len -= 3;
    }
    if (!*more || (len > 0 && t->line[0] != '#')) {
      return PAWL_OK;
    }
  }
}

/* Ends a field at the separator; quotes and blanks around it go. Returns where the next begins, or
 * NULL after the last. */
static char *cut(char *at, char separator, char **field) {
  while (*at == ' ') {
    at++;
  }
  char *end, *next;
  if (*at == '"') {
    *field = ++at;
    char *to = at;
    for (; *at != '\0' && !(*at == '"' && at[1] != '"'); at++) {
      at += *at == '"';
      *to++ = *at;
    }
    char *behind = *at == '\0' ? at : at + 1;
    *to = '\0';
    next = strchr(behind, separator);
    return next == NULL ? NULL : next + 1;
  }
  *field = at;
  next = strchr(at, separator);
  end = next == NULL ? at + strlen(at) : next;
  while (end > at && end[-1] == ' ') {
    end--;
  }
  *end = '\0';
  return next == NULL ? NULL : next + 1;
}

static int count_fields(const char *line, char separator) {
  int n = 1;
  bool quoted = false;
  for (; *line != '\0'; line++) {
    quoted = quoted != (*line == '"');
    n += !quoted && *line == separator;
  }
  return n;
}

static pawl_status read_names(pw_table *t, pawl_diags *diags) {
  bool more;
  pawl_status status = pw_table_line(t, &more, diags);
  if (status != PAWL_OK) {
    return status;
  }
  if (!more) {
    return cannot_read(t, "it is empty", diags);
  }
  char *at = t->line;
  t->separator = strchr(at, ',') ? ',' : strchr(at, ';') ? ';' : '\t';
  int n = count_fields(at, t->separator);
  if (n > MOST_COLUMNS) {
    return cannot_read(t, "it has too many columns", diags);
  }
  t->name = calloc((size_t)n, sizeof *t->name);
  while (at != NULL && t->name != NULL && t->n_col < n) {
    char *field;
    at = cut(at, t->separator, &field);
    size_t size = strlen(field) + 1;
    t->name[t->n_col] = malloc(size);
    if (t->name[t->n_col] == NULL) {
      return PAWL_E_MEMORY;
    }
    memcpy(t->name[t->n_col++], field, size);
  }
  return t->name == NULL ? PAWL_E_MEMORY : PAWL_OK;
}

pawl_status pw_table_begin(pw_table *t, const char *path, pawl_diags *diags) {
  *t = (pw_table){.path = path, .room = 4096};
  t->line = malloc(t->room);
  if (t->line == NULL) {
    return PAWL_E_MEMORY;
  }
  int reason = pw_file_stream(path, &t->file);
  return reason != 0 ? cannot_read(t, pw_file_reason(reason), diags) : PAWL_OK;
}

pawl_status pw_table_open(pw_table *t, const char *path, pawl_diags *diags) {
  pawl_status status = pw_table_begin(t, path, diags);
  return status == PAWL_OK ? read_names(t, diags) : status;
}

static void forget_names(pw_table *t) {
  for (int i = 0; i < t->n_col; i++) {
    free(t->name[i]);
  }
  free(t->name);
  t->name = NULL;
  t->n_col = 0;
}

void pw_table_close(pw_table *t) {
  forget_names(t);
  free(t->line);
  if (t->file != NULL) {
    fclose(t->file);
  }
  *t = (pw_table){0};
}

pawl_status pw_table_rewind(pw_table *t, pawl_diags *diags) {
  forget_names(t);
  t->number = 0;
  if (fseek(t->file, 0, SEEK_SET) != 0) {
    return cannot_read(t, pw_file_reason(pw_file_last_error()), diags);
  }
  return read_names(t, diags);
}

int pw_table_column(const pw_table *t, const char *name) {
  for (int i = 0; i < t->n_col; i++) {
    if (strcmp(t->name[i], name) == 0) {
      return i;
    }
  }
  return -1;
}

pawl_status pw_table_fields(pw_table *t, char **field, bool *more, pawl_diags *diags) {
  pawl_status status = pw_table_line(t, more, diags);
  if (status != PAWL_OK || !*more) {
    return status;
  }
  char *at = t->line;
  int n = 0;
  while (at != NULL && n < t->n_col) {
    at = cut(at, t->separator, &field[n++]);
  }
  if (n < t->n_col || at != NULL) {
    pw_error(diags, "E0622", PW_NO_SPAN,
             "line %" PRId64 " of `%s` has %s fields than the first line", t->number, t->path,
             n < t->n_col ? "fewer" : "more");
    return PAWL_E_FILE;
  }
  return PAWL_OK;
}

int pw_table_digits(const char *at) {
  int n = 0;
  for (; *at != '\0' && *at != 'e' && *at != 'E'; at++) {
    n += *at >= '0' && *at <= '9' && (n > 0 || *at != '0');
  }
  return n;
}

double pw_table_unit(const char *at) {
  int places = 0;
  bool behind = false;
  for (; *at != '\0' && *at != 'e' && *at != 'E'; at++) {
    places += behind && *at >= '0' && *at <= '9';
    behind = behind || *at == '.';
  }
  double power = *at == '\0' ? 0 : strtod(at + 1, NULL);
  return pow(10, power - places);
}

pawl_status pw_table_row(pw_table *t, const int *column, int n, char **field, double *out,
                         bool *more, pawl_diags *diags) {
  pawl_status status = pw_table_fields(t, field, more, diags);
  for (int i = 0; i < n && status == PAWL_OK && *more; i++) {
    char *end;
    const char *text = field[column[i]];
    out[i] = strtod(text, &end);
    bool number = end != text && *end == '\0' && isfinite(out[i]);
    if (!number || fabs(out[i]) > PW_SCALE(CERT_HUGE)) {
      pw_diag_ref ref =
          pw_error(diags, "E0622", PW_NO_SPAN,
                   "line %" PRId64 " of `%s`: `%.40s` in column `%.80s` is %s", t->number, t->path,
                   text, t->name[column[i]], number ? "too large to compute with" : "no number");
      pw_help(ref, "every field of the columns that are read must be a finite number%s",
              number ? ", of size 1e100 or less" : "");
      status = PAWL_E_FILE;
    }
  }
  return status;
}

pawl_status pw_table_no_twins(const pw_table *t, const int *column, int n, pawl_diags *diags) {
  for (int i = 0; i < n; i++) {
    const char *name = t->name[column[i]];
    for (int k = 0; k < t->n_col; k++) {
      if (k != column[i] && strcmp(t->name[k], name) == 0) {
        pw_diag_ref ref =
            pw_error(diags, "E0621", PW_NO_SPAN, "`%s` has two columns `%s`", t->path, name);
        pw_help(ref, "give every column a name of its own");
        return PAWL_E_FILE;
      }
    }
  }
  return PAWL_OK;
}
