"""The information that NetworkX asks of the backend `weft` when it is imported.  A package of its own without imports,
so that `import networkx` stays fast; the backend itself is weftgraph.nx."""

# The list of functions, by the module of weftgraph.nx that has them.
MODULES = {
    "arrays": """adjacency_matrix from_numpy_array from_pandas_edgelist from_scipy_sparse_array reverse
        to_numpy_array to_pandas_edgelist to_scipy_sparse_array""",
    "bellman_ford": """all_pairs_bellman_ford_path all_pairs_bellman_ford_path_length bellman_ford_path
        bellman_ford_path_length single_source_bellman_ford single_source_bellman_ford_path
        single_source_bellman_ford_path_length""",
    "between": """betweenness_centrality betweenness_centrality_subset
        edge_betweenness_centrality edge_betweenness_centrality_subset""",
    "centrality": "eigenvector_centrality eigenvector_centrality_numpy hits katz_centrality katz_centrality_numpy",
    "cluster": "average_clustering clustering transitivity triangles",
    "community": "leiden_communities leiden_partitions louvain_communities louvain_partitions modularity",
    "components": """attracting_components condensation connected_components is_attracting_component is_connected
        is_semiconnected is_strongly_connected is_weakly_connected kosaraju_strongly_connected_components
        node_connected_component number_attracting_components number_connected_components
        number_strongly_connected_components number_weakly_connected_components
        strongly_connected_components weakly_connected_components""",
    "core": "core_number k_core k_corona k_crust k_shell k_truss",
    "cut": "articulation_points biconnected_components bridges has_bridges is_biconnected",
    "dag": """dag_longest_path_length find_cycle has_cycle is_directed_acyclic_graph topological_generations
        topological_sort""",
    "distances": """average_shortest_path_length center closeness_centrality diameter eccentricity
        harmonic_centrality periphery radius wiener_index""",
    "forests": "maximum_spanning_edges maximum_spanning_tree minimum_spanning_edges minimum_spanning_tree",
    "generators": "complete_graph cycle_graph path_graph star_graph",
    "links": "adamic_adar_index jaccard_coefficient preferential_attachment resource_allocation_index",
    "mixing": """attribute_assortativity_coefficient color degree_assortativity_coefficient is_bipartite overall_reciprocity
        reciprocity rich_club_coefficient sets""",
    "projections": """collaboration_weighted_projected_graph generic_weighted_projected_graph
        overlap_weighted_projected_graph projected_graph weighted_projected_graph""",
    "ranks": "pagerank",
    "readers": "from_edgelist read_adjlist read_edgelist read_weighted_edgelist",
    "structure": """average_degree_connectivity average_neighbor_degree degree_centrality in_degree_centrality
        is_arborescence is_branching is_empty is_forest is_isolate is_tree isolates number_of_isolates
        number_of_selfloops out_degree_centrality""",
    "traversal": """ancestors bfs_edges bfs_labeled_edges bfs_layers bfs_predecessors bfs_successors bfs_tree
        descendants descendants_at_distance""",
    "unweighted": """all_pairs_shortest_path all_pairs_shortest_path_length bidirectional_shortest_path has_path
        predecessor single_source_shortest_path single_source_shortest_path_length
        single_target_shortest_path single_target_shortest_path_length""",
    "weighted": """all_pairs_dijkstra all_pairs_dijkstra_path all_pairs_dijkstra_path_length bidirectional_dijkstra
        dijkstra_path dijkstra_path_length johnson shortest_path shortest_path_length single_source_dijkstra
        single_source_dijkstra_path single_source_dijkstra_path_length""",
}
FUNCTIONS = [name for names in MODULES.values() for name in names.split()]

_LIMITS = {
    "adamic_adar_index": "Loops are not supported.",
    "articulation_points": "They come in the order of nodes.",
    "attribute_assortativity_coefficient": "Some nodes, and multigraphs, are not supported.",
    "average_clustering": "Weights below 0 are not supported.",
    "average_degree_connectivity": "Weights and multigraphs are not supported.",
    "average_neighbor_degree": "Weights and multigraphs are not supported.",
    "betweenness_centrality": "Multigraphs, and weights that are not above 0, are not supported.",
    "betweenness_centrality_subset": "Multigraphs, and weights that are not above 0, are not supported.",
    "biconnected_components": "They come in the order of their first edges.",
    "bridges": "Multigraphs and a root are not supported.",
    "clustering": "Weights below 0 are not supported.",
    "color": "Nodes come in their own order.  Directed graphs are not supported.",
    "collaboration_weighted_projected_graph": "Nodes must be one side of a bipartite graph.  Neighbours come in an order of their own.  Directed graphs, multigraphs and loops are not supported.",
    "degree_assortativity_coefficient": "Weights, some nodes, multigraphs, and other degrees than x and y have by default, are not supported.",
    "edge_betweenness_centrality": "Multigraphs, and weights that are not above 0, are not supported.",
    "edge_betweenness_centrality_subset": "All nodes must be targets; multigraphs, and weights that are not above 0, are not supported.",
    "eigenvector_centrality": "Weights, nstart and multigraphs are not supported.",
    "eigenvector_centrality_numpy": "Multigraphs are not supported.",
    "find_cycle": "Multigraphs, and orientations other than the original, are not supported.",
    "generic_weighted_projected_graph": "Only without a function.  Neighbours come in an order of their own.  Directed graphs, multigraphs and loops are not supported.",
    "has_bridges": "Multigraphs and a root are not supported.",
    "hits": "nstart, multigraphs, and scores that are not normalized are not supported.",
    "jaccard_coefficient": "Loops are not supported.",
    "katz_centrality": "A dict of betas, and nstart, are not supported.",
    "katz_centrality_numpy": "A dict of betas is not supported.",
    "leiden_communities": "The seed None is a seed like others: the same communities every time.  Another theta than the default is not supported.",
    "leiden_partitions": "The seed None is a seed like others: the same partitions every time.  Another theta than the default is not supported.",
    "louvain_communities": "Other random numbers than NetworkX's decide. Thresholds above 1e-7 are not supported.",
    "louvain_partitions": "Other random numbers than NetworkX's decide. Thresholds above 1e-7 are not supported.",
    "maximum_spanning_edges": "Multigraphs, equal weights, and other algorithms than Kruskal's are not supported.",
    "maximum_spanning_tree": "Multigraphs, equal weights, and other algorithms than Kruskal's are not supported.",
    "minimum_spanning_edges": "Multigraphs, equal weights, and other algorithms than Kruskal's are not supported.",
    "minimum_spanning_tree": "Multigraphs, equal weights, and other algorithms than Kruskal's are not supported.",
    "modularity": "Negative weights, and a resolution that is not above 0, are not supported.",
    "overall_reciprocity": "Multigraphs are not supported.",
    "overlap_weighted_projected_graph": "Neighbours come in an order of their own.  Directed graphs, multigraphs and loops are not supported.",
    "projected_graph": "Neighbours come in an order of their own.  Directed graphs, multigraphs and loops are not supported.",
    "reciprocity": "Loops and multigraphs are not supported.",
    "resource_allocation_index": "Loops are not supported.",
    "rich_club_coefficient": "Only without normalization.",
    "sets": "Directed graphs are not supported.",
    "transitivity": "Directed graphs are not supported.",
    "weighted_projected_graph": "Neighbours come in an order of their own.  Directed graphs, multigraphs and loops are not supported.",
}


def _prefer(variable):
    import os

    names = [name.strip() for name in os.environ.get(variable, "").split(",") if name.strip()]
    if "weft" not in names:
        os.environ[variable] = ",".join(["weft", *names])


def get_info():
    """The dict that NetworkX requires.  WEFT_AUTOCONFIG=1 makes `weft` the preferred backend, with NetworkX for all
    other calls."""
    import os

    if os.environ.get("WEFT_AUTOCONFIG", "").strip().lower() in ("1", "true", "yes"):
        _prefer("NETWORKX_BACKEND_PRIORITY_ALGOS")
        _prefer("NETWORKX_BACKEND_PRIORITY_GENERATORS")
        os.environ.setdefault("NETWORKX_FALLBACK_TO_NX", "True")
    return {
        "backend_name": "weft",
        "project": "weftgraph",
        "package": "weftgraph",
        "short_summary": "Graph analytics in C on CPU cores and GPUs, with NetworkX's own order and types.",
        "default_config": {"device": "auto", "threads": 0, "cache_bytes": 4 << 30},
        "functions": {name: {"additional_docs": _LIMITS[name]} if name in _LIMITS else {} for name in FUNCTIONS},
    }
