// SPDX-License-Identifier: MIT
/* The table of units. A name found in it as it stands wins over a prefix and a unit: "min" is the
 * minute, "cd" the candela, "Pa" the pascal, "ft" the foot, "mm" the millimetre. */
#include "model/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/pi.h"
#include "base/suggest.h"
#include "law/scale_model.h"

typedef struct unit_row {
  const char *name;
  double factor;
  signed char power[PW_DIM_BASE]; /* m kg s A K mol cd */
  bool prefixes;
} unit_row;

static const unit_row units[] = {
    {"1", 1, {0}, false},
    {"m", 1, {1}, true},
    {"g", 1e-3, {0, 1}, true},
    {"s", 1, {0, 0, 1}, true},
    {"A", 1, {0, 0, 0, 1}, true},
    {"K", 1, {0, 0, 0, 0, 1}, true},
    {"mol", 1, {0, 0, 0, 0, 0, 1}, true},
    {"cd", 1, {0, 0, 0, 0, 0, 0, 1}, true},
    {"rad", 1, {0}, true},
    {"sr", 1, {0}, true},
    {"deg", PW_PI / 180, {0}, false},
    {"°", PW_PI / 180, {0}, false},
    {"arcmin", PW_PI / 10800, {0}, false},
    {"arcsec", PW_PI / 648000, {0}, true},
    {"rev", 2 * PW_PI, {0}, false},
    {"rpm", 2 * PW_PI / 60, {0, 0, -1}, false},
    {"percent", 0.01, {0}, false},
    {"Hz", 1, {0, 0, -1}, true},
    {"N", 1, {1, 1, -2}, true},
    {"Pa", 1, {-1, 1, -2}, true},
    {"J", 1, {2, 1, -2}, true},
    {"W", 1, {2, 1, -3}, true},
    {"C", 1, {0, 0, 1, 1}, true},
    {"V", 1, {2, 1, -3, -1}, true},
    {"F", 1, {-2, -1, 4, 2}, true},
    {"ohm", 1, {2, 1, -3, -2}, true},
    {"Ω", 1, {2, 1, -3, -2}, true},
    {"S", 1, {-2, -1, 3, 2}, true},
    {"Wb", 1, {2, 1, -2, -1}, true},
    {"T", 1, {0, 1, -2, -1}, true},
    {"H", 1, {2, 1, -2, -2}, true},
    {"lm", 1, {0, 0, 0, 0, 0, 0, 1}, true},
    {"lx", 1, {-2, 0, 0, 0, 0, 0, 1}, true},
    {"min", 60, {0, 0, 1}, false},
    {"h", 3600, {0, 0, 1}, false},
    {"d", 86400, {0, 0, 1}, false},
    {"L", 1e-3, {3}, true},
    {"l", 1e-3, {3}, true},
    {"t", 1e3, {0, 1}, false},
    {"bar", 1e5, {-1, 1, -2}, true},
    {"atm", 101325, {-1, 1, -2}, false},
    {"eV", 1.602176634e-19, {2, 1, -2}, true},
    {"Wh", 3600, {2, 1, -2}, true},
    {"kgf", 9.80665, {1, 1, -2}, false},
    {"in", 0.0254, {1}, false},
    {"inch", 0.0254, {1}, false},
    {"ft", 0.3048, {1}, false},
    {"mph", 0.44704, {1, 0, -1}, false},
    {"lb", 0.45359237, {0, 1}, false},
    {"lbf", 4.4482216152605, {1, 1, -2}, false},
    {"psi", 6894.757293168361, {-1, 1, -2}, false},
};
enum { N_UNIT = sizeof units / sizeof *units };

/* "da" stands before "d" so that "dam" is ten metres. Both code points of the Greek mu. */
static const struct {
  const char *name;
  double factor;
} prefixes[] = {
    {"Q", 1e30},  {"R", 1e27},  {"Y", 1e24},  {"Z", 1e21},  {"E", 1e18},  {"P", 1e15},
    {"T", 1e12},  {"G", 1e9},   {"M", 1e6},   {"k", 1e3},   {"h", 1e2},   {"da", 1e1},
    {"d", 1e-1},  {"c", 1e-2},  {"m", 1e-3},  {"u", 1e-6},  {"µ", 1e-6},  {"\u03bc", 1e-6},
    {"n", 1e-9},  {"p", 1e-12}, {"f", 1e-15}, {"a", 1e-18}, {"z", 1e-21}, {"y", 1e-24},
    {"r", 1e-27}, {"q", 1e-30},
};
enum { N_PREFIX = sizeof prefixes / sizeof *prefixes };

/* Words and spellings that people write first. */
static const struct {
  const char *word, *unit;
} words[] = {
    {"meter", "m"},     {"meters", "m"},     {"metre", "m"},    {"metres", "m"},
    {"sec", "s"},       {"secs", "s"},       {"second", "s"},   {"seconds", "s"},
    {"kilogram", "kg"}, {"kilograms", "kg"}, {"kilo", "kg"},    {"gram", "g"},
    {"newton", "N"},    {"newtons", "N"},    {"joule", "J"},    {"joules", "J"},
    {"watt", "W"},      {"watts", "W"},      {"pascal", "Pa"},  {"hertz", "Hz"},
    {"degree", "deg"},  {"degrees", "deg"},  {"radian", "rad"}, {"radians", "rad"},
    {"minute", "min"},  {"minutes", "min"},  {"hour", "h"},     {"hours", "h"},
    {"hr", "h"},        {"day", "d"},        {"days", "d"},     {"litre", "L"},
    {"liter", "L"},     {"tonne", "t"},      {"ton", "t"},      {"turn", "rev"},
    {"kph", "km/h"},    {"kmh", "km/h"},     {"foot", "ft"},    {"feet", "ft"},
    {"volt", "V"},      {"kelvin", "K"},     {"ampere", "A"},   {"inches", "in"},
    {"Kg", "kg"},       {"KG", "kg"},        {"hz", "Hz"},      {"HZ", "Hz"},
};
enum { N_WORD = sizeof words / sizeof *words };

static const unit_row *find_row(const char *name) {
  for (int i = 0; i < N_UNIT; i++) {
    if (strcmp(units[i].name, name) == 0) {
      return &units[i];
    }
  }
  return NULL;
}

/* The row of a name and the factor of its prefix. */
static const unit_row *find_unit(const char *name, double *scale) {
  const unit_row *row = find_row(name);
  *scale = 1;
  for (int i = 0; i < N_PREFIX && row == NULL; i++) {
    size_t n = strlen(prefixes[i].name);
    if (strncmp(name, prefixes[i].name, n) == 0) {
      row = find_row(name + n);
      row = row != NULL && row->prefixes ? row : NULL;
      *scale = prefixes[i].factor;
    }
  }
  return row;
}

/* "Nm" is a missing product sign. Only for names that usually begin a product: "Kg" is not K*g. */
static bool split_product(const char *name, char *text, size_t cap) {
  static const char *const first[] = {"N", "kN", "mN", "kg", "J", "W", "V", "A"};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
    size_t n = strlen(first[i]);
    double scale;
    if (strncmp(name, first[i], n) == 0 && find_unit(name + n, &scale) != NULL) {
      snprintf(text, cap, "%s*%s", first[i], name + n);
      return true;
    }
  }
  return false;
}

static bool nearest_name(const char *name, char *text, size_t cap) {
  pw_suggest s = pw_suggest_begin(name);
  for (int i = 0; i < N_UNIT; i++) {
    pw_suggest_try(&s, units[i].name);
  }
  if (s.best != NULL) {
    snprintf(text, cap, "%s", s.best);
  }
  for (int k = 0; k < N_UNIT * N_PREFIX; k++) {
    const unit_row *row = &units[k / N_PREFIX];
    char full[24];
    snprintf(full, sizeof full, "%s%s", prefixes[k % N_PREFIX].name, row->name);
    const char *before = s.best;
    if (row->prefixes) {
      pw_suggest_try(&s, full);
    }
    if (s.best != before) {
      snprintf(text, cap, "%s", full);
      s.best = text; /* `full` ends with this turn */
    }
  }
  return s.best != NULL;
}

static void report_unknown(pawl_diags *diags, const pw_unit_factor *item) {
  pw_span name = {item->span.file, item->span.begin, item->span.begin + (int)strlen(item->name)};
  pw_diag_ref d = pw_error(diags, "E0150", name, "unknown unit `%s`", item->name);
  char text[32] = "";
  pw_label(d, "not a unit of measure");
  for (int i = 0; i < N_WORD; i++) {
    if (strcmp(words[i].word, item->name) == 0) {
      pw_help(d, "write `%s`", words[i].unit);
      return;
    }
  }
  if (split_product(item->name, text, sizeof text)) {
    pw_help(d, "a product has a sign: `%s`", text);
  } else if (nearest_name(item->name, text, sizeof text)) {
    pw_help(d, "did you mean `%s`?", text);
  } else {
    pw_help(d, "units are SI names with prefixes, such as m, mm, kg, s, N, J, W, rad, deg, Hz");
  }
}

bool pw_unit_resolve(const pw_unit *unit, pawl_diags *diags, double *factor, pw_dim *dim) {
  bool ok = true;
  *factor = 1;
  *dim = (pw_dim){{0}};
  for (int i = 0; i < unit->n; i++) {
    const pw_unit_factor *item = &unit->items[i];
    double scale;
    const unit_row *row = find_unit(item->name, &scale);
    if (row == NULL) {
      report_unknown(diags, item);
      ok = false;
      continue;
    }
    double size = pow(scale * row->factor, fabs((double)item->power));
    *factor = item->power < 0 ? *factor / size : *factor * size;
    for (int k = 0; k < PW_DIM_BASE; k++) {
      dim->power[k] += (double)row->power[k] * item->power;
    }
  }
  if (ok && !(*factor > 0 && *factor < INFINITY)) {
    pw_diag_ref d = pw_error(diags, "E0150", unit->span, "this unit is out of range");
    pw_label(d, "its factor to SI is not a number that fits");
    ok = false;
  }
  return ok;
}

bool pw_dim_equal(const pw_dim *a, const pw_dim *b) {
  for (int k = 0; k < PW_DIM_BASE; k++) {
    if (!(fabs(a->power[k] - b->power[k]) <= PW_SCALE(POWER_SAME))) {
      return false;
    }
  }
  return true;
}

/* Names that a reader expects; 1/s is not called Hz, since it may be an angular velocity. */
static const char *usual_name(const pw_dim *dim) {
  static const char *const usual[] = {"N", "Pa", "J", "W", "C", "V", "F", "ohm", "S", "Wb", "T"};
  static const pw_dim stiffness = {{0, 1, -2}};
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
    const unit_row *row = find_row(usual[i]);
    pw_dim d;
    for (int k = 0; k < PW_DIM_BASE; k++) {
      d.power[k] = row->power[k];
    }
    if (pw_dim_equal(&d, dim)) {
      return usual[i];
    }
  }
  return pw_dim_equal(dim, &stiffness) ? "N/m" : NULL;
}

/* Appends "*m^2" or "/s"; the first factor of a product has no sign. */
static void print_factor(char *text, size_t cap, const char *name, double power, bool below) {
  size_t n = strlen(text);
  const char *sign = below ? "/" : n > 0 ? "*" : "";
  double p = fabs(power);
  if (n >= cap) {
    return;
  }
  if (fabs(p - 1) <= PW_SCALE(POWER_SAME)) {
    snprintf(text + n, cap - n, "%s%s", sign, name);
  } else {
    snprintf(text + n, cap - n, "%s%s^%.4g", sign, name, p);
  }
}

void pw_dim_print(const pw_dim *dim, char *text, size_t cap) {
  static const int order[PW_DIM_BASE] = {1, 0, 2, 3, 4, 5, 6};
  static const char *const names[PW_DIM_BASE] = {"m", "kg", "s", "A", "K", "mol", "cd"};
  const char *usual = usual_name(dim);
  if (cap == 0) {
    return;
  }
  text[0] = '\0';
  if (usual != NULL) {
    snprintf(text, cap, "%s", usual);
    return;
  }
  for (int below = 0; below < 2; below++) {
    for (int i = 0; i < PW_DIM_BASE; i++) {
      double p = dim->power[order[i]];
      if (below ? p < -PW_SCALE(POWER_SAME) : p > PW_SCALE(POWER_SAME)) {
        print_factor(text, cap, names[order[i]], p, below);
      }
    }
    if (!below && text[0] == '\0') {
      snprintf(text, cap, "1");
    }
  }
}
