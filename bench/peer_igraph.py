"""Times python-igraph reading a text edge list as an undirected graph: what a Python user waits today.
usage: peer_igraph.py FILE RUNS.  Skipped by name where igraph is not installed."""
import sys
import time


def main():
    path, runs = sys.argv[1], int(sys.argv[2])
    try:
        import igraph
    except ImportError:
        print("skipped python-igraph: not installed (python3 -m pip install igraph)")
        return
    with open(path, "rb") as text:
        expected = sum(1 for line in text if line.strip() and not line.startswith((b"#", b"%")))
    seconds = []
    for run in range(runs + 1):  # the first is the warm-up
        begin = time.perf_counter()
        graph = igraph.Graph.Read_Edgelist(path, directed=False)
        took = time.perf_counter() - begin
        if graph.ecount() != expected:
            sys.exit(f"python-igraph read {graph.ecount()} edges, the file has {expected}")
        if run:
            seconds.append(took)
    seconds.sort()
    middle = len(seconds) // 2
    median = seconds[middle] if len(seconds) % 2 else (seconds[middle - 1] + seconds[middle]) / 2
    print(f"python-igraph {igraph.__version__}: median {median:.2f} s, {seconds[0]:.2f} - {seconds[-1]:.2f} s, "
          f"{runs} runs, 1 thread")


main()
