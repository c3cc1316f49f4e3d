"""Functions of degrees and counts: centralities, isolates, trees, degrees of neighbours."""
from __future__ import annotations

import networkx as nx

from .components import is_connected, number_connected_components

OUT, IN, BOTH, NEIGHBOURS = range(4)
_SIDES = {"out": OUT, "in": IN, "in+out": BOTH}


def _centrality(G, side):
    if len(G) <= 1:
        return dict.fromkeys(G, 1)
    return G.rows.dict_of(G.rows.degrees(side), 1.0 / (len(G) - 1.0))


def degree_centrality(G):
    return _centrality(G, BOTH)


def in_degree_centrality(G):
    return _centrality(G, IN)


def out_degree_centrality(G):
    return _centrality(G, OUT)


def _isolates(G):
    return [n for n, degree in zip(G, G.rows.degrees(BOTH)) if degree == 0]


def isolates(G):
    """NetworkX visits the nodes one by one: it sees nodes added before the first was asked for, and stops if the graph
    grows later."""
    return _walk_isolates(G.original, len(G), _isolates(G))


def _walk_isolates(original, count, found):
    if len(original) != count:
        count, found = len(original), [n for n, degree in original.degree() if degree == 0]
    for n in found:
        yield n
        if len(original) != count:
            raise RuntimeError("dictionary changed size during iteration")


def is_isolate(G, n):
    if n in G:
        return G.rows.degrees(BOTH)[G.rows.number(n)] == 0
    list(G.nbunch_iter(n))  # raises NetworkX's error
    return False


def number_of_isolates(G):
    return len(_isolates(G))


def number_of_selfloops(G):
    return G.rows.facts[2]


def is_empty(G):
    return G.rows.facts[1] == 0


def is_tree(G):
    if len(G) == 0:
        raise nx.exception.NetworkXPointlessConcept("G has no nodes.")
    return len(G) - 1 == G.number_of_edges() and is_connected(G)


def is_forest(G):
    """Each component has one edge less than nodes; fewer are impossible."""
    if len(G) == 0:
        raise nx.exception.NetworkXPointlessConcept("G has no nodes.")
    return G.number_of_edges() == len(G) - number_connected_components(G)


def is_arborescence(G):
    return is_tree(G) and max(G.rows.degrees(IN)) <= 1


def is_branching(G):
    return is_forest(G) and max(G.rows.degrees(IN)) <= 1


def average_neighbor_degree(G, source="out", target="out", nodes=None, weight=None):
    if not G.is_directed():
        if source != "out" or target != "out":
            raise nx.NetworkXError("source and target arguments are only supported for directed graphs")
        source = target = "in+out"
    for name, given in (("source", source), ("target", target)):
        if given not in (*_SIDES,):
            raise nx.NetworkXError(f"{name} argument {given} must be 'in', 'out' or 'in+out'")
    if nodes is not None and nodes in G:
        raise NotImplementedError("one node instead of several")
    of = G.rows.degrees(_SIDES[target])
    degree = G.rows.degrees(_SIDES[source])
    sums = [G.rows.neighbour_sums(of, False)] if "out" in source or not G.is_directed() else []
    if "in" in source and G.is_directed():
        sums.append(G.rows.neighbour_sums(of, True))
    average = {}
    for n in G.nbunch_iter(nodes):
        v = G.rows.number(n)
        average[n] = sum(s[v] for s in sums) / degree[v] if degree[v] else 0.0
    return average


def average_degree_connectivity(G, source="in+out", target="in+out", nodes=None, weight=None):
    if G.is_directed():
        for name, given in (("source", source), ("target", target)):
            if given not in (*_SIDES,):
                raise nx.NetworkXError(f'{name} must be one of "in", "out", or "in+out"')
    elif source != "in+out" or target != "in+out":
        raise nx.NetworkXError("source and target arguments are only supported for directed graphs")
    degree = G.rows.degrees(_SIDES[source])
    sums = G.rows.neighbour_sums(G.rows.degrees(_SIDES[target]), source == "in")
    total, norm = {}, {}
    for n in G.nbunch_iter(nodes):
        v = G.rows.number(n)
        k = degree[v]
        norm[k] = norm.get(k, 0) + k
        total[k] = total.get(k, 0) + sums[v]
    return {k: t if norm[k] == 0 else t / norm[k] for k, t in total.items()}
