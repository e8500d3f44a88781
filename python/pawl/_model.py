# SPDX-License-Identifier: MIT
"""Models and the values that change them."""
from __future__ import annotations

import numbers
import os
from typing import Any, Mapping, Sequence, Union

from . import _pawl
from ._record import Record, record_of
from ._errors import take
from ._numbers import is_number, real

Value = Union[float, int, str, Sequence[float]]
Source = Union[str, "os.PathLike[str]", "Model"]

OPTIONS: dict[str, str] = {word.replace("-", "_"): word for word, _ in _pawl.option_words()
                           if word != "realise"}  # a change of the model


class Model:
    """A model: a file, or its text.

    >>> ball = pawl.Model(text='''
    ... parameter g = 9.81
    ... coordinates y
    ... kinetic T = 1/2*y'^2
    ... potential V = g*y
    ... start y = 1, y' = 0
    ... run 0..1
    ... ''')
    >>> ball.check().coordinates
    ['y']
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, *, text: str | None = None,
                 name: str = "model.pawl") -> None:
        if (path is None) == (text is None):
            raise TypeError("a model is either a file or a text")
        if text is not None and not isinstance(text, str):
            raise TypeError(f"the text of a model is a str, not {type(text).__name__}")
        self.path = None if path is None else file_path(path)
        self.text = None if text is None else whole_text(text, "the text of a model")
        self.name = self.path or name

    def __repr__(self) -> str:
        return f"pawl.Model({self.path!r})" if self.path else f"pawl.Model(text=..., name={self.name!r})"

    def check(self, values: Mapping[str, Value] | None = None, /, **changes: Value) -> Record:
        """What is in the model; see `pawl.check`."""
        return check(self, values, **changes)

    def latex(self, values: Mapping[str, Value] | None = None, /, **changes: Value) -> str:
        """Its mathematics as a LaTeX document."""
        return take(_pawl.export(source_of(self), changes_of(values, changes), "latex"))

    def typst(self, values: Mapping[str, Value] | None = None, /, **changes: Value) -> str:
        """Its mathematics as a Typst document."""
        return take(_pawl.export(source_of(self), changes_of(values, changes), "typst"))


def file_path(path: Any) -> str:
    path = os.fspath(path)
    if not isinstance(path, str):
        raise TypeError(f"a path is a str, not {type(path).__name__}")
    if "\0" in path:
        raise ValueError("a path cannot contain a NUL")
    return path


def path_bytes(path: str | None) -> bytes | None:
    """As the file system has it: names that are no UTF-8 (os.listdir gives them) too."""
    return None if path is None else os.fsencode(path)


def whole_text(text: str, what: str) -> str:
    """A text that UTF-8 can hold."""
    for i, c in enumerate(text) if not text.isascii() else ():
        if "\ud800" <= c <= "\udfff":
            raise ValueError(f"{what} has half a character (the lone surrogate U+{ord(c):04X}) at index {i}")
    return text


def source_of(model: Source) -> tuple[bytes | None, str | None, str]:
    """(path, text, name). A str with a line break is the text of a model."""
    if isinstance(model, Model):
        return path_bytes(model.path), model.text, shown(model.name)
    if isinstance(model, str) and "\n" in model:
        return None, whole_text(model, "the text of a model"), "model.pawl"
    try:
        path = file_path(model)
    except TypeError:
        raise TypeError("a model is a path, a text or a pawl.Model, not "
                        + type(model).__name__) from None
    return path_bytes(path), None, shown(path)


def shown(path: str) -> str:
    """A path in a message: bytes that are no UTF-8 as U+FFFD."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def value_text(name: str, value: Any) -> str:
    """A value as the command line takes it: all digits of a number, a text as it is."""
    if isinstance(value, str):
        return whole_text(value, f"the value of {shown(name)}")
    if isinstance(value, bool):
        raise TypeError(f"{name} is a number or a text, not a bool")
    if is_number(value) or hasattr(value, "__float__") and not hasattr(value, "__len__"):
        number = real(value, name)
        if number != number or number in (float("inf"), float("-inf")):
            raise ValueError(f"{name} is {number}: not a finite number")
        return repr(number)
    if hasattr(value, "__len__") and hasattr(value, "__getitem__"):
        return "(" + ", ".join(value_text(name, item) for item in value) + ")"
    raise TypeError(f"{name} is a number or a text, not {type(value).__name__}")


def changes_of(values: Mapping[str, Value] | None, changes: Mapping[str, Value]) -> list[tuple[str, str]]:
    """Changed parameters and start values, and realisations. `values` is for names that are no Python
    names."""
    if values is not None and not isinstance(values, Mapping):
        raise TypeError(f"values are a dict of names and numbers, not {type(values).__name__}")
    both = dict(values or {})
    for name in both:
        if not isinstance(name, str):
            raise TypeError(f"a name is a str, not {type(name).__name__}")
    both.update(changes)
    for name in both:
        whole_text(name, "a name")
    ways = both.pop("realise") if isinstance(both.get("realise"), Mapping) else {}
    return [(name, value_text(name, value)) for name, value in both.items()] + realisations(ways)


def realisations(ways: Mapping[str, str]) -> list[tuple[str, str]]:
    """`realise={"skate": "vakonomic"}`: other realisations of constraints, as the library takes them."""
    for law, how in ways.items():
        if not isinstance(law, str) or not isinstance(how, str):
            raise TypeError(f"realise is a dict of constraints and words, not of {law!r} and {how!r}")
    return [(f"realise {whole_text(law, 'a name')}", whole_text(how, "a realisation"))
            for law, how in ways.items()]


def input_of(path: Any) -> list[tuple[str, str | bytes]]:
    """`input="pushes.csv"`, courses of inputs, as the library takes it."""
    return [] if path is None else [("input file", os.fsencode(file_path(path)))]


def split_options(keywords: dict[str, Any]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Keywords that are words of the option table, and the others, which change the model."""
    changes, options = {}, []
    for name, value in keywords.items():
        if name not in OPTIONS:
            changes[name] = value
        elif isinstance(value, bool):
            options.append((OPTIONS[name], "on" if value else "off"))
        elif value is not None:
            text = str(value) if isinstance(value, (str, int)) else repr(real(value, name))
            options.append((OPTIONS[name], text))
    return changes, options


def span_of(time: Any) -> tuple[float, float] | None:
    """None, the end, or (begin, end)."""
    if time is None:
        return None
    try:
        begin, end = (0.0, float(time)) if isinstance(time, numbers.Real) else map(float, time)
    except OverflowError:
        raise ValueError("time is too large for a number") from None
    except (TypeError, ValueError):
        raise TypeError("time is the end of the span, or (begin, end)") from None
    if not begin < end or max(abs(begin), abs(end)) > 1e100:
        raise ValueError(f"the span {begin}..{end} does not go forward in time")
    return begin, end


def check(model: Source, values: Mapping[str, Value] | None = None, /, **changes: Value) -> Record:
    """Checks a model and tells what is in it: coordinates, laws, parameters, start values, ...

    Raises `ModelError` with all messages if it has errors."""
    return record_of(take(_pawl.check(source_of(model), changes_of(values, changes), False)))


def fmt(text: str) -> str:
    """The normal form of the text of a model, as `pawl fmt` writes it."""
    if isinstance(text, str):
        whole_text(text, "the text of a model")
    return take(_pawl.format(text, "model.pawl"))


def explain(code: str) -> str:
    """The long explanation of a code such as "E0101"."""
    found = _pawl.explain(code)
    if found is None:
        raise KeyError(code)
    return found
