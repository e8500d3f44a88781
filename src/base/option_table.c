// SPDX-License-Identifier: MIT
#include "base/option_table.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The enums of choices begin with AUTO = 0, so that the first choice is 1; of the methods AUTO is
 * itself the first choice. */
typedef struct entry {
  pawl_option public;
  size_t field; /* in pawl_run_opts; of a double, an int64_t or an enum. NO_FIELD: none */
  int first;    /* value of the first choice */
} entry;

#define NO_FIELD ((size_t)-1)
#define FIELD(name) offsetof(pawl_run_opts, name)

static const char *const methods[] = {"event",       "dp5",  "dop853", "moreau",
                                      "variational", "auto", "radau",  NULL};
static const char *const impacts[] = {"simultaneous", "sequential", NULL};
static const char *const gains[] = {"allow", "stop", NULL};
static const char *const paradoxes[] = {"strict", "iwc", "enumerate", NULL};
static const char *const allow[] = {"allow", NULL};
static const char *const switches[] = {"on", "off", NULL};

#define NUMBER(word, value, preset, least, most, field, help) \
  { {word, 0, PAWL_OPTION_NUMBER, 1, value, NULL, preset, least, most, help}, FIELD(field), 0 }
#define COUNT(word, preset, field, help) \
  { {word, 0, PAWL_OPTION_COUNT, 1, "N", NULL, preset, 1, 1e15, help}, FIELD(field), 0 }
#define CHOICE(word, choices, field, first, help) \
  { {word, 0, PAWL_OPTION_CHOICE, 1, NULL, choices, NULL, 0, 0, help}, FIELD(field), first }
#define TEXT(word, letter, value, preset, help) \
  { {word, letter, PAWL_OPTION_TEXT, 0, value, NULL, preset, 0, 0, help}, NO_FIELD, 0 }
#define FLAG(word, help) \
  { {word, 0, PAWL_OPTION_FLAG, 0, NULL, NULL, NULL, 0, 0, help}, NO_FIELD, 0 }

static const entry table[] = {
    TEXT("time", 't', "A..B", "that of the run statement", "time span"),
    NUMBER("tol", "X", "1e-9", PAWL_TOL_LEAST, PAWL_TOL_MOST, sim.tol,
           "relative error allowed per step"),
    NUMBER("every", "DT", "a 2000th of the span", 0, 0, every, "time between rows"),
    CHOICE("method", methods, sim.method, PAWL_METHOD_AUTO,
           "integrator; `event` takes dp5, dop853 or, where forces are stiff, radau, whichever "
           "costs less, "
           "and may change during the run; "
           "`auto` is moreau for models with more than 60 contacts, event and moreau in turns for "
           "few shapes, else event"),
    NUMBER("step", "H", NULL, 0, 0, sim.max_step,
           "largest step; with moreau and variational the length of every step"),
    COUNT("max-steps", "10 million", sim.max_steps, "stop early after N steps"),
    COUNT("max-events", "1 million", sim.max_events, "stop early after N events"),
    NUMBER("max-seconds", "S", NULL, 0, 0, max_seconds, "stop early after S seconds of wall time"),
    CHOICE("impacts", impacts, sim.impacts, PAWL_IMPACTS_SIMULTANEOUS,
           "how contacts that are hit at one instant are treated"),
    CHOICE("energy-gain", gains, sim.energy_gain, PAWL_GAIN_ALLOW,
           "whether the run continues after an impact that gains energy"),
    CHOICE("paradox", paradoxes, sim.paradox, PAWL_PARADOX_STRICT,
           "what to do where friction admits no motion, or more than one: stop there, stop the "
           "slip by an impact, or list the motions and continue with one"),
    CHOICE("validate", switches, sim.validate, PAWL_VALIDATE_ON,
           "whether enclosures search every step for short events that it may have jumped over"),
    CHOICE("start-impact", allow, sim.start_impact, 1,
           "treat an inward velocity at the start as an impact, not as an error"),
    CHOICE("restitution-above-one", allow, sim.restitution_above_one, 1,
           "accept coefficients of restitution above 1"),
    TEXT("input", 0, "FILE.csv", NULL,
         "values of inputs over time: columns t and names of inputs, linear between rows, two rows "
         "at one "
         "time "
         "are a jump"),
    TEXT("realise", 0, "NAME=HOW", NULL,
         "realise the constraint NAME, or the member NAME[2], in another way: nonholonomic (or "
         "ideal), vakonomic, viscous:N, viscous:N:STIFFNESS, inertia:PHI, servo:x, "
         "servo:(x:a,y:b) or friction:BOUND; also for check and gauss"),
    TEXT(
        "gradient", 0, "NAME,...", NULL,
        "derivatives of the final state, the outputs and the times of the events by parameters and "
        "start values"),
    {{"certify", 0, PAWL_OPTION_CHOICE, 0, NULL, switches, NULL, 0, 0,
      "whether the motion is certified"},
     NO_FIELD,
     0},
    {{"native", 0, PAWL_OPTION_CHOICE, 0, NULL, switches, NULL, 0, 0,
      "whether expressions are compiled to machine code; the numbers are the same"},
     FIELD(native),
     PAWL_NATIVE_ON},
    {{"jobs", 'j', PAWL_OPTION_COUNT, 0, "N", NULL, "1", 1, 1e15,
      "threads for islands of contacts in steps of many bodies; the numbers are the same"},
     FIELD(sim.threads),
     0},
    TEXT("output", 'o', "DIR", "the model's name with .out", "results folder"),
    {{"motion-bytes", 0, PAWL_OPTION_COUNT, 0, "N", NULL, "134217728", 1, 1e15,
      "store every step in motion.pwt up to N bytes, then those with rows or events in them"},
     FIELD(motion_bytes),
     0},
    FLAG("force", "replace a results folder even if it holds a run that was killed"),
    TEXT("save", 0, "csv,npz,h5", "csv", "formats of the trajectory; csv is always written"),
    FLAG("no-report", "do not write report.html"),
    FLAG("no-save", "write no results folder"),
    FLAG("json", "print the result as one JSON object"),
    FLAG("watch", "run again whenever the model file changes"),
    TEXT("resume", 0, "DIR", NULL, "continue a run that was killed")};
enum { N_TABLE = sizeof table / sizeof *table };

static const entry *entry_of(const pawl_option *option) {
  for (int i = 0; i < N_TABLE; i++) {
    if (option == &table[i].public) {
      return &table[i];
    }
  }
  return NULL;
}

const pawl_option *pawl_option_get(int i) {
  return i >= 0 && i < N_TABLE ? &table[i].public : NULL;
}

const pawl_option *pawl_option_find(const char *word) {
  for (int i = 0; word != NULL && i < N_TABLE; i++) {
    if (strcmp(table[i].public.word, word) == 0) {
      return &table[i].public;
    }
  }
  return NULL;
}

/* ---- values ---- */

static bool number_of(const char *text, double *value) {
  char *end = NULL;
  bool begins = strchr("0123456789.+-", text[0]) != NULL && text[0] != '\0';
  *value = begins ? strtod(text, &end) : 0;
  return begins && *end == '\0';
}

static int index_of(const pawl_option *o, const char *word) {
  for (int i = 0; o->choices != NULL && o->choices[i] != NULL; i++) {
    if (strcmp(o->choices[i], word) == 0) {
      return i;
    }
  }
  return -1;
}

bool pw_option_is_choice(const pawl_option *option, const char *word) {
  return index_of(option, word) >= 0;
}

bool pw_option_fits(const pawl_option *o, double value) {
  bool above = value > 0 && isfinite(value);
  bool whole = o->type != PAWL_OPTION_COUNT || value == floor(value);
  return above && whole && (o->least == 0 || value >= o->least) &&
         (o->most == 0 || value <= o->most);
}

static void list_choices(const pawl_option *o, char *text, size_t room) {
  size_t used = 0;
  for (int i = 0; o->choices[i] != NULL && used < room; i++) {
    const char *between = i == 0 ? "" : o->choices[i + 1] == NULL ? " or " : ", ";
    int n = snprintf(text + used, room - used, "%s`%s`", between, o->choices[i]);
    used += n < 0 ? 0 : (size_t)n;
  }
}

void pawl_option_legal(const pawl_option *o, char *text, size_t room) {
  if (text == NULL || room == 0) {
    return;
  }
  text[0] = '\0';
  if (o == NULL) {
    return;
  }
  switch (o->type) {
  case PAWL_OPTION_FLAG: snprintf(text, room, "no value"); break;
  case PAWL_OPTION_TEXT: snprintf(text, room, "%s", o->value); break;
  case PAWL_OPTION_COUNT: snprintf(text, room, "a whole number from 1 on"); break;
  case PAWL_OPTION_CHOICE: list_choices(o, text, room); break;
  case PAWL_OPTION_NUMBER:
    if (o->least == 0) {
      snprintf(text, room, "a number above 0");
    } else {
      snprintf(text, room, "a number between 1e%.0f and 1e%.0f", log10(o->least), log10(o->most));
    }
    break;
  }
}

/* ---- fields ---- */

static void *field_of(pawl_run_opts *opts, const entry *e) {
  return (char *)opts + e->field;
}

/* As a number; 0: not given. */
static double value_of(const pawl_run_opts *opts, const entry *e) {
  const char *at = (const char *)opts + e->field;
  double number = 0;
  int64_t count = 0;
  int choice = 0;
  switch (e->public.type) {
  case PAWL_OPTION_NUMBER: memcpy(&number, at, sizeof number); return number;
  case PAWL_OPTION_COUNT: memcpy(&count, at, sizeof count); return (double)count;
  default: memcpy(&choice, at, sizeof choice); return choice;
  }
}

/* Larger counts are clamped to the largest; no run reaches it. */
static int64_t count_of(double value) {
  return value >= (double)INT64_MAX ? INT64_MAX : (int64_t)value;
}

static void put_value(pawl_run_opts *opts, const entry *e, double value) {
  int64_t count = e->public.type == PAWL_OPTION_COUNT ? count_of(value) : 0;
  int choice = e->public.type == PAWL_OPTION_NUMBER || count > 0 ? 0 : (int)value;
  switch (e->public.type) {
  case PAWL_OPTION_NUMBER: memcpy(field_of(opts, e), &value, sizeof value); break;
  case PAWL_OPTION_COUNT: memcpy(field_of(opts, e), &count, sizeof count); break;
  default: memcpy(field_of(opts, e), &choice, sizeof choice); break;
  }
}

static bool is_method(const entry *e) {
  return e->field == FIELD(sim.method);
}

pawl_status pawl_option_set(const pawl_option *option, const char *text, pawl_run_opts *opts) {
  const entry *e = entry_of(option);
  if (e == NULL || text == NULL || opts == NULL || e->field == NO_FIELD) {
    return PAWL_E_ARGUMENT;
  }
  double value = 0;
  if (option->type == PAWL_OPTION_CHOICE) {
    int chosen = index_of(option, text);
    if (chosen < 0) {
      return PAWL_E_ARGUMENT;
    }
    value = e->first + chosen;
    opts->use_method = opts->use_method || is_method(e);
  } else if (!number_of(text, &value) || !pw_option_fits(option, value)) {
    return PAWL_E_ARGUMENT;
  }
  put_value(opts, e, value);
  return PAWL_OK;
}

void pw_option_state(pawl_run_opts *opts, const char *word, const char *choice, double value) {
  const pawl_option *option = pawl_option_find(word);
  const entry *e = option == NULL ? NULL : entry_of(option);
  if (e == NULL || e->field == NO_FIELD || value_of(opts, e) != 0 ||
      (is_method(e) && opts->use_method)) {
    return;
  }
  if (option->type != PAWL_OPTION_CHOICE) {
    put_value(opts, e, value);
  } else if (choice != NULL && index_of(option, choice) >= 0) {
    put_value(opts, e, e->first + index_of(option, choice));
  }
}

/* Permissions with one choice stay as they are: none was given. */
void pw_options_default(pawl_run_opts *opts) {
  for (int i = 0; i < N_TABLE; i++) {
    const entry *e = &table[i];
    bool open = e->field != NO_FIELD && e->public.type == PAWL_OPTION_CHOICE &&
                e->public.choices[1] != NULL && value_of(opts, e) == 0;
    if (open) {
      put_value(opts, e, e->first);
    }
  }
  opts->sim.tol = opts->sim.tol == 0 ? 1e-9 : opts->sim.tol;
  opts->motion_bytes = opts->motion_bytes == 0 ? 1 << 27 : opts->motion_bytes;
}

static int count_choices(const pawl_option *o) {
  int n = 0;
  while (o->choices[n] != NULL) {
    n++;
  }
  return n;
}

const pawl_option *pw_options_wrong(const pawl_run_opts *opts, double *value) {
  for (int i = 0; i < N_TABLE; i++) {
    const entry *e = &table[i];
    if (e->field == NO_FIELD) {
      continue;
    }
    *value = value_of(opts, e);
    bool choice = e->public.type == PAWL_OPTION_CHOICE;
    bool count = e->public.type == PAWL_OPTION_COUNT;
    bool fits = choice  ? *value >= 0 && *value < e->first + count_choices(&e->public)
                : count ? *value >= 1 /* the caller's may be larger than a text's */
                        : pw_option_fits(&e->public, *value);
    if (*value != 0 && !fits) { /* also NaN */
      return &e->public;
    }
  }
  return NULL;
}

const char *pw_option_chosen(const pawl_run_opts *opts, const char *word) {
  const pawl_option *option = pawl_option_find(word);
  const entry *e = option == NULL ? NULL : entry_of(option);
  if (e == NULL || e->field == NO_FIELD || option->type != PAWL_OPTION_CHOICE) {
    return "";
  }
  int at = (int)value_of(opts, e) - e->first;
  return at >= 0 && at < count_choices(option) ? option->choices[at] : "";
}
