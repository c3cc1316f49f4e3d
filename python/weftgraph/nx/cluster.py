"""Triangles and clustering coefficients."""
from __future__ import annotations

from ._run import run
from .structure import NEIGHBOURS


def _triangles(G):
    return run(G, "triangles")[0]["triangles"]


def triangles(G, nodes=None):
    column = _triangles(G)
    if nodes is None:
        return G.rows.dict_of(column)
    if nodes in G:
        return column[G.rows.number(nodes)]
    return {n: column[G.rows.number(n)] for n in G.nbunch_iter(nodes)}


def _coefficients(G):
    if G.is_directed():
        return [c if c else 0 for c in run(G, "clustering", {"directed_mode": "fagiolo"})[0]["coefficient"].tolist()]
    return [2 * t / (d * (d - 1)) if t else 0 for t, d in zip(_triangles(G).tolist(), G.rows.degrees(NEIGHBOURS))]


def clustering(G, nodes=None, weight=None):
    values = _coefficients(G)
    if nodes is None:
        return dict(zip(G, values))
    if nodes in G:
        return values[G.rows.number(nodes)]
    return {n: values[G.rows.number(n)] for n in G.nbunch_iter(nodes)}


def average_clustering(G, nodes=None, weight=None, count_zeros=True):
    c = clustering(G, nodes).values()
    if not count_zeros:
        c = [v for v in c if abs(v) > 0]
    return sum(c) / len(c)


def transitivity(G):
    closed = 2 * sum(_triangles(G).tolist())
    return closed / sum(d * (d - 1) for d in G.rows.degrees(NEIGHBOURS)) if closed else 0
