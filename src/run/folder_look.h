// SPDX-License-Identifier: MIT
/* What is in a results folder, and who wrote it. */
#ifndef PW_RUN_FOLDER_LOOK_H
#define PW_RUN_FOLDER_LOOK_H

#include "base/file.h"

enum { PW_ENTRY_NAME = 300 }; /* bytes of ".partial/NAME" */

typedef struct pw_folder_contents {
  bool empty;                  /* nothing is in the folder */
  bool complete;               /* a summary.json by Pawl */
  pw_path_kind partial;        /* what .partial is */
  bool ours;                   /* .partial is a folder that holds only files of a run */
  bool killed;                 /* the head of a run is among them */
  char foreign[PW_ENTRY_NAME]; /* an entry that no run wrote where a run writes; "": none */
} pw_folder_contents;

/* 0, or the reason (base/file.h) why it cannot be looked at. */
PAWL_NODISCARD int pw_folder_look(const char *dir, pw_folder_contents *out);
/* As above, by names and kinds alone: a file of ours that is damaged is still ours. */
PAWL_NODISCARD int pw_folder_find_foreign(const char *dir, char foreign[PW_ENTRY_NAME]);
/* Whether a run writes a file of this name into .partial. */
bool pw_partial_owns(const char *name);

#endif
