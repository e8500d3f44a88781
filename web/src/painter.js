// SPDX-License-Identifier: MIT
// One way to draw, two surfaces: a canvas, or the text of an SVG file. The SVG surface has the part
// of CanvasRenderingContext2D that the pictures here use.

// A canvas has a pixel at least: one without any can neither be copied nor saved.
export function pixels(length, ratio) { return Math.max(1, Math.round(length * ratio)); }

export function fitCanvas(canvas, width, height) {
  const ratio = Math.min(3, window.devicePixelRatio || 1);
  const w = pixels(width, ratio), h = pixels(height, ratio);
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = width + "px";
    canvas.style.height = height + "px";
  }
  const ctx = canvas.getContext("2d");
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  return ctx;
}

const short = (x) => String(Math.round(x * 100) / 100);
const escape = (s) => s.replace(/[<>&"']/g, (c) => `&#${c.charCodeAt(0)};`);

export class SvgContext {
  constructor(width, height) {
    this.size = [width, height];
    this.out = [];
    this.stack = [];
    this.m = [1, 0, 0, 1, 0, 0];
    this.path = "";
    this.clips = 0;
    this.clipId = null;
    Object.assign(this, { fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, globalAlpha: 1,
      font: "12px sans-serif", textAlign: "left", textBaseline: "alphabetic", dash: [],
      lineCap: "butt", lineJoin: "miter" });
  }

  save() {
    const { fillStyle, strokeStyle, lineWidth, globalAlpha, font, textAlign, textBaseline, dash,
      lineCap, lineJoin, clipId } = this;
    this.stack.push({ fillStyle, strokeStyle, lineWidth, globalAlpha, font, textAlign, textBaseline,
      dash, lineCap, lineJoin, clipId, m: this.m.slice() });
  }

  restore() { Object.assign(this, this.stack.pop()); }
  setLineDash(d) { this.dash = d; }

  transform(a, b, c, d, e, f) {
    const m = this.m;
    this.m = [m[0] * a + m[2] * b, m[1] * a + m[3] * b, m[0] * c + m[2] * d, m[1] * c + m[3] * d,
      m[0] * e + m[2] * f + m[4], m[1] * e + m[3] * f + m[5]];
  }

  translate(x, y) { this.transform(1, 0, 0, 1, x, y); }
  scale(x, y) { this.transform(x, 0, 0, y, 0, 0); }
  rotate(a) { this.transform(Math.cos(a), Math.sin(a), -Math.sin(a), Math.cos(a), 0, 0); }

  at(x, y) {
    const m = this.m;
    return short(m[0] * x + m[2] * y + m[4]) + " " + short(m[1] * x + m[3] * y + m[5]);
  }

  beginPath() { this.path = ""; }
  closePath() { this.path += "Z"; }
  moveTo(x, y) { this.path += "M" + this.at(x, y); }
  lineTo(x, y) { this.path += (this.path ? "L" : "M") + this.at(x, y); }

  rect(x, y, w, h) {
    this.moveTo(x, y); this.lineTo(x + w, y); this.lineTo(x + w, y + h); this.lineTo(x, y + h);
    this.closePath();
  }

  arc(x, y, r, from, to) {
    const n = Math.max(4, Math.ceil(Math.abs(to - from) * 8));
    for (let i = 0; i <= n; i++) {
      const a = from + ((to - from) * i) / n;
      const px = x + r * Math.cos(a), py = y + r * Math.sin(a);
      if (i === 0) this.moveTo(px, py); else this.lineTo(px, py);
    }
  }

  clip() {
    const id = "c" + ++this.clips;
    this.out.push(`<clipPath id="${id}"><path d="${this.path}"/></clipPath>`);
    this.clipId = id;
  }

  put(attributes) {
    const clip = this.clipId ? ` clip-path="url(#${this.clipId})"` : "";
    const alpha = this.globalAlpha < 1 ? ` opacity="${short(this.globalAlpha)}"` : "";
    if (this.path) this.out.push(`<path d="${this.path}"${attributes}${alpha}${clip}/>`);
  }

  fill() { this.put(` fill="${escape(String(this.fillStyle))}"`); }

  stroke() {
    const scale = Math.hypot(this.m[0], this.m[1]);
    const dash = this.dash.length ? ` stroke-dasharray="${this.dash.join(" ")}"` : "";
    this.put(` fill="none" stroke="${escape(String(this.strokeStyle))}"` +
      ` stroke-width="${short(this.lineWidth * scale)}" stroke-linecap="${this.lineCap}"` +
      ` stroke-linejoin="${this.lineJoin}"${dash}`);
  }

  fillRect(x, y, w, h) {
    const kept = this.path;
    this.path = "";
    this.rect(x, y, w, h);
    this.fill();
    this.path = kept;
  }

  strokeRect(x, y, w, h) {
    const kept = this.path;
    this.path = "";
    this.rect(x, y, w, h);
    this.stroke();
    this.path = kept;
  }

  clearRect() {}

  measureText(text) {
    const size = Number(/(\d+(\.\d+)?)px/.exec(this.font)?.[1] ?? 12);
    return { width: text.length * size * 0.55 };
  }

  fillText(text, x, y) {
    const size = Number(/(\d+(\.\d+)?)px/.exec(this.font)?.[1] ?? 12);
    const family = this.font.replace(/^.*px\s*/, "");
    const weight = /^(bold|600|500)/.test(this.font) ? ' font-weight="600"' : "";
    const anchor = { left: "start", start: "start", center: "middle", right: "end", end: "end" };
    const down = this.textBaseline === "middle" ? 0.35 * size : this.textBaseline === "top" ? 0.8 * size : 0;
    const m = this.m.map((v) => Math.round(v * 1000) / 1000);
    this.out.push(`<text transform="matrix(${m.join(" ")})" x="${short(x)}" y="${short(y + down)}"` +
      ` fill="${escape(String(this.fillStyle))}" font-size="${size}"${weight}` +
      ` font-family="${escape(family)}" text-anchor="${anchor[this.textAlign]}">${escape(text)}</text>`);
  }

  createRadialGradient() { return { addColorStop: (_, c) => { this.last = c; }, toString: () => this.last }; }

  text(background) {
    const [w, h] = this.size;
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}">` +
      `<rect width="${w}" height="${h}" fill="${escape(background)}"/>${this.out.join("\n")}</svg>\n`;
  }
}
