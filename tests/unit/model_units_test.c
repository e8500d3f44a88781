// SPDX-License-Identifier: MIT
#include "model/units.h"

#include <stdio.h>
#include <string.h>

#include "check.h"

enum { MOST = 8 };

/* Reads "kg*m/s^2" into a unit; the texts live in `store`. */
static pw_unit read_unit(const char *text, pw_unit_factor *items, char store[MOST][24]) {
  pw_unit unit = {.items = items};
  int sign = 1;
  while (*text != '\0') {
    size_t n = strcspn(text, "*/^");
    memcpy(store[unit.n], text, n);
    store[unit.n][n] = '\0';
    text += n;
    int power = 1;
    if (*text == '^') {
      power = 0;
      for (text++; *text >= '0' && *text <= '9'; text++) {
        power = 10 * power + (*text - '0');
      }
    }
    items[unit.n] =
        (pw_unit_factor){.name = store[unit.n], .power = sign * power, .span = PW_NO_SPAN};
    unit.n++;
    if (*text != '\0') {
      sign = *text++ == '/' ? -1 : 1;
    }
  }
  return unit;
}

static bool resolve(const char *text, double *factor, pw_dim *dim, pawl_diags *diags) {
  pw_unit_factor items[MOST];
  char store[MOST][24];
  pw_unit unit = read_unit(text, items, store);
  unit.span = PW_NO_SPAN;
  return pw_unit_resolve(&unit, diags, factor, dim);
}

static void check_unit(const char *text, double factor, const char *printed) {
  double f = 0;
  pw_dim dim;
  char out[64];
  if (!CHECK(resolve(text, &f, &dim, NULL)) || !CHECK_NEAR(f / factor, 1, 4e-16)) {
    printf("  unit %s\n", text);
  }
  pw_dim_print(&dim, out, sizeof out);
  CHECK_STR(out, printed);
}

static void si_names(void) {
  check_unit("m", 1, "m");
  check_unit("kg", 1, "kg");
  check_unit("g", 1e-3, "kg");
  check_unit("s", 1, "s");
  check_unit("A", 1, "A");
  check_unit("K", 1, "K");
  check_unit("mol", 1, "mol");
  check_unit("cd", 1, "cd");
  check_unit("Hz", 1, "1/s");
  check_unit("N", 1, "N");
  check_unit("N*m", 1, "J");
  check_unit("kg*m/s^2", 1, "N");
  check_unit("N/m^2", 1, "Pa");
  check_unit("W*s", 1, "J");
  check_unit("V*A", 1, "W");
  check_unit("ohm*A", 1, "V");
  check_unit("Ω*A", 1, "V");
  check_unit("S*V", 1, "A");
  check_unit("F*V", 1, "C");
  check_unit("H*A^2", 1, "J");
  check_unit("Wb/m^2", 1, "T");
  check_unit("T*m^2", 1, "Wb");
  check_unit("lx*m^2", 1, "cd");
  check_unit("1", 1, "1");
  check_unit("1/s", 1, "1/s");
  check_unit("m/s^2", 1, "m/s^2");
  check_unit("kg/m^3", 1, "kg/m^3");
  check_unit("N*s/m", 1, "kg/s");
  check_unit("kg*m^2", 1, "kg*m^2");
  check_unit("N/m", 1, "N/m");
  check_unit("N*m/rad", 1, "J");
}

static void other_names(void) {
  const double pi = 3.14159265358979323846;
  check_unit("deg", pi / 180, "1");
  check_unit("°", pi / 180, "1");
  check_unit("rad", 1, "1");
  check_unit("rev", 2 * pi, "1");
  check_unit("rpm", 2 * pi / 60, "1/s");
  check_unit("rev/min", 2 * pi / 60, "1/s");
  check_unit("percent", 0.01, "1");
  check_unit("min", 60, "s");
  check_unit("h", 3600, "s");
  check_unit("d", 86400, "s");
  check_unit("km/h", 1 / 3.6, "m/s");
  check_unit("L", 1e-3, "m^3");
  check_unit("ml", 1e-6, "m^3");
  check_unit("t", 1000, "kg");
  check_unit("bar", 1e5, "Pa");
  check_unit("lbf/in", 175.12683524647636, "N/m");
}

static void prefixes_and_exact_names(void) {
  check_unit("mm", 1e-3, "m");
  check_unit("cm^2", 1e-4, "m^2");
  check_unit("dam", 10, "m");
  check_unit("dm", 0.1, "m");
  check_unit("um", 1e-6, "m");
  check_unit("µm", 1e-6, "m");
  check_unit("\u03bcm", 1e-6, "m");
  check_unit("mPa", 1e-3, "Pa");
  check_unit("hPa", 100, "Pa");
  check_unit("Pa", 1, "Pa");
  check_unit("mcd", 1e-3, "cd");
  check_unit("mmol", 1e-3, "mol");
  check_unit("mg", 1e-6, "kg");
  check_unit("Mg", 1e3, "kg");
  check_unit("ms", 1e-3, "s");
  check_unit("GN", 1e9, "N");
  check_unit("Ym", 1e24, "m");
  check_unit("ym", 1e-24, "m");
  check_unit("ft", 0.3048, "m");
  check_unit("kWh", 3.6e6, "J");
  check_unit("mrad", 1e-3, "1");
  check_unit("mT", 1e-3, "T");
}

static void check_unknown(const char *text, const char *help) {
  pawl_diags *diags;
  double factor;
  pw_dim dim;
  CHECK(pawl_diags_new(&diags) == PAWL_OK);
  CHECK(!resolve(text, &factor, &dim, diags));
  if (CHECK_INT(pawl_diags_errors(diags), 1)) {
    const pawl_diag *d = pawl_diags_get(diags, 0);
    CHECK_STR(d->code, "E0150");
    CHECK(d->n_help == 1);
    CHECK_STR(d->n_help == 1 ? d->help[0] : "", help);
  }
  pawl_diags_free(diags);
}

static void unknown_names_get_help(void) {
  check_unknown("Nm", "a product has a sign: `N*m`");
  check_unknown("kgm", "a product has a sign: `kg*m`");
  check_unknown("Kg", "write `kg`");
  check_unknown("sec", "write `s`");
  check_unknown("meter", "write `m`");
  check_unknown("degs", "did you mean `deg`?");
  check_unknown("kmh", "write `km/h`");
  check_unknown("xyzzy",
                "units are SI names with prefixes, such as m, mm, kg, s, N, J, W, rad, deg, Hz");
  check_unknown("mdeg", "did you mean `deg`?"); /* degrees take no prefix */
  check_unknown("m/kkg", "did you mean `kg`?");
}

static void every_unknown_name_is_reported(void) {
  pawl_diags *diags;
  double factor;
  pw_dim dim;
  CHECK(pawl_diags_new(&diags) == PAWL_OK);
  CHECK(!resolve("blah*m/bluh", &factor, &dim, diags));
  CHECK_INT(pawl_diags_errors(diags), 2);
  pawl_diags_clear(diags);
  CHECK(!resolve("km^200", &factor, &dim, diags));
  CHECK_INT(pawl_diags_errors(diags), 1);
  CHECK(!resolve("1/ym^20", &factor, &dim, diags));
  pawl_diags_free(diags);
}

static void printing_is_bounded(void) {
  pw_dim dim = {{0.5, -1.5, 2, -2, 3, -3, 1}};
  char out[64], small[6];
  pw_dim_print(&dim, out, sizeof out);
  CHECK_STR(out, "m^0.5*s^2*K^3*cd/kg^1.5/A^2/mol^3");
  for (size_t cap = 0; cap <= sizeof small; cap++) {
    pw_dim_print(&dim, small, cap);
    CHECK(cap == 0 || strlen(small) == cap - 1);
  }
}

/* What is printed reads back as the same dimension. */
static void printed_form_reads_back(void) {
  for (int code = 0; code < 5 * 5 * 5 * 5; code++) {
    pw_dim dim = {{code % 5 - 2, code / 5 % 5 - 2, code / 25 % 5 - 2, code / 125 - 2}};
    pw_dim back;
    char out[64];
    double factor;
    pw_dim_print(&dim, out, sizeof out);
    CHECK(resolve(out, &factor, &back, NULL));
    CHECK_SEED(pw_dim_equal(&dim, &back), code);
    CHECK_NEAR(factor, 1, 0);
  }
}

CHECK_MAIN({"si_names", si_names}, {"other_names", other_names},
           {"prefixes_and_exact_names", prefixes_and_exact_names},
           {"unknown_names_get_help", unknown_names_get_help},
           {"every_unknown_name_is_reported", every_unknown_name_is_reported},
           {"printing_is_bounded", printing_is_bounded},
           {"printed_form_reads_back", printed_form_reads_back})
