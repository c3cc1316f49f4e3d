"""Answers follow the graph: after every way to change a graph, or a view of it, the backend answers as NetworkX does,
whatever was asked before.

Ways to change × views × classes × questions asked before, then 20 questions: as many combinations, drawn by chance,
as WEFT_HOSTILE_CALLS allows.
    nx_stale.py [--seed S] [--first N] [--cases N]"""

import argparse
import copy
import os
import pickle
import random
import sys
from collections import Counter
from itertools import product

import networkx as nx
from nx_cases import CLASSES, answered, same

ENOUGH = 25
QUESTIONS = {
    "components": lambda G, **how: [
        *(nx.weakly_connected_components if G.is_directed() else nx.connected_components)(G, **how)
    ],
    "pagerank": lambda G, **how: nx.pagerank(G, **how),
    "lengths": lambda G, **how: nx.single_source_dijkstra_path_length(G, next(iter(G)), **how),
    "costs": lambda G, **how: nx.single_source_dijkstra_path_length(G, next(iter(G)), weight="cost", **how),
    "paths": lambda G, **how: nx.shortest_path(G, next(iter(G)), weight="weight", **how),
    "search": lambda G, **how: [*nx.bfs_edges(G, next(iter(G)), **how)],
    "tree": lambda G, **how: nx.bfs_tree(G, next(iter(G)), **how),
    "cores": lambda G, **how: nx.core_number(G, **how),
    "k_core": lambda G, **how: nx.k_core(G, 2, **how),
    "clustering": lambda G, **how: nx.clustering(G, weight="weight", **how),
    "betweenness": lambda G, **how: nx.betweenness_centrality(G, **how),
    "sparse": lambda G, **how: nx.to_scipy_sparse_array(G, **how),
    "array": lambda G, **how: nx.to_numpy_array(G, **how),
    "table": lambda G, **how: nx.to_pandas_edgelist(G, **how),
    "isolates": lambda G, **how: [*nx.isolates(G, **how)],
    "degrees": lambda G, **how: nx.degree_centrality(G, **how),
    "kinds": lambda G, **how: nx.attribute_assortativity_coefficient(G, "kind", **how),
    "forest": lambda G, **how: nx.condensation(G, **how) if G.is_directed() else nx.minimum_spanning_tree(G, **how),
    "loops": lambda G, **how: nx.number_of_selfloops(G, **how),
    "reverse": lambda G, **how: nx.reverse(G, **how) if G.is_directed() else nx.is_tree(G, **how),
}


def fresh(cls, seed):
    chance, G = random.Random(seed), cls()
    G.add_nodes_from((v, {"kind": v % 3}) for v in range(12))
    for _ in range(24):
        G.add_edge(
            *chance.sample(range(12), 2), weight=chance.randrange(1, 9) + chance.random(), cost=chance.randrange(1, 5)
        )
    return G


def an_edge(G):
    return [*G.edges][len(G.edges) // 2]


def all_data(G):
    return [data for *_, data in G.edges(data=True)]


def row(G):
    """The dict of an edge, by way of the graph's rows."""
    u, v, *key = an_edge(G)
    return G[u][v][key[0]] if key else G[u][v]


def drop_from_rows(G):
    u, v = an_edge(G)[:2]
    del G._adj[u][v]
    if G.is_directed() or u != v:
        del (G._pred if G.is_directed() else G._adj)[v][u]


def swapped(G):
    first, *_, last = all_data(G)
    first["weight"], last["weight"] = last["weight"], first["weight"]


CHANGES = {
    "add_edge": lambda G: G.add_edge(0, "new", weight=2.5, cost=1),
    "add_edge again": lambda G: G.add_edge(*an_edge(G)[:2], weight=99.0),
    "add_edges_from": lambda G: G.add_edges_from([(100, 101), (101, 102, {"weight": 3.5})], cost=2),
    "add_weighted_edges_from": lambda G: G.add_weighted_edges_from([(0, 1, 55.0), (1, 2, 66.0)]),
    "add_node": lambda G: G.add_node("alone"),
    "add_nodes_from": lambda G: G.add_nodes_from(["q", "r"], kind=1),
    "add_node again": lambda G: G.add_node(0, kind=77),
    "remove_node": lambda G: G.remove_node(3),
    "remove_nodes_from": lambda G: G.remove_nodes_from([1, 2]),
    "remove_edge": lambda G: G.remove_edge(*an_edge(G)),
    "remove_edges_from": lambda G: G.remove_edges_from([*G.edges][:5]),
    "clear_edges": lambda G: G.clear_edges(),
    "clear": lambda G: (G.clear(), G.add_edge("a", "b", weight=1.5)),
    "update": lambda G: G.update(edges=[(0, 9, {"weight": 0.25})], nodes=[50]),
    "set_edge_attributes": lambda G: nx.set_edge_attributes(G, 7.5, "weight"),
    "set_edge_attributes of one": lambda G: nx.set_edge_attributes(G, {an_edge(G): {"weight": 1000.5, "cost": 100}}),
    "set_node_attributes": lambda G: nx.set_node_attributes(G, {v: i % 2 for i, v in enumerate(G)}, "kind"),
    "remove_edge_attributes": lambda G: nx.remove_edge_attributes(G, "weight"),
    "remove_node_attributes": lambda G: nx.remove_node_attributes(G, "kind"),
    "G.edges[e][...]": lambda G: G.edges[an_edge(G)].__setitem__("weight", 500.5),
    "G[u][v][...]": lambda G: row(G).__setitem__("weight", 500.5),
    "data of all edges": lambda G: [data.update(weight=data["weight"] * 3 + 0.5) for data in all_data(G)],
    "data popped": lambda G: [data.pop("weight") for data in all_data(G)],
    "two weights swapped": swapped,
    "G.nodes[v][...]": lambda G: [G.nodes[v].update(kind=v in (0, 1, 2)) for v in G],
    "out of G._adj": drop_from_rows,
    "relabel_nodes": lambda G: nx.relabel_nodes(G, {0: "zero", 1: "one"}, copy=False),
    "contracted_nodes": lambda G: nx.contracted_nodes(G, 0, 1, copy=False),
    "add_path": lambda G: nx.add_path(G, [0, 70, 71, 72], weight=0.5),
    "add_star": lambda G: nx.add_star(G, [0, 80, 81]),
    "double_edge_swap": lambda G: (
        nx.double_edge_swap(G, 1, max_tries=1000, seed=1) if type(G) is nx.Graph else G.add_edge(5, 6)
    ),
    "freeze": nx.freeze,
    "nothing": lambda G: None,
}
# Changes past the graph's methods, and two functions of NetworkX that do not clear the cache: the caller does.
UNSEEN = {
    "G.edges[e][...]",
    "G[u][v][...]",
    "G.nodes[v][...]",
    "data of all edges",
    "data popped",
    "two weights swapped",
    "out of G._adj",
    "remove_edge_attributes",
    "remove_node_attributes",
}
# Graphs that are made of one, and that some follow.
VIEWS = {
    "itself": lambda G: G,
    "a copy": lambda G: G.copy(),
    "copy.copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda G: pickle.loads(pickle.dumps(G)),
    "subgraph": lambda G: G.subgraph(range(6)),
    "edge_subgraph": lambda G: G.edge_subgraph([*G.edges][:5]),
    "directed view": lambda G: G.to_directed(as_view=True),
    "undirected view": lambda G: G.to_undirected(as_view=True),
    "reverse_view": lambda G: nx.reverse_view(G) if G.is_directed() else nx.graphviews.generic_graph_view(G),
    "subgraph_view": lambda G: nx.subgraph_view(G, filter_edge=lambda u, v, *key: str(u) < str(v)),
    "restricted_view": lambda G: nx.restricted_view(G, [0], []),
    "to_directed": lambda G: G.to_directed(),
    "a subclass": lambda G: type("Own", (type(G),), {})(G),
}
ASKED = [None, "all", "components", "lengths", "search", "paths"]


def answer(question, G, backend):
    """None: the backend leaves that to NetworkX."""
    return answered(backend, lambda: QUESTIONS[question](G, backend=backend))


def prime(G, asked):
    for question in QUESTIONS if asked == "all" else [asked] if asked else []:
        for _ in range(2):
            answer(question, G, "weft")


def stale(G, tally):
    """The first question that is answered otherwise than by NetworkX."""
    for question in QUESTIONS:
        mine, theirs = answer(question, G, "weft"), answer(question, G, "networkx")
        tally["declined" if mine is None else "answers"] += 1
        if mine is not None and not same(question, mine, theirs, 1e-8):
            return f"{question}: {str(mine)[:300]}\n        NetworkX: {str(theirs)[:300]}"
    return None


def compare(case, tally):
    change, view, cls, asked = case
    G = fresh(cls, change)
    seen = VIEWS[view](G)
    prime(G, asked)
    prime(seen, asked)
    try:
        CHANGES[change](G)
    except nx.NetworkXException:  # such as a swap for which there are no edges
        tally["not changed"] += 1
    if change in UNSEEN:
        G.__networkx_cache__.clear()
        seen.__networkx_cache__.clear()
    return stale(seen, tally) or (None if seen is G else stale(G, tally))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--cases", type=int, default=int(os.environ.get("WEFT_HOSTILE_CALLS", 2000)) // len(QUESTIONS))
    asked = parser.parse_args()
    every = [*product(CHANGES, VIEWS, CLASSES, ASKED)]
    random.Random(asked.seed).shuffle(every)
    cases, tally, found = every[asked.first : asked.first + asked.cases], Counter(), Counter()
    for number, case in enumerate(cases, asked.first):
        wrong = compare(case, tally)
        if wrong:
            found[f"{case[0]} under {case[1]}"] += 1
            print(f"FAILED  case {number}: {case[0]} under {case[1]} of {case[2].__name__} after {case[3]}; {wrong}")
            print(f"        again: nx_stale.py --seed {asked.seed} --first {number} --cases 1", flush=True)
        if found.total() == ENOUGH:
            break
    print(
        f"nx_stale: NetworkX {nx.__version__}, {len(cases)} of {len(every)} cases, {found.total()} findings;",
        dict(tally),
    )
    sys.exit(found.total() > 0)


if __name__ == "__main__":
    main()
