"""Graphs that the backend reads or makes: the same as NetworkX's, with their order and objects, and dicts only when they are looked at."""
import copy
import gzip
import io
import pickle
import random
import threading

import pytest

nx = pytest.importorskip("networkx")
np = pytest.importorskip("numpy")
sp = pytest.importorskip("scipy.sparse")
pd = pytest.importorskip("pandas")

CLASSES = [None, nx.Graph, nx.DiGraph]


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    monkeypatch.setattr(nx.config, "warnings_to_ignore", {"cache"})


def untouched(G):
    return type(G) not in (nx.Graph, nx.DiGraph)


def items(d):
    return [(k, type(k), v, [type(x) for x in v.values()]) for k, v in d.items()]


def assert_same(mine, theirs):
    assert untouched(mine) and isinstance(mine, nx.Graph)
    assert len(mine) == len(theirs) and untouched(mine)
    assert [(n, type(n)) for n in mine] == [(n, type(n)) for n in theirs]
    assert type(mine) is type(theirs)  # now
    for u in theirs:
        assert items(mine._adj[u]) == items(theirs._adj[u])
    if theirs.is_directed():
        assert mine._succ is mine._adj
        for u in theirs:
            assert items(mine._pred[u]) == items(theirs._pred[u])
        assert all(mine._pred[v][u] is d for u, v, d in mine.edges(data=True))
    else:
        assert all(mine._adj[v][u] is d for u, v, d in mine.edges(data=True))
    assert dict(mine._node) == dict(theirs._node) and mine.graph == theirs.graph
    assert all(a is not b for a in mine._node.values() for b in [mine.graph])


def both(function, *args, **kwargs):
    """Files are given as functions that open them."""
    first, *rest = args
    fresh = first if callable(first) else lambda: first
    mine = function(fresh(), *rest, backend="weft", **kwargs)
    assert_same(mine, function(fresh(), *rest, **kwargs))


def random_edges(r):
    n = r.randrange(1, 30)
    return n, [(r.randrange(n), r.randrange(n)) for _ in range(r.randrange(80))]


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("seed", range(12))
def test_lists_and_files_become_the_same_graphs(cls, seed):
    r = random.Random(seed)
    n, edges = random_edges(r)
    both(nx.from_edgelist, edges, cls)
    both(nx.from_edgelist, [(f"a{u}", (v, 1)) for u, v in edges], cls)
    both(nx.from_edgelist, [(u, v, {"w": r.randrange(9)}) for u, v in edges], cls)
    both(nx.from_edgelist, [(u, v + 0.5, {"w": r.random()}) for u, v in edges], cls)

    def file(text):
        return lambda: io.BytesIO(text.encode())

    text = "# a comment\n" + "".join(f"{u}\t{v} {r.choice(['{}', '', '# more'])}\n" for u, v in edges)
    for nodetype in (None, int, str):
        both(nx.read_edgelist, file(text), create_using=cls, nodetype=nodetype)
        both(nx.read_edgelist, file(text.replace("{}", "x y z")), create_using=cls, nodetype=nodetype, data=False, comments="# ")
    both(nx.read_edgelist, lambda: io.StringIO("ä ö\nö ü\n"), create_using=cls)
    weighted = "".join(f"{u},{v}, {r.choice([-1, 1]) * r.random()!r}\n" for u, v in edges)
    both(nx.read_weighted_edgelist, file(weighted), delimiter=",", create_using=cls, nodetype=int)
    whole = "".join(f"{u} {v} {r.randrange(-5, 5)}\r\n" for u, v in edges)
    both(nx.read_edgelist, file(whole), data=[("miles", int)], create_using=cls)
    lines = "".join(" ".join(map(str, [u, *(r.randrange(n) for _ in range(r.randrange(5)))])) + "\n" for u in range(n))
    both(nx.read_adjlist, file(lines), nodetype=int, create_using=cls)
    both(nx.read_adjlist, file(lines.replace(" ", "::")), delimiter="::", create_using=cls)


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("seed", range(6))
def test_matrices_and_tables_become_the_same_graphs(cls, seed):
    r = random.Random(seed)
    n, edges = random_edges(r)
    A = np.array([[r.choice([0, 0, 1, 2]) for _ in range(n)] for _ in range(n)])
    for B in (A, A * 0.5, A.astype(np.uint8), A.astype(np.float32)):
        both(nx.from_numpy_array, B, create_using=cls)
        both(nx.from_numpy_array, B, create_using=cls, edge_attr=None)
        for name in ("csr", "csc", "coo", "lil", "bsr"):
            both(nx.from_scipy_sparse_array, sp.coo_array(B).asformat(name), create_using=cls)
    repeated = sp.coo_array(([1, 2, 3], ([0, 0, 1], [1, 1, 0])), shape=(3, 3))
    both(nx.from_scipy_sparse_array, repeated, create_using=cls)
    frame = pd.DataFrame({"source": [u for u, _ in edges], "target": [v for _, v in edges], "i": range(len(edges))})
    frame["w"] = frame["i"] * 0.25
    for table in (frame, frame.astype({"source": str, "target": str}), frame.assign(source=frame["source"] + 0.5)):
        for attribute in (None, "w", ["i"]):
            both(nx.from_pandas_edgelist, table, edge_attr=attribute, create_using=cls)


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("n", [0, 1, 2, 3, 7])
def test_classic_graphs(cls, n):
    for generator in (nx.path_graph, nx.cycle_graph, nx.complete_graph, nx.star_graph):
        both(generator, n, cls)


@pytest.mark.parametrize("seed", range(8))
def test_graphs_become_the_same_matrices_and_tables(seed):
    r = random.Random(seed)
    for cls in (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph):
        n, edges = random_edges(r)
        G = cls()
        G.add_nodes_from(range(n - 1, -1, -1))
        mixed = r.random() < 0.3
        kind = (lambda: r.choice([1, 2.5])) if mixed else r.choice([lambda: r.randrange(4), r.random])
        G.add_edges_from((u, v, {"weight": kind()} if r.random() < 0.8 or not mixed else {}) for u, v in edges)
        for nodes in (None, list(range(n)), [n - 1, *range(0, n - 1, 2)]):
            for weight in ("weight", None):
                for dtype in (None, float, np.float32):
                    for function in (nx.to_scipy_sparse_array, nx.to_numpy_array, nx.adjacency_matrix):
                        try:
                            mine = function(G, nodes, dtype=dtype, weight=weight, backend="weft")
                        except NotImplementedError:
                            assert G.is_multigraph() or (mixed and len(nodes) < n)
                            continue
                        theirs = function(G, nodes, dtype=dtype, weight=weight)
                        assert type(mine) is type(theirs) and mine.dtype == theirs.dtype
                        if function is nx.to_numpy_array:
                            assert (mine == theirs).all()
                        else:
                            for name in ("indptr", "indices", "data"):
                                a, b = getattr(mine, name), getattr(theirs, name)
                                assert a.dtype == b.dtype and (a == b).all()
        assert nx.to_pandas_edgelist(G, backend="weft").equals(nx.to_pandas_edgelist(G))
        if cls is nx.DiGraph:
            H = nx.DiGraph([(u, v, {"weight": kind()}) for u, v in edges], name="x")
            assert_same(nx.reverse(H, backend="weft"), nx.reverse(H))
            made = nx.from_edgelist(edges, nx.DiGraph, backend="weft")
            assert_same(nx.reverse(made, backend="weft"), nx.reverse(nx.from_edgelist(edges, nx.DiGraph)))
            assert untouched(made)


def test_errors_are_networkxs():
    G = nx.path_graph(3)
    for call in (lambda **b: nx.to_scipy_sparse_array(nx.Graph(), **b), lambda **b: nx.to_scipy_sparse_array(G, [0, 9], **b),
                 lambda **b: nx.to_scipy_sparse_array(G, [0, 0], **b), lambda **b: nx.to_scipy_sparse_array(G, [], **b),
                 lambda **b: nx.to_numpy_array(G, [0, 9], **b), lambda **b: nx.to_numpy_array(G, [0, 0], **b),
                 lambda **b: nx.from_numpy_array(np.ones((2, 3)), **b), lambda **b: nx.from_numpy_array(np.ones(3), **b),
                 lambda **b: nx.from_scipy_sparse_array(sp.coo_array((2, 3)), **b), lambda **b: nx.reverse(G, **b)):
        said = []
        for b in ({"backend": "weft"}, {}):
            with pytest.raises(nx.NetworkXError) as error:
                call(**b)
            said.append(str(error.value))
        assert said[0] == said[1]


ODD = [("1 2 {'a': 3}\n", {}), ("1_0 2\n", {"nodetype": int}), ("1 x\n", {"nodetype": int}), ("1 2\n1 3 5\n", {"data": [("w", float)]}),
       ("1 2 x\n", {"data": [("w", float)]}), ("1 2 nan\n", {"data": [("w", float)]}), ("a\u00a0b c\n", {}), ("1 2\n", {"nodetype": float}),
       ("1234567890123456789 2\n", {"nodetype": int}), ("1 2\n", {"create_using": nx.MultiGraph}), ("1 2\n", {"encoding": "latin-1"})]


@pytest.mark.parametrize("text, how", ODD)
def test_a_file_that_only_networkx_understands_is_read_by_it(text, how):
    def answer(**b):
        file = io.BytesIO(b"skipped\n" + text.encode())
        file.readline()
        try:
            G = nx.read_edgelist(file, **how, **b)
            return type(G), list(G), list(G.edges(data=True))[:1] if "nan" not in text else None
        except NotImplementedError:
            raise
        except Exception as error:
            return type(error), str(error)

    with pytest.raises(NotImplementedError):
        answer(backend="weft")
    with nx.config(backend_priority={"generators": ["weft"]}):
        preferred = answer()
    assert preferred == answer()


PIECES = ["0", "1", "2", "12", "-3", " ", "\t", "\n", "\n", "#", ",", "{}", "a", "ä", "é b", "1.5", "nan", "1e400", "_", "\r", "\x1c", "x" * 70, "::",
          "9" * 18, "9" * 16, "\u00a0", "\x00"]


@pytest.mark.parametrize("seed", range(4))
def test_any_text_is_read_as_networkx_reads_it_or_refused(seed):
    r = random.Random(seed)
    read = 0
    for _ in range(200):
        text = "".join(r.choice(PIECES) for _ in range(r.randrange(40))).encode()
        function, how = r.choice([(nx.read_adjlist, {}), (nx.read_weighted_edgelist, {}), *(
            (nx.read_edgelist, {"data": data}) for data in (True, False, [("w", float)], [("w", int)]))])
        how = {**how, "nodetype": r.choice([None, int, str]), "create_using": r.choice([nx.Graph, nx.DiGraph]),
               "delimiter": r.choice([None, None, ",", "::"]), "comments": r.choice(["#", "# ", "::"])}
        try:
            mine = function(io.BytesIO(text), **how, backend="weft")
        except NotImplementedError:
            continue
        assert_same(mine, function(io.BytesIO(text), **how))
        read += 1
    assert read > 50


def test_files_by_name_packed_or_not(tmp_path):
    (tmp_path / "a.txt").write_text("a b 1\nb c 2.5\n")
    with gzip.open(tmp_path / "a.txt.gz", "wb") as file:
        file.write(b"a b 1\nb c 2.5\n")
    for path in (tmp_path / "a.txt", str(tmp_path / "a.txt.gz")):
        both(nx.read_weighted_edgelist, path)
        both(nx.read_edgelist, path, data=[("x", float)])
    with pytest.raises(FileNotFoundError):
        nx.read_weighted_edgelist(tmp_path / "none.txt", backend="weft")


def test_functions_of_the_backend_do_not_look_at_dicts():
    text = b"0 1 2.5\n1 2 1\n2 0 1\n2 3 7\n"
    G = nx.read_weighted_edgelist(io.BytesIO(text), nodetype=int, create_using=nx.DiGraph, backend="weft")
    plain = nx.read_weighted_edgelist(io.BytesIO(text), nodetype=int, create_using=nx.DiGraph)
    with nx.config(backend_priority=["weft"]):
        assert nx.pagerank(G) == pytest.approx(nx.pagerank(plain, backend="networkx"), abs=1e-12)
        assert nx.single_source_dijkstra(G, 0) == nx.single_source_dijkstra(plain, 0, backend="networkx")
        assert nx.single_source_dijkstra(G, 0, weight="none") == nx.single_source_dijkstra(plain, 0, weight="none", backend="networkx")
        assert nx.ancestors(G, 3) == {0, 1, 2}
        assert list(nx.strongly_connected_components(G)) == list(nx.strongly_connected_components(plain, backend="networkx"))
        assert nx.core_number(G) == nx.core_number(plain, backend="networkx")
        assert len(G) == G.number_of_nodes() == G.order() == 4 and G.is_directed()
        assert untouched(G)
        assert nx.k_core(G, 2).number_of_edges() == 3  # a subgraph is NetworkX's
    assert type(G) is nx.DiGraph


@pytest.mark.parametrize("look", [
    lambda G: G.add_edge(8, 9), lambda G: G.nodes, lambda G: G[1], lambda G: list(G), lambda G: 2 in G, lambda G: G.copy(),
    lambda G: pickle.dumps(G), copy.deepcopy, copy.copy, lambda G: G.subgraph([0, 1]), lambda G: G.to_directed(), lambda G: nx.Graph(G),
    lambda G: G.clear(), lambda G: nx.freeze(G).nodes, lambda G: setattr(G, "_adj", dict(G._adj)), lambda G: G.degree, str,
])
def test_a_look_makes_it_networkxs(look):
    for cls in (nx.Graph, nx.DiGraph):
        G, plain = nx.path_graph(5, cls, backend="weft"), nx.path_graph(5, cls)
        look(G)
        look(plain)
        assert type(G) is cls and G.__networkx_cache__ == {}
        assert G._adj == plain._adj and G._node == plain._node
        assert G.__class__ is cls and str(G) == str(plain)


def test_copies_are_of_networkxs_class():
    for make in (lambda G: G.__class__(), lambda G: G.copy(), copy.deepcopy, lambda G: pickle.loads(pickle.dumps(G))):
        assert type(make(nx.path_graph(5, backend="weft"))) is nx.Graph


def test_a_graph_that_was_converted_pickles_and_copies():
    G = nx.path_graph(600)
    first = nx.pagerank(G, backend="weft")
    for other in (pickle.loads(pickle.dumps(G)), copy.deepcopy(G)):
        assert nx.pagerank(other, backend="weft") == first
        other.remove_edge(0, 1)
        assert nx.number_connected_components(other, backend="weft") == 2


def test_many_threads_look_at_once():
    G = nx.cycle_graph(3000, backend="weft")
    start, seen = threading.Barrier(8), []

    def look():
        start.wait()
        seen.append((id(G._adj), len(G._node), id(G._adj[5][6])))

    threads = [threading.Thread(target=look) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(seen) == 8 and len(set(seen)) == 1


class Shrinks:
    """A node that empties the list when it is hashed."""

    def __init__(self, edges):
        self.edges = edges

    def __hash__(self):
        self.edges.clear()
        return 1


def test_hostile_lists():
    edges = []
    edges.extend([(1, 2), (Shrinks(edges), 3), (4, 5), (6, 7)])
    with pytest.raises(NotImplementedError):
        nx.from_edgelist(edges, backend="weft")
    for odd in ([(1, None)], [(1, [2])], [(1,)], [(1, 2, 3, 4)], [[1, 2]], ["ab"], [(1, 2, {"a": 1}), (2, 3)], [(1, 2), (2, 3, {"a": 1})],
                [(1, 2, {"a": True})], [(1, 2, {"a": "x"})], [(1, 2, {"a": 1, "b": 2})], [(1, 2, {"a": 1}), (2, 3, {"b": 1})], [(1, 2, {3: 1})],
                [(1, 2, {"a": 2**60})], [(1, 2), (3, 1.0)], [(1, 2), (True, 3)], [(1, 2, {"a": 1}), (2, 3, {"a": 1.5})]):
        with pytest.raises(NotImplementedError):
            nx.from_edgelist(odd, backend="weft")

    class Fails:
        def __hash__(self):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        nx.from_edgelist([(1, 2), (Fails(), 3)], backend="weft")


def test_hostile_arrays():
    from array import array

    from weftgraph import _weft

    for nodes, sources, targets, weights in (
            (2, array("I", [0]), array("I", [2]), None), (2, array("I", [0]), array("I", [0, 1]), None), ([1], array("I", [1]), array("I", [0]), None),
            (2, array("I", [0]), array("I", [1]), array("d", [1, 2]))):
        with pytest.raises(ValueError):
            _weft.nx_build(nodes, sources, targets, weights, True, False)
    for weight, floats in ((float("nan"), True), (2.0**60, False)):
        with pytest.raises(NotImplementedError):
            _weft.nx_build(2, array("I", [0]), array("I", [1]), array("d", [weight]), floats, False)
    rows = _weft.nx_build(None, array("q", [-5, 7]), array("q", [7, 2**62]), None, False, True)
    assert list(rows) == [-5, 7, 2**62]
