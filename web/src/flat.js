// SPDX-License-Identifier: MIT
// The animation in the plane.
import { clean, number, ticks } from "./format.js";
import { boundsOf, rangeOf } from "./range.js";
import { arrow, joints, zigzag } from "./strokes.js";

const isClosed = (p) => p[0][0] === p.at(-1)[0] && p[0][1] === p.at(-1)[1];

export class FlatView {
  constructor(scene) {
    this.scene = scene;
    this.home();
  }

  home() { this.eye = { x: this.scene.centre[0], y: this.scene.centre[1], zoom: 1 }; }

  magnify(f) { this.eye.zoom = Math.max(0.05, Math.min(200, this.eye.zoom * f)); }

  drag(dx, dy) {
    this.eye.x -= dx / this.scale;
    this.eye.y += dy / this.scale;
  }

  px(p) {
    return [this.scene.w / 2 + (p[0] - this.eye.x) * this.scale, this.scene.h / 2 - (p[1] - this.eye.y) * this.scale];
  }

  // Of an arrow at a, `scale` pixels long for each unit of v.
  ends(a, v, scale) {
    const [x, y] = this.px(a);
    return [[x, y], [x + v[0] * scale, y - v[1] * scale]];
  }

  paint(ctx, th, time) {
    const margin = 34, w = this.scene.w - 2 * margin, h = this.scene.h - 2 * margin;
    const sx = this.scene.high[0] - this.scene.low[0], sy = this.scene.high[1] - this.scene.low[1];
    const fit = Math.min(w / Math.max(sx, sy * 0.02, 1e-300), h / Math.max(sy, sx * 0.02, 1e-300));
    if (this.scene.follows) [this.eye.x, this.eye.y] = this.scene.moving(time).middle;
    this.scale = (this.scene.follows ? Math.min(w, h) / (this.scene.near * 2.2) : fit) * this.eye.zoom;
    this.grid(ctx, th);
    if (this.scene.show.trails) this.scene.trails(ctx, th, time, (p) => this.px(p));
    if (this.scene.show.ghosts) {
      for (let k = 6; k >= 1; k--) {
        const at = time - (k * this.scene.ghostStep());
        if (at < this.scene.data.t[0]) continue;
        ctx.globalAlpha = 0.32 * (1 - k / 7);
        const frame = this.scene.frame(at);
        for (const s of this.scene.drawn) if (s.moves) this.shape(ctx, th, s, frame);
      }
      ctx.globalAlpha = 1;
    }
    this.grounds(ctx, th);
    const frame = this.scene.frame(time);
    for (const s of this.scene.drawn) if (!s.moves) this.shape(ctx, th, s, frame);
    for (const s of this.scene.drawn) if (s.moves) this.shape(ctx, th, s, frame);
    this.scene.forces(ctx, th, frame);
    this.scaleBar(ctx, th);
  }

  grid(ctx, th) {
    const x1 = this.eye.x - this.scene.w / 2 / this.scale, x2 = this.eye.x + this.scene.w / 2 / this.scale;
    const y1 = this.eye.y - this.scene.h / 2 / this.scale, y2 = this.eye.y + this.scene.h / 2 / this.scale;
    const step = ticks(x1, x2, this.scene.w / 70).step;
    ctx.strokeStyle = th.line;
    ctx.lineWidth = 1;
    ctx.globalAlpha = 0.55;
    ctx.beginPath();
    for (let v = Math.ceil(x1 / step) * step, k = 0; v <= x2 && k < 200; v += step, k++) {
      const [x] = this.px([v, 0]);
      ctx.moveTo(Math.round(x) + 0.5, 0); ctx.lineTo(Math.round(x) + 0.5, this.scene.h);
    }
    for (let v = Math.ceil(y1 / step) * step, k = 0; v <= y2 && k < 200; v += step, k++) {
      const [, y] = this.px([0, v]);
      ctx.moveTo(0, Math.round(y) + 0.5); ctx.lineTo(this.scene.w, Math.round(y) + 0.5);
    }
    ctx.stroke();
    ctx.globalAlpha = 1;
  }

  scaleBar(ctx, th) {
    const list = ticks(0, this.scene.w / 4 / this.scale, 1).step;
    const length = list * this.scale > this.scene.w / 3 ? list / 2 : list;
    const x = this.scene.w - 18, y = this.scene.h - 16, px = length * this.scale;
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
    ctx.fillText(number(length, 3) + (this.scene.report.lengthUnit ? " " + this.scene.report.lengthUnit : ""), x - px / 2, y - 7);
  }

  shape(ctx, th, s, frame) {
    const p = this.scene.points(s, frame).map((q) => this.px(q));
    if (p.some((q) => Number.isNaN(q[0]) || Number.isNaN(q[1]))) return;
    const colour = this.scene.colour(s, th);
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
        if (s.moves && p.length > 2 && !isClosed(p)) joints(ctx, th, p);
        break;
      case "polygon":
        p.forEach(([x, y], i) => (i ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
        ctx.closePath();
        area();
        break;
      case "circle":
        ctx.arc(p[0][0], p[0][1], Math.max(2, Math.abs(this.scene.word(s, "radius", frame)[0]) * this.scale), 0, 2 * Math.PI);
        area();
        break;
      case "box": {
        const [w, h] = this.scene.word(s, "size", frame), a = this.scene.word(s, "angle", frame)?.[0] ?? 0;
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
      case "spring": zigzag(ctx, th, p[0], p[1]); break;
      case "arrow": {
        const [a, v] = this.scene.points(s, frame);
        arrow(ctx, colour, this.px(a), this.px([a[0] + v[0], a[1] + v[1]]));
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

  // One-sided constraints on a coordinate, in a picture that the model did not draw.
  grounds(ctx, th) {
    if (this.scene.data.about.auto > 0) return;
    for (const c of this.scene.data.by.q) {
      const level = /^y(\d*|\[\d+\])$/.test(c.name), wall = /^x(\d*|\[\d+\])$/.test(c.name);
      if (!level && !wall) continue;
      for (const v of boundsOf(this.scene.data, c)) {
        const [x, y] = this.px(wall ? [v, 0] : [0, v]), [a, b] = rangeOf([c.x]), side = v < (a + b) / 2 ? 1 : -1;
        ctx.strokeStyle = th.ground;
        ctx.lineWidth = 2;
        ctx.beginPath();
        if (wall) { ctx.moveTo(x, 0); ctx.lineTo(x, this.scene.h); } else { ctx.moveTo(0, y); ctx.lineTo(this.scene.w, y); }
        ctx.stroke();
        ctx.lineWidth = 1;
        ctx.globalAlpha = 0.5;
        ctx.beginPath();
        for (let k = 0; k < (wall ? this.scene.h : this.scene.w); k += 9) {
          if (wall) { ctx.moveTo(x, k); ctx.lineTo(x - side * 8, k + 8); } else { ctx.moveTo(k, y); ctx.lineTo(k - 8, y + side * 8); }
        }
        ctx.stroke();
        ctx.globalAlpha = 1;
      }
    }
  }
}
