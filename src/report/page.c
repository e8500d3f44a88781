// SPDX-License-Identifier: MIT
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "report/about.h"
#include "report/autodraw.h"
#include "report/encode.h"
#include "report/page.h"
#include "report/place.h"

/* Bytes of a number: all of it while there are few, then as many as show 7 and 6 digits. */
enum { EXACT = 8, FINE = 6, COARSE = 5, DRAWN = 4, ROUGH = 3, MODE = 2 };
enum { MOST_EXACT = 100000, MOST_FINE = 160000 };

/* ---- the model ---- */

typedef struct picture { /* the model as run, with drawings added to it */
  pawl_model *model;
  pawl_system *system;
  pw_buf lines;                /* those that were added */
  int first_auto, first_force; /* of the drawings that were added */
  int *alone;                  /* of each law, see about.h */
  const char *trouble;
} picture;

/* Whether the system is that of the trajectory: same names in the same order. */
static bool fits(const pawl_system *sys, const pw_shape *s) {
  bool same = pawl_system_positions(sys) == s->nq && pawl_system_velocities(sys) == s->nv &&
              pawl_system_laws(sys) == s->n_law && pawl_system_outputs(sys) == s->n_out;
  for (int i = 0; i < s->nq && same; i++) {
    same = strcmp(pawl_position_name(sys, i), s->column[1 + i]) == 0;
  }
  for (int i = 0; i < s->n_law && same; i++) {
    same = strcmp(pawl_law_get(sys, i).name, s->law[i]) == 0;
  }
  return same;
}

static pawl_status compile(const char *text, size_t count, const char *folder, pawl_model **model,
                           pawl_system **system) {
  pawl_diags *diags = NULL;
  pawl_status status = pawl_diags_new(&diags);
  if (status == PAWL_OK) {
    status = pawl_model_parse(text, count, &(pawl_model_opts){.folder = folder}, diags, model);
  }
  if (status == PAWL_OK) {
    status = pawl_system_new(*model, &(pawl_system_opts){.no_start = 1}, diags, system);
  }
  status = diags != NULL && pw_diags_lost(diags) ? PAWL_E_MEMORY : status;
  pawl_diags_free(diags);
  return status;
}

static void drop(picture *p) {
  pawl_system_free(p->system);
  pawl_model_free(p->model);
  pw_buf_free(&p->lines);
  free(p->alone);
}

static void find_alone(pawl_system *system, void *payload) {
  const pw_model *m = system->model;
  for (int i = 0; i < m->rows.n; i++) {
    const pw_row *row = &m->rows.items[i];
    ((int *)payload)[i] = row->kind == PW_KIND_UNILATERAL ? pw_place_alone(m, row->value) : -1;
  }
}

static pawl_status see_alone(picture *p) {
  p->alone = calloc((size_t)pawl_system_laws(p->system) + 1, sizeof *p->alone);
  return p->alone == NULL ? PAWL_E_MEMORY : pw_place_guard(p->system, find_alone, p->alone);
}

/* The model with these lines added in place of the model alone. The first system is dropped before
 * the second one is made: each takes as much memory as the model itself. */
static pawl_status replace(const pw_report_source *x, const pw_buf *lines, picture *p) {
  pw_buf text = {0};
  pw_buf_add(&text, x->model, x->model_len);
  pw_buf_puts(&text, "\n");
  pw_buf_add(&text, lines->text, lines->len);
  drop(p);
  *p = (picture){0};
  pawl_status status =
      text.failed ? PAWL_E_MEMORY : compile(text.text, text.len, x->folder, &p->model, &p->system);
  pw_buf_free(&text);
  return status;
}

/* An automatic picture for a model without drawings, if it shows enough. Added lines that do not
 * compile are dropped; the model itself compiled. */
static pawl_status add_shapes(const pw_report_source *x, picture *p) {
  pw_buf lines = {0};
  bool enough = false;
  pawl_status status = pw_autodraw_shapes(p->system, &lines);
  if (status == PAWL_OK && lines.len > 0) {
    status = replace(x, &lines, p);
    status = status == PAWL_OK ? pw_autodraw_covers(p->system, &enough) : status;
    if (enough) {
      p->lines = lines;
      return status;
    }
    drop(p);
    *p = (picture){0};
    if (status != PAWL_E_MEMORY) {
      status = compile(x->model, x->model_len, x->folder, &p->model, &p->system);
    }
  }
  pw_buf_free(&lines);
  return status == PAWL_E_MEMORY || p->system == NULL ? status : PAWL_OK;
}

static pawl_status prepare(const pw_report_source *x, picture *p) {
  *p = (picture){0};
  pawl_status status = compile(x->model, x->model_len, x->folder, &p->model, &p->system);
  if (status == PAWL_E_MEMORY) {
    return status;
  }
  if (status != PAWL_OK || !fits(p->system, x->motion->shape)) {
    p->trouble = status == PAWL_OK
                     ? "model.pawl is not the model of this motion: there is nothing to draw"
                     : "model.pawl cannot be compiled: there is nothing to draw";
    pawl_system_free(p->system);
    p->system = NULL;
    return PAWL_OK;
  }
  p->first_auto = pawl_system_draws(p->system);
  status = p->first_auto == 0 ? add_shapes(x, p) : PAWL_OK;
  p->first_force = pawl_system_draws(p->system);
  status = status == PAWL_OK ? see_alone(p) : status;
  return status == PAWL_OK && p->first_force > 0 ? pw_autodraw_forces(p->system) : status;
}

/* ---- data ---- */

static int bytes_of(const pw_gathered *g, int column) {
  double numbers = (double)g->rows.n * g->energy;
  int fine = numbers <= MOST_EXACT ? EXACT : numbers <= MOST_FINE ? FINE : COARSE;
  bool mode = column >= g->mode && column < g->plot;
  bool energy = column >= g->energy && column < g->mode;
  return column == 0             ? EXACT
         : mode                  ? MODE
         : column >= g->draw     ? DRAWN
         : energy && fine > FINE ? FINE
                                 : fine;
}

/* As pw_fnv1a, number by number: columns with the same hash are compared. */
static uint64_t hash_of(const double *x, int64_t n) {
  uint64_t hash = PW_FNV_START;
  for (int64_t i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, x + i, sizeof bits);
    hash = (hash ^ bits) * PW_FNV_PRIME;
    hash ^= hash >> 32; /* a product moves nothing down */
  }
  return hash;
}

/* An earlier column of the same numbers, or -1. Plots repeat coordinates, drawings repeat points.
 */
static int find_same(const pw_report_table *t, const pw_stored *stored, uint64_t *hash, int i) {
  size_t size = (size_t)t->n * sizeof *t->cell;
  const double *x = pw_report_column(t, i);
  hash[i] = hash_of(x, t->n);
  for (int k = 0; k < i; k++) {
    if (stored[k].same < 0 && hash[k] == hash[i] && stored[k].bytes >= stored[i].bytes &&
        memcmp(pw_report_column(t, k), x, size) == 0) {
      return k;
    }
  }
  return -1;
}

static pawl_status store_rows(pw_buf *out, const pw_gathered *g, pw_stored *stored) {
  uint64_t *hash = calloc((size_t)g->columns + 1, sizeof *hash);
  if (hash == NULL) {
    return PAWL_E_MEMORY;
  }
  for (int i = 0; i < g->columns; i++) {
    stored[i].bytes = bytes_of(g, i);
    stored[i].same = find_same(&g->rows, stored, hash, i);
    if (stored[i].same < 0) {
      stored[i].order =
          pw_encode_column(out, pw_report_column(&g->rows, i), g->rows.n, stored[i].bytes);
    }
  }
  free(hash);
  return PAWL_OK;
}

static void store_events(pw_buf *out, const pw_gathered *g, pw_stored *stored) {
  for (int i = 0; i < PW_EVENT_COLUMNS; i++) {
    bool whole = i == PW_EVENT_KIND || i == PW_EVENT_AT || i == PW_EVENT_FLAG;
    int bytes = whole ? DRAWN : i == PW_EVENT_TIME || i == PW_EVENT_CLUSTER ? EXACT : FINE;
    stored[i] = (pw_stored){.bytes = bytes, .same = -1};
    stored[i].order = pw_encode_column(out, pw_report_column(&g->events, i), g->events.n, bytes);
  }
}

static void store_meetings(pw_buf *out, const pw_report_table *t, pw_stored *stored) {
  for (int i = 0; i < PW_MEETING_COLUMNS && t->n > 0; i++) {
    bool whole = i == PW_MEETING_ROW || i == PW_MEETING_PLACE;
    stored[i] = (pw_stored){.bytes = whole                  ? DRAWN
                                     : i == PW_MEETING_MODE ? MODE
                                                            : ROUGH,
                            .same = -1};
    stored[i].order = pw_encode_column(out, pw_report_column(t, i), t->n, stored[i].bytes);
  }
}

enum { HEAD, NUMBERS, JOINED };

/* Two texts that follow each other: the length of the JSON as 4 bytes and the JSON; the columns of
 * the rows, those of the events, those of the points at which shapes press. */
static pawl_status join(const picture *p, const pw_report_source *x, const pw_gathered *g,
                        pw_buf out[JOINED]) {
  pw_stored *stored =
      calloc((size_t)g->columns + PW_EVENT_COLUMNS + PW_MEETING_COLUMNS, sizeof *stored);
  if (stored == NULL) {
    return PAWL_E_MEMORY;
  }
  pw_buf text = {0};
  pawl_status status = store_rows(&out[NUMBERS], g, stored);
  store_events(&out[NUMBERS], g, stored + g->columns);
  store_meetings(&out[NUMBERS], &g->meetings.table, stored + g->columns + PW_EVENT_COLUMNS);

  const pw_about about = {.source = x,
                          .system = p->system,
                          .trouble = p->trouble,
                          .first_auto = p->first_auto,
                          .first_force = p->first_force,
                          .auto_lines = p->lines.len > 0 ? p->lines.text : "",
                          .alone = p->alone,
                          .data = g,
                          .rows = stored,
                          .events = stored + g->columns,
                          .meetings = stored + g->columns + PW_EVENT_COLUMNS};
  pw_about_json(&text, &about);
  for (int k = 0; k < 4; k++) {
    char byte = (char)(text.len >> (8 * k) & 0xff);
    pw_buf_add(&out[HEAD], &byte, 1);
  }
  pw_buf_add(&out[HEAD], text.text, text.len);
  if (out[NUMBERS].failed || text.failed || out[HEAD].failed) {
    status = PAWL_E_MEMORY;
  }
  free(stored);
  pw_buf_free(&text);
  return status;
}

/* ---- the page ---- */

static void put_escaped(pw_buf *out, const char *text) {
  for (; *text != '\0'; text++) {
    switch (*text) {
    case '<': pw_buf_puts(out, "&lt;"); break;
    case '>': pw_buf_puts(out, "&gt;"); break;
    case '&': pw_buf_puts(out, "&amp;"); break;
    case '"': pw_buf_puts(out, "&quot;"); break;
    default: pw_buf_add(out, text, 1);
    }
  }
}

typedef struct filling { /* the texts for the placeholders of the template */
  const char *title;
  const pw_buf *data;
} filling;

static pawl_status put_page(const filling *f, pw_writer *out) {
  static const char *const places[] = {"@PAWL_TITLE@", "@PAWL_PACKING@", "@PAWL_DATA@"};
  const char *at = (const char *)pw_page;
  for (int i = 0; i < 3; i++) {
    const char *next = strstr(at, places[i]);
    if (next == NULL) {
      return PAWL_E_ARGUMENT; /* the tests look for them */
    }
    pw_buf_add(&out->buf, at, (size_t)(next - at));
    if (i == 0) {
      put_escaped(&out->buf, f->title);
    } else if (i == 1) {
      pw_buf_puts(&out->buf, pw_encode_packing());
    } else {
      pw_encode_text(&out->buf, f->data->text, f->data->len);
    }
    at = next + strlen(places[i]);
  }
  pw_buf_puts(&out->buf, at);
  return out->buf.failed ? PAWL_E_MEMORY : pw_writer_check(out);
}

pawl_status pw_report_write(const pw_report_source *source, pw_writer *out) {
  picture p;
  pw_gathered data = {0};
  pw_buf joined[JOINED] = {{0}}, packed = {0};
  pawl_status status = prepare(source, &p);
  if (status == PAWL_OK) {
    status = pw_gather(source, p.system, &data);
  }
  if (status == PAWL_OK) {
    status = join(&p, source, &data, joined);
  }
  pw_gathered_free(&data);
  if (status == PAWL_OK) {
    status = pw_encode_pack(&packed, joined, JOINED);
  }
  pw_buf_free(&joined[HEAD]);
  pw_buf_free(&joined[NUMBERS]);
  if (status == PAWL_OK) {
    const char *title = pawl_system_title(p.system);
    status = put_page(&(filling){title == NULL ? "Pawl report" : title, &packed}, out);
  }
  pw_buf_free(&packed);
  drop(&p);
  return status;
}
