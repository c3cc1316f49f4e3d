"""Modularity."""
from __future__ import annotations

import math
from array import array

from networkx.algorithms.community.quality import NotAPartition

from ._run import PLAIN, SUMMED, options


def _labels(G, communities):
    """The number of each node's community, if each has one."""
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
    rows = G.weighted(weight)
    weighted, _, least, largest, why = rows.weights
    if why is not None:
        raise NotImplementedError(why)
    if weighted and (least < 0 or largest == math.inf):
        raise NotImplementedError("a weight is negative or infinite")
    if rows.facts[1] == 0 or (weighted and largest == 0):
        raise ZeroDivisionError("division by zero")
    summed = weighted or G.is_multigraph()
    how = options()
    _, scalars = rows.library(SUMMED if summed else PLAIN, how).quality(
        labels, {"resolution": float(resolution), "weights": summed}, {"threads": how["threads"]})
    return scalars["modularity"]
