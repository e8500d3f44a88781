#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""judge.py: the numbers that `expect` lines of engineering examples hold, computed apart.

Every model is written by hand in minimal coordinates with the pieces of its laws and their events,
integrated by extrapolation of the midpoint rule with steps that end at events (jets.py). Nothing is
shared with Pawl. Compares with `$PAWL run --json`.
"""
import json
import math
import os
import re
import subprocess
import sys
import tempfile

import chains
import drives
import machines
import nodes
import robots
import signals
import teeth
from jets import go, leap

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PAWL = os.environ.get("PAWL", os.path.join(ROOT, "build", "pawl"))

# ---- pendulum whose pin has friction, pin-friction.pawl ----

def pin_friction():
    m, l, g, mu, r = 1, 0.5, 9.81, 0.3, 0.02
    a, J = l / 2, m * l * l / 12 + m * l * l / 4

    def angular(th, w, side):
        x = 0.0
        for _ in range(100):
            N = m * math.hypot(a * (x * math.cos(th) - w * w * math.sin(th)),
                               a * (x * math.sin(th) + w * w * math.cos(th)) + g)
            x, old = (-m * g * a * math.sin(th) - side * r * mu * N) / J, x
            if x == old:
                break
        return x

    def slides(side):
        def act(z):
            if g * m * a * abs(math.sin(z[0])) <= r * mu * m * g:
                return "stick", [z[0], 0.0], lambda y: ((lambda q: [0, 0]), [])
            return "reverse", [z[0], 0.0], slides(-side)
        return lambda y: ((lambda q: [q[1], angular(q[0], q[1], side)]),
                          [(lambda q: side * q[1], act)])

    events = []
    y, _ = go(slides(-1), [1.2, 0.0], 0, 20, 0.01, events)
    return events, {"th": y[0]}


# ---- bead on a rough wire, bead-on-rough-wire.pawl ----

def bead_on_rough_wire():
    g, mu = 9.81, 0.1

    def press(q):
        return g - 2 * math.sin(2 * q[0]) * q[1] ** 2

    def slides(side, sign):
        def f(q):
            x, v = q
            s, c = math.cos(2 * x), -2 * math.sin(2 * x)
            N = sign * (g + c * v * v) / math.sqrt(1 + s * s)
            return [v, (-s * c * v * v - g * s - side * mu * N * math.sqrt(1 + s * s)) / (1 + s * s)]
        return lambda y: (f, [
            (lambda q: side * q[1], lambda z: ("reverse", [z[0], 0.0], slides(-side, sign))),
            (lambda q: sign * press(q), lambda z: ("user", z, slides(side, -sign)))])

    events = []
    y, _ = go(slides(1, 1), [0.0, 5.0], 0, 5, 2e-3, events)
    return events, {"x": y[0], "x'": y[1]}


# ---- gear mesh with play and damping, gear-mesh.pawl ----

def gear_mesh():
    J, r1, r2, k, c, b, M, w = 0.005, 0.04, 0.06, 1e7, 200, 1e-4, 0.5, 100

    def d(q):
        return r1 * w * q[2] - r2 * q[0]

    def rate(q):
        return r1 * w - r2 * q[1]

    def force(q, side):  # of the tooth on the wheel, along -r2
        return k * (d(q) - side * b / 2) + c * rate(q)

    def after(z):
        side = 1 if d(z) > 0 else -1
        return meshes(side)

    def free(y):
        return (lambda q: [q[1], -M / J, 1.0]), [
            (lambda q: b / 2 - d(q), lambda z: ("engage", z, meshes(1))),
            (lambda q: b / 2 + d(q), lambda z: ("engage", z, meshes(-1)))]

    def meshes(side):
        return lambda y: ((lambda q: [q[1], (r2 * force(q, side) - M) / J, 1.0]), [
            (lambda q: side * force(q, side), lambda z: ("slack", z, leaves(side)))])

    def leaves(side):  # still beyond the play, but without a force
        return lambda y: ((lambda q: [q[1], -M / J, 1.0]), [
            (lambda q: side * d(q) - b / 2, lambda z: ("release", z, free)),
            (lambda q: -side * force(q, side), lambda z: ("hold", z, meshes(side)))])

    events = []
    y, _ = go(free, [0.0, 66.7, 0.0], 0, 0.02, 2e-6, events)
    return events, {"p": y[0], "p'": y[1]}


# ---- a robot: arm.urdf, imported ----

def arm():
    """A double pendulum in absolute angles: the shape of the lower link seen along its axis, with
    the tool, which lies 0.4 below the elbow."""
    g, l, c = 9.81, 0.5, 0.02
    m1, c1, J1 = 1, 0.25, 0.022         # turned by a right angle: the first moment is about y
    m2, J2 = 0.6, 0.0067 + 1e-4
    # the x of the lower link is y of space, so that its mass centre is 0.05 aside of the plane
    z = (0.5 * 0.2 + 0.1 * 0.4) / m2
    J2 += 0.5 * (z - 0.2) ** 2 + 0.1 * (z - 0.4) ** 2

    def f(y):
        a, b, u, v = y
        d = b - a
        A, B, C = J1 + m1 * c1 ** 2 + m2 * l ** 2, m2 * l * z * math.cos(d), J2 + m2 * z ** 2
        p = m2 * l * z * math.sin(d) * v * v - g * (m1 * c1 + m2 * l) * math.sin(a) - c * u
        q = -m2 * l * z * math.sin(d) * u * u - g * m2 * z * math.sin(b)
        det = A * C - B * B
        return [u, v, (p * C - B * q) / det, (A * q - B * p) / det]

    y = [0.0, 0.0, 2.0, -1.0]
    for _ in range(400):
        y = leap(f, y, 1.0 / 400)
    a, b = y[0], y[1]
    # a turn about y takes -z to -x
    return [], {"upper.p[1]": -c1 * math.sin(a), "upper.p[3]": 1 - c1 * math.cos(a),
                "lower.p[1]": -l * math.sin(a) - z * math.sin(b),
                "lower.p[3]": 1 - l * math.cos(a) - z * math.cos(b)}


def import_arm(folder, part=1.0):
    """The model of arm.urdf with velocities of its own, in a file; masses, inertias and damping times
    `part`, which leaves the motion as it is."""
    robot = os.path.join(folder, "arm.urdf")
    with open(os.path.join(ROOT, "tests", "engineering", "arm.urdf")) as file:
        text = re.sub(r'(mass value|i[xyz][xyz]|damping)="([^"]*)"',
                      lambda m: '%s="%r"' % (m[1], part*float(m[2])), file.read())
    with open(robot, "w") as file:
        file.write(text)
    text = subprocess.run([PAWL, "import", robot], capture_output=True, text=True).stdout
    path = os.path.join(folder, "arm.pawl")
    with open(path, "w") as out:
        out.write(text + "start upper.w = (0, 2, 0), lower.w = (0, -1, 0), "
                         "upper.p' ~ (0, 0, 0), lower.p' ~ (0, 0, 0)\n")
    return path


MODELS = {"pin-friction": pin_friction, "bead-on-rough-wire": bead_on_rough_wire,
          "gear-mesh": gear_mesh, "arm": arm, "light-arm": arm,
          "slider-crank-friction": machines.slider_crank_friction,
          "four-bar-friction": machines.four_bar_friction,
          "double-wishbone": machines.double_wishbone, "walker": machines.walker,
          "swung-hopper": machines.swung_hopper, "gripper": machines.gripper,
          "quadruped": machines.quadruped, "valve-train": machines.valve_train,
          "jenkins-element": machines.jenkins, "iwan-series": machines.iwan,
          "bumper-plate": machines.bumper, "saw-ratchet": teeth.example, **drives.MODELS}
# small models with closed forms: text and end
INLINE = {
    "damped-graph": ("""coordinates x
kinetic T = 1/2*x'^2
law g: stretch x, graph (-1, -10)(1, 10), damping 2
start x = 0.5
run 0..1
""", {"x": 0.5 * math.exp(-1) * (math.cos(3) + math.sin(3) / 3)}),
    "springs-in-series": ("""coordinates x, n
kinetic T = 1/2*x'^2
potential V = 1/2*100*(x - n)^2 + 1/2*100*n^2
start x = 0.5, n ~ 0
run 0..1
""", {"x": 0.5 * math.cos(math.sqrt(50)), "n": 0.25 * math.cos(math.sqrt(50))}),
    "two-dampers": ("""coordinates x, n, k
kinetic T = 1/2*x'^2
dissipation D = 1/2*3*(x' - n')^2 + 1/2*6*(n' - k')^2 + 1/2*2*k'^2
start x' = 1
run 0..1
""", {"x'": math.exp(-1), "x": 1 - math.exp(-1), "k": (1 - math.exp(-1)) / 2}),
    "held-by-a-rod": ("""coordinates x, n
kinetic T = 1/2*x'^2
potential V = 1/2*9*n^2
constraint gear: n = 2*x
start x = 0.5, n ~ 1
run 0..1
""", {"x": 0.5 * math.cos(6), "n": math.cos(6)}),
}
# pulses far shorter than a step, which a sample begins and the time ends
INLINE["short-pulses"] = ("""parameter P = 1e-3
coordinates x, y
kinetic T = 1/2*x'^2 + 1/2*y'^2
input F = 0 through (0, 0)(0.05, 0)(0.05, 1)(1, 1)
sample n: n + 1, every P
force x: if(t <= P*(n - 1 + 0.02), 1, 0)
force y: if(F > 0.5, 1, 0)
start x = 0, n = 0
run 0..0.1
""", {"x'": 0.002, "y'": 0.05})
# a value that jumps arrives later, also where samples end at the same instants
LATE = """coordinates x
kinetic T = 1/2*x'^2
%sforce x: delay(%s, 0.05)
start x = 0
run 0..0.4
"""
INLINE["late-jump"] = (LATE % ("", "if(t > 0.1, 1, 0)"), {"x": 0.25 ** 2 / 2, "x'": 0.25})
INLINE["late-stairs"] = (LATE % ("", "floor(10*t + 0.5)"),
                         {"x'": 0.3 + 0.2 + 0.1, "x": (0.3 ** 2 + 0.2 ** 2 + 0.1 ** 2) / 2})
INLINE["late-sample"] = (LATE % ("sample u: t, every 0.01\n", "u"),
                         {"x'": sum(0.01 * k * 0.01 for k in range(35)),
                          "x": sum(0.01 * k * 0.01 * (0.35 - 0.01 * k - 0.005) for k in range(35))})
# a sample that jumps over hundreds of points of a table, and of stairs
INLINE["far-jump"] = ("""coordinates x
kinetic T = 1/2*x'^2
table M(u): %s
sample u: 350.5*n, every 0.1
sample n: 1 - n, every 0.1
force x: M(u) + floor(u)
start x = 0, n = 0
run 0..0.4
""" % "".join("(%d, %d)" % (i, i % 7) for i in range(400)), {"x'": 0.1 * 2 * (0.5 + 350)})
LIGHT = {"arm": 1.0, "light-arm": 1e-15}


# ---- parameters of parts set from the command line: oscillators with closed forms ----

LINK = """parameter m = 1 [kg], k = 10 [N/m], c[i in 1..2] = 0.1 [N*s/m]
coordinates x
kinetic T = 1/2*m*x'^2
potential V = 1/2*k*x^2
dissipation D = 1/2*(c[1] + c[2])*x'^2
start x = 1 [m]
"""
LEG = """parameter k = 20 [N/m]
include "link.pawl" as foot, k = k
include "link.pawl" as toe[i in 1..2], m = 0.5 [kg]*i
"""
PARTS = """parameter N = 3
include "link.pawl" as link[i in 1..N], m = 0.1 [kg]*i, link[1].k = 7 [N/m]
include "link.pawl" as left
include "leg.pawl" as leg[i in 1..2], leg[1].toe[2].k = 30 [N/m]
include "leg.pawl" as arm, foot.m = 2 [kg]
run 0..1
"""


def oscillator(m, k, c):
    a, w = c / (2 * m), math.sqrt(k / m - (c / (2 * m)) ** 2)
    return math.exp(-a) * (math.cos(w) + a / w * math.sin(w))


def set_parts():
    """Differences of runs with overrides, of the model in their results, and of a sweep."""
    given = ["link[2].m=0.3", "link[2].c[1]=0.5", "link[3].m=400 [g]", "left.m=2", "leg[2].foot.m=3",
             "arm.toe[2].m=4", "arm.foot.k=5"]
    want = {"link[1].x": oscillator(0.1, 7, 0.2), "link[2].x": oscillator(0.3, 10, 0.6),
            "link[3].x": oscillator(0.4, 10, 0.2), "left.x": oscillator(2, 10, 0.2),
            "leg[1].foot.x": oscillator(1, 20, 0.2), "leg[1].toe[2].x": oscillator(1, 30, 0.2),
            "leg[2].foot.x": oscillator(3, 20, 0.2), "arm.toe[1].x": oscillator(0.5, 10, 0.2),
            "arm.toe[2].x": oscillator(4, 10, 0.2), "arm.foot.x": oscillator(2, 5, 0.2)}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("link", LINK), ("leg", LEG), ("parts", PARTS)):
            with open(os.path.join(folder, name + ".pawl"), "w") as out:
                out.write(text)
        model, out = os.path.join(folder, "parts.pawl"), os.path.join(folder, "out")
        runs = [[model, *given, "-o", out], [os.path.join(out, "model.pawl"), "--no-save"]]
        far = 0.0
        for words in runs:
            run = subprocess.run([PAWL, "run", *words, "--json"], capture_output=True, text=True)
            state = json.loads(run.stdout)["state"] if run.returncode == 0 else {}
            far = max([far, *(abs(state.get(key, math.inf) - x) for key, x in want.items())])
        run = subprocess.run([PAWL, "sweep", model, "link[2].m=0.2,0.5", "--record", "link[2].x"],
                             capture_output=True, text=True)
        rows = [row.split(",") for row in run.stdout.split()[1:]]
        for m, row in zip((0.2, 0.5), rows if len(rows) == 2 else [[math.inf], [math.inf]]):
            far = max(far, abs(float(row[-1]) - oscillator(m, 10, 0.2)))
    return far, 2 * len(want) + 2


SIGNALS = ["signals-%d" % seed for seed in range(1, 301 if os.environ.get("PAWL_CAMPAIGN") else 13)]
NODES = ["nodes-%d" % seed for seed in range(1, 201 if os.environ.get("PAWL_CAMPAIGN") else 13)]
CHAINS = ["chains-%d" % seed for seed in range(1, 201 if os.environ.get("PAWL_CAMPAIGN") else 13)]
OTHERS = teeth.others(100 if os.environ.get("PAWL_CAMPAIGN") else 6)


def differences(name):
    if name == "set-parts":
        return set_parts()
    if name in robots.ROBOTS:
        return robots.judge(PAWL, name)
    if name.startswith("signals-"):
        return signals.judge(int(name[8:])), 1
    if name.startswith("chains-"):
        return chains.judge(int(name[7:])), 1
    if name.startswith("nodes-"):
        return nodes.judge(int(name[6:])), 1
    if name in MODELS or name in OTHERS:
        events, end = (MODELS[name] if name in MODELS else OTHERS[name][1])()
    else:
        events, end = [], INLINE[name][1]
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(ROOT, "examples", name + ".pawl")
        if name in LIGHT:
            model = import_arm(folder, LIGHT[name])
        elif name in INLINE or name in OTHERS:
            model = os.path.join(folder, name + ".pawl")
            with open(model, "w") as out:
                out.write((INLINE if name in INLINE else OTHERS)[name][0])
        return compare(model, events, end)


def compare(model, events, end):
    run = subprocess.run([PAWL, "run", model, "--no-save", "--json", "--certify=off"],
                         capture_output=True, text=True)
    got = json.loads(run.stdout)
    far, n = 0.0, 0
    known = {e["kind"] for e in got["events"]["list"]}
    mine = [e for e in events if e[0] in known]
    if len(mine) != len(got["events"]["list"]):
        return math.inf, len(mine)
    for (kind, t, _), e in zip(mine, got["events"]["list"]):
        far = max(far, abs(e["t"] - t)) if e["kind"] == kind else math.inf
        n += 1
    for key, value in end.items():
        far = max(far, abs(got["state"][key] - value) / max(1, abs(value)))
        n += 1
    return far, n


def main():
    names = [n for n in [*MODELS, *INLINE, *OTHERS, "set-parts", *robots.ROBOTS, *SIGNALS, *NODES, *CHAINS] if not sys.argv[1:] or n in sys.argv[1:]]
    bad = 0
    for name in names:
        far, n = differences(name)
        ok = far <= 1e-7
        bad += not ok
        print("%-7s %-24s %3d numbers, largest difference %.1e" % ("ok" if ok else "FAILED", name, n, far))
    print("%d passed, %d failed" % (len(names) - bad, bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
