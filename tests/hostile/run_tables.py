"""Reads a hundred tables with weft and holds the graphs against those that they should be.

   run_tables.py [--all] [NAME ...]     WEFT or WEFT_BIN names the program; exit 1 if a graph is wrong in silence
   run_tables.py --write DIR            the files, to look at

Each run counts as one of these:
   right    the wanted graph: vertices, direction, edges, weights
            (or "asked", where the file does not decide and asking is what is wanted)
   said     another graph, but a note names what was assumed
   asked    refused (exit 2 or 3), and the sentence names a flag, a column or the format
   refused  refused by a sentence that does not help
   WRONG    another graph, in silence
   BROKEN   another exit code, no answer in time, or output that is no graph"""
import collections
import json
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile

from cases import ASK
from tables import CASES

HELP = r"--[a-z]{3}|\bcolumns?\b|\bheader\b|\bsed\b|\biconv\b"
NOTE = r"columns:|taken for|taken as|read as|passed over"
VERDICTS = ("right", "said", "asked", "refused", "WRONG", "BROKEN")


def write_files(case, folder):
    for name, content in case.files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as out:
            out.write(content)


def words_of(case, messages):
    """The messages without the names of files, which are no help."""
    for name in sorted(set(case.files) | {case.name}, key=len, reverse=True):
        messages = messages.replace(name, "FILE")
    return messages


def close(a, b):
    if a is None or b is None or isinstance(a, (bool, str)) or isinstance(b, (bool, str)):
        return a is b or (a is not None and a == b)
    return math.isclose(a, b, rel_tol=1e-6)  # weights may be 32-bit floats


def ends(u, v, directed):
    return (u, v) if directed else tuple(sorted((u, v)))


def listed(edges, directed, once):
    """Edges in an order that does not depend on the file's; once: an undirected edge that stands twice is one."""
    rows = [(ends(str(u), str(v), directed), weight, columns) for u, v, weight, columns in edges]
    rows.sort(key=lambda row: (row[0], -math.inf if row[1] is None else row[1]))
    if once:
        rows = [row for i, row in enumerate(rows) if i == 0 or row[:2] != rows[i - 1][:2]]
    return rows


def difference(wanted, document):
    """What is not as wanted, in words, or None."""
    directed = document["directed"]
    if wanted.directed not in (None, directed):
        return "directed" if directed else "undirected"
    vertices = {str(node["id"]) for node in document["nodes"]}
    if vertices != wanted.vertices or len(vertices) != len(document["nodes"]):
        return f"vertices {sorted(vertices)}, not {sorted(wanted.vertices)}"
    links = [(link["source"], link["target"], link.get("weight"), link) for link in document["links"]]
    got, want = listed(links, directed, False), listed(wanted.edges, directed, wanted.directed is None and not directed)
    if [row[0] for row in got] != [row[0] for row in want]:
        return f"edges {[row[0] for row in got]}, not {[row[0] for row in want]}"
    weights = [row[1] for row in got]
    none_at_all = wanted.weights == "optional" and all(weight is None for weight in weights)
    if not none_at_all and not all(close(a, row[1]) for a, row in zip(weights, want)):
        return f"weights {weights}, not {[row[1] for row in want]}"
    for have, row in zip(got, want):
        for name, value in row[2].items():
            if not close(have[2].get(name), value):
                return f"{name} of {row[0]} is {have[2].get(name)!r}, not {value!r}"
    return None


def judge(case, wanted, code, output, messages):
    """The verdict and what there is to say about it."""
    words = words_of(case, messages)
    if code in (2, 3):
        return ("asked" if re.search(case.help or HELP, words, re.I) else "refused"), ""
    if code != 0:
        return "BROKEN", f"exit code {code}"
    try:
        document = json.loads(output)
        what = "a graph, but the file does not decide" if wanted == ASK else difference(wanted, document)
        if wanted == ASK:
            pairs = [(link["source"], link["target"], link.get("weight")) for link in document["links"]]
            what += f": {pairs}"
    except (ValueError, KeyError, TypeError) as trouble:
        return "BROKEN", f"no graph in JSON: {trouble!r}"
    if what is None:
        return "right", ""
    return ("said" if re.search(case.say or NOTE, words, re.I) else "WRONG"), what


def read(program, case, flags, wanted):
    with tempfile.TemporaryDirectory() as folder:
        write_files(case, folder)
        command = [program, "convert", case.name, "-", "--to", "json", *shlex.split(flags)]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, timeout=60, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return "BROKEN", "no answer within a minute", ""
    messages = done.stderr.decode("utf-8", "backslashreplace")
    verdict, what = judge(case, wanted, done.returncode, done.stdout, messages)
    # To ask is the wanted answer of files that do not decide.
    if wanted == ASK and verdict == "asked":
        verdict = "right"
    return verdict, what, messages


def show(verdict, case, flags, what, messages):
    old = f", {case.old}" if case.old else ""
    print(f"{verdict:8}{case.name} {flags}\n        ({case.why}{old})")
    for line in ([what] if what else []) + messages.rstrip().splitlines():
        print("        " + line[:400])


def main(arguments):
    if arguments[:1] == ["--write"] and len(arguments) == 2:
        for case in CASES:
            write_files(case, arguments[1])
        return 0
    names = [word for word in arguments if word != "--all"]
    program = os.environ.get("WEFT") or os.environ.get("WEFT_BIN")
    chosen = [case for case in CASES if not names or case.name in names]
    if not program or len(chosen) < len(set(names)):
        print("WEFT has to name the program, and each NAME a file of the set", file=sys.stderr)
        return 2
    program = os.path.abspath(program) if os.sep in program else program
    counts = {kind: collections.Counter() for kind in ("old faults", "other files", "with flags")}
    for case in chosen:
        for i, (flags, wanted) in enumerate(case.runs()):
            verdict, what, messages = read(program, case, flags, wanted)
            counts["with flags" if i else "old faults" if case.old else "other files"][verdict] += 1
            if verdict != "right" or "--all" in arguments:
                show(verdict, case, flags, what, messages)
    print(f"\n{'':14}" + "".join(f"{verdict:>9}" for verdict in VERDICTS))
    for kind, counter in counts.items():
        print(f"{kind:14}" + "".join(f"{counter[verdict]:9}" for verdict in VERDICTS))
    return 1 if any(counter["WRONG"] + counter["BROKEN"] for counter in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
