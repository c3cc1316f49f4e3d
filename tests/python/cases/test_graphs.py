"""Where graphs come from, and that ids stay what they were."""
import gzip
import io
import itertools
import os
import pathlib
import pickle
import random
import re
import subprocess
import sys
import warnings

import pytest
import weftgraph as wg

np = pytest.importorskip("numpy")


def arcs(g):
    """Every arc in the user's ids, with its weight or None."""
    offsets, targets, weights = (c.tolist() if c is not None else None for c in g.csr())
    ids = g.ids.tolist()
    return {(ids[u], ids[targets[e]], weights[e] if weights else None) for u in range(len(ids)) for e in range(offsets[u], offsets[u + 1])}


@pytest.fixture
def edge_file(tmp_path):
    path = tmp_path / "edges.txt"
    path.write_text("10 20 3\n20 30 4\n")
    return path


def test_read_takes_paths_and_files(edge_file, tmp_path):
    want = {(10, 20, 3), (20, 30, 4)}
    packed = tmp_path / "edges.txt.gz"
    packed.write_bytes(gzip.compress(edge_file.read_bytes()))
    assert arcs(wg.read(str(edge_file))) == arcs(wg.read(edge_file)) == arcs(wg.read(packed)) == want
    with open(edge_file) as text, open(packed, "rb") as raw:
        assert arcs(wg.read(text)) == arcs(wg.read(raw)) == want
    assert arcs(wg.read(io.BytesIO(b"1 2\n"))) == {(1, 2, None)}


def test_read_has_the_options_of_the_program(edge_file):
    assert arcs(wg.read(edge_file, weights="ignore", directed=False)) == {(10, 20, None), (20, 10, None), (20, 30, None), (30, 20, None)}
    assert wg.read(edge_file, weight_type="f64").weight_type == "f64"
    assert wg.read(edge_file, ids="string").ids.tolist() == ["10", "20", "30"]
    assert wg.read(io.StringIO("0 1\n"), vertices=4).vertices == 4
    assert arcs(wg.read(io.StringIO("1 2 0,5\n"), decimal=",")) == arcs(wg.read(io.StringIO("1 2 0,5\n"), decimal="comma")) == {(1, 2, 0.5)}
    assert arcs(wg.read(io.StringIO("a #b\n#b c\n"), comments=False)) == {("a", "#b", None), ("#b", "c", None)}
    with pytest.raises(ValueError, match="weights is one of 'auto', 'require', 'ignore', not 'maybe'"):
        wg.read(edge_file, weights="maybe")


def test_errors_say_where(tmp_path):
    path = tmp_path / "bad.txt"
    path.write_text("1 2\n3 x\n")
    with pytest.raises(wg.InputError) as caught:
        wg.read(path, ids="integer")
    assert (caught.value.path, caught.value.line, caught.value.column) == (str(path), 2, 3)
    assert str(caught.value).startswith(f"{path}:2:3: 'x'")
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, wg.Error)
    with pytest.raises(wg.FileError):
        wg.read(tmp_path / "none.txt")


def test_notes_tell_how_a_table_was_read(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("year,src,dst\n1999,a,b\n")
    assert any("src" in note for note in wg.read(path).notes)


def test_direction_is_said(tmp_path):
    ascending, twice = tmp_path / "ascending.txt", tmp_path / "twice.txt"
    ascending.write_text("".join(f"{i} {i + 1}\n" for i in range(32)))
    twice.write_text("1 2\n2 1\n")
    with pytest.warns(wg.WeftWarning, match="may be an undirected list; `directed=False` reads each line both ways, `directed=True` silences this"):
        g = wg.read(ascending)
    assert (g.info()["direction"], g.info()["direction_from"]) == ("directed", "assumed")
    with pytest.warns(wg.WeftWarning, match="each edge is listed twice; `directed=False` counts it once"):
        wg.read(twice)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        g = wg.read(ascending, directed=False)
        wg.read(ascending, directed=True)
    assert (g.info()["direction"], g.info()["direction_from"]) == ("undirected", "flag")
    assert wg.generate.karate().info()["direction_from"] == "file"


def test_parallel_edges_with_different_weights_are_a_question(tmp_path):
    path = tmp_path / "pay.csv"
    path.write_text("from,to,weight\nann,ben,10.5\nann,ben,2\nben,cid,1\n")
    g = wg.read(path)
    assert (g.info()["weights_merged"], g.info()["opposite_weights_merged"]) == (1, 0)
    assert any("different weights" in note for note in g.notes)
    g.pagerank()
    with pytest.raises(wg.ParameterError, match="from ann to ben, lines 2 and 3: 10.5, 2.*`duplicates=min"):
        g.degree(strength=True)
    with pytest.raises(wg.ParameterError):
        g.write(tmp_path / "pay.weft")
    for rule, strength in {"min": 2, "drop": 2, "max": 10.5, "mean": 6.25, "sum": 12.5, "count": 2, "keep": 12.5}.items():
        g = wg.read(path, duplicates=rule)
        assert g.info()["weights_merged"] == 0 and g.degree(strength=True)["out_strength"].tolist()[0] == strength
    with pytest.raises(wg.InputError, match="listed more than once"):
        wg.read(path, duplicates="refuse")
    with pytest.raises(ValueError, match="duplicates is one of 'drop', 'keep', 'sum'"):
        wg.read(path, duplicates="some")


@pytest.mark.parametrize("kind", ["u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8"])
def test_arrays_of_every_integer_type(kind):
    u, v = np.array([3, 1], kind), np.array([1, 7], kind)
    assert arcs(wg.from_edges(u, v)) == {(3, 1, None), (1, 7, None)}
    assert arcs(wg.from_edges(u, v, np.array([1.5, 2], "f4"))) == {(3, 1, 1.5), (1, 7, 2.0)}


def test_arrays_need_not_be_contiguous_or_alike():
    both = np.array([[1, 2], [2, 3]])
    assert arcs(wg.from_edges(both[:, 0], both[:, 1])) == {(1, 2, None), (2, 3, None)}
    assert arcs(wg.from_edges(np.array([1], "i4"), np.array([5], "u2"))) == {(1, 5, None)}
    assert arcs(wg.from_edges(np.array([2, 1])[::-1], [7, 8])) == {(1, 7, None), (2, 8, None)}


def test_ids_are_what_the_user_gave():
    assert arcs(wg.from_edges([-5, 2**60], [2**60, 0])) == {(-5, 2**60, None), (2**60, 0, None)}
    assert arcs(wg.from_edges(["x", "é"], ["é", "x"])) == {("x", "é", None), ("é", "x", None)}
    for large in (2**63, 2**64, 2**70):
        assert arcs(wg.from_edges([large, large + 1], [1, 5])) == {(large, 1, None), (large + 1, 5, None)}
    with pytest.raises(wg.ParameterError, match="the id 9223372036854775808 does not fit in 64 bits with sign"):
        wg.from_edges(np.array([1, 2**63], np.uint64), [1, 5])
    with pytest.raises(wg.ParameterError, match="the id 9223372036854775808 does not fit in 64 bits with sign"):
        wg.from_edges([1], [2]).subgraph(np.array([2**63], np.uint64))
    with pytest.raises(ValueError, match="NUL"):
        wg.from_edges(["a", "a\0b"], ["x", "y"]).path("a\0b", "x")
    mixed = wg.from_edges([((1, 2), "a"), ("a", b"b"), (b"b", 3.5)])
    assert arcs(mixed) == {((1, 2), "a", None), ("a", b"b", None), (b"b", 3.5, None)}
    assert mixed.bfs((1, 2)).to_dict("level") == {(1, 2): 0, "a": 1, b"b": 2, 3.5: 3}
    assert mixed.bfs("a")["parent"].tolist() == [None, "a", "a", b"b"]
    assert arcs(wg.from_edges([(1, 2, 0.5), (2, 3, 1)])) == {(1, 2, 0.5), (2, 3, 1.0)}


def test_names_that_are_no_utf8():
    """Python's texts for them, with single surrogates, are ids like others."""
    g = wg.read(io.BytesIO(b"\xfe\xfd b\nb c\n"), ids="string")
    odd = "\udcfe\udcfd"
    assert g.ids.tolist() == ["b", "c", odd] and odd in g
    assert g.bfs(odd).to_dict("level") == {odd: 0, "b": 1, "c": 2}
    assert g.subgraph([odd]).ids.tolist() == [odd] and g.path(odd, "b")[0][0] == [odd, "b"]
    assert wg.from_edges(g.ids, ["b"] * 3).ids.tolist() == g.ids.tolist()
    assert wg.read(io.StringIO(odd + " b\nb c\n"), ids="string").fingerprint() == g.fingerprint()
    assert g.report(quick=True, labels={"b": "x"}).figures["vertices"] == 3
    half = "\ud800"
    assert half not in g
    with pytest.raises(wg.NotFoundError, match=r"no vertex '\\ud800'"):
        g.bfs(half)
    with pytest.raises(wg.ParameterError, match=r"the id '\\ud800' is no name: it cannot be written in UTF-8"):
        wg.from_edges([half], ["a"])
    with pytest.raises(wg.InputError, match=r"file: '\\ud800' after 2 characters cannot be written in UTF-8"):
        wg.read(io.StringIO("a " + half), ids="string")


def test_vertices_without_edges():
    assert wg.from_edges([0], [1], vertices=5).vertices == 5
    assert wg.from_edges([7], [9], vertices=[8]).ids.tolist() == [7, 8, 9]
    assert wg.from_edges(["b"], ["c"], vertices=["a", "c"]).ids.tolist() == ["a", "b", "c"]
    assert wg.from_edges([]).vertices == 0
    assert wg.from_edges([], [], vertices=[4, 2]).ids.tolist() == [2, 4]


def test_wrong_entries_are_named():
    with pytest.raises(wg.ParameterError, match="edge 1: target 9 is not below the number of vertices, 3"):
        wg.from_edges([0, 1], [1, 9], vertices=3)
    with pytest.raises(wg.ParameterError, match="edge 0: the weight is not finite"):
        wg.from_edges([0], [1], [float("nan")])
    with pytest.raises(ValueError, match="sources has 1 entry, but targets 2"):
        wg.from_edges([0], [1, 2])
    with pytest.raises(TypeError, match="weights: numbers are needed"):
        wg.from_edges([0], [1], ["heavy"])


def test_build_rules():
    u, v, w = [0, 1, 0, 2], [1, 0, 1, 2], [5, 3, 2, 9]
    assert arcs(wg.from_edges(u, v, w)) == {(0, 1, 2), (1, 0, 3), (2, 2, 9)}
    assert arcs(wg.from_edges(u, v, w, duplicates="sum", loops="drop")) == {(0, 1, 7), (1, 0, 3)}
    assert wg.from_edges(u, v, w, duplicates="keep").arcs == 4
    assert wg.from_edges(u, v, w, directed=False).edges == 2


def test_csr_is_kept_without_a_copy_if_asked():
    offsets, targets = np.array([0, 2, 2, 3]), np.array([0, 2, 1], "i4")
    g = wg.from_csr(offsets, targets, copy=False)
    shared = g.csr()
    assert np.asarray(shared[0]).ctypes.data == offsets.ctypes.data
    assert np.asarray(shared[1]).ctypes.data == targets.ctypes.data
    assert np.asarray(wg.from_csr(offsets, targets).csr()[1]).ctypes.data != targets.ctypes.data
    counts = sys.getrefcount(targets)
    del g, shared
    assert sys.getrefcount(targets) < counts
    with pytest.raises(wg.ParameterError, match=re.escape("offsets[2] is 1, but must be from 2 to the number of edges, 3")):
        wg.from_csr([0, 2, 1, 3], targets)


def test_scipy_both_ways():
    sparse = pytest.importorskip("scipy.sparse")
    m = sparse.random_array((50, 50), density=0.1, rng=np.random.default_rng(1), format="csr")
    g = wg.from_scipy(m)
    assert g.weight_type == "f64" and g.arcs == m.nnz
    assert (g.to_scipy() != m).nnz == 0
    assert g.to_scipy().data.ctypes.data == np.asarray(g.csr()[2]).ctypes.data
    both = m + m.T
    assert wg.from_scipy(both, directed=False).edges == (both.nnz + (both.diagonal() != 0).sum()) // 2
    with pytest.raises(wg.ParameterError, match="not symmetric"):
        wg.from_scipy(m, directed=False)
    with pytest.raises(ValueError, match="square"):
        wg.from_scipy(sparse.csr_array((2, 3)))
    assert not wg.from_scipy(m.astype(bool)).weighted


def test_data_frames():
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    columns = {"source": ["a", "b"], "target": ["b", "c"], "weight": [1.5, 2.0], "year": [1, 2]}
    want = {("a", "b", 1.5), ("b", "c", 2.0)}
    assert arcs(wg.from_pandas(pandas.DataFrame(columns))) == want
    assert arcs(wg.from_polars(polars.DataFrame(columns))) == want
    assert arcs(wg.from_arrow(pyarrow.table(columns))) == want
    assert arcs(wg.from_arrow(polars.DataFrame(columns), weight=False)) == {(u, v, None) for u, v, _ in want}
    numbers = pandas.DataFrame({"x": [1, 2], "y": [2, 3]})
    with pytest.raises(ValueError, match="which column is the source\\?  There are x, y"):
        wg.from_pandas(numbers)
    assert arcs(wg.from_pandas(numbers, "x", "y")) == {(1, 2, None), (2, 3, None)}


def test_arrow_s_own_interface():
    pyarrow = pytest.importorskip("pyarrow")
    from weftgraph import _weft

    numbers = pyarrow.array([5, 6, 7, 8])
    column = _weft.arrow_values(numbers)
    assert column.tolist() == [5, 6, 7, 8] and np.asarray(column).ctypes.data == numbers.buffers()[1].address
    assert _weft.arrow_values(numbers[2:]).tolist() == [7, 8]
    assert _weft.arrow_values(pyarrow.chunked_array([[1.5], [], [2.5, 3.5]])).tolist() == [1.5, 2.5, 3.5]
    for kind in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"):
        assert memoryview(_weft.arrow_values(pyarrow.array([1, 2], kind))).tolist() == [1, 2]
    words = ["a", "bc", "", "a text of more than twelve bytes", "é"]
    for kind in (pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()):
        assert _weft.arrow_values(pyarrow.array(words, kind)) == words
        assert _weft.arrow_values(pyarrow.array(words, kind)[1:4]) == words[1:4]
    with pytest.raises(ValueError, match="row 2 is null"):
        _weft.arrow_values(pyarrow.chunked_array([[1, 2], [None, 4]], pyarrow.int64()))
    with pytest.raises(TypeError, match="no ids or weights"):
        _weft.arrow_values(pyarrow.array([[1], [2]]))
    assert arcs(wg.from_edges(pyarrow.array([1, 2]), pyarrow.chunked_array([[2], [3]]))) == {(1, 2, None), (2, 3, None)}
    assert arcs(wg.from_edges(pyarrow.array(words), pyarrow.array(words[::-1]))) == {(u, v, None) for u, v in zip(words, words[::-1])}
    with pytest.raises(ValueError, match="sources: row 1 is null"):
        wg.from_edges(pyarrow.array([1, None]), [2, 3])


def test_missing_ids_are_no_vertices():
    pd = pytest.importorskip("pandas")
    nan = float("nan")
    for sources, targets, where in [
        ([1.0, nan], [2.0, 3.0], "edge 1: the source is missing: nan"), (["a", "b"], ["b", None], "edge 1: the target is missing: None"),
        ([pd.NaT], ["a"], "edge 0: the source"), ([("a", 1), "b"], ["b", pd.NA], "edge 1: the target"),
    ]:
        with pytest.raises(wg.InputError, match=where):
            wg.from_edges(sources, targets)
    with pytest.raises(wg.InputError, match="a vertex is missing"):
        wg.from_edges(["a"], ["b"], vertices=["c", None])
    kinds = pd.DataFrame({"source": pd.Categorical(["x", None]), "target": ["y", "z"]})
    with pytest.raises(wg.InputError, match="edge 1: the source"):
        wg.from_pandas(kinds)
    with pytest.raises(wg.NotFoundError, match="no column is called 'to'; there are source, target"):
        wg.from_pandas(kinds, "source", "to")


def test_networkx_both_ways():
    nx = pytest.importorskip("networkx")
    club = nx.karate_club_graph()
    g = wg.from_networkx(club)
    assert (g.vertices, g.edges, g.weight_type) == (34, 78, "u32")
    back = g.to_networkx()
    assert {frozenset(e) for e in back.edges()} == {frozenset(e) for e in club.edges()}
    assert all(back[u][v]["weight"] == club[u][v]["weight"] for u, v in club.edges())
    named = nx.DiGraph([("a", ("b", 1)), (("b", 1), 3)])
    assert arcs(wg.from_networkx(named)) == {(u, v, None) for u, v in named.edges()}
    assert wg.from_networkx(nx.MultiGraph([(0, 1), (0, 1)])).edges == 2
    assert wg.from_networkx(nx.empty_graph(3)).vertices == 3
    assert wg.from_networkx(nx.Graph()).vertices == 0


def test_edge_index():
    edges = np.array([[0, 1, 2], [1, 2, 0]])
    assert arcs(wg.from_edge_index(edges)) == {(0, 1, None), (1, 2, None), (2, 0, None)}
    assert wg.from_edge_index(edges, num_nodes=9).vertices == 9


def test_graphs_pickle():
    twice = wg.from_edges([1, 1, 2, 2], [2, 2, 2, 2], duplicates="keep", directed=False)
    for g in (wg.generate.rmat(8, max_weight=9), wg.from_edges(["a"], ["b"]), wg.from_edges([((1, 2), (3, 4))]), twice):
        again = pickle.loads(pickle.dumps(g))
        assert again.fingerprint() == g.fingerprint() and arcs(again) == arcs(g) and again.edges == g.edges


def test_generators_make_the_program_s_graphs(tmp_path):
    path = tmp_path / "g.weft"
    plain = {k: v for k, v in os.environ.items() if k not in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")}  # as users have it
    subprocess.run([sys.executable, "-m", "weftgraph", "generate", "rmat", "--scale", "8", "--seed", "3", "-o", path, "--quiet"], check=True, env=plain)
    assert wg.generate.rmat(8, seed=3).fingerprint() == wg.read(path).fingerprint()
    assert wg.generate.grid(3, columns=4).vertices == 12
    with pytest.raises(wg.Error):
        wg.generate.rmat(99)
    with pytest.raises(ValueError, match="scale is -1, but must be a whole number of 0 or more"):
        wg.generate.rmat(-1)


def test_write_and_read_again(tmp_path):
    g = wg.from_edges(["a", "b"], ["b", "c"], [1, 2])
    for name in ("g.weft", "g.csv.gz", "g.graphml"):
        g.write(tmp_path / name)
        assert arcs(wg.read(tmp_path / name)) == arcs(g)
    assert pathlib.Path(tmp_path / "g.weft").stat().st_size > 0


def test_facts():
    g = wg.generate.karate()
    assert len(g) == 34 and 34 in g and 35 not in g and "x" not in g
    assert repr(g) == "<graph: 34 vertices, 78 undirected edges>"
    assert g.info()["max_degree"] == 17 and "max degree" in g._repr_html_()
    with pytest.raises(TypeError, match="graphs are made by"):
        wg.Graph(3)


def same_graphs(a, b):
    left, right = a.info(), b.info()
    for info in (left, right):
        info.pop("load_ms")
    return a.fingerprint() == b.fingerprint() and a.ids.tolist() == b.ids.tolist() and left == right


@pytest.mark.parametrize("kind", ["Graph", "DiGraph", "MultiGraph", "MultiDiGraph"])
def test_networkx_by_its_dicts_and_by_its_edges(kind):
    """A subclass is asked for its edges; the classes themselves are walked in C, and the graph is the same."""
    nx = pytest.importorskip("networkx")
    cls, r = getattr(nx, kind), random.Random(kind)
    subclass = type("Sub", (cls,), {})
    labels = [lambda i: i, lambda i: 3 * i - 40, lambda i: f"n{i}ö", lambda i: (i, "x"), lambda i: i + 0.5, lambda i: [i, str(i)][i % 2], lambda i: 2**62 * i]
    weights = [lambda: {}, lambda: {"weight": 2}, lambda: {"weight": r.random()}, lambda: r.choice([{}, {"weight": 3}, {"weight": 0.5}, {"weight": None}]),
               lambda: {"weight": True}, lambda: {"weight": r.choice([2**31, -1])}, lambda: r.choice([{}, {"other": "x"}, {"weight": 1}]), lambda: {"weight": 2**60}]
    for label, data in itertools.product(labels, weights):
        order = r.sample(range(40), 40)
        edges = [(label(r.randrange(30)), label(r.randrange(30)), data()) for _ in range(100)]
        G, H = cls(), subclass()
        for to in (G, H):
            to.add_nodes_from(map(label, order))
            to.add_edges_from((u, v, dict(d)) for u, v, d in edges)
        for weight in (None, "weight", "other"):
            if weight == "other" and any("other" in d for _, _, d in edges):
                continue
            assert same_graphs(wg.from_networkx(G, weight), wg.from_networkx(H, weight)), (label(3), edges[:5], weight)
    assert wg.from_networkx(cls()).vertices == 0
    bad = cls([(1, 2, {"weight": float("inf")})])
    with pytest.raises(wg.ParameterError, match="edge 0: the weight is not finite"):
        wg.from_networkx(bad)
