# SPDX-License-Identifier: MIT
"""Motions in closed form with narrow features, in soft and stiff units, with their certificates: pulses in time of several shapes,
chirps, thin pins in the way of a ball, events on products. Each family returns a text, the width of its narrowest feature as a part of the
whole, and the right end {coordinate: (place, velocity)} or event times {event: [times]}. Nothing here shares a line with the engine."""
import math


class Units:
    """The same motion with other numbers: lengths, masses and times of 1e-6 to 1e6."""

    def __init__(self, rng):
        self.l, self.m, self.s = rng.choice([(1, 1, 1)]*3 + [(1e3, 1e-3, 1), (1e-6, 1e3, 1e-3), (1e6, 1, 1e3), (1, 1e-6, 1e-4)])

    def __call__(self, x, l=0, m=0, s=0):
        return repr(x*self.l**l*self.m**m*self.s**s)


# ---- pulses in time: area 1; first integral F and second G from -infinity, at s = (t - c)/w ----

def bell(s):
    return (1 + math.erf(s))/2, s*(1 + math.erf(s))/2 + math.exp(-min(s*s, 700))/(2*math.sqrt(math.pi))


def box(s):
    return min(max((s + 1)/2, 0), 1), 0 if s < -1 else (s + 1)**2/4 if s < 1 else s


def tent(s):
    F = 0 if s < -1 else (1 + s)**2/2 if s < 0 else 1 - (1 - s)**2/2 if s < 1 else 1
    return F, 0 if s < -1 else (1 + s)**3/6 if s < 0 else s + (1 - s)**3/6 if s < 1 else s


def soliton(s):
    return (1 + math.tanh(s))/2, (s + abs(s) + math.log1p(math.exp(-2*abs(s))))/2


PULSES = [(bell, "exp(-((t - {c})/{w})^2)/({w}*sqrt(pi))"), (box, "if(abs(t - {c}) < {w}, 1/(2*{w}), 0)"),
          (tent, "max(0, 1 - abs(t - {c})/{w})/{w}"), (soliton, "(1 - tanh((t - {c})/{w})^2)/(2*{w})")]


def pulses(rng, u):
    """Kicks on a free mass: x' grows by the impulse of each, x by what it has moved since."""
    x, v, span, force, least = 0.0, rng.choice([0, 0, 0.3]), 10.0, [], 1.0
    end, speed = x + v*span, v
    for _ in range(rng.randint(1, 3)):
        (shape, text), c, w = rng.choice(PULSES), rng.uniform(1, 9), 10**rng.uniform(-5, -0.7)
        kick = rng.choice([-1, 1])*rng.uniform(0.1, 2)
        F0, G0 = shape(-c/w)
        F1, G1 = shape((span - c)/w)
        speed += kick*(F1 - F0)
        end += kick*(w*(G1 - G0) - span*F0)
        least = min(least, w/span)
        force.append(f"{u(kick, m=1, l=1, s=-1)}*" + text.format(c=u(c, s=1), w=u(w, s=1)))
    text = f"coordinates x\nkinetic T = 1/2*{u(1, m=1)}*x'^2\nforce x: {' + '.join(force)}\n" \
           f"start x = 0, x' = {u(v, l=1, s=-1)}\nrun 0..{u(span, s=1)}\n"
    return text, least, {"x": (end, speed)}, None


def chirp(rng, u):
    """x'' = A sin(p t + q t^2), by a sum over panels of a tenth of the shortest period."""
    A, p, q, span = rng.uniform(0.5, 3), rng.uniform(0, 5), rng.choice([-1, 1])*10**rng.uniform(0, 1.5), 10.0
    n = 200 + int(span*(p + 2*abs(q)*span)/math.pi)*10
    h, end, speed = span/n, 0.0, 0.0
    for i in range(n):
        for z, weight in ((-math.sqrt(0.6), 5/9), (0, 8/9), (math.sqrt(0.6), 5/9)):
            t = h*(i + 0.5 + z/2)
            a = A*math.sin(p*t + q*t*t)*weight*h/2
            speed += a
            end += a*(span - t)
    text = f"coordinates x\nkinetic T = 1/2*{u(1, m=1)}*x'^2\nforce x: {u(A, m=1, l=1, s=-2)}*sin({u(p, s=-1)}*t + {u(q, s=-2)}*t^2)\n" \
           f"start x = 0\nrun 0..{u(span, s=1)}\n"
    return text, 1.0, {"x": (end, speed)}, None


def pin(rng, u):
    """A ball of no size flies past a thin pin, or is thrown back by it: a mirror at the place where the line meets the circle."""
    r, c, b = 10**rng.uniform(-4.5, -0.5), rng.uniform(3, 7), rng.choice([-1, 1])*rng.choice([rng.uniform(0, 0.9), rng.uniform(1.2, 3)])
    e, v, span = rng.choice([0, 0.5, 1]), 1.0, 10.0
    end = {"x": (v*span, v), "y": (0.0, 0.0)}
    if abs(b) < 1:
        nx, ny = -math.sqrt(1 - b*b), -b  # the pin is b r above the line
        x, left = c + r*nx, span - (c + r*nx)/v
        ux, uy = v - (1 + e)*v*nx*nx, -(1 + e)*v*nx*ny
        end = {"x": (x + ux*left, ux), "y": (uy*left, uy)}
    text = f"coordinates x, y\nkinetic T = 1/2*{u(1, m=1)}*(x'^2 + y'^2)\n" \
           f"constraint pin: hypot(x - {u(c, l=1)}, y - {u(b*r, l=1)}) - {u(r, l=1)} >= 0, restitution {e}\n" \
           f"start x = 0, y = 0, x' = {u(v, l=1, s=-1)}, y' = 0\nrun 0..{u(span, s=1)}\n"
    return text, r/span, end, None


def products(rng, u):
    """Events where a product vanishes: each of its factors, also those that are close together. The motion is x = t."""
    span, roots = 10.0, []
    at = sorted(rng.uniform(1, 9) for _ in range(rng.randint(1, 2)))
    near = 10**rng.uniform(-5, -1)
    at.append(at[-1] + near)
    factors = [f"(x - {u(a, l=1)})" for a in at]
    roots += at
    if rng.random() < 0.7:
        k, p = 10**rng.uniform(0, 2), rng.uniform(0.1, 3)
        factors.append(f"sin({u(k, l=-1)}*x + {p!r})")
        roots += [(i*math.pi - p)/k for i in range(1, int((k*span + p)/math.pi) + 1)]
    rng.shuffle(factors)
    roots.sort()
    if min([b - a for a, b in zip(roots, roots[1:])] + [1]) < 1e-6 or roots[-1] > span - 1e-6:
        return products(rng, u)
    text = f"coordinates x\nkinetic T = 1/2*{u(1, m=1)}*x'^2\nevent e: {'*'.join(factors)} = 0\n" \
           f"start x = 0, x' = {u(1, l=1, s=-1)}\nrun 0..{u(span, s=1)}\n"
    return text, near/span, None, {"e": roots}


FAMILIES = [pulses, chirp, pin, products]


def misses(result, units, span, end, events):
    """What the result has wrong, or None."""
    for name, (place, speed) in (end or {}).items():
        size = 1 + abs(place)
        if abs(result["state"][name]/units.l - place) > 2e-6*size or abs(result["state"][name + "'"]/units.l*units.s - speed) > 2e-6*size:
            return f"{name}: {result['state'][name]/units.l!r}, wanted {place!r}"
    for name, wanted in (events or {}).items():
        got = [x["t"]/units.s for x in result["events"]["list"] if x["at"] == name]
        if len(got) != len(wanted) or any(abs(a - b) > 1e-7*span for a, b in zip(got, wanted)):
            return f"{len(got)} events, wanted {len(wanted)}"
    return None
