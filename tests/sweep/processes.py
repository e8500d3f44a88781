# SPDX-License-Identifier: MIT
"""Sweeps of several processes by MPI."""
import glob
import os
import re
import shutil
import signal
import subprocess
import time

from kit import (
    BALL, case, equal, expect, get, LONG, members, MPIRUN, only_with_mpi, PAWL, put, ROOT, STOP, sweep,
    wait_for_members)


@only_with_mpi
def same_bytes_for_processes():
    put("m.pawl", STOP)
    for more in ([], ["--at", "impact"]):
        for words in (["a=0.1:0.5:20", "e=0.5,0.8"], ["a=0.1:0.5:9", "e=0.5:0.9:4", "--follow"]):
            out, _ = sweep(0, "m.pawl", *words, *more)
            for n in ("1", "2", "4"):
                for jobs in ("1", "2"):
                    got, _ = sweep(0, "m.pawl", *words, *more, "-j", jobs, program=(*MPIRUN, "-n", n, PAWL))
                    equal(got, out, (n, jobs, words, more))


@only_with_mpi
def a_process_is_killed():
    put("m.pawl", STOP)
    sweep(0, *LONG, "whole.csv", "-j", "2")
    for words, whole in ((LONG, "whole.csv"),):
        process = wait_for_members([*MPIRUN, "-n", "3", PAWL, "sweep", *words, "t.csv"], "t.csv", 3)
        victims = 0
        for path in glob.glob("/proc/[0-9]*/environ"):
            pid = int(path.split("/")[2])
            try:
                mine = os.getsid(pid) == process.pid or os.stat(f"/proc/{pid}").st_uid == os.getuid()
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    here = mine and b"t.csv" in file.read() and os.readlink(f"/proc/{pid}/cwd") == os.getcwd()
                with open(path, "rb") as file:
                    if here and b"OMPI_COMM_WORLD_RANK=1\0" in file.read():
                        os.kill(pid, signal.SIGKILL)
                        victims += 1
            except OSError:
                continue
        equal(victims, 1)
        expect(process.wait() != 0)
        expect(members("t.csv") < 3000)
        for _ in range(200):  # the others are told by mpirun; their lock goes with them
            if "E0809" not in subprocess.run([PAWL, "sweep", *words, "t.csv"], capture_output=True,
                                             text=True).stderr:
                break
            time.sleep(0.05)
        out, _ = sweep(0, *[w for w in words if w != "-q"], "t.csv", "--resume",
                       program=(*MPIRUN, "-n", "2", PAWL))
        expect("of them before" in out, out)
        equal(get("t.csv"), get(whole))


def job_scripts():
    """Those of the manual, with fewer members and parts of them: the array and the one of MPI."""
    with open(os.path.join(ROOT, "docs", "manual.md")) as file:
        scripts = re.findall(r"```sh\n(#!/bin/sh\n#SBATCH.*?)```", file.read(), re.S)
    equal(len(scripts), 2)
    return [s.replace("w=2:4:1000000", "a=0.1:0.5:30").replace("/100 ", "/4 ") for s in scripts]


@only_with_mpi
def job_scripts_of_the_manual():
    """As Slurm would run them: its variables are set, and a program in front of mpirun gives the number of tasks.
    A job that is queued again when its table is complete, or was begun, does no harm."""
    put("m.pawl", STOP)
    array, processes = job_scripts()
    sweep(0, "m.pawl", "a=0.1:0.5:30", "-o", "whole.csv")
    put("array.sh", array)
    put("processes.sh", processes)
    os.mkdir("bin")
    put("bin/mpirun", '#!/bin/sh\nexec "%s" %s -n "$SLURM_NTASKS" "$@"\n' %
        (shutil.which(MPIRUN[0]), " ".join(MPIRUN[1:])))
    put("bin/pawl", '#!/bin/sh\nexec "%s" "$@"\n' % PAWL)
    for name in ("mpirun", "pawl"):
        os.chmod("bin/" + name, 0o755)
    env = dict(os.environ, PATH=os.path.abspath("bin") + ":" + os.environ["PATH"], SLURM_CPUS_PER_TASK="2",
               SLURM_NTASKS="4")
    for task in (1, 2, 3, 4, 2):
        subprocess.run(["sh", "array.sh"], check=True, capture_output=True,
                       env=dict(env, SLURM_ARRAY_TASK_ID=str(task)))
    parts = [get("part%d.csv" % task).split(b"\n", 1) for task in (1, 2, 3, 4)]
    equal(parts[0][0] + b"\n" + b"".join(rest for _, rest in parts), get("whole.csv"))
    for _ in range(2):
        subprocess.run(["sh", "processes.sh"], check=True, capture_output=True, env=env)
        equal(get("all.csv"), get("whole.csv"))


@only_with_mpi
def mistakes_of_processes():
    put("m.pawl", BALL)
    _, err = sweep(1, "m.pawl", "ee=0:1:3", program=(*MPIRUN, "-n", "3", PAWL))
    equal(err.count("E0117"), 1)
    _, err = sweep(2, "m.pawl", "e=0:1:0", program=(*MPIRUN, "-n", "3", PAWL))
    equal(err.count("E0801"), 1)
    _, err = sweep(5, "m.pawl", "e=0:1:3", "-o", "no/such/folder.csv", program=(*MPIRUN, "-n", "3", PAWL))
    equal(err.count("E0808"), 1)


@case
def without_mpi_it_says_so():
    """A program that finds no pawl-mpi does not do the work N times over."""
    put("m.pawl", BALL)
    shutil.copy(PAWL, "pawl")
    env = dict(os.environ, OMPI_COMM_WORLD_SIZE="3", PATH="/nowhere")
    done = subprocess.run(["./pawl", "sweep", "m.pawl", "e=0:1:3"], capture_output=True, text=True, env=env)
    equal((done.returncode, done.stdout), (2, ""))
    expect("started as one of 3 processes, but there is no pawl-mpi" in done.stderr, done.stderr)
