# SPDX-License-Identifier: MIT
"""What the cases share: models, the program, files, checks."""
import csv
import os
import re
import shutil
import signal
import subprocess
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAWL = os.path.abspath(os.environ.get("PAWL", os.path.join(ROOT, "build", "pawl")))
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe"]
HAS_MPI = shutil.which("mpirun") is not None and os.path.exists(PAWL + "-mpi")
CASES = []
# A pendulum with a stop: the usual member of a large ensemble.
STOP = """parameter l = 1, g = 9.81, e = 0.8 in 0..1, a = 0.3
coordinates th
kinetic T = 1/2*l^2*th'^2
potential V = -g*l*cos(th)
constraint stop: th >= -a, restitution e
start th = 1, th' = 0
run 0..10
"""
BALL = """parameter e = 0.5 in 0..1, h = 1
coordinates y
kinetic T = 1/2*y'^2
potential V = 2*y
constraint floor: y >= 0, restitution e
start y = h
output doubled = 2*y
run 0..2.6, tol 1e-11
"""
# Two wells: where a motion ends depends on where it starts.
WELLS = """parameter c = 0.4
coordinates x
kinetic T = 1/2*x'^2
potential V = 1/4*x^4 - 1/2*x^2
dissipation D = 1/2*c*x'^2
start x = 0, x' = 0
run 0..60
"""
QUICK = """parameter k = 1
coordinates x
kinetic T = 1/2*x'^2
potential V = 1/2*k*x^2
start x = 1
run 0..1, tol 1e-4
"""


def case(function):
    CASES.append(function)
    return function


def only_with_mpi(function):
    if HAS_MPI:
        CASES.append(function)
    return function


def expect(condition, *what):
    if not condition:
        raise AssertionError(" ".join(str(w) for w in what)[:2000])


def equal(a, b, what=""):
    expect(a == b, what, repr(a), "is not", repr(b))


def near(a, b, tol, what=""):
    expect(abs(a - b) <= tol, what, a, "is not", b, "within", tol)


def put(name, text):
    with open(name, "w") as file:
        file.write(text)


def get(name):
    with open(name, "rb") as file:
        return file.read()


def sweep(wanted, *args, program=(PAWL,), text=None):
    done = subprocess.run([*program, "sweep", *args], capture_output=True, text=True, input=text)
    equal(done.returncode, wanted, " ".join(args) + ": exit code;\n" + done.stdout[-300:] + done.stderr[-900:])
    return done.stdout, done.stderr


def rows(text):
    return list(csv.DictReader(text.splitlines()))


# seconds of work: rows are written every half second
LONG = ["m.pawl", "a=0.1:0.5:1500", "e=0.5,0.8", "-q", "-o"]
CHAIN = ["m.pawl", "a=0.1:0.5:3000", "--follow", "-q", "-o"]


def members(name):
    """So many members are in the table, by its journal."""
    try:
        return int(re.search(r"^members (\d+)", get(name + ".sweep").decode(), re.M).group(1))
    except (OSError, AttributeError):
        return 0


def stop_in_the_middle(command, name, least):
    """Runs for a moment at a time, so that it cannot end unseen on any machine; stopped on return."""
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
    while process.poll() is None:
        process.send_signal(signal.SIGSTOP)
        if members(name) >= least:
            break
        process.send_signal(signal.SIGCONT)
        time.sleep(0.002)
    expect(process.poll() is None, "ended before it could be stopped")
    return process


def wait_for_members(command, name, least):
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
    while members(name) < least and process.poll() is None:
        time.sleep(0.005)
    expect(process.poll() is None, "ended before it could be killed")
    return process
