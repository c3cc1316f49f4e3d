"""The caller's arrays that a graph keeps instead of copying them."""
from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable

# By the address of a NumPy array that was writable: the number of graphs that keep it, and the array.
_locked: dict[int, list] = {}


class Kept:
    """Makes NumPy arrays read-only until it is released, which is when the library no longer uses them."""

    __slots__ = ("_arrays",)

    def __init__(self) -> None:
        self._arrays: list = []

    def lock(self, arrays: Iterable[Any]) -> None:
        numpy: Any = sys.modules.get("numpy")
        for a in arrays if numpy is not None else ():
            if isinstance(a, numpy.ndarray) and (a.flags.writeable or id(a) in _locked):
                _locked.setdefault(id(a), [0, a])[0] += 1
                self._arrays.append(a)
                a.flags.writeable = False

    def __del__(self) -> None:
        for a in self._arrays:
            entry = _locked[id(a)]
            entry[0] -= 1
            if not entry[0]:
                del _locked[id(a)]
                try:
                    a.flags.writeable = True
                except ValueError:  # its base has become read-only meanwhile
                    pass


def is_sealed(x: Any) -> bool:
    """No code in this process can write to it: the bytes of an immutable object, or of a file mapped for reading."""
    import mmap

    numpy: Any = sys.modules.get("numpy")
    while numpy is not None and isinstance(x, numpy.ndarray):
        x = x.base
    if type(x) is memoryview:
        x = x.obj
    return type(x) is bytes or (type(x) is mmap.mmap and memoryview(x).readonly)
