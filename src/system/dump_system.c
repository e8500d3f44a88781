// SPDX-License-Identifier: MIT
/* The system for people. Nothing here touches the graph's scratch memory: a system may be dumped
 * while others use it. */
#include <stdlib.h>

#include "system/lagrange.h"

enum { WRITTEN_OUT = 120 }; /* nodes of an expression that is printed as text */

typedef struct dumper {
  pw_buf *out;
  const pw_system *sys;
  int *size;           /* of each node written out, named parts as one */
  int *number;         /* of each node that is a part with a name; -1: not needed so far; 0: none */
  unsigned char *told; /* its definition is written */
  int parts;
  pw_buf label;
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

/* Every node gets an expression of at most WRITTEN_OUT nodes: where it would be longer, its longer
 * operand becomes a part with a name. Operands have smaller numbers, so one pass does it. */
static void measure(dumper *d) {
  const pw_dag *dag = d->sys->model->dag;
  int n = pw_dag_size(dag);
  d->size = calloc((size_t)n + 1, sizeof *d->size);
  d->number = calloc((size_t)n + 1, sizeof *d->number);
  d->told = calloc((size_t)n + 1, 1);
  d->out->failed = d->out->failed || d->size == NULL || d->number == NULL || d->told == NULL;
  for (pw_node a = 0; !d->out->failed && a < n; a++) {
    int arguments = arity(pw_node_op(dag, a)), sum;
    do {
      int longest = -1;
      sum = 1;
      for (int k = 0; k < arguments; k++) {
        pw_node arg = pw_node_arg(dag, a, k);
        int size = d->number[arg] != 0 ? 1 : d->size[arg];
        sum += size;
        longest = size > 1 && (longest < 0 || size > d->size[longest]) ? arg : longest;
      }
      if (sum <= WRITTEN_OUT || longest < 0) {
        break;
      }
      d->number[longest] = -1; /* a name, once it is needed */
    } while (true);
    d->size[a] = sum;
  }
}

static void write_text(dumper *d, pw_node a) {
  pw_node_print_parts(d->out, d->sys->model->dag, a, var_name, payload_of(d->sys), d->number);
  pw_buf_puts(d->out, "\n");
}

/* The named parts below a node, each after the parts it contains, that were not written yet. Parts
 * of parts are found upwards: their nodes have smaller numbers. */
static void write_parts(dumper *d, pw_node a) {
  const pw_dag *dag = d->sys->model->dag;
  unsigned char *below = calloc((size_t)a + 1, 1);
  if (below == NULL) {
    d->out->failed = true;
    return;
  }
  below[a] = 1;
  for (pw_node k = a; k >= 0; k--) {
    for (int i = 0; below[k] && i < arity(pw_node_op(dag, k)); i++) {
      below[pw_node_arg(dag, k, i)] = 1;
    }
  }
  for (pw_node k = 0; k < a; k++) {
    if (below[k] && d->number[k] != 0 && !d->told[k]) {
      d->told[k] = 1;
      d->number[k] = ++d->parts;
      pw_buf_printf(d->out, "e%d = ", d->parts);
      write_text(d, k);
    }
  }
  free(below);
}

static void write_node(dumper *d, const char *before, pw_node a) {
  if (d->out->failed) {
    return;
  }
  write_parts(d, a);
  pw_buf_puts(d->out, before);
  write_text(d, a);
}

static const char *label(dumper *d, const char *before, const char *name, const char *middle,
                         const char *other, const char *after) {
  d->label.len = 0;
  pw_buf_printf(&d->label, "%s%s%s%s%s", before, name, middle, other, after);
  d->out->failed = d->out->failed || d->label.failed;
  return d->label.failed ? "" : d->label.text;
}

static void write_motion(dumper *d) {
  const pw_model *m = d->sys->model;
  const pw_equations *eq = d->sys->eq;
  for (int j = 0; j < m->nv; j++) {
    for (int e = eq->mass.start[j]; e < eq->mass.start[j + 1]; e++) {
      if (!pw_is_value(m->dag, eq->M[e], 0)) {
        const char *row = m->u_name[eq->mass.index[e]];
        write_node(d, label(d, "M[", row, ", ", m->u_name[j], "] = "), eq->M[e]);
      }
    }
  }
  for (int i = 0; i < m->nv; i++) {
    write_node(d, label(d, "h[", m->u_name[i], "", "", "] = "), eq->h[i]);
  }
}

static void write_row(dumper *d, int i) {
  const pw_model *m = d->sys->model;
  const pw_equations *eq = d->sys->eq;
  const pw_row *row = &m->rows.items[d->sys->row_of[i]];
  write_node(d, label(d, "row ", row->name, " (", pw_kind_name(row->kind), "): "), eq->value[i]);
  for (int e = eq->rows.start[i]; e < eq->rows.start[i + 1]; e++) {
    if (!pw_is_value(m->dag, eq->J[e], 0)) {
      write_node(d, label(d, "  J[", m->u_name[eq->rows.index[e]], "", "", "] = "), eq->J[e]);
    }
  }
  write_node(d, "  zeta = ", eq->zeta[i]);
}

void pw_system_dump(pw_buf *out, const pw_system *system) {
  dumper d = {.out = out, .sys = system};
  measure(&d);
  pw_buf_printf(out, "positions %d, velocities %d, equality rows %d (%d on positions)\n",
                system->nq, system->nv, system->nc, system->np);
  pw_buf_printf(out, "graph %d nodes, motion tape %d instructions, %d registers\n",
                pw_dag_size(system->model->dag), pw_tape_length(system->tape.motion),
                pw_tape_registers(system->tape.motion));
  write_motion(&d);
  for (int i = 0; i < system->nr; i++) {
    write_row(&d, i);
  }
  for (int k = 0; k < system->n_work; k++) {
    pw_buf_printf(out, "ledger %s%s\n", system->work[k].name,
                  system->work[k].lost ? " (lost)" : "");
  }
  free(d.size);
  free(d.number);
  free(d.told);
  pw_buf_free(&d.label);
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
