"""Attributes of vertices: from the library to columns of Python values, and back."""
from __future__ import annotations

import array
import datetime

from .errors import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, Mapping

    from . import _weft

I64, F64, BOOL, TEXT, TIME = 1, 2, 3, 4, 5
DAY, LOCAL, UTC = 0, 1, 2
_EPOCH = datetime.datetime(1970, 1, 1)


def _series(pandas: Any, values: list, index: Any = None) -> Any:
    """A series; integers and truth values with missing values get pandas' own types for these."""
    there = [x for x in values if x is not None]
    missing = len(there) < len(values)
    kinds = {type(x) for x in there}
    kind = {frozenset({int}): "Int64", frozenset({bool}): "boolean"}.get(frozenset(kinds)) if missing else None
    if kinds == {datetime.datetime}:
        return pandas.Series(pandas.to_datetime(values), index=index)
    return pandas.Series(values, index=index, dtype=kind)


class _Frames(dict):
    """Columns by name, as lists of Python values.  `shared` has the columns of numbers as the graph stores them:
    frames use these without a copy, for lists that were not changed."""

    shared: Mapping[str, Any] = {}

    def __getstate__(self) -> None:
        return None  # lists alone go into a pickle

    def to_dict(self) -> dict[str, list]:
        """A plain dict of the columns."""
        return dict(self)

    def to_numpy(self) -> dict[str, Any]:
        """A dict of NumPy arrays.  Columns of texts, times or missing values are arrays of objects; numbers stored by
        the graph in the same form are not copied."""
        import numpy

        plain_numbers = ({int}, {float}, {int, float}, {bool})
        return {name: numpy.asarray(self._column(name)) if {type(x) for x in values} in plain_numbers
                else numpy.array([*values, None], dtype=object)[:-1] for name, values in self.items()}

    def _column(self, name: str) -> Any:
        column = self.shared.get(name)
        return self[name] if column is None or column.tolist() != self[name] else column

    def to_polars(self) -> Any:
        """A frame of Polars.  Numbers stored by the graph in the same form are not copied."""
        import polars

        return polars.DataFrame([polars.Series(name, self._column(name), strict=False) for name in self])

    def to_arrow(self) -> Any:
        """A table of PyArrow.  Numbers stored by the graph in the same form are not copied."""
        import pyarrow

        return pyarrow.table({name: pyarrow.array(self._column(name)) for name in self})


class VertexTable(_Frames):
    """Columns by name: `id`, then the attributes, a list of values each; None is a missing value.  (An attribute
    called id is `id_`; in a bipartite graph `side` comes after the ids.)"""

    def to_pandas(self) -> Any:
        """A frame whose index is the id; integers and truth values with missing values get pandas' own types for
        these."""
        import pandas

        columns = {name: _series(pandas, values, self["id"]) for name, values in self.items() if name != "id"}
        return pandas.DataFrame(columns, index=pandas.Index(self["id"], name="id"))


class EdgeTable(_Frames):
    """Columns by name: `source`, `target`, `weight` if there are weights, then the columns of edges, a list of values
    each; None is a missing value.  (A column with one of these names gets a trailing _.)"""

    def to_pandas(self) -> Any:
        """A frame with a row for each edge."""
        import pandas

        return pandas.DataFrame({name: _series(pandas, values) for name, values in self.items()})


def _time(text: str | None, form: int) -> Any:
    if text is None:
        return None
    try:
        return datetime.date.fromisoformat(text) if form == DAY else datetime.datetime.fromisoformat(text)
    except ValueError:  # a year beyond Python's range
        return text


def _values(columns: list) -> dict[str, list]:
    return {name: [_time(x, form) for x in values] if kind == TIME else values for name, kind, form, values in columns}


def columns_of(handle: _weft.Graph) -> dict[str, list]:
    return _values(handle.attributes())


def edge_columns_of(handle: _weft.Graph) -> dict[str, list]:
    """Columns of edges, by arc."""
    return _values(handle.edge_columns())


def side_columns(sides: tuple[str, str, bytes] | None) -> dict[str, list]:
    """`bipartite`, 0 or 1 as in NetworkX, and `side`, the name; empty for a graph without sides."""
    return {"bipartite": list(sides[2]), "side": [sides[k] for k in sides[2]]} if sides else {}


def shown(taken: Iterable[str], names: Iterable[str]) -> dict[str, str]:
    """The names under which columns appear beside those that are taken: a name that is taken gets a trailing _, or as
    many as it needs to be different from all others."""
    taken, names = set(taken), list(names)
    called: dict[str, str] = {}
    for name in names:
        free = name
        while free in taken or (free != name and free in names):
            free += "_"
        called[name] = free
    return called


def beside(taken: dict[str, list], columns: dict[str, list]) -> dict[str, list]:
    """Both; names as returned by `shown`."""
    called = shown(taken, columns)
    return {**taken, **{called[name]: values for name, values in columns.items()}}


# --- from Python values --------------------------------------------------------------------------------


def plain(x: Any) -> Any:
    """The Python value of a number of numpy or a time of pandas; None for a missing value."""
    if x is None or type(x) in (int, float, bool, str):
        return x
    if type(x).__name__ in ("NAType", "NaTType"):
        return None
    if hasattr(x, "to_pydatetime"):
        return x.to_pydatetime()
    return x.item() if hasattr(x, "item") and not hasattr(x, "__len__") else x


def _form(x: datetime.date) -> int:
    if not isinstance(x, datetime.datetime):
        return DAY
    return LOCAL if x.tzinfo is None else UTC


def _micros(x: datetime.date) -> int:
    if not isinstance(x, datetime.datetime):
        return (datetime.datetime(x.year, x.month, x.day) - _EPOCH) // datetime.timedelta(microseconds=1)
    naive = x if x.tzinfo is None else x.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return (naive - _EPOCH) // datetime.timedelta(microseconds=1)


def _kind(name: str, values: list) -> tuple[int, int]:
    kinds = {type(x) for x in values if x is not None}
    if kinds and all(issubclass(k, datetime.date) for k in kinds):
        forms = {_form(x) for x in values if x is not None}
        if len(forms) > 1:
            raise TypeError(f"attribute {name!r}: days, times and times with a zone are not of one kind")
        return TIME, forms.pop()
    for kind, allowed in ((BOOL, {bool}), (I64, {int}), (F64, {int, float}), (TEXT, {str})):
        if kinds and kinds <= allowed:
            return kind, 0
    if not kinds:
        return TEXT, 0
    raise TypeError(f"attribute {name!r}: values are numbers, truth values, texts or times, all of one kind, not "
                    + " and ".join(sorted(k.__name__ for k in kinds)))


def _texts(values: list) -> tuple[array.array, array.array, bytes]:
    numbers: dict[str, int] = {}
    codes = array.array("I", (0 if x is None else numbers.setdefault(x, len(numbers)) for x in values))
    starts, parts = array.array("Q", [0]), []
    for text in numbers:
        parts.append(text.encode("utf-8", "surrogateescape"))
        starts.append(starts[-1] + len(parts[-1]))
    return codes, starts, b"".join(parts)


def _pack(name: str, values: Iterable) -> tuple:
    values = [plain(x) for x in values]
    if any(type(x) is str for x in values):  # pandas has nan for a missing text
        values = [None if type(x) is float and x != x else x for x in values]
    kind, form = _kind(name, values)
    valid = None
    if any(x is None for x in values):
        valid = bytearray((len(values) + 7) // 8)
        for i, x in enumerate(values):
            if x is not None:
                valid[i // 8] |= 1 << i % 8
    starts = text = None
    packed: array.array | bytes
    if kind == TEXT:
        packed, starts, text = _texts(values)
    elif kind == BOOL:
        packed = bytes(bool(x) for x in values)
    elif kind == F64:
        packed = array.array("d", (0 if x is None else x for x in values))
    else:
        try:
            packed = array.array("q", (0 if x is None else _micros(x) if kind == TIME else x for x in values))
        except OverflowError:
            raise OverflowError(f"attribute {name!r}: a whole number beyond 64 bits") from None
    return name, kind, form, packed, valid, starts, text


def in_order(what: str, values: Any, ids: Any, of: str = "vertices") -> list:
    """The values of a column in the order of `ids`: unchanged, or from a mapping from ids, such as a series with an
    index."""
    if has_keys(values):
        values = _of_series(what, values)
    if is_mapping(values):
        known = set(ids)
        strangers = [x for x in values if x not in known]
        if strangers:
            raise KeyError(f"{what}: no vertex {strangers[0]!r}")
        values = [values.get(i) for i in ids]
    values = list(values)
    if len(values) != len(ids):
        rows = counted(len(ids), "vertex" if of == "vertices" else "edge", of)
        raise ValueError(f"{what} has {counted(len(values), 'value')}, the graph {rows}")
    return values


def pack(table: Mapping[str, Any], ids: Any, what: str = "vertices") -> list[tuple]:
    """A column is a value for each vertex in the order of `ids`, or a mapping from ids to values, such as a series
    with an index."""
    columns = []
    for name, values in table.items():
        if not isinstance(name, str) or not name:
            raise TypeError("attributes are called by texts that are not empty")
        columns.append(_pack(name, in_order(f"attribute {name!r}", values, ids, what)))
    return columns


def is_mapping(values: Any) -> bool:
    return hasattr(values, "keys") and hasattr(values, "__getitem__") and not hasattr(values, "iloc")


def has_keys(values: Any) -> bool:
    """Is this a series of pandas with an index of its own: not 0, 1, 2, ... without a name?"""
    if not hasattr(values, "iloc") or not hasattr(values, "index"):
        return False
    index = values.index
    return not (type(index).__name__ == "RangeIndex" and index.name is None and index.start == 0 and index.step == 1)


def _of_series(what: str, series: Any) -> dict:
    keys = [plain(k) for k in series.index]
    values = dict(zip(keys, series))
    if len(values) < len(keys):
        raise ValueError(f"{what}: an id comes twice in the index")
    return values


def is_frame(table: Any) -> bool:
    return hasattr(table, "columns") or hasattr(table, "__arrow_c_stream__")


def _columns_in(frame: Any) -> dict[str, list]:
    """The columns of a frame of pandas or Polars, or of an object with Arrow's C stream interface."""
    if hasattr(frame, "iloc"):
        return {str(c): list(frame[c]) for c in frame.columns}
    if hasattr(frame, "get_columns"):
        return frame.to_dict(as_series=False)
    import pyarrow

    return pyarrow.table(frame).to_pydict()


def of_frame(frame: Any, ids: Any) -> dict[str, list]:
    """The columns of a data frame, whose rows belong to the vertices named by its column id, else by its index."""
    columns = _columns_in(frame)
    if "id" not in columns and not hasattr(frame, "index"):
        raise ValueError("with_attributes: the table has no column id")
    keys = [plain(k) for k in (columns.pop("id") if "id" in columns else frame.index)]
    place = {k: i for i, k in enumerate(keys)}
    if len(place) < len(keys):
        raise ValueError("with_attributes: an id comes twice in the frame")
    known = set(ids)
    strangers = [k for k in keys if k not in known]
    if strangers:
        raise KeyError(f"with_attributes: no vertex {strangers[0]!r}")
    return {name: [values[place[i]] if i in place else None for i in ids] for name, values in columns.items()}


def _of_pairs(name: str, values: Mapping, pairs: list[tuple], directed: bool) -> list:
    """The values of the edges, by their ends."""
    left = dict(values)
    column = []
    for u, v in pairs:
        key = (u, v) if directed or (u, v) in values else (v, u)
        column.append(values.get(key))
        left.pop(key, None)
    for u, v in left:
        if directed or (v, u) not in values:
            raise KeyError(f"column {name!r}: no edge from {u!r} to {v!r}")
    return column


def of_edges(given: Any, more: Mapping, pairs: list[tuple], directed: bool) -> dict[str, Any]:
    """Columns of edges: sequences in the order of `pairs`, mappings from pairs, or a frame with the columns source and
    target."""
    if is_frame(given):
        columns = _columns_in(given)
        if "source" not in columns or "target" not in columns:
            raise ValueError("with_edge_columns: the table has no columns source and target")
        keys = list(zip(map(plain, columns.pop("source")), map(plain, columns.pop("target"))))
        if len(set(keys)) < len(keys):
            raise ValueError("with_edge_columns: an edge comes twice in the table")
        given = {name: dict(zip(keys, values)) for name, values in columns.items()}
    table = {**dict(given or {}), **more}
    indexed = [name for name, x in table.items() if has_keys(x)]
    if indexed:
        raise ValueError(f"column {indexed[0]!r} is a series with an index, but edges have no ids: give a list in the "
                         "order of edge_table(), or a dict from pairs (source, target) to values")
    return {name: _of_pairs(name, x, pairs, directed) if is_mapping(x) else x for name, x in table.items()}
