// SPDX-License-Identifier: MIT
#include "expr/native_slots.h"

#include <stdlib.h>

#include "base/assert.h"

enum { WORD = 8 }; /* bytes of a double */

/* ---- values and who reads them ---- */

static int add_value(pw_slots *v, int *n, pw_x86_place home, bool stored) {
  v->value[*n] =
      (pw_native_value){.next = PW_NEVER, .xmm = -1, .home = home, .stored = stored, .out = -1};
  return (*n)++;
}

/* current: the value that each register of the tape holds. */
static void find_values(pw_slots *v, int *current) {
  const pw_tape *t = v->tape;
  int n = 0, at = 0;
  for (int i = 0; i < t->n_const; i++) {
    current[i] = add_value(v, &n, (pw_x86_place){PW_BASE_REG, i * WORD}, true);
  }
  for (int i = 0; i < t->n_in; i++) {
    pw_x86_place home = {PW_BASE_IN, t->input[i] * WORD};
    current[t->n_const + i] = add_value(v, &n, home, true);
  }
  for (int i = 0; i < t->length; i++) {
    pw_reads *r = &v->reads[i];
    at = pw_tape_decode(t, at, &r->x);
    for (int k = 0; k < pw_tape_op_reads(r->x.op); k++) {
      r->value[k] = current[r->x.arg[k]];
    }
    r->result[0] = add_value(v, &n, (pw_x86_place){PW_BASE_REG, r->x.d * WORD}, false);
    current[r->x.d] = r->result[0];
    r->result[1] = -1;
    if (r->x.d2 >= 0) {
      r->result[1] = add_value(v, &n, (pw_x86_place){PW_BASE_REG, r->x.d2 * WORD}, false);
      current[r->x.d2] = r->result[1];
    }
  }
}

/* Results that are outputs have their home there. */
static void find_outputs(pw_slots *v, const int *current) {
  const pw_tape *t = v->tape;
  for (int i = 0; i < t->n_out; i++) {
    v->next_out[i] = -1;
  }
  for (int i = t->n_moving - 1; i >= 0; i--) {
    int out = t->moving[i];
    pw_native_value *x = &v->value[current[t->output[out]]];
    v->next_out[out] = x->out;
    x->out = out;
    if (x->home.base != PW_BASE_IN) {
      x->home = (pw_x86_place){PW_BASE_OUT, out * WORD};
    }
  }
}

static void find_uses(pw_slots *v) {
  for (int i = v->tape->length - 1; i >= 0; i--) {
    pw_reads *r = &v->reads[i];
    int n = pw_tape_op_reads(r->x.op);
    for (int k = 0; k < n; k++) {
      r->after[k] = v->value[r->value[k]].next;
    }
    for (int k = 0; k < n; k++) {
      v->value[r->value[k]].next = i;
    }
  }
}

static void put_outputs(pw_slots *v, const pw_native_value *x, int xmm) {
  for (int out = x->out; out >= 0; out = v->next_out[out]) {
    pw_put_sse_at(v->code, PW_SSE_STORE, xmm, (pw_x86_place){PW_BASE_OUT, out * WORD});
  }
}

/* Outputs that are inputs. */
static void copy_inputs(pw_slots *v) {
  for (int i = 0; i < v->tape->n_in; i++) {
    const pw_native_value *x = &v->value[v->tape->n_const + i];
    if (x->out >= 0) {
      pw_put_sse_at(v->code, PW_SSE_LOAD, 0, x->home);
      put_outputs(v, x, 0);
    }
  }
}

bool pw_slots_open(pw_slots *v, const pw_tape *tape, pw_bytes *code) {
  size_t length = (size_t)tape->length, most = (size_t)(tape->n_const + tape->n_in) + 2 * length;
  *v = (pw_slots){.tape = tape, .code = code};
  v->value = malloc((most + 1) * sizeof *v->value);
  v->reads = malloc((length + 1) * sizeof *v->reads);
  v->next_out = malloc(((size_t)tape->n_out + 1) * sizeof *v->next_out);
  int *current = malloc(((size_t)tape->n_reg + 1) * sizeof *current);
  for (int x = 0; x < PW_XMM; x++) {
    v->holds[x] = -1;
  }
  bool done = v->value != NULL && v->reads != NULL && v->next_out != NULL && current != NULL;
  if (done) {
    find_values(v, current);
    find_outputs(v, current);
    find_uses(v);
    copy_inputs(v);
  }
  free(current);
  return done;
}

void pw_slots_close(pw_slots *v) {
  free(v->value);
  free(v->reads);
  free(v->next_out);
}

/* ---- registers ---- */

static int count_operands(const pw_slots *v) {
  return pw_tape_op_reads(v->reads[v->at].x.op);
}

static pw_native_value *operand(const pw_slots *v, int k) {
  return &v->value[v->reads[v->at].value[k]];
}

static int find_empty(const pw_slots *v) {
  for (int x = 0; x < PW_XMM; x++) {
    if (v->holds[x] < 0 && !(v->pinned >> x & 1u)) {
      return x;
    }
  }
  return -1;
}

static void leave(pw_slots *v, int xmm) {
  if (v->holds[xmm] >= 0) {
    v->value[v->holds[xmm]].xmm = -1;
    v->holds[xmm] = -1;
  }
}

static void store(pw_slots *v, pw_native_value *x) {
  if (!x->stored) {
    pw_put_sse_at(v->code, PW_SSE_STORE, x->xmm, x->home);
    x->stored = true;
  }
}

/* The value that is read last of all leaves its register. */
static int evict(pw_slots *v) {
  int worst = -1;
  for (int x = 0; x < PW_XMM; x++) {
    bool pinned = v->pinned >> x & 1u;
    if (!pinned && (worst < 0 || v->value[v->holds[x]].next > v->value[v->holds[worst]].next)) {
      worst = x;
    }
  }
  PW_ASSERT(worst >= 0);
  store(v, &v->value[v->holds[worst]]);
  leave(v, worst);
  return worst;
}

int pw_slots_take(pw_slots *v) {
  int x = find_empty(v);
  x = x >= 0 ? x : evict(v);
  v->pinned |= 1u << x;
  return x;
}

void pw_slots_begin(pw_slots *v, int instruction) {
  v->at = instruction;
  v->pinned = 0;
  int n = count_operands(v);
  for (int k = 0; k < n; k++) {
    const pw_native_value *x = operand(v, k);
    v->pinned |= x->xmm >= 0 ? 1u << x->xmm : 0;
  }
  for (int k = 0; k < n; k++) {
    pw_native_value *x = operand(v, k);
    int empty = x->xmm < 0 && v->reads[instruction].after[k] != PW_NEVER ? find_empty(v) : -1;
    if (empty >= 0) {
      pw_put_sse_at(v->code, PW_SSE_LOAD, empty, x->home);
      x->xmm = empty;
      v->holds[empty] = v->reads[instruction].value[k];
      v->pinned |= 1u << empty;
    }
  }
}

bool pw_slots_is_last(const pw_slots *v, int k) {
  const pw_reads *r = &v->reads[v->at];
  bool last = r->after[k] == PW_NEVER && operand(v, k)->xmm >= 0;
  for (int j = 0; j < count_operands(v); j++) {
    last = last && (j == k || r->value[j] != r->value[k]);
  }
  return last;
}

void pw_slots_apply(pw_slots *v, pw_sse op, int to, int k) {
  const pw_native_value *x = operand(v, k);
  PW_ASSERT(x->xmm >= 0 || x->stored);
  if (x->xmm >= 0) {
    pw_put_sse(v->code, op, to, x->xmm);
  } else {
    pw_put_sse_at(v->code, op == PW_SSE_COPY ? PW_SSE_LOAD : op, to, x->home);
  }
}

int pw_slots_copy(pw_slots *v, int k) {
  int xmm = operand(v, k)->xmm;
  if (pw_slots_is_last(v, k)) {
    leave(v, xmm);
    return xmm;
  }
  int to = pw_slots_take(v);
  pw_slots_apply(v, PW_SSE_COPY, to, k);
  return to;
}

/* ---- calls ---- */

static bool is_needed_later(const pw_slots *v, int value) {
  const pw_reads *r = &v->reads[v->at];
  for (int k = 0; k < count_operands(v); k++) {
    if (r->value[k] == value) {
      return r->after[k] != PW_NEVER;
    }
  }
  return v->value[value].next != PW_NEVER;
}

void pw_slots_pass(pw_slots *v) {
  for (int x = 0; x < PW_XMM; x++) {
    if (v->holds[x] >= 0 && is_needed_later(v, v->holds[x])) {
      store(v, &v->value[v->holds[x]]);
    }
  }
  enum { FREE = 2 }; /* everything is stored: any register but the two */
  int first = operand(v, 0)->xmm, second = count_operands(v) > 1 ? operand(v, 1)->xmm : 1;
  if (first == 1) { /* out of the way of the second */
    pw_put_sse(v->code, PW_SSE_COPY, second == 0 ? FREE : 0, 1);
  }
  if (second != 1) {
    pw_slots_apply(v, PW_SSE_COPY, 1, 1);
  }
  if (first == 1 && second == 0) {
    pw_put_sse(v->code, PW_SSE_COPY, 0, FREE);
  } else if (first != 1 && first != 0) {
    pw_slots_apply(v, PW_SSE_COPY, 0, 0);
  }
}

void pw_slots_forget(pw_slots *v) {
  for (int x = 0; x < PW_XMM; x++) {
    leave(v, x);
  }
  v->pinned = 0;
}

/* ---- results ---- */

pw_x86_place pw_slots_home(const pw_slots *v, int result) {
  return v->value[v->reads[v->at].result[result]].home;
}

static void release_operands(pw_slots *v) {
  const pw_reads *r = &v->reads[v->at];
  for (int k = 0; k < count_operands(v); k++) {
    pw_native_value *x = operand(v, k);
    x->next = r->after[k];
    if (x->next == PW_NEVER && x->xmm >= 0) {
      leave(v, x->xmm);
    }
  }
}

void pw_slots_end(pw_slots *v, int xmm) {
  int result = v->reads[v->at].result[0];
  pw_native_value *x = &v->value[result];
  release_operands(v);
  put_outputs(v, x, xmm);
  x->stored = x->out >= 0;
  if (x->next != PW_NEVER) {
    leave(v, xmm);
    x->xmm = xmm;
    v->holds[xmm] = result;
  }
}

void pw_slots_end_stored(pw_slots *v) {
  release_operands(v);
  for (int k = 0; k < 2; k++) {
    pw_native_value *x = &v->value[v->reads[v->at].result[k]];
    x->stored = true;
    if (x->out >= 0 && v->next_out[x->out] >= 0) {
      pw_put_sse_at(v->code, PW_SSE_LOAD, 0, x->home);
      put_outputs(v, x, 0);
    }
  }
}
