// SPDX-License-Identifier: MIT
/* A robot as a tree of links, whatever the format it was read from. All vectors are in the axes of
 * space at the configuration where every joint is at zero; these are the axes of all bodies, too,
 * so that the frames of two bodies coincide at angle 0, as joints demand. */
#ifndef PW_IMPORT_ROBOT_H
#define PW_IMPORT_ROBOT_H

#include "base/buf.h"
#include "base/intern.h"
#include "import/xml.h"

typedef enum pw_robot_kind {
  PW_ROBOT_FIXED,
  PW_ROBOT_REVOLUTE,
  PW_ROBOT_PRISMATIC,
  PW_ROBOT_SPHERICAL,
  PW_ROBOT_PLANAR,
  PW_ROBOT_FREE
} pw_robot_kind;

typedef struct pw_robot_link {
  const char *name;
  pw_span span;
  double mass, c[3], J[6]; /* mass centre; about it: xx, yy, zz, xy, xz, yz */
  double p[3], R[9];       /* frame of the link, R by rows */
  int joint;               /* that carries it; -1: the root */
  int body;                /* the link that it is one body with, itself among them */
  const char *shown;       /* name of the body in the model */
  bool placed;
} pw_robot_link;

typedef struct pw_robot_joint {
  const char *name, *shown;
  pw_span span;
  pw_robot_kind kind;
  int parent, child; /* links; parent -1: space */
  double p[3], R[9]; /* frame of the child in that of the parent */
  double point[3];   /* of the joint in the frame of the child, then in space */
  double axis[3];    /* in the frame of the child, then in space */
  bool limited;
  double lower, upper, damping, friction, stiffness, rest;
  int mimic; /* joint that it follows: angle = factor * other + offset; -1: none */
  double factor, offset;
} pw_robot_joint;

typedef struct pw_robot {
  pw_arena *arena;
  pw_interner *names;
  pawl_diags *diags;
  const char *title, *format;
  double gravity[3];
  struct {
    pw_robot_link *items;
    int n, cap;
  } links;
  struct {
    pw_robot_joint *items;
    int n, cap;
  } joints;
  struct {
    const char **items;
    int n, cap;
  } left_out; /* parts that cannot be converted, one line each */
} pw_robot;

bool pw_robot_from_urdf(pw_robot *r, const pw_xml *root);
bool pw_robot_from_mjcf(pw_robot *r, const pw_xml *root);

/* Not carried over: a line in the file and a warning at the place. */
void pw_robot_leave_out(pw_robot *r, pw_span at, const char *what, const char *why);
/* False: too many links or joints, which was reported. */
bool pw_robot_has_room(pw_robot *r, pw_span at);
/* False: the limits of the joint are upside down, which was said. */
bool pw_robot_has_range(pw_robot *r, const pw_robot_joint *joint, pw_span at);
int pw_robot_find_link(const pw_robot *r, const char *name);

/* The tree: poses at zero, bodies of links that are fixed to each other, names. False after an
 * error: loops, links without inertia that move. */
bool pw_robot_assemble(pw_robot *r);
/* The model as text. */
void pw_robot_write(const pw_robot *r, pw_buf *out);

/* 3 x 3 matrices by rows. */
void pw_robot_rpy(const double rpy[3], double R[9]); /* turns about x, then y, then z of space */
void pw_robot_quat(const double q[4], double R[9]);  /* scalar first, any length but zero */
void pw_robot_product(const double *A, const double *B, double *out);
void pw_robot_turn(const double *R, const double v[3], double out[3]);
void pw_robot_turn_inertia(const double *R, const double J[6], double out[6]);
/* J += that of a mass at the distance d. */
void pw_robot_shift_inertia(double m, const double d[3], double J[6]);

#endif
