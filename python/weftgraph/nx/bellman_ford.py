"""The functions by Bellman and Ford, without negative weights: NetworkX's order differs from that of Dijkstra's."""
from __future__ import annotations

import networkx as nx

from .weighted import ready


def _rows(G, source, weight):
    hash(source)  # NetworkX makes a dict of the sources
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} not in G")
    return ready(G, weight)


def single_source_bellman_ford(G, source, target=None, weight="weight"):
    if source == target:
        if source not in G:
            raise nx.NodeNotFound(f"Node {source} is not found in the graph")
        return 0, [source]
    answer = _rows(G, source, weight).bellman_ford(source, target, True)
    if answer is None:
        raise nx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
    return answer


def single_source_bellman_ford_path(G, source, weight="weight"):
    return _rows(G, source, weight).bellman_ford(source, None, True)[1]


def single_source_bellman_ford_path_length(G, source, weight="weight"):
    return _rows(G, source, weight).bellman_ford(source, None, False)[0]


def bellman_ford_path(G, source, target, weight="weight"):
    return single_source_bellman_ford(G, source, target, weight)[1]


def bellman_ford_path_length(G, source, target, weight="weight"):
    if source == target:
        if source not in G:
            raise nx.NodeNotFound(f"Node {source} not found in graph")
        return 0
    rows = _rows(G, source, weight)
    answer = None if target is None else rows.bellman_ford(source, target, True)
    if answer is None:
        raise nx.NetworkXNoPath(f"node {target} not reachable from {source}")
    return answer[0]


def all_pairs_bellman_ford_path(G, weight="weight"):
    rows = ready(G, weight)
    return ((n, rows.bellman_ford(n, None, True)[1]) for n in G)


def all_pairs_bellman_ford_path_length(G, weight="weight"):
    rows = ready(G, weight)
    return ((n, rows.bellman_ford(n, None, False)[0]) for n in G)
