// SPDX-License-Identifier: MIT
// The animation: the shapes of the `draw` lines at an instant, in the plane or in space.
import { rowAt } from "./data.js";
import { FlatView } from "./flat.js";
import { fitCanvas, SvgContext } from "./painter.js";
import { RailView } from "./rails.js";
import { rangeOf } from "./range.js";
import { SolidView } from "./solid.js";
import { arrow } from "./strokes.js";

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
    const forces = this.shapes.filter((s) => s.force);
    this.hasForces = forces.length > 0;
    this.drawn = this.shapes.filter((s) => !s.force);
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
    return { ...d, index, moves, force };
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
    for (const s of this.drawn) {
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
    this.forceMost = 0;
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

  // What moves, at an instant: its middle and its size.
  moving(time) {
    const frame = this.frame(time), low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (const s of this.drawn) {
      if (!s.moves || s.shape === "plane") continue;
      const room = Math.max(0, ...(this.word(s, "radius", frame) || []), ...(this.word(s, "size", frame) || []).map((v) => v / 2));
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

  // All numbers at a time, linear between rows; rows of one instant are never mixed.
  frame(time) {
    const { t, n } = this.data, i = rowAt(t, time), out = new Float64Array(this.columns.length);
    const next = Math.min(i + 1, n - 1), span = t[next] - t[i];
    const f = span > 0 ? Math.min(1, Math.max(0, (time - t[i]) / span)) : 0;
    for (let k = 0; k < out.length; k++) {
      const a = this.columns[k][i];
      out[k] = f > 0 ? a + f * (this.columns[k][next] - a) : a;
    }
    return out;
  }

  points(s, frame) {
    return s.args.filter(isPoint).map((a) => Array.from(frame.subarray(a.first, a.first + a.n)));
  }

  word(s, word, frame) {
    const a = s.args.find((x) => x.word === word);
    return a ? Array.from(frame.subarray(a.first, a.first + a.n)) : null;
  }

  colour(s, th) {
    return s.moves ? th.curve[this.drawn.filter((d) => d.moves).indexOf(s) % 8] : th.ground;
  }

  ghostStep() {
    const [a, b] = this.report.view;
    return (b - a) / 60;
  }

  trails(ctx, th, time, px) {
    const { t, n } = this.data, to = rowAt(t, time);
    const from = rowAt(t, time - 0.2 * (this.report.span[1] - this.report.span[0]));
    if (n < 2 || to - from < 1) return;
    for (const s of this.drawn) {
      if (!s.moves || s.shape === "text" || s.shape === "arrow" || s.shape === "spring") continue;
      const list = s.args.filter(isPoint), a = list[list.length - 1];
      if (s.shape === "line" && list.length > 1 && !this.freeEnd(s)) continue;
      const every = Math.max(1, Math.floor((to - from) / 600)), parts = 6;
      ctx.strokeStyle = this.colour(s, th);
      ctx.lineWidth = 1.4;
      for (let k = 0; k < parts; k++) {
        const i1 = from + Math.floor(((to - from) * k) / parts), i2 = from + Math.floor(((to - from) * (k + 1)) / parts);
        ctx.globalAlpha = 0.08 + 0.5 * ((k + 1) / parts) ** 1.5;
        ctx.beginPath();
        for (let i = i1; i <= i2; i += every) {
          const p = [];
          for (let c = 0; c < Math.min(3, a.n); c++) p.push(this.columns[a.first + c][i]);
          const q = px(p);
          if (i === i1) ctx.moveTo(q[0], q[1]); else ctx.lineTo(q[0], q[1]);
        }
        ctx.stroke();
      }
    }
    ctx.globalAlpha = 1;
  }

  // The last point of a line leaves a trail unless another shape sits on it.
  freeEnd(s) {
    const list = s.args.filter(isPoint), a = list[list.length - 1];
    return !this.drawn.some((o) => o !== s && o.moves && o.args.filter(isPoint).some((b) =>
      this.columns[b.first] === this.columns[a.first] && this.columns[b.first + 1] === this.columns[a.first + 1]));
  }

  // Forces have a scale of their own: the largest usual one is a sixth of the picture.
  forces(ctx, th, frame) {
    if (!this.show.forces || !(this.forceMost > 0)) return;
    const scale = Math.min(this.w, this.h) / 6 / this.forceMost;
    for (const s of this.shapes) {
      if (!s.force) continue;
      const [a, v] = this.points(s, frame), size = Math.hypot(...v) * scale;
      const cut = size > this.h / 3 ? this.h / 3 / size : 1;
      if (size > 1.5) arrow(ctx, th.force, ...this.view.ends(a, v, scale * cut));
    }
  }

  paint(ctx, th, time) {
    ctx.clearRect(0, 0, this.w, this.h);
    this.view.paint(ctx, th, time);
  }

  render(th) {
    this.paint(fitCanvas(this.canvas, this.w, this.h), th, this.report.time);
  }

  svg(th) {
    const ctx = new SvgContext(this.w, this.h);
    this.paint(ctx, th, this.report.time);
    return ctx.text(th.card);
  }
}
