"""Runs and their results: every algorithm with what its descriptor says, and columns that other libraries take as they are."""
import gc
import inspect
import io
import math
import weakref

import pytest
import weftgraph as wg
from weftgraph import _weft

np = pytest.importorskip("numpy")
REGISTRY = _weft.registry()
COMMON = ["top", "device", "threads", "memory_limit", "verify", "gpu", "on_device", "stream", "comm"]


def club():
    return wg.generate.karate()


def arguments(name, g):
    """What an algorithm needs, or wants in order to give every column."""
    return {"aggregate": {"features": np.ones((g.vertices, 2), np.float32)}, "components": {"strong": True, "order": True},
            "degree": {"strength": True}, "katz": {"bounds": True}, "leiden": {"levels": True}, "louvain": {"levels": True},
            "triangles": {"edges": True},
            "betweenness": {"edges": True}, "closeness": {"estimate": True}, "harmonic": {"estimate": True}}.get(name, {})


# What another way to the answer gives.
INSTEAD = {"betweenness": {"samples", "error", "value_error", "confidence", "apart"},
           "bicomponents": {"source", "target", "component", "bridge", "tree_component", "tree_point"},
           "distances": {"weighted_eccentricity", "length", "weighted_diameter", "weighted_radius", "class_width"}}


def test_distances_by_weights_are_other_columns():
    r = wg.from_edges([1, 2, 1], [2, 3, 3], weights=[1.5, 2, 5], directed=False).distances(weights=True, verify=True)
    assert r["weighted_eccentricity"].tolist() == [3.5, 2, 3.5] and "eccentricity" not in r
    assert r.scalars["weighted_diameter"] == 3.5 and r.scalars["weighted_radius"] == 2 and r.scalars["class_width"] == 1 / 16
    assert sum(r["pairs"].tolist()) == 3 and r["length"].tolist()[-1] == 3.5


def test_betweenness_of_random_paths_says_how_good_it_is():
    g = club()
    r, all_paths = g.betweenness(error=0.05, apart=1, normalized=True, verify=True), g.betweenness(normalized=True)
    assert set(r.scalars) == INSTEAD["betweenness"] and r.scalars["apart"] == 1 and r.scalars["confidence"] == 0.99
    assert all(abs(a - b) <= r.scalars["error"] for a, b in zip(r["betweenness"].tolist(), all_paths["betweenness"].tolist()))
    with pytest.raises(wg.ParameterError, match="`error` and `edges` exclude each other"):
        g.betweenness(error=0.05, edges=True)


def test_a_column_alone_is_what_rows_are_sorted_by():
    g = wg.from_edges([1, 2, 3], [3, 3, 1], weights=[0.5, 2, 4], directed=True)
    found = g.degree(mode="in", strength=True, top=1)
    assert found.columns == ["id", "in", "in_strength"] and list(found.rows()) == [(3, 2, 2.5)]
    assert g.degree(mode="out").top(1)["id"].tolist() == [1] and g.degree(strength=True).top(1, "strength")["id"].tolist() == [3]


def test_groups_by_their_sizes():
    g = wg.from_edges(["a", "b", "x"], ["b", "c", "y"], directed=False)
    found = g.components()
    sizes = found.sizes()
    assert list(sizes.rows()) == [("a", 3, 0.6), ("x", 2, 0.4)] and sizes.columns == ["component", "size", "share"]
    assert sizes.to_pandas()["size"].tolist() == [3, 2] and sizes["size"].to_numpy().dtype == np.uint64
    assert "share" in repr(found) and "<th>share</th>" in found._repr_html_() and "\nid" not in repr(found)
    assert "share" not in repr(g.components(top=2)) and len(found) == 5
    assert sum(g.labelprop().sizes()["size"]) == 5 and g.labelprop().sizes().columns[0] == "label"
    with pytest.raises(ValueError, match="finds no groups"):
        g.degree().sizes()
    del found
    gc.collect()
    assert sizes["size"].tolist() == [3, 2]


@pytest.mark.parametrize("info", REGISTRY["algorithms"], ids=lambda a: a["name"])
def test_every_algorithm_is_a_method(info):
    method = getattr(wg.Graph, info["name"])
    signature = inspect.signature(method)
    names = [p["name"].replace("-", "_") for p in info["params"]]
    former = [entry.split()[0] for entry in (info["formerly"] or "").split("|") if entry]
    assert sorted(signature.parameters) == sorted(["self", *names, *former, *COMMON])
    for p in info["params"]:
        given = signature.parameters[p["name"].replace("-", "_")].default
        if p["type"] == "choice":
            assert given == p["default"] and given in p["choices"].split("|")
        elif p["type"] in ("u64", "f64") and given is not None:
            assert given == float(p["default"])
        assert p["name"].replace("-", "_") + ":" in method.__doc__
    for r in info["results"]:
        assert r["name"] + ": " + r["type"] in method.__doc__


@pytest.mark.parametrize("info", REGISTRY["algorithms"], ids=lambda a: a["name"])
def test_every_algorithm_runs_and_is_verified(info):
    for directed in (True, False):
        g = wg.generate.rmat(7, directed=directed)
        try:
            r = getattr(g, info["name"])(verify=True, **arguments(info["name"], g))
        except wg.ParameterError as error:
            assert "directed graph" in str(error) and not directed
            continue
        assert r.verified and r.device == "cpu" and r.method in info["methods"]
        for result in info["results"]:
            if result["name"] in INSTEAD.get(info["name"], ()):
                assert result["name"] not in r
                continue
            assert result["name"] in r
            if result["shape"] == "scalar":
                value = r.scalars[result["name"]]  # None: there is none, a radius where no vertex reaches all
                assert isinstance(value, float if result["type"] == "f64" else int) or value is None
            if result["shape"] in ("vertices", "edges"):
                assert len(r[result["name"]]) == (g.vertices if result["shape"] == "vertices" else g.edges)
        assert repr(r) and r._repr_html_()
        again = getattr(g, info["name"])(threads=1, **arguments(info["name"], g))
        for name in r.columns:
            assert repr(r[name].tolist()) == repr(again[name].tolist())  # not a number is like itself here


@pytest.mark.parametrize("info", REGISTRY["generators"], ids=lambda a: a["name"])
def test_every_generator_is_a_function(info):
    signature = inspect.signature(getattr(wg.generate, info["name"]))
    names = {p["name"].replace("-", "_") for p in info["params"]}
    assert names | {"directed", "duplicates", "loops", "threads", "memory_limit"} == set(signature.parameters)


def test_known_answers():
    g = club()
    assert g.triangles().scalars["triangles"] == 45
    assert g.kcore().scalars["degeneracy"] == 4
    assert g.bfs(34, targets=[33]).to_dict("level")[33] == 1
    assert g.bfs(sources=[1, 34])["level"].tolist().count(0) == 2
    paths = wg.from_edges(["a", "a", "c", "b"], ["b", "c", "b", "d"], [4, 1, 2, 1])
    assert paths.sssp("a").to_dict("parent") == {"a": "a", "b": "c", "c": "a", "d": "b"}
    assert paths.sssp(sources=["c", "b"]).to_dict() == {"a": math.inf, "b": 0, "c": 0, "d": 1}
    assert wg.from_edges([0, 1, 2], [1, 2, 0]).cycle()["cycle"].tolist() == [0, 1, 2]
    assert wg.from_edges([0, 1], [1, 2]).components(strong=True, order=True)["order"].tolist() == [2, 1, 0]


def test_rows_of_edges():
    import pickle

    g = club()
    r = g.triangles(edges=True, verify=True)
    assert r.columns == ["source", "target", "support"] and len(r) == g.edges == 78
    assert list(r.rows())[:2] == [(1, 2, 7), (1, 3, 5)] and r.to_dict()[33, 34] == 10
    assert list(r.top(2).rows()) == [(33, 34, 10), (1, 2, 7)] and r.top(1, "support", smallest=True)["target"].tolist() == [12]
    top = g.triangles(edges=True, top=3)
    assert len(top) == 3 and top["support"].tolist() == [10, 7, 5] and top.to_scipy().nnz == 156
    assert r["triangles"].tolist() == g.triangles()["triangles"].tolist() and r.scalars["triangles"] == 45
    assert list(r.by_vertex.rows())[0] == (1, 18) and list(g.triangles().by_vertex.rows())[0] == (1, 18)
    assert r.vertices("source")[0] == 0 and "support" in repr(r) and "<th>support</th>" in r._repr_html_()
    with pytest.raises(KeyError, match="not sorted by 'triangles'"):
        r.top(1, "triangles")
    with pytest.raises(ValueError, match="rows of this result of triangles are edges"):
        g.run(("triangles", {"edges": True}), "kcore")
    with pytest.raises(ValueError, match="has no values of edges"):
        g.triangles().to_scipy()
    again = pickle.loads(pickle.dumps(r))
    assert list(again.rows()) == list(r.rows()) and again["triangles"].tolist() == r["triangles"].tolist()
    assert (again.to_scipy() != r.to_scipy("support")).nnz == 0 and list(again.top(1).rows()) == [(33, 34, 10)]
    with pytest.raises(ValueError, match="only the first rows"):
        pickle.loads(pickle.dumps(top)).to_scipy()


def test_rows_of_a_list():
    import pickle

    g = club()
    r = g.ppr(seeds=[17, 1], per_seed=3, verify=True)
    assert r.columns == ["seed", "vertex", "rank"] and len(r) == 6 and r.scalars["seeds"] == 2
    assert r["seed"].tolist() == [17, 17, 17, 1, 1, 1] and r["vertex"].tolist() == [17, 6, 7, 1, 2, 3]
    whole = g.pagerank(personalize={17: 1}, precision="f64", tolerance=1e-12, max_iterations=500).to_dict("rank")
    assert all(abs(rank - whole[v]) <= r.scalars["error"] for s, v, rank in r.rows() if s == 17)
    assert [row[:2] for row in r.top(2).rows()] == [(1, 1), (17, 17)] and r.vertices("vertex")[0] == 16
    assert list(g.ppr(seeds=[17, 1], top=1)["vertex"]) == [1] and len(r.by_vertex) == 0
    assert list(r.table.rows()) == list(r.rows()) == list(pickle.loads(pickle.dumps(r)).rows())
    assert repr(r).count("vertex") == 1 and r._repr_html_().count("<th>rank</th>") == 1
    assert r.to_dict()["vertex"] == r["vertex"].tolist()
    named = wg.from_edges(["a", "b"], ["b", "c"], directed=True).ppr(seeds=["a"], damping=0.5, iterations=30)
    assert named["vertex"].tolist() == ["a", "b", "c"] and named["seed"].tolist() == ["a"] * 3
    with pytest.raises(ValueError, match="rows of this result of ppr are a list"):
        g.run("ppr", "kcore")
    with pytest.raises(wg.Error, match="99"):
        g.ppr(seeds=[99])
    pytest.importorskip("pandas")
    frame = r.to_pandas()
    assert list(frame.columns) == r.columns and frame.groupby("seed")["rank"].max().idxmax() == 1


def test_similar_vertices_pairs_and_edges():
    g = club()
    r = g.similarity(of=[34], per_vertex=3, verify=True)
    assert r["target"].tolist() == [33, 3, 30] and r["source"].tolist() == [34] * 3
    pairs = [(1, 34), (3, 33), (34, 1)]
    r = g.similarity(pairs=pairs, measure="common", verify=True)
    assert list(r.rows()) == [(1, 34, 4.0), (3, 33, 1.0), (34, 1, 4.0)]
    assert len(g.similarity(edges=True)) == g.edges
    named = wg.from_edges(["a", "b", "c"], ["b", "c", "a"], directed=False)
    assert list(named.similarity(pairs=iter([("a", "c")])).rows()) == [("a", "c", 1 / 3)]
    for bad, message in (([], "no pair"), ([(1, 2, 3)], "two ids"), ([(1, 1)], "itself")):
        with pytest.raises(ValueError, match=message):
            g.similarity(pairs=bad)
    with pytest.raises(wg.NotFoundError):
        g.similarity(pairs=[(1, 99)])
    numpy = pytest.importorskip("numpy")
    assert g.similarity(pairs=numpy.array(pairs), measure="common").to_dict() == r.to_dict()


def test_edges_as_frames_and_matrices():
    pandas, scipy = pytest.importorskip("pandas"), pytest.importorskip("scipy.sparse")
    sources, targets = ["b", "c", "a", "a", "d", "b"], ["a", "b", "c", "a", "d", "a"]
    g = wg.from_edges(sources, targets, directed=False, duplicates="keep")
    r = g.triangles(edges=True)
    frame = r.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame.columns.tolist() == ["source", "target", "support"]
    assert frame.values.tolist() == [["a", "a", 0], ["a", "b", 1], ["a", "b", 1], ["a", "c", 1], ["b", "c", 1], ["d", "d", 0]]
    m = r.to_scipy("support")
    assert scipy.issparse(m) and m.shape == (4, 4) and (m != m.T).nnz == 0 and m.has_sorted_indices
    assert m.indices.tolist() == g.to_scipy().indices.tolist() and m.indptr.tolist() == g.to_scipy().indptr.tolist()
    assert m.data.tolist() == [0, 1, 1, 1, 1, 1, 1, 1, 1, 0]
    arcs = wg.from_edges(sources, targets, directed=True)
    m = arcs.triangles(edges=True).to_scipy()
    assert m.indices.tolist() == arcs.to_scipy().indices.tolist() and m.data.tolist() == [0, 1, 1, 1, 0]
    with pytest.raises(KeyError, match="no column of edges is called 'triangles'; there are support"):
        r.to_scipy("triangles")
    none = wg.from_edges([], [], directed=False).triangles(edges=True)
    assert len(none) == 0 and none.to_scipy().shape == (0, 0) and none.to_pandas().shape == (0, 3)


def test_personalised_ranks_by_id():
    g = wg.from_edges(["a", "b", "c"], ["b", "c", "a"])
    by_dict = g.pagerank(personalize={"a": 1}, precision="f64")
    by_array = g.pagerank(personalize=[1, 0, 0], precision="f64")
    assert by_dict["rank"].tolist() == by_array["rank"].tolist() and by_dict["rank"][0] > by_dict["rank"][2]
    with pytest.raises(ValueError, match="personalize: a dict of ids, or 3 weights"):
        g.pagerank(personalize=[1, 2])
    with pytest.raises(wg.NotFoundError):
        g.pagerank(nstart={"z": 1})


def test_top_rows():
    g = club()
    top = g.pagerank(top=3)
    assert top["id"].tolist() == [34, 1, 33] and len(top) == 3 and top.scalars["iterations"] > 1
    assert top["rank"].tolist() == sorted(g.pagerank()["rank"], reverse=True)[:3]
    r = g.bfs(34)
    assert r.top(1)["id"].tolist() == [17]
    assert r.top(2, "level", smallest=True)["id"].tolist()[0] == 34
    assert list(top.to_dict().items())[0][0] == 34


def test_parameters_are_checked():
    g = club()
    with pytest.raises(wg.ParameterError, match="damping is 2, but must lie between 0 and 1"):
        g.pagerank(damping=2)
    with pytest.raises(ValueError, match="dangling is one of redistribute|drop, not 'keep'"):
        g.pagerank(dangling="keep")
    with pytest.raises(TypeError):
        g.pagerank(dumping=0.5)
    with pytest.raises(TypeError, match="there is no parameter 'dumping'"):
        g.plan("pagerank", dumping=0.5)
    with pytest.raises(wg.NotFoundError, match="no algorithm is called 'pagerang'"):
        g.plan("pagerang")
    with pytest.raises(ValueError, match="device is one of"):
        g.pagerank(device="tpu")
    with pytest.raises(ValueError, match="iterations is -1"):
        g.pagerank(iterations=-1)
    with pytest.raises(wg.NotFoundError, match="no vertex '99'"):
        g.bfs(99)
    with pytest.raises(TypeError):
        g.bfs(1.5)


def test_plans_describe_and_run():
    g = wg.generate.rmat(10)
    plan = g.plan("pagerank", damping=0.9, iterations=5)
    assert plan.device == "cpu" and plan.method in ("pull", "tiles") and plan.reason and plan.host_bytes > 4 * g.vertices
    first, second = plan.run(), plan.run()
    assert first["rank"].tolist() == second["rank"].tolist() and first.scalars["iterations"] == 5
    assert "pagerank" in repr(plan)


def test_a_memory_limit_is_obeyed():
    g = wg.generate.rmat(12)
    with pytest.raises(wg.OutOfMemoryError, match="memory limit"):
        g.pagerank(memory_limit="10 KiB")
    assert isinstance(wg.OutOfMemoryError(), MemoryError)
    assert g.pagerank(memory_limit="1 GiB").scalars["iterations"]
    with pytest.raises(ValueError, match="memory_limit is a number of bytes"):
        g.pagerank(memory_limit="plenty")


def test_numpy_shares_the_memory():
    r = club().pagerank()
    a, b = np.asarray(r["rank"]), r["rank"].to_numpy()
    assert a.ctypes.data == b.ctypes.data == np.from_dlpack(r["rank"]).ctypes.data and a.dtype == np.float32
    assert not b.flags.writeable
    gone = weakref.ref(r)
    del r
    gc.collect()
    assert gone() is None and a.sum() == pytest.approx(1)  # the array keeps what it needs


def test_columns_of_matrices():
    g = club()
    features = np.arange(68, dtype=np.float32).reshape(34, 2)
    f = g.aggregate(features, op="sum")["f"]
    assert f.shape == (34, 2) and np.asarray(f).shape == (34, 2)
    neighbours = [row - 1 for row in g.csr()[1].tolist()[:16]]
    assert np.allclose(np.asarray(f)[0], features[[n + 1 for n in neighbours]].sum(0))
    half = g.aggregate(features.astype(np.float16), op="max")["f"]
    assert half.format == "e" and half.to_numpy().dtype == np.float16
    with pytest.raises(TypeError, match="features is a matrix of float32 or float16"):
        g.aggregate(features[0])


def test_arrow_and_frames():
    pyarrow = pytest.importorskip("pyarrow")
    polars = pytest.importorskip("polars")
    pandas = pytest.importorskip("pandas")
    g = wg.from_edges(["a", "b"], ["b", "c"], vertices=["z"])
    r = g.bfs("b")
    table = r.to_arrow()
    assert table.column_names == ["id", "level", "parent"]
    assert table["parent"].to_pylist() == [None, "b", "b", None] and table["parent"].null_count == 2
    table.validate(full=True)
    assert pyarrow.array(r["level"]).buffers()[1].address == np.asarray(r["level"]).ctypes.data
    frame = r.to_polars()
    assert frame["id"].to_list() == ["a", "b", "c", "z"] and frame.equals(polars.DataFrame(r))
    assert r.to_pandas().equals(pandas.DataFrame({"id": np.array(["a", "b", "c", "z"], object),
                                                  "level": pandas.array([None, 0, 1, None], "Int64"),
                                                  "parent": np.array([None, "b", "b", None], object)}))
    sparse = wg.from_edges([10, 30], [30, 50])
    assert sparse.bfs(30)["parent"].to_arrow().to_pylist() == [None, 30, 30]
    assert pyarrow.array(sparse.ids).to_pylist() == [10, 30, 50]
    matrix = pyarrow.array(club().aggregate(np.ones((34, 3), np.float32))["f"])
    assert matrix.type == pyarrow.list_(pyarrow.float32(), 3) and len(matrix) == 34
    assert len(club().degree().table.to_arrow()) > 3


def test_tables_behave_like_tables():
    r = wg.from_edges([(1, 2), (2, 3)]).bfs(1)
    assert r.columns == ["id", "level", "parent"] and list(r) == r.columns and "reached" in r and "x" not in r
    assert r.level.tolist() == [0, 1, 2] and r.reached == 3 and dict(zip(r.id, r.level)) == r.to_dict()
    assert list(r.rows()) == [(1, 0, 1), (2, 1, 1), (3, 2, 2)]
    assert r["level"][1] == 1 and r["level"][-1] == 2 and r["level"][:2] == [0, 1] and len(r) == 3
    assert r.vertices("parent").tolist() == [0, 0, 1]
    with pytest.raises(KeyError, match="no column is called 'rank'; there are id, level"):
        r["rank"]
    with pytest.raises(AttributeError):
        r.rank
    with pytest.raises(IndexError):
        r["level"][3]


def test_notebooks_see_a_table_and_a_histogram():
    html = wg.generate.rmat(10).pagerank()._repr_html_()
    assert html.count("<tr>") == 11 and "<svg" in html and "1024 rows" in html
    named = wg.from_edges(["<b>"], ["c"]).bfs("<b>")._repr_html_()
    assert "<b>" not in named.replace("<b>2</b>", "").replace("<b>1</b>", "") and "&lt;b&gt;" in named


def test_no_gpu_is_said():
    if wg.machine()["gpus"]:
        pytest.skip("there is a GPU")
    with pytest.raises(wg.DeviceError, match="GPU"):
        club().pagerank(device="cuda")
    assert wg.machine()["gpu_reason"]


def test_empty_graphs():
    g = wg.from_edges([], [])
    r = g.pagerank()
    assert len(r) == 0 and r["rank"].tolist() == [] and r["rank"].to_numpy().shape == (0,)
    assert repr(r) and r._repr_html_()


def test_columns_of_results_print():
    r = club().pagerank()
    assert repr(r["rank"]).startswith("<column rank: 0.0969971, ") and "34 rows" in repr(r["rank"])
    assert "pagerank of <graph" in repr(r) and "34 rows" in repr(r)
    assert io.StringIO(str(r)).readline()


def test_aggregate_does_not_overlook_weights():
    """There is no parameter for them: a graph with weights is refused, with the way to one without."""
    g = wg.from_edges([("a", "b", 2.0), ("b", "c", 3.0)])
    x = np.array([[1], [2], [4]], np.float32)
    for call in (lambda: g.aggregate(x), lambda: g.plan("aggregate", features=x), lambda: g.run(("aggregate", {"features": x}))):
        with pytest.raises(wg.ParameterError, match=r"aggregate does not use weights.*graph\.weighted_by\(None\)"):
            call()
    bare = g.weighted_by(None)
    assert bare.ids.tolist() == ["a", "b", "c"] and bare.aggregate(x)["f"].tolist() == [[0], [1], [2]]
