// SPDX-License-Identifier: MIT
// Parts of pictures: joints, springs, arrows.

export function joints(ctx, th, p) {
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

export function zigzag(ctx, th, a, b) {
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

export function arrow(ctx, colour, a, b, thin = false) {
  const dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy);
  if (!(length > 1)) return;
  const head = Math.min(thin ? 6 : 9, length * 0.6), ux = dx / length, uy = dy / length;
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.lineWidth = thin ? 1.6 : 2.2;
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
