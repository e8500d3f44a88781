// SPDX-License-Identifier: MIT
/* Lists of events beside rows: a ball that falls from 0.2 with g = 10 hits the floor at t = 0.2
 * with the speed 2 and leaves it with 1, by an impulse of 3. Every way in which a list can be wrong
 * has its own sentence. */
#include "verify/check_events.h"

#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "pawl/pawl.h"

static const char text[] = "coordinates y\n"
                           "kinetic T = 1/2*y'^2\n"
                           "potential V = 10*y\n"
                           "constraint floor: y >= 0, restitution 0.5\n"
                           "event mark: y = 0.15\n"
                           "start y = 0.2\n"
                           "run 0..0.35\n";

#define HEAD "t,kind,at,cluster,impulse,before(y),before(y'),after(y),after(y')\n"
#define STATES "0,-2,0,1\n"
#define HIT "0.2,impact,floor,1,3," STATES
#define LINE                                                                     \
  "{\"t\":0.2,\"kind\":\"impact\",\"at\":\"floor\",\"cluster\":1,\"impulse\":3," \
  "\"before\":{\"y\":0,\"y'\":-2},\"after\":{\"y\":0,\"y'\":1},\"dE\":-1.5}\n"

static char folder[] = "/tmp/pawl-events-XXXXXX";

static const char *put(const char *name, const char *content) {
  static char path[2][80];
  static int turn;
  turn = !turn;
  snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
  FILE *f = fopen(path[turn], "w");
  if (f == NULL || fputs(content, f) < 0 || fclose(f) != 0) {
    exit(1);
  }
  return path[turn];
}

/* Rows every 0.005, two of them at the impact; `twice`: two at t = 0.1 as well. */
static void put_rows(char *path, size_t room, bool twice) {
  snprintf(path, room, "%s/rows.csv", folder);
  FILE *f = fopen(path, "w");
  if (f == NULL) {
    exit(1);
  }
  fputs("t,y,y'\n", f);
  for (int k = 0; k <= 70; k++) {
    double t = k * 0.005, s = t - 0.2;
    bool before = k <= 40;
    double y = before ? 0.2 - 5 * t * t : s - 5 * s * s, v = before ? -10 * t : 1 - 10 * s;
    y = k == 40 ? 0 : y;
    for (int i = 0; i < 1 + (twice && k == 20); i++) {
      fprintf(f, "%.17g,%.17g,%.17g\n", t, y, v);
    }
    if (k == 40) {
      fputs("0.20000000000000001,0,1\n", f);
    }
  }
  fclose(f);
}

typedef struct judged {
  pawl_verdict verdict;
  pawl_status status;
  char sentence[500], message[500];
} judged;

static judged judge(const char *events, const char *lines, bool twice) {
  judged out = {0};
  char rows[80];
  pawl_diags *diags = NULL;
  pawl_model *model = NULL;
  pawl_system *system = NULL;
  pawl_certifier *c = NULL;
  pawl_certify_opts opts = {.tol = 1e-6, .noise = 1e-9};
  opts.events = put("events.csv", events);
  opts.events_json = lines == NULL ? NULL : put("events.jsonl", lines);
  put_rows(rows, sizeof rows, twice);
  if (pawl_diags_new(&diags) != PAWL_OK ||
      pawl_model_parse(text, strlen(text), NULL, diags, &model) != PAWL_OK ||
      pawl_system_new(model, NULL, diags, &system) != PAWL_OK) {
    exit(1);
  }
  out.status = pawl_certify_file(system, rows, &opts, diags, &c);
  if (out.status == PAWL_OK) {
    pawl_certificate k = pawl_certify_get(c);
    out.verdict = k.verdict;
    snprintf(out.sentence, sizeof out.sentence, "%s", k.sentence);
  } else if (pawl_diags_count(diags) > 0) {
    const pawl_diag *d = pawl_diags_get(diags, pawl_diags_count(diags) - 1);
    snprintf(out.message, sizeof out.message, "%s %s", d->code, d->message);
  }
  pawl_certify_free(c);
  pawl_system_free(system);
  pawl_model_free(model);
  pawl_diags_free(diags);
  return out;
}

static void lists_that_are_right(void) {
  CHECK_INT(judge(HEAD HIT, NULL, false).verdict, PAWL_WEAK);
  CHECK_INT(judge(HEAD HIT, LINE, false).verdict, PAWL_WEAK);
  CHECK_INT(judge(HEAD "0.1,user,mark,1,,0.15,-1,0.15,-1\n0.2,impact,floor,2,3," STATES, NULL, true)
                .verdict,
            PAWL_WEAK);
}

/* `what` is said about the event in the second line. */
static void wrong(const char *event, const char *name, const char *what) {
  char list[600], sentence[500];
  snprintf(list, sizeof list, HEAD "%s", event);
  judged j = judge(list, NULL, true);
  snprintf(sentence, sizeof sentence,
           "at t = %.9g the list of events is wrong: line 2 of the events, %s: %s",
           strtod(event, NULL), name, what);
  CHECK_INT(j.verdict, PAWL_NOT_A_MOTION);
  CHECK_STR(j.sentence, sentence);
}

#define AT_TENTH "0.15,-1,0.15,-1\n"

static void places(void) {
  wrong("0.1,user,nowhere,1,," AT_TENTH, "`user` at `nowhere`",
        "the model has no event of this name");
  wrong("0.1,close,wall,1,," AT_TENTH, "`close` at `wall`", "the model has no law of this name");
  wrong("0.1,stick,floor,1,," AT_TENTH, "`stick` at `floor`",
        "this law has no events of this kind");
  wrong("0.1,impact,floor,1,," AT_TENTH, "`impact` at `floor`", "it lacks its impulse");
  wrong("0.1,close,floor,1,0.5," AT_TENTH, "`close` at `floor`",
        "events of this kind have no impulse");
  wrong("0.1,liftoff,floor,1,," AT_TENTH, "`liftoff` at `floor`",
        "the law is not at its limit there");
  wrong("0.1,user,mark,1,,0.15,-1,0.15,-1.01\n", "`user` at `mark`",
        "its states are not those of the rows");
}

static void wrong_hit(const char *list, const char *lines, const char *what) {
  char sentence[500];
  judged j = judge(list, lines, false);
  snprintf(sentence, sizeof sentence, "at t = 0.2 the list of events is wrong: %s", what);
  CHECK_INT(j.verdict, PAWL_NOT_A_MOTION);
  CHECK_STR(j.sentence, sentence);
}

static void impulses(void) {
  wrong_hit(HEAD "0.2,impact,floor,1,3.01," STATES, NULL,
            "line 2 of the events, `impact` at `floor`: the impulses of this instant do not make "
            "the jump of the rows");
  wrong_hit(HEAD HIT HIT, NULL,
            "line 3 of the events, `impact` at `floor`: it stands twice in the list");
  wrong_hit(HEAD "0.2,rest,floor,1,3," STATES, NULL,
            "line 2 of the events, `rest` at `floor`: the contact does not stay closed");
}

static void events_and_rows(void) {
  wrong_hit(HEAD, NULL, "the velocities jump at t = 0.2, where the list has no event");
  judged j = judge(HEAD HIT, NULL, true);
  CHECK_STR(j.sentence, "at t = 0.1 the list of events is wrong: there are two rows at t = 0.1, "
                        "where the list has no event");
  j = judge(HEAD "0.1,user,mark,1,," AT_TENTH HIT, NULL, false);
  CHECK_STR(j.sentence, "at t = 0.1 the list of events is wrong: line 2 of the events, `user` at "
                        "`mark`: the rows have no two sides of an instant at its time");
}

static void lines_of_json(void) {
  char note[300];
  static const char other[] =
      "{\"t\":0.2,\"kind\":\"impact\",\"at\":\"floor\",\"cluster\":1,\"impulse\":3.5,"
      "\"before\":{\"y\":0,\"y'\":-2},\"after\":{\"y\":0,\"y'\":1}}\n";
  wrong_hit(HEAD HIT, other,
            "line 2 of the events, `impact` at `floor`: the list in JSON tells something else");
  judged j = judge(HEAD HIT, LINE LINE, false);
  snprintf(note, sizeof note, "`%s/events.jsonl` has more lines than `%s/events.csv` has events",
           folder, folder);
  CHECK(strstr(j.sentence, note) != NULL);
  CHECK_INT(j.verdict, PAWL_NOT_A_MOTION);
  j = judge(HEAD HIT, "", false);
  snprintf(note, sizeof note, "`%s/events.jsonl` has fewer lines than `%s/events.csv` has events",
           folder, folder);
  CHECK(strstr(j.sentence, note) != NULL);
}

static void lists_that_are_none(void) {
  char message[300];
  judged j = judge("t,kind,at,impulse\n", NULL, false);
  snprintf(message, sizeof message, "E0621 `%s/events.csv` has no column `cluster`", folder);
  CHECK_INT(j.status, PAWL_E_FILE);
  CHECK_STR(j.message, message);
  j = judge(HEAD "0.2,impact,floor,one,3," STATES, NULL, false);
  snprintf(message, sizeof message, "E0622 line 2 of `%s/events.csv` is no event", folder);
  CHECK_STR(j.message, message);
}

int main(int argc, char **argv) {
  static const check_case cases[] = {{"lists that are right", lists_that_are_right},
                                     {"places", places},
                                     {"impulses", impulses},
                                     {"events and rows", events_and_rows},
                                     {"lines of JSON", lines_of_json},
                                     {"lists that are none", lists_that_are_none}};
  if (mkdtemp(folder) == NULL) {
    return 1;
  }
  int code = check_run(cases, sizeof cases / sizeof *cases, argc, argv);
  static const char *const files[] = {"rows.csv", "events.csv", "events.jsonl"};
  char path[80];
  for (int i = 0; i < 3; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, files[i]);
    (void)unlink(path);
  }
  return rmdir(folder) != 0 || code != 0;
}
