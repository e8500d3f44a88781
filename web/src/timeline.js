// SPDX-License-Identifier: MIT
// One lane per law: bars where it is closed, sticks or slips, ticks where it is hit. Its cursor is
// the time of everything else on the page.
import { clean, number } from "./format.js";
import { rowAt } from "./data.js";
import { Layer, textWidth } from "./layer.js";
import { pairOf } from "./meetings.js";

const FIRST_LANES = 9;

// What a mode means for a kind of law: 0 nothing, 1 held, 2 slips forward, 3 slips back.
function meaning(kind, mode, force) {
  if (mode === 1) return 1;
  const slips = kind === "friction" || kind === "rough";
  const acts = kind === "spring" || kind === "law" || kind === "viscous";
  if ((slips || acts) && Math.abs(force) > 0) return mode === 2 ? 3 : 2;
  return 0;
}

// Stretches of one state: from, to, state.
function spansOf(t, state) {
  const out = [], n = t.length;
  for (let i = 0; i < n;) {
    let k = i;
    while (k < n - 1 && state[k + 1] === state[i]) k++;
    if (state[i] > 0) out.push([t[i], t[Math.min(k + 1, n - 1)], state[i]]);
    i = k + 1;
  }
  return out;
}

const closes = new Set(["close", "impact"]);

// Rows of pairs that steps find are far apart; their events tell when they closed and opened between two rows.
function pairSpans(data, state, events) {
  const { t, meetings } = data, spans = spansOf(t, state);
  const before = (time) => t[Math.max(0, rowAt(t, time) - meetings.stride)];
  spans.forEach((s, i) => {
    const follows = i > 0 && spans[i - 1][1] >= s[0];
    const first = follows ? null : events.find((e) => closes.has(e.kind) && e.t > before(s[0]) && e.t <= s[0]);
    const ends = i + 1 < spans.length && spans[i + 1][0] <= s[1];
    const last = ends ? null : events.findLast((e) => e.kind === "liftoff" && e.t > before(s[1]) && e.t <= s[1]);
    if (first) s[0] = first.t;
    if (last && last.t > s[0]) s[1] = last.t;
  });
  return spans;
}

// One lane for each pair of shapes; the name of the contact is left out where there is one.
function pairLanes(data, places) {
  const names = data.about.events.places, states = data.meetings.pairs(names), lanes = new Map();
  for (const place of places) {
    const name = pairOf(names[place]);
    if (!lanes.has(name)) lanes.set(name, { name, kind: "pair", events: [], spans: [] });
  }
  for (const e of data.events) lanes.get(pairOf(e.at))?.events.push(e);
  const one = new Set([...lanes.keys()].map((name) => name.split(":")[0])).size === 1;
  for (const lane of lanes.values()) {
    const state = states.get(lane.name);
    if (state) lane.spans = pairSpans(data, state, lane.events);
    lane.ever = lane.spans.length > 0;
    if (one) lane.name = lane.name.slice(lane.name.indexOf(":") + 1);
  }
  return [...lanes.values()];
}

const equal = new Set(["holonomic", "rheonomic", "nonholonomic", "vakonomic", "inertia"]);

export function lanesOf(data) {
  const { about, by, n } = data;
  const lanes = [], always = [];
  const places = new Map(about.events.places.map((p, i) => [p, i]));
  about.laws.forEach((law, i) => {
    if (law.component > 1) return;
    const mode = by.mode[i]?.x, force = by.force[i]?.x;
    if (!mode || !about.rows.segments) return;
    const state = new Uint8Array(n);
    let changes = false, ever = false;
    for (let k = 0; k < n; k++) {
      let size = Math.abs(force[k]);
      for (let c = 1; c < law.components; c++) size += Math.abs(by.force[i + c].x[k]);
      state[k] = meaning(law.kind, mode[k], size);
      changes = changes || state[k] !== state[0];
      ever = ever || state[k] > 0;
    }
    const place = places.get(law.law) ?? places.get(law.name);
    const events = data.events.filter((e) => e.place === place);
    if (!changes && events.length === 0 && (equal.has(law.kind) || state[0] === 1)) {
      always.push(law.law);
      return;
    }
    lanes.push({ name: law.law, kind: law.kind, about: law.about, spans: spansOf(data.t, state), events, place, ever });
  });
  const laws = new Set(lanes.map((l) => l.place)), met = new Set(data.meetings.place), pairs = [];
  about.events.places.forEach((name, place) => {
    if (laws.has(place)) return;
    if (met.has(place) || (met.size && /:.+-/.test(name))) {
      pairs.push(place);
      return;
    }
    const events = data.events.filter((e) => e.place === place);
    if (events.length) lanes.push({ name, kind: "event", spans: [], events, place });
  });
  return { lanes: [...lanes, ...pairLanes(data, pairs)], always };
}

// Names that fit: what is cut is in the middle, and where, so that no two look alike.
export function shortNames(names, fits) {
  const cut = (name, tail) => {
    const points = Array.from(name);
    for (let n = points.length; n > 1; n--) {
      const end = Math.round((n - 1) * tail), text = points.slice(0, n - 1 - end).join("") + "…" + points.slice(points.length - end).join("");
      if (fits(text)) return text;
    }
    return "…";
  };
  const tries = [0.5, 0.7, 0.9, 0.3].map((tail) => names.map((name) => (fits(name) ? name : cut(name, tail))));
  const alike = (list) => list.length - new Set(list).size;
  const best = tries.reduce((a, b) => (alike(b) < alike(a) ? b : a));
  return best.map((text, k) => (best.indexOf(text) < k ? `${k + 1} ${text}` : text));
}

export class Timeline extends Layer {
  constructor(report, lanes) {
    super(report, "event timeline");
    this.all = lanes;
    this.hasTime = true;
    this.line.classList.add("knob");
    this.showAll(lanes.length <= FIRST_LANES + 1);
    this.impulseMost = 0;
    for (const l of lanes) for (const e of l.events) this.impulseMost = Math.max(this.impulseMost, Math.abs(e.impulse) || 0);
    this.listen();
  }

  // All lanes, or those in which most happens.
  showAll(all) {
    const score = (l) => l.events.length + (l.ever ? 1 : 0);
    const kept = new Set([...this.all].sort((a, b) => score(b) - score(a)).slice(0, FIRST_LANES));
    this.lanes = all ? this.all : this.all.filter((l) => kept.has(l));
    this.hidden = this.all.length - this.lanes.length;
  }

  listen() {
    const c = this.canvas;
    let grabbed = null;
    c.addEventListener("pointerdown", (e) => {
      c.setPointerCapture(e.pointerId);
      grabbed = { x: e.offsetX, view: this.report.view.slice(), pan: e.shiftKey || e.button === 1 };
      if (!grabbed.pan) this.report.seek(this.snap(e.offsetX, e.offsetY));
    });
    c.addEventListener("pointermove", (e) => {
      if (grabbed && e.buttons) {
        if (grabbed.pan) {
          const [a, b] = grabbed.view, shift = ((grabbed.x - e.offsetX) / this.box.w) * (b - a);
          this.report.zoom(a + shift, b + shift);
        } else {
          this.report.seek(this.timeAt(e.offsetX));
        }
      } else {
        this.report.hover(this.eventAt(e.offsetX, e.offsetY), e);
      }
    });
    c.addEventListener("pointerup", () => { grabbed = null; });
    c.addEventListener("pointerleave", () => this.report.hover(null));
    c.addEventListener("dblclick", () => this.report.zoom(...this.report.span));
    c.addEventListener("wheel", (e) => {
      if (!e.ctrlKey && Math.abs(e.deltaY) > Math.abs(e.deltaX) && !e.altKey && this.report.isFull() && e.deltaY > 0) return;
      e.preventDefault();
      const [a, b] = this.report.view;
      if (Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
        const shift = (e.deltaX / this.box.w) * (b - a);
        this.report.zoom(a + shift, b + shift);
        return;
      }
      const t = this.timeAt(e.offsetX), f = Math.exp(e.deltaY * 0.0015);
      this.report.zoom(t - (t - a) * f, t + (b - t) * f);
    }, { passive: false });
  }

  resize(width) {
    this.w = Math.max(240, width);
    this.lane = this.lanes.length > 8 ? 22 : 30;
    const most = this.w < 520 ? this.w * 0.32 : 190, font = `500 12px ${this.report.fonts.sans}`;
    const widest = Math.max(...this.lanes.map((l) => textWidth(clean(l.name), font)));
    this.gutter = Math.round(Math.min(Math.max(widest + 16, this.w < 520 ? 74 : 104), most));
    this.names = shortNames(this.lanes.map((l) => clean(l.name, 400)), (text) => textWidth(text, font) <= this.gutter - 10);
    this.h = 10 + this.lanes.length * this.lane + 30;
  }

  get box() { return { x: this.gutter, y: 8, w: this.w - this.gutter - 14, h: this.h - 38 }; }

  eventAt(px, py) {
    const k = Math.floor((py - this.box.y) / this.lane);
    const lane = this.lanes[k];
    if (!lane) return null;
    let best = null, least = 7;
    for (const e of lane.events) {
      const d = Math.abs(this.toX(e.t) - px);
      if (d < least) { least = d; best = e; }
    }
    return best;
  }

  snap(px, py) {
    const e = this.eventAt(px, py);
    return e ? e.t : this.timeAt(px);
  }

  colours(th) { return [null, th.closed, th.slip, th.back]; }

  bars(ctx, lane, y, th) {
    const colours = this.colours(th), [a, b] = this.report.view;
    ctx.globalAlpha = 0.92;
    for (const [from, to, state] of lane.spans) {
      if (to < a || from > b) continue;
      const x1 = Math.max(this.box.x, this.toX(from)), x2 = Math.min(this.box.x + this.box.w, this.toX(to)), h = state === 1 ? 9 : 5;
      ctx.fillStyle = colours[state];
      ctx.fillRect(x1, y - h / 2, Math.max(x2 - x1, 0.8), h);
    }
    ctx.globalAlpha = 1;
  }

  // Impacts as ticks with a height by impulse, the rest as small signs.
  marks(ctx, lane, y, th) {
    const [a, b] = this.report.view, half = this.lane / 2 - 2;
    const drawn = new Map();
    for (const e of lane.events) {
      if (e.t < a || e.t > b) continue;
      const x = this.toX(e.t);
      if (e.kind === "impact") {
        const part = this.impulseMost > 0 ? Math.sqrt(Math.abs(e.impulse || 0) / this.impulseMost) : 1;
        const px = Math.round(x * 2) / 2, h = 4 + part * (2 * half - 5);
        if ((drawn.get(px) || 0) >= h) continue;
        drawn.set(px, h);
        ctx.strokeStyle = th.impact;
        ctx.lineWidth = 1.6;
        ctx.beginPath(); ctx.moveTo(px, y + half); ctx.lineTo(px, y + half - h); ctx.stroke();
      } else {
        this.sign(ctx, e.kind, x, y, th);
      }
    }
  }

  sign(ctx, kind, x, y, th) {
    ctx.fillStyle = kind === "rest" ? th.rest : th.ink;
    ctx.strokeStyle = ctx.fillStyle;
    ctx.lineWidth = 1.2;
    ctx.beginPath();
    const r = kind === "rest" ? 5.5 : 3.2;
    if (kind === "rest") {
      ctx.moveTo(x, y - r); ctx.lineTo(x + r, y); ctx.lineTo(x, y + r); ctx.lineTo(x - r, y); ctx.closePath(); ctx.fill();
    } else if (kind === "liftoff" || kind === "release") {
      ctx.moveTo(x - r, y + r); ctx.lineTo(x + r, y + r); ctx.lineTo(x, y - r); ctx.closePath(); ctx.fill();
    } else if (kind === "close" || kind === "engage") {
      ctx.moveTo(x - r, y - r); ctx.lineTo(x + r, y - r); ctx.lineTo(x, y + r); ctx.closePath(); ctx.fill();
    } else if (kind === "stick") {
      ctx.rect(x - 2.6, y - 2.6, 5.2, 5.2); ctx.fill();
    } else if (kind === "stop") {
      ctx.rect(x - 1, y - 8, 2, 16); ctx.fill();
    } else {
      ctx.arc(x, y, 2.4, 0, 2 * Math.PI);
      ctx.fillStyle = th.card; ctx.fill(); ctx.stroke();
    }
  }

  paint(ctx, th) {
    const b = this.box;
    ctx.clearRect(0, 0, this.w, this.h);
    const below = this.xTicks(ctx, th, 4, 8, "t", "s");
    ctx.textAlign = "left";
    ctx.fillStyle = th.soft;
    ctx.fillText(below, 2, b.y + b.h + 8);
    this.lanes.forEach((lane, k) => {
      const y = b.y + (k + 0.5) * this.lane;
      ctx.textAlign = "left";
      ctx.textBaseline = "middle";
      ctx.fillStyle = th.ink;
      ctx.font = `500 12px ${th.sans}`;
      ctx.fillText(this.names[k], 2, y);
      ctx.strokeStyle = th.line;
      ctx.beginPath(); ctx.moveTo(b.x, y + 0.5); ctx.lineTo(b.x + b.w, y + 0.5); ctx.stroke();
      ctx.save();
      ctx.beginPath();
      ctx.rect(b.x - 6, b.y, b.w + 12, b.h);
      ctx.clip();
      this.bars(ctx, lane, y, th);
      this.marks(ctx, lane, y, th);
      ctx.restore();
    });
  }

  cursor() { this.putLine(this.box.y - 4, this.box.h + 8); }

  describe(e) {
    const parts = [`${e.kind}${e.at ? " of " + clean(e.at, 40) : ""}`, `t = ${number(e.t, 10)} s`];
    if (!Number.isNaN(e.impulse)) parts.push(`impulse ${number(e.impulse, 6)}`);
    if (!Number.isNaN(e.before)) parts.push(`rate ${number(e.before, 5)} → ${number(e.after, 5)}`);
    if (e.dE) parts.push(`energy ${number(e.dE, 5)} J`);
    if (e.flag) parts.push(clean(e.flag).toLowerCase().replace(/_/g, " "));
    return parts;
  }
}
