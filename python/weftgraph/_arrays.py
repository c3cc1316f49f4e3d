"""Data in memory as buffers of numbers for the library: arrays, lists, columns of data frames, arrays on a GPU."""
from __future__ import annotations

import sys
from array import array

from . import _weft
from .errors import ParameterError

_PIECE = 1 << 16  # items between checks for signals: Python makes none inside of such conversions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_FORMATS = frozenset("?bBhHiIlLqQnNfd")
_CUDA_TYPES = {"u1": 9, "u2": 10, "u4": 1, "u8": 4, "i1": 11, "i2": 12, "i4": 13, "i8": 5, "f4": 2, "f8": 3, "b1": 9}


LEGACY = 1  # CUDA's default stream, by DLPack's number


def on_gpu(x: Any, name: str) -> tuple | None:
    """(pointer, count, type, owner) of an array on a GPU; None for other arrays."""
    if is_there(x) and not isinstance(x, _weft.Column):
        x = _weft.dlpack_values(detached(x), LEGACY)
    there = getattr(x, "__cuda_array_interface__", None)
    if there is None:
        return None
    try:
        kind, (count,), (pointer, _) = _CUDA_TYPES[there["typestr"][1:]], there["shape"], there["data"]
        strides, count = there.get("strides"), int(count)
        if strides and tuple(strides) != (int(there["typestr"][2:]),) or there.get("mask") is not None or count < 0 or (count and not pointer):
            raise ValueError
    except (KeyError, TypeError, ValueError):
        raise TypeError(f"{name}: a contiguous array of numbers with one dimension is needed, not {there!r}") from None
    return pointer, count, kind, x


def place_of(*arrays: Any) -> dict:
    """The options gpu and stream for arrays on a GPU, so that a call waits until they are written; none if no array is
    on a GPU."""
    there = [a[3] for a in arrays if isinstance(a, tuple)]
    named = {x.__cuda_array_interface__.get("stream") for x in there} - {None}
    if len(named) > 1:
        raise ValueError("the arrays are complete on different streams: synchronize one of them first")
    gpus = [x.__dlpack_device__()[1] for x in there if is_there(x)]
    return {"gpu": gpus[0] if gpus else 0, "stream": named.pop() if named else LEGACY} if there else {}


def is_there(x: Any) -> bool:
    """Is it a tensor in CUDA's memory, according to DLPack?"""
    try:
        return hasattr(x, "__dlpack__") and x.__dlpack_device__()[0] in (2, 13)
    except (AttributeError, TypeError, LookupError):
        return False


def detached(x: Any) -> Any:
    """A tensor without its gradient, which DLPack does not carry."""
    return x.detach() if hasattr(x, "detach") else x


def refuse_text(ids: Any, name: str) -> None:
    """Refuses a single string where several ids are needed: its letters would be taken for ids."""
    if isinstance(ids, (str, bytes)):
        raise TypeError(f"{name}: several ids are needed, not {ids!r}: put it in a list")


def numbers(x: Any, name: str, ids: bool = False) -> Any:
    """A buffer of numbers, or a list of other objects.  In a list of ids only integers become numbers, so that each id
    stays unchanged."""
    if isinstance(x, (list, tuple, range)):
        return _from_list(x, ids)
    device = on_gpu(x, name)
    if device is not None:
        return device
    if type(x).__module__.partition(".")[0] == "pandas" and hasattr(x, "tolist"):
        return _from_pandas(x, name, ids)
    try:
        view = memoryview(x)
    except (TypeError, BufferError):  # BufferError: a column of names
        return _from_other(x, name, ids)
    except ValueError:  # NumPy's times, which tolist() would turn into other integers
        return _from_list(list(x), ids)
    if view.ndim != 1:
        raise TypeError(f"{name}: one dimension is needed, not {view.ndim}")
    if view.format.lstrip("@=<") not in _FORMATS or view.format[:1] == ">":
        return _from_list(x.tolist() if hasattr(x, "tolist") else list(x), ids)
    kind: Any = view.format.lstrip("@=<")
    return view if view.c_contiguous else memoryview(view.tobytes()).cast(kind)


def _from_list(items: Any, ids: bool) -> Any:
    """A list as 64-bit integers, as doubles, or unchanged.  A weight may be any object that converts to a number, by
    __index__ or __float__; but two ids must not become equal."""
    for kind in "" if ids and not _are_integers(items) else "q" if ids else "qd":
        try:
            return _in_pieces(array(kind), items)
        except (TypeError, OverflowError):
            pass
    return list(items)


def _are_integers(items: Any) -> bool:
    """Are all of them Python's or NumPy's integers?  An instance of another class could have a value of its own."""
    if isinstance(items, range):
        return True
    numpy: Any = sys.modules.get("numpy")
    for first in range(0, len(items), _PIECE):
        for kind in set(map(type, items[first:first + _PIECE])):
            if kind is not int and not (numpy and issubclass(kind, numpy.integer) and kind is not numpy.timedelta64):
                return False
    return True


def _in_pieces(to: Any, items: Any) -> Any:
    """Appends the items of a list, a tuple, a range or a memoryview to an array or a list."""
    for first in range(0, len(items), _PIECE):
        piece = items[first:first + _PIECE]
        to.extend(piece.tolist() if isinstance(items, memoryview) else piece)
    return to


def listed(x: Any) -> list:
    """A buffer's numbers as a list."""
    return x if isinstance(x, list) else _in_pieces([], memoryview(x))


def wide(x: Any) -> array:
    """A buffer's integers with 64 bits."""
    try:
        return _in_pieces(array("q"), memoryview(x))
    except OverflowError:
        raise ParameterError(f"the id {max(memoryview(x))} does not fit in 64 bits with sign") from None


def _from_pandas(x: Any, name: str, ids: bool) -> Any:
    """A series: numbers by its array, everything else as the objects that pandas shows.  Not by Arrow, which has other
    types, and may not be installed."""
    kind = getattr(x.dtype, "kind", "O")
    if kind in "iufb" and not x.isna().any():
        values = x.to_numpy()
        if values.dtype.kind in "iufb":
            return numbers(values, name, ids)
    return _from_list(x.tolist(), ids)


def _from_other(x: Any, name: str, ids: bool) -> Any:
    if hasattr(x, "__arrow_c_array__") or hasattr(x, "__arrow_c_stream__"):  # polars, pyarrow and others
        try:
            return _weft.arrow_values(x)
        except ValueError as error:  # a null, or a damaged array
            raise ValueError(f"{name}: {error}") from None
        except (TypeError, ImportError):  # no plain numbers or strings
            for lists in ("to_list", "to_pylist"):  # polars' and pyarrow's names
                if hasattr(x, lists):
                    return _from_list(getattr(x, lists)(), ids)
    if hasattr(x, "to_numpy"):
        return numbers(x.to_numpy(), name, ids)
    if hasattr(x, "__dlpack__"):
        return numbers(tensor(x), name, ids)
    return _from_list(list(x), ids)


def tensor(x: Any, stream: int | None = None) -> Any:
    """A column of another library's tensor, by DLPack; copied if it is not contiguous."""
    x = detached(x)
    try:
        return _weft.dlpack_values(x, stream)
    except BufferError:
        for copy in ("contiguous", "copy"):  # torch's and CuPy's names
            if hasattr(x, copy):
                return _weft.dlpack_values(getattr(x, copy)(), stream)
        raise


def is_whole(x: Any) -> bool:
    """Does it contain integers, as a buffer or on a GPU?"""
    if isinstance(x, tuple):
        return x[2] <= 8
    return not isinstance(x, list) and memoryview(x).format.lstrip("@=<") not in "fd"


def alike(*arrays: Any) -> list:
    """Buffers of integers of one type: 64 bits if their types differ."""
    kinds = {a[2] if isinstance(a, tuple) else (memoryview(a).format, memoryview(a).itemsize) for a in arrays}
    if len(kinds) == 1 or any(isinstance(a, tuple) for a in arrays):
        return list(arrays)
    return [wide(a) for a in arrays]


def numbered(known: dict, order: list, items: Any) -> memoryview:
    """Numbers for objects, in the order of their first occurrence."""
    return memoryview(_weft.number(items if isinstance(items, list) else list(items), known, order)).cast("I")


def names(strings: list) -> dict:
    """Strings one after the other, and the begin of each."""
    try:
        encoded = [s.encode("utf-8", "surrogateescape") for s in strings]
    except UnicodeEncodeError as error:
        raise ParameterError(f"the id {error.object!r} is no name: it cannot be written in UTF-8") from None
    starts, total = array("Q", [0]), 0
    for s in encoded:
        total += len(s)
        starts.append(total)
    return {"names": b"".join(encoded) or b"\0", "name_starts": starts}
