"""Arguments shared by many calls, in the form of the extension module."""
from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEVICES = {"auto": 0, "cpu": 1, "cuda": 2, "gpu": 2}
_DUPLICATES = {"drop": 4, "keep": 1, "sum": 2, "refuse": 3, "min": 4, "max": 5, "mean": 6, "count": 7}
_LOOPS = {"keep": 0, "drop": 1}
_UNITS = {"": 1, "b": 1, "k": 1024, "m": 1024**2, "g": 1024**3, "t": 1024**4}


def choice(name: str, table: dict, value: object) -> int:
    try:
        return table[value]
    except (KeyError, TypeError):
        raise ValueError(f"{name} is one of {', '.join(map(repr, table))}, not {value!r}") from None


def build_rules(directed: bool | None, duplicates: str | None, loops: str) -> dict:
    if directed is not None and directed not in (True, False):
        raise ValueError(f"directed is True, False or None, not {directed!r}")
    return {"direction": 0 if directed is None else 1 if directed else 2, "duplicates": 0 if duplicates is None else choice("duplicates", _DUPLICATES, duplicates),
            "loops": choice("loops", _LOOPS, loops)}


def byte_count(limit: int | str | None) -> int | None:
    if limit is None or isinstance(limit, int):
        return limit
    text = limit.strip().lower()
    number = text.rstrip("abcdefghijklmnopqrstuvwxyz ")
    unit = text[len(number):].strip()
    short = unit[:-2] if unit.endswith("ib") else unit[:-1] if unit.endswith("b") and unit != "b" else unit
    try:
        return int(float(number) * _UNITS[short])
    except (KeyError, ValueError):
        raise ValueError(f"memory_limit is a number of bytes, or a text such as '4 GiB', not {limit!r}") from None


def _handle_of(comm: object) -> int:
    """The address of a communicator's handle in mpi4py.  The caller has imported mpi4py: it is not imported here,
    which would initialise MPI."""
    mpi: Any = sys.modules.get("mpi4py.MPI")
    if mpi is not None and isinstance(comm, mpi.Comm) and comm == mpi.COMM_NULL:
        raise ValueError("comm is MPI.COMM_NULL, which no rank belongs to")
    if mpi is None or not isinstance(comm, mpi.Intracomm):
        raise TypeError(f"comm is an intracommunicator of mpi4py, such as MPI.COMM_WORLD, not {comm!r}")
    return mpi._addressof(comm)


def run_options(threads: int | None = None, memory_limit: int | str | None = None, device: str = "auto", gpu: int = 0,
                on_device: bool = False, stream: int | None = None, comm: object = None) -> dict:
    from . import _progress

    options: dict = {"progress": _progress._current} if _progress._current else {}
    if threads is not None:
        options["threads"] = threads
    if memory_limit is not None:
        options["memory_limit"] = byte_count(memory_limit)
    if device != "auto":
        options["device"] = choice("device", DEVICES, device)
    if gpu:
        options["gpu"] = gpu
    if on_device:
        options["on_device"] = True
    if stream is not None:
        options["stream"] = stream
    if comm is not None:
        options["comm"] = _handle_of(comm)
    return options
