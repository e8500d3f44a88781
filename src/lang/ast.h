// SPDX-License-Identifier: MIT
/* The abstract syntax tree: the structure of the text, with places, before semantic analysis. All
 * nodes live in the model's arena; all names are interned. */
#ifndef PW_LANG_AST_H
#define PW_LANG_AST_H

#include <stdbool.h>

#include "base/source.h"

/* ---- expressions ---- */

typedef enum pw_ex_kind {
  PW_EX_NUM,  /* value, unit (or NULL) */
  PW_EX_NAME, /* name; also t, pi, inf */
  PW_EX_NEG,  /* -arg[0] */
  PW_EX_POS,  /* +arg[0] */
  PW_EX_ADD,  /* arg[0] + arg[1], likewise below */
  PW_EX_SUB,
  PW_EX_MUL,
  PW_EX_DIV,
  PW_EX_POW,
  PW_EX_PRIME,  /* arg[0]' */
  PW_EX_INDEX,  /* arg[0][arg[1]] */
  PW_EX_FIELD,  /* arg[0].name */
  PW_EX_CALL,   /* arg[0](arg[1], ...) */
  PW_EX_VECTOR, /* (arg[0], arg[1], ...), at least two */
  PW_EX_EACH,   /* name in arg[0]..arg[1]: arg[2]; only as the single argument of a call */
  PW_EX_GT,     /* conditions, only inside the first argument of if */
  PW_EX_GE,
  PW_EX_LT,
  PW_EX_LE,
  PW_EX_AND,
  PW_EX_OR
} pw_ex_kind;

typedef struct pw_unit_factor {
  const char *name; /* "mm", "s", "1" */
  pw_span span;
  int power; /* negative after a slash */
} pw_unit_factor;

typedef struct pw_unit {
  pw_span span; /* with brackets */
  pw_unit_factor *items;
  int n, cap;
} pw_unit;

typedef struct pw_ex {
  pw_ex_kind kind;
  pw_span span; /* of the whole expression; parentheses around it are not counted */
  pw_span mark; /* of the operator, field name or index name */
  double value;
  const pw_unit *unit;
  const char *name;
  struct pw_ex **arg;
  int n_arg;
} pw_ex;

/* ---- parts of statements ---- */

typedef struct pw_name { /* a name being defined, with its place */
  const char *text;
  pw_span span;
} pw_name;

typedef struct pw_heading { /* NAME, NAME[index in from..to], or NAME[index.., second in from2..to2]
                             */
  pw_name name;
  pw_name index; /* text NULL: not a family */
  pw_ex *from, *to;
  pw_name second; /* text NULL: not over pairs */
  pw_ex *from2, *to2;
} pw_heading;

typedef enum pw_relation { PW_REL_EQ, PW_REL_GE, PW_REL_LE } pw_relation;

typedef struct pw_rel {
  pw_relation op;
  pw_span span, mark; /* mark: the sign itself */
  pw_ex *left, *right;
} pw_rel;

typedef struct pw_crd { /* NAME or NAME[from..to] */
  pw_name name;
  pw_ex *from, *to; /* NULL: a single coordinate */
} pw_crd;

/* The clauses of laws: name, word, and the operand in pw_clause. */
#define PW_CLAUSE_LIST(CLAUSE)                                                       \
  CLAUSE(RESTITUTION, "restitution") /* ex */                                        \
  CLAUSE(POISSON, "poisson")         /* ex */                                        \
  CLAUSE(VAKONOMIC, "vakonomic")                                                     \
  CLAUSE(INERTIA, "inertia")     /* ex; word "reservoir", "complementary" or NULL */ \
  CLAUSE(VISCOUS, "viscous")     /* ex */                                            \
  CLAUSE(STIFFNESS, "stiffness") /* ex */                                            \
  CLAUSE(MU, "mu")               /* ex, one number or two; on */                     \
  CLAUSE(ROUGH, "rough")         /* on */                                            \
  CLAUSE(BOUND, "bound")         /* ex */                                            \
  CLAUSE(STATIC, "static")       /* ex */                                            \
  CLAUSE(ROLL, "roll")           /* ex */                                            \
  CLAUSE(SPIN, "spin")           /* ex */                                            \
  CLAUSE(PLAY, "play")           /* ex..ex2 */                                       \
  CLAUSE(PRELOAD, "preload")     /* ex */                                            \
  CLAUSE(DAMPING, "damping")     /* ex */                                            \
  CLAUSE(PULL, "pull")           /* word "allow" */                                  \
  CLAUSE(GRAPH, "graph")         /* points: pw_ex vectors of two */                  \
  CLAUSE(BY, "by")               /* targets with optional factors */                 \
  CLAUSE(ONE_WAY, "one-way")

typedef enum pw_clause_kind {
#define PW_CLAUSE_ENUM(name, word) PW_CL_##name,
  PW_CLAUSE_LIST(PW_CLAUSE_ENUM)
#undef PW_CLAUSE_ENUM
} pw_clause_kind;
enum { PW_CLAUSES = PW_CL_ONE_WAY + 1 }; /* how many there are */

const char *pw_clause_word(pw_clause_kind kind);

typedef struct pw_by { /* one part of `by`: a reference, and its factor (NULL: 1) */
  pw_ex *ref, *factor;
} pw_by;

typedef struct pw_clause {
  pw_clause_kind kind;
  pw_span span; /* whole clause */
  pw_span mark; /* its word */
  pw_ex *ex, *ex2;
  pw_ex *on;
  const char *word;
  struct {
    pw_ex **items;
    int n, cap;
  } points;
  struct {
    pw_by *items;
    int n, cap;
  } by;
} pw_clause;

/* The kinds of joints: name and word. */
#define PW_JOINT_LIST(JOINT)        \
  JOINT(FIXED, "fixed")             \
  JOINT(REVOLUTE, "revolute")       \
  JOINT(PRISMATIC, "prismatic")     \
  JOINT(CYLINDRICAL, "cylindrical") \
  JOINT(UNIVERSAL, "universal")     \
  JOINT(SPHERICAL, "spherical")     \
  JOINT(PLANAR, "planar")

typedef enum pw_joint_kind {
#define PW_JOINT_ENUM(name, word) PW_JOINT_##name,
  PW_JOINT_LIST(PW_JOINT_ENUM)
#undef PW_JOINT_ENUM
} pw_joint_kind;
enum { PW_JOINTS = PW_JOINT_PLANAR + 1 };

const char *pw_joint_word(pw_joint_kind kind);
/* Number of conditions that a kind sets on positions; conditions on directions follow. */
int pw_joint_places(pw_joint_kind kind);

typedef struct pw_joint_end {
  pw_ex *body; /* a reference; `ground` is space */
  pw_ex *at;   /* point in the body's frame; NULL: its origin */
} pw_joint_end;

bool pw_joint_on_ground(const pw_joint_end *end);

typedef struct pw_joint { /* KIND "," end "," end {"," "axis" expr} */
  pw_joint_kind kind;
  pw_span span; /* of the kind */
  pw_joint_end end[2];
  pw_ex *axis[2]; /* of the first body and, universal only, of the second; NULL: not given */
} pw_joint;

typedef struct pw_ex_list {
  pw_ex **items;
  int n, cap;
} pw_ex_list;

typedef struct pw_par { /* (label | NAME {"[" index "]"}) = value [in lo..hi] */
  pw_heading label;
  pw_ex_list at; /* indices of a member or component of a parameter above; none: a new parameter */
  pw_ex *of;     /* setting of a part: the member, or the part inside of it, that has the parameter,
                    `link[2]`, `foot`; else NULL */
  pw_span span;
  pw_ex *value, *lo, *hi; /* lo, hi NULL: no range */
} pw_par;

typedef struct pw_name_list {
  pw_name *items;
  int n, cap;
} pw_name_list;

typedef struct pw_init { /* one part of start or end */
  enum { PW_INIT_FIX, PW_INIT_GUESS, PW_INIT_CLOSED } mode;
  pw_span span;
  pw_heading label; /* name set: `x[i in a..b]'' ~ value`, primes counted below; else ref */
  int primes;       /* only with label */
  pw_ex *ref;       /* NAME/INDEX/FIELD/PRIME chain, or NULL; with label: of each member */
  bool is_force;    /* `force(ref) = value` */
  pw_ex *value;     /* NULL with closed */
} pw_init;

typedef struct pw_def { /* NAME [unit] = ex */
  pw_name name;
  pw_ex *ex;
  const pw_unit *unit; /* of an output: how it is shown; NULL: SI */
} pw_def;

typedef struct pw_data_file { /* a file of numbers */
  const char *path;           /* NULL: none */
  pw_span span;               /* of the path */
  int file;                   /* among the sources; -1: none, or it could not be read */
} pw_data_file;

typedef struct pw_input { /* NAME = value ["from" file | "through" points] */
  pw_name name;
  pw_ex *value;
  pw_data_file data;
  pw_ex_list points; /* after "through": vectors of two, time and value */
} pw_input;

typedef struct pw_darg { /* an argument of draw */
  const char *word;      /* "angle", "radius", "size" or NULL */
  pw_span span;
  pw_ex *ex; /* NULL: a string */
  const char *text;
} pw_darg;

typedef struct pw_runopt {
  pw_name word;   /* "tol", "energy-gain" */
  pw_ex *ex;      /* the value; for a choice the names in it as an expression */
  pw_name choice; /* a word such as "moreau", "allow"; text NULL if the value is no word */
} pw_runopt;

/* ---- statements: a struct for each kind, and one that is any of them ---- */

struct pw_ast;

typedef struct pw_lang_part { /* "include" STRING "as" label {"," setting}: a model in a name space
                               */
  pw_heading label;
  struct {
    pw_par *items;
    int n, cap;
  } settings;                /* of its parameters */
  const struct pw_ast *body; /* its statements; NULL: it could not be read */
} pw_lang_part;

typedef enum pw_stmt_kind {
  PW_ST_MODEL,
  PW_ST_INCLUDE,
  PW_ST_PARAMETER,
  PW_ST_COORDINATES,
  PW_ST_ROTATION,
  PW_ST_BODY,
  PW_ST_LET,
  PW_ST_KINETIC,
  PW_ST_POTENTIAL,
  PW_ST_DISSIPATION,
  PW_ST_FORCE,
  PW_ST_CONSTRAINT,
  PW_ST_FRICTION,
  PW_ST_SPRING,
  PW_ST_LAW,
  PW_ST_SERVO,
  PW_ST_JOINT,
  PW_ST_SHAPE,
  PW_ST_CONTACT,
  PW_ST_INPUT,
  PW_ST_TABLE,
  PW_ST_STATE,
  PW_ST_SAMPLE,
  PW_ST_START,
  PW_ST_END,
  PW_ST_EVENT,
  PW_ST_OUTPUT,
  PW_ST_PLOT,
  PW_ST_DRAW,
  PW_ST_RUN,
  PW_ST_EXPECT
} pw_stmt_kind;

typedef struct pw_st_string { /* model, include */
  const char *text;
  pw_span span;
  pw_lang_part *part; /* include: NULL if the file replaces the statement */
} pw_st_string;

typedef struct pw_st_parameter {
  pw_par *items;
  int n, cap;
} pw_st_parameter;

typedef struct pw_st_coordinates {
  pw_crd *items;
  int n, cap;
} pw_st_coordinates;

typedef struct pw_st_body {
  pw_heading label;
  pw_ex *mass, *inertia;
} pw_st_body;

typedef struct pw_st_let { /* a function is no family */
  pw_heading label;
  pw_name *args;
  int n_arg;
  bool is_function;
  pw_ex *ex;
} pw_st_let;

typedef struct pw_st_energy { /* kinetic potential dissipation */
  pw_name name;
  pw_ex *ex;
} pw_st_energy;

typedef struct pw_st_force { /* target: ref, or the point */
  bool at;
  pw_ex *target;
  pw_ex *ex;
} pw_st_force;

typedef struct pw_st_shape {
  pw_heading label;
  pw_name kind;
  pw_darg *items;
  int n, cap;
  pw_ex_list corners;
} pw_st_shape;

typedef struct pw_st_law { /* constraint friction spring law servo joint contact */
  pw_heading label;
  pw_rel rel;     /* constraint, servo */
  pw_ex *measure; /* slip or stretch of friction, spring, law */
  bool is_slip;   /* law: `slip` (true) or `stretch` */
  pw_joint *joint;
  pw_ex_list shapes; /* contact */
  pw_clause *items;
  int n, cap;
} pw_st_law;

typedef struct pw_st_start { /* start, end */
  pw_init *items;
  int n, cap;
} pw_st_start;

typedef struct pw_st_event {
  pw_name name;
  pw_ex *every; /* NULL: rel */
  pw_rel rel;
  bool stop, rising, falling;
} pw_st_event;

typedef struct pw_st_output { /* output; state: names and rates */
  pw_def *items;
  int n, cap;
} pw_st_output;

typedef struct pw_st_input {
  pw_input *items; /* none: `input from "drive.csv"` */
  int n, cap;
  pw_data_file all; /* courses of all inputs that it has a column for */
} pw_st_input;

typedef struct pw_st_table {
  pw_name name, arg;
  const pw_unit *arg_unit, *unit; /* or NULL */
  pw_ex_list points;              /* vectors of two */
  pw_data_file data;              /* instead of points */
  pw_name_list words;             /* linear, cubic, monotone, periodic, extend */
} pw_st_table;

typedef struct pw_st_sample {
  pw_name name;
  pw_ex *ex, *every;
} pw_st_sample;

typedef struct pw_st_plot { /* vs NULL: against t */
  pw_ex **items;
  int n, cap;
  pw_ex *vs;
} pw_st_plot;

typedef struct pw_st_draw {
  pw_name shape;
  pw_darg *items;
  int n, cap;
} pw_st_draw;

typedef struct pw_st_run {
  pw_ex *from, *to;
  pw_runopt *items;
  int n, cap;
} pw_st_run;

typedef struct pw_st_expect {
  pw_ex *left, *right, *tol;
  enum { PW_AT_END, PW_AT_TIME, PW_AT_EVENT } at;
  pw_ex *time;  /* AT_TIME */
  pw_name kind; /* AT_EVENT: "impact", "event", ... */
  pw_ex *count; /* AT_EVENT: which one, from 1 */
  pw_ex *of;    /* AT_EVENT: reference to the law or event */
} pw_st_expect;

typedef struct pw_stmt {
  pw_stmt_kind kind;
  pw_span span; /* keyword to last token */
  pw_span keyword;
  const char *scope; /* of a statement of a part: "left.", "link[2].hub."; NULL: of the model */
  union {
    pw_st_string string;
    pw_st_parameter parameter;
    pw_st_coordinates coordinates;
    pw_name_list rotation;
    pw_st_body body;
    pw_st_let let;
    pw_st_energy energy;
    pw_st_force force;
    pw_st_shape shape;
    pw_st_law law;
    pw_st_start start;
    pw_st_event event;
    pw_st_output output;
    pw_st_input input;
    pw_st_table table;
    pw_st_sample sample;
    pw_st_plot plot;
    pw_st_draw draw;
    pw_st_run run;
    pw_st_expect expect;
  } u;
} pw_stmt;

typedef struct pw_include { /* a file that replaces an include statement */
  pw_span span;
  int file;           /* -1: could not be included */
  bool part;          /* the statement stays: the file is a part */
  bool data;          /* numbers: the span is that of the path, with the word before it */
  const char *column; /* of an input; NULL: of a table, or of all inputs */
} pw_include;

typedef struct pw_ast {
  pw_stmt **items; /* in order, included files in place of their include statement */
  int n, cap;
  struct {
    pw_include *items;
    int n, cap;
  } includes; /* in the order of reading */
  /* Names that omitted statements with syntax errors may have defined. */
  bool broken;
  unsigned broken_kinds; /* bit k: there may be one of kind k */
  bool broken_names;     /* any name may have been defined; else only these: */
  struct {
    const char **items;
    int n, cap;
  } excused;
  const pw_sources *sources;
} pw_ast;

#endif
