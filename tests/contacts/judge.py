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

import modes
from algebra import (cholesky, cross, distance_to_cone, distance_to_cones, dot, forward, backward, solve, unit)

STEP = 1e-30  # of complex steps
SMALL = 1e-7  # rates, relative to the fastest of the motion, that count as zero
CLOSE = 1e-8  # gaps, relative to the size of the model: no further below zero, or open above
TOUCH = 1e-15  # the same that touch; what has just left is open again
UNTIMED = 1000*2.0**-52  # part of a time that no clock tells: bounces that end within it end at the instant
TRIES = 40  # impacts of a sequence that are enumerated, at most
MISS = 1e-5  # part of an impulse or of a force that may be unexplained


def translated(text):
    """Pawl's expression as Python's; x' becomes x_d."""
    return re.sub(r"\^", "**", re.sub(r"([A-Za-z_]\w*)'", r"\1_d", text))


FUNCTIONS = {"sin": cmath.sin, "cos": cmath.cos, "sqrt": cmath.sqrt, "pi": math.pi,
             "hypot": lambda a, b: cmath.sqrt(a*a + b*b)}


class Model:
    """names; kinetic and potential energy; contacts (name, gap, e); slips (name, slip, mu, contact), with
    mu None for a rough one."""

    def __init__(self, names, kinetic, potential, contacts, slips):
        self.names = self.places = names
        self.rates = [name + "'" for name in names]
        self.n = len(names)
        self.T = self.function(kinetic)
        self.V = self.function(potential)
        self.contacts = [(n, self.function(g), e) for n, g, e in contacts]
        self.slips = [(n, [self.function(s)], mu, on) for n, s, mu, on in slips]

    def gap(self, g, q):
        return complex(g(q, [0]*self.n)).real

    def energy(self, q, u):
        return complex(self.T(q, u)).real

    def columns(self, name, slips):
        """Of the forces of a slip."""
        return [f"force({name})"]

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

    def gap_bend(self, g, q, u):
        return self.bend(lambda p: self.gap_row(g, p), q, u)

    def slip_bend(self, s, q, u):
        return self.bend(lambda p: self.slip_row(s, p), q, u)

    def bend(self, row, q, u):
        """d(row)/dt . u, by a central difference of exact rows."""
        size = max([abs(x) for x in q] + [1e-3])
        speed = max([abs(x) for x in u] + [1e-300])
        h = 1e-5*size/speed
        a = row([x + h*v for x, v in zip(q, u)])
        b = row([x - h*v for x, v in zip(q, u)])
        return sum((x - y)*v for x, y, v in zip(a, b, u))/(2*h)


class Boxes(Model):
    """Free boxes in space: per body (mass, principal moments, gravity as a vector); contacts
    (name, (body, corner, direction, offset), e) with the gap direction . P + offset; slips
    (name, [(body, corner, direction), ...], mu, contact). Velocities: of the centre, and angular in
    space axes."""

    def __init__(self, bodies, contacts, slips):
        self.bodies, self.contacts, self.slips = bodies, contacts, slips
        self.n = 6*len(bodies)
        self.places, self.rates = [], []
        for b in range(1, len(bodies) + 1):
            self.places += [f"b{b}.p[{i}]" for i in (1, 2, 3)] + [f"b{b}.R.q[{i}]" for i in (1, 2, 3, 4)]
            self.rates += [f"b{b}.p[{i}]'" for i in (1, 2, 3)] + [f"b{b}.w[{i}]" for i in (1, 2, 3)]

    def columns(self, name, slips):
        return [f"force({name})[{i + 1}]" for i in range(len(slips))]

    def arm(self, q, b, corner):
        w, x, y, z = q[7*b + 3:7*b + 7]
        R = [[1 - 2*(y*y + z*z), 2*(x*y - w*z), 2*(x*z + w*y)],
             [2*(x*y + w*z), 1 - 2*(x*x + z*z), 2*(y*z - w*x)],
             [2*(x*z - w*y), 2*(y*z + w*x), 1 - 2*(x*x + y*y)]]
        return R, [dot(row, corner) for row in R]

    def gap(self, g, q):
        b, corner, along, offset = g
        _, r = self.arm(q, b, corner)
        return dot(along, [q[7*b + i] + r[i] for i in range(3)]) + offset

    def slip_row(self, s, q):
        b, corner, along = s
        _, r = self.arm(q, b, corner)
        row = [0.0]*self.n
        row[6*b:6*b + 6] = list(along) + cross(r, along)
        return row

    def gap_row(self, g, q):
        return self.slip_row(g[:3], q)

    def slip_bend(self, s, q, u):
        b, corner, along = s
        _, r = self.arm(q, b, corner)
        w = u[6*b + 3:6*b + 6]
        return dot(along, cross(w, cross(w, r)))

    def gap_bend(self, g, q, u):
        return self.slip_bend(g[:3], q, u)

    def inertia(self, q, b):
        R, _ = self.arm(q, b, (0, 0, 0))
        moments = self.bodies[b][1]
        return [[sum(R[i][k]*moments[k]*R[j][k] for k in range(3)) for j in range(3)] for i in range(3)]

    def mass(self, q):
        M = [[0.0]*self.n for _ in range(self.n)]
        for b, (mass, _, _) in enumerate(self.bodies):
            I = self.inertia(q, b)
            for i in range(3):
                M[6*b + i][6*b + i] = mass
                M[6*b + 3 + i][6*b + 3:6*b + 6] = I[i]
        return M

    def energy(self, q, u):
        return sum(dot(row, u)*x for row, x in zip(self.mass(q), u))/2

    def force(self, q, u):
        h = []
        for b, (mass, _, gravity) in enumerate(self.bodies):
            w = u[6*b + 3:6*b + 6]
            h += [mass*x for x in gravity]
            h += [-x for x in cross(w, [dot(row, w) for row in self.inertia(q, b)])]
        return h


class Judge:
    def __init__(self, model, folder):
        self.m = model
        self.rows = list(csv.DictReader(open(folder + "/trajectory.csv")))
        self.events = list(csv.DictReader(open(folder + "/events.csv")))
        self.size = max(abs(float(r[n])) for r in self.rows for n in model.places)
        self.speed = max(self.energy_speed(r) for r in self.rows) or self.falling_speed()
        self.times = sorted({float(e["t"]) for e in self.events})
        self.found = []

    def state(self, row, form="%s"):
        q = [float(row[form % n]) for n in self.m.places]
        u = [float(row[form % n]) for n in self.m.rates]
        return q, u

    def energy_speed(self, row):
        return math.sqrt(max(2*self.m.energy(*self.state(row)), 0))

    def falling_speed(self):
        """Of a model that stays at rest: what its loads would make of it along its own size."""
        load = self.m.force(*self.state(self.rows[0]))
        return math.sqrt(2*max(abs(f) for f in load)*self.size) or 1e-300

    def objects(self, t, what, size):
        self.found.append((float(t), what, size))

    # ---- impacts ----

    def cones(self, q, u0, u1, touching, L):
        """Directions of impulses, in the metric, that the rates after the jump leave; disks apart."""
        out, disks, tiny = [], [], SMALL*self.speed
        for name, g, e in touching:
            J = self.m.gap_row(g, q)
            normal = forward(L, J)
            length = math.sqrt(dot(normal, normal))
            if dot(J, u1) + e*dot(J, u0) > tiny*length:
                continue
            sides = [normal]
            for _, slips, mu, on in self.m.slips:
                if on != name:
                    continue
                S = [self.m.slip_row(s, q) for s in slips]
                tangent, slip = [forward(L, row) for row in S], [dot(row, u1) for row in S]
                wide = max(math.sqrt(dot(t, t)) for t in tangent)*tiny
                if mu is None:
                    sides += tangent + [[-x for x in t] for t in tangent]
                elif len(slips) == 2 and math.hypot(*slip) <= wide:
                    disks.append((normal, tangent, mu))
                    sides = []
                elif len(slips) == 2:
                    d = [x/math.hypot(*slip) for x in slip]
                    sides = [[a - mu*(d[0]*b + d[1]*c) for a, b, c in zip(normal, *tangent)]]
                else:
                    signs = [1, -1] if abs(slip[0]) <= wide else [-1 if slip[0] > 0 else 1]
                    sides = [[a + sign*mu*b for a, b in zip(normal, tangent[0])] for sign in signs]
            out += sides
        return out, disks

    def lawful(self, q, u0, u1, touching, L, M):
        """The part of the jump that no impulse explains."""
        dp = forward(L, [dot(M[i], [a - b for a, b in zip(u1, u0)]) for i in range(self.m.n)])
        jump = math.sqrt(dot(dp, dp))
        miss = distance_to_cones(*self.cones(q, u0, u1, touching, L), dp)
        return 0.0 if miss <= MISS*jump + 30*SMALL*self.speed else miss/jump

    def after(self, q, u0, touching, L, M):
        """All velocities after an impact of these contacts, by the enumeration of their modes."""
        contacts = []
        for name, g, e in touching:
            J = self.m.gap_row(g, q)
            slips = [(s, mu) for _, s, mu, on in self.m.slips if on == name]
            if any(len(s) > 1 for s, _ in slips):
                return []
            S = self.m.slip_row(slips[0][0][0], q) if slips else None
            contacts.append(modes.Contact(forward(L, J), (1 + e)*dot(J, u0),
                                          None if S is None else forward(L, S),
                                          0.0 if S is None else dot(S, u0), slips[0][1] if slips else 0))
        size = max([max(abs(c.z), abs(c.z_slip)) for c in contacts] + [1e-300])
        return [[u + x for u, x in zip(u0, backward(L, total))]
                for total in modes.solutions(contacts, size) or []]

    def cascade(self, q, u0, u1, touching, L, M, depth=5):
        """The same jump in several impacts: what is open by rounding is hit by a later one only."""
        tiny = SMALL*self.speed
        rates = {c[0]: (dot(self.m.gap_row(c[1], q), u0), math.sqrt(dot(n, n)))
                 for c in touching for n in [forward(L, self.m.gap_row(c[1], q))]}
        closing = [c for c in touching if rates[c[0]][0] < -tiny*rates[c[0]][1]]
        d = [a - b for a, b in zip(u1, u0)]
        if math.sqrt(abs(sum(dot(row, d)*x for row, x in zip(M, d)))) <= 30*tiny:
            return True
        self.tries += 1
        if depth == 0 or not closing or self.tries > TRIES:
            return self.tries > TRIES  # not decided
        still = [c for c in touching if c not in closing and abs(rates[c[0]][0]) <= tiny*rates[c[0]][1]]
        beside = [c for c in touching if self.m.gap(c[1], q) > 0]
        sets = [touching] + [[c] for c in closing] + [[c] + still for c in closing if still]
        sets += [[c for c in touching if c is not b] for b in beside]
        tried = []
        for hit in sets:
            if hit not in tried and any(c in hit for c in closing):
                tried.append(hit)
                if any(self.cascade(q, v, u1, touching, L, M, depth - 1)
                       for v in self.after(q, u0, hit, L, M)):
                    return True
        return False

    def crowded(self, t, q, u0, u1, touching, L, M):
        """One of many impacts in no time, with gaps that rounding decides: any sequence of impacts of these
        contacts may be in it. It loses energy, by impulses of the contacts and within their friction."""
        near = [s for s in self.times if 0 < abs(t - s) < 1e-6]
        if len(near) < 2 or self.m.energy(q, u1) > self.m.energy(q, u0) + SMALL*self.speed**2:
            return False
        dp = forward(L, [dot(M[i], [a - b for a, b in zip(u1, u0)]) for i in range(self.m.n)])
        cones = self.cones(q, u0, [0.0]*self.m.n, [(n, g, 0) for n, g, _ in touching], L)
        return distance_to_cones(*cones, dp) <= MISS*math.sqrt(dot(dp, dp)) + 30*SMALL*self.speed

    def put_off(self, t, q, u0, touching, L, M):
        """An impact that begins a completion, with others before its rest, contacts (K3): the bounces that are
        left out take time, in which gravity and contacts push. All of that up to the rest is the work of impulses of the
        contacts, within their friction."""
        rest = min([float(e["t"]) for e in self.events
                    if e["kind"] == "rest" and 0 < float(e["t"]) - t < 1e-6] + [math.inf])
        if rest == math.inf:
            return False
        part = [e for e in self.events if t <= float(e["t"]) <= rest]
        hit = {e["at"] for e in part} | {c[0] for c in touching}
        u1 = self.state(part[-1], "after(%s)")[1]
        d, load = [b - a for a, b in zip(u0, u1)], self.m.force(q, u0)
        dp = forward(L, [dot(row, d) - f*(rest - t) for row, f in zip(M, load)])
        held = [(n, g, 0) for n, g, _ in self.m.contacts if n in hit]
        cones = self.cones(q, u0, [0.0]*self.m.n, held, L)
        return distance_to_cones(*cones, dp) <= MISS*math.sqrt(dot(dp, dp)) + 30*SMALL*self.speed

    def pulled(self, rows, q, u0, u1, touching, L, M):
        """Flagged ADHESIVE, theory (58): where the enumeration finds no velocities with impulses that push, impulses
        of either sign stop rates and slips of rough contacts without restitution."""
        flagged = all("ADHESIVE" in r["flag"] for r in rows) and not any(e for _, _, e in touching)
        if not flagged or len(touching) > modes.MOST or self.after(q, u0, touching, L, M):
            return False
        names = {n for n, _, _ in touching}
        held = [self.m.gap_row(g, q) for _, g, _ in touching]
        held += [self.m.slip_row(s, q) for _, slips, mu, on in self.m.slips if on in names and mu is None
                 for s in slips]
        columns = [forward(L, row) for row in held]
        dp = forward(L, [dot(row, [b - a for a, b in zip(u0, u1)]) for row in M])
        still = all(abs(dot(r, u1)) <= 10*SMALL*self.speed*math.sqrt(dot(c, c)) for r, c in zip(held, columns))
        left = distance_to_cone(columns + [[-x for x in c] for c in columns], dp)
        return still and math.sqrt(dot(left, left)) <= MISS*math.sqrt(dot(dp, dp)) + SMALL*self.speed

    def impact(self, rows):
        q, u0 = self.state(rows[0], "before(%s)")
        _, u1 = self.state(rows[0], "after(%s)")
        M = self.m.mass(q)
        L = cholesky(M)
        hit = {r["at"] for r in rows}  # what is hit a moment later may be hit at once
        touching = [c for c in self.m.contacts
                    if self.m.gap(c[1], q) <= (CLOSE if c[0] in hit else TOUCH)*self.size]
        tiny, t = SMALL*self.speed, float(rows[0]["t"])
        for name, g, _ in touching:
            J = self.m.gap_row(g, q)
            length = math.sqrt(dot(forward(L, J), forward(L, J)))
            soon = any(e["at"] == name and t < float(e["t"]) < t + 1e-5 for e in self.events)
            if dot(J, u1) < -10*tiny*length and not soon:
                self.objects(t, f"{name} still closes after the impact", dot(J, u1))
        miss = self.lawful(q, u0, u1, touching, L, M)
        self.tries = 0
        if (miss and not self.crowded(t, q, u0, u1, touching, L, M) and
                not self.put_off(t, q, u0, touching, L, M) and not self.cascade(q, u0, u1, touching, L, M) and
                not self.pulled(rows, q, u0, u1, touching, L, M)):
            self.objects(t, "no impulse in the cones makes this jump", miss)

    def impacts(self):
        groups, rests = {}, [float(e["t"]) for e in self.events if e["kind"] == "rest"]
        for e in self.events:
            if e["kind"] == "impact" and e["before(%s)" % self.m.places[0]] != "":
                groups.setdefault(float(e["t"]), []).append(e)
        times = sorted(groups)
        for t in times:
            later = [s for s in times if s > t]
            completes = any(r >= t and not any(s < r for s in later) for r in rests)
            if not completes:  # a completion stops contacts at once
                self.impact(groups[t])
        return len(times)

    # ---- a stop ----

    def instants(self, q, u, forces):
        """Contacts of the instant, for forces or for an impact, with their columns in the metric."""
        M = self.m.mass(q)
        L = cholesky(M)
        free = forward(L, self.m.force(q, u))
        out, tiny = [], SMALL*self.speed
        for name, g, e in self.m.contacts:
            J = self.m.gap_row(g, q)
            normal = forward(L, J)
            rate = dot(J, u)
            if self.m.gap(g, q) > CLOSE*self.size or (forces and abs(rate) > tiny*math.sqrt(dot(normal, normal))):
                continue
            z = dot(normal, free) + self.m.gap_bend(g, q, u) if forces else (1 + e)*rate
            contact = modes.Contact(normal, z)
            for _, slips, mu, on in self.m.slips:
                if on != name:
                    continue
                if len(slips) > 1:
                    return None
                S = self.m.slip_row(slips[0], q)
                contact.slip, contact.mu, slip = forward(L, S), mu, dot(S, u)
                contact.z_slip = dot(contact.slip, free) + self.m.slip_bend(slips[0], q, u) if forces else slip
                size = abs(slip)/math.sqrt(dot(contact.slip, contact.slip))
                if forces and 1e-5*tiny < size < 100*tiny:
                    return None  # too slow to tell whether it slides
                goes = forces and size > tiny
                contact.goes = (1 if slip > 0 else -1) if goes else 0
            out.append(contact)
        return out

    def at_rest(self, q, u, touching, M):
        """The velocities with all bounces over, while slips go on; None: there are none."""
        rows = [self.m.gap_row(g, q) for _, g, _ in touching]
        pushes = []
        for name, g, _ in touching:
            push = self.m.gap_row(g, q)
            for _, slips, mu, on in self.m.slips:
                if on == name and mu is not None and len(slips) == 1:
                    S = self.m.slip_row(slips[0], q)
                    slip = dot(S, u)
                    push = [a - math.copysign(mu, slip)*b*(abs(slip) > SMALL*self.speed) for a, b in zip(push, S)]
            pushes.append(solve(M, push))
        weights = solve([[dot(r, p) for p in pushes] for r in rows], [-dot(r, u) for r in rows])
        return None if weights is None else [v + sum(w*p[i] for w, p in zip(weights, pushes)) for i, v in enumerate(u)]

    def stop(self, code):
        """A stop that says there is no motion, or several: is it so? None: not known."""
        q, u = self.state(self.rows[-1])
        M = self.m.mass(q)
        L = cholesky(M)
        touching = [c for c in self.m.contacts if self.m.gap(c[1], q) <= CLOSE*self.size]
        closes = any(dot(self.m.gap_row(g, q), u) < -1e-9*self.speed for _, g, _ in touching)
        if closes and len(touching) > modes.MOST:
            return None
        states = self.after(q, u, touching, L, M) if closes else [u]
        if code == "E0503":
            return not states if closes else None
        if code == "E0506" and 1 < len(touching) <= modes.MOST:  # or their bounces have ended at this instant
            reach = max(TOUCH*self.size, UNTIMED*float(self.rows[-1]["t"])*self.speed)
            shut = [(n, g, 0) for n, g, _ in touching if self.m.gap(g, q) <= reach]
            states = states + [self.at_rest(q, u, touching, M)] + self.after(q, u, shut, L, M)
        counts = []
        for v in states:
            contacts = self.instants(q, v, True) if v is not None else None
            size = max([max(abs(c.z), abs(c.z_slip)) for c in contacts or []] + [1e-300])
            found = None if contacts is None else modes.solutions(contacts, size, grip=1e-3)
            if found is None:
                return None
            counts.append(len(found))
        return max(counts, default=0) > 1 if code == "E0506" else not any(counts)

    # ---- between ----

    def forces(self, row):
        lam = {name: float(row[f"force({name})"]) for name, _, _ in self.m.contacts}
        for name, slips, _, _ in self.m.slips:
            lam[name] = [float(row[c]) for c in self.m.columns(name, slips)]
        return lam

    def flow_contacts(self, row, q, lam, L, total, scale):
        for name, g, _ in self.m.contacts:
            J = self.m.gap_row(g, q)
            length = math.sqrt(dot(forward(L, J), forward(L, J)))
            gap = self.m.gap(g, q)
            total[:] = [a + lam[name]*b for a, b in zip(total, J)]
            scale = max(scale, abs(lam[name])*length)
            if gap < -CLOSE*self.size:
                self.objects(row["t"], f"{name} is violated", gap)
            if lam[name]*length < -MISS*scale:
                self.objects(row["t"], f"{name} pulls", lam[name])
            if lam[name]*length > MISS*scale and gap > CLOSE*self.size:
                self.objects(row["t"], f"{name} pushes while open", gap)
        return scale

    def flow_slips(self, row, q, u, lam, L, total, scale):
        for name, slips, mu, on in self.m.slips:
            S = [self.m.slip_row(s, q) for s in slips]
            length = max(math.sqrt(dot(forward(L, r), forward(L, r))) for r in S)
            slip = [dot(r, u) for r in S]
            for r, f in zip(S, lam[name]):
                total[:] = [a + f*b for a, b in zip(total, r)]
            if mu is None:
                continue
            most, speed = mu*lam[on], math.hypot(*slip)
            if (math.hypot(*lam[name]) - most)*length > MISS*scale:
                self.objects(row["t"], f"{name} is outside its cone", math.hypot(*lam[name]))
            if speed > 1e3*SMALL*self.speed*length and lam[on]*length > MISS*scale:
                if math.hypot(*(f + most*s/speed for f, s in zip(lam[name], slip)))*length > MISS*scale:
                    self.objects(row["t"], f"{name} slides without its whole friction", lam[name][0])

    def flow(self, row):
        """Admissible forces, and the accelerations they give."""
        q, u = self.state(row)
        lam, total, M = self.forces(row), self.m.force(q, u), self.m.mass(q)
        L = cholesky(M)
        scale = math.sqrt(dot(forward(L, total), forward(L, total)))
        scale = self.flow_contacts(row, q, lam, L, total, scale)
        self.flow_slips(row, q, u, lam, L, total, scale)
        a = solve(M, total)
        for name, g, _ in self.m.contacts:
            J = self.m.gap_row(g, q)
            length = math.sqrt(dot(forward(L, J), forward(L, J)))
            gap, rate = self.m.gap(g, q), dot(J, u)
            quiet = not any(float(row["t"]) <= e <= float(row["t"]) + 1e-3 for e in self.times)
            if quiet and gap <= TOUCH*self.size and abs(rate) <= SMALL*self.speed*length:
                y = dot(J, a) + self.m.gap_bend(g, q, u)
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
