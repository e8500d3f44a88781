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

// Where one-sided constraints are reached: a value of the coordinate that is the same at all hits.
export function boundsOf(data, column) {
  const [low, high] = rangeOf([column.x]), out = [];
  for (const law of data.about.laws) {
    if (law.kind !== "unilateral") continue;
    const hits = data.events.filter((e) => e.at === law.law && ["impact", "close", "rest"].includes(e.kind));
    if (hits.length < (data.about.nq === 1 ? 1 : 2)) continue;
    const values = hits.map((e) => column.x[rowAt(data.t, e.t)]);
    const spread = Math.max(...values) - Math.min(...values);
    if (high > low && spread <= 1e-7 * (high - low)) out.push(values[0]);
  }
  return [...new Set(out)];
}
