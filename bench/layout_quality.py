#!/usr/bin/env python3
"""Layouts of `weft layout` beside those of Graphviz sfdp: seconds, stress and neighbourhood preservation.

    bench/layout_quality.py WEFT [--data FOLDER] [--graphs NAME,...] [--seeds N]

Needs sfdp (Graphviz), NumPy and SciPy.  Both get the same file of the largest component, and both are timed as programs, reading and writing
included.  sfdp runs with its defaults and -Goverlap=true (it otherwise moves vertices apart after the layout).  Seconds are the least,
stress and preservation the means over the seeds.

stress: sum over pairs of (s |x_i - x_j| - d_ij)^2 / d_ij^2 with the best scale s, divided by the number of pairs; d is the distance in hops.  All
pairs up to 4,000 vertices, beyond that those of 400 vertices with all others.  Smaller is better.
neighbourhood preservation: the mean over all vertices with k neighbours of the share of them among the k vertices nearest in the plane.
Larger is better."""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import shortest_path
from scipy.spatial import cKDTree

GRAPHS = {
    "karate": ["generate", "karate"],
    "grid 100x100": ["generate", "grid", "--rows", "100", "--columns", "100"],
    "ca-GrQc": "ca-grqc/ca-GrQc.csv.zst",
    "email-Eu-core": "email-eu-core/email-Eu-core.csv.zst",
    "uniform 10^4": ["generate", "uniform", "--n", "10000"],
}


def stress(at, distance, rows):
    """Of the pairs of rows with all vertices; distance[i] belongs to vertex rows[i]."""
    over, under, count = 0.0, 0.0, 0
    for i, row in enumerate(rows):
        d = distance[i]
        use = d > 0
        plane = np.hypot(at[:, 0] - at[row, 0], at[:, 1] - at[row, 1])[use] / d[use]
        over += plane.sum()
        under += (plane * plane).sum()
        count += use.sum()
    scale = over / under
    return (scale * scale * under - 2 * scale * over + count) / count


def preservation(at, graph):
    degrees = np.diff(graph.indptr)
    tree = cKDTree(at)
    _, near = tree.query(at, k=int(min(degrees.max() + 1, len(at))))
    shares = []
    for v in range(len(at)):
        row = graph.indices[graph.indptr[v]:graph.indptr[v + 1]]
        nearest = [u for u in near[v] if u != v][:len(row)]
        shares.append(len(np.intersect1d(row, nearest)) / len(row))
    return float(np.mean(shares))


def timed(command):
    start = time.perf_counter()
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start, done.stdout.decode()


def by_weft(weft, edges, n, seed, flags):
    took, text = timed([weft, "layout", edges, "--undirected", "--seed", str(seed), "-o", "-", *flags])
    at = np.zeros((n, 2))
    for line in text.splitlines()[1:]:
        v, x, y = line.split("\t")
        at[int(v)] = float(x), float(y)
    return took, at


def by_sfdp(dot, n, seed):
    took, text = timed(["sfdp", "-Tplain", "-Goverlap=true", f"-Gstart={seed}", dot])
    at = np.zeros((n, 2))
    for found in re.finditer(r"^node (\d+) (\S+) (\S+)", text, re.M):
        at[int(found[1])] = float(found[2]), float(found[3])
    return took, at


def load(weft, data, name, folder):
    """The largest component, numbered from 0, as an edge list and as a DOT file."""
    source = GRAPHS[name]
    whole, part, edges, dot = (os.path.join(folder, f) for f in ("whole.weft", "part.txt", "edges.txt", "graph.dot"))
    if isinstance(source, str):
        whole = os.path.join(data, source)
    else:
        subprocess.run([weft, *source, "-o", whole, "--quiet"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([weft, "subgraph", whole, "--undirected", "--largest-component", "--loops", "drop", "-o", part, "--to", "edgelist", "--quiet"],
                   check=True, stdout=subprocess.DEVNULL)
    pairs = np.loadtxt(part, dtype=np.int64, comments=["#", "%"], usecols=(0, 1), ndmin=2)
    ids, numbers = np.unique(pairs, return_inverse=True)
    pairs = numbers.reshape(pairs.shape)
    pairs = np.unique(np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1), axis=0)
    np.savetxt(edges, pairs, fmt="%d")
    with open(dot, "w") as out:
        out.write("graph {\n" + "".join(f"{u} -- {v}\n" for u, v in pairs) + "}\n")
    n = len(ids)
    ones = np.ones(2 * len(pairs))
    graph = coo_matrix((ones, (np.r_[pairs[:, 0], pairs[:, 1]], np.r_[pairs[:, 1], pairs[:, 0]])), shape=(n, n)).tocsr()
    return n, len(pairs), edges, dot, graph


def main():
    options = argparse.ArgumentParser()
    options.add_argument("weft")
    options.add_argument("--data", default=".")
    options.add_argument("--graphs", default=",".join(GRAPHS))
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument("--flags", default="", help="more flags of weft layout, such as '--threads 2'")
    options.add_argument("--keep", help="a folder for what sfdp answered, which is not asked again")
    given = options.parse_args()
    print("| graph | vertices | edges | seconds weft | sfdp | times as fast | stress weft | sfdp | ratio | preserved weft | sfdp | ratio |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    for name in given.graphs.split(","):
        with tempfile.TemporaryDirectory() as folder:
            n, m, edges, dot, graph = load(given.weft, given.data, name, folder)
            rows = np.arange(n) if n <= 4000 else np.random.default_rng(1).choice(n, 400, replace=False)
            distance = shortest_path(graph, unweighted=True, indices=rows)
            figures = {"weft": [], "sfdp": []}
            for seed in range(1, given.seeds + 1):
                kept = given.keep and os.path.join(given.keep, f"{name.replace(' ', '-')}-{seed}.npz")
                if kept and os.path.exists(kept):
                    old = np.load(kept)
                    answer = float(old["took"]), old["at"]
                else:
                    answer = by_sfdp(dot, n, seed)
                    if kept:
                        np.savez(kept, took=answer[0], at=answer[1])
                for who, (took, at) in (("sfdp", answer), ("weft", by_weft(given.weft, edges, n, seed, given.flags.split()))):
                    figures[who].append((took, stress(at, distance, rows), preservation(at, graph)))
            (took, s, p), (other, t, q) = ((min(f[0] for f in of), *np.mean([f[1:] for f in of], axis=0)) for of in figures.values())
            print(f"| {name} | {n:,} | {m:,} | {took:.2f} | {other:.2f} | {other / took:.1f} | {s:.4f} | {t:.4f} | {s / t:.3f} | "
                  f"{p:.4f} | {q:.4f} | {p / q:.3f} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
