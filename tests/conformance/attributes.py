"""attributes.py WEFT: what vertices have, from files as other programs write them, through weft's own format and every
format that keeps it, to NetworkX: equal, or the loss is one that the pages name (times are text; GML has no truth
values; what no format of NetworkX's tells apart)."""
import json
import os
import subprocess
import sys
import tempfile

import networkx as nx

weft = sys.argv[1]
failures = 0

YED = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
  <key attr.name="url" attr.type="string" for="node" id="d4"/>
  <key attr.name="weight in kg" attr.type="double" for="node" id="d5"/>
  <key for="node" id="d6" yfiles.type="nodegraphics"/>
  <key for="edge" id="d9" yfiles.type="edgegraphics"/>
  <graph edgedefault="directed" id="G">
    <node id="n0"><data key="d5">70.5</data><data key="d6"><y:ShapeNode><y:Geometry height="30.0" width="30.0" x="1" y="2"/>
      <y:NodeLabel alignment="center">Ann &amp; Bob<y:LabelModel><y:SmartNodeLabelModel/></y:LabelModel></y:NodeLabel>
      <y:Shape type="rectangle"/></y:ShapeNode></data></node>
    <node id="n1"><data key="d4"><![CDATA[http://x?a=1&b=2]]></data><data key="d6"><y:ShapeNode><y:NodeLabel>Cid</y:NodeLabel></y:ShapeNode></data></node>
    <edge id="e0" source="n0" target="n1"/>
  </graph>
</graphml>
"""
IGRAPH = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="v_name" for="node" attr.name="name" attr.type="string"/>
  <key id="v_age" for="node" attr.name="age" attr.type="double"/>
  <key id="v_member" for="node" attr.name="member" attr.type="boolean"/>
  <key id="e_weight" for="edge" attr.name="weight" attr.type="double"/>
  <graph id="G" edgedefault="undirected">
    <node id="n0"><data key="v_name">Anna</data><data key="v_age">31</data><data key="v_member">true</data></node>
    <node id="n1"><data key="v_name">B\u00f6b</data><data key="v_age">40.5</data><data key="v_member">false</data></node>
    <edge source="n0" target="n1"><data key="e_weight">2</data></edge>
  </graph>
</graphml>
"""
GEPHI = """<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://www.gexf.net/1.3" version="1.3" xmlns:viz="http://www.gexf.net/1.3/viz">
  <graph defaultedgetype="undirected" mode="static">
    <attributes class="node" mode="static">
      <attribute id="modularity_class" title="Modularity Class" type="integer"><default>0</default></attribute>
      <attribute id="pageranks" title="PageRank" type="double"/>
    </attributes>
    <nodes>
      <node id="11" label="Valjean"><attvalues><attvalue for="modularity_class" value="1"/><attvalue for="pageranks" value="0.075"/></attvalues>
        <viz:size value="100.0"/><viz:position x="-87.9" y="6.9"/><viz:color r="245" g="91" b="91"/></node>
      <node id="48" label="Gavroche"><attvalues><attvalue for="pageranks" value="3.5E-2"/></attvalues></node>
    </nodes>
    <edges><edge id="0" source="11" target="48"/></edges>
  </graph>
</gexf>
"""
CYTOSCAPE = json.dumps({
    "format_version": "1.0", "generated_by": "cytoscape-3.10", "target_cytoscapejs_version": "~2.1", "data": {"name": "net"},
    "elements": {"nodes": [{"data": {"id": "75", "shared_name": "YDL1", "SUID": 75, "score": 0.25, "selected": False},
                            "position": {"x": 1.5, "y": 2}, "selected": False},
                           {"data": {"id": "76", "shared_name": "YDL2 \"\u00e9\"", "SUID": 76, "selected": True}}],
                 "edges": [{"data": {"id": "77", "source": "75", "target": "76"}}]}})
TABLE = 'id,Name,age,born,member,note\na,"Lee, Ann",31,1990-01-02,true,"say ""hi"""\nb,B\u00f6b,,,false,\nc,\u6587,-5,2001-12-31,,"two\nlines"\n'
OF_TABLE = {"a": {"Name": "Lee, Ann", "age": 31, "born": "1990-01-02", "member": True, "note": 'say "hi"'},
            "b": {"Name": "B\u00f6b", "member": False},
            "c": {"Name": "\u6587", "age": -5, "born": "2001-12-31", "note": "two\nlines"}}


def networkx_graph():
    g = nx.DiGraph()
    g.add_node("x", label="Ann & Bob", age=31, score=0.5, member=True, city="\u6587 <\u00e9>")
    g.add_node("y", label="Bob", age=40, score=2.0, member=False)
    g.add_node("z", label="Cid", score=1e-7)
    g.add_edge("x", "y", weight=2)
    g.add_edge("y", "z", weight=1)
    return g


def numbered_graph():
    g = nx.Graph()
    g.add_node(3, label="three", size=1.5, count=7)
    g.add_node(8, label="eight", size=2.0, count=-1)
    g.add_edge(3, 8)
    return g


def written(write, graph):
    def to(path):
        write(graph, path)
    return to


def text(content):
    def to(path):
        with open(path, "w", encoding="utf-8") as f:
            f.write(content)
    return to


def dump(data, graph):
    def to(path):
        with open(path, "w", encoding="utf-8") as f:
            json.dump(data(graph), f)
    return to


def attributes_of(graph):
    return {str(v): dict(data) for v, data in graph.nodes(data=True)}


plain = attributes_of(networkx_graph())
numbered = attributes_of(numbered_graph())
SOURCES = [
    ("NetworkX GraphML", "graphml", written(nx.write_graphml_xml, networkx_graph()), plain),
    ("NetworkX GraphML, numbers", "graphml", written(nx.write_graphml_xml, numbered_graph()), numbered),
    ("NetworkX GEXF", "gexf", written(nx.write_gexf, networkx_graph()), plain),
    ("NetworkX GML", "gml", written(lambda g, path: nx.write_gml(nx.relabel_nodes(g, {3: "three", 8: "eight"}), path), numbered_graph()), None),
    ("NetworkX node-link", "json", dump(lambda g: nx.node_link_data(g, edges="links"), networkx_graph()), plain),
    ("NetworkX node-link, numbers", "json", dump(lambda g: nx.node_link_data(g, edges="links"), numbered_graph()), numbered),
    ("NetworkX Cytoscape", "cyjs", dump(nx.cytoscape_data, networkx_graph()), plain),
    ("yEd GraphML", "graphml", text(YED), {"n0": {"weight in kg": 70.5, "label": "Ann & Bob"}, "n1": {"url": "http://x?a=1&b=2", "label": "Cid"}}),
    ("igraph GraphML", "graphml", text(IGRAPH), {"n0": {"name": "Anna", "age": 31.0, "member": True},
                                                "n1": {"name": "B\u00f6b", "age": 40.5, "member": False}}),
    ("Gephi GEXF", "gexf", text(GEPHI), {"11": {"label": "Valjean", "Modularity Class": 1, "PageRank": 0.075},
                                        "48": {"label": "Gavroche", "Modularity Class": 0, "PageRank": 0.035}}),
    ("Cytoscape JSON", "cyjs", text(CYTOSCAPE), {"75": {"shared_name": "YDL1", "SUID": 75, "score": 0.25, "selected": False},
                                                "76": {"shared_name": "YDL2 \"\u00e9\"", "SUID": 76, "selected": True}}),
    ("table of nodes", "table", text(TABLE), OF_TABLE),
]


def gexf_of(path):
    graph = nx.read_gexf(path)
    for v, data in graph.nodes(data=True):
        if data.get("label") == str(v):
            del data["label"]  # stands for no label
    return attributes_of(graph)


def gml_of(path):
    with open(path, encoding="ascii") as f:
        names = "weftIds" in f.read()
    graph = nx.read_gml(path, label="label" if names else "id")
    for v, data in graph.nodes(data=True):
        if not names and data.get("label") == str(v):
            del data["label"]
    return attributes_of(graph)


def cytoscape_of(path):
    with open(path, encoding="utf-8") as f:
        data = json.load(f)
    return {node["data"]["id"]: {k: x for k, x in node["data"].items() if k not in ("id", "value")} for node in data["elements"]["nodes"]}


def json_of(path):
    with open(path, encoding="utf-8") as f:
        return attributes_of(nx.node_link_graph(json.load(f), edges="links"))


def word(name):
    made = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in name)
    return "label_" if made == "label" else made


def as_gml(attributes, ids_are_names):
    name = lambda k: k if k == "label" and not ids_are_names else word(k)
    return {v: {name(k): int(x) if isinstance(x, bool) else x for k, x in data.items()} for v, data in attributes.items()}


TARGETS = [("graphml", lambda path: attributes_of(nx.read_graphml(path))), ("gexf", gexf_of), ("gml", gml_of), ("json", json_of),
           ("cyjs", cytoscape_of)]


def run(*words):
    done = subprocess.run([weft, *words], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}: exit code {done.returncode}: {done.stderr}")
    return done


def expected_in(target, attributes):
    names = not all(v.isdigit() for v in attributes)
    return as_gml(attributes, names) if target == "gml" else attributes


def fail(title, message):
    global failures
    failures += 1
    print(f"FAILED  {title}\n{message}")


def check(folder, title, extension, write, want):
    source, kept = os.path.join(folder, "source." + extension), os.path.join(folder, "kept.weft")
    if extension == "table":
        source, table = os.path.join(folder, "edges.csv"), os.path.join(folder, "nodes.csv")
        text("source,target\na,b\nb,c\n")(source)
        write(table)
        run("convert", source, kept, "--nodes", table)
    else:
        write(source)
        run("convert", source, kept)
    if want is None:  # NetworkX's GML: the ids are its own numbers, the names are labels
        want = {"0": {"label": "three", "size": 1.5, "count": 7}, "1": {"label": "eight", "size": 2.0, "count": -1}}
    info = json.loads(run("info", "--verify", kept, "--json").stdout)
    titles = {k for data in want.values() for k in data}
    if {a["name"] for a in info["attributes"]} != titles:
        fail(f"{title}: info", f"attributes {info['attributes']}, expected {sorted(titles)}")
    for target, read in TARGETS:
        path = os.path.join(folder, "written." + target)
        run("convert", kept, path)
        got, hope = read(path), expected_in(target, want)
        if got != hope:
            fail(f"{title}, {target}", f"read as {got}\nexpected {hope}")
        back = os.path.join(folder, "back.weft")
        run("convert", path, back)
        if target in ("graphml", "json") and not any(a["type"] == "time" for a in info["attributes"]):
            again = json.loads(run("info", back, "--json").stdout)["attributes"]
            of_column = lambda a: a["name"]  # JSON has no order of columns
            if sorted(again, key=of_column) != sorted(info["attributes"], key=of_column):
                fail(f"{title}, {target} and back", f"{again}, expected {info['attributes']}")


with tempfile.TemporaryDirectory() as folder:
    for source in SOURCES:
        try:
            check(folder, *source)
        except Exception as e:
            fail(source[0], repr(e))
print(f"{len(SOURCES) - failures} passed, {failures} failed, 0 skipped" if failures < len(SOURCES) else f"0 passed, {failures} failed, 0 skipped")
sys.exit(failures > 0)
