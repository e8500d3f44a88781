# SPDX-License-Identifier: MIT
"""Random scenes in space: spheres, capsules, boxes, hulls and cylinders fall on a floor, a slope and a fixed block. Judged from
the results folder by geometry and mechanics of its own: no penetration, forces inside their cones, momentum and angular
momentum of every body in every step, and an energy that never grows."""
import csv
import itertools
import math
import os
import random

STEP, SPAN, G = 1e-3, 0.5, 9.81


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def add(a, b, s=1.0):
    return tuple(x + s * y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    size = math.sqrt(dot(a, a))
    return tuple(x / size for x in a)


def matrix(q):
    w, x, y, z = q
    return ((1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)))


def turn(rot, v):
    return tuple(dot(row, v) for row in rot)


def turn_back(rot, v):
    return tuple(sum(rot[k][i] * v[k] for k in range(3)) for i in range(3))


# ---- scenes ----

TETRA = ((0.1, 0.1, 0.1), (0.1, -0.1, -0.1), (-0.1, 0.1, -0.1), (-0.1, -0.1, 0.1))


def corners_of(size):
    return tuple(tuple(s * a / 2 for s, a in zip(sign, size)) for sign in itertools.product((1, -1), repeat=3))


def make_body(r, kind):
    m = round(r.uniform(0.3, 2), 3)
    a, b, c = (round(r.uniform(0.08, 0.2), 3) for _ in range(3))
    if kind == "sphere":
        j = round(0.4 * m * a * a / 4, 9)
        return {"m": m, "I": (j, j, j), "text": f"sphere {{b}}, radius {a / 2}", "core": ((0, 0, 0),), "r": a / 2}
    if kind == "capsule":
        return {"m": m, "I": (round(m * b * b / 12 + m * a * a / 16, 9),) * 2 + (round(m * a * a / 8, 9),),
                "text": f"capsule {{b}}, radius {a / 2}, size {b}", "core": ((0, 0, b / 2), (0, 0, -b / 2)), "r": a / 2}
    if kind == "box":
        return {"m": m, "I": tuple(round(m / 12 * s, 9) for s in (b * b + c * c, a * a + c * c, a * a + b * b)),
                "text": f"box {{b}}, size ({a}, {b}, {c})", "core": corners_of((a, b, c)), "r": 0}
    if kind == "hull":
        return {"m": m, "I": (round(0.01 * m, 9),) * 3, "core": TETRA, "r": 0,
                "text": "hull {b}, " + "".join(f"({x}, {y}, {z})" for x, y, z in TETRA)}
    return {"m": m, "I": (round(m * (a * a / 16 + b * b / 12), 9),) * 2 + (round(m * a * a / 8, 9),), "rim": (a / 2, b / 2),
            "text": f"cylinder {{b}}, size ({a / 2}, {b})", "core": (), "r": 0}


def make(seed):
    r = random.Random(20000 + seed)
    kinds = ["sphere", "cylinder"] if r.random() < 0.2 else ["sphere", "capsule", "box", "hull"]
    chosen = [r.choice(kinds) for _ in range(r.randint(2, 5))]
    while chosen.count("cylinder") > 1:  # two of them do not meet
        chosen[chosen.index("cylinder")] = "sphere"
    bodies = [make_body(r, kind) for kind in chosen]
    scene = {"bodies": bodies, "e": r.choice([0, 0.2, 0.5]), "mu": r.choice([0.1, 0.4, 0.9]),
             "planes": [((0, 0, 0), (0, 0, 1)), ((-0.3, 0, 0), unit((0.8, 0, 0.6)))], "block": None}
    if "cylinder" not in kinds and r.random() < 0.5:
        scene["block"] = (0.5, 0.5, 0.2)
    lines = [f"body b{i}: mass {b['m']}, inertia {b['I']}" for i, b in enumerate(bodies, 1)]
    lines.append("potential V = " + " + ".join(f"{G}*{b['m']}*b{i}.p[3]" for i, b in enumerate(bodies, 1)))
    names = []
    for i, b in enumerate(bodies, 1):
        lines.append(f"shape s{i}: " + b["text"].format(b=f"b{i}"))
        names.append(f"s{i}")
    for i, (p, n) in enumerate(scene["planes"], 1):
        lines.append(f"shape w{i}: plane {p}, {n}")
        names.append(f"w{i}")
    if scene["block"]:
        lines.append(f"shape block: box (0.2, 0, 0.1), size {scene['block']}")
        names.append("block")
    lines.append(f"contact c: {', '.join(names)}, restitution {scene['e']}, mu {scene['mu']}")
    for i in range(1, len(bodies) + 1):
        p = [round(r.uniform(0, 0.3), 3), round(r.uniform(-0.15, 0.15), 3), round(0.2 + 0.36 * i, 3)]
        u, w = ([round(r.uniform(-s, s), 3) for _ in range(3)] for s in (0.7, 6))
        axis = ", ".join(str(round(r.uniform(-1, 1), 3)) for _ in range(3))
        lines.append(f"start b{i}.p = ({p[0]}, {p[1]}, {p[2]}), b{i}.R = axis({axis}, {round(r.uniform(0, 3), 3)}), "
                     f"b{i}.p' = ({u[0]}, {u[1]}, {u[2] - 1}), b{i}.w = ({w[0]}, {w[1]}, {w[2]})")
    lines.append(f"run 0..{SPAN}, method moreau, step {STEP}, every {STEP}")
    return scene, "\n".join(lines) + "\n"


# ---- geometry ----

def nearest(points):
    """Point of the hull of at most four points next to the origin, and which of them it needs."""
    best, used = None, None
    for n in range(1, len(points) + 1):
        for some in itertools.combinations(points, n):
            base, edges = some[0], [add(p, some[0], -1) for p in some[1:]]
            k = len(edges)
            rows = [[dot(edges[i], edges[j]) for j in range(k)] + [-dot(edges[i], base)] for i in range(k)]
            weights = solve(rows)
            if weights is None or any(w < -1e-12 for w in weights) or sum(weights) > 1 + 1e-12:
                continue
            at = base
            for w, e in zip(weights, edges):
                at = add(at, e, w)
            if best is None or dot(at, at) < dot(best, best) - 1e-18:
                best, used = at, some
    return best, list(used)


def solve(rows):
    k = len(rows)
    for i in range(k):
        pivot = max(range(i, k), key=lambda j: abs(rows[j][i]))
        if abs(rows[pivot][i]) < 1e-14:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for j in range(k):
            if j != i:
                f = rows[j][i] / rows[i][i]
                rows[j] = [x - f * y for x, y in zip(rows[j], rows[i])]
    return [rows[i][k] / rows[i][i] for i in range(k)]


def distance(a, b):
    """Of the hulls of two sets of points; 0 where they overlap (Gilbert, Johnson and Keerthi 1988)."""
    simplex = [add(a[0], b[0], -1)]
    for _ in range(60):
        at, simplex = nearest(simplex)
        size = dot(at, at)
        if size < 1e-18:
            return 0.0
        further = add(min(a, key=lambda p: dot(p, at)), max(b, key=lambda p: dot(p, at)), -1)
        if dot(further, at) >= size * (1 - 1e-10) or further in simplex:
            return math.sqrt(size)
        simplex.append(further)
    return math.sqrt(size)


def separation(a, b):
    """Of two polytopes: the largest gap that a normal of a face or of two edges shows."""
    def edges(p):
        return [add(x, y, -1) for x, y in itertools.combinations(p, 2)]
    def faces(p):
        for x, y, z in itertools.combinations(p, 3):
            n = cross(add(y, x, -1), add(z, x, -1))
            if dot(n, n) > 1e-16:
                heights = [dot(unit(n), add(q, x, -1)) for q in p]
                if max(heights) < 1e-12 or min(heights) > -1e-12:
                    yield unit(n)
    axes = list(faces(a)) + list(faces(b))
    for e, f in itertools.product(edges(a), edges(b)):
        n = cross(e, f)
        if dot(n, n) > 1e-12 * dot(e, e) * dot(f, f):
            axes.append(unit(n))
    gap = -math.inf
    for n in axes:
        p, q = [dot(n, x) for x in a], [dot(n, x) for x in b]
        gap = max(gap, min(p) - max(q), min(q) - max(p))
    return gap


def placed(body, state):
    p, rot = state["p"], matrix(state["q"])
    return [add(p, turn(rot, c)) for c in body["core"]], rot


def height(body, state, plane):
    at, n = plane
    core, rot = placed(body, state)
    if "rim" in body:
        radius, half = body["rim"]
        c = dot(n, turn(rot, (0, 0, 1)))
        return dot(n, add(state["p"], at, -1)) - half * abs(c) - radius * math.sqrt(max(0, 1 - c * c))
    return min(dot(n, add(c, at, -1)) for c in core) - body["r"]


def gap_of(a, state_a, b, state_b):
    if "rim" in a or "rim" in b:
        return math.inf  # a cylinder and a sphere: seen by their momenta alone
    far = math.sqrt(dot(add(state_a["p"], state_b["p"], -1), add(state_a["p"], state_b["p"], -1)))
    if far > 0.6:
        return math.inf
    p, q = placed(a, state_a)[0], placed(b, state_b)[0]
    if a["r"] == 0 and b["r"] == 0:
        near = distance(p, q)
        return near if near > 1e-3 else separation(p, q)
    return distance(p, q) - a["r"] - b["r"]


# ---- mechanics ----

def states(scene, path):
    out = {}
    with open(path) as file:
        for row in csv.DictReader(file):
            out[row["t"]] = [{"p": tuple(float(row[f"b{i}.p[{k}]"]) for k in (1, 2, 3)),
                              "q": tuple(float(row[f"b{i}.R.q[{k}]"]) for k in (1, 2, 3, 4)),
                              "v": tuple(float(row[f"b{i}.p[{k}]'"]) for k in (1, 2, 3)),
                              "w": tuple(float(row[f"b{i}.w[{k}]"]) for k in (1, 2, 3))}
                             for i in range(1, len(scene["bodies"]) + 1)]
    return out


def spin(body, s):
    rot = matrix(s["q"])
    return turn(rot, tuple(j * w for j, w in zip(body["I"], turn_back(rot, s["w"]))))


def energy(scene, now):
    return sum(b["m"] / 2 * dot(s["v"], s["v"]) + dot(s["w"], spin(b, s)) / 2 + G * b["m"] * s["p"][2]
               for b, s in zip(scene["bodies"], now))


def step_errors(scene, before, after, h, forces):
    push = [[(0, 0, -G * b["m"]), (0, 0, 0)] for b in scene["bodies"]]
    for pair, fn, ft, n, x in forces:
        if fn < 0 or math.sqrt(dot(ft, ft)) > scene["mu"] * fn * (1 + 1e-6) + 1e-3 / h * 1e-3:
            yield f"cone of {pair}: {fn} {ft}"
        total = add(ft, n, fn)
        for name, sign in zip(pair.split("-"), (1, -1)):
            if name[0] == "s":
                k = int(name[1:]) - 1
                arm = add(x, tuple((p + q) / 2 for p, q in zip(before[k]["p"], after[k]["p"])), -1)
                push[k] = [add(push[k][0], total, sign), add(push[k][1], cross(arm, total), sign)]
    for k, b in enumerate(scene["bodies"]):
        gained = (tuple(b["m"] * (q - p) for p, q in zip(before[k]["v"], after[k]["v"])),
                  add(spin(b, after[k]), spin(b, before[k]), -1))
        speed = math.sqrt(dot(before[k]["v"], before[k]["v"])) + 0.2 * math.sqrt(dot(before[k]["w"], before[k]["w"]))
        room = b["m"] * (0.02 * speed + 4 * h * G)
        for what, size, got, force in zip(("momentum", "spin"), (1, 0.2), gained, push[k]):
            off = add(got, force, -h)
            if math.sqrt(dot(off, off)) > room * size:
                yield f"{what} of body {k + 1}: {got} by {tuple(h * f for f in force)}"


def judge(scene, folder):
    path, forces = states(scene, os.path.join(folder, "trajectory.csv")), {}
    with open(os.path.join(folder, "contacts.csv")) as file:
        for r in csv.DictReader(file):
            three = [tuple(float(r[k]) for k in names) for names in (("ftx", "fty", "ftz"), ("nx", "ny", "nz"), ("x", "y", "z"))]
            forces.setdefault(r["t"], []).append((r["pair"], float(r["fn"]), *three))
    bodies, times = scene["bodies"], list(path)
    block = scene["block"] and {"core": corners_of(scene["block"]), "r": 0}
    fixed = {"p": (0.2, 0, 0.1), "q": (1, 0, 0, 0)}
    last = energy(scene, path[times[0]])
    scale = sum(b["m"] for b in bodies) * G
    for k, t in enumerate(times):
        now = path[t]
        pairs = [(f"s{i + 1}-w{j + 1}", height(b, now[i], w)) for i, b in enumerate(bodies) for j, w in enumerate(scene["planes"])]
        if k % 5 == 0:
            pairs += [(f"s{i + 1}-s{j + 1}", gap_of(bodies[i], now[i], bodies[j], now[j]))
                      for i, j in itertools.combinations(range(len(bodies)), 2)]
            pairs += [(f"s{i + 1}-block", gap_of(b, now[i], block, fixed)) for i, b in enumerate(bodies) if block]
        yield from (f"t = {t}: {name} overlaps by {-gap}" for name, gap in pairs if gap < -5e-6)
        total = energy(scene, now)
        if total > last + 1e-4 * scale:
            yield f"t = {t}: the energy grows from {last} to {total}"
        last = min(last, total)
        h = float(t) - float(times[k - 1])
        if k > 0 and h > 0.99 * STEP:
            yield from (f"t = {t}: {w}" for w in step_errors(scene, path[times[k - 1]], now, h, forces.get(t, [])))
