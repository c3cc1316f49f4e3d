"""NetworkX graphs that stay rows until their dicts are used.

Graphs that the backend reads or makes are instances of a subclass of NetworkX's Graph or DiGraph, which NetworkX takes
for its own.  Functions of the backend use the rows; the first access to the dicts makes them, in NetworkX's order, and
from then on the graph is of NetworkX's class.
"""
from __future__ import annotations

import threading

import networkx as nx

from .graph import Graph

_one_at_a_time = threading.RLock()
_set_class = object.__dict__["__class__"].__set__


class Made(Graph):
    """Rows without dicts.  `attribute` is the name of their weights, None if there are none."""

    __slots__ = ("attribute",)

    def __init__(self, graph, rows, attribute):
        self.attribute = attribute
        super().__init__(graph, attribute, 1, rows)

    def only_attribute(self):
        return self.attribute

    def converted(self, attribute, default):
        if attribute == self.attribute:
            return self.rows
        return self.rows.with_weight(None if attribute is None else default)


def _touch(graph):
    """Makes the dicts; afterwards the graph is NetworkX's."""
    with _one_at_a_time:
        made = graph.__dict__.get("_weft_made")
        if made is None:
            return
        nodes, adjacency, predecessors = made.rows.dicts(made.attribute)
        held = graph.__dict__
        held["_node"], held["_adj"] = nodes, adjacency
        if predecessors is not None:
            held["_succ"], held["_pred"] = adjacency, predecessors
        held["__networkx_cache__"] = {}
        _set_class(graph, type(graph)._weft_class)
        del held["_weft_made"]


def _dict(name):
    def get(graph):
        _touch(graph)
        return graph.__dict__[name]

    def put(graph, value):
        _touch(graph)
        setattr(graph, name, value)

    return property(get, put)


class _Lazy:
    """Methods answered from the rows; everything else makes the dicts."""

    _node = _dict("_node")
    _adj = _dict("_adj")
    __class__ = property(lambda self: type(self)._weft_class)

    def __len__(self):
        made = self.__dict__.get("_weft_made")
        return len(self._node) if made is None else len(made)

    number_of_nodes = order = __len__

    def __reduce_ex__(self, protocol):
        _touch(self)
        return object.__reduce_ex__(self, protocol)


def _subclass(cls, **more):
    return type(cls.__name__, (_Lazy, cls), {"_weft_class": cls, "__module__": __name__, "__doc__": cls.__doc__, **more})


_CLASSES = {
    nx.Graph: _subclass(nx.Graph),
    nx.DiGraph: _subclass(nx.DiGraph, _succ=_dict("_succ"), _pred=_dict("_pred")),
}


def can_make(create_using):
    return create_using is None or create_using is nx.Graph or create_using is nx.DiGraph


def make(rows, create_using=None, attribute=None, graph=None):
    """A NetworkX graph of these rows."""
    lazy = object.__new__(_CLASSES[create_using or nx.Graph])
    lazy.__dict__.update(graph={} if graph is None else graph, __networkx_cache__=None)
    lazy.__dict__["_weft_made"] = Made(lazy, rows, attribute)
    return lazy
