// SPDX-License-Identifier: MIT
// Curves against time (strips) and against each other (portraits), on a canvas or as SVG.
import { clean, poweredUnit, tickTexts } from "./format.js";
import { rowAt } from "./data.js";
import { el } from "./dom.js";
import { Layer, textWidth } from "./layer.js";
import { rangeOf } from "./range.js";

// Some room above and below; a constant gets room by its own size.
function widen([low, high]) {
  const size = Math.max(Math.abs(low), Math.abs(high));
  const span = high - low > size * 1e-9 ? high - low : size > 0 ? size : 1;
  const middle = (low + high) / 2, half = Math.max((high - low) / 2, span / 2);
  return [middle - half * 1.08, middle + half * 1.08];
}

const PAD = { left: 62, right: 20, top: 26, bottom: 30 };
const MOST_DOTS = 12; // curves with a dot at the cursor

export class Plot extends Layer {
  // curves: { name, y, x?, unit }; options: { title, yUnit, xUnit, xName, time: bool, bounds: [] }
  constructor(report, options) {
    super(report, clean(options.title || options.curves.map((c) => c.name).join(", "), 120));
    Object.assign(this, { bounds: [], height: 190 }, options);
    this.portrait = !this.time;
    this.hasTime = this.time;
    this.left = PAD.left;
    this.dots = this.stems ? [] : this.curves.slice(0, MOST_DOTS).map(() => el("i", { class: "dot" }));
    this.element.append(...this.dots);
    this.line.hidden = this.portrait;
    const drag = (e) => this.report.seek(this.timeAt(e.offsetX));
    if (this.time) {
      this.canvas.addEventListener("pointerdown", (e) => {
        this.canvas.setPointerCapture(e.pointerId);
        drag(e);
      });
      this.canvas.addEventListener("pointermove", (e) => { if (e.buttons & 1) drag(e); });
    } else {
      this.canvas.addEventListener("pointerdown", (e) => this.seekNear(e.offsetX, e.offsetY));
    }
    this.yRange = widen(rangeOf(this.curves.map((c) => c.y)));
    if (!this.time) {
      this.xRange = widen(rangeOf(this.curves.map((c) => c.x)));
      this.setBounds(this.bounds);
    }
  }

  setBounds(list) {
    this.bounds = list;
    for (const b of list) {
      if (b < this.xRange[0] || b > this.xRange[1]) {
        this.xRange = widen(rangeOf([[b, this.xRange[0], this.xRange[1]]]));
      }
    }
  }

  get box() {
    return { x: this.left, y: PAD.top, w: this.w - this.left - PAD.right, h: this.h - PAD.top - PAD.bottom };
  }

  // Room that the numbers beside the axis need.
  leftNeeded(th) {
    const { list, step } = this.yTicks(), font = `11px ${th.sans}`, { texts, power } = tickTexts(list, step);
    const widths = [...texts, poweredUnit(this.yUnit, power)].map((text) => textWidth(text, font));
    return Math.max(PAD.left, Math.min(Math.ceil(Math.max(...widths)) + 14, this.w / 3));
  }

  range() { return this.time ? super.range() : this.xRange; }

  resize(width) {
    this.w = Math.max(200, width);
    this.h = this.portrait ? Math.min(Math.max(240, width * 0.72), 380) : this.height;
  }

  toY(v) { const b = this.box, [a, z] = this.yRange; return b.y + b.h - ((v - a) / (z - a)) * b.h; }

  seekNear(px, py) {
    const c = this.curves[0];
    let best = 0, least = Infinity;
    for (let i = 0; i < c.y.length; i++) {
      const d = Math.hypot(this.toX(c.x[i]) - px, this.toY(c.y[i]) - py);
      if (d < least) { least = d; best = i; }
    }
    this.report.seek(this.report.data.t[best]);
  }

  axes(ctx, th) {
    const b = this.box;
    ctx.font = `11px ${th.sans}`;
    ctx.lineWidth = 1;
    const yt = this.yTicks(), { texts, power } = tickTexts(yt.list, yt.step);
    ctx.textAlign = "right";
    ctx.textBaseline = "middle";
    yt.list.forEach((v, i) => {
      const y = Math.round(this.toY(v)) + 0.5;
      ctx.strokeStyle = Math.abs(v) < yt.step * 1e-6 ? th.faint : th.line;
      ctx.beginPath(); ctx.moveTo(b.x, y); ctx.lineTo(b.x + b.w, y); ctx.stroke();
      ctx.fillStyle = th.soft;
      ctx.fillText(texts[i], b.x - 7, y);
    });
    ctx.fillText(poweredUnit(this.yUnit, power), b.x - 7, 13); // above the axis that it belongs to
    const below = this.time ? this.xTicks(ctx, th, 0, 6, "t", "s") : this.xTicks(ctx, th, 0, 6, this.xName, this.xUnit);
    ctx.textAlign = "right";
    ctx.fillStyle = th.soft;
    ctx.fillText(below, b.x + b.w, b.y + b.h + 18);
  }

  legend(ctx, th) {
    const b = this.box;
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    ctx.font = `11px ${th.sans}`;
    let x = b.x;
    const widths = this.curves.map((c) => ctx.measureText(clean(c.name, 28)).width + 34);
    const shown = fitting(widths, b.w + 14);
    for (let i = 0; i < shown; i++) {
      ctx.strokeStyle = this.colour(i, th);
      ctx.lineWidth = 2.5;
      ctx.setLineDash(this.dashes(i));
      ctx.beginPath(); ctx.moveTo(x, 13); ctx.lineTo(x + 16, 13); ctx.stroke();
      ctx.setLineDash([]);
      ctx.fillStyle = th.ink;
      ctx.fillText(clean(this.curves[i].name, 28), x + 21, 13);
      x += widths[i];
    }
    if (shown < this.curves.length) {
      ctx.fillStyle = th.soft;
      ctx.fillText(`and ${this.curves.length - shown} more`, x, 13);
    }
  }

  colour(i, th) { return this.curves[i].colour ? th[this.curves[i].colour] : th.curve[i % 8]; }
  dashes(i) { return this.curves[i].dash || (i >= 8 ? [5, 3] : []); }

  // Whether a curve jumps at any instant that has two rows.
  everJumps(c) {
    const t = this.report.data.t;
    c.leaps ??= c.y.some((v, i) => i > 0 && t[i] === t[i - 1] && differs(c.y, i, this.yRange));
    return c.leaps;
  }

  // The rows at which a curve is broken: it jumps there, or it may have jumped since the row before.
  breaks(c) {
    const { t, broken } = this.report.data, left = this.report.data.about.rows.breaks.length > 0 && this.everJumps(c);
    return (i) => (t[i] === t[i - 1] ? differs(c.y, i, this.yRange) : left && broken[i] === 1);
  }

  // Against time: at most two points per pixel column, broken where two rows share a time. A point
  // between two breaks is a dot.
  strip(ctx, c, from, to) {
    const t = this.report.data.t, y = c.y, breaks = this.breaks(c);
    const perPixel = (to - from) / Math.max(1, this.box.w);
    let open = false;
    const point = (px, py) => {
      if (!open) ctx.moveTo(px - DOT / 2, py);
      ctx.lineTo(open ? px : px + DOT / 2, py);
      open = true;
    };
    ctx.beginPath();
    if (perPixel > 3) {
      // Of each pixel column the first, the extreme and the last point, in their order.
      let column = -1, kept = [];
      const flush = () => {
        for (const k of [...new Set(kept)].sort((a, b) => a - b)) point(this.toX(t[k]), this.toY(y[k]));
        kept = [];
      };
      for (let i = from; i <= to; i++) {
        const jump = i > from && breaks(i);
        const k = Math.floor(this.toX(t[i]) - this.box.x);
        if (jump || k !== column || Number.isNaN(y[i])) flush();
        if (jump || Number.isNaN(y[i])) open = false;
        column = k;
        if (Number.isNaN(y[i])) continue;
        if (kept.length === 0) kept = [i, i, i, i];
        if (y[i] < y[kept[1]]) kept[1] = i;
        if (y[i] > y[kept[2]]) kept[2] = i;
        kept[3] = i;
      }
      flush();
    } else {
      for (let i = from; i <= to; i++) {
        if (Number.isNaN(y[i])) { open = false; continue; }
        if (i > from && breaks(i)) open = false;
        point(this.toX(t[i]), this.toY(y[i]));
      }
    }
    ctx.stroke();
  }

  // Both sides of the jumps: hollow before, full after.
  sides(ctx, c, colour, from, to, th) {
    const t = this.report.data.t;
    const list = [];
    for (let i = from + 1; i <= to && list.length <= 60; i++) {
      if (t[i] === t[i - 1] && differs(c.y, i, this.yRange)) list.push(i);
    }
    if (list.length > 60) return;
    for (const i of list) {
      for (const k of [i - 1, i]) {
        ctx.beginPath();
        ctx.arc(this.toX(t[k]), this.toY(c.y[k]), 2.6, 0, 2 * Math.PI);
        ctx.fillStyle = k === i ? colour : th.card;
        ctx.strokeStyle = colour;
        ctx.lineWidth = 1.3;
        ctx.fill();
        ctx.stroke();
      }
    }
  }

  // Impulses: a line from zero, with a head.
  stem(ctx, c, colour) {
    const zero = this.toY(0);
    ctx.fillStyle = colour;
    ctx.lineWidth = 1.4;
    for (const e of c.list) {
      const x = this.toX(e.t), y = this.toY(e.impulse);
      if (x < this.box.x - 4 || x > this.box.x + this.box.w + 4) continue;
      ctx.beginPath(); ctx.moveTo(x, zero); ctx.lineTo(x, y); ctx.stroke();
      ctx.beginPath(); ctx.arc(x, y, 2.4, 0, 2 * Math.PI); ctx.fill();
    }
  }

  portraitCurve(ctx, c) {
    const t = this.report.data.t;
    let open = false, dashed = [];
    const every = Math.max(1, Math.floor(c.y.length / 20000)), breaks = this.breaks(c);
    ctx.beginPath();
    for (let i = 0; i < c.y.length; i += every) {
      const x = this.toX(c.x[i]), y = this.toY(c.y[i]);
      if (Number.isNaN(x) || Number.isNaN(y)) { open = false; continue; }
      if (i > 0 && every === 1 && t[i] === t[i - 1]) {
        dashed.push([this.toX(c.x[i - 1]), this.toY(c.y[i - 1]), x, y]);
        open = false;
      } else if (i > 0 && every === 1 && breaks(i)) {
        open = false;
      }
      if (open) ctx.lineTo(x, y); else ctx.moveTo(x, y);
      open = true;
    }
    ctx.stroke();
    if (dashed.length > 400) dashed = dashed.slice(0, 400);
    ctx.save();
    ctx.setLineDash([2, 3]);
    ctx.globalAlpha = 0.7;
    ctx.lineWidth = 1;
    ctx.beginPath();
    for (const [x1, y1, x2, y2] of dashed) { ctx.moveTo(x1, y1); ctx.lineTo(x2, y2); }
    ctx.stroke();
    ctx.restore();
  }

  // The side of a constraint that the motion may not enter, hatched.
  boundary(ctx, th) {
    const b = this.box;
    for (const v of this.bounds) {
      const x = this.toX(v);
      const all = this.curves[0].x, middle = (rangeOf([all])[0] + rangeOf([all])[1]) / 2;
      const side = v < middle ? -1 : 1;
      ctx.strokeStyle = th.ground;
      ctx.lineWidth = 1.5;
      ctx.beginPath(); ctx.moveTo(x, b.y); ctx.lineTo(x, b.y + b.h); ctx.stroke();
      ctx.lineWidth = 1;
      ctx.globalAlpha = 0.6;
      ctx.beginPath();
      for (let y = b.y + 6; y < b.y + b.h; y += 7) { ctx.moveTo(x, y); ctx.lineTo(x + side * 6, y - 6); }
      ctx.stroke();
      ctx.globalAlpha = 1;
    }
  }

  paint(ctx, th) {
    const b = this.box, t = this.report.data.t;
    ctx.clearRect(0, 0, this.w, this.h);
    this.axes(ctx, th);
    this.legend(ctx, th);
    ctx.save();
    ctx.beginPath();
    ctx.rect(b.x, b.y - 3, b.w, b.h + 6);
    ctx.clip();
    ctx.lineJoin = "round";
    const from = this.time ? Math.max(0, rowAt(t, this.range()[0]) - 1) : 0;
    const to = this.time ? Math.min(t.length - 1, rowAt(t, this.range()[1]) + 1) : 0;
    if (!this.time) this.boundary(ctx, th);
    this.curves.forEach((c, i) => {
      ctx.strokeStyle = this.colour(i, th);
      ctx.lineWidth = 1.6;
      ctx.setLineDash(this.dashes(i));
      if (this.stems) this.stem(ctx, c, this.colour(i, th));
      else if (this.time) this.strip(ctx, c, from, to);
      else this.portraitCurve(ctx, c);
      ctx.setLineDash([]);
      if (this.time && !this.stems) this.sides(ctx, c, this.colour(i, th), from, to, th);
    });
    ctx.restore();
  }

  cursor(th) {
    const b = this.box, row = this.report.row, at = this.report.data.t[row];
    if (this.time) this.putLine(b.y - 4, b.h + 4);
    this.dots.forEach((dot, i) => {
      const c = this.curves[i], x = this.toX(this.time ? at : c.x[row]), y = this.toY(c.y[row]);
      if (dot.theme !== th) {
        dot.theme = th;
        dot.style.background = this.colour(i, th);
      }
      this.put(dot, x, y, x >= b.x - 1 && x <= b.x + b.w + 1 && !Number.isNaN(y));
    });
  }
}

const DOT = 1; // length of a curve that is one point

// How many names stand side by side, with room for "and N more" where some are left out.
const MOST_NAMES = 8, MORE = 66;

function fitting(widths, room) {
  let used = 0, n = 0;
  for (; n < widths.length; n++) {
    const last = n === widths.length - 1 && n < MOST_NAMES;
    used += widths[n];
    if (n > 0 && (n >= MOST_NAMES || used + (last ? 0 : MORE) > room)) break;
  }
  return n;
}

function differs(y, i, range) {
  return Math.abs(y[i] - y[i - 1]) > (range[1] - range[0]) * 1e-6;
}
