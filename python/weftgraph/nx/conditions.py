"""The conditions under which the backend can answer as NetworkX would.

`can_run` checks the arguments before conversion, and returns the reason if it refuses.  Conditions that only the
conversion reveals (such as a weight that is None) raise NotImplementedError there; NetworkX then does the work.
"""
from __future__ import annotations

from importlib.util import find_spec

from .centrality import HITS_METHOD
from .community import METRIC, THETA
from .functions import ALL, CHANGED, optional, strange
from .graph import Graph, is_plain, made_of
from .lazy import can_make

# {name: (position, argument)} for functions with weights.
_WEIGHTED = {name: argument for name in ALL for argument in optional(name, "weight", "distance")}
_BETWEENNESS = ["betweenness_centrality", "betweenness_centrality_subset", "edge_betweenness_centrality", "edge_betweenness_centrality_subset"]
_UNWEIGHTED_ONLY = {"average_neighbor_degree", "average_degree_connectivity"}
_BOUNDED = {"diameter", "radius", "center", "periphery"}
_FORESTS = [f"{extreme}_spanning_{what}" for extreme in ("minimum", "maximum") for what in ("tree", "edges")]
_PROJECTIONS = [f"{how}projected_graph" for how in ("", "weighted_", "collaboration_weighted_", "overlap_weighted_", "generic_weighted_")]
_OF_PAIRS = ["adamic_adar_index", "jaccard_coefficient", "preferential_attachment", "resource_allocation_index"]
_NO_MULTIGRAPH = {"clustering", "average_clustering", "transitivity", "find_cycle", "to_numpy_array", "reverse",
                  "average_neighbor_degree", "average_degree_connectivity", "eigenvector_centrality",
                  "eigenvector_centrality_numpy", "hits", "katz_centrality", "katz_centrality_numpy", "k_truss", "bridges", "has_bridges",
                  "degree_assortativity_coefficient",
                  "attribute_assortativity_coefficient", "overall_reciprocity", "reciprocity", *_BETWEENNESS, *_FORESTS, *_OF_PAIRS, *_PROJECTIONS}
_COMMUNITY = ["louvain_communities", "louvain_partitions", "leiden_communities", "leiden_partitions"]
_CREATE_USING = {name: place for name in ALL for place, _ in optional(name, "create_using")}


def _argument(args, kwargs, place, name, default=None):
    return args[place] if len(args) > place else kwargs.get(name, default)


def _why_not_weights(name, args, kwargs, G):
    weight = _argument(args, kwargs, *_WEIGHTED[name])
    hash(weight)  # or TypeError
    if callable(weight):
        return "weights by a function"
    if weight is not None and name in _UNWEIGHTED_ONLY:
        return "weights are not supported"
    return None


def _why_not_multigraph(name, args, kwargs, G):
    return "multigraphs are not supported" if G.is_multigraph() else None


def _why_not_null(name, args, kwargs, G):
    return "the null graph: versions of NetworkX differ" if len(G) == 0 else None


def _why_not_bounds(name, args, kwargs, G):
    return "usebounds is NetworkX's own method" if _argument(args, kwargs, 2, "usebounds", False) else None


def _why_not_average(name, args, kwargs, G):
    method, weight = _argument(args, kwargs, 2, "method"), _argument(args, kwargs, 1, "weight")
    if not (method is None or (method == "unweighted" and weight is None) or (method == "dijkstra" and weight is not None)):
        return f"the method {method}"
    return None


def _why_not_method(name, args, kwargs, G):
    return "methods other than Dijkstra's" if _argument(args, kwargs, 4, "method", "dijkstra") != "dijkstra" else None


def _why_not_distances(name, args, kwargs, G):
    given = _argument(args, kwargs, 2, "sp") if name == "eccentricity" else kwargs.get("sp")
    return "distances are given" if given is not None else None


def _why_not_sorted(name, args, kwargs, G):
    place = 4 if name in ("bfs_edges", "bfs_tree") else 3
    return "neighbours are sorted by a function" if _argument(args, kwargs, place, "sort_neighbors") is not None else None


def _why_not_triangles(name, args, kwargs, G):
    if G.is_multigraph() and _argument(args, kwargs, 1, "nodes") is not None:
        return "multigraphs are not supported"
    return None


def _why_not_directed(name, args, kwargs, G):
    return "directed graphs are not supported" if G.is_directed() else None


def _why_not_cycle(name, args, kwargs, G):
    orientation = _argument(args, kwargs, 2, "orientation")
    if G.is_directed() and orientation not in (None, "original"):
        return "the edges' orientation is not the original one"
    return "undirected graphs with an orientation" if not G.is_directed() and orientation is not None else None


def _why_not_data(name, args, kwargs, G):
    return "weights are data of edges" if isinstance(_argument(args, kwargs, *_WEIGHTED[name]), bool) else None


def _why_not_matrix(name, args, kwargs, G):
    if name == "to_numpy_array":
        return "structured arrays" if getattr(_argument(args, kwargs, 2, "dtype"), "names", None) else None
    if _argument(args, kwargs, 4, "format", "csr") not in ("csr", "csc", "bsr", "lil"):
        return "a format that keeps the order of edges"
    return None


def _why_not_reverse(name, args, kwargs, G):
    return "views are NetworkX's own" if G.is_directed() and _argument(args, kwargs, 1, "copy", True) is not True else None


def _why_not_alpha(name, args, kwargs, G):
    return None if 0 <= _argument(args, kwargs, 1, "alpha", 0.85) <= 1 else "alpha is not in 0 ... 1"


def _why_not_katz(name, args, kwargs, G):
    alpha, beta = _argument(args, kwargs, 1, "alpha", 0.1), _argument(args, kwargs, 2, "beta", 1.0)
    if type(beta) not in (int, float) or type(alpha) not in (int, float):
        return "alpha or beta is not a number"
    return None if 0 <= alpha <= 1e9 and 1e-9 <= beta <= 1e9 else "alpha is negative, or beta not above 0"


def _why_not_root(name, args, kwargs, G):
    return "only the component of a root" if _argument(args, kwargs, 1, "root") is not None else None


def _why_not_start(name, args, kwargs, G):
    place = 5 if name == "katz_centrality" else 3
    return "a vector to start from" if _argument(args, kwargs, place, "nstart") is not None else None


def _why_not_steps(name, args, kwargs, G):
    """`method` is an argument since NetworkX 3.7; before, NetworkX's only method was the one now called "svd"."""
    return None if kwargs.get("method", HITS_METHOD) in ("power_iteration", "svd") else "an unknown method"


def _why_not_leiden(name, args, kwargs, G):
    """`metric` and `theta` are arguments since NetworkX 3.7."""
    if kwargs.get("theta", THETA) != THETA:
        return "theta, which uses NetworkX's own random numbers"
    return None if kwargs.get("metric", METRIC) in ("modularity", "cpm") else "an unknown metric"


def _why_not_raw(name, args, kwargs, G):
    return None if _argument(args, kwargs, 4, "normalized", True) else "a singular vector: ARPACK decides its sign"


def _why_not_unit(name, args, kwargs, G):
    return "weights: NetworkX's iteration depends on their unit" if _argument(args, kwargs, 4, "weight") is not None else None


def _why_not_resolution(name, args, kwargs, G):
    resolution = _argument(args, kwargs, 3 if name == "modularity" else 2, "resolution", 1)
    return None if type(resolution) in (int, float) and 0 < resolution <= 1e9 else "the resolution is not a number above 0"


def _why_not_kruskal(name, args, kwargs, G):
    place = 1 if name.endswith("edges") else 2
    return None if _argument(args, kwargs, place, "algorithm", "kruskal") == "kruskal" else "edges in the order of another algorithm"


def _why_not_ends(name, args, kwargs, G):
    if name == "degree_assortativity_coefficient":
        given = [_argument(args, kwargs, i + 1, what, default) for i, (what, default) in enumerate(
            (("x", "out"), ("y", "in"), ("weight", None), ("nodes", None)))]
        return None if given == ["out", "in", None, None] else "other degrees, weights, or some nodes"
    return "some nodes" if _argument(args, kwargs, 2, "nodes") is not None else None


def _why_not_normalized(name, args, kwargs, G):
    return "random graphs to compare with" if _argument(args, kwargs, 1, "normalized", True) else None


def _why_not_top(name, args, kwargs, G):
    return "a side is given" if _argument(args, kwargs, 1, "top_nodes") is not None else None


def _why_not_listed(name, args, kwargs, G):
    if not hasattr(_argument(args, kwargs, 1, "nodes"), "__len__"):
        return "an iterator of nodes"
    if name == "projected_graph" and _argument(args, kwargs, 2, "multigraph", False):
        return "an edge for each common neighbour"
    return "weights by a function" if name.startswith("generic") and _argument(args, kwargs, 2, "weight_function") is not None else None


def _why_not_once(name, args, kwargs, G):
    lists = _argument(args, kwargs, 1, "sources"), _argument(args, kwargs, 2, "targets")
    return None if all(hasattr(nodes, "__len__") for nodes in lists) else "an iterator of sources or targets"


def _why_not_some(name, args, kwargs, G):
    return "some nodes are not targets" if len(_argument(args, kwargs, 2, "targets")) < len(G) else None


def _why_not_threshold(name, args, kwargs, G):
    return None if _argument(args, kwargs, 3, "threshold", 1e-7) <= 1e-7 else "a threshold for the gain of levels"


_BY_NAME = 99  # no position: these arguments are given by name only
# name: [(position, check)]: a check is about the argument at this position and those after it, or about the graph at
# position 0.
_CHECKS = {name: [(place, _why_not_weights)] for name, (place, _) in _WEIGHTED.items()}
for _place, _check, _names in (
    (0, _why_not_multigraph, _NO_MULTIGRAPH), (0, _why_not_null, [*_BOUNDED, "eccentricity", "eigenvector_centrality", "eigenvector_centrality_numpy"]), (0, _why_not_triangles, ["triangles"]),
    (0, _why_not_directed, ["transitivity", "color", "sets", *_FORESTS, *_OF_PAIRS, *_PROJECTIONS]), (2, _why_not_cycle, ["find_cycle"]), (1, _why_not_reverse, ["reverse"]),
    (2, _why_not_bounds, _BOUNDED), (1, _why_not_average, ["average_shortest_path_length"]),
    (4, _why_not_method, ["shortest_path", "shortest_path_length"]), (2, _why_not_distances, ["eccentricity", "closeness_centrality"]),
    (3, _why_not_sorted, ["bfs_edges", "bfs_tree", "bfs_predecessors", "bfs_successors"]), (1, _why_not_alpha, ["pagerank"]),
    (1, _why_not_root, ["bridges", "has_bridges"]), (1, _why_not_ends, ["degree_assortativity_coefficient"]),
    (2, _why_not_ends, ["attribute_assortativity_coefficient"]), (0, _why_not_normalized, ["rich_club_coefficient"]),
    (1, _why_not_top, ["sets"]), (1, _why_not_listed, _PROJECTIONS),
    (3, _why_not_resolution, ["modularity"]),
    (1, _why_not_katz, ["katz_centrality", "katz_centrality_numpy"]), (5, _why_not_start, ["katz_centrality"]),
    (3, _why_not_start, ["eigenvector_centrality", "hits"]), (4, _why_not_raw, ["hits"]),
    (_BY_NAME, _why_not_steps, ["hits"]), (4, _why_not_unit, ["eigenvector_centrality"]),
    (2, _why_not_matrix, ["to_scipy_sparse_array", "adjacency_matrix", "to_numpy_array"]),
    (2, _why_not_data, ["to_scipy_sparse_array", "adjacency_matrix", "to_numpy_array", "pagerank"]),
    (2, _why_not_resolution, _COMMUNITY), (_BY_NAME, _why_not_leiden, ["leiden_communities", "leiden_partitions"]),
    (3, _why_not_threshold, ["louvain_communities", "louvain_partitions"]),
    (1, _why_not_data, _COMMUNITY), (2, _why_not_data, ["modularity"]), (1, _why_not_kruskal, _FORESTS),
    (1, _why_not_once, ["betweenness_centrality_subset", "edge_betweenness_centrality_subset"]),
    (2, _why_not_some, ["edge_betweenness_centrality_subset"]), (1, _why_not_data, ["eigenvector_centrality_numpy"]), (4, _why_not_data, ["katz_centrality_numpy"]),
):
    for _name in _names:
        _CHECKS.setdefault(_name, []).append((_place, _check))


def _why_not_make(name, args, kwargs):
    """For functions that make a graph from other objects."""
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


def free():
    """{name: (the first argument that a check is about, then each argument's default)}: a call for a plain graph
    passes without a check if its arguments from there on are the default objects themselves (python/src/nx/gate.c); 0:
    the graph itself is checked."""
    table = {}
    for name, function in ALL.items():
        if name not in _CREATE_USING and name not in CHANGED:
            place = min([place for place, _ in _CHECKS.get(name, ())], default=_BY_NAME)
            count, defaults = function.__code__.co_argcount, function.__defaults__ or ()
            table[name] = place, *[object()] * (count - len(defaults) - 1), *defaults
    return table


def can_run(name, args, kwargs):
    """The cases that the gate does not decide."""
    if name in CHANGED:
        return CHANGED[name]
    if kwargs and (given := strange(name, kwargs)) is not None:
        return f"NetworkX's function has no argument {given}"
    if name in _CREATE_USING:
        return _why_not_make(name, args, kwargs) or True
    G = args[0] if args else kwargs.get("G")
    if not is_plain(G) and not isinstance(G, Graph) and made_of(G) is None:
        return "there is no graph" if G is None else "a subclass or a view"
    try:
        for _, check in _CHECKS.get(name, ()):
            why = check(name, args, kwargs, G)
            if why is not None:
                return why
    except TypeError:
        return "an argument that cannot be compared or hashed"
    return True
