# SPDX-License-Identifier: MIT
"""Motions with multipliers that are states (vakonomic laws, servos of type II) and with servos,
from closed forms and a Runge-Kutta method of their own; each can be spoiled by its arguments."""
import math

from foreign import rk4

SKATE = """parameter J = 0.5, G = 1
coordinates x, y, th
kinetic T = 1/2*(x'^2 + y'^2) + 1/2*J*th'^2
potential V = -G*x
constraint blade: x'*sin(th) - y'*cos(th) = 0{law}
"""


def skate(vakonomic=True, claimed=None, end=4.0, dt=4e-3, turn=1.0, lam=0.3, speed=0.2):
    """v along the blade. Vakonomic: (x' + lam sin)' = G, (y' - lam cos)' = 0, J th'' = lam v, so that
    v' = G cos - lam th', lam' = G sin + v th'. Ideal: v' = G cos, th'' = 0, force G sin + v th'
    along -(sin, -cos). `claimed`: which of both the model says."""
    J, G, state, rows = 0.5, 1.0, [0.0, 0.0, 0.3, speed, turn, lam], []

    def f(z):
        x, y, th, v, w, m = z
        held = G*math.sin(th) + v*w
        return [v*math.cos(th), v*math.sin(th), w, G*math.cos(th) - (m*w if vakonomic else 0),
                m*v/J if vakonomic else 0, held if vakonomic else 0]
    for k in range(int(round(end/dt)) + 1):
        x, y, th, v, w, m = state
        force = m if vakonomic else -(G*math.sin(th) + v*w)
        rows.append([k*dt, x, y, th, v*math.cos(th), v*math.sin(th), w, force])
        for _ in range(4):
            state = rk4(f, state, dt/4)
    law = vakonomic if claimed is None else claimed
    return (SKATE.format(law=", vakonomic" if law else ""),
            ["t", "x", "y", "th", "x'", "y'", "th'", "force(blade)"], rows)


HEISENBERG = """coordinates x, y, z
kinetic T = 1/2*(x'^2 + y'^2 + z'^2)
constraint c: z' >= 1/2*(x*y' - y*x'), vakonomic
"""


def heisenberg(w=0.6, end=2.0, dt=2e-3, lam=None, rise=0.0):
    """Held at f = 0: the helix with lam = w, a motion for w > 0 only. rise > 0: the straight line
    with f > 0 and lam = 0."""
    rows = []
    for k in range(int(round(end/dt)) + 1):
        t = k*dt
        c, s = math.cos(w*t), math.sin(w*t)
        if rise > 0:
            rows.append([t, 1.0, w*t, rise*t + w*t/2, 0.0, w, rise + w/2, 0.0 if lam is None else lam])
        else:
            rows.append([t, c, s, w*t/2, -w*s, w*c, w/2, w if lam is None else lam])
    return HEISENBERG, ["t", "x", "y", "z", "x'", "y'", "z'", "force(c)"], rows


FLYWHEEL = """coordinates x, y
kinetic T = 1/2*(x'^2 + y'^2)
potential V = 10*y
force x: cos(t)
constraint c: x' >= 0, inertia -x' complementary
constraint floor: y >= 0, restitution 1
"""


def flywheel(late=0.0, end=9.0, dt=3e-3, scale=1.0):
    """x' = 0.2 + sin(t) until it is zero; held there with lam = -sin(t) - 0.2 until that is zero
    again, or `late` after it. Beside it an elastic ball of height 0.8 with the period 0.8."""
    t1, t2 = math.pi + math.asin(0.2), 2*math.pi - math.asin(0.2) + late
    x1 = 0.2*t1 + 1 - math.cos(t1)
    instants = [t1, t2] + [0.4 + 0.8*k for k in range(int((end - 0.4)/0.8) + 1)]
    grid = [k*dt for k in range(int(round(end/dt)) + 1)]
    times = sorted([t for t in grid if min(abs(t - s) for s in instants) > 1e-9] + 2*instants)
    rows, later = [], False
    for i, t in enumerate(times):
        later = i > 0 and t == times[i - 1]
        if t < t1 or (t == t1 and not later):
            x, v, m = 0.2*t + 1 - math.cos(t), 0.2 + math.sin(t), 0.0
        elif t < t2 or (t == t2 and not later):
            x, v, m = x1, 0.0, -scale*(math.sin(t) + 0.2)
        else:
            x, v, m = x1 + math.cos(t2) - math.cos(t) - math.sin(t2)*(t - t2), math.sin(t) - math.sin(t2), 0.0
        k = math.floor((t + 0.4)/0.8)
        s = t - 0.8*k  # since the top
        if abs(abs(s) - 0.4) < 1e-9:
            y, up = 0.0, 4.0 if later else -4.0
        else:
            y, up = 0.8 - 5*s*s, -10*s
        rows.append([t, x, y, v, up, m, 0.0])
    return FLYWHEEL, ["t", "x", "y", "x'", "y'", "force(c)", "force(floor)"], rows


BRAKED = """parameter a = 0.3
coordinates x, y
kinetic T = 1/2*x'^2 + 1/2*y'^2 + a*x'*y'
potential V = 10*y
force x: -10*a - 1
constraint c: x' >= 0, inertia -x' reservoir
constraint floor: y >= 0, restitution {e}
"""


def braked(e=0.8, jump=1.0, rate=1.0, start=0.5, end=1.6, dt=2e-3, bounces=2):
    """x stands still: lam = start + t, and as px = a y' - lam goes on through an impact, lam jumps by
    a (y'+ - y'-) (times `jump`)."""
    a, g, t0, v0, m0, rows, k = 0.3, 10.0, 0.0, 0.0, start, [], 0
    y0, land = 0.8, 0.4
    for bounce in range(bounces + 1):
        last = min(land, end) if bounce < bounces else end
        while k*dt < last - 1e-9:
            s = k*dt - t0
            if s > 1e-9 or bounce == 0:
                rows.append([k*dt, 0.0, y0 + v0*s - g*s*s/2, 0.0, v0 - g*s, m0 + rate*s, 0.0])
            k += 1
        if land >= end or bounce == bounces:
            break
        v, m = v0 - g*(land - t0), m0 + rate*(land - t0)
        rows.append([land, 0.0, 0.0, 0.0, v, m, 0.0])
        t0, y0, v0, m0 = land, 0.0, -e*v, m - jump*a*(1 + e)*v
        rows.append([land, 0.0, 0.0, 0.0, v0, m0, 0.0])
        land = t0 + 2*v0/g
    end = min(end, land)
    return (BRAKED.format(e=e), ["t", "x", "y", "x'", "y'", "force(c)", "force(floor)"],
            [r for r in rows if r[0] < end + 1e-9])


SERVO = """coordinates x, y
kinetic T = 1/2*(x'^2 + y'^2) + 0.4*x'*y'
force x: {load}
servo s: x' >= 0, by x
"""


def servo(load=-1.0, force=None, end=2.0, dt=4e-3):
    """Held at x' = 0 by a force along x, of the size of the load while that pulls back."""
    f = -load if force is None else force
    rows = [[k*dt, 0.0, 0.3*k*dt, 0.0, 0.3, f] for k in range(int(round(end/dt)) + 1)]
    return SERVO.format(load=load), ["t", "x", "y", "x'", "y'", "force(s)"], rows


ROPE = """coordinates x
kinetic T = 1/2*x'^2
servo rope: x = sin(t), by x, one-way
"""


def rope(begin=math.pi, length=2.5, pull=None, dt=4e-3):
    """x = sin(t) with the force -sin(t): a rope can do so from pi to 2 pi only."""
    rows = [[begin + k*dt, math.sin(begin + k*dt), math.cos(begin + k*dt),
             -math.sin(begin + k*dt) if pull is None else pull] for k in range(int(length/dt))]
    return ROPE, ["t", "x", "x'", "force(rope)"], rows
