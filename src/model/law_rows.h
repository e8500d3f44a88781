// SPDX-License-Identifier: MIT
/* What all laws share: families and components written out as rows, and clauses. */
#ifndef PW_MODEL_LAW_ROWS_H
#define PW_MODEL_LAW_ROWS_H

#include "model/check.h"

/* Checks one member and adds its rows; `name` is "link[3]" or the name of the law. */
typedef bool (*pw_member_fn)(pw_check *ck, const char *name);

/* Calls `member` for each member of the family in the current law statement (once if it is none),
 * with the index in scope, and then defines the name. Stops at the first member with an error. */
void pw_law_members(pw_check *ck, pw_member_fn member);

#define PW_NO_CLAUSES               \
  ((pw_clauses){.restitution = -1,  \
                .on = -1,           \
                .mu = -1,           \
                .mu_ratio = 1,      \
                .bound = -1,        \
                .static_bound = -1, \
                .stiffness = -1,    \
                .preload = -1,      \
                .play_lo = -1,      \
                .play_hi = -1,      \
                .damping = -1,      \
                .viscous = -1,      \
                .below = -1,        \
                .above = -1,        \
                .phase = -1,        \
                .several = -1,      \
                .phi = -1})

/* What a component of a law is, apart from its value. */
typedef struct pw_row_draft {
  pw_kind kind;
  pw_clauses clause;
} pw_row_draft;

/* One row per component. A row whose force would be identically zero is an error. */
bool pw_add_rows(pw_check *ck, const char *name, const pw_row_draft *drafts, const pw_val *value,
                 pw_span span);

/* left - right, right - left for <=, as a list of components. */
bool pw_elab_relation(pw_check *ck, const pw_rel *rel, pw_val *out);

const pw_clause *pw_find_clause(const pw_stmt *s, pw_clause_kind kind);

/* E0203: the clause does nothing here. Returns false. */
bool pw_no_effect(pw_check *ck, const pw_clause *clause, const char *fmt, ...) PW_PRINTF(3, 4);
/* E0204: two clauses exclude each other. Returns false. */
bool pw_exclude(pw_check *ck, const pw_clause *a, const pw_clause *b, const char *why);

/* The value of a clause with one number; if it is constant it must lie in lo..hi. */
bool pw_clause_value(pw_check *ck, const pw_clause *clause, double lo, double hi, pw_node *out);

/* Friction `mu m on j` where j is an equality, a list of them or a joint: check_loaded.c. */
bool pw_is_on_equalities(pw_check *ck, const pw_ex *on, bool *answer); /* false: an error */
bool pw_check_loaded(pw_check *ck, const pw_clause *mu, const pw_clause *stick, pw_clauses *out);
/* `static` is not smaller than the sliding value, where both are constant. */
bool pw_check_static(pw_check *ck, const pw_clause *c, pw_node sliding, pw_node *out);

/* The gradient by the velocities does not contain them. */
bool pw_slip_is_linear(pw_check *ck, pw_node slip);

/* E0219: the set of states with value >= 0 has a corner that points into it. */
bool pw_check_corner(pw_check *ck, const char *name, pw_node value, bool on_velocity);

/* Faces where the gaps of contacts from a row on jump, as contacts: flank.c. */
void pw_add_flanks(pw_check *ck, int first);
/* Whether a reference names a face, `tip.low`: its row. */
bool pw_face_row(pw_check *ck, const pw_ex *ref, int *row, int *n);
/* The face `low` or `high` of a row; NULL: it has none. */
const pw_row *pw_face_named(const pw_check *ck, int row, const char *name);

#endif
