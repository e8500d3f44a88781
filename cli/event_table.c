// SPDX-License-Identifier: MIT
/* Jumps are told by the rate of what the law measures, before and after; a table without jumps
 * shows the state instead. The file is read three times: scales, widths, printing. */
#include "event_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "event_series.h"
#include "event_units.h"

enum { HEAD = 12, TAIL = 4, CELL = 40 };
enum { BEFORE, AFTER, IMPULSE, ENERGY, N_NUMBERS };

typedef struct event_count { /* of one kind at one law */
  char kind[16], at[48];
  int64_t n;
} event_count;
enum { COUNTS = 64, COUNTED = 8 };

typedef struct table {
  event_file file;
  const event_filter *filter;
  bool shorten;
  series series;
  event_flags *flags;
  int64_t count;
  bool jumps, states;            /* there are jumps; states are shown */
  double scale[N_NUMBERS], work; /* largest values; largest impulse times rate */
  double latest;
  double state[EVENT_STATES]; /* largest values along the motion */
  bool printing;
  int w_t, w_kind, w_at, w[N_NUMBERS];
  const pawl_system *system; /* NULL: no units are shown */
  const char *force;         /* unit of the laws that are hit; NULL: none was; "": they differ */
  event_count counts[COUNTS];
  int n_counts;
  int64_t uncounted; /* events of laws and kinds beyond those */
  bool cut;          /* some lines are left out */
} table;

/* ---- numbers and texts ---- */

/* With what round-off leaves as 0. */
static double clean(double x, double scale) {
  return fabs(x) <= 1e-12 * scale ? 0 : x;
}

/* Six or seven digits of the largest number of the column; a number with fewer than four of them
 * left has an exponent. */
static void format(char *out, double x, double scale) {
  if (isnan(x)) {
    out[0] = '\0';
    return;
  }
  bool plain = scale == 0 || (scale >= 1e-3 && scale < 1e7);
  int digits = scale == 0 || !plain ? 6 : (scale < 1 ? 5 : 6) - (int)floor(log10(scale));
  if (x != 0 && (!plain || fabs(x) < 1000 * pow(10, -digits))) {
    snprintf(out, CELL, "%.5e", x);
  } else {
    snprintf(out, CELL, "%.*f", digits, x);
  }
}

static int width(const char *text) { /* of UTF-8 */
  int n = 0;
  for (; *text != '\0'; text++) {
    n += ((unsigned char)*text & 0xc0) != 0x80;
  }
  return n;
}

static void widen(int *most, const char *text) {
  int n = width(text);
  *most = n > *most ? n : *most;
}

static void put_left(const char *text, int columns) {
  printf("%s%*s", text, columns - width(text) > 0 ? columns - width(text) : 0, "");
}

static void put_right(const char *text, int columns) {
  printf("%*s", columns, text);
}

static void format_time(const table *t, char *out, double x) {
  bool plain = t->latest == 0 || (t->latest >= 1e-2 && t->latest < 1e6);
  snprintf(out, CELL, plain ? "%.9f" : "%.9e", x);
}

/* ---- the first reading ---- */

static bool next(table *t, event_row *e) {
  const event_filter *f = t->filter;
  while (event_file_next(&t->file, e)) {
    if ((f->at == NULL || strcmp(f->at, e->at) == 0) &&
        (f->kind == NULL || strcmp(f->kind, e->kind) == 0)) {
      return true;
    }
  }
  return false;
}

static void note_flag(event_flags *flags, const event_row *e) {
  if (e->flag[0] == '\0') {
    return;
  }
  int i = 0;
  while (i < flags->n && strcmp(flags->flag[i].name, e->flag) != 0) {
    i++;
  }
  if (i == EVENT_FLAGS) {
    return;
  }
  if (i == flags->n) {
    flags->n++;
    flags->flag[i].count = 0;
    flags->flag[i].t = e->t;
    snprintf(flags->flag[i].name, sizeof flags->flag[i].name, "%s", e->flag);
    snprintf(flags->flag[i].at, sizeof flags->flag[i].at, "%s", e->at);
  }
  flags->flag[i].count++;
}

static void count(table *t, const event_row *e) {
  for (int i = 0; i < t->n_counts; i++) {
    event_count *c = &t->counts[i];
    if (strcmp(c->kind, e->kind) == 0 && strcmp(c->at, e->at) == 0) {
      c->n++;
      return;
    }
  }
  bool fits = strlen(e->kind) < sizeof t->counts->kind && strlen(e->at) < sizeof t->counts->at;
  if (t->n_counts == COUNTS || !fits) {
    t->uncounted++;
    return;
  }
  event_count *c = &t->counts[t->n_counts++];
  strcpy(c->kind, e->kind);
  strcpy(c->at, e->at);
  c->n = 1;
}

static void note_unit(table *t, const char *at) {
  const char *unit = t->system == NULL ? NULL : event_unit_force(t->system, at);
  if (unit != NULL) {
    t->force = t->force == NULL || strcmp(t->force, unit) == 0 ? unit : "";
  }
}

static void survey(table *t) {
  event_row e;
  for (; next(t, &e); t->count++) {
    double rate = fmax(fabs(e.before), fabs(e.after));
    if (!isnan(e.impulse)) {
      t->jumps = true;
      note_unit(t, e.at);
      t->scale[BEFORE] = fmax(t->scale[BEFORE], rate);
      t->scale[IMPULSE] = fmax(t->scale[IMPULSE], fabs(e.impulse));
      t->scale[ENERGY] = fmax(t->scale[ENERGY], fabs(e.dE));
      t->work = fmax(t->work, fabs(e.impulse) * rate);
    }
    t->jumps = t->jumps || strcmp(e.kind, "rest") == 0; /* their end */
    t->states = t->states || isnan(e.force);
    t->latest = fmax(t->latest, fabs(e.t));
    note_flag(t->flags, &e);
    count(t, &e);
    if (t->shorten) {
      series_note(&t->series, &e, t->count);
    }
  }
  t->scale[AFTER] = t->scale[BEFORE];
  t->scale[ENERGY] = clean(t->scale[ENERGY], t->work);
  t->states = t->states || !t->jumps;
}

/* ---- lines ---- */

static char mark_of(const event_flags *flags, const char *name) {
  static const char marks[EVENT_FLAGS] = "!?+#";
  for (int i = 0; i < flags->n; i++) {
    if (strcmp(flags->flag[i].name, name) == 0) {
      return marks[i];
    }
  }
  return ' ';
}

static void put_states(const table *t, const event_row *e) {
  for (int i = 0; i < t->file.n_shown; i++) {
    printf("%s%s = %.6g", i == 0 ? "" : ", ", t->file.name[i], clean(e->state[i], t->state[i]));
  }
}

/* Of an event without a jump among others with one. */
static void put_text(const table *t, const event_row *e) {
  static const struct {
    const char *kind, *text;
    bool force;
  } texts[] = {{"rest", "accumulation of impacts; contact stays closed", true},
               {"close", "contact closes without a jump", true},
               {"liftoff", "contact opens", false},
               {"engage", "constraint takes hold", true},
               {"release", "constraint lets go", false}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    if (!isnan(e->force) && strcmp(texts[i].kind, e->kind) == 0) {
      printf("%s", texts[i].text);
      if (texts[i].force) {
        printf(", force(%s) = %.6g", e->at, e->force);
      }
      return;
    }
  }
  put_states(t, e);
}

static void format_jump(const table *t, const event_row *e, char cell[N_NUMBERS][CELL]) {
  format(cell[BEFORE], clean(e->before, t->scale[BEFORE]), t->scale[BEFORE]);
  format(cell[AFTER], clean(e->after, t->scale[AFTER]), t->scale[AFTER]);
  format(cell[IMPULSE], clean(e->impulse, t->scale[IMPULSE]), t->scale[IMPULSE]);
  format(cell[ENERGY], clean(e->dE, t->work), t->scale[ENERGY]);
}

static void put_head(const table *t, const char *time, const char *kind, const char *at) {
  fputs("  ", stdout);
  put_left(time, t->w_t);
  fputs(t->jumps ? "  " : " ", stdout);
  put_left(kind, t->w_kind);
  fputs(t->jumps ? "  " : " ", stdout);
  put_left(at, t->w_at);
}

static void put_event(table *t, const event_row *e) {
  char time[CELL], cell[N_NUMBERS][CELL];
  format_time(t, time, e->t);
  if (!t->printing) {
    widen(&t->w_t, time);
    widen(&t->w_kind, e->kind);
    widen(&t->w_at, e->at);
  } else {
    put_head(t, time, e->kind, e->at);
  }

  /* numbers of a jump */
  bool jump = t->jumps && !isnan(e->impulse) && strcmp(e->kind, "rest") != 0;
  if (jump) {
    format_jump(t, e, cell);
  }
  for (int k = 0; k < N_NUMBERS && jump; k++) {
    if (t->printing) {
      fputs("  ", stdout);
      put_right(cell[k], t->w[k]);
    } else {
      widen(&t->w[k], cell[k]);
    }
  }
  if (!t->printing) {
    return;
  }

  /* else words, or the state */
  if (t->jumps && !jump) {
    fputs("  ", stdout);
    put_text(t, e);
  }
  for (int i = 0; i < t->file.n_shown && !t->jumps; i++) {
    printf(" %11.6g", clean(e->state[i], t->state[i]));
  }
  if (e->flag[0] != '\0') {
    printf(" %c", mark_of(t->flags, e->flag));
  }
  putchar('\n');
}

/* The energy stands in its column, or behind the text if that reaches so far. */
static void put_series(const table *t, const series_span *span) {
  char text[100], energy[CELL];
  snprintf(text, sizeof text, "impacts continue, each interval %s%.3f times the one before",
           span->steady ? "" : "finally ", span->ratio);
  format(energy, clean(span->energy, t->work), t->scale[ENERGY]);
  int begin = t->w_kind + t->w_at + t->w[BEFORE] + t->w[AFTER] + t->w[IMPULSE] + 10;
  if (width(text) + 2 > begin) {
    begin += t->w[ENERGY];
  }
  if (width(text) + 2 > begin) {
    begin = width(text) + 2;
  }
  fputs("  ", stdout);
  put_left("...", t->w_t + 2);
  put_left(text, begin);
  put_right(energy, t->w[ENERGY]);
  putchar('\n');
}

static void put_gap(const table *t, int64_t events) {
  fputs("  ", stdout);
  put_left("...", t->w_t + (t->jumps ? 2 : 1));
  printf("%" PRId64 " more\n", events);
}

/* ---- the table ---- */

typedef struct place { /* on the way through the lines */
  int64_t line, skipped;
  int64_t head, tail; /* lines from head on and before tail are left out */
} place;

/* True if the next line, which stands for some events, is shown. */
static bool arrive(const table *t, place *p, int64_t events) {
  int64_t line = p->line++;
  if (line >= p->head && line < p->tail) {
    p->skipped += events;
    return false;
  }
  if (p->skipped > 0 && t->printing) {
    put_gap(t, p->skipped);
  }
  p->skipped = 0;
  return true;
}

/* Where every row is a line, the ones that are left out are not looked at; returns their number. */
static int64_t pass_over(table *t, place *p) {
  bool each = t->filter->at == NULL && t->filter->kind == NULL && series_saved(&t->series) == 0;
  int64_t n = 0;
  while (each && p->line < p->tail && event_file_skip(&t->file)) {
    p->line++;
    n++;
  }
  p->skipped += n;
  return n;
}

static void walk(table *t, bool printing) {
  int64_t lines = t->count - series_saved(&t->series);
  place p = {.head = HEAD, .tail = t->shorten && lines > HEAD + TAIL + 1 ? lines - TAIL : 0};
  event_row e;
  t->printing = printing;
  t->cut = p.tail > 0;
  event_file_rewind(&t->file);
  series_rewind(&t->series);
  for (int64_t i = 0; i += i == p.head ? pass_over(t, &p) : 0, next(t, &e); i++) {
    if (series_hides(&t->series, &e, i)) {
      continue;
    }
    const series_span *span = series_told(&t->series, &e, i);
    if (span != NULL && arrive(t, &p, span->hidden) && printing) {
      put_series(t, span);
    }
    if (arrive(t, &p, 1)) {
      put_event(t, &e);
    }
  }
}

/* Of the columns of numbers, behind their names: lines and places stay as they are. */
static void put_units(const table *t) {
  char impulse[CELL] = "";
  const char *force = event_unit_text(t->force), *rate = event_unit_rate(force);
  if (t->system == NULL) {
    return;
  }
  if (*force != '\0') {
    snprintf(impulse, sizeof impulse, "%s*s", force);
  }
  const char *const units[N_NUMBERS] = {rate, rate, impulse, "J"};
  int n = t->jumps ? N_NUMBERS : t->file.n_shown;
  printf("   [s");
  for (int i = 0; i < n; i++) {
    const char *unit = t->jumps ? units[i] : event_unit_text(event_unit_state(t->system, i));
    printf(", %s", *unit == '\0' ? "-" : unit);
  }
  putchar(']');
}

static void put_header(const table *t) {
  static const char *const names[N_NUMBERS] = {"before", "after", "impulse", "energy"};
  put_head(t, "t", "event", "at");
  for (int k = 0; k < N_NUMBERS && t->jumps; k++) {
    printf("  %*s", t->w[k] - 9, ""); /* above the digits of numbers without an exponent */
    put_left(names[k], k == ENERGY ? 0 : 9);
  }
  for (int i = 0; i < t->file.n_shown && !t->jumps; i++) {
    printf(" %*s", 11 + (int)strlen(t->file.name[i]) - width(t->file.name[i]), t->file.name[i]);
  }
  put_units(t);
  putchar('\n');
}

const char *event_flag_text(const char *name) {
  static const char *const texts[][2] = {
      {"ENERGY_INCREASE", "the impact law added energy"},
      {"IMPACT_WITHOUT_COLLISION", "friction left no motion; the slip was stopped by an impulse"},
      {"SEVERAL_MOTIONS", "friction left several motions; the one of least force is followed"},
      {"ADHESIVE", "the contact pulled during the impact"},
      {"AMBIGUOUS", "impact laws that agree for one contact differ here"},
      {"AMBIGUOUS_MULTI_IMPACT", "impact laws that agree for one contact differ here"},
      {"NOT_UNIQUE", "contacts share the impulse; the smallest shares are given"},
      {"INDIFFERENT", "the contact may stay closed or open; both satisfy the law"}};
  size_t first = strcspn(name, ","); /* of several flags the first is explained */
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    if (strlen(texts[i][0]) == first && strncmp(texts[i][0], name, first) == 0) {
      return texts[i][1];
    }
  }
  return "see events.jsonl";
}

static void put_notes(const table *t) {
  for (int i = 0; i < t->flags->n; i++) {
    const char *name = t->flags->flag[i].name;
    printf("  %c %s: %s\n", mark_of(t->flags, name), name, event_flag_text(name));
  }
}

/* What was left out, by law and kind, the most first. */
static void put_counts(const table *t) {
  bool told[COUNTS] = {false};
  int64_t rest = t->count;
  if (!t->cut || t->n_counts < 2) {
    return;
  }
  printf("counts       ");
  for (int k = 0; k < COUNTED && k < t->n_counts; k++) {
    int most = -1;
    for (int i = 0; i < t->n_counts; i++) {
      most = !told[i] && (most < 0 || t->counts[i].n > t->counts[most].n) ? i : most;
    }
    told[most] = true;
    rest -= t->counts[most].n;
    printf("%s%" PRId64 " %s at %s", k == 0 ? "" : ", ", t->counts[most].n, t->counts[most].kind,
           t->counts[most].at);
  }
  if (rest > 0) {
    printf(", %" PRId64 " others", rest);
  }
  putchar('\n');
}

bool event_table_print(const event_source *from, const event_filter *filter, bool shorten,
                       event_flags *flags) {
  table t = {.filter = filter, .shorten = shorten, .flags = flags};
  *flags = (event_flags){0};
  t.system = from->system != NULL && event_units_stated(from->system) ? from->system : NULL;
  if (!event_file_open(&t.file, from)) {
    return false;
  }
  survey(&t);
  t.w_t = t.jumps ? 11 : 12;
  t.w_kind = t.jumps ? 6 : 8;
  t.w_at = t.jumps ? 6 : 8;
  for (int k = 0; k < N_NUMBERS; k++) {
    t.w[k] = 9;
  }
  if (t.count > 0 || !shorten) {
    if (t.states && t.count > 0) {
      event_file_scales(from, t.file.n_shown, t.state);
    }
    walk(&t, false);
    put_header(&t);
    walk(&t, true);
    put_notes(&t);
    put_counts(&t);
  }
  series_free(&t.series);
  event_file_close(&t.file);
  return true;
}
