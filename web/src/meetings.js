// SPDX-License-Identifier: MIT
// Points at which shapes press on each other, where steps find the pairs on the way.

export const LEAVES = 0, STICKS = 1, SLIDES = 2;

// "pile:a-b#3" is the third point of a pair.
export const pairOf = (name) => name.replace(/#\d+$/, "");

export class Meetings {
  // `columns`: those of the table; `n`: rows of the page.
  constructor(head, columns, n) {
    const at = Object.fromEntries(head.columns.map((c, i) => [c.name, columns[i]]));
    Object.assign(this, at, { kept: head.kept, stride: head.stride, rows: n });
    this.start = new Uint32Array(n + 1); // the first point of each row
    for (let i = 0; i < head.kept; i++) this.start[at.row[i] + 1]++;
    for (let i = 0; i < n; i++) this.start[i + 1] += this.start[i];
  }

  // The row at or before this one that has its points.
  known(row) { return row - (row % this.stride); }

  // Pairs with the state of each row that has points: the state of the point that moves most.
  pairs(names) {
    const out = new Map();
    for (let i = 0; i < this.kept; i++) {
      const name = pairOf(names[this.place[i]]);
      if (!out.has(name)) out.set(name, new Uint8Array(this.rows));
      const state = out.get(name), row = this.row[i];
      state[row] = Math.max(state[row], this.mode[i]);
    }
    for (const state of out.values()) for (let k = 0; k < this.rows; k++) state[k] = state[this.known(k)];
    return out;
  }

  // The force that nearly all of them stay below; where there are many, blows among them count less.
  usual() {
    const sizes = [];
    for (let i = 0; i < this.kept; i++) if (this.mode[i] !== LEAVES) sizes.push(Math.hypot(this.fx[i], this.fy[i], this.fz[i]));
    sizes.sort((a, b) => a - b);
    return sizes.length ? sizes[Math.floor(sizes.length * (this.most() > 10 ? 0.85 : 0.97))] : 0;
  }

  // The most of them in one row.
  most() {
    let most = 0;
    for (let i = 0; i < this.rows; i++) most = Math.max(most, this.start[i + 1] - this.start[i]);
    return most;
  }

  // Place and force of every closed point at a time between two rows; a point that only the first of them has stays.
  each(t, row, time, use) {
    const from = this.known(row), to = Math.min(from + this.stride, this.rows - 1), span = t[to] - t[from];
    const f = span > 0 ? Math.min(1, Math.max(0, (time - t[from]) / span)) : 0;
    if (this.pairing !== from) {
      this.pairing = from;
      this.next = new Map();
      for (let k = this.start[to]; k < this.start[to + 1] && to > from; k++) this.next.set(this.place[k], k);
    }
    const mix = (x, i, k) => x[i] + f * (x[k] - x[i]);
    for (let i = this.start[from]; i < this.start[from + 1]; i++) {
      const k = this.next.get(this.place[i]) ?? i;
      if (this.mode[i] === LEAVES) continue;
      use([mix(this.x, i, k), mix(this.y, i, k), mix(this.z, i, k)], [mix(this.fx, i, k), mix(this.fy, i, k), mix(this.fz, i, k)]);
    }
  }

  // How many are closed, and how many of them slide.
  count(row) {
    const at = this.known(row);
    let closed = 0, slide = 0;
    for (let i = this.start[at]; i < this.start[at + 1]; i++) {
      closed += this.mode[i] !== LEAVES;
      slide += this.mode[i] === SLIDES;
    }
    return { closed, slide };
  }
}
