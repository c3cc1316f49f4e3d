"""Spanning forests, if all weights are different: among edges of equal weight NetworkX takes the first in the order of
its own dicts.  Edges come in the order of Kruskal's algorithm, by weight."""
from __future__ import annotations

import math

from ._run import SUMMED, plan, result_of


def _check(G, weight):
    weights = [data.get(weight, 1) for _, _, data in G.original.edges(data=True)]
    if any(type(w) not in (int, float) for w in weights):
        raise NotImplementedError("weights that are not numbers of Python")
    as_doubles = set(map(float, weights))
    if len(as_doubles) < len(weights) or not all(map(math.isfinite, as_doubles)):
        raise NotImplementedError("weights that are equal, or not finite")


def _forest(G, weight, maximum):
    """(u, v, data) of the forest's edges; u comes first in the graph's order."""
    _check(G, weight)
    columns, _ = result_of(plan(G.weighted(weight), "mst", {"maximum": maximum}, SUMMED))
    nodes, adj = list(G), G.original._adj
    rows = [(nodes[i], nodes[j]) for i, j in zip(columns["source"].tolist(), columns["target"].tolist())]
    forest = [(u, v, adj[u][v]) for u, v in rows]
    return sorted(forest, key=lambda edge: edge[2].get(weight, 1), reverse=maximum)


def _edges(G, weight, data, maximum):
    forest = _forest(G, weight, maximum)
    return (edge if data else edge[:2] for edge in forest)


def _tree(G, weight, maximum):
    original, forest = G.original, _forest(G, weight, maximum)
    tree = original.__class__()
    tree.graph.update(original.graph)
    tree.add_nodes_from(original.nodes.items())
    tree.add_edges_from(forest)
    return tree


def minimum_spanning_edges(G, algorithm="kruskal", weight="weight", keys=True, data=True, ignore_nan=False):
    return _edges(G, weight, data, False)


def maximum_spanning_edges(G, algorithm="kruskal", weight="weight", keys=True, data=True, ignore_nan=False):
    return _edges(G, weight, data, True)


def minimum_spanning_tree(G, weight="weight", algorithm="kruskal", ignore_nan=False):
    return _tree(G, weight, False)


def maximum_spanning_tree(G, weight="weight", algorithm="kruskal", ignore_nan=False):
    return _tree(G, weight, True)
