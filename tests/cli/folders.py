# SPDX-License-Identifier: MIT
"""The results folder: whose it is, what may be replaced, what is in it."""
import json
import os
import resource
import shutil
import subprocess

from kit import (
    BALL, case, code, equal, expect, FILES, get, HALF, is_locked, killed, LONG, OSCILLATOR, pawl, PAWL, put,
    same_folder, start, wait_for, without_wall)


@case
def results_folder():
    put("m.pawl", OSCILLATOR)
    out, err = code(0, "run", "m.pawl", "m=2", "d.x=0.5", "--every", "0.25", "-t", "0..5")
    equal(err, "")
    equal(sorted(os.listdir("m.out")), FILES)
    lines = get("m.out/trajectory.csv").decode().splitlines()
    equal(lines[0], "t,x,x',a")
    rows = [[float(v) for v in line.split(",")] for line in lines[1:]]
    events = get("m.out/events.csv").decode().splitlines()
    equal(len(rows), 21 + 2*(len(events) - 1))
    equal((rows[0][:3], rows[-1][0]), ([0, 1, 0.5], 5))
    expect(all(a[0] <= b[0] for a, b in zip(rows, rows[1:])))
    for line in events[1:]:
        t = float(line.split(",")[0])
        equal(sum(row[0] == t for row in rows), 2)
    equal([json.loads(line)["t"] for line in get("m.out/events.jsonl").splitlines()],
          [float(line.split(",")[0]) for line in events[1:]])
    summary = json.loads(get("m.out/summary.json"))
    equal(summary["options"]["to"], 5)
    equal(summary["counts"]["rows"], len(rows))
    expect(summary["model_hash"].startswith("fnv1a-64:"))
    equal(json.loads(get("m.out/certificate.json"))["verdict"], "STRONG")
    expect("wrote        m.out/" in out and "certificate  PASS  strong principle, " in out, out)
    # the model as run gives the same motion again
    code(0, "run", "m.out/model.pawl", "--every", "0.25", "-t", "0..5", "-o", "again")
    equal(get("m.out/trajectory.csv"), get("again/trajectory.csv"))


@case
def folders_that_are_not_ours():
    put("m.pawl", OSCILLATOR)
    os.mkdir("mine")
    put("mine/thesis.txt", "years of work")
    out, err = code(5, "run", "m.pawl", "-o", "mine")
    expect("mine" in err and os.listdir("mine") == ["thesis.txt"], err)
    put("file", "text")
    code(5, "run", "m.pawl", "-o", "file")
    code(5, "run", "m.pawl", "-o", "file/sub")
    code(0, "run", "m.pawl", "-o", "new/deep/folder", "-q")
    equal(sorted(os.listdir("new/deep/folder")), FILES)
    put("new/deep/folder/note.txt", "mine")
    code(0, "run", "m.pawl", "-o", "new/deep/folder", "-q")
    equal(get("new/deep/folder/note.txt"), b"mine")
    code(1, "run", "m.pawl", "nonesuch=1", "-o", "new/deep/folder")
    equal(sorted(os.listdir("new/deep/folder")), sorted(FILES + ["note.txt"]))


@case
def unwritable_places():
    put("m.pawl", OSCILLATOR)
    out, err = code(5, "run", "m.pawl", "-o", "/proc/pawl-results")
    expect("/proc/pawl-results" in err, err)
    if os.path.exists("/dev/full"):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PAWL, "check", "m.pawl"], stdout=full, stderr=subprocess.PIPE)
        equal(done.returncode, 5)


@case
def full_disk():
    put("m.pawl", OSCILLATOR.replace("0..10", "0..100, every 0.001"))

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000000, 1000000))
    done = subprocess.run([PAWL, "run", "m.pawl"], capture_output=True, text=True, preexec_fn=limit)
    equal(done.returncode, 5, done.stderr)
    expect("cannot write" in done.stderr and "File too large" in done.stderr, done.stderr)
    equal(os.listdir("m.out"), [".partial"])
    code(0, "run", "--resume", "m.out", "-q")  # there is room again
    code(0, "run", "m.pawl", "-o", "whole", "-q")
    same_folder("whole", "m.out")


@case
def motion_of_long_runs():
    put("m.pawl", HALF)
    few = ["--motion-bytes", "50000", "--every", "50"]
    out = code(0, "run", "m.pawl", "-o", "whole", *few)[0]
    expect("motion.pwt is whole until t = " in out, out)
    summary = json.loads(get("whole/summary.json"))
    kept = summary["motion"]
    expect(0 < kept["whole_until"] < 1000 and kept["left_out"] > 10 * kept["segments"], kept)
    expect(kept["segments"] <= 2 * summary["counts"]["rows"], kept)
    expect(os.path.getsize("whole/motion.pwt") < 30 * os.path.getsize("whole/trajectory.csv"))
    killed("parts", "run", "m.pawl", "-o", "parts", *few)
    code(0, "run", "--resume", "parts", "-q")
    # segments that were left out cannot be shown to the certificate again; all else is the same
    judged = ("certificate.json", "summary.json", "report.html")
    same_folder("whole", "parts", judged)
    again = json.loads(get("parts/summary.json"))
    for key in ("motion", "counts", "energy", "t", "scales"):
        equal(summary[key], again[key])
    for name in ("whole", "parts"):
        c = json.loads(get(f"{name}/certificate.json"))
        expect(c["verdict"] == "STRONG" and 0 < c["coverage"] <= 1, c["verdict"], c["coverage"])

    put("s.pawl", OSCILLATOR)
    out = code(0, "run", "s.pawl", "-o", "short")[0]
    expect("motion.pwt" not in out, out)
    kept = json.loads(get("short/summary.json"))["motion"]
    expect(kept["left_out"] == 0 and kept["whole_until"] == 10, kept)


@case
def runs_at_once_into_one_folder():
    """One writes at a time; the others say so, and what is there at the end is one whole run."""
    put("m.pawl", OSCILLATOR)
    code(0, "run", "m.pawl", "-o", "alone", "-q")
    for turn in range(6):
        runs = [start("run", "m.pawl", "-o", "same", "-q", stderr=subprocess.PIPE) for _ in range(6)]
        ends = [(run.communicate()[1].decode(), run.returncode) for run in runs]
        expect(any(got == 0 for _, got in ends), ends)
        for err, got in ends:
            expect(got == 0 or (got == 5 and "E0613" in err), got, err)
        same_folder("alone", "same")
        code(0, "certify", "same", "-q")
        if turn % 2 == 1:
            shutil.rmtree("same")


@case
def empty_folders_may_be_used():
    put("m.pawl", OSCILLATOR)
    os.mkdir("d")
    code(0, "run", "m.pawl", "-o", "d", "-q")
    equal(sorted(os.listdir("d")), FILES)


@case
def damaged_motion_is_told():
    put("m.pawl", OSCILLATOR)
    code(0, "run", "m.pawl", "-o", "d", "-q")
    whole = get("d/motion.pwt")
    expect("are those of motion.pwt" in code(0, "certify", "d")[0])
    for name, bytes in (("cut", whole[:-100]), ("bit", whole[:2000] + b"!" + whole[2001:]),
                        ("head", b"?" + whole[1:]), ("empty", b"")):
        put("d/motion.pwt", bytes)
        out = code(0, "certify", "d")[0]
        expect("motion.pwt is damaged" in out, name, out)
        equal(json.loads(code(0, "certify", "d", "--json")[0])["tables"], "damaged")
    os.remove("d/motion.pwt")  # a folder of an older version
    expect("motion.pwt" not in code(0, "certify", "d")[0])


@case
def tables_are_compared_with_the_motion():
    put("m.pawl", BALL)
    code(0, "run", "m.pawl", "-q")
    out = code(0, "certify", "m.out", "--variations=off")[0]
    expect(out.startswith("stored       trajectory.csv and events.csv are those of motion.pwt\n"), out)
    equal(json.loads(code(0, "certify", "m.out", "--json", "--variations=off")[0])["tables"], "run")
    rows = get("m.out/trajectory.csv").decode()
    put("m.out/trajectory.csv", rows + "\n")  # another file, if not another motion
    out = code(0, "certify", "m.out", "--variations=off")[0]
    expect("stored       trajectory.csv is not of motion.pwt: judged as of another program" in out, out)
    equal(json.loads(code(0, "certify", "m.out", "--json", "--variations=off")[0])["tables"], "foreign")
    put("m.out/trajectory.csv", rows)
    events = get("m.out/events.csv").decode()
    put("m.out/events.csv", events.replace("impact", "close", 1))
    out = pawl("certify", "m.out", "--variations=off")[1]
    expect("events.csv is not of motion.pwt" in out, out)
    put("m.out/events.csv", events)
    os.remove("m.out/motion.pwt")  # as in older versions
    out = code(0, "certify", "m.out", "--variations=off")[0]
    expect("stored" not in out, out)


@case
def tables_never_replace_their_input():
    put("courses.csv", "t,F\n0,0\n10,1\n")
    put("m.pawl", "parameter k = 2\ncoordinates x\ninput F = 0 from \"courses.csv\"\nkinetic T = 1/2*x'^2\n"
        "potential V = 1/2*k*x^2\nforce x: F\nstart x = 1, x' = 0\nrun 0..1\n")
    put("r.urdf", "<robot name='r'><link name='a'/></robot>")
    before = [get(name) for name in ("courses.csv", "m.pawl", "r.urdf")]
    for output in ("m.pawl", "courses.csv"):
        for words in (("sweep", "m.pawl", "k=1:2:2", "-q"), ("orbit", "m.pawl", "--along", "k=1:2")):
            err = code(2, *words, "-o", output)[1]
            expect("would replace" in err, err)
    expect("would replace" in code(2, "import", "r.urdf", "-o", "r.urdf")[1])
    equal([get(name) for name in ("courses.csv", "m.pawl", "r.urdf")], before)
    equal(len(os.listdir(".")), 3)


@case
def links_are_not_followed():
    put("m.pawl", OSCILLATOR)
    os.mkdir("precious")
    put("precious/trajectory.csv", "mine")
    os.mkdir("d")
    os.symlink("../precious", "d/.partial")
    for options in ([], ["--force"]):
        err = code(5, "run", "m.pawl", "-o", "d", "-q", *options)[1]
        expect("E0611" in err and "`d/.partial` is a link" in err, err)
    err = code(5, "run", "--resume", "d", "-q")[1]
    expect("E0612" in err and "its .partial is a link" in err, err)
    equal(get("precious/trajectory.csv"), b"mine")
    os.makedirs("e/.partial")  # a file in it that is a link
    os.symlink("../../precious/trajectory.csv", "e/.partial/motion.pwt")
    code(0, "run", "m.pawl", "-o", "e", "-q")
    equal(get("precious/trajectory.csv"), b"mine")
    code(0, "run", "m.pawl", "-o", "real", "-q")
    os.symlink("real", "latest")  # the folder itself may be one
    code(0, "run", "m.pawl", "-o", "latest", "-q")
    expect(os.path.islink("latest"))


@case
def foreign_files_are_not_replaced():
    put("m.pawl", OSCILLATOR)
    code(0, "run", "m.pawl", "-o", "c", "-q")
    for folder, name in (("d", "motion.pwt"), ("e", "checkpoint-1"), ("f", "trajectory.csv"), ("c", "motion.pwt")):
        os.makedirs(f"{folder}/.partial")
        put(f"{folder}/.partial/{name}", "a diary\n")
        for options in ([], ["--force"]):
            err = code(5, "run", "m.pawl", "-o", folder, "-q", *options)[1]
            expect("E0611" in err and "is no results folder" in err, err)
        code(5, "run", "--resume", folder, "-q")
        equal(get(f"{folder}/.partial/{name}"), b"a diary\n")
    put("c/.partial/motion.pwt", "")  # killed while its files were moved into place
    put("c/.partial/report.html", "half a page")
    code(0, "run", "m.pawl", "-o", "c", "-q")
    equal(sorted(os.listdir("c")), FILES)


@case
def only_our_own_folders():
    put("m.pawl", OSCILLATOR)
    os.mkdir("d")
    put("d/summary.json", '{"of": "another program"}')
    put("d/trajectory.csv", "mine")
    for options in ([], ["--force"]):
        err = code(5, "run", "m.pawl", "-o", "d", "-q", *options)[1]
        expect("E0611" in err, err)
    equal(get("d/trajectory.csv"), b"mine")
    os.makedirs("e/.partial")
    put("e/.partial/letter.txt", "mine")
    code(5, "run", "m.pawl", "-o", "e", "-q", "--force")
    equal(get("e/.partial/letter.txt"), b"mine")


@case
def without_a_folder():
    put("m.pawl", OSCILLATOR)
    saved = code(0, "run", "m.pawl", "-o", "a")[0].splitlines()
    before = sorted(os.listdir("."))
    out = code(0, "run", "m.pawl", "--no-save")[0].splitlines()
    equal(sorted(os.listdir(".")), before)
    equal([line for line in out[1:]], saved[1:-1])  # all but times and the list of files
    both = [json.loads(code(0, "run", "m.pawl", *words, "--json")[0])
            for words in (["--no-save"], ["-o", "a"])]
    equal(both[0]["events"], both[1]["events"])
    equal(both[0]["state"], both[1]["state"])
    for words in (["-o", "b"], ["--save", "npz"], ["--force"]):
        expect("--no-save writes no folder" in code(2, "run", "m.pawl", "--no-save", *words)[1])
    put("m.pawl", OSCILLATOR + "expect x = 7 +- 1e-9 at t = 1\n")
    code(4, "run", "m.pawl", "--no-save", "-q")
    equal(sorted(os.listdir(".")), before)


@case
def nothing_foreign_is_removed():
    """Entries of .partial that no run wrote: before a run, before it is resumed, and while it goes on."""
    put("m.pawl", HALF)
    killed("d", "run", "m.pawl", "-o", "d")
    put("d/.partial/letter.txt", "mine")
    stored = get("d/.partial/motion.pwt")
    err = code(5, "run", "--resume", "d", "-q")[1]
    expect("E0612" in err and "no run wrote `d/.partial/letter.txt`" in err, err)
    err = code(5, "run", "m.pawl", "-o", "d", "-q", "--force")[1]
    expect("E0611" in err and "no run wrote `d/.partial/letter.txt`" in err, err)
    equal(get("d/.partial/letter.txt"), b"mine")
    os.remove("d/.partial/letter.txt")
    os.makedirs("d/.partial/report.html/inner")  # a folder, under a name of ours
    expect("no run wrote `d/.partial/report.html`" in code(5, "run", "--resume", "d", "-q")[1])
    expect("E0611" in code(5, "run", "m.pawl", "-o", "d", "-q", "--force")[1])
    expect(os.path.isdir("d/.partial/report.html/inner"))
    shutil.rmtree("d/.partial/report.html")
    os.mkdir("d/summary.json")  # where a result would be put at the end
    expect("no run wrote `d/summary.json`" in code(5, "run", "--resume", "d", "-q")[1])
    os.rmdir("d/summary.json")
    equal(get("d/.partial/motion.pwt"), stored)
    process = subprocess.Popen([PAWL, "run", "--resume", "d"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: is_locked("d/.partial/motion.pwt"), process)
    put("d/.partial/late.txt", "mine")
    err = process.communicate()[1]
    equal(process.returncode, 0, err)
    expect("W0607" in err and "`d/.partial` stays" in err, err)
    equal(get("d/.partial/late.txt"), b"mine")
    equal(sorted(os.listdir("d")), [".partial"] + FILES)


@case
def results_never_replace_what_is_read():
    put("m.pawl", "coordinates x\ninput F = 0\nkinetic T = 1/2*x'^2\nforce x: F\nstart x = 1\nrun 0..1\n")
    code(0, "run", "m.pawl", "-o", "d", "-q")
    put("d/trajectory.csv", "t,F\n0,0\n10,1\n")
    err = code(5, "run", "m.pawl", "--input", "d/trajectory.csv", "-o", "d", "-q")[1]
    expect("E0611" in err and "reads `d/trajectory.csv` and would replace it" in err, err)
    equal(get("d/trajectory.csv"), b"t,F\n0,0\n10,1\n")
    put("course.csv", get("d/trajectory.csv"))
    code(0, "run", "m.pawl", "--input", "course.csv", "-o", "d", "-q")
    copies = [name for name in os.listdir("d") if name.startswith("data-")]
    equal(len(copies), 1)
    before = {name: get(f"d/{name}") for name in os.listdir("d")}
    code(0, "run", "d/model.pawl", "-o", "d", "-q")  # its own copy: the same text again
    equal(get("d/model.pawl"), before["model.pawl"])
    code(5, "run", "d/model.pawl", "x=2", "-o", "d", "-q")
    code(0, "run", "m.pawl", "--input", "course.csv", "-o", "d", "-q")
    for name in ("motion.pwt", "model.pawl", "summary.json", copies[0]):
        err = code(5, "report", "d", "-o", f"d/{name}")[1]
        expect("the report is made from this folder" in err, err)
        equal(without_wall(get(f"d/{name}")) if name == "summary.json" else get(f"d/{name}"),
              without_wall(before[name]) if name == "summary.json" else before[name])
    code(0, "report", "d", "-o", "d/other.html", "-q")
    equal(get("d/other.html"), get("d/report.html"))


@case
def exported_c_replaces_only_exported_c():
    put("m.pawl", OSCILLATOR)
    put("Makefile", "all:\n")
    expect("`./Makefile` is there already" in code(5, "export", "m.pawl", "--c", "-o", ".")[1])
    equal(get("Makefile"), b"all:\n")
    equal(sorted(os.listdir(".")), ["Makefile", "m.pawl"])
    for _ in range(2):  # its own files are replaced
        code(0, "export", "m.pawl", "--c", "-o", "c", "-q")
    put("c/m.c", "int mine;\n")
    expect("`c/m.c` is there already" in code(5, "export", "m.pawl", "--c", "-o", "c")[1])
    equal(get("c/m.c"), b"int mine;\n")
