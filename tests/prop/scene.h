// SPDX-License-Identifier: MIT
/* A random small system: energies, laws and a consistent start, all from one seed. */
#ifndef PW_TESTS_SCENE_H
#define PW_TESTS_SCENE_H

#include "poly.h"

enum { SCENE_LAWS = 8, SCENE_MOST = 6 }; /* with friction and the like, without */
/* Seeds from here on draw friction, springs and graphs, those below one-sided laws. */
enum { SCENE_RUBS = 1000001 };

typedef enum law_kind {
  UNILATERAL,
  ONE_SIDED,
  HOLONOMIC,
  NONHOLONOMIC,
  FRICTION, /* f is a slip: |force| <= bound, or mu times the force of law `on` */
  SPRING,   /* f is a stretch: play -play..play, preload, stiffness */
  GRAPH     /* f is a slip: force -low below 0, -high above, any between them at 0 */
} law_kind;

typedef enum law_start {
  START_APART,  /* f > 0 */
  START_CLOSED, /* f = 0 and its rate is 0 */
  START_LEAVING /* f = 0, rate > 0 */
} law_start;

typedef struct law { /* f >= 0, or f = 0 */
  law_kind kind;
  poly f;
  double e;
  int poisson;
  law_start start;
  int says_closed; /* the text has `closed` */
  int ideal;       /* its force does no work: no time in it; velocities: linear, homogeneous */
  int linear;      /* in the velocities */
  int on;          /* friction: law whose force bounds it, -1: the bound is given */
  double mu;       /* friction: bound, or coefficient */
  double play, preload, stiffness; /* spring */
  double low, high;                /* graph */
} law;

typedef struct scene {
  uint64_t seed;
  int n, m;
  poly T, V, D, push; /* push: force on q1, of t alone */
  law law[SCENE_LAWS];
  double q0[POLY_VARS], u0[POLY_VARS];
  double span;
  int sequential;
} scene;

void scene_draw(scene *s, uint64_t seed);

typedef struct variant { /* how a scene is written */
  int order[SCENE_LAWS]; /* of the laws in the text */
  int scaled;            /* this law is multiplied by 10; -1: none */
} variant;

/* The model text, to be freed. */
char *scene_text(const scene *s, const variant *v);

int law_is_equality(const law *l);
int law_is_positional(const law *l); /* f is a function of q and t */
int law_is_rub(const law *l);        /* friction, spring or graph: its forces are bounded */
/* Forces that such a law may have at this value of f; near: values that count as the kink. */
void law_forces(const law *l, double value, double normal, double near, double *lo, double *hi);
/* Energy stored in springs. */
double scene_stored(const scene *s, place at);
/* Gradient of the law: what its force multiplies. */
void law_gradient(const law *l, int n, place at, double *w);
/* What a jump changes: d/dt of a position law, value of a velocity law. */
double law_rate(const law *l, int n, place at);
/* 1: no row does work, nothing depends on time: energy cannot increase. */
int scene_is_passive(const scene *s);
/* T u u: the mass matrix. */
void scene_mass(const scene *s, place at, double mass[POLY_VARS][POLY_VARS]);
/* Row k of the equations of motion without constraint forces, and the sum of its terms' sizes. */
double scene_balance(const scene *s, int k, place at, const double *a, double *size);

#endif
