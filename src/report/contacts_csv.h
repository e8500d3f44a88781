// SPDX-License-Identifier: MIT
/* The file of contacts between shapes, a format of its own (write/formats.h). */
#ifndef PW_REPORT_CONTACTS_CSV_H
#define PW_REPORT_CONTACTS_CSV_H

#include "write/formats.h"

/* The record must have a system. */
extern const pw_format pw_format_contacts_csv;

#endif
