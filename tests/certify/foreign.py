# SPDX-License-Identifier: MIT
"""Trajectories that Pawl did not compute: closed forms and a Runge-Kutta method of its own, with
ways to spoil them. Each case gives a model, columns and rows."""
import math

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
