# SPDX-License-Identifier: MIT
"""Spheres thrown into a corner of floor and wall, with friction in the plane at both, at tolerances of all sorts.

A sphere needs no solver to be judged: its contacts push along an axis, so each row of the results says by itself
whether contacts push, and only while they touch, whether friction keeps within its cone, points against a slip that is
seen, and has its whole size then, and whether linear and angular velocities change as these forces say.
"""
import csv
import math
import os
import random

R, I, G = 0.1, 0.004, 9.81
SEEN = 1e-4  # slips from which friction must have its whole size: slower ones may be errors of the loosest tolerance
MISS = 1e-5
ROWS = "0.002"  # their distance


def make(seed):
    """The text, and what the judge has to know of it."""
    rng = random.Random(seed)
    mu = [rng.choice([0.1, 0.22, 0.4, 0.6, 1.0, 1.3]) for _ in range(2)]
    e = [rng.choice([0, 0, 0.2, 0.5]) for _ in range(2)]
    tol = rng.choice(["1e-6", "1e-7", "1e-8", "1e-9", "1e-10", "1e-11"])
    p = (rng.uniform(0.1, 0.4), 0.011, rng.uniform(0.1, 0.45))
    v = (rng.uniform(-0.6, 0.4), rng.uniform(-0.5, 0.5), 0)
    w = [rng.uniform(-15, 15) for _ in range(3)]
    numbers = [", ".join(f"{x:.4g}" for x in part) for part in (p, v, w)]
    text = f"""body b: mass 1, inertia {I}
potential V = {G}*b.p[3]
constraint floor: b.p[3] >= {R}, restitution {e[0]}
friction f: slip (b.p[1]' - {R}*b.w[2], b.p[2]' + {R}*b.w[1]), mu {mu[0]} on floor
constraint wall: b.p[1] >= 0.05, restitution {e[1]}
friction fw: slip (b.p[2]' - {R}*b.w[3], b.p[3]' + {R}*b.w[2]), mu {mu[1]} on wall
start b.p = ({numbers[0]}), b.p' = ({numbers[1]}), b.w = ({numbers[2]})
run 0..2, tol {tol}
"""
    return text, mu


def objection(row, mu):
    """What is wrong in a row of the results, or None."""
    number = {name: float(value) for name, value in row.items() if name.startswith(("force", "b."))}
    v = [number[f"b.p[{i}]'"] for i in (1, 2, 3)]
    w = [number[f"b.w[{i}]"] for i in (1, 2, 3)]
    contacts = (("floor", "f", number["b.p[3]"] - R, (v[0] - R*w[1], v[1] + R*w[0]), mu[0]),
                ("wall", "fw", number["b.p[1]"] - 0.05, (v[1] - R*w[2], v[2] + R*w[1]), mu[1]))
    for name, friction, gap, slip, most in contacts:
        normal = number[f"force({name})"]
        force = [number[f"force({friction})[{k}]"] for k in (1, 2)]
        size, speed = math.hypot(*force), math.hypot(*slip)
        if gap < -1e-8:
            return f"{name} is violated by {-gap:.3g}"
        if normal < -MISS*G:
            return f"{name} pulls with {-normal:.3g}"
        if normal > MISS*G and gap > 1e-8:
            return f"{name} pushes across a gap of {gap:.3g}"
        if size > most*normal + MISS*G:
            return f"{friction} has {size:.6g} of {most*normal:.6g}"
        if speed > SEEN and normal > MISS*G:
            miss = math.hypot(*(f + most*normal*s/speed for f, s in zip(force, slip)))
            if miss > MISS*G:
                return f"{friction} does not act against its slip: off by {miss:.3g}"
    return None


def gain(a, b):
    """What the forces of the first of two rows do not explain, with those of the second: no event lies between them."""
    time = float(b["t"]) - float(a["t"])

    def acceleration(row):
        floor, f1, f2 = (float(row[n]) for n in ("force(floor)", "force(f)[1]", "force(f)[2]"))
        wall, g1, g2 = (float(row[n]) for n in ("force(wall)", "force(fw)[1]", "force(fw)[2]"))
        return [wall + f1, f2 + g1, floor + g2 - G, R*f2/I, R*(g2 - f1)/I, -R*g1/I]
    names = [f"b.p[{i}]'" for i in (1, 2, 3)] + [f"b.w[{i}]" for i in (1, 2, 3)]
    miss = 0.0
    for name, x, y in zip(names, acceleration(a), acceleration(b)):
        change = abs(float(b[name]) - float(a[name]) - (x + y)/2*time)
        miss = max(miss, change if name[2] == "p" else R*change)
    return miss


def judge(folder, mu):
    with open(os.path.join(folder, "trajectory.csv")) as file:
        rows = list(csv.DictReader(file))
    with open(os.path.join(folder, "events.csv")) as file:
        times = [float(e["t"]) for e in csv.DictReader(file)]
    for a, b in zip(rows, rows[1:]):
        wrong = objection(a, mu)
        if wrong is None and not any(float(a["t"]) <= t <= float(b["t"]) for t in times):
            off, load = gain(a, b), G*(float(b["t"]) - float(a["t"]))  # where a slip ends, forces bend between two rows
            wrong = None if off <= 0.1*load else f"velocities change by {off:.3g} more than the forces say"
        if wrong is not None:
            return f"at t = {a['t']} {wrong}"
    return None
