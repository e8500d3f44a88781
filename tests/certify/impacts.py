# SPDX-License-Identifier: MIT
"""Models with impacts of several contacts at one instant, all of unit mass: (name, text, gradients),
where gradients[law] is the row of the contact that does not depend on the place."""
import math

LAWS = ("restitution 1", "restitution 0.7", "restitution 0", "poisson 1", "poisson 0.6", "poisson 0")
WAYS = ("simultaneous", "sequential")


def squares(names):
    return "kinetic T = 1/2*(" + " + ".join(f"{n}'^2" for n in names) + ")\n"


def cradle(n, law, impacts):
    names = [f"x{i}" for i in range(1, n + 1)]
    text = "coordinates " + ", ".join(names) + "\n" + squares(names)
    text += "potential V = " + " + ".join(f"1/2*(x{i} - {i})^2" for i in range(1, n + 1)) + "\n"
    rows = {}
    for i in range(1, n):
        text += f"constraint c{i}: x{i + 1} - x{i} >= 1, {law}\n"
        rows[f"c{i}"] = [(k == i) - (k == i - 1) for k in range(n)]
    text += "start x1 = 0, " + ", ".join(f"x{i} = {i}" for i in range(2, n + 1)) + "\n"
    return f"cradle of {n}, {law}, {impacts}", text + f"run 0..8, impacts {impacts}\n", rows


def stack(n, law, impacts):
    """Blocks that fall on top of each other, the lowest one on the floor."""
    names = [f"y{i}" for i in range(1, n + 1)]
    text = "coordinates " + ", ".join(names) + "\n" + squares(names)
    text += "potential V = 10*(" + " + ".join(names) + ")\n"
    text += f"constraint c1: y1 >= 0, {law}\n"
    rows = {"c1": [int(k == 0) for k in range(n)]}
    for i in range(2, n + 1):
        text += f"constraint c{i}: y{i} - y{i - 1} >= 1, {law}\n"
        rows[f"c{i}"] = [(k == i - 1) - (k == i - 2) for k in range(n)]
    text += "start " + ", ".join(f"y{i} = {i - 1 + 0.5*(i == n)}" for i in range(1, n + 1))
    text += "".join(f", c{i} closed" for i in range(1, n)) + "\n"
    return f"stack of {n}, {law}, {impacts}", text + f"run 0..1, impacts {impacts}\n", rows


def corner(degrees, law, impacts):
    """A point runs into a corner, off the bisector."""
    a = math.radians(degrees)
    n2 = [math.sin(a), -math.cos(a)]
    text = ("coordinates x, y\n" + squares("xy") +
            f"constraint c1: y >= 0, {law}\nconstraint c2: {n2[0]!r}*x + {n2[1]!r}*y >= 0, {law}\n")
    d = [math.cos(0.4*a), math.sin(0.4*a)]
    text += f"start x = {d[0]!r}, y = {d[1]!r}, x' = {-d[0]!r}, y' = {-d[1]!r}\n"
    return (f"corner of {degrees} degrees, {law}, {impacts}", text + f"run 0..2, impacts {impacts}\n",
            {"c1": [0, 1], "c2": n2})


def table(law, impacts):
    """Four legs, one of the contacts too many; lands flat with a spin about a diagonal."""
    text = ("coordinates z, a, b\n" + squares("zab") + "potential V = 10*z\n")
    rows = {}
    for k, (x, y) in enumerate(((1, 1), (1, -1), (-1, 1), (-1, -1)), 1):
        text += f"constraint c{k}: z + {x}*a + {y}*b >= 0, {law}\n"
        rows[f"c{k}"] = [1, x, y]
    return (f"table, {law}, {impacts}", text + f"start z = 0.5\nrun 0..1, impacts {impacts}\n", rows)


def slab(law, impacts, mu):
    """Lands on two legs of different masses above them, with a slip."""
    return (f"slab, {law}, {impacts}, mu {mu}",
            "coordinates x, z, a\nkinetic T = 1/2*(x'^2 + z'^2) + 1/6*a'^2 + 0.2*z'*a' + 0.3*x'*a'\n"
            f"constraint c1: z + a >= 0, {law}\nconstraint c2: z - 0.7*a >= 0, {law}\n"
            f"friction f1: slip x' + 0.5*a', mu {mu} on c1\nfriction f2: slip x' + 0.5*a', mu {mu} on c2\n"
            f"start x = 0, z = 1, x' = 1, z' = -1\nrun 0..1.5, every 0.01, impacts {impacts}\n")


def wedge(law, impacts, mu):
    """A ball falls into a wedge and touches both sides, with a spin; slips in the plane."""
    return (f"wedge, {law}, {impacts}, mu {mu}",
            "coordinates x, y, z, p\nkinetic T = 1/2*(x'^2 + y'^2 + z'^2) + 1/5*p'^2\n"
            f"constraint c1: z + x >= 0, {law}\nconstraint c2: z - 0.8*x >= 0, {law}\n"
            f"friction f1: slip (y', 0.7*x' - 0.7*z' + p'), mu {mu} on c1\n"
            f"friction f2: slip (y', 0.6*x' + 0.8*z' - p'), mu {mu} on c2\n"
            f"start x = 0, z = 1, x' = 0, y' = 0.8, z' = -1, p' = 1.5\nrun 0..1.5, every 0.01, impacts {impacts}\n")


def wrong_laws():
    """Models of several contacts, each with the same ones under other impact laws."""
    laws = ("restitution 0.7", "poisson 0.7", "poisson 0.6")
    for make in (lambda law, way: cradle(3, law, way)[:2], lambda law, way: slab(law, way, 0.3),
                 lambda law, way: wedge(law, way, 0.3)):
        for law in laws:
            for way in WAYS:
                yield make(law, way), [make(other, another) for other in laws for another in WAYS]
    for make in (slab, wedge):
        for law in laws:
            yield make(law, WAYS[0], 0.3), [make(law, WAYS[0], 0.31)]


def all_models():
    for law in LAWS:
        for impacts in WAYS:
            for n in (3, 6) if law[-2:] in (" 0", " 1") else (3, 4, 5, 6):
                yield cradle(n, law, impacts)
            for n in (2, 3, 4):
                if impacts == "simultaneous" or law[-2:] in (" 0", " 1"):
                    yield stack(n, law, impacts)  # others bounce without end
            for degrees in (60, 90, 120):
                yield corner(degrees, law, impacts)
            yield table(law, impacts)
