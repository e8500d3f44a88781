# SPDX-License-Identifier: MIT
"""Tables and arrays of results: csv, npz, HDF5, units of columns."""
import json
import math
import os
import re
import struct
import subprocess
import zipfile

from kit import BALL, case, code, equal, expect, get, OSCILLATOR, pawl, put

UNITS = """parameter m = 1.5 [kg], k = 4 [N/m], free = 7
coordinates x
kinetic T = 1/2*m*x'^2
potential V = 1/2*k*x^2 + 0*free
constraint wall: x >= -0.5 [m], restitution 1/2
start x = 1 [m], x' = 0 [m/s]
output pull = -k*x
run 0..2, every 0.5
"""
UNIT_OF = {"t": "s", "x": "m", "x'": "m/s", "force(wall)": "N", "pull": "N"}


@case
def units_in_arrays():
    put("m.pawl", UNITS)
    code(0, "run", "m.pawl", "--save", "npz")
    archive = zipfile.ZipFile("m.out/trajectory.npz")
    held = {}
    for name in archive.namelist():
        if name.startswith("units."):
            data = archive.read(name)
            size = 10 + struct.unpack("<H", data[8:10])[0]
            equal(eval(data[10:size])["descr"], "|S%d" % len(data[size:]))
            held[name[6:-4]] = data[size:].decode()
    equal(held, dict(UNIT_OF, **{"parameters.m": "kg", "parameters.k": "N/m"}))


def h5dump(*words):
    return subprocess.run(["h5dump", *words, "m.out/trajectory.h5"], check=True, stdout=subprocess.PIPE,
                          encoding="utf-8").stdout


@case
def hdf5_by_its_own_reader():
    put("m.pawl", UNITS)
    if pawl("run", "m.pawl", "--save", "csv,h5")[0] != 0:
        return  # built without it: the next case
    held = h5dump("-A")
    for name, value in (("m", "1.5"), ("k", "4"), ("free", "7")):
        found = re.search(r'ATTRIBUTE "parameters\.%s" \{.*?\(0\): ([^\n]*)\n' % name, held, re.S)
        equal(found and found.group(1), value, name)
    equal(sorted(re.findall(r'ATTRIBUTE "units\.parameters\.(\w+)" \{.*?\(0\): "([^"\n]*)"', held, re.S)),
          [("k", "N/m"), ("m", "kg")])
    rows = get("m.out/trajectory.csv").decode().splitlines()
    for i, name in enumerate(rows[0].split(",")):
        text = h5dump("-m", "%.17g", "-y", "-w", "1", "-d", "/" + name)
        equal(re.findall(r'ATTRIBUTE "unit" \{.*?"([^"]*)"\s*\}', text, re.S), [UNIT_OF[name]], name)
        numbers = re.search(r"DATASPACE .*?DATA \{\n(.*?)\}", text, re.S).group(1).replace(",", " ").split()
        equal([float(v) for v in numbers], [float(row.split(",")[i]) for row in rows[1:]], name)


@case
def columns_as_arrays():
    put("m.pawl", OSCILLATOR)
    code(0, "run", "m.pawl", "--save", "npz")
    archive = zipfile.ZipFile("m.out/trajectory.npz")
    for name, value in json.loads(get("m.out/summary.json"))["parameters"].items():
        held = struct.unpack("<d", archive.read("parameters.%s.npy" % name)[-8:])[0]
        equal(held, value["value"], name)
    equal(archive.testzip(), None)
    rows = get("m.out/trajectory.csv").decode().splitlines()
    for i, name in enumerate(rows[0].split(",")):
        data = archive.read(name + ".npy")
        equal(data[:8], b"\x93NUMPY\x01\x00")
        size = 10 + struct.unpack("<H", data[8:10])[0]
        equal(size % 64, 0)
        head = eval(data[10:size])
        equal((head["fortran_order"], head["shape"]), (False, (len(rows) - 1,)))
        values = struct.unpack(head["descr"][0] + "%dd" % (len(rows) - 1), data[size:])
        equal(values, tuple(float(row.split(",")[i]) for row in rows[1:]))
    try:
        import numpy
        arrays = numpy.load("m.out/trajectory.npz")
        equal(list(arrays["events.kind"]), [b"user"]*3)
    except ImportError:
        pass


@case
def hdf5_or_clear_error():
    put("m.pawl", OSCILLATOR)
    got, out, err = pawl("run", "m.pawl", "--save", "h5")
    if got == 0:
        equal(get("m.out/trajectory.h5")[:4], b"\x89HDF")
        first = get("m.out/trajectory.h5")
        expect(b"parameters." in first and b"unit" in first, "attributes")
        code(0, "run", "m.pawl", "--save", "h5")
        expect(get("m.out/trajectory.h5") == first, "bytes differ")
    else:
        equal(got, 2)
        expect("HDF5" in err and os.listdir(".") == ["m.pawl"], err)


@case
def ball_files():
    put("ball.pawl", BALL)
    code(0, "run", "ball.pawl", "-q")
    lines = get("ball.out/trajectory.csv").decode().splitlines()
    equal(lines[0], "t,y,y',force(floor)")
    rows = [[float(v) for v in line.split(",")] for line in lines[1:]]
    events = get("ball.out/events.csv").decode().splitlines()
    equal(events[0], "t,kind,at,cluster,impulse,dE,flag,rate_before,rate_after,force,tied,"
                     "before(y),before(y'),after(y),after(y')")
    data = [json.loads(line) for line in get("ball.out/events.jsonl").splitlines()]
    equal(len(data), len(events) - 1)
    for line, event in zip(events[1:], data):
        fields = line.split(",")
        left, right = [row for row in rows if row[0] == event["t"]]
        for fields_of, side, row in ((fields[11:13], "before", left), (fields[13:], "after", right)):
            equal([float(v) for v in fields_of], row[1:3])
            equal([event[side]["y"], event[side]["y'"]], row[1:3])
        expect(abs(left[1]) < 1e-12 and abs(right[1]) < 1e-12, "positions do not jump", left, right)
        equal((fields[1:4], float(fields[0])),
              ([event["kind"], "floor", str(event["cluster"])], event["t"]))
        equal((float(fields[5]), float(fields[9])), (event["dE"], event["force"]))
        if event["kind"] == "impact":
            equal([float(fields[i]) for i in (4, 7, 8)],
                  [event[key] for key in ("impulse", "rate_before", "rate_after")])
        else: # the impacts left out: v*(1 + e)*(1 + e + e^2 + ...), e = 1/2
            equal([event["kind"]] + fields[6:9], ["rest"] + [""]*3)
            equal(float(fields[4]), event["impulse"])
            left_out = 3*math.sqrt(-2*event["dE"])
            expect(abs(event["impulse"] - left_out) < 1e-4*left_out, event)
        equal(event["force"], right[3])
    flight = [row for row in rows if row[0] < data[-2]["t"]]
    expect(all(row[3] == 0 for row in flight), "a force in the air")
    expect(all(row[1:3] == [0, 0] and abs(row[3] - 9.81) < 1e-9
               for row in rows if row[0] > data[-1]["t"]), "at rest")
