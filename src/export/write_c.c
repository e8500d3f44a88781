// SPDX-License-Identifier: MIT
/* Expressions become statements: expressions that are long or used twice get a name e1, e2, ...;
 * the rest is written where it is used. Switches (abs, if, ...) are decided at the state. */
#include "export/write_c.h"

#include <ctype.h>
#include <string.h>

enum { DEEP = 24 }; /* operations inside of each other in one statement */

typedef struct c_writer {
  pw_buf *out;
  const pw_model *model;
  pw_dag *dag;
  pw_equations eq;
  pw_switches switches;
  int *uses, *depth, *name; /* of each node; name 0: written where it is used */
  int names;
  bool *needed; /* switches */
  bool has_power, has_sign;
  char id[PW_C_NAME];
} c_writer;

/* ---- names ---- */

/* Keywords up to C23 and of C++, and macros of the headers and compilers. */
static bool is_taken(const char *text) {
  static const char *const words[] = {
      "alignas", "alignof", "asm", "auto", "bool", "break", "case", "catch", "char", "class",
      "const", "constexpr", "continue", "default", "delete", "do", "double", "else", "enum",
      "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline",
      "int", "long", "main", "mutable", "namespace", "new", "nullptr", "operator", "private",
      "protected", "public", "register", "restrict", "return", "short", "signed", "sizeof",
      "static", "static_assert", "struct", "switch", "template", "this", "thread_local", "throw",
      "true", "try", "typedef", "typeof", "typename", "union", "unsigned", "using", "virtual",
      "void", "volatile", "while",
      /* macros */
      "BUFSIZ", "DOMAIN", "EOF", "FILENAME_MAX", "FOPEN_MAX", "INFINITY", "MAXFLOAT", "NAN", "NULL",
      "OVERFLOW", "PAWL_MAIN", "PLOSS", "SING", "SNAN", "TLOSS", "UNDERFLOW", "X_TLOSS", "errno",
      "i386", "linux", "math_errhandling", "signgam", "stderr", "stdin", "stdout", "unix"};
  static const char *const families[] = {"_",     "FP_", "HUGE",  "L_",  "M_",
                                         "MATH_", "P_",  "SEEK_", "TMP_"};
  bool taken = false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    taken = taken || strcmp(words[i], text) == 0;
  }
  for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
    taken = taken || strncmp(families[i], text, strlen(families[i])) == 0;
  }
  return taken;
}

/* The parameter as a name of C: its own name if that is valid C, else followed by its number. */
static void put_parameter(c_writer *w, int i) {
  const char *text = w->model->parameters.items[i].name;
  bool changed = is_taken(text);
  for (; *text != '\0'; text++) {
    bool plain = (unsigned char)*text < 128 && (isalnum((unsigned char)*text) || *text == '_');
    changed = changed || !plain;
    pw_buf_add(w->out, plain ? text : "_", 1);
  }
  if (changed) {
    pw_buf_printf(w->out, "_%d", i + 1);
  }
}

static void put_variable(c_writer *w, int var) {
  int i = pw_var_index(var);
  switch (pw_var_kind(var)) {
  case PW_VAR_TIME: pw_buf_puts(w->out, "t"); break;
  case PW_VAR_Q: pw_buf_printf(w->out, "q[%d]", i); break;
  case PW_VAR_U: pw_buf_printf(w->out, "u[%d]", i); break;
  case PW_VAR_MODE: pw_buf_printf(w->out, "s%d", i + 1); break;
  case PW_VAR_PARAMETER:
    pw_buf_puts(w->out, "p->");
    put_parameter(w, i);
    break;
  default: pw_buf_puts(w->out, "0");
  }
}

/* ---- expressions ---- */

static void put(c_writer *w, pw_node a);

static void put_infix(c_writer *w, pw_node a, const char *sign) {
  pw_buf_puts(w->out, "(");
  put(w, pw_node_arg(w->dag, a, 0));
  pw_buf_puts(w->out, sign);
  put(w, pw_node_arg(w->dag, a, 1));
  pw_buf_puts(w->out, ")");
}

static const char *function_of(pw_op op) {
  switch (op) {
  case PW_OP_POW: return "pow";
  case PW_OP_POWI: return "power";
  case PW_OP_ABS: return "fabs";
  case PW_OP_MIN: return "fmin";
  case PW_OP_MAX: return "fmax";
#define FUNCTION(name, arity, text) \
  case PW_OP_##name: return text;
    FUNCTION(SQRT, 1, "sqrt")
    FUNCTION(EXP, 1, "exp")
    FUNCTION(LOG, 1, "log")
    FUNCTION(SIN, 1, "sin")
    FUNCTION(COS, 1, "cos")
    FUNCTION(TAN, 1, "tan")
    FUNCTION(ASIN, 1, "asin")
    FUNCTION(ACOS, 1, "acos")
    FUNCTION(ATAN, 1, "atan")
    FUNCTION(ATAN2, 2, "atan2")
    FUNCTION(SINH, 1, "sinh")
    FUNCTION(COSH, 1, "cosh")
    FUNCTION(TANH, 1, "tanh")
    FUNCTION(HYPOT, 2, "hypot")
    FUNCTION(SIGN, 1, "sign")
#undef FUNCTION
  default: return "?";
  }
}

static void put_call(c_writer *w, pw_node a, int arguments) {
  pw_op op = pw_node_op(w->dag, a);
  pw_buf_printf(w->out, "%s(", function_of(op));
  for (int i = 0; i < arguments; i++) {
    pw_buf_puts(w->out, i == 0 ? "" : ", ");
    put(w, pw_node_arg(w->dag, a, i));
  }
  if (op == PW_OP_POWI) {
    pw_buf_printf(w->out, ", %d", pw_node_int(w->dag, a));
  }
  pw_buf_puts(w->out, ")");
}

static void put_number(c_writer *w, double x) {
  size_t begin = w->out->len;
  pw_buf_puts(w->out, x < 0 ? "(" : "");
  pw_buf_real(w->out, x);
  bool whole = !w->out->failed && strpbrk(w->out->text + begin, ".en") == NULL;
  pw_buf_puts(w->out, whole ? ".0" : ""); /* 1/2 is a half */
  pw_buf_puts(w->out, x < 0 ? ")" : "");
}

static void put_operation(c_writer *w, pw_node a) {
  switch (pw_node_op(w->dag, a)) {
  case PW_OP_CONST: put_number(w, pw_node_value(w->dag, a)); break;
  case PW_OP_VAR: put_variable(w, pw_node_var(w->dag, a)); break;
  case PW_OP_ADD: put_infix(w, a, " + "); break;
  case PW_OP_SUB: put_infix(w, a, " - "); break;
  case PW_OP_MUL: put_infix(w, a, "*"); break;
  case PW_OP_DIV: put_infix(w, a, "/"); break;
  case PW_OP_NEG:
    pw_buf_puts(w->out, "-(");
    put(w, pw_node_arg(w->dag, a, 0));
    pw_buf_puts(w->out, ")");
    break;
  case PW_OP_SELECT:
    pw_buf_puts(w->out, "(");
    put(w, pw_node_arg(w->dag, a, 0));
    pw_buf_puts(w->out, " >= 0 ? ");
    put(w, pw_node_arg(w->dag, a, 1));
    pw_buf_puts(w->out, " : ");
    put(w, pw_node_arg(w->dag, a, 2));
    pw_buf_puts(w->out, ")");
    break;
  case PW_OP_POW:
  case PW_OP_ATAN2:
  case PW_OP_HYPOT:
  case PW_OP_MIN:
  case PW_OP_MAX: put_call(w, a, 2); break;
  default: put_call(w, a, 1);
  }
}

static void put(c_writer *w, pw_node a) {
  if (w->name[a] > 0) {
    pw_buf_printf(w->out, "e%d", w->name[a]);
  } else {
    put_operation(w, a);
  }
}

/* ---- names for expressions used twice ---- */

static int arity_of(pw_op op) {
  static const int arity[] = {
#define ARITY(name, n, text) n,
      PW_OP_LIST(ARITY)
#undef ARITY
  };
  return arity[op];
}

static void count(void *payload, pw_node a) {
  c_writer *w = payload;
  pw_op op = pw_node_op(w->dag, a);
  int n = arity_of(op);
  w->has_power = w->has_power || op == PW_OP_POWI;
  w->has_sign = w->has_sign || op == PW_OP_SIGN;
  w->depth[a] = n > 0;
  for (int i = 0; i < n; i++) {
    pw_node b = pw_node_arg(w->dag, a, i);
    w->uses[b]++;
    int below = w->depth[b] >= DEEP ? 1 : w->depth[b] + 1;
    w->depth[a] = below > w->depth[a] ? below : w->depth[a];
  }
}

static void name(void *payload, pw_node a) {
  c_writer *w = payload;
  bool leaf = arity_of(pw_node_op(w->dag, a)) == 0;
  if (leaf || w->name[a] > 0 || (w->uses[a] < 2 && w->depth[a] < DEEP)) {
    return;
  }
  pw_buf_printf(w->out, "  const double e%d = ", w->names + 1);
  put_operation(w, a);
  pw_buf_puts(w->out, ";\n");
  w->name[a] = ++w->names;
}

/* ---- the file ---- */

static void mark_side(void *payload, pw_node a) {
  c_writer *w = payload;
  if (pw_node_op(w->dag, a) == PW_OP_VAR) {
    int var = pw_node_var(w->dag, a);
    if (pw_var_kind(var) == PW_VAR_MODE) {
      w->needed[pw_var_index(var)] = true;
    }
  }
}

/* Switches on whose side the terms depend, directly or by other switches. A condition depends on
 * earlier switches only. */
static void find_needed(c_writer *w, const pw_node *roots, int n) {
  pw_dag_walk(w->dag, roots, n, mark_side, w);
  for (int i = w->switches.c.n - 1; i >= 0; i--) {
    if (w->needed[i]) {
      pw_dag_walk(w->dag, &w->switches.c.items[i], 1, mark_side, w);
      pw_dag_walk(w->dag, &w->switches.c.items[i], 1, count, w);
    }
  }
}

static void put_choice(c_writer *w) {
  for (int i = 0; i < w->switches.c.n; i++) {
    pw_node c = w->switches.c.items[i];
    if (!w->needed[i]) {
      continue;
    }
    pw_dag_walk(w->dag, &c, 1, name, w);
    pw_buf_printf(w->out, "  const double s%d = ", i + 1);
    put(w, c);
    pw_buf_puts(w->out, " >= 0 ? 1 : -1; /* the side of a switch */\n");
  }
}

static int roots_of(const c_writer *w, pw_node *out) {
  const pw_equations *eq = &w->eq;
  int nv = w->model->nv, n = 0;
  for (int i = 0; i < nv * (nv + 1) / 2; i++) {
    out[n++] = eq->M[i];
  }
  for (int i = 0; i < nv; i++) {
    out[n++] = eq->h[i];
  }
  for (int r = 0; r < eq->nr; r++) {
    out[n++] = eq->value[r];
    out[n++] = eq->zeta[r];
    for (int i = 0; i < nv; i++) {
      out[n++] = eq->J[r * nv + i];
      out[n++] = eq->by[r] != NULL ? eq->by[r][i] : eq->J[r * nv + i];
    }
  }
  return n;
}

static void put_assignment(c_writer *w, const char *left, int index, pw_node value) {
  pw_buf_printf(w->out, "  x->%s[%d] = ", left, index);
  put(w, value);
  pw_buf_puts(w->out, ";\n");
}

/* Functions that the terms call and C does not have. Unused ones would cause compiler warnings. */
static void put_helpers(c_writer *w) {
  if (w->has_power) {
    pw_buf_puts(w->out, "\nstatic double power(double x, int n) {\n"
                        "  double r = 1;\n  for (int i = n < 0 ? -n : n; i > 0; i /= 2, x *= x) {\n"
                        "    r *= i % 2 ? x : 1;\n  }\n  return n < 0 ? 1/r : r;\n}\n");
  }
  if (w->has_sign) {
    pw_buf_puts(w->out, "\nstatic double sign(double x) {\n"
                        "  return x > 0 ? 1 : x < 0 ? -1 : x;\n}\n");
  }
}

static void put_terms(c_writer *w) {
  const pw_equations *eq = &w->eq;
  int nv = w->model->nv;
  pw_node *roots = PW_TAKE(w->model->arena, nv * (nv + 3) / 2 + eq->nr * (2 + 2 * nv) + 1, pw_node);
  int n = roots_of(w, roots);
  find_needed(w, roots, n);
  pw_dag_walk(w->dag, roots, n, count, w);
  put_helpers(w);
  pw_buf_printf(w->out,
                "\nvoid %s_terms(double t, const double *q, const double *u,\n"
                "    const %s_parameters *p, %s_numbers *x) {\n"
                "  (void)t, (void)q, (void)u, (void)p;\n",
                w->id, w->id, w->id);
  put_choice(w);
  pw_dag_walk(w->dag, roots, n, name, w);
  for (int j = 0, at = 0; j < nv; j++) {
    for (int i = j; i < nv; i++, at++) {
      put_assignment(w, "M", i * nv + j, eq->M[at]);
      if (i != j) {
        put_assignment(w, "M", j * nv + i, eq->M[at]);
      }
    }
  }
  for (int i = 0; i < nv; i++) {
    put_assignment(w, "h", i, eq->h[i]);
  }
  for (int r = 0; r < eq->nr; r++) {
    pw_buf_puts(w->out, "  /* ");
    pw_buf_puts(w->out, w->model->rows.items[eq->row_of[r]].name);
    pw_buf_puts(w->out, " */\n");
    put_assignment(w, "g", r, eq->value[r]);
    put_assignment(w, "zeta", r, eq->zeta[r]);
    for (int i = 0; i < nv; i++) {
      put_assignment(w, "J", r * nv + i, eq->J[r * nv + i]);
      put_assignment(w, "B", r * nv + i, eq->by[r] != NULL ? eq->by[r][i] : eq->J[r * nv + i]);
    }
  }
  pw_buf_puts(w->out, "}\n");
}

static void put_comment_text(pw_buf *out, const char *text) {
  for (; *text != '\0'; text++) {
    pw_buf_add(out, *text == '*' || *text == '\n' ? " " : text, 1);
  }
}

/* Positions; some are inputs, which are held. */
static void put_positions(c_writer *w) {
  const pw_model *m = w->model;
  for (int i = 0; i < m->nq; i++) {
    pw_buf_printf(w->out, " [%d] ", i);
    put_comment_text(w->out, m->q_name[i]);
  }
  for (int i = 0; i < m->signals.n; i++) {
    const pw_signal *s = &m->signals.items[i];
    if (s->kind == PW_SIGNAL_TURNS) {
      pw_buf_printf(w->out, "\n *    [%d] counts double turns: add 1 where the angle passes 2 pi",
                    s->q);
      continue;
    }
    pw_buf_printf(w->out, "\n *    [%d] is an input, ", s->q);
    pw_buf_real(w->out, m->q_start[s->q].value);
    pw_buf_puts(w->out, " unless it is set");
  }
}

static void put_head(c_writer *w) {
  const pw_model *m = w->model;
  pw_buf_puts(w->out, "/* ");
  put_comment_text(w->out, m->title != NULL ? m->title : w->id);
  pw_buf_puts(w->out, ": written by `pawl export --c`.\n *\n"
                      " *   M a = h + B^T lambda,   J a + zeta = 0   for the first NC rows,\n"
                      " * the equalities; the others are one-sided laws, whose measure is g.\n"
                      " *\n * q:");
  put_positions(w);
  pw_buf_puts(w->out, "\n * u:");
  for (int i = 0; i < m->nv; i++) {
    pw_buf_printf(w->out, " [%d] ", i);
    put_comment_text(w->out, pw_model_var_name(m, pw_var_of(PW_VAR_U, i)));
  }
  pw_buf_printf(w->out,
                " (of rotations: in the body) */\n#include <math.h>\n#include <string.h>\n\n"
                "enum { NQ = %d, NV = %d, NC = %d, NR = %d };\n\ntypedef struct %s_parameters {\n",
                m->nq, m->nv, w->eq.nc, w->eq.nr, w->id);
  for (int i = 0; i < m->parameters.n; i++) {
    pw_buf_puts(w->out, "  double ");
    put_parameter(w, i);
    pw_buf_puts(w->out, ";\n");
  }
  pw_buf_printf(w->out, "%s} %s_parameters;\n\nconst %s_parameters %s_defaults = {",
                m->parameters.n == 0 ? "  double none;\n" : "", w->id, w->id, w->id);
  for (int i = 0; i < m->parameters.n; i++) {
    pw_buf_puts(w->out, i == 0 ? "" : ", ");
    put_number(w, m->parameters.items[i].value);
  }
  pw_buf_printf(w->out,
                "%s};\n\ntypedef struct %s_numbers { /* matrices by rows */\n"
                "  double M[NV * NV + 1], h[NV + 1], g[NR + 1], zeta[NR + 1];\n"
                "  double J[NR * NV + 1], B[NR * NV + 1];\n} %s_numbers;\n",
                m->parameters.n == 0 ? "0" : "", w->id, w->id);
}

/* The equations as one linear system in a and lambda, by elimination with pivots. A row that
 * depends on others gets no multiplier. */
static const char solver[] =
    "\n/* Accelerations and multipliers of the equalities, the one-sided laws open; 0 if M is\n"
    " * singular. */\n"
    "int @_accelerations(double t, const double *q, const double *u, const @_parameters *p,\n"
    "    double *a, double *lambda) {\n"
    "  enum { N = NV + NC };\n"
    "  @_numbers x;\n"
    "  double A[N + 1][N + 2];\n"
    "  int done[N + 1] = {0}, column[N + 1];\n"
    "  @_terms(t, q, u, p, &x);\n"
    "  memset(A, 0, sizeof A);\n"
    "  for (int i = 0; i < NV; i++) {\n"
    "    for (int j = 0; j < NV; j++) A[i][j] = x.M[i*NV + j];\n"
    "    for (int r = 0; r < NC; r++) {\n"
    "      A[i][NV + r] = -x.B[r*NV + i];\n"
    "      A[NV + r][i] = x.J[r*NV + i];\n"
    "    }\n"
    "    A[i][N] = x.h[i];\n"
    "  }\n"
    "  for (int r = 0; r < NC; r++) A[NV + r][N] = -x.zeta[r];\n"
    "  for (int k = 0; k < N; k++) {\n"
    "    int best = -1;\n"
    "    double most = 1e-12;\n"
    "    for (int i = 0; i < N; i++) {\n"
    "      double size = 0;\n"
    "      for (int j = 0; j < N; j++) size = fmax(size, fabs(A[i][j]));\n"
    "      if (!done[i] && fabs(A[i][k]) > most*size) {\n"
    "        best = i;\n"
    "        most = fabs(A[i][k])/size;\n"
    "      }\n"
    "    }\n"
    "    column[k] = best;\n"
    "    if (best < 0) {\n"
    "      if (k < NV) return 0;\n"
    "      continue;\n"
    "    }\n"
    "    done[best] = 1;\n"
    "    for (int i = 0; i < N; i++) {\n"
    "      double f = i == best ? 0 : A[i][k]/A[best][k];\n"
    "      for (int j = k; f != 0 && j <= N; j++) A[i][j] -= f*A[best][j];\n"
    "    }\n"
    "  }\n"
    "  for (int k = 0; k < N; k++) {\n"
    "    double value = column[k] < 0 ? 0 : A[column[k]][N]/A[column[k]][k];\n"
    "    if (k < NV) a[k] = value; else lambda[k - NV] = value;\n"
    "  }\n"
    "  return 1;\n"
    "}\n"
    "\n#ifdef PAWL_MAIN /* reads t, q and u, and writes a and lambda, line by line */\n"
    "#include <stdio.h>\n"
    "\n"
    "int main(void) {\n"
    "  double t, q[NQ + 1], u[NV + 1], a[NV + 1], lambda[NC + 1];\n"
    "  while (scanf(\"%lf\", &t) == 1) {\n"
    "    for (int i = 0; i < NQ; i++) if (scanf(\"%lf\", &q[i]) != 1) return 1;\n"
    "    for (int i = 0; i < NV; i++) if (scanf(\"%lf\", &u[i]) != 1) return 1;\n"
    "    if (!@_accelerations(t, q, u, &@_defaults, a, lambda)) return 1;\n"
    "    for (int i = 0; i < NV; i++) printf(\"%.17g \", a[i]);\n"
    "    for (int i = 0; i < NC; i++) printf(\"%.17g \", lambda[i]);\n"
    "    printf(\"\\n\");\n"
    "  }\n"
    "  return 0;\n"
    "}\n"
    "#endif\n";

static void put_solver(c_writer *w) {
  for (const char *at = solver; *at != '\0'; at++) {
    if (*at == '@') {
      pw_buf_puts(w->out, w->id);
    } else {
      pw_buf_add(w->out, at, 1);
    }
  }
}

void pw_c_name(const char *file, char out[PW_C_NAME]) {
  const char *slash = strrchr(file, '/');
  size_t n = 0;
  for (file = slash == NULL ? file : slash + 1; *file != '\0' && strcmp(file, ".pawl") != 0;
       file++) {
    if (n < PW_C_NAME - 1) {
      out[n++] = (char)(isalnum((unsigned char)*file) ? *file : '_');
    }
  }
  out[n] = '\0';
  if (n == 0 || isdigit((unsigned char)out[0])) {
    memcpy(out, "model", sizeof "model");
  }
}

void pw_write_c(pw_buf *out, const pw_model *model) {
  pw_arena *arena = model->arena;
  c_writer *w = PW_NEW(arena, c_writer);
  w->out = out;
  w->model = model;
  w->dag = model->dag;
  w->switches.model = model;
  pw_lagrange(model, &w->switches, &w->eq);
  pw_equations_fill(model, &w->eq);
  int n = pw_dag_size(w->dag);
  w->uses = PW_TAKE(arena, n + 1, int);
  w->depth = PW_TAKE(arena, n + 1, int);
  w->name = PW_TAKE(arena, n + 1, int);
  w->needed = PW_TAKE(arena, w->switches.c.n + 1, bool);
  pw_c_name(model->ast->sources->items[0].name, w->id);
  put_head(w);
  put_terms(w);
  put_solver(w);
}
