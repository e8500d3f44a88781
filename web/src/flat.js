// SPDX-License-Identifier: MIT
// The animation in the plane.
import { clean, number, ticks } from "./format.js";
import { boundsOf, rangeOf } from "./range.js";
import { arrow, joints, zigzag } from "./strokes.js";

const RAISED = 9; // pixels, above the bar that tells the scale

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
    return [this.scene.w / 2 + (p[0] - this.eye.x) * this.scale, this.scene.h / 2 - RAISED - (p[1] - this.eye.y) * this.scale];
  }

  // Of an arrow at a, `scale` pixels long for each unit of v.
  ends(a, v, scale) {
    const [x, y] = this.px(a);
    return [[x, y], [x + v[0] * scale, y - v[1] * scale]];
  }

  aim(time) {
    const { scene } = this, margin = 34, w = scene.w - 2 * margin, h = scene.h - 2 * margin;
    const wide = scene.high[0] - scene.low[0], high = scene.high[1] - scene.low[1], most = Math.max(wide, high) || 1;
    const fit = Math.min(w / Math.max(wide, most * 0.02), h / Math.max(high, most * 0.02));
    if (scene.follows) [this.eye.x, this.eye.y] = scene.moving(time).middle;
    this.scale = (scene.follows ? Math.min(w, h) / (scene.near * 2.2) : fit) * this.eye.zoom;
  }

  seenFrom() { return [this.eye.x, this.eye.y, this.scale]; }

  still(ctx, th) {
    const frame = this.scene.frame(this.scene.data.t[0]);
    this.grid(ctx, th);
    this.grounds(ctx, th);
    for (const s of this.scene.drawn) if (!s.moves) this.shape(ctx, th, s, frame);
    this.scaleBar(ctx, th);
  }

  paint(ctx, th, time) {
    const { scene } = this;
    const put = (x, y, z, out) => { [out[0], out[1]] = this.px([x, y]); };
    if (scene.show.trails) scene.trails(ctx, th, time, put);
    if (scene.show.ghosts) {
      for (let k = 6; k >= 1; k--) {
        const at = time - (k * scene.ghostStep());
        if (at < scene.data.t[0]) continue;
        ctx.globalAlpha = 0.32 * (1 - k / 7);
        const frame = scene.frame(at);
        for (const s of scene.drawn) if (s.moves) this.shape(ctx, th, s, frame);
      }
      ctx.globalAlpha = 1;
    }
    const frame = scene.frame(time);
    for (const s of scene.drawn) if (s.moves) this.shape(ctx, th, s, frame);
    scene.forces(ctx, th, frame, time);
  }

  grid(ctx, th) {
    const x1 = this.eye.x - this.scene.w / 2 / this.scale, x2 = this.eye.x + this.scene.w / 2 / this.scale;
    const y1 = this.eye.y - (this.scene.h / 2 + RAISED) / this.scale, y2 = this.eye.y + this.scene.h / 2 / this.scale;
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
    ctx.globalAlpha = 0.85;
    ctx.fillStyle = th.card;
    ctx.fillRect(x - px - 4, y - 20, px + 8, 26);
    ctx.globalAlpha = 1;
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
      ctx.globalAlpha = alpha * (s.live ? 0.22 : 0.12);
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
        ctx.strokeStyle = s.live ? th.body : th.ground;
        ctx.lineWidth = s.live ? 3 : 2;
        ctx.stroke();
        if (s.live && p.length > 2 && !isClosed(p)) joints(ctx, th, p);
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
      case "plane": {
        const [at, normal] = this.scene.points(s, frame);
        this.wall(ctx, th, this.px(at), normal);
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
    this.walls = this.walls || this.findWalls();
    for (const { at, normal } of this.walls) this.wall(ctx, th, this.px(at), normal);
  }

  findWalls() {
    const { data } = this.scene, out = [];
    if (data.about.auto > 0 || this.scene.drawn.some((s) => s.shape === "plane")) return out;
    for (const c of data.by.q) {
      const level = /^y(\d*|\[\d+\])$/.test(c.name), side = /^x(\d*|\[\d+\])$/.test(c.name);
      for (const v of level || side ? boundsOf(data, c) : []) {
        const [a, b] = rangeOf([c.x]), free = v < (a + b) / 2 ? 1 : -1;
        const at = side ? [v, 0] : [0, v], normal = side ? [free, 0] : [0, free];
        if (!out.some((w) => w.at.join() === at.join() && w.normal.join() === normal.join())) out.push({ at, normal });
      }
    }
    return out;
  }

  // All of a straight wall that is in sight, hatched on the side away from its normal.
  wall(ctx, th, [x, y], normal) {
    const size = Math.hypot(normal[0], normal[1]), reach = this.scene.w + this.scene.h;
    if (!(size > 0)) return;
    const nx = normal[0] / size, ny = -normal[1] / size, tx = -ny, ty = nx;
    const middle = (this.scene.w / 2 - x) * tx + (this.scene.h / 2 - y) * ty, cx = x + middle * tx, cy = y + middle * ty;
    const whole = ctx.globalAlpha;
    ctx.strokeStyle = th.ground;
    ctx.lineWidth = 2;
    ctx.beginPath(); ctx.moveTo(cx - reach * tx, cy - reach * ty); ctx.lineTo(cx + reach * tx, cy + reach * ty); ctx.stroke();
    ctx.lineWidth = 1;
    ctx.globalAlpha = whole * 0.5;
    ctx.beginPath();
    for (let k = -reach; k < reach; k += 9) {
      ctx.moveTo(cx + k * tx, cy + k * ty); ctx.lineTo(cx + (k - 8) * tx - 8 * nx, cy + (k - 8) * ty - 8 * ny);
    }
    ctx.stroke();
    ctx.globalAlpha = whole;
  }
}
