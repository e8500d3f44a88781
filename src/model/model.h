// SPDX-License-Identifier: MIT
/* The checked model: every name resolved, families and vectors written out, every expression a
 * node of one DAG over the variables below. Numbers only; nothing of the text but places. */
#ifndef PW_MODEL_MODEL_H
#define PW_MODEL_MODEL_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/intern.h"
#include "expr/dag.h"
#include "lang/text_model.h"
#include "law/kind.h"
#include "law/phase.h"
#include "scene/solid.h"

/* ---- variables of the DAG ---- */

typedef enum pw_var_class {
  PW_VAR_TIME,      /* t */
  PW_VAR_Q,         /* positions, nq; a rotation has four (unit quaternion, scalar first). Behind
                       them the multipliers that are states, in the order of their rows */
  PW_VAR_U,         /* velocities, nv; a rotation has three (angular velocity in the body) */
  PW_VAR_A,         /* accelerations du/dt, nv; only in outputs */
  PW_VAR_FORCE,     /* multiplier of each row */
  PW_VAR_IMPULSE,   /* impulse of each row at its last jump */
  PW_VAR_QUAD,      /* integrals along the motion, see pw_quad */
  PW_VAR_MODE,      /* +1 or -1: side of each switching surface, see system/switches.h */
  PW_VAR_PARAMETER, /* only in models that keep them, to be printed or to differentiate by them */
  PW_VAR_KINK, /* a kink of an energy, held while the energy is differentiated; never in tapes */
  PW_VAR_CLASSES
} pw_var_class;

typedef enum pw_quad { PW_QUAD_ACTION, PW_QUAD_LOST, PW_QUAD_NAMED } pw_quad;

static inline int pw_var_of(pw_var_class c, int index) {
  return index * PW_VAR_CLASSES + (int)c;
}
static inline pw_var_class pw_var_kind(int var) {
  return (pw_var_class)(var % PW_VAR_CLASSES);
}
static inline int pw_var_index(int var) {
  return var / PW_VAR_CLASSES;
}

/* ---- parts ---- */

typedef struct pw_coord {
  const char *name; /* "x", "x[3]", "ball.p[1]", "R", "ball.R" */
  const char *of;   /* the name that the model defines: "x", "ball", "left.x" */
  pw_span span;
  bool is_rotation, of_body;
  bool balanced;               /* it has no inertia: the forces on it balance */
  int q, u;                    /* first position and velocity: 1 and 1, or 4 and 3 of a rotation */
  const char *q_unit, *u_unit; /* of each, SI; "1" for a pure number; NULL: not stated */
} pw_coord;

typedef struct pw_parameter {
  const char *name; /* "m"; of members and components "k[2]", "a[1]", "P[2][1]" */
  const char *of;   /* the name of the whole */
  int component;    /* of a vector, from 0 */
  pw_span span;
  double value, lo, hi; /* lo > hi: no range */
  const char *unit;     /* of the value: SI, "1" for a pure number; NULL: not stated */
  bool overridden;
  bool varied;   /* a variable of the graph, whose value is an input of the tapes */
  pw_span fixed; /* a varied one: where its value decides the form of the model, so that derivatives
                    of tapes do not see all of it; without place: nowhere */
} pw_parameter;

typedef struct pw_energy {
  pw_stmt_kind kind; /* PW_ST_KINETIC, PW_ST_POTENTIAL, PW_ST_DISSIPATION */
  const char *name;
  pw_span span;
  pw_node value;
  pw_node held; /* value with each kink as a variable: its gradient is the force that is no law */
} pw_energy;

typedef struct pw_force { /* one force statement: generalised force on each velocity */
  const char *name;       /* "x", "ball.w", "at line 12": key in the energy ledger */
  pw_span span;
  pw_node *Q; /* nv */
} pw_force;

/* Values of the clauses of a law; -1 where a node is not given. `slip` and `stretch` inside them
 * are the row's own value. */
typedef struct pw_clauses {
  pw_node restitution;   /* normal; of the slip for friction and rough */
  pw_impact_kind impact; /* what the restitution means */
  int on;                /* friction with mu, rough: row of the contact, else -1 */
  const int *loads;      /* friction on equalities: rows whose forces its bound contains */
  int n_load;
  pw_node mu, bound, static_bound; /* static: value of `static`, for mu or bound alike */
  double mu_ratio; /* `mu (m1, m2)`: m2/m1, with m1 as mu; 1: the section of the cone is a disk */
  pw_node stiffness, preload, play_lo, play_hi, damping;
  bool pulls; /* spring: its damping may turn the force round */
  pw_node viscous;
  pw_node below, above; /* kink of an energy: its slope by the measure on the two sides; law on
                           coordinates without inertia: -F or its gap, and -force */
  pw_node phase;        /* the latter: of friction the sign of its slip, of a contact 1 if closed */
  int several, piece[2]; /* of a maximum of several pieces: row of its first pair, and which pair
                            this is; -1 */
  pw_node phi;           /* inertia, vakonomic (then the row's value): servo of type II */
  bool complementary;    /* inertia with >=: else the reservoir rule */
  pw_node *by;           /* servo: covector Phi, nv; NULL */
  bool one_way;
  const struct pw_graph_point { double x, f; } * graph; /* law */
  int n_graph;
  bool on_slip; /* law, spring: graph of a velocity */
} pw_clauses;

/* A law as stated, one entry per family member and component ("link[3]", "roll[1]").
 * For the kinds that are equalities the engine imposes value = 0. */
typedef struct pw_row {
  const char *name;
  const char *law;    /* of what acts as one: a slip with its components; else the name */
  const char *column; /* under which its force stands in files: the law, or "f.t" (`along`) */
  pw_kind kind;
  const pw_stmt *stmt;
  pw_span span;     /* the name in the statement */
  pw_span rel_span; /* the relation or measure */
  pw_node value;    /* left - right (right - left for <=), or the slip or stretch */
  bool on_velocity; /* value contains velocities */
  int first, count; /* rows of the same vector: the first one and how many (scalar: itself, 1) */
  const pw_node *along; /* a slip of three components has two rows along tangents: this one by the
                           components of the slip; else NULL */
  pw_clauses clause;
  bool is_balance; /* of the forces on a coordinate without inertia */
  bool is_face;    /* where the gap of a contact jumps (flank.c), at the stairs */
  pw_node stairs;
  bool is_piece;      /* one of the smooth pieces of a constraint with corners (pieces.c) */
  bool start_closed;  /* `start c closed` */
  double start_force; /* `start force(c) = ...`; NAN: not given */
  const char *unit;   /* of its multiplier: SI, "1", or NULL: not stated */
} pw_row;

/* A part of the state without inertia (signals, section 2). It stands among the positions, but no
 * velocity belongs to it. */
typedef enum pw_signal_kind {
  PW_SIGNAL_STATE,  /* value: its rate */
  PW_SIGNAL_INPUT,  /* held until it is set from outside */
  PW_SIGNAL_SAMPLE, /* value: computed at the start plus k periods, held until the next */
  PW_SIGNAL_DELAY,  /* value: what is delayed by `period`; the slots are those of pw_delay_slot */
  PW_SIGNAL_TURNS   /* full turns of a joint; value: its angle beyond them, joints (J6) */
} pw_signal_kind;

/* Turns are counted anew where the angle beyond them reaches this, 3/2 pi: joints (J7). */
#define PW_TURNS_LIMIT 4.71238898038468985769
double pw_turns_next(double turns, double beyond); /* the count behind that instant, or the same */

/* The past as a polynomial of (t - MIDDLE) SCALE, valid until END: signals (I8). */
enum { PW_DELAY_DEGREE = 9 };
typedef enum pw_delay_slot {
  PW_DELAY_END,
  PW_DELAY_MIDDLE,
  PW_DELAY_SCALE,
  PW_DELAY_C0,
  PW_DELAY_SLOTS = PW_DELAY_C0 + PW_DELAY_DEGREE + 1
} pw_delay_slot;

typedef struct pw_signal {
  const char *name;
  pw_span span;
  pw_signal_kind kind;
  const struct pw_stmt *stmt;
  const pw_ex *ex; /* of states and samples */
  int q, slots;    /* first position and how many */
  pw_node value;
  bool known; /* value was elaborated */
  double period;
  int row;          /* of turns: first row of the joint */
  const char *unit; /* SI, "1", or NULL: not stated */
} pw_signal;

/* What is printed as one letter of its own, in models that keep parameters as symbols: the
 * variables PW_VAR_PARAMETER from PW_SPELLED on. */
enum { PW_SPELLED = 1 << 20 };
typedef struct pw_spelled {
  pw_span span;
  bool noise;    /* else a delay */
  pw_node value; /* what is delayed; of noise the bandwidth */
  pw_node lag;   /* of a delay */
  double seed;   /* of noise */
} pw_spelled;
/* Whether a variable is one; *(int *)number is then its number from 1 (for pw_depends). */
bool pw_is_spelled(void *number, int var);

typedef struct pw_filed { /* an input that a file gives: a table of the time */
  const char *name;
  pw_span span;
  int table;
  pw_node value;
} pw_filed;

typedef struct pw_value { /* a scalar of the start */
  enum { PW_UNSET, PW_FIXED, PW_GUESS } mode;
  double value;
  bool space;   /* component of an angular velocity in space axes: `given` is fixed or guessed */
  double given; /* of an angular velocity, in the axes in which it is given */
  pw_span span; /* of the init; of the value on the command line if the model has none */
  bool overridden;
  bool each;         /* by the formula of a family */
  const char *scope; /* of the part that set it; NULL: the model */
} pw_value;

typedef struct pw_event_def {
  const char *name;
  pw_span span;
  bool every; /* period > 0; else a root of w */
  double period;
  pw_node w;                  /* left - right, or right - left for <= */
  bool rising, falling, stop; /* for >= and <=: rising only, unless said otherwise */
  bool holds_at_zero;         /* of >= or <=: it happens where it begins to hold */
} pw_event_def;

typedef struct pw_output {
  const char *name; /* "tip[1]" for the components of a vector */
  pw_span span;
  pw_node value;
  const pw_ex *ex;   /* of the whole output */
  int component;     /* of it, from 0 */
  const char *unit;  /* SI, "1", or NULL: not stated */
  const char *shown; /* unit in which it is shown, or NULL: as it is */
  double factor;     /* SI numbers per number shown */
} pw_output;

typedef struct pw_plot {
  pw_span span;
  const char *y_text, *x_text; /* as written; x_text NULL: against t */
  pw_node y, x;
  int statement; /* number of its line among those of plots, from 1 */
  const pw_ex *y_ex, *x_ex;
  int component; /* of y, from 0 */
  const char *y_unit, *x_unit;
  const char *y_shown, *x_shown; /* unit that an output is shown in, or NULL */
} pw_plot;

typedef struct pw_draw {
  const char *shape;
  pw_span span;
  struct {
    const char *word, *text;
    int n;
    const char *body;
    pw_node *v;
  } * args; /* n components */
  int n_arg;
  bool of_shape; /* made from a shape; `draw` lines of the model replace these */
} pw_draw;

typedef enum pw_shape_kind {
  PW_SHAPE_DISK,
  PW_SHAPE_POLYGON,
  PW_SHAPE_SEGMENT,
  PW_SHAPE_PLANE, /* a line in the plane */
  PW_SHAPE_SPHERE,
  PW_SHAPE_CAPSULE,
  PW_SHAPE_BOX,
  PW_SHAPE_CYLINDER,
  PW_SHAPE_HULL
} pw_shape_kind;

typedef struct pw_shape_def { /* a shape, or a member of a family of them */
  const char *name;           /* "d[3]" */
  pw_shape_kind kind;
  pw_span span;
  int dim;              /* 2 or 3 */
  pw_node p[3];         /* its place */
  pw_node angle;        /* in the plane; -1: it does not turn */
  int body;             /* first coordinate of the body it follows; -1: none */
  pw_node q[3];         /* plane: unit normal to the free side; segment: the other end */
  pw_node radius;       /* disk, sphere, capsule; -1: none */
  pw_node size[3];      /* capsule: length; box: edges; cylinder: radius, height */
  pw_node (*corner)[3]; /* n_corner: polygon, box, hull, in its own axes */
  int n_corner;
  const pw_solid *solid; /* as numbers, if a pile needs it */
} pw_shape_def;

typedef struct pw_touch { /* a point at which two shapes may meet */
  int row;                /* of the contact; its friction follows it */
  int n_slip;
  const char *contact, *pair; /* "pile", "d[1]-floor" */
  int number;                 /* of the point, from 1; 0: there is one */
  int dim;
  pw_node point[3], normal[3]; /* normal: from the second shape to the first */
  pw_node tangent[2][3];
  pw_node *beside; /* n_beside: of a corner: heights of its neighbours over it, along the normal of
                      the face that it is over */
  int n_beside;
  bool of_second; /* a corner of the second shape */
  double size;    /* of both shapes */
} pw_touch;

typedef struct pw_pile { /* a contact whose pairs are found on the way: shapes (G10) */
  const char *name;
  pw_span span;
  int *shape; /* n: indices in model->shapes */
  int n;
  double restitution, mu; /* mu < 0: smooth */
  int n_row;              /* rows of its pairs, which the event method needs; 0: none are written */
} pw_pile;

typedef struct pw_expectation {
  pw_span span;
  const char *text; /* the statement as written, without `expect` */
  pw_node left, right;
  double tol;
  int at; /* PW_AT_END, PW_AT_TIME, PW_AT_EVENT of ast.h */
  double time;
  const char *kind, *of; /* event kind ("event": any) and law or event name */
  int count;
} pw_expectation;

typedef struct pw_run { /* the run statement; spans without place where not given */
  bool given;
  double from, to;
  pw_span span;
  struct pw_run_option {
    const char *word, *choice;
    double value;
    pw_span span;
  } * options;
  int n_option;
} pw_run;

#define PW_LIST(type) \
  struct {            \
    type *items;      \
    int n, cap;       \
  }

typedef struct pw_model {
  pw_arena *arena;
  pw_interner *names;
  pw_dag *dag;
  const pw_ast *ast; /* parts written out */
  const char *title; /* of the `model` statement, or NULL */

  int nq, nv;
  const char **q_name, **u_name; /* as in state tables: "x", "x'", "R.q[1]", "R.w[1]" */
  pw_node *u_shown;              /* velocities as shown: u, or R*W of a rotation (space axes) */

  PW_LIST(pw_coord) coords;
  PW_LIST(pw_signal) signals; /* in the order of their positions */
  PW_LIST(pw_filed) filed;
  PW_LIST(pw_spelled) spelled; /* only in models that are printed */
  int rate_of_spelled;         /* number from 1 of one whose rate, which has no letter, is needed */
  PW_LIST(pw_parameter) parameters;
  PW_LIST(pw_energy) energies;
  PW_LIST(pw_force) forces;
  PW_LIST(pw_node) kinks; /* what each PW_VAR_KINK stands for */
  PW_LIST(pw_row) rows;   /* all laws, equalities and others, in order of declaration */
  PW_LIST(pw_event_def) events;
  PW_LIST(pw_output) outputs;
  PW_LIST(pw_plot) plots;
  PW_LIST(pw_draw) draws;
  PW_LIST(pw_shape_def) shapes;
  PW_LIST(pw_touch) touches;
  PW_LIST(pw_pile) piles;
  PW_LIST(pw_expectation) expectations;
  pw_value *q_start, *u_start; /* nq, nv; orientations: complete or unset; u of a rotation is W */
  pw_value *q_end;             /* nq: the end of a boundary value problem */
  pw_run run;

  PW_LIST(pw_edit) edits; /* overrides as changes of the text: value spans replaced */
  const char *added_text; /* lines for overrides that replace no text, or NULL */
  int input_file;         /* numbers that came with the run, among the sources; -1: none */
} pw_model;

/* Every contact has the rows of its pairs, so that the event method can follow it. */
bool pw_model_has_pairs(const pw_model *m);
/* Rows that no pile stands for. */
int pw_model_other_rows(const pw_model *m);
/* All laws are contacts with rows and piles: events and steps may take turns. */
bool pw_model_takes_turns(const pw_model *m);

/* NAME=VALUE from the command line: a parameter, or a start value ("y", "y'", "d.y"). */
#define PW_INPUT_FILE "input file"   /* an override of this name: a file with courses of inputs */
#define PW_IMPACT_LAWS "impact laws" /* with the value "open": contacts need none */
#define PW_METHOD "run method"       /* counts in place of the run statement's */

typedef struct pw_override {
  const char *name, *value; /* texts */
} pw_override;

/* The file of numbers among the overrides cannot be opened: a fault of the file, not of the model.
 */
bool pw_input_file_fails(const pw_override *overrides, int n);

/* Checks the AST and gives it meaning. Errors go to diags; false if there were any. */
bool pw_model_check(pw_arena *arena, pw_interner *names, const pw_ast *ast, pw_sources *sources,
                    const pw_override *overrides, int n_override, pawl_diags *diags,
                    pw_model **out);
/* Parameters that are to stay variables, for derivatives by them. */
typedef struct pw_kept_names {
  const char *const *names;
  int n;
} pw_kept_names;

/* The same with some parameters kept as variables; the model can be run. */
bool pw_model_check_varied(pw_arena *arena, pw_interner *names, const pw_ast *ast,
                           pw_sources *sources, const pw_override *overrides, int n_override,
                           const pw_kept_names *vary, pawl_diags *diags, pw_model **out);
/* The same for equations in print, of a model that has passed the check: parameters are variables
 * of the graph where their values need not be known; starts and results are left out. */
bool pw_model_check_symbols(pw_arena *arena, pw_interner *names, const pw_ast *ast,
                            pw_sources *sources, const pw_override *overrides, int n_override,
                            pawl_diags *diags, pw_model **out);

/* Friction, rough, tip of a norm: the components of a vector are one law. */
bool pw_acts_as_one(pw_kind kind);
/* Held always, or while it is closed: a servo that acts on one side or one way lets go. */
bool pw_row_is_equality(const pw_row *row);
bool pw_row_is_switched(const pw_row *row);
/* A one-sided law whose multiplier is a state and zero off the constraint. */
bool pw_is_complementary(const pw_row *row);

/* A multiplier that is a state is part of the start: warns of those that are not given. With
 * `searched` those of vakonomic laws are looked for, as between two positions. */
void pw_warn_multipliers(const pw_model *model, bool searched, pawl_diags *diags);

/* Derivative along the motion: q -> q', u -> a, t -> 1 (a rotation: q' = q o (0, W)/2). */
void pw_time_derivative(const pw_model *model, const pw_node *f, int n, pw_node *out);
/* The first signal that a statement asks for, NULL if there is none: turns of joints are counted
 * without being asked for. */
const pw_signal *pw_first_signal(const pw_model *model);
/* The signal that position i belongs to, or -1. */
int pw_signal_of(const pw_model *model, int i);
/* The node of dq_i/dt in terms of q and u; of a multiplier that is a state: 0. */
pw_node pw_position_rate(const pw_model *model, int i);

/* A row whose multiplier is a state: vakonomic, inertia. The first one behind `row`, or -1. */
int pw_next_state(const pw_model *model, int row);
/* Its number among these rows. */
int pw_state_of(const pw_model *model, int row);

/* Printed name of a DAG variable. */
const char *pw_model_var_name(const pw_model *model, int var);

#endif
