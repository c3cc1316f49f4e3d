"""The backend's answers are NetworkX's: values, order, types, errors, on random graphs of every class."""
import os
import random
import sys
from collections.abc import Iterator

import pytest

nx = pytest.importorskip("networkx")
pytest.importorskip("scipy")

import weftgraph.nx as backend  # noqa: E402
from weftgraph.nx.version import NETWORKX  # noqa: E402
from weftgraph_networkx import FUNCTIONS  # noqa: E402

CLASSES = [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph]
NODES = {
    "numbers": lambda n: list(range(n)),
    "integers": lambda n: [3 * i + 5 for i in range(n)],
    "strings": lambda n: [f"n{i}" for i in range(n)],
    "tuples": lambda n: [(i // 4, i % 4) for i in range(n)],
    "mixed": lambda n: [(i,) if i % 5 == 0 else i if i % 3 else f"s{i}" for i in range(n)],
}
WEIGHTS = {"int": lambda r: r.randrange(5), "float": lambda r: r.choice([0.1, 0.25, 0.3, 0.5, 1.5, 0.0]), "both": lambda r: r.choice([1, 2, 0.5])}
SIZES = [(0, 0, None), (1, 1, None), (5, 4, "int"), (12, 11, None), (12, 30, "float"), (25, 60, "int"), (25, 40, "both")]

OF_GRAPH = """connected_components number_connected_components is_connected weakly_connected_components
number_weakly_connected_components is_weakly_connected strongly_connected_components kosaraju_strongly_connected_components
number_strongly_connected_components is_strongly_connected condensation attracting_components number_attracting_components
is_attracting_component is_semiconnected triangles clustering average_clustering transitivity core_number k_core k_shell k_crust
topological_generations topological_sort has_cycle is_directed_acyclic_graph dag_longest_path_length find_cycle degree_centrality
in_degree_centrality out_degree_centrality isolates number_of_isolates number_of_selfloops is_empty is_tree is_forest is_arborescence
is_branching average_neighbor_degree average_degree_connectivity all_pairs_shortest_path all_pairs_shortest_path_length
all_pairs_bellman_ford_path all_pairs_bellman_ford_path_length all_pairs_dijkstra all_pairs_dijkstra_path all_pairs_dijkstra_path_length johnson eccentricity diameter radius center periphery
average_shortest_path_length wiener_index closeness_centrality harmonic_centrality pagerank shortest_path shortest_path_length""".split()
WEIGHTED = """shortest_path shortest_path_length eccentricity diameter radius center periphery average_shortest_path_length
wiener_index""".split()
OF_NODE = """node_connected_component bfs_edges bfs_tree bfs_predecessors bfs_successors bfs_layers bfs_labeled_edges descendants
ancestors single_source_shortest_path single_source_shortest_path_length single_target_shortest_path
single_target_shortest_path_length predecessor single_source_dijkstra single_source_dijkstra_path single_source_dijkstra_path_length
single_source_bellman_ford single_source_bellman_ford_path single_source_bellman_ford_path_length
is_isolate triangles clustering eccentricity find_cycle closeness_centrality kosaraju_strongly_connected_components shortest_path
shortest_path_length""".split()
OF_TWO = """has_path bidirectional_shortest_path shortest_path shortest_path_length dijkstra_path dijkstra_path_length
bidirectional_dijkstra single_source_dijkstra
bellman_ford_path bellman_ford_path_length single_source_bellman_ford""".split()
WITH_CUTOFF = """single_source_shortest_path single_source_shortest_path_length single_target_shortest_path
single_target_shortest_path_length predecessor single_source_dijkstra single_source_dijkstra_path""".split()
OF_SOME = "triangles clustering average_clustering eccentricity find_cycle bfs_layers bfs_labeled_edges".split()


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    monkeypatch.setattr(nx.config, "warnings_to_ignore", {"cache"})


def plain(x):
    """An answer with its types, and with the order that it has."""
    if isinstance(x, Iterator):
        return "iterator", [plain(i) for i in x]
    if isinstance(x, dict):
        return "dict", [(plain(k), plain(v)) for k, v in x.items()]
    if isinstance(x, (list, tuple)):
        return type(x).__name__, [plain(i) for i in x]
    if isinstance(x, (set, frozenset)):
        return "set", sorted(map(repr, x))
    if isinstance(x, nx.Graph):
        # condensation's mapping is in the order in which sets are iterated, which is nobody's
        graph = {k: sorted(v.items(), key=repr) if k == "mapping" else v for k, v in x.graph.items()}
        return type(x).__name__, plain(graph), plain(dict(x._node)), plain({u: dict(row) for u, row in x._adj.items()})
    return type(x).__name__, repr(x)


def answer(function, *args, **kwargs):
    try:
        return plain(function(*args, **kwargs))
    except NotImplementedError as error:
        if isinstance(error, nx.NetworkXException):
            return "error", type(error).__name__, str(error)
        raise
    except Exception as error:
        return "error", type(error).__name__, str(error)


# What is iterated: by how much an answer may differ.
NEAR = {"pagerank": 1e-12, "eigenvector_centrality": 1e-5, "eigenvector_centrality_numpy": 1e-7, "hits": 1e-5, "katz_centrality": 1e-8,
        "katz_centrality_numpy": 1e-9, "harmonic_centrality": 1e-12, "betweenness_centrality": 1e-9, "betweenness_centrality_subset": 1e-9,
        "edge_betweenness_centrality": 1e-9, "edge_betweenness_centrality_subset": 1e-9, "clustering": 1e-13, "adamic_adar_index": 1e-12,
        "resource_allocation_index": 1e-12, "degree_assortativity_coefficient": 1e-9, "attribute_assortativity_coefficient": 1e-12}
LINKS = "adamic_adar_index jaccard_coefficient preferential_attachment resource_allocation_index".split()
# Besides these, what may be left to NetworkX once the graph is converted.
LEFT = {"dag_longest_path_length", "overall_reciprocity", "reciprocity", "rich_club_coefficient", "sets"}


def close(a, b, near):
    if a[0] == b[0] == "float":
        return abs(float(a[1]) - float(b[1])) < near
    if a[0] == b[0] == "iterator":  # of pairs and their score
        return all(x[1][:2] == y[1][:2] and x[1][2][0] == y[1][2][0] and abs(float(x[1][2][1]) - float(y[1][2][1])) < near
                   for x, y in zip(a[1], b[1], strict=True))
    if a[0] == b[0] == "tuple":
        return all(close(x, y, near) for x, y in zip(a[1], b[1], strict=True)) if isinstance(a[1], list) else False
    return a[0] == b[0] == "dict" and [k for k, _ in a[1]] == [k for k, _ in b[1]] and all(
        abs(float(x[1]) - float(y[1])) < near for (_, x), (_, y) in zip(a[1], b[1]))


def compare(name, G, *args, **kwargs):
    if backend.can_run(name, (G, *args), kwargs) is not True:
        return
    function = next(getattr(module, name) for module in (nx, nx.algorithms.dag, nx.bipartite) if hasattr(module, name))
    mine_is_left = False
    try:
        mine = answer(function, G, *args, backend="weft", **kwargs)
    except NotImplementedError:  # left to NetworkX, for a reason that the conversion saw
        mine_is_left = True
    if mine_is_left:
        assert name in LEFT or name in NEAR or name in LINKS or (name in FORESTS and not kwargs)
        return
    theirs = answer(function, G, *args, **kwargs)
    if name == "color":  # in the order of a search
        theirs = theirs[0], sorted(theirs[1], key=mine[1].index) if theirs[0] == "dict" else theirs[1], *theirs[2:]
    assert mine == theirs or (name in NEAR and close(mine, theirs, NEAR[name])), (name, args, kwargs, list(G.edges(data=True)))


def random_graph(r, cls, nodes, m, weights):
    G = cls()
    if r.random() < 0.7:
        G.add_nodes_from(nodes if r.random() < 0.5 else r.sample(nodes, len(nodes)))
    acyclic = r.random() < 0.4
    for _ in range(m):
        i, j = r.randrange(len(nodes)), r.randrange(len(nodes))
        if acyclic and i > j:
            i, j = j, i
        if i != j or r.random() < 0.1:
            data = {"weight": WEIGHTS[weights](r)} if weights and r.random() < 0.9 else {}
            G.add_edge(nodes[i], nodes[j], **data)
    return G


# WEFT_NX_ALL: every class with every kind of nodes, and two classes for each spread of weights; else half of both.
EVERYTHING = bool(os.environ.get("WEFT_NX_ALL"))
PAIRS = [(cls, kind) for i, cls in enumerate(CLASSES) for j, kind in enumerate(NODES) if EVERYTHING or (i + j) % 2 == 0]


@pytest.mark.parametrize("cls,kind", PAIRS)
def test_the_same_answers(cls, kind):
    r = random.Random(f"{cls.__name__} {kind}")
    for n, m, weights in SIZES:
        G = random_graph(r, cls, NODES[kind](n), m, weights)
        nodes = list(G)
        for name in OF_GRAPH:
            compare(name, G)
        for name in WEIGHTED:
            compare(name, G, weight="weight")
        compare("clustering", G, weight="weight")
        compare("closeness_centrality", G, distance="weight")
        compare("closeness_centrality", G, wf_improved=False)
        compare("harmonic_centrality", G, distance="weight")
        for k in range(4):
            for name in ("k_core", "k_shell", "k_crust", "k_corona", "k_truss"):
                compare(name, G, k)
        compare_forests(r, G)
        compare_blocks(G)
        compare_links(r, G, nodes)
        some = r.sample(nodes, min(3, len(nodes)))
        for name in OF_SOME:
            compare(name, G, some)
        compare_harmonic(r, G, nodes)
        compare_mixing(r, G, nodes, some)
        for source in ("in", "out", "in+out"):
            for target in ("in", "out", "in+out"):
                compare("average_neighbor_degree", G, source=source, target=target)
                compare("average_degree_connectivity", G, source=source, target=target)
        compare_ranks(r, G, nodes, some)
        compare_centralities(G, weights)
        compare_betweenness(r, G, nodes)
        compare_from(r, G, nodes)


MIXING = """degree_assortativity_coefficient attribute_assortativity_coefficient overall_reciprocity reciprocity rich_club_coefficient
is_bipartite color sets""".split()


def compare_mixing(r, G, nodes, some):
    """Also of a bipartite graph with its nodes in another order."""
    for name in MIXING[2:4] + MIXING[5:] + MIXING[:1]:
        compare(name, G)
    compare("rich_club_coefficient", G, normalized=False)
    compare("reciprocity", G, some)
    if nodes:
        compare("reciprocity", G, nodes[0])
    kinds = G.copy()
    nx.set_node_attributes(kinds, {node: r.choice(["a", "b", 1, None]) for node in nodes if r.random() < 0.9}, "kind")
    compare("attribute_assortativity_coefficient", kinds, "kind")
    two = G.__class__()
    two.add_nodes_from(r.sample(nodes, len(nodes)))
    two.add_edges_from((u, v) for u, v in G.edges() if nodes.index(u) % 2 != nodes.index(v) % 2)
    for name in ("is_bipartite", "color", "sets"):
        compare(name, two)


FORESTS = [f"{extreme}_spanning_{what}" for extreme in ("minimum", "maximum") for what in ("tree", "edges")]


def compare_forests(r, G):
    """With the weights that it has, many of them equal; and with others, negative ones among them, but one that is missing."""
    other = G.copy()
    for i, edge in enumerate(other.edges):
        other.edges[edge].update({"other": r.choice([i, -i, i + 0.5])} if i != 1 else {"note": "missing"})
    for name in FORESTS:
        compare(name, G)
        compare(name, other, weight="other")
    for name in FORESTS[1::2]:
        compare(name, other, weight="other", data=False)


def compare_links(r, G, nodes):
    """Without loops, which are left to NetworkX, and with them."""
    other = G.copy()
    other.remove_edges_from(list(nx.selfloop_edges(other)))
    pairs = [(r.choice(nodes), r.choice(nodes)) for _ in range(20)] if nodes else []
    for name in LINKS:
        for graph in (G, other):
            compare(name, graph)
            compare(name, graph, pairs)
            compare(name, graph, iter(pairs))
            compare(name, graph, ebunch=[*pairs, ("none", "of them")])
            compare(name, graph, [(1,)])


BLOCKS = ["is_biconnected", "has_bridges", "bridges", "articulation_points", "biconnected_components"]


def compare_blocks(G):
    """Articulation points come in the order of nodes, components in that of their first edges."""
    for name in BLOCKS[:2]:
        compare(name, G)
    for name in BLOCKS[2:]:
        if not G.is_directed() and backend.can_run(name, (G,), {}) is True:
            mine, theirs = (list(getattr(nx, name)(G, **how)) for how in ({"backend": "weft"}, {}))
            assert len(mine) == len(theirs)
            assert {frozenset(x) if isinstance(x, set) or name == "bridges" else x for x in mine} == {
                frozenset(x) if isinstance(x, set) or name == "bridges" else x for x in theirs}


PROJECTIONS = [(f"{how}projected_graph", more) for how, more in (
    ("", {}), ("weighted_", {}), ("weighted_", {"ratio": True}), ("collaboration_weighted_", {}), ("overlap_weighted_", {}),
    ("overlap_weighted_", {"jaccard": False}), ("generic_weighted_", {}))]


def projection(name, B, *args, **kwargs):
    """Neighbours, and nodes that were not asked for, come in the order of sets; Newman's weights are added in it."""
    try:
        G = getattr(nx.bipartite, name)(B, *args, **kwargs)
    except (KeyError, nx.NetworkXException) as error:
        return type(error).__name__, str(error)
    asked, near = list(dict.fromkeys(args[0])), {frozenset(edge): data for *edge, data in G.edges(data=True)}
    assert list(G)[:len(asked)] == asked
    return type(G).__name__, plain(G.graph), {node: plain(data) for node, data in G.nodes(data=True)}, {
        edge: (type(data["weight"]).__name__, round(data["weight"], 12)) if data else None for edge, data in near.items()}


def test_projections_of_one_side_and_of_any_nodes():
    answered = dict.fromkeys((name for name, _ in PROJECTIONS), 0)
    for seed in range(60):
        r = random.Random(seed)
        ones, others = [f"a{i}" if i % 2 else i for i in range(r.randrange(1, 15))], [(i,) for i in range(r.randrange(12))]
        B = nx.Graph(name="of two kinds")
        B.add_nodes_from((node, {"kind": 1} if r.random() < 0.3 else {}) for node in r.sample([*ones, *others], len(ones) + len(others)))
        B.add_edges_from((r.choice(ones), r.choice(others)) for _ in range(r.randrange(40) if others else 0))
        if seed % 5 == 0 and len(ones) > 1:
            B.add_edge(*r.sample(ones, 2))  # not of two kinds any more
        nodes = ones if seed % 3 else r.sample(list(B), r.randrange(len(B)))
        for name, more in PROJECTIONS:
            if backend.can_run(name, (B, nodes), more) is not True:
                continue
            try:
                mine = projection(name, B, nodes, backend="weft", **more)
            except NotImplementedError:
                assert name.startswith("collaboration")
                continue
            assert mine == projection(name, B, nodes, **more), (seed, name, more)
            answered[name] += 1
    assert min(answered.values()) > 30
    for name, more in PROJECTIONS:
        for nodes in (["no such node"], *([[*B, *B]] if name.startswith("weighted") else [])):
            assert projection(name, B, nodes, backend="weft", **more) == projection(name, B, nodes, **more)
        for other in (nx.DiGraph(B), nx.MultiGraph(B)):
            assert backend.can_run(name, (other, ones), more) is not True
    assert backend.can_run("projected_graph", (B, ones, True), {}) is not True
    assert backend.can_run("projected_graph", (B, iter(ones)), {}) is not True
    assert backend.can_run("generic_weighted_projected_graph", (B, ones, max), {}) is not True


def compare_harmonic(r, G, nodes):
    for distance in (None, "weight"):
        for size in (0, 2, len(nodes)):
            few, some = (r.sample(nodes, min(k, len(nodes))) for k in (size, len(nodes) // 2))
            compare("harmonic_centrality", G, few, distance)
            compare("harmonic_centrality", G, few, distance, some)
            compare("harmonic_centrality", G, distance=distance, sources=[*few, "none of them"])
    compare("harmonic_centrality", G, "no such node")


def compare_betweenness(r, G, nodes):
    for normalized in (True, False):
        for endpoints in (True, False):
            for k in (None, len(nodes), len(nodes) // 2 + 1):
                compare("betweenness_centrality", G, k, normalized, endpoints=endpoints, seed=5)
        compare("edge_betweenness_centrality", G, normalized=normalized)
        compare("edge_betweenness_centrality", G, len(nodes) // 2 + 1, normalized, seed=5)
        sources, targets = (r.sample(nodes, r.randint(0, len(nodes))) for _ in range(2))
        compare("betweenness_centrality_subset", G, sources, [*targets, "none of them"], normalized)
        compare("betweenness_centrality_subset", G, [*sources, *sources], targets)
        compare("betweenness_centrality_subset", G, sources, targets, normalized, "weight")
        compare("edge_betweenness_centrality_subset", G, sources, list(G), normalized)
        compare("edge_betweenness_centrality_subset", G, iter(sources), iter(targets), normalized)
        compare("edge_betweenness_centrality_subset", G, sources, G.nodes, normalized, "weight")
        compare("betweenness_centrality", G, None, normalized, "weight", not normalized)
        compare("edge_betweenness_centrality", G, None, normalized, "weight")


def test_betweenness_by_weights_that_tie_and_that_are_refused():
    r = random.Random(7)
    for cls in (nx.Graph, nx.DiGraph):
        for draw in (lambda: r.randint(1, 3), lambda: r.choice([0.1, 0.2, 0.3])):
            G = nx.gnm_random_graph(60, 200, seed=3, directed=cls is nx.DiGraph)
            nx.set_edge_attributes(G, {e: draw() for e in G.edges}, "weight")
            for function in (nx.betweenness_centrality, nx.edge_betweenness_centrality):
                mine, theirs = function(G, weight="weight", backend="weft"), function(G, weight="weight")
                assert list(mine) == list(theirs) and all(abs(mine[k] - theirs[k]) <= 1e-12 * theirs[k] for k in theirs)
    for weights in ((0, 1), (2**53, 1), (1e17, 1.0)):
        G = nx.Graph()
        G.add_weighted_edges_from([(0, 1, weights[0]), (1, 2, weights[1])])
        with pytest.raises(NotImplementedError):
            nx.betweenness_centrality(G, weight="weight", backend="weft")


def test_clustering_by_weights():
    r = random.Random(11)
    for cls in (nx.Graph, nx.DiGraph):
        G = nx.gnm_random_graph(80, 700, seed=5, directed=cls is nx.DiGraph)
        nx.set_edge_attributes(G, {e: r.choice([0, 1, 2.5, r.random()]) for e in G.edges}, "weight")
        G.add_edge(3, 3, weight=5)
        mine, theirs = nx.clustering(G, weight="weight", backend="weft"), nx.clustering(G, weight="weight")
        assert list(mine) == list(theirs) and any(theirs.values())
        assert all(abs(mine[k] - theirs[k]) <= 1e-12 * theirs[k] for k in theirs)
        some = [5, 1, 70]
        assert list(nx.clustering(G, some, "weight", backend="weft")) == some
        for zeros in (True, False):
            means = [nx.average_clustering(G, None, "weight", zeros, **how) for how in ({"backend": "weft"}, {})]
            assert means[0] == pytest.approx(means[1], rel=1e-12)
    G = nx.Graph([(0, 1, {"weight": -1}), (1, 2), (0, 2)])
    with pytest.raises(NotImplementedError):
        nx.clustering(G, weight="weight", backend="weft")


def test_communities_of_girvan_and_newman_ask_for_edges():
    G = nx.karate_club_graph()
    for data in G.edges.values():
        data.clear()
    first = lambda: tuple(map(sorted, next(nx.community.girvan_newman(G))))
    alone = first()
    with nx.config(backend_priority=["weft"]):
        assert first() == alone


def compare_centralities(G, weights):
    compare("eigenvector_centrality", G, tol=1e-10, max_iter=2000)
    compare("eigenvector_centrality", G, max_iter=1)
    compare("eigenvector_centrality_numpy", G)
    for alpha, beta in ((0.01, 1.0), (0.05, 3), (0, 0.5), (0.4, 1.0), (1.0, 1.0)):
        for weight in (None, "weight"):
            compare("katz_centrality", G, alpha, beta, tol=1e-10, weight=weight)
            compare("katz_centrality_numpy", G, alpha, beta, normalized=False, weight=weight)
    compare("katz_centrality", G, 0.05, normalized=False, tol=1e-9)
    compare("eigenvector_centrality_numpy", G, weight="weight")
    compare("hits", G)


def compare_ranks(r, G, nodes, some):
    compare("pagerank", G, weight=None)
    if nodes:
        vector = {v: r.random() for v in some}
        compare("pagerank", G, personalization=vector)
        compare("pagerank", G, nstart={v: 1 + r.random() for v in nodes})
        compare("pagerank", G, dangling=vector, alpha=0.5)
        compare("pagerank", G, personalization={some[0]: 0})
        compare("pagerank", G, max_iter=1)


def compare_from(r, G, nodes):
    for s in [*r.sample(nodes, min(2, len(nodes))), "no such node"]:
        t = r.choice(nodes) if nodes else 3
        if isinstance(s, int) and r.random() < 0.3:
            s = float(s)  # equal to the node, and shown as it was given
        for name in OF_NODE:
            compare(name, G, s)
        for name in OF_TWO:
            compare(name, G, s, t)
            compare(name, G, t, s)
        for name in ("shortest_path", "shortest_path_length"):
            compare(name, G, target=t)
            compare(name, G, target=s, weight="weight")
            compare(name, G, s, t, weight="weight")
            compare(name, G, source=s, weight="weight")
        for cutoff in (0, 1, 1.5, 2, -1):
            for name in WITH_CUTOFF:
                compare(name, G, s, cutoff=cutoff)
            compare("bfs_edges", G, s, depth_limit=cutoff)
            compare("descendants_at_distance", G, s, cutoff)
        for name in ("bfs_edges", "bfs_tree"):
            compare(name, G, s, reverse=True)
        compare("predecessor", G, s, return_seen=True)
        compare("predecessor", G, s, t, return_seen=True)


# Large enough that nodes wait in buckets (python/src/nx/queue.h), and weights that spread over them, all wait in one, tie, or are no numbers to divide by.
SPREADS = {
    "floats": lambda r: r.random(),
    "integers": lambda r: r.randrange(1000),
    "ties": lambda r: r.randrange(4),
    "zeros": lambda r: 0,
    "uneven": lambda r: r.random() if r.random() < 0.999 else 1e9 * r.random(),
    "tiny": lambda r: 5e-324 * r.randrange(5),
    "infinite": lambda r: float("inf") if r.random() < 0.1 else r.random(),
    "both": lambda r: r.choice([1, 2, 0.5, 7]),
}


def large_graph(r, cls, n, spread):
    """Random, with a long way behind, and some small components."""
    way, small = n - n // 10, n - n // 50
    edges = [(r.randrange(way), r.randrange(way)) for _ in range(2 * n)]
    edges += [(i, i + 1) for i in range(way - 1, small - 1)] + [(i, i + 1) for i in range(small, n - 1, 3)]
    G = cls()
    G.add_nodes_from(r.sample(range(n), n))
    G.add_edges_from((u, v, {"weight": SPREADS[spread](r)}) for u, v in edges)
    return G


@pytest.mark.parametrize("spread", SPREADS)
def test_larger_graphs_by_weight(spread):
    r = random.Random(spread)
    n = 6000
    for cls in r.sample(CLASSES, 2 if EVERYTHING else 1):
        G = large_graph(r, cls, n, spread)
        for source in (0, n - n // 20):
            compare("single_source_dijkstra_path_length", G, source)
            compare("single_source_dijkstra_path_length", G, source, cutoff=3)
        compare("single_source_dijkstra_path_length", G, 0, weight=None)
        compare("shortest_path_length", G, target=n // 2, weight="weight")
        for target in (1, n - n // 20, n - 1):
            compare("bidirectional_dijkstra", G, 0, target)
            compare("dijkstra_path", G, 0, target)


@pytest.mark.parametrize("cls", CLASSES)
def test_larger_graphs_by_levels(cls):
    r = random.Random(cls.__name__)
    for n in (100, 640, 3000):
        G = large_graph(r, cls, n, "ties")
        G.add_edges_from((n // 3, i) for i in range(0, n, 2))  # a wide level, after which little is left
        for source in (0, n // 3, n - 1):
            for name in ("single_source_shortest_path_length", "bfs_edges", "bfs_layers", "descendants", "bfs_successors",
                         "single_target_shortest_path_length"):
                compare(name, G, source)
            compare("bfs_edges", G, source, depth_limit=2)
        compare("predecessor", G, 0)
        compare("bfs_labeled_edges", G, 0)
        compare("bfs_layers", G, [0, 5, n - 1])
        compare("topological_sort", nx.DiGraph((min(e), max(e)) for e in G.edges() if e[0] != e[1]))


def test_every_function_is_compared():
    compared = {*OF_GRAPH, *NEAR, *WEIGHTED, *OF_NODE, *OF_TWO, *WITH_CUTOFF, *OF_SOME, *FORESTS, *BLOCKS, *LINKS, *MIXING, "k_corona", "k_truss", "descendants_at_distance"}
    made = {name for name in FUNCTIONS if name.startswith(("from_", "to_", "read_")) or name.endswith("_graph")}  # test_nx_lazy.py
    communities = {f"{a}_{what}" for a in ("leiden", "louvain") for what in ("communities", "partitions")}  # test_communities.py
    assert compared | made | communities | {"adjacency_matrix", "reverse", "modularity"} == set(FUNCTIONS)


def test_what_is_promised_is_there():
    assert {name for name in FUNCTIONS if not callable(getattr(backend, name, None))} == set()


def test_weights_that_only_networkx_understands_are_left_to_it():
    for odd in (None, "1", float("nan"), -1, 2**60):
        G = nx.DiGraph([(0, 1, {"weight": 1}), (1, 2, {"weight": odd})])
        for function in (nx.single_source_dijkstra, nx.single_source_bellman_ford):
            with pytest.raises(NotImplementedError):
                function(G, 0, backend="weft")
        for function in (nx.all_pairs_dijkstra, nx.all_pairs_dijkstra_path, nx.all_pairs_bellman_ford_path_length):
            with pytest.raises(NotImplementedError):  # before anybody iterates
                function(G, backend="weft")
    with pytest.raises(NotImplementedError):
        nx.single_source_dijkstra(nx.path_graph(3), 0, weight=lambda u, v, d: 1, backend="weft")


def test_an_answer_follows_a_change_of_the_graph():
    G = nx.path_graph(20000)
    with nx.config(backend_priority=["weft"]):
        assert nx.number_connected_components(G) == 1
        assert "weft" in G.__networkx_cache__["backends"]
        G.remove_edge(300, 301)
        assert nx.number_connected_components(G) == 2


def test_small_graphs_stay_with_networkx():
    small, large = nx.path_graph(20), nx.path_graph(250)
    assert isinstance(backend.should_run("core_number", (small,), {}), str)
    assert backend.should_run("core_number", (large,), {}) is True
    assert backend.should_run("pagerank", (small,), {}) is True
    assert backend.should_run("shortest_path", (large,), {}) is True
    for call in (("bfs_edges", (large, 0), {}), ("shortest_path", (large, 0), {}), ("shortest_path", (large,), {"source": 0})):
        assert isinstance(backend.should_run(*call), str)
    nx.core_number(large, backend="weft")
    for call in (("bfs_edges", (large, 0), {}), ("shortest_path", (large, 0), {}), ("shortest_path", (large,), {"source": 0})):
        assert backend.should_run(*call) is True
    assert isinstance(backend.should_run("bfs_edges", (small, 0), {}), str)
    assert backend.should_run("bfs_edges", (nx.path_graph(3, backend="weft"), 0), {}) is True  # rows already


def test_the_gate_asks_python_for_what_is_not_plain():
    G = nx.path_graph(3000)
    view = nx.subgraph_view(G, filter_node=lambda n: n < 9)
    frozen = nx.freeze(nx.path_graph(4))
    for graph, wanted in ((G, True), (view, "a subclass or a view"), (frozen, True), (None, "there is no graph"), (7, "a subclass or a view")):
        assert backend.can_run("core_number", (graph,), {}) == wanted
        assert backend.can_run("core_number", (), {"G": graph}) == wanted
    assert backend.can_run("bfs_edges", (G, 0, False, None, sorted), {}) == "neighbours are sorted by a function"
    assert backend.can_run("clustering", (nx.MultiGraph(),), {}) == "multigraphs are not supported"
    assert backend.can_run("no such function", (G,), {}) is True
    assert backend.should_run("core_number", (), {"G": G}) is True
    assert backend.should_run("core_number", (), {"G": nx.path_graph(3)}) == "the graph is small"
    assert backend.should_run("path_graph", (7,), {}) is True
    assert backend.should_run("shortest_path", (), {"G": G, "source": 1, "target": 5}) == "the graph is small"
    assert backend.should_run("k_core", (G,), {}) == "the work is less than converting the graph"
    with pytest.raises(TypeError):
        backend.can_run([], (G,), {})
    G.__networkx_cache__["backends"] = {"weft": {"a key": None}}  # as a copy has it
    assert backend.should_run("is_tree", (G,), {}) == "the work is less than converting the graph"
    for odd in (None, {}, {"backends": 3}, {"backends": {"weft": []}}):
        object.__getattribute__(G, "__dict__")["__networkx_cache__"] = odd
        assert backend.should_run("is_tree", (G,), {}) == "the work is less than converting the graph"
    G._adj = view._adj  # no longer a dict
    assert backend.can_run("core_number", (G,), {}) == "a subclass or a view"
    assert backend.should_run("core_number", (G,), {}) == "the graph is small"


def test_defaults_by_position_pass_as_those_that_are_not_given():
    """NetworkX's decorators give all of them so."""
    from weftgraph.nx import conditions

    G = nx.path_graph(5)
    for name, (place, *defaults) in conditions.free().items():
        if place:
            nodes = [0] * sum(type(default) is object for default in defaults)
            args = (G, *nodes, *defaults[len(nodes):])
            assert backend.can_run(name, args, {}) is conditions.can_run(name, args, {}) is True, name
            assert backend.can_run(name, (*args, 1), {}) is conditions.can_run(name, (*args, 1), {})
    assert backend.can_run("bfs_edges", (G, 0, False, None, sorted), {}) == "neighbours are sorted by a function"
    assert backend.can_run("shortest_path", (G, 0, 1, max, "dijkstra"), {}) == "weights by a function"
    assert backend.can_run("shortest_path", (G, 0, 1, None, "bellman-ford"), {}) == "methods other than Dijkstra's"


def test_gates_leave_no_references():
    G = nx.path_graph(50)
    name, args, kwargs = "core_number", (G,), {}
    before = [sys.getrefcount(x) for x in (G, args, kwargs, G._adj, G._node, G.__networkx_cache__)]
    for _ in range(1000):
        for ask in (backend.can_run, backend.should_run):
            ask(name, args, kwargs)
            ask("shortest_path", args, kwargs)
            ask("core_number", (), {"G": G})
    assert [sys.getrefcount(x) for x in (G, args, kwargs, G._adj, G._node, G.__networkx_cache__)] == before


def test_every_function_has_a_size_from_which_it_pays():
    from weftgraph.nx import conditions, cost

    assert cost.FUNCTIONS == set(FUNCTIONS) - set(conditions._CREATE_USING)


def test_one_variable_makes_it_the_default(tmp_path):
    import os
    import subprocess

    code = "import networkx as nx; p = nx.config.backend_priority; print(p.algos, p.generators, nx.config.fallback_to_nx)"
    said = subprocess.run([sys.executable, "-c", code], env={**os.environ, "WEFT_AUTOCONFIG": "1"}, capture_output=True, text=True)
    assert said.stdout == "['weft'] ['weft'] True\n", said.stderr


def test_import_of_networkx_does_not_load_the_backend():
    import subprocess

    code = "import sys, networkx; print('weftgraph' in sys.modules, 'weft' in networkx.config.backends)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False True\n"


def test_limits_of_any_size_and_kind():
    G = nx.DiGraph([(0, 1), (1, 2), (2, 3), (0, 3)])
    nx.set_edge_attributes(G, {e: 0.1 for e in G.edges}, "weight")
    nan, inf = float("nan"), float("inf")
    for limit in (nan, inf, -inf, 1e300, 2**53 + 3, 2**63, 2**64 + 1, 10**400, -(10**400), True):
        for name in ("single_source_dijkstra_path_length", "single_source_dijkstra", "predecessor", "single_source_shortest_path_length",
                     "single_target_shortest_path", "single_source_shortest_path"):
            compare(name, G, 0, cutoff=limit)
        for name in ("all_pairs_dijkstra_path_length", "all_pairs_shortest_path_length"):
            compare(name, G, cutoff=limit)
        for name in ("bfs_edges", "bfs_successors"):
            compare(name, G, 0, depth_limit=limit)
    for distance in (nan, inf, -inf, 1e300, 2**64, 10**400, "2", None, 2.0):
        compare("descendants_at_distance", G, 0, distance)
    for limit in ("2", [], 1j):
        for name in ("bfs_edges", "bfs_successors"):
            compare(name, G, 0, depth_limit=limit)
        for name in ("predecessor", "single_source_shortest_path_length"):
            compare(name, G, 0, cutoff=limit)
    for name in ("single_source_dijkstra", "dijkstra_path", "dijkstra_path_length", "bidirectional_dijkstra"):
        compare(name, G, [], 0)


def test_what_compares_in_its_own_way_is_left_to_networkx():
    from fractions import Fraction

    G = nx.path_graph(3)
    nx.set_edge_attributes(G, 0.1, "weight")
    for cutoff in (Fraction(1, 10), "3", []):
        with pytest.raises(NotImplementedError):
            nx.single_source_dijkstra_path_length(G, 0, cutoff=cutoff, backend="weft")
    with pytest.raises(NotImplementedError):
        nx.has_path(G, 0, None, backend="weft")


def test_large_integers_beside_an_infinite_weight():
    G = nx.Graph()
    G.add_weighted_edges_from([(0, 1, 2**53), (1, 2, 1), (3, 4, float("inf"))])
    with pytest.raises(NotImplementedError):
        nx.single_source_dijkstra_path_length(G, 0, backend="weft")
    with nx.config(backend_priority=["weft"]):
        assert nx.single_source_dijkstra_path_length(G, 0)[2] == 2**53 + 1


def test_errors_of_nodes_that_cannot_be_hashed():
    for cls in (nx.Graph, nx.DiGraph):
        G = cls([(0, 1), (1, 2)])
        for name in [*OF_NODE, *OF_TWO, *OF_SOME]:
            for args in (([1],), ([0, [1]],), ([1], 2), (0, [1])):
                compare(name, G, *(args if name in OF_TWO else args[:1]))


def test_weights_of_every_size():
    for weight in (float("inf"), 1e-250, 5e-324, 1e12):
        for cls in (nx.Graph, nx.DiGraph):
            G = cls()
            G.add_weighted_edges_from([(0, 1, 2.0), (1, 2, weight), (2, 3, 1.0), (0, 3, weight), (3, 4, weight), (4, 0, 1.0)])
            for name in ("single_source_bellman_ford", "single_source_bellman_ford_path_length", "single_source_dijkstra"):
                compare(name, G, 0)
            for target in range(5):
                compare("bellman_ford_path", G, 0, target)
                compare("dijkstra_path", G, 0, target)
    with pytest.raises(NotImplementedError):  # the library takes such weights for nonsense
        nx.pagerank(nx.Graph([(0, 1, {"weight": 1e-250})]), backend="weft")


def test_longest_paths_without_an_attribute():
    G = nx.DiGraph([(0, 1, {"w": 3}), (1, 2, {"w": 3}), (0, 2)])
    for weight in (None, "w", "other"):
        for default in (0.5, 0, 2, -1, 1):
            compare("dag_longest_path_length", G, weight, default)
    assert nx.dag_longest_path_length(G, None, 0.5, backend="weft") == 1.0
    with pytest.raises(NotImplementedError):
        nx.dag_longest_path_length(G, None, None, backend="weft")


def test_labelled_edges_before_a_source_that_is_no_node():
    G = nx.path_graph(6)
    for sources in ([0, 99, 2], [2, 0, 99, 4, 98], [99, 0], [0, 2, 4, 99]):
        theirs, mine = [], []
        for found, how in ((theirs, {}), (mine, {"backend": "weft"})):
            with pytest.raises(KeyError, match="99"):
                for edge in nx.bfs_labeled_edges(G, sources, **how):
                    found.append(edge)
        assert mine == theirs


def test_weights_that_are_data_of_edges():
    for weight in (True, False):
        assert backend.can_run("pagerank", (nx.path_graph(3),), {"weight": weight}) == "weights are data of edges"


def test_centralities_answer_and_what_they_leave():
    G = nx.karate_club_graph()
    for name, more in (("eigenvector_centrality", {}), ("eigenvector_centrality_numpy", {"weight": "weight"}), ("katz_centrality", {"alpha": 0.1}),
                       ("katz_centrality_numpy", {"alpha": 0.02, "weight": "weight"})):
        mine, theirs = getattr(nx, name)(G, backend="weft", **more), getattr(nx, name)(G, **more)
        assert list(mine) == list(theirs) and all(type(x) is float for x in mine.values())
        assert all(abs(mine[v] - theirs[v]) < 2e-5 for v in G)
    web = nx.gnp_random_graph(60, 0.1, seed=3, directed=True)
    for graph in (G, web):
        for mine, theirs in zip(nx.hits(graph, backend="weft"), nx.hits(graph)):
            assert list(mine) == list(theirs) and all(type(x) is float for x in mine.values())
            assert all(abs(mine[v] - theirs[v]) < 1e-6 for v in graph)
    how = {"method": "svd"} if NETWORKX >= (3, 7) else {}
    for graph in (nx.cycle_graph(6), nx.DiGraph([(0, 1), (2, 3)]), nx.path_graph(2), nx.empty_graph(4)):
        with pytest.raises(NotImplementedError):  # several singular vectors; none
            nx.hits(graph, backend="weft", **how)
    assert nx.hits(nx.Graph(), backend="weft") == ({}, {})
    nodes = dict.fromkeys(G, 1.0)
    for name, kwargs, why in (("hits", {"nstart": nodes}, "a vector to start from"), ("hits", {"normalized": False}, "a singular vector: ARPACK decides its sign"),
                              ("eigenvector_centrality", {"nstart": nodes}, "a vector to start from"), ("katz_centrality", {"nstart": nodes}, "a vector to start from"),
                              ("katz_centrality", {"beta": nodes}, "alpha or beta is not a number"), ("katz_centrality_numpy", {"beta": nodes}, "alpha or beta is not a number"),
                              ("katz_centrality", {"alpha": -0.1}, "alpha is negative, or beta not above 0"),
                              ("eigenvector_centrality", {"weight": "weight"}, "weights: NetworkX's iteration depends on their unit")):
        assert backend.can_run(name, (G,), kwargs) == why
    # What does not converge, or is not connected, is NetworkX's to say.
    two = nx.Graph([(0, 1), (2, 3)])
    for function, graph, kwargs, error in ((nx.eigenvector_centrality, G, {"max_iter": 3}, nx.PowerIterationFailedConvergence),
                                           (nx.katz_centrality, G, {"alpha": 0.2, "max_iter": 30}, nx.PowerIterationFailedConvergence),
                                           (nx.eigenvector_centrality, nx.Graph(), {}, nx.NetworkXPointlessConcept),
                                           (nx.eigenvector_centrality_numpy, two, {}, nx.AmbiguousSolution)):
        with nx.config(backend_priority=["weft"], fallback_to_nx=True), pytest.raises(error):
            function(graph, **kwargs)


def test_a_cycle_before_what_is_no_node():
    for sources in ([0, [1]], [9, [1]], [3, [1], 0]):
        compare("find_cycle", nx.Graph([(0, 1), (1, 2), (2, 0), (3, 4)]), sources)


def test_a_graph_without_a_cache():
    """As one that an older NetworkX pickled."""
    G = nx.path_graph(50)
    del G.__dict__["__networkx_cache__"]
    assert backend.should_run("pagerank", (G,), {}) is True
    with nx.config(backend_priority=["weft"]):
        assert nx.is_connected(G)


def same_modularity(G, communities, **kwargs):
    """To the last digits, and the same errors; what is left to NetworkX is asked for by nobody."""
    function = nx.community.modularity
    if backend.can_run("modularity", (G, communities), kwargs) is not True:
        return 0
    mine, theirs = answer(function, G, communities, backend="weft", **kwargs), answer(function, G, communities, **kwargs)
    if mine[0] == "error" or theirs[0] == "error":
        assert mine[:2] == theirs[:2], (mine, theirs)
    else:
        assert float(mine[1]) == pytest.approx(float(theirs[1]), abs=1e-12), (mine, theirs)
    return 1


@pytest.mark.parametrize("cls", CLASSES)
def test_modularity(cls):
    r, compared = random.Random(cls.__name__), 0
    for n, m, weights in SIZES * 3:
        G = random_graph(r, cls, NODES["mixed"](n), m, weights)
        nodes = list(G)
        parts = [{v for i, v in enumerate(nodes) if i % 3 == k} for k in range(3)]
        for communities in (parts, [frozenset(nodes)], [[v] for v in nodes], parts[:2], [*parts, {"stranger"}], [*parts, set(nodes[:1])]):
            for kwargs in ({}, {"weight": None}, {"resolution": 0.4}):
                compared += same_modularity(G, communities, **kwargs)
    assert compared > 100


def test_modularity_that_is_left_to_networkx():
    G = nx.Graph([(0, 1, {"weight": -1}), (1, 2, {"weight": 2})])
    for kwargs in ({"resolution": 0}, {"resolution": -1}):
        assert backend.can_run("modularity", (G, [{0, 1, 2}]), kwargs) == "the resolution is not a number above 0"
    with pytest.raises(NotImplementedError):
        nx.community.modularity(G, [{0, 1, 2}], backend="weft")
    assert nx.community.modularity(G, iter([{0, 1}, {2}]), weight=None, backend="weft") == pytest.approx(-0.125)
