#!/usr/bin/env python3
"""What a Python user of a GPU has for the same work, beside Weft on the same graph in the same run, as a table in Markdown.

    bench/gpu_peers.py [--scales 20,22] [--widths 64,256] [--weft build/weft] [--folder DIR] [--save FILE.md]

A directed R-MAT graph of degree 16 (0.57, 0.19, 0.19) is made on the GPU with CuPy, its numbers shuffled, without parallel arcs, and
written as .sg for Weft.  Then, each by the GPU's own clock:

- an iteration of PageRank: cuSPARSE's product of the matrix and a vector through CuPy, against Weft's (310 iterations - 10) / 300;
- with pylibcugraph and weftgraph: whole calls of both, results left on the GPU, on --cugraph's graphs (cugraph_peer.py);
- the mean of the in-neighbours' features: PyTorch's sparse_csr @ dense (the sum alone), PyG's gather and scatter, and `weft aggregate`.

No time without the same answer: ranks after 10 iterations are compared with the same iteration in f64, means with PyTorch's, and both go
through Weft's own verifier; what differs is shown as WRONG, and the exit code is 1.  Needs a GPU and, from PyPI, cupy, numpy and
torch; without torch-geometric its column is empty.  FOLDER should lie in memory: scale 22 with width 256 writes 9 GB there."""
import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile

DAMPING = 0.85


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scales", default="20,22", help="none: neither ranks nor aggregation [%(default)s]")
    parser.add_argument("--widths", default="64,256", help="of the features; up to scale 22; none: no aggregation [%(default)s]")
    parser.add_argument("--weft", default=os.environ.get("BUILD", "build") + "/weft")
    parser.add_argument("--folder", default=None, help="for the graphs and features, removed at the end [that of temporary files]")
    parser.add_argument("--runs", type=int, default=11, help="timed runs, of which the median is shown [%(default)s]")
    parser.add_argument("--cugraph", default="rmat20,rmat22,grid2048", metavar="GRAPHS",
                        help="for cuGraph: rmat<scale>, grid<side> or .weft files, undirected; none: without [%(default)s]")
    parser.add_argument("--save", metavar="FILE", help="also write the table to FILE")
    return parser.parse_args()


ARGS = arguments()
try:
    import cupy as cp
    import cupyx.scipy.sparse as sparse
    import numpy as np
    import torch
except ImportError as missing:
    sys.exit(f"gpu_peers: {missing}; it comes from PyPI")
import cugraph_peer

try:
    from torch_geometric.utils import scatter
except ImportError:
    scatter = None


def draw(scale, degree=16):
    """In-rows of an R-MAT graph: offsets and sources, sorted, without parallel arcs."""
    n, total = 1 << scale, degree << scale
    dice = cp.random.RandomState(1)
    source, target = cp.zeros(total, cp.uint32), cp.zeros(total, cp.uint32)
    for _ in range(scale):
        toss = dice.random_sample(total, dtype=cp.float32)
        source = source * 2 + (toss >= 0.76)
        target = target * 2 + (((toss >= 0.57) & (toss < 0.76)) | (toss >= 0.95))
    names = cp.random.RandomState(2).permutation(n).astype(cp.uint64)
    arcs = cp.unique((names[target] << 32) | names[source])
    return n, *rows(arcs, n)


def rows(arcs, n):
    """Offsets and second ends of arcs that are sorted pairs."""
    offsets = cp.zeros(n + 1, cp.int64)
    offsets[1:] = cp.cumsum(cp.bincount((arcs >> 32).astype(cp.int64), minlength=n))
    return offsets, (arcs & 0xFFFFFFFF).astype(cp.int32)


def write_sg(path, n, offsets, sources):
    heads = cp.searchsorted(offsets, cp.arange(sources.size, dtype=cp.int64), side="right").astype(cp.uint64) - 1
    out_offsets, targets = rows(cp.sort((sources.astype(cp.uint64) << 32) | heads), n)
    with open(path, "wb") as file:
        file.write(b"\1")
        np.array([sources.size, n], np.int64).tofile(file)
        for array in (out_offsets, targets, offsets, sources):
            array.get().tofile(file)


def timed(call):
    call()
    cp.cuda.Device().synchronize()
    times = []
    for _ in range(ARGS.runs):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        call()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end))
    return sorted(times)[len(times) // 2]


def weft(*words):
    command = [ARGS.weft, *map(str, words), "--device", "cuda", "--json", "-q"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout) if done.stdout else {}


def add(lines, line):
    """A row of a table, shown as soon as it is known."""
    lines.append(line)
    print(line, file=sys.stderr, flush=True)


def kernels(report):
    """Median of the kernels' time over the runs of --repeat."""
    return report["kernel_ms"]["median"]


def reference_ranks(n, offsets, sources, iterations):
    """PageRank by its definition, f64, the rank of dangling vertices given to all."""
    leaving = cp.bincount(sources, minlength=n).astype(cp.float64)
    matrix = sparse.csr_matrix((cp.ones(sources.size, cp.float64), sources, offsets.astype(cp.int32)), shape=(n, n))
    rank = cp.full(n, 1.0 / n)
    for _ in range(iterations):
        lost = rank[leaving == 0].sum()
        share = cp.where(leaving > 0, rank / cp.maximum(leaving, 1), 0)
        rank = (1 - DAMPING) / n + DAMPING * (matrix.dot(share) + lost / n)
    return rank


def pagerank(folder, graph, n, offsets, sources, lines):
    e = int(sources.size)
    matrix = sparse.csr_matrix((cp.ones(e, cp.float32), sources, offsets.astype(cp.int32)), shape=(n, n))
    vector = cp.random.random(n).astype(cp.float32)
    peer = timed(lambda: matrix.dot(vector))
    del matrix
    answer = os.path.join(folder, "ranks.npy")
    weft("pagerank", graph, "--iterations", 10, "--verify", "-o", answer)
    apart = float(cp.abs(cp.asarray(np.load(answer)).astype(cp.float64) - reference_ranks(n, offsets, sources, 10)).sum())
    cp.get_default_memory_pool().free_all_blocks()
    few, many = (kernels(weft("pagerank", graph, "--iterations", count, "--repeat", ARGS.runs, "--top", 1)) for count in (10, 310))
    own = (many - few) / 300
    right = apart < 1e-5
    verdict = f"{peer / own:.2f}" if right else "WRONG"
    add(lines, f"| {n.bit_length() - 1} | {e} | {peer:.3f} ({e / peer / 1e6:.0f}) | {own:.3f} ({e / own / 1e6:.0f}) | {verdict} | {apart:.1e} |")
    return right


def aggregate(folder, graph, n, offsets, sources, width, lines):
    features, answer = os.path.join(folder, "features.npy"), os.path.join(folder, "means.npy")
    x = torch.rand(n, width, device="cuda")
    np.save(features, x.cpu().numpy())
    first, index = torch.from_dlpack(offsets), torch.from_dlpack(sources).long()
    matrix = torch.sparse_csr_tensor(first, index, torch.ones(index.numel(), device="cuda"), size=(n, n))
    degree = (first[1:] - first[:-1]).clamp(min=1).float()[:, None]
    expected = (matrix @ x) / degree
    peer = timed(lambda: matrix @ x)
    del matrix
    gathered = None
    if scatter and index.numel() * width * 4 < 40e9:
        heads = torch.repeat_interleave(torch.arange(n, device="cuda"), first[1:] - first[:-1])
        gathered = timed(lambda: scatter(x[index], heads, 0, dim_size=n, reduce="mean"))
        del heads
    del x, index
    torch.cuda.empty_cache()
    report = weft("aggregate", graph, "--features", features, "--op", "mean", "--repeat", ARGS.runs, "--verify", "-o", answer)
    own = kernels(report)
    apart = 0.0
    found = np.load(answer, mmap_mode="r")
    for begin in range(0, n, 1 << 19):
        part = torch.from_numpy(np.ascontiguousarray(found[begin:begin + (1 << 19)])).cuda()
        apart = max(apart, float((part - expected[begin:begin + (1 << 19)]).abs().max()))
    for path in (features, answer):
        os.remove(path)
    right = apart < 1e-4
    verdict = f"{peer / own:.2f}" if right else "WRONG"
    pyg = f"{gathered:.2f} ({gathered / own:.1f})" if gathered else "-"
    add(lines, f"| {n.bit_length() - 1} | {width} | {peer:.2f} | {pyg} | {own:.2f} | {verdict} | {apart:.1e} |")
    return right


def listed(text):
    """The parts of a list, none of "none"."""
    return [] if text == "none" else text.split(",")


def main():
    ranks, means, right = [], [], True
    with tempfile.TemporaryDirectory(dir=ARGS.folder) as folder:
        for scale in map(int, listed(ARGS.scales)):
            n, offsets, sources = draw(scale)
            raw, graph = os.path.join(folder, "graph.sg"), os.path.join(folder, "graph.weft")
            write_sg(raw, n, offsets, sources)
            cp.get_default_memory_pool().free_all_blocks()
            subprocess.run([ARGS.weft, "convert", raw, graph, "--both-directions", "-q"], check=True)
            os.remove(raw)
            right = pagerank(folder, graph, n, offsets, sources, ranks) and right
            for width in map(int, listed(ARGS.widths)):
                if scale <= 22:
                    right = aggregate(folder, graph, n, offsets, sources, width, means) and right
        peers, peer_version = [], ""
        missing = cugraph_peer.importable() if listed(ARGS.cugraph) else "not asked for"
        if missing:
            print(f"gpu_peers: without cuGraph: {missing}", file=sys.stderr)
        else:
            import pylibcugraph
            peer_version = pylibcugraph.__version__
            right = cugraph_peer.rows(ARGS.weft, folder, listed(ARGS.cugraph), ARGS.runs, lambda line: add(peers, line)) and right
    version = subprocess.run([ARGS.weft, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    gpu = torch.cuda.get_device_name(0)
    text = ["# Weft beside cuSPARSE, PyTorch and PyG", "", f"- date: {datetime.date.today()}", f"- {version}",
            f"- {gpu}; CuPy {cp.__version__}, PyTorch {torch.__version__}; medians of {ARGS.runs} runs by the GPU's clock, milliseconds", ""]
    if ranks:
        text += ["| scale | arcs | cuSPARSE (Gedge/s) | Weft, an iteration (Gedge/s) | times as fast | ranks, L1 from f64 |", "|--:|--:|--:|--:|--:|--:|",
                 *ranks]
    if means:
        text += ["", "| scale | width | PyTorch, sum | PyG, mean (times Weft's) | Weft, mean | times as fast as PyTorch | largest difference |",
                 "|--:|--:|--:|--:|--:|--:|--:|", *means]
    if peers:
        text += ["", f"cuGraph {peer_version}: whole calls from Python, results left on the GPU on both sides, medians; equal answers.", "",
                 "| graph | kernel | cuGraph, ms | Weft, ms | times as fast |", "|---|---|--:|--:|--:|", *peers]
    print("\n".join(text))
    if ARGS.save:
        with open(ARGS.save, "w", encoding="utf-8") as file:
            file.write("\n".join(text) + "\n")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
