"""The backend's graphs: rows in NetworkX's order, and the interface that NetworkX's dispatch requires of a graph."""
from __future__ import annotations

import weakref

import networkx as nx

from .. import _weft
from . import kept

EXACT = frozenset((nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph))


def is_plain(graph):
    """One of the four classes themselves, with dicts of its own: subclasses may define adjacency differently.  A view
    has `_graph`, the graph that it shows.  It may be of one of the classes and hold that graph's dicts, but NetworkX
    does not clear the view's cache when they change."""
    if type(graph) not in EXACT or "_graph" in graph.__dict__:
        return False
    return type(graph._adj) is dict and type(graph._node) is dict


class Graph:
    """A converted graph.  It does not keep the original alive, but refers to it weakly."""

    __networkx_backend__ = "weft"
    __slots__ = ("_rows", "used", "graph", "_by", "_first", "_directed", "_multigraph", "_original", "__weakref__")

    def __init__(self, original, attribute, default, rows=None):
        self.graph = original.graph
        self._directed = original.is_directed()
        self._multigraph = original.is_multigraph()
        self._original = weakref.ref(original)
        self._first = attribute, default
        self.used = 0  # when its rows were last used (kept.py)
        self._rows = rows if rows is not None else self.converted(attribute, default)
        self._by = {(attribute, default): self._rows}

    @property
    def rows(self):
        self.used = kept.tick()
        return self._rows

    def bytes(self):
        return sum(rows.bytes for rows in list(self._by.values()))

    def converted(self, attribute, default):
        """Makes new rows."""
        original = self.original
        return _weft.nx_convert(original._node, original._adj, self._directed, self._multigraph, attribute, default)

    def weighted(self, attribute, default=1):
        """Rows with this attribute as weights (None: without any).  NetworkX reuses a cached graph that has more
        attributes than needed, so the graph may have been converted for another attribute."""
        rows = self._by.get((attribute, default))
        if rows is None:
            rows = self.converted(attribute, default)
            if len(rows) != len(self.rows):
                raise NotImplementedError("the NetworkX graph was changed since it was converted")
            self._by[attribute, default] = rows
            for other in list(self._by)[1:-kept.WEIGHTINGS + 1]:
                self._by.pop(other, None)
        return rows

    def is_directed(self):
        return self._directed

    def is_multigraph(self):
        return self._multigraph

    def __len__(self):
        return len(self.rows)

    def __iter__(self):
        return iter(self.rows)

    def __contains__(self, node):
        try:
            return node in self.rows
        except TypeError:  # as NetworkX's graphs do
            return False

    # For NetworkX's own nbunch_iter, which tests membership and iterates.
    @property
    def _adj(self):
        return self.rows

    nbunch_iter = nx.Graph.nbunch_iter

    @property
    def original(self):
        """The NetworkX graph that this was made of, which is alive during every dispatched call."""
        graph = self._original()
        if graph is None:
            raise NotImplementedError("the NetworkX graph that was converted is gone")
        return graph

    def incoming(self, attribute=None, default=1):
        """The rows, after making the rows of incoming arcs in NetworkX's order."""
        key = self._first if attribute is None else (attribute, default)
        rows = self.weighted(*key)
        if not rows.has_incoming and not rows.set_incoming(self.original._pred, *key):
            raise NotImplementedError("the NetworkX graph was changed since it was converted")
        return rows

    def only_attribute(self):
        """The name of the number that is the only data of each edge, None if edges have no data; nodes must have
        none."""
        original = self.original
        if any(original._node.values()):
            raise NotImplementedError("nodes have data")
        return _weft.nx_uniform(original._adj)

    # A NetworkX graph's cache is pickled and copied with it.  None is ignored there: the copy is converted anew.
    def __reduce__(self):
        return type(None), ()

    def number_of_edges(self):
        _, arcs, loops = self.rows.facts
        return arcs if self._directed else (arcs + loops) // 2


def made_of(graph):
    """The backend's graph of a lazy one (lazy.py) whose dicts were never used, or None."""
    held = getattr(graph, "__dict__", None)
    return held.get("_weft_made") if held else None


def convert_from_nx(graph, *, edge_attrs=None, node_attrs=None, preserve_edge_attrs=False, preserve_node_attrs=False,
                    preserve_graph_attrs=False, name=None, graph_name=None):
    if isinstance(graph, Graph):
        return graph
    made = made_of(graph)
    if made is not None:
        return made
    if not is_plain(graph):
        raise NotImplementedError(f"{type(graph).__name__} is a subclass or a view")
    attribute, default = None, 1
    if edge_attrs:
        if len(edge_attrs) > 1:
            raise NotImplementedError("one edge attribute at a time")
        attribute, default = next(iter(edge_attrs.items()))
        if default is None:
            default = 1
    converted = Graph(graph, attribute, default)
    converted.used = kept.tick()
    kept.keep(converted)
    return converted


def convert_to_nx(obj, *, name=None):
    return obj.original if isinstance(obj, Graph) else obj
