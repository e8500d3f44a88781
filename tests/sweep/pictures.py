# SPDX-License-Identifier: MIT
"""Pictures of sweeps: points over a name, and planes."""
import glob
import re
import xml.etree.ElementTree

from kit import BALL, case, equal, expect, get, near, put, rows, sweep, WELLS


def boxes(svg):
    """Left edge, top, width, height of all boxes of a picture, by colour."""
    found = {}
    for path, color in re.findall(r'<path d="(M[^"]*z)" fill="(#\w+)"', svg):
        found.setdefault(color, []).extend(
            tuple(float(n) for n in box)
            for box in re.findall(r"M([-\d.]+) ([-\d.]+)h([-\d.]+)v([-\d.]+)h[-\d.]+z", path))
    return found


@case
def a_picture_of_points():
    """Each impact of the ball is a dot at its place on the axes, which the labels give."""
    put("m.pawl", BALL)
    words = ["m.pawl", "e=0.2:0.8:13", "--at", "impact", "--record", "t", "--certify=off"]
    out, _ = sweep(0, *words, "--plot", "p.svg")
    svg = get("p.svg").decode()
    xml.etree.ElementTree.fromstring(svg)
    dots = [(float(x), float(y)) for x, y in re.findall(r'<circle cx="([-\d.]+)" cy="([-\d.]+)"', svg)]
    labels = [(float(x), float(y), float(t.replace("\u2212", "-"))) for x, y, t in
              re.findall(r'<text x="([-\d.]+)" y="([-\d.]+)"[^>]*>([\d.\u2212]+)</text>', svg)]
    bottom = max(y for _, y, _ in labels)
    across = [(x, t) for x, y, t in labels if y == bottom]
    up = [(y - 4, t) for x, y, t in labels if y != bottom]

    def value(place, ticks):
        (a, s), (b, t) = ticks[0], ticks[-1]
        return s + (place - a)/(b - a)*(t - s)
    got = sorted((round(value(x, across), 2), value(y, up)) for x, y in dots)
    wanted = [(float(r["e"]), float(r["t"])) for r in rows(out)]
    for e, t in wanted:  # within a cell of the page
        expect(any(abs(e - a) < 2e-3 and abs(t - b) < 1e-2 for a, b in got), (e, t))
    for a, b in got:
        expect(any(abs(e - a) < 2e-3 and abs(t - b) < 1e-2 for e, t in wanted), (a, b))
    sweep(0, *words, "-q", "-o", "t.csv", "--plot", "q.svg", "-j", "2")
    equal(get("q.svg"), get("p.svg"))
    sweep(0, *words, "-q", "-o", "t.csv", "--resume", "--plot", "r.svg")
    equal(get("r.svg"), get("p.svg"))
    sweep(0, *words, "-q", "-o", "t.h5", "--plot", "s.svg")
    equal(get("s.svg"), get("p.svg"))
    equal(sorted(glob.glob("t.h5*")), ["t.h5", "t.h5.sweep"])
    _, err = sweep(5, *words, "-q", "-o", "t.h5", "--resume", "--plot", "s.svg")
    expect("complete before cannot be drawn" in err, err)


@case
def a_picture_of_a_plane():
    """Cells of a map have the order and colours of the table; failed members are grey."""
    put("m.pawl", WELLS.replace("0..60", "0..60, tol 1e-6"))
    out, _ = sweep(0, "m.pawl", "x=-2:2:9", "d.x=-1:1:5", "--certify=off", "--plot", "p.svg")
    found = boxes(get("p.svg").decode())
    cells = {}
    for color, places in found.items():
        for x, y, w, h in places:
            if w > 30:  # not of the colour bar
                for k in range(round(w*9/606) or 1):
                    cells[x + k*606/9, y] = color
    left = sorted({round(x) for x, _ in cells})
    near(len(cells), 45, 0, sorted(left))
    ends = {}
    for row in rows(out):
        ends[float(row["x"]), float(row["d.x"])] = float(row["end(x)"])
    order = sorted(cells, key=lambda p: (-p[1], p[0]))
    table = [ends[-2 + 0.5*i, -1 + 0.5*j] for j in range(5) for i in range(9)]
    for place, end in zip(order, table):
        red = int(cells[place][1:3], 16)
        equal(red > 128, end > 0.5, (place, end, cells[place]))
    put("b.pawl", BALL)
    sweep(0, "b.pawl", "h=-1:1:3", "e=0:1:3", "--certify=off", "--plot", "q.svg")
    equal(len(boxes(get("q.svg").decode())["#d4d4d4"]), 3)  # one for each e
    sweep(0, "b.pawl", "h=-1:1:3", "e=0:1:3", "--certify=off", "--plot", "q.png")
    equal(get("q.png")[:8], b"\x89PNG\r\n\x1a\n")
