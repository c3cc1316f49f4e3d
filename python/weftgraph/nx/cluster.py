"""Triangles and clustering coefficients."""
from __future__ import annotations

from .. import InputError, ParameterError
from ._run import SUMMED, plan, result_of, run, weighed
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


def _weighted_coefficients(G, weight):
    """Weighted coefficients (Onnela et al.) as in NetworkX: weights are divided by the largest of all edges."""
    rows, weighted = weighed(G, weight)
    if not weighted:
        return [float(c) if c else 0 for c in _coefficients(G)]
    if not rows.weights[3] > 0:
        raise NotImplementedError("no weight is above 0")
    try:
        columns = result_of(plan(rows, "clustering", {"directed_mode": "fagiolo", "weights": True}, SUMMED))[0]
    except (InputError, ParameterError) as error:
        raise NotImplementedError(str(error)) from error
    return [c if c else 0 for c in columns["coefficient"].tolist()]


def clustering(G, nodes=None, weight=None):
    values = _coefficients(G) if weight is None else _weighted_coefficients(G, weight)
    if nodes is None:
        return dict(zip(G, values))
    if nodes in G:
        return values[G.rows.number(nodes)]
    return {n: values[G.rows.number(n)] for n in G.nbunch_iter(nodes)}


def average_clustering(G, nodes=None, weight=None, count_zeros=True):
    c = clustering(G, nodes, weight).values()
    if not count_zeros:
        c = [v for v in c if abs(v) > 0]
    return sum(c) / len(c)


def transitivity(G):
    closed = 2 * sum(_triangles(G).tolist())
    return closed / sum(d * (d - 1) for d in G.rows.degrees(NEIGHBOURS)) if closed else 0
