# SPDX-License-Identifier: MIT
"""Random planar models with contacts, as a stranger would write them: each is a text for Pawl and the
same formulas for the judge."""
import math
import random

from judge import Model


def number(x):
    return f"{x:.4g}"


class Writer:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.names, self.T, self.V = [], [], []
        self.contacts, self.slips, self.start = [], [], {}

    def pick(self, a, b):
        return float(number(self.r.uniform(a, b)))

    def one(self, *choices):
        return self.r.choice(choices)

    def coordinate(self, name, value, rate=0.0):
        self.names.append(name)
        self.start[name], self.start[name + "'"] = value, rate

    def body(self, i, x, y, mass, inertia, angle=0.0, rates=(0, 0, 0)):
        """x<i>, y<i>, a<i>."""
        for name, value, rate in zip("xya", (x, y, angle), rates):
            self.coordinate(f"{name}{i}", value, rate)
        self.T.append(f"1/2*{number(mass)}*(x{i}'^2 + y{i}'^2) + 1/2*{number(inertia)}*a{i}'^2")
        self.V.append(f"9.81*{number(mass)}*y{i}")

    def contact(self, name, gap, e, slip=None, mu=None):
        self.contacts.append((name, gap, e))
        if slip is not None:
            self.slips.append(("f_" + name, slip, mu, name))

    def corner(self, i, px, py):
        """A point of body i: its coordinates and velocities as texts."""
        x = f"x{i} + ({number(px)})*cos(a{i}) - ({number(py)})*sin(a{i})"
        y = f"y{i} + ({number(px)})*sin(a{i}) + ({number(py)})*cos(a{i})"
        vx = f"x{i}' - (({number(px)})*sin(a{i}) + ({number(py)})*cos(a{i}))*a{i}'"
        return x, y, vx

    def text(self, end):
        lines = ["coordinates " + ", ".join(self.names),
                 "kinetic T = " + " + ".join(self.T), "potential V = " + " + ".join(self.V)]
        lines += [f"constraint {n}: {g} >= 0, restitution {number(e)}" for n, g, e in self.contacts]
        lines += [f"friction {n}: slip {s}, mu {number(mu)} on {on}" for n, s, mu, on in self.slips]
        lines.append("start " + ", ".join(f"{k} = {v!r}" for k, v in self.start.items()))
        lines.append(f"run 0..{number(end)}")
        return "\n".join(lines) + "\n"

    def finish(self, end):
        model = Model(self.names, " + ".join(self.T), " + ".join(self.V), self.contacts, self.slips)
        return self.text(end), model


def disks(w, n, r, wedge):
    """n disks between two walls, or in a box."""
    e, mu = w.one(0, 0, 0.3, 0.6), w.one(0, 0.2, 0.5, 1)
    for i in range(1, n + 1):
        side = -1 if i % 2 else 1
        w.body(i, side*r*w.pick(1.02, 1.3), 4*r*i + w.pick(0, 0.05), w.one(1, 1, 2), r*r/2, 0,
               (w.pick(-0.5, 0.5), 0, w.pick(-8, 8)))
    c, s = math.cos(wedge), math.sin(wedge)
    for i in range(1, n + 1):
        for name, k in (("l", 1), ("r", -1)):
            gap = f"{c!r}*y{i} + ({k*s!r})*x{i} - {r!r}"
            slip = f"{c!r}*x{i}' - ({k*s!r})*y{i}' + {r!r}*a{i}'"
            w.contact(f"w{name}{i}", gap, e, slip if mu else None, mu)
        for j in range(1, i):
            dx, dy = f"(x{i} - x{j})", f"(y{i} - y{j})"
            d = f"hypot({dx}, {dy})"
            slip = (f"({dx}*(y{i}' - y{j}') - {dy}*(x{i}' - x{j}'))/{d} - {r!r}*(a{i}' + a{j}')")
            w.contact(f"c{j}{i}", f"{d} - {2*r!r}", e, slip if mu else None, mu)
    return 1.0


def wedge_of_disks(w):
    return disks(w, w.one(2, 3, 3), w.pick(0.04, 0.08), w.pick(0.2, 0.9))


def box(w):
    """A box falls on a floor, perhaps beside a wall."""
    a, b, m = w.pick(0.1, 0.3), w.pick(0.05, 0.2), w.pick(0.5, 2)
    e, mu = w.one(0, 0, 0.4, 0.7), w.one(0, 0.3, 0.7)
    w.body(1, 0, w.pick(0.4, 0.8), m, m*(a*a + b*b)/3, w.one(0, w.pick(-0.6, 0.6)),
           (w.pick(-2, 2), 0, w.one(0, w.pick(-3, 3))))
    for k, (px, py) in enumerate(((a, b), (-a, b), (-a, -b), (a, -b))):
        x, y, vx = w.corner(1, px, py)
        w.contact(f"k{k}", y, e, vx if mu else None, mu)
        if k == 0 and w.one(True, False):
            w.contact("wall", f"0.9 - ({x})", e)
    return 1.5


def capsule(w):
    """A bar with round ends on a floor."""
    half, r, m = w.pick(0.1, 0.4), w.pick(0.02, 0.1), w.pick(0.5, 2)
    e, mu = w.one(0, 0.3, 0.6), w.one(0, 0.2, 0.6)
    w.body(1, 0, w.pick(0.5, 0.8), m, m*half*half/3, w.pick(-1, 1), (w.pick(-1, 1), 0, w.pick(-2, 2)))
    for name, px in (("left", -half), ("right", half)):
        _, y, vx = w.corner(1, px, 0)
        slip = f"{vx} + {r!r}*a1'"
        w.contact(name, f"{y} - {r!r}", e, slip if mu else None, mu)
    return 1.5


def dimer(w):
    """Two balls on a light rod over a floor and beside two walls."""
    half, m = w.pick(0.1, 0.3), 1.0
    e, mu = w.one(0, 0.5, 0.8), w.one(0, 0.1, 0.4)
    w.body(1, 0, w.pick(0.4, 0.6), m, m*half*half, w.pick(0.1, 1.4), (w.pick(-1, 1), 0, w.pick(-4, 4)))
    for name, px in (("left", -half), ("right", half)):
        x, y, vx = w.corner(1, px, 0)
        w.contact(name, y, e, vx if mu else None, mu)
        w.contact(name + "_w", f"0.7 - ({x})", e)
    return 1.2


def rope(w):
    """Two disks on a floor, tied by a rope."""
    r, e, mu = w.pick(0.05, 0.1), w.one(0, 0.4), w.one(0, 0.3)
    length = w.pick(0.4, 0.7)
    for i in (1, 2):
        w.body(i, (i - 1.5)*length*0.8, r + w.one(0.0, 0.2), 1, r*r/2, 0,
               ((i - 1.5)*w.pick(1, 4), 0, w.pick(-3, 3)))
        slip = f"x{i}' + {r!r}*a{i}'"
        w.contact(f"floor{i}", f"y{i} - {r!r}", e, slip if mu else None, mu)
    w.contact("rope", f"{length!r} - hypot(x2 - x1, y2 - y1)", w.one(0, 0.5))
    return 1.0


def hopper(w):
    """A leg of two links with masses at hip, knee and foot."""
    l, mu = 0.3, w.one(0.3, 0.6, 0.93)
    for name, value, rate in (("x", 0.0, w.pick(-1, 1)), ("y", w.pick(0.62, 0.7), 0.0),
                              ("a", w.pick(0.1, 0.5), 0.0), ("b", w.pick(-0.6, -0.1), 0.0)):
        w.coordinate(name, value, rate)
    kx, ky = f"x' + {l}*cos(a)*a'", f"y' + {l}*sin(a)*a'"
    fx, fy = f"{kx} + {l}*cos(b)*b'", f"{ky} + {l}*sin(b)*b'"
    knee, foot = f"y - {l}*cos(a)", f"y - {l}*cos(a) - {l}*cos(b)"
    w.T.append(f"2*(x'^2 + y'^2) + 0.3*(({kx})^2 + ({ky})^2) + 0.1*(({fx})^2 + ({fy})^2)")
    w.V.append(f"9.81*(4*y + 0.6*({knee}) + 0.2*({foot})) + {w.pick(10, 30)!r}*(a - b - 0.5)^2")
    e = w.one(0, 0, 0.3)
    w.contact("foot", foot, e, fx, mu)
    w.contact("knee", "a - b", 0)
    w.contact("kneefloor", knee, e, kx, mu)
    w.contact("hip", "y - 0.05", e, "x'", mu)
    return 1.5


FAMILIES = {"wedge": wedge_of_disks, "box": box, "capsule": capsule, "dimer": dimer, "rope": rope,
            "hopper": hopper}


def make(seed):
    """Name, text and model of a seed."""
    w = Writer(seed)
    name = sorted(FAMILIES)[seed % len(FAMILIES)]
    end = FAMILIES[name](w)
    text, model = w.finish(end)
    return name, text, model
