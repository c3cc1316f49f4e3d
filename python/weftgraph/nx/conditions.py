"""When the backend can answer as NetworkX would, and when it pays.

`can_run` sees the arguments before conversion, and says why not.  What only the conversion shows (a weight that is None, say) is
refused there, with NotImplementedError; NetworkX then does the work.
"""
from __future__ import annotations

from .graph import Graph, is_plain

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
}
_UNWEIGHTED_ONLY = {"clustering", "average_clustering", "average_neighbor_degree", "average_degree_connectivity"}
_BOUNDED = {"diameter", "radius", "center", "periphery"}
_NO_MULTIGRAPH = {"clustering", "average_clustering", "transitivity", "find_cycle"}


def _argument(args, kwargs, place, name, default=None):
    return args[place] if len(args) > place else kwargs.get(name, default)


def _why_not(name, args, kwargs, G):
    if not isinstance(G, Graph) and not is_plain(G):
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
    if name == "pagerank" and not 0 <= _argument(args, kwargs, 1, "alpha", 0.85) <= 1:
        return "alpha is not in 0 ... 1"
    return None


def can_run(name, args, kwargs):
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
}
# Searches that may end soon, and questions that NetworkX answers without looking at edges: only where the graph is there already.
_SMALL = 300  # nodes and edges; below, the dispatch costs as much as the work


def _converted(G):
    cache = getattr(G, "__networkx_cache__", None)
    return isinstance(G, Graph) or bool(cache and cache.get("backends", {}).get("weft"))


def should_run(name, args, kwargs):
    G = args[0] if args else kwargs.get("G")
    if isinstance(G, Graph):
        return True
    size = len(G) + (sum(map(len, G._adj.values())) if len(G) < _SMALL else _SMALL)
    if size < _SMALL:
        return "the graph is small"
    if name in _HEAVY or _converted(G):
        return True
    return "the work is less than converting the graph"
