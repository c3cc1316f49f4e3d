"""Scores of pairs of nodes for link prediction, a block of pairs at a time.  Sums are exact to 2^-60, where NetworkX's
are rounded in the order of a set."""
from __future__ import annotations

from array import array
from itertools import islice
from math import log

import networkx as nx

from ._run import run
from .structure import BOTH

BLOCK = 1 << 18  # pairs


def _pairs(G, ebunch):
    """The pairs to be scored; NetworkX checks all of them first, which exhausts an iterator."""
    if ebunch is None:
        return nx.non_edges(G.original)
    for u, v in ebunch:
        for node in (u, v):
            if node not in G:
                raise nx.NodeNotFound(f"Node {node} not in G.")
    return ebunch


def _scores(G, ebunch, score, alone):
    """(u, v, score) of each pair; score(first, second) computes a block, by numbers of nodes, and alone(node) the
    score of a node and itself."""
    left, number = iter(ebunch), G.rows.number
    while block := [(u, v) for u, v in islice(left, BLOCK)]:
        ends = [(number(u), number(v)) for u, v in block if u != v]
        values = iter(score(*zip(*ends)) if ends else ())
        yield from ((u, v, next(values) if u != v else alone(u)) for u, v in block)


def _by_neighbours(G, ebunch, measure, finish, alone):
    pairs = _pairs(G, ebunch)
    if G.rows.facts[2]:
        raise NotImplementedError("loops, by which a node is its own neighbour")

    def score(first, second):
        both = array("I", bytes(8 * len(first)))
        both[0::2], both[1::2] = array("I", first), array("I", second)
        values = run(G, "similarity", {"pairs": both, "measure": measure})[0]["similarity"].tolist()
        return (finish(*row) for row in zip(first, second, values))

    return _scores(G, pairs, score, alone)


def _sums(G, ebunch, measure, part):
    """An empty sum is an integer."""
    degree = G.original.degree
    return _by_neighbours(G, ebunch, measure, lambda i, j, value: value or 0, lambda u: sum(part(degree(w)) for w in G.original[u]))


def jaccard_coefficient(G, ebunch=None):
    degrees = G.rows.degrees(BOTH)
    return _by_neighbours(G, ebunch, "jaccard", lambda i, j, value: value if degrees[i] or degrees[j] else 0,
                          lambda u: 1.0 if degrees[G.rows.number(u)] else 0)


def adamic_adar_index(G, ebunch=None):
    return _sums(G, ebunch, "adamic-adar", lambda degree: 1 / log(degree))


def resource_allocation_index(G, ebunch=None):
    return _sums(G, ebunch, "resource-allocation", lambda degree: 1 / degree)


def preferential_attachment(G, ebunch=None):
    degrees = G.rows.degrees(BOTH)
    return _scores(G, _pairs(G, ebunch), lambda first, second: (degrees[i] * degrees[j] for i, j in zip(first, second)),
                   lambda u: degrees[G.rows.number(u)] ** 2)
