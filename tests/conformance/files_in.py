"""Forms that NetworkX, SciPy and NumPy write and weft reads.

A form writes a file and returns a Task: flags for weft, and what the file means (several meanings where the format has
several names for a vertex).  None: the form has no place for such a graph."""
import json

import networkx as nx
import numpy as np
import scipy.io
import scipy.sparse

INPUTS = {}


class Task:
    def __init__(self, flags, *meanings):
        self.flags, self.meanings = flags, meanings


class Form:
    def __init__(self, name, format, extension, write, once):
        self.name, self.format, self.extension, self.write = name, format, extension, write
        self.once = once  # the file lists an edge of an undirected graph twice

    def missing(self):
        return None


def form(name, format, extension, once=False):
    def add(function):
        INPUTS[name] = Form(name, format, extension, function, once)
        return function
    return add


# --- lists -------------------------------------------------------------------------------------------


def looks_like_counts(subject):
    """The first line is "n m", and the others fit: what weft may take for the sizes, it is told to be data."""
    edges = list(subject.graph.edges())
    return bool(edges) and subject.kind == "numbers" and edges[0][1] == len(edges) - 1


def edge_list(subject, path, write, weighted):
    if not subject.graph.number_of_edges() or not subject.has_names("numbers, names"):
        return None
    write(path)
    flags = subject.flags() + ["--no-header"] * looks_like_counts(subject)
    return Task(flags, subject.plain(isolated=False, weights=weighted))


@form("edge list with {} or {'weight': w}", "edgelist", "edgelist")
def edges_with_data(subject, path):
    return edge_list(subject, path, lambda p: nx.write_edgelist(subject.graph, p), True)


@form("edge list without data", "edgelist", "txt")
def edges_without_data(subject, path):
    return edge_list(subject, path, lambda p: nx.write_edgelist(subject.graph, p, data=False), False)


@form("edge list with commas", "csv", "csv")
def edges_with_commas(subject, path):
    if not subject.has_names("numbers"):
        return None  # names above names: weft asks whether the first line is a header
    return edge_list(subject, path, lambda p: nx.write_edgelist(subject.graph, p, delimiter=",", data=False), False)


@form("weighted edge list", "edgelist", "edges")
def weighted_edges(subject, path):
    if not subject.weighted:
        return None
    return edge_list(subject, path, lambda p: nx.write_weighted_edgelist(subject.graph, p), True)


@form("adjacency list", "adjlist", "adjlist")
def adjacency_list(subject, path):
    if not subject.has_names("numbers") or not len(subject.graph):
        return None
    nx.write_adjlist(subject.graph, path)
    return Task(subject.flags(), subject.plain(weights=False))


# --- documents ---------------------------------------------------------------------------------------


@form("GML", "gml", "gml")
def gml(subject, path):
    nx.write_gml(subject.graph, path)
    return Task([], subject.plain(subject.numbered()), subject.plain())


@form("GraphML", "graphml", "graphml")
def graphml(subject, path):
    nx.write_graphml_xml(subject.graph, path)
    return Task([], subject.plain())


@form("GEXF", "gexf", "gexf")
def gexf(subject, path):
    nx.write_gexf(subject.graph, path)
    return Task([], subject.plain())


@form("Pajek", "pajek", "net")
def pajek(subject, path):
    if any('"' in str(v) for v in subject.graph):
        return None  # NetworkX writes quotes within quotes as they are
    nx.write_pajek(subject.graph, path)
    if subject.graph.number_of_edges() or subject.directed:
        return Task([], subject.plain(default=1))  # NetworkX writes 1 where there is no weight
    return Task([], subject.plain(), subject.plain(directed=True))


def node_link(subject, path, key):
    with open(path, "w", encoding="utf-8") as f:
        json.dump(nx.node_link_data(subject.graph, edges=key), f, indent=[None, 1][subject.index % 2],
                  ensure_ascii=subject.index % 4 < 2)
    return Task([], subject.plain())


@form("node-link JSON with links", "json", "json")
def links(subject, path):
    return node_link(subject, path, "links")


@form("node-link JSON with edges", "json", "json")
def node_link_edges(subject, path):
    return node_link(subject, path, "edges")


# --- codes and matrices ------------------------------------------------------------------------------


@form("graph6", "graph6", "g6")
def graph6(subject, path):
    if subject.directed or subject.multi or nx.number_of_selfloops(subject.graph):
        return None
    nx.write_graph6(subject.numbered(), path, header=subject.index % 2 == 0)
    return Task([], subject.plain(subject.numbered(), weights=False))


@form("sparse6", "graph6", "s6")
def sparse6(subject, path):
    if subject.directed or (len(subject.graph) == 1 and subject.graph.number_of_edges()):
        return None  # for one vertex NetworkX takes a bit for each end, where the definition has none
    nx.write_sparse6(subject.numbered(), path, header=subject.index % 2 == 0)
    return Task([], subject.plain(subject.numbered(), weights=False))


def entries(subject, both):
    """Rows, columns and values of the adjacency matrix; both: an undirected edge in both triangles."""
    rows, columns, values = [], [], []
    for u, v, w in subject.numbered().edges(data="weight", default=1):
        for a, b in [(u, v), (v, u)][:2 if both and u != v else 1]:
            rows.append(a)
            columns.append(b)
            values.append(w)
    return rows, columns, values


def matrix(subject, both):
    rows, columns, values = entries(subject, both)
    n = len(subject.graph)
    whole = all(isinstance(w, int) for w in values)
    return scipy.sparse.coo_matrix((np.array(values, dtype=np.int64 if whole else np.float64), (rows, columns)), shape=(n, n))


@form("Matrix Market by SciPy", "mtx", "mtx")
def matrix_market(subject, path):
    if subject.multi or not len(subject.graph):
        return None
    numbered = subject.numbered(1)
    if subject.directed:
        a, symmetry = matrix(subject, False), "general"
    else:
        rows, columns, values = entries(subject, False)
        low = [(max(u, v), min(u, v)) for u, v in zip(rows, columns)]
        a = scipy.sparse.coo_matrix((values, ([u for u, _ in low], [v for _, v in low])), shape=(len(numbered),) * 2)
        a, symmetry = (a + scipy.sparse.triu(a.T, 1)).tocoo(), "symmetric"
        if any(w == 0 for w in values):
            return None  # the sum dropped them
    scipy.io.mmwrite(path, a, field=None if subject.weighted else "pattern", symmetry=symmetry, precision=17)
    return Task([], subject.plain(numbered))


def archive(subject, path, kind):
    if subject.multi or not len(subject.graph):
        return None
    a = matrix(subject, not subject.directed)
    scipy.sparse.save_npz(path, getattr(a, "to" + kind)(), compressed=subject.index % 2 == 0)
    # Ones where there is no weight: an array has to have numbers, so weft may say either.
    return Task(subject.flags(), subject.plain(subject.numbered(), default=1), subject.plain(subject.numbered()))


for kind in "csr", "csc", "coo":
    form(f"SciPy .npz, {kind}", "npz", "npz", once=True)(lambda subject, path, kind=kind: archive(subject, path, kind))


def edge_array(subject, path, transposed):
    edges = list(subject.graph.edges())
    if not subject.has_names("numbers") or len(edges) < 3:
        return None
    array = np.array(edges, dtype=[np.int64, np.int32, np.uint64][subject.index % 3])
    np.save(path, array.T if transposed else array)
    meaning = subject.plain(isolated=False, weights=False)
    meanings = [meaning]
    if subject.from_zero:  # edge_index of PyG: whether vertices up to the largest are there is a matter of taste
        largest = max(map(max, edges))
        meanings.append(type(meaning)(meaning.directed, range(largest + 1), meaning.edges))
    return Task(subject.flags(), *meanings)


@form("NumPy array of edges, m x 2", "npy", "npy")
def array_of_rows(subject, path):
    return edge_array(subject, path, False)


@form("NumPy array of edges, 2 x m", "npy", "npy")
def array_of_columns(subject, path):
    return edge_array(subject, path, True)
