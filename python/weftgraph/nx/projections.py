"""Projections onto some nodes of a graph, usually one side of a bipartite graph: edges between nodes with common
neighbours.

The neighbours of a node come in an order of their own, as NetworkX's come in that of a set, which is also the order of
its sums of Newman's weights.
"""
from __future__ import annotations

from array import array

import networkx as nx

from ._run import PLAIN, options, run


def _projected(B, nodes, edges):
    """The graph of these nodes, with their data, and of the edges (number, number, data)."""
    original, names = B.original, list(B)
    projected = nx.Graph()
    projected.graph.update(original.graph)
    projected.add_nodes_from((node, original.nodes[node]) for node in nodes)
    projected.add_edges_from((names[i], names[j], data) for i, j, data in edges)
    return projected


def _number(B, nodes):
    if B.rows.facts[2]:
        raise NotImplementedError("loops, by which a node is its own neighbour")
    for node in nodes:
        if node not in B:
            raise KeyError(node)
    return array("I", map(B.rows.number, dict.fromkeys(nodes)))


def _by_measure(B, nodes, measure, data):
    """Edges from each node to all nodes with a common neighbour, which NetworkX does not restrict to the given nodes:
    such nodes have one row then, otherwise two."""
    of = _number(B, nodes)
    chosen = set(of)
    if not of:
        return _projected(B, nodes, ())
    columns = run(B, "similarity", {"of": of, "per_vertex": len(B), "measure": measure})[0]
    rows = zip(*(columns[name].tolist() for name in ("source", "target", "similarity")))
    return _projected(B, nodes, ((i, j, data(value)) for i, j, value in rows if i < j or j not in chosen))


def projected_graph(B, nodes, multigraph=False):
    return _by_measure(B, nodes, "common", lambda value: {})


def weighted_projected_graph(B, nodes, ratio=False):
    _number(B, nodes)  # KeyError comes before the check of sizes, as in NetworkX
    others = len(B) - len(nodes)
    if others < 1:
        raise nx.NetworkXAlgorithmError(
            f"the size of the nodes to project onto ({len(nodes)}) is >= the graph size ({len(B)}).\n"
            "They are either not a valid bipartite partition or contain duplicates")
    return _by_measure(B, nodes, "common", lambda value: {"weight": int(value) / others if ratio else int(value)})


def generic_weighted_projected_graph(B, nodes, weight_function=None):
    return _by_measure(B, nodes, "common", lambda value: {"weight": int(value)})


def overlap_weighted_projected_graph(B, nodes, jaccard=True):
    return _by_measure(B, nodes, "jaccard" if jaccard else "overlap", lambda value: {"weight": value})


def _sides(B, chosen):
    """For each node its side, if the chosen nodes are a side of each component."""
    columns, scalars = run(B, "bipartite")
    if not scalars["bipartite"]:
        raise NotImplementedError("a graph that is not bipartite")
    sides, turned = columns["side"].tolist(), {}
    for v, part in enumerate(run(B, "components")[0]["component"].tolist()):
        if turned.setdefault(part, sides[v] ^ (v in chosen)) != sides[v] ^ (v in chosen):
            raise NotImplementedError("nodes that are not a side of each component")
    return sides


def collaboration_weighted_projected_graph(B, nodes):
    chosen, edges = set(_number(B, nodes)), []
    sides = _sides(B, chosen)
    for side in {sides[v] for v in chosen}:
        vertex = [v for v, s in enumerate(sides) if s == side]
        offsets, targets, weights = (c.tolist() for c in B.rows.library(PLAIN, options()).project(side, {"weights": "newman"}, {}).rows(False))
        edges += ((vertex[i], vertex[targets[e]], {"weight": weights[e]}) for i, v in enumerate(vertex) if v in chosen
                  for e in range(offsets[i], offsets[i + 1]) if targets[e] > i)
    return _projected(B, nodes, edges)
