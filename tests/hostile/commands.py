"""The commands that signals and failing allocations meet: all algorithms, formats and what else writes, on graphs in
the folder."""

ALGORITHMS = """pagerank ppr hits eigenvector katz betweenness closeness harmonic bfs sssp components mst bicomponents
triangles clustering similarity leiden louvain labelprop toposort cycle bipartite kcore truss degree mixing
distances layout""".split()
FORMATS = "weft txt csv mtx metis gml graphml gexf json cyjs jsonl npz sg net csr txt.gz csv.zst".split()
OTHERS = """report G --quick -o out.html
layout G -o out.svg
layout G -o out.png
subgraph G --core 2 -o out.weft
merge G W -o out.weft
project W -o out.weft
run G pagerank kcore components leiden -o out.tsv
dynamic new out.weft G
dynamic snapshot W -o out.txt
leiden G --sizes out.sizes.tsv -o out.tsv
compare G U --directed --added out.added.tsv --removed out.removed.tsv
pagerank G --checkpoint out.checkpoint --every 0 --tolerance 1e-14 -o out.tsv"""
SPOKEN = """degree G --json
degree G -o -
pagerank G --top 16000
distances G --json
convert G - --to csv
compare G U --directed --added -
info G
info G --json
components U --json
run G pagerank kcore --json
path G 1 2
neighbors G 1
dynamic log W
help --all"""


def commands(made):
    """Lists of words.  `made` are commands for new graphs, which take no file."""
    lines = [
        f"{algorithm} {graph} -o out.{ending}"
        for algorithm in ALGORITHMS
        for graph, ending in (("G", "tsv"), ("W", "csv.gz"), ("U", "npy"))
    ]
    lines += [f"convert {graph} out.{ending}" for ending in FORMATS for graph in "GW"]
    files = {"G": "g.txt", "W": "g.weft", "U": "u.weft"}
    return [
        [files.get(word, word) for word in line.split()]
        for line in (*lines, *OTHERS.split("\n"), *SPOKEN.split("\n"), *made)
    ]


def outputs(command):
    return [word for word in command if word.startswith("out.")]


def compared(command):
    """Outputs of which each run writes the same bytes."""
    return [path for path in outputs(command) if not path.endswith(("checkpoint", "html"))]
