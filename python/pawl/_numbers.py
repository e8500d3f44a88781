# SPDX-License-Identifier: MIT
"""Numbers of the library as arrays: of NumPy where it is, else memoryviews. Never copied."""
from __future__ import annotations

import array
import numbers
from typing import Any, Iterable


def asarray(buffer: Any) -> Any:
    try:
        import numpy
    except ImportError:
        return memoryview(buffer)
    return numpy.asarray(buffer)


def doubles(values: Any, what: str) -> Any:
    """Contiguous doubles from numbers of any kind."""
    try:
        return array.array("d", [float(values)] if is_number(values)
                           else [float(v) for v in values])
    except OverflowError:
        raise ValueError(f"{what} is too large for a number") from None
    except (TypeError, ValueError):
        raise TypeError(f"{what} is a number, or a list or array of numbers") from None


def real(value: Any, what: str) -> float:
    """As float, with a sentence for integers that no float can hold."""
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{what} is too large for a number") from None


def whole(value: Any, what: str) -> int:
    """As int, within what the library counts with."""
    n = int(value)
    if abs(n) > 2**31 - 1:
        raise ValueError(f"{what} is at most {2**31 - 1}")
    return n


def is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) or (hasattr(value, "__float__")
                                               and getattr(value, "ndim", 1) == 0)


def number(value: Any, what: str, finite: bool = True) -> float:
    """A single number."""
    x = doubles(value, what)
    if len(x) != 1:
        raise TypeError(f"{what} is a number, not {len(x)} of them")
    if x[0] != x[0] or finite and x[0] in (float("inf"), float("-inf")):
        raise ValueError(f"{what} is {x[0]}: not a{' finite' if finite else ''} number")
    return x[0]


class Table:
    """Columns by name, all of one length. table["y"] is a NumPy array that shares its memory with
    the result (without NumPy a memoryview)."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self._columns = columns

    def __getitem__(self, name: str) -> Any:
        try:
            column = self._columns[name]
        except (KeyError, TypeError):
            raise KeyError(f"no column {name!r}; there are {', '.join(self._columns)}") from None
        return column if isinstance(column, list) else asarray(column)

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterable[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), []))

    def __repr__(self) -> str:
        return f"<pawl.{type(self).__name__}: {len(self)} rows of {', '.join(self._columns)}>"

    def keys(self) -> list[str]:
        return list(self._columns)

    @property
    def frame(self) -> Any:
        """All columns as a pandas.DataFrame; needs pandas."""
        try:
            import pandas
        except ImportError:
            raise ImportError("a frame needs pandas (Debian package python3-pandas)") from None
        return pandas.DataFrame({name: self[name] for name in self})

    def __getstate__(self) -> dict[str, Any]:
        return {name: column if isinstance(column, list) else (memoryview(column).format, bytes(memoryview(column)))
                for name, column in self._columns.items()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._columns = {name: column if isinstance(column, list) else memoryview(column[1]).cast(column[0])
                         for name, column in state.items()}
