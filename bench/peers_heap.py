#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Heaps by Pawl and by other engines in one run: processor time of a step, and how far bodies overlap at the end.

Spheres fall into a box, boxes onto a floor in loose layers, disks between walls; all engines get the same starts, the
same step, friction 0.5 and no bounces. Engines that are not there are left out: ODE, Bullet and Box2D if their headers
and libraries are (Debian: libode-dev, libbullet-dev, libbox2d-dev), MuJoCo if PEERS_NODE names a folder in which
`npm i @mujoco/mujoco` was made. Usage: bench_heaps FOLDER; the program of Pawl is FOLDER/../pawl.
"""
import csv
import math
import os
import resource
import shutil
import subprocess
import sys
import tempfile

HERE = "@CMAKE_CURRENT_SOURCE_DIR@"
R, MU, G = 0.1, 0.5, 9.81
REFUSED = 4  # exit of a run whose certificate does not hold
LIBS = {"ode": ["-lode"], "box2d": ["-lbox2d"], "bullet": None}


class Scene:
    """Starts on a lattice whose layers are shifted against each other."""

    def __init__(self, name, shape, n, wide, step, span):
        self.name, self.shape, self.n, self.step, self.span = name, shape, n, step, span
        deep = 1 if shape == "disk" else wide
        gap = 0.21 if shape != "box" else 0.24
        self.walls = 0 if shape == "box" else gap * wide + 0.06
        self.start = []
        for i in range(n):
            layer = i // (wide * deep)
            self.start.append((0.12 + gap * (i % wide) + 0.02 * (layer % 2),
                               0 if deep == 1 else 0.12 + gap * (i // wide % deep) + 0.03 * (layer % 2),
                               0.101 + 0.22 * layer))

    def text(self):
        """The standard input of the other programs."""
        return "\n".join([repr(self.walls)] + [" ".join(map(repr, p)) for p in self.start]) + "\n"

    def model(self):
        """The same for Pawl."""
        n, places = self.n, range(1, self.n + 1)
        if self.shape == "disk":
            lines = [f"coordinates x[1..{n}], y[1..{n}], a[1..{n}]",
                     f"kinetic T = sum(i in 1..{n}: 1/2*(x[i]'^2 + y[i]'^2) + 1/4*{R}^2*a[i]'^2)",
                     f"potential V = sum(i in 1..{n}: {G}*y[i])",
                     f"shape s[i in 1..{n}]: disk (x[i], y[i]), radius {R}, angle a[i]",
                     "shape w1: plane (0, 0), (0, 1)", "shape w2: plane (0, 0), (1, 0)",
                     f"shape w3: plane ({self.walls!r}, 0), (-1, 0)",
                     "start " + ", ".join(f"x[{i}] = {p[0]!r}, y[{i}] = {p[2]!r}" for i, p in zip(places, self.start))]
            walls = "w1, w2, w3"
        else:
            inertia = f"2/5*{R}^2" if self.shape == "sphere" else f"2/3*{R}^2"
            form = f"sphere b[i], radius {R}" if self.shape == "sphere" else f"box b[i], size ({2*R}, {2*R}, {2*R})"
            lines = [f"body b[i in 1..{n}]: mass 1, inertia {inertia}",
                     f"potential V = sum(i in 1..{n}: {G}*b[i].p[3])", f"shape s[i in 1..{n}]: {form}",
                     "shape w1: plane (0, 0, 0), (0, 0, 1)"]
            walls = "w1"
            if self.walls:
                w = repr(self.walls)
                lines += ["shape w2: plane (0, 0, 0), (1, 0, 0)", f"shape w3: plane ({w}, 0, 0), (-1, 0, 0)",
                          "shape w4: plane (0, 0, 0), (0, 1, 0)", f"shape w5: plane (0, {w}, 0), (0, -1, 0)"]
                walls = "w1, w2, w3, w4, w5"
            lines += [f"start b[{i}].p = ({p[0]!r}, {p[1]!r}, {p[2]!r})" for i, p in zip(places, self.start)]
        lines += [f"contact c: s, {walls}, restitution 0, mu {MU}",
                  f"run 0..{self.span}, method moreau, step {self.step}, every {self.span}"]
        return "\n".join(lines) + "\n"

    def overlap(self, place):
        """Deepest overlap of balls at the end, in parts of their radius; of boxes it is not measured."""
        if self.shape == "box":
            return math.nan
        deepest = 0
        for i, p in enumerate(place):
            free = [p[2] - R] + ([p[0] - R, self.walls - R - p[0]] if self.walls else [])
            free += [p[1] - R, self.walls - R - p[1]] if self.walls and self.shape == "sphere" else []
            deepest = max([deepest] + [-x for x in free])
            for q in place[:i]:
                deepest = max(deepest, 2 * R - math.dist(p, q))
        return deepest / R


def used():
    u = resource.getrusage(resource.RUSAGE_CHILDREN)
    return u.ru_utime + u.ru_stime


def by_pawl(scene, pawl, folder, refused):
    """The time of all steps: a run of one step, with its start and its files, is subtracted."""
    path, out, times = os.path.join(folder, "m.pawl"), os.path.join(folder, "m.out"), []
    for span in (scene.step, scene.span):
        with open(path, "w") as file:
            file.write(scene.model().replace(f"run 0..{scene.span},", f"run 0..{span},"))
        begin = used()
        done = subprocess.run([pawl, "run", path, "-o", out, "--force", "--save", "csv"], capture_output=True)
        if done.returncode not in (0, REFUSED):
            done.check_returncode()
        times.append(used() - begin)
    with open(os.path.join(out, "trajectory.csv")) as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    names = ("x[%d]", None, "y[%d]") if scene.shape == "disk" else ("b[%d].p[1]", "b[%d].p[2]", "b[%d].p[3]")
    place = [[float(rows[-1][n % i]) if n else 0 for n in names] for i in range(1, scene.n + 1)]
    if done.returncode == REFUSED:
        refused.append(scene.name)
    return times[1] - times[0], place


def by_other(scene, command):
    done = subprocess.run(command + [scene.shape, str(scene.step), str(scene.span)], input=scene.text(),
                          capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    return float(lines[0]), [list(map(float, line.split())) for line in lines[1:]]


def build(engine, folder):
    """The command of an engine, or None if it is not there."""
    compiler = shutil.which("c++")
    flags = LIBS[engine]
    if flags is None:
        got = subprocess.run(["pkg-config", "--cflags", "--libs", engine], capture_output=True, text=True)
        flags = got.stdout.split() if got.returncode == 0 else None
    if compiler is None or flags is None:
        return None
    program = os.path.join(folder, engine)
    source = os.path.join(HERE, f"peers_heap_{engine}.cpp")
    done = subprocess.run([compiler, "-O2", "-std=c++17", source, "-o", program] + flags, capture_output=True)
    return [program] if done.returncode == 0 else None


def main():
    out = sys.argv[1]
    pawl = os.path.join(out, "..", "pawl")
    scenes = [Scene("100 disks", "disk", 100, 10, 1e-3, 2), Scene("200 spheres", "sphere", 200, 4, 2e-3, 1.2),
              Scene("500 spheres", "sphere", 500, 6, 2e-3, 1.2), Scene("200 boxes", "box", 200, 5, 2e-3, 1)]
    if len(sys.argv) > 2:
        scenes = [s for s in scenes if s.name in sys.argv[2:]]
    print("## Heaps\n\nThe same starts and steps for all: friction 0.5, no bounces. Milliseconds of processor time per "
          "step over the\nwhole run, from the fall to rest; overlap of balls at the end in parts of the radius.\n")
    print("| scene | engine | ms / step | overlap |\n|-|-|-:|-:|")
    table, missing, refused = [], set(), []
    with tempfile.TemporaryDirectory() as folder:
        engines = {name: build(name, folder) for name in LIBS}
        node = shutil.which("node")
        there = node and os.path.isdir(os.path.join(os.environ.get("PEERS_NODE", ""), "node_modules/@mujoco"))
        engines["mujoco"] = [node, os.path.join(HERE, "peers_heap_mujoco.mjs")] if there else None
        missing = {name for name, command in engines.items() if command is None}
        for scene in scenes:
            runs = {"Pawl": lambda: by_pawl(scene, pawl, folder, refused)}
            for name, command in engines.items():
                flat = scene.shape == "disk"
                if command is not None and flat == (name == "box2d"):
                    runs[name] = lambda command=command: by_other(scene, command)
            for name, run in runs.items():
                seconds, place = run()
                ms, deep = 1e3 * seconds / (scene.span / scene.step), scene.overlap(place)
                table.append((scene.name, name, ms, deep))
                print(f"| {scene.name} | {name} | {ms:.3g} | {'-' if math.isnan(deep) else f'{deep:.1e}'} |", flush=True)
    print("\nODE by its accurate step, MuJoCo as WebAssembly, Bullet and Box2D by their iterations.")
    if refused:
        print(f"\nPawl's certificate does not hold for {', '.join(refused)}.")
    if missing:
        print(f"\nSKIPPED: {', '.join(sorted(missing))}: not there")
    with open(os.path.join(out, "heaps.csv"), "w") as file:
        csv.writer(file).writerows([("scene", "engine", "ms per step", "overlap")] + table)
    times = {(scene, engine): ms for scene, engine, ms, _ in table}
    with open(os.path.join(out, "targets.csv"), "a") as file:
        for scene in ("500 spheres", "200 boxes"):
            if (scene, "mujoco") in times:
                factor = times[scene, "Pawl"] / times[scene, "mujoco"]
                file.write(f"{'met' if factor <= 1 else 'MISSED'},{scene} against MuJoCo,{factor:.2f},1\n")
        if ("100 disks", "Pawl") in times:
            seconds = times["100 disks", "Pawl"] * 2
            file.write(f"{'met' if seconds < 10 else 'MISSED'},100 disks settle for 2 s: seconds,{seconds:.2f},10\n")


if __name__ == "__main__":
    main()
