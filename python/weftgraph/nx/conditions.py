"""When the backend can answer as NetworkX would, and when it pays.

`can_run` sees the arguments before conversion, and says why not.  What only the conversion shows (a weight that is None, say) is
refused there, with NotImplementedError; NetworkX then does the work.
"""
from __future__ import annotations

from importlib.util import find_spec

from .graph import Graph, is_plain, made_of
from .lazy import can_make

_WEIGHTED = {
    "pagerank": (6, "weight"), "shortest_path": (3, "weight"), "shortest_path_length": (3, "weight"),
    "average_shortest_path_length": (1, "weight"), "wiener_index": (1, "weight"), "eccentricity": (3, "weight"),
    "diameter": (3, "weight"), "radius": (3, "weight"), "center": (3, "weight"), "periphery": (3, "weight"),
    "closeness_centrality": (2, "distance"), "single_source_dijkstra": (4, "weight"),
    "single_source_dijkstra_path": (3, "weight"), "single_source_dijkstra_path_length": (3, "weight"),
    "dijkstra_path": (3, "weight"), "dijkstra_path_length": (3, "weight"), "bidirectional_dijkstra": (3, "weight"),
    "all_pairs_dijkstra": (2, "weight"), "all_pairs_dijkstra_path": (2, "weight"),
    "all_pairs_dijkstra_path_length": (2, "weight"), "johnson": (1, "weight"), "clustering": (2, "weight"),
    "bellman_ford_path": (3, "weight"), "bellman_ford_path_length": (3, "weight"), "single_source_bellman_ford": (3, "weight"),
    "single_source_bellman_ford_path": (2, "weight"), "single_source_bellman_ford_path_length": (2, "weight"),
    "all_pairs_bellman_ford_path": (1, "weight"), "all_pairs_bellman_ford_path_length": (1, "weight"),
    "average_clustering": (2, "weight"), "average_neighbor_degree": (4, "weight"),
    "average_degree_connectivity": (4, "weight"), "dag_longest_path_length": (1, "weight"),
    "to_scipy_sparse_array": (3, "weight"), "adjacency_matrix": (3, "weight"), "to_numpy_array": (5, "weight"),
}
_UNWEIGHTED_ONLY = {"clustering", "average_clustering", "average_neighbor_degree", "average_degree_connectivity"}
_BOUNDED = {"diameter", "radius", "center", "periphery"}
_NO_MULTIGRAPH = {"clustering", "average_clustering", "transitivity", "find_cycle", "to_numpy_array", "reverse"}
_CREATE_USING = {
    "read_edgelist": 3, "read_weighted_edgelist": 3, "read_adjlist": 3, "from_edgelist": 1, "from_scipy_sparse_array": 2,
    "from_numpy_array": 2, "from_pandas_edgelist": 4, "path_graph": 1, "cycle_graph": 1, "complete_graph": 1, "star_graph": 1,
}


def _argument(args, kwargs, place, name, default=None):
    return args[place] if len(args) > place else kwargs.get(name, default)


def _why_not(name, args, kwargs, G):
    if not isinstance(G, Graph) and made_of(G) is None and not is_plain(G):
        return "a subclass or a view"
    if name in _WEIGHTED:
        weight = _argument(args, kwargs, *_WEIGHTED[name])
        if callable(weight):
            return "weights by a function"
        if weight is not None and name in _UNWEIGHTED_ONLY:
            return "weights are not supported"
    if name in _NO_MULTIGRAPH and G.is_multigraph():
        return "multigraphs are not supported"
    if (name in _BOUNDED or name == "eccentricity") and len(G) == 0:
        return "the null graph, about which versions of NetworkX differ"
    if name in _BOUNDED and _argument(args, kwargs, 2, "usebounds", False):
        return "bounds are NetworkX's own method"
    if name == "average_shortest_path_length":
        method, weight = _argument(args, kwargs, 2, "method"), _argument(args, kwargs, 1, "weight")
        if not (method is None or (method == "unweighted" and weight is None) or (method == "dijkstra" and weight is not None)):
            return f"the method {method}"
    if name in ("shortest_path", "shortest_path_length") and _argument(args, kwargs, 4, "method", "dijkstra") != "dijkstra":
        return "methods other than Dijkstra's"
    if (name == "eccentricity" and _argument(args, kwargs, 2, "sp") is not None) or (
            name == "closeness_centrality" and kwargs.get("sp") is not None):
        return "distances are given"
    if name in ("bfs_edges", "bfs_tree", "bfs_predecessors", "bfs_successors"):
        if _argument(args, kwargs, 4 if name in ("bfs_edges", "bfs_tree") else 3, "sort_neighbors") is not None:
            return "neighbours are sorted by a function"
    if name == "triangles" and G.is_multigraph() and _argument(args, kwargs, 1, "nodes") is not None:
        return "multigraphs are not supported"
    if name == "transitivity" and G.is_directed():
        return "directed graphs are not supported"
    if name == "find_cycle" and G.is_directed() and _argument(args, kwargs, 2, "orientation") not in (None, "original"):
        return "the edges' orientation is not the original one"
    if name == "find_cycle" and not G.is_directed() and _argument(args, kwargs, 2, "orientation") is not None:
        return "undirected graphs with an orientation"
    if name in ("average_neighbor_degree", "average_degree_connectivity") and G.is_multigraph():
        return "multigraphs are not supported"
    if name in ("to_scipy_sparse_array", "adjacency_matrix", "to_numpy_array") and isinstance(
            _argument(args, kwargs, *_WEIGHTED[name]), bool):
        return "weights are data of edges"
    if name in ("to_scipy_sparse_array", "adjacency_matrix") and (
            _argument(args, kwargs, 4, "format", "csr") not in ("csr", "csc", "bsr", "lil")):
        return "a format that keeps the order of edges"
    if name == "to_numpy_array" and getattr(_argument(args, kwargs, 2, "dtype"), "names", None):
        return "structured arrays"
    if name == "reverse" and G.is_directed() and _argument(args, kwargs, 1, "copy", True) is not True:
        return "views are NetworkX's own"
    if name == "pagerank" and not 0 <= _argument(args, kwargs, 1, "alpha", 0.85) <= 1:
        return "alpha is not in 0 ... 1"
    return None


def _why_not_make(name, args, kwargs):
    """For functions that make a graph of what is not one."""
    create_using = _argument(args, kwargs, _CREATE_USING[name], "create_using")
    if not can_make(create_using):
        return "create_using is neither nx.Graph nor nx.DiGraph"
    if name.startswith("read_"):
        path = _argument(args, kwargs, 0, "path")
        if not (hasattr(path, "seek") and path.seekable() or (name == "read_weighted_edgelist" and not hasattr(path, "read"))):
            return "a file that cannot be read twice"
    elif name == "from_edgelist":
        if type(_argument(args, kwargs, 0, "edgelist")) is not list:
            return "edges that are not a list"
    elif name == "from_scipy_sparse_array":
        A = _argument(args, kwargs, 0, "A")
        if getattr(A, "format", "dok") == "dok" or type(_argument(args, kwargs, 3, "edge_attribute", "weight")) is not str:
            return "a matrix of another kind"
    elif name == "from_numpy_array":
        A, attribute = _argument(args, kwargs, 0, "A"), _argument(args, kwargs, 3, "edge_attr", "weight")
        if not find_spec("numpy") or f"{type(A).__module__}.{type(A).__name__}" != "numpy.ndarray" or A.dtype.kind not in "iufb":
            return "not an array of numbers"
        if kwargs.get("nodelist") is not None or kwargs.get("nonedge", 0) != 0:
            return "a list of nodes, or entries that are no edges"
        if attribute is not False and attribute is not None and type(attribute) is not str:
            return "an attribute that is not a string"
    elif name == "from_pandas_edgelist":
        if not find_spec("pandas") or not hasattr(_argument(args, kwargs, 0, "df"), "columns"):
            return "not a table of pandas"
    else:
        n = _argument(args, kwargs, 0, "n")
        if type(n) is not int or not 0 <= n < 1 << 31:
            return "n is not a number of nodes"
    return None


def can_run(name, args, kwargs):
    if name in _CREATE_USING:
        return _why_not_make(name, args, kwargs) or True
    G = args[0] if args else kwargs.get("G")
    if G is None:
        return "there is no graph"
    try:
        why = _why_not(name, args, kwargs, G)
    except TypeError:
        why = "an argument that cannot be compared"
    return True if why is None else why


# --- what pays -----------------------------------------------------------------------------------------------

# Work by node (or more) for which the conversion, O(nodes + edges), is always worth while on all but tiny graphs.
_HEAVY = {
    "pagerank", "core_number", "k_core", "k_shell", "k_crust", "k_corona", "triangles", "clustering", "average_clustering",
    "transitivity", "closeness_centrality", "eccentricity", "diameter", "radius", "center", "periphery",
    "average_shortest_path_length", "wiener_index", "all_pairs_shortest_path", "all_pairs_shortest_path_length",
    "bellman_ford_path", "bellman_ford_path_length", "single_source_bellman_ford", "single_source_bellman_ford_path",
    "single_source_bellman_ford_path_length", "all_pairs_bellman_ford_path", "all_pairs_bellman_ford_path_length",
    "all_pairs_dijkstra", "all_pairs_dijkstra_path", "all_pairs_dijkstra_path_length", "johnson",
    "strongly_connected_components", "kosaraju_strongly_connected_components", "number_strongly_connected_components",
    "is_strongly_connected", "condensation", "attracting_components", "number_attracting_components",
    "is_attracting_component", "is_semiconnected", "single_source_dijkstra", "single_source_dijkstra_path",
    "single_source_dijkstra_path_length", "connected_components", "number_connected_components", "weakly_connected_components",
    "number_weakly_connected_components", "topological_generations", "topological_sort", "has_cycle",
    "is_directed_acyclic_graph", "dag_longest_path_length", "average_neighbor_degree", "average_degree_connectivity",
    "to_scipy_sparse_array", "adjacency_matrix", "to_numpy_array", "to_pandas_edgelist", "reverse",
}
# Searches that may end soon, and questions that NetworkX answers without looking at edges: only where the graph is there already.
_SMALL = 300  # nodes and edges; below, the dispatch costs as much as the work


def _converted(G):
    cache = getattr(G, "__networkx_cache__", None)
    converted = cache.get("backends", {}).get("weft") if cache else None
    return bool(converted) and any(isinstance(graph, Graph) for graph in converted.values())


def should_run(name, args, kwargs):
    G = args[0] if args else kwargs.get("G")
    if isinstance(G, Graph) or made_of(G) is not None:
        return True
    size = len(G) + (sum(map(len, G._adj.values())) if len(G) < _SMALL else _SMALL)
    if size < _SMALL:
        return "the graph is small"
    if name in _HEAVY or _converted(G):
        return True
    return "the work is less than converting the graph"
