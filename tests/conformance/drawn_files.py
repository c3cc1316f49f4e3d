"""drawn_files.py WEFT COUNT [FIRST]: COUNT files that are drawn, with attributes of vertices and columns of edges: NetworkX's
GraphML, GEXF, node-link and Cytoscape JSON, igraph's and Gephi's layouts, tables; with quotes, markup, other scripts and
missing values.  Each goes through .weft to GraphML, GEXF and JSON, as NetworkX reads them, to GraphML as igraph reads it
where there is one, and to csv as Python's csv reads it: equal, but that a table does not tell whole numbers in a column of
others from these, and that igraph's numbers are doubles."""
import csv
import json
import os
import random
import subprocess
import sys
import tempfile
from xml.sax.saxutils import escape, quoteattr

import networkx as nx

try:
    import igraph
except ImportError:
    igraph = None

weft, count, *first = sys.argv[1:]
failures = 0
WORDS = ["Ann", "O'Neil, \"Bo\"", "\u00d8re <b>&amp;</b> & co", "\u6587\u5b57 \U0001f600", "a\\b/c", "two  blanks", "=1+2", "-5x",
         "007", "true story", "2024-03-01?", "[x] {y}", "tab\there", "%s;%d", "nan?", "\u2028 line", "e\u0301"]


def fail(title, message):
    global failures
    failures += 1
    print(f"FAILED  {title}\n{message}")


def run(*words):
    done = subprocess.run([weft, *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}: exit code {done.returncode}: {done.stderr}")


# --- graphs ------------------------------------------------------------------------------------------------


def value_of(dice, kind):
    if kind == "text":
        return dice.choice(WORDS) + dice.choice(("", "", str(dice.randint(0, 99))))
    return {"i64": lambda: dice.choice((0, -1, 7, 2**31, -2**53, dice.randint(-10**6, 10**6))),
            "f64": lambda: dice.choice((0.5, -2.25, 1e300, 1e-300, 0.1, dice.random())),
            "bool": lambda: dice.random() < 0.5}[kind]()


def columns_of(dice, names, rows):
    """{name: {row: value}}, some of them missing; each column has one at least."""
    made = {}
    for name in names:
        kind = dice.choice(("i64", "f64", "bool", "text"))
        there = [r for r in rows if dice.random() < 0.7] or [rows[0]]
        made[name] = {r: value_of(dice, kind) for r in there}
    return made


def drawn_graph(seed):
    dice = random.Random(seed)
    ids = [dice.choice(("v", "\u00e9", "n ")) + str(i) for i in range(dice.randint(2, 9))]
    graph = nx.DiGraph() if dice.random() < 0.5 else nx.Graph()
    graph.add_nodes_from(ids)
    drawn = ((dice.choice(ids), dice.choice(ids)) for _ in range(dice.randint(1, 15)))
    pairs = sorted({(u, v) if graph.is_directed() else tuple(sorted((u, v))) for u, v in drawn if u != v}) or [(ids[0], ids[1])]
    graph.add_edges_from(pairs)
    names = dice.sample(["age", "city name", "score", "ok", "\u00fcber", "group"], dice.randint(1, 4))
    for name, column in columns_of(dice, names, ids).items():
        for v, x in column.items():
            graph.nodes[v][name] = x
    for name, column in columns_of(dice, dice.sample(["amount", "since", "by way of", "sure"], dice.randint(1, 3)), pairs).items():
        for (u, v), x in column.items():
            graph.edges[u, v][name] = x
    return graph


def vertices_of(graph):
    return {str(v): dict(data) for v, data in graph.nodes(data=True)}


def edges_of(graph):
    ends = lambda u, v: (u, v) if graph.is_directed() or u <= v else (v, u)
    return {ends(str(u), str(v)): {k: x for k, x in data.items() if k != "id"} for u, v, data in graph.edges(data=True)}


# --- as programs write them -----------------------------------------------------------------------------------


def kinds_of(rows):
    return {k: type(x) for data in rows for k, x in data.items()}


def rows_of(graph):
    return ("node", [d for _, d in graph.nodes(data=True)]), ("edge", [d for *_, d in graph.edges(data=True)])


def spelt(x):
    return str(x).lower() if isinstance(x, bool) else repr(x) if isinstance(x, float) else str(x)


def igraph_graphml(graph, path):
    """Keys called v_NAME and e_NAME; all numbers are doubles."""
    names = {bool: "boolean", int: "double", float: "double", str: "string"}

    def data(letter, d):
        return "".join(f"<data key={quoteattr(letter + '_' + k)}>{escape(spelt(x))}</data>" for k, x in d.items())

    with open(path, "w", encoding="utf-8") as f:
        f.write('<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
        for owner, rows in rows_of(graph):
            for k, kind in kinds_of(rows).items():
                f.write(f"<key id={quoteattr(owner[0].replace('n', 'v') + '_' + k)} for='{owner}' attr.name={quoteattr(k)} "
                        f"attr.type='{names[kind]}'/>\n")
        f.write(f"<graph id='G' edgedefault='{'' if graph.is_directed() else 'un'}directed'>\n")
        for v, d in graph.nodes(data=True):
            f.write(f"<node id={quoteattr(v)}>{data('v', d)}</node>\n")
        for u, v, d in graph.edges(data=True):
            f.write(f"<edge source={quoteattr(u)} target={quoteattr(v)}>{data('e', d)}</edge>\n")
        f.write("</graph></graphml>\n")


def gephi_gexf(graph, path):
    """Attributes by number, labels, sizes for the eye, ids of edges."""
    names = {bool: "boolean", int: "long", float: "double", str: "string"}
    place = {}
    attribute = str.maketrans({"\t": "&#9;", "\n": "&#10;"})

    def data(owner, d):
        cells = (f"<attvalue for='{place[owner, k]}' value={quoteattr(spelt(x))}/>" for k, x in d.items())
        return f"<attvalues>{''.join(cells)}</attvalues>".translate(attribute)

    with open(path, "w", encoding="utf-8") as f:
        f.write('<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://www.gexf.net/1.3" version="1.3" '
                'xmlns:viz="http://www.gexf.net/1.3/viz">\n'
                f"<graph defaultedgetype='{'' if graph.is_directed() else 'un'}directed' mode='static'>\n")
        for owner, rows in rows_of(graph):
            f.write(f"<attributes class='{owner}' mode='static'>")
            for i, (k, kind) in enumerate(kinds_of(rows).items()):
                place[owner, k] = i
                f.write(f"<attribute id='{i}' title={quoteattr(k)} type='{names[kind]}'/>")
            f.write("</attributes>\n")
        f.write("<nodes>\n")
        for v, d in graph.nodes(data=True):
            f.write(f"<node id={quoteattr(v)} label={quoteattr(v)}>{data('node', d)}<viz:size value='3.0'/></node>\n")
        f.write("</nodes><edges>\n")
        for i, (u, v, d) in enumerate(graph.edges(data=True)):
            f.write(f"<edge id='{i}' source={quoteattr(u)} target={quoteattr(v)}>{data('edge', d)}</edge>\n")
        f.write("</edges></graph></gexf>\n")


def tables(graph, path):
    """The edges, and in path.nodes.csv the vertices."""
    (_, of_vertices), (_, of_edges) = rows_of(graph)
    vertex_kinds, edge_kinds = kinds_of(of_vertices), kinds_of(of_edges)
    with open(path + ".nodes.csv", "w", encoding="utf-8", newline="") as f:
        rows = csv.writer(f)
        rows.writerow(["id", *vertex_kinds])
        rows.writerows([v, *(spelt(d.get(k, "")) for k in vertex_kinds)] for v, d in graph.nodes(data=True))
    with open(path, "w", encoding="utf-8", newline="") as f:
        rows = csv.writer(f)
        rows.writerow(["source", "target", *edge_kinds])
        rows.writerows([u, v, *(spelt(d.get(k, "")) for k in edge_kinds)] for u, v, d in graph.edges(data=True))


def node_link(graph, path):
    with open(path, "w", encoding="utf-8") as f:
        json.dump(nx.node_link_data(graph, edges="links"), f)


def cytoscape(graph, path):
    with open(path, "w", encoding="utf-8") as f:
        json.dump(nx.cytoscape_data(graph), f)


LAYOUTS = [("graphml", nx.write_graphml_xml), ("gexf", nx.write_gexf), ("json", node_link), ("cyjs", cytoscape),
           ("graphml", igraph_graphml), ("gexf", gephi_gexf), ("csv", tables)]


# --- and as they are read ----------------------------------------------------------------------------------------


def read_json(path):
    with open(path, encoding="utf-8") as f:
        return nx.node_link_graph(json.load(f), edges="links")


def read_gexf(path):
    graph = nx.read_gexf(path)
    for v, data in graph.nodes(data=True):
        if data.get("label") == v:
            del data["label"]  # stands for no label
    return graph


def expect(title, got, hope):
    if got != hope:
        fail(title, f"read as {got}\nexpected {hope}")


def check_igraph(title, path, vertices):
    """It has values where some are missing, and numbers are doubles."""
    for v in igraph.Graph.Read_GraphML(path).vs:
        for k, x in vertices[v["id"]].items():
            if v[k] != x:
                fail(f"{title}, igraph", f"{v['id']}: {k} is {v[k]!r}, expected {x!r}")


def check_csv(folder, title, kept, vertices):
    path = os.path.join(folder, "table.csv")
    run("degree", kept, "-o", path)
    with open(path, encoding="utf-8", newline="") as f:
        rows = {row["id"]: row for row in csv.DictReader(f)}
    for v, data in vertices.items():
        for k, x in data.items():
            field = rows[v][k]
            if field != spelt(x) if isinstance(x, (bool, str)) else type(x)(field) != x:
                fail(f"{title}, csv", f"{v}: {k} is {field!r}, expected {x!r}")


def with_doubles(rows, all_numbers):
    mixed = {k for data in rows.values() for k, x in data.items() if type(x) is float}
    return {r: {k: float(x) if type(x) is int and (all_numbers or k in mixed) else x for k, x in data.items()}
            for r, data in rows.items()}


def check(folder, seed):
    graph = drawn_graph(seed)
    extension, write = LAYOUTS[seed % len(LAYOUTS)]
    title = f"file {seed}, {write.__name__}"
    source, kept = os.path.join(folder, f"drawn.{extension}"), os.path.join(folder, "drawn.weft")
    write(graph, source)
    vertices, edges = vertices_of(graph), edges_of(graph)
    if write in (igraph_graphml, tables):
        vertices, edges = (with_doubles(rows, write is igraph_graphml) for rows in (vertices, edges))
    words = ["convert", source, kept, "--directed" if graph.is_directed() else "--undirected"]
    if extension in ("graphml", "gexf", "csv"):
        words += ["--keep", ",".join(sorted({k for data in edges.values() for k in data}))]
    else:
        edges = {pair: {} for pair in edges}
    if write is tables:
        words += ["--nodes", source + ".nodes.csv"]
    run(*words)
    for target, read in (("graphml", nx.read_graphml), ("gexf", read_gexf), ("json", read_json)):
        path = os.path.join(folder, "out." + target)
        run("convert", kept, path)
        got = read(path)
        expect(f"{title}, {target}: vertices", vertices_of(got), vertices)
        expect(f"{title}, {target}: edges", edges_of(got), edges)
        if target == "graphml" and igraph:
            check_igraph(title, path, vertices)
    check_csv(folder, title, kept, vertices)


begin = int(first[0]) if first else 0
with tempfile.TemporaryDirectory() as folder:
    for seed in range(begin, begin + int(count)):
        try:
            check(folder, seed)
        except Exception as e:
            fail(f"file {seed}", repr(e))
print(f"{max(int(count) - failures, 0)} passed, {failures} failed, 0 skipped")
sys.exit(failures > 0)
