"""Calls of the NetworkX backend on graphs whose nodes lie, fail or change what they are equal to: hammer_nx.py CALLS [SEED].

Every function of the backend, by NetworkX's dispatch and of a converted graph directly, with arguments that mostly make sense.  Answers and exceptions do not
matter: the process must live.  It prints how many calls were made, and how many of them had an answer."""
import inspect
import random
import sys
import warnings
from collections import Counter
from itertools import islice

import networkx as nx
import weftgraph.nx as backend
from weftgraph_networkx import FUNCTIONS

warnings.simplefilter("ignore")
nx.config.warnings_to_ignore.add("cache")
NAN, INF = float("nan"), float("inf")


class Moods:
    """What comparisons do at the moment."""

    mood, left, graph = "plain", 0, None
    ALL = ["plain", "plain", "all equal", "none equal", "by chance", "raises", "later", "changes the graph"]


class Fickle:
    def __init__(self, number):
        self.number = number

    def __hash__(self):
        if Moods.mood == "raises" and chance.random() < 0.05:
            raise chance.choice((TypeError, ValueError, MemoryError))("no hash")
        if Moods.mood == "by chance" and chance.random() < 0.2:
            return chance.randrange(4)
        return self.number % 4

    def __eq__(self, other):
        mood = Moods.mood
        if mood == "later":  # after some comparisons everything is equal
            Moods.left -= 1
            return Moods.left < 0 or self is other
        if mood == "raises" and chance.random() < 0.1:
            raise RuntimeError("no comparison")
        if mood == "changes the graph" and Moods.graph is not None and chance.random() < 0.1:
            change(Moods.graph)
        if mood in ("all equal", "none equal"):
            return mood == "all equal"
        if mood == "by chance":
            return chance.random() < 0.5
        return isinstance(other, Fickle) and other.number == self.number

    def __repr__(self):
        return f"Fickle({self.number})"


def change(G):
    what = chance.randrange(4)
    if what == 0:
        G._adj.clear()
    elif what == 1:
        for row in list(G._adj.values()):
            row.clear()
    elif what == 2:
        G._node.clear()
    else:
        G.__networkx_cache__.clear()


def nodes_of(n):
    kind = chance.randrange(6)
    if kind < 3:
        return [Fickle(i) for i in range(n)]
    if kind == 3:
        return [NAN, *range(n - 1)]
    if kind == 4:
        return [chance.choice([i, float(i), f"n{i}", (i, i), Fickle(i), NAN, INF, True]) for i in range(n)]
    return list(range(n))


def any_graph():
    cls = chance.choice([nx.Graph, nx.DiGraph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
    nodes = nodes_of(chance.randrange(1, 14))
    G = cls()
    for _ in range(chance.randrange(40)):
        data = {"weight": chance.choice([1, 2, 0, 0.5, INF, 1e-250])} if chance.random() < 0.7 else {}
        G.add_edge(chance.choice(nodes), chance.choice(nodes), **data)
    G.add_nodes_from(nodes[:3])
    return G, nodes


def argument(name, nodes):
    if name in ("source", "target", "n", "u", "v", "sources", "nodes", "nbunch", "nodelist"):
        one = chance.choice([*nodes, *nodes, NAN, 99, [1], None, Fickle(3)])
        return one if chance.random() < 0.8 else [one, *chance.sample(nodes, chance.randrange(len(nodes) + 1))]
    if name in ("weight", "distance"):
        return chance.choice(["weight", "weight", None, True, "other"])
    if name in ("cutoff", "depth_limit", "k", "default_weight", "max_iter"):
        return chance.choice([None, 0, 1, 2, 0.5, NAN, INF, -1, 10**30])
    return ...


PARAMETERS = {name: list(inspect.signature(getattr(backend, name)).parameters.values()) for name in FUNCTIONS}
GRAPH_FIRST = [name for name in FUNCTIONS if PARAMETERS[name][0].name == "G"]


def arguments(name, nodes):
    args = {}
    for parameter in PARAMETERS[name][1:]:
        if parameter.default is not inspect.Parameter.empty and chance.random() < 0.6:
            continue
        value = argument(parameter.name, nodes)
        if value is not ...:
            args[parameter.name] = value
    return args


def exhaust(answer):
    if hasattr(answer, "__next__"):
        answer = list(islice(answer, chance.choice([0, 3, 1000])))
    return repr(answer) if chance.random() < 0.05 else answer


def call_one(G, converted, name, nodes):
    args = arguments(name, nodes)
    function = getattr(nx, name, None) or getattr(nx.algorithms.dag, name)
    if converted is not None and chance.random() < 0.6:
        return exhaust(getattr(backend, name)(converted, **args))
    return exhaust(function(G, backend="weft", **args))


def make_and_look(nodes):
    """Graphs that become dicts while their nodes change."""
    G = nx.from_edgelist([(chance.choice(nodes), chance.choice(nodes)) for _ in range(20)], chance.choice([nx.Graph, nx.DiGraph]),
                         backend="weft")
    begin(G)
    return len(G.adj), list(G.edges)


def begin(G):
    Moods.mood, Moods.left, Moods.graph = chance.choice(Moods.ALL), chance.randrange(60), None
    if Moods.mood == "changes the graph" and "_weft_made" not in G.__dict__:
        Moods.graph = G


def main(calls):
    done, tally = 0, Counter()
    while done < calls:
        Moods.mood = "plain"
        G, nodes = any_graph()
        try:
            converted = backend.convert_from_nx(G, edge_attrs=chance.choice([None, {"weight": 1}]))
        except NotImplementedError:
            converted = None
        for _ in range(12):
            begin(G)
            name = chance.choice(GRAPH_FIRST + 3 * ["bidirectional_dijkstra", "kosaraju_strongly_connected_components", "predecessor"])
            try:
                make_and_look(nodes) if chance.random() < 0.05 else call_one(G, converted, name, nodes)
                tally["answered"] += 1
            except Exception as error:
                tally[type(error).__name__] += 1
            done += 1
    print(f"{calls} calls, {tally.pop('answered')} with an answer,", dict(tally.most_common(4)))


if __name__ == "__main__":
    chance = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    main(int(sys.argv[1]))
