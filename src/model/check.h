// SPDX-License-Identifier: MIT
/* The state of one check, shared by the files of this folder. Every function that can fail
 * reports the error itself; what failed is PW_V_BAD or false and raises no second message. */
#ifndef PW_MODEL_CHECK_H
#define PW_MODEL_CHECK_H

#include <stdint.h>

#include "model/env.h"
#include "model/model.h"

/* ---- limits: no text may take unbounded time or memory ---- */

enum {
  PW_MAX_MEMBERS = 1000000,  /* of all families together */
  PW_MAX_STEPS = 20000000,   /* elaborated expressions */
  PW_MAX_NODES = 5000000,    /* of the DAG */
  PW_MAX_DEPTH = 500,        /* nesting of expressions, calls included */
  PW_MAX_COMPONENTS = 1000,  /* of a vector */
  PW_MAX_VELOCITIES = 8000,  /* matrices are dense: half a GB for each of nv^2 numbers */
  PW_MAX_ENTRIES = 125000000 /* of a dense matrix with one row per law: a GB */
};

/* What may occur in the expression being elaborated. */
enum {
  PW_MAY_ACCEL = 1,  /* accelerations */
  PW_MAY_FORCE = 2,  /* force(c), impulse(c) */
  PW_MAY_RESULT = 4, /* energies, action, outputs */
  PW_MAY_INF = 8,
  PW_MAY_AXIS = 16,
  PW_NO_SIGN = 32,   /* sign of a velocity is reported here (force) */
  PW_NO_KINK = 64,   /* abs, min, max, sign, if of a velocity are reported here (kinetic) */
  PW_OVERRIDES = 128 /* the expression comes from the command line; holds inside of it too */
};
enum { PW_IN_RESULT = PW_MAY_ACCEL | PW_MAY_FORCE | PW_MAY_RESULT };

/* What a node contains: bit 1 << class for each class of variable, and these. */
enum {
  PW_HAS_SPIN = 1 << PW_VAR_CLASSES,   /* a position or velocity of a rotation */
  PW_HAS_SIGN_U = 2 << PW_VAR_CLASSES, /* sign of something with velocities */
  PW_HAS_KINK_U = 4 << PW_VAR_CLASSES, /* abs, min, max, select decided by velocities */
  PW_HAS_BODY = 8 << PW_VAR_CLASSES,   /* a position or velocity of a body or rotation */
  PW_HAS_STATE = 16 << PW_VAR_CLASSES, /* a state without inertia */
  PW_HAS_HELD = 32 << PW_VAR_CLASSES,  /* an input, a sample or a delay: it may jump */
  PW_HAS_Q = 1 << PW_VAR_Q,
  PW_HAS_U = 1 << PW_VAR_U,
  PW_HAS_A = 1 << PW_VAR_A,
  PW_HAS_TIME = 1 << PW_VAR_TIME,
  PW_HAS_RESULT = 1 << PW_VAR_FORCE | 1 << PW_VAR_IMPULSE | 1 << PW_VAR_QUAD
};

typedef struct pw_force_part { /* of a force or of `by`: coefficient on one velocity */
  int u;
  pw_node c;
} pw_force_part;

typedef struct pw_force_draft { /* sparse until the number of velocities is known */
  const char *name;
  pw_span span;
  PW_LIST(pw_force_part) parts;
} pw_force_draft;

typedef struct pw_by_draft { /* the covector of the servo in `row` */
  int row;
  pw_force_draft covector;
} pw_by_draft;

typedef struct pw_spin { /* start of the angular velocity of one rotation */
  bool set[3], guess[3], space, overridden;
  bool each; /* by the formula of a family */
  double w[3];
  pw_span span;
  const char *scope; /* of the part that set it last; NULL: the model */
} pw_spin;

typedef struct pw_given { /* one override */
  const char *name;
  const char *path; /* its target with numbers as indices, "left.k[2]"; NULL: of another form */
  pw_ex *target, *value; /* NULL after an error */
  bool used;
} pw_given;

typedef struct pw_coordinate_draft { /* lists that grow until all coordinates are known */
  PW_LIST(const char *) q_names, u_names;
  PW_LIST(pw_value) q_starts, u_starts, q_ends;
  PW_LIST(int) of_q, of_u; /* index in coords */
  PW_LIST(pw_spin) spins;  /* one per coordinate; used for rotations only */
} pw_coordinate_draft;

static inline void pw_draft_start(pw_coordinate_draft *draft, int q, pw_value value) {
  draft->q_starts.items[q] = value;
}

static inline void pw_draft_speed(pw_coordinate_draft *draft, int u, pw_value value) {
  draft->u_starts.items[u] = value;
}

typedef struct pw_spent { /* what the limits are held against */
  int depth;
  int64_t steps, members;
  bool too_large; /* reported; everything after it is bad */
} pw_spent;

/* Into an expression, and out of it. */
static inline void pw_deeper(pw_spent *spent, int levels) {
  spent->depth += levels;
}

static inline void pw_becomes_too_large(pw_spent *spent) {
  spent->too_large = true;
}

/* Whether that many members more are allowed. */
static inline bool pw_more_members(pw_spent *spent, int n) {
  spent->members += n;
  return spent->members <= PW_MAX_MEMBERS;
}

typedef struct pw_energy_seen {
  const pw_stmt *last[2]; /* last kinetic (or body), last potential statement */
  bool kinetic_unknown;   /* one of them has an error */
} pw_energy_seen;

static inline void pw_kinetic_fails(pw_energy_seen *seen, bool fails) {
  seen->kinetic_unknown = seen->kinetic_unknown || fails;
}

typedef struct pw_outside { /* what the caller asks for beside the text */
  bool laws_open;           /* contacts need no impact law: none is asked for */
  const char *method;       /* in place of the run statement's; NULL: none */
} pw_outside;

typedef struct pw_inputs_file {     /* numbers for all inputs */
  int file;                         /* among the sources; -1: none */
  bool outside;                     /* it came with the run */
  bool used;                        /* some input is in it */
  const pw_stmt *stated;            /* `input from "drive.csv"`, or NULL */
  const struct pw_numbers *numbers; /* what is in it, once it was read */
} pw_inputs_file;

typedef PW_LIST(int) pw_chain; /* signals whose values are being looked for */

static inline void pw_chain_drop(pw_chain *chain) {
  chain->n--;
}

typedef struct pw_check {
  bool symbols; /* parameters are variables, not numbers */
  pw_outside outside;
  const pw_kept_names *vary; /* these are, in a model that can be run; NULL: none */
  pw_model *m;
  const pw_ast *whole; /* all statements, parts not yet written out */
  pw_ast *flat;        /* its tree, with the statements of parts written out */
  pw_arena *arena;
  pw_interner *names;
  pw_dag *dag;
  pawl_diags *diags;
  pw_sources *sources;
  pw_env env;
  const pw_stmt *stmt;
  const pw_stmt *part; /* the include statement that brings it; NULL: none */

  unsigned site; /* PW_MAY_..., PW_NO_...: of the statement, unless an expression has its own */
  pw_span call;  /* the call of a user's function being elaborated */
  pw_spent spent;
  PW_LIST(unsigned short) has; /* contents of the first nodes */

  pw_coordinate_draft draft;
  PW_LIST(pw_force_draft) forces;
  PW_LIST(pw_by_draft) bys;
  PW_LIST(struct pw_joint_form) joints; /* in order of their rows, see joint_form.h */
  pw_given *given;
  int n_given;
  pw_inputs_file input;
  pw_chain chain;
  pw_energy_seen energy;
} pw_check;

/* ---- check_stmt.c: statements ---- */

typedef struct pw_stand { /* what is being elaborated */
  const pw_stmt *stmt;
  unsigned site;
  pw_span call;
  int floor;
} pw_stand;

/* Goes to another statement, outside of all functions, or into the body of a function that is
 * called, and back. */
pw_stand pw_stand_in(pw_check *ck, const pw_stmt *stmt);
pw_stand pw_stand_in_call(pw_check *ck, pw_span call);
void pw_stand_back(pw_check *ck, const pw_stand *before);
/* Checks the statements that an include statement brings. */
void pw_check_brought(pw_check *ck, const pw_stmt *include, pw_stmt *const *list, int n,
                      const char *scope);

/* ---- check_stmt.c: errors ---- */

int pw_check_errors(const pw_check *ck);
int pw_line_of(const pw_check *ck, pw_span span);
/* " line 4", or " params.pawl line 4" if the place is in another file than the statement. */
const char *pw_where(pw_check *ck, pw_span span);
/* Source text of a span on one line, comments dropped. */
const char *pw_text_of(pw_check *ck, pw_span span);
const char *pw_format_real(pw_check *ck, double x);
/* printf into the arena. */
const char *pw_format_text(pw_check *ck, const char *fmt, ...) PW_PRINTF(2, 3);
/* An error in an expression; inside a function it tells where that was called. */
pw_diag_ref pw_elab_error(pw_check *ck, const char *code, pw_span at, const char *fmt, ...)
    PW_PRINTF(4, 5);
/* Counts work; false once the model is too large. */
bool pw_spend(pw_check *ck, int64_t steps);
/* The algebra is dense: more velocities or laws than this are refused before any of it is built. */
void pw_check_size(pw_check *ck);

/* Enters a name; NULL after an error (defined before). The value is set later. */
pw_symbol *pw_define_name(pw_check *ck, pw_name name);

/* ---- elab_expr.c, elab_call.c, elab_rotation.c, motion.c: expressions ---- */

pw_val pw_elab(pw_check *ck, const pw_ex *ex);
/* A scalar; `what` names it in the message ("the mass"). */
bool pw_elab_scalar(pw_check *ck, const pw_ex *ex, const char *what, pw_node *out);
/* A scalar or vector with n components (n = 0: any number), as a list. */
bool pw_elab_list(pw_check *ck, const pw_ex *ex, int n, const char *what, pw_val *out);
/* The same at a site of its own. */
pw_val pw_elab_at(pw_check *ck, const pw_ex *ex, unsigned site);
bool pw_elab_scalar_at(pw_check *ck, const pw_ex *ex, unsigned site, const char *what,
                       pw_node *out);
bool pw_elab_list_at(pw_check *ck, const pw_ex *ex, unsigned site, int n, const char *what,
                     pw_val *out);
/* A number known before the run. PW_MAY_INF in `site` allows infinities. */
bool pw_elab_const(pw_check *ck, const pw_ex *ex, unsigned site, const char *what, double *out);
/* Whether a node is a finite number known before the run. */
bool pw_known_number(pw_check *ck, pw_node node, double *out);
/* Whether a node of `ex` is such a number; else an error says why. */
bool pw_node_is_known(pw_check *ck, const pw_ex *ex, pw_node node, unsigned site, const char *what,
                      double *out);
/* The node contains a parameter that is kept as a variable. */
bool pw_contains_parameter(pw_check *ck, pw_node node);
/* It is a number, if parameters are. */
bool pw_is_known_now(pw_check *ck, pw_node node);
/* The value of this node at the values of the parameters. Where that decides the form of the model
 * the use is noted in the parameters that it contains. */
double pw_value_now(pw_check *ck, pw_node node);
void pw_note_use_by_value(pw_check *ck, pw_node node, pw_span span);
/* Integer bounds of a family or sum. `empty`: to = from - 1 is allowed. */
bool pw_elab_range(pw_check *ck, const pw_ex *from, const pw_ex *to, bool empty, int *lo, int *hi);
/* An index into `owner`, which has n members from lo on. */
bool pw_elab_index(pw_check *ck, const pw_ex *ex, int lo, int n, const pw_ex *owner, int *out);

pw_val pw_elab_call(pw_check *ck, const pw_ex *ex);
/* Warns where a value in hertz is given for a parameter in rad/s: check_parameter.c. */
void pw_warn_hertz(pw_check *ck, const pw_par *par, const pw_ex *given);
/* floor, ceil, round or mod of these arguments: elab_whole.c. */
pw_node pw_whole_number(pw_check *ck, const pw_ex *ex, pw_node *arg);
/* atan(tan(x)) is a saw, x - pi round(x/pi): its teeth are stairs, where tan(x) has poles. */
pw_node pw_saw_of_tangent(pw_check *ck, pw_node tangent);
bool pw_is_builtin(const char *name);
/* The rows of the law that ref names. Families need an index. */
bool pw_law_rows(pw_check *ck, const pw_ex *ref, int *row, int *n);
/* E0112: the multiplier is not known where it is used. */
pw_val pw_report_force_use(pw_check *ck, const pw_ex *ex);
pw_val pw_elab_if(pw_check *ck, const pw_ex *ex);
pw_val pw_elab_field(pw_check *ck, const pw_ex *ex);
pw_val pw_elab_axis(pw_check *ck, const pw_ex *ex);
pw_val pw_elab_prime(pw_check *ck, const pw_ex *ex, pw_val val);
pw_val pw_vector_val(pw_check *ck, const pw_node *v, int n);
pw_val pw_bad_kind(pw_check *ck, const pw_ex *ex, pw_val val, const char *wanted);
const char *pw_val_kind_name(pw_check *ck, pw_val val); /* "a vector of 3", "the body `b`" */

/* Spatial vector R v of a body vector v, or its inverse: rows of the matrix of the quaternion. */
void pw_rotate(pw_check *ck, int coord, const pw_node v[3], bool inverse, pw_node out[3]);
pw_node pw_dot_nodes(pw_dag *dag, const pw_node *a, const pw_node *b, int n);
pw_val pw_member(pw_check *ck, pw_val family, int index);

/* A name for a suggested friction that nobody uses yet. */
const char *pw_friction_name(pw_check *ck);

unsigned pw_has(pw_check *ck, pw_node node);
/* Calls of tables, delay and noise. */
pw_val pw_call_table(pw_check *ck, const pw_ex *ex, pw_val table);
pw_val pw_call_delay(pw_check *ck, const pw_ex *ex);
pw_val pw_call_noise(pw_check *ck, const pw_ex *ex);
/* Energies hold no signal; laws on positions hold none that may jump, and no state whose rate
 * contains velocities. False after an error. */
bool pw_refuse_signal(pw_check *ck, pw_node node, pw_span at, const char *what);
bool pw_check_place_signals(pw_check *ck, pw_node node, pw_span at);
/* Derivative along the motion, counted against the limit; false beyond it. */
bool pw_elab_rate(pw_check *ck, const pw_node *f, int n, pw_node *out);

/* ---- target.c: references to coordinates, for start, force and by ---- */

typedef enum pw_target_kind {
  PW_TG_BAD,
  PW_TG_PLACE,    /* n scalar coordinates, one after the other from coord */
  PW_TG_ROTATION, /* coord */
  PW_TG_BODY,     /* coord */
  PW_TG_SIGNAL,   /* coord: the number of a state or sample */
  PW_TG_SPIN,     /* n components from `first` of the angular velocity of coord */
  PW_TG_FAMILY,   /* of places (each = 1) or bodies (each = 4) */
  PW_TG_JOINT     /* the freedom of a joint with one; coord: its first row */
} pw_target_kind;

typedef struct pw_target {
  pw_target_kind kind;
  int coord, n, first, each, lo;
  int primes;
  bool space;     /* spin in space axes */
  bool is_vector; /* of components: b.p, R.w */
  const char *name;
} pw_target;

pw_target pw_resolve(pw_check *ck, const pw_ex *ref, const char *purpose);
/* The same, or a joint with one freedom: what forces and servos may drive. */
pw_target pw_resolve_driven(pw_check *ck, const pw_ex *ref, const char *purpose);
pw_target pw_target_member(const pw_target *family, int index);

/* ---- check_*.c: statements ---- */

/* Checks a statement and adds it to the tree of the model. */
void pw_check_next(pw_check *ck, pw_stmt *stmt);
/* Members of a family, against the limit for all of them. */
bool pw_take_members(pw_check *ck, pw_span span, int n);
void pw_check_parameter(pw_check *ck);
void pw_check_coordinates(pw_check *ck);
void pw_check_rotation(pw_check *ck);
void pw_check_body(pw_check *ck);
void pw_check_let(pw_check *ck);
void pw_check_energy(pw_check *ck);
void pw_check_force(pw_check *ck);
void pw_check_constraint(pw_check *ck);
void pw_check_friction(pw_check *ck);
void pw_check_spring(pw_check *ck);
void pw_check_graph(pw_check *ck);
void pw_check_servo(pw_check *ck);
void pw_check_joint(pw_check *ck);
void pw_check_shape(pw_check *ck);
void pw_check_contact(pw_check *ck);
/* `input from "drive.csv"`, unless such a file came with the run. */
void pw_find_input_file(pw_inputs_file *input, const pw_ast *ast);
/* Text for the numbers that came with the run: the statement that reads them. */
void pw_edit_input_file(pw_check *ck, pw_span *place, const char **text);
void pw_check_input(pw_check *ck);
void pw_check_table(pw_check *ck);
void pw_check_state(pw_check *ck);
void pw_check_sample(pw_check *ck);
void pw_check_start(pw_check *ck);
void pw_check_event(pw_check *ck);
void pw_check_output(pw_check *ck);
void pw_check_plot(pw_check *ck);
void pw_check_draw(pw_check *ck);
void pw_check_run(pw_check *ck);
void pw_check_expect(pw_check *ck);

/* Covector of a target: force components `f` (n of them) become parts on the velocities. */
void pw_add_covector(pw_check *ck, const pw_target *target, const pw_node *f,
                     pw_force_draft *draft);
/* theory (10): the covector of forces f on quantities with these rates. */
void pw_add_rate_covector(pw_check *ck, const pw_node *rate, const pw_node *f, int n,
                          pw_force_draft *draft);
bool pw_target_takes_force(pw_check *ck, const pw_ex *ref, const pw_target *target);

/* potential.c: rows for the kinks of an energy line, named after it. */
void pw_energy_kinks(pw_check *ck, pw_symbol *sym, pw_energy *e);

/* ---- after the last statement ---- */

void pw_finish_signals(pw_check *ck);
void pw_finish_starts(pw_check *ck);
void pw_finish_forces(pw_check *ck);
void pw_finish_servos(pw_check *ck);
void pw_check_inertia(pw_check *ck);
/* The model takes over the names and starts of positions and velocities. */
void pw_adopt_names(pw_check *ck);

/* ---- check_start.c, overrides.c ---- */

typedef struct pw_start_value { /* one value on its way into the start */
  const pw_ex *ex;
  pw_span span;
  const char *scope; /* of the part that sets it; NULL: the model */
  bool guess, is_end, replace;
  bool each; /* by the formula of a family; a member may follow */
} pw_start_value;

void pw_start_set(pw_check *ck, const pw_target *target, const pw_start_value *value);
void pw_read_overrides(pw_check *ck, const pw_override *overrides, int n);
/* The override of an input, or NULL. */
const pw_ex *pw_override_of(pw_check *ck, const char *name);
/* The override that says most about "P[2][1]": its own, else that of "P[2]", else that of "P";
 * NULL: there is none. `rest`: what the name has beyond it. */
const pw_given *pw_override_above(pw_check *ck, const char *name, const char **rest);
void pw_apply_start_overrides(pw_check *ck);

#endif
