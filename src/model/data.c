// SPDX-License-Identifier: MIT
/* Files of numbers: all rows have the same length, and every field is a finite number. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "lang/data_text.h"
#include "lang/token.h"
#include "model/signal.h"

typedef PW_LIST(double) number_list;
typedef PW_LIST(int) offset_list;

/* [sign] digits [. digits] [e [sign] digits] */
static bool is_number(const char *text, int len) {
  int i = len > 0 && (text[0] == '-' || text[0] == '+'), digits = 0;
  for (int part = 0; part < 2; part++) {
    while (i < len && isdigit((unsigned char)text[i])) {
      i++;
      digits++;
    }
    i += part == 0 && i < len && text[i] == '.';
  }
  if (digits > 0 && i < len && (text[i] == 'e' || text[i] == 'E')) {
    i++;
    i += i < len && (text[i] == '-' || text[i] == '+');
    int first = i;
    while (i < len && isdigit((unsigned char)text[i])) {
      i++;
    }
    digits = i > first ? digits : 0;
  }
  return digits > 0 && i == len;
}

static bool number_of(const char *text, int len, double *out) {
  bool minus = len > 0 && text[0] == '-', sign = minus || (len > 0 && text[0] == '+');
  if (!is_number(text, len) ||
      pw_number_value(text + sign, len - sign, out) == PW_NUMBER_TOO_LARGE) {
    return false;
  }
  *out = minus ? -*out : *out;
  return true;
}

static bool report_field(pw_check *ck, int file, pw_data_field f, pw_span asked) {
  const char *text = ck->sources->items[file].text + f.begin;
  pw_diag_ref d = f.begin == f.end ? pw_error(ck->diags, "E0651", (pw_span){file, f.begin, f.end},
                                              "a number is missing")
                                   : pw_error(ck->diags, "E0651", (pw_span){file, f.begin, f.end},
                                              "`%.*s` is not a finite number",
                                              f.end - f.begin > 40 ? 40 : f.end - f.begin, text);
  pw_label(d, "expected a number such as `-1.5e3`");
  pw_second(d, asked, "the file is read here");
  if (memchr(text, ',', (size_t)(f.end - f.begin)) != NULL) {
    pw_help(d, "decimals have a point: `1.5`");
  }
  return false;
}

static bool report_width(pw_check *ck, const pw_numbers *x, int begin, int end, int found,
                         pw_span asked) {
  pw_diag_ref d =
      pw_error(ck->diags, "E0651", (pw_span){x->file, begin, end},
               "a row of %d number%s among rows of %d", found, found == 1 ? "" : "s", x->columns);
  pw_label(d, found < x->columns ? "numbers are missing here" : "too many numbers here");
  pw_second(d, asked, "the file is read here");
  return false;
}

static bool report_rows(pw_check *ck, int file, int at, pw_span asked) {
  pw_diag_ref d =
      pw_error(ck->diags, "E0651", (pw_span){file, at, at}, "a file of numbers is too long");
  pw_label(d, "beyond the limit of %d rows", PW_MAX_ROWS);
  pw_second(d, asked, "the file is read here");
  pw_help(d, "leave rows out: a table needs as many points as its curve has bends");
  return false;
}

static const char *const *take_head(pw_check *ck, const pw_source *s, const pw_data_field *f,
                                    int n) {
  const char **head = PW_TAKE(ck->arena, n + 1, const char *);
  for (int i = 0; i < n; i++) {
    pw_data_field k = f[i];
    bool quoted = k.end - k.begin >= 2 && s->text[k.begin] == '"' && s->text[k.end - 1] == '"';
    k.begin += quoted;
    k.end -= quoted;
    head[i] = pw_intern(ck->names, s->text + k.begin, k.end - k.begin);
  }
  return head;
}

bool pw_read_numbers(pw_check *ck, int file, pw_span asked, pw_numbers *out) {
  const pw_source *s = &ck->sources->items[file];
  pw_data_field f[PW_DATA_COLUMNS];
  number_list value = {0};
  offset_list at = {0};
  *out = (pw_numbers){.file = file};
  for (int pos = 0; pos < s->len;) {
    int begin = pos;
    int n = pw_data_line(s, &pos, f);

    /* A line that is empty or a comment has no fields. */
    if (n == 0) {
      continue;
    }

    /* The first line sets the number of columns, and may hold their names. */
    double x;
    bool names = out->columns == 0 && pw_data_is_named(s, f[0]);
    out->columns = out->columns == 0 ? n : out->columns;
    if (n != out->columns) {
      return report_width(ck, out, begin, f[n - 1].end, n, asked);
    }
    if (names) {
      out->head = take_head(ck, s, f, n);
      continue;
    }

    /* Every other line is a row of numbers. */
    if (at.n >= PW_MAX_ROWS) {
      return report_rows(ck, file, begin, asked);
    }
    for (int i = 0; i < n; i++) {
      if (!number_of(s->text + f[i].begin, f[i].end - f[i].begin, &x)) {
        return report_field(ck, file, f[i], asked);
      }
      PW_PUSH(ck->arena, &value, x);
    }
    PW_PUSH(ck->arena, &at, begin);
  }

  /* All numbers in one array, and where each row begins, for messages. */
  out->rows = at.n;
  out->value = value.items;
  out->at = at.items;
  return true;
}

pw_span pw_number_row(const pw_check *ck, const pw_numbers *x, int row) {
  const pw_source *s = &ck->sources->items[x->file];
  int end = x->at[row];
  while (end < s->len && s->text[end] != '\n' && s->text[end] != '\r') {
    end++;
  }
  return (pw_span){x->file, x->at[row], end};
}
