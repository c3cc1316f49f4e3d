#!/usr/bin/env python3
"""How ranks of one thread scale under mpirun, beside as many threads of one process, and beside a peer.

    bench/ranks_scaling.py [--weft build/weft] [--ranks 1,2,4,8,16] [--weak 19] [--strong 22] [--large 24] [--rounds 3]

Graphs are R-MAT, symmetrised, of degree 16, with whole weights for sssp: one of 2^--strong vertices for all numbers of
ranks, those of 2^--weak for each rank, and one of 2^--large vertices once, on the most ranks, with the VmHWM of each.
Times are run_ms of --json: the run alone, without starting, reading and writing; the fastest of --repeat runs in a
process (the first meets cold memory), the median of the rounds.  A round starts every case once, ranks and threads in
turn, the next one in reverse; none begins that would not end within --seconds.  No time without the same answer: the
file that a case writes (.npy) must have the bytes of one process.  Sent and planned are rank_sent_bytes and
rank_planned_bytes of all ranks.

The peer is the Parallel Boost Graph Library (Debian: libboost-graph-parallel-dev; bench/pbgl_peer.cpp, built here if it
can be, or --peer FILE) on a graph of 2^--peer-scale vertices, whole calls between barriers; its ranks must be within
1e-5 of Weft's, levels and components the same."""
import argparse
import glob
import hashlib
import json
import os
import resource
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
ITERATIONS = 10
FLAGS = {"pagerank": ["--iterations", str(ITERATIONS)], "bfs": ["--no-parents"], "components": [], "sssp": []}
PEER_FLAGS = {"pagerank": ["--iterations", str(ITERATIONS), "--dangling", "drop"], "bfs": ["--no-parents"], "components": []}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weft", default=os.environ.get("WEFT", os.path.join(ROOT, "build", "weft")))
    parser.add_argument("--mpirun", default="mpirun --bind-to core", help="[%(default)s]")
    parser.add_argument("--ranks", default="1,2,4,8,16", help="[%(default)s]")
    parser.add_argument("--algorithms", default="pagerank,bfs,components", help="those, or sssp [%(default)s]")
    parser.add_argument("--weak", type=int, default=19, help="scale for each rank [19]")
    parser.add_argument("--strong", type=int, default=22, help="[22]")
    parser.add_argument("--large", type=int, default=24, help="0: none [24]")
    parser.add_argument("--rounds", type=int, default=3, help="at most [3]")
    parser.add_argument("--repeat", type=int, default=3, help="runs in a process [3]")
    parser.add_argument("--seconds", type=float, default=600, help="for the rounds [600]")
    parser.add_argument("--peer", help="pbgl_peer, if it is built elsewhere")
    parser.add_argument("--peer-scale", type=int, default=17, help="0: none [17]")
    parser.add_argument("--data", default=os.path.join(ROOT, "build", "bench-data"), help="[%(default)s]")
    args = parser.parse_args()
    args.ranks = [int(word) for word in args.ranks.split(",")]
    args.algorithms = args.algorithms.split(",")
    unknown = [word for word in args.algorithms if word not in FLAGS]
    if unknown:
        parser.error(f"--algorithms: '{unknown[0]}' is none of {', '.join(FLAGS)}")
    if not os.access(args.weft, os.X_OK):
        parser.error(f"{args.weft}: no program; build it, or name another by --weft")
    return args


def graph(args, scale, weighted=False, ending="weft"):
    """Made with all threads, once."""
    path = os.path.join(args.data, f"ranks-rmat{scale}{'-weighted' if weighted else ''}.{ending}")
    if not os.path.exists(path):
        weights = ["--max-weight", "255"] if weighted else []
        subprocess.run([args.weft, "generate", "rmat", "--scale", str(scale), "--undirected", *weights, "-o", path, "-q"], check=True,
                       stdout=subprocess.DEVNULL)
    return path


def launch(args, ranks):
    return [*args.mpirun.split(), "-n", str(ranks)]


def output(command):
    """What a command prints on standard output; ends the script if it fails."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}: {done.stderr.strip()[-2000:]}")
    return done.stdout


def run(args, algorithm, flags, path, kind, workers, repeat, before=()):
    """The JSON of a run, and the digest of the file that it wrote."""
    answer = os.path.join(args.data, "ranks-answer.npy")
    words = [args.weft, algorithm, path, "--json", "--device", "cpu", "--repeat", str(repeat), "-t", "1" if kind == "ranks" else str(workers), "-o", answer, *flags]
    said = json.loads(output((launch(args, workers) if kind == "ranks" else []) + [*before, *words]))
    if kind == "ranks" and workers > 1 and said.get("ranks") != workers:
        sys.exit(f"{' '.join(words)}: {workers} ranks were started, and {said.get('ranks')} ran")
    with open(answer, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest() if hasattr(hashlib, "file_digest") else hashlib.sha256(file.read()).hexdigest()
    os.remove(answer)
    return said, digest


class Case:
    """One algorithm on one graph, by so many ranks or threads."""

    def __init__(self, algorithm, scale, kind, workers):
        self.algorithm, self.scale, self.kind, self.workers = algorithm, scale, kind, workers
        self.times, self.said = [], None

    def graph(self, args):
        return graph(args, self.scale, self.algorithm == "sssp")

    def median(self):
        return statistics.median(self.times)

    def bytes_of(self, word):
        return sum(self.said.get(word, [])) / 2**20

    def rate(self):
        return self.said["edges"] / self.median()


def rounds(args, cases):
    """Times of all cases; a round takes as long as the last."""
    answers, begun, last = {}, time.monotonic(), 0.0
    for number in range(args.rounds):
        if number > 0 and time.monotonic() - begun + last > args.seconds:
            break
        start = time.monotonic()
        for case in cases if number % 2 == 0 else reversed(cases):
            said, digest = run(args, case.algorithm, FLAGS[case.algorithm], case.graph(args), case.kind, case.workers, args.repeat)
            right = answers.setdefault((case.algorithm, case.scale), (case, digest))
            if digest != right[1]:
                sys.exit(f"{case.algorithm}, R-MAT {case.scale}: {case.workers} {case.kind} and {right[0].workers} {right[0].kind} have different answers")
            case.said = said
            case.times.append(said["run_ms"]["min"])
        last = time.monotonic() - start
    return len(cases[0].times)


def table(title, args, cases, scale_of):
    print(f"\n| {title} | ranks, threads | ranks ms | threads ms | ranks / threads | efficiency of ranks | of threads | sent MiB | planned MiB |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for algorithm in args.algorithms:
        of = {(c.kind, c.workers): c for c in cases if c.algorithm == algorithm and c.scale == scale_of(c.workers)}
        one = {kind: of[kind, args.ranks[0]].rate() / args.ranks[0] for kind in ("ranks", "threads")}
        for workers in args.ranks:
            ranks, threads = of["ranks", workers], of["threads", workers]
            share = [of[kind, workers].rate() / workers / one[kind] for kind in ("ranks", "threads")]
            print(f"| {algorithm}, R-MAT {ranks.scale} | {workers} | {ranks.median():.1f} | {threads.median():.1f} | {ranks.median() / threads.median():.2f} | "
                  f"{share[0]:.2f} | {share[1]:.2f} | {ranks.bytes_of('rank_sent_bytes'):.1f} | {ranks.bytes_of('rank_planned_bytes'):.1f} |", flush=True)


def scaling(args):
    scales = {workers: {args.strong, weak_scale(args, workers)} for workers in args.ranks}
    cases = [Case(algorithm, scale, kind, workers) for algorithm in args.algorithms for workers in args.ranks for scale in sorted(scales[workers])
             for kind in ("threads", "ranks")]
    for case in cases:
        case.graph(args)
    done = rounds(args, cases)
    print(f"{done} rounds of {args.repeat} runs; PageRank: {ITERATIONS} iterations; bfs, sssp: from the vertex with the most arcs.")
    print("Efficiency: edges a second of each rank or thread, over those of one.  Planned: a bound but for pagerank.")
    table("strong", args, cases, lambda workers: args.strong)
    table("weak", args, cases, lambda workers: weak_scale(args, workers))


def weak_scale(args, workers):
    return args.weak + workers.bit_length() - 1


def large(args):
    """One graph on the most ranks, with what each of them held by the system's count."""
    ranks, path = max(args.ranks), graph(args, args.large)
    size = os.path.getsize(path) / 2**20
    print(f"\n| R-MAT {args.large}, {ranks} ranks | ranks ms | threads ms | sent MiB | planned MiB | VmHWM of a rank, MiB |"
          " its plan, MiB, at most |\n|---|--:|--:|--:|--:|--:|--:|")
    for algorithm in ("pagerank", "bfs"):
        threads, right = run(args, algorithm, FLAGS[algorithm], path, "threads", ranks, args.repeat)
        held = os.path.join(args.data, "ranks-held")
        said, digest = run(args, algorithm, FLAGS[algorithm], path, "ranks", ranks, args.repeat, [sys.executable, os.path.abspath(__file__), "--held", held])
        if digest != right:
            sys.exit(f"{algorithm}, R-MAT {args.large}: {ranks} ranks and as many threads have different answers")
        marks = []
        for name in glob.glob(held + ".*"):
            with open(name) as file:
                marks.append(int(file.read()) / 1024)
            os.remove(name)
        sent, planned = (sum(said[word]) / 2**20 for word in ("rank_sent_bytes", "rank_planned_bytes"))
        print(f"| {algorithm} | {said['run_ms']['min']:.1f} | {threads['run_ms']['min']:.1f} | {sent:.1f} | {planned:.1f} | "
              f"{min(marks):.0f} to {max(marks):.0f} | {max(said['rank_bytes']) / 2**20:.0f} |", flush=True)
    print(f"\nThe file has {size:.0f} MiB.")


def held(words):
    """Starts a rank, and writes its largest resident set in KiB to a file named after it."""
    code = subprocess.call(words[1:], close_fds=False)
    rank = os.environ.get("OMPI_COMM_WORLD_RANK") or os.environ["PMI_RANK"]
    with open(f"{words[0]}.{rank}", "w") as file:
        file.write(f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss}\n")
    return code


def peer_program(args):
    """pbgl_peer, or None and why."""
    if args.peer:
        return args.peer, None
    program = os.path.join(args.data, "pbgl_peer")
    libraries = ["-lboost_graph_parallel", "-lboost_mpi", "-lboost_serialization", "-lboost_system"]
    command = ["mpicxx", "-O2", "-std=c++17", "-DNDEBUG", "-w", os.path.join(HERE, "pbgl_peer.cpp"), "-o", program, *libraries]
    try:
        built = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return None, "no mpicxx"
    return (program, None) if built.returncode == 0 else (None, "it does not build: is libboost-graph-parallel-dev there?")


def peer(args):
    program, missing = peer_program(args)
    if not program:
        print(f"\nParallel Boost Graph Library: skipped: {missing}")
        return
    path, rows = graph(args, args.peer_scale, ending="sg"), graph(args, args.peer_scale)
    answer = os.path.join(args.data, "ranks-right.npy")
    print(f"\n| R-MAT {args.peer_scale} | ranks | Parallel BGL ms | Weft ms | times as fast |\n|---|--:|--:|--:|--:|")
    for algorithm, flags in PEER_FLAGS.items():
        number = ITERATIONS
        if algorithm == "bfs":  # from the vertex with the most arcs
            number = json.loads(output([args.weft, "degree", rows, "--json", "--top", "1", "--by", "total"]))["rows"][0]["id"]
            flags = [*flags, "--source", str(number)]
        right = json.loads(output([args.weft, algorithm, rows, "--json", "--device", "cpu", "-o", answer, *flags]))
        if algorithm == "components":
            number = right["result"]["count"]
        for ranks in args.ranks:
            theirs = json.loads(output([*launch(args, ranks), program, algorithm, path, answer, str(number), str(args.repeat)]))
            if theirs["worst"] > (1e-5 if algorithm == "pagerank" else 0):
                sys.exit(f"{algorithm}, {ranks} ranks: the peer's answer differs from Weft's, by {theirs['worst']}")
            ours = run(args, algorithm, flags, rows, "ranks", ranks, args.repeat)[0]["run_ms"]["min"]
            their_ms = min(theirs["ms"])
            print(f"| {algorithm} | {ranks} | {their_ms:.1f} | {ours:.2f} | {their_ms / ours:.0f} |", flush=True)
    os.remove(answer)


def main():
    if sys.argv[1:2] == ["--held"]:
        sys.exit(held(sys.argv[2:]))
    args = arguments()
    os.makedirs(args.data, exist_ok=True)
    if os.geteuid() == 0:
        os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    scaling(args)
    if args.large:
        large(args)
    if args.peer_scale:
        peer(args)


if __name__ == "__main__":
    main()
