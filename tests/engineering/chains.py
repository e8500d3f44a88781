#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""chains.py: random masses with elements whose inner points have no inertia: frictions in series (Iwan), two Bingham
elements in series, plates and feet that stop and leave, with springs alone or beside dampers, springs with play.

The judge follows the stretch of each element from piece to piece and shares nothing with Pawl. Each element knows its
rates, its force on the mass and where its pieces end.

usage: chains.py [FIRST..LAST]; PAWL is the program.
"""
import itertools
import math
import random
import sys
import tempfile

import nodes
from jets import go


class Series:
    """Spring k, then two springs with friction beside them. Judged by stretches: one force P goes through all of them."""

    def __init__(self, r, x0):
        self.k, self.k1, self.k2 = r.uniform(60, 200), r.uniform(20, 80), r.uniform(20, 80)
        self.F = (r.uniform(1, 6), r.uniform(1, 6))
        self.start, self.mode, self.nodes = [x0, 0.0], (0, 0), 2

    def text(self, a):
        return ["potential V%s = 1/2*%r*(x - %s)^2 + 1/2*%r*(%s - %s)^2 + 1/2*%r*%s^2"
                % (a[0], self.k, a[0], self.k1, a[0], a[1], self.k2, a[1]),
                "friction f%s: slip %s' - %s', bound %r" % (a[0], a[0], a[1], self.F[0]),
                "friction f%s: slip %s', bound %r" % (a[1], a[1], self.F[1])]

    def pull(self, y, n):
        return self.k * (y[0] - n[0])

    def held(self, y, n):
        P = self.pull(y, n)
        return P - self.k1 * (n[0] - n[1]), P - self.k2 * n[1]

    def rates(self, mode, y, n):
        ks = (self.k1, self.k2)
        give = 1 + sum(self.k / ks[i] for i in (0, 1) if mode[i])
        rise = self.k * y[1] / give
        e = [rise / ks[i] if mode[i] else 0.0 for i in (0, 1)]
        return [e[0] + e[1], e[1]]

    def force(self, mode, y, n):
        return -self.pull(y, n)

    def guards(self, mode):
        out = []
        for i, s in itertools.product((0, 1), (1, -1)):
            if mode[i] == 0:
                new = tuple(s if j == i else mode[j] for j in (0, 1))
                out.append((lambda y, n, i=i, s=s: self.F[i] - s * self.held(y, n)[i], new))
        for i in (0, 1):
            if mode[i]:
                out.append((lambda y, n, i=i: mode[i] * y[1], (0, 0)))
        return out


class Bingham2:
    """Spring, then two dampers with friction beside them."""

    def __init__(self, r, x0):
        self.k, self.c, self.F = r.uniform(60, 200), (r.uniform(2, 9), r.uniform(2, 9)), (r.uniform(1, 6), r.uniform(1, 6))
        self.start, self.mode, self.nodes = [x0, 0.0], (0, 0), 2

    def text(self, a):
        return ["potential V%s = 1/2*%r*(x - %s)^2" % (a[0], self.k, a[0]),
                "dissipation D%s = 1/2*%r*(%s' - %s')^2 + 1/2*%r*%s'^2" % (a[0], self.c[0], a[0], a[1], self.c[1], a[1]),
                "friction f%s: slip %s' - %s', bound %r" % (a[0], a[0], a[1], self.F[0]),
                "friction f%s: slip %s', bound %r" % (a[1], a[1], self.F[1])]

    def rates(self, mode, y, n):
        P = self.k * (y[0] - n[0])
        e = [(P - mode[i] * self.F[i]) / self.c[i] if mode[i] else 0.0 for i in (0, 1)]
        return [e[0] + e[1], e[1]]

    def force(self, mode, y, n):
        return -self.k * (y[0] - n[0])

    def guards(self, mode):
        out = []
        for i in (0, 1):
            def to(s):
                return tuple(s if j == i else mode[j] for j in (0, 1))
            if mode[i]:
                out.append((lambda y, n, i=i: mode[i] * self.k * (y[0] - n[0]) - self.F[i], to(0)))
            else:
                out += [(lambda y, n, i=i, s=s: self.F[i] - s * self.k * (y[0] - n[0]), to(s)) for s in (1, -1)]
        return out


class Bumper:
    """A plate on a spring and a damper, which the mass meets on its way to the left."""

    def __init__(self, r, x0):
        self.k, self.c, self.d = r.uniform(60, 400), r.uniform(1, 9), r.uniform(-0.1, 0.4) * x0
        self.start, self.mode, self.nodes = [0.0], 0, 1

    def text(self, a):
        return ["potential V%s = 1/2*%r*%s^2" % (a[0], self.k, a[0]), "dissipation D%s = 1/2*%r*%s'^2" % (a[0], self.c, a[0]),
                "constraint c%s: x - %s + %r >= 0, restitution 0" % (a[0], a[0], self.d)]

    def rates(self, mode, y, n):
        return [y[1] if mode else -self.k * n[0] / self.c]

    def force(self, mode, y, n):
        return -(self.k * n[0] + self.c * y[1]) if mode else 0.0

    def guards(self, mode):
        if mode:
            return [(lambda y, n: -(self.k * n[0] + self.c * y[1]), 0)]
        return [(lambda y, n: y[0] - n[0] + self.d, 1)]


class Foot:
    """A foot on a spring and a damper below the mass, which stands on a floor on the left, or moves with it."""

    def __init__(self, r, x0):
        self.k, self.c, self.d, self.v = r.uniform(60, 400), r.uniform(1, 9), r.uniform(-0.1, 0.4) * x0, r.choice((0, 0.1))
        self.start, self.mode, self.nodes = [x0], 0, 1

    def floor(self, t):
        return -self.d + self.v * t

    def text(self, a):
        return ["potential V%s = 1/2*%r*(x - %s)^2" % (a[0], self.k, a[0]),
                "dissipation D%s = 1/2*%r*(x' - %s')^2" % (a[0], self.c, a[0]),
                "constraint c%s: %s >= %r + %r*t, restitution 0" % (a[0], a[0], -self.d, self.v)]

    def rates(self, mode, y, n):
        return [self.v if mode else y[1] + self.k * (y[0] - n[0]) / self.c]

    def force(self, mode, y, n):
        return -(self.k * (y[0] - n[0]) + self.c * (y[1] - self.v)) if mode else 0.0

    def guards(self, mode):
        if mode:
            return [(lambda y, n: -(self.k * (y[0] - n[0]) + self.c * (y[1] - self.v)), 0)]
        return [(lambda y, n: n[0] - self.floor(y[2]), 1)]


class Stop:
    """A foot on a spring alone."""

    def __init__(self, r, x0):
        self.k, self.d = r.uniform(60, 400), r.uniform(-0.1, 0.4) * x0
        self.start, self.mode, self.nodes = [x0], 0, 1

    def text(self, a):
        return ["potential V%s = 1/2*%r*(x - %s)^2" % (a[0], self.k, a[0]),
                "constraint c%s: %s >= %r, restitution 0" % (a[0], a[0], -self.d)]

    def rates(self, mode, y, n):
        return [0.0 if mode else y[1]]

    def force(self, mode, y, n):
        return -self.k * (y[0] - n[0])

    def guards(self, mode):
        return [(lambda y, n: n[0] - y[0], 0)] if mode else [(lambda y, n: y[0] + self.d, 1)]


class Play:
    """Two springs, one of them with play."""

    def __init__(self, r, x0):
        self.k, self.k2, self.edge = r.uniform(60, 200), r.uniform(20, 80), 0.05
        self.start = [(self.k * x0 + self.k2 * self.edge) / (self.k + self.k2)]
        self.mode, self.nodes = 1, 1

    def text(self, a):
        return ["potential V%s = 1/2*%r*(x - %s)^2" % (a[0], self.k, a[0]),
                "spring s%s: stretch %s, stiffness %r, play -0.05..0.05" % (a[0], a[0], self.k2)]

    def rates(self, mode, y, n):
        return [y[1] * self.k / (self.k + self.k2) if mode else y[1]]

    def force(self, mode, y, n):
        return -self.k * (y[0] - n[0])

    def guards(self, mode):
        if mode:
            return [(lambda y, n: mode * n[0] - self.edge, 0)]
        return [(lambda y, n, s=s: self.edge - s * n[0], s) for s in (1, -1)]


KINDS = (Series, Bingham2, Bumper, Foot, Stop, Play)


class Model:
    """y = x, x', t, and the nodes of each element."""

    def __init__(self, seed):
        r = random.Random(seed)
        nodes.draw_host(self, r)
        self.parts = [r.choice(KINDS)(r, self.x0) for _ in range(r.randint(1, 2))]
        if any(isinstance(p, Series) for p in self.parts):  # their springs are relaxed at the start
            self.x0 = 0.0
            for p in self.parts:
                p.start = [0.0] * p.nodes
                p.mode = 0 if isinstance(p, Play) else p.mode
                p.d = abs(getattr(p, "d", 0.0)) + 0.02
        self.at = [3 + sum(p.nodes for p in self.parts[:i]) for i in range(len(self.parts))]

    def names(self, i):
        return ["n%d" % (self.at[i] - 3 + j) for j in range(self.parts[i].nodes)]

    def text(self):
        every = [n for i in range(len(self.parts)) for n in self.names(i)]
        lines = ["coordinates x, " + ", ".join(every), "kinetic T = 1/2*%r*x'^2" % self.m,
                 "potential V = 1/2*%r*x^2" % self.k0, "dissipation D = 1/2*%r*x'^2" % self.c0,
                 "force x: %r*sin(%r*t)" % (self.A, self.w)]
        start = ["x = %r" % self.x0]
        for i, p in enumerate(self.parts):
            lines += p.text(self.names(i))
            start += ["%s = %r" % pair for pair in zip(self.names(i), p.start)]
        return "\n".join(lines + ["start " + ", ".join(start), "run 0..%r" % self.end]) + "\n"

    def own(self, i, y):
        return y[self.at[i]:self.at[i] + self.parts[i].nodes]

    def piece(self, modes):
        def f(y):
            F = self.A * math.sin(self.w * y[2]) - self.k0 * y[0] - self.c0 * y[1]
            rates = []
            for i, p in enumerate(self.parts):
                F += p.force(modes[i], y, self.own(i, y))
                rates += p.rates(modes[i], y, self.own(i, y))
            return [y[1], F / self.m, 1.0] + rates

        def on(i, to):
            new = modes[:i] + (to,) + modes[i + 1:]
            return lambda z: ("switch", z, self.piece(new))

        both = [(lambda y, g=g, i=i: g(y, self.own(i, y)), on(i, to))
                for i, m in enumerate(modes) for g, to in self.parts[i].guards(m)]
        return lambda y: (f, both)

    def run(self):
        first = [v for p in self.parts for v in p.start]
        y, _ = go(self.piece(tuple(p.mode for p in self.parts)), [self.x0, 0.0, 0.0] + first, 0, self.end, 2e-3, [])
        return {"x": y[0], "x'": y[1], **{"n%d" % i: v for i, v in enumerate(y[3:])}}


def judge(seed):
    """Largest difference of one model."""
    with tempfile.TemporaryDirectory() as folder:
        return nodes.compare(Model(seed), seed, folder)[0]


def main():
    first, last = (int(x) for x in (sys.argv[1:] or ["1..12"])[0].split(".."))
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, last + 1):
            model = Model(seed)
            far, why = nodes.compare(model, seed, folder)
            if not far <= 1e-7:
                bad += 1
                kinds = [type(p).__name__ for p in model.parts]
                print("FAILED  model %d %s: %.1e %s" % (seed, kinds, far, why), flush=True)
    print("%d passed, %d failed" % (last - first + 1 - bad, bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
