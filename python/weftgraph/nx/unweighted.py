"""Shortest paths that count edges."""
from __future__ import annotations

import math

import networkx as nx

from .traversal import FARTHEST, deepest

LENGTHS, PATHS, PATHS_TO = 0, 1, 7


def single_source_shortest_path_length(G, source, cutoff=None):
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} is not in G")
    return G.rows.bfs([source], False, deepest(cutoff), LENGTHS)


def single_target_shortest_path_length(G, target, cutoff=None):
    if target not in G:
        raise nx.NodeNotFound(f"Target {target} is not in G")
    return G.incoming().bfs([target], True, deepest(cutoff), LENGTHS)


def all_pairs_shortest_path_length(G, cutoff=None):
    for n in G:
        yield n, G.rows.bfs([n], False, deepest(cutoff), LENGTHS)


def bidirectional_shortest_path(G, source, target):
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} is not in G")
    if target not in G:
        raise nx.NodeNotFound(f"Target {target} is not in G")
    path = G.incoming().bidirectional(source, target)
    if path is None:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return path


def single_source_shortest_path(G, source, cutoff=None):
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} not in G")
    return G.rows.bfs([source], False, deepest(cutoff), PATHS)


def single_target_shortest_path(G, target, cutoff=None):
    if target not in G:
        raise nx.NodeNotFound(f"Target {target} not in G")
    return G.incoming().bfs([target], True, deepest(cutoff), PATHS_TO)


def all_pairs_shortest_path(G, cutoff=None):
    for n in G:
        yield n, G.rows.bfs([n], False, deepest(cutoff), PATHS)


def has_path(G, source, target):
    if source is None or target is None:
        raise NotImplementedError("paths to or from all nodes")
    try:
        bidirectional_shortest_path(G, source, target)
    except nx.NetworkXNoPath:
        return False
    return True


def predecessor(G, source, target=None, cutoff=None, return_seen=None):
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} not in G")
    last = (math.ceil(cutoff) if cutoff > 1 else 1) if cutoff and cutoff <= FARTHEST else 0
    pred, seen = G.rows.predecessor([source], last)
    if target is None:
        return (pred, seen) if return_seen else pred
    if target not in pred:
        return ([], -1) if return_seen else []
    return (pred[target], seen[target]) if return_seen else pred[target]
