// SPDX-License-Identifier: MIT
// Reads what src/report has written into the page: the counterpart of encode.c and about.c.
import { inflate } from "./inflate.js";
import { Meetings } from "./meetings.js";

function fromText(text) {
  const raw = atob(text.trim());
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

// Sums the differences of n patterns up again, modulo 2^(8 width), with two halves of 32 bits.
export function decodeColumn(bytes, at, n, width, order) {
  const out = new Float64Array(n);
  const words = new Uint32Array(out.buffer);
  const little = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
  const lastLow = new Uint32Array(4), lastHigh = new Uint32Array(4);
  const shift = 8 * (8 - width);
  for (let i = 0; i < n; i++) {
    let high = 0, low = 0;
    for (let k = 0; k < width; k++) { // a number of 8*width bits in [high, low]
      high = ((high << 8) | (low >>> 24)) >>> 0;
      low = ((low << 8) | bytes[at + k * n + i]) >>> 0;
    }
    if (order > 0) { // unfold: 0, 1, 2, 3, ... were 0, -1, 1, -2, ...
      const odd = low & 1;
      low = ((low >>> 1) | (high << 31)) >>> 0;
      high = high >>> 1;
      if (odd) { low = ~low >>> 0; high = ~high >>> 0; }
    }
    for (let k = order - 1; k >= 0; k--) {
      const sum = low + lastLow[k];
      high = (high + lastHigh[k] + (sum > 0xffffffff ? 1 : 0)) >>> 0;
      low = sum >>> 0;
      lastLow[k] = low;
      lastHigh[k] = high;
    }
    let top = high, rest = low; // move the pattern to the top of 64 bits
    if (shift >= 32) {
      top = (low << (shift - 32)) >>> 0;
      rest = 0;
    } else if (shift > 0) {
      top = ((high << shift) | (low >>> (32 - shift))) >>> 0;
      rest = (low << shift) >>> 0;
    }
    words[2 * i + (little ? 1 : 0)] = top;
    words[2 * i + (little ? 0 : 1)] = rest;
  }
  return out;
}

function readTable(bytes, at, table) {
  const columns = [];
  for (const c of table.columns) {
    if (c.same !== undefined) {
      columns.push(columns[c.same]);
    } else {
      columns.push(decodeColumn(bytes, at, table.kept, c.bytes, c.order));
      at += table.kept * c.bytes;
    }
  }
  return { columns, at };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

export function load(text, packing) {
  const packed = fromText(text), bytes = packing === "none" ? packed : inflate(packed);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const length = view.getUint32(0, true);
  const about = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const rows = readTable(bytes, 4 + length, about.rows);
  const events = readTable(bytes, rows.at, about.events);
  const meetings = readTable(bytes, events.at, about.meetings);
  about.summary = parse(about.summary);
  about.certificate = parse(about.certificate);
  return { ...arrange(about, rows.columns, events.columns), meetings: new Meetings(about.meetings, meetings.columns, about.rows.kept) };
}

// Columns by kind, and events as objects.
function arrange(about, columns, eventColumns) {
  const heads = about.rows.columns;
  const by = { t: [], q: [], signal: [], delay: [], u: [], force: [], output: [], energy: [], work: [], mode: [], ploty: [],
    plotx: [], draw: [] };
  heads.forEach((h, i) => by[h.kind].push({ ...h, index: i, x: columns[i] }));
  const names = about.events.columns.map((c) => c.name);
  const at = Object.fromEntries(names.map((n, i) => [n, eventColumns[i]]));
  const events = [];
  for (let i = 0; i < about.events.kept; i++) {
    events.push({
      t: at.t[i], kind: about.events.kinds[at.kind[i]], at: about.events.places[at.at[i]],
      place: at.at[i], cluster: at.cluster[i], impulse: at.impulse[i], dE: at.dE[i],
      before: at.before[i], after: at.after[i], force: at.force[i],
      flag: at.flag[i] > 0 ? about.events.flags[at.flag[i] - 1] : null,
    });
  }
  const t = by.t[0].x;
  by.output = by.output.map((c) => inShownUnit(c, by.ploty));
  return { about, by, t, n: about.rows.kept, events, heads, columns, broken: breaksOf(about.rows) };
}

// An output that states its unit, in that unit; a plot of it has these numbers.
function inShownUnit(c, plots) {
  if (!c.shown) return c;
  const plotted = plots.find((p) => p.name === c.name && p.unit === c.shown);
  return { ...c, unit: c.shown, x: plotted ? plotted.x : c.x.map((v) => v / c.factor) };
}

// 1 at a row before which a jump was left out.
function breaksOf(rows) {
  const broken = new Uint8Array(rows.kept);
  let at = 0;
  for (const step of rows.breaks) {
    at += step;
    broken[at] = 1;
  }
  return broken;
}

// The last row at or before a time; of the two rows of an instant the one after it.
export function rowAt(t, time) {
  let low = 0, high = t.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (t[middle] <= time) low = middle; else high = middle - 1;
  }
  return low;
}
