// SPDX-License-Identifier: MIT
/* The report: one page with the motion, its events, its certificate and its model in it. The page
 * is a template made from web/ (report/page.h) with three places: title, packing, data. */
#ifndef PW_REPORT_REPORT_H
#define PW_REPORT_REPORT_H

#include <stdint.h>

#include "traj/motion_file.h"
#include "write/formats.h"

typedef struct pw_report_source { /* texts are those of the files of a results folder */
  pw_motion *motion;
  int64_t end; /* of the chunks */
  int64_t rows, events;
  const char *folder; /* with the parts of the model */
  const char *model;  /* model.pawl */
  size_t model_len;
  const char *summary, *certificate; /* summary.json, certificate.json; "": there is none */
} pw_report_source;

/* PAWL_E_FILE: the trajectory cannot be read back, or the sink fails. */
PAWL_NODISCARD pawl_status pw_report_write(const pw_report_source *source, pw_writer *out);

#endif
