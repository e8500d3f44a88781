// SPDX-License-Identifier: MIT
// Sections of the page that are text: state, events, certificate, model, parameters.
import { axisText, clean, cleanLine, count, number, ordinal, power, unit } from "./format.js";
import { el } from "./dom.js";
import { command, principleSentence, residuals } from "./story.js";

const MOST_ON_PAPER = 30; // numbers of a state; a long table would leave the rest of its pages empty

export function shownUnit(head) {
  if (head.unit === "1") return head.kind === "q" && !/\.q\[\d\]$/.test(head.name) ? "rad" : "";
  if (head.unit === "1/s" && head.kind === "u") return "rad/s";
  return unit(head.unit);
}

export function digitsOf(head) {
  return head.bytes === 8 || head.bytes === undefined ? 9 : head.bytes >= 6 ? 7 : 6;
}

// ---- the state at the cursor ----

export class StateTable {
  constructor(report, data) {
    this.report = report;
    this.data = data;
    this.body = el("tbody");
    this.element = el("table", { class: "state" }, this.body);
    this.cells = [];
    const groups = [["Positions", data.by.q], ["Velocities", data.by.u], ["Signals", data.by.signal], ["Forces", data.by.force],
      ["Outputs", data.by.output], ["Energy", data.about.rows.segments ? data.by.energy : []]];
    this.shown = 0;
    for (const [title, list] of groups) {
      if (!list.length) continue;
      this.body.append(el("tr", { class: this.shown < MOST_ON_PAPER || title === "Energy" ? "group" : "group over" }, el("th", { colspan: 3 }, title)));
      for (const c of list) this.add(c, title !== "Energy");
    }
    const rest = this.shown - MOST_ON_PAPER;
    if (rest > 0) this.body.append(el("tr", { class: "rest" }, el("td", { colspan: 3 }, `… and ${count(rest, "more number")}; trajectory.csv has all`)));
    if (data.meetings.kept) this.addMeetings();
  }

  // Points of shapes that are closed at the cursor.
  addMeetings() {
    const row = (name) => {
      const value = el("td", { class: "value" });
      this.body.append(el("tr", {}, el("th", {}, name), value, el("td", { class: "unit" })));
      return value;
    };
    this.body.append(el("tr", { class: "group" }, el("th", { colspan: 3 }, "Contacts")));
    this.met = { closed: row("closed"), slide: row("of them slide") };
  }

  add(c, counted) {
    const stored = this.data.heads[c.same ?? c.index];
    const value = el("td", { class: "value", "data-column": c.name });
    const u = shownUnit(c);
    this.cells.push({ value, x: c.x, digits: digitsOf(stored) });
    this.shown += counted ? 1 : 0;
    const over = counted && this.shown > MOST_ON_PAPER;
    this.body.append(el("tr", { class: over ? "over" : "" }, el("th", {}, el("bdi", {}, clean(c.name, 40))), value, el("td", { class: "unit" }, u)));
  }

  // Where the motion jumps both sides are shown.
  update() {
    const { row } = this.report, { t } = this.data;
    const twin = row > 0 && t[row - 1] === t[row] ? row - 1 : -1;
    for (const [key, value] of this.met ? Object.entries(this.data.meetings.count(row)) : []) this.met[key].textContent = String(value);
    for (const c of this.cells) {
      const now = number(c.x[row], c.digits);
      const before = twin >= 0 ? number(c.x[twin], c.digits) : now;
      const text = before !== now ? `${before} → ${now}` : now;
      if (c.text !== text) {
        c.text = text;
        c.value.textContent = text;
        c.value.classList.toggle("jump", before !== now);
      }
    }
  }
}

// ---- events ----

export function eventCounts(data, report) {
  const { kinds, places, count: counts, all, kept } = data.about.events;
  const head = el("tr", {}, el("th", {}, "law"), kinds.map((k) => el("th", { class: "n" }, k)), el("th", { class: "n" }, "all"));
  const sum = (i) => counts[i].reduce((a, b) => a + b, 0);
  const rows = places.map((p, i) => sum(i) > 0 && el("tr", {},
    el("th", {}, el("bdi", {}, clean(p, 40))),
    kinds.map((_, k) => el("td", { class: "n" }, counts[i][k] ? counts[i][k].toLocaleString("en").replace(/,/g, "\u202f") : "·")),
    el("td", { class: "n" }, String(sum(i))))).filter(Boolean);
  const note = kept < all ? el("p", { class: "note" }, `The timeline and the list show every ${ordinal(data.about.events.stride)} of ${count(all, "event")}; the counts are of all.`) : null;
  return el("div", { class: "scroll" }, el("table", { class: "counts" }, el("thead", {}, head), el("tbody", {}, rows)), note);
}

// Force times rate is a power; an impulse is a force times seconds.
const rateUnits = new Map([["N", "m/s"], ["J", "rad/s"], ["N*m", "rad/s"]]);

export function impulseUnit(force) { return force ? `${unit(force)}·s` : ""; }

// The units of impulses and rates, where all laws that are hit agree about them.
function eventUnits(data) {
  const hit = new Set(data.events.filter((e) => !Number.isNaN(e.impulse)).map((e) => e.at));
  const units = new Set(data.about.laws.map((law, i) => hit.has(law.law) ? data.by.force[i]?.unit : null).filter((u) => u !== null));
  const force = units.size === 1 ? [...units][0] : undefined;
  return { impulse: impulseUnit(force), rate: rateUnits.get(force) };
}

export function eventList(data, report) {
  const shown = data.events.slice(0, 200);
  const rows = shown.map((e) => {
    const tr = el("tr", { tabindex: 0, onclick: () => report.seek(e.t), onkeydown: (k) => { if (k.key === "Enter") report.seek(e.t); } },
      el("td", { class: "n" }, number(e.t, 10)), el("td", {}, e.kind), el("td", {}, el("bdi", {}, clean(e.at, 40))),
      el("td", { class: "n" }, Number.isNaN(e.impulse) ? "" : number(e.impulse, 6)),
      el("td", { class: "n" }, Number.isNaN(e.before) ? "" : `${number(e.before, 5)} → ${number(e.after, 5)}`),
      el("td", { class: "n" }, e.dE ? number(e.dE, 5) : ""), el("td", {}, e.flag ? clean(e.flag).toLowerCase().replace(/_/g, " ") : ""));
    return tr;
  });
  const units = eventUnits(data), head = ["t / s", "event", "at", axisText("impulse", units.impulse), axisText("rate before → after", units.rate), "energy / J", ""];
  const more = data.events.length > shown.length ? el("p", { class: "note" }, `The first ${shown.length} are listed; `, `events.csv has all ${count(data.about.events.all, "event")}.`) : null;
  return el("div", {}, el("div", { class: "scroll tall" }, el("table", { class: "events" },
    el("thead", {}, el("tr", {}, head.map((h, i) => el("th", { class: [0, 3, 4, 5].includes(i) ? "n" : "" }, h)))), el("tbody", {}, rows))), more);
}

// ---- energy ledger ----

export function ledger(about) {
  const e = about.summary.energy;
  if (!e) return null;
  const rows = [["at the start", e.start, "sum"]];
  for (const [name, v] of Object.entries(e.work || {})) rows.push([`work of ${clean(name, 40)}`, v, "in"]);
  for (const [name, v] of Object.entries(e.lost || {})) rows.push([v < 0 ? `gained at ${clean(name, 40)}` : `lost at ${clean(name, 40)}`, -v, "out"]);
  rows.push(["at the end", e.end, "sum"], ["not explained", e.unexplained, "none"]);
  const shares = Object.values(e.lost || {}).some((v) => v < 0) && !/gaining/.test(about.certificate.balance || "gaining")
    ? el("p", { class: "note" }, "No impact gains energy. The loss of an impact is divided among its contacts, each with its impulse times the mean of the rates before and after; the share of one of them can be a gain.") : null;
  const most = Math.max(...rows.map((r) => Math.abs(r[1]) || 0), 1e-300);
  return el("div", { class: "scroll" }, el("table", { class: "ledger" }, el("tbody", {}, rows.map(([name, v, kind]) => {
    const bar = el("i", { class: `bar ${v < 0 ? "minus" : "plus"} ${kind}` });
    bar.style.width = `${Math.max(0.5, (Math.abs(v) / most) * 48)}%`;
    return el("tr", { class: kind }, el("th", {}, el("bdi", {}, name)), el("td", { class: "n" }, number(v, kind === "none" ? 2 : 7)),
      el("td", { class: "bars" }, kind === "none" ? null : bar));
  }))), shares);
}

// ---- certificate ----

function scaleBar(value, tolerance) {
  const bar = el("i", {});
  const part = value > 0 ? Math.min(1, Math.max(0.02, (Math.log10(value / tolerance) + 12) / 12)) : 0.02;
  bar.style.width = `${part * 100}%`;
  return el("span", { class: `gauge ${value > tolerance ? "over" : ""}`, title: "on a logarithmic scale, the tolerance at the right end" }, bar);
}

// Names of principles as they are printed.
const printed = (name) => name.replace("Hoelder", "Hölder").replace("d'Alembert", "d’Alembert");

export function certificate(about) {
  const c = about.certificate;
  if (!c || !c.verdict) return el("p", {}, "There is no certificate.");
  const out = el("div", {});
  const list = (c.principles || []).filter((p) => p.value !== undefined && p.value !== null);
  const idle = (c.principles || []).filter((p) => !(p.value !== undefined && p.value !== null));
  if (list.length) {
    out.append(el("div", { class: "scroll" }, el("table", { class: "certificate" },
      el("thead", {}, el("tr", {}, ["principle", "what it says", "residual", "limit", "10⁻¹² … limit"].map((h, i) => el("th", { class: i === 2 || i === 3 ? "n" : "" }, h)))),
      el("tbody", {}, list.map((p) => {
        const limit = p.tolerance;
        const strong = p.name.startsWith("Hamilton, strong");
        const fails = Number.isFinite(limit) && p.value > limit;
        return el("tr", {}, el("th", {}, printed(clean(p.name, 60)), el("small", {}, clean(p.source, 60))),
          el("td", {}, principleSentence(p.name), fails && strong ? el("em", {}, " It does not hold here: impacts lose or gain energy.") : null),
          el("td", { class: "n" }, number(p.value, 2)), el("td", { class: "n" }, Number.isFinite(limit) ? number(limit, 2) : ""),
          el("td", {}, Number.isFinite(limit) ? scaleBar(p.value, limit) : null));
      })))), el("p", { class: "note" }, "The bars show residual over limit on a logarithmic scale, from 10⁻¹² at the left end to 1, the limit, at the right end."));
  }
  const values = Object.entries(c.residuals || {});
  if (values.length) {
    out.append(el("h3", {}, "Residuals"), el("dl", { class: "residuals" }, values.map(([key, v]) =>
      el("div", {}, el("dt", {}, residuals[key] || clean(key)), el("dd", {}, v === 0 ? "0" : power(v))))));
  }
  if (idle.length) {
    out.append(el("details", {}, el("summary", {}, `${idle.length} more principles say nothing about this motion`),
      el("ul", {}, idle.map((p) => el("li", {}, el("b", {}, printed(clean(p.name, 60))), ": ", clean(p.reason || "no number", 300))))));
  }
  if (!c.rows) {
    out.append(el("p", {}, `The motion was not certified${c.sentence ? `: ${clean(c.sentence, 300)}` : ""}.`));
    return out;
  }
  const seen = c.coverage === undefined || c.coverage === null ? "" : `; an error would have shown in ${number(c.coverage * 100, 3)} % of the time`;
  out.append(el("p", { class: "note" }, `${count(c.rows, "row")} read, ${count(c.instants || 0, "instant")} examined in full${seen}. ` +
    "The checker shares the definition of the laws with the solver, no method of solving."));
  if (c.advice) out.append(el("p", { class: "note" }, clean(c.advice, 400)));
  return out;
}

// ---- model ----

const keywords = new Set(("model include parameter coordinates rotation body let kinetic potential dissipation force constraint friction spring " +
  "law servo start end event output plot draw run expect input table state sample joint shape contact").split(" "));

function codeLine(text) {
  const line = cleanLine(text), comment = /^([^"#]*(?:"[^"]*"[^"#]*)*)(#.*)$/.exec(line);
  const code = comment ? comment[1] : line;
  const word = /^([a-z]+)(.*)$/s.exec(code);
  return [word && keywords.has(word[1]) ? [el("b", {}, word[1]), word[2]] : code, comment ? el("i", {}, comment[2]) : null];
}

export function modelText(about) {
  const byLine = new Map();
  for (const law of about.laws) {
    if (law.component > 1) continue;
    const seen = byLine.get(law.line);
    if (!seen) byLine.set(law.line, { kind: law.kind, about: law.about, cost: law.cost, n: 1 }); else seen.n++;
  }
  const lines = about.text.replace(/\n$/, "").split("\n");
  return el("div", { class: "code", dir: "ltr" }, lines.slice(0, 5000).map((text, i) => {
    const law = byLine.get(i + 1);
    const margin = law ? el("span", { class: "kind", title: clean(`${law.about}; ${law.cost}`, 300) }, law.kind + (law.n > 1 ? ` ×${law.n}` : "")) : null;
    return el("div", { class: "line" }, el("span", { class: "no" }, String(i + 1)), el("span", { class: "margin" }, margin), el("code", {}, codeLine(text)));
  }));
}

export function parameters(about) {
  if (!about.parameters.length) return null;
  return el("table", { class: "parameters" }, el("tbody", {}, about.parameters.map((p) => el("tr", {},
    el("th", {}, el("bdi", {}, clean(p.name, 40))), el("td", { class: "n" }, number(Number(p.value), 10)),
    el("td", { class: "unit" }, p.unit === "1" ? "" : unit(p.unit)),
    el("td", { class: "range" }, p.lo !== undefined ? `${number(Number(p.lo), 5)} … ${number(Number(p.hi), 5)}` : "")))));
}

export function reproduce(about) {
  const text = command(about), s = about.summary;
  const code = el("code", { class: "command" }, text);
  const button = el("button", { class: "small", onclick: () => navigator.clipboard?.writeText(text).then(() => { button.textContent = "copied"; }) }, "copy");
  const c = s.counts || {};
  const facts = [["Pawl", about.pawl], ["model hash", clean(s.model_hash || "–", 60)], ["method", about.method], ["tolerance", power(about.tol)],
    ["steps", c.steps === undefined ? "–" : String(c.steps)], ["rows", String(about.rows.all)], ["events", String(about.events.all)]];
  return el("div", {}, el("div", { class: "reproduce" }, code, button), el("dl", { class: "facts" }, facts.map(([k, v]) => el("div", {}, el("dt", {}, k), el("dd", {}, v)))));
}

export function expectations(about) {
  const list = about.summary.expect || [];
  if (!list.length) return null;
  return el("ul", { class: "expect" }, list.map((e) => el("li", { class: e.ok ? "met" : "unmet" }, el("code", {}, clean(e.text, 200)),
    e.reason ? ` — ${clean(e.reason, 200)}` : e.value === undefined || e.value === null ? "" : ` — found ${number(Number(e.value), 9)}`)));
}
