# SPDX-License-Identifier: MIT
"""A simulation, step by step."""
from __future__ import annotations

import os
from typing import Any, Mapping

from . import _pawl
from ._errors import take
from ._model import Source, Value, changes_of, input_of, source_of, span_of, split_options
from ._numbers import doubles, number
from ._record import Record

_STOPS = ("target", "event", "end")
_EVENT = ("t", "kind", "at", "cluster", "impulse", "dE", "flag", "rate_before", "rate_after", "force", "tied")


class Simulation:
    """One motion that goes on as far as it is told.

    >>> s = pawl.Simulation("ball.pawl", e=0.8)
    >>> s.advance(10)
    'event'
    >>> round(s.t, 7), s.events[0].kind
    (0.4515236, 'impact')

    Keywords are as those of `pawl.run`. One thread at a time may use it."""

    def __init__(self, model: Source, values: Mapping[str, Value] | None = None, /, *,
                 time: Any = None, input: str | os.PathLike[str] | None = None, **changes: Any) -> None:
        others, options = split_options(changes)
        pairs = changes_of(values, others) + input_of(input)
        self._made = (source_of(model), pairs, options, span_of(time))
        self._sim = take(_pawl.simulation(*self._made))
        self._take_names()

    def _take_names(self) -> None:
        self._names = self._sim.names()
        self._inputs = {name: (i, position) for i, (name, position) in enumerate(self._sim.inputs())}

    # ---- going on ----

    def advance(self, t: float) -> str:
        """Goes on to time t, the next event or the end, whichever comes first: "target", "event" or
        "end". After "event" the state is the one after it, and `events` tells what happened.
        After Ctrl-C it is where it was before the call."""
        target, now = number(t, "t", finite=False), self.t
        if target < now:
            raise ValueError(f"the simulation is at t = {now!r}: it cannot go back to t = {target!r}")
        return _STOPS[take(self._sim.advance(target))]

    def run_to(self, t: float) -> list[Record]:
        """Goes on to time t, through all events, and returns them."""
        happened: list[Record] = []
        while True:
            why = self.advance(t)
            if why != "event":
                return happened
            happened += self.events

    @property
    def events(self) -> list[Record]:
        """Those of the last "event"; all share one instant."""
        return [Record(zip(_EVENT, e)) for e in self._sim.events()]

    # ---- from outside ----

    @property
    def inputs(self) -> Record:
        """The values of the `input` lines now; those whose course the model states are not among
        them."""
        q = take(self._sim.point(False))[1]
        return Record((name, q[position]) for name, (_, position) in self._inputs.items())

    def set(self, values: Mapping[str, float] | None = None, /, **inputs: float) -> None:
        """Sets inputs from the current point on, until the next call.

        >>> s = pawl.Simulation("input F = 0\\ncoordinates x\\nkinetic T = x'^2/2\\nforce x: F\\nrun 0..9\\n")
        >>> for k in range(4):
        ...     s.set(F=k)
        ...     _ = s.run_to(k + 1)
        >>> round(s["x'"], 9)
        6.0
        """
        both = {**(values or {}), **inputs}
        for name in both:
            if name not in self._inputs:
                raise KeyError(f"no input {name!r}; there are {', '.join(self._inputs) or 'none'}")
        numbers = {name: number(value, name) for name, value in both.items()}
        for name, value in numbers.items():
            take(self._sim.input(self._inputs[name][0], value))

    # ---- where it is ----

    def state(self, side: str = "after") -> Record:
        """t, positions, velocities, forces and outputs by name. Directly after an event "before"
        gives the state before it."""
        if side not in ("before", "after"):
            raise ValueError(f"side is \"before\" or \"after\", not {side!r}")
        t, q, u, force, output, _ = take(self._sim.point(side == "before"))
        positions, velocities, forces, outputs = self._names
        return Record([("t", t), *zip(positions, q), *zip(velocities, u), *zip(forces, force),
                       *zip(outputs, output)])

    @property
    def t(self) -> float:
        return take(self._sim.point(False))[0]

    def __getitem__(self, name: str) -> float:
        state = self.state()
        if name not in state:
            raise KeyError(f"no {name!r}; there are {', '.join(state)}")
        return state[name]

    @property
    def accelerations(self) -> Record:
        """Of the velocities (of rotations: in the body)."""
        return Record(zip((name + "'" for name in self._names[1]), take(self._sim.point(False))[5]))

    @property
    def energy(self) -> Record:
        """Energies now, and the ledger since the start."""
        *numbers, entries = take(self._sim.energy())
        ledger = Record(zip(("kinetic", "potential", "start", "lost", "scale", "unexplained", "action"),
                            numbers))
        ledger["works"] = Record((name, value) for name, _, value in entries)
        return ledger

    def closed(self, law: str) -> bool:
        """Whether a law holds with equality and is kept so."""
        column = f"force({law})"
        forces = self._names[2]
        for i, name in enumerate(forces):
            if name == column or name == f"{column}[1]":
                return self._sim.closed(i)
        raise KeyError(f"no law {law!r}")

    @property
    def dof(self) -> int:
        """Independent directions of motion with the laws that are closed."""
        return self._sim.dof()

    # ---- other states ----

    def start(self, t: float, positions: Any, velocities: Any) -> None:
        """Starts again from other positions and velocities, made consistent."""
        take(self._sim.start(number(t, "t"), doubles(positions, "positions"), doubles(velocities, "velocities")))

    def save(self) -> bytes:
        """All of its state; `restore` goes on from it to the same bits on the same machine."""
        return take(self._sim.save())

    def restore(self, saved: bytes) -> None:
        take(self._sim.restore(saved))

    def __getstate__(self) -> dict[str, Any]:
        return {"made": self._made, "saved": self.save()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._made = state["made"]
        self._sim = take(_pawl.simulation(*self._made))
        self._take_names()
        self.restore(state["saved"])

    def __repr__(self) -> str:
        return f"<pawl.Simulation of {self._made[0][2]!r} at t = {self.t!r}>"
