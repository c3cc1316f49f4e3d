"""Partitions of vertices: the quality of one, and the agreement of two."""
from __future__ import annotations

from array import array

from . import _weft
from ._options import run_options
from .errors import counted
from .result import Result, Table, _List, _algorithm_info

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .graph import Graph


class Quality(Table):
    """The quality of a partition: a row for each community, largest first, and for all together `modularity`, `cpm`,
    `coverage`, `communities`, `largest` and `disconnected`, which `scalars` has as a dict."""

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


def _given(labels: Any, name: str) -> dict | list:
    """Labels by id, or in an order.  Results of algorithms that find groups, dicts, and sets of ids have ids."""
    if isinstance(labels, Table):
        groups = _algorithm_info(labels.algorithm)["groups"] if isinstance(labels, Result) else None
        if not groups:
            raise ValueError(f"{name}: this table has no groups; one of its columns may be labels")
        return dict(zip(labels["id"], labels[groups]))
    if isinstance(labels, (str, bytes, set, frozenset)):
        raise TypeError(f"{name}: labels come in an order, or with their ids, which a {type(labels).__name__} does not have")
    if hasattr(labels, "items"):
        return dict(labels.items())
    values = labels.tolist() if hasattr(labels, "tolist") else list(labels)
    if not values or not all(isinstance(value, (set, frozenset)) for value in values):
        return values
    found: dict = {}
    for place, community in enumerate(values):
        for id in community:
            if found.setdefault(id, place) != place:
                raise ValueError(f"{name}: vertex {id!r} is in more than one community")
    return found


def _numbered(values: list) -> tuple[array, list]:
    """A number for each label, in the order of their first occurrence, and the labels by number."""
    known: dict = {}
    numbers = array("I", [known.setdefault(value, len(known)) for value in values])
    return numbers, list(known)


def by_vertex(g: Graph, labels: Any, name: str = "labels") -> tuple[array, list]:
    """A number for each vertex, in the order of g.ids, and the labels by number."""
    n, given = g.vertices, _given(labels, name)
    if isinstance(given, list):
        if len(given) != n:
            raise ValueError(f"{name}: a dict of ids, sets of them, or {counted(n, 'label')}, one for each vertex, are needed, "
                             f"not {counted(len(given), 'label')}")
        return _numbered(given)
    found = {g._vertex(id): label for id, label in given.items()}
    if len(found) != n:
        first = next(v for v in range(n) if v not in found)
        raise ValueError(f"{name}: {len(found)} of {n} vertices have a label; vertex {g._id_column(None, 'id')[first]!r} has no label")
    return _numbered([found[v] for v in range(n)])


def quality(g: Graph, labels: Any, resolution: float, weights: bool, threads: int | None, memory_limit: int | str | None) -> Quality:
    numbers, names = by_vertex(g, labels)
    columns, scalars = g._handle.quality(numbers, {"resolution": resolution, "weights": weights}, run_options(threads, memory_limit))
    table = {column.name: column for column, _, _ in columns}
    table["community"] = _List("community", [names[i] for i in table["community"].tolist()])
    return Quality(table, scalars)


def agreement(a: Any, b: Any, *, threads: int | None = None, memory_limit: int | str | None = None) -> dict[str, float]:
    """The agreement of two partitions of the same objects: nmi, ami, ari, homogeneity, completeness, v_measure (1 =
    full agreement), vi (variation of information, 0 = full agreement), mutual_information, entropies (in nats) and
    numbers of communities.  Both are labels in the same order; or both have the same ids: dicts, lists of sets, or
    results with groups.  `a` is the truth for homogeneity and completeness.  Labels are any hashable values."""
    first, second = _given(a, "agreement"), _given(b, "agreement")
    if isinstance(first, dict) and isinstance(second, dict):
        if first.keys() != second.keys():
            raise ValueError("agreement: both must have the same ids")
        first, second = list(first.values()), [second[key] for key in first]
    if isinstance(first, dict) or isinstance(second, dict):
        raise TypeError("agreement compares labels by id (dicts, sets, results) with such, or two sequences of labels")
    if len(first) != len(second):
        raise ValueError(f"agreement: {counted(len(first), 'label')} and {counted(len(second), 'label')}")
    return _weft.agreement(_numbered(first)[0], _numbered(second)[0], len(first), run_options(threads, memory_limit))
