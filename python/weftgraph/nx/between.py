"""Betweenness of nodes and edges, by hops and by weights above 0 whose sums tie exactly as NetworkX's do.  Values
differ from NetworkX's in the last digits, since both round sums of fractions.  Runs are not limited in time: NetworkX
would take longer.

`edge_betweenness_centrality_subset` needs all nodes as targets.  From an end that is not a target NetworkX divides
evenly among its predecessors, regardless of the number of paths through each (`delta[w] / len(P[w])`), which is not
the definition: such calls stay with NetworkX.
"""
from __future__ import annotations

from array import array

import networkx as nx
from networkx.utils import create_py_random_state

from ..errors import InputError, ParameterError
from ._run import PLAIN, SUMMED, plan, result_of, weighed
from .version import NETWORKX

_SCALES = NETWORKX >= (3, 6)  # before, samples were scaled differently


def _sample(G, k, seed, whole):
    """The numbers of k nodes as drawn by NetworkX; None: all."""
    if k is None or (whole and k == len(G)):
        return None
    if not _SCALES or not 0 < k <= len(G):
        raise NotImplementedError("samples of another size, or scaled as by older versions of NetworkX")
    return array("I", map(G.rows.number, create_py_random_state(seed).sample(list(G), k)))


def _listed(G, nodes, wanted):
    """The numbers of nodes, each once.  wanted: all must be nodes of the graph, and listed once."""
    nodes = list(nodes)
    there = [v for v in dict.fromkeys(nodes) if v in G]
    if not there or (wanted and len(there) < len(nodes)):
        raise NotImplementedError("no nodes, unknown nodes, or repeated nodes")
    return array("I", map(G.rows.number, there))


def _values(G, weight, sources=None, targets=None, **params):
    params = {name: bool(value) for name, value in params.items()}
    params.update({name: nodes for name, nodes in (("sources", sources), ("targets", targets)) if nodes is not None})
    rows, params["weights"] = weighed(G, weight)
    if params["weights"]:
        _, all_float, _, largest, _ = rows.weights
        if not all_float and largest * len(G) > 2**53:
            raise NotImplementedError("sums of integers may exceed a double, which Python's integers cannot")
    try:
        return result_of(plan(rows, "betweenness", {**params, "exact": True}, SUMMED if params["weights"] else PLAIN))[0]
    except (InputError, ParameterError) as error:  # a weight that is lost in a sum, or is 0
        raise NotImplementedError(str(error)) from error


def _by_edge(G, columns):
    """{edge: value} in the order of the graph's edges."""
    number, ends = G.rows.number, zip(columns["source"].tolist(), columns["target"].tolist())
    value = dict(zip(ends, columns["edge_betweenness"].tolist()))
    answer = {}
    for u, v in G.original.edges():
        i, j = number(u), number(v)
        answer[u, v] = value[(i, j) if G.is_directed() or i < j else (j, i)]
    return answer


def betweenness_centrality(G, k=None, normalized=True, weight=None, endpoints=False, seed=None):
    columns = _values(G, weight, _sample(G, k, seed, True), normalized=normalized, endpoints=endpoints)
    return G.rows.dict_of(columns["betweenness"])


def betweenness_centrality_subset(G, sources, targets, normalized=False, weight=None):
    columns = _values(G, weight, _listed(G, sources, True), _listed(G, targets, False), normalized=normalized)
    return G.rows.dict_of(columns["betweenness"])


def edge_betweenness_centrality_subset(G, sources, targets, normalized=False, weight=None):
    numbers = _listed(G, targets, False)
    if len(numbers) < len(G):
        raise NotImplementedError("some nodes are not targets: NetworkX divides evenly before these")
    return _by_edge(G, _values(G, weight, _listed(G, sources, True), numbers, normalized=normalized, edges=True))


def edge_betweenness_centrality(G, k=None, normalized=True, weight=None, seed=None):
    return _by_edge(G, _values(G, weight, _sample(G, k, seed, False), normalized=normalized, edges=True))
