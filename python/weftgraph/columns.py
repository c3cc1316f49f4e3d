"""Columns: arrays owned by a result or a graph, passed to other libraries without a copy if the memory allows it."""
from __future__ import annotations

import sys

from . import _weft

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator

_NUMPY = {"b": "i1", "B": "u1", "h": "i2", "S": "u2", "I": "u4", "i": "i4", "Q": "u8", "q": "i8", "f": "f4", "d": "f8", "e": "f2", "H": "u2"}


class Column(_weft.Column):
    """One column of numbers, or of ids.  It supports the buffer protocol, DLPack, Arrow's C interface and, for columns
    on a GPU, `__cuda_array_interface__`; so `numpy.asarray`, `torch.from_dlpack`, `pyarrow.array` and the like accept
    it."""

    __slots__ = ()

    def __repr__(self) -> str:
        shown = ", ".join(map(_short, self.tolist(0, 6)))
        return f"<column {self.name}: {shown}{', ...' if len(self) > 6 else ''}; {_shape_text(self.shape)}>"

    def __iter__(self) -> Iterator[Any]:
        for first in range(0, len(self), 4096):
            yield from self.tolist(first, first + 4096)

    def __getitem__(self, at: int | slice) -> Any:
        if isinstance(at, slice):
            first, end, step = at.indices(len(self))
            return self.tolist(first, end)[::step] if step > 0 else [self[i] for i in range(first, end, step)]
        return super().__getitem__(at)

    def __reduce__(self) -> tuple:
        return _unpack, self.pack()

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Any = ...) -> Any:
        """A DLPack capsule.  A consumer of version 1 of 2023.12, recognised by the argument `copy`, shares the memory
        and knows by a flag that it is read-only.  Other consumers get a copy; so does torch, which ignores the
        flag."""
        versioned = max_version is not None and max_version[0] >= 1
        caller = sys._getframe().f_back
        torch = caller is not None and str(caller.f_globals.get("__name__")).partition(".")[0] == "torch"
        share = versioned and not torch and copy is not ... and not copy
        if not share and copy is not ... and copy is not None and not copy:
            raise BufferError("columns are read-only, which this consumer would not know of: let it copy")
        if torch and not share and self.on_device and (dl_device is None or dl_device[0] != _HOST):
            return self.to_torch().__dlpack__(stream=stream)
        return self.tensor(versioned, not share, dl_device)

    def to_numpy(self) -> Any:
        """A NumPy array, without a copy: read-only.  Strings, and ids with missing values, become an array of
        objects."""
        import numpy

        if self.format == "z" or self.has_missing:
            return numpy.array(self.tolist(), dtype=object)
        if not len(self):
            return numpy.empty(self.shape, _NUMPY[self.format])
        return numpy.asarray(memoryview(self))

    def to_arrow(self) -> Any:
        """A pyarrow array, without a copy."""
        import pyarrow

        return pyarrow.array(self)

    def to_polars(self) -> Any:
        """A polars series."""
        import polars

        return polars.Series(self.name, self)

    def to_pandas(self) -> Any:
        """A pandas series, a copy.  With missing values, such as levels of vertices that were not reached, it is a
        nullable Int64 series."""
        import pandas

        if self.has_gaps:
            values: Any = self.to_numpy()
            values = pandas.arrays.IntegerArray(values.astype("i8"), values == _NONE)
        elif self.has_missing and self.format == "q":
            import numpy

            parts = self.pack()
            there = numpy.unpackbits(numpy.frombuffer(parts[6], "u1"), count=len(self), bitorder="little")
            values = pandas.arrays.IntegerArray(numpy.frombuffer(parts[4], "i8").copy(), there == 0)
        elif len(self.shape) > 1:
            values = list(self.to_numpy().copy())
        else:
            values = self.to_numpy().copy()
        return pandas.Series(values, name=self.name, copy=False)

    def to_torch(self) -> Any:
        """A torch tensor, on the GPU if the column is there: a copy, since torch has no read-only tensors."""
        import torch

        return torch.from_dlpack(self.tensor(False, False, None)).clone()

    def to_cupy(self) -> Any:
        """A CuPy array: a copy, since CuPy has no read-only arrays."""
        import cupy

        return cupy.array(self if self.on_device else self.to_numpy())


_HOST = 1  # DLPack's number of the host
_NONE = 0xFFFFFFFF  # the library's, in columns of levels and of vertices


def _unpack(*parts: Any) -> Column:
    return _weft.unpack_column(*parts)  # type: ignore[return-value]


def _shape_text(shape: tuple) -> str:
    return f"{shape[0]} row{'' if shape[0] == 1 else 's'}" + (f" of {shape[1]}" if len(shape) > 1 else "")


def _short(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_short, value[:3])) + (", ...]" if len(value) > 3 else "]")
    return "-" if value is None else str(value)
