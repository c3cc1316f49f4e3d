"""Columns: arrays that a result or a graph owns, handed to other libraries without a copy where the memory allows."""
from __future__ import annotations

from . import _weft

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator

_NUMPY = {"b": "i1", "B": "u1", "h": "i2", "S": "u2", "I": "u4", "i": "i4", "Q": "u8", "q": "i8", "f": "f4", "d": "f8", "e": "f2", "H": "u2"}


class Column(_weft.Column):
    """One column of numbers, or of ids.  Speaks the buffer protocol, DLPack, Arrow's C interface and, for columns on a GPU,
    `__cuda_array_interface__`; so `numpy.asarray`, `torch.from_dlpack`, `pyarrow.array` and the like take it as it is."""

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

    def to_numpy(self) -> Any:
        """A NumPy array, without a copy: read-only.  Strings, and ids of which some are missing, become an array of objects."""
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
        """A pandas series."""
        import pandas

        return pandas.Series(self.to_numpy(), name=self.name, copy=False)

    def to_torch(self) -> Any:
        """A torch tensor, on the GPU if the column is there, without a copy."""
        import torch

        return torch.from_dlpack(self)

    def to_cupy(self) -> Any:
        """A CuPy array; without a copy if the column is on the GPU."""
        import cupy

        return cupy.asarray(self) if self.on_device else cupy.asarray(self.to_numpy())


def _shape_text(shape: tuple) -> str:
    return f"{shape[0]} row{'' if shape[0] == 1 else 's'}" + (f" of {shape[1]}" if len(shape) > 1 else "")


def _short(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_short, value[:3])) + (", ...]" if len(value) > 3 else "]")
    return "-" if value is None else str(value)
