# SPDX-License-Identifier: MIT
"""The result of a run."""
from __future__ import annotations

import html
import os
import shutil
import tempfile
import weakref
from typing import Any, Callable, Iterator, Mapping, Sequence

from . import _pawl
from ._errors import Diagnostic, FileError, diagnostics_of, error_of, take, warn
from ._figure import Figure
from ._model import (Source, Value, changes_of, file_path, input_of, path_bytes, source_of, span_of,
                     split_options)
from ._numbers import Table, asarray, doubles, is_number
from ._record import Record, record_of

_FIXED = ("t", "cluster", "impulse", "dE", "rate_before", "rate_after", "force")
Progress = Callable[[float, float, float, float, float], Any]


class Events(Table):
    """The events of a run as columns: t, kind, at, cluster, impulse, dE, rate_before, rate_after,
    force, flag, tied (impulses of other laws that go with it, by name), and the state on both sides,
    `before(y')` and `after(y')`. With `gradient=` of the run also `t by e`, the derivative of t."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._columns:
            raise AttributeError(name)
        return self[name]

    def of(self, kind: str | None = None, at: str | None = None) -> list[Record]:
        """Events of a kind ("impact") and law or name, as records."""
        return [e for e in self.records()
                if (kind is None or e["kind"] == kind) and (at is None or e["at"] == at)]

    def records(self) -> Iterator[Record]:
        columns = {name: self[name] for name in self}
        for i in range(len(self)):
            yield Record((name, column[i]) for name, column in columns.items())


class Energy(Record):
    """The ledger at the end: start, end, kinetic, potential, lost and work by name, unexplained,
    scale, action."""


class State(Record):
    """A point of a motion: positions, velocities, forces and outputs by name; `t`, `energy` (kinetic,
    potential, action, works) and `modes` of the laws beside them."""


class Result(Table):
    """What a run has computed. r["y"] is a column as a NumPy array without a copy, r.t the time;
    columns are those of trajectory.csv: positions, velocities (y'), forces (force(c)), outputs."""

    def __init__(self, data: dict[str, Any], diagnostics: list[Diagnostic], name: str,
                 folder: str | None, temporary: bool) -> None:
        super().__init__(dict(zip(data["columns"], data["data"])))
        self._data = {name: data[name] for name in ("json", "certificate", "ending", "reason")}
        positions, velocities = data["states"]
        names = [*_FIXED, *(f"{side}({x})" for side in ("before", "after")
                            for x in (*positions, *velocities))]
        columns = dict(zip(names, data["events"]))
        self.events = Events({"t": columns.pop("t"), "kind": data["kind"], "at": data["at"],
                              "flag": data["flag"], "tied": [Record(x) for x in data["tied"]],
                              **{f"t by {name}": doubles(times, name) for name, times in data["gradients"]},
                              **columns})
        self.diagnostics = diagnostics
        self._name = name
        self._take_folder(folder, temporary)

    def _take_folder(self, folder: str | None, temporary: bool) -> None:
        self._folder, self._temporary = folder, temporary
        self._motion: Any = None
        if temporary and folder is not None:
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)

    # ---- what happened ----

    @property
    def t(self) -> Any:
        """The times of the rows."""
        return self["t"]

    @property
    def ending(self) -> str:
        """"end", "event" (a `stop` was passed), "early" (see reason) or "interrupted"."""
        return self._data["ending"]

    @property
    def reason(self) -> str:
        """Why the run stopped early, or ""."""
        return self._data["reason"]

    @property
    def summary(self) -> Record:
        """The result of `pawl run --json` without its list of events."""
        return record_of(self._data["json"])

    @property
    def energy(self) -> Energy:
        """The ledger of energies at the end."""
        return Energy(self.summary["energy"])

    @property
    def gradient(self) -> Record:
        """Derivatives of the end by the names in `gradient=` of the run: r.gradient["e"]["y"]. A name
        without any is None, and `why` says why."""
        return self.summary.get("gradient", Record())

    @property
    def certificate(self) -> Record:
        """Whether the rows are a motion of the model: verdict, sentence, worst, residuals, ..."""
        text = self._data["certificate"]
        return Record(verdict="NOT CHECKED", ok=False) if text is None else record_of(text)

    @property
    def expectations(self) -> list[Record]:
        """The `expect` lines with their values."""
        return self.summary.get("expect", [])

    # ---- between the rows ----

    @property
    def folder(self) -> str:
        """The results folder; a temporary one goes with the result."""
        if self._folder is None:
            raise FileError("the run was made with keep=False: its motion was not kept")
        return self._folder

    def _stored(self) -> Any:
        if self._motion is None:
            model = os.path.join(self.folder, "model.pawl")  # with all changes in it
            self._motion = take(_pawl.motion(path_bytes(self.folder), source_of(model), []))
        return self._motion

    def _columns_at(self, times: Any, before: bool) -> tuple[dict[str, Any], Record, Record]:
        motion = self._stored()
        info = motion.info()
        columns = iter(take(motion.at(_pawl, times, before)))
        positions, velocities, forces, outputs = info["names"]
        values = {name: next(columns) for name in (*positions, *velocities, *forces, *outputs)}
        energy = Record((name, next(columns)) for name in ("kinetic", "potential", "action"))
        energy["works"] = Record((name, next(columns)) for name, _ in info["works"])
        modes = Record((law[6:-1] if law.endswith(")") else law[6:], next(columns)) for law in forces)
        return values, energy, modes

    def at(self, t: Any, side: str = "after") -> State:
        """The motion at a time, or at many, from its dense output: positions, velocities, forces
        (linear within a step) and outputs. At a jump `side` chooses "before" or "after". A time
        outside of the run is a ValueError."""
        if side not in ("before", "after"):
            raise ValueError(f"side is \"before\" or \"after\", not {side!r}")
        times = doubles(t, "t")
        info = self._stored().info()
        for x in times:
            if not info["from"] <= x <= info["to"]:
                raise ValueError(f"t = {x!r} is not in the run, {info['from']!r}..{info['to']!r}")
        values, energy, modes = self._columns_at(times, side == "before")
        single = is_number(t)
        pick: Callable[[Any], Any] = (lambda c: memoryview(c)[0]) if single else asarray
        state = State((name, pick(column)) for name, column in values.items())
        state["t"] = times[0] if single else asarray(times)
        state["energy"] = Record((k, pick(v)) for k, v in energy.items() if k != "works")
        state["energy"]["works"] = Record((k, pick(v)) for k, v in energy["works"].items())
        words = ("open", "held", "below")
        state["modes"] = Record((k, words[int(memoryview(v)[0])] if single
                                 else [words[int(m)] for m in memoryview(v)]) for k, v in modes.items())
        return state

    def energies(self) -> Table:
        """Kinetic and potential energy, action and works over the rows, from the dense output."""
        times = doubles(memoryview(self._columns["t"]), "t")
        _, energy, _ = self._columns_at(times, False)
        works = {f"work({name})": column for name, column in energy.pop("works").items()}
        return Table({"t": self._columns["t"], **energy, **works})

    # ---- pictures ----

    def plot(self, *curves: str, time: Any = None) -> Figure:
        """Curves over the motion, as `pawl plot` draws them: r.plot("y", "y' vs y"). Without any the
        `plot` lines of the model. A notebook shows it; `.save("F.svg")` and `.save("F.png")` write it."""
        for text in curves:
            if not isinstance(text, str):
                raise TypeError(f"a curve is an expression such as \"y' vs y\", not {type(text).__name__}")
        return Figure(*take(_pawl.figure(path_bytes(self.folder), list(curves), span_of(time))))

    def report(self, path: str | os.PathLike[str] | None = None) -> str:
        """Writes the report, one page for a browser, and returns its path."""
        target = os.path.join(self.folder, "report.html") if path is None else file_path(path)
        take(_pawl.report(path_bytes(self.folder), path_bytes(target)))
        return target

    def save(self, folder: str | os.PathLike[str]) -> str:
        """Copies the results folder, with its report."""
        target = file_path(folder)
        try:
            shutil.copytree(self.folder, target)
        except OSError as error:
            raise FileError(f"cannot write {target}: {error.strerror or error}") from error
        take(_pawl.report(path_bytes(target), path_bytes(os.path.join(target, "report.html"))))
        return target

    def __repr__(self) -> str:
        return (f"<pawl.Result of {self._name!r}: {len(self)} rows, {len(self.events)} events, "
                f"ending {self.ending!r}, {self.certificate['verdict']}>")

    def _repr_html_(self) -> str:
        """The report in a frame; the motion alone if it was not kept."""
        if self._folder is None:
            return f"<pre>{html.escape(repr(self))}</pre>"
        with open(self.report(), encoding="utf-8") as file:
            page = html.escape(file.read(), quote=True)
        return (f'<iframe srcdoc="{page}" sandbox="allow-scripts" style="width: 100%; height: 640px; '
                f'border: 1px solid #ccc"></iframe>')

    # ---- pickling: the rows, and the files of the folder ----

    def __getstate__(self) -> dict[str, Any]:
        files = {}
        if self._folder is not None:
            for name in sorted(os.listdir(self._folder)):
                with open(os.path.join(self._folder, name), "rb") as file:
                    files[name] = file.read()
        return {"columns": super().__getstate__(), "events": self.events, "data": self._data,
                "diagnostics": self.diagnostics, "name": self._name,
                "files": files if self._folder is not None else None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state["columns"])
        self.events, self._data = state["events"], state["data"]
        self.diagnostics, self._name = state["diagnostics"], state["name"]
        folder = None
        if state["files"] is not None:
            folder = tempfile.mkdtemp(prefix="pawl-")
            for name, data in state["files"].items():
                with open(os.path.join(folder, os.path.basename(name)), "wb") as file:
                    file.write(data)
        self._take_folder(folder, True)


def run(model: Source, values: Mapping[str, Value] | None = None, /, *, time: Any = None,
        output: str | os.PathLike[str] | None = None, force: bool = False, keep: bool = True,
        progress: Progress | None = None, gradient: str | Sequence[str] = (),
        input: str | os.PathLike[str] | None = None, **changes: Any) -> Result:
    """Computes the motion of a model.

    Keywords that are options of `pawl run` (tol, every, method, max_step, max_events, certify, ...)
    are options; all others change parameters and start values. Names that are no Python names, or
    are those of options, stand in `values`: pawl.run("ball.pawl", {"y'": 2}, e=0.8).

    time      the end of the span, or (begin, end); else the run statement's
    output    a results folder to write, with its report; force=True replaces one
    keep      False: no motion between the rows is kept, which is faster; then `at`, `plot` and
              `report` are not there
    progress  called some twenty times a second with t, begin, end, rows, events; False from it ends
              the run
    input     a file with courses of inputs: columns t and names of inputs, as `--input`
    gradient  parameters and start values: derivatives by them, `Result.gradient`

    A run that stops early raises `RunError`, whose `result` has what there is of it; Ctrl-C raises
    KeyboardInterrupt, with `result` too."""
    others, options = split_options(changes)
    source, pairs = source_of(model), changes_of(values, others) + input_of(input)
    if progress is not None and not callable(progress):
        raise TypeError(f"progress is a function, not {type(progress).__name__}")
    by = [gradient] if isinstance(gradient, str) else list(gradient)
    for name in by:
        if not isinstance(name, str):
            raise TypeError(f"gradient has names, not {type(name).__name__}")
    folder, temporary = None, output is None and keep
    if output is not None:
        folder = file_path(output)
        if folder == "":
            raise ValueError("output needs the name of a folder")
    elif keep:
        folder = tempfile.mkdtemp(prefix="pawl-")
    inner = None if folder is None else os.path.join(folder, "run") if temporary else folder
    try:
        (status, messages, data), raised = _pawl.run(source, pairs, options, span_of(time), path_bytes(inner),
                                                     bool(force), not temporary, progress, by)
        diagnostics = diagnostics_of(messages)
        result = None
        if data is not None:
            result = Result(data, diagnostics, source[2], inner if data["saved"] else None, False)
            if temporary:
                weakref.finalize(result, shutil.rmtree, folder, ignore_errors=True)
                folder = None
    finally:
        if temporary and folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
    if raised is not None:
        raised.result = result
        raise raised
    if status != 0:
        raise error_of(status, diagnostics, result)
    warn(diagnostics, 3)
    assert result is not None
    return result
