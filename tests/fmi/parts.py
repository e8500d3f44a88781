# SPDX-License-Identifier: MIT
"""parts.py PAWL WORK: units of models with parts and files of numbers carry them along. Each is unpacked,
loaded, and run against `pawl run`."""
import ctypes
import glob
import json
import os
import re
import subprocess
import sys
import zipfile

pawl, work = sys.argv[1:3]
os.makedirs(os.path.join(work, "parts"))
with open(os.path.join(work, "parts", "road.csv"), "w") as f:
    f.write("s,h\n0,0\n1,0.3\n3,0\n")
with open(os.path.join(work, "parts", "part.pawl"), "w") as f:
    f.write("table road(s): \"road.csv\", linear, periodic\nparameter k[i in 1..2] = i\ncoordinates y\n"
            "kinetic K = 1/2*y'^2\nforce y: -k[1]*y - k[2]*y' + road(t)\nstart y = 0.1\n")
with open(os.path.join(work, "parts", "pair.pawl"), "w") as f:
    f.write("include \"part.pawl\" as a\ninclude \"part.pawl\" as b, k[2] = 0.5\nrun 0..2\n")


def step(folder, token, names):
    """Values of the variables after 200 steps of 10 ms."""
    unit = ctypes.CDLL(glob.glob(os.path.join(folder, "binaries", "*", "*.so"))[0])
    unit.fmi3InstantiateCoSimulation.restype = ctypes.c_void_p
    log = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)(
        lambda env, status, category, text: print(text.decode()))
    c = ctypes.c_void_p(unit.fmi3InstantiateCoSimulation(
        b"unit", token.encode(), os.path.join(folder, "resources").encode(), False, False, False, False,
        None, ctypes.c_size_t(0), None, log, None))
    assert c.value, "it does not begin"
    d = ctypes.c_double
    assert unit.fmi3EnterInitializationMode(c, False, d(0), d(0), False, d(0)) == 0
    assert unit.fmi3ExitInitializationMode(c) == 0
    flags = [ctypes.c_bool() for _ in range(3)]
    last = d()
    for k in range(200):
        assert unit.fmi3DoStep(c, d(k / 100), d(0.01), True, *map(ctypes.byref, flags), ctypes.byref(last)) == 0
    n = len(names)
    refs, values = (ctypes.c_uint32 * n)(*names), (ctypes.c_double * n)()
    assert unit.fmi3GetFloat64(c, refs, ctypes.c_size_t(n), values, ctypes.c_size_t(n)) == 0
    unit.fmi3FreeInstance(c)
    return list(values)


for model in (os.path.join(work, "parts", "pair.pawl"), "examples/half-car.pawl"):
    folder = os.path.join(work, "parts", "unit " + os.path.basename(model))
    subprocess.run([pawl, "export", model, "--fmu3", "-q", "-o", folder + ".fmu"], check=True)
    zipfile.ZipFile(folder + ".fmu").extractall(folder)
    text = subprocess.run([pawl, "run", model, "-t", "0..2", "--no-save", "-q", "--json"], capture_output=True, check=True)
    state = json.loads(text.stdout)["state"]
    with open(os.path.join(folder, "modelDescription.xml")) as f:
        about = f.read()
    token = re.search('instantiationToken="([^"]*)"', about)[1]
    refs = {n.replace("&apos;", "'"): int(v) for n, v in
            re.findall('<Float64 name="([^"]*)" valueReference="([0-9]*)"', about)}
    wanted = [k for k in state if k in refs]
    assert len(wanted) >= 4, (wanted, list(refs)[:20])
    got = step(os.path.abspath(folder), token, [refs[k] for k in wanted])
    for k, v in zip(wanted, got):
        assert abs(v - state[k]) < 1e-6 * max(1, abs(state[k])), (model, k, v, state[k])
    print(os.path.basename(model), len(wanted), "values agree")
