# SPDX-License-Identifier: MIT
"""The other commands: gauss, equilibria, bvp, orbit, vary, certify, distance, sweep."""
from __future__ import annotations

import csv
import io
import json
import math
import os
from typing import Any, Callable, Mapping, Sequence

from . import _pawl
from ._errors import FileError, diagnostics_of, error_of, take, warn
from ._model import (Source, Value, changes_of, file_path, path_bytes, source_of, span_of, split_options,
                     value_text)
from ._numbers import Table, doubles, is_number, real, whole
from ._record import Record, record_of


def gauss(model: Source, values: Mapping[str, Value] | None = None, /, *, at: float | None = None,
          past: bool = False, **changes: Value) -> Record:
    """Gauss' principle at one instant, the start or after running to `at`: accelerations, forces and
    the sets the forces come from. None, or several, are results like one."""
    return record_of(take(_pawl.gauss(source_of(model), changes_of(values, changes),
                                      None if at is None else real(at, "at"), bool(past))))


def equilibria(model: Source, values: Mapping[str, Value] | None = None, /, *,
               at: float | None = None, starts: int = 0, **changes: Value) -> Record:
    """Where the system can stay at rest: points and whole sticking sets, with their stability."""
    return record_of(take(_pawl.equilibria(source_of(model), changes_of(values, changes),
                                           None if at is None else real(at, "at"), whole(starts, "starts"))))


def _column(texts: list[str]) -> Any:
    """Numbers where all are numbers, else texts."""
    try:
        return doubles([float(x) if x != "" else float("nan") for x in texts], "column")
    except ValueError:
        return texts


def table_of(text: str) -> Table:
    """A table of CSV text as columns."""
    rows = list(csv.reader(io.StringIO(text)))
    head, body = (rows[0], rows[1:]) if rows else ([], [])
    words = ("verdict", "ending")
    return Table({name: column if name in words else _column(column)
                  for name, column in ((name, [row[i] for row in body]) for i, name in enumerate(head))})


class Solutions(list):
    """Motions between two points, as a list; `complete`: there are no others. Names give the rest of
    what `pawl bvp --json` prints: found["solutions"] are the motions of the list."""

    complete: bool
    json: Record

    def __getitem__(self, key: Any) -> Any:
        return self.json[key] if isinstance(key, str) else super().__getitem__(key)

    def __getattr__(self, name: str) -> Any:
        if name in ("complete", "json") or name.startswith("_") or name not in self.json:
            raise AttributeError(f"no `{name}`")
        return self.json[name]

    def keys(self) -> list[str]:
        return list(self.json)


def bvp(model: Source, values: Mapping[str, Value] | None = None, /, *, time: Any = None,
        bounces: tuple[int, int] | None = None, all: bool = False, mesh: int = 0, degree: int = 0,
        converge: bool = False, natural: bool = False, free_time: bool = False,
        **changes: Value) -> Solutions:
    """Motions that join the start positions of a model to its `end` positions. There may be none, one
    or many, each with its impacts, action and certificate, and its rows as `.table`.

    mesh=N and degree=P ask for so many elements, about, and polynomials of that degree in the direct
    method (zero: adapted, and 6); with converge=True each solution has `convergence`, meshes of
    twice the elements each, with their errors and orders.

    natural=True lets coordinates that `~` leaves free end without momentum; free_time=True leaves the
    end time free, so that the energy vanishes there."""
    if not 0 <= int(mesh) <= 10000:
        raise ValueError(f"mesh is a number of elements from 1 to 10000, not {mesh!r}")
    if not 0 <= int(degree) <= 10:
        raise ValueError(f"degree is a number from 1 to 10, not {degree!r}")
    text, tables = take(_pawl.bvp(source_of(model), changes_of(values, changes), span_of(time),
                                  None if bounces is None else tuple(map(int, bounces)),
                                  (bool(all), int(mesh), int(degree), bool(converge), bool(natural),
                                   bool(free_time))))
    data = record_of(text)
    found = Solutions(data["solutions"])
    for solution, table in zip(found, tables):
        solution["table"] = table_of(table)
    found.complete, found.json = bool(data.get("complete")), data
    return found


def orbit(model: Source, values: Mapping[str, Value] | None = None, /, *, period: float | None = None,
          at: str | None = None, returns: int = 0, along: str | None = None,
          span: tuple[float, float] | None = None, exponents: int = 0, tol: float = 0,
          **changes: Value) -> Record:
    """A periodic motion near the start, with its multipliers: after `period`, at the next event `at` or
    after `returns` of them, as `pawl orbit`. along="w", span=(1, 2) follows it with a parameter;
    `exponents` asks for so many Lyapunov exponents instead."""
    if (along is None) != (span is None):
        raise ValueError("along and span belong together: along=\"w\", span=(1, 2)")
    if period is not None and not 0 < real(period, "period") < 1e100:
        raise ValueError(f"period is a positive number, not {period!r}")
    begin, end = (0.0, 0.0) if span is None else (real(x, "span") for x in span)
    return record_of(take(_pawl.orbit(source_of(model), changes_of(values, changes),
                                      float(period or 0), at, whole(returns, "returns"), along, begin, end,
                                      whole(exponents, "exponents"), real(tol, "tol"))))


def vary(model: Source, values: Mapping[str, Value] | None = None, /, *, time: Any = None,
         by: str | None = None, shift: str | None = None, free: bool = False, **changes: Any) -> Record:
    """Varies the motion of a model: the action's first variation along weak and strong families and, if
    given, along by="x: sin(pi*t)" and shift="t*(2 - t)", as `pawl vary --json`."""
    others, options = split_options(changes)
    return record_of(take(_pawl.vary(source_of(model), changes_of(values, others), options, span_of(time),
                                     by, shift, bool(free))))


# ---- certificates ----

_FIXED_STEPS = ("moreau", "variational")


def _folder_options(folder: str, tol: float | None) -> tuple[bool, dict[str, Any]]:
    """How a run has made the tables of its folder."""
    try:
        with open(os.path.join(folder, "summary.json"), encoding="utf-8") as file:
            summary = json.load(file)
        options, counts = summary["options"], summary["counts"]
        unseen = summary.get("unseen", [])
        return summary["integrator"] in _FIXED_STEPS, {
            "tol": tol or 1e-6, "noise": float(options["tol"]),
            "steps": counts["steps"]/max(counts["rows"], 1),
            "sequential": options["impacts"] == "sequential", "unseen": len(unseen),
            "unseen_t": float(unseen[0]["from"]) if unseen else 0.0}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FileError(f"{folder}: not a results folder: {error}") from error


def certify(subject: Any, table: str | os.PathLike[str] | None = None, /,
            values: Mapping[str, Value] | None = None, *, tol: float | None = None,
            variations: bool = True, impacts: str | None = None, **changes: Value) -> Record:
    """Whether a trajectory is a motion: pawl.certify(result), pawl.certify("ball.out"), or, for a table
    of any other program, pawl.certify("ball.pawl", "rows.csv", e=0.8). With impacts="open" such a table is
    judged whatever the impact laws, and the model needs none."""
    if impacts not in (None, "open"):
        raise ValueError(f'impacts can only be "open", not {impacts!r}')
    if impacts is not None and table is None:
        raise ValueError("impact laws are left open for tables only: give a model and a table")
    if tol is not None and not 0 < real(tol, "tol") < 1:
        raise ValueError(f"tol is a number between 0 and 1, not {tol!r}")
    o: dict[str, Any] = {"tol": float(tol or 0), "noise": 0.0, "steps": 0.0, "sequential": False,
                         "unseen": 0, "unseen_t": 0.0}
    folder = events = lines = tables = None
    fixed = False
    if table is not None:
        source, path, pairs = source_of(subject), file_path(table), changes_of(values, changes)
        pairs += [] if impacts is None else [("impact laws", impacts)]
    else:
        place = file_path(getattr(subject, "folder", subject))
        fixed, o = _folder_options(place, tol)
        path, events, lines = (os.path.join(place, x) for x in
                               ("trajectory.csv", "events.csv", "events.jsonl"))
        known, rows, listed, damaged = take(_pawl.compare(path_bytes(place)))
        tables = "damaged" if damaged else None if not known else "run" if rows and listed else "foreign"
        folder = place if known and rows else None
        if known and not rows:
            o["noise"] = o["steps"] = 0.0
            o["tol"] = float(tol or 0)
        source, pairs = source_of(os.path.join(place, "model.pawl")), []
    options = (o["tol"], o["noise"], o["steps"], o["sequential"], bool(variations), o["unseen"],
               o["unseen_t"], path_bytes(events), path_bytes(lines), tables, impacts == "open")
    return record_of(take(_pawl.certify(source, pairs, path_bytes(folder), path_bytes(path),
                                        fixed, options)))


def distance(first: Any, second: Any, /, *, time: Any = None) -> Record:
    """How far two motions are apart, results or their folders, in the weak and the strong norm of Leine
    and Aeberhard, as `pawl distance --json`. time: the end, or (begin, end); all that both have if None."""
    places = [path_bytes(file_path(getattr(x, "folder", x))) for x in (first, second)]
    begin, end = span_of(time) or (math.nan, math.nan)
    return record_of(take(_pawl.distance(*places, begin, end)))


# ---- sweeps ----


class Sweep(Table):
    """The table of a sweep: the varied names, `verdict`, `ending`, and the records. A notebook shows
    its picture, `svg`."""

    svg: str = ""
    members: int = 0
    failed: int = 0
    not_a_motion: int = 0

    def __repr__(self) -> str:
        return super().__repr__()[:-1] + f"; {self.failed} failed, {self.not_a_motion} not a motion>"

    def _repr_svg_(self) -> str | None:
        return self.svg or None

    def __getstate__(self) -> dict[str, Any]:
        return {"columns": super().__getstate__(), "svg": self.svg, "members": self.members,
                "failed": self.failed, "not_a_motion": self.not_a_motion}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state.pop("columns"))
        self.__dict__.update(state)


def _varied(name: str, value: Any) -> str | None:
    """The word for a name that varies, or None: it has one value."""
    if isinstance(value, str) and value.startswith("~"):
        return name + value
    if isinstance(value, str) and (":" in value or "," in value):
        return f"{name}={value}"
    if isinstance(value, str) or is_number(value) or not hasattr(value, "__len__"):
        return None
    if len(value) == 0:
        raise ValueError(f"{name} has no values")
    return f"{name}=" + ",".join(value_text(name, item) for item in value)


def sweep(model: Source, values: Mapping[str, Any] | None = None, /, *, time: Any = None,
          samples: int = 0, design: str = "sobol", seed: int = 0, follow: bool = False,
          at: str | None = None, after: float | None = None, last: int = 0,
          record: str | Sequence[str] | None = None, threads: int = 1,
          output: str | os.PathLike[str] | None = None,
          progress: Callable[[float, float, float], Any] | None = None, **changes: Any) -> Sweep:
    """Runs a model many times. A list or array of values varies a name (e=[0.5, 0.8]), so does
    "2:3:101" (a grid of 101 values) and "~0:1" (sampled); a single value is the same for all.

    at, after, last, record, follow, samples, design and seed are as for `pawl sweep`. Members that
    fail have their reason in `ending`."""
    others, options = split_options(changes)
    both = {**(values or {}), **others}
    vary = [word for word in (_varied(name, value) for name, value in both.items()) if word]
    fixed = {name: value for name, value in both.items() if _varied(name, value) is None}
    wanted = record if record is None or isinstance(record, str) else ",".join(record)
    path = None if output is None else file_path(output)
    more = (whole(samples, "samples"), design, int(seed), bool(follow), at, None if after is None else real(after, "after"),
            whole(last, "last"), wanted, whole(threads, "threads"), path_bytes(path))
    (status, messages, data), raised = _pawl.sweep(source_of(model), changes_of(fixed, {}), vary, options,
                                                   span_of(time), more, progress)
    diagnostics = diagnostics_of(messages)
    if raised is not None:
        raise raised
    if status != 0:
        raise error_of(status, diagnostics)
    warn(diagnostics, 3)
    if path is not None and not path.endswith(".h5"):
        with open(path, encoding="utf-8") as file:
            data["csv"] = file.read()
    out = Sweep(table_of(data["csv"])._columns)
    for name in ("svg", "members", "failed", "not_a_motion"):
        setattr(out, name, data[name])
    return out
