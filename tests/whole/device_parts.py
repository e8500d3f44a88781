# SPDX-License-Identifier: MIT
"""What devices are made of: signals in time, tables, dry friction, springs with play. Each has its text for the model and its
values for the judge (device_judge.py)."""
import math

from device_judge import Law


class Chirp:
    """A sin(p t + q t^2)"""

    def __init__(self, rng, low, high):
        self.A, self.p, self.q = rng.uniform(low, high), rng.uniform(0.3, 3), rng.uniform(0.02, 0.6)

    def text(self, u, **unit):
        return f"{u(self.A, **unit)}*sin({u(self.p, s=-1)}*t + {u(self.q, s=-2)}*t^2)"

    def __call__(self, t):
        return self.A*math.sin(self.p*t + self.q*t*t)

    def rates(self, t):
        """The function, its first and its second derivative."""
        w, phase = self.p + 2*self.q*t, self.p*t + self.q*t*t
        return self(t), self.A*w*math.cos(phase), self.A*(2*self.q*math.cos(phase) - w*w*math.sin(phase))


class Pulses:
    """Bells and tents in time, of width 1e-4 to 1 of ten."""

    def __init__(self, rng, impulse):
        self.of = [(rng.random() < 0.5, rng.uniform(0.5, 9), 10**rng.uniform(-3, 0), rng.choice([-1, 1])*rng.uniform(0.3, 1)*impulse)
                   for _ in range(rng.randint(1, 3))]

    def text(self, u, **unit):
        unit = dict(unit)
        terms = []
        for bell, c, w, P in self.of:
            x = f"(t - {u(c, s=1)})/{u(w, s=1)}"
            terms.append(f"{u(P/w, **unit)}*" + (f"exp(-({x})^2)" if bell else f"max(0, 1 - abs({x}))"))
        return " + ".join(terms)

    def __call__(self, t):
        return sum(P/w*(math.exp(-((t - c)/w)**2) if bell else max(0.0, 1 - abs(t - c)/w)) for bell, c, w, P in self.of)

    def breaks(self):
        return [c + k*w for bell, c, w, P in self.of for k in ((-7, -3, -1, 0, 1, 3, 7) if bell else (-1, 0, 1))]


class Table:
    """Through points: straight lines or the natural cubic spline, constant outside; or the periodic spline."""

    def __init__(self, x, y, cubic, periodic=False):
        self.x, self.y, self.cubic, self.periodic = x, y, cubic, periodic
        self.bend = self.bends() if cubic else None

    def bends(self):
        """Second derivatives at the knots, by elimination of the full matrix."""
        x, y, n = self.x, self.y, len(self.x)
        h = [b - a for a, b in zip(x, x[1:])]
        A, r = [[0.0]*n for _ in range(n)], [0.0]*n
        A[0][0] = A[-1][-1] = 1.0
        for i in range(1, n - 1):
            A[i][i - 1], A[i][i], A[i][i + 1] = h[i - 1], 2*(h[i - 1] + h[i]), h[i]
            r[i] = 6*((y[i + 1] - y[i])/h[i] - (y[i] - y[i - 1])/h[i - 1])
        if self.periodic:  # the bends of both ends are one, the slopes too
            A[0] = [1.0] + [0.0]*(n - 2) + [-1.0]
            A[-1] = [0.0]*n
            A[-1][0], A[-1][1], A[-1][-2], A[-1][-1] = 2*h[0], h[0], h[-1], 2*h[-1]
            r[-1] = 6*((y[1] - y[0])/h[0] - (y[-1] - y[-2])/h[-1])
        return solve(A, r)

    def rates(self, x):
        """Value, slope and bend."""
        if self.periodic:
            x = self.x[0] + (x - self.x[0]) % (self.x[-1] - self.x[0])
        elif not self.x[0] <= x <= self.x[-1]:
            return (self.y[0] if x < self.x[0] else self.y[-1]), 0.0, 0.0
        i = max(k for k in range(len(self.x) - 1) if self.x[k] <= x)
        h, s = self.x[i + 1] - self.x[i], x - self.x[i]
        slope = (self.y[i + 1] - self.y[i])/h
        if not self.cubic:
            return self.y[i] + slope*s, slope, 0.0
        a, b = self.bend[i], self.bend[i + 1]
        first = slope - h*(2*a + b)/6
        return self.y[i] + s*(first + s*(a/2 + s*(b - a)/(6*h))), first + s*(a + s*(b - a)/(2*h)), a + s*(b - a)/h

    def __call__(self, x):
        return self.rates(x)[0]

    def text(self, name, u, across, up):
        points = "".join(f"({u(x, **across)}, {u(y, **up)})" for x, y in zip(self.x, self.y))
        return f"table {name}(x): {points}, {'cubic' if self.cubic else 'linear'}{', periodic' if self.periodic else ''}\n"


def solve(A, b):
    """Gauss with pivots."""
    A, n = [row[:] + [y] for row, y in zip(A, b)], len(b)
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(A[i][k]))
        A[k], A[p] = A[p], A[k]
        for i in range(k + 1, n):
            f = A[i][k]/A[k][k]
            A[i] = [x - f*y for x, y in zip(A[i], A[k])]
    for k in reversed(range(n)):
        A[k] = [x/A[k][k] for x in A[k]]
        for i in range(k):
            A[i] = [x - A[i][k]*y for x, y in zip(A[i], A[k])]
    return [row[-1] for row in A]


class Rubbing(Law):
    """Coordinates with their own mass and at most one dry friction each, against a belt of constant speed. State: places, speeds, rest.
    `push(t, z)`: other forces; `rub[i]`: None or (belt, bound(t, way, slip), most(t, way)) with way -1 or 1."""

    def __init__(self, masses, rub, push, kinks=lambda t, z: [], rest=lambda t, z: []):
        self.masses, self.rub, self.push, self.kinks, self.rest = masses, rub, push, kinks, rest
        self.n, self.way = len(masses), [1]*len(masses)

    def rate(self, t, z):
        n, a = self.n, []
        for i, (m, f) in enumerate(zip(self.masses, self.push(t, z))):
            rub = self.rub[i]
            if rub is None:
                a.append(f/m)
            elif self.way[i] == 0:
                a.append(0.0)
            else:
                a.append((f - self.way[i]*rub[1](t, self.way[i], z[n + i] - rub[0]))/m)
        return list(z[n:2*n]) + a + list(self.rest(t, z))

    def guards(self, t, z):
        out, f = [], self.push(t, z)
        for i, rub in enumerate(self.rub):
            if rub is None:
                out += [1.0, 1.0]
            elif self.way[i] == 0:
                out += [rub[2](t, 1) - f[i], rub[2](t, -1) + f[i]]
            else:
                out += [self.way[i]*(z[self.n + i] - rub[0]), 1.0]
        return out + self.kinks(t, z)

    def settle(self, t, z, i):
        """Sticks or slips from rest on the belt; from a stop the bound of sliding counts no more than that of sticking."""
        f, rub = self.push(t, z)[i], self.rub[i]
        self.way[i] = 1 if f > rub[2](t, 1) else -1 if f < -rub[2](t, -1) else 0

    def switch(self, t, z, i):
        z, k = list(z), i//2
        if k >= self.n:
            return z
        if self.way[k] != 0:
            z[self.n + k] = self.rub[k][0]
            self.settle(t, z, k)
        else:
            self.way[k] = 1 if i % 2 == 0 else -1
        return z

    def begin(self, t, z):
        for i, rub in enumerate(self.rub):
            if rub is not None:
                slip = z[self.n + i] - rub[0]
                self.way[i] = 1 if slip > 0 else -1
                if slip == 0:
                    self.settle(t, z, i)
        return z


def rub_of(rng, u, name, slip, belt, ml):
    """A friction law: its text and (belt, bound, most). `ml`: the units of its force."""
    F, kind = rng.uniform(0.3, 1.5), rng.choice(["bound", "static", "stribeck", "graph", "beat"])
    force = dict(ml, s=-2)
    if kind == "bound":
        return f"friction {name}: slip {slip}, bound {u(F, **force)}\n", (belt, lambda t, way, v: F, lambda t, way: F)
    if kind == "static":
        S = F*rng.uniform(1.05, 1.6)
        return (f"friction {name}: slip {slip}, bound {u(F, **force)}, static {u(S, **force)}\n",
                (belt, lambda t, way, v: F, lambda t, way: S))
    if kind == "stribeck":
        S, w = F*rng.uniform(1.1, 1.8), rng.uniform(0.1, 1)
        return (f"friction {name}: slip {slip}, bound {u(F, **force)} + {u(S - F, **force)}*exp(-abs(slip)/{u(w, l=2 - ml['l'], s=-1)})\n",
                (belt, lambda t, way, v: F + (S - F)*math.exp(-abs(v)/w), lambda t, way: S))
    if kind == "beat":
        w, d = rng.uniform(0.5, 4), rng.uniform(0.1, 0.8)

        def bound(t):
            return F*(1 + d*math.sin(w*t))
        return (f"friction {name}: slip {slip}, bound {u(F, **force)}*(1 + {d!r}*sin({u(w, s=-1)}*t))\n",
                (belt, lambda t, way, v: bound(t), lambda t, way: bound(t)))
    G, c = rng.uniform(0.3, 1.5), rng.uniform(0.05, 0.5)
    unit = dict(l=2 - ml["l"], s=-1)
    points = [(-1, -G - c), (0, -G), (0, F), (1, F + c)]
    return (f"law {name}: slip {slip}, graph " + "".join(f"({u(x, **unit)}, {u(y, **force)})" for x, y in points) + "\n",
            (belt, lambda t, way, v: (F if way > 0 else G) + c*abs(v), lambda t, way: F if way > 0 else G))


def beyond(e, b, k, c=0.0, rate=0.0):
    """Force of a spring with play -b..b and a damper that acts beyond it and never pulls."""
    if e > b:
        return max(0.0, k*(e - b) + c*rate)
    return min(0.0, k*(e + b) + c*rate) if e < -b else 0.0


def kinks_of(e, b, k, c, rate):
    return [e - b, e + b, k*(e - b) + c*rate, k*(e + b) + c*rate]
