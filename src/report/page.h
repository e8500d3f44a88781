// SPDX-License-Identifier: MIT
/* web/page.html, built into the library by embed_page.cmake. */
#ifndef PW_REPORT_PAGE_H
#define PW_REPORT_PAGE_H

extern const unsigned char pw_page[]; /* NUL-terminated */

#endif
