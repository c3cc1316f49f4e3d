"""Graphs that change: batches of changes as input, snapshots as output."""
from __future__ import annotations

from array import array
from operator import index

from . import _weft
from ._arrays import is_whole, listed, numbers, refuse_text
from ._options import DEVICES, build_rules, choice, run_options
from .errors import NotFoundError, ParameterError, counted
from .graph import Graph

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from types import TracebackType
    from typing import Any, Iterable, NoReturn

_CHANGES = {"+": 0, "-": 1, "=": 2, "+v": 3, "-v": 4}
_SIGNS = list(_CHANGES)
_WEIGHTS = {"none": 0, "u32": 1, "f32": 2, "f64": 3}
_CODES = {"u32": "I", "f32": "f", "f64": "d"}
_INFINITE = float("inf")
_NO_BATCH = 2**64 - 1  # the library's number of the last batch
_SHORT = 1 << 12  # longer lists are converted with checks for signals
_DURABLE = {"batch": 0, "never": 1}


def _shown(x: Any) -> str:
    """Integers of thousands of digits would make a long message, and Python refuses to print them."""
    return repr(x) if not isinstance(x, int) or x.bit_length() <= 128 else f"about {'-' if x < 0 else ''}2^{x.bit_length() - 1}"


def _refuse(code: str, items: Any, name: str, kind: str) -> NoReturn:
    """Names the first entry that an array of that type does not accept."""
    for i, x in enumerate(items):
        try:
            array(code, [x])
        except OverflowError:
            if kind == "id":
                raise ParameterError(f"{name}[{i}]: {_shown(x)} is no id: ids are integers from -2^63 to 2^63-1") from None
            raise ParameterError(f"{name}[{i}]: the weight {_shown(x)} is no {kind}, the type of this graph's weights") from None
        except TypeError:
            raise TypeError(f"{name}[{i}]: {'integers' if code in 'qI' else 'numbers'} are needed, not {_shown(x)}") from None
    raise TypeError(f"{name}: {'integers' if code in 'qI' else 'numbers'} are needed")


def _as_array(code: str, values: Any, name: str, kind: str) -> Any:
    """A buffer of that type: of ids, or of weights of a kind."""
    if type(values) is list and len(values) < _SHORT:
        try:
            return array(code, values)
        except (TypeError, OverflowError):
            pass  # the message follows below, or the numbers are of another type
    if hasattr(values, "__next__"):
        values = list(values)
    given = numbers(values, name)
    if isinstance(given, tuple):
        raise TypeError(f"{name}: an array in the host's memory is needed")
    if isinstance(given, list) or (code in "qI" and not is_whole(given)):
        _refuse(code, values if isinstance(values, (list, tuple)) else listed(given), name, kind)
    view = memoryview(given)
    same = view.format.lstrip("@=<")
    if same == code or (code == "q" and same in "ln" and view.itemsize == 8):
        return view.cast("B").cast(code)  # type: ignore[call-overload]
    try:
        return array(code, view.tolist())
    except OverflowError:
        _refuse(code, view.tolist(), name, kind)


def _as_weights(kind: str, values: Any) -> Any:
    """A buffer of the graph's weight type.  A weight that would become another number is refused, as by the program;
    nan and infinities by the library, if they count."""
    if kind == "f32" and not _is_f32(values):
        exact = _as_array("d", values, "weights", kind)
        narrow = array("f", exact)
        if narrow.tolist() != exact.tolist():
            for i, (x, y) in enumerate(zip(exact, narrow)):
                if (y == 0) != (x == 0) or (abs(y) == _INFINITE and abs(x) < _INFINITE):
                    raise ParameterError(f"weights[{i}]: the weight {x!r} is no f32, the type of this graph's weights")
        return narrow
    return _as_array(_CODES[kind], values, "weights", kind)


def _is_f32(values: Any) -> bool:
    try:
        return memoryview(values).format.lstrip("@=<") == "f"
    except (TypeError, BufferError):
        return False


def _batch_number(name: str, value: Any) -> int:
    """The number of a batch, checked for the library's range."""
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{name} is the number of a batch, not {value!r}") from None
    if number < 0:
        raise ParameterError(f"{name} is the number of a batch, 0 or more, not {_shown(number)}")
    if number >= _NO_BATCH:
        raise NotFoundError(f"{name}: there is no batch {_shown(number)}")
    return number


class Dynamic:
    """A graph that changes.

        d = wg.Dynamic("web.weft")          # a file keeps it; d = wg.Dynamic(g) or wg.Dynamic(): in memory
        d.apply([1, 2], [2, 3])             # two edges; on the disk when it returns
        d.apply([1], [2], change="-")
        d.snapshot().pagerank(top=10)       # an ordinary Graph, which later batches do not change

    `source` is a `.weft` file, a graph, or absent: then the graph is empty, and `directed`, `weight_type` and `names`
    are its kind (directed, without weights, with integers as ids).  A file or a graph has its kind; a different kind
    is an error. Between two vertices there is at most one edge (in each direction, if directed).  For a file,
    `durable="never"` does not wait for the disk, `read_only` leaves it unchanged, and `at` shows it as it was after
    that batch.  With `device="cuda"` rows are on the GPU, and batches are merged there.  One thread at a time changes
    it; any thread may take snapshots.
    """

    __slots__ = ("_handle", "_threads", "_names", "_weights", "__weakref__")

    def __init__(self, source: str | PathLike[str] | Graph | None = None, *, directed: bool | None = None,
                 weight_type: str | None = None, names: bool | None = None, loops: str = "keep", durable: str | None = None,
                 read_only: bool = False, at: int | None = None, device: str = "cpu", threads: int | None = None) -> None:
        params = {**build_rules(directed, "drop", loops), "names": int(bool(names)), "read_only": int(bool(read_only)),
                  "weight_type": choice("weight_type", _WEIGHTS, "none" if weight_type is None else weight_type),
                  "durable": choice("durable", _DURABLE, "batch" if durable is None else durable),
                  "at": None if at is None else _batch_number("at", at), "device": choice("device", DEVICES, device)}
        path, graph = None, None
        if isinstance(source, Graph):
            if source._labels is not None:
                raise TypeError("the vertices of this graph are Python objects; a dynamic graph has integers or names")
            graph = source._handle
        elif source is not None:
            import os

            path = os.fsdecode(source)
        if path is None:
            for name, given in (("read_only", read_only), ("at", at is not None), ("durable", durable == "batch")):
                if given:
                    raise ParameterError(f"{name} is for a file, but this graph is in memory")
        self._threads = threads
        self._handle = _weft.dynamic(path, graph, params, run_options(threads))
        kind = self._handle.describe()  # the kind of the graph never changes
        for name, wanted in (("directed", directed), ("weight_type", weight_type), ("names", names)):
            if wanted is not None and wanted != kind[name]:
                self._handle.close()
                raise ParameterError(f"{name}={wanted!r} does not fit: {path or 'the graph'} has {name}={kind[name]!r}")
        self._names, self._weights = kind["names"], kind["weight_type"]

    def apply(self, sources: Iterable[Any], targets: Iterable[Any] | None = None, weights: Iterable[Any] | None = None,
              change: str | Iterable[str] = "+") -> dict[str, int]:
        """Applies a batch: all of it, or, if it raises, nothing.  `change` is one for all, or one each: "+" adds an
        edge (and its ends), "-" removes it, "=" sets its weight, "+v" adds a vertex (targets do not count), "-v"
        removes it with its edges.  Later changes of a batch win.  Returns a summary of the changes."""
        u = self._ids(sources, "sources")
        v = u if targets is None else self._ids(targets, "targets")
        codes = None  # all are "+"
        if not isinstance(change, str):
            codes = bytes(choice("change", _CHANGES, c) for c in change)
            if len(codes) != len(u):
                raise ValueError(f"changes has {counted(len(codes), 'entry', 'entries')}, but sources {len(u)}")
        elif change != "+":
            codes = bytes([choice("change", _CHANGES, change)]) * len(u)
        if targets is None and (len(u) > 0 if codes is None else min(codes, default=3) < _CHANGES["+v"]):
            raise TypeError("edges need targets")
        w = None
        if weights is not None:
            if self._weights == "none":
                raise TypeError("this graph has no weights")
            w = _as_weights(self._weights, weights)
        return self._handle.apply(u, v, w, codes if codes and any(codes) else None, run_options(self._threads))

    def _ids(self, ids: Iterable[Any], name: str) -> Any:
        refuse_text(ids, name)
        if not self._names:
            return _as_array("q", ids, name, "id")
        given = list(ids)
        for i, x in enumerate(given):
            if not isinstance(x, str):
                raise TypeError(f"{name}[{i}]: the ids of this graph are names, not {_shown(x)}")
        return given

    def snapshot(self) -> Graph:
        """The graph as it is now, at once; the first use of its rows packs them."""
        return Graph(self._handle.snapshot())

    def batch(self, number: int) -> list[tuple[Any, ...]]:
        """A batch as it was given, from the log of the file: (change, source, target[, weight]) each."""
        changes, u, v, w = self._handle.logged(_batch_number("number", number))
        info = self.info()
        if not info["names"]:
            u, v = array("q", u).tolist(), array("q", v).tolist()
        codes = changes if changes is not None else bytes(len(u))
        rows: list[tuple[Any, ...]] = []
        weights = array(_CODES[info["weight_type"]], w).tolist() if w is not None else None
        for i, code in enumerate(codes):
            row: tuple[Any, ...] = (_SIGNS[code], u[i]) if code > 2 else (_SIGNS[code], u[i], v[i])
            rows.append((*row, weights[i]) if weights and code in (0, 2) else row)
        return rows

    def info(self) -> dict[str, Any]:
        """Batches, vertices, edges, kind, memory, and for a file its log."""
        return self._handle.describe()

    @property
    def version(self) -> int:
        """The number of batches applied so far."""
        return self.info()["version"]

    def compact(self) -> None:
        """Rewrites the file, with the current graph and an empty log."""
        self._handle.compact(run_options(self._threads))

    def sync(self) -> None:
        """Waits until all batches are on the disk."""
        self._handle.sync({})

    def follow(self) -> bool:
        """For a file opened read_only: applies the next batch that another program appended, if there is one."""
        return self._handle.follow(run_options(self._threads))

    def close(self) -> None:
        """Releases the file, and everything but snapshots."""
        self._handle.close()

    def __enter__(self) -> Dynamic:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        try:
            i = self.info()
        except ValueError:
            return "<weftgraph.Dynamic, closed>"
        return (f"<weftgraph.Dynamic, batch {i['version']}: {i['vertices']:,} vertices, {i['edges']:,} "
                f"{'directed' if i['directed'] else 'undirected'} edges>")
