// SPDX-License-Identifier: MIT
// The animation: the shapes of the `draw` lines at an instant, in the plane or in space.
import { rowAt } from "./data.js";
import { FlatView } from "./flat.js";
import { fitCanvas, SvgContext } from "./painter.js";
import { RailView } from "./rails.js";
import { rangeOf } from "./range.js";
import { SolidView } from "./solid.js";
import { arrow } from "./strokes.js";

const MOST_TRAIL = 360, TRAIL_PARTS = 6; // points, and shades

const isPoint = (a) => a.word === "" && a.n >= 2;

// The greatest length of a vector.
function reach(a, columns) {
  let most = 0;
  for (let k = 0; k < a.n; k++) most += Math.max(...rangeOf([columns[a.first + k]]).map(Math.abs)) ** 2;
  return Math.sqrt(most);
}

export class Scene {
  constructor(report, data) {
    this.report = report;
    this.data = data;
    this.show = { forces: true, trails: true, ghosts: false, follow: false };
    this.columns = data.by.draw.map((c) => c.x);
    this.shapes = data.about.draws.map((d, i) => this.prepare(d, i));
    this.now = new Float64Array(this.columns.length);
    const forces = this.shapes.filter((s) => s.force);
    this.hasForces = forces.length > 0 || data.meetings.kept > 0;
    this.drawn = this.shapes.filter((s) => !s.force);
    const solid = (s) => s.shape !== "plane" && s.shape !== "text", rests = !this.drawn.some((s) => s.moves && solid(s));
    for (const s of this.drawn) s.live = s.moves || (rests && solid(s)); // what rests all the time is no ground
    this.drawn.filter((s) => s.live && !["line", "spring", "text"].includes(s.shape)).forEach((s, k) => { s.rank = k % 8; });
    for (const s of this.drawn) s.trail = this.leavesTrail(s);
    this.space = this.drawn.some((s) => s.args.some((a) => a.n === 7 || (a.word === "" && a.n === 3)));
    this.fallback = this.drawn.length === 0;
    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "animation of the motion");
    if (!this.fallback) this.measure();
    this.view = this.fallback ? new RailView(this) : this.space ? new SolidView(this) : new FlatView(this);
    this.listen();
  }

  prepare(d, index) {
    const constant = (k) => {
      const x = this.columns[k];
      for (let i = 1; i < x.length; i++) if (x[i] !== x[0] && !Number.isNaN(x[i])) return false;
      return true;
    };
    let moves = false;
    for (const a of d.args) for (let k = 0; k < a.n; k++) moves = moves || !constant(a.first + k);
    const force = index >= this.data.about.forces;
    return { ...d, index, moves, force, spots: d.args.filter(isPoint) };
  }

  // Room that the motion needs.
  measure() {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    const include = (k, axis, room) => {
      const [a, b] = rangeOf([this.columns[k]]);
      low[axis] = Math.min(low[axis], a - room);
      high[axis] = Math.max(high[axis], b + room);
    };
    const arrows = this.drawn.every((s) => s.shape === "arrow"); // then their tips need room
    const bounded = this.drawn.filter((s) => s.shape !== "plane"); // a plane is where the rest is
    for (const s of bounded.length ? bounded : this.drawn) {
      const size = s.args.filter((a) => a.word === "radius" || a.word === "size");
      let room = 0;
      for (const a of size) {
        for (let k = 0; k < a.n; k++) {
          const half = a.word === "radius" || s.shape === "cylinder" ? 1 : 0.5;
          room = Math.max(room, half * rangeOf([this.columns[a.first + k]])[1]);
        }
      }
      s.args.forEach((a, i) => {
        if (!isPoint(a) || (s.shape === "plane" && i > 0) || (s.shape === "arrow" && i > 0)) return;
        const long = arrows ? reach(s.args.filter(isPoint)[1], this.columns) : 0;
        for (let k = 0; k < Math.min(a.n, 3); k++) include(a.first + k, k, room + long);
      });
    }
    for (let k = 0; k < 3; k++) if (!(low[k] <= high[k])) { low[k] = 0; high[k] = 0; }
    this.low = low;
    this.high = high;
    const size = Math.hypot(...low.map((v, k) => high[k] - v)) || 1;
    this.size = size;
    this.centre = low.map((v, k) => (v + high[k]) / 2);
    this.lookCloser();
    this.forceMost = this.data.meetings.usual();
    this.crowd = Math.min(4, this.data.meetings.most() / 15);
    for (const s of this.shapes) {
      if (!s.force) continue;
      const v = s.args[1], every = Math.max(1, Math.floor(this.data.n / 2000));
      const sizes = [];
      for (let i = 0; i < this.data.n; i += every) {
        let sum = 0;
        for (let k = 0; k < v.n; k++) sum += this.columns[v.first + k][i] ** 2;
        if (sum > 0) sizes.push(Math.sqrt(sum));
      }
      sizes.sort((a, b) => a - b);
      if (sizes.length) this.forceMost = Math.max(this.forceMost, sizes[Math.floor(sizes.length * 0.97)]);
    }
  }

  // Half of the largest size of a shape.
  room(s, frame) {
    const half = s.shape === "cylinder" ? 1 : 0.5; // of which the radius is stated
    return Math.max(0, ...(this.word(s, "radius", frame) || []), ...(this.word(s, "size", frame) || []).map((v) => v * half));
  }

  // What moves, at an instant: its middle and its size.
  moving(time) {
    const frame = this.frame(time), low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (const s of this.drawn) {
      if (!s.moves || s.shape === "plane") continue;
      const room = this.room(s, frame);
      s.args.forEach((a, i) => {
        if (!isPoint(a) || (s.shape === "arrow" && i > 0)) return;
        for (let k = 0; k < Math.min(3, a.n); k++) {
          const v = frame[a.first + k];
          if (v - room < low[k]) low[k] = v - room;
          if (v + room > high[k]) high[k] = v + room;
        }
      });
    }
    const size = low.map((v, k) => (high[k] >= v ? high[k] - v : 0));
    return { middle: low.map((v, k) => (high[k] >= v ? (v + high[k]) / 2 : 0)), size: Math.hypot(...size) };
  }

  // Where what moves is small beside the way it goes, the view can go with it.
  lookCloser() {
    const [a, b] = [this.data.t[0], this.data.t[this.data.n - 1]];
    let most = 0;
    for (let k = 0; k <= 24; k++) most = Math.max(most, this.moving(a + ((b - a) * k) / 24).size || 0);
    this.near = most;
    this.canFollow = most > 0 && most < 0.4 * this.size;
    const hits = this.data.about.events.kinds.includes("impact"); // one wants to see what is hit
    this.show.follow = !hits && most > 0 && most < 0.12 * this.size;
  }

  get follows() { return this.show.follow && this.canFollow; }

  // One pointer turns or moves the picture, two magnify it.
  listen() {
    const c = this.canvas, held = new Map();
    const apart = () => { const [a, b] = held.values(); return Math.hypot(a.x - b.x, a.y - b.y) || 1; };
    c.addEventListener("pointerdown", (e) => {
      c.setPointerCapture(e.pointerId);
      held.set(e.pointerId, { x: e.offsetX, y: e.offsetY, pan: e.shiftKey || e.button === 2 || e.button === 1 });
    });
    c.addEventListener("pointermove", (e) => {
      const from = held.get(e.pointerId);
      if (!from || !e.buttons) return;
      const before = held.size === 2 ? apart() : 0, dx = e.offsetX - from.x, dy = e.offsetY - from.y;
      from.x = e.offsetX;
      from.y = e.offsetY;
      if (held.size === 2) this.magnify(apart() / before);
      else this.view.drag(dx, dy, from.pan);
      this.report.draw();
    });
    const drop = (e) => held.delete(e.pointerId);
    c.addEventListener("pointerup", drop);
    c.addEventListener("pointercancel", drop);
    c.addEventListener("contextmenu", (e) => e.preventDefault());
    c.addEventListener("dblclick", () => this.home());
    c.addEventListener("wheel", (e) => {
      if (this.fallback || !(e.ctrlKey || document.activeElement === c)) return;
      e.preventDefault();
      this.magnify(Math.exp(-e.deltaY * 0.0015));
    }, { passive: false });
  }

  magnify(f) {
    this.view.magnify(f);
    this.report.draw();
  }

  home() {
    this.view.home();
    this.report.draw();
  }

  resize(width, height) {
    this.w = width;
    this.h = height;
  }

  // All numbers at a time, linear between rows; rows of one instant are never mixed. They are good
  // until the next time is asked for.
  frame(time) {
    const { t, n } = this.data, i = rowAt(t, time), out = this.now;
    const next = Math.min(i + 1, n - 1), span = t[next] - t[i];
    const f = span > 0 ? Math.min(1, Math.max(0, (time - t[i]) / span)) : 0;
    for (let k = 0; k < out.length; k++) {
      const a = this.columns[k][i];
      out[k] = f > 0 ? a + f * (this.columns[k][next] - a) : a;
    }
    return out;
  }

  points(s, frame) {
    return s.spots.map((a) => Array.from(frame.subarray(a.first, a.first + a.n)));
  }

  word(s, word, frame) {
    const a = s.args.find((x) => x.word === word);
    return a ? Array.from(frame.subarray(a.first, a.first + a.n)) : null;
  }

  colour(s, th) {
    return s.live ? th.curve[s.rank ?? 0] : th.ground;
  }

  ghostStep() {
    const [a, b] = this.report.view;
    return (b - a) / 60;
  }

  // Where points were in the last fifth of the run, fading. `put` projects a point to pixels.
  trails(ctx, th, time, put) {
    const { t, n } = this.data, to = rowAt(t, time);
    const from = rowAt(t, time - 0.2 * (this.report.span[1] - this.report.span[0]));
    if (n < 2 || to - from < 1) return;
    const every = Math.max(1, Math.floor((to - from) / MOST_TRAIL)), pixel = [0, 0];
    ctx.lineWidth = 1.4;
    for (const s of this.drawn) {
      if (!s.trail) continue;
      const a = s.spots.at(-1), x = this.columns[a.first], y = this.columns[a.first + 1], z = a.n > 2 ? this.columns[a.first + 2] : null;
      ctx.strokeStyle = this.colour(s, th);
      for (let k = 0; k < TRAIL_PARTS; k++) {
        const first = from + Math.floor(((to - from) * k) / TRAIL_PARTS), last = from + Math.floor(((to - from) * (k + 1)) / TRAIL_PARTS);
        let px = NaN, py = NaN;
        ctx.globalAlpha = 0.08 + 0.5 * ((k + 1) / TRAIL_PARTS) ** 1.5;
        ctx.beginPath();
        for (let i = first; i <= last; i += every) {
          put(x[i], y[i], z ? z[i] : 0, pixel);
          if (i === first) ctx.moveTo(pixel[0], pixel[1]);
          else if (Math.abs(pixel[0] - px) + Math.abs(pixel[1] - py) > 1 || i + every > last) ctx.lineTo(pixel[0], pixel[1]);
          else continue; // not a pixel further
          [px, py] = pixel;
        }
        ctx.stroke();
      }
    }
    ctx.globalAlpha = 1;
  }

  // The last point of a line leaves a trail unless another shape sits on it.
  leavesTrail(s) {
    if (!s.moves || !s.spots.length || ["text", "arrow", "spring", "plane"].includes(s.shape)) return false;
    const a = s.spots.at(-1), same = (b, k) => this.columns[b.first + k] === this.columns[a.first + k];
    return !(s.shape === "line" && s.spots.length > 1) || !this.drawn.some((o) => o !== s && o.moves && o.spots.some((b) => same(b, 0) && same(b, 1)));
  }

  // Forces have a scale of their own: the largest usual one is a sixth of the picture, and less
  // where there are many.
  forces(ctx, th, frame, time) {
    if (!this.show.forces || !(this.forceMost > 0)) return;
    const part = 6 + this.crowd, scale = Math.min(this.w, this.h) / part / this.forceMost;
    const put = (a, v) => {
      const size = Math.hypot(...v) * scale, most = this.h / (this.crowd > 0 ? 5 : 3), cut = size > most ? most / size : 1;
      if (!(size > 1.5)) return;
      const [from, to] = this.view.ends(a, v, scale * cut);
      arrow(ctx, th.force, from, to, this.crowd > 0);
      ctx.beginPath(); ctx.arc(from[0], from[1], this.crowd > 0 ? 1.6 : 2.4, 0, 2 * Math.PI); ctx.fill(); // where it acts
    };
    for (const s of this.shapes) if (s.force) put(...this.points(s, frame));
    this.data.meetings.each(this.data.t, rowAt(this.data.t, time), time, put);
  }

  paint(ctx, th, time) {
    ctx.clearRect(0, 0, this.w, this.h);
    this.view.aim(time);
    this.view.still(ctx, th);
    this.view.paint(ctx, th, time);
  }

  // What stands still is painted once and kept, as long as it is seen from the same place.
  // A page that has no room at the moment (a hidden frame, a window folded up) paints nothing.
  render(th) {
    if (!(this.w > 0 && this.h > 0)) return;
    const ctx = fitCanvas(this.canvas, this.w, this.h), { time } = this.report;
    this.view.aim(time);
    const key = this.view.seenFrom(), kept = this.kept;
    if (!kept || kept.th !== th || kept.w !== this.w || kept.h !== this.h || key.some((v, k) => v !== kept.key[k])) {
      this.base = this.base || document.createElement("canvas");
      const below = fitCanvas(this.base, this.w, this.h);
      below.clearRect(0, 0, this.w, this.h);
      this.view.still(below, th);
      this.kept = { th, w: this.w, h: this.h, key };
    }
    ctx.clearRect(0, 0, this.w, this.h);
    ctx.drawImage(this.base, 0, 0, this.w, this.h);
    this.view.paint(ctx, th, time);
  }

  svg(th) {
    const ctx = new SvgContext(this.w, this.h);
    this.paint(ctx, th, this.report.time);
    return ctx.text(th.card);
  }
}
