"""Several graphs: the changes from one to another, and their union, intersection or difference."""
from __future__ import annotations

from array import array
from bisect import bisect_left
from math import isfinite

from . import _weft
from ._options import _DUPLICATES, build_rules, choice, run_options
from .graph import Graph
from .result import Labels, Table, _algorithm_info, _List

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, Sequence


class Changes:
    """The changes from one graph to another.

    `equal` is True if there are none, `scalars` has their numbers.  `vertices_removed` and `vertices_added` are
    columns of ids; `edges_removed`, `edges_added` and `weights_changed` tables with a row for each edge: source,
    target and, for graphs with weights, the weight, or `before` and `after`.  `places` is the table requested by `by`,
    or None.
    """

    def __init__(self, scalars: dict, vertices: dict, edges: dict, places: Table | None) -> None:
        self.equal: bool = bool(scalars["equal"])
        self.weights_compared: bool = bool(scalars["weights_compared"])
        self.scalars: dict[str, int] = {name: x for name, x in scalars.items() if name not in ("equal", "weights_compared")}
        self.vertices_removed, self.vertices_added = vertices["removed"], vertices["added"]
        self.edges_removed: Table = edges["removed"]
        self.edges_added: Table = edges["added"]
        self.weights_changed: Table = edges["changed"]
        self.places = places

    def __repr__(self) -> str:
        if self.equal:
            return "<changes: none, the graphs are equal>"
        one = {"vertices": "vertex", "edges": "edge", "weights": "weight"}
        some = [f"{x} {one[what] if x == 1 else what} {how}" for name, x in self.scalars.items() if x
                for what, _, how in [name.partition("_")] if how not in ("a", "b")]
        return f"<changes: {', '.join(some) or 'one graph has weights, the other has none'}>"


class _Ids:
    """Graphs whose ids can be matched by the library: for ids that are objects, by the numbers of a common list."""

    def __init__(self, graphs: Sequence[Graph]) -> None:
        self.labels: list | None = None
        self.handles = [g._handle for g in graphs]
        if all(g._labels is None for g in graphs):
            return
        known: dict = {}
        ids = [g.ids.tolist() for g in graphs]
        numbers = [array("q", (known.setdefault(x, len(known)) for x in of)) for of in ids]
        self.labels = list(known)
        self.handles = [_renumbered(g, n) for g, n in zip(graphs, numbers)]

    def column(self, which: int, vertices: Any, name: str) -> Any:
        found = self.handles[which].id_column(vertices, name)
        return found if self.labels is None else Labels(name, self.labels, array("I", found.tolist()))


def _renumbered(g: Graph, number: array) -> _weft.Graph:
    """The same edges between vertices whose ids are these numbers."""
    rows = g.csr()
    offsets, targets, weights = rows[0].tolist(), rows[1].tolist(), None if rows[2] is None else rows[2].tolist()
    arcs = [(u, e) for u in range(g.vertices) for e in range(offsets[u], offsets[u + 1]) if g.directed or u <= targets[e]]
    given = {"sources": array("q", (number[u] for u, _ in arcs)), "targets": array("q", (number[targets[e]] for _, e in arcs)),
             "any_ids": True, "more_ids": number, "weights": None}
    if weights is not None:
        given["weights"] = array({"u32": "I", "f32": "f", "f64": "d"}[g.weight_type], (weights[e] for _, e in arcs))
    return _weft.from_arrays(given, build_rules(g.directed, "keep", "keep"), {})


def _changes(a: Graph, b: Graph, weights: bool, options: dict) -> tuple[_Ids, dict, dict]:
    ids = _Ids([a, b])
    columns, scalars = _weft.changes(ids.handles[0], ids.handles[1], weights, options)
    return ids, {column.name: column for column, _, _ in columns}, scalars


def equal(a: Graph, b: Graph) -> bool:
    """True if `compare` would find nothing; ids that are numbers in one graph and names in the other are different
    ids."""
    x, y = a._handle.facts, b._handle.facts
    if x[:2] != y[:2] or x[3] != y[3]:
        return False
    if a._labels is None and b._labels is None and a.vertices and (x[5] == "string") != (y[5] == "string"):
        return False
    return bool(_changes(a, b, True, {})[2]["equal"])


def compare(a: Graph, b: Graph, *, weights: bool = True, by: str | tuple[str, dict] | None = None, top: int = 10,
            threads: int | None = None, memory_limit: int | str | None = None) -> Changes:
    """The changes from graph `a` to graph `b`: vertices and edges that were removed or added, weights that changed.

    Vertices are matched by their ids.  Between the same two vertices, edges of equal weights are matched.

    Args:
        weights: False compares edges by their ends alone
        by: an algorithm, "pagerank", ("bfs", {"source": 3}) or, by another column than the main one, "degree.in": `places` of the
            answer has the first vertices of `b` by it, and those that were among the first of `a`, with their places in both
        top: the number of first vertices
        threads, memory_limit: as everywhere
    """
    options = run_options(threads, memory_limit)
    ids, columns, scalars = _changes(a, b, weights, options)
    vertices = {what: ids.column(which, columns[f"{what}_vertex"], f"vertices_{what}") for which, what in enumerate(("removed", "added"))}
    edges = {}
    for which, what, values in ((0, "removed", {"weight": "removed_weight"}), (1, "added", {"weight": "added_weight"}),
                                (0, "changed", {"before": "weight_before", "after": "weight_after"})):
        ends = {end: ids.column(which, columns[f"{what}_{end}"], end) for end in ("source", "target")}
        edges[what] = Table({**ends, **{name: columns[c] for name, c in values.items() if c in columns}})
    places = None if by is None else _places(a, b, by, top, threads, memory_limit)
    return Changes(scalars, vertices, edges, places)


# --- places in a ranking ------------------------------------------------------------------------------------------


class _Ranking:
    """Vertices by a column of an algorithm: the place of a vertex is 1 more than the number of vertices with a better
    value."""

    def __init__(self, g: Graph, by: str | tuple[str, dict], threads: int | None, memory_limit: int | str | None) -> None:
        name, params = (by, {}) if isinstance(by, str) else by
        algorithm, _, column = name.partition(".")
        result = g.plan(algorithm, threads=threads, memory_limit=memory_limit, **params).run()
        column = column or _algorithm_info(algorithm)["top_by"] or ""
        found = result._raw.get(column)
        others = (_algorithm_info(algorithm)["groups"], "parent")
        if found is None or column not in result.by_vertex.columns or len(found.shape) > 1 or column in others:
            raise ValueError(f"by: {algorithm} has no number {column!r} for each vertex")
        smallest = column == _algorithm_info(algorithm)["ordinal"]
        missing = 0xFFFFFFFF if found.has_gaps else None
        self.values = {id: x for id, x in zip(g.ids.tolist(), found.tolist()) if x is not None and x != missing and isfinite(x)}
        self.order = [g.ids[v] for v in memoryview(_weft.top(found, 0, smallest, len(found))).cast("I")[:len(self.values)]]
        self.sign = 1 if smallest else -1
        self.sorted = sorted(self.sign * x for x in self.values.values())

    def place(self, id: Any) -> int | None:
        return bisect_left(self.sorted, self.sign * self.values[id]) + 1 if id in self.values else None


def _places(a: Graph, b: Graph, by: str | tuple[str, dict], top: int, threads: int | None, memory_limit: int | str | None) -> Table:
    before, after = (_Ranking(g, by, threads, memory_limit) for g in (a, b))
    ids = list(dict.fromkeys(after.order[:top] + before.order[:top]))
    return Table({"id": _List("id", ids), "before": _List("before", [before.place(x) for x in ids]),
                  "after": _List("after", [after.place(x) for x in ids]),
                  "value_before": _List("value_before", [before.values.get(x) for x in ids]),
                  "value_after": _List("value_after", [after.values.get(x) for x in ids])})


# --- one graph of several -------------------------------------------------------------------------------------------


def merge(*graphs: Graph, mode: Literal["union", "intersection", "difference"] = "union",
          duplicates: Literal["drop", "keep", "sum", "refuse", "min", "max", "mean", "count"] | None = None,
          threads: int | None = None, memory_limit: int | str | None = None) -> Graph:
    """A graph with the vertices and edges of any of these, of all of them ("intersection"), or with the vertices of
    the first and its edges that no other graph has ("difference").

    Args:
        duplicates: the rule for edges between the same two vertices, from any of the graphs: one edge with the smallest ('min', 'drop'),
            largest, mean or summed weight, or with their number as weight; all of them ('keep'); or they are refused.  None: one
            edge if their weights agree, and a ParameterError otherwise
        threads, memory_limit: as everywhere
    """
    if not graphs or any(not isinstance(g, Graph) for g in graphs):
        raise TypeError("merge(g, h, ...) takes graphs")
    ids = _Ids(graphs)
    how = choice("mode", {"union": 0, "intersection": 1, "difference": 2}, mode)
    rule = 0 if duplicates is None else choice("duplicates", _DUPLICATES, duplicates)
    merged = _weft.merge(ids.handles, how, rule, run_options(threads, memory_limit))
    if ids.labels is None:
        return Graph(merged)
    labels = [ids.labels[i] for i in merged.id_column(None, "id").tolist()]
    return Graph(merged, labels, {x: i for i, x in enumerate(labels)})
