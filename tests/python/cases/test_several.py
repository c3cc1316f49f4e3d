"""What changed from one graph to another, graphs that are equal, and graphs joined."""
import random
from collections import Counter

import pytest
import weftgraph as wg


@pytest.fixture
def monday():
    return wg.from_edges([1, 2, 3, 4], [2, 3, 1, 5], [5, 6, 7, 1])


@pytest.fixture
def tuesday():
    return wg.from_edges([1, 2, 3, 7], [2, 3, 7, 2], [5, 60, 7, 1])


def test_what_changed(monday, tuesday):
    c = wg.compare(monday, tuesday)
    assert not c.equal and c.weights_compared and c.places is None
    assert c.vertices_removed.tolist() == [4, 5] and c.vertices_added.tolist() == [7]
    assert list(c.edges_removed.rows()) == [(3, 1, 7), (4, 5, 1)] and list(c.edges_added.rows()) == [(3, 7, 7), (7, 2, 1)]
    assert c.weights_changed.columns == ["source", "target", "before", "after"] and list(c.weights_changed.rows()) == [(2, 3, 6, 60)]
    assert c.scalars == {"vertices_a": 5, "vertices_b": 4, "vertices_removed": 2, "vertices_added": 1, "edges_a": 4, "edges_b": 4,
                         "edges_removed": 2, "edges_added": 2, "weights_changed": 1}
    assert repr(c) == "<changes: 2 vertices removed, 1 vertex added, 2 edges removed, 2 edges added, 1 weight changed>"
    assert len(c.edges_added.to_pandas()) == 2
    ends = wg.compare(monday, tuesday, weights=False)
    assert not ends.weights_compared and len(ends.weights_changed) == 0 and len(ends.edges_removed) == 2
    assert repr(wg.compare(monday, monday)) == "<changes: none, the graphs are equal>"
    bare = wg.from_edges([1, 2, 3, 4], [2, 3, 1, 5])
    assert repr(wg.compare(monday, bare)) == "<changes: one graph has weights, the other has none>"
    assert wg.compare(monday, bare, weights=False).equal


def test_places(monday, tuesday):
    table = wg.compare(monday, tuesday, by="degree.in", top=2).places
    assert list(table.rows()) == [(2, 1, 1, 1, 2), (3, 1, 2, 1, 1), (1, 1, 4, 1, 0)]
    assert list(wg.compare(monday, tuesday, by=("bfs", {"source": 1}), top=1).places.rows()) == [(7, None, 1, None, 3), (3, 1, 2, 2, 2)]
    ranks = wg.compare(monday, tuesday, by="pagerank").places
    assert ranks["id"].tolist()[:2] == [2, 3] and ranks["before"].tolist()[0] == 1 and len(ranks.to_pandas()) == len(ranks)
    with pytest.raises(ValueError, match="components has no number"):
        wg.compare(monday, tuesday, by="components")
    with pytest.raises(wg.NotFoundError):
        wg.compare(monday, tuesday, by="pagerang")


def test_places_are_of_vertices():
    """Also where there are as many edges as vertices, or as many rows of a list."""
    ring = wg.from_edges([1, 2, 3], [2, 3, 1])
    more = {"edges": True}
    for by in (("triangles.support", more), ("betweenness.edge_betweenness", more), ("triangles.source", more), ("ppr.rank", {"seeds": [1], "per_seed": 3})):
        with pytest.raises(ValueError, match="has no number .* for each vertex"):
            wg.compare(ring, ring, by=by)
    assert wg.compare(ring, ring, by=("triangles", more)).places["value_after"].tolist() == [1, 1, 1]


def test_equal_graphs(monday, tuesday):
    again = wg.from_edges([4, 3, 2, 1], [5, 1, 3, 2], [1, 7, 6, 5])
    assert monday == again and hash(monday) == hash(again) and monday != tuesday and monday in [tuesday, again]
    assert len({monday, again, tuesday}) == 2
    assert monday == wg.from_edges([4, 3, 2, 1], [5, 1, 3, 2], [1.0, 7.0, 6.0, 5.0])
    assert monday != wg.from_edges([1, 2, 3, 4], [2, 3, 1, 5])
    assert monday != wg.from_edges([1, 2, 3, 4], [2, 3, 1, 5], [5, 6, 7, 1], directed=False)
    assert wg.from_edges([1], [2]) != wg.from_edges(["1"], ["2"])  # a number is no name
    assert wg.from_edges([1], [2]) != wg.from_edges([1], [3])
    assert wg.from_edges([], []) == wg.from_edges([], []) and monday != "monday" and monday != 1
    twice = wg.from_edges([1, 1], [2, 2], [3, 4], duplicates="keep")
    assert twice == wg.from_edges([1, 1], [2, 2], [4, 3], duplicates="keep") and twice != wg.from_edges([1, 1], [2, 2], [4, 4], duplicates="keep")


def test_objects_as_ids():
    x = wg.from_edges(["a", "b", (1, 2)], ["b", (1, 2), "a"], [1, 2, 3])
    y = wg.from_edges([(1, 2), "a", "c"], ["a", "b", "a"], [3, 5, 1])
    c = wg.compare(x, y, by="degree.out", top=1)
    assert c.vertices_added.tolist() == ["c"] and c.vertices_removed.tolist() == []
    assert list(c.edges_removed.rows()) == [("b", (1, 2), 2)] and list(c.edges_added.rows()) == [("c", "a", 1)]
    assert list(c.weights_changed.rows()) == [("a", "b", 1, 5)]
    assert c.places["id"].tolist()[0] in ("a", (1, 2), "c")
    assert x == wg.from_edges([(1, 2), "b", "a"], ["a", (1, 2), "b"], [3, 2, 1]) and x != y
    strings = wg.from_edges(["a"], ["b"], [1])
    assert list(wg.compare(x, strings).vertices_removed) == [(1, 2)] and strings == wg.from_edges(["a"], ["b"], [1])
    merged = wg.merge(x, y, duplicates="sum")
    assert set(merged.ids) == {"a", "b", (1, 2), "c"} and merged.to_networkx()["a"]["b"]["weight"] == 6
    undirected = wg.from_edges(["a", (1,)], [(1,), (1,)], directed=False)
    assert undirected == wg.from_edges([(1,), (1,)], ["a", (1,)], directed=False)
    assert set(wg.merge(undirected, undirected, mode="intersection").ids) == {"a", (1,)}


def edges(g):
    found = g.to_networkx().edges(data=True)
    return Counter(((u, v) if g.directed else tuple(sorted((u, v)))) + (data.get("weight"),) for u, v, data in found)


def test_random_pairs():
    """More of them, in files: tests/cli/random_pairs.py."""
    pytest.importorskip("networkx")
    for seed in range(40):
        dice = random.Random(seed)
        directed, weighted = dice.random() < 0.5, dice.random() < 0.5

        def graph():
            ends = [(dice.randint(0, 9) * 3, dice.randint(0, 9) * 3) for _ in range(dice.randint(0, 30))]
            return wg.from_edges([u for u, _ in ends], [v for _, v in ends], [dice.randint(1, 3) for _ in ends] if weighted else None,
                                 directed=directed, duplicates="min", vertices=dice.sample(range(30), 3))

        a, b = graph(), graph()
        c, x, y = wg.compare(a, b), edges(a), edges(b)
        pairs = {e[:2] for e in x} & {e[:2] for e in y}
        assert set(c.vertices_removed) == set(a.ids) - set(b.ids) and set(c.vertices_added) == set(b.ids) - set(a.ids)
        for table, of in ((c.edges_removed, x), (c.edges_added, y)):
            assert {row[:2] for row in table.rows()} == {e[:2] for e in of} - pairs
        assert len(c.weights_changed) == len({e for e in x if e[:2] in pairs} - set(y))
        assert (a == b) == (set(a.ids) == set(b.ids) and x == y)
        union, both, rest = (wg.merge(a, b, mode=mode, duplicates="min") for mode in ("union", "intersection", "difference"))
        assert set(union.ids) == set(a.ids) | set(b.ids) and set(both.ids) == set(a.ids) & set(b.ids) and set(rest.ids) == set(a.ids)
        assert {e[:2] for e in edges(union)} == {e[:2] for e in x} | {e[:2] for e in y}
        assert {e[:2] for e in edges(both)} == pairs and edges(rest) == Counter({e: 1 for e in x if e[:2] not in pairs})


def test_merged_graphs(monday, tuesday):
    with pytest.raises(wg.ParameterError, match="first from 2 to 3: 6, 60"):
        wg.merge(monday, tuesday)
    assert wg.merge(monday, tuesday, duplicates="sum").to_networkx()[1][2]["weight"] == 10
    assert wg.merge(monday, tuesday, duplicates="mean").weight_type == "f64"
    assert wg.merge(monday, tuesday, duplicates="keep").edges == 8
    assert wg.merge(monday, wg.from_edges([1], [2]), duplicates="count").weight_type == "u32"
    assert wg.merge(monday) == monday and wg.merge(monday, monday) == monday
    assert wg.merge(monday, tuesday, mode="difference").edges == 2
    for wrong in (lambda: wg.merge(), lambda: wg.merge([monday]), lambda: wg.merge(monday, 3)):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(ValueError, match="mode is one of"):
        wg.merge(monday, tuesday, mode="both")
    with pytest.raises(wg.ParameterError, match="directed"):
        wg.merge(monday, wg.generate.karate())
    with pytest.raises(wg.ParameterError, match="directed"):
        wg.compare(monday, wg.generate.karate())
