# SPDX-License-Identifier: MIT
"""Numbers of sweeps: exact values, records, derivatives, designs, mistakes."""
import csv
import math
import os
import re
import subprocess

from kit import BALL, case, equal, expect, near, PAWL, put, QUICK, ROOT, rows, STOP, sweep, WELLS


@case
def a_member_is_a_run():
    """Each row has the numbers of `pawl run` with the same values, to the last digit."""
    put("m.pawl", STOP)
    out, _ = sweep(0, "m.pawl", "a=0.1,0.3", "th=0.5,1", "e=0.25")
    got = rows(out)
    equal(list(got[0]), ["a", "th", "e", "verdict", "ending", "end(th)", "th'"])
    for row in got:
        done = subprocess.run([PAWL, "run", "m.pawl", "a=" + row["a"], "th=" + row["th"], "e=0.25",
                               "-o", "one"], capture_output=True, text=True)
        equal(done.returncode, 0)
        with open("one/trajectory.csv") as file:
            last = list(csv.DictReader(file))[-1]
        equal((row["end(th)"], row["th'"]), (last["th"], last["th'"]))
        with open("one/summary.json") as file:
            expect(f'"verdict":"{row["verdict"]}"' in file.read().replace(": ", ":"), row["verdict"])
        equal(row["ending"], "end")


@case
def without_a_certificate_the_motion_is_the_same():
    put("m.pawl", STOP)
    out, _ = sweep(0, "m.pawl", "a=0.1:0.5:7")
    bare, _ = sweep(0, "m.pawl", "a=0.1:0.5:7", "--certify=off")
    for a, b in zip(rows(out), rows(bare)):
        equal((a["th"], a["th'"]), (b["th"], b["th'"]))
        equal(b["verdict"], "NOT CHECKED")


@case
def impacts_of_a_ball():
    """t_1 = sqrt(h), v_n = 2 sqrt(h) e^(n-1) before, t_(n+1) = t_n + 2 e^n sqrt(h)."""
    put("m.pawl", BALL)
    out, _ = sweep(0, "m.pawl", "e=0.3:0.9:4", "h=0.25,1", "--at", "impact",
                   "--record", "t,before(y'),y',count(floor),max(y)")
    seen = {}
    for row in rows(out):
        e, h = float(row["e"]), float(row["h"])
        n = seen[e, h] = seen.get((e, h), 0) + 1
        t = math.sqrt(h)
        for k in range(1, n):
            t += 2*e**k*math.sqrt(h)
        near(float(row["t"]), t, 1e-9, row)
        near(float(row["before(y')"]), -2*math.sqrt(h)*e**(n - 1), 1e-9, row)
        near(float(row["y'"]), 2*math.sqrt(h)*e**n, 1e-9, row)
        equal(float(row["count(floor)"]), n)
        equal(float(row["max(y)"]), h)
    equal(len(seen), 8)
    out, _ = sweep(0, "m.pawl", "e=0.5", "--at", "floor", "--after", "1.5", "--record", "t,doubled")
    equal([round(float(r["t"]), 9) for r in rows(out)], [2.0, 2.5])
    for last, wanted in (("1", [2.5]), ("2", [2.0, 2.5]), ("9", [1.0, 2.0, 2.5])):
        out, _ = sweep(0, "m.pawl", "e=0.5", "--at", "floor", "--last", last, "--record", "t")
        equal([round(float(r["t"]), 9) for r in rows(out)], wanted)


@case
def derivatives_of_records():
    """The ball: h = 1, g = 2 falls for sqrt(h) and comes back with e*2*sqrt(h); at T before the next
    impact y = e*2*sqrt(h)*s - s^2 with s = T - sqrt(h). Outputs have derivatives, extremes have none,
    and rows at events have those of their times, sqrt(h)*(1 + 2*(e + .. + e^k))."""
    put("m.pawl", BALL)
    out, _ = sweep(0, "m.pawl", "h=0.5,1", "e=0.9,1", "-t", "0..1.5", "--record", "max(y),y,doubled",
                   "--gradient", "h,e")
    got = rows(out)
    equal(list(got[0])[4:], ["max(y)", "y", "doubled", "d(y)/d(h)", "d(y)/d(e)", "d(doubled)/d(h)",
                             "d(doubled)/d(e)"])
    equal(len(got), 4)
    for row in got:
        h, e = float(row["h"]), float(row["e"])
        r = math.sqrt(h)
        s = 1.5 - r
        by_h, by_e = (e * s / r - e + s / r), 2 * r * s
        near(float(row["d(y)/d(h)"]), by_h, 1e-9)
        near(float(row["d(y)/d(e)"]), by_e, 1e-9)
        near(float(row["d(doubled)/d(h)"]), 2 * by_h, 2e-9)
    out, _ = sweep(0, "m.pawl", "h=0.5,1", "-t", "0..1.9", "--at", "impact", "--last", "2", "--gradient", "e,h")
    for row in rows(out):
        h, t, e = float(row["h"]), float(row["t"]), 0.5
        ratio = t / math.sqrt(h)
        k = next(k for k in range(60) if abs(1 + 2 * sum(e**j for j in range(1, k + 1)) - ratio) < 1e-9)
        near(float(row["d(t)/d(h)"]), ratio / (2 * math.sqrt(h)), 1e-7)
        near(float(row["d(t)/d(e)"]), 2 * math.sqrt(h) * sum(j * e**(j - 1) for j in range(1, k + 1)), 1e-7)
    one, _ = sweep(0, "m.pawl", "h=0.5:1:9", "--gradient", "h")
    two, _ = sweep(0, "m.pawl", "h=0.5:1:9", "--gradient", "h", "-j", "2")
    equal(one, two)
    for words, code in ((["--record", "max(y)"], "E0812"), (["--at", "impact", "--record", "y"], "E0812"),
                        (["--follow"], "E0812"), (["--method", "moreau"], "E0681")):
        _, err = sweep(2, "m.pawl", "h=0.5,1", "--gradient", "h", *words)
        expect(code in err, words, err)
    _, err = sweep(2, "m.pawl", "h=0.5,1", "--gradient", "hh")
    expect("E0680" in err and "did you mean `h`" in err, err)


@case
def basins_of_attraction():
    """With friction every motion ends in one of the wells; mirrored starts end in mirrored wells."""
    put("m.pawl", WELLS)
    out, _ = sweep(0, "m.pawl", "x=-2:2:9", "d.x=-2:2:5", "--certify=off", "-j", "2")
    ends = {(float(r["x"]), float(r["d.x"])): float(r["end(x)"]) for r in rows(out)}
    equal(len(ends), 45)
    for (x, v), end in ends.items():
        if (x, v) != (0, 0):
            near(abs(end), 1, 1e-4, (x, v))
            near(end, -ends[-x, -v], 1e-6, (x, v))
    equal(ends[1, 0] > 0 and ends[-1, 0] < 0, True)
    expect(len({round(e) for (x, v), e in ends.items() if x > 0}) == 2, "the basins are not mixed")


@case
def a_followed_branch_has_memory():
    """A ball rolls in a tilted double well: along c it stays in its well until that ends at the fold
    c = 2/(3 sqrt 3), so the way up and the way down differ; fresh starts do not know which way."""
    put("m.pawl", """parameter c = 0
coordinates x
kinetic T = 1/2*x'^2
potential V = 1/4*x^4 - 1/2*x^2 + c*x
dissipation D = 1/2*x'^2
start x = 1.2
run 0..200
""")
    up, _ = sweep(0, "m.pawl", "c=-0.6:0.6:25", "--follow", "--certify=off")
    down, _ = sweep(0, "m.pawl", "c=0.6:-0.6:25", "--follow", "--certify=off")
    fold = 2/(3*math.sqrt(3))
    for text, sign in ((up, 1), (down, -1)):
        for row in rows(text):
            c, x = float(row["c"]), float(row["x"])
            near(x**3 - x + c, 0, 1e-6, row)
            equal(x > 0, sign*c < fold if sign > 0 else c < -fold, row)
    fresh, _ = sweep(0, "m.pawl", "c=0.6:-0.6:25", "--certify=off")
    expect(fresh != down, "members of a chain start afresh")


@case
def the_shaken_table_doubles_its_period():
    """Holmes 1982, exact for the true flight: one impact per period with the speed g pi/w is stable up to
    Gamma^2 = (pi (1-e)/(1+e))^2 + (2 (1+e^2)/(1+e)^2)^2."""
    e, w, g = 0.8, 60, 9.81
    fold = math.hypot(math.pi*(1 - e)/(1 + e), 2*(1 + e*e)/(1 + e)**2)
    model = os.path.join(ROOT, "examples", "vibrating-table.pawl")
    out, _ = sweep(0, model, f"Gamma=0.9:{fold + 0.06!r}:24", "e=0.8", "--follow", "--at", "impact",
                   "--last", "16", "--record", "y'", "--certify=off")
    speeds = {}
    for row in rows(out):
        speeds.setdefault(float(row["Gamma"]), []).append(float(row["y'"]))
    equal(len(speeds), 24)
    for gamma, us in speeds.items():
        if gamma < fold - 0.02:
            near(max(abs(u - g*math.pi/w) for u in us), 0, 1e-6, gamma)
        elif gamma > fold + 0.02:
            low, high = us[0::2], us[1::2]
            expect(abs(low[0] - high[0]) > 0.02, gamma, us)
            for side in (low, high):
                near(max(side) - min(side), 0, 1e-3, gamma)


@case
def same_bytes_for_threads_and_shards():
    put("m.pawl", STOP)
    design = ["m.pawl", "a~0.1:0.5", "e=0.5,0.8", "th=0.2:1:4", "--samples", "12", "--seed", "3"]
    for more in ([], ["--at", "impact"], ["--follow"]):
        words = design if more != ["--follow"] else [design[0], design[3], design[1], *design[4:]]
        out, _ = sweep(0, *words, *more)
        for jobs in ("2", "5"):
            equal(sweep(0, *words, *more, "-j", jobs)[0], out, jobs)
        parts = [sweep(0, *words, *more, "--shard", f"{i}/5")[0].splitlines(True) for i in range(1, 6)]
        equal("".join(parts[0] + [line for part in parts[1:] for line in part[1:]]), out, more)


@case
def samples_depend_on_the_seed_alone():
    put("m.pawl", QUICK)
    words = ["m.pawl", "k~1:4", "x~-1:1", "--samples", "16", "--certify=off"]
    one, _ = sweep(0, *words)
    equal(sweep(0, *words, "--seed", "0")[0], one)
    other, _ = sweep(0, *words, "--seed", "1")
    expect(one != other)
    for text in (one, other):
        for name, low, high in (("k", 1, 4), ("x", -1, 1)):
            cells = sorted(int((float(r[name]) - low)/(high - low)*16) for r in rows(text))
            equal(cells, list(range(16)), name)  # one in each sixteenth
    drawn, _ = sweep(0, *words, "--design", "random")
    expect(drawn not in (one, other))
    # the first of more samples are those of fewer
    expect(sweep(0, *words[:-2], "64", "--certify=off")[0].startswith(one.rsplit("\n", 1)[0]))


@case
def ranges_of_the_model():
    put("m.pawl", BALL)
    out, _ = sweep(0, "m.pawl", "e=::3", "--certify=off")
    equal([r["e"] for r in rows(out)], ["0", "0.5", "1"])
    out, _ = sweep(0, "m.pawl", "e~", "--samples", "8", "--certify=off")
    equal(sorted(int(float(r["e"])*8) for r in rows(out)), list(range(8)))
    out, _ = sweep(0, "m.pawl", "h=250 [mm],1/2,2*pi", "--certify=off")
    equal([r["h"] for r in rows(out)], ["0.25", "0.5", "6.283185307179586"])


@case
def the_model_from_standard_input():
    out, _ = sweep(0, "-", "h=1,2", "--certify=off", text=BALL)
    equal(len(rows(out)), 2)


@case
def failed_members_have_a_reason():
    put("m.pawl", BALL)
    out, err = sweep(0, "m.pawl", "h=-1,1,-2", "--record", "y")
    equal([r["ending"] for r in rows(out)],
          ["the start violates `floor` by 1", "end", "the start violates `floor` by 2"])
    equal([r["y"] for r in rows(out)][::2], ["nan", "nan"])
    expect("2 of 3 members failed" in err, err)
    out, _ = sweep(3, "m.pawl", "h=-1,-2")  # none is left
    equal(len(rows(out)), 2)
    out, _ = sweep(3, "m.pawl", "h=1,2", "--max-steps", "3", "--certify=off")
    expect(all("steps" in r["ending"] for r in rows(out)), out)


MISTAKES = [
    (2, ["e=0:1:0"], "error[E0801]: `e=0:1:0`: the number of values must be a whole number from 1 to 1e9, not `0`"),
    (2, ["e=0:nan:3"], "error[E0801]: `e=0:nan:3`: `nan` is not a finite number"),
    (2, ["e=0:inf:3"], "error[E0801]: `e=0:inf:3`: `inf` is not a finite number"),
    (2, ["e=0:1"], "error[E0801]: `e=0:1` does not say how many values there are"),
    (2, ["e"], "error[E0801]: `e` does not say how a name varies"),
    (2, ["h~"], "error[E0801]: `h~`: the model states no range for `h`"),
    (2, ["e=0:1:3", "e=1"], "error[E0802]: `e` is varied twice"),
    (2, ["d.y=0:1:3", "y'=1"], "error[E0802]: `y'` is varied twice"),
    (2, ["e=0:1:1e6", "h=0:1:1e6"], "error[E0803]: the design has 1e+12 members, more than 1e9"),
    (1, ["ee=0:1:3"], "error[E0117]: `ee` is not a parameter or start value"),
    (2, ["e=1", "--record", "yy"], "error[E0804]: a run has no column `yy`"),
    (2, ["e=1", "--record", "y,y"], "error[E0804]: `y` is recorded twice"),
    (2, ["e=1", "--record", "before(y)"], "error[E0804]: `before(y)` needs an event: the end has one side only"),
    (2, ["e=1", "--record", "count(flor)"], "error[E0804]: `flor` is no event or law of the model and no kind of events"),
    (2, ["e=1", "--at", "flor"], "error[E0805]: `flor` is no event or law of the model and no kind of events"),
    (2, ["e=1", "--samples", "5"], "error[E0801]: no name is sampled"),
    (2, ["e~0:1", "--follow"], "error[E0801]: `e` is sampled: there is no order to follow"),
    (2, ["e=1", "--shard", "0/2"], "pawl sweep: --shard needs i/n with i from 1 to n, such as 1/4, not `0/2`"),
    (2, ["e=1", "--shard", "3/2"], "pawl sweep: --shard needs i/n with i from 1 to n, such as 1/4, not `3/2`"),
    (2, ["e=1", "-j", "0"], "pawl sweep: --jobs needs a whole number from 1 on, not `0`"),
    (2, ["e=1", "--seed", "-1"], "pawl sweep: --seed needs a whole number from 0 on, not `-1`"),
    (2, ["e=1", "--after", "1"], "pawl sweep: --after needs --at"),
    (2, ["e=1", "--last", "3"], "pawl sweep: --last needs --at"),
    (2, ["e=1", "--resume"], "pawl sweep: --resume needs the table: -o F.csv"),
    (2, ["e=1", "--plot", "p.pdf"], "pawl sweep: --plot needs a file name that ends in .svg or .png, not `p.pdf`"),
    (2, ["e=1", "--tol", "2"], "pawl sweep: --tol needs a number between 1e-14 and 1e-2, not `2`"),
    (2, [], "pawl sweep: no name varies: write NAME=A:B:N, NAME=a,b,c or NAME~A:B"),
    (5, ["e=1", "-o", "no/such/folder.csv"], "error[E0808]: cannot write `no/such/folder.csv`: No such file or directory"),
    (5, ["e=1", "-o", "."], "error[E0808]: cannot write `.`: Is a directory"),
]


@case
def mistakes_are_told():
    put("m.pawl", BALL)
    for code, words, first in MISTAKES:
        out, err = sweep(code, "m.pawl", *words)
        equal(out, "")
        equal(err.splitlines()[0], first)
    equal(os.listdir("."), ["m.pawl"])
    for code in re.findall(r"E08\d\d", " ".join(first for _, _, first in MISTAKES)):
        done = subprocess.run([PAWL, "explain", code], capture_output=True, text=True)
        expect(done.returncode == 0 and len(done.stdout) > 100, code)
