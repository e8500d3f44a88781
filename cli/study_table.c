// SPDX-License-Identifier: MIT
#include "study_table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void print_error(double error) {
  if (isnan(error)) {
    printf("  %10s", "-");
  } else {
    printf("  %10.2e", error);
  }
}

static void print_order(double order) {
  if (isnan(order)) {
    printf("  %10s", "");
  } else {
    printf("  %10.2f", order);
  }
}

static void print_row(const pawl_study_row *r) {
  if (isnan(r->value)) {
    printf("  %12s", "");
  } else {
    printf("  %12.6g", r->value);
  }
  printf("  %8" PRId64 "  %7" PRId64, r->steps, r->events);
  print_error(r->positions);
  print_error(r->velocities);
  print_error(r->end);
  printf("%s%s\n", r->why[0] == '\0' ? "" : "  ", r->why);
}

static void print_series(const pawl_study *s, int i) {
  pawl_study_series x = pawl_study_get(s, i);
  if (x.refused[0] != '\0') {
    printf("\n%s: not possible: %s\n", x.name, x.refused);
    return;
  }
  printf("\n%s\n  %12s  %8s  %7s  %10s  %10s  %10s\n", x.name, x.by, "steps", "events", "positions",
         "velocities", "end");
  for (int k = 0; k < x.rows; k++) {
    pawl_study_row r = pawl_study_row_get(s, i, k);
    print_row(&r);
  }
  if (!isnan(x.order_positions) || !isnan(x.order_velocities) || !isnan(x.order_end)) {
    printf("  %12s  %8s  %7s", "order", "", "");
    print_order(x.order_positions);
    print_order(x.order_velocities);
    print_order(x.order_end);
    putchar('\n');
  }
}

static void print_study(const pawl_study *s, const char *file) {
  printf("%s: errors against %s, which is known to %.0e\n", cli_model_name(file),
         pawl_study_against(s), pawl_study_floor(s));
  for (int i = 0; i < pawl_study_count(s); i++) {
    print_series(s, i);
  }
}

int study_span(const char *command, const char *text, pawl_study_opts *opts) {
  if (text == NULL) {
    return -1;
  }
  opts->use_span = 1;
  return cli_span(text, &opts->from, &opts->to)
             ? -1
             : cli_usage_error(command, "-t needs a time span such as 0..10, not `%s`", text);
}

int study_run(const cli_args *args, bool json, const char *file, const pawl_study_opts *opts,
              study_maker make, const void *payload) {
  pawl_diags *diags = cli_diags();
  pawl_model *model = NULL;
  pawl_study *study = NULL;
  int shown = 0, code = CLI_DONE;
  pawl_status status = cli_load(file, diags, &model);
  if (status == PAWL_OK) {
    status = make(model, payload, opts, diags, &study);
  }
  cli_show(diags, args, &shown);
  if (status != PAWL_OK) {
    code = json ? cli_errors_json(cli_model_name(file), diags) : CLI_DONE;
    code = code != CLI_DONE ? code : status == PAWL_E_STEP ? CLI_EARLY : cli_fail(status, diags);
  } else if (json) {
    code = cli_written(pawl_study_json(study, cli_to_stream, stdout));
  } else if (!args->quiet) {
    print_study(study, file);
  }
  pawl_study_free(study);
  pawl_model_free(model);
  pawl_diags_free(diags);
  return code;
}
