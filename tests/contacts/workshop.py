# SPDX-License-Identifier: MIT
"""Random models of a workshop: boxes on conveyor belts, capsules in a funnel, balls on a seesaw, wheels at a step,
drawers that jam. Each is a text for Pawl and the same formulas for the judge."""
import math

from models import number


def conveyor(w):
    """A box, of which two corners count, falls on a heavy belt in motion that carries it to a stop."""
    half, high, belt = w.pick(0.1, 0.3), w.pick(0.05, 0.2), w.one(0.5, 1.0, -0.7)
    m, e, mu = w.pick(0.5, 3), w.one(0, 0, 0.3), w.one(0.1, 0.3, 0.6)
    w.body(1, 0.0, high + w.one(0.0, 0.05, 0.1), m, m*(half**2 + high**2)/3, 0.0,
           (w.one(0.0, w.pick(-1, 1)), 0, 0))
    w.start["y1"] = max(w.start["y1"], float(number(high)))
    w.coordinate("s", 0.0, belt)
    w.T.append(f"1/2*{number(w.one(20, 1000))}*s'^2")
    for name, px in (("rear", -half), ("front", half)):
        x, y, vx = w.corner(1, px, -high)
        w.contact(name, y, e, f"{vx} - s'", mu)
        w.contact(name + "_stop", f"0.6 - ({x})", e)
        w.contact(name + "_back", f"0.6 + ({x})", e)
    return 1.0


def funnel(w):
    """A capsule falls into a funnel; both of its round ends may meet both walls."""
    r, half, tilt = w.pick(0.03, 0.06), w.pick(0.05, 0.15), w.pick(0.5, 1.1)
    c, s = math.cos(tilt), math.sin(tilt)
    m, e, mu = w.pick(0.5, 2), w.one(0, 0.3, 0.6), w.one(0.1, 0.3, 0.6)
    w.body(1, w.pick(-0.1, 0.1), 0.7, m, m*half**2/2, w.pick(-1.5, 1.5), (w.pick(-0.5, 0.5), 0, w.pick(-3, 3)))
    for end, px in (("a", -half), ("b", half)):
        x, y, vx = w.corner(1, px, 0)
        vy = f"y1' + ({number(px)})*cos(a1)*a1'"
        for side, k in (("l", 1), ("r", -1)):
            gap = f"{c!r}*({y}) + ({k*s!r})*({x}) - {r!r}"
            slip = f"{c!r}*({vx}) - ({k*s!r})*({vy}) + {r!r}*a1'"
            w.contact(end + side, gap, e, slip, mu)
    return 1.0


def balls_on_seesaw(w):
    """Balls roll on a plank on a pivot, whose ends reach the ground."""
    half, height = w.pick(0.6, 1.2), w.pick(0.1, 0.2)
    w.coordinate("a", 0.0, 0.0)
    w.T.append(f"1/2*{number(half**2*w.one(0.5, 1.0))}*a'^2")
    w.V.append("0*a")
    for i in range(1, w.one(1, 2, 3) + 1):
        r, m = w.pick(0.03, 0.06), w.one(0.5, 1, 2)
        w.body(i, (i - 2)*0.25 + w.pick(-0.05, 0.05), r + w.one(0.0, 0.1), m, 0.4*m*r*r, 0.0, (w.pick(-0.3, 0.3), 0, 0))
        along = f"(x{i}' + y{i}*a')*cos(a) + (y{i}' - x{i}*a')*sin(a) + {r!r}*(a{i}' - a')"
        w.contact(f"on{i}", f"y{i}*cos(a) - x{i}*sin(a) - {r!r}", w.one(0, 0.3), along, w.one(0.1, 0.4))
    w.contact("right", f"{height!r} + {half!r}*sin(a)", w.one(0, 0.4))
    w.contact("left", f"{height!r} - {half!r}*sin(a)", w.one(0, 0.4))
    return 0.6


def wheel_at_step(w):
    """A wheel rolls or slides against the edge of a step, and over it or back."""
    r, m = w.pick(0.1, 0.2), w.pick(0.5, 2)
    high, e, mu = w.pick(0.1, 0.6)*r, w.one(0, 0, 0.4), w.one(0.2, 0.5, 0.9)
    speed = w.pick(0.3, 2.5)
    w.body(1, -2*r - w.pick(0, 0.2), r, m, w.one(0.5, 1.0)*m*r*r, 0.0, (speed, 0, w.one(0.0, -speed/r)))
    w.contact("floor", f"y1 - {r!r}", e, f"x1' + {r!r}*a1'", mu)
    d = f"hypot(x1, y1 - {high!r})"
    w.contact("edge", f"{d} - {r!r}", e, f"((y1 - {high!r})*x1' - x1*y1')/{d} + {r!r}*a1'", mu)
    return 0.6


def drawer(w):
    """A drawer with clearance is pulled beside its middle and jams, or slides, between its rails."""
    half, deep, m = w.pick(0.1, 0.25), w.pick(0.1, 0.2), w.pick(0.5, 2)
    play, mu, e = w.pick(0.001, 0.01), w.one(0.1, 0.3, 0.5), w.one(0, 0, 0.3)
    w.body(1, 0.0, 0.0, m, m*(half**2 + deep**2)/3, 0.0, (w.pick(-1, 1), 0, w.pick(-0.5, 0.5)))
    x, y, _ = w.corner(1, half, w.pick(-0.9, 0.9)*deep)
    w.V.append(f"{number(w.pick(20, 200))}*((({x}) - {w.pick(0.2, 0.5)!r})^2 + 0*({y}))")
    for name, px in (("rear", -half), ("front", half)):
        for rail, k in (("top", 1), ("low", -1)):
            _, y, vx = w.corner(1, px, k*deep)
            w.contact(f"{name}_{rail}", f"{number(deep + play)} - ({k})*({y})", e, vx, mu)
    return 0.8


FAMILIES = {"conveyor": conveyor, "funnel": funnel, "balls": balls_on_seesaw, "step": wheel_at_step, "drawer": drawer}
