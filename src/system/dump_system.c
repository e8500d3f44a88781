// SPDX-License-Identifier: MIT
/* The system for people. Nothing here touches the graph's scratch memory: a system may be dumped
 * while others use it. */
#include <stdlib.h>

#include "system/lagrange.h"

enum { WRITTEN_OUT = 120 }; /* nodes of an expression that is printed as text */

typedef struct dumper {
  pw_buf *out;
  const pw_system *sys;
  int *size; /* of each node written out, up to WRITTEN_OUT + 1; NULL without memory */
} dumper;

static int arity(pw_op op) {
  static const int table[] = {
#define ARITY(name, n, text) n,
      PW_OP_LIST(ARITY)
#undef ARITY
  };
  return table[op];
}

static const char *op_text(pw_op op) {
  static const char *const table[] = {
#define TEXT(name, n, text) text,
      PW_OP_LIST(TEXT)
#undef TEXT
  };
  return table[op];
}

static const char *var_name(void *payload, int v) {
  const pw_system *sys = payload;
  return pw_model_var_name(sys->model, v);
}

static void *payload_of(const pw_system *sys) {
  union {
    const pw_system *in;
    void *out;
  } cast = {.in = sys}; /* var_name only reads it */
  return cast.out;
}

static void measure(dumper *d) {
  const pw_dag *dag = d->sys->model->dag;
  int n = pw_dag_size(dag);
  d->size = calloc((size_t)n + 1, sizeof *d->size);
  d->out->failed = d->out->failed || d->size == NULL;
  for (pw_node a = 0; d->size != NULL && a < n; a++) {
    int sum = 1;
    for (int k = 0; k < arity(pw_node_op(dag, a)); k++) {
      sum += d->size[pw_node_arg(dag, a, k)];
    }
    d->size[a] = sum > WRITTEN_OUT ? WRITTEN_OUT + 1 : sum;
  }
}

static void write_node(dumper *d, pw_node a) {
  if (d->size != NULL && d->size[a] <= WRITTEN_OUT) {
    pw_node_print(d->out, d->sys->model->dag, a, var_name, payload_of(d->sys));
  } else {
    pw_buf_printf(d->out, "[node %d]", a);
  }
  pw_buf_puts(d->out, "\n");
}

static void write_motion(dumper *d) {
  const pw_model *m = d->sys->model;
  const pw_equations *eq = d->sys->eq;
  const pw_node *M = eq->M;
  for (int j = 0; j < m->nv; j++) {
    for (int i = j; i < m->nv; i++, M++) {
      if (!pw_is_value(m->dag, *M, 0)) {
        pw_buf_printf(d->out, "M[%s, %s] = ", m->u_name[i], m->u_name[j]);
        write_node(d, *M);
      }
    }
  }
  for (int i = 0; i < m->nv; i++) {
    pw_buf_printf(d->out, "h[%s] = ", m->u_name[i]);
    write_node(d, eq->h[i]);
  }
}

static void write_row(dumper *d, int i) {
  const pw_model *m = d->sys->model;
  const pw_equations *eq = d->sys->eq;
  const pw_row *row = &m->rows.items[d->sys->row_of[i]];
  pw_buf_printf(d->out, "row %s (%s): ", row->name, pw_kind_name(row->kind));
  write_node(d, eq->value[i]);
  for (int j = 0; j < m->nv; j++) {
    pw_node J = eq->J[(size_t)i * (size_t)m->nv + (size_t)j];
    if (!pw_is_value(m->dag, J, 0)) {
      pw_buf_printf(d->out, "  J[%s] = ", m->u_name[j]);
      write_node(d, J);
    }
  }
  pw_buf_puts(d->out, "  zeta = ");
  write_node(d, eq->zeta[i]);
}

void pw_system_dump(pw_buf *out, const pw_system *system) {
  dumper d = {.out = out, .sys = system};
  measure(&d);
  pw_buf_printf(out, "positions %d, velocities %d, equality rows %d (%d on positions)\n",
                system->nq, system->nv, system->nc, system->np);
  pw_buf_printf(out, "graph %d nodes, motion tape %d instructions, %d registers\n",
                pw_dag_size(system->model->dag), pw_tape_length(system->motion),
                pw_tape_registers(system->motion));
  write_motion(&d);
  for (int i = 0; i < system->nr; i++) {
    write_row(&d, i);
  }
  for (int k = 0; k < system->n_work; k++) {
    pw_buf_printf(out, "ledger %s%s\n", system->work[k].name,
                  system->work[k].lost ? " (lost)" : "");
  }
  free(d.size);
}

void pw_system_dump_dag(pw_buf *out, const pw_system *system) {
  const pw_dag *dag = system->model->dag;
  for (pw_node a = 0; a < pw_dag_size(dag); a++) {
    pw_op op = pw_node_op(dag, a);
    pw_buf_printf(out, "%d: ", a);
    if (op == PW_OP_CONST) {
      pw_buf_real(out, pw_node_value(dag, a));
    } else if (op == PW_OP_VAR) {
      pw_buf_puts(out, pw_model_var_name(system->model, pw_node_var(dag, a)));
    } else {
      pw_buf_puts(out, op_text(op));
    }
    if (op == PW_OP_POWI) {
      pw_buf_printf(out, " %d", pw_node_int(dag, a));
    }
    for (int k = 0; k < arity(op); k++) {
      pw_buf_printf(out, " %d", pw_node_arg(dag, a, k));
    }
    pw_buf_puts(out, "\n");
  }
}
