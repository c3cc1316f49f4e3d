"""Matrices and tables of SciPy, NumPy and pandas, to and from graphs."""
from __future__ import annotations

import networkx as nx

from .. import _weft
from .lazy import make

# --- to graphs -------------------------------------------------------------------------------------------------


def _weights(values):
    """(f64 array, whether they are floats) of the ints or floats that .tolist() would give."""
    import numpy as np

    values = np.asarray(values)
    if values.dtype.kind not in "iuf" or values.dtype.itemsize > 8:
        raise NotImplementedError(f"values of type {values.dtype}")
    if values.dtype.kind == "u" and len(values) and values.max() > 2**53:
        raise NotImplementedError("an integer beyond 2^53")
    return np.ascontiguousarray(values, np.float64), values.dtype.kind == "f"


def _from_arrays(nodes, sources, targets, values, create_using, attribute):
    import numpy as np

    weights, floats = (None, False) if attribute is None else _weights(values)
    kind = np.int64 if nodes is None else np.uint32
    rows = _weft.nx_build(nodes, np.ascontiguousarray(sources, kind), np.ascontiguousarray(targets, kind), weights, floats,
                          create_using is nx.DiGraph)
    return make(rows, create_using, attribute)


def from_scipy_sparse_array(A, parallel_edges=False, create_using=None, edge_attribute="weight"):
    import numpy as np

    n, m = A.shape
    if n != m:
        raise nx.NetworkXError(f"Adjacency matrix not square: nx,ny={A.shape}")
    if A.format in ("csr", "csc"):
        own, other = np.repeat(np.arange(n), np.diff(A.indptr)), A.indices
        sources, targets = (own, other) if A.format == "csr" else (other, own)
    else:
        if A.format != "coo":
            A = A.tocoo()
        sources, targets = A.row, A.col
    return _from_arrays(n, sources, targets, A.data, create_using, edge_attribute)


def from_numpy_array(A, parallel_edges=False, create_using=None, edge_attr="weight", *, nodelist=None, nonedge=0):
    """`nonedge` is a parameter since NetworkX 3.7."""
    if A.ndim != 2:
        raise nx.NetworkXError(f"Input array must be 2D, not {A.ndim}")
    n, m = A.shape
    if n != m:
        raise nx.NetworkXError(f"Adjacency matrix not square: nx,ny={A.shape}")
    sources, targets = A.nonzero()
    attribute = None if edge_attr is False else edge_attr
    return _from_arrays(n, sources, targets, None if attribute is None else A[sources, targets], create_using, attribute)


def _column(edge_attr):
    if edge_attr is None:
        return None
    name = edge_attr[0] if isinstance(edge_attr, (list, tuple)) and len(edge_attr) == 1 else edge_attr
    if type(name) is not str:
        raise NotImplementedError("edges with other attributes than one with a name")
    return name


def from_pandas_edgelist(df, source="source", target="target", edge_attr=None, create_using=None, edge_key=None):
    import numpy as np

    attribute = _column(edge_attr)
    if any(name not in df.columns for name in (source, target)) or (attribute is not None and attribute not in df.columns):
        raise NotImplementedError("an unknown column")
    sources, targets = df[source], df[target]
    values = None if attribute is None else df[attribute].to_numpy()
    if sources.ndim != 1 or targets.ndim != 1 or (values is not None and values.ndim != 1):
        raise NotImplementedError("columns of the same name")
    if isinstance(sources.dtype, np.dtype) and sources.dtype.kind == "i" and sources.dtype == targets.dtype:
        return _from_arrays(None, sources.to_numpy(), targets.to_numpy(), values, create_using, attribute)
    sources, targets = list(sources), list(targets)
    rows, _ = _weft.nx_pairs(list(zip(sources, targets)), create_using is nx.DiGraph)
    if attribute is None:
        return make(rows, create_using)
    number = rows.number
    ends = [np.fromiter(map(number, column), np.uint32, len(df)) for column in (sources, targets)]
    return _from_arrays(list(rows), *ends, values, create_using, attribute)


# --- from graphs -----------------------------------------------------------------------------------------------


def _places(G, nodelist):
    """For each node, its row in a matrix by this list; -1 if it has none."""
    import numpy as np

    places = np.full(len(G), -1, np.int64)
    for place, node in enumerate(nodelist):
        places[G.rows.number(node)] = place
    return places


def _coordinates(G, rows, places):
    """(row, column, value or None) of each arc among the chosen nodes."""
    import numpy as np

    offsets, targets, weights = rows.arrays()
    sources = np.repeat(np.arange(len(G)), np.diff(np.asarray(offsets).astype(np.int64)))
    targets = np.asarray(targets).astype(np.int64)
    weights = None if weights is None else np.asarray(weights)
    if places is not None:
        sources, targets = places[sources], places[targets]
        there = (sources >= 0) & (targets >= 0)
        sources, targets = sources[there], targets[there]
        weights = None if weights is None else weights[there]
    return sources, targets, weights


def _values(rows, weights, count, dtype):
    """Weights as NumPy would convert them from a list of Python numbers."""
    import numpy as np

    _, whole, _, _, why = rows.weights
    if why is not None or rows.weights_bool:
        raise NotImplementedError(why or "a weight is a bool")
    kind = np.float64 if count == 0 or (weights is not None and not whole) else np.int64
    if dtype is not None:
        wanted = np.dtype(dtype)
        if wanted not in (np.float64, np.float32) and not (wanted == np.int64 and kind is np.int64):
            raise NotImplementedError(f"matrices of {wanted}")
        kind = wanted
    return np.ones(count, kind) if weights is None else weights.astype(kind)


def to_scipy_sparse_array(G, nodelist=None, dtype=None, weight="weight", format="csr"):
    import scipy as sp

    n = len(G)
    if n == 0:
        raise nx.NetworkXError("Graph has no nodes or edges")
    places = None
    if isinstance(nodelist, (str, bytes)) and nodelist in G:
        raise NotImplementedError("a node in the place of a list")
    if nodelist is not None:
        n = len(nodelist)  # NetworkX requires that it has one
        nodelist = list(nodelist)
        if n == 0:
            raise nx.NetworkXError("nodelist has no nodes")
        if n != len(set(G.nbunch_iter(nodelist))):
            for node in nodelist:
                if node not in G:
                    raise nx.NetworkXError(f"Node {node} in nodelist is not in G")
            raise nx.NetworkXError("nodelist contains duplicates.")
        places = _places(G, nodelist)
    rows = G.weighted(weight)
    sources, targets, weights = _coordinates(G, rows, places)
    data = _values(rows, weights, len(targets), dtype)
    if rows.weights_mixed and n < len(G):
        raise NotImplementedError("some weights are ints and some are floats")
    if G.is_multigraph() and data.dtype.kind == "f":
        raise NotImplementedError("sums of floats: SciPy decides their order")
    A = sp.sparse.coo_array((data, (sources, targets) if len(data) else ([], [])), shape=(n, n))
    return A.tocsr().asformat(format)


def adjacency_matrix(G, nodelist=None, dtype=None, weight="weight", *, format="csr"):
    """`format` is a parameter since NetworkX 3.7."""
    return to_scipy_sparse_array(G, nodelist, dtype, weight, format)


def to_numpy_array(G, nodelist=None, dtype=None, order=None, multigraph_weight=sum, weight="weight", nonedge=0.0):
    import numpy as np

    places = None
    if nodelist is not None:
        n = len(nodelist)  # NetworkX requires that it has one
        nodelist = list(nodelist)
        chosen = set(nodelist)
        if chosen - set(G):
            raise nx.NetworkXError(f"Nodes {chosen - set(G)} in nodelist is not in G")
        if len(chosen) < n:
            raise nx.NetworkXError("nodelist contains duplicates.")
        places = _places(G, nodelist)
    else:
        n = len(G)
    A = np.full((n, n), fill_value=nonedge, dtype=dtype, order=order)
    rows = G.weighted(weight)
    sources, targets, weights = _coordinates(G, rows, places)
    if A.dtype not in (np.float64, np.float32) and A.dtype != np.int64:
        raise NotImplementedError(f"matrices of {A.dtype}")
    values = _values(rows, weights, len(targets), None)
    if values.dtype.kind == "f" and A.dtype.kind == "i" and len(values):
        raise NotImplementedError("floats in a matrix of integers")
    A[sources, targets] = values
    return A


def to_pandas_edgelist(G, source="source", target="target", nodelist=None, dtype=None, edge_key=None):
    import pandas as pd

    graph = G.original
    edges = list(graph.edges(data=True) if nodelist is None else graph.edges(nodelist, data=True))
    names = set().union(*(d.keys() for _, _, d in edges))
    if source in names:
        raise nx.NetworkXError(f"Source name {source!r} is an edge attr name")
    if target in names:
        raise nx.NetworkXError(f"Target name {target!r} is an edge attr name")
    nan = float("nan")
    table = {source: [s for s, _, _ in edges], target: [t for _, t, _ in edges]}
    if graph.is_multigraph() and edge_key is not None:
        if edge_key in names:
            raise nx.NetworkXError(f"Edge key name {edge_key!r} is an edge attr name")
        table[edge_key] = [k for _, _, k in graph.edges(keys=True)]
    table.update({name: [d.get(name, nan) for _, _, d in edges] for name in names})
    return pd.DataFrame(table, dtype=dtype)


# --- reversed ------------------------------------------------------------------------------------------------


def reverse(G, copy=True):
    from copy import deepcopy

    if not G.is_directed():
        raise nx.NetworkXError("Cannot reverse an undirected graph.")
    attribute = G.only_attribute()
    return make(G.converted(attribute, 1).reversed(), nx.DiGraph, attribute, deepcopy(G.graph))
