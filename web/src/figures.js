// SPDX-License-Identifier: MIT
// Which plots a report has: those of the model, one strip per unit, energies, phase portraits.
import { Plot } from "./plot.js";
import { boundsOf, rangeOf } from "./range.js";
import { impulseUnit, shownUnit } from "./tables.js";

const family = (name) => name.replace(/\[.*$/, "").replace(/'+$/, "").replace(/^force\((.*)\)$/, "$1");

// Curves that share an axis: the same unit; where the model states none, places together and
// everything else by its name.
function axisOf(c) {
  if (c.unit) return "unit " + shownUnit(c);
  const name = family(c.name).toLowerCase();
  if (c.kind === "force") return "force";
  return /^[xyz](\d*|[a-z])$/.test(name) || /\.p$/.test(name) ? "place" : name;
}

// Strips of the list, but for those that the model plots itself.
export function strips(report, data, list, words, own = []) {
  const groups = new Map(), there = new Set(own.filter((p) => p.time && p.curves.length === 1).map((p) => p.curves[0].y));
  for (const c of list) {
    const key = axisOf(c);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(c);
  }
  return [...groups.values()].filter((curves) => !(curves.length === 1 && there.has(curves[0].x))).map((curves) => new Plot(report, {
    time: true, curves: curves.map((c) => ({ name: c.name, y: c.x })), yUnit: shownUnit(curves[0]),
    name: `${words}-${family(curves[0].name)}`,
  }));
}

export function ofModel(report, data) {
  const { plots } = data.about, groups = new Map();
  const known = new Map([...data.by.q, ...data.by.u, ...data.by.signal].map((c) => [c.name, c]));
  const unitOf = (c) => shownUnit(known.get(c.name) ?? { ...c, kind: "output" });
  plots.forEach((p, i) => {
    if (!groups.has(p.statement)) groups.set(p.statement, []);
    groups.get(p.statement).push(i);
  });
  const out = [];
  for (const list of groups.values()) {
    const vs = plots[list[0]].x, units = new Set(list.map((i) => data.by.ploty[i].unit || plots[i].y));
    const parts = vs === null && units.size > 1 && list.every((i) => data.by.ploty[i].unit) ? list.map((i) => [i]) : [list];
    for (const part of parts) {
      const x = data.by.plotx[part[0]];
      out.push(new Plot(report, {
        time: vs === null, name: `plot-${out.length + 1}`,
        curves: part.map((i) => ({ name: plots[i].y, y: data.by.ploty[i].x, x: data.by.plotx[i].x })),
        yUnit: unitOf(data.by.ploty[part[0]]), xName: vs, xUnit: vs === null ? null : unitOf(x),
      }));
    }
  }
  return out;
}

export function portraits(report, data) {
  const rates = new Map(data.by.u.map((c) => [c.name, c]));
  const drawn = new Set(data.about.plots.filter((p) => p.x !== null).map((p) => `${p.y} vs ${p.x}`));
  return data.by.q.filter((c) => {
    const [a, b] = rangeOf([c.x]);
    return rates.has(c.name + "'") && b > a && !drawn.has(`${c.name}' vs ${c.name}`);
  }).slice(0, 4).map((c) => {
    const u = rates.get(c.name + "'");
    return new Plot(report, {
      time: false, name: `phase-${family(c.name)}`, curves: [{ name: `${u.name} against ${c.name}`, y: u.x, x: c.x }], yUnit: shownUnit(u), xName: c.name,
      xUnit: shownUnit(c), bounds: boundsOf(data, c),
    });
  });
}

export function addBounds(data, plots) {
  for (const p of plots) {
    const c = p.time ? null : data.by.q.find((q) => q.name === p.xName);
    if (c) p.setBounds(boundsOf(data, c));
  }
}

export function energies(report, data) {
  if (!data.about.rows.segments) return [];
  const [T, V] = data.by.energy.map((c) => c.x), n = data.n;
  const total = new Float64Array(n), balance = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    total[i] = balance[i] = T[i] + V[i];
    data.by.work.forEach((w, k) => { balance[i] += data.about.works[k].lost ? w.x[i] : -w.x[i]; });
  }
  const curves = [{ name: "kinetic", y: T }, { name: "potential", y: V }, { name: "total", y: total, colour: "ink" }];
  if (data.by.work.length) curves.push({ name: "total with losses, less work", y: balance, colour: "soft", dash: [5, 4] });
  const out = [new Plot(report, { time: true, curves, yUnit: "J", name: "energy", height: 210 })];
  if (data.by.work.length) {
    const active = data.by.work.map((w, k) => ({ w, k })).filter(({ w }) => { const [a, b] = rangeOf([w.x]); return b > a; });
    if (active.length) {
      out.push(new Plot(report, {
        time: true, yUnit: "J", name: "ledger", height: 210,
        curves: active.map(({ w, k }) => ({ name: `${data.about.works[k].lost ? "lost at" : "work of"} ${w.name}`, y: w.x })),
      }));
    }
  }
  return out;
}

// One strip per unit here too: an impulse is a force times seconds.
export function impulses(report, data) {
  const units = new Map(data.about.laws.map((law, i) => [law.law, data.by.force[i]?.unit]));
  const groups = new Map();
  for (const e of data.events) {
    if (Number.isNaN(e.impulse)) continue;
    const unit = units.get(e.at) || "";
    if (!groups.has(unit)) groups.set(unit, new Map());
    const laws = groups.get(unit);
    if (!laws.has(e.at)) laws.set(e.at, []);
    laws.get(e.at).push(e);
  }
  return [...groups].map(([unit, laws], i) => new Plot(report, {
    time: true, stems: true, name: `impulses-${i + 1}`, yUnit: impulseUnit(unit),
    curves: [...laws].map(([name, list]) => ({ name: `impulse(${name})`, list, y: list.map((e) => e.impulse).concat(0) })),
  }));
}
