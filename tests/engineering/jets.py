# SPDX-License-Identifier: MIT
"""jets.py: mechanics by numbers for judge.py. A jet is a function of positions and time with its gradient,
its rate and that part of its second derivative which needs no accelerations; sums of squares of such
rates are kinetic energies, jets that stay zero are constraints. Shares nothing with Pawl."""
import math


class Jet:
    __slots__ = ("v", "d", "a", "g")

    def __init__(self, v, d=0.0, a=0.0, g=()):
        self.v, self.d, self.a, self.g = v, d, a, g

    def through(self, f, f1, f2):
        """f(self), with its derivatives at the value."""
        return Jet(f, f1 * self.d, f1 * self.a + f2 * self.d * self.d, [f1 * x for x in self.g])

    def __add__(self, o):
        o = lift(o)
        g = [x + y for x, y in zip(self.g, o.g)] if self.g and o.g else self.g or o.g
        return Jet(self.v + o.v, self.d + o.d, self.a + o.a, g)

    __radd__ = __add__

    def __neg__(self):
        return Jet(-self.v, -self.d, -self.a, [-x for x in self.g])

    def __sub__(self, o):
        return self + -lift(o)

    def __rsub__(self, o):
        return -self + o

    def __mul__(self, o):
        if not isinstance(o, Jet):
            return Jet(self.v * o, self.d * o, self.a * o, [x * o for x in self.g])
        g = ([x * o.v + self.v * y for x, y in zip(self.g, o.g)] if self.g and o.g
             else [x * o.v for x in self.g] or [self.v * y for y in o.g])
        return Jet(self.v * o.v, self.d * o.v + self.v * o.d,
                   self.a * o.v + 2 * self.d * o.d + self.v * o.a, g)

    __rmul__ = __mul__


def lift(x):
    return x if isinstance(x, Jet) else Jet(x)


def sin(x):
    s, c = math.sin(x.v), math.cos(x.v)
    return x.through(s, c, -s)


def cos(x):
    s, c = math.sin(x.v), math.cos(x.v)
    return x.through(c, -s, -c)


def coordinates(q, u):
    n = len(q)
    return [Jet(q[i], u[i], 0.0, [float(i == k) for k in range(n)]) for i in range(n)]


def solve_all(A, columns):
    """A x = b for several b, by elimination with pivots."""
    n, m = len(A), len(columns)
    M = [row[:] + [c[i] for c in columns] for i, row in enumerate(A)]
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(M[i][k]))
        M[k], M[p] = M[p], M[k]
        top = M[k]
        for i in range(k + 1, n):
            f = M[i][k] / top[k]
            if f:
                row = M[i]
                for j in range(k, n + m):
                    row[j] -= f * top[j]
    out = []
    for c in range(m):
        x = [0.0] * n
        for k in reversed(range(n)):
            x[k] = (M[k][n + c] - sum(M[k][i] * x[i] for i in range(k + 1, n))) / M[k][k]
        out.append(x)
    return out


def solve(A, b):
    return solve_all(A, [b])[0]


def inertia(terms, n):
    """M and the part -sum m g a of the forces, of T = 1/2 sum m (jet')^2."""
    M, h = [[0.0] * n for _ in range(n)], [0.0] * n
    for m, x in terms:
        for i, gi in enumerate(x.g):
            if gi:
                h[i] -= m * gi * x.a
                for k in range(n):
                    M[i][k] += m * gi * x.g[k]
    return M, h


def responses(terms, forces, rows):
    """[(q'', lambda)] of M q'' = h + force + J^T lambda with the rows held: for the first force as it is, for each of
    the others what it changes."""
    n = len(forces[0])
    M, h = inertia(terms, n)
    A = [M[i] + [-r.g[i] for r in rows] for i in range(n)]
    A += [list(r.g) + [0.0] * len(rows) for r in rows]
    first = [h[i] + forces[0][i] for i in range(n)] + [-r.a for r in rows]
    found = solve_all(A, [first] + [f + [0.0] * len(rows) for f in forces[1:]])
    return [(x[:n], x[n:]) for x in found]


def accelerations(terms, force, rows):
    return responses(terms, [force], rows)[0]


def impact(terms, u, rows, slips=()):
    """(u after, impulses) of an impact after which the rates of the rows are zero; slips: (jet, row, f), an
    impulse of f times that of a row along the jet."""
    n = len(u)
    M, _ = inertia(terms, n)
    A = []
    for i in range(n):
        J = [-r.g[i] for r in rows]
        for jet, row, f in slips:
            J[row] -= f * jet.g[i]
        A.append(M[i] + J)
    A += [list(r.g) + [0.0] * len(rows) for r in rows]
    rest = [r.d - sum(g * v for g, v in zip(r.g, u)) for r in rows]  # what time alone does
    x = solve(A, [sum(M[i][k] * u[k] for k in range(n)) for i in range(n)] + [-r for r in rest])
    return x[:n], x[n:]


def rates(rows, n, k, speed):
    """Velocities that keep the rows, n - 1 of them, with the k-th coordinate at this speed."""
    one = [float(i == k) for i in range(n)]
    return solve([list(r.g) for r in rows] + [one], [0.0] * (n - 1) + [speed])


def pull(jet, f, force):
    """Adds f along the gradient of a jet."""
    for i, g in enumerate(jet.g):
        force[i] += f * g


# ---- integration: extrapolation of the midpoint rule (Gragg, Bulirsch, Stoer) ----

SEQUENCE = (2, 4, 6, 8, 10, 12)


def leap(f, y, h):
    """y(t + h) of y' = f(y), of order 12."""
    table = []
    first = f(y)
    for i, n in enumerate(SEQUENCE):
        d = h / n
        a, b = y, [u + d * v for u, v in zip(y, first)]
        for _ in range(n - 1):
            a, b = b, [u + 2 * d * v for u, v in zip(a, f(b))]
        table.append([[(u + v + d * w) / 2 for u, v, w in zip(a, b, f(b))]])
        for j in range(1, i + 1):
            r = (SEQUENCE[i] / SEQUENCE[i - j]) ** 2 - 1
            table[i].append([p + (p - q) / r for p, q in zip(table[i][j - 1], table[i - 1][j - 1])])
    return table[-1][-1]


def first_root(f, guard, y, h, last):
    """Where in a step a guard becomes negative (Illinois), and the state there."""
    lo, hi, z = 0.0, h, last
    below, above, side = guard(y), guard(last), 0
    if below <= 0:  # it begins there: leave it first
        below = 1e-3 * abs(above)
    for _ in range(100):
        part = (lo * above - hi * below) / (above - below)
        if not lo < part < hi or hi - lo < 1e-13 * h:
            break
        w = leap(f, y, part)
        g = guard(w)
        if g >= 0:
            lo, below, above = part, g, above / (2 if side > 0 else 1)
            side = 1
        else:
            hi, above, z, below = part, g, w, below / (2 if side < 0 else 1)
            side = -1
        if abs(g) == 0:
            hi, z = part, w
            break
    return hi, z


def go(piece, y, t, end, h, events):
    """Follows pieces (f, guards) of the motion: a guard that becomes negative names the next piece
    and what it does to the state. `events` gets (name, t, state). Returns state and piece."""
    f, guards = piece(y)
    while t < end:
        h_now = min(h, end - t)
        if end - t - h_now < 1e-14:
            h_now = end - t
        z = leap(f, y, h_now)
        if all(g(z) >= 0 for g, _ in guards):
            t, y = t + h_now, z
            continue
        roots = [(first_root(f, g, y, h_now, z), act) for g, act in guards if g(z) < 0]
        first = min(r[0][0] for r in roots)  # of several at one time that which is listed first
        (part, z), act = next(r for r in roots if r[0][0] <= first + 1e-11)
        t += part
        name, y, piece = act(z)
        for one in name if isinstance(name, list) else [name]:
            events.append((one, t, y))
        f, guards = piece(y)
    return y, piece
