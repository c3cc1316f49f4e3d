#!/usr/bin/env python3
"""What loops of searches cost where the backend decides (as by WEFT_AUTOCONFIG=1), beside a program that converts its graph first.

    python bench/nx_searches.py [--nodes 100000] [--edges 500000] [--calls 100] [--rounds 3] [--only descendants,has_path] [--karate 20000]

For each function a loop of calls from random nodes of a random graph with weights:
  explicit  the graph is converted first, which is part of the time, and every call gets the converted graph
  auto      the NetworkX graph, of which the backend knows nothing yet; it converts when its rules say so (weftgraph/nx/rent.py)
Rounds of both ways follow each other in turn; shown are the least times, their ratio, and how many times NetworkX was told to search.  All answers of both ways are
compared, and the first few with NetworkX's.  Then small calls on the karate club: NetworkX alone, with an empty backend preferred, and with this one, in turn; least of
all.  Times are the processor's, so that others on the machine disturb less.
"""
import argparse
import random
import time

import networkx as nx
from nx_backends import register_empty

import weftgraph.nx as backend
from weftgraph.nx import rent

ONE = ["single_source_shortest_path_length", "descendants", "bfs_edges", "single_source_dijkstra_path_length", "bfs_tree"]
TWO = ["dijkstra_path_length", "shortest_path", "has_path", "bidirectional_dijkstra"]
BY_WEIGHT = {"single_source_dijkstra_path_length", "dijkstra_path_length", "bidirectional_dijkstra"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name, value in (("nodes", 100_000), ("edges", 500_000), ("calls", 100), ("rounds", 3), ("karate", 20_000)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--only", default=",".join(ONE + TWO))
    return parser.parse_args()


def digest(answer):
    """Something to compare that is small, whatever comes."""
    if hasattr(answer, "__next__"):
        answer = list(answer)
    if isinstance(answer, nx.Graph):
        answer = list(answer.edges)
    if isinstance(answer, dict):
        answer = list(answer.items())
    return hash(frozenset(answer)) if isinstance(answer, set) else hash(tuple(answer)) if isinstance(answer, list) else hash(repr(answer))


def loop(function, G, calls):
    """Seconds, and the answers' digests, which are made while the clock stands."""
    seconds, found = 0.0, []
    for args in calls:
        begun = time.process_time()
        answer = function(G, *args)
        if hasattr(answer, "__next__"):
            answer = list(answer)
        seconds += time.process_time() - begun
        found.append(digest(answer))
        del answer
    return seconds, found


def explicit(name, function, G, calls):
    begun = time.process_time()
    converted = backend.convert_from_nx(G, edge_attrs={"weight": 1} if name in BY_WEIGHT else None)
    first = time.process_time() - begun
    seconds, found = loop(function, converted, calls)
    return first + seconds, found


def auto(name, function, G, calls):
    G.__networkx_cache__.clear()
    rent._accounts.pop(G, None)
    with nx.config(backend_priority=["weft"], fallback_to_nx=True):
        return loop(function, G, calls)


def compare_loops(given):
    G = nx.gnm_random_graph(given.nodes, given.edges, seed=1)
    r = random.Random(2)
    for _, _, data in G.edges(data=True):
        data["weight"] = r.uniform(1, 10)
    core = list(max(nx.connected_components(G), key=len))
    print(f"{given.calls} calls on gnm({given.nodes}, {given.edges}), s, least of {given.rounds}: function, explicit, auto, ratio, by NetworkX")
    for name in given.only.split(","):
        function = getattr(nx, name)
        calls = [(r.choice(core),) if name in ONE else tuple(r.sample(core, 2)) for _ in range(given.calls)]
        best, answers = {}, {}
        for _ in range(given.rounds):
            for way in (explicit, auto):
                seconds, found = way(name, function, G, calls)
                best[way] = min(seconds, best.get(way, seconds))
                assert answers.setdefault(name, found) == found, name
        account = rent.account_of(G)
        rented = min(account.rented if account else 0, given.calls)
        G.__networkx_cache__.clear()
        assert [digest(function(G, *args)) for args in calls[:3]] == answers[name][:3], name
        print(f"{name:36s} {best[explicit]:8.3f} {best[auto]:8.3f} {best[auto] / best[explicit]:6.2f} {rented:4d}", flush=True)


def compare_karate(calls):
    G = nx.karate_club_graph()
    register_empty()
    print(f"karate, µs, least of {calls}: function, NetworkX alone, an empty backend, weft, weft less NetworkX")
    for name in ONE + TWO:
        function, args = getattr(nx, name), (0,) if name in ONE else (0, 33)
        best = {(): 1e18, ("empty",): 1e18, ("weft",): 1e18}
        for _ in range(calls):
            for preferred in best:
                nx.config.backend_priority.algos = list(preferred)
                begun = time.perf_counter_ns()
                answer = function(G, *args)
                if hasattr(answer, "__next__"):
                    for _ in answer:
                        pass
                best[preferred] = min(best[preferred], time.perf_counter_ns() - begun)
        nx.config.backend_priority.algos = []
        alone, empty, weft = (value / 1e3 for value in best.values())
        print(f"{name:36s} {alone:8.1f} {empty:8.1f} {weft:8.1f} {weft - alone:8.2f}", flush=True)


def main():
    given = arguments()
    nx.config.warnings_to_ignore.add("cache")
    compare_karate(given.karate)
    compare_loops(given)


if __name__ == "__main__":
    main()
