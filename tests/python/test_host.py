# SPDX-License-Identifier: MIT
"""Errors, signals, threads and wrong types: nothing harms the interpreter."""
import ast
import inspect
import os
import pickle
import signal
import sys
import threading
import time
import unittest

import pawl
import pawl._pawl

LONG = """coordinates a, b
kinetic T = a'^2 + 1/2*b'^2 + a'*b'*cos(a - b)
potential V = -19.62*cos(a) - 9.81*cos(b)
start a = 2, b = 2.5, a' = 0, b' = 0
run 0..1e6, max-steps 1000000000
"""


class Errors(unittest.TestCase):
    def test_text_is_that_of_the_terminal(self):
        with open("wrong.pawl", "w") as file:
            file.write("coordinates x\nkinetic T = x'^2\npotential V = x*zz\nfriction: none\n")
        with self.assertRaises(pawl.ModelError) as caught:
            pawl.run("wrong.pawl")
        error = caught.exception
        self.assertGreaterEqual(len(error.diagnostics), 2)
        first = [d for d in error.diagnostics if "zz" in d.message][0]
        self.assertEqual((first.at.file, first.at.line, first.at.column, first.at.length), ("wrong.pawl", 3, 17, 2))
        self.assertIn("wrong.pawl:3:17", str(error))
        self.assertIn(first.text.rstrip("\n"), str(error))
        copy = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(copy), copy.diagnostics, copy.status), (str(error), error.diagnostics, error.status))

    def test_early_end(self):
        with self.assertRaises(pawl.RunError) as caught:
            pawl.run("ball.pawl", e=0.8, max_events=5)
        result = caught.exception.result
        self.assertEqual(result.ending, "early")
        self.assertGreaterEqual(len(result.events), 5)
        self.assertGreater(result.t[-1], 0.4)
        self.assertIn("E", caught.exception.diagnostics[-1].code)

    def test_files(self):
        for wrong in ("nowhere.pawl", "/proc/nowhere/x.pawl", "."):
            with self.assertRaises(OSError) as caught:
                pawl.run(wrong)
            self.assertIsInstance(caught.exception, pawl.FileError)
        with open("afile", "w"):
            pass
        with self.assertRaises(pawl.FileError):
            pawl.run("ball.pawl", output="afile/x.out")
        with self.assertRaises(ValueError):
            pawl.run("ball.pawl", output="")
        self.assertEqual([x for x in os.listdir(".") if x.startswith("afile/")], [])

    def test_wrong_types(self):
        for call in (lambda: pawl.run(3), lambda: pawl.run(None), lambda: pawl.run(b"ball.pawl"),
                     lambda: pawl.run("ball.pawl", e=True), lambda: pawl.run("ball.pawl", e=object()),
                     lambda: pawl.run("ball.pawl", e=None), lambda: pawl.run("ball.pawl", [1]),
                     lambda: pawl.run("ball.pawl", {3: 4}), lambda: pawl.run("ball.pawl", progress=3),
                     lambda: pawl.run("ball.pawl", time="long"), lambda: pawl.run("ball.pawl", tol=[1]),
                     lambda: pawl.Model(), lambda: pawl.Model("a", text="b"), lambda: pawl.Model(text=3),
                     lambda: pawl.Simulation(3), lambda: pawl.gauss(3), lambda: pawl.run(),
                     lambda: pawl._pawl.run(), lambda: pawl._pawl.run((1, 2, 3), [], [], None, None, 0, 0, None),
                     lambda: pawl._pawl.check((None, None, "x"), [3], True),
                     lambda: pawl._pawl.Numbers(), lambda: pawl._pawl.Simulation()):
            with self.assertRaises(TypeError):
                call()
        for call in (lambda: pawl.run("ball.pawl", e=float("nan")), lambda: pawl.run("ball.pawl", e=1e999),
                     lambda: pawl.run("ball.pawl", tol=-1), lambda: pawl.run("ball.pawl", tol="x"),
                     lambda: pawl.run("ball.pawl", method="best"), lambda: pawl.run("ball.pawl", time=(2, 1)),
                     lambda: pawl.run("a\0b")):
            with self.assertRaises(ValueError):
                call()
        for call in (lambda: pawl.run("ball.pawl", nobody=3), lambda: pawl.run("ball.pawl", e="x y"),
                     lambda: pawl.run("ball.pawl", {"e=1": 2}),
                     lambda: pawl.run("ball.pawl", {"": 1}), lambda: pawl.run("x = \n" * 1000)):
            with self.assertRaises(pawl.ModelError):
                call()

    def test_numbers_too_large(self):
        huge = 10**400
        for call, word in ((lambda: pawl.run("ball.pawl", e=huge), "e"), (lambda: pawl.run("ball.pawl", {"y": -huge}), "y"),
                           (lambda: pawl.run("ball.pawl", time=huge), "time"), (lambda: pawl.gauss("ball.pawl", at=huge), "at"),
                           (lambda: pawl.sweep("ball.pawl", e=[0.5, huge]), "e"), (lambda: pawl.equilibria("ball.pawl", starts=huge), "starts"),
                           (lambda: pawl.Simulation("ball.pawl").advance(huge), "t")):
            with self.assertRaises(ValueError) as caught:
                call()
            self.assertRegex(str(caught.exception), f"^{word} is (too large for a number|at most)")

    def test_paths_that_are_no_text(self):
        """os.listdir gives a byte that is no UTF-8 as a lone surrogate: such files are opened."""
        path, out = os.fsdecode(b"b\xffll.pawl"), os.fsdecode(b"b\xfe.out")
        with open("ball.pawl") as model, open(path, "w") as copy:
            copy.write(model.read())
        self.assertIn(path, os.listdir("."))
        result = pawl.run(path, e=0.8, output=out)
        self.assertEqual(list(result["y"]), list(pawl.run("ball.pawl", e=0.8)["y"]))
        self.assertIn("b\ufffdll.pawl", repr(result))
        self.assertEqual(float(result.at(0.1)["y"]), float(pawl.run("ball.pawl", e=0.8).at(0.1)["y"]))
        self.assertTrue(os.path.exists(result.report()))
        self.assertEqual(pawl.certify(result).verdict, result.certificate["verdict"])
        self.assertEqual(pawl.Model(path).check().coordinates, ["y"])
        pickle.loads(pickle.dumps(pawl.Simulation(path)))
        with open(path, "w") as file:
            file.write("coordinates x\nkinetic T = zz\n")
        with self.assertRaises(pawl.ModelError) as caught:
            pawl.run(path)
        self.assertEqual(caught.exception.diagnostics[0].at.file, path)
        with self.assertRaises(pawl.FileError):
            pawl.run(os.fsdecode(b"nowh\xffre.pawl"))

    def test_texts_with_half_a_character(self):
        for call, word in ((lambda: pawl.run("# \ud800\nrun 0..1\n"), "the text of a model"), (lambda: pawl.Model(text="\udc80"), "the text of a model"),
                           (lambda: pawl.fmt("\n\ud800"), "the text of a model"), (lambda: pawl.run("ball.pawl", e="1\udfff"), "the value of e"),
                           (lambda: pawl.run("ball.pawl", {"\ud800": 1}), "a name")):
            with self.assertRaises(ValueError) as caught:
                call()
            self.assertRegex(str(caught.exception), f"^{word} has half a character .the lone surrogate U.D")
        self.assertEqual(pawl.run("# 𝛼\ncoordinates x\nkinetic T = x'^2\nstart x = 0, x' = 1\nrun 0..1\n").ending, "end")

    def test_warnings(self):
        with self.assertWarns(pawl.PawlWarning) as caught:
            pawl.run("coordinates x\nkinetic T = x'^2\nconstraint a: x = 0\nconstraint b: 2*x = 0\n"
                     "parameter unused = 3\nstart x = 0, x' = 0\nrun 0..0.1\n")
        self.assertEqual(os.path.basename(caught.filename), "test_host.py")


class Interrupts(unittest.TestCase):
    def test_control_c(self):
        """A signal ends a run within a moment, and what there is of it is kept."""
        timer = threading.Timer(0.4, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        begun = time.process_time()
        with self.assertRaises(KeyboardInterrupt) as caught:
            pawl.run(LONG, every=1)
        timer.join()
        self.assertLess(time.process_time() - begun, 20)
        result = caught.exception.result
        self.assertEqual(result.ending, "interrupted")
        self.assertGreater(len(result), 1)
        self.assertGreater(result.at(0.5)["a"], -10)

    def test_simulation_can_go_on(self):
        """An interrupted call leaves the simulation where it was."""
        s, other = pawl.Simulation(LONG), pawl.Simulation(LONG)
        s.run_to(1)
        other.run_to(1)
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            s.advance(1e6)
        timer.join()
        self.assertEqual(s.t, 1)
        self.assertEqual((s.advance(2), other.advance(2)), ("target", "target"))
        self.assertEqual(s.state(), other.state())

    def test_bvp_and_sweep(self):
        for call in (lambda: pawl.sweep(LONG, **{"a": [1.0, 2.0]}), lambda: pawl.gauss(LONG, at=1e5)):
            timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                call()
            timer.join()

    def test_progress(self):
        seen = []
        r = pawl.run(LONG, every=1, progress=lambda *now: seen.append(now) or len(seen) < 3)
        self.assertEqual((len(seen), r.ending), (3, "interrupted"))
        self.assertEqual(len(seen[0]), 5)
        self.assertTrue(seen[0][0] <= seen[1][0] <= seen[2][0])

        def fail(*now):
            raise LookupError("enough")
        with self.assertRaisesRegex(LookupError, "enough") as caught:
            pawl.run(LONG, every=1, progress=fail)
        self.assertEqual(caught.exception.result.ending, "interrupted")


class Threads(unittest.TestCase):
    def test_runs_side_by_side(self):
        found, wrong = [None]*6, []

        def work(i):
            try:
                found[i] = pawl.run("ball.pawl", e=0.8)["y"].tobytes()
            except BaseException as error:  # noqa: B902
                wrong.append(error)
        threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])
        self.assertEqual(len(set(found)), 1)

    def test_one_simulation_in_two_threads(self):
        """The second is refused; the first goes on."""
        s = pawl.Simulation(LONG)
        refused, ended = [], threading.Event()

        def disturb():
            while not ended.is_set():
                for use in (lambda: s.advance(1), s.state, s.save):
                    try:
                        use()
                    except RuntimeError as error:
                        refused.append(str(error))
                    except pawl.Error:
                        pass  # nobody was inside, and t = 1 is over
        other = threading.Thread(target=disturb)
        other.start()
        t = 0.0
        while not refused and t < 20000:
            t += 200
            try:
                s.run_to(t)
            except RuntimeError as error:
                refused.append(str(error))
        ended.set()
        other.join()
        self.assertEqual(set(refused), {"another thread is using this simulation"})

    def test_the_gil_is_free(self):
        """Another thread counts while a run goes on."""
        count, ended = [0], threading.Event()

        def tick():
            while not ended.is_set():
                count[0] += 1
                time.sleep(0.001)
        other = threading.Thread(target=tick)
        other.start()
        pawl.run(LONG, time=300, every=10, certify="off", keep=False)
        ended.set()
        other.join()
        self.assertGreater(count[0], 5)


class Stubs(unittest.TestCase):
    def test_stub_names(self):
        """The stub of the extension module names what is there, no more and no less."""
        folder = os.path.dirname(pawl.__file__)
        self.assertTrue(os.path.exists(os.path.join(folder, "py.typed")))
        with open(os.path.join(folder, "_pawl.pyi")) as file:
            tree = ast.parse(file.read())
        functions = {x.name for x in tree.body if isinstance(x, ast.FunctionDef)}
        classes = {x.name: {f.name for f in x.body if isinstance(f, ast.FunctionDef)}
                   for x in tree.body if isinstance(x, ast.ClassDef)}
        there = {name for name in dir(pawl._pawl) if not name.startswith("__")}
        self.assertEqual(there, functions | set(classes) | {"version"})
        for name, methods in classes.items():
            public = {m for m in dir(getattr(pawl._pawl, name)) if not m.startswith("_")}
            self.assertEqual(public, {m for m in methods if not m.startswith("_")}, name)

    def test_annotations(self):
        """Every public function says what it takes and gives."""
        for name in pawl.__all__:
            thing = getattr(pawl, name)
            self.assertTrue(thing.__doc__, name)
            if inspect.isfunction(thing):
                self.assertNotIn(inspect.Parameter.empty,
                                 {p.annotation for p in inspect.signature(thing).parameters.values()}, name)
                self.assertIsNot(inspect.signature(thing).return_annotation, inspect.Signature.empty)


if __name__ == "__main__":
    sys.exit(unittest.main())
