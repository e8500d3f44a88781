// SPDX-License-Identifier: MIT
// Ranges of columns, and where constraints bound them.
import { rowAt } from "./data.js";

// Least and largest finite value.
export function rangeOf(lists, from = 0, to = Infinity) {
  let low = Infinity, high = -Infinity;
  for (const x of lists) {
    for (let i = from; i < Math.min(x.length, to); i++) {
      const v = x[i];
      if (v < low && Number.isFinite(v)) low = v;
      if (v > high && Number.isFinite(v)) high = v;
    }
  }
  return low <= high ? [low, high] : [0, 1];
}

// Where one-sided constraints on one coordinate alone are reached.
export function boundsOf(data, column) {
  const out = [], reached = new Set(["impact", "close", "rest"]);
  for (const law of data.about.laws) {
    if (law.alone !== column.name) continue;
    const hit = data.events.find((e) => e.at === law.law && reached.has(e.kind));
    if (hit) out.push(column.x[rowAt(data.t, hit.t)]);
  }
  return [...new Set(out)];
}
