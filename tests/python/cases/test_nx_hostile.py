"""Nodes that are not equal to themselves, or change what they are equal to: NetworkX's answer or an exception, never a crash."""
import os
import pathlib
import subprocess
import sys

import pytest

nx = pytest.importorskip("networkx")

import weftgraph.nx as backend  # noqa: E402

HAMMER = pathlib.Path(__file__).parents[1] / "hammer_nx.py"
NAN = float("nan")


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    monkeypatch.setattr(nx.config, "warnings_to_ignore", {"cache"})


class Turncoat:
    """Equal to itself only, until all of them are equal."""

    one = False

    def __hash__(self):
        return 1

    def __eq__(self, other):
        return self is other or Turncoat.one


@pytest.fixture
def turncoats():
    """A converted path of them, which become equal after it."""
    nodes = [Turncoat() for _ in range(40)]
    G = nx.path_graph(nodes, create_using=nx.DiGraph)
    G.add_edges_from((nodes[0], node) for node in nodes[5:])
    converted = backend.convert_from_nx(G, edge_attrs={"weight": 1})
    converted.incoming("weight")
    Turncoat.one = True
    yield converted, nodes, G
    Turncoat.one = False


@pytest.mark.parametrize("name", ["single_source_shortest_path", "single_source_dijkstra_path", "single_source_bellman_ford_path", "predecessor",
                                  "single_source_shortest_path_length", "descendants"])
def test_nodes_that_become_equal(turncoats, name):
    converted, nodes, _ = turncoats
    assert len(getattr(backend, name)(converted, nodes[0])) == 1  # of all that are equal a dict has one


def test_paths_back_from_nodes_that_become_equal(turncoats):
    converted, nodes, _ = turncoats
    (path,) = backend.single_target_shortest_path(converted, nodes[39]).values()
    assert path[-1] is nodes[39] and set(map(type, path)) == {Turncoat}


def test_components_of_nodes_that_become_equal(turncoats):
    converted, _, _ = turncoats
    assert [len(found) for found in backend.weakly_connected_components(converted)] == [1]
    assert len(list(backend.strongly_connected_components(converted))) == 40


@pytest.mark.parametrize("cls", [nx.Graph, nx.DiGraph])
def test_a_graph_whose_nodes_become_equal_before_it_has_dicts(cls):
    nodes = [Turncoat() for _ in range(20)]
    G = nx.from_edgelist([(nodes[i], nodes[i * 7 % 20]) for i in range(20)], cls, backend="weft")
    Turncoat.one = True
    try:
        assert len(G.adj) == 1 and len(G._node) == 1
    except RuntimeError as error:
        assert "rows are not symmetric" in str(error)
    finally:
        Turncoat.one = False


def test_both_ends_are_one_node_that_is_not_equal_to_itself():
    class Nothing:
        __hash__ = object.__hash__

        def __eq__(self, other):
            return False

    one = Nothing()
    for cls in (nx.Graph, nx.DiGraph):
        G = cls([(one, 1), (1, 2), (2, one)])
        for call in (lambda **how: nx.bidirectional_dijkstra(G, one, one, **how), lambda **how: nx.shortest_path(G, one, one, "weight", **how)):
            with pytest.raises(KeyError, match="None"):
                call()
            with pytest.raises(KeyError, match="None"):
                call(backend="weft")
        assert nx.bidirectional_shortest_path(G, one, one, backend="weft") == [one]


def test_what_is_not_a_number_is_left_to_networkx():
    G = nx.Graph([(NAN, 1), (1, 2), (2, NAN)])
    theirs = nx.pagerank(G), nx.triangles(G)
    with pytest.raises(NotImplementedError, match="a node is not a number"):
        backend.convert_from_nx(G)
    with pytest.raises(NotImplementedError, match="a node is not a number"):
        backend.from_edgelist([(1, NAN)])
    for call in (nx.triangles, lambda G, **how: nx.bidirectional_dijkstra(G, NAN, NAN, **how), lambda G, **how: nx.descendants(G, NAN, **how)):
        with pytest.raises(NotImplementedError):
            call(G, backend="weft")
    with nx.config(backend_priority=["weft"]):
        assert (nx.pagerank(G), nx.triangles(G)) == theirs and len(nx.from_edgelist([(1, NAN)])) == 2


def test_components_by_kosaraju_of_an_undirected_graph():
    G = backend.convert_from_nx(nx.path_graph(4))
    with pytest.raises(nx.NetworkXNotImplemented, match="not implemented for undirected type"):
        backend.kosaraju_strongly_connected_components(G)
    with pytest.raises(ValueError, match="have no direction"):
        G.rows.kosaraju(None)


def test_hostile_calls():
    """WEFT_HAMMER_ROUNDS: so many, where there is time."""
    calls = os.environ.get("WEFT_HAMMER_ROUNDS", "800")
    done = subprocess.run([sys.executable, HAMMER, calls], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith(calls + " calls"), done.stderr


def outcome(call, **how):
    """What a call gives, or the class of its error."""
    try:
        return call(**how)
    except (ArithmeticError, RuntimeError, TypeError, nx.NetworkXException) as error:
        return type(error).__name__


@pytest.mark.parametrize("call, error", [
    (lambda **how: nx.single_source_dijkstra(nx.path_graph(3), Always(1), [1], **how), "TypeError"),
    (lambda **how: nx.dijkstra_path(nx.path_graph(3), Always(1), [1], **how), "TypeError"),
    (lambda **how: nx.closeness_centrality(nx.path_graph(3), [1], distance="weight", **how), "TypeError"),
    (lambda **how: nx.closeness_centrality(nx.path_graph(3), [1], **how), "NodeNotFound"),
    (lambda **how: nx.adjacency_matrix(nx.path_graph(3), iter([0, 1]), **how), "TypeError"),
    (lambda **how: nx.to_scipy_sparse_array(nx.path_graph(3), iter([0, 1]), **how), "TypeError"),
    (lambda **how: nx.to_numpy_array(nx.path_graph(3), iter([0, 1]), **how), "TypeError"),
    (lambda **how: nx.to_numpy_array(nx.path_graph(3), iter([0, 9]), **how), "TypeError"),
    (lambda **how: nx.to_numpy_array(nx.path_graph(3), [0, 9], **how), "NetworkXError"),
])
def test_odd_arguments_have_networkxs_errors(call, error):
    pytest.importorskip("scipy")
    assert outcome(call, backend="weft") == outcome(call, backend="networkx") == error


class Always(int):
    """Equal to everything, as a number of NumPy's is, in effect, to a list with that number."""

    __hash__ = int.__hash__

    def __eq__(self, other):
        return True


@pytest.mark.parametrize("weight, error", [(1e300, "OverflowError"), (1e-200, None)])
@pytest.mark.parametrize("cls", [nx.Graph, nx.DiGraph])
def test_modularity_whose_squares_no_double_holds(cls, weight, error):
    G = cls([(0, 1, {"weight": weight}), (1, 2, {"weight": weight})])
    with pytest.raises(NotImplementedError):
        nx.community.modularity(G, [{0, 1}, {2}], backend="weft")
    with nx.config(backend_priority=["weft"], fallback_to_nx=True):
        found = outcome(nx.community.modularity, G=G, communities=[{0, 1}, {2}])
    theirs = outcome(nx.community.modularity, G=G, communities=[{0, 1}, {2}], backend="networkx")
    assert repr(found) == repr(theirs) and (error is None or found == error)


def test_modularity_by_all_data_of_edges():
    G = nx.path_graph(3)
    assert backend.can_run("modularity", (G, [{0, 1}, {2}]), {"weight": True}) == "weights are data of edges"
    with nx.config(backend_priority=["weft"], fallback_to_nx=True), pytest.raises(TypeError):
        nx.community.modularity(G, [{0, 1}, {2}], weight=True)


@pytest.mark.parametrize("how", [{"backend": "weft"}, {"backend": "networkx"}])
def test_isolates_of_a_graph_that_grows(how):
    G = nx.empty_graph(3)
    found = nx.isolates(G, **how)
    assert next(found) == 0
    G.add_node(3)
    with pytest.raises(RuntimeError, match="dictionary changed size during iteration"):
        next(found)
    G = nx.empty_graph(3)
    found = nx.isolates(G, **how)
    G.add_edges_from([(0, 3), (4, 5)])  # before the first is asked for
    assert list(found) == [1, 2]
    made = nx.path_graph(1, backend="weft")
    assert list(nx.isolates(made, **how)) == [0]
