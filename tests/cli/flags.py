"""A flag is used or refused: in every run below it changes what is printed, a file, a message or the exit code, or it stands in SAME with
the reason.  Commands, algorithms and their flags are those that weft help lists.  usage: flags.py WEFT, in an empty folder."""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

WEFT = sys.argv[1]
FILES = {
    "t.csv": "source,target,weight,amount,date\n1,2,2,5,2024-01-01\n2,3,1,1,2024-02-01\n3,1,4,2,2024-02-03\n3,4,2,9,2024-03-01\n"
             "4,5,7,3,2024-03-09\n6,5,7,1,2024-03-09\n5,5,1,3,2024-03-09\n5,6,1,2,2024-04-01\n",
    "t.txt": "1 2 2\n2 3 1\n3 1 4\n3 4 2\n4 5 3\n5 5 1\n5 6 1\n",
    "u.txt": "1 2 2\n2 3 1\n3 4 4\n4 5 2\n5 6 3\n6 7 1\n7 1 1\n1 4 1\n2 5 7\n8 9 1\n2 4 1\n1 3 9\n",
    "b.csv": "user_id,item_id,amount\n1,1,2\n1,2,3\n2,2,1\n3,2,4\n3,3,1\n",
    "n.gml": 'graph [ directed 1 node [ id 1 label "a" ] node [ id 2 label "b" ] node [ id 3 label "=c" ] edge [ source 1 target 2 ] '
             'edge [ source 2 target 3 ] edge [ source 3 target 3 ] ]',
    "two.txt": "2\n", "rank.tsv": "id\trank\n1\t3\n2\t5\n", "pairs.txt": "1 2\n3 5\n",
    "half.tsv": "id\tlabel\n" + "".join(f"{i}\t{i % 2}\n" for i in range(1, 10)),
    "halves.csv": "id,label\n" + "".join(f"{i},{i // 5}\n" for i in range(1, 10)),
    "part.tsv": "id\tlabel\n" + "".join(f"{i}\t{i % 2}\n" for i in range(1, 7)),
    "other.tsv": "id\tlabel\n" + "".join(f"{i}\t{i // 4}\n" for i in range(1, 7)),
    "nodes.txt": "id,name\n1,a\n2,b\n77,c\n",
}
# Values of flags: of this command, or of any.  Of what is not there help says the kind.
OF = {
    ("compare", "by"): "pagerank", ("similarity", "measure"): "common", ("similarity", "pairs"): "pairs.txt", ("predict", "quick"): None,
    ("bench", "threads"): "1", ("lab", "threads"): "1", ("predict", "ranks"): "4", ("layout", "groups"): "half.tsv", ("mixing", "groups"): "half.tsv",
    ("subgraph", "ids"): "two.txt", ("katz", "alpha"): "0.1", ("closeness", "registers"): "16", ("harmonic", "registers"): "16",
    ("quality", "resolution"): "0.5", ("truss", "k"): "4", ("kcore", "k"): "2", ("leiden", "initial"): "half.tsv", ("louvain", "initial"): "half.tsv",
    ("betweenness", "error"): "0.2", ("leiden", "resolution"): "5", ("louvain", "resolution"): "5", ("mst", "by"): "weight",
    ("components", "by"): "id", ("quality", "partition"): "other.tsv", ("dynamic", "batch"): "1",
}
VALUES = {
    "output": "out.tsv", "to": "gexf", "truth": "truth.tsv", "window": "date:month", "level": "1", "of": "1", "avoid": "two.txt", "ego": "1",
    "edge": "1 2", "community": "1", "where": "id != 1", "table": "rank.tsv", "side": "second", "partition": "halves.csv", "removed": "r.tsv",
    "added": "a.tsv", "changed": "c.tsv", "by": "id", "sort": "id:desc", "labels": "rank.tsv", "label": "name", "colour": "degree",
    "color": "degree", "size": "degree", "width": "300", "title": "T", "sizes": "sizes.tsv", "format": "metis",
    "keep": "amount", "merge": "amount:sum", "nodes": "nodes.txt", "separator": ";", "grid": "2x1", "checkpoint": "ck", "timeout": "1e-9",
    "generate": "karate", "algos": "bfs", "machine": "h200-ib", "arcs": "1e6", "memory-limit": "1K", "device-memory-limit": "1K",
    "min-weight": "2", "max-weight": "3", "sample-vertices": "0.5", "sample-edges": "0.5", "source-col": "2", "target-col": "1",
    "weight-col": "4", "edges-where": "amount > 2", "weight-from": "amount", "max-degree": "2", "min-degree": "3", "threads": "1",
    "initial": "half.tsv", "personalize": "two.txt", "nstart": "two.txt", "dangling-to": "two.txt", "damping": "0.3", "tolerance": "0.3",
    "alpha": "0.1", "beta": "2", "resolution": "0.5", "scale": "3", "degree": "8",
}
# Runs: in each of them every flag of the command is tried.
RUNS = {
    "info": ["t.csv", "u.txt", "t.weft"],
    "convert": ["t.csv o.weft", "t.csv o.gexf", "t.txt o.txt.gz", "t.weft o.gml"],
    "neighbors": ["u.txt 1", "u.txt 1 -o x.tsv", "u.txt --edge 1 2"],
    "path": ["u.txt 1 3", "u.txt 1 3 -o x.tsv"],
    "subgraph": ["t.csv", "t.csv -o o.weft", "t.csv -o o.gexf"],
    "project": ["b.csv --bipartite", "b.csv --bipartite -o o.txt"],
    "quality": ["t.csv --partition part.tsv", "t.csv --partition part.tsv -o q.tsv"],
    "agreement": ["half.tsv halves.csv"],
    "compare": ["t.csv t.txt"],
    "merge": ["t.csv t.txt --duplicates sum", "t.csv t.txt --duplicates sum -o m.weft"],
    "run": ["t.csv degree", "t.csv degree -o o.tsv", "t.csv degree -o o.gexf"],
    "report": ["t.csv --json", "t.csv -o r.html"],
    "generate": ["rmat --scale 5", "rmat --scale 5 -o o.txt", "rmat --scale 5 -o o.weft"],
    "dynamic": ["new d.weft", "new d.weft t.csv", "info s.weft", "log s.weft", "snapshot s.weft", "snapshot s.weft -o o.gml", "compact s.weft",
                "apply s.weft batch.txt"],
    "predict": ["", "bfs --scale 10", "pagerank --arcs 1e8"],
}
READERS = ("info", "convert", "dynamic")  # the others read as these do
SHAPES = ("pagerank", "mst", "similarity", "components", "cycle", "layout")  # rows of vertices, of edges, a list, groups, a verdict, a picture
IF_SO = "says how the file is read, and it is read so without it"
ABSENT = "about what this file or run does not have"
RANKS = "of ranks, of which there is one"
# Without effect somewhere: the flag, or a command and a flag; the reason.
SAME = {
    "directed": IF_SO, "header": IF_SO, "no-header": IF_SO, "one-set": IF_SO, "require-weights": IF_SO, "comments": IF_SO, "decimal": IF_SO,
    "no-attributes": ABSENT, "loops": ABSENT,
    "merge": ABSENT, "no-formulas": ABSENT, "undirected": IF_SO,
    "to": "the extension says so", ("pagerank", "checkpoint"): "a short run leaves none",
    ("report", "replicates"): "no power law is in sight", ("cycle", "table"): "it has no other rows", ("cycle", "distribution"): "as --table",
    ("dynamic", "wait"): "nobody else writes", ("neighbors", "edge"): "it is in the run",
    "hang-timeout": RANKS, "verify-files": RANKS,
    "threads": "results do not depend on it",
    ("path", "weights"): "the graph has weights, and the path is by them",
    ("components", "top"): "more than there are", ("quality", "top"): "more than there are", "device": "there is one", "device-memory-limit": "there is no GPU",
}

SOMETIMES = {("pagerank", "checkpoint")}  # a run beside it may have left one


def help_of(topic):
    return subprocess.run([WEFT, "help", *topic, "--all"], capture_output=True, text=True, env={**os.environ, "COLUMNS": "400"}).stdout


def flags_of(topic):
    """Of each flag: its name, what help calls its value (None: it has none), its default, the part of help."""
    part = ""
    for line in help_of([topic]).splitlines():
        part = line if line[:1].strip() else part
        found = re.match(r"  (?:-\w, |    )--([a-z][a-z-]*)(?: (\S+(?: V)?))?(?:  |$)", line)
        if found and found[1] not in ("help", "all", "json", "timeout", "memory-limit", "quiet", "calibrate"):
            default = re.search(r"\[([\w.-]+)\]$", line)
            yield found[1], found[2], default and default[1], part


def words(command, flag, kind):
    value = OF.get((command, flag), VALUES.get(flag))
    if kind is None:
        return ["--" + flag]
    if re.fullmatch(r"[a-z0-9]+(\|[a-z0-9]+)+", kind):
        value = [choice for choice in kind.split("|") if choice not in ("auto", "cuda", "gpu")][-1]
    value = value or {"N": "3", "K": "2", "X": "0.3", "S": "7", "R": "2", "ID": "2", "IDS|@FILE|random:K": "2,3", "LIST": "1", "DIR": "d",
                      "P": "0.5", "G": "2"}.get(kind, "3")
    return ["--" + flag, *(value.split() if kind == "U V" else [value])]


def quiet_about_time(text):
    text = re.sub(r"\d[\d.,e+-]* ?(ms|s|us|µs|ns|changes/s|[KMG]?i?B/s|[KM]iB|GiB|bytes)\b", "T", text)
    return re.sub(r'"[\w ]*(ms|per_second|peak|load|prepare|run|median|min|max|bytes\w*|seconds)": *[\d.e+-]+', "T", text)


def run(line):
    """What is to be seen of a run in a folder of its own."""
    number, given = line
    folder = f"run{number}"
    os.mkdir(folder)
    for name in os.listdir("files"):
        if name == "s.weft":  # is changed
            with open(f"files/{name}", "rb") as f, open(f"{folder}/{name}", "wb") as to:
                to.write(f.read())
        else:
            os.link(f"files/{name}", f"{folder}/{name}")
    done = subprocess.run([WEFT, *given], cwd=folder, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=120)
    files = {}
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            if name == "s.weft" or not os.path.exists(f"files/{name}"):
                with open(path, "rb") as f:
                    files[path[len(folder):]] = f.read() if not name.endswith(".html") else quiet_about_time(f.read().decode())
            os.unlink(path)
    return done.returncode, quiet_about_time(done.stdout), quiet_about_time(done.stderr), files


def make_files():
    os.mkdir("files")
    for name, text in {**FILES, "batch.txt": "+ 1 9 3\n- 1 2\n"}.items():
        with open(f"files/{name}", "w", encoding="utf-8") as f:
            f.write(text)
    for made in (["convert", "t.csv", "t.weft", "--keep", "amount,date"], ["dynamic", "new", "s.weft", "t.csv"],
                 ["dynamic", "apply", "s.weft", "batch.txt"]):
        subprocess.run([WEFT, *made, "-q"], cwd="files", check=True, capture_output=True)


def tries():
    """Of each run with a flag: what is tried, the run without it, and the flag given with its default, if that can be typed."""
    for command in sorted(RUNS):
        for flag, kind, default, part in flags_of(command):
            for base in RUNS[command] if part != "Reading" or command in READERS else ():
                yield command, flag, [command, *base.split()], words(command, flag, kind), default
    for name in SHAPES:
        for flag, kind, default, part in flags_of(name):
            for base in ([name, "t.csv"], [name, "t.csv", "-o", "o.svg" if name == "layout" else "o.tsv"]):
                if part not in ("Parameters", "Reading") and (name == "pagerank" or (len(base) == 2) != (name in ("cycle", "layout"))):
                    yield name, flag, base, words(name, flag, kind), default


def default_of(base, line, default):
    """The same run with the flag's default in place of its value, or None."""
    return line[:-1] + [default] if default and len(line) == len(base) + 2 else None


def main():
    make_files()
    tried = [(command, flag, base, base + more, default) for command, flag, base, more, default in tries()]
    lines = {tuple(base) for _, _, base, _, _ in tried} | {tuple(line) for _, _, _, line, _ in tried}
    lines |= {tuple(line) for _, _, base, full, default in tried if (line := default_of(base, full, default))}
    order = sorted(lines)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        seen = dict(zip(order, pool.map(run, enumerate(order))))
    wrong = unused = 0
    excused = set()
    for command, flag, base, line, default in tried:
        without, having = seen[tuple(base)], seen[tuple(line)]
        told = " ".join(line)
        if without[0] not in (0, 1):
            sys.exit(f"{' '.join(base)} failed: {without[2]}")
        if without == having:
            unused += 1
            reason = {flag, (command, flag)} & SAME.keys()
            excused |= reason
            if not reason:
                print(f"weft {told}: the same as without --{flag}")
                wrong += 1
        other = default_of(base, line, default)
        if having[0] == 2 and other and re.search(r"--[a-z-]+ needs --|exclude each other|does not take|is about|is of", having[2]):
            if seen[tuple(other)][0] != 2:
                print(f"weft {' '.join(other)}: accepted, though another value is not: {having[2].strip()}")
                wrong += 1
    for left in SAME.keys() - excused - SOMETIMES:
        print(f"SAME has {left}, which has an effect in all runs")
        wrong += 1
    print(f"{len(tried)} flags tried in {len(order)} runs, {unused} of them without effect, for a reason")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
