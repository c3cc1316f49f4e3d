"""From NetworkX's dicts to rows: order, numbers, weights, and objects that do not behave."""
import gc
import random
import sys
import weakref
from fractions import Fraction

import pytest

nx = pytest.importorskip("networkx")

from weftgraph import _weft  # noqa: E402
from weftgraph.nx import convert_from_nx  # noqa: E402


def rows_of(G, attribute=None, default=1):
    return _weft.nx_convert(G._node, G._adj, G.is_directed(), G.is_multigraph(), attribute, default)


def neighbours(rows):
    return {u: rows.neighbours(i, False) for i, u in enumerate(rows)}


@pytest.mark.parametrize("cls", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
@pytest.mark.parametrize("nodes", [range(6), range(5, 0, -1), "hello world", [(0, 1), (1, 0), "x", b"y", 2.5, frozenset()],
                                   [-1, -2, 0, 2**61 - 1, 2**61, 2**70, 1]])
def test_order_and_objects_are_the_graphs_own(cls, nodes):
    nodes = list(nodes)
    G = cls()
    G.add_edges_from((nodes[(5 * i) % len(nodes)], nodes[(3 * i + 1) % len(nodes)]) for i in range(12))
    rows = rows_of(G)
    assert list(rows) == list(G)
    assert all(a is b for a, b in zip(rows, G))
    assert neighbours(rows) == {u: list(G[u]) for u in G}
    assert [rows.number(n) for n in G] == list(range(len(G)))
    assert rows.facts[1] == sum(d for _, d in (G.out_degree() if G.is_directed() else G.degree())) - (
        0 if G.is_directed() else nx.number_of_selfloops(G))


def test_integers_in_order_are_their_own_numbers():
    assert rows_of(nx.path_graph(5)).identity
    assert not rows_of(nx.relabel_nodes(nx.path_graph(5), {0: 9})).identity
    rows = rows_of(nx.path_graph(3))
    assert [rows.number(x) for x in (1, True, 1.0, 2.5, "1", -1, 3, 10**30, float("nan"), [1])] == [
        1, 1, 1, None, None, None, None, None, None, None]


def test_nodes_that_are_equal_are_the_same():
    G = nx.Graph([(2, 0), (1.0, "a")])
    rows = rows_of(G)
    assert rows.number(1) == rows.number(True) == rows.number(1.0) == 2
    assert rows.number(0.0) == 1 and rows.number(False) == 1


def test_weights_are_ints_or_floats():
    def weights(*values):
        G = nx.DiGraph()
        G.add_edges_from((0, i + 1, {"w": w}) for i, w in enumerate(values))
        return rows_of(G, "w").weights

    assert weights(1, 2, True) == (True, True, 0, 2, None)
    assert weights(1.5, 2.0) == (True, False, 0, 2, None)
    assert weights(-1, 2.5)[:4] == (True, False, -1, 2.5)
    assert weights(2**53)[0] and not weights(2**53 + 1)[0] and not weights(2**80)[0]
    for odd in (None, "1", float("nan"), 1j, [1], type("Number", (int,), {})(3)):
        there, *_, why = weights(1, odd, 2)
        assert not there and "weight" in why


def test_missing_weights_have_the_default():
    G = nx.MultiDiGraph([(0, 1, {"w": 5}), (0, 1, {}), (1, 2, {"w": 3})])
    assert rows_of(G, "w", 7).weights[3] == 7
    assert rows_of(G, "other", 2.5).weights == (True, False, 0, 2.5, None)


KINDS = {
    "identity": lambda i: i, "integers": lambda i: 7 * i + 2, "sparse integers": lambda i: 1000 * i + 3, "from one": lambda i: i + 1, "negative": lambda i: 5 - i, "large": lambda i: 2**70 + i,
    "texts": lambda i: ("abcdefghijklmno" * 2)[i % 9: i % 9 + i % 7] + str(i), "long": lambda i: f"a long name, number {i}",
    "umlauts": lambda i: f"ä{i}", "pairs": lambda i: (i // 7, -i), "large pairs": lambda i: (2**62 + i, 2**63 - 1 - i),
    "huge pairs": lambda i: (2**63 + i, 1), "triples": lambda i: (i, 1, 2), "names in pairs": lambda i: (f"a{i}", i), "floats": lambda i: i / 4,
    "one text": lambda i: "" if i == 0 else chr(i), "one other": lambda i: "x" if i == 150 else (i, i),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weight", [None, "w"])
def test_every_kind_of_node(kind, weight):
    """More than are taken at once; labels of edges are objects of their own, and some edges lack the attribute or have others."""
    label = KINDS[kind]
    G = nx.DiGraph()
    G.add_nodes_from(label(i) for i in range(300))
    for i in range(1500):
        data = [{}, {"w": i}, {"w": i / 2}, {"a": 1, "w": i}, {"".join(["w"]): 3}][i % 5]
        G.add_edge(label(i * i % 300), label(i * 7 % 300), **data)
    rows = rows_of(G, weight, 9)
    assert neighbours(rows) == {u: list(G[u]) for u in G}
    for same in (rows, rows.reversed()):
        assert [same.number(label(i)) for i in range(300)] == list(range(300))
    for stranger in (label(300), "no such", 10**9, (1, "x"), (), ("a", "b"), -12345, 0.3, b"a", "ö", "\udc80", (1, 2, 3)):
        assert (rows.number(stranger) is not None) == (stranger in G), stranger
    if weight:
        weights = [d.get("w", 9) for u in G for d in G[u].values()]
        assert list(rows.arrays()[2]) == weights
        assert rows.weights[:4] == (True, False, 0, max(weights))
    assert rows.set_incoming(G._pred, weight, 9)


@pytest.mark.parametrize("kind", ["identity", "integers", "sparse integers", "texts", "pairs", "floats"])
@pytest.mark.parametrize("cls", [nx.Graph, nx.DiGraph])
def test_edges_that_were_added_in_another_order_than_rows(kind, cls):
    """Enough of them that weights are read in the order of memory, of which rows do not learn."""
    label, r = KINDS[kind], random.Random(3)
    G = cls()
    G.add_nodes_from(label(i) for i in range(2000))
    for i in range(70_000):
        data = {"w": i / 4} if i % 3 else {"w": i} if i % 2 else {"other": [i]}
        G.add_edge(label(r.randrange(2000)), label(r.randrange(2000)), **data)
    rows = rows_of(G, "w", 9)
    assert neighbours(rows) == {u: list(G[u]) for u in G}
    weights = [d.get("w", 9) for u in G for d in G[u].values()]
    assert list(rows.arrays()[2]) == weights and rows.weights[:4] == (True, False, 0, max(weights))
    last = list(G[label(1999)])[-1]
    for odd in (None, float("nan"), 2**60):
        G[label(1999)][last]["w"] = odd
        assert not rows_of(G, "w").weights[0]
    G.add_edge(label(0), object(), w=1)  # a node of another kind
    assert neighbours(rows_of(G, "w")) == {u: list(G[u]) for u in G}


@pytest.mark.parametrize("kind", ["sparse integers", "texts", "pairs"])
@pytest.mark.parametrize("others", [0, 3, 300])
def test_edges_have_the_graphs_own_nodes_or_equal_ones(kind, others):
    """Enough of either that one is not looked for any more, and both in turn."""
    label = KINDS[kind]
    G = nx.DiGraph()
    names = [label(i) for i in range(300)]
    G.add_nodes_from(names)
    for i in range(6000):
        u, v = i * i % 300, (i * 7 + i // 300) % 300
        G.add_edge(names[u], names[v] if v >= others else label(v), w=i)
    rows = rows_of(G, "w")
    assert neighbours(rows) == {u: list(G[u]) for u in G}
    assert list(rows.arrays()[2]) == [d["w"] for u in G for d in G[u].values()]


def test_more_weights_than_are_sorted_at_once():
    r = random.Random(4)
    G = nx.Graph()
    G.add_nodes_from(range(5000))
    G.add_weighted_edges_from((r.randrange(5000), r.randrange(5000), r.random()) for _ in range(550_000))
    rows = rows_of(G, "weight")
    assert rows.facts[1] > 1 << 20
    assert list(rows.arrays()[2]) == [d["weight"] for u in G for d in G[u].values()]
    assert list(rows.arrays()[1]) == [v for u in G for v in G[u]]


def test_equal_objects_of_other_types_are_found():
    class Text(str):
        pass

    texts, pairs = rows_of(nx.path_graph(["a", "b", "c"])), rows_of(nx.path_graph([(0, 1), (1, 0), (2, 2)]))
    assert [texts.number(x) for x in (Text("b"), Text("d"), "b")] == [1, None, 1]
    assert [pairs.number(x) for x in ((True, 0.0), (2.0, 2), (0.5, 1), (3.0, 3), (1, 0))] == [1, 2, None, None, 1]
    G = nx.Graph([((0, 1), (1, 0)), ((1.0, 0), (5, 5)), ("x", (5, 5))])
    assert neighbours(rows_of(G)) == {u: list(G[u]) for u in G}
    for step in (0, 1, 7, 1000, 2**40):  # integers in an array, or by their value
        rows = rows_of(nx.path_graph([5, 5 + step, 5 + 3 * step] if step else [5]))
        assert [rows.number(x) for x in (5.0, Fraction(5), 5.5, 4.0, -1.0, 10**30, 2.0**70, float("inf"), True)] == [0, 0] + 7 * [None]
        assert rows.number(5.0 + 3 * step) == (2 if step else 0) and rows.number(5.0 + 2 * step) == (None if step else 0)
        assert rows.number([]) is None
    H = nx.Graph([(0, 1), (1, 2)])
    H.add_edge(2, 0.0)
    assert neighbours(rows_of(H)) == {u: list(H[u]) for u in H}


def test_an_adjacency_in_another_order():
    G = nx.Graph([(0, 1), (1, 2), (2, 3)])
    G._adj = dict(reversed(G._adj.items()))
    assert neighbours(rows_of(G)) == {u: list(G[u]) for u in G}


# --- objects that do not behave --------------------------------------------------------------------------


class Awkward:
    """A node that does something when it is hashed or compared."""

    def __init__(self, number):
        self.number, self.on_hash, self.on_equal = number, None, None

    def __hash__(self):
        if self.on_hash:
            self.on_hash()
        return self.number % 3

    def __eq__(self, other):
        if self.on_equal:
            self.on_equal()
        return isinstance(other, Awkward) and other.number == self.number


def awkward_graph(n=12, cls=nx.Graph):
    nodes = [Awkward(i) for i in range(n)]
    return cls([(nodes[i], nodes[j]) for i in range(n) for j in (i * 5 % n, i * 7 % n)]), nodes


def test_a_hash_that_raises_is_the_error():
    G, nodes = awkward_graph()

    def fail():
        raise ZeroDivisionError("in hash")

    nodes[7].on_hash = fail
    with pytest.raises(ZeroDivisionError, match="in hash"):
        rows_of(G)


def test_a_comparison_that_raises_is_the_error():
    G, nodes = awkward_graph()
    G._adj[nodes[0]][Awkward(3)] = {}

    def fail():
        raise ZeroDivisionError("in eq")

    nodes[3].on_equal = nodes[0].on_equal = fail
    with pytest.raises(ZeroDivisionError, match="in eq"):
        rows_of(G)


@pytest.fixture
def only_new_objects():
    """The collector looks at no other: those of all that is imported would take its time."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("only_new_objects")
@pytest.mark.parametrize("change", ["grow", "shrink", "clear", "clear rows", "clear nodes", "collect"])
@pytest.mark.parametrize("cls", [nx.Graph, nx.MultiDiGraph])
def test_dicts_that_change_while_walked(change, cls):
    G, nodes = awkward_graph(cls=cls)
    adjacency, node = G._adj, G._node
    left = [20]

    def interfere():
        left[0] -= 1
        if left[0] > 0:
            return
        if change == "grow":
            for row in list(adjacency.values()):
                for i in range(100):
                    row[i + 1000] = {}
        elif change == "shrink":
            for row in list(adjacency.values()):
                row.pop(next(iter(row), None), None)
        elif change == "clear":
            adjacency.clear()
        elif change == "clear rows":
            for row in list(adjacency.values()):
                row.clear()
        elif change == "clear nodes":
            node.clear()
            nodes.clear()
        gc.collect()

    for n in list(nodes):
        n.on_hash = interfere
    if change in ("collect", "clear nodes"):
        assert len(rows_of(G)) == 12
    else:
        with pytest.raises((RuntimeError, NotImplementedError)):
            rows_of(G)


def test_an_edge_that_deletes_itself_when_its_attribute_is_looked_up():
    class Attribute(str):
        __hash__ = str.__hash__

        def __eq__(self, other):
            for row in G._adj.values():
                row.clear()
            return str.__eq__(self, other)

    G = nx.DiGraph()
    G.add_edges_from((i, (i + 1) % 9, {Attribute("w"): i}) for i in range(9))
    G.add_edges_from((i, (i + 2) % 9, {Attribute("w"): i}) for i in range(9))
    with pytest.raises(RuntimeError, match="changed size"):
        rows_of(G, "w")


@pytest.mark.parametrize("spoil", ["adjacency", "row", "data", "missing", "stranger"])
def test_what_is_no_plain_dict_is_left_to_networkx(spoil):
    class Other(dict):
        pass

    G = nx.DiGraph([(0, 1, {"w": 1}), (1, 2, {"w": 1})])
    if spoil == "adjacency":
        G._adj = Other(G._adj)
    elif spoil == "row":
        G._adj[1] = Other(G._adj[1])
    elif spoil == "data":
        G._adj[1][2] = Other(w=1)
    elif spoil == "missing":
        G._adj[9] = G._adj.pop(1)
    else:
        G._adj[0]["stranger"] = {}
    with pytest.raises(NotImplementedError):
        rows_of(G, "w")


def test_subclasses_and_views_are_left_to_networkx():
    class Mine(nx.Graph):
        pass

    G = nx.path_graph(4, create_using=nx.DiGraph)
    for other in (Mine(G), G.subgraph([1, 2]), G.to_undirected(as_view=True), nx.restricted_view(G, [1], [])):
        with pytest.raises(NotImplementedError, match="subclass or a view"):
            convert_from_nx(other)


def test_a_converted_graph_does_not_keep_the_original():
    G = nx.path_graph(4)
    converted, gone = convert_from_nx(G), weakref.ref(G)
    del G
    gc.collect()
    assert gone() is None and len(converted) == 4
    with pytest.raises(NotImplementedError, match="gone"):
        converted.original


def test_nodes_that_refer_to_their_conversion_are_collected():
    node = Awkward(1)
    G = nx.Graph([(node, 2)])
    node.rows = rows_of(G)
    gone = weakref.ref(node)
    del node, G
    gc.collect()
    assert gone() is None


def test_references_are_stable():
    names = ["n%d" % i for i in range(40)]
    G = nx.DiGraph([(names[i], names[i * 7 % 40], {"w": 1.5}) for i in range(40)])
    values = {}

    def once():
        g = rows_of(G, "w")
        g.set_incoming(G._pred, "w", 1)
        for what in range(9):
            g.bfs([names[3]], False, -1, what)
        g.dijkstra([names[3]], False, 1e9, None, True)
        g.bidirectional_dijkstra(names[3], names[21])
        g.bidirectional(names[3], names[21])
        g.predecessor([names[3]], 0)
        g.labeled_edges([names[3]])
        g.strong(), g.generations(), g.kosaraju(None), g.cycle(names), g.longest()
        g.dict_of(g.degrees(2)), g.neighbour_sums(g.degrees(0), True)
        values.clear()

    once()
    before = [sys.getrefcount(n) for n in names], sys.getrefcount(None)
    for _ in range(2000):
        once()
    after = [sys.getrefcount(n) for n in names], sys.getrefcount(None)
    assert before[0] == after[0]
    assert abs(before[1] - after[1]) < 100


def test_a_hub_with_many_neighbours():
    """Beyond 2^19 signals are looked for within the row, which goes another way."""
    n = (1 << 19) + 2
    leaf = {0: {"weight": 2.5}}
    adjacency = {0: dict.fromkeys(range(1, n), leaf[0]), **dict.fromkeys(range(1, n), leaf)}
    rows = _weft.nx_convert(dict.fromkeys(adjacency, {}), adjacency, False, False, "weight", 1)
    offsets, targets, weights = rows.arrays()
    assert list(offsets[:2]) == [0, n - 1] and offsets[n] == 2 * (n - 1)
    assert list(targets[:n - 1]) == list(range(1, n)) and not any(targets[n - 1:]) and set(weights) == {2.5}


def test_the_collector_looks_only_at_pairs_that_may_refer_to_others():
    for nodes, tracked in ((range(5), False), ("abcde", False), ([(i,) for i in range(5)], True), ([1, "b", 2.5], True)):
        G = nx.path_graph(nodes)
        gc.collect()
        edges = list(nx.bfs_edges(G, next(iter(G)), backend="weft"))
        assert edges == list(nx.bfs_edges(G, next(iter(G)))) and gc.is_tracked(edges[-1]) == tracked
