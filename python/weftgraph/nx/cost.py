"""When it pays to ask the backend: sizes from which it was measured to be faster than NetworkX on random graphs of degree 6.

Converting a graph costs some 50 to 150 ns a node or arc, and a call some 30 µs.  So work by node pays on tiny graphs already; work that is linear
in the graph, and light, only on larger ones; and searches that may end soon only where the graph was converted before.
"""
from __future__ import annotations

from .graph import EXACT

NEVER = -1

# (size of a graph that is not converted yet, size of one that is): nodes and arcs.
_SIZES = {
    (0, 0): """pagerank all_pairs_bellman_ford_path all_pairs_bellman_ford_path_length all_pairs_dijkstra all_pairs_dijkstra_path
        all_pairs_dijkstra_path_length johnson attracting_components number_attracting_components is_attracting_component is_semiconnected
        reverse find_cycle is_branching is_forest""",
    (150, 100): """all_pairs_shortest_path all_pairs_shortest_path_length center diameter radius periphery eccentricity
        average_shortest_path_length wiener_index closeness_centrality clustering average_clustering transitivity condensation
        strongly_connected_components kosaraju_strongly_connected_components dag_longest_path_length topological_sort
        topological_generations single_source_bellman_ford single_source_bellman_ford_path single_source_bellman_ford_path_length
        average_degree_connectivity""",
    (400, 150): """triangles core_number number_strongly_connected_components is_strongly_connected bellman_ford_path
        bellman_ford_path_length adjacency_matrix""",
    (1200, 250): """single_source_dijkstra single_source_dijkstra_path single_source_dijkstra_path_length to_scipy_sparse_array
        average_neighbor_degree to_numpy_array to_pandas_edgelist""",
    (5000, 1000): "weakly_connected_components number_weakly_connected_components is_weakly_connected has_cycle is_directed_acyclic_graph",
    (20000, 2500): "connected_components number_connected_components is_connected",
    # A search from one node may see little of the graph.
    (NEVER, 600): """bfs_edges bfs_tree bfs_predecessors bfs_successors bfs_layers descendants ancestors predecessor
        single_source_shortest_path single_source_shortest_path_length single_target_shortest_path single_target_shortest_path_length
        node_connected_component shortest_path shortest_path_length""",
    (NEVER, 2500): """bfs_labeled_edges dijkstra_path dijkstra_path_length bidirectional_dijkstra is_tree is_arborescence
        degree_centrality in_degree_centrality out_degree_centrality isolates number_of_isolates""",
    (NEVER, 20000): "has_path bidirectional_shortest_path descendants_at_distance number_of_selfloops",
    # NetworkX's own copy the subgraph just so, and ask the backend for core_number.
    (NEVER, NEVER): "k_core k_shell k_crust k_corona is_empty is_isolate",
}
_FROM = {name: sizes for sizes, names in _SIZES.items() for name in names.split()}
_ALL_PAIRS = _FROM["all_pairs_shortest_path"]
_PERHAPS_ALL_PAIRS = frozenset(["shortest_path", "shortest_path_length"])
# What the gate (python/src/nx_gate.c) decides by itself, where the graph is the first argument.
SIZES = {name: sizes for name, sizes in _FROM.items() if name not in _PERHAPS_ALL_PAIRS}


def sizes_of(name, args, kwargs):
    """The sizes that decide a call which the gate does not know; or an answer."""
    if not args:
        from . import should_run

        return should_run(name, (kwargs.get("G"),), {key: value for key, value in kwargs.items() if key != "G"})
    if type(args[0]) not in EXACT:  # rows already
        return True
    if len(args) < 2 and kwargs.get("source") is None and kwargs.get("target") is None:
        return _ALL_PAIRS
    return _FROM[name]
