"""Whether a search converts its graph is decided by predictions and by what earlier ones cost: here with a clock that tells what it is told to."""
import gc
import os
import random
import threading
from itertools import islice

import pytest

nx = pytest.importorskip("networkx")

import weftgraph.nx as backend  # noqa: E402
from weftgraph.nx import cost, kept, rent  # noqa: E402

MS = 1_000_000


@pytest.fixture(autouse=True)
def preferred(monkeypatch):
    monkeypatch.setattr(nx.config, "warnings_to_ignore", {"cache"})
    monkeypatch.setattr(nx.config.backend_priority, "algos", ["weft"])


@pytest.fixture
def clock(monkeypatch):
    """clock[0] is the time."""
    time = [0]
    monkeypatch.setattr(rent, "clock", lambda: time[0])
    return time


def graph(n=4000, seed=1):
    return nx.gnm_random_graph(n, 3 * n, seed=seed)


def is_converted(G):
    return any(isinstance(value, backend.Graph) for value in kept.entries(G).values())


def price(G, weights=False):
    return rent.conversion(len(G) + 2 * G.number_of_edges(), weights)


@pytest.mark.parametrize("name", ["single_source_shortest_path_length", "descendants", "bfs_edges", "bfs_layers", "shortest_path", "predecessor",
                                  "single_source_dijkstra_path_length", "node_connected_component"])
def test_a_search_of_everything_converts_before_it(name, clock):
    G = graph()
    getattr(nx, name)(G, 0)
    assert is_converted(G) and rent.account_of(G).bought == 1


def test_half_of_a_search_by_weight_is_enough(clock):
    G = graph()
    nx.dijkstra_path_length(G, 0, 9)
    assert is_converted(G)
    G.add_edge(0, 9)
    nx.dijkstra_path_length(G, 0, 9)
    assert not is_converted(G)  # the second conversion is paid first


@pytest.mark.parametrize("name,more", [("bfs_edges", {"depth_limit": 1}), ("single_source_shortest_path", {"cutoff": 1}), ("has_path", {"target": 9}),
                                       ("predecessor", {"target": 9}), ("single_source_dijkstra", {"target": 9}),
                                       ("bidirectional_dijkstra", {"target": 9}), ("shortest_path", {"target": 9, "weight": "weight"})])
def test_a_search_that_may_stop_early_pays_first(name, more, clock):
    G = graph()
    search = cost.SIZES[cost.leads_to(name, (G, 0), more)][2]
    call = price(G, search.weights) // 3
    for calls in range(1, 4):
        getattr(nx, name)(G, 0, **more)
        assert not is_converted(G) and rent.account_of(G).rented >= calls  # has_path asks for shortest_path, and so on
        clock[0] += call + 1
    getattr(nx, name)(G, 0, **more)
    assert is_converted(G) and rent.account_of(G).bought == 1 and rent.account_of(G).balance < call


def test_pauses_are_no_rent_beyond_a_whole_search(clock):
    G = graph()
    nx.has_path(G, 0, 1)
    clock[0] += 3600 * 1000 * MS
    size = len(G) + 2 * G.number_of_edges()
    assert rent.account_of(G).paid(clock[0]) == 100 * size


def test_a_graph_that_changes_pays_for_each_conversion(clock):
    """Searches that see little of a graph which is changed after each of them."""
    G, bought = graph(), []
    for i in range(200):
        backend.should_run("bfs_edges", (G, 0), {})
        bought.append(rent.account_of(G).bought)
        G.add_edge(0, i + 1)
        clock[0] += price(G) // 20
    assert bought[0] == 1  # it was not known yet
    conversions = bought[-1] - 1
    assert 8 <= conversions <= 10  # every 20th call, since each that converts pays nothing
    assert conversions * price(G) <= clock[0]


def test_small_graphs_have_no_account(clock):
    G = nx.karate_club_graph()
    for name in ("bfs_edges", "descendants", "single_source_dijkstra_path_length", "bfs_layers"):
        getattr(nx, name)(G, 0)
    assert nx.has_path(G, 0, 5) and rent.account_of(G) is None and not is_converted(G)


def test_an_account_ends_with_its_graph():
    gc.collect()
    G = graph()
    nx.has_path(G, 0, 1)
    before = len(rent._accounts)
    del G
    gc.collect()
    assert len(rent._accounts) == before - 1


def test_arcs_are_counted_again_now_and_then(clock):
    G = graph(4000)
    nx.has_path(G, 0, 1)
    account = rent.account_of(G)
    size = account.size
    G.add_edges_from((0, i) for i in range(4000))
    nx.has_path(G, 0, 1)
    assert account.size == size
    for _ in range(rent.RECOUNT):
        nx.has_path(G, 0, 1)
    assert account.size == len(G) + sum(map(len, G._adj.values()))  # the loop at 0 once
    G.add_nodes_from(range(4000, 5000))
    nx.has_path(G, 0, 1)
    assert account.nodes == 5000


def test_explain_tells_and_changes_nothing(clock):
    G = graph()
    said = backend.explain(G, "bfs_edges", 0)
    assert said["call"]["runs"] == "weft" and said["call"]["converts"] and "the search is predicted at 4.2 ms" in said["call"]["why"]
    assert said["converted"] == [] and (said["nodes"], said["arcs"]) == (4000, 24000) and said["preferred"]
    assert rent.account_of(G) is None and not is_converted(G)
    nx.bidirectional_shortest_path(G, 0, 1)
    clock[0] += MS
    said = backend.explain(G, "shortest_path", 0, 1)
    assert (said["paid_ms"], said["rented"], said["bought"]) == (1.0, 1, 0)
    assert said["call"] == {"function": "shortest_path", "runs": "networkx", "converts": False, "why": "searches have paid 1 of 1.48 ms"}
    assert backend.explain(G, "k_core")["call"]["why"] == "the work is less than converting the graph"
    assert backend.explain(G, "bfs_edges", 0, sort_neighbors=sorted)["call"]["why"] == "neighbours are sorted by a function"
    assert backend.explain(nx.path_graph(4), "core_number")["call"]["why"] == "the graph is small"
    nx.core_number(G)
    said = backend.explain(G, "has_path", 0, 1)
    assert said["converted"][0]["weights"] is None and said["converted"][0]["bytes"] > 4 * 24000
    assert said["call"]["runs"] == "weft" and not said["call"]["converts"] and "converted: weights None" in str(said)
    assert backend.explain(nx.path_graph(4, backend="weft"), "bfs_edges", 0)["call"]["why"] == "it has rows already"
    with pytest.raises(ValueError, match="no function of the backend"):
        backend.explain(G, "path_graph")


def test_an_explanation_agrees_with_what_happens(clock):
    """Of every search, at many moments."""
    r = random.Random(3)
    two = {"has_path", "bidirectional_shortest_path", "dijkstra_path", "dijkstra_path_length", "bidirectional_dijkstra"}
    names = [name for name, sizes in cost.SIZES.items() if len(sizes) == 3 and name != "descendants_at_distance"]
    G = graph(3500)
    for _ in range(150):
        name = r.choice(names)
        args = (0, 1) if name in two else (0,)
        told = backend.explain(G, name, *args)["call"]
        asked = backend.should_run(name, (G, *args), {})
        assert (told["runs"] == "weft") == (asked is True), (name, told, asked)
        clock[0] += r.randrange(MS)


# --- what is kept ---


def test_the_cache_has_a_cap(monkeypatch):
    monkeypatch.setattr(nx.config.backends.weft, "cache_bytes", 1_000_000)
    gc.collect()
    graphs = [graph(1000, seed) for seed in range(30)]
    for G in graphs:
        nx.core_number(G)
        assert is_converted(G)
        nx.core_number(graphs[0])  # so that it is not the oldest
        assert kept.held()[1] <= 1_100_000  # the library's graph of the last one comes after it was counted
    assert is_converted(graphs[0]) and is_converted(graphs[-1]) and 2 < sum(map(is_converted, graphs)) < 20
    assert [is_converted(G) for G in graphs[1:]] == sorted(is_converted(G) for G in graphs[1:])  # the oldest went
    monkeypatch.setattr(nx.config.backends.weft, "cache_bytes", 0)
    nx.core_number(graphs[1])
    assert [G for G in graphs if is_converted(G)] == [graphs[1]]


def test_a_converted_graph_has_few_weightings():
    G = nx.DiGraph([(0, 1, {f"w{i}": i + 1 for i in range(20)})])
    converted = backend.convert_from_nx(G)
    for i in range(20):
        assert backend.dijkstra_path_length(converted, 0, 1, f"w{i}") == i + 1
    assert len(converted._by) == kept.WEIGHTINGS and (None, 1) in converted._by


def test_threads_share_the_cache(monkeypatch):
    monkeypatch.setattr(nx.config.backends.weft, "cache_bytes", 300_000)
    graphs = [graph(1000, seed) for seed in range(6)]
    expected = [(dict(nx.core_number.orig_func(G)), nx.number_of_nodes(G)) for G in graphs]
    wrong = []

    def work(seed):
        r = random.Random(seed)
        try:
            for _ in range(60):
                i = r.randrange(6)
                if r.random() < 0.2:
                    graphs[i].__networkx_cache__.clear()
                if r.random() < 0.5:
                    assert nx.core_number(graphs[i]) == expected[i][0]
                else:
                    assert len(list(nx.bfs_layers(graphs[i], 0))) > 2 and nx.has_path(graphs[i], 0, 0)
                backend.explain(graphs[i], "bfs_layers", 0)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == [] and kept.held()[1] <= 600_000


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_child_has_a_lock_of_its_own():
    entered, go_on = threading.Event(), threading.Event()

    def hold():
        with kept._one_at_a_time:
            entered.set()
            go_on.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    entered.wait()
    child = os.fork()
    if child == 0:
        os._exit(kept.held()[0] < 0)
    go_on.set()
    thread.join()
    assert os.waitpid(child, 0)[1] == 0


# --- edges as they are asked for ---


@pytest.mark.parametrize("cls", [nx.Graph, nx.DiGraph])
def test_edges_in_pieces_are_all_of_them(cls):
    G = nx.gnm_random_graph(9000, 20000, seed=2, directed=cls is nx.DiGraph)
    G.add_edges_from((i, i + 1) for i in range(9000, 20000))  # a long path beside it
    for source, how in ((0, {}), (0, {"reverse": True}), (0, {"depth_limit": 6}), (9000, {"depth_limit": 500}), (19990, {})):
        assert list(nx.bfs_edges(G, source, backend="weft", **how)) == list(nx.bfs_edges(G, source, backend="networkx", **how))


def test_a_search_that_is_left_soon_has_seen_little(monkeypatch):
    G = backend.convert_from_nx(nx.path_graph(50000))
    asked = []

    class Rows:
        def bfs(self, *args):
            asked.append(args[4:])
            return G._rows.bfs(*args)

        def __len__(self):
            return len(G)

    monkeypatch.setattr(backend.traversal, "_rows", lambda *_: Rows())
    assert list(islice(backend.bfs_edges(G, 0), 5)) == [(i, i + 1) for i in range(5)]
    assert asked == [(256,)]
