// SPDX-License-Identifier: MIT
#include "run_option.h"

#include <math.h>
#include <string.h>

static const double most_time = 1e100; /* beyond it squares of times overflow */

int run_option_span(const char *command, const char *text, pawl_sim_opts *sim) {
  if (!cli_span(text, &sim->from, &sim->to)) {
    return cli_usage_error(command,
                           "-t needs a span of two plain numbers such as 0..6.28, not `%s`", text);
  }
  if (!(sim->from < sim->to)) {
    return cli_usage_error(command,
                           sim->from > sim->to ? "the span %s does not go forward in time"
                                               : "the span %s has no length",
                           text);
  }
  if (fmax(fabs(sim->from), fabs(sim->to)) > most_time) {
    return cli_usage_error(command, "times of a span go up to 1e100, not `%s`", text);
  }
  sim->use_span = 1;
  return -1;
}

int run_option_set(const char *command, const pawl_option *option, const char *text,
                   pawl_run_opts *opts) {
  bool certify = strcmp(option->word, "certify") == 0;
  char legal[160];
  if (text == NULL || option->type == PAWL_OPTION_TEXT || option->type == PAWL_OPTION_FLAG) {
    return -1;
  }
  if (certify && (strcmp(text, "on") == 0 || strcmp(text, "off") == 0)) {
    opts->no_certificate = strcmp(text, "off") == 0;
    return -1;
  }
  if (!certify && pawl_option_set(option, text, opts) == PAWL_OK) {
    return -1;
  }
  pawl_option_legal(option, legal, sizeof legal);
  return cli_usage_error(command, "--%s needs %s, not `%s`", option->word, legal, text);
}
