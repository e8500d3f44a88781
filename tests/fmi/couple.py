# SPDX-License-Identifier: MIT
"""couple.py PAWL MODELS WORK COUPLE: exports the pushed ball and its rider, lets COUPLE run them with
a spring between them, and compares with the one model of both: hits, the instant at which the floor lets go, the end."""
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zipfile

pawl, models, work, couple = sys.argv[1:]


def unit(path, *names):
    """Exports, unpacks; (binary, resources, token, references of the names)"""
    folder = os.path.join(work, "couple-" + os.path.basename(path))
    subprocess.run([pawl, "export", path, "--fmu3", "-q", "-o", folder + ".fmu"], check=True)
    zipfile.ZipFile(folder + ".fmu").extractall(folder)
    root = ElementTree.parse(os.path.join(folder, "modelDescription.xml")).getroot()
    references = {v.get("name"): v.get("valueReference") for v in root.find("ModelVariables")}
    place = os.path.join(folder, "binaries")
    binary = os.path.join(place, os.listdir(place)[0], root.find("CoSimulation").get("modelIdentifier") + ".so")
    return [binary, os.path.join(folder, "resources"), root.get("instantiationToken"),
            *(references[n] for n in names)]


def run(step):
    done = subprocess.run([couple, *ball, *rider, str(step)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout[-2000:] + done.stderr)
    lines = [line.split() for line in done.stdout.splitlines()]
    hits = [float(w[1]) for w in lines if w[0] == "event"]
    end = [[float(x) for x in w[1:]] for w in lines if w[0] == "end"][0]
    return hits, end


ball = unit("examples/pushed-ball.pawl", "F", "y", "lift", "force(floor)")
rider = unit(os.path.join(models, "rider.pawl"), "y", "z", "pull")
text = subprocess.run([pawl, "run", os.path.join(models, "both.pawl"), "--no-save", "-q", "--json", "--tol", "1e-11"],
                      capture_output=True, text=True, check=True).stdout
whole = json.loads(text)
exact = [e["t"] for e in whole["events"]["list"]]
leave = [e["t"] for e in whole["events"]["list"] if e["kind"] == "liftoff"][0]
errors = []
for step in (0.01, 0.005, 0.0025):
    hits, end = run(step)
    off = [abs(a - b) for a, b in zip(hits, exact)][:5]
    left = min(abs(t - leave) for t in hits)
    last = max(abs(end[0] - whole["state"]["y"]), abs(end[1] - whole["state"]["z"]))
    errors.append((max(off), left, last))
    print(step, errors[-1])
# Hits are of order 2. Where the ball is let go the force is known as a mean of the step alone.
if not all(fine[0] < 0.3*coarse[0] and fine[2] < 0.5*coarse[2] for coarse, fine in zip(errors, errors[1:])):
    sys.exit(f"not of order 2: {errors}")
if not (errors[-1][0] < 5e-5 and errors[-1][1] < 0.0025 and errors[-1][2] < 5e-5):
    sys.exit(f"too far from the one model: {errors}")
