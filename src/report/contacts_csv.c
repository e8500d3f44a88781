// SPDX-License-Identifier: MIT
/* contacts.csv: every contact between shapes that carries a force, row by row. */
#include "report/contacts_csv.h"

#include <stdint.h>
#include <stdlib.h>

#include "pawl/eval.h"
#include "pawl/picture.h"

typedef struct touches {
  pawl_eval *eval;
  double *numbers; /* PAWL_TOUCH_NUMBERS for each */
} touches;

static pawl_status begin(pw_sheet *s) {
  touches *own = calloc(1, sizeof *own);
  s->own = own;
  if (own == NULL) {
    return PAWL_E_MEMORY;
  }
  int n = pawl_system_touches(s->record->system);
  own->numbers = calloc((size_t)n * PAWL_TOUCH_NUMBERS + 1, sizeof *own->numbers);
  pw_buf_puts(&s->out.buf, "t,contact,pair,point,x,y,z,nx,ny,nz,fn,ftx,fty,ftz\n");
  return own->numbers == NULL ? PAWL_E_MEMORY : pawl_eval_new(s->record->system, &own->eval);
}

/* The force on the first shape: fn along the normal, ft across it. */
static void put(pw_buf *out, double t, const pawl_touch_info *x, const double *number,
                const double *force) {
  double across[3] = {0, 0, 0};
  for (int i = 0; i < x->slips; i++) {
    for (int k = 0; k < 3; k++) {
      across[k] += force[1 + i] * number[6 + 3 * i + k];
    }
  }
  pw_buf_real_17(out, t);
  pw_buf_puts(out, ",");
  pw_csv_field(out, x->contact);
  pw_buf_puts(out, ",");
  pw_csv_field(out, x->pair);
  pw_buf_printf(out, ",%d", x->point > 0 ? x->point : 1);
  for (int k = 0; k < 10; k++) {
    pw_buf_puts(out, ",");
    pw_buf_real_17(out, k < 6 ? number[k] : k == 6 ? force[0] : across[k - 7]);
  }
  pw_buf_puts(out, "\n");
}

static pawl_status take_row(pw_sheet *s, const pw_shape *shape, const double *row) {
  const pawl_system *system = s->record->system;
  touches *own = s->own;
  const double *q = row + 1, *u = q + shape->nq, *force = u + shape->nv;
  int n = pawl_system_touches(system);
  bool ready = false;
  for (int i = 0; i < n; i++) {
    pawl_touch_info x = pawl_touch_get(system, i);
    if (force[x.law] == 0) {
      continue;
    }
    if (!ready) {
      pawl_status status =
          pawl_eval_at(own->eval, &(pawl_eval_in){.k = 1, .t = row, .q = q, .u = u, .force = force},
                       &(pawl_eval_out){.touch = own->numbers});
      if (status == PAWL_E_MEMORY || status == PAWL_E_ARGUMENT) {
        return status;
      }
      ready = true;
    }
    put(&s->out.buf, row[0], &x, own->numbers + (size_t)i * PAWL_TOUCH_NUMBERS, force + x.law);
  }
  return pw_writer_check(&s->out);
}

static pawl_status take_touches(pw_sheet *s, pw_chunk_view *view) {
  pw_buf *out = &s->out.buf;
  int n = pw_shape_columns(view->shape);
  pw_touch_row x;
  while (pw_chunk_next_touch(view, &x) && x.row < view->n_row) {
    pw_buf_real_17(out, view->rows[(size_t)x.row * (size_t)n]);
    pw_buf_puts(out, ",");
    pw_csv_field(out, x.contact);
    pw_buf_puts(out, ",");
    pw_csv_field(out, x.first);
    pw_buf_puts(out, "-");
    pw_csv_field(out, x.second);
    pw_buf_printf(out, ",%d", x.point > 0 ? x.point : 1);
    for (int k = 0; k < PW_TOUCH_REALS; k++) {
      pw_buf_puts(out, ",");
      pw_buf_real_17(out, x.numbers[k]);
    }
    pw_buf_puts(out, "\n");
  }
  return view->touches.bad ? PAWL_E_FILE : pw_writer_check(&s->out);
}

static pawl_status take(pw_sheet *s, pw_chunk_view view) {
  pawl_status status = take_touches(s, &view);
  int n = pw_shape_columns(view.shape);
  for (int64_t i = 0; i < view.n_row && status == PAWL_OK; i++) {
    status = take_row(s, view.shape, view.rows + (size_t)i * (size_t)n);
  }
  return status;
}

static void drop(pw_sheet *s) {
  touches *own = s->own;
  if (own != NULL) {
    pawl_eval_free(own->eval);
    free(own->numbers);
    free(own);
  }
}

const pw_format pw_format_contacts_csv = {
    .streams = true, .begin = begin, .take = take, .drop = drop};
