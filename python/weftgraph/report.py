"""Reports: the page of `weft report` for a graph in memory, made by the program, which is part of the extension
module, in a process of its own."""
from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from ._options import DEVICES, byte_count, choice
from .errors import DeviceError, Error, InputError, OutOfMemoryError, ParameterError, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Mapping

    from .graph import Graph

_KINDS = {2: ParameterError, 3: InputError, 4: OutOfMemoryError, 5: DeviceError}  # by the program's exit codes


class Report:
    """A self-contained page, and its figures.  A notebook displays it; `save` writes it."""

    def __init__(self, html: str, figures: dict) -> None:
        self.html, self.figures = html, figures

    def save(self, path: str | os.PathLike) -> None:
        """Writes the page."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def __repr__(self) -> str:
        size = f"{counted(self.figures['vertices'], 'vertex', 'vertices')}, {counted(self.figures['edges'], 'edge')}"
        return f"<report: {size}; {len(self.html)} characters of HTML>"

    def _repr_html_(self) -> str:
        from html import escape

        return f'<iframe srcdoc="{escape(self.html)}" style="width: 100%; height: 40em; border: 0"></iframe>'


def _names(graph: Graph, given: Mapping | None) -> list | None:
    """A name for each vertex: the given names, otherwise the ids if the library has none."""
    if given is None:
        return graph._labels
    names = graph.ids.tolist()
    for id, name in given.items():
        names[graph._vertex(id)] = name
    return names


def _write_names(graph: Graph, names: list, path: str) -> None:
    import csv

    own = graph._handle.id_column(None, "id").tolist()
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(("id", "name"))
        rows.writerows((id, " ".join(str(name).split())) for id, name in zip(own, names))


def _program(words: list[str], folder: str) -> str:
    """The program's output; its message becomes an exception if it fails."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    paths = [here, *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run([sys.executable, "-P", "-m", __package__, *words], cwd=folder, capture_output=True, encoding="utf-8",
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)})
    if done.returncode:
        said = done.stderr.strip().removeprefix("weft: ")
        raise _KINDS.get(done.returncode, Error)(said or f"the program ended with {done.returncode}")
    return done.stdout


def make(graph: Graph, labels: Mapping | None, replicates: int, quick: bool, device: str, threads: int | None,
         memory_limit: Any) -> Report:
    import json

    choice("device", DEVICES, device)
    words = ["report", "graph.weft", "--output", "page.html", "--json", "--quiet", "--device", device]
    words += ["--quick"] if quick else ["--replicates", str(replicates)]
    if threads is not None:
        words += ["--threads", str(threads)]
    if memory_limit is not None:
        words += ["--memory-limit", str(byte_count(memory_limit))]
    names = _names(graph, labels)
    with tempfile.TemporaryDirectory(prefix="weft") as folder:
        graph.write(os.path.join(folder, "graph.weft"))
        if names is not None:
            _write_names(graph, names, os.path.join(folder, "names.csv"))
            words += ["--labels", "names.csv:name"]
        figures = json.loads(_program(words, folder))
        with open(os.path.join(folder, "page.html"), encoding="utf-8") as page:
            return Report(page.read(), figures)
