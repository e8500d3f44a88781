// SPDX-License-Identifier: MIT
// The animation: the shapes of the `draw` lines at an instant, in the plane or in space.
import { clean, number, ticks } from "./format.js";
import { rowAt } from "./data.js";
import { fitCanvas, SvgContext } from "./painter.js";
import { add, Camera, dot, frameOf, turn, unitOf } from "./space.js";
import { boundsOf, rangeOf } from "./range.js";

const isPoint = (a) => a.word === "" && a.n >= 2;

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
        for (let k = 0; k < Math.min(a.n, 3); k++) include(a.first + k, k, room);
      });
    }
    for (let k = 0; k < 3; k++) if (!(low[k] <= high[k])) { low[k] = 0; high[k] = 0; }
    this.low = low;
    this.high = high;
    const size = Math.hypot(...low.map((v, k) => high[k] - v)) || 1;
    const centre = low.map((v, k) => (v + high[k]) / 2);
    this.size = size;
    this.camera = new Camera(centre, size / 2);
    this.flat = { x: centre[0], y: centre[1], zoom: 1 };
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

  listen() {
    const c = this.canvas;
    let grabbed = null;
    const pointers = new Map();
    c.addEventListener("pointerdown", (e) => {
      pointers.set(e.pointerId, [e.offsetX, e.offsetY]);
      c.setPointerCapture(e.pointerId);
      grabbed = { x: e.offsetX, y: e.offsetY, pan: e.shiftKey || e.button === 2 || e.button === 1 };
    });
    c.addEventListener("pointermove", (e) => {
      if (!grabbed || !e.buttons || this.fallback) return;
      const dx = e.offsetX - grabbed.x, dy = e.offsetY - grabbed.y;
      grabbed.x = e.offsetX;
      grabbed.y = e.offsetY;
      if (this.space && !grabbed.pan) {
        this.camera.azimuth -= dx * 0.008;
        this.camera.elevation = Math.max(-1.5, Math.min(1.57, this.camera.elevation + dy * 0.008));
      } else if (this.space) {
        const s = this.camera.distance / this.camera.focal;
        this.camera.target = add(add(this.camera.target, this.camera.right, -dx * s), this.camera.up, dy * s);
      } else {
        this.flat.x -= dx / this.scale;
        this.flat.y += dy / this.scale;
      }
      this.report.draw();
    });
    const drop = (e) => { pointers.delete(e.pointerId); grabbed = null; };
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
    const held = this.space ? this.camera : this.flat;
    held.zoom = Math.max(0.05, Math.min(200, held.zoom * f));
    this.report.draw();
  }

  home() {
    if (this.fallback) return;
    this.camera.reset();
    this.flat = { x: this.camera.home.centre[0], y: this.camera.home.centre[1], zoom: 1 };
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

  // ---- in the plane ----

  plane(ctx, th, time) {
    const margin = 34, w = this.w - 2 * margin, h = this.h - 2 * margin;
    const sx = this.high[0] - this.low[0], sy = this.high[1] - this.low[1];
    const fit = Math.min(w / Math.max(sx, sy * 0.02, 1e-300), h / Math.max(sy, sx * 0.02, 1e-300));
    const follows = this.show.follow && this.canFollow;
    if (follows) {
      const { middle } = this.moving(time);
      [this.flat.x, this.flat.y] = middle;
    }
    this.scale = (follows ? Math.min(w, h) / (this.near * 2.2) : fit) * this.flat.zoom;
    this.px = (p) => [this.w / 2 + (p[0] - this.flat.x) * this.scale, this.h / 2 - (p[1] - this.flat.y) * this.scale];
    this.grid(ctx, th);
    if (this.show.trails) this.trails(ctx, th, time, (p) => this.px(p));
    if (this.show.ghosts) {
      for (let k = 6; k >= 1; k--) {
        const at = time - (k * this.ghostStep());
        if (at < this.data.t[0]) continue;
        ctx.globalAlpha = 0.32 * (1 - k / 7);
        const frame = this.frame(at);
        for (const s of this.drawn) if (s.moves) this.flatShape(ctx, th, s, frame);
      }
      ctx.globalAlpha = 1;
    }
    this.grounds(ctx, th);
    const frame = this.frame(time);
    for (const s of this.drawn) if (!s.moves) this.flatShape(ctx, th, s, frame);
    for (const s of this.drawn) if (s.moves) this.flatShape(ctx, th, s, frame);
    if (this.show.forces) for (const s of this.shapes) if (s.force) this.forceArrow(ctx, th, s, frame);
    this.scaleBar(ctx, th);
  }

  ghostStep() {
    const [a, b] = this.report.view;
    return (b - a) / 60;
  }

  grid(ctx, th) {
    const x1 = this.flat.x - this.w / 2 / this.scale, x2 = this.flat.x + this.w / 2 / this.scale;
    const y1 = this.flat.y - this.h / 2 / this.scale, y2 = this.flat.y + this.h / 2 / this.scale;
    const step = ticks(x1, x2, this.w / 70).step;
    ctx.strokeStyle = th.line;
    ctx.lineWidth = 1;
    ctx.globalAlpha = 0.55;
    ctx.beginPath();
    for (let v = Math.ceil(x1 / step) * step, k = 0; v <= x2 && k < 200; v += step, k++) {
      const [x] = this.px([v, 0]);
      ctx.moveTo(Math.round(x) + 0.5, 0); ctx.lineTo(Math.round(x) + 0.5, this.h);
    }
    for (let v = Math.ceil(y1 / step) * step, k = 0; v <= y2 && k < 200; v += step, k++) {
      const [, y] = this.px([0, v]);
      ctx.moveTo(0, Math.round(y) + 0.5); ctx.lineTo(this.w, Math.round(y) + 0.5);
    }
    ctx.stroke();
    ctx.globalAlpha = 1;
  }

  scaleBar(ctx, th) {
    const list = ticks(0, this.w / 4 / this.scale, 1).step;
    const length = list * this.scale > this.w / 3 ? list / 2 : list;
    const x = this.w - 18, y = this.h - 16, px = length * this.scale;
    ctx.strokeStyle = th.soft;
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    ctx.moveTo(x - px, y - 3); ctx.lineTo(x - px, y + 3); ctx.moveTo(x - px, y); ctx.lineTo(x, y);
    ctx.moveTo(x, y - 3); ctx.lineTo(x, y + 3);
    ctx.stroke();
    ctx.fillStyle = th.soft;
    ctx.font = `11px ${th.sans}`;
    ctx.textAlign = "center";
    ctx.textBaseline = "alphabetic";
    ctx.fillText(number(length, 3) + (this.report.lengthUnit ? " " + this.report.lengthUnit : ""), x - px / 2, y - 7);
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

  flatShape(ctx, th, s, frame) {
    const p = this.points(s, frame).map((q) => this.px(q));
    if (p.some((q) => Number.isNaN(q[0]) || Number.isNaN(q[1]))) return;
    const colour = this.colour(s, th);
    const area = () => {
      const alpha = ctx.globalAlpha;
      ctx.fillStyle = colour;
      ctx.globalAlpha = alpha * (s.moves ? 0.22 : 0.12);
      ctx.fill();
      ctx.globalAlpha = alpha;
      ctx.strokeStyle = colour;
      ctx.lineWidth = 2;
      ctx.stroke();
    };
    ctx.lineJoin = "round";
    ctx.lineCap = "round";
    ctx.beginPath();
    switch (s.shape) {
      case "line":
        p.forEach(([x, y], i) => (i ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
        ctx.strokeStyle = s.moves ? th.body : th.ground;
        ctx.lineWidth = s.moves ? 3 : 2;
        ctx.stroke();
        if (s.moves && p.length > 2) this.joints(ctx, th, p);
        break;
      case "polygon":
        p.forEach(([x, y], i) => (i ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
        ctx.closePath();
        area();
        break;
      case "circle":
        ctx.arc(p[0][0], p[0][1], Math.max(2, Math.abs(this.word(s, "radius", frame)[0]) * this.scale), 0, 2 * Math.PI);
        area();
        break;
      case "box": {
        const [w, h] = this.word(s, "size", frame), a = this.word(s, "angle", frame)?.[0] ?? 0;
        const ca = Math.cos(a), sa = Math.sin(a);
        [[-1, -1], [1, -1], [1, 1], [-1, 1]].forEach(([i, k], j) => {
          const dx = ((i * w) / 2) * this.scale, dy = ((k * h) / 2) * this.scale;
          const x = p[0][0] + ca * dx - sa * dy, y = p[0][1] - (sa * dx + ca * dy);
          if (j) ctx.lineTo(x, y); else ctx.moveTo(x, y);
        });
        ctx.closePath();
        area();
        break;
      }
      case "point":
        ctx.arc(p[0][0], p[0][1], 5, 0, 2 * Math.PI);
        ctx.fillStyle = colour;
        ctx.fill();
        break;
      case "spring": this.zigzag(ctx, th, p[0], p[1]); break;
      case "arrow": {
        const [a, v] = this.points(s, frame);
        this.arrow(ctx, colour, this.px(a), this.px([a[0] + v[0], a[1] + v[1]]));
        break;
      }
      case "text":
        ctx.fillStyle = th.ink;
        ctx.font = `13px ${th.sans}`;
        ctx.textAlign = "left";
        ctx.textBaseline = "middle";
        ctx.fillText(clean(s.args.find((a) => a.text !== undefined)?.text, 80), p[0][0], p[0][1]);
        break;
    }
    ctx.lineCap = "butt";
  }

  joints(ctx, th, p) {
    for (const [x, y] of p) {
      ctx.beginPath();
      ctx.arc(x, y, 3.6, 0, 2 * Math.PI);
      ctx.fillStyle = th.card;
      ctx.strokeStyle = th.body;
      ctx.lineWidth = 2;
      ctx.fill();
      ctx.stroke();
    }
  }

  // One-sided constraints on a coordinate, in a picture that the model did not draw.
  grounds(ctx, th) {
    if (this.data.about.auto > 0) return;
    for (const c of this.data.by.q) {
      const level = /^y(\d*|\[\d+\])$/.test(c.name), wall = /^x(\d*|\[\d+\])$/.test(c.name);
      if (!level && !wall) continue;
      for (const v of boundsOf(this.data, c)) {
        const [x, y] = this.px(wall ? [v, 0] : [0, v]), [a, b] = rangeOf([c.x]), side = v < (a + b) / 2 ? 1 : -1;
        ctx.strokeStyle = th.ground;
        ctx.lineWidth = 2;
        ctx.beginPath();
        if (wall) { ctx.moveTo(x, 0); ctx.lineTo(x, this.h); } else { ctx.moveTo(0, y); ctx.lineTo(this.w, y); }
        ctx.stroke();
        ctx.lineWidth = 1;
        ctx.globalAlpha = 0.5;
        ctx.beginPath();
        for (let k = 0; k < (wall ? this.h : this.w); k += 9) {
          if (wall) { ctx.moveTo(x, k); ctx.lineTo(x - side * 8, k + 8); } else { ctx.moveTo(k, y); ctx.lineTo(k - 8, y + side * 8); }
        }
        ctx.stroke();
        ctx.globalAlpha = 1;
      }
    }
  }

  zigzag(ctx, th, a, b) {
    const dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy) || 1, n = 12;
    const nx = (-dy / length) * 6, ny = (dx / length) * 6;
    ctx.strokeStyle = th.soft;
    ctx.lineWidth = 1.8;
    ctx.beginPath();
    ctx.moveTo(a[0], a[1]);
    for (let k = 0; k <= n; k++) {
      const f = 0.15 + (0.7 * k) / n, side = k === 0 || k === n ? 0 : k % 2 ? 1 : -1;
      ctx.lineTo(a[0] + dx * f + nx * side, a[1] + dy * f + ny * side);
    }
    ctx.lineTo(b[0], b[1]);
    ctx.stroke();
  }

  arrow(ctx, colour, a, b) {
    const dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy);
    if (!(length > 1)) return;
    const head = Math.min(9, length * 0.6), ux = dx / length, uy = dy / length;
    ctx.strokeStyle = colour;
    ctx.fillStyle = colour;
    ctx.lineWidth = 2.2;
    ctx.beginPath();
    ctx.moveTo(a[0], a[1]); ctx.lineTo(b[0] - ux * head * 0.8, b[1] - uy * head * 0.8);
    ctx.stroke();
    ctx.beginPath();
    ctx.moveTo(b[0], b[1]);
    ctx.lineTo(b[0] - ux * head - uy * head * 0.45, b[1] - uy * head + ux * head * 0.45);
    ctx.lineTo(b[0] - ux * head + uy * head * 0.45, b[1] - uy * head - ux * head * 0.45);
    ctx.closePath();
    ctx.fill();
  }

  // Forces have a scale of their own: the largest usual one is a sixth of the picture.
  forceArrow(ctx, th, s, frame) {
    if (!(this.forceMost > 0)) return;
    const [a, v] = this.points(s, frame);
    const scale = (Math.min(this.w, this.h) / 6) / this.forceMost;
    const size = Math.hypot(...v) * scale, cut = size > this.h / 3 ? this.h / 3 / size : 1;
    if (!(size > 1.5)) return;
    const from = this.space ? this.camera.project(a) : this.px(a);
    let to;
    if (this.space) {
      const far = this.camera.project(add(a, v, (scale * cut) / from[3]));
      to = far;
    } else {
      to = [from[0] + v[0] * scale * cut, from[1] - v[1] * scale * cut];
    }
    this.arrow(ctx, th.force, from, to);
  }

  // ---- in space ----

  lit(colour, normal) {
    const light = unitOf([-0.4, -0.5, 0.9]);
    return { colour, shade: 0.55 + 0.45 * Math.max(0, dot(normal, light)) };
  }

  inSpace(ctx, th, time) {
    const cam = this.camera;
    if (this.show.follow && this.canFollow) cam.target = this.moving(time).middle;
    cam.aim(this.w, this.h, this.show.follow && this.canFollow ? this.size / (this.near * 1.6) : 1);
    this.floor(ctx, th);
    if (this.show.trails) this.trails(ctx, th, time, (p) => cam.project(p.length === 3 ? p : [...p, 0]));
    const items = [];
    if (this.show.ghosts) {
      for (let k = 5; k >= 1; k--) {
        const at = time - k * this.ghostStep();
        if (at >= this.data.t[0]) {
          const frame = this.frame(at);
          for (const s of this.drawn) if (s.moves) this.solid(items, th, s, frame, 0.25 * (1 - k / 6));
        }
      }
    }
    const frame = this.frame(time);
    for (const s of this.drawn) this.solid(items, th, s, frame, 1);
    items.sort((a, b) => b.depth - a.depth);
    for (const item of items) {
      ctx.globalAlpha = item.alpha;
      item.draw(ctx);
    }
    ctx.globalAlpha = 1;
    if (this.show.forces) for (const s of this.shapes) if (s.force) this.forceArrow(ctx, th, s, frame);
    this.axes3(ctx, th);
  }

  floor(ctx, th) {
    if (this.drawn.some((s) => s.shape === "plane")) return;
    this.patch(ctx, th, [this.camera.home.centre[0], this.camera.home.centre[1], this.low[2]], [0, 0, 1], 0.5);
  }

  patch(ctx, th, at, normal, alpha) {
    const [a, b] = frameOf(normal), size = this.size * 0.6;
    const c = this.camera.home.centre, off = dot(add(c, at, -1), unitOf(normal));
    const middle = add(c, unitOf(normal), -off);
    const n = 10;
    ctx.strokeStyle = th.faint;
    ctx.globalAlpha = alpha;
    ctx.lineWidth = 1;
    ctx.beginPath();
    for (let k = -n; k <= n; k++) {
      const f = (k / n) * size;
      for (const [u, v] of [[a, b], [b, a]]) {
        const p = this.camera.project(add(add(middle, u, f), v, -size));
        const q = this.camera.project(add(add(middle, u, f), v, size));
        ctx.moveTo(p[0], p[1]); ctx.lineTo(q[0], q[1]);
      }
    }
    ctx.stroke();
    ctx.globalAlpha = 1;
  }

  solid(items, th, s, frame, alpha) {
    const cam = this.camera, colour = this.colour(s, th);
    const pts = this.points(s, frame).map((p) => (p.length === 2 ? [...p, 0] : p));
    if (pts.some((p) => p.some(Number.isNaN))) return;
    const put = (depth, draw) => items.push({ depth, draw, alpha });
    const poly = (list, fill, stroke, shade = 1) => {
      const q = list.map((p) => cam.project(p)), depth = q.reduce((d, p) => d + p[2], 0) / q.length;
      put(depth, (ctx) => {
        ctx.beginPath();
        q.forEach((p, i) => (i ? ctx.lineTo(p[0], p[1]) : ctx.moveTo(p[0], p[1])));
        ctx.closePath();
        if (fill) {
          const kept = ctx.globalAlpha;
          ctx.fillStyle = th.card;
          ctx.fill();
          ctx.globalAlpha = kept * (0.25 + 0.6 * shade);
          ctx.fillStyle = fill;
          ctx.fill();
          ctx.globalAlpha = kept;
        }
        ctx.strokeStyle = stroke;
        ctx.lineWidth = 1.1;
        ctx.lineJoin = "round";
        ctx.stroke();
      });
    };
    const stroke = (list, style, width) => {
      for (let i = 1; i < list.length; i++) {
        const a = cam.project(list[i - 1]), b = cam.project(list[i]);
        put(((a[2] + b[2]) / 2) * 0.999, (ctx) => { // before a face that it lies in
          ctx.strokeStyle = style;
          ctx.lineWidth = width;
          ctx.lineCap = "round";
          ctx.beginPath(); ctx.moveTo(a[0], a[1]); ctx.lineTo(b[0], b[1]); ctx.stroke();
          ctx.lineCap = "butt";
        });
      }
    };
    switch (s.shape) {
      case "line": stroke(pts, s.moves ? th.body : th.ground, s.moves ? 3 : 2); break;
      case "polygon": poly(pts, colour, colour, 0.6); break;
      case "plane": put(1e300, (ctx) => this.patch(ctx, th, pts[0], pts[1], 0.7)); break;
      case "point": case "text": {
        const q = cam.project(pts[0]), text = s.args.find((a) => a.text !== undefined)?.text;
        put(q[2], (ctx) => {
          ctx.fillStyle = s.shape === "text" ? th.ink : colour;
          if (s.shape === "text") {
            ctx.font = `13px ${th.sans}`;
            ctx.fillText(clean(text, 80), q[0], q[1]);
            return;
          }
          ctx.beginPath(); ctx.arc(q[0], q[1], 5, 0, 2 * Math.PI); ctx.fill();
        });
        break;
      }
      case "spring": {
        const a = cam.project(pts[0]), b = cam.project(pts[1]);
        put((a[2] + b[2]) / 2, (ctx) => this.zigzag(ctx, th, a, b));
        break;
      }
      case "arrow": {
        const a = cam.project(pts[0]), b = cam.project(add(pts[0], pts[1]));
        put(Math.min(a[2], b[2]), (ctx) => this.arrow(ctx, colour, a, b));
        break;
      }
      case "circle": {
        const r = this.word(s, "radius", frame)[0];
        poly(ring(pts[0], [1, 0, 0], [0, 1, 0], r, 40), colour, colour, 0.4);
        break;
      }
      case "sphere": this.ball(put, th, colour, pts[0], this.word(s, "radius", frame)[0]); break;
      case "box": this.brick(poly, colour, th, pts[0], this.word(s, "size", frame)); break;
      case "cylinder": this.drum(poly, colour, th, pts[0], this.word(s, "size", frame)); break;
    }
  }

  ball(put, th, colour, body, r) {
    const q = body.slice(3), centre = body.slice(0, 3), cam = this.camera;
    const c = cam.project(centre), size = Math.max(3, r * c[3]);
    put(c[2], (ctx) => {
      const kept = ctx.globalAlpha;
      const g = ctx.createRadialGradient(c[0] - size * 0.35, c[1] - size * 0.4, size * 0.1, c[0], c[1], size);
      g.addColorStop(0, th.dark ? "#d8ecf8" : "#ffffff");
      g.addColorStop(1, colour);
      ctx.beginPath(); ctx.arc(c[0], c[1], size, 0, 2 * Math.PI);
      ctx.fillStyle = th.card; ctx.fill();
      ctx.fillStyle = g; ctx.fill();
      ctx.strokeStyle = colour;
      ctx.lineWidth = 1.2;
      ctx.stroke();
      ctx.strokeStyle = th.dark ? th.paper : th.ink;
      ctx.globalAlpha = kept * 0.6;
      ctx.lineWidth = 1.4;
      for (const [u, v] of [[[1, 0, 0], [0, 1, 0]], [[0, 1, 0], [0, 0, 1]]]) {
        let open = false;
        ctx.beginPath();
        for (let k = 0; k <= 48; k++) { // the half of the great circle that faces us
          const a = (k / 48) * 2 * Math.PI;
          const d = turn(q, add(u.map((x) => x * Math.cos(a)), v, Math.sin(a)));
          const p = cam.project(add(centre, d, r));
          if (dot(d, cam.out) < 0) { open = false; continue; }
          if (open) ctx.lineTo(p[0], p[1]); else ctx.moveTo(p[0], p[1]);
          open = true;
        }
        ctx.stroke();
      }
      ctx.globalAlpha = kept;
    });
  }

  brick(poly, colour, th, body, size) {
    const q = body.slice(3), c = body.slice(0, 3);
    for (let axis = 0; axis < 3; axis++) {
      for (const side of [-1, 1]) {
        const u = (axis + 1) % 3, v = (axis + 2) % 3;
        const corner = (a, b) => {
          const p = [0, 0, 0];
          p[axis] = (side * size[axis]) / 2;
          p[u] = (a * size[u]) / 2;
          p[v] = (b * size[v]) / 2;
          return add(c, turn(q, p));
        };
        const n = [0, 0, 0];
        n[axis] = side;
        const normal = turn(q, n);
        const face = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
        if (this.faces(face[0], normal)) poly(face, colour, colour, this.lit(colour, normal).shade);
      }
    }
  }

  faces(point, normal) {
    const eye = add(this.camera.target, this.camera.out, this.camera.distance);
    return dot(normal, add(eye, point, -1)) > 0;
  }

  drum(poly, colour, th, body, [r, h]) {
    const q = body.slice(3), c = body.slice(0, 3), n = 28;
    const at = (k, z) => add(c, turn(q, [r * Math.cos((2 * Math.PI * k) / n), r * Math.sin((2 * Math.PI * k) / n), z]));
    for (let k = 0; k < n; k++) {
      const a = (2 * Math.PI * (k + 0.5)) / n, normal = turn(q, [Math.cos(a), Math.sin(a), 0]);
      const face = [at(k, -h / 2), at(k + 1, -h / 2), at(k + 1, h / 2), at(k, h / 2)];
      if (this.faces(face[0], normal)) poly(face, colour, colour, this.lit(colour, normal).shade);
    }
    for (const side of [-1, 1]) {
      const normal = turn(q, [0, 0, side]), face = [];
      for (let k = 0; k < n; k++) face.push(at(k, (side * h) / 2));
      if (this.faces(face[0], normal)) {
        poly(face, colour, colour, this.lit(colour, normal).shade);
        poly([add(c, turn(q, [0, 0, (side * h) / 2])), at(0, (side * h) / 2)], null, th.ink);
      }
    }
  }

  axes3(ctx, th) {
    const at = [44, this.h - 40];
    ctx.font = `11px ${th.sans}`;
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    [["x", [1, 0, 0]], ["y", [0, 1, 0]], ["z", [0, 0, 1]]].forEach(([name, v]) => {
      const x = at[0] + dot(v, this.camera.right) * 24, y = at[1] - dot(v, this.camera.up) * 24;
      ctx.strokeStyle = th.soft;
      ctx.lineWidth = 1.3;
      ctx.beginPath(); ctx.moveTo(at[0], at[1]); ctx.lineTo(x, y); ctx.stroke();
      ctx.fillStyle = th.soft;
      ctx.fillText(name, at[0] + (x - at[0]) * 1.4, at[1] + (y - at[1]) * 1.4);
    });
  }

  // ---- without shapes: every coordinate on its own axis ----

  rails(ctx, th, time) {
    const { q } = this.data.by, { t, n } = this.data;
    const list = q.slice(0, 12), i = rowAt(t, time), next = Math.min(i + 1, n - 1);
    const f = t[next] > t[i] ? (time - t[i]) / (t[next] - t[i]) : 0;
    const step = Math.min(64, (this.h - 30) / Math.max(1, list.length));
    const left = 96, right = this.w - 90;
    list.forEach((c, k) => {
      const y = (this.h - step * list.length) / 2 + (k + 0.5) * step;
      const [a, b] = rangeOf([c.x]), span = b > a ? b - a : 1;
      const toX = (v) => left + ((v - a) / span) * (right - left) * (b > a ? 1 : 0) + (b > a ? 0 : (right - left) / 2);
      const value = c.x[i] + f * (c.x[next] - c.x[i]);
      ctx.strokeStyle = th.faint;
      ctx.lineWidth = 2;
      ctx.beginPath(); ctx.moveTo(left, y); ctx.lineTo(right, y); ctx.stroke();
      if (this.show.trails) {
        ctx.strokeStyle = th.curve[k % 8];
        ctx.globalAlpha = 0.4;
        ctx.lineWidth = 6;
        const from = rowAt(t, time - 0.05 * (this.report.span[1] - this.report.span[0]));
        const [lo, hi] = rangeOf([c.x], from, i + 1);
        ctx.beginPath(); ctx.moveTo(toX(lo), y); ctx.lineTo(toX(hi), y); ctx.stroke();
        ctx.globalAlpha = 1;
      }
      ctx.fillStyle = th.curve[k % 8];
      ctx.beginPath(); ctx.arc(toX(value), y, 8, 0, 2 * Math.PI); ctx.fill();
      ctx.fillStyle = th.ink;
      ctx.font = `500 13px ${th.sans}`;
      ctx.textBaseline = "middle";
      ctx.textAlign = "right";
      ctx.fillText(clean(c.name, 12), left - 16, y);
      ctx.fillStyle = th.soft;
      ctx.textAlign = "left";
      ctx.font = `12px ${th.mono}`;
      ctx.fillText(number(value, 4), right + 16, y);
    });
  }

  paint(ctx, th, time) {
    ctx.clearRect(0, 0, this.w, this.h);
    if (this.fallback) this.rails(ctx, th, time);
    else if (this.space) this.inSpace(ctx, th, time);
    else this.plane(ctx, th, time);
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

function ring(centre, u, v, r, n) {
  const out = [];
  for (let k = 0; k < n; k++) {
    const a = (2 * Math.PI * k) / n;
    out.push(add(add(centre, u, r * Math.cos(a)), v, r * Math.sin(a)));
  }
  return out;
}
