# SPDX-License-Identifier: MIT
"""teeth.py: a wheel with saw teeth and a pawl on it, for judge.py. The tip of the pawl is a contact with the flank
it lies on, the steep face behind it is another; both are plastic. Which of them act is found by trying all four
subsets. Shares nothing with Pawl."""
import math
import random

from jets import go

TEXT = """model "Ratchet with saw teeth"
parameter Jw = {Jw}, Jp = {Jp}, n = {n}, h = {h}, a = {a}, k = {k}, p0 = {p0}, T0 = {T0}, f = {f}
coordinates w, p
let x = w*n/(2*pi)
kinetic T = 1/2*Jw*w'^2 + 1/2*Jp*p'^2
potential V = 1/2*k*(p + p0)^2
constraint tip: a*p >= h*mod(x, 1), restitution 0
force w: T0*sin(f*t)
start w = {w}, p = {p}
run 0..{end}
"""
BASE = dict(Jw=0.002, Jp=2e-5, n=24, h=0.004, a=0.03, k=0.2, p0=0.3, T0=0.05, f=3, w=0.01, p=0.2, end=4)


def saw_ratchet(Jw, Jp, n, h, a, k, p0, T0, f, w, p, end):
    c = n / (2 * math.pi)
    mass = (Jw, Jp)
    grad = {"tip": (-h * c, a), "face": (c, 0.0)}

    def force(y):
        return T0 * math.sin(f * y[4]), -k * (y[1] + p0)

    def subset(rows, start, bias):
        """(velocities or accelerations, multipliers >= 0) with rates of the rows >= 0, complementary."""
        for mask in range(1 << len(rows)):
            act = [r for i, r in enumerate(rows) if mask >> i & 1]
            A = [[sum(grad[r][i] * grad[s][i] / mass[i] for i in (0, 1)) for s in act] for r in act]
            b = [-sum(grad[r][i] * start[i] for i in (0, 1)) for r in act]
            if len(act) == 2:
                d = A[0][0] * A[1][1] - A[0][1] * A[1][0]
                lam = [(b[0] * A[1][1] - b[1] * A[0][1]) / d, (A[0][0] * b[1] - A[1][0] * b[0]) / d]
            else:
                lam = [b[0] / A[0][0]] if act else []
            out = [start[i] + sum(l * grad[r][i] / mass[i] for l, r in zip(lam, act)) for i in (0, 1)]
            rates = [sum(grad[r][i] * out[i] for i in (0, 1)) for r in rows]
            size = max(1e-30, abs(start[0]), abs(start[1])) * bias
            if all(l >= 0 for l in lam) and all(v >= -size for v in rates):
                return out, dict(zip(act, lam))
        raise ValueError("no motion")

    def phase(tooth, rows):
        """The pawl over tooth `tooth`, with these contacts closed."""
        def acc(y):
            start = [q / m for q, m in zip(force(y), mass)]
            if not rows:
                return start, {}
            A = [[sum(grad[r][i] * grad[s][i] / mass[i] for i in (0, 1)) for s in rows] for r in rows]
            b = [-sum(grad[r][i] * start[i] for i in (0, 1)) for r in rows]
            if len(rows) == 1:
                lam = [b[0] / A[0][0]]
            else:
                d = A[0][0] * A[1][1] - A[0][1] * A[1][0]
                lam = [(b[0] * A[1][1] - b[1] * A[0][1]) / d, (A[0][0] * b[1] - A[1][0] * b[0]) / d]
            out = [start[i] + sum(l * grad[r][i] / mass[i] for l, r in zip(lam, rows)) for i in (0, 1)]
            return out, dict(zip(rows, lam))

        def flow(y):
            v, _ = acc(y)
            return [y[2], y[3], v[0], v[1], 1.0]

        def gap(y):
            return a * y[1] - h * (c * y[0] - tooth)

        def strike(y, new):
            """The contact `new` closes with a velocity; others that are closed take part."""
            touched = [r for r in ("tip", "face") if r in rows or r == new]
            v, impulses = subset(touched, y[2:4], 1e-12)
            z = [tooth / c if "face" in touched else y[0], y[1], v[0], v[1], y[4]]
            if "tip" in touched:
                z[1] = h * (c * z[0] - tooth) / a
            still = [r for r in touched if abs(sum(g * u for g, u in zip(grad[r], v))) <= 1e-12 * c]
            _, holds = subset(still, [q / m for q, m in zip(force(z), mass)], 1e-12)
            names = ["impact"] * len(impulses) + ["liftoff"] * sum(r in rows and r not in holds for r in touched)
            return names, z, phase(tooth, [r for r in touched if r in holds])

        def falls(y):
            return (["liftoff"] if "tip" in rows else []), y, phase(tooth + 1, [])

        def turns_back(y):
            if a * y[1] >= h:
                return [], y, phase(tooth - 1, [])
            return strike(y, "face")

        guards = [((lambda y: tooth + 1 - c * y[0]), falls)]
        if "tip" in rows:
            guards.append(((lambda y: acc(y)[1]["tip"]),
                           lambda y: ("liftoff", y, phase(tooth, [r for r in rows if r != "tip"]))))
        else:
            guards.append((gap, lambda y: strike(y, "tip")))
        if "face" in rows:
            guards.append(((lambda y: acc(y)[1]["face"]),
                           lambda y: ("liftoff", y, phase(tooth, [r for r in rows if r != "face"]))))
        else:
            guards.append(((lambda y: c * y[0] - tooth), turns_back))
        return lambda y: (flow, guards)

    events = []
    y, _ = go(phase(math.floor(c * w), []), [w, p, 0.0, 0.0, 0.0], 0, end, 2e-3, events)
    return events, {"w": y[0], "p": y[1], "w'": y[2], "p'": y[3]}


def example():
    return saw_ratchet(**BASE)


def others(count):
    """Ratchets with other numbers: {name: (text, answer)}."""
    draw = random.Random(19)
    out = {}
    for i in range(count):
        par = dict(BASE, Jw=draw.uniform(0.001, 0.005), Jp=draw.uniform(1e-5, 5e-5), n=draw.randint(8, 40),
                   h=draw.uniform(0.002, 0.006), k=draw.uniform(0.1, 0.5), p0=draw.uniform(0.2, 0.4),
                   T0=draw.uniform(0.03, 0.1), f=draw.uniform(2, 5), w=draw.uniform(0.005, 0.1), p=0.3, end=2)
        out["saw-%d" % i] = (TEXT.format(**par), (lambda par=par: saw_ratchet(**par)))
    return out
