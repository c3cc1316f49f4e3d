"""Forms that weft writes and NetworkX or SciPy reads.  A form reads a file and returns what is there and what should be."""
import csv
import importlib.util
import json
from collections import Counter

import networkx as nx
import scipy.io
import scipy.sparse

from exchange import Plain

OUTPUTS = {}


class Form:
    def __init__(self, name, format, extension, read, takes, needs):
        self.name, self.format, self.extension, self.read, self.takes, self.needs = name, format, extension, read, takes, needs

    def missing(self):
        return f"Python has no {self.needs}" if self.needs and not importlib.util.find_spec(self.needs) else None


def form(name, format, extension, takes=lambda subject: True, needs=None):
    def add(function):
        OUTPUTS[name] = Form(name, format, extension, function, takes, needs)
        return function
    return add


def kind_of(subject):
    if subject.multi:
        return nx.MultiDiGraph() if subject.directed else nx.MultiGraph()
    return nx.DiGraph() if subject.directed else nx.Graph()


def plain_of(graph):
    """What NetworkX has read, with its own direction; None where an edge has no weight."""
    return Plain(graph.is_directed(), graph, Counter(graph.edges(data="weight")))


def plain_names(subject):
    return subject.has_names("numbers, names")


@form("written edge list", "edgelist", "el", plain_names)
def edge_list(subject, path):
    data = [("weight", float)] if subject.weighted else False
    graph = nx.read_edgelist(path, delimiter="\t", create_using=kind_of(subject), data=data)
    return plain_of(graph), subject.plain(isolated=False)


@form("written csv", "csv", "csv")
def csv_table(subject, path):
    with open(path, encoding="utf-8", newline="") as f:
        header, *rows = csv.reader(f)
    graph = kind_of(subject)
    for row in rows:
        named = dict(zip(header, row))
        graph.add_edge(named["source"], named["target"], **({"weight": named["weight"]} if "weight" in named else {}))
    return plain_of(graph), subject.plain(isolated=False)


@form("written GML", "gml", "gml")
def gml(subject, path):
    return plain_of(nx.read_gml(path)), subject.plain()


@form("written GraphML", "graphml", "graphml")
def graphml(subject, path):
    return plain_of(nx.read_graphml(path, force_multigraph=subject.multi)), subject.plain()


@form("written GEXF", "gexf", "gexf")
def gexf(subject, path):
    return plain_of(nx.read_gexf(path)), subject.plain()


# NetworkX takes its lines apart as a shell does, so that blanks and quotes in names mean something to it.
@form("written Pajek", "pajek", "net", plain_names)
def pajek(subject, path):
    return plain_of(nx.read_pajek(path)), subject.plain()


def document(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


@form("written JSON", "json", "json")
def node_link(subject, path):
    data = document(path)
    try:
        graph = nx.node_link_graph(data, edges="links")
    except TypeError:  # before NetworkX 3.4
        graph = nx.node_link_graph(data)
    return plain_of(graph), subject.plain()


@form("written Cytoscape.js", "cyjs", "cyjs")
def cytoscape(subject, path):
    return plain_of(nx.cytoscape_graph(document(path))), subject.plain()


@form("written JSON lines", "jsonl", "jsonl")
def json_lines(subject, path):
    graph = kind_of(subject)
    with open(path, encoding="utf-8") as f:
        for line in f:
            edge = json.loads(line)
            weight = {"weight": edge["weight"]} if "weight" in edge else {}
            graph.add_edge(edge["source"], edge["target"], **weight)
    return plain_of(graph), subject.plain(isolated=False)


def in_order(subject):
    """The graph with its vertices numbered as weft numbers them: ascending, names by their bytes."""
    key = None if subject.kind == "numbers" else lambda v: v.encode()
    return nx.relabel_nodes(subject.graph, {v: i for i, v in enumerate(sorted(subject.graph, key=key))})


def from_matrix(subject, a):
    """Of a matrix of an undirected graph both triangles are there; an edge is taken once."""
    a, edges = scipy.sparse.coo_matrix(a), Counter()
    for u, v, w in zip(a.row.tolist(), a.col.tolist(), a.data.tolist()):
        if subject.directed or u <= v:
            edges[u, v, w] += 1
    symmetric = Counter(zip(a.row.tolist(), a.col.tolist())) == Counter(zip(a.col.tolist(), a.row.tolist()))
    if not subject.directed and not symmetric:
        raise ValueError("the matrix is not symmetric")
    return Plain(subject.directed, range(a.shape[0]), edges), subject.plain(in_order(subject), default=1)


def simple(subject):
    return not subject.multi and len(subject.graph) > 0


@form("written Matrix Market", "mtx", "mtx", simple)
def matrix_market(subject, path):
    return from_matrix(subject, scipy.io.mmread(path))


@form("written .npz", "npz", "npz", lambda subject: simple(subject) and subject.from_zero and subject.kind == "numbers")
def archive(subject, path):
    return from_matrix(subject, scipy.sparse.load_npz(path))


@form("written DOT", "dot", "dot", plain_names, needs="pydot")
def dot(subject, path):
    graph = nx.nx_pydot.read_dot(path)
    edges = Counter((u.strip('"'), v.strip('"'), w.strip('"') if subject.weighted else None)
                    for u, v, w in graph.edges(data="weight"))
    vertices = {v.strip('"') for v in graph} - {"\\n"}
    return Plain(graph.is_directed(), vertices, edges), subject.plain()
