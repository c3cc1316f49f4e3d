"""Core numbers and subgraphs by them; trusses."""
from __future__ import annotations

import networkx as nx

from ._run import run


def _no_loops(G):
    if G.rows.facts[2]:
        raise nx.NetworkXNotImplemented("Input graph has self loops which is not permitted; "
                                        "Consider using G.remove_edges_from(nx.selfloop_edges(G)).")


def core_number(G):
    _no_loops(G)
    return G.rows.dict_of(run(G, "kcore", {"mode": "all" if G.is_directed() else "neighbours"})[0]["core"])


_cores_of = core_number


def _subgraph(G, nodes):
    return G.original.subgraph(nodes).copy()


def _given(G, k, core):
    core = _cores_of(G) if core is None else core
    return max(core.values()) if k is None else k, core


def k_core(G, k=None, core_number=None):
    k, core = _given(G, k, core_number)
    return _subgraph(G, (v for v in core if core[v] >= k))


def k_shell(G, k=None, core_number=None):
    k, core = _given(G, k, core_number)
    return _subgraph(G, (v for v in core if core[v] == k))


def k_crust(G, k=None, core_number=None):
    core = _cores_of(G) if core_number is None else core_number
    k = max(core.values()) - 1 if k is None else k
    return _subgraph(G, (v for v in core if core[v] <= k))


def k_corona(G, k, core_number=None):
    k, core = _given(G, k, core_number)
    number, neighbours = G.rows.number, G.rows.neighbours
    return _subgraph(G, (v for v in core if core[v] == k and k == sum(core[w] >= k for w in neighbours(number(v), False))))


def k_truss(G, k):
    _no_loops(G)
    if type(k) is not int or k >= 1 << 32:
        raise NotImplementedError("k is not a whole number")
    columns, nodes = run(G, "truss", {"k": max(k, 2)})[0], list(G)
    rows = zip(*(columns[name].tolist() for name in ("source", "target", "truss")))
    truss = G.original.copy()
    truss.remove_edges_from([(nodes[i], nodes[j]) for i, j, number in rows if not number])
    truss.remove_nodes_from([v for v, near in truss._adj.items() if not near])
    return truss
