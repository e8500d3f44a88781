// SPDX-License-Identifier: MIT
// Vectors, quaternions and a camera that orbits.

export const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const unitOf = (a) => { const n = Math.hypot(...a) || 1; return [a[0] / n, a[1] / n, a[2] / n]; };

// R(q) v with q = (s, x): v + 2 s x × v + 2 x × (x × v)
export function turn(q, v) {
  const x = [q[1], q[2], q[3]], c = cross(x, v), d = cross(x, c);
  return [v[0] + 2 * (q[0] * c[0] + d[0]), v[1] + 2 * (q[0] * c[1] + d[1]), v[2] + 2 * (q[0] * c[2] + d[2])];
}

// Two unit vectors across a normal.
export function frameOf(normal) {
  const n = unitOf(normal), a = unitOf(cross(Math.abs(n[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0], n));
  return [a, cross(n, a), n];
}

export class Camera {
  // across: the long side lies along y and should be seen from the side.
  constructor(centre, radius, across = false) {
    this.home = { centre, radius, across };
    this.reset();
  }

  reset() {
    this.azimuth = this.home.across ? -0.52 : -1.05;
    this.elevation = 0.32;
    this.zoom = 1;
    this.target = this.home.centre.slice();
  }

  preset(k) { // along -y, from above, along -x, at an angle
    [this.azimuth, this.elevation] = [[-Math.PI / 2, 0], [-Math.PI / 2, Math.PI / 2 - 1e-3], [0, 0], [-1.05, 0.32]][k];
  }

  aim(w, h, closer = 1) {
    const ce = Math.cos(this.elevation), se = Math.sin(this.elevation);
    const out = [ce * Math.cos(this.azimuth), ce * Math.sin(this.azimuth), se];
    this.out = out;
    this.right = [-Math.sin(this.azimuth), Math.cos(this.azimuth), 0];
    this.up = cross(out, this.right);
    this.distance = (3.4 * this.home.radius) / (this.zoom * closer);
    this.focal = 1.45 * Math.min(w, h * 1.25);
    this.cx = w / 2;
    this.cy = h / 2;
  }

  project(p) {
    const r = add(p, this.target, -1), depth = Math.max(this.distance - dot(r, this.out), this.distance * 0.02);
    const s = this.focal / depth;
    return [this.cx + dot(r, this.right) * s, this.cy - dot(r, this.up) * s, depth, s];
  }
}
