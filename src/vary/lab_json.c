// SPDX-License-Identifier: MIT
/* Access to a laboratory, and all of it as JSON. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "vary/lab.h"
#include "verify/checker.h"

static bool obeys(const pawl_lab_family *f) {
  return f->holds != 0 || f->at_end;
}

/* The reported norms: of the caller's variation, else of the worst. */
static const pw_lab_entry *shown(const pawl_lab *l) {
  return l->of_user != NULL ? l->of_user : &l->worst;
}

pawl_lab_info pawl_lab_info_get(const pawl_lab *l) {
  if (l == NULL) {
    return (pawl_lab_info){.from = NAN, .to = NAN, .action = NAN};
  }
  pawl_lab_info out = {.from = l->rows[0],
                       .to = l->rows[(ptrdiff_t)(l->n - 1) * l->stride],
                       .action = l->action,
                       .steps = l->steps,
                       .corners = l->corners,
                       .weak_norm = shown(l)->norm[0],
                       .strong_norm = shown(l)->norm[1],
                       .weak_holds = obeys(&l->worst.family),
                       .strong_holds = 1,
                       .user_holds = l->of_user == NULL ? -1 : l->of_user->family.holds};
  for (int i = 0; i < l->n_entry; i++) {
    const pawl_lab_family *f = &l->entry[i].family;
    bool weak = strcmp(f->kind, "weak") == 0, strong = strcmp(f->kind, "strong") == 0;
    out.weak_holds = out.weak_holds && (!weak || obeys(f));
    out.strong_holds = out.strong_holds && (!strong || obeys(f));
  }
  return out;
}

int pawl_lab_families(const pawl_lab *l) {
  return l == NULL ? 0 : l->n_entry;
}

static pawl_lab_family family_of(const pw_lab_entry *x) {
  pawl_lab_family f = x->family;
  f.along = x->along;
  return f;
}

static const pawl_lab_family nothing = {.kind = "",
                                        .along = "",
                                        .principle = "",
                                        .from = NAN,
                                        .to = NAN,
                                        .value = NAN,
                                        .by_formula = NAN,
                                        .tolerance = NAN,
                                        .size = NAN,
                                        .t = NAN,
                                        .holds = -1};

pawl_lab_family pawl_lab_family_get(const pawl_lab *l, int i) {
  return l == NULL || i < 0 || i >= l->n_entry ? nothing : family_of(&l->entry[i]);
}

pawl_lab_family pawl_lab_worst(const pawl_lab *l) {
  return l == NULL || l->worst.family.kind == NULL ? nothing : family_of(&l->worst);
}

const double *pawl_lab_momentum(const pawl_lab *l, int end) {
  return l == NULL || end < 0 || end > 1 ? NULL : l->ends + end * (l->sys->nv + 1);
}

double pawl_lab_energy(const pawl_lab *l, int end) {
  const double *p = pawl_lab_momentum(l, end);
  return p == NULL ? NAN : p[l->sys->nv];
}

void pawl_lab_name(const pawl_lab *l, int i, char *text, size_t room) {
  if (text != NULL && room > 0) {
    text[0] = '\0';
    if (l != NULL && i >= 0 && i < l->sys->nv) {
      pw_certify_name(l->sys->model, i, text, room);
    }
  }
}

int pawl_lab_conserved_count(const pawl_lab *l) {
  return l == NULL ? 0 : pawl_symmetries_count(l->symmetries);
}

pawl_lab_conserved pawl_lab_conserved_get(const pawl_lab *l, int i) {
  if (i < 0 || i >= pawl_lab_conserved_count(l)) {
    return (pawl_lab_conserved){"", NAN, NAN};
  }
  return (pawl_lab_conserved){pawl_symmetry_text(l->symmetries, i), l->kept[2 * i],
                              l->kept[2 * i + 1]};
}

/* ---- JSON ---- */

static void put_conserved(pw_buf *out, const pawl_lab *l) {
  pw_buf_puts(out, ",\"conserved\":[");
  for (int i = 0; i < pawl_lab_conserved_count(l); i++) {
    pawl_lab_conserved c = pawl_lab_conserved_get(l, i);
    pw_buf_puts(out, i == 0 ? "{\"quantity\":" : ",{\"quantity\":");
    pw_buf_json(out, c.text);
    pw_buf_json_or_null(out, ",\"start\":", c.start);
    pw_buf_json_or_null(out, ",\"drift\":", c.drift);
    pw_buf_puts(out, "}");
  }
  pw_buf_puts(out, "]");
}

static void put_family(pw_buf *out, const pw_lab_entry *x) {
  const pawl_lab_family *f = &x->family;
  pw_buf_printf(out, "{\"kind\":\"%s\",\"along\":", f->kind);
  pw_buf_json(out, x->along);
  pw_buf_puts(out, ",\"principle\":");
  pw_buf_json(out, f->principle);
  pw_buf_json_or_null(out, ",\"from\":", f->from);
  pw_buf_json_or_null(out, ",\"to\":", f->to);
  pw_buf_json_or_null(out, ",\"value\":", f->value);
  pw_buf_json_or_null(out, ",\"by_formula\":", f->by_formula);
  pw_buf_json_or_null(out, ",\"tolerance\":", f->tolerance);
  pw_buf_json_or_null(out, ",\"size\":", f->size);
  pw_buf_json_or_null(out, ",\"t\":", f->t);
  pw_buf_printf(out, ",\"relation\":\"%s\",\"at_end\":%s,\"holds\":%s}",
                f->equality ? "=" : ">=", f->at_end ? "true" : "false",
                f->holds < 0    ? "null"
                : f->holds != 0 ? "true"
                                : "false");
}

static void put_end(pw_buf *out, const pawl_lab *l, int end) {
  const double *p = pawl_lab_momentum(l, end);
  pw_buf_printf(out, "\"%s\":{\"momentum\":{", end == 0 ? "start" : "end");
  for (int i = 0; i < l->sys->nv; i++) {
    char name[PW_LAB_NAME];
    pawl_lab_name(l, i, name, sizeof name);
    pw_buf_puts(out, i == 0 ? "" : ",");
    pw_buf_json(out, name);
    pw_buf_json_or_null(out, ":", p[i]);
  }
  pw_buf_json_or_null(out, "},\"energy\":", pawl_lab_energy(l, end));
  pw_buf_puts(out, "}");
}

static void put_all(pw_buf *out, const pawl_lab *l) {
  pawl_lab_info info = pawl_lab_info_get(l);
  pw_buf_json_or_null(out, "{\"from\":", info.from);
  pw_buf_json_or_null(out, ",\"to\":", info.to);
  pw_buf_printf(out, ",\"steps\":%" PRId64 ",\"corners\":%" PRId64, info.steps, info.corners);
  pw_buf_json_or_null(out, ",\"action\":", info.action);
  pw_buf_puts(out, ",\"families\":[");
  for (int i = 0; i < l->n_entry; i++) {
    pw_buf_puts(out, i == 0 ? "" : ",");
    put_family(out, &l->entry[i]);
  }
  pw_buf_puts(out, "],\"worst\":");
  if (l->worst.family.kind == NULL) {
    pw_buf_puts(out, "null");
  } else {
    put_family(out, &l->worst);
  }
  pw_buf_json_or_null(out, ",\"norm\":{\"weak\":", info.weak_norm);
  pw_buf_json_or_null(out, ",\"strong\":", info.strong_norm);
  pw_buf_printf(out, "},\"weak\":%s,\"strong\":%s,\"ends\":{", info.weak_holds ? "true" : "false",
                info.strong_holds ? "true" : "false");
  put_end(out, l, 0);
  pw_buf_puts(out, ",");
  put_end(out, l, 1);
  pw_buf_puts(out, "}");
  put_conserved(out, l);
  pw_buf_puts(out, "}\n");
}

pawl_status pawl_lab_json(const pawl_lab *l, pawl_sink sink, void *payload) {
  pw_buf out = {0};
  if (l == NULL || sink == NULL) {
    return PAWL_E_ARGUMENT;
  }
  put_all(&out, l);
  pawl_status status = out.failed ? PAWL_E_MEMORY : PAWL_OK;
  if (status == PAWL_OK && sink(payload, out.text, out.len) != 0) {
    status = PAWL_E_FILE;
  }
  pw_buf_free(&out);
  return status;
}
