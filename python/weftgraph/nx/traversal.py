"""Breadth-first searches."""
from __future__ import annotations

import math
from itertools import takewhile

import networkx as nx

from .version import NETWORKX

FARTHEST = 1 << 32  # more levels than nodes
EDGES, LAYERS, REACHED, SUCCESSORS, PARENTS = 2, 3, 4, 5, 6


def deepest(limit):
    """The last level of a search that continues while level < limit; -1: all."""
    if limit is None or limit == math.inf:
        return -1
    return min(math.ceil(limit), FARTHEST) if limit > 0 else 0


def _rows(G, reverse):
    return G.incoming() if reverse and G.is_directed() else G.rows


def _begin(G, source, reverse, depth_limit):
    """The rows to search, and the last level."""
    hash(source)
    if source not in G:
        kind = "digraph" if G.is_directed() else "graph"
        raise nx.NetworkXError(f"The node {source} is not in the {kind}.")
    if depth_limit is not None and not 0 < depth_limit:  # in the order of NetworkX's comparisons, which errors reveal
        depth_limit = 0
    return _rows(G, reverse), deepest(depth_limit)


def _search(G, source, reverse, depth_limit, what):
    rows, last = _begin(G, source, reverse, depth_limit)
    return rows.bfs([source], bool(reverse), last, what)


FIRST, MORE = 256, 32


def _edges(G, source, reverse, depth_limit, what):
    """Edges on demand, so that a search that is abandoned early has seen little: restarted for several times as many
    nodes, while these are few compared with the graph."""
    rows, last = _begin(G, source, reverse, depth_limit)
    given, most = 0, FIRST
    while MORE // 2 * most <= len(rows):
        edges = rows.bfs([source], bool(reverse), last, what, most)
        yield from edges[given:]
        given = len(edges)
        if given + 1 < most:
            return
        most *= MORE
    edges = rows.bfs([source], bool(reverse), last, what)
    yield from edges[given:] if given else edges


def bfs_edges(G, source, reverse=False, depth_limit=None, sort_neighbors=None):
    _rows(G, reverse)  # refused at once, if at all
    return _edges(G, source, reverse, depth_limit, EDGES)


def bfs_tree(G, source, reverse=False, depth_limit=None, sort_neighbors=None):
    T = nx.DiGraph()
    T.add_node(source)
    T.add_edges_from(_search(G, source, reverse, depth_limit, EDGES))
    return T


def bfs_predecessors(G, source, depth_limit=None, sort_neighbors=None):
    if NETWORKX >= (3, 7):
        import warnings

        warnings.warn("\n\nbfs_predecessors is deprecated and will be removed in NetworkX 3.9\n"
                      "Use ``(t, s) for (s, t) in bfs_edges`` instead", category=DeprecationWarning, stacklevel=2)
    yield from _edges(G, source, False, depth_limit, PARENTS)


def bfs_successors(G, source, depth_limit=None, sort_neighbors=None):
    yield from _search(G, source, False, depth_limit, SUCCESSORS)


def bfs_layers(G, sources):
    if sources in G:
        sources = [sources]
    first = list(set(sources))
    for source in first:
        if source not in G:
            raise nx.NetworkXError(f"The node {source} is not in the graph.")
    if first:
        yield from G.rows.bfs(first, False, -1, LAYERS)


def bfs_labeled_edges(G, sources):
    if sources in G:
        sources = [sources]
    sources = list(dict.fromkeys(sources))
    known = [source for source in sources if source in G]
    edges = G.rows.labeled_edges(known)
    if len(known) == len(sources):
        yield from edges
        return
    missing = next(source for source in sources if source not in G)  # raised when its turn comes
    before = {id(source) for source in sources[:sources.index(missing)]}
    yield from takewhile(lambda edge: id(edge[0]) in before, edges)
    raise KeyError(missing)


def descendants_at_distance(G, source, distance):
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    limit = deepest(distance) if isinstance(distance, (int, float)) else -1
    for level, layer in enumerate(G.rows.bfs([source], False, limit, LAYERS)):
        if level == distance:
            return set(layer)
    return set()


def descendants(G, source):
    return _search(G, source, False, None, REACHED)


def ancestors(G, source):
    return _search(G, source, True, None, REACHED)
