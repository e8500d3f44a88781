# SPDX-License-Identifier: MIT
"""`run` and `test`: results as JSON, limits, expectations, inputs, flags."""
import json
import math
import os
import re
import resource

from event_lists import shown
from kit import BALL, BOUNCE, case, code, equal, expect, FILES, get, LONG, OSCILLATOR, put, same_folder, SLIDER, used


@case
def run_json():
    put("m.pawl", OSCILLATOR + "expect x = 1 +- 10\n")
    out, err = code(0, "run", "m.pawl", "--json")
    equal(err, "")
    r = json.loads(out)
    for key in ("model", "t", "state", "force", "output", "energy", "events", "certificate",
                "expect", "steps", "wall_s"):
        expect(key in r, key)
    expect(abs(r["state"]["x"] - math.cos(20)) < 1e-6, r["state"])
    expect(abs(r["state"]["x'"] + 2*math.sin(20)) < 1e-6)
    expect(abs(r["output"]["a"] + 4*math.cos(20)) < 1e-6)
    equal((r["model"], r["t"], r["force"]), ("m.pawl", 10, {}))
    equal(set(r["energy"]), {"start", "end", "lost", "work", "unexplained", "scale", "action"})
    equal(r["energy"]["start"], 2)
    equal((r["certificate"]["ok"], r["certificate"]["verdict"]), (True, "STRONG"))
    events = r["events"]["list"]
    equal(r["events"]["count"], len(events))
    expect(len(events) == 3, len(events))  # cos(2 t) rises through 0 at 3 pi/4 + k pi
    for k, event in enumerate(events):
        expect(abs(event["t"] - (0.75 + k)*math.pi) < 1e-8, event)
        equal((event["kind"], event["at"], event["cluster"]), ("user", "nought", k + 1))
        equal(set(event["before"]), {"x", "x'"})
    equal(r["expect"][0]["ok"], True)


@case
def parts_of_auto():
    """`method auto`: the object lists the same parts as summary.json, without gaps; one method has no list."""
    put("m.pawl", "coordinates y[1..3]\nkinetic T = sum(i in 1..3: 1/2*y[i]'^2)\npotential V = sum(i in 1..3: 10*y[i])\n"
                  "shape d[i in 1..3]: sphere (0, 0, y[i]), radius 0.1\nshape ground: plane (0, 0, 0), (0, 0, 1)\n"
                  "contact pile: d, ground, restitution 0.3\nstart y[1] = 0.2, y[2] = 0.45, y[3] = 0.7\n"
                  "run 0..3, method auto\n")
    r = json.loads(code(0, "run", "m.pawl", "--json", "-o", "auto")[0])
    equal(r["parts"], json.loads(get("auto/summary.json"))["parts"])
    parts = r["parts"]["list"]
    equal((r["parts"]["count"], [p["method"] for p in parts][:2]), (len(parts), ["event", "moreau"]))
    equal([p["from"] for p in parts] + [3], [0] + [p["to"] for p in parts])
    expect("parts" not in json.loads(code(0, "run", "m.pawl", "--json", "--no-save", "--method", "event", "-t", "0..0.1")[0]))


@case
def rod_force():
    put("m.pawl", SLIDER)
    r = json.loads(code(0, "run", "m.pawl", "--json")[0])
    x, y, u, v = (r["state"][name] for name in ("x", "y", "x'", "y'"))
    expect(abs(math.hypot(x, y) - 2) < 1e-8)
    # 2 lambda (x, y) is the force: lambda = -(v^2 - g y)/(2 l^2)
    wanted = -(u*u + v*v - 9.81*y)/8
    expect(abs(r["force"]["rod"] - wanted) < 1e-6, r["force"], wanted)
    expect(b"force(rod)" in get("m.out/trajectory.csv").splitlines()[0])


@case
def same_input_same_bytes():
    put("m.pawl", SLIDER)
    code(0, "run", "m.pawl", "-o", "a", "--save", "csv,npz")
    code(0, "run", "m.pawl", "-o", "b", "--save", "npz")
    same_folder("a", "b")
    code(0, "run", "m.pawl", "-o", "b", "--save", "npz")  # replaced
    same_folder("a", "b")
    code(0, "run", "m.pawl", "-o", "b")
    expect(not os.path.exists("b/trajectory.npz"), "a file of the earlier run is left")


@case
def time_limit():
    put("m.pawl", LONG.replace("0..8000, every 1", "0..4e8, every 4e8, max-steps 1e12"))  # has no end
    out, err = code(3, "run", "m.pawl", "--max-seconds", "0.5")
    expect("E0519" in err and "m.pawl:2:" in err and "limits the last step" in err, err)
    equal(sorted(os.listdir("m.out")), FILES)
    summary = json.loads(get("m.out/summary.json"))
    expect(0 < summary["t"] < 4e8 and "max-seconds" not in summary["options"], summary)
    put("m.pawl", OSCILLATOR)
    code(0, "run", "m.pawl", "-o", "a")
    put("m.pawl", OSCILLATOR.replace("0..10", "0..10, max-seconds 1e6"))
    code(0, "run", "m.pawl", "-o", "b")
    equal(get("a/trajectory.csv"), get("b/trajectory.csv"))


@case
def rows_and_samples():
    put("m.pawl", OSCILLATOR.replace("event nought: x = 0, rising\n", ""))
    code(0, "run", "m.pawl")
    lines = get("m.out/trajectory.csv").splitlines()
    equal(len(lines), 2002)
    equal(lines[-1].split(b",")[0], b"10")
    put("m.pawl", OSCILLATOR.replace("event nought: x = 0, rising", "event tick: every 0.5")
        .replace("0..10", "0..2, every 0.5"))
    code(0, "run", "m.pawl")
    times = [float(line.split(b",")[0]) for line in get("m.out/trajectory.csv").splitlines()[1:]]
    expect(times.count(1.0) == 2 and times.count(0.5) == 2, times)


@case
def expectations():
    put("m.pawl", OSCILLATOR + "expect x = cos(2) +- 1e-6 at t = 1\nexpect x = 5 +- 0.1 at t = 2\n"
        "expect t = 3*pi/4 +- 1e-8 at user 1 of nought\nexpect x = 0 +- 1 at event 9 of nought\n"
        "expect x = 1 +- 9 at t = 11\nexpect energy.total = 2 +- 1e-6\n")
    out, err = code(4, "run", "m.pawl", "--json")
    equal([e["ok"] for e in json.loads(out)["expect"]], [True, False, True, False, False, True])
    equal(err.count("expect "), 3, err)
    expect("m.pawl:10:" in err and "off by" in err and "only 3 events" in err, err)
    equal(sorted(os.listdir("m.out")), FILES)
    expect("3 of 6 hold" in code(4, "run", "m.pawl")[0])
    code(4, "test", "m.pawl")


@case
def stop_event_and_early_end():
    put("m.pawl", OSCILLATOR.replace("rising", "rising, stop"))
    out, err = code(0, "run", "m.pawl", "--json")
    r = json.loads(out)
    expect(abs(r["t"] - 2.356194490192345) < 1e-8, r["t"])
    equal(r["ending"], "stop event")
    equal(r["events"]["list"][-1]["kind"], "stop")
    out, err = code(3, "run", "m.pawl", "--max-steps", "5", "--json")
    r = json.loads(out)
    equal(r["ending"], "stopped early")
    expect(0 < r["t"] < 2 and err != "")
    equal(sorted(os.listdir("m.out")), FILES)
    expect("reason" in json.loads(get("m.out/summary.json")))
    put("m.pawl", OSCILLATOR)
    code(3, "run", "m.pawl", "--max-events", "1")


@case
def energy_at_a_pole():
    """T and V grow without bound; the terminal shows their sum as summary.json does."""
    put("m.pawl", "coordinates x\nkinetic T = 1/2*x'^2\npotential V = 1/(x - 1)\n"
                  "start x = 2, x' = -4\nrun 0..5\n")
    put("n.pawl", "coordinates x\nkinetic T = 1/2*x'^2\npotential V = 1/(x - 1)\n"
                  "start x = 0, x' = 5\nrun 0..5\n")
    for name, wanted in (("m", 0), ("n", 3)):
        out, _ = code(wanted, "run", name + ".pawl")
        e = json.loads(get(name + ".out/summary.json"))["energy"]
        line = re.search(r"^energy +(\S+) = (\S+) at end.*unexplained (\S+)\)$", out, re.M)
        expect(line is not None, out)
        for shown, stored in zip(line.groups(), (e["start"], e["end"])):
            expect(abs(float(shown) - stored) <= 1e-6 * max(1, abs(stored)), line.group(0), e)
        equal(line.group(3), "%.1g" % e["unexplained"])


@case
def test_command():
    os.makedirs("d/sub/old.out")
    put("d/b.pawl", OSCILLATOR)
    put("d/sub/a.pawl", SLIDER + "expect x = 0 +- 1e-9\n")
    put("d/c.pawl", "coordinates\n")
    put("d/notes.txt", "nothing")
    put("d/sub/old.out/summary.json", "{}")
    put("d/sub/old.out/model.pawl", "broken")
    before = sorted(os.walk("."))
    out, err = code(4, "test", "d")
    equal(sorted(os.walk(".")), before, "files were written")
    lines = out.splitlines()
    expect(lines[0].startswith("ok      d/b.pawl"), out)
    expect(lines[1].startswith("FAILED  d/c.pawl"), out)
    expect(lines[2].startswith("FAILED  d/sub/a.pawl") and "expect x = 0" in lines[3], out)
    equal(lines[-1], "1 passed, 2 failed")
    equal(code(0, "test", "d/b.pawl")[0].splitlines()[-1], "1 passed, 0 failed")
    code(5, "test", "nonesuch")


@case
def impact_at_the_start():
    put("m.pawl", "parameter e = 0.5\n" + BOUNCE)
    for command in ("check", "run"):
        out, err = code(1, command, "m.pawl")
        expect("E0312" in err and "start-impact allow" in err and "restitution" in err, err)
    equal(os.listdir("."), ["m.pawl"])
    out, err = code(0, "run", "m.pawl", "--start-impact", "allow", "--json")
    first = json.loads(out)["events"]["list"][0]
    equal((first["t"], first["kind"], first["at"], first["before"]["y'"], first["after"]["y'"]),
          (0, "impact", "floor", -2, 1))
    rows = [line.split(",") for line in get("m.out/trajectory.csv").decode().splitlines()]
    equal([row[:3] for row in rows[1:3]], [["0", "0.5", "-2"], ["0", "0.5", "1"]])
    expect(float(rows[3][0]) > 0, rows[3])
    equal(json.loads(get("m.out/summary.json"))["options"]["start-impact"], "allow")
    put("m.pawl", "parameter e = 0.5\n" + BOUNCE.replace("0..1", "0..1, start-impact allow"))
    code(0, "check", "m.pawl")
    code(0, "run", "m.pawl", "-q")
    code(2, "run", "m.pawl", "--start-impact", "forbid")


@case
def energy_gained_at_an_impact():
    put("m.pawl", "parameter e = 1.5\n" + BOUNCE.replace("y = 0.5,", "y = 0.6,"))
    expect("restitution-above-one" in code(1, "run", "m.pawl")[1])
    allow = ["--restitution-above-one", "allow"]
    out, err = code(0, "run", "m.pawl", *allow, "--json")
    equal(json.loads(out)["events"]["list"][0]["flag"], "ENERGY_INCREASE")
    out, err = code(3, "run", "m.pawl", *allow, "--energy-gain", "stop", "--json")
    expect("E0520" in err, err)
    r = json.loads(out)
    equal((r["ending"], r["events"]["count"], r["events"]["list"][0]["t"]),
          ("stopped early", 1, r["t"]))
    options = json.loads(get("m.out/summary.json"))["options"]
    equal((options["energy-gain"], options["restitution-above-one"]), ("stop", "allow"))
    equal(sorted(os.listdir("m.out")), FILES)


@case
def time_limit_of_events():
    """Events may follow each other more closely than steps."""
    put("m.pawl", "coordinates x\nkinetic T = 1/2*x'^2\nstart x' = 1\n"
        "event tick: every 1e-12\nrun 0..1, max-seconds 0.2, max-events 1e15\n")
    begun = used()
    out, err = code(3, "run", "m.pawl", "-q")
    expect(used() - begun < 60, "the limit is not seen")
    expect("E0519" in err and "events and 1 steps" in err, err)
    summary = json.loads(get("m.out/summary.json"))
    expect(0 < summary["t"] < 1e-4, summary["t"])


@case
def many_expectations():
    """The time is proportional to their number: four times as many, at instants of their own, cost less than eight
    times as much, where every instant asked all of them it was sixteen."""
    def cost(n):
        lines = ["expect x = %.17g +- 1e-6 at t = %.17g" % (math.cos(2 * t), t)
                 for t in (10 * (i + 0.5) / n for i in range(n))]
        lines += ["expect t = %.17g +- 1e-6 at event %d of nought" % ((k - 0.25) * math.pi, k)
                  for k in (1, 2, 3)] * (n // 3)
        put("m.pawl", OSCILLATOR + "\n".join(lines) + "\n")
        begun = used()
        out = code(0, "test", "m.pawl")[0]
        expect("1 passed" in out, out)
        return used() - begun

    few, many = cost(10000), cost(40000)
    expect(many < 8*few, few, many)
    put("m.pawl", OSCILLATOR + "expect t = 0 +- 1 at event 9 of nought\n")
    expect("there were only 3 events `event` of `nought`" in code(4, "run", "m.pawl", "-q")[1])


@case
def zero_has_no_sign():
    put("m.pawl", OSCILLATOR.replace("x = 1", "x = -0").replace("x' = 0", "x' = -0*x0")
        .replace("k = 4", "k = 4, x0 = 1"))
    out = code(0, "check", "m.pawl")[0] + code(0, "run", "m.pawl", "-v", "--save", "npz")[0]
    out += code(0, "run", "m.pawl", "--json")[0] + get("m.out/trajectory.csv").decode()
    expect(not re.search(r"-0(?![.0-9])", out), out)


@case
def ball_json():
    put("ball.pawl", BALL)
    out, err = code(0, "run", "ball.pawl", "--json")
    equal(err, "")
    r = json.loads(out)
    equal((r["t"], r["state"], r["output"]), (5, {"y": 0, "y'": 0}, {}))
    expect(abs(r["force"]["floor"] - 9.81) < 1e-9, r["force"])
    energy = r["energy"]
    equal((list(energy["lost"]), energy["work"], energy["end"]), (["floor"], {}, 0))
    expect(abs(energy["start"] - 9.81) < 1e-12 and abs(energy["lost"]["floor"] - 9.81) < 1e-9)
    expect(abs(energy["unexplained"]) < 1e-8, energy)
    events = r["events"]["list"]
    equal(r["events"]["count"], len(events))
    first = events[0]
    equal((first["kind"], first["at"], first["cluster"]), ("impact", "floor", 1))
    equal((set(first["before"]), set(first["after"])), ({"y", "y'"}, {"y", "y'"}))
    for value, wanted in ((first["t"], 0.4515236410), (first["impulse"], 6.6441703771),
                          (first["before"]["y'"], -4.4294469181), (first["dE"], -7.3575),
                          (first["after"]["y'"], 2.2147234590), (first["before"]["y"], 0),
                          (first["rate_before"], -4.4294469181), (first["force"], 0),
                          (first["rate_after"], 2.2147234590)):
        expect(abs(value - wanted) < 1e-9, value, wanted)
    expect("flag" not in first)
    last = events[-1]
    equal((last["kind"], last["at"], [e["kind"] for e in events].count("rest")),
          ("rest", "floor", 1))
    expect(abs(last["t"] - 3*0.45152364098573) < 1e-9 and last["impulse"] > 0, last)
    equal([e["cluster"] for e in events], list(range(1, len(events) + 1)))
    expect(abs(sum(e["dE"] for e in events) + 9.81) < 1e-9, "the losses of the events")


@case
def rates_of_the_gap():
    # 2*y >= 0 and a table that moves up: rates are those of the gap, impulses belong to it
    put("m.pawl", BALL.replace("y >= 0 [m]", "2*y - 0.2 [m/s]*t >= 0 [m]"))
    e = json.loads(code(0, "run", "m.pawl", "--json")[0])["events"]["list"][0]
    gap = [2*e[side]["y'"] - 0.2 for side in ("before", "after")]
    expect(abs(e["rate_before"] - gap[0]) < 1e-12 and abs(e["rate_after"] - gap[1]) < 1e-12, e)
    expect(abs(e["rate_after"] + 0.5*e["rate_before"]) < 1e-12, e)
    expect(abs(2*e["impulse"] - (e["after"]["y'"] - e["before"]["y'"])) < 1e-12, e)


@case
def two_laws_come_to_rest_together():
    put("m.pawl", """coordinates x, y
kinetic T = 1/2*(x'^2 + y'^2)
potential V = 9.81*(x + y)
constraint left: x >= 0, restitution 0.5
constraint right: y >= 0, restitution 0.5
start x = 1, y = 1
run 0..2
""")
    out = code(0, "run", "m.pawl")[0]
    lines = out.splitlines()
    equal([line.split()[1:3] for line in lines[2:8]], [["impact", "left"], ["impact", "right"]]*3)
    equal(lines[8].split()[1:3], ["impacts", "continue,"])
    expect(abs(float(lines[8].split()[-1]) + 2*9.81/64) < 1e-6, lines[8])
    equal([line.split()[1:3] for line in lines[9:11]], [["rest", "left"], ["rest", "right"]])
    expect("+ 9.810000 lost at left + 9.810000 lost at right" in lines[11], out)
    events = json.loads(code(0, "run", "m.pawl", "--json")[0])["events"]["list"]
    equal([e["cluster"] for e in events[:4]], [1, 1, 2, 2])


@case
def flags_are_shown():
    put("ball.pawl", BALL)
    code(0, "run", "ball.pawl", "-q")
    lines = get("ball.out/events.csv").decode().splitlines()
    for i, flag in ((1, "ENERGY_INCREASE"), (3, "ADHESIVE"), (4, "ENERGY_INCREASE")):
        fields = lines[i].split(",")
        fields[6] = flag
        lines[i] = ",".join(fields)
    put("ball.out/events.csv", "\n".join(lines) + "\n")
    lines = code(0, "events", "ball.out")[0].splitlines()
    equal([line[-2:] == " !" for line in lines[1:6]], [True, False, False, True, False])
    expect(lines[3].endswith(" ?"), lines[3])
    expect(lines[-2].startswith("  ! ENERGY_INCREASE: ") and lines[-1].startswith("  ? ADHESIVE: "))
    put("up.pawl", BALL.replace("in 0..1", "").replace("0.5", "1.2").replace("0..5", "0..2"))
    lines = code(0, "run", "up.pawl", "--restitution-above-one", "allow")[0].splitlines()
    expect(lines[2].endswith("  4.316400 !") and lines[3].endswith(" !"), lines)
    expect(lines[4].startswith("  ! ENERGY_INCREASE: the impact law added energy"), lines)
    expect(lines[5].startswith("warning      ENERGY_INCREASE at 2 events, first at t = 0.4515"), lines)
    expect("at end - 10.532016 gained at floor" in lines[6], lines)


@case
def inputs_of_parts():
    put("mot.pawl", "input F = 0, G = 1\ncoordinates x\nkinetic T = 1/2*x'^2\nforce x: F + G\nstart x = 0\n")
    put("two.pawl", "include \"mot.pawl\" as left\ninclude \"mot.pawl\" as right, G = 3\nrun 0..1\n")
    put("d.csv", "t,left.F\n0,1\n2,5\n")

    def ends(*args):
        state = json.loads(code(0, "run", *args, "--json")[0])["state"]
        return [state["left.x"], state["right.x"]]

    def near(got, wanted):
        expect(all(abs(a - b) < 1e-9 for a, b in zip(got, wanted)), got, wanted)
    near(ends("two.pawl", "-o", "a"), [0.5, 1.5])
    near(ends("two.pawl", "--input", "d.csv", "-o", "b"), [1 + 2 / 6, 1.5])
    near(ends("two.pawl", "left.G=4", "right.F=-1", "-o", "c"), [2, 1])
    for folder, wanted in (("b", [1 + 2 / 6, 1.5]), ("c", [2, 1])):
        code(0, "certify", folder)
        near(ends(folder + "/model.pawl", "--no-save"), wanted)
    # the statement says what the option says, and the option has the last word
    put("three.pawl", get("two.pawl").decode() + "input from \"d.csv\"\n")
    put("e.csv", "t,right.F\n0,2\n1,2\n")
    near(ends("three.pawl", "--no-save"), [1 + 2 / 6, 1.5])
    near(ends("three.pawl", "--input", "e.csv", "-o", "d"), [0.5, 2.5])
    near(ends("d/model.pawl", "--no-save"), [0.5, 2.5])


@case
def tables_of_a_million_rows():
    """Bounded time and memory; one row more is an error."""
    put("m.pawl", "table road(s): \"road.csv\", monotone\ncoordinates x\nkinetic T = 1/2*x'^2\n"
                  "force x: road(100*t) - x\nstart x = 0\nrun 0..1\n")
    rows = "".join("%d,%d\n" % (i, i % 7) for i in range(1000000))
    put("road.csv", rows)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    code(0, "run", "m.pawl", "-q", "-o", "d")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    expect(after.ru_utime - before.ru_utime < 20, "seconds", after.ru_utime - before.ru_utime)
    expect(after.ru_maxrss < 1000000, "kB", after.ru_maxrss)
    expect(os.path.getsize("d/model.pawl") < 1000)
    put("road.csv", rows + "1000000,1\n")
    expect("E0651" in code(1, "run", "m.pawl", "-q")[1])


@case
def jumps_that_meet_samples():
    put("m.pawl", "input F = 0 through (0, 0)(1, 0)(1, 1)(2, 1)\ncoordinates x, y\n"
                  "kinetic T = 1/2*x'^2 + 1/2*y'^2\nsample u: F, every 0.25\nforce x: if(F > 0.5, F, 0)\n"
                  "force y: u\nstart x = 0\nrun 0..2\n")
    run = json.loads(code(0, "run", "m.pawl", "--json")[0])
    equal(run["certificate"]["verdict"], "STRONG")
    # a sample sees what was before the jump
    expect(abs(run["state"]["x"] - 0.5) < 1e-12 and abs(run["state"]["y"] - 0.28125) < 1e-12, run["state"])


@case
def summary_tells_parameters_and_scales():
    put("m.pawl", BALL)
    code(0, "run", "m.pawl", "e=0.25", "-q")
    summary = json.loads(get("m.out/summary.json"))
    equal(summary["parameters"]["e"], {"value": 0.25})  # its unit is not stated
    equal(summary["parameters"]["g"], {"value": 9.81, "unit": "m/s^2"})
    equal(summary["method"], "dp5")
    equal(summary["scales"]["STILL"], 1e-10)
    expect(summary["counts"]["row_evaluations"] <= 1.1*summary["counts"]["rows"], summary["counts"])


@case
def what_may_be_missed_is_undecided():
    # sin(x)/x is 0/0 on the way: no enclosure tells what it does there
    put("m.pawl", "coordinates x\nkinetic T = 1/2*x'^2\npotential V = -sin(x)/x\n"
                  "start x = -3, x' = 1\nrun 0..10\n")
    out, err = code(0, "run", "m.pawl", "--json")
    expect("W0502" in err, err)
    for c in (json.loads(out)["certificate"], json.loads(code(3, "certify", "m.out", "--json")[0])):
        equal(c["verdict"], "UNDECIDED")
        expect("may have been missed in 1 interval" in c["sentence"], c["sentence"])
    expect("smooth" in json.loads(get("m.out/certificate.json"))["advice"], "no advice")
