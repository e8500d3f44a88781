# SPDX-License-Identifier: MIT
"""Figures as the library draws them."""
from __future__ import annotations

import os
from typing import Any

from ._errors import FileError
from ._numbers import asarray
from ._record import Record


class Figure:
    """Curves over a motion. A notebook shows it; str() draws it with dots of braille."""

    def __init__(self, svg: str, png: bytes, text: str, curves: list[tuple[Any, ...]]) -> None:
        self.svg, self.png, self.text, self._curves = svg, png, text, curves

    @property
    def curves(self) -> list[Record]:
        """Each with its expressions y and x (None: the time), units, panel, and the arrays t, xs, ys."""
        return [Record(y=y, x=x, y_unit=y_unit, x_unit=x_unit, panel=panel, t=asarray(t),
                       xs=asarray(xs), ys=asarray(ys))
                for y, x, y_unit, x_unit, panel, (t, xs, ys) in self._curves]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes F.svg or F.png."""
        name = os.fspath(path)
        if not name.endswith((".svg", ".png")):
            raise ValueError(f"a figure is saved as F.svg or F.png, not {name!r}")
        data = self.svg.encode("utf-8") if name.endswith(".svg") else self.png
        try:
            with open(name, "wb") as file:
                file.write(data)
        except OSError as error:
            raise FileError(f"cannot write {name}: {error.strerror or error}") from error

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<pawl.Figure: {', '.join(c[0] for c in self._curves)}>"

    def __str__(self) -> str:
        return self.text
