// SPDX-License-Identifier: MIT
// The animation in space: faces, lines and balls, painted from the farthest to the nearest.
import { clean } from "./format.js";
import { add, Camera, dot, frameOf, turn, unitOf } from "./space.js";
import { arrow, zigzag } from "./strokes.js";

const TIMES = 24, ROUNDS = 6;
const light = unitOf([-0.4, -0.5, 0.9]);
const shade = (normal) => 0.55 + 0.45 * Math.max(0, dot(normal, light));

export class SolidView {
  constructor(scene) {
    this.scene = scene;
    this.camera = new Camera(scene.centre, scene.size / 2, scene.high[1] - scene.low[1] > 1.4 * (scene.high[0] - scene.low[0]));
    this.walls = scene.drawn.filter((s) => s.shape === "plane" && !s.moves).map((s) => scene.points(s, scene.frame(scene.data.t[0])));
  }

  // Where things are in the course of the run, with the room that they take.
  spots() {
    const { scene } = this, [from, to] = [scene.data.t[0], scene.data.t[scene.data.n - 1]], out = [];
    for (let k = 0; k <= TIMES; k++) {
      const frame = scene.frame(from + ((to - from) * k) / TIMES);
      for (const s of scene.drawn) {
        if (s.shape === "plane" || s.shape === "text") continue;
        const room = scene.room(s, frame);
        const [first, ...rest] = scene.points(s, frame);
        for (const p of s.shape === "arrow" ? [first] : [first, ...rest]) if (p && !p.some(Number.isNaN)) out.push([[p[0], p[1], p[2] || 0], room]);
      }
    }
    return out;
  }

  // Of a room, which should be seen as one.
  corners() {
    return this.walls.length > 1 ? this.walls.flatMap((w) => this.outline(...w).out.map((p) => [p, 0])) : [];
  }

  // Moves the camera's first place so that all of it fills the picture. Perspective: a few rounds.
  fit() {
    const { scene, camera } = this, { w, h } = scene;
    if (this.fits?.w === w && this.fits?.h === h) return this.fits.closer;
    const probe = new Camera(camera.home.centre, camera.home.radius, camera.home.across), moved = camera.target.some((v, k) => v !== camera.home.centre[k]);
    this.seen ??= [...this.spots(), ...this.corners()];
    const spots = this.seen;
    let closer = 1;
    for (let k = 0; k < ROUNDS && spots.length; k++) {
      const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
      probe.aim(w, h, closer);
      for (const [p, room] of spots) {
        const [x, y, , s] = probe.project(p);
        [x, y].forEach((v, i) => { low[i] = Math.min(low[i], v - room * s); high[i] = Math.max(high[i], v + room * s); });
      }
      const pixel = probe.distance / probe.focal, dx = (low[0] + high[0]) / 2 - probe.cx, dy = (low[1] + high[1]) / 2 - probe.cy;
      const full = Math.max((high[0] - low[0]) / (0.86 * w), (high[1] - low[1]) / (0.74 * h));
      probe.target = add(add(probe.target, probe.right, dx * pixel), probe.up, -dy * pixel);
      if (!(full > 0)) break;
      closer = Math.max(0.5, Math.min(8, closer * (1 + 0.8 * (1 / full - 1))));
    }
    camera.home.centre = probe.target;
    if (!moved) camera.target = probe.target.slice();
    this.fits = { w, h, closer };
    return closer;
  }

  home() { this.camera.reset(); }

  magnify(f) { this.camera.zoom = Math.max(0.05, Math.min(200, this.camera.zoom * f)); }

  drag(dx, dy, pan) {
    const cam = this.camera;
    if (pan) {
      const s = cam.distance / cam.focal;
      cam.target = add(add(cam.target, cam.right, -dx * s), cam.up, dy * s);
    } else {
      cam.azimuth -= dx * 0.008;
      cam.elevation = Math.max(-1.5, Math.min(1.57, cam.elevation + dy * 0.008));
    }
  }

  // Of an arrow at a, `scale` pixels long for each unit of v that lies in the picture.
  ends(a, v, scale) {
    const from = this.camera.project(a);
    return [from, this.camera.project(add(a, v, scale / from[3]))];
  }

  aim(time) {
    const { scene, camera } = this;
    const closer = scene.follows ? scene.size / (scene.near * 1.6) : this.fit();
    if (scene.follows) camera.target = scene.moving(time).middle;
    camera.aim(scene.w, scene.h, closer);
  }

  seenFrom() {
    const { target, azimuth, elevation, distance } = this.camera;
    return [...target, azimuth, elevation, distance];
  }

  // Planes are behind all the rest; what stands still in space may hide what moves, and is sorted with it.
  still(ctx, th) {
    this.floor(ctx, th);
    for (const w of this.walls) this.patch(ctx, th, ...w, this.walls.length > 1 && Math.abs(unitOf(w[1])[2]) < 0.5 ? 0 : 0.7);
    this.axes(ctx, th);
  }

  paint(ctx, th, time) {
    const cam = this.camera;
    if (this.scene.show.trails) this.scene.trails(ctx, th, time, (x, y, z, out) => { [out[0], out[1]] = cam.project([x, y, z]); });
    const items = [];
    if (this.scene.show.ghosts) {
      for (let k = 5; k >= 1; k--) {
        const at = time - k * this.scene.ghostStep();
        if (at >= this.scene.data.t[0]) {
          const frame = this.scene.frame(at);
          for (const s of this.scene.drawn) if (s.moves) this.shape(items, th, s, frame, 0.25 * (1 - k / 6));
        }
      }
    }
    const frame = this.scene.frame(time);
    for (const s of this.scene.drawn) if (s.moves || s.shape !== "plane") this.shape(items, th, s, frame, 1);
    items.sort((a, b) => b.depth - a.depth);
    for (const item of items) {
      ctx.globalAlpha = item.alpha;
      item.draw(ctx);
    }
    ctx.globalAlpha = 1;
    this.scene.forces(ctx, th, frame, time);
  }

  floor(ctx, th) {
    if (this.scene.drawn.some((s) => s.shape === "plane")) return;
    this.patch(ctx, th, [this.scene.centre[0], this.scene.centre[1], this.scene.low[2]], [0, 0, 1], 0.5);
  }

  // A square of a plane around the middle, as far as the other planes and the picture's height let it go.
  outline(at, normal) {
    const { scene } = this, [a, b, n] = frameOf(normal), size = scene.size * 0.6;
    const middle = add(scene.centre, n, -dot(add(scene.centre, at, -1), n));
    let out = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([i, k]) => add(add(middle, a, i * size), b, k * size));
    const bounds = this.walls.filter((w) => w[0] !== at && Math.abs(dot(unitOf(w[1]), n)) < 0.999);
    if (this.walls.length > 1) bounds.push([[0, 0, scene.high[2] + 0.05 * scene.size], [0, 0, -1]], [[0, 0, scene.low[2] - 0.05 * scene.size], [0, 0, 1]]);
    for (const [p, d] of bounds) out = cut(out, p, d);
    return { out, middle, a, b, n, size };
  }

  // alpha: of the grid; 0: only a pane, filled where we look at its front.
  patch(ctx, th, at, normal, alpha) {
    const { out, middle, a, b, n, size } = this.outline(at, normal), steps = 10;
    if (out.length < 3) return;
    const kept = ctx.globalAlpha, line = (p, q) => { ctx.moveTo(p[0], p[1]); ctx.lineTo(q[0], q[1]); };
    ctx.save();
    ctx.beginPath();
    out.map((p) => this.camera.project(p)).forEach((p, i) => (i ? ctx.lineTo(p[0], p[1]) : ctx.moveTo(p[0], p[1])));
    ctx.closePath();
    ctx.fillStyle = th.faint;
    ctx.globalAlpha = kept * (this.faces(middle, n) ? 0.16 : 0);
    ctx.fill();
    ctx.globalAlpha = kept * (this.faces(middle, n) ? 0.8 : 0.35);
    ctx.strokeStyle = th.faint;
    ctx.lineWidth = 1;
    ctx.stroke();
    if (alpha > 0) {
      ctx.clip();
      ctx.globalAlpha = kept * alpha;
      ctx.beginPath();
      for (let k = -steps; k <= steps; k++) {
        for (const [u, v] of [[a, b], [b, a]]) {
          const from = add(middle, u, (k / steps) * size);
          line(this.camera.project(add(from, v, -size)), this.camera.project(add(from, v, size)));
        }
      }
      ctx.stroke();
    }
    ctx.restore();
  }

  shape(items, th, s, frame, alpha) {
    const cam = this.camera, colour = this.scene.colour(s, th);
    const pts = this.scene.points(s, frame).map((p) => (p.length === 2 ? [...p, 0] : p));
    if (pts.some((p) => p.some(Number.isNaN))) return;
    const put = (depth, draw) => items.push({ depth, draw, alpha });
    const poly = (list, fill, stroke, shade = 1, line = 1.1) => {
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
        ctx.lineWidth = line;
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
      case "line": stroke(pts, s.live ? th.body : th.ground, s.live ? 3 : 2); break;
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
        put((a[2] + b[2]) / 2, (ctx) => zigzag(ctx, th, a, b));
        break;
      }
      case "arrow": {
        const a = cam.project(pts[0]), b = cam.project(add(pts[0], pts[1]));
        put(Math.min(a[2], b[2]), (ctx) => arrow(ctx, colour, a, b));
        break;
      }
      case "circle": {
        const r = this.scene.word(s, "radius", frame)[0];
        poly(ring(pts[0], [1, 0, 0], [0, 1, 0], r, 40), colour, colour, 0.4);
        break;
      }
      case "sphere": this.ball(put, th, colour, pts[0], this.scene.word(s, "radius", frame)[0]); break;
      case "box": this.brick(poly, colour, th, pts[0], this.scene.word(s, "size", frame)); break;
      case "cylinder": this.drum(poly, colour, th, pts[0], this.scene.word(s, "size", frame)); break;
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
        if (this.faces(face[0], normal)) poly(face, colour, colour, shade(normal));
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
      if (this.faces(face[0], normal)) poly(face, colour, colour, shade(normal), 0.35);
    }
    for (const side of [-1, 1]) {
      const normal = turn(q, [0, 0, side]), face = [];
      for (let k = 0; k < n; k++) face.push(at(k, (side * h) / 2));
      if (this.faces(face[0], normal)) {
        poly(face, colour, colour, shade(normal));
        poly([add(c, turn(q, [0, 0, (side * h) / 2])), at(0, (side * h) / 2)], null, th.ink);
      }
    }
  }

  axes(ctx, th) {
    const at = [44, this.scene.h - 40];
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
}

// The part of a polygon on the side of a plane that its normal points to.
function cut(polygon, at, normal) {
  const out = [], over = (p) => dot(add(p, at, -1), normal);
  polygon.forEach((p, i) => {
    const q = polygon[(i + 1) % polygon.length], a = over(p), b = over(q);
    if (a >= 0) out.push(p);
    if (a * b < 0) out.push(add(p, add(q, p, -1), a / (a - b)));
  });
  return out;
}

function ring(centre, u, v, r, n) {
  const out = [];
  for (let k = 0; k < n; k++) {
    const a = (2 * Math.PI * k) / n;
    out.push(add(add(centre, u, r * Math.cos(a)), v, r * Math.sin(a)));
  }
  return out;
}
