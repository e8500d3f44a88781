#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""signals.py [FIRST..LAST]: random models of masses by parts with inputs, tables, states, samples, delays and stairs,
integrated by a program of its own: the classical Runge-Kutta method with steps that end where something switches,
bisection for the instants, Hermite polynomials for the past. Shares nothing with Pawl. Compares the states at the end."""
import bisect
import json
import math
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PAWL = os.environ.get("PAWL", os.path.join(ROOT, "build", "pawl"))
STEP = 1e-3
PART = """parameter m = 1, k = 1, c = 0.1, x0 = 0
coordinates x
kinetic T = 1/2*m*x'^2
potential V = 1/2*k*x^2
dissipation D = 1/2*c*x'^2
start x = x0
"""


class Piece:
    """A function of one argument in pieces; the piece is held inside of a step."""
    def __init__(self, arg):
        self.arg, self.mode = arg, 0

    def find(self, t, y):
        self.mode = self.piece(self.arg(t, y))

    def leave(self, t, y):
        """How far inside of its piece the argument is."""
        lo, hi = self.ends(self.mode)
        x = self.arg(t, y)
        return min(x - lo, hi - x)

    def turn(self, t, y):
        lo, hi = self.ends(self.mode)
        x = self.arg(t, y)
        self.mode += 1 if hi - x < x - lo else -1

    def __call__(self, t, y):
        return self.value(self.arg(t, y), self.mode)


class Stairs(Piece):
    def piece(self, x):
        return math.floor(x)

    def ends(self, k):
        return k, k + 1

    def value(self, x, k):
        return k


class Above(Piece):
    """1 above 0, else 0."""
    def piece(self, x):
        return 1 if x > 0 else 0

    def ends(self, k):
        return (0, math.inf) if k else (-math.inf, 0)

    def value(self, x, k):
        return k


class Table(Piece):
    def __init__(self, arg, points, words):
        super().__init__(arg)
        self.x, self.y = [p[0] for p in points], [p[1] for p in points]
        self.periodic, self.extend = "periodic" in words, "extend" in words
        self.n = len(points) - 1
        self.curve = self.natural() if "cubic" in words else None

    def natural(self):
        x, y, n = self.x, self.y, self.n
        h = [x[i + 1] - x[i] for i in range(n)]
        A = [[0.0] * (n + 1) for _ in range(n + 1)]
        b = [0.0] * (n + 1)
        A[0][0] = A[n][n] = 1.0
        for i in range(1, n):
            A[i][i - 1], A[i][i], A[i][i + 1] = h[i - 1], 2 * (h[i - 1] + h[i]), h[i]
            b[i] = 6 * ((y[i + 1] - y[i]) / h[i] - (y[i] - y[i - 1]) / h[i - 1])
        for i in range(1, n + 1):
            f = A[i][i - 1] / A[i - 1][i - 1]
            A[i] = [p - f * q for p, q in zip(A[i], A[i - 1])]
            b[i] -= f * b[i - 1]
        m = [0.0] * (n + 1)
        for i in reversed(range(n + 1)):
            m[i] = (b[i] - (A[i][i + 1] * m[i + 1] if i < n else 0)) / A[i][i]
        return m

    def piece(self, x):
        if self.periodic:
            turns = math.floor((x - self.x[0]) / (self.x[-1] - self.x[0]))
            return turns * self.n + min(self.n - 1, bisect.bisect_right(self.x, x - turns * (self.x[-1] - self.x[0])) - 1)
        k = bisect.bisect_right(self.x, x) - 1
        return min(max(k, 0), self.n - 1) if self.extend else k

    def ends(self, k):
        if self.periodic:
            period = self.x[-1] - self.x[0]
            turns, i = divmod(k, self.n)
            return self.x[i] + turns * period, self.x[i + 1] + turns * period
        lo = -math.inf if k < 0 or (self.extend and k == 0) else self.x[k]
        hi = math.inf if k >= self.n or (self.extend and k == self.n - 1) else self.x[k + 1]
        return lo, hi

    def value(self, x, k):
        i, d = k, 0.0
        if self.periodic:
            turns, i = divmod(k, self.n)
            d = turns * (self.x[-1] - self.x[0])
        if i < 0 or i >= self.n:
            return self.y[0 if i < 0 else -1]
        h, s = self.x[i + 1] - self.x[i], x - d - self.x[i]
        if self.curve is None:
            return self.y[i] + (self.y[i + 1] - self.y[i]) / h * s
        m, r = self.curve, h - s
        return ((m[i] * r ** 3 + m[i + 1] * s ** 3) / (6 * h) + (self.y[i] / h - m[i] * h / 6) * r
                + (self.y[i + 1] / h - m[i + 1] * h / 6) * s)


class Model:
    def __init__(self, seed):
        draw = random.Random(seed)
        self.n = draw.randint(1, 3)
        self.end = round(draw.uniform(1, 2.5), 3)
        r = lambda a, b: round(draw.uniform(a, b), 3)
        self.mass = [(r(0.5, 2), r(1, 20), r(0.01, 0.4), r(-1, 1)) for _ in range(self.n)]
        n = self.n
        who = lambda: draw.randrange(n)
        # input: corners and jumps
        times = sorted({r(0, self.end) for _ in range(draw.randint(1, 4))})
        course = [(0.0, r(-1, 1))]
        for t in times:
            course.append((t, r(-1, 1)))
            if draw.random() < 0.5:
                course.append((t, r(-1, 1)))
        self.course = course
        # state, sample
        self.tau, self.zi, self.zg = r(0.05, 0.5), who(), (r(-1, 1), r(-1, 1))
        self.T, self.ug, self.ui = draw.choice([0.01, 0.02, 0.05, r(0.01, 0.1)]), (r(-3, 3), r(-2, 2), r(-1, 1)), (who(), who())
        self.quantum = draw.choice([0, 0.1, r(0.02, 0.2)])
        # table
        xs = sorted({r(-1.2, 1.2) for _ in range(draw.randint(3, 6))})
        while len(xs) < 3:
            xs = sorted({r(-1.2, 1.2) for _ in range(6)})
        words = draw.choice([[], ["extend"], ["periodic"], ["cubic"], ["cubic", "extend"]])
        ys = [r(-2, 2) for _ in xs]
        if "periodic" in words:
            ys[-1] = ys[0]
        self.table, self.words, self.ti = list(zip(xs, ys)), words, who()
        self.tv = draw.random() < 0.3
        # stairs of a place, saw of the time, delay
        self.si, self.sg = who(), (r(1, 4), r(-0.5, 0.5))
        self.P, self.pi, self.pg = draw.choice([0.1, 0.25, r(0.1, 0.5)]), who(), r(-2, 2)
        self.late = draw.choice([self.T, 5 * self.T, 0.05, r(0.03, 0.3)])
        self.di, self.dj, self.dg = who(), who(), r(-2, 2)
        self.dk = draw.choice(["x", "v", "u", "F", "if", "z"])
        self.ci, self.cg = who(), r(-0.5, 0.5)

    def text(self):
        m = self
        v = lambda i, prime="": "a[%d].x%s" % (i + 1, prime)
        put = "include \"mass.pawl\" as a[i in 1..%d]" % m.n
        for i, row in enumerate(m.mass):
            put += "".join(", a[%d].%s = %r" % (i + 1, name, value) for name, value in zip(("m", "k", "c", "x0"), row))
        u = "%r*%s + %r*z + %r*%s" % (m.ug[0], v(m.ui[0]), m.ug[1], m.ug[2], v(m.ui[1], "'"))
        u = "min(2, max(-2, %s))" % u
        u = "%r*round((%s)/%r)" % (m.quantum, u, m.quantum) if m.quantum else u
        late = {"x": v(m.di), "v": v(m.di, "'"), "u": "u", "F": "F", "z": "z",
                "if": "if(%s > %r, 1, 0)" % (v(m.di), m.cg)}[m.dk]
        return "\n".join([
            put,
            "input F = 0 through " + "".join("(%r, %r)" % p for p in m.course),
            "table M(q): " + "".join("(%r, %r)" % p for p in m.table) + "".join(", " + w for w in m.words),
            "state z' = (%r*%s + %r*F - z)/%r" % (m.zg[0], v(m.zi), m.zg[1], m.tau),
            "sample u: %s, every %r" % (u, m.T),
            "force %s: u + F" % v(0),
            "force %s: M(%s)" % (v(m.ti), v(m.ti, "'" if m.tv else "")),
            "force %s: %r*floor(%r*%s)" % (v(m.si), m.sg[1], m.sg[0], v(m.si)),
            "force %s: %r*mod(t, %r)" % (v(m.pi), m.pg, m.P),
            "force %s: %r*delay(%s, %r)" % (v(m.dj), m.dg, late, m.late),
            "start z = 0.1", "run 0..%r" % m.end, ""])

    # ---- the judge ----

    def F(self, t, y):
        c = self.course
        i = self.at
        if i < 0 or i >= len(c) - 1:
            return c[0 if i < 0 else -1][1]
        (a, p), (b, q) = c[i], c[i + 1]
        return p + (q - p) * (t - a) / (b - a) if b > a else q

    def sample(self, t, y):
        n = self.n
        u = self.ug[0] * y[self.ui[0]] + self.ug[1] * y[2 * n] + self.ug[2] * y[n + self.ui[1]]
        u = min(2, max(-2, u))
        if self.quantum:
            q = u / self.quantum
            u = self.quantum * math.copysign(math.floor(abs(q) + 0.5), q)
        return u

    def seen(self, t, y, u, at, above):
        """What the delay looks at."""
        n = self.n
        if self.dk == "F":
            keep, self.at = self.at, at
            f = self.F(t, y)
            self.at = keep
            return f
        return {"x": lambda: y[self.di], "v": lambda: y[n + self.di], "u": lambda: u, "z": lambda: y[2 * n],
                "if": lambda: above}[self.dk]()

    def past(self, t):
        h = self.history
        if self.late_of is None:
            return self.first
        s = t - self.late
        k = self.late_of
        while k + 1 < len(h) and h[k + 1][0] <= s and h[k + 1][0] < self.late_until:
            k += 1
        t0, t1, y0, f0, y1, f1, u, at, above = h[k]
        d, x = t1 - t0, (s - t0) / (t1 - t0)
        a, b = (1 + 2 * x) * (1 - x) ** 2, x * x * (3 - 2 * x)
        p, q = x * (1 - x) ** 2 * d, -x * x * (1 - x) * d
        y = [a * g + p * i + b * k2 + q * j for g, i, k2, j in zip(y0, f0, y1, f1)]
        return self.seen(s, y, u, at, above)

    def rates(self, t, y):
        n, m = self.n, self
        Q = [-k * y[i] - c * y[n + i] for i, (_, k, c, _) in enumerate(m.mass)]
        Q[0] += m.u + m.F(t, y)
        Q[m.ti] += m.M(t, y)
        Q[m.si] += m.sg[1] * m.S(t, y)
        Q[m.pi] += m.pg * (t - m.P * m.saw)
        Q[m.dj] += m.dg * m.past(t)
        z = (m.zg[0] * y[m.zi] + m.zg[1] * m.F(t, y) - y[2 * n]) / m.tau
        return y[n:2 * n] + [q / w[0] for q, w in zip(Q, m.mass)] + [z]

    def step(self, t, y, h):
        f = self.rates
        a = f(t, y)
        b = f(t + h / 2, [p + h / 2 * q for p, q in zip(y, a)])
        c = f(t + h / 2, [p + h / 2 * q for p, q in zip(y, b)])
        d = f(t + h, [p + h * q for p, q in zip(y, c)])
        return [p + h / 6 * (q + 2 * r + 2 * s + w) for p, q, r, s, w in zip(y, a, b, c, d)]

    def run(self):
        n = self.n
        y = [w[3] for w in self.mass] + [0.0] * n + [0.1]
        self.M = Table((lambda t, y: y[(n if self.tv else 0) + self.ti]), self.table, self.words)
        self.S = Stairs(lambda t, y: self.sg[0] * y[self.si])
        self.A = Above(lambda t, y: y[self.di] - self.cg)
        pieces = [self.M, self.S] + ([self.A] if self.dk == "if" else [])
        self.history, self.late_of, self.late_until = [], None, math.inf
        self.saw, self.at = 0, bisect.bisect_right([p[0] for p in self.course], 0.0) - 1
        for p in pieces:
            p.find(0.0, y)
        self.u = self.sample(0.0, y)
        self.first = self.seen(0.0, y, self.u, self.at, self.A.piece(self.A.arg(0.0, y)))
        breaks, t = [self.late], 0.0  # instants at which the past is not smooth, seen later
        ticks, teeth, knots = 1, 1, sorted({p[0] for p in self.course if p[0] > 0})
        while t < self.end - 1e-13:
            due = min([ticks * self.T, teeth * self.P, self.end] + knots[:1] + breaks[:1])
            h = min(STEP, due - t)
            h = due - t if due - t - h < 1e-9 else h
            if h > 1e-13:
                z = self.step(t, y, h)
                out = [p for p in pieces if p.leave(t + h, z) < 0]
                if out:
                    lo, hi = 0.0, h
                    for _ in range(60):
                        mid = (lo + hi) / 2
                        w = self.step(t, y, mid)
                        lo, hi = (lo, mid) if any(p.leave(t + mid, w) < 0 for p in pieces) else (mid, hi)
                    h, z = hi, self.step(t, y, hi)
                    out = [p for p in pieces if p.leave(t + h, z) < 0]
                    due = math.nan
                self.history.append((t, t + h, y, self.rates(t, y), z, self.rates(t + h, z), self.u, self.at, self.A.mode))
                t, y = (due if h == due - t else t + h), z
                for p in out:
                    p.turn(t, y)
                if out:
                    breaks.append(t + self.late)
            # what the time brings
            if abs(t - self.end) < 1e-13:
                break
            before, brings = self.u, False
            if abs(t - ticks * self.T) < 1e-12:
                self.u, ticks, brings = self.sample(t, y), ticks + 1, True
            if abs(t - teeth * self.P) < 1e-12:
                self.saw, teeth, brings = teeth, teeth + 1, True
            if knots and abs(t - knots[0]) < 1e-12:
                knots.pop(0)
                self.at, brings = bisect.bisect_right([p[0] for p in self.course], t + 1e-12) - 1, True
            if brings:
                breaks.append(t + self.late)
            if breaks and abs(t - breaks[0]) < 1e-12:
                while breaks and abs(t - breaks[0]) < 1e-12:
                    breaks.pop(0)
                s = t - self.late
                self.late_of = max(0, bisect.bisect_right([e[0] for e in self.history], s + 1e-12) - 1)
            self.late_until = (breaks[0] if breaks else math.inf) - self.late - 1e-12
        return {**{"a[%d].x" % (i + 1): y[i] for i in range(n)}, **{"a[%d].x'" % (i + 1): y[n + i] for i in range(n)},
                "z": y[2 * n]}


def difference(seed, folder):
    model = Model(seed)
    path = os.path.join(folder, "m%d.pawl" % seed)
    with open(path, "w") as out:
        out.write(model.text())
    run = subprocess.run([PAWL, "run", path, "--no-save", "--json", "--tol", "1e-10"], capture_output=True, text=True)
    want = model.run()
    try:
        got = json.loads(run.stdout)["state"]
    except (ValueError, KeyError):
        return math.inf, run.stderr[-300:]
    if run.returncode != 0:
        return math.inf, "exit %d: %s" % (run.returncode, run.stdout[-300:])
    return max(abs(got[k] - v) / max(1, abs(v)) for k, v in want.items()), ""


def judge(seed):
    """Largest difference of one model."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "mass.pawl"), "w") as out:
            out.write(PART)
        return difference(seed, folder)[0]


def main():
    first, last = (int(x) for x in (sys.argv[1:] or ["1..12"])[0].split(".."))
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "mass.pawl"), "w") as out:
            out.write(PART)
        for seed in range(first, last + 1):
            far, why = difference(seed, folder)
            if not far <= 1e-7:
                bad += 1
                print("FAILED  model %d: %.1e %s" % (seed, far, why), flush=True)
    print("%d passed, %d failed" % (last - first + 1 - bad, bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
