"""Results: tables whose columns are passed to other libraries without conversion, and whose ids are the user's own."""
from __future__ import annotations

from . import _weft
from .columns import _NONE, Column, _short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator

    from .graph import Graph

_SHOWN = 10  # rows of a representation
_VERTICES, _EDGES = 1, 3  # the library's numbers of the shapes of columns


class Labels:
    """A column of ids that are Python objects: vertex v is labels[v]."""

    __slots__ = ("name", "_labels", "_vertices")

    on_device, has_missing, has_gaps = False, False, False

    def __init__(self, name: str, labels: list, vertices: Any = None) -> None:
        self.name, self._labels, self._vertices = name, labels, vertices

    @property
    def shape(self) -> tuple:
        return (len(self),)

    @property
    def format(self) -> str:
        return "O"

    def __reduce__(self) -> tuple:
        return type(self), (self.name, self.tolist())

    def __len__(self) -> int:
        return len(self._labels if self._vertices is None else self._vertices)

    def tolist(self, first: int = 0, end: int | None = None) -> list:
        if self._vertices is None:
            return self._labels[first:end]
        n, labels = len(self._labels), self._labels
        return [labels[v] if v < n else None for v in self._vertices[first:end]]

    def __getitem__(self, at: int | slice) -> Any:
        return self.tolist()[at] if isinstance(at, slice) else self.tolist(at, at + 1 or None)[0]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def __repr__(self) -> str:
        return f"<column {self.name}: {', '.join(map(_short, self.tolist(0, 6)))}{', ...' if len(self) > 6 else ''}>"

    def to_numpy(self) -> Any:
        import numpy

        array = numpy.empty(len(self), dtype=object)
        array[:] = self.tolist()
        return array

    def to_pandas(self) -> Any:
        import pandas

        return pandas.Series(self.to_numpy(), name=self.name)

    def to_polars(self) -> Any:
        import polars

        return polars.Series(self.name, self.tolist(), strict=False)

    def to_arrow(self) -> Any:
        import pyarrow

        return pyarrow.array(self.tolist())

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self.to_arrow().__arrow_c_array__(requested_schema)


class Table:
    """Columns of the same length, by name: `table["rank"]` or `table.rank`."""

    def __init__(self, columns: dict) -> None:
        self._columns = columns

    @property
    def columns(self) -> list[str]:
        """Names of the columns, in order."""
        return list(self._columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()))) if self._columns else 0

    def __getitem__(self, name: str) -> Column:
        try:
            return self._columns[name]
        except KeyError:
            raise KeyError(f"no column is called {name!r}; there are {', '.join(self._all_names())}") from None

    def _all_names(self) -> list[str]:
        return list(self._columns)

    def __contains__(self, name: object) -> bool:
        return name in self._all_names()

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *self._all_names()})

    def rows(self) -> Iterator[tuple]:
        """The rows, as tuples of Python values."""
        return zip(*self._columns.values())

    def to_dict(self, column: str | None = None) -> dict:
        """{id: value} of a column (by default the first after the ids), or for a table without ids {name: list}."""
        if "id" not in self._columns:
            return {name: values.tolist() for name, values in self._columns.items()}
        name = column or [c for c in self._columns if c != "id"][0]
        return dict(zip(self._columns["id"], self[name]))

    def to_numpy(self) -> dict:
        """A NumPy array for each column, without copies."""
        return {name: column.to_numpy() for name, column in self._columns.items()}

    def to_pandas(self) -> Any:
        """A pandas data frame, a copy.  Columns with missing values are Int64: levels, and ids of vertices that may be
        absent."""
        import pandas

        return pandas.DataFrame({name: c.to_pandas() for name, c in self._columns.items()}, copy=False)

    def __array__(self, *_: Any, **__: Any) -> Any:
        """Refused: pandas and NumPy would take the names of the columns for rows."""
        raise TypeError("a table is no array; to_pandas() gives a data frame, and to_numpy() an array for each column")

    def to_polars(self) -> Any:
        """A polars data frame."""
        import polars

        return polars.DataFrame(self)

    def to_arrow(self) -> Any:
        """A pyarrow table, without copies."""
        import pyarrow

        return pyarrow.table(self)

    def to_cupy(self) -> dict:
        """A CuPy array for each column of numbers."""
        return {name: c.to_cupy() for name, c in self._columns.items() if c.format not in "zO"}

    def to_torch(self) -> dict:
        """A torch tensor for each column of numbers."""
        return {name: c.to_torch() for name, c in self._columns.items() if c.format not in "zO" and not c.has_missing}

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return _weft.arrow_stream(list(self._columns), list(self._columns.values()), len(self))

    def _lines(self, most: int) -> list[list[str]]:
        return [list(map(_short, row)) for row in zip(*(c.tolist(0, most) for c in self._columns.values()))]

    def _text(self) -> str:
        head, rows = list(self._columns), self._lines(_SHOWN)
        widths = [max(map(len, column)) for column in zip(head, *rows)]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in [head, *rows]]
        if len(self) > _SHOWN:
            lines.append(f"... {len(self)} rows")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return self._text() if self._columns else "an empty table"

    def _html_table(self) -> str:
        from html import escape

        head = "".join(f"<th>{escape(name)}</th>" for name in self._columns)
        rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in self._lines(_SHOWN))
        more = f"<p>{len(self)} rows</p>" if len(self) > _SHOWN else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}"

    def _repr_html_(self) -> str:
        return self._html_table()


class Result(Table):
    """The result of a run: a row for each vertex (`id` and the columns), `scalars`, and `table` for columns of other
    lengths.

    If values of edges were asked for, there is a row for each edge (`source`, `target` and the columns), and
    `by_vertex` has the columns of vertices.  If the answer is a list (`ppr`), its rows are those of `table`.

    Columns of vertices, such as `component` or `parent`, hold ids; `vertices(name)` has the library's own numbers,
    without a copy.
    """

    def __init__(self, graph: Graph, algorithm: str, answer: tuple, facts: tuple) -> None:
        _, columns, self.scalars, self.stages, verdict = answer
        self._graph: Graph | None = graph
        self._of, self._vertices, self._directed, self.algorithm = repr(graph), graph.vertices, graph.directed, algorithm
        self.device, self.device_reason, self.method = facts[:3]
        self.verified: str | None = verdict[1] if verdict else None
        self._raw = {c.name: c for c, _, _ in columns}
        main: dict = {}
        edges: dict = {}
        other: dict = {}
        for c, kind, shape in columns:
            to = main if shape == _VERTICES else edges if shape == _EDGES else other
            to[c.name] = _Lazy(graph, c) if kind == "vertex" else c
        main = {"id": _Lazy(graph, None), **main} if main else {}
        self._lists = not (main or edges) and _algorithm_info(algorithm)["verdict"] is None
        super().__init__(edges or (other if self._lists else main))
        self._edges, self._other, self._hidden = bool(edges), {} if self._lists else other, main if edges else {}
        self._rows = graph.edges if edges else len(columns[0][0]) if self._lists else graph.vertices

    @property
    def graph(self) -> Graph:
        """The graph of the run.  A result from a pickle has none: pickles of results do not contain graphs."""
        if self._graph is None:
            raise ValueError("this result comes from a pickle, which has left its graph out")
        return self._graph

    def __getstate__(self) -> dict:
        self._made()
        for name in (*self._other, *self._hidden):
            self[name]
        return {**self.__dict__, "_graph": None}

    def __copy__(self) -> Result:
        return self  # it is immutable

    def __deepcopy__(self, memo: dict) -> Result:
        return self

    @property
    def table(self) -> Table:
        """The columns that do not have a row for each vertex: a cycle, the members of a core, a row for each source."""
        return Table({name: self[name] for name in (self._columns if self._lists else self._other)})

    @property
    def by_vertex(self) -> Table:
        """The columns with a row for each vertex, after the ids; also if the rows of the result are edges."""
        return Table({name: self[name] for name in self._hidden or ({} if self._edges or self._lists else self._columns)})

    def _all_names(self) -> list[str]:
        return [*self._columns, *self._other, *self._hidden, *self.scalars]

    def __getitem__(self, name: str) -> Any:
        for columns in (self._columns, self._other, self._hidden):
            if name in columns:
                if isinstance(columns[name], _Lazy):
                    columns[name] = columns[name].made()
                return columns[name]
        if name in self.scalars:
            return self.scalars[name]
        return super().__getitem__(name)

    def _made(self) -> None:
        for name in self._columns:
            self[name]

    def _lines(self, most: int) -> list[list[str]]:
        self._made()
        return super()._lines(most)

    def rows(self) -> Iterator[tuple]:
        self._made()
        return super().rows()

    def to_dict(self, column: str | None = None) -> dict:
        """{id: value} of a column (by default the first after the ids); for edges {(source, target): value}, with the
        last of parallel edges."""
        self._made()
        if self._edges:
            return dict(zip(zip(self["source"], self["target"]), self[column or self._first_value()]))
        return super().to_dict(column)

    def to_scipy(self, column: str | None = None) -> Any:
        """A SciPy CSR matrix of a column of edges (by default the first after their ends), with a row and a column for
        each vertex: symmetric if the graph is undirected.  Parallel edges are separate entries, as in
        `Graph.to_scipy`."""
        import numpy
        import scipy.sparse

        if not self._edges:
            raise ValueError(f"this result of {self.algorithm} has no values of edges")
        name = column or self._first_value()
        if name in ("source", "target") or name not in self._columns:
            raise KeyError(f"no column of edges is called {name!r}; there are {', '.join(list(self._columns)[2:])}")
        source, target, values = (self._whole_column(c).to_numpy() for c in ("source", "target", name))
        if not self._directed:
            both = source != target
            source, target = numpy.concatenate([source, target[both]]), numpy.concatenate([target, source[both]])
            order = numpy.lexsort((target, source))
            source, target, values = source[order], target[order], numpy.concatenate([values, values[both]])[order]
        offsets = numpy.zeros(self._vertices + 1, numpy.int64)
        numpy.cumsum(numpy.bincount(source, minlength=self._vertices), out=offsets[1:])
        return scipy.sparse.csr_array((values, target, offsets), shape=(self._vertices, self._vertices))

    def _first_value(self) -> str:
        """The first column after the ids, or after the ends of edges; in a list the first."""
        return list(self._columns)[2 if self._edges else 0 if self._lists else 1]

    def _whole_column(self, name: str) -> Column:
        return self._raw[name]

    def to_numpy(self) -> dict:
        self._made()
        return super().to_numpy()

    def to_pandas(self) -> Any:
        self._made()
        return super().to_pandas()

    def to_cupy(self) -> dict:
        self._made()
        return super().to_cupy()

    def to_torch(self) -> dict:
        self._made()
        return super().to_torch()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        self._made()
        return super().__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        return self._rows if self._columns else 0

    def vertices(self, name: str) -> Column:
        """A column of vertices as the library's numbers, 0 ... n-1; 4294967295 is none.  Without a copy."""
        return self._raw[name]

    def top(self, count: int, by: str | None = None, *, smallest: bool | None = None, at: int = 0) -> Table:
        """The first rows by a column (by default the column of the algorithm's own lists), largest first unless
        `smallest`."""
        info = _algorithm_info(self.algorithm)
        by = by or (info["top_by"] if info["top_by"] in self._columns else self._first_value())
        if smallest is None:
            smallest = by == info["ordinal"]
        if by not in self._raw or by not in self._columns:
            raise KeyError(f"rows are not sorted by {by!r}; there are {', '.join(name for name in self._columns if name in self._raw)}")
        return _chosen_rows(self, _weft.top(self._raw[by], at, bool(smallest), count))

    def sizes(self) -> Table:
        """For an algorithm that finds groups (components, leiden): each group with its number of vertices and its
        share of all, largest first."""
        name = _algorithm_info(self.algorithm)["groups"]
        if name is None:
            raise ValueError(f"{self.algorithm} finds no groups")
        groups, size = _weft.groups(self._raw[name])
        return Table({name: self._ids(groups, name), "size": size,
                      "share": _List("share", [s / self._vertices for s in size.tolist()])})

    def communities(self) -> list[set]:
        """The same groups as sets of ids, largest first."""
        name = _algorithm_info(self.algorithm)["groups"]
        if name is None:
            raise ValueError(f"{self.algorithm} finds no groups")
        groups: dict = {v: set() for v in memoryview(_weft.groups(self._raw[name])[0]).cast("I")}
        for id, group in zip(self["id"], memoryview(self._raw[name])):
            groups[group].add(id)
        return list(groups.values())

    def _ids(self, vertices: bytes, name: str) -> Any:
        """The ids of these vertices, as a column."""
        if self._graph is not None:
            return self._graph._id_column(vertices, name)
        ids = self["id"]
        return _List(name, [ids[v] for v in memoryview(vertices).cast("I")])

    def _shown(self) -> Table:
        """The table of a representation: groups by their sizes, otherwise the rows."""
        groups = _algorithm_info(self.algorithm)["groups"]
        return self.sizes() if groups in self._raw else self

    def __repr__(self) -> str:
        scalars = ", ".join(f"{name} {_short(value)}" for name, value in self.scalars.items())
        where = f"{self.algorithm} of {self._of}: {self.method}, on {'the GPU' if self.device == 'cuda' else 'the CPU'}"
        body = [self._shown()._text()] if self._columns else []
        if self._other and any(len(self[name]) for name in self._other):
            body.append(repr(self.table) if len({len(self[n]) for n in self._other}) == 1
                        else "\n".join(repr(self[name]) for name in self._other))
        return "\n".join([where, *body, scalars] if scalars else [where, *body])

    def _repr_html_(self) -> str:
        from html import escape

        scalars = ", ".join(f"{escape(name)} <b>{escape(_short(value))}</b>" for name, value in self.scalars.items())
        parts = [f"<p>{escape(self.algorithm)} of {escape(self._of)}</p>"]
        if self._columns:
            parts += [self._shown()._html_table(), self._histogram()]
        parts += [self[name]._repr_html_() if hasattr(self[name], "_repr_html_") else f"<p>{escape(repr(self[name]))}</p>"
                  for name in self._other if len(self[name])]
        return "".join([*parts, f"<p>{scalars}</p>"])

    def _histogram(self, bins: int = 24) -> str:
        """The distribution of the first column of numbers, as a small picture."""
        numbers = [c for name, c in self._columns.items() if name in self._raw and c is self._raw[name] and len(c.shape) == 1]
        return _histogram(numbers[0], bins) if numbers else ""


class Runs(Table):
    """The columns of several results of one graph side by side, after the ids; `results` has the results."""

    def __init__(self, graph: Graph, results: list[Result]) -> None:
        self.results = results
        for r in results:
            if r._edges or r._lists:
                what = "edges" if r._edges else "a list"
                raise ValueError(f"the rows of this result of {r.algorithm} are {what}, and those of runs side by side are vertices")
        columns: dict = {"id": graph._id_column(None, "id")}
        names = [name for r in results for name in r if name != "id"]
        runs = [r.algorithm for r in results]
        for i, r in enumerate(results):
            before = runs[:i].count(r.algorithm)
            for name in r:
                if name != "id":
                    owner = f"{r.algorithm}{before + 1 if before else ''}."
                    columns[(owner if names.count(name) > 1 else "") + name] = r[name]
        super().__init__(columns)


class Sweep(Table):
    """Runs with several values of one parameter: a row for each value, with the scalars of its run; `results` has the
    results."""

    def __init__(self, name: str, values: list, results: list[Result]) -> None:
        self.results = results
        columns: dict = {name: _List(name, values)}
        for scalar in results[0].scalars:
            columns[scalar if scalar != name else scalar + "_found"] = _List(scalar, [r.scalars[scalar] for r in results])
        super().__init__(columns)


class _Lazy:
    """A column of ids, made on first use."""

    __slots__ = ("graph", "column")

    def __init__(self, graph: Graph, column: Column | None) -> None:
        self.graph, self.column = graph, column

    def made(self) -> Any:
        return self.graph._id_column(self.column, self.column.name if self.column is not None else "id")


def _chosen_rows(result: Result, rows: bytes) -> Table:
    """These rows of a result, copied."""
    places = memoryview(rows).cast("I")
    columns: dict = {} if result._edges or result._lists else {"id": result._ids(rows, "id")}
    for name in result._columns:
        if name != "id":
            column = result[name]
            columns[name] = _List(name, [column[i] for i in places], column.has_gaps)
    return Table(columns)


class _List(Labels):
    """Python values as a column; with gaps, `weftgraph.UNREACHED` is missing where other columns have missing
    values."""

    __slots__ = ("has_gaps",)

    def __init__(self, name: str, values: list, has_gaps: bool = False) -> None:
        super().__init__(name, values)
        self.has_gaps = has_gaps

    def __reduce__(self) -> tuple:
        return type(self), (self.name, self._labels, self.has_gaps)

    def _values(self) -> list:
        return [None if x == _NONE else x for x in self._labels] if self.has_gaps else self._labels

    def to_numpy(self) -> Any:
        import numpy

        return numpy.array(self._labels) if self._kinds() <= {int, float, list} else super().to_numpy()

    def to_pandas(self) -> Any:
        import pandas

        kinds = self._kinds()
        if self.has_gaps or kinds == {int, type(None)}:
            return pandas.Series(self._values(), name=self.name, dtype="Int64")
        return pandas.Series(self._labels if list in kinds else self.to_numpy(), name=self.name)

    def _kinds(self) -> set:
        return set(map(type, self._labels))

    def to_polars(self) -> Any:
        import polars

        return polars.Series(self.name, self._values(), strict=False)

    def to_arrow(self) -> Any:
        import pyarrow

        return pyarrow.array(self._values())


def _histogram(column: Column, bins: int) -> str:
    """Bars of the number of values in each interval; infinite and missing values are left out."""
    step = max(1, len(column) // 100_000)
    none = _NONE if column.format == "I" else float("inf")
    values = [x for x in memoryview(column)[::step].tolist() if x != none and x == x]
    if len(values) < 2 or min(values) == max(values):
        return ""
    low, high = min(values), max(values)
    counts = [0] * bins
    for x in values:
        counts[min(bins - 1, int((x - low) / (high - low) * bins))] += 1
    most = max(counts)
    bars = "".join(
        f'<rect x="{8 * i}" y="{40 - 40 * c / most:.1f}" width="7" height="{40 * c / most:.1f}" fill="#4878a8"/>'
        for i, c in enumerate(counts) if c)
    return (f'<svg width="{8 * bins}" height="56" role="img"><title>{column.name}</title>{bars}<g font-size="10">'
            f'<text x="0" y="54">{_short(low)}</text><text x="{8 * bins}" y="54" text-anchor="end">{_short(high)}</text></g></svg>')


class Plan:
    """A run described in advance: device, method, reasons, and memory.  `run()` runs it, any number of times; not by
    several threads at once."""

    def __init__(self, graph: Graph, algorithm: str, plan: Any, top: int | None, verify: bool) -> None:
        if top is not None and top < 0:
            raise ValueError(f"top is 0 or more, not {top}")
        self.graph, self.algorithm, self._plan, self._top, self._verify = graph, algorithm, plan, top, verify

    @property
    def device(self) -> str:
        """'cpu' or 'cuda'."""
        return self._plan.facts[0]

    @property
    def device_reason(self) -> str:
        """The reason for the device."""
        return self._plan.facts[1]

    @property
    def method(self) -> str:
        """How."""
        return self._plan.facts[2]

    @property
    def reason(self) -> str:
        """The reason for the method."""
        return self._plan.facts[3]

    @property
    def streamed(self) -> bool:
        """Whether arcs are sent to the GPU in each pass."""
        return self._plan.facts[4]

    @property
    def host_bytes(self) -> int:
        """Memory of the run on the host, in bytes."""
        return self._plan.facts[5]

    @property
    def device_bytes(self) -> int:
        """Memory of the run on the GPU, in bytes."""
        return self._plan.facts[6]

    def run(self) -> Result:
        """The result; with `top`, its first rows."""
        from .errors import VerificationError

        answer = self._plan.run(self._verify)
        if answer is None:  # with ranks that share a run, the first has the result
            return None  # type: ignore[return-value]
        if answer[4] and not answer[4][0]:
            raise VerificationError(f"{self.algorithm}: {answer[4][1]}")
        result = Result(self.graph, self.algorithm, answer, self._plan.facts)
        return result if self._top is None else _TopResult(result, self._top)

    def __repr__(self) -> str:
        return (f"plan of {self.algorithm} on {self.graph!r}: {self.method} on the {'GPU' if self.device == 'cuda' else 'CPU'}, "
                f"{_bytes_text(self.host_bytes)}" + (f" and {_bytes_text(self.device_bytes)} there" if self.device_bytes else "")
                + f"\n  {self.device_reason}; {self.reason}")


class _TopResult(Result):
    """A result with only its first rows; `top`, `sizes` and `vertices` use all rows, unless it comes from a pickle."""

    def __init__(self, whole: Result, count: int) -> None:
        self.__dict__.update(whole.__dict__)
        self._columns = whole.top(count)._columns
        self._whole: Result | None = whole

    def __getstate__(self) -> dict:
        return {**super().__getstate__(), "_raw": {}, "_whole": None}

    def _all(self) -> Result:
        if self._whole is None:
            raise ValueError("only the first rows are here: they came by a pickle")
        return self._whole

    def top(self, count: int, by: str | None = None, *, smallest: bool | None = None, at: int = 0) -> Table:
        return self._all().top(count, by, smallest=smallest, at=at)

    def sizes(self) -> Table:
        return self._all().sizes()

    def communities(self) -> list[set]:
        return self._all().communities()

    def vertices(self, name: str) -> Column:
        return self._all().vertices(name)

    def _whole_column(self, name: str) -> Column:
        return self._all()._whole_column(name)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()))) if self._columns else 0

    def _shown(self) -> Table:
        return self

    def _histogram(self, bins: int = 24) -> str:
        return ""


def _bytes_text(count: int) -> str:
    size, unit = float(count), 0
    while size >= 1024 and unit < 4:
        size, unit = size / 1024, unit + 1
    return f"{size:.4g} {('B', 'KiB', 'MiB', 'GiB', 'TiB')[unit]}"


_infos: dict = {}


def _algorithm_info(name: str) -> dict:
    if not _infos:
        _infos.update((a["name"], a) for a in _weft.registry()["algorithms"])
    return _infos[name]
