"""What mst must answer: see tests/conformance/compare.py.  The edges by Kruskal's algorithm, ties by their order; the
sum is that of NetworkX's forest."""
import math

import networkx as nx

from expecting import expect


def check(case, run):
    edges = sorted((e for e in case.arcs() if case.directed or e[0] <= e[1]), key=lambda e: e[:2])
    undirected = nx.Graph() if case.duplicates != "keep" and not case.directed else nx.MultiGraph()
    undirected.add_nodes_from(case.vertices)
    undirected.add_weighted_edges_from(edges)
    for maximum in False, True:
        trees, forest = nx.utils.UnionFind(case.vertices), []
        for u, v, w in sorted(edges, key=lambda e: -e[2] if maximum else e[2]):
            if trees[u] != trees[v]:
                trees.union(u, v)
                forest.append((u, v, w))
        answer = run("--maximum") if maximum else run()
        theirs = (nx.maximum_spanning_tree if maximum else nx.minimum_spanning_tree)(undirected)
        expect("forest", [(r["source"], r["target"], r["weight"]) for r in answer.rows],
               sorted(forest, key=lambda e: e[:2]))
        total = math.fsum(w for _, _, w in theirs.edges(data="weight"))
        expect("sum", answer.result["weight"], total)
        expect("edges", answer.result["edges"], len(forest))
        expect("trees", answer.result["trees"], nx.number_connected_components(undirected))
