# SPDX-License-Identifier: MIT
"""Runs and simulations against closed forms."""
import math
import os
import pickle
import shutil
import subprocess
import sys
import unittest

import numpy
import pawl

G, H = 9.81, 1.0
FIRST = math.sqrt(2*H/G)
EXAMPLES = os.environ["PAWL_EXAMPLES"]


def ball(t, e):
    """Height and velocity of the ball at a time, from the parabolas between the impacts."""
    begin, speed, height = 0.0, 0.0, H
    end = FIRST
    while t > end:
        begin, height = end, 0.0
        speed = G*FIRST*e if speed == 0 else speed*e
        end = begin + 2*speed/G
    s = t - begin
    return height + speed*s - G*s*s/2, speed - G*s


class Results(unittest.TestCase):
    def setUp(self):
        self.r = pawl.run("ball.pawl", e=0.8)

    def test_columns_are_views(self):
        y = self.r["y"]
        self.assertIsInstance(y, numpy.ndarray)
        self.assertEqual((y.dtype, y.shape), (numpy.dtype("float64"), (len(self.r),)))
        again = self.r["y"]
        self.assertEqual(y.ctypes.data, again.ctypes.data)
        self.assertTrue(numpy.shares_memory(y, again))
        self.assertFalse(y.flags.writeable)
        self.assertFalse(y.flags.owndata)
        self.assertEqual(self.r.keys(), ["t", "y", "y'", "force(floor)", "height"])
        self.assertIn("y'", self.r)
        with self.assertRaisesRegex(KeyError, "no column 'z'; there are t, y"):
            self.r["z"]
        with self.assertRaises(KeyError):
            self.r[3]

    def test_columns_outlive_the_result(self):
        y = pawl.run("ball.pawl", e=0.8)["y"]
        self.assertEqual(y[0], 1.0)
        self.assertEqual(float(y.min()), float(self.r["y"].min()))

    def test_rows(self):
        early = self.r.t < 1.7
        exact = numpy.array([ball(t, 0.8)[0] for t in self.r.t[early]])
        self.assertLess(numpy.abs(self.r["y"][early] - exact).max(), 1e-9)

    def test_events(self):
        events = self.r.events
        times, t, flight = [], FIRST, 2*FIRST*0.8
        for _ in range(10):
            times.append(t)
            t, flight = t + flight, 0.8*flight
        self.assertLess(numpy.abs(events.t[:10] - times).max(), 1e-10)
        self.assertEqual(events.kind[:2], ["impact", "impact"])
        self.assertEqual(events.at[0], "floor")
        self.assertAlmostEqual(events["before(y')"][0], -G*FIRST, delta=1e-9)
        self.assertAlmostEqual(events["after(y')"][0], 0.8*G*FIRST, delta=1e-9)
        self.assertAlmostEqual(events.impulse[0], 1.8*G*FIRST, delta=1e-9)
        self.assertEqual(len(events.of("rest", "floor")), 1)
        self.assertEqual(len(events), len(events.t))
        with self.assertRaises(AttributeError):
            events.nothing
        with self.assertRaises(AttributeError):
            events._repr_html_

    def test_dense_output(self):
        for t in (0.1, FIRST + 0.3, 1.3):
            y, v = ball(t, 0.8)
            state = self.r.at(t)
            self.assertAlmostEqual(state["y"], y, delta=1e-9)
            self.assertAlmostEqual(state["y'"], v, delta=1e-8)
            self.assertAlmostEqual(state.height, y, delta=1e-9)
            self.assertAlmostEqual(state.energy.kinetic, v*v/2, delta=1e-8)
            self.assertEqual(state.modes.floor, "open")
        hit = self.r.events.t[0]
        self.assertLess(self.r.at(hit, "before")["y'"], 0)
        self.assertGreater(self.r.at(hit)["y'"], 0)
        times = numpy.linspace(0, 1.5, 7)
        many = self.r.at(times)
        self.assertIsInstance(many["y"], numpy.ndarray)
        for t, y in zip(times, many["y"]):
            self.assertEqual(self.r.at(float(t))["y"], y)
        for bad in (-1, 6, math.nan):
            with self.assertRaises(ValueError):
                self.r.at(bad)
        with self.assertRaises(TypeError):
            self.r.at("now")
        with self.assertRaises(ValueError):
            self.r.at(1, "left")

    def test_energies(self):
        self.assertAlmostEqual(self.r.energy.start, 9.81, delta=1e-12)
        self.assertAlmostEqual(self.r.energy.lost.floor, 9.81, delta=1e-6)
        table = self.r.energies()
        total = table["kinetic"] + table["potential"] + table["work(floor)"]
        self.assertLess(numpy.abs(total - 9.81).max(), 1e-8)

    def test_certificate_and_expectations(self):
        self.assertEqual(self.r.certificate.verdict, "WEAK")
        self.assertTrue(self.r.certificate.ok)
        self.assertTrue(all(x.ok for x in self.r.expectations))
        self.assertEqual(self.r.ending, "end")
        self.assertEqual(pawl.run("ball.pawl", certify="off").certificate.verdict, "NOT CHECKED")

    def test_pictures(self):
        figure = self.r.plot("y", "y' vs y")
        self.assertTrue(figure.svg.startswith("<svg") or "<svg" in figure.svg[:200])
        self.assertEqual(figure.png[:4], b"\x89PNG")
        self.assertEqual([c.y for c in figure.curves], ["y", "y'"])
        self.assertEqual(figure.curves[1].x, "y")
        for name in ("f.svg", "f.png"):
            figure.save(name)
            self.assertGreater(os.path.getsize(name), 100)
        with self.assertRaises(ValueError):
            figure.save("f.jpg")
        with self.assertRaisesRegex(pawl.ModelError, "nothing_such"):
            self.r.plot("nothing_such")
        with self.assertRaises(TypeError):
            self.r.plot(3)
        page = self.r._repr_html_()
        self.assertTrue(page.startswith("<iframe srcdoc="))
        self.assertNotIn("<script", page)

    def test_folders(self):
        shutil.rmtree("ball.out", ignore_errors=True)
        r = pawl.run("ball.pawl", e=0.8, output="ball.out")
        self.assertTrue(os.path.exists("ball.out/report.html"))
        self.assertEqual(r.folder, "ball.out")
        self.assertEqual(r.at(0.3)["y"], self.r.at(0.3)["y"])
        temporary = self.r.folder
        self.assertTrue(os.path.exists(temporary))
        self.r.save("copy.out")
        self.assertTrue(os.path.exists("copy.out/report.html"))
        self.r = None
        self.assertFalse(os.path.exists(temporary))
        bare = pawl.run("ball.pawl", keep=False)
        self.assertEqual(len(bare), len(pawl.run("ball.pawl")))
        for use in (lambda: bare.at(1), lambda: bare.plot("y"), lambda: bare.report()):
            with self.assertRaisesRegex(pawl.FileError, "keep=False"):
                use()
        self.assertIn("pawl.Result", bare._repr_html_())

    def test_pickling(self):
        copy = pickle.loads(pickle.dumps(self.r))
        self.assertTrue((copy["y"] == self.r["y"]).all())
        self.assertEqual(copy.at(0.77)["y"], self.r.at(0.77)["y"])
        self.assertEqual(copy.events.kind, self.r.events.kind)
        self.assertEqual(copy.certificate, self.r.certificate)
        self.assertNotEqual(copy.folder, self.r.folder)
        bare = pickle.loads(pickle.dumps(pawl.run("ball.pawl", keep=False)))
        self.assertEqual(bare["y"][0], 1)

    def test_options_and_values(self):
        self.assertEqual(pawl.run("ball.pawl", time=0.25, every=0.125).t[-1], 0.25)
        self.assertEqual(list(pawl.run("ball.pawl", time=(0, 0.25), every=0.125).t), [0, 0.125, 0.25])
        self.assertEqual(pawl.run("ball.pawl", {"y'": 2, "h": "50 [cm]"}, time=0.1)["y"][0], 0.5)
        self.assertEqual(pawl.run("ball.pawl", h=numpy.float32(0.5), time=0.1)["y"][0], 0.5)
        third = 1/3
        self.assertEqual(pawl.run("ball.pawl", h=third, time=0.1)["y"][0], third)
        self.assertEqual(pawl.run("ball.pawl", method="moreau", step=None, time=0.1).summary.ending, "end")


class Simulations(unittest.TestCase):
    def test_steps(self):
        s = pawl.Simulation("ball.pawl", e=0.5)
        self.assertEqual(s.advance(0.25), "target")
        self.assertAlmostEqual(s["y"], 1 - G*0.25**2/2, delta=1e-12)
        self.assertEqual(s.advance(3), "event")
        self.assertAlmostEqual(s.t, FIRST, delta=1e-10)
        self.assertAlmostEqual(s.state("before")["y'"], -G*FIRST, delta=1e-9)
        self.assertAlmostEqual(s["y'"], G*FIRST/2, delta=1e-9)
        happened = s.run_to(3)
        self.assertEqual(happened[-1].kind, "rest")
        self.assertTrue(s.closed("floor"))
        self.assertAlmostEqual(s["force(floor)"], G, delta=1e-9)
        self.assertAlmostEqual(s.accelerations["y''"], 0, delta=1e-9)
        self.assertEqual(s.dof, 0)
        self.assertAlmostEqual(s.energy.lost, 9.81, delta=1e-7)
        self.assertEqual(s.advance(9), "end")
        for use in (lambda: s["z"], lambda: s.closed("roof")):
            with self.assertRaises(KeyError):
                use()
        with self.assertRaises(ValueError):
            s.state("left")
        with self.assertRaises(TypeError):
            s.advance("far")

    def test_input_file(self):
        model = os.path.join(EXAMPLES, "pushed-ball.pawl")
        with open("pushes.csv", "w", encoding="utf-8") as file:
            file.write("t,F\n0,0\n0.4,4\n")
        r = pawl.run(model, input="pushes.csv", time=0.4)
        self.assertAlmostEqual(r["y'"][-1], -0.4*G + 10*0.4**2/2, delta=1e-9)
        s = pawl.Simulation(model, input="pushes.csv")
        s.run_to(0.4)
        self.assertAlmostEqual(s["y'"], -0.4*G + 10*0.4**2/2, delta=1e-9)
        with self.assertRaisesRegex(pawl.Error, "nowhere.csv"):
            pawl.run(model, input="nowhere.csv")

    def test_numbers_that_are_not_possible(self):
        s = pawl.Simulation(os.path.join(EXAMPLES, "pushed-ball.pawl"))
        s.run_to(0.3)
        for call, said in ((lambda: s.set(F=math.nan), "F is nan: not a finite number"),
                           (lambda: s.set(F=math.inf), "F is inf: not a finite number"),
                           (lambda: s.advance(0.1), "is at t = 0.3: it cannot go back to t = 0.1"),
                           (lambda: s.advance(math.nan), "t is nan: not a number"),
                           (lambda: s.start(math.nan, [1.0, 0.0], [0.0]), "t is nan")):
            with self.assertRaisesRegex(ValueError, said):
                call()
        with self.assertRaisesRegex(TypeError, "F is a number, not 2 of them"):
            s.set(F=[1, 2])
        s.set(F=numpy.array(2.0))
        self.assertEqual((s.t, s.inputs["F"]), (0.3, 2))

    def test_arrays_without_dimensions_are_numbers(self):
        a, b = pawl.run("ball.pawl", e=numpy.array(0.5)), pawl.run("ball.pawl", e=0.5)
        self.assertTrue((a["y"] == b["y"]).all())

    def test_folders_that_cannot_be_written(self):
        for place in ("/proc/abc", "copied.out"):
            if place == "copied.out":
                self.assertEqual(pawl.run("ball.pawl").save(place), place)
            with self.assertRaisesRegex(pawl.FileError, "cannot write " + place):
                pawl.run("ball.pawl").save(place)
        with self.assertRaisesRegex(pawl.FileError, "cannot write /proc/a.svg"):
            pawl.run("ball.pawl").plot("y").save("/proc/a.svg")

    def test_an_input_lifts_the_ball(self):
        def go(look):
            s = pawl.Simulation(os.path.join(EXAMPLES, "pushed-ball.pawl"))
            s.run_to(1.8)
            self.assertAlmostEqual(s["force(floor)"], G, delta=1e-9)
            s.set(F=20)
            if look:  # before any other question
                self.assertEqual((s.dof, s.closed("floor")), (1, False))
            for force, floor in ((20, 0), (5, G - 5), (-3, G + 3), (20, 0)):
                s.set(F=force)
                if look:
                    self.assertAlmostEqual(s["force(floor)"], floor, delta=1e-12)
                    self.assertAlmostEqual(s["lift"], force - G + floor, delta=1e-12)
                    self.assertEqual((s.closed("floor"), s.dof), (force < G, force > G))
            self.assertEqual(s.advance(1.9), "event")
            self.assertEqual([e.kind for e in s.events], ["liftoff"])
            self.assertEqual((s.state("before")["force(floor)"], s["force(floor)"]), (0, 0))
            self.assertEqual(s.advance(1.9), "target")
            self.assertAlmostEqual(s["y"], (20 - G)*0.01/2, delta=1e-12)
            return s.save()
        self.assertEqual(go(True), go(False))  # to look changes nothing

    def test_inputs(self):
        s = pawl.Simulation(os.path.join(EXAMPLES, "pushed-ball.pawl"))
        self.assertEqual(s.inputs, {"F": 0})
        s.run_to(0.2)
        s.set(F=G)
        self.assertEqual(s.inputs, {"F": G})
        self.assertAlmostEqual(s.accelerations["y''"], 0, delta=1e-12)
        s.run_to(0.3)
        self.assertAlmostEqual(s["y'"], -0.2*G, delta=1e-10)
        self.assertAlmostEqual(s["y"], 1 - G*0.02 - 0.02*G, delta=1e-10)
        copy = pickle.loads(pickle.dumps(s))
        for x in (s, copy):
            x.set({"F": 0})
            self.assertEqual(x.advance(2), "event")
        self.assertEqual(s.state(), copy.state())
        for wrong, raised in (({"G": 1}, KeyError), ({"F": "far"}, TypeError), ({"F": None}, TypeError),
                              ({"F": math.nan}, (ValueError, pawl.Error))):
            with self.assertRaises(raised):
                s.set(wrong)
        self.assertEqual(s.inputs, {"F": 0})
        self.assertEqual(pawl.Simulation("ball.pawl").inputs, {})

    def test_tied(self):
        model = ("parameter mu = 0.3\ncoordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 10*y\n"
                 "constraint floor: y >= 0, restitution 0.5\nfriction rub: slip x', mu mu on floor\n"
                 "start y = 0.2, x' = 5\nrun 0..0.3\n")
        hit = pawl.run(model).events.of("impact")[0]
        self.assertAlmostEqual(hit.impulse, 3, delta=1e-9)
        self.assertAlmostEqual(hit.tied["rub"], -0.9, delta=1e-9)
        s = pawl.Simulation(model)
        self.assertEqual(s.advance(1), "event")
        self.assertAlmostEqual(s.events[0].tied["rub"], -0.9, delta=1e-9)

    def test_gradient(self):
        r = pawl.run("ball.pawl", time=0.6, gradient=["e", "h"])
        self.assertAlmostEqual(r.gradient["e"]["y"], G*FIRST*(0.6 - FIRST), delta=1e-7)
        self.assertAlmostEqual(r.events["t by h"][0], FIRST/2, delta=1e-8)
        self.assertEqual(pickle.loads(pickle.dumps(r)).gradient, r.gradient)
        self.assertEqual(pawl.run("ball.pawl", time=0.1).gradient, {})
        self.assertIn("e", pawl.run("ball.pawl", time=0.6, gradient="e", keep=False).gradient)
        with self.assertRaisesRegex(pawl.Error, "E0680"):
            pawl.run("ball.pawl", gradient="f")
        with self.assertRaises(TypeError):
            pawl.run("ball.pawl", gradient=[1])

    def test_saving(self):
        s = pawl.Simulation("ball.pawl", e=0.8)
        s.run_to(1)
        saved = s.save()
        s.run_to(2)
        end = s.state()
        s.restore(saved)
        self.assertEqual(s.t, 1)
        s.run_to(2)
        self.assertEqual(s.state(), end)
        copy = pickle.loads(pickle.dumps(s))
        self.assertEqual(copy.state(), end)
        for bad in (b"", saved[:-8], b"x"*len(saved)):
            with self.assertRaises(pawl.Error):
                s.restore(bad)
        s.start(0, [2.0], numpy.array([0.5]))
        self.assertEqual((s["y"], s["y'"]), (2, 0.5))
        with self.assertRaises(ValueError):
            s.start(0, [1, 2], [1])
        with self.assertRaises(TypeError):
            s.start(0, "a", [1])


class WithoutNumPy(unittest.TestCase):
    def test_memoryviews(self):
        code = ("import sys; sys.modules['numpy'] = None; sys.modules['pandas'] = None\n"
                "import pawl\nr = pawl.run('ball.pawl')\nassert type(r['y']) is memoryview\n"
                "assert r['y'][0] == 1 and r.at([0.1, 0.2])['y'][1] > 0\n"
                "assert len(r.events.of('rest')) == 1\n"
                "try: r.frame\nexcept ImportError as e: assert 'python3-pandas' in str(e)\n"
                "else: raise SystemExit('a frame without pandas')\n")
        subprocess.run([sys.executable, "-c", code], check=True)
