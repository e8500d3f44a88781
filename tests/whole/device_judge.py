# SPDX-License-Identifier: MIT
"""The judge of devices: units, the states that a device must have, and extrapolated midpoint steps that end at every switch.
Nothing here shares a line with the engine."""
SPAN = 10.0
INSTANTS = 5
CLOSE = 1e-11  # error of a step of the judge


class Units:
    """The same motion with other numbers."""

    def __init__(self, rng):
        self.l, self.m, self.s = (rng.choice([1, 1, 1, 10**rng.randint(-6, 6)]) for _ in range(3))

    def size(self, l=0, m=0, s=0):
        return float(self.l)**l*float(self.m)**m*float(self.s)**s

    def __call__(self, x, l=0, m=0, s=0):
        return repr(x*self.size(l, m, s))


class Device:
    """`looks`: {column: (index of the state, units of the column)}; `states`: at the instants, `shaken` with the start a little off."""

    def __init__(self, text, names, looks, states, shaken, events=None):
        self.text, self.names, self.looks, self.states, self.shaken, self.events = text, names, looks, states, shaken, events

    def is_calm(self):
        """Whether the motion does not depend on the last digits of its start."""
        return all(abs(a - b) < 1e-5*(1 + abs(a)) for one, two in zip(self.states, self.shaken) for a, b in zip(one, two))

    def misses(self, head, rows, units):
        """What a table has wrong, or None."""
        for k, (state, off) in enumerate(zip(self.states, self.shaken)):
            t = SPAN*(k + 1)/INSTANTS*units.s
            row = min(reversed(rows), key=lambda r: abs(r[0] - t))
            if abs(row[0] - t) > 1e-9*SPAN*units.s:
                return f"no row at t = {t!r}"
            for name, (i, size) in self.looks.items():
                got = row[head.index(name)]/size
                if abs(got - state[i]) > 2e-6*(1 + abs(state[i])) + 300*abs(state[i] - off[i]):
                    return f"{name} = {got!r} at t = {t!r}, wanted {state[i]!r} (in natural units)"
        return None

    def overlooks(self, happened, units):
        """Which events are not those that are wanted, or None."""
        for name, wanted in (self.events or {}).items():
            got = [x["t"]/units.s for x in happened if x["at"] == name]
            if len(got) != len(wanted) or any(abs(a - b) > 1e-7*SPAN for a, b in zip(got, wanted)):
                return f"{len(got)} events {name}, wanted {len(wanted)}: {got}, {wanted}"
        return None


# ---- steps ----

def midpoint(rate, t, z, h, n):
    """Gragg's midpoint rule with n substeps: its error has even powers of h/n only."""
    s = h/n
    a, b = z, [x + s*d for x, d in zip(z, rate(t, z))]
    for i in range(1, n):
        a, b = b, [x + 2*s*d for x, d in zip(a, rate(t + i*s, b))]
    last = rate(t + h, b)
    return [(x + y + s*d)/2 for x, y, d in zip(a, b, last)]


def step(rate, t, z, h):
    """Extrapolated to order 8; returns the state and an estimate of its error."""
    table = []
    for k, n in enumerate((2, 4, 6, 8)):
        row = [midpoint(rate, t, z, h, n)]
        for j in range(1, k + 1):
            q = (n/(2*(k - j + 1)))**2 - 1
            row.append([x + (x - y)/q for x, y in zip(row[j - 1], table[k - 1][j - 1])])
        table.append(row)
    error = max(abs(x - y)/(1 + abs(x)) for x, y in zip(table[-1][-1], table[-1][-2]))
    return table[-1][-1], error


class Law:
    """A system with switches. `rate(t, z)`; `guards(t, z)`: a change of sign of one ends a step, then `switch(t, z, i)` returns the state."""
    longest = 0.05

    def guards(self, t, z):
        return []

    def switch(self, t, z, i):
        return z

    def begin(self, t, z):
        return z


def signs(law, t, z):
    return [g >= 0 for g in law.guards(t, z)]


def first_switch(law, rate, t, z, h, before):
    """A step just behind which a sign has changed, to rounding, and the state there: regula falsi with halved ends (Illinois)."""
    lo, hi, end = 0.0, h, step(rate, t, z, h)[0]
    which = [i for i, sign in enumerate(signs(law, t + h, end)) if sign != before[i]]
    low, high = law.guards(t, z)[which[0]], law.guards(t + h, end)[which[0]]
    for k in range(200):
        mid = lo + (hi - lo)*(low/(low - high) if len(which) == 1 and k % 8 < 6 and low != 0 else 0.5)
        if not lo < mid < hi or hi - lo < 1e-15*(1 + t):
            break
        there = step(rate, t, z, mid)[0]
        changed = [i for i, sign in enumerate(signs(law, t + mid, there)) if sign != before[i]]
        if not changed:
            lo, low, high = mid, law.guards(t + mid, there)[which[0]], high/2
        else:
            if changed != which:
                which, low = changed, law.guards(t + lo, step(rate, t, z, lo)[0] if lo > 0 else z)[changed[0]]
            hi, end, low, high = mid, there, low/2, law.guards(t + mid, there)[which[0]]
    return hi, end, which[0]


def hidden_switch(law, rate, t, z, s, new, before):
    """A part of the step at which a guard has another sign though it has not at the end: by parabolas through the middle of a cubic."""
    a, b = rate(t, z), rate(t + s, new)
    middle = [(x + y)/2 + s/8*(p - q) for x, y, p, q in zip(z, new, a, b)]
    for i, (g0, g1, g2) in enumerate(zip(law.guards(t, z), law.guards(t + s/2, middle), law.guards(t + s, new))):
        bend, slope = 2*(g0 - 2*g1 + g2), 4*g1 - 3*g0 - g2  # g0 + slope r + bend r^2, r in 0..1
        r = -slope/(2*bend) if bend != 0 else 0.0
        if 0 < r < 1 and (g0 + r*slope/2 >= 0) != before[i] and abs(g0) > 0:
            return r
    return None


class Restless(Exception):
    """Too many switches for a judge by hand."""


def motion(law, z, breaks=(), late=0.0, most=2000):
    """States at the instants; `late`: all that depends on time comes so much later."""
    looks = [SPAN*(k + 1)/INSTANTS for k in range(INSTANTS)]
    stops = sorted(set([b for b in breaks if 0 < b < SPAN] + looks))
    t, h, out, switches = 0.0, 1e-3, [], 0
    z = law.begin(t, list(z))

    def rate(t, z):
        return law.rate(t - late, z)
    for stop in stops:
        while t < stop:
            s = min(h, stop - t, law.longest)
            new, error = step(rate, t, z, s)
            if not error < CLOSE:
                if s < 1e-9:
                    raise Restless
                h = s*max(0.2, 0.8*(CLOSE/error)**(1/7)) if error == error else s/5
                continue
            before = signs(law, t, z)
            if signs(law, t + s, new) == before:
                part = hidden_switch(law, rate, t, z, s, new, before)
                if part is not None:
                    s *= part
                    new, error = step(rate, t, z, s)
            if signs(law, t + s, new) != before:
                s, new, which = first_switch(law, rate, t, z, s, before)
                t += s
                z, h, switches = law.switch(t, new, which), min(h, 1e-2), switches + 1
                if switches > most:
                    raise Restless
                continue
            t, z = (stop if s == stop - t else t + s), new
            h = s*min(4, 0.8*(CLOSE/max(error, 1e-20))**(1/7))
        if stop in looks:
            out.append(z)
    return out


def both(law, z, breaks=()):
    """The motion, and one that is a little off."""
    return motion(law(), z, breaks), motion(law(), [x*(1 + 1e-9) for x in z], breaks, 1e-9)
