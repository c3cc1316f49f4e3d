"""Figures over all shortest paths: eccentricities, averages, closeness and harmonic centrality."""
from __future__ import annotations

import math
from array import array
from itertools import chain

import networkx as nx

from ._run import PLAIN, SUMMED, plan, result_of, run
from .components import is_connected, is_strongly_connected
from .structure import is_tree
from .traversal import PARENTS
from .unweighted import LENGTHS
from .weighted import ready


def _numbers(G, nodes):
    return array("I", map(G.rows.number, nodes))


def _searches(G, nodes):
    """For each node the number of nodes that it reaches, the largest distance, and the sum of distances: columns of
    the library's table."""
    columns, _ = run(G, "bfs", {"sources": _numbers(G, nodes), "each": True, "parents": False})
    return columns["source_reached"], columns["source_depth"], columns["source_distances"]


def eccentricity(G, v=None, sp=None, weight=None):
    nodes = list(G.nbunch_iter(v))
    n = len(G)
    if not nodes:
        return {}
    if weight is None:
        reached, depth, _ = _searches(G, nodes)
        counts, depths = reached.tolist(), depth.tolist()
    else:
        lengths = [ready(G, weight).dijkstra([u], False, math.inf, None, False)[0] for u in nodes]
        counts, depths = map(len, lengths), [max(length.values()) for length in lengths]
    if any(count != n for count in counts):
        kind = "digraph is not strongly" if G.is_directed() else "graph is not"
        raise nx.NetworkXError(f"Found infinite path length because the {kind} connected")
    found = dict(zip(nodes, depths))
    return found[v] if v in G else found


def _of_all(G, e, weight):
    return eccentricity(G, weight=weight) if e is None else e


def diameter(G, e=None, usebounds=False, weight=None):
    return max(_of_all(G, e, weight).values())


def radius(G, e=None, usebounds=False, weight=None):
    return min(_of_all(G, e, weight).values())


def periphery(G, e=None, usebounds=False, weight=None):
    e = _of_all(G, e, weight)
    most = max(e.values())
    return [v for v in e if e[v] == most]


def _tree_center(G):
    """The middle of a longest path, whose ends are found by two searches; in the graph's order."""
    end = list(G.rows.bfs([G.rows[0]], False, -1, LENGTHS))[-1]
    parents = dict(G.rows.bfs([end], False, -1, PARENTS))
    path = [next(reversed(parents), end)]
    for _ in range(len(parents)):
        if path[-1] not in parents:
            break
        path.append(parents[path[-1]])
    middle = path[(len(path) - 1) // 2:len(path) // 2 + 1]
    return sorted(middle, key=G.rows.number)


def center(G, e=None, usebounds=False, weight=None):
    if e is None and weight is None and not G.is_directed() and is_tree(G):
        return _tree_center(G)
    e = _of_all(G, e, weight)
    least = min(e.values())
    return [v for v in e if e[v] == least]


def _weighted_lengths(G, weight):
    rows = ready(G, weight)
    return (rows.dijkstra([n], False, math.inf, None, False)[0].values() for n in G)


def average_shortest_path_length(G, weight=None, method=None):
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept(
            "the null graph has no paths, thus there is no average shortest path length")
    if n == 1:
        return 0
    if G.is_directed() and not is_strongly_connected(G):
        raise nx.NetworkXError("Graph is not strongly connected.")
    if not G.is_directed() and not is_connected(G):
        raise nx.NetworkXError("Graph is not connected.")
    if weight is None or method == "unweighted":
        total = sum(_searches(G, G)[2].tolist())
    else:
        total = sum(length for lengths in _weighted_lengths(G, weight) for length in lengths)
    return total / (n * (n - 1))


def wiener_index(G, weight=None):
    if not (is_strongly_connected(G) if G.is_directed() else is_connected(G)):
        return math.inf
    if weight is None:
        total = sum(_searches(G, G)[2].tolist())
    else:
        total = sum(chain.from_iterable(_weighted_lengths(G, weight)))
    return total if G.is_directed() else total / 2


def _weighted_column(G, algorithm, params, distance, exact):
    """The library's column by weights; None if its values would differ.  The library adds in the order of the nodes,
    NetworkX in the order of discovery: `exact` asks for integer sums, which do not depend on the order."""
    rows, n = ready(G, distance), len(G)
    weighted, whole, _, largest, _ = rows.weights
    if G.is_multigraph() or (exact and not (whole or not weighted)) or not largest * n * n < 2**53:
        return None
    return result_of(plan(rows, algorithm, {**params, "weights": weighted}, SUMMED if weighted else PLAIN))[0][algorithm]


def closeness_centrality(G, u=None, distance=None, wf_improved=True, *, sp=None):
    """`sp` is a parameter since NetworkX 3.7."""
    if distance is not None:
        hash(u)  # NetworkX makes a set of the sources
    if u is not None and u not in G:
        raise nx.NodeNotFound(f"Source {u} is not in G" if distance is None else f"Node {u} not found in graph")
    nodes, n = list(G) if u is None else [u], len(G)
    asked = {"scaled": bool(wf_improved), **({} if u is None else {"of": _numbers(G, nodes)})}
    if distance is None:
        column = run(G, "closeness", asked)[0]["closeness"]
    else:
        column = _weighted_column(G, "closeness", asked, distance, True)
    if column is not None:
        return G.rows.dict_of(column) if u is None else column.tolist()[asked["of"][0]]
    rows, answer = ready(G, distance, True), {}
    for node in nodes:
        lengths = rows.dijkstra([node], True, math.inf, None, False)[0]
        count, total, value = len(lengths), sum(lengths.values()), 0.0
        if total > 0.0 and n > 1:
            value = (count - 1.0) / total
            if wf_improved:
                value *= (count - 1.0) / (n - 1)
        answer[node] = value
    return answer if u is None else answer[u]


def _harmonic_lengths(G, nodes, sources, distance):
    """Sums in NetworkX's order, over the smaller of the two sets."""
    back = len(nodes) < len(sources)
    rows, answer = ready(G, distance, True) if back else ready(G, distance), dict.fromkeys(nodes, 0)
    for v in nodes if back else sources:
        for u, length in rows.dijkstra([v], back, math.inf, None, False)[0].items():
            if length != 0 and u in (sources if back else nodes):
                answer[v if back else u] += 1 / length
    return answer


def harmonic_centrality(G, nbunch=None, distance=None, sources=None):
    nodes = set(G if nbunch is None else G.nbunch_iter(nbunch))
    starts = set(G if sources is None else G.nbunch_iter(sources))
    if not nodes or not starts:
        return dict.fromkeys(nodes, 0)
    asked = {} if nbunch is None else {"of": _numbers(G, nodes)}
    if sources is not None:
        asked["sources"] = _numbers(G, starts)
    if distance is None:
        column = run(G, "harmonic", asked)[0]["harmonic"]
    else:
        column = _weighted_column(G, "harmonic", asked, distance, False)
    if column is None:
        return _harmonic_lengths(G, nodes, starts, distance)
    value, number = column.tolist(), G.rows.number
    return {v: value[number(v)] or 0 for v in nodes}
