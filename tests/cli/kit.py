# SPDX-License-Identifier: MIT
"""What the cases share: models, the program, files, checks, processes that are killed."""
import fcntl
import json
import os
import resource
import shutil
import struct
import subprocess
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAWL = os.path.abspath(os.environ.get("PAWL", os.path.join(ROOT, "build", "pawl")))
FILES = ["certificate.json", "events.csv", "events.jsonl", "model.pawl", "motion.pwt", "report.html", "summary.json",
         "trajectory.csv"]
CASES = []
OSCILLATOR = """parameter m = 1 in 0.1..10, k = 4
coordinates x
kinetic T = 1/2*m*x'^2
potential V = 1/2*k*x^2
start x = 1, x' = 0
event nought: x = 0, rising
output a = x''
run 0..10
"""
SLIDER = """parameter l = 2
coordinates x, y
kinetic T = 1/2*(x'^2 + y'^2)
potential V = 9.81*y
constraint rod: x^2 + y^2 = l^2
start x = 2, y = 0, x' = 0, y' ~ 0
run 0..1
"""
BALL = """parameter m = 1 [kg], g = 9.81 [m/s^2], e = 0.5 in 0..1
coordinates y
kinetic T = 1/2*m*y'^2
potential V = m*g*y
constraint floor: y >= 0 [m], restitution e
start y = 1 [m]
run 0..5
"""
STOP = """parameter m = 1 [kg], l = 0.5 [m], g = 9.81 [m/s^2], e = 0.7 in 0..1, a = 0.2 [rad] in -1..1
coordinates th
let P = (l*sin(th), -l*cos(th))
kinetic   T = 1/2*m*dot(P', P')
potential V = m*g*P[2]
constraint stop: th >= -a, restitution e
start th = 1.2 [rad], th' = 0
run 0..4
"""
# Each step is cheap and there are many: long enough to be killed in the middle.
LONG = """parameter m = 1
coordinates x, y
kinetic T = 1/2*m*(x'^2 + y'^2)
potential V = 1/2*x^2 + 1/2*y^2 + x^2*y - 1/3*y^3 + 1e-12*sum(i in 1..60: sin(i*x)*cos(i*y))
start x = 0.1, y = 0.2, x' = 0.3, y' = 0
event up: y = 0, rising
run 0..8000, every 1, method dp5
expect energy.total = 0.5 +- 1
expect y = 0 +- 1e-6 at user 100 of up
"""

# Half of it: lasts for one checkpoint (there is one every second), not for several.
HALF = LONG.replace("0..8000", "0..4000")


def case(function):
    CASES.append(function)
    return function


def pawl(*args, text=None, cwd=None, env=None):
    environment = dict(os.environ, **(env or {}))
    done = subprocess.run([PAWL, *args], input=text, capture_output=True, cwd=cwd,
                          env=environment, text=True, errors="surrogateescape")
    return done.returncode, done.stdout, done.stderr


def put(name, text):
    with open(name, "w" if isinstance(text, str) else "wb") as file:
        file.write(text)


def get(name):
    with open(name, "rb") as file:
        return file.read()


def expect(condition, *what):
    if not condition:
        raise AssertionError(" ".join(str(w) for w in what)[:2000])


def equal(a, b, what=""):
    expect(a == b, what, repr(a), "is not", repr(b))


def code(wanted, *args, **more):
    got, out, err = pawl(*args, **more)
    equal(got, wanted, " ".join(args) + ": exit code;\n" + out[-500:] + err[-1000:] + "\n")
    return out, err


def without_wall(summary):
    value = json.loads(summary)
    value.pop("wall_s")
    return value


def same_folder(a, b, but=()):
    equal(sorted(os.listdir(a)), sorted(os.listdir(b)))
    for name in os.listdir(a):
        if name in but:
            continue
        if name == "summary.json":
            equal(without_wall(get(f"{a}/{name}")), without_wall(get(f"{b}/{name}")))
        else:
            expect(get(f"{a}/{name}") == get(f"{b}/{name}"), name, "differs")


def used():
    """Seconds of processor time of the programs that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


BOUNCE = """coordinates y
kinetic T = 1/2*y'^2
potential V = 10*y
constraint floor: y >= 0.5, restitution e
start y = 0.5, y' = -2
run 0..1
"""


def start(*args, stderr=subprocess.DEVNULL):
    return subprocess.Popen([PAWL, *args], stdout=subprocess.DEVNULL, stderr=stderr)


def wait_for(condition, process):
    """Until it holds; fails if the process ends before. There is no other limit of time."""
    while not condition():
        expect(process.poll() is None or condition(), "the program has ended too early")
        time.sleep(0.01)


def is_locked(path):
    """Asks only: a lock of ours, however short, could stop the program."""
    with open(path, "r+b") as file:
        ask = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
        return struct.unpack("hhqqi4x", fcntl.fcntl(file, fcntl.F_GETLK, ask))[0] != fcntl.F_UNLCK


def checkpoints(folder):
    """Names and times of the checkpoints of a run that is going on."""
    try:
        return sorted((entry.name, entry.stat().st_mtime_ns) for entry in os.scandir(folder + "/.partial")
                      if entry.name.startswith("checkpoint"))
    except FileNotFoundError:  # not there yet, or renamed meanwhile
        return []


def kill_in_the_middle(folder, *args):
    """Starts a run and kills it once it has written a block and a checkpoint more. False if it has
    ended before."""
    before = checkpoints(folder)
    process = start(*args)
    while process.poll() is None and checkpoints(folder) in ([], before):
        time.sleep(0.002)
    process.kill()
    process.wait()
    return os.path.exists(folder) and os.listdir(folder) == [".partial"]


def killed(folder, *args):
    """Starts runs until one is killed in the middle: on a machine with other work it may end while
    this program sleeps."""
    while not kill_in_the_middle(folder, *args):
        shutil.rmtree(folder, ignore_errors=True)
