// SPDX-License-Identifier: MIT
/* The list of diagnostics and its text form. */
#include "alloc_wrap.h"
#include "base/diag.h"
#include "check.h"

#include <stdlib.h>

static pw_arena arena;
static jmp_buf failed;
static pw_sources sources;
static char shown[8192];

static void use_text(const char *name, const char *text) {
  pw_sources_add(&arena, &sources, name, text, (int)strlen(text));
}

static pawl_diags *begin(const char *text) {
  pawl_diags *list = NULL;
  CHECK_INT(pawl_diags_new(&list), PAWL_OK);
  pw_arena_init(&arena, 0);
  arena.on_fail = &failed;
  sources = (pw_sources){0};
  use_text("model.pawl", text);
  pw_diags_use_sources(list, &sources);
  return list;
}

static void end(pawl_diags *list) {
  pawl_diags_free(list);
  pw_arena_free(&arena);
}

/* The span of the first occurrence of `part` in a file. */
static pw_span span_of(int file, const char *part) {
  const char *text = sources.items[file].text;
  int at = (int)(strstr(text, part) - text);
  return (pw_span){file, at, at + (int)strlen(part)};
}

static int collect(void *payload, const char *bytes, unsigned long count) {
  strncat(payload, bytes, count);
  return 0;
}

static const char *show(const pawl_diags *list, int i) {
  shown[0] = '\0';
  CHECK_INT(pawl_diag_write(pawl_diags_get(list, i), 0, collect, shown), PAWL_OK);
  return shown;
}

static void one_place(void) {
  pawl_diags *list = begin("parameters length = 1\n\n\nkinetic T = 1/2*m*lenght^2*th'^2\n");
  pw_diag_ref d = pw_error(list, "E0101", span_of(0, "lenght"), "unknown name `%s`", "lenght");
  pw_label(d, "not a coordinate, parameter or definition");
  pw_help(d, "did you mean `length` (parameter, line %d)?", 1);
  CHECK_STR(show(list, 0),
            "error[E0101]: unknown name `lenght`\n"
            "  --> model.pawl:4:19\n"
            "4 | kinetic T = 1/2*m*lenght^2*th'^2\n"
            "  |                   ^^^^^^ not a coordinate, parameter or definition\n"
            "  = help: did you mean `length` (parameter, line 1)?\n");
  end(list);
}

static void no_place(void) {
  pawl_diags *list = begin("");
  pw_diag_ref d = pw_warning(list, "W0330", PW_NO_SPAN, "constraints are redundant");
  pw_note(d, "the motion is unique,\nthe single forces are not");
  CHECK_STR(show(list, 0), "warning[W0330]: constraints are redundant\n"
                           "  = note: the motion is unique,\n"
                           "          the single forces are not\n");
  CHECK_INT(pawl_diags_errors(list), 0);
  end(list);
}

static void two_places_in_a_line(void) {
  pawl_diags *list = begin("servo hold: th = c, by x\n");
  pw_diag_ref d = pw_error(list, "E0310", (pw_span){0, 23, 24}, "servo `hold` fails");
  pw_label(d, "this force does not accelerate th");
  pw_second(d, span_of(0, "th = c"), "%s", "");
  CHECK_STR(show(list, 0), "error[E0310]: servo `hold` fails\n"
                           "  --> model.pawl:1:24\n"
                           "1 | servo hold: th = c, by x\n"
                           "  |             ------     ^ this force does not accelerate th\n");
  pw_second(d, span_of(0, "hold"), "the servo");
  CHECK_STR(show(list, 0), "error[E0310]: servo `hold` fails\n"
                           "  --> model.pawl:1:24\n"
                           "1 | servo hold: th = c, by x\n"
                           "  |       ----             ^ this force does not accelerate th\n"
                           "  |       |\n"
                           "  |       the servo\n");
  pw_second(d, (pw_span){0, 20, 24}, "overlaps");
  CHECK(strstr(show(list, 0), "1 | servo hold: th = c, by x\n"
                              "  |                     ---- overlaps\n") != NULL);
  end(list);
}

static void second_after_the_first_in_a_line(void) {
  pawl_diags *list = begin("let a = b + c\n");
  pw_diag_ref d = pw_error(list, "E1", span_of(0, "b"), "units differ");
  pw_label(d, "metres");
  pw_second(d, span_of(0, "c"), "seconds");
  CHECK_STR(show(list, 0), "error[E1]: units differ\n"
                           "  --> model.pawl:1:9\n"
                           "1 | let a = b + c\n"
                           "  |         ^   - seconds\n"
                           "  |         |\n"
                           "  |         metres\n");
  end(list);
}

static void two_lines_keep_the_bar_aligned(void) {
  pawl_diags *list = begin("let a = 1\n\n\n\n\n\n\n\n\n\n  let a = 2\n");
  pw_diag_ref d = pw_error(list, "E0102", (pw_span){0, 25, 26}, "`a` is defined twice");
  pw_second(d, span_of(0, "a"), "first defined here");
  pw_help(d, "rename one");
  CHECK_STR(show(list, 0), "error[E0102]: `a` is defined twice\n"
                           "   --> model.pawl:11:7\n"
                           " 1 | let a = 1\n"
                           "   |     - first defined here\n"
                           "...\n"
                           "11 |   let a = 2\n"
                           "   |       ^\n"
                           "   = help: rename one\n");
  end(list);
}

static void another_file_is_named(void) {
  pawl_diags *list = begin("let a = 1");
  use_text("other.pawl", "\nlet a = 2");
  pw_diag_ref d = pw_error(list, "E0102", span_of(0, "a"), "twice");
  pw_second(d, span_of(1, "a"), "also here");
  CHECK_STR(show(list, 0), "error[E0102]: twice\n"
                           "  --> model.pawl:1:5\n"
                           "1 | let a = 1\n"
                           "  |     ^\n"
                           "  ::: other.pawl:2:5\n"
                           "2 | let a = 2\n"
                           "  |     - also here\n");
  end(list);
}

static void odd_text_is_shown_safely(void) {
  pawl_diags *list = begin("\t\xCE\xB8 = \x1B[31m\xFF"
                           "y;\r\n");
  pw_error(list, "E1", span_of(0, "y"), "bad \x1B[0m name");
  CHECK_STR(show(list, 0), "error[E1]: bad \xEF\xBF\xBD[0m name\n"
                           "  --> model.pawl:1:12\n"
                           "1 |     \xCE\xB8 = \xEF\xBF\xBD[31m\xEF\xBF\xBDy;\n"
                           "  |               ^\n");
  end(list);
}

static void spans_end_with_their_line(void) {
  pawl_diags *list = begin("abc\ndef");
  pw_error(list, "E1", (pw_span){0, 1, 6}, "two lines");
  CHECK(strstr(show(list, 0), "1 | abc\n  |  ^^\n") != NULL);
  pw_error(list, "E1", (pw_span){0, 7, 7}, "end of file");
  CHECK(strstr(show(list, 1), "2 | def\n  |    ^\n") != NULL);
  pw_error(list, "E1", (pw_span){0, 900, 901}, "beyond");
  CHECK_INT(pawl_diags_count(list), 2); /* the same place as the end of the file */
  pw_error(list, "E1", (pw_span){7, 0, 1}, "no such file");
  CHECK_INT(pawl_diags_get(list, 2)->at.line, 0);
  end(list);
}

static void long_lines_are_cut_around_the_place(void) {
  enum { SIZE = 100000 };
  char *text = malloc(SIZE + 1);
  memset(text, 'x', SIZE);
  text[SIZE] = '\0';
  memcpy(text + 50000, "HERE", 4);
  pawl_diags *list = begin(text);
  pw_error(list, "E1", span_of(0, "HERE"), "look");
  show(list, 0);
  const char *line = strstr(shown, "1 | ..."), *marks = strstr(shown, "\n  | ");
  CHECK(strlen(shown) < 500);
  CHECK(line != NULL && marks != NULL && strstr(line, "x...\n") != NULL);
  CHECK_INT(strstr(line, "HERE") - line, strstr(marks, "^^^^\n") - marks - 1);
  pw_error(list, "E1", (pw_span){0, 10, SIZE}, "long span");
  CHECK(strlen(show(list, 1)) < 600);
  CHECK(pawl_diags_get(list, 1)->at.source == pawl_diags_get(list, 0)->at.source);
  pw_diag_ref d = pw_error(list, "E1", (pw_span){0, 99990, 99991}, "far apart");
  pw_second(d, (pw_span){0, 3, 4}, "start");
  CHECK(strstr(show(list, 2), "  |    - start\n") != NULL);
  end(list);
  free(text);
}

static void only_twenty_are_kept(void) {
  pawl_diags *list = begin("0123456789012345678901234567890123456789");
  use_text("b.pawl", "x");
  for (int i = 0; i < 30; i++) {
    pw_error(list, "E1", (pw_span){0, i, i + 1}, "error %d", i);
  }
  CHECK_INT(pawl_diags_count(list), 20);
  CHECK_INT(pawl_diags_errors(list), 30);
  CHECK_INT(pawl_diags_dropped(list), 10);
  pw_error(list, "E1", (pw_span){1, 0, 1}, "in another file");
  CHECK_INT(pawl_diags_count(list), 21);
  pawl_diags_clear(list);
  CHECK_INT(pawl_diags_count(list) + pawl_diags_errors(list) + pawl_diags_dropped(list), 0);
  CHECK(pawl_diags_get(list, 0) == NULL);
  end(list);
}

static void the_same_is_said_once(void) {
  pawl_diags *list = begin("abc");
  pw_error(list, "E1", (pw_span){0, 0, 1}, "first");
  pw_diag_ref again = pw_error(list, "E1", (pw_span){0, 0, 1}, "again");
  pw_label(again, "goes nowhere");
  pw_second(again, (pw_span){0, 1, 2}, "goes nowhere");
  pw_error(list, "E2", (pw_span){0, 0, 1}, "another code");
  pw_error(list, "E1", PW_NO_SPAN, "one");
  pw_error(list, "E1", PW_NO_SPAN, "two");
  pw_error(list, "E1", PW_NO_SPAN, "two");
  CHECK_INT(pawl_diags_count(list), 4);
  CHECK_INT(pawl_diags_errors(list), 4);
  CHECK_INT(pawl_diags_dropped(list), 0);
  CHECK_STR(pawl_diags_get(list, 0)->at.label, "");
  end(list);
}

static void long_messages_are_cut(void) {
  pawl_diags *list = begin("abc");
  char *name = calloc(1, 10001);
  for (int i = 0; i < 5000; i++) {
    memcpy(name + 2 * i, "\xCE\xB8", 2);
  }
  pw_error(list, "E1", (pw_span){0, 0, 1}, "unknown name `%s`", name);
  const char *message = pawl_diags_get(list, 0)->message;
  CHECK(strlen(message) < 2048 && strlen(message) > 2000);
  CHECK_STR(message + strlen(message) - 5, "\xCE\xB8...");
  end(list);
  free(name);
}

static void nothing_is_recorded_without_a_list(void) {
  pw_diag_ref d = pw_error(NULL, "E1", PW_NO_SPAN, "nobody listens");
  pw_help(d, "help");
  CHECK(d.diag == NULL);
  CHECK_INT(pawl_diags_count(NULL), 0);
  CHECK(pawl_diags_get(NULL, 0) == NULL);
  pawl_diags_clear(NULL);
  pawl_diags_free(NULL);
  CHECK_INT(pawl_diags_new(NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_diag_write(NULL, 0, collect, shown), PAWL_E_ARGUMENT);
}

static void colours_are_balanced(void) {
  pawl_diags *list = begin("abc");
  pw_help(pw_error(list, "E1", (pw_span){0, 0, 1}, "wrong"), "try");
  shown[0] = '\0';
  CHECK_INT(pawl_diag_write(pawl_diags_get(list, 0), 1, collect, shown), PAWL_OK);
  CHECK(strncmp(shown, "\033[1;31merror[E1]\033[0m\033[1m: wrong\033[0m\n", 36) == 0);
  CHECK(strstr(shown, "\033[1;31m^\033[0m\n") != NULL);
  end(list);
}

static void report(void *payload) {
  pawl_diags *list;
  char text[4000] = "";
  (void)payload;
  if (pawl_diags_new(&list) != PAWL_OK) {
    return;
  }
  pw_diags_use_sources(list, &sources);
  for (int i = 0; i < 3; i++) {
    pw_diag_ref d = pw_error(list, "E1", (pw_span){0, i, i + 1}, "error %d", i);
    pw_label(d, "label");
    pw_second(d, (pw_span){0, 3, 4}, "second");
    pw_help(d, "help");
  }
  int count = pawl_diags_count(list);
  CHECK_INT(pawl_diags_dropped(list), 0);
  CHECK_INT(pawl_diags_errors(list), alloc_failed() ? 4 : 3);
  CHECK(alloc_failed() ? count >= 1 && count <= 4 : count == 3);
  const pawl_diag *last = pawl_diags_get(list, count - 1);
  CHECK_STR(last->code, alloc_failed() ? "E0192" : "E1");
  CHECK(pawl_diags_get(list, count) == NULL);
  for (int i = 0; i < count; i++) {
    pawl_status status = pawl_diag_write(pawl_diags_get(list, i), 0, collect, text);
    CHECK(status == PAWL_OK || (status == PAWL_E_MEMORY && alloc_failed()));
  }
  pawl_diags_free(list);
}

static void no_error_is_lost_without_memory(void) {
  pawl_diags *list = begin("abcdef");
  CHECK(alloc_sweep(report, NULL) > 20);
  end(list);
}

CHECK_MAIN({"one_place", one_place}, {"no_place", no_place},
           {"two_places_in_a_line", two_places_in_a_line},
           {"second_after_the_first_in_a_line", second_after_the_first_in_a_line},
           {"two_lines_keep_the_bar_aligned", two_lines_keep_the_bar_aligned},
           {"another_file_is_named", another_file_is_named},
           {"odd_text_is_shown_safely", odd_text_is_shown_safely},
           {"spans_end_with_their_line", spans_end_with_their_line},
           {"long_lines_are_cut_around_the_place", long_lines_are_cut_around_the_place},
           {"only_twenty_are_kept", only_twenty_are_kept},
           {"the_same_is_said_once", the_same_is_said_once},
           {"long_messages_are_cut", long_messages_are_cut},
           {"nothing_is_recorded_without_a_list", nothing_is_recorded_without_a_list},
           {"colours_are_balanced", colours_are_balanced},
           {"no_error_is_lost_without_memory", no_error_is_lost_without_memory})
