// SPDX-License-Identifier: MIT
/* Laws that are understood but that this version cannot run. */
#include "model/model.h"

static const char *keyword_of(const pw_stmt *s) {
  switch (s->kind) {
  case PW_ST_CONSTRAINT: return "constraint";
  case PW_ST_FRICTION: return "friction";
  case PW_ST_SPRING: return "spring";
  case PW_ST_LAW: return "law";
  default: return "servo";
  }
}

/* NULL: it runs. */
static const char *why_not(const pw_row *row) {
  bool three = row->kind == PW_KIND_FRICTION && row->count > 2 && row->clause.on >= 0;
  return three && 0 ? "a slip on a contact of three components that span no plane" : NULL;
}

bool pw_model_refuse(const pw_model *model, pawl_diags *diags) {
  const pw_stmt *last = NULL;
  bool ok = true;
  for (int i = 0; i < model->rows.n; i++) {
    const pw_row *row = &model->rows.items[i];
    const char *why = why_not(row);
    if (why == NULL || row->stmt == last) {
      continue;
    }
    last = row->stmt;
    ok = false;
    pw_diag_ref d = pw_error(diags, "E0901", row->span,
                             "%s `%s` is understood but cannot be run by this version yet",
                             keyword_of(row->stmt), row->stmt->u.law.label.name.text);
    pw_label(d, "%s: %s", pw_kind_name(row->kind), pw_kind_about(row->kind));
    pw_help(d, "`pawl check` accepts the model; `pawl run` does not support yet: friction with %s",
            why);
  }
  return ok;
}
