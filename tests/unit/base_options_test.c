// SPDX-License-Identifier: MIT
/* The table of options: every way to give an option ends in the same field. */
#include "base/option_table.h"

#include <limits.h>
#include <stdlib.h>

#include "check.h"

static pawl_status set(pawl_run_opts *o, const char *word, const char *text) {
  return pawl_option_set(pawl_option_find(word), text, o);
}

static void fields(void) {
  pawl_run_opts o = {0};
  CHECK_INT(set(&o, "tol", "1e-7"), PAWL_OK);
  CHECK_INT(set(&o, "every", ".25"), PAWL_OK);
  CHECK_INT(set(&o, "step", "3"), PAWL_OK);
  CHECK_INT(set(&o, "max-seconds", "1e3"), PAWL_OK);
  CHECK_INT(set(&o, "max-steps", "12"), PAWL_OK);
  CHECK_INT(set(&o, "max-events", "1e6"), PAWL_OK);
  CHECK_NEAR(o.sim.tol, 1e-7, 0);
  CHECK_NEAR(o.every, 0.25, 0);
  CHECK_NEAR(o.sim.max_step, 3, 0);
  CHECK_NEAR(o.max_seconds, 1000, 0);
  CHECK_INT(o.sim.max_steps, 12);
  CHECK_INT(o.sim.max_events, 1000000);
}

static void choices(void) {
  static const struct {
    const char *word, *text;
    int value;
  } all[] = {{"method", "event", PAWL_METHOD_AUTO},
             {"method", "dp5", PAWL_METHOD_DP5},
             {"method", "dop853", PAWL_METHOD_DOP853},
             {"method", "moreau", PAWL_METHOD_MOREAU},
             {"method", "variational", PAWL_METHOD_VARIATIONAL},
             {"method", "auto", PAWL_METHOD_BY_SIZE},
             {"method", "radau", PAWL_METHOD_RADAU},
             {"impacts", "simultaneous", PAWL_IMPACTS_SIMULTANEOUS},
             {"impacts", "sequential", PAWL_IMPACTS_SEQUENTIAL},
             {"energy-gain", "allow", PAWL_GAIN_ALLOW},
             {"energy-gain", "stop", PAWL_GAIN_STOP},
             {"paradox", "strict", PAWL_PARADOX_STRICT},
             {"paradox", "iwc", PAWL_PARADOX_IWC},
             {"paradox", "enumerate", PAWL_PARADOX_ENUMERATE},
             {"start-impact", "allow", 1},
             {"restitution-above-one", "allow", 1}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    pawl_run_opts o = {0}, stated = {0};
    CHECK_INT(set(&o, all[i].word, all[i].text), PAWL_OK);
    pw_option_state(&stated, all[i].word, all[i].text, 0);
    int sum = (int)o.sim.method + (int)o.sim.impacts + (int)o.sim.energy_gain + (int)o.sim.paradox +
              o.sim.start_impact + o.sim.restitution_above_one;
    CHECK_INT(sum, all[i].value);
    CHECK_STR(pw_option_chosen(&o, all[i].word), all[i].text);
    CHECK_STR(pw_option_chosen(&stated, all[i].word), all[i].text);
    CHECK_INT(o.use_method, strcmp(all[i].word, "method") == 0);
  }
  for (int i = 0; pawl_method_name((pawl_method)i) != NULL; i++) {
    bool fixed = i == PAWL_METHOD_MOREAU || i == PAWL_METHOD_VARIATIONAL;
    CHECK_INT(pawl_method_is_fixed((pawl_method)i), fixed);
  }
}

/* What is given counts before the run statement. */
static void precedence(void) {
  pawl_run_opts o = {.sim = {.tol = 1e-6, .impacts = PAWL_IMPACTS_SIMULTANEOUS}};
  pw_option_state(&o, "tol", NULL, 1e-3);
  pw_option_state(&o, "impacts", "sequential", 0);
  pw_option_state(&o, "every", NULL, 0.5);
  CHECK_NEAR(o.sim.tol, 1e-6, 0);
  CHECK_INT(o.sim.impacts, PAWL_IMPACTS_SIMULTANEOUS);
  CHECK_NEAR(o.every, 0.5, 0);
  CHECK_INT(set(&o, "method", "event"), PAWL_OK); /* also the default, if it is given */
  pw_option_state(&o, "method", "moreau", 0);
  CHECK_INT(o.sim.method, PAWL_METHOD_AUTO);
  pw_option_state(&o, "nonesuch", "moreau", 7);
  pw_options_default(&o);
  CHECK_INT(o.sim.energy_gain, PAWL_GAIN_ALLOW);
  CHECK_INT(o.sim.paradox, PAWL_PARADOX_STRICT);
  CHECK_INT(o.sim.start_impact, 0);
  pawl_run_opts none = {0};
  pw_options_default(&none);
  CHECK_NEAR(none.sim.tol, 1e-9, 0);
}

static void wrong_texts(void) {
  static const char *const numbers[] = {"", "0", "-1", "nan", "inf", "1x", " 1", "one"};
  static const char *const counts[] = {"1.5", "0", "-3", "1e16", "x", ""};
  static const char *const words[] = {"", "Event", "event ", "eve", "1", "nonesuch"};
  const pawl_option *o;
  for (int i = 0; (o = pawl_option_get(i)) != NULL; i++) {
    bool number = o->type == PAWL_OPTION_NUMBER, count = o->type == PAWL_OPTION_COUNT;
    const char *const *texts = number ? numbers : count ? counts : words;
    size_t n = number ? 8 : 6;
    for (size_t k = 0; k < n; k++) {
      pawl_run_opts opts = {0}, before = {0};
      CHECK_INT(pawl_option_set(o, texts[k], &opts), PAWL_E_ARGUMENT);
      CHECK(memcmp(&opts, &before, sizeof opts) == 0);
    }
  }
  pawl_run_opts opts = {0};
  CHECK_INT(set(&opts, "tol", "0.5"), PAWL_E_ARGUMENT);
  CHECK_INT(set(&opts, "tol", "1e-15"), PAWL_E_ARGUMENT);
}

static void wrong_fields(void) {
  static const struct {
    pawl_run_opts opts;
    const char *word;
  } all[] = {{{.sim = {.tol = -1}}, "tol"},
             {{.sim = {.tol = NAN}}, "tol"},
             {{.sim = {.tol = 0.5}}, "tol"},
             {{.every = INFINITY}, "every"},
             {{.every = -2}, "every"},
             {{.max_seconds = NAN}, "max-seconds"},
             {{.sim = {.max_steps = -1}}, "max-steps"},
             {{.sim = {.max_events = LONG_MIN}}, "max-events"},
             {{.sim = {.method = (pawl_method)7}}, "method"},
             {{.sim = {.impacts = (pawl_impacts)3}}, "impacts"},
             {{.sim = {.energy_gain = (pawl_gain)77}}, "energy-gain"},
             {{.sim = {.paradox = (pawl_paradox)-1}}, "paradox"},
             {{.sim = {.start_impact = 2}}, "start-impact"}};
  double value = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const pawl_option *o = pw_options_wrong(&all[i].opts, &value);
    CHECK_STR(o == NULL ? NULL : o->word, all[i].word);
  }
  pawl_run_opts large = {.sim = {.max_steps = LONG_MAX}};
  CHECK(pw_options_wrong(&large, &value) == NULL);
}

static void legal(void) {
  char text[160];
  pawl_option_legal(pawl_option_find("tol"), text, sizeof text);
  CHECK_STR(text, "a number between 1e-14 and 1e-2");
  pawl_option_legal(pawl_option_find("every"), text, sizeof text);
  CHECK_STR(text, "a number above 0");
  pawl_option_legal(pawl_option_find("paradox"), text, sizeof text);
  CHECK_STR(text, "`strict`, `iwc` or `enumerate`");
  pawl_option_legal(pawl_option_find("paradox"), text, 8);
  CHECK_STR(text, "`strict");
  pawl_option_legal(pawl_option_find("max-steps"), text, sizeof text);
  CHECK_STR(text, "a whole number from 1 on");
}

CHECK_MAIN({"fields", fields}, {"choices", choices}, {"precedence", precedence},
           {"wrong_texts", wrong_texts}, {"wrong_fields", wrong_fields}, {"legal", legal})
