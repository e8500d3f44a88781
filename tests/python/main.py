# SPDX-License-Identifier: MIT
"""Tests of the Python package, run by tests/python/run."""
import doctest
import os
import signal
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import notebook  # noqa: E402
import pawl  # noqa: E402

EXAMPLES = os.environ["PAWL_EXAMPLES"]


class Documents(unittest.TestCase):
    def test_doctests(self):
        import pawl._functions
        import pawl._model
        import pawl._result
        import pawl._simulation
        tried = 0
        for module in (pawl, pawl._model, pawl._result, pawl._simulation, pawl._functions):
            result = doctest.testmod(module, extraglobs={"pawl": pawl})
            self.assertEqual(result.failed, 0, module)
            tried += result.attempted
        self.assertGreater(tried, 5)

    def test_notebook(self):
        compared = 0
        for number, source, stored, got in notebook.run(os.environ["PAWL_NOTEBOOK"]):
            self.assertEqual(stored, got, f"cell {number}:\n{source}")
            compared += stored != ""
        self.assertGreater(compared, 5)


def main():
    # A shell starts its background jobs with this signal ignored; some tests send it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with open(os.path.join(EXAMPLES, "bouncing-ball.pawl")) as model, open("ball.pawl", "w") as copy:
        copy.write(model.read())
    loader = unittest.defaultTestLoader
    suite = unittest.TestSuite([loader.loadTestsFromTestCase(Documents),
                                loader.loadTestsFromNames(["test_results", "test_commands", "test_host"])])
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(suite)
    bad = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - bad} passed, {bad} failed")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
