"""PageRank with NetworkX's criterion: until the change is below n times the tolerance."""
from __future__ import annotations

import math
from array import array

import networkx as nx

from ..errors import InputError
from ._run import PLAIN, SUMMED, plan, result_of, weighed


def _vector(G, values, name):
    """A value for each node, 0 if the dict has none."""
    try:
        vector = array("d", (values.get(n, 0) for n in G))
    except TypeError as error:
        raise NotImplementedError(f"{name} has values that are not numbers") from error
    if any(not 0 <= x < math.inf for x in vector):
        raise NotImplementedError(f"{name} has values that are negative or not finite")
    return vector


def pagerank(G, alpha=0.85, personalization=None, max_iter=100, tol=1.0e-6, nstart=None, weight="weight", dangling=None):
    n = len(G)
    if n == 0:
        return {}
    rows, weighted = weighed(G, weight)
    summed = weighted or G.is_multigraph()
    rank = array("d", [1.0 / n]) * n if nstart is None else _vector(G, nstart, "nstart")
    params = {"damping": alpha, "iterations": 1, "precision": "f64", "nstart": rank, "weights": summed}
    if personalization is not None:
        params["personalize"] = _vector(G, personalization, "personalization")
        if not any(params["personalize"]):
            raise ZeroDivisionError
    if dangling is not None:
        params["dangling_to"] = _vector(G, dangling, "dangling")
    if not any(rank) or (dangling is not None and not any(params["dangling_to"])):
        raise NotImplementedError("a vector of zeros")
    try:
        step = plan(rows, "pagerank", params, SUMMED if summed else PLAIN)
        with memoryview(rank) as start:
            for _ in range(max_iter):
                columns, scalars = result_of(step)
                start[:] = memoryview(columns["rank"])
                if scalars["residual"] < n * tol:
                    return G.rows.dict_of(columns["rank"])
    except InputError as error:  # weights that the library refuses, such as 1e-250
        raise NotImplementedError(str(error)) from error
    raise nx.PowerIterationFailedConvergence(max_iter)
