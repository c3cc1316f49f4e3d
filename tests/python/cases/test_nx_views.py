"""Views show another graph's nodes and edges, which change without the view's cache being cleared: they are left to
NetworkX."""
import copy
import pickle

import pytest

nx = pytest.importorskip("networkx")

import weftgraph.nx as backend  # noqa: E402

CLASSES = [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph]
VIEWS = {
    "directed": lambda G: G.to_directed(as_view=True),
    "undirected": lambda G: G.to_undirected(as_view=True),
    "generic": nx.graphviews.generic_graph_view,
    "reversed": lambda G: G.reverse(copy=False) if G.is_directed() else nx.graphviews.generic_graph_view(G),
    "view of a view": lambda G: G.to_directed(as_view=True).reverse(copy=False),
    "subgraph": lambda G: G.subgraph(range(5)),
    "edge subgraph": lambda G: G.edge_subgraph(list(G.edges)[:3]),
    "filtered": lambda G: nx.subgraph_view(G, filter_node=lambda v: v != 3),
    "restricted": lambda G: nx.restricted_view(G, [2], []),
    "subgraph of a view": lambda G: G.to_directed(as_view=True).subgraph(range(5)),
    "copied view": lambda G: copy.copy(G.to_directed(as_view=True)),
    "frozen view": lambda G: nx.freeze(G.to_directed(as_view=True)),
}
QUESTIONS = {
    "degree_centrality": nx.degree_centrality,
    "pagerank": lambda G, **how: {v: round(rank, 9) for v, rank in nx.pagerank(G, **how).items()},
    "core_number": nx.core_number,
    "single_source_shortest_path_length": lambda G, **how: nx.single_source_shortest_path_length(G, 0, **how),
    "weighted": lambda G, **how: nx.single_source_dijkstra_path_length(G, 0, weight="w", **how),
    "number_of_selfloops": nx.number_of_selfloops,
}


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    monkeypatch.setattr(nx.config, "warnings_to_ignore", {"cache"})


def base(cls):
    G = cls()
    G.add_weighted_edges_from([(0, 1, 2), (1, 2, 3), (2, 3, 1), (3, 4, 5), (4, 5, 1), (5, 0, 2)], weight="w")
    return G


def grow(G):
    G.add_edge(0, 4, w=1)


def shrink(G):
    G.remove_edge(1, 2)


def answers(G, how):
    found = {}
    for name, question in QUESTIONS.items():
        try:
            found[name] = question(G, **how)
        except nx.NetworkXException as error:
            found[name] = type(error).__name__
    return found


@pytest.mark.parametrize("change", [grow, shrink])
@pytest.mark.parametrize("kind", VIEWS)
@pytest.mark.parametrize("cls", CLASSES)
def test_a_view_shows_what_became_of_its_graph(cls, kind, change):
    """Preferred, whatever the size, and NetworkX for the rest: a program that does not name the backend."""
    G = base(cls)
    view = VIEWS[kind](G)
    with nx.config(backend_priority=["weft"], fallback_to_nx=True), pytest.MonkeyPatch.context() as patch:
        patch.setattr(backend, "should_run", lambda name, args, kwargs: True)
        before = answers(view, {}), answers(G, {})
        change(G)
        after = answers(view, {}), answers(G, {})
    G.__networkx_cache__.clear()
    assert after == (answers(view, {"backend": "networkx"}), answers(G, {"backend": "networkx"}))
    assert before[1] != after[1]
    assert "weft" not in view.__networkx_cache__.get("backends", {})


@pytest.mark.parametrize("kind", VIEWS)
@pytest.mark.parametrize("cls", CLASSES)
def test_both_gates_decline_a_view(cls, kind):
    view = VIEWS[kind](base(cls))
    for kwargs in ({}, {"alpha": 0.85}):  # asked in C, and in Python
        assert backend.can_run("pagerank", (view,), kwargs) == "a subclass or a view"
    assert backend.can_run("pagerank", (), {"G": view}) == "a subclass or a view"
    assert backend.can_run("degree_centrality", (view,), {}) == "a subclass or a view"
    with pytest.raises(NotImplementedError):
        nx.degree_centrality(view, backend="weft")
    with pytest.raises(NotImplementedError, match="subclass or a view"):
        backend.convert_from_nx(view)


@pytest.mark.parametrize("cls", CLASSES)
def test_what_is_no_view_is_answered(cls):
    G = base(cls)
    copies = [G.copy(), copy.copy(G), copy.deepcopy(G), pickle.loads(pickle.dumps(G)), G.to_directed(),
              G.to_undirected(), nx.freeze(G.copy()), VIEWS["directed"](G).copy(), VIEWS["subgraph"](G).copy(),
              *([G.reverse()] if G.is_directed() else [])]
    for graph in copies:
        assert all(backend.can_run("pagerank", (graph,), kwargs) is True for kwargs in ({}, {"alpha": 0.85}))
        assert nx.degree_centrality(graph, backend="weft") == nx.degree_centrality(graph)


def test_a_view_of_a_graph_that_has_no_dicts_yet():
    G = nx.path_graph(5, backend="weft")
    view = G.to_directed(as_view=True)
    assert backend.can_run("degree_centrality", (view,), {}) == "a subclass or a view"
    G.add_edge(0, 4)
    with nx.config(backend_priority=["weft"], fallback_to_nx=True):
        assert nx.degree_centrality(view) == nx.degree_centrality(view, backend="networkx")
