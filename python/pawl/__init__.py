# SPDX-License-Identifier: MIT
"""Pawl: mechanics with inequalities. A model in, its motion, forces, events, energies and certificate
out.

>>> r = pawl.run("ball.pawl", e=0.8)
>>> round(float(r.events.t[0]), 7)
0.4515236
>>> r.certificate.verdict
'WEAK'
"""
from ._errors import (Diagnostic, Error, FileError, ModelError, PawlWarning, Place, RunError)
from ._figure import Figure
from ._functions import Solutions, Sweep, bvp, certify, distance, equilibria, gauss, orbit, sweep, vary
from ._model import Model, check, explain, fmt
from ._numbers import Table
from ._pawl import version as __version__
from ._record import Record
from ._result import Energy, Events, Result, State, run
from ._simulation import Simulation

__all__ = [
    "Diagnostic", "Energy", "Error", "Events", "Figure", "FileError", "Model", "ModelError",
    "PawlWarning", "Place", "Record", "Result", "RunError", "Simulation", "Solutions", "State",
    "Sweep", "Table", "bvp", "certify", "check", "distance", "equilibria", "explain", "fmt", "gauss", "orbit",
    "run", "sweep", "vary",
]
