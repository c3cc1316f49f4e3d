"""Converted graphs that NetworkX keeps with the originals: together they may take nx.config.backends.weft.cache_bytes,
and the least recently used are dropped first.  The latest conversion is always kept.  All threads share the
account."""
from __future__ import annotations

import os
import threading
from itertools import count
from weakref import WeakSet

import networkx as nx

WEIGHTINGS = 4  # maximum for one converted graph
_SOME = 64  # conversions, or fractions of the limit, between two measurements

tick = count(1).__next__
_one_at_a_time = threading.RLock()
_all: WeakSet = WeakSet()
_since = 0


def _after_fork():
    global _one_at_a_time
    _one_at_a_time = threading.RLock()


os.register_at_fork(after_in_child=_after_fork)


def limit():
    return nx.config.backends.weft.cache_bytes


def entries(original):
    """NetworkX's dict of the graphs converted from a graph; empty if there is none, or no cache."""
    cache = getattr(original, "__networkx_cache__", None) or {}
    return cache.get("backends", {}).get("weft", {})


def _drop(graph):
    original = graph._original()
    kept = entries(original)
    for key, value in list(kept.items()):
        if value is graph:
            kept.pop(key, None)
    _all.discard(graph)


def _shrink(newest):
    graphs = sorted(_all, key=lambda graph: graph.used)
    total, most = sum(graph.bytes() for graph in graphs), limit()
    for graph in graphs:
        if total <= most:
            break
        if graph is not newest:
            total -= graph.bytes()
            _drop(graph)


def keep(graph):
    """Registers a graph that was just converted."""
    global _since
    with _one_at_a_time:
        _all.add(graph)
        _since += 1
        if _since >= _SOME or graph.bytes() * _SOME > limit():
            _since = 0
            _shrink(graph)


def held():
    """(number of converted graphs, their bytes)"""
    with _one_at_a_time:
        graphs = list(_all)
    return len(graphs), sum(graph.bytes() for graph in graphs)
