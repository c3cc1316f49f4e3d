"""Articulation points, bridges, biconnected components.

Bridges come in the order of the graph's edges, as in NetworkX; articulation points in the order of nodes and
components in the order of their first edges, where NetworkX has the order of a depth-first search.
"""
from __future__ import annotations

from ._run import run


def articulation_points(G):
    counts = run(G, "bicomponents")[0]["components"].tolist()
    yield from (node for node, count in zip(G, counts) if count > 1)


def biconnected_components(G):
    columns, scalars = run(G, "bicomponents", {"edges": True})
    nodes, blocks = list(G), [set() for _ in range(scalars["components"])]
    for u, v, number in zip(*(columns[name].tolist() for name in ("source", "target", "component"))):
        if number:
            blocks[number - 1].update((nodes[u], nodes[v]))
    yield from blocks


def is_biconnected(G):
    columns, scalars = run(G, "bicomponents")
    return scalars["components"] == 1 and min(columns["components"].tolist()) == 1


def bridges(G, root=None):
    columns, scalars = run(G, "bicomponents", {"edges": True})
    if not scalars["bridges"]:
        return
    nodes, ends = list(G), {}
    for u, v, bridge in zip(*(columns[name].tolist() for name in ("source", "target", "bridge"))):
        if bridge:
            ends.setdefault(u, set()).add(nodes[v])
    for u in sorted(ends):
        yield from ((nodes[u], node) for node in G.original[nodes[u]] if node in ends[u])


def has_bridges(G, root=None):
    return run(G, "bicomponents")[1]["bridges"] > 0
