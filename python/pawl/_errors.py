# SPDX-License-Identifier: MIT
"""Messages and exceptions."""
from __future__ import annotations

import dataclasses
import warnings
from typing import Any

from . import _pawl


@dataclasses.dataclass(frozen=True)
class Place:
    """A stretch of a line of a model; lines and columns count from 1."""

    file: str
    line: int
    column: int
    length: int
    source: str
    label: str


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """A message about a model, with its code, place and help; str() is the text of the terminal."""

    severity: str
    code: str
    message: str
    at: Place | None
    second: Place | None
    help: list[str]
    notes: list[str]
    text: str

    def __str__(self) -> str:
        return self.text


class Error(Exception):
    """What Pawl could not do. `diagnostics` has the messages, `status` the number of the C API, and
    `result` what there is of a run that stopped early."""

    def __init__(self, text: str, diagnostics: list[Diagnostic] | None = None, status: int = 0,
                 result: Any = None) -> None:
        super().__init__(text)
        self.diagnostics = diagnostics or []
        self.status = status
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.diagnostics, self.status, self.result)


class ModelError(Error):
    """The model has errors, or its start values contradict it."""


class RunError(Error):
    """A run stopped early; `result` has what there is of it."""


class FileError(Error, OSError):
    """A file cannot be read or written."""

    def __str__(self) -> str:
        return str(self.args[0])


class PawlWarning(UserWarning):
    """A warning about a model or a run."""


_MEMORY, _ARGUMENT, _MODEL, _LIMIT, _START, _FILE = -1, -2, -3, -4, -5, -13


def _place(data: tuple[Any, ...] | None) -> Place | None:
    return None if data is None else Place(*data)


def diagnostics_of(data: list[tuple[Any, ...]]) -> list[Diagnostic]:
    return [Diagnostic(severity, code, message, _place(at), _place(second), help_, notes, text)
            for severity, code, message, at, second, help_, notes, text in data]


def error_of(status: int, diagnostics: list[Diagnostic], result: Any = None) -> Exception:
    """The exception for a status, with the text that the terminal shows."""
    errors = [d for d in diagnostics if d.severity == "error"]
    text = "\n".join(d.text.rstrip("\n") for d in errors) or _pawl.status_text(status)
    if status == _MEMORY:
        return MemoryError(text)
    if status == _FILE:
        return FileError(text, diagnostics, status, result)
    if result is not None:
        return RunError(text, diagnostics, status, result)
    kind = ModelError if status in (_MODEL, _LIMIT, _START, _ARGUMENT) else Error
    return kind(text, diagnostics, status)


def take(answer: tuple[int, list[Any], Any], level: int = 3) -> Any:
    """The result of a call; raises its error and tells its warnings."""
    status, data, result = answer
    diagnostics = diagnostics_of(data)
    if status != 0:
        raise error_of(status, diagnostics)
    warn(diagnostics, level + 1)
    return result


def warn(diagnostics: list[Diagnostic], level: int) -> None:
    for d in diagnostics:
        if d.severity == "warning":
            warnings.warn(d.text.rstrip("\n"), PawlWarning, stacklevel=level)
