"""The NetworkX backend `weft`: this module is the interface that NetworkX loads.

    nx.pagerank(G, backend="weft")
    NETWORKX_BACKEND_PRIORITY=weft python script.py   (or WEFT_AUTOCONFIG=1)

A function answers exactly as NetworkX's does, in values, order, types and errors; what it cannot answer so stays with NetworkX
(conditions.py says why).
"""
from .. import _weft
from . import conditions, cost
from .arrays import (
    adjacency_matrix, from_numpy_array, from_pandas_edgelist, from_scipy_sparse_array, reverse, to_numpy_array, to_pandas_edgelist,
    to_scipy_sparse_array,
)
from .bellman_ford import (
    all_pairs_bellman_ford_path, all_pairs_bellman_ford_path_length, bellman_ford_path, bellman_ford_path_length,
    single_source_bellman_ford, single_source_bellman_ford_path, single_source_bellman_ford_path_length,
)
from .cluster import average_clustering, clustering, transitivity, triangles
from .components import (
    attracting_components, condensation, connected_components, is_attracting_component, is_connected, is_semiconnected,
    is_strongly_connected, is_weakly_connected, kosaraju_strongly_connected_components, node_connected_component,
    number_attracting_components, number_connected_components, number_strongly_connected_components,
    number_weakly_connected_components, strongly_connected_components, weakly_connected_components,
)
from .core import core_number, k_core, k_corona, k_crust, k_shell
from .dag import (
    dag_longest_path_length, find_cycle, has_cycle, is_directed_acyclic_graph, topological_generations, topological_sort,
)
from .distances import (
    average_shortest_path_length, center, closeness_centrality, diameter, eccentricity, periphery, radius, wiener_index,
)
from .explain import explain
from .generators import complete_graph, cycle_graph, path_graph, star_graph
from .graph import EXACT, Graph, convert_from_nx, convert_to_nx
from .ranks import pagerank
from .readers import from_edgelist, read_adjlist, read_edgelist, read_weighted_edgelist
from .structure import (
    average_degree_connectivity, average_neighbor_degree, degree_centrality, in_degree_centrality, is_arborescence,
    is_branching, is_empty, is_forest, is_isolate, is_tree, isolates, number_of_isolates, number_of_selfloops,
    out_degree_centrality,
)
from .testing import on_start_tests
from .traversal import (
    ancestors, bfs_edges, bfs_labeled_edges, bfs_layers, bfs_predecessors, bfs_successors, bfs_tree, descendants,
    descendants_at_distance,
)
from .unweighted import (
    all_pairs_shortest_path, all_pairs_shortest_path_length, bidirectional_shortest_path, has_path, predecessor,
    single_source_shortest_path, single_source_shortest_path_length, single_target_shortest_path,
    single_target_shortest_path_length,
)
from .weighted import (
    all_pairs_dijkstra, all_pairs_dijkstra_path, all_pairs_dijkstra_path_length, bidirectional_dijkstra, dijkstra_path,
    dijkstra_path_length, johnson, shortest_path, shortest_path_length, single_source_dijkstra, single_source_dijkstra_path,
    single_source_dijkstra_path_length,
)

can_run, should_run = _weft.nx_gates(conditions.free(globals()), conditions.can_run, cost.SIZES, cost.sizes_of, tuple(EXACT), Graph)
