#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""nodes.py: random masses with springs, dampers and dry friction in series, whose nodes have no inertia.

Elements side by side on one mass: Jenkins (spring, friction; constant bound or one that moves), the same turned round
(the friction at the mass), Bingham (spring, and friction beside a damper), Maxwell with a force that switches, and a
spring with play beside a damper. The judge follows the stretch of each element from piece to piece.

usage: nodes.py [FIRST..LAST]; PAWL is the program.
"""
import json
import math
import os
import random
import subprocess
import sys
import tempfile

from jets import go

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PAWL = os.environ.get("PAWL", os.path.join(ROOT, "build", "pawl"))
KINDS = ("jenkins", "turned", "moving", "bingham", "maxwell", "play")


def draw_host(model, r):
    """The driven oscillator that carries the elements, and the span of its motion."""
    model.m, model.k0, model.c0 = r.uniform(0.5, 2), r.uniform(5, 40), r.uniform(0, 0.5)
    model.A, model.w = r.uniform(0, 20), r.uniform(2, 9)
    model.x0, model.end = r.uniform(0.2, 0.8), r.uniform(1, 3)


class Model:
    """y = x, x', t, and one node for each element; a piece is the modes of the elements."""

    def __init__(self, seed):
        r = random.Random(seed)
        draw_host(self, r)
        self.parts = []
        for _ in range(r.randint(1, 3)):
            self.parts.append((r.choice(KINDS), r.uniform(30, 200), r.uniform(1, 8), r.uniform(1, 10), r.uniform(0.3, 0.9)))

    def text(self):
        lines = ["coordinates x, " + ", ".join("n%d" % i for i in range(len(self.parts))),
                 "kinetic T = 1/2*%r*x'^2" % self.m, "potential V = 1/2*%r*x^2" % self.k0,
                 "dissipation D = 1/2*%r*x'^2" % self.c0, "force x: %r*sin(%r*t)" % (self.A, self.w)]
        start = ["x = %r" % self.x0]
        for i, (kind, k, F, c, at) in enumerate(self.parts):
            n = "n%d" % i
            if kind == "turned":
                lines += ["potential V%d = 1/2*%r*%s^2" % (i, k, n), "friction f%d: slip x' - %s', bound %r" % (i, n, F)]
                start.append(n + " = 0")
                continue
            lines.append("potential V%d = 1/2*%r*(x - %s)^2" % (i, k, n))
            start.append("%s = %r" % (n, self.x0))
            if kind == "jenkins":
                lines.append("friction f%d: slip %s', bound %r" % (i, n, F))
            elif kind == "moving":
                lines.append("friction f%d: slip %s', bound %r*(1 + 0.5*sin(%r*t))" % (i, n, F, c))
            elif kind == "bingham":
                lines += ["dissipation D%d = 1/2*%r*%s'^2" % (i, c, n), "friction f%d: slip %s', bound %r" % (i, n, F)]
            elif kind == "maxwell":
                lines += ["dissipation D%d = 1/2*%r*%s'^2" % (i, c, n), "force %s: if(t > %r, %r, 0)" % (n, at, F)]
            elif kind == "play":
                lines += ["dissipation D%d = 1/2*%r*%s'^2" % (i, c, n),
                          "spring s%d: stretch %s, stiffness %r, play -0.05..0.05" % (i, n, k / 2)]
        return "\n".join(lines + ["start " + ", ".join(start), "run 0..%r" % self.end]) + "\n"

    def bound(self, i, t):
        kind, _, F, c, _ = self.parts[i]
        if kind != "moving":
            return F, 0.0
        return F * (1 + 0.5 * math.sin(c * t)), F * 0.5 * c * math.cos(c * t)

    def rate(self, i, mode, y):
        """n' of an element in a mode: -1, 0, 1."""
        kind, k, F, c, at = self.parts[i]
        x, v, t, n = y[0], y[1], y[2], y[3 + i]
        if kind in ("jenkins", "moving"):  # k (x - n) = mode F
            return v - mode * self.bound(i, t)[1] / k if mode else 0.0
        if kind == "turned":  # k n = mode F
            return v if mode == 0 else 0.0
        if kind == "bingham":
            return (k * (x - n) - mode * F) / c if mode else 0.0
        if kind == "maxwell":
            return (k * (x - n) + (F if mode else 0)) / c
        return (k * (x - n) - k / 2 * (n - mode * 0.05 if mode else 0.0)) / c

    def guards(self, i, mode):
        """(function that becomes negative at the end of the mode, next mode)."""
        kind, k, F, c, at = self.parts[i]
        if kind in ("jenkins", "moving", "bingham"):
            pull = lambda y: k * (y[0] - y[3 + i])
            if mode == 0:
                return [(lambda y, s=s: self.bound(i, y[2])[0] - s * pull(y), s) for s in (1, -1)]
            if kind == "bingham":
                return [(lambda y: mode * pull(y) - F, 0)]
            return [(lambda y: mode * self.rate(i, mode, y), 0)]
        if kind == "turned":
            if mode == 0:
                return [(lambda y, s=s: F - s * k * y[3 + i], s) for s in (1, -1)]
            return [(lambda y: mode * y[1], 0)]
        if kind == "maxwell":
            return [] if mode else [(lambda y: at - y[2], 1)]
        if mode == 0:
            return [(lambda y, s=s: 0.05 - s * y[3 + i], s) for s in (1, -1)]
        return [(lambda y: mode * y[3 + i] - 0.05, 0)]

    def piece(self, modes):
        def f(y):
            F = self.A * math.sin(self.w * y[2]) - self.k0 * y[0] - self.c0 * y[1]
            for i, (kind, k, *_) in enumerate(self.parts):
                F -= k * (y[3 + i] if kind == "turned" else y[0] - y[3 + i])
            return [y[1], F / self.m, 1.0] + [self.rate(i, m, y) for i, m in enumerate(modes)]

        def on(i, to):
            new = modes[:i] + (to,) + modes[i + 1:]
            return lambda z: ("switch", z, self.piece(new))

        both = [(g, on(i, to)) for i, m in enumerate(modes) for g, to in self.guards(i, m)]
        return lambda y: (f, both)

    def run(self):
        first = [0.0 if p[0] == "turned" else self.x0 for p in self.parts]
        modes = tuple(1 if p[0] == "play" and self.x0 > 0.05 else 0 for p in self.parts)
        y, _ = go(self.piece(modes), [self.x0, 0.0, 0.0] + first, 0, self.end, 2e-3, [])
        return {"x": y[0], "x'": y[1], **{"n%d" % i: y[3 + i] for i in range(len(self.parts))}}


def compare(model, seed, folder):
    """Largest difference of a model to its judge, and what Pawl says."""
    path = os.path.join(folder, "n%d.pawl" % seed)
    with open(path, "w") as out:
        out.write(model.text())
    run = subprocess.run([PAWL, "run", path, "--no-save", "--json", "--tol", "1e-10"], capture_output=True, text=True)
    try:
        got = json.loads(run.stdout)["state"]
    except (ValueError, KeyError):
        return math.inf, run.stderr[-300:]
    want = model.run()
    far = max(abs(got[k] - v) / max(1, abs(v)) for k, v in want.items())
    return (far, "") if run.returncode == 0 else (math.inf, "exit %d, difference %.1e" % (run.returncode, far))


def difference(seed, folder):
    return compare(Model(seed), seed, folder)


def judge(seed):
    """Largest difference of one model."""
    with tempfile.TemporaryDirectory() as folder:
        return difference(seed, folder)[0]


def main():
    first, last = (int(x) for x in (sys.argv[1:] or ["1..12"])[0].split(".."))
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, last + 1):
            far, why = difference(seed, folder)
            if not far <= 1e-7:
                bad += 1
                print("FAILED  model %d %s: %.1e %s" % (seed, [p[0] for p in Model(seed).parts], far, why), flush=True)
    print("%d passed, %d failed" % (last - first + 1 - bad, bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
