"""Runs of the library on converted graphs."""
from __future__ import annotations

import math

import networkx as nx

from .. import _weft

PLAIN, SUMMED = range(2)
_DEVICES = {"auto": 0, "cpu": 1, "cuda": 2}


def options():
    """The settings nx.config.backends.weft, in the form of the extension."""
    config = nx.config.backends.weft
    return {"device": _DEVICES[config.device], "threads": config.threads}


def plan(rows, algorithm, params, kind=PLAIN):
    how = options()
    return _weft.plan(rows.library(kind, how), algorithm, params, how)


def result_of(run):
    _, columns, scalars, _, _ = run.run(False)
    return {column.name: column for column, *_ in columns}, scalars


def run(G, algorithm, params=None, kind=PLAIN):
    """Runs an algorithm; returns (columns by name, scalars)."""
    return result_of(plan(G.rows, algorithm, params or {}, kind))


def weighed(G, weight):
    """(rows, whether they have weights); raises for weights that the library does not take."""
    rows = G.weighted(weight)
    weighted, _, least, largest, why = rows.weights
    if why is not None:
        raise NotImplementedError(why)
    if weighted and (least < 0 or largest == math.inf):
        raise NotImplementedError("a weight is negative or infinite")
    return rows, weighted
