// SPDX-License-Identifier: MIT
// The animation without shapes: every coordinate on its own axis.
import { clean, number } from "./format.js";
import { rowAt } from "./data.js";
import { rangeOf } from "./range.js";

const MOST = 12; // coordinates shown

export class RailView {
  constructor(scene) {
    this.scene = scene;
    this.list = [...scene.data.by.q, ...scene.data.by.signal].slice(0, MOST);
    this.ranges = this.list.map((c) => rangeOf([c.x]));
  }

  home() {}
  magnify() {}
  drag() {}
  aim() {}
  seenFrom() { return []; }
  still() {}

  paint(ctx, th, time) {
    const { t, n } = this.scene.data, { list } = this, i = rowAt(t, time), next = Math.min(i + 1, n - 1);
    const f = t[next] > t[i] ? (time - t[i]) / (t[next] - t[i]) : 0;
    const step = Math.min(64, (this.scene.h - 30) / Math.max(1, list.length));
    const left = 96, right = this.scene.w - 90;
    list.forEach((c, k) => {
      const y = (this.scene.h - step * list.length) / 2 + (k + 0.5) * step;
      const [a, b] = this.ranges[k], span = b > a ? b - a : 1;
      const toX = (v) => left + ((v - a) / span) * (right - left) * (b > a ? 1 : 0) + (b > a ? 0 : (right - left) / 2);
      const value = c.x[i] + f * (c.x[next] - c.x[i]);
      ctx.strokeStyle = th.faint;
      ctx.lineWidth = 2;
      ctx.beginPath(); ctx.moveTo(left, y); ctx.lineTo(right, y); ctx.stroke();
      if (this.scene.show.trails) {
        ctx.strokeStyle = th.curve[k % 8];
        ctx.globalAlpha = 0.4;
        ctx.lineWidth = 6;
        const from = rowAt(t, time - 0.05 * (this.scene.report.span[1] - this.scene.report.span[0]));
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
}
