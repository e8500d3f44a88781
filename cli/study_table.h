// SPDX-License-Identifier: MIT
/* What `pawl converge` and `pawl realise` share: the options of a study, its tables in print. */
#ifndef CLI_STUDY_TABLE_H
#define CLI_STUDY_TABLE_H

#include "cli.h"

/* A study made from the model: as pawl_converge_new. */
typedef pawl_status (*study_maker)(const pawl_model *model, const void *payload,
                                   const pawl_study_opts *opts, pawl_diags *diags,
                                   pawl_study **out);

/* Loads the model, makes the study, prints it as tables or as JSON. Returns the exit code. */
int study_run(const cli_args *args, bool json, const char *file, const pawl_study_opts *opts,
              study_maker make, const void *payload);

/* Reads `-t A..B`, which may be NULL: -1, or an exit code. */
int study_span(const char *command, const char *text, pawl_study_opts *opts);

#endif
