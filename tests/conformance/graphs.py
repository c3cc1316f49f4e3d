"""The graphs that weft and NetworkX are compared on: of every shape, by number, the same each time.

A case is what a file says (lines of an edge list), how it is to be read (direction, duplicates, loops, isolated
vertices), and the NetworkX graph that this must mean.  Weights are what a 32-bit float holds, or doubles with
--weight-type f64, so both sides add the same numbers."""
import random

import networkx as nx
import numpy as np

SHAPES = [
    "nothing", "one vertex", "isolated", "sparse gnp", "dense gnp", "gnm", "barabasi-albert", "watts-strogatz", "tree",
    "path", "cycle", "star", "complete", "bipartite", "grid", "dag", "nearly a dag", "union", "two directions",
    "loops", "duplicates", "power law",
]


def pairs_of(shape, n, rng):
    """The pairs of a shape on about n vertices; which vertices there are may be more than those in pairs."""
    seed = rng.randrange(1 << 30)
    if shape == "nothing":
        return [], 0
    if shape == "one vertex":
        return [(0, 0)] * rng.randrange(2), 1
    if shape == "isolated":
        return list(nx.gnm_random_graph(n, n // 4, seed=seed).edges), n
    if shape == "sparse gnp":
        return list(nx.gnp_random_graph(n, 1.5 / n, seed=seed, directed=True).edges), n
    if shape == "dense gnp":
        n = min(n, 40)
        return list(nx.gnp_random_graph(n, 0.5, seed=seed, directed=True).edges), n
    if shape == "gnm":
        return list(nx.gnm_random_graph(n, 4 * n, seed=seed, directed=True).edges), n
    if shape == "barabasi-albert":
        return list(nx.barabasi_albert_graph(n, min(3, n - 1), seed=seed).edges), n
    if shape == "watts-strogatz":
        return list(nx.watts_strogatz_graph(n, min(4, n - 1), 0.2, seed=seed).edges), n
    if shape == "tree":
        return [(rng.randrange(v), v) for v in range(1, n)], n
    if shape == "path":
        order = rng.sample(range(n), n)
        return list(zip(order, order[1:])), n
    if shape == "cycle":
        order = rng.sample(range(n), n)
        return list(zip(order, order[1:] + order[:1])), n
    if shape == "star":
        hub = rng.randrange(n)
        spokes = [(hub, v) for v in range(n) if v != hub]
        return [(v, u) for u, v in spokes] if rng.random() < 0.5 else spokes, n
    if shape == "complete":
        n = min(n, 24)
        return list(nx.complete_graph(n, create_using=nx.DiGraph).edges), n
    if shape == "bipartite":
        return list(nx.bipartite.random_graph(n // 2, n - n // 2, 3 / n, seed=seed, directed=True).edges), n
    if shape == "grid":
        side = max(2, int(n**0.5))
        grid = nx.convert_node_labels_to_integers(nx.grid_2d_graph(side, side))
        return list(grid.edges), side * side
    if shape in ("dag", "nearly a dag"):
        order = rng.sample(range(n), n)
        pairs = [tuple(order[i] for i in sorted(rng.sample(range(n), 2))) for _ in range(2 * n)]
        if shape != "dag":
            pairs.append(pairs[0][::-1])
        return pairs, n
    if shape == "union":
        parts, at = [], 0
        for _ in range(rng.randrange(2, 5)):
            part, size = pairs_of(rng.choice(["cycle", "tree", "complete", "gnm"]), max(8, n // 4), rng)
            parts += [(u + at, v + at) for u, v in part]
            at += size + rng.randrange(2)
        return parts, at
    if shape == "two directions":
        pairs = list(nx.gnm_random_graph(n, 2 * n, seed=seed).edges)
        return pairs + [(v, u) for u, v in pairs if rng.random() < 0.5], n
    if shape == "loops":
        pairs = list(nx.gnm_random_graph(n, 2 * n, seed=seed, directed=True).edges)
        return pairs + [(v, v) for v in range(n) if rng.random() < 0.3], n
    if shape == "duplicates":
        pairs = list(nx.gnm_random_graph(n, n, seed=seed, directed=True).edges)
        return pairs + rng.choices(pairs, k=n) + [(v, u) for u, v in pairs[: n // 3]] + [(1, 1)] * rng.randrange(3), n
    if shape == "power law":
        weights = [1 / (v + 1) for v in range(n)]
        return list(zip(rng.choices(range(n), weights, k=3 * n), rng.choices(range(n), weights, k=3 * n))), n
    raise ValueError(shape)


class Case:
    """Graph number `index`; directed, weighted, ... follow from the number too."""

    def __init__(self, index):
        self.index = index
        self.rng = rng = random.Random(f"weft conformance {index}")
        self.shape = SHAPES[index % len(SHAPES)]
        size = 1500 if index % 125 == 124 else rng.choice([6, 12, 30, 30, 60, 150])
        pairs, count = pairs_of(self.shape, size, rng)
        rng.shuffle(pairs)
        self.directed = rng.random() < 0.6
        self.weights = rng.choice(["none", "none", "whole", "dyadic", "decimal"])
        self.doubles = self.weights == "decimal" and index % 2 == 1
        self.loops = rng.choice(["keep", "keep", "keep", "drop"])
        self.duplicates = rng.choice(["drop", "drop", "drop", "keep", "sum"])
        if self.duplicates == "sum" and self.weights == "decimal":
            self.duplicates = "drop"  # the order in which fractions are added is nobody's promise
        self.threads = rng.choice([1, 2])
        # Ids as they come with every vertex said to be there, or spread out with only those that occur.
        self.all_vertices = count > 0 and rng.random() < 0.7
        if not self.all_vertices:
            gap, first = rng.choice([(1, 1), (3, 0), (1000, 17)])
            pairs = [(first + gap * u, first + gap * v) for u, v in pairs]
        self.vertices = list(range(count)) if self.all_vertices else sorted({v for pair in pairs for v in pair})
        self.lines = [(u, v, self.draw_weight()) for u, v in pairs]
        self.graph = self.build()
        self.simple = nx.Graph((u, v) for u, v in self.graph.edges() if u != v)
        self.simple.add_nodes_from(self.vertices)

    def draw_weight(self):
        if self.weights == "whole":
            return str(self.rng.choice([0, 1, 2, 3, 5, 8, 100, 70000]))
        if self.weights == "dyadic":
            return str(self.rng.randrange(1, 4096) / 256)
        if self.weights == "decimal":
            return f"{self.rng.random() * 10:.3f}"
        return ""

    def text(self):
        return "".join(f"{u} {v} {w}".rstrip() + "\n" for u, v, w in self.lines)

    def flags(self):
        flags = ["--format", "edgelist", "--directed" if self.directed else "--undirected", "-t", str(self.threads)]
        flags += ["--loops", self.loops, "--duplicates", self.duplicates]
        flags += ["--weight-type", "f64"] * self.doubles
        return flags + (["--vertices", str(len(self.vertices))] if self.all_vertices else [])

    def build(self):
        """By the rules of docs/formats.md: of duplicates the smallest weight, their sum, or all of them."""
        if self.duplicates == "keep":
            g = nx.MultiDiGraph() if self.directed else nx.MultiGraph()
        else:
            g = nx.DiGraph() if self.directed else nx.Graph()
        g.add_nodes_from(self.vertices)
        for u, v, text in self.lines:
            w = 1.0 if not text else float(text) if self.doubles else float(np.float32(text))
            if u == v and self.loops == "drop":
                continue
            if self.duplicates != "keep" and g.has_edge(u, v):
                before = g[u][v]["weight"]
                w = before + w if self.duplicates == "sum" and text else min(before, w)
            g.add_edge(u, v, weight=w)
        return g

    def arcs(self):
        """(u, v, weight) of each stored arc: an undirected edge both ways, a loop of one once."""
        for u, v, w in self.graph.edges(data="weight"):
            yield u, v, w
            if not self.directed and u != v:
                yield v, u, w

    def is_weighted(self):
        return self.weights != "none" and bool(self.lines)

    def title(self):
        return (f"graph {self.index}: {self.shape}, {'directed' if self.directed else 'undirected'}, "
                f"weights {self.weights}, {len(self.vertices)} vertices, {len(self.lines)} lines")
