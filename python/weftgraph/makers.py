"""Constructors of graphs: from files, arrays, tables, other libraries."""
from __future__ import annotations

import io

from . import _weft
from ._options import build_rules, choice, run_options
from .attributes import pack
from .errors import InputError, NotFoundError, ParameterError
from .graph import Graph, _arcs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from typing import IO, Any, Iterable, Literal, Sequence

    from ._types import Array, Id

# --- from files ----------------------------------------------------------------------------------------


def _path(source: Any) -> str:
    import os

    try:
        return os.fsdecode(source)
    except TypeError:
        raise TypeError(f"a path or an open file is needed, not {type(source).__name__}") from None


def read(source: str | PathLike | IO, *, format: str | None = None, directed: bool | None = None,
         weights: Literal["auto", "require", "ignore"] = "auto", ids: Literal["auto", "integer", "string"] = "auto",
         vertices: int | None = None,
         duplicates: Literal["drop", "keep", "sum", "refuse", "min", "max", "mean", "count"] | None = None, loops: Literal["keep", "drop"] = "keep",
         source_col: str | int | None = None, target_col: str | int | None = None, weight_col: str | int | None = None,
         header: bool | None = None, separator: str | None = None, decimal: Literal[".", ","] | None = None,
         comments: bool | None = None, nodes: str | PathLike | list[str | PathLike] | None = None,
         sides: Literal["two", "one"] | None = None,
         keep: str | list[str] | None = None, merge: str | dict[str, str] | None = None, edges_where: str | None = None,
         weight_type: Literal["auto", "u32", "f32", "f64"] = "auto", verify_checksums: bool = False,
         threads: int | None = None, memory_limit: int | str | None = None) -> Graph:
    """A graph from a file: a path, or an open file.  The format is detected by content and extension; .gz and .zst are
    decompressed.

    Args:
        format: the name of the format, instead of its detection
        directed: None: as the file says; False makes an edge of each pair, in whichever direction it is listed
        weights: kept if there are any, required, or ignored
        ids: numbers or names; 'auto' decides by the file
        vertices: for edge lists: the ids are 0 ... vertices-1, isolated ones included
        duplicates: parallel edges become one edge with the smallest ('min', 'drop'), largest, mean or summed weight, or with their
            number as weight; they stay ('keep'), or are refused; None is 'min', unless it would change an answer: then the
            argument is required
        loops: whether arcs from a vertex to itself stay
        source_col, target_col, weight_col: columns of tables, by name or by number from 1
        header: for text tables: whether the first line names the columns; None detects it
        separator: for text tables; ' ' is any blanks
        decimal: for text tables: the decimal sign of weights; None detects it
        comments: for tables: whether lines that begin with # or % are comments; None refuses if one may be an edge or a
            vertex
        nodes: a table of vertices in addition, 'FILE' or 'FILE:COLUMN', or a list of several
        sides: 'two' reads sources and targets as vertices of two kinds, 'one' all as of one kind; None: as the file says
        keep: columns of edges that the graph keeps, as a list or as 'amount,date'
        merge: the rule for their values where edges become one: {'amount': 'sum'} with sum, count, min, max, mean, first or last
        edges_where: only edges that meet a condition on their columns, such as 'amount > 10 and date >= 2024-03-01'
        weight_type: the type of the weights in the graph
        verify_checksums: for .weft files: check every byte
        threads, memory_limit: as everywhere
    """
    rules = build_rules(directed, duplicates, loops)
    rules.update(format=format, weights=choice("weights", {"auto": 0, "require": 1, "ignore": 2}, weights),
                 ids=choice("ids", {"auto": 0, "integer": 1, "string": 2}, ids), vertices=vertices,
                 header=choice("header", {None: 0, True: 1, False: 2}, header), separator=separator,
                 decimal=choice("decimal", {None: None, ".": ".", ",": ",", "point": ".", "comma": ","}, decimal),
                 comments=choice("comments", {None: 0, True: 1, False: 2}, comments),
                 weight_type=choice("weight_type", {"auto": 0, "u32": 1, "f32": 2, "f64": 3}, weight_type),
                 sides=choice("sides", {None: 0, "two": 1, "one": 2}, sides),
                  verify_checksums=int(verify_checksums), nodes=None if nodes is None or nodes == [] else
                  "\n".join(map(_path, nodes)) if isinstance(nodes, (list, tuple)) else _path(nodes))
    rules.update(keep=keep if keep is None or isinstance(keep, str) else ",".join(map(str, keep)), edges_where=edges_where,
                 merge=",".join(f"{k}:{rule}" for k, rule in merge.items()) if isinstance(merge, dict) else merge)
    for name, value in (("source_col", source_col), ("target_col", target_col), ("weight_col", weight_col)):
        rules[name] = None if value is None else str(value)
    options = run_options(threads, memory_limit)
    if not hasattr(source, "read"):
        return Graph(_weft.read(_path(source), None, "", rules, options))
    data, name = source.read(), getattr(source, "name", "file")
    if not isinstance(name, str):
        name = "file"
    if isinstance(data, str):
        try:
            data = data.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError as error:
            raise InputError(f"{name}: {data[error.start]!r} after {error.start} characters cannot be written in UTF-8") from None
    return Graph(_weft.read(None, data, name, rules, options))


def _generate(kind: str, params: dict, directed: bool | None, duplicates: str, loops: str, threads: int | None,
              memory_limit: int | str | None) -> Graph:
    given = {name: value for name, value in params.items() if value is not None}
    return Graph(_weft.generate(kind, given, build_rules(directed, duplicates, loops), run_options(threads, memory_limit)))


# --- from arrays ------------------------------------------------------------------------------------------


def from_edges(sources: Array, targets: Array | None = None, weights: Array | None = None, *,
               vertices: int | Iterable[Id] | None = None, directed: bool = True,
               duplicates: Literal["drop", "keep", "sum", "refuse", "min", "max", "mean", "count"] = "drop",
               loops: Literal["keep", "drop"] = "keep",
               threads: int | None = None, memory_limit: int | str | None = None) -> Graph:
    """A graph from two arrays of ids, and one of weights; or from one iterable of pairs (triples, with weights).

    Ids are integers, strings or any hashable objects; those that occur are the vertices.  Arrays may be NumPy's,
    buffers, lists, columns of data frames, or on a GPU.

    Args:
        vertices: a number: the ids are 0 ... vertices-1, isolated ones included; ids: these are vertices even without an edge
        directed: False makes an edge of each pair, in whichever direction it is listed
        duplicates: parallel edges become one edge with the smallest ('min', 'drop'), largest, mean or summed weight, or with their
            number as weight; they stay ('keep'), or are refused
        loops: whether arcs from a vertex to itself stay
        threads, memory_limit: as everywhere
    """
    from . import _arrays

    if targets is None:
        sources, targets, weights = _weft.unzip(sources)
    for name, ids in (("sources", sources), ("targets", targets), ("vertices", vertices)):
        _arrays.refuse_text(ids, name)
    u, v = _arrays.numbers(sources, "sources", ids=True), _arrays.numbers(targets, "targets", ids=True)
    w = None if weights is None else _arrays.numbers(weights, "weights")
    if isinstance(w, list):
        _refuse_missing("weight", w)
        raise TypeError("weights: numbers are needed")
    rules = build_rules(directed, duplicates, loops)
    options = run_options(threads, memory_limit, **_arrays.place_of(u, v, w))
    whole = _arrays.is_whole(u) and _arrays.is_whole(v)
    more = None if vertices is None or isinstance(vertices, int) else _arrays.numbers(list(vertices), "vertices", ids=True)
    if whole and (more is None or _arrays.is_whole(more)):
        u, v, *rest = _arrays.alike(u, v, *([more] if more is not None else []))
        given = {"sources": u, "targets": v, "weights": w, "any_ids": not isinstance(vertices, int),
                 "vertices": vertices if isinstance(vertices, int) else None, "more_ids": rest[0] if rest else None}
        return Graph(_weft.from_arrays(given, rules, options))
    if isinstance(vertices, int):
        raise TypeError("vertices is a number, but the ids are no integers")
    return _from_objects(_arrays.listed(u), _arrays.listed(v), w, [] if vertices is None else list(vertices), rules, options)


def _from_objects(sources: list, targets: list, weights: Any, more: list, rules: dict, options: dict) -> Graph:
    """Ids that are not integers.  Strings are the library's own string ids; other objects stay in a Python list."""
    from . import _arrays

    known: dict = {}
    order: list = []
    _arrays.numbered(known, order, more)
    given = {"sources": _arrays.numbered(known, order, sources), "targets": _arrays.numbered(known, order, targets),
             "weights": weights, "vertices": len(order)}
    if any(_is_missing(x) for x in order if type(x) is not str):
        _refuse_missing("source", sources)
        _refuse_missing("target", targets)
        raise InputError("a vertex is missing: None or NaN is no id")
    if all(type(x) is str for x in order):
        return Graph(_weft.from_arrays({**given, **_arrays.names(order)}, rules, options))
    return Graph(_weft.from_arrays(given, rules, options), order, known)


def _is_missing(id: Any) -> bool:
    """None, or an object that is not equal to itself: NaN, NaT, NA.  Each would be a vertex, and each NaN a different
    one."""
    try:
        return id is None or bool(id != id)
    except TypeError:  # NA is neither
        return True


def _refuse_missing(what: str, items: list) -> None:
    for i, x in enumerate(items):
        if _is_missing(x):
            raise InputError(f"edge {i}: the {what} is missing: {x!r}")


def from_csr(offsets: Array, targets: Array, weights: Array | None = None, *, directed: bool = True, copy: bool = True,
             duplicates: Literal["drop", "keep", "sum", "refuse", "min", "max", "mean", "count"] = "drop",
             loops: Literal["keep", "drop"] = "keep",
             threads: int | None = None, memory_limit: int | str | None = None) -> Graph:
    """A graph from rows: row v has the targets offsets[v] ... offsets[v+1]-1, of vertices 0 ... len(offsets)-2.

    With `directed=False` each edge must be listed in both rows, with the same weight; that is checked.  With
    `copy=False` the graph keeps arrays that it can use without conversion (ascending rows, offsets of 64 bits, targets
    of 32).  NumPy arrays are read-only meanwhile; if they are changed in another way, later calls fail; to notice
    that, each call reads them once before it begins.
    """
    from . import _arrays

    at, to = _arrays.numbers(offsets, "offsets", ids=True), _arrays.numbers(targets, "targets", ids=True)
    w = None if weights is None else _arrays.numbers(weights, "weights")
    for name, a in (("offsets", at), ("targets", to)):
        if not _arrays.is_whole(a):
            raise TypeError(f"{name}: whole numbers are needed")
    count = at[1] if isinstance(at, tuple) else len(memoryview(at))
    if not count:
        raise ValueError("offsets has no entry, but must have one more than there are vertices")
    from ._kept import Kept, is_sealed

    kept = None if copy else Kept()
    given = {"offsets": at, "targets": to, "weights": w, "vertices": count - 1, "symmetric": not directed, "keep": kept}
    options = run_options(threads, memory_limit, **_arrays.place_of(at, to, w))
    handle = _weft.from_arrays(given, build_rules(directed, duplicates, loops), options)
    if kept is not None:
        arrays = {name: a for name, a in (("offsets", offsets), ("targets", targets), ("weights", weights)) if name in handle.kept}
        kept.lock(arrays.values())
        handle.watch([name for name, a in arrays.items() if not is_sealed(a)])
    return Graph(handle)


def from_scipy(matrix: Any, *, directed: bool = True, weights: bool | None = None, copy: bool = True,
               threads: int | None = None, memory_limit: int | str | None = None) -> Graph:
    """A graph from a square sparse matrix: entry (u, v) is an arc from u to v, its value the weight.

    Args:
        directed: False needs a symmetric matrix
        weights: None keeps the values unless they are booleans
        copy: False keeps the matrix's arrays if they can be used without conversion
    """
    if not hasattr(matrix, "tocsr"):
        raise TypeError(f"a sparse matrix of SciPy is needed, not {type(matrix).__name__}; "
                        "scipy.sparse.csr_array(matrix) makes one of an array")
    rows = matrix.tocsr()
    if rows.shape[0] != rows.shape[1]:
        raise ValueError(f"the matrix must be square, not {rows.shape[0]} x {rows.shape[1]}")
    if weights is None:
        weights = rows.dtype.kind != "b"
    return from_csr(rows.indptr, rows.indices, rows.data if weights else None, directed=directed, copy=copy, duplicates="sum" if weights else "drop",
                    threads=threads, memory_limit=memory_limit)


def from_edge_index(edge_index: Any, edge_weight: Array | None = None, *, num_nodes: int | None = None, directed: bool = True,
                    duplicates: Literal["drop", "keep", "sum", "refuse", "min", "max", "mean", "count"] = "drop",
                    loops: Literal["keep", "drop"] = "keep",
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


def _through_arrow(frame: Any, ends: dict, fields: dict, how: dict) -> Graph:
    """Reads a table as an Arrow stream, if columns are kept or used in a condition."""
    import pyarrow

    sides = fields["sides"]
    directed = how.pop("directed", None if sides == "two" else True)
    vertices, duplicates = how.pop("vertices", None), how.pop("duplicates", "drop")
    if vertices is not None and not isinstance(vertices, int):
        raise TypeError("with keep, merge, edges_where or sides, vertices is a number")
    keep = [fields["keep"]] if isinstance(fields["keep"], str) else [str(c) for c in fields["keep"] or ()]
    for name in keep:
        if "," in name:
            raise ValueError(f"keep: a name with a comma in it: {name!r}")
    table = pyarrow.Table.from_pandas(frame, preserve_index=False) if hasattr(frame, "iloc") else pyarrow.table(frame)
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    names: dict[str, Any] = {f"{what}_col": str(name) for what, name in ends.items() if name is not False}
    file: Any = io.BytesIO(sink.getvalue())
    file.name = "the frame"
    try:
        return read(file, format="arrow", directed=directed, vertices=vertices, keep=keep or None, edges_where=fields["edges_where"],
                    duplicates="min" if duplicates == "drop" else duplicates, merge=fields["merge"], sides=sides,
                    weights="ignore" if ends["weight"] is False else "require", **names, **how)
    except InputError as error:  # drops positions in the stream; the message names row and column
        raise InputError("the frame: " + str(error).removeprefix(f"the frame:{error.line}:{error.column}: ").removeprefix("the frame: ")) from None


def _columns(frame: Any) -> Any:
    """The names of a data frame's columns."""
    _need_rows(frame)
    if not hasattr(frame, "columns") or not hasattr(frame, "__getitem__") or hasattr(frame, "fetchall"):
        other = "; from_arrow takes it" if hasattr(frame, "fetchall") else ""  # a relation, as of DuckDB
        raise TypeError(f"a data frame with a row for each edge is needed, not {type(frame).__name__}{other}")
    return frame.columns


def _need_rows(frame: Any) -> None:
    if hasattr(frame, "collect") and hasattr(frame, "lazy"):  # of polars
        raise TypeError(f"a {type(frame).__name__} has no rows before it is collected: give frame.collect()")


def _from_frame(frame: Any, source: Any, target: Any, weight: Any, how: dict) -> Graph:
    there = list(getattr(frame, "column_names", None) or _columns(frame))

    def known(name: Any) -> Any:
        if name not in there:
            raise NotFoundError(f"no column is called {name!r}; there are {', '.join(map(str, there))}")
        return name

    def find(given: Any, usual: tuple, what: str) -> Any:
        if given is not None:
            return known(given)
        found = [name for name in usual if name in there]
        if len(found) == 1:
            return found[0]
        raise ValueError(f"which column is the {what}?  There are {', '.join(map(str, there))}; name it with {what}=")

    source, target = find(source, _SOURCES, "source"), find(target, _TARGETS, "target")
    if weight is None:
        usual = [name for name in _WEIGHTS if name in there]
        weight = usual[0] if usual else False
    fields = {name: how.pop(name, None) for name in ("keep", "merge", "edges_where", "sides")}
    if any(x is not None for x in fields.values()):
        return _through_arrow(frame, {"source": source, "target": target, "weight": weight}, fields, dict(how))
    return from_edges(frame[source], frame[target], None if weight is False else frame[known(weight)], **how)


def from_pandas(frame: Any, source: Any = None, target: Any = None, weight: Any = None, **how: Any) -> Graph:
    """A graph from a data frame with a row for each edge.  Columns are those given by name, or `source` (src, from),
    `target` (dst, to) and, if there is one, `weight`; `weight=False` leaves weights out.  `keep`, `merge`,
    `edges_where` and `sides` are those of `read`, for the frame's columns (they need pyarrow, and copy the frame):
    with sides='two' sources and targets are of two kinds, and edges have no direction unless `directed` says so.
    Other arguments are those of `from_edges`."""
    return _from_frame(frame, source, target, weight, how)


def from_polars(frame: Any, source: Any = None, target: Any = None, weight: Any = None, **how: Any) -> Graph:
    """As `from_pandas`."""
    return _from_frame(frame, source, target, weight, how)


def from_arrow(table: Any, source: Any = None, target: Any = None, weight: Any = None, **how: Any) -> Graph:
    """As `from_pandas`, from a pyarrow table, or from an object with Arrow's C stream interface, such as a relation of
    DuckDB."""
    if not hasattr(table, "column_names"):
        import pyarrow

        _need_rows(table)
        table = pyarrow.table(table)
    return _from_frame(table, source, target, weight, how)


def _from_plain(graph: Any, weight: Any, options: dict) -> Graph | None:
    """From a graph of one of NetworkX's four classes themselves whose nodes are all integers, all strings or all
    tuples: its dicts are walked in C.  None for any other graph, whose edges are iterated."""
    from . import _arrays
    from .nx.graph import is_plain

    nodes = list(graph) if is_plain(graph) else []
    kinds = set(map(type, nodes))
    if kinds not in ({int}, {str}, {tuple}):
        return None
    directed = graph.is_directed()
    try:
        rows = _weft.nx_convert(graph._node, graph._adj, directed, graph.is_multigraph(), weight, 1)
        if weight is not None and rows.weights[0] and not rows.weights_given:
            rows = rows.with_weight(None)
        if weight is not None and rows.weights[4]:
            return None
        whole = kinds == {int} and not rows.identity
        u, v, w, ids = rows.edge_arrays(whole)
    except (NotImplementedError, TypeError):
        return None
    rules = build_rules(directed, "keep" if graph.is_multigraph() else "drop", "keep")
    given: dict = {name: memoryview(a).cast("q" if whole else "I") for name, a in (("sources", u), ("targets", v))}
    if w is not None:
        given["weights"] = memoryview(w).cast("q" if rows.weights[1] else "d")
    if whole:
        return Graph(_weft.from_arrays({**given, "any_ids": True, "more_ids": memoryview(ids).cast("q")}, rules, options))
    given["vertices"] = len(nodes)
    if kinds == {str}:
        return Graph(_weft.from_arrays({**given, **_arrays.names(nodes)}, rules, options))
    labels = (nodes, {x: i for i, x in enumerate(nodes)}) if kinds == {tuple} else ()
    return Graph(_weft.from_arrays(given, rules, options), *labels)


def from_networkx(graph: Any, weight: str | None = "weight", *, keep: Iterable[str] | None = None, threads: int | None = None,
                  memory_limit: int | str | None = None) -> Graph:
    """A graph from NetworkX.  Nodes are the ids; `weight` names the attribute with the weight: if only some edges have
    it, the others weigh 1; None leaves weights out.  Node data become attributes if they are numbers, truth values,
    texts or times; a warning names all others.  If `bipartite` is 0 or 1 for all nodes, and each edge joins 0 and 1,
    it becomes the graph's sides, named by `side`.  `keep` names attributes of edges that become columns of edges; an
    attribute that no edge has is an error."""
    made = _with_node_data(_edges_of_networkx(graph, weight, threads, memory_limit), graph)
    if not keep:
        return made
    data = [(u, v, d) for u, v, d in graph.edges(data=True)]
    there = dict.fromkeys(name for _, _, d in data for name in d)
    columns = {name: [d.get(name) for _, _, d in data] for name in _kept_names(keep, there, bool(data))}
    weights = [1 if d.get(weight) is None else d[weight] for _, _, d in data] if made.weighted else None
    return _with_edge_data(made, [(u, v) for u, v, _ in data], columns, weights)


def _kept_names(keep: Iterable[str], there: Iterable[str], edges: bool) -> list[str]:
    """The attributes to keep; unless the graph has no edges, an attribute that no edge has is an error."""
    names, known = [keep] if isinstance(keep, str) else list(keep), list(there)
    unknown = [name for name in names if name not in known]
    if unknown and edges:
        has = f"they have {', '.join(map(str, known))}" if known else "they have none"
        raise NotFoundError(f"keep: no edge has an attribute {unknown[0]!r}; {has}")
    return names if edges else [name for name in names if name in known]


def _with_edge_data(made: Graph, pairs: list[tuple], columns: dict[str, list], weights: list | None) -> Graph:
    """Columns in the order of `pairs`, the graph's edges.  Parallel edges are told apart by weight, else by order."""
    at: dict = {}
    for i, (u, v) in enumerate(pairs):
        at.setdefault((u, v), []).append(i)
        if not made.directed and u != v:
            at.setdefault((v, u), at[u, v])
    table = made.edge_table()
    of = table.get("weight")
    order = []
    for e, pair in enumerate(zip(table["source"], table["target"])):
        here = at[pair]
        same = [k for k, i in enumerate(here) if weights is None or of is None or weights[i] == of[e]] if len(here) > 1 else [0]
        order.append(here.pop(same[0] if same else 0))
    return made.with_edge_columns({name: [values[i] for i in order] for name, values in columns.items()})


def _with_node_data(made: Graph, graph: Any) -> Graph:
    if not any(data for _, data in graph.nodes(data=True)):
        return made
    names: dict[str, None] = {}
    for _, data in graph.nodes(data=True):
        names.update(dict.fromkeys(data))
    ids = made.ids.tolist()
    return _with_columns(made, {name: [graph.nodes[v].get(name) for v in ids] for name in names}, "from_networkx", "bipartite")


def _with_columns(made: Graph, columns: dict, who: str, kind: str) -> Graph:
    kept, lost = {}, []
    for name, column in columns.items():
        try:
            pack({name: column}, column)
            kept[name] = column
        except (TypeError, OverflowError, ValueError, UnicodeEncodeError):
            lost.append(name)
    if lost:
        import warnings

        names_lost = ", ".join(map(str, lost))
        warnings.warn(f"{who}: attributes of nodes that are not kept: {names_lost}", stacklevel=4)
    return _with_sides(made, kept, kind)


def _with_sides(made: Graph, columns: dict, kind: str) -> Graph:
    """With attributes, of which `kind` and `side` become sides if `kind` is 0 or 1 for all vertices and each edge
    joins 0 and 1."""
    values, called = columns.get(kind, ()), columns.get("side", ())
    rest = {name: column for name, column in columns.items() if name != kind}
    if len(values) and all(type(x) is bool or (type(x) is int and kind != "type" and x in (0, 1)) for x in values):
        names = tuple(dict.fromkeys(name for side in (0, 1) for name, x in zip(called, values) if x == side))
        if len(names) == len(set(zip(called, values))) == 2 and all(isinstance(x, str) and 0 < len(x.encode("utf-8", "surrogateescape")) < 256 for x in names):
            del rest["side"]
        else:
            names = ("0", "1")
        try:
            made, columns = made.with_sides(values, names), rest
        except ParameterError:  # an edge within a side
            pass
    return made.with_attributes(columns) if columns else made


def from_igraph(graph: Any, weight: str | None = "weight", *, keep: Iterable[str] | None = None, threads: int | None = None,
                memory_limit: int | str | None = None) -> Graph:
    """A graph from igraph.  The ids are the attribute `name` if it is different for all vertices, else `id`, else the
    numbers; `weight` names the attribute of edges with the weight, None leaves weights out.  The other attributes of
    vertices stay, if they are numbers, truth values, texts or times; a warning names all others.  The truth values
    `type`, or else `bipartite`, become the graph's sides, as in `from_networkx`.  `keep` names attributes of edges
    that become columns of edges; an attribute that no edge has is an error."""
    n, there = graph.vcount(), graph.vs.attributes()
    ids: list = list(range(n))
    called = None
    for name, kind in (("name", str), ("id", int)):
        values = graph.vs[name] if name in there else []
        if called is None and n and {type(x) for x in values} == {kind} and len(set(values)) == n:
            ids, called = values, name
    ends = graph.get_edgelist()
    weights = graph.es[weight] if weight is not None and weight in graph.es.attributes() else None
    made = from_edges([ids[u] for u, _ in ends], [ids[v] for _, v in ends], weights, vertices=ids, directed=graph.is_directed(),
                      duplicates="keep" if graph.has_multiple() else "drop", threads=threads, memory_limit=memory_limit)
    place = {id: v for v, id in enumerate(ids)}
    order = [place[id] for id in made.ids.tolist()]
    columns = {name: graph.vs[name] for name in there if name != called}
    made = _with_columns(made, {name: [values[v] for v in order] for name, values in columns.items()}, "from_igraph",
                         "type" if "type" in columns else "bipartite")
    if not keep:
        return made
    kept = {name: graph.es[name] for name in _kept_names(keep, graph.es.attributes(), bool(ends))}
    return _with_edge_data(made, [(ids[u], ids[v]) for u, v in ends], kept, weights)


def _edges_of_networkx(graph: Any, weight: str | None, threads: int | None, memory_limit: int | str | None) -> Graph:
    made = _from_plain(graph, weight, run_options(threads, memory_limit))
    if made is not None:
        return made
    sources, targets, values = _weft.unzip(graph.edges() if weight is None else graph.edges(data=weight))
    if values is not None:
        values = None if all(w is None for w in values) else [1 if w is None else w for w in values]
    nodes = list(graph)
    return from_edges(sources, targets, values, vertices=nodes, directed=graph.is_directed(),
                      duplicates="keep" if graph.is_multigraph() else "drop", threads=threads, memory_limit=memory_limit)
