"""What people have in memory, as buffers of numbers that the library takes: arrays, lists, columns of data frames, arrays on a GPU."""
from __future__ import annotations

from array import array

from . import _weft

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_CUDA_TYPES = {"u1": 1, "u2": 2, "u4": 3, "u8": 4, "i1": 5, "i2": 6, "i4": 7, "i8": 8, "f4": 9, "f8": 10, "b1": 1}


def on_gpu(x: Any, name: str) -> tuple | None:
    """(pointer, count, type) of an array on a GPU; None if it is not there."""
    there = getattr(x, "__cuda_array_interface__", None)
    if there is None:
        return None
    kind = _CUDA_TYPES.get(there["typestr"][1:])
    if kind is None or len(there["shape"]) != 1 or there.get("strides"):
        raise TypeError(f"{name}: a contiguous array of numbers with one dimension is needed, not {there['typestr']} of shape "
                        f"{there['shape']}")
    return there["data"][0], there["shape"][0], kind


def numbers(x: Any, name: str) -> Any:
    """A buffer of numbers, or a list of other things."""
    if isinstance(x, (list, tuple, range)):
        return _from_list(x)
    device = on_gpu(x, name)
    if device is not None:
        return device
    try:
        view = memoryview(x)
    except TypeError:
        return _from_other(x, name)
    if view.ndim != 1:
        raise TypeError(f"{name}: one dimension is needed, not {view.ndim}")
    if view.format.lstrip("@=<") not in "?bBhHiIlLqQnNfd" or view.format[:1] == ">":
        return _from_list(x.tolist() if hasattr(x, "tolist") else list(x))
    kind: Any = view.format.lstrip("@=<")
    return view if view.c_contiguous else memoryview(view.tobytes()).cast(kind)


def _from_list(items: Any) -> Any:
    for kind in "qd":
        try:
            return array(kind, items)
        except (TypeError, OverflowError):
            pass
    return list(items)


def _from_other(x: Any, name: str) -> Any:
    if hasattr(x, "__arrow_c_array__") or hasattr(x, "__arrow_c_stream__"):  # polars, pyarrow and others
        try:
            return _weft.arrow_values(x)
        except (TypeError, ImportError):  # no plain numbers or strings; pandas needs pyarrow for it
            pass
    if hasattr(x, "to_numpy"):
        return numbers(x.to_numpy(), name)
    if hasattr(x, "__dlpack__"):
        import numpy

        return numbers(numpy.from_dlpack(x), name)
    return _from_list(list(x))


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
    return [array("q", memoryview(a).tolist()) for a in arrays]


def numbered(known: dict, order: list, items: Any) -> memoryview:
    """Numbers for objects, in order of first sight."""
    return memoryview(_weft.number(items if isinstance(items, list) else list(items), known, order)).cast("I")


def names(strings: list) -> dict:
    """Strings one after the other, and where each begins."""
    encoded = [s.encode("utf-8", "surrogateescape") for s in strings]
    starts, total = array("Q", [0]), 0
    for s in encoded:
        total += len(s)
        starts.append(total)
    return {"names": b"".join(encoded) or b"\0", "name_starts": starts}
