"""Connected, weak, strong and attracting components."""
from __future__ import annotations

from array import array

import networkx as nx

from ._run import run

_NULL = "Connectivity is undefined for the null graph."
MEMBERS = 8


def connected_components(G):
    yield from G.rows.groups(run(G, "components")[0]["component"])


weakly_connected_components = connected_components


def number_connected_components(G):
    return run(G, "components")[1]["count"]


number_weakly_connected_components = number_connected_components


def is_connected(G):
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept(_NULL)
    return run(G, "components")[1]["count"] == 1


is_weakly_connected = is_connected


def node_connected_component(G, n):
    return G.rows.bfs([n], False, -1, MEMBERS)


def strongly_connected_components(G):
    yield from G.rows.strong()


def _kosaraju(G, rows, source):
    hash(source)
    if source is not None and source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the digraph.")
    components = rows.kosaraju(source)
    if source is not None:
        components[0].discard(source)
        components[0].add(source)  # the object that the caller gave
    yield from components


def kosaraju_strongly_connected_components(G, source=None):
    if not G.is_directed():  # NetworkX has refused it before, unless the backend was called directly
        raise nx.NetworkXNotImplemented("not implemented for undirected type")
    return _kosaraju(G, G.incoming(), source)


def number_strongly_connected_components(G):
    return run(G, "components", {"strong": True})[1]["count"]


def is_strongly_connected(G):
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept(_NULL)
    return run(G, "components", {"strong": True})[1]["count"] == 1


def _numbered(G, components):
    """The number of each node's component, and arcs between components, each once."""
    number = array("I", bytes(4 * len(G)))
    of = G.rows.number
    for i, component in enumerate(components):
        for node in component:
            number[of(node)] = i
    return number, G.rows.between(number)


def condensation(G, scc=None):
    C = nx.DiGraph()
    mapping, members = {}, {}
    C.graph["mapping"] = mapping
    if len(G) == 0:
        return C
    scc = G.rows.strong() if scc is None else list(scc)
    for i, component in enumerate(scc):
        members[i] = component
        mapping.update((n, i) for n in component)
    if any(n not in mapping for n in G) or len(mapping) != len(G):
        raise NotImplementedError("components that are not all nodes of the graph")
    _, arcs = _numbered(G, [[n for n in component if mapping[n] == i] for i, component in enumerate(scc)])
    C.add_nodes_from((i, {"members": component}) for i, component in members.items())
    C.add_edges_from(arcs)
    return C


def _attracting(G):
    components = G.rows.strong()
    leaves = {a for a, _ in _numbered(G, components)[1]}
    return [component for i, component in enumerate(components) if i not in leaves]


def attracting_components(G):
    yield from _attracting(G)


def number_attracting_components(G):
    return len(_attracting(G))


def is_attracting_component(G):
    components = _attracting(G)
    return len(components) == 1 and len(components[0]) == len(G)


def is_semiconnected(G):
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept(_NULL)
    if not is_weakly_connected(G):
        return False
    components = G.rows.strong()  # in a reverse topological order
    arcs = set(_numbered(G, components)[1])
    return all((i + 1, i) in arcs for i in range(len(components) - 1))
