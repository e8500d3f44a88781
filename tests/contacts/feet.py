# SPDX-License-Identifier: MIT
"""A box that slides and turns on four feet, each with a friction of its own.

The loads of four feet are open, and with them the motion: no law says how they are shared. A lawful motion is judged
row by row: feet push, friction has its whole size against a slip that is seen and keeps within its cone, the loads
carry the box and keep it flat, and velocities change as the forces say.
"""
import csv
import math
import os
import random

G = 9.81
SEEN = 1e-4  # slips from which friction must have its whole size
MISS = 1e-5
ROWS = "0.0005"  # their distance: the judge takes forces between rows for straight lines


def make(seed):
    """The text, and what the judge has to know of it."""
    rng = random.Random(seed)
    a, b, c = (round(rng.uniform(*ends), 3) for ends in ((0.04, 0.1), (0.04, 0.1), (0.03, 0.15)))
    mu = [rng.choice((0.1, 0.3, 0.5, 1.0)) for _ in range(4)]
    inertia = [float(f"{x:.6g}") for x in ((b*b + c*c)/3, (a*a + c*c)/3, (a*a + b*b)/3)]
    feet = [(a, b), (a, -b), (-a, b), (-a, -b)]
    lines = ["body b: mass 1, inertia ({}, {}, {})".format(*inertia), f"potential V = {G}*b.p[3]"]
    for k, (x, y) in enumerate(feet):
        lines += [f"let P{k} = b.p + b.R*({x}, {y}, -{c})", f"constraint n{k}: P{k}[3] >= 0, restitution 0",
                  f"friction f{k}: slip (P{k}[1]', P{k}[2]'), mu {mu[k]} on n{k}"]
    speed, angle = rng.uniform(0.05, 1), rng.uniform(0, 6.28)
    lines += [f"start b.p = (0, 0, {c}), b.p' = ({speed*math.cos(angle):.4f}, {speed*math.sin(angle):.4f}, 0), "
              f"b.w = (0, 0, {rng.uniform(-4, 4):.4f}), b.R = axis(1, 0, 0, 0)", "run 0..0.6"]
    return "\n".join(lines) + "\n", (feet, c, mu, inertia)


def rotation(q):
    w, x, y, z = q
    return [[1 - 2*(y*y + z*z), 2*(x*y - w*z), 2*(x*z + w*y)], [2*(x*y + w*z), 1 - 2*(x*x + z*z), 2*(y*z - w*x)],
            [2*(x*z - w*y), 2*(y*z + w*x), 1 - 2*(x*x + y*y)]]


def cross(a, b):
    return [a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]]


class Row:
    """A row of the results: per foot its gap, slip and force; the force and the moment on the box."""

    def __init__(self, row, box):
        feet, c, self.mu, _ = box
        self.t, number = float(row["t"]), {k: float(v) for k, v in row.items() if k.startswith(("force", "b."))}
        self.v = [number[f"b.p[{i}]'"] for i in (1, 2, 3)]
        self.w = [number[f"b.w[{i}]"] for i in (1, 2, 3)]
        self.R = rotation([number[f"b.R.q[{i}]"] for i in (1, 2, 3, 4)])
        self.feet, self.force, self.moment = [], [0.0, 0.0, -G], [0.0]*3
        for k, (x, y) in enumerate(feet):
            arm = [r[0]*x + r[1]*y - r[2]*c for r in self.R]
            slip = [u + d for u, d in zip(self.v, cross(self.w, arm))]
            push = [number[f"force(f{k})[1]"], number[f"force(f{k})[2]"], number[f"force(n{k})"]]
            self.feet.append((number["b.p[3]"] + arm[2], slip, push))
            self.force = [s + p for s, p in zip(self.force, push)]
            self.moment = [s + p for s, p in zip(self.moment, cross(arm, push))]

    def objection(self):
        for k, (gap, slip, push) in enumerate(self.feet):
            size, speed, most = math.hypot(*push[:2]), math.hypot(*slip[:2]), self.mu[k]*push[2]
            if gap < -1e-8:
                return f"n{k} is violated by {-gap:.3g}"
            if push[2] < -MISS*G:
                return f"n{k} pulls with {-push[2]:.3g}"
            if push[2] > MISS*G and gap > 1e-8:
                return f"n{k} pushes across a gap of {gap:.3g}"
            if size > most + MISS*G:
                return f"f{k} has {size:.6g} of {most:.6g}"
            if speed > SEEN and push[2] > MISS*G:
                miss = math.hypot(*(p + most*s/speed for p, s in zip(push[:2], slip[:2])))
                if miss > MISS*G:
                    return f"f{k} does not act against its slip: off by {miss:.3g}"
        return None


def gain(a, b, inertia):
    """What the forces of two rows do not explain of the momenta; no event lies between them. Where a share of the load
    jumps at a time that no event tells, the mean of both rows misses up to a half of the jump."""
    time = (b.t - a.t)/2

    def spin(row):  # in space
        body = [m*sum(row.R[j][i]*row.w[j] for j in range(3)) for i, m in enumerate(inertia)]
        return [sum(r*x for r, x in zip(line, body)) for line in row.R]

    def miss(x, y, f, g):
        return max(abs(y - x - (f + g)*time) - abs(f - g)*time, 0)
    linear = [miss(*x) for x in zip(a.v, b.v, a.force, b.force)]
    angular = [miss(*x)/0.1 for x in zip(spin(a), spin(b), a.moment, b.moment)]
    return max(linear + angular)


def judge(folder, box):
    with open(os.path.join(folder, "trajectory.csv")) as file:
        rows = [Row(row, box) for row in csv.DictReader(file)]
    with open(os.path.join(folder, "events.csv")) as file:
        times = [float(e["t"]) for e in csv.DictReader(file)]
    for a, b in zip(rows, rows[1:]):
        wrong = a.objection()
        if wrong is None and not any(a.t <= t <= b.t for t in times):
            off, load = gain(a, b, box[3]), G*(b.t - a.t)
            wrong = None if off <= 0.1*load else f"momenta change by {off:.3g} more than the forces say"
        if wrong is not None:
            return f"at t = {a.t} {wrong}"
    return None
