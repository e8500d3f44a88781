// SPDX-License-Identifier: MIT
/* The program from its start to its end: what a small run costs besides the motion, and what an
 * event costs in all. Each run is a process of its own, whose processor time is counted. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

enum { ROUNDS = 40, WORDS = 12, EVENTS = 100000 };

static double seconds(struct timeval t) {
  return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static double children(void) {
  struct rusage use;
  getrusage(RUSAGE_CHILDREN, &use);
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

static void call(const char *const *words) {
  int status = 1;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    int quiet = open("/dev/null", O_WRONLY);
    char *argv[WORDS + 1];
    int n = 0;
    while (words[n] != NULL && n < WORDS) {
      argv[n] = strdup(words[n]);
      n++;
    }
    argv[n] = NULL;
    dup2(quiet, 1);
    dup2(quiet, 2);
    execv(argv[0], argv);
    _exit(127);
  }
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
    bench_die("%s %s does not run", words[0], words[1]);
  }
}

/* Least processor time of a call. */
static double cost(const char *const *words, int rounds) {
  double least = 1e9;
  for (int i = 0; i < rounds; i++) {
    double before = children();
    call(words);
    double took = children() - before;
    least = took < least ? took : least;
  }
  return least;
}

static double row(bench_table *t, const char *what, const char *const *words) {
  double took = cost(words, ROUNDS);
  bench_cell(t, "%s", what);
  bench_cell(t, "%.2f", took * 1e3);
  return took;
}

int main(int argc, char **argv) {
  static const char *const heads[] = {"command", "ms"};
  static const char *const event_heads[] = {"run of 10^5 impacts", "us/event"};
  static const char pawl[] = BENCH_PAWL, model[] = BENCH_MODELS "/../../examples/pendulum.pawl";
  static const char ball[] = BENCH_MODELS "/ball.pawl";
  static bench_table table, events;
  char dir[1024], span[64];
  bench_init(argc, argv);
  snprintf(dir, sizeof dir, "%s/start.out", argv[1]);
  snprintf(span, sizeof span, "0..%.9g", EVENTS * 0.90304466); /* 2 sqrt(2/g) between impacts */
  printf("## Start and end of a run\n\n"
         "Processor time of whole processes, least of %d: `examples/pendulum.pawl`, 10 s at 1e-11, "
         "and\n"
         "an elastic ball with 10^5 impacts (once each).\n\n",
         ROUNDS);
  bench_table_begin(&table, "start", 2, heads);
  (void)row(&table, "pawl --version", (const char *const[]){pawl, "--version", NULL});
  double all = row(&table, "pawl run, all files and the certificate",
                   (const char *const[]){pawl, "run", model, "--force", "-o", dir, NULL});
  (void)row(&table, "the same without report.html",
            (const char *const[]){pawl, "run", model, "--force", "--no-report", "-o", dir, NULL});
  double bare = row(&table, "the same without files",
                    (const char *const[]){pawl, "run", model, "--no-save", NULL});
  bench_table_end(&table);
  bench_table_begin(&events, "start-events", 2, event_heads);
  double each = cost((const char *const[]){pawl, "run", ball, "e=1", "-t", span, "--force", "-o",
                                           dir, "--no-report", NULL},
                     1) /
                EVENTS;
  bench_cell(&events, "all files and the certificate");
  bench_cell(&events, "%.2f", each * 1e6);
  double motion = cost((const char *const[]){pawl, "run", ball, "e=1", "-t", span, "--no-save",
                                             "--certify", "off", NULL},
                       1) /
                  EVENTS;
  bench_cell(&events, "without files and certificate");
  bench_cell(&events, "%.2f", motion * 1e6);
  bench_table_end(&events);
  bench_target("pawl run of the pendulum example in all", all * 1e3, 3, "ms");
  bench_target("pawl run of the pendulum example, no files", bare * 1e3, 3, "ms");
  bench_target("many events: each, in all", each * 1e6, 6, "us");
  return 0;
}
