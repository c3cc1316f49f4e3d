"""Calls of NetworkX's functions, and what two of them differ in: graphs of every class with all kinds of nodes and
weights, and arguments by the parameters' names.  On top of the graphs and the looks at answers of
tests/python/cases/test_nx_answers.py."""

import decimal
import fractions
import inspect
import io
import math
import sys
import warnings
from collections.abc import Iterator
from itertools import islice

import networkx as nx
import numpy as np
import pandas as pd
import scipy.sparse
from test_nx_answers import CLASSES, NEAR, NODES, WEIGHTS, plain, random_graph
from weftgraph_networkx import FUNCTIONS

warnings.simplefilter("ignore")
nx.config.warnings_to_ignore.add("cache")
REGISTERED = nx.utils.backends._registered_algorithms
# With NetworkX's decorators around the dispatch, such as for graphs that are refused.
PUBLIC = {name: getattr(sys.modules[REGISTERED[name].orig_func.__module__], name) for name in FUNCTIONS}
SIGNATURES = {name: list(inspect.signature(REGISTERED[name].orig_func).parameters.values()) for name in FUNCTIONS}
CHOSEN = {
    "louvain_communities",
    "leiden_communities",
    "louvain_partitions",
    "leiden_partitions",
}  # several answers are right
CALLED = [name for name in FUNCTIONS if name not in CHOSEN]
# In the order of sets or searches, which is nobody's.
ANY_ORDER = {
    "articulation_points",
    "biconnected_components",
    "color",
    "sets",
    *(name for name in FUNCTIONS if name.endswith("projected_graph")),
}


class Odd:
    """Few hashes for many, and equal without being the same."""

    def __init__(self, number):
        self.number = number

    def __repr__(self):
        return f"Odd({self.number})"

    def __hash__(self):
        return self.number % 3

    def __eq__(self, other):
        return isinstance(other, Odd) and self.number == other.number


NODES |= {
    "signed": lambda n: [i - n // 2 for i in range(n)],
    "large": lambda n: [(-1) ** i * 2 ** (60 + i) for i in range(n)],
    "floats": lambda n: [i / 2 for i in range(n)],
    "sets": lambda n: [frozenset((i, i + 1)) for i in range(n)],
    "odd": lambda n: [Odd(i) for i in range(n)],
    "fractions": lambda n: [fractions.Fraction(i, 3) if i % 2 else decimal.Decimal(i) / 7 for i in range(n)],
    "bytes": lambda n: [b"%d" % i for i in range(n)],
    "truths": lambda n: [False, True, *range(2, n)][:n],
    "unicode": lambda n: [f"é\u4e2d{i}" if i % 2 else f"x\udcff{i}" for i in range(n)],
    "numpy": lambda n: [np.int64(i) for i in range(n)],
}
WEIGHTS |= {
    "negative": lambda r: r.randrange(-2, 9),
    "one negative": lambda r: -1 if r.random() < 0.03 else r.randrange(1, 9),
    "none": lambda r: r.choice([None, 2, 2]),
    "infinite": lambda r: r.choice([1.0, 2.0, math.inf]),
    "not a number": lambda r: r.choice([1.0, 2.0, math.nan]),
    "large": lambda r: r.choice([2**60, 1, 3]),
    "numpy": lambda r: r.choice([np.float64(1.5), np.int64(2), 3]),
    "texts": lambda r: r.choice("12"),
    "truths": lambda r: r.choice([True, False, 2]),
    "fractions": lambda r: fractions.Fraction(r.randrange(1, 9), 3),
    "extreme": lambda r: r.choice([1e-300, 1e-250, 1e300]),
    "distinct": lambda r: r.randrange(10**9),
}
SHAPES = {
    "path": nx.path_graph,
    "cycle": nx.cycle_graph,
    "star": lambda n: nx.star_graph(max(n - 1, 0)),
    "complete": nx.complete_graph,
    "two kinds": lambda n: nx.complete_bipartite_graph(n // 2, n - n // 2),
    "tree": lambda n: nx.full_rary_tree(2, n),
}


def any_graph(chance):
    """A graph, and what it is."""
    cls, kind, weights = chance.choice(CLASSES), chance.choice([*NODES]), chance.choice([None, *WEIGHTS])
    n, shape = chance.choice((0, 1, 2, *range(3, 13))), chance.choice([*SHAPES, *["random"] * 8])
    nodes = NODES[kind](n)
    if shape == "random" and n:
        G = random_graph(chance, cls, nodes, chance.choice((0, 1, n, 2 * n, 4 * n)), weights)
    else:
        G = cls()
        G.add_nodes_from(nodes)
        for i, j in SHAPES.get(shape, nx.empty_graph)(n).edges:
            G.add_edge(nodes[i], nodes[j], **({"weight": WEIGHTS[weights](chance)} if weights else {}))
    if chance.random() < 0.3:
        nx.set_node_attributes(G, {v: chance.randrange(3) for v in G if chance.random() < 0.9}, "kind")
        G.graph["name"] = "named"
    if chance.random() < 0.3:
        G.remove_nodes_from(chance.sample([*G], min(len(G), 1)))
        G.remove_edges_from(chance.sample([*G.edges], min(len(G.edges), 2)))
    return G, f"{cls.__name__}, nodes: {kind}, weights: {weights}, {shape}"


def heavy(u, v, data):
    return 2 if len(data) else 1


def one_node(chance, nodes):
    known = nodes and chance.random() < 0.9
    return chance.choice(nodes if known else ["absent", None, [1], math.nan, 10**30])


def some_nodes(chance, nodes):
    some = chance.sample(nodes, chance.randrange(len(nodes) + 1))
    some += chance.choice([[], [], [], some[:1], ["absent"]])
    form = chance.choice([list, list, tuple, dict.fromkeys, set, iter, None])
    return one_node(chance, nodes) if form is None else form(some)


def some_values(chance, nodes):
    some = chance.sample(nodes, chance.randrange(len(nodes) + 1))
    values = {v: chance.choice([chance.random(), 1, 0]) for v in some}
    odd = [{**values, "absent": 1}, dict.fromkeys(values, 0), dict.fromkeys(values, -1.0)]
    return chance.choice([None, values, values, values, *odd])


def a_partition(chance, nodes):
    mixed, at = chance.sample(nodes, len(nodes)), chance.randrange(len(nodes) + 1)
    part = chance.choice([set, frozenset, list])
    two = [part(mixed[:at]), part(mixed[at:])]
    return chance.choice([two, two, two, two[:1], [part(mixed), part(mixed[:1])]])


def lines(chance, _):
    ends = [*"0123abc", "é", "007", "1.5", "+1", "1_0", "9" * 25]
    rests = [
        "",
        "",
        "",
        " 2.5",
        " {'weight': 3}",
        ' {"weight": 3}',
        " # x",
        " abc",
        " nan",
        " 1e400",
        " 1 2",
        " {}",
        "\r",
    ]
    rows = [chance.choice(["", "", "# only", "\ufeff1 2", "1"])]
    for _ in range(chance.randrange(6)):
        rows.append(chance.choice(ends) + chance.choice(" \t, ") + chance.choice(ends) + chance.choice(rests))
    return io.BytesIO("\n".join(rows).encode())


def matrix(chance, _):
    n = chance.randrange(6)
    A = np.array([chance.choice([0, 0, 1, 2, 0.5]) for _ in range(n * n)]).reshape(n, n)
    A = A + A.T if chance.random() < 0.5 else A[: n - 1] if chance.random() < 0.1 else A
    return A.astype(chance.choice([float, int, bool, np.uint8, np.float32]))


def table(chance, _):
    columns = {"source": ["a", 1, 2.5], "target": [0, 1, 2, 3], "weight": [0.5, 1.5, 2.0], "kind": [None, "x"]}
    rows = range(chance.randrange(9))
    return pd.DataFrame(
        {name: [chance.choice(values) for _ in rows] for name, values in columns.items()} | {"key": rows}
    )


def links(chance, _):
    ends = [1, 2, "a", (1,)] * 5 + [[1]]
    rests = [(), (), ({"weight": 2},), (3,)]
    return [(chance.choice(ends), chance.choice(ends), *chance.choice(rests)) for _ in range(chance.randrange(9))]


def among(*values):
    return lambda chance, _: chance.choice(values)


# By the parameter's name, several that have the same first.
ALIKE = {
    "source target u v root": one_node,
    "nodes nbunch sources targets nodelist": some_nodes,
    "personalization dangling nstart": some_values,
    "from_pandas_edgelist.source from_pandas_edgelist.target": among("source", "target", "absent"),
    "cutoff depth_limit": among(None, 0, 1, 2, 3, 2.5, -1, math.inf, math.nan, "x"),
    "x y": among("in", "out"),
    "normalized endpoints reverse data keys wf_improved ratio jaccard return_seen ignore_nan parallel_edges "
    "count_zeros multigraph usebounds copy": among(True, False, 1, 0),
}
BY_NAME = {name: value for names, value in ALIKE.items() for name in names.split()} | {
    "weight": among("weight", "weight", "weight", None, "absent", heavy, True, 1, ("weight",)),
    "distance": among(None, "weight", "absent", heavy, 0, 1, 2, 3, 1.5),
    "sort_neighbors": among(None, None, sorted, reversed),
    "k": among(None, 0, 1, 2, 3, 4, -1, 1.5),
    "seed": among(1, 42),
    "alpha": among(0.85, 0.5, 0.1, 0.05, 0.01, 1, 0, 1.2),
    "beta": among(1.0, 2, 0.5),
    "method": among("dijkstra", "dijkstra", "bellman-ford", "unweighted", "none"),
    "tol": among(1e-8, 1e-6, 1e-3),
    "max_iter": among(1, 100, 1000),
    "ebunch": lambda chance, nodes: [(one_node(chance, nodes), one_node(chance, nodes)) for _ in range(3)],
    "resolution": among(1, 0.5, 2, 0, -1),
    "communities": a_partition,
    "attribute": among("kind", "kind", "absent"),
    "orientation": among(None, "original", "reverse", "ignore"),
    "default_weight": among(1, 2, 0.5, 0, None),
    "algorithm": among("kruskal", "prim", "boruvka", "none"),
    "order": among(None, "C", "F"),
    "dtype": among(None, float, int, np.float32, "int8"),
    "format": among("csr", "csc", "coo", "none"),
    "nonedge": among(0.0, math.nan, -1),
    "multigraph_weight": among(sum, min, max),
    "create_using": lambda chance, _: chance.choice([None, *CLASSES[1:], nx.path_graph(3)]),
    "n": among(0, 1, 3, -1, 2.5, "abc", [1, 2, 2], (5, 5), True, None, np.int64(4)),
    "path": lines,
    "edgelist": links,
    "df": table,
    "A": matrix,
    "nodetype": among(None, int, float, str),
    "delimiter": among(None, ",", " "),
    "comments": among("#", "%", None),
    "encoding": among("utf-8", "latin-1"),
    "edge_attr": among(None, True, "weight", ["weight", "kind"], "absent"),
    "edge_attribute": among("weight", "other"),
    "edge_key": among(None, "key"),
}


def arguments(chance, name, G):
    """Arguments by position, and by name."""
    nodes, args, kwargs = [*G], [], {}
    for i, parameter in enumerate(SIGNATURES[name]):
        value_of = BY_NAME.get(f"{name}.{parameter.name}", BY_NAME.get(parameter.name))
        if i == 0 and parameter.name in ("G", "B"):
            args.append(G)
        elif parameter.default is parameter.empty:
            args.append(value_of(chance, nodes))
        elif value_of and chance.random() < 0.4:
            kwargs[parameter.name] = value_of(chance, nodes)
    if name == "from_scipy_sparse_array":
        args[0] = chance.choice([scipy.sparse.csr_array, scipy.sparse.coo_array])(args[0])
    if kwargs.get("k") is not None and "betweenness" in name:
        kwargs.setdefault("seed", 3)
    return args, kwargs


def shown(x):
    """plain(), with the values of NumPy and pandas, and at most 5,000 items of an iterator up to its error."""
    if isinstance(x, Iterator):
        items = []
        try:
            items.extend(map(shown, islice(x, 5000)))
        except Exception as error:
            return "iterator", items, type(error).__name__
        return "iterator", items
    if isinstance(x, np.ndarray):
        return "array", str(x.dtype), x.shape, plain(x.tolist())
    if scipy.sparse.issparse(x):
        return "sparse", type(x).__name__, str(x.dtype), x.shape, plain(x.toarray().tolist())
    if isinstance(x, pd.DataFrame):
        return "table", plain(x.dtypes.astype(str).to_dict()), plain(x.to_dict("list")), plain([*x.index])
    return plain(x)


def answered(backend, question):
    """An answer; ("error", its type); None: the backend leaves that to NetworkX."""
    try:
        return shown(question())
    except Exception as error:
        declined = isinstance(error, NotImplementedError) and not isinstance(error, nx.NetworkXException)
        return None if declined and backend == "weft" else ("error", type(error).__name__)


def same(name, mine, theirs, near=1e-12):
    """Equal in values, types and order; numbers nearly, the more so where they are iterated to a limit."""
    if isinstance(mine, dict) and isinstance(theirs, dict):
        mine, theirs = [*mine.items()], [*theirs.items()]
    if not isinstance(mine, (tuple, list)) or type(mine) is not type(theirs):
        return mine == theirs
    if len(mine) == len(theirs) == 2 and mine[0] == theirs[0] == "float":
        return mine[1] == theirs[1] or abs(float(mine[1]) - float(theirs[1])) <= near * max(1, abs(float(theirs[1])))
    if len(mine) == len(theirs) == 2 and mine[0] == theirs[0] and name in ANY_ORDER and isinstance(mine[1], list):
        mine, theirs = ((what, sorted(items, key=repr)) for what, items in (mine, theirs))
    return len(mine) == len(theirs) and all(same(name, a, b, near) for a, b in zip(mine, theirs))


def nearness(name, kwargs):
    """How near two iterations end that stop at the same tolerance; eigenvectors may creep."""
    tolerance = next((parameter.default for parameter in SIGNATURES[name] if parameter.name == "tol"), 0)
    return max(NEAR.get(name, 1e-12), (1000 if name.startswith("eigenvector") else 20) * kwargs.get("tol", tolerance))


def picture(G):
    """All that a call must leave as it is."""
    return repr(
        (
            type(G).__name__,
            [*G.nodes(data=True)],
            {u: {v: dict(d) for v, d in row.items()} for u, row in G.adj.items()},
            G.graph,
        )
    )
