"""losses.py WEFT: what each format that is written makes of each type of attribute and of column of edges, with and
without missing values: it comes back as it was, by its type, or a warning names it."""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile

weft = sys.argv[1]
# By type: values, of which the second is missing in the columns that end with _some.
VALUES = {
    "i64": ["3", "-4", "9007199254740993"], "f64": ["0.5", "1e-300", "2"], "whole": ["1.0", "2.0", "4.0"], "inf": ["0.5", "NaN", "-INF"],
    "bool": ["true", "false", "true"], "text": ["a, \"b\" <&>", " blanks ", "\u6587"], "digits": ["7", "8", "12"],
    "day": ["2024-02-29", "1969-12-31", "2001-01-01"], "moment": ["2024-03-01T12:30:00.250Z", "1969-12-31T23:59:59Z", "2001-01-01T00:00:00Z"],
    "days": ["2024-02-29", "1969-12-31", "2001-01-01"]}
DECLARED = {"i64": "long", "f64": "double", "whole": "double", "inf": "double", "bool": "boolean", "text": "string", "digits": "string",
            "day": "string", "moment": "string", "days": "string"}
TIMES = {"day", "moment"}
FORMATS = ["weft", "graphml", "gexf", "gml", "json", "cyjs", "nodes", "csv", "edgelist", "jsonl", "dot", "pajek", "mtx", "dimacs", "sg", "csr",
           "dense", "npz"]
problems = []


def run(*words, code=0):
    done = subprocess.run([weft, *words], capture_output=True, text=True)
    if done.returncode != code:
        problems.append(f"{' '.join(words)}: exit code {done.returncode}: {done.stderr}")
    return done


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def columns_of(types, some):
    """Two of each type, few enough that a warning lists them all."""
    return {f"{t}_{'some' if some else 'all'}": [None if some and i == 1 else x for i, x in enumerate(VALUES[t])] for t in types}


def make(folder, types, some, of_edges):
    """A .weft file with these columns: GraphML has types, but no times; a table has these."""
    columns = columns_of(types, some)
    path, table = os.path.join(folder, "typed.weft"), os.path.join(folder, "table.csv")
    timed = {k: v for k, v in columns.items() if k.split("_")[0] in TIMES}
    typed = {k: v for k, v in columns.items() if k not in timed}
    data = lambda i: "".join(f'<data key="{k}">{escape(v[i])}</data>' for k, v in typed.items() if v[i] is not None)
    kind = "edge" if of_edges else "node"
    xml = "<graphml>" + "".join(f'<key id="{k}" for="{kind}" attr.name="{k}" attr.type="{DECLARED[k.split("_")[0]]}"/>' for k in typed)
    xml += '<graph edgedefault="directed">' + "".join(f'<node id="{i + 1}">{"" if of_edges else data(i)}</node>' for i in range(3))
    xml += "".join(f'<edge source="{i + 1}" target="{(i + 1) % 3 + 1}">{data(i) if of_edges else ""}</edge>' for i in range(3)) + "</graph></graphml>"
    with open(table, "w", newline="", encoding="utf-8") as f:
        rows = csv.writer(f, lineterminator="\n")
        rows.writerow((["source", "target"] if of_edges else ["id"]) + list(timed))
        for i in range(3):
            rows.writerow(([i + 1, (i + 1) % 3 + 1] if of_edges else [i + 1]) + [v[i] for v in timed.values()])
    if timed:
        edges = os.path.join(folder, "edges.csv")
        with open(edges, "w", encoding="utf-8") as f:
            f.write("source,target\n1,2\n2,3\n3,1\n")
        run("convert", table if of_edges else edges, path, *(["--keep", ",".join(timed)] if of_edges else ["--nodes", table]), "-q")
    else:
        document = os.path.join(folder, "typed.graphml")
        with open(document, "w", encoding="utf-8") as f:
            f.write(xml)
        run("convert", document, path, *(["--keep", ",".join(typed)] if of_edges else []), "-q")
    return path, list(columns)


def seen(path, of_edges, names):
    """By name: the type, how many are missing, the values as text."""
    info = json.loads(run("info", path, "--json", "-q").stdout)
    types = {c["name"]: (c["type"], c["missing"]) for c in info["edge_columns" if of_edges else "attributes"]}
    rows = list(csv.DictReader(io.StringIO(run("convert", path, "-", "--to", "csv" if of_edges else "nodes", "-q").stdout)))
    return {k: (*types[k], [row[k] for row in rows]) for k in names if k in types}


def check(folder, types, some, of_edges):
    path, names = make(folder, types, some, of_edges)
    want = seen(path, of_edges, names)
    if len(want) != len(names):
        problems.append(f"{names}: the file has {sorted(want)}")
    for name in FORMATS:
        out, back = os.path.join(folder, "out." + name), os.path.join(folder, "back.weft")
        said = run("convert", path, out, "--to", name).stderr
        lost = [k for k in names if k in said]
        if name == "dot" and not of_edges:
            continue  # strings, and never read
        rest = [k for k in names if k not in lost]
        if not rest:
            continue
        keep = ["--keep", ",".join(rest)] if of_edges and name != "weft" else []
        edges = os.path.join(folder, "plain.csv")
        with open(edges, "w", encoding="utf-8") as f:
            f.write("source,target\n1,2\n2,3\n3,1\n")
        run("convert", *([edges, back, "--nodes", out] if name == "nodes" else [out, back, "--format", name]), *keep, "-q")
        got = seen(back, of_edges, rest)
        for k in rest:
            if got.get(k) != want[k]:
                problems.append(f"{name}, {'edges' if of_edges else 'vertices'}: {k} was {want[k]}, came back as {got.get(k)}, and nothing said so")


with tempfile.TemporaryDirectory() as folder:
    for of_edges in (False, True):
        for types in ([t for t in VALUES if t not in TIMES], sorted(TIMES)):
            for some in (False, True):
                check(folder, types, some, of_edges)
print("\n".join(problems))
sys.exit(bool(problems))
