"""Graphs, and where they come from."""
from __future__ import annotations

from . import _weft
from ._algorithms import Algorithms
from .errors import NotFoundError
from .result import Labels, Plan, _algorithm_info

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from typing import IO, Any, Iterable, Literal

    from ._types import Array, Device, Id
    from .columns import Column
    from .result import Result

_DEVICES = {"auto": 0, "cpu": 1, "cuda": 2, "gpu": 2}
_DUPLICATES = {"drop": 0, "keep": 1, "sum": 2}
_LOOPS = {"keep": 0, "drop": 1}
_UNITS = {"": 1, "b": 1, "k": 1024, "m": 1024**2, "g": 1024**3, "t": 1024**4}


def _choice(name: str, table: dict, value: object) -> int:
    try:
        return table[value]
    except (KeyError, TypeError):
        raise ValueError(f"{name} is one of {', '.join(map(repr, table))}, not {value!r}") from None


def _rules(directed: bool | None, duplicates: str, loops: str) -> dict:
    return {"direction": 0 if directed is None else 1 if directed else 2, "duplicates": _choice("duplicates", _DUPLICATES, duplicates),
            "loops": _choice("loops", _LOOPS, loops)}


def _bytes(limit: int | str | None) -> int | None:
    if limit is None or isinstance(limit, int):
        return limit
    text = limit.strip().lower()
    number = text.rstrip("abcdefghijklmnopqrstuvwxyz ")
    unit = text[len(number):].strip()
    short = unit[:-2] if unit.endswith("ib") else unit[:-1] if unit.endswith("b") and unit != "b" else unit
    try:
        return int(float(number) * _UNITS[short])
    except (KeyError, ValueError):
        raise ValueError(f"memory_limit is a number of bytes, or a text such as '4 GiB', not {limit!r}") from None


def _options(threads: int | None = None, memory_limit: int | str | None = None, device: str = "auto", gpu: int = 0,
             on_device: bool = False, stream: int | None = None) -> dict:
    from . import _progress

    options: dict = {"progress": _progress._current} if _progress._current else {}
    if threads is not None:
        options["threads"] = threads
    if memory_limit is not None:
        options["memory_limit"] = _bytes(memory_limit)
    if device != "auto":
        options["device"] = _choice("device", _DEVICES, device)
    if gpu:
        options["gpu"] = gpu
    if on_device:
        options["on_device"] = True
    if stream is not None:
        options["stream"] = stream
    return options


class Graph(Algorithms):
    """A graph: immutable, and safe to share between threads.  Each algorithm is a method; `plan` says how a run would go."""

    __slots__ = ("_handle", "_labels", "_index", "__weakref__")

    def __init__(self, handle: _weft.Graph, labels: list | None = None, index: dict | None = None) -> None:
        if not isinstance(handle, _weft.Graph):
            raise TypeError("graphs are made by weftgraph.read, from_edges and the like")
        self._handle, self._labels, self._index = handle, labels, index or {}

    # --- facts ---------------------------------------------------------------------------------

    @property
    def vertices(self) -> int:
        """How many vertices there are."""
        return self._handle.facts[0]

    @property
    def edges(self) -> int:
        """How many edges; an undirected one counts once."""
        return self._handle.facts[1]

    @property
    def arcs(self) -> int:
        """How many arcs are stored."""
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
        """How the file was read, where there was a choice."""
        return self._handle.notes

    @property
    def weighted(self) -> bool:
        """Whether arcs have weights."""
        return self.weight_type != "none"

    @property
    def ids(self) -> Column:
        """The ids of the vertices, in the order of the rows of every result."""
        return self._id_column(None, "id")

    def info(self) -> dict:
        """Everything countable: degrees, loops, weights, what was dropped, bytes."""
        return self._handle.describe({})

    def fingerprint(self) -> int:
        """A hash of vertices, arcs, weights and ids: equal graphs have equal ones, everywhere."""
        return self._handle.fingerprint()

    def __len__(self) -> int:
        return self.vertices

    def __contains__(self, id: Id) -> bool:
        try:
            self._vertex(id)
        except (NotFoundError, TypeError):
            return False
        return True

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

        if self._labels is None and self._handle.facts[5] != "string":
            given = _arrays.numbers(ids, name)
            if isinstance(given, tuple) or not _arrays.is_whole(given):
                raise TypeError(f"{name}: ids of this graph are whole numbers")
            if memoryview(given).format not in "lq" or memoryview(given).itemsize != 8:
                given = _arrays.array("q", memoryview(given).tolist())
            return memoryview(self._handle.find_many(given)).cast("I")
        return _arrays.array("I", map(self._vertex, ids))

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

    def _id_column(self, vertices: Any, name: str) -> Any:
        if self._labels is None:
            return self._handle.id_column(vertices, name)
        return Labels(name, self._labels, None if vertices is None else memoryview(vertices).cast("B").cast("I"))

    # --- runs --------------------------------------------------------------------------------------

    def _plan(self, algorithm: str, params: dict, top: int | None, verify: bool, options: dict) -> Plan:
        kinds = {p["name"].replace("-", "_"): p["type"] for p in _algorithm_info(algorithm)["params"]}
        given = {}
        for name, value in params.items():
            kind = kinds.get(name)
            if value is None:
                continue
            if kind == "vertex":
                value = self._vertex(value)
            elif kind == "vertices":
                value = self._vertices(value, name)
            elif kind == "weights":
                value = self._weights(value, name)
            elif kind == "matrix":
                value = _matrix(value)
            given[name] = value
        return Plan(self, algorithm, _weft.plan(self._handle, algorithm, given, options), top, verify)

    def _run(self, algorithm: str, params: dict, top: int | None, device: str, threads: int | None, memory_limit: Any,
             verify: bool, gpu: int, on_device: bool, stream: int | None) -> Result:
        return self._plan(algorithm, params, top, verify, _options(threads, memory_limit, device, gpu, on_device, stream)).run()

    def plan(self, algorithm: str, *, top: int | None = None, verify: bool = False, device: Device = "auto",
             threads: int | None = None, memory_limit: int | str | None = None, gpu: int = 0, on_device: bool = False,
             stream: int | None = None, **params: Any) -> Plan:
        """How a run would go: where, by which method, why, and how many bytes it takes.  `.run()` runs it."""
        try:
            _algorithm_info(algorithm)
        except KeyError:
            raise NotFoundError(f"no algorithm is called {algorithm!r}") from None
        return self._plan(algorithm, params, top, verify, _options(threads, memory_limit, device, gpu, on_device, stream))

    # --- to others --------------------------------------------------------------------------------------

    def csr(self, incoming: bool = False) -> tuple:
        """Offsets, targets and weights (None without) of the rows of outgoing or incoming arcs, as columns: nothing is copied.
        Targets are rows of `ids`."""
        return self._handle.rows(incoming)

    def to_scipy(self) -> Any:
        """A SciPy CSR matrix that shares the graph's arrays; without weights the entries are 1."""
        import numpy
        import scipy.sparse

        offsets, targets, weights = self.csr()
        data = weights.to_numpy() if weights is not None else numpy.ones(self.arcs, numpy.int8)
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
        """A NetworkX graph with the same ids, and weights as `weight`."""
        import networkx

        offsets, targets, weights = self.csr()
        ids, offsets, targets = self.ids.tolist(), offsets.tolist(), targets.tolist()
        parallel = bool(self.info()["duplicates_dropped"] == 0 and len(set(_arcs(offsets, targets))) < self.arcs)
        kinds = {(False, False): networkx.Graph, (True, False): networkx.DiGraph, (False, True): networkx.MultiGraph,
                 (True, True): networkx.MultiDiGraph}
        to = kinds[self.directed, parallel]()
        to.add_nodes_from(ids)
        of = weights.tolist() if weights is not None else None
        kept = [(u, v, e) for e, (u, v) in enumerate(_arcs(offsets, targets)) if self.directed or u <= v]
        if of is None:
            to.add_edges_from((ids[u], ids[v]) for u, v, _ in kept)
        else:
            to.add_weighted_edges_from((ids[u], ids[v], of[e]) for u, v, e in kept)
        return to

    def write(self, path: str | PathLike, *, format: str | None = None, both_directions: bool = False, level: int = 0,
              threads: int | None = None) -> None:
        """Writes a file, in the format of its extension or of `format`; .gz and .zst compress."""
        import os

        self._handle.write(os.fspath(path), format, int(both_directions), level, _options(threads))

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
    handle = _weft.read(None, data, "pickle", {"format": "weft"}, {})
    return Graph(handle, labels, None if labels is None else {x: i for i, x in enumerate(labels)})


def _arcs(offsets: list, targets: list) -> Iterable[tuple]:
    return ((u, v) for u in range(len(offsets) - 1) for v in targets[offsets[u]:offsets[u + 1]])


def _matrix(value: Any) -> Any:
    try:
        return memoryview(value)
    except TypeError:
        pass
    if hasattr(value, "detach"):  # a tensor
        return memoryview(value.detach().cpu().contiguous().numpy())
    import numpy

    return numpy.ascontiguousarray(value, numpy.float32)


# --- from files ----------------------------------------------------------------------------------------


def read(source: str | PathLike | IO, *, format: str | None = None, directed: bool | None = None,
         weights: Literal["auto", "require", "ignore"] = "auto", ids: Literal["auto", "integer", "string"] = "auto",
         vertices: int | None = None, duplicates: Literal["drop", "keep", "sum"] = "drop", loops: Literal["keep", "drop"] = "keep",
         source_col: str | int | None = None, target_col: str | int | None = None, weight_col: str | int | None = None,
         header: bool | None = None, separator: str | None = None, nodes: str | PathLike | None = None,
         weight_type: Literal["auto", "u32", "f32", "f64"] = "auto", verify_checksums: bool = False,
         threads: int | None = None, memory_limit: int | str | None = None) -> Graph:
    """A graph from a file: a path, or an open file.  The format is found by content and extension; .gz and .zst are unpacked.

    Args:
        format: a format's name, if it is not to be found out
        directed: None is what the file says; False makes an edge of each pair, in whichever direction it is listed
        weights: kept if there are any, required, or ignored
        ids: numbers or names; 'auto' looks at the file
        vertices: of edge lists: the ids are 0 ... vertices-1, isolated ones included
        duplicates: parallel edges become one with the smallest weight, stay, or become one with the sum
        loops: whether arcs from a vertex to itself stay
        source_col, target_col, weight_col: columns of tables, by name or by number from 1
        header: of text tables: whether the first line names the columns; None looks
        separator: of text tables; ' ' is any blanks
        nodes: a table of vertices besides, 'FILE' or 'FILE:COLUMN'
        weight_type: what weights become
        verify_checksums: of .weft files: check every byte
        threads, memory_limit: as everywhere
    """
    import os

    rules = _rules(directed, duplicates, loops)
    rules.update(format=format, weights=_choice("weights", {"auto": 0, "require": 1, "ignore": 2}, weights),
                 ids=_choice("ids", {"auto": 0, "integer": 1, "string": 2}, ids), vertices=vertices,
                 header={None: 0, True: 1, False: 2}[header], separator=separator,
                 weight_type=_choice("weight_type", {"auto": 0, "u32": 1, "f32": 2, "f64": 3}, weight_type),
                 verify_checksums=int(verify_checksums), nodes=None if nodes is None else os.fspath(nodes))
    for name, value in (("source_col", source_col), ("target_col", target_col), ("weight_col", weight_col)):
        rules[name] = None if value is None else str(value)
    options = _options(threads, memory_limit)
    if not hasattr(source, "read"):
        return Graph(_weft.read(os.fspath(source), None, "", rules, options))
    data = source.read()
    name = getattr(source, "name", "file")
    return Graph(_weft.read(None, data.encode() if isinstance(data, str) else data, name if isinstance(name, str) else "file",
                            rules, options))


def _generate(kind: str, params: dict, directed: bool | None, duplicates: str, loops: str, threads: int | None,
              memory_limit: int | str | None) -> Graph:
    given = {name: value for name, value in params.items() if value is not None}
    return Graph(_weft.generate(kind, given, _rules(directed, duplicates, loops), _options(threads, memory_limit)))


# --- from arrays ------------------------------------------------------------------------------------------


def from_edges(sources: Array, targets: Array | None = None, weights: Array | None = None, *,
               vertices: int | Iterable[Id] | None = None, directed: bool = True,
               duplicates: Literal["drop", "keep", "sum"] = "drop", loops: Literal["keep", "drop"] = "keep",
               threads: int | None = None, memory_limit: int | str | None = None) -> Graph:
    """A graph from two arrays of ids, and one of weights; or from one iterable of pairs (triples, with weights).

    Ids are integers, strings or any hashable objects; those that occur are the vertices.  Arrays may be NumPy's, buffers, lists, columns of
    data frames, or on a GPU.

    Args:
        vertices: a number: the ids are 0 ... vertices-1, isolated ones included; ids: these are vertices even without an edge
        directed: False makes an edge of each pair, in whichever direction it is listed
        duplicates: parallel edges become one with the smallest weight, stay, or become one with the sum
        loops: whether arcs from a vertex to itself stay
        threads, memory_limit: as everywhere
    """
    from . import _arrays

    if targets is None:
        sources, targets, weights = _unzip(sources)
    u, v = _arrays.numbers(sources, "sources"), _arrays.numbers(targets, "targets")
    w = None if weights is None else _arrays.numbers(weights, "weights")
    if isinstance(w, list):
        raise TypeError("weights: numbers are needed")
    rules, options = _rules(directed, duplicates, loops), _options(threads, memory_limit)
    whole = _arrays.is_whole(u) and _arrays.is_whole(v)
    more = None if vertices is None or isinstance(vertices, int) else _arrays.numbers(list(vertices), "vertices")
    if whole and (more is None or _arrays.is_whole(more)):
        u, v, *rest = _arrays.alike(u, v, *([more] if more is not None else []))
        given = {"sources": u, "targets": v, "weights": w, "any_ids": not isinstance(vertices, int),
                 "vertices": vertices if isinstance(vertices, int) else None, "more_ids": rest[0] if rest else None}
        return Graph(_weft.from_arrays(given, rules, options))
    if isinstance(vertices, int):
        raise TypeError("vertices is a number, but the ids are no integers")
    return _from_objects(_listed(u), _listed(v), w, [] if vertices is None else list(vertices), rules, options)


def _unzip(edges: Any) -> tuple:
    rows = list(edges)
    if not rows:
        return [], [], None
    width = len(rows[0])
    if width not in (2, 3) or any(len(r) != width for r in rows):
        raise ValueError("edges are pairs, or triples with a weight, all of the same length")
    columns = list(zip(*rows))
    return list(columns[0]), list(columns[1]), list(columns[2]) if width == 3 else None


def _listed(x: Any) -> list:
    return x if isinstance(x, list) else memoryview(x).tolist()


def _from_objects(sources: list, targets: list, weights: Any, more: list, rules: dict, options: dict) -> Graph:
    """Ids that are no integers.  Strings are the library's own string ids; of other objects Python keeps the list."""
    from . import _arrays

    known: dict = {}
    order: list = []
    _arrays.numbered(known, order, more)
    given = {"sources": _arrays.numbered(known, order, sources), "targets": _arrays.numbered(known, order, targets),
             "weights": weights, "vertices": len(order)}
    if all(type(x) is str for x in order):
        return Graph(_weft.from_arrays({**given, **_arrays.names(order)}, rules, options))
    return Graph(_weft.from_arrays(given, rules, options), order, known)


def from_csr(offsets: Array, targets: Array, weights: Array | None = None, *, directed: bool = True, copy: bool = True,
             duplicates: Literal["drop", "keep", "sum"] = "drop", loops: Literal["keep", "drop"] = "keep",
             threads: int | None = None, memory_limit: int | str | None = None) -> Graph:
    """A graph from rows: row v has the targets offsets[v] ... offsets[v+1]-1, of vertices 0 ... len(offsets)-2.

    With `directed=False` each edge must be listed in both rows, with the same weight; that is checked.  With `copy=False` the graph
    keeps arrays that it can use as they are (rows that ascend, offsets of 64 bits, targets of 32), and nobody may change them."""
    from . import _arrays

    at, to = _arrays.numbers(offsets, "offsets"), _arrays.numbers(targets, "targets")
    w = None if weights is None else _arrays.numbers(weights, "weights")
    for name, a in (("offsets", at), ("targets", to)):
        if not _arrays.is_whole(a):
            raise TypeError(f"{name}: whole numbers are needed")
    count = at[1] if isinstance(at, tuple) else len(memoryview(at))
    if not count:
        raise ValueError("offsets has no entry, but must have one more than there are vertices")
    given = {"offsets": at, "targets": to, "weights": w, "vertices": count - 1, "symmetric": not directed,
             "keep": None if copy else (offsets, targets, weights)}
    return Graph(_weft.from_arrays(given, _rules(directed, duplicates, loops), _options(threads, memory_limit)))


def from_scipy(matrix: Any, *, directed: bool = True, weights: bool | None = None, copy: bool = True,
               threads: int | None = None, memory_limit: int | str | None = None) -> Graph:
    """A graph from a square sparse matrix: entry (u, v) is an arc from u to v, its value the weight.

    Args:
        directed: False needs a symmetric matrix
        weights: None keeps the values unless they are booleans
        copy: False keeps the matrix's arrays where they can be used as they are
    """
    rows = matrix.tocsr()
    if rows.shape[0] != rows.shape[1]:
        raise ValueError(f"the matrix must be square, not {rows.shape[0]} x {rows.shape[1]}")
    if weights is None:
        weights = rows.dtype.kind != "b"
    return from_csr(rows.indptr, rows.indices, rows.data if weights else None, directed=directed, copy=copy, duplicates="sum" if weights else "drop",
                    threads=threads, memory_limit=memory_limit)


def from_edge_index(edge_index: Any, edge_weight: Array | None = None, *, num_nodes: int | None = None, directed: bool = True,
                    duplicates: Literal["drop", "keep", "sum"] = "drop", loops: Literal["keep", "drop"] = "keep",
                    threads: int | None = None, memory_limit: int | str | None = None) -> Graph:
    """A graph from PyG's form: a tensor or array of two rows, sources and targets, of vertices 0 ... num_nodes-1."""
    if len(edge_index) != 2:
        raise ValueError(f"edge_index has two rows, not {len(edge_index)}")
    sources, targets = edge_index[0], edge_index[1]
    if num_nodes is None:
        num_nodes = 1 + int(edge_index.max()) if len(sources) else 0
    return from_edges(sources, targets, edge_weight, vertices=num_nodes, directed=directed, duplicates=duplicates, loops=loops,
                      threads=threads, memory_limit=memory_limit)


# --- from tables ---------------------------------------------------------------------------------------------

_SOURCES, _TARGETS, _WEIGHTS = ("source", "src", "from"), ("target", "dst", "to"), ("weight", "weights")


def _from_frame(frame: Any, source: Any, target: Any, weight: Any, how: dict) -> Graph:
    there = list(getattr(frame, "column_names", None) or frame.columns)

    def find(given: Any, usual: tuple, what: str) -> Any:
        if given is not None:
            return given
        found = [name for name in usual if name in there]
        if len(found) == 1:
            return found[0]
        raise ValueError(f"which column is the {what}?  There are {', '.join(map(str, there))}; name it with {what}=")

    source, target = find(source, _SOURCES, "source"), find(target, _TARGETS, "target")
    if weight is None:
        usual = [name for name in _WEIGHTS if name in there]
        weight = usual[0] if usual else False
    return from_edges(frame[source], frame[target], None if weight is False else frame[weight], **how)


def from_pandas(frame: Any, source: Any = None, target: Any = None, weight: Any = None, **how: Any) -> Graph:
    """A graph from a data frame with a row for each edge.  Columns are those that are named, or `source` (src, from), `target` (dst,
    to) and, if there is one, `weight`; `weight=False` leaves weights out.  Other arguments are those of `from_edges`."""
    return _from_frame(frame, source, target, weight, how)


def from_polars(frame: Any, source: Any = None, target: Any = None, weight: Any = None, **how: Any) -> Graph:
    """As `from_pandas`."""
    return _from_frame(frame, source, target, weight, how)


def from_arrow(table: Any, source: Any = None, target: Any = None, weight: Any = None, **how: Any) -> Graph:
    """As `from_pandas`, from a pyarrow table, or from anything with Arrow's C stream interface."""
    if not hasattr(table, "column_names"):
        import pyarrow

        table = pyarrow.table(table)
    return _from_frame(table, source, target, weight, how)


def from_networkx(graph: Any, weight: str | None = "weight", *, threads: int | None = None,
                  memory_limit: int | str | None = None) -> Graph:
    """A graph from NetworkX.  Nodes are the ids; `weight` names the attribute that is the weight: where only some edges have it, the
    others weigh 1; None leaves weights out."""
    if weight is None:
        sources, targets = _columns(graph.edges(), 2)
        values = None
    else:
        sources, targets, values = _columns(graph.edges(data=weight), 3)
        values = None if all(w is None for w in values) else [1 if w is None else w for w in values]
    nodes = list(graph)
    return from_edges(sources, targets, values, vertices=nodes, directed=graph.is_directed(),
                      duplicates="keep" if graph.is_multigraph() else "drop", threads=threads, memory_limit=memory_limit)


def _columns(rows: Any, width: int) -> list:
    columns = list(zip(*rows))
    return [list(c) for c in columns] if columns else [[] for _ in range(width)]
