"""Attributes of vertices: read, given, shown as columns and frames, to NetworkX and back."""
import copy
import datetime as dt
import pickle

import numpy as np
import pytest

import weftgraph as wg

COLUMNS = {"label": ["Ann", None, "Cid \u00e9"], "age": [31, -5, None], "x": [0.5, 2.0, float("inf")], "ok": [True, None, False],
           "born": [dt.date(1990, 1, 2), None, dt.date(2001, 12, 31)],
           "seen": [dt.datetime(2024, 3, 1, 12, 30, 0, 250, tzinfo=dt.timezone.utc), None, None],
           "local": [dt.datetime(1969, 12, 31, 23, 59, 59), None, None], "none": [None, None, None]}


def small():
    return wg.from_edges([7, 9], [9, 12])


def test_columns_of_edges(tmp_path):
    path = tmp_path / "paid.csv"
    path.write_text("from,to,amount,date,ok\na,b,10,2024-03-01,true\nb,c,7,,\na,b,4,2024-01-15,false\n")
    g = wg.read(path, keep=["amount", "date", "ok"], duplicates="keep")
    day = dt.date
    assert g.edge_table() == {"source": ["a", "a", "b"], "target": ["b", "b", "c"], "amount": [10, 4, 7],
                              "date": [day(2024, 3, 1), day(2024, 1, 15), None], "ok": [True, False, None]}
    assert g.filter_edges("amount > 5 and date >= 2024-02-01").edge_table()["amount"] == [10]
    assert g.weighted_by("amount").edge_table()["weight"] == [10, 4, 7]
    bare = g.weighted_by("amount").weighted_by(None)
    assert not bare.weighted and bare == g and bare.edge_table() == g.edge_table() and bare.csr()[2] is None
    assert g.edge_table().to_pandas()["ok"].isna().tolist() == [False, False, True]
    one = wg.read(path, keep="amount", merge={"amount": "sum"}, edges_where="ok = true or amount = 4")
    assert one.edge_table()["amount"] == [14] and one.vertices == 2
    assert one.to_networkx().edges["a", "b"] == {"amount": 14}
    with pytest.raises(wg.InputError, match="no rule merges"):
        wg.read(path, keep="amount")
    with pytest.raises(wg.NotFoundError):
        g.weighted_by("nothing")


def test_columns_come_back():
    g = small()
    h = g.with_attributes(COLUMNS)
    assert h.vertex_table() == {"id": [7, 9, 12], **COLUMNS}
    assert h.fingerprint() == g.fingerprint() and g.vertex_table() == {"id": [7, 9, 12]}
    assert h.pagerank()["rank"].tolist() == g.pagerank()["rank"].tolist()
    assert pickle.loads(pickle.dumps(h)).vertex_table() == copy.deepcopy(h.vertex_table())
    assert h.with_attributes(age={12: 1}, more=np.array([1, 2, 3])).vertex_table()["age"] == [None, None, 1]
    assert list(h.with_attributes(age=[1, 2, 3]).vertex_table()) == ["id", *COLUMNS]  # replaced where it was
    part = h.subgraph([12, 9]).vertex_table()
    assert part["id"] == [9, 12] and part["label"] == [None, "Cid \u00e9"] and part["seen"] == [None, None]
    assert g.with_attributes({"id": [1, 2, 3]}).vertex_table() == {"id": [7, 9, 12], "id_": [1, 2, 3]}
    both = g.with_attributes({"id": [1, 2, 3], "id_": [4, 5, 6]})
    assert both.vertex_table() == {"id": [7, 9, 12], "id__": [1, 2, 3], "id_": [4, 5, 6]}


def address_of(column):
    """Where the values of a column of the library are."""
    pa = pytest.importorskip("pyarrow")
    return pa.array(column).buffers()[1].address


def test_frames_share_numbers(tmp_path):
    """The buffers of frames are the graph's, also after the graph is gone, and of a file that is mapped."""
    pytest.importorskip("pyarrow")
    made = small().with_attributes(COLUMNS)
    made.write(tmp_path / "g.weft")
    for g in (made, wg.read(tmp_path / "g.weft")):
        arrays = dict(g._handle.attribute_arrays())
        assert sorted(arrays) == ["age", "x"]
        frame = g.vertex_table().to_arrow()
        assert frame.to_pydict() == {"id": [7, 9, 12], **COLUMNS}
        for name, nulls in (("age", 1), ("x", 0)):
            [chunk] = frame[name].chunks
            assert chunk.buffers()[1].address == address_of(arrays[name]) and chunk.null_count == nulls
        del g, arrays
        assert frame["age"].to_pylist() == COLUMNS["age"]
    changed = made.vertex_table()
    changed["x"][0] = 7.5
    changed["age"] = [1, 2, 3]
    assert changed.to_arrow()["x"].to_pylist() == [7.5, *COLUMNS["x"][1:]] and changed.to_arrow()["age"].to_pylist() == [1, 2, 3]
    assert made.vertex_table().to_arrow()["x"].to_pylist() == COLUMNS["x"]
    assert pickle.loads(pickle.dumps(made.vertex_table())) == made.vertex_table()


def test_edge_frames_share_numbers():
    pytest.importorskip("pyarrow")
    g = wg.from_edges([1, 2, 3], [2, 3, 1], weights=[0.5, 1.5, 2.5]).with_edge_columns({"n": [4, None, 6], "s": ["a", None, "b"]})
    frame = g.edge_table().to_arrow()
    assert frame["n"].to_pylist() == [4, None, 6] and frame["s"].to_pylist() == ["a", None, "b"]
    assert frame["n"].chunks[0].buffers()[1].address == address_of(dict(g._handle.edge_column_arrays())["n"])
    assert frame["weight"].chunks[0].buffers()[1].address == address_of(g.csr()[2])
    both = wg.from_edges([1, 2], [2, 3], directed=False).with_edge_columns({"n": [4, 6]})
    assert both.edge_table().to_arrow().to_pydict() == {"source": [1, 2], "target": [2, 3], "n": [4, 6]}
    ranks = g.pagerank()
    assert ranks.to_arrow()["rank"].chunks[0].buffers()[1].address == address_of(ranks["rank"])


def test_polars_shares_numbers():
    pl = pytest.importorskip("polars")
    g = small().with_attributes(x=[0.5, 2.0, 3.0], age=[31, None, 5])
    frame = g.vertex_table().to_polars()
    assert frame["age"].to_list() == [31, None, 5] and frame["id"].to_list() == [7, 9, 12]
    assert frame["x"].to_numpy(allow_copy=False).__array_interface__["data"][0] == address_of(dict(g._handle.attribute_arrays())["x"])
    assert isinstance(frame, pl.DataFrame)


@pytest.mark.parametrize("name", ["g.weft", "g.graphml", "g.gexf", "g.json", "g.cyjs"])
def test_files_keep_them(tmp_path, name):
    columns = {k: COLUMNS[k] for k in ("label", "age", "ok")}
    small().with_attributes(columns).write(tmp_path / name)
    assert {k: v for k, v in wg.read(tmp_path / name).vertex_table().items() if k != "id"} == columns


def test_a_table_of_nodes(tmp_path):
    (tmp_path / "e.csv").write_text("source,target\na,b\n")
    (tmp_path / "n.csv").write_text('id,when,code\nb,2024-03-01,007\na,,1\n')
    table = wg.read(tmp_path / "e.csv", nodes=str(tmp_path / "n.csv")).vertex_table()
    assert table == {"id": ["a", "b"], "when": [None, dt.date(2024, 3, 1)], "code": ["1", "007"]}
    (tmp_path / "more.csv").write_text("name,size\nc,3\n")
    table = wg.read(tmp_path / "e.csv", nodes=[tmp_path / "n.csv", f"{tmp_path}/more.csv:name"]).vertex_table()
    assert (table["id"], table["size"], table["code"]) == (["a", "b", "c"], [None, None, 3], ["1", "007", None])


@pytest.mark.parametrize("columns, error, words", [
    ({"x": [1]}, ValueError, "'x' has 1 value, the graph 3"),
    ({"x": [1, "a", 2]}, TypeError, "all of one kind, not int and str"),
    ({"x": [[1], 2, 3]}, TypeError, "list"),
    ({"x": [dt.date(2024, 1, 1), dt.datetime(2024, 1, 1), None]}, TypeError, "not of one kind"),
    ({"x": {5: 1}}, KeyError, "no vertex 5"),
    ({"": [1, 2, 3]}, TypeError, "not empty"),
    ({3: [1, 2, 3]}, TypeError, "called by texts"),
    ({"a\0b": [1, 2, 3]}, ValueError, "NUL"),
    ({"x": [2**63, 1, 2]}, OverflowError, "beyond 64 bits"),
])
def test_what_is_none_is_refused(columns, error, words):
    with pytest.raises(error, match=words):
        small().with_attributes(columns)


def test_arrays_that_the_graph_keeps_are_watched_still():
    offsets, targets = np.array([0, 1, 1], np.uint64), np.array([1], np.uint32)
    g = wg.from_csr(offsets, targets).with_attributes(x=[1, 2])
    assert g.vertex_table()["x"] == [1, 2]
    del offsets, targets
    assert g.degree()["total"].tolist() == [1, 1]


def test_frames():
    pd = pytest.importorskip("pandas")
    g = small()
    frame = pd.DataFrame({"id": [12, 7], "age": [3.5, float("nan")], "name": ["Cid", None], "when": pd.to_datetime(["2024-03-01", None])})
    table = g.with_attributes(frame).vertex_table()
    assert table["name"] == [None, None, "Cid"] and table["when"] == [None, None, dt.datetime(2024, 3, 1)]
    assert table["age"][1:] == [None, 3.5] and table["age"][0] != table["age"][0]
    assert g.with_attributes(frame.set_index("id")).vertex_table()["name"] == table["name"]
    back = g.with_attributes(COLUMNS).vertex_table().to_pandas()
    assert back.index.tolist() == [7, 9, 12] and back.index.name == "id"
    assert str(back["age"].dtype) == "Int64" and str(back["ok"].dtype) == "boolean" and str(back["x"].dtype) == "float64"
    assert back["seen"][7] == COLUMNS["seen"][0] and pd.isna(back["seen"][9])
    with pytest.raises(KeyError, match="no vertex 5"):
        g.with_attributes(pd.DataFrame({"id": [5], "x": [1]}))
    with pytest.raises(ValueError, match="an id comes twice"):
        g.with_attributes(pd.DataFrame({"id": [7, 7], "x": [1, 2]}))


def test_series_go_by_their_index():
    pd = pytest.importorskip("pandas")
    g = small()

    def given(*args, **how):
        return g.with_attributes(x=pd.Series(*args, **how)).vertex_table()["x"]

    assert given([1, 2, 3], index=[12, 7, 9]) == [2, 3, 1] and given(["c"], index=[12]) == [None, None, "c"]
    assert given({9: 5, 7: 4}) == [4, 5, None] and given([1, 2, 3]) == [1, 2, 3]
    assert given([1, 2], index=pd.RangeIndex(7, 10, 2)) == [1, 2, None]
    assert g.with_attributes({"x": pd.Series([1, 2, 3], index=[12, 9, 7])}).vertex_table()["x"] == [3, 2, 1]
    pairs = wg.from_edges([((0, "a"), (1, "b"))])
    by_two = pd.Series([5, 6], index=pd.MultiIndex.from_tuples([(1, "b"), (0, "a")]))
    assert pairs.with_attributes(x=by_two).vertex_table() == {"id": [(0, "a"), (1, "b")], "x": [6, 5]}
    frame = pd.DataFrame({"x": [1, 2, 3]}).sort_values("x", ascending=False)
    for error, words, args in ((KeyError, "no vertex 2", (frame["x"],)),
                               (ValueError, "an id comes twice", ([1, 2, 3], [7, 7, 9])),
                               (KeyError, "no vertex 0", ([1, 2, 3], pd.RangeIndex(3, name="id"))),
                               (ValueError, "'x' has 2 values, the graph 3 vertices", ([1, 2],))):
        with pytest.raises(error, match=words):
            given(*args)
    assert g.with_edge_columns(x=pd.Series([5, 6])).edge_table()["x"] == [5, 6]
    for index in ([1, 0], pd.MultiIndex.from_tuples([(9, 12), (7, 9)])):
        with pytest.raises(ValueError, match="'x' is a series with an index, but edges have no ids"):
            g.with_edge_columns(x=pd.Series([5, 6], index=index))


def test_networkx_keeps_what_nodes_have():
    nx = pytest.importorskip("networkx")
    club = nx.karate_club_graph()
    assert dict(wg.from_networkx(club).to_networkx().nodes(data=True)) == dict(club.nodes(data=True))
    g = nx.Graph([(("a", 1), "b")])
    g.nodes["b"].update(z=3, bad=[1])
    with pytest.warns(UserWarning, match="not kept: bad"):
        assert wg.from_networkx(g).vertex_table() == {"id": [("a", 1), "b"], "z": [None, 3]}


def test_igraph_and_back():
    igraph = pytest.importorskip("igraph")
    there = igraph.Graph(4, [(0, 1), (1, 2), (1, 2)], directed=True)
    there.vs["name"], there.vs["age"], there.vs["odd"] = ["c", "b", "a", "alone"], [1, None, 3, 4], [object()] * 4
    there.es["weight"] = [2, 3, 4]
    with pytest.warns(UserWarning, match="from_igraph.*odd"):
        g = wg.from_igraph(there)
    assert g.vertex_table() == {"id": ["a", "alone", "b", "c"], "age": [3, 4, None, 1]}
    assert sorted(zip(*g.edge_table().values())) == [("b", "a", 3), ("b", "a", 4), ("c", "b", 2)]
    back = g.to_igraph()
    assert back.vs["name"] == ["a", "alone", "b", "c"] and back.vs["age"] == [3, 4, None, 1] and back.is_directed()
    assert wg.from_igraph(back) == g
    numbers = wg.from_edges([7, 9], [9, 12])
    assert wg.from_igraph(numbers.to_igraph()) == numbers


def test_two_kinds_of_vertices(tmp_path):
    path = tmp_path / "likes.csv"
    path.write_text("user_id,item_id\n1,1\n1,2\n2,2\n")
    with pytest.raises(wg.InputError, match="two kinds"):
        wg.read(path)
    one = wg.read(path, sides="one")
    assert one.sides is None and one.vertices == 2
    g = wg.read(path, sides="two")
    assert g.sides == ("user_id", "item_id") and not g.directed
    assert g.vertex_table() == {"id": ["item_id:1", "item_id:2", "user_id:1", "user_id:2"], "side": ["item_id"] * 2 + ["user_id"] * 2}
    assert g.neighbors("item_id:2") == ["user_id:1", "user_id:2"] and "user_id:2" in g and "3" not in g
    assert list(g) == g.ids.tolist()
    g.write(tmp_path / "likes.weft")
    assert wg.read(tmp_path / "likes.weft").sides == g.sides
    assert wg.read(tmp_path / "likes.weft", sides="one").sides is None
    with pytest.raises(ValueError):
        g.neighbors("item_id:2", "sideways")


def with_sides(folder):
    """A graph with sides, an attribute that is called as what tells them, and its columns in other libraries."""
    (folder / "likes.csv").write_text("user_id,item_id\n1,7\n1,8\n2,8\n")
    more = {"bipartite_": ["p", "q", "r", "s"], "age": [31, None, 3, 4]}
    g = wg.read(folder / "likes.csv", sides="two").with_attributes(bipartite=more["bipartite_"], age=more["age"])
    return g, more


def come_back(who, there, g, more):
    h = who(there)
    assert h == g and h.sides == g.sides == ("user_id", "item_id")
    assert h.vertex_table() == {"id": [1, 2, 7, 8], "side": g.vertex_table()["side"], **more}


def test_sides_go_to_networkx(tmp_path, recwarn):
    nx = pytest.importorskip("networkx")
    g, more = with_sides(tmp_path)
    there = g.to_networkx()
    assert there.nodes[1] == {"bipartite": 0, "side": "user_id", "bipartite_": "p", "age": 31}
    assert "age" not in there.nodes[2]
    first = [v for v, kind in there.nodes(data="bipartite") if not kind]
    assert list(nx.bipartite.projected_graph(there, first).edges) == [(1, 2)]
    come_back(wg.from_networkx, there, g, more)
    assert not recwarn.list


def test_sides_go_to_igraph(tmp_path, recwarn):
    igraph = pytest.importorskip("igraph")
    g, _ = with_sides(tmp_path)
    there = g.to_igraph()
    assert there.vs["type"] == [False, False, True, True] and there.is_bipartite()
    assert there.bipartite_projection(which=0).ecount() == 1
    come_back(wg.from_igraph, there, g, {"bipartite": ["p", "q", "r", "s"], "age": [31, None, 3, 4]})
    named = wg.from_edges(["x"], ["y"]).with_attributes(name=["p", "q"]).to_igraph()
    assert named.vs["name"] == ["x", "y"] and named.vs["name_"] == ["p", "q"]
    assert not recwarn.list


def test_what_other_libraries_say_of_sides(recwarn):
    nx, igraph = pytest.importorskip("networkx"), pytest.importorskip("igraph")
    path = nx.path_graph(3)
    nx.set_node_attributes(path, {0: 1, 1: 0, 2: 1}, "bipartite")
    g = wg.from_networkx(path)
    assert g.sides == ("0", "1") and g.vertex_table() == {"id": [0, 1, 2], "side": ["1", "0", "1"]}
    nx.set_node_attributes(path, {0: "left", 1: "right", 2: "other"}, "side")  # not what the sides are called
    assert wg.from_networkx(path).vertex_table() == {**g.vertex_table(), "side_": ["left", "right", "other"]}
    assert wg.from_networkx(nx.complete_bipartite_graph(2, 3)).sides == ("0", "1")
    other = igraph.Graph.Bipartite([False, True, False], [(0, 1), (1, 2)])
    assert wg.from_igraph(other).vertex_table() == {"id": [0, 1, 2], "side": ["0", "1", "0"]}
    other.vs["type"] = [0, 1, 0]  # a number, and not what igraph has
    assert wg.from_igraph(other).vertex_table() == {"id": [0, 1, 2], "type": [0, 1, 0]}
    for values in ([0, 0, 1], [0, 0, 0], [0, None, 1], [0, 2, 0], ["0", "1", "0"]):
        nx.set_node_attributes(path, dict(enumerate(values)), "bipartite")
        assert wg.from_networkx(path).sides is None and wg.from_networkx(path).vertex_table()["bipartite"] == values
    assert not recwarn.list


def test_tables_as_dicts_and_arrays():
    g = small().with_attributes(COLUMNS)
    table = g.vertex_table()
    plain, arrays = table.to_dict(), table.to_numpy()
    assert type(plain) is dict and plain == table and list(arrays) == list(table)
    for name, values in table.items():
        assert arrays[name].tolist() == values and arrays[name].shape == (3,)
        assert (arrays[name].dtype == object) == (name not in ("id", "x"))
    assert np.shares_memory(arrays["x"], table.to_numpy()["x"])  # the graph's own
    edges = wg.from_edges([1, 2], [2, 3], [0.5, 2.0]).with_edge_columns(n=[1, 2]).edge_table().to_numpy()
    assert {name: (a.dtype.kind, a.tolist()) for name, a in edges.items()} == {
        "source": ("i", [1, 2]), "target": ("i", [2, 3]), "weight": ("f", [0.5, 2.0]), "n": ("i", [1, 2])}
    assert wg.from_edges([], []).edge_table().to_numpy()["source"].shape == (0,)


def test_sides_that_are_given():
    g = wg.from_edges(["a", "a", "b"], ["x", "y", "y"], [1, 2, 3], directed=False).with_attributes(age=[1, 2, 3, 4])
    assert g.sides is None
    kept = {"id": ["a", "b", "x", "y"], "side": ["user", "user", "item", "item"], "age": [1, 2, 3, 4]}
    for sides in ([0, 0, 1, 1], [False, False, True, True], {"a": 0, "b": 0, "x": 1, "y": 1}, ["user", "user", "item", "item"]):
        h = g.with_sides(sides, ("user", "item"))
        assert h.vertex_table() == kept and h == g and h.edge_table() == g.edge_table()
    assert g.with_sides(["u", "u", "i", "i"]).sides == ("u", "i") and h.with_sides([1, 1, 0, 0]).sides == ("0", "1")
    assert h.project("user").edge_table()["source"] == ["a"]
    with pytest.raises(wg.ParameterError, match="joins a and x, which are both on side '0'"):
        g.with_sides([0, 0, 0, 1])
    for wrong, what in (([0, 1], "2 values, the graph 4 vertices"), ([0, 0, 1, 2], "'y' it is 2"), ([0, 0, 1, None], "'y' it is None"),
                        (["u", "u", "i", "j"], "there are two"), (["u"] * 4, "there are two"), ({"a": 0}, "'b' it is None")):
        with pytest.raises(ValueError, match=what):
            g.with_sides(wrong)
    for names in (("a", "a"), ("", "b"), ("a", "b" * 256), ("a\0b", "c"), ("a",), ("a", 1)):
        with pytest.raises(ValueError):
            g.with_sides([0, 0, 1, 1], names)
    with pytest.raises(KeyError, match="no vertex 'z'"):
        g.with_sides({"z": 1})


def test_frames_of_two_kinds():
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"user": [1, 1, 2], "item": [1, 2, 2]})
    g = wg.from_pandas(frame, "user", "item", sides="two")
    assert g.sides == ("user", "item") and not g.directed
    assert g.ids.tolist() == ["item:1", "item:2", "user:1", "user:2"]
    assert wg.from_pandas(frame, "user", "item", sides="two", directed=True).directed
    assert wg.from_pandas(frame, "user", "item").vertices == 2


def test_columns_of_edges_are_given():
    g = wg.from_edges(["a", "b", "a"], ["b", "c", "c"])
    assert g.edge_table() == {"source": ["a", "a", "b"], "target": ["b", "c", "c"]}
    h = g.with_edge_columns({"x": [1, None, 3]}, day={("a", "c"): dt.date(2024, 3, 1)})
    assert h.edge_table() == {**g.edge_table(), "x": [1, None, 3], "day": [None, dt.date(2024, 3, 1), None]}
    assert h.with_edge_columns(x=["p", "q", "p"]).edge_table()["x"] == ["p", "q", "p"]  # replaced where it was
    assert h.filter_edges("x >= 1").edges == 2 and h == g and "x" not in g.edge_table()
    assert pickle.loads(pickle.dumps(h)).edge_table() == h.edge_table()
    assert h.with_attributes(n=[1, 2, 3]).edge_table() == h.edge_table()
    u = wg.from_edges([1, 2, 3, 3, 2], [2, 3, 1, 3, 1], directed=False, duplicates="keep")
    table = u.with_edge_columns(e=list(range(u.edges))).edge_table()
    assert table["e"] == list(range(5)) and table["source"] == [1, 1, 1, 2, 3] and table["target"] == [2, 2, 3, 3, 3]
    other = wg.from_edges([1, 2], [2, 3], directed=False).with_edge_columns(w={(2, 1): 0.5})
    assert other.edge_table()["w"] == [0.5, None]
    arcs = dict(zip(zip(*[x.edge_table()[k] for x in [other] for k in ("source", "target")]), other.edge_table()["w"]))
    assert arcs == {(1, 2): 0.5, (2, 3): None}
    for columns, error, words in (({"x": [1]}, ValueError, "1 value, the graph 3 edges"), ({"x": {("c", "a"): 1}}, KeyError, "no edge from 'c' to 'a'"),
                                  ({"x": [1, "a", 2]}, TypeError, "all of one kind")):
        with pytest.raises(error, match=words):
            g.with_edge_columns(columns)


def test_frames_keep_columns_of_edges():
    pd, pa = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    columns = {"source": ["a", "b", "a"], "target": ["b", "c", "b"], "amount": [10, 7, 4], "when": pd.to_datetime(["2024-03-01", None, "2024-01-15"]),
               "weight": [1.5, 2.5, 3.5]}
    frame = pd.DataFrame(columns)
    for make, table in ((wg.from_pandas, frame), (wg.from_arrow, pa.Table.from_pandas(frame))):
        g = make(table, keep=["amount", "when"], merge={"amount": "sum", "when": "max"})
        assert g.edge_table() == {"source": ["a", "b"], "target": ["b", "c"], "weight": [1.5, 2.5], "amount": [14, 7],
                                  "when": [dt.datetime(2024, 3, 1), None]}
        few = make(table, keep="amount", edges_where="when < 2024-02-01", weight=False)
        assert few.edge_table() == {"source": ["a"], "target": ["b"], "amount": [4]}
        with pytest.raises(wg.InputError, match="no rule merges"):
            make(table, keep=["amount"])
    same = wg.from_pandas(frame, keep=["amount"], duplicates="keep", directed=False)
    assert same == wg.from_pandas(frame, duplicates="keep", directed=False) and same.edge_table()["amount"] == [10, 4, 7]
    beside = pa.table({"id": ["c", "a"], "size": [1, None], "born": [dt.date(2000, 1, 1), None]})
    assert g.with_attributes(beside).vertex_table()["born"] == [None, None, dt.date(2000, 1, 1)]
    more = pd.DataFrame({"source": ["b"], "target": ["c"], "note": ["x"]})
    assert g.with_edge_columns(more).edge_table()["note"] == [None, "x"]


def test_relations_of_duckdb():
    duckdb, _ = pytest.importorskip("duckdb"), pytest.importorskip("pyarrow")
    relation = duckdb.sql("select 'a' as source, 'b' as target, 5 as amount, date '2024-03-01' as day")
    g = wg.from_arrow(relation, keep=["amount", "day"])
    assert g.edge_table() == {"source": ["a"], "target": ["b"], "amount": [5], "day": [dt.date(2024, 3, 1)]}
    assert g.with_attributes(duckdb.sql("select 'b' as id, 7 as n")).vertex_table()["n"] == [None, 7]


def test_attributes_of_edges_of_others():
    nx = pytest.importorskip("networkx")
    g = nx.MultiDiGraph()
    g.add_edge("x", "y", weight=2, note="first")
    g.add_edge("x", "y", weight=1, note="second")
    g.add_edge("y", "z", weight=5)
    table = wg.from_networkx(g, keep=["note"]).edge_table()
    assert sorted(zip(table["weight"], table["note"]), key=str) == [(1, "second"), (2, "first"), (5, None)]
    club = nx.Graph()
    club.add_edge(3, 1, since=dt.date(2020, 1, 1), ok=True)
    club.add_edge(1, 1, ok=False)
    assert dict(wg.from_networkx(club, keep=["since", "ok"]).to_networkx().edges) == {(1, 1): {"ok": False}, (1, 3): club.edges[3, 1]}
    with pytest.raises(wg.NotFoundError, match="keep: no edge has an attribute 'zz'; they have since, ok$"):
        wg.from_networkx(club, keep=["ok", "zz"])
    assert wg.from_networkx(nx.empty_graph(2), keep="zz").edges == 0
    igraph = pytest.importorskip("igraph")
    there = igraph.Graph(3, [(0, 1), (2, 1)])
    there.es["kind"] = ["p", "q"]
    assert wg.from_igraph(there, keep="kind").edge_table()["kind"] == ["p", "q"]
    with pytest.raises(wg.NotFoundError, match="no edge has an attribute 'zz'; they have kind$"):
        wg.from_igraph(there, keep="zz")


def test_tables_of_vertices_and_edges_in_columns(tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"source": [1, 2], "target": [2, 3], "amount": [0.5, None]}), tmp_path / "e.parquet")
    pq.write_table(pa.table({"id": [3, 1], "name": ["c", None], "seen": [dt.datetime(2024, 3, 1, 12), None], "in": [True, False]}),
                   tmp_path / "n.parquet")
    g = wg.read(tmp_path / "e.parquet", nodes=tmp_path / "n.parquet", keep="amount")
    assert g.edge_table()["amount"] == [0.5, None]
    assert g.vertex_table() == {"id": [1, 2, 3], "name": [None, None, "c"], "seen": [None, None, dt.datetime(2024, 3, 1, 12)], "in": [False, None, True]}
    assert wg.read(tmp_path / "e.parquet", edges_where="amount > 0").edges == 1


def test_reals_of_32_bits_are_what_their_digits_say(tmp_path):
    pa, parquet, np = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet"), pytest.importorskip("numpy")
    single = np.array([0.1, 0.7, np.inf, np.nan], np.float32)
    table = pa.table({"source": [1, 2, 3, 4], "target": [2, 3, 4, 1], "x": single, "y": single.astype(float)})
    parquet.write_table(table, tmp_path / "t.parquet")
    for made in (lambda **how: wg.from_arrow(table, **how), lambda **how: wg.read(tmp_path / "t.parquet", **how)):
        g = made(keep=["x", "y"])
        assert g.edge_table()["x"][:3] == [0.1, 0.7, float("inf")] and g.edge_table()["y"][0] == float(single[0]) != 0.1
        for condition, edges in (("x = 0.1", 1), ("x >= 0.7", 2), ("y = 0.1", 0), ("x = y", 1)):
            assert made(keep=["x", "y"], edges_where=condition).edges == g.filter_edges(condition).edges == edges


def test_what_is_wrong_with_a_frame_is_told_by_row_and_column():
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"source": [1, 2], "target": [2, 3], "x": ["5", "no"], "weight": [1.0, None]})
    for how, sentence in (({}, "the frame: row 2 of column 'weight' is null"),
                          ({"weight": False, "edges_where": "x > 1"}, "the frame: row 2 of column 'x': 'no' is not a number"),
                          ({"weight": False, "edges_where": "y > 1"}, "the frame: `edges_where` y: there is no such column")):
        with pytest.raises(wg.InputError) as told:
            wg.from_pandas(frame, **{"keep": "x", **how})
        assert str(told.value).startswith(sentence) and told.value.path is told.value.line is told.value.column is None
    with pytest.raises(wg.InputError, match="^the frame: column 'x': 2 edges from 1 to 2 become one"):
        wg.from_pandas(frame.assign(source=1, target=2), weight=False, keep="x")
