// SPDX-License-Identifier: MIT
/* Shapes, events, segments and chunks to bytes and back; polynomials sampled. */
#include "traj/chunk.h"

#include <stdlib.h>

#include "check.h"

static const char *const columns[] = {"t", "x", "y", "x'", "y'", "force(c)"};
static const char *const laws[] = {"c"};
static const char *const works[] = {"impacts", "drag"};
static const unsigned char lost[] = {1, 0}, of_time[] = {0, 1};

/* x, y, x', y', action, two works, and three energies: ten values. */
static const pw_shape shape = {.nq = 2,
                               .nv = 2,
                               .n_law = 1,
                               .n_work = 2,
                               .column = columns,
                               .law = laws,
                               .work = works,
                               .lost = lost,
                               .time = of_time,
                               .method = "dp5",
                               .from = 1,
                               .to = 3,
                               .tol = 1e-9};

static void shapes_come_back(void) {
  pw_buf bytes = {0};
  bool memory;
  pw_shape_put(&bytes, &shape);
  pw_reader in = {.at = bytes.text, .end = bytes.text + bytes.len};
  pw_shape *back = pw_shape_get(&in, &memory);
  if (CHECK(back != NULL && !in.bad && in.at == in.end)) {
    CHECK_INT(pw_shape_columns(back), 6);
    CHECK_INT(pw_shape_state(back), 7);
    CHECK_INT(pw_shape_values(back), 10);
    CHECK_STR(back->column[5], "force(c)");
    CHECK_STR(back->law[0], "c");
    CHECK_STR(back->work[1], "drag");
    CHECK(back->lost[0] == 1 && back->lost[1] == 0 && back->time[1] == 1);
    CHECK_STR(back->method, "dp5");
    CHECK(back->from == 1 && back->to == 3 && back->tol == 1e-9);
  }
  free(back);
  for (size_t cut = 0; cut < bytes.len; cut += 8) { /* torn anywhere */
    in = (pw_reader){.at = bytes.text, .end = bytes.text + cut};
    CHECK(pw_shape_get(&in, &memory) == NULL && memory);
  }
  pw_buf_free(&bytes);
}

static const double impulse[] = {7, 8}, before[] = {3, 4, -1, -2}, after[] = {3, 4, 5, 6};
static const pawl_tied tied[] = {{.law = 0, .impulse = -0.25}};
static const pawl_run_event event = {.event = {.t = 0.25,
                                               .kind = "impact",
                                               .at = "floor",
                                               .cluster = 9,
                                               .n_impulse = 2,
                                               .impulse = impulse,
                                               .dE = -0.5,
                                               .rate_before = -2,
                                               .rate_after = 1,
                                               .force = 3,
                                               .n_tied = 1,
                                               .tied = tied},
                                     .q_before = before,
                                     .u_before = before + 2,
                                     .q_after = after,
                                     .u_after = after + 2};

/* Every field of the table has a value of its own above, or NULL. */
static void events_come_back(void) {
  pw_buf bytes = {0};
  pawl_run_event back;
  pw_event_put(&bytes, 2, 2, &event);
  pw_reader in = {.at = bytes.text, .end = bytes.text + bytes.len};
  CHECK(pw_event_get(&in, 2, 2, &back) && in.at == in.end);
  CHECK_STR(back.event.kind, "impact");
  CHECK_STR(back.event.at, "floor");
  CHECK(back.event.t == 0.25 && back.event.cluster == 9 && back.event.n_impulse == 2);
  CHECK(back.event.impulse[1] == 8 && back.event.dE == -0.5 && back.event.flag == NULL);
  CHECK(back.event.rate_before == -2 && back.event.rate_after == 1 && back.event.force == 3);
  CHECK(back.event.n_tied == 1 && back.event.tied[0].law == 0);
  CHECK(back.event.tied[0].impulse == -0.25);
  CHECK(back.q_before[1] == 4 && back.u_before[0] == -1 && back.u_after[1] == 6);
  pw_buf_free(&bytes);
}

/* Values i + t^k at the nodes: a polynomial of degree nodes - 1 is met everywhere. */
static void fill(double *value, int nodes, double from, double to) {
  for (int j = 0; j < nodes; j++) {
    double t = from + (to - from) * pw_segment_node(j, nodes);
    for (int i = 0; i < 10; i++) {
      value[10 * j + i] = i + pow(t, i < nodes ? i : nodes - 1);
    }
  }
}

static void polynomials_are_met(void) {
  for (int nodes = 2; nodes <= 13; nodes++) {
    double value[130], out[10];
    fill(value, nodes, -0.5, 1.5);
    pw_segment s = {.from = -0.5, .to = 1.5, .nodes = nodes, .value = value};
    for (int k = 0; k <= 40; k++) {
      double t = -0.5 + 0.05 * k;
      pw_segment_sample(&s, 10, t, out);
      for (int i = 0; i < 10; i++) {
        double wanted = i + pow(t, i < nodes ? i : nodes - 1);
        CHECK_NEAR(out[i], wanted, 1e-14 * (i + pow(1.5, i)));
      }
    }
    pw_segment_sample(&s, 10, 1.5, out); /* the ends are exact */
    CHECK(memcmp(out, value + 10 * (nodes - 1), sizeof out) == 0);
    pw_segment_sample(&s, 10, -0.5, out);
    CHECK(memcmp(out, value, sizeof out) == 0);
  }
}

static void chunks_come_back(void) {
  static const unsigned char mode[] = {1};
  static const double row[] = {0.25, 1, 2, 3, 4, 5}, force[] = {10, 20};
  double value[50];
  pw_chunk c = {.shape = &shape};
  fill(value, 5, 0, 1);
  pw_segment s = {.to = 1, .nodes = 5, .mode = mode, .force = force, .value = value};
  pw_segment point = {.from = 1, .to = 1, .nodes = 1, .mode = mode, .force = force, .value = value};
  pw_chunk_row(&c, row);
  pw_chunk_row(&c, row);
  pw_chunk_event(&c, &event);
  pw_chunk_segment(&c, &s);
  pw_chunk_segment(&c, &point);
  pw_buf bytes = {0};
  pw_chunk_put(&bytes, &c);

  pw_reader in = {.at = bytes.text, .end = bytes.text + bytes.len};
  pw_chunk_view view;
  pawl_run_event e;
  pw_segment back;
  CHECK(pw_chunk_get(&in, &shape, &view));
  CHECK(view.n_row == 2 && view.rows[6 + 5] == 5);
  CHECK(pw_chunk_next_event(&view, &e) && !pw_chunk_next_event(&view, &e));
  CHECK(pw_chunk_next_segment(&view, &back));
  CHECK(back.from == 0 && back.to == 1 && back.nodes == 5 && back.mode[0] == 1);
  CHECK(back.force[1] == 20 && back.value[49] == value[49]);
  CHECK(pw_chunk_next_segment(&view, &back) && back.nodes == 1 && back.from == 1);
  CHECK(!pw_chunk_next_segment(&view, &back) && !view.segments.bad);

  pw_shape other = shape;
  other.n_out = 1;
  in = (pw_reader){.at = bytes.text, .end = bytes.text + bytes.len};
  CHECK(!pw_chunk_get(&in, &other, &view)); /* rows of another model */
  pw_buf_free(&bytes);
  pw_chunk_free(&c);
}

CHECK_MAIN({"shapes come back", shapes_come_back}, {"events come back", events_come_back},
           {"polynomials are met", polynomials_are_met}, {"chunks come back", chunks_come_back})
