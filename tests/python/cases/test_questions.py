"""Parts of graphs, paths between two vertices, several algorithms at once, partitions, and reports."""
import pytest
import weftgraph as wg


@pytest.fixture
def g():
    """A triangle with a tail, and a pair."""
    return wg.from_edges([1, 2, 1, 3, 4, 8], [2, 3, 3, 4, 5, 9], weights=[1, 1, 5, 2, 2, 3], directed=False)


def ids(graph):
    return graph.ids.tolist()


def test_a_part_has_the_ids_of_the_whole(g):
    part = g.subgraph(largest_component="weak")
    assert ids(part) == [1, 2, 3, 4, 5] and part.left_out == (2, 1) and g.left_out == (0, 0)
    assert ids(g.subgraph(core=2)) == [1, 2, 3]
    assert ids(g.subgraph(ego=4)) == [3, 4, 5] and ids(g.subgraph(ego=[5, 8], radius=1)) == [4, 5, 8, 9]
    assert ids(g.subgraph([3, 1, 9])) == [1, 3, 9] and ids(g.subgraph([])) == []
    assert g.subgraph(min_weight=2, max_weight=3).edges == 3
    assert ids(g.subgraph(min_degree=2, max_degree=2)) == [1, 2, 4]
    assert ids(g.subgraph(largest_component="weak", min_weight=3)) == [1, 3]
    assert g.subgraph(sample_vertices=0).vertices == 0 and g.subgraph(sample_edges=0).edges == 0
    assert g.subgraph(sample_edges=0.5, seed=1).fingerprint() == g.subgraph(sample_edges=0.5, seed=1, threads=1).fingerprint()


def test_what_cannot_be_is_refused(g):
    with pytest.raises(wg.NotFoundError):
        g.subgraph([7])
    with pytest.raises(ValueError, match="largest_component"):
        g.subgraph(largest_component="big")
    with pytest.raises(wg.ParameterError, match="sample_edges"):
        g.subgraph(sample_edges=2)
    with pytest.raises(wg.NotFoundError):
        g.path(1, 77)


def test_paths(g):
    assert g.path(1, 5, weights=False) == [([1, 3, 4, 5], 3.0)]
    assert g.path(1, 5) == [([1, 2, 3, 4, 5], 6.0)] == g.path(1, 5, weights=True)
    assert g.path(1, 5, count=5) == [([1, 2, 3, 4, 5], 6.0), ([1, 3, 4, 5], 9.0)]
    assert g.path(1, 9) == [] == g.path(1, 5, avoid=[4])
    assert g.path(2, 2) == [([2], 0.0)]
    plain = wg.from_edges([1, 2], [2, 3])
    assert plain.path(1, 3) == [([1, 2, 3], 2.0)]
    with pytest.raises(wg.ParameterError, match="the graph has none"):
        plain.path(1, 3, weights=True)
    debt = wg.from_edges([1, 1], [2, 3], weights=[1.0, -2.0])
    with pytest.raises(wg.InputError, match="weight -2, but .*; weights=False counts hops"):
        debt.path(1, 2)
    assert debt.path(1, 2, weights=False) == [([1, 2], 1.0)]


def test_several_sources_have_their_own_parameter(g):
    assert g.bfs(sources=[1, 8], each=True).table["source_reached"].tolist() == [5, 2]
    with pytest.raises(TypeError, match="several go to sources="):
        g.bfs([1, 8])


def test_several_algorithms_in_one_table(g):
    table = g.run("degree", "kcore", ("components", {"strong": True}), "components", threads=1, verify=True)
    assert table.columns == ["id", "in", "out", "total", "core", "components.component", "components2.component"]
    assert table["core"].tolist() == g.kcore()["core"].tolist() and table.id.tolist() == ids(g)
    assert [r.algorithm for r in table.results] == ["degree", "kcore", "components", "components"]
    assert table["components.component"].tolist() == [1, 1, 1, 1, 1, 8, 8] and len(table) == 7
    assert g.run("bfs", ("bfs", {"source": 8}))["bfs2.level"].tolist()[-2:] == [0, 1]
    assert g.run().columns == ["id"]
    with pytest.raises(wg.NotFoundError, match="no algorithm"):
        g.run("pagerang")
    table = g.run("pagerank", "hits")
    assert table.to_pandas().columns.tolist() == table.columns and "rank" in repr(table)


def test_objects_as_ids():
    nx = pytest.importorskip("networkx")
    whole = nx.Graph([((0, 0), (0, 1)), ((0, 1), "x"), ("y", "z")])
    g = wg.from_networkx(whole)
    part = g.subgraph(largest_component="weak")
    assert set(ids(part)) == {(0, 0), (0, 1), "x"}
    assert part.path((0, 0), "x") == [([(0, 0), (0, 1), "x"], 2.0)]
    assert ids(g.subgraph(ego=(0, 0), radius=0)) == [(0, 0)]


def test_partitions_are_judged(g):
    labels = {1: "a", 2: "a", 3: "a", 4: "b", 5: "b", 8: "b", 9: "b"}
    q = g.quality(labels)
    assert q.columns == ["community", "size", "internal", "cut", "conductance", "pieces"]
    assert list(q.rows()) == [("b", 4, 2.0, 1.0, 0.2, 2), ("a", 3, 3.0, 1.0, 0.2, 1)]
    assert q.modularity == q.scalars["modularity"] == pytest.approx(5 / 6 - 74 / 144) and q.disconnected == 1
    assert "modularity 0.3194" in repr(q) and q.to_dict()["community"] == ["b", "a"]
    assert g.quality([{1, 2, 3}, {4, 5, 8, 9}]).scalars == g.quality(["x", "x", "x", None, None, None, None]).scalars == q.scalars
    assert g.quality(g.components().component).coverage == 1
    assert g.quality(labels, weights=True).cut.tolist() == [2.0, 2.0]
    assert g.quality(labels, resolution=2.0, threads=1).cpm == 5 - 2 * 9
    whole = wg.from_edges([((1, 2), "x")])
    assert whole.quality({(1, 2): 0, "x": 0}).size.tolist() == [2]
    for kind, arguments in [
        (ValueError, ([1, 2],)), (ValueError, ({1: 1},)), (ValueError, ([{1, 2, 3}, {3, 4, 5, 8, 9}],)), (ValueError, ([{1, 2}, {3}],)),
        (wg.NotFoundError, ({77: 1},)), (TypeError, ([[]] * 7,)), (TypeError, (5,)),
    ]:
        with pytest.raises(kind):
            g.quality(*arguments)
    with pytest.raises(wg.ParameterError, match="resolution"):
        g.quality(labels, resolution=0)
    with pytest.raises(wg.ParameterError, match="has none"):
        wg.generate.karate().quality([0] * 34, weights=True)


def test_partitions_are_compared(g):
    found = wg.agreement([0, 0, 0, 1, 1, 1], ["x", "x", "y", "y", "z", "z"])
    assert found["nmi"] == pytest.approx(0.515803742979388782, abs=1e-13) and found["ari"] == pytest.approx(8 / 33, abs=1e-13)
    assert found["communities_a"] == 2 and found["communities_b"] == 3 and found["homogeneity"] > found["completeness"]
    with pytest.raises(ValueError, match="1 label and 2 labels$"):
        wg.agreement([0], [0, 1])
    assert wg.agreement({1: "a", 2: "b"}, {2: 7, 1: 8})["ami"] == 1 and wg.agreement([], [])["nmi"] == 1
    assert wg.agreement(g.components().component, g.labelprop().label)["completeness"] <= 1
    found, fine = g.leiden(), g.leiden(resolution=4)
    for a, b in [(found, fine), (found.communities(), fine), (found.to_dict(), fine.communities())]:
        assert wg.agreement(a, b) == wg.agreement(found.community, fine.community)
    assert g.quality(found).scalars["modularity"] == pytest.approx(found["modularity"])
    assert g.leiden(initial=found.communities()).to_dict() == g.leiden(initial=found).to_dict()
    for kind, arguments in [(TypeError, ({1, 2}, {3, 4})), (TypeError, ("aab", "abb")), (ValueError, (g.pagerank(), found)),
                            (ValueError, ([1], [1, 2])), (ValueError, ({1: 1}, {2: 1})), (TypeError, ({1: 1}, [1])), (TypeError, ([[]], [1]))]:
        with pytest.raises(kind):
            wg.agreement(*arguments)


def test_a_report_is_a_page_and_its_figures(g, tmp_path):
    r = g.report(tmp_path / "page.html", labels={1: "Anna", 9: 'B, "C"\n<D>'}, quick=True, threads=1)
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == r.html and r.html.startswith("<!")
    assert r.figures["vertices"] == 7 and r.figures["edges"] == 6 and not r.figures["directed"]
    assert "Anna" in r.html and "<D>" not in r.html and repr(r).startswith("<report: 7 vertices, 6 edges")
    assert "<iframe" in r._repr_html_() and "<!" not in r._repr_html_()
    assert "(0, 1)" in wg.from_edges([((0, 1), "x")]).report(quick=True).html


def test_reports_that_are_refused(g):
    for kind, arguments in [
        (wg.OutOfMemoryError, {"memory_limit": "1 KiB"}), (wg.ParameterError, {"replicates": -1}), (ValueError, {"device": "abacus"}),
        (wg.NotFoundError, {"labels": {77: "nobody"}}),
    ]:
        with pytest.raises(kind):
            g.report(**arguments)


def test_the_projection_of_a_side():
    g = wg.from_edges([("ann", "p1"), ("bob", "p1"), ("bob", "p2"), ("cyd", "p1"), ("cyd", "p2")], directed=False)
    people = g.project()
    assert list(people.ids) == ["ann", "bob", "cyd"] and people.edges == 3
    assert g.project(1, weights="newman").vertices == 2
    assert g.bipartite().side.tolist() == [0, 0, 0, 1, 1]
    mixing = people.mixing(groups={"ann": "x", "bob": "y", "cyd": "y"}, transitivity=False)
    assert mixing.density == 1 and mixing.group_assortativity == pytest.approx(-0.5)
    with pytest.raises(wg.ParameterError, match="not the name of a side"):
        g.project("author")
    with pytest.raises(wg.ParameterError, match="odd cycle of 3"):
        people.project()
    with pytest.warns(wg.WeftWarning, match="has no sides of its own: the smallest vertex of each of its 2 components") as told:
        two = wg.from_edges([("a", "p"), ("b", "q")]).project()
    assert len(told) == 1 and told[0].filename == __file__ and two.notes == (str(told[0].message),)
    assert people.notes == ()
