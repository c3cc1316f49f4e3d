"""What people have in memory, as buffers of numbers that the library takes: arrays, lists, columns of data frames, arrays on a GPU."""
from __future__ import annotations

from array import array

from . import _weft
from .errors import ParameterError

_PIECE = 1 << 16  # items between looks for signals: Python has none inside of such conversions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_FORMATS = frozenset("?bBhHiIlLqQnNfd")
_CUDA_TYPES = {"u1": 1, "u2": 2, "u4": 3, "u8": 4, "i1": 5, "i2": 6, "i4": 7, "i8": 8, "f4": 9, "f8": 10, "b1": 1}


LEGACY = 1  # CUDA's default stream, as DLPack counts them


def on_gpu(x: Any, name: str) -> tuple | None:
    """(pointer, count, type, owner) of an array on a GPU; None if it is not there."""
    if is_there(x):
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
    """The options gpu and stream for arrays on a GPU, so that a call waits for what is written there; none if no array is."""
    there = [a[3] for a in arrays if isinstance(a, tuple)]
    named = {x.__cuda_array_interface__.get("stream") for x in there} - {None}
    if len(named) > 1:
        raise ValueError("the arrays are complete on different streams: synchronize one of them first")
    gpus = [x.__dlpack_device__()[1] for x in there if is_there(x)]
    return {"gpu": gpus[0] if gpus else 0, "stream": named.pop() if named else LEGACY} if there else {}


def is_there(x: Any) -> bool:
    """A tensor in CUDA's memory, as DLPack tells it?"""
    try:
        return hasattr(x, "__dlpack__") and x.__dlpack_device__()[0] in (2, 13)
    except (AttributeError, TypeError, LookupError):
        return False


def detached(x: Any) -> Any:
    """A tensor without its gradient, which DLPack does not carry."""
    return x.detach() if hasattr(x, "detach") else x


def refuse_text(ids: Any, name: str) -> None:
    """One name where several ids are needed: its letters would be taken for them."""
    if isinstance(ids, (str, bytes)):
        raise TypeError(f"{name}: several ids are needed, not {ids!r}: put it in a list")


def numbers(x: Any, name: str) -> Any:
    """A buffer of numbers, or a list of other things."""
    if isinstance(x, (list, tuple, range)):
        return _from_list(x, name)
    device = on_gpu(x, name)
    if device is not None:
        return device
    try:
        view = memoryview(x)
    except (TypeError, BufferError):  # the second: a column of names
        return _from_other(x, name)
    if view.ndim != 1:
        raise TypeError(f"{name}: one dimension is needed, not {view.ndim}")
    if view.format.lstrip("@=<") not in _FORMATS or view.format[:1] == ">":
        return _from_list(x.tolist() if hasattr(x, "tolist") else list(x), name)
    kind: Any = view.format.lstrip("@=<")
    return view if view.c_contiguous else memoryview(view.tobytes()).cast(kind)


def _from_list(items: Any, name: str) -> Any:
    """As 64-bit integers, as doubles, or as they are.  Doubles would make one id of two large integers; weights may be rounded."""
    for kind in "qd":
        try:
            if kind == "d" and not name.startswith("weight") and any(isinstance(x, int) and abs(x) >> 53 for x in items):
                break
            return _in_pieces(array(kind), items)
        except (TypeError, OverflowError):
            pass
    return list(items)


def _in_pieces(to: Any, items: Any) -> Any:
    """Items of a list, a tuple, a range or a memoryview appended to an array or a list."""
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


def _from_other(x: Any, name: str) -> Any:
    if hasattr(x, "__arrow_c_array__") or hasattr(x, "__arrow_c_stream__"):  # polars, pyarrow and others
        try:
            return _weft.arrow_values(x)
        except ValueError as error:  # a null, or a damaged array
            raise ValueError(f"{name}: {error}") from None
        except (TypeError, ImportError):  # no plain numbers or strings; pandas needs pyarrow for it
            pass
    if hasattr(x, "to_numpy"):
        return numbers(x.to_numpy(), name)
    if hasattr(x, "__dlpack__"):
        return numbers(tensor(x), name)
    return _from_list(list(x), name)


def tensor(x: Any, stream: int | None = None) -> Any:
    """A column of somebody's tensor, by DLPack; copied if it is not in one piece."""
    x = detached(x)
    try:
        return _weft.dlpack_values(x, stream)
    except BufferError:
        for copy in ("contiguous", "copy"):  # torch's and CuPy's names
            if hasattr(x, copy):
                return _weft.dlpack_values(getattr(x, copy)(), stream)
        raise


def is_whole(x: Any) -> bool:
    """Integers, as a buffer or on a GPU?"""
    if isinstance(x, tuple):
        return x[2] <= 8
    return not isinstance(x, list) and memoryview(x).format.lstrip("@=<") not in "fd"


def alike(*arrays: Any) -> list:
    """Buffers of integers of one type: where they differ, of 64 bits."""
    kinds = {a[2] if isinstance(a, tuple) else (memoryview(a).format, memoryview(a).itemsize) for a in arrays}
    if len(kinds) == 1 or any(isinstance(a, tuple) for a in arrays):
        return list(arrays)
    return [wide(a) for a in arrays]


def numbered(known: dict, order: list, items: Any) -> memoryview:
    """Numbers for objects, in order of first sight."""
    return memoryview(_weft.number(items if isinstance(items, list) else list(items), known, order)).cast("I")


def names(strings: list) -> dict:
    """Strings one after the other, and where each begins."""
    try:
        encoded = [s.encode("utf-8", "surrogateescape") for s in strings]
    except UnicodeEncodeError as error:
        raise ParameterError(f"the id {error.object!r} is no name: it cannot be written in UTF-8") from None
    starts, total = array("Q", [0]), 0
    for s in encoded:
        total += len(s)
        starts.append(total)
    return {"names": b"".join(encoded) or b"\0", "name_starts": starts}
