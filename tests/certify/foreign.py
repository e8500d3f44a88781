# SPDX-License-Identifier: MIT
"""Trajectories that Pawl did not compute: closed forms and a Runge-Kutta method of its own, with
ways to spoil them. Each case gives a model, columns and rows."""
import math
import random
import struct

BALL = """parameter m = 2, g = 10, e = {e}
coordinates y
kinetic T = 1/2*m*y'^2
potential V = m*g*y
constraint floor: y >= 0, restitution e
"""


def ball(e=0.5, used=None, h=0.8, end=2.0, dt=1e-3, pairs=True, rest_error=0.0):
    """A ball dropped from h on a floor with restitution `used` (stated: e); at rest in the end."""
    m, g = 2.0, 10.0
    used = e if used is None else used
    rows, t0, y0, v0 = [], 0.0, h, 0.0
    k, resting = 0, False
    while True:
        land = math.inf if resting else t0 + (v0 + math.sqrt(v0*v0 + 2*g*y0))/g
        while k*dt <= min(land, end) + 1e-12:
            s = k*dt - t0
            if resting:
                rows.append([k*dt, 0.0, 0.0, m*g*(1 + rest_error)])
            elif k*dt < land - 1e-9:
                rows.append([k*dt, y0 + v0*s - g*s*s/2, v0 - g*s, 0.0])
            k += 1
        if land > end:
            return BALL.format(e=e), ["t", "y", "y'", "force(floor)"], rows
        v = v0 - g*(land - t0)
        out = -used*v
        resting = out < 1e-3
        out = 0.0 if resting else out
        if pairs:
            rows.append([land, 0.0, v, 0.0])
            rows.append([land, 0.0, out, m*g*(1 + rest_error) if resting else 0.0])
        t0, y0, v0 = land, 0.0, out


PENDULUM = """parameter m = 1, l = 1, g = 9.81
coordinates x, y
kinetic T = 1/2*m*(x'^2 + y'^2)
potential V = m*g*y
constraint rod: x^2 + y^2 = l^2
"""


def rk4(f, x, dt):
    k1 = f(x)
    k2 = f([a + dt/2*b for a, b in zip(x, k1)])
    k3 = f([a + dt/2*b for a, b in zip(x, k2)])
    k4 = f([a + dt*b for a, b in zip(x, k3)])
    return [a + dt/6*(b + 2*c + 2*d + e) for a, b, c, d, e in zip(x, k1, k2, k3, k4)]


def pendulum(end=5.0, every=0.01, substeps=20, force_error=0.0):
    """In x and y, computed with the angle; the force of the rod is the multiplier of x^2 + y^2."""
    g, x = 9.81, [1.0, 0.0]
    rows = []
    for k in range(int(round(end/every)) + 1):
        th, w = x
        tension = w*w + g*math.cos(th)
        rows.append([k*every, math.sin(th), -math.cos(th), w*math.cos(th), w*math.sin(th),
                     -tension/2*(1 + force_error)])
        for _ in range(substeps):
            x = rk4(lambda z: [z[1], -g*math.sin(z[0])], x, every/substeps)
    return PENDULUM, ["t", "x", "y", "x'", "y'", "force(rod)"], rows


BLOCK = """parameter m = 1, g = 9.81, mu0 = 0.2
coordinates x, y
kinetic T = 1/2*m*(x'^2 + y'^2)
potential V = m*g*y
constraint floor: y >= 0, restitution 0
friction rub: slip x', mu mu0 on floor
"""


def block(mu=0.2, end=2.0, dt=2e-3, pull=1.0):
    """Slides to a halt; mu other than 0.2 is wrong, as is a floor that pulls."""
    g, v0 = 9.81, 2.0
    stop = v0/(mu*g)
    rows = []
    for k in range(int(round(end/dt)) + 1):
        t = k*dt
        s = min(t, stop)
        moves = t < stop
        rows.append([t, v0*s - mu*g*s*s/2, 0.0, max(v0 - mu*g*s, 0.0), 0.0, g*pull,
                     -mu*g*pull if moves else 0.0])
    return BLOCK, ["t", "x", "y", "x'", "y'", "force(floor)", "force(rub)"], rows


def top(end=3.0, dt=2e-3):
    """A free body turning about a principal axis: quaternion (cos, 0, 0, sin) of half the angle."""
    w = 2.0
    model = "body b: mass 1, inertia (1, 2, 3)\n"
    names = ["t"] + [f"b.p[{i}]" for i in (1, 2, 3)] + [f"b.R.q[{i}]" for i in (1, 2, 3, 4)]
    names += [f"b.p[{i}]'" for i in (1, 2, 3)] + [f"b.w[{i}]" for i in (1, 2, 3)]
    rows = []
    for k in range(int(round(end/dt)) + 1):
        t = k*dt
        rows.append([t, t, 0, 1, math.cos(w*t/2), 0, 0, math.sin(w*t/2), 1, 0, 0, 0, 0, w])
    return model, names, rows


WINCH = """parameter J = 0.02, c = 0.3
body r: mass 1, inertia (J, J, J)
joint pin: revolute, ground at (0, 0, 0), r at (0, 0, 0), axis (0, 0, 1)
potential V = 1/2*c*angle(pin)^2
start r.w = (0, 0, 40)
run 0..3
"""


def winch(n=1500, end=3.0):
    """A rotor on a spring that is wound by more than a turn: no column for the turns."""
    names = ["t", "r.p[1]", "r.p[2]", "r.p[3]"] + ["r.R.q[%d]" % k for k in (1, 2, 3, 4)]
    names += ["r.p[1]'", "r.p[2]'", "r.p[3]'", "r.w[1]", "r.w[2]", "r.w[3]"]
    w, rows = math.sqrt(0.3 / 0.02), []
    for k in range(n + 1):
        t = end * k / n
        a = 40 / w * math.sin(w * t)
        rows.append([t, 0, 0, 0, math.cos(a / 2), 0, 0, math.sin(a / 2), 0, 0, 0, 0, 0, 40 * math.cos(w * t)])
    return WINCH, names, rows


def without(case, *dropped):
    model, names, rows = case
    keep = [i for i, name in enumerate(names) if not any(name.startswith(d) for d in dropped)]
    return model, [names[i] for i in keep], [[row[i] for i in keep] for row in rows]


def changed(case, change):
    """change(row as a dict) is applied to every row."""
    model, names, rows = case
    out = []
    for row in rows:
        values = dict(zip(names, row))
        change(values)
        out.append([values[name] for name in names])
    return model, names, out


def blurred(used=0.9, rows_inside=1, width=2e-3, e=0.7, dt=2e-3, end=2.0):
    """A ball whose impacts take some time: rows on the floor with velocities in between."""
    g, rows, t0, y0, v0 = 10.0, [], 0.0, 1.3, 0.4
    while t0 < end:
        land = t0 + (v0 + math.sqrt(v0*v0 + 2*g*y0))/g
        k = 0
        while t0 + k*dt < min(land, end) - 1e-9:
            s = k*dt
            rows.append([t0 + s, y0 + v0*s - g*s*s/2, v0 - g*s])
            k += 1
        if land > end:
            break
        v = v0 - g*(land - t0)
        for i in range(rows_inside + 1):
            part = i/(rows_inside + 1)
            rows.append([land + width*part, 0.0, v - (1 + used)*v*part])
        t0, y0, v0 = land + width, 0.0, -used*v
    return BALL.format(e=e), ["t", "y", "y'"], rows


def glued(hold=0.02, e=0.7, dt=2e-3):
    """It stays on the floor for a while, then flies off as if it had just landed."""
    g, land = 10.0, math.sqrt(0.2)
    v = g*land
    rows = [[k*dt, 1 - g*(k*dt)**2/2, -g*k*dt] for k in range(int(land/dt))]
    rows.append([land, 0.0, -v])
    rows += [[land + hold*i/10, 0.0, 0.0] for i in range(1, 10)]
    for k in range(200):
        s = k*dt
        rows.append([land + hold + s, e*v*s - g*s*s/2, e*v - g*s])
    return BALL.format(e=e), ["t", "y", "y'"], rows


def kicked(dv=0.5, width=0.02, dt=2e-3):
    """In free flight, the velocity changes by dv within `width`, one row inside."""
    g, at = 10.0, 0.2
    times = [k*dt for k in range(101)] + [at + width/2] + [at + width + k*dt for k in range(100)]
    rows, y, v, last = [], 5.0, 0.0, 0.0
    for t in times:
        inside = max(0.0, min(t, at + width) - max(last, at))
        a = -g + (dv/width if inside > 0 else 0.0)
        y, v, last = y + v*(t - last) + a*(t - last)**2/2, v + a*(t - last), t
        rows.append([t, y, v])
    return BALL.format(e=0.7), ["t", "y", "y'"], rows


ANGLE = "coordinates th\nkinetic T = 1/2*th'^2\npotential V = -9.81*cos(th)\n"


def pendulum_with_hole(dv=0.0, hole=0.02, dt=2e-3, end=3.0):
    """No rows for a while, in which the velocity changes by dv more than it should."""
    rows, x = [], [1.0, 0.0]
    for k in range(int(round(end/dt)) + 1):
        t = k*dt
        if not 1.0 + 1e-9 < t < 1.0 + hole - 1e-9:
            rows.append([t] + x)
        for _ in range(10):
            x = rk4(lambda z: [z[1], -9.81*math.sin(z[0])], x, dt/10)
        if abs(t + dt - 1.0 - hole/2) < dt/2:
            x = [x[0], x[1] + dv]
    return ANGLE, ["t", "th", "th'"], rows


def penalty(stiffness=1e6, dt=1e-3, e=0.7):
    """An elastic impact by a stiff spring, cut off at the floor; the model has e = 0.7."""
    g, y, v, rows = 10.0, 1.0, 0.0, []
    for k in range(1200):
        rows.append([k*dt, max(y, 0.0), v])
        for _ in range(200):
            h = dt/200
            v += h/2*(-g - (stiffness*y/2 if y < 0 else 0.0))
            y += h*v
            v += h/2*(-g - (stiffness*y/2 if y < 0 else 0.0))
    return BALL.format(e=e), ["t", "y", "y'"], rows


LIFT = """coordinates y
kinetic T = 0.3*y'^2
potential V = 5.82*y
force y: 7*t
constraint floor: y >= 0, restitution 0.5
"""


def lifted(n=1001, late=0.0):
    """Rests, and is lifted by a force that grows, somewhere between rows; late: it sticks."""
    m, off = 0.6, 5.82/7 + late
    rows = []
    for k in range(n):
        t = 2.0*k/(n - 1)
        s = max(t - off, 0.0)
        a0 = 7*late/m
        rows.append([t, a0*s*s/2 + 7*s**3/(6*m), a0*s + 7*s*s/(2*m)])
    return LIFT, ["t", "y", "y'"], rows


PLAY = "coordinates x\nkinetic T = 1/2*x'^2\nspring s: stretch x, stiffness 100, play -0.1..0.1\n"


def play(dt=2e-3, end=2.0):
    """To and fro between two springs: free flight, half a period of each, free flight."""
    w, v = 10.0, 1.0
    cross, half = 0.2/v, math.pi/w
    rows = []
    for k in range(int(round(end/dt)) + 1):
        t = k*dt
        n, s = divmod(t, cross + half)
        sign = 1 - 2*(n % 2)
        if s < cross:
            rows.append([t, sign*(-0.1 + v*s), sign*v])
        else:
            s -= cross
            rows.append([t, sign*(0.1 + v/w*math.sin(w*s)), sign*v*math.cos(w*s)])
    return PLAY, ["t", "x", "x'"], rows


BOX = """coordinates x, y
kinetic T = 1/2*(x'^2 + y'^2)
constraint a: x >= 0, restitution 1
constraint b: x <= 1, restitution 1
constraint c: y >= 0, restitution 1
constraint d: y <= 1, restitution 1
"""


def box(n=150, dt=0.02, vx=1.1, vy=0.9, x0=0.31, y0=0.44):
    """A billiard in a square, unfolded: near a corner two walls are met between two rows."""
    def fold(p, v):
        k = math.floor(p)
        return (p - k, v) if k % 2 == 0 else (1 - (p - k), -v)
    rows = []
    for k in range(n):
        x, u = fold(x0 + vx*k*dt, vx)
        y, w = fold(y0 + vy*k*dt, vy)
        rows.append([k*dt, x, y, u, w])
    return BOX, ["t", "x", "y", "x'", "y'"], rows


def rounded(case, digits):
    model, names, rows = case
    return model, names, [[float("%.*g" % (digits, x)) for x in row] for row in rows]


def noisy(case, size, seed=1):
    """Every number but the time is off by about `size`."""
    import random
    source = random.Random(seed)
    model, names, rows = case
    return model, names, [row[:1] + [x + source.gauss(0, size) for x in row[1:]] for row in rows]


def off_by(case, share, seed=1):
    """Positions and velocities are off by about this share of their largest, independently."""
    source = random.Random(seed)
    model, names, rows = case
    largest = [0.0 if name == "t" or name.startswith("force") else max(abs(row[k]) for row in rows)
               for k, name in enumerate(names)]
    return model, names, [[x + source.gauss(0, share*a) if a else x for x, a in zip(row, largest)] for row in rows]


def single(case, times=True):
    """Rounded to single precision."""
    model, names, rows = case

    def short(x):
        return struct.unpack("f", struct.pack("f", x))[0]
    return model, names, [[x if k == 0 and not times else short(x) for k, x in enumerate(row)] for row in rows]


OSCILLATOR = """parameter m = 2, k = 8
coordinates x
kinetic T = 1/2*m*x'^2
potential V = 1/2*k*x^2
"""


def oscillator(lost=0.0, end=6.0, every=2e-3, noise=0.0, seed=1):
    """Loses this part of its energy between t = 2 and 2.5, by a drag that sets in and ends smoothly."""
    random.seed(seed)
    w2, substeps = 4.0, 10

    def drag(t):
        return 4*lost*math.sin(math.pi*(t - 2)/0.5)**2 if 2 < t < 2.5 else 0.0

    def rate(z):
        t, x, v = z
        return [1.0, v, -w2*x - drag(t)*v]
    z, rows = [0.0, 1.0, 0.0], []
    for k in range(round(end/every) + 1):
        rows.append([k*every, z[1] + noise*random.uniform(-1, 1), z[2] + 2*noise*random.uniform(-1, 1)])
        for _ in range(substeps):
            z = rk4(rate, z, every/substeps)
    return OSCILLATOR, ["t", "x", "x'"], rows
