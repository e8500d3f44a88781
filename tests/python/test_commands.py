# SPDX-License-Identifier: MIT
"""gauss, equilibria, bvp, certify, check, sweep and documents."""
import math
import os
import pickle
import shutil
import unittest

import numpy
import pawl

EXAMPLES = os.environ["PAWL_EXAMPLES"]


def example(name):
    return os.path.join(EXAMPLES, name + ".pawl")


class Commands(unittest.TestCase):
    def test_check(self):
        told = pawl.check("ball.pawl", e=0.7)
        self.assertEqual((told.coordinates, told.dof), (["y"], 1))
        self.assertEqual(told.laws[0].name, "floor")
        self.assertEqual([p.value for p in told.parameters if p.name == "e"], [0.7])
        self.assertEqual(pawl.Model("ball.pawl").check().title, "bouncing ball")

    def test_gauss(self):
        g = pawl.gauss(example("gauss-corner"))
        self.assertAlmostEqual(g.force.wall, 3.5, delta=1e-12)
        self.assertAlmostEqual(g.accelerations["y''"], 0.5, delta=1e-12)
        self.assertEqual(g.sets.wall.displacement, [0, math.inf])
        resting = pawl.gauss("ball.pawl", at=4)
        self.assertAlmostEqual(resting.force.floor, 9.81, delta=1e-9)
        self.assertIn("past", pawl.gauss("ball.pawl", at=0.1, past=True))

    def test_equilibria(self):
        e = pawl.equilibria("coordinates a\nkinetic T = a'^2/2\npotential V = -cos(a)\n"
                            "start a = 0.1, a' = 0\nrun 0..1\n")
        found = sorted(abs(x.state["a"] if "state" in x else x["q"]["a"]) for x in e.equilibria)
        self.assertAlmostEqual(found[0], 0, delta=1e-9)
        self.assertAlmostEqual(found[-1] % math.pi, 0, delta=1e-9)
        with self.assertRaisesRegex(pawl.ModelError, "E0703"):
            pawl.equilibria(example("bead-on-hoop"))

    def test_bvp(self):
        found = pawl.bvp(example("between-two-points"), bounces=(0, 1))
        self.assertEqual(found[0].bounces, 0)
        self.assertAlmostEqual(found[0].start["y'"], 4, delta=1e-9)
        self.assertAlmostEqual(found[0].action, -8.533333333333333, delta=1e-9)
        self.assertAlmostEqual(found[0].table["y"][-1], 0.8, delta=1e-9)
        self.assertIsInstance(found.complete, bool)
        self.assertEqual(found["solutions"], list(found))
        self.assertEqual(found["complete"], found.complete)
        self.assertEqual(found.keys(), list(found.json))
        again = pickle.loads(pickle.dumps(found))
        self.assertEqual((again[0].action, again["complete"]), (found[0].action, found.complete))
        with self.assertRaisesRegex(pawl.ModelError, "end"):
            pawl.bvp("ball.pawl")

    def test_bvp_meshes(self):
        found = pawl.bvp("coordinates x\nkinetic T = x'^2/2\npotential V = x^2/2\nstart x = 0\n"
                         "end x = 1\nrun 0..1\n", bounces=(0, 0), mesh=4, degree=1, converge=True)
        levels = found[0].convergence
        self.assertGreater(len(levels), 2)
        self.assertTrue(all(level.degree == 1 for level in levels))
        self.assertEqual((levels[0].elements, levels[1].elements), (4, 8))
        self.assertAlmostEqual(levels[-1].order, 2, delta=0.05)
        self.assertAlmostEqual(found[0].start["x'"], 1/math.sin(1), delta=1e-9)
        for wrong in ({"mesh": -1}, {"mesh": 10001}, {"degree": 11}, {"degree": -3}):
            with self.assertRaisesRegex(ValueError, "is a number"):
                pawl.bvp(example("between-two-points"), **wrong)

    def test_realise(self):
        model = ("parameter k = 1\ncoordinates x, y, a\nkinetic T = (x'^2 + y'^2 + a'^2)/2\n"
                 "constraint skate: sin(a)*x' = cos(a)*y'\nstart x = 0, y = 0, a = 0, x' = 1, y' = 0, a' = 1\n"
                 "run 0..1\n")
        model = model.replace("run", "start force(skate) = 2\nrun")
        plain, other = pawl.run(model.replace("start force(skate) = 2\n", "")), pawl.run(model, realise={"skate": "vakonomic"})
        self.assertAlmostEqual(plain["x"][-1], math.sin(1), delta=1e-8)
        self.assertGreater(abs(other["x"][-1] - plain["x"][-1]), 0.01)
        self.assertEqual(pawl.run(model, {"realise skate": "vakonomic"})["x"][-1], other["x"][-1])
        with self.assertRaises(pawl.ModelError):
            pawl.run(model, realise={"nothing": "vakonomic"})
        with self.assertRaisesRegex(TypeError, "realise is a dict"):
            pawl.run(model, realise={"skate": 3})

    def test_orbit(self):
        model = ("coordinates x\nkinetic T = x'^2/2\npotential V = 2*x^2\nforce x: -0.2*x' + cos(t)\n"
                 "start x = 0.1, x' = 0\nrun 0..7\n")
        found = pawl.orbit(model, period=2*math.pi)
        amplitude = 1/complex(3, 0.2)  # of x'' + 0.2 x' + 4 x = cos t
        self.assertAlmostEqual(found.orbits[0].state.x, amplitude.real, delta=1e-8)
        self.assertTrue(found.orbits[0].stable)
        with self.assertRaises(pawl.Error):
            pawl.orbit(model)
        with self.assertRaises(ValueError):
            pawl.orbit(model, period=1, along="w")
        with self.assertRaisesRegex(ValueError, "positive"):
            pawl.orbit(model, period=-1)

    def test_vary(self):
        told = pawl.vary("ball.pawl", time=0.4, by="y: t*(0.4 - t)")
        self.assertIn("families", told)
        with self.assertRaises(pawl.Error):
            pawl.vary("ball.pawl", time=0.4, by="y: nobody*t")

    def test_certify(self):
        r = pawl.run("ball.pawl")
        self.assertEqual(pawl.certify(r, variations=False).verdict, "WEAK")
        self.assertEqual(pawl.certify(r.folder, variations=False).tables, "run")
        self.assertEqual(pawl.certify("ball.pawl", os.path.join(r.folder, "trajectory.csv"),
                                      variations=False).verdict, "WEAK")
        self.assertEqual(pawl.certify("ball.pawl", os.path.join(r.folder, "trajectory.csv"), g=9.0,
                                      variations=False).verdict, "NOT A MOTION")
        shutil.rmtree("forged", ignore_errors=True)
        shutil.copytree(r.folder, "forged")
        with open("forged/trajectory.csv") as file:
            rows = file.read().splitlines()
        rows[200] = rows[200].replace(",", ",1", 1)
        with open("forged/trajectory.csv", "w") as file:
            file.write("\n".join(rows) + "\n")
        forged = pawl.certify("forged", variations=False)
        self.assertEqual((forged.verdict, forged.tables), ("NOT A MOTION", "foreign"))
        fixed = pawl.certify(pawl.run("ball.pawl", method="moreau"), variations=False)
        self.assertFalse(fixed.ok)
        for wrong in (-1, 0.0, 2, math.nan):
            with self.assertRaises(ValueError):
                pawl.certify(r, tol=wrong)
        with self.assertRaisesRegex(pawl.FileError, "not a results folder"):
            pawl.certify("nowhere")

    def test_open_impacts(self):
        r = pawl.run("ball.pawl")
        rows = os.path.join(r.folder, "trajectory.csv")
        told = pawl.certify("ball.pawl", rows, e=0.2, impacts="open", variations=False)
        self.assertEqual(told.verdict, "WEAK")  # whatever the law, though e = 0.2 is not that of the rows
        self.assertEqual(pawl.certify("ball.pawl", rows, e=0.2, variations=False).verdict, "NOT A MOTION")
        with self.assertRaises(ValueError):
            pawl.certify(r, impacts="open")
        with self.assertRaises(ValueError):
            pawl.certify("ball.pawl", rows, impacts="shut")

    def test_distance(self):
        one, two = pawl.run("ball.pawl", output="one.out"), pawl.run("ball.pawl", {"y": 1.001}, output="two.out")
        told = pawl.distance(one, two, time=0.4)
        self.assertAlmostEqual(told.strong, 0.001, places=9)
        self.assertAlmostEqual(told.weak, 0.001, places=9)
        self.assertEqual(pawl.distance(one, "one.out").weak, 0)
        with self.assertRaises(pawl.FileError):
            pawl.distance(one, "nowhere")

    def test_sweep(self):
        values = [0.5, 0.6, 0.7]
        table = pawl.sweep("ball.pawl", e=values, at="impact", record="t,before(y')", last=1)
        self.assertEqual(list(table["e"]), values)
        both = pawl.sweep("ball.pawl", e="0.5:0.7:3", h=numpy.array([1.0, 2.0]), record=["t", "max(y)"], threads=2)
        self.assertEqual(len(both), 6)
        self.assertEqual(sorted(set(both["max(y)"])), [1, 2])
        self.assertEqual(set(both["verdict"]), {"WEAK"})
        self.assertIn("<svg", both._repr_svg_())
        self.assertTrue(repr(both).startswith("<pawl.Sweep: 6 rows of e, h, "), repr(both))
        self.assertTrue(repr(both).endswith("; 0 failed, 0 not a motion>"), repr(both))
        self.assertEqual(len(pawl.sweep("ball.pawl", e=[0.5, 0.6], h=numpy.array(2.0), record="t")), 2)
        random = pawl.sweep("ball.pawl", e="~0.2:0.8", samples=8, seed=3, record="t", time=2)
        self.assertEqual(len(random), 8)
        self.assertTrue(((random["e"] >= 0.2) & (random["e"] <= 0.8)).all())
        copy = pickle.loads(pickle.dumps(both))
        self.assertEqual((copy.members, copy.svg), (6, both.svg))
        single = pawl.run("ball.pawl", e=0.6, h=2)
        row = [i for i in range(6) if both["e"][i] == 0.6 and both["h"][i] == 2][0]
        self.assertEqual(both["t"][row], single.t[-1])
        written = pawl.sweep("ball.pawl", e=values, record="t", output="sweep.csv")
        self.assertEqual(len(written), 3)
        self.assertTrue(os.path.exists("sweep.csv"))
        for wrong, kind in (({"e": []}, ValueError), ({"e": [0.5], "design": "best"}, ValueError),
                            ({"q": [1, 2]}, pawl.ModelError), ({"e": "1:2"}, pawl.ModelError)):
            with self.assertRaises(kind):
                pawl.sweep("ball.pawl", **wrong)

    def test_documents(self):
        model = pawl.Model("ball.pawl")
        self.assertIn(r"\documentclass", model.latex())
        self.assertIn("$", model.typst())
        self.assertEqual(pawl.fmt("coordinates   x\n"), "coordinates x\n")
        self.assertIn("E0010", pawl.explain("E0010") + "E0010")
        with self.assertRaises(KeyError):
            pawl.explain("E9999")

    def test_examples(self):
        """A sample of the examples: the same final state as in the table of the run."""
        for name in ("pendulum-stop", "rolling-disk", "woodpecker", "superball"):
            r = pawl.run(example(name))
            state = r.summary.state
            self.assertTrue(all(x.ok for x in r.expectations), name)
            for key in r.keys():
                if key in state and isinstance(state[key], float):
                    self.assertEqual(r[key][-1], state[key], (name, key))
