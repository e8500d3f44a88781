# SPDX-License-Identifier: MIT
"""Systems that Pawl does not touch: each is a small machine of modes with equations written by hand,
integrated by Runge and Kutta's method with events by bisection. `wrong` names numbers with which a
machine makes a motion that the model does not have."""
import math


def step(f, t, x, h):
    k1 = f(t, x)
    k2 = f(t + h/2, [a + h/2*b for a, b in zip(x, k1)])
    k3 = f(t + h/2, [a + h/2*b for a, b in zip(x, k2)])
    k4 = f(t + h, [a + h*b for a, b in zip(x, k3)])
    return [a + h/6*(b + 2*c + 2*d + e) for a, b, c, d, e in zip(x, k1, k2, k3, k4)]


def crossing(f, guard, t, x, h):
    """The part of a step after which the guard is no longer positive."""
    low, high = 0.0, h
    for _ in range(60):
        middle = (low + high)/2
        if guard(t + middle, step(f, t, x, middle)) < 0:
            high = middle
        else:
            low = middle
    return high


def run(modes, mode, x, end, dt, pairs=True, sub=2):
    """modes[name] = (rates(t, x), exits, row(t, x)); an exit is (guard, change): where the guard turns
    negative change(t, x) gives the next mode and state. Rows every dt, two at each event."""
    t, rows, grid, events = 0.0, [modes[mode][2](0.0, x)], 0, 0
    while grid*dt < end - 1e-9:
        grid += 1
        while t < grid*dt - 1e-12:
            f, exits, row = modes[mode]
            h = min(dt/sub, grid*dt - t)
            y = step(f, t, x, h)
            hit = [(crossing(f, guard, t, x, h), n) for n, (guard, _) in enumerate(exits)
                   if guard(t + h, y) < 0]
            if not hit:
                t, x = t + h, y
                continue
            events += 1
            if events > 1000:
                raise RuntimeError(f"events accumulate at {t}")
            h, n = min(hit)
            t, x = t + h, step(f, t, x, h)
            if pairs:
                rows.append(row(t, x))
            mode, x = exits[n][1](t, x)
            if pairs:
                rows.append(modes[mode][2](t, x))
        if not pairs or abs(rows[-1][0] - grid*dt) > 1e-9:
            rows.append(modes[mode][2](grid*dt, x))
            t = grid*dt
    return rows


# ---- one contact ----

def ball(e=0.6, g=10.0, above=0.0, glue=0.0, pull=1.0, dt=2e-3, pairs=True):
    """Dropped, bounces, rests, is lifted by a force that grows. above: where it turns; glue: how far
    the lifting force has to pull."""
    def lift(t):
        return 4*(t - 2)**2 if t > 2 else 0.0

    def land(t, x):
        out = -e*x[1]
        return ("rest", [0.0, 0.0]) if out < 2e-3 else ("fly", [above, out])
    fly = (lambda t, x: [x[1], -g + lift(t)/2], [(lambda t, x: x[0] - above if x[1] < -1e-6 else 1.0, land)],
           lambda t, x: [t, x[0], x[1], 0.0])
    rest = (lambda t, x: [0.0, 0.0], [(lambda t, x: 20.0 - lift(t) + glue, lambda t, x: ("fly", x))],
            lambda t, x: [t, 0.0, 0.0, pull*(20.0 - lift(t))])
    model = ("parameter m = 2, g = 10\ncoordinates y\nkinetic T = 1/2*m*y'^2\npotential V = m*g*y\n"
             "force y: if(t > 2, 4*(t - 2)^2, 0)\nconstraint floor: y >= 0, restitution 0.6\n")
    rows = run({"fly": fly, "rest": rest}, "fly", [0.8, 0.0], 5.0, dt, pairs)
    return model, ["t", "y", "y'", "force(floor)"], rows


def shaken(e=0.5, A=0.02, dt=1e-3, pairs=True, above=0.0):
    """A ball on a table that moves up and down, hit a few times."""
    W, g = 9.0, 10.0

    def hit(t, x):
        wall = A*W*math.cos(W*t)
        return "fly", [x[0], wall - e*(x[1] - wall)]
    fly = (lambda t, x: [x[1], -g],
           [(lambda t, x: x[0] - A*math.sin(W*t) - above if x[1] < A*W*math.cos(W*t) else 1.0, hit)],
           lambda t, x: [t, x[0], x[1]])
    model = ("coordinates y\nkinetic T = 1/2*y'^2\npotential V = 10*y\n"
             "constraint table: y >= 0.02*sin(9*t), restitution 0.5\n")
    return model, ["t", "y", "y'"], run({"fly": fly}, "fly", [0.5, 0.0], 0.8, dt, pairs)


def stop(e=0.7, g=9.81, at=-0.2, dt=1e-3, pairs=True):
    """A pendulum that hits a stop."""
    swing = (lambda t, x: [x[1], -2*g*math.sin(x[0])],
             [(lambda t, x: x[0] - at if x[1] < 0 else 1.0, lambda t, x: ("swing", [x[0], -e*x[1]]))],
             lambda t, x: [t, x[0], x[1], 0.0])
    model = ("parameter l = 0.5\ncoordinates th\nlet P = (l*sin(th), -l*cos(th))\nkinetic T = 1/2*dot(P', P')\n"
             "potential V = 9.81*P[2]\nconstraint stop: th >= -0.2, restitution 0.7\n")
    return model, ["t", "th", "th'", "force(stop)"], run({"swing": swing}, "swing", [1.2, 0.0], 2.0, dt, pairs)


def rope(e=0.0, push=False, length=1.0, dt=1e-3, pairs=True):
    """A bob on a rope of length 1, thrown from below: on a circle, slack, and taut again with a jerk.
    push: the rope keeps it on the circle."""
    g = 9.81

    def circle(t, x):
        return [t, math.sin(x[0]), -math.cos(x[0]), x[1]*math.cos(x[0]), x[1]*math.sin(x[0]),
                (x[1]**2 + g*math.cos(x[0]))/2]

    def slack(t, x):
        return "free", [math.sin(x[0]), -math.cos(x[0]), x[1]*math.cos(x[0]), x[1]*math.sin(x[0])]

    def taut(t, x):
        r = math.hypot(x[0], x[1])
        n = (x[0]/r, x[1]/r)
        out = x[2]*n[0] + x[3]*n[1]
        if e*out > 1e-2:
            return "free", [x[0], x[1], x[2] - (1 + e)*out*n[0], x[3] - (1 + e)*out*n[1]]
        return "taut", [math.atan2(x[0], -x[1]), -x[2]*n[1] + x[3]*n[0]]
    on = (lambda t, x: [x[1], -g*math.sin(x[0])],
          [] if push else [(lambda t, x: x[1]**2 + g*math.cos(x[0]), slack)], circle)
    off = (lambda t, x: [x[2], x[3], 0.0, -g],
           [(lambda t, x: length - math.hypot(x[0], x[1]) if x[0]*x[2] + x[1]*x[3] > 0 else 1.0, taut)],
           lambda t, x: [t] + x + [0.0])
    model = ("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 9.81*y\n"
             "constraint rope: x^2 + y^2 <= 1, restitution 0\n")
    rows = run({"taut": on, "free": off}, "taut", [0.0, 5.6], 1.6, dt, pairs)
    return model, ["t", "x", "y", "x'", "y'", "force(rope)"], rows


# ---- several contacts ----

def corner(e1=0.5, e2=0.8, spread=0, dt=2e-3, pairs=True):
    """A point thrown between a floor and two walls. spread: rows that an impact takes."""
    g = 10.0

    def bounce(k, e):
        def change(t, x):
            x = list(x)
            x[2 + k] = -e*x[2 + k]
            return "fly", x
        return change
    fly = (lambda t, x: [x[2], x[3], 0.0, -g],
           [(lambda t, x: x[1] if x[3] < 0 else 1.0, bounce(1, e1)),
            (lambda t, x: x[0] if x[2] < 0 else 1.0, bounce(0, e2)),
            (lambda t, x: 1 - x[0] if x[2] > 0 else 1.0, bounce(0, e2))], lambda t, x: [t] + x)
    model = ("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 10*y\n"
             "constraint floor: y >= 0, restitution 0.5\nconstraint left: x >= 0, restitution 0.8\n"
             "constraint right: x <= 1, restitution 0.8\n")
    rows = run({"fly": fly}, "fly", [0.3, 0.9, 3.1, 0.4], 1.0, dt, pairs or spread > 0)
    return model, ["t", "x", "y", "x'", "y'"], smeared(rows, spread, dt) if spread else rows


def smeared(rows, inside, width):
    """Impacts that take some time: rows at one place with velocities in between, all later rows
    later."""
    out, late = [], 0.0
    for a, b in zip(rows, rows[1:] + [None]):
        out.append([a[0] + late] + a[1:])
        if b is not None and b[0] == a[0]:
            for i in range(1, inside + 1):
                part = i/(inside + 1)
                out.append([a[0] + late + width*part] + [p + part*(q - p) for p, q in zip(a[1:], b[1:])])
            late += width
    return out


def billiard(e=1.0, turn=0.0, dt=2e-3, pairs=True):
    """A square; into a corner in the end. turn: what an impact adds to the other velocity."""
    def bounce(k, sign):
        def change(t, x):
            x = list(x)
            x[2 + k] *= -e
            x[3 - k] *= 1 + turn
            return "roll", x
        return change
    roll = (lambda t, x: [x[2], x[3], 0.0, 0.0],
            [((lambda t, x, k=k: x[k] if x[2 + k] < 0 else 1.0), bounce(k, 0)) for k in (0, 1)] +
            [((lambda t, x, k=k: 1 - x[k] if x[2 + k] > 0 else 1.0), bounce(k, 1)) for k in (0, 1)],
            lambda t, x: [t] + x)
    model = "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n" + "".join(
        f"constraint {n}: {c}, restitution 1\n" for n, c in
        (("a", "x >= 0"), ("b", "x <= 1"), ("c", "y >= 0"), ("d", "y <= 1")))
    return model, ["t", "x", "y", "x'", "y'"], run({"roll": roll}, "roll", [0.7, 0.5, 0.6, 1.0], 1.5, dt, pairs)


# ---- dry friction ----

def belt(Fk=1.0, Fs=1.6, sign=1.0, dt=2e-3, pairs=True):
    k, v = 2.0, 0.3
    slide = (lambda t, x: [x[1], -k*x[0] + sign*Fk], [(lambda t, x: v - x[1] if t - start[0] > 0.1 else 1.0,
                                                      lambda t, x: ("stick", [x[0], v]))],
             lambda t, x: [t, x[0], x[1], sign*Fk])
    start = [0.0]

    def let_go(t, x):
        start[0] = t
        return "slide", x
    stick = (lambda t, x: [v, 0.0], [(lambda t, x: Fs - k*x[0], let_go)],
             lambda t, x: [t, x[0], v, k*x[0]])
    model = ("coordinates x\nkinetic T = 1/2*x'^2\npotential V = x^2\n"
             "friction b: slip x' - 0.3, bound 1, static 1.6\n")
    rows = run({"slide": slide, "stick": stick}, "stick", [0.2, v], 6.0, dt, pairs)
    return model, ["t", "x", "x'", "force(b)"], rows


def incline(mu=0.3, back=None, hold=False, pull=1.0, dt=1e-3, pairs=True):
    """Up an incline, and down again. back: friction on the way down; hold: it stays up there."""
    c, s, g = math.cos(0.5), math.sin(0.5), 9.81
    back = mu if back is None else back
    up = (lambda t, x: [x[1], -g*s - mu*g*c],
          [(lambda t, x: x[1], lambda t, x: ("held" if hold else "down", [x[0], 0.0]))],
          lambda t, x: [t, x[0], 0.0, x[1], 0.0, g*c*pull, -mu*g*c])
    down = (lambda t, x: [x[1], -g*s + back*g*c], [],
            lambda t, x: [t, x[0], 0.0, x[1], 0.0, g*c*pull, back*g*c])
    held = (lambda t, x: [0.0, 0.0], [], lambda t, x: [t, x[0], 0.0, 0.0, 0.0, g*c, g*s])
    model = ("parameter g = 9.81\ncoordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
             "potential V = g*(x*sin(0.5) + y*cos(0.5))\nconstraint floor: y >= 0, restitution 0\n"
             "friction rub: slip x', mu 0.3 on floor\n")
    rows = run({"up": up, "down": down, "held": held}, "up", [0.0, 3.0], 1.2, dt, pairs)
    return model, ["t", "x", "y", "x'", "y'", "force(floor)", "force(rub)"], rows


def puck(F=1.5, skew=0.0, square=False, dt=2e-3, pairs=True):
    """Slides on an incline in the plane, friction against the slip; skew: turned by that angle;
    square: each component by itself."""
    def push(x):
        n = math.hypot(x[2], x[3])
        d = (math.copysign(1, x[2]), math.copysign(1, x[3])) if square else (x[2]/n, x[3]/n)
        c, s = math.cos(skew), math.sin(skew)
        return [-F*(c*d[0] - s*d[1]), -F*(s*d[0] + c*d[1])]

    def rates(t, x):
        f = push(x)
        return [x[2], x[3], 2.0 + f[0], f[1]]
    slide = (rates, [], lambda t, x: [t] + x + push(x))
    model = ("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = -2*x\n"
             "friction rub: slip (x', y'), bound 1.5\n")
    rows = run({"slide": slide}, "slide", [0.0, 0.0, 0.5, 2.0], 1.2, dt, pairs)
    return model, ["t", "x", "y", "x'", "y'", "force(rub)[1]", "force(rub)[2]"], rows


def oblique(e=0.5, mu=0.3, sign=1.0, law="restitution", dt=1e-3, pairs=True):
    """A ball thrown at a rough floor: slides through the impact, tangential impulse mu times the
    normal one."""
    r, g = 0.1, 10.0

    def hit(t, x):
        p = -(1 + e)*x[4]
        slip = x[3] + r*x[5]
        f = -sign*mu*p*math.copysign(1, slip)
        return "fly", [x[0], x[1], x[2], x[3] + f, -e*x[4], x[5] + r*f/(0.4*r*r)]
    fly = (lambda t, x: [x[3], x[4], x[5], 0.0, -g, 0.0],
           [(lambda t, x: x[1] - r if x[4] < 0 else 1.0, hit)], lambda t, x: [t] + x)
    model = ("parameter r = 0.1\ncoordinates x, y, ph\nkinetic T = 1/2*(x'^2 + y'^2) + 1/5*r^2*ph'^2\n"
             f"potential V = 10*y\nconstraint floor: y >= r, {law} 0.5\nfriction rub: slip x' + r*ph', mu 0.3 on floor\n")
    rows = run({"fly": fly}, "fly", [0.0, 0.8, 0.0, 18.0, 0.0, 3.0], 0.9, dt, pairs)
    return model, ["t", "x", "y", "ph", "x'", "y'", "ph'"], rows


# ---- springs and graphs ----

def play(k=100.0, F0=2.0, b=0.01, c=0.4, dt=1e-3, pairs=True):
    """A mass between springs with play and preload, driven."""
    def force(x):
        return -(F0 + k*(x - b)) if x > b else F0 - k*(x + b) if x < -b else 0.0

    def rates(side):
        def f(t, x):
            pull = 0.0 if side == 0 else -side*F0 - k*(x[0] - side*b)
            return [x[1], 9*math.cos(6*t) - c*x[1] + pull]
        return f

    def row(side):
        return lambda t, x: [t, x[0], x[1], 0.0 if side == 0 else -side*F0 - k*(x[0] - side*b)]
    modes = {0: (rates(0), [(lambda t, x: b - x[0], lambda t, x: (1, [b, x[1]])),
                            (lambda t, x: b + x[0], lambda t, x: (-1, [-b, x[1]]))], row(0)),
             1: (rates(1), [(lambda t, x: x[0] - b, lambda t, x: (0, [b, x[1]]))], row(1)),
             -1: (rates(-1), [(lambda t, x: -b - x[0], lambda t, x: (0, [-b, x[1]]))], row(-1))}
    model = ("coordinates x\nkinetic T = 1/2*x'^2\ndissipation D = 0.2*x'^2\n"
             "spring s: stretch x, stiffness 100, play -0.01..0.01, preload 2\nforce x: 9*cos(6*t)\n")
    return model, ["t", "x", "x'", "force(s)"], run(modes, 0, [0.0, 0.3], 2.0, dt, pairs, 4)


def clutch(up=1.0, down=0.5, slope=2.0, dt=2e-3, pairs=True):
    """A graph of the velocity: up + slope*v forwards, down + v backwards; sticks in between."""
    def drive(t):
        return 3*math.sin(2*t)
    go = (lambda t, x: [x[1], drive(t) - up - slope*x[1]],
          [(lambda t, x: x[1], lambda t, x: ("stick" if -down <= drive(t) <= up else "back", [x[0], 0.0]))],
          lambda t, x: [t, x[0], x[1], -up - slope*x[1]])
    back = (lambda t, x: [x[1], drive(t) + down - x[1]],
            [(lambda t, x: -x[1], lambda t, x: ("stick" if -down <= drive(t) <= up else "go", [x[0], 0.0]))],
            lambda t, x: [t, x[0], x[1], down - x[1]])
    stick = (lambda t, x: [0.0, 0.0], [(lambda t, x: up - drive(t), lambda t, x: ("go", [x[0], 0.0])),
                                       (lambda t, x: drive(t) + down, lambda t, x: ("back", [x[0], 0.0]))],
             lambda t, x: [t, x[0], 0.0, -drive(t)])
    model = ("coordinates x\nkinetic T = 1/2*x'^2\nforce x: 3*sin(2*t)\n"
             "law l: slip x', graph (-1, -1.5)(0, -0.5)(0, 1)(1, 3)\n")
    rows = run({"go": go, "back": back, "stick": stick}, "stick", [0.0, 0.0], 5.0, dt, pairs)
    return model, ["t", "x", "x'", "force(l)"], rows


# ---- differential constraints and servos ----

def skate(slope=1.0, side=1.0, dt=2e-3, pairs=True):
    """A blade on an incline that turns steadily; side: how much of the force across is there."""
    a, w = 0.9, 1.3

    def row(t, x):
        th = w*t
        lam = side*(x[2]*w + a*math.sin(th))
        return [t, x[0], x[1], th, x[2]*math.cos(th), x[2]*math.sin(th), w, -lam]
    glide = (lambda t, x: [x[2]*math.cos(w*t), x[2]*math.sin(w*t), slope*a*math.cos(w*t)], [], row)
    model = ("coordinates x, y, th\nkinetic T = 1/2*(x'^2 + y'^2) + 1/4*th'^2\npotential V = -0.9*x\n"
             "constraint blade: x'*sin(th) - y'*cos(th) = 0\n")
    names = ["t", "x", "y", "th", "x'", "y'", "th'", "force(blade)"]
    return model, names, run({"glide": glide}, "glide", [0.0, 0.0, 0.4], 4.0, dt, pairs)


def rolling(push=1.0, dt=2e-3, pairs=True):
    """A hoop that rolls down an incline: half of the acceleration of one that slides."""
    a = 2.0

    def row(t, x):
        return [t, x[0], x[0]/0.3, x[1], x[1]/0.3, -a/2]
    roll = (lambda t, x: [x[1], a*(1 - push/2)], [], row)
    model = ("coordinates x, ph\nkinetic T = 1/2*x'^2 + 1/2*0.09*ph'^2\npotential V = -2*x\n"
             "constraint roll: x' = 0.3*ph'\n")
    return model, ["t", "x", "ph", "x'", "ph'", "force(roll)"], run({"roll": roll}, "roll", [0.0, 0.5], 2.0, dt, pairs)


def servo(g=9.81, ideal=False, dt=2e-3, pairs=True):
    """A force on the cart holds the pendulum at 0.1 sin t. ideal: a torque on the pendulum does."""
    M, m, l = 1.0, 0.2, 0.6

    def given(t):
        return 0.1*math.sin(t), 0.1*math.cos(t), -0.1*math.sin(t)

    def pull(t):
        th, w, a = given(t)
        if ideal:
            return -(m*l*(a*math.cos(th) - w*w*math.sin(th)))/(M + m)
        return (g*math.sin(th) - l*a)/math.cos(th)

    def row(t, x):
        th, w, a = given(t)
        F = (M + m)*pull(t) + m*l*(a*math.cos(th) - w*w*math.sin(th))
        return [t, x[0], th, x[1], w, F]
    go = (lambda t, x: [x[1], pull(t)], [], row)
    model = ("coordinates x, th\nlet P = (x + 0.6*sin(th), 0.6*cos(th))\nkinetic T = 1/2*x'^2 + 1/2*0.2*dot(P', P')\n"
             "potential V = 0.2*9.81*P[2]\nservo hold: th = 0.1*sin(t), by x\n")
    return model, ["t", "x", "th", "x'", "th'", "force(hold)"], run({"go": go}, "go", [0.0, 0.0], 5.0, dt, pairs)


def one_way(engage=True, early=0.0, both=False, dt=2e-3, pairs=True):
    """A servo that pushes only: x' = 0.3 sin 2t. early: it lets go while it still pushes this much; both:
    it pulls as well."""
    def load(t):
        return 3*math.cos(1.3*t) - 0.8

    def push(t):
        return 2*0.6*math.cos(2*t) - load(t)
    slack = (lambda t, x: [x[1], load(t)/2],
             [(lambda t, x: x[1] - 0.3*math.sin(2*t) if engage and t > since[0] + 0.05 else 1.0,
               lambda t, x: ("held", [x[0], 0.3*math.sin(2*t)]))], lambda t, x: [t, x[0], x[1], 0.0])
    since = [0.0]

    def release(t, x):
        since[0] = t
        return "slack", x
    held = (lambda t, x: [0.3*math.sin(2*t), 0.6*math.cos(2*t)],
            [] if both else [(lambda t, x: push(t) - early, release)],
            lambda t, x: [t, x[0], x[1], push(t)])
    model = ("coordinates x\nkinetic T = x'^2\nforce x: 3*cos(1.3*t) - 0.8\n"
             "servo s: x' = 0.3*sin(2*t), by x, one-way\n")
    rows = run({"slack": slack, "held": held}, "held" if both else "slack", [0.0, 0.0], 6.0, dt, pairs)
    return model, ["t", "x", "x'", "force(s)"], rows


def helix(lam=0.6, stated=None, dt=2e-3, pairs=True):
    """The vakonomic motion under z' = (x y' - y x')/2: a helix, its multiplier the turning rate."""
    stated = lam if stated is None else stated
    model = ("coordinates x, y, z\nkinetic T = 1/2*(x'^2 + y'^2 + z'^2)\n"
             "constraint c: z' = 1/2*(x*y' - y*x'), vakonomic\n")
    rows = []
    for k in range(int(2/dt) + 1):
        t = k*dt
        rows.append([t, math.cos(lam*t), math.sin(lam*t), lam*t/2, -lam*math.sin(lam*t), lam*math.cos(lam*t),
                     lam/2, stated])
    return model, ["t", "x", "y", "z", "x'", "y'", "z'", "force(c)"], rows


# ---- rotations ----

def tumble(J=(1.0, 2.0, 3.0), swap=1.0, dt=2e-3, pairs=True):
    """A free body by Euler's equations and its quaternion."""
    def rates(t, x):
        q, W = x[:4], x[4:]
        dq = [0.5*(-q[1]*W[0] - q[2]*W[1] - q[3]*W[2]), 0.5*(q[0]*W[0] + q[2]*W[2] - q[3]*W[1]),
              0.5*(q[0]*W[1] - q[1]*W[2] + q[3]*W[0]), 0.5*(q[0]*W[2] + q[1]*W[1] - q[2]*W[0])]
        return dq + [swap*(J[1] - J[2])*W[1]*W[2]/J[0], swap*(J[2] - J[0])*W[2]*W[0]/J[1],
                     swap*(J[0] - J[1])*W[0]*W[1]/J[2]]

    def row(t, x):
        a, b, c, d = x[:4]
        m = [[a*a + b*b - c*c - d*d, 2*(b*c - a*d), 2*(b*d + a*c)],
             [2*(b*c + a*d), a*a - b*b + c*c - d*d, 2*(c*d - a*b)],
             [2*(b*d - a*c), 2*(c*d + a*b), a*a - b*b - c*c + d*d]]
        return [t] + x[:4] + [sum(p*q for p, q in zip(line, x[4:])) for line in m]
    model = "rotation R\nkinetic T = 1/2*(R.W[1]^2 + 2*R.W[2]^2 + 3*R.W[3]^2)\n"
    names = ["t"] + [f"R.q[{i}]" for i in (1, 2, 3, 4)] + [f"R.w[{i}]" for i in (1, 2, 3)]
    return model, names, run({"": (rates, [], row)}, "", [1.0, 0, 0, 0, 1.5, 0.4, 0.8], 3.0, dt, pairs)


class System:
    def __init__(self, make, verdict, low=None, **wrong):
        self.make, self.verdict, self.wrong = make, verdict, wrong
        self.name = make.__name__
        self.low = low  # coordinate whose decrease (sign 1) penetrates, and the sign


def all_systems():
    tiny = 1.001
    yield System(ball, "WEAK", ("y", 1), restitution={"e": 0.61}, gain={"e": 1.1}, weight={"g": 10*tiny},
                 early={"above": 5e-3}, late={"above": -5e-3}, adhesion={"glue": 2.0},
                 force={"pull": tiny})
    yield System(shaken, "WEAK", None, restitution={"e": 0.51}, amplitude={"A": 0.021},
                 early={"above": 2e-3}, late={"above": -2e-3})
    yield System(stop, "WEAK", ("th", 1), restitution={"e": 0.71}, gain={"e": 1.05},
                 weight={"g": 9.81*tiny}, early={"at": -0.19}, late={"at": -0.21})
    yield System(rope, "WEAK", None, restitution={"e": 0.2}, pushes={"push": True}, early={"length": 0.98},
                 late={"length": 1.02})
    yield System(corner, "WEAK", ("y", 1), restitution={"e1": 0.52}, other={"e2": 0.83}, gain={"e2": 1.1},
                 spread={"spread": 2}, spread_gain={"spread": 1, "e2": 1.2}, spread_loss={"spread": 3, "e1": 0.45})
    yield System(billiard, "STRONG", ("x", 1), restitution={"e": 0.98}, gain={"e": 1.02},
                 tangential={"turn": 0.01})
    yield System(belt, "WEAK", None, slides_by_more={"Fk": tiny}, slips_early={"Fs": 1.5},
                 slips_late={"Fs": 1.65}, wrong_way={"sign": -1.0})
    yield System(incline, "WEAK", ("y", 1), coefficient={"mu": 0.3*tiny, "back": 0.3}, below={"back": 0.29},
                 above={"back": 0.31}, wrong_way={"back": -0.3}, holds={"hold": True}, force={"pull": tiny})
    yield System(puck, "WEAK", None, bound={"F": 1.5*tiny}, direction={"skew": 0.01}, square={"square": True})
    yield System(oblique, "WEAK", ("y", 1), restitution={"e": 0.52}, impulse={"mu": 0.31}, less={"mu": 0.28},
                 wrong_way={"sign": -1.0}, none={"mu": 0.0})
    yield System(play, "STRONG", None, stiffness={"k": 100*tiny}, preload={"F0": 2*tiny}, edge={"b": 0.0105},
                 damping={"c": 0.41})
    yield System(clutch, "WEAK", None, up={"up": 1.01}, down={"down": 0.51}, slope={"slope": 2*tiny})
    yield System(skate, "STRONG", None, slope={"slope": tiny}, force={"side": tiny})
    yield System(rolling, "STRONG", None, friction={"push": tiny}, slides={"push": 0.0})
    yield System(servo, "STRONG", None, weight={"g": 9.81*tiny}, ideal={"ideal": True})
    yield System(one_way, "STRONG", None, never={"engage": False}, early={"early": 0.1}, pulls={"both": True})
    yield System(helix, "STRONG", None, multiplier={"stated": 0.6*tiny}, none={"stated": 0.0})
    yield System(tumble, "STRONG", None, inertia={"J": (1.0, 2.0, 3*tiny)}, swapped={"swap": -1.0},
                 none={"swap": 0.0})
