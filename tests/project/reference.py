"""What weft project, the command, must make: see tests/conformance/compare.py."""
import os

import networkx as nx
from expecting import Mismatch, expect

WEIGHED = {"count": nx.bipartite.weighted_projected_graph, "jaccard": nx.bipartite.overlap_weighted_projected_graph,
           "newman": nx.bipartite.collaboration_weighted_projected_graph}


def sides(seen):
    """0 for the smallest vertex of each component; None: there is an odd cycle."""
    if not nx.is_bipartite(seen):
        return None
    return {v: level % 2 for part in nx.connected_components(seen)
            for v, level in nx.single_source_shortest_path_length(seen, min(part)).items()}


def check(case, run):
    seen = nx.Graph((u, v) for u, v, _ in case.arcs())
    seen.add_nodes_from(case.vertices)
    # Half of the edges of a graph that is not bipartite, as a file of its own.
    if not nx.is_bipartite(seen):
        answer = run(codes=(2, 3))
        loops = any(u == v for u, v in seen.edges)
        if "odd cycle" not in answer.said and not (loops and "to itself" in answer.said):
            raise Mismatch(f"an odd cycle is refused with: {answer.said}")
        seen = nx.Graph((u, v) for u, v in seen.edges if u % 2 != v % 2)
        run.start[2] = run.file("even.txt", "".join(f"{u} {v}\n" for u, v in seen.edges))
        run.start[3:] = ["--format", "edgelist", "--undirected"]
    side = sides(seen)
    for which in (0, 1):
        for how, make in WEIGHED.items():
            path = os.path.join(run.folder, "made.jsonl")
            answer = run("--side", ("first", "second")[which], "--weigh", how, "-o", path, "--to", "json", "-q").document
            stay = [v for v in seen if side[v] == which]
            expect("vertices", answer["vertices"], len(stay))
            want = make(seen, stay) if 0 < len(stay) < len(seen) else nx.Graph()
            expect("edges", answer["edges"], want.number_of_edges())
            expect("paths", answer["projection"]["paths"], sum(d * (d - 1) for v, d in seen.degree if side[v] != which))
            got = made(path)
            expect("vertices that stay", sorted(got), sorted(stay))
            for u, v, weight in want.edges(data="weight"):
                if not got.has_edge(u, v) or abs(got[u][v]["weight"] - weight) > 1e-12 * weight:
                    raise Mismatch(f"{how} of {u} and {v}: weft {got.get_edge_data(u, v)}, NetworkX {weight}")


def made(path):
    import json

    with open(path) as f:
        document = json.load(f)
    g = nx.Graph()
    g.add_nodes_from(node["id"] for node in document["nodes"])
    links = document.get("links", document.get("edges"))
    g.add_weighted_edges_from((link["source"], link["target"], link["weight"]) for link in links)
    return g
