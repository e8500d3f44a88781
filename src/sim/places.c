// SPDX-License-Identifier: MIT
#include "sim/places.h"

#include <string.h>

#include "mech/handle.h"

void pw_places_use(const pawl_system *system, pawl_diags *diags) {
  pw_diags_use_sources(diags, system == NULL ? NULL : &system->sources);
}

pw_span pw_place_of_end(const pawl_system *system) {
  const pw_ast *ast = &system->ast;
  return ast->n > 0 ? ast->items[ast->n - 1]->span : PW_NO_SPAN;
}

pw_span pw_place_of_option(const pawl_system *system, const char *word) {
  const pw_run *run = &system->model->run;
  for (int i = 0; i < run->n_option; i++) {
    if (strcmp(run->options[i].word, word) == 0) {
      return run->options[i].span;
    }
  }
  return PW_NO_SPAN;
}

const char *pw_place_source(const pawl_system *system, int i) {
  return i < system->sources.n ? system->sources.items[i].name : NULL;
}

bool pw_system_is_input(const pawl_override *o) {
  return strcmp(o->name, PW_INPUT_FILE) == 0;
}

void pw_system_input_name(const pawl_system *s, char name[PAWL_FILE_NAME]) {
  name[0] = '\0';
  if (s->model->input_file >= 0) {
    pw_data_name(&s->sources.items[s->model->input_file], name);
  }
}
