"""Classic graphs of n nodes, as lazy graphs."""
from __future__ import annotations

from array import array

import networkx as nx

from .. import _weft
from .lazy import make


def _of(n, sources, targets, create_using):
    return make(_weft.nx_build(n, sources, targets, None, False, create_using is nx.DiGraph), create_using)


def path_graph(n, create_using=None):
    nodes = array("I", range(n))
    return _of(n, nodes[:-1], nodes[1:], create_using)


def cycle_graph(n, create_using=None):
    nodes = array("I", range(n))
    return _of(n, nodes, nodes[1:] + nodes[:1], create_using)


def complete_graph(n, create_using=None):
    nodes, sources, targets = array("I", range(n)), array("I"), array("I")
    for v in nodes:
        others = nodes[v + 1:] if create_using is not nx.DiGraph else nodes[:v] + nodes[v + 1:]
        sources.extend(array("I", [v]) * len(others))
        targets.extend(others)
    return _of(n, sources, targets, create_using)


def star_graph(n, create_using=None):
    return _of(n + 1, array("I", bytes(4 * n)), array("I", range(1, n + 1)), create_using)
