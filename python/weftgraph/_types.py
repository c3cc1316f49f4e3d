"""Names for annotations.  Nothing imports this at run time."""
from __future__ import annotations

from typing import Any, Hashable, Literal, Mapping, Sequence, Union

Id = Hashable
"""An id as the user gave it: an integer, a string, or any hashable object."""
Device = Literal["auto", "cpu", "cuda"]
Array = Any
"""Numbers with one dimension: a NumPy array, a buffer, a list, a column of a data frame, an array on a GPU."""
Weights = Union[Mapping[Any, float], Sequence[float], Array]
Partition = Union[Mapping[Any, Hashable], Sequence[Hashable], Array]
"""A label for each vertex, of any kind: {id: label}, or labels in the order of the ids."""
Matrix = Any
"""Numbers of float32 or float16 with two dimensions, a row for each vertex."""
