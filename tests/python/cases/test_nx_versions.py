"""Versions of NetworkX: what each has in its functions' parameters, and what became of the answers."""
import subprocess
import sys
from inspect import signature

import pytest

nx = pytest.importorskip("networkx")

import weftgraph.nx as backend  # noqa: E402
from weftgraph.nx import functions, version  # noqa: E402
from weftgraph_networkx import FUNCTIONS  # noqa: E402

NEWER = {  # parameters since 3.7
    "adjacency_matrix": {"format"},
    "closeness_centrality": {"sp"},
    "from_numpy_array": {"nonedge"},
    "hits": {"method"},
    "leiden_communities": {"metric", "theta"},
    "leiden_partitions": {"metric", "theta"},
    "rich_club_coefficient": {"n_samples"},
}
SINCE_37 = version.NETWORKX >= (3, 7)


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    monkeypatch.setattr(nx.config, "warnings_to_ignore", {"cache"})


@pytest.mark.parametrize("text, parts", [("3.6.1", (3, 6)), ("3.7", (3, 7)), ("3.7rc0", (3, 7)), ("4.0a2", (4, 0)),
                                         ("3.10b1.dev0+g12ab", (3, 10)), ("", (0, 0))])
def test_versions_of_pre_releases(text, parts):
    assert version.release(text) == parts


@pytest.mark.parametrize("name", FUNCTIONS)
def test_parameters_are_networkxs(name):
    """By names, places and defaults: all that NetworkX's function has, and nothing else but what a newer one has."""
    theirs = signature(nx.utils.backends._registered_algorithms[name].orig_func)
    mine = signature(getattr(backend, name))
    assert functions.difference(theirs, mine) is None and name not in functions.CHANGED
    more = mine.parameters.keys() - theirs.parameters.keys()
    assert more <= NEWER.get(name, set()) and (not SINCE_37 or not more)


@pytest.mark.parametrize("theirs, said", [
    (lambda G, k=2, *, t=1.0: 0, None),
    (lambda G, *, t=1, k=2: 0, None),
    (lambda G, k=2: 0, None),
    (lambda G, k=2, *, t=1.0, scale=None: 0, "the argument scale is not known"),
    (lambda G, scale=None, k=2: 0, "the argument scale is not known"),
    (lambda G, t=1.0, k=2: 0, "the argument t stands in another place"),
    (lambda G, k=3, *, t=1.0: 0, "the argument k has another default"),
    (lambda G, k, *, t=1.0: 0, "the argument k has another default"),
    (lambda G, k=None, *, t=1.0: 0, "the argument k has another default"),
])
def test_differences_of_signatures(theirs, said):
    found = functions.difference(signature(theirs), signature(lambda G, k=2, *, t=1.0: 0))
    assert found is None if said is None else found.startswith(said)


LATER = """
import networkx as nx
del nx.utils.backends._registered_algorithms["is_empty"]
@nx._dispatchable
def is_empty(G, *, scale=2):
    return scale
import weftgraph.nx as backend
found = backend.functions.CHANGED
assert found == {"is_empty": "the argument scale is not known to this version of weftgraph"}, found
G = nx.path_graph(4)
for kwargs in ({}, {"scale": 3}):
    assert backend.can_run("is_empty", (G,), kwargs) == found["is_empty"]
    try:
        is_empty(G, backend="weft", **kwargs)
    except NotImplementedError:
        pass
    else:
        raise AssertionError("it answered")
backend.should_run = lambda name, args, kwargs: True
with nx.config(backend_priority=["weft"], fallback_to_nx=True):
    assert is_empty(G) == 2 and is_empty(G, scale=3) == 3
assert nx.number_of_selfloops(G, backend="weft") == 0
"""


def test_a_later_networkx_with_more_parameters_answers_itself():
    done = subprocess.run([sys.executable, "-c", LATER], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_arguments_that_networkxs_function_does_not_have_are_declined():
    """NetworkX takes them for the backend's own."""
    G = nx.path_graph(3)
    assert backend.can_run("pagerank", (G,), {"scale": 2}) == "NetworkX's function has no argument scale"
    with nx.config(backend_priority=["weft"], fallback_to_nx=True), pytest.raises(TypeError):
        nx.pagerank(G, scale=2)
    said = backend.can_run("hits", (G,), {"method": "svd"})
    assert said is True if SINCE_37 else said == "NetworkX's function has no argument method"


def test_modularity_of_no_edges():
    weightless = nx.Graph([(0, 1, {"weight": 0})])
    for G in (nx.empty_graph(2), weightless, nx.empty_graph(2, nx.DiGraph)):
        if SINCE_37:
            assert nx.community.modularity(G, [{0}, {1}], backend="weft") == nx.community.modularity(G, [{0}, {1}]) == 0
        else:
            with pytest.raises(ZeroDivisionError):
                nx.community.modularity(G, [{0}, {1}])
            with pytest.raises(ZeroDivisionError):
                nx.community.modularity(G, [{0}, {1}], backend="weft")


@pytest.mark.skipif(not SINCE_37, reason="NetworkX before 3.7 has no such argument")
class TestSince37:
    def test_hits_by_steps(self):
        graphs = [nx.karate_club_graph(), nx.gnp_random_graph(60, 0.1, seed=3, directed=True), nx.cycle_graph(6),
                  nx.DiGraph([(0, 1), (2, 3)]), nx.path_graph(2), nx.Graph([(0, 1), (2, 3), (3, 4)]),
                  nx.Graph([(0, 0, {"weight": 2.5})])]
        for graph in graphs:
            for mine, theirs in zip(nx.hits(graph, backend="weft"), nx.hits(graph)):
                assert list(mine) == list(theirs) and all(type(x) is float for x in mine.values())
                assert all(abs(mine[v] - theirs[v]) < 1e-7 for v in graph)
        with pytest.raises(NotImplementedError):
            nx.hits(nx.empty_graph(4), backend="weft")
        for kwargs in ({"max_iter": 2}, {"tol": 0}, {"max_iter": 5}):
            with pytest.raises(NotImplementedError):
                nx.hits(graphs[0], backend="weft", **kwargs)
        with nx.config(backend_priority=["weft"], fallback_to_nx=True):
            with pytest.raises(nx.PowerIterationFailedConvergence):
                nx.hits(graphs[0], max_iter=5)
            with pytest.raises(ValueError, match="method not supported"):
                nx.hits(graphs[0], method="x")

    def test_leiden_optimises_the_metric_that_is_asked_for(self):
        """Cliques in a ring: at this resolution the Potts model has each of them, and modularity some together."""
        G = nx.ring_of_cliques(30, 5)
        cliques, how = [set(range(5 * i, 5 * i + 5)) for i in range(30)], {"backend": "weft"}
        assert sorted(nx.community.leiden_communities(G, resolution=0.5, **how), key=min) == cliques
        assert sorted(nx.community.leiden_communities(G, resolution=0.5, metric="cpm", **how), key=min) == cliques
        assert sorted(list(nx.community.leiden_partitions(G, resolution=0.5, **how))[-1], key=min) == cliques
        assert len(nx.community.leiden_communities(G, metric="modularity", **how)) < 30
        for kwargs, why in (({"theta": 0.02}, "theta, which uses NetworkX's own random numbers"),
                            ({"metric": "x"}, "an unknown metric")):
            for name in ("leiden_communities", "leiden_partitions"):
                assert backend.can_run(name, (G,), kwargs) == why

    @pytest.mark.parametrize("cls", [nx.Graph, nx.DiGraph])
    def test_the_potts_model_is_as_good_as_networkxs(self, cls):
        """In all: each of the graphs is small, and one node makes several hundredths."""
        total = dict.fromkeys(("weft", "networkx"), 0.0)
        for seed in range(10):
            G = cls(nx.gnm_random_graph(40, 160, seed=seed))
            for of in total:
                found = nx.community.leiden_communities(G, resolution=0.3, seed=seed, backend=of)
                assert nx.community.is_partition(G, found)
                total[of] += nx.community.constant_potts_model(G, found, weight=None, resolution=0.3)
        assert total["weft"] >= 0.97 * total["networkx"]

    def test_rich_clubs(self):
        G = nx.karate_club_graph()
        found = nx.rich_club_coefficient(G, normalized=False, n_samples=3, backend="weft")
        assert found == nx.rich_club_coefficient(G, normalized=False)
        assert backend.can_run("rich_club_coefficient", (G,), {"n_samples": 3}) == "random graphs to compare with"


@pytest.mark.parametrize("name", ["louvain_partitions", "leiden_partitions"])
def test_partitions_are_declined_before_there_is_an_iterator(name):
    """Then NetworkX can still be asked."""
    G = nx.Graph([(0, 1, {"weight": 1}), (1, 2, {"weight": None})])
    with pytest.raises(NotImplementedError):
        getattr(nx.community, name)(G, backend="weft")
