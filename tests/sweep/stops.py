# SPDX-License-Identifier: MIT
"""Sweeps that are killed, interrupted and resumed, and their memory."""
import glob
import os
import signal
import subprocess
import sys

from kit import case, CHAIN, equal, expect, get, LONG, members, PAWL, put, QUICK, STOP, stop_in_the_middle, sweep


@case
def killed_and_resumed():
    put("m.pawl", STOP)
    for words in (LONG, CHAIN):
        for name in ("t.csv", "t.h5"):
            sweep(0, *words, "whole-" + name, "-j", "2")
            for turn, jobs in enumerate(("1", "2", "3")):
                process = stop_in_the_middle([PAWL, "sweep", *words, name, "-j", jobs, "--resume"], name,
                                             members(name) + 1)
                process.send_signal(signal.SIGKILL)
                process.wait()
                expect(members(name) < 3000)
            before = members(name)
            out, _ = sweep(5, *words, name)  # it is not thrown away
            out, err = sweep(0, *[w for w in words if w != "-q"], name, "--resume")
            expect(f"{before} of them before" in out, out)
            equal(get(name), get("whole-" + name), name)
            out, _ = sweep(0, *[w for w in words if w != "-q"], name, "--resume")  # nothing is left to do
            expect("3000 of them before" in out, out)
            equal(sorted(glob.glob(name + "*")), [name, name + ".sweep"])
            os.remove(name)
            os.remove(name + ".sweep")


@case
def interrupted_and_resumed():
    put("m.pawl", STOP)
    sweep(0, *LONG, "whole.csv")
    process = stop_in_the_middle([PAWL, "sweep", *LONG, "t.csv", "-j", "2"], "t.csv", 5)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGCONT)
    equal(process.wait(), 130)
    sweep(0, *LONG, "t.csv", "--resume", "-j", "2")
    equal(get("t.csv"), get("whole.csv"))


@case
def another_sweep_is_not_resumed():
    put("m.pawl", STOP)
    process = stop_in_the_middle([PAWL, "sweep", *LONG, "t.csv"], "t.csv", 5)
    process.send_signal(signal.SIGKILL)
    process.wait()
    table, journal = get("t.csv"), get("t.csv.sweep")
    others = ([*LONG, "t.csv", "--tol", "1e-8"], [*LONG, "t.csv", "--shard", "1/2"], [*LONG, "t.csv", "--at", "stop"],
              [*LONG, "t.csv", "--record", "t"], ["m.pawl", "a=0.1:0.5:1501", *LONG[2:], "t.csv"])
    for words in others:
        _, err = sweep(5, *words, "--resume")
        expect("error[E0806]: `t.csv` cannot be resumed: it is of another sweep" in err, err)
        equal((get("t.csv"), get("t.csv.sweep")), (table, journal))
    put("m.pawl", STOP.replace("9.81", "9.8"))
    sweep(5, *LONG, "t.csv", "--resume")
    put("m.pawl", STOP)
    with open("t.csv", "r+b") as file:  # a digit is changed
        file.seek(len(table)//2)
        file.write(b"7" if table[len(table)//2:][:1] != b"7" else b"8")
    _, err = sweep(5, *LONG, "t.csv", "--resume")
    expect("cannot be resumed: it was changed or damaged" in err, err)
    with open("t.csv", "wb") as file:
        file.write(table)
    with open("t.csv.sweep", "ab") as file:
        file.truncate(len(journal)//2)
    _, err = sweep(5, *LONG, "t.csv", "--resume")
    expect("its journal is damaged" in err, err)
    os.remove("t.csv.sweep")
    _, err = sweep(5, *LONG, "t.csv", "--resume")
    expect("there is no journal beside it" in err, err)
    sweep(0, "m.pawl", "a=0.3", "-q", "-o", "t.csv")  # a table of something else is replaced
    equal(len(get("t.csv").splitlines()), 2)


@case
def two_at_once_are_refused():
    put("m.pawl", STOP)
    process = stop_in_the_middle([PAWL, "sweep", *LONG, "t.csv"], "t.csv", 2)
    _, err = sweep(5, *LONG, "t.csv", "--resume")
    expect("error[E0809]" in err, err)
    process.send_signal(signal.SIGKILL)
    process.wait()
    sweep(0, *LONG, "t.csv", "--force")
    equal(len(get("t.csv").splitlines()), 3001)


@case
def memory_does_not_grow():
    """20 times the members, the same memory (10^6 members with PAWL_CAMPAIGN)."""
    put("m.pawl", QUICK)
    peak = {}
    most = 1000000 if os.environ.get("PAWL_CAMPAIGN") else 20000
    for n in (1000, most):
        code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); "
                "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
        done = subprocess.run([sys.executable, "-c", code, PAWL, "sweep", "m.pawl", f"k=1:4:{n}", "-j", "2",
                               "--certify=off", "-q", "-o", "t.csv"], capture_output=True, text=True, check=True)
        peak[n] = int(done.stdout)  # KB
        equal(len(get("t.csv").splitlines()), n + 1)
    expect(peak[most] < 200e3, peak)
    expect(peak[most] < peak[1000] + 16e3, peak)
