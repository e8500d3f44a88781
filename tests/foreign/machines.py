# SPDX-License-Identifier: MIT
"""Systems with numbers drawn at random. Each is a model in Pawl's language and, apart from it, equations of
motion written by hand, integrated by the machine of modes of `certify/systems.py`. A number may differ between
the two, and so may a law: the table is then no motion of the model."""
import math
import random

import systems

ROWS = 700
FLY = 1.0  # what a guard says that has nothing to watch


class Machine:
    """ranges: name of a number -> (low, high). build(p, law) -> (names, modes, first mode, state, end), with
    the numbers p and a law that is wrong, or None. text: the model, with the numbers by their names. tiny:
    numbers that show by 0.1 %; laws: laws that are wrong; low: as in systems.System."""

    def __init__(self, name, seed, verdict, ranges, text, build, tiny, laws=(), low=None, spread=()):
        rng = random.Random(f"{name} {seed}")
        self.name, self.seed, self.verdict, self.text, self.build, self.low = name, seed, verdict, text, build, low
        self.p = {k: round(rng.uniform(*r), 4) for k, r in ranges.items()}
        self.wrong = {f"{k} by 0.1 %": {k: 1.001} for k in tiny}
        self.wrong.update({f"{k} by 2 %": {k: 1.02} for k in spread})
        self.wrong.update({law: {"law": law} for law in laws})

    def make(self, pairs=True, law=None, **factor):
        p = {k: x*factor.get(k, 1.0) for k, x in self.p.items()}
        names, modes, mode, state, end = self.build(p, law)
        model = "parameter " + ", ".join(f"{k} = {x!r}" for k, x in self.p.items()) + "\n" + self.text
        return model, names, systems.run(modes, mode, state, end, end/ROWS, pairs, 4)


def smooth(rates, extra=None):
    """One mode without exits."""
    return {"": (rates, [], lambda t, x: [t] + x + (extra(t, x) if extra else []))}


def solve(a, b):
    """Two equations."""
    d = a[0][0]*a[1][1] - a[0][1]*a[1][0]
    return [(b[0]*a[1][1] - b[1]*a[0][1])/d, (a[0][0]*b[1] - a[1][0]*b[0])/d]


# ---- forces that are functions ----

def double_pendulum(p, law):
    def rates(t, x):
        a, b, u, w = x
        c, s = math.cos(a - b), math.sin(a - b)
        m = [[2*p["m"]*p["l"]**2, p["m"]*p["l"]*p["r"]*c], [p["m"]*p["l"]*p["r"]*c, p["m"]*p["r"]**2]]
        sign = -1 if law == "coriolis with the other sign" else 1
        f = [-sign*p["m"]*p["l"]*p["r"]*s*w*w - 2*p["m"]*p["g"]*p["l"]*math.sin(a),
             sign*p["m"]*p["l"]*p["r"]*s*u*u - p["m"]*p["g"]*p["r"]*math.sin(b)]
        return [u, w] + solve(m, f)
    return ["t", "a", "b", "a'", "b'"], smooth(rates), "", [1.1, -0.4, 0.0, 0.5], 3.0


def cart_pole(p, law):
    def rates(t, x):
        y, th, v, w = x
        m = [[p["M"] + p["m"], p["m"]*p["l"]*math.cos(th)], [math.cos(th), p["l"]]]
        drive = p["F"]*math.sin(p["w"]*t) - (0 if law == "no drag" else p["c"]*v)
        return [v, w] + solve(m, [drive + p["m"]*p["l"]*w*w*math.sin(th), -p["g"]*math.sin(th)])
    return ["t", "x", "th", "x'", "th'"], smooth(rates), "", [0.0, 0.9, 0.0, 0.0], 4.0


def kepler(p, law):
    power = 3.02 if law == "another power" else 3

    def rates(t, x):
        r = math.hypot(x[0], x[1])
        return [x[2], x[3], -p["K"]*x[0]/r**power, -p["K"]*x[1]/r**power]
    return ["t", "x", "y", "x'", "y'"], smooth(rates), "", [p["a"], 0.0, 0.0, 0.8*math.sqrt(p["K"]/p["a"])], 8.0


def elastic_pendulum(p, law):
    def rates(t, x):
        r, th, v, w = x
        turn = 0 if law == "no coriolis" else 2*v*w/r
        return [v, w, r*w*w + p["g"]*math.cos(th) - p["k"]/p["m"]*(r - p["l"]), -p["g"]*math.sin(th)/r - turn]
    return ["t", "r", "th", "r'", "th'"], smooth(rates), "", [1.2*p["l"], 0.7, 0.0, 0.3], 3.0


def duffing(p, law):
    n = 1 if law == "linear" else 3

    def rates(t, x):
        return [x[1], -p["k"]*x[0] - p["b"]*x[0]**n - p["c"]*x[1] + p["A"]*math.cos(p["w"]*t)]
    return ["t", "x", "x'"], smooth(rates), "", [1.0, 0.0], 10.0


def hoop(p, law):
    """A bead on a hoop that turns."""
    half = 0.5 if law == "half of the centrifugal force" else 1

    def rates(t, x):
        return [x[1], half*p["W"]**2*math.sin(x[0])*math.cos(x[0]) - p["g"]/p["R"]*math.sin(x[0])]
    return ["t", "th", "th'"], smooth(rates), "", [0.4, 0.0], 4.0


def spherical_pendulum(p, law):
    def rates(t, x):
        th, ph, u, w = x
        s, c = math.sin(th), math.cos(th)
        return [u, w, s*c*w*w - p["g"]/p["l"]*s, -(1 if law == "half of coriolis" else 2)*u*w*c/s]
    return ["t", "th", "ph", "th'", "ph'"], smooth(rates), "", [0.8, 0.0, 0.0, 2.0], 4.0


def magnet(p, law):
    sign = -1 if law == "turns the other way" else 1

    def rates(t, x):
        return [x[2], x[3], p["E"] + sign*p["B"]*x[3] - p["k"]*x[0], -sign*p["B"]*x[2] - p["k"]*x[1]]
    return ["t", "x", "y", "x'", "y'"], smooth(rates), "", [0.5, 0.0, 0.0, 1.0], 6.0


def atwood(p, law):
    """One of two masses on a string swings."""
    def rates(t, x):
        r, th, v, w = x
        a = (p["m"]*r*w*w + p["m"]*p["g"]*math.cos(th) - p["M"]*p["g"])/(p["m"] if law == "light" else p["m"] + p["M"])
        return [v, w, a, (-p["g"]*math.sin(th) - 2*v*w)/r]
    return ["t", "r", "th", "r'", "th'"], smooth(rates), "", [1.0, 1.0, 0.0, 0.0], 2.0


def chain(p, law):
    """Four masses with springs that stiffen, between two walls."""
    def rates(t, x):
        y = [0.0] + x[:4] + [0.0]
        pull = [p["k"]*(y[i + 1] - y[i]) + p["b"]*(y[i + 1] - y[i])*abs(y[i + 1] - y[i])**(1 if law == "squares" else 2) for i in range(5)]
        return x[4:] + [(pull[i + 1] - pull[i])/p["m"] for i in range(4)]
    names = ["t"] + [f"x{i}" for i in range(1, 5)] + [f"x{i}'" for i in range(1, 5)]
    return names, smooth(rates), "", [0.3, 0.5, -0.2, 0.1, 0.0, 0.4, 0.0, -0.3], 5.0


def shaken_pendulum(p, law):
    def rates(t, x):
        lift = -p["A"]*p["w"]**2*(math.sin if law == "out of phase" else math.cos)(p["w"]*t)
        return [x[1], -(p["g"] + lift)/p["l"]*math.sin(x[0]) - p["c"]*x[1]]
    return ["t", "th", "th'"], smooth(rates), "", [1.0, 0.0], 3.0


def chirp(p, law):
    def rates(t, x):
        return [x[1], -p["k"]*x[0] - p["c"]*x[1] + p["A"]*math.sin((1 if law == "slower" else p["s"])*t*t)]
    return ["t", "x", "x'"], smooth(rates), "", [0.2, 0.0], 6.0


def drag(p, law):
    """A shot through air."""
    def rates(t, x):
        v = math.hypot(x[2], x[3])
        c = p["c"]*(v if law != "linear" else 1)
        return [x[2], x[3], -c*x[2], -p["g"] - c*x[3]]
    return ["t", "x", "y", "x'", "y'"], smooth(rates), "", [0.0, 0.0, 8.0, 9.0], 1.5


# ---- equations ----

def wire(p, law):
    """A bead on a parabola; the force is the multiplier of y - k x^2 = 0."""
    k, g, m = p["k"], p["g"], p["m"]

    def bend(x):
        return (-g*2*k*x[0] - 4*k*k*x[0]*x[1]**2)/(1 + 4*k*k*x[0]**2)

    def rates(t, x):
        return [x[1], bend(x)*(0.98 if law == "drags along" else 1)]

    def row(t, x):
        lam = m*(2*k*x[1]**2 + 2*k*x[0]*bend(x) + g)
        return [t, x[0], k*x[0]**2, x[1], 2*k*x[0]*x[1], lam*(0 if law == "force left out" else 1)]
    return ["t", "x", "y", "x'", "y'", "force(wire)"], {"": (rates, [], row)}, "", [0.8, 0.0], 4.0


def dumbbell(p, law):
    """Two masses with a rod, thrown; the force is the multiplier of the square of the distance."""
    l, w, total = p["l"], p["w"], p["m"] + p["M"]
    a, b = -l*p["M"]/total, l*p["m"]/total

    def row(t, x):
        c, s = math.cos(w*t), math.sin(w*t)
        y = x[1] if law != "falls sideways" else x[1] + 0.01*t*t
        tension = p["m"]*p["M"]/total*w*w*l*(-1 if law == "force pushes" else 1)
        return [t, x[0] + a*c, y + a*s, x[0] + b*c, y + b*s, x[2] - a*w*s, x[3] + a*w*c, x[2] - b*w*s, x[3] + b*w*c,
                -tension/(2*l)]
    names = ["t", "x1", "y1", "x2", "y2", "x1'", "y1'", "x2'", "y2'", "force(rod)"]
    return names, {"": (lambda t, x: [x[2], x[3], 0.0, -p["g"]], [], row)}, "", [0.0, 0.0, 2.0, 5.0], 1.2


# ---- contacts ----

def two_balls(p, law):
    """One above the other on a floor."""
    m, M, e, f = p["m"], p["M"], p["e"], p["f"]

    def low(t, x):
        return "", [x[0], x[1], -e*x[2], x[3]]

    def both(t, x):
        u, w = x[2], x[3]
        if law == "masses swapped":
            return "", [x[0], x[1], (M*u + m*w + m*f*(w - u))/(m + M), (M*u + m*w - M*f*(w - u))/(m + M)]
        return "", [x[0], x[1], (m*u + M*w + M*f*(w - u))/(m + M), (m*u + M*w - m*f*(w - u))/(m + M)]
    fly = (lambda t, x: [x[2], x[3], -p["g"], -p["g"]],
           [(lambda t, x: x[0] if x[2] < 0 else FLY, low), (lambda t, x: x[1] - x[0] if x[3] < x[2] else FLY, both)],
           lambda t, x: [t] + x)
    return ["t", "y", "z", "y'", "z'"], {"": fly}, "", [0.5, 1.1, 0.0, 0.0], 0.62


def striker(p, law):
    """A driven mass on a spring, with a stop."""
    def rates(t, x):
        return [x[1], -p["k"]*x[0] - p["c"]*x[1] + p["A"]*math.cos(p["w"]*t)]
    fly = (rates, [(lambda t, x: 0.3 - x[0] if x[1] > 0 else FLY, lambda t, x: ("", [x[0], -p["e"]*x[1]]))],
           lambda t, x: [t] + x)
    return ["t", "x", "x'"], {"": fly}, "", [-0.5, 0.0], 5.0


def bumpers(p, law):
    """Two carts that meet, each with its spring."""
    m, M, e = p["m"], p["M"], p["e"]

    def meet(t, x):
        u, w = x[2], x[3]
        give = 0.0 if law == "momentum lost" else 1.0
        return "", [x[0], x[1], (m*u + M*w + M*e*(w - u))/(m + M), u + give*((m*u + M*w - m*e*(w - u))/(m + M) - u)]
    fly = (lambda t, x: [x[2], x[3], -p["k"]*x[0]/m, -p["k"]*(x[1] - 0.5)/M],
           [(lambda t, x: x[1] - x[0] if x[2] > x[3] else FLY, meet)], lambda t, x: [t] + x)
    return ["t", "x", "y", "x'", "y'"], {"": fly}, "", [-1.0, 0.9, 0.0, 0.0], 3.0


def between_walls(p, law):
    """A ball between a floor and a lid that moves."""
    def floor(t, x):
        return "", [x[0], -p["e"]*x[1]]

    def lid(t, x):
        wall = 0.0 if law == "a lid at rest" else p["A"]*p["w"]*math.cos(p["w"]*t)
        return "", [x[0], wall - p["f"]*(x[1] - wall)]
    fly = (lambda t, x: [x[1], -p["g"]],
           [(lambda t, x: x[0] if x[1] < 0 else FLY, floor),
            (lambda t, x: 1 + p["A"]*math.sin(p["w"]*t) - x[0] if x[1] > p["A"]*p["w"]*math.cos(p["w"]*t) else FLY, lid)],
           lambda t, x: [t] + x)
    return ["t", "y", "y'"], {"": fly}, "", [0.5, 6.0], 0.8


# ---- friction ----

def rubbing(force, bound, names, state, end, still=1e-9):
    """One coordinate with dry friction of a constant bound; force(t, x): all the others."""
    def go(sign):
        def stop(t, x):
            f = force(t, x)
            return ("stick" if abs(f) <= bound else "up" if f > 0 else "down"), [x[0], 0.0]
        return (lambda t, x: [x[1], force(t, x) - sign*bound], [(lambda t, x: sign*x[1] + still, stop)],
                lambda t, x: [t, x[0], x[1], -sign*bound])
    stick = (lambda t, x: [0.0, 0.0],
             [(lambda t, x: bound - force(t, x), lambda t, x: ("up", [x[0], 0.0])),
              (lambda t, x: bound + force(t, x), lambda t, x: ("down", [x[0], 0.0]))],
             lambda t, x: [t, x[0], 0.0, -force(t, x)])
    return names, {"up": go(1), "down": go(-1), "stick": stick}, "up", state, end


def dry_pendulum(p, law):
    def force(t, x):
        return -p["g"]/p["l"]*math.sin(x[0]) - (0.02*x[1] if law == "viscous as well" else 0)
    return rubbing(force, p["B"], ["t", "th", "th'", "force(rub)"], [-1.3, 0.01], 6.0)


def driven_block(p, law):
    def force(t, x):
        return p["A"]*math.sin(p["w"]*t) - p["k"]*x[0]
    return rubbing(force, p["B"]*(0.9 if law == "slips early" else 1), ["t", "x", "x'", "force(rub)"], [0.0, 0.3], 6.0)


def braking(p, law):
    """A block with a body on it that slides: friction between the two."""
    m, M, B = p["m"], p["M"], p["B"]
    back = 0.0 if law == "no reaction" else 1.0
    slide = (lambda t, x: [x[2], x[3], -B/m, back*B/M],
             [(lambda t, x: x[2] - x[3], lambda t, x: ("one", [x[0], x[1], x[3], x[3]]))], lambda t, x: [t] + x + [-B])
    one = (lambda t, x: [x[2], x[3], 0.0, 0.0], [], lambda t, x: [t] + x + [0.0])
    return ["t", "x", "y", "x'", "y'", "force(rub)"], {"slide": slide, "one": one}, "slide", [0.0, 0.0, 2.0, 0.1], 2.0


# ---- springs that set in ----

def one_sided(p, law):
    """A mass falls on a spring and leaves it again."""
    def rates(k):
        return lambda t, x: [x[1], -p["g"] + (k*p["k"]*(0.2 - x[0]) if k else 0.0)]
    fly = (rates(0), [(lambda t, x: x[0] - 0.2, lambda t, x: ("on", x))], lambda t, x: [t] + x)
    pull = law == "a spring that pulls"
    on = (rates(1), [(lambda t, x: (0.25 if pull else 0.2) - x[0], lambda t, x: ("fly", x))], lambda t, x: [t] + x)
    return ["t", "y", "y'"], {"fly": fly, "on": on}, "fly", [0.6, 0.0], 2.0


def backlash(p, law):
    """Two masses with a spring that has play between them, one of them driven."""
    b = 0.05

    def pull(side, x):
        return side*0.0 if side == 0 else -p["k"]*(x[1] - x[0] - side*b)

    def mode(side):
        def rates(t, x):
            f = pull(side, x)
            other = -f if law != "acts on one alone" else 0.0
            return [x[2], x[3], (p["A"]*math.cos(p["w"]*t) + other)/p["m"], f/p["M"]]

        def out(t, x):
            return side*(x[1] - x[0]) - b
        exits = ([(out, lambda t, x: (0, x))] if side else
                 [(lambda t, x: b - (x[1] - x[0]), lambda t, x: (1, x)), (lambda t, x: b + x[1] - x[0], lambda t, x: (-1, x))])
        return rates, exits, lambda t, x: [t] + x + [pull(side, x)]
    return ["t", "x", "y", "x'", "y'", "force(s)"], {s: mode(s) for s in (-1, 0, 1)}, 0, [0.0, 0.0, 0.3, 0.0], 4.0


G = {"g": (9, 11)}


def all_machines(seed):
    """24 of them, with the numbers of a seed."""
    yield Machine("double-pendulum", seed, "STRONG", {**G, "m": (0.5, 2), "l": (0.6, 1.4), "r": (0.6, 1.4)}, """coordinates a, b
kinetic T = m*l^2*a'^2 + 1/2*m*r^2*b'^2 + m*l*r*a'*b'*cos(a - b)
potential V = -2*m*g*l*cos(a) - m*g*r*cos(b)
""", double_pendulum, "glr", ["coriolis with the other sign"])
    yield Machine("cart-pole", seed, "STRONG", {**G, "M": (1, 3), "m": (0.3, 1), "l": (0.5, 1.5), "F": (2, 6), "w": (2, 4), "c": (0.5, 1.5)},
                  """coordinates x, th
let P = (x + l*sin(th), -l*cos(th))
kinetic T = 1/2*M*x'^2 + 1/2*m*dot(P', P')
potential V = m*g*P[2]
force x: F*sin(w*t) - c*x'
""", cart_pole, "gl", ["no drag"])
    yield Machine("kepler", seed, "STRONG", {"K": (1, 4), "a": (0.8, 1.5)}, """coordinates x, y
kinetic T = 1/2*(x'^2 + y'^2)
potential V = -K/sqrt(x^2 + y^2)
""", kepler, "K", ["another power"])
    yield Machine("elastic-pendulum", seed, "STRONG", {**G, "m": (0.5, 2), "k": (20, 60), "l": (0.8, 1.2)}, """coordinates r, th
kinetic T = 1/2*m*(r'^2 + (r*th')^2)
potential V = -m*g*r*cos(th) + 1/2*k*(r - l)^2
""", elastic_pendulum, "gkl", ["no coriolis"])
    yield Machine("duffing", seed, "STRONG", {"k": (1, 3), "b": (0.5, 2), "c": (0.1, 0.3), "A": (0.5, 2), "w": (0.8, 2)}, """coordinates x
kinetic T = 1/2*x'^2
potential V = 1/2*k*x^2 + 1/4*b*x^4
force x: A*cos(w*t) - c*x'
""", duffing, "kbA", ["linear"])
    yield Machine("hoop", seed, "STRONG", {**G, "W": (4, 7), "R": (0.5, 1)}, """coordinates th
kinetic T = 1/2*(R*th')^2 + 1/2*(W*R*sin(th))^2
potential V = -g*R*cos(th)
""", hoop, "gWR", ["half of the centrifugal force"])
    yield Machine("spherical-pendulum", seed, "STRONG", {**G, "l": (0.6, 1.5)}, """coordinates th, ph
kinetic T = 1/2*l^2*(th'^2 + (sin(th)*ph')^2)
potential V = -g*l*cos(th)
""", spherical_pendulum, "gl", ["half of coriolis"])
    yield Machine("magnet", seed, "STRONG", {"E": (0.5, 2), "B": (1, 4), "k": (0.5, 2)}, """coordinates x, y
kinetic T = 1/2*(x'^2 + y'^2)
potential V = 1/2*k*(x^2 + y^2)
force x: E + B*y'
force y: -B*x'
""", magnet, "EB", ["turns the other way"])
    yield Machine("atwood", seed, "STRONG", {**G, "m": (0.8, 1.2), "M": (1, 1.6)}, """coordinates r, th
kinetic T = 1/2*m*(r'^2 + (r*th')^2) + 1/2*M*r'^2
potential V = -m*g*r*cos(th) + M*g*r
""", atwood, "gmM", ["light"])
    yield Machine("chain", seed, "STRONG", {"m": (0.5, 1.5), "k": (5, 20), "b": (5, 20)}, """coordinates x1, x2, x3, x4
let s = (x1, x2 - x1, x3 - x2, x4 - x3, -x4)
kinetic T = 1/2*m*(x1'^2 + x2'^2 + x3'^2 + x4'^2)
potential V = sum(i in 1..5: 1/2*k*s[i]^2 + 1/4*b*s[i]^4)
""", chain, "mkb", ["squares"])
    yield Machine("shaken-pendulum", seed, "STRONG", {**G, "l": (0.5, 1.2), "A": (0.02, 0.06), "w": (10, 20), "c": (0.1, 0.4)}, """coordinates th
kinetic T = 1/2*l^2*th'^2 - l*A*w*sin(w*t)*sin(th)*th'
potential V = -g*l*cos(th)
dissipation D = 1/2*c*l^2*th'^2
""", shaken_pendulum, "gwA", ["out of phase"])
    yield Machine("chirp", seed, "STRONG", {"k": (10, 60), "c": (0.1, 1), "A": (1, 5), "s": (1.2, 2.5)}, """coordinates x
kinetic T = 1/2*x'^2
potential V = 1/2*k*x^2
force x: A*sin(s*t^2) - c*x'
""", chirp, "kAs", ["slower"])
    yield Machine("drag", seed, "STRONG", {**G, "c": (0.02, 0.1)}, """coordinates x, y
kinetic T = 1/2*(x'^2 + y'^2)
potential V = g*y
force x: -c*x'*sqrt(x'^2 + y'^2)
force y: -c*y'*sqrt(x'^2 + y'^2)
""", drag, "gc", ["linear"])
    yield Machine("wire", seed, "STRONG", {**G, "k": (0.5, 2), "m": (0.5, 2)}, """coordinates x, y
kinetic T = 1/2*m*(x'^2 + y'^2)
potential V = m*g*y
constraint wire: y - k*x^2 = 0
""", wire, "gk", ["drags along", "force left out"])
    yield Machine("dumbbell", seed, "STRONG", {**G, "m": (0.5, 2), "M": (0.5, 2), "l": (0.5, 1.5), "w": (2, 8)}, """coordinates x1, y1, x2, y2
kinetic T = 1/2*m*(x1'^2 + y1'^2) + 1/2*M*(x2'^2 + y2'^2)
potential V = m*g*y1 + M*g*y2
constraint rod: (x2 - x1)^2 + (y2 - y1)^2 = l^2
""", dumbbell, "gl", ["falls sideways", "force pushes"])
    yield Machine("two-balls", seed, "WEAK", {**G, "m": (1, 2), "M": (0.3, 0.9), "e": (0.5, 0.9), "f": (0.4, 0.9)}, """coordinates y, z
kinetic T = 1/2*m*y'^2 + 1/2*M*z'^2
potential V = m*g*y + M*g*z
constraint floor: y >= 0, restitution e
constraint balls: z - y >= 0, restitution f
""", two_balls, "gef", ["masses swapped"], ("y", 1), "mM")
    yield Machine("striker", seed, "WEAK", {"k": (4, 15), "c": (0.1, 0.5), "A": (2, 6), "w": (2, 5), "e": (0.4, 0.9)}, """coordinates x
kinetic T = 1/2*x'^2
potential V = 1/2*k*x^2
force x: A*cos(w*t) - c*x'
constraint stop: x <= 0.3, restitution e
""", striker, "kAe", [], ("x", -1))
    yield Machine("bumpers", seed, "WEAK", {"m": (0.6, 2), "M": (0.6, 2), "e": (0.3, 0.9), "k": (5, 20)}, """coordinates x, y
kinetic T = 1/2*m*x'^2 + 1/2*M*y'^2
potential V = 1/2*k*x^2 + 1/2*k*(y - 0.5)^2
constraint meet: y - x >= 0, restitution e
""", bumpers, "kme", ["momentum lost"])
    yield Machine("between-walls", seed, "WEAK", {**G, "e": (0.6, 0.95), "f": (0.5, 0.9), "A": (0.02, 0.08), "w": (5, 20)}, """coordinates y
kinetic T = 1/2*y'^2
potential V = g*y
constraint floor: y >= 0, restitution e
constraint lid: y <= 1 + A*sin(w*t), restitution f
""", between_walls, "gef", ["a lid at rest"], ("y", 1), "A")
    yield Machine("dry-pendulum", seed, "WEAK", {**G, "l": (0.6, 1.4), "B": (0.5, 1.5)}, """coordinates th
kinetic T = 1/2*th'^2
potential V = -g/l*cos(th)
friction rub: slip th', bound B
""", dry_pendulum, "gB", ["viscous as well"])
    yield Machine("driven-block", seed, "WEAK", {"A": (2, 5), "w": (2, 5), "B": (0.5, 1.5), "k": (0.5, 3)}, """coordinates x
kinetic T = 1/2*x'^2
potential V = 1/2*k*x^2
force x: A*sin(w*t)
friction rub: slip x', bound B
""", driven_block, "ABk", ["slips early"])
    yield Machine("braking", seed, "WEAK", {"m": (0.5, 2), "M": (1, 3), "B": (1, 3)}, """coordinates x, y
kinetic T = 1/2*m*x'^2 + 1/2*M*y'^2
friction rub: slip x' - y', bound B
""", braking, "mMB", ["no reaction"])
    yield Machine("one-sided", seed, "STRONG", {**G, "k": (150, 600)}, """coordinates y
kinetic T = 1/2*y'^2
potential V = g*y + 1/2*k*max(0.2 - y, 0)^2
""", one_sided, "gk", ["a spring that pulls"])
    yield Machine("backlash", seed, "STRONG", {"m": (0.5, 2), "M": (0.5, 2), "k": (50, 200), "A": (2, 6), "w": (2, 5)}, """coordinates x, y
kinetic T = 1/2*m*x'^2 + 1/2*M*y'^2
spring s: stretch y - x, stiffness k, play -0.05..0.05
force x: A*cos(w*t)
""", backlash, "kAmM", ["acts on one alone"])
