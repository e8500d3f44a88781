// SPDX-License-Identifier: MIT
#include "fmu/describe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pawl/version.h"

/* ---- text ---- */

static void put_escaped(pw_buf *out, const char *text) {
  for (; *text != '\0'; text++) {
    unsigned char c = (unsigned char)*text;
    switch (c) {
    case '&': pw_buf_puts(out, "&amp;"); break;
    case '<': pw_buf_puts(out, "&lt;"); break;
    case '>': pw_buf_puts(out, "&gt;"); break;
    case '"': pw_buf_puts(out, "&quot;"); break;
    default: pw_buf_add(out, c < ' ' ? " " : text, 1);
    }
  }
}

static void put_attribute(pw_buf *out, const char *name, const char *text) {
  pw_buf_printf(out, " %s=\"", name);
  put_escaped(out, text);
  pw_buf_puts(out, "\"");
}

static void put_number(pw_buf *out, const char *name, double x) {
  pw_buf_printf(out, " %s=\"", name);
  pw_buf_real(out, x);
  pw_buf_puts(out, "\"");
}

/* ---- variables ---- */

static const char *unit_of(const pawl_system *s, pawl_fmu_variable v) {
  switch (v.kind) {
  case PAWL_FMU_TIME: return "s";
  case PAWL_FMU_PARAMETER: return pawl_parameter_get(s, v.index).unit;
  case PAWL_FMU_POSITION: return pawl_position_unit(s, v.index);
  case PAWL_FMU_VELOCITY: return pawl_velocity_unit(s, v.index);
  case PAWL_FMU_FORCE: return pawl_law_get(s, v.index).unit;
  case PAWL_FMU_OUTPUT: return pawl_output_unit(s, v.index);
  case PAWL_FMU_INPUT: return pawl_position_unit(s, pawl_input_position(s, v.index));
  default: return NULL;
  }
}

static void put_name(pw_buf *out, const pawl_system *s, pawl_fmu_variable v) {
  pawl_law_info law;
  switch (v.kind) {
  case PAWL_FMU_TIME: pw_buf_puts(out, "time"); break;
  case PAWL_FMU_PARAMETER: put_escaped(out, pawl_parameter_get(s, v.index).name); break;
  case PAWL_FMU_POSITION: put_escaped(out, pawl_position_name(s, v.index)); break;
  case PAWL_FMU_VELOCITY: put_escaped(out, pawl_velocity_name(s, v.index)); break;
  case PAWL_FMU_FORCE:
    law = pawl_law_get(s, v.index);
    pw_buf_puts(out, "force(");
    put_escaped(out, law.column);
    pw_buf_puts(out, ")");
    if (law.components > 1) {
      pw_buf_printf(out, "[%d]", law.component);
    }
    break;
  case PAWL_FMU_OUTPUT: put_escaped(out, pawl_output_name(s, v.index)); break;
  case PAWL_FMU_INPUT: put_escaped(out, pawl_input_name(s, v.index)); break;
  case PAWL_FMU_KINETIC: pw_buf_puts(out, "energy.kinetic"); break;
  case PAWL_FMU_POTENTIAL: pw_buf_puts(out, "energy.potential"); break;
  default: pw_buf_puts(out, "energy.lost");
  }
}

static const char *about(pawl_fmu_kind kind) {
  switch (kind) {
  case PAWL_FMU_TIME: return "time";
  case PAWL_FMU_PARAMETER: return "parameter";
  case PAWL_FMU_POSITION: return "position";
  case PAWL_FMU_VELOCITY: return "velocity";
  case PAWL_FMU_FORCE: return "force of a law";
  case PAWL_FMU_OUTPUT: return "output";
  case PAWL_FMU_INPUT: return "input";
  case PAWL_FMU_KINETIC: return "kinetic energy";
  case PAWL_FMU_POTENTIAL: return "potential energy";
  default: return "energy lost for good";
  }
}

static bool is_output(pawl_fmu_kind kind) {
  return kind == PAWL_FMU_POSITION || kind == PAWL_FMU_VELOCITY || kind == PAWL_FMU_FORCE ||
         kind == PAWL_FMU_OUTPUT;
}

static void put_roles(pw_buf *out, int version, pawl_fmu_kind kind) {
  bool parameter = kind == PAWL_FMU_PARAMETER, input = kind == PAWL_FMU_INPUT;
  put_attribute(out, "causality",
                kind == PAWL_FMU_TIME ? "independent"
                : parameter           ? "parameter"
                : input               ? "input"
                : is_output(kind)     ? "output"
                                      : "local");
  put_attribute(out, "variability", parameter ? "fixed" : "continuous");
  if (parameter) {
    put_attribute(out, "initial", "exact");
  } else if (kind != PAWL_FMU_TIME && !input) {
    put_attribute(out, "initial", "calculated");
  }
  if (version == 3 && (input || is_output(kind))) {
    put_attribute(out, "intermediateUpdate", "true");
  }
}

/* Unit, range and start value. */
static void put_value(pw_buf *out, const pawl_system *s, pawl_fmu_variable v) {
  const char *unit = unit_of(s, v);
  if (unit != NULL) {
    put_attribute(out, "unit", unit);
  }
  if (v.kind == PAWL_FMU_PARAMETER) {
    pawl_parameter_info p = pawl_parameter_get(s, v.index);
    if (p.lo <= p.hi && isfinite(p.lo) && isfinite(p.hi)) {
      put_number(out, "min", p.lo);
      put_number(out, "max", p.hi);
    }
    put_number(out, "start", p.value);
  } else if (v.kind == PAWL_FMU_INPUT) {
    put_number(out, "start", pawl_input_start(s, v.index));
  }
}

static void put_variable(pw_buf *out, const pw_fmu *x, int reference) {
  pawl_fmu_variable v = pawl_fmu_variable_get(x->system, reference);
  pw_buf_puts(out, x->version == 3 ? "    <Float64 name=\"" : "    <ScalarVariable name=\"");
  put_name(out, x->system, v);
  pw_buf_printf(out, "\" valueReference=\"%d\"", reference);
  put_attribute(out, "description", about(v.kind));
  put_roles(out, x->version, v.kind);
  if (x->version == 2) {
    pw_buf_puts(out, "><Real");
  }
  put_value(out, x->system, v);
  pw_buf_puts(out, x->version == 3 ? "/>\n" : "/></ScalarVariable>\n");
}

/* ---- units ---- */

enum { BASES = 8, DERIVED = 4 };
static const char *const bases[BASES] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
static const struct {
  const char *name;
  int exponent[3]; /* of kg, m, s */
} derived[DERIVED] = {{"N", {1, 1, -2}}, {"J", {1, 2, -2}}, {"W", {1, 2, -3}}, {"Hz", {0, 0, -1}}};

/* Adds a power of the unit whose name has this number of letters. False: there is none. */
static bool add_power(const char *name, size_t len, int power, int exponent[BASES]) {
  for (int k = 0; k < BASES; k++) {
    if (strlen(bases[k]) == len && strncmp(bases[k], name, len) == 0) {
      exponent[k] += power;
      return true;
    }
  }
  for (int k = 0; k < DERIVED; k++) {
    if (strlen(derived[k].name) == len && strncmp(derived[k].name, name, len) == 0) {
      for (int i = 0; i < 3; i++) {
        exponent[i] += power * derived[k].exponent[i];
      }
      return true;
    }
  }
  return false;
}

/* Exponents of "kg*m^2/s^3". False: an unknown unit, or a power that is not an integer. */
static bool read_unit(const char *unit, int exponent[BASES]) {
  int sign = 1;
  memset(exponent, 0, BASES * sizeof *exponent);
  if (strcmp(unit, "1") == 0) {
    return true;
  }
  for (const char *at = unit; *at != '\0';) {
    size_t len = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    const char *name = at;
    int power = 1;
    at += len;
    if (len > 0 && *at == '^') {
      char *end;
      power = (int)strtol(at + 1, &end, 10);
      at = end;
    } else if (len == 0 && *at == '1') { /* "1/s" */
      at++;
      power = 0;
    }
    bool known = power == 0 || add_power(name, len, sign * power, exponent);
    if (!known || (*at != '\0' && *at != '*' && *at != '/')) {
      return false;
    }
    sign = *at == '/' ? -1 : 1;
    at += *at != '\0';
  }
  return true;
}

static bool is_first(const pw_fmu *x, int reference, const char *unit) {
  for (int i = 0; i < reference; i++) {
    const char *other = unit_of(x->system, pawl_fmu_variable_get(x->system, i));
    if (other != NULL && strcmp(other, unit) == 0) {
      return false;
    }
  }
  return true;
}

static void put_unit(pw_buf *out, const char *unit) {
  int exponent[BASES];
  pw_buf_puts(out, "    <Unit");
  put_attribute(out, "name", unit);
  pw_buf_puts(out, ">");
  if (read_unit(unit, exponent)) {
    pw_buf_puts(out, "<BaseUnit");
    for (int k = 0; k < BASES; k++) {
      if (exponent[k] != 0) {
        pw_buf_printf(out, " %s=\"%d\"", bases[k], exponent[k]);
      }
    }
    pw_buf_puts(out, "/>");
  }
  pw_buf_puts(out, "</Unit>\n");
}

static void put_units(pw_buf *out, const pw_fmu *x) {
  pw_buf_puts(out, "  <UnitDefinitions>\n");
  for (int i = 0; i < pawl_fmu_variables(x->system); i++) {
    const char *unit = unit_of(x->system, pawl_fmu_variable_get(x->system, i));
    if (unit != NULL && is_first(x, i, unit)) {
      put_unit(out, unit);
    }
  }
  pw_buf_puts(out, "  </UnitDefinitions>\n");
}

/* ---- the whole ---- */

static void put_interface(pw_buf *out, const pw_fmu *x) {
  pw_buf_printf(out, "  <CoSimulation modelIdentifier=\"%s\"", x->identifier);
  if (x->version == 3) {
    pw_buf_puts(out, " canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\""
                     " canHandleVariableCommunicationStepSize=\"true\""
                     " providesIntermediateUpdate=\"true\" mightReturnEarlyFromDoStep=\"true\""
                     " canReturnEarlyAfterIntermediateUpdate=\"true\" hasEventMode=\"true\""
                     " providesDirectionalDerivatives=\"true\"/>\n");
    return;
  }
  pw_buf_puts(out, " canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\""
                   " canHandleVariableCommunicationStepSize=\"true\""
                   " providesDirectionalDerivative=\"true\">\n    <SourceFiles>\n");
  for (int i = 0; i < x->n_source; i++) {
    pw_buf_printf(out, "      <File name=\"%s\"/>\n", x->sources[i]);
  }
  pw_buf_puts(out, "    </SourceFiles>\n  </CoSimulation>\n");
}

/* In version 2 variables are named by their place, from 1. */
static void put_structure(pw_buf *out, const pw_fmu *x) {
  static const char *const list[] = {"Outputs", "InitialUnknowns"};
  int n = pawl_fmu_variables(x->system);
  pw_buf_puts(out, "  <ModelStructure>\n");
  for (int part = 0; part < 2; part++) {
    if (x->version == 2) {
      pw_buf_printf(out, "    <%s>\n", list[part]);
    }
    for (int i = 0; i < n; i++) {
      pawl_fmu_kind kind = pawl_fmu_variable_get(x->system, i).kind;
      if (!is_output(kind)) {
        continue;
      }
      if (x->version == 3) {
        pw_buf_printf(out, "    <%s valueReference=\"%d\"/>\n",
                      part == 0 ? "Output" : "InitialUnknown", i);
      } else {
        pw_buf_printf(out, "      <Unknown index=\"%d\"/>\n", i + 1);
      }
    }
    if (x->version == 2) {
      pw_buf_printf(out, "    </%s>\n", list[part]);
    }
  }
  pw_buf_puts(out, "  </ModelStructure>\n");
}

static void put_experiment(pw_buf *out, const pawl_system *s) {
  double from, to;
  if (pawl_run_span(s, &from, &to)) {
    pw_buf_puts(out, "  <DefaultExperiment");
    put_number(out, "startTime", from);
    put_number(out, "stopTime", to);
    pw_buf_puts(out, "/>\n");
  }
}

void pw_fmu_describe(pw_buf *out, const pw_fmu *x) {
  const char *title = pawl_system_title(x->system);
  pw_buf_printf(out,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription "
                "fmiVersion=\"%s\"",
                x->version == 3 ? "3.0" : "2.0");
  put_attribute(out, "modelName", title == NULL ? x->identifier : title);
  pw_buf_printf(out, " %s=\"{pawl-%016llx}\"", x->version == 3 ? "instantiationToken" : "guid",
                x->token);
  put_attribute(out, "generationTool", "Pawl " PAWL_VERSION);
  pw_buf_puts(out, x->version == 3 ? ">\n" : " numberOfEventIndicators=\"0\">\n");
  put_interface(out, x);
  put_units(out, x);
  pw_buf_puts(out, "  <LogCategories>\n"
                   "    <Category name=\"logStatusError\" description=\"why a call has failed\"/>\n"
                   "    <Category name=\"logStatusWarning\"/>\n  </LogCategories>\n");
  put_experiment(out, x->system);
  pw_buf_puts(out, "  <ModelVariables>\n");
  for (int i = 0; i < pawl_fmu_variables(x->system); i++) {
    put_variable(out, x, i);
  }
  pw_buf_puts(out, "  </ModelVariables>\n");
  put_structure(out, x);
  pw_buf_puts(out, "</fmiModelDescription>\n");
}

void pw_fmu_describe_build(pw_buf *out, const pw_fmu *x) {
  pw_buf_printf(out,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<fmiBuildDescription fmiVersion=\"3.0\">\n"
                "  <BuildConfiguration modelIdentifier=\"%s\">\n"
                "    <SourceFileSet language=\"C17\">\n",
                x->identifier);
  for (int i = 0; i < x->n_source; i++) {
    pw_buf_printf(out, "      <SourceFile name=\"%s\"/>\n", x->sources[i]);
  }
  pw_buf_puts(out, "      <IncludeDirectory name=\".\"/>\n"
                   "      <IncludeDirectory name=\"include\"/>\n    </SourceFileSet>\n"
                   "    <Library name=\"m\" external=\"true\"/>\n"
                   "  </BuildConfiguration>\n</fmiBuildDescription>\n");
}
