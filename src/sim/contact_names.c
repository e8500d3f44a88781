// SPDX-License-Identifier: MIT
/* What events of contacts are called, and their flags. */
#include "sim/contact.h"

const char *pw_contact_kind_name(pw_contact_kind kind) {
  static const char *const names[] = {"impact", "close", "liftoff", "engage",  "release",
                                      "rest",   "stick", "slip",    "reverse", "stop"};
  return names[kind];
}

#define WITH(head, comma)                                                        \
  {                                                                              \
    head, head comma "ENERGY_INCREASE", head comma "ADHESIVE",                   \
        head comma "ENERGY_INCREASE,ADHESIVE", head comma "AMBIGUOUS",           \
        head comma "ENERGY_INCREASE,AMBIGUOUS", head comma "ADHESIVE,AMBIGUOUS", \
        head comma "ENERGY_INCREASE,ADHESIVE,AMBIGUOUS"                          \
  }

const char *pw_contact_flag(const pw_contact_event *e) {
  if (e->kind == PW_LOST) {
    return "UNCONTROLLABLE";
  }
  if (e->indifferent) { /* of an event without a jump */
    return "INDIFFERENT";
  }
  static const char *const names[][8] = {WITH("", ""), WITH("IMPACT_WITHOUT_COLLISION", ","),
                                         WITH("SEVERAL_MOTIONS", ","), WITH("NOT_UNIQUE", ",")};
  int head = e->jams ? 1 : e->chosen ? 2 : e->shared ? 3 : 0;
  const char *name =
      names[head][(e->gains ? 1 : 0) + (e->adhesive ? 2 : 0) + (e->ambiguous ? 4 : 0)];
  return name[0] == '\0' ? NULL : name;
}

bool pw_contacts_indifferent(const pw_contacts *c, int law) {
  const pw_law_form *form = &c->watch.s->mech->sys->law[law];
  return form->wall && !pw_is_rough(form) && c->mode[law] == PW_OPEN && c->modes.undecided[law];
}
