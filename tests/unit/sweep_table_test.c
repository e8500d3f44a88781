// SPDX-License-Identifier: MIT
/* Tables of sweeps through the public functions: exact numbers, the same bytes for any number of
 * threads, shards and processes. Processes are played by threads. */
#include <pawl/pawl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static const char oscillator[] = "parameter k = 1 in 1..9, v = 0\ncoordinates x\n"
                                 "kinetic T = 1/2*x'^2\npotential V = 1/2*k*x^2\n"
                                 "start x = 1, x' = v\nevent top: x' = 0, falling\n"
                                 "run 0..2, tol 1e-11\n";
/* Free fall onto a floor: impacts at t_n with speeds v e^n. */
static const char ball[] = "parameter e = 0.5, h = 1\ncoordinates y\nkinetic T = 1/2*y'^2\n"
                           "potential V = 2*y\nconstraint floor: y >= 0, restitution e\n"
                           "start y = h\nrun 0..2.6, tol 1e-11\n";

typedef struct text {
  char bytes[1 << 16];
  size_t n;
} text;

static int keep(void *payload, const char *bytes, unsigned long count) {
  text *t = payload;
  if (t->n + count >= sizeof t->bytes) {
    return 1;
  }
  memcpy(t->bytes + t->n, bytes, count);
  t->n += count;
  t->bytes[t->n] = '\0';
  return 0;
}

static pawl_status sweep(const char *model_text, pawl_sweep_opts opts, text *out,
                         pawl_sweep_result *result) {
  pawl_model *model = NULL;
  pawl_sweep *s = NULL;
  out->n = 0;
  out->bytes[0] = '\0';
  opts.sink = keep;
  opts.payload = out;
  CHECK_INT(pawl_model_parse(model_text, strlen(model_text), NULL, NULL, &model), PAWL_OK);
  pawl_status status = pawl_sweep_new(model, &opts, NULL, &s);
  pawl_model_free(model);
  status = status == PAWL_OK ? pawl_sweep_go(s, NULL) : status;
  if (result != NULL) {
    *result = pawl_sweep_result_get(s);
  }
  pawl_sweep_free(s);
  return status;
}

static const char *next_line(const char *at) {
  const char *end = strchr(at, '\n');
  return end == NULL ? "" : end + 1;
}

static void end_states_are_exact(void) {
  static const char *const vary[] = {"k=1:9:5", "d.x=0,1"};
  static text out;
  pawl_sweep_opts opts = {.vary = vary, .n_vary = 2};
  pawl_sweep_result r;
  CHECK_INT(sweep(oscillator, opts, &out, &r), PAWL_OK);
  CHECK(r.members == 10 && r.done == 10 && r.rows == 10 && r.failed == 0 && r.not_a_motion == 0);
  CHECK(strncmp(out.bytes, "k,d.x,verdict,ending,x,x'\n", 26) == 0);
  const char *line = next_line(out.bytes);
  for (int i = 0; i < 10; i++, line = next_line(line)) {
    double k, v, x, u, w;
    char verdict[16];
    CHECK_INT(sscanf(line, "%lf,%lf,%15[A-Z ],end,%lf,%lf\n", &k, &v, verdict, &x, &u), 5);
    CHECK(k == 1 + 2 * (i / 2) && v == i % 2);
    CHECK_STR(verdict, "STRONG");
    w = sqrt(k);
    CHECK_NEAR(x, cos(2 * w) + v / w * sin(2 * w), 1e-9);
    CHECK_NEAR(u, -w * sin(2 * w) + v * cos(2 * w), 3e-9);
  }
  CHECK(*line == '\0');
}

/* e = 0: one impact; e = 1/2: impacts at 1, 2, 2.5. */
static void events_are_exact(void) {
  static const char *const vary[] = {"e=0,0.5"};
  static text out;
  pawl_sweep_opts opts = {.vary = vary,
                          .n_vary = 1,
                          .at = "floor",
                          .record = "t,before(y'),d.y,count(impact),max(y)",
                          .use_after = 1,
                          .after = 1.5};
  CHECK_INT(sweep(ball, opts, &out, NULL), PAWL_OK);
  const char *line = next_line(out.bytes);
  static const double wanted[2][5] = {{2, -1, 0.5, 2, 1}, {2.5, -0.5, 0.25, 3, 1}};
  for (int i = 0; i < 2; i++, line = next_line(line)) {
    double got[5];
    char verdict[16], ending[16];
    CHECK_INT(sscanf(line, "0.5,%15[A-Z ],%15[a-z ],%lf,%lf,%lf,%lf,%lf\n", verdict, ending, got,
                     got + 1, got + 2, got + 3, got + 4),
              7);
    for (int k = 0; k < 5; k++) {
      CHECK_NEAR(got[k], wanted[i][k], 1e-9);
    }
  }
  CHECK(*line == '\0');
}

/* Half a period ahead from the end of the last: the amplitude stays, the side changes. */
static void chains_follow(void) {
  static const char *const vary[] = {"v=0,0,0,0", "k=1,4"};
  static text out;
  pawl_sweep_opts opts = {.vary = vary,
                          .n_vary = 2,
                          .follow = 1,
                          .run.sim = {.use_span = 1, .from = 0, .to = 3.14159265358979323846}};
  CHECK_INT(sweep(oscillator, opts, &out, NULL), PAWL_OK);
  const char *line = next_line(out.bytes);
  for (int i = 0; i < 8; i++, line = next_line(line)) {
    double k, x;
    CHECK_INT(sscanf(line, "%*f,%lf,STRONG,end,%lf", &k, &x), 2);
    CHECK_NEAR(x, i < 4 && i % 2 == 0 ? -1 : 1, 1e-8);
    CHECK(k == (i < 4 ? 1 : 4));
  }
}

static void failures_are_told(void) {
  static const char *const vary[] = {"h=1,-1,2"};
  static text out;
  pawl_sweep_opts opts = {.vary = vary, .n_vary = 1};
  pawl_sweep_result r;
  CHECK_INT(sweep(ball, opts, &out, &r), PAWL_OK);
  CHECK(r.failed == 1 && r.done == 3 && r.rows == 3);
  const char *second = next_line(next_line(out.bytes));
  CHECK(strncmp(second, "-1,NOT CHECKED,the start violates `floor` by 1,nan,nan\n", 54) == 0);
  opts.at = "impact"; /* a row also without an event */
  CHECK_INT(sweep(ball, opts, &out, &r), PAWL_OK);
  CHECK(strstr(out.bytes, "\n-1,NOT CHECKED,the start violates `floor` by 1,nan,nan,nan\n") !=
        NULL);
}

static void threads_and_shards_agree(void) {
  static const char *const vary[] = {"e=0:0.9:7", "h~0.5:2"};
  static text one, other, joined;
  for (int follow = 0; follow < 2; follow++) {
    pawl_sweep_opts opts = {
        .vary = vary, .n_vary = 2, .samples = 5, .follow = follow, .at = "impact"};
    CHECK_INT(sweep(ball, opts, &one, NULL), PAWL_OK);
    opts.threads = 3;
    CHECK_INT(sweep(ball, opts, &other, NULL), PAWL_OK);
    CHECK_STR(one.bytes, other.bytes);
    joined.n = 0;
    for (opts.shard = 1, opts.shards = 3; opts.shard <= 3; opts.shard++) {
      CHECK_INT(sweep(ball, opts, &other, NULL), PAWL_OK);
      const char *rows = opts.shard == 1 ? other.bytes : next_line(other.bytes);
      CHECK_INT(keep(&joined, rows, strlen(rows)), 0);
    }
    CHECK_STR(one.bytes, joined.bytes);
  }
}

/* ---- processes ---- */

typedef struct message {
  struct message *next;
  unsigned long count;
  char bytes[];
} message;

typedef struct team_room { /* what the processes of a team share */
  pthread_mutex_t mutex;
  pthread_barrier_t barrier;
  long counter, published;
  pawl_status worst;
  message *first, *last;
} team_room;

static int team_begin(void *payload, pawl_status *status, long first) {
  team_room *room = payload;
  pthread_mutex_lock(&room->mutex);
  room->counter = first > room->counter ? first : room->counter; /* only process 0 has one */
  room->worst = *status < room->worst ? *status : room->worst;
  pthread_mutex_unlock(&room->mutex);
  pthread_barrier_wait(&room->barrier);
  *status = room->worst;
  return 0;
}

static int team_claim(void *payload, long count, long *first) {
  team_room *room = payload;
  pthread_mutex_lock(&room->mutex);
  *first = room->counter;
  room->counter += count;
  pthread_mutex_unlock(&room->mutex);
  return 0;
}

static int team_publish(void *payload, long number) {
  team_room *room = payload;
  pthread_mutex_lock(&room->mutex);
  room->published = number;
  pthread_mutex_unlock(&room->mutex);
  return 0;
}

static int team_look(void *payload, long *number) {
  team_room *room = payload;
  pthread_mutex_lock(&room->mutex);
  *number = room->published;
  pthread_mutex_unlock(&room->mutex);
  return 0;
}

static int team_send(void *payload, const void *bytes, unsigned long count) {
  team_room *room = payload;
  message *m = malloc(sizeof *m + count);
  if (m == NULL) {
    return 1;
  }
  m->next = NULL;
  m->count = count;
  memcpy(m->bytes, bytes, count);
  pthread_mutex_lock(&room->mutex);
  if (room->first == NULL) {
    room->first = m;
  } else {
    room->last->next = m;
  }
  room->last = m;
  pthread_mutex_unlock(&room->mutex);
  return 0;
}

static int team_next(void *payload, unsigned long *count) {
  team_room *room = payload;
  pthread_mutex_lock(&room->mutex);
  *count = room->first == NULL ? 0 : room->first->count;
  pthread_mutex_unlock(&room->mutex);
  return 0;
}

static int team_receive(void *payload, void *bytes, unsigned long count) {
  team_room *room = payload;
  pthread_mutex_lock(&room->mutex);
  message *m = room->first;
  room->first = m->next;
  pthread_mutex_unlock(&room->mutex);
  memcpy(bytes, m->bytes, count);
  free(m);
  return 0;
}

typedef struct process {
  team_room *room;
  int rank, size;
  pawl_sweep_opts opts;
  const char *model;
  pawl_status status;
  text out;
} process;

static void *be_process(void *payload) {
  process *p = payload;
  pawl_team team = {p->rank,   p->size,   team_begin, team_claim,   team_publish,
                    team_look, team_send, team_next,  team_receive, p->room};
  p->opts.team = &team;
  p->status = sweep(p->model, p->opts, &p->out, NULL);
  return NULL;
}

static void processes_agree_on(int size, pawl_sweep_opts opts, const text *wanted) {
  team_room room = {0};
  process *p = calloc((size_t)size, sizeof *p);
  pthread_t thread[8];
  pthread_mutex_init(&room.mutex, NULL);
  pthread_barrier_init(&room.barrier, NULL, (unsigned)size);
  for (int i = 0; i < size; i++) {
    p[i].room = &room;
    p[i].rank = i;
    p[i].size = size;
    p[i].opts = opts;
    p[i].model = ball;
    CHECK_INT(pthread_create(&thread[i], NULL, be_process, &p[i]), 0);
  }
  for (int i = 0; i < size; i++) {
    pthread_join(thread[i], NULL);
    CHECK_INT(p[i].status, PAWL_OK);
    CHECK(i == 0 || p[i].out.n == 0);
  }
  CHECK_STR(p[0].out.bytes, wanted->bytes);
  CHECK(room.first == NULL);
  pthread_barrier_destroy(&room.barrier);
  pthread_mutex_destroy(&room.mutex);
  free(p);
}

static void processes_agree(void) {
  static const char *const vary[] = {"e=0:0.9:10", "h=0.5:2:6"};
  static text one;
  for (int follow = 0; follow < 2; follow++) {
    pawl_sweep_opts opts = {.vary = vary, .n_vary = 2, .follow = follow, .at = "impact"};
    CHECK_INT(sweep(ball, opts, &one, NULL), PAWL_OK);
    for (int size = 1; size <= 4; size++) {
      opts.threads = 1 + size % 2;
      processes_agree_on(size, opts, &one);
    }
  }
}

CHECK_MAIN({"end_states_are_exact", end_states_are_exact}, {"events_are_exact", events_are_exact},
           {"chains_follow", chains_follow}, {"failures_are_told", failures_are_told},
           {"threads_and_shards_agree", threads_and_shards_agree},
           {"processes_agree", processes_agree})
