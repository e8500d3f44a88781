// SPDX-License-Identifier: MIT
/* Everything that changes, as bytes. One list of fields serves all directions.
 *
 * Most of the block is work space of which a model touches little: rows by velocities, with entries
 * where a row moves something. A packed state has the pieces that are not zero, so that checkpoints
 * grow with what the run uses, not with what it laid out. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim_state.h"
#include "traj/bytes.h"

typedef struct head {
  char magic[8];
  uint64_t hash, size;
  uint64_t check; /* of all bytes after the head */
} head;

static const char magic[8] = {'p', 'a', 'w', 'l', 's', 'i', 'm', '5'};

typedef struct cursor {
  enum { COUNT, SAVE, PACK, RESTORE } mode;
  unsigned char *to;         /* SAVE */
  pw_buf *out;               /* PACK */
  const unsigned char *from; /* RESTORE */
  size_t at;
} cursor;

static void field(cursor *c, void *data, size_t n) {
  if (c->mode == SAVE) {
    memcpy(c->to + c->at, data, n);
  } else if (c->mode == PACK) {
    pw_buf_add(c->out, data, n);
  } else if (c->mode == RESTORE) {
    memcpy(data, c->from + c->at, n);
  }
  c->at += n;
}

#define FIELD(c, x) field((c), &(x), sizeof(x))

static void stepper_fields(cursor *c, pw_stepper *s) {
  /* where the motion is, and the length of its steps */
  FIELD(c, s->t);
  FIELD(c, s->energy);
  FIELD(c, s->range.span);
  FIELD(c, s->range.start);
  FIELD(c, s->h);
  FIELD(c, s->h_next);

  /* how far the way ahead is clear, and the pair of formulas in use */
  FIELD(c, s->ahead.clear);
  FIELD(c, s->ahead.pace);
  FIELD(c, s->noisy);
  FIELD(c, s->choice);

  /* counts, and what made steps short */
  FIELD(c, s->count.taken);
  FIELD(c, s->count.rejected);
  FIELD(c, s->hold.redundant);
  FIELD(c, s->worst);

  /* the last step and its dense output */
  FIELD(c, s->rk.t);
  FIELD(c, s->rk.h);
  FIELD(c, s->rk.has_end);
  FIELD(c, s->rk.has_dense);

  /* scales of the error, and the last error for the control of the step */
  FIELD(c, s->control.kinetic);
  FIELD(c, s->control.energy);
  FIELD(c, s->control.last_error);
  FIELD(c, s->control.just_rejected);

  /* ranks of the constraints, and the passage through a singular position */
  FIELD(c, s->mech->rank);
  FIELD(c, s->mech->rank_q);
  FIELD(c, s->mech->first_look);
  FIELD(c, s->hold.rank);
  FIELD(c, s->hold.rank_q);
  FIELD(c, s->pass.on);
  FIELD(c, s->pass.length);
  FIELD(c, s->pass.reach);
  FIELD(c, s->hold.weakest);

  /* what is left undecided between the stages */
  FIELD(c, s->smooth);
  FIELD(c, s->ahead.patience);
  FIELD(c, s->sight.unseen);
  FIELD(c, s->mech->evaluations);
}

static void scan_fields(cursor *c, pw_scan *s) {
  FIELD(c, s->fresh);
  FIELD(c, s->done);
  FIELD(c, s->level);
  FIELD(c, s->index);
  FIELD(c, s->base);
  FIELD(c, s->pieces);
  FIELD(c, s->looked);
  FIELD(c, s->budget);
}

static void contact_fields(cursor *c, pw_contacts *k) {
  scan_fields(c, &k->watch.scan);
  FIELD(c, k->zeno);
  FIELD(c, k->growth);
  FIELD(c, k->pending);
  FIELD(c, k->rest.time);
  FIELD(c, k->rest.put_off);
  FIELD(c, k->size.speed);
  FIELD(c, k->size.step);
  FIELD(c, k->size.load);
  FIELD(c, k->size.drift);
  FIELD(c, k->modes.scale);
  FIELD(c, k->modes.span);
  FIELD(c, k->modes.anchored);
  FIELD(c, k->repeats);
  FIELD(c, k->now.n_log);
  FIELD(c, k->paradox.side);
  FIELD(c, k->paradox.last);
  FIELD(c, k->paradox.fires);
  FIELD(c, k->paradox.announced);
  FIELD(c, k->paradox.due);
  FIELD(c, k->paradox.when);
  FIELD(c, k->paradox.at);
  FIELD(c, k->paradox.law);
  FIELD(c, k->paradox.count);
}

static void fields(cursor *c, pawl_sim *sim) {
  stepper_fields(c, &sim->stepper);
  scan_fields(c, &sim->surfaces.watch.scan);

  /* switches and delayed signals */
  FIELD(c, sim->surfaces.repeats);
  FIELD(c, sim->surfaces.culprit);
  FIELD(c, sim->surfaces.signals.past.first);
  FIELD(c, sim->surfaces.signals.past.count);
  FIELD(c, sim->surfaces.signals.start);
  FIELD(c, sim->surfaces.signals.broken);

  /* contacts and events */
  contact_fields(c, &sim->contacts);
  scan_fields(c, &sim->events.watch.scan);
  FIELD(c, sim->events.from);
  FIELD(c, sim->events.found);
  FIELD(c, sim->events.t);
  FIELD(c, sim->events.n_now);

  /* the time, and what has just happened */
  FIELD(c, sim->opts.from);
  FIELD(c, sim->t);
  FIELD(c, sim->at_event);
  FIELD(c, sim->at_contact);
  FIELD(c, sim->start_jump);
  FIELD(c, sim->jumped);
  FIELD(c, sim->driven);
  FIELD(c, sim->must_seek);
  FIELD(c, sim->stopped);
  FIELD(c, sim->ended);
  FIELD(c, sim->failed);

  /* how it ends after these events, and counts */
  FIELD(c, sim->due);
  FIELD(c, sim->clusters);
  FIELD(c, sim->pace);
  FIELD(c, sim->row_evaluations);
  FIELD(c, sim->n_event);

  /* the energy ledger and the point that is shown */
  FIELD(c, sim->relay);
  FIELD(c, sim->energy.total);
  FIELD(c, sim->energy.potential);
  FIELD(c, sim->energy.gyro);
  FIELD(c, sim->energy.scale);
  FIELD(c, sim->at.ready);
  FIELD(c, sim->at.expects);
}

static void all_fields(cursor *c, pawl_sim *sim) {
  fields(c, sim);
  if (c->mode == SAVE) {
    pw_layout_copy(c->to + c->at, sim->block, sim->block_size);
  } else if (c->mode == RESTORE) {
    pw_layout_copy(sim->block, c->from + c->at, sim->block_size);
  }
  c->at += sim->block_size;
}

unsigned long pawl_sim_save_size(const pawl_sim *sim) {
  if (sim == NULL) {
    return 0;
  }
  pawl_sim copy = *sim;
  cursor c = {.mode = COUNT};
  all_fields(&c, &copy);
  return (unsigned long)(sizeof(head) + c.at);
}

pawl_status pawl_sim_save(const pawl_sim *sim, void *memory, unsigned long size) {
  if (sim == NULL || memory == NULL || size < pawl_sim_save_size(sim)) {
    return PAWL_E_ARGUMENT;
  }
  pawl_sim copy = *sim;
  head h = {.hash = sim->hash, .size = pawl_sim_save_size(sim)};
  memcpy(h.magic, magic, sizeof magic);
  cursor c = {.mode = SAVE, .to = (unsigned char *)memory + sizeof h};
  all_fields(&c, &copy);
  h.check = pw_crc32(0, c.to, c.at);
  memcpy(memory, &h, sizeof h);
  return PAWL_OK;
}

/* What is not a field follows from the fields. */
static void complete(pawl_sim *sim, cursor c) {
  pw_relay_resume(sim);
  pw_contacts_impose(&sim->contacts); /* forgets what is known of dependence: read it again */
  pw_stepper_use(&sim->stepper, sim->stepper.choice.now);
  sim->radau.known = false;
  c.at = 0;
  stepper_fields(&c, &sim->stepper);
  pw_mech_impulses(sim->mech, sim->contacts.impulse);
}

pawl_status pawl_sim_restore(pawl_sim *sim, const void *memory, unsigned long size) {
  if (sim == NULL || memory == NULL) {
    return PAWL_E_ARGUMENT;
  }
  head h;
  if (size < sizeof h) {
    return PAWL_E_STATE;
  }
  memcpy(&h, memory, sizeof h);
  if (memcmp(h.magic, magic, sizeof magic) != 0 || h.hash != sim->hash || h.size != size ||
      size != pawl_sim_save_size(sim)) {
    return PAWL_E_STATE;
  }
  cursor c = {.mode = RESTORE, .from = (const unsigned char *)memory + sizeof h};
  if (h.check != pw_crc32(0, c.from, size - sizeof h)) {
    return PAWL_E_STATE;
  }
  all_fields(&c, sim);
  complete(sim, c);
  return PAWL_OK;
}

/* ---- packed ---- */

/* Pieces of this size, which the block is cut into, are kept if they have a byte that is not 0. */
enum { PIECE = 128 };

static size_t piece_at(const pawl_sim *sim, size_t at) {
  return sim->block_size - at < PIECE ? sim->block_size - at : PIECE;
}

static bool is_zero(const unsigned char *piece) {
  static const unsigned char zero[PIECE] = {0};
  return memcmp(piece, zero, PIECE) == 0;
}

void pw_sim_pack(const pawl_sim *sim, pw_buf *out) {
  const unsigned char *block = sim->block;
  pw_put_int(out, (int64_t)sim->hash);
  for (size_t at = 0; at < sim->block_size; at += PIECE) {
    unsigned char piece[PIECE] = {0};
    pw_layout_copy(piece, block + at, piece_at(sim, at));
    if (!is_zero(piece)) {
      pw_put_int(out, (int64_t)(at / PIECE));
      pw_buf_add(out, (const char *)piece, PIECE);
    }
  }
  pw_put_int(out, -1);
  pawl_sim copy = *sim;
  cursor c = {.mode = PACK, .out = out};
  fields(&c, &copy);
}

/* The piece of the block becomes the saved one, or zero. Memory that is zero already is not
 * written, so that pages which nothing has touched stay untouched. */
static void set_piece(pawl_sim *sim, size_t at, const void *saved) {
  unsigned char now[PIECE] = {0}, wanted[PIECE] = {0}, *block = sim->block;
  size_t count = piece_at(sim, at);
  pw_layout_copy(now, block + at, count);
  if (saved != NULL) {
    memcpy(wanted, saved, PIECE);
  }
  if (memcmp(now, wanted, PIECE) != 0) {
    pw_layout_copy(block + at, wanted, count);
  }
}

bool pw_sim_unpack(pawl_sim *sim, pw_reader *in) {
  if ((uint64_t)pw_get_int(in) != sim->hash) {
    return false;
  }
  int64_t next = pw_get_int(in);
  for (size_t at = 0; at < sim->block_size; at += PIECE) {
    bool kept = !in->bad && next == (int64_t)(at / PIECE);
    set_piece(sim, at, kept ? pw_get_reals(in, PIECE / sizeof(double)) : NULL);
    next = kept ? pw_get_int(in) : next;
  }
  cursor count = {.mode = COUNT};
  pawl_sim copy = *sim;
  fields(&count, &copy);
  if (in->bad || next != -1 || (size_t)(in->end - in->at) != count.at) {
    return false;
  }
  cursor c = {.mode = RESTORE, .from = (const unsigned char *)in->at};
  fields(&c, sim);
  complete(sim, c);
  return true;
}
