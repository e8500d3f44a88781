// SPDX-License-Identifier: MIT
// The run in sentences: what it is, which principle it obeys, what became of the energy.
import { clean, count, number, ordinal, power } from "./format.js";

const kinds = {
  holonomic: "constraint", rheonomic: "moving constraint", nonholonomic: "nonholonomic constraint",
  unilateral: "one-sided constraint", "one-sided-velocity": "one-sided velocity constraint",
  friction: "dry friction", rough: "rough contact", spring: "spring", law: "set-valued law",
  servo: "servo-constraint", vakonomic: "vakonomic constraint", inertia: "inertial constraint",
  viscous: "viscous constraint",
};

function plural(n, word) {
  if (n === 1) return `one ${word}`;
  const irregular = { "dry friction": "dry frictions" };
  return `${n} ${irregular[word] || word + "s"}`;
}

export function whatItIs(about) {
  const counts = new Map();
  for (const law of about.laws) {
    if (law.component > 1) continue;
    const word = kinds[law.kind] || law.kind;
    counts.set(word, (counts.get(word) || 0) + 1);
  }
  const laws = [...counts].map(([word, n]) => plural(n, word));
  const list = laws.length > 1 ? laws.slice(0, -1).join(", ") + " and " + laws.at(-1) : laws[0];
  const shapes = about.shapes ? `, ${plural(about.shapes, "shape")} that may touch` : "";
  return `${about.nv === 1 ? "One coordinate" : `${about.nv} coordinates`}${list ? ` with ${list}` : ""}${shapes}`;
}

// What the certificate says of the ledger; a motion that was not judged goes by the ledger alone.
export function energyWord(about) {
  const e = about.summary.energy;
  if (about.certificate.balance) return clean(about.certificate.balance, 80);
  if (!e) return null;
  const scale = e.scale || Math.max(Math.abs(e.start), Math.abs(e.end)) || 1;
  const lost = Object.entries(e.lost || {}), work = Object.entries(e.work || {});
  if (work.some(([, v]) => Math.abs(v) > 1e-9 * scale)) return "driven";
  return lost.some(([, v]) => Math.abs(v) > 1e-9 * scale) ? "dissipative" : "conservative";
}

// Constraints on velocities and servos need Hölder's variations.
function principle(about) {
  const kinds = new Set(about.laws.map((law) => law.kind));
  const differential = ["nonholonomic", "one-sided-velocity", "servo", "inertia"].some((k) => kinds.has(k));
  return differential ? "Hölder’s form of Hamilton’s principle" : "Hamilton’s principle in its strong form";
}

// A run that did not come to its end is never simply verified.
const cutShort = { "stopped early": "Stopped early", interrupted: "Interrupted", killed: "Killed" };

export function verdict(about) {
  const v = certified(about), head = cutShort[about.summary.ending];
  if (!head || v.tone !== "good") return v;
  return { ...v, tone: "unsure", head, text: `What was computed is verified. ${v.text}` };
}

// The expectations of the model that fail, in one sentence.
export function unmet(about) {
  const list = about.summary.expect || [], bad = list.filter((e) => !e.ok);
  if (!bad.length) return null;
  const first = bad[0], more = bad.length > 1 ? " The others are under Expectations." : "";
  const why = first.reason ? `: ${clean(first.reason, 200)}` : "";
  return `${bad.length} of ${list.length} expectations ${bad.length === 1 ? "fails" : "fail"}. ` +
    `Line ${first.line}, ${clean(first.text, 200)}${why}.${more}`;
}

function certified(about) {
  const c = about.certificate, word = energyWord(about);
  const residual = c.worst && Number.isFinite(c.worst.value) ? c.worst.value : null;
  const accuracy = residual === null ? "" : residual === 0 ? ", to the last digit"
    : `, with residuals of at most ${power(residual, true)}`;
  const at = c.instants ? ` at ${count(c.instants, "instant")}` : "";
  switch (c.verdict) {
    case "STRONG":
      return { tone: "good", head: "Verified", text: `The motion obeys ${principle(about)}, for all admissible variations${at}${accuracy}.`, word };
    case "WEAK":
      return { tone: "good", head: "Verified", text: `The motion obeys d’Alembert’s, Jourdain’s and Gauss’ principles in inequality form${about.events.kinds.includes("impact") ? ", impacts included" : ""}${at ? (about.events.kinds.includes("impact") ? "," : "") + at : ""}${accuracy}.`, word };
    case "NOT A MOTION":
      return { tone: "bad", head: "Not a motion", text: `The laws of the model are violated: ${clean(c.sentence || "see the certificate", 300)}.`, word };
    case "UNDECIDED":
      return { tone: "unsure", head: "Undecided", text: `The samples are too coarse to decide whether this is a motion of the model: ${clean(c.sentence || "", 300)}.`, word };
    default:
      return { tone: "unsure", head: "Not checked", text: `The motion was not certified${c.sentence ? `: ${clean(c.sentence, 300)}` : ""}.`, word };
  }
}

export function ending(about) {
  const s = about.summary, t = s.t === undefined ? null : number(Number(s.t), 9);
  const to = s.options?.to;
  switch (s.ending) {
    case "stopped early":
      return `The run stopped at t = ${t} s of ${number(Number(to), 6)} s: ${clean(s.reason || "the motion could not go on", 600)}`;
    case "interrupted": return `The run was interrupted at t = ${t} s of ${number(Number(to), 6)} s.`;
    case "killed": return `The run was killed; this is what it had saved. \`pawl run --resume ${quote(s.folder || "DIR")}\` takes it up.`;
    default: return s.reason ? `The run stopped: ${clean(s.reason, 600)}` : null;
  }
}

// Which rows the page holds, where it does not hold all of them.
export function rowsShown({ all, kept, stride, jumps, jumpStride }) {
  if (kept === all) return "";
  if (!jumps) return `Every ${ordinal(stride)} of ${count(all, "row")} is shown.`;
  const sides = jumpStride === 1 ? (jumps === 1 ? "both sides of the jump" : `both sides of all ${count(jumps, "jump")}`)
    : `both sides of every ${ordinal(jumpStride)} of ${count(jumps, "jump")}`;
  const between = stride === 1 ? "all rows between" : `every ${ordinal(stride)} row between`;
  const broken = jumpStride === 1 ? "" : " Curves are broken where a jump is left out.";
  return `${count(kept, "row")} of ${count(all, "row")} are shown: ${sides}, and ${between}.${broken}`.replace(/ rows? of/, " of");
}

// Where the error of a run that stopped points to, what helps, and what else is known.
export function endingNotes(about) {
  const e = about.summary.error;
  if (!e) return [];
  const at = e.line > 0 ? `line ${e.line}${e.label ? `: ${e.label}` : ""}` : e.label;
  const texts = [at, ...(e.help || []).map((t) => `help: ${t}`), ...(e.note || []).map((t) => `note: ${t}`)];
  return texts.filter(Boolean).slice(0, 8).map((t) => clean(t, 400));
}

// One sentence for each principle of the certificate.
export const principles = [
  ["d'Alembert", "No admissible virtual displacement finds the constraint forces doing negative work."],
  ["Jourdain", "The same for admissible virtual velocities, which also sees constraints on velocities and friction."],
  ["Gauss", "Of all accelerations that the constraints allow, the true one is nearest to that of the free motion."],
  ["Hamilton, weak", "No admissible displaced curve makes the action vary in the forbidden direction."],
  ["Hamilton, strong", "The same with the instants of impacts shifted too: the energy does not jump."],
  ["Hoelder, differential", "Hölder’s form, for constraints on velocities that act along their gradient."],
  ["Hoelder, servos of type I ", "Hölder’s form, for servo-constraints with a given direction of force."],
  ["Hoelder, servos of type II", "Hölder’s form, for servo-constraints of type II and vakonomic ones."],
  ["Hoelder", "Hölder’s form of the principle, for these constraints."],
  ["sign of the multipliers", "Multipliers that are states never pull."],
  ["Lagrange", "Momentum balances over every interval between rows, impacts included."],
];

export function principleSentence(name) {
  return principles.find(([key]) => name.startsWith(key))?.[1] ?? "";
}

export const residuals = {
  gap: "One-sided constraints are not entered",
  "position constraint": "Position constraints hold",
  "velocity constraint": "Velocity constraints hold",
  velocity: "Velocities are the rates of the positions",
  "d'Alembert": "d’Alembert’s inequality",
  Jourdain: "Jourdain’s inequality",
  Gauss: "Gauss’ least constraint",
  force: "Forces balance the accelerations",
  "force law": "Every force lies in the set its law allows",
  smoothness: "The motion is smooth between events",
  energy: "Energy balances between rows",
  continuity: "Positions do not jump",
  impulse: "Impulses balance the jumps of momentum",
  "impact law": "Impacts follow their law",
  momentum: "Momentum balances over intervals",
  set: "Multipliers have the right sign",
  events: "The list of events fits the motion",
};

// The command that computes the same motion.
export function command(about) {
  const s = about.summary, o = s.options || {}, run = about.run || {};
  const words = ["pawl run", quote(s.model || "model.pawl")];
  for (const [name, value] of Object.entries(s.overrides || {})) {
    const realise = /^realise (.*)$/.exec(name);
    words.push(realise ? `--realise ${quote(`${realise[1]}=${value}`)}` : quote(`${name}=${value}`));
  }
  if (o.from !== undefined && (o.from !== run.from || o.to !== run.to)) words.push(`-t ${o.from}..${o.to}`);
  const usual = { tol: 1e-9, method: "event", impacts: "simultaneous", "energy-gain": "allow", "max-events": 1e6 };
  for (const [key, value] of Object.entries(o)) {
    if (["from", "to", "save"].includes(key) || value === run[key]) continue;
    if (run[key] === undefined && usual[key] === value) continue;
    if (key === "every" && run.every === undefined && Math.abs(value * 2000 - (o.to - o.from)) < 1e-9 * Math.abs(o.to - o.from)) continue;
    words.push(`--${key} ${value}`);
  }
  return words.join(" ");
}

function quote(text) {
  const s = clean(text, 400);
  return /^[A-Za-z0-9_./=:+,-]+$/.test(s) ? s : `'${s.replace(/'/g, `'\\''`)}'`;
}
