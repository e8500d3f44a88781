# SPDX-License-Identifier: MIT
"""More random models with contacts: what people build on a table. Each is a text for Pawl and the same
formulas for the judge."""
import math

from models import number


def cradle(w):
    """Pendulums side by side, with masses and restitutions of their own."""
    n, length = w.one(2, 3, 4, 5), w.pick(0.5, 1.2)
    for i in range(1, n + 1):
        m = w.one(1, 1, 1, 0.5, 2, 3)
        swing = w.one(0.0, 0.0, -0.4) if 1 < i < n else w.pick(-0.8, -0.1) if i == 1 else w.one(0.0, 0.3)
        w.coordinate(f"a{i}", swing, 0.0)
        w.T.append(f"1/2*{number(m*length**2)}*a{i}'^2")
        w.V.append(f"{number(9.81*m*length)}*(1 - cos(a{i}))")
    for i in range(1, n):  # those on the left lean on the left
        if w.start[f"a{i + 1}"] < w.start[f"a{i}"]:
            w.start[f"a{i + 1}"] = w.start[f"a{i}"]
        w.contact(f"c{i}", f"{length!r}*(sin(a{i + 1}) - sin(a{i}))", w.one(0, 0.3, 0.7, 1))
    return 1.5


def stack_of_all_sorts(w):
    """Blocks that slide on each other, each contact with its own friction; the lowest is pushed."""
    n, h, up = w.one(2, 3, 4), 0.1, 0.0
    for i in range(1, n + 1):
        m, up = w.one(1, 1, 2, 0.3), up + w.one(0.0, 0.0, 0.02)
        w.coordinate(f"x{i}", w.pick(-0.02, 0.02), w.pick(-2, 2))
        w.coordinate(f"y{i}", h*(i - 1) + up, 0.0)
        w.T.append(f"1/2*{number(m)}*(x{i}'^2 + y{i}'^2)")
        w.V.append(f"{number(9.81*m)}*y{i}")
    for i in range(1, n + 1):
        below = f" - y{i - 1} - {h}" if i > 1 else ""
        slip = f"x{i}'" + (f" - x{i - 1}'" if i > 1 else "")
        w.contact(f"c{i}", f"y{i}{below}", w.one(0, 0, 0.4), slip, w.one(0.1, 0.3, 0.5, 0.8))
    return 0.8


def ladder(w):
    """A ladder between floor and wall, or before it."""
    half, m = w.pick(0.4, 1.0), w.pick(1, 5)
    lean = w.pick(0.2, 1.3)
    gap = w.one(0.0, 0.0, 0.05)
    w.body(1, half*math.cos(lean) + gap, half*math.sin(lean) + gap, m, m*half**2/3, math.pi - lean,
           (w.pick(-0.5, 0), w.pick(-0.5, 0), 0) if gap else (0, 0, 0))
    e = w.one(0, 0, 0.3)
    for name, px in (("foot", -half), ("top", half)):
        x, y, vx = w.corner(1, px, 0)
        vy = f"y1' + ({number(px)})*cos(a1)*a1'"
        w.contact(name + "_floor", y, e, vx, w.one(0.1, 0.3, 0.6))
        w.contact(name + "_wall", x, e, vy, w.one(0.1, 0.3))
    if not gap:  # on its supports, to the digits of the text
        px, lean = float(number(half)), math.pi - w.start["a1"]
        w.start["x1"], w.start["y1"] = px*math.cos(lean), px*math.sin(lean)
    return 1.0


def bumps(w):
    """A cylinder rolls down a slope with bumps."""
    r, slope = w.pick(0.05, 0.15), w.pick(0.05, 0.5)
    high, wide = w.pick(0.0, 0.02), w.pick(3, 12)
    w.body(1, 0.0, r + high + w.one(0.0, 0.1), 1, w.one(0.5, 1.0)*r*r, 0, (w.pick(0, 2), 0, w.pick(-10, 0)))
    ground = f"({number(high)}*cos({number(wide)}*x1) - {number(slope)}*x1)"
    if w.start["y1"] < float(number(high)) + r:
        w.start["y1"] = float(number(high)) + r
    w.contact("ground", f"y1 - {ground} - {r!r}", w.one(0, 0, 0.5), f"x1' + {r!r}*a1'", w.one(0.1, 0.3, 0.8))
    w.contact("stop", "2 - x1", w.one(0.2, 0.6))
    return 1.5


def beads(w):
    """Beads on a table, tied one after the other; the last string runs over the edge to a weight."""
    n, length = w.one(1, 2, 3), w.pick(0.15, 0.25)
    e, part = w.one(0, 0.4), w.pick(0.6, 1.0)
    for i in range(1, n + 1):
        w.coordinate(f"x{i}", -1 - (n - i)*length*part, 0.0)
        w.coordinate(f"y{i}", w.one(0.0, 0.0, 0.05), 0.0)
        w.T.append(f"1/2*{number(w.one(0.5, 1))}*(x{i}'^2 + y{i}'^2)")
        w.V.append(f"9.81*{number(1)}*y{i}")
        w.contact(f"table{i}", f"y{i}", e, f"x{i}'", w.one(0.1, 0.3, 0.5))
    w.coordinate("z", 0.0, 0.0)
    w.T.append(f"1/2*{number(1.5)}*z'^2")
    w.V.append(f"-{number(9.81*1.5)}*z")
    for i in range(1, n):
        w.contact(f"string{i}", f"{length!r} - (x{i + 1} - x{i})", w.one(0, 0.5))
        w.contact(f"beads{i}", f"x{i + 1} - x{i} - 0.05", w.one(0, 0.5))
    w.contact("edge", f"{w.pick(0.02, 0.2)!r} + x{n} + 1 - z", w.one(0, 0.3))
    w.contact("ground", "0.7 - z", w.one(0, 0.5))
    return 0.9


def pendulum_rubs(w):
    """A double pendulum whose tip and elbow rub on a floor and hit a stop."""
    l1, l2 = w.pick(0.3, 0.5), w.pick(0.3, 0.5)
    w.coordinate("a", w.pick(-1.4, 1.4), w.pick(-1, 1))
    w.coordinate("b", w.pick(0.9, 1.5)*w.one(1, -1), w.pick(-1, 1))
    vx, vy = f"{l1}*cos(a)*a' + {l2}*cos(b)*b'", f"{l1}*sin(a)*a' + {l2}*sin(b)*b'"
    w.T.append(f"1/2*(({l1}*a')^2 + ({vx})^2 + ({vy})^2)")
    w.V.append(f"-9.81*(2*{l1}*cos(a) + {l2}*cos(b))")
    floor = w.pick(0.05, 0.3) + l1*math.cos(w.start["a"]) + l2*math.cos(w.start["b"])
    e = w.one(0, 0.3, 0.6)
    w.contact("tip", f"{floor!r} - {l1}*cos(a) - {l2}*cos(b)", e, vx, w.one(0.1, 0.3))
    w.contact("stop", "1.6 - a", e)
    w.contact("stop2", "a + 1.6", e)
    return 1.2


def shove(w):
    """A heavy wall drives blocks before it, against another wall or on and on."""
    n = w.one(1, 2, 3)
    w.coordinate("p", -0.3, w.pick(0.2, 1.5))
    w.T.append("1/2*1000*p'^2")
    for i in range(1, n + 1):
        m = w.one(0.5, 1, 2)
        w.coordinate(f"x{i}", (i - 1)*0.2 + w.one(0.0, w.pick(0, 0.05)), w.pick(-0.5, 0.5))
        w.coordinate(f"y{i}", w.one(0.0, 0.0, 0.03), 0.0)
        w.T.append(f"1/2*{number(m)}*(x{i}'^2 + y{i}'^2)")
        w.V.append(f"{number(9.81*m)}*y{i}")
        w.contact(f"floor{i}", f"y{i}", w.one(0, 0.3), f"x{i}'", w.one(0.1, 0.4, 0.7))
        left = f"x{i - 1} - 0.1" if i > 1 else "p - 0.05"
        # faces rub up and down, too
        rub = f"y{i}'" + (f" - y{i - 1}'" if i > 1 else "")
        w.contact(f"push{i}", f"x{i} - {left}", w.one(0, 0.5), rub, w.one(0.1, 0.3))
    return 1.0


def seesaw(w):
    """A plank on a pivot with blocks on it, or falling on it; its ends reach the ground."""
    half, height = w.pick(0.6, 1.2), w.pick(0.1, 0.25)
    lean = w.one(0.0, w.pick(-0.1, 0.1))
    w.coordinate("a", lean, 0.0)
    w.T.append(f"1/2*{number(half**2*2/3)}*a'^2")
    w.V.append("0*a")
    for i in range(1, w.one(1, 2, 2) + 1):
        m, s = w.one(0.5, 1, 2), w.pick(0.1, 0.9)*half*(1 if i % 2 else -1)
        up = w.one(0.0, w.pick(0.02, 0.3))
        w.coordinate(f"x{i}", s*math.cos(lean) - up*math.sin(lean), 0.0)
        w.coordinate(f"y{i}", s*math.sin(lean) + up*math.cos(lean), 0.0)
        if up == 0.0 and lean != 0.0:  # clear of the plank by rounding
            w.start[f"y{i}"] += 1e-6
        w.T.append(f"1/2*{number(m)}*(x{i}'^2 + y{i}'^2)")
        w.V.append(f"{number(9.81*m)}*y{i}")
        along = f"(x{i}' + y{i}*a')*cos(a) + (y{i}' - x{i}*a')*sin(a)"
        w.contact(f"on{i}", f"y{i}*cos(a) - x{i}*sin(a)", w.one(0, 0.3), along, w.one(0.2, 0.5))
    w.contact("right", f"{height!r} + {half!r}*sin(a)", w.one(0, 0.4))
    w.contact("left", f"{height!r} - {half!r}*sin(a)", w.one(0, 0.4))
    return 0.6


def three_supports(w):
    """A bar drops onto three supports, rough in their own ways."""
    half, m = w.pick(0.3, 0.8), w.pick(0.5, 3)
    w.body(1, w.pick(-0.05, 0.05), w.one(0.0, 0.1, 0.1), m, m*half**2*w.one(0.2, 1/3, 0.6), w.one(0.0, w.pick(-0.1, 0.1)),
           (w.pick(-0.5, 0.5), 0, 0))
    for name, px in (("l", -half), ("m", w.pick(-0.5, 0.5)*half), ("r", half)):
        x, y, vx = w.corner(1, px, 0)
        w.contact(name, y, w.one(0, 0.2, 0.5), vx, w.one(0.1, 0.3, 0.6))
    low = min(w.start["y1"] + px*math.sin(w.start["a1"]) for px in (-half, half))
    if low < 0:
        w.start["y1"] -= low - 1e-3
    return 0.9


def groove(w):
    """Beads in a V-groove in space that slopes, one after the other."""
    n, tilt, slope = w.one(1, 2, 3), w.pick(0.3, 1.1), w.pick(0, 0.6)
    c, s = math.cos(tilt), math.sin(tilt)
    e = w.one(0, 0.3, 0.6)
    for i in range(1, n + 1):
        m = w.one(0.5, 1, 2)
        w.coordinate(f"x{i}", 0.2*i, w.pick(-1, 1))
        w.coordinate(f"y{i}", w.pick(-0.05, 0.05), w.pick(-0.5, 0.5))
        w.coordinate(f"z{i}", w.one(0.1, 0.2), 0.0)
        w.T.append(f"1/2*{number(m)}*(x{i}'^2 + y{i}'^2 + z{i}'^2)")
        w.V.append(f"{number(9.81*m)}*({math.cos(slope)!r}*z{i} - {math.sin(slope)!r}*x{i})")
        for side, k in (("l", 1), ("r", -1)):
            w.contact(f"{side}{i}", f"{c!r}*z{i} + ({k*s!r})*y{i}", e, f"x{i}'", w.one(0.1, 0.3, 0.5))
        if i > 1:
            w.contact(f"b{i}", f"x{i} - x{i - 1} - 0.1", w.one(0, 0.5, 1))
    return 0.8


FAMILIES = {"cradle": cradle, "sorts": stack_of_all_sorts, "ladder": ladder, "bumps": bumps, "beads": beads,
            "rubs": pendulum_rubs, "shove": shove, "seesaw": seesaw, "three": three_supports, "groove": groove}
