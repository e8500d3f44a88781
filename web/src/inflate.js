// SPDX-License-Identifier: MIT
// Unpacks deflate (RFC 1951) at once: the browser's own unpacker answers later, when a page that is
// printed as soon as it is loaded is already on paper.

const LENGTH = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const BACK = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577];
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const MOST = 15; // bits of a code
const backBits = (k) => (k < 4 ? 0 : (k >> 1) - 1);

// A table over the next MOST bits, whose entries are symbol * 16 + length of the code; 0: no code.
function tableOf(lengths) {
  const table = new Uint16Array(1 << MOST), count = new Uint16Array(MOST + 2), next = new Uint16Array(MOST + 2);
  for (const n of lengths) count[n]++;
  count[0] = 0;
  for (let n = 1, code = 0; n <= MOST; n++) next[n] = code = (code + count[n - 1]) << 1;
  lengths.forEach((n, symbol) => {
    if (n === 0) return;
    let turned = 0;
    for (let k = 0, code = next[n]++; k < n; k++) turned |= ((code >> k) & 1) << (n - 1 - k);
    for (let at = turned; at < table.length; at += 1 << n) table[at] = symbol * 16 + n;
  });
  return table;
}

class Bits {
  constructor(bytes) { Object.assign(this, { bytes, at: 0, held: 0, n: 0 }); }

  fill(n) {
    while (this.n < n) {
      this.held |= (this.bytes[this.at++] ?? 0) << this.n;
      this.n += 8;
    }
    if (this.at > this.bytes.length + 4) throw new Error("the data of this page end too early");
  }

  take(n) {
    if (n === 0) return 0;
    this.fill(n);
    const out = this.held & ((1 << n) - 1);
    this.held >>>= n;
    this.n -= n;
    return out;
  }

  symbol(table) {
    this.fill(MOST);
    const entry = table[this.held & ((1 << MOST) - 1)], n = entry & 15;
    if (n === 0) throw new Error("the data of this page are damaged");
    this.held >>>= n;
    this.n -= n;
    return entry >> 4;
  }

  // What stands unpacked in the data begins with a whole byte.
  align() {
    this.at -= this.n >> 3;
    this.held = this.n = 0;
  }
}

class Out {
  constructor(size) { this.bytes = new Uint8Array(size); this.n = 0; }

  room(n) {
    if (this.n + n <= this.bytes.length) return;
    const more = new Uint8Array(Math.max(2 * this.bytes.length, this.n + n));
    more.set(this.bytes);
    this.bytes = more;
  }

  copy(back, length) {
    if (back > this.n) throw new Error("the data of this page are damaged");
    this.room(length);
    const { bytes } = this;
    for (let k = 0; k < length; k++) bytes[this.n + k] = bytes[this.n + k - back];
    this.n += length;
  }
}

function stored(bits, out) {
  bits.align();
  const n = bits.bytes[bits.at] | (bits.bytes[bits.at + 1] << 8);
  bits.at += 4;
  out.room(n);
  out.bytes.set(bits.bytes.subarray(bits.at, bits.at + n), out.n);
  bits.at += n;
  out.n += n;
}

const fixed = () => [
  tableOf(Array.from({ length: 288 }, (_, k) => (k < 144 ? 8 : k < 256 ? 9 : k < 280 ? 7 : 8))),
  tableOf(new Array(30).fill(5)),
];

function stated(bits) {
  const literals = bits.take(5) + 257, backs = bits.take(5) + 1, n = bits.take(4) + 4;
  const lengths = new Array(19).fill(0), all = [];
  for (let k = 0; k < n; k++) lengths[ORDER[k]] = bits.take(3);
  const table = tableOf(lengths);
  while (all.length < literals + backs) {
    const s = bits.symbol(table);
    if (s < 16) all.push(s);
    else {
      const again = s === 16 ? bits.take(2) + 3 : s === 17 ? bits.take(3) + 3 : bits.take(7) + 11;
      for (let k = 0, last = s === 16 ? all.at(-1) : 0; k < again; k++) all.push(last);
    }
  }
  return [tableOf(all.slice(0, literals)), tableOf(all.slice(literals))];
}

function block(bits, out, [literals, backs]) {
  for (;;) {
    const s = bits.symbol(literals);
    if (s < 256) {
      out.room(1);
      out.bytes[out.n++] = s;
    } else if (s === 256) {
      return;
    } else {
      const length = LENGTH[s - 257] + bits.take(LENGTH_BITS[s - 257]), k = bits.symbol(backs);
      out.copy(BACK[k] + bits.take(backBits(k)), length);
    }
  }
}

export function inflate(bytes) {
  const bits = new Bits(bytes), out = new Out(bytes.length * 4 + 1024);
  for (let last = 0; !last;) {
    last = bits.take(1);
    const kind = bits.take(2);
    if (kind === 0) stored(bits, out);
    else if (kind === 3) throw new Error("the data of this page are damaged");
    else block(bits, out, kind === 1 ? fixed() : stated(bits));
  }
  if (bits.at - (bits.n >> 3) > bytes.length) throw new Error("the data of this page end too early");
  return out.bytes.subarray(0, out.n);
}
