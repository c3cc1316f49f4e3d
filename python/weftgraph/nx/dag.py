"""Acyclic graphs, and cycles."""
from __future__ import annotations

import networkx as nx

from ._run import run
from .weighted import _EXACT

_CYCLE = "Graph contains a cycle or graph changed during iteration"


def _only_directed(G):
    if not G.is_directed():
        raise nx.NetworkXError("Topological sort not defined on undirected graphs.")


def topological_generations(G):
    _only_directed(G)
    generations, complete = G.rows.generations()
    yield from generations
    if not complete:
        raise nx.NetworkXUnfeasible(_CYCLE)


def topological_sort(G):
    for generation in topological_generations(G):
        yield from generation


def has_cycle(G):
    _only_directed(G)
    return len(G) > 0 and not run(G, "cycle")[1]["acyclic"]


def is_directed_acyclic_graph(G):
    return G.is_directed() and not has_cycle(G)


def dag_longest_path_length(G, weight="weight", default_weight=1):
    if default_weight is None:
        raise NotImplementedError("there is no default weight")
    rows = G.weighted(weight, default_weight) if weight is not None else G.rows.with_weight(default_weight)
    largest, why = rows.weights[3:]
    if why is not None:
        raise NotImplementedError(why)
    if rows.weights_mixed:
        raise NotImplementedError("some weights are ints and some are floats")
    if largest * max(len(G), 1) >= _EXACT:
        raise NotImplementedError("a length may be beyond 2^53")
    length = rows.longest()
    if length is None:
        raise nx.NetworkXUnfeasible(_CYCLE)
    return length


def find_cycle(G, source=None, orientation=None):
    starts, wrong = [], None
    try:
        for node in G.nbunch_iter(source):
            starts.append(node)
    except nx.NetworkXError as error:  # NetworkX reports a cycle found from the nodes before it
        wrong = error
    nodes = G.rows.cycle(starts)
    if nodes is None and wrong is not None:
        raise wrong
    if nodes is None:
        raise nx.exception.NetworkXNoCycle("No cycle found.")
    tails = starts + nodes[1:] if len(starts) == 1 and nodes[0] == starts[0] else nodes  # the source object that the caller gave
    edges = zip(tails, nodes[1:] + nodes[:1])
    return list(edges) if orientation is None else [(u, v, "forward") for u, v in edges]
