// SPDX-License-Identifier: MIT
// A picture over an axis: what does not move is painted once; the cursor is an element above it, so
// that a frame of the animation paints nothing here.
import { el } from "./dom.js";
import { axisText, ticks, tickTexts } from "./format.js";
import { fitCanvas, SvgContext } from "./painter.js";

const FEWEST = 3; // numbers at an axis

// Widths of texts, known before anything is painted.
let ruler = null;
export function textWidth(text, font) {
  ruler = ruler || document.createElement("canvas").getContext("2d");
  ruler.font = font;
  return ruler.measureText(text).width;
}

export class Layer {
  constructor(report, label) {
    this.report = report;
    this.canvas = el("canvas", { tabindex: -1, role: "img", "aria-label": label });
    this.line = el("i", { class: "cursor" });
    this.element = el("div", { class: "layer" }, this.canvas, this.line);
  }

  // The range of the axis; subclasses have `box`, `paint` and `cursor`.
  range() { return this.report.view; }

  toX(v) { const b = this.box, [a, z] = this.range(); return b.x + ((v - a) / (z - a)) * b.w; }
  timeAt(px) { const b = this.box, [a, z] = this.range(); return a + ((px - b.x) / b.w) * (z - a); }

  // Lines across the box, numbers below it that stay on the picture, and what they mean.
  xTicks(ctx, th, below, gap, name, unit) {
    const b = this.box, { list, step } = ticks(...this.range(), Math.max(2, b.w / 90), b.w > 60 * FEWEST ? FEWEST : 1);
    const { texts, power } = tickTexts(list, step);
    ctx.font = `11px ${th.sans}`;
    ctx.textAlign = "center";
    ctx.textBaseline = "top";
    ctx.lineWidth = 1;
    list.forEach((v, i) => {
      const x = Math.round(this.toX(v)) + 0.5, half = ctx.measureText(texts[i]).width / 2;
      ctx.strokeStyle = th.line;
      ctx.beginPath(); ctx.moveTo(x, b.y); ctx.lineTo(x, b.y + b.h + below); ctx.stroke();
      ctx.fillStyle = th.soft;
      ctx.fillText(texts[i], Math.min(x, this.w - half - 3), b.y + b.h + gap);
    });
    return axisText(name, unit, power);
  }

  yTicks() {
    return ticks(...this.yRange, Math.max(2, this.box.h / 36), FEWEST);
  }

  // A new theme is a new object; so are sizes and ranges compared, and no style is asked.
  render(th) {
    const [a, z] = this.range(), was = this.painted, { printed } = this.report;
    if (!was || printed || was.th !== th || was.a !== a || was.z !== z || was.w !== this.w || was.h !== this.h) {
      const ctx = fitCanvas(this.canvas, this.w, this.h);
      this.paint(ctx, th);
      if (printed && this.hasTime) this.printCursor(ctx, th);
      this.painted = printed ? null : { th, a, z, w: this.w, h: this.h };
    }
    this.cursor(th);
  }

  printCursor(ctx, th) {
    const b = this.box, x = this.toX(this.report.time);
    ctx.fillStyle = th.cursor;
    if (x >= b.x - 1 && x <= b.x + b.w + 1) ctx.fillRect(x - 0.5, b.y - 4, 1, b.h + 4);
  }

  // Puts an element of the cursor to a place of the picture, or away.
  put(element, x, y, shown) {
    const place = shown ? `translate(${Math.round(x * 4) / 4}px,${Math.round(y * 4) / 4}px)` : "scale(0)";
    if (element.place !== place) {
      element.place = place;
      element.style.transform = place;
    }
  }

  putLine(top, height) {
    const b = this.box, x = this.toX(this.report.time);
    if (this.line.tall !== height) {
      this.line.tall = height;
      this.line.style.height = `${height}px`;
    }
    this.put(this.line, x, top, x >= b.x - 1 && x <= b.x + b.w + 1);
  }

  svg(th) {
    const ctx = new SvgContext(this.w, this.h);
    this.paint(ctx, th);
    return ctx.text(th.card);
  }
}
