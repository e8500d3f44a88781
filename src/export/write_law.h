// SPDX-License-Identifier: MIT
/* Laws in print. */
#ifndef PW_EXPORT_WRITE_LAW_H
#define PW_EXPORT_WRITE_LAW_H

#include "export/write.h"

/* The multiplier of a law, "rub" or "link[3]"; or its rate. */
void pw_write_lambda(pw_export *x, const char *law, bool rate);
/* J, the gradient of the measure of a law, "touch[2]" with the number of the velocity. */
void pw_write_gradient(pw_export *x, const char *law);
/* The statement of a row: a line of an alignment. */
void pw_write_law(pw_export *x, const pw_row *row);
void pw_write_friction(pw_export *x, const pw_row *row);

/* ---- contacts between shapes ---- */

void pw_write_shape(pw_export *x, const pw_stmt *s);
void pw_write_contact(pw_export *x, const pw_stmt *s);
/* The contribution of all pairs of a contact to the equation of a velocity. */
void pw_write_contact_sum(pw_export *x, const pw_stmt *s, pw_node velocity);

/* ---- parts of lines ---- */

/* NULL: there is no such clause. */
const pw_clause *pw_clause_of(const pw_stmt *s, pw_clause_kind kind);
/* A letter with the name of a law below it, as a word, and the indices of its family. */
void pw_write_law_letter(pw_export *x, const char *latex, const char *typst, const pw_stmt *s);
/* In brackets if it is a sum. */
void pw_write_coefficient(pw_export *x, const pw_ex *ex);
/* ", i = 1, ..., N" of a family; NULL: nothing. */
void pw_write_range(pw_export *x, const char *index, const pw_ex *from, const pw_ex *to);
void pw_write_family(pw_export *x, const pw_stmt *s);
void pw_write_next_line(pw_export *x);

#endif
