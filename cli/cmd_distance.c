// SPDX-License-Identifier: MIT
/* `pawl distance`: how far two motions are apart. */
#include <math.h>

#include "cli.h"
#include "pawl/traj.h"

static const char help[] =
    "usage: pawl distance DIR1 DIR2 [-t A..B] [--json]\n\n"
    "The largest differences of the motions in two results folders, coordinate by coordinate,\n"
    "and both norms of Leine and Aeberhard (10): the strong norm is the sum over the positions,\n"
    "the weak norm adds the velocities. Motions whose impacts come at slightly different times\n"
    "may be near to each other in the strong norm; in the weak one they are not.\n\n"
    "  -t, --time A..B   only this time span (default: the time covered by both motions)\n"
    "  --json            the result as one JSON object\n";

enum { SPAN, JSON, N_OPTIONS };
static const cli_option options[N_OPTIONS] = {{"time", 't', true}, {"json", 0, false}};

static int print(const pawl_distance *d, const cli_args *args) {
  if (args->value[JSON] != NULL) {
    return cli_written(pawl_distance_json(d, cli_to_stream, stdout));
  }
  printf("%-12s %14s %14s\n", "", "largest", "at t");
  for (int i = 0; i < pawl_distance_count(d); i++) {
    pawl_apart x = pawl_distance_get(d, i);
    printf("%-12s %14.6g %14.9g\n", x.name, x.most, x.t);
  }
  printf("strong norm  %14.6g\n", pawl_distance_norm(d, 0));
  printf("weak norm    %14.6g\n", pawl_distance_norm(d, 1));
  return CLI_DONE;
}

int cmd_distance(int argc, char **argv) {
  const cli_spec spec = {
      "distance", help, options, N_OPTIONS, 2, 2, "one of the two results folders", NULL};
  cli_args args = {0};
  double from = NAN, to = NAN;
  int code = cli_parse(&spec, argc, argv, &args), shown = 0;
  if (code >= 0) {
    return code;
  }
  if (args.value[SPAN] != NULL && !(cli_span(args.value[SPAN], &from, &to) && from < to)) {
    return cli_usage_error("distance", "-t needs a span as in `0..10`, not `%s`", args.value[SPAN]);
  }
  pawl_diags *diags = cli_diags();
  pawl_traj *motion[2] = {NULL, NULL};
  pawl_distance *distance = NULL;
  pawl_status status = pawl_traj_open(args.words[0], diags, &motion[0]);
  status = status == PAWL_OK ? pawl_traj_open(args.words[1], diags, &motion[1]) : status;
  if (status == PAWL_OK) {
    status = pawl_distance_new(motion[0], motion[1], from, to, diags, &distance);
  }
  cli_show(diags, &args, &shown);
  code = status == PAWL_OK ? print(distance, &args) : cli_fail(status, diags);
  pawl_distance_free(distance);
  pawl_traj_free(motion[0]);
  pawl_traj_free(motion[1]);
  pawl_diags_free(diags);
  return code;
}
