# SPDX-License-Identifier: MIT
"""Results that are JSON in the library: dicts whose keys are attributes, too."""
from __future__ import annotations

import json
from typing import Any

_NUMBERS = {"inf": float("inf"), "-inf": float("-inf"), "nan": float("nan")}


class Record(dict):
    """A dict whose keys can be read as attributes: r["energy"]["lost"] is r.energy.lost."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no `{name}`; there are {', '.join(map(str, self))}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *map(str, self)]


def _tidy(value: Any) -> Any:
    if isinstance(value, list):
        return [_tidy(item) for item in value]
    if isinstance(value, str):
        return _NUMBERS.get(value, value)
    return value


def _pairs(pairs: list[tuple[str, Any]]) -> Record:
    return Record((key, _tidy(value)) for key, value in pairs)


def record_of(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_pairs)
