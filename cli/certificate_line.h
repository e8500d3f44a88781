// SPDX-License-Identifier: MIT
/* A certificate for people. */
#ifndef CLI_CERTIFICATE_LINE_H
#define CLI_CERTIFICATE_LINE_H

#include "cli.h"

/* One line; c NULL: no findings, the certificate alone. */
void certificate_line(const pawl_certificate *k, const pawl_certifier *c, FILE *out);
/* What every principle came to, one line each; verbose: the worst of the varied curves, too. */
void certificate_table(const pawl_certifier *c, bool verbose, FILE *out);

#endif
