"""Graph analytics on CPU cores and GPUs, with the same bits everywhere.

    import weftgraph as wg
    g = wg.read("web.txt.gz")
    g.pagerank(top=10)

Graphs come from files (`read`), arrays (`from_edges`, `from_csr`, `from_edge_index`), other libraries (`from_scipy`, `from_networkx`,
`from_pandas`, `from_polars`, `from_arrow`) and generators (`generate`).  Each algorithm is a method of the graph; results are tables.
"""
from ._load import _weft
from .columns import Column
from .errors import (
    DeviceError, Error, FileError, InputError, NotFoundError, OutOfMemoryError, ParameterError, UnsupportedError,
    VerificationError, WeftWarning, _make, _warn,
)

_weft.set_up(_make, _warn, Column)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import generate as generate
    from ._progress import progress as progress
    from .dynamic import Dynamic as Dynamic
    from .graph import Graph as Graph
    from .makers import (
        from_arrow as from_arrow, from_csr as from_csr, from_edge_index as from_edge_index, from_edges as from_edges,
        from_igraph as from_igraph, from_networkx as from_networkx, from_pandas as from_pandas, from_polars as from_polars, from_scipy as from_scipy, read as read,
    )
    from .partition import Quality as Quality, agreement as agreement
    from .result import Plan as Plan, Result as Result, Table as Table
    from .several import Changes as Changes, compare as compare, merge as merge

# Imported on first use, from these modules, so that `import weftgraph` stays fast.
_LATER = {
    "Dynamic": "dynamic", "Graph": "graph", "Plan": "result", "Result": "result", "Table": "result", "progress": "_progress",
    "generate": "generate", "Quality": "partition", "agreement": "partition",
    "Changes": "several", "compare": "several", "merge": "several",
    **dict.fromkeys(("from_arrow", "from_csr", "from_edge_index", "from_edges", "from_igraph", "from_networkx", "from_pandas",
                     "from_polars", "from_scipy", "read"), "makers"),
}

__version__ = _weft.version
UNREACHED = 0xFFFFFFFF
"""In columns of levels: the vertex was not reached."""

__all__ = [
    "Changes", "Column", "DeviceError", "Dynamic", "Error", "FileError", "Graph", "InputError", "NotFoundError", "OutOfMemoryError",
    "ParameterError", "Plan", "Quality", "Result", "Table", "UNREACHED", "UnsupportedError", "VerificationError", "WeftWarning", "agreement",
    "compare", "from_arrow", "from_csr", "from_edge_index", "from_edges", "from_igraph", "from_networkx", "from_pandas", "from_polars",
    "from_scipy", "generate", "machine", "merge", "progress", "read",
]


def machine(measure: bool = False) -> dict:
    """This machine as seen by the library: cores, memory and GPUs, or the reason why there is no GPU."""
    return _weft.machine(measure)


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    module = importlib.import_module("." + _LATER[name], __name__)
    found = module if name == "generate" else getattr(module, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
