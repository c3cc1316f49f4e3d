"""What formats.py compares: a graph as plain sets, and the graphs of graphs.py with names of several kinds."""
import struct
from collections import Counter

import networkx as nx

from graphs import Case


class Mismatch(Exception):
    pass


def f32(value):
    return struct.unpack("f", struct.pack("f", value))[0]


class Plain:
    """Direction, vertices (as text), and a Counter of (u, v, weight or None); undirected: the smaller end first."""

    def __init__(self, directed, vertices, edges):
        self.directed, self.vertices = bool(directed), {str(v) for v in vertices}
        self.edges = Counter()
        for (u, v, w), count in edges.items():
            u, v = str(u), str(v)
            if not directed:
                u, v = sorted((u, v))
            self.edges[u, v, None if w is None else f32(float(w))] += count

    def __eq__(self, other):
        return (self.directed, self.vertices, self.edges) == (other.directed, other.vertices, other.edges)

    def difference(self, got):
        lines = []
        if self.directed != got.directed:
            lines.append(f"expected {'a directed' if self.directed else 'an undirected'} graph")
        for what, want, have in ("vertices", self.vertices, got.vertices), ("edges", self.edges, got.edges):
            if want != have:
                missing = list(want - have)[:6]
                extra = list(have - want)[:6]
                lines.append(f"{what}: {len(want)} expected, {len(have)} there; missing {missing}, too many {extra}")
        return "\n".join(lines)


class Subject:
    """Graph number `index` of graphs.py.  Every third one keeps its numbers, every third has plain names, every third names
    that need quotes and escapes."""

    def __init__(self, index):
        case = Case(index)
        self.index, self.directed, self.threads = index, case.directed, case.threads
        self.multi = case.graph.is_multigraph()
        self.kind = ["numbers", "names", "hard names"][index % 3]
        self.weighted = case.weights != "none" and case.graph.number_of_edges() > 0
        # Of vertices that count from 0 without gaps.
        self.from_zero = case.vertices == list(range(len(case.vertices)))
        self.about = case.title()
        self.graph = type(case.graph)()
        self.graph.add_nodes_from(self.name_of(v) for v in case.vertices)
        for u, v, w in case.graph.edges(data="weight"):
            whole = case.weights == "whole"
            data = {"weight": int(w) if whole else w} if self.weighted else {}
            self.graph.add_edge(self.name_of(u), self.name_of(v), **data)

    def name_of(self, v):
        if self.kind == "numbers":
            return v
        if self.kind == "names":
            return f"n{v}"
        return [f"a & <b> {v}", f"it's Ōsaka {v}", f"x,y;{v}", f'say "{v}"', f"#{v}"][v % 5]

    def has_names(self, kinds):
        return self.kind in kinds.split(", ")

    def numbered(self, first=0):
        """The same graph with vertices first, first + 1, ... in the order of NetworkX."""
        return nx.convert_node_labels_to_integers(self.graph, first_label=first)

    def plain(self, graph=None, isolated=True, directed=None, weights=True, default=None):
        """What the graph is.  weights: whether the file has any; default: what an edge without one has."""
        graph = self.graph if graph is None else graph
        weights = weights and self.weighted
        edges = Counter((u, v, w if weights else default) for u, v, w in graph.edges(data="weight"))
        vertices = set(graph) if isolated else {v for u, w, _ in edges for v in (u, w)}
        return Plain(self.directed if directed is None else directed, vertices, edges)

    def flags(self):
        """For files that do not tell the direction."""
        return ["--directed" if self.directed else "--undirected"]

    def save(self, path):
        """As weft's own edge list, with everything that it can say."""
        def quoted(v):
            return str(v) if self.kind == "numbers" else '"' + v.replace('"', '""') + '"'

        names = "" if self.kind == "numbers" else " names"
        lines = [f"# weft edge list {'directed' if self.directed else 'undirected'}{names}"]
        lines += [f"#v {quoted(v)}" for v in nx.isolates(self.graph)]
        for u, v, w in self.graph.edges(data="weight"):
            lines.append("\t".join([quoted(u), quoted(v)] + ([repr(w)] if self.weighted else [])))
        with open(path, "w", encoding="utf-8", newline="") as f:
            f.write("\n".join(lines) + "\n")

    def title(self):
        return f"{self.about}, {self.kind}{', parallel edges' if self.multi else ''}"
