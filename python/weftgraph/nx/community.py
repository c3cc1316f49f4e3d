"""Communities, and their modularity.  Communities are the library's: the order of moves differs from that of
NetworkX's random numbers, and is the same in every call.  A seed of None is 0; other seeds draw the library's seed.

NetworkX's Leiden has the parameters `metric` and `theta` since 3.7, and optimises the constant Potts model by default;
before, only backends had it, with modularity.  NetworkX's model has n^2 where the library's has n (n - 1), which is
the same difference for all partitions.
"""
from __future__ import annotations

import random
import warnings
from array import array

from networkx.algorithms.community.quality import NotAPartition

from ..errors import InputError, ParameterError, WeftWarning
from ._run import PLAIN, SUMMED, options, plan, result_of, weighed
from .version import NETWORKX

METRIC = "cpm" if NETWORKX >= (3, 7) else "modularity"
THETA = 0.01

# Levels are those of the last iteration; Louvain's second iteration starts from the result of the first, and has no
# levels to show.
_ITERATIONS = {"louvain": 1, "leiden": 2}


def _seed(given):
    return 0 if given is None or given is random._inst else given.randrange(1 << 31)


def _levels(algorithm, G, weight, resolution, seed, **objective):
    """Columns, from the smallest communities to the largest."""
    rows, weighted = weighed(G, weight)
    summed = weighted or G.is_multigraph()
    params = {"resolution": resolution, "seed": _seed(seed), "weights": summed, "levels": True,
              "iterations": _ITERATIONS[algorithm], **objective}
    try:
        with warnings.catch_warnings():  # about weights that are negligible beside the others
            warnings.simplefilter("ignore", WeftWarning)
            columns, _ = result_of(plan(rows, algorithm, params, SUMMED if summed else PLAIN))
    except (InputError, ParameterError) as error:
        raise NotImplementedError(str(error)) from error
    return [columns[f"level_{i}"] for i in range(1, len(columns))]


def _partitions(algorithm, G, weight, resolution, seed, **objective):
    """Refuses at once, before there is an iterator, what only NetworkX can answer."""
    levels = _levels(algorithm, G, weight, resolution, seed, **objective)
    return (list(G.rows.groups(level)) for level in levels)


def _communities(algorithm, G, weight, resolution, max_level, seed, **objective):
    if max_level is not None and max_level <= 0:
        raise ValueError("max_level argument must be a positive integer or None")
    levels = _levels(algorithm, G, weight, resolution, seed, **objective)
    return list(G.rows.groups(levels[:max_level][-1]))


def louvain_communities(G, weight="weight", resolution=1, threshold=0.0000001, max_level=None, seed=None):
    return _communities("louvain", G, weight, resolution, max_level, seed)


def louvain_partitions(G, weight="weight", resolution=1, threshold=0.0000001, seed=None):
    return _partitions("louvain", G, weight, resolution, seed)


def leiden_communities(G, weight="weight", resolution=1, max_level=None, seed=None, metric=METRIC, theta=THETA):
    return _communities("leiden", G, weight, resolution, max_level, seed, objective=metric)


def leiden_partitions(G, weight="weight", resolution=1, seed=None, metric=METRIC, theta=THETA):
    return _partitions("leiden", G, weight, resolution, seed, objective=metric)


def _labels(G, communities):
    """The number of each node's community; fails unless each node has one."""
    number, labels, seen = G.rows.number, array("I", bytes(4 * len(G))), bytearray(len(G))
    for label, community in enumerate(communities):
        for node in community:
            v = number(node) if node in G else None
            if v is None or seen[v]:
                raise NotAPartition(G.original, communities)
            labels[v], seen[v] = label, 1
    if not all(seen):
        raise NotAPartition(G.original, communities)
    return labels


def modularity(G, communities, weight="weight", resolution=1):
    communities = communities if isinstance(communities, list) else list(communities)
    labels = _labels(G, communities)
    rows, weighted = weighed(G, weight)
    largest = rows.weights[3] if weighted else 1
    if rows.facts[1] == 0 or largest == 0:
        if NETWORKX >= (3, 7):
            return 0
        raise ZeroDivisionError("division by zero")
    if not 1e-150 < largest < 1e150 / rows.facts[1]:
        raise NotImplementedError("the square of the sum of weights is beyond what a double holds")
    summed = weighted or G.is_multigraph()
    how = options()
    _, scalars = rows.library(SUMMED if summed else PLAIN, how).quality(
        labels, {"resolution": float(resolution), "weights": summed}, {"threads": how["threads"]})
    return scalars["modularity"]
