# SPDX-License-Identifier: MIT
"""Random models with contacts, planar and in space, as a stranger would write them: each is a text for
Pawl and the same formulas for the judge."""
import math
import random

from judge import Boxes, Model


def number(x):
    return f"{x:.4g}"


class Writer:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.names, self.T, self.V = [], [], []
        self.contacts, self.slips, self.start = [], [], {}
        self.spatial = None  # text and model of a family in space

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
        lines += [f"friction {n}: slip {s}, " + ("rough" if mu is None else f"mu {number(mu)}") + f" on {on}"
                  for n, s, mu, on in self.slips]
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
    return disks(w, w.one(2, 3, 3, 4, 5), w.pick(0.04, 0.08), w.pick(0.2, 0.9))


def pile(w):
    """Disks of several sizes fall into a box, each with its own restitution."""
    n, mu, side = w.one(2, 3, 4), w.one(0, 0.3, 0.6), 0.16
    r = [w.pick(0.04, 0.06) for _ in range(n)]
    for i in range(1, n + 1):
        w.body(i, w.pick(-0.08, 0.08), 0.15*i + w.pick(-0.02, 0.02), w.one(1, 1, 3), r[i - 1]**2/2, 0,
               (w.pick(-1, 1), 0, w.pick(-5, 5)))
    for i in range(1, n + 1):
        ri, e = r[i - 1], w.one(0, 0.2, 0.5)
        w.contact(f"floor{i}", f"y{i} - {ri!r}", e, f"x{i}' + {ri!r}*a{i}'" if mu else None, mu)
        w.contact(f"left{i}", f"x{i} + {side} - {ri!r}", e, f"-y{i}' + {ri!r}*a{i}'" if mu else None, mu)
        w.contact(f"right{i}", f"{side} - x{i} - {ri!r}", e, f"y{i}' + {ri!r}*a{i}'" if mu else None, mu)
        for j in range(1, i):
            rj, dx, dy = r[j - 1], f"(x{i} - x{j})", f"(y{i} - y{j})"
            d = f"hypot({dx}, {dy})"
            slip = f"({dx}*(y{i}' - y{j}') - {dy}*(x{i}' - x{j}'))/{d} - {ri!r}*a{i}' - {rj!r}*a{j}'"
            w.contact(f"c{j}{i}", f"{d} - {ri + rj!r}", e, slip if mu else None, mu)
    return 0.8


def bar(w):
    """A bar lands on two or three supports of their own restitutions, one of them perhaps plastic."""
    half, m = w.pick(0.2, 0.6), w.pick(0.5, 3)
    w.body(1, 0, w.pick(0.15, 0.4), m, m*half*half*w.pick(0.2, 3), w.pick(-0.2, 0.2),
           (w.one(0, w.pick(-1, 1)), 0, w.pick(-1, 1)))
    mu = w.one(0, 0, 0.3)
    for k, at in enumerate((-1, 1, w.pick(-0.5, 0.5))[:w.one(2, 2, 3)]):
        _, y, vx = w.corner(1, at*half, 0)
        w.contact(f"s{k}", y, w.one(0, 0, 0.3, 0.5, 0.8), vx if mu else None, mu)
    return 1.5


def stack(w):
    """Boxes above each other: corners of each on the one below, which may lean."""
    n, mu, e, a = w.one(1, 2, 2, 3), w.one(0, 0.3, 0.6), w.one(0, 0, 0.3), w.pick(0.1, 0.2)
    for i in range(1, n + 1):
        w.body(i, w.pick(-0.03, 0.03), a*(2*i - 1) + 0.02*i, 1, 2*a*a/3, w.one(0, w.pick(-0.02, 0.02)),
               (w.one(0, w.pick(-0.2, 0.2)), 0, 0))
    for i in range(1, n + 1):
        for k, px in enumerate((-a, a)):
            x, y, vx = w.corner(i, px, -a)
            if i == 1:
                w.contact(f"c1{k}", y, e, vx if mu else None, mu)
                continue
            j = i - 1  # in the frame of the box below
            vy = f"y{i}' + (({number(px)})*cos(a{i}) - ({number(-a)})*sin(a{i}))*a{i}'"
            rx, ry = f"({x} - x{j})", f"({y} - y{j})"
            gap = f"-{rx}*sin(a{j}) + {ry}*cos(a{j}) - {a!r}"
            slip = (f"({vx} - x{j}' + {ry}*a{j}')*cos(a{j}) + ({vy} - y{j}' - {rx}*a{j}')*sin(a{j})")
            w.contact(f"c{i}{k}", gap, e, slip if mu else None, mu)
    return 0.6


def rough(w):
    """A disk, a box or a bar whose contacts do not slip; disks stay beside each other."""
    kind, e = w.one("disk", "box", "disks"), w.one(0, 0, 0.4)
    if kind == "box":
        a, b = w.pick(0.1, 0.3), w.pick(0.05, 0.2)
        w.body(1, 0, w.pick(0.4, 0.6), 1, (a*a + b*b)/3, w.pick(-0.5, 0.5), (w.pick(-1, 1), 0, w.pick(-1, 1)))
        for k, (px, py) in enumerate(((-a, -b), (a, -b), (a, b), (-a, b))):
            _, y, vx = w.corner(1, px, py)
            w.contact(f"k{k}", y, e, vx, None)
        return 0.8
    n = 1 if kind == "disk" else 2
    for i in range(1, n + 1):
        r = w.pick(0.05, 0.15)
        w.body(i, 0.6*i, r + w.pick(0.05, 0.3), 1, r*r/2, 0, (w.pick(-1, 1), 0, w.pick(-5, 5)))
        w.contact(f"floor{i}", f"y{i} - {r!r}", e, f"x{i}' + {r!r}*a{i}'", None)
    if n == 2:
        w.contact("stop", "x2 - x1 - 0.3", w.one(0, 0.5))
    return 1.0


def space(w):
    """A box in space falls on a floor, perhaps beside a wall."""
    half = [w.pick(0.05, 0.2) for _ in range(3)]
    m, e, mu = w.pick(0.5, 2), w.one(0, 0, 0.3, 0.6), w.one(0, 0.3, 0.6)
    moments = [m*(half[(i + 1) % 3]**2 + half[(i + 2) % 3]**2)/3 for i in range(3)]
    moments = [float(number(x)) for x in moments]
    gravity = (0.0, 0.0, -9.81)
    corners = [(x*half[0], y*half[1], z*half[2]) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    flat = w.one(True, False)
    chosen = corners if not flat else [c for c in corners if c[2] < 0]
    lines = [f"body b1: mass {m!r}, inertia ({moments[0]!r}, {moments[1]!r}, {moments[2]!r})",
             f"potential V = {m!r}*9.81*b1.p[3]"]
    contacts, slips = [], []
    for k, c in enumerate(chosen):
        lines += [f"let P{k} = b1.p + b1.R*({c[0]!r}, {c[1]!r}, {c[2]!r})",
                  f"constraint n{k}: P{k}[3] >= 0, restitution {number(e)}"]
        contacts.append((f"n{k}", (0, c, (0.0, 0.0, 1.0), 0.0), e))
        if mu:
            lines.append(f"friction f{k}: slip (P{k}[1]', P{k}[2]'), mu {number(mu)} on n{k}")
            slips.append((f"f{k}", [(0, c, (1.0, 0.0, 0.0)), (0, c, (0.0, 1.0, 0.0))], mu, f"n{k}"))
    if w.one(True, False):
        lines.append("constraint wall: 0.5 - P0[1] >= 0, restitution 0.4")
        contacts.append(("wall", (0, chosen[0], (-1.0, 0.0, 0.0), 0.5), 0.4))
    turn = 0.0 if flat and w.one(True, False) else w.pick(-0.4, 0.4)
    spin = (0.0, 0.0, w.pick(-2, 2)) if turn == 0 else tuple(w.pick(-2, 2) for _ in range(3))
    lines.append(f"start b1.p = (0, 0, {w.pick(0.4, 0.6)!r}), b1.p' = ({w.pick(-1, 1)!r}, {w.pick(-1, 1)!r}, 0), "
                 f"b1.w = ({spin[0]!r}, {spin[1]!r}, {spin[2]!r}), b1.R = axis(1, 0.5, 0, {turn!r})")
    w.spatial = ("\n".join(lines + ["run 0..0.8"]) + "\n", Boxes([(m, moments, gravity)], contacts, slips))
    return 0.8


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
            "hopper": hopper, "pile": pile, "bar": bar, "stack": stack, "rough": rough, "space": space}


def make(seed, families=FAMILIES):
    """Name, text and model of a seed."""
    w = Writer(seed)
    name = sorted(families)[seed % len(families)]
    end = families[name](w)
    text, model = w.spatial if w.spatial is not None else w.finish(end)
    return name, text, model
