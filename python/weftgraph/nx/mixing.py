"""Mixing: assortativity, reciprocity, rich clubs; the two sides of bipartite graphs.

Correlations are of exact integers, where NetworkX adds fractions: they differ in the last digits, and if all degrees
are equal, which is 0 / 0, NetworkX does the work.
"""
from __future__ import annotations

import math
from array import array

import networkx as nx

from ._run import run


def _mixing(G, **params):
    return run(G, "mixing", {"transitivity": False, **params})


def _known(value):
    if math.isnan(value):
        raise NotImplementedError("all ends of edges have equal values, or there are no edges")
    return value


def degree_assortativity_coefficient(G, x="out", y="in", weight=None, nodes=None):
    if G.rows.facts[2] and not G.is_directed():
        raise NotImplementedError("loops, which count twice in a degree")
    return _known(_mixing(G)[1]["assortativity"])


def attribute_assortativity_coefficient(G, attribute, nodes=None):
    numbers = {}
    try:
        labels = [numbers.setdefault(data.get(attribute), len(numbers)) for data in G.original._node.values()]
    except TypeError as error:
        raise NotImplementedError("values that cannot be hashed") from error
    if len(labels) != len(G):
        raise NotImplementedError("the NetworkX graph was changed since it was converted")
    return _known(_mixing(G, groups=array("I", labels))[1]["group_assortativity"])


def _need_directions(G):
    if not G.is_directed():
        raise NotImplementedError("edges without direction, which NetworkX does not count as reciprocated")


def overall_reciprocity(G):
    _need_directions(G)
    arcs = G.rows.facts[1]
    if not arcs:
        raise nx.NetworkXError("Not defined for empty graphs")
    return _mixing(G)[1]["mutual"] / arcs


_overall = overall_reciprocity


def reciprocity(G, nodes=None):
    if nodes is None:
        return _overall(G)
    _need_directions(G)
    if G.rows.facts[2]:
        raise NotImplementedError("loops, which reciprocate themselves")
    values = [None if math.isnan(value) else value for value in _mixing(G)[0]["reciprocity"].tolist()]
    if nodes in G:
        value = values[G.rows.number(nodes)]
        if value is None:
            raise nx.NetworkXError("Not defined for isolated nodes.")
        return value
    return {node: values[G.rows.number(node)] for node in G.nbunch_iter(nodes)}


def rich_club_coefficient(G, normalized=True, Q=100, seed=None, *, n_samples=1):
    """`n_samples`, of random graphs that are not made here, is a parameter since NetworkX 3.7."""
    _, arcs, loops = G.rows.facts
    if loops:
        raise NotImplementedError("loops, for which NetworkX has its own error")
    if not arcs:
        return {}
    columns = _mixing(G)[0]
    club, last = {}, 0
    for degree, n, edges in zip(*(columns[name].tolist() for name in ("degree", "club", "club_edges"))):
        if n > 1:
            club.update((k, 2 * edges / (n * (n - 1))) for k in range(last, degree))
        last = degree
    return club


def is_bipartite(G):
    return run(G, "bipartite")[1]["bipartite"] == 1


def _sides(G):
    columns, scalars = run(G, "bipartite")
    if not scalars["bipartite"]:
        raise nx.NetworkXError("Graph is not bipartite.")
    return columns["side"].tolist(), scalars


def color(G):
    """A node without neighbours has 0, as NetworkX's second side."""
    return {node: int(degree > 0 and not side) for node, side, degree in zip(G, _sides(G)[0], G.rows.degrees(0))}


_color = color


def sets(G, top_nodes=None):
    if len(G) == 0:
        raise NotImplementedError("the null graph, whose connectivity is undefined")
    if run(G, "components")[1]["count"] > 1:
        raise nx.AmbiguousSolution("Disconnected graph: Ambiguous solution for bipartite sets.")
    colors = _color(G)
    return {n for n, c in colors.items() if c}, {n for n, c in colors.items() if not c}
