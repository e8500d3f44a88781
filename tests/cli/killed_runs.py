# SPDX-License-Identifier: MIT
"""Runs that are killed, interrupted, resumed or watched."""
import json
import os
import re
import shutil
import signal
import subprocess
import time

from kit import (
    case, checkpoints, code, equal, expect, FILES, get, HALF, is_locked, kill_in_the_middle, killed, LONG,
    OSCILLATOR, pawl, PAWL, put, same_folder, start, wait_for)


@case
def killed_and_resumed():
    put("m.pawl", LONG)
    options = ["m.pawl", "--save", "npz", "x=0.11"]
    got, out, err = pawl("run", *options, "-o", "whole", "--json")
    equal(got, 0, err)
    # killed again and again; every part adds at least one block
    resume = ["run", "--resume", "parts"]
    killed("parts", "run", *options, "-o", "parts")
    while not (kill_in_the_middle("parts", *resume) and kill_in_the_middle("parts", *resume)):
        shutil.rmtree("parts")
        killed("parts", "run", *options, "-o", "parts")
    process = start(*resume)
    wait_for(lambda: is_locked("parts/.partial/motion.pwt"), process)
    process.send_signal(signal.SIGSTOP)
    code(5, "run", *options, "-o", "parts")  # the other one is writing there
    process.send_signal(signal.SIGCONT)
    equal(process.wait(), 0)
    same_folder("whole", "parts")
    code(5, "run", "--resume", "parts")


@case
def signals_killed_and_resumed():
    """With a delay, a sample, a state, noise, a table from a file, a part and numbers of --input: copies of all
    files lie in the folder, so that the run goes on without them."""
    put("part.pawl", "table road(s): \"road.csv\", linear, periodic\ninput G = 0 from \"g.csv\"\n"
                     "coordinates y\nkinetic K = 1/2*y'^2\nforce y: -y - y' + road(t) + G\nstart y = 0.1\n")
    put("m.pawl", "include \"part.pawl\" as left\ninput F = 0\ncoordinates x\nkinetic T = 1/2*x'^2\n"
                  "state z' = x - z\nsample u: -0.3*x, every 0.1\n"
                  "force x: u + F - delay(x, 0.5) - 0.7*x' + 0.1*noise(3, 2) - z + left.y\n"
                  "start x = 1\nrun 0..1000, every 1\n")
    files = {"road.csv": "s,h\n0,0\n1,0.3\n3,0\n", "g.csv": "t,G\n0,0\n1000,1\n", "d.csv": "t,F\n0,0\n600,1\n600,0\n1000,0\n"}
    for name, text in files.items():
        put(name, text)
    options = ["run", "m.pawl", "--input", "d.csv"]
    whole = code(0, *options, "-o", "whole", "--json")[0]
    names = sorted(os.listdir("whole"))
    equal(len([n for n in names if re.fullmatch(r"data-[0-9a-f]{16}\.csv", n)]), 3, names)
    for text in files.values():
        expect(any(get("whole/" + n) == text.encode() for n in names if n.startswith("data-")), text)
    while True:
        before = checkpoints("parts")
        process = start(*options, "-o", "parts")
        while process.poll() is None and checkpoints("parts") in ([], before):
            time.sleep(0.002)
        process.kill()
        process.wait()
        if not os.path.exists("parts/summary.json"):
            break
        shutil.rmtree("parts")
    for name in [*files, "part.pawl", "m.pawl"]:
        put(name, "lost\n")
    code(0, "run", "--resume", "parts", "-q")
    same_folder("whole", "parts")
    # the text of the results alone is the same model
    again = json.loads(code(0, "run", "whole/model.pawl", "--no-save", "--json")[0])
    equal(json.loads(whole)["state"], again["state"])
    expect("input from \"data-" in get("whole/model.pawl").decode(), get("whole/model.pawl"))
    equal(json.loads(code(0, "certify", "whole", "--json")[0])["ok"], True)


@case
def killed_with_includes():
    os.mkdir("parts")
    put("parts/mass.pawl", HALF.splitlines()[0] + "  # no end of line")
    put("m.pawl", 'include "parts/mass.pawl"\n' + HALF.split("\n", 1)[1])
    code(0, "run", "m.pawl", "m=2", "-o", "whole")
    killed("m.out", "run", "m.pawl", "m=2", "-q")
    os.remove("parts/mass.pawl")
    os.remove("m.pawl")
    code(0, "run", "--resume", "m.out")
    same_folder("whole", "m.out")
    text = get("m.out/model.pawl").decode()
    expect(text.startswith("parameter m = 2  # no end of line\n") and "include" not in text, text)


@case
def turns_killed_and_resumed():
    """`method auto`: events and steps in turns, more than a hundred parts. The motion is short enough to be
    stored whole: of a longer one the certificate of a resumed run misses what was left out."""
    put("m.pawl", "let pulse = max(0, sum(i in 1..50: sin(2*pi*(t + i)))/50)  # costs time, not bytes\n"
                  "coordinates y[1..3]\nkinetic T = sum(i in 1..3: 1/2*y[i]'^2)\n"
                  "potential V = sum(i in 1..3: 10*y[i])\n"
                  "force y[1]: 15*pulse\nforce y[2]: 20*pulse\nforce y[3]: 30*pulse\n"
                  "shape d[i in 1..3]: sphere (0, 0, y[i]), radius 0.1\nshape ground: plane (0, 0, 0), (0, 0, 1)\n"
                  "contact pile: d, ground, restitution 0.3\nstart y[1] = 0.1, y[2] = 0.35, y[3] = 0.6\n"
                  "run 0..240, every 1, method auto, step 4e-3\n")
    code(0, "run", "m.pawl", "-o", "whole", "-q")
    parts = json.loads(get("whole/summary.json"))["parts"]
    expect(parts["count"] > 100, parts["count"])
    killed("parts", "run", "m.pawl", "-o", "parts")
    code(0, "run", "--resume", "parts", "-q")
    same_folder("whole", "parts")


@case
def torn_block():
    put("m.pawl", HALF)
    code(0, "run", "m.pawl", "-o", "whole", "-q")
    killed("torn", "run", "m.pawl", "-o", "torn")
    with open("torn/.partial/motion.pwt", "ab") as blocks:
        blocks.write(b"PAWLBLK2" + b"\x10" + bytes(40))
    code(0, "run", "--resume", "torn", "-q")
    same_folder("whole", "torn")


@case
def the_clock_decides_no_byte():
    """A run that is stopped again and again, as on a machine with other work, ends with the same bytes."""
    put("m.pawl", HALF.replace("every 1", "every 0.5"))
    code(0, "run", "m.pawl", "-o", "alone", "-q")
    process = start("run", "m.pawl", "-o", "loaded", "-q")
    while process.poll() is None:
        time.sleep(0.2)
        process.send_signal(signal.SIGSTOP)
        time.sleep(1.1)
        process.send_signal(signal.SIGCONT)
    equal(process.wait(), 0)
    same_folder("alone", "loaded")


@case
def interrupted():
    put("m.pawl", LONG.replace("0..8000", "0..4e8, max-steps 1e12"))  # has no end
    process = start("run", "m.pawl", "-o", "cut")
    wait_for(lambda: checkpoints("cut"), process)
    process.send_signal(signal.SIGINT)
    equal(process.wait(), 130)
    equal(sorted(os.listdir("cut")), FILES)
    summary = json.loads(get("cut/summary.json"))
    equal(summary["ending"], "interrupted")
    expect(0 < summary["t"] < 4e8)
    equal(len(get("cut/trajectory.csv").splitlines()), summary["counts"]["rows"] + 1)


@case
def nothing_to_resume():
    code(5, "run", "--resume", "nonesuch")
    os.makedirs("d/.partial")
    code(5, "run", "--resume", "d")
    put("d/.partial/motion.pwt", b"")
    code(5, "run", "--resume", "d")
    put("m.pawl", OSCILLATOR)
    code(0, "run", "m.pawl", "-o", "d", "-q")  # nothing is lost
    equal(sorted(os.listdir("d")), FILES)
    os.makedirs("e/.partial")
    put("e/.partial/motion.pwt", b"PAWLBLK1" + bytes(100))
    code(5, "run", "--resume", "e")
    code(0, "run", "m.pawl", "-o", "e", "-q", "--force")
    equal(sorted(os.listdir("e")), FILES)


@case
def interruption_is_answered():
    put("m.pawl", LONG)
    with open("err", "w") as err:
        process = subprocess.Popen([PAWL, "run", "m.pawl", "-o", "cut"], stdout=subprocess.DEVNULL, stderr=err)
    wait_for(lambda: os.path.exists("cut/.partial/motion.pwt"), process)
    process.send_signal(signal.SIGINT)
    wait_for(lambda: b"stopping" in get("err") or process.poll() is not None, process)
    equal(process.wait(), 130)
    expect(b"stopping, writing what there is; Ctrl-C again ends at once" in get("err"), get("err"))


@case
def killed_runs_are_kept():
    put("m.pawl", LONG)
    process = start("run", "m.pawl", "-q")
    wait_for(lambda: os.path.exists("m.out/.partial/checkpoint-0"), process)
    process.kill()
    process.wait()
    before = get("m.out/.partial/motion.pwt")
    put("m.pawl", OSCILLATOR)
    err = code(5, "run", "m.pawl", "-q")[1]
    expect("E0616" in err and "pawl run --resume m.out" in err and "--force" in err, err)
    expect(get("m.out/.partial/motion.pwt") == before)
    code(0, "run", "m.pawl", "-q", "--force")
    equal(sorted(os.listdir("m.out")), FILES)
    code(0, "run", "m.pawl", "-q")  # a complete one is replaced as ever


@case
def torn_ends_are_cut_off():
    put("m.pawl", LONG)
    process = start("run", "m.pawl", "-q")
    wait_for(lambda: os.path.exists("m.out/.partial/checkpoint-1"), process)
    process.kill()
    process.wait()
    with open("m.out/.partial/motion.pwt", "r+b") as file:
        file.truncate(os.path.getsize("m.out/.partial/motion.pwt") - 1)
    os.rename("m.out/.partial", "elsewhere")  # a link is not followed
    os.symlink("../elsewhere", "m.out/.partial")
    expect("E0612" in code(5, "run", "--resume", "m.out", "-q")[1])
    os.remove("m.out/.partial")
    os.rename("elsewhere", "m.out/.partial")
    process = start("run", "--resume", "m.out", "-q")  # goes on until it is interrupted
    size = os.path.getsize("m.out/.partial/motion.pwt")
    wait_for(lambda: os.path.getsize("m.out/.partial/motion.pwt") != size, process)
    process.send_signal(signal.SIGINT)
    equal(process.wait(), 130)
    equal(sorted(os.listdir("m.out")), FILES)


@case
def watching():
    put("m.pawl", OSCILLATOR)
    process = start("run", "m.pawl", "--watch", "-q")
    wait_for(lambda: os.path.exists("m.out/summary.json"), process)
    put("m.pawl", OSCILLATOR.replace("0..10", "0..11"))
    def second_run_is_there():  # the folder is replaced meanwhile
        try:
            return b'"to": 11' in get("m.out/summary.json")
        except FileNotFoundError:
            return False
    wait_for(second_run_is_there, process)
    process.send_signal(signal.SIGINT)
    equal(process.wait(), 130)
    with open("log", "wb") as log, open("err", "wb") as err:  # without -q one line for each run
        process = subprocess.Popen([PAWL, "run", "m.pawl", "--watch"], stdout=log, stderr=err)
        wait_for(lambda: get("log").count(b"\n") == 1, process)
        put("m.pawl", OSCILLATOR.replace("0..10", "0..12"))
        wait_for(lambda: get("log").count(b"\n") == 2, process)
        put("m.pawl", "coordinates x\nkinetic T = y'^2\n")
        wait_for(lambda: b"still has" in get("err"), process)
        process.send_signal(signal.SIGINT)
        equal(process.wait(), 130)
    expect(b"stopping" not in get("err"), get("err"))  # there was nothing to write
    equal(get("err").count(b"m.out still has the results of run 2, the last good version"), 1)
    lines = get("log").decode().splitlines()
    expect(lines[0].startswith("run 1  t = 11, ") and lines[1].startswith("run 2  t = 12, "), lines)
