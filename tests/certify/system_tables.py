# SPDX-License-Identifier: MIT
"""Tables of the systems in systems.py, right ones in many forms and wrong ones."""
import functools
import random

import foreign


def bare(table):
    """Without forces; a multiplier that is a state stays."""
    return table if "vakonomic" in table[0] else foreign.without(table, "force(")


def places(table):
    return foreign.without(bare(table), *[n for n in table[1] if n.endswith("'") or ".w" in n])


def thinned(table, every):
    model, names, rows = table
    return model, names, rows[::every]


def scattered(table, count, clusters=0, seed=1):
    """That many rows, anywhere or mostly in clusters."""
    model, names, rows = table
    source, n = random.Random(seed), len(rows)
    if clusters:
        centres = [source.random() for _ in range(clusters)]
        some = {min(max(int(n*(source.choice(centres) + source.gauss(0, 0.02))), 0), n - 1) for _ in range(count)}
        some |= set(range(0, n, max(2*n//count, 1)))
    else:
        some = set(source.sample(range(n), min(count, n)))
    return model, names, [rows[i] for i in sorted(some)]


def rough_forces(table, share, seed=1):
    """Forces are off by about this share of their largest."""
    model, names, rows = table
    source = random.Random(seed)
    largest = [max(abs(r[k]) for r in rows) if n.startswith("force(") else 0 for k, n in enumerate(names)]
    return model, names, [[x + source.gauss(0, share*a) if a else x for x, a in zip(r, largest)] for r in rows]


def halves(table, seed=1):
    """Of some pairs of rows one is missing."""
    model, names, rows = table
    source, out = random.Random(seed), []
    for i, row in enumerate(rows):
        pair = (i > 0 and rows[i - 1][0] == row[0]) or (i + 1 < len(rows) and rows[i + 1][0] == row[0])
        if not pair or source.random() < 0.6:
            out.append(row)
    return model, names, out


def right(system):
    """(how, table on demand, whether the verdict must be that of the system)"""
    full, plain = functools.cache(system.make), functools.cache(lambda: system.make(pairs=False))
    yield "fine", full, True
    yield "no forces", lambda: bare(full()), True
    yield "no pairs", lambda: bare(plain()), True
    yield "forces, no pairs", plain, False
    yield "positions", lambda: places(plain()), False
    yield "positions and pairs", lambda: places(full()), False
    for digits in (5, 8):
        yield f"{digits} digits", lambda n=digits: foreign.rounded(full(), n), False
        yield f"{digits} digits, no pairs", lambda n=digits: bare(foreign.rounded(plain(), n)), False
        yield f"{digits} digits, positions", lambda n=digits: places(foreign.rounded(plain(), n)), False
    for every in (5, 20, 30):
        yield f"every {every}th row", lambda n=every: bare(thinned(plain(), n)), False
        yield f"every {every}th row, positions", lambda n=every: places(thinned(plain(), n)), False
    yield "every third row of those with pairs", lambda: thinned(full(), 3), False
    yield "every third row of those with pairs, positions", lambda: places(thinned(full(), 3)), False
    for seed in (1, 2):
        yield f"random rows {seed}", lambda n=seed: scattered(plain(), 120, 0, n), False
        yield f"random rows {seed}, positions", lambda n=seed: places(scattered(plain(), 250, 0, n)), False
    yield "rows in clusters", lambda: bare(scattered(plain(), 200, 12)), False
    yield "rows in clusters, positions", lambda: places(scattered(plain(), 200, 12)), False
    yield "halves of pairs", lambda: halves(thinned(full(), 2)), False
    yield "rough forces", lambda: rough_forces(full(), 1e-5), False
    yield "rougher forces, no pairs", lambda: rough_forces(thinned(plain(), 4), 1e-4), False


def spread_of(rows, i):
    return max(r[i] for r in rows) - min(r[i] for r in rows)


def kicked(table):
    """From the middle on a velocity is larger by a hundredth, and the positions follow."""
    model, names, rows = table
    speeds = [n for n in names if n.endswith("'") and n[:-1] in names]
    if not speeds:
        return None
    k = max(names.index(n) for n in speeds if spread_of(rows, names.index(n)) ==
            max(spread_of(rows, names.index(m)) for m in speeds))
    at, place = len(rows)//3, names.index(names[k][:-1])
    out = [list(r) for r in rows]
    for r in out[at:]:
        r[k] += 1e-2*spread_of(rows, k)
        r[place] += 1e-2*spread_of(rows, k)*(r[0] - rows[at][0])
    return model, names, out


def late_impact(table):
    """The time of the first impact, half a row late."""
    model, names, rows = table
    speeds = [i for i, n in enumerate(names) if n.endswith("'")]
    for i in range(2, len(rows) - 2):
        jump = max((abs(rows[i][k] - rows[i - 1][k]) for k in speeds), default=0.0)
        room = rows[i + 1][0] - rows[i][0]
        if rows[i][0] == rows[i - 1][0] and jump > 0.1 and room > 1e-4:
            out = [list(r) for r in rows]
            out[i][0] = out[i - 1][0] = rows[i][0] + room/2
            return model, names, out
    return None


def spoiled_columns(system):
    """What can be done to a right table."""
    full = system.make()
    model, names, rows = full
    for k, name in enumerate(names):
        if name.startswith("force(") and max(abs(r[k]) for r in rows) > 0.1:
            for how, factor in (("larger by a thousandth", 1.001), ("with the other sign", -1.0), ("zero", 0.0)):
                yield f"{name} {how}", (model, names, [r[:k] + [factor*r[k]] + r[k + 1:] for r in rows])
    if system.low is not None:
        k = names.index(system.low[0])
        deep = 1e-3*system.low[1]*spread_of(rows, k) or 1e-3
        sunk = (model, names, [r[:k] + [r[k] - deep] + r[k + 1:] for r in rows])
        yield "penetration", sunk
        yield "penetration, no forces", bare(sunk)
    for how, table in (("a kick", kicked(full)), ("a kick, no forces, no pairs", kicked(bare(system.make(pairs=False)))),
                       ("an impact shifted", late_impact(full)), ("an impact shifted, no forces", late_impact(bare(full)))):
        if table is not None:
            yield how, table


def wrong(system):
    """(how, table on demand)"""
    for how, table in spoiled_columns(system):
        yield how, lambda table=table: table
    for how, knobs in system.wrong.items():
        yield how, lambda knobs=knobs: system.make(**knobs)
        if not how.startswith("force"):  # nothing else is wrong there
            yield how + ", no forces, no pairs", lambda knobs=knobs: bare(system.make(pairs=False, **knobs))
