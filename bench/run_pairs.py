#!/usr/bin/env python3
"""Running speed of two builds, interleaved: the same run by A, then by B, then by B, then by A, ...

    bench/run_pairs.py OLD/weft NEW/weft [--pairs 15] [--scale 18] [--devices cpu,cuda] [--only hits,bfs] [--repeat 7]

Each row is one algorithm on one device, of an R-MAT graph of degree 16 with whole weights.  The time is the median of
--repeat runs in one process (run_ms of --json), the ratio of a pair is old / new: above 1 the new build is faster.
Shown are the median of the ratios and the interval that holds the median with 95 %.  Before a time counts, both builds
must have given the same result."""
import argparse
import json
import os
import statistics
import subprocess
import sys

from read_pairs import interval

RUNS = [("degree", []), ("bfs", []), ("bfs, 20 sources", ["--sources", "random:20", "--each"]), ("sssp", []), ("components", []),
        ("components, strong", ["--strong"]), ("pagerank", ["--iterations", "10"]), ("pagerank, to 1e-6", []), ("labelprop", []),
        ("hits", []), ("triangles", []), ("clustering", []), ("kcore", []), ("toposort", []), ("cycle, general", ["--general"]), ("leiden", []),
        ("betweenness, 64 sources", ["--sources", "random:64"])]


def run(weft, name, flags, graph, args, device):
    command = [weft, name.split(",")[0], graph, "--json", "-q", "--top", "1", "--device", device, "--repeat", str(args.repeat), "-t",
               str(args.threads)] + flags
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):  # 1: the answer is no
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--scale", type=int, default=18)
    parser.add_argument("--devices", default="cpu")
    parser.add_argument("--only", default="", help="algorithms, with commas; all if nothing is said")
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--data", default="build/bench-data")
    args = parser.parse_args()
    os.makedirs(args.data, exist_ok=True)
    graph = os.path.join(args.data, f"rmat{args.scale}.weft")
    if not os.path.exists(graph):
        subprocess.run([args.new, "generate", "rmat", "--scale", str(args.scale), "--degree", "16", "--max-weight", "255", "-o", graph,
                        "-q"], check=True)
    print(f"| R-MAT {args.scale}, directed | device | old ms | new ms | old / new | 95 % |\n|---|---|--:|--:|--:|--:|")
    for device in args.devices.split(","):
        for name, flags in RUNS:
            if args.only and name.split(",")[0] not in args.only.split(","):
                continue
            a, b = (run(weft, name, flags, graph, args, device) for weft in (args.old, args.new))
            if a["result"] != b["result"]:
                sys.exit(f"{name} on {device}: other answers: {a['result']} and {b['result']}")
            times = []
            for pair in range(args.pairs):
                order = (args.old, args.new) if pair % 2 == 0 else (args.new, args.old)
                x, y = (run(weft, name, flags, graph, args, device)["run_ms"]["median"] for weft in order)
                times.append((x, y) if pair % 2 == 0 else (y, x))
            ratios = [x / y for x, y in times]
            low, high = interval(ratios)
            old, new = (statistics.median(t[i] for t in times) for i in (0, 1))
            print(f"| {name} | {device} | {old:.3f} | {new:.3f} | {statistics.median(ratios):.3f} | {low:.3f} to {high:.3f} |", flush=True)


if __name__ == "__main__":
    main()
