"""Graphs: facts, ids, runs, and conversions to other libraries."""
from __future__ import annotations

import warnings

from . import _weft
from ._algorithms import Algorithms
from ._options import build_rules, run_options
from .attributes import (EdgeTable, VertexTable, beside, columns_of, edge_columns_of, in_order, is_frame, of_edges,
                         of_frame, pack, plain, shown, side_columns)
from .errors import InputError, NotFoundError, ParameterError, _warn
from .result import Labels, Plan, Runs, Sweep, _algorithm_info

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from typing import Any, Iterable, Iterator, Literal, Mapping

    from ._types import Device, Id
    from .columns import Column
    from .partition import Quality
    from .report import Report
    from .result import Result


class Graph(Algorithms):
    """A graph: immutable, and safe to share between threads.  Each algorithm is a method; `plan` describes a run in
    advance."""

    __slots__ = ("_handle", "_labels", "_index", "_left_out", "__weakref__")

    def __init__(self, handle: _weft.Graph | None = None, labels: list | None = None, index: dict | None = None) -> None:
        if not isinstance(handle, _weft.Graph):
            raise TypeError("graphs are made by weftgraph.read, from_edges and other functions, not by calling Graph")
        self._handle, self._labels, self._index, self._left_out = handle, labels, index or {}, (0, 0)

    # --- facts ---------------------------------------------------------------------------------

    @property
    def vertices(self) -> int:
        """Number of vertices."""
        return self._handle.facts[0]

    @property
    def edges(self) -> int:
        """Number of edges; an undirected edge counts once."""
        return self._handle.facts[1]

    @property
    def arcs(self) -> int:
        """Number of stored arcs."""
        return self._handle.facts[2]

    @property
    def directed(self) -> bool:
        """Whether edges have a direction."""
        return self._handle.facts[3]

    @property
    def weight_type(self) -> str:
        """'none', 'u32', 'f32' or 'f64'."""
        return self._handle.facts[4]

    @property
    def notes(self) -> tuple:
        """Remarks on how the file was read, or how `project` found sides, if there was a choice."""
        return self._handle.notes

    @property
    def weighted(self) -> bool:
        """Whether arcs have weights."""
        return self.weight_type != "none"

    @property
    def ids(self) -> Column:
        """The ids of the vertices, in the order of the rows of every result."""
        return self._id_column(None, "id")

    @property
    def sides(self) -> tuple[str, str] | None:
        """The names of the two kinds of vertices of a bipartite graph; None if its vertices are of one kind."""
        sides = self._handle.sides()
        return sides and sides[:2]

    def vertex_table(self) -> VertexTable:
        """The data of the vertices: a dict of columns, `id`, in a bipartite graph `side`, and the attributes, with
        None for missing values; `.to_pandas()`, `.to_polars()` and `.to_arrow()` are frames."""
        table = VertexTable({"id": self.ids.tolist()})
        sides = self._handle.sides()
        if sides:
            table["side"] = [sides[k] for k in sides[2]]
        columns = columns_of(self._handle)
        called = shown(table, columns)
        table.update({called[name]: values for name, values in columns.items()})
        table.shared = {called[name]: c for name, c in self._handle.attribute_arrays()}
        return table

    def neighbors(self, id: Id, direction: Literal["out", "in"] = "out") -> list:
        """The ids of the vertices that edges lead to from this vertex, or, in a directed graph with direction='in',
        come from; an id is repeated for parallel edges."""
        if direction not in ("out", "in"):
            raise ValueError(f"direction is 'out' or 'in', not {direction!r}")
        v, ids = self._vertex(id), self.ids
        offsets, targets, _ = self.csr(direction == "in")
        starts = memoryview(offsets)
        return [ids[u] for u in memoryview(targets)[starts[v]:starts[v + 1]]]

    def __iter__(self) -> Iterator[Id]:
        """The ids of the vertices."""
        return iter(self.ids)

    def edge_table(self) -> EdgeTable:
        """The edges, each once: a dict of columns, `source`, `target`, `weight` if there are weights, and the columns
        of edges (`keep` of `read`), with None for missing values; `.to_pandas()`, `.to_polars()` and `.to_arrow()` are
        frames."""
        offsets, targets, weights = self.csr()
        ids = self.ids.tolist()
        once = [(u, v, e) for e, (u, v) in enumerate(_arcs(offsets.tolist(), targets.tolist())) if self.directed or u <= v]
        table = EdgeTable({"source": [ids[u] for u, _, _ in once], "target": [ids[v] for _, v, _ in once]})
        if weights is not None:
            of = weights.tolist()
            table["weight"] = [of[e] for _, _, e in once]
        columns = edge_columns_of(self._handle)
        called = shown(("source", "target", "weight"), columns)
        table.update({called[name]: [values[e] for _, _, e in once] for name, values in columns.items()})
        if self.directed:  # then a row is an arc
            arrays = {called[name]: c for name, c in self._handle.edge_column_arrays()}
            table.shared = arrays if weights is None else {**arrays, "weight": weights}
        return table

    def filter_edges(self, condition: str, *, threads: int | None = None) -> Graph:
        """All vertices, and the edges whose columns meet a condition, such as "amount > 10 and date >= 2024-03-01"
        (docs/where.md)."""
        return Graph(self._handle.filter_edges(condition, run_options(threads)), self._labels, self._index)

    def weighted_by(self, column: str | None, *, threads: int | None = None) -> Graph:
        """The same graph with a column of edges as its weights; None: without weights."""
        return Graph(self._handle.weighted_by(column, run_options(threads)), self._labels, self._index)

    def with_attributes(self, attributes: Any = None, /, *, threads: int | None = None, **columns: Any) -> Graph:
        """The same graph, sharing its rows and ids, with attributes of the vertices added, or replaced by name.  A
        column is a sequence in the order of `ids`, or a dict from ids to values; a series of pandas is matched by its
        index, like a dict, but by order if it has pandas' default index.  `attributes` is a dict of columns, a data
        frame (rows are matched by its column `id`, else by its index), or an object with Arrow's stream interface.
        Values are int, float, bool, str, date or datetime; None is a missing value."""
        ids = self.ids.tolist()
        table = of_frame(attributes, ids) if is_frame(attributes) else dict(attributes or {})
        table.update(columns)
        return Graph(self._handle.with_attributes(pack(table, ids), run_options(threads)), self._labels, self._index)

    def with_sides(self, sides: Any, names: tuple[str, str] | None = None, *, threads: int | None = None) -> Graph:
        """The same graph, bipartite: each vertex is on one of two sides, and an edge within a side is an error.
        `sides` has a value for each vertex, 0 or 1, False or True, or one of two names, as a sequence in the order of
        `ids` or a dict from ids; `names` are the names of the sides, by default the values in the order of their first
        occurrence if they are names, else '0' and '1'."""
        ids = self.ids.tolist()
        values = [plain(x) for x in in_order("sides", sides, ids)]
        found = tuple(dict.fromkeys(x for x in values if isinstance(x, str)))
        called = found or ("0", "1") if names is None else tuple(names)
        if len(called) != 2 or not all(isinstance(x, str) for x in called):
            raise ValueError(f"sides: there are two, with a name each, not {called!r}")
        place: dict[Any, int] = {0: 0, 1: 1, called[0]: 0, called[1]: 1}
        strange = [i for i, x in enumerate(values) if x not in place]
        if strange:
            raise ValueError(f"sides: of vertex {ids[strange[0]]!r} it is {values[strange[0]]!r}, which is no side")
        of = bytes(place[x] for x in values)
        return Graph(self._handle.with_sides(called[0], called[1], of, run_options(threads)), self._labels, self._index)

    def with_edge_columns(self, columns: Any = None, /, *, threads: int | None = None, **more: Any) -> Graph:
        """The same graph with columns of edges added, or replaced by name.  A column is a sequence in the order of
        `edge_table()`, or a dict from pairs (source, target) to values; `columns` is a dict of columns or a data frame
        with the columns source and target.  A series of pandas with an index of its own is refused, since edges have
        no ids.  Values are those of `with_attributes`."""
        offsets, targets, _ = self.csr()
        ids = self.ids.tolist()
        pairs = [(ids[u], ids[v]) for u, v in _arcs(offsets.tolist(), targets.tolist()) if self.directed or u <= v]
        packed = pack(of_edges(columns, more, pairs, self.directed), pairs, "edges")
        return Graph(self._handle.with_edge_columns(packed, run_options(threads)), self._labels, self._index)

    def info(self) -> dict:
        """All counts of the graph: degrees, loops, weights, dropped edges, bytes."""
        return self._handle.describe({})

    def fingerprint(self) -> int:
        """A hash of vertices, arcs, weights and ids, the same for equal graphs on every machine."""
        return self._handle.fingerprint()

    def __len__(self) -> int:
        return self.vertices

    def __contains__(self, id: object) -> bool:
        try:
            self._vertex(id)
        except (NotFoundError, TypeError):
            return False
        return True

    def __eq__(self, other: object) -> bool:
        """True if both have the same vertices, edges and weights, by their ids: equality as of `compare`."""
        if not isinstance(other, Graph):
            return NotImplemented
        from . import several

        return self._handle is other._handle or several.equal(self, other)

    def __hash__(self) -> int:
        return hash((self.vertices, self.edges, self.directed))

    def __repr__(self) -> str:
        n, m, _, directed, weights, _ = self._handle.facts
        kind = "directed" if directed else "undirected"
        return (f"<graph: {n} {'vertex' if n == 1 else 'vertices'}, {m} {kind} edge{'' if m == 1 else 's'}"
                + (f", weights {weights}>" if weights != "none" else ">"))

    def _repr_html_(self) -> str:
        from html import escape

        info = self.info()
        rows = "".join(f"<tr><td>{escape(k.replace('_', ' '))}</td><td>{escape(str(info[k]))}</td></tr>"
                       for k in ("vertices", "edges", "directed", "weight_type", "max_degree", "mean_degree", "isolated", "self_loops"))
        return f"<p>{escape(repr(self))}</p><table><tbody>{rows}</tbody></table>"

    # --- ids -------------------------------------------------------------------------------------

    def _vertex(self, id: Any) -> int:
        if self._labels is not None:
            try:
                return self._index[id]
            except KeyError:
                raise NotFoundError(f"no vertex {id!r} in this graph") from None
        if self._handle.facts[5] != "string" and not isinstance(id, str) and not hasattr(id, "__index__"):
            raise TypeError(f"ids of this graph are whole numbers, not {id!r}")
        return self._handle.find(id)

    def _vertices(self, ids: Iterable[Any], name: str) -> Any:
        from . import _arrays

        _arrays.refuse_text(ids, name)
        if self._labels is None and self._handle.facts[5] != "string":
            given = _arrays.numbers(ids, name)
            if isinstance(given, tuple) or not _arrays.is_whole(given):
                raise TypeError(f"{name}: ids of this graph are whole numbers")
            if memoryview(given).format not in "lq" or memoryview(given).itemsize != 8:
                given = _arrays.wide(given)
            return memoryview(self._handle.find_many(given)).cast("I")
        return _arrays.array("I", map(self._vertex, ids))

    def _pairs(self, given: Any, name: str) -> Any:
        """The vertices of pairs, two after each other, from pairs or from an array with two columns."""
        from . import _arrays

        table = getattr(given, "ndim", 1) == 2 and given.shape[1] == 2
        *ends, more = (given[:, 0], given[:, 1], None) if table else _weft.unzip(given)
        if more is not None:
            raise ValueError(f"{name}: a pair has two ids")
        first, second = (self._vertices(side, name) for side in ends)
        if not len(first):
            raise ValueError(f"{name} names no pair")
        both = _arrays.array("I", bytes(8 * len(first)))
        both[0::2], both[1::2] = _arrays.array("I", first), _arrays.array("I", second)
        return both

    def _weights(self, given: Any, name: str) -> Any:
        from . import _arrays

        n = self.vertices
        if hasattr(given, "items"):
            all_ = _arrays.array("d", bytes(8 * n))
            for id, weight in given.items():
                all_[self._vertex(id)] = weight
            return all_
        values = _arrays.numbers(given, name)
        if isinstance(values, (list, tuple)) or len(memoryview(values)) != n:
            raise ValueError(f"{name}: a dict of ids, or {n} weights, one for each vertex, are needed")
        return values if memoryview(values).format == "d" else _arrays.array("d", memoryview(values).tolist())

    def _partition(self, given: Any, name: str) -> Any:
        """Labels of any kind as numbers, in the order of their first occurrence."""
        from .partition import by_vertex

        return by_vertex(self, given, name)[0]

    def _id_column(self, vertices: Any, name: str) -> Any:
        if self._labels is None:
            return self._handle.id_column(vertices, name)
        return Labels(name, self._labels, None if vertices is None else memoryview(vertices).cast("B").cast("I"))

    # --- runs --------------------------------------------------------------------------------------

    def _plan(self, algorithm: str, params: dict, top: int | None, verify: bool, options: dict) -> Plan:
        info = _algorithm_info(algorithm)
        if algorithm == "aggregate" and self.weighted:
            raise ParameterError("aggregate does not use weights, and the graph has some; "
                                 "without them it is graph.weighted_by(None)")
        kinds = {p["name"].replace("-", "_"): p["type"] for p in info["params"]}
        params, given = _renamed(info, params), {}
        for name, value in params.items():
            kind = kinds.get(name)
            if kind == "vertex" and value is None:
                raise TypeError(f"{name} is None, which is no vertex; without {name} the library chooses one")
            if value is None or value is ...:
                continue
            if kind == "vertex":
                if isinstance(value, (list, set)) and "sources" in kinds:
                    raise TypeError(f"{name} is one vertex; several go to sources=")
                value = self._vertex(value)
            elif kind == "vertices":
                value = self._vertices(value, name)
                if not len(value):
                    raise ValueError(f"{name} names no vertex")
            elif kind == "pairs":
                value = self._pairs(value, name)
            elif kind == "weights":
                value = self._weights(value, name)
            elif kind == "labels":
                value = self._partition(value, name)
            elif kind == "matrix":
                value = _matrix(value, options)
            given[name] = value
        return Plan(self, algorithm, _weft.plan(self._handle, algorithm, given, options), top, verify)

    def _run(self, algorithm: str, params: dict, top: int | None, device: str, threads: int | None, memory_limit: Any,
             verify: bool, gpu: int, on_device: bool, stream: int | None, comm: Any) -> Result | Sweep:
        how = (top, device, threads, memory_limit, verify, gpu, on_device, stream, comm)
        several = params.get("resolution")  # the one parameter that may have several values
        if not hasattr(several, "__len__") or isinstance(several, (str, bytes)):
            return self._run_once(algorithm, params, *how)
        values = [float(x) for x in several]  # type: ignore[union-attr]
        if not values:
            raise ValueError("resolution has no value")
        return Sweep("resolution", values, [self._run_once(algorithm, {**params, "resolution": x}, *how) for x in values])

    def _run_once(self, algorithm: str, params: dict, top: int | None, device: str, threads: int | None, memory_limit: Any,
                  verify: bool, gpu: int, on_device: bool, stream: int | None, comm: Any) -> Result:
        options = {**run_options(threads, memory_limit, device, gpu, on_device, stream, comm), "at_once": True}
        plan = self._plan(algorithm, params, top, verify, options)
        if comm is None:
            return plan.run()
        try:
            return plan.run()
        finally:  # at once, not when the last reference goes: all ranks do so together
            plan._plan.leave()

    def plan(self, algorithm: str, *, top: int | None = None, verify: bool = False, device: Device = "auto",
             threads: int | None = None, memory_limit: int | str | None = None, gpu: int = 0, on_device: bool = False,
             stream: int | None = None, **params: Any) -> Plan:
        """A run described in advance: device, method, the reasons, and memory.  `.run()` runs it."""
        try:
            _algorithm_info(algorithm)
        except KeyError:
            raise NotFoundError(f"no algorithm is called {algorithm!r}") from None
        return self._plan(algorithm, params, top, verify, run_options(threads, memory_limit, device, gpu, on_device, stream))

    def run(self, *algorithms: str | tuple[str, dict], verify: bool = False, device: Device = "auto", threads: int | None = None,
            memory_limit: int | str | None = None) -> Runs:
        """Runs several algorithms one after the other, with their columns side by side in one table:
        `g.run("pagerank", ("bfs", {"source": 3}))`.  A column name that several algorithms have is prefixed by the
        algorithm's: `bfs.level`; if an algorithm occurs twice, `pagerank.rank` and `pagerank2.rank`.  `results` of the
        table has the results one by one."""
        asked = [(a, {}) if isinstance(a, str) else a for a in algorithms]
        plans = [self.plan(name, verify=verify, device=device, threads=threads, memory_limit=memory_limit, **params)
                 for name, params in asked]
        return Runs(self, [plan.run() for plan in plans])

    # --- subgraphs and paths -------------------------------------------------------------------------------

    def subgraph(self, vertices: Iterable[Id] | None = None, *, largest_component: Literal["weak", "strong"] | None = None, core: int = 0,
                 truss: int = 0, ego: Id | Iterable[Id] | None = None, radius: int = 1, min_degree: int = 0, max_degree: int | None = None,
                 min_weight: float | None = None, max_weight: float | None = None, sample_vertices: float = 1.0,
                 sample_edges: float = 1.0, seed: int = 42, device: Device = "auto", threads: int | None = None,
                 memory_limit: int | str | None = None) -> Graph:
        """A graph of the vertices and edges that meet all conditions, with their ids.  Conditions are applied in this
        order, each to the remainder of those before: weights, sample_edges, vertices, sample_vertices, ego (within
        `radius` hops of one vertex or several), degrees, core, truss, largest_component.  `left_out` of the new graph
        has the numbers of removed vertices and edges."""
        params = dict(largest_component=largest_component, core=core, truss=truss, radius=radius, min_degree=min_degree, max_degree=max_degree,
                      min_weight=min_weight, max_weight=max_weight, sample_vertices=sample_vertices, sample_edges=sample_edges,
                      seed=seed)
        if vertices is not None:
            params["vertices"] = self._vertices(vertices, "vertices")
        if ego is not None:
            one: Any = ego
            several = isinstance(one, (list, tuple, set, frozenset, range)) and (self._labels is None or one not in self)
            params["ego"] = self._vertices(one if several else [one], "ego")
        handle, lost, edges_lost = self._handle.subgraph(params, run_options(threads, memory_limit, device))
        labels = None if self._labels is None else [self._labels[v] for v in handle.id_column(None, "id").tolist()]
        part = Graph(handle, labels, None if labels is None else {x: i for i, x in enumerate(labels)})
        part._left_out = lost, edges_lost
        return part

    def project(self, side: int | str = 0, *, weights: Literal["count", "jaccard", "newman"] = "count", threads: int | None = None,
                memory_limit: int | str | None = None) -> Graph:
        """The projection of one side of a bipartite graph, 0, 1 or the name of a side: its vertices with their ids,
        with an edge between any two that have a common neighbour.  The weight of an edge is the number of common
        neighbours, their share of the neighbours of either (jaccard), or the sum of 1 / (d - 1) over them, d being
        their degrees (newman).  A graph without sides is coloured; if it has several components, a warning describes
        the choice."""
        if isinstance(side, str):
            if side not in (self.sides or ()):
                raise ParameterError(f"side: {side!r} is not the name of a side of this graph")
            side = (self.sides or ()).index(side)
        handle = self._handle.project(side, {"weights": weights}, run_options(threads, memory_limit))
        for note in handle.notes:
            _warn(note)
        labels = None if self._labels is None else [self._labels[v] for v in handle.id_column(None, "id").tolist()]
        return Graph(handle, labels, None if labels is None else {x: i for i, x in enumerate(labels)})

    @property
    def left_out(self) -> tuple[int, int]:
        """Numbers of vertices and edges that `subgraph` left out when it made this graph."""
        return self._left_out

    def path(self, source: Id, target: Id, *, weights: bool | None = None, count: int = 1, avoid: Iterable[Id] | None = None,
             memory_limit: int | str | None = None) -> list[tuple[list, float]]:
        """Shortest paths from one vertex to another, shortest first: `count` of them without a repeated vertex, or all
        if there are fewer. By weights if the graph has them; `weights=False` counts hops, `weights=True` requires
        weights.  No path passes a vertex of `avoid`.  A path is the list of its vertices and its length; without a
        path the list is empty."""
        params: dict = dict(weights=self.weighted if weights is None else weights, count=count)
        if avoid is not None:
            params["avoid"] = self._vertices(avoid, "avoid")
        try:
            found = self._handle.path(self._vertex(source), self._vertex(target), params, run_options(None, memory_limit))
        except InputError as problem:  # a weight that shortest paths do not allow
            problem.args = (f"{problem}; weights=False counts hops", *problem.args[1:])
            raise
        return [(self._id_column(vertices, "vertices").tolist(), length) for vertices, length in found]

    def quality(self, labels: Any, *, resolution: float = 1.0, weights: bool = False, threads: int | None = None,
                memory_limit: int | str | None = None) -> Quality:
        """The quality of a partition: modularity (directed: Leicht and Newman's), CPM, coverage, and a row for each
        community with edges inside, edges that leave, conductance and connected pieces.  `labels` are a label for each
        vertex, in the order of `ids` (`g.labelprop().label`), a dict by id, or sets of ids, one for each community."""
        from . import partition

        return partition.quality(self, labels, resolution, weights, threads, memory_limit)

    def report(self, path: str | PathLike | None = None, *, labels: Mapping[Id, object] | None = None, replicates: int = 100, quick: bool = False,
               device: Device = "auto", threads: int | None = None, memory_limit: int | str | None = None) -> Report:
        """A page about the graph: degrees and their tail, components, cores, clustering, distances, the top vertices
        and a drawing.  It is written to `path`, and shown in a notebook; `figures` has its numbers, `html` the page.
        `labels` are names by id; `replicates` and `quick` are those of `weft report`."""
        from . import report

        made = report.make(self, labels, replicates, quick, device, threads, memory_limit)
        if path is not None:
            made.save(path)
        return made

    # --- to other libraries -----------------------------------------------------------------------------

    def csr(self, incoming: bool = False) -> tuple:
        """Offsets, targets and weights (or None) of the rows of outgoing or incoming arcs, as columns: nothing is
        copied.  Targets are rows of `ids`."""
        return self._handle.rows(incoming)

    def to_scipy(self, dtype: Any = None) -> Any:
        """A SciPy CSR matrix that shares the graph's arrays: read-only.  Without weights the entries are 1, of
        float64, so that products count paths.  `dtype` is another type of the entries, "i64" or a type of NumPy;
        weights are copied for it."""
        import numpy
        import scipy.sparse

        offsets, targets, weights = self.csr()
        kind = None if dtype is None else numpy.dtype({"i64": "int64", "f64": "float64", "f32": "float32", "u32": "uint32"}.get(dtype, dtype))
        data = numpy.ones(self.arcs, kind) if weights is None else weights.to_numpy()
        if weights is not None and kind is not None:
            data = data.astype(kind)
        offsets, targets = offsets.to_numpy(), targets.to_numpy()
        if self.arcs < 2**31:
            offsets = offsets.astype(numpy.int32)
        return scipy.sparse.csr_array((data, targets, offsets), shape=(self.vertices, self.vertices), copy=False)

    def to_edge_index(self) -> Any:
        """PyG's form: a torch tensor of two rows, sources and targets, of vertices 0 ... n-1."""
        import numpy
        import torch

        offsets, targets, _ = self.csr()
        sources = numpy.repeat(numpy.arange(self.vertices), numpy.diff(offsets.to_numpy()))
        return torch.from_numpy(numpy.stack([sources, targets.to_numpy().astype(numpy.int64)]))

    def to_networkx(self) -> Any:
        """A NetworkX graph with the same ids, weights as `weight`, and attributes of the vertices and columns of
        edges, without missing values.  In a graph with sides nodes have `bipartite`, 0 or 1, and `side`, its name;
        attributes with these names get a trailing _."""
        import networkx

        offsets, targets, weights = self.csr()
        ids, offsets, targets = self.ids.tolist(), offsets.tolist(), targets.tolist()
        parallel = bool(self.info()["duplicates_dropped"] == 0 and len(set(_arcs(offsets, targets))) < self.arcs)
        kinds = {(False, False): networkx.Graph, (True, False): networkx.DiGraph, (False, True): networkx.MultiGraph,
                 (True, True): networkx.MultiDiGraph}
        to = kinds[self.directed, parallel]()
        to.add_nodes_from(ids)
        for name, values in beside(side_columns(self._handle.sides()), columns_of(self._handle)).items():
            for id, value in zip(ids, values):
                if value is not None:
                    to.nodes[id][name] = value
        more = edge_columns_of(self._handle)
        of = weights.tolist() if weights is not None else None
        kept = [(u, v, e) for e, (u, v) in enumerate(_arcs(offsets, targets)) if self.directed or u <= v]
        if more:
            more = {**({"weight": of} if of is not None else {}), **more}
            to.add_edges_from((ids[u], ids[v], {k: x[e] for k, x in more.items() if x[e] is not None}) for u, v, e in kept)
        elif of is None:
            to.add_edges_from((ids[u], ids[v]) for u, v, _ in kept)
        else:
            to.add_weighted_edges_from((ids[u], ids[v], of[e]) for u, v, e in kept)
        return to

    def to_igraph(self) -> Any:
        """An igraph graph: names of vertices are `name`, numbers `id`; weights are `weight` of the edges; attributes
        are those of the vertices, with None for missing values; in a graph with sides also `type`, False or True as in
        igraph, and `side`.  Attributes whose names are taken get a trailing _."""
        import igraph

        table = self.edge_table()
        ids = self.ids.tolist()
        place = {id: v for v, id in enumerate(ids)}
        to = igraph.Graph(len(ids), [(place[u], place[v]) for u, v in zip(table.pop("source"), table.pop("target"))],
                          directed=self.directed)
        sides = side_columns(self._handle.sides())
        if sides:
            sides["type"] = [bool(x) for x in sides.pop("bipartite")]
        fixed = {"name" if self._handle.facts[5] == "string" else "id": ids, **sides}
        for name, values in beside(fixed, columns_of(self._handle)).items():
            to.vs[name] = values
        for name, values in table.items():
            to.es[name] = values
        return to

    def write(self, path: str | PathLike, *, format: str | None = None, both_directions: bool = False, level: int = 0,
              threads: int | None = None) -> None:
        """Writes a file, in the format of its extension or of `format`; .gz and .zst compress."""
        import os

        self._handle.write(os.fspath(path), format, int(both_directions), level, run_options(threads))

    def __reduce__(self) -> tuple:
        import os
        import tempfile

        file, path = tempfile.mkstemp(suffix=".weft")
        try:
            os.close(file)
            self._handle.write(path, "weft", 0, 0, {})
            with open(path, "rb") as f:
                data = f.read()
        finally:
            os.unlink(path)
        return _from_pickle, (data, self._labels)


def _from_pickle(data: bytes, labels: list | None) -> Graph:
    handle = _weft.read(None, data, "pickle", {"format": "weft", **build_rules(None, "keep", "keep")}, {})
    return Graph(handle, labels, None if labels is None else {x: i for i, x in enumerate(labels)})


def _arcs(offsets: list, targets: list) -> Iterable[tuple]:
    return ((u, v) for u in range(len(offsets) - 1) for v in targets[offsets[u]:offsets[u + 1]])


def _renamed(info: dict, params: dict) -> dict:
    """Parameters by their present names; flags of earlier versions are understood, with a warning."""
    for entry in (info["formerly"] or "").split("|"):
        old, _, now = entry.partition(" ")
        if params.get(old) is None:
            continue
        asked, (new, _, value) = params[old], now.partition("=")
        params = {name: x for name, x in params.items() if name != old}
        if asked:
            warnings.warn(f"{info['name']}: {old}=True is {new}={value == 'yes'} now", FutureWarning, stacklevel=5)
            params[new] = value == "yes"
    return params


def _matrix(value: Any, options: dict) -> Any:
    """Rows of numbers as a buffer, or as a column; a column on a GPU decides where the run is."""
    from . import _arrays

    if not isinstance(value, _weft.Column):
        try:
            return memoryview(value)
        except TypeError:
            pass
        if not hasattr(value, "__dlpack__"):
            import numpy

            return numpy.ascontiguousarray(value, numpy.float32)
        value = _arrays.tensor(value, options.get("stream", _arrays.LEGACY) if _arrays.is_there(value) else None)
    if value.on_device and options.get("device", 0) != 1:
        options.update(device=2, gpu=value.__dlpack_device__()[1])
        options.setdefault("stream", _arrays.LEGACY)
    return value
