"""Graph analytics on CPU cores and GPUs, with the same bits everywhere.

    import weftgraph as wg
    g = wg.read("web.txt.gz")
    g.pagerank(top=10)

Graphs come from files (`read`), arrays (`from_edges`, `from_csr`, `from_edge_index`), other libraries (`from_scipy`, `from_networkx`,
`from_pandas`, `from_polars`, `from_arrow`) and generators (`generate`).  Each algorithm is a method of the graph; results are tables.
"""
from . import _weft
from .columns import Column
from .errors import (
    DeviceError, Error, FileError, InputError, NotFoundError, OutOfMemoryError, ParameterError, UnsupportedError,
    VerificationError, WeftWarning, _make, _warn,
)

_weft.set_up(_make, _warn, Column)

from .graph import Graph  # noqa: E402  (columns must have their class first)
from .makers import (  # noqa: E402
    from_arrow, from_csr, from_edge_index, from_edges, from_networkx, from_pandas, from_polars, from_scipy, read,
)
from ._progress import progress  # noqa: E402
from .result import Plan, Result, Table  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import generate as generate
    from .dynamic import Dynamic as Dynamic

__version__ = _weft.version
UNREACHED = 0xFFFFFFFF
"""In columns of levels: the vertex was not reached."""

__all__ = [
    "Column", "DeviceError", "Dynamic", "Error", "FileError", "Graph", "InputError", "NotFoundError", "OutOfMemoryError",
    "ParameterError", "Plan", "Result", "Table", "UNREACHED", "UnsupportedError", "VerificationError", "WeftWarning",
    "from_arrow", "from_csr", "from_edge_index", "from_edges", "from_networkx", "from_pandas", "from_polars", "from_scipy",
    "generate", "machine", "progress", "read",
]


def machine(measure: bool = False) -> dict:
    """This machine as the library sees it: cores, memory, GPUs, and why there is none."""
    return _weft.machine(measure)


def __getattr__(name: str) -> object:
    if name in ("generate", "Dynamic"):  # only those who want them wait for them
        import importlib

        module = importlib.import_module("." + name.lower(), __name__)
        return module if name == "generate" else module.Dynamic
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
