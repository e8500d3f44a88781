// SPDX-License-Identifier: MIT
/* A robot as a model: bodies, joints, gravity, limits, damping, friction. */
#include <math.h>
#include <string.h>

#include "import/robot.h"
#include "law/scale_export.h"

/* 14 digits: the last two are rounding of poses. */
static void put_real(pw_buf *out, double x) {
  pw_buf_printf(out, "%.14g", x);
}

static double largest(const double *v, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs(v[i]));
  }
  return most;
}

/* Rounding error of a zero computed from poses, in a sum of terms of this size. */
static bool is_rounding(double x, double size) {
  return fabs(x) <= PW_SCALE(POSE_ROUNDING) * size;
}

/* With its unit, by whether the joint slides or turns. */
static void put_quantity(pw_buf *out, double x, const pw_robot_joint *j, const char *sliding,
                         const char *turning) {
  put_real(out, x);
  pw_buf_printf(out, " [%s]", j->kind == PW_ROBOT_PRISMATIC ? sliding : turning);
}

/* Its entries are sums of terms of this size. */
static void put_vector(pw_buf *out, const double *v, int n, double size) {
  for (int i = 0; i < n; i++) {
    pw_buf_puts(out, i == 0 ? "(" : ", ");
    put_real(out, is_rounding(v[i], size) ? 0 : v[i]);
  }
  pw_buf_puts(out, ")");
}

/* Of a text in a comment or in quotes: one line, without quotes. */
static void put_text(pw_buf *out, const char *text) {
  for (; *text != '\0'; text++) {
    bool plain = (unsigned char)*text >= ' ' && *text != '"' && *text != '\\';
    pw_buf_add(out, plain ? text : " ", 1);
  }
}

static void put_head(const pw_robot *r, pw_buf *out) {
  pw_buf_printf(out,
                "# From %s by `pawl import`. Bodies have the axes of space where all joints "
                "are at zero,\n# and their mass centres as origins.\n",
                r->format);
  for (int i = 0; i < r->left_out.n; i++) {
    pw_buf_puts(out, i == 0 ? "# Not carried over:\n#   " : "#   ");
    put_text(out, r->left_out.items[i]);
    pw_buf_puts(out, "\n");
  }
  pw_buf_puts(out, "model \"");
  put_text(out, r->title == NULL ? "robot" : r->title);
  pw_buf_puts(out, "\"\n");
}

static void put_bodies(const pw_robot *r, pw_buf *out) {
  for (int i = 0; i < r->links.n; i++) {
    const pw_robot_link *b = &r->links.items[i];
    if (b->body == i) {
      double size = largest(b->J, 6);
      bool straight = is_rounding(largest(b->J + 3, 3), size);
      pw_buf_printf(out, "body %s: mass ", b->shown);
      put_real(out, b->mass);
      pw_buf_puts(out, " [kg], inertia ");
      put_vector(out, b->J, straight ? 3 : 6, size);
      pw_buf_puts(out, "\n");
    }
  }
}

static void put_gravity(const pw_robot *r, pw_buf *out) {
  static const char axes[] = "123";
  bool any = false;
  for (int k = 0; k < 3; k++) {
    for (int i = 0; r->gravity[k] != 0 && i < r->links.n; i++) {
      const pw_robot_link *b = &r->links.items[i];
      if (b->body == i) {
        pw_buf_puts(out, any ? "\n  " : "potential V = ");
        pw_buf_puts(out, r->gravity[k] > 0 ? "- " : any ? "+ " : "");
        put_real(out, fabs(r->gravity[k]));
        pw_buf_puts(out, " [m/s^2]*");
        put_real(out, b->mass);
        pw_buf_printf(out, " [kg]*%s.p[%c]", b->shown, axes[k]);
        any = true;
      }
    }
  }
  pw_buf_puts(out, any ? "\n" : "");
}

static void put_end(const pw_robot *r, int link, const double point[3], pw_buf *out) {
  const pw_robot_link *body =
      link < 0 || r->links.items[link].body < 0 ? NULL : &r->links.items[r->links.items[link].body];
  double at[3], size = largest(point, 3);
  size = body == NULL ? size : fmax(size, largest(body->c, 3));
  for (int i = 0; i < 3; i++) {
    at[i] = point[i] - (body == NULL ? 0 : body->c[i]);
  }
  pw_buf_printf(out, ", %s at ", body == NULL ? "ground" : body->shown);
  put_vector(out, at, 3, size);
}

static bool is_shown(const pw_robot *r, const pw_robot_joint *j) {
  return j->kind != PW_ROBOT_FIXED && j->kind != PW_ROBOT_FREE &&
         r->links.items[j->child].body >= 0;
}

static void put_joints(const pw_robot *r, pw_buf *out) {
  static const char *const words[] = {"fixed", "revolute", "prismatic", "spherical", "planar", ""};
  for (int k = 0; k < r->joints.n; k++) {
    const pw_robot_joint *j = &r->joints.items[k];
    if (is_shown(r, j)) {
      pw_buf_printf(out, "joint %s: %s", j->shown, words[j->kind]);
      put_end(r, j->parent, j->point, out);
      put_end(r, j->child, j->point, out);
      if (j->kind != PW_ROBOT_SPHERICAL) {
        pw_buf_puts(out, ", axis ");
        put_vector(out, j->axis, 3, 1);
      }
      pw_buf_puts(out, "\n");
    }
  }
}

static const char *measure(const pw_robot_joint *j) {
  return j->kind == PW_ROBOT_PRISMATIC ? "shift" : "angle";
}

static void put_limits(const pw_robot_joint *j, pw_buf *out) {
  for (int upper = 0; j->limited && upper < 2; upper++) {
    pw_buf_printf(out, "constraint %s_%s: %s(%s) %s ", j->shown, upper ? "upper" : "lower",
                  measure(j), j->shown, upper ? "<=" : ">=");
    put_quantity(out, upper ? j->upper : j->lower, j, "m", "rad");
    pw_buf_puts(out, ", restitution 0\n");
  }
}

static void put_laws(const pw_robot *r, pw_buf *out) {
  for (int k = 0; k < r->joints.n; k++) {
    const pw_robot_joint *j = &r->joints.items[k];
    bool one = j->kind == PW_ROBOT_REVOLUTE || j->kind == PW_ROBOT_PRISMATIC;

    /* Only a joint with one measure, an angle or a length, has these laws. */
    if (!is_shown(r, j) || !one) {
      continue;
    }

    /* Stops, and damping D = 1/2 d x'^2. */
    put_limits(j, out);
    if (j->damping != 0) {
      pw_buf_printf(out, "dissipation %s_damping = 1/2*", j->shown);
      put_quantity(out, j->damping, j, "N*s/m", "N*m*s");
      pw_buf_printf(out, "*%s(%s)'^2\n", measure(j), j->shown);
    }

    /* A spring V = 1/2 k (x - rest)^2. */
    if (j->stiffness != 0) {
      pw_buf_printf(out, "potential %s_spring = 1/2*", j->shown);
      put_quantity(out, j->stiffness, j, "N/m", "N*m");
      pw_buf_printf(out, "*(%s(%s) - ", measure(j), j->shown);
      put_quantity(out, j->rest, j, "m", "rad");
      pw_buf_puts(out, ")^2\n");
    }

    /* Dry friction with a constant bound. */
    if (j->friction != 0) {
      pw_buf_printf(out, "friction %s_friction: slip %s(%s)', bound ", j->shown, measure(j),
                    j->shown);
      put_quantity(out, j->friction, j, "N", "N*m");
      pw_buf_puts(out, "\n");
    }

    /* A joint that follows another: x = factor*y + offset. */
    if (j->mimic >= 0 && is_shown(r, &r->joints.items[j->mimic])) {
      const pw_robot_joint *o = &r->joints.items[j->mimic];
      pw_buf_printf(out, "constraint %s_follows: %s(%s) = ", j->shown, measure(j), j->shown);
      put_real(out, j->factor);
      pw_buf_printf(out, "*%s(%s) + ", measure(o), o->shown);
      put_quantity(out, j->offset, j, "m", "rad");
      pw_buf_puts(out, "\n");
    }
  }
}

void pw_robot_write(const pw_robot *r, pw_buf *out) {
  put_head(r, out);
  put_bodies(r, out);
  put_gravity(r, out);
  put_joints(r, out);
  put_laws(r, out);
  for (int i = 0; i < r->links.n; i++) {
    const pw_robot_link *b = &r->links.items[i];
    if (b->body == i) {
      pw_buf_printf(out, "start %s.p ~ ", b->shown);
      put_vector(out, b->c, 3, largest(b->c, 3));
      pw_buf_puts(out, "\n");
    }
  }
  pw_buf_puts(out, "run 0..1\n");
}
