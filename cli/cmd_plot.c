// SPDX-License-Identifier: MIT
/* `pawl plot`: curves over a motion, as a file or in the terminal. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli.h"

static const char help[] =
    "usage: pawl plot DIR [\"EXPR, EXPR [vs EXPR]\" ...] [-o F.svg|F.png] [-t A..B]\n\n"
    "Plots a motion that `pawl run` has written to DIR. Each argument is a panel; its expressions\n"
    "are those of the model language: `x'`, `energy.total`, `force(floor)`, `x' vs x`. Without\n"
    "one the `plot` lines of the model are shown, or its coordinates.\n\n"
    "  -o, --output F   write a file, its kind by its name: .svg or .png; else the plot is text\n"
    "  -t, --time A..B  only this span of time\n";

enum { OUTPUT, TIME, N_OPTIONS };
static const cli_option options[N_OPTIONS] = {{"output", 'o', true}, {"time", 't', true}};

typedef pawl_status (*writer)(const pawl_figure *figure, pawl_sink sink, void *payload);

/* NULL: neither. */
static writer writer_for(const char *path) {
  size_t n = strlen(path);
  const char *ending = n > 4 ? path + n - 4 : "";
  return strcasecmp(ending, ".svg") == 0   ? pawl_figure_svg
         : strcasecmp(ending, ".png") == 0 ? pawl_figure_png
                                           : NULL;
}

static int terminal_columns(void) {
  struct winsize size;
  const char *columns = getenv("COLUMNS");
  int64_t n = 0;
  if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return size.ws_col;
  }
  return columns != NULL && cli_count(columns, &n) && n < 1000 ? (int)n : 80;
}

static int write_file(const pawl_figure *figure, const char *path, bool quiet) {
  cli_file file;
  if (!cli_file_begin(&file, path)) {
    return CLI_FILE;
  }
  pawl_status status = writer_for(path)(figure, cli_to_stream, file.stream);
  if (!cli_file_end(&file, status)) {
    return CLI_FILE;
  }
  if (!quiet) {
    int n = pawl_figure_curves(figure);
    printf("wrote        %s  (%d curve%s)\n", path, n, n == 1 ? "" : "s");
  }
  return CLI_DONE;
}

/* A curve that has no point is told about: its panel may be empty. */
static void tell_empty(const pawl_figure *figure) {
  for (int i = 0; i < pawl_figure_curves(figure); i++) {
    pawl_curve c = pawl_figure_curve(figure, i);
    int64_t k = 0;
    while (k < c.n && !(isfinite(c.xs[k]) && isfinite(c.ys[k]))) {
      k++;
    }
    if (k == c.n) {
      fprintf(stderr, "warning: `%s` has no finite value here\n", c.y);
    }
  }
}

static int show(const pawl_figure *figure, const cli_args *args) {
  return args->value[OUTPUT] != NULL
             ? write_file(figure, args->value[OUTPUT], args->quiet)
             : cli_written(pawl_figure_text(figure, terminal_columns(), args->color_out,
                                            cli_to_stream, stdout));
}

static int plot(const cli_args *args, const pawl_figure_opts *opts) {
  pawl_diags *diags = cli_diags();
  pawl_figure *figure = NULL;
  pawl_status status = pawl_figure_new(args->words[0], opts, diags, &figure);
  int shown = 0, code;
  if (status == PAWL_OK) {
    if (!args->quiet) {
      tell_empty(figure);
    }
    code = show(figure, args);
  } else {
    cli_args errors = *args;
    errors.quiet = true; /* warnings of the model were told by its run */
    cli_show(diags, &errors, &shown);
    code = cli_fail(status, diags);
  }
  pawl_figure_free(figure);
  pawl_diags_free(diags);
  return code;
}

int cmd_plot(int argc, char **argv) {
  const cli_spec spec = {"plot", help, options, N_OPTIONS, 1, -1, "the results folder DIR", NULL};
  cli_args args;
  int code = cli_parse_formulas(&spec, argc, argv, &args);
  if (code >= 0) {
    return code;
  }
  const char *output = args.value[OUTPUT], *span = args.value[TIME];
  pawl_figure_opts opts = {.plots = (const char *const *)(args.words + 1),
                           .n_plot = args.n_word - 1};
  if (output != NULL && writer_for(output) == NULL) {
    return cli_usage_error("plot", "-o needs a name that ends with .svg or .png, not `%s`", output);
  }
  if (span != NULL) {
    opts.use_span = 1;
    if (!cli_span(span, &opts.from, &opts.to) || !(opts.from < opts.to)) {
      return cli_usage_error("plot", "-t needs a span such as 0..2.5, not `%s`", span);
    }
  }
  return plot(&args, &opts);
}
