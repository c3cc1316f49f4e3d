#!/usr/bin/env python3
"""Times other graph libraries and Weft on the same file, and compares their answers before a time is printed.

    bench/peers.py [FILE | --generate SPEC] [--tasks a,b] [--peers igraph,...] [--threads N] [--runs N] [--save [FILE]]

The peers come from PyPI into a virtual environment of their own (build/peers-venv), as binary packages only; one that
cannot be had is skipped by name.  Protocol: the graph goes, without loops and parallel edges, into one .sg or .wsg file
that Weft reads and from whose arrays each peer builds its graph, untimed; then, for each task, a warm-up whose answer is
compared with that of Weft (which its own verifier has checked), and timed runs, each from the next of the same random
sources where the task has one.  A task that would take longer than --patience is left out after its warm-up.
Weft's own times come from `weft bench`."""
import argparse
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
TASKS = ["read", "pagerank", "bfs", "components", "triangles", "clustering", "sssp", "kcore", "labelprop", "toposort"]
PEERS = {"igraph": ["igraph"], "networkit": ["networkit", "scipy"], "networkx": ["networkx", "scipy"],
         "graphblas": ["python-graphblas"]}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("file", nargs="?", help="a graph in any format that Weft reads")
    parser.add_argument("--generate", default="rmat:scale=16,degree=16,undirected,max-weight=255", metavar="SPEC",
                        help="a graph of weft generate, in the spelling of weft bench [%(default)s]")
    parser.add_argument("--undirected", action="store_true", help="take the file's edges as undirected")
    parser.add_argument("--tasks", default=",".join(TASKS), help="[%(default)s]")
    parser.add_argument("--peers", default=",".join(PEERS), help="[%(default)s]")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="for those that use several")
    parser.add_argument("--runs", type=int, default=5, help="timed runs [5]")
    parser.add_argument("--patience", type=float, default=60, help="seconds for the runs of one task of one peer [60]")
    parser.add_argument("--weft", default=os.environ.get("WEFT", os.path.join(ROOT, "build", "weft")))
    parser.add_argument("--venv", default=os.path.join(ROOT, "build", "peers-venv"))
    parser.add_argument("--save", nargs="?", const="", metavar="FILE",
                        help="also write the report to FILE [bench/results/peers-NAME.md]")
    args = parser.parse_args()
    for option, known in (("tasks", TASKS), ("peers", list(PEERS))):
        wrong = [word for word in getattr(args, option).split(",") if word not in known]
        if wrong:
            parser.error(f"--{option}: '{wrong[0]}' is none of {', '.join(known)}")
    if args.runs < 1 or args.threads < 1:
        parser.error("--runs and --threads are 1 or more")
    return args


def say(text):
    print(f"peers: {text}", file=sys.stderr, flush=True)


# --- the virtual environment ------------------------------------------------------------------------------------------

def enter_venv(args):
    """Makes the environment if it is not there and starts again inside it; returns the reasons of what is missing."""
    python = os.path.join(args.venv, "bin", "python3")
    if os.environ.get("WEFT_PEERS_MISSING") is not None:
        return json.loads(os.environ["WEFT_PEERS_MISSING"])
    if not os.path.exists(python):
        say(f"making {args.venv}")
        subprocess.run([sys.executable, "-m", "venv", args.venv], check=True)
    missing = {}
    for name in ["numpy", *args.peers.split(",")]:
        packages = PEERS.get(name, [name])
        names = [package.replace("python-", "") for package in packages]
        if subprocess.run([python, "-c", f"import {','.join(names)}"], capture_output=True).returncode == 0:
            continue
        say(f"installing {' '.join(packages)}")
        done = subprocess.run([python, "-m", "pip", "install", "-q", "--only-binary=:all:", *packages],
                              capture_output=True, text=True)
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or ["pip failed"]
            missing[name] = lines[-1].removeprefix("ERROR: ")
    if "numpy" in missing:
        sys.exit(f"peers: skipped all of them: numpy cannot be installed ({missing['numpy']})")
    os.environ["WEFT_PEERS_MISSING"] = json.dumps(missing)
    os.execv(python, [python, os.path.abspath(__file__), *sys.argv[1:]])


# --- the graph ----------------------------------------------------------------------------------------------------------

def weft(args, *words):
    done = subprocess.run([args.weft, *words], capture_output=True, text=True)
    if done.returncode not in (0, 1) or (done.returncode == 1 and words[0] == "bench"):
        sys.exit(f"peers: weft {' '.join(words)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


class Graph:
    """The out-CSR of a GAP file: vertices are 0 ... n-1 for everybody."""

    def __init__(self, path, weighted):
        import numpy as np
        with open(path, "rb") as f:
            self.directed = f.read(1) != b"\0"
            _, self.n = (int(x) for x in np.fromfile(f, dtype=np.int64, count=2))
            self.offsets = np.fromfile(f, dtype=np.int64, count=self.n + 1)
            count = int(self.offsets[-1])
            pairs = np.fromfile(f, dtype=np.int32, count=count * (2 if weighted else 1)).reshape(count, -1)
        self.path = path
        self.targets = pairs[:, 0].astype(np.int64)
        self.weights = pairs[:, 1].copy() if weighted else None
        self.sources = np.repeat(np.arange(self.n), np.diff(self.offsets))
        self.once = slice(None) if self.directed else self.sources <= self.targets

    def arcs(self):
        return self.sources, self.targets

    def edges(self):
        return self.sources[self.once], self.targets[self.once]

    def edge_weights(self):
        return self.weights[self.once]

    def random_sources(self, count):
        """Those of `weft bench` and of `weft bfs --sources random:K`."""
        def mix(x):
            for _ in range(2):
                x ^= x >> 32
                x = x * 0xd6e8feb86659fd93 % 2**64
            return x ^ x >> 32
        import numpy as np
        able = np.flatnonzero(np.diff(self.offsets))
        return [int(able[mix((mix(1) + i) % 2**64) % len(able)]) for i in range(count)]


def kind_and_flags(spec):
    kind, _, rest = spec.partition(":")
    return [kind] + ["--" + word for word in rest.replace(":", ",").split(",") if word]


def prepare(args, folder):
    source = args.file
    if not source:
        source = os.path.join(folder, "generated.weft")
        weft(args, "generate", *kind_and_flags(args.generate), "-q", "-o", source)
    about = json.loads(weft(args, "info", "--json", source))
    whole = about["weighted"] and weft_writes(args, source, os.path.join(folder, "graph.wsg"))
    path = os.path.join(folder, "graph.wsg" if whole else "graph.sg")
    if not whole:
        weft(args, "convert", "-q", "--no-weights", "--loops", "drop", *direction(args), source, path)
    return Graph(path, whole)


def direction(args):
    return ["--undirected"] if args.undirected else []


def weft_writes(args, source, path):
    """Fractional weights do not fit: then there is no sssp."""
    words = [args.weft, "convert", "-q", "--loops", "drop", *direction(args), source, path]
    return subprocess.run(words, capture_output=True).returncode == 0


def write_text(graph, path):
    import numpy as np
    np.savetxt(path, np.column_stack(graph.edges()), fmt="%d")


# --- Weft ---------------------------------------------------------------------------------------------------------------

def weft_times(args, graph, tasks, threads):
    """Median, fastest, slowest in seconds, or the reason why not, by task."""
    words = ["bench", graph.path, "--algos", ",".join(tasks), "--threads", str(threads), "--repeat", str(args.runs),
             "--sources", str(args.runs), "--json", "--quick"]
    report = json.loads(weft(args, *words))
    found = {}
    for row in report["graphs"][0]["rows"]:
        ms = row.get("run_ms")
        found[row["algorithm"]] = [ms[k] / 1e3 for k in ("median", "min", "max")] if ms else row["message"]
    return found, report


def weft_answer(args, graph, task, source, flags, folder):
    import numpy as np
    column = {"bfs": "level", "sssp": "distance"}.get(task)
    path = os.path.join(folder, "answer.npy")
    words = [task, graph.path, "-o", path, "-q"] + (["--source", str(source)] if column else []) + flags
    if task == "pagerank":
        words += ["--precision", "f64", "--tolerance", "1e-10"]
    weft(args, *words)
    table = np.load(path)
    return table[column] if column else table


def disagreement(graph, task, got, wanted):
    """None when the answers agree, else how they do not."""
    import numpy as np
    if task == "toposort":
        place = np.empty(graph.n, dtype=np.int64)
        place[got] = np.arange(graph.n)
        return None if len(got) == graph.n and (place[graph.sources] < place[graph.targets]).all() else "no order"
    if task == "triangles":
        return None if got == int(wanted.sum()) // 3 else f"{got} triangles, not {int(wanted.sum()) // 3}"
    if task in ("pagerank", "clustering", "sssp"):
        finite = np.isfinite(wanted)
        if not (np.isfinite(got) == finite).all():
            return "other vertices are reached"
        worst = float(np.abs(got[finite] - wanted[finite]).max(initial=0))
        allowed = 1e-6 if task == "pagerank" else 1e-6 * max(1, float(np.abs(wanted[finite]).max(initial=0)))
        return None if worst <= allowed else f"differs by up to {worst:.3g}"
    differing = int((np.asarray(got) != wanted).sum())
    return None if not differing else f"differs at {differing} vertices"


# --- the peers ----------------------------------------------------------------------------------------------------------

def spread(seconds):
    return [statistics.median(seconds), min(seconds), max(seconds)]


def time_task(args, graph, task, pair, sources, wanted, flags):
    run, answer = pair
    begin = time.perf_counter()
    raw = run(sources[0])
    first = time.perf_counter() - begin
    wrong = disagreement(graph, task, answer(raw), wanted(task, sources[0], flags))
    if wrong:
        return f"WRONG: {wrong}"
    if first * args.runs > args.patience:
        return f"one run takes {first:.3g} s"
    seconds = []
    for i in range(args.runs):
        begin = time.perf_counter()
        raw = run(sources[i])
        seconds.append(time.perf_counter() - begin)
        if task in ("bfs", "sssp"):
            wrong = disagreement(graph, task, answer(raw), wanted(task, sources[i], flags))
            if wrong:
                return f"WRONG: {wrong}"
    return spread(seconds)


def time_reading(args, read, path, edges):
    seconds = []
    for i in range(args.runs + 1):
        begin = time.perf_counter()
        got = read(path)
        took = time.perf_counter() - begin
        if got != edges:
            return f"WRONG: {got} edges, not {edges}"
        if i == 0 and took * args.runs > args.patience:
            return f"one run takes {took:.3g} s"
        if i:
            seconds.append(took)
    return spread(seconds)


def weft_reading(args, graph, path, threads):
    """As time_reading, by the times that Weft gives for itself: a process for each run, opening to graph."""
    seconds = []
    for i in range(args.runs + 1):
        words = ["info", path, "--json", "--threads", str(threads)] + ([] if graph.directed else ["--undirected"])
        about = json.loads(weft(args, *words))
        if about["edges"] != len(graph.edges()[0]):
            return f"WRONG: {about['edges']} edges"
        if i:
            seconds.append(about["load_ms"] / 1e3)
    return spread(seconds)


def ask(args, graph, task, adapter, pair, sources, wanted, text):
    if task == "read":
        return time_reading(args, adapter.read, text, len(graph.edges()[0])) if hasattr(adapter, "read") else None
    if pair is None or isinstance(pair, str):
        return pair
    flags = adapter.weft_flags.get(task, []) if hasattr(adapter, "weft_flags") else []
    return time_task(args, graph, task, pair, sources, wanted, flags)


def ask_peers(args, graph, tasks, folder, missing):
    from peer_adapters import ADAPTERS
    answers, rows, versions, sources = {}, {}, {}, graph.random_sources(args.runs)

    def wanted(task, source, flags):
        key = (task, source if task in ("bfs", "sssp") else None, *flags)
        if key not in answers:
            answers[key] = weft_answer(args, graph, task, source, flags, folder)
        return answers[key]

    text = os.path.join(folder, "edges.txt")
    for name in args.peers.split(","):
        if name in missing:
            versions[name] = f"skipped {name}: {missing[name]}"
            continue
        say(f"{name}: building its graph")
        adapter = ADAPTERS[name](graph, args.threads)
        versions[name] = f"{adapter.package} {adapter.version}"
        pairs = adapter.tasks()
        for task in tasks:
            say(f"{name}: {task}")
            try:
                outcome = ask(args, graph, task, adapter, pairs.get(task), sources, wanted, text)
            except Exception as trouble:  # a peer that fails is a row, not the end
                outcome = f"failed: {type(trouble).__name__}: {trouble}"
            if outcome:
                rows[name, task] = (adapter.threads, outcome)
    return rows, versions


# --- the report ---------------------------------------------------------------------------------------------------------

def shown(seconds):
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"


def cells(outcome):
    if isinstance(outcome, str):
        return [outcome, "", ""]
    return [shown(x) for x in outcome]


def report(args, graph, tasks, own, rows, versions, provenance):
    import numpy as np
    name = os.path.basename(args.file) if args.file else args.generate
    facts = provenance["graphs"][0]
    where = provenance["provenance"]
    lines = [f"# Peers on {name}", "",
             f"- date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}",
             f"- weft: {where['build']}",
             f"- peers: {'; '.join(versions.values())}; Python {platform.python_version()}, NumPy {np.__version__}",
             f"- machine: {where['cpu']}, {where['cores']} cores, load before the start {where['load_average']}",
             f"- graph: {facts['vertices']} vertices, {facts['edges']} {'' if facts['directed'] else 'un'}directed edges"
             f"{' with weights' if facts['weighted'] else ''}, no loops, checksum {facts['checksum']}",
             f"- runs: a warm-up, then {args.runs}; of each answer that has a time, Weft's own was the same", "",
             "| task | library | threads | median | fastest | slowest | times Weft's with as many threads |",
             "|---|---|--:|--:|--:|--:|--:|"]
    for task in tasks:
        for threads in sorted(own):
            outcome = own[threads].get(task)
            if outcome:
                lines.append(f"| {task} | weft | {threads} | {' | '.join(cells(outcome))} | |")
        for peer in versions:
            if (peer, task) not in rows:
                continue
            threads, outcome = rows[peer, task]
            base = own.get(threads, {}).get(task)
            both = not isinstance(outcome, str) and base and not isinstance(base, str)
            ratio = f"{outcome[0] / base[0]:.3g}" if both and base[0] > 0 else ""
            lines.append(f"| {task} | {peer} | {threads} | {' | '.join(cells(outcome))} | {ratio} |")
    return "\n".join(lines) + "\n"


def save(args, text):
    name = os.path.basename(args.file or args.generate)
    stem = "".join(c if c.isalnum() else "-" for c in name).strip("-")
    path = args.save or os.path.join(HERE, "results", f"peers-{stem}.md")
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path + ".part", "w") as f:
        f.write(text)
    os.replace(path + ".part", path)
    say(f"wrote {path}")


def main():
    args = arguments()
    if not os.access(args.weft, os.X_OK):
        sys.exit(f"peers: there is no program at {args.weft}; build it first")
    missing = enter_venv(args)
    sys.path.insert(0, HERE)
    tasks = args.tasks.split(",")
    with tempfile.TemporaryDirectory() as folder:
        graph = prepare(args, folder)
        algorithms = [task for task in tasks if task != "read"]
        own, provenance = {}, None
        text = os.path.join(folder, "edges.txt")
        if "read" in tasks:
            write_text(graph, text)
        for threads in sorted({1, args.threads}):
            say(f"weft with {threads} thread{'s' if threads > 1 else ''}")
            own[threads], provenance = weft_times(args, graph, algorithms or ["degree"], threads)
            if "read" in tasks:
                own[threads]["read"] = weft_reading(args, graph, text, threads)
        rows, versions = ask_peers(args, graph, tasks, folder, missing)
        out = report(args, graph, tasks, own, rows, versions, provenance)
    sys.stdout.write(out)
    if args.save is not None:
        save(args, out)
    if "WRONG" in out:
        sys.exit(1)


main()
