"""Matrices, adjacency lists, JSON, documents, folders and archives."""
import gzip
import io
import tarfile

from cases import ASK, Case, graph


def tar_of(name, content):
    """A tar archive with one file, the same bytes each time."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        member = tarfile.TarInfo(name)
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    return out.getvalue()


HIVE = {"edges_hive/000000_0": "ann\x01bob\x012\nbob\x01cid\x013\n", "edges_hive/000001_0": "cid\x01ann\x015\n"}
HIVE_GRAPH = graph("ann>bob=2 bob>cid=3 cid>ann=5")
CASES = [
    # Matrices.
    Case("baskets.csv", ",milk,bread,tea\nann,1,0,1\nbob,0,1,0\n", graph("ann>milk ann>tea bob>bread"),
         "a matrix of two kinds of things", help="matrix|--format|--source-col", say="matrix"),
    Case("dashes_for_none.csv", ";A;B;C\nA;-;5;-\nB;5;-;7\nC;-;7;-\n", graph("A>B=5 B>A=5 B>C=7 C>B=7"),
         "a matrix with - where there is no edge", help="matrix|'-'|--format"),
    Case("crosses.csv", ",A,B,C\nA,,x,\nB,,,x\nC,x,,\n", graph("A>B B>C C>A"), "a matrix of crosses",
         help="matrix|--format|'x'"),
    Case("yeast.smat", "4 4 5\n0 1 1\n1 2 1\n2 3 1\n3 0 1\n0 2 1\n",
         graph("0>1=1 1>2=1 2>3=1 3>0=1 0>2=1", weights="optional"),
         "SMAT: rows, columns, entries; then triples from 0", help="SMAT|first line|header", say="SMAT|first line"),
    # Adjacency lists and other notations.
    Case("mesh.adj.txt", "EdgeArray\n0 1\n1 2\n2 0\n", graph("0>1 1>2 2>0"), "PBBS", help="PBBS|EdgeArray|--header"),
    Case("hadoop.txt", "1\t2,3,4\n2\t3\n3\t1,4\n4\t1\n", graph("1>2 1>3 1>4 2>3 3>1 3>4 4>1"),
         "a tab behind the vertex, commas between its neighbours", help="adjlist|separator|neighbour"),
    Case("rank_state.tsv", "A\t1.0\tB,C\nB\t1.0\tC\nC\t1.0\tA\n", graph("A>B A>C B>C C>A"),
         "the state of a PageRank in MapReduce: vertex, rank, neighbours", help="--source-col|adjlist|columns"),
    Case("svmlight.txt", "1 2:0.5\n2 3:1.25\n3 1:0.75\n", graph("1>2=0.5 2>3=1.25 3>1=0.75"),
         "neighbour:weight, one each", help=r"colon|weight|2:0\.5", say="2:0\\.5|colon"),
    Case("tiny_graph.txt", "[0,0,[[1,1],[3,3]]]\n[1,0,[[0,1],[2,2]]]\n[2,0,[[1,2]]]\n[3,0,[[0,3]]]\n",
         graph("0>1=1 0>3=3 1>0=1 1>2=2 2>1=2 3>0=3"), "Giraph: vertex, value, [[neighbour, weight], ...]",
         help="Giraph|array|shape|--source-col"),
    Case("batches.csv", "graph_id,src,dst\n0,0,1\n0,1,2\n1,0,1\n1,1,0\n", ASK, "DGL: many graphs, each with ids from 0",
         help="graph_id", say="graph_id", also=[("--edges-where 'graph_id = 1'", graph("0>1 1>0"))]),
    # JSON.
    Case("after_simulation.json", '{"nodes": [{"id": "a", "index": 0, "x": 1.5}, {"id": "b", "index": 1, "x": 2.5}],\n'
         ' "links": [{"source": {"id": "a", "index": 0}, "target": {"id": "b", "index": 1}, "index": 0}]}\n',
         graph("a>b"), "d3 puts the nodes themselves into its links", help="source"),
    Case("flare.json", '{"name": "root", "children": [{"name": "a", "children": [{"name": "b"}]}, {"name": "c"}]}\n',
         graph("root>a a>b root>c"), "d3.hierarchy", help="children|tree|shape|links"),
    Case("neighbours.json", '{"a": ["b", "c"], "b": ["c"], "c": []}\n', graph("a>b a>c b>c"), "a dictionary of lists",
         help="shape|links|nodes"),
    Case("neo4j_http.json", '{"results": [{"columns": ["a", "b"], '
         '"data": [{"row": ["ann", "bob"], "meta": [null, null]},'
         ' {"row": ["bob", "cid"], "meta": [null, null]}]}], "errors": []}\n', graph("ann>bob bob>cid"),
         "what Neo4j's HTTP API answers", help="Neo4j|shape|links|results"),
    Case("arango.jsonl", '{"_key": "1", "_id": "knows/1", "_from": "p/1", "_to": "p/2", "since": 2010}\n'
         '{"_key": "2", "_id": "knows/2", "_from": "p/2", "_to": "p/3", "since": 2012}\n', graph("p/1>p/2 p/2>p/3"),
         "ArangoDB", also=[("--source-col _from --target-col _to", graph("p/1>p/2 p/2>p/3"))]),
    Case("obographs.json", '{"graphs": [{"id": "go", "nodes": [{"id": "A"}, {"id": "B"}, {"id": "C"}, {"id": "D"}],\n'
         ' "edges": [{"sub": "A", "pred": "is_a", "obj": "B"}, {"sub": "C", "pred": "part_of", "obj": "B"}]}]}\n',
         graph("A>B C>B", isolated="D"), "OBO Graphs", help="sub|shape|source|links|--source-col"),
    Case("directed_text.json", '{"directed": "false", "nodes": [{"id": 1}, {"id": 2}, {"id": 3}],\n'
         ' "links": [{"source": 1, "target": 2}, {"source": 3, "target": 2}]}\n', graph("1>2 3>2", directed=False),
         "a truth value in quotes", help="directed"),
    Case("papers.jsonl", '{"id": "p1", "year": 2001, "references": ["p2", "p3"]}\n'
         '{"id": "p2", "year": 2000, "references": ["p3"]}\n{"id": "p3", "year": 1999, "references": []}\n',
         graph("p1>p2 p1>p3 p2>p3"), "papers with a list of what they cite", help="references|column|--source-col"),
    # Documents.
    Case("phases.gexf", '<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://gexf.net/1.2" version="1.2">\n'
         '<graph mode="dynamic" defaultedgetype="undirected">\n<attributes class="edge" mode="dynamic">'
         '<attribute id="weight" title="Weight" type="float"/></attributes>\n'
         '<nodes><node id="1"/><node id="2"/></nodes>\n'
         '<edges><edge id="0" source="1" target="2"><attvalues><attvalue for="weight" value="1.0" start="0" end="5"/>'
         '<attvalue for="weight" value="4.0" start="5" end="9"/></attvalues></edge></edges>\n</graph></gexf>\n', ASK,
         "a weight that changes over time", help="weight|--no-weights"),
    Case("quoted_weight.gml", 'graph [\n  node [ id 3 label "ann" ]\n  node [ id 8 label "bob" ]\n  node [ id 9 ]\n'
         '  edge [ source 8 target 3 weight "2.5" ]\n]\n', graph("3>8=2.5", directed=False, isolated="9"),
         "igraph writes a weight as text if the attribute was one", help="weight"),
    Case("same_labels.net", '*Vertices 4\r\n1 "ann" 0.1 0.2 0.5\r\n2 "ann" 0.3 0.2 0.5\r\n3 "bob b." 0.4 0.4 0.5\r\n'
         '4 "cid" 0.5 0.5 0.5\r\n*Edges\r\n1 2 1\r\n2 3 2.5 c Blue\r\n',
         graph("1>2=1 2>3=2.5", directed=False, isolated="4"),
         "Pajek: two vertices of one label, colours, CRLF"),
    # Folders and archives.
    Case("edges.tar", tar_of("edges.csv", b"source,target\n1,2\n2,3\n"), ASK, "a tar archive", help=r"\btar\b|archive"),
    Case("log.tsv.gz", gzip.compress(b"a\tb\t1\nb\tc\t2\n", mtime=0) + gzip.compress(b"c\ta\t3\nd\ta\t4\n", mtime=0),
         graph("a>b=1 b>c=2 c>a=3 d>a=4"), "two gzip files, one behind the other, are one"),
    Case("edge.csv.gz", gzip.compress(b"0,1\n0,2\n3,4\n", mtime=0), graph("0>1 0>2 3>4", isolated="5 6"),
         "OGB: the number of vertices is in another file", flags="--vertices 7"),
    Case("edges_hive", None, HIVE_GRAPH, "Hive: a folder, fields between 0x01", files=HIVE, help="--separator|0x01",
         also=[("--separator '\x01'", HIVE_GRAPH)]),
]
