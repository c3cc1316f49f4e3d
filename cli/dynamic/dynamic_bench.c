/* weft dynamic bench [FILE]: insertion rate of a dynamic graph. Protocol: the shuffled edges of a second R-MAT graph
 * are inserted into one of --scale, in batches of each size, for --seconds a row: in place, and with a snapshot taken
 * before each batch and held across it.  Every rate is verified: the final graph must equal one built from all
 * edges.  With FILE, batches go to the log of that file, which is made anew for each row and removed in the end; where
 * each batch waits for the disk, another row syncs once for GROUP batches (group commit).  With --device cuda rows are
 * on the GPU: one rate counts the whole batch, another the GPU's part of it.  There the first batch is a warm-up, since
 * the driver loads kernels at their first launch. */
#include "dynamic/dynamic.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SIZES = 16, STANDARD_MS = 2000, GROUP = 16 };

/* The parameters of a row. */
typedef enum way { IN_PLACE, WITH_SNAPSHOTS, GROUPED, WAYS } way;

typedef struct edges {
    weft_vid *u, *v;
    uint32_t *w; /* NULL: none */
    size_t count;
} edges;

typedef struct row {
    uint64_t size, batches, changes;
    way way;
    double ms, longest_ms, gpu_ms, snapshot_us, pack_ms;
    uint64_t store_bytes, csr_bytes;
    dynamic_bench_run runs[DYNAMIC_BENCH_RUNS]; /* with --analytics */
} row;

typedef struct job {
    const cli_call *call;
    weft_ctx *ctx;
    const char *path; /* NULL: in memory */
    weft_graph *base;
    edges of_base, more;
    uint64_t size[MOST_SIZES];
    size_t sizes;
    row rows[WAYS * MOST_SIZES];
    size_t done;
} job;

static void free_edges(edges *e) {
    free(e->u);
    free(e->v);
    free(e->w);
}

/* An edge has the same weight in both graphs. */
static uint32_t weight_of(weft_vid u, weft_vid v) { return 1 + (uint32_t)((u * 2654435761u ^ v * 40503u) % 255); }

static int edges_of(const job *b, const weft_graph *g, edges *e) {
    weft_csr out = {.size = sizeof out};
    weft_status st = weft_graph_out(b->ctx, g, &out);
    if (st) return cli_fail_status(b->ctx, st);
    size_t n = 0;
    bool directed = weft_graph_directed(g), weighted = b->call->options.weight_type != WEFT_WEIGHT_NONE;
    e->u = cli_take((size_t)out.arcs, sizeof *e->u);
    e->v = cli_take((size_t)out.arcs, sizeof *e->v);
    e->w = weighted ? cli_take((size_t)out.arcs, sizeof *e->w) : NULL;
    if (!e->u || !e->v || (weighted && !e->w)) return EXIT_MEMORY;
    for (weft_vid v = 0; v < out.vertices; v++)
        for (weft_eid i = out.offsets[v]; i < out.offsets[v + 1]; i++) {
            if (!directed && out.targets[i] < v) continue;
            e->u[n] = v;
            e->v[n] = out.targets[i];
            if (weighted) e->w[n] = weight_of(v, out.targets[i]);
            n++;
        }
    e->count = n;
    return EXIT_DONE;
}

static void shuffle(edges *e) {
    uint64_t x = 88172645463325252u;
    for (size_t i = e->count; i > 1; i--) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        size_t k = (size_t)(x % i);
        weft_vid u = e->u[i - 1], v = e->v[i - 1];
        e->u[i - 1] = e->u[k], e->v[i - 1] = e->v[k];
        e->u[k] = u, e->v[k] = v;
    }
    for (size_t i = 0; e->w && i < e->count; i++) e->w[i] = weight_of(e->u[i], e->v[i]);
}

static bool on_gpu(const job *b) { return b->call->options.device >= WEFT_DEVICE_CUDA; }

static weft_direction direction_of(const job *b) {
    return b->call->options.direction == WEFT_UNDIRECTED ? WEFT_UNDIRECTED : WEFT_DIRECTED;
}

static int rmat(const job *b, uint64_t seed, weft_graph **g) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    p.scale = b->call->options.dynamic.scale;
    p.seed = seed;
    build.direction = direction_of(b);
    weft_status st = weft_generate(b->ctx, "rmat", &p, &build, g);
    cli_progress_erase();
    return st ? cli_fail_status(b->ctx, st) : EXIT_DONE;
}

/* Builds the graph of the base's edges and the first `more` of the others. */
static int build(const job *b, size_t more, weft_graph **g) {
    size_t n = b->of_base.count, all = n + more;
    weft_build_params rules = WEFT_BUILD_DEFAULTS;
    edges e = {cli_take(all, sizeof *e.u), cli_take(all, sizeof *e.v), b->more.w ? cli_take(all, sizeof *e.w) : NULL,
               all};
    int code = !e.u || !e.v || (b->more.w && !e.w) ? EXIT_MEMORY : EXIT_DONE;
    if (!code) {
        memcpy(e.u, b->of_base.u, n * sizeof *e.u);
        memcpy(e.v, b->of_base.v, n * sizeof *e.v);
        memcpy(e.u + n, b->more.u, more * sizeof *e.u);
        memcpy(e.v + n, b->more.v, more * sizeof *e.v);
        if (e.w) memcpy(e.w, b->of_base.w, n * sizeof *e.w);
        if (e.w) memcpy(e.w + n, b->more.w, more * sizeof *e.w);
        rules.direction = direction_of(b);
        weft_status st = weft_graph_from_edges(b->ctx, (uint64_t)1 << b->call->options.dynamic.scale, all, e.u, e.v,
                                               e.w, e.w ? WEFT_WEIGHT_U32 : WEFT_WEIGHT_NONE, &rules, g);
        if (st) code = cli_fail_status(b->ctx, st);
    }
    free_edges(&e);
    return code;
}

static int prepare(job *b) {
    weft_graph *g = NULL;
    int code = rmat(b, 2, &g);
    if (!code) code = edges_of(b, g, &b->more);
    weft_graph_free(g);
    g = NULL;
    if (!code) shuffle(&b->more);
    if (!code) code = rmat(b, 1, &g);
    if (!code) code = edges_of(b, g, &b->of_base);
    weft_graph_free(g);
    return code ? code : build(b, 0, &b->base);
}

static int read_sizes(job *b) {
    static const uint64_t standard[] = {1, 1000, 100000, 10000000}, gpu[] = {1000, 100000, 1000000, 10000000};
    const char *at = b->call->options.dynamic.batch_sizes;
    while (at && b->sizes < MOST_SIZES) {
        char *end;
        uint64_t size = strtoull(at, &end, 10);
        if (end == at || !size || size > (uint64_t)1 << 30 || (*end && *end != ','))
            return cli_fail(EXIT_USAGE, "--batches must be sizes such as 1,1000, not '%s'",
                            b->call->options.dynamic.batch_sizes);
        b->size[b->sizes++] = size;
        at = *end ? end + 1 : NULL;
    }
    for (size_t i = 0; !b->call->options.dynamic.batch_sizes && i < sizeof standard / sizeof *standard; i++)
        b->size[b->sizes++] = on_gpu(b) ? gpu[i] : standard[i];
    return EXIT_DONE;
}

/* --- one row -------------------------------------------------------------------------- */

static int begin(const job *b, way how, weft_dynamic **d) {
    weft_dynamic_params p = WEFT_DYNAMIC_DEFAULTS;
    weft_write_params write = WEFT_WRITE_DEFAULTS;
    weft_batch none = WEFT_BATCH_DEFAULTS;
    p.durable = how == GROUPED ? WEFT_DURABLE_NEVER : (weft_durable)b->call->options.dynamic.durable;
    p.device = on_gpu(b) ? WEFT_DEVICE_CUDA : WEFT_DEVICE_CPU;
    write.format = "weft";
    int64_t nobody = 0;
    none.sources = none.targets = &nobody;
    weft_status st;
    if (b->path) {
        unlink(b->path);
        st = weft_write(b->ctx, b->base, b->path, &write);
        if (!st) st = weft_dynamic_open(b->ctx, b->path, &p, d);
        if (!st) st = weft_dynamic_apply(b->ctx, *d, &none, NULL); /* the file gets its log before the clock runs */
    } else {
        st = weft_dynamic_new(b->ctx, b->base, &p, d);
    }
    cli_progress_erase();
    return st ? cli_fail_status(b->ctx, st) : EXIT_DONE;
}

/* Applies one batch or more, for about `limit` ms. */
static int apply_all(const job *b, weft_dynamic *d, double limit, row *r, weft_graph **held) {
    int64_t *u = cli_take((size_t)r->size, sizeof *u), *v = cli_take((size_t)r->size, sizeof *v);
    weft_batch batch = WEFT_BATCH_DEFAULTS;
    weft_batch_stats stats = {.size = sizeof stats};
    weft_status st = WEFT_OK;
    int code = u && v ? EXIT_DONE : EXIT_MEMORY;
    batch.count = r->size;
    batch.sources = u;
    batch.targets = v;
    while (!code && !st && r->changes + r->size <= b->more.count && (!r->batches || r->ms < limit)) {
        const edges *e = &b->more;
        for (size_t i = 0; i < r->size; i++) u[i] = e->u[r->changes + i], v[i] = e->v[r->changes + i];
        batch.weights = e->w ? e->w + r->changes : NULL;
        double started = cli_now_ms();
        if (r->way == WITH_SNAPSHOTS) {
            weft_graph_free(*held);
            *held = NULL;
            st = weft_dynamic_snapshot(b->ctx, d, held);
        }
        if (!st) st = weft_dynamic_apply(b->ctx, d, &batch, &stats);
        if (!st && r->way == GROUPED && (r->batches + 1) % GROUP == 0) st = weft_dynamic_sync(b->ctx, d);
        double ms = cli_now_ms() - started;
        r->ms += ms;
        r->gpu_ms += stats.gpu_ms;
        if (ms > r->longest_ms) r->longest_ms = ms;
        r->changes += r->size;
        r->batches++;
    }
    free(u);
    free(v);
    cli_progress_erase();
    return st ? cli_fail_status(b->ctx, st) : code;
}

/* Compares with the graph built from all edges; with --analytics algorithms run on both. */
static int verify(const job *b, row *r, const weft_graph *got) {
    weft_graph *want = NULL;
    int equal = 0, code = build(b, (size_t)r->changes, &want);
    weft_status st = code ? WEFT_OK : weft_graph_compare(b->ctx, want, got, &equal);
    if (st) code = cli_fail_status(b->ctx, st);
    if (!code && !equal) code = cli_fail(EXIT_NO, "NOT VERIFIED: %s", weft_ctx_message(b->ctx));
    if (!code && b->call->options.dynamic.analytics) code = dynamic_bench_compare(b->ctx, got, want, r->runs);
    cli_progress_erase();
    weft_graph_free(want);
    return code;
}

static int warm_up(const job *b, uint64_t size) {
    weft_dynamic *d = NULL;
    row none = {.size = size, .way = IN_PLACE};
    int code = begin(b, IN_PLACE, &d);
    if (!code) code = apply_all(b, d, 0, &none, NULL);
    weft_dynamic_free(d);
    return code;
}

static int measure(job *b, uint64_t size, way how) {
    row *r = &b->rows[b->done];
    weft_dynamic *d = NULL;
    weft_graph *held = NULL, *last = NULL;
    weft_csr out = {.size = sizeof out};
    weft_dynamic_info info;
    *r = (row){.size = size, .way = how};
    cli_progress_line(&b->call->options, "batches of %" PRIu64 "%s", size,
                      how == WITH_SNAPSHOTS ? ", with snapshots" : "");
    double limit = b->call->options.seconds > 0 ? b->call->options.seconds * 1e3 : STANDARD_MS;
    int code = on_gpu(b) ? warm_up(b, size) : EXIT_DONE;
    if (!code) code = begin(b, how, &d);
    if (!code) code = apply_all(b, d, limit, r, &held);
    weft_graph_free(held);
    double started = cli_now_ms();
    weft_status st = code ? WEFT_OK : weft_dynamic_snapshot(b->ctx, d, &last);
    double taken = cli_now_ms();
    if (!code && !st) st = weft_graph_out(b->ctx, last, &out);
    r->pack_ms = cli_now_ms() - taken;
    r->snapshot_us = (taken - started) * 1e3;
    cli_progress_erase();
    if (st) code = cli_fail_status(b->ctx, st);
    if (!code) code = dynamic_describe(b->ctx, d, &info);
    if (!code) code = verify(b, r, last);
    if (!code) {
        r->store_bytes = info.bytes;
        r->csr_bytes = info.arcs * (b->more.w ? 8 : 4) + (info.vertices + 1) * 8;
        b->done++;
    }
    weft_graph_free(last);
    weft_dynamic_free(d);
    if (b->path) unlink(b->path);
    return code;
}

/* --- all -------------------------------------------------------------------------------- */

static double arcs_per_second(const job *b, const row *r, double ms) {
    return (double)r->changes * (direction_of(b) == WEFT_UNDIRECTED ? 2 : 1) / ms * 1e3;
}

static const char *keeps(const job *b) {
    return !b->path ? "none" : b->call->options.dynamic.durable == WEFT_DURABLE_BATCH ? "batch" : "never";
}

static bool waits(const job *b) { return b->path && b->call->options.dynamic.durable == WEFT_DURABLE_BATCH; }

/* Batches for each sync; 0: no batch waits for the disk. */
static uint64_t batches_a_sync(const job *b, const row *r) { return !waits(b) ? 0 : r->way == GROUPED ? GROUP : 1; }

static void print_json(const job *b) {
    json j;
    json_start(&j, stdout);
    json_u64(&j, "scale", b->call->options.dynamic.scale);
    json_u64(&j, "vertices", weft_graph_vertices(b->base));
    json_u64(&j, "edges", weft_graph_edges(b->base));
    json_bool(&j, "directed", direction_of(b) == WEFT_DIRECTED);
    json_text(&j, "weight_type", cli_weights(weft_graph_weight_type(b->base)));
    json_text(&j, "durable", keeps(b));
    json_u64(&j, "threads", (uint64_t)weft_ctx_threads(b->ctx));
    json_text(&j, "device", on_gpu(b) ? "cuda" : "cpu");
    json_open_array(&j, "rows", false);
    for (size_t i = 0; i < b->done; i++) {
        const row *r = &b->rows[i];
        json_open_object(&j, NULL, true);
        json_u64(&j, "batch_size", r->size);
        json_bool(&j, "snapshots", r->way == WITH_SNAPSHOTS);
        if (b->path) json_u64(&j, "batches_a_sync", batches_a_sync(b, r));
        json_u64(&j, "batches", r->batches);
        json_rounded(&j, "arcs_per_second", arcs_per_second(b, r, r->ms));
        if (on_gpu(b)) json_rounded(&j, "gpu_arcs_per_second", arcs_per_second(b, r, r->gpu_ms));
        json_rounded(&j, "batch_us", r->ms * 1e3 / (double)r->batches);
        json_rounded(&j, "longest_us", r->longest_ms * 1e3);
        json_rounded(&j, "snapshot_us", r->snapshot_us);
        json_rounded(&j, "pack_ms", r->pack_ms);
        json_u64(&j, "store_bytes", r->store_bytes);
        json_u64(&j, "csr_bytes", r->csr_bytes);
        if (b->call->options.dynamic.analytics) dynamic_bench_json(&j, r->runs);
        json_bool(&j, "verified", true);
        json_close(&j);
    }
    json_close(&j);
    json_finish(&j);
}

static void print_head(const job *b) {
    cli_text x, y;
    weft_vid n = weft_graph_vertices(b->base);
    uint64_t m = weft_graph_edges(b->base);
    cli_heading("R-MAT %" PRIu64 ": %s %s, %s %s edge%s%s; %d thread%s; %s", b->call->options.dynamic.scale,
                cli_count(x, n), cli_vertices(n), cli_count(y, m),
                direction_of(b) == WEFT_UNDIRECTED ? "undirected" : "directed", cli_s(m),
                cli_with_weights(weft_graph_weight_type(b->base)), weft_ctx_threads(b->ctx),
                weft_ctx_threads(b->ctx) == 1 ? "" : "s",
                !b->path && on_gpu(b)                                    ? "on the GPU"
                : !b->path                                               ? "in memory"
                : b->call->options.dynamic.durable == WEFT_DURABLE_BATCH ? "in a file, --durable batch"
                                                                         : "in a file, --durable never");
    printf("%10s  %-9s %12s ", "batch", "snapshots", "M arcs/s");
    if (on_gpu(b)) printf("%12s ", "on the GPU");
    printf("%12s %12s %12s %10s\n", "a batch, us", "snapshot, us", "packing, ms", "store/CSR");
}

static void print_row(const job *b, const row *r) {
    printf("%10" PRIu64 "  %-9s %12.3f ", r->size, r->way == WITH_SNAPSHOTS ? "yes" : "no",
           arcs_per_second(b, r, r->ms) / 1e6);
    if (on_gpu(b)) printf("%12.3f ", arcs_per_second(b, r, r->gpu_ms) / 1e6);
    printf("%12.2f %12.2f %12.1f %10.2f  verified", r->ms * 1e3 / (double)r->batches, r->snapshot_us, r->pack_ms,
           (double)r->store_bytes / (double)r->csr_bytes);
    if (r->way == GROUPED) printf(", a sync for %d batches", GROUP);
    putchar('\n');
    if (b->call->options.dynamic.analytics) dynamic_bench_print(r->runs);
    cli_flush_stdout();
}

int dynamic_bench(cli_call *call, weft_ctx *ctx) {
    static job b;
    b = (job){.call = call, .ctx = ctx, .path = call->operand_count > 1 ? call->operands[1] : NULL};
    if (b.path && access(b.path, F_OK) == 0)
        return cli_fail(EXIT_USAGE, "%s is there already; weft dynamic bench makes a file of its own", b.path);
    if (!b.path && CLI_GIVEN(&call->options, dynamic.durable))
        return cli_fail(EXIT_USAGE, "--durable is about a file: weft dynamic bench FILE");
    if (call->options.weight_type > WEFT_WEIGHT_U32)
        return cli_fail(EXIT_USAGE, "weft dynamic bench has weights of the type u32, or none");
    int code = b.path ? cli_check_output(NULL, b.path) : EXIT_DONE;
    if (!code) code = read_sizes(&b);
    if (!code) code = prepare(&b);
    for (size_t i = 0; i < b.sizes && !code; i++) {
        if (b.size[i] > b.more.count) {
            if (call->options.dynamic.batch_sizes)
                cli_note(&call->options, "there are only %zu edges to insert: no batches of %" PRIu64, b.more.count,
                         b.size[i]);
            continue;
        }
        for (int how = 0; how < (waits(&b) ? WAYS : GROUPED) && !code; how++) {
            code = measure(&b, b.size[i], (way)how);
            if (!code && !call->options.json && b.done == 1) print_head(&b);
            if (!code && !call->options.json) print_row(&b, &b.rows[b.done - 1]);
        }
    }
    if (!code && call->options.json) print_json(&b);
    free_edges(&b.of_base);
    free_edges(&b.more);
    weft_graph_free(b.base);
    return code;
}
