#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the certificate and the validation of steps cost, in instructions.

Every example runs under valgrind (cachegrind, which counts instructions) with and without the part. Counts do not
depend on what else the machine does, unlike times: see bench/certificate.c and bench/validate.c for those.
Usage: bench_shares FOLDER [EXAMPLE ...]; the program of Pawl is FOLDER/../pawl.
"""
import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = "@CMAKE_CURRENT_SOURCE_DIR@"
SHOWN = 12
QUIET = ["--certify", "off", "--every", "1e9", "--no-report"]  # few rows, no certificate: the steps alone
PARTS = [
    ("certificate", "certificate: largest share of the instructions of a run", 0.15, [], ["--certify", "off"],
     "`pawl run` as it is, all files included, and with `--certify off`."),
    ("validation", "validated steps: largest share of the instructions of a run", 0.3, QUIET, QUIET + ["--validate", "off"],
     "Runs without certificate, report and rows, and the same with `--validate off`."),
]


def instructions(pawl, model, options, folder):
    """Of one run, and the line of its certificate; None: it stops or needs more than five minutes."""
    command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", pawl, "run", model,
               "-o", os.path.join(folder, "out"), "--force", *options]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=folder)
    except subprocess.TimeoutExpired:
        return None, ""
    count = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    return (int(count.group(1).replace(",", "")) if count and done.returncode in (0, 4) else None), done.stdout


def measure(pawl, names, part, folder):
    rows = []
    for path in names:
        with_it, text = instructions(pawl, path, part[3], folder)
        if with_it is None or (part[0] == "certificate" and "NOT CHECKED" in text):
            continue
        without, _ = instructions(pawl, path, part[4], folder)
        if without is not None:
            rows.append((os.path.basename(path)[:-5], without / 1e6, with_it / 1e6, 1 - without / with_it))
            print(f"{part[0]} {100 * rows[-1][3]:.1f} {rows[-1][0]}", file=sys.stderr)
    return sorted(rows, key=lambda row: -row[3])


def show(part, rows, out):
    name, target, limit = part[:3]
    heads = ["example", "million without", "million with", "share"]
    cells = [[r[0], f"{r[1]:.1f}", f"{r[2]:.1f}", f"{100 * r[3]:.1f} %"] for r in rows]
    with open(os.path.join(out, f"shares-{name}.csv"), "w") as file:
        csv.writer(file).writerows([heads] + cells)
    print(f"{part[5]} The dearest of {len(rows)};\nhalf of them are at {100 * rows[len(rows) // 2][3]:.1f} % or below.\n")
    wide = [max(len(line[c]) for line in [heads] + cells[:SHOWN]) for c in range(4)]
    line = lambda row: "| " + " | ".join([row[0].ljust(wide[0])] + [row[c].rjust(wide[c]) for c in (1, 2, 3)]) + " |"
    print(line(heads) + "\n|" + "-" * (wide[0] + 2) + "|" + "|".join("-" * (w + 1) + ":" for w in wide[1:]) + "|")
    print("\n".join(map(line, cells[:SHOWN])) + "\n")
    with open(os.path.join(out, "targets.csv"), "a") as file:
        file.write(f"{'met' if rows[0][3] <= limit else 'MISSED'},{target},{rows[0][3]:.3g},{limit:.3g}\n")


def main():
    out, asked = sys.argv[1], sys.argv[2:]
    pawl = os.path.abspath(os.environ.get("PAWL", os.path.join(out, "..", "pawl")))
    examples = os.path.join(HERE, "..", "examples")
    names = sorted(f for f in os.listdir(examples) if f.endswith(".pawl") and (not asked or f[:-5] in asked))
    print("## Certificate and validation, in instructions\n")
    if shutil.which("valgrind") is None:
        print("SKIPPED: there is no valgrind\n")
        return
    with tempfile.TemporaryDirectory() as folder:
        for part in PARTS:
            rows = measure(pawl, [os.path.join(examples, f) for f in names], part, folder)
            if rows:
                show(part, rows, out)


if __name__ == "__main__":
    main()
