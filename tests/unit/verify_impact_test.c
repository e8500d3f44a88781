// SPDX-License-Identifier: MIT
/* The certificate's judgement of impacts against random ones. Velocities after the impact are made
 * here, by trying all modes of all contacts (or, for slips in the plane, by relaxation) with a
 * residual of their own; then spoiled: by another restitution, law or coefficient of friction, by
 * impulses that are moved or turned. What is right is accepted, what is wrong found. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "verify_support.h"

enum { MOST = 4, DOF = 8, UNKNOWNS = 3 * MOST };

typedef enum impact_law { NEWTON, POISSON, IN_TURN, POISSON_IN_TURN } impact_law;
typedef enum rubbing { SMOOTH, LINE, PLANE } rubbing; /* friction of every contact */

typedef struct scene {
  int n, k, sides; /* velocities, contacts, components of a slip */
  impact_law law;
  rubbing rub;
  double M[DOF][DOF], inv[DOF][DOF];
  double W[UNKNOWNS][DOF]; /* contact i: rows i(1 + sides) and following */
  double e[MOST], mu[MOST], eT[MOST];
  double before[DOF];
} scene;

static double uniform(uint64_t *state) { /* -1..1 */
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

static double between(uint64_t *state, double a, double b) {
  return a + (b - a) * (uniform(state) + 1) / 2;
}

static int row_of(const scene *s, int contact) {
  return contact * (1 + s->sides);
}

static double rate(const scene *s, int row, const double *u) {
  double sum = 0;
  for (int j = 0; j < s->n; j++) {
    sum += s->W[row][j] * u[j];
  }
  return sum;
}

/* ---- linear equations, also such that leave something free ---- */

/* Gauss with complete pivoting; what is free is drawn. False: no solution. */
static bool solve(int m, double A[UNKNOWNS][UNKNOWNS + 1], double *x, uint64_t *random) {
  int order[UNKNOWNS], rank = 0;
  for (int j = 0; j < m; j++) {
    order[j] = j;
  }
  for (; rank < m; rank++) {
    int row = rank, col = rank;
    for (int i = rank; i < m; i++) {
      for (int j = rank; j < m; j++) {
        if (fabs(A[i][j]) > fabs(A[row][col])) {
          row = i;
          col = j;
        }
      }
    }
    if (fabs(A[row][col]) < 1e-11) {
      break;
    }
    for (int j = 0; j <= m; j++) {
      double x0 = A[row][j];
      A[row][j] = A[rank][j];
      A[rank][j] = x0;
    }
    for (int i = 0; i < m; i++) {
      double x0 = A[i][col];
      A[i][col] = A[i][rank];
      A[i][rank] = x0;
    }
    int t = order[col];
    order[col] = order[rank];
    order[rank] = t;
    for (int i = 0; i < m; i++) {
      double f = i == rank ? 0 : A[i][rank] / A[rank][rank];
      for (int j = rank; f != 0 && j <= m; j++) {
        A[i][j] -= f * A[rank][j];
      }
    }
  }
  for (int i = rank; i < m; i++) {
    if (fabs(A[i][m]) > 1e-10) {
      return false;
    }
    x[order[i]] = between(random, 0, 0.3);
  }
  for (int i = 0; i < rank; i++) {
    double sum = A[i][m];
    for (int j = rank; j < m; j++) {
      sum -= A[i][j] * x[order[j]];
    }
    x[order[i]] = sum / A[i][i];
  }
  return true;
}

/* ---- scenes ---- */

static bool invert(scene *s, uint64_t *random) {
  for (int c = 0; c < s->n; c++) {
    double A[UNKNOWNS][UNKNOWNS + 1], x[UNKNOWNS];
    for (int i = 0; i < s->n; i++) {
      for (int j = 0; j < s->n; j++) {
        A[i][j] = s->M[i][j];
      }
      A[i][s->n] = i == c;
    }
    if (!solve(s->n, A, x, random)) {
      return false;
    }
    for (int i = 0; i < s->n; i++) {
      s->inv[i][c] = x[i];
    }
  }
  return true;
}

/* In some of those with four contacts one depends on the others. */
static scene draw_scene(uint64_t seed, impact_law law, rubbing rub) {
  uint64_t r = seed * 7919 + 17;
  scene s = {.law = law, .rub = rub, .sides = (int)rub};
  uniform(&r);
  s.k = 1 + (int)(seed % MOST);
  s.k = rub == PLANE && s.k == MOST ? 1 : s.k;
  s.n = s.k * (1 + s.sides) + (int)(seed / MOST % 4) - 1; /* one short: impulses are not unique */
  s.n = s.n < 1 + s.sides ? 1 + s.sides : s.n < 2 ? 2 : s.n > DOF ? DOF : s.n;
  double B[DOF][DOF];
  for (int i = 0; i < s.n; i++) {
    for (int j = 0; j < s.n; j++) {
      B[i][j] = uniform(&r);
    }
  }
  for (int i = 0; i < s.n; i++) {
    for (int j = 0; j < s.n; j++) {
      s.M[i][j] = i == j ? 0.5 : 0;
      for (int l = 0; l < s.n; l++) {
        s.M[i][j] += B[i][l] * B[j][l] / s.n;
      }
    }
  }
  for (int i = 0; i < s.k * (1 + s.sides); i++) {
    for (int j = 0; j < s.n; j++) {
      s.W[i][j] = uniform(&r) + (i % (1 + s.sides) == 0 && j == 0 ? 1 : 0);
    }
  }
  if (s.k == 4 && seed % 8 == 3) {
    for (int j = 0; j < s.n; j++) {
      s.W[row_of(&s, 3)][j] = s.W[row_of(&s, 0)][j] + s.W[row_of(&s, 1)][j] - s.W[row_of(&s, 2)][j];
    }
  }
  double e = between(&r, 0, 0.95);
  for (int i = 0; i < s.k; i++) {
    s.e[i] = seed % 3 == 0 ? e : between(&r, 0, 0.95);
    s.mu[i] = rub == SMOOTH ? 0 : between(&r, 0.05, 0.5);
    s.eT[i] = seed % 5 == 0 ? between(&r, 0, 0.6) : 0;
  }
  CHECK(invert(&s, &r));
  for (int turn = 0; turn < 10000; turn++) {
    bool closing = true;
    for (int j = 0; j < s.n; j++) {
      s.before[j] = uniform(&r);
    }
    for (int i = 0; i < s.k; i++) {
      closing = closing && rate(&s, row_of(&s, i), s.before) < -0.02;
    }
    if (closing) {
      return s;
    }
  }
  s.k = 0; /* these contacts never close together */
  return s;
}

static void push(const scene *s, int row, double impulse, double *u) {
  for (int i = 0; i < s->n; i++) {
    for (int j = 0; j < s->n; j++) {
      u[i] += s->inv[i][j] * s->W[row][j] * impulse;
    }
  }
}

/* W_i M^-1 W_j^T */
static double couple(const scene *s, int row, int col) {
  double u[DOF] = {0};
  push(s, col, 1, u);
  return rate(s, row, u);
}

/* ---- all modes ---- */

typedef struct phase { /* one problem */
  const double *from;  /* velocities before it */
  double shift[UNKNOWNS];
  double least[MOST]; /* normal impulses are at least this, and just this if the contact opens */
  bool expands;
  int only; /* or -1 */
} phase;

typedef struct outcome {
  double u[DOF], impulse[UNKNOWNS];
} outcome;

enum { OPEN, STICK, PLUS, MINUS, OPEN_STICK, OPEN_PLUS, OPEN_MINUS, MODES };

/* Opens: rate >= 0 and the least impulse; otherwise the rate is zero. */
static bool opens(int mode) {
  return mode == OPEN || mode >= OPEN_STICK;
}

static int slide_of(int mode) {
  return mode == PLUS || mode == OPEN_PLUS ? 1 : mode == MINUS || mode == OPEN_MINUS ? -1 : 0;
}

static bool obeys(const scene *s, const phase *p, const int *mode, const outcome *o) {
  for (int i = 0; i < s->k; i++) {
    int row = row_of(s, i);
    if (p->only >= 0 && i != p->only) {
      continue;
    }
    double normal = o->impulse[row], left = rate(s, row, o->u) + p->shift[row];
    if (normal < p->least[i] - 1e-12 || left < -1e-12) {
      return false;
    }
    if (s->rub == LINE && mode[i] != OPEN) {
      double slip = rate(s, row + 1, o->u) + p->shift[row + 1];
      int way = slide_of(mode[i]);
      if (way == 0 ? fabs(o->impulse[row + 1]) > s->mu[i] * normal + 1e-12 : way * slip < -1e-12) {
        return false;
      }
    }
  }
  return true;
}

static bool try_modes(const scene *s, const phase *p, const int *mode, outcome *o,
                      uint64_t *random) {
  int m = s->k * (1 + s->sides);
  double A[UNKNOWNS][UNKNOWNS + 1];
  memset(A, 0, sizeof A);
  for (int i = 0; i < m; i++) {
    int contact = i / (1 + s->sides), row = row_of(s, contact), now = mode[contact];
    bool idle = p->only >= 0 && contact != p->only, normal = i == row;
    if (idle || (normal && opens(now)) || (!normal && now == OPEN)) {
      A[i][i] = 1;
      A[i][m] = normal && !idle ? p->least[contact] : 0;
    } else if (!normal && slide_of(now) != 0) {
      A[i][i] = 1;
      A[i][row] = slide_of(now) * s->mu[contact];
    } else {
      for (int j = 0; j < m; j++) {
        A[i][j] = couple(s, i, j);
      }
      A[i][m] = -rate(s, i, p->from) - p->shift[i];
    }
  }
  if (!solve(m, A, o->impulse, random)) {
    return false;
  }
  memcpy(o->u, p->from, sizeof o->u);
  for (int i = 0; i < m; i++) {
    push(s, i, o->impulse[i], o->u);
  }
  return obeys(s, p, mode, o);
}

/* A solution; the modes are tried from a place that is drawn. */
static bool enumerate(const scene *s, const phase *p, outcome *o, uint64_t *random) {
  static const int smooth[] = {OPEN, STICK}, rough[] = {OPEN, STICK, PLUS, MINUS};
  static const int wide[] = {STICK, PLUS, MINUS, OPEN_STICK, OPEN_PLUS, OPEN_MINUS};
  const int *list = s->rub == SMOOTH ? smooth : p->expands ? wide : rough;
  int each = s->rub == SMOOTH ? 2 : p->expands ? 6 : 4, all = 1, mode[MOST] = {0};
  for (int i = 0; i < s->k; i++) {
    all *= each;
  }
  int first = (int)(between(random, 0, 1) * all) % all;
  for (int k = 0; k < all; k++) {
    int left = (first + k) % all;
    for (int i = 0; i < s->k; i++) {
      mode[i] = list[left % each];
      left /= each;
    }
    if (try_modes(s, p, mode, o, random)) {
      return true;
    }
  }
  return false;
}

/* ---- slips in the plane ---- */

static double fix(const scene *s, const phase *p, int i, outcome *o) {
  int row = row_of(s, i);
  double old[3], far = 0;
  memcpy(old, o->impulse + row, sizeof old);
  double left = rate(s, row, o->u) + p->shift[row];
  double normal = fmax(p->least[i], old[0] - left / couple(s, row, row));
  double stiff = couple(s, row + 1, row + 1) + couple(s, row + 2, row + 2), t[2];
  for (int d = 0; d < 2; d++) {
    t[d] = old[1 + d] - (rate(s, row + 1 + d, o->u) + p->shift[row + 1 + d]) / stiff;
  }
  double size = hypot(t[0], t[1]), most = s->mu[i] * normal, cut = size > most ? most / size : 1;
  double now[3] = {normal, t[0] * cut, t[1] * cut};
  for (int d = 0; d < 3; d++) {
    o->impulse[row + d] = now[d];
    push(s, row + d, now[d] - old[d], o->u);
    far = fmax(far, fabs(now[d] - old[d]));
  }
  return far;
}

static bool relax(const scene *s, const phase *p, outcome *o) {
  memset(o, 0, sizeof *o);
  memcpy(o->u, p->from, sizeof o->u);
  for (int turn = 0; turn < 20000; turn++) {
    double far = 0;
    for (int i = 0; i < s->k; i++) {
      far = fmax(far, p->only >= 0 && i != p->only ? 0 : fix(s, p, i, o));
    }
    if (far < 1e-14) {
      return true;
    }
  }
  return false;
}

/* ---- laws ---- */

static bool one(const scene *s, const phase *p, outcome *o, uint64_t *random) {
  return s->rub == PLANE ? relax(s, p, o) : enumerate(s, p, o, random);
}

static bool hit(const scene *s, const double *from, int only, outcome *o, uint64_t *random) {
  bool poisson = s->law == POISSON || s->law == POISSON_IN_TURN;
  phase p = {.from = from, .only = only};
  outcome first;
  for (int i = 0; i < s->k * (1 + s->sides); i++) {
    int contact = i / (1 + s->sides);
    bool normal = i == row_of(s, contact);
    p.shift[i] = (normal ? s->e : s->eT)[contact] * rate(s, i, from);
  }
  if (!poisson) {
    return one(s, &p, o, random);
  }
  phase squeeze = {.from = from, .only = only};
  if (!one(s, &squeeze, &first, random)) {
    return false;
  }
  p.from = first.u;
  p.expands = true;
  for (int i = 0; i < s->k; i++) {
    p.shift[row_of(s, i)] = 0;
    p.least[i] = s->e[i] * first.impulse[row_of(s, i)];
  }
  if (!one(s, &p, o, random)) {
    return false;
  }
  for (int i = 0; i < s->k * (1 + s->sides); i++) {
    o->impulse[i] += first.impulse[i];
  }
  return true;
}

static int fastest(const scene *s, const double *u) {
  int worst = -1;
  double most = -1e-9;
  for (int i = 0; i < s->k; i++) {
    int row = row_of(s, i);
    double speed = rate(s, row, u) / sqrt(couple(s, row, row));
    if (speed < most) {
      most = speed;
      worst = i;
    }
  }
  return worst;
}

static bool strike(const scene *s, outcome *o, uint64_t *random) {
  if (s->law == NEWTON || s->law == POISSON) {
    return hit(s, s->before, -1, o, random);
  }
  outcome last;
  memset(o, 0, sizeof *o);
  memcpy(o->u, s->before, sizeof o->u);
  for (int turn = 0; turn < 60; turn++) {
    int next = fastest(s, o->u);
    if (next < 0) {
      return true;
    }
    double from[DOF];
    memcpy(from, o->u, sizeof from);
    if (!hit(s, from, next, &last, random)) {
      return false;
    }
    memcpy(o->u, last.u, sizeof last.u);
    for (int i = 0; i < s->k * (1 + s->sides); i++) {
      o->impulse[i] += last.impulse[i];
    }
  }
  return false;
}

/* ---- the judgement ---- */

static void add_sum(char *text, size_t room, const double *w, int n, const char *prime) {
  for (int j = 0; j < n; j++) {
    size_t at = strlen(text);
    snprintf(text + at, room - at, "%s%.17g*x%d%s", j == 0 ? "" : " + ", w[j], j, prime);
  }
}

static void write_model(const scene *s, char *text, size_t room) {
  size_t at = (size_t)snprintf(text, room, "coordinates x0");
  for (int j = 1; j < s->n; j++) {
    at += (size_t)snprintf(text + at, room - at, ", x%d", j);
  }
  at += (size_t)snprintf(text + at, room - at, "\nkinetic T = 0");
  for (int i = 0; i < s->n; i++) {
    for (int j = 0; j < s->n; j++) {
      at += (size_t)snprintf(text + at, room - at, " + %.17g*x%d'*x%d'", s->M[i][j] / 2, i, j);
    }
  }
  for (int i = 0; i < s->k; i++) {
    int row = row_of(s, i);
    bool poisson = s->law == POISSON || s->law == POISSON_IN_TURN;
    at = strlen(text);
    snprintf(text + at, room - at, "\nconstraint c%d: ", i);
    add_sum(text, room, s->W[row], s->n, "");
    at = strlen(text);
    snprintf(text + at, room - at, " >= 0, %s %.17g\n", poisson ? "poisson" : "restitution",
             s->e[i]);
    if (s->rub == SMOOTH) {
      continue;
    }
    at = strlen(text);
    snprintf(text + at, room - at, "friction f%d: slip %s", i, s->rub == PLANE ? "(" : "");
    for (int d = 1; d <= s->sides; d++) {
      add_sum(text, room, s->W[row + d], s->n, "'");
      at = strlen(text);
      snprintf(text + at, room - at, "%s", d < s->sides ? ", " : s->rub == PLANE ? ")" : "");
    }
    at = strlen(text);
    snprintf(text + at, room - at, ", mu %.17g on c%d, restitution %.17g", s->mu[i], i, s->eT[i]);
  }
  at = strlen(text);
  snprintf(text + at, room - at, "\nstart x0 = 0\nrun 0..2, impacts %s\n",
           s->law >= IN_TURN ? "sequential" : "simultaneous");
}

typedef enum judgement { ACCEPTED, FOUND, UNKNOWN } judgement;

static judgement judge(const scene *s, const double *after) {
  static char text[20000];
  static const double none[DOF] = {0};
  double start[DOF];
  write_model(s, text, sizeof text);
  judged opened = judged_open(text);
  pawl_certifier *c = opened.c;
  for (int j = 0; j < s->n; j++) {
    start[j] = -s->before[j];
  }
  CHECK(pawl_certify_row(c, 0, start, s->before, NULL) == PAWL_OK);
  CHECK(pawl_certify_row(c, 1, none, s->before, NULL) == PAWL_OK);
  CHECK(pawl_certify_row(c, 1, none, after, NULL) == PAWL_OK);
  pawl_certify_finish(c);
  judgement out = UNKNOWN;
  for (int i = 0; i < pawl_certify_findings(c); i++) {
    pawl_finding f = pawl_certify_finding(c, i);
    bool mine = strcmp(f.principle, "impulse") == 0 || strcmp(f.principle, "impact law") == 0;
    if (mine && f.value > f.tolerance) {
      out = FOUND;
    } else if (mine && out == UNKNOWN && strcmp(f.principle, "impact law") == 0 && !isnan(f.t)) {
      out = ACCEPTED;
    }
  }
  judged_close(&opened);
  return out;
}

/* ---- wrong ones ---- */

static double distance(const scene *s, const double *u, const double *v) {
  double sum = 0, size = 0;
  for (int i = 0; i < s->n; i++) {
    for (int j = 0; j < s->n; j++) {
      sum += s->M[i][j] * (u[i] - v[i]) * (u[j] - v[j]);
      size += s->M[i][j] * s->before[i] * s->before[j];
    }
  }
  return sqrt(sum / size);
}

enum { OTHER_E, OTHER_LAW, OTHER_MU, MOVED, TURNED, WAYS };

static bool spoil(const scene *s, const outcome *right, int way, double *u, uint64_t *random) {
  scene t = *s;
  outcome o = *right;
  for (int i = 0; i < s->k; i++) {
    t.e[i] += way == OTHER_E ? (s->e[i] < 0.5 ? 0.1 : -0.1) : 0;
    t.mu[i] *= way == OTHER_MU ? 1.25 : 1;
  }
  t.law = way == OTHER_LAW ? (impact_law)((s->law + 1 + random[0] % 3) % 4) : s->law;
  if (way == MOVED && s->k > 1) {
    push(s, row_of(s, 0), -0.03 * o.impulse[row_of(s, 0)], o.u);
    push(s, row_of(s, s->k - 1), 0.03 * o.impulse[row_of(s, 0)], o.u);
  } else if (way == TURNED && s->rub == PLANE) {
    double a = o.impulse[1], b = o.impulse[2];
    push(s, 1, -1e-3 * b, o.u);
    push(s, 2, 1e-3 * a, o.u);
  } else if (way >= MOVED || (way == OTHER_MU && s->rub == SMOOTH) || !strike(&t, &o, random)) {
    return false;
  }
  memcpy(u, o.u, sizeof o.u);
  return true;
}

/* All scenes with PAWL_CAMPAIGN in the environment, else a quarter of them. */
static void campaign(impact_law law, rubbing rub, int all) {
  int right = 0, wrong = 0, found = 0, scenes = getenv("PAWL_CAMPAIGN") != NULL ? all : all / 4;
  for (uint64_t seed = 1; seed <= (uint64_t)scenes; seed++) {
    uint64_t random = seed * 31 + 7;
    scene s = draw_scene(seed, law, rub);
    outcome o;
    if (s.k == 0 || !strike(&s, &o, &random)) {
      continue;
    }
    right++;
    judgement j = judge(&s, o.u);
    if (j != ACCEPTED) {
      printf("seed %d (%d contacts, %d velocities): %s\n", (int)seed, s.k, s.n,
             j == FOUND ? "rejected" : "not decided");
    }
    CHECK(j == ACCEPTED);
    for (int way = 0; way < WAYS; way++) {
      double u[DOF];
      if (!spoil(&s, &o, way, u, &random) || distance(&s, u, o.u) < 1e-5) {
        continue;
      }
      wrong++;
      j = judge(&s, u);
      found += j == FOUND;
      if (j != FOUND) {
        printf("seed %d (%d contacts, %d velocities): way %d %s\n", (int)seed, s.k, s.n, way,
               j == ACCEPTED ? "accepted" : "not decided");
      }
    }
  }
  printf("right %d, wrong %d, found %d\n", right, wrong, found);
  CHECK(right > scenes / 2 && wrong > scenes / 2 && found >= 0.99 * wrong);
}

#define CAMPAIGN(name, law, rub, scenes) \
  static void name(void) {               \
    campaign(law, rub, scenes);          \
  }
CAMPAIGN(newton_smooth, NEWTON, SMOOTH, 200)
CAMPAIGN(newton_line, NEWTON, LINE, 200)
CAMPAIGN(newton_plane, NEWTON, PLANE, 100)
CAMPAIGN(poisson_smooth, POISSON, SMOOTH, 200)
CAMPAIGN(poisson_line, POISSON, LINE, 150)
CAMPAIGN(poisson_plane, POISSON, PLANE, 60)
CAMPAIGN(in_turn_smooth, IN_TURN, SMOOTH, 150)
CAMPAIGN(in_turn_line, IN_TURN, LINE, 150)
CAMPAIGN(in_turn_plane, IN_TURN, PLANE, 60)
CAMPAIGN(poisson_in_turn_plane, POISSON_IN_TURN, PLANE, 40)
CAMPAIGN(poisson_in_turn_line, POISSON_IN_TURN, LINE, 100)

CHECK_MAIN({"newton_smooth", newton_smooth}, {"newton_line", newton_line},
           {"newton_plane", newton_plane}, {"poisson_smooth", poisson_smooth},
           {"poisson_line", poisson_line}, {"poisson_plane", poisson_plane},
           {"in_turn_smooth", in_turn_smooth}, {"in_turn_line", in_turn_line},
           {"in_turn_plane", in_turn_plane}, {"poisson_in_turn_plane", poisson_in_turn_plane},
           {"poisson_in_turn_line", poisson_in_turn_line})
