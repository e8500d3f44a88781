// SPDX-License-Identifier: MIT
#include "sim/paradox.h"

#include <math.h>
#include <string.h>

#include "law/scale_static.h"

static size_t branches(void) {
  return (size_t)PW_PARADOX_KEPT * PW_PARADOX_BRANCHES;
}

void pw_paradox_lay_out(pw_paradox *p, const pw_system *sys, pw_layout *l) {
  if (sys->trait.oblique) {
    size_t rows = (size_t)sys->model->rows.n, nv = (size_t)sys->nv;
    p->point = PW_LAY(l, PW_PARADOX_KEPT, pw_several);
    p->a = PW_LAY(l, branches() * nv, double);
    p->force = PW_LAY(l, branches() * rows, double);
    p->mode = PW_LAY(l, branches() * rows, unsigned char);
  }
}

void pw_paradox_reset(pw_paradox *p) {
  p->side = 1;
  p->last = NAN;
  p->fires = p->singular = p->announced = p->due = false;
  p->count = 0;
}

/* How a row stands in the motion that is in modes->local. */
static unsigned char stands(const pw_modes *m, int law, double tiny) {
  const pw_local *l = m->local;
  int k = pw_local_place(l, m->mech->sys->nc + law);
  if (pw_is_coulomb(&m->mech->sys->law[law])) {
    bool inside = k >= 0 && l->x[k] > l->lo[k] + tiny && l->x[k] < l->hi[k] - tiny;
    return inside ? PW_BRANCH_STICK : PW_BRANCH_SLIP;
  }
  return k < 0 ? PW_BRANCH_NONE : l->x[k] > tiny ? PW_BRANCH_CLOSED : PW_BRANCH_OPEN;
}

/* Accelerations, forces and modes of the motion in modes->local, as branch b of point i. */
static void write_branch(pw_paradox *p, pw_modes *m, const pw_frame *f, int i, int b) {
  const pw_system *s = m->mech->sys;
  size_t rows = (size_t)s->model->rows.n, at = (size_t)(i * PW_PARADOX_BRANCHES + b);
  double *a = p->a + at * (size_t)s->nv, *force = p->force + at * rows, tiny = 0;
  unsigned char *mode = p->mode + at * rows;

  /* Accelerations, back from the metric: L^-T; forces by rows. */
  memcpy(a, m->local->moved, (size_t)s->nv * sizeof *a);
  pw_frame_back(f, a);
  pw_local_forces(m->local, m->force);
  pw_disks_forces(m->disk, m->n_disk, m->force);
  memset(force, 0, rows * sizeof *force);
  memset(mode, PW_BRANCH_NONE, rows);

  /* Forces below a part of the largest one count as zero. */
  for (int k = 0; k < m->local->k; k++) {
    tiny = fmax(tiny, PW_SCALE(NEGLIGIBLE) * fabs(m->local->x[k]));
  }

  /* Forces by rows of the model; an equality has its multiplier alone. */
  for (int k = 0; k < s->nr; k++) {
    int row = s->row_of[k];
    if (k < s->nc) {
      force[row] += m->force[k];
      continue;
    }

    /* Friction that slides acts with beside times its normal force; else with its own force. */
    const pw_candidate *c = &m->candidate[k - s->nc];
    const pw_law_form *form = &s->law[k - s->nc];
    bool coulomb = pw_is_coulomb(form), idle = coulomb && !m->candidate[form->on].may_close;
    bool slides = coulomb && !c->may_close && !pw_in_plane(form) && !idle;
    force[row] += c->base + (slides ? c->beside * m->force[s->nc + form->on] : m->force[k]);

    /* Friction has a mode only where its contact pushes. */
    mode[row] = idle ? PW_BRANCH_NONE : stands(m, k - s->nc, tiny);
    if (coulomb && !idle && stands(m, form->on, tiny) != PW_BRANCH_CLOSED) {
      mode[row] = PW_BRANCH_NONE;
    }
  }
}

void pw_paradox_keep(pw_paradox *p, pw_modes *modes, const pw_frame *f, double t, int law) {
  pw_local *l = modes->local;
  if (p->count == PW_PARADOX_KEPT) {
    return;
  }
  pw_several *point = &p->point[p->count];
  *point = (pw_several){.t = t, .law = law, .chosen = -1, .complete = l->complete};
  for (int s = 0; s < l->listed && point->count < PW_PARADOX_BRANCHES; s++) {
    pw_local_show(l, s);
    write_branch(p, modes, f, p->count, point->count++);
  }
  p->count++;
}

void pw_paradox_choose(pw_paradox *p, int branch) {
  if (p->count > 0) {
    p->point[p->count - 1].chosen = branch;
  }
}
