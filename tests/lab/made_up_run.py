"""A made-up run of the lab, its files and a page to fill, for tables.py and tables_refused.py."""


def row(rung, device, kernels, runs=10, **more):
    parts = {"allocate": 0.25, "copy_in": 0.25, "kernel": kernels, "copy_out": 0.25, "free": 0.25, "host": 0}
    return dict(
        {
            "number": 1,
            "rung": rung,
            "backend": device,
            "status": "verified",
            "verified": True,
            "message": "",
            "runs": runs,
            "out_of_patience": False,
            "run_ms": {"median": kernels + 1, "min": kernels, "max": kernels + 2},
            "part_ms": parts,
            "edges_per_second": 1e9,
            "effective_gbs": 500.0,
            "ceiling_share": None,
            "max_difference": 1e-9,
            "nan_apart": False,
            "document_said_ms": None,
            "model_bytes": 0,
        },
        **more,
    )


def table(ladder, graph, n, m, rows, sized=False):
    return {"ladder": ladder, "input": graph, "sized": sized, "vertices": n, "edges": m, "arcs": m, "rows": rows}


def point(n, cpu, gpu, speedup, limit=None, fewer_runs=False):
    return {
        "vertices": n,
        "cpu_rung": cpu,
        "gpu_rung": gpu,
        "speedup": speedup,
        "kernel_speedup": 2 * speedup,
        "limit": limit,
        "fewer_runs": fewer_runs,
    }


def sweep_of(ladder, there, brought, points, **words):
    """there, brought: outcome and vertices.  words: as the lab writes them; older files have none."""
    found = {"ladder": ladder, "points": points, "points_brought": points, **words}
    for key, (outcome, vertices) in (("break_even", there), ("break_even_brought", brought)):
        found.update({key + "_vertices": vertices, key + "_outcome": outcome})
    return found


OLDEST = {"ladder": "pagerank", "break_even_vertices": 777, "points": []}  # one number for both graphs


def book(tables, date="2020-02-02T10:00:00Z", sweeps=(OLDEST,)):
    where = {
        "date": date,
        "build": "weft (0123abcd)",
        "cpu": "a CPU",
        "threads": 2,
        "read_gbs": None,
        "gpu": {"name": "a GPU", "read_gbs": 1000.0},
        "load_average": 0.5,
        "repeat": 10,
    }
    return {"complete": True, "provenance": where, "tables": tables, "sweeps": list(sweeps)}


def profile(*launches):
    lines = ["==PROF== words", '"ID","Kernel Name","Block Size","Metric Name","Metric Unit","Metric Value"']
    lines += [f'"0","{kernel}(int)","({block}, 1, 1)","{metric}","{unit}","{value}"' for kernel, block, metric, unit, value in launches]
    return "\n".join(lines) + "\n"


def time_of(kernel, us):
    return kernel, 256, "gpu__time_duration.sum", "us", us


skipped = dict(row("naive", "cpu", 1), status="skipped", verified=False, message="about 16 s for one run")
sweep = [
    table(
        "pagerank",
        "er:n=1000,degree=5,directed",
        1000,
        5000,
        [row("naive", "cpu", 400.0), row("gpu-naive", "cuda", 40.0), row("gpu-warp", "cuda", 4.0, runs=3, graph_already_there=True)],
        True,
    ),
    table("pagerank", "er:n=5000,degree=5,directed", 5000, 25000, [skipped, dict(skipped, rung="gpu-naive"), row("gpu-warp", "cuda", 5.0)], True),
]
few = [
    table("pagerank", "er:n=5000,degree=5,directed", 5000, 25000, [row("naive", "cpu", 500.0, model_bytes=2 * 5000 * (8 * 5000 + 4 * 25000))])
]  # two iterations
n, m, rounds = 10000, 25000000, 5000
kahn = [
    table(
        "kahn",
        "/x/tri10.weft",
        n,
        m,
        [
            row("gpu-dense", "cuda", 100.0, model_bytes=16 * n * n + 32 * n * rounds),
            row("matrix-columns", "cpu", 1999.0),
            row("gpu-csr-cpu", "cuda", 400.0, model_bytes=20 * n + 12 * m + 40 * n * rounds),
        ],
    )
]
sweep_said = sweep_of(
    "pagerank",
    ("crosses", 1234.4),
    ("not ahead at the largest", None),
    [point(1000, "naive", "gpu-warp", 80.2)],  # at 5,000 no rung of the CPU has a time
    break_even_words="the GPU is ahead from about 1234 vertices on",
    break_even_brought_words="the GPU is ahead at some sizes, not at the largest (its own words)",
)
# Before the lab wrote words.  The host's `queue` had one run at 100 vertices; the second file has ten of it.
bfs = [
    table("bfs", f"er:n={n},degree=16", n, 16 * n, [row("queue", "cpu", cpu, runs=runs), row("engine-gpu", "cuda", 1.0, **more)], True)
    for n, cpu, runs, more in ((100, 9.0, 1, {}), (1000, 19.0, 10, {"nan_apart": True, "max_difference": None}))
]
bfs_said = sweep_of(
    "bfs",
    ("always ahead", None),
    ("never ahead", None),
    [point(100, "queue", "engine-gpu", 5, 6, True), point(1000, "queue", "engine-gpu", 10, 12)],
)
bfs_again = [
    table("bfs", "er:n=100,degree=16", 100, 1600, [row("queue", "cpu", 7.0)], True),
    table("bfs", "/x/one.weft", 1000, 16000, [dict(bfs[1]["rows"][0], inf_apart=True, max_difference=None), bfs[1]["rows"][1]]),
]
files = {
    "sweep.json": book(sweep, sweeps=[sweep_said]),
    "bfs.json": book(bfs, sweeps=[bfs_said]),
    "bfs-again.json": book(bfs_again, sweeps=[]),
    "few.json": book(few),
    "kahn.json": book(kahn, "2020-02-02T11:00:00Z"),
    "dense@tri10.csv": profile(
        time_of("dense_degree", "2,000"),
        time_of("dense_remove_pairs", 3),
        time_of("flag_free", 2),
        time_of("scan_blocks", 4),
        time_of("scan_blocks", 4),
        time_of("add_block_sums", 2),
        time_of("compact_flagged", 4),
    ),
    "csr@tri10.csv": profile(time_of("difference", 2), time_of("remove_by_atomics", 800), time_of("mark", "n/a")) + '"0","remove_by',
    "csr-middle@tri10+2500.csv": profile(time_of("remove_by_atomics", 390), time_of("remove_by_atomics", 410)),
    "memory@er10000.csv": profile(
        ("scan_all", 256, "l1tex__t_sector_hit_rate.pct", "%", 80),
        ("void pull", 256, "l1tex__t_sector_hit_rate.pct", "%", 40),
        ("void pull", 128, "l1tex__t_sector_hit_rate.pct", "%", 99),
        ("void pull", 256, "lts__t_sector_hit_rate.pct", "%", 105),
        ("scan_all", 256, "dram__throughput.avg.pct_of_peak_sustained_elapsed", "%", 0),
        ("void pull", 256, "dram__throughput.avg.pct_of_peak_sustained_elapsed", "%", 5),
        ("void pull", 128, "sm__warps_active.avg.pct_of_peak_sustained_active", "%", 12.5),
    ),
}

marks = ("table kahn tri10", "table bfs one.weft", "rungs bfs", "sizes pagerank", "sizes bfs", "sizes nobody", "break-even")
page = "# A page\nwords before\n<!-- lab: kahn -->\nold\n<!-- lab: end -->\nwords after\n"
page += "".join(f"<!-- lab: {mark} -->\n<!-- lab: end -->\n" for mark in marks)
