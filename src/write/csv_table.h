// SPDX-License-Identifier: MIT
/* A table as text (CSV with a head) made into an HDF5 file with one data set per column. */
#ifndef PW_WRITE_CSV_TABLE_H
#define PW_WRITE_CSV_TABLE_H

#include "pawl/status.h"

/* A column whose fields are all numbers is stored as doubles, other columns as texts of fixed
 * width. The memory does not depend on the number of rows. PAWL_E_FILE: the reason is in *reason
 * (base/file.h); PAWL_E_UNSUPPORTED: the build has no HDF5. */
PAWL_NODISCARD pawl_status pw_table_to_h5(const char *csv, const char *h5, int *reason);

#endif
