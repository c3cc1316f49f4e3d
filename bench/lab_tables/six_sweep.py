"""The six versions on the document's sizes.  Needs a sweep (100 iterations, degree 5); a naive rung that is too slow for that may have been run on
`--generate er:n=N,degree=5,directed` with fewer iterations, which its byte model tells: its time is then scaled to 100, and marked."""

from .markdown import number, runs
from .run import kernels_ms

SIZES = (7, 100, 1000, 5000, 10000, 50000)
GPU = ("gpu-naive", "gpu-transposed", "gpu-tile", "gpu-warp")
VERSIONS = ("naive", "transposed") + GPU
ITERATIONS = 100


def of_sizes(run, rung, n):
    """(milliseconds of the kernels for 100 iterations, row, mark) or (None, None, why not)."""
    row, why = run.row("pagerank", rung, f"er{n}")
    if row:
        return kernels_ms(row), row, ""
    plain = f"er:n={n},degree=5,directed"
    fewer, _ = run.row("pagerank", rung, plain)
    if not fewer or rung not in ("naive", "gpu-naive"):
        return None, None, why
    vertices, edges = run.vertices("pagerank", plain)
    done = round(fewer["model_bytes"] / (vertices * (8 * vertices + 4 * edges)))
    return kernels_ms(fewer) * ITERATIONS / done, fewer, "" if done == ITERATIONS else f"†{done}"


def measured(run, table, rung, n, whole=False):
    time, row, more = of_sizes(run, rung, n)
    if not row:
        return table.missing(more)
    text = number(time) + more
    return text + (f" / {number(row['run_ms']['median'])}" if whole and not more else "") + runs(row)
