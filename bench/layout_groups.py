#!/usr/bin/env python3
"""How far groups stand apart in layouts: the mean silhouette of known groups in `weft layout`, with --colour community,
and in NetworkX's forceatlas2_layout.

    bench/layout_groups.py WEFT --data FOLDER [--graphs NAME,...] [--seeds N]

Needs NetworkX, NumPy and scikit-learn.  Groups are the true blocks of GraphChallenge's block models, and of email-Eu-core
the communities of `weft leiden`; graphs are undirected.  ForceAtlas2 has its standard arguments; its time grows with
the square of the vertices, and of 5,000 it takes minutes."""
import argparse
import glob
import os
import subprocess
import tempfile

import networkx as nx
import numpy as np
from sklearn.metrics import silhouette_score

GRAPHS = {
    "sbp-500": "graphchallenge-sbp/simulated_blockmodel_graph_500_nodes",
    "sbp-1000": "graphchallenge-sbp/simulated_blockmodel_graph_1000_nodes",
    "sbp-5000": "graphchallenge-sbp/simulated_blockmodel_graph_5000_nodes",
    "email-Eu-core": "email-eu-core/email-Eu-core",
}


def table(path):
    with open(path) as lines:
        return [line.split() for line in lines if line.strip() and not line.startswith("#")]


def silhouette(at, groups):
    return silhouette_score(np.array([at[v] for v in groups]), list(groups.values()))


def groups_of(weft, stem, graph, folder):
    if os.path.exists(f"{stem}_truePartition.tsv"):
        return dict(table(f"{stem}_truePartition.tsv"))
    found = os.path.join(folder, "groups.tsv")
    subprocess.run([weft, "leiden", graph, "-q", "-o", found], check=True)
    return dict(table(found)[1:])


def measure(weft, name, data, seeds):
    with tempfile.TemporaryDirectory() as folder:
        stem, graph, edges, places = os.path.join(data, GRAPHS[name]), *(os.path.join(folder, f) for f in ("g.weft", "g.txt", "xy.tsv"))
        source = next(p for p in sorted(glob.glob(f"{stem}.*")))
        subprocess.run([weft, "convert", source, graph, "--undirected", "-q"], check=True)
        subprocess.run([weft, "convert", graph, edges, "--to", "edgelist", "-q"], check=True)
        groups = groups_of(weft, stem, graph, folder)
        other = nx.Graph([row[:2] for row in table(edges)])
        other.add_nodes_from(groups)

        def ours(seed, *flags):
            subprocess.run([weft, "layout", graph, "-q", "-o", places, "--seed", str(seed), *flags], check=True)
            return silhouette({v: (float(x), float(y)) for v, x, y in table(places)[1:]}, groups)

        ways = [ours, lambda seed: ours(seed, "--colour", "community"), lambda seed: silhouette(nx.forceatlas2_layout(other, seed=seed), groups)]
        return [[float(way(seed)) for seed in range(1, seeds + 1)] for way in ways]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("weft")
    arguments.add_argument("--data", required=True)
    arguments.add_argument("--graphs", default=",".join(GRAPHS))
    arguments.add_argument("--seeds", type=int, default=3)
    given = arguments.parse_args()
    print("| graph | weft layout | --colour community | ForceAtlas2 |\n|---|---|---|---|")
    for name in given.graphs.split(","):
        means = measure(given.weft, name, given.data, given.seeds)
        print(f"| {name} | " + " | ".join(f"{np.mean(x):.3f} ({min(x):.3f} to {max(x):.3f})" for x in means) + " |", flush=True)


if __name__ == "__main__":
    main()
