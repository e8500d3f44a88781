// SPDX-License-Identifier: MIT
/* Misuse of the public functions: NULL, indices out of range, calls in the wrong order, objects
 * whose parents were freed. Each has a defined result and touches no foreign memory (the sanitizer
 * build of this test looks at that). scripts/check-misuse sees that no function is left out. */
#include <limits.h>
#include <pawl/pawl.h>
#include <stdlib.h>

#include "check.h"

static const int wrong[] = {-1, INT_MIN, 1000, INT_MAX};
enum { N_WRONG = sizeof wrong / sizeof *wrong };
#define FOR_WRONG(i) for (int n_ = 0, i = wrong[0]; n_ < N_WRONG; n_++, i = wrong[n_ % N_WRONG])

/* A ball above a rough floor: contact, friction, output, event, expectation. */
static const char ball[] = "parameter g = 9.81\n"
                           "coordinates x, y\n"
                           "kinetic T = 1/2*(x'^2 + y'^2)\n"
                           "potential V = g*y\n"
                           "constraint floor: y >= 0, restitution 0.5\n"
                           "friction rub: slip x', mu 0.3 on floor\n"
                           "start y = 1, x' = 1\n"
                           "output h = y\n"
                           "plot y vs x\n"
                           "draw point (x, y)\n"
                           "event tick: every 0.1\n"
                           "run 0..0.6, every 0.05\n"
                           "expect y = 0 +- 10\n";

typedef struct fixture {
  pawl_diags *diags;
  pawl_model *model;
  pawl_system *system;
} fixture;

static fixture make_with(const char *text, const pawl_system_opts *opts) {
  fixture f = {0};
  CHECK_INT(pawl_diags_new(&f.diags), PAWL_OK);
  CHECK_INT(pawl_model_parse(text, strlen(text), NULL, f.diags, &f.model), PAWL_OK);
  CHECK_INT(pawl_system_new(f.model, opts, f.diags, &f.system), PAWL_OK);
  return f;
}

static fixture make(void) {
  return make_with(ball, NULL);
}

static void unmake(fixture *f) {
  pawl_system_free(f->system);
  pawl_model_free(f->model);
  pawl_diags_free(f->diags);
}

static int swallow(void *payload, const char *bytes, unsigned long count) {
  (void)payload;
  (void)bytes;
  (void)count;
  return 0;
}

static int refuse(void *payload, const char *bytes, unsigned long count) {
  (void)swallow(payload, bytes, count);
  return 1;
}

/* ---- diagnostics and texts ---- */

static void diags(void) {
  CHECK_INT(pawl_diags_new(NULL), PAWL_E_ARGUMENT);
  pawl_diags_free(NULL);
  pawl_diags_clear(NULL);
  CHECK_INT(pawl_diags_count(NULL), 0);
  CHECK_INT(pawl_diags_errors(NULL), 0);
  CHECK_INT(pawl_diags_dropped(NULL), 0);
  CHECK(pawl_diags_get(NULL, 0) == NULL);
  pawl_diags *list = NULL;
  CHECK_INT(pawl_diags_new(&list), PAWL_OK);
  CHECK(pawl_diags_get(list, 0) == NULL);
  FOR_WRONG(i) {
    CHECK(pawl_diags_get(list, i) == NULL);
  }
  pawl_diags_free(list);
}

static void diag_write(void) {
  const char *lines[] = {"do this"};
  pawl_diag d = {.code = "E0101", .message = "wrong"};
  CHECK_INT(pawl_diag_write(NULL, 0, swallow, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_diag_write(&d, 0, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_diag_write(&(pawl_diag){0}, 0, swallow, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_diag_write(&d, 0, swallow, NULL), PAWL_OK);
  CHECK_INT(pawl_diag_write(&d, 0, refuse, NULL), PAWL_E_FILE);
  d.n_help = 1;
  CHECK_INT(pawl_diag_write(&d, 0, swallow, NULL), PAWL_E_ARGUMENT);
  d.help = lines;
  CHECK_INT(pawl_diag_write(&d, 0, swallow, NULL), PAWL_OK);
  d.at.line = 3;
  CHECK_INT(pawl_diag_write(&d, 0, swallow, NULL), PAWL_E_ARGUMENT);
  d.severity = (pawl_severity)77;
  d.at.line = 0;
  CHECK_INT(pawl_diag_write(&d, 1, swallow, NULL), PAWL_E_ARGUMENT);
}

static void texts(void) {
  CHECK(pawl_explain(NULL) == NULL);
  CHECK(pawl_explain("E9999") == NULL);
  FOR_WRONG(i) {
    CHECK(pawl_explain_code(i) == NULL);
    CHECK(pawl_keyword(i) == NULL && pawl_keyword_form(i) == NULL && pawl_function(i) == NULL);
    CHECK_STR(pawl_status_text((pawl_status)i), i == -1 ? "out of memory" : "unknown status");
    CHECK(pawl_method_name((pawl_method)i) == NULL);
    CHECK_INT(pawl_method_is_fixed((pawl_method)i), 0);
    CHECK(pawl_option_get(i) == NULL);
    CHECK_STR(pawl_verdict_text((pawl_verdict)i), "NOT CHECKED");
  }
}

static void option_table(void) {
  pawl_run_opts opts = {0};
  pawl_option own = {.word = "tol", .type = PAWL_OPTION_NUMBER};
  char text[8] = "abc";
  CHECK(pawl_option_find(NULL) == NULL && pawl_option_find("") == NULL);
  CHECK_INT(pawl_option_set(NULL, "1", &opts), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_option_set(&own, "1", &opts), PAWL_E_ARGUMENT); /* not of the table */
  CHECK_INT(pawl_option_set(pawl_option_find("tol"), NULL, &opts), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_option_set(pawl_option_find("tol"), "1e-6", NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_option_set(pawl_option_find("json"), "1", &opts), PAWL_E_ARGUMENT);
  pawl_option_legal(NULL, text, sizeof text);
  CHECK_STR(text, "");
  pawl_option_legal(pawl_option_get(0), NULL, 5);
  pawl_option_legal(pawl_option_get(0), text, 0);
}

/* ---- models ---- */

static int include_nothing(void *payload, const char *from, const char *path, char **text,
                           unsigned long *count, char **shown) {
  (void)payload;
  (void)from;
  (void)path;
  *text = *shown = NULL;
  *count = 5;
  return 0;
}

static void models(void) {
  fixture f = make();
  pawl_model *m = (pawl_model *)&f;
  CHECK_INT(pawl_model_parse(NULL, 5, NULL, f.diags, &m), PAWL_E_ARGUMENT);
  CHECK(m == NULL);
  CHECK_INT(pawl_model_parse(ball, sizeof ball - 1, NULL, f.diags, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_model_parse(ball, ULONG_MAX, NULL, f.diags, &m), PAWL_E_LIMIT);
  m = (pawl_model *)&f;
  CHECK_INT(pawl_model_load(NULL, f.diags, &m), PAWL_E_ARGUMENT);
  CHECK(m == NULL);
  CHECK_INT(pawl_model_load("x.pawl", f.diags, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_model_load("/no/such/file", NULL, &m), PAWL_E_FILE);
  CHECK(pawl_model_file(NULL, 0) == NULL && pawl_model_file(f.model, -1) == NULL);
  CHECK(pawl_model_file(f.model, 0) != NULL && pawl_model_file(f.model, 1) == NULL);
  CHECK_INT(pawl_model_text(NULL, swallow, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_model_text(f.model, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_model_text(f.model, refuse, NULL), PAWL_E_FILE);
  CHECK_INT(pawl_model_dump(NULL, PAWL_AST, swallow, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_model_dump(f.model, PAWL_AST, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_model_dump(f.model, PAWL_TAPE, swallow, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_model_dump(f.model, (pawl_stage)99, swallow, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_format(NULL, 3, NULL, f.diags, swallow, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_format(ball, sizeof ball - 1, NULL, f.diags, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_format(ball, ULONG_MAX, NULL, f.diags, swallow, NULL), PAWL_E_LIMIT);
  CHECK_INT(pawl_format(ball, sizeof ball - 1, NULL, NULL, swallow, NULL), PAWL_OK);
  pawl_model_free(NULL);
  unmake(&f);
}

static void include_without_text(void) {
  const char text[] = "include \"other.pawl\"\n";
  pawl_diags *list = NULL;
  pawl_model *m = NULL;
  CHECK_INT(pawl_diags_new(&list), PAWL_OK);
  CHECK_INT(pawl_model_parse(text, sizeof text - 1, &(pawl_model_opts){.include = include_nothing},
                             list, &m),
            PAWL_E_MODEL);
  CHECK(pawl_diags_errors(list) > 0);
  pawl_model_free(m);
  pawl_diags_free(list);
}

/* ---- systems ---- */

static void no_system(void) {
  CHECK_INT(pawl_system_positions(NULL), 0);
  CHECK_INT(pawl_system_velocities(NULL), 0);
  CHECK_INT(pawl_system_laws(NULL), 0);
  CHECK_INT(pawl_system_outputs(NULL), 0);
  CHECK_INT(pawl_system_inputs(NULL), 0);
  CHECK_INT(pawl_system_events(NULL), 0);
  CHECK_INT(pawl_system_parameters(NULL), 0);
  CHECK_INT(pawl_system_expectations(NULL), 0);
  CHECK_INT(pawl_system_works(NULL), 0);
  CHECK_INT(pawl_system_dof(NULL), 0);
  CHECK_INT(pawl_system_rank(NULL), 0);
  CHECK_INT(pawl_run_options(NULL), 0);
  CHECK_INT(pawl_system_plots(NULL), 0);
  CHECK_INT(pawl_system_draws(NULL), 0);
  CHECK_INT(pawl_draw_numbers(NULL), 0);
  CHECK(pawl_system_title(NULL) == NULL && pawl_system_file(NULL) == NULL);
  CHECK(pawl_start_positions(NULL) == NULL && pawl_start_velocities(NULL) == NULL);
  CHECK(isnan(pawl_start_time(NULL)));
  CHECK_INT(pawl_run_span(NULL, NULL, NULL), 0);
  CHECK_INT(pawl_system_text(NULL, swallow, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_system_dump(NULL, PAWL_TAPE, swallow, NULL), PAWL_E_ARGUMENT);
  pawl_system_free(NULL);
}

/* Nobody is told of the errors; they are errors all the same. */
static void wrong_without_diags(void) {
  static const char text[] = "coordinates x\nkinetic T = 1/2*m*x'^2\nstart x = 0\nrun 0..1\n";
  pawl_model *model = NULL;
  pawl_system *system = NULL;
  pawl_run *run = NULL;
  CHECK_INT(pawl_model_parse(text, sizeof text - 1, NULL, NULL, &model), PAWL_OK);
  CHECK_INT(pawl_system_new(model, NULL, NULL, &system), PAWL_E_MODEL);
  CHECK(system == NULL);
  CHECK_INT(pawl_run_new(model, NULL, NULL, &run), PAWL_E_MODEL);
  CHECK(run == NULL);
  pawl_model_free(model);
}

static void check_names(const pawl_system *s, int i) {
  CHECK(pawl_plot_get(s, i).y == NULL && pawl_draw_get(s, i).shape == NULL);
  CHECK(pawl_system_touches(NULL) == 0 && pawl_touch_get(s, i).pair == NULL);
  CHECK(pawl_system_piles(NULL) == 0 && pawl_pile_get(s, i).contact == NULL);
  CHECK(pawl_method_for(NULL, PAWL_METHOD_BY_SIZE) == PAWL_METHOD_BY_SIZE);
  CHECK(pawl_draw_argument_get(s, i, 0).word == NULL);
  CHECK(pawl_draw_argument_get(s, 0, i).word == NULL);
  CHECK(pawl_position_name(s, i) == NULL);
  CHECK(pawl_velocity_name(s, i) == NULL);
  CHECK(pawl_output_name(s, i) == NULL);
  CHECK(pawl_input_name(s, i) == NULL && isnan(pawl_input_start(s, i)));
  CHECK_INT(pawl_input_position(s, i), -1);
  CHECK(pawl_position_unit(s, i) == NULL);
  CHECK(pawl_velocity_unit(s, i) == NULL);
  CHECK(pawl_output_unit(s, i) == NULL);
  CHECK(pawl_event_name(s, i) == NULL);
  CHECK(pawl_law_get(s, i).name == NULL && isnan(pawl_law_get(s, i).start));
  CHECK(pawl_parameter_get(s, i).name == NULL && isnan(pawl_parameter_get(s, i).value));
  CHECK(pawl_work_get(s, i).name == NULL);
  CHECK(pawl_expectation_get(s, i).text == NULL && isnan(pawl_expectation_get(s, i).tol));
  CHECK(pawl_run_option_get(s, i).word == NULL && isnan(pawl_run_option_get(s, i).value));
}

static void names_out_of_range(void) {
  fixture f = make();
  FOR_WRONG(i) {
    check_names(f.system, i);
    check_names(NULL, i);
  }
  check_names(NULL, 0);
  CHECK(pawl_position_name(f.system, 2) == NULL && pawl_law_get(f.system, 2).name == NULL);
  CHECK_STR(pawl_position_name(f.system, 1), "y");
  CHECK_INT(pawl_system_text(f.system, NULL, NULL), PAWL_E_ARGUMENT);
  char file[PAWL_FILE_NAME] = "";
  CHECK_INT(pawl_system_attached(f.system, -1, file, swallow, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_system_attached(f.system, 0, file, swallow, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_system_attached(f.system, 0, NULL, swallow, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_system_attached(f.system, 0, file, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_system_dump(f.system, PAWL_TAPE, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_system_dump(f.system, (pawl_stage)-3, swallow, NULL), PAWL_E_ARGUMENT);
  double from = 7;
  CHECK_INT(pawl_run_span(f.system, &from, NULL), 1);
  CHECK_NEAR(from, 0, 0);
  unmake(&f);
}

static void overrides(void) {
  fixture f = make();
  pawl_system *s = f.system;
  const pawl_override no_name = {NULL, "1"}, no_value = {"g", NULL};
  const pawl_system_opts opts[] = {{.n_override = 1},
                                   {.n_override = -1},
                                   {.overrides = &no_name, .n_override = 1},
                                   {.overrides = &no_value, .n_override = 1}};
  for (int i = 0; i < 4; i++) {
    s = f.system;
    CHECK_INT(pawl_system_new(f.model, &opts[i], f.diags, &s), PAWL_E_ARGUMENT);
    CHECK(s == NULL);
  }
  CHECK_INT(pawl_system_new(NULL, NULL, f.diags, &s), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_system_new(f.model, NULL, f.diags, NULL), PAWL_E_ARGUMENT);
  unmake(&f);
}

/* Without start values nothing can be computed from them, and that is said. */
static void without_start(void) {
  fixture f = make_with(ball, &(pawl_system_opts){.no_start = 1});
  pawl_sim *sim = (pawl_sim *)&f;
  pawl_gauss *gauss = (pawl_gauss *)&f;
  pawl_equilibria *rests = (pawl_equilibria *)&f;
  pawl_bvp *bvp = (pawl_bvp *)&f;
  CHECK(pawl_start_positions(f.system) == NULL && pawl_start_velocities(f.system) == NULL);
  CHECK_INT(pawl_sim_new(f.system, NULL, f.diags, &sim), PAWL_E_ARGUMENT);
  CHECK_STR(pawl_diags_get(f.diags, 0)->message, "the system was made without start values");
  CHECK_INT(pawl_sim_new(f.system, NULL, NULL, &sim), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_gauss_new(f.system, NULL, f.diags, &gauss), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_equilibria_new(f.system, NULL, f.diags, &rests), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_bvp_new(f.system, NULL, f.diags, &bvp), PAWL_E_ARGUMENT);
  CHECK(sim == NULL && gauss == NULL && rests == NULL && bvp == NULL);
  CHECK_INT(pawl_diags_errors(f.diags), 1); /* repeated ones are kept once */
  unmake(&f);
}

/* A multiplier that is a state has a start value, which is not there without a start. */
static void without_start_multiplier(void) {
  fixture f = make_with("coordinates x, y, a\n"
                        "kinetic T = 1/2*(x'^2 + y'^2 + a'^2)\n"
                        "constraint blade: y'*cos(a) = x'*sin(a), vakonomic\n"
                        "start x' = 1, a' = 1, force(blade) = 2\nrun 0..1\n",
                        &(pawl_system_opts){.no_start = 1});
  CHECK(isnan(pawl_law_get(f.system, 0).start));
  unmake(&f);
}

/* ---- simulations ---- */

static void no_sim(void) {
  pawl_stop why;
  pawl_point point;
  pawl_energy energy;
  double x[4] = {0};
  CHECK_INT(pawl_sim_new(NULL, NULL, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_sim_advance(NULL, 1, NULL, &why), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_sim_events(NULL), 0);
  CHECK(isnan(pawl_sim_event(NULL, 0).t));
  CHECK_INT(pawl_sim_meetings(NULL), 0);
  CHECK(pawl_sim_meeting(NULL, 0).contact == NULL);
  CHECK_INT(pawl_sim_parts(NULL), 0);
  CHECK(isnan(pawl_sim_part(NULL, 0).from));
  CHECK_INT(pawl_sim_paradoxes(NULL), 0);
  CHECK_INT(pawl_sim_unseen_count(NULL), 0);
  CHECK(isnan(pawl_sim_unseen(NULL, 0).from));
  CHECK(isnan(pawl_sim_paradox(NULL, 0).t));
  CHECK(pawl_sim_branch(NULL, 0, 0).a == NULL);
  CHECK(pawl_sim_branch_mode(NULL, 0, 0, 0) == NULL);
  CHECK_INT(pawl_sim_point(NULL, PAWL_AFTER, &point), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_sim_energy(NULL, &energy, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_sim_expect(NULL, 0, x, x + 1), PAWL_E_ARGUMENT);
  CHECK(isnan(pawl_sim_statistics(NULL).tol) && pawl_sim_statistics(NULL).steps == 0);
  CHECK_INT(pawl_sim_force_unique(NULL, 0), 1);
  CHECK_INT(pawl_sim_closed(NULL, 0), 0);
  CHECK_INT(pawl_sim_input(NULL, 0, 1), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_sim_indifferent(NULL, 0), 0);
  CHECK_INT(pawl_sim_dof(NULL), 0);
  CHECK_INT(pawl_sim_start(NULL, 0, x, x, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_sim_start_with(NULL, 0, x, x, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT((long long)pawl_sim_save_size(NULL), 0);
  CHECK_INT(pawl_sim_save(NULL, x, sizeof x), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_sim_restore(NULL, x, sizeof x), PAWL_E_ARGUMENT);
  pawl_sim_free(NULL);
}

static void sim_out_of_range(void) {
  fixture f = make();
  pawl_sim *sim = NULL;
  CHECK_INT(pawl_sim_new(f.system, NULL, f.diags, &sim), PAWL_OK);
  double left = 0, right = 0;
  FOR_WRONG(i) {
    CHECK(isnan(pawl_sim_event(sim, i).t));
    CHECK(pawl_sim_meeting(sim, i).contact == NULL);
    CHECK(isnan(pawl_sim_paradox(sim, i).t));
    CHECK(pawl_sim_branch(sim, i, i).force == NULL);
    CHECK(pawl_sim_branch_mode(sim, i, i, i) == NULL);
    CHECK_INT(pawl_sim_expect(sim, i, &left, &right), PAWL_E_ARGUMENT);
    CHECK_INT(pawl_sim_force_unique(sim, i), 1);
    CHECK_INT(pawl_sim_closed(sim, i), 0);
    CHECK_INT(pawl_sim_indifferent(sim, i), 0);
  }
  pawl_point point;
  CHECK_INT(pawl_sim_expect(sim, 0, NULL, &right), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_sim_point(sim, (pawl_side)9, &point), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_sim_point(sim, PAWL_AFTER, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_sim_energy(sim, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_sim_advance(sim, 1, f.diags, NULL), PAWL_E_ARGUMENT);
  pawl_stop why;
  CHECK_INT(pawl_sim_advance(sim, NAN, f.diags, &why), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_sim_advance(sim, -1, f.diags, &why), PAWL_E_ARGUMENT);
  const double q[] = {0, NAN}, u[] = {0, 0};
  CHECK_INT(pawl_sim_start(sim, 0, NULL, u, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_sim_start(sim, 0, q, u, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_sim_start(sim, 1e9, u, u, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_sim_start_with(sim, 0, u, NULL, NULL, NULL), PAWL_E_ARGUMENT);
  unsigned char few[8] = {0};
  CHECK_INT(pawl_sim_save(sim, few, sizeof few), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_sim_restore(sim, few, sizeof few), PAWL_E_STATE);
  CHECK_INT(pawl_sim_restore(sim, NULL, 8), PAWL_E_ARGUMENT);
  pawl_sim_free(sim);
  unmake(&f);
}

/* ---- life: an object keeps what it was made from ---- */

static void sim_outlives_its_system(void) {
  fixture f = make();
  pawl_sim *sim = NULL, *other = NULL;
  CHECK_INT(pawl_sim_new(f.system, NULL, f.diags, &sim), PAWL_OK);
  CHECK_INT(pawl_sim_new(f.system, NULL, f.diags, &other), PAWL_OK);
  unmake(&f);
  pawl_stop why = PAWL_AT_TARGET;
  for (int k = 0; k < 100 && why != PAWL_AT_END; k++) {
    CHECK_INT(pawl_sim_advance(sim, 0.6, NULL, &why), PAWL_OK);
  }
  pawl_point p;
  CHECK_INT(pawl_sim_point(sim, PAWL_AFTER, &p), PAWL_OK);
  CHECK_NEAR(p.t, 0.6, 1e-12);
  /* it hits at t1 = sqrt(2/g) and rebounds with half its speed */
  double t1 = sqrt(2 / 9.81), t2 = 0.6 - t1;
  CHECK_NEAR(p.q[1], 0.5 * 9.81 * t1 * t2 - 0.5 * 9.81 * t2 * t2, 1e-8);
  pawl_sim_free(sim);
  pawl_sim_free(other);
}

static void others_outlive_their_system(void) {
  fixture f = make();
  pawl_gauss *gauss = NULL;
  pawl_certifier *c = NULL;
  pawl_vary *v = NULL;
  pawl_equilibria *rests = NULL;
  CHECK_INT(pawl_gauss_new(f.system, NULL, f.diags, &gauss), PAWL_OK);
  CHECK_INT(pawl_certify_new(f.system, NULL, &c), PAWL_OK);
  CHECK_INT(pawl_vary_new(f.system, 0, &v), PAWL_OK);
  CHECK_INT(pawl_equilibria_new(f.system, NULL, f.diags, &rests), PAWL_OK);
  unmake(&f);
  CHECK_INT(pawl_gauss_json(gauss, swallow, NULL), PAWL_OK);
  CHECK_NEAR(pawl_gauss_accelerations(gauss, PAWL_RIGHT, 0)[1], -9.81, 1e-12);
  CHECK_INT(pawl_equilibria_json(rests, swallow, NULL), PAWL_OK);
  for (int i = 0; i < 5; i++) {
    double t = 0.05 * i, q[] = {t, 1 - 0.5 * 9.81 * t * t}, u[] = {1, -9.81 * t};
    CHECK_INT(pawl_certify_row(c, t, q, u, NULL), PAWL_OK);
    CHECK_INT(pawl_vary_row(v, t, q, u), PAWL_OK);
  }
  pawl_certify_finish(c);
  pawl_vary_finish(v);
  CHECK_INT(pawl_certify_json(c, 0, swallow, NULL), PAWL_OK);
  pawl_gauss_free(gauss);
  pawl_certify_free(c);
  pawl_vary_free(v);
  pawl_equilibria_free(rests);
}

/* ---- evaluators ---- */

static void evaluator(void) {
  fixture f = make(), unstarted = make_with(ball, &(pawl_system_opts){.no_start = 1});
  pawl_eval *e = (pawl_eval *)&f, *other = NULL;
  double t = 0, q[] = {0, 1}, u[] = {0, 0}, a[2] = {7, 7};
  const pawl_eval_out out = {.a = a};
  CHECK_INT(pawl_eval_new(NULL, &e), PAWL_E_ARGUMENT);
  CHECK(e == NULL);
  CHECK_INT(pawl_eval_new(f.system, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_eval_new(f.system, &e), PAWL_OK);
  CHECK_INT(pawl_eval_new(unstarted.system, &other), PAWL_OK); /* needs no start */
  unmake(&f);
  const pawl_eval_in in[] = {{.k = -1, .t = &t, .q = q, .u = u},
                             {.k = 1, .q = q, .u = u},
                             {.k = 1, .t = &t, .u = u},
                             {.k = 1, .t = &t, .q = q}};
  for (int i = 0; i < 4; i++) {
    CHECK_INT(pawl_eval_at(e, &in[i], &out), PAWL_E_ARGUMENT);
  }
  const pawl_eval_in good = {.k = 1, .t = &t, .q = q, .u = u}, none = {0};
  CHECK_INT(pawl_eval_at(NULL, &good, &out), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_eval_at(e, NULL, &out), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_eval_at(e, &good, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_eval_at(e, &none, &out), PAWL_OK);
  CHECK_NEAR(a[0], 7, 0); /* nothing was written */
  CHECK_INT(pawl_eval_at(e, &good, &out), PAWL_OK);
  CHECK_NEAR(a[1], -9.81, 1e-13);
  FOR_WRONG(i) {
    CHECK_INT(pawl_eval_row_law(e, i), -1);
    CHECK_INT(pawl_eval_row_law(NULL, i), -1);
  }
  CHECK_INT(pawl_eval_rows(NULL), 0);
  CHECK_INT(pawl_eval_multipliers(NULL), 0);
  pawl_eval_free(e);
  pawl_eval_free(other);
  pawl_eval_free(NULL);
  unmake(&unstarted);
}

/* ---- gauss and equilibria ---- */

static void gauss(void) {
  fixture f = make();
  pawl_gauss *g = NULL;
  const double q[] = {0, INFINITY}, u[] = {0, 0};
  CHECK_INT(pawl_gauss_new(NULL, NULL, NULL, &g), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_gauss_new(f.system, NULL, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_gauss_new(f.system, &(pawl_gauss_opts){.use_state = 1}, NULL, &g),
            PAWL_E_ARGUMENT);
  CHECK_INT(pawl_gauss_new(f.system, &(pawl_gauss_opts){.use_state = 1, .q = q, .u = u}, NULL, &g),
            PAWL_E_ARGUMENT);
  CHECK_INT(pawl_gauss_new(f.system, NULL, NULL, &g), PAWL_OK);
  FOR_WRONG(i) {
    const pawl_gauss *of[] = {NULL, g};
    for (int k = 0; k < 2; k++) {
      CHECK(pawl_gauss_accelerations(of[k], PAWL_RIGHT, i) == NULL);
      CHECK(pawl_gauss_accelerations(of[k], (pawl_when)i, i) == NULL);
      CHECK(isnan(pawl_gauss_measure(of[k], PAWL_RIGHT, i)));
      CHECK(isnan(pawl_gauss_force_get(of[k], PAWL_RIGHT, 0, i).force));
      CHECK(isnan(pawl_gauss_set(of[k], 0, i, PAWL_VELOCITY).lo));
      CHECK(isnan(pawl_gauss_set(of[k], 0, 0, (pawl_level)i).lo));
      CHECK(isnan(pawl_gauss_disk(of[k], 0, i, PAWL_VELOCITY).axis[0]));
      CHECK(isnan(pawl_gauss_disk(of[k], 0, 0, (pawl_level)i).axis[0]));
      CHECK_INT(pawl_gauss_size(of[k], 0, (pawl_level)i), 0);
      CHECK(isnan(pawl_gauss_principle(of[k], (pawl_level)i)));
      CHECK(isnan(pawl_gauss_potentials_get(of[k], i).Psi));
      CHECK(pawl_gauss_along(of[k], i) == NULL);
      CHECK_INT(pawl_gauss_cone(of[k], (pawl_level)i, NULL), 0);
      CHECK(pawl_gauss_cone_ray(of[k], PAWL_VELOCITY, i) == NULL);
    }
  }
  pawl_gauss *other = NULL;
  CHECK_INT(pawl_gauss_reached(NULL, NULL, NULL, NULL, &other), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_gauss_reached(f.system, NULL, NULL, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_gauss_reached(f.system, NULL, &(pawl_gauss_opts){.use_state = 1}, NULL, &other),
            PAWL_E_ARGUMENT);
  CHECK_INT(pawl_gauss_new(f.system, &(pawl_gauss_opts){.u_before = u}, NULL, &other),
            PAWL_E_ARGUMENT);
  CHECK_INT(pawl_gauss_new(f.system, &(pawl_gauss_opts){.trial = q}, NULL, &other),
            PAWL_E_ARGUMENT);
  CHECK(pawl_gauss_before(NULL) == NULL && pawl_gauss_before(g) == NULL);
  CHECK_INT(pawl_gauss_trial_get(NULL).given + pawl_gauss_trial_get(g).given, 0);
  CHECK_INT(pawl_gauss_get(NULL, PAWL_RIGHT).count, 0);
  CHECK(isnan(pawl_gauss_time(NULL)));
  CHECK(pawl_gauss_positions(NULL) == NULL && pawl_gauss_velocities(NULL) == NULL);
  CHECK_INT(pawl_gauss_json(NULL, swallow, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_gauss_json(g, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_gauss_json(g, refuse, NULL), PAWL_E_FILE);
  pawl_gauss_free(g);
  pawl_gauss_free(NULL);
  unmake(&f);
}

static void equilibria(void) {
  fixture f = make();
  pawl_equilibria *e = NULL;
  CHECK_INT(pawl_equilibria_new(NULL, NULL, NULL, &e), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_equilibria_new(f.system, NULL, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_equilibria_new(f.system, &(pawl_equilibria_opts){.freeze = 1, .t = NAN}, NULL, &e),
            PAWL_E_ARGUMENT);
  CHECK_INT(pawl_equilibria_new(f.system, &(pawl_equilibria_opts){.starts = -5}, NULL, &e),
            PAWL_OK);
  FOR_WRONG(i) {
    CHECK(pawl_equilibrium_get(e, i).q == NULL && pawl_equilibrium_get(NULL, i).q == NULL);
    CHECK(isnan(pawl_equilibrium_force(e, i, 0)) && isnan(pawl_equilibrium_force(e, 0, i)));
    CHECK(isnan(pawl_equilibrium_force(NULL, 0, i)));
    CHECK(isnan(pawl_equilibrium_range(e, i, 0).lo) && isnan(pawl_equilibrium_range(e, 0, i).lo));
    CHECK(isnan(pawl_equilibrium_range(NULL, 0, i).hi));
  }
  CHECK_INT(pawl_equilibria_count(NULL), 0);
  CHECK_INT(pawl_equilibria_json(NULL, swallow, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_equilibria_json(e, NULL, NULL), PAWL_E_ARGUMENT);
  pawl_equilibria_free(e);
  pawl_equilibria_free(NULL);
  unmake(&f);
}

CHECK_MAIN({"diags", diags}, {"diag_write", diag_write}, {"texts", texts},
           {"option_table", option_table}, {"models", models},
           {"include_without_text", include_without_text}, {"no_system", no_system},
           {"wrong_without_diags", wrong_without_diags}, {"names_out_of_range", names_out_of_range},
           {"overrides", overrides}, {"without_start", without_start},
           {"without_start_multiplier", without_start_multiplier}, {"no_sim", no_sim},
           {"sim_out_of_range", sim_out_of_range},
           {"sim_outlives_its_system", sim_outlives_its_system},
           {"others_outlive_their_system", others_outlive_their_system}, {"evaluator", evaluator},
           {"gauss", gauss}, {"equilibria", equilibria})
