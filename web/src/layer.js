// SPDX-License-Identifier: MIT
// A picture over an axis: what does not move is painted once and kept, the cursor lies above it.
import { tickText, ticks } from "./format.js";
import { fitCanvas, SvgContext } from "./painter.js";

export class Layer {
  constructor(report, label) {
    this.report = report;
    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = -1;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", label);
  }

  // The range of the axis; subclasses have `box`, `paint` and `cursor`.
  range() { return this.report.view; }

  toX(v) { const b = this.box, [a, z] = this.range(); return b.x + ((v - a) / (z - a)) * b.w; }
  timeAt(px) { const b = this.box, [a, z] = this.range(); return a + ((px - b.x) / b.w) * (z - a); }

  // Lines across the box, and numbers below it that stay on the picture.
  xTicks(ctx, th, below, gap) {
    const b = this.box, { list, step } = ticks(...this.range(), Math.max(2, b.w / 90));
    ctx.font = `11px ${th.sans}`;
    ctx.textAlign = "center";
    ctx.textBaseline = "top";
    ctx.lineWidth = 1;
    for (const v of list) {
      const x = Math.round(this.toX(v)) + 0.5, text = tickText(v, step), half = ctx.measureText(text).width / 2;
      ctx.strokeStyle = th.line;
      ctx.beginPath(); ctx.moveTo(x, b.y); ctx.lineTo(x, b.y + b.h + below); ctx.stroke();
      ctx.fillStyle = th.soft;
      ctx.fillText(text, Math.min(x, this.w - half - 3), b.y + b.h + gap);
    }
  }

  render(th) {
    const ctx = fitCanvas(this.canvas, this.w, this.h);
    const key = [this.w, this.h, ...this.range(), th.paper, th.ink].join();
    if (this.key !== key) {
      this.base = this.base || document.createElement("canvas");
      this.paint(fitCanvas(this.base, this.w, this.h), th);
      this.key = key;
    }
    ctx.save();
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, this.canvas.width, this.canvas.height);
    ctx.drawImage(this.base, 0, 0);
    ctx.restore();
    this.cursor(ctx, th);
  }

  svg(th) {
    const ctx = new SvgContext(this.w, this.h);
    this.paint(ctx, th);
    return ctx.text(th.card);
  }
}
