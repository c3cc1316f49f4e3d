"""The sizes from which the backend is worth calling: measured to be faster than NetworkX on random graphs of degree 6.

A conversion costs some 50 to 150 ns a node or arc, and a call some 30 µs.  So work per node pays on tiny graphs
already; work linear in the graph, and light, only on larger ones; and for searches from one node, which may see little
of the graph, rent.py decides.
"""
from __future__ import annotations

from .functions import optional
from .graph import EXACT
from .rent import Search

NEVER = -1

# (size of a graph that is not converted yet, size of a converted graph): nodes and arcs.
_SIZES = {
    (0, 0): """betweenness_centrality betweenness_centrality_subset edge_betweenness_centrality
        edge_betweenness_centrality_subset
        leiden_communities leiden_partitions louvain_communities louvain_partitions
        pagerank hits eigenvector_centrality eigenvector_centrality_numpy katz_centrality katz_centrality_numpy all_pairs_bellman_ford_path all_pairs_bellman_ford_path_length all_pairs_dijkstra all_pairs_dijkstra_path
        all_pairs_dijkstra_path_length johnson attracting_components number_attracting_components is_attracting_component is_semiconnected
        reverse find_cycle is_branching is_forest""",
    (150, 100): """all_pairs_shortest_path all_pairs_shortest_path_length center diameter radius periphery eccentricity
        average_shortest_path_length wiener_index closeness_centrality harmonic_centrality clustering average_clustering transitivity condensation
        strongly_connected_components kosaraju_strongly_connected_components dag_longest_path_length topological_sort
        topological_generations single_source_bellman_ford single_source_bellman_ford_path single_source_bellman_ford_path_length
        average_degree_connectivity modularity k_truss articulation_points biconnected_components bridges has_bridges
        is_biconnected degree_assortativity_coefficient attribute_assortativity_coefficient overall_reciprocity reciprocity
        is_bipartite color sets
        collaboration_weighted_projected_graph generic_weighted_projected_graph overlap_weighted_projected_graph
        weighted_projected_graph""",
    (400, 150): """projected_graph rich_club_coefficient triangles core_number number_strongly_connected_components is_strongly_connected bellman_ford_path
        bellman_ford_path_length adjacency_matrix
        maximum_spanning_edges maximum_spanning_tree minimum_spanning_edges minimum_spanning_tree""",
    (1200, 250): "to_scipy_sparse_array average_neighbor_degree to_numpy_array to_pandas_edgelist",
    (5000, 1000): "weakly_connected_components number_weakly_connected_components is_weakly_connected has_cycle is_directed_acyclic_graph",
    (20000, 2500): "connected_components number_connected_components is_connected",
    (NEVER, 2500): "is_tree is_arborescence degree_centrality in_degree_centrality out_degree_centrality isolates number_of_isolates",
    (NEVER, 20000): "number_of_selfloops",
    # NetworkX's own implementations copy the subgraph in the same way, and call the backend for core_number.
    (NEVER, NEVER): "k_core k_shell k_crust k_corona is_empty is_isolate",
}
# Searches from one node: (ns for each node and arc that NetworkX sees, whether by weight, size of a converted graph).
_ALL = {
    (100, False, 600): """single_source_shortest_path single_source_shortest_path_length single_target_shortest_path
        single_target_shortest_path_length node_connected_component bfs_tree""",
    (150, False, 600): "bfs_edges bfs_predecessors bfs_successors bfs_layers descendants ancestors predecessor",
    (100, False, 2500): "bfs_labeled_edges",
    (400, True, 250): "single_source_dijkstra single_source_dijkstra_path single_source_dijkstra_path_length",
}
# Searches between two nodes, or near one; the last entry is the expected part of the graph that is seen, 0: unknown.
_SOME = {
    (400, True, 2500, 0.5): "dijkstra_path dijkstra_path_length",
    (400, True, 2500, 0): "bidirectional_dijkstra",
    (100, False, 20000, 0): "has_path bidirectional_shortest_path descendants_at_distance",
}


def _searches():
    for (rate, weights, size), names in _ALL.items():
        for name in names.split():
            search = Search(rate, weights, optional(name, "target", "cutoff", "depth_limit"))
            yield name, (max(search.least(), size), size, search)
    for (rate, weights, size, part), names in _SOME.items():
        for name in names.split():
            yield name, (size, size, Search(rate, weights, None, part))


# The table of the gate (python/src/nx/gate.c), for functions whose first argument is the graph: sizes, and the
# function to ask if these are not reached.
SIZES = {name: sizes for sizes, names in _SIZES.items() for name in names.split()} | dict(_searches())
# Functions that dispatch on their arguments: between two nodes by hops and by weight, from or to one node likewise,
# all.
_CHOOSES = {
    "shortest_path": ("bidirectional_shortest_path", "bidirectional_dijkstra", "single_source_shortest_path",
                      "single_source_dijkstra_path", "all_pairs_shortest_path"),
    "shortest_path_length": ("bidirectional_shortest_path", "dijkstra_path_length", "single_source_shortest_path_length",
                             "single_source_dijkstra_path_length", "all_pairs_shortest_path_length"),
}
# Functions of pairs of nodes: of all pairs without an edge, or of given pairs.
_OF_PAIRS = {"adamic_adar_index", "jaccard_coefficient", "preferential_attachment", "resource_allocation_index"}
_MANY_PAIRS, _FEW_PAIRS = "clustering", "is_isolate"  # the functions whose sizes they have
FUNCTIONS = {*SIZES, *_CHOOSES, *_OF_PAIRS}


def leads_to(name, args, kwargs):
    """The function that a call dispatches to."""
    if name in _OF_PAIRS:
        pairs = args[1] if len(args) > 1 else kwargs.get("ebunch")
        many = pairs is None or (hasattr(pairs, "__len__") and 2 * len(pairs) >= len(args[0]))
        return _MANY_PAIRS if many else _FEW_PAIRS
    if name not in _CHOOSES:
        return name
    given = len(args)  # called every time, for graphs of any size
    source = args[1] if given > 1 else kwargs.get("source")
    target = args[2] if given > 2 else kwargs.get("target")
    if source is None and target is None:
        return _CHOOSES[name][4]
    by_weight = (args[3] if given > 3 else kwargs.get("weight")) is not None
    return _CHOOSES[name][by_weight if source is not None and target is not None else 2 + by_weight]


def sizes_of(name, args, kwargs):
    """The sizes that decide a call that the gate does not know; or an answer."""
    if args:
        return SIZES[leads_to(name, args, kwargs)] if type(args[0]) in EXACT else True  # else it has rows already
    from . import should_run

    return should_run(name, (kwargs.get("G"),), {key: value for key, value in kwargs.items() if key != "G"})
