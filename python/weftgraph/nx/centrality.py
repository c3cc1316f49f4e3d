"""Centralities of power iterations and series.  The library stops by criteria of its own, which imply NetworkX's: an
answer is at least as near to the limit as NetworkX's; if the criteria are not met NetworkX does the work, and raises
its own errors."""
from __future__ import annotations

import math
import warnings

from ..errors import InputError, ParameterError, WeftWarning
from ._run import PLAIN, SUMMED, plan, result_of, weighed
from .version import NETWORKX

_CLOSE = 4e-16  # for values that sum to 1: the last bits
_MOST = 5000
HITS_METHOD = "power_iteration" if NETWORKX >= (3, 7) else "svd"


def _run(rows, algorithm, weighted, **params):
    try:
        with warnings.catch_warnings():  # NetworkX raises where the library warns
            warnings.simplefilter("ignore", WeftWarning)
            return result_of(plan(rows, algorithm, {**params, "weights": weighted}, SUMMED if weighted else PLAIN))
    except (InputError, ParameterError) as error:  # weights that the library refuses; an alpha that is too large
        raise NotImplementedError(str(error)) from error


def eigenvector_centrality(G, max_iter=100, tol=1.0e-6, nstart=None, weight=None):
    n = len(G)
    rows, weighted = weighed(G, weight)
    # Values that sum to 1 and change by r change by no more than (n + sqrt n) r when their squares sum to 1.
    least = max(tol * n / (n + math.sqrt(n)), _CLOSE)
    if weighted or max_iter < 2 or not tol > 0:
        raise NotImplementedError("weights, or limits that only NetworkX's own steps can meet")
    columns, scalars = _run(rows, "eigenvector", False, max_iterations=max_iter, tolerance=min(least, 2.0))
    # NetworkX compares the first step with values that sum to 1, and so cannot end there.
    if not scalars["residual"] < least or (scalars["iterations"] == 1 and tol > 1e-3):
        raise NotImplementedError("it does not converge in time, or at once")
    return G.rows.dict_of(columns["score"])


def eigenvector_centrality_numpy(G, weight=None, max_iter=50, tol=0):
    rows, weighted = weighed(G, weight)
    parts = result_of(plan(G.rows, "components", {"strong": True} if G.is_directed() else {}))[1]["count"]
    if parts != 1 or len(G) < 3:
        raise NotImplementedError("a graph that is not connected, or tiny")
    columns, scalars = _run(rows, "eigenvector", weighted, max_iterations=_MOST, tolerance=_CLOSE)
    if scalars["residual"] > _CLOSE:
        raise NotImplementedError("eigenvalues that are close to each other")
    return G.rows.dict_of(columns["score"])


def hits(G, max_iter=100, tol=1.0e-8, nstart=None, normalized=True, *, method=HITS_METHOD):
    """`method` is a parameter since NetworkX 3.7; before, there was its "svd" only."""
    if len(G) == 0:
        return {}, {}
    rows, weighted = weighed(G, "weight")
    if method == "power_iteration":
        return _hits_by_steps(rows, weighted, max_iter, tol)
    close = 1e-14
    if len(G) < 3 or not rows.facts[1] or max_iter < 100 or (weighted and rows.weights[3] == 0):
        raise NotImplementedError("a tiny graph, one without arcs, or a limit of less than 100 iterations")
    columns, scalars = _run(rows, "hits", weighted, max_iterations=_MOST, tolerance=close)
    if scalars["residual"] > close or not _of_one_block(rows, columns["hub"], columns["authority"]):
        raise NotImplementedError("the largest singular value is not simple, or others are close to it")
    return rows.dict_of(columns["hub"]), rows.dict_of(columns["authority"])


def _hits_by_steps(rows, weighted, max_iter, tol):
    """NetworkX's own iteration, from the same initial values.  It ends when hubs whose maximum is 1 change by less
    than the tolerance in total, and not after the first step.  Here hubs sum to 1.  If these change by r, and their
    maximum is m, then NetworkX's change by at most r (1 + 1 / m) / m."""
    if not rows.facts[1] or (weighted and rows.weights[3] == 0) or max_iter < 3 or not tol > 4e-15 * len(rows):
        raise NotImplementedError("a graph without arcs, or limits that only NetworkX's own steps can meet")
    part = min(tol / 4, 1.0)
    for _ in range(3):
        columns, scalars = _run(rows, "hits", weighted, max_iterations=max_iter - 1, tolerance=part)
        largest = max(memoryview(columns["hub"])) or math.nan
        bound = (1 + 1 / largest) / largest
        if scalars["residual"] * bound < tol:
            return rows.dict_of(columns["hub"]), rows.dict_of(columns["authority"])
        part = min(part / 4, tol / (2 * bound))
    raise NotImplementedError("it does not converge in time")


def _of_one_block(rows, hub, authority):
    """Are all nodes with a score connected, through hubs that point to one authority and authorities that one hub
    points to?  Then the largest singular value is simple, by Perron and Frobenius; several blocks may have the
    same."""
    import numpy as np  # NetworkX's hits needs it as well

    offsets, targets, weights = rows.arrays()
    sources = np.repeat(np.arange(len(rows)), np.diff(np.asarray(offsets).astype(np.int64)))
    targets, hub, authority = np.asarray(targets), np.asarray(memoryview(hub)), np.asarray(memoryview(authority))
    counts = [values > 1e-12 * values.max() for values in (hub, authority)]
    there = counts[0][sources] & counts[1][targets]
    if weights is not None:
        there &= np.asarray(weights) > 0
    sources, targets = sources[there], targets[there]
    hubs, authorities = (np.zeros(len(rows), bool) for _ in range(2))
    hubs[np.argmax(hub)] = True
    for _ in range(100):  # steps; a larger distance is left to NetworkX
        before = np.count_nonzero(hubs)
        authorities[targets[hubs[sources]]] = True
        hubs[sources[authorities[targets]]] = True
        if np.count_nonzero(hubs) == before:
            return bool((hubs == counts[0]).all() and (authorities == counts[1]).all())
    return False


def katz_centrality(G, alpha=0.1, beta=1.0, max_iter=1000, tol=1.0e-6, nstart=None, normalized=True, weight=None):
    if len(G) == 0:
        return {}
    rows, weighted = weighed(G, weight)
    if max_iter < 3 or not 1e-13 * beta < tol < beta or not alpha > 0:
        raise NotImplementedError("limits that only NetworkX's own steps can meet")
    # The error is below tol at every node, and so is the next term, which NetworkX's criterion uses.  The scale of the
    # scores is checked first.
    part = tol / beta
    for _ in range(3):
        columns, scalars = _run(rows, "katz", weighted, alpha=alpha, beta=beta, tolerance=part, normalized=bool(normalized),
                                max_iterations=max_iter - 2)
        largest = max(memoryview(columns["score"])) * scalars["norm"]
        if scalars["error"] * scalars["norm"] < tol:
            return G.rows.dict_of(columns["score"])
        part = min(part / 2, tol / (2 * largest))
    raise NotImplementedError("it does not converge in time")


def katz_centrality_numpy(G, alpha=0.1, beta=1.0, normalized=True, weight=None):
    if len(G) == 0:
        return {}
    rows, weighted = weighed(G, weight)
    close = 1e-12
    if not alpha > 0:
        raise NotImplementedError("an alpha that the library would choose itself")
    columns, scalars = _run(rows, "katz", weighted, alpha=alpha, beta=beta, tolerance=close, normalized=bool(normalized), max_iterations=_MOST)
    if len(G) == 1 or not scalars["error"] <= close * max(memoryview(columns["score"])):
        raise NotImplementedError("one node, or an alpha that is too large or nearly so")
    return G.rows.dict_of(columns["score"])
