# SPDX-License-Identifier: MIT
"""Sweeps of several processes by MPI."""
import glob
import os
import shutil
import signal
import subprocess
import time

from kit import (
    BALL, case, equal, expect, get, LONG, members, MPIRUN, only_with_mpi, PAWL, put, STOP, sweep,
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
