"""Shortest paths by weight, without negative weights."""
from __future__ import annotations

import math
import sys

import networkx as nx

from .unweighted import (
    all_pairs_shortest_path, all_pairs_shortest_path_length, bidirectional_shortest_path, single_source_shortest_path,
    single_source_shortest_path_length,
)
from .unweighted import LENGTHS, PATHS

_EXACT = 1 << 53
_LARGEST = int(sys.float_info.max)


def ready(G, weight, incoming=False):
    """The graph's rows, if Dijkstra's algorithm gives NetworkX's answer for its weights."""
    rows = G.weighted(weight)
    _, _, least, largest, why = rows.weights
    if why is not None:
        raise NotImplementedError(why)
    if least < 0:
        raise NotImplementedError("a weight is negative")
    if largest * max(len(G), 1) >= _EXACT and (largest != math.inf or rows.weights_mixed):  # beside an infinite float ints may be large
        raise NotImplementedError("distances may be beyond 2^53")
    return G.incoming(weight) if incoming and weight is not None else rows


def _cutoff(cutoff):
    """The largest double that is not beyond the cutoff.  No distance is beyond a NaN."""
    if cutoff is None:
        return math.inf
    if not isinstance(cutoff, (int, float)):
        raise NotImplementedError("a cutoff that compares in its own way")
    if isinstance(cutoff, float):
        return math.inf if math.isnan(cutoff) else float(cutoff)
    nearest = float(max(-1, min(cutoff, _LARGEST)))
    return nearest if nearest <= cutoff else -1.0 if cutoff < 0 else math.nextafter(nearest, 0)


def _required(G, node):
    hash(node)  # NetworkX makes a set of the sources
    if node not in G:
        raise nx.NodeNotFound(f"Node {node} not found in graph")


def single_source_dijkstra(G, source, target=None, cutoff=None, weight="weight"):
    _required(G, source)
    if target in {source}:  # an unhashable target is an error
        return 0, [target]
    answer = ready(G, weight).dijkstra([source], False, _cutoff(cutoff), target, True)
    if answer is None:
        raise nx.NetworkXNoPath(f"No path to {target}.")
    return answer


def single_source_dijkstra_path(G, source, cutoff=None, weight="weight"):
    _required(G, source)
    return ready(G, weight).dijkstra([source], False, _cutoff(cutoff), None, True)[1]


def single_source_dijkstra_path_length(G, source, cutoff=None, weight="weight"):
    _required(G, source)
    return ready(G, weight).dijkstra([source], False, _cutoff(cutoff), None, False)[0]


def dijkstra_path(G, source, target, weight="weight"):
    return single_source_dijkstra(G, source, target, weight=weight)[1]


def dijkstra_path_length(G, source, target, weight="weight"):
    if source not in G:
        raise nx.NodeNotFound(f"Node {source} not found in graph")
    if source == target:
        return 0
    answer = ready(G, weight).dijkstra([source], False, math.inf, target, True) if target is not None else None
    if answer is None:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return answer[0]


# Calls that only NetworkX can answer are refused at once, before there is an iterator, so that NetworkX can still be
# asked.


def all_pairs_dijkstra(G, cutoff=None, weight="weight"):
    rows, most = ready(G, weight), _cutoff(cutoff)
    return ((n, rows.dijkstra([n], False, most, None, True)) for n in G)


def all_pairs_dijkstra_path(G, cutoff=None, weight="weight"):
    rows, most = ready(G, weight), _cutoff(cutoff)
    return ((n, rows.dijkstra([n], False, most, None, True)[1]) for n in G)


def all_pairs_dijkstra_path_length(G, cutoff=None, weight="weight"):
    rows, most = ready(G, weight), _cutoff(cutoff)
    return ((n, rows.dijkstra([n], False, most, None, False)[0]) for n in G)


def bidirectional_dijkstra(G, source, target, weight="weight"):
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} is not in G")
    if target not in G:
        raise nx.NodeNotFound(f"Target {target} is not in G")
    if source == target:
        return 0, [source]
    answer = ready(G, weight, True).bidirectional_dijkstra(source, target)
    if answer is None:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return answer


def johnson(G, weight="weight"):
    """Without negative weights all potentials are 0, and the paths are Dijkstra's."""
    rows = ready(G, weight)
    return {n: rows.dijkstra([n], False, math.inf, None, True)[1] for n in G}


# --- functions that dispatch on their arguments ---------------------------------------------------------


def shortest_path(G, source=None, target=None, weight=None, method="dijkstra"):
    if source is not None and target is not None:
        if weight is None:
            return bidirectional_shortest_path(G, source, target)
        return bidirectional_dijkstra(G, source, target, weight)[1]
    if source is not None:
        return single_source_shortest_path(G, source) if weight is None else single_source_dijkstra_path(G, source, weight=weight)
    if target is None:
        return all_pairs_shortest_path(G) if weight is None else all_pairs_dijkstra_path(G, weight=weight)
    if weight is None:
        if target not in G:
            raise nx.NodeNotFound(f"Source {target} not in G")
        paths = G.incoming().bfs([target], True, -1, PATHS)
    else:
        _required(G, target)
        paths = ready(G, weight, True).dijkstra([target], True, math.inf, None, True)[1]
    for path in paths.values():
        path.reverse()
    return paths


def shortest_path_length(G, source=None, target=None, weight=None, method="dijkstra"):
    if source is not None and target is not None:
        if weight is None:
            return len(bidirectional_shortest_path(G, source, target)) - 1
        return dijkstra_path_length(G, source, target, weight)
    if source is not None:
        if weight is None:
            return single_source_shortest_path_length(G, source)
        return single_source_dijkstra_path_length(G, source, weight=weight)
    if target is None:
        return all_pairs_shortest_path_length(G) if weight is None else all_pairs_dijkstra_path_length(G, weight=weight)
    if weight is None:
        if target not in G:
            raise nx.NodeNotFound(f"Source {target} is not in G")
        return G.incoming().bfs([target], True, -1, LENGTHS)
    _required(G, target)
    return ready(G, weight, True).dijkstra([target], True, math.inf, None, False)[0]
