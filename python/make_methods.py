"""make_methods.py FOLDER: writes _algorithms.py and generate.py, with a method for each algorithm and a function for each generator of
the library whose extension module, _weft, is in FOLDER.  Names, defaults, docstrings and annotations are the registry's."""
import importlib.util
import keyword
import os
import sys
import textwrap

HEADER = '''"""%s

Made from the library's registry by python/make_methods.py: changes belong there, or in the descriptors."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
%s
'''

ANNOTATIONS = {
    "u64": "int", "f64": "float", "bool": "bool", "text": "str", "vertex": "Id", "vertices": "Iterable[Id]",
    "weights": "Weights", "matrix": "Matrix", "labels": "Partition", "pairs": "Iterable[tuple[Id, Id]]",
}
SWEPT = "resolution"  # a parameter of which several values may be given: a run for each
RUN_OPTIONS = """device: Device = "auto", threads: int | None = None, memory_limit: int | str | None = None, verify: bool = False,
gpu: int = 0, on_device: bool = False, stream: int | None = None, comm: Any = None"""
OPTION_HELP = [
    ("top", "number of rows: the first by `{by}`"),
    ("device", "'auto' picks the faster one, 'cpu' or 'cuda' insist"),
    ("threads", "number of threads; None is one for each core"),
    ("memory_limit", "bytes, or a text such as '4 GiB'; a run that would need more is refused, or takes a thriftier method"),
    ("verify", "check the result against the definition; VerificationError if it fails"),
    ("gpu", "which one, counted from 0"),
    ("on_device", "columns of a run on the GPU stay there until they are asked for"),
    ("stream", "a CUDA stream of yours, as an integer, that the run waits for and works on"),
    ("comm", "a communicator of mpi4py whose ranks share the run: all of them make the call, the first has the result, and the others None"),
]


def load(folder):
    for name in os.listdir(folder):
        if name.startswith("_weft.") and name.endswith(".so"):
            spec = importlib.util.spec_from_file_location("_weft", os.path.join(folder, name))
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return module
    sys.exit("make_methods.py: there is no _weft in " + folder)


def python_name(name):
    name = name.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def default_of(param):
    """The default as Python writes it; None where the library decides.  It also chooses a vertex, but not for who gives
    None, which may be the answer of a look-up that found none."""
    text, kind = param["default"], param["type"]
    if kind == "vertex":
        return "..."
    if kind == "bool":
        return "True" if text == "yes" else "False"
    if kind == "choice":
        return repr(text)
    try:
        return str(int(text)) if kind == "u64" else repr(float(text)) if kind == "f64" else "None"
    except (TypeError, ValueError):
        return "None"


def annotation_of(param):
    if param["type"] == "choice":
        kind = "Literal[%s]" % ", ".join(map(repr, param["choices"].split("|")))
    else:
        kind = ANNOTATIONS[param["type"]]
    return kind + {"None": " | None", "...": " | EllipsisType"}.get(default_of(param), "")


def signature(params):
    return ["%s: %s = %s" % (python_name(p["name"]), annotation_of(p), default_of(p)) for p in params]


def wrap(text, indent, first=None):
    return textwrap.fill(text, 116, initial_indent=first if first is not None else indent, subsequent_indent=indent,
                         break_on_hyphens=False, break_long_words=False)


def sentence(text):
    text = (text or "").replace("`", "``").replace("``direction=directed``", "``directed=True``")
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def argument_lines(pairs, indent):
    return "\n".join(wrap("%s: %s" % (n, h), indent + "        ", indent + "    ") for n, h in pairs)


def help_of(param):
    limits = ""
    if param["type"] in ("u64", "f64") and param["max"] > param["min"]:
        limits = "; %g to %g" % (param["min"], param["max"])
    text = (param["help"] or "").replace("`", "``")
    if param["type"] == "labels":
        text = "{id: label}, or a label for each vertex: " + text
    if param["name"] == SWEPT:
        limits += "; or several, a run for each, in a table with `results`"
    if param["type"] == "pairs":
        text = text.replace(": two ids a line of a file", "")
    if param["type"] in ("vertices", "weights"):
        text = text.replace(", from a file of ids or K random vertices", "").replace(", ids in a file or K random vertices", "")
        text = text.replace("a file of lines 'id [weight]': ", "{id: weight}, or a weight for each vertex: ")
    return text + limits


def method(a):
    lead = [p for p in a["params"] if p["type"] in ("vertex", "matrix")][:1]
    rest = [p for p in a["params"] if p not in lead]
    former = [entry.split()[0] for entry in (a["formerly"] or "").split("|") if entry]
    parts = ["self"] + signature(lead) + ["*"] + signature(rest) + ["top: int | None = None"] + RUN_OPTIONS.replace("\n", " ").split(", ")
    parts += ["%s: bool | None = None" % old for old in former]
    lines = []
    swept = [part for part in parts if part.startswith(SWEPT + ":")]
    if swept:
        several = SWEPT + ": Sequence[float]"
        for as_, gives in ((swept[0], "Result"), (several, "Sweep")):
            lines += ["    @overload", "    def %s(" % python_name(a["name"])]
            lines += [wrap(", ".join(as_ if part == swept[0] else part for part in parts), " " * 8), "    ) -> %s: ..." % gives, ""]
        parts[parts.index(swept[0])] = swept[0].replace("float", "float | Sequence[float]", 1)
    lines += ["    def %s(" % python_name(a["name"]), wrap(", ".join(parts), " " * 8)]
    lines.append("    ) -> Result%s:" % (" | Sweep" if swept else ""))
    doc = [wrap(sentence(a["help"]), " " * 8, ' ' * 8 + '"""')]
    described = [(python_name(p["name"]), help_of(p)) for p in lead + rest]
    options = [(n, h.format(by=a["top_by"])) for n, h in OPTION_HELP]
    doc += ["", "        Args:", argument_lines(described + options, " " * 8)]
    columns = [(r["name"], "%s, %s" % (r["type"], r["help"])) for r in a["results"] if r["shape"] == "vertices"]
    tables = [(r["name"], "%s, %s" % (r["type"], r["help"])) for r in a["results"] if r["shape"] == "table"]
    edges = [(r["name"], "%s, %s" % (r["type"], r["help"])) for r in a["results"] if r["shape"] == "edges"]
    scalars = [(r["name"], "%s, %s" % (r["type"], r["help"])) for r in a["results"] if r["shape"] == "scalar"]
    for title, rows in (("Columns", columns), ("Columns of edges", edges), ("Table", tables), ("Scalars", scalars)):
        if rows:
            doc += ["", "        %s:" % title, argument_lines([(n, h.replace("`", "``")) for n, h in rows], " " * 8)]
    doc.append('        """')
    named = [python_name(p["name"]) for p in lead + rest] + former
    values = ", ".join('"%s": %s' % (name, name) for name in named)
    call = 'return self._run("%s", {%s}, top, %s)' % (a["name"], values, ", ".join(n for n, _ in OPTION_HELP[1:]))
    return "\n".join(lines + doc + [textwrap.indent(wrap(call, " " * 12, " " * 8), "")])


def generator(g):
    params = g["params"]
    lead = [p for p in params if p["name"] in ("n", "scale", "rows", "depth")][:1]
    rest = [p for p in params if p not in lead]
    optional = [dict(p, default=p["default"] if p["type"] == "bool" else None) for p in lead + rest]
    typed = ["%s: %s = %s" % (python_name(p["name"]), annotation_of(p), default_of(p)) for p in optional]
    parts = typed[:len(lead)] + ["*"] + typed[len(lead):] + [
        "directed: bool | None = None", 'duplicates: Literal["drop", "keep", "sum", "refuse", "min", "max", "mean", "count"] = "drop"',
        'loops: Literal["keep", "drop"] = "keep"', "threads: int | None = None", "memory_limit: int | str | None = None"]
    described = [(python_name(p["name"]), help_of(p) + ("" if not p["default"] else "; %s if None" % p["default"]))
                 for p in lead + rest]
    described += [("directed", "None: as the generator makes it"), ("duplicates", "what becomes of parallel edges"),
                  ("loops", "whether arcs from a vertex to itself stay"), ("threads", "None is one for each core"),
                  ("memory_limit", "bytes, or a text such as '4 GiB'")]
    lines = ["def %s(" % python_name(g["name"]), wrap(", ".join(parts), "    "), ") -> Graph:",
             wrap(sentence(g["help"]), "    ", '    """'), "", "    Args:", argument_lines(described, "    "), '    """']
    values = ", ".join('"%s": %s' % (python_name(p["name"]), python_name(p["name"])) for p in lead + rest)
    lines.append(wrap('return _generate("%s", {%s}, directed, duplicates, loops, threads, memory_limit)' % (g["name"], values),
                      "        ", "    "))
    return "\n".join(lines)


def main():
    folder = sys.argv[1]
    registry = load(folder).registry()
    imports = ["from types import EllipsisType", "from typing import Any, Iterable, Literal, Sequence, overload",
               "from ._types import Device, Id, Matrix, Partition, Weights", "from .result import Result, Sweep"]
    text = HEADER % ("The algorithms, as methods of graphs.", textwrap.indent("\n".join(imports), "    "))
    text += "else:\n    def overload(signature):\n        return signature\n"
    text += "\n\nclass Algorithms:\n    __slots__ = ()\n\n    if TYPE_CHECKING:\n"
    text += "        def _run(self, *words: Any) -> Any: ...\n\n"
    text += "\n\n".join(method(a) for a in registry["algorithms"]) + "\n"
    with open(os.path.join(folder, "_algorithms.py"), "w") as f:
        f.write(text)
    imports = ["from typing import Literal", "from .graph import Graph"]
    text = HEADER % ("Graphs from generators: the same graph from the same parameters, everywhere.",
                     textwrap.indent("\n".join(imports), "    "))
    text += "\nfrom .makers import _generate\n\n__all__ = %r\n\n\n" % [python_name(g["name"]) for g in registry["generators"]]
    text += "\n\n\n".join(generator(g) for g in registry["generators"]) + "\n"
    with open(os.path.join(folder, "generate.py"), "w") as f:
        f.write(text)


main()
