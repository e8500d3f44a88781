# SPDX-License-Identifier: MIT
"""An independent judge of planar motions with contacts. It shares nothing with Pawl but the text of
the model: energies, gaps and slips are evaluated here with complex numbers, derivatives are complex
steps, and at every instant the laws are asked anew.

At an impact: is there an impulse, in the cones that the rates after the jump leave to each contact,
that makes this jump of the velocities? Along the motion: are gaps and forces admissible, do closed
contacts stay closed, and do the velocities change as the forces say?
"""
import cmath
import csv
import math
import re

STEP = 1e-30  # of complex steps
SMALL = 1e-7  # rates, relative to the fastest of the motion, that count as zero
CLOSE = 1e-8  # gaps, relative to the size of the model: no further below zero, or open above
TOUCH = 1e-15  # the same that touch; what has just left is open again
MISS = 1e-5  # part of an impulse or of a force that may be unexplained


def translated(text):
    """Pawl's expression as Python's; x' becomes x_d."""
    return re.sub(r"\^", "**", re.sub(r"([A-Za-z_]\w*)'", r"\1_d", text))


FUNCTIONS = {"sin": cmath.sin, "cos": cmath.cos, "sqrt": cmath.sqrt, "pi": math.pi,
             "hypot": lambda a, b: cmath.sqrt(a*a + b*b)}


class Model:
    """names; kinetic and potential energy; contacts (name, gap, e); slips (name, slip, mu, contact)."""

    def __init__(self, names, kinetic, potential, contacts, slips):
        self.names = names
        self.n = len(names)
        self.T = self.function(kinetic)
        self.V = self.function(potential)
        self.contacts = [(n, self.function(g), e) for n, g, e in contacts]
        self.slips = [(n, self.function(s), mu, on) for n, s, mu, on in slips]

    def function(self, text):
        code = compile(translated(text), text, "eval")
        names, n = self.names, len(self.names)

        def value(q, u):
            scope = dict(FUNCTIONS)
            for i in range(n):
                scope[names[i]] = q[i]
                scope[names[i] + "_d"] = u[i]
            return eval(code, scope)  # text of this test
        return value

    def momentum(self, q, u):
        """dT/du; T is quadratic in u."""
        out = []
        for i in range(self.n):
            plus = [u[j] + (j == i) for j in range(self.n)]
            minus = [u[j] - (j == i) for j in range(self.n)]
            out.append((self.T(q, plus) - self.T(q, minus))/2)
        return out

    def mass(self, q):
        return [[complex(x).real for x in self.momentum(q, unit(self.n, i))]
                for i in range(self.n)]

    def force(self, q, u):
        """M a = h + J^T lambda."""
        zero, h = [0]*self.n, []
        turned = self.momentum([complex(a, STEP*b) for a, b in zip(q, u)], u)
        for i in range(self.n):
            moved = list(q)
            moved[i] = complex(q[i], STEP)
            lq = (self.T(moved, u) - self.V(moved, zero)).imag/STEP
            h.append(lq - turned[i].imag/STEP)
        return h

    def gap_row(self, g, q):
        zero, row = [0]*self.n, []
        for i in range(self.n):
            moved = list(q)
            moved[i] = complex(q[i], STEP)
            row.append(complex(g(moved, zero)).imag/STEP)
        return row

    def slip_row(self, s, q):
        zero = [0]*self.n
        base = complex(s(q, zero)).real
        return [complex(s(q, unit(self.n, i))).real - base for i in range(self.n)]

    def bend(self, row, q, u):
        """d(row)/dt . u, by a central difference of exact rows."""
        size = max([abs(x) for x in q] + [1e-3])
        speed = max([abs(x) for x in u] + [1e-300])
        h = 1e-5*size/speed
        a = row([x + h*v for x, v in zip(q, u)])
        b = row([x - h*v for x, v in zip(q, u)])
        return sum((x - y)*v for x, y, v in zip(a, b, u))/(2*h)


def unit(n, i):
    return [1.0 if j == i else 0.0 for j in range(n)]


def dot(a, b):
    return sum(x*y for x, y in zip(a, b))


def solve(A, b):
    """Gauss' elimination with pivots; None: singular."""
    n = len(b)
    M = [list(A[i]) + [b[i]] for i in range(n)]
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(M[i][k]))
        if abs(M[p][k]) < 1e-13:
            return None
        M[k], M[p] = M[p], M[k]
        for i in range(k + 1, n):
            f = M[i][k]/M[k][k]
            if f:
                for j in range(k, n + 1):
                    M[i][j] -= f*M[k][j]
    x = [0.0]*n
    for i in reversed(range(n)):
        x[i] = (M[i][n] - sum(M[i][j]*x[j] for j in range(i + 1, n)))/M[i][i]
    return x


def cholesky(M):
    n = len(M)
    L = [[0.0]*n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            s = M[i][j] - sum(L[i][k]*L[j][k] for k in range(j))
            L[i][j] = math.sqrt(s) if i == j else s/L[j][j]
    return L


def forward(L, v):
    y = []
    for i in range(len(v)):
        y.append((v[i] - sum(L[i][k]*y[k] for k in range(i)))/L[i][i])
    return y


def distance_to_cone(columns, b):
    """min |sum x_i columns_i - b| over x >= 0 (Lawson and Hanson)."""
    m = len(columns)
    x, inside, banned = [0.0]*m, [], set()
    for _ in range(10*m + 20):
        r = [bi - sum(x[j]*columns[j][i] for j in inside) for i, bi in enumerate(b)]
        w = [dot(c, r) for c in columns]
        free = [j for j in range(m) if j not in inside and j not in banned]
        best = max(free, key=lambda j: w[j], default=None)
        if best is None or w[best] <= 1e-13*(1 + math.sqrt(dot(b, b))):
            break
        trial = inside + [best]
        while trial:
            G = [[dot(columns[i], columns[j]) + (1e-14 if i == j else 0) for j in trial] for i in trial]
            s = solve(G, [dot(columns[i], b) for i in trial])
            if s is None:
                banned.add(best)
                trial = None
                break
            if all(v > 0 for v in s):
                break
            ratio, out = min((x[j]/(x[j] - v), j) for j, v in zip(trial, s) if v <= 0)
            for j, v in zip(trial, s):
                x[j] += ratio*(v - x[j])
            x[out] = 0.0
            trial = [j for j in trial if j != out]
        if trial is None:
            continue
        inside = trial
        x = [0.0]*m
        for j, v in zip(inside, s):
            x[j] = v
        banned.clear()
    r = [bi - sum(x[j]*columns[j][i] for j in range(m)) for i, bi in enumerate(b)]
    return math.sqrt(dot(r, r))


class Judge:
    def __init__(self, model, folder):
        self.m = model
        self.rows = list(csv.DictReader(open(folder + "/trajectory.csv")))
        self.events = list(csv.DictReader(open(folder + "/events.csv")))
        self.speed = max([self.energy_speed(r) for r in self.rows] + [1e-300])
        self.size = max(abs(float(r[n])) for r in self.rows for n in model.names)
        self.times = sorted({float(e["t"]) for e in self.events})
        self.found = []

    def state(self, row, form="%s"):
        q = [float(row[form % n]) for n in self.m.names]
        u = [float(row[form % (n + "'")]) for n in self.m.names]
        return q, u

    def energy_speed(self, row):
        q, u = self.state(row)
        return math.sqrt(max(2*complex(self.m.T(q, u)).real, 0))

    def objects(self, t, what, size):
        self.found.append((float(t), what, size))

    # ---- impacts ----

    def cones(self, q, u0, u1, touching, L, lawful):
        """Directions of impulses, in the metric, that the rates after the jump leave."""
        out, tiny = [], SMALL*self.speed
        for name, g, e in touching:
            J = self.m.gap_row(g, q)
            length = math.sqrt(dot(forward(L, J), forward(L, J)))
            before, after = dot(J, u0), dot(J, u1)
            if lawful and after + e*before > tiny*length:
                continue
            normal = forward(L, J)
            sides = [normal]
            for _, s, mu, on in self.m.slips:
                if on != name:
                    continue
                S = self.m.slip_row(s, q)
                tangent, slip = forward(L, S), dot(S, u1)
                wide = math.sqrt(dot(tangent, tangent))*tiny
                signs = [1, -1] if abs(slip) <= wide or not lawful else [-1 if slip > 0 else 1]
                sides = [[a + sign*mu*b for a, b in zip(n, tangent)] for n in sides for sign in signs]
            out += sides
        return out

    def impact(self, rows):
        q, u0 = self.state(rows[0], "before(%s)")
        _, u1 = self.state(rows[0], "after(%s)")
        L = cholesky(self.m.mass(q))
        hit = {r["at"] for r in rows}  # what is hit a moment later may be hit at once
        touching = [c for c in self.m.contacts if complex(c[1](q, [0]*self.m.n)).real <=
                    (CLOSE if c[0] in hit else TOUCH)*self.size]
        M = self.m.mass(q)
        dp = forward(L, [dot(M[i], [a - b for a, b in zip(u1, u0)]) for i in range(self.m.n)])
        jump = math.sqrt(dot(dp, dp))
        tiny = SMALL*self.speed
        for name, g, _ in touching:
            J = self.m.gap_row(g, q)
            length = math.sqrt(dot(forward(L, J), forward(L, J)))
            t = float(rows[0]["t"])
            soon = any(e["at"] == name and t < float(e["t"]) < t + 1e-5 for e in self.events)
            if dot(J, u1) < -10*tiny*length and not soon:
                self.objects(rows[0]["t"], f"{name} still closes after the impact", dot(J, u1))
        plastic = all(e == 0 for _, _, e in touching) or len(touching) == 1
        miss = distance_to_cone(self.cones(q, u0, u1, touching, L, plastic), dp)
        if miss > MISS*jump + 30*tiny:
            self.objects(rows[0]["t"], "no impulse in the cones makes this jump", miss/jump)

    def impacts(self):
        groups, rests = {}, [float(e["t"]) for e in self.events if e["kind"] == "rest"]
        for e in self.events:
            if e["kind"] == "impact" and e["before(%s)" % self.m.names[0]] != "":
                groups.setdefault(float(e["t"]), []).append(e)
        times = sorted(groups)
        for t in times:
            later = [s for s in times if s > t]
            completes = any(r >= t and not any(s <= r for s in later) for r in rests)
            if not completes:  # a completion stops contacts at once
                self.impact(groups[t])
        return len(times)

    # ---- between ----

    def forces(self, row):
        lam = {}
        for name, _, _ in self.m.contacts:
            lam[name] = float(row[f"force({name})"])
        for name, _, _, _ in self.m.slips:
            lam[name] = float(row[f"force({name})"])
        return lam

    def flow(self, row):
        """Admissible forces, and the accelerations they give."""
        q, u = self.state(row)
        lam, h = self.forces(row), self.m.force(*self.state(row))
        M = self.m.mass(q)
        L = cholesky(M)
        tiny = SMALL*self.speed
        total = list(h)
        rows = {}
        scale = math.sqrt(dot(forward(L, h), forward(L, h)))
        for name, g, _ in self.m.contacts:
            J = rows[name] = self.m.gap_row(g, q)
            length = math.sqrt(dot(forward(L, J), forward(L, J)))
            gap = complex(g(q, [0]*self.m.n)).real
            total = [a + lam[name]*b for a, b in zip(total, J)]
            scale = max(scale, abs(lam[name])*length)
            if gap < -CLOSE*self.size:
                self.objects(row["t"], f"{name} is violated", gap)
            if lam[name]*length < -MISS*scale:
                self.objects(row["t"], f"{name} pulls", lam[name])
            if lam[name]*length > MISS*scale and gap > CLOSE*self.size:
                self.objects(row["t"], f"{name} pushes while open", gap)
        for name, s, mu, on in self.m.slips:
            S = rows[name] = self.m.slip_row(s, q)
            length = math.sqrt(dot(forward(L, S), forward(L, S)))
            slip = dot(S, u)
            total = [a + lam[name]*b for a, b in zip(total, S)]
            if (abs(lam[name]) - mu*lam[on])*length > MISS*scale:
                self.objects(row["t"], f"{name} is outside its cone", lam[name])
            if abs(slip) > 1e3*tiny*length and lam[on]*length > MISS*scale:
                if abs(lam[name] + math.copysign(mu*lam[on], slip))*length > MISS*scale:
                    self.objects(row["t"], f"{name} slides without its whole friction", lam[name])
        a = solve(M, total)
        for name, g, _ in self.m.contacts:
            J = rows[name]
            length = math.sqrt(dot(forward(L, J), forward(L, J)))
            gap, rate = complex(g(q, [0]*self.m.n)).real, dot(J, u)
            quiet = not any(float(row["t"]) <= e <= float(row["t"]) + 1e-3 for e in self.times)
            if quiet and gap <= TOUCH*self.size and abs(rate) <= tiny*length:
                y = dot(J, a) + self.m.bend(lambda p, f=g: self.m.gap_row(f, p), q, u)
                if y < -100*MISS*scale*length:
                    self.objects(row["t"], f"{name} accelerates inward", y)
                if lam[name]*length > MISS*scale and y > 100*MISS*scale*length:
                    self.objects(row["t"], f"{name} pushes while it leaves", y)
        return a

    def motion(self, count):
        """A sample of rows, and the change of velocity between neighbours without an event."""
        n = len(self.rows)
        for k in range(min(count, n - 1)):
            i = k*(n - 1)//count
            a, b = self.rows[i], self.rows[i + 1]
            t0, t1 = float(a["t"]), float(b["t"])
            acceleration = self.flow(a)
            if t1 > t0 and not any(t0 <= e <= t1 for e in self.times):
                other = self.flow(b)
                (q, u0), (_, u1) = self.state(a), self.state(b)
                gain = [(v1 - v0) - (x + y)*(t1 - t0)/2
                        for v0, v1, x, y in zip(u0, u1, acceleration, other)]
                size = max(self.speed*1e-6, (t1 - t0)*math.sqrt(
                    sum(dot(row, acceleration)*x for row, x in zip(self.m.mass(q), acceleration))))
                miss = math.sqrt(sum(dot(row, gain)*x for row, x in zip(self.m.mass(q), gain)))
                if miss > 0.1*size:
                    self.objects(t0, "velocities do not change as the forces say", miss/size)
        return count


def judge(model, folder, count=40):
    """Objections, and how many instants were looked at."""
    j = Judge(model, folder)
    seen = j.impacts() + j.motion(count)
    return j.found, seen
