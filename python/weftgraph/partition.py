"""Partitions of vertices: how good one is, how far two agree."""
from __future__ import annotations

from array import array

from . import _weft
from ._options import run_options
from .result import Table, _List

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .graph import Graph


class Quality(Table):
    """How good a partition is: a row for each community, largest first, and of all together `modularity`, `cpm`, `coverage`,
    `communities`, `largest` and `disconnected`, which `scalars` has as a dict."""

    def __init__(self, columns: dict, scalars: dict) -> None:
        super().__init__(columns)
        self.scalars = scalars

    def _all_names(self) -> list[str]:
        return [*self._columns, *self.scalars]

    def __getitem__(self, name: str) -> Any:
        return self.scalars[name] if name in self.scalars else super().__getitem__(name)

    def __repr__(self) -> str:
        of_all = ", ".join(f"{name} {value:.4g}" for name, value in self.scalars.items())
        return f"quality: {of_all}\n{self._text()}"


def _values(labels: Any) -> list:
    return labels.tolist() if hasattr(labels, "tolist") else list(labels)


def _numbered(values: list) -> tuple[array, list]:
    """A number for each label, in the order of their first appearance, and the labels by number."""
    known: dict = {}
    numbers = array("I", [known.setdefault(value, len(known)) for value in values])
    return numbers, list(known)


def _by_vertex(g: Graph, labels: Any) -> list:
    """A label for each vertex, in the order of g.ids."""
    n, found = g.vertices, {}
    values = [] if hasattr(labels, "items") else _values(labels)
    if hasattr(labels, "items"):
        found = {g._vertex(id): label for id, label in labels.items()}
    elif values and all(isinstance(value, (set, frozenset)) for value in values):
        for place, community in enumerate(values):
            for id in community:
                if found.setdefault(g._vertex(id), place) != place:
                    raise ValueError(f"labels: vertex {id!r} is in more than one community")
    elif len(values) == n:
        return values
    else:
        raise ValueError(f"labels: {len(values)} labels, but the graph has {n} vertices; a dict of ids, or sets of them, also do")
    if len(found) != n:
        raise ValueError(f"labels: {len(found)} of {n} vertices have a label; each needs one")
    return [found[v] for v in range(n)]


def quality(g: Graph, labels: Any, resolution: float, weights: bool, threads: int | None, memory_limit: int | str | None) -> Quality:
    numbers, names = _numbered(_by_vertex(g, labels))
    columns, scalars = g._handle.quality(numbers, {"resolution": resolution, "weights": weights}, run_options(threads, memory_limit))
    table = {column.name: column for column, _, _ in columns}
    table["community"] = _List("community", [names[i] for i in table["community"].tolist()])
    return Quality(table, scalars)


def agreement(a: Any, b: Any, *, threads: int | None = None, memory_limit: int | str | None = None) -> dict[str, float]:
    """How far two partitions of the same things agree: nmi, ami, ari, homogeneity, completeness, v_measure (1 = wholly), vi (variation of
    information, 0 = wholly), mutual_information, entropies (in nats) and numbers of communities.  Both are labels in the same order, or
    dicts with the same keys; `a` is the truth for homogeneity and completeness.  Labels are any hashable values."""
    if hasattr(a, "items") != hasattr(b, "items"):
        raise TypeError("agreement compares two dicts, or two sequences of labels")
    if hasattr(a, "items"):
        if len(a) != len(b) or any(key not in b for key in a):
            raise ValueError("agreement: both dicts must have the same keys")
        first, second = list(a.values()), [b[key] for key in a]
    else:
        first, second = _values(a), _values(b)
    if len(first) != len(second):
        raise ValueError(f"agreement: {len(first)} labels and {len(second)} labels")
    return _weft.agreement(_numbered(first)[0], _numbered(second)[0], len(first), run_options(threads, memory_limit))
