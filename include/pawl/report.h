// SPDX-License-Identifier: MIT
/* The report of a results folder: one page for a browser, with everything in it. */
#ifndef PAWL_REPORT_H
#define PAWL_REPORT_H

#include "pawl/diag.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the report of a results folder to a file; path NULL: DIR/report.html. The folder may also
 * belong to a killed run. PAWL_E_FILE: it is not a results folder, or the file cannot be written;
 * the diagnostics give the reason. */
PAWL_API PAWL_NODISCARD pawl_status pawl_report_write(const char *dir, const char *path,
                                                      pawl_diags *diags);

#ifdef __cplusplus
}
#endif

#endif
